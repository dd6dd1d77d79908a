/* Boxes of a tile's tree, eight side by side, so that one test is for eight.
 *
 * The leaves of the tree in their order, eight a block; over them blocks of eight blocks, and so on up to one
 * block: children are found by counting. A walk meets leaves in the order of the tree. Numbers are those of
 * nodes, turned around their highest bits so that they compare as ones with a sign. */
#ifndef WALKMESH_MESH_LEAF_BOXES_H
#define WALKMESH_MESH_LEAF_BOXES_H

#include "base/simd.h"
#include "mesh/mesh_internal.h"

/* Nodes are counted with 31 bits. */
enum { WM_LEAF_LEVELS = 11 };

typedef struct WmLeafBlock {
  int16_t low[3][8], high[3][8]; /* places behind the last hold zeros */
} WmLeafBlock;

/* Blocks over so many leaves, of all levels. */
size_t wm_leaf_block_count(size_t leaf_count);

/* Fills in the blocks, and the leaves' polygons and their number. */
void wm_tile_fill_leaves(WmTileRecord *record);

/* A bit for each of a block's boxes that touches the box between two corners, each number in all lanes. */
WM_INLINE uint32_t wm_leaf_block_touches(const WmLeafBlock *block, const WmShort8 low[3],
                                         const WmShort8 high[3]) {
  WmShort8 apart = wm_splat_short8(0);
  for (int axis = 0; axis < 3; axis++) {
    apart |= (WmShort8)(wm_load_short8(block->low[axis]) > high[axis]);
    apart |= (WmShort8)(wm_load_short8(block->high[axis]) < low[axis]);
  }
  return ~(uint32_t)wm_mask_short8(apart) & 0xff;
}

#endif
