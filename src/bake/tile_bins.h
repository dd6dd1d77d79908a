/* Which triangles each tile needs: built once for a level, asked once a tile.
 *
 * A triangle is listed under every tile that its rectangle on x and z, widened by the tile's border and a
 * cell for rounding, touches. Triangles that touch more than a few tiles (ground planes) are kept in one
 * list of their own and tested at each question, so that memory stays proportional to the triangles
 * whatever their size. A superset does no harm: rasterization rejects what misses the tile exactly. */
#ifndef WALKMESH_BAKE_TILE_BINS_H
#define WALKMESH_BAKE_TILE_BINS_H

#include "bake/stages.h"

/* Rectangle of a large triangle in tiles, inclusive. */
typedef struct WmTileRectangle {
  int32_t min_x, min_z, max_x, max_z;
} WmTileRectangle;

typedef struct WmTileBins {
  int32_t tile_count_x, tile_count_z;
  uint32_t *tile_first; /* [tiles + 1] into triangles */
  uint32_t *triangles;  /* ascending within a tile */
  uint32_t large_count;
  uint32_t *large;                   /* [large_count] ascending */
  WmTileRectangle *large_rectangles; /* [large_count] */
  void *block;
} WmTileBins;

/* in         bounds_min, voxels: the tile grid; triangles: already checked
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY, WM_ERROR_LIMIT (over 2^32 - 1 entries)
 * cost       O(triangles + tiles), two passes */
WmStatus wm_build_tile_bins(WmContext *context, const WmTriangles *triangles, const float bounds_min[3],
                            const WmConfig *config, const WmVoxelConfig *voxels, WmTileBins *bins);

/* The triangles of a tile, ascending, in scratch memory of the caller's mark.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_tile_bins_collect(WmContext *context, const WmTileBins *bins, int32_t x, int32_t z,
                              const uint32_t **triangles, size_t *triangle_count);

void wm_tile_bins_free(WmContext *context, WmTileBins *bins);

#endif
