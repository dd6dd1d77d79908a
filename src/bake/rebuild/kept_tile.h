/* What is kept of a tile, compressed, so that it can be built again without the level: its open spans before
 * erosion, border included. From them the stages from the compact heightfield on make the same tile.
 *
 * The code says of each cell whether it is as those before it let expect (as many spans, floors on a plane,
 * ceilings level, areas equal), and if not, how it differs. A range coder learns how likely that is; flat
 * ground takes next to nothing, hills three or four bits a span.
 * Floors are predicted as in M. Weinberger, G. Seroussi, G. Sapiro, "The LOCO-I lossless image compression
 * algorithm" (2000). */
#ifndef WALKMESH_BAKE_KEPT_TILE_H
#define WALKMESH_BAKE_KEPT_TILE_H

#include "bake/compact/open_rows.h"

/* Writes rows, which stay as they are, to a block of the context.
 * out        *bytes [*byte_count], freed by wm_block_free; NULL on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       some 10 ns a cell of even ground, 60 of hills; scratch memory O(spans) */
WmStatus wm_kept_tile_write(WmContext *context, const WmOpenRows *rows, uint8_t **bytes, size_t *byte_count);

/* Reads what was written for a grid of this size. Any bytes are safe.
 * out        rows, freed by wm_open_rows_free; zeroed on failure
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY
 * memory     4 bytes a cell and a span; those of rows as they are read */
WmStatus wm_kept_tile_read(WmContext *context, const uint8_t *bytes, size_t byte_count, const WmGrid *grid,
                           WmOpenRows *rows);

#endif
