/* The context: allocator, scratch stack, last error. See context.h. */
#define WM_DEFINES_FAILURES 1 /* no macros of their names: this file defines them */
#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug/assert.h"
#include "base/debug/red_zone.h"
#include "base/text.h"

enum { ALIGNMENT = 16, FIRST_CHUNK_BYTES = 64 * 1024 };

/* Stands for every larger size, and its allocation fails. Leaves room for headers and rounding. */
static const size_t TOO_LARGE = SIZE_MAX - 256 * 1024;

/* The header of a chunk; its memory follows, aligned here, since allocators only align for scalars. */
typedef struct Chunk {
  struct Chunk *next;
  struct Chunk *previous;
  uint8_t *begin, *free, *end;
} Chunk;

struct WmContext {
  WmAllocator allocator;
  Chunk root;     /* the list's first chunk, without memory: current while no scratch memory is in use */
  Chunk *current; /* the chunks after it are empty and will be reused */
  WmFailure failure;
  WmError error; /* the failure with its message */
  uint64_t last_number;
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
  context->root.begin = context->root.free = context->root.end = (uint8_t *)context; /* arrays of 0 bytes */
  context->current = &context->root;
  return context;
}

uint64_t wm_context_next_number(WmContext *context) { return ++context->last_number; }

void wm_context_trim(WmContext *context) {
  Chunk *chunk = context->current->next;
  context->current->next = NULL;
  while (chunk) {
    Chunk *next = chunk->next;
    wm_permit_memory(chunk->begin, (size_t)(chunk->end - chunk->begin));
    wm_block_free(context, chunk);
    chunk = next;
  }
}

void wm_context_destroy(WmContext *context) {
  if (!context) return;
  context->current = &context->root;
  wm_context_trim(context);
  context->allocator.release(context->allocator.user, context);
}

/* ---- Failing ------------------------------------------------------------------------------------ */

WmStatus wm_fail_range(WmContext *context, WmStatus status, const char *field, double value, double minimum,
                       double maximum, const char *advice) {
  context->failure = (WmFailure){value, minimum, maximum, status, field, NULL, advice, 0};
  return status;
}

WmStatus wm_fail_number(WmContext *context, WmStatus status, const char *field, const char *before,
                        double value, const char *after) {
  context->failure.value = value;
  context->failure.status = status;
  context->failure.field = field;
  context->failure.before = before;
  context->failure.after = after;
  context->failure.part = 0;
  return status;
}

WmStatus wm_fail_in_part(WmContext *context, uint32_t part) {
  context->failure.part = part;
  return context->failure.status;
}

WmStatus wm_fail(WmContext *context, WmStatus status, const char *field, const char *message) {
  return wm_fail_number(context, status, field, message, NAN, NULL);
}

WmStatus wm_fail_memory(WmContext *context, size_t bytes) {
  return wm_fail_number(context, WM_ERROR_OUT_OF_MEMORY, "memory", "out of memory: ", (double)bytes,
                        " bytes were not to be had");
}

const WmFailure *wm_context_failure(const WmContext *context) { return &context->failure; }

static void add_range(WmText *text, const WmFailure *failure) {
  wm_text_add(text, failure->field);
  wm_text_add(text, " is ");
  wm_text_add_number(text, failure->value);
  wm_text_add(text, isnan(failure->maximum) ? ": must be at least " : ": must be ");
  wm_text_add_number(text, failure->minimum);
  if (!isnan(failure->maximum)) {
    wm_text_add(text, " to ");
    wm_text_add_number(text, failure->maximum);
  }
  if (failure->after) {
    wm_text_add(text, "; ");
    wm_text_add(text, failure->after);
  }
}

const WmError *wm_context_error(WmContext *context) {
  const WmFailure *failure = &context->failure;
  WmError *error = &context->error;
  const bool is_range = !failure->before;
  *error = (WmError){.status = failure->status,
                     .value = failure->value,
                     .minimum = is_range ? failure->minimum : NAN,
                     .maximum = is_range ? failure->maximum : NAN};
  if (!failure->status) return error;
  WmText text = {error->field, sizeof error->field, 0};
  wm_text_add(&text, failure->field ? failure->field : "");
  text = (WmText){error->message, sizeof error->message, 0};
  if (failure->part) {
    wm_text_add(&text, "part ");
    wm_text_add_number(&text, failure->part);
    wm_text_add(&text, ": ");
  }
  if (is_range) {
    add_range(&text, failure);
    return error;
  }
  wm_text_add(&text, failure->before);
  if (failure->after) {
    wm_text_add_number(&text, failure->value);
    wm_text_add(&text, failure->after);
  }
  return error;
}

/* ---- Result blocks ------------------------------------------------------------------------------- */

void *wm_block_allocate(WmContext *context, size_t bytes) {
  void *block = NULL;
  if (bytes < TOO_LARGE) block = context->allocator.allocate(context->allocator.user, bytes ? bytes : 1);
  if (!block) wm_fail_memory(context, bytes);
  return block;
}

void wm_block_free(WmContext *context, void *block) {
  if (block) context->allocator.release(context->allocator.user, block);
}

/* Rounds up to the alignment; TOO_LARGE if the product overflows. Sizes are multiplied nowhere else. */
static size_t size_of_array(size_t count, size_t element_bytes) {
  size_t bytes;
  if (__builtin_mul_overflow(count, element_bytes, &bytes) || bytes > TOO_LARGE) return TOO_LARGE;
  return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

size_t wm_layout_add(WmLayout *layout, size_t count, size_t element_bytes) {
  const size_t offset = layout->bytes, bytes = offset + size_of_array(count, element_bytes);
  layout->bytes = bytes < offset || bytes > TOO_LARGE ? TOO_LARGE : bytes;
  return offset;
}

/* ---- Scratch --------------------------------------------------------------------------------------- */

WmScratchMark wm_scratch_mark(const WmContext *context) { return context->current->free; }

/* Finds the mark's chunk: the mark lies within it or at its end. No chunk's end is another's beginning, since
 * headers lie between them. */
void wm_scratch_rewind(WmContext *context, WmScratchMark mark) {
  const uintptr_t position = (uintptr_t)mark;
  Chunk *chunk = context->current;
  while (position < (uintptr_t)chunk->begin || position > (uintptr_t)chunk->end) {
    wm_forbid_memory(chunk->begin, (size_t)(chunk->free - chunk->begin));
    chunk->free = chunk->begin;
    chunk = chunk->previous;
    WM_ASSERT(chunk); /* else the mark belongs to another context, or its chunk was freed */
  }
  WM_ASSERT(mark <= chunk->free); /* else an earlier mark was rewound before this one */
  wm_forbid_memory(mark, (size_t)(chunk->free - mark));
  chunk->free = mark;
  context->current = chunk;
}

/* Makes a chunk with room for `bytes` current: the next empty one that is large enough, else a new one,
 * after freeing the empty ones. A new chunk has at least 64 kB plus an eighth of all chunks before it: few
 * chunks are needed, and little memory stays unused. */
static Chunk *advance_chunk(WmContext *context, size_t bytes) {
  Chunk *last = context->current, *chunk;
  while ((chunk = last->next)) {
    if ((size_t)(chunk->end - chunk->begin) >= bytes) return context->current = chunk;
    last = chunk;
  }
  wm_context_trim(context);
  last = context->current;
  size_t capacity = FIRST_CHUNK_BYTES;
  for (chunk = last; chunk; chunk = chunk->previous) capacity += (size_t)(chunk->end - chunk->begin) / 8;
  for (;; capacity = bytes) {
    if (capacity < bytes || capacity > TOO_LARGE) capacity = bytes;
    chunk = wm_block_allocate(context, sizeof *chunk + ALIGNMENT + capacity);
    if (chunk) break;
    if (capacity == bytes) return NULL; /* else retries with the bytes that are needed */
  }
  uint8_t *begin = (uint8_t *)(chunk + 1);
  begin += (0 - (uintptr_t)begin) & (ALIGNMENT - 1);
  *chunk = (Chunk){.previous = last, .begin = begin, .free = begin, .end = begin + capacity};
  wm_forbid_memory(begin, capacity);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the root is always there */
  return context->current = last->next = chunk;
}

void *wm_scratch_array(WmContext *context, size_t count, size_t element_bytes) {
  const size_t bytes = size_of_array(count, element_bytes) + WM_RED_ZONE_BYTES;
  Chunk *chunk = context->current;
  if (bytes > (size_t)(chunk->end - chunk->free)) chunk = advance_chunk(context, bytes);
  if (!chunk) return NULL;
  void *array = chunk->free;
  chunk->free += bytes;
  wm_permit_memory(array, count * element_bytes);
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
  WM_ASSERT(old_count <= new_count);
  const bool newest = (uint8_t *)array + old_bytes + WM_RED_ZONE_BYTES == chunk->free;
  if (newest && new_bytes - old_bytes <= (size_t)(chunk->end - chunk->free)) {
    chunk->free += new_bytes - old_bytes;
    wm_permit_memory(array, new_count * element_bytes);
    return array;
  }
  void *larger = wm_scratch_array(context, new_count, element_bytes);
  if (larger) {
    memcpy(larger, array, old_count * element_bytes);
    wm_forbid_memory(array, old_bytes);
  }
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
