/* The search over entrances: A* whose steps are the costs of a cluster, from the entry across which it was entered to the
 * other entries of its list.
 *
 * Within a block, steps are those of its children. Between two tiles, each step is that of the largest cluster that isn't
 * near the start or the end: near both ends tiles, farther away larger and larger blocks. An entrance that isn't in the list
 * of the cluster behind it leads nowhere: its stand-in is (blocks.c), and the search reaches it, because a block is never
 * used within one that is too near.
 *
 * The estimate of the rest is the straight distance, times a factor between tiles (graph_detour.c); 0 in searches for all entries of a
 * block.
 *
 * Source: D. Delling, A. V. Goldberg, T. Pajor, R. F. Werneck, "Customizable Route Planning", 2011. */
#include "base/heap.h"
#include "query/tile_graph/tile_graph_internal.h"

/* ---- Steps -------------------------------------------------------------------------------------------- */

/* The place of the end in the costs of a search. */
enum { END_PLACE = 0 };

void wm_walk_free(WmContext *context, WmWalk *walk) {
  wm_block_free(context, walk->steps.items);
  wm_block_free(context, walk->keys.items);
  wm_block_free(context, walk->costs.items);
  *walk = (WmWalk){0};
}

/* Reserves memory for `more` steps. */
static WmStatus reserve(WmContext *context, WmWalk *walk, size_t more) {
  if (walk->step_count + more <= walk->steps.capacity &&
      walk->heap_count + more + WM_HEAP_MARGIN <= walk->keys.capacity)
    return WM_OK;
  const WmStatus status =
      wm_buffer_reserve(context, &walk->steps, walk->step_count + more, sizeof(WmWalkStep));
  if (status) return status;
  return wm_buffer_reserve(context, &walk->keys, walk->heap_count + more + WM_HEAP_MARGIN, sizeof(uint64_t));
}

static WmStatus begin(WmTileGraph *graph, WmWalk *walk) {
  if (++graph->met == 0) {
    for (uint32_t i = 0; i < graph->cluster_count; i++) wm_graph_clusters(graph)[i].met = 0;
    graph->met = 1;
  }
  walk->step_count = walk->heap_count = walk->expanded = 0;
  walk->has_expanded = false;
  WmStatus status = reserve(graph->context, walk, 1);
  if (!status) status = wm_buffer_reserve(graph->context, &walk->costs, END_PLACE + 1, sizeof(float));
  if (status) return status;
  wm_heap_clear(walk->keys.items);
  ((float *)walk->costs.items)[END_PLACE] = INFINITY;
  walk->cost_count = END_PLACE + 1;
  return WM_OK;
}

/* Adds a step; memory must be reserved.
 * in         left: estimate of the rest */
static void add(WmWalk *walk, WmWalkStep step, float left) {
  const uint32_t number = (uint32_t)walk->step_count++;
  ((WmWalkStep *)walk->steps.items)[number] = step;
  const uint64_t key = wm_heap_key(step.cost + left, number);
  if (walk->has_expanded) {
    wm_heap_replace(walk->keys.items, walk->heap_count, key);
  } else {
    wm_heap_push(walk->keys.items, &walk->heap_count, key);
  }
  walk->has_expanded = false;
}

static float cost_at(const WmWalk *walk, uint32_t place) { return ((const float *)walk->costs.items)[place]; }

/* The best step, which is expanded next; WM_NONE: none is left. */
static uint32_t pop(WmWalk *walk) {
  uint64_t *keys = walk->keys.items;
  if (walk->has_expanded) wm_heap_remove(keys, &walk->heap_count);
  for (; walk->heap_count > 0; wm_heap_remove(keys, &walk->heap_count)) {
    const uint32_t number = (uint32_t)keys[0];
    const WmWalkStep *step = wm_walk_step(walk, number);
    walk->has_expanded = !(cost_at(walk, step->place) < step->cost);
    walk->expanded += walk->has_expanded;
    if (walk->has_expanded) return number;
  }
  return WM_NONE;
}

/* ---- Within a block ----------------------------------------------------------------------------------- */

/* Lower bound of the cost from an entry to the goal of a search within a block. */
static float find_left_within(const WmTileGraph *graph, uint32_t goal, uint32_t entry, float least) {
  return goal == WM_NONE
             ? 0
             : wm_distance(wm_graph_entrance(graph, entry)->point, wm_graph_entrance(graph, goal)->point) *
                   least;
}

/* Follows the costs of a child. Entries on the block's border end there.
 * in         least: lower bound of the cost of a unit */
static WmStatus expand_within(WmTileGraph *graph, uint32_t block, uint32_t parent, uint32_t goal,
                              float least) {
  const uint32_t level = wm_graph_clusters(graph)[block].level;
  WmWalk *walk = &graph->inner;
  const WmWalkStep step = *wm_walk_step(walk, parent);
  const uint32_t number = wm_graph_ancestor(graph, wm_graph_side(graph, step.entry), level - 1);
  const WmCluster *child = wm_graph_clusters(graph) + number;
  const uint32_t *list = wm_graph_list(graph, child),
                 from = wm_graph_index_of(list, child->count, step.entry);
  if (from == child->count) return WM_OK;
  WmStatus status = reserve(graph->context, walk, child->count);
  WmImproved improved;
  if (!status) status = wm_walk_improve(graph, walk, number, from, step.cost, &improved);
  for (size_t k = 0; !status && k < improved.count; k++) {
    const uint32_t exit = list[improved.indices[k]], place = improved.first_place + improved.indices[k];
    const bool is_inner = wm_graph_ancestor(graph, wm_graph_side(graph, exit ^ 1), level) == block;
    const bool leads_on =
        is_inner ? wm_graph_can_cross(wm_graph_entrance(graph, exit), exit & 1) : exit == goal;
    if (!leads_on) continue;
    const uint32_t next = is_inner ? exit ^ 1 : exit;
    add(walk, (WmWalkStep){next, parent, place, cost_at(walk, place)},
        find_left_within(graph, goal, next, least));
  }
  return status;
}

WmStatus wm_walk_within(WmTileGraph *graph, uint32_t block, uint32_t source, uint32_t goal, float most,
                        uint32_t *reached) {
  *reached = WM_NONE;
  WmWalk *walk = &graph->inner;
  const uint32_t level = wm_graph_clusters(graph)[block].level;
  const float least = goal == WM_NONE ? 0 : wm_graph_least_cost(graph);
  const WmStatus begun = begin(graph, walk);
  if (begun) return begun;
  WmCluster *child =
      wm_graph_clusters(graph) + wm_graph_ancestor(graph, wm_graph_side(graph, source), level - 1);
  const uint32_t at = wm_graph_index_of(wm_graph_list(graph, child), child->count, source);
  float *costs = wm_walk_meet(graph, walk, child);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  if (at == child->count) return WM_OK;
  costs[at] = 0;
  add(walk, (WmWalkStep){source, WM_NONE, child->first_place + at, 0}, 0);
  WmStatus status = WM_OK;
  for (uint32_t number; !status && (number = pop(walk)) != WM_NONE;) {
    const WmWalkStep *step = wm_walk_step(walk, number);
    if (step->entry == goal) *reached = number;
    if (step->entry == goal || step->cost > most) break;
    status = expand_within(graph, block, number, goal, least);
  }
  return status;
}

float wm_walk_cost_within(const WmTileGraph *graph, uint32_t level, uint32_t entry) {
  const WmCluster *child =
      wm_graph_clusters(graph) + wm_graph_ancestor(graph, wm_graph_side(graph, entry), level - 1);
  if (child->met != graph->met) return INFINITY;
  const uint32_t at = wm_graph_index_of(wm_graph_list(graph, child), child->count, entry);
  return at < child->count ? cost_at(&graph->inner, child->first_place + at) : INFINITY;
}

/* ---- Between two tiles -------------------------------------------------------------------------------- */

static void mark_ancestors(WmTileGraph *graph, uint32_t cluster) {
  for (; cluster != WM_NONE; cluster = wm_graph_parents(graph)[cluster]) {
    wm_graph_clusters(graph)[cluster].mark = graph->mark;
  }
}

/* Squared distance on x and z from a point to a block. */
static float distance_to(const WmTileGraph *graph, const WmCluster *block, const float point[3]) {
  const int32_t places[2] = {block->x, block->z};
  float squared = 0;
  for (int i = 0; i < 2; i++) {
    const float size = graph->tile_size[i] * (float)(1 << 2 * block->level);
    const float low = graph->origin[2 * i] + (float)places[i] * size, at = point[2 * i];
    const float beyond = at < low ? low - at : at > low + size ? at - low - size : 0;
    squared += beyond * beyond;
  }
  return squared;
}

/* True if a block holds neither end, and is at least as far from both as the largest cost to a stand-in for an entrance that it
 * lacks: nearer to the ends, detours over stand-ins would count. */
static bool is_usable(const WmTileGraph *graph, const WmCluster *block) {
  const float least = graph->spacing * wm_graph_reach(block->level);
  return block->mark != graph->mark && distance_to(graph, block, graph->ends[0]) >= least * least &&
         distance_to(graph, block, graph->ends[1]) >= least * least;
}

/* The level of the largest usable block that holds a block, or is the block itself; 0: there is none. Blocks within a usable one are
 * usable, too. */
/* NOLINTNEXTLINE(misc-no-recursion): one level deep for each level of blocks */
static uint32_t choose_level(const WmTileGraph *graph, uint32_t number) {
  if (number == WM_NONE) return 0;
  WmCluster *block = wm_graph_clusters(graph) + number;
  if (block->chosen_mark == graph->mark) return block->chosen_level;
  const uint32_t level = choose_level(graph, wm_graph_parents(graph)[number]);
  block->chosen_mark = graph->mark;
  block->chosen_level = (uint8_t)(level == 0 && is_usable(graph, block) ? block->level : level);
  return block->chosen_level;
}

const WmCluster *wm_graph_choose_cluster(const WmTileGraph *graph, uint32_t tile) {
  const WmCluster *clusters = wm_graph_clusters(graph);
  const uint32_t level = choose_level(graph, wm_graph_parents(graph)[tile]);
  return clusters + wm_graph_ancestor(graph, tile, level);
}

static float find_left(const WmTileGraph *graph, const WmWalkTask *task, uint32_t entry) {
  return wm_distance(wm_graph_entrance(graph, entry)->point, task->end_point) * task->left_scale;
}

/* Adds a step to the end if it is the cheapest of those; INFINITY: none leads there. */
static void add_end(WmWalk *walk, uint32_t parent, float cost) {
  if (!(cost < cost_at(walk, END_PLACE))) return;
  ((float *)walk->costs.items)[END_PLACE] = cost;
  add(walk, (WmWalkStep){WM_END_ENTRY, parent, END_PLACE, cost}, 0);
}

static WmStatus expand_between(WmTileGraph *graph, const WmWalkTask *task, uint32_t parent) {
  WmWalk *walk = &graph->walk;
  const WmWalkStep step = *wm_walk_step(walk, parent);
  const uint32_t tile = wm_graph_side(graph, step.entry);
  const WmCluster *cluster = wm_graph_choose_cluster(graph, tile);
  const uint32_t number = (uint32_t)(cluster - wm_graph_clusters(graph));
  const uint32_t *list = wm_graph_list(graph, cluster),
                 from = wm_graph_index_of(list, cluster->count, step.entry);
  if (from == cluster->count) return WM_OK;
  WmImproved improved;
  WmStatus status = wm_walk_improve(graph, walk, number, from, step.cost, &improved);
  if (!status) status = reserve(graph->context, walk, improved.count + 1);
  if (status) return status;
  if (tile == task->end) add_end(walk, parent, step.cost + task->end_costs[from]);
  for (size_t k = 0; k < improved.count; k++) {
    const uint32_t exit = list[improved.indices[k]], next = exit ^ 1;
    if (!wm_graph_can_cross(wm_graph_entrance(graph, next), exit & 1)) continue;
    const uint32_t place = improved.first_place + improved.indices[k];
    add(walk, (WmWalkStep){next, parent, place, cost_at(walk, place)}, find_left(graph, task, next));
  }
  return WM_OK;
}

/* Reaches the entries of the start's list, and the end if it is in the same tile. */
static WmStatus start(WmTileGraph *graph, const WmWalkTask *task) {
  WmWalk *walk = &graph->walk;
  WmCluster *cluster = wm_graph_clusters(graph) + task->start;
  const uint32_t *list = wm_graph_list(graph, cluster);
  WmStatus status = begin(graph, walk);
  if (!status) status = reserve(graph->context, walk, (size_t)cluster->count + 1);
  if (status) return status;
  float *costs = wm_walk_meet(graph, walk, cluster);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  add_end(walk, WM_NONE, task->direct);
  for (uint32_t i = 0; i < cluster->count; i++) {
    costs[i] = task->start_costs[i];
    if (!(costs[i] < INFINITY) || !wm_graph_can_cross(wm_graph_entrance(graph, list[i]), list[i] & 1))
      continue;
    const uint32_t next = list[i] ^ 1;
    add(walk, (WmWalkStep){next, WM_NONE, cluster->first_place + i, costs[i]}, find_left(graph, task, next));
  }
  return WM_OK;
}

WmStatus wm_walk_between(WmTileGraph *graph, const WmWalkTask *task, uint32_t *reached) {
  *reached = WM_NONE;
  graph->mark++;
  if (graph->mark == 0) {
    for (uint32_t i = 0; i < graph->cluster_count; i++) {
      wm_graph_clusters(graph)[i].mark = wm_graph_clusters(graph)[i].chosen_mark = 0;
    }
    graph->mark = 1;
  }
  memcpy(graph->ends[0], task->start_point, sizeof graph->ends[0]);
  memcpy(graph->ends[1], task->end_point, sizeof graph->ends[1]);
  mark_ancestors(graph, task->start);
  mark_ancestors(graph, task->end);
  WmStatus status = start(graph, task);
  for (uint32_t number; !status && *reached == WM_NONE && (number = pop(&graph->walk)) != WM_NONE;) {
    if (wm_walk_step(&graph->walk, number)->entry == WM_END_ENTRY) {
      *reached = number;
    } else {
      status = expand_between(graph, task, number);
    }
  }
  return status;
}
