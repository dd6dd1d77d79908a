/* Triangles to runs, in batches.
 *
 * in         triangles that touch the field, in order
 * out        runs (rasterize_internal.h), in the same order and with the same bits as cutting polygons at one
 *            grid line after the other (rasterize_clip.c)
 *
 * These properties make that possible:
 *
 * - A crossing depends only on its own edge: on the crossing before it, or the end at which the edge began.
 *   So the edges of many triangles (then of many rows) are followed side by side in SIMD lanes.
 * - The first grid line not below a point (its line) decides the rest: an edge crosses the lines from the
 *   lower one to the higher, the higher excluded.
 * - Points exactly on a line (common: levels are built on grids) belong to the near side. After a far point,
 *   such a point is replaced by the crossing; after a near point, it also enters the next cell. A part needs
 *   three points: so a single point on the first line gives no cell, while three or more (repeated ones
 *   count) on the last line give the cell after it.
 *
 * This needs crossings that lie before the next line, which holds for precise triangles
 * (WmRasterTriangle); others are cut one by one. A batch finds the lines of corners, follows edges across
 * rows and finds the lines of the crossings, forms each row's polygon, and follows its edges across
 * columns to each cell's lowest and highest point. A row never has more than 7 points: two crossings at
 * each of its two lines and three corners. */
#include <math.h>
#include <string.h>

#include "bake/rasterize/rasterize_internal.h"
#include "base/inline.h"

/* LEAST_STRETCH: rows from which on wm_add_stretch, which does four at once, takes less time than single
 * rows. BATCH_TRIANGLES: with 64 more lanes stand idle, as those of a batch differ more in length: rasterization
 * takes 1 to 1.5 % longer. */
enum {
  BATCH_TRIANGLES = 256,
  BATCH_EDGES = 3 * BATCH_TRIANGLES,
  LEAST_POINTS = 1 << 13,
  LEAST_STRETCH = 2,
  STRETCH_PADDING = 3
};

/* Of corner i, and the edge that ends there. For lanes the fourth of row and on_line is that of corner 2 again;
 * the fourth of out has no meaning. */
typedef struct BatchTriangle {
  int32_t row[4];     /* line */
  int32_t on_line[4]; /* mask: 0 or -1 */
  uint32_t
      out[4]; /* index of the edge's first crossing in the batch's points, if the rows of its ends differ */
  int32_t row_first, row_last; /* within the band */
  bool is_single;              /* all corners lie within one row */
  size_t bound;                /* the largest number of cells in a row */
  uint8_t area;
} BatchTriangle;

typedef struct WmTriangleBatch Batch;

struct WmTriangleBatch {
  WmRaster *raster;
  WmRowBatch *rows;
  BatchTriangle triangles[BATCH_TRIANGLES];
  WmEdgeWalk edges[BATCH_EDGES + 1]; /* one more may be written */
  uint32_t order[BATCH_EDGES];
  uint32_t triangle_count, edge_count;
  WmRowPoint *points; /* [point_capacity] corners [BATCH_TRIANGLES][3], then crossings with the lines of
                         rows */
  size_t point_count, point_capacity;
};

/* ---- One triangle's rows ----------------------------------------------------------------------------- */

/* The points of a row's polygon, in the triangle's direction. */
typedef struct RowPolygon {
  uint32_t points[2 * WM_ROW_POINTS]; /* indices into the batch's points; the last one repeated to
                                         WM_ROW_POINTS at least */
  int32_t count;
} RowPolygon;

/* The polygon of row z: for each edge its crossings with both lines, in the edge's direction, then the
 * corner at which it ends. */
static void form_polygon(const Batch *batch, const BatchTriangle *triangle, int32_t z, RowPolygon *polygon) {
  const uint32_t corners = 3 * (uint32_t)(triangle - batch->triangles);
  int count = 0;
  for (int i = 0, j = 2; i < 3; j = i++) {
    const int32_t from = triangle->row[j], to = triangle->row[i];
    /* All are written, and counted only if they apply, without branches: there is room for one more than all.
     * A level edge has length 0. */
    const bool down = from > to;
    const int32_t low = down ? to : from, on_line = -triangle->on_line[i];
    const uint32_t length = (uint32_t)((down ? from : to) - low), at = (uint32_t)(z - low);
    const uint32_t upper = triangle->out[i] + at;
    const bool at_lower = at - 1 < length, at_upper = at < length;
    polygon->points[count] = upper - !down;
    count += down ? at_upper : at_lower;
    polygon->points[count] = upper - down;
    count += down ? at_lower : at_upper;
    const int32_t enters = (to == z) & (!on_line | (from <= z));
    const int32_t carried = (to == z - 1) & on_line & (from <= to);
    polygon->points[count] = corners + (uint32_t)i;
    count += enters | carried;
  }
  polygon->count = count;
  if (count > 0) {
    const WmUint4 last = (WmUint4)wm_splat_int4((int32_t)polygon->points[count - 1]);
    wm_store_uint4(polygon->points + count, last);
    wm_store_uint4(polygon->points + count + 4, last);
  }
}

/* The first row from z on whose polygon a corner affects; the one after the triangle's last if there is none. */
static inline int32_t find_corner_row(const BatchTriangle *triangle, int32_t z) {
  const WmInt4 line = wm_load_int4(triangle->row), first = wm_splat_int4(z);
  const WmInt4 row = line - (wm_load_int4(triangle->on_line) & (WmInt4)(line < first));
  const WmInt4 end = wm_splat_int4(triangle->row_last + 1);
  const WmInt4 next = wm_min_int4(wm_select_int4((WmInt4)(row < first), end, row), end);
  const WmInt4 pairs = wm_min_int4(next, wm_swap_pairs_int4(next));
  return wm_min_int4(pairs, wm_swap_halves_int4(pairs))[0];
}

static void add_rows(Batch *batch, const BatchTriangle *triangle) {
  RowPolygon polygon;
  const int32_t rows = triangle->row_last - triangle->row_first + 1;
  if (rows <= 0 || !wm_row_batch_reserve(batch->rows, (size_t)rows, triangle->bound)) return;
  if (triangle->is_single) {
    const uint32_t corners = 3 * (uint32_t)(triangle - batch->triangles);
    const uint32_t points[WM_ROW_POINTS] = {corners, corners + 1, corners + 2, corners + 2};
    wm_row_batch_add(batch->rows, triangle->row_first, points, 3, triangle->area);
    return;
  }
  for (int32_t z = triangle->row_first, next; z <= triangle->row_last; z = next) {
    next = find_corner_row(triangle, z);
    form_polygon(batch, triangle, z, &polygon);
    if (next - z >= LEAST_STRETCH && polygon.count == 4) {
      wm_add_stretch(batch->raster, batch->rows, batch->points, polygon.points, z, (uint32_t)(next - z),
                     triangle->area);
      continue;
    }
    next = z + 1;
    if (polygon.count < 3) continue;
    wm_row_batch_add(batch->rows, z, polygon.points, polygon.count, triangle->area);
  }
}

/* ---- The batch --------------------------------------------------------------------------------------- */

static void flush_batch(Batch *batch) {
  wm_follow_triangle_edges(&batch->raster->grid, batch->edges, batch->edge_count, batch->order, batch->points,
                           &batch->raster->stops);
  for (uint32_t i = 0; i < batch->triangle_count; i++) add_rows(batch, &batch->triangles[i]);
  wm_row_batch_flush(batch->rows);
  batch->triangle_count = batch->edge_count = 0;
  batch->point_count = BATCH_EDGES;
}

/* Adds an edge that crosses lines first..end - 1. Lines below the band's first one (the upper line of the row
 * before) are left out: the edge starts from its stop there. It stores a stop if it crosses the band's last
 * line and the triangle goes on. */
static void add_edge(Batch *batch, uint32_t *out, const float *near, const float *far, int32_t first,
                     int32_t end, bool backward, bool goes_on) {
  WmRaster *raster = batch->raster;
  WmEdgeStops *stops = &raster->stops;
  const int32_t low = first, line = raster->band_first - 1;
  if (end <= line) return;
  float from[3]; /* a copy: appending a stop may move the list */
  memcpy(from, near, sizeof from);
  if (low < line) {
    memcpy(from, stops->list[stops->next++], sizeof from);
    first = line;
  }
  uint32_t stop = WM_NO_STOP;
  if (goes_on && low < raster->band_last && end > raster->band_last) {
    stop = wm_edge_stops_append(raster->context, stops);
    if (stop == WM_NO_STOP) raster->status = WM_ERROR_OUT_OF_MEMORY;
  }
  batch->edges[batch->edge_count++] = (WmEdgeWalk){.near = {from[0], from[1], from[2], (float)first},
                                                   .far = {far[2], far[0], far[1], (float)(end - 1)},
                                                   .count = (uint32_t)(end - first),
                                                   .out = (uint32_t)batch->point_count,
                                                   .backward = backward,
                                                   .stop = stop};
  *out = (uint32_t)batch->point_count - (uint32_t)(first - low);
  batch->point_count += (size_t)(end - first);
}

/* Adds the edges of a triangle that reaches other bands. */
static void add_long_edges(Batch *batch, BatchTriangle *triangle, const float *const corners[3],
                           bool goes_on) {
  const int32_t *row = triangle->row;
  for (int i = 0, j = 2; i < 3; j = i++) {
    if (row[j] == row[i]) continue;
    const bool backward = row[j] > row[i];
    const float *near = corners[backward ? i : j], *far = corners[backward ? j : i];
    add_edge(batch, &triangle->out[i], (float[3]){near[2], near[0], near[1]}, far, row[backward ? i : j],
             row[backward ? j : i], backward, goes_on);
  }
}

/* The same for a triangle within the band, without branches: all three are written, and those that cross a line
 * are counted. */
WM_INLINE void add_short_edges(Batch *batch, BatchTriangle *triangle, const float *const corners[3]) {
  const int32_t *row = triangle->row;
  uint32_t edge_count = batch->edge_count, point_count = (uint32_t)batch->point_count;
  for (int i = 0, j = 2; i < 3; j = i++) {
    const int32_t backward = row[j] > row[i];
    const float *near = corners[backward ? i : j], *far = corners[backward ? j : i];
    const int32_t first = backward ? row[i] : row[j], end = backward ? row[j] : row[i];
    const uint32_t count = (uint32_t)(end - first);
    batch->edges[edge_count] = (WmEdgeWalk){.near = {near[2], near[0], near[1], (float)first},
                                            .far = {far[2], far[0], far[1], (float)(end - 1)},
                                            .count = count,
                                            .out = point_count,
                                            .backward = backward,
                                            .stop = WM_NO_STOP};
    triangle->out[i] = point_count;
    point_count += count;
    edge_count += count > 0;
  }
  batch->edge_count = edge_count;
  batch->point_count = point_count;
}

/* Finds the lines of the corners, clamped to the triangle's rows, and stores the corners as points. Returns true
 * if a corner lies on its line. */
static inline bool find_corners(const WmRasterGrid *grid, const float *const corners[3], int32_t row_first,
                                int32_t row_last, BatchTriangle *triangle, WmRowPoint points[3]) {
  const float *a = corners[0], *b = corners[1], *c = corners[2];
  WmFloat4 four[4] = {{a[0], b[0], c[0], c[0]}, {a[1], b[1], c[1], c[1]}};
  WmInt4 column, row, code;
  wm_raster_find_lines(grid, 0, four[0], &column, &code);
  four[2] = (WmFloat4)column;
  four[3] = (WmFloat4)code;
  wm_transpose_float4(four);
  for (int i = 0; i < 3; i++) memcpy(&points[i], &four[i], sizeof *points);
  wm_raster_find_lines(grid, 2, (WmFloat4){a[2], b[2], c[2], c[2]}, &row, &code);
  const WmInt4 line = code >> 1, last = wm_splat_int4(row_last), beyond = last + 1;
  const WmInt4 clamped = wm_min_int4(wm_max_int4(line, wm_splat_int4(row_first)), beyond);
  wm_store_int4(triangle->row, clamped);
  const WmInt4 on_line = -(code & 1) & (WmInt4)(line == clamped) & (WmInt4)(line <= last);
  wm_store_int4(triangle->on_line, on_line);
  return wm_mask_int4(on_line) != 0;
}

/* Adds a triangle to the batch. */
static void add_triangle(Batch *batch, const float *const corners[3], int32_t row_first, int32_t row_last,
                         bool goes_on, size_t bound, uint8_t area) {
  const WmRaster *raster = batch->raster;
  if (batch->triangle_count == BATCH_TRIANGLES ||
      batch->point_count + 3 * (size_t)(row_last - row_first + 2) > batch->point_capacity) {
    flush_batch(batch);
  }
  WmRowPoint *points = batch->points + 3 * batch->triangle_count;
  BatchTriangle *triangle = &batch->triangles[batch->triangle_count++];
  const bool any_on_line = find_corners(&raster->grid, corners, row_first, row_last, triangle, points);
  const int32_t *row = triangle->row;
  const int32_t least = row[0] < row[1] ? row[0] : row[1], most = row[0] < row[1] ? row[1] : row[0];
  const int32_t lowest = least < row[2] ? least : row[2], highest = most > row[2] ? most : row[2];
  if (lowest < highest) {
    if (goes_on || row_first < raster->band_first - 1) {
      add_long_edges(batch, triangle, corners, goes_on);
    } else {
      add_short_edges(batch, triangle, corners);
    }
  }
  /* Corners on the last line may reach the row after it. */
  const int32_t end = highest + any_on_line;
  triangle->row_first = lowest > raster->band_first ? lowest : raster->band_first;
  triangle->row_last = end < row_last ? end : row_last;
  triangle->is_single = lowest == end;
  triangle->bound = bound;
  triangle->area = area;
}

/* Allocates the raster's batch; NULL without memory. */
static Batch *allocate_batch(WmRaster *raster) {
  WmContext *context = raster->context;
  Batch *batch = wm_scratch_array(context, 1, sizeof *batch); /* not zeroed: small tiles use little of it */
  if (!batch) return NULL;
  batch->raster = raster;
  batch->triangle_count = batch->edge_count = 0;
  batch->point_count = BATCH_EDGES;
  batch->point_capacity = LEAST_POINTS + 3 * ((size_t)raster->grid.count[2] + 2);
  batch->points = wm_scratch_array(context, batch->point_capacity + STRETCH_PADDING, sizeof *batch->points);
  batch->rows = wm_row_batch_create(raster, batch->points);
  return batch->rows && batch->points ? batch : NULL;
}

/* ---- The whole --------------------------------------------------------------------------------------- */

/* Adds a planned triangle that reaches the band. */
static void add_planned(Batch *batch, const WmTriangles *triangles, const WmRasterTriangle *planned,
                        uint8_t area) {
  WmRaster *raster = batch->raster;
  const uint32_t *corner = triangles->indices + 3 * (size_t)planned->triangle;
  const float *positions[3];
  for (int k = 0; k < 3; k++)
    positions[k] = triangles->positions + triangles->position_stride * (size_t)corner[k];
  const int32_t row_last = planned->row_last < raster->band_last ? planned->row_last : raster->band_last;
  if (planned->is_precise) {
    add_triangle(batch, positions, planned->row_first, row_last, planned->row_last > row_last, planned->bound,
                 area);
  } else {
    flush_batch(batch); /* runs keep the order of triangles */
    wm_raster_add_triangle(raster, positions, planned->row_first, row_last, area);
  }
}

WmStatus wm_raster_add_triangles(WmRaster *raster, const WmTriangles *triangles, const uint8_t *areas,
                                 const WmRasterList *list) {
  const int32_t first = raster->band_first, last = raster->band_last;
  if (!raster->batch) raster->batch = allocate_batch(raster);
  if (!raster->batch) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < list->count; i += WM_RASTER_GROUP) {
    const WmRasterReach *group = &list->groups[i / WM_RASTER_GROUP];
    if (group->row_last < first || group->row_first > last) continue;
    for (size_t k = i; k < i + WM_RASTER_GROUP && k < list->count && !raster->status; k++) {
      const WmRasterTriangle *planned = &list->triangles[k];
      if (planned->row_last < first || planned->row_first > last) continue;
      add_planned(raster->batch, triangles, planned, areas[planned->triangle]);
    }
  }
  if (!raster->status) flush_batch(raster->batch);
  return raster->status;
}
