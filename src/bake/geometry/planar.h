/* Exact predicates on points of the x-z plane, shared by hole merging and triangulation.
 *
 * All arithmetic is in 64-bit integers, so that no grid overflows. The winding of rings is such that
 * wm_planar_area of (previous, vertex, next) is negative at a convex vertex. Source: J. O'Rourke,
 * Computational Geometry in C (2nd ed. 1998), chapter 1; touching and collinear cases are treated as in
 * the Recast library, since they decide the results. */
#ifndef WALKMESH_BAKE_PLANAR_H
#define WALKMESH_BAKE_PLANAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/inline.h"

typedef struct WmPlanarPoint {
  int32_t x, z;
} WmPlanarPoint;

WM_INLINE bool wm_planar_equal(WmPlanarPoint a, WmPlanarPoint b) { return a.x == b.x && a.z == b.z; }

/* Twice the signed area of the triangle a, b, c. */
WM_INLINE int64_t wm_planar_area(WmPlanarPoint a, WmPlanarPoint b, WmPlanarPoint c) {
  return (int64_t)(b.x - a.x) * (c.z - a.z) - (int64_t)(c.x - a.x) * (b.z - a.z);
}

/* The same as a call, for code where an inlined copy does not pay. */
int64_t wm_planar_side(const WmPlanarPoint *a, const WmPlanarPoint *b, const WmPlanarPoint *c);

WM_INLINE int64_t wm_planar_distance_squared(WmPlanarPoint a, WmPlanarPoint b) {
  const int64_t x = (int64_t)b.x - a.x, z = (int64_t)b.z - a.z;
  return x * x + z * z;
}

/* True if the direction from `vertex` to `target` points into the ring there. `loose` accepts directions
 * along the two edges at convex vertices. */
bool wm_planar_in_cone(const WmPlanarPoint *previous, const WmPlanarPoint *vertex, const WmPlanarPoint *next,
                       const WmPlanarPoint *target, bool loose);

/* True if two segments (points 0 and 1, points 2 and 3) have a point in common; with `loose`, if they
 * cross inside both. Segments that share an end don't meet. */
bool wm_planar_meet(const WmPlanarPoint *const ends[4], bool loose);

/* True if the segments ab and cd cross in a point inside both. */
WM_INLINE bool wm_planar_cross(WmPlanarPoint a, WmPlanarPoint b, WmPlanarPoint c, WmPlanarPoint d) {
  const int64_t abc = wm_planar_area(a, b, c), abd = wm_planar_area(a, b, d);
  const int64_t cda = wm_planar_area(c, d, a), cdb = wm_planar_area(c, d, b);
  if (abc == 0 || abd == 0 || cda == 0 || cdb == 0) return false;
  return (abc < 0) != (abd < 0) && (cda < 0) != (cdb < 0);
}

#endif
