/* The context: where memory comes from and where the last error is explained.
 *
 * Usual order: wm_context_create, then any number of calls that take the context, then
 * wm_context_destroy. Results (heightfields, meshes, ...) are blocks of the context's allocator:
 * each has one free function and does not outlive its context. Scratch memory is a stack of chunks:
 * a stage marks on entry and rewinds on every way out, so that chunks are reused by the next stage
 * and the next tile.
 *
 * Threads: a context belongs to one thread at a time; several contexts are independent. */
#ifndef WALKMESH_BASE_CONTEXT_H
#define WALKMESH_BASE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Where all memory comes from. `allocate` returns NULL when there is none; blocks must be aligned
 * for any scalar type. `release` is never called with NULL. */
typedef struct WmAllocator {
  void *(*allocate)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} WmAllocator;

/* Why the last call failed. `field` names a configuration field or an argument in camelCase (as in
 * JavaScript and on the command line) and may be empty; minimum and maximum are the allowed range
 * where there is one, otherwise NaN. `message` is one readable line without a newline. */
typedef struct WmError {
  WmStatus status;
  double value;
  double minimum;
  double maximum;
  char field[32];
  char message[384];
} WmError;

typedef struct WmContext WmContext;

/* Returns a new context, or NULL when there is no memory. NULL for `allocator` means malloc. */
WmContext *wm_context_create(const WmAllocator *allocator);

/* Frees the context and its scratch memory; NULL is allowed. Results must be freed before. */
void wm_context_destroy(WmContext *context);

/* Why the last call that failed did so; valid until the next failure or question. Never NULL. */
const WmError *wm_context_error(WmContext *context);

/* The same before it is put into words, which JavaScript does by itself (js/runtime/session.js). */
typedef struct WmFailure {
  double value, minimum, maximum; /* the range only where `before` is NULL; maximum may be NaN */
  WmStatus status;
  const char *field; /* may be NULL */
  /* The message is `before`, and where `after` is not NULL the value and `after`. Where `before` is NULL, it
   * is that of wm_fail_range, and `after` the advice. */
  const char *before, *after;
  uint32_t part; /* > 0: of a file of several parts; the message begins with "part N: " */
} WmFailure;

const WmFailure *wm_context_failure(const WmContext *context);

/* Gives scratch chunks that are not in use back to the allocator. */
void wm_context_trim(WmContext *context);

/* ---- For stages: failing ------------------------------------------------------------------- */

/* Record a failure and return its status, so that `return wm_fail(...)` reads well. `field` may be NULL.
 * Texts are not copied: they are literals. */
WmStatus wm_fail(WmContext *context, WmStatus status, const char *field, const char *message);

/* As wm_fail, for a value outside [minimum, maximum]; the message becomes "FIELD is VALUE: must be MINIMUM to
 * MAXIMUM; ADVICE", or "at least MINIMUM" where the maximum is NaN. `field` must not be NULL, `advice` may.
 */
WmStatus wm_fail_range(WmContext *context, WmStatus status, const char *field, double value, double minimum,
                       double maximum, const char *advice);

/* As wm_fail; the message is `before`, the number, `after`. */
WmStatus wm_fail_number(WmContext *context, WmStatus status, const char *field, const char *before,
                        double value, const char *after);

/* Says of the failure just recorded in which part of a file it was found, and returns its status. */
WmStatus wm_fail_in_part(WmContext *context, uint32_t part);

/* Records and returns WM_ERROR_OUT_OF_MEMORY; `bytes` is what was asked for. */
WmStatus wm_fail_memory(WmContext *context, size_t bytes);

#if defined(__clang_analyzer__) && !defined(WM_DEFINES_FAILURES)
/* clang-tidy looks at one file at a time: it is told that these return what they are given, never WM_OK. */
#define wm_fail(context, status, ...) ((void)wm_fail(context, status, __VA_ARGS__), (status))
#define wm_fail_range(context, status, ...) ((void)wm_fail_range(context, status, __VA_ARGS__), (status))
#define wm_fail_number(context, status, ...) ((void)wm_fail_number(context, status, __VA_ARGS__), (status))
#define wm_fail_memory(...) ((void)wm_fail_memory(__VA_ARGS__), WM_ERROR_OUT_OF_MEMORY)
#endif

/* ---- For stages: result blocks ----------------------------------------------------------------- */

/* Memory that outlives the call: NULL after recording out-of-memory. Never NULL for 0 bytes. */
void *wm_block_allocate(WmContext *context, size_t bytes);

/* Frees a block; NULL is allowed. */
void wm_block_free(WmContext *context, void *block);

/* Lays several arrays out in one block: add each array, allocate `bytes`, then address them by their
 * offsets. What is too large for memory stays too large, and wm_layout_allocate fails. */
typedef struct WmLayout {
  size_t bytes;
} WmLayout;

/* Appends an array of `count` elements, aligned to 16 bytes; returns its offset. */
size_t wm_layout_add(WmLayout *layout, size_t count, size_t element_bytes);

/* Allocates the block of a finished layout; NULL after recording out-of-memory. */
static inline void *wm_layout_allocate(WmContext *context, const WmLayout *layout) {
  return wm_block_allocate(context, layout->bytes);
}

/* ---- For stages: scratch memory ---------------------------------------------------------------- */

/* The first byte that is not taken. */
typedef uint8_t *WmScratchMark;

/* Everything taken after the mark is given back by the rewind. */
WmScratchMark wm_scratch_mark(const WmContext *context);
void wm_scratch_rewind(WmContext *context, WmScratchMark mark);

/* `count` elements of scratch memory, aligned to 16 bytes, contents undefined; NULL after recording
 * out-of-memory. Never NULL for 0 elements. */
void *wm_scratch_array(WmContext *context, size_t count, size_t element_bytes);

/* As wm_scratch_array, zeroed. */
void *wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes);

/* Enlarges an array taken with wm_scratch_array, in place where it is the newest one and its chunk
 * has room, otherwise by copying (the old copy is given back with the mark). Double the count each
 * time, so that growth stays linear. `old_count` of `array` NULL is 0. */
void *wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                      size_t element_bytes);

/* The array itself where it has room for `count` elements, otherwise a larger one; the capacity at least
 * doubles. NULL after recording out-of-memory. */
void *wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                         size_t element_bytes);

#endif
