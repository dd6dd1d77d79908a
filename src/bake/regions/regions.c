/* Divides the walkable surface into regions: borders of a tile, the chosen partition, clean-up.
 *
 * in         compact heightfield, for watershed the distance field
 * out        span_region [span_count]: 0 none, WM_REGION_BORDER | 1..4 for the border of a tile, otherwise
 *            1..region_count
 *
 * Chunky regions are monotone regions that never leave squares of chunk_size cells (counted from the tile
 * proper): strips end at the sides, and merging keeps regions of different squares apart. Small islands are
 * found as for the other partitions, over all squares they touch, so that a floor cut by the corner of a
 * square isn't lost.
 *
 * Invariants out: a region has one area, is connected, and has at most one span in a column. */
#include "bake/regions/regions_internal.h"

#include <math.h>
#include <string.h>

#include "bake/validate.h"
#include "base/debug/assert.h"

WmStatus wm_fail_region_limit(WmContext *context) {
  return wm_fail_range(context, WM_ERROR_LIMIT, "regions", (double)WM_REGION_LIMIT + 1, 0,
                       (double)WM_REGION_LIMIT,
                       "use tiles (tileSize), larger cells, or the watershed or layers partition");
}

/* Sets the region of the walkable spans of cells x0..x1-1, z0..z1-1. */
static void paint_rectangle(const WmCompactHeightfield *compact, int32_t x0, int32_t x1, int32_t z0,
                            int32_t z1, uint16_t region, uint16_t *span_region) {
  for (int32_t z = z0; z < z1; z++) {
    const uint32_t *row = compact->cell_first + (size_t)z * (size_t)compact->grid.width;
    for (uint32_t span = row[x0]; span < row[x1]; span++) {
      if (compact->span_area[span] != WM_AREA_NULL) span_region[span] = region;
    }
  }
}

/* Later sides of the border overwrite earlier ones at the corners. */
uint32_t wm_paint_borders(const WmCompactHeightfield *compact, uint16_t *span_region) {
  const int32_t width = compact->grid.width, depth = compact->grid.depth;
  const int32_t border = compact->grid.border_size;
  if (border == 0) return 1;
  const int32_t border_x = width < border ? width : border, border_z = depth < border ? depth : border;
  paint_rectangle(compact, 0, border_x, 0, depth, WM_REGION_BORDER | 1, span_region);
  paint_rectangle(compact, width - border_x, width, 0, depth, WM_REGION_BORDER | 2, span_region);
  paint_rectangle(compact, 0, width, 0, border_z, WM_REGION_BORDER | 3, span_region);
  paint_rectangle(compact, 0, width, depth - border_z, depth, WM_REGION_BORDER | 4, span_region);
  return 5;
}

static WmStatus partition(WmContext *context, const WmCompactHeightfield *compact, WmDistanceField *distance,
                          const WmRegionSettings *settings, WmRegions *regions) {
  uint16_t *span_region = regions->span_region;
  const uint32_t first_number = wm_paint_borders(compact, span_region);
  const int32_t square_cells = settings->partition == WM_PARTITION_CHUNKY ? settings->chunk_size : 0;
  uint32_t next_number = first_number;
  WmStatus status;
  if (settings->partition == WM_PARTITION_WATERSHED) {
    status = wm_partition_watershed(context, compact, distance, first_number, span_region, &next_number);
  } else {
    status = wm_partition_rows(context, compact, compact->span_area, square_cells, first_number, span_region,
                               &next_number);
  }
  if (status) return status;
  if (settings->partition == WM_PARTITION_LAYERS) {
    return wm_merge_region_layers(context, compact, settings->min_region_cells, next_number, span_region,
                                  &regions->region_count);
  }
  return wm_merge_regions(context, compact, settings, square_cells, next_number, span_region,
                          &regions->region_count);
}

static WmStatus check_settings(WmContext *context, const WmCompactHeightfield *compact,
                               const WmDistanceField *distance, const WmRegionSettings *settings) {
  if (settings->partition < WM_PARTITION_WATERSHED || settings->partition > WM_PARTITION_CHUNKY) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "partition", settings->partition,
                         WM_PARTITION_WATERSHED, WM_PARTITION_CHUNKY, NULL);
  }
  if (settings->partition == WM_PARTITION_CHUNKY && settings->chunk_size < 1) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "chunkSize", settings->chunk_size, 1, NAN, NULL);
  }
  if (settings->partition == WM_PARTITION_WATERSHED &&
      (!distance || distance->span_count != compact->span_count)) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "distance",
                   "the watershed partition needs the distance field of this compact heightfield");
  }
  return WM_OK;
}

WmStatus wm_build_regions(WmContext *context, const WmCompactHeightfield *compact, WmDistanceField *distance,
                          const WmRegionSettings *settings, WmRegions *regions) {
  memset(regions, 0, sizeof *regions);
  WmStatus status = check_settings(context, compact, distance, settings);
  if (status) return status;
  regions->span_count = compact->span_count;
  WmLayout layout = {0};
  wm_layout_add(&layout, compact->span_count, sizeof *regions->span_region);
  regions->block = wm_layout_allocate(context, &layout);
  if (!regions->block) {
    memset(regions, 0, sizeof *regions);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  regions->span_region = regions->block;
  memset(regions->span_region, 0, compact->span_count * sizeof *regions->span_region);
  const WmScratchMark mark = wm_scratch_mark(context);
  status = partition(context, compact, distance, settings, regions);
  wm_scratch_rewind(context, mark);
  if (status) {
    wm_regions_free(context, regions);
  } else {
    WM_VALIDATE(wm_regions_validate(NULL, compact, regions));
  }
  return status;
}
