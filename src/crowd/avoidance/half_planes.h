/* Velocities that half-planes allow: the one nearest to a preferred one, or the one that is least forbidden.
 *
 * Velocities are x and z. A half-plane is a point on its edge and the edge's direction, a unit vector;
 * allowed is what lies left of it, the edge itself included. All speeds are bounded by a disc.
 *
 * Source: J. van den Berg, S. J. Guy, M. Lin, D. Manocha, "Reciprocal n-body collision avoidance", 2011,
 * section 5; M. de Berg and others, "Computational Geometry", chapter 4 (linear programs in the plane). */
#ifndef WALKMESH_CROWD_HALF_PLANES_H
#define WALKMESH_CROWD_HALF_PLANES_H

#include "crowd/crowd_internal.h"

enum { WM_HALF_PLANE_LIMIT = WM_CROWD_NEIGHBOURS + WM_CROWD_WALLS };

typedef struct WmHalfPlane {
  float point[2], direction[2];
} WmHalfPlane;

typedef struct WmHalfPlanes {
  WmHalfPlane planes[WM_HALF_PLANE_LIMIT];
  uint32_t wall_count, count; /* walls come first; they allow velocity 0 */
  float speed;                /* the most, >= 0 */
} WmHalfPlanes;

/* The allowed velocity nearest to `preferred`.
 * returns    count; or, where not all can be kept, the first that leaves nothing: `result` keeps those before
 *            it */
uint32_t wm_half_planes_solve(const WmHalfPlanes *set, const float preferred[2], float result[2]);

/* Where not all can be kept: the velocity that walls allow and that lies least outside of the one of the
 * others that it lies farthest outside of. in         first: what wm_half_planes_solve returned, at least
 * wall_count; result: what it gave */
void wm_half_planes_solve_least(const WmHalfPlanes *set, uint32_t first, float result[2]);

#endif
