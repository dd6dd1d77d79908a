/* Corridors: A* over polygons, from polygon to polygon through the middles of their edges.
 *
 * A polygon is a node (nodes.h), placed at the middle of the edge it is first reached by; ground polygons on
 * the side of a tile have four nodes, so that one place does not stand for crossings far apart. What is left
 * at least is the distance to the end times 0.999, or less where something costs less than 1 a unit. The open
 * list is a heap of (total, sequence); a node reached again on a cheaper way is pushed again, and its older
 * entry passed over. The result is that of Detour's search.
 *
 * A search is a state that takes up one polygon after the other (search_internal.h), all at once here, in
 * slices in slices.c.
 *
 * Sources: P. E. Hart, N. J. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum
 * Cost Paths", 1968; M. Mononen, Detour (2009-). */
#include "query/search_internal.h"

#define HEURISTIC_SCALE 0.999f

/* ---- Nodes -------------------------------------------------------------------------------------------- */

WM_INLINE bool is_end(const WmSearchState *state, uint32_t slot, uint32_t polygon) {
  return polygon == state->end_polygon && slot == state->end_slot;
}

/* The cost of what is left from a node of the end's polygon. */
static WM_COLD float cost_to_end(const WmSearchState *state, const WmNode *node) {
  const WmNodeTile *entry = (const WmNodeTile *)state->query->nodes.tiles.items + state->end_slot;
  return wm_distance(node->position, state->end) *
         wm_nodes_cost(&state->query->nodes, entry, state->end_polygon);
}

/* Fills in a node that this search has not met, but for its position, which is there. */
WM_INLINE void place_node(WmSearchState *state, WmNode *node, uint32_t slot, uint32_t polygon) {
  node->stamp = state->query->nodes.stamp;
  node->slot = slot;
  node->polygon = polygon;
  node->left = is_end(state, slot, polygon) ? 0 : wm_distance(node->position, state->end) * state->left_scale;
  state->touched++;
}

/* Opens a node at a cost; the open list has room. */
WM_INLINE void open_node(WmSearchState *state, WmNode *node, uint32_t number, float cost) {
  node->cost = cost;
  node->total = cost + node->left;
  if (node->left < state->best_left) {
    state->best_left = node->left;
    state->best = number;
  }
  wm_nodes_open(&state->query->nodes, node, number);
}

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* The node that is being expanded. */
typedef struct From {
  const WmMeshTile *tile;
  uint32_t number;
  float position[3];
  float cost, unit_cost;
  float least; /* what any way onwards costs: with shortcuts, that of the node before */
} From;

/* Follows a link of the node's polygon to `target`, the tile it leads to. */
WM_INLINE void follow(WmSearchState *state, const From *from, uint32_t link_number,
                      const WmNodeTile *target) {
  const WmLink *link = &from->tile->links[link_number];
  if (!wm_filter_passes(state->filter, target->tile->polygon_flags[link->polygon])) return;
  const uint32_t number = wm_nodes_at(target, link->polygon, link->side);
  WmNode *node = wm_nodes_items(&state->query->nodes) + number;
  const bool fresh = node->stamp != state->query->nodes.stamp;
  /* Steps cost nothing or more, and rounding keeps the order: no need to measure a step that cannot help. */
  if (!fresh && !(from->least + node->left < node->total)) return;
  if (fresh) {
    if (state->touched >= state->max_nodes) {
      state->limited = true;
      return;
    }
    const float *portal = from->tile->link_portals + 6 * (size_t)link_number;
    for (int axis = 0; axis < 3; axis++) node->position[axis] = (portal[axis] + portal[3 + axis]) * 0.5f;
    place_node(state, node, link->slot, link->polygon);
  }
  float cost = from->cost + wm_distance(from->position, node->position) * from->unit_cost;
  uint32_t parent = from->number;
  if (from->least < from->cost) wm_search_shorten(state, from->number, node, &cost, &parent);
  if (is_end(state, link->slot, link->polygon)) cost += cost_to_end(state, node);
  if (!fresh && !(cost + node->left < node->total)) return;
  node->parent = parent;
  open_node(state, node, number, cost);
}

/* Follows all links of a node but the ones back to its parent's polygon. */
static WmStatus expand(WmSearchState *state, uint32_t number) {
  WmNodes *nodes = &state->query->nodes;
  const WmNode *node = wm_nodes_items(nodes) + number, *parent = wm_nodes_items(nodes) + node->parent;
  const uint32_t slot = node->slot, polygon = node->polygon;
  const uint32_t parent_polygon = parent->polygon, parent_slot = parent->slot;
  const WmNodeTile *entry = (const WmNodeTile *)nodes->tiles.items + slot;
  const From from = {.tile = entry->tile,
                     .number = number,
                     .position = {node->position[0], node->position[1], node->position[2]},
                     .cost = node->cost,
                     .least = state->shortcuts ? parent->cost : node->cost,
                     .unit_cost = wm_nodes_cost(nodes, entry, polygon)};
  const uint32_t first = from.tile->link_first[polygon], end = from.tile->link_first[polygon + 1];
  const WmStatus status = wm_nodes_reserve_open(nodes, end - first);
  if (status) return status;
  for (uint32_t i = first; i < end; i++) {
    const WmLink *link = &from.tile->links[i];
    if (link->polygon == parent_polygon && link->slot == parent_slot) continue;
    const WmNodeTile *target = link->slot == slot ? entry : wm_nodes_tile(nodes, link->slot);
    if (!target) return WM_ERROR_OUT_OF_MEMORY;
    follow(state, &from, i, target);
  }
  return WM_OK;
}

WmStatus wm_search_run(WmSearchState *state, size_t budget) {
  WmNodes *nodes = &state->query->nodes;
  WmStatus status = WM_OK;
  for (; budget > 0 && !state->done && !status; budget--) {
    const uint32_t number = wm_nodes_pop(nodes);
    if (number == UINT32_MAX) {
      state->done = true;
      break;
    }
    const WmNode *node = wm_nodes_items(nodes) + number;
    state->taken++;
    if (!is_end(state, node->slot, node->polygon)) {
      status = expand(state, number);
      continue;
    }
    state->best = number;
    state->reached = true;
    state->done = !state->task->options.any_angle || state->shortcuts;
    if (!state->done) status = wm_search_start_shortcuts(state);
  }
  return status;
}

/* ---- Beginning ---------------------------------------------------------------------------------------- */

/* Everything that is left costs at least so much a unit. */
static float least_cost(const WmMesh *mesh, const WmFilter *filter) {
  const float least = filter->costs ? wm_costs_least(filter->costs) : 1;
  float area_least = 1;
  for (int i = 0; i < 64; i++)
    area_least = filter->area_costs[i] < area_least ? filter->area_costs[i] : area_least;
  return least * area_least * wm_mesh_least_cost(mesh);
}

WmStatus wm_search_start(WmQuery *query, const WmSearchTask *task, WmSearchState *state) {
  WmNodes *nodes = &query->nodes;
  const uint32_t slot = wm_ref_slot(task->start), polygon = wm_ref_polygon(task->start);
  *state = (WmSearchState){.query = query,
                           .task = task,
                           .filter = task->options.filter,
                           .left_scale = HEURISTIC_SCALE * least_cost(query->mesh, task->options.filter),
                           .end_slot = wm_ref_slot(task->end),
                           .end_polygon = wm_ref_polygon(task->end),
                           .max_nodes = task->options.max_nodes ? task->options.max_nodes : SIZE_MAX,
                           .best_left = INFINITY};
  memcpy(state->end, task->end_position, sizeof state->end);
  WmStatus status = wm_nodes_begin(nodes, state->filter);
  if (!status) status = wm_nodes_reserve_open(nodes, 1);
  if (status) return status;
  const WmNodeTile *entry = wm_nodes_tile(nodes, slot);
  if (!entry) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t number = wm_nodes_at(entry, polygon, WM_TILE_SIDE_INSIDE);
  WmNode *node = wm_nodes_items(nodes) + number;
  memcpy(node->position, task->start_position, sizeof node->position);
  place_node(state, node, slot, polygon);
  node->parent = state->best = number;
  open_node(state, node, number, is_end(state, slot, polygon) ? cost_to_end(state, node) : 0);
  return WM_OK;
}

/* ---- Writing the corridor ----------------------------------------------------------------------------- */

/* Whether the corridor to a node leads to the end, and why not. */
static WM_COLD void judge(const WmSearchState *state, const WmNode *node, WmCorridor *corridor) {
  const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, state->end_slot);
  if (is_end(state, node->slot, node->polygon)) {
    corridor->state = WM_PATH_COMPLETE;
    corridor->reason = state->done ? WM_PATH_REASON_NONE : WM_PATH_REASON_UNFINISHED;
  } else if (!wm_filter_passes(state->filter, tile->polygon_flags[state->end_polygon])) {
    corridor->state = WM_PATH_UNREACHABLE;
    corridor->reason = WM_PATH_REASON_END_EXCLUDED;
  } else if (state->reached || !state->done) {
    corridor->state = WM_PATH_PARTIAL;
    corridor->reason = WM_PATH_REASON_UNFINISHED;
  } else {
    corridor->state = state->limited ? WM_PATH_PARTIAL : WM_PATH_UNREACHABLE;
    corridor->reason = state->limited ? WM_PATH_REASON_NODE_LIMIT : WM_PATH_REASON_NOT_CONNECTED;
  }
}

/* From the node back to the start. */
WM_COLD WmStatus wm_search_write(const WmSearchState *state, uint32_t number, WmCorridor *corridor) {
  WmQuery *query = state->query;
  const WmNode *nodes = wm_nodes_items(&query->nodes), *last = nodes + number, *node = last;
  size_t count = 1;
  for (; nodes + node->parent != node; node = nodes + node->parent) count++;
  *corridor = (WmCorridor){.cost = last->cost, .polygon_count = count, .searched = state->taken};
  judge(state, last, corridor);
  if (state->shortcuts) return wm_search_write_shortcuts(state, number, corridor);
  const WmStatus status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, count);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_POLYGONS].items;
  node = last;
  for (size_t i = count; i > 0; i--, node = nodes + node->parent) {
    polygons[i - 1] = wm_nodes_ref(&query->nodes, node);
  }
  corridor->polygons = polygons;
  return WM_OK;
}

WmStatus wm_search_answer(const WmSearchState *state, WmCorridor *corridor) {
  const WmStatus status =
      state->shortcuts ? wm_search_choose(state, corridor) : wm_search_write(state, state->best, corridor);
  if (status) *corridor = (WmCorridor){0};
  return status;
}

/* ---- The question ------------------------------------------------------------------------------------- */

WmStatus wm_search_check_options(const WmQuery *query, const WmSearchOptions *options) {
  const WmStatus status = wm_query_check_filter(query->context, options->filter);
  return status ? status : wm_query_check_numbers(query->context, &options->ray_limit, 1, 0, "rayLimit");
}

WmSearchTask wm_search_task(const WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                            const float end_position[3], const WmSearchOptions *options) {
  WmSearchTask task = {.start = start, .end = end, .options = *options};
  memcpy(task.start_position, start_position, sizeof task.start_position);
  memcpy(task.end_position, end_position, sizeof task.end_position);
  task.options.filter = wm_query_filter(query, options->filter);
  return task;
}

WmStatus wm_search_check(const WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmSearchOptions *options, WmSearchTask *task) {
  const WmSearchOptions standard = wm_search_options_default();
  if (!options) options = &standard;
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, start, "start");
  if (!status) status = wm_mesh_check_ref(query->context, query->mesh, end, "end");
  if (!status) status = wm_query_check_position(query->context, start_position, "startPosition");
  if (!status) status = wm_query_check_position(query->context, end_position, "endPosition");
  if (!status) status = wm_search_check_options(query, options);
  if (!status) *task = wm_search_task(query, start, start_position, end, end_position, options);
  return status;
}

WmStatus wm_query_search(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor) {
  WmSearchState state;
  WmStatus status = wm_search_start(query, task, &state);
  if (!status) status = wm_search_run(&state, SIZE_MAX);
  if (!status) return wm_search_answer(&state, corridor);
  *corridor = (WmCorridor){0};
  return status;
}

WmStatus wm_query_find_corridor(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                                const float end_position[3], const WmSearchOptions *options,
                                WmCorridor *corridor) {
  *corridor = (WmCorridor){0};
  WmSearchTask task;
  const WmStatus status = wm_search_check(query, start, start_position, end, end_position, options, &task);
  return status ? status : wm_query_search(query, &task, corridor);
}
