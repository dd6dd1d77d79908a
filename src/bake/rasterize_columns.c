/* Runs to columns of spans.
 *
 * in: runs in the order of triangles; out: for each cell its spans from the bottom, disjoint by at least one
 * cell height, given away row by row. The runs of a row are merged into the row's layers: layer k holds span
 * number k of every column, side by side, so that a run meets eight columns at a time. A cell that finds its
 * layer empty, or touches only the span there, is merged without a branch; one that lies above it goes on to
 * the next layer; one that joins several spans absorbs the lower ones first, and those above move down.
 *
 * The merge rule: a span absorbs every span it touches, from the bottom; when the tops then differ by at most
 * the climb, the larger area number wins, otherwise the newer span's. The union does not depend on the order,
 * the area does. Source of the rule: M. Mononen, Recast Navigation (2009-). */
#include <string.h>

#include "bake/rasterize_internal.h"
#include "base/inline.h"

enum { LANES = 8, NO_LOW = WM_RASTER_NO_LOW, NO_HIGH = WM_RASTER_NO_HIGH, FIRST_LAYERS = 4 };

/* ---- Layers -------------------------------------------------------------------------------------- */

/* Where span number `layer` of column `x` keeps its low; high and area follow a stride further each. */
WM_INLINE int16_t *find_span(const WmColumns *columns, uint32_t layer, uint32_t x) {
  return columns->layers + 3 * columns->stride * layer + x;
}

/* Makes room for spans in `layer`, the first not used, and the layer after it, which stays empty. */
static WM_COLD WmStatus open_layer(WmContext *context, WmColumns *columns, uint32_t layer) {
  columns->layers_used = layer + 1;
  const uint32_t old = columns->layer_capacity;
  if (layer + 2 <= old) return WM_OK;
  const uint32_t capacity = old ? 2 * old : FIRST_LAYERS;
  int16_t *layers =
      wm_scratch_grow(context, columns->layers, old, capacity, 3 * columns->stride * sizeof *layers);
  if (!layers) return WM_ERROR_OUT_OF_MEMORY;
  columns->layers = layers;
  columns->layer_capacity = capacity;
  for (uint32_t k = old; k < capacity; k++) {
    for (uint32_t x = 0; x < columns->stride; x += LANES)
      wm_solid_clear_eight(find_span(columns, k, x), columns->stride);
  }
  return WM_OK;
}

WmStatus wm_columns_start(WmContext *context, WmColumns *columns, const WmGrid *grid, int32_t climb,
                          WmSolidSink sink) {
  const size_t width = (size_t)grid->width;
  *columns = (WmColumns){.width = (uint32_t)width,
                         .stride = (width + WM_RASTER_PADDING) & ~(size_t)(LANES - 1),
                         .climb = (uint16_t)(climb < 0            ? 0
                                             : climb < UINT16_MAX ? climb
                                                                  : UINT16_MAX),
                         .sink = sink};
  return open_layer(context, columns, 0);
}

/* ---- Eight columns at a time --------------------------------------------------------------------- */

/* Up to eight cells of a run on their way up; `pending` lanes still seek their place. */
typedef struct Cells {
  WmShort8 low, high, area, pending;
} Cells;

/* Takes the spans of some lanes out of a layer: those above move down by one. */
static WM_COLD void remove_spans(int16_t *layer, size_t stride, WmShort8 lanes) {
  const int16_t *above = layer + 3 * stride;
  WmShort8 highs;
  do {
    highs = wm_load_short8(above + stride) & lanes;
    for (int k = 0; k < 3; k++, layer += stride, above += stride) {
      wm_store_short8(layer, wm_select_short8(lanes, wm_load_short8(above), wm_load_short8(layer)));
    }
  } while (wm_mask_short8((WmShort8)(highs != (lanes & wm_splat_short8(NO_HIGH)))));
}

/* Offers the pending cells to a layer. A cell that finds the layer empty, or touches only the span there,
 * stays; one below that span takes its place and the span goes on instead; one above it goes on. Returns
 * whether the layer is to be asked again: a cell that touches the span of the next layer too has absorbed the
 * one here. */
static inline bool merge_layer(int16_t *lows, size_t stride, WmUshort8 climb, Cells *cells) {
  int16_t *const highs = lows + stride, *const areas = highs + stride;
  const WmShort8 old_low = wm_load_short8(lows), old_high = wm_load_short8(highs);
  const WmShort8 old_area = wm_load_short8(areas), next_low = wm_load_short8(areas + stride);
  const WmShort8 occupied = cells->pending & (WmShort8)(old_high > wm_splat_short8(NO_HIGH));
  const WmShort8 above = occupied & (WmShort8)(old_high < cells->low);
  const WmShort8 below = occupied & (WmShort8)(cells->high < old_low);
  /* In an empty layer all of this gives the cell itself. */
  const WmShort8 bottom = wm_min_short8(cells->low, old_low), top = wm_max_short8(cells->high, old_high);
  const WmShort8 is_far = (WmShort8)(((WmUshort8)top - (WmUshort8)old_high) > climb);
  const WmShort8 area = wm_max_short8(cells->area, old_area & ~is_far);
  const WmShort8 free = cells->pending & ~(above | below);
  const WmShort8 joined = free & (WmShort8)(top < next_low), absorbing = free & ~joined;
  WmShort8 new_low = wm_select_short8(joined, bottom, old_low);
  WmShort8 new_high = wm_select_short8(joined, top, old_high);
  WmShort8 new_area = wm_select_short8(joined, area, old_area);
  if (wm_mask_short8(below)) {
    new_low = wm_select_short8(below, cells->low, new_low);
    new_high = wm_select_short8(below, cells->high, new_high);
    new_area = wm_select_short8(below, cells->area, new_area);
    cells->low = wm_select_short8(below, old_low, cells->low);
    cells->high = wm_select_short8(below, old_high, cells->high);
    cells->area = wm_select_short8(below, old_area, cells->area);
  }
  wm_store_short8(lows, new_low);
  wm_store_short8(highs, new_high);
  wm_store_short8(areas, new_area);
  cells->pending = above | below | absorbing;
  if (!wm_mask_short8(absorbing)) return false;
  cells->low = wm_select_short8(absorbing, bottom, cells->low);
  cells->high = wm_select_short8(absorbing, top, cells->high);
  cells->area = wm_select_short8(absorbing, area, cells->area);
  remove_spans(lows, stride, absorbing);
  return true;
}

static WmStatus merge_run(WmContext *context, WmColumns *columns, const WmRuns *runs, const WmRun *run) {
  const size_t stride = columns->stride;
  const WmUshort8 climb = (WmUshort8)wm_splat_short8((int16_t)columns->climb);
  const WmShort8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t i = 0; i < run->count; i += LANES) {
    const uint32_t left = run->count - i < LANES ? run->count - i : LANES, x = run->first + i;
    Cells cells = {.low = wm_load_short8(runs->low + run->offset + i),
                   .high = wm_load_short8(runs->high + run->offset + i),
                   .area = wm_splat_short8((int16_t)run->area)};
    cells.pending =
        (WmShort8)(lane < wm_splat_short8((int16_t)left)) & (WmShort8)(cells.high > wm_splat_short8(NO_HIGH));
    uint32_t layer = 0;
    for (;;) {
      if (merge_layer(find_span(columns, layer, x), stride, climb, &cells)) continue;
      if (!wm_mask_short8(cells.pending)) break;
      if (++layer < columns->layers_used) continue;
      const WmStatus status = open_layer(context, columns, layer);
      if (status) return status;
    }
  }
  return WM_OK;
}

/* ---- The band ------------------------------------------------------------------------------------ */

WmStatus wm_columns_merge(WmContext *context, WmColumns *columns, WmRuns *runs, int32_t first, int32_t last,
                          bool finish) {
  WmStatus status = WM_OK;
  for (int32_t row = first; row <= last && !status; row++) {
    uint32_t *end = &runs->row_last[row];
    if (*end) {
      uint32_t i = *end - 1;
      do {
        i = runs->runs[i].next;
        status = merge_run(context, columns, runs, &runs->runs[i]);
      } while (i != *end - 1 && !status);
    }
    *end = 0;
    if (finish && !status) {
      const WmSolidRow solid = {columns->layers, columns->stride, columns->layers_used + 1};
      status = columns->sink.take(context, columns->sink.taker, &solid, row);
      columns->layers_used = 1;
    }
  }
  runs->run_count = runs->cell_count = 0;
  return status;
}
