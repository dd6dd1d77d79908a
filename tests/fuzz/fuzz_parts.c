/* Small parts, each compared with a slow method. The first byte selects the part that the rest is for: the
 * decoder of tile caches, kept tiles, the sort, heaps, numbers and their texts, convex outlines, half-planes
 * of crowds, scratch memory. */
#include <math.h>

#include "bake/rebuild/kept_tile.h"
#include "bake/geometry/ordered_heap.h"
#include "base/content_hash.h"
#include "base/heap.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"
#include "crowd/avoidance/half_planes.h"
#include "dynamic/detour_cache/fast_lz.h"
#include "harness.h"
#include "query/local/convex.h"

enum { ITEMS = 200, PLANES = 12, CORNERS = 9 };

static float any_float(FuzzInput *input) {
  uint32_t bits = 0;
  float number;
  for (int i = 0; i < 4; i++) bits = bits << 8 | fuzz_byte(input);
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* Decoded twice into blocks of exactly that size: the same bytes, or refused twice. */
static void decode(WmContext *context, FuzzInput *input) {
  (void)context;
  const size_t room = fuzz_below(input, 5000);
  uint8_t *decoded[2];
  bool is_sound[2];
  for (int i = 0; i < 2; i++) {
    decoded[i] = malloc(room + 1);
    FUZZ_REQUIRE(decoded[i]);
    memset(decoded[i], 77 * i, room + 1);
    is_sound[i] = wm_fast_lz_decode(input->bytes, input->left, decoded[i], room);
    FUZZ_REQUIRE(decoded[i][room] == 77 * i);
  }
  FUZZ_REQUIRE(is_sound[0] == is_sound[1]);
  if (is_sound[0]) FUZZ_REQUIRE(memcmp(decoded[0], decoded[1], room) == 0);
  free(decoded[0]);
  free(decoded[1]);
}

/* The rows that were read are written as the same bytes again. */
static void read_kept(WmContext *context, FuzzInput *input) {
  const WmGrid grid = {
      .width = 1 + fuzz_byte(input) % 40, .depth = 1 + fuzz_byte(input) % 40, .cell_size = 1};
  const size_t cells = (size_t)grid.width * (size_t)grid.depth;
  WmOpenRows rows, again;
  const WmStatus status = wm_kept_tile_read(context, input->bytes, input->left, &grid, &rows);
  FUZZ_REQUIRE(!status || (status == WM_ERROR_CORRUPT && !rows.cell_first));
  if (status) return;
  uint8_t *bytes;
  size_t byte_count;
  FUZZ_REQUIRE(!wm_kept_tile_write(context, &rows, &bytes, &byte_count));
  FUZZ_REQUIRE(!wm_kept_tile_read(context, bytes, byte_count, &grid, &again));
  FUZZ_REQUIRE(rows.span_count == again.span_count);
  FUZZ_REQUIRE(memcmp(rows.cell_first, again.cell_first, (cells + 1) * sizeof *rows.cell_first) == 0);
  wm_block_free(context, bytes);
  wm_open_rows_free(context, &rows);
  wm_open_rows_free(context, &again);
}

/* By insertion: the same order, and ties stay in place. */
static void sort(WmContext *context, FuzzInput *input) {
  (void)context;
  WmSortItem items[ITEMS], scratch[ITEMS], slow[ITEMS];
  const size_t count = fuzz_byte(input) % ITEMS;
  const uint32_t range = 1 + fuzz_byte(input);
  for (size_t i = 0; i < count; i++) {
    const uint32_t key = fuzz_below(input, 65536) % range << (range & 16);
    items[i] = (WmSortItem){key, (uint32_t)i};
    size_t at = i;
    for (; at > 0 && slow[at - 1].key > key; at--) slow[at] = slow[at - 1];
    slow[at] = items[i];
  }
  wm_sort_stable(items, scratch, count);
  for (size_t i = 0; i < count; i++) {
    FUZZ_REQUIRE(items[i].key == slow[i].key && items[i].value == slow[i].value);
  }
}

/* Both heaps return all elements that were pushed, the smallest first. */
static void use_heaps(WmContext *context, FuzzInput *input) {
  uint64_t keys[ITEMS + WM_HEAP_MARGIN + 1];
  WmOrderedHeap heap = {0};
  const WmScratchMark mark = wm_scratch_mark(context);
  size_t count = 0;
  uint32_t sequence = 0;
  wm_heap_clear(keys);
  while (input->left > 0 && sequence < ITEMS) {
    const uint8_t what = fuzz_byte(input);
    const uint64_t key = wm_heap_key(fabsf(any_float(input)), sequence);
    if (count == 0 || what & 1) {
      wm_heap_push(keys, &count, key);
      FUZZ_REQUIRE(wm_ordered_heap_push(
          context, &heap, (WmOrderedEntry){.key = (int64_t)(key >> 32), .order = (uint32_t)key}));
      sequence++;
      continue;
    }
    const WmOrderedEntry least = wm_ordered_heap_pop(&heap);
    FUZZ_REQUIRE(keys[0] == ((uint64_t)least.key << 32 | least.order));
    if (what & 2) {
      wm_heap_replace(keys, count, key);
      FUZZ_REQUIRE(wm_ordered_heap_push(
          context, &heap, (WmOrderedEntry){.key = (int64_t)(key >> 32), .order = (uint32_t)key}));
      sequence++;
    } else {
      wm_heap_remove(keys, &count);
    }
  }
  FUZZ_REQUIRE(heap.count == count);
  wm_scratch_rewind(context, mark);
}

/* Sines are within -1 to 1, and cosines are shifted sines; texts of numbers are truncated, never longer than
 * their buffer. */
static void write_numbers(WmContext *context, FuzzInput *input) {
  (void)context;
  char characters[40];
  memset(characters, 1, sizeof characters);
  WmText text = {.characters = characters, .capacity = 1 + fuzz_byte(input) % 32};
  characters[0] = 0;
  const size_t room = text.capacity;
  while (input->left > 0) {
    const float number = any_float(input);
    const double sine = wm_sine(number, fuzz_byte(input));
    FUZZ_REQUIRE(sine >= -1 && sine <= 1);
    FUZZ_REQUIRE(wm_are_within(&number, 1, 1e9f) == (number >= -1e9f && number <= 1e9f));
    char alone[64];
    WmText whole = {.characters = alone, .capacity = sizeof alone};
    alone[0] = 0;
    wm_text_add_number(&whole, number);
    if (isfinite(number)) {
      const double back = strtod(alone, NULL);
      FUZZ_REQUIRE(fabs(back - number) <= 1e-6 * fabs((double)number) || (float)back == number);
    }
    wm_text_add(&text, alone);
    wm_text_add(&text, " ");
    FUZZ_REQUIRE(text.length < room && characters[text.length] == 0 && characters[room] == 1);
  }
  FUZZ_REQUIRE(wm_status_name((WmStatus)fuzz_byte(input))[0]);
}

/* A segment that ends inside touches; convexity doesn't depend on the first corner. */
static void touch_convex(WmContext *context, FuzzInput *input) {
  float corners[CORNERS][3], turned[CORNERS][3], middle[3] = {0, 0, 0}, to[3];
  const size_t count = 3 + fuzz_byte(input) % (CORNERS - 2);
  const uint8_t kind = fuzz_byte(input);
  for (size_t i = 0; i < count; i++) {
    static const float AROUND[8][2] = {{4, 0}, {3, 3}, {0, 4}, {-3, 3}, {-4, 0}, {-3, -3}, {0, -4}, {3, -3}};
    for (int axis = 0; axis < 3; axis++) {
      corners[i][axis] = kind < 64 ? any_float(input) : (float)fuzz_below(input, 100) * 0.1f;
      if (kind > 96 && axis != 1) corners[i][axis] = AROUND[i * 8 / count][axis / 2] * (float)(kind - 95);
      middle[axis] += corners[i][axis] / (float)count;
    }
  }
  for (size_t i = 0; i < count; i++) memcpy(turned[i], corners[(i + 1) % count], sizeof turned[i]);
  WmConvex convex, again;
  const WmStatus status = wm_convex_make(context, corners[0], count, "shape", &convex);
  FUZZ_REQUIRE(!status || (status == WM_ERROR_INVALID_ARGUMENT && wm_context_error(context)->message[0]));
  FUZZ_REQUIRE(kind <= 96 || !status);
  if (status) return;
  const WmStatus turned_status = wm_convex_make(context, turned[0], count, "shape", &again);
  if (kind > 96) FUZZ_REQUIRE(!turned_status && again.winding == convex.winding);
  for (int axis = 0; axis < 3; axis++) to[axis] = (float)fuzz_below(input, 4000) - 2000;
  if (kind > 96)
    FUZZ_REQUIRE(wm_convex_touches(&convex, middle, to) && wm_convex_touches(&convex, to, middle));
  (void)wm_convex_touches(&convex, corners[0], to);
}

/* The velocity is no faster than allowed, and left of all half-plane lines if that is possible. */
static void solve(WmContext *context, FuzzInput *input) {
  (void)context;
  WmHalfPlanes set = {.count = fuzz_byte(input) % PLANES, .speed = (float)fuzz_byte(input) * 0.1f};
  set.wall_count = set.count ? fuzz_byte(input) % (set.count + 1) : 0;
  for (uint32_t i = 0; i < set.count; i++) {
    const double angle = fuzz_below(input, 6284) * 0.001;
    WmHalfPlane *plane = &set.planes[i];
    plane->direction[0] = (float)wm_sine(angle, 1);
    plane->direction[1] = (float)wm_sine(angle, 0);
    /* Walls allow velocity 0: their points lie to the right of it. */
    const float off = (float)fuzz_byte(input) * 0.05f * (i < set.wall_count || fuzz_byte(input) & 1 ? 1 : -1);
    plane->point[0] = plane->direction[1] * off;
    plane->point[1] = -plane->direction[0] * off;
  }
  const float preferred[2] = {(float)fuzz_byte(input) * 0.1f - 12, (float)fuzz_byte(input) * 0.1f - 12};
  float result[2] = {NAN, NAN};
  const uint32_t kept = wm_half_planes_solve(&set, preferred, result);
  FUZZ_REQUIRE(kept <= set.count && isfinite(result[0]) && isfinite(result[1]));
  if (kept < set.count && kept >= set.wall_count) wm_half_planes_solve_least(&set, kept, result);
  FUZZ_REQUIRE(isfinite(result[0]) && isfinite(result[1]));
  FUZZ_REQUIRE(hypotf(result[0], result[1]) <= set.speed * 1.001f + 1e-3f);
  for (uint32_t i = 0; kept == set.count && i < set.count; i++) {
    const float x = result[0] - set.planes[i].point[0], z = result[1] - set.planes[i].point[1];
    FUZZ_REQUIRE(set.planes[i].direction[0] * z - set.planes[i].direction[1] * x >= -0.01f);
  }
}

/* Growing arrays retain their elements, with any other allocations in between. The hash of words doesn't
 * depend on how they are divided into calls. */
static void use_scratch(WmContext *context, FuzzInput *input) {
  const WmScratchMark mark = wm_scratch_mark(context);
  uint32_t *numbers = NULL;
  size_t capacity = 0, count = 0;
  WmContentHash whole = wm_content_hash_start(), parts = wm_content_hash_start();
  while (input->left > 0 && count < 20000) {
    const uint8_t what = fuzz_byte(input);
    const size_t more = what % 4 ? what % 16 : fuzz_below(input, 3000);
    numbers = wm_scratch_reserve(context, numbers, &capacity, count + more, sizeof *numbers);
    FUZZ_REQUIRE(numbers && capacity >= count + more);
    for (size_t i = count; i < count + more; i++) numbers[i] = (uint32_t)(i * 2654435761u);
    count += more;
    if (what & 16) {
      uint8_t *other = wm_scratch_zeroed(context, what, 3);
      FUZZ_REQUIRE(other);
      for (int i = 0; i < 3 * what; i++) FUZZ_REQUIRE(other[i] == 0);
      memset(other, 0xff, 3 * (size_t)what);
    }
  }
  for (size_t i = 0; i < count; i++) FUZZ_REQUIRE(numbers[i] == (uint32_t)(i * 2654435761u));
  wm_content_hash_words(&whole, numbers, count);
  for (size_t i = 0; i < count; i += 2) {
    wm_content_hash_words(&parts, numbers + i, count - i < 2 ? count - i : 2);
  }
  wm_content_hash_finish(&whole);
  wm_content_hash_finish(&parts);
  FUZZ_REQUIRE(memcmp(&whole, &parts, sizeof whole) == 0);
  wm_scratch_rewind(context, mark);
  wm_context_trim(context);
}

static void (*const PARTS[])(WmContext *, FuzzInput *) = {decode,        read_kept,    sort,  use_heaps,
                                                          write_numbers, touch_convex, solve, use_scratch};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

int fuzz_parts(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  FuzzInput input = {bytes, byte_count};
  PARTS[fuzz_byte(&input) % PART_COUNT](memory.context, &input);
  fuzz_end(&memory);
  return 0;
}
