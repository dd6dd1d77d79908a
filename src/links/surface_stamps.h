/* Stamps describe where the ground of a tile lies, and how high, and which volumes block its air. Two states of a tile are compared by
 * them, so that a change of the mesh costs only the borders that read where the surface differs, not where only its polygons do.
 *
 * A polygon that isn't flat has a stamp: its whole shape. Of flat polygons only the edges that end a flat surface have stamps: those
 * across which no flat polygon of the same height lies. Points of such a surface have its height, exactly, whichever polygon they lie
 * on. Differences of two states are bounded by edges that only one of them has; so they lie within the boxes of the edges that touch each
 * other (wm_stamps_differ). Stamps say nothing where no edge is: wm_stamp_sample does. */
#ifndef WALKMESH_LINKS_SURFACE_STAMPS_H
#define WALKMESH_LINKS_SURFACE_STAMPS_H

#include "links/links_internal.h"

typedef struct WmStamp {
  uint64_t hash;         /* bit 0: of an edge */
  WmCellRectangle cells; /* that it may change */
} WmStamp;

typedef struct WmStampList {
  WmStamp *stamps;  /* [count] a block with the shapes */
  uint64_t *shapes; /* [shape_count] hashes of the place's polygons, layer by layer; 0: flat */
  uint32_t count, shape_count;
  size_t bytes;
  bool is_complete; /* false: without memory, or not made yet */
} WmStampList;

WM_INLINE bool wm_cells_overlap(const WmCellRectangle *a, const WmCellRectangle *b) {
  return a->low[0] < b->high[0] && b->low[0] < a->high[0] && a->low[1] < b->high[1] && b->low[1] < a->high[1];
}

/* Widens a rectangle by another one. */
WM_INLINE void wm_cells_join(WmCellRectangle *cells, const WmCellRectangle *other) {
  for (int axis = 0; axis < 2; axis++) {
    if (other->low[axis] < cells->low[axis]) cells->low[axis] = other->low[axis];
    if (other->high[axis] > cells->high[axis]) cells->high[axis] = other->high[axis];
  }
}

/* The cells around points, widened by a margin of cells.
 * in         low, high: world units on x and z */
WmCellRectangle wm_find_cells(const WmLinkGenerator *generator, const float low[2], const float high[2],
                              float margin);

/* The stamps of volumes. */
WmStampList wm_stamp_volumes(const WmLinkGenerator *generator, const WmAreaVolume *volumes, size_t count);

/* Hashes the present polygons of a place. Allocates in scratch memory of the caller's mark.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_hash_surface(WmContext *context, const WmMesh *mesh, int32_t x, int32_t z,
                         WmSurfaceHashes *hashes);

/* The stamps of a place's present polygons.
 * in         hashes: of these polygons */
WmStampList wm_stamp_surface(const WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                             const WmSurfaceHashes *hashes);

/* A hash of the heights of flat polygons at a point; 0: none is there.
 * in         list: complete, of the present polygons; point: world units, x and z */
uint64_t wm_stamp_sample(const WmMesh *mesh, int32_t x, int32_t z, const WmStampList *list,
                         const float point[2]);

/* Finds the cells in which two states of a tile may differ.
 * in         before, after: complete
 * out        cells: WmCellRectangle [*count], with capacity for the stamps of both
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_stamps_differ(WmContext *context, const WmStampList *before, const WmStampList *after,
                          WmCellRectangle *cells, size_t *count);

/* A hash of a polygon's shape and surface, not of its number in the tile. */
uint64_t wm_polygon_hash(const WmMeshTile *tile, uint32_t polygon);

#endif
