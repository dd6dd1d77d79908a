/* Walls: the nearest one that can be reached, and the outline of a polygon.
 *
 * The nearest wall: breadth first over polygons, through edges that are not farther away than the nearest
 * wall until then. A straight line to the nearest wall crosses only such edges, so any order finds it.
 *
 * Source: as move.c. Detour visits by the distance walked; results differ in ties only. */
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
  float squared; /* walls farther away are ignored */
  WmWall *wall;
} Search;

static void try_wall(Search *search, WmRef polygon, const WmEdgeSegment *segment) {
  float t;
  const float squared = wm_distance_to_segment(search->centre, segment->first, segment->second, &t);
  if (!(squared <= search->squared)) return;
  WmWall *wall = search->wall;
  search->squared = squared;
  wall->found = true;
  wall->polygon = polygon;
  wall->edge = segment->edge;
  wm_interpolate(segment->first, segment->second, t, wall->point);
  memcpy(wall->segment[0], segment->first, sizeof wall->segment[0]);
  memcpy(wall->segment[1], segment->second, sizeof wall->segment[1]);
}

/* Queues the polygon behind a portal. Its node stores in `left` the squared distance of the nearest of its
 * portals. */
static WmStatus reach(Search *search, uint32_t from, const WmEdgeSegment *portal) {
  WmQuery *query = search->query;
  const uint32_t number = wm_breadth_first_find(query, portal->slot, portal->polygon);
  float t;
  if (number == UINT32_MAX) return WM_ERROR_OUT_OF_MEMORY;
  WmNode *node = wm_nodes_items(&query->nodes) + number;
  const float squared = wm_distance_to_segment(search->centre, portal->first, portal->second, &t);
  const bool waits = node->stamp == query->nodes.stamp;
  if (squared > search->squared || (waits && squared >= node->left)) return WM_OK;
  node->left = squared;
  if (waits) return WM_OK;
  return wm_breadth_first_put(query, number, portal->slot, portal->polygon, from, &search->queued);
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
      wm_nodes_items(&query->nodes)[number].stamp--; /* it may be met again through a nearer portal */
      continue;
    }
    WmOutline outline = wm_outline_of(query->mesh, search->filter, tile, polygon);
    for (WmEdgeSegment segment; !status && wm_outline_next(&outline, &segment);) {
      if (segment.polygon == UINT32_MAX) {
        try_wall(search, tile->ref + polygon, &segment);
      } else {
        status = reach(search, number, &segment);
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
  for (WmEdgeSegment segment; wm_outline_next(&outline, &segment);) {
    const bool is_wall = segment.polygon == UINT32_MAX;
    if (!is_wall && !with_portals) continue;
    status = wm_query_reserve(query, WM_QUERY_SEGMENTS, WM_QUERY_SEGMENT_POLYGONS, count + 1);
    if (status) return status;
    float *ends = (float *)query->arrays[WM_QUERY_SEGMENTS].items + 6 * count;
    memcpy(ends, segment.first, 3 * sizeof(float));
    memcpy(ends + 3, segment.second, 3 * sizeof(float));
    ((WmRef *)query->arrays[WM_QUERY_SEGMENT_POLYGONS].items)[count++] =
        is_wall ? 0 : wm_mesh_tile(query->mesh, segment.slot)->ref + segment.polygon;
  }
  segments->count = count;
  segments->ends = query->arrays[WM_QUERY_SEGMENTS].items;
  segments->polygons = query->arrays[WM_QUERY_SEGMENT_POLYGONS].items;
  return WM_OK;
}
