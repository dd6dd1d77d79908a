/* Erosion and the median filter: drawn rooms, slow oracles over random fields, golden dumps. */
#include "bake/rebuild/erode_window.h"
#include "bake/stages.h"
#include "golden_case.h"
#include "random_field.h"

/* ---- The rules, literally -------------------------------------------------------------------------- */

static uint32_t link_of(const WmCompactHeightfield *compact, uint32_t span, int d) {
  return span == WM_NO_SPAN ? WM_NO_SPAN : wm_link(&compact->links, span, d & 3);
}

static void oracle_take(uint8_t *own, const uint8_t *distance, uint32_t other, int step) {
  if (other == WM_NO_SPAN) return;
  const int sum = distance[other] + step < 255 ? distance[other] + step : 255;
  if (sum < *own) *own = (uint8_t)sum;
}

static void oracle_erode(const WmCompactHeightfield *compact, int32_t radius, uint8_t *area) {
  const uint32_t count = compact->span_count;
  uint8_t *distance = malloc(count + 1);
  for (uint32_t s = 0; s < count; s++) {
    distance[s] = compact->span_area[s] ? 255 : 0;
    for (int d = 0; d < 4; d++) {
      const uint32_t n = link_of(compact, s, d);
      if (n == WM_NO_SPAN || !compact->span_area[n]) distance[s] = 0;
    }
  }
  for (uint32_t s = 0; s < count; s++) {
    const uint32_t west = link_of(compact, s, 0), north = link_of(compact, s, 3);
    oracle_take(&distance[s], distance, west, 2);
    oracle_take(&distance[s], distance, link_of(compact, west, 3), 3);
    oracle_take(&distance[s], distance, north, 2);
    oracle_take(&distance[s], distance, link_of(compact, north, 2), 3);
  }
  for (uint32_t s = count; s-- > 0;) {
    const uint32_t east = link_of(compact, s, 2), south = link_of(compact, s, 1);
    oracle_take(&distance[s], distance, east, 2);
    oracle_take(&distance[s], distance, link_of(compact, east, 1), 3);
    oracle_take(&distance[s], distance, south, 2);
    oracle_take(&distance[s], distance, link_of(compact, south, 0), 3);
  }
  for (uint32_t s = 0; s < count; s++)
    area[s] = distance[s] < (uint8_t)(2 * radius) ? 0 : compact->span_area[s];
  free(distance);
}

static void oracle_median(const WmCompactHeightfield *compact, uint8_t *area) {
  for (uint32_t s = 0; s < compact->span_count; s++) {
    area[s] = compact->span_area[s];
    if (!area[s]) continue;
    uint8_t samples[9];
    memset(samples, area[s], 9);
    for (int d = 0; d < 4; d++) {
      const uint32_t a = link_of(compact, s, d), b = link_of(compact, a, d + 1);
      if (a != WM_NO_SPAN && compact->span_area[a]) samples[2 * d] = compact->span_area[a];
      if (b != WM_NO_SPAN && compact->span_area[b]) samples[2 * d + 1] = compact->span_area[b];
    }
    for (int i = 0; i < 9; i++) {
      int below = 0, equal = 0;
      for (int j = 0; j < 9; j++) {
        below += samples[j] < samples[i];
        equal += samples[j] == samples[i];
      }
      if (below <= 4 && below + equal > 4) area[s] = samples[i];
    }
  }
}

static void check_areas(const char *what, uint64_t seed, const WmCompactHeightfield *compact,
                        const uint8_t *expected) {
  for (uint32_t s = 0; s < compact->span_count; s++) {
    if (compact->span_area[s] == expected[s]) continue;
    char text[160];
    snprintf(text, sizeof text, "%s, seed %llu: span %u is %u, expected %u", what, (unsigned long long)seed,
             s, compact->span_area[s], expected[s]);
    check_report(__FILE__, __LINE__, text);
    return;
  }
}

/* A compact field whose areas are partly null and partly marked, as after volumes. */
static WmCompactHeightfield random_compact(WmContext *context, Random *random) {
  FieldStyle style = random_style(random);
  if (random_below(random, 2)) style.empty_of_16 = style.null_of_16 = 0;
  WmHeightfield field = random_heightfield(context, random, &style);
  const int32_t height = 1 + random_below(random, 8);
  const int32_t climb = random_below(random, 4) ? random_below(random, 4) : random_below(random, 40);
  WmCompactHeightfield compact;
  CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, height, climb, &compact), WM_OK);
  wm_heightfield_free(context, &field);
  if (random_below(random, 2)) {
    const int32_t rarity = 2 + random_below(random, 200);
    for (uint32_t s = 0; s < compact.span_count; s++) {
      if (random_below(random, rarity) == 0) compact.span_area[s] = (uint8_t)random_below(random, 64);
    }
  }
  return compact;
}

static void erosion_follows_its_rule_on_random_fields_of_seeds_1_to_1500(void) {
  WmContext *context = wm_context_create(NULL);
  int survivors = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)CHECK_ROUNDS(1500); seed++) {
    Random random = {seed};
    WmCompactHeightfield compact = random_compact(context, &random);
    uint8_t *expected = malloc(compact.span_count + 1);
    const int32_t radius = random_below(&random, random_below(&random, 4) ? 6 : 128);
    oracle_erode(&compact, radius, expected);
    CHECK_EQUAL_INT(wm_erode(context, &compact, radius), WM_OK);
    check_areas("erosion", seed, &compact, expected);
    if (radius > 2) {
      for (uint32_t s = 0; s < compact.span_count; s++) survivors += expected[s] != 0;
    }
    free(expected);
    wm_compact_heightfield_free(context, &compact);
  }
  CHECK(survivors > CHECK_ROUNDS(10000)); /* the seeds include wide places */
  wm_context_destroy(context);
}

static void median_follows_its_rule_on_random_fields_of_seeds_1_to_1500(void) {
  WmContext *context = wm_context_create(NULL);
  int changed = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)CHECK_ROUNDS(1500); seed++) {
    Random random = {seed};
    WmCompactHeightfield compact = random_compact(context, &random);
    uint8_t *expected = malloc(compact.span_count + 1);
    oracle_median(&compact, expected);
    for (uint32_t s = 0; s < compact.span_count; s++) changed += expected[s] != compact.span_area[s];
    CHECK_EQUAL_INT(wm_filter_median(context, &compact), WM_OK);
    check_areas("median", seed, &compact, expected);
    free(expected);
    wm_compact_heightfield_free(context, &compact);
  }
  CHECK(changed > CHECK_ROUNDS(1000));
  wm_context_destroy(context);
}

/* ---- Windows -------------------------------------------------------------------------------------- */

/* Blocks the spans of a box of cells that are not too far above a floor. Returns false if none was walkable. */
static bool block_box(Random *random, const WmCompactHeightfield *compact, uint8_t *area) {
  const WmGrid *grid = &compact->grid;
  const int32_t x = random_below(random, grid->width), z = random_below(random, grid->depth);
  const int32_t end_x = x + random_below(random, 6), end_z = z + random_below(random, 6);
  const int32_t every = 1 + random_below(random, 2);
  bool is_any = false;
  for (int32_t i = 0; i < grid->width * grid->depth; i++) {
    if (i % grid->width < x || i % grid->width > end_x || i / grid->width < z || i / grid->width > end_z)
      continue;
    for (uint32_t s = compact->cell_first[i]; s < compact->cell_first[i + 1]; s += (uint32_t)every) {
      is_any |= area[s] != WM_AREA_NULL;
      area[s] = WM_AREA_NULL;
    }
  }
  return is_any;
}

/* Wide floors close above each other, which spans can often climb: then some links lead one way only. */
static WmCompactHeightfield dense_compact(WmContext *context, Random *random) {
  const FieldStyle style = {.width = 6 + random_below(random, 30),
                            .depth = 6 + random_below(random, 20),
                            .layers = 1 + random_below(random, 3),
                            .bumps = 1 + random_below(random, 3),
                            .level_gap = 3 + random_below(random, 6),
                            .empty_of_16 = random_below(random, 3) ? 0 : 1,
                            .null_of_16 = random_below(random, 4) ? 0 : 1};
  WmHeightfield field = random_heightfield(context, random, &style);
  const int32_t height = 1 + random_below(random, 3), climb = 1 + random_below(random, 8);
  WmCompactHeightfield compact;
  CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, height, climb, &compact), WM_OK);
  wm_heightfield_free(context, &field);
  return compact;
}

/* The window is the smallest one that holds all differences. */
static void check_window(const WmCompactHeightfield *compact, const uint8_t *before, const uint8_t *after,
                         const WmWindow *window) {
  WmWindow expected = {{compact->grid.width, compact->grid.depth}, {-1, -1}};
  for (uint32_t s = 0; s < compact->span_count; s++) {
    if (before[s] == after[s]) continue;
    const int32_t cell = (int32_t)wm_find_cell(compact, s);
    const int32_t at[2] = {cell % compact->grid.width, cell / compact->grid.width};
    for (int axis = 0; axis < 2; axis++) {
      if (at[axis] < expected.first[axis]) expected.first[axis] = at[axis];
      if (at[axis] > expected.last[axis]) expected.last[axis] = at[axis];
    }
  }
  CHECK(memcmp(&expected, window, sizeof expected) == 0);
}

/* Erodes the whole field, blocks boxes, and erodes around each of them only: the same spans as eroding everything again. */
static bool erode_windows(uint64_t seed, Random *random, WmCompactHeightfield *compact) {
  enum { PAD = 16, BOXES = 3 };
  const size_t bytes = compact->span_count + PAD;
  const int32_t radius = 1 + random_below(random, random_below(random, 4) ? 6 : 127);
  uint8_t *before = calloc(1, bytes), *marked = calloc(1, bytes), *expected = calloc(1, bytes);
  uint8_t *cleared = calloc(1, bytes), *distance = malloc(bytes), *previous = calloc(1, bytes);
  WmWindow windows[BOXES];
  int count = 0;
  memcpy(before, compact->span_area, compact->span_count);
  memcpy(marked, before, compact->span_count);
  for (int i = 0; i <= random_below(random, BOXES); i++) {
    memcpy(previous, marked, compact->span_count);
    if (!block_box(random, compact, marked)) continue;
    windows[count] = wm_find_changes(compact, previous, marked);
    check_window(compact, previous, marked, &windows[count++]);
  }
  oracle_erode(compact, radius, cleared); /* without the boxes */
  for (uint32_t s = 0; s < compact->span_count; s++) cleared[s] = cleared[s] ? marked[s] : 0;
  memcpy(compact->span_area, marked, compact->span_count);
  oracle_erode(compact, radius, expected);
  memcpy(compact->span_area, cleared, compact->span_count);
  for (int i = 0; i < count; i++) {
    memset(distance, random_below(random, 256), bytes);
    wm_erode_window(compact, before, marked, &windows[i], radius, distance, compact->span_area);
  }
  check_areas("erosion of windows", seed, compact, expected);
  const bool is_more = memcmp(expected, cleared, compact->span_count) != 0;
  free(before), free(marked), free(expected), free(cleared), free(distance), free(previous);
  return is_more;
}

static void eroding_windows_is_eroding_everything_on_random_fields_of_seeds_1_to_3000(void) {
  WmContext *context = wm_context_create(NULL);
  int eroded[2] = {0, 0}; /* with links that are not symmetric, and with symmetric ones */
  for (uint64_t seed = 1; seed <= (uint64_t)CHECK_ROUNDS(3000); seed++) {
    Random random = {seed + 9000};
    WmCompactHeightfield compact =
        seed % 3 ? dense_compact(context, &random) : random_compact(context, &random);
    const bool is_symmetric = compact.links_are_symmetric;
    eroded[is_symmetric] += erode_windows(seed, &random, &compact);
    wm_compact_heightfield_free(context, &compact);
  }
  CHECK(eroded[0] > CHECK_ROUNDS(50));
  CHECK(eroded[1] > CHECK_ROUNDS(500));
  wm_context_destroy(context);
}

/* ---- Drawn fields ---------------------------------------------------------------------------------- */

/* A square loses a ring a cell of radius; a rim of width r + 1 has distance 2 * r. */
static void a_square_shrinks_by_the_radius_on_each_side(void) {
  WmContext *context = wm_context_create(NULL);
  for (int32_t radius = 0; radius <= 12; radius++) {
    const int32_t size = 40;
    WmCompactHeightfield compact = flat_rectangle(context, size, size);
    CHECK_EQUAL_INT(wm_erode(context, &compact, radius), WM_OK);
    for (int32_t z = 0; z < size; z++) {
      for (int32_t x = 0; x < size; x++) {
        const int inside = x >= radius && z >= radius && x < size - radius && z < size - radius;
        CHECK_EQUAL_INT(compact.span_area[x + z * size], inside ? 63 : 0);
      }
    }
    wm_compact_heightfield_free(context, &compact);
  }
  wm_context_destroy(context);
}

static void the_largest_radius_does_not_wrap(void) {
  WmContext *context = wm_context_create(NULL);
  const int32_t size = 2 * 127 + 3;
  WmCompactHeightfield compact = flat_rectangle(context, size, size);
  CHECK_EQUAL_INT(wm_erode(context, &compact, 128), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_erode(context, &compact, -1), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_erode(context, &compact, 127), WM_OK);
  int left = 0;
  for (uint32_t s = 0; s < compact.span_count; s++) left += compact.span_area[s] != 0;
  CHECK_EQUAL_INT(left, 3 * 3);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

/*    1 1 1      a speck goes, and a corner of the marked patch is rounded off by its three neighbours
 *    1 2 1                                                                                              */
static void a_speck_of_another_area_goes(void) {
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield compact = flat_rectangle(context, 7, 7);
  memset(compact.span_area, 1, compact.span_count);
  compact.span_area[3 + 7 * 3] = 2;
  CHECK_EQUAL_INT(wm_filter_median(context, &compact), WM_OK);
  for (uint32_t s = 0; s < compact.span_count; s++) CHECK_EQUAL_INT(compact.span_area[s], 1);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

static void running_out_of_memory_changes_nothing(void) {
  WmContext *plain = wm_context_create(NULL);
  for (int median = 0; median < 2; median++) {
    int failed = 0;
    for (int allowed = 0;; allowed++, failed++) {
      FailingAllocator failing = {1};
      const WmAllocator allocator = {failing_allocate, failing_release, &failing};
      WmContext *context = wm_context_create(&allocator);
      WmCompactHeightfield compact = flat_rectangle(plain, 200, 200);
      compact.span_area[200 * 100 + 100] = 5;
      failing.left = allowed;
      const WmStatus status = median ? wm_filter_median(context, &compact) : wm_erode(context, &compact, 3);
      if (status) {
        CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
        for (uint32_t s = 0; s < 200 * 200; s++) {
          CHECK_EQUAL_INT(compact.span_area[s], s == 200 * 100 + 100 ? 5 : 63);
        }
      }
      wm_compact_heightfield_free(plain, &compact);
      wm_context_destroy(context);
      if (!status) break;
    }
    CHECK(failed >= 1);
  }
  wm_context_destroy(plain);
}

static void erosion_equals_the_golden_dumps(void) {
  for (int i = 0; i < GOLDEN_CASE_COUNT; i++) {
    const GoldenCase *golden = &GOLDEN_CASES[i];
    WmBytes before = read_golden(golden, "compact");
    if (!before.bytes) {
      SKIP("no ../shared/golden/dumps");
      return;
    }
    WmContext *context = wm_context_create(NULL);
    const WmGrid grid = golden_grid(golden);
    WmCompactHeightfield compact =
        read_compact(context, before, &grid, golden->walkable_height, golden->walkable_climb);
    CHECK_EQUAL_INT(wm_erode(context, &compact, golden->walkable_radius), WM_OK);
    WmBytes dump;
    CHECK_EQUAL_INT(wm_dump_areas(context, &compact, &dump), WM_OK);
    check_golden(context, golden, "areas_eroded", dump);
    wm_compact_heightfield_free(context, &compact);
    wm_context_destroy(context);
    free(before.bytes);
  }
}

int main(void) {
  RUN(a_square_shrinks_by_the_radius_on_each_side);
  RUN(the_largest_radius_does_not_wrap);
  RUN(a_speck_of_another_area_goes);
  RUN(running_out_of_memory_changes_nothing);
  RUN(erosion_follows_its_rule_on_random_fields_of_seeds_1_to_1500);
  RUN(eroding_windows_is_eroding_everything_on_random_fields_of_seeds_1_to_3000);
  RUN(median_follows_its_rule_on_random_fields_of_seeds_1_to_1500);
  RUN(erosion_equals_the_golden_dumps);
  return check_finish();
}
