/* What the contours of a tile came to when it was built: their polygons, and the height detail of these. The
 * next build of the tile takes over what comes from the same: all of it is looked up by what it was made
 * from, so that the results are those of building everything, byte for byte.
 *
 * Polygons of a contour follow from its points on x and z and from which of them are one vertex: those of a
 * contour in which all are different are taken over, as places in its ring. The detail of a polygon follows
 * from its vertices and, in the window of cells around it, from links and floors, which are the ground's, and
 * from which spans are of its region (detail_height_patch.c): so it is taken over where these are the same.
 */
#ifndef WALKMESH_BAKE_SURFACE_MEMO_H
#define WALKMESH_BAKE_SURFACE_MEMO_H

#include "bake/stages.h"

enum { WM_MEMO_CHAINS = 64 };

typedef struct WmSurfaceMemo {
  WmContourSet contours;
  WmRegions regions;
  WmPolygonMesh mesh;   /* its vertices, and of its polygons the vertices and regions */
  WmDetailMesh detail;  /* of the mesh */
  uint32_t *ring_first; /* [contour_count + 1] their polygons */
  uint16_t *rings;      /* [..][most] places in the ring, WM_POLYGON_NONE after the last */
  uint32_t most;
  /* Contours with polygons to take over and polygons of the mesh by a hash of what they are made from:
   * numbers + 1, the next one of each [count]. */
  uint32_t contour_heads[WM_MEMO_CHAINS], polygon_heads[WM_MEMO_CHAINS];
  uint32_t *contour_next, *polygon_next;
  size_t byte_count;
  bool is_plain; /* for its owner: of the tile without obstacles */
  void *block;   /* NULL: there is nothing in it */
} WmSurfaceMemo;

/* Polygons of contours as they are found, for a memo; in scratch memory. */
typedef struct WmRingRecord {
  uint32_t *first; /* [contour_count + 1] */
  uint16_t *rings;
} WmRingRecord;

/* wm_build_polygon_mesh with what a memo has.
 * in         memo: of the same configuration
 * out        record: NULL: it is not asked for */
WmStatus wm_memo_build_polygons(WmContext *context, const WmContourSet *contours, int32_t max_vertices,
                                const WmSurfaceMemo *memo, WmRingRecord *record, WmPolygonMesh *mesh);

/* wm_build_detail_mesh with what a memo has.
 * in         memo: of the same configuration, and of a heightfield that differs in areas only */
WmStatus wm_memo_build_details(WmContext *context, const WmPolygonMesh *mesh,
                               const WmCompactHeightfield *compact, const WmRegions *regions,
                               float sample_distance, float max_error, const WmSurfaceMemo *memo,
                               WmDetailMesh *detail);

/* Makes a memo of a build.
 * in / out   contours, regions: are taken over, and zeroed where the memo has been made
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: *memo is zeroed */
WmStatus wm_memo_make(WmContext *context, WmContourSet *contours, WmRegions *regions,
                      const WmPolygonMesh *mesh, const WmDetailMesh *detail, const WmRingRecord *record,
                      WmSurfaceMemo *memo);

void wm_memo_free(WmContext *context, WmSurfaceMemo *memo);

#endif
