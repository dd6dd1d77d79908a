/* See scratch_failures.h. */
#include "scratch_failures.h"

#include <string.h>

#include "check.h"

long scratch_requests_left = -1;
bool scratch_red_zones = false;
enum { RED_WORDS = 16 };

/* The functions that the linker calls instead, and the original functions (--wrap, CMakeLists.txt). */
void *__real_wm_scratch_array(WmContext *context, size_t count, size_t element_bytes);
void *__real_wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes);
void *__real_wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                             size_t element_bytes);
void *__real_wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                                size_t element_bytes);
void *__wrap_wm_scratch_array(WmContext *context, size_t count, size_t element_bytes);
void *__wrap_wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes);
void *__wrap_wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                             size_t element_bytes);
void *__wrap_wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                                size_t element_bytes);

void __real_wm_context_destroy(WmContext *context);
void __wrap_wm_context_destroy(WmContext *context);

static bool refuses(WmContext *context, size_t bytes) {
  if (scratch_requests_left < 0 || scratch_requests_left-- > 0) return false;
  wm_fail_memory(context, bytes);
  return true;
}

void *__wrap_wm_scratch_array(WmContext *context, size_t count, size_t element_bytes) {
  const size_t bytes = count * element_bytes;
  if (refuses(context, bytes)) return NULL;
  if (!scratch_red_zones) return __real_wm_scratch_array(context, count, element_bytes);
  uint8_t *array = __real_wm_scratch_array(context, bytes + RED_WORDS * sizeof(uint32_t), 1);
  for (uint32_t i = 0; array && i < RED_WORDS; i++) {
    const uint32_t word = (i + 0x40u) << 24;
    memcpy(array + bytes + i * sizeof word, &word, sizeof word);
  }
  return array;
}

void *__wrap_wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes) {
  if (refuses(context, count * element_bytes)) return NULL;
  return __real_wm_scratch_zeroed(context, count, element_bytes);
}

void *__wrap_wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                             size_t element_bytes) {
  if (refuses(context, new_count * element_bytes)) return NULL;
  return __real_wm_scratch_grow(context, array, old_count, new_count, element_bytes);
}

/* Without scratch memory in use the mark is the context itself. */
void __wrap_wm_context_destroy(WmContext *context) {
  if (context) CHECK(wm_scratch_mark(context) == (uint8_t *)context);
  __real_wm_context_destroy(context);
}

/* Counts no request if the array has room already. */
void *__wrap_wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                                size_t element_bytes) {
  if ((!array || count > *capacity) && refuses(context, count * element_bytes)) return NULL;
  return __real_wm_scratch_reserve(context, array, capacity, count, element_bytes);
}
