/* A kept tile: the open spans of one tile before erosion, border included, compressed to bytes. The tile
 * is built again from them, without the level: all stages from the compact heightfield on give the same
 * result.
 *
 * For each cell a bit says that it equals its prediction (as many spans as its neighbours, floors on a
 * plane, level ceilings, equal areas); otherwise the difference is coded. A range coder adapts to the
 * probabilities: flat ground needs almost no bits, hills three or four bits per span. Floors are predicted
 * as in M. Weinberger, G. Seroussi, G. Sapiro, "The LOCO-I lossless image compression algorithm" (2000). */
#ifndef WALKMESH_BAKE_KEPT_TILE_H
#define WALKMESH_BAKE_KEPT_TILE_H

#include "bake/compact/open_rows.h"

/* Writes open rows, which it does not change, to a block of the context.
 * out        *bytes [*byte_count], freed by wm_block_free; NULL on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       about 10 ns per cell of even ground, 60 ns of hills; scratch memory O(spans) */
WmStatus wm_kept_tile_write(WmContext *context, const WmOpenRows *rows, uint8_t **bytes, size_t *byte_count);

/* Reads a kept tile for a grid of the same size. Any bytes are safe.
 * out        rows, freed by wm_open_rows_free; zeroed on failure
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY
 * memory     4 bytes per cell and per span of the rows read */
WmStatus wm_kept_tile_read(WmContext *context, const uint8_t *bytes, size_t byte_count, const WmGrid *grid,
                           WmOpenRows *rows);

#endif
