/* Visiting polygons breadth first. See breadth_first.h. */
#include "query/local/breadth_first.h"

uint32_t wm_breadth_first_find(WmQuery *query, uint32_t slot, uint32_t polygon) {
  const WmNodeTile *entry = wm_nodes_tile(&query->nodes, slot);
  return entry ? wm_nodes_at(entry, polygon, WM_TILE_SIDE_INSIDE) : UINT32_MAX;
}

WmStatus wm_breadth_first_put(WmQuery *query, uint32_t number, uint32_t slot, uint32_t polygon,
                              uint32_t parent, uint32_t *queued) {
  WmBuffer *queue = &query->arrays[WM_QUERY_NUMBERS];
  if (*queued == queue->capacity) {
    const WmStatus status = wm_query_reserve(query, WM_QUERY_NUMBERS, WM_QUERY_NUMBERS, *queued + (size_t)16);
    if (status) return status;
  }
  WmNode *node = wm_nodes_items(&query->nodes) + number;
  node->stamp = query->nodes.stamp;
  node->sequence = 0;
  node->slot = slot;
  node->polygon = polygon;
  node->parent = parent;
  ((uint32_t *)queue->items)[(*queued)++] = number;
  return WM_OK;
}

WmStatus wm_breadth_first_begin(WmQuery *query, const WmFilter *filter, WmRef start, uint32_t *queued) {
  *queued = 0;
  const WmStatus status = wm_nodes_begin(&query->nodes, filter);
  if (status) return status;
  const uint32_t slot = wm_ref_slot(start), polygon = wm_ref_polygon(start);
  const uint32_t number = wm_breadth_first_find(query, slot, polygon);
  if (number == UINT32_MAX) return WM_ERROR_OUT_OF_MEMORY;
  return wm_breadth_first_put(query, number, slot, polygon, number, queued);
}
