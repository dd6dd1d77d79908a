/* Regions: golden bytes, a slow oracle of the rules, and invariants of all fields. */
#include "bake/validate.h"
#include "check.h"
#include "dump_read.h"
#include "golden_rounds.h"
#include "region_fields.h"
#include "region_oracle.h"
#include "regions_golden.h"
#include "scene.h"
#include "guarded_memory.h"

/* ---- Invariants ------------------------------------------------------------------------------------ */

static bool is_real(uint32_t region) { return region != 0 && !(region & WM_REGION_BORDER); }

/* Spans of a region that can be reached from its first one, over links either way. */
static uint32_t count_unconnected(const WmCompactHeightfield *field, const WmRegions *regions) {
  uint8_t *seen = calloc((size_t)field->span_count + 1, 1), *started = calloc(65536, 1);
  uint32_t *stack = malloc(4 * (size_t)field->span_count + 4), unconnected = 0;
  for (uint32_t first = 0; first < field->span_count; first++) {
    const uint32_t region = regions->span_region[first];
    if (!is_real(region) || seen[first]) continue;
    if (started[region]) unconnected++;
    started[region] = 1;
    uint32_t count = 0;
    stack[count++] = first;
    seen[first] = 1;
    while (count > 0) {
      const uint32_t span = stack[--count];
      for (int d = 0; d < 4; d++) {
        const uint32_t next = wm_link(&field->links, span, d);
        if (next == WM_NO_SPAN || seen[next] || regions->span_region[next] != region) continue;
        seen[next] = 1;
        stack[count++] = next;
      }
    }
  }
  free(seen);
  free(started);
  free(stack);
  return unconnected;
}

static uint32_t count_overlaps(const WmCompactHeightfield *field, const uint16_t *span_region) {
  uint32_t overlaps = 0;
  for (int32_t cell = 0; cell < field->grid.width * field->grid.depth; cell++) {
    for (uint32_t i = field->cell_first[cell]; i < field->cell_first[cell + 1]; i++) {
      for (uint32_t k = field->cell_first[cell]; k < i; k++) {
        overlaps += is_real(span_region[i]) && span_region[i] == span_region[k];
      }
    }
  }
  return overlaps;
}

static void check_invariants(const WmCompactHeightfield *field, const WmRegions *regions) {
  CHECK_EQUAL_INT(count_overlaps(field, regions->span_region), 0);
  if (field->links_are_symmetric) CHECK_EQUAL_INT(count_unconnected(field, regions), 0);
  uint32_t bad = 0;
  int32_t *area = malloc(65536 * sizeof *area);
  memset(area, 0xff, 65536 * sizeof *area);
  for (uint32_t i = 0; i < field->span_count; i++) {
    const uint32_t region = regions->span_region[i];
    if (!is_real(region)) continue;
    if (region > regions->region_count || field->span_area[i] == WM_AREA_NULL) bad++;
    if (area[region] >= 0 && area[region] != field->span_area[i]) bad++;
    area[region] = field->span_area[i];
  }
  free(area);
  CHECK_EQUAL_INT(bad, 0);
}

/* Equal to the oracle, except for regions that overlap themselves: there no span is lost, and all pieces but
 * the first get numbers above the others. Returns the number of overlapping regions. */
static uint32_t compare_with_oracle(const WmCompactHeightfield *field, const WmRegions *regions,
                                    const Oracle *o) {
  uint8_t *overlapping = calloc(65536, 1);
  for (int32_t cell = 0; cell < field->grid.width * field->grid.depth; cell++) {
    for (uint32_t i = field->cell_first[cell]; i < field->cell_first[cell + 1]; i++) {
      for (uint32_t k = field->cell_first[cell]; k < i; k++) {
        if (o->region[i] == o->region[k]) overlapping[o->region[i]] = 1;
      }
    }
  }
  uint32_t bad = 0, count = 0;
  for (uint32_t i = 0; i < field->span_count; i++) {
    const uint32_t expected = o->region[i], actual = regions->span_region[i];
    const bool may_be_piece = is_real(expected) && overlapping[expected];
    if (actual != expected && !(may_be_piece && actual > o->region_count && is_real(actual))) bad++;
  }
  for (uint32_t region = 1; region < 0x8000; region++) count += overlapping[region];
  CHECK_EQUAL_INT(bad, 0);
  if (count == 0) CHECK_EQUAL_INT(regions->region_count, o->region_count);
  free(overlapping);
  return count;
}

/* The regions are the same if the distance field may be overwritten. */
static void check_spare(WmContext *context, const WmCompactHeightfield *field,
                        const WmDistanceField *distance, const WmRegionSettings *settings,
                        const WmRegions *expected) {
  enum { PAD = 8 };
  const size_t count = field->span_count;
  uint16_t *padded = malloc(2 * (count + 2 * PAD));
  memcpy(padded + PAD, distance->span_distance, 2 * count);
  WmDistanceField spare = {field->span_count, padded + PAD, distance->max_distance, true, NULL};
  WmRegions regions;
  CHECK_EQUAL_INT(wm_build_regions(context, field, &spare, settings, &regions), WM_OK);
  CHECK_EQUAL_INT(regions.region_count, expected->region_count);
  CHECK(memcmp(regions.span_region, expected->span_region, 2 * count) == 0);
  wm_regions_free(context, &regions);
  free(padded);
}

/* Builds regions and compares; returns the number of regions that had to be cut. */
static uint32_t run_against_oracle(WmContext *context, const WmCompactHeightfield *field,
                                   const WmRegionSettings *settings) {
  Oracle oracle = oracle_run(field, settings);
  WmDistanceField distance = {field->span_count, oracle.distance, (uint16_t)oracle.max_distance, false, NULL};
  WmRegions regions;
  const WmStatus status = wm_build_regions(context, field, &distance, settings, &regions);
  CHECK_EQUAL_INT(status, WM_OK);
  uint32_t cut = 0;
  if (status == WM_OK) {
    cut = compare_with_oracle(field, &regions, &oracle);
    check_invariants(field, &regions);
    CHECK(wm_regions_validate(context, field, &regions));
    check_spare(context, field, &distance, settings, &regions);
  }
  wm_regions_free(context, &regions);
  oracle_free(&oracle);
  return cut;
}

/* ---- Against the oracle -------------------------------------------------------------------------------- */

static void seeded_fields_equal_the_oracle(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t asymmetric = 0, cut = 0;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(160); seed++) {
    const bool dense = seed % 3 == 0;
    const int32_t width = 10 + (int32_t)(seed * 7 % 45), depth = 10 + (int32_t)(seed * 13 % 45);
    const int32_t border = seed % 4 == 1 ? (int32_t)(seed % 6) : 0;
    WmCompactHeightfield field = make_random_field(context, seed, width, depth, border, dense);
    asymmetric += !field.links_are_symmetric;
    for (int32_t partition = 0; partition < 4; partition++) {
      const int failures = check_failures;
      const WmRegionSettings settings = {partition, 1 + (int32_t)(seed % 17), (int32_t)(seed * 5 % 60),
                                         (int32_t)(seed * seed % 500)};
      cut += run_against_oracle(context, &field, &settings);
      if (check_failures > failures) printf("  seed %u, partition %d\n", seed, partition);
    }
    wm_compact_heightfield_free(context, &field);
  }
  printf("seeded fields: %u with one-way links, %u regions cut\n", asymmetric, cut);
  CHECK(asymmetric > (uint32_t)CHECK_ROUNDS(10));
  CHECK(cut > (uint32_t)CHECK_ROUNDS(60));
  wm_context_destroy(context);
}

static void fields_with_many_merges_equal_the_oracle(void) {
  static const int32_t MERGE_CELLS[] = {30, 400, 100000000};
  WmContext *context = wm_context_create(NULL);
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(120); seed++) {
    const int32_t width = 20 + (int32_t)(seed * 7 % 41), depth = 20 + (int32_t)(seed * 13 % 37);
    WmCompactHeightfield field = make_pillared_field(context, seed, width, depth, seed % 7 == 0 ? 4 : 0);
    for (int32_t partition = 0; partition < 4; partition++) {
      const int failures = check_failures;
      const WmRegionSettings settings = {partition, 2 + (int32_t)(seed % 9), 0, MERGE_CELLS[seed % 3]};
      run_against_oracle(context, &field, &settings);
      if (check_failures > failures) printf("  seed %u, partition %d\n", seed, partition);
    }
    wm_compact_heightfield_free(context, &field);
  }
  wm_context_destroy(context);
}

/* Teeth 1 wide, 1 apart, 220 long: the outline has about 100000 steps. */
static void long_outline_is_followed_to_its_end(void) {
  WmContext *context = wm_context_create(NULL);
  FieldDraft draft = start_draft(440, 230, 0, 8, 2);
  for (int32_t z = 0; z < 230; z++) {
    for (int32_t x = 0; x < 440; x++) {
      const bool tooth = x % 2 == 0, island = z == 229 && x % 8 == 1;
      if (z < 8 || tooth) add_floor(&draft, x, z, 50, WM_AREA_WALKABLE, 4);
      if (!tooth && z >= 8 && island) add_floor(&draft, x, z, 50, 9, 4);
    }
  }
  WmCompactHeightfield field = finish_draft(context, &draft);
  const WmRegionSettings settings = {WM_PARTITION_WATERSHED, 0, 2, 30};
  run_against_oracle(context, &field, &settings);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

/* ---- Drawn fields -------------------------------------------------------------------------------------- */

/* Rows of text: '.' floor, 'o' floor of area 5, '#' nothing. */
static WmCompactHeightfield draw_field(WmContext *context, const char *const *rows, int32_t depth) {
  const int32_t width = (int32_t)strlen(rows[0]);
  FieldDraft draft = start_draft(width, depth, 0, 8, 2);
  for (int32_t z = 0; z < depth; z++) {
    for (int32_t x = 0; x < width; x++) {
      if (rows[z][x] != '#') add_floor(&draft, x, z, 10, rows[z][x] == 'o' ? 5 : WM_AREA_WALKABLE, 4);
    }
  }
  return finish_draft(context, &draft);
}

static void check_drawn(const char *const *rows, const char *const *expected, int32_t depth,
                        const WmRegionSettings *settings) {
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield field = draw_field(context, rows, depth);
  Oracle oracle = oracle_run(&field, settings); /* for its distances */
  WmDistanceField distance = {field.span_count, oracle.distance, (uint16_t)oracle.max_distance, false, NULL};
  WmRegions regions;
  CHECK_EQUAL_INT(wm_build_regions(context, &field, &distance, settings, &regions), WM_OK);
  for (int32_t z = 0; z < depth; z++) {
    for (int32_t x = 0; x < field.grid.width; x++) {
      const uint32_t *cell = field.cell_first + x + z * field.grid.width;
      char actual = '#';
      if (cell[1] > cell[0]) actual = (char)('0' + regions.span_region[cell[0]]);
      if (actual != expected[z][x]) printf("  cell %d, %d\n", x, z);
      CHECK_EQUAL_INT(actual, expected[z][x]);
    }
  }
  wm_regions_free(context, &regions);
  oracle_free(&oracle);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

static void monotone_regions_start_where_rows_fork(void) {
  const char *const rows[] = {"#####", "..#..", ".....", "..#..", "oo#.."};
  /* Below the bar, both strips continue neither side: the strip under them counts twice. */
  const char *const expected[] = {"#####", "11#22", "33333", "44#55", "66#55"};
  const WmRegionSettings settings = {WM_PARTITION_MONOTONE, 0, 0, 0};
  check_drawn(rows, expected, 5, &settings);
}

static void chunky_regions_stay_within_squares(void) {
  const char *const rows[] = {".....", ".....", ".....", ".....", "....."};
  const char *const expected[] = {"11122", "11122", "11122", "33344", "33344"};
  const WmRegionSettings settings = {WM_PARTITION_CHUNKY, 3, 4, 1000};
  check_drawn(rows, expected, 5, &settings);
}

static void small_islands_are_dropped(void) {
  const char *const rows[] = {"......##...", "......##...", "......#####", "......####."};
  const char *const expected[] = {"111111##222", "111111##222", "111111#####", "111111####0"};
  const WmRegionSettings settings = {WM_PARTITION_LAYERS, 0, 4, 0};
  check_drawn(rows, expected, 4, &settings);
}

static void chunky_squares_count_from_the_tile_proper(void) {
  WmContext *context = wm_context_create(NULL);
  FieldDraft draft = start_draft(26, 26, 5, 8, 2);
  for (int32_t cell = 0; cell < 26 * 26; cell++)
    add_floor(&draft, cell % 26, cell / 26, 9, WM_AREA_WALKABLE, 4);
  WmCompactHeightfield field = finish_draft(context, &draft);
  const WmRegionSettings settings = {WM_PARTITION_CHUNKY, 8, 0, 10000};
  WmRegions regions;
  CHECK_EQUAL_INT(wm_build_regions(context, &field, NULL, &settings, &regions), WM_OK);
  for (int32_t cell = 0; cell < 26 * 26; cell++) {
    const int32_t x = cell % 26 - 5, z = cell / 26 - 5;
    const uint32_t region = regions.span_region[cell];
    if (x < 0 || z < 0 || x >= 16 || z >= 16) {
      CHECK(region & WM_REGION_BORDER);
    } else {
      CHECK_EQUAL_INT(region, 5 + x / 8 + z / 8 * 2); /* 1..4 are used up by the border */
    }
  }
  wm_regions_free(context, &regions);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

/* ---- Overlaps ------------------------------------------------------------------------------------------ */

static void check_spiral(float inner, float outer, float turns, bool has_plate) {
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield field = make_spiral(context, 80, inner, outer, turns, 40, has_plate);
  const WmRegionSettings settings = {WM_PARTITION_WATERSHED, 0, 64, 400};
  Oracle oracle = oracle_run(&field, &settings);
  WmDistanceField distance = {field.span_count, oracle.distance, (uint16_t)oracle.max_distance, false, NULL};
  WmRegions regions;
  CHECK_EQUAL_INT(wm_build_regions(context, &field, &distance, &settings, &regions), WM_OK);
  const uint32_t overlapping = compare_with_oracle(&field, &regions, &oracle);
  check_invariants(&field, &regions);
  uint32_t *cells = calloc(65536, sizeof *cells), smallest = UINT32_MAX;
  for (uint32_t i = 0; i < field.span_count; i++) cells[regions.span_region[i]]++;
  for (uint32_t region = oracle.region_count + 1; region <= regions.region_count; region++) {
    if (cells[region] < smallest) smallest = cells[region];
  }
  const uint32_t pieces = regions.region_count - oracle.region_count;
  printf("spiral of %.1f turns: %u overlapping, %u more regions, the smallest of %u cells\n", (double)turns,
         overlapping, pieces, smallest);
  if (turns > 1.1f) {
    CHECK(overlapping > 0);
    CHECK(pieces >= 1 && pieces <= (uint32_t)turns + 2);
    CHECK(smallest >= 64);
  }
  free(cells);
  wm_regions_free(context, &regions);
  oracle_free(&oracle);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

static void spirals_are_cut_into_few_large_pieces(void) {
  check_spiral(20, 28, 0.9f, false);
  check_spiral(20, 28, 1.3f, false);
  check_spiral(20, 28, 2.2f, false);
  check_spiral(20, 28, 5.5f, false);
  check_spiral(22, 36, 3.0f, false);
  check_spiral(6, 14, 3.7f, true);
  check_spiral(30, 38, 4.1f, true);
}

/* ---- Limits and failures ------------------------------------------------------------------------------- */

/* Isolated single cells, more than there are region numbers, and an open square, so that watershed has a
 * level. */
static void too_many_regions_are_an_error(void) {
  WmContext *context = wm_context_create(NULL);
  FieldDraft draft = start_draft(370, 370, 0, 8, 2);
  for (int32_t z = 0; z < 370; z++) {
    for (int32_t x = 0; x < 370; x++) {
      if ((x % 2 == 0 && z % 2 == 0) || (x < 6 && z < 6)) add_floor(&draft, x, z, 9, WM_AREA_WALKABLE, 4);
    }
  }
  WmCompactHeightfield field = finish_draft(context, &draft);
  uint16_t *distances = calloc(field.span_count, 2);
  for (uint32_t i = 0; i < 3; i++) distances[i] = 0;
  WmDistanceField distance = {field.span_count, distances, 4, false, NULL};
  for (int32_t partition = 0; partition < 4; partition++) {
    const WmRegionSettings settings = {partition, 16, 0, 0};
    WmRegions regions;
    CHECK_EQUAL_INT(wm_build_regions(context, &field, &distance, &settings, &regions), WM_ERROR_LIMIT);
    CHECK(regions.block == NULL && regions.span_region == NULL);
    CHECK(strstr(wm_context_error(context)->message, "tiles") != NULL);
  }
  free(distances);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

/* Isolated single cells: as many as there are region numbers, and one more. */
static void as_many_regions_as_there_are_numbers_are_allowed(void) {
  WmContext *context = wm_context_create(NULL);
  for (int more = 0; more < 2; more++) {
    FieldDraft draft = start_draft(370, 370, 0, 8, 2);
    for (int32_t i = 0; i < WM_REGION_LIMIT + more; i++) {
      add_floor(&draft, 2 * (i % 185), 2 * (i / 185), 9, WM_AREA_WALKABLE, 4);
    }
    WmCompactHeightfield field = finish_draft(context, &draft);
    uint16_t *distances = calloc(field.span_count, 2);
    WmDistanceField distance = {field.span_count, distances, 4, false, NULL};
    for (int32_t partition = 0; partition < 4; partition++) {
      const WmRegionSettings settings = {partition, 16, 0, 0};
      WmRegions regions;
      const WmStatus status = wm_build_regions(context, &field, &distance, &settings, &regions);
      CHECK_EQUAL_INT(status, more ? WM_ERROR_LIMIT : WM_OK);
      CHECK_EQUAL_INT(regions.region_count, more ? 0 : WM_REGION_LIMIT);
      if (!status) CHECK(wm_regions_validate(context, &field, &regions));
      wm_regions_free(context, &regions);
    }
    free(distances);
    wm_compact_heightfield_free(context, &field);
  }
  wm_context_destroy(context);
}

static void bad_arguments_are_refused(void) {
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield field = make_random_field(context, 5, 12, 12, 0, false);
  const WmRegionSettings bad[] = {
      {4, 16, 8, 20}, {-1, 16, 8, 20}, {WM_PARTITION_CHUNKY, 0, 8, 20}, {WM_PARTITION_WATERSHED, 0, 8, 20}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    WmRegions regions;
    CHECK_EQUAL_INT(wm_build_regions(context, &field, NULL, &bad[i], &regions), WM_ERROR_INVALID_ARGUMENT);
    CHECK(regions.block == NULL);
  }
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

static void empty_and_bordered_fields_work(void) {
  WmContext *context = wm_context_create(NULL);
  for (int32_t border = 0; border < 12; border += 3) {
    for (int32_t spans = 0; spans < 2; spans++) {
      FieldDraft draft = start_draft(8, 7, border, 8, 2);
      for (int32_t cell = 0; spans > 0 && cell < 56; cell++) {
        add_floor(&draft, cell % 8, cell / 8, 9, cell % 8 == 7 ? WM_AREA_NULL : WM_AREA_WALKABLE, 4);
      }
      WmCompactHeightfield field = finish_draft(context, &draft);
      for (int32_t partition = 0; partition < 4; partition++) {
        const WmRegionSettings settings = {partition, 3, 0, 20};
        run_against_oracle(context, &field, &settings);
      }
      wm_compact_heightfield_free(context, &field);
    }
  }
  wm_context_destroy(context);
}

typedef struct Ration {
  long until_failure, in_use, allocations;
} Ration;

static void *allocate_rationed(void *user, size_t bytes) {
  Ration *ration = user;
  if (ration->until_failure >= 0 && ration->until_failure-- == 0) return NULL;
  ration->allocations++;
  ration->in_use++;
  return malloc(bytes);
}

static void release_rationed(void *user, void *block) {
  ((Ration *)user)->in_use--;
  free(block);
}

static void every_failed_allocation_leaves_nothing_behind(void) {
  WmContext *fields = wm_context_create(NULL);
  WmCompactHeightfield field = make_random_field(fields, 3, 90, 90, 0, true); /* dense: has regions to cut */
  for (int32_t partition = 0; partition < 4; partition++) {
    const WmRegionSettings settings = {partition, 5, 8, 400};
    Oracle oracle = oracle_run(&field, &settings);
    WmDistanceField distance = {field.span_count, oracle.distance, (uint16_t)oracle.max_distance, false,
                                NULL};
    long failures = 0;
    for (long n = 0; n < 1000; n++) {
      Ration ration = {-1, 0, 0};
      const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
      WmContext *context = wm_context_create(&allocator);
      ration.until_failure = n;
      WmRegions regions;
      const WmStatus status = wm_build_regions(context, &field, &distance, &settings, &regions);
      const bool was_refused = ration.until_failure < 0;
      CHECK(status == WM_OK || (status == WM_ERROR_OUT_OF_MEMORY && regions.block == NULL));
      failures += status != WM_OK;
      wm_regions_free(context, &regions);
      wm_context_destroy(context);
      CHECK_EQUAL_INT(ration.in_use, 0);
      if (!was_refused) break;
    }
    CHECK(failures >= 2);
    failures = 0;
    /* Fails each request for scratch memory once. */
    for (bool was_refused = true; was_refused; failures++) {
      WmRegions regions;
      scratch_requests_left = failures;
      const WmStatus status = wm_build_regions(fields, &field, &distance, &settings, &regions);
      was_refused = scratch_requests_left < 0;
      scratch_requests_left = -1;
      CHECK_EQUAL_INT(status, was_refused ? WM_ERROR_OUT_OF_MEMORY : WM_OK);
      wm_regions_free(fields, &regions);
    }
    oracle_free(&oracle);
  }
  wm_compact_heightfield_free(fields, &field);
  wm_context_destroy(fields);
}

/* ---- Golden -------------------------------------------------------------------------------------------- */

static WmBytes read_dump(const char *name, const char *array) {
  char path[256];
  snprintf(path, sizeof path, "../shared/golden/dumps/%s/%s.bin", name, array);
  return read_file(path);
}

static void check_dump(const char *scene, const char *name) {
  char folder[64];
  snprintf(folder, sizeof folder, "%s-%s", scene, name);
  WmBytes compact = read_dump(folder, "compact"), areas = read_dump(folder, "areas_eroded");
  WmBytes distances = read_dump(folder, "distance"), expected = read_dump(folder, "regions");
  if (!compact.bytes || !areas.bytes || !expected.bytes) {
    SKIP("no ../shared/golden/dumps");
    return;
  }
  const RegionsGolden *golden = REGIONS_GOLDEN;
  while (strcmp(golden->scene, scene) != 0 || strcmp(golden->name, name) != 0) golden++;
  WmContext *context = wm_context_create(NULL);
  const WmGrid grid = {.cell_size = golden->cell_size,
                       .cell_height = golden->cell_height,
                       .width = golden->width,
                       .depth = golden->depth};
  WmCompactHeightfield field = read_compact(context, compact, &grid, golden->height, golden->climb);
  memcpy(field.span_area, areas.bytes, field.span_count);
  uint16_t *span_distance = calloc((size_t)field.span_count + 1, 2);
  if (distances.bytes) memcpy(span_distance, distances.bytes, distances.byte_count);
  WmDistanceField distance = {field.span_count, span_distance, (uint16_t)golden->max_distance, false, NULL};
  WmRegions regions;
  CHECK_EQUAL_INT(wm_build_regions(context, &field, &distance, &golden->settings, &regions), WM_OK);
  CHECK_EQUAL_INT(expected.byte_count, 2 * (size_t)field.span_count);
  CHECK(memcmp(regions.span_region, expected.bytes, expected.byte_count) == 0);
  CHECK_EQUAL_INT(regions.region_count, golden->region_count);
  wm_regions_free(context, &regions);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
  free(span_distance);
  free(compact.bytes);
  free(areas.bytes);
  free(distances.bytes);
  free(expected.bytes);
}

static void regions_equal_the_golden_dumps(void) {
  check_dump("maze", "default");
  check_dump("plaza", "default");
  check_dump("terrain", "default");
  check_dump("holes", "layers");
  check_dump("tower", "monotone");
}

/* The compact heightfield of a golden case, from its triangles. */
static WmStatus bake_compact(WmContext *context, const RegionsGolden *golden, const Scene *scene,
                             WmCompactHeightfield *compact) {
  const WmBakeInput input = scene_input(scene);
  uint8_t *areas = malloc(scene->triangle_count);
  mark_slopes(&input.triangles, golden->slope, areas);
  WmGrid grid = {.cell_size = golden->cell_size,
                 .cell_height = golden->cell_height,
                 .width = golden->width,
                 .depth = golden->depth};
  for (size_t axis = 0; axis < 3; axis++) {
    grid.bounds_min[axis] = grid.bounds_max[axis] = scene->positions[axis];
    for (size_t i = axis; i < 3 * scene->vertex_count; i += 3) {
      grid.bounds_min[axis] = fminf(grid.bounds_min[axis], scene->positions[i]);
      grid.bounds_max[axis] = fmaxf(grid.bounds_max[axis], scene->positions[i]);
    }
  }
  WmHeightfield field = {0};
  WmStatus status =
      wm_rasterize(context, &grid, golden->climb, &input.triangles, areas, NULL, 0, NULL, 0, 45, &field);
  const WmFilterSettings filters = {golden->height, golden->climb, true, true, true};
  if (!status) status = wm_filter_heightfield(context, &filters, &field);
  if (!status) status = wm_build_compact_heightfield(context, &field, golden->height, golden->climb, compact);
  if (!status) status = wm_erode(context, compact, golden->radius);
  wm_heightfield_free(context, &field);
  free(areas);
  return status;
}

static void check_golden_case(const RegionsGolden *golden) {
  char path[256];
  const bool is_shared = strchr(golden->scene, '/') != NULL;
  snprintf(path, sizeof path, is_shared ? "../shared/scenes/%s.obj" : "tests/scenes/%s.obj", golden->scene);
  Scene scene = read_obj(path);
  if (scene.triangle_count == 0) {
    CHECK(is_shared);
    SKIP("no ../shared/scenes");
    return;
  }
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield compact = {0};
  WmDistanceField distance = {0};
  WmRegions regions = {0};
  CHECK_EQUAL_INT(bake_compact(context, golden, &scene, &compact), WM_OK);
  if (golden->settings.partition == WM_PARTITION_WATERSHED) {
    CHECK_EQUAL_INT(wm_build_distance_field(context, &compact, &distance), WM_OK);
  }
  /* If these differ, an earlier stage is wrong. */
  CHECK(wm_hash_bytes(WM_HASH_START, compact.span_area, compact.span_count) == golden->areas);
  CHECK_EQUAL_INT(wm_build_regions(context, &compact, &distance, &golden->settings, &regions), WM_OK);
  const uint64_t hash = wm_hash_bytes(WM_HASH_START, regions.span_region, 2 * (size_t)regions.span_count);
  if (golden->is_exempt) {
    CHECK(regions.region_count > golden->region_count);
  } else {
    CHECK(hash == golden->regions);
    CHECK_EQUAL_INT(regions.region_count, golden->region_count);
  }
  check_invariants(&compact, &regions);
  wm_regions_free(context, &regions);
  wm_distance_field_free(context, &distance);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
  free_scene(&scene);
}

static void regions_equal_the_golden_hashes(void) {
  for (size_t i = 0; i < sizeof REGIONS_GOLDEN / sizeof *REGIONS_GOLDEN; i++) {
    if (leaves_out_golden(REGIONS_GOLDEN[i].name)) continue;
    const int failures = check_failures;
    check_golden_case(&REGIONS_GOLDEN[i]);
    if (check_failures > failures) printf("  %s %s\n", REGIONS_GOLDEN[i].scene, REGIONS_GOLDEN[i].name);
  }
}

int main(void) {
  RUN(monotone_regions_start_where_rows_fork);
  RUN(chunky_regions_stay_within_squares);
  RUN(chunky_squares_count_from_the_tile_proper);
  RUN(small_islands_are_dropped);
  RUN(seeded_fields_equal_the_oracle);
  RUN(fields_with_many_merges_equal_the_oracle);
  RUN(long_outline_is_followed_to_its_end);
  RUN(spirals_are_cut_into_few_large_pieces);
  RUN(too_many_regions_are_an_error);
  RUN(as_many_regions_as_there_are_numbers_are_allowed);
  RUN(bad_arguments_are_refused);
  RUN(empty_and_bordered_fields_work);
  RUN(every_failed_allocation_leaves_nothing_behind);
  RUN(regions_equal_the_golden_dumps);
  RUN(regions_equal_the_golden_hashes);
  return check_finish();
}
