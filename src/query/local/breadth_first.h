/* Visiting polygons breadth first, each once: a queue of node numbers, in WM_QUERY_NUMBERS. */
#ifndef WALKMESH_QUERY_BREADTH_FIRST_H
#define WALKMESH_QUERY_BREADTH_FIRST_H

#include "query/query_internal.h"

/* Starts with a ground polygon, the first of the queue. `filter` must outlive the visit.
 * out        *queued: 1
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_breadth_first_begin(WmQuery *query, const WmFilter *filter, WmRef start, uint32_t *queued);

/* The number of a polygon's node; its stamp is that of query->nodes if the polygon was queued before.
 * UINT32_MAX: out of memory, recorded. */
uint32_t wm_breadth_first_find(WmQuery *query, uint32_t slot, uint32_t polygon);

/* Appends a polygon to the queue, once only.
 * in         parent: the node it is reached from
 * in/out     *queued: length of the queue */
WmStatus wm_breadth_first_put(WmQuery *query, uint32_t number, uint32_t slot, uint32_t polygon,
                              uint32_t parent, uint32_t *queued);

/* The node at an index of the queue, with its tile. */
WM_INLINE uint32_t wm_breadth_first_at(const WmQuery *query, uint32_t index, const WmMeshTile **tile,
                                       uint32_t *polygon) {
  const uint32_t number = ((const uint32_t *)query->arrays[WM_QUERY_NUMBERS].items)[index];
  const WmNode *node = wm_nodes_items(&query->nodes) + number;
  *tile = ((const WmNodeTile *)query->nodes.tiles.items)[node->slot].tile;
  *polygon = node->polygon;
  return number;
}

#endif
