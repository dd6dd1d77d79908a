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
 * That takes crossings that lie before the next limit, which holds for precise triangles (WmRasterTriangle);
 * others are cut one by one. A batch: classify corners by row, follow edges across rows, classify all points
 * by column, form each row's polygon, follow its edges across columns, gather each cell's lowest and highest
 * point. A row never has more than 7 points: two crossings at each limit and three corners. */
#include <math.h>
#include <string.h>

#include "bake/rasterize_internal.h"

enum { BATCH_TRIANGLES = 64, BATCH_CORNERS = 4 * BATCH_TRIANGLES, BATCH_EDGES = 3 * BATCH_TRIANGLES };
enum { LEAST_POINTS = 1 << 13 };

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

typedef struct WmTriangleBatch Batch;

/* Points are the triangles' corners (four places a triangle), then the crossings with the limits of rows. */
struct WmTriangleBatch {
  WmRaster *raster;
  WmRowBatch *rows;
  BatchTriangle *triangles; /* [BATCH_TRIANGLES] */
  size_t triangle_count;
  WmEdgeJob *edges; /* [BATCH_EDGES] */
  size_t edge_count;
  uint32_t *order;    /* [BATCH_EDGES] */
  float *corner_z;    /* [BATCH_CORNERS] */
  float *x, *y;       /* [point_capacity] as they come */
  WmRowPoint *points; /* [point_capacity] classified */
  size_t point_room, point_capacity;
  float *minimum, *maximum; /* [width + padding] for triangles that are cut */
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

/* ---- One triangle's rows ------------------------------------------------------------------------- */

/* The points of a row's polygon, in the triangle's direction. */
typedef struct RowPolygon {
  const WmRowPoint *points[WM_ROW_POINTS];
  int count;
} RowPolygon;

static inline void append_point(RowPolygon *polygon, const WmRowPoint *point) {
  polygon->points[polygon->count++] = point;
}

/* The polygon of row z: of each edge its crossings with both limits, in the edge's direction, then the corner
 * it ends at. */
static void form_polygon(const Batch *batch, const BatchTriangle *triangle, const WmRowPoint *corners,
                         int32_t z, RowPolygon *polygon) {
  polygon->count = 0;
  for (int i = 0, j = 2; i < 3; j = i++) {
    const Corner *corner = &triangle->corners[i];
    const int32_t from = triangle->corners[j].row, to = corner->row;
    if (corner->edge != NO_JOB) {
      const WmEdgeJob *edge = &batch->edges[corner->edge];
      const int32_t low = edge->first, high = low + (int32_t)edge->count;
      const WmRowPoint *first = batch->points + BATCH_CORNERS + edge->out;
      const bool at_lower = low < z && z <= high, at_upper = low <= z && z < high;
      if (from > to && at_upper) append_point(polygon, first + (z - low));
      if (at_lower) append_point(polygon, first + (z - low) - 1);
      if (from < to && at_upper) append_point(polygon, first + (z - low));
    }
    const bool enters = to == z && (!corner->on_limit || from <= z);
    const bool carried = to == z - 1 && corner->on_limit && from <= to;
    if (enters || carried) append_point(polygon, corners + i);
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

static void add_rows(Batch *batch, const BatchTriangle *triangle, const WmRowPoint *corners) {
  RowPolygon polygon = {.count = 0};
  bool same_edges = false;
  for (int32_t z = triangle->row_first; z <= triangle->row_last; z++) {
    const bool corner = has_corner(triangle, z);
    if (!same_edges || corner) {
      form_polygon(batch, triangle, corners, z, &polygon);
      same_edges = !corner;
    } else {
      /* Only crossings, and each moves on by one. */
      for (int i = 0; i < polygon.count; i++) polygon.points[i]++;
    }
    wm_row_batch_add(batch->rows, z, polygon.points, polygon.count, triangle->area);
  }
}

/* ---- The batch ----------------------------------------------------------------------------------- */

/* Classifies points first..end - 1 by column, and up to three more. */
static void classify_points(Batch *batch, size_t first, size_t end) {
  const WmRasterGrid *grid = &batch->raster->grid;
  for (size_t i = first; i < end; i += 4) {
    WmInt4 column, class, on_limit;
    WmFloat4 four[4] = {wm_load_float4(batch->x + i), wm_load_float4(batch->y + i)};
    classify(grid, 0, grid->width, four[0], &column, &class, &on_limit);
    four[2] = (WmFloat4)column;
    four[3] = (WmFloat4)(class + class - on_limit);
    wm_transpose_float4(four);
    for (size_t k = 0; k < 4; k++) memcpy(&batch->points[i + k], &four[k], sizeof(WmRowPoint));
  }
}

static void flush_batch(Batch *batch) {
  const WmRasterGrid *grid = &batch->raster->grid;
  if (batch->triangle_count == 0) return;
  const size_t crossings = wm_follow_edges(grid, 2, batch->edges, batch->edge_count, batch->order,
                                           batch->x + BATCH_CORNERS, batch->y + BATCH_CORNERS);
  classify_points(batch, 0, 4 * batch->triangle_count);
  classify_points(batch, BATCH_CORNERS, BATCH_CORNERS + crossings);
  for (size_t i = 0; i < batch->triangle_count; i++) {
    add_rows(batch, &batch->triangles[i], batch->points + 4 * i);
  }
  wm_row_batch_flush(batch->rows);
  batch->triangle_count = batch->edge_count = 0;
  batch->point_room = BATCH_CORNERS;
}

/* The edge from corner j to corner i, unless it crosses no limit. */
static void add_triangle_edge(Batch *batch, BatchTriangle *triangle, size_t first_corner, int j, int i) {
  const int32_t from = triangle->corners[j].row, to = triangle->corners[i].row;
  triangle->corners[i].edge = NO_JOB;
  if (from == to) return;
  const size_t near = first_corner + (size_t)(from < to ? j : i),
               far = first_corner + (size_t)(from < to ? i : j);
  WmEdgeJob *job = &batch->edges[batch->edge_count];
  const float ends[6] = {batch->corner_z[near], batch->x[near], batch->y[near],
                         batch->corner_z[far],  batch->x[far],  batch->y[far]};
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
    batch->x[first_corner + i] = corner[0];
    batch->y[first_corner + i] = corner[1];
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
  const size_t rows = (size_t)raster->grid.depth + 2, width = (size_t)raster->grid.width;
  *batch = (Batch){.raster = raster, .point_room = BATCH_CORNERS};
  batch->point_capacity = BATCH_CORNERS + LEAST_POINTS + 3 * wm_edge_room((uint32_t)rows);
  const size_t points = batch->point_capacity + WM_RASTER_PADDING;
  batch->rows = wm_row_batch_create(raster);
  batch->triangles = wm_scratch_array(context, BATCH_TRIANGLES, sizeof *batch->triangles);
  batch->edges = wm_scratch_array(context, BATCH_EDGES, sizeof *batch->edges);
  batch->order = wm_scratch_array(context, BATCH_EDGES, sizeof *batch->order);
  batch->corner_z = wm_scratch_array(context, BATCH_CORNERS, sizeof(float));
  /* Zeroed: gaps between crossings are classified too, and must be numbers. */
  batch->x = wm_scratch_zeroed(context, points, sizeof(float));
  batch->y = wm_scratch_zeroed(context, points, sizeof(float));
  batch->points = wm_scratch_array(context, points, sizeof *batch->points);
  batch->minimum = wm_scratch_zeroed(context, width + WM_RASTER_PADDING, sizeof(float));
  batch->maximum = wm_scratch_zeroed(context, width + WM_RASTER_PADDING, sizeof(float));
  const bool complete = batch->rows && batch->triangles && batch->edges && batch->order && batch->corner_z &&
                        batch->x && batch->y && batch->points && batch->minimum && batch->maximum;
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
  wm_raster_clip_triangle(&raster->grid, corners, planned->row_first, last, false, batch->minimum,
                          batch->maximum, take_row, &sink);
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
    if (planned->is_precise) {
      add_triangle(raster->batch, positions, planned, areas[planned->triangle]);
    } else {
      clip_triangle(raster->batch, positions, planned, areas[planned->triangle]);
    }
  }
  if (!raster->status) flush_batch(raster->batch);
  return raster->status;
}
