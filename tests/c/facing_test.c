/* The sums over triangles, and the lines, that show which way a level faces (bake/input/facing.h): drawn triangles, and
 * literal loops over random ones. */
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

/* ---- Lines ----------------------------------------------------------------------------------------------- */

/* Side of the lines, and of the levels. */
enum { SIDE = 16, WIDTH = 20 };

static double fraction(double value) { return value - floor(value); }

/* Twice the area of the triangle that a point and an edge span. */
static double side_of(double x, double y, const double *from, const double *to) {
  return (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
}

typedef struct Hit {
  double height;
  int sign;
} Hit;

static int compare_hits(const void *a, const void *b) {
  const Hit *first = a, *second = b;
  if (first->height != second->height) return first->height < second->height ? -1 : 1;
  return first->sign - second->sign;
}

/* The triangles that a line along `axis` meets, in their order. */
static size_t meet_line(float (*positions)[3], uint32_t (*indices)[3], size_t triangles, size_t vertices,
                        int axis, double x, double y, Hit *hits) {
  size_t count = 0;
  for (size_t i = 0; i < triangles; i++) {
    double corner[3][2], height[3], sides[3];
    bool is_known = true;
    for (int k = 0; k < 3; k++) is_known = is_known && indices[i][k] < vertices;
    if (!is_known) continue;
    for (int k = 0; k < 3; k++) {
      const float *p = positions[indices[i][k]];
      corner[k][0] = (double)p[(axis + 1) % 3], corner[k][1] = (double)p[(axis + 2) % 3];
      height[k] = (double)p[axis];
    }
    const double area = side_of(corner[2][0], corner[2][1], corner[0], corner[1]);
    for (int k = 0; k < 3; k++) sides[k] = side_of(x, y, corner[(k + 1) % 3], corner[(k + 2) % 3]);
    const bool is_left = sides[0] > 0 && sides[1] > 0 && sides[2] > 0;
    const bool is_right = sides[0] < 0 && sides[1] < 0 && sides[2] < 0;
    if (area == 0 || !(is_left || is_right)) continue;
    const double at = (sides[0] * height[0] + sides[1] * height[1] + sides[2] * height[2]) / area;
    hits[count++] = (Hit){at, area > 0 ? 1 : -1};
  }
  return count;
}

/* Lines, one after another, against the functions. */
static void check_lines(WmContext *context, float (*positions)[3], size_t vertices, uint32_t (*indices)[3],
                        size_t count) {
  const WmTriangles all = triangles_of(positions[0], vertices, indices[0], count);
  Hit *hits = malloc((count + 1) * sizeof *hits);
  WmFacingLines found;
  WmFacingGaps gaps;
  CHECK(wm_find_facing_lines(context, &all, &found) == WM_OK);
  CHECK(wm_measure_facing_gaps(context, &all, &gaps) == WM_OK);
  double share;
  CHECK(wm_find_turned_ground(context, &all, &share) == WM_OK);
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < count; i++) {
    bool is_known = true;
    for (int k = 0; k < 3; k++) is_known = is_known && indices[i][k] < vertices;
    for (int k = 0; k < 9 && is_known; k++) {
      const double value = (double)positions[indices[i][k / 3]][k % 3];
      low[k % 3] = fmin(low[k % 3], value), high[k % 3] = fmax(high[k % 3], value);
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    double met = 0, open = 0, turned = 0, rooms = 0, air = 0, solid = 0;
    for (int line = 0; line < SIDE * SIDE; line++) {
      const double column = line % SIDE, row = line / SIDE; /* NOLINT(bugprone-integer-division) */
      const double p = fraction(column * 0.7548776662466927 + row * 0.5698402909980532 + 0.37);
      const double q = fraction(column * 0.5698402909980532 + row * 0.7548776662466927 + 0.71);
      const size_t on_line = meet_line(positions, indices, count, vertices, axis,
                                       low[b] + (column + p) * (high[b] - low[b]) / SIDE,
                                       low[c] + (row + q) * (high[c] - low[c]) / SIDE, hits);
      if (!on_line) continue;
      const Hit *lowest = hits, *highest = hits;
      for (size_t i = 1; i < on_line; i++) {
        if (hits[i].height < lowest->height) lowest = &hits[i];
        if (hits[i].height > highest->height) highest = &hits[i];
      }
      met++;
      if (lowest->sign == highest->sign) open += lowest->sign;
      if (lowest->sign < 0 && highest->sign < 0) turned++;
      if (lowest->sign > highest->sign) rooms++;
      qsort(hits, on_line, sizeof *hits, compare_hits);
      for (size_t i = 1; i < on_line; i++) {
        const double length = hits[i].height - hits[i - 1].height;
        if (hits[i - 1].sign > hits[i].sign) air += length;
        if (hits[i - 1].sign < hits[i].sign) solid += length;
      }
    }
    CHECK(found.open[axis] == (met > 0 ? open / met : 0));
    CHECK(found.rooms[axis] == (met > 0 ? rooms / met : 0));
    if (axis != 1) continue;
    CHECK(share == (turned > 0 ? turned / (open + 2 * turned) : 0)); /* open is less turned */
    CHECK(fabs(gaps.air - air) <= 1e-4 * (1 + air) && fabs(gaps.solid - solid) <= 1e-4 * (1 + solid));
  }
  free(hits);
}

static void lines_through_random_triangles_are_those_of_a_literal_loop(void) {
  enum { VERTICES = 300, TRIANGLES = 200 };
  WmContext *context = wm_context_create(NULL);
  for (uint64_t seed = 1; seed <= 60; seed++) {
    Random random = {seed};
    float positions[VERTICES][3];
    uint32_t indices[TRIANGLES][3];
    /* Small and large triangles; in some levels all vertices have one height. */
    const int heights = seed % 7 == 0 ? 1 : 4000;
    for (int i = 0; i < VERTICES; i++) {
      positions[i][0] = (float)random_below(&random, 1000 * WIDTH) * 0.001f - 3;
      positions[i][1] = (float)random_below(&random, heights) * 0.001f;
      positions[i][2] = (float)random_below(&random, 1000 * WIDTH) * 0.001f + 900;
      for (int axis = 0; axis < 3 && i % 3 && i % 2; axis++)
        positions[i][axis] = positions[i - i % 3][axis] + (float)random_below(&random, 900) * 0.001f;
    }
    for (int i = 0; i < TRIANGLES; i++) {
      const uint32_t first = 3 * (uint32_t)random_below(&random, VERTICES / 3);
      for (uint32_t k = 0; k < 3; k++) indices[i][k] = first + k;
      if (i % 4 == 0) indices[i][1] = (uint32_t)random_below(&random, VERTICES + (i % 16 == 0));
    }
    check_lines(context, positions, VERTICES, indices, (size_t)random_below(&random, TRIANGLES + 1));
  }
  wm_context_destroy(context);
}

/* A floor of two triangles and a ceiling over it, which faces down; turned over, each is the other. */
static void a_room_has_only_lines_of_rooms_and_air(void) {
  static const float CORNERS_OF_ROOM[8][3] = {{0, 0, 0}, {0, 0, 9}, {9, 0, 9}, {9, 0, 0},
                                              {0, 3, 0}, {0, 3, 9}, {9, 3, 9}, {9, 3, 0}};
  static const uint32_t ROOM[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}};
  static const uint32_t TURNED[4][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
  WmContext *context = wm_context_create(NULL);
  for (int turned = 0; turned < 2; turned++) {
    const WmTriangles all = triangles_of(CORNERS_OF_ROOM[0], 8, turned ? TURNED[0] : ROOM[0], 4);
    const WmTriangles floor = triangles_of(CORNERS_OF_ROOM[0], 8, turned ? TURNED[0] : ROOM[0], 2);
    WmFacingLines found;
    WmFacingGaps gaps;
    CHECK(wm_find_facing_lines(context, &all, &found) == WM_OK);
    CHECK(found.open[1] == 0 && found.rooms[1] == (turned ? 0 : 1) && found.rooms[0] == 0);
    CHECK(wm_measure_facing_gaps(context, &all, &gaps) == WM_OK);
    CHECK((turned ? gaps.solid : gaps.air) == 256 * 3 && (turned ? gaps.air : gaps.solid) == 0);
    CHECK(wm_find_facing_lines(context, &floor, &found) == WM_OK);
    CHECK(found.open[1] == (turned ? -1 : 1) && found.rooms[1] == 0);
  }
  wm_context_destroy(context);
}

static void a_failed_allocation_is_reported(void) {
  static const float SLOPE[3][3] = {{0, 0, 0}, {0, 0, 9}, {9, 1, 0}};
  static const uint32_t INDICES[3] = {0, 1, 2};
  const WmTriangles one = triangles_of(SLOPE[0], 3, INDICES, 1);
  for (int which = 0; which < 3; which++) {
    WmStatus status = WM_ERROR_OUT_OF_MEMORY;
    int failed = -1;
    for (int allowed = 0; status && failed < 100; allowed++, failed++) {
      FailingAllocator failing = {1};
      const WmAllocator allocator = {failing_allocate, failing_release, &failing};
      WmContext *context = wm_context_create(&allocator);
      WmFacingLines found;
      WmFacingGaps gaps;
      failing.left = allowed;
      double share;
      status = which == 0   ? wm_find_facing_lines(context, &one, &found)
               : which == 1 ? wm_measure_facing_gaps(context, &one, &gaps)
                            : wm_find_turned_ground(context, &one, &share);
      CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
      wm_context_destroy(context);
    }
    CHECK(status == WM_OK && failed >= 1);
  }
}

int main(void) {
  RUN(each_triangle_counts_for_the_axis_and_side_that_it_faces);
  RUN(a_triangle_at_the_limit_of_the_angle_does_not_count);
  RUN(triangles_with_unknown_vertices_are_skipped);
  RUN(sums_of_random_triangles_are_those_of_a_literal_loop);
  RUN(lines_through_random_triangles_are_those_of_a_literal_loop);
  RUN(a_room_has_only_lines_of_rooms_and_air);
  RUN(a_failed_allocation_is_reported);
  return check_finish();
}
