/* The bins of tiles: lists of the triangles, solids, volumes or connections that each tile needs. Built once
 * for a level, read once for each tile.
 *
 * An item is listed under every tile that its rectangle on x and z touches. The rectangle is extended by the
 * tile's border, and by a cell for rounding (volumes: by two, since they find their cells by truncation);
 * that of a connection contains both ends. Items that touch more than 16 tiles (ground triangles) are stored
 * once, in a bin of their own, and tested each time, so that memory stays proportional to the number of
 * items. A list may hold too many items: rasterization rejects exactly those that miss the tile.
 *
 * Order of calls: begin; count, in portions; allocate; fill, in portions; finish; then collect for each
 * tile. */
#ifndef WALKMESH_BAKE_TILE_BINS_H
#define WALKMESH_BAKE_TILE_BINS_H

#include "bake/bake.h"

typedef enum WmBinKind { WM_BIN_TRIANGLES, WM_BIN_SOLIDS, WM_BIN_VOLUMES, WM_BIN_CONNECTIONS } WmBinKind;

/* The tiles of an item: a rectangle of bins. */
typedef struct WmBinRectangle {
  uint32_t tile;         /* the first one; for a large item the last bin */
  uint8_t columns, rows; /* 0 if outside the grid */
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
  WmBinRectangle *rectangles; /* [items of the source] until the bins are filled */
} WmTileBins;

/* Starts with empty bins.
 * in         bounds_min, voxels: the grid of tiles; source: checked, must outlive the bins
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: then free the bins, too */
WmStatus wm_tile_bins_begin(WmContext *context, const WmBakeInput *source, WmBinKind kind,
                            const float bounds_min[3], const WmConfig *config, const WmVoxelConfig *voxels,
                            WmTileBins *bins);

/* The number of items in the source. */
size_t wm_tile_bins_source_count(const WmTileBins *bins);

/* Finds and counts the tiles of the items from `first` to before `end`. */
void wm_tile_bins_count(WmTileBins *bins, size_t first, size_t end);

/* Allocates `items` for the counted entries.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY, WM_ERROR_LIMIT (over 2^32 - 1 entries)
 * cost       O(tiles) */
WmStatus wm_tile_bins_allocate(WmContext *context, WmTileBins *bins);

/* Stores the items from `first` to before `end` in their bins. */
void wm_tile_bins_fill(WmTileBins *bins, size_t first, size_t end);

/* Frees the rectangles, once all items are in their bins. */
void wm_tile_bins_finish(WmContext *context, WmTileBins *bins);

/* Collects the items of a tile in scratch memory of the caller's mark.
 * out        items [item_count], ascending
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_tile_bins_collect(WmContext *context, const WmTileBins *bins, int32_t x, int32_t z,
                              const uint32_t **items, size_t *item_count);

void wm_tile_bins_free(WmContext *context, WmTileBins *bins);

#endif
