/* The context: allocates memory and stores the last error.
 *
 * Usual order: wm_context_create, any number of calls that take the context, wm_context_destroy. Results
 * (heightfields, meshes, ...) are blocks of the context's allocator: each has one free function and must be
 * freed before its context. Scratch memory is a stack of chunks: a stage marks it on entry and rewinds it on
 * every exit, so that the next stage and the next tile reuse the chunks.
 *
 * Threads: a context belongs to one thread at a time; several contexts are independent. */
#ifndef WALKMESH_BASE_CONTEXT_H
#define WALKMESH_BASE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/public.h"
#include "base/status.h"

WM_PUBLIC_BEGIN

/* The source of all memory. `allocate` returns a block that is aligned for any scalar type, or NULL on
 * failure. `release` is never called with NULL. */
typedef struct WmAllocator {
  void *(*allocate)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} WmAllocator;

/* Why the last call failed. `field` is the name of a configuration field or an argument in camelCase, as in
 * JavaScript and on the command line, or empty. `minimum` and `maximum` are the allowed range, or NaN.
 * `message` is one line without a newline. */
typedef struct WmError {
  WmStatus status;
  double value;
  double minimum;
  double maximum;
  char field[32];
  char message[384];
} WmError;

typedef struct WmContext WmContext;

/* Returns a new context, or NULL if it cannot be allocated. `allocator` is copied; NULL stands for malloc. */
WmContext *wm_context_create(const WmAllocator *allocator);

/* Frees the context and its scratch memory. Free its results first. NULL is allowed. */
void wm_context_destroy(WmContext *context);

/* Why the last failed call failed. Valid until the next failure, or the next call of this function. Never
 * NULL. */
const WmError *wm_context_error(WmContext *context);

/* The same without the finished message, which JavaScript composes itself (js/runtime/session.js). */
typedef struct WmFailure {
  double value, minimum, maximum; /* minimum and maximum only if `before` is NULL; maximum may be NaN */
  WmStatus status;
  const char *field; /* may be NULL */
  /* The message is `before`, followed by the value and `after` unless `after` is NULL. If `before` is NULL,
   * the message is that of wm_fail_range, and `after` is the advice. */
  const char *before, *after;
  uint32_t part; /* if not 0, the part of a file: the message begins with "part N: " */
} WmFailure;

const WmFailure *wm_context_failure(const WmContext *context);

/* A number that no other call with this context returns: 1, 2 ... */
uint64_t wm_context_next_number(WmContext *context);

/* Frees the scratch chunks that are not in use. */
void wm_context_trim(WmContext *context);

/* ---- For stages: failing ------------------------------------------------------------------- */

/* Records a failure and returns its status: `return wm_fail(...)`. `field` may be NULL. The strings are not
 * copied: pass literals. */
WmStatus wm_fail(WmContext *context, WmStatus status, const char *field, const char *message);

/* As wm_fail, for a value outside [minimum, maximum]. The message is "FIELD is VALUE: must be MINIMUM to
 * MAXIMUM; ADVICE"; if the maximum is NaN, "must be at least MINIMUM". `field` must not be NULL, `advice`
 * may be. */
WmStatus wm_fail_range(WmContext *context, WmStatus status, const char *field, double value, double minimum,
                       double maximum, const char *advice);

/* As wm_fail; the message is `before`, the number, `after`. */
WmStatus wm_fail_number(WmContext *context, WmStatus status, const char *field, const char *before,
                        double value, const char *after);

/* Adds the part of the file to the failure just recorded, and returns its status. */
WmStatus wm_fail_in_part(WmContext *context, uint32_t part);

/* Records and returns WM_ERROR_OUT_OF_MEMORY; `bytes` is the size of the failed allocation. */
WmStatus wm_fail_memory(WmContext *context, size_t bytes);

#if defined(__clang_analyzer__) && !defined(WM_DEFINES_FAILURES)
/* clang-tidy reads one file at a time: these macros tell it that the functions return their argument, never
 * WM_OK. */
#define wm_fail(context, status, ...) ((void)wm_fail(context, status, __VA_ARGS__), (status))
#define wm_fail_range(context, status, ...) ((void)wm_fail_range(context, status, __VA_ARGS__), (status))
#define wm_fail_number(context, status, ...) ((void)wm_fail_number(context, status, __VA_ARGS__), (status))
#define wm_fail_memory(...) ((void)wm_fail_memory(__VA_ARGS__), WM_ERROR_OUT_OF_MEMORY)
#endif

/* ---- For stages: result blocks ----------------------------------------------------------------- */

/* Allocates memory that outlives the call; also for 0 bytes.
 * returns    the block; NULL after recording WM_ERROR_OUT_OF_MEMORY */
void *wm_block_allocate(WmContext *context, size_t bytes);

/* Frees a block; NULL is allowed. */
void wm_block_free(WmContext *context, void *block);

/* The layout of several arrays in one block. Start with {0}, add each array, allocate the block, then
 * address the arrays by their offsets. If the sum overflows, it stays too large, and wm_layout_allocate
 * fails. */
typedef struct WmLayout {
  size_t bytes;
} WmLayout;

/* Appends an array of `count` elements, aligned to 16 bytes; returns its offset. */
size_t wm_layout_add(WmLayout *layout, size_t count, size_t element_bytes);

/* Allocates the block of a finished layout; NULL after recording WM_ERROR_OUT_OF_MEMORY. */
static inline void *wm_layout_allocate(WmContext *context, const WmLayout *layout) {
  return wm_block_allocate(context, layout->bytes);
}

/* ---- For stages: scratch memory ---------------------------------------------------------------- */

/* The first free byte of scratch memory. */
typedef uint8_t *WmScratchMark;

/* wm_scratch_rewind frees all scratch arrays that were allocated after the mark. Rewind marks in the reverse
 * order; a mark may be rewound repeatedly, or not at all if an earlier one is. */
WmScratchMark wm_scratch_mark(const WmContext *context);
void wm_scratch_rewind(WmContext *context, WmScratchMark mark);

/* Allocates `count` elements of scratch memory, aligned to 16 bytes, with undefined contents; also 0
 * elements.
 * returns    the array; NULL after recording WM_ERROR_OUT_OF_MEMORY */
void *wm_scratch_array(WmContext *context, size_t count, size_t element_bytes);

/* As wm_scratch_array, zeroed. */
void *wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes);

/* Enlarges a scratch array: in place if it is the newest one and its chunk has room, otherwise by copying
 * it; the old copy must not be used afterwards, and its memory is free after the rewind. Callers that double
 * the count each time copy O(count) elements in total. NULL for `array` allocates a new one.
 * in         old_count: of `array`; new_count: at least old_count
 * returns    the array; NULL after recording WM_ERROR_OUT_OF_MEMORY: the old array is unchanged */
void *wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                      size_t element_bytes);

/* Returns the array itself if its capacity is at least `count`, otherwise a copy with at least twice the
 * capacity.
 * in/out     capacity: of `array`; 0 on failure
 * returns    the array; NULL after recording WM_ERROR_OUT_OF_MEMORY */
void *wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                         size_t element_bytes);

WM_PUBLIC_END

#endif
