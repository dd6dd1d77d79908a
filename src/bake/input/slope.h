/* The slope of triangles, and of the faces of solids. */
#ifndef WALKMESH_BAKE_SLOPE_H
#define WALKMESH_BAKE_SLOPE_H

#include <math.h>

/* Facing of a triangle. Every operation is float32 in the order written, so that a triangle exactly on the
 * limit falls on the same side as in Recast. */
typedef struct WmSlope {
  float up;      /* y of the normal, as long as twice the area */
  float squared; /* length of that normal, squared */
  float y;       /* of the unit normal; NaN for a triangle without area */
} WmSlope;

static inline WmSlope wm_slope_of(const float *a, const float *b, const float *c) {
  const float px = b[0] - a[0], py = b[1] - a[1], pz = b[2] - a[2];
  const float qx = c[0] - a[0], qy = c[1] - a[1], qz = c[2] - a[2];
  const float nx = py * qz - pz * qy;
  const float ny = pz * qx - px * qz;
  const float nz = px * qy - py * qx;
  const float squared = (nx * nx + ny * ny) + nz * nz;
  return (WmSlope){ny, squared, ny * (1.0f / sqrtf(squared))};
}

/* The y of the unit normal that walkable surface exceeds. */
float wm_slope_limit(float max_slope_degrees);

#endif
