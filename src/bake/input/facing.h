/* Sums over the triangles of a level, from which a caller finds which way it faces (js/input/facing.js). */
#ifndef WALKMESH_BAKE_INPUT_FACING_H
#define WALKMESH_BAKE_INPUT_FACING_H

#include "bake/stages.h"

/* Areas are doubled. */
typedef struct WmFacingSums {
  double net[3];                 /* sum of the area vectors (cross products of two edges) */
  double facing[6];              /* area of the triangles that face +x, -x, +y, -y, +z, -z */
  double minimum[3], maximum[3]; /* bounds of these triangles; infinite without any */
} WmFacingSums;

/* Sums up every `step`-th triangle, from the first on; those with indices that are too large are skipped.
 * in         step: at least 1; min_cosine: of the angle between a triangle's normal and the axis it faces
 * cost       O(triangles / step) */
void wm_sum_facing(const WmTriangles *triangles, size_t step, double min_cosine, WmFacingSums *sums);

#endif
