/* Enlarged obstacles: they cover everything within the radius around them, and little more. */
#include "dynamic/obstacles/offset_volume.h"

#include <math.h>

#include "flat_field.h"

enum { SIDE = 48, CORNERS = 9 };

static double between(Random *random, double low, double high) {
  return low + (high - low) * random_below(random, 100001) / 100000;
}

/* The distance from a point to a line, seen from above. */
static double line_distance(double x, double z, const float *a, const float *b) {
  const double ex = b[0] - a[0], ez = b[2] - a[2], squared = ex * ex + ez * ez;
  double along = squared > 0 ? ((x - a[0]) * ex + (z - a[2]) * ez) / squared : 0;
  along = fmax(0, fmin(1, along));
  return hypot(x - (a[0] + along * ex), z - (a[2] + along * ez));
}

static double outline_distance(double x, double z, const float *outline, int count) {
  double least = INFINITY;
  bool is_inside = false;
  for (int i = 0; i < count; i++) {
    const float *a = outline + 3 * i, *b = outline + 3 * ((i + 1) % count);
    least = fmin(least, line_distance(x, z, a, b));
    if ((a[2] > z) != (b[2] > z)) is_inside ^= (b[0] - a[0]) * (z - a[2]) / (b[2] - a[2]) + a[0] > x;
  }
  return is_inside ? 0 : least;
}

/* A volume whose floor is an outline, a line or a point, with a radius of its own. */
typedef struct Shape {
  WmAreaVolume volume;
  float outline[CORNERS][3];
  int count;
  double radius;
} Shape;

static double shape_distance(const Shape *shape, double x, double z) {
  if (shape->count == 1) return hypot(x - shape->outline[0][0], z - shape->outline[0][2]);
  if (shape->count == 2) return line_distance(x, z, shape->outline[0], shape->outline[1]);
  return outline_distance(x, z, shape->outline[0], shape->count);
}

/* A star around a centre: convex, with dents, in either winding. */
static void invent_prism(Random *random, Shape *shape, double x, double z) {
  shape->count = 3 + random_below(random, CORNERS - 2);
  const bool is_even = random_below(random, 2), is_turned = random_below(random, 2);
  const double size = between(random, 1, 14);
  for (int i = 0; i < shape->count; i++) {
    const double angle = 6.283185307 * i / shape->count * (is_turned ? -1 : 1);
    const double reach = is_even ? size : between(random, 0.3, 1) * size;
    shape->outline[i][0] = (float)(x + reach * cos(angle));
    shape->outline[i][2] = (float)(z + reach * sin(angle));
  }
  shape->volume.vertices = shape->outline[0];
  shape->volume.vertex_count = (size_t)shape->count;
}

static void invent_box(Random *random, Shape *shape, double x, double z) {
  const double u = between(random, 0.1, 9), w = between(random, 0.1, 9);
  const bool is_turned = shape->volume.kind == WM_AREA_VOLUME_ROTATED_BOX;
  const double yaw = is_turned ? between(random, -7, 7) : 0;
  WmAreaVolume *volume = &shape->volume;
  for (int i = 0; i < 4; i++) {
    const double a = i < 2 ? u : -u, b = i == 0 || i == 3 ? w : -w;
    shape->outline[i][0] = (float)(x + a * cos(yaw) + b * sin(yaw));
    shape->outline[i][2] = (float)(z + b * cos(yaw) - a * sin(yaw));
  }
  shape->count = 4;
  memcpy(volume->centre, (float[3]){(float)x, 5, (float)z}, 12);
  memcpy(volume->half_extents, (float[3]){(float)u, 4, (float)w}, 12);
  volume->yaw = (float)yaw;
  if (is_turned) return;
  memcpy(volume->minimum, (float[3]){(float)(x - u), 1, (float)(z - w)}, 12);
  memcpy(volume->maximum, (float[3]){(float)(x + u), 9, (float)(z + w)}, 12);
}

static void invent(Random *random, Shape *shape) {
  const double x = between(random, 0, SIDE), z = between(random, 0, SIDE);
  *shape = (Shape){.volume = {.kind = random_below(random, 6), .before_erosion = true, .height = 8}};
  WmAreaVolume *volume = &shape->volume;
  volume->minimum[1] = 1;
  volume->maximum[1] = 9;
  memcpy(volume->centre, (float[3]){(float)x, 3, (float)z}, 12);
  if (volume->kind == WM_AREA_VOLUME_PRISM) {
    invent_prism(random, shape, x, z);
  } else if (volume->kind <= WM_AREA_VOLUME_ROTATED_BOX) {
    invent_box(random, shape, x, z);
  } else {
    volume->radius = (float)between(random, 0.2, 6);
    if (volume->kind == WM_AREA_VOLUME_SPHERE) volume->centre[1] = 5; /* the height of the ground */
    shape->radius = (double)volume->radius;
    shape->count = volume->kind == WM_AREA_VOLUME_CAPSULE ? 2 : 1;
    memcpy(shape->outline[0], volume->centre, 12);
    memcpy(shape->outline[1], volume->centre, 12);
    if (random_below(random, 3)) shape->outline[1][0] += (float)between(random, -9, 9);
    shape->outline[1][1] += 2; /* they may be upright or slanted */
    if (shape->count == 2) memcpy(volume->minimum, shape->outline[0], 12);
    if (shape->count == 2) memcpy(volume->maximum, shape->outline[1], 12);
  }
}

/* Marks the enlarged volume. */
static void mark_grown(WmContext *context, WmCompactHeightfield *compact, const WmAreaVolume *volume,
                       float radius) {
  const WmScratchMark mark = wm_scratch_mark(context);
  const size_t count = wm_offset_volume_count(volume);
  WmAreaVolume *grown = malloc(count * sizeof *grown);
  CHECK_EQUAL_INT(wm_offset_volume(context, volume, radius, grown), WM_OK);
  for (size_t i = 0; i < count; i++) CHECK_EQUAL_INT(wm_mark_area(context, compact, &grown[i]), WM_OK);
  free(grown);
  wm_scratch_rewind(context, mark);
}

static void grown_volumes_cover_what_is_within_the_radius(void) {
  WmContext *context = wm_context_create(NULL);
  uint8_t map[SIDE * SIDE];
  memset(map, 1, sizeof map);
  Random random = {5};
  long inside = 0, between_both = 0, dented = 0;
  for (int round = 0; round < CHECK_ROUNDS(3000); round++) {
    FlatField field = make_flat_field(context, SIDE, SIDE, map, NULL);
    Shape shape;
    invent(&random, &shape);
    const double radius = between(&random, 0.1, 6);
    dented += wm_offset_volume_count(&shape.volume) > 1;
    mark_grown(context, &field.compact, &shape.volume, (float)radius);
    bool is_right = true;
    for (int cell = 0; cell < SIDE * SIDE; cell++) {
      const double distance = shape_distance(&shape, cell % SIDE + 0.5, cell / SIDE + 0.5) - shape.radius;
      const double rounded = shape.count == 1 ? radius : 1.083 * radius + 0.083 * shape.radius;
      const bool is_marked = field.compact.span_area[cell] == WM_AREA_NULL;
      if (distance < radius - 1e-3) is_right &= is_marked;
      if (distance > rounded + 1e-3) is_right &= !is_marked;
      inside += is_marked;
      between_both += is_marked && distance > radius;
    }
    if (!is_right) printf("round %d: kind %d\n", round, shape.volume.kind);
    CHECK(is_right);
    free_flat_field(context, &field);
  }
  CHECK(inside > CHECK_ROUNDS(100000) && between_both < inside / 30 && dented > CHECK_ROUNDS(100));
  wm_context_destroy(context);
}

static void only_what_blocks_before_erosion_grows(void) {
  WmContext *context = wm_context_create(NULL);
  const float dented[12] = {0, 0, 0, 9, 0, 0, 2, 0, 2, 0, 0, 9};
  WmAreaVolume volume = {.kind = WM_AREA_VOLUME_PRISM, .vertices = dented, .vertex_count = 4}, grown[5];
  CHECK_EQUAL_INT(wm_offset_volume_count(&volume), 1);
  CHECK_EQUAL_INT(wm_offset_volume(context, &volume, 1, grown), WM_OK);
  CHECK(memcmp(&volume, grown, sizeof volume) == 0);
  volume.before_erosion = true;
  CHECK_EQUAL_INT(wm_offset_volume_count(&volume), 5);
  volume.area = 7;
  CHECK_EQUAL_INT(wm_offset_volume_count(&volume), 1);
  CHECK_EQUAL_INT(wm_offset_volume(context, &volume, 1, grown), WM_OK);
  CHECK(memcmp(&volume, grown, sizeof volume) == 0);
  wm_context_destroy(context);
}

int main(void) {
  RUN(grown_volumes_cover_what_is_within_the_radius);
  RUN(only_what_blocks_before_erosion_grows);
  return check_finish();
}
