/* The steps of a search through one cluster. In a dense town a list has some hundred entries, and nine in ten steps lead to one that
 * is already reached at less. So the search stores, for each list that it has met, the lowest cost of a step to each entry, in the
 * order of the list: steps are computed and compared eight at a time, and the search goes on only from those that improve on it.
 *
 * An entry is in the list of one cluster only, of those that a search uses: see wm_graph_choose_cluster.
 *
 * An agent at an entrance between two tiles is in both. So a step that enters a cluster there is of no use if another one has come to that
 * place within the cluster at a lower cost: ways within a cluster add up. Else the cost of the step is the lowest one to that place. This
 * saves a third of all steps. It isn't true at the ends of connections: there an agent is on the connection or beside it, and a segment
 * link need not lead from each of its positions to where another one leads. */
#include "base/simd.h"
#include "query/tile_graph/tile_graph_internal.h"

uint32_t wm_graph_index_of(const uint32_t *list, uint32_t count, uint32_t entry) {
  uint32_t i = 0;
  const WmUint4 wanted = {entry, entry, entry, entry};
  for (; i + 8 <= count; i += 8) {
    const WmUint4 low = wm_load_uint4(list + i), high = wm_load_uint4(list + i + 4);
    if (wm_mask_int4((WmInt4)(low == wanted) | (WmInt4)(high == wanted))) break;
  }
  while (i < count && list[i] != entry) i++;
  return i;
}

float *wm_walk_meet(const WmTileGraph *graph, WmWalk *walk, WmCluster *cluster) {
  if (cluster->met == graph->met) return (float *)walk->costs.items + cluster->first_place;
  /* Vectors may reach beyond the list. */
  const size_t needed = walk->cost_count + cluster->count + WM_ROW_LANES;
  if (wm_buffer_reserve(graph->context, &walk->costs, needed, sizeof(float))) return NULL;
  float *costs = (float *)walk->costs.items + walk->cost_count;
  cluster->met = graph->met;
  cluster->first_place = (uint32_t)walk->cost_count;
  walk->cost_count += cluster->count;
  for (uint32_t i = 0; i < cluster->count; i++) costs[i] = INFINITY;
  return costs;
}

/* Rounded up, so that steps are compared in whole vectors. */
static size_t round_up(size_t count) { return (count + WM_ROW_LANES - 1) / WM_ROW_LANES * WM_ROW_LANES; }

/* Copies the roots of the costs from an entry of a part to all of them, but not to itself.
 * out        row [round_up(part.count)] */
static void copy_row(WmGraphPart part, bool symmetric, uint32_t from, uint8_t *row) {
  const size_t count = part.count;
  memset(row + count, WM_NO_COST, round_up(count) - count);
  if (symmetric) {
    if (from > 0) memcpy(row, part.roots + (size_t)from * (from - 1) / 2, from);
    size_t at = (size_t)from * (from + 1) / 2 + from;
    for (size_t i = (size_t)from + 1; i < count; at += i++) row[i] = part.roots[at];
  } else {
    memcpy(row, part.roots + from * count, count);
  }
  row[from] = WM_NO_COST; /* no step leads back */
}

/* Lowers four costs to those of steps, and appends the indices of those that it has lowered. */
static inline void improve_four(WmInt4 roots, float cost, float unit, float *costs, size_t index,
                                WmImproved *improved) {
  const WmFloat4 root = wm_int4_to_float4(roots); /* its square is exact */
  const WmFloat4 next = wm_splat_float4(cost) + root * root * wm_splat_float4(unit);
  const WmFloat4 former = wm_load_float4(costs);
  const WmInt4 is_lower = (WmInt4)(next < former) & ~(WmInt4)(roots == wm_splat_int4(WM_NO_COST));
  unsigned mask = (unsigned)wm_mask_int4(is_lower);
  if (!mask) return;
  wm_store_float4(costs, wm_select_float4(is_lower, next, former));
  for (; mask; mask >>= 1, index++) {
    if (mask & 1) improved->indices[improved->count++] = (uint16_t)index;
  }
}

WmStatus wm_walk_improve(const WmTileGraph *graph, WmWalk *walk, uint32_t number, uint32_t from, float cost,
                         WmImproved *improved) {
  WmCluster *cluster = wm_graph_clusters(graph) + number;
  float *costs = wm_walk_meet(graph, walk, cluster);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  improved->count = 0;
  improved->first_place = cluster->first_place;
  if (!(wm_graph_entrance(graph, wm_graph_list(graph, cluster)[from])->state & WM_ENTRANCE_END)) {
    if (costs[from] < cost) return WM_OK;
    costs[from] = cost;
  }
  if ((cluster->flags & WM_CLUSTER_ASSUMED) && cluster->level == 0) {
    wm_walk_improve_assumed(graph, cluster, from, cost, costs, improved);
    return WM_OK;
  }
  const WmGraphPart part = wm_graph_part(graph, cluster, from);
  if (part.count == 0) return WM_OK;
  uint8_t row[WM_ENTRANCE_LIMIT + WM_ROW_LANES];
  copy_row(part, cluster->flags & WM_CLUSTER_SYMMETRIC, from - part.first, row);
  costs += part.first;
  for (size_t i = 0; i < part.count; i += WM_ROW_LANES) {
    const WmShort8 roots = wm_load_bytes_as_short8(row + i);
    const size_t index = part.first + i;
    improve_four(wm_widen_low_short8(roots), cost, cluster->unit, costs + i, index, improved);
    improve_four(wm_widen_high_short8(roots), cost, cluster->unit, costs + i + 4, index + 4, improved);
  }
  return WM_OK;
}
