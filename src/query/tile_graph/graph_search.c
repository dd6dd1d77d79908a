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

/* ---- Nodes -------------------------------------------------------------------------------------------- */

void wm_walk_free(WmContext *context, WmWalk *walk) {
  wm_block_free(context, walk->nodes.items);
  wm_block_free(context, walk->keys.items);
  wm_block_free(context, walk->pushed.items);
  wm_block_free(context, walk->lists.items);
  wm_block_free(context, walk->costs.items);
  *walk = (WmWalk){0};
}

static uint32_t hash_of(uint32_t entry) { return (entry ^ entry >> 16) * 0x9e3779b1u; }

/* The place of an entry in the table: its node, or the empty one where it would be. */
static WmWalkNode *find_place(const WmWalk *walk, uint32_t entry) {
  WmWalkNode *nodes = walk->nodes.items;
  const size_t mask = walk->nodes.capacity - 1;
  size_t at = hash_of(entry) >> 4 & mask;
  while (nodes[at].stamp == walk->stamp && nodes[at].entry != entry) at = (at + 1) & mask;
  return nodes + at;
}

const WmWalkNode *wm_walk_find(const WmWalk *walk, uint32_t entry) {
  const WmWalkNode *node = find_place(walk, entry);
  return node->stamp == walk->stamp ? node : NULL;
}

/* Doubles the table until half of it stays empty with `more` further nodes. */
static WmStatus reserve_nodes(WmContext *context, WmWalk *walk, size_t more) {
  if (2 * (walk->node_count + more) < walk->nodes.capacity) return WM_OK;
  WmBuffer former = walk->nodes;
  size_t capacity = former.capacity ? former.capacity : 256;
  while (capacity <= 2 * (walk->node_count + more)) capacity *= 2;
  WmBuffer fresh = {0};
  const WmStatus status = wm_buffer_reserve(context, &fresh, capacity, sizeof(WmWalkNode));
  if (status) return status;
  walk->nodes = fresh;
  for (size_t i = 0; i < former.capacity; i++) {
    const WmWalkNode *node = (const WmWalkNode *)former.items + i;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an array with a capacity has items */
    if (node->stamp == walk->stamp) *find_place(walk, node->entry) = *node;
  }
  wm_block_free(context, former.items);
  return WM_OK;
}

/* Reserves memory for `more` steps. */
static WmStatus reserve(WmContext *context, WmWalk *walk, size_t more) {
  WmStatus status = reserve_nodes(context, walk, more);
  const size_t keys = walk->heap_count + more + WM_HEAP_MARGIN, pushed = (size_t)walk->sequence + more + 1;
  if (!status) status = wm_buffer_reserve(context, &walk->keys, keys, sizeof(uint64_t));
  return status ? status : wm_buffer_reserve(context, &walk->pushed, pushed, sizeof(uint32_t));
}

static WmStatus begin(WmContext *context, WmWalk *walk) {
  const uint32_t stamp = walk->stamp + 1;
  if (stamp == 0 && walk->nodes.items)
    memset(walk->nodes.items, 0, walk->nodes.capacity * sizeof(WmWalkNode));
  if (stamp == 0 && walk->lists.items)
    memset(walk->lists.items, 0, walk->lists.capacity * sizeof(WmWalkList));
  wm_walk_clear_lists(walk);
  walk->stamp = stamp ? stamp : 1;
  walk->node_count = walk->heap_count = walk->expanded = 0;
  walk->sequence = 0;
  const WmStatus status = reserve(context, walk, 1);
  if (!status) wm_heap_clear(walk->keys.items);
  return status;
}

/* The node of an entry if it isn't reached at that cost or a lower one; else NULL. */
static WmWalkNode *find_worse(const WmWalk *walk, uint32_t entry, float cost) {
  WmWalkNode *node = find_place(walk, entry);
  return node->stamp == walk->stamp && !(cost < node->cost) ? NULL : node;
}

/* Reaches an entry at a cost; memory must be reserved.
 * in         node: of find_worse; left: lower bound of the rest */
static void reach(WmWalk *walk, WmWalkNode *node, uint32_t entry, uint32_t parent, float cost, float left) {
  walk->node_count += node->stamp != walk->stamp;
  *node = (WmWalkNode){entry, walk->stamp, parent, ++walk->sequence, cost};
  ((uint32_t *)walk->pushed.items)[walk->sequence] = entry;
  wm_heap_push(walk->keys.items, &walk->heap_count, wm_heap_key(cost + left, walk->sequence));
}

/* The best entry of the open list, which is removed; WM_NONE: the list is empty. */
static uint32_t pop(WmWalk *walk) {
  uint64_t *keys = walk->keys.items;
  while (walk->heap_count > 0) {
    const uint32_t sequence = (uint32_t)keys[0], entry = ((const uint32_t *)walk->pushed.items)[sequence];
    wm_heap_remove(keys, &walk->heap_count);
    WmWalkNode *node = find_place(walk, entry);
    if (node->sequence != sequence) continue;
    node->sequence = 0;
    walk->expanded++;
    return entry;
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
static WmStatus expand_within(WmTileGraph *graph, uint32_t block, uint32_t entry, uint32_t goal,
                              float least) {
  const uint32_t level = wm_graph_clusters(graph)[block].level;
  WmWalk *walk = &graph->inner;
  const uint32_t number = wm_graph_ancestor(graph, wm_graph_side(graph, entry), level - 1);
  const WmCluster *child = wm_graph_clusters(graph) + number;
  const uint32_t *list = wm_graph_list(graph, child), from = wm_graph_index_of(list, child->count, entry);
  if (from == child->count) return WM_OK;
  WmStatus status = reserve(graph->context, walk, child->count);
  WmImproved improved;
  const float cost = wm_walk_find(walk, entry)->cost;
  if (!status) status = wm_walk_improve(graph, walk, number, from, cost, &improved);
  for (size_t k = 0; !status && k < improved.count; k++) {
    const uint32_t exit = list[improved.indices[k]];
    const bool is_inner = wm_graph_ancestor(graph, wm_graph_side(graph, exit ^ 1), level) == block;
    if (is_inner && !wm_graph_can_cross(wm_graph_entrance(graph, exit), exit & 1)) continue;
    const uint32_t next = is_inner ? exit ^ 1 : exit;
    reach(walk, find_place(walk, next), next, entry, improved.costs[improved.indices[k]],
          find_left_within(graph, goal, next, least));
  }
  return status;
}

WmStatus wm_walk_within(WmTileGraph *graph, uint32_t block, uint32_t source, uint32_t goal, float most) {
  WmWalk *walk = &graph->inner;
  const uint32_t level = wm_graph_clusters(graph)[block].level;
  const float least = goal == WM_NONE ? 0 : wm_graph_least_cost(graph);
  WmStatus status = begin(graph->context, walk);
  if (status) return status;
  const uint32_t number = wm_graph_ancestor(graph, wm_graph_side(graph, source), level - 1);
  const WmCluster *child = wm_graph_clusters(graph) + number;
  const uint32_t at = wm_graph_index_of(wm_graph_list(graph, child), child->count, source);
  float *costs = wm_walk_costs(graph->context, walk, child, number);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  if (at < child->count) costs[at] = 0; /* the source is on the border: no step leads back to it */
  reach(walk, find_place(walk, source), source, WM_NONE, 0, 0);
  for (uint32_t entry; !status && (entry = pop(walk)) != WM_NONE && entry != goal;) {
    /* Entries on the border are ends, except for the source. */
    if (wm_walk_find(walk, entry)->cost > most) break;
    const bool is_end =
        entry != source && wm_graph_ancestor(graph, wm_graph_side(graph, entry ^ 1), level) != block;
    if (!is_end) status = expand_within(graph, block, entry, goal, least);
  }
  return status;
}

/* ---- Between two tiles -------------------------------------------------------------------------------- */

static void mark_ancestors(WmTileGraph *graph, uint32_t cluster) {
  for (; cluster != WM_NONE; cluster = wm_graph_clusters(graph)[cluster].parent) {
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

/* The level of the largest usable block that holds a block of level 1, or the block itself; 0: not even that one is usable. Blocks
 * within a usable one are usable, too. */
static uint32_t choose_level(const WmTileGraph *graph, const WmCluster *block) {
  const WmCluster *clusters = wm_graph_clusters(graph);
  if (!is_usable(graph, block)) return 0;
  while (block->parent != WM_NONE && is_usable(graph, clusters + block->parent))
    block = clusters + block->parent;
  return block->level;
}

const WmCluster *wm_graph_choose_cluster(WmTileGraph *graph, uint32_t tile) {
  WmCluster *clusters = wm_graph_clusters(graph), *block = clusters + clusters[tile].parent;
  if (block->chosen_mark != graph->mark) block->chosen_level = (uint8_t)choose_level(graph, block);
  block->chosen_mark = graph->mark;
  if (block->chosen_level == 0) return clusters + tile;
  return clusters + wm_graph_ancestor(graph, clusters[tile].parent, block->chosen_level - 1u);
}

static float find_left(const WmTileGraph *graph, const WmWalkTask *task, uint32_t entry) {
  return wm_distance(wm_graph_entrance(graph, entry)->point, task->end_point) * task->left_scale;
}

static WmStatus expand_between(WmTileGraph *graph, const WmWalkTask *task, uint32_t entry) {
  WmWalk *walk = &graph->walk;
  const uint32_t tile = wm_graph_side(graph, entry);
  const WmCluster *cluster = wm_graph_choose_cluster(graph, tile);
  const uint32_t number = (uint32_t)(cluster - wm_graph_clusters(graph));
  const uint32_t *list = wm_graph_list(graph, cluster), from = wm_graph_index_of(list, cluster->count, entry);
  if (from == cluster->count) return WM_OK;
  const float cost = wm_walk_find(walk, entry)->cost;
  WmStatus status = reserve(graph->context, walk, cluster->count + 1);
  if (status) return status;
  if (tile == task->end && task->end_costs[from] < INFINITY) {
    const float end_cost = cost + task->end_costs[from];
    WmWalkNode *node = find_worse(walk, WM_END_ENTRY, end_cost);
    if (node) reach(walk, node, WM_END_ENTRY, entry, end_cost, 0);
  }
  WmImproved improved;
  status = wm_walk_improve(graph, walk, number, from, cost, &improved);
  for (size_t k = 0; !status && k < improved.count; k++) {
    const uint32_t exit = list[improved.indices[k]], next = exit ^ 1;
    if (!wm_graph_can_cross(wm_graph_entrance(graph, next), exit & 1)) continue;
    reach(walk, find_place(walk, next), next, entry, improved.costs[improved.indices[k]],
          find_left(graph, task, next));
  }
  return status;
}

/* Reaches the entries of the start's list, and the end if it is in the same tile. */
static WmStatus start(WmTileGraph *graph, const WmWalkTask *task) {
  WmWalk *walk = &graph->walk;
  const WmCluster *cluster = wm_graph_clusters(graph) + task->start;
  const uint32_t *list = wm_graph_list(graph, cluster);
  WmStatus status = begin(graph->context, walk);
  if (!status) status = reserve(graph->context, walk, cluster->count + 1);
  if (status) return status;
  if (task->direct < INFINITY) {
    reach(walk, find_place(walk, WM_END_ENTRY), WM_END_ENTRY, WM_NONE, task->direct, 0);
  }
  float *costs = wm_walk_costs(graph->context, walk, cluster, task->start);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < cluster->count; i++) {
    if (!(task->start_costs[i] < INFINITY)) continue;
    costs[i] = task->start_costs[i];
    if (!wm_graph_can_cross(wm_graph_entrance(graph, list[i]), list[i] & 1)) continue;
    const uint32_t next = list[i] ^ 1;
    reach(walk, find_place(walk, next), next, WM_NONE, task->start_costs[i], find_left(graph, task, next));
  }
  return WM_OK;
}

WmStatus wm_walk_between(WmTileGraph *graph, const WmWalkTask *task, bool *reached) {
  *reached = false;
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
  for (uint32_t entry; !status && !*reached && (entry = pop(&graph->walk)) != WM_NONE;) {
    *reached = entry == WM_END_ENTRY;
    if (!*reached) status = expand_between(graph, task, entry);
  }
  return status;
}
