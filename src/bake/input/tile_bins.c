/* Sorts triangles, solids, volumes and connections into the bins of tiles, by counting. See tile_bins.h. */
#include "bake/input/tile_bins.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "bake/input/solid_shapes.h"

/* An item over more tiles than this is "large". With 16, the four bytes for each tile that an item touches
 * rarely exceed the size of a triangle itself; large ground triangles and hulls are few. */
enum { SMALL_TILE_COUNT = 16 };

/* Tiles on x and z, inclusive. */
typedef struct Rectangle {
  int32_t first[2], last[2];
} Rectangle;

static inline WmFloat4 load_corner(const WmTriangles *triangles, uint32_t index) {
  const float *p = triangles->positions + triangles->position_stride * (size_t)index;
  return (WmFloat4){p[0], p[2], 0, 0};
}

/* The box of an item on x and z: low x, low z, high x, high z. */
static inline WmFloat4 find_box(const WmTileBins *bins, size_t item) {
  const WmBakeInput *source = bins->source;
  if (bins->kind == WM_BIN_TRIANGLES) {
    const uint32_t *corner = source->triangles.indices + 3 * item;
    const WmFloat4 a = load_corner(&source->triangles, corner[0]);
    const WmFloat4 b = load_corner(&source->triangles, corner[1]);
    const WmFloat4 c = load_corner(&source->triangles, corner[2]);
    const WmFloat4 low = wm_min_float4(wm_min_float4(a, b), c), high = wm_max_float4(wm_max_float4(a, b), c);
    return (WmFloat4){low[0], low[1], high[0], high[1]};
  }
  if (bins->kind == WM_BIN_CONNECTIONS) {
    const float *start = source->connections[item].start, *end = source->connections[item].end;
    const WmFloat4 a = {start[0], start[2], 0, 0}, b = {end[0], end[2], 0, 0};
    const WmFloat4 low = wm_min_float4(a, b), high = wm_max_float4(a, b);
    return (WmFloat4){low[0], low[1], high[0], high[1]};
  }
  float from[3], to[3];
  if (bins->kind == WM_BIN_SOLIDS) wm_find_solid_bounds(&source->solids[item], from, to);
  if (bins->kind == WM_BIN_VOLUMES) wm_find_volume_bounds(bins->context, &source->volumes[item], from, to);
  return (WmFloat4){from[0], from[2], to[0], to[2]};
}

/* Finds the tiles that an item touches; false if it lies outside the grid. */
static inline bool find_tiles(const WmTileBins *bins, size_t item, Rectangle *tiles) {
  const WmFloat4 box = find_box(bins, item);
  const WmDouble2 origin = {bins->low[0], bins->low[1]}, scale = wm_splat_double2(bins->tiles_per_unit);
  const WmDouble2 margin = wm_splat_double2(bins->margin), none = wm_splat_double2(0);
  const WmDouble2 count = {bins->tile_count[0], bins->tile_count[1]}, most = count - wm_splat_double2(1);
  const WmDouble2 from = (wm_widen_low_float4(box) - origin) * scale - margin;
  const WmDouble2 to = (wm_widen_high_float4(box) - origin) * scale + margin;
  if (wm_mask_long2((WmLong2)(to >= none) & (WmLong2)(from < count)) != 3) return false;
  const WmLong2 is_inside = (WmLong2)(to < most);
  const WmDouble2 first = (WmDouble2)((WmLong2)from & (WmLong2)(from > none));
  const WmDouble2 last = (WmDouble2)(((WmLong2)to & is_inside) | ((WmLong2)most & ~is_inside));
  *tiles = (Rectangle){{(int32_t)first[0], (int32_t)first[1]}, {(int32_t)last[0], (int32_t)last[1]}};
  return true;
}

static size_t count_tiles(const WmTileBins *bins) {
  return (size_t)bins->tile_count[0] * (size_t)bins->tile_count[1];
}

size_t wm_tile_bins_source_count(const WmTileBins *bins) {
  const WmBakeInput *source = bins->source;
  if (bins->kind == WM_BIN_TRIANGLES) return source->triangles.triangle_count;
  if (bins->kind == WM_BIN_CONNECTIONS) return source->connection_count;
  return bins->kind == WM_BIN_SOLIDS ? source->solid_count : source->volume_count;
}

WmStatus wm_tile_bins_begin(WmContext *context, const WmBakeInput *source, WmBinKind kind,
                            const float bounds_min[3], const WmConfig *config, const WmVoxelConfig *voxels,
                            WmTileBins *bins) {
  *bins = (WmTileBins){
      .context = context,
      .source = source,
      .kind = kind,
      .low = {bounds_min[0], bounds_min[2]},
      .tiles_per_unit = 1.0 / voxels->tile_world_size,
      .margin = (double)(voxels->border_size + (kind == WM_BIN_VOLUMES ? 2 : 1)) / config->tile_size,
      .tile_count = {voxels->tile_count_x, voxels->tile_count_z},
  };
  /* One word more than bins have starts and ends: see wm_tile_bins_allocate. */
  WmLayout first = {0}, rectangles = {0};
  wm_layout_add(&first, count_tiles(bins) + 3, sizeof *bins->first);
  wm_layout_add(&rectangles, wm_tile_bins_source_count(bins), sizeof *bins->rectangles);
  bins->first = wm_layout_allocate(context, &first);
  bins->rectangles = bins->first ? wm_layout_allocate(context, &rectangles) : NULL;
  if (!bins->rectangles) return WM_ERROR_OUT_OF_MEMORY;
  memset(bins->first, 0, (count_tiles(bins) + 3) * sizeof *bins->first);
  return WM_OK;
}

/* Advances the cursor of each overlapped bin; stores the item if `items` is set. */
static inline void visit_bins(const WmTileBins *bins, const WmBinRectangle *tiles, uint32_t *slots,
                              uint32_t *items, uint32_t item) {
  uint32_t *row = slots + tiles->tile;
  for (int z = 0; z < tiles->rows; z++, row += bins->tile_count[0]) {
    for (int x = 0; x < tiles->columns; x++) {
      const uint32_t slot = row[x]++;
      if (items) items[slot] = item;
    }
  }
}

void wm_tile_bins_count(WmTileBins *bins, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    WmBinRectangle *bin = &bins->rectangles[i];
    Rectangle tiles;
    *bin = (WmBinRectangle){0};
    if (!find_tiles(bins, i, &tiles)) continue;
    const int32_t columns = tiles.last[0] - tiles.first[0] + 1, rows = tiles.last[1] - tiles.first[1] + 1;
    if ((int64_t)columns * rows > SMALL_TILE_COUNT) {
      *bin = (WmBinRectangle){(uint32_t)count_tiles(bins), 1, 1};
    } else {
      const size_t tile = (size_t)tiles.first[1] * (size_t)bins->tile_count[0] + (size_t)tiles.first[0];
      *bin = (WmBinRectangle){(uint32_t)tile, (uint8_t)columns, (uint8_t)rows};
    }
    visit_bins(bins, bin, bins->first + 2, NULL, 0);
  }
}

WmStatus wm_tile_bins_allocate(WmContext *context, WmTileBins *bins) {
  /* Entries were counted into first[bin + 2]. After summing, first[bin + 1] is the start of a bin, and
   * once the bin is filled its end: the start of the next bin. */
  const size_t word_count = count_tiles(bins) + 3;
  uint64_t entries = 0;
  for (size_t bin = 2; bin < word_count; bin++) {
    entries += bins->first[bin];
    bins->first[bin] = (uint32_t)entries;
  }
  if (entries > UINT32_MAX) {
    return wm_fail_number(context, WM_ERROR_LIMIT, "tileSize", "triangles touch ", (double)entries,
                          " tiles in all, at most 4294967295 fit: raise tileSize");
  }
  WmLayout layout = {0};
  wm_layout_add(&layout, (size_t)entries, sizeof *bins->items);
  bins->items = wm_layout_allocate(context, &layout);
  return bins->items ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

void wm_tile_bins_fill(WmTileBins *bins, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    visit_bins(bins, &bins->rectangles[i], bins->first + 1, bins->items, (uint32_t)i);
  }
}

void wm_tile_bins_finish(WmContext *context, WmTileBins *bins) {
  wm_block_free(context, bins->rectangles);
  bins->rectangles = NULL;
}

static bool touches_tile(const WmTileBins *bins, uint32_t item, int32_t x, int32_t z) {
  Rectangle tiles;
  return find_tiles(bins, item, &tiles) && x >= tiles.first[0] && x <= tiles.last[0] && z >= tiles.first[1] &&
         z <= tiles.last[1];
}

WmStatus wm_tile_bins_collect(WmContext *context, const WmTileBins *bins, int32_t x, int32_t z,
                              const uint32_t **items, size_t *item_count) {
  const uint32_t *first = bins->first + ((size_t)z * (size_t)bins->tile_count[0] + (size_t)x);
  const uint32_t *large_first = bins->first + count_tiles(bins);
  uint32_t small = first[0];
  uint32_t *merged = wm_scratch_array(context, (size_t)(first[1] - small) + (large_first[1] - large_first[0]),
                                      sizeof *merged);
  if (!merged) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t i = large_first[0];; i++) {
    const bool is_last = i == large_first[1];
    if (!is_last && !touches_tile(bins, bins->items[i], x, z)) continue;
    while (small < first[1] && (is_last || bins->items[small] < bins->items[i])) {
      merged[count++] = bins->items[small++];
    }
    if (is_last) break;
    merged[count++] = bins->items[i];
  }
  *items = merged;
  *item_count = count;
  return WM_OK;
}

void wm_tile_bins_free(WmContext *context, WmTileBins *bins) {
  wm_tile_bins_finish(context, bins);
  wm_block_free(context, bins->first);
  wm_block_free(context, bins->items);
  memset(bins, 0, sizeof *bins);
}
