/* Corridors: A* over polygons, from polygon to polygon through the middles of their edges.
 *
 * A polygon is a node, placed at the middle of the edge it is first reached by; ground polygons on the side
 * of a tile have four nodes, one for each side they can be entered from (state_first of the tile), so that
 * one place does not stand for crossings far apart. Nodes of a tile lie together, at a place given to the
 * tile when the search first touches it; a stamp tells nodes of this search from older contents. What is left
 * at least is the distance to the end times 0.999. The open list is a heap of (total, sequence); a node
 * reached again on a cheaper way is pushed again, and its older entry passed over. The result is that of
 * Detour's search.
 *
 * Sources: P. E. Hart, N. J. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum
 * Cost Paths", 1968; M. Mononen, Detour (2009-). */
#include "query/query_internal.h"

#define HEURISTIC_SCALE 0.999f

/* What stays the same during a search. */
typedef struct Search {
  WmQuery *query;
  const WmFilter *filter;
  float end[3];
  uint32_t end_slot, end_polygon;
  size_t max_nodes;
  /* What changes. */
  size_t heap_count;
  size_t touched, taken;
  uint32_t best; /* node nearest to the end */
  float best_left;
  bool reached, limited;
} Search;

static WmNode *nodes_of(const WmQuery *query) { return query->arrays[WM_QUERY_NODES].items; }
static WmSearchTile *tiles_of(const WmQuery *query) { return query->arrays[WM_QUERY_TILES].items; }

/* ---- Nodes -------------------------------------------------------------------------------------------- */

/* A new stamp. Once in 2^32 searches the old ones are wiped out, so that none comes back. */
static WmStatus begin_search(WmQuery *query) {
  const size_t slots = wm_mesh_slot_count(query->mesh);
  const WmStatus status = wm_query_reserve(query, WM_QUERY_TILES, WM_QUERY_TILES, slots);
  if (status) return status;
  if (++query->stamp == 0) {
    memset(tiles_of(query), 0, query->arrays[WM_QUERY_TILES].capacity * sizeof(WmSearchTile));
    if (nodes_of(query)) memset(nodes_of(query), 0, query->arrays[WM_QUERY_NODES].capacity * sizeof(WmNode));
    query->stamp = 1;
  }
  query->sequence = 0;
  query->node_count = 0;
  return WM_OK;
}

/* Gives places for its nodes to a tile that this search has not touched. */
static WM_COLD WmStatus touch_tile(WmQuery *query, uint32_t slot) {
  const WmMeshTile *tile = wm_mesh_tile(query->mesh, slot);
  const size_t first = query->node_count, end = first + tile->state_first[tile->polygon_count];
  const WmStatus status = wm_query_reserve(query, WM_QUERY_NODES, WM_QUERY_NODES, end);
  if (status) return status;
  tiles_of(query)[slot] = (WmSearchTile){tile, query->stamp, (uint32_t)first};
  query->node_count = end;
  return WM_OK;
}

/* The node for entering a polygon across a side. */
WM_INLINE uint32_t node_at(const WmSearchTile *entry, uint32_t polygon, uint8_t side) {
  const uint32_t *first = entry->tile->state_first + polygon;
  const uint32_t state = side >> 1; /* WM_TILE_SIDE_INSIDE is beyond all */
  return entry->first_node + first[0] + (state < first[1] - first[0] ? state : 0);
}

static WmStatus push(Search *search, uint32_t number) {
  WmQuery *query = search->query;
  if (search->heap_count == query->arrays[WM_QUERY_HEAP].capacity) {
    const WmStatus status = wm_query_reserve(query, WM_QUERY_HEAP, WM_QUERY_HEAP, search->heap_count + 64);
    if (status) return status;
  }
  WmNode *node = nodes_of(query) + number;
  node->sequence = ++query->sequence;
  wm_heap_push(query->arrays[WM_QUERY_HEAP].items, &search->heap_count,
               (WmHeapEntry){wm_heap_key(node->total, node->sequence), number});
  return WM_OK;
}

WM_INLINE bool is_end(const Search *search, uint32_t slot, uint32_t polygon) {
  return polygon == search->end_polygon && slot == search->end_slot;
}

/* The cost of what is left from a node of the end's polygon. */
static WM_COLD float cost_to_end(const Search *search, const WmNode *node) {
  const WmMeshTile *tile = wm_mesh_tile(search->query->mesh, search->end_slot);
  return wm_distance(node->position, search->end) *
         search->filter->area_costs[tile->polygon_area[search->end_polygon]];
}

/* Fills in a node that this search has not met, but for its position, which is there. */
static void place_node(Search *search, WmNode *node, uint32_t slot, uint32_t polygon) {
  node->stamp = search->query->stamp;
  node->slot = slot;
  node->polygon = polygon;
  node->left = is_end(search, slot, polygon) ? 0 : wm_distance(node->position, search->end) * HEURISTIC_SCALE;
  search->touched++;
}

/* Opens a node at a cost. */
static WmStatus open_node(Search *search, uint32_t number, float cost) {
  WmNode *node = nodes_of(search->query) + number;
  node->cost = cost;
  node->total = cost + node->left;
  if (node->left < search->best_left) {
    search->best_left = node->left;
    search->best = number;
  }
  return push(search, number);
}

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* Follows a link of the tile of node `from_number` to `target`, the tile it leads to. */
WM_INLINE WmStatus follow(Search *search, uint32_t from_number, const WmMeshTile *tile, uint32_t link_number,
                          const WmSearchTile *target) {
  WmQuery *query = search->query;
  const WmLink *link = &tile->links[link_number];
  if (!wm_filter_passes(search->filter, target->tile->polygon_flags[link->polygon])) return WM_OK;
  const uint32_t number = node_at(target, link->polygon, link->side);
  WmNode *node = nodes_of(query) + number;
  const WmNode *from = nodes_of(query) + from_number;
  const bool fresh = node->stamp != query->stamp;
  /* Steps cost nothing or more, and rounding keeps the order: no need to measure a step that cannot help. */
  if (!fresh && !(from->cost + node->left < node->total)) return WM_OK;
  if (fresh) {
    if (search->max_nodes && search->touched >= search->max_nodes) {
      search->limited = true;
      return WM_OK;
    }
    const float *portal = tile->link_portals + 6 * (size_t)link_number;
    for (int axis = 0; axis < 3; axis++) node->position[axis] = (portal[axis] + portal[3 + axis]) * 0.5f;
    place_node(search, node, link->slot, link->polygon);
  }
  const float *area_costs = search->filter->area_costs;
  float cost = from->cost +
               wm_distance(from->position, node->position) * area_costs[tile->polygon_area[from->polygon]];
  if (is_end(search, link->slot, link->polygon)) cost += cost_to_end(search, node);
  if (!fresh && !(cost + node->left < node->total)) return WM_OK;
  node->parent = from_number;
  return open_node(search, number, cost);
}

/* Follows all links of a node but the ones back to its parent's polygon. */
static WmStatus expand(Search *search, uint32_t number) {
  WmQuery *query = search->query;
  const WmNode *node = nodes_of(query) + number, *parent = nodes_of(query) + node->parent;
  const WmMeshTile *tile = tiles_of(query)[node->slot].tile;
  const uint32_t polygon = node->polygon, parent_polygon = parent->polygon, parent_slot = parent->slot;
  const uint32_t end = tile->link_first[polygon + 1];
  WmStatus status = WM_OK;
  for (uint32_t i = tile->link_first[polygon]; i < end && !status; i++) {
    const WmLink *link = &tile->links[i];
    if (link->polygon == parent_polygon && link->slot == parent_slot) continue;
    const WmSearchTile *target = tiles_of(query) + link->slot;
    if (target->stamp != query->stamp) status = touch_tile(query, link->slot);
    if (!status) status = follow(search, number, tile, i, target);
  }
  return status;
}

static WmStatus start_search(Search *search, WmRef start, const float position[3]) {
  WmQuery *query = search->query;
  const uint32_t slot = wm_ref_slot(start), polygon = wm_ref_polygon(start);
  WmStatus status = begin_search(query);
  if (!status) status = touch_tile(query, slot);
  if (status) return status;
  const uint32_t number = node_at(tiles_of(query) + slot, polygon, WM_TILE_SIDE_INSIDE);
  WmNode *node = nodes_of(query) + number;
  memcpy(node->position, position, sizeof node->position);
  place_node(search, node, slot, polygon);
  node->parent = number;
  search->best = number;
  search->best_left = node->left;
  return open_node(search, number, is_end(search, slot, polygon) ? cost_to_end(search, node) : 0);
}

static WmStatus run(Search *search) {
  WmQuery *query = search->query;
  WmStatus status = WM_OK;
  while (search->heap_count > 0 && !status) {
    const WmHeapEntry entry = wm_heap_pop(query->arrays[WM_QUERY_HEAP].items, &search->heap_count);
    WmNode *node = nodes_of(query) + entry.value;
    if (node->sequence != (uint32_t)entry.key) continue;
    node->sequence = 0;
    search->taken++;
    if (is_end(search, node->slot, node->polygon)) {
      search->best = entry.value;
      search->reached = true;
      return WM_OK;
    }
    status = expand(search, entry.value);
  }
  return status;
}

/* ---- Writing the corridor ----------------------------------------------------------------------------- */

/* From the best node back to the start. */
static WM_COLD WmStatus write_corridor(const Search *search, WmCorridor *corridor) {
  WmQuery *query = search->query;
  const WmNode *nodes = nodes_of(query), *node = nodes + search->best;
  size_t count = 1;
  for (; nodes + node->parent != node; node = nodes + node->parent) count++;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, count);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_POLYGONS].items;
  node = nodes + search->best;
  for (size_t i = count; i > 0; i--, node = nodes + node->parent) {
    polygons[i - 1] = tiles_of(query)[node->slot].tile->ref + node->polygon;
  }
  corridor->polygons = polygons;
  corridor->polygon_count = count;
  corridor->cost = nodes[search->best].cost;
  corridor->searched = search->taken;
  return WM_OK;
}

static WM_COLD void judge(const Search *search, WmCorridor *corridor) {
  const WmMeshTile *tile = wm_mesh_tile(search->query->mesh, search->end_slot);
  corridor->state = search->limited ? WM_PATH_PARTIAL : WM_PATH_UNREACHABLE;
  corridor->reason = search->limited ? WM_PATH_REASON_NODE_LIMIT : WM_PATH_REASON_NOT_CONNECTED;
  if (search->reached) {
    corridor->state = WM_PATH_COMPLETE;
    corridor->reason = WM_PATH_REASON_NONE;
  } else if (!wm_filter_passes(search->filter, tile->polygon_flags[search->end_polygon])) {
    corridor->state = WM_PATH_UNREACHABLE;
    corridor->reason = WM_PATH_REASON_END_EXCLUDED;
  }
}

WmStatus wm_query_search(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmFilter *filter, size_t max_nodes,
                         WmCorridor *corridor) {
  memset(corridor, 0, sizeof *corridor);
  Search search = {.query = query,
                   .filter = filter,
                   .end_slot = wm_ref_slot(end),
                   .end_polygon = wm_ref_polygon(end),
                   .max_nodes = max_nodes};
  memcpy(search.end, end_position, sizeof search.end);
  WmStatus status = start_search(&search, start, start_position);
  if (!status) status = run(&search);
  if (!status) status = write_corridor(&search, corridor);
  if (!status) judge(&search, corridor);
  return status;
}
