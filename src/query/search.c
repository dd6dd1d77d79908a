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

static WmNode *nodes_of(const WmQuery *query) { return query->nodes.items; }

/* ---- Nodes -------------------------------------------------------------------------------------------- */

/* A new stamp. Once in 2^32 searches the old ones are wiped out, so that none comes back. */
static WmStatus begin_search(WmQuery *query) {
  const WmStatus status =
      wm_buffer_reserve(query->context, &query->tiles, wm_mesh_slot_count(query->mesh), sizeof(WmSearchTile));
  if (status) return status;
  if (++query->stamp == 0) {
    WmSearchTile *tiles = query->tiles.items;
    for (size_t i = 0; i < query->tiles.capacity; i++) tiles[i].stamp = 0;
    for (size_t i = 0; i < query->nodes.capacity; i++) nodes_of(query)[i].stamp = 0;
    query->stamp = 1;
  }
  query->sequence = 0;
  query->node_count = 0;
  return WM_OK;
}

/* The tile of a slot in this search, with places for its nodes. */
static WmStatus touch_tile(WmQuery *query, uint32_t slot, const WmSearchTile **out) {
  WmSearchTile *entry = (WmSearchTile *)query->tiles.items + slot;
  if (entry->stamp != query->stamp) {
    const WmMeshTile *tile = wm_mesh_tile(query->mesh, slot);
    const size_t states = tile->state_first[tile->polygon_count];
    if (states > UINT32_MAX - 1 - query->node_count) return wm_fail_memory(query->context, SIZE_MAX);
    const WmStatus status =
        wm_buffer_reserve(query->context, &query->nodes, query->node_count + states, sizeof(WmNode));
    if (status) return status;
    *entry = (WmSearchTile){tile, query->stamp, (uint32_t)query->node_count};
    query->node_count += states;
  }
  *out = entry;
  return WM_OK;
}

/* The node for entering a polygon across a side. */
static uint32_t node_at(const WmMeshTile *tile, uint32_t first_node, uint32_t polygon, uint8_t side) {
  const uint32_t *first = tile->state_first + polygon;
  if (side == WM_TILE_SIDE_INSIDE) return first_node + first[0];
  const uint32_t state = side >> 1;
  return first_node + first[0] + (state < first[1] - first[0] ? state : 0);
}

static WmStatus push(Search *search, uint32_t number) {
  WmQuery *query = search->query;
  if (search->heap_count == query->heap.capacity) {
    const WmStatus status =
        wm_buffer_reserve(query->context, &query->heap, search->heap_count + 1, sizeof(WmHeapEntry));
    if (status) return status;
  }
  WmNode *node = nodes_of(query) + number;
  node->sequence = ++query->sequence;
  wm_heap_push(query->heap.items, &search->heap_count,
               (WmHeapEntry){wm_heap_key(node->total, node->sequence), number});
  return WM_OK;
}

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* Puts a node that this search has not met at the middle of the opening. */
static void place_node(Search *search, WmNode *node, const WmLink *link, const float *portal) {
  for (int axis = 0; axis < 3; axis++) node->position[axis] = (portal[axis] + portal[3 + axis]) * 0.5f;
  node->stamp = search->query->stamp;
  node->slot = link->slot;
  node->polygon = link->polygon;
  const bool is_end = link->polygon == search->end_polygon && link->slot == search->end_slot;
  node->left = is_end ? 0 : wm_distance(node->position, search->end) * HEURISTIC_SCALE;
  search->touched++;
}

/* The node in hand while its links are followed: copies, since the array of nodes may move. */
typedef struct Expansion {
  const WmMeshTile *tile;
  uint32_t first_node; /* of the tile */
  uint32_t number, slot;
  float position[3];
  float cost;
  float area_cost; /* of the polygon it stands for */
} Expansion;

/* Follows one link to `target`, whose nodes begin at `first_node`. */
static WmStatus follow(Search *search, const Expansion *from, uint32_t link_number, const WmMeshTile *target,
                       uint32_t first_node) {
  WmQuery *query = search->query;
  const WmLink *link = &from->tile->links[link_number];
  if (!wm_filter_passes(search->filter, target->polygon_flags[link->polygon])) return WM_OK;
  const uint32_t number = node_at(target, first_node, link->polygon, link->side);
  WmNode *node = nodes_of(query) + number;
  const bool fresh = node->stamp != query->stamp;
  /* Steps cost nothing or more, and rounding keeps the order: no need to measure a step that cannot help. */
  if (!fresh && !(from->cost + node->left < node->total)) return WM_OK;
  if (fresh) {
    if (search->max_nodes && search->touched >= search->max_nodes) {
      search->limited = true;
      return WM_OK;
    }
    place_node(search, node, link, from->tile->link_portals + 6 * (size_t)link_number);
  }
  float cost = from->cost + wm_distance(from->position, node->position) * from->area_cost;
  if (link->polygon == search->end_polygon && link->slot == search->end_slot) {
    cost += wm_distance(node->position, search->end) *
            search->filter->area_costs[target->polygon_area[link->polygon]];
  }
  const float total = cost + node->left;
  if (!fresh && !(total < node->total)) return WM_OK;
  node->cost = cost;
  node->total = total;
  node->parent = from->number;
  node->link = link_number;
  if (node->left < search->best_left) {
    search->best_left = node->left;
    search->best = number;
  }
  return push(search, number);
}

static WmStatus expand(Search *search, uint32_t number) {
  WmQuery *query = search->query;
  const WmNode *node = nodes_of(query) + number;
  const WmSearchTile *entry = (const WmSearchTile *)query->tiles.items + node->slot;
  const WmMeshTile *tile = entry->tile;
  const uint32_t polygon = node->polygon;
  Expansion from = {.tile = tile,
                    .first_node = entry->first_node,
                    .number = number,
                    .slot = node->slot,
                    .cost = node->cost,
                    .area_cost = search->filter->area_costs[tile->polygon_area[polygon]]};
  memcpy(from.position, node->position, sizeof from.position);
  uint32_t parent_slot = UINT32_MAX, parent_polygon = 0;
  if (node->parent != WM_NO_NODE) {
    parent_slot = nodes_of(query)[node->parent].slot;
    parent_polygon = nodes_of(query)[node->parent].polygon;
  }
  WmStatus status = WM_OK;
  const uint32_t end = tile->link_first[polygon + 1];
  for (uint32_t i = tile->link_first[polygon]; i < end && !status; i++) {
    const WmLink *link = &tile->links[i];
    if (link->polygon == parent_polygon && link->slot == parent_slot) continue;
    if (link->slot == from.slot) {
      status = follow(search, &from, i, tile, from.first_node);
    } else {
      const WmSearchTile *target;
      status = touch_tile(query, link->slot, &target);
      if (!status) status = follow(search, &from, i, target->tile, target->first_node);
    }
  }
  return status;
}

static WmStatus start_search(Search *search, WmRef start, const float position[3]) {
  WmQuery *query = search->query;
  WmStatus status = begin_search(query);
  const WmSearchTile *entry = NULL;
  if (!status) status = touch_tile(query, wm_ref_slot(start), &entry);
  if (status) return status;
  const uint32_t number = node_at(entry->tile, entry->first_node, wm_ref_polygon(start), WM_TILE_SIDE_INSIDE);
  const float left = wm_distance(position, search->end) * HEURISTIC_SCALE;
  WmNode *node = nodes_of(query) + number;
  *node = (WmNode){.total = left,
                   .left = left,
                   .stamp = query->stamp,
                   .parent = WM_NO_NODE,
                   .slot = wm_ref_slot(start),
                   .polygon = wm_ref_polygon(start)};
  memcpy(node->position, position, sizeof node->position);
  search->best = number;
  search->best_left = left;
  search->touched = 1;
  return push(search, number);
}

static WmStatus run(Search *search) {
  WmQuery *query = search->query;
  WmStatus status = WM_OK;
  while (search->heap_count > 0 && !status) {
    const WmHeapEntry entry = wm_heap_pop(query->heap.items, &search->heap_count);
    WmNode *node = nodes_of(query) + entry.value;
    if (node->sequence != (uint32_t)entry.key) continue;
    node->sequence = 0;
    search->taken++;
    if (node->polygon == search->end_polygon && node->slot == search->end_slot) {
      search->best = entry.value;
      search->reached = true;
      return WM_OK;
    }
    status = expand(search, entry.value);
  }
  return status;
}

/* ---- Writing the corridor ----------------------------------------------------------------------------- */

static WmStatus reserve_corridor(WmQuery *query, size_t count, bool keep_portals) {
  WmStatus status = wm_buffer_reserve(query->context, &query->polygons, count, sizeof(WmRef));
  if (!status && keep_portals) {
    status = wm_buffer_reserve(query->context, &query->portals, count, 6 * sizeof(float));
  }
  if (!status && keep_portals) status = wm_buffer_reserve(query->context, &query->kinds, count, 1);
  return status;
}

/* From the best node back to the start. */
static WmStatus write_corridor(const Search *search, bool keep_portals, WmCorridor *corridor) {
  WmQuery *query = search->query;
  const WmNode *nodes = nodes_of(query);
  size_t count = 0;
  for (uint32_t n = search->best; n != WM_NO_NODE; n = nodes[n].parent) count++;
  const WmStatus status = reserve_corridor(query, count, keep_portals);
  if (status) return status;
  WmRef *polygons = query->polygons.items;
  float *portals = query->portals.items;
  uint8_t *kinds = query->kinds.items;
  const WmSearchTile *tiles = query->tiles.items;
  size_t i = count;
  for (uint32_t n = search->best; n != WM_NO_NODE; n = nodes[n].parent) {
    const WmNode *node = &nodes[n];
    const WmMeshTile *tile = tiles[node->slot].tile;
    polygons[--i] = tile->ref + node->polygon;
    if (!keep_portals) continue;
    kinds[i] = tile->polygon_area[node->polygon];
    if (node->polygon >= tile->ground_count) kinds[i] |= WM_KIND_OFF_MESH;
    if (i > 0) {
      const WmMeshTile *from = tiles[nodes[node->parent].slot].tile;
      memcpy(portals + 6 * (i - 1), from->link_portals + 6 * (size_t)node->link, 6 * sizeof(float));
    }
  }
  corridor->polygons = polygons;
  corridor->polygon_count = count;
  corridor->cost = nodes[search->best].cost;
  corridor->searched = search->taken;
  return WM_OK;
}

static void judge(const Search *search, WmCorridor *corridor) {
  if (search->reached) {
    corridor->state = WM_PATH_COMPLETE;
    return;
  }
  corridor->state = search->limited ? WM_PATH_PARTIAL : WM_PATH_UNREACHABLE;
  corridor->reason = search->limited ? WM_PATH_REASON_NODE_LIMIT : WM_PATH_REASON_NOT_CONNECTED;
  const WmMeshTile *tile = wm_mesh_tile(search->query->mesh, search->end_slot);
  if (!wm_filter_passes(search->filter, tile->polygon_flags[search->end_polygon])) {
    corridor->state = WM_PATH_UNREACHABLE;
    corridor->reason = WM_PATH_REASON_END_EXCLUDED;
  }
}

WmStatus wm_query_search(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmFilter *filter, size_t max_nodes,
                         bool keep_portals, WmCorridor *corridor) {
  *corridor = (WmCorridor){0};
  Search search = {.query = query,
                   .filter = filter,
                   .end_slot = wm_ref_slot(end),
                   .end_polygon = wm_ref_polygon(end),
                   .max_nodes = max_nodes};
  memcpy(search.end, end_position, sizeof search.end);
  WmStatus status = start_search(&search, start, start_position);
  if (!status) status = run(&search);
  if (!status) status = write_corridor(&search, keep_portals, corridor);
  if (status) return status;
  judge(&search, corridor);
  /* Within one polygon nothing was searched; the way is straight. */
  if (start == end) {
    const WmMeshTile *tile = wm_mesh_tile(query->mesh, search.end_slot);
    corridor->cost = wm_distance(start_position, end_position) *
                     filter->area_costs[tile->polygon_area[search.end_polygon]];
  }
  return WM_OK;
}
