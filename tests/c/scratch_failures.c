/* See scratch_failures.h. */
#include "scratch_failures.h"

long scratch_requests_left = -1;

/* What the linker calls instead, and the functions themselves (--wrap, CMakeLists.txt). */
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

static bool refuses(WmContext *context, size_t bytes) {
  if (scratch_requests_left < 0 || scratch_requests_left-- > 0) return false;
  wm_fail_memory(context, bytes);
  return true;
}

void *__wrap_wm_scratch_array(WmContext *context, size_t count, size_t element_bytes) {
  if (refuses(context, count * element_bytes)) return NULL;
  return __real_wm_scratch_array(context, count, element_bytes);
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

/* Nothing is asked for where there is room. */
void *__wrap_wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                                size_t element_bytes) {
  if ((!array || count > *capacity) && refuses(context, count * element_bytes)) return NULL;
  return __real_wm_scratch_reserve(context, array, capacity, count, element_bytes);
}
