/* Half-planes that avoid neighbours, four at a time: each allows the velocities with which the agent does its share of
 * not touching one neighbour within a time.
 *
 * Source: J. van den Berg, S. J. Guy, M. Lin, D. Manocha, "Reciprocal n-body collision avoidance", 2011. */
#ifndef WALKMESH_CROWD_NEIGHBOUR_PLANES_H
#define WALKMESH_CROWD_NEIGHBOUR_PLANES_H

#include "crowd/avoidance/half_planes.h"

enum { WM_PLANE_LANES = 4 };
_Static_assert(WM_CROWD_NEIGHBOURS % WM_PLANE_LANES == 0, "whole vectors fit into the arrays");

/* The neighbours that an agent avoids; of the last vector, lanes from `count` on repeat the last neighbour. */
typedef struct WmAvoided {
  const WmBody *bodies[WM_CROWD_NEIGHBOURS];
  float shares[WM_CROWD_NEIGHBOURS];   /* see wm_crowd_avoidance_share; above 0 */
  float horizons[WM_CROWD_NEIGHBOURS]; /* seconds, above 0 */
  uint32_t count;
} WmAvoided;

/* Appends a half-plane for each neighbour, in their order.
 * in         avoided: horizons are set up to the end of the last vector
 * in/out     set: has room for WM_CROWD_NEIGHBOURS more
 * cost       O(neighbours) */
void wm_add_neighbour_planes(WmHalfPlanes *set, const WmBody *own, const WmAvoided *avoided);

#endif
