/* Small formulas on points [x, y, z] and on x and z alone. */
#ifndef WALKMESH_BASE_VECTOR_H
#define WALKMESH_BASE_VECTOR_H

#include <math.h>

/* The distance of two points [3]. */
static inline float wm_distance(const float a[3], const float b[3]) {
  const float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return sqrtf(x * x + y * y + z * z);
}

#endif
