/* Slope marking: finds the triangles that are flat enough to walk on.
 *
 * in         vertices and indices of a triangle soup
 * out        one area a triangle
 * source     M. Mononen, Recast Navigation (2009-)
 *
 * A triangle is walkable if the y of its unit normal exceeds the cosine of the steepest slope. Degenerate
 * triangles have no normal: the division gives NaN, and every comparison with NaN is false. Every
 * operation is float32 in the order written, so that a triangle exactly on the limit falls on the same
 * side as in Recast. */
#include <math.h>

#include "bake/stages.h"
#include "base/number.h"

/* The C library's cosf differs between platforms in its last bit. This one is correctly rounded, as
 * glibc's is. */
static float cosine_of_slope(float degrees) {
  const float radians = degrees / 180.0f * 3.14159265f;
  return (float)wm_sine(radians, 1);
}

static const float *vertex(const WmTriangles *triangles, uint32_t index) {
  return triangles->positions + triangles->position_stride * (size_t)index;
}

void wm_mark_slopes(const WmTriangles *triangles, float max_slope_degrees, size_t first, size_t end,
                    uint8_t *areas, WmFacing *facing) {
  const float limit = cosine_of_slope(max_slope_degrees);
  for (size_t i = first; i < end; i++) {
    const uint32_t *corner = triangles->indices + 3 * i;
    const float *a = vertex(triangles, corner[0]), *b = vertex(triangles, corner[1]);
    const float *c = vertex(triangles, corner[2]);
    const float px = b[0] - a[0], py = b[1] - a[1], pz = b[2] - a[2];
    const float qx = c[0] - a[0], qy = c[1] - a[1], qz = c[2] - a[2];
    const float nx = py * qz - pz * qy;
    const float ny = pz * qx - px * qz;
    const float nz = px * qy - py * qx;
    const float squared = (nx * nx + ny * ny) + nz * nz;
    const float y = ny * (1.0f / sqrtf(squared)); /* of the unit normal; NaN for a triangle without area */
    const uint8_t own = triangles->areas ? triangles->areas[i] : WM_AREA_WALKABLE;
    areas[i] = y > limit ? own : WM_AREA_NULL;
    if (!(squared > 0)) facing->degenerate++;
    if (y > limit) facing->up += ny;
    if (-y > limit) facing->down -= ny;
  }
}
