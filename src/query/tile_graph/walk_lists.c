/* The steps of a search through one cluster. In a dense town a list has some hundred entries, and nine in ten steps lead to one that
 * is already reached at less. So the search stores, for each list that it has met, the lowest cost of a step to each entry, in the
 * order of the list: steps are computed and compared eight at a time, and only those that improve on it reach the table of nodes.
 *
 * An entry is in the list of one cluster only, of those that a search uses: see wm_graph_choose_cluster. So the lowest cost is that of
 * its node. */
#include "base/simd.h"
#include "query/tile_graph/tile_graph_internal.h"

void wm_walk_clear_lists(WmWalk *walk) { walk->list_count = walk->cost_count = 0; }

uint32_t wm_graph_index_of(const uint32_t *list, uint32_t count, uint32_t entry) {
  uint32_t i = 0;
  const WmUint4 wanted = {entry, entry, entry, entry};
  for (; i + 4 <= count; i += 4) {
    if (wm_mask_int4((WmInt4)(wm_load_uint4(list + i) == wanted))) break;
  }
  while (i < count && list[i] != entry) i++;
  return i;
}

/* The place of a cluster in the table of lists: its own, or the empty one where it would be. */
static WmWalkList *find_list(const WmWalk *walk, uint32_t number) {
  WmWalkList *lists = walk->lists.items;
  const size_t mask = walk->lists.capacity - 1;
  size_t at = number * 0x9e3779b1u >> 7 & mask;
  while (lists[at].stamp == walk->stamp && lists[at].cluster != number) at = (at + 1) & mask;
  return lists + at;
}

/* Doubles the table until half of it stays empty with one more list. */
static WmStatus reserve_list(WmContext *context, WmWalk *walk) {
  if (2 * (walk->list_count + 1) < walk->lists.capacity) return WM_OK;
  const WmBuffer former = walk->lists;
  size_t capacity = former.capacity ? former.capacity : 64;
  while (capacity <= 2 * (walk->list_count + 1)) capacity *= 2;
  WmBuffer fresh = {0};
  const WmStatus status = wm_buffer_reserve(context, &fresh, capacity, sizeof(WmWalkList));
  if (status) return status;
  walk->lists = fresh;
  for (size_t i = 0; i < former.capacity; i++) {
    const WmWalkList *list = (const WmWalkList *)former.items + i;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an array with a capacity has items */
    if (list->stamp == walk->stamp) *find_list(walk, list->cluster) = *list;
  }
  wm_block_free(context, former.items);
  return WM_OK;
}

/* Rounded up, so that costs of lists are compared in whole vectors. */
static size_t round_up(size_t count) { return (count + WM_ROW_LANES - 1) / WM_ROW_LANES * WM_ROW_LANES; }

float *wm_walk_costs(WmContext *context, WmWalk *walk, const WmCluster *cluster, uint32_t number) {
  if (reserve_list(context, walk)) return NULL;
  WmWalkList *list = find_list(walk, number);
  const size_t count = round_up(cluster->count);
  if (list->stamp == walk->stamp) return (float *)walk->costs.items + list->first;
  if (wm_buffer_reserve(context, &walk->costs, walk->cost_count + count + 1, sizeof(float))) return NULL;
  *list = (WmWalkList){number, walk->stamp, (uint32_t)walk->cost_count};
  walk->list_count++;
  walk->cost_count += count;
  float *costs = (float *)walk->costs.items + list->first;
  /* No cost is lower than those after the last one. */
  for (size_t i = 0; i < count; i++) costs[i] = i < cluster->count ? INFINITY : -INFINITY;
  return costs;
}

/* Copies the roots of the costs from an entry of a list to all of them.
 * out        row [round_up(count)] */
static void copy_row(const WmTileGraph *graph, const WmCluster *cluster, uint32_t from, uint8_t *row) {
  const uint8_t *roots = wm_graph_roots(graph, cluster);
  const size_t count = cluster->count;
  memset(row + count, WM_NO_COST, round_up(count) - count);
  if (!(cluster->flags & WM_CLUSTER_SYMMETRIC)) {
    memcpy(row, roots + from * count, count);
    return;
  }
  if (from > 0) memcpy(row, roots + (size_t)from * (from - 1) / 2, from);
  row[from] = 0;
  size_t at = (size_t)from * (from + 1) / 2 + from;
  for (size_t i = (size_t)from + 1; i < count; at += i++) row[i] = roots[at];
}

/* Lowers four costs to those of steps, and appends the indices of those that it has lowered. */
static void improve_four(WmInt4 roots, float cost, float unit, size_t index, float *costs,
                         WmImproved *improved) {
  const WmFloat4 root = wm_int4_to_float4(roots); /* its square is exact */
  const WmFloat4 next = wm_splat_float4(cost) + root * root * wm_splat_float4(unit);
  const WmFloat4 former = wm_load_float4(costs + index);
  const WmInt4 is_lower = (WmInt4)(next < former) & ~(WmInt4)(roots == wm_splat_int4(WM_NO_COST));
  unsigned mask = (unsigned)wm_mask_int4(is_lower);
  if (!mask) return;
  wm_store_float4(costs + index, wm_select_float4(is_lower, next, former));
  for (; mask; mask >>= 1, index++) {
    if (mask & 1) improved->indices[improved->count++] = (uint16_t)index;
  }
}

WmStatus wm_walk_improve(const WmTileGraph *graph, WmWalk *walk, uint32_t number, uint32_t from, float cost,
                         WmImproved *improved) {
  const WmCluster *cluster = wm_graph_clusters(graph) + number;
  float *costs = wm_walk_costs(graph->context, walk, cluster, number);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  improved->count = 0;
  improved->costs = costs;
  uint8_t row[WM_ENTRANCE_LIMIT + WM_ROW_LANES];
  copy_row(graph, cluster, from, row);
  const float own = costs[from];
  costs[from] = -INFINITY; /* no step leads back */
  for (size_t i = 0; i < cluster->count; i += WM_ROW_LANES) {
    const WmShort8 roots = wm_load_bytes_as_short8(row + i);
    improve_four(wm_widen_low_short8(roots), cost, cluster->unit, i, costs, improved);
    improve_four(wm_widen_high_short8(roots), cost, cluster->unit, i + 4, costs, improved);
  }
  costs[from] = own;
  return WM_OK;
}
