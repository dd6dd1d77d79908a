/* Blocks: which entrances they have, and the costs between them.
 *
 * A block could have all entrances on its border that its children have. Most are not needed: entrances to the same
 * neighbour are a class if the block connects them in both directions within it, and so does the neighbour. Whoever reaches
 * one entrance of a class reaches all. So a block has, of each class, one entrance for each stretch of border of a certain
 * length: reachability stays exact, and ways become a little longer. */
#include "query/tile_graph/tile_graph_internal.h"

/* Least distance of two entrances of a class, times the spacing of the graph, by level. */
static const float LEVEL_SPACING[WM_GRAPH_LEVELS] = {1, 2, 4, 8};

typedef struct Level {
  WmTileGraph *graph;
  uint32_t level;
  uint32_t *parents; /* scratch [2 * entrance_count]: a forest of entries that are connected in both directions */
} Level;

/* ---- Labels ------------------------------------------------------------------------------------------- */

static uint32_t find_root(uint32_t *parents, uint32_t entry) {
  while (parents[entry] != entry) entry = parents[entry] = parents[parents[entry]];
  return entry;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b) {
  const uint32_t first = find_root(parents, a), second = find_root(parents, b);
  parents[first > second ? first : second] = first > second ? second : first;
}

static void join_list(const Level *level, const WmCluster *child) {
  const WmTileGraph *graph = level->graph;
  const uint32_t *list = wm_graph_list(graph, child);
  for (uint32_t i = 0; i < child->count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      const bool is_connected =
          wm_graph_cost(graph, child, i, j) != WM_NO_COST && wm_graph_cost(graph, child, j, i) != WM_NO_COST;
      if (is_connected) join(level->parents, list[i], list[j]);
    }
  }
}

/* The block of this level on a side of an entrance. */
static uint32_t block_of(const Level *level, uint32_t entry) {
  return wm_graph_ancestor(level->graph, wm_graph_side(level->graph, entry), level->level);
}

/* Labels the entries of the lists of a block's children. */
static void label(const Level *level, uint32_t number) {
  const WmTileGraph *graph = level->graph;
  WmCluster *clusters = wm_graph_clusters(graph), *block = clusters + number;
  if (block->flags & WM_CLUSTER_LABELLED) return;
  block->flags |= WM_CLUSTER_LABELLED;
  for (uint32_t c = block->first_child; c != WM_NONE; c = clusters[c].next_child) {
    const uint32_t *list = wm_graph_list(graph, &clusters[c]);
    for (uint32_t i = 0; i < clusters[c].count; i++) level->parents[list[i]] = list[i];
  }
  for (uint32_t c = block->first_child; c != WM_NONE; c = clusters[c].next_child) {
    const uint32_t *list = wm_graph_list(graph, &clusters[c]);
    join_list(level, &clusters[c]);
    for (uint32_t i = 0; i < clusters[c].count; i++) {
      const bool is_inner = wm_graph_entrance(graph, list[i])->directions == 3 && block_of(level, list[i] ^ 1) == number;
      if (is_inner) join(level->parents, list[i], list[i] ^ 1);
    }
  }
}

/* ---- Choosing ----------------------------------------------------------------------------------------- */

/* Number of entries of all children. */
static size_t count_entries(const WmTileGraph *graph, const WmCluster *block) {
  size_t count = 0;
  for (uint32_t c = block->first_child; c != WM_NONE; c = wm_graph_clusters(graph)[c].next_child) {
    count += wm_graph_clusters(graph)[c].count;
  }
  return count;
}

/* Collects the entries on a block's border whose classes are not chosen from the other side.
 * out        entries */
static size_t collect(const Level *level, uint32_t number, uint32_t *entries) {
  const WmTileGraph *graph = level->graph;
  const WmCluster *clusters = wm_graph_clusters(graph);
  size_t count = 0;
  for (uint32_t c = clusters[number].first_child; c != WM_NONE; c = clusters[c].next_child) {
    const uint32_t *list = wm_graph_list(graph, &clusters[c]);
    for (uint32_t i = 0; i < clusters[c].count; i++) {
      const uint32_t other = block_of(level, list[i] ^ 1);
      if (other == number || !wm_graph_entrance(graph, list[i])->directions) continue;
      if ((clusters[other].flags & WM_CLUSTER_STALE) && other < number) continue;
      label(level, other);
      entries[count++] = list[i];
    }
  }
  return count;
}

enum { KEY_COUNT = 8, CLASS_KEYS = 4 };

/* The sorting keys of an entry, the least important first; the last CLASS_KEYS are equal in a class. Directions are those
 * seen from the first tile of the entrance, which doesn't depend on history. */
static uint32_t key_of(const Level *level, uint32_t entry, int key) {
  const WmEntrance *entrance = wm_graph_entrance(level->graph, entry);
  switch (key) {
  case 0: return wm_graph_key(entrance->point[1]);
  case 1: return wm_graph_key(entrance->point[0]);
  case 2: return wm_graph_key(entrance->point[2]);
  case 3: return wm_graph_key(entrance->point[0] + entrance->point[2]);
  case 4: return entrance->directions * 2u + (entry & 1);
  case 5: return find_root(level->parents, entry);
  case 6: return find_root(level->parents, entry ^ 1);
  default: return block_of(level, entry ^ 1);
  }
}

static bool is_same_class(const Level *level, uint32_t a, uint32_t b) {
  for (int key = KEY_COUNT - CLASS_KEYS; key < KEY_COUNT; key++) {
    if (key_of(level, a, key) != key_of(level, b, key)) return false;
  }
  return true;
}

/* Sets whether an entrance is in the lists of this level. */
static void set_level(const Level *level, uint32_t entry, bool is_chosen) {
  WmTileGraph *graph = level->graph;
  WmEntrance *entrance = wm_graph_entrances(graph) + (entry >> 1);
  const bool was_chosen = entrance->level >= level->level;
  if (is_chosen == was_chosen) return;
  entrance->level = (uint8_t)(is_chosen ? level->level : level->level - 1);
  for (uint32_t side = 0; side < 2; side++) {
    wm_graph_clusters(graph)[block_of(level, 2 * (entry >> 1) + side)].flags |= WM_CLUSTER_LIST_STALE;
  }
}

static WmStatus choose(const Level *level, uint32_t number) {
  WmTileGraph *graph = level->graph;
  const size_t most = count_entries(graph, wm_graph_clusters(graph) + number);
  uint32_t *entries = wm_scratch_array(graph->context, most, sizeof *entries);
  uint32_t *order = wm_scratch_array(graph->context, most, sizeof *order);
  uint32_t *keys = wm_scratch_array(graph->context, most, sizeof *keys);
  WmSortItem *items = wm_scratch_array(graph->context, 2 * most, sizeof *items);
  if (!entries || !order || !keys || !items) return WM_ERROR_OUT_OF_MEMORY;
  const size_t count = collect(level, number, entries);
  for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
  for (int key = 0; key < KEY_COUNT; key++) {
    for (size_t i = 0; i < count; i++) keys[i] = key_of(level, entries[i], key);
    wm_graph_sort(order, count, keys, items);
  }
  const float least = graph->spacing * LEVEL_SPACING[level->level];
  const float *last = NULL;
  for (size_t i = 0; i < count; i++) {
    const uint32_t entry = entries[order[i]];
    const float *point = wm_graph_entrance(graph, entry)->point;
    const bool is_first = i == 0 || !is_same_class(level, entries[order[i - 1]], entry);
    const bool is_chosen = is_first || !(wm_squared_distance_on_plane(last, point) < least * least);
    if (is_chosen) last = point;
    set_level(level, entry, is_chosen);
  }
  return WM_OK;
}

/* ---- Costs -------------------------------------------------------------------------------------------- */

/* True if each way through a block can be walked in both directions. */
static bool is_symmetric(const WmTileGraph *graph, const WmCluster *block) {
  const WmCluster *clusters = wm_graph_clusters(graph);
  for (uint32_t c = block->first_child; c != WM_NONE; c = clusters[c].next_child) {
    if (!(clusters[c].flags & WM_CLUSTER_SYMMETRIC)) return false;
    const uint32_t *list = wm_graph_list(graph, &clusters[c]);
    for (uint32_t i = 0; i < clusters[c].count; i++) {
      const uint8_t directions = wm_graph_entrance(graph, list[i])->directions;
      if (directions == 1 || directions == 2) return false;
    }
  }
  return true;
}

static WmStatus find_costs(WmTileGraph *graph, uint32_t number, bool symmetric, float *costs) {
  const WmCluster *block = wm_graph_clusters(graph) + number;
  const uint32_t *list = wm_graph_list(graph, block);
  const size_t count = block->count;
  for (size_t i = symmetric ? 1 : 0; i < count; i++) {
    const WmStatus status = wm_walk_within(graph, number, list[i], WM_NONE);
    if (status) return status;
    for (size_t j = 0; j < (symmetric ? i : count); j++) {
      const WmWalkNode *node = wm_walk_find(&graph->inner, list[j]);
      const float cost = i == j ? 0 : node ? node->cost : INFINITY;
      costs[i * count + j] = cost;
      if (symmetric) costs[j * count + i] = cost;
    }
  }
  for (size_t i = 0; i < count; i++) costs[i * count + i] = 0;
  return WM_OK;
}

/* ---- Updating ----------------------------------------------------------------------------------------- */

static WmStatus update_block(const Level *level, uint32_t number) {
  WmTileGraph *graph = level->graph;
  WmCluster *clusters = wm_graph_clusters(graph), *block = clusters + number;
  uint32_t *entries = wm_scratch_array(graph->context, count_entries(graph, block), sizeof *entries);
  if (!entries) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t c = block->first_child; c != WM_NONE; c = clusters[c].next_child) {
    const uint32_t *list = wm_graph_list(graph, &clusters[c]);
    for (uint32_t i = 0; i < clusters[c].count; i++) {
      const bool is_in = wm_graph_entrance(graph, list[i])->level >= level->level && block_of(level, list[i] ^ 1) != number;
      if (is_in) entries[count++] = list[i];
    }
  }
  bool list_changed, changed;
  WmStatus status = wm_graph_store_list(graph, number, entries, count, &list_changed);
  if (status) return status;
  float *costs = wm_scratch_array(graph->context, count, count * sizeof *costs);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  const bool symmetric = is_symmetric(graph, block);
  status = find_costs(graph, number, symmetric, costs);
  if (!status) status = wm_graph_store_costs(graph, number, costs, symmetric, list_changed, &changed);
  if (!status && changed && block->parent != WM_NONE) clusters[block->parent].flags |= WM_CLUSTER_STALE;
  return status;
}

WmStatus wm_graph_update_level(WmTileGraph *graph, uint32_t number) {
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  WmCluster *clusters = wm_graph_clusters(graph);
  Level level = {graph, number, wm_scratch_array(graph->context, 2 * (size_t)graph->entrance_count, sizeof(uint32_t))};
  WmStatus status = level.parents ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < graph->cluster_count && !status; i++) {
    if (clusters[i].level != number || !(clusters[i].flags & WM_CLUSTER_STALE)) continue;
    const WmScratchMark inner = wm_scratch_mark(graph->context);
    label(&level, i);
    status = choose(&level, i);
    wm_scratch_rewind(graph->context, inner);
  }
  for (uint32_t i = 0; i < graph->cluster_count && !status; i++) {
    if (clusters[i].level != number) continue;
    const WmScratchMark inner = wm_scratch_mark(graph->context);
    if (clusters[i].flags & (WM_CLUSTER_STALE | WM_CLUSTER_LIST_STALE)) status = update_block(&level, i);
    wm_scratch_rewind(graph->context, inner);
    clusters[i].flags &= (uint8_t) ~(WM_CLUSTER_STALE | WM_CLUSTER_LIST_STALE | WM_CLUSTER_LABELLED);
  }
  wm_scratch_rewind(graph->context, mark);
  return status;
}
