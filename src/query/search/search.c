/* Corridors: A* over polygons, through the midpoints of their edges.
 *
 * A polygon is a node (nodes.h), at the midpoint of the edge it is first reached by; ground polygons on the
 * side of a tile have four nodes, so that one position doesn't stand for crossings far apart. The lower bound
 * of the rest is the distance to the end times 0.999, or less where a unit can cost less than 1. The open
 * list is a heap of (total, sequence); a node that is reached again at less cost is pushed again, and its
 * older entry skipped. The result is that of Detour's search.
 *
 * A segment link has a node for each polygon that it is entered from, at the point of its open interval nearest to where
 * the path comes from. The path leaves it at the same position across; where that isn't open, it shifts along the near
 * segment first.
 *
 * A search is a state that expands one polygon after another (search_internal.h); sliced_search.c divides it.
 *
 * Sources: P. E. Hart, N. J. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum
 * Cost Paths", 1968; M. Mononen, Detour (2009-). */
#include "base/debug/assert.h"
#include "base/simd.h"
#include "mesh/links/link_crossing.h"
#include "mesh/locate.h"
#include "query/room/room.h"
#include "query/search/search_internal.h"

#define HEURISTIC_SCALE 0.999f

/* ---- Nodes -------------------------------------------------------------------------------------------- */

WM_INLINE bool is_end(const WmSearchState *state, uint32_t slot, uint32_t polygon) {
  return polygon == state->end_polygon && slot == state->end_slot;
}

/* The cost from a node of the end's polygon to the end. */
static WM_COLD float cost_to_end(const WmSearchState *state, const WmNode *node, uint32_t number) {
  const WmNodeTile *entry = (const WmNodeTile *)state->query->nodes.tiles.items + state->end_slot;
  const float wall_cost = state->task->options.wall_cost;
  const float cost = wm_distance(node->position, state->end) *
                     wm_nodes_cost(&state->query->nodes, entry, state->end_polygon);
  if (!(wall_cost * 0.5f > 0)) return cost; /* half of the least number is 0: start_from */
  return cost * (1 + wall_cost * ((const float *)state->query->arrays[WM_QUERY_NEARNESS].items)[number]);
}

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* WmNode.way: the link that leads from the parent's polygon to the node's, counted in their tile, and in the lowest 8
 * bits the link that leads back, counted from the first one of the node's polygon. So a node's expansion knows which
 * link leads back without looking: it can't be predicted which one it is. */
#define NO_WAY \
  UINT32_MAX /* another tile; a straight line over several polygons; or more links join both polygons */

WM_INLINE uint32_t make_way(uint32_t link, uint32_t back) {
  return back == WM_NO_BACK ? NO_WAY : link << 8 | back;
}

/* The arrays of a tile that links into it need. */
typedef struct Target {
  const uint16_t *flags;
  const uint32_t *state_first;
  uint32_t first_node;
} Target;

WM_INLINE Target target_of(const WmNodeTile *entry) {
  return (Target){entry->tile->polygon_flags, entry->tile->state_first, entry->first_node};
}

/* The node that is being expanded, its tile, which is often that of the node before, and the constants of a
 * search: copies, as the compiler must assume that writing to a node changes the originals. */
typedef struct From {
  const WmMeshTile *tile;
  const float *factors; /* of the tile's polygons */
  Target inside;
  WmNode *items;
  uint32_t number, slot;
  float position[3];
  float cost, unit_cost;
  float least; /* lower bound of the cost of any next node: with shortcuts, that of the parent */
  uint32_t stamp;
  uint16_t include_flags, exclude_flags;
  uint32_t end_slot, end_polygon;
  float end[3];
  float left_scale;
  float wall_cost; /* half of it, as it is multiplied by the sum of both ends */
} From;

static From start_from(const WmSearchState *state) {
  return (From){.slot = UINT32_MAX,
                .stamp = state->query->nodes.stamp,
                .include_flags = state->filter->include_flags,
                .exclude_flags = state->filter->exclude_flags,
                .end_slot = state->end_slot,
                .end_polygon = state->end_polygon,
                .end = {state->end[0], state->end[1], state->end[2]},
                .left_scale = state->left_scale,
                .wall_cost = state->task->options.wall_cost * 0.5f};
}

/* How near walls are to nodes: with wall_cost only. */
static float *nearness_of(const WmSearchState *state) {
  return state->query->arrays[WM_QUERY_NEARNESS].items;
}

static WM_COLD WmStatus reserve_nearness(const WmSearchState *state) {
  const size_t count = state->query->nodes.node_count;
  return wm_query_reserve(state->query, WM_QUERY_NEARNESS, WM_QUERY_NEARNESS, count);
}

static WM_COLD void measure_nearness(const WmSearchState *state, const WmMeshTile *tile, const WmNode *node,
                                     uint32_t number) {
  nearness_of(state)[number] = wm_room_nearness(state->query->mesh, state->filter, tile, node->polygon,
                                                node->position, state->task->options.wall_distance);
}

/* The cost of a step to a node, with that of walls near both ends. */
static WM_COLD float add_wall_cost(const WmSearchState *state, const From *from, uint32_t number, bool fresh,
                                   float step) {
  const WmNode *node = from->items + number;
  if (fresh) measure_nearness(state, wm_mesh_tile(state->query->mesh, node->slot), node, number);
  const float *nearness = nearness_of(state);
  return step * (1 + from->wall_cost * (nearness[from->number] + nearness[number]));
}

/* Makes a new node at a position, unless its polygon doesn't pass the filter, or there are enough nodes. Only new nodes are
 * tested: others have passed the filter. */
WM_INLINE bool meet(WmSearchState *state, const From *from, uint32_t link_number,
                    const uint16_t *target_flags, WmNode *node, const float position[3]) {
  const WmLink *link = from->tile->links + link_number;
  const uint16_t flags = target_flags[link->polygon];
  if ((flags & from->include_flags) == 0 || (flags & from->exclude_flags) != 0) {
    wm_query_note(state->query, WM_TRACE_FILTERED, from->tile, from->items[from->number].polygon,
                  link_number);
    return false;
  }
  if (state->touched >= state->max_nodes) {
    state->limited = true;
    wm_query_note(state->query, WM_TRACE_LIMITED, from->tile, from->items[from->number].polygon, link_number);
    return false;
  }
  state->touched++;
  const bool is_last = link->polygon == from->end_polygon && link->slot == from->end_slot;
  memcpy(node->position, position, sizeof node->position);
  node->left = is_last ? 0 : wm_distance(position, from->end) * from->left_scale;
  node->stamp = from->stamp;
  node->slot = link->slot;
  node->polygon = link->polygon;
  return true;
}

/* Follows a link of the node's polygon. */
WM_INLINE void follow(WmSearchState *state, const From *from, uint32_t link_number, Target target) {
  const WmLink *link = from->tile->links + link_number;
  const uint32_t polygon = link->polygon, slot = link->slot;
  const uint32_t number = target.first_node + wm_nodes_state(target.state_first + polygon, link->side);
  WmNode *node = from->items + number;
  const bool fresh = node->stamp != from->stamp;
  const bool is_last = polygon == from->end_polygon && slot == from->end_slot;
  float position[3], left;
  if (fresh) {
    memcpy(position, link->middle, sizeof position);
    if (!meet(state, from, link_number, target.flags, node, position)) return;
    left = node->left;
  } else {
    left = node->left;
    /* Costs are 0 or more, and rounding keeps the order: steps that can't improve it aren't measured. */
    if (!(from->least + left < node->total)) return;
    memcpy(position, node->position, sizeof position);
  }
  float step = wm_distance(from->position, position) * from->unit_cost;
  if (from->wall_cost > 0) step = add_wall_cost(state, from, number, fresh, step);
  float cost = from->cost + step;
  uint32_t parent = from->number;
  if (from->least < from->cost) wm_search_shorten(state, from->number, node, &cost, &parent);
  if (is_last) cost += cost_to_end(state, node, number);
  const float total = cost + left;
  if (!fresh && !(total < node->total)) return;
  node->parent = parent;
  node->way = parent == from->number ? make_way(link_number, from->tile->link_backs[link_number]) : NO_WAY;
  node->cost = cost;
  node->total = total;
  const bool is_nearer = left < state->best_left;
  state->best_left = is_nearer ? left : state->best_left;
  state->best = is_nearer ? number : state->best;
  wm_nodes_open(&state->query->nodes, node, number);
}

/* ---- Segment links ------------------------------------------------------------------------------------ */

/* The cost of a world unit in the polygon that a node on a segment link was entered from. */
static float unit_cost_before(const WmSearchState *state, const WmNode *node) {
  const WmNodes *nodes = &state->query->nodes;
  const WmNode *before = wm_nodes_items(nodes) + node->parent;
  return wm_nodes_cost(nodes, (const WmNodeTile *)nodes->tiles.items + before->slot, before->polygon);
}

/* A step onto a segment link: to the nearest point of the tie.
 * in/out     position: of the node, unless it is new */
static float step_onto(const From *from, const WmLink *link, const WmMeshTile *set, bool fresh,
                       float position[3]) {
  const WmLinkTie *tie = wm_link_entry_tie(set, link);
  const WmLinkCrossing crossing = {&set->segments[link->polygon], tie->end, tie->low, tie->high};
  if (fresh) {
    wm_link_crossing_point(&crossing, 0, wm_link_crossing_nearest(&crossing, 0, from->position), position);
  }
  return wm_distance(from->position, position) * from->unit_cost;
}

/* The crossing from a node on a segment link over one of its links.
 * returns    false: it can't be crossed there from where the node was entered */
static bool find_crossing(const From *from, const WmLink *link, WmLinkCrossing *crossing) {
  const WmMeshTile *set = from->tile;
  const uint32_t number = from->items[from->number].polygon;
  const uint32_t state = from->number - from->inside.first_node - set->state_first[number];
  /* State 0: the search started on the link. */
  const WmLinkTie *entry = state ? &set->ties[set->tie_first[number] + state - 1] : NULL;
  return wm_link_crossing_between(set, number, entry, wm_link_exit_tie(set, number, link), crossing);
}

/* A step off a segment link: along its near segment to where it can be crossed, over it, and on to the node unless that is
 * new. */
static float step_off(const WmSearchState *state, const From *from, const WmLinkCrossing *crossing,
                      const WmNodeTile *target, uint32_t polygon, bool fresh, float position[3]) {
  float landing[3];
  const WmNode *node = from->items + from->number;
  const float shift = wm_link_crossing_land(crossing, from->position, landing);
  float step = crossing->link->cost * from->unit_cost;
  if (node->parent != from->number) step += shift * unit_cost_before(state, node);
  if (fresh) {
    memcpy(position, landing, sizeof landing);
    return step;
  }
  return step + wm_distance(landing, position) * wm_nodes_cost(&state->query->nodes, target, polygon);
}

/* Follows a link onto or off a segment link. */
static WM_COLD void follow_segment_link(WmSearchState *state, const From *from, uint32_t link_number,
                                        const WmNodeTile *target) {
  const WmLink *link = from->tile->links + link_number;
  const bool is_entry = target->tile->segments != NULL;
  const uint32_t number = wm_nodes_at(target, link->polygon, link->side);
  WmNode *node = from->items + number;
  const bool fresh = node->stamp != from->stamp;
  WmLinkCrossing crossing;
  if (!is_entry && !find_crossing(from, link, &crossing)) return;
  float position[3];
  memcpy(position, node->position, sizeof position);
  float step = is_entry ? step_onto(from, link, target->tile, fresh, position)
                        : step_off(state, from, &crossing, target, link->polygon, fresh, position);
  if (fresh && !meet(state, from, link_number, target->tile->polygon_flags, node, position)) return;
  if (from->wall_cost > 0) {
    if (is_entry) {
      step = add_wall_cost(state, from, number, fresh, step);
    } else if (fresh) {
      measure_nearness(state, target->tile, node, number);
    }
  }
  float cost = from->cost + step;
  uint32_t parent = from->number;
  if (from->least < from->cost) wm_search_shorten(state, from->number, node, &cost, &parent);
  if (link->polygon == from->end_polygon && link->slot == from->end_slot)
    cost += cost_to_end(state, node, number);
  const float total = cost + node->left;
  if (!fresh && !(total < node->total)) return;
  node->parent = parent;
  node->way = NO_WAY;
  node->cost = cost;
  node->total = total;
  if (!is_entry && node->left < state->best_left) { /* no path ends on a link because its end is nearer */
    state->best_left = node->left;
    state->best = number;
  }
  wm_nodes_open(&state->query->nodes, node, number);
}

/* ---- One node ----------------------------------------------------------------------------------------- */

/* True if the nodes of a slot are on segment links: agents may go over a link and back, to other ground. */
static WM_COLD bool is_on_segment_link(const WmNodes *nodes, uint32_t slot) {
  return ((const WmNodeTile *)nodes->tiles.items)[slot].tile->segments != NULL;
}

/* Makes `from` the node `number`. */
WM_INLINE void start_node(const WmSearchState *state, From *from, uint32_t number) {
  const WmNode *node = from->items + number;
  if (node->slot != from->slot) {
    const WmNodeTile *entry = (const WmNodeTile *)state->query->nodes.tiles.items + node->slot;
    from->slot = node->slot;
    from->tile = entry->tile;
    from->factors = entry->factors;
    from->inside = target_of(entry);
  }
  from->number = number;
  memcpy(from->position, node->position, sizeof from->position);
  from->cost = node->cost;
  from->least = state->shortcuts ? from->items[node->parent].cost : node->cost;
  from->unit_cost = wm_filter_unit_cost_with(state->filter, from->tile, from->factors, node->polygon);
}

/* Follows all links of a node except those back to its parent's polygon. */
WM_INLINE WmStatus expand(WmSearchState *state, From *from, uint32_t number) {
  WmNodes *nodes = &state->query->nodes;
  from->items = wm_nodes_items(nodes);
  start_node(state, from, number);
  const WmNode *node = from->items + number, *parent = from->items + node->parent;
  wm_query_note(state->query, WM_TRACE_EXPANDED, from->tile, node->polygon, 0);
  const uint32_t parent_slot = parent->slot, parent_polygon = parent->polygon;
  const bool has_way = node->way != NO_WAY;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): start_node sets the tile */
  const uint32_t first = from->tile->link_first[node->polygon],
                 end = from->tile->link_first[node->polygon + 1];
  const uint32_t back = has_way ? first + (node->way & 255) : UINT32_MAX;
  const WmStatus status = wm_nodes_reserve_open(nodes, end - first);
  if (status) return status;
  for (uint32_t i = first + (first == back); i < end; i += 1 + (i + 1 == back)) {
    const WmLink *link = from->tile->links + i;
    if (!has_way && link->polygon == parent_polygon && link->slot == parent_slot &&
        !is_on_segment_link(nodes, parent_slot)) {
      continue;
    }
    Target target = from->inside;
    if (link->slot != from->slot) {
      const WmNodeTile *entry = wm_nodes_tile(nodes, link->slot);
      if (!entry) return WM_ERROR_OUT_OF_MEMORY;
      target = target_of(entry);
      from->items = wm_nodes_items(nodes);
      if (from->wall_cost > 0 && reserve_nearness(state)) return WM_ERROR_OUT_OF_MEMORY;
      if (entry->tile->segments || from->tile->segments) {
        follow_segment_link(state, from, i, entry);
        continue;
      }
    }
    follow(state, from, i, target);
  }
  return WM_OK;
}

WmStatus wm_search_go_on(WmSearchState *state) {
  const WmSearchOptions *options = &state->task->options;
  state->first_expanded = state->expanded;
  state->first_limited = state->limited;
  state->done = state->shortcuts || !(options->any_angle || options->shortest);
  if (state->done) return WM_OK;
  return options->shortest ? wm_search_start_cones(state) : wm_search_start_shortcuts(state);
}

WmStatus wm_search_run(WmSearchState *state, size_t budget) {
  WmNodes *nodes = &state->query->nodes;
  From from = start_from(state);
  WmStatus status = WM_OK;
  for (; budget > 0 && !state->done && !status && !state->is_in_cones; budget--) {
    const uint32_t number = wm_nodes_pop(nodes);
    if (number == UINT32_MAX) {
      state->done = true;
      break;
    }
    const WmNode *node = wm_nodes_items(nodes) + number;
    state->expanded++;
    if (!is_end(state, node->slot, node->polygon)) {
      status = expand(state, &from, number);
      continue;
    }
    state->best = number;
    state->reached = true;
    status = wm_search_go_on(state);
    from = start_from(state);
  }
  return status || !state->is_in_cones ? status : wm_search_run_cones(state, budget);
}

/* ---- Starting ----------------------------------------------------------------------------------------- */

/* The lowest cost of a world unit in any polygon, at most 1. Without that limit, a filter whose costs are all 2 would
 * expand a third fewer polygons, but 2 to 10 % of its corridors on levels of games would be others than Detour's, some of
 * them dearer: a polygon stands where it was first reached, and another order reaches it elsewhere. */
WM_INLINE float least_cost(const WmMesh *mesh, const WmFilter *filter) {
  WmFloat4 least = wm_splat_float4(1);
  for (int i = 0; i < 64; i += 4) least = wm_min_float4(least, wm_load_float4(filter->area_costs + i));
  float lanes[4];
  wm_store_float4(lanes, least);
  for (int i = 1; i < 4; i++) lanes[0] = lanes[i] < lanes[0] ? lanes[i] : lanes[0];
  const float factor = filter->costs ? wm_costs_least(filter->costs) : 1;
  return factor * lanes[0] * wm_mesh_least_cost(mesh);
}

float wm_search_left_scale(const WmMesh *mesh, const WmFilter *filter) {
  return HEURISTIC_SCALE * least_cost(mesh, filter);
}

WmStatus wm_search_start(WmQuery *query, const WmSearchTask *task, WmSearchState *state) {
  WmNodes *nodes = &query->nodes;
  const uint32_t slot = wm_ref_slot(task->start), polygon = wm_ref_polygon(task->start);
  *state = (WmSearchState){
      .query = query,
      .task = task,
      .filter = task->options.filter,
      .left_scale = wm_search_left_scale(query->mesh, task->options.filter),
      .end_slot = wm_ref_slot(task->end),
      .end_polygon = wm_ref_polygon(task->end),
      .max_nodes = task->options.max_nodes ? task->options.max_nodes : SIZE_MAX,
  };
  memcpy(state->end, task->end_position, sizeof state->end);
  WmStatus status = wm_nodes_begin(nodes, state->filter);
  if (!status) status = wm_nodes_reserve_open(nodes, 1);
  if (status) return status;
  const WmNodeTile *entry = wm_nodes_tile(nodes, slot);
  if (!entry) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t number = wm_nodes_at(entry, polygon, WM_TILE_SIDE_INSIDE);
  WmNode *node = wm_nodes_items(nodes) + number;
  const bool is_last = is_end(state, slot, polygon);
  *node = (WmNode){.stamp = nodes->stamp, .parent = number, .way = NO_WAY, .slot = slot, .polygon = polygon};
  memcpy(node->position, task->start_position, sizeof node->position);
  node->left = is_last ? 0 : wm_distance(node->position, state->end) * state->left_scale;
  if (task->options.wall_cost > 0) {
    status = reserve_nearness(state);
    if (status) return status;
    measure_nearness(state, entry->tile, node, number);
  }
  node->cost = is_last ? cost_to_end(state, node, number) : 0;
  node->total = node->cost + node->left;
  state->touched = 1;
  state->best = number;
  state->best_left = node->left;
  wm_nodes_open(nodes, node, number);
  return WM_OK;
}

/* ---- Writing the corridor ----------------------------------------------------------------------------- */

/* Sets state and reason of the corridor to a node. */
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

WM_COLD WmStatus wm_search_write(const WmSearchState *state, uint32_t number, WmCorridor *corridor) {
  WmQuery *query = state->query;
  const WmNode *const nodes = wm_nodes_items(&query->nodes), *const last = nodes + number, *node = last;
  size_t count = 1;
  for (; nodes + node->parent != node; node = nodes + node->parent) count++;
  /* Lengths overflow where vertices are 1e38 apart. */
  const float cost = isnan(last->cost) ? INFINITY : last->cost;
  *corridor = (WmCorridor){.cost = cost, .polygon_count = count, .searched = state->expanded};
  judge(state, last, corridor);
  if (state->shortcuts) return wm_search_write_shortcuts(state, number, corridor);
  const WmStatus status = wm_query_reserve(query, WM_QUERY_LINKS, WM_QUERY_POLYGONS, count);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_POLYGONS].items;
  uint32_t *links = query->arrays[WM_QUERY_LINKS].items, next_way = NO_WAY;
  node = last;
  for (size_t i = count; i > 0; i--, node = nodes + node->parent) {
    polygons[i - 1] = wm_nodes_ref(&query->nodes, node);
    links[i - 1] = next_way == NO_WAY ? WM_NO_LINK : next_way >> 8;
    next_way = node->way;
  }
  corridor->polygons = polygons;
  WM_VALIDATE(wm_search_validate(query->mesh, corridor));
  return WM_OK;
}

WmStatus wm_search_result(const WmSearchState *state, WmCorridor *corridor) {
  const WmStatus status = state->shortcuts || state->is_in_cones
                              ? wm_search_choose(state, corridor)
                              : wm_search_write(state, state->best, corridor);
  if (status) *corridor = (WmCorridor){0};
  return status;
}

WmStatus wm_search_measure(const WmSearchState *state, const WmRef *polygons, const uint32_t *links,
                           size_t polygon_count, float least, float *cost) {
  return wm_query_measure_linked(state->query, state->task->start_position, state->task->end_position,
                                 polygons, links, polygon_count, state->filter, least, cost);
}

WmStatus wm_search_keep(WmSearchState *state) {
  WmQuery *query = state->query;
  const WmSearchTask *task = state->task;
  query->string_length = 0;
  WmCorridor former;
  WmStatus status = wm_search_write(state, state->best, &former);
  if (!status) {
    status =
        wm_search_measure(state, former.polygons, query->arrays[WM_QUERY_LINKS].items, former.polygon_count,
                          task->options.shortest ? 0 : WM_NOT_SHORTEST, &former.cost);
  }
  if (!status) status = wm_query_reserve(query, WM_QUERY_FORMER, WM_QUERY_FORMER, former.polygon_count);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_FORMER].items;
  memcpy(polygons, former.polygons, former.polygon_count * sizeof *polygons);
  former.polygons = polygons;
  state->former = former;
  return WM_OK;
}

/* ---- The query ---------------------------------------------------------------------------------------- */

WmStatus wm_search_check_options(const WmQuery *query, const WmSearchOptions *options) {
  WmContext *context = query->context;
  WmStatus status = wm_query_check_filter(context, options->filter);
  if (!status) status = wm_query_check_numbers(context, &options->ray_limit, 1, 0, "rayLimit");
  return status ? status : wm_room_check(query, options);
}

WmSearchTask wm_search_task(const WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                            const float end_position[3], const WmSearchOptions *options) {
  WmSearchTask task = {.start = start, .end = end, .options = *options};
  memcpy(task.start_position, start_position, sizeof task.start_position);
  memcpy(task.end_position, end_position, sizeof task.end_position);
  task.options.filter = wm_query_filter(query, options->filter);
  return task;
}

/* Moves an end of an exact shortest path onto its polygon, as that of its string: beside it, some portals would seem to be passed the
 * other way round. */
static void clamp_end(const WmMesh *mesh, WmRef polygon, float position[3]) {
  float clamped[3];
  wm_tile_closest_point(wm_mesh_tile_of(mesh, polygon), wm_ref_polygon(polygon), position, false, clamped);
  memcpy(position, clamped, sizeof clamped);
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
  if (status) return status;
  *task = wm_search_task(query, start, start_position, end, end_position, options);
  if (!options->shortest) return WM_OK;
  clamp_end(query->mesh, start, task->start_position);
  clamp_end(query->mesh, end, task->end_position);
  return WM_OK;
}

WmStatus wm_query_search(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor) {
  if (task->options.shortest) return wm_search_shortest(query, task, corridor);
  WmSearchState state;
  WmStatus status = wm_search_start(query, task, &state);
  if (!status) status = wm_search_run(&state, SIZE_MAX);
  if (!status) return wm_search_result(&state, corridor);
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
