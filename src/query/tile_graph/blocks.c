/* Blocks: which entrances they have, and the costs between them.
 *
 * A block could have all entrances on its border that its children have. Most are not needed: an entrance is left out if
 * another one stands in for it, to the same neighbour, and both blocks connect the two within themselves, in both directions,
 * at a small cost. A way to one of them leads on to the other one: reachability stays exact, and ways become a little
 * longer. Entrances where a unit costs least are chosen first, and the small cost is in proportion to what a unit costs at the one
 * that is left out: so that none on the ground stands in for one on a road. */
#include "query/tile_graph/tile_graph_internal.h"

/* The largest cost from an entrance that is left out to its stand-in, in units of the spacing of the graph at the cost there, by
 * level. */
static const float REACH[WM_GRAPH_LEVELS] = {0, 1.5f, 5, 16};

float wm_graph_reach(uint32_t level) { return REACH[level]; }

typedef struct Level {
  WmTileGraph *graph;
  uint32_t level;
} Level;

/* The cluster of a level on a side of an entrance. */
static uint32_t side_of(const WmTileGraph *graph, uint32_t entry, uint32_t level) {
  return wm_graph_ancestor(graph, wm_graph_side(graph, entry), level);
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

/* Collects the entries on a block's border that are not chosen from the other side.
 * out        entries */
static size_t collect(const Level *level, uint32_t number, uint32_t *entries) {
  const WmTileGraph *graph = level->graph;
  const WmCluster *clusters = wm_graph_clusters(graph);
  size_t count = 0;
  for (uint32_t c = clusters[number].first_child; c != WM_NONE; c = clusters[c].next_child) {
    const uint32_t *list = wm_graph_list(graph, &clusters[c]);
    for (uint32_t i = 0; i < clusters[c].count; i++) {
      const uint32_t other = side_of(graph, list[i] ^ 1, level->level);
      if (other == number || !wm_graph_entrance(graph, list[i])->directions) continue;
      if (!(clusters[other].flags & WM_CLUSTER_STALE) || other > number) entries[count++] = list[i];
    }
  }
  return count;
}

enum { KEY_COUNT = 7, GROUP_KEYS = 2 };

/* The sorting keys of an entry, the least important first; the last GROUP_KEYS are equal in a group: entrances to the same
 * block, in the same directions. These are those seen from the first tile of the entrance, which doesn't depend on history. */
static uint32_t key_of(const void *of, uint32_t entry, int key) {
  const Level *level = of;
  const WmEntrance *entrance = wm_graph_entrance(level->graph, entry);
  switch (key) {
    case 0: return wm_graph_key(entrance->point[1]);
    case 1: return wm_graph_key(entrance->point[0]);
    case 2: return wm_graph_key(entrance->point[2]);
    case 3: return wm_graph_key(entrance->point[0] + entrance->point[2]);
    case 4: return wm_graph_key(entrance->unit_cost);
    case 5: return entrance->directions * 2u + (entry & 1);
    default: return side_of(level->graph, entry ^ 1, level->level);
  }
}

static bool is_same_group(const Level *level, uint32_t a, uint32_t b) {
  for (int key = KEY_COUNT - GROUP_KEYS; key < KEY_COUNT; key++) {
    if (key_of(level, a, key) != key_of(level, b, key)) return false;
  }
  return true;
}

/* True if each way through a block can be walked in both directions. No way leads through clusters without entrances. */
static bool is_symmetric(const WmTileGraph *graph, const WmCluster *block) {
  const WmCluster *clusters = wm_graph_clusters(graph);
  for (uint32_t c = block->first_child; c != WM_NONE; c = clusters[c].next_child) {
    if (clusters[c].count > 0 && !(clusters[c].flags & WM_CLUSTER_SYMMETRIC)) return false;
    const uint32_t *list = wm_graph_list(graph, &clusters[c]);
    for (uint32_t i = 0; i < clusters[c].count; i++) {
      const uint8_t directions = wm_graph_entrance(graph, list[i])->directions;
      if (directions == 1 || directions == 2) return false;
    }
  }
  return true;
}

static bool is_cheap(const WmTileGraph *graph, const WmCluster *cluster, uint32_t i, uint32_t j, float most) {
  return wm_graph_cost(graph, cluster, i, j) <= most;
}

/* The largest cost from an entry to its stand-in. */
static float find_reach(const Level *level, uint32_t entry) {
  return level->graph->spacing * REACH[level->level] * wm_graph_entrance(level->graph, entry)->unit_cost;
}

/* True if a child connects two of its entries in both directions at a small cost.
 * in         a: may be left out */
static bool connects(const Level *level, uint32_t a, uint32_t b) {
  const WmTileGraph *graph = level->graph;
  const WmCluster *child = wm_graph_clusters(graph) + side_of(graph, a, level->level - 1);
  const uint32_t *list = wm_graph_list(graph, child);
  const float most = find_reach(level, a);
  uint32_t i = 0, j = 0;
  while (i < child->count && list[i] != a) i++;
  while (j < child->count && list[j] != b) j++;
  return i < child->count && j < child->count && is_cheap(graph, child, i, j, most) &&
         is_cheap(graph, child, j, i, most);
}

/* Sets whether an entrance is in the lists of this level. */
static void set_level(const Level *level, uint32_t entry, bool is_chosen) {
  WmTileGraph *graph = level->graph;
  WmEntrance *entrance = wm_graph_entrances(graph) + (entry >> 1);
  const bool was_chosen = entrance->level >= level->level;
  if (is_chosen == was_chosen) return;
  entrance->level = (uint8_t)(is_chosen ? level->level : level->level - 1);
  for (uint32_t side = 0; side < 2; side++) {
    wm_graph_clusters(graph)[side_of(graph, 2 * (entry >> 1) + side, level->level)].flags |=
        WM_CLUSTER_LIST_STALE;
  }
}

/* Marks the entries that the block on one side connects to another one at a small cost: items[i] becomes 2 where it is 1.
 * in         entries [count]: of one group; side: 0 of the block that they are collected for, 1 its neighbour */
static WmStatus mark_near(const Level *level, const uint32_t *entries, size_t count, uint32_t from,
                          uint32_t side, uint8_t *items) {
  WmTileGraph *graph = level->graph;
  const uint32_t block = side_of(graph, from ^ side, level->level);
  const float most = count > 0 ? find_reach(level, entries[count - 1]) : 0;
  const bool symmetric = is_symmetric(graph, wm_graph_clusters(graph) + block);
  uint32_t none;
  const WmStatus status = symmetric ? wm_walk_within(graph, block, from ^ side, WM_NONE, most, &none) : WM_OK;
  for (size_t i = 0; i < count && !status; i++) {
    if (items[i] != side) continue;
    const bool is_near = symmetric ? wm_walk_cost_within(graph, level->level, entries[i] ^ side) <=
                                         find_reach(level, entries[i])
                                   : connects(level, entries[i] ^ side, from ^ side);
    if (is_near) items[i] = (uint8_t)(side + 1);
  }
  return status;
}

/* Chooses entries in their order along the border: each one that no chosen one before it stands in for.
 * in         entries [count]: of one group
 * scratch    items [count]: 0; 1 and 2: see mark_near; 3: left out */
static WmStatus choose_group(const Level *level, const uint32_t *entries, size_t count, uint8_t *items) {
  memset(items, 0, count);
  for (size_t i = 0; i < count; i++) {
    set_level(level, entries[i], items[i] != 3);
    if (items[i] == 3) continue;
    for (uint32_t side = 0; side < 2; side++) {
      const WmStatus status =
          mark_near(level, entries + i + 1, count - i - 1, entries[i], side, items + i + 1);
      if (status) return status;
    }
    for (size_t k = i + 1; k < count; k++) items[k] = items[k] >= 2 ? 3 : 0;
  }
  return WM_OK;
}

static WmStatus choose(const Level *level, uint32_t number) {
  WmTileGraph *graph = level->graph;
  const size_t most = count_entries(graph, wm_graph_clusters(graph) + number);
  uint32_t *entries = wm_scratch_array(graph->context, most, sizeof *entries);
  uint8_t *items = wm_scratch_array(graph->context, most, sizeof *items);
  if (!entries || !items) return WM_ERROR_OUT_OF_MEMORY;
  const size_t count = collect(level, number, entries);
  WmStatus status = wm_graph_sort(graph->context, entries, count, key_of, KEY_COUNT, level);
  for (size_t i = 0, next; i < count && !status; i = next) {
    for (next = i + 1; next < count && is_same_group(level, entries[i], entries[next]);) next++;
    status = choose_group(level, entries + i, next - i, items);
  }
  return status;
}

/* ---- Costs -------------------------------------------------------------------------------------------- */

/* The costs between entries of a block.
 * out        costs [count * count] */
static WmStatus find_costs(WmTileGraph *graph, uint32_t number, const uint32_t *entries, size_t count,
                           bool symmetric, float *costs) {
  const uint32_t level = wm_graph_clusters(graph)[number].level;
  for (size_t i = symmetric ? 1 : 0; i < count; i++) {
    uint32_t none;
    const WmStatus status = wm_walk_within(graph, number, entries[i], WM_NONE, INFINITY, &none);
    if (status) return status;
    for (size_t j = 0; j < (symmetric ? i : count); j++) {
      costs[i * count + j] = wm_walk_cost_within(graph, level, entries[j]);
      if (symmetric) costs[j * count + i] = costs[i * count + j];
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
      const bool is_in = wm_graph_entrance(graph, list[i])->level >= level->level &&
                         side_of(graph, list[i] ^ 1, level->level) != number;
      if (is_in) entries[count++] = list[i];
    }
  }
  WmStatus status = wm_graph_sort_entries(graph, entries, count);
  if (status) return status;
  float *costs = wm_scratch_array(graph->context, count, count * sizeof *costs);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  const bool symmetric = is_symmetric(graph, block);
  bool changed;
  status = find_costs(graph, number, entries, count, symmetric, costs);
  if (!status) status = wm_graph_store(graph, number, entries, count, costs, symmetric, &changed);
  const uint32_t parent = wm_graph_parents(graph)[number];
  if (!status && changed && parent != WM_NONE) clusters[parent].flags |= WM_CLUSTER_STALE;
  return status;
}

WmStatus wm_graph_update_level(WmTileGraph *graph, uint32_t number, const uint32_t *blocks, size_t count) {
  WmCluster *clusters = wm_graph_clusters(graph);
  const Level level = {graph, number};
  WmStatus status = WM_OK;
  for (size_t k = 0; k < count && !status; k++) {
    const WmCluster *block = clusters + blocks[k];
    if (block->level != number || !(block->flags & WM_CLUSTER_STALE)) continue;
    const WmScratchMark inner = wm_scratch_mark(graph->context);
    status = choose(&level, blocks[k]);
    wm_scratch_rewind(graph->context, inner);
  }
  for (size_t k = 0; k < count && !status; k++) {
    WmCluster *block = clusters + blocks[k];
    if (block->level != number) continue;
    const WmScratchMark inner = wm_scratch_mark(graph->context);
    if (block->flags & (WM_CLUSTER_STALE | WM_CLUSTER_LIST_STALE)) status = update_block(&level, blocks[k]);
    wm_scratch_rewind(graph->context, inner);
    block->flags &= (uint8_t) ~(WM_CLUSTER_STALE | WM_CLUSTER_LIST_STALE);
  }
  return status;
}
