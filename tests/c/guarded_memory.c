/* See guarded_memory.h. */
#include "guarded_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/debug/red_zone.h"
#include "check.h"

long scratch_requests_left = -1;
uint32_t scratch_guard_value = 0x40;
MemoryPlaces memory_places = {.refused = -1};
const void *scratch_contents;
size_t scratch_content_bytes;

/* AddressSanitizer sees bounds by itself, and guards would hide the first bytes beyond them. */
enum { GUARD_BYTES = WM_RED_ZONE_BYTES > 0 ? 0 : 64, CONTEXT_LIMIT = 64 };

/* The functions that the linker calls instead, and the original functions. */
WmContext *__real_wm_context_create(const WmAllocator *allocator);
WmContext *__wrap_wm_context_create(const WmAllocator *allocator);
void __real_wm_context_destroy(WmContext *context);
void __wrap_wm_context_destroy(WmContext *context);
void *__real_wm_block_allocate(WmContext *context, size_t bytes);
void *__wrap_wm_block_allocate(WmContext *context, size_t bytes);
void __real_wm_block_free(WmContext *context, void *block);
void __wrap_wm_block_free(WmContext *context, void *block);
void *__real_wm_scratch_array(WmContext *context, size_t count, size_t element_bytes);
void *__wrap_wm_scratch_array(WmContext *context, size_t count, size_t element_bytes);
void *__real_wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes);
void *__wrap_wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes);
void *__real_wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                             size_t element_bytes);
void *__wrap_wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                             size_t element_bytes);
void *__real_wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                                size_t element_bytes);
void *__wrap_wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                                size_t element_bytes);
void __real_wm_scratch_rewind(WmContext *context, WmScratchMark mark);
void __wrap_wm_scratch_rewind(WmContext *context, WmScratchMark mark);

/* ---- Guards ------------------------------------------------------------------------------------------ */

enum { BLOCK_GUARD_VALUE = 0x40 };

/* A guard consists of large integers that increase. */
static void set_guard(uint8_t *guard, uint32_t value) {
  for (uint32_t i = 0; i < GUARD_BYTES / sizeof(uint32_t); i++) {
    const uint32_t word = (value + i) << 24;
    memcpy(guard + i * sizeof word, &word, sizeof word);
  }
}

static void check_guard(const uint8_t *guard, uint32_t value) {
  uint8_t expected[GUARD_BYTES + 1];
  set_guard(expected, value);
  CHECK(memcmp(guard, expected, GUARD_BYTES) == 0); /* else an array or block was written to beyond its end */
}

/* With AddressSanitizer only both ends of large arrays are filled: most are far larger than what a test uses of them, and
 * filling takes most of the time of many tests. The other builds fill the whole. */
enum { FILLED_END_BYTES = 1 << 12 };

static void fill(uint8_t *memory, size_t bytes) {
  static const uint8_t VALUES[] = {0xff, 0, 0x7f, 1};
  static size_t request;
  const uint8_t value = VALUES[request++ % sizeof VALUES];
  if (WM_RED_ZONE_BYTES == 0 || bytes <= 2 * FILLED_END_BYTES) {
    memset(memory, value, bytes);
  } else {
    memset(memory, value, FILLED_END_BYTES);
    memset(memory + bytes - FILLED_END_BYTES, value, FILLED_END_BYTES);
  }
  if (scratch_contents) {
    memcpy(memory, scratch_contents, bytes < scratch_content_bytes ? bytes : scratch_content_bytes);
  }
}

/* False if the size is too large to be granted anyway. */
static bool multiply(size_t count, size_t element_bytes, size_t *bytes) {
  return !__builtin_mul_overflow(count, element_bytes, bytes) && *bytes < SIZE_MAX / 2;
}

/* ---- The meter --------------------------------------------------------------------------------------- */

static MemoryMeter meter;

void begin_memory_meter(void) { meter = (MemoryMeter){0}; }

MemoryMeter end_memory_meter(void) { return meter; }

void sample_memory_meter(void) { meter.sum += meter.in_use; }

/* Memory from before the meter began may be returned: `in_use` wraps around, and back. */
static void count_request(size_t bytes) {
  meter.requests++;
  meter.bytes += bytes;
  meter.in_use += bytes;
  meter.sum += meter.in_use;
  if ((int64_t)meter.in_use > (int64_t)meter.peak) meter.peak = meter.in_use;
}

static void count_return(size_t bytes) { meter.in_use -= bytes; }

/* ---- Contexts ---------------------------------------------------------------------------------------- */

/* The scratch arrays of a context, the newest last. */
typedef struct Watch {
  WmContext *context;
  struct {
    uint8_t *guard;
    size_t bytes;
    const uint8_t *end; /* the mark after this array */
  } * arrays;
  size_t count, capacity;
} Watch;

static Watch watches[CONTEXT_LIMIT];
static int context_count;
static long block_count; /* without those that hold scratch memory */

static Watch *find_watch(const WmContext *context) {
  for (int i = 0; i < CONTEXT_LIMIT; i++) {
    if (watches[i].context == context) return &watches[i];
  }
  printf("more than %d contexts\n", CONTEXT_LIMIT);
  abort();
}

WmContext *__wrap_wm_context_create(const WmAllocator *allocator) {
  WmContext *context = __real_wm_context_create(allocator);
  if (!context) return NULL;
  *find_watch(NULL) = (Watch){.context = context};
  context_count++;
  return context;
}

/* Without scratch memory in use the mark is the context itself. */
void __wrap_wm_context_destroy(WmContext *context) {
  if (context) {
    CHECK(wm_scratch_mark(context) == (uint8_t *)context);
    Watch *watch = find_watch(context);
    free(watch->arrays);
    *watch = (Watch){0};
    if (--context_count == 0) CHECK_EQUAL_INT(block_count, 0);
  }
  __real_wm_context_destroy(context);
}

/* ---- Blocks ------------------------------------------------------------------------------------------ */

/* The number of bytes stands before the first guard. */
enum { BLOCK_HEAD = GUARD_BYTES > 0 ? 64 + GUARD_BYTES : 0 };

/* Records the place of a request. Returns true if it is to be refused. */
static bool is_refused(WmContext *context, const void *place, size_t bytes) {
  MemoryPlaces *all = &memory_places;
  if (all->records) {
    int i = 0;
    while (i < all->count && all->places[i] != place) i++;
    if (i == MEMORY_PLACE_LIMIT) abort();
    if (i == all->count) all->places[all->count++] = place;
  }
  if (all->refused < 0 || all->has_refused || all->places[all->refused] != place) return false;
  all->has_refused = true;
  wm_fail_memory(context, bytes);
  return true;
}

void *__wrap_wm_block_allocate(WmContext *context, size_t bytes) {
  if (bytes > SIZE_MAX / 2) return __real_wm_block_allocate(context, bytes);
  if (is_refused(context, __builtin_return_address(0), bytes)) return NULL;
  uint8_t *block = __real_wm_block_allocate(context, BLOCK_HEAD + bytes + GUARD_BYTES);
  if (!block) return NULL;
  block_count++;
  count_request(bytes);
  fill(block + BLOCK_HEAD, bytes);
  if (BLOCK_HEAD == 0) return block;
  memcpy(block, &bytes, sizeof bytes);
  set_guard(block + BLOCK_HEAD - GUARD_BYTES, BLOCK_GUARD_VALUE);
  set_guard(block + BLOCK_HEAD + bytes, BLOCK_GUARD_VALUE);
  return block + BLOCK_HEAD;
}

void __wrap_wm_block_free(WmContext *context, void *block) {
  if (!block) return;
  uint8_t *begin = (uint8_t *)block - BLOCK_HEAD;
  block_count--;
  if (BLOCK_HEAD > 0) {
    size_t bytes;
    memcpy(&bytes, begin, sizeof bytes);
    count_return(bytes);
    check_guard(begin + BLOCK_HEAD - GUARD_BYTES, BLOCK_GUARD_VALUE);
    check_guard(begin + BLOCK_HEAD + bytes, BLOCK_GUARD_VALUE);
  }
  __real_wm_block_free(context, begin);
}

/* ---- Scratch arrays ---------------------------------------------------------------------------------- */

static bool refuses(WmContext *context, const void *place, size_t bytes) {
  if (is_refused(context, place, bytes)) return true;
  if (scratch_requests_left < 0 || scratch_requests_left-- > 0) return false;
  wm_fail_memory(context, bytes);
  return true;
}

/* Adds the newest array with its guard, which lies in its memory. */
static void *add_array(WmContext *context, uint8_t *array, size_t bytes) {
  if (!array) return NULL;
  Watch *watch = find_watch(context);
  if (watch->count == watch->capacity) {
    watch->capacity = 2 * watch->capacity + 16;
    watch->arrays = realloc(watch->arrays, watch->capacity * sizeof *watch->arrays);
    if (!watch->arrays) abort();
  }
  set_guard(array + bytes, scratch_guard_value);
  count_request(bytes);
  watch->arrays[watch->count].guard = array + bytes;
  watch->arrays[watch->count].bytes = bytes;
  watch->arrays[watch->count++].end = wm_scratch_mark(context);
  return array;
}

/* Adds an array that has grown. In the same place it overwrites its guard, which was the newest. */
static void *add_grown(WmContext *context, uint8_t *before, size_t old_bytes, uint8_t *array, size_t bytes) {
  if (!array) return NULL;
  if (before == array) {
    Watch *watch = find_watch(context);
    count_return(watch->arrays[--watch->count].bytes);
  }
  if (before) {
    fill(array + old_bytes, bytes - old_bytes);
  } else {
    fill(array, bytes);
  }
  return add_array(context, array, bytes);
}

void *__wrap_wm_scratch_array(WmContext *context, size_t count, size_t element_bytes) {
  size_t bytes;
  if (!multiply(count, element_bytes, &bytes)) return __real_wm_scratch_array(context, count, element_bytes);
  if (refuses(context, __builtin_return_address(0), bytes)) return NULL;
  uint8_t *array = __real_wm_scratch_array(context, bytes + GUARD_BYTES, 1);
  if (array) fill(array, bytes);
  return add_array(context, array, bytes);
}

void *__wrap_wm_scratch_zeroed(WmContext *context, size_t count, size_t element_bytes) {
  size_t bytes;
  if (!multiply(count, element_bytes, &bytes)) return __real_wm_scratch_zeroed(context, count, element_bytes);
  if (refuses(context, __builtin_return_address(0), bytes)) return NULL;
  return add_array(context, __real_wm_scratch_zeroed(context, bytes + GUARD_BYTES, 1), bytes);
}

void *__wrap_wm_scratch_grow(WmContext *context, void *array, size_t old_count, size_t new_count,
                             size_t element_bytes) {
  size_t bytes;
  if (!multiply(new_count, element_bytes, &bytes)) {
    return __real_wm_scratch_grow(context, array, old_count, new_count, element_bytes);
  }
  if (refuses(context, __builtin_return_address(0), bytes)) return NULL;
  const size_t old_bytes = old_count * element_bytes;
  uint8_t *grown = __real_wm_scratch_grow(context, array, old_bytes + GUARD_BYTES, bytes + GUARD_BYTES, 1);
  return add_grown(context, array, old_bytes, grown, bytes);
}

/* Counts no request if the array has room already. */
void *__wrap_wm_scratch_reserve(WmContext *context, void *array, size_t *capacity, size_t count,
                                size_t element_bytes) {
  const size_t guard = (GUARD_BYTES + element_bytes - 1) / element_bytes;
  if (array && count <= *capacity) return array;
  size_t bytes;
  if (!multiply(count, element_bytes, &bytes)) {
    return __real_wm_scratch_reserve(context, array, capacity, count, element_bytes);
  }
  if (refuses(context, __builtin_return_address(0), bytes)) return NULL;
  const size_t old_bytes = *capacity * element_bytes;
  size_t with_guard = array ? *capacity + guard : 0;
  uint8_t *grown = __real_wm_scratch_reserve(context, array, &with_guard, count + guard, element_bytes);
  *capacity = grown ? with_guard - guard : 0;
  return add_grown(context, array, old_bytes, grown, *capacity * element_bytes);
}

/* Checks the guards of the arrays that are returned. */
void __wrap_wm_scratch_rewind(WmContext *context, WmScratchMark mark) {
  Watch *watch = find_watch(context);
  while (watch->count > 0 && watch->arrays[watch->count - 1].end != mark) {
    watch->count--;
    count_return(watch->arrays[watch->count].bytes);
    check_guard(watch->arrays[watch->count].guard, scratch_guard_value);
  }
  CHECK(watch->count > 0 || mark == (uint8_t *)context); /* else the mark isn't the end of an array */
  __real_wm_scratch_rewind(context, mark);
}
