/* Solids in the heightfield against brute force: many seeded random solids, with points sampled in the
 * cells. Each point of the solid must lie in a span; the ends of a span must be points of the solid, up to
 * a voxel. */
#include <math.h>

#include "bake/input/solid_shapes.h"
#include "bake/stages.h"
#include "check.h"
#include "random_field.h"

enum { SIDE = 24, SAMPLES = 13 };

static float random_between(Random *random, float low, float high) {
  return low + (high - low) * ((float)(random_bits(random) >> 8) / 16777216.0f);
}

static WmGrid make_grid(void) {
  WmGrid grid = {.cell_size = 0.5f, .cell_height = 0.25f, .width = SIDE, .depth = SIDE};
  const float low[3] = {-6, -10, -6}, high[3] = {6, 30, 6};
  memcpy(grid.bounds_min, low, sizeof low);
  memcpy(grid.bounds_max, high, sizeof high);
  return grid;
}

static WmStatus rasterize_solids(WmContext *context, const WmGrid *grid, const WmSolid *solids, size_t count,
                                 WmHeightfield *field) {
  const WmTriangles none = {.position_stride = 3};
  return wm_rasterize(context, grid, 2, &none, NULL, NULL, 0, solids, count, 45, field);
}

/* ---- Distances ----------------------------------------------------------------------------------- */

/* Distance from a point to the solid; 0 inside. */
static double distance_to_box(const WmSolid *solid, const double p[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    const float *axis = solid->half_axes[i]; /* orthogonal in these tests */
    double length = 0, along = 0;
    for (int k = 0; k < 3; k++) {
      length += (double)axis[k] * axis[k];
      along += (p[k] - solid->start[k]) * axis[k];
    }
    length = sqrt(length);
    const double away = fmax(fabs(along / length) - length, 0);
    sum += away * away;
  }
  return sqrt(sum);
}

static double distance_to_round(const WmSolid *solid, const double p[3]) {
  double way[3], rel[3], square = 0, along = 0, reach = 0;
  for (int k = 0; k < 3; k++) {
    way[k] = solid->kind == WM_SOLID_SPHERE ? 0 : (double)solid->end[k] - solid->start[k];
    rel[k] = p[k] - solid->start[k];
    square += way[k] * way[k];
    along += way[k] * rel[k];
    reach += rel[k] * rel[k];
  }
  const double length = sqrt(square);
  if (solid->kind == WM_SOLID_CYLINDER) {
    const double s = along / length, out = sqrt(fmax(reach - s * s, 0));
    return hypot(fmax(fmax(-s, s - length), 0), fmax(out - solid->radius, 0));
  }
  double t = square > 0 ? along / square : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (rel[k] - way[k] * t) * (rel[k] - way[k] * t);
  return fmax(sqrt(sum) - solid->radius, 0);
}

static double distance_to(const WmSolid *solid, const double p[3]) {
  return solid->kind == WM_SOLID_BOX ? distance_to_box(solid, p) : distance_to_round(solid, p);
}

/* ---- One solid against samples ------------------------------------------------------------------- */

static bool is_covered(const WmHeightfield *field, uint32_t cell, double y) {
  for (uint32_t i = field->cell_first[cell]; i < field->cell_first[cell + 1]; i++) {
    const double low = -10 + 0.25 * field->span_min[i], high = -10 + 0.25 * field->span_max[i];
    if (y >= low - 1e-4 && y <= high + 1e-4) return true;
  }
  return false;
}

/* The smallest distance from the solid to the height y above the cell's square, within half a voxel. */
static double nearest_at(const WmSolid *solid, int x, int z, double y) {
  double nearest = INFINITY;
  for (int i = 0; i < SAMPLES * SAMPLES * 3; i++) {
    const double p[3] = {-6 + 0.5 * (x + (double)(i % SAMPLES) / (SAMPLES - 1)),
                         y + 0.125 * (i / (SAMPLES * SAMPLES) - 1),
                         -6 + 0.5 * (z + (double)(i / SAMPLES % SAMPLES) / (SAMPLES - 1))};
    nearest = fmin(nearest, distance_to(solid, p));
  }
  return nearest;
}

typedef struct Counts {
  long outside, spurious, holes, points, spans;
} Counts;

/* Every point of the solid lies in a span. */
static void count_points(const WmHeightfield *field, const WmSolid *solid, Counts *counts) {
  for (int i = 0; i < SIDE * 3; i++) {
    for (int j = 0; j < SIDE * 3; j++) {
      for (int k = 0; k < 100; k++) {
        const double p[3] = {-6 + 0.5 * (i / 3 + 0.02 + 0.48 * (i % 3)), -9.9 + 0.37 * k,
                             -6 + 0.5 * (j / 3 + 0.02 + 0.48 * (j % 3))};
        if (p[1] >= 30 || distance_to(solid, p) > 0) continue;
        counts->points++;
        counts->outside += !is_covered(field, (uint32_t)(i / 3 + SIDE * (j / 3)), p[1]);
      }
    }
  }
}

/* One span per cell, and both its ends near the solid (or at the field's ends). */
static void count_spans(const WmHeightfield *field, const WmSolid *solid, Counts *counts) {
  for (int cell = 0; cell < SIDE * SIDE; cell++) {
    const uint32_t first = field->cell_first[cell], count = field->cell_first[cell + 1] - first;
    counts->holes += count > 1;
    if (count == 0) continue;
    counts->spans++;
    const double low = -10 + 0.25 * (field->span_min[first] + 0.5),
                 high = -10 + 0.25 * (field->span_max[first] - 0.5);
    /* Half the distance from one sample to the next, on all axes. */
    const double slack = hypot(0.5 / (SAMPLES - 1) * sqrt(0.5), 0.0625) + 1e-3;
    if (field->span_min[first] > 0)
      counts->spurious += nearest_at(solid, cell % SIDE, cell / SIDE, low) > slack;
    if (field->span_max[first] < 160)
      counts->spurious += nearest_at(solid, cell % SIDE, cell / SIDE, high) > slack;
  }
}

static void check_samples(WmContext *context, const WmSolid *solid, Counts *counts) {
  const WmGrid grid = make_grid();
  WmHeightfield field;
  CHECK_EQUAL_INT(rasterize_solids(context, &grid, solid, 1, &field), WM_OK);
  count_points(&field, solid, counts);
  count_spans(&field, solid, counts);
  wm_heightfield_free(context, &field);
}

static void check_counts(const Counts *counts) {
  CHECK_EQUAL_INT(counts->outside, 0);
  CHECK_EQUAL_INT(counts->spurious, 0);
  CHECK_EQUAL_INT(counts->holes, 0);
  CHECK(counts->points > CHECK_ROUNDS(1000) && counts->spans > CHECK_ROUNDS(1000));
}

/* ---- Random solids ------------------------------------------------------------------------------- */

static void rotate_axes(Random *random, float axes[3][3], float a, float b, float c) {
  double q[4], length = 0;
  for (int i = 0; i < 4; i++) {
    q[i] = random_between(random, -1, 1);
    length += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                          {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                          {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
  const float lengths[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) axes[i][k] = (float)(m[i][k] * lengths[i]);
  }
}

static WmSolid random_solid(Random *random, int32_t kind) {
  WmSolid solid = {.kind = kind, .area = 5, .radius = random_between(random, 0.05f, 4)};
  for (int k = 0; k < 3; k++) {
    solid.start[k] = random_between(random, -7, 7);
    solid.end[k] = random_between(random, -7, 7);
  }
  const int style = random_below(random, 6);
  if (style == 0) solid.end[0] = solid.start[0], solid.end[2] = solid.start[2]; /* upright */
  if (style == 1) solid.end[1] = solid.start[1];                                /* level */
  if (style == 2) solid.end[0] = solid.start[0];                                /* along the grid */
  if (style == 3) {                                                             /* short */
    for (int k = 0; k < 3; k++) solid.end[k] = solid.start[k] + random_between(random, -0.4f, 0.4f);
  }
  const float a = random_between(random, 0.1f, 4), b = random_between(random, 0.1f, 4);
  rotate_axes(random, solid.half_axes, a, b, random_between(random, 0.05f, 3));
  return solid;
}

static void check_random_kind(int32_t kind, uint64_t seed, int rounds) {
  Random random = {seed};
  Counts counts = {0};
  WmContext *context = wm_context_create(NULL);
  for (int i = 0; i < rounds; i++) {
    const WmSolid solid = random_solid(&random, kind);
    check_samples(context, &solid, &counts);
  }
  check_counts(&counts);
  wm_context_destroy(context);
}

static void test_boxes_seed_1(void) { check_random_kind(WM_SOLID_BOX, 1, CHECK_ROUNDS(40)); }
static void test_spheres_seed_2(void) { check_random_kind(WM_SOLID_SPHERE, 2, 25); }
static void test_capsules_seed_3(void) { check_random_kind(WM_SOLID_CAPSULE, 3, CHECK_ROUNDS(60)); }
static void test_cylinders_seed_4(void) { check_random_kind(WM_SOLID_CYLINDER, 4, CHECK_ROUNDS(80)); }

/* ---- Tilted cylinders ---------------------------------------------------------------------------- */

/* The heights of the cylinder on the upright line through (x, z); false if the line misses it. */
static bool cut_line(const WmSolid *solid, double x, double z, double range[2]) {
  double axis[3], length = 0;
  for (int k = 0; k < 3; k++) axis[k] = (double)solid->end[k] - solid->start[k];
  for (int k = 0; k < 3; k++) length += axis[k] * axis[k];
  length = sqrt(length);
  for (int k = 0; k < 3; k++) axis[k] /= length;
  /* From the point of the line at the start's height, w above it: |rel + w up| across the axis = radius. */
  const double rel[3] = {x - solid->start[0], 0, z - solid->start[2]};
  const double along = rel[0] * axis[0] + rel[2] * axis[2], up = axis[1];
  const double a = 1 - up * up, b = -along * up;
  const double c = rel[0] * rel[0] + rel[2] * rel[2] - along * along - (double)solid->radius * solid->radius;
  if (b * b - a * c < 0) return false;
  const double root = sqrt(b * b - a * c), caps[2] = {-along / up, (length - along) / up};
  range[0] = solid->start[1] + fmax((-b - root) / a, fmin(caps[0], caps[1]));
  range[1] = solid->start[1] + fmin((-b + root) / a, fmax(caps[0], caps[1]));
  return range[0] <= range[1];
}

/* Cylinders thinner than the cells, so that no corner of a square limits their range: only the extremum of
 * the side does, or its crossing with a rim. Voxels are low, so that small errors count. */
static void test_thin_tilted_cylinders_seed_7(void) {
  enum { STEPS = 40 };
  Random random = {7};
  WmContext *context = wm_context_create(NULL);
  WmGrid grid = make_grid();
  grid.cell_height = 0.01f;
  long points = 0, missed = 0;
  for (int round = 0; round < CHECK_ROUNDS(40); round++) {
    WmSolid solid = {.kind = round % 4 ? WM_SOLID_CYLINDER : WM_SOLID_CAPSULE, .area = 5};
    solid.radius = random_between(&random, 0.05f, 0.6f);
    for (int k = 0; k < 3; k++) {
      solid.start[k] = random_between(&random, -5, 5);
      solid.end[k] = random_between(&random, -5, 5);
    }
    WmHeightfield field;
    CHECK_EQUAL_INT(rasterize_solids(context, &grid, &solid, 1, &field), WM_OK);
    for (int i = 0; i < SIDE * SIDE * STEPS * STEPS; i++) {
      const int x = i / STEPS % (SIDE * STEPS), z = i / (SIDE * STEPS * STEPS) * STEPS + i % STEPS;
      double range[2];
      if (!cut_line(&solid, -6 + 0.5 * x / STEPS, -6 + 0.5 * z / STEPS, range)) continue;
      const uint32_t span = field.cell_first[x / STEPS + z / STEPS * SIDE];
      points++;
      missed += span == field.cell_first[x / STEPS + z / STEPS * SIDE + 1] ||
                -10 + 0.01 * field.span_min[span] > range[0] + 1e-4 ||
                -10 + 0.01 * field.span_max[span] < range[1] - 1e-4;
    }
    wm_heightfield_free(context, &field);
  }
  CHECK_EQUAL_INT(missed, 0);
  CHECK(points > 10000);
  wm_context_destroy(context);
}

/* ---- Hulls --------------------------------------------------------------------------------------- */

static const uint32_t BOX_FACES[36] = {0, 1, 3, 0, 3, 2, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 3, 7, 1, 7, 5};

/* A hull of a box's corners, in either winding, is the box. */
static void test_hull_of_a_box_seed_5(void) {
  Random random = {5};
  const WmGrid grid = make_grid();
  WmContext *context = wm_context_create(NULL);
  for (int round = 0; round < CHECK_ROUNDS(60); round++) {
    const WmSolid box = random_solid(&random, WM_SOLID_BOX);
    float corners[8][3];
    uint32_t faces[36];
    for (int k = 0; k < 24; k++) {
      float value = box.start[k % 3];
      for (int i = 0; i < 3; i++)
        value += (k / 3 >> i & 1) ? box.half_axes[i][k % 3] : -box.half_axes[i][k % 3];
      corners[k / 3][k % 3] = value;
    }
    memcpy(faces, BOX_FACES, sizeof faces);
    const WmSolid hull = {.kind = WM_SOLID_CONVEX,
                          .area = 5,
                          .vertices = corners[0],
                          .vertex_count = 8,
                          .indices = faces,
                          .triangle_count = 12};
    WmHeightfield a, b;
    CHECK_EQUAL_INT(rasterize_solids(context, &grid, &box, 1, &a), WM_OK);
    CHECK_EQUAL_INT(rasterize_solids(context, &grid, &hull, 1, &b), WM_OK);
    CHECK_EQUAL_INT(a.span_count, b.span_count);
    if (a.span_count == b.span_count && a.span_count > 0) {
      CHECK(memcmp(a.span_min, b.span_min, 2 * a.span_count) == 0);
      CHECK(memcmp(a.span_max, b.span_max, 2 * a.span_count) == 0);
      CHECK(memcmp(a.cell_first, b.cell_first, sizeof(uint32_t) * (SIDE * SIDE + 1)) == 0);
    }
    wm_heightfield_free(context, &a);
    wm_heightfield_free(context, &b);
  }
  wm_context_destroy(context);
}

/* A tetrahedron: points sampled as weights of its corners lie in spans. */
static void test_tetrahedra_seed_6(void) {
  static const uint32_t FACES[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
  Random random = {6};
  const WmGrid grid = make_grid();
  WmContext *context = wm_context_create(NULL);
  long outside = 0, points = 0;
  for (int round = 0; round < CHECK_ROUNDS(60); round++) {
    float corners[12];
    for (int k = 0; k < 12; k++) corners[k] = random_between(&random, -9, 9);
    const WmSolid hull = {.kind = WM_SOLID_CONVEX,
                          .area = 5,
                          .vertices = corners,
                          .vertex_count = 4,
                          .indices = FACES,
                          .triangle_count = 4};
    WmHeightfield field;
    CHECK_EQUAL_INT(rasterize_solids(context, &grid, &hull, 1, &field), WM_OK);
    for (int i = 0; i < 2000; i++) {
      double weights[4], sum = 0, p[3] = {0, 0, 0};
      for (int k = 0; k < 4; k++) sum += weights[k] = random_between(&random, 0, 1);
      for (int k = 0; k < 12; k++) p[k % 3] += weights[k / 3] / sum * corners[k];
      if (fabs(p[0]) >= 6 || fabs(p[2]) >= 6) continue;
      points++;
      outside += !is_covered(&field, (uint32_t)((p[0] + 6) * 2) + SIDE * (uint32_t)((p[2] + 6) * 2), p[1]);
    }
    wm_heightfield_free(context, &field);
  }
  CHECK_EQUAL_INT(outside, 0);
  CHECK(points > 10000);
  wm_context_destroy(context);
}

/* ---- Order, areas, field ------------------------------------------------------------------------- */

/* A box through a floor: filled, one span, and the box's area if its top is more than the climb above the
 * floor.
 *
 *        +--+          area 9
 *   =====|##|=====     floor, area 63
 *        +--+ */
static void test_box_through_a_floor(void) {
  const float positions[] = {-6, 0, -6, -6, 0, 6, 6, 0, 6, 6, 0, -6};
  const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
  const uint8_t areas[] = {63, 63};
  const WmTriangles floor = {positions, 3, 4, indices, 2, NULL};
  const WmSolid box = {.kind = WM_SOLID_BOX,
                       .area = 9,
                       .start = {0.25f, 0, 0.25f},
                       .half_axes = {{0.2f, 0, 0}, {0, 2, 0}, {0, 0, 0.2f}}};
  const WmGrid grid = make_grid();
  WmContext *context = wm_context_create(NULL);
  WmHeightfield field;
  CHECK_EQUAL_INT(wm_rasterize(context, &grid, 2, &floor, areas, NULL, 0, &box, 1, 45, &field), WM_OK);
  const uint32_t span = field.cell_first[12 + 12 * SIDE];
  CHECK_EQUAL_INT(field.span_count, SIDE * SIDE);
  CHECK_EQUAL_INT(field.span_min[span], 32);
  CHECK_EQUAL_INT(field.span_max[span], 48);
  CHECK_EQUAL_INT(field.span_area[span], 9);
  CHECK_EQUAL_INT(field.span_area[span + 1], 63);
  wm_heightfield_free(context, &field);
  wm_context_destroy(context);
}

/* Solids larger than the field, or beside it, above it, below it. */
static void test_solids_beyond_the_field(void) {
  const WmGrid grid = make_grid();
  WmContext *context = wm_context_create(NULL);
  WmSolid solid = {.kind = WM_SOLID_SPHERE, .area = 1, .radius = 100, .start = {3, 5, 3}};
  for (int32_t kind = WM_SOLID_BOX; kind <= WM_SOLID_CYLINDER; kind++) {
    solid.kind = kind;
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) solid.half_axes[i][k] = i == k ? 100.0f : 0.0f;
      solid.end[i] = solid.start[i] + (i == 1 ? 90.0f : 5.0f);
    }
    if (kind == WM_SOLID_CYLINDER) solid.start[1] -= 90;
    WmHeightfield field;
    CHECK_EQUAL_INT(rasterize_solids(context, &grid, &solid, 1, &field), WM_OK);
    CHECK_EQUAL_INT(field.span_count, SIDE * SIDE);
    for (uint32_t i = 0; i < field.span_count; i++) CHECK(field.span_min[i] == 0 && field.span_max[i] == 160);
    wm_heightfield_free(context, &field);
    solid.start[1] = 5;
  }
  const float places[3][3] = {{0, 1e8f, 0}, {0, -1e8f, 0}, {-1e8f, 0, 1e8f}};
  for (int i = 0; i < 3; i++) {
    WmSolid away = {.kind = WM_SOLID_SPHERE, .radius = 3};
    memcpy(away.start, places[i], sizeof away.start);
    WmHeightfield field;
    CHECK_EQUAL_INT(rasterize_solids(context, &grid, &away, 1, &field), WM_OK);
    CHECK_EQUAL_INT(field.span_count, 0);
    wm_heightfield_free(context, &field);
  }
  wm_context_destroy(context);
}

/* ---- Bad solids ---------------------------------------------------------------------------------- */

static void expect_bad(WmContext *context, const WmSolid *solid, const char *name) {
  const WmGrid grid = make_grid();
  WmHeightfield field;
  CHECK_EQUAL_INT(rasterize_solids(context, &grid, solid, 1, &field), WM_ERROR_INVALID_ARGUMENT);
  CHECK(field.block == NULL);
  if (strcmp(wm_context_error(context)->field, name) != 0) check_report(__FILE__, __LINE__, name);
}

static void test_bad_solids(void) {
  WmContext *context = wm_context_create(NULL);
  const WmSolid sphere = {.kind = WM_SOLID_SPHERE, .radius = 1};
  WmSolid bad = sphere;
  bad.kind = 5;
  expect_bad(context, &bad, "kind");
  bad = sphere, bad.kind = -1;
  expect_bad(context, &bad, "kind");
  bad = sphere, bad.area = 64;
  expect_bad(context, &bad, "area");
  bad = sphere, bad.radius = 0;
  expect_bad(context, &bad, "radius");
  bad.radius = NAN;
  expect_bad(context, &bad, "radius");
  bad = sphere, bad.start[1] = INFINITY;
  expect_bad(context, &bad, "start");
  bad = sphere, bad.kind = WM_SOLID_CAPSULE, bad.end[2] = NAN;
  expect_bad(context, &bad, "end");
  bad = sphere, bad.kind = WM_SOLID_CYLINDER;
  expect_bad(context, &bad, "end");
  bad = sphere, bad.kind = WM_SOLID_BOX;
  expect_bad(context, &bad, "halfAxes");
  bad.half_axes[0][0] = bad.half_axes[1][1] = 1, bad.half_axes[2][2] = NAN;
  expect_bad(context, &bad, "halfAxes");
  static const float IN_ONE_PLANE[3][3] = {
      {1, 1, 1}, {1, 1, 0}, {0, 0, 1}}; /* the first is the sum of the others */
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < 3; i++)
      memcpy(bad.half_axes[i], IN_ONE_PLANE[(i + turn) % 3], sizeof IN_ONE_PLANE[0]);
    expect_bad(context, &bad, "halfAxes");
  }
  const WmGrid grid = make_grid();
  WmHeightfield field;
  for (int turn = 0; turn < 3; turn++) { /* axes in any order are good */
    memset(bad.half_axes, 0, sizeof bad.half_axes);
    for (int i = 0; i < 3; i++) bad.half_axes[i][(i + turn) % 3] = 1;
    CHECK_EQUAL_INT(rasterize_solids(context, &grid, &bad, 1, &field), WM_OK);
    wm_heightfield_free(context, &field);
  }

  float vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  uint32_t indices[] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};
  const WmSolid hull = {.kind = WM_SOLID_CONVEX,
                        .vertices = vertices,
                        .vertex_count = 4,
                        .indices = indices,
                        .triangle_count = 4};
  CHECK_EQUAL_INT(rasterize_solids(context, &grid, &hull, 1, &field), WM_OK);
  wm_heightfield_free(context, &field);
  bad = hull, bad.vertex_count = 3;
  expect_bad(context, &bad, "vertices");
  bad = hull, bad.indices = NULL;
  expect_bad(context, &bad, "indices");
  indices[11] = 4;
  expect_bad(context, &hull, "indices");
  indices[11] = 3, vertices[11] = 0;
  expect_bad(context, &hull, "vertices");
  vertices[11] = NAN;
  expect_bad(context, &hull, "vertices");
  wm_context_destroy(context);
}

/* Nothing is written beyond the corners of a box. */
static void a_box_has_eight_corners(void) {
  struct {
    WmSolidFaces faces;
    float behind[2];
  } room = {.behind = {77, 78}};
  const WmSolid box = {
      .kind = WM_SOLID_BOX, .start = {10, 20, 30}, .half_axes = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
  wm_find_solid_faces(&box, &room.faces);
  for (int i = 0; i < 24; i++) {
    const float far = (float)(1 + i % 3), middle = (float)(10 * (1 + i % 3));
    CHECK(room.faces.corners[i] == (i / 3 >> i % 3 & 1 ? middle + far : middle - far));
  }
  CHECK(room.behind[0] == 77 && room.behind[1] == 78);
}

int main(void) {
  RUN(a_box_has_eight_corners);
  RUN(test_boxes_seed_1);
  RUN(test_spheres_seed_2);
  RUN(test_capsules_seed_3);
  RUN(test_cylinders_seed_4);
  RUN(test_thin_tilted_cylinders_seed_7);
  RUN(test_hull_of_a_box_seed_5);
  RUN(test_tetrahedra_seed_6);
  RUN(test_box_through_a_floor);
  RUN(test_solids_beyond_the_field);
  RUN(test_bad_solids);
  return check_finish();
}
