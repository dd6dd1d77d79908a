/* Obstacles made larger by the agent's radius: for tiles whose surface was eroded before it was kept, where
 * eroding again would take the radius from walls a second time. */
#ifndef WALKMESH_DYNAMIC_OFFSET_VOLUME_H
#define WALKMESH_DYNAMIC_OFFSET_VOLUME_H

#include "bake/stages.h"

/* How many volumes stand for one, made larger: 1, and one more for each edge of a prism that is not convex.
 */
size_t wm_offset_volume_count(const WmAreaVolume *volume);

/* Makes a volume that blocks before erosion larger by a radius, on x and z; others stay. Corners become
 * round: up to 8 % of the radius is added there. Spheres and capsules stand upright: as wide over all their
 * height as they are at most. out        offset [wm_offset_volume_count], together the larger one; outlines in
 * scratch memory of the caller's mark returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_offset_volume(WmContext *context, const WmAreaVolume *volume, float radius, WmAreaVolume *offset);

/* The same of a list, in scratch memory likewise.
 * in/out     *volumes [*count] */
WmStatus wm_offset_volumes(WmContext *context, float radius, const WmAreaVolume **volumes, size_t *count);

#endif
