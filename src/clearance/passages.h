/* Narrow places on the way through polygons: where two bodies can't pass each other.
 *
 * The cache answers, for a corridor that enters a polygon through one portal and leaves it through another:
 * whether the portals are narrow, whether there is room between them, and whether there is a throat between
 * two wide portals. Answers are computed when they are first asked for, and dropped when the mesh changes or
 * another width is asked for. They depend on the mesh and the width only.
 *
 * Usual order: a zeroed WmPassages, wm_passages_update once a step, wm_passages_find, wm_passages_free. */
#ifndef WALKMESH_CLEARANCE_PASSAGES_H
#define WALKMESH_CLEARANCE_PASSAGES_H

#include "base/buffer.h"
#include "mesh/mesh.h"

/* What is known of the way from one portal of a polygon to another. */
typedef struct WmCrossing {
  WmRef from, polygon, to; /* `from` 0: the way begins in the polygon */
  bool exit_is_narrow;     /* the portal to `to` is */
  bool has_room;           /* between both portals there is a place that isn't narrow */
  bool has_throat;         /* both portals are wide, and a place between them is narrow: */
  float throat[2];         /* x and z of its narrowest place */
  float axis[2];           /* x and z of the unit vector through it, the same for all ways through it */
} WmCrossing;

typedef struct WmPassages {
  WmBuffer crossings; /* WmCrossing [mask + 1], a hash table; polygon 0: unused */
  uint32_t mask, count;
  uint64_t version; /* of the mesh */
  float width;      /* narrower places are narrow */
} WmPassages;

/* Drops all answers if the mesh has changed, or the width.
 * in         width: world units, of the mesh of centres */
void wm_passages_update(WmPassages *passages, const WmMesh *mesh, float width);

/* Finds what is known of the way from a portal through a polygon to the next portal.
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
