/* Area volumes and widened polygons: drawn shapes, a slow oracle, hostile numbers. */
#include "bake/stages.h"

#include <math.h>

#include "random_field.h"

/* A field of single spans: cell size 0.5 from x -3.25 and z 7, cell height 0.25 from y 1.5. */
static WmCompactHeightfield make_field(WmContext *context, Random *random, int32_t layers) {
  const FieldStyle style = {24, 20, layers, 8, 3, 16, 0, 0};
  WmHeightfield field = random_heightfield(context, random, &style);
  WmCompactHeightfield compact;
  CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, 6, 3, &compact), WM_OK);
  wm_heightfield_free(context, &field);
  for (uint32_t s = 0; s < compact.span_count; s++) compact.span_area[s] = random_below(random, 5) ? 63 : 0;
  return compact;
}

static float random_coordinate(Random *random, float low, float high) {
  return low + (high - low) * ((float)random_below(random, 100001) / 100000.0f);
}

/* ---- The rules, literally; all numbers stay where int conversion is defined ------------------------ */

static int oracle_inside(const WmCompactHeightfield *compact, const WmAreaVolume *v, int32_t x, int32_t z) {
  const WmGrid *grid = &compact->grid;
  const float cx = grid->bounds_min[0] + ((float)x + 0.5f) * grid->cell_size;
  const float cz = grid->bounds_min[2] + ((float)z + 0.5f) * grid->cell_size;
  if (v->kind == WM_AREA_VOLUME_CYLINDER) {
    const float dx = cx - v->centre[0], dz = cz - v->centre[2];
    return !(dx * dx + dz * dz >= v->radius * v->radius);
  }
  if (v->kind == WM_AREA_VOLUME_BOX) return 1;
  int inside = 0;
  for (size_t i = 0, j = v->vertex_count - 1; i < v->vertex_count; j = i++) {
    const float *a = v->vertices + 3 * i, *b = v->vertices + 3 * j;
    if ((a[2] > cz) != (b[2] > cz) && cx < (b[0] - a[0]) * (cz - a[2]) / (b[2] - a[2]) + a[0])
      inside = !inside;
  }
  return inside;
}

static void oracle_mark(const WmCompactHeightfield *compact, const WmAreaVolume *v, uint8_t *area) {
  const WmGrid *grid = &compact->grid;
  float low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = v->minimum[axis];
    high[axis] = v->maximum[axis];
    if (v->kind == WM_AREA_VOLUME_CYLINDER) {
      low[axis] = axis == 1 ? v->centre[1] : v->centre[axis] - v->radius;
      high[axis] = axis == 1 ? v->centre[1] + v->height : v->centre[axis] + v->radius;
    } else if (v->kind == WM_AREA_VOLUME_PRISM && axis != 1) {
      low[axis] = high[axis] = v->vertices[axis];
      for (size_t i = 1; i < v->vertex_count; i++) {
        low[axis] = fminf(low[axis], v->vertices[3 * i + (size_t)axis]);
        high[axis] = fmaxf(high[axis], v->vertices[3 * i + (size_t)axis]);
      }
    }
  }
  const int32_t x0 = (int32_t)((low[0] - grid->bounds_min[0]) / grid->cell_size);
  const int32_t y0 = (int32_t)((low[1] - grid->bounds_min[1]) / grid->cell_height);
  const int32_t z0 = (int32_t)((low[2] - grid->bounds_min[2]) / grid->cell_size);
  const int32_t x1 = (int32_t)((high[0] - grid->bounds_min[0]) / grid->cell_size);
  const int32_t y1 = (int32_t)((high[1] - grid->bounds_min[1]) / grid->cell_height);
  const int32_t z1 = (int32_t)((high[2] - grid->bounds_min[2]) / grid->cell_size);
  memcpy(area, compact->span_area, compact->span_count);
  for (int32_t z = 0; z < grid->depth; z++) {
    for (int32_t x = 0; x < grid->width; x++) {
      if (x < x0 || x > x1 || z < z0 || z > z1 || !oracle_inside(compact, v, x, z)) continue;
      const uint32_t *cell = compact->cell_first + x + z * grid->width;
      for (uint32_t s = cell[0]; s < cell[1]; s++) {
        if (area[s] && compact->span_floor[s] >= y0 && compact->span_floor[s] <= y1) area[s] = v->area;
      }
    }
  }
}

static void volumes_follow_their_rules_for_seeds_1_to_2000(void) {
  WmContext *context = wm_context_create(NULL);
  int changed = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)CHECK_ROUNDS(2000); seed++) {
    Random random = {seed};
    WmCompactHeightfield compact = make_field(context, &random, 1 + random_below(&random, 3));
    static const int32_t KINDS[3] = {WM_AREA_VOLUME_BOX, WM_AREA_VOLUME_CYLINDER, WM_AREA_VOLUME_PRISM};
    float vertices[24];
    WmAreaVolume volume = {.kind = KINDS[random_below(&random, 3)], .vertices = vertices};
    volume.vertex_count = (size_t)(3 + random_below(&random, 6));
    for (size_t i = 0; i < volume.vertex_count; i++) {
      vertices[3 * i] = random_coordinate(&random, -6, 12);
      vertices[3 * i + 1] = NAN; /* never read */
      vertices[3 * i + 2] = random_coordinate(&random, 4, 20);
    }
    volume.area = (uint8_t)random_below(&random, 64);
    for (int axis = 0; axis < 3; axis++) {
      static const float LOW[3] = {-6, 0, 4}, HIGH[3] = {10, 12, 20};
      volume.minimum[axis] = random_coordinate(&random, LOW[axis], HIGH[axis]);
      volume.maximum[axis] = volume.minimum[axis] + random_coordinate(&random, axis == 1 ? 3 : 0, 10);
      volume.centre[axis] = random_coordinate(&random, LOW[axis], HIGH[axis]);
    }
    volume.radius = random_coordinate(&random, 0, 8);
    volume.height = random_coordinate(&random, 0, 12);
    uint8_t *expected = malloc(compact.span_count);
    oracle_mark(&compact, &volume, expected);
    changed += memcmp(expected, compact.span_area, compact.span_count) != 0;
    CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_OK);
    if (memcmp(expected, compact.span_area, compact.span_count)) {
      char text[80];
      snprintf(text, sizeof text, "seed %llu, kind %d", (unsigned long long)seed, volume.kind);
      check_report(__FILE__, __LINE__, text);
    }
    free(expected);
    wm_compact_heightfield_free(context, &compact);
  }
  CHECK(changed > CHECK_ROUNDS(1000));
  wm_context_destroy(context);
}

/* A box turned by a quarter covers the same spans as the box with its sides exchanged. A box turned by a
 * sixth of a turn has its long side along (cos, -sin): counter-clockwise from above, where z points down the
 * page. */
static void a_rotated_box_turns_counter_clockwise_seen_from_above(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {3};
  WmCompactHeightfield compact = make_field(context, &random, 1);
  memset(compact.span_area, 63, compact.span_count);
  const float yaw = 1.04719755f;
  WmAreaVolume volume = {.kind = WM_AREA_VOLUME_ROTATED_BOX, .area = 7, .yaw = yaw};
  const float centre[3] = {2.75f, 4, 12}, half[3] = {3, 10, 0.7f};
  memcpy(volume.centre, centre, sizeof centre);
  memcpy(volume.half_extents, half, sizeof half);
  CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_OK);
  int marked = 0;
  for (int32_t z = 0; z < 20; z++) {
    for (int32_t x = 0; x < 24; x++) {
      const double dx = -3.25 + (x + 0.5) * 0.5 - centre[0], dz = 7 + (z + 0.5) * 0.5 - centre[2];
      const double along = dx * cos(yaw) - dz * sin(yaw), across = dx * sin(yaw) + dz * cos(yaw);
      const double margin = fmax(fabs(along) - half[0], fabs(across) - half[2]);
      const uint8_t area = compact.span_area[x + 24 * z];
      if (fabs(margin) > 1e-4) CHECK_EQUAL_INT(area, margin < 0 ? 7 : 63);
      marked += area == 7;
    }
  }
  CHECK(marked > 20);
  for (int turns = -4000; turns <= 4000; turns += 500) {
    volume.yaw = (float)(turns * 2 * 3.14159265358979323846 + yaw);
    memset(compact.span_area, 63, compact.span_count);
    CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_OK);
    int again = 0;
    for (uint32_t s = 0; s < compact.span_count; s++) again += compact.span_area[s] == 7;
    CHECK(abs(again - marked) <= 4);
  }
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

/* Numbers that no integer can represent: far volumes touch nothing, infinite ones everything. Sanitizers
 * detect undefined behaviour. */
static void far_away_volumes_are_harmless(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {4};
  static const float FAR[6] = {-3.0e38f, -1e30f, -3e9f, 3e9f, 1e30f, 3.0e38f};
  WmCompactHeightfield compact = make_field(context, &random, 2);
  memset(compact.span_area, 63, compact.span_count);
  for (int kind = 0; kind < 6; kind++) {
    for (int i = 0; i < 6 * 6 * 6; i++) {
      const float a = FAR[i % 6], b = FAR[i / 6 % 6], c = FAR[i / 36];
      const float vertices[12] = {a, 0, b, b, 0, a, c, 0, c, b, 0, c};
      WmAreaVolume volume = {.kind = kind, .area = 63, .vertices = vertices, .vertex_count = 4};
      for (int axis = 0; axis < 3; axis++) {
        volume.minimum[axis] = a;
        volume.maximum[axis] = b;
        volume.centre[axis] = c;
        volume.half_extents[axis] = b;
      }
      volume.yaw = a;
      volume.radius = a;
      volume.height = b;
      CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_OK);
    }
  }
  WmAreaVolume all = {.kind = WM_AREA_VOLUME_BOX, .area = 9};
  for (int axis = 0; axis < 3; axis++) all.minimum[axis] = -3.0e38f;
  for (int axis = 0; axis < 3; axis++) all.maximum[axis] = 3.0e38f;
  CHECK_EQUAL_INT(wm_mark_area(context, &compact, &all), WM_OK);
  for (uint32_t s = 0; s < compact.span_count; s++) CHECK_EQUAL_INT(compact.span_area[s], 9);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

static void bad_volumes_are_refused(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {5};
  WmCompactHeightfield compact = make_field(context, &random, 1);
  const float vertices[9] = {0, 0, 8, 4, 0, 8, 0, 0, 12};
  const WmAreaVolume good = {
      .kind = WM_AREA_VOLUME_PRISM, .area = 1, .vertices = vertices, .vertex_count = 3};
  for (int kind = 0; kind < 6; kind++) {
    WmAreaVolume volume = good;
    volume.kind = kind;
    CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_OK);
    volume.area = 64;
    CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, "area") == 0);
    volume.area = 1;
    volume.minimum[1] = volume.centre[1] = NAN;
    CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_ERROR_INVALID_ARGUMENT);
  }
  WmAreaVolume volume = good;
  volume.kind = 6;
  CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_ERROR_INVALID_ARGUMENT);
  volume = good;
  volume.vertex_count = 2;
  CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_ERROR_INVALID_ARGUMENT);
  const float infinite[9] = {0, 0, 8, INFINITY, 0, 8, 0, 0, 12};
  volume = good;
  volume.vertices = infinite;
  CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "vertices") == 0);
  wm_compact_heightfield_free(context, &compact);
  wm_context_destroy(context);
}

static void a_prism_needs_no_memory(void) {
  WmContext *plain = wm_context_create(NULL);
  Random random = {6};
  WmCompactHeightfield compact = make_field(plain, &random, 1);
  uint8_t *before = malloc(compact.span_count), *expected = malloc(compact.span_count);
  memcpy(before, compact.span_area, compact.span_count);
  const float vertices[9] = {-9, 0, 0, 30, 0, 0, -9, 0, 40};
  WmAreaVolume volume = {.kind = WM_AREA_VOLUME_PRISM, .area = 1, .vertices = vertices, .vertex_count = 3};
  volume.maximum[1] = 50;
  CHECK_EQUAL_INT(wm_mark_area(plain, &compact, &volume), WM_OK);
  memcpy(expected, compact.span_area, compact.span_count);
  CHECK(memcmp(before, expected, compact.span_count) != 0);
  memcpy(compact.span_area, before, compact.span_count);
  FailingAllocator failing = {1};
  const WmAllocator allocator = {failing_allocate, failing_release, &failing};
  WmContext *context = wm_context_create(&allocator);
  failing.left = 0;
  CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_OK);
  CHECK(memcmp(expected, compact.span_area, compact.span_count) == 0);
  wm_context_destroy(context);
  free(before);
  free(expected);
  wm_compact_heightfield_free(plain, &compact);
  wm_context_destroy(plain);
}

/* ---- Widened polygons ------------------------------------------------------------------------------ */

/* Clockwise seen from above (x to the right, z down the page) an offset goes outwards, and right angles are
 * sharp enough to be bevelled: two vertices on each corner's square. The other way round it goes inwards.
 *
 *      /--------\     along = 1/2: the bevel starts half an offset past the corner
 *      | 0    1 |
 *      | 3    2 |
 *      \--------/ */
static void a_clockwise_square_grows_by_the_offset(void) {
  WmContext *context = wm_context_create(NULL);
  const float square[12] = {0, 5, 0, 4, 6, 0, 4, 7, 4, 0, 8, 4};
  static const float GROWN[24] = {-1, 5, -0.5f, -0.5f, 5, -1, 4.5f,  6, -1, 5,  6, -0.5f,
                                  5,  7, 4.5f,  4.5f,  7, 5,  -0.5f, 8, 5,  -1, 8, 4.5f};
  float out[24];
  size_t count = 0;
  CHECK_EQUAL_INT(wm_offset_polygon(context, square, 4, 1, out, 8, &count), WM_OK);
  CHECK_EQUAL_INT(count, 8);
  for (size_t i = 0; i < 24; i++) CHECK(out[i] == GROWN[i]);
  CHECK_EQUAL_INT(wm_offset_polygon(context, square, 4, 1, out, 7, &count), WM_ERROR_LIMIT);
  wm_context_destroy(context);
}

static void a_counter_clockwise_square_shrinks_by_the_offset(void) {
  WmContext *context = wm_context_create(NULL);
  const float square[12] = {0, 5, 4, 4, 6, 4, 4, 7, 0, 0, 8, 0};
  static const float SHRUNK[12] = {1, 5, 3, 3, 6, 3, 3, 7, 1, 1, 8, 1};
  float out[12];
  size_t count = 0;
  CHECK_EQUAL_INT(wm_offset_polygon(context, square, 4, 1, out, 4, &count), WM_OK);
  CHECK_EQUAL_INT(count, 4);
  for (size_t i = 0; i < 12; i++) CHECK(out[i] == SHRUNK[i]);
  wm_context_destroy(context);
}

/* The tip of a needle is cut: two vertices, nearer than the miter would be. */
static void a_sharp_corner_is_bevelled(void) {
  WmContext *context = wm_context_create(NULL);
  const float needle[9] = {0, 0, -1, 20, 0, 0, 0, 0, 1};
  float out[18];
  size_t count = 0;
  CHECK_EQUAL_INT(wm_offset_polygon(context, needle, 3, 1, out, 6, &count), WM_OK);
  CHECK_EQUAL_INT(count, 6);
  for (size_t i = 0; i < count; i++) {
    CHECK(isfinite(out[3 * i]) && out[3 * i] < 22.5f && out[3 * i] > -2.5f);
    CHECK(fabsf(out[3 * i + 2]) < 3.0f);
  }
  /* Every corner of the needle lies inside the widened outline. */
  for (int corner = 0; corner < 3; corner++) {
    int inside = 0;
    for (size_t i = 0, j = count - 1; i < count; j = i++) {
      const float *a = out + 3 * i, *b = out + 3 * j, *p = needle + 3 * corner;
      if ((a[2] > p[2]) == (b[2] > p[2])) continue;
      if (p[0] < (b[0] - a[0]) * (p[2] - a[2]) / (b[2] - a[2]) + a[0]) inside ^= 1;
    }
    CHECK(inside);
  }
  wm_context_destroy(context);
}

static void a_short_output_is_a_limit_error_and_stays_untouched(void) {
  WmContext *context = wm_context_create(NULL);
  const float square[12] = {0, 0, 0, 0, 0, 4, 4, 0, 4, 4, 0, 0};
  for (size_t capacity = 0; capacity < 4; capacity++) {
    float out[12];
    for (int i = 0; i < 12; i++) out[i] = -77;
    size_t count = 9;
    CHECK_EQUAL_INT(wm_offset_polygon(context, square, 4, 1, out, capacity, &count), WM_ERROR_LIMIT);
    CHECK_EQUAL_INT(count, 0);
    for (int i = 0; i < 12; i++) CHECK(out[i] == -77);
  }
  size_t count = 9;
  CHECK_EQUAL_INT(wm_offset_polygon(context, square, 2, 1, NULL, 0, &count), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(count, 0);
  wm_context_destroy(context);
}

int main(void) {
  RUN(volumes_follow_their_rules_for_seeds_1_to_2000);
  RUN(a_rotated_box_turns_counter_clockwise_seen_from_above);
  RUN(far_away_volumes_are_harmless);
  RUN(bad_volumes_are_refused);
  RUN(a_prism_needs_no_memory);
  RUN(a_clockwise_square_grows_by_the_offset);
  RUN(a_counter_clockwise_square_shrinks_by_the_offset);
  RUN(a_sharp_corner_is_bevelled);
  RUN(a_short_output_is_a_limit_error_and_stays_untouched);
  return check_finish();
}
