/* The memo: the contours of a tile's last build, their polygons, and the detail of these. The next build
 * copies what was made from equal input, found by a hash of that input, so that its results are those of
 * building everything, byte for byte.
 *
 * The polygons of a contour depend on its points on x and z and on which of them are one vertex. A contour
 * whose points are all different vertices copies its polygons, stored as indices in its ring. The detail
 * of a polygon depends on its vertices and, in the window of cells around it, on links and floors, which
 * obstacles don't change, and on which spans are of its region (detail_height_patch.c). If these are equal
 * it is copied. */
#ifndef WALKMESH_BAKE_SURFACE_MEMO_H
#define WALKMESH_BAKE_SURFACE_MEMO_H

#include "bake/stages.h"

enum { WM_MEMO_CHAINS = 64 };

typedef struct WmSurfaceMemo {
  WmContourSet contours;
  WmRegions regions;
  WmPolygonMesh mesh;   /* vertices; of polygons their vertices and regions */
  WmDetailMesh detail;  /* of the mesh */
  uint32_t *ring_first; /* [contour_count + 1] their polygons */
  uint16_t *rings;      /* [..][max_vertices] indices in the ring, WM_POLYGON_NONE after the last */
  uint32_t max_vertices;
  /* By a hash of their input: contours whose polygons can be copied, and polygons of the mesh. Values are
   * indices + 1; the next one in a chain [count]. */
  uint32_t contour_heads[WM_MEMO_CHAINS], polygon_heads[WM_MEMO_CHAINS];
  uint32_t *contour_next, *polygon_next;
  size_t byte_count;
  bool is_baseline; /* for the owner: the build had no obstacles */
  void *block;      /* NULL: the memo is empty */
} WmSurfaceMemo;

/* Polygons of contours, recorded for a memo; in scratch memory. */
typedef struct WmRingRecord {
  uint32_t *first; /* [contour_count + 1] */
  uint16_t *rings;
} WmRingRecord;

/* wm_build_polygon_mesh that copies from a memo.
 * in         memo: of the same configuration, or NULL
 * out        record: may be NULL */
WmStatus wm_memo_build_polygons(WmContext *context, const WmContourSet *contours, int32_t max_vertices,
                                const WmSurfaceMemo *memo, WmRingRecord *record, WmPolygonMesh *mesh);

/* wm_build_detail_mesh that copies from a memo.
 * in         memo: of the same configuration, and of a heightfield that differs only in areas; or NULL */
WmStatus wm_memo_build_details(WmContext *context, const WmPolygonMesh *mesh,
                               const WmCompactHeightfield *compact, const WmRegions *regions,
                               const WmDetailSettings *settings, const WmSurfaceMemo *memo,
                               WmDetailMesh *detail);

/* Makes a memo of a build.
 * in/out     contours, regions: on success the memo owns them, and they are zeroed
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY: *memo is zeroed */
WmStatus wm_memo_make(WmContext *context, WmContourSet *contours, WmRegions *regions,
                      const WmPolygonMesh *mesh, const WmDetailMesh *detail, const WmRingRecord *record,
                      WmSurfaceMemo *memo);

void wm_memo_free(WmContext *context, WmSurfaceMemo *memo);

#endif
