/* The sums over triangles that show which way a level faces (bake/input/facing.h): drawn triangles, and a literal sum over
 * random ones. */
#include "bake/input/facing.h"

#include <math.h>

#include "random_field.h"

static WmTriangles triangles_of(const float *positions, size_t vertices, const uint32_t *indices,
                                size_t count) {
  return (WmTriangles){.positions = positions,
                       .position_stride = 3,
                       .vertex_count = vertices,
                       .indices = indices,
                       .triangle_count = count};
}

static void check_numbers(const double *actual, const double *expected, size_t count) {
  for (size_t i = 0; i < count; i++) CHECK(actual[i] == expected[i]);
}

/* A corner at the origin, and one on each axis:
 *
 *   z 4        y 3        x 2     each triangle lies in the plane of two axes */
static const float CORNERS[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 4}};

static void each_triangle_counts_for_the_axis_and_side_that_it_faces(void) {
  static const uint32_t INDICES[6][3] = {{0, 2, 3}, {0, 3, 2}, {0, 3, 1}, {0, 1, 3}, {0, 1, 2}, {0, 2, 1}};
  static const double AREAS[6] = {12, 12, 8, 8, 6, 6};
  for (size_t i = 0; i < 6; i++) {
    const WmTriangles one = triangles_of(CORNERS[0], 4, INDICES[i], 1);
    WmFacingSums sums;
    wm_sum_facing(&one, 1, 0.5, &sums);
    double facing[6] = {0}, net[3] = {0};
    facing[i] = AREAS[i];
    net[i / 2] = i % 2 ? -AREAS[i] : AREAS[i];
    check_numbers(sums.facing, facing, 6);
    check_numbers(sums.net, net, 3);
  }
  const WmTriangles all = triangles_of(CORNERS[0], 4, INDICES[0], 6);
  WmFacingSums sums;
  wm_sum_facing(&all, 1, 0.5, &sums);
  check_numbers(sums.facing, AREAS, 6);
  check_numbers(sums.net, (double[3]){0, 0, 0}, 3);
  check_numbers(sums.minimum, (double[3]){0, 0, 0}, 3);
  check_numbers(sums.maximum, (double[3]){2, 3, 4}, 3);
}

/* The normal is (3, 4, 0) / 5: its y counts below 4/5, not at it. */
static void a_triangle_at_the_limit_of_the_angle_does_not_count(void) {
  static const float SLOPE[3][3] = {{0, 0, 0}, {0, 0, 1}, {4, -3, 0}};
  static const uint32_t INDICES[3] = {0, 1, 2};
  const WmTriangles one = triangles_of(SLOPE[0], 3, INDICES, 1);
  WmFacingSums sums;
  wm_sum_facing(&one, 1, 0.8, &sums);
  check_numbers(sums.facing, (double[6]){0}, 6);
  wm_sum_facing(&one, 1, 0.79, &sums);
  check_numbers(sums.facing, (double[6]){0, 0, 5, 0, 0, 0}, 6);
  wm_sum_facing(&one, 1, 0.59, &sums);
  check_numbers(sums.facing, (double[6]){5, 0, 5, 0, 0, 0}, 6);
  check_numbers(sums.net, (double[3]){3, 4, 0}, 3);
}

static void triangles_with_unknown_vertices_are_skipped(void) {
  static const uint32_t INDICES[4][3] = {{4, 2, 3}, {0, 4, 3}, {0, 2, 4}, {0, 2, UINT32_MAX}};
  const WmTriangles all = triangles_of(CORNERS[0], 4, INDICES[0], 4);
  WmFacingSums sums;
  wm_sum_facing(&all, 1, 0.5, &sums);
  check_numbers(sums.facing, (double[6]){0}, 6);
  check_numbers(sums.net, (double[3]){0}, 3);
  for (int axis = 0; axis < 3; axis++)
    CHECK(sums.minimum[axis] == INFINITY && sums.maximum[axis] == -INFINITY);
}

/* Each sum in a loop of its own. */
static void check_sums(const WmTriangles *triangles, size_t step, double min_cosine,
                       const WmFacingSums *sums) {
  for (int side = 0; side < 6; side++) {
    const int axis = side / 2;
    double net = 0, facing = 0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < triangles->triangle_count; i += step) {
      const float *corners[3];
      for (int k = 0; k < 3; k++) {
        const uint32_t vertex = triangles->indices[3 * i + (size_t)k];
        corners[k] = vertex < triangles->vertex_count ? triangles->positions + 3 * (size_t)vertex : NULL;
      }
      if (!corners[0] || !corners[1] || !corners[2]) continue;
      double normal[3], squared = 0;
      for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        normal[a] = ((double)corners[1][b] - corners[0][b]) * ((double)corners[2][c] - corners[0][c]) -
                    ((double)corners[1][c] - corners[0][c]) * ((double)corners[2][b] - corners[0][b]);
      }
      for (int a = 0; a < 3; a++) squared += normal[a] * normal[a];
      for (int k = 0; k < 3; k++) least = fmin(least, corners[k][axis]), most = fmax(most, corners[k][axis]);
      net += normal[axis];
      const double length = side % 2 ? -normal[axis] : normal[axis];
      if (length > min_cosine * sqrt(squared)) facing += sqrt(squared);
    }
    CHECK(sums->net[axis] == net && sums->facing[side] == facing);
    CHECK(sums->minimum[axis] == least && sums->maximum[axis] == most);
  }
}

static void sums_of_random_triangles_are_those_of_a_literal_loop(void) {
  enum { VERTICES = 40, TRIANGLES = 60 };
  for (uint64_t seed = 1; seed <= 200; seed++) {
    Random random = {seed};
    float positions[VERTICES][3];
    uint32_t indices[TRIANGLES][3];
    for (int i = 0; i < VERTICES; i++) {
      for (int axis = 0; axis < 3; axis++)
        positions[i][axis] = (float)(random_below(&random, 81) - 40) * 0.25f;
    }
    for (int i = 0; i < TRIANGLES; i++) {
      for (int k = 0; k < 3; k++) indices[i][k] = (uint32_t)random_below(&random, VERTICES + (i % 9 == 0));
    }
    const WmTriangles all =
        triangles_of(positions[0], VERTICES, indices[0], (size_t)random_below(&random, TRIANGLES + 1));
    const size_t step = 1 + (size_t)random_below(&random, 4);
    const double min_cosine = 0.1 * random_below(&random, 10);
    WmFacingSums sums;
    wm_sum_facing(&all, step, min_cosine, &sums);
    check_sums(&all, step, min_cosine, &sums);
  }
}

int main(void) {
  RUN(each_triangle_counts_for_the_axis_and_side_that_it_faces);
  RUN(a_triangle_at_the_limit_of_the_angle_does_not_count);
  RUN(triangles_with_unknown_vertices_are_skipped);
  RUN(sums_of_random_triangles_are_those_of_a_literal_loop);
  return check_finish();
}
