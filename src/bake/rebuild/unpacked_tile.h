/* An unpacked tile: a kept tile decoded to its spans, their links, and their areas before erosion, after
 * it, and after the input's volumes. All rebuilds of the tile share it. This folder, in the order of a
 * rebuild:
 *
 *   kept_tile.c         open spans to bytes and back (kept_tile.h)
 *   unpacked_tile.c     decodes a kept tile; begins and runs rebuilds
 *   link_shrink.c       removes unused capacity from its links (compact/links.h)
 *   erode_window.c      erosion around obstacles (erode_window.h)
 *   baseline.c          regions and contours without obstacles (baseline.h)
 *   changed_regions.c   regions with obstacles, copied where equal to the baseline
 *   changed_contours.c  contours with obstacles, copied or traced; records those of the baseline
 *   surface_memo.c      polygons and detail, copied where equal to the last build's (surface_memo.h)
 *
 * With obstacles erosion only clears more spans: those whose distance to an area border falls below the
 * radius are within the radius of an obstacle. So only distances there are computed again
 * (erode_window.c). Regions depend on links and areas only; if the areas equal those without obstacles, so
 * does the tile. */
#ifndef WALKMESH_BAKE_UNPACKED_TILE_H
#define WALKMESH_BAKE_UNPACKED_TILE_H

#include "bake/bake.h"

typedef struct WmUnpackedTile WmUnpackedTile;

/* Decodes the kept tile of (x, z); drops the baker's current tile.
 * out        *tile: freed by wm_unpacked_tile_free; NULL on failure
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY
 * memory     about 12 bytes per span: wm_unpacked_tile_bytes
 * cost       reading the bytes, links, erosion, regions and contours */
WmStatus wm_baker_unpack_tile(WmBaker *baker, int32_t x, int32_t z, const uint8_t *bytes, size_t byte_count,
                              WmUnpackedTile **tile);

/* Estimates the size of an unpacked tile: that with one span per cell. */
size_t wm_baker_estimate_unpacked_bytes(const WmBaker *baker);

size_t wm_unpacked_tile_bytes(const WmUnpackedTile *tile);

void wm_unpacked_tile_free(WmContext *context, WmUnpackedTile *tile);

/* Begins a rebuild with these obstacles, as wm_baker_begin_kept_tile. Volumes and erosion are done when it
 * returns (next stage: WM_STAGE_DISTANCE).
 * in         tile: of this baker, must outlive the stages; obstacles: read during the call
 * out        *is_baseline: the result will equal the tile without obstacles
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (a volume that cannot be marked), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_begin_rebuild(WmBaker *baker, const WmUnpackedTile *tile, const WmAreaVolume *obstacles,
                                size_t obstacle_count, bool *is_baseline);

/* Runs the regions and contours of a rebuild, if the tile has a baseline; wm_baker_step runs the other
 * stages.
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_rebuild_regions(WmBaker *baker, const WmUnpackedTile *tile);

/* Runs polygons and detail of a rebuild whose contours are built, with those of the tile's memo where they
 * are equal (next stage: WM_STAGE_TILE).
 * in         is_baseline: from wm_baker_begin_rebuild; may_remember: replace the memo, so that
 *            wm_unpacked_tile_bytes may grow
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_rebuild_polygons(WmBaker *baker, WmUnpackedTile *tile, bool is_baseline, bool may_remember);

#endif
