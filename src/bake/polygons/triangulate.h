/* Triangulates rings of points in the x-z plane: by Recast's rules, or any ring at all. Uses scratch
 * memory only. */
#ifndef WALKMESH_BAKE_TRIANGULATE_H
#define WALKMESH_BAKE_TRIANGULATE_H

#include "bake/geometry/planar.h"
#include "base/context.h"

/* Triangulates a ring.
 * out        triangles [count - 2][3] indices of points; *triangle_count of them, 0 if count < 3; *failed
 *            (may be NULL): true if ear clipping by Recast's rules failed, and wm_triangulate_any_ring was
 *            used
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_triangulate_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                             uint32_t *triangles, uint32_t *triangle_count, bool *failed);

/* Triangulates any ring: it may touch or cross itself and have spikes or equal points. Every triangle has
 * an area. If the ring at most touches itself, the triangles cover it exactly. A ring with the reverse
 * winding has no triangles.
 * in/out     as wm_triangulate_ring
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_triangulate_any_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                                 uint32_t *triangles, uint32_t *triangle_count);

#endif
