/* Polygons of rows to runs, four rows at a time.
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
 * Rows are gathered in groups, those of four points by themselves, and each row of a group has a lane: so
 * classes and edges take no work a row. Edges carry the points at their ends along (rasterize_edges.c).
 * Where all cells of a row have the same heights, because it is level or a single cell, no edge is followed.
 */
#include <math.h>
#include <string.h>

#include "bake/rasterize_internal.h"
#include "base/inline.h"

enum { LANES = 4, SLOTS = WM_ROW_POINTS };

/* Rows taken, one a lane. */
typedef struct Group {
  uint32_t points[LANES][SLOTS]; /* the last one repeated */
  int32_t count[LANES];          /* of points */
  uint32_t run[LANES];
  uint32_t rows;
  size_t bound; /* on their cells */
} Group;

struct WmRowBatch {
  WmRaster *raster;
  const WmRowPoint *points;
  Group groups[2];   /* rows of at most four points, rows of more */
  float *low, *high; /* cells of a group's rows */
};

WmRowBatch *wm_row_batch_create(WmRaster *raster, const WmRowPoint *points) {
  WmContext *context = raster->context;
  const size_t capacity = LANES * ((size_t)raster->grid.count[0] + 3) + WM_RASTER_PADDING;
  WmRowBatch *batch = wm_scratch_zeroed(context, 1, sizeof *batch);
  float *cells = wm_scratch_zeroed(context, 2 * capacity + LANES, sizeof *cells);
  if (!batch || !cells) return NULL;
  batch->raster = raster;
  batch->points = points;
  batch->low = cells + LANES;
  batch->high = batch->low + capacity;
  return batch;
}

/* ---- Classes ------------------------------------------------------------------------------------- */

/* A group at work: [slot][lane], [lane]. Masks are 0 or -1. */
typedef struct Rows {
  float x[SLOTS][LANES], y[SLOTS][LANES];
  int32_t class[SLOTS][LANES];
  int32_t on_limit[SLOTS][LANES];  /* mask */
  int32_t taken[SLOTS + 1][LANES]; /* mask: not a point repeated to fill slots */
  int32_t base[LANES];             /* of class 0 in the batch's cells */
  int32_t run_first[LANES], run_last[LANES], run_count[LANES];
  int32_t is_flat[LANES]; /* mask: all cells have the same heights */
  int32_t span[LANES];    /* cells for all classes and one more for points on the last limit, 0 where flat */
  float lowest[LANES], highest[LANES];
} Rows;

/* Gathers the points and finds which cells the rows reach. */
static inline void classify(const WmRowBatch *batch, const Group *group, int slots, Rows *rows) {
  const WmInt4 one = wm_splat_int4(1), none = wm_splat_int4(0), count = wm_load_int4(group->count);
  const WmInt4 width = wm_splat_int4(batch->raster->grid.count[0]);
  WmInt4 codes[SLOTS], first = wm_splat_int4(INT32_MAX), most = ~first, least_code = first, most_code = most;
  WmFloat4 lowest = wm_splat_float4(INFINITY), highest = -lowest;
  for (int p = 0; p < slots; p++) {
    WmFloat4 four[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      memcpy(&four[lane], &batch->points[group->points[lane][p]], sizeof *four);
    }
    wm_transpose_float4(four);
    wm_store_float4(rows->x[p], four[0]);
    wm_store_float4(rows->y[p], four[1]);
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
  const WmInt4 first_class = wm_min_int4(wm_max_int4(least_code >> 1, first), end);
  const WmInt4 last_class = wm_min_int4(wm_max_int4(most_code >> 1, first), end);
  WmInt4 at_first = none, on_first = none, on_last = none; /* how many, negative */
  for (int p = 0; p < slots; p++) {
    const WmInt4 taken = (WmInt4)(count > wm_splat_int4(p)), own = codes[p] >> 1;
    const WmInt4 on_limit = -(codes[p] & one) & ~((WmInt4)(own > last) | (WmInt4)(own < first));
    const WmInt4 class = wm_min_int4(wm_max_int4(own, first), end);
    const WmInt4 is_first = taken & (WmInt4)(class == first_class);
    at_first += is_first;
    on_first += is_first & on_limit;
    on_last += taken & on_limit & (WmInt4)(class == last_class);
    wm_store_int4(rows->class[p], class);
    wm_store_int4(rows->on_limit[p], on_limit);
    wm_store_int4(rows->taken[p], taken);
  }
  wm_store_int4(rows->taken[slots], none);
  const WmInt4 several = (WmInt4)(last_class > first_class);
  const WmInt4 is_lone = (WmInt4)(at_first == -one) & (WmInt4)(on_first < none) & several;
  const WmInt4 is_more = (WmInt4)(on_last < wm_splat_int4(-2));
  const WmInt4 run_first = wm_max_int4(first_class - is_lone, none);
  const WmInt4 run_last = wm_min_int4(last_class - is_more, last);
  const WmInt4 reaches = (WmInt4)(count > none) & (WmInt4)(most >= none) & (WmInt4)(first < width);
  const WmInt4 run_count = wm_max_int4(run_last - run_first + one, none) & reaches;
  const WmInt4 is_flat = (WmInt4)(lowest == highest) | ~(several | is_more);
  const WmInt4 span = (last_class - first_class + wm_splat_int4(2)) & (WmInt4)(run_count > none) & ~is_flat;
  wm_store_int4(rows->run_first, run_first);
  wm_store_int4(rows->run_last, run_last);
  wm_store_int4(rows->run_count, run_count);
  wm_store_int4(rows->is_flat, is_flat);
  wm_store_int4(rows->span, span);
  wm_store_int4(rows->base, -first_class);
  wm_store_float4(rows->lowest, lowest);
  wm_store_float4(rows->highest, highest);
}

/* ---- Cells --------------------------------------------------------------------------------------- */

/* With lanes, since WebAssembly engines turn a choice between floats into a branch, here an unpredictable
 * one. */
static inline void widen_cell(float *low, float *high, float y) {
  const WmFloat4 four = wm_splat_float4(y);
  *low = wm_min_float4(four, wm_splat_float4(*low))[0];
  *high = wm_max_float4(four, wm_splat_float4(*high))[0];
}

/* Gives each row that is not flat its place, and empties that. Returns how many cells there are. */
static inline int32_t place_rows(const WmRowBatch *batch, Rows *rows) {
  int32_t at = 0;
  for (int lane = 0; lane < LANES; lane++) {
    rows->base[lane] += at;
    for (int32_t i = at; i < at + rows->span[lane]; i += 4) {
      wm_store_float4(batch->low + i, wm_splat_float4(INFINITY));
      wm_store_float4(batch->high + i, wm_splat_float4(-INFINITY));
    }
    at += rows->span[lane];
  }
  return at;
}

/* Takes the polygons' edges, with the points at their ends, into the cells. */
static inline void add_edges(const WmRowBatch *batch, const Rows *rows, int slots) {
  WmInt4 included[SLOTS]; /* masks: the crossing does not stand for the point */
  const WmInt4 wanted = (WmInt4)(wm_load_int4(rows->span) > wm_splat_int4(0));
  const WmInt4 base = wm_load_int4(rows->base), run_last = wm_load_int4(rows->run_last);
  uint32_t lone = 0; /* bit 4 * slot + lane: points that no edge carries into their cells */
  for (int p = 0; p < slots; p++) {
    const WmInt4 before = wm_load_int4(rows->class[(p ? p : slots) - 1]);
    const WmInt4 own = wm_load_int4(rows->class[p]), on_limit = wm_load_int4(rows->on_limit[p]);
    const WmInt4 after =
        wm_select_int4(wm_load_int4(rows->taken[p + 1]), wm_load_int4(rows->class[p + 1 < slots ? p + 1 : 0]),
                       wm_load_int4(rows->class[0]));
    const WmInt4 taken = wm_load_int4(rows->taken[p]);
    included[p] = ~(on_limit & (WmInt4)(before > own));
    if (p > 0) included[p] = wm_select_int4(taken, included[p], included[p - 1]);
    const WmInt4 enters_next = on_limit & included[p] & ~(WmInt4)(after > own) & (WmInt4)(own < run_last);
    const WmInt4 has_no_edge = (WmInt4)(before == own) & (WmInt4)(after == own);
    lone |= (uint32_t)wm_mask_int4(taken & wanted & (enters_next | has_no_edge)) << (LANES * p);
  }
  for (; lone; lone &= lone - 1) {
    const int p = __builtin_ctz(lone) / LANES, lane = __builtin_ctz(lone) % LANES;
    float *low = batch->low + rows->base[lane] + rows->class[p][lane], *high = low - batch->low + batch->high;
    widen_cell(low, high, rows->y[p][lane]);
    if (rows->on_limit[p][lane]) widen_cell(low + 1, high + 1, rows->y[p][lane]);
  }
  WmRowEdges edges[2];
  int kept = 0;
  for (int i = 0; i < slots; i++) {
    /* The edges along the row in one pair, those across it in the other. */
    const int p = (i & 4) | (i & 1) << 1 | (i >> 1 & 1), q = (p ? p : slots) - 1;
    const WmInt4 from = wm_load_int4(rows->class[q]), to = wm_load_int4(rows->class[p]);
    const WmInt4 crosses = wanted & (WmInt4)(from != to);
    if (!wm_mask_int4(crosses)) continue;
    WmRowEdges *four = &edges[kept++];
    const WmInt4 backward = (WmInt4)(from > to), first = wm_min_int4(from, to), end = wm_max_int4(from, to);
    const WmFloat4 x = wm_load_float4(rows->x[q]), y = wm_load_float4(rows->y[q]);
    const WmFloat4 to_x = wm_load_float4(rows->x[p]), to_y = wm_load_float4(rows->y[p]);
    const WmInt4 near_included = wm_select_int4(backward, included[p], included[q]);
    const WmInt4 far_included = wm_select_int4(backward, included[q], included[p]);
    WmWalk *walk = &four->walk;
    walk->backward = backward;
    walk->near[0] = wm_select_float4(backward, to_x, x);
    walk->near[1] = wm_select_float4(backward, to_y, y);
    walk->near[3] = wm_int4_to_float4(first);
    walk->far[0] = wm_select_float4(backward, x, to_x);
    walk->far[1] = wm_select_float4(backward, y, to_y);
    walk->far[3] = wm_int4_to_float4(end - wm_splat_int4(1));
    four->least = wm_select_float4(near_included, walk->near[1], wm_splat_float4(INFINITY));
    four->most = wm_select_float4(near_included, walk->near[1], wm_splat_float4(-INFINITY));
    four->end = (WmFloat4)((WmInt4)walk->far[1] | ~far_included);
    wm_store_int4(four->count, wm_select_int4(crosses, end - first, wm_splat_int4(-1)));
    wm_store_int4(four->out, base + first);
    if (kept == 2) wm_follow_row_edges(&batch->raster->grid, edges, batch->low, batch->high);
    kept &= 1;
  }
  if (!kept) return;
  edges[1] = edges[0];
  wm_store_int4(edges[1].count, wm_splat_int4(-1));
  wm_follow_row_edges(&batch->raster->grid, edges, batch->low, batch->high);
}

/* ---- Groups -------------------------------------------------------------------------------------- */

/* Writes the group's runs: they were appended, empty, when their rows were taken. */
static inline void write_runs(WmRowBatch *batch, const Group *group, const Rows *rows) {
  WmRuns *runs = &batch->raster->runs;
  int16_t lows[8], highs[8];
  wm_raster_quantize(&batch->raster->grid, rows->lowest, rows->highest, LANES, lows, highs);
  for (uint32_t lane = 0; lane < group->rows; lane++) {
    WmRun *run = &runs->runs[group->run[lane]];
    int16_t *low = runs->low + runs->cell_count, *high = runs->high + runs->cell_count;
    const int32_t first = rows->run_first[lane], count = rows->run_count[lane];
    run->first = (uint32_t)first;
    run->count = (uint32_t)count;
    run->offset = (uint32_t)runs->cell_count;
    run->is_flat = rows->is_flat[lane] != 0;
    if (rows->is_flat[lane]) {
      wm_store_short8(low, wm_splat_short8(lows[lane]));
      wm_store_short8(high, wm_splat_short8(highs[lane]));
      runs->cell_count += count < 8 ? (size_t)count : 8;
      continue;
    }
    const int32_t cell = rows->base[lane] + first;
    wm_raster_quantize(&batch->raster->grid, batch->low + cell, batch->high + cell, (size_t)count, low, high);
    runs->cell_count += (size_t)count;
  }
}

/* Makes runs of the group's rows. `slots` is a constant. */
static inline void flush_group(WmRowBatch *batch, Group *group, int slots) {
  if (!group->rows) return;
  for (uint32_t lane = group->rows; lane < LANES; lane++) {
    memcpy(group->points[lane], group->points[0], sizeof group->points[0]);
    group->count[lane] = 0;
  }
  Rows rows;
  classify(batch, group, slots, &rows);
  if (place_rows(batch, &rows)) add_edges(batch, &rows, slots);
  write_runs(batch, group, &rows);
  group->rows = 0;
  group->bound = 0;
}

static WM_NOINLINE void flush_four(WmRowBatch *batch, int which) {
  flush_group(batch, &batch->groups[which], which ? SLOTS : LANES);
}

void wm_row_batch_flush(WmRowBatch *batch) {
  flush_four(batch, 0);
  flush_four(batch, 1);
}

void wm_row_batch_add(WmRowBatch *batch, int32_t z, const uint32_t points[WM_ROW_POINTS], uint32_t step,
                      int32_t count, size_t bound, uint8_t area) {
  WmRaster *raster = batch->raster;
  WmRuns *runs = &raster->runs;
  const size_t cells = runs->cell_count + batch->groups[0].bound + batch->groups[1].bound + bound;
  if (cells > runs->cell_capacity || runs->run_count == runs->run_capacity) {
    wm_row_batch_flush(batch);
    if (!wm_raster_make_room(raster, bound)) return;
  }
  const int which = count > LANES;
  Group *group = &batch->groups[which];
  const uint32_t lane = group->rows++;
  for (int i = 0; i < (which ? SLOTS : LANES); i++) group->points[lane][i] = points[i] + step;
  group->count[lane] = count;
  group->run[lane] = (uint32_t)runs->run_count;
  group->bound += bound;
  runs->runs[runs->run_count++] = (WmRun){.row = z, .area = area};
  if (group->rows == LANES) flush_four(batch, which);
}
