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
 * Short edges are followed at once, longer ones become jobs for the SIMD lanes (rasterize_edges.c) until the
 * batch is full; then each row's crossings are gathered into its cells. */
#include <math.h>
#include <string.h>

#include "bake/rasterize_internal.h"

/* Edges of up to SHORT_EDGE limits are not worth a job (tuned on terrain and caves). */
enum {
  BATCH_JOBS = 768,
  BATCH_ROWS = 512,
  LEAST_FLOATS = 1 << 14,
  MAX_POINTS = WM_ROW_POINTS,
  SHORT_EDGE = 2
};

/* A row's cells: column `base` is at batch->low + cell. */
typedef struct Row {
  int32_t row, first, count, base;
  uint32_t cell;
  uint32_t job_first, job_end;
  uint8_t area;
} Row;

struct WmRowBatch {
  WmRaster *raster;
  Row *rows; /* [BATCH_ROWS] */
  size_t row_count;
  WmEdgeJob *jobs; /* [BATCH_JOBS] */
  size_t job_count;
  uint32_t *order; /* [BATCH_JOBS] */
  float *heights;  /* crossings of the jobs */
  size_t height_room, height_capacity;
  float *low, *high; /* cells of the rows */
  size_t cell_count, cell_capacity;
};

WmRowBatch *wm_row_batch_create(WmRaster *raster) {
  WmContext *context = raster->context;
  WmRowBatch *batch = wm_scratch_array(context, 1, sizeof *batch);
  if (!batch) return NULL;
  const size_t columns = (size_t)raster->grid.width + 4;
  *batch = (WmRowBatch){.raster = raster};
  batch->height_capacity = LEAST_FLOATS + MAX_POINTS * wm_edge_room((uint32_t)columns);
  batch->cell_capacity = LEAST_FLOATS + columns + 8;
  batch->rows = wm_scratch_array(context, BATCH_ROWS, sizeof *batch->rows);
  batch->jobs = wm_scratch_array(context, BATCH_JOBS, sizeof *batch->jobs);
  batch->order = wm_scratch_array(context, BATCH_JOBS, sizeof *batch->order);
  batch->heights = wm_scratch_array(context, batch->height_capacity + WM_RASTER_PADDING, sizeof(float));
  batch->low = wm_scratch_zeroed(context, batch->cell_capacity + WM_RASTER_PADDING, sizeof(float));
  batch->high = wm_scratch_zeroed(context, batch->cell_capacity + WM_RASTER_PADDING, sizeof(float));
  const bool complete =
      batch->rows && batch->jobs && batch->order && batch->heights && batch->low && batch->high;
  return complete ? batch : NULL;
}

/* ---- Crossings into cells ------------------------------------------------------------------------ */

/* Takes the crossings of one job into the cells on both sides of each. */
static inline void gather_job(const WmRowBatch *batch, const Row *row, const WmEdgeJob *job) {
  const float *heights = batch->heights + job->out;
  const size_t offset = row->cell + (size_t)(job->first - row->base);
  float *low = batch->low + offset, *high = batch->high + offset;
  const WmInt4 lane = {0, 1, 2, 3};
  const uint32_t cells = job->count + 1;
  for (uint32_t i = 0; i < cells; i += 4) {
    const WmFloat4 left = wm_load_float4(heights + i - 1), right = wm_load_float4(heights + i);
    const WmFloat4 old_low = wm_load_float4(low + i), old_high = wm_load_float4(high + i);
    WmFloat4 lowest = wm_min_float4(wm_min_float4(left, right), old_low);
    WmFloat4 highest = wm_max_float4(wm_max_float4(left, right), old_high);
    if (i + 4 > cells) {
      const WmInt4 inside = lane < wm_splat_int4((int32_t)(cells - i));
      lowest = wm_select_float4(inside, lowest, old_low);
      highest = wm_select_float4(inside, highest, old_high);
    }
    wm_store_float4(low + i, lowest);
    wm_store_float4(high + i, highest);
  }
}

void wm_row_batch_flush(WmRowBatch *batch) {
  wm_follow_edges(&batch->raster->grid, 0, batch->jobs, batch->job_count, batch->order, batch->heights, NULL);
  for (size_t i = 0; i < batch->row_count; i++) {
    const Row *row = &batch->rows[i];
    for (uint32_t job = row->job_first; job < row->job_end; job++) gather_job(batch, row, &batch->jobs[job]);
    const size_t cell = row->cell + (size_t)(row->first - row->base);
    wm_raster_add_run(batch->raster, row->row, row->first, row->count, batch->low + cell, batch->high + cell,
                      row->area);
  }
  batch->row_count = batch->job_count = batch->height_room = batch->cell_count = 0;
}

/* ---- Classes ------------------------------------------------------------------------------------- */

/* A polygon's points within the row's columns. */
typedef struct Polygon {
  const WmRowPoint *const *points;
  int32_t class[MAX_POINTS];
  int32_t on_limit[MAX_POINTS]; /* 0 or 1 */
  int32_t first, last;          /* class */
  int32_t column_last;
  int32_t any_on_limit;
} Polygon;

/* False where the row lies beside the grid. */
static inline bool classify(const WmRowPoint *const *points, int count, int32_t width, Polygon *polygon) {
  int32_t first = INT32_MAX, last = INT32_MIN;
  for (int i = 0; i < count; i++) {
    const int32_t column = points[i]->column;
    first = column < first ? column : first;
    last = column > last ? column : last;
  }
  if (last < 0 || first >= width) return false;
  if (last > width - 1) last = width - 1;
  polygon->points = points;
  polygon->column_last = last;
  polygon->first = INT32_MAX;
  polygon->last = INT32_MIN;
  polygon->any_on_limit = 0;
  for (int i = 0; i < count; i++) {
    /* Cutting begins at the truncated column of the first point and ends at that of the last. */
    const int32_t code = points[i]->code;
    int32_t class = code >> 1;
    const int32_t on_limit = (code & 1) & (class >= first) & (class <= last);
    class = class < first ? first : class;
    class = class > last ? last + 1 : class;
    polygon->class[i] = class;
    polygon->on_limit[i] = on_limit;
    polygon->any_on_limit |= on_limit;
    polygon->first = class < polygon->first ? class : polygon->first;
    polygon->last = class > polygon->last ? class : polygon->last;
  }
  return true;
}

static inline WmInt4 least_of_lanes(WmInt4 v) {
  v = wm_min_int4(v, wm_swap_pairs_int4(v));
  return wm_min_int4(v, wm_swap_halves_int4(v));
}

static inline WmInt4 most_of_lanes(WmInt4 v) {
  v = wm_max_int4(v, wm_swap_pairs_int4(v));
  return wm_max_int4(v, wm_swap_halves_int4(v));
}

/* As classify for four points, a lane each: most rows cross two edges of the triangle. */
static inline bool classify_four(const WmRowPoint *const *points, int32_t width, Polygon *polygon) {
  WmFloat4 lanes[4];
  for (int i = 0; i < 4; i++) memcpy(&lanes[i], points[i], sizeof lanes[i]);
  wm_transpose_float4(lanes);
  const WmInt4 column = (WmInt4)lanes[2], code = (WmInt4)lanes[3], one = wm_splat_int4(1);
  const WmInt4 first = least_of_lanes(column);
  const WmInt4 last_column = most_of_lanes(column), last = wm_min_int4(last_column, wm_splat_int4(width - 1));
  if (last_column[0] < 0 || first[0] >= width) return false;
  const WmInt4 own = code >> 1, beyond = (WmInt4)(own > last);
  const WmInt4 on_limit = code & one & ~beyond & (WmInt4)(own >= first);
  const WmInt4 class = wm_min_int4(wm_max_int4(own, first), last + one);
  polygon->points = points;
  polygon->column_last = last[0];
  polygon->first = least_of_lanes(class)[0];
  polygon->last = most_of_lanes(class)[0];
  polygon->any_on_limit = wm_mask_int4((WmInt4)(on_limit > 0));
  wm_store_int4(polygon->class, class);
  wm_store_int4(polygon->on_limit, on_limit);
  return true;
}

/* The columns of the row's run; false where there are none. */
static inline bool find_columns(const Polygon *polygon, int count, Row *row) {
  int32_t first = polygon->first, last = polygon->last;
  if (polygon->any_on_limit) {
    int on_first = 0, on_last = 0, at_first = 0;
    for (int i = 0; i < count; i++) {
      at_first += polygon->class[i] == first;
      on_first += (polygon->class[i] == first) & polygon->on_limit[i];
      on_last += (polygon->class[i] == last) & polygon->on_limit[i];
    }
    if (at_first == 1 && on_first == 1 && last > first) first++;
    if (on_last >= 3) last++;
  }
  if (first < 0) first = 0;
  if (last > polygon->column_last) last = polygon->column_last;
  row->first = first;
  row->count = last - first + 1;
  return row->count > 0;
}

/* ---- Edges --------------------------------------------------------------------------------------- */

/* With lanes, since WebAssembly engines turn a choice between floats into a branch, here an unpredictable
 * one. */
static inline void widen_cell(float *low, float *high, float y) {
  const WmFloat4 four = wm_splat_float4(y);
  *low = wm_min_float4(four, wm_splat_float4(*low))[0];
  *high = wm_max_float4(four, wm_splat_float4(*high))[0];
}

/* An edge in the order of limits. */
typedef struct Edge {
  const WmRowPoint *near, *far;
  int32_t first, count; /* limits */
  bool backward;
} Edge;

static inline Edge make_edge(const Polygon *polygon, int from, int to) {
  const int32_t a = polygon->class[from], b = polygon->class[to];
  const WmRowPoint *p = polygon->points[from], *q = polygon->points[to];
  const bool backward = a > b;
  return (Edge){backward ? q : p, backward ? p : q, backward ? b : a, backward ? a - b : b - a, backward};
}

/* Follows an edge of few limits with the operations of wm_follow_edges. low, high: of the cell before the
 * first limit. */
static inline void follow_short_edge(const WmRasterGrid *grid, const Edge *edge, float *low, float *high) {
  const float far_x = edge->far->x, far_y = edge->far->y;
  float x = edge->near->x, y = edge->near->y;
  for (int32_t k = 0; k < edge->count; k++) {
    const float limit = wm_raster_limit(grid, 0, edge->first + k);
    const float near_delta = limit - x, far_delta = limit - far_x;
    if (edge->backward) {
      const float share = far_delta / (far_delta - near_delta);
      x = far_x + (x - far_x) * share;
      y = far_y + (y - far_y) * share;
    } else {
      const float share = near_delta / (near_delta - far_delta);
      x = x + (far_x - x) * share;
      y = y + (far_y - y) * share;
    }
    widen_cell(&low[k], &high[k], y);
    widen_cell(&low[k + 1], &high[k + 1], y);
  }
}

static inline void add_job(WmRowBatch *batch, const Edge *edge) {
  WmEdgeJob *job = &batch->jobs[batch->job_count++];
  *job = (WmEdgeJob){.ends = {edge->near->x, edge->near->y, 0, edge->far->x, edge->far->y, 0},
                     .first = edge->first,
                     .count = (uint32_t)edge->count,
                     .backward = edge->backward};
  batch->height_room += wm_edge_room(job->count);
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* Makes room for a row of `span` classes. */
static inline void reserve(WmRowBatch *batch, size_t span) {
  if (batch->row_count == BATCH_ROWS || batch->job_count + MAX_POINTS > BATCH_JOBS ||
      batch->height_room + MAX_POINTS * wm_edge_room((uint32_t)span) > batch->height_capacity ||
      batch->cell_count + span + 8 > batch->cell_capacity) {
    wm_row_batch_flush(batch);
  }
}

static inline void clear_cells(float *low, float *high, size_t count) {
  for (size_t i = 0; i < count; i += 4) {
    wm_store_float4(low + i, wm_splat_float4(INFINITY));
    wm_store_float4(high + i, wm_splat_float4(-INFINITY));
  }
}

/* Takes corner i of the polygon and the edge that ends there into the row's cells. */
static inline void add_corner(WmRowBatch *batch, const Polygon *polygon, int j, int i, float *low,
                              float *high) {
  const int32_t cell = polygon->class[i] - polygon->first;
  const float y = polygon->points[i]->y;
  if (polygon->class[i] != polygon->class[j]) {
    const Edge edge = make_edge(polygon, j, i);
    const int32_t near = edge.first - polygon->first;
    if (edge.count > SHORT_EDGE) {
      add_job(batch, &edge);
    } else {
      follow_short_edge(&batch->raster->grid, &edge, low + near, high + near);
    }
  }
  if (polygon->on_limit[i]) {
    if (polygon->class[j] > polygon -> class[i]) return; /* the crossing stands for the point */
    widen_cell(&low[cell + 1], &high[cell + 1], y);
  }
  widen_cell(&low[cell], &high[cell], y);
}

/* `count` is a constant where this is inlined, so that the polygon stays in registers. */
static inline void add_polygon(WmRowBatch *batch, int32_t z, const WmRowPoint *const *points, int count,
                               uint8_t area) {
  Polygon polygon;
  const WmRasterGrid *grid = &batch->raster->grid;
  const bool is_inside = count == 4 ? classify_four(points, grid->width, &polygon)
                                    : classify(points, count, grid->width, &polygon);
  if (!is_inside) return;
  /* A cell for each class, and one for points on the last limit. */
  const size_t span = (size_t)(polygon.last - polygon.first) + 2;
  reserve(batch, span);
  Row *row = &batch->rows[batch->row_count];
  if (!find_columns(&polygon, count, row)) return;
  row->row = z;
  row->area = area;
  row->base = polygon.first;
  row->cell = (uint32_t)batch->cell_count;
  row->job_first = (uint32_t)batch->job_count;
  float *low = batch->low + row->cell, *high = batch->high + row->cell;
  clear_cells(low, high, span);
  for (int i = 0, j = count - 1; i < count; j = i++) add_corner(batch, &polygon, j, i, low, high);
  row->job_end = (uint32_t)batch->job_count;
  batch->cell_count += span;
  batch->row_count++;
}

void wm_row_batch_add(WmRowBatch *batch, int32_t z, const WmRowPoint *const *points, int count,
                      uint8_t area) {
  switch (count) {
    case 0:
    case 1:
    case 2: return;
    case 3: add_polygon(batch, z, points, 3, area); return;
    case 4: add_polygon(batch, z, points, 4, area); return;
    default: add_polygon(batch, z, points, count, area); return;
  }
}
