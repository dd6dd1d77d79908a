/* Sorting triangles into tiles by counting. See tile_bins.h. */
#include "bake/tile_bins.h"

#include <math.h>
#include <string.h>

/* A triangle over more tiles than this is "large". With 16, four bytes a tile it touches never exceed
 * what the triangle itself takes by much; ground planes and hulls are few. */
enum { SMALL_TILE_COUNT = 16 };

/* Tiles on x and z, inclusive. */
typedef struct Rectangle {
  int32_t first[2], last[2];
} Rectangle;

static int32_t clamp_tile(double tile, int32_t count) {
  if (!(tile > 0)) return 0;
  return tile >= count ? count - 1 : (int32_t)tile;
}

/* The tiles a triangle touches; false when it lies outside the grid. */
static bool find_tiles(const WmTileBins *bins, size_t triangle, Rectangle *tiles) {
  const WmTriangles *source = bins->source;
  for (int i = 0; i < 2; i++) {
    float low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < 3; k++) {
      const size_t vertex = source->indices[3 * triangle + k];
      const float value = source->positions[vertex * source->position_stride + 2 * (size_t)i];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const double from = (low - bins->low[i]) * bins->tiles_per_unit - bins->margin;
    const double to = (high - bins->low[i]) * bins->tiles_per_unit + bins->margin;
    if (!(to >= 0 && from < bins->tile_count[i])) return false;
    tiles->first[i] = clamp_tile(from, bins->tile_count[i]);
    tiles->last[i] = clamp_tile(to, bins->tile_count[i]);
  }
  return true;
}

static size_t count_tiles(const WmTileBins *bins) {
  return (size_t)bins->tile_count[0] * (size_t)bins->tile_count[1];
}

/* Goes through all triangles: each moves slot[bin] of each bin that it belongs to on. With `fill` it is also
 * written where the slots point to. */
static void visit_triangles(const WmTileBins *bins, uint32_t *slot, bool fill) {
  for (size_t i = 0; i < bins->source->triangle_count; i++) {
    Rectangle tiles;
    if (!find_tiles(bins, i, &tiles)) continue;
    const int64_t columns = tiles.last[0] - tiles.first[0] + 1;
    if (columns * (tiles.last[1] - tiles.first[1] + 1) > SMALL_TILE_COUNT) {
      /* The bin behind those of the tiles, as one tile of a row below the last. */
      tiles = (Rectangle){{0, bins->tile_count[1]}, {0, bins->tile_count[1]}};
    }
    for (int32_t z = tiles.first[1]; z <= tiles.last[1]; z++) {
      for (int32_t x = tiles.first[0]; x <= tiles.last[0]; x++) {
        uint32_t *next = slot + (size_t)z * (size_t)bins->tile_count[0] + (size_t)x;
        if (fill) bins->triangles[*next] = (uint32_t)i;
        ++*next;
      }
    }
  }
}

static WmStatus build_in_scratch(WmContext *context, WmTileBins *bins) {
  const size_t bin_count = count_tiles(bins) + 1;
  /* Entries are counted into first[bin + 2], so that after summing first[bin + 1] is the start of a bin
   * and, once filled, its end: the start of the next. */
  uint32_t *first = wm_scratch_zeroed(context, bin_count + 2, sizeof *first);
  if (!first) return WM_ERROR_OUT_OF_MEMORY;
  visit_triangles(bins, first + 2, false);
  uint64_t entries = 0;
  for (size_t bin = 2; bin < bin_count + 2; bin++) {
    entries += first[bin];
    first[bin] = (uint32_t)entries;
  }
  if (entries > UINT32_MAX) {
    return wm_fail_number(context, WM_ERROR_LIMIT, "tileSize", "triangles touch ", (double)entries,
                          " tiles in all, at most 4294967295 fit: raise tileSize");
  }
  WmLayout layout = {0};
  const size_t first_bytes = (bin_count + 1) * sizeof *first;
  wm_layout_add(&layout, first_bytes, 1);
  const size_t triangles_at = wm_layout_add(&layout, (size_t)entries, sizeof *bins->triangles);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  bins->first = (uint32_t *)(void *)block;
  bins->triangles = (uint32_t *)(void *)(block + triangles_at);
  bins->block = block;
  visit_triangles(bins, first + 1, true);
  memcpy(block, first, first_bytes);
  return WM_OK;
}

WmStatus wm_build_tile_bins(WmContext *context, const WmTriangles *triangles, const float bounds_min[3],
                            const WmConfig *config, const WmVoxelConfig *voxels, WmTileBins *bins) {
  *bins = (WmTileBins){
      .source = triangles,
      .low = {bounds_min[0], bounds_min[2]},
      .tiles_per_unit = 1.0 / voxels->tile_world_size,
      .margin = (double)(voxels->border_size + 1) / config->tile_size,
      .tile_count = {voxels->tile_count_x, voxels->tile_count_z},
  };
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = build_in_scratch(context, bins);
  wm_scratch_rewind(context, mark);
  return status;
}

static bool touches_tile(const WmTileBins *bins, uint32_t triangle, int32_t x, int32_t z) {
  Rectangle tiles;
  return find_tiles(bins, triangle, &tiles) && x >= tiles.first[0] && x <= tiles.last[0] &&
         z >= tiles.first[1] && z <= tiles.last[1];
}

WmStatus wm_tile_bins_collect(WmContext *context, const WmTileBins *bins, int32_t x, int32_t z,
                              const uint32_t **triangles, size_t *triangle_count) {
  const uint32_t *first = bins->first + ((size_t)z * (size_t)bins->tile_count[0] + (size_t)x);
  const uint32_t *large_first = bins->first + count_tiles(bins);
  uint32_t small = first[0];
  uint32_t *merged = wm_scratch_array(context, (size_t)(first[1] - small) + (large_first[1] - large_first[0]),
                                      sizeof *merged);
  if (!merged) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t i = large_first[0];; i++) {
    const bool is_last = i == large_first[1];
    if (!is_last && !touches_tile(bins, bins->triangles[i], x, z)) continue;
    while (small < first[1] && (is_last || bins->triangles[small] < bins->triangles[i])) {
      merged[count++] = bins->triangles[small++];
    }
    if (is_last) break;
    merged[count++] = bins->triangles[i];
  }
  *triangles = merged;
  *triangle_count = count;
  return WM_OK;
}

void wm_tile_bins_free(WmContext *context, WmTileBins *bins) {
  wm_block_free(context, bins->block);
  memset(bins, 0, sizeof *bins);
}
