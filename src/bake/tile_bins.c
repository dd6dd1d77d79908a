/* Sorting triangles into tiles by counting. See tile_bins.h. */
#include "bake/tile_bins.h"

#include <math.h>
#include <string.h>

/* A triangle over more tiles than this is "large". With 16, four bytes a tile it touches never exceed
 * what the triangle itself takes by much; ground planes and hulls are few. */
enum { SMALL_TILE_COUNT = 16 };

typedef struct TileGrid {
  double low[2]; /* x, z */
  double tiles_per_unit;
  double margin; /* border and one cell, in tiles */
  int32_t count[2];
} TileGrid;

static int32_t clamp_tile(double tile, int32_t count) {
  if (!(tile > 0)) return 0;
  return tile >= count ? count - 1 : (int32_t)tile;
}

/* The tiles a triangle touches on one axis; false when it lies outside the grid. */
static bool find_tiles(const TileGrid *grid, const WmTriangles *triangles, size_t triangle, int i,
                       int32_t *first, int32_t *last) {
  float low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < 3; k++) {
    const size_t vertex = triangles->indices[3 * triangle + k];
    const float value = triangles->positions[vertex * triangles->position_stride + 2 * (size_t)i];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const double from = (low - grid->low[i]) * grid->tiles_per_unit - grid->margin;
  const double to = (high - grid->low[i]) * grid->tiles_per_unit + grid->margin;
  *first = clamp_tile(from, grid->count[i]);
  *last = clamp_tile(to, grid->count[i]);
  return to >= 0 && from < grid->count[i];
}

/* Goes through all triangles: a large one is counted, another moves slot[tile] of each tile that it touches
 * on. With `fill` it is also written: into the large ones, or where the slots point to. Returns by how much
 * the slots moved in all. */
static uint64_t visit_triangles(const TileGrid *grid, const WmTriangles *triangles, uint32_t *slot,
                                WmTileBins *bins, bool fill) {
  uint64_t entries = 0;
  bins->large_count = 0;
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    WmTileRectangle tiles;
    if (!find_tiles(grid, triangles, i, 0, &tiles.min_x, &tiles.max_x)) continue;
    if (!find_tiles(grid, triangles, i, 1, &tiles.min_z, &tiles.max_z)) continue;
    const int64_t columns = tiles.max_x - tiles.min_x + 1;
    if (columns * (tiles.max_z - tiles.min_z + 1) > SMALL_TILE_COUNT) {
      if (fill) {
        bins->large[bins->large_count] = (uint32_t)i;
        bins->large_rectangles[bins->large_count] = tiles;
      }
      bins->large_count++;
      continue;
    }
    for (int32_t z = tiles.min_z; z <= tiles.max_z; z++) {
      for (int32_t x = tiles.min_x; x <= tiles.max_x; x++, entries++) {
        uint32_t *next = slot + (size_t)z * (size_t)grid->count[0] + (size_t)x;
        if (fill) bins->triangles[*next] = (uint32_t)i;
        ++*next;
      }
    }
  }
  return entries;
}

static WmStatus build_in_scratch(WmContext *context, const TileGrid *grid, const WmTriangles *triangles,
                                 WmTileBins *bins) {
  const size_t tiles = (size_t)grid->count[0] * (size_t)grid->count[1];
  /* Entries are counted into first[tile + 2], so that after summing first[tile + 1] is the start of a tile
   * and, once filled, its end: the start of the next. */
  uint32_t *first = wm_scratch_zeroed(context, tiles + 2, sizeof *first);
  if (!first) return WM_ERROR_OUT_OF_MEMORY;
  const uint64_t entries = visit_triangles(grid, triangles, first + 2, bins, false);
  if (entries > UINT32_MAX) {
    return wm_fail_number(context, WM_ERROR_LIMIT, "tileSize", "triangles touch ", (double)entries,
                          " tiles in all, at most 4294967295 fit: raise tileSize");
  }
  for (size_t tile = 0; tile < tiles; tile++) first[tile + 1] += first[tile];
  const uint32_t large_count = bins->large_count;
  WmLayout layout = {0};
  const size_t first_at = wm_layout_add(&layout, tiles + 1, sizeof *first);
  const size_t triangles_at = wm_layout_add(&layout, (size_t)entries, sizeof *bins->triangles);
  const size_t large_at = wm_layout_add(&layout, large_count, sizeof *bins->large);
  const size_t rectangles_at = wm_layout_add(&layout, large_count, sizeof *bins->large_rectangles);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  bins->tile_count_x = grid->count[0];
  bins->tile_count_z = grid->count[1];
  bins->tile_first = (uint32_t *)(void *)(block + first_at);
  bins->triangles = (uint32_t *)(void *)(block + triangles_at);
  bins->large = (uint32_t *)(void *)(block + large_at);
  bins->large_rectangles = (WmTileRectangle *)(void *)(block + rectangles_at);
  bins->block = block;
  visit_triangles(grid, triangles, first + 1, bins, true);
  memcpy(bins->tile_first, first, (tiles + 1) * sizeof *first);
  return WM_OK;
}

WmStatus wm_build_tile_bins(WmContext *context, const WmTriangles *triangles, const float bounds_min[3],
                            const WmConfig *config, const WmVoxelConfig *voxels, WmTileBins *bins) {
  const TileGrid grid = {
      .low = {bounds_min[0], bounds_min[2]},
      .tiles_per_unit = 1.0 / voxels->tile_world_size,
      .margin = (double)(voxels->border_size + 1) / config->tile_size,
      .count = {voxels->tile_count_x, voxels->tile_count_z},
  };
  memset(bins, 0, sizeof *bins);
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = build_in_scratch(context, &grid, triangles, bins);
  wm_scratch_rewind(context, mark);
  if (status) memset(bins, 0, sizeof *bins);
  return status;
}

WmStatus wm_tile_bins_collect(WmContext *context, const WmTileBins *bins, int32_t x, int32_t z,
                              const uint32_t **triangles, size_t *triangle_count) {
  const uint32_t *first = bins->tile_first + ((size_t)z * (size_t)bins->tile_count_x + (size_t)x);
  uint32_t small = first[0];
  uint32_t *merged =
      wm_scratch_array(context, (size_t)(first[1] - first[0]) + bins->large_count, sizeof *merged);
  if (!merged) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t i = 0; i <= bins->large_count; i++) {
    const uint32_t large = i < bins->large_count ? bins->large[i] : UINT32_MAX; /* a sentinel last */
    const WmTileRectangle *tiles = &bins->large_rectangles[i];
    if (i < bins->large_count &&
        (x < tiles->min_x || x > tiles->max_x || z < tiles->min_z || z > tiles->max_z))
      continue;
    while (small < first[1] && bins->triangles[small] < large) merged[count++] = bins->triangles[small++];
    if (i < bins->large_count) merged[count++] = large;
  }
  *triangles = merged;
  *triangle_count = count;
  return WM_OK;
}

void wm_tile_bins_free(WmContext *context, WmTileBins *bins) {
  wm_block_free(context, bins->block);
  memset(bins, 0, sizeof *bins);
}
