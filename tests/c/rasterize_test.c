/* Slopes and rasterization: golden hashes; a slow oracle over seeded random triangles, many of them on
 * limits, far outside, stacked, or with cells near the spacing of floats; and relations between results. */
#include "golden_rounds.h"
#include "rasterize_golden.h"
#include "rasterize_oracle.h"

#include "stage_dump.h"
#include "random_field.h"
#include "scene.h"

enum { MOST_TRIANGLES = 4096 };

typedef struct Soup {
  float positions[MOST_TRIANGLES * 9];
  uint32_t indices[MOST_TRIANGLES * 3];
  uint8_t areas[MOST_TRIANGLES];
  WmTriangles triangles;
  WmGrid grid;
  int32_t climb;
} Soup;

static void start_soup(Soup *soup, float cell_size, float cell_height, int32_t width, int32_t depth) {
  soup->triangles = (WmTriangles){soup->positions, 3, 0, soup->indices, 0, NULL};
  soup->grid = (WmGrid){.cell_size = cell_size, .cell_height = cell_height, .width = width, .depth = depth};
  soup->grid.bounds_max[0] = (float)width * cell_size;
  soup->grid.bounds_max[1] = 64.0f * cell_height;
  soup->grid.bounds_max[2] = (float)depth * cell_size;
  soup->climb = 2;
}

static void add_soup(Soup *soup, const float corners[9], uint8_t area) {
  const size_t triangle = soup->triangles.triangle_count++;
  memcpy(soup->positions + 9 * triangle, corners, 9 * sizeof(float));
  for (uint32_t k = 0; k < 3; k++) soup->indices[3 * triangle + k] = (uint32_t)(3 * triangle) + k;
  soup->areas[triangle] = area;
  soup->triangles.vertex_count += 3;
}

static WmStatus rasterize_soup(WmContext *context, const Soup *soup, WmHeightfield *field) {
  return wm_rasterize(context, &soup->grid, soup->climb, &soup->triangles, soup->areas, NULL, 0, NULL, 0, 45,
                      field);
}

static size_t count_differences(const Soup *soup) {
  WmContext *context = wm_context_create(NULL);
  WmHeightfield field;
  CHECK_EQUAL_INT(rasterize_soup(context, soup, &field), WM_OK);
  const size_t differences =
      oracle_differences(&field, oracle_rasterize(&soup->grid, soup->climb, &soup->triangles, soup->areas));
  wm_heightfield_free(context, &field);
  wm_context_destroy(context);
  return differences;
}

/* ---- Slopes -------------------------------------------------------------------------------------- */

static void test_slopes(void) {
  /* Flat, facing down, vertical, without area, and 45 degrees exactly. */
  const float positions[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2};
  const uint32_t indices[] = {0, 1, 2, 0, 2, 1, 0, 3, 2, 0, 0, 1, 0, 4, 2};
  uint8_t own[] = {7, 7, 7, 7, 7}, areas[5];
  WmTriangles triangles = {positions, 3, 6, indices, 5, NULL};
  mark_slopes(&triangles, 45, areas);
  const uint8_t expected[] = {63, 0, 0, 0, 0};
  CHECK(memcmp(areas, expected, 5) == 0);
  mark_slopes(&triangles, 46, areas);
  CHECK_EQUAL_INT(areas[4], 63);
  triangles.areas = own;
  mark_slopes(&triangles, 46, areas);
  CHECK_EQUAL_INT(areas[0], 7);
  CHECK_EQUAL_INT(areas[1], 0);
  /* Interleaved vertices. */
  float wide[6 * 8];
  for (int i = 0; i < 48; i++) wide[i] = i % 8 < 3 ? positions[i / 8 * 3 + i % 8] : 99.0f;
  uint8_t again[5];
  triangles.positions = wide;
  triangles.position_stride = 8;
  mark_slopes(&triangles, 46, again);
  CHECK(memcmp(areas, again, 5) == 0);
}

/* ---- Golden -------------------------------------------------------------------------------------- */

static void check_golden_case(WmContext *context, const RasterizeGolden *golden, const Scene *scene) {
  const WmTriangles triangles = scene_input(scene).triangles;
  uint8_t *areas = malloc(scene->triangle_count);
  mark_slopes(&triangles, golden->slope, areas);
  CHECK(wm_hash_bytes(WM_HASH_START, areas, scene->triangle_count) == golden->triangle_areas);
  WmGrid grid = {.cell_size = golden->cell_size, .cell_height = golden->cell_height};
  grid.width = golden->width;
  grid.depth = golden->depth;
  for (int axis = 0; axis < 3; axis++) grid.bounds_min[axis] = grid.bounds_max[axis] = scene->positions[axis];
  for (size_t i = 0; i < 3 * scene->vertex_count; i++) {
    const float value = scene->positions[i];
    if (value < grid.bounds_min[i % 3]) grid.bounds_min[i % 3] = value;
    if (value > grid.bounds_max[i % 3]) grid.bounds_max[i % 3] = value;
  }
  WmHeightfield field;
  WmBytes bytes = {0};
  CHECK_EQUAL_INT(
      wm_rasterize(context, &grid, golden->climb, &triangles, areas, NULL, 0, NULL, 0, 45, &field), WM_OK);
  CHECK_EQUAL_INT(wm_dump_heightfield(context, &field, &bytes), WM_OK);
  if (wm_hash_bytes(WM_HASH_START, bytes.bytes, bytes.byte_count) != golden->heightfield) {
    char text[128];
    snprintf(text, sizeof text, "heightfield of %s %s differs", golden->scene, golden->name);
    check_report(__FILE__, __LINE__, text);
  }
  wm_block_free(context, bytes.bytes);
  wm_heightfield_free(context, &field);
  free(areas);
}

static void test_golden_hashes(void) {
  WmContext *context = wm_context_create(NULL);
  const size_t count = sizeof RASTERIZE_GOLDEN / sizeof RASTERIZE_GOLDEN[0];
  Scene scene = {0};
  for (size_t i = 0; i < count; i++) {
    const RasterizeGolden *golden = &RASTERIZE_GOLDEN[i];
    const bool new_scene = i == 0 || strcmp(golden->scene, RASTERIZE_GOLDEN[i - 1].scene) != 0;
    if (new_scene) {
      char path[256];
      const bool is_outside = strchr(golden->scene, '/') != NULL;
      snprintf(path, sizeof path, "%s/%s.obj", is_outside ? "../shared/scenes" : "tests/scenes",
               golden->scene);
      free_scene(&scene);
      scene = read_obj(path);
      CHECK(is_outside || scene.triangle_count > 0);
      if (scene.triangle_count == 0) SKIP("no ../shared/scenes");
    }
    if (leaves_out_golden(golden->name)) continue;
    if (scene.triangle_count > 0) check_golden_case(context, golden, &scene);
  }
  free_scene(&scene);
  wm_context_destroy(context);
}

/* ---- The oracle ---------------------------------------------------------------------------------- */

static float random_between(Random *random, float low, float high) {
  return low + (high - low) * ((float)(random_bits(random) >> 8) / 16777216.0f);
}

/* A coordinate in cells: random, on a limit as the rasterizer computes it, or far outside. */
static float random_coordinate(Random *random, int style, float origin, float cell, int32_t cells) {
  const float k = (float)(random_below(random, cells + 5) - 2);
  switch (style) {
    case 0: return origin + random_between(random, -2.0f, (float)cells + 2.0f) * cell;
    case 1: return (origin + k * cell) + cell;
    case 2: return origin + (k + 0.5f * (float)random_below(random, 3)) * cell;
    case 3: return origin + random_between(random, -40.0f, 40.0f + (float)cells) * cell;
    case 4: return nextafterf((origin + k * cell) + cell, random_below(random, 2) ? 1e9f : -1e9f);
    default: return random_between(random, -1e6f, 1e6f);
  }
}

static void make_random_soup(Soup *soup, Random *random) {
  static const float CELLS[] = {0.25f, 0.3f, 1.0f, 0.1f, 7.5f};
  const float cell = CELLS[random_below(random, 5)];
  const int32_t sides[3] = {1 + random_below(random, 4), 1 + random_below(random, 24),
                            1 + random_below(random, 90)};
  start_soup(soup, cell, cell * 0.5f, sides[random_below(random, 3)], sides[random_below(random, 3)]);
  const float shift = random_below(random, 2) ? 0 : random_between(random, -900, 900);
  for (int axis = 0; axis < 3; axis++) {
    soup->grid.bounds_min[axis] += shift;
    soup->grid.bounds_max[axis] += shift;
  }
  soup->climb = random_below(random, 6);
  const bool is_flat = random_below(random, 4) == 0;
  const int32_t count = 1 + random_below(random, 60);
  const int mix = random_below(random, 6);
  for (int32_t i = 0; i < count; i++) {
    float corners[9];
    for (int k = 0; k < 9; k++) {
      const int axis = k % 3;
      int style = mix < 5 ? mix : random_below(random, 6);
      if (style == 5 && random_below(random, 3)) style = 0;
      const int32_t cells = axis == 0 ? soup->grid.width : axis == 2 ? soup->grid.depth : 32;
      corners[k] = random_coordinate(random, axis == 1 ? 0 : style, soup->grid.bounds_min[axis], cell, cells);
    }
    if (is_flat) corners[4] = corners[7] = corners[1];
    if (random_below(random, 4) == 0) corners[3 + 2 * random_below(random, 2)] = corners[0];
    if (random_below(random, 6) == 0) corners[8] = corners[5] = corners[2]; /* a wall along x */
    if (random_below(random, 6) == 0) corners[6] = corners[3] = corners[0]; /* a wall along z */
    if (random_below(random, 30) == 0) memcpy(corners + 3, corners, 12);    /* no area */
    add_soup(soup, corners, (uint8_t)random_below(random, 64));
  }
}

static void test_random_triangles_seed_1(void) {
  static Soup soup;
  Random random = {1};
  size_t differences = 0;
  for (int round = 0; round < CHECK_ROUNDS(1500); round++) {
    make_random_soup(&soup, &random);
    differences += count_differences(&soup);
  }
  CHECK_EQUAL_INT(differences, 0);
}

/* Cells near or below the spacing of floats: the batch must pass such triangles to the scalar cutting. */
static void test_tiny_cells_seed_2(void) {
  static Soup soup;
  Random random = {2};
  size_t differences = 0;
  for (int round = 0; round < CHECK_ROUNDS(400); round++) {
    const float origin = random_between(&random, -1e5f, 1e5f);
    start_soup(&soup, random_below(&random, 2) ? 1e-2f : 0.3f, 0.5f, 20, 14);
    for (int axis = 0; axis < 3; axis += 2) {
      soup.grid.bounds_min[axis] += origin;
      soup.grid.bounds_max[axis] += origin;
    }
    for (int i = 0; i < 20; i++) {
      float corners[9];
      for (int k = 0; k < 9; k++) {
        corners[k] = soup.grid.bounds_min[k % 3] + random_between(&random, -3, 20) * soup.grid.cell_size;
        if (random_below(&random, 8) == 0) corners[k] = random_between(&random, -1e6f, 1e6f);
      }
      add_soup(&soup, corners, 63);
    }
    differences += count_differences(&soup);
  }
  CHECK_EQUAL_INT(differences, 0);
}

/* Many floors above one another in any order: more than the dense layers can store. */
static void test_stacked_floors_seed_3(void) {
  static Soup soup;
  Random random = {3};
  size_t differences = 0;
  for (int round = 0; round < CHECK_ROUNDS(150); round++) {
    start_soup(&soup, 1, 0.25f, 21, 5);
    soup.grid.bounds_max[1] = 400;
    soup.climb = random_below(&random, 12);
    const int32_t count = 10 + random_below(&random, 160);
    const float height = random_below(&random, 2) ? 30.0f : 390.0f;
    for (int32_t i = 0; i < count; i++) {
      const float y = random_between(&random, 0, height), x = random_between(&random, -5, 15);
      const float rise = random_below(&random, 8) ? 0.3f : random_between(&random, 0, 60);
      const float floor[9] = {x, y, -1, x, y + rise, 9, x + random_between(&random, 2, 30), y, 2};
      add_soup(&soup, floor, (uint8_t)random_below(&random, 64));
    }
    differences += count_differences(&soup);
  }
  CHECK_EQUAL_INT(differences, 0);
}

/* Hundreds of spans in a column, from small triangles among a few large ones in random order: single columns.
 * Some spans are tall and absorb many. */
static void make_deep_soup(Soup *soup, Random *random, int32_t count) {
  start_soup(soup, 1, 0.25f, 1 + random_below(random, 19), 1 + random_below(random, 3));
  soup->grid.bounds_max[1] = random_below(random, 2) ? 16000.0f : 900.0f;
  soup->climb = random_below(random, 2000) * random_below(random, 2);
  for (int32_t i = 0; i < count; i++) {
    const float y = random_between(random, -1, soup->grid.bounds_max[1]);
    const float rise = random_below(random, 100) ? 0.1f : random_between(random, 0, 200);
    const bool is_large = random_below(random, 8) == 0;
    const float x = random_between(random, -1, (float)soup->grid.width), side = is_large ? 20.0f : 0.8f;
    const float z = is_large ? -1.0f : random_between(random, -1, (float)soup->grid.depth);
    const float corners[9] = {x, y, z, x, y + rise, z + side, x + side, y, z + 0.5f * side};
    add_soup(soup, corners, (uint8_t)random_below(random, 64));
  }
}

static void test_deep_columns_seed_8(void) {
  static Soup soup;
  Random random = {8};
  size_t differences = 0;
  for (int round = 0; round < CHECK_ROUNDS(30); round++) {
    make_deep_soup(&soup, &random, 1 + random_below(&random, MOST_TRIANGLES));
    differences += count_differences(&soup);
  }
  CHECK_EQUAL_INT(differences, 0);
}

/* More triangle runs than one band, or the buffer of one row, can store. */
static void test_bands(void) {
  static Soup soup;
  Random random = {4};
  const int32_t sizes[2][2] = {{600, 300}, {5000, 2}};
  const int counts[2] = {16, 260};
  for (int round = 0; round < 2; round++) {
    start_soup(&soup, 0.5f, 0.5f, sizes[round][0], sizes[round][1]);
    const float x = soup.grid.bounds_max[0], z = soup.grid.bounds_max[2];
    for (int i = 0; i < counts[round]; i++) {
      const float y = random_between(&random, 0, 20), rise = random_between(&random, 0, 10);
      const float plane[9] = {-3, y, -2, -5, y + rise, 2 * z + 4, 2 * x + 1, y, -1};
      add_soup(&soup, plane, (uint8_t)random_below(&random, 64));
    }
    CHECK_EQUAL_INT(count_differences(&soup), 0);
  }
}

/* Triangles of all shapes across many bands, with ends anywhere. */
static void make_banded_soup(Soup *soup, Random *random) {
  start_soup(soup, 0.3f, 0.25f, 400, 40);
  for (int32_t i = 0; i < 600; i++) {
    const int style = random_below(random, 5);
    float corners[9];
    for (int k = 0; k < 9; k++) {
      const int32_t cells[3] = {soup->grid.width, 32, soup->grid.depth};
      corners[k] = random_coordinate(random, k % 3 == 1 ? 0 : style, soup->grid.bounds_min[k % 3],
                                     soup->grid.cell_size, cells[k % 3]);
    }
    add_soup(soup, corners, (uint8_t)random_below(random, 64));
  }
}

/* Each band goes on where the edges stopped in the one before. */
static void test_edges_of_many_bands_seed_10(void) {
  static Soup soup;
  Random random = {10};
  size_t differences = 0;
  for (int round = 0; round < CHECK_ROUNDS(6); round++) {
    make_banded_soup(&soup, &random);
    differences += count_differences(&soup);
  }
  CHECK_EQUAL_INT(differences, 0);
}

/* ---- Relations ----------------------------------------------------------------------------------- */

static void check_same_field(const WmHeightfield *a, const WmHeightfield *b, bool with_areas) {
  const size_t cells = (size_t)a->grid.width * (size_t)a->grid.depth;
  CHECK_EQUAL_INT(a->span_count, b->span_count);
  if (a->span_count != b->span_count || a->span_count == 0) return;
  CHECK(memcmp(a->cell_first, b->cell_first, (cells + 1) * sizeof(uint32_t)) == 0);
  CHECK(memcmp(a->span_min, b->span_min, a->span_count * sizeof(uint16_t)) == 0);
  CHECK(memcmp(a->span_max, b->span_max, a->span_count * sizeof(uint16_t)) == 0);
  if (with_areas) CHECK(memcmp(a->span_area, b->span_area, a->span_count) == 0);
}

static void test_subset_of_all_is_all_seed_5(void) {
  static Soup soup;
  static uint32_t subset[MOST_TRIANGLES];
  Random random = {5};
  WmContext *context = wm_context_create(NULL);
  for (int round = 0; round < 40; round++) {
    make_random_soup(&soup, &random);
    WmHeightfield all, listed, half, plain;
    const uint32_t count = (uint32_t)soup.triangles.triangle_count;
    for (uint32_t i = 0; i < count; i++) subset[i] = i;
    CHECK_EQUAL_INT(rasterize_soup(context, &soup, &all), WM_OK);
    CHECK_EQUAL_INT(wm_rasterize(context, &soup.grid, soup.climb, &soup.triangles, soup.areas, subset, count,
                                 NULL, 0, 45, &listed),
                    WM_OK);
    check_same_field(&all, &listed, true);
    /* Every second triangle, by its number and as a soup of its own. */
    for (uint32_t i = 0; i < count / 2; i++) subset[i] = 2 * i + 1;
    CHECK_EQUAL_INT(wm_rasterize(context, &soup.grid, soup.climb, &soup.triangles, soup.areas, subset,
                                 count / 2, NULL, 0, 45, &half),
                    WM_OK);
    for (uint32_t i = 0; i < count / 2; i++) {
      memcpy(soup.indices + 3 * i, soup.indices + 3 * (2 * i + 1), 12);
      soup.areas[i] = soup.areas[2 * i + 1];
    }
    soup.triangles.triangle_count = count / 2;
    CHECK_EQUAL_INT(rasterize_soup(context, &soup, &plain), WM_OK);
    check_same_field(&half, &plain, true);
    wm_heightfield_free(context, &all);
    wm_heightfield_free(context, &listed);
    wm_heightfield_free(context, &half);
    wm_heightfield_free(context, &plain);
  }
  wm_context_destroy(context);
}

/* Reversed order of triangles: the same geometry; areas may differ. */
static void test_order_does_not_change_geometry_seed_6(void) {
  static Soup soup;
  Random random = {6};
  WmContext *context = wm_context_create(NULL);
  for (int round = 0; round < 40; round++) {
    make_random_soup(&soup, &random);
    WmHeightfield forward, backward;
    CHECK_EQUAL_INT(rasterize_soup(context, &soup, &forward), WM_OK);
    const size_t count = soup.triangles.triangle_count;
    for (size_t i = 0; i < count / 2; i++) {
      uint32_t kept[3];
      memcpy(kept, soup.indices + 3 * i, 12);
      memcpy(soup.indices + 3 * i, soup.indices + 3 * (count - 1 - i), 12);
      memcpy(soup.indices + 3 * (count - 1 - i), kept, 12);
    }
    CHECK_EQUAL_INT(rasterize_soup(context, &soup, &backward), WM_OK);
    check_same_field(&forward, &backward, false);
    wm_heightfield_free(context, &forward);
    wm_heightfield_free(context, &backward);
  }
  wm_context_destroy(context);
}

/* Level and grid are moved by whole cells: where that is exact in float32, the spans are the same. */
static void test_shift_by_whole_cells_seed_7(void) {
  static Soup soup;
  Random random = {7};
  WmContext *context = wm_context_create(NULL);
  for (int round = 0; round < 40; round++) {
    start_soup(&soup, 0.25f, 0.125f, 40, 30);
    for (int i = 0; i < 50; i++) {
      float corners[9];
      for (int k = 0; k < 9; k++) corners[k] = (float)random_below(&random, 1 << 12) / 256.0f;
      add_soup(&soup, corners, 63);
    }
    WmHeightfield here, there;
    CHECK_EQUAL_INT(rasterize_soup(context, &soup, &here), WM_OK);
    for (size_t i = 0; i < 9 * soup.triangles.triangle_count; i++)
      soup.positions[i] += i % 3 == 1 ? 0.0f : 16.0f;
    for (int axis = 0; axis < 3; axis += 2) {
      soup.grid.bounds_min[axis] += 16;
      soup.grid.bounds_max[axis] += 16;
    }
    CHECK_EQUAL_INT(rasterize_soup(context, &soup, &there), WM_OK);
    /* Crossings are rounded at another magnitude, so a height may move across a voxel's border. */
    CHECK_EQUAL_INT(here.span_count > 0, 1);
    const long difference = labs((long)here.span_count - (long)there.span_count);
    CHECK(difference * 200 < (long)here.span_count);
    wm_heightfield_free(context, &here);
    wm_heightfield_free(context, &there);
  }
  wm_context_destroy(context);
}

/* ---- Limits and failures ------------------------------------------------------------------------- */

static void test_height_limit(void) {
  static Soup soup;
  WmContext *context = wm_context_create(NULL);
  WmHeightfield field;
  start_soup(&soup, 1, 1, 2, 2);
  const float slope[9] = {0, 0, 0, 0, 65533, 2, 2, 70000, 0};
  add_soup(&soup, slope, 63);
  soup.grid.bounds_max[1] = 65533;
  CHECK_EQUAL_INT(rasterize_soup(context, &soup, &field), WM_OK);
  CHECK(field.span_count > 0);
  for (uint32_t i = 0; i < field.span_count; i++) {
    CHECK(field.span_min[i] < field.span_max[i] && field.span_max[i] <= WM_SPAN_HEIGHT_LIMIT);
  }
  wm_heightfield_free(context, &field);
  soup.grid.bounds_max[1] = 65534;
  CHECK_EQUAL_INT(rasterize_soup(context, &soup, &field), WM_ERROR_LIMIT);
  CHECK(strcmp(wm_context_error(context)->field, "cellHeight") == 0);
  CHECK(field.block == NULL);
  wm_context_destroy(context);
}

static void test_empty_and_absurd_input(void) {
  static Soup soup;
  WmContext *context = wm_context_create(NULL);
  WmHeightfield field;
  start_soup(&soup, 1, 1, 3, 3);
  CHECK_EQUAL_INT(rasterize_soup(context, &soup, &field), WM_OK);
  CHECK_EQUAL_INT(field.span_count, 0);
  CHECK_EQUAL_INT(field.cell_first[9], 0);
  wm_heightfield_free(context, &field);
  /* Coordinates up to the limits of float32: no particular result, but no undefined behaviour. */
  const float huge[9] = {-3e38f, -3e38f, -3e38f, 3e38f, 3e38f, 3e38f, 3e38f, 0, -3e38f};
  const float aside[9] = {-3e38f, 1, 1, -3e37f, 1, 2, -3e38f, 1, 3};
  add_soup(&soup, huge, 63);
  add_soup(&soup, aside, 63);
  CHECK_EQUAL_INT(rasterize_soup(context, &soup, &field), WM_OK);
  wm_heightfield_free(context, &field);
  wm_context_destroy(context);
}

static void fail_every_allocation(const Soup *soup) {
  const WmSolid solid = {
      .kind = WM_SOLID_BOX, .area = 1, .start = {5, 5, 5}, .half_axes = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
  bool done = false;
  int failures = 0;
  for (int n = 0; !done && n < 200; n++) {
    FailingAllocator failing = {n + 1};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator);
    WmHeightfield field;
    const WmStatus status =
        wm_rasterize(context, &soup->grid, 2, &soup->triangles, soup->areas, NULL, 0, &solid, 1, 45, &field);
    if (status) {
      failures++;
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      CHECK(field.block == NULL && field.span_count == 0);
    } else {
      done = true;
      wm_heightfield_free(context, &field);
    }
    wm_context_destroy(context);
  }
  CHECK(done && failures >= 4);
}

static void test_every_failing_allocation(void) {
  static Soup soup;
  start_soup(&soup, 0.5f, 0.1f, 300, 200);
  soup.grid.bounds_max[1] = 400;
  for (int i = 0; i < 30; i++) { /* storeys, so that many layers and several chunks are needed */
    const float y = (float)(i * 7 % 30) * 0.5f;
    const float plane[9] = {-3, y, -2, -5, y, 70, 90, y, -1};
    add_soup(&soup, plane, 63);
  }
  fail_every_allocation(&soup);
}

static void test_every_failing_allocation_of_deep_rows_seed_9(void) {
  static Soup soup;
  Random random = {9};
  make_deep_soup(&soup, &random, 2000);
  fail_every_allocation(&soup);
}

static void test_every_failing_allocation_of_many_bands_seed_11(void) {
  static Soup soup;
  Random random = {11};
  make_banded_soup(&soup, &random);
  fail_every_allocation(&soup);
}

int main(void) {
  RUN(test_slopes);
  RUN(test_golden_hashes);
  RUN(test_random_triangles_seed_1);
  RUN(test_tiny_cells_seed_2);
  RUN(test_stacked_floors_seed_3);
  RUN(test_deep_columns_seed_8);
  RUN(test_bands);
  RUN(test_edges_of_many_bands_seed_10);
  RUN(test_subset_of_all_is_all_seed_5);
  RUN(test_order_does_not_change_geometry_seed_6);
  RUN(test_shift_by_whole_cells_seed_7);
  RUN(test_height_limit);
  RUN(test_empty_and_absurd_input);
  RUN(test_every_failing_allocation);
  RUN(test_every_failing_allocation_of_deep_rows_seed_9);
  RUN(test_every_failing_allocation_of_many_bands_seed_11);
  return check_finish();
}
