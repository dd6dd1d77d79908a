/* The search over entrances: A* whose steps are the costs of a cluster, from the entry across which it was entered to the
 * other entries of its list.
 *
 * Within a block, steps are those of its children. Between two tiles, each step is that of the largest cluster that isn't
 * near the start or the end: near both ends tiles, farther away larger and larger blocks. An entrance that isn't in the list
 * of the cluster behind it leads nowhere: its stand-in is (blocks.c), and the search reaches it, because a block is never
 * used within one that is too near.
 *
 * The lower bound of the rest is the straight distance, and 0 within blocks.
 *
 * Source: D. Delling, A. V. Goldberg, T. Pajor, R. F. Werneck, "Customizable Route Planning", 2011. */
#include "base/heap.h"
#include "query/tile_graph/tile_graph_internal.h"

/* ---- Nodes -------------------------------------------------------------------------------------------- */

void wm_walk_free(WmContext *context, WmWalk *walk) {
  wm_block_free(context, walk->nodes.items);
  wm_block_free(context, walk->keys.items);
  wm_block_free(context, walk->pushed.items);
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

/* The index of an entry in a cluster's list; the count: it isn't there. */
static uint32_t index_of(const uint32_t *list, uint32_t count, uint32_t entry) {
  uint32_t i = 0;
  while (i < count && list[i] != entry) i++;
  return i;
}

/* The roots of the costs from an entry of a list to all of them. Those of a symmetric cluster are copied: half of them are far
 * apart, and the processor fetches them together where nothing else lies between. */
static const uint8_t *find_row(const WmTileGraph *graph, const WmCluster *cluster, uint32_t from,
                               uint8_t copies[WM_ENTRANCE_LIMIT]) {
  const uint8_t *roots = wm_graph_roots(graph, cluster);
  const size_t count = cluster->count;
  if (!(cluster->flags & WM_CLUSTER_SYMMETRIC)) return roots + from * count;
  if (from > 0) memcpy(copies, roots + (size_t)from * (from - 1) / 2, from);
  copies[from] = 0;
  size_t at = (size_t)from * (from + 1) / 2 + from;
  for (size_t i = (size_t)from + 1; i < count; at += i++) copies[i] = roots[at];
  return copies;
}

/* ---- Within a block ----------------------------------------------------------------------------------- */

/* Follows the costs of a child. Entries on the block's border end there. */
static WmStatus expand_within(WmTileGraph *graph, uint32_t block, uint32_t level, uint32_t entry) {
  WmWalk *walk = &graph->inner;
  const WmCluster *child =
      wm_graph_clusters(graph) + wm_graph_ancestor(graph, wm_graph_side(graph, entry), level - 1);
  const uint32_t *list = wm_graph_list(graph, child), from = index_of(list, child->count, entry);
  if (from == child->count) return WM_OK;
  const float cost = wm_walk_find(walk, entry)->cost;
  const WmStatus status = reserve(graph->context, walk, child->count);
  uint8_t copies[WM_ENTRANCE_LIMIT];
  const uint8_t *row = find_row(graph, child, from, copies);
  for (uint32_t i = 0; i < child->count && !status; i++) {
    if (row[i] == WM_NO_COST || i == from) continue;
    const bool is_inner = wm_graph_ancestor(graph, wm_graph_side(graph, list[i] ^ 1), level) == block;
    if (is_inner && !wm_graph_can_cross(wm_graph_entrance(graph, list[i]), list[i] & 1)) continue;
    const uint32_t next = is_inner ? list[i] ^ 1 : list[i];
    const float next_cost = cost + wm_graph_square(row[i], child->unit);
    WmWalkNode *node = find_worse(walk, next, next_cost);
    if (node) reach(walk, node, next, entry, next_cost, 0);
  }
  return status;
}

WmStatus wm_walk_within(WmTileGraph *graph, uint32_t block, uint32_t source, uint32_t goal, float most) {
  WmWalk *walk = &graph->inner;
  const uint32_t level = wm_graph_clusters(graph)[block].level;
  WmStatus status = begin(graph->context, walk);
  if (status) return status;
  reach(walk, find_place(walk, source), source, WM_NONE, 0, 0);
  for (uint32_t entry; !status && (entry = pop(walk)) != WM_NONE && entry != goal;) {
    /* Entries on the border are ends, except for the source. */
    if (wm_walk_find(walk, entry)->cost > most) break;
    const bool is_end =
        entry != source && wm_graph_ancestor(graph, wm_graph_side(graph, entry ^ 1), level) != block;
    if (!is_end) status = expand_within(graph, block, level, entry);
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

const WmCluster *wm_graph_choose_cluster(const WmTileGraph *graph, uint32_t tile) {
  const WmCluster *clusters = wm_graph_clusters(graph), *cluster = clusters + tile;
  while (cluster->parent != WM_NONE && is_usable(graph, clusters + cluster->parent)) {
    cluster = clusters + cluster->parent;
  }
  return cluster;
}

static float find_left(const WmTileGraph *graph, const WmWalkTask *task, uint32_t entry) {
  return wm_distance(wm_graph_entrance(graph, entry)->point, task->end_point) * task->left_scale;
}

static WmStatus expand_between(WmTileGraph *graph, const WmWalkTask *task, uint32_t entry) {
  WmWalk *walk = &graph->walk;
  const uint32_t tile = wm_graph_side(graph, entry);
  const WmCluster *cluster = wm_graph_choose_cluster(graph, tile);
  const uint32_t *list = wm_graph_list(graph, cluster), from = index_of(list, cluster->count, entry);
  if (from == cluster->count) return WM_OK;
  const float cost = wm_walk_find(walk, entry)->cost;
  const WmStatus status = reserve(graph->context, walk, cluster->count + 1);
  if (status) return status;
  if (tile == task->end && task->end_costs[from] < INFINITY) {
    const float end_cost = cost + task->end_costs[from];
    WmWalkNode *node = find_worse(walk, WM_END_ENTRY, end_cost);
    if (node) reach(walk, node, WM_END_ENTRY, entry, end_cost, 0);
  }
  uint8_t copies[WM_ENTRANCE_LIMIT];
  const uint8_t *row = find_row(graph, cluster, from, copies);
  for (uint32_t i = 0; i < cluster->count; i++) {
    if (row[i] == WM_NO_COST || i == from) continue;
    const uint32_t next = list[i] ^ 1;
    const float next_cost = cost + wm_graph_square(row[i], cluster->unit);
    WmWalkNode *node =
        find_worse(walk, next, next_cost); /* first: most entries are already reached at less */
    if (!node || !wm_graph_can_cross(wm_graph_entrance(graph, next), list[i] & 1)) continue;
    reach(walk, node, next, entry, next_cost, find_left(graph, task, next));
  }
  return WM_OK;
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
  for (uint32_t i = 0; i < cluster->count; i++) {
    if (!(task->start_costs[i] < INFINITY)) continue;
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
    for (uint32_t i = 0; i < graph->cluster_count; i++) wm_graph_clusters(graph)[i].mark = 0;
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
