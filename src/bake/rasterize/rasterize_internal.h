/* What the files of the rasterizer share.
 *
 *   rasterize.c            the whole: bands of rows, which triangles reach them, the result
 *   rasterize_triangles.c  triangles to runs: batches of edges followed in SIMD lanes (the common case)
 *   rasterize_rows.c       polygons of rows to runs
 *   rasterize_edges.c      following edges across the limits between rows and cells
 *   rasterize_clip.c       triangles to runs by cutting polygons: any coordinates, slower
 *   rasterize_solids.c     boxes, spheres, ... to runs
 *   rasterize_columns.c    runs to columns of spans
 *
 * A run is a stretch of cells of one row, each with the lowest and highest point of one triangle (or solid)
 * in it, in cell heights. Runs are in the order of triangles, which decides the areas of merged spans.
 *
 * Cells: row and column k reach from limit k - 1 to limit k; limit k is (origin + k * cell_size) + cell_size
 * in float32, as Recast forms it. Row and column -1 hold what lies below the grid. */
#ifndef WALKMESH_BAKE_RASTERIZE_INTERNAL_H
#define WALKMESH_BAKE_RASTERIZE_INTERNAL_H

#include "bake/rasterize/span_rows.h"
#include "bake/stages.h"

/* ---- The grid, as the cutting sees it ------------------------------------------------------------ */

typedef struct WmRasterGrid {
  float origin[4]; /* the last one without meaning, for lanes */
  float end[4];
  float cell_size;
  float inverse_cell_size;
  float inverse_cell_height;
  float height;     /* of the field, world units */
  int32_t count[3]; /* of columns, 0, of rows */
} WmRasterGrid;

/* The upper limit of row or column `k` along `axis`. */
static inline float wm_raster_grid_line(const WmRasterGrid *grid, int axis, int32_t k) {
  return (grid->origin[axis] + (float)k * grid->cell_size) + grid->cell_size;
}

/* The row or column of a coordinate: truncated toward zero, -1 for everything below, `count` for everything
 * beyond. Clamped before the conversion, so that far coordinates are no undefined behaviour; NaN gives -1. */
static inline int32_t wm_raster_cell(const WmRasterGrid *grid, int axis, float coordinate, int32_t count) {
  const float cells = (coordinate - grid->origin[axis]) * grid->inverse_cell_size;
  const float low = cells > -1.0f ? cells : -1.0f;
  return (int32_t)(low < (float)count ? low : (float)count);
}

/* Lows and highs of four cells from the lowest and highest points in them: from world units (minimum above
 * maximum where a cell is empty) to cell heights less WM_RASTER_BIAS, low + high * 2^16. */
static inline WmUint4 wm_raster_heights(const WmRasterGrid *grid, WmFloat4 low, WmFloat4 high) {
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
  const WmInt4 highest = wm_max_int4(wm_ceil_biased_float4(roof), lowest - inside);
  /* Turned over, a dropped low is 0 as a dropped high is. */
  const WmInt4 turned = inside & ~lowest;
  return ((WmUint4)(turned & 0xffff) | (WmUint4)(highest & inside) << 16) ^
         ((uint32_t)WM_SOLID_BIAS << 16 | (0xffff - WM_SOLID_BIAS));
}

typedef struct WmRaster WmRaster;

/* ---- Runs ---------------------------------------------------------------------------------------- */

typedef struct WmRun {
  int32_t row;
  uint32_t first;  /* column */
  uint32_t count;  /* cells */
  uint32_t offset; /* of the first cell in low and high */
  uint16_t area;
  bool is_flat; /* all cells are equal: only the first eight are there, whatever `count` */
} WmRun;

/* Heights of cells are kept less 32768, as int16: signed lanes compare in one instruction. Where a run
 * reaches no voxel of the field (above or below it) a cell keeps its place with low WM_RASTER_NO_LOW and high
 * WM_RASTER_NO_HIGH. `low` and `high` are padded by WM_RASTER_PADDING. */
typedef struct WmRuns {
  WmRun *runs;
  int16_t *low;
  int16_t *high;
  size_t run_count, run_capacity;
  size_t cell_count, cell_capacity;
  uint32_t *order;     /* [run_capacity] for sorting by row */
  uint32_t *row_first; /* [depth + 1] all 0 between merges */
} WmRuns;

enum {
  WM_RASTER_BIAS = WM_SOLID_BIAS,
  WM_RASTER_NO_LOW = WM_SOLID_NO_LOW,
  WM_RASTER_NO_HIGH = WM_SOLID_NO_HIGH
};
enum { WM_RASTER_PADDING = 16, WM_RASTER_FLAT_CELLS = 8 };

/* ---- Columns ------------------------------------------------------------------------------------- */

/* The row being merged (span_rows.h), and who takes it when it is finished. */
typedef struct WmColumns {
  uint32_t width;
  uint16_t climb;
  size_t stride;                        /* at least width + 8 */
  int16_t *layers;                      /* [layer_capacity][low, high, area][stride] */
  uint32_t layers_used, layer_capacity; /* all layers from layers_used on are empty, one at least */
  int64_t credit;                       /* layers the row's cells may still go through; below 0 it is deep */
  struct WmDeepColumn *deep;            /* of a column at work, empty in between; NULL before a row is deep */
  uint32_t *cell_first; /* [width + 1] of each column into cells, while a deep row is merged */
  uint32_t *cells;      /* [cell_capacity] the numbers of their runs */
  size_t cell_capacity;
  WmSpanRowSink sink;
} WmColumns;

struct WmRaster {
  WmContext *context;
  WmRasterGrid grid;
  WmRuns runs;
  WmColumns columns;
  struct WmTriangleBatch *batch; /* NULL before the first triangle */
  float *solid_low, *solid_high; /* [solid_capacity] cells of a solid */
  size_t solid_capacity;
  int32_t band_first, band_last; /* rows being rasterized */
  WmStatus status;               /* sticks; nothing is added after a failure */
};

/* Makes room for a run of `cells` cells. Only a band of one row can be full before it is done, and that one
 * is merged and stays open. False when that fails, or something failed before. */
bool wm_raster_make_room(WmRaster *raster, size_t cells);

/* Makes room for a run, appends it, and its cells. */
void wm_raster_add_run(WmRaster *raster, int32_t row, int32_t first, int32_t count, const float *minimum,
                       const float *maximum, uint8_t area);

WmStatus wm_columns_start(WmContext *context, WmColumns *columns, const WmGrid *grid, int32_t climb,
                          WmSpanRowSink sink);

/* Merges all runs of the rows first..last, in order of rows, and forgets them. With `finish` false the band
 * must be a single row and stays open for more runs. */
WmStatus wm_columns_merge(WmContext *context, WmColumns *columns, WmRuns *runs, int32_t first, int32_t last,
                          bool finish);

/* ---- Points of rows ------------------------------------------------------------------------------ */

/* A corner of a row's polygon. */
typedef struct WmRowPoint {
  float x, y;
  int32_t column; /* truncated: -1 for all below the grid, `width` for all beyond */
  int32_t code;   /* 2 * class + 1 where exactly on the class's limit. The class is the first limit from -1 on
                     that is not below the point, at most width + 1 */
} WmRowPoint;

/* Truncated rows or columns and codes, as above, of four coordinates. */
static inline void wm_raster_find_lines(const WmRasterGrid *grid, int axis, WmFloat4 v, WmInt4 *truncated,
                                        WmInt4 *code) {
  const WmFloat4 origin = wm_splat_float4(grid->origin[axis]), cell = wm_splat_float4(grid->cell_size);
  const WmFloat4 one = wm_splat_float4(1.0f), least = wm_splat_float4(-1.0f);
  WmFloat4 cells = (v - origin) * wm_splat_float4(grid->inverse_cell_size);
  cells = wm_min_float4(wm_max_float4(cells, least), wm_splat_float4((float)grid->count[axis]));
  WmFloat4 index;
  const WmInt4 guess = wm_truncate_small_float4(cells, &index); /* there are fewer than 2^20 columns */
  const WmFloat4 grid_line = (origin + index * cell) + cell, before = (origin + (index - one) * cell) + cell;
  /* Truncation is off by one at most: on a limit, below it by rounding, or between -1 and 0. */
  const WmInt4 up = (WmInt4)(v > grid_line), down = (WmInt4)(v <= before) & (guess > wm_splat_int4(-1));
  const WmInt4 line = guess - up + down;
  const WmInt4 on_line = ((WmInt4)(v == grid_line) & ~down) | ((WmInt4)(v == before) & down);
  *truncated = guess;
  *code = line + line - on_line;
}

/* ---- Edges --------------------------------------------------------------------------------------- */

/* An edge to follow from limit to limit: the near end (before the first limit, or on it) and the far one
 * (beyond the last), each the coordinate that is cut and two that are carried along. */
typedef struct WmEdgeWalk {
  float near[4];    /* the end, and the first limit */
  float far[4];     /* the end, and the last limit */
  uint32_t count;   /* of limits, > 0 */
  uint32_t out;     /* of the first crossing, or of the cell before it, in the output */
  int32_t backward; /* 1 where the polygon runs from far to near: the crossing is formed from far then */
} WmEdgeWalk;

/* Follows edges (z; x, y) across rows: crossing i of a job becomes points[job.out + i].
 * scratch    order [count] */
void wm_follow_triangle_edges(const WmRasterGrid *grid, const WmEdgeWalk *edges, uint32_t count,
                              uint32_t *order, WmRowPoint *points);

/* ---- Polygons of rows ---------------------------------------------------------------------------- */

/* Two crossings at each limit and three corners make seven. */
enum { WM_ROW_POINTS = 8 };

typedef struct WmRowBatch WmRowBatch;

/* In scratch memory; NULL when there is none. The polygons' points are `points`. */
WmRowBatch *wm_row_batch_create(WmRaster *raster, const WmRowPoint *points);

/* Makes room for rows that reach no more than `bound` cells each. False when that fails, or something failed
 * before. */
bool wm_row_batch_reserve(WmRowBatch *batch, size_t rows, size_t bound);

/* Takes the polygon of row z: the numbers of three points at least, the last one repeated, each plus `step`.
 * There must be room for it. The points must stay until the next flush. */
void wm_row_batch_add(WmRowBatch *batch, int32_t z, const uint32_t points[WM_ROW_POINTS], uint32_t step,
                      int32_t count, uint8_t area);

/* Adds the cells of all rows taken to the raster. */
void wm_row_batch_flush(WmRowBatch *batch);

/* ---- Sources of runs ----------------------------------------------------------------------------- */

/* A triangle that touches the field. It is precise where cells are so much larger than the spacing of floats
 * at its corners and the grid's that a crossing computed at one limit lies below the next. */
typedef struct WmRasterTriangle {
  uint32_t triangle;
  int32_t row_first, row_last; /* -1..depth - 1, 0..depth - 1 */
  uint32_t bound;              /* on the cells of a row */
  bool is_precise;
} WmRasterTriangle;

/* Adds the runs of the triangles within the raster's band. */
WmStatus wm_raster_add_triangles(WmRaster *raster, const WmTriangles *triangles, const uint8_t *areas,
                                 const WmRasterTriangle *list, size_t count);

/* The cells that a solid, or a triangle that is not precise, is gathered in. */
typedef struct WmFootprint {
  const WmRasterGrid *grid;
  int32_t first[3], last[3];         /* column, -, row */
  int32_t column_first, column_last; /* of the cells that hold anything */
  size_t stride;
  float *low, *high; /* [rows][stride] minimum above maximum where a cell is empty */
  /* Recast counts what lies less than a cell below the grid's edge as part of the first row or column. This
   * cuts it away instead. */
  bool cut_edges;
} WmFootprint;

void wm_raster_widen_cell(WmFootprint *footprint, int32_t x, int32_t z, float low, float high);

/* Widens the cells that a checked solid touches. */
void wm_raster_gather_solid(WmFootprint *footprint, const WmSolid *solid);

/* Cuts a triangle into rows and cells, and widens those by its lowest and highest point in each. */
void wm_raster_clip_triangle(WmFootprint *footprint, const float *const corners[3]);

/* The cells a solid may touch: false where it lies outside the grid. */
bool wm_raster_solid_cells(const WmRasterGrid *grid, const WmSolid *solid, int32_t first[3], int32_t last[3]);

/* Adds the runs of a solid within the raster's band. */
WmStatus wm_raster_add_solid(WmRaster *raster, const WmSolid *solid);

/* Adds the runs of a triangle that need not be precise in rows of the band, the first of them -1 at least. */
void wm_raster_add_triangle(WmRaster *raster, const float *const corners[3], int32_t row_first,
                            int32_t row_last, uint8_t area);

#endif
