/* Rasterization: triangles and solids to a heightfield of solid spans.
 *
 * in         a grid, triangles with areas, solids
 * out        for each cell the vertical intervals, in cell heights, that triangles or solids occupy
 * source     M. Mononen, Recast Navigation (2009-), for the results
 *
 * Each triangle gives runs of cells (rasterize_triangles.c), the runs of a row are merged into its columns
 * (rasterize_columns.c), and finished rows are appended to the result.
 *
 * Rows are processed in bands, so that runs use at most about four megabytes. A first pass over the
 * triangles drops those that don't touch the field, and bounds the number of cells of each row. A single
 * row that is still too large is merged in several portions. */
#include <math.h>
#include <string.h>

#include "bake/compact/open_rows.h"
#include "bake/rasterize/rasterize_internal.h"
#include "bake/input/slope.h"
#include "bake/input/solid_shapes.h"
#include "bake/validate.h"
#include "base/debug/assert.h"
#include "base/inline.h"

/* The load of a row bounds the cells of its runs: for each triangle or solid its cells and RUN_CELLS more,
 * as each run stores at least that many. Larger bands repeat less work for triangles that cross several;
 * smaller ones stay in the cache. */
enum { RUN_CELLS = 5, BOUND_CELLS = 8, LEAST_LOAD = RUN_CELLS + BOUND_CELLS, BAND_CELLS = 10 << 16 };

typedef struct Plan {
  uint64_t *loads; /* [depth + 1] loads of rows; at first differences from row to row */
  WmRasterList list;
} Plan;

/* ---- The grid ---------------------------------------------------------------------------------------- */

/* A crossing computed at one grid line must lie below the next line. Its error is below 20 units in the
 * last place of the largest coordinate, which is 20 * 2^-24 of it; 2^18 cells leave a factor of three. */
static const float PRECISE_CELLS = 262144.0f;
/* Differences of heights must not overflow. */
static const float PRECISE_HEIGHT = 1e38f;

static WM_COLD WmStatus set_up_grid(WmContext *context, const WmGrid *grid, WmRasterGrid *raster) {
  memcpy(raster->origin, grid->bounds_min, sizeof grid->bounds_min);
  memcpy(raster->end, grid->bounds_max, sizeof grid->bounds_max);
  raster->cell_size = grid->cell_size;
  raster->inverse_cell_size = 1.0f / grid->cell_size;
  raster->inverse_cell_height = 1.0f / grid->cell_height;
  raster->height = grid->bounds_max[1] - grid->bounds_min[1];
  raster->count[0] = grid->width;
  raster->count[2] = grid->depth;
  if (!(ceilf(raster->height * raster->inverse_cell_height) <= (float)WM_SPAN_HEIGHT_LIMIT)) {
    return wm_fail_range(context, WM_ERROR_LIMIT, "cellHeight", grid->cell_height,
                         ((double)grid->bounds_max[1] - (double)grid->bounds_min[1]) / WM_SPAN_HEIGHT_LIMIT,
                         NAN, "the level may be at most 65533 cells tall: raise cellHeight or set bounds");
  }
  return WM_OK;
}

/* ---- The first pass ---------------------------------------------------------------------------------- */

static void add_load(Plan *plan, int32_t row_first, int32_t row_last, int32_t columns) {
  const uint64_t load = (uint64_t)columns + RUN_CELLS;
  plan->loads[row_first > 0 ? row_first : 0] += load;
  plan->loads[row_last + 1] -= load;
}

static inline WmFloat4 load_corner(const WmTriangles *triangles, uint32_t index) {
  const float *p = triangles->positions + triangles->position_stride * (size_t)index;
  return (WmFloat4){p[0], p[1], p[2], 0};
}

/* Rows and columns of a point, clamped as by wm_raster_cell to -1 .. last. The lanes of y and the last one
 * have no meaning. */
static inline WmInt4 find_cells(const WmRasterGrid *grid, WmFloat4 point) {
  const WmFloat4 last = {(float)(grid->count[0] - 1), 0, (float)(grid->count[2] - 1), 0};
  const WmFloat4 origin = wm_load_float4(grid->origin);
  const WmFloat4 cells = (point - origin) * wm_splat_float4(grid->inverse_cell_size);
  return wm_truncate_float4(wm_min_float4(wm_max_float4(cells, wm_splat_float4(-1.0f)), last));
}

static inline void append_triangle(WmRasterList *list, WmRasterTriangle triangle) {
  WmRasterReach *group = &list->groups[list->count / WM_RASTER_GROUP];
  if (list->count % WM_RASTER_GROUP == 0) *group = (WmRasterReach){triangle.row_first, triangle.row_last};
  if (triangle.row_first < group->row_first) group->row_first = triangle.row_first;
  if (triangle.row_last > group->row_last) group->row_last = triangle.row_last;
  list->triangles[list->count++] = triangle;
}

/* Adds one triangle to the plan unless its bounding box misses the field. */
static inline void plan_triangle(const WmRasterGrid *grid, const WmTriangles *triangles, uint32_t triangle,
                                 Plan *plan) {
  const uint32_t *corner = triangles->indices + 3 * (size_t)triangle;
  const WmFloat4 a = load_corner(triangles, corner[0]), b = load_corner(triangles, corner[1]);
  const WmFloat4 c = load_corner(triangles, corner[2]);
  const WmFloat4 low = wm_min_float4(wm_min_float4(a, b), c), high = wm_max_float4(wm_max_float4(a, b), c);
  const WmFloat4 origin = wm_load_float4(grid->origin), end = wm_load_float4(grid->end);
  if (wm_mask_int4((WmInt4)(low <= end) & (WmInt4)(high >= origin)) != 15) return;
  const WmInt4 first = find_cells(grid, low), last = find_cells(grid, high);
  const float across = PRECISE_CELLS * grid->cell_size;
  const WmFloat4 reach = {across, PRECISE_HEIGHT, across, 1};
  const WmInt4 is_within =
      (WmInt4)(wm_min_float4(low, origin) > -reach) & (WmInt4)(wm_max_float4(high, end) < reach);
  const bool is_precise = (wm_mask_int4(is_within) & 7) == 7;
  const int32_t row_first = first[2], row_last = last[2] > 0 ? last[2] : 0;
  /* One cell more on each side than needed, since crossings are rounded, and one for points on the last
   * grid line on either side of the field. Without precision rounding may reach all columns. */
  const int32_t bound = (is_precise ? last[0] - first[0] : grid->count[0]) + BOUND_CELLS;
  append_triangle(&plan->list,
                  (WmRasterTriangle){triangle, row_first, row_last, (uint32_t)bound, is_precise});
  add_load(plan, row_first, row_last, bound);
}

static void plan_solids(const WmRasterGrid *grid, const WmSolid *solids, size_t count, Plan *plan) {
  for (size_t i = 0; i < count; i++) {
    int32_t first[3], last[3];
    if (!wm_raster_solid_cells(grid, &solids[i], first, last)) continue;
    for (int run = 0; run < 2; run++) add_load(plan, first[2], last[2], last[0] - first[0] + BOUND_CELLS);
  }
}

/* The last row of the band that begins at `first`: as many rows as fit, one at least. */
static int32_t end_band(const Plan *plan, int32_t depth, int32_t first) {
  uint64_t cells = plan->loads[first];
  int32_t last = first;
  while (last + 1 < depth && (cells += plan->loads[last + 1]) <= BAND_CELLS) last++;
  return last;
}

/* Allocates the runs of a band with a load of `cells`. */
static WM_COLD WmStatus allocate_runs(WmContext *context, const WmRasterGrid *grid, uint64_t cells,
                                      WmRuns *runs) {
  const size_t least = 2 * ((size_t)grid->count[0] + BOUND_CELLS);
  size_t capacity = cells < BAND_CELLS ? (size_t)cells : BAND_CELLS;
  if (capacity < least) capacity = least;
  *runs = (WmRuns){.cell_capacity = capacity, .run_capacity = capacity / LEAST_LOAD + 1};
  runs->runs = wm_scratch_array(context, runs->run_capacity, sizeof(WmRun));
  runs->low = wm_scratch_array(context, capacity + WM_RASTER_PADDING, 2 * sizeof(int16_t));
  runs->row_first = wm_scratch_array(context, (size_t)grid->count[2], 2 * sizeof(uint32_t));
  if (!runs->runs || !runs->low || !runs->row_first) return WM_ERROR_OUT_OF_MEMORY;
  runs->row_end = runs->row_first + grid->count[2];
  runs->high = runs->low + capacity + WM_RASTER_PADDING;
  return WM_OK;
}

/* ---- Runs -------------------------------------------------------------------------------------------- */

bool wm_raster_make_room(WmRaster *raster, size_t count, size_t cells) {
  WmRuns *runs = &raster->runs;
  if (raster->status) return false;
  if (count <= runs->run_capacity - runs->run_count && cells <= runs->cell_capacity - runs->cell_count) {
    runs->run_count += count;
    return true;
  }
  if (raster->band_first != raster->band_last) {
    raster->status =
        wm_fail(raster->context, WM_ERROR_INTERNAL, NULL, "rasterization: more cells than planned");
  } else {
    raster->status = wm_columns_merge(raster->context, &raster->columns, &raster->runs, raster->band_first,
                                      raster->band_last, false);
    runs->run_count += count;
  }
  return raster->status == WM_OK;
}

static void quantize_cells(const WmRasterGrid *grid, const float *minimum, const float *maximum, size_t count,
                           int16_t *low, int16_t *high) {
  for (size_t i = 0; i < count; i += 4) {
    wm_store_halves_short8(low + i, high + i,
                           wm_raster_cells(grid, wm_load_float4(minimum + i), wm_load_float4(maximum + i)));
  }
}

WM_COLD void wm_raster_add_run(WmRaster *raster, int32_t row, int32_t first, int32_t count,
                               const float *minimum, const float *maximum, uint8_t area) {
  if (!wm_raster_make_room(raster, 1, (size_t)count)) return;
  WmRuns *runs = &raster->runs;
  wm_raster_append_run(
      runs, row, (WmRun){(uint32_t)runs->cell_count, (uint16_t)first, (uint16_t)count, area, false, false});
  quantize_cells(&raster->grid, minimum, maximum, (size_t)count, runs->low + runs->cell_count,
                 runs->high + runs->cell_count);
  runs->cell_count += (size_t)count;
}

WM_COLD void wm_raster_add_solid_runs(WmRaster *raster, int32_t row, int32_t first, int32_t count,
                                      const float *minimum, const float *maximum, const float *flat,
                                      uint8_t area) {
  const size_t cells = (size_t)count;
  if (!wm_raster_make_room(raster, 2, 2 * cells)) return;
  WmRuns *runs = &raster->runs;
  /* The cells that aren't walkable, then those that are: each cell has its heights in one of both runs. */
  WmRun run = {(uint32_t)runs->cell_count, (uint16_t)first, (uint16_t)count, WM_AREA_NULL, false, true};
  int16_t *low = runs->low + runs->cell_count, *high = runs->high + runs->cell_count;
  quantize_cells(&raster->grid, minimum, maximum, cells, low, high);
  quantize_cells(&raster->grid, minimum, flat, cells, low + cells, high + cells);
  for (size_t i = 0; i < cells; i++) {
    const bool is_walkable =
        high[cells + i] != WM_RASTER_NO_HIGH && high[i] - high[cells + i] <= raster->columns.climb;
    const size_t other = is_walkable ? i : cells + i;
    low[cells + i] = low[i];
    high[cells + i] = high[i];
    low[other] = WM_RASTER_NO_LOW;
    high[other] = WM_RASTER_NO_HIGH;
  }
  wm_raster_append_run(runs, row, run);
  run.heights += (uint32_t)count;
  run.area = area;
  wm_raster_append_run(runs, row, run);
  runs->cell_count += 2 * cells;
}

/* ---- The whole --------------------------------------------------------------------------------------- */

/* Plans all triangles and solids.
 * out        *cells: the load of all rows */
static WmStatus make_plan(WmContext *context, const WmRasterGrid *grid, const WmRasterInput *input,
                          Plan *plan, uint64_t *cells) {
  const size_t count = input->subset ? input->subset_count : input->triangles->triangle_count;
  *plan = (Plan){
      .loads = wm_scratch_zeroed(context, (size_t)grid->count[2] + 1, sizeof(uint64_t)),
      .list = {.triangles = wm_scratch_array(context, count, sizeof(WmRasterTriangle)),
               .groups = wm_scratch_array(context, count / WM_RASTER_GROUP + 1, sizeof(WmRasterReach))}};
  if (!plan->loads || !plan->list.triangles || !plan->list.groups) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) {
    plan_triangle(grid, input->triangles, input->subset ? input->subset[i] : (uint32_t)i, plan);
  }
  plan_solids(grid, input->solids, input->solid_count, plan);
  uint64_t load = 0;
  *cells = 0;
  for (int32_t z = 0; z < grid->count[2]; z++) *cells += plan->loads[z] = load += plan->loads[z];
  return WM_OK;
}

/* Divides the runs among the band's rows. A run has a load of LEAST_LOAD at least, so that all fit. */
static void divide_runs(WmRaster *raster, const Plan *plan) {
  uint32_t first = 0;
  for (int32_t z = raster->band_first; z <= raster->band_last; z++) {
    raster->runs.row_first[z] = raster->runs.row_end[z] = first;
    first += (uint32_t)(plan->loads[z] / LEAST_LOAD);
  }
}

static WmStatus rasterize_band(WmRaster *raster, const WmRasterInput *input, const Plan *plan) {
  WmStatus status = wm_raster_add_triangles(raster, input->triangles, input->areas, &plan->list);
  for (size_t i = 0; i < input->solid_count && !status; i++) {
    status = wm_raster_add_solid(raster, &input->solids[i]);
  }
  if (status) return status;
  return wm_columns_merge(raster->context, &raster->columns, &raster->runs, raster->band_first,
                          raster->band_last, true);
}

static WmStatus rasterize(WmContext *context, const WmGrid *grid, int32_t climb, const WmRasterInput *input,
                          WmSpanRowSink sink) {
  WmRaster raster = {.context = context, .slope_limit = wm_slope_limit(input->max_slope_degrees)};
  Plan plan;
  uint64_t cells;
  WmStatus status = wm_check_solids(context, input->solids, input->solid_count);
  if (!status) status = set_up_grid(context, grid, &raster.grid);
  if (!status) status = make_plan(context, &raster.grid, input, &plan, &cells);
  if (!status) status = allocate_runs(context, &raster.grid, cells, &raster.runs);
  if (!status) status = wm_columns_start(context, &raster.columns, grid, climb, sink);
  while (!status && raster.band_first < grid->depth) {
    raster.band_last = end_band(&plan, grid->depth, raster.band_first);
    divide_runs(&raster, &plan);
    status = rasterize_band(&raster, input, &plan);
    if (!status) wm_edge_stops_turn(&raster.stops);
    raster.band_first = raster.band_last + 1;
  }
  return status;
}

WmStatus wm_rasterize(WmContext *context, const WmGrid *grid, int32_t walkable_climb,
                      const WmTriangles *triangles, const uint8_t *areas, const uint32_t *subset,
                      size_t subset_count, const WmSolid *solids, size_t solid_count, float max_slope_degrees,
                      WmHeightfield *field) {
  const WmRasterInput input = {triangles, areas,       subset,           subset_count,
                               solids,    solid_count, max_slope_degrees};
  const WmScratchMark mark = wm_scratch_mark(context);
  WmFieldBuilder builder;
  memset(field, 0, sizeof *field);
  WmStatus status = wm_field_builder_start(context, grid, &builder);
  if (!status)
    status = rasterize(context, grid, walkable_climb, &input,
                       (WmSpanRowSink){wm_field_builder_append_row, &builder});
  if (!status) status = wm_field_builder_finish(context, grid, &builder, field);
  wm_scratch_rewind(context, mark);
  if (!status) WM_VALIDATE(wm_heightfield_validate(field));
  return status;
}

WmStatus wm_rasterize_open(WmContext *context, const WmGrid *grid, const WmFilterSettings *settings,
                           const WmRasterInput *input, WmOpenRows *rows, WmAir **air) {
  const WmScratchMark mark = wm_scratch_mark(context);
  if (air) *air = NULL;
  WmOpenSpanSink sink;
  WmAirRows air_rows;
  WmStatus status = wm_open_span_sink_start(context, grid, settings, rows, air ? &air_rows : NULL, &sink);
  if (!status) {
    status = rasterize(context, grid, settings->walkable_climb, input,
                       (WmSpanRowSink){wm_open_span_sink_write, &sink});
  }
  if (!status) status = wm_open_span_sink_write(context, &sink, NULL, grid->depth);
  if (!status && air) status = wm_air_rows_finish(context, &air_rows, air);
  if (status) wm_open_rows_free(context, rows);
  wm_scratch_rewind(context, mark);
  if (!status) WM_VALIDATE(wm_open_rows_validate(rows));
  return status;
}
