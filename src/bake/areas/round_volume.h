/* Area volumes that are round in height: spheres and capsules. A file of its own, which the core module
 * leaves out (wasm/core_absent.c). */
#ifndef WALKMESH_BAKE_ROUND_VOLUME_H
#define WALKMESH_BAKE_ROUND_VOLUME_H

#include "bake/stages.h"

/* returns    WM_OK, WM_ERROR_UNSUPPORTED in the core module */
WmStatus wm_check_round_volume(WmContext *context);

/* Where the vertical line through (x, z) is inside a sphere or capsule.
 * out        heights [2]: from, to; unchanged where it misses
 * returns    whether it meets the volume */
bool wm_round_volume_heights(const WmAreaVolume *volume, float x, float z, float heights[2]);

#endif
