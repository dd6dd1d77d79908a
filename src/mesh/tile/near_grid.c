/* The grid over a tile's tree. See near_grid.h. */
#include "mesh/tile/near_grid.h"

/* The cells of one leaf: all whose search boxes can touch it. */
typedef struct Cells {
  uint32_t first_x, first_z, last_x, last_z;
} Cells;

static Cells cells_of(const WmTileNode *node, uint32_t shift) {
  const uint32_t x = node->low[0] < WM_NEAR_BOX ? 0 : node->low[0] - WM_NEAR_BOX;
  const uint32_t z = node->low[2] < WM_NEAR_BOX ? 0 : node->low[2] - WM_NEAR_BOX;
  return (Cells){x >> shift, z >> shift, (uint32_t)node->high[0] >> shift, (uint32_t)node->high[2] >> shift};
}

/* Number of entries of all lists. */
static size_t count_entries(const WmMeshTile *tile, uint32_t shift) {
  size_t entries = 0;
  for (uint32_t i = 0; i < tile->node_count; i++) {
    if (tile->nodes[i].index < 0) continue;
    const Cells cells = cells_of(&tile->nodes[i], shift);
    entries += (size_t)(cells.last_x - cells.first_x + 1) * (cells.last_z - cells.first_z + 1);
  }
  return entries;
}

/* Chooses the smallest cells whose grid fits its arrays. */
static void choose_cells(const WmMeshTile *tile, WmNearGrid *grid) {
  uint32_t high_x = 0, high_z = 0;
  for (uint32_t i = 0; i < tile->node_count; i++) {
    const WmTileNode *node = &tile->nodes[i];
    if (node->index >= 0 && node->high[0] > high_x) high_x = node->high[0];
    if (node->index >= 0 && node->high[2] > high_z) high_z = node->high[2];
  }
  const size_t cell_room = wm_near_first_count(tile->leaf_count) - 1;
  for (uint32_t shift = 3;; shift++) {
    *grid = (WmNearGrid){shift, (high_x >> shift) + 1, (high_z >> shift) + 1, grid->first, grid->nodes};
    if ((size_t)grid->width * grid->depth > cell_room) continue;
    if (count_entries(tile, shift) <= wm_near_node_count(tile->leaf_count)) return;
  }
}

/* Two passes. The first counts the leaves of cell c in first[c], and sums up, which makes it the end of the cell. In
 * the second, from the last leaf to the first, it is the cursor of the cell, and ends as its start. */
void wm_tile_fill_near_grid(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  WmNearGrid *grid = &record->tile.near_grid;
  uint32_t *first = record->arrays.near_first;
  *grid = (WmNearGrid){.first = first, .nodes = record->arrays.near_nodes};
  if (tile->leaf_count <= WM_NEAR_FEW_LEAVES) return;
  choose_cells(tile, grid);
  const uint32_t cell_count = grid->width * grid->depth;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = tile->node_count; i-- > 0;) {
      if (tile->nodes[i].index < 0) continue;
      const Cells cells = cells_of(&tile->nodes[i], grid->shift);
      for (uint32_t z = cells.first_z; z <= cells.last_z; z++) {
        for (uint32_t x = cells.first_x; x <= cells.last_x; x++) {
          uint32_t *cursor = first + (size_t)z * grid->width + x;
          if (pass == 0) {
            ++*cursor;
          } else {
            record->arrays.near_nodes[--*cursor] = (uint16_t)i;
          }
        }
      }
    }
    for (uint32_t c = 1; c <= cell_count && pass == 0; c++) first[c] += first[c - 1];
  }
}
