/* Which triangles, solids, volumes or connections each tile needs: built once for a level, asked once a tile.
 *
 * An item is listed under every tile that its rectangle on x and z, widened by the tile's border and a cell
 * for rounding (volumes: two, for they reach cells by truncation), touches; that of a connection has both
 * ends. Items that touch more than a few tiles (ground planes) are kept in one more bin and tested at each
 * question, so that memory stays proportional to the items whatever their size. A superset does no harm:
 * rasterization rejects what misses the tile exactly.
 *
 * Order of calls: begin; count in portions; place; fill in portions. */
#ifndef WALKMESH_BAKE_TILE_BINS_H
#define WALKMESH_BAKE_TILE_BINS_H

#include "bake/bake.h"

typedef enum WmBinKind { WM_BIN_TRIANGLES, WM_BIN_SOLIDS, WM_BIN_VOLUMES, WM_BIN_CONNECTIONS } WmBinKind;

/* The tiles of an item. */
typedef struct WmBinRectangle {
  uint32_t tile;         /* the first, or the last bin for a large one */
  uint8_t columns, rows; /* 0: outside the grid */
} WmBinRectangle;

typedef struct WmTileBins {
  WmContext *context;
  const WmBakeInput *source;
  WmBinKind kind;
  double low[2]; /* of the tile grid on x, z */
  double tiles_per_unit;
  double margin; /* border and rounding, in tiles */
  int32_t tile_count[2];
  uint32_t *first;            /* [tiles + 2] into items; the last bin holds the large ones */
  uint32_t *items;            /* ascending within a bin */
  WmBinRectangle *rectangles; /* [items of the source] until they are filled in */
} WmTileBins;

/* in         bounds_min, voxels: the tile grid; source: already checked, must outlive the bins
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: then free them, too */
WmStatus wm_tile_bins_begin(WmContext *context, const WmBakeInput *source, WmBinKind kind,
                            const float bounds_min[3], const WmConfig *config, const WmVoxelConfig *voxels,
                            WmTileBins *bins);

/* How many items there are. */
size_t wm_tile_bins_source_count(const WmTileBins *bins);

/* Finds the tiles of the items from `first` to before `end`. */
void wm_tile_bins_count(WmTileBins *bins, size_t first, size_t end);

/* Makes room for what was counted.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY, WM_ERROR_LIMIT (over 2^32 - 1 entries)
 * cost       O(tiles) */
WmStatus wm_tile_bins_allocate(WmContext *context, WmTileBins *bins);

/* Puts the items from `first` to before `end` in their bins. */
void wm_tile_bins_fill(WmTileBins *bins, size_t first, size_t end);

/* Frees what is not needed after the last item has been put in its bins. */
void wm_tile_bins_finish(WmContext *context, WmTileBins *bins);

/* The items of a tile, ascending, in scratch memory of the caller's mark.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_tile_bins_collect(WmContext *context, const WmTileBins *bins, int32_t x, int32_t z,
                              const uint32_t **items, size_t *item_count);

void wm_tile_bins_free(WmContext *context, WmTileBins *bins);

#endif
