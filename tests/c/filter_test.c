/* The filters of the solid heightfield: drawn columns, a slow oracle over random fields, golden dumps. */
#include "bake/stages.h"
#include "golden_case.h"
#include "random_field.h"

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

/* ---- The rules, word for word ---------------------------------------------------------------------- */

static int32_t oracle_ceiling(const WmHeightfield *field, size_t cell, uint32_t span) {
  return span + 1 < field->cell_first[cell + 1] ? field->span_min[span + 1] : 65535;
}

static void oracle_low_hanging(const WmHeightfield *field, int32_t climb, uint8_t *area) {
  const size_t cells = (size_t)field->grid.width * (size_t)field->grid.depth;
  for (size_t cell = 0; cell < cells; cell++) {
    for (uint32_t s = field->cell_first[cell]; s < field->cell_first[cell + 1]; s++) {
      area[s] = field->span_area[s];
      if (s == field->cell_first[cell] || field->span_area[s] || !field->span_area[s - 1]) continue;
      if (field->span_max[s] - field->span_max[s - 1] <= climb) area[s] = field->span_area[s - 1];
    }
  }
}

static int oracle_is_ledge(const WmHeightfield *field, int32_t x, int32_t z, uint32_t s, int32_t height,
                           int32_t climb) {
  const WmGrid *grid = &field->grid;
  const int32_t f = field->span_max[s];
  const int32_t c = oracle_ceiling(field, (size_t)(x + z * grid->width), s);
  int32_t low = f, high = f;
  for (int d = 0; d < 4; d++) {
    const int32_t nx = x + STEP_X[d], nz = z + STEP_Z[d];
    if (nx < 0 || nz < 0 || nx >= grid->width || nz >= grid->depth) return 1;
    const size_t cell = (size_t)(nx + nz * grid->width);
    const uint32_t first = field->cell_first[cell], end = field->cell_first[cell + 1];
    const int32_t bottom = first < end ? field->span_min[first] : 65535;
    if ((c < bottom ? c : bottom) - f >= height) return 1;
    for (uint32_t n = first; n < end; n++) {
      const int32_t nf = field->span_max[n], nc = oracle_ceiling(field, cell, n);
      if ((c < nc ? c : nc) - (f > nf ? f : nf) < height) continue;
      if (nf - f < -climb) return 1;
      if (nf - f > climb) continue;
      if (nf < low) low = nf;
      if (nf > high) high = nf;
    }
  }
  return high - low > climb;
}

static void oracle_ledges(const WmHeightfield *field, int32_t height, int32_t climb, uint8_t *area) {
  for (int32_t z = 0; z < field->grid.depth; z++) {
    for (int32_t x = 0; x < field->grid.width; x++) {
      const size_t cell = (size_t)(x + z * field->grid.width);
      for (uint32_t s = field->cell_first[cell]; s < field->cell_first[cell + 1]; s++) {
        area[s] = oracle_is_ledge(field, x, z, s, height, climb) ? 0 : field->span_area[s];
      }
    }
  }
}

static void oracle_low_height(const WmHeightfield *field, int32_t height, uint8_t *area) {
  const size_t cells = (size_t)field->grid.width * (size_t)field->grid.depth;
  for (size_t cell = 0; cell < cells; cell++) {
    for (uint32_t s = field->cell_first[cell]; s < field->cell_first[cell + 1]; s++) {
      area[s] = oracle_ceiling(field, cell, s) - field->span_max[s] < height ? 0 : field->span_area[s];
    }
  }
}

/* One filter alone. */
static void filter_low_hanging(WmContext *context, WmHeightfield *field, int32_t climb) {
  const WmFilterSettings settings = {
      .walkable_height = 1, .walkable_climb = climb, .low_hanging_obstacles = true};
  CHECK_EQUAL_INT(wm_filter_heightfield(context, &settings, field), WM_OK);
}

static WmStatus filter_ledges(WmContext *context, WmHeightfield *field, int32_t height, int32_t climb) {
  const WmFilterSettings settings = {.walkable_height = height, .walkable_climb = climb, .ledges = true};
  return wm_filter_heightfield(context, &settings, field);
}

static void filter_low_height(WmContext *context, WmHeightfield *field, int32_t height) {
  const WmFilterSettings settings = {.walkable_height = height, .low_height = true};
  CHECK_EQUAL_INT(wm_filter_heightfield(context, &settings, field), WM_OK);
}

static void check_areas(const char *filter, uint64_t seed, const WmHeightfield *field,
                        const uint8_t *expected) {
  for (uint32_t s = 0; s < field->span_count; s++) {
    if (field->span_area[s] == expected[s]) continue;
    char text[160];
    snprintf(text, sizeof text, "%s, seed %llu: span %u is %u, expected %u", filter, (unsigned long long)seed,
             s, field->span_area[s], expected[s]);
    check_report(__FILE__, __LINE__, text);
    return;
  }
}

static void filters_follow_their_rules_on_random_fields_of_seeds_1_to_1500(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint64_t seed = 1; seed <= (uint64_t)CHECK_ROUNDS(1500); seed++) {
    Random random = {seed};
    const FieldStyle style = random_style(&random);
    WmHeightfield field = random_heightfield(context, &random, &style);
    const int32_t height = 1 + random_below(&random, random_below(&random, 4) ? 12 : 255);
    const int32_t climb =
        random_below(&random, 8) ? random_below(&random, height + 1) : random_below(&random, 400);
    uint8_t *expected = malloc(field.span_count + 1), *before = malloc(field.span_count + 1);
    memcpy(before, field.span_area, field.span_count);
    oracle_low_hanging(&field, climb, expected);
    filter_low_hanging(context, &field, climb);
    check_areas("low hanging", seed, &field, expected);
    oracle_ledges(&field, height, climb, expected);
    CHECK_EQUAL_INT(filter_ledges(context, &field, height, climb), WM_OK);
    check_areas("ledges", seed, &field, expected);
    oracle_low_height(&field, height, expected);
    filter_low_height(context, &field, height);
    check_areas("low height", seed, &field, expected);
    const WmFilterSettings all = {height, climb, true, true, true};
    memcpy(field.span_area, before, field.span_count);
    CHECK_EQUAL_INT(wm_filter_heightfield(context, &all, &field), WM_OK);
    check_areas("all at once", seed, &field, expected);
    free(before);
    free(expected);
    wm_heightfield_free(context, &field);
  }
  wm_context_destroy(context);
}

/* ---- Drawn fields ---------------------------------------------------------------------------------- */

/* A 5 x 5 plain at height 10 with one other cell in its middle. */
static WmHeightfield plain_with_middle(WmContext *context, int32_t middle) {
  const FieldStyle style = {.width = 5, .depth = 5, .layers = 1, .base = 9, .bumps = 1, .level_gap = 1};
  Random random = {1};
  WmHeightfield field = random_heightfield(context, &random, &style);
  memset(field.span_area, 63, field.span_count);
  field.span_max[12] = (uint16_t)middle;
  field.span_min[12] = (uint16_t)(middle - 1);
  return field;
}

/*      climb 3:    11 11 11        a step of 3 is climbed, one of 4 makes the low cell's four
 *                  11 .. 11        neighbours ledges; the rim of the grid always is one */
static void a_drop_deeper_than_the_climb_makes_its_edge_a_ledge(void) {
  WmContext *context = wm_context_create(NULL);
  for (int32_t depth = 3; depth <= 4; depth++) {
    WmHeightfield field = plain_with_middle(context, 10 - depth);
    CHECK_EQUAL_INT(filter_ledges(context, &field, 5, 3), WM_OK);
    for (uint32_t s = 0; s < 25; s++) {
      const int rim = s % 5 == 0 || s % 5 == 4 || s / 5 == 0 || s / 5 == 4;
      const int edge = s == 7 || s == 11 || s == 13 || s == 17;
      CHECK_EQUAL_INT(field.span_area[s], rim || (edge && depth == 4) ? 0 : 63);
    }
    wm_heightfield_free(context, &field);
  }
  wm_context_destroy(context);
}

/* One cell, from the bottom: a walkable floor, then slabs 2 and 4 higher that aren't walkable. The first is
 * within the climb of 2 and becomes walkable; the second is then within the climb of it, but promotion
 * doesn't spread. */
static void a_promoted_obstacle_does_not_promote_the_next(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t first[2] = {0, 3};
  uint16_t low[3] = {0, 11, 13}, high[3] = {10, 12, 14};
  uint8_t area[3] = {7, 0, 0};
  WmHeightfield field = {.grid = {.width = 1, .depth = 1}, .span_count = 3, .cell_first = first};
  field.span_min = low;
  field.span_max = high;
  field.span_area = area;
  filter_low_hanging(context, &field, 2);
  CHECK(area[0] == 7 && area[1] == 7 && area[2] == 0);
  wm_context_destroy(context);
}

/* A floor at 10 under a slab at 15 has five of headroom; the slab's top is open, unless at the limit. */
static void headroom_below_the_agents_height_is_unwalkable(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t first[2] = {0, 2};
  uint16_t low[2] = {0, 15}, high[2] = {10, WM_SPAN_HEIGHT_LIMIT};
  for (int32_t height = 1; height <= 6; height++) {
    uint8_t area[2] = {63, 63};
    WmHeightfield field = {.grid = {.width = 1, .depth = 1}, .span_count = 2, .cell_first = first};
    field.span_min = low;
    field.span_max = high;
    field.span_area = area;
    filter_low_height(context, &field, height);
    CHECK_EQUAL_INT(area[0], height <= 5 ? 63 : 0);
    CHECK_EQUAL_INT(area[1], height <= 2 ? 63 : 0);
  }
  wm_context_destroy(context);
}

static void an_empty_field_stays_empty(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t first[7] = {0};
  WmHeightfield field = {.grid = {.width = 3, .depth = 2}, .cell_first = first};
  filter_low_hanging(context, &field, 2);
  CHECK_EQUAL_INT(filter_ledges(context, &field, 5, 2), WM_OK);
  filter_low_height(context, &field, 5);
  wm_context_destroy(context);
}

/* A failed ledge filter leaves the areas as they were. */
static void ledges_survive_running_out_of_memory(void) {
  for (int allowed = 0;; allowed++) {
    FailingAllocator failing = {1};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *plain = wm_context_create(NULL), *context = wm_context_create(&allocator);
    WmHeightfield field = plain_with_middle(plain, 1);
    failing.left = allowed;
    const WmStatus status = filter_ledges(context, &field, 5, 3);
    if (status) {
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      for (uint32_t s = 0; s < 25; s++) CHECK_EQUAL_INT(field.span_area[s], 63);
    }
    wm_heightfield_free(plain, &field);
    wm_context_destroy(context);
    wm_context_destroy(plain);
    if (!status) break;
  }
}

static void filters_equal_the_golden_dumps(void) {
  for (int i = 0; i < GOLDEN_CASE_COUNT; i++) {
    const GoldenCase *golden = &GOLDEN_CASES[i];
    WmBytes raster = read_golden(golden, "hf_raster");
    if (!raster.bytes) {
      SKIP("no ../shared/golden/dumps");
      return;
    }
    WmContext *context = wm_context_create(NULL);
    const WmGrid grid = golden_grid(golden);
    WmHeightfield field = read_heightfield(context, raster, &grid);
    WmBytes dump;
    filter_low_hanging(context, &field, golden->walkable_climb);
    CHECK_EQUAL_INT(wm_dump_heightfield(context, &field, &dump), WM_OK);
    check_golden(context, golden, "hf_filter_low_hanging", dump);
    CHECK_EQUAL_INT(filter_ledges(context, &field, golden->walkable_height, golden->walkable_climb), WM_OK);
    CHECK_EQUAL_INT(wm_dump_heightfield(context, &field, &dump), WM_OK);
    check_golden(context, golden, "hf_filter_ledge", dump);
    filter_low_height(context, &field, golden->walkable_height);
    CHECK_EQUAL_INT(wm_dump_heightfield(context, &field, &dump), WM_OK);
    check_golden(context, golden, "hf_filter_low_height", dump);
    wm_heightfield_free(context, &field);
    wm_context_destroy(context);
    free(raster.bytes);
  }
}

int main(void) {
  RUN(a_drop_deeper_than_the_climb_makes_its_edge_a_ledge);
  RUN(a_promoted_obstacle_does_not_promote_the_next);
  RUN(headroom_below_the_agents_height_is_unwalkable);
  RUN(an_empty_field_stays_empty);
  RUN(ledges_survive_running_out_of_memory);
  RUN(filters_follow_their_rules_on_random_fields_of_seeds_1_to_1500);
  RUN(filters_equal_the_golden_dumps);
  return check_finish();
}
