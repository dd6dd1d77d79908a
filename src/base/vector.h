/* Small formulas on points [x, y, z], and on vectors [x, z] of the plane. The order of operations is part of
 * each: results are the same bits wherever they are used. */
#ifndef WALKMESH_BASE_VECTOR_H
#define WALKMESH_BASE_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/inline.h"

/* ---- Points [3] --------------------------------------------------------------------------------------- */

static inline float wm_squared_distance(const float a[3], const float b[3]) {
  const float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return x * x + y * y + z * z;
}
static inline float wm_distance(const float a[3], const float b[3]) {
  return sqrtf(wm_squared_distance(a, b));
}
static inline float wm_squared_distance_on_plane(const float a[3], const float b[3]) {
  const float x = b[0] - a[0], z = b[2] - a[2];
  return x * x + z * z;
}

/* True for points with the same numbers; zero and minus zero are the same. */
static inline bool wm_is_same_point(const float a[3], const float b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Twice the area of the triangle a, b, c on x and z; positive where c is left of the line from a to b. */
WM_INLINE float wm_find_turn(const float a[3], const float b[3], const float c[3]) {
  return (c[0] - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (c[2] - a[2]);
}

/* ---- Vectors [2] -------------------------------------------------------------------------------------- */

WM_INLINE float wm_cross(const float a[2], const float b[2]) { return a[0] * b[1] - a[1] * b[0]; }
WM_INLINE float wm_dot(const float a[2], const float b[2]) { return a[0] * b[0] + a[1] * b[1]; }

/* ---- Numbers ------------------------------------------------------------------------------------------ */

/* Clamps to 0..1. NaN stays. */
WM_INLINE float wm_clamp_unit(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

WM_INLINE int32_t wm_clamp_int(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

#endif
