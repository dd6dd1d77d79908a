/* Walls: the nearest one that can be reached, and the outline of a polygon.
 *
 * The nearest: breadth first over polygons, through edges that are not farther away than the nearest wall so
 * far. A straight line to the nearest wall crosses such edges only, so that it is found whatever the order.
 * Sources: as move.c; Detour's order is that of the distance walked, which shows in nothing but ties. */
#include "mesh/locate.h"
#include "query/local/walls.h"
#include "query/local/outline.h"
#include "query/local/breadth_first.h"

/* ---- The nearest -------------------------------------------------------------------------------------- */

typedef struct Search {
  WmQuery *query;
  const WmFilter *filter;
  const float *centre;
  uint32_t queued;
  float squared; /* nothing farther away counts */
  WmWall *wall;
} Search;

static void try_wall(Search *search, WmRef polygon, const WmPiece *piece) {
  float t;
  const float squared = wm_distance_to_segment(search->centre, piece->first, piece->second, &t);
  if (!(squared <= search->squared)) return;
  WmWall *wall = search->wall;
  search->squared = squared;
  wall->found = true;
  wall->polygon = polygon;
  wall->edge = piece->edge;
  wm_interpolate(piece->first, piece->second, t, wall->point);
  memcpy(wall->segment[0], piece->first, sizeof wall->segment[0]);
  memcpy(wall->segment[1], piece->second, sizeof wall->segment[1]);
}

/* A polygon that passes, behind an opening. Its node keeps how far away the nearest of its openings is. */
static WmStatus reach(Search *search, uint32_t from, const WmPiece *way) {
  WmQuery *query = search->query;
  const uint32_t number = wm_breadth_first_find(query, way->slot, way->polygon);
  float t;
  if (number == UINT32_MAX) return WM_ERROR_OUT_OF_MEMORY;
  WmNode *node = wm_nodes_items(&query->nodes) + number;
  const float squared = wm_distance_to_segment(search->centre, way->first, way->second, &t);
  const bool waits = node->stamp == query->nodes.stamp;
  if (squared > search->squared || (waits && squared >= node->left)) return WM_OK;
  node->left = squared;
  if (waits) return WM_OK;
  return wm_breadth_first_put(query, number, way->slot, way->polygon, from, &search->queued);
}

static WmStatus find_wall(Search *search, WmRef start) {
  WmQuery *query = search->query;
  WmStatus status = wm_breadth_first_begin(query, search->filter, start, &search->queued);
  for (uint32_t i = 0; i < search->queued && !status; i++) {
    const WmMeshTile *tile;
    uint32_t polygon;
    const uint32_t number = wm_breadth_first_at(query, i, &tile, &polygon);
    if (polygon >= tile->ground_count) continue; /* only the start can be an off-mesh connection */
    if (i > 0 && wm_nodes_items(&query->nodes)[number].left > search->squared) {
      wm_nodes_items(&query->nodes)[number].stamp--; /* it may be met again through a nearer opening */
      continue;
    }
    WmOutline outline = wm_outline_of(query->mesh, search->filter, tile, polygon);
    for (WmPiece piece; !status && wm_outline_next(&outline, &piece);) {
      if (piece.polygon == UINT32_MAX) {
        try_wall(search, tile->ref + polygon, &piece);
      } else {
        status = reach(search, number, &piece);
      }
    }
  }
  return status;
}

WmStatus wm_query_distance_to_wall(WmQuery *query, WmRef start, const float centre[3], float max_distance,
                                   const WmFilter *filter, WmWall *wall) {
  memset(wall, 0, sizeof *wall);
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, start, "start");
  if (!status) status = wm_query_check_position(query->context, centre, "centre");
  if (!status) status = wm_query_check_numbers(query->context, &max_distance, 1, 0, "maxDistance");
  if (status) return status;
  Search search = {.query = query,
                   .filter = wm_query_filter(query, filter),
                   .centre = centre,
                   .squared = max_distance * max_distance,
                   .wall = wall};
  status = find_wall(&search, start);
  if (status) {
    memset(wall, 0, sizeof *wall);
    return status;
  }
  wall->distance = wall->found ? sqrtf(search.squared) : max_distance;
  if (!wall->found || !(wall->distance > 0)) return WM_OK;
  float *normal = wall->normal;
  for (int axis = 0; axis < 3; axis++) normal[axis] = centre[axis] - wall->point[axis];
  const float scale = 1.0f / sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int axis = 0; axis < 3; axis++) normal[axis] *= scale;
  return WM_OK;
}

/* ---- Outlines ----------------------------------------------------------------------------------------- */

WmStatus wm_query_wall_segments(WmQuery *query, WmRef polygon, const WmFilter *filter, bool with_portals,
                                WmSegments *segments) {
  memset(segments, 0, sizeof *segments);
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, polygon, "polygon");
  if (status) return status;
  const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, polygon);
  size_t count = 0;
  WmOutline outline =
      wm_outline_of(query->mesh, wm_query_filter(query, filter), tile, wm_ref_polygon(polygon));
  if (outline.polygon >= tile->ground_count) return WM_OK;
  for (WmPiece piece; wm_outline_next(&outline, &piece);) {
    const bool is_wall = piece.polygon == UINT32_MAX;
    if (!is_wall && !with_portals) continue;
    status = wm_query_reserve(query, WM_QUERY_SEGMENTS, WM_QUERY_SEGMENT_POLYGONS, count + 1);
    if (status) return status;
    float *ends = (float *)query->arrays[WM_QUERY_SEGMENTS].items + 6 * count;
    memcpy(ends, piece.first, 3 * sizeof(float));
    memcpy(ends + 3, piece.second, 3 * sizeof(float));
    ((WmRef *)query->arrays[WM_QUERY_SEGMENT_POLYGONS].items)[count++] =
        is_wall ? 0 : wm_mesh_tile(query->mesh, piece.slot)->ref + piece.polygon;
  }
  segments->count = count;
  segments->ends = query->arrays[WM_QUERY_SEGMENTS].items;
  segments->polygons = query->arrays[WM_QUERY_SEGMENT_POLYGONS].items;
  return WM_OK;
}
