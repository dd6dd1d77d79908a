/* Moving along the surface: breadth first over the polygons within a circle around both ends, until one of
 * them contains the destination; if none does, the move ends at the point of a wall that is nearest to it.
 *
 * Source: M. Mononen, Detour (2009-), with the same order and so the same result; but any number of polygons
 * is visited, and an edge on a tile's side is passed where it is open, and a wall elsewhere (Detour takes it
 * for open in all its length). */
#include "mesh/locate.h"
#include "query/local/move.h"
#include "query/local/outline.h"
#include "query/local/breadth_first.h"

/* Slack of the circle, world units. */
#define SLACK 0.001f
/* The rounding error of a coordinate, as a fraction of it. */
#define ROUNDING 1e-6f

typedef struct Search {
  WmQuery *query;
  const WmFilter *filter;
  float to[3];
  float middle[3]; /* of the circle */
  float squared;   /* its radius, squared */
  float seam; /* squared: rounding leaves gaps between tiles; a destination this near to both is on either */
  uint32_t queued;
  /* The nearest wall until now. */
  uint32_t best; /* node */
  float best_squared;
  float point[3];
} Search;

/* ---- Search ------------------------------------------------------------------------------------------- */

/* Queues the polygon behind a portal. */
static WmStatus reach(Search *search, uint32_t from, const WmEdgeSegment *portal) {
  WmQuery *query = search->query;
  const uint32_t number = wm_breadth_first_find(query, portal->slot, portal->polygon);
  float t;
  if (number == UINT32_MAX) return WM_ERROR_OUT_OF_MEMORY;
  if (wm_nodes_items(&query->nodes)[number].stamp == query->nodes.stamp) return WM_OK;
  if (wm_distance_to_segment(search->middle, portal->first, portal->second, &t) > search->squared)
    return WM_OK;
  return wm_breadth_first_put(query, number, portal->slot, portal->polygon, from, &search->queued);
}

/* Tries the nearest point of a wall, or of a portal, if its squared distance is at most `limit`. */
static void try_segment(Search *search, uint32_t number, const WmEdgeSegment *wall, float limit) {
  float t;
  const float squared = wm_distance_to_segment(search->to, wall->first, wall->second, &t);
  if (!(squared < search->best_squared) || squared > limit) return;
  search->best_squared = squared;
  search->best = number;
  wm_interpolate(wall->first, wall->second, t, search->point);
}

/* Visits polygons until one contains the destination; it is then the best. */
static WmStatus run(Search *search, WmRef start) {
  WmQuery *query = search->query;
  WmStatus status = wm_breadth_first_begin(query, search->filter, start, &search->queued);
  for (uint32_t i = 0; i < search->queued && !status; i++) {
    const WmMeshTile *tile;
    uint32_t polygon;
    const uint32_t number = wm_breadth_first_at(query, i, &tile, &polygon);
    if (i == 0) search->best = number;
    if (polygon >= tile->ground_count) { /* only the start can be an off-mesh connection */
      wm_tile_closest_point(tile, polygon, search->to, true, search->point);
      break;
    }
    if (wm_tile_contains(tile, polygon, search->to)) {
      search->best = number;
      memcpy(search->point, search->to, sizeof search->point);
      break;
    }
    WmOutline outline = wm_outline_of(query->mesh, search->filter, tile, polygon);
    for (WmEdgeSegment segment; !status && wm_outline_next(&outline, &segment);) {
      if (segment.polygon == UINT32_MAX) {
        try_segment(search, number, &segment, INFINITY);
      } else {
        if (segment.slot != tile->slot) try_segment(search, number, &segment, search->seam);
        status = reach(search, number, &segment);
      }
    }
  }
  return status;
}

/* ---- The query ---------------------------------------------------------------------------------------- */

/* Writes the polygons from the start to the best. */
static WmStatus write_polygons(const Search *search, WmMove *move) {
  WmQuery *query = search->query;
  const WmNode *nodes = wm_nodes_items(&query->nodes), *node = nodes + search->best;
  size_t count = 1;
  for (; nodes + node->parent != node; node = nodes + node->parent) count++;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, count);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_POLYGONS].items;
  node = nodes + search->best;
  for (size_t i = count; i > 0; i--, node = nodes + node->parent) {
    polygons[i - 1] = wm_nodes_ref(&query->nodes, node);
  }
  *move = (WmMove){.polygon = polygons[count - 1], .polygon_count = count, .polygons = polygons};
  memcpy(move->point, search->point, sizeof move->point);
  return WM_OK;
}

/* The result of a move within its polygon. */
static WmStatus write_start(WmQuery *query, WmRef start, const float to[3], WmMove *move) {
  const WmStatus status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, 1);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_POLYGONS].items;
  polygons[0] = start;
  *move = (WmMove){start, {to[0], to[1], to[2]}, 1, polygons};
  return WM_OK;
}

WmStatus wm_query_move_along_surface(WmQuery *query, WmRef start, const float from[3], const float to[3],
                                     const WmFilter *filter, bool on_surface, WmMove *move) {
  memset(move, 0, sizeof *move);
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, start, "start");
  if (!status) status = wm_query_check_position(query->context, from, "from");
  if (!status) status = wm_query_check_position(query->context, to, "to");
  if (status) return status;
  const WmMeshTile *tile = wm_mesh_tile(query->mesh, wm_ref_slot(start));
  const uint32_t polygon = wm_ref_polygon(start);
  if (polygon < tile->ground_count && wm_tile_contains(tile, polygon, to)) { /* run() would find it first */
    status = write_start(query, start, to, move);
    if (!status && on_surface) move->point[1] = wm_tile_height(tile, polygon, to);
    return status;
  }
  const float radius = wm_distance(from, to) * 0.5f + SLACK;
  const float rounding = (1 + fabsf(to[0]) + fabsf(to[2])) * ROUNDING;
  Search search = {.query = query,
                   .filter = wm_query_filter(query, filter),
                   .squared = radius * radius,
                   .seam = rounding * rounding,
                   .best_squared = INFINITY};
  memcpy(search.to, to, sizeof search.to);
  memcpy(search.point, from, sizeof search.point);
  wm_interpolate(from, to, 0.5f, search.middle);
  status = run(&search, start);
  if (!status) status = write_polygons(&search, move);
  if (status || !on_surface) return status;
  float surface[3];
  wm_tile_closest_point(wm_mesh_tile_of(query->mesh, move->polygon), wm_ref_polygon(move->polygon),
                        move->point, true, surface);
  move->point[1] = surface[1];
  return WM_OK;
}
