/* Which polygons lie under a switch's volume, and which tiles it meets. See switches.h. */
#ifndef WALKMESH_QUERY_SWITCH_COVER_H
#define WALKMESH_QUERY_SWITCH_COVER_H

#include "base/content_hash.h"
#include "query/switches/switches.h"

/* Checks a volume; returns as wm_switch_add. */
WmStatus wm_switch_check(WmContext *context, const WmSwitchVolume *volume);

/* The polygons under a volume that was checked: *polygons [*count] of the query, until it is asked again.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (not convex), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_switch_cover(WmQuery *query, const WmSwitchVolume *volume, WmRef **polygons, size_t *count);

/* A hash of the tiles that a volume meets: another where one of them came, went or was built again. */
WmContentHash wm_switch_tiles(const WmMesh *mesh, const WmSwitchVolume *volume);

#endif
