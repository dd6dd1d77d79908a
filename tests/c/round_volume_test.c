/* Spheres and capsules as volumes: the parts of lines inside them, by a slow oracle, and the spans that are
 * marked. */
#include "bake/areas/round_volume.h"

#include <math.h>

#include "random_field.h"

static float between(Random *random, float low, float high) {
  return low + (high - low) * (float)random_below(random, 100001) / 100000;
}

/* The distance of a point from a line between two points. */
static double distance_to(const float a[3], const float b[3], const double p[3]) {
  double along = 0, length = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    const double edge = (double)b[i] - (double)a[i];
    along += (p[i] - (double)a[i]) * edge;
    length += edge * edge;
  }
  const double t = length > 0 ? fmin(1, fmax(0, along / length)) : 0;
  for (int i = 0; i < 3; i++) {
    const double d = p[i] - ((double)a[i] + t * ((double)b[i] - (double)a[i]));
    square += d * d;
  }
  return sqrt(square);
}

static WmAreaVolume random_volume(Random *random) {
  WmAreaVolume volume = {.kind = random_below(random, 3) ? WM_AREA_VOLUME_CAPSULE : WM_AREA_VOLUME_SPHERE,
                         .radius = between(random, 0.1f, 4)};
  for (int axis = 0; axis < 3; axis++) {
    volume.centre[axis] = between(random, -5, 5);
    volume.minimum[axis] = between(random, -5, 5);
    volume.maximum[axis] = random_below(random, 4) ? between(random, -5, 5) : volume.minimum[axis];
  }
  return volume;
}

static void heights_are_those_of_the_shape(void) {
  Random random = {1};
  int met = 0, missed = 0;
  for (int round = 0; round < 3000; round++) {
    const WmAreaVolume volume = random_volume(&random);
    const bool is_sphere = volume.kind == WM_AREA_VOLUME_SPHERE;
    const float *a = is_sphere ? volume.centre : volume.minimum, *b = is_sphere ? a : volume.maximum;
    const float x = between(&random, -6, 6), z = between(&random, -6, 6);
    float heights[2] = {1, -1};
    const bool meets = wm_round_volume_heights(&volume, x, z, heights);
    CHECK(meets == (heights[0] <= heights[1]));
    bool is_right = true;
    for (int i = 0; i < 400; i++) {
      const double y = -12 + 24.0 * i / 400, p[3] = {(double)x, y, (double)z};
      const double depth = (double)volume.radius - distance_to(a, b, p);
      if (depth > 1e-4) is_right &= meets && y >= (double)heights[0] - 1e-4 && y <= (double)heights[1] + 1e-4;
      if (depth < -1e-4)
        is_right &= !meets || y <= (double)heights[0] + 1e-4 || y >= (double)heights[1] - 1e-4;
    }
    CHECK(is_right);
    met += meets;
    missed += !meets;
  }
  CHECK(met > 300 && missed > 500);
}

/* Spans are marked if their floors are in cells from the lowest to the highest point over the cell's centre.
 * Volumes that block before erosion also remove spans from which the agent would reach into them. */
static void spans_inside_are_marked(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {2};
  int marked = 0;
  for (int round = 0; round < 300; round++) {
    const FieldStyle style = {16, 14, 1 + random_below(&random, 3), 4, 6, 12, 2, 2};
    WmHeightfield field = random_heightfield(context, &random, &style);
    WmCompactHeightfield compact;
    const int32_t walkable_height = 1 + random_below(&random, 9);
    CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, walkable_height, 2, &compact), WM_OK);
    wm_heightfield_free(context, &field);
    const WmGrid *grid = &compact.grid;
    WmAreaVolume volume = random_volume(&random);
    volume.area = random_below(&random, 2) ? 0 : 5;
    volume.before_erosion = random_below(&random, 2);
    for (int axis = 0; axis < 3; axis++) {
      const float low = grid->bounds_min[axis];
      volume.centre[axis] += low + 5;
      volume.minimum[axis] += low + 5;
      volume.maximum[axis] += low + 5;
    }
    uint8_t *areas = malloc(compact.span_count + (size_t)1);
    for (int32_t cell = 0; cell < grid->width * grid->depth; cell++) {
      const float x = grid->bounds_min[0] + ((float)(cell % grid->width) + 0.5f) * grid->cell_size;
      const float z = grid->bounds_min[2] + ((float)(cell / grid->width) + 0.5f) * grid->cell_size;
      float heights[2];
      const bool meets = wm_round_volume_heights(&volume, x, z, heights);
      for (uint32_t s = compact.cell_first[cell]; s < compact.cell_first[cell + 1]; s++) {
        areas[s] = compact.span_area[s];
        if (!meets || areas[s] == 0 || heights[1] < grid->bounds_min[1]) continue;
        int32_t low = (int32_t)((heights[0] - grid->bounds_min[1]) / grid->cell_height);
        const int32_t high = (int32_t)((heights[1] - grid->bounds_min[1]) / grid->cell_height);
        if (volume.before_erosion && volume.area == 0) low -= walkable_height - 1;
        if (compact.span_floor[s] >= low && compact.span_floor[s] <= high) areas[s] = volume.area;
      }
    }
    marked += memcmp(areas, compact.span_area, compact.span_count) != 0;
    CHECK_EQUAL_INT(wm_mark_area(context, &compact, &volume), WM_OK);
    CHECK(memcmp(areas, compact.span_area, compact.span_count) == 0);
    free(areas);
    wm_compact_heightfield_free(context, &compact);
  }
  CHECK(marked > 100);
  wm_context_destroy(context);
}

int main(void) {
  RUN(heights_are_those_of_the_shape);
  RUN(spans_inside_are_marked);
  return check_finish();
}
