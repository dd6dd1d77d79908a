/* Runs to columns of spans.
 *
 * in: runs in the order of triangles; out: for each cell its spans from the bottom, disjoint by at least one
 * cell height, appended row by row. Runs are sorted by row (counting sort, stable) and merged into the row's
 * layers: layer k holds span number k of every column, side by side, so that a run meets eight columns at a
 * time. A cell that finds its layer empty, or touches only the span there, is merged without a branch; one
 * that lies above it goes on to the next layer; the few others (between two spans, joining several, above
 * the last layer) are inserted one by one.
 *
 * The merge rule: a span absorbs every span it touches, from the bottom; when the tops then differ by at most
 * the climb, the larger area number wins, otherwise the newer span's. The union does not depend on the order,
 * the area does. Source of the rule: M. Mononen, Recast Navigation (2009-). */
#include <string.h>

#include "bake/rasterize_internal.h"

enum { LANES = 8, NO_LOW = 0xffff, CHUNK_SPANS = 1 << 15, FIRST_NODES = 256 };

/* A span on its way into a column. */
typedef struct Span {
  uint32_t low, high, area;
} Span;

/* ---- Start --------------------------------------------------------------------------------------- */

static void clear_layer(WmColumns *columns, int layer) {
  const size_t bytes = ((size_t)columns->width + WM_RASTER_PADDING) * sizeof(uint16_t);
  memset(columns->low[layer], 0xff, bytes);
  memset(columns->high[layer], 0, bytes);
  memset(columns->area[layer], 0, bytes);
}

WmStatus wm_columns_start(WmContext *context, WmColumns *columns, const WmGrid *grid, int32_t climb) {
  const size_t width = (size_t)grid->width, padded = width + WM_RASTER_PADDING;
  *columns = (WmColumns){.width = grid->width, .climb = climb < 0 ? 0 : climb, .layers_used = 1};
  if (columns->climb > UINT16_MAX) columns->climb = UINT16_MAX;
  for (int layer = 0; layer <= WM_RASTER_LAYERS; layer++) {
    columns->low[layer] = wm_scratch_array(context, padded, sizeof(uint16_t));
    if (!columns->low[layer]) return WM_ERROR_OUT_OF_MEMORY;
  }
  memset(columns->low[WM_RASTER_LAYERS], 0xff, padded * sizeof(uint16_t));
  for (int layer = 0; layer < WM_RASTER_LAYERS; layer++) {
    columns->high[layer] = wm_scratch_array(context, padded, sizeof(uint16_t));
    columns->area[layer] = wm_scratch_array(context, padded, sizeof(uint16_t));
    if (!columns->high[layer] || !columns->area[layer]) return WM_ERROR_OUT_OF_MEMORY;
    clear_layer(columns, layer);
  }
  columns->above = wm_scratch_zeroed(context, width, sizeof(uint32_t));
  columns->cell_first = wm_scratch_array(context, width * (size_t)grid->depth + 1, sizeof(uint32_t));
  return columns->above && columns->cell_first ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* ---- One span at a time -------------------------------------------------------------------------- */

/* Index + 1 of a free node; 0 when there is no memory. */
static uint32_t take_node(WmContext *context, WmColumns *columns) {
  if (columns->free_node) {
    const uint32_t node = columns->free_node;
    columns->free_node = columns->nodes[node - 1].above;
    return node;
  }
  if (columns->node_count == columns->node_capacity) {
    const uint32_t capacity = columns->node_capacity ? columns->node_capacity * 2 : FIRST_NODES;
    WmColumnNode *nodes =
        wm_scratch_grow(context, columns->nodes, columns->node_capacity, capacity, sizeof *nodes);
    if (!nodes) return 0;
    columns->nodes = nodes;
    columns->node_capacity = capacity;
  }
  return ++columns->node_count;
}

static void absorb(Span *span, uint32_t low, uint32_t high, uint32_t area, int32_t climb) {
  if (low < span->low) span->low = low;
  if (high > span->high) span->high = high;
  if ((int32_t)(span->high - high) <= climb && area > span->area) span->area = area;
}

static void set_list(WmColumns *columns, uint32_t x, uint32_t node) {
  columns->above[x] = node;
  columns->low[WM_RASTER_LAYERS][x] = node ? columns->nodes[node - 1].low : NO_LOW;
}

/* Takes the lowest span off a column's list. */
static Span take_lowest(WmColumns *columns, uint32_t x) {
  const uint32_t index = columns->above[x];
  WmColumnNode *node = &columns->nodes[index - 1];
  const Span span = {node->low, node->high, node->area};
  set_list(columns, x, node->above);
  node->above = columns->free_node;
  columns->free_node = index;
  return span;
}

/* Inserts a span into the list above a column's layers. */
static WmStatus insert_above(WmContext *context, WmColumns *columns, uint32_t x, Span span) {
  uint32_t previous = 0, next = columns->above[x];
  while (next && columns->nodes[next - 1].high < span.low) {
    previous = next;
    next = columns->nodes[next - 1].above;
  }
  while (next && columns->nodes[next - 1].low <= span.high) {
    WmColumnNode *node = &columns->nodes[next - 1];
    const uint32_t after = node->above;
    absorb(&span, node->low, node->high, node->area, columns->climb);
    node->above = columns->free_node;
    columns->free_node = next;
    next = after;
  }
  const uint32_t node = take_node(context, columns);
  if (!node) return WM_ERROR_OUT_OF_MEMORY;
  columns->nodes[node - 1] =
      (WmColumnNode){(uint16_t)span.low, (uint16_t)span.high, (uint16_t)span.area, next};
  if (previous) {
    columns->nodes[previous - 1].above = node;
  } else {
    set_list(columns, x, node);
  }
  return WM_OK;
}

static void store_span(WmColumns *columns, int layer, uint32_t x, Span span) {
  columns->low[layer][x] = (uint16_t)span.low;
  columns->high[layer][x] = (uint16_t)span.high;
  columns->area[layer][x] = (uint16_t)span.area;
}

static Span load_span(const WmColumns *columns, int layer, uint32_t x) {
  return (Span){columns->low[layer][x], columns->high[layer][x], columns->area[layer][x]};
}

/* The column's spans from `layer` on move up by one; the last one of a full column goes to the list. */
static WmStatus shift_up(WmContext *context, WmColumns *columns, uint32_t x, int layer) {
  int end = layer;
  while (end < WM_RASTER_LAYERS && columns->high[end][x] != 0) end++;
  if (end == WM_RASTER_LAYERS) {
    end--;
    const WmStatus status = insert_above(context, columns, x, load_span(columns, end, x));
    if (status) return status;
  }
  if (end + 1 > columns->layers_used) columns->layers_used = end + 1;
  for (; end > layer; end--) store_span(columns, end, x, load_span(columns, end - 1, x));
  return WM_OK;
}

/* The column's spans from layer `from` on move down to layer `to`, filled up from the list. */
static void shift_down(WmColumns *columns, uint32_t x, int to, int from) {
  for (; to < WM_RASTER_LAYERS; to++, from++) {
    Span span = {NO_LOW, 0, 0};
    if (from < WM_RASTER_LAYERS) {
      span = load_span(columns, from, x);
    } else if (columns->above[x]) {
      span = take_lowest(columns, x);
    }
    store_span(columns, to, x, span);
  }
}

/* The general insertion. Starts at `layer`: the spans below are known to lie below the new one. */
static WmStatus insert(WmContext *context, WmColumns *columns, uint32_t x, int layer, Span span) {
  while (layer < WM_RASTER_LAYERS && columns->high[layer][x] != 0 && columns->high[layer][x] < span.low)
    layer++;
  if (layer == WM_RASTER_LAYERS) return insert_above(context, columns, x, span);
  int end = layer;
  for (; end < WM_RASTER_LAYERS && columns->low[end][x] <= span.high && columns->high[end][x] != 0; end++) {
    const Span other = load_span(columns, end, x);
    absorb(&span, other.low, other.high, other.area, columns->climb);
  }
  if (end == WM_RASTER_LAYERS) {
    while (columns->above[x] && columns->nodes[columns->above[x] - 1].low <= span.high) {
      const Span other = take_lowest(columns, x);
      absorb(&span, other.low, other.high, other.area, columns->climb);
    }
  }
  if (end == layer) {
    const WmStatus status = shift_up(context, columns, x, layer);
    if (status) return status;
  } else if (end > layer + 1) {
    shift_down(columns, x, layer + 1, end);
  }
  store_span(columns, layer, x, span);
  if (layer + 1 > columns->layers_used) columns->layers_used = layer + 1;
  return WM_OK;
}

/* ---- Eight columns at a time --------------------------------------------------------------------- */

static inline WmUshort8 lanes_less(WmUshort8 a, WmUshort8 b) { return (WmUshort8)(a < b); }

static inline WmUshort8 max_ushort8(WmUshort8 a, WmUshort8 b) {
  return wm_select_ushort8(lanes_less(a, b), b, a);
}

static inline bool any_lane(WmUshort8 mask) { return wm_mask_byte16((WmByte16)mask) != 0; }

/* Up to eight cells of a run; `pending` lanes are still to be merged. */
typedef struct Cells {
  WmUshort8 low, high, pending;
  uint32_t x, area;
} Cells;

/* Merges the pending cells that belong into this layer's spans without touching others; returns the rest, and
 * in *above which lanes' spans lie wholly below the cell. */
static inline WmUshort8 merge_layer(WmColumns *columns, int layer, const Cells *cells, WmUshort8 *above) {
  uint16_t *const lows = columns->low[layer] + cells->x, *const highs = columns->high[layer] + cells->x;
  uint16_t *const areas = columns->area[layer] + cells->x;
  const WmUshort8 new_area = wm_splat_ushort8((uint16_t)cells->area);
  const WmUshort8 climb = wm_splat_ushort8((uint16_t)columns->climb);
  const WmUshort8 old_low = wm_load_ushort8(lows), old_high = wm_load_ushort8(highs);
  const WmUshort8 old_area = wm_load_ushort8(areas);
  const WmUshort8 next_low = wm_load_ushort8(columns->low[layer + 1] + cells->x);
  const WmUshort8 empty = (WmUshort8)(old_high == wm_splat_ushort8(0));
  const WmUshort8 top = max_ushort8(cells->high, old_high);
  *above = lanes_less(old_high, cells->low) & ~empty;
  /* Not above the old span, not below it, and not reaching the next. An empty layer's low is 0xffff, which is
   * above every top, so `empty` decides there. */
  const WmUshort8 joins = ~lanes_less(cells->high, old_low) & lanes_less(top, next_low) & ~*above;
  const WmUshort8 easy = cells->pending & (empty | joins);
  const WmUshort8 is_close = ~lanes_less(climb, top - old_high) | empty;
  const WmUshort8 bottom = wm_select_ushort8(lanes_less(cells->low, old_low), cells->low, old_low);
  const WmUshort8 area = wm_select_ushort8(is_close, max_ushort8(new_area, old_area), new_area);
  wm_store_ushort8(lows, wm_select_ushort8(easy, bottom, old_low));
  wm_store_ushort8(highs, wm_select_ushort8(easy, top, old_high));
  wm_store_ushort8(areas, wm_select_ushort8(easy, area, old_area));
  return cells->pending & ~easy;
}

static WmStatus insert_lanes(WmContext *context, WmColumns *columns, int layer, const Cells *cells,
                             WmUshort8 lanes) {
  uint16_t low[LANES], high[LANES], wanted[LANES];
  wm_store_ushort8(low, cells->low);
  wm_store_ushort8(high, cells->high);
  wm_store_ushort8(wanted, lanes);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!wanted[lane]) continue;
    const Span span = {low[lane], high[lane], cells->area};
    const WmStatus status = insert(context, columns, cells->x + lane, layer, span);
    if (status) return status;
  }
  return WM_OK;
}

/* Merges what the lowest layer did not take: `above` goes on upwards, the rest is inserted. */
static WmStatus merge_rest(WmContext *context, WmColumns *columns, Cells cells, WmUshort8 above) {
  int layer = 0;
  for (;;) {
    const WmUshort8 hard = cells.pending & ~above;
    if (any_lane(hard)) {
      const WmStatus status = insert_lanes(context, columns, layer, &cells, hard);
      if (status) return status;
    }
    cells.pending &= above;
    if (!any_lane(cells.pending)) return WM_OK;
    if (++layer == WM_RASTER_LAYERS) return insert_lanes(context, columns, layer, &cells, cells.pending);
    if (layer + 1 > columns->layers_used) columns->layers_used = layer + 1;
    cells.pending = merge_layer(columns, layer, &cells, &above);
  }
}

static WmStatus merge_run(WmContext *context, WmColumns *columns, const WmRuns *runs, const WmRun *run) {
  const uint16_t *low = runs->low + run->offset, *high = runs->high + run->offset;
  const WmUshort8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t i = 0; i < run->count; i += LANES) {
    const uint32_t left = run->count - i < LANES ? run->count - i : LANES;
    const WmUshort8 inside = lanes_less(lane, wm_splat_ushort8((uint16_t)left));
    Cells cells = {wm_load_ushort8(low + i), wm_load_ushort8(high + i) & inside, inside, run->first + i,
                   run->area};
    cells.pending = ~(WmUshort8)(cells.high == wm_splat_ushort8(0));
    WmUshort8 above;
    cells.pending = merge_layer(columns, 0, &cells, &above);
    if (!any_lane(cells.pending)) continue;
    const WmStatus status = merge_rest(context, columns, cells, above);
    if (status) return status;
  }
  return WM_OK;
}

/* ---- Finished rows ------------------------------------------------------------------------------- */

static WmSpanChunk *add_chunk(WmContext *context, WmColumns *columns, uint32_t room) {
  const uint32_t capacity = room > CHUNK_SPANS ? room : CHUNK_SPANS;
  WmSpanChunk *chunk = wm_scratch_zeroed(context, 1, sizeof *chunk);
  if (!chunk) return NULL;
  chunk->capacity = capacity;
  chunk->low = wm_scratch_array(context, capacity, sizeof *chunk->low);
  chunk->high = wm_scratch_array(context, capacity, sizeof *chunk->high);
  chunk->area = wm_scratch_array(context, capacity, sizeof *chunk->area);
  if (!chunk->low || !chunk->high || !chunk->area) return NULL;
  if (columns->last_chunk) {
    columns->last_chunk->next = chunk;
  } else {
    columns->first_chunk = chunk;
  }
  columns->last_chunk = chunk;
  return chunk;
}

static inline void append_span(WmSpanChunk *chunk, uint32_t low, uint32_t high, uint32_t area) {
  chunk->low[chunk->count] = (uint16_t)low;
  chunk->high[chunk->count] = (uint16_t)high;
  chunk->area[chunk->count] = (uint8_t)area;
  chunk->count++;
}

/* Writes the spans of one column. */
static inline void append_column(const WmColumns *columns, WmSpanChunk *chunk, uint32_t x) {
  for (int layer = 0; layer < columns->layers_used; layer++) {
    const uint16_t high = columns->high[layer][x];
    if (high == 0) return;
    append_span(chunk, columns->low[layer][x], high, columns->area[layer][x]);
  }
  for (uint32_t next = columns->above[x]; next; next = columns->nodes[next - 1].above) {
    const WmColumnNode *node = &columns->nodes[next - 1];
    append_span(chunk, node->low, node->high, node->area);
  }
}

/* Writes eight columns if each has exactly one span. */
static inline bool append_eight(const WmColumns *columns, WmSpanChunk *chunk, uint32_t x) {
  const WmUshort8 zero = wm_splat_ushort8(0);
  const WmUshort8 high = wm_load_ushort8(columns->high[0] + x);
  const WmUshort8 odd =
      (WmUshort8)(high == zero) | ~(WmUshort8)(wm_load_ushort8(columns->high[1] + x) == zero);
  if (any_lane(odd)) return false;
  wm_store_ushort8(chunk->low + chunk->count, wm_load_ushort8(columns->low[0] + x));
  wm_store_ushort8(chunk->high + chunk->count, high);
  wm_store_shorts_as_bytes(chunk->area + chunk->count, wm_load_ushort8(columns->area[0] + x));
  chunk->count += LANES;
  return true;
}

/* Writes all columns of the row and where each begins. */
static void append_columns(const WmColumns *columns, WmSpanChunk *chunk, uint32_t first_span,
                           uint32_t *cell_first) {
  const uint32_t width = (uint32_t)columns->width, shift = first_span - chunk->count;
  const WmInt4 four = {0, 1, 2, 3};
  uint32_t x = 0;
  for (; x + LANES <= width; x += LANES) {
    const WmInt4 first = wm_splat_int4((int32_t)(shift + chunk->count)) + four;
    if (append_eight(columns, chunk, x)) {
      wm_store_uint4(cell_first + x, (WmUint4)first);
      wm_store_uint4(cell_first + x + 4, (WmUint4)(first + wm_splat_int4(4)));
      continue;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
      cell_first[x + lane] = shift + chunk->count;
      append_column(columns, chunk, x + lane);
    }
  }
  for (; x < width; x++) {
    cell_first[x] = shift + chunk->count;
    append_column(columns, chunk, x);
  }
}

/* Appends the row to the result and empties it. */
static WmStatus finish_row(WmContext *context, WmColumns *columns, int32_t row) {
  const uint32_t width = (uint32_t)columns->width;
  uint32_t *cell_first = columns->cell_first + (size_t)row * width;
  const uint64_t room = (uint64_t)columns->layers_used * width + columns->node_count;
  if (columns->span_count + room > WM_NO_SPAN - 1u) {
    return wm_fail(context, WM_ERROR_LIMIT, "cellSize",
                   "the level has more than 4294967294 spans: raise cellSize or use tiles (tileSize)");
  }
  WmSpanChunk *chunk = columns->last_chunk;
  if (!chunk || chunk->capacity - chunk->count < room + 1) {
    chunk = add_chunk(context, columns, (uint32_t)room + 1);
    if (!chunk) return WM_ERROR_OUT_OF_MEMORY;
  }
  const uint32_t first_span = (uint32_t)columns->span_count, before = chunk->count;
  append_columns(columns, chunk, first_span, cell_first);
  columns->span_count += chunk->count - before;
  for (int layer = 0; layer < columns->layers_used; layer++) clear_layer(columns, layer);
  if (columns->node_count) {
    memset(columns->above, 0, width * sizeof(uint32_t));
    memset(columns->low[WM_RASTER_LAYERS], 0xff, width * sizeof(uint16_t));
  }
  columns->layers_used = 1;
  columns->node_count = columns->free_node = 0;
  return WM_OK;
}

/* ---- The band ------------------------------------------------------------------------------------ */

/* Sorts the numbers of the band's runs by row into runs->order; afterwards row_start[k] is the first of row
 * first + k, and row_start[rows] the end. */
static void sort_runs(WmRuns *runs, int32_t first, size_t rows) {
  uint32_t *next = runs->row_start + 1;
  memset(runs->row_start, 0, (rows + 2) * sizeof(uint32_t));
  for (size_t i = 0; i < runs->run_count; i++) next[runs->runs[i].row - (uint32_t)first + 1]++;
  for (size_t k = 0; k < rows; k++) next[k + 1] += next[k];
  /* next[k] is where row k begins; after all its runs are placed it is where the row ends. */
  for (size_t i = 0; i < runs->run_count; i++) {
    runs->order[next[runs->runs[i].row - (uint32_t)first]++] = (uint32_t)i;
  }
}

WmStatus wm_columns_merge(WmContext *context, WmColumns *columns, WmRuns *runs, int32_t first, int32_t last,
                          bool finish) {
  const size_t rows = (size_t)(last - first + 1);
  WmStatus status = WM_OK;
  sort_runs(runs, first, rows);
  for (size_t k = 0; k < rows && !status; k++) {
    for (uint32_t i = runs->row_start[k]; i < runs->row_start[k + 1] && !status; i++) {
      status = merge_run(context, columns, runs, &runs->runs[runs->order[i]]);
    }
    if (finish && !status) status = finish_row(context, columns, first + (int32_t)k);
  }
  runs->run_count = runs->cell_count = 0;
  return status;
}
