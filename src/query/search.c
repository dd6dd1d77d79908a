/* Corridors: A* over polygons, from polygon to polygon through the middles of their edges.
 *
 * A polygon is a node (nodes.h), placed at the middle of the edge it is first reached by; ground polygons on
 * the side of a tile have four nodes, so that one place does not stand for crossings far apart. What is left
 * at least is the distance to the end times 0.999, or less where something costs less than 1 a unit. The open
 * list is a heap of (total, sequence); a node reached again on a cheaper way is pushed again, and its older
 * entry passed over. The result is that of Detour's search.
 *
 * Sources: P. E. Hart, N. J. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum
 * Cost Paths", 1968; M. Mononen, Detour (2009-). */
#include "query/query_internal.h"

#define HEURISTIC_SCALE 0.999f

/* What stays the same during a search. */
typedef struct Search {
  WmNodes *nodes;
  const WmFilter *filter;
  float left_scale;
  float end[3];
  uint32_t end_slot, end_polygon;
  size_t max_nodes;
  /* What changes. */
  size_t touched, taken;
  uint32_t best; /* node nearest to the end */
  float best_left;
  bool reached, limited;
} Search;

WM_INLINE bool is_end(const Search *search, uint32_t slot, uint32_t polygon) {
  return polygon == search->end_polygon && slot == search->end_slot;
}

/* The cost of what is left from a node of the end's polygon. */
static WM_COLD float cost_to_end(const Search *search, const WmNode *node) {
  const WmNodeTile *entry = (const WmNodeTile *)search->nodes->tiles.items + search->end_slot;
  return wm_distance(node->position, search->end) * wm_nodes_cost(search->nodes, entry, search->end_polygon);
}

/* Fills in a node that this search has not met, but for its position, which is there. */
static void place_node(Search *search, WmNode *node, uint32_t slot, uint32_t polygon) {
  node->stamp = search->nodes->stamp;
  node->slot = slot;
  node->polygon = polygon;
  node->left =
      is_end(search, slot, polygon) ? 0 : wm_distance(node->position, search->end) * search->left_scale;
  search->touched++;
}

/* Opens a node at a cost. */
static WmStatus open_node(Search *search, uint32_t number, float cost) {
  WmNode *node = wm_nodes_items(search->nodes) + number;
  node->cost = cost;
  node->total = cost + node->left;
  if (node->left < search->best_left) {
    search->best_left = node->left;
    search->best = number;
  }
  return wm_nodes_push(search->nodes, number);
}

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* Follows a link of the tile of node `from_number` to `target`, the tile it leads to. */
WM_INLINE WmStatus follow(Search *search, uint32_t from_number, const WmMeshTile *tile, float unit_cost,
                          uint32_t link_number, const WmNodeTile *target) {
  WmNodes *nodes = search->nodes;
  const WmLink *link = &tile->links[link_number];
  if (!wm_filter_passes(search->filter, target->tile->polygon_flags[link->polygon])) return WM_OK;
  const uint32_t number = wm_nodes_at(target, link->polygon, link->side);
  WmNode *node = wm_nodes_items(nodes) + number;
  const WmNode *from = wm_nodes_items(nodes) + from_number;
  const bool fresh = node->stamp != nodes->stamp;
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
  float cost = from->cost + wm_distance(from->position, node->position) * unit_cost;
  if (is_end(search, link->slot, link->polygon)) cost += cost_to_end(search, node);
  if (!fresh && !(cost + node->left < node->total)) return WM_OK;
  node->parent = from_number;
  return open_node(search, number, cost);
}

/* Follows all links of a node but the ones back to its parent's polygon. */
static WmStatus expand(Search *search, uint32_t number) {
  WmNodes *nodes = search->nodes;
  const WmNode *node = wm_nodes_items(nodes) + number, *parent = wm_nodes_items(nodes) + node->parent;
  const WmNodeTile *entry = (const WmNodeTile *)nodes->tiles.items + node->slot;
  const WmMeshTile *tile = entry->tile;
  const uint32_t polygon = node->polygon, parent_polygon = parent->polygon, parent_slot = parent->slot;
  const uint32_t end = tile->link_first[polygon + 1];
  const float unit_cost = wm_nodes_cost(nodes, entry, polygon);
  WmStatus status = WM_OK;
  for (uint32_t i = tile->link_first[polygon]; i < end && !status; i++) {
    const WmLink *link = &tile->links[i];
    if (link->polygon == parent_polygon && link->slot == parent_slot) continue;
    const WmNodeTile *target = wm_nodes_tile(nodes, link->slot);
    if (!target) return WM_ERROR_OUT_OF_MEMORY;
    status = follow(search, number, tile, unit_cost, i, target);
  }
  return status;
}

/* Everything that is left costs at least so much a unit. */
static float least_cost(const WmFilter *filter) {
  float least = filter->costs ? wm_costs_least(filter->costs) : 1;
  float area_least = 1;
  for (int i = 0; i < 64; i++)
    area_least = filter->area_costs[i] < area_least ? filter->area_costs[i] : area_least;
  return least * area_least;
}

static WmStatus start_search(Search *search, WmRef start, const float position[3]) {
  WmNodes *nodes = search->nodes;
  const uint32_t slot = wm_ref_slot(start), polygon = wm_ref_polygon(start);
  WmStatus status = wm_nodes_begin(nodes, search->filter);
  if (status) return status;
  const WmNodeTile *entry = wm_nodes_tile(nodes, slot);
  if (!entry) return WM_ERROR_OUT_OF_MEMORY;
  search->left_scale = HEURISTIC_SCALE * least_cost(search->filter);
  const uint32_t number = wm_nodes_at(entry, polygon, WM_TILE_SIDE_INSIDE);
  WmNode *node = wm_nodes_items(nodes) + number;
  memcpy(node->position, position, sizeof node->position);
  place_node(search, node, slot, polygon);
  node->parent = number;
  search->best = number;
  search->best_left = node->left;
  return open_node(search, number, is_end(search, slot, polygon) ? cost_to_end(search, node) : 0);
}

static WmStatus run(Search *search) {
  WmNodes *nodes = search->nodes;
  WmStatus status = WM_OK;
  for (uint32_t number; !status && (number = wm_nodes_pop(nodes)) != UINT32_MAX;) {
    const WmNode *node = wm_nodes_items(nodes) + number;
    search->taken++;
    if (is_end(search, node->slot, node->polygon)) {
      search->best = number;
      search->reached = true;
      return WM_OK;
    }
    status = expand(search, number);
  }
  return status;
}

/* ---- Writing the corridor ----------------------------------------------------------------------------- */

/* From the best node back to the start. */
static WM_COLD WmStatus write_corridor(const Search *search, WmQuery *query, WmCorridor *corridor) {
  const WmNode *nodes = wm_nodes_items(search->nodes), *node = nodes + search->best;
  size_t count = 1;
  for (; nodes + node->parent != node; node = nodes + node->parent) count++;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, count);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_POLYGONS].items;
  node = nodes + search->best;
  for (size_t i = count; i > 0; i--, node = nodes + node->parent) {
    polygons[i - 1] = wm_nodes_ref(search->nodes, node);
  }
  corridor->polygons = polygons;
  corridor->polygon_count = count;
  corridor->cost = nodes[search->best].cost;
  corridor->searched = search->taken;
  return WM_OK;
}

static WM_COLD void judge(const Search *search, WmCorridor *corridor) {
  const WmMeshTile *tile = wm_mesh_tile(search->nodes->mesh, search->end_slot);
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
                         const float end_position[3], const WmSearchOptions *options, WmCorridor *corridor) {
  memset(corridor, 0, sizeof *corridor);
  Search search = {.nodes = &query->nodes,
                   .filter = wm_query_filter(query, options->filter),
                   .end_slot = wm_ref_slot(end),
                   .end_polygon = wm_ref_polygon(end),
                   .max_nodes = options->max_nodes};
  memcpy(search.end, end_position, sizeof search.end);
  WmStatus status = start_search(&search, start, start_position);
  if (!status) status = run(&search);
  if (!status) status = write_corridor(&search, query, corridor);
  if (!status) judge(&search, corridor);
  return status;
}

WmStatus wm_query_find_corridor(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                                const float end_position[3], const WmSearchOptions *options,
                                WmCorridor *corridor) {
  *corridor = (WmCorridor){0};
  const WmSearchOptions standard = wm_search_options_default();
  if (!options) options = &standard;
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, start, "start");
  if (!status) status = wm_mesh_check_ref(query->context, query->mesh, end, "end");
  if (!status) status = wm_query_check_position(query->context, start_position, "startPosition");
  if (!status) status = wm_query_check_position(query->context, end_position, "endPosition");
  if (!status) status = wm_query_check_filter(query->context, options->filter);
  if (status) return status;
  return wm_query_search(query, start, start_position, end, end_position, options, corridor);
}
