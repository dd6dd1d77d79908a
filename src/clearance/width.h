/* The width of the surface at a point: how far walls on opposite sides are apart. The mesh is that of the
 * centres of bodies, so two bodies of radius r pass each other where the width is 2 r or more.
 *
 * Walls are found over portals from the polygon of the point, so that floors above and below don't count. */
#ifndef WALKMESH_CLEARANCE_WIDTH_H
#define WALKMESH_CLEARANCE_WIDTH_H

#include "mesh/mesh.h"

/* Measures the width at a point of a ground polygon: the distance to the nearest wall, and from there to the
 * nearest wall on the other side.
 * in         widest: larger widths don't matter
 * out        towards [2] (may be NULL): x and z of the unit vector to the nearest wall; 0 without one
 * returns    the width; INFINITY if it is above `widest`
 * cost       O(polygons within `widest`), at most 32 */
float wm_width_at(const WmMesh *mesh, WmRef polygon, const float point[3], float widest, float towards[2]);

#endif
