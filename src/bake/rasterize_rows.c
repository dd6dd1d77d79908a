/* Polygons of rows to runs, in batches.
 *
 * in: for each row a triangle reaches, the polygon of its piece (points with their classes, in the triangle's
 * direction); out: runs, in the order the rows came. Cell by cell the piece would be cut at one limit after
 * the other; here (see rasterize_triangles.c for why that gives the same bits) each edge is followed by
 * itself:
 *
 * - a crossing counts for the cells on both sides of its limit, a point for its own cell; a point on a limit
 *   also for the next one, unless the point before it lies beyond the limit, when the crossing stands for it;
 * - the run begins at the lowest class and ends at the highest, but for two cases that follow from "a piece
 * has three points": a lone lowest point on its limit leaves the first cell without a piece, and three or
 * more points on the last limit (repeated ones count) make a piece in the cell after it.
 *
 * Points are taken into the cells at once; edges become jobs for the SIMD lanes (rasterize_edges.c) until the
 * batch is full. Where the triangle is level no edge has to be followed: every crossing has its height. */
#include <math.h>
#include <string.h>

#include "bake/rasterize_internal.h"

enum { BATCH_JOBS = 768, LEAST_CELLS = 1 << 14, MAX_POINTS = WM_ROW_POINTS };

struct WmRowBatch {
  WmRaster *raster;
  WmEdgeJob jobs[BATCH_JOBS];
  uint32_t order[BATCH_JOBS];
  uint32_t job_count;
  float *low, *high; /* cells of the rows */
  size_t cell_count, cell_capacity;
};

WmRowBatch *wm_row_batch_create(WmRaster *raster) {
  WmContext *context = raster->context;
  const size_t capacity = LEAST_CELLS + (size_t)raster->grid.count[0];
  WmRowBatch *batch = wm_scratch_array(context, 1, sizeof *batch);
  float *low = wm_scratch_zeroed(context, capacity + WM_RASTER_PADDING, sizeof(float));
  float *high = wm_scratch_zeroed(context, capacity + WM_RASTER_PADDING, sizeof(float));
  if (!batch || !low || !high) return NULL;
  batch->raster = raster;
  batch->job_count = 0;
  batch->low = low;
  batch->high = high;
  batch->cell_count = 0;
  batch->cell_capacity = capacity;
  return batch;
}

void wm_row_batch_flush(WmRowBatch *batch) {
  wm_follow_row_edges(&batch->raster->grid, batch->jobs, batch->job_count, batch->order, batch->low,
                      batch->high);
  wm_raster_add_cells(batch->raster, batch->low, batch->high, batch->cell_count);
  batch->job_count = 0;
  batch->cell_count = 0;
}

/* ---- Classes ------------------------------------------------------------------------------------- */

/* A polygon's points within the row's columns. */
typedef struct Polygon {
  int32_t class[MAX_POINTS];
  int on_limits;               /* a bit a point */
  int32_t first, last;         /* class */
  int32_t run_first, run_last; /* column; last < first where there is none */
} Polygon;

/* The least of all lanes, in each. */
static inline WmInt4 find_least(WmInt4 v) {
  v = wm_min_int4(v, wm_swap_pairs_int4(v));
  return wm_min_int4(v, wm_swap_halves_int4(v));
}

/* False where the row lies beside the grid. */
static inline bool classify(const WmRowPoint *const *points, int count, int32_t width, Polygon *polygon) {
  WmInt4 least[4] = {wm_splat_int4(INT32_MAX), wm_splat_int4(INT32_MAX), wm_splat_int4(INT32_MAX),
                     wm_splat_int4(INT32_MAX)};
  WmInt4 codes[MAX_POINTS / 4];
  for (int i = 0; i < count; i += 4) {
    const WmRowPoint *a = points[i], *b = points[i + 1], *c = points[i + 2], *d = points[i + 3];
    const WmInt4 column = {a->column, b->column, c->column, d->column};
    const WmInt4 code = {a->code, b->code, c->code, d->code};
    codes[i / 4] = code;
    least[0] = wm_min_int4(least[0], column);
    least[1] = wm_min_int4(least[1], ~column);
    least[2] = wm_min_int4(least[2], code >> 1);
    least[3] = wm_min_int4(least[3], ~(code >> 1));
  }
  for (int k = 0; k < 4; k++) least[k] = find_least(least[k]);
  /* Cutting begins at the truncated column of the first point and ends at that of the last. */
  const WmInt4 one = wm_splat_int4(1), first = least[0];
  const WmInt4 last = wm_min_int4(~least[1], wm_splat_int4(width - 1)), end = last + one;
  if (least[1][0] >= 0 || first[0] >= width) return false;
  const int32_t first_class = wm_min_int4(wm_max_int4(least[2], first), end)[0];
  const int32_t last_class = wm_min_int4(wm_max_int4(~least[3], first), end)[0];
  int at_first = 0, at_last = 0, on_limits = 0; /* a bit a point */
  for (int i = 0; i < count; i += 4) {
    const WmInt4 code = codes[i / 4], own = code >> 1;
    const WmInt4 on_limit = code & one & ~((WmInt4)(own > last) | (WmInt4)(own < first));
    const WmInt4 class = wm_min_int4(wm_max_int4(own, first), end);
    wm_store_int4(polygon->class + i, class);
    at_first |= wm_mask_int4((WmInt4)(class == first_class)) << i;
    at_last |= wm_mask_int4((WmInt4)(class == last_class)) << i;
    on_limits |= wm_mask_int4(-on_limit) << i;
  }
  /* Those repeated to fill lanes do not count. */
  const int points_taken = (1 << count) - 1;
  at_first &= points_taken;
  const bool is_lone = (at_first & (at_first - 1)) == 0 && (at_first & on_limits) && last_class > first_class;
  const bool is_more = __builtin_popcount((unsigned)(at_last & on_limits & points_taken)) >= 3;
  const int32_t run_first = first_class + is_lone, run_last = last_class + is_more;
  polygon->on_limits = on_limits;
  polygon->first = first_class;
  polygon->last = last_class;
  polygon->run_first = run_first > 0 ? run_first : 0;
  polygon->run_last = run_last < last[0] ? run_last : last[0];
  return true;
}

/* ---- Cells --------------------------------------------------------------------------------------- */

/* With lanes, since WebAssembly engines turn a choice between floats into a branch, here an unpredictable
 * one. */
static inline void widen_cell(float *low, float *high, float y) {
  const WmFloat4 four = wm_splat_float4(y);
  *low = wm_min_float4(four, wm_splat_float4(*low))[0];
  *high = wm_max_float4(four, wm_splat_float4(*high))[0];
}

static inline void fill_cells(float *low, float *high, size_t count, float lowest, float highest) {
  for (size_t i = 0; i < count; i += 4) {
    wm_store_float4(low + i, wm_splat_float4(lowest));
    wm_store_float4(high + i, wm_splat_float4(highest));
  }
}

/* Takes the polygon's points into the row's cells, and its edges as jobs. */
static inline void add_corners(WmRowBatch *batch, const Polygon *polygon, const WmRowPoint *const *points,
                               int count) {
  float *low = batch->low + batch->cell_count, *high = batch->high + batch->cell_count;
  WmEdgeJob *job = &batch->jobs[batch->job_count];
  for (int i = 0, j = count - 1; i < count; j = i++) {
    const int32_t from = polygon->class[j], to = polygon->class[i];
    const WmRowPoint *point = points[i];
    if (from != to) {
      const bool backward = from > to;
      const WmRowPoint *near = backward ? point : points[j], *far = backward ? points[j] : point;
      const int32_t first = backward ? to : from, end = backward ? from : to;
      *job++ = (WmEdgeJob){.near = {near->x, near->y, 0, (float)first},
                           .far = {far->x, far->y, 0, (float)(end - 1)},
                           .count = (uint32_t)(end - first),
                           .out = (uint32_t)batch->cell_count + (uint32_t)(first - polygon->first),
                           .backward = backward};
    }
    const int32_t cell = to - polygon->first;
    if (polygon->on_limits >> i & 1) {
      if (from > to) continue; /* the crossing stands for the point */
      widen_cell(&low[cell + 1], &high[cell + 1], point->y);
    }
    widen_cell(&low[cell], &high[cell], point->y);
  }
  batch->job_count = (uint32_t)(job - batch->jobs);
}

/* Makes room for a row of `cells` cells; false when that fails. */
static inline bool reserve(WmRowBatch *batch, size_t cells) {
  const WmRuns *runs = &batch->raster->runs;
  const size_t count = batch->cell_count + cells;
  if (batch->job_count + MAX_POINTS <= BATCH_JOBS && count <= batch->cell_capacity &&
      count <= runs->cell_capacity - runs->cell_count && runs->run_count < runs->run_capacity) {
    return true;
  }
  wm_row_batch_flush(batch);
  return wm_raster_make_room(batch->raster, cells);
}

void wm_row_batch_add(WmRowBatch *batch, int32_t z, const WmRowPoint *const *points, int count, bool is_level,
                      uint8_t area) {
  Polygon polygon;
  WmRaster *raster = batch->raster;
  if (!classify(points, count, raster->grid.count[0], &polygon)) return;
  /* A cell for each class, and one for points on the last limit. */
  const size_t span = (size_t)(polygon.last - polygon.first) + 2;
  const int32_t first = polygon.run_first, last = polygon.run_last;
  if (last < first || !reserve(batch, span)) return;
  const size_t cell = batch->cell_count;
  wm_raster_append_run(raster, z, first, last - first + 1,
                       raster->runs.cell_count + cell + (size_t)(first - polygon.first), area);
  const float y = points[0]->y;
  fill_cells(batch->low + cell, batch->high + cell, span, is_level ? y : INFINITY, is_level ? y : -INFINITY);
  if (!is_level) add_corners(batch, &polygon, points, count);
  batch->cell_count += span;
}
