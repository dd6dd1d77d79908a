/* Moving along the surface: breadth first over the polygons within a circle around the way, until one of them
 * has the target inside, or none is left and the nearest wall to it is where the way ends.
 *
 * Source: M. Mononen, Detour (2009-), with the same order and so the same result; but any number of polygons
 * is looked at, and an edge on a tile's side is passed where it is open and a wall beside that (Detour takes
 * it for open in all its length). */
#include "mesh/locate.h"
#include "query/edges.h"
#include "query/local.h"
#include "query/query_internal.h"

/* Slack of the circle, world units. */
#define SLACK 0.001f

typedef struct Search {
  WmQuery *query;
  const WmFilter *filter;
  float to[3];
  float middle[3]; /* of the circle */
  float reach;     /* its squared radius */
  uint32_t queued;
  /* The nearest wall so far. */
  uint32_t best; /* node */
  float best_squared;
  float point[3];
} Search;

WM_INLINE WmNode *node_of(const Search *search, uint32_t number) {
  return wm_nodes_items(&search->query->nodes) + number;
}

/* ---- Search ------------------------------------------------------------------------------------------- */

/* A polygon that passes, behind an opening. */
static WmStatus put_in_queue(Search *search, uint32_t parent, uint32_t slot, uint32_t polygon,
                             const float *first, const float *second) {
  WmQuery *query = search->query;
  const WmNodeTile *entry = wm_nodes_tile(&query->nodes, slot);
  if (!entry) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t number = wm_nodes_at(entry, polygon, WM_TILE_SIDE_INSIDE);
  WmNode *node = node_of(search, number);
  float t;
  if (node->stamp == query->nodes.stamp) return WM_OK;
  if (first && wm_distance_to_segment(search->middle, first, second, &t) > search->reach) return WM_OK;
  WmBuffer *queue = &query->arrays[WM_QUERY_NUMBERS];
  if (search->queued == queue->capacity) {
    const WmStatus status =
        wm_query_reserve(query, WM_QUERY_NUMBERS, WM_QUERY_NUMBERS, (size_t)search->queued + 16);
    if (status) return status;
  }
  node->stamp = query->nodes.stamp;
  node->slot = slot;
  node->polygon = polygon;
  node->parent = first ? parent : number;
  ((uint32_t *)queue->items)[search->queued++] = number;
  return WM_OK;
}

static void try_wall(Search *search, uint32_t number, const float *first, const float *second) {
  float t;
  const float squared = wm_distance_to_segment(search->to, first, second, &t);
  if (!(squared < search->best_squared)) return;
  search->best_squared = squared;
  search->best = number;
  wm_interpolate(first, second, t, search->point);
}

static WM_NOINLINE WmStatus look_over_side(Search *search, uint32_t number, const WmMeshTile *tile,
                                           uint32_t polygon, uint32_t edge) {
  const WmMesh *mesh = search->query->mesh;
  WmStatus status = WM_OK;
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1] && !status; i++) {
    const WmLink *link = &tile->links[i];
    if (link->edge != edge) continue;
    if (!wm_filter_passes(search->filter, wm_mesh_tile(mesh, link->slot)->polygon_flags[link->polygon]))
      continue;
    const float *portal = tile->link_portals + 6 * (size_t)i;
    status = put_in_queue(search, number, link->slot, link->polygon, portal, portal + 3);
  }
  WmSideWalls walls;
  float ends[2][3];
  wm_side_walls_begin(mesh, tile, polygon, edge, search->filter, &walls);
  while (wm_side_walls_next(&walls, ends)) try_wall(search, number, ends[0], ends[1]);
  return status;
}

/* All edges of a polygon, the last one first. */
static WmStatus look_around(Search *search, uint32_t number, const WmMeshTile *tile, uint32_t polygon) {
  const uint32_t size = tile->polygon_size[polygon], slot = tile->slot;
  WmStatus status = WM_OK;
  for (uint32_t k = 0, edge = size - 1; k < size && !status; edge = k++) {
    const WmEdge side = wm_edge_of(tile, polygon, edge, search->filter);
    if (side.on_side) {
      status = look_over_side(search, number, tile, polygon, edge);
    } else if (side.neighbour != UINT32_MAX) {
      status = put_in_queue(search, number, slot, side.neighbour, side.first, side.second);
    } else {
      try_wall(search, number, side.first, side.second);
    }
  }
  return status;
}

/* Until a polygon has the target inside; it is then the best. */
static WmStatus run(Search *search, WmRef start) {
  WmQuery *query = search->query;
  WmStatus status = wm_nodes_begin(&query->nodes, search->filter);
  if (!status) status = put_in_queue(search, 0, wm_ref_slot(start), wm_ref_polygon(start), NULL, NULL);
  if (!status) search->best = *(const uint32_t *)query->arrays[WM_QUERY_NUMBERS].items;
  for (uint32_t i = 0; i < search->queued && !status; i++) {
    const uint32_t number = ((const uint32_t *)query->arrays[WM_QUERY_NUMBERS].items)[i];
    const WmNode *node = node_of(search, number);
    const WmMeshTile *tile = ((const WmNodeTile *)query->nodes.tiles.items)[node->slot].tile;
    const uint32_t polygon = node->polygon;
    if (polygon >= tile->ground_count) { /* only the start can be an off-mesh connection */
      wm_tile_closest_point(tile, polygon, search->to, true, search->point);
      break;
    }
    if (wm_tile_contains(tile, polygon, search->to)) {
      search->best = number;
      memcpy(search->point, search->to, sizeof search->point);
      break;
    }
    status = look_around(search, number, tile, polygon);
  }
  return status;
}

/* ---- The question ------------------------------------------------------------------------------------- */

/* From the start to the best. */
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

WmStatus wm_query_move_along_surface(WmQuery *query, WmRef start, const float from[3], const float to[3],
                                     const WmFilter *filter, bool on_surface, WmMove *move) {
  memset(move, 0, sizeof *move);
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, start, "start");
  if (!status) status = wm_query_check_position(query->context, from, "from");
  if (!status) status = wm_query_check_position(query->context, to, "to");
  if (status) return status;
  const float radius = wm_distance(from, to) * 0.5f + SLACK;
  Search search = {.query = query,
                   .filter = wm_query_filter(query, filter),
                   .reach = radius * radius,
                   .best_squared = INFINITY};
  memcpy(search.to, to, sizeof search.to);
  memcpy(search.point, from, sizeof search.point);
  wm_interpolate(from, to, 0.5f, search.middle);
  status = run(&search, start);
  if (!status) status = write_polygons(&search, move);
  if (!status && on_surface) {
    float surface[3];
    wm_tile_closest_point(wm_mesh_tile_of(query->mesh, move->polygon), wm_ref_polygon(move->polygon),
                          move->point, true, surface);
    move->point[1] = surface[1];
  }
  return status;
}
