/* Triangulating rings of points in the x-z plane: by Recast's rules, and whatever the ring.
 * Scratch memory only. */
#ifndef WALKMESH_BAKE_TRIANGULATE_H
#define WALKMESH_BAKE_TRIANGULATE_H

#include "bake/geometry/planar.h"
#include "base/context.h"

/* Triangulates a ring.
 * out        triangles [count - 2][3] numbers of points; *triangle_count of them, 0 where count < 3
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY. *failed (may be NULL) tells whether ear clipping by Recast's
 * rules failed, so that wm_triangulate_any_ring took over */
WmStatus wm_triangulate_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                             uint32_t *triangles, uint32_t *triangle_count, bool *failed);

/* Triangulates whatever there is: rings that touch or cross themselves, spikes, equal points. Every triangle
 * has an inside; where the ring is one that touches itself at most, they cover it exactly. A ring that runs
 * the wrong way round has no triangles. Arguments as above. */
WmStatus wm_triangulate_any_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                                 uint32_t *triangles, uint32_t *triangle_count);

#endif
