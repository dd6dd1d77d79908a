/* Slope marking: finds the triangles that are flat enough to walk on.
 *
 * in         vertices and indices of a triangle soup
 * out        one area a triangle
 * source     M. Mononen, Recast Navigation (2009-)
 *
 * A triangle is walkable if the y of its unit normal exceeds the cosine of the steepest slope. Degenerate
 * triangles have no normal: the division gives NaN, and every comparison with NaN is false. */
#include "bake/input/slope.h"

#include "bake/stages.h"
#include "base/number.h"

/* The C library's cosf differs between platforms in its last bit. This one is correctly rounded, as
 * glibc's is. */
float wm_slope_limit(float max_slope_degrees) {
  const float radians = max_slope_degrees / 180.0f * 3.14159265f;
  return (float)wm_sine(radians, 1);
}

static const float *vertex(const WmTriangles *triangles, uint32_t index) {
  return triangles->positions + triangles->position_stride * (size_t)index;
}

void wm_mark_slopes(const WmTriangles *triangles, float max_slope_degrees, size_t first, size_t end,
                    uint8_t *areas, WmFacing *facing) {
  const float limit = wm_slope_limit(max_slope_degrees);
  for (size_t i = first; i < end; i++) {
    const uint32_t *corner = triangles->indices + 3 * i;
    const float *a = vertex(triangles, corner[0]), *b = vertex(triangles, corner[1]);
    const float *c = vertex(triangles, corner[2]);
    const WmSlope slope = wm_slope_of(a, b, c);
    const uint8_t own = triangles->areas ? triangles->areas[i] : WM_AREA_WALKABLE;
    areas[i] = slope.y > limit ? own : WM_AREA_NULL;
    if (!(slope.squared > 0)) facing->degenerate++;
    if (slope.y > limit) facing->up += slope.up;
    if (-slope.y > limit) facing->down -= slope.up;
  }
}
