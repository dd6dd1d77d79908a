/* Volumes as obstacles: allowed sizes, positions, and distances moved. See dynamic_internal.h. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "dynamic/dynamic_internal.h"

static const float FARTHEST = 1e8f;

/* ---- Checks ------------------------------------------------------------------------------------------- */

static WmStatus fail_size(WmContext *context, const char *field, double value) {
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field,
                        "an obstacle's size must be above 0, and is ", value, "");
}

static WmStatus check_sizes(WmContext *context, const WmAreaVolume *volume) {
  float low[3], high[3];
  wm_find_volume_bounds(context, volume, low, high);
  const bool is_box = volume->kind == WM_AREA_VOLUME_BOX || volume->kind == WM_AREA_VOLUME_PRISM;
  for (int axis = 0; axis < 3; axis++) {
    if (!(low[axis] >= -FARTHEST && high[axis] <= FARTHEST)) {
      return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "obstacle",
                            "an obstacle must be within 100,000,000 of the origin, and reaches to ",
                            (double)(low[axis] < -FARTHEST ? low[axis] : high[axis]), "");
    }
    if (is_box && !(low[axis] < high[axis])) {
      return fail_size(context, "maximum", (double)(high[axis] - low[axis]));
    }
    if (volume->kind == WM_AREA_VOLUME_ROTATED_BOX && !(volume->half_extents[axis] > 0)) {
      return fail_size(context, "halfExtents", (double)volume->half_extents[axis]);
    }
  }
  if (is_box || volume->kind == WM_AREA_VOLUME_ROTATED_BOX) return WM_OK;
  if (!(volume->radius > 0)) return fail_size(context, "radius", (double)volume->radius);
  if (volume->kind == WM_AREA_VOLUME_CYLINDER && !(volume->height > 0)) {
    return fail_size(context, "height", (double)volume->height);
  }
  return WM_OK;
}

WmStatus wm_check_obstacle(WmContext *context, const WmGrid *grid, const WmAreaVolume *volume) {
  bool touches;
  const WmStatus status = wm_check_area_volume(context, grid, volume, &touches);
  return status ? status : check_sizes(context, volume);
}

/* True if numbers are equal, bit by bit. */
static bool have_equal_bits(const float *a, const float *b, size_t count) {
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
  return memcmp(a, b, count * sizeof *a) == 0;
}

bool wm_volumes_are_equal(const WmAreaVolume *a, const WmAreaVolume *b) {
  if (a->kind != b->kind || a->area != b->area || a->before_erosion != b->before_erosion) return false;
  const bool same = have_equal_bits(a->minimum, b->minimum, 3) &&
                    have_equal_bits(a->maximum, b->maximum, 3) && have_equal_bits(a->centre, b->centre, 3) &&
                    have_equal_bits(a->half_extents, b->half_extents, 3) &&
                    have_equal_bits(&a->yaw, &b->yaw, 1) && have_equal_bits(&a->radius, &b->radius, 1) &&
                    have_equal_bits(&a->height, &b->height, 1);
  if (!same || a->kind != WM_AREA_VOLUME_PRISM) return same;
  return a->vertex_count == b->vertex_count && have_equal_bits(a->vertices, b->vertices, 3 * a->vertex_count);
}

/* ---- Positions ---------------------------------------------------------------------------------------- */

/* The bounds of a prism's outline. */
static void find_outline_bounds(const WmAreaVolume *volume, float low[3], float high[3]) {
  for (size_t i = 0; i < 3 * volume->vertex_count; i++) {
    const float value = volume->vertices[i];
    const size_t axis = i % 3;
    if (i < 3 || value < low[axis]) low[axis] = value;
    if (i < 3 || value > high[axis]) high[axis] = value;
  }
}

void wm_volume_position(const WmAreaVolume *volume, float position[3]) {
  if (volume->kind == WM_AREA_VOLUME_ROTATED_BOX || volume->kind == WM_AREA_VOLUME_CYLINDER ||
      volume->kind == WM_AREA_VOLUME_SPHERE) {
    memcpy(position, volume->centre, sizeof volume->centre);
    return;
  }
  float low[3], high[3];
  memcpy(low, volume->minimum, sizeof low);
  memcpy(high, volume->maximum, sizeof high);
  if (volume->kind == WM_AREA_VOLUME_PRISM) {
    find_outline_bounds(volume, low, high);
    low[1] = high[1] = volume->minimum[1];
  }
  for (int axis = 0; axis < 3; axis++) position[axis] = 0.5f * low[axis] + 0.5f * high[axis];
}

static float length_of(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }

void wm_volume_cylinder(WmContext *context, const WmAreaVolume *volume, WmMovingObstacle *cylinder) {
  float low[3], high[3], position[3];
  wm_find_volume_bounds(context, volume, low, high);
  wm_volume_position(volume, position);
  const float x = 0.5f * (high[0] - low[0]), z = 0.5f * (high[2] - low[2]);
  float radius = length_of(x, 0, z);
  if (volume->kind == WM_AREA_VOLUME_CYLINDER || volume->kind == WM_AREA_VOLUME_SPHERE) {
    radius = volume->radius;
  } else if (volume->kind == WM_AREA_VOLUME_ROTATED_BOX) {
    radius = length_of(volume->half_extents[0], 0, volume->half_extents[2]);
  } else if (volume->kind == WM_AREA_VOLUME_CAPSULE) {
    const float *start = volume->minimum, *end = volume->maximum;
    radius = volume->radius + 0.5f * length_of(end[0] - start[0], 0, end[2] - start[2]);
  } else if (volume->kind == WM_AREA_VOLUME_PRISM) {
    radius = 0;
    for (size_t i = 0; i < volume->vertex_count; i++) {
      const float *vertex = volume->vertices + 3 * i;
      radius = fmaxf(radius, length_of(vertex[0] - position[0], 0, vertex[2] - position[2]));
    }
  }
  cylinder->position[0] = position[0];
  cylinder->position[1] = low[1];
  cylinder->position[2] = position[2];
  cylinder->radius = radius;
  cylinder->height = high[1] - low[1];
}

/* ---- Moving ------------------------------------------------------------------------------------------- */

static float distance_of(const float *a, const float *b) {
  return length_of(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

float wm_volume_distance(const WmAreaVolume *a, const WmAreaVolume *b) {
  if (a->kind != b->kind || a->area != b->area || a->before_erosion != b->before_erosion) return INFINITY;
  float farthest = 0;
  switch (a->kind) {
    case WM_AREA_VOLUME_ROTATED_BOX:
      /* The farthest corner turns along an arc, which is at least as long as its way. */
      return distance_of(a->centre, b->centre) + distance_of(a->half_extents, b->half_extents) +
             fabsf(a->yaw - b->yaw) * length_of(b->half_extents[0], 0, b->half_extents[2]);
    case WM_AREA_VOLUME_CYLINDER:
    case WM_AREA_VOLUME_SPHERE:
      farthest = distance_of(a->centre, b->centre) + fabsf(a->radius - b->radius);
      return a->kind == WM_AREA_VOLUME_SPHERE ? farthest : farthest + fabsf(a->height - b->height);
    case WM_AREA_VOLUME_PRISM:
      if (a->vertex_count != b->vertex_count) return INFINITY;
      for (size_t i = 0; i < 3 * a->vertex_count; i += 3) {
        const float x = a->vertices[i] - b->vertices[i], z = a->vertices[i + 2] - b->vertices[i + 2];
        farthest = fmaxf(farthest, length_of(x, 0, z));
      }
      return farthest + fmaxf(fabsf(a->minimum[1] - b->minimum[1]), fabsf(a->maximum[1] - b->maximum[1]));
    default:
      farthest = fmaxf(distance_of(a->minimum, b->minimum), distance_of(a->maximum, b->maximum));
      return a->kind == WM_AREA_VOLUME_BOX ? farthest : farthest + fabsf(a->radius - b->radius);
  }
}

bool wm_volume_move_to(const WmAreaVolume *volume, const float position[3], const float *yaw, float *outline,
                       WmAreaVolume *moved) {
  const int32_t kind = volume->kind;
  float from[3], by[3];
  wm_volume_position(volume, from);
  for (int axis = 0; axis < 3; axis++) by[axis] = position[axis] - from[axis];
  *moved = *volume;
  if (kind == WM_AREA_VOLUME_PRISM) {
    moved->vertices = outline;
    for (size_t i = 0; i < 3 * volume->vertex_count; i++) outline[i] = volume->vertices[i] + by[i % 3];
  }
  for (int axis = 0; axis < 3; axis++) {
    moved->minimum[axis] = volume->minimum[axis] + by[axis];
    moved->maximum[axis] = volume->maximum[axis] + by[axis];
    moved->centre[axis] = position[axis];
  }
  if (!yaw) return true;
  if (kind == WM_AREA_VOLUME_ROTATED_BOX) moved->yaw = *yaw;
  return kind == WM_AREA_VOLUME_ROTATED_BOX || kind == WM_AREA_VOLUME_CYLINDER ||
         kind == WM_AREA_VOLUME_SPHERE;
}
