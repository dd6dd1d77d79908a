/* Slope marking: which triangles are flat enough to walk on.
 *
 * in: vertices and indices of a triangle soup; out: one area a triangle. A triangle is walkable where the
 * y of its unit normal exceeds the cosine of the steepest slope. Degenerate triangles have no normal: the
 * division gives NaN, which is greater than nothing. Every operation is float32 in the order written, so
 * that a triangle exactly on the limit falls on the same side as in Recast. Triangles are independent.
 * Source: M. Mononen, Recast Navigation (2009-). */
#include <math.h>

#include "bake/stages.h"
#include "base/number.h"

/* The C library's cosf differs between platforms in its last bit; this is the correctly rounded one, which is
 * also glibc's. */
static float cosine_of_slope(float degrees) {
  const float radians = degrees / 180.0f * 3.14159265f;
  return (float)wm_sine(radians, 1);
}

static const float *vertex(const WmTriangles *triangles, uint32_t index) {
  return triangles->positions + triangles->position_stride * (size_t)index;
}

/* The y of the unit normal; NaN for a triangle without area. */
static float unit_normal_y(const float *a, const float *b, const float *c) {
  const float px = b[0] - a[0], py = b[1] - a[1], pz = b[2] - a[2];
  const float qx = c[0] - a[0], qy = c[1] - a[1], qz = c[2] - a[2];
  const float nx = py * qz - pz * qy;
  const float ny = pz * qx - px * qz;
  const float nz = px * qy - py * qx;
  const float inverse_length = 1.0f / sqrtf((nx * nx + ny * ny) + nz * nz);
  return ny * inverse_length;
}

void wm_mark_slopes(const WmTriangles *triangles, float max_slope_degrees, uint8_t *areas) {
  const float limit = cosine_of_slope(max_slope_degrees);
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    const uint32_t *corner = triangles->indices + 3 * i;
    const float y = unit_normal_y(vertex(triangles, corner[0]), vertex(triangles, corner[1]),
                                  vertex(triangles, corner[2]));
    const uint8_t own = triangles->areas ? triangles->areas[i] : WM_AREA_WALKABLE;
    areas[i] = y > limit ? own : WM_AREA_NULL;
  }
}
