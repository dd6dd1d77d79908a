/* Slopes of solids, against the same bodies as triangles, and against sampled normals of round ones. */
#include <math.h>

#include "bake/input/solid_shapes.h"
#include "bake/stages.h"
#include "check.h"
#include "random_field.h"

enum { SIDE = 32, CLIMB = 2, AREA = 5, CORNERS = 8, FACES = 12 };

static const float CELL = 0.4f, CELL_HEIGHT = 0.2f, LOW[3] = {-6.4f, -16, -6.4f}, HIGH[3] = {6.4f, 16, 6.4f};

static float random_between(Random *random, float low, float high) {
  return low + (high - low) * ((float)(random_bits(random) >> 8) / 16777216.0f);
}

static WmGrid make_grid(float cell_height) {
  WmGrid grid = {.cell_size = CELL, .cell_height = cell_height, .width = SIDE, .depth = SIDE};
  memcpy(grid.bounds_min, LOW, sizeof LOW);
  memcpy(grid.bounds_max, HIGH, sizeof HIGH);
  return grid;
}

static void rasterize(WmContext *context, const WmTriangles *triangles, const uint8_t *areas,
                      const WmSolid *solids, size_t solid_count, float max_slope, WmHeightfield *field) {
  static const WmTriangles none = {.position_stride = 3};
  const WmGrid grid = make_grid(CELL_HEIGHT);
  CHECK_EQUAL_INT(wm_rasterize(context, &grid, CLIMB, triangles ? triangles : &none, areas, NULL, 0, solids,
                               solid_count, max_slope, field),
                  WM_OK);
}

/* The number of the topmost span of a cell; -1 if it has none. */
static int64_t top_span(const WmHeightfield *field, int cell) {
  return field->cell_first[cell] < field->cell_first[cell + 1] ? (int64_t)field->cell_first[cell + 1] - 1
                                                               : -1;
}

/* ---- Bodies with faces against their triangles ------------------------------------------------------- */

typedef struct Body {
  float corners[CORNERS][3];
  uint32_t faces[3 * FACES];  /* in either winding */
  uint32_t upward[3 * FACES]; /* those of the top, counter-clockwise seen from above */
  size_t upward_count;
} Body;

/* Seen from outside, counter-clockwise; bit i of a corner: on the far side along axis i. */
static const uint32_t CUBE[3 * FACES] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static double up_of(const Body *body, const uint32_t *face) {
  const float *a = body->corners[face[0]], *b = body->corners[face[1]], *c = body->corners[face[2]];
  return ((double)b[2] - a[2]) * ((double)c[0] - a[0]) - ((double)b[0] - a[0]) * ((double)c[2] - a[2]);
}

/* A cube with a narrower top: a block, a wedge, a roof or a pyramid, scaled, sheared and turned. */
static void make_body(Random *random, bool is_turned, Body *body) {
  const float narrow[2] = {random_below(random, 3) ? random_between(random, 0, 1) : 0,
                           random_below(random, 3) ? random_between(random, 0, 1) : 0};
  float axes[3][3];
  for (int i = 0; i < 9; i++) axes[i / 3][i % 3] = random_between(random, -1, 1) + (i % 4 == 0 ? 3 : 0);
  if (!is_turned) axes[0][1] = axes[2][1] = 0;
  axes[1][1] *= random_between(random, 0.1f, 2);
  for (int corner = 0; corner < CORNERS; corner++) {
    const float y = corner & 2 ? 1.0f : -1.0f;
    const float at[3] = {(corner & 1 ? 1.0f : -1.0f) * (y > 0 ? narrow[0] : 1), y,
                         (corner & 4 ? 1.0f : -1.0f) * (y > 0 ? narrow[1] : 1)};
    for (int k = 0; k < 3; k++)
      body->corners[corner][k] = at[0] * axes[0][k] + at[1] * axes[1][k] + at[2] * axes[2][k];
  }
  const double turn = (double)axes[0][0] * (axes[1][1] * axes[2][2] - axes[1][2] * axes[2][1]) -
                      (double)axes[0][1] * (axes[1][0] * axes[2][2] - axes[1][2] * axes[2][0]) +
                      (double)axes[0][2] * (axes[1][0] * axes[2][1] - axes[1][1] * axes[2][0]);
  body->upward_count = 0;
  for (int i = 0; i < 3 * FACES; i += 3) {
    /* The corners of CUBE are counter-clockwise for axes x, y, z that are right-handed. */
    const uint32_t outward[3] = {CUBE[i], CUBE[i + (turn > 0 ? 1 : 2)], CUBE[i + (turn > 0 ? 2 : 1)]};
    const bool flips = random_below(random, 2);
    const uint32_t given[3] = {outward[0], outward[flips ? 2 : 1], outward[flips ? 1 : 2]};
    memcpy(body->faces + i, given, sizeof given);
    if (!(up_of(body, outward) > 0)) continue;
    memcpy(body->upward + 3 * body->upward_count++, outward, sizeof outward);
  }
}

typedef struct Counts {
  long same, walkable, steep, shared;
} Counts;

/* Flags of the cells that triangles of the top touch: 1 if one is flat, 2 if one is steep. */
static void mark_cells(WmContext *context, const Body *body, const uint8_t *areas,
                       uint8_t cells[SIDE * SIDE]) {
  memset(cells, 0, SIDE * SIDE);
  for (size_t i = 0; i < body->upward_count; i++) {
    const WmTriangles one = {body->corners[0], 3, CORNERS, body->upward + 3 * i, 1, NULL};
    WmHeightfield field;
    rasterize(context, &one, areas + i, NULL, 0, 45, &field);
    for (int cell = 0; cell < SIDE * SIDE; cell++) {
      if (top_span(&field, cell) >= 0) cells[cell] |= areas[i] ? 1 : 2;
    }
    wm_heightfield_free(context, &field);
  }
}

static void compare_body(WmContext *context, const Body *body, float max_slope, Counts *counts) {
  const WmTriangles top = {body->corners[0], 3, CORNERS, body->upward, body->upward_count, NULL};
  const WmSolid hull = {.kind = WM_SOLID_CONVEX,
                        .area = AREA,
                        .vertices = body->corners[0],
                        .vertex_count = CORNERS,
                        .indices = body->faces,
                        .triangle_count = FACES};
  uint8_t areas[FACES], cells[SIDE * SIDE];
  WmFacing facing = {0};
  wm_mark_slopes(&top, max_slope, 0, top.triangle_count, areas, &facing);
  for (size_t i = 0; i < top.triangle_count; i++) areas[i] = areas[i] ? AREA : 0;
  mark_cells(context, body, areas, cells);
  WmHeightfield solid;
  rasterize(context, NULL, NULL, &hull, 1, max_slope, &solid);
  for (int cell = 0; cell < SIDE * SIDE; cell++) {
    const int64_t span = top_span(&solid, cell);
    if (!cells[cell] || span < 0) continue;
    if (cells[cell] == 3) {
      counts->shared++;
      continue;
    }
    const bool is_walkable = cells[cell] == 1;
    counts->same += solid.span_area[span] == (is_walkable ? AREA : 0);
    counts->walkable += is_walkable;
    counts->steep += !is_walkable;
  }
  wm_heightfield_free(context, &solid);
}

static void test_convex_solids_are_walkable_where_their_triangles_are_seed_1(void) {
  Random random = {1};
  Counts counts = {0};
  WmContext *context = wm_context_create(NULL);
  for (int round = 0; round < CHECK_ROUNDS(300); round++) {
    Body body;
    make_body(&random, round % 3 == 0, &body);
    compare_body(context, &body, random_between(&random, 5, 85), &counts);
  }
  CHECK_EQUAL_INT(counts.same, counts.walkable + counts.steep);
  CHECK(counts.walkable > CHECK_ROUNDS(9000) && counts.steep > CHECK_ROUNDS(9000));
  CHECK(counts.shared < counts.walkable + counts.steep);
  wm_context_destroy(context);
}

/* A ramp on the limit is steep, as a triangle on it is: the limit itself is computed the same way. */
static void test_a_face_on_the_limit_is_as_its_triangle(void) {
  WmContext *context = wm_context_create(NULL);
  Counts counts = {0};
  for (int degrees = 1; degrees < 90; degrees++) {
    const float rise = tanf((float)degrees / 180.0f * 3.14159265f) * 8;
    Body body = {.upward = {0, 6, 7, 0, 7, 1}, .upward_count = 2};
    for (int corner = 0; corner < CORNERS; corner++) {
      body.corners[corner][0] = corner & 1 ? 4 : -4;
      body.corners[corner][1] = -8 + (corner & 4 ? (corner & 2 ? rise : 0) : 0);
      body.corners[corner][2] = corner & 4 ? 4 : -4;
    }
    /* Corners 0 and 1 are the foot, 6 and 7 the top, 4 and 5 below it; 2 and 3 are 0 and 1 again. */
    const uint32_t faces[24] = {0, 6, 7, 0, 7, 1, 0, 1, 5, 0, 5, 4, 4, 5, 7, 4, 7, 6, 0, 4, 6, 1, 7, 5};
    memcpy(body.faces, faces, sizeof faces);
    for (int i = 24; i < 36; i += 3) memcpy(body.faces + i, faces + 18, 12);
    compare_body(context, &body, (float)degrees, &counts);
  }
  CHECK_EQUAL_INT(counts.same, counts.walkable + counts.steep);
  CHECK(counts.walkable + counts.steep > 5000);
  wm_context_destroy(context);
}

/* ---- Round solids against their normals -------------------------------------------------------------- */

/* The y of the unit normal of a round solid's top above (x, z); -2 on a rim, where two meet; -3 beside it. */
static double normal_of(const WmSolid *solid, double x, double z) {
  double y, axis[3], from[3], length = 0, along = 0, out[3], radius = 0;
  if (!wm_find_solid_top(solid, x, z, &y)) return -3;
  const double point[3] = {x, y, z};
  for (int k = 0; k < 3; k++) {
    axis[k] = solid->kind == WM_SOLID_SPHERE ? 0 : (double)solid->end[k] - solid->start[k];
    from[k] = point[k] - solid->start[k];
    length += axis[k] * axis[k];
  }
  length = sqrt(length);
  for (int k = 0; k < 3 && length > 0; k++) along += from[k] * axis[k] / length;
  const double least = along < 0 ? 0 : along > length ? length : along;
  for (int k = 0; k < 3; k++) {
    out[k] = from[k] - (length > 0 ? axis[k] / length * least : 0);
    radius += out[k] * out[k];
  }
  radius = sqrt(radius);
  if (solid->kind == WM_SOLID_CYLINDER) {
    const bool is_cap = along < 1e-6 || along > length - 1e-6, is_mantle = radius > solid->radius - 1e-6;
    if (is_cap == is_mantle) return -2;
    if (is_cap) return fabs(axis[1]) / length;
  }
  return out[1] / radius;
}

static WmSolid random_round(Random *random, int32_t kind) {
  WmSolid solid = {.kind = kind, .area = AREA, .radius = random_between(random, 1, 5)};
  for (int k = 0; k < 3; k++) {
    solid.start[k] = random_between(random, -4, 4);
    solid.end[k] = random_between(random, -4, 4);
  }
  const int style = random_below(random, 4);
  if (style == 0) solid.end[0] = solid.start[0], solid.end[2] = solid.start[2]; /* upright */
  if (style == 1) solid.end[1] = solid.start[1];                                /* level */
  return solid;
}

static void compare_round(WmContext *context, const WmSolid *solid, float max_slope, Counts *counts) {
  enum { SAMPLES = 9 };
  const double limit = cos((double)max_slope / 180 * 3.14159265358979), slack = 1e-4;
  WmHeightfield field;
  rasterize(context, NULL, NULL, solid, 1, max_slope, &field);
  for (int cell = 0; cell < SIDE * SIDE; cell++) {
    const int64_t span = top_span(&field, cell);
    double least = 2, most = -4;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
      const double share_x = (double)(i % SAMPLES) / (SAMPLES - 1),
                   share_z = (double)(i / SAMPLES) / (SAMPLES - 1);
      const double y = normal_of(solid, (double)LOW[0] + (double)CELL * (cell % SIDE + share_x),
                                 (double)LOW[2] + (double)CELL * (cell / SIDE + share_z));
      if (y < least) least = y;
      if (y > most) most = y;
    }
    if (span < 0 || least == -3) continue;
    const bool is_flat = least > limit + slack, is_steep = least >= 0 && most < limit - slack;
    if (!is_flat && !is_steep) {
      counts->shared++;
      continue;
    }
    counts->same += field.span_area[span] == (is_flat ? AREA : 0);
    counts->walkable += is_flat;
    counts->steep += is_steep;
  }
  wm_heightfield_free(context, &field);
}

static void check_round(int32_t kind, uint64_t seed) {
  Random random = {seed};
  Counts counts = {0};
  WmContext *context = wm_context_create(NULL);
  for (int round = 0; round < CHECK_ROUNDS(120); round++) {
    const WmSolid solid = random_round(&random, kind);
    compare_round(context, &solid, random_between(&random, 5, 85), &counts);
  }
  CHECK_EQUAL_INT(counts.same, counts.walkable + counts.steep);
  CHECK(counts.walkable > CHECK_ROUNDS(1000) && counts.steep > CHECK_ROUNDS(1000));
  wm_context_destroy(context);
}

static void test_spheres_seed_2(void) { check_round(WM_SOLID_SPHERE, 2); }
static void test_capsules_seed_3(void) { check_round(WM_SOLID_CAPSULE, 3); }
static void test_cylinders_seed_4(void) { check_round(WM_SOLID_CYLINDER, 4); }

/* Thin cylinders, whose flat strip is narrower than a cell: every cell that their ridge crosses is walkable. */
static void test_the_ridge_of_a_thin_cylinder_is_walkable_seed_5(void) {
  enum { POINTS = 400 };
  Random random = {5};
  WmContext *context = wm_context_create(NULL);
  long missed = 0;
  for (int round = 0; round < CHECK_ROUNDS(60); round++) {
    WmSolid solid = {.kind = round % 2 ? WM_SOLID_CYLINDER : WM_SOLID_CAPSULE, .area = AREA, .radius = 0.3f};
    for (int k = 0; k < 3; k++) {
      solid.start[k] = k == 1 ? 0 : random_between(&random, -6, -3);
      solid.end[k] = k == 1 ? random_between(&random, -8, 8) : random_between(&random, 3, 6);
    }
    WmHeightfield field;
    const double rise = fabs((double)solid.end[1]) /
                        hypot((double)solid.end[0] - solid.start[0], (double)solid.end[2] - solid.start[2]);
    rasterize(context, NULL, NULL, &solid, 1, (float)(atan(rise) * 180 / 3.14159265358979 + 1), &field);
    for (int i = POINTS / 10; i < POINTS * 9 / 10; i++) {
      const float share = (float)i / POINTS;
      const float x = solid.start[0] + share * (solid.end[0] - solid.start[0]);
      const float z = solid.start[2] + share * (solid.end[2] - solid.start[2]);
      const int cell = (int)((x - LOW[0]) / CELL) + SIDE * (int)((z - LOW[2]) / CELL);
      const int64_t span = top_span(&field, cell);
      missed += span < 0 || field.span_area[span] != AREA;
    }
    wm_heightfield_free(context, &field);
  }
  CHECK_EQUAL_INT(missed, 0);
  wm_context_destroy(context);
}

/* ---- Several solids ---------------------------------------------------------------------------------- */

/* A roof that stands on a house is steep, in either order. Its faces rise 60 degrees.
 *
 *       /\
 *      /  \
 *     +----+
 *     |    |     */
static void test_a_steep_roof_on_a_box_is_not_walkable_in_any_order(void) {
  const float h = 4 * tanf(60 / 180.0f * 3.14159265f);
  const float corners[18] = {-4, 0, -4, -4, 0, 4, 4, 0, 4, 4, 0, -4, 0, h, -4, 0, h, 4};
  const uint32_t hull[24] = {0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 3, 4, 5, 3, 5, 2, 0, 4, 3, 1, 2, 5};
  const WmSolid box = {.kind = WM_SOLID_BOX,
                       .area = AREA,
                       .start = {0, -4, 0},
                       .half_axes = {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}};
  const WmSolid roof = {.kind = WM_SOLID_CONVEX,
                        .area = AREA,
                        .vertices = corners,
                        .vertex_count = 6,
                        .indices = hull,
                        .triangle_count = 8};
  WmContext *context = wm_context_create(NULL);
  for (int order = 0; order < 2; order++) {
    const WmSolid both[2] = {order ? box : roof, order ? roof : box};
    WmHeightfield field;
    long high = 0, walkable = 0;
    rasterize(context, NULL, NULL, both, 2, 45, &field);
    for (int cell = 0; cell < SIDE * SIDE; cell++) {
      const int64_t span = top_span(&field, cell);
      if (span < 0 || LOW[1] + CELL_HEIGHT * (float)field.span_max[span] < 1) continue;
      high++;
      walkable += field.span_area[span] != 0;
    }
    CHECK(high > 200);
    CHECK_EQUAL_INT(walkable, 0);
    wm_heightfield_free(context, &field);
  }
  wm_context_destroy(context);
}

/* So many layers in a column that rows are merged one column at a time, below a wedge whose faces rise 20.8
 * degrees and the box that it stands on. */
static void test_slopes_are_the_same_above_many_storeys(void) {
  enum { STOREYS = 500 };
  static WmSolid solids[STOREYS + 2];
  static const WmTriangles none = {.position_stride = 3};
  const WmGrid grid = make_grid(0.01f);
  const float corners[18] = {-5, 14, -5, -5, 14, 5, 5, 14, 5, 5, 14, -5, 0, 15.9f, -5, 0, 15.9f, 5};
  const uint32_t hull[24] = {0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 3, 4, 5, 3, 5, 2, 0, 4, 3, 1, 2, 5};
  const WmSolid roof = {.kind = WM_SOLID_CONVEX,
                        .area = AREA,
                        .vertices = corners,
                        .vertex_count = 6,
                        .indices = hull,
                        .triangle_count = 8};
  WmContext *context = wm_context_create(NULL);
  for (int i = 0; i <= STOREYS; i++) {
    solids[i] = (WmSolid){.kind = WM_SOLID_BOX,
                          .area = AREA,
                          .start = {0, -15.9f + 0.05f * (float)i, 0},
                          .half_axes = {{5, 0, 0}, {0, 0.01f, 0}, {0, 0, 5}}};
  }
  const WmSolid box = {.kind = WM_SOLID_BOX,
                       .area = AREA,
                       .start = {0, 13.5f, 0},
                       .half_axes = {{5, 0, 0}, {0, 0.5f, 0}, {0, 0, 5}}};
  for (int round = 0; round < 4; round++) {
    const bool is_walkable = round & 2;
    WmHeightfield field;
    long high = 0, walkable = 0;
    solids[STOREYS] = round & 1 ? roof : box;
    solids[STOREYS + 1] = round & 1 ? box : roof;
    CHECK_EQUAL_INT(wm_rasterize(context, &grid, CLIMB, &none, NULL, NULL, 0, solids, STOREYS + 2,
                                 is_walkable ? 25 : 15, &field),
                    WM_OK);
    for (int cell = 0; cell < SIDE * SIDE; cell++) {
      const int64_t span = top_span(&field, cell);
      if (span < 0 || LOW[1] + 0.01f * (float)field.span_max[span] < 14.7f) continue;
      high++;
      walkable += field.span_area[span] != 0;
    }
    CHECK(high > 100 && field.span_count > (uint32_t)high * STOREYS);
    CHECK_EQUAL_INT(walkable, is_walkable ? high : 0);
    wm_heightfield_free(context, &field);
  }
  wm_context_destroy(context);
}

int main(void) {
  RUN(test_convex_solids_are_walkable_where_their_triangles_are_seed_1);
  RUN(test_a_face_on_the_limit_is_as_its_triangle);
  RUN(test_spheres_seed_2);
  RUN(test_capsules_seed_3);
  RUN(test_cylinders_seed_4);
  RUN(test_the_ridge_of_a_thin_cylinder_is_walkable_seed_5);
  RUN(test_a_steep_roof_on_a_box_is_not_walkable_in_any_order);
  RUN(test_slopes_are_the_same_above_many_storeys);
  return check_finish();
}
