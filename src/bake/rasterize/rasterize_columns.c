/* Runs to columns of spans.
 *
 * in         runs in the order of triangles
 * out        for each cell its spans from the bottom, at least one cell height apart, written to the sink row
 *            by row
 * source     M. Mononen, Recast Navigation (2009-), for the merge rule
 *
 * The runs of a row are merged into the row's layers: layer k holds span k of every column, side by side, so
 * that a run meets eight columns at a time. A cell that finds its layer empty, or touches only the span
 * there, is merged without a branch. A cell above that span goes on to the next layer. A cell that joins
 * several spans absorbs the lower ones first, and those above move down.
 *
 * A row that grows deep is finished one column at a time. The spans of a column then lie in a table by
 * height, and a few words of bits find the spans that a cell touches, so that n cells take O(n) for any
 * number and order of spans.
 *
 * The merge rule: a span absorbs every span it touches, from the bottom. If the tops then differ by at
 * most the climb, the larger area number wins, otherwise the newer span's. The union does not depend on
 * the order, the area does. A solid's runs, which come last, differ in one point: if the solid's top is lower by
 * more than the climb, the older span's area wins. Otherwise a box would make the steep roof that stands on it
 * walkable. */
#include <string.h>

#include "bake/rasterize/rasterize_internal.h"
#include "base/debug/assert.h"
#include "base/inline.h"

/* Eight cells may go through SHALLOW layers on average, plus SHALLOW_START in all, before the row changes
 * to single columns, which cost as much as about 100 layers. */
enum { LANES = 8, NO_LOW = WM_RASTER_NO_LOW, NO_HIGH = WM_RASTER_NO_HIGH, FIRST_LAYERS = 4 };
enum { SHALLOW = 64, SHALLOW_START = 4096 };

/* ---- Layers ------------------------------------------------------------------------------------------ */

/* The address of the low of span `layer` of column `x`; high and area follow, a stride apart. */
WM_INLINE int16_t *find_span(const WmColumns *columns, uint32_t layer, uint32_t x) {
  return columns->layers + 3 * columns->stride * layer + x;
}

/* Makes sure that the layer behind the used ones exists, and is empty. */
static WM_COLD WmStatus reserve_layer(WmContext *context, WmColumns *columns) {
  const uint32_t old = columns->layer_capacity;
  if (columns->layers_used < old) return WM_OK;
  const uint32_t capacity = old ? 2 * old : FIRST_LAYERS;
  int16_t *layers =
      wm_scratch_grow(context, columns->layers, old, capacity, 3 * columns->stride * sizeof *layers);
  if (!layers) return WM_ERROR_OUT_OF_MEMORY;
  columns->layers = layers;
  columns->layer_capacity = capacity;
  for (uint32_t k = old; k < capacity; k++) {
    for (uint32_t x = 0; x < columns->stride; x += LANES)
      wm_span_row_clear_eight(find_span(columns, k, x), columns->stride);
  }
  return WM_OK;
}

WmStatus wm_columns_start(WmContext *context, WmColumns *columns, const WmGrid *grid, int32_t climb,
                          WmSpanRowSink sink) {
  const size_t width = (size_t)grid->width;
  *columns = (WmColumns){.width = (uint32_t)width,
                         .stride = (width + WM_RASTER_PADDING) & ~(size_t)(LANES - 1),
                         .climb = (uint16_t)(climb < 0            ? 0
                                             : climb < UINT16_MAX ? climb
                                                                  : UINT16_MAX),
                         .credit = SHALLOW_START,
                         .layers_used = 1,
                         .sink = sink};
  return reserve_layer(context, columns);
}

/* ---- Eight columns at a time ------------------------------------------------------------------------- */

/* Eight cells of a run on their way up. Lanes that are done have low NO_LOW, high NO_HIGH and area 0,
 * which leave any span unchanged. */
typedef struct Cells {
  WmShort8 low, high, area;
} Cells;

/* Marks all lanes outside the mask `lanes` as done. `none`: NO_HIGH in all lanes. */
WM_INLINE void retain_lanes(Cells *cells, WmShort8 lanes, WmShort8 none) {
  /* Inside the mask the least number, which changes no maximum; outside of it NO_LOW. */
  const WmShort8 least = lanes ^ ~none;
  cells->low = wm_max_short8(cells->low, least);
  cells->high = wm_min_short8(cells->high, lanes ^ none);
  cells->area &= lanes;
}

/* Removes the spans of the masked lanes from a layer: those above move down by one. */
WM_INLINE void remove_spans(int16_t *layer, size_t stride, WmShort8 lanes) {
  const int16_t *above = layer + 3 * stride;
  WmShort8 highs;
  do {
    highs = wm_load_short8(above + stride) & lanes;
    for (int k = 0; k < 3; k++, layer += stride, above += stride) {
      wm_store_short8(layer, wm_select_short8(lanes, wm_load_short8(above), wm_load_short8(layer)));
    }
  } while (wm_any_short8((WmShort8)(highs != (lanes & wm_splat_short8(NO_HIGH)))));
}

/* The remaining work on the cells after a layer. Displaced cells are spans of this layer, which lie below those of
 * the next. */
typedef enum Rest { REST_NONE, REST_NEXT_LAYER, REST_SAME_LAYER, REST_DISPLACED } Rest;

/* Merges the cells into a layer, lane by lane: an empty layer, or one whose span is the only one that the
 * cell touches, stores the result. A cell below the span replaces it, and the span goes on instead. A cell
 * above it goes on. A cell that also touches the span of the next layer absorbs the span here, and the
 * same layer must be merged again. */
WM_INLINE Rest merge_layer(int16_t *lows, size_t stride, WmUshort8 climb, WmShort8 none, bool solids,
                           Cells *cells) {
  int16_t *const highs = lows + stride, *const areas = highs + stride;
  const WmShort8 low = cells->low, high = cells->high;
  const WmShort8 old_high = wm_load_short8(highs), seeks = (WmShort8)(high > none);
  const WmShort8 both = seeks & (WmShort8)(old_high > none), above = both & (WmShort8)(old_high < low);
  if (!wm_any_short8(seeks & ~above)) return wm_any_short8(seeks) ? REST_NEXT_LAYER : REST_NONE;
  const WmShort8 old_low = wm_load_short8(lows), old_area = wm_load_short8(areas);
  const WmShort8 next_low = wm_load_short8(areas + stride), below = both & (WmShort8)(high < old_low);
  /* In an empty layer all of this gives the cell itself. */
  const WmShort8 bottom = wm_min_short8(low, old_low), top = wm_max_short8(high, old_high);
  const WmShort8 is_near =
      (WmShort8)wm_opaque_mask_int4((WmInt4)(((WmUshort8)top - (WmUshort8)old_high) <= climb));
  WmShort8 new_area = cells->area;
  if (solids) new_area &= (WmShort8)(((WmUshort8)top - (WmUshort8)high) <= climb);
  const WmShort8 area = wm_max_short8(new_area, old_area & is_near);
  /* Opaque: compilers form the masks below from single bits otherwise. */
  const WmShort8 apart = (WmShort8)wm_opaque_mask_int4((WmInt4)(above | below));
  const WmShort8 reaches_next = (WmShort8)(top >= next_low);
  wm_store_short8(lows, bottom); /* if they are apart, the lower one stays */
  if (!wm_any_short8(apart | reaches_next)) {
    wm_store_short8(highs, top);
    wm_store_short8(areas, area);
    return REST_NONE;
  }
  const WmShort8 lower_area = wm_select_short8(above, old_area, cells->area);
  const WmShort8 upper_area = wm_select_short8(above, cells->area, old_area);
  wm_store_short8(highs, wm_select_short8(apart, wm_min_short8(high, old_high), top));
  wm_store_short8(areas, wm_select_short8(apart, lower_area, area));
  cells->low = wm_select_short8(apart, wm_max_short8(low, old_low), bottom);
  cells->high = top;
  cells->area = wm_select_short8(apart, upper_area, area);
  retain_lanes(cells, apart | reaches_next, none);
  const WmShort8 absorbing = reaches_next & ~apart;
  if (!wm_any_short8(absorbing)) return wm_any_short8(above) ? REST_NEXT_LAYER : REST_DISPLACED;
  remove_spans(lows, stride, absorbing);
  return REST_SAME_LAYER;
}

WM_INLINE void store_cells(int16_t *span, size_t stride, const Cells *cells) {
  wm_store_short8(span, cells->low);
  wm_store_short8(span + stride, cells->high);
  wm_store_short8(span + 2 * stride, cells->area);
}

/* Stores displaced spans in the layer `span`, and moves those that lie there up by one, until a layer is empty in
 * their lanes. Returns the number of that layer. */
WM_INLINE uint32_t move_up(int16_t *span, size_t stride, uint32_t layer, WmShort8 none, Cells cells) {
  const WmShort8 lanes = (WmShort8)(cells.high > none);
  for (;; layer++, span += 3 * stride) {
    const Cells old = {wm_load_short8(span), wm_load_short8(span + stride),
                       wm_load_short8(span + 2 * stride)};
    wm_store_short8(span, wm_select_short8(lanes, cells.low, old.low));
    wm_store_short8(span + stride, wm_select_short8(lanes, cells.high, old.high));
    wm_store_short8(span + 2 * stride, wm_select_short8(lanes, cells.area, old.area));
    if (!wm_any_short8(lanes & (WmShort8)(old.high > none))) return layer;
    cells = old;
  }
}

/* Merges cells into the layers of eight columns, from `span` on. Cells above all `layers_used` go into the layer
 * after them, which is empty. Returns the layer in which the last of them stayed. */
WM_INLINE uint32_t merge_eight(int16_t *span, size_t stride, uint32_t layers_used, WmUshort8 climb,
                               WmShort8 none, bool solids, Cells cells) {
  uint32_t layer = 0;
  for (Rest rest; (rest = merge_layer(span, stride, climb, none, solids, &cells)) != REST_NONE;) {
    if (rest == REST_SAME_LAYER) continue;
    span += 3 * stride;
    layer++;
    if (rest == REST_DISPLACED) return move_up(span, stride, layer, none, cells);
    if (layer < layers_used) continue;
    store_cells(span, stride, &cells);
    break;
  }
  return layer;
}

/* Eight cells of a run, from its cell i on. */
WM_INLINE Cells take_cells(const WmRuns *runs, const WmRun *run, uint32_t i, WmShort8 none) {
  enum { IN = NO_HIGH, OUT = NO_LOW };
  static const int16_t bounds[3 * LANES] = {IN,  IN,  IN,  IN,  IN, IN, IN, IN, OUT, OUT, OUT, OUT,
                                            OUT, OUT, OUT, OUT, IN, IN, IN, IN, IN,  IN,  IN,  IN};
  const uint32_t left = run->count - i;
  WmShort8 low = wm_splat_short8((int16_t)run->heights),
           high = wm_splat_short8((int16_t)(run->heights >> 16));
  if (!run->is_flat) {
    low = wm_load_short8(runs->low + run->heights + i);
    high = wm_load_short8(runs->high + run->heights + i);
  }
  /* Cells beyond the run are done. */
  const int16_t *end = bounds + LANES - (left < LANES ? left : LANES);
  Cells cells = {.low = wm_max_short8(low, wm_load_short8(end)),
                 .high = wm_min_short8(high, wm_load_short8(end + LANES))};
  const WmShort8 is_live = (WmShort8)wm_opaque_mask_int4((WmInt4)(cells.high > none));
  cells.area = wm_splat_short8((int16_t)run->area) & is_live;
  return cells;
}

/* Merges the runs first..end - 1 of a row, the first one from its cell *at on, until the row is deep or has no empty
 * layer left. Returns how many are merged; of the next one *at cells are. Without calls: around a call, even one
 * that hardly ever happens, engines move all vectors to memory and back. */
WM_INLINE uint32_t merge_runs(WmColumns *columns, const WmRuns *runs, uint32_t first, uint32_t end,
                              bool solids, uint32_t *at) {
  const size_t stride = columns->stride;
  const WmUshort8 climb = (WmUshort8)wm_splat_short8((int16_t)columns->climb);
  /* Opaque: compilers turn "above the least number" into "not equal", which takes engines three instructions. */
  const WmShort8 none = (WmShort8)wm_opaque_mask_int4((WmInt4)wm_splat_short8(NO_HIGH));
  int16_t *const layers = columns->layers;
  const uint32_t capacity = columns->layer_capacity;
  uint32_t layers_used = columns->layers_used, i = *at;
  int64_t credit = columns->credit;
  const WmRun *run = runs->runs + first, *const last = runs->runs + end;
  do {
    while (i < run->count && layers_used < capacity) {
      const Cells cells = take_cells(runs, run, i, none);
      const uint32_t layer =
          merge_eight(layers + run->first + i, stride, layers_used, climb, none, solids, cells);
      layers_used += layer == layers_used;
      credit += SHALLOW - (int64_t)layer;
      i += LANES;
    }
    if (i < run->count) break;
    i = 0;
    run++;
  } while (run < last && credit >= 0);
  columns->layers_used = layers_used;
  columns->credit = credit;
  *at = i;
  return (uint32_t)(run - (runs->runs + first));
}

static WM_NOINLINE uint32_t merge_triangles(WmColumns *columns, const WmRuns *runs, uint32_t first,
                                            uint32_t end, uint32_t *at) {
  return merge_runs(columns, runs, first, end, false, at);
}

static WM_NOINLINE uint32_t merge_solids(WmColumns *columns, const WmRuns *runs, uint32_t first, uint32_t end,
                                         uint32_t *at) {
  return merge_runs(columns, runs, first, end, true, at);
}

/* ---- One column at a time ---------------------------------------------------------------------------- */

enum { HEIGHTS = 1 << 16, NO_HEIGHT = HEIGHTS, BITS = 64, LEVELS = 3 };

/* The spans of a column by their highs, minus NO_HIGH. A bit of levels[0] is set for each span; a bit of
 * each further level is set for each word of the level before that isn't 0. */
typedef struct WmDeepColumn {
  uint64_t levels[LEVELS][HEIGHTS / BITS];
  int16_t low[HEIGHTS];
  uint8_t area[HEIGHTS];
} WmDeepColumn;

/* The first span whose high is at least `height`; NO_HEIGHT if there is none. */
WM_COLD static uint32_t find_high(const WmDeepColumn *column, uint32_t height) {
  for (int level = 0; level < LEVELS; level++, height = height / BITS + 1) {
    const uint32_t word = height / BITS;
    const uint64_t bits = word < HEIGHTS / BITS ? column->levels[level][word] >> height % BITS : 0;
    if (!bits) continue;
    height += (uint32_t)__builtin_ctzll(bits);
    while (level-- > 0) height = height * BITS + (uint32_t)__builtin_ctzll(column->levels[level][height]);
    return height;
  }
  return NO_HEIGHT;
}

static void set_high(WmDeepColumn *column, uint32_t height) {
  for (int level = 0; level < LEVELS; level++, height /= BITS) {
    column->levels[level][height / BITS] |= UINT64_C(1) << height % BITS;
  }
}

static void clear_high(WmDeepColumn *column, uint32_t height) {
  for (int level = 0; level < LEVELS; level++, height /= BITS) {
    uint64_t *word = &column->levels[level][height / BITS];
    *word &= ~(UINT64_C(1) << height % BITS);
    if (*word) return;
  }
}

WM_COLD static void add_span(WmDeepColumn *column, int16_t low, int16_t high, uint8_t area, bool is_solid,
                             uint32_t climb) {
  for (uint32_t at; (at = find_high(column, (uint32_t)(low - NO_HIGH))) < NO_HEIGHT; clear_high(column, at)) {
    const int32_t old_high = (int32_t)at + NO_HIGH;
    if (column->low[at] > high) break;
    if (column->low[at] < low) low = column->low[at];
    if (is_solid && old_high > high && (uint32_t)(old_high - high) > climb) area = WM_AREA_NULL;
    if (old_high > high) high = (int16_t)old_high;
    if (column->area[at] > area && (uint32_t)(high - old_high) <= climb) area = column->area[at];
  }
  const uint32_t height = (uint32_t)(high - NO_HIGH);
  set_high(column, height);
  column->low[height] = low;
  column->area[height] = area;
}

/* Merges cells of runs, given by the numbers of the runs, into column x. */
WM_COLD static WmStatus merge_column(WmContext *context, WmColumns *columns, const WmRuns *runs,
                                     const uint32_t *numbers, uint32_t count, uint32_t x) {
  const size_t stride = columns->stride;
  WmDeepColumn *column = columns->deep;
  for (uint32_t layer = 0; layer < columns->layers_used; layer++) {
    const int16_t *span = find_span(columns, layer, x);
    if (span[stride] == NO_HIGH) break;
    add_span(column, span[0], span[stride], (uint8_t)span[2 * stride], false, columns->climb);
  }
  for (uint32_t i = 0; i < count; i++) {
    const WmRun *run = &runs->runs[numbers[i]];
    const size_t at = (size_t)run->heights + x - run->first;
    const int16_t low = run->is_flat ? (int16_t)run->heights : runs->low[at];
    const int16_t high = run->is_flat ? (int16_t)(run->heights >> 16) : runs->high[at];
    if (high == NO_HIGH) continue;
    add_span(column, low, high, (uint8_t)run->area, run->is_solid, columns->climb);
  }
  uint32_t layer = 0;
  for (uint32_t at = 0; (at = find_high(column, at)) < NO_HEIGHT; clear_high(column, at)) {
    if (layer == columns->layers_used) {
      columns->layers_used++;
      const WmStatus status = reserve_layer(context, columns);
      if (status) return status;
    }
    int16_t *span = find_span(columns, layer++, x);
    span[0] = column->low[at];
    span[stride] = (int16_t)((int32_t)at + NO_HIGH);
    span[2 * stride] = column->area[at];
  }
  for (; layer < columns->layers_used; layer++) {
    int16_t *span = find_span(columns, layer, x);
    if (span[stride] == NO_HIGH) break;
    span[0] = NO_LOW;
    span[stride] = NO_HIGH;
    span[2 * stride] = 0;
  }
  return WM_OK;
}

/* Merges the runs from..to - 1, of one row, column by column: first sorts their cells by column,
 * stably. */
static WM_COLD WmStatus merge_deep(WmContext *context, WmColumns *columns, const WmRuns *runs, uint32_t from,
                                   uint32_t to) {
  const uint32_t width = columns->width;
  if (!columns->deep) {
    columns->deep = wm_scratch_zeroed(context, 1, sizeof *columns->deep);
    columns->cell_first = wm_scratch_array(context, (size_t)width + 1, sizeof *columns->cell_first);
  }
  if (!columns->deep || !columns->cell_first) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t *const first = columns->cell_first;
  memset(first, 0, ((size_t)width + 1) * sizeof *first);
  /* `first` holds for each column: runs that begin there minus runs that ended before it; then the number
   * of cells; then the index of the first cell. */
  size_t cells = 0;
  for (uint32_t i = from; i < to; i++) {
    const WmRun *run = &runs->runs[i];
    first[run->first]++;
    first[run->first + run->count]--;
    cells += run->count;
  }
  columns->cells =
      wm_scratch_reserve(context, columns->cells, &columns->cell_capacity, cells, sizeof *columns->cells);
  if (!columns->cells) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t here = 0, end = 0;
  for (uint32_t x = 0; x < width; x++) {
    here += first[x];
    end += here;
    first[x] = end - here;
  }
  for (uint32_t i = from; i < to; i++) {
    const uint32_t x_first = runs->runs[i].first, x_end = x_first + runs->runs[i].count;
    for (uint32_t x = x_first; x < x_end; x++) columns->cells[first[x]++] = i;
  }
  WmStatus status = WM_OK;
  for (uint32_t x = 0, begin = 0; x < width && !status; begin = first[x++]) {
    if (first[x] > begin)
      status = merge_column(context, columns, runs, columns->cells + begin, first[x] - begin, x);
  }
  return status;
}

/* ---- The band ---------------------------------------------------------------------------------------- */

WmStatus wm_columns_merge(WmContext *context, WmColumns *columns, WmRuns *runs, int32_t first, int32_t last,
                          bool finish) {
  WmStatus status = WM_OK;
  for (int32_t row = first; row <= last && !status; row++) {
    uint32_t i = runs->row_first[row];
    const uint32_t end = runs->row_end[row];
    uint32_t first_solid = end;
    while (first_solid > i && runs->runs[first_solid - 1].is_solid) first_solid--;
    WM_ASSERT(end <= (row < last ? runs->row_first[row + 1] : runs->run_capacity));
    for (uint32_t at = 0; i < end && (columns->credit >= 0 || at > 0) && !status;) {
      i += i < first_solid ? merge_triangles(columns, runs, i, first_solid, &at)
                           : merge_solids(columns, runs, i, end, &at);
      status = reserve_layer(context, columns);
    }
    if (i < end && !status) {
      status = merge_deep(context, columns, runs, i, end);
    }
    runs->row_end[row] = runs->row_first[row];
    if (finish && !status) {
      const WmSpanRow solid = {columns->layers, columns->stride, columns->layers_used + 1};
      status = columns->sink.write(context, columns->sink.target, &solid, row);
      columns->layers_used = 1;
      columns->credit = SHALLOW_START;
    }
  }
  runs->run_count = runs->cell_count = 0;
  return status;
}
