/* The polygons that a switch's volume covers, and the tiles it touches. See switches.h. */
#ifndef WALKMESH_QUERY_SWITCH_COVER_H
#define WALKMESH_QUERY_SWITCH_COVER_H

#include "base/content_hash.h"
#include "query/switches/switches.h"

/* Checks a volume.
 * returns    as wm_switch_add */
WmStatus wm_switch_check(WmContext *context, const WmSwitchVolume *volume);

/* The polygons that a volume covers.
 * in         volume: checked
 * out        *polygons [*count]: of the query, until its next call
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (the outline isn't convex), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_switch_cover(WmQuery *query, const WmSwitchVolume *volume, WmRef **polygons, size_t *count);

/* A hash of the references of the tiles that a volume touches: it changes when one of them is added, removed
 * or replaced. */
WmContentHash wm_switch_tiles(const WmMesh *mesh, const WmSwitchVolume *volume);

#endif
