/* Which triangles each tile needs: built once for a level, asked once a tile.
 *
 * A triangle is listed under every tile that its rectangle on x and z, widened by the tile's border and a
 * cell for rounding, touches. Triangles that touch more than a few tiles (ground planes) are kept in one
 * more bin and tested at each question, so that memory stays proportional to the triangles whatever their
 * size. A superset does no harm: rasterization rejects what misses the tile exactly. */
#ifndef WALKMESH_BAKE_TILE_BINS_H
#define WALKMESH_BAKE_TILE_BINS_H

#include "bake/stages.h"

typedef struct WmTileBins {
  const WmTriangles *source;
  double low[2]; /* of the tile grid on x, z */
  double tiles_per_unit;
  double margin; /* border and one cell, in tiles */
  int32_t tile_count[2];
  uint32_t *first;     /* [tiles + 2] into triangles; the last bin holds the large ones */
  uint32_t *triangles; /* ascending within a bin */
  void *block;
} WmTileBins;

/* in         bounds_min, voxels: the tile grid; triangles: already checked, must outlive the bins
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
