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

/* A box around a volume, a little larger, as queries for polygons have. */
void wm_switch_box(const WmMesh *mesh, const WmSwitchVolume *volume, float low[3], float high[3]);

/* Where a switch is, and what it does. */
typedef struct WmSwitchPlace {
  float low[3], high[3]; /* wm_switch_box */
  uint32_t does[2];      /* which polygons it takes, and its flags */
  bool is_on;
  const WmRef *polygons; /* [polygon_count] under it */
  size_t polygon_count;
} WmSwitchPlace;

/* Visits all switches.
 * in         switches: NULL: there are none
 * in/out     *cursor: 0 for the first one
 * returns    false: no more; *place is then unchanged */
bool wm_switches_next_place(const WmSwitches *switches, uint32_t *cursor, WmSwitchPlace *place);

/* A hash of the references of the tiles that a volume touches: it changes when one of them is added, removed
 * or replaced. */
WmContentHash wm_switch_tiles(const WmMesh *mesh, const WmSwitchVolume *volume);

#endif
