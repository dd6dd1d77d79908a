/* Heights of a tile's surface: of the level's own triangles and solids, instead of their voxels. */
#ifndef WALKMESH_BAKE_SURFACE_HEIGHTS_H
#define WALKMESH_BAKE_SURFACE_HEIGHTS_H

#include "bake/fields.h"
#include "bake/input/surface.h"

/* The surface, sorted for look-ups; in scratch memory. */
typedef struct WmSurfaceHeights {
  const WmSurface *surface;
  double low[2], bins_per_unit; /* x, z */
  int32_t count[2];
  uint32_t *first;     /* [count[0] * count[1] + 1] into items; bins by rows of z, then x */
  uint32_t *items;     /* triangles by their numbers, then solids */
  double reach;        /* farthest distance of a result on x and z: a cell */
  double below, above; /* the range of results around the top of a span */
  double lowest;       /* no result is lower: the floor of the grid */
} WmSurfaceHeights;

/* Sorts a surface.
 * in         grid: of the polygon mesh; surface: must outlive the result; climb: world units
 * out        heights
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * memory     at most 44 bytes per triangle and solid
 * cost       O(triangles + solids) */
WmStatus wm_surface_heights_start(WmContext *context, const WmGrid *grid, const WmSurface *surface,
                                  float climb, WmSurfaceHeights *heights);

/* The height of the surface at x and z that belongs to a span.
 *
 * It is that of the triangle or round solid at the point; if several, the highest. Without any, it is that of
 * the nearest triangle within a cell on x and z. It is at most half a cell height above the span, and at
 * most `climb` and two and a half cell heights below it.
 * in         top: of the span, world units
 * out        *height, unchanged if there is none
 * returns    false if there is none
 * cost       O(items of one bin) */
bool wm_surface_heights_find(const WmSurfaceHeights *heights, double x, double z, double top, double *height);

#endif
