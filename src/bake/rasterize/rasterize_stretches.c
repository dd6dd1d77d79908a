/* Stretches: rows of a triangle between its corners, four at a time.
 *
 * in         a polygon of four crossings, and for how many rows each of them is one row further
 * out        runs, as rasterize_rows.c gives them
 *
 * Most rows of tall triangles are like that. As the crossings of an edge lie side by side, four rows are loaded
 * without any list of points. If all cells of a row have the same heights and no crossing lies exactly on a
 * grid line, then the run is as wide as its crossings, from the lowest to the highest of them: the order of
 * the points doesn't matter. Other rows go through rasterize_rows.c. */
#include <math.h>

#include "bake/rasterize/rasterize_internal.h"
#include "base/inline.h"

/* UNROLL: points that a loop over them does at once. */
enum { LANES = 4, CORNERS = 4, UNROLL = WM_SIMD ? CORNERS : 1 };

/* Four rows, one a lane. */
typedef struct Rows {
  WmInt4 first, count; /* of columns */
  WmUint4 heights;     /* of all cells */
  WmInt4 is_flat;      /* mask: the above are right */
} Rows;

/* Loads a crossing of four rows, and turns it: x, y, column, code. */
WM_INLINE void load_crossings(const WmRowPoint *points, WmFloat4 four[LANES]) {
  for (int lane = 0; lane < LANES; lane++) memcpy(&four[lane], &points[lane], sizeof *four);
  wm_transpose_float4(four);
}

WM_INLINE Rows measure_rows(const WmRasterGrid *grid, const WmRowPoint *all, const uint32_t *points,
                            uint32_t step) {
  const WmInt4 none = wm_splat_int4(0), one = wm_splat_int4(1), width = wm_splat_int4(grid->count[0]);
  WmInt4 first = wm_splat_int4(INT32_MAX), most = ~first, least_code = first, most_code = most, bits = none;
  WmFloat4 lowest = wm_splat_float4(INFINITY), highest = -lowest;
#pragma GCC unroll UNROLL
  for (int p = 0; p < CORNERS; p++) {
    WmFloat4 four[LANES];
    load_crossings(all + points[p] + step, four);
    const WmInt4 column = (WmInt4)four[2], code = (WmInt4)four[3];
    lowest = wm_min_float4(lowest, four[1]);
    highest = wm_max_float4(highest, four[1]);
    first = wm_min_int4(first, column);
    most = wm_max_int4(most, column);
    least_code = wm_min_int4(least_code, code);
    most_code = wm_max_int4(most_code, code);
    bits |= code;
  }
  /* As in rasterize_rows.c, where no point is on its line. */
  const WmInt4 last = wm_min_int4(most, width - one), end = last + one;
  const WmInt4 first_line = wm_min_int4(wm_max_int4(least_code >> 1, first), end);
  const WmInt4 last_line = wm_min_int4(wm_max_int4(most_code >> 1, first), end);
  const WmInt4 is_even = (WmInt4)(lowest == highest) | (WmInt4)(last_line <= first_line);
  const WmInt4 reaches = (WmInt4)(most >= none) & (WmInt4)(first < width);
  Rows rows = {.first = wm_max_int4(first_line, none), .is_flat = is_even & (WmInt4)((bits & one) == none)};
  rows.count = wm_max_int4(wm_min_int4(last_line, last) - rows.first + one, none) & reaches;
  rows.heights = wm_raster_heights(grid, lowest, highest);
  return rows;
}

void wm_add_stretch(WmRaster *raster, WmRowBatch *batch, const WmRowPoint *all, const uint32_t *points,
                    int32_t z, uint32_t rows, uint8_t area) {
  WmRuns *runs = &raster->runs;
  for (uint32_t step = 0; step < rows; step += LANES) {
    const Rows four = measure_rows(&raster->grid, all, points, step);
    int32_t first[LANES], count[LANES];
    uint32_t heights[LANES];
    wm_store_int4(first, four.first);
    wm_store_int4(count, four.count);
    wm_store_uint4(heights, four.heights);
    const int flat = wm_mask_int4(four.is_flat);
    for (uint32_t lane = 0; lane < LANES && step + lane < rows; lane++) {
      const int32_t row = z + (int32_t)(step + lane);
      if (flat >> lane & 1) {
        runs->runs[runs->run_count++] =
            (WmRun){row, (uint32_t)first[lane], (uint32_t)count[lane], heights[lane], area, true};
      } else {
        wm_row_batch_add(batch, row, points, step + lane, CORNERS, area);
      }
    }
  }
}
