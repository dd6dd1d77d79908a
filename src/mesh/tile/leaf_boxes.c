/* Boxes of a tile's tree, eight side by side. See leaf_boxes.h. */
#include "mesh/tile/leaf_boxes.h"

size_t wm_leaf_block_count(size_t leaf_count) {
  size_t count = 0;
  for (size_t boxes = leaf_count; boxes > 1 || (boxes > 0 && count == 0);) {
    boxes = (boxes + 7) / 8;
    count += boxes;
  }
  return count;
}

/* Writes box `index` of a layer of blocks. */
static void put(WmLeafBlock *blocks, size_t index, const int16_t low[3], const int16_t high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    blocks[index / 8].low[axis][index % 8] = low[axis];
    blocks[index / 8].high[axis][index % 8] = high[axis];
  }
}

/* Writes box `index` of a layer: the bounds of the first `count` boxes of a block. */
static void put_block(WmLeafBlock *blocks, size_t index, const WmLeafBlock *of, size_t count) {
  int16_t low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = of->low[axis][0];
    high[axis] = of->high[axis][0];
    for (size_t k = 1; k < count; k++) {
      if (of->low[axis][k] < low[axis]) low[axis] = of->low[axis][k];
      if (of->high[axis][k] > high[axis]) high[axis] = of->high[axis][k];
    }
  }
  put(blocks, index, low, high);
}

void wm_tile_fill_leaves(WmTileRecord *record) {
  WmMeshTile *tile = &record->tile;
  WmLeafBlock *blocks = record->arrays.leaf_blocks;
  size_t count = 0;
  for (uint32_t i = 0; i < tile->node_count; i++) {
    const WmTileNode *node = &tile->nodes[i];
    if (node->index < 0) continue;
    int16_t low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = (int16_t)(node->low[axis] ^ 0x8000);
      high[axis] = (int16_t)(node->high[axis] ^ 0x8000);
    }
    record->arrays.leaf_polygons[count] = (uint32_t)node->index;
    put(blocks, count++, low, high);
  }
  tile->leaf_count = (uint32_t)count;
  while (count > 8) {
    const size_t below = (count + 7) / 8;
    for (size_t i = 0; i < below; i++)
      put_block(blocks + below, i, blocks + i, count - 8 * i < 8 ? count - 8 * i : 8);
    blocks += below;
    count = below;
  }
}
