/* The distance field: drawn fields, a slow oracle over random fields, golden dumps. */
#include "bake/areas/chamfer.h"
#include "bake/stages.h"
#include "golden_case.h"
#include "plain_links.h"
#include "random_field.h"

static uint32_t link_of(const WmCompactHeightfield *compact, uint32_t span, int d) {
  return span == WM_NO_SPAN ? WM_NO_SPAN : wm_link(&compact->links, span, d & 3);
}

static void oracle_take(uint16_t *own, const uint16_t *distance, uint32_t other, int step) {
  if (other != WM_NO_SPAN && distance[other] + step < *own) *own = (uint16_t)(distance[other] + step);
}

/* The distances before the blur. */
static void oracle_chamfer(const WmCompactHeightfield *compact, uint16_t *distance) {
  const uint32_t count = compact->span_count;
  for (uint32_t s = 0; s < count; s++) {
    distance[s] = 65535;
    for (int d = 0; d < 4; d++) {
      const uint32_t n = link_of(compact, s, d);
      if (n == WM_NO_SPAN || compact->span_area[n] != compact->span_area[s]) distance[s] = 0;
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
}

/* Returns the largest distance before the blur. */
static uint16_t oracle_distance(const WmCompactHeightfield *compact, uint16_t *blurred) {
  const uint32_t count = compact->span_count;
  uint16_t *distance = malloc(2 * (size_t)count + 2), most = 0;
  oracle_chamfer(compact, distance);
  for (uint32_t s = 0; s < count; s++) {
    const int own = distance[s];
    if (own > most) most = (uint16_t)own;
    int sum = own;
    for (int d = 0; d < 4; d++) {
      const uint32_t a = link_of(compact, s, d), b = link_of(compact, a, d + 1);
      sum += a == WM_NO_SPAN ? 2 * own : distance[a] + (b == WM_NO_SPAN ? own : distance[b]);
    }
    blurred[s] = (uint16_t)(own <= 2 ? own : (sum + 5) / 9);
  }
  free(distance);
  return most;
}

static void check_distance(uint64_t seed, const WmCompactHeightfield *compact,
                           const WmDistanceField *distance) {
  uint16_t *expected = malloc(2 * (size_t)compact->span_count + 2);
  CHECK_EQUAL_INT(distance->max_distance, oracle_distance(compact, expected));
  CHECK_EQUAL_INT(distance->span_count, compact->span_count);
  for (uint32_t s = 0; s < compact->span_count; s++) {
    if (distance->span_distance[s] == expected[s]) continue;
    char text[160];
    snprintf(text, sizeof text, "seed %llu: span %u is %u, expected %u", (unsigned long long)seed, s,
             distance->span_distance[s], expected[s]);
    check_report(__FILE__, __LINE__, text);
    break;
  }
  free(expected);
}

/* Checks the distances of a field, and those before the blur, which hides differences of one.
 * returns    true if steps to the west and the east were short enough to be found at once */
static bool check_both(WmContext *context, uint64_t seed, const WmCompactHeightfield *compact) {
  WmDistanceField distance;
  CHECK_EQUAL_INT(wm_build_distance_field(context, compact, &distance), WM_OK);
  check_distance(seed, compact, &distance);
  wm_distance_field_free(context, &distance);
  const WmScratchMark mark = wm_scratch_mark(context);
  uint16_t *room = wm_scratch_array(context, wm_chamfer_room(compact->span_count), sizeof *room);
  WmChamfer chamfer;
  CHECK_EQUAL_INT(wm_chamfer_measure(context, compact, UINT8_MAX, room, &chamfer), WM_OK);
  uint16_t *expected = malloc(2 * (size_t)compact->span_count + 2);
  oracle_chamfer(compact, expected);
  CHECK(memcmp(chamfer.distance, expected, compact->span_count * sizeof *expected) == 0);
  free(expected);
  wm_scratch_rewind(context, mark);
  return chamfer.east != NULL;
}

static void distance_follows_its_rule_on_random_fields_of_seeds_1_to_1500(void) {
  WmContext *context = wm_context_create(NULL);
  int largest = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)CHECK_ROUNDS(1500); seed++) {
    Random random = {seed};
    FieldStyle style = random_style(&random);
    if (random_below(&random, 2)) style.empty_of_16 = style.null_of_16 = 0;
    WmHeightfield field = random_heightfield(context, &random, &style);
    const int32_t climb = random_below(&random, 4) ? random_below(&random, 4) : random_below(&random, 40);
    WmCompactHeightfield compact;
    CHECK_EQUAL_INT(
        wm_build_compact_heightfield(context, &field, 1 + random_below(&random, 8), climb, &compact), WM_OK);
    if (random_below(&random, 2)) memset(compact.span_area, 63, compact.span_count);
    const int32_t rarity = 2 + random_below(&random, 300);
    for (uint32_t s = 0; s < compact.span_count; s++) {
      if (random_below(&random, rarity) == 0) compact.span_area[s] = (uint8_t)random_below(&random, 64);
    }
    WmDistanceField distance;
    CHECK_EQUAL_INT(wm_build_distance_field(context, &compact, &distance), WM_OK);
    check_distance(seed, &compact, &distance);
    if (distance.max_distance > largest) largest = distance.max_distance;
    wm_distance_field_free(context, &distance);
    /* Span by span. */
    for (uint32_t i = 0; i < compact.span_count / WM_LINK_BLOCK; i++) compact.links.blocks[i].allowed = 0;
    CHECK_EQUAL_INT(wm_build_distance_field(context, &compact, &distance), WM_OK);
    check_distance(seed, &compact, &distance);
    wm_distance_field_free(context, &distance);
    wm_compact_heightfield_free(context, &compact);
    wm_heightfield_free(context, &field);
  }
  CHECK(largest >= 20);
  wm_context_destroy(context);
}

/* 0 0 0 0 0
 * 0 2 2 2 0     the middle is 4 before the blur and (4 + 8 * 2 + 5) / 9 = 2 after
 * 0 2 4 2 0
 * 0 2 2 2 0
 * 0 0 0 0 0 */
static void a_small_square_as_drawn(void) {
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield compact = flat_rectangle(context, 5, 5);
  WmDistanceField distance;
  CHECK_EQUAL_INT(wm_build_distance_field(context, &compact, &distance), WM_OK);
  CHECK_EQUAL_INT(distance.max_distance, 4);
  for (uint32_t s = 0; s < 25; s++) {
    const int rim = s % 5 == 0 || s % 5 == 4 || s / 5 == 0 || s / 5 == 4;
    CHECK_EQUAL_INT(distance.span_distance[s], rim ? 0 : 2);
  }
  wm_distance_field_free(context, &distance);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

/* Distances whose sum of nine does not fit in 16 bits: a plain of more than 7281 cells across. */
static void a_very_wide_field_does_not_overflow_the_blur(void) {
  WmContext *context = wm_context_create(NULL);
  /* A deep field would be slow to make: links are bent so that one long row is its own row before and after,
   * which leaves only the ends as borders. */
  const uint32_t length = 20000;
  WmCompactHeightfield compact = flat_rectangle(context, (int32_t)length, 1);
  uint32_t *links = unpack_links(&compact);
  for (uint32_t s = 1; s + 1 < length; s++) links[4 * s + 1] = links[4 * s + 3] = s;
  pack_links(context, links, &compact);
  free(links);
  WmDistanceField distance;
  CHECK_EQUAL_INT(wm_build_distance_field(context, &compact, &distance), WM_OK);
  CHECK(distance.max_distance > 16000);
  check_distance(0, &compact, &distance);
  wm_distance_field_free(context, &distance);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

/* The first row starts at cell 6: span 16, in the second row at cell 5, has no link north, and one step less
 * than span 17's, which leads to span 0, would be WM_NO_SPAN.
 *
 *     .  .  .  .  .  .  0  1 ..  10
 *     11 12 13 14 15 16 17 18 .. 27
 *     28 ..                      44 */
static void a_step_back_from_the_first_spans_is_no_link(void) {
  enum { WIDTH = 17, DEPTH = 6, MISSING = 6, SPANS = WIDTH * DEPTH - MISSING };
  uint32_t first[WIDTH * DEPTH + 1];
  uint16_t low[SPANS], high[SPANS];
  uint8_t area[SPANS];
  for (uint32_t cell = 0; cell <= WIDTH * DEPTH; cell++) first[cell] = cell < MISSING ? 0 : cell - MISSING;
  for (int s = 0; s < SPANS; s++) {
    low[s] = 0;
    high[s] = 5;
    area[s] = 63;
  }
  WmHeightfield field = {.grid = {.width = WIDTH, .depth = DEPTH}, .span_count = SPANS, .cell_first = first};
  field.span_min = low;
  field.span_max = high;
  field.span_area = area;
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield compact;
  CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, 5, 1, &compact), WM_OK);
  CHECK_EQUAL_INT(wm_link(&compact.links, 17, 3), 0);
  CHECK_EQUAL_INT(wm_link(&compact.links, 16, 3), WM_NO_SPAN);
  WmDistanceField distance;
  CHECK_EQUAL_INT(wm_build_distance_field(context, &compact, &distance), WM_OK);
  CHECK_EQUAL_INT(distance.span_distance[16], 0);
  check_distance(0, &compact, &distance);
  wm_distance_field_free(context, &distance);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

/* Slanted strips whose rows are about as wide as a block of spans, so that blocks and the rows they look at
 * overlap. */
static void narrow_strips_of_seeds_1_to_600(void) {
  enum { WIDTH = 40, DEPTH = 40, SPANS = WIDTH * DEPTH };
  static uint32_t first[SPANS + 1];
  static uint16_t low[SPANS], high[SPANS];
  static uint8_t area[SPANS];
  WmContext *context = wm_context_create(NULL);
  for (uint64_t seed = 1; seed <= 600; seed++) {
    Random random = {seed};
    uint32_t count = 0;
    int32_t start = random_below(&random, 8), length = 4 + random_below(&random, 14);
    for (int32_t z = 0; z < DEPTH; z++) {
      if (random_below(&random, 3) == 0) start += random_below(&random, 3) - 1;
      if (random_below(&random, 4) == 0) length += random_below(&random, 3) - 1;
      for (int32_t x = 0; x < WIDTH; x++) {
        first[z * WIDTH + x] = count;
        if (x < start || x >= start + length) continue;
        low[count] = 0, high[count] = 5, area[count++] = 63;
      }
    }
    first[SPANS] = count;
    WmHeightfield field = {
        .grid = {.width = WIDTH, .depth = DEPTH}, .span_count = count, .cell_first = first};
    field.span_min = low, field.span_max = high, field.span_area = area;
    WmCompactHeightfield compact;
    CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, 5, 1, &compact), WM_OK);
    check_both(context, seed, &compact);
    wm_compact_heightfield_free(context, &compact);
  }
  wm_context_destroy(context);
}

/* Columns of up to 200 spans: links aside lead over several blocks, and from 128 spans on their steps exceed a byte. */
static void deep_columns_of_seeds_1_to_40(void) {
  WmContext *context = wm_context_create(NULL);
  int long_steps = 0, short_steps = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    Random random = {seed};
    const FieldStyle style = {.width = 9,
                              .depth = 8,
                              .layers = 20 + random_below(&random, 180),
                              .bumps = 1 + random_below(&random, 2),
                              .level_gap = 8,
                              .empty_of_16 = random_below(&random, 2)};
    WmHeightfield field = random_heightfield(context, &random, &style);
    WmCompactHeightfield compact;
    CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, 2, 1, &compact), WM_OK);
    if (seed % 4 < 2) memset(compact.span_area, 63, compact.span_count);
    *(check_both(context, seed, &compact) ? &short_steps : &long_steps) += 1;
    wm_compact_heightfield_free(context, &compact);
    wm_heightfield_free(context, &field);
  }
  CHECK(long_steps > 5);
  CHECK(short_steps > 5);
  wm_context_destroy(context);
}

static void an_empty_field_gives_an_empty_one(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t first[7] = {0};
  WmCompactHeightfield compact = {.grid = {.width = 3, .depth = 2}, .cell_first = first};
  pack_links(context, NULL, &compact);
  WmDistanceField distance;
  CHECK_EQUAL_INT(wm_build_distance_field(context, &compact, &distance), WM_OK);
  CHECK_EQUAL_INT(distance.span_count, 0);
  CHECK_EQUAL_INT(distance.max_distance, 0);
  wm_distance_field_free(context, &distance);
  wm_links_free(context, &compact.links);
  wm_context_destroy(context);
}

static void running_out_of_memory_leaves_nothing(void) {
  WmContext *plain = wm_context_create(NULL);
  WmCompactHeightfield compact = flat_rectangle(plain, 200, 200);
  int failed = 0;
  for (int allowed = 0;; allowed++, failed++) {
    FailingAllocator failing = {1};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator);
    failing.left = allowed;
    WmDistanceField distance;
    const WmStatus status = wm_build_distance_field(context, &compact, &distance);
    if (status) {
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      CHECK(!distance.block && !distance.span_distance && distance.span_count == 0);
    }
    wm_distance_field_free(context, &distance);
    wm_context_destroy(context);
    if (!status) break;
  }
  CHECK(failed >= 2);
  wm_compact_heightfield_free(plain, &compact);
  wm_context_destroy(plain);
}

static void distance_equals_the_golden_dumps(void) {
  for (int i = 0; i < GOLDEN_CASE_COUNT; i++) {
    const GoldenCase *golden = &GOLDEN_CASES[i];
    WmBytes before = read_golden(golden, "compact");
    if (!before.bytes) {
      SKIP("no ../shared/golden/dumps");
      return;
    }
    WmBytes areas = read_golden(golden, "areas_eroded"), expected = read_golden(golden, "distance");
    if (expected.bytes) {
      WmContext *context = wm_context_create(NULL);
      const WmGrid grid = golden_grid(golden);
      WmCompactHeightfield compact =
          read_compact(context, before, &grid, golden->walkable_height, golden->walkable_climb);
      memcpy(compact.span_area, areas.bytes, compact.span_count);
      WmDistanceField distance;
      CHECK_EQUAL_INT(wm_build_distance_field(context, &compact, &distance), WM_OK);
      WmBytes dump;
      CHECK_EQUAL_INT(wm_dump_distance(context, &distance, &dump), WM_OK);
      check_golden(context, golden, "distance", dump);
      wm_distance_field_free(context, &distance);
      wm_compact_heightfield_free(context, &compact);
      wm_context_destroy(context);
    }
    free(areas.bytes);
    free(expected.bytes);
    free(before.bytes);
  }
}

int main(void) {
  RUN(a_small_square_as_drawn);
  RUN(a_very_wide_field_does_not_overflow_the_blur);
  RUN(a_step_back_from_the_first_spans_is_no_link);
  RUN(an_empty_field_gives_an_empty_one);
  RUN(running_out_of_memory_leaves_nothing);
  RUN(distance_follows_its_rule_on_random_fields_of_seeds_1_to_1500);
  RUN(narrow_strips_of_seeds_1_to_600);
  RUN(deep_columns_of_seeds_1_to_40);
  RUN(distance_equals_the_golden_dumps);
  return check_finish();
}
