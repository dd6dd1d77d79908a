/* An array of the context's allocator that grows and never shrinks. */
#ifndef WALKMESH_BASE_BUFFER_H
#define WALKMESH_BASE_BUFFER_H

#include "base/context.h"

typedef struct WmBuffer {
  void *items;
  size_t capacity; /* items, below 2^31 */
} WmBuffer;

/* Grows the buffer to at least `needed` items: keeps its items and zeroes the new ones. The capacity grows by
 * half or more.
 * in/out     buffer: zeroed before the first call; the caller frees `items` with wm_block_free
 * in         needed: items; item_bytes: the same in all calls
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY: the buffer is unchanged */
WmStatus wm_buffer_reserve(WmContext *context, WmBuffer *buffer, size_t needed, size_t item_bytes);

#endif
