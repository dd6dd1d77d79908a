/* Stretches: rows of a triangle between its corners, four at a time.
 *
 * in         a polygon of four crossings, and for how many rows each of them is one row further
 * out        runs, as rasterize_rows.c gives them
 *
 * Most rows of tall triangles are like that. As the crossings of an edge lie side by side, four rows are loaded
 * without any list of points. If all cells of a row have the same heights and no crossing lies exactly on a
 * grid line, then the run is as wide as its crossings, from the lowest to the highest of them: the order of
 * the points doesn't matter. Other rows go through rasterize_rows.c. */
#include <string.h>

#include "bake/rasterize/rasterize_internal.h"
#include "base/inline.h"

/* UNROLL: points that a loop over them does at once. */
enum { LANES = 4, CORNERS = 4, UNROLL = WM_SIMD ? CORNERS : 1 };

void wm_add_stretch(WmRaster *raster, WmRowBatch *batch, const WmRowPoint *all, const uint32_t *points,
                    int32_t z, uint32_t rows, uint8_t area) {
  WmRuns *runs = &raster->runs;
  for (uint32_t step = 0; step < rows; step += LANES) {
    WmFloat4 corners[CORNERS][LANES];
#pragma GCC unroll UNROLL
    for (int p = 0; p < CORNERS; p++) {
#pragma GCC unroll UNROLL
      for (int lane = 0; lane < LANES; lane++)
        memcpy(&corners[p][lane], &all[points[p] + step] + lane, sizeof **corners);
    }
    const WmEvenRows four = wm_measure_rows(&raster->grid, corners);
    int32_t first[LANES], count[LANES];
    uint32_t heights[LANES];
    wm_store_int4(first, four.first);
    wm_store_int4(count, four.count);
    wm_store_uint4(heights, four.heights);
    const int flat = wm_mask_int4(four.is_even);
    for (uint32_t lane = 0; lane < LANES && step + lane < rows; lane++) {
      const int32_t row = z + (int32_t)(step + lane);
      if (flat >> lane & 1) {
        const WmRun run = {heights[lane], (uint16_t)first[lane], (uint16_t)count[lane], area, true, false};
        wm_raster_append_run(runs, row, run);
      } else {
        wm_row_batch_add_uneven(batch, row, points, step + lane, CORNERS, count[lane], area);
      }
    }
  }
}
