/* Narrow places on the way through polygons: where two bodies can't pass each other.
 *
 * WmPassages is a cache of crossings. A crossing is the way of a corridor through one polygon, from the portal
 * where it enters to the portal where it leaves. The cache stores whether these portals are narrow, whether
 * there is room at or between them, and whether there is a throat between two wide portals. A crossing is measured
 * when it is first looked up. All are dropped when the mesh or the width changes.
 *
 * Usual order: a zeroed WmPassages, wm_passages_update once a step, wm_passages_find, wm_passages_free. */
#ifndef WALKMESH_CLEARANCE_PASSAGES_H
#define WALKMESH_CLEARANCE_PASSAGES_H

#include "base/buffer.h"
#include "mesh/mesh.h"

/* Room begins at this multiple of the width that is narrow. Where narrow lanes cross or branch, the surface is up
 * to 1.41 times as wide as the lanes: two bodies pass each other there, but those behind them do not. */
#define WM_PASSAGES_ROOM 1.6f

/* A way through a polygon, from one portal to another, and where it is narrow. */
typedef struct WmCrossing {
  WmRef from, polygon, to; /* `from` 0: the way begins in the polygon */
  bool exit_is_narrow;     /* the portal to `to` is */
  bool has_room;           /* at one of the portals or between them, several bodies can let others pass */
  bool has_throat;         /* both portals are wide, and a place between them is narrow: */
  float throat[2];         /* x and z of its narrowest place */
  float axis[2];           /* x and z of the unit vector through it, the same for all ways through it */
} WmCrossing;

typedef struct WmPassages {
  WmBuffer crossings; /* WmCrossing [mask + 1], a hash table; polygon 0: unused */
  uint32_t mask, count;
  uint64_t version; /* of the mesh */
  float width;      /* narrower places are narrow */
  uint32_t drops;   /* times that all answers became invalid */
} WmPassages;

/* Drops all answers if the mesh has changed, or the width.
 * in         width: world units, of the mesh of centres */
void wm_passages_update(WmPassages *passages, const WmMesh *mesh, float width);

/* Finds the narrow places on the way from a portal through a polygon to the next portal.
 * in         from: the polygon before, 0 for none; entry [4] (NULL with from 0), exit [4]: left x, z, right x, z of
 *            the portals; to: the polygon behind `exit`
 * out        *crossing: valid until the next call
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(1) if it is known; else O(samples, polygons within the width around each) */
WmStatus wm_passages_find(WmContext *context, WmPassages *passages, const WmMesh *mesh, WmRef from,
                          const float *entry, WmRef polygon, const float *exit, WmRef to,
                          const WmCrossing **crossing);

void wm_passages_free(WmContext *context, WmPassages *passages);

#endif
