/* The entrances and steps of one level of a tile graph as plain arrays, for drawing. See tile_graph.h. */
#include "query/tile_graph/tile_graph_internal.h"

/* Writes the entrances of a level.
 * out        numbers [entrance_count]: their index in the result; WM_NONE: not of the level */
static WmStatus write_points(WmTileGraph *graph, uint32_t level, uint32_t *numbers, WmTileGraphSteps *steps) {
  const WmStatus status = wm_buffer_reserve(graph->context, &graph->step_points,
                                            3 * (size_t)graph->used_entrances, sizeof(float));
  if (status) return status;
  float *points = graph->step_points.items;
  for (uint32_t i = 0; i < graph->entrance_count; i++) {
    const WmEntrance *entrance = wm_graph_entrances(graph) + i;
    numbers[i] = WM_NONE;
    if (entrance->clusters[0] == WM_NONE || entrance->level < level || !entrance->directions) continue;
    numbers[i] = (uint32_t)steps->entrance_count++;
    memcpy(points + 3 * (size_t)numbers[i], entrance->point, sizeof entrance->point);
  }
  steps->points = points;
  return WM_OK;
}

/* Appends the pairs of entrances between which one can walk within a cluster. */
static WmStatus append_pairs(WmTileGraph *graph, const WmCluster *cluster, const uint32_t *numbers,
                             WmTileGraphSteps *steps) {
  const size_t most = steps->step_count + wm_graph_cost_count(cluster->count, true);
  const WmStatus status = wm_buffer_reserve(graph->context, &graph->steps, 2 * most, sizeof(uint32_t));
  if (status) return status;
  const uint32_t *list = wm_graph_list(graph, cluster);
  uint32_t *pairs = graph->steps.items;
  for (uint32_t i = 0; i < cluster->count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      const uint32_t a = numbers[list[i] >> 1], b = numbers[list[j] >> 1];
      const float cost = fminf(wm_graph_cost(graph, cluster, i, j), wm_graph_cost(graph, cluster, j, i));
      if (a == WM_NONE || b == WM_NONE || !(cost < INFINITY)) continue;
      pairs[2 * steps->step_count] = a;
      pairs[2 * steps->step_count++ + 1] = b;
    }
  }
  return WM_OK;
}

static WmStatus write_steps(WmTileGraph *graph, uint32_t level, WmTileGraphSteps *steps) {
  uint32_t *numbers = wm_scratch_array(graph->context, graph->entrance_count, sizeof *numbers);
  if (!numbers) return WM_ERROR_OUT_OF_MEMORY;
  WmStatus status = write_points(graph, level, numbers, steps);
  for (uint32_t i = 0; i < graph->cluster_count && !status; i++) {
    const WmCluster *cluster = wm_graph_clusters(graph) + i;
    if ((cluster->flags & WM_CLUSTER_USED) && cluster->level == level)
      status = append_pairs(graph, cluster, numbers, steps);
  }
  steps->steps = graph->steps.items;
  return status;
}

WmStatus wm_tile_graph_steps(WmTileGraph *graph, uint32_t level, WmTileGraphSteps *steps) {
  *steps = (WmTileGraphSteps){0};
  if (level >= WM_GRAPH_LEVELS) {
    return wm_fail_range(graph->context, WM_ERROR_INVALID_ARGUMENT, "level", level, 0, WM_GRAPH_LEVELS - 1,
                         NULL);
  }
  WmStatus status = wm_tile_graph_update(graph);
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  status = write_steps(graph, level, steps);
  wm_scratch_rewind(graph->context, mark);
  if (status) *steps = (WmTileGraphSteps){0};
  return status;
}
