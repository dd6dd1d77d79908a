/* Memory that grows piece by piece: arrays that stay where they are and are dropped together. Growing copies nothing, so that no
 * call takes long because of all that was stored before it. Pieces are used again after wm_pieces_clear.
 *
 * Usual order: wm_pieces_allocate for each array; wm_pieces_clear drops them all; wm_pieces_free. */
#ifndef WALKMESH_BASE_PIECES_H
#define WALKMESH_BASE_PIECES_H

#include "base/context.h"

typedef struct WmPiece WmPiece;

/* Start with {0}. */
typedef struct WmPieces {
  WmPiece *first, *current; /* NULL: none */
  size_t used;              /* bytes of the current piece */
  size_t bytes;             /* allocated since the last wm_pieces_clear */
} WmPieces;

/* Allocates bytes, aligned to 16. They aren't zeroed.
 * returns    NULL after recording WM_ERROR_OUT_OF_MEMORY; what is allocated stays
 * memory     at most half as much again as is allocated, or 16 kB if that is more, and at most 256 kB */
void *wm_pieces_allocate(WmContext *context, WmPieces *pieces, size_t bytes);

/* Drops all that is allocated. The pieces stay. */
void wm_pieces_clear(WmPieces *pieces);

void wm_pieces_free(WmContext *context, WmPieces *pieces);

#endif
