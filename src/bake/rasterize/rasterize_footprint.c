/* Footprints: the cells under one solid or triangle, with the interval over each, turned into runs.
 *
 * Solids find the intervals by their shapes (rasterize_solids.c). Triangles that aren't precise enough for
 * rasterize_triangles.c are cut at each cell (rasterize_clip.c). */
#include <math.h>

#include "bake/rasterize/rasterize_internal.h"
#include "bake/input/solid_shapes.h"

bool wm_raster_solid_cells(const WmRasterGrid *grid, const WmSolid *solid, int32_t first[3],
                           int32_t last[3]) {
  float low[3], high[3];
  wm_find_solid_bounds(solid, low, high);
  for (int axis = 0; axis < 3; axis++) {
    if (!(low[axis] <= grid->end[axis] && high[axis] >= grid->origin[axis])) return false;
    const int32_t final = grid->count[axis] - 1, before = wm_raster_cell(grid, axis, low[axis], final) - 1;
    first[axis] = before > 0 ? before : 0;
    last[axis] = wm_raster_cell(grid, axis, high[axis], final - 1) + 1;
  }
  return first[0] <= last[0] && first[2] <= last[2];
}

void wm_raster_widen_cell(WmFootprint *footprint, int32_t x, int32_t z, float low, float high, float flat) {
  const size_t cell =
      (size_t)(z - footprint->first[2]) * footprint->stride + (size_t)(x - footprint->first[0]);
  if (x < footprint->column_first) footprint->column_first = x;
  if (x > footprint->column_last) footprint->column_last = x;
  if (low < footprint->low[cell]) footprint->low[cell] = low;
  if (high > footprint->high[cell]) footprint->high[cell] = high;
  if (flat > footprint->flat[cell]) footprint->flat[cell] = flat;
}

/* ---- One solid or triangle --------------------------------------------------------------------------- */

static void empty_cells(float *low, float *high, float *flat, size_t count) {
  for (size_t i = 0; i < count; i++) low[i] = INFINITY, high[i] = flat[i] = -INFINITY;
}

/* Reserves empty cells. They stay with the raster, since columns allocate scratch memory of their own in
 * between. */
static bool reserve_cells(WmRaster *raster, size_t cells) {
  const size_t capacity = cells + raster->solid_capacity;
  if (cells <= raster->solid_capacity) return true;
  raster->solid_low = wm_scratch_array(raster->context, capacity + WM_RASTER_PADDING, 3 * sizeof(float));
  if (!raster->solid_low) return false;
  raster->solid_high = raster->solid_low + capacity;
  raster->solid_flat = raster->solid_high + capacity;
  raster->solid_capacity = capacity;
  empty_cells(raster->solid_low, raster->solid_high, raster->solid_flat, capacity);
  return true;
}

/* Adds the runs of a solid; or of a triangle, if `corners` is set. */
static void add_shape(WmRaster *raster, WmFootprint *footprint, const WmSolid *solid,
                      const float *const *corners, uint8_t area) {
  if (footprint->first[2] < raster->band_first) footprint->first[2] = raster->band_first;
  if (footprint->last[2] > raster->band_last) footprint->last[2] = raster->band_last;
  const int32_t rows = footprint->last[2] - footprint->first[2] + 1;
  if (rows <= 0 || raster->status) return;
  footprint->stride = (size_t)(footprint->last[0] - footprint->first[0] + 1);
  if (!reserve_cells(raster, (size_t)rows * footprint->stride)) {
    raster->status = WM_ERROR_OUT_OF_MEMORY;
    return;
  }
  footprint->grid = &raster->grid;
  footprint->low = raster->solid_low;
  footprint->high = raster->solid_high;
  footprint->flat = raster->solid_flat;
  footprint->slope_limit = raster->slope_limit;
  footprint->column_first = INT32_MAX;
  if (corners) {
    wm_raster_clip_triangle(footprint, corners);
  } else {
    wm_raster_gather_solid(footprint, solid);
  }
  const int32_t first = footprint->column_first, count = footprint->column_last - first + 1;
  if (count <= 0) return;
  size_t cell = (size_t)(first - footprint->first[0]);
  for (int32_t z = footprint->first[2]; z <= footprint->last[2]; z++, cell += footprint->stride) {
    float *low = footprint->low + cell, *high = footprint->high + cell, *flat = footprint->flat + cell;
    if (corners) {
      wm_raster_add_run(raster, z, first, count, low, high, area);
    } else {
      wm_raster_add_solid_runs(raster, z, first, count, low, high, flat, area);
    }
    empty_cells(low, high, flat, (size_t)count);
  }
}

WmStatus wm_raster_add_solid(WmRaster *raster, const WmSolid *solid) {
  WmFootprint footprint = {.cut_edges = true};
  if (wm_raster_solid_cells(&raster->grid, solid, footprint.first, footprint.last)) {
    add_shape(raster, &footprint, solid, NULL, solid->area);
  }
  return raster->status;
}

void wm_raster_add_triangle(WmRaster *raster, const float *const corners[3], int32_t row_first,
                            int32_t row_last, uint8_t area) {
  WmFootprint footprint = {.first = {0, 0, row_first}, .last = {raster->grid.count[0] - 1, 0, row_last}};
  add_shape(raster, &footprint, NULL, corners, area);
}
