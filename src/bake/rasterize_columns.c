/* Runs to columns of spans.
 *
 * in: runs in the order of triangles; out: for each cell its spans from the bottom, disjoint by at least one
 * cell height, appended row by row. The runs of a row are merged into the row's layers: layer k holds span
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

enum {
  LANES = 8,
  NO_LOW = WM_RASTER_NO_LOW,
  NO_HIGH = WM_RASTER_NO_HIGH,
  CHUNK_SPANS = 1 << 15,
  FIRST_LAYERS = 4
};

/* ---- Layers -------------------------------------------------------------------------------------- */

/* Where span number `layer` of column `x` keeps its low; high and area follow a stride further each. */
WM_INLINE int16_t *find_span(const WmColumns *columns, uint32_t layer, uint32_t x) {
  return columns->layers + 3 * columns->stride * layer + x;
}

static void clear_eight(int16_t *span, size_t stride) {
  wm_store_short8(span, wm_splat_short8(NO_LOW));
  wm_store_short8(span + stride, wm_splat_short8(NO_HIGH));
  wm_store_short8(span + 2 * stride, wm_splat_short8(0));
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
      clear_eight(find_span(columns, k, x), columns->stride);
  }
  return WM_OK;
}

WmStatus wm_columns_start(WmContext *context, WmColumns *columns, const WmGrid *grid, int32_t climb) {
  const size_t width = (size_t)grid->width;
  *columns = (WmColumns){.width = (uint32_t)width,
                         .stride = (width + WM_RASTER_PADDING) & ~(size_t)(LANES - 1),
                         .climb = (uint16_t)(climb < 0            ? 0
                                             : climb < UINT16_MAX ? climb
                                                                  : UINT16_MAX)};
  columns->cell_first = wm_scratch_array(context, width * (size_t)grid->depth + 1, sizeof(uint32_t));
  return columns->cell_first ? open_layer(context, columns, 0) : WM_ERROR_OUT_OF_MEMORY;
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

/* ---- Finished rows ------------------------------------------------------------------------------- */

static WM_COLD WmSpanChunk *add_chunk(WmContext *context, WmColumns *columns, uint32_t room) {
  const uint32_t capacity = room > CHUNK_SPANS ? room : CHUNK_SPANS;
  WmSpanChunk *chunk = wm_scratch_zeroed(context, 1, sizeof *chunk);
  uint16_t *heights = wm_scratch_array(context, capacity, 2 * sizeof *heights);
  uint8_t *areas = wm_scratch_array(context, capacity, sizeof *areas);
  if (!chunk || !heights || !areas) return NULL;
  *chunk = (WmSpanChunk){.capacity = capacity, .low = heights, .high = heights + capacity, .area = areas};
  *(columns->last_chunk ? &columns->last_chunk->next : &columns->first_chunk) = chunk;
  columns->last_chunk = chunk;
  return chunk;
}

/* Appends up to eight columns to the chunk, notes where each begins in cell_first, and empties them. A span
 * that is not there is written too, and overwritten by the next one. */
static inline void append_columns(const WmColumns *columns, uint32_t x, uint32_t lanes, WmSpanChunk *chunk,
                                  uint32_t first_span, uint32_t *cell_first) {
  const WmShort8 none = wm_splat_short8(NO_HIGH); /* also the bias to take back */
  const size_t stride = columns->stride;
  int16_t *const spans = find_span(columns, 0, x);
  uint32_t count = chunk->count;
  uint16_t *const lows = chunk->low, *const highs = chunk->high;
  uint8_t *const areas = chunk->area;
  const int16_t *end = spans;
  while (wm_mask_short8((WmShort8)(wm_load_short8(end + stride) > none))) end += 3 * stride;
  if (lanes == LANES && end == spans + 3 * stride &&
      !wm_mask_short8((WmShort8)(wm_load_short8(spans + stride) == none))) {
    const WmInt4 first = wm_splat_int4((int32_t)(first_span + count)) + (WmInt4){0, 1, 2, 3};
    wm_store_int4((int32_t *)cell_first, first);
    wm_store_int4((int32_t *)cell_first + 4, first + wm_splat_int4(4));
    wm_store_ushort8(lows + count, (WmUshort8)(wm_load_short8(spans) ^ none));
    wm_store_ushort8(highs + count, (WmUshort8)(wm_load_short8(spans + stride) ^ none));
    wm_store_shorts_as_bytes(areas + count, wm_load_short8(spans + 2 * stride));
    count += LANES;
  } else {
    for (uint32_t lane = 0; lane < lanes; lane++) {
      cell_first[lane] = first_span + count;
      for (const int16_t *span = spans; span != end; span += 3 * stride) {
        lows[count] = (uint16_t)(span[lane] + WM_RASTER_BIAS);
        highs[count] = (uint16_t)(span[lane + stride] + WM_RASTER_BIAS);
        areas[count] = (uint8_t)span[lane + 2 * stride];
        count += span[lane + stride] != NO_HIGH;
      }
    }
  }
  for (int16_t *span = spans; span != end; span += 3 * stride) clear_eight(span, stride);
  chunk->count = count;
}

/* Appends the row to the result and empties it. */
static WmStatus finish_row(WmContext *context, WmColumns *columns, int32_t row) {
  const uint32_t width = columns->width;
  uint32_t *cell_first = columns->cell_first + (size_t)row * width;
  const uint64_t room = (uint64_t)columns->layers_used * width;
  if (columns->span_count + room > WM_NO_SPAN - 1u) {
    return wm_fail(context, WM_ERROR_LIMIT, "cellSize",
                   "the level has more than 4294967294 spans: raise cellSize or use tiles (tileSize)");
  }
  WmSpanChunk *chunk = columns->last_chunk;
  if (!chunk || chunk->capacity - chunk->count < room) chunk = add_chunk(context, columns, (uint32_t)room);
  if (!chunk) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t before = chunk->count, first_span = (uint32_t)columns->span_count - before;
  for (uint32_t x = 0; x < width; x += LANES) {
    const uint32_t lanes = width - x < LANES ? width - x : LANES;
    append_columns(columns, x, lanes, chunk, first_span, cell_first + x);
  }
  columns->span_count += chunk->count - before;
  columns->layers_used = 1;
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
    if (finish && !status) status = finish_row(context, columns, row);
  }
  runs->run_count = runs->cell_count = 0;
  return status;
}
