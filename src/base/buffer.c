/* See buffer.h. */
#include "base/buffer.h"

#include <string.h>

WmStatus wm_buffer_reserve(WmContext *context, WmBuffer *buffer, size_t needed, size_t item_bytes) {
  if (needed <= buffer->capacity) return WM_OK;
  if (needed > INT32_MAX) return wm_fail_memory(context, SIZE_MAX);
  size_t capacity = buffer->capacity + buffer->capacity / 2;
  if (capacity < needed) capacity = needed;
  WmLayout layout = {0};
  wm_layout_add(&layout, capacity, item_bytes);
  uint8_t *items = wm_layout_allocate(context, &layout);
  if (!items) return WM_ERROR_OUT_OF_MEMORY;
  const size_t kept = buffer->capacity * item_bytes;
  if (kept) memcpy(items, buffer->items, kept);
  memset(items + kept, 0, capacity * item_bytes - kept);
  wm_block_free(context, buffer->items);
  *buffer = (WmBuffer){items, capacity};
  return WM_OK;
}
