/* See pieces.h. */
#include "base/pieces.h"

enum { ALIGNMENT = 16, LEAST_BYTES = 16 << 10, MOST_BYTES = 256 << 10 };

struct WmPiece {
  _Alignas(ALIGNMENT) WmPiece *next;
  size_t bytes; /* behind this header */
};

/* Adds a piece behind the last one.
 * returns    NULL: out of memory */
static WmPiece *add_piece(WmContext *context, WmPieces *pieces, WmPiece *last, size_t needed) {
  size_t bytes = pieces->bytes / 2;
  bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes > MOST_BYTES ? MOST_BYTES : bytes;
  if (bytes < needed) bytes = needed;
  WmPiece *piece = wm_block_allocate(context, sizeof(WmPiece) + bytes);
  if (!piece) return NULL;
  *piece = (WmPiece){.next = NULL, .bytes = bytes};
  *(last ? &last->next : &pieces->first) = piece;
  return piece;
}

/* Goes on to the next piece that is large enough. */
static WmPiece *advance(WmContext *context, WmPieces *pieces, size_t needed) {
  WmPiece *last = pieces->current, *piece = last ? last->next : pieces->first;
  for (; piece && piece->bytes < needed; piece = piece->next) last = piece;
  if (!piece) piece = add_piece(context, pieces, last, needed);
  if (!piece) return NULL;
  pieces->used = 0;
  return pieces->current = piece;
}

void *wm_pieces_allocate(WmContext *context, WmPieces *pieces, size_t bytes) {
  bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  WmPiece *piece = pieces->current;
  if (!piece || piece->bytes - pieces->used < bytes) piece = advance(context, pieces, bytes);
  if (!piece) return NULL;
  uint8_t *allocated = (uint8_t *)(piece + 1) + pieces->used;
  pieces->used += bytes;
  pieces->bytes += bytes;
  return allocated;
}

void wm_pieces_clear(WmPieces *pieces) {
  pieces->current = NULL;
  pieces->used = pieces->bytes = 0;
}

void wm_pieces_free(WmContext *context, WmPieces *pieces) {
  for (WmPiece *piece = pieces->first, *next; piece; piece = next) {
    next = piece->next;
    wm_block_free(context, piece);
  }
  *pieces = (WmPieces){0};
}
