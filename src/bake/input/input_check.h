/* Checking what a bake is given, before any stage trusts it: lists first, then indices, then vertices. Those
 * that grow with the level go in portions, so that whoever shares a thread can rest in between. */
#ifndef WALKMESH_BAKE_INPUT_CHECK_H
#define WALKMESH_BAKE_INPUT_CHECK_H

#include "bake/bake.h"

/* Checks pointers, solids and connections.
 * returns    WM_OK, WM_ERROR_CONFIGURATION, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_GEOMETRY; the message names
 * the first culprit, as it does below */
WmStatus wm_check_lists(WmContext *context, const WmConfig *config, const WmBakeInput *input);

/* Checks the indices and areas of the triangles from `first` to before `end`.
 * returns    WM_OK, WM_ERROR_GEOMETRY */
WmStatus wm_check_indices(WmContext *context, const WmTriangles *triangles, size_t first, size_t end);

/* Checks the vertices from `first` to before `end`, used or not, and widens the bounds over them. The very
 * first one sets them. returns    WM_OK, WM_ERROR_GEOMETRY */
WmStatus wm_check_vertices(WmContext *context, const WmTriangles *triangles, size_t first, size_t end,
                           float bounds_min[3], float bounds_max[3]);

/* The bounds of the bake from those of the vertices: raised over solids, or the configuration's. */
void wm_resolve_bounds(const WmConfig *config, const WmBakeInput *input, float bounds_min[3],
                       float bounds_max[3]);

/* Tells from slopes whether the level can work.
 * in         bounds as found; facing: of all triangles
 * out        warnings: WM_WARNING_... bits
 * returns    WM_OK, WM_ERROR_GEOMETRY (only degenerate triangles; everything faces down) */
WmStatus wm_diagnose_input(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                           const float bounds_min[3], const float bounds_max[3], const WmFacing *facing,
                           uint32_t *warnings);

#endif
