/* The compact heightfield: drawn cells, a slow oracle over random fields, golden dumps. */
#include "bake/stages.h"
#include "golden_case.h"
#include "random_field.h"

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

static uint32_t oracle_link(const WmCompactHeightfield *compact, int32_t x, int32_t z, uint32_t s, int d) {
  const WmGrid *grid = &compact->grid;
  const int32_t nx = x + STEP_X[d], nz = z + STEP_Z[d];
  if (nx < 0 || nz < 0 || nx >= grid->width || nz >= grid->depth) return WM_NO_SPAN;
  const int32_t f = compact->span_floor[s], t = f + compact->span_clearance[s];
  const size_t cell = (size_t)(nx + nz * grid->width);
  for (uint32_t n = compact->cell_first[cell]; n < compact->cell_first[cell + 1]; n++) {
    const int32_t nf = compact->span_floor[n], nt = nf + compact->span_clearance[n];
    if ((t < nt ? t : nt) - (f > nf ? f : nf) < compact->walkable_height) continue;
    if (abs(nf - f) <= compact->walkable_climb) return n;
  }
  return WM_NO_SPAN;
}

/* Visits the solid field and expects its walkable spans, in order, with the oracle's links. */
static void check_compact(const WmHeightfield *field, const WmCompactHeightfield *compact, uint64_t seed) {
  const int failures = check_failures;
  uint32_t next = 0;
  bool symmetric = true;
  for (int32_t z = 0; z < field->grid.depth; z++) {
    for (int32_t x = 0; x < field->grid.width; x++) {
      const size_t cell = (size_t)(x + z * field->grid.width);
      CHECK_EQUAL_INT(compact->cell_first[cell], next);
      const uint32_t end = field->cell_first[cell + 1];
      for (uint32_t s = field->cell_first[cell]; s < end && next < compact->span_count; s++) {
        if (!field->span_area[s]) continue;
        const int32_t open = (s + 1 < end ? field->span_min[s + 1] : 65535) - field->span_max[s];
        CHECK_EQUAL_INT(compact->span_floor[next], field->span_max[s]);
        CHECK_EQUAL_INT(compact->span_clearance[next], open < 255 ? open : 255);
        CHECK_EQUAL_INT(compact->span_area[next], field->span_area[s]);
        for (int d = 0; d < 4; d++) {
          const uint32_t link = oracle_link(compact, x, z, next, d);
          CHECK_EQUAL_INT(wm_link(&compact->links, next, d), link);
          if (link == WM_NO_SPAN) continue;
          const int32_t nx = x + STEP_X[d], nz = z + STEP_Z[d];
          if (oracle_link(compact, nx, nz, link, (d + 2) & 3) != next) symmetric = false;
        }
        next++;
      }
      if (check_failures != failures) {
        printf("seed %llu, cell %d, %d\n", (unsigned long long)seed, x, z);
        return;
      }
    }
  }
  CHECK_EQUAL_INT(next, compact->span_count);
  CHECK_EQUAL_INT(compact->cell_first[(size_t)(field->grid.width * field->grid.depth)], compact->span_count);
  CHECK_EQUAL_INT(compact->links_are_symmetric, symmetric);
}

static void links_follow_their_rule_on_random_fields_of_seeds_1_to_1500(void) {
  WmContext *context = wm_context_create(NULL);
  int one_way = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)CHECK_ROUNDS(1500) && check_failures == 0; seed++) {
    Random random = {seed};
    const FieldStyle style = random_style(&random);
    WmHeightfield field = random_heightfield(context, &random, &style);
    const int32_t height = 1 + random_below(&random, random_below(&random, 4) ? 12 : 255);
    const int32_t climb =
        random_below(&random, 4) ? random_below(&random, height + 1) : random_below(&random, 400);
    WmCompactHeightfield compact;
    CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, height, climb, &compact), WM_OK);
    CHECK_EQUAL_INT(compact.walkable_height, height);
    CHECK_EQUAL_INT(compact.walkable_climb, climb);
    CHECK(compact.grid.bounds_max[1] == field.grid.bounds_max[1] + (float)height * field.grid.cell_height);
    check_compact(&field, &compact, seed);
    one_way += !compact.links_are_symmetric;
    wm_compact_heightfield_free(context, &compact);
    wm_heightfield_free(context, &field);
  }
  CHECK(one_way > CHECK_ROUNDS(10)); /* the seeds do contain the unusual case */
  wm_context_destroy(context);
}

/* More spans in a cell than six bits can number: 80 slabs in each of two cells, each linked to the one
 * across.
 *
 *     ==  ==    slab 79
 *     ...
 *     ==  ==    slab 0 */
static void cells_of_eighty_spans_are_linked(void) {
  enum { LEVELS = 80 };
  uint32_t first[3] = {0, LEVELS, 2 * LEVELS};
  uint16_t low[2 * LEVELS], high[2 * LEVELS];
  uint8_t area[2 * LEVELS];
  for (int i = 0; i < 2 * LEVELS; i++) {
    low[i] = (uint16_t)(i % LEVELS * 10);
    high[i] = (uint16_t)(low[i] + 2);
    area[i] = 63;
  }
  WmHeightfield field = {.grid = {.width = 2, .depth = 1}, .span_count = 2 * LEVELS, .cell_first = first};
  field.span_min = low;
  field.span_max = high;
  field.span_area = area;
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield compact;
  CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, 6, 2, &compact), WM_OK);
  for (uint32_t i = 0; i < LEVELS; i++) {
    CHECK_EQUAL_INT(wm_link(&compact.links, i, 2), i + LEVELS);
    CHECK_EQUAL_INT(wm_link(&compact.links, i + LEVELS, 0), i);
    CHECK_EQUAL_INT(wm_link(&compact.links, i, 1), WM_NO_SPAN);
  }
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

static void an_empty_field_gives_an_empty_one(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t first[7] = {0};
  WmHeightfield field = {.grid = {.width = 3, .depth = 2}, .cell_first = first};
  WmCompactHeightfield compact;
  CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, 6, 2, &compact), WM_OK);
  CHECK_EQUAL_INT(compact.span_count, 0);
  CHECK_EQUAL_INT(compact.cell_first[6], 0);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

static void running_out_of_memory_leaves_nothing(void) {
  Random random = {5};
  const FieldStyle style = {30, 20, 3, 0, 3, 20, 2, 2};
  WmContext *plain = wm_context_create(NULL);
  WmHeightfield field = random_heightfield(plain, &random, &style);
  int failed = 0;
  for (int allowed = 0;; allowed++, failed++) {
    FailingAllocator failing = {1};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator);
    failing.left = allowed;
    WmCompactHeightfield compact;
    const WmStatus status = wm_build_compact_heightfield(context, &field, 6, 2, &compact);
    if (status) {
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      CHECK(!compact.block && !compact.span_floor && compact.span_count == 0);
    }
    wm_compact_heightfield_free(context, &compact);
    wm_context_destroy(context);
    if (!status) break;
  }
  CHECK(failed >= 1);
  wm_heightfield_free(plain, &field);
  wm_context_destroy(plain);
}

static void compact_equals_the_golden_dumps(void) {
  for (int i = 0; i < GOLDEN_CASE_COUNT; i++) {
    const GoldenCase *golden = &GOLDEN_CASES[i];
    WmBytes solid = read_golden(golden, "hf_filter_low_height");
    if (!solid.bytes) {
      SKIP("no ../shared/golden/dumps");
      return;
    }
    WmContext *context = wm_context_create(NULL);
    const WmGrid grid = golden_grid(golden);
    WmHeightfield field = read_heightfield(context, solid, &grid);
    WmCompactHeightfield compact;
    CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, golden->walkable_height,
                                                 golden->walkable_climb, &compact),
                    WM_OK);
    WmBytes dump;
    CHECK_EQUAL_INT(wm_dump_compact(context, &compact, &field, &dump), WM_OK);
    check_golden(context, golden, "compact", dump);
    wm_compact_heightfield_free(context, &compact);
    wm_heightfield_free(context, &field);
    wm_context_destroy(context);
    free(solid.bytes);
  }
}

int main(void) {
  RUN(cells_of_eighty_spans_are_linked);
  RUN(an_empty_field_gives_an_empty_one);
  RUN(running_out_of_memory_leaves_nothing);
  RUN(links_follow_their_rule_on_random_fields_of_seeds_1_to_1500);
  RUN(compact_equals_the_golden_dumps);
  return check_finish();
}
