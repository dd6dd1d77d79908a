/* Checks the input of a bake before any stage reads it: lists first, then indices, then vertices. Arrays
 * that grow with the level are checked in portions, so that a caller can share its thread. */
#ifndef WALKMESH_BAKE_INPUT_CHECK_H
#define WALKMESH_BAKE_INPUT_CHECK_H

#include "bake/bake.h"

/* Checks pointers, solids and connections.
 * returns    WM_OK, WM_ERROR_CONFIGURATION, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_GEOMETRY; here and below
 *            the message names the first invalid element */
WmStatus wm_check_lists(WmContext *context, const WmConfig *config, const WmBakeInput *input);

/* Checks the indices and areas of the triangles from `first` to before `end`.
 * returns    WM_OK, WM_ERROR_GEOMETRY */
WmStatus wm_check_indices(WmContext *context, const WmTriangles *triangles, size_t first, size_t end);

/* Checks the vertices from `first` to before `end`, used or not.
 * in/out     bounds_min, bounds_max: extended over these vertices; vertex 0 sets them
 * returns    WM_OK, WM_ERROR_GEOMETRY */
WmStatus wm_check_vertices(WmContext *context, const WmTriangles *triangles, size_t first, size_t end,
                           float bounds_min[3], float bounds_max[3]);

/* Turns the bounds of the vertices into those of the bake: raised over solids, or replaced by the
 * configuration's. Minus zero becomes zero. */
void wm_resolve_bounds(const WmConfig *config, const WmBakeInput *input, float bounds_min[3],
                       float bounds_max[3]);

/* Tells from the slopes whether the level can work.
 * in         bounds as resolved; facing: of all triangles
 * out        warnings: WM_WARNING_... bits
 * returns    WM_OK, WM_ERROR_GEOMETRY (only degenerate triangles; all triangles face down) */
WmStatus wm_diagnose_input(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                           const float bounds_min[3], const float bounds_max[3], const WmFacing *facing,
                           uint32_t *warnings);

#endif
