/* Checking what a bake is given, before any stage trusts it. */
#ifndef WALKMESH_BAKE_INPUT_CHECK_H
#define WALKMESH_BAKE_INPUT_CHECK_H

#include "bake/bake.h"

/* Checks pointers, indices and vertices, and finds the bounds of all vertices (used or not), raised over solids.
 * out        bounds; with no triangles (allowed only beside solids) the configuration's bounds
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_GEOMETRY; the message names the first culprit
 * cost       O(vertices + triangles) */
WmStatus wm_check_input(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                        float bounds_min[3], float bounds_max[3]);

/* Tells from slopes whether the level can work.
 * in         bounds as found; voxels as derived
 * out        warnings: WM_WARNING_... bits
 * returns    WM_OK, WM_ERROR_GEOMETRY (only degenerate triangles; everything faces down) */
WmStatus wm_diagnose_input(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                           const float bounds_min[3], const float bounds_max[3], uint32_t *warnings);

#endif
