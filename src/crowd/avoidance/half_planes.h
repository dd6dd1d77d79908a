/* Velocities that half-planes allow: the one nearest to a desired velocity, or the least forbidden one.
 *
 * Velocities are x and z. A half-plane is a point on its edge and the edge's direction, a unit vector;
 * velocities to the left of the edge, and on it, are allowed. A disc bounds all speeds.
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
  float speed;                /* the largest, >= 0 */
} WmHalfPlanes;

/* Finds the allowed velocity nearest to `preferred`.
 * returns    count; or, if not all can be satisfied, the index of the first one that leaves nothing: `result`
 *            satisfies those before it */
uint32_t wm_half_planes_solve(const WmHalfPlanes *set, const float preferred[2], float result[2]);

/* If not all can be satisfied: finds the velocity that walls allow and that minimizes the largest distance
 * from the others.
 * in         first: the return value of wm_half_planes_solve, at least wall_count
 * in/out     result: its result */
void wm_half_planes_solve_least(const WmHalfPlanes *set, uint32_t first, float result[2]);

#endif
