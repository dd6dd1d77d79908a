/* The heights of spheres and capsules above a point of the surface. See round_volume.h.
 *
 * A capsule is the union of two spheres and the cylinder between them, and convex: a vertical line is
 * inside from the lowest to the highest point at which it is inside any of the three. In doubles, of
 * floats: nothing overflows. */
#include "bake/areas/round_volume.h"

#include <math.h>

WmStatus wm_check_round_volume(WmContext *context) {
  (void)context;
  return WM_OK;
}

typedef struct Interval {
  double low, high;
} Interval;

static void widen(Interval *interval, double low, double high) {
  if (low < interval->low) interval->low = low;
  if (high > interval->high) interval->high = high;
}

static void add_sphere(const float centre[3], double reach, float x, float z, Interval *interval) {
  const double dx = (double)x - (double)centre[0], dz = (double)z - (double)centre[2];
  const double left = reach - (dx * dx + dz * dz);
  if (left < 0) return;
  const double half = sqrt(left);
  widen(interval, (double)centre[1] - half, (double)centre[1] + half);
}

/* A point of the line at height y above the start is within the radius of the axis if |w|^2 - (w.u)^2 <=
 * reach, with w = (dx, y, dz) and u the direction of the axis; and between its ends if 0 <= w.u <= length. */
static void add_cylinder(const WmAreaVolume *volume, double reach, float x, float z, Interval *interval) {
  const float *start = volume->minimum, *end = volume->maximum;
  double u[3], length = 0;
  for (int axis = 0; axis < 3; axis++) {
    u[axis] = (double)end[axis] - (double)start[axis];
    length += u[axis] * u[axis];
  }
  length = sqrt(length);
  if (!(length > 0)) return;
  for (int axis = 0; axis < 3; axis++) u[axis] /= length;
  const double dx = (double)x - (double)start[0], dz = (double)z - (double)start[2];
  const double along = dx * u[0] + dz * u[2], across = u[0] * u[0] + u[2] * u[2];
  const double rest = reach - (dx * dx + dz * dz) + along * along;
  double low = -INFINITY, high = INFINITY;
  if (across > 0) { /* across * y^2 - 2 * along * u.y * y - rest <= 0 */
    const double half = along * u[1], root = half * half + across * rest;
    if (root < 0) return;
    low = (half - sqrt(root)) / across;
    high = (half + sqrt(root)) / across;
  } else if (rest < 0) {
    return;
  }
  if (u[1] != 0) {
    const double first = -along / u[1], second = (length - along) / u[1];
    low = fmax(low, fmin(first, second));
    high = fmin(high, fmax(first, second));
  } else if (along < 0 || along > length) {
    return;
  }
  if (low <= high) widen(interval, (double)start[1] + low, (double)start[1] + high);
}

bool wm_round_volume_heights(const WmAreaVolume *volume, float x, float z, float heights[2]) {
  const double reach = volume->radius < 0 ? -1 : (double)volume->radius * (double)volume->radius;
  Interval interval = {INFINITY, -INFINITY};
  if (volume->kind == WM_AREA_VOLUME_SPHERE) {
    add_sphere(volume->centre, reach, x, z, &interval);
  } else {
    add_sphere(volume->minimum, reach, x, z, &interval);
    add_sphere(volume->maximum, reach, x, z, &interval);
    if (reach >= 0) add_cylinder(volume, reach, x, z, &interval);
  }
  if (!(interval.low <= interval.high)) return false;
  heights[0] = (float)interval.low;
  heights[1] = (float)interval.high;
  return true;
}
