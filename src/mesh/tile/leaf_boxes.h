/* Boxes of a tile's tree, eight side by side, so that one test compares eight.
 *
 * The leaves of the tree in their order, eight a block; above them blocks of eight blocks, and so on up to
 * one block. Block i has boxes 8 * i to 8 * i + 7 of its layer, so that no block needs a pointer to its
 * children. A walk visits leaves in the order of the tree. Bounds are those of nodes with the highest bit
 * flipped, so that they compare as signed numbers. */
#ifndef WALKMESH_MESH_LEAF_BOXES_H
#define WALKMESH_MESH_LEAF_BOXES_H

#include "base/simd.h"
#include "mesh/mesh_internal.h"

/* Enough for 2^31 nodes. */
enum { WM_LEAF_LEVELS = 11 };

typedef struct WmLeafBlock {
  int16_t low[3][8], high[3][8]; /* lanes behind the last box hold zeros */
} WmLeafBlock;

/* Number of blocks above `leaf_count` leaves, of all layers. */
size_t wm_leaf_block_count(size_t leaf_count);

/* Computes the blocks, and the polygons and the number of leaves. */
void wm_tile_fill_leaves(WmTileRecord *record);

/* Returns a bit for each of a block's boxes that overlaps the box low..high, each number in all lanes. */
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
