/* The table of a search's nodes. See nodes.h. */
#include "query/search/nodes.h"

void wm_nodes_init(WmNodes *nodes, WmContext *context, const WmMesh *mesh) {
  nodes->context = context;
  nodes->mesh = mesh;
}

void wm_nodes_free(WmNodes *nodes) {
  wm_block_free(nodes->context, nodes->nodes.items);
  wm_block_free(nodes->context, nodes->tiles.items);
  wm_block_free(nodes->context, nodes->keys.items);
  wm_block_free(nodes->context, nodes->pushed.items);
  wm_block_free(nodes->context, nodes->entries.items);
}

/* After 2^32 searches the stamps start again: the old ones are cleared first. */
WmStatus wm_nodes_begin(WmNodes *nodes, const WmFilter *filter) {
  const size_t slots = wm_mesh_slot_count(nodes->mesh);
  const WmStatus status = wm_buffer_reserve(nodes->context, &nodes->tiles, slots, sizeof(WmNodeTile));
  if (status) return status;
  if (++nodes->stamp == 0) {
    memset(nodes->tiles.items, 0, nodes->tiles.capacity * sizeof(WmNodeTile));
    if (nodes->nodes.items) memset(nodes->nodes.items, 0, nodes->nodes.capacity * sizeof(WmNode));
    nodes->stamp = 1;
  }
  nodes->filter = filter;
  nodes->sequence = 0;
  nodes->node_count = 0;
  nodes->heap_count = 0;
  nodes->is_top_removed = false;
  if (nodes->keys.items) wm_heap_clear(nodes->keys.items);
  return WM_OK;
}

WmStatus wm_nodes_touch(WmNodes *nodes, uint32_t slot) {
  const WmMeshTile *tile = wm_mesh_tile(nodes->mesh, slot);
  const size_t first = nodes->node_count, end = first + tile->state_first[tile->polygon_count];
  const WmStatus status = wm_buffer_reserve(nodes->context, &nodes->nodes, end, sizeof(WmNode));
  if (status) return status;
  const float *factors = wm_filter_factors(nodes->filter, tile);
  ((WmNodeTile *)nodes->tiles.items)[slot] = (WmNodeTile){tile, factors, nodes->stamp, (uint32_t)first};
  nodes->node_count = end;
  return WM_OK;
}

WmStatus wm_nodes_grow_open(WmNodes *nodes, size_t more) {
  const size_t keys = nodes->heap_count + more + WM_HEAP_MARGIN, pushed = nodes->sequence + more + 1;
  WmStatus status = WM_OK;
  if (keys > nodes->keys.capacity) {
    status = wm_buffer_reserve(nodes->context, &nodes->keys, keys + 64, sizeof(uint64_t));
    if (!status && nodes->heap_count == 0) wm_heap_clear(nodes->keys.items);
  }
  if (!status && pushed > nodes->pushed.capacity) {
    status = wm_buffer_reserve(nodes->context, &nodes->pushed, pushed + 256, sizeof(uint32_t));
  }
  return status;
}
