/* The context: allocator, scratch stack, last error. See context.h. */
#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { ALIGNMENT = 16, FIRST_CHUNK_BYTES = 64 * 1024 };

/* Sizes above are refused; leaves room for the headers of chunks and of the allocator. */
static const size_t LARGEST = SIZE_MAX - 1024;

/* A chunk's payload follows its header. `data` is aligned by hand, since an allocator only promises
 * the alignment of scalars. */
typedef struct Chunk {
  struct Chunk *next;
  struct Chunk *previous;
  uint8_t *data;
  size_t capacity;
  size_t used;
} Chunk;

struct WmContext {
  WmAllocator allocator;
  Chunk *first;
  Chunk *current; /* chunks after it are empty and wait to be reused */
  WmError error;
};

static void *allocate_with_malloc(void *user, size_t bytes) {
  (void)user;
  return malloc(bytes);
}

static void release_with_free(void *user, void *block) {
  (void)user;
  free(block);
}

WmContext *wm_context_create(const WmAllocator *allocator) {
  static const WmAllocator STANDARD = {allocate_with_malloc, release_with_free, NULL};
  if (!allocator) allocator = &STANDARD;
  WmContext *context = allocator->allocate(allocator->user, sizeof *context);
  if (!context) return NULL;
  memset(context, 0, sizeof *context);
  context->allocator = *allocator;
  context->error.minimum = context->error.maximum = NAN;
  return context;
}

static void release_chunks_from(WmContext *context, Chunk *chunk) {
  while (chunk) {
    Chunk *next = chunk->next;
    context->allocator.release(context->allocator.user, chunk);
    chunk = next;
  }
}

void wm_context_destroy(WmContext *context) {
  if (!context) return;
  release_chunks_from(context, context->first);
  const WmAllocator allocator = context->allocator;
  allocator.release(allocator.user, context);
}

const WmError *wm_context_error(const WmContext *context) { return &context->error; }

void wm_context_trim(WmContext *context) {
  Chunk *keep = context->current;
  if (keep && keep == context->first && keep->used == 0) keep = context->current = NULL;
  release_chunks_from(context, keep ? keep->next : context->first);
  if (keep) {
    keep->next = NULL;
  } else {
    context->first = NULL;
  }
}

/* ---- Failing ------------------------------------------------------------------------------------ */

/* Forgets the last error; `text` is the new one's message, yet empty. */
static WmError *start_error(WmContext *context, WmStatus status, const char *field, WmText *text) {
  WmError *error = &context->error;
  error->status = status;
  error->value = error->minimum = error->maximum = NAN;
  *text = (WmText){error->field, sizeof error->field, 0};
  wm_text_add(text, field ? field : "");
  *text = (WmText){error->message, sizeof error->message, 0};
  return error;
}

WmStatus wm_fail(WmContext *context, WmStatus status, const char *field, const char *message) {
  WmText text;
  start_error(context, status, field, &text);
  wm_text_add(&text, message);
  return status;
}

WmStatus wm_fail_range(WmContext *context, WmStatus status, const char *field, double value, double minimum,
                       double maximum, const char *advice) {
  WmText text;
  WmError *error = start_error(context, status, field, &text);
  error->value = value;
  error->minimum = minimum;
  error->maximum = maximum;
  wm_text_add(&text, field);
  wm_text_add(&text, " is ");
  wm_text_add_number(&text, value);
  wm_text_add(&text, isnan(minimum)   ? ": must be at most "
                     : isnan(maximum) ? ": must be at least "
                                      : ": must be ");
  if (!isnan(minimum)) wm_text_add_number(&text, minimum);
  if (!isnan(minimum) && !isnan(maximum)) wm_text_add(&text, " to ");
  if (!isnan(maximum)) wm_text_add_number(&text, maximum);
  if (advice) {
    wm_text_add(&text, "; ");
    wm_text_add(&text, advice);
  }
  return status;
}

WmStatus wm_fail_number(WmContext *context, WmStatus status, const char *field, const char *before,
                        double value, const char *after) {
  WmText text;
  start_error(context, status, field, &text)->value = value;
  wm_text_add(&text, before);
  wm_text_add_number(&text, value);
  wm_text_add(&text, after);
  return status;
}

WmStatus wm_fail_memory(WmContext *context, size_t bytes) {
  return wm_fail_number(context, WM_ERROR_OUT_OF_MEMORY, "memory", "out of memory: ", (double)bytes,
                        " bytes were not to be had");
}

/* ---- Result blocks ------------------------------------------------------------------------------- */

void *wm_block_allocate(WmContext *context, size_t bytes) {
  void *block = NULL;
  if (bytes <= LARGEST) block = context->allocator.allocate(context->allocator.user, bytes ? bytes : 1);
  if (!block) wm_fail_memory(context, bytes);
  return block;
}

void wm_block_free(WmContext *context, void *block) {
  if (block) context->allocator.release(context->allocator.user, block);
}

/* The one place where sizes are multiplied: SIZE_MAX where the product is larger. */
static size_t size_of_array(size_t count, size_t element_bytes) {
  if (element_bytes && count > (LARGEST - ALIGNMENT) / element_bytes) return SIZE_MAX;
  return (count * element_bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

size_t wm_layout_add(WmLayout *layout, size_t count, size_t element_bytes) {
  const size_t offset = layout->bytes, bytes = size_of_array(count, element_bytes);
  if (bytes > LARGEST - offset) {
    layout->overflow = true;
    return 0;
  }
  layout->bytes = offset + bytes;
  return offset;
}

void *wm_layout_allocate(WmContext *context, const WmLayout *layout) {
  return wm_block_allocate(context, layout->overflow ? SIZE_MAX : layout->bytes);
}

/* ---- Scratch --------------------------------------------------------------------------------------- */

WmScratchMark wm_scratch_mark(const WmContext *context) {
  const Chunk *current = context->current;
  return current ? current->data + current->used : NULL;
}

/* The mark is in the chunk that was current then, or at its end; a chunk's end is not another's beginning,
 * since headers lie between. */
void wm_scratch_rewind(WmContext *context, WmScratchMark mark) {
  Chunk *chunk = context->current;
  for (; chunk; chunk = chunk->previous) {
    const uintptr_t used = (uintptr_t)mark - (uintptr_t)chunk->data;
    chunk->used = 0;
    if (used > chunk->capacity) continue;
    chunk->used = used;
    break;
  }
  context->current = chunk ? chunk : context->first;
}

/* Makes a chunk with room for `bytes` current: the next empty one that fits, else a new one twice as
 * large as the last, so that few are ever needed. */
static bool advance_chunk(WmContext *context, size_t bytes) {
  Chunk *current = context->current;
  Chunk *next = current ? current->next : context->first;
  if (next && next->capacity >= bytes) {
    context->current = next;
    return true;
  }
  const size_t overhead = sizeof *next + ALIGNMENT;
  size_t capacity = current ? current->capacity * 2 : FIRST_CHUNK_BYTES;
  Chunk *chunk = NULL;
  if (capacity > bytes && capacity <= LARGEST) chunk = wm_block_allocate(context, overhead + capacity);
  if (!chunk) { /* doubling is a convenience: what is needed may still be there */
    capacity = bytes;
    chunk = wm_block_allocate(context, capacity <= LARGEST ? overhead + capacity : SIZE_MAX);
  }
  if (!chunk) return false;
  const uintptr_t payload = (uintptr_t)(chunk + 1);
  chunk->data = (uint8_t *)chunk + sizeof *chunk + ((0 - payload) & (ALIGNMENT - 1));
  chunk->capacity = capacity;
  chunk->used = 0;
  chunk->previous = current;
  chunk->next = next;
  if (next) next->previous = chunk;
  if (current) {
    current->next = chunk;
  } else {
    context->first = chunk;
  }
  context->current = chunk;
  return true;
}

void *wm_scratch_array(WmContext *context, size_t count, size_t element_bytes) {
  const size_t bytes = size_of_array(count, element_bytes);
  Chunk *chunk = context->current;
  if (!chunk || bytes > chunk->capacity - chunk->used) {
    if (!advance_chunk(context, bytes)) return NULL;
    chunk = context->current;
  }
  void *array = chunk->data + chunk->used;
  chunk->used += bytes;
  return array;
}

void *wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes) {
  void *array = wm_scratch_array(context, count, element_bytes);
  if (array) memset(array, 0, count * element_bytes);
  return array;
}

void *wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                      size_t element_bytes) {
  if (!array) return wm_scratch_array(context, new_count, element_bytes);
  const size_t old_bytes = size_of_array(old_count, element_bytes);
  const size_t new_bytes = size_of_array(new_count, element_bytes);
  Chunk *chunk = context->current;
  const bool newest = (uint8_t *)array + old_bytes == chunk->data + chunk->used;
  if (newest && new_bytes - old_bytes <= chunk->capacity - chunk->used) {
    chunk->used += new_bytes - old_bytes;
    return array;
  }
  void *larger = wm_scratch_array(context, new_count, element_bytes);
  if (larger) memcpy(larger, array, old_count * element_bytes);
  return larger;
}

void *wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                         size_t element_bytes) {
  if (array && count <= *capacity) return array;
  const size_t doubled = 2 * *capacity + 64, larger = count > doubled ? count : doubled;
  void *grown = wm_scratch_grow(context, array, *capacity, larger, element_bytes);
  *capacity = grown ? larger : 0;
  return grown;
}
