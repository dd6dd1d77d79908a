/* The rasterizer, in the order of its data:
 *
 *   rasterize.c            the whole: bands of rows, the triangles that reach them, the result
 *   rasterize_triangles.c  triangles to runs: batches of edges followed in SIMD lanes (the common case)
 *   rasterize_edges.c      edges followed across the grid lines of rows
 *   rasterize_rows.c       polygons of rows to runs
 *   rasterize_stretches.c  the same of rows between corners, as long as they are simple
 *   rasterize_clip.c       triangles to runs by cutting polygons: any coordinates, slower
 *   rasterize_solids.c     boxes, spheres, ... to the intervals over their cells
 *   rasterize_footprint.c  those intervals, and those of rasterize_clip.c, to runs
 *   rasterize_columns.c    runs to columns of spans
 *   span_rows.[ch]         rows of solid spans, and heightfields from and to them
 *
 * A run is a stretch of cells of one row, each with the lowest and highest point of one triangle (or solid)
 * in it, in cell heights. Runs are in the order of triangles, which decides the areas of merged spans.
 *
 * Row or column k reaches from grid line k - 1 to line k. Line k is (origin + k * cell_size) + cell_size
 * in float32, as Recast forms it. Row and column -1 hold everything below the grid. */
#ifndef WALKMESH_BAKE_RASTERIZE_INTERNAL_H
#define WALKMESH_BAKE_RASTERIZE_INTERNAL_H

#include <math.h>

#include "bake/rasterize/span_rows.h"
#include "bake/stages.h"

/* ---- The grid ------------------------------------------------------------------------------------------ */

typedef struct WmRasterGrid {
  float origin[4]; /* the last one has no meaning; for lanes */
  float end[4];
  float cell_size;
  float inverse_cell_size;
  float inverse_cell_height;
  float height;     /* of the field, world units */
  int32_t count[3]; /* of columns, 0, of rows */
} WmRasterGrid;

/* The upper grid line of row or column `k` along `axis`. */
static inline float wm_raster_grid_line(const WmRasterGrid *grid, int axis, int32_t k) {
  return (grid->origin[axis] + (float)k * grid->cell_size) + grid->cell_size;
}

/* The row or column of a coordinate: truncated toward zero, -1 for everything below, `count` for
 * everything beyond. Clamped before the conversion, so that far coordinates aren't undefined behaviour;
 * NaN gives -1. */
static inline int32_t wm_raster_cell(const WmRasterGrid *grid, int axis, float coordinate, int32_t count) {
  const float cells = (coordinate - grid->origin[axis]) * grid->inverse_cell_size;
  const float low = cells > -1.0f ? cells : -1.0f;
  return (int32_t)(low < (float)count ? low : (float)count);
}

/* The lowest and highest points in four cells in cell heights, plus WM_WHOLE_BIAS; neither matters where the
 * mask `inside` is 0, because the cell is empty or beyond the field's height. */
typedef struct WmCellHeights {
  WmInt4 lowest, highest, inside;
} WmCellHeights;

/* Quantizes the lowest and highest points in four cells: from world units (minimum above maximum if a cell
 * is empty). */
WM_INLINE WmCellHeights wm_raster_quantize(const WmRasterGrid *grid, WmFloat4 low, WmFloat4 high) {
  const WmFloat4 zero = wm_splat_float4(0.0f), top = wm_splat_float4(grid->height);
  const WmFloat4 origin = wm_splat_float4(grid->origin[1]),
                 scale = wm_splat_float4(grid->inverse_cell_height);
  const WmInt4 last_low = wm_splat_int4(WM_WHOLE_BIAS + WM_SPAN_HEIGHT_LIMIT - 1);
  const WmFloat4 a = low - origin, b = high - origin;
  /* Written so that NaN, which only absurd coordinates give, drops the cell. */
  const WmInt4 inside = (WmInt4)(b >= zero) & (WmInt4)(a <= top);
  /* Clamped on both sides, so that the conversion is defined in dropped lanes too. */
  const WmFloat4 bottom = wm_min_float4(wm_max_float4(a, zero), top) * scale;
  const WmFloat4 roof = wm_max_float4(wm_min_float4(b, top), zero) * scale;
  const WmInt4 lowest = wm_min_int4(wm_floor_biased_float4(bottom), last_low);
  return (WmCellHeights){lowest, wm_max_int4(wm_ceil_biased_float4(roof), lowest + wm_splat_int4(1)), inside};
}

/* The heights of four cells minus WM_RASTER_BIAS, packed as low + high * 2^16. */
WM_INLINE WmUint4 wm_raster_heights(const WmRasterGrid *grid, WmFloat4 low, WmFloat4 high) {
  const WmCellHeights cells = wm_raster_quantize(grid, low, high);
  /* Inverted, the low of a dropped cell is 0, as its high is. */
  const WmInt4 inside = wm_opaque_mask_int4(cells.inside), turned = inside & ~cells.lowest;
  return ((WmUint4)(turned & 0xffff) | (WmUint4)(cells.highest & inside) << 16) ^
         ((uint32_t)WM_SOLID_BIAS << 16 | (0xffff - WM_SOLID_BIAS));
}

/* The same as shorts: the lows of four cells, then their highs. */
WM_INLINE WmShort8 wm_raster_cells(const WmRasterGrid *grid, WmFloat4 low, WmFloat4 high) {
  enum { LOW = WM_SOLID_NO_LOW, HIGH = WM_SOLID_NO_HIGH };
  const WmCellHeights cells = wm_raster_quantize(grid, low, high);
  const WmInt4 bias = wm_splat_int4(WM_WHOLE_BIAS + WM_SOLID_BIAS);
  return wm_select_short8(wm_narrow_int4(cells.inside, cells.inside),
                          wm_narrow_int4(cells.lowest - bias, cells.highest - bias),
                          (WmShort8){LOW, LOW, LOW, LOW, HIGH, HIGH, HIGH, HIGH});
}

typedef struct WmRaster WmRaster;

/* ---- Runs -------------------------------------------------------------------------------------------- */

/* A grid has fewer than 2^16 columns (config.c). */
typedef struct WmRun {
  uint32_t heights; /* index of the first cell in low and high; if is_flat: low + high * 2^16 of all */
  uint16_t first;   /* column */
  uint16_t count;   /* of cells */
  uint16_t area;
  bool is_flat;  /* all cells are equal */
  bool is_solid; /* of a solid: see the merge rule of rasterize_columns.c */
} WmRun;

/* Heights of cells are stored minus 32768, as int16: signed lanes compare in one instruction. A cell in
 * which the run reaches no voxel of the field (above or below it) has low WM_RASTER_NO_LOW and high
 * WM_RASTER_NO_HIGH. `low` and `high` are padded by WM_RASTER_PADDING.
 *
 * The runs of row z lie from row_first[z] to before row_end[z], in the order of triangles. */
typedef struct WmRuns {
  WmRun *runs; /* [run_capacity] */
  int16_t *low;
  int16_t *high;
  uint32_t *row_first, *row_end;  /* [depth] of the band's rows */
  size_t run_count, run_capacity; /* run_count: of runs that room was made for */
  size_t cell_count, cell_capacity;
} WmRuns;

/* Appends a run to row z, for which room was made; returns its number. Each row of a band has places for all
 * triangles and solids that were planned there, which add at most one run, and two. So runs needn't be sorted, and
 * merging, which waits for the memory of a run after each branch that wasn't foreseen, finds them side by side. */
static inline uint32_t wm_raster_append_run(WmRuns *runs, int32_t z, WmRun run) {
  const uint32_t number = runs->row_end[z]++;
  runs->runs[number] = run;
  return number;
}

enum {
  WM_RASTER_BIAS = WM_SOLID_BIAS,
  WM_RASTER_NO_LOW = WM_SOLID_NO_LOW,
  WM_RASTER_NO_HIGH = WM_SOLID_NO_HIGH
};
enum { WM_RASTER_PADDING = 16 };

/* ---- Columns ----------------------------------------------------------------------------------------- */

/* The row being merged (span_rows.h), and the sink of finished rows. */
typedef struct WmColumns {
  uint32_t width;
  uint16_t climb;
  size_t stride;                        /* at least width + 8 */
  int16_t *layers;                      /* [layer_capacity][low, high, area][stride] */
  uint32_t layers_used, layer_capacity; /* all layers from layers_used on are empty, at least one */
  int64_t credit;                       /* layers that the row's cells may still go through; below 0 the
                                           row is deep */
  struct WmDeepColumn *deep;            /* the current column, empty in between; NULL until a row is deep */
  uint32_t *cell_first; /* [width + 1] first cell of each column in `cells`, while a deep row is merged */
  uint32_t *cells;      /* [cell_capacity] the numbers of their runs */
  size_t cell_capacity;
  WmSpanRowSink sink;
} WmColumns;

/* ---- Edges of several bands -------------------------------------------------------------------------- */

/* An edge of several bands is followed once: each band stores its crossing before the last line, where the
 * next band goes on. The stops of a band are in the order of triangles, so that the next band finds them in
 * a queue, behind which it appends its own. */
typedef struct WmEdgeStops {
  float (*list)[3]; /* [capacity] z, x, y */
  size_t next, end; /* the stops of the band before that are not used yet */
  size_t count;     /* with those of this band */
  size_t capacity;
} WmEdgeStops;

#define WM_NO_STOP UINT32_MAX

struct WmRaster {
  WmContext *context;
  WmRasterGrid grid;
  WmRuns runs;
  WmColumns columns;
  struct WmTriangleBatch *batch; /* NULL before the first triangle */
  WmEdgeStops stops;
  float *solid_low, *solid_high, *solid_flat; /* [solid_capacity] cells of a solid */
  size_t solid_capacity;
  float slope_limit;             /* of solids (input/slope.h) */
  int32_t band_first, band_last; /* rows being rasterized */
  WmStatus status;               /* the first failure; nothing is added after it */
};

/* Makes sure that `count` more runs of `cells` cells in all fit. Only a band of one row can be full before its end:
 * it is merged, and stays open. False if that fails, or a call before has failed. */
bool wm_raster_make_room(WmRaster *raster, size_t count, size_t cells);

/* Appends a run with its cells, if it fits. */
void wm_raster_add_run(WmRaster *raster, int32_t row, int32_t first, int32_t count, const float *minimum,
                       const float *maximum, uint8_t area);

/* Appends the cells of a solid, if they fit: a run of those that are walkable, and one of the others.
 * in         flat: the highest point of the solid's flat surface in each cell, -INFINITY if there is none */
void wm_raster_add_solid_runs(WmRaster *raster, int32_t row, int32_t first, int32_t count,
                              const float *minimum, const float *maximum, const float *flat, uint8_t area);

WmStatus wm_columns_start(WmContext *context, WmColumns *columns, const WmGrid *grid, int32_t climb,
                          WmSpanRowSink sink);

/* Merges all runs of the rows first..last, row by row, and removes them. If `finish` is false, the band
 * must be a single row, which stays open for more runs. */
WmStatus wm_columns_merge(WmContext *context, WmColumns *columns, WmRuns *runs, int32_t first, int32_t last,
                          bool finish);

/* ---- Points of rows ---------------------------------------------------------------------------------- */

/* A corner of a row's polygon. Its line is the first grid line from -1 on that isn't below it, at most
 * width + 1. */
typedef struct WmRowPoint {
  float x, y;
  int32_t column; /* truncated: -1 for everything below the grid, `width` for everything beyond */
  int32_t code;   /* 2 * line, plus 1 if exactly on that line */
} WmRowPoint;

/* Truncated rows or columns, and codes as above, of four coordinates. */
static inline void wm_raster_find_lines(const WmRasterGrid *grid, int axis, WmFloat4 v, WmInt4 *truncated,
                                        WmInt4 *code) {
  const WmFloat4 origin = wm_splat_float4(grid->origin[axis]), cell = wm_splat_float4(grid->cell_size);
  const WmFloat4 one = wm_splat_float4(1.0f), least = wm_splat_float4(-1.0f);
  WmFloat4 cells = (v - origin) * wm_splat_float4(grid->inverse_cell_size);
  cells = wm_min_float4(wm_max_float4(cells, least), wm_splat_float4((float)grid->count[axis]));
  WmFloat4 index;
  const WmInt4 guess = wm_truncate_small_float4(cells, &index); /* there are fewer than 2^20 columns */
  const WmFloat4 grid_line = (origin + index * cell) + cell, before = (origin + (index - one) * cell) + cell;
  /* Truncation is off by at most one: on a line, below it by rounding, or between -1 and 0. */
  const WmInt4 up = (WmInt4)(v > grid_line), down = (WmInt4)(v <= before) & (guess > wm_splat_int4(-1));
  const WmInt4 line = guess - up + down;
  const WmInt4 on_line = ((WmInt4)(v == grid_line) & ~down) | ((WmInt4)(v == before) & down);
  *truncated = guess;
  *code = line + line - on_line;
}

/* ---- Edges ------------------------------------------------------------------------------------------- */

/* An edge to follow from grid line to grid line: its near end (before the first line, or on it) and its
 * far end (beyond the last), each the coordinate that is cut and two that are carried along. */
typedef struct WmEdgeWalk {
  float near[4];    /* the end, and the first line */
  float far[4];     /* the end, and the last line */
  uint32_t count;   /* of lines, > 0 */
  uint32_t out;     /* index of the first crossing in the output */
  int32_t backward; /* 1 if the polygon runs from far to near: crossings are then interpolated from far */
  uint32_t stop;    /* index of the stop to store, or WM_NO_STOP */
} WmEdgeWalk;

/* Follows edges (z; x, y) across rows: crossing i of an edge becomes points[edge.out + i]. Edges that store
 * a stop have two lines at least.
 * scratch    order [count] */
void wm_follow_triangle_edges(const WmRasterGrid *grid, const WmEdgeWalk *edges, uint32_t count,
                              uint32_t *order, WmRowPoint *points, WmEdgeStops *stops);

/* Sorts 0..count - 1 by length, stably; lengths within a fifth count as equal.
 * in         lengths: > 0, a stride apart */
void wm_raster_sort_lengths(const uint32_t *lengths, size_t stride, uint32_t count, uint32_t *order);

/* Appends a stop, which wm_follow_triangle_edges stores; WM_NO_STOP without memory. */
uint32_t wm_edge_stops_append(WmContext *context, WmEdgeStops *stops);

/* Ends a band: its stops become those of the band before. */
void wm_edge_stops_turn(WmEdgeStops *stops);

/* ---- Polygons of rows -------------------------------------------------------------------------------- */

/* Two crossings at each of two lines and three corners make seven. */
enum { WM_ROW_POINTS = 8 };

/* Four rows of at most four points, one a lane. Even rows have the same heights in all cells, and no point
 * exactly on a grid line: the run is as wide as the points then, and their order doesn't matter. */
typedef struct WmEvenRows {
  WmInt4 first, count; /* of columns; about right if the row is not even */
  WmUint4 heights;     /* of all cells */
  WmInt4 is_even;      /* mask */
} WmEvenRows;

/* Points that a loop over those of four rows does at once. */
enum { WM_ROW_UNROLL = WM_SIMD ? 4 : 1 };

/* Measures four rows. points: [point][row] */
WM_INLINE WmEvenRows wm_measure_rows(const WmRasterGrid *grid, WmFloat4 points[4][4]) {
  const WmInt4 none = wm_splat_int4(0), one = wm_splat_int4(1), width = wm_splat_int4(grid->count[0]);
  WmInt4 first = wm_splat_int4(INT32_MAX), most = ~first, least_code = first, most_code = most, bits = none;
  WmFloat4 lowest = wm_splat_float4(INFINITY), highest = -lowest;
#pragma GCC unroll WM_ROW_UNROLL
  for (int p = 0; p < 4; p++) {
    wm_transpose_float4(points[p]);
    const WmFloat4 y = points[p][1];
    const WmInt4 column = (WmInt4)points[p][2], code = (WmInt4)points[p][3];
    lowest = wm_min_float4(lowest, y);
    highest = wm_max_float4(highest, y);
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
  const WmInt4 is_level = (WmInt4)(lowest == highest) | (WmInt4)(last_line <= first_line);
  const WmInt4 reaches = (WmInt4)(most >= none) & (WmInt4)(first < width);
  WmEvenRows rows = {.first = wm_max_int4(first_line, none),
                     .is_even = is_level & (WmInt4)((bits & one) == none)};
  rows.count = wm_max_int4(wm_min_int4(last_line, last) - rows.first + one, none) & reaches;
  rows.heights = wm_raster_heights(grid, lowest, highest);
  return rows;
}

typedef struct WmRowBatch WmRowBatch;

/* Allocates a batch in scratch memory; NULL without memory. The polygons' points are indices into
 * `points`. */
WmRowBatch *wm_row_batch_create(WmRaster *raster, const WmRowPoint *points);

/* Makes sure that `rows` rows of at most `bound` cells each fit. False if that fails, or a call before has
 * failed. */
bool wm_row_batch_reserve(WmRowBatch *batch, size_t rows, size_t bound);

/* Adds the polygon of row z, for which wm_row_batch_reserve made room. The points must stay until the next
 * flush.
 * in         points: indices of at least three points, the last one repeated */
void wm_row_batch_add(WmRowBatch *batch, int32_t z, const uint32_t points[WM_ROW_POINTS], int32_t count,
                      uint8_t area);

/* The same for a row that is known not to be even.
 * in         points: each minus `step`
 *            cells: about as many as the row has */
void wm_row_batch_add_uneven(WmRowBatch *batch, int32_t z, const uint32_t points[WM_ROW_POINTS],
                             uint32_t step, int32_t count, int32_t cells, uint8_t area);

/* Adds the cells of all these rows to the raster. */
void wm_row_batch_flush(WmRowBatch *batch);

/* Adds rows z.. of a triangle, for which wm_row_batch_reserve made room. Their polygons have four points: in
 * the first row `all`[points[0..3]], in each row after it the points that follow them.
 * in         all: readable for three rows more
 *            points [WM_ROW_POINTS]: as in wm_row_batch_add */
void wm_add_stretch(WmRaster *raster, WmRowBatch *batch, const WmRowPoint *all, const uint32_t *points,
                    int32_t z, uint32_t rows, uint8_t area);

/* ---- Sources of runs --------------------------------------------------------------------------------- */

/* A triangle that touches the field. It is precise if cells are so much larger than the spacing of floats
 * at its corners and the grid's that a crossing computed at one grid line lies below the next. */
typedef struct WmRasterTriangle {
  uint32_t triangle;
  int32_t row_first, row_last; /* -1..depth - 1, 0..depth - 1 */
  uint32_t bound;              /* the largest number of cells in a row */
  bool is_precise;
} WmRasterTriangle;

/* The rows of WM_RASTER_GROUP triangles of a list: bands skip groups that don't reach them. Neighbours in a
 * level are often neighbours in its list. */
typedef struct WmRasterReach {
  int32_t row_first, row_last;
} WmRasterReach;

enum { WM_RASTER_GROUP = 8 };

/* Triangles that touch the field, in order. */
typedef struct WmRasterList {
  WmRasterTriangle *triangles; /* [count] */
  WmRasterReach *groups;       /* [count / WM_RASTER_GROUP, rounded up] */
  size_t count;
} WmRasterList;

/* Adds the runs of the triangles within the raster's band. */
WmStatus wm_raster_add_triangles(WmRaster *raster, const WmTriangles *triangles, const uint8_t *areas,
                                 const WmRasterList *list);

/* The cells in which a solid, or a triangle that isn't precise, is gathered. */
typedef struct WmFootprint {
  const WmRasterGrid *grid;
  int32_t first[3], last[3];         /* column, -, row */
  int32_t column_first, column_last; /* of the cells that aren't empty */
  size_t stride;
  float *low, *high; /* [rows][stride] minimum above maximum if a cell is empty */
  float *flat;       /* [rows][stride] the highest point of surface that is flat enough; -INFINITY: none */
  float slope_limit; /* of flat surface: y of its unit normal is above it */
  bool is_flat;      /* of the triangle that is cut */
  /* Recast counts a part less than a cell below the grid's edge to the first row or column. If set, that
   * part is cut off instead. */
  bool cut_edges;
} WmFootprint;

/* flat: -INFINITY if none of this part of the surface is flat */
void wm_raster_widen_cell(WmFootprint *footprint, int32_t x, int32_t z, float low, float high, float flat);

/* Extends the cells that a checked solid touches. */
void wm_raster_gather_solid(WmFootprint *footprint, const WmSolid *solid);

/* Cuts a triangle into rows and cells, and extends each cell by its lowest and highest point there. */
void wm_raster_clip_triangle(WmFootprint *footprint, const float *const corners[3]);

/* The cells that a solid may touch; false if it lies outside the grid. */
bool wm_raster_solid_cells(const WmRasterGrid *grid, const WmSolid *solid, int32_t first[3], int32_t last[3]);

/* Adds the runs of a solid within the raster's band. */
WmStatus wm_raster_add_solid(WmRaster *raster, const WmSolid *solid);

/* Adds the runs of a triangle that may be imprecise, in rows of the band; row_first is at least -1. */
void wm_raster_add_triangle(WmRaster *raster, const float *const corners[3], int32_t row_first,
                            int32_t row_last, uint8_t area);

#endif
