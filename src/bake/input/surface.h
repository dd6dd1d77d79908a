/* The surface of a tile as the level has it: triangles that face up, and round solids. For `heights` =
 * WM_HEIGHTS_SURFACE, heights of the detail mesh are corrected by it (detail/surface_heights.c).
 *
 * A kept tile ends with its surface, so that rebuilds give the heights of a full bake:
 *
 *   triangles  f32 [triangle_count][3][3]
 *   solids     WmRoundSolid [solid_count]
 *   counts     u32 triangle_count, u32 solid_count */
#ifndef WALKMESH_BAKE_SURFACE_H
#define WALKMESH_BAKE_SURFACE_H

#include "bake/compact/open_rows.h"

/* A sphere, capsule or cylinder; stored in this layout. */
typedef struct WmRoundSolid {
  int32_t kind; /* WmSolidKind */
  float start[3], end[3], radius;
} WmRoundSolid;

typedef struct WmSurface {
  uint32_t triangle_count, solid_count;
  float *triangles; /* [triangle_count][3][3] corners, counter-clockwise seen from above */
  WmRoundSolid *solids;
  size_t byte_count; /* of the block */
  void *block;       /* NULL: empty, or borrowed from an unpacked tile */
} WmSurface;

/* Collects the part of the input over a tile.
 * in         grid: of the tile, its border included; input: may hold more than the tile needs
 * out        surface, freed by wm_surface_free; zeroed on failure
 * memory     36 bytes a triangle that faces up, 32 a round solid
 * cost       O(items of the input) */
WmStatus wm_surface_collect(WmContext *context, const WmGrid *grid, const WmRasterInput *input,
                            WmSurface *surface);

/* Appends the surface to the bytes of a kept tile.
 * in/out     *bytes [*byte_count]: a block, replaced by a larger one; unchanged on failure */
WmStatus wm_surface_append(WmContext *context, const WmSurface *surface, uint8_t **bytes, size_t *byte_count);

/* Reads the surface from the end of a kept tile. Any bytes are safe.
 * in/out     *byte_count: of the kept tile; then of the part before the surface
 * out        surface, freed by wm_surface_free; zeroed on failure
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_surface_read(WmContext *context, const uint8_t *bytes, size_t *byte_count, WmSurface *surface);

void wm_surface_free(WmContext *context, WmSurface *surface);

#endif
