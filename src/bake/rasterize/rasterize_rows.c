/* Polygons of rows to runs, four rows at a time.
 *
 * in         for each row that a triangle reaches, the polygon of its part there: points with their lines, in
 *            the triangle's direction
 * out        runs, in the order the rows were added
 *
 * Cutting would go cell by cell, from one grid line to the next. Here each edge is followed by itself
 * (rasterize_triangles.c says why that gives the same bits). A crossing counts for the cells on both sides of
 * its line; a point of line L counts for:
 *
 *   the point           the point before   the point after   counts for
 *   not on its line     any                any               cell L
 *   on line L           line above L       any               none: the crossing replaces it
 *   on line L           line at most L     line at most L    cells L and L + 1
 *   on line L           line at most L     line above L      cell L; the crossing counts for L + 1
 *
 * The run begins at the lowest line and ends at the highest, with two exceptions that follow from "a part has
 * three points": a single lowest point on its line leaves the first cell without a part, and three or more
 * points on the last line (repeated ones count) make a part in the cell after it.
 *
 * Rows of at most four points are collected in groups of four, each with a lane, and measured as those of
 * stretches are (WmEvenRows). Those that are even, because all cells have the same heights, are done then. The
 * others are sorted by length, so that lanes end together. All lanes go from cell to cell side by side,
 * each from its own first line; each step follows all edges of the polygons that cross the line there. So the
 * only work for a single row or edge is to load points and store cells. */
#include <math.h>
#include <string.h>

#include "bake/rasterize/rasterize_internal.h"
#include "base/inline.h"

/* CHUNK: cells of a row that are stored at once. UNROLL: lanes that a loop over them does at once. UNEVEN_ROWS: as
 * BATCH_TRIANGLES. */
enum { LANES = 4, SLOTS = WM_ROW_POINTS, CHUNK = 4, UNEVEN_ROWS = 256, UNROLL = WM_SIMD ? LANES : 1 };

/* The polygon of a row. */
typedef struct Row {
  uint32_t points[SLOTS]; /* the last one repeated */
  int32_t count;          /* of points */
  uint32_t run;
  uint32_t length; /* about as many cells as the run has, plus one */
} Row;

/* Rows whose edges must be followed. */
typedef struct UnevenRows {
  Row rows[UNEVEN_ROWS];
  uint32_t count;
} UnevenRows;

struct WmRowBatch {
  WmRaster *raster;
  const WmRowPoint *points;
  Row group[LANES]; /* of at most four points */
  uint32_t group_count;
  UnevenRows uneven[2]; /* rows of at most four points, all rows of more; neither is full */
  size_t end;           /* end of the runs' cells, at most, once the reserved rows are added */
};

WmRowBatch *wm_row_batch_create(WmRaster *raster, const WmRowPoint *points) {
  WmRowBatch *batch = wm_scratch_array(raster->context, 1, sizeof *batch);
  if (!batch) return NULL;
  batch->raster = raster;
  batch->points = points;
  /* A group that isn't full reads all its lanes. The uneven rows aren't zeroed: small tiles use few of them. */
  memset(batch->group, 0, sizeof batch->group);
  batch->group_count = batch->uneven[0].count = batch->uneven[1].count = 0;
  batch->end = 0;
  return batch;
}

/* ---- Lines --------------------------------------------------------------------------------------------- */

/* The rows of a group in lanes; a slot is a point, and the edge that ends there. Masks are 0 or -1.
 * line_offset is a point's line minus first_line: the step in which it is reached. */
typedef struct Rows {
  WmFloat4 x[SLOTS], y[SLOTS];
  WmInt4 line_offset[SLOTS];
  WmInt4 on_line[SLOTS]; /* mask */
  WmInt4 is_real[SLOTS]; /* mask: false if the point only repeats the last one to fill slots */
  WmInt4 first_line;
  WmInt4 run_first, run_count;
  WmInt4 is_flat; /* mask: all cells have the same heights */
  WmInt4 steps;   /* from first_line to the end of the run, 0 if flat */
  WmFloat4 lowest, highest;
} Rows;

/* Gathers the points, and finds the cells that the rows reach. count: of their points. */
static inline void find_lines(const WmRowBatch *batch, const Row *const *lanes, WmInt4 count, int slots,
                              Rows *rows) {
  const WmInt4 one = wm_splat_int4(1), none = wm_splat_int4(0);
  const WmInt4 width = wm_splat_int4(batch->raster->grid.count[0]);
  WmInt4 codes[SLOTS], first = wm_splat_int4(INT32_MAX), most = ~first, least_code = first, most_code = most;
  WmFloat4 lowest = wm_splat_float4(INFINITY), highest = -lowest;
  for (int p = 0; p < slots; p++) {
    WmFloat4 four[LANES];
#pragma GCC unroll UNROLL
    for (int lane = 0; lane < LANES; lane++) {
      memcpy(&four[lane], &batch->points[lanes[lane]->points[p]], sizeof *four);
    }
    wm_transpose_float4(four);
    rows->x[p] = four[0];
    rows->y[p] = four[1];
    lowest = wm_min_float4(lowest, four[1]);
    highest = wm_max_float4(highest, four[1]);
    first = wm_min_int4(first, (WmInt4)four[2]);
    most = wm_max_int4(most, (WmInt4)four[2]);
    codes[p] = (WmInt4)four[3];
    least_code = wm_min_int4(least_code, codes[p]);
    most_code = wm_max_int4(most_code, codes[p]);
  }
  /* Cutting begins at the truncated column of the first point and ends at that of the last. */
  const WmInt4 last = wm_min_int4(most, width - one), end = last + one;
  const WmInt4 first_line = wm_min_int4(wm_max_int4(least_code >> 1, first), end);
  const WmInt4 last_line = wm_min_int4(wm_max_int4(most_code >> 1, first), end);
  WmInt4 at_first = none, on_first = none, on_last = none; /* counts, negative */
  for (int p = 0; p < slots; p++) {
    const WmInt4 is_real = (WmInt4)(count > wm_splat_int4(p)), own = codes[p] >> 1;
    const WmInt4 on_line = -(codes[p] & one) & ~((WmInt4)(own > last) | (WmInt4)(own < first));
    const WmInt4 line = wm_min_int4(wm_max_int4(own, first), end);
    const WmInt4 is_first = is_real & (WmInt4)(line == first_line);
    at_first += is_first;
    on_first += is_first & on_line;
    on_last += is_real & on_line & (WmInt4)(line == last_line);
    rows->line_offset[p] = line - first_line;
    rows->on_line[p] = on_line;
    rows->is_real[p] = is_real;
  }
  const WmInt4 several = (WmInt4)(last_line > first_line);
  const WmInt4 is_lone = (WmInt4)(at_first == -one) & (WmInt4)(on_first < none) & several;
  const WmInt4 is_more = (WmInt4)(on_last < wm_splat_int4(-2));
  const WmInt4 run_last = wm_min_int4(last_line - is_more, last);
  const WmInt4 reaches = (WmInt4)(count > none) & (WmInt4)(most >= none) & (WmInt4)(first < width);
  rows->first_line = first_line;
  rows->run_first = wm_max_int4(first_line - is_lone, none);
  rows->run_count = wm_max_int4(run_last - rows->run_first + one, none) & reaches;
  rows->is_flat = (WmInt4)(lowest == highest) | ~(several | is_more);
  rows->steps = (run_last - first_line + one) & (WmInt4)(rows->run_count > none) & ~rows->is_flat;
  rows->lowest = lowest;
  rows->highest = highest;
}

/* ---- Cells ------------------------------------------------------------------------------------------- */

/* When a slot counts, in steps. Crossings move the near end of its edge. */
typedef struct Slot {
  WmFloat4 own, next;   /* steps of the cells that the point counts for; -1 = none */
  WmFloat4 begin, last; /* steps of the grid lines that the edge crosses */
  WmInt4 forward; /* mask: the polygon runs from near to far, and crossings are interpolated from the near
                     end */
  WmFloat4 near_x, near_y, far_x, far_y;
} Slot;

/* Returns true if any point counts for two cells. */
static inline bool start_slots(const Rows *rows, int slots, Slot *slot) {
  const WmInt4 one = wm_splat_int4(1);
  WmInt4 any = wm_splat_int4(0);
  for (int p = 0; p < slots; p++) {
    const int q = (p ? p : slots) - 1;
    const WmInt4 from = rows->line_offset[q], to = rows->line_offset[p], is_real = rows->is_real[p];
    const WmInt4 follows = p + 1 < slots ? rows->is_real[p + 1] : wm_splat_int4(0);
    const WmInt4 after =
        wm_select_int4(follows, rows->line_offset[p + 1 < slots ? p + 1 : 0], rows->line_offset[0]);
    const WmInt4 backward = (WmInt4)(from > to);
    const WmInt4 included = is_real & ~(rows->on_line[p] & backward);
    const WmInt4 enters_next = included & rows->on_line[p] & ~(WmInt4)(after > to);
    Slot *edge = &slot[p];
    any |= enters_next;
    edge->own = wm_int4_to_float4(to | ~included);
    edge->next = wm_int4_to_float4((to + one) | ~enters_next);
    edge->begin = wm_int4_to_float4(wm_min_int4(from, to));
    edge->last = wm_int4_to_float4(wm_max_int4(from, to) - one);
    edge->forward = ~backward;
    edge->near_x = wm_select_float4(backward, rows->x[p], rows->x[q]);
    edge->near_y = wm_select_float4(backward, rows->y[p], rows->y[q]);
    edge->far_x = wm_select_float4(backward, rows->x[q], rows->x[p]);
    edge->far_y = wm_select_float4(backward, rows->y[q], rows->y[p]);
  }
  return wm_mask_int4(any) != 0;
}

/* The lowest and highest point in each of four cells, or crossing at each of four grid lines. */
typedef struct Range {
  WmFloat4 low, high;
} Range;

/* Extends the range by y, except in masked lanes. */
WM_INLINE Range widen(Range range, WmFloat4 y, WmInt4 skip) {
  skip = wm_opaque_mask_int4(skip);
  const WmFloat4 counted = (WmFloat4)((WmInt4)y | skip); /* NaN: min and max return the other */
  return (Range){wm_min_float4(counted, range.low), wm_max_float4(counted, range.high)};
}

/* Moves an edge to its crossing with a grid line, except in masked lanes, and extends the range by it.
 * Forward the share is near / (near - far) of the stretch to the far end; backward it is far / (far -
 * near) of the stretch from there, and two changes of sign cancel exactly. */
WM_INLINE Range follow(Slot *edge, WmFloat4 grid_line, WmInt4 skip, Range range) {
  const WmFloat4 from_x = wm_select_float4(edge->forward, edge->near_x, edge->far_x);
  const WmFloat4 from_y = wm_select_float4(edge->forward, edge->near_y, edge->far_y);
  const WmFloat4 near = grid_line - edge->near_x, far = grid_line - edge->far_x;
  const WmFloat4 share = (grid_line - from_x) / (near - far);
  const WmFloat4 x = from_x + (edge->far_x - edge->near_x) * share;
  const WmFloat4 y = from_y + (edge->far_y - edge->near_y) * share;
  edge->near_x = wm_select_float4(skip, edge->near_x, x);
  edge->near_y = wm_select_float4(skip, edge->near_y, y);
  return widen(range, y, skip);
}

/* Moves two edges if they cross the grid line of a step. Two at a time, since a step waits for the one
 * before: about 27 cycles, of which four lanes use few. */
WM_INLINE Range follow_two(Slot *a, Slot *b, WmFloat4 line_offset, WmFloat4 grid_line, Range range) {
  const WmInt4 skip_a = (WmInt4)(a->begin > line_offset) | (WmInt4)(line_offset > a->last);
  const WmInt4 skip_b = (WmInt4)(b->begin > line_offset) | (WmInt4)(line_offset > b->last);
  if (wm_mask_int4(skip_a & skip_b) == 15) return range;
  return follow(b, grid_line, skip_b, follow(a, grid_line, skip_a, range));
}

/* Stores up to four cells of each row, from step `at` on. low, high: of all rows, step by step */
WM_INLINE void store_cells(WmRowBatch *batch, const uint32_t *offset, const int32_t *steps, int32_t at,
                           WmFloat4 low[CHUNK], WmFloat4 high[CHUNK]) {
  const WmRuns *runs = &batch->raster->runs;
  wm_transpose_float4(low);
  wm_transpose_float4(high);
#pragma GCC unroll UNROLL
  for (int lane = 0; lane < LANES; lane++) {
    if (at >= steps[lane]) continue;
    const size_t to = offset[lane] + (size_t)at;
    wm_store_halves_short8(runs->low + to, runs->high + to,
                           wm_raster_cells(&batch->raster->grid, low[lane], high[lane]));
  }
}

/* Follows the edges through all cells. offset: index of each row's cell of step 0. */
static inline void fill_cells(WmRowBatch *batch, const Rows *rows, int slots, const uint32_t *offset,
                              const int32_t *steps, int32_t longest) {
  const WmRasterGrid *grid = &batch->raster->grid;
  const WmFloat4 origin = wm_splat_float4(grid->origin[0]), cell = wm_splat_float4(grid->cell_size);
  const Range empty = {wm_splat_float4(INFINITY), wm_splat_float4(-INFINITY)};
  const WmFloat4 one = wm_splat_float4(1.0f);
  Slot slot[SLOTS];
  const bool any_next = start_slots(rows, slots, slot);
  Range before = empty; /* crossings with the line before */
  WmFloat4 index = wm_int4_to_float4(rows->first_line), line_offset = wm_splat_float4(0);
  for (int32_t at = 0; at < longest; at += CHUNK) {
    WmFloat4 low[CHUNK], high[CHUNK];
    for (int k = 0; k < CHUNK; k++) low[k] = high[k] = wm_splat_float4(0);
    for (int32_t k = 0; k < CHUNK && at + k < longest; k++) {
      const WmFloat4 grid_line = (origin + index * cell) + cell;
      Range crossings = empty;
      /* The edges along the row in one pair, those across it in the other. */
      for (Slot *edge = slot; edge < slot + slots; edge += LANES) {
        crossings = follow_two(edge, edge + 2, line_offset, grid_line, crossings);
        crossings = follow_two(edge + 1, edge + 3, line_offset, grid_line, crossings);
      }
      Range range = {wm_min_float4(before.low, crossings.low), wm_max_float4(before.high, crossings.high)};
      for (int p = 0; p < slots; p += LANES) {
#pragma GCC unroll 4
        for (int i = p; i < p + LANES; i++)
          range = widen(range, rows->y[i], (WmInt4)(slot[i].own != line_offset));
        if (!any_next) continue;
#pragma GCC unroll 4
        for (int i = p; i < p + LANES; i++)
          range = widen(range, rows->y[i], (WmInt4)(slot[i].next != line_offset));
      }
      low[k] = range.low;
      high[k] = range.high;
      before = crossings;
      index += one;
      line_offset += one;
    }
    store_cells(batch, offset, steps, at, low, high);
  }
}

/* ---- Uneven rows ------------------------------------------------------------------------------------- */

/* Turns up to four rows into runs; the runs were appended, empty, when the rows were added. */
static inline void fill_rows(WmRowBatch *batch, const Row *const *lanes, uint32_t row_count, int slots) {
  WmRuns *runs = &batch->raster->runs;
  Rows rows;
  int32_t points[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++) points[lane] = lane < row_count ? lanes[lane]->count : 0;
  find_lines(batch, lanes, wm_load_int4(points), slots, &rows);
  int32_t first[LANES], count[LANES], skipped[LANES], steps[LANES], longest = 0;
  uint32_t heights[LANES], offset[LANES];
  wm_store_int4(first, rows.run_first);
  wm_store_int4(count, rows.run_count);
  wm_store_int4(skipped, rows.run_first - rows.first_line);
  wm_store_int4(steps, rows.steps);
  wm_store_uint4(heights, wm_raster_heights(&batch->raster->grid, rows.lowest, rows.highest));
  for (uint32_t lane = 0; lane < row_count; lane++) {
    WmRun *run = &runs->runs[lanes[lane]->run];
    const bool is_flat = steps[lane] == 0;
    offset[lane] = (uint32_t)runs->cell_count;
    run->first = (uint16_t)first[lane];
    run->count = (uint16_t)count[lane];
    run->heights = is_flat ? heights[lane] : offset[lane] + (uint32_t)skipped[lane];
    run->is_flat = is_flat;
    runs->cell_count += ((uint32_t)steps[lane] + CHUNK - 1) / CHUNK * CHUNK;
    if (steps[lane] > longest) longest = steps[lane];
  }
  if (longest) fill_cells(batch, &rows, slots, offset, steps, longest);
}

/* Follows the edges of all uneven rows. */
static WM_NOINLINE void flush_uneven(WmRowBatch *batch, int which) {
  UnevenRows *uneven = &batch->uneven[which];
  uint32_t order[UNEVEN_ROWS];
  const uint32_t count = uneven->count;
  wm_raster_sort_lengths(&uneven->rows->length, sizeof(Row) / sizeof(uint32_t), count, order);
  for (uint32_t i = 0; i < count; i += LANES) {
    const Row *lanes[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
      lanes[lane] = &uneven->rows[order[i + lane < count ? i + lane : i]];
    fill_rows(batch, lanes, count - i < LANES ? count - i : LANES, which ? SLOTS : LANES);
  }
  uneven->count = 0;
}

/* ---- Groups ------------------------------------------------------------------------------------------ */

/* Turns the even rows of the group into runs, and appends the others to the uneven ones. */
static WM_NOINLINE void flush_group(WmRowBatch *batch) {
  WmRuns *runs = &batch->raster->runs;
  const Row *const group = batch->group;
  const uint32_t rows = batch->group_count;
  WmFloat4 points[4][LANES];
#pragma GCC unroll UNROLL
  for (int p = 0; p < 4; p++) {
#pragma GCC unroll UNROLL
    for (int lane = 0; lane < LANES; lane++)
      memcpy(&points[p][lane], &batch->points[group[lane].points[p]], sizeof **points);
  }
  const WmEvenRows even = wm_measure_rows(&batch->raster->grid, points);
  int32_t first[LANES], count[LANES], uneven[LANES];
  uint32_t heights[LANES];
  wm_store_int4(first, even.first);
  wm_store_int4(count, even.count);
  wm_store_int4(uneven, even.is_even + wm_splat_int4(1));
  wm_store_uint4(heights, even.heights);
  UnevenRows *list = &batch->uneven[0];
  for (uint32_t lane = 0; lane < rows; lane++) {
    WmRun *run = &runs->runs[group[lane].run];
    run->first = (uint16_t)first[lane];
    run->count = (uint16_t)count[lane];
    run->heights = heights[lane];
    run->is_flat = true;
    /* Written always, and counted if it is uneven: processors don't foresee that. */
    Row *row = &list->rows[list->count];
    memcpy(row, &group[lane], sizeof *row);
    row->length = (uint32_t)count[lane] + 1;
    list->count += (uint32_t)uneven[lane];
    if (list->count == UNEVEN_ROWS) flush_uneven(batch, 0);
  }
  batch->group_count = 0;
}

void wm_row_batch_flush(WmRowBatch *batch) {
  if (batch->group_count > 0) flush_group(batch);
  for (int which = 0; which < 2; which++) flush_uneven(batch, which);
  batch->end = batch->raster->runs.cell_count;
}

bool wm_row_batch_reserve(WmRowBatch *batch, size_t rows, size_t bound) {
  WmRaster *raster = batch->raster;
  WmRuns *runs = &raster->runs;
  if (batch->end + rows * bound > runs->cell_capacity || runs->run_count + rows > runs->run_capacity) {
    wm_row_batch_flush(batch);
    if (!wm_raster_make_room(raster, rows, rows * bound)) return false;
    batch->end = runs->cell_count;
  } else {
    runs->run_count += rows;
  }
  batch->end += rows * bound;
  return true;
}

/* Fills in a row, except its length, and appends its run. */
static inline void start_row(WmRowBatch *batch, Row *row, int32_t z, const uint32_t *points, uint32_t step,
                             int32_t count, uint8_t area) {
  WmRuns *runs = &batch->raster->runs;
  for (int i = 0; i < SLOTS; i += 4) wm_store_uint4(row->points + i, wm_load_uint4(points + i) + step);
  row->count = count;
  row->run = wm_raster_append_run(runs, z, (WmRun){.area = area});
}

void wm_row_batch_add_uneven(WmRowBatch *batch, int32_t z, const uint32_t points[WM_ROW_POINTS],
                             uint32_t step, int32_t count, int32_t cells, uint8_t area) {
  const int which = count > LANES;
  UnevenRows *uneven = &batch->uneven[which];
  Row *row = &uneven->rows[uneven->count++];
  start_row(batch, row, z, points, step, count, area);
  row->length = (uint32_t)cells + 1;
  if (uneven->count == UNEVEN_ROWS) flush_uneven(batch, which);
}

void wm_row_batch_add(WmRowBatch *batch, int32_t z, const uint32_t points[WM_ROW_POINTS], int32_t count,
                      uint8_t area) {
  if (count > LANES) {
    wm_row_batch_add_uneven(batch, z, points, 0, count, 0, area);
    return;
  }
  start_row(batch, &batch->group[batch->group_count++], z, points, 0, count, area);
  if (batch->group_count == LANES) flush_group(batch);
}
