/* Volumes offset by the agent radius: for kept tiles that are eroded already, where eroding again would keep
 * agents away from walls by twice the radius. */
#ifndef WALKMESH_DYNAMIC_OFFSET_VOLUME_H
#define WALKMESH_DYNAMIC_OFFSET_VOLUME_H

#include "bake/stages.h"

/* The number of volumes that a volume becomes: 1, and one more for each edge of a prism that isn't convex. */
size_t wm_offset_volume_count(const WmAreaVolume *volume);

/* Offsets a volume that blocks before erosion by a radius, on x and z; copies any other. Corners become
 * round, up to 8 % of the radius too wide. Spheres and capsules become upright, as wide over their whole
 * height as at their widest.
 * out        offset [wm_offset_volume_count]: their union is the result; outlines are in scratch memory of
 *            the caller's mark
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_offset_volume(WmContext *context, const WmAreaVolume *volume, float radius, WmAreaVolume *offset);

/* Offsets a list of volumes; the new list is in scratch memory of the caller's mark.
 * in/out     *volumes [*count] */
WmStatus wm_offset_volumes(WmContext *context, float radius, const WmAreaVolume **volumes, size_t *count);

#endif
