/* Triangles to runs, in batches.
 *
 * in: triangles that touch the field, in order; out: runs (rasterize_internal.h), in the same order and with
 * the same bits as cutting polygons one limit after the other (rasterize_clip.c). What makes that possible:
 *
 * - A crossing depends only on its own edge: on the crossing before it, or the end the edge began at.
 *   So the edges of many triangles (then of many rows) are followed side by side in SIMD lanes.
 * - Which limit a point falls before (its class) decides all the rest: an edge crosses the limits from the
 *   lower class to the higher, exclusive.
 * - Points exactly on a limit (common: levels are built on grids) belong to the near side. After a far point
 *   such a point is replaced by the crossing; after a near point it also enters the next cell. A piece of
 * fewer than three points is no piece: so a lone point on the first limit gives no cell, while three or more
 *   (repeated ones count) on the last limit give the cell after it.
 *
 * That takes crossings that lie before the next limit, which wm_raster_is_precise guarantees; other triangles
 * are cut one by one. A batch: classify corners by row, follow edges across rows, classify all points by
 * column, form each row's polygon, follow its edges across columns, gather each cell's lowest and highest
 * point. A row never has more than 7 points: two crossings at each limit and three corners. */
#include <math.h>
#include <string.h>

#include "bake/rasterize_internal.h"

enum { BATCH_TRIANGLES = 64, BATCH_JOBS = 768, BATCH_ROWS = 512, LEAST_FLOATS = 1 << 14, MAX_POINTS = 8 };
/* Edges of up to SHORT_EDGE limits are not worth a job (tuned on terrain and caves). */
enum { ROW_JOBS = 8, SHORT_EDGE = 2 };

static const uint32_t NO_JOB = UINT32_MAX;

/* Corner i and the edge that ends there. */
typedef struct Corner {
  int32_t row; /* class */
  bool on_limit;
  uint32_t edge; /* job, NO_JOB where the edge crosses no limit */
} Corner;

typedef struct BatchTriangle {
  Corner corners[3];
  int32_t row_first, row_last; /* within the band */
  uint8_t area;
} BatchTriangle;

/* A row's cells from column `base` on, begin at batch->low + cell. */
typedef struct BatchRow {
  int32_t row, first, count, base;
  uint32_t cell;
  uint32_t job_first, job_end;
  uint8_t area;
} BatchRow;

typedef struct WmTriangleBatch Batch;

/* Points are the triangles' corners (four places a triangle), then the crossings with the limits of rows. */
struct WmTriangleBatch {
  WmRaster *raster;
  BatchTriangle *triangles; /* [BATCH_TRIANGLES] */
  size_t triangle_count;
  WmEdgeJob *edges; /* [3 * BATCH_TRIANGLES] */
  size_t edge_count;
  float *point_x, *point_y, *corner_z; /* [point_capacity], corner_z [4 * BATCH_TRIANGLES] */
  int32_t *point_column;               /* truncated, -1..width */
  int32_t *point_class;                /* 2 * class + 1 where on the limit */
  size_t point_room, point_capacity;
  BatchRow *rows; /* [BATCH_ROWS] */
  size_t row_count;
  WmEdgeJob *jobs; /* [BATCH_JOBS] */
  size_t job_count;
  float *heights; /* crossings of the jobs */
  size_t height_room, height_capacity;
  float *low, *high; /* cells of the rows */
  size_t cell_count, cell_capacity;
  uint32_t *order; /* [BATCH_JOBS] */
};

/* ---- Classes ------------------------------------------------------------------------------------- */

/* Of four coordinates: the truncated row or column (-1 for all below, `count` for all beyond), and the class:
 * the first limit from -1 on that is not below the coordinate, at most `count` + 1; on_limit lanes are -1. */
static inline void classify(const WmRasterGrid *grid, int axis, int32_t count, WmFloat4 v, WmInt4 *truncated,
                            WmInt4 *class, WmInt4 *on_limit) {
  const WmFloat4 origin = wm_splat_float4(grid->origin[axis]), cell = wm_splat_float4(grid->cell_size);
  const WmFloat4 one = wm_splat_float4(1.0f), least = wm_splat_float4(-1.0f);
  WmFloat4 cells = (v - origin) * wm_splat_float4(grid->inverse_cell_size);
  cells = wm_min_float4(wm_max_float4(cells, least), wm_splat_float4((float)count));
  const WmInt4 guess = wm_truncate_float4(cells);
  const WmFloat4 index = wm_int4_to_float4(guess);
  const WmFloat4 limit = (origin + index * cell) + cell, before = (origin + (index - one) * cell) + cell;
  /* Truncation is off by one at most: on a limit, below it by rounding, or between -1 and 0. */
  const WmInt4 up = (WmInt4)(v > limit), down = (WmInt4)(v <= before) & (guess > wm_splat_int4(-1));
  *truncated = guess;
  *class = guess - up + down;
  *on_limit = ((WmInt4)(v == limit) & ~down) | ((WmInt4)(v == before) & down);
}

/* ---- Cells of rows ------------------------------------------------------------------------------- */

/* Takes the crossings of one job into the cells on both sides of each. */
static inline void gather_job(const Batch *batch, const BatchRow *row, const WmEdgeJob *job) {
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

/* Follows the edges of all pending rows and adds their runs. */
static void flush_rows(Batch *batch) {
  wm_follow_edges(&batch->raster->grid, 0, batch->jobs, batch->job_count, batch->order, batch->heights, NULL);
  for (size_t i = 0; i < batch->row_count; i++) {
    const BatchRow *row = &batch->rows[i];
    for (uint32_t job = row->job_first; job < row->job_end; job++) gather_job(batch, row, &batch->jobs[job]);
    const size_t cell = row->cell + (size_t)(row->first - row->base);
    wm_raster_add_run(batch->raster, row->row, row->first, row->count, batch->low + cell, batch->high + cell,
                      row->area);
  }
  batch->row_count = batch->job_count = batch->height_room = batch->cell_count = 0;
}

/* ---- One row's polygon --------------------------------------------------------------------------- */

/* The points of a row's polygon, in the triangle's direction. */
typedef struct RowPolygon {
  uint32_t points[MAX_POINTS];
  int count;
} RowPolygon;

/* Classes of the polygon's points within the row's columns. */
typedef struct RowClasses {
  int32_t class[MAX_POINTS];
  int32_t on_limit[MAX_POINTS]; /* 0 or 1 */
  int32_t first, last;          /* class */
  int32_t column_last;
  int32_t any_on_limit;
} RowClasses;

/* False where the row lies beside the grid. */
static inline bool classify_row(const Batch *batch, const RowPolygon *polygon, int count,
                                RowClasses *classes) {
  const int32_t width = batch->raster->grid.width;
  int32_t first = INT32_MAX, last = INT32_MIN;
  for (int i = 0; i < count; i++) {
    const int32_t column = batch->point_column[polygon->points[i]];
    first = column < first ? column : first;
    last = column > last ? column : last;
  }
  if (last < 0 || first >= width) return false;
  if (last > width - 1) last = width - 1;
  classes->column_last = last;
  classes->first = INT32_MAX;
  classes->last = INT32_MIN;
  classes->any_on_limit = 0;
  for (int i = 0; i < count; i++) {
    const int32_t code = batch->point_class[polygon->points[i]];
    /* Cutting begins at the truncated column of the first point and ends at that of the last. */
    int32_t class = code >> 1;
    const int32_t on_limit = (code & 1) & (class >= first) & (class <= last);
    class = class < first ? first : class;
    class = class > last ? last + 1 : class;
    classes->class[i] = class;
    classes->on_limit[i] = on_limit;
    classes->any_on_limit |= on_limit;
    classes->first = class < classes->first ? class : classes->first;
    classes->last = class > classes->last ? class : classes->last;
  }
  return true;
}

/* The columns of the row's run; false where there are none. */
static inline bool find_columns(const RowClasses *classes, int count, BatchRow *row) {
  int32_t first = classes->first, last = classes->last;
  if (classes->any_on_limit) {
    int on_first = 0, on_last = 0, at_first = 0;
    for (int i = 0; i < count; i++) {
      at_first += classes->class[i] == first;
      on_first += (classes->class[i] == first) & classes->on_limit[i];
      on_last += (classes->class[i] == last) & classes->on_limit[i];
    }
    if (at_first == 1 && on_first == 1 && last > first) first++;
    if (on_last >= 3) last++;
  }
  if (first < 0) first = 0;
  if (last > classes->column_last) last = classes->column_last;
  row->first = first;
  row->count = last - first + 1;
  return row->count > 0;
}

static inline void widen_cell(float *low, float *high, float y) {
  *low = y < *low ? y : *low;
  *high = y > *high ? y : *high;
}

/* Follows an edge of few limits at once, with the operations of wm_follow_edges, into the cells at both sides
 * of each. low, high: of the cell before the first limit. */
static inline void follow_short_edge(const WmRasterGrid *grid, const float near[2], const float far[2],
                                     int32_t first, int32_t count, bool backward, float *low, float *high) {
  float x = near[0], y = near[1];
  for (int32_t k = 0; k < count; k++) {
    const float limit = wm_raster_limit(grid, 0, first + k);
    const float near_delta = limit - x, far_delta = limit - far[0];
    if (backward) {
      const float share = far_delta / (far_delta - near_delta);
      x = far[0] + (x - far[0]) * share;
      y = far[1] + (y - far[1]) * share;
    } else {
      const float share = near_delta / (near_delta - far_delta);
      x = x + (far[0] - x) * share;
      y = y + (far[1] - y) * share;
    }
    widen_cell(&low[k], &high[k], y);
    widen_cell(&low[k + 1], &high[k + 1], y);
  }
}

/* Takes the edge between two points of different classes: at once, or as a job. low, high: of the row's first
 * class. */
static inline void add_edge(Batch *batch, const RowPolygon *polygon, const RowClasses *classes, int from,
                            int to, float *low, float *high) {
  const bool backward = classes->class[from] > classes->class[to];
  const int near = backward ? to : from, far = backward ? from : to;
  const uint32_t near_point = polygon->points[near], far_point = polygon->points[far];
  const float near_end[2] = {batch->point_x[near_point], batch->point_y[near_point]};
  const float far_end[2] = {batch->point_x[far_point], batch->point_y[far_point]};
  const int32_t first = classes->class[near], count = classes->class[far] - first;
  if (count <= SHORT_EDGE) {
    const int32_t cell = first - classes->first;
    follow_short_edge(&batch->raster->grid, near_end, far_end, first, count, backward, low + cell,
                      high + cell);
    return;
  }
  WmEdgeJob *job = &batch->jobs[batch->job_count++];
  job->ends[0] = near_end[0];
  job->ends[1] = near_end[1];
  job->ends[2] = 0;
  job->ends[3] = far_end[0];
  job->ends[4] = far_end[1];
  job->ends[5] = 0;
  job->first = first;
  job->count = (uint32_t)count;
  job->backward = backward;
  batch->height_room += wm_edge_room(job->count);
}

/* Makes room for a row of `span` classes. */
static inline void reserve_row(Batch *batch, size_t span) {
  if (batch->row_count == BATCH_ROWS || batch->job_count + ROW_JOBS > BATCH_JOBS ||
      batch->height_room + ROW_JOBS * wm_edge_room((uint32_t)span) > batch->height_capacity ||
      batch->cell_count + span + 8 > batch->cell_capacity) {
    flush_rows(batch);
  }
}

static inline void clear_cells(Batch *batch, size_t cell, size_t count) {
  for (size_t i = 0; i < count; i += 4) {
    wm_store_float4(batch->low + cell + i, wm_splat_float4(INFINITY));
    wm_store_float4(batch->high + cell + i, wm_splat_float4(-INFINITY));
  }
}

/* Adds a row; `count` is the polygon's, a constant where that helps. */
static inline void add_row(Batch *batch, int32_t z, const RowPolygon *polygon, int count, uint8_t area) {
  RowClasses classes;
  if (count < 3 || !classify_row(batch, polygon, count, &classes)) return;
  /* A cell for each class, and one for points on the last limit. */
  const size_t span = (size_t)(classes.last - classes.first) + 2;
  reserve_row(batch, span);
  BatchRow *row = &batch->rows[batch->row_count];
  if (!find_columns(&classes, count, row)) return;
  row->row = z;
  row->area = area;
  row->base = classes.first;
  row->cell = (uint32_t)batch->cell_count;
  row->job_first = (uint32_t)batch->job_count;
  clear_cells(batch, row->cell, span);
  float *low = batch->low + row->cell, *high = batch->high + row->cell;
  for (int i = 0, j = count - 1; i < count; j = i++) {
    const int32_t class = classes.class[i], cell = class - classes.first;
    const float y = batch->point_y[polygon->points[i]];
    if (class != classes.class[j]) add_edge(batch, polygon, &classes, j, i, low, high);
    if (classes.on_limit[i]) {
      if (classes.class[j] > class) continue;
      widen_cell(&low[cell + 1], &high[cell + 1], y);
    }
    widen_cell(&low[cell], &high[cell], y);
  }
  row->job_end = (uint32_t)batch->job_count;
  batch->cell_count += span;
  batch->row_count++;
}

/* ---- One triangle's rows ------------------------------------------------------------------------- */

static inline void append_point(RowPolygon *polygon, uint32_t point) {
  polygon->points[polygon->count++] = point;
}

/* The polygon of row z: of each edge its crossings with both limits, in the edge's direction, then the corner
 * it ends at. */
static void form_polygon(const Batch *batch, const BatchTriangle *triangle, uint32_t first_corner, int32_t z,
                         RowPolygon *polygon) {
  polygon->count = 0;
  for (int i = 0, j = 2; i < 3; j = i++) {
    const Corner *corner = &triangle->corners[i];
    const int32_t from = triangle->corners[j].row, to = corner->row;
    if (corner->edge != NO_JOB) {
      const WmEdgeJob *edge = &batch->edges[corner->edge];
      const uint32_t upper = edge->out + (uint32_t)(z - edge->first);
      const int32_t low = edge->first, high = low + (int32_t)edge->count;
      const bool at_lower = low < z && z <= high, at_upper = low <= z && z < high;
      if (from < to) {
        if (at_lower) append_point(polygon, upper - 1);
        if (at_upper) append_point(polygon, upper);
      } else {
        if (at_upper) append_point(polygon, upper);
        if (at_lower) append_point(polygon, upper - 1);
      }
    }
    const bool enters = to == z && (!corner->on_limit || from <= z);
    const bool carried = to == z - 1 && corner->on_limit && from <= to;
    if (enters || carried) append_point(polygon, first_corner + (uint32_t)i);
  }
}

/* Whether a corner has a say in row z. */
static inline bool has_corner(const BatchTriangle *triangle, int32_t z) {
  for (int i = 0; i < 3; i++) {
    const int32_t row = triangle->corners[i].row;
    if (row == z || row == z - 1) return true;
  }
  return false;
}

static void add_rows(Batch *batch, const BatchTriangle *triangle, uint32_t first_corner) {
  RowPolygon polygon = {.count = 0};
  bool same_edges = false;
  for (int32_t z = triangle->row_first; z <= triangle->row_last; z++) {
    const bool corner = has_corner(triangle, z);
    if (!same_edges || corner) {
      form_polygon(batch, triangle, first_corner, z, &polygon);
      same_edges = !corner && polygon.count == 4;
      add_row(batch, z, &polygon, polygon.count, triangle->area);
    } else {
      /* Four crossings, and each moves on by one. */
      for (int i = 0; i < 4; i++) polygon.points[i]++;
      add_row(batch, z, &polygon, 4, triangle->area);
    }
  }
}

/* ---- The batch ----------------------------------------------------------------------------------- */

/* Classifies all points by column. */
static void classify_points(Batch *batch) {
  const WmRasterGrid *grid = &batch->raster->grid;
  for (size_t i = 0; i < batch->point_room; i += 4) {
    WmInt4 class, on_limit;
    WmInt4 column;
    classify(grid, 0, grid->width, wm_load_float4(batch->point_x + i), &column, &class, &on_limit);
    wm_store_int4(batch->point_column + i, column);
    wm_store_int4(batch->point_class + i, class + class - on_limit);
  }
}

static void flush_batch(Batch *batch) {
  const WmRasterGrid *grid = &batch->raster->grid;
  const size_t corners = 4 * (size_t)BATCH_TRIANGLES;
  if (batch->triangle_count == 0) return;
  wm_follow_edges(grid, 2, batch->edges, batch->edge_count, batch->order, batch->point_x + corners,
                  batch->point_y + corners);
  for (size_t i = 0; i < batch->edge_count; i++) batch->edges[i].out += (uint32_t)corners;
  classify_points(batch);
  for (size_t i = 0; i < batch->triangle_count; i++) add_rows(batch, &batch->triangles[i], (uint32_t)(4 * i));
  flush_rows(batch);
  batch->triangle_count = batch->edge_count = 0;
  batch->point_room = corners;
}

/* The edge from corner j to corner i, unless it crosses no limit. */
static void add_triangle_edge(Batch *batch, BatchTriangle *triangle, size_t first_corner, int j, int i) {
  const int32_t from = triangle->corners[j].row, to = triangle->corners[i].row;
  triangle->corners[i].edge = NO_JOB;
  if (from == to) return;
  const size_t near = first_corner + (size_t)(from < to ? j : i),
               far = first_corner + (size_t)(from < to ? i : j);
  WmEdgeJob *job = &batch->edges[batch->edge_count];
  const float ends[6] = {batch->corner_z[near], batch->point_x[near], batch->point_y[near],
                         batch->corner_z[far],  batch->point_x[far],  batch->point_y[far]};
  memcpy(job->ends, ends, sizeof ends);
  job->first = from < to ? from : to;
  job->count = (uint32_t)(from < to ? to - from : from - to);
  job->backward = from > to;
  triangle->corners[i].edge = (uint32_t)batch->edge_count++;
  batch->point_room += wm_edge_room(job->count);
}

/* Takes a triangle into the batch. */
static void add_triangle(Batch *batch, const float *const corners[3], const WmRasterTriangle *planned,
                         uint8_t area) {
  const WmRaster *raster = batch->raster;
  const size_t rows = (size_t)(planned->row_last - planned->row_first) + 2;
  if (batch->triangle_count == BATCH_TRIANGLES ||
      batch->point_room + 3 * wm_edge_room((uint32_t)rows) > batch->point_capacity) {
    flush_batch(batch);
  }
  const size_t first_corner = 4 * batch->triangle_count;
  BatchTriangle *triangle = &batch->triangles[batch->triangle_count++];
  const int32_t last = planned->row_last < raster->band_last ? planned->row_last : raster->band_last;
  for (size_t i = 0; i < 4; i++) {
    const float *corner = corners[i < 3 ? i : 0];
    batch->point_x[first_corner + i] = corner[0];
    batch->point_y[first_corner + i] = corner[1];
    batch->corner_z[first_corner + i] = corner[2];
  }
  WmInt4 truncated, class, on_limit;
  classify(&raster->grid, 2, raster->grid.depth, wm_load_float4(batch->corner_z + first_corner), &truncated,
           &class, &on_limit);
  int32_t lowest = INT32_MAX, highest = INT32_MIN;
  for (int i = 0; i < 3; i++) {
    Corner *corner = &triangle->corners[i];
    corner->row = class[i];
    corner->on_limit = on_limit[i] != 0;
    if (corner->row < planned->row_first) corner->row = planned->row_first, corner->on_limit = false;
    if (corner->row > last) corner->row = last + 1, corner->on_limit = false;
    if (corner->row < lowest) lowest = corner->row;
    if (corner->row > highest) highest = corner->row;
  }
  for (int i = 0, j = 2; i < 3; j = i++) add_triangle_edge(batch, triangle, first_corner, j, i);
  /* Corners on the last limit may reach the row after it. */
  triangle->row_first = lowest > raster->band_first ? lowest : raster->band_first;
  triangle->row_last = highest + 1 < last ? highest + 1 : last;
  triangle->area = area;
}

/* Makes the raster's batch; NULL when there is no memory. */
static Batch *allocate_batch(WmRaster *raster) {
  WmContext *context = raster->context;
  Batch *batch = wm_scratch_array(context, 1, sizeof *batch);
  if (!batch) return NULL;
  const size_t rows = (size_t)raster->grid.depth + 2, columns = (size_t)raster->grid.width + 4;
  const size_t corners = 4 * (size_t)BATCH_TRIANGLES;
  *batch = (Batch){.raster = raster, .point_room = corners};
  batch->point_capacity = LEAST_FLOATS + corners + 3 * wm_edge_room((uint32_t)rows);
  batch->height_capacity = LEAST_FLOATS + ROW_JOBS * wm_edge_room((uint32_t)columns);
  batch->cell_capacity = LEAST_FLOATS + columns + 8;
  const size_t points = batch->point_capacity + WM_RASTER_PADDING;
  batch->triangles = wm_scratch_array(context, BATCH_TRIANGLES, sizeof *batch->triangles);
  batch->edges = wm_scratch_array(context, 3 * BATCH_TRIANGLES, sizeof *batch->edges);
  /* Zeroed: gaps between crossings are classified too, and must be numbers. */
  batch->point_x = wm_scratch_zeroed(context, points, sizeof(float));
  batch->point_y = wm_scratch_array(context, points, sizeof(float));
  batch->corner_z = wm_scratch_array(context, corners, sizeof(float));
  batch->point_column = wm_scratch_array(context, points, sizeof(int32_t));
  batch->point_class = wm_scratch_array(context, points, sizeof(int32_t));
  batch->rows = wm_scratch_array(context, BATCH_ROWS, sizeof *batch->rows);
  batch->jobs = wm_scratch_array(context, BATCH_JOBS, sizeof *batch->jobs);
  batch->heights = wm_scratch_array(context, batch->height_capacity + WM_RASTER_PADDING, sizeof(float));
  batch->low = wm_scratch_zeroed(context, batch->cell_capacity + WM_RASTER_PADDING, sizeof(float));
  batch->high = wm_scratch_zeroed(context, batch->cell_capacity + WM_RASTER_PADDING, sizeof(float));
  batch->order = wm_scratch_array(context, BATCH_JOBS, sizeof *batch->order);
  const bool complete = batch->triangles && batch->edges && batch->point_x && batch->point_y &&
                        batch->corner_z && batch->point_column && batch->point_class && batch->rows &&
                        batch->jobs && batch->heights && batch->low && batch->high && batch->order;
  return complete ? batch : NULL;
}

/* ---- Triangles beyond the batch's precision ------------------------------------------------------ */

typedef struct Sink {
  WmRaster *raster;
  uint8_t area;
} Sink;

static void take_row(void *user, int32_t row, int32_t first, int32_t count, const float *minimum,
                     const float *maximum) {
  const Sink *sink = user;
  if (row >= sink->raster->band_first) {
    wm_raster_add_run(sink->raster, row, first, count, minimum, maximum, sink->area);
  }
}

static void clip_triangle(Batch *batch, const float *const corners[3], const WmRasterTriangle *planned,
                          uint8_t area) {
  WmRaster *raster = batch->raster;
  const int32_t last = planned->row_last < raster->band_last ? planned->row_last : raster->band_last;
  Sink sink = {raster, area};
  flush_batch(batch); /* runs keep the order of triangles */
  wm_raster_clip_triangle(&raster->grid, corners, planned->row_first, last, false, batch->low, batch->high,
                          take_row, &sink);
}

static bool is_precise(const WmRasterGrid *grid, const float *const corners[3]) {
  for (int i = 0; i < 3; i++) {
    if (!wm_raster_is_precise(grid, corners[i], corners[i])) return false;
  }
  return true;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

WmStatus wm_raster_add_triangles(WmRaster *raster, const WmTriangles *triangles, const uint8_t *areas,
                                 const WmRasterTriangle *list, size_t count) {
  if (!raster->batch) raster->batch = allocate_batch(raster);
  if (!raster->batch) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count && !raster->status; i++) {
    const WmRasterTriangle *planned = &list[i];
    if (planned->row_last < raster->band_first || planned->row_first > raster->band_last) continue;
    const uint32_t *corner = triangles->indices + 3 * (size_t)planned->triangle;
    const float *positions[3];
    for (int k = 0; k < 3; k++)
      positions[k] = triangles->positions + triangles->position_stride * (size_t)corner[k];
    if (is_precise(&raster->grid, positions)) {
      add_triangle(raster->batch, positions, planned, areas[planned->triangle]);
    } else {
      clip_triangle(raster->batch, positions, planned, areas[planned->triangle]);
    }
  }
  if (!raster->status) flush_batch(raster->batch);
  return raster->status;
}
