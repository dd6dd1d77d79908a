/* Area volumes whose height differs from cell to cell: spheres and capsules. A file of its own, because
 * the core module leaves it out (wasm/core_absent.c). */
#ifndef WALKMESH_BAKE_ROUND_VOLUME_H
#define WALKMESH_BAKE_ROUND_VOLUME_H

#include "bake/stages.h"

/* returns    WM_OK, WM_ERROR_UNSUPPORTED in the core module */
WmStatus wm_check_round_volume(WmContext *context);

/* Finds the interval in which the vertical line through (x, z) is inside a sphere or capsule.
 * out        heights [2]: from, to; unchanged if the line misses
 * returns    true if the line meets the volume */
bool wm_round_volume_heights(const WmAreaVolume *volume, float x, float z, float heights[2]);

#endif
