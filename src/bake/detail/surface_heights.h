/* Heights of the detail mesh, corrected by the level's own surface. */
#ifndef WALKMESH_BAKE_SURFACE_HEIGHTS_H
#define WALKMESH_BAKE_SURFACE_HEIGHTS_H

#include "bake/fields.h"
#include "bake/input/surface.h"

/* Moves the vertices of a detail mesh vertically onto the surface.
 *
 * The surface of a vertex is the triangle or round solid at its x and z, or within a cell of them, that is
 * nearest on x and z, then nearest on y. It is at most half a cell height above the vertex's span, and at most
 * `climb` and two and a half cell heights below it. Without one, a vertex gets the floor of its span, which
 * is a cell height lower than before.
 * in         grid: of the polygon mesh; climb: world units
 * in/out     detail: heights of its vertices; is_on_surface is true afterwards
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: detail is unchanged
 * cost       O(vertices + triangles + pairs whose rectangles on x and z overlap) */
WmStatus wm_correct_heights(WmContext *context, const WmGrid *grid, const WmSurface *surface, float climb,
                            WmDetailMesh *detail);

#endif
