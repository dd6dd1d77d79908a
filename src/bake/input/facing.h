/* Sums over the triangles of a level, and lines through it, from which a caller finds which way it faces
 * (js/input/facing.js). */
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

/* What 256 lines along each axis meet, at irregular places of the bounds. The lowest and the highest triangle on a
 * line decide. If both face along the axis, the line is open: ground under the sky. If both face against it, that
 * is turned over. If the lowest faces along the axis and the highest against it, it is a room: one seen from
 * outside, or a flipped solid. */
typedef struct WmFacingLines {
  double
      open[3]; /* along each axis: open lines less turned ones, as a fraction of all that meet a triangle */
  double rooms[3]; /* the same of rooms */
} WmFacingLines;

/* Traces the lines; triangles with indices that are too large are skipped.
 * cost       O(triangles, and their sizes across the lines)
 * error      WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_find_facing_lines(WmContext *context, const WmTriangles *triangles, WmFacingLines *found);

/* Of the same lines along y that are open or turned over, the fraction that is turned over; 0 without any.
 * cost       O(triangles, and their sizes across the lines)
 * error      WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_find_turned_ground(WmContext *context, const WmTriangles *triangles, double *share);

/* Lengths of the lines along y between triangles that face each other (air), and between those that face away
 * from each other (solid). Both are 0 if the lines meet more than 2^18 triangles. */
typedef struct WmFacingGaps {
  double air, solid;
} WmFacingGaps;

/* Measures the gaps; triangles with indices that are too large are skipped.
 * cost       O(triangles, and n log n of those that the lines meet)
 * error      WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_measure_facing_gaps(WmContext *context, const WmTriangles *triangles, WmFacingGaps *gaps);

#endif
