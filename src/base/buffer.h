/* An array that grows and never shrinks. */
#ifndef WALKMESH_BASE_BUFFER_H
#define WALKMESH_BASE_BUFFER_H

#include "base/context.h"

typedef struct WmBuffer {
  void *items;
  size_t capacity; /* items, below 2^31 */
} WmBuffer;

/* Room for `needed` items; those there are kept, new ones are zero. Growth is by half at least.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY (the buffer is as it was) */
WmStatus wm_buffer_reserve(WmContext *context, WmBuffer *buffer, size_t needed, size_t item_bytes);

#endif
