/* Sorting triangles into tiles by counting. See tile_bins.h. */
#include "bake/tile_bins.h"

#include <math.h>
#include <string.h>

/* A triangle over more tiles than this is "large". With 16, four bytes a tile it touches never exceed
 * what the triangle itself takes by much; ground planes and hulls are few. */
enum { SMALL_TILE_COUNT = 16 };

typedef struct TileGrid {
  double min_x, min_z;
  double tiles_per_unit;
  double margin; /* border and one cell, in tiles */
  int32_t count_x, count_z;
} TileGrid;

static int32_t clamp_tile(double tile, int32_t count) {
  if (!(tile > 0)) return 0;
  return tile >= count ? count - 1 : (int32_t)tile;
}

static double min3(double a, double b, double c) { return fmin(a, fmin(b, c)); }
static double max3(double a, double b, double c) { return fmax(a, fmax(b, c)); }

/* The tiles a triangle touches; false when it lies outside the grid. */
static bool find_tiles(const TileGrid *grid, const WmTriangles *triangles, size_t triangle,
                       WmTileRectangle *tiles) {
  const uint32_t *corner = triangles->indices + 3 * triangle;
  const float *a = triangles->positions + corner[0] * triangles->position_stride;
  const float *b = triangles->positions + corner[1] * triangles->position_stride;
  const float *c = triangles->positions + corner[2] * triangles->position_stride;
  const double low_x = (min3(a[0], b[0], c[0]) - grid->min_x) * grid->tiles_per_unit - grid->margin;
  const double high_x = (max3(a[0], b[0], c[0]) - grid->min_x) * grid->tiles_per_unit + grid->margin;
  const double low_z = (min3(a[2], b[2], c[2]) - grid->min_z) * grid->tiles_per_unit - grid->margin;
  const double high_z = (max3(a[2], b[2], c[2]) - grid->min_z) * grid->tiles_per_unit + grid->margin;
  if (high_x < 0 || high_z < 0 || low_x >= grid->count_x || low_z >= grid->count_z) return false;
  *tiles = (WmTileRectangle){clamp_tile(low_x, grid->count_x), clamp_tile(low_z, grid->count_z),
                             clamp_tile(high_x, grid->count_x), clamp_tile(high_z, grid->count_z)};
  return true;
}

static bool is_large(const WmTileRectangle *tiles) {
  return (int64_t)(tiles->max_x - tiles->min_x + 1) * (tiles->max_z - tiles->min_z + 1) > SMALL_TILE_COUNT;
}

/* Counts entries into first[tile + 1]; returns their number and that of large triangles. */
static uint64_t count_entries(const TileGrid *grid, const WmTriangles *triangles, uint32_t *first,
                              uint32_t *large_count) {
  uint64_t entries = 0;
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    WmTileRectangle tiles;
    if (!find_tiles(grid, triangles, i, &tiles)) continue;
    if (is_large(&tiles)) {
      ++*large_count;
      continue;
    }
    for (int32_t z = tiles.min_z; z <= tiles.max_z; z++) {
      for (int32_t x = tiles.min_x; x <= tiles.max_x; x++, entries++) {
        first[(size_t)z * (size_t)grid->count_x + (size_t)x + 1]++;
      }
    }
  }
  return entries;
}

/* Writes entries behind next[tile], which ends as the start of the following tile. */
static void fill_entries(const TileGrid *grid, const WmTriangles *triangles, uint32_t *next,
                         WmTileBins *bins) {
  uint32_t large = 0;
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    WmTileRectangle tiles;
    if (!find_tiles(grid, triangles, i, &tiles)) continue;
    if (is_large(&tiles)) {
      bins->large[large] = (uint32_t)i;
      bins->large_rectangles[large++] = tiles;
      continue;
    }
    for (int32_t z = tiles.min_z; z <= tiles.max_z; z++) {
      for (int32_t x = tiles.min_x; x <= tiles.max_x; x++) {
        bins->triangles[next[(size_t)z * (size_t)grid->count_x + (size_t)x]++] = (uint32_t)i;
      }
    }
  }
}

static WmStatus build_in_scratch(WmContext *context, const TileGrid *grid, const WmTriangles *triangles,
                                 WmTileBins *bins) {
  const size_t tiles = (size_t)grid->count_x * (size_t)grid->count_z;
  uint32_t *first = wm_scratch_zeroed(context, tiles + 1, sizeof *first);
  if (!first) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t large_count = 0;
  const uint64_t entries = count_entries(grid, triangles, first, &large_count);
  if (entries > UINT32_MAX) {
    return wm_fail_number(context, WM_ERROR_LIMIT, "tileSize", "triangles touch ", (double)entries,
                          " tiles in all, at most 4294967295 fit: raise tileSize");
  }
  for (size_t tile = 0; tile < tiles; tile++) first[tile + 1] += first[tile];
  WmLayout layout = {0};
  const size_t first_at = wm_layout_add(&layout, tiles + 1, sizeof *first);
  const size_t triangles_at = wm_layout_add(&layout, (size_t)entries, sizeof *bins->triangles);
  const size_t large_at = wm_layout_add(&layout, large_count, sizeof *bins->large);
  const size_t rectangles_at = wm_layout_add(&layout, large_count, sizeof *bins->large_rectangles);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  *bins = (WmTileBins){
      .tile_count_x = grid->count_x,
      .tile_count_z = grid->count_z,
      .tile_first = (uint32_t *)(void *)(block + first_at),
      .triangles = (uint32_t *)(void *)(block + triangles_at),
      .large_count = large_count,
      .large = (uint32_t *)(void *)(block + large_at),
      .large_rectangles = (WmTileRectangle *)(void *)(block + rectangles_at),
      .block = block,
  };
  memcpy(bins->tile_first, first, (tiles + 1) * sizeof *first);
  fill_entries(grid, triangles, first, bins);
  return WM_OK;
}

WmStatus wm_build_tile_bins(WmContext *context, const WmTriangles *triangles, const float bounds_min[3],
                            const WmConfig *config, const WmVoxelConfig *voxels, WmTileBins *bins) {
  *bins = (WmTileBins){0};
  const TileGrid grid = {
      .min_x = bounds_min[0],
      .min_z = bounds_min[2],
      .tiles_per_unit = 1.0 / voxels->tile_world_size,
      .margin = (double)(voxels->border_size + 1) / config->tile_size,
      .count_x = voxels->tile_count_x,
      .count_z = voxels->tile_count_z,
  };
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = build_in_scratch(context, &grid, triangles, bins);
  wm_scratch_rewind(context, mark);
  return status;
}

WmStatus wm_tile_bins_collect(WmContext *context, const WmTileBins *bins, int32_t x, int32_t z,
                              const uint32_t **triangles, size_t *triangle_count) {
  const size_t tile = (size_t)z * (size_t)bins->tile_count_x + (size_t)x;
  const uint32_t *small = bins->triangles + bins->tile_first[tile];
  const uint32_t *small_end = bins->triangles + bins->tile_first[tile + 1];
  uint32_t *merged =
      wm_scratch_array(context, (size_t)(small_end - small) + bins->large_count, sizeof *merged);
  if (!merged) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t i = 0; i < bins->large_count; i++) {
    const WmTileRectangle *tiles = &bins->large_rectangles[i];
    if (x < tiles->min_x || x > tiles->max_x || z < tiles->min_z || z > tiles->max_z) continue;
    while (small < small_end && *small < bins->large[i]) merged[count++] = *small++;
    merged[count++] = bins->large[i];
  }
  while (small < small_end) merged[count++] = *small++;
  *triangles = merged;
  *triangle_count = count;
  return WM_OK;
}

void wm_tile_bins_free(WmContext *context, WmTileBins *bins) {
  wm_block_free(context, bins->block);
  *bins = (WmTileBins){0};
}
