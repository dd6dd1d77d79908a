/* A grid over a tile's tree: the leaves around a point without a walk from the root.
 *
 * Most points that users ask about lie on the mesh: the polygon is one of the few whose boxes contain the point.
 * A walk down the tree visits eight blocks for them and takes as many turns that no processor predicts. The grid
 * lists for each of its cells all leaves that a search box touches whose low corner is in the cell, and that is at
 * most WM_NEAR_BOX wide, in the order of the tree.
 *
 * Cells are squares on x and z of 2^shift cells of the tree. A list holds numbers of nodes: a node is 16 bytes with
 * box and polygon, so that a leaf costs one load. Tiles of few leaves have no grid (width 0). */
#ifndef WALKMESH_MESH_NEAR_GRID_H
#define WALKMESH_MESH_NEAR_GRID_H

#include "base/simd.h"
#include "mesh/mesh_internal.h"

/* Largest extent of a search box on x and z, cells of the tree. */
enum { WM_NEAR_BOX = 10 };

/* Tiles of at most this number of leaves have no grid. */
enum { WM_NEAR_FEW_LEAVES = 8 };

/* Upper bounds of the lengths of `first` and `nodes`, for a tile of `leaf_count` leaves. */
static inline size_t wm_near_first_count(size_t leaf_count) { return leaf_count + 1; }
static inline size_t wm_near_node_count(size_t leaf_count) { return 4 * leaf_count; }

/* Computes the grid of a tile.
 * in         leaf_count of the tile is set */
void wm_tile_fill_near_grid(WmTileRecord *record);

/* True if the tile has a grid, and a search box fits it. */
WM_INLINE bool wm_near_grid_fits(const WmNearGrid *grid, const int32_t low[3], const int32_t high[3]) {
  return grid->width > 0 && high[0] - low[0] <= WM_NEAR_BOX && high[2] - low[2] <= WM_NEAR_BOX;
}

/* The cell of a box's low corner; UINT32_MAX: no leaf is there. */
WM_INLINE uint32_t wm_near_cell(const WmNearGrid *grid, const int32_t low[3]) {
  const uint32_t x = (uint32_t)low[0] >> grid->shift, z = (uint32_t)low[2] >> grid->shift;
  return x < grid->width && z < grid->depth ? z * grid->width + x : UINT32_MAX;
}

/* A search box as numbers that the sides of a node's box must not exceed: its high sides for their low ones, and the
 * complement of its low sides for the complement of their high ones. All have the highest bit flipped, so that they
 * compare as signed numbers. */
typedef struct WmNearBox {
  WmShort8 most;
} WmNearBox;

WM_INLINE WmNearBox wm_near_box(const int32_t low[3], const int32_t high[3]) {
  const int16_t most[8] = {(int16_t)(high[0] ^ 0x8000),
                           (int16_t)(high[1] ^ 0x8000),
                           (int16_t)(high[2] ^ 0x8000),
                           (int16_t)(low[0] ^ 0x7fff),
                           (int16_t)(low[1] ^ 0x7fff),
                           (int16_t)(low[2] ^ 0x7fff),
                           INT16_MAX,
                           INT16_MAX};
  return (WmNearBox){wm_load_short8(most)};
}

WM_INLINE bool wm_near_touches(const WmTileNode *node, const WmNearBox *box) {
  int16_t numbers[8];
  memcpy(numbers, node, sizeof numbers);
  const WmShort8 flip = {INT16_MIN, INT16_MIN, INT16_MIN, INT16_MAX, INT16_MAX, INT16_MAX, 0, 0};
  return wm_mask_short8((WmShort8)((wm_load_short8(numbers) ^ flip) > box->most)) == 0;
}

#endif
