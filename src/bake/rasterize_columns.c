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

enum {
  LANES = 8,
  NO_LOW = WM_RASTER_NO_LOW,
  NO_HIGH = WM_RASTER_NO_HIGH,
  CHUNK_SPANS = 1 << 15,
  FIRST_NODES = 256
};

/* A span on its way into a column. */
typedef struct Span {
  int32_t low, high, area;
} Span;

/* ---- Start --------------------------------------------------------------------------------------- */

static void fill(int16_t *values, size_t count, int16_t value) {
  const WmShort8 eight = wm_splat_short8(value);
  for (size_t i = 0; i < count; i += LANES) wm_store_short8(values + i, eight);
}

static size_t padded_width(const WmColumns *columns) { return (size_t)columns->width + WM_RASTER_PADDING; }

/* Writes up to seven elements more than the width, which the padding holds. */
static void clear_layer(WmColumns *columns, int layer) {
  fill(columns->low[layer], (size_t)columns->width, NO_LOW);
  fill(columns->high[layer], (size_t)columns->width, NO_HIGH);
  fill(columns->area[layer], (size_t)columns->width, 0);
}

WmStatus wm_columns_start(WmContext *context, WmColumns *columns, const WmGrid *grid, int32_t climb) {
  const size_t width = (size_t)grid->width, cells = width * (size_t)grid->depth;
  *columns = (WmColumns){.width = grid->width, .climb = climb < 0 ? 0 : climb, .layers_used = 1};
  if (columns->climb > 2 * INT16_MAX) columns->climb = 2 * INT16_MAX; /* as good as any */
  for (int layer = 0; layer <= WM_RASTER_LAYERS; layer++) {
    columns->low[layer] = wm_scratch_array(context, padded_width(columns), sizeof(int16_t));
    if (!columns->low[layer]) return WM_ERROR_OUT_OF_MEMORY;
    fill(columns->low[layer], padded_width(columns) - LANES, NO_LOW);
  }
  for (int layer = 0; layer < WM_RASTER_LAYERS; layer++) {
    columns->high[layer] = wm_scratch_array(context, padded_width(columns), sizeof(int16_t));
    columns->area[layer] = wm_scratch_array(context, padded_width(columns), sizeof(int16_t));
    if (!columns->high[layer] || !columns->area[layer]) return WM_ERROR_OUT_OF_MEMORY;
    fill(columns->high[layer], padded_width(columns) - LANES, NO_HIGH);
    fill(columns->area[layer], padded_width(columns) - LANES, 0);
  }
  columns->above = wm_scratch_zeroed(context, width, sizeof(uint32_t));
  columns->cell_first = wm_scratch_array(context, cells + 1, sizeof(uint32_t));
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

static void absorb(Span *span, int32_t low, int32_t high, int32_t area, int32_t climb) {
  if (low < span->low) span->low = low;
  if (high > span->high) span->high = high;
  if (span->high - high <= climb && area > span->area) span->area = area;
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
  columns->nodes[node - 1] = (WmColumnNode){(int16_t)span.low, (int16_t)span.high, (int16_t)span.area, next};
  if (previous) {
    columns->nodes[previous - 1].above = node;
  } else {
    set_list(columns, x, node);
  }
  return WM_OK;
}

static void store_span(WmColumns *columns, int layer, uint32_t x, Span span) {
  columns->low[layer][x] = (int16_t)span.low;
  columns->high[layer][x] = (int16_t)span.high;
  columns->area[layer][x] = (int16_t)span.area;
}

static Span load_span(const WmColumns *columns, int layer, uint32_t x) {
  return (Span){columns->low[layer][x], columns->high[layer][x], columns->area[layer][x]};
}

/* The column's spans from `layer` on move up by one; the last one of a full column goes to the list. */
static WmStatus shift_up(WmContext *context, WmColumns *columns, uint32_t x, int layer) {
  int end = layer;
  while (end < WM_RASTER_LAYERS && columns->high[end][x] != NO_HIGH) end++;
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
    Span span = {NO_LOW, NO_HIGH, 0};
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
  while (layer < WM_RASTER_LAYERS && columns->high[layer][x] != NO_HIGH && columns->high[layer][x] < span.low)
    layer++;
  if (layer == WM_RASTER_LAYERS) return insert_above(context, columns, x, span);
  int end = layer;
  for (; end < WM_RASTER_LAYERS && columns->low[end][x] <= span.high && columns->high[end][x] != NO_HIGH;
       end++) {
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

static inline WmShort8 lanes_less(WmShort8 a, WmShort8 b) { return (WmShort8)(a < b); }

static inline bool any_lane(WmShort8 mask) { return wm_mask_short8(mask) != 0; }

/* The largest top that counts as close to `high`; climbs need not fit in a short. */
static inline WmShort8 add_climb(WmShort8 high, int32_t climb) {
  const int32_t half = climb / 2;
  const WmShort8 sum = wm_add_saturated_short8(high, wm_splat_short8((int16_t)half));
  return wm_add_saturated_short8(sum, wm_splat_short8((int16_t)(climb - half)));
}

/* Up to eight cells of a run on their way up; `pending` lanes still seek their place. */
typedef struct Cells {
  WmShort8 low, high, area, pending;
  uint32_t x;
} Cells;

/* Offers the pending cells to a layer. A cell that finds the layer empty, or touches only the span there,
 * stays; one below that span takes its place and the span goes on instead; one above it goes on. Returns the
 * lanes that can do neither: they touch the span of the next layer too. */
static inline WmShort8 merge_layer(WmColumns *columns, int layer, Cells *cells) {
  int16_t *const lows = columns->low[layer] + cells->x, *const highs = columns->high[layer] + cells->x;
  int16_t *const areas = columns->area[layer] + cells->x;
  const WmShort8 old_low = wm_load_short8(lows), old_high = wm_load_short8(highs),
                 old_area = wm_load_short8(areas);
  const WmShort8 next_low = wm_load_short8(columns->low[layer + 1] + cells->x);
  const WmShort8 low = cells->low, high = cells->high, pending = cells->pending;
  const WmShort8 occupied = lanes_less(wm_splat_short8(NO_HIGH), old_high);
  const WmShort8 above = lanes_less(old_high, low) & occupied;
  const WmShort8 apart =
      lanes_less(high, old_low); /* below, or the layer is empty: no low is above every high */
  const WmShort8 bottom = wm_min_short8(low, old_low), top = wm_max_short8(high, old_high);
  const WmShort8 is_far = lanes_less(add_climb(old_high, columns->climb), top);
  const WmShort8 larger = wm_max_short8(cells->area, old_area & ~is_far);
  const WmShort8 joined = pending & ~(apart | above) & lanes_less(top, next_low), placed = pending & apart;
  wm_store_short8(lows, wm_select_short8(placed, low, wm_select_short8(joined, bottom, old_low)));
  wm_store_short8(highs, wm_select_short8(placed, high, wm_select_short8(joined, top, old_high)));
  wm_store_short8(areas, wm_select_short8(placed, cells->area, wm_select_short8(joined, larger, old_area)));
  const WmShort8 moved = placed & occupied;
  cells->low = wm_select_short8(moved, old_low, low);
  cells->high = wm_select_short8(moved, old_high, high);
  cells->area = wm_select_short8(moved, old_area, cells->area);
  cells->pending = moved | (pending & above);
  return pending & ~(placed | joined | above);
}

static WmStatus insert_lanes(WmContext *context, WmColumns *columns, int layer, const Cells *cells,
                             WmShort8 lanes) {
  int16_t low[LANES], high[LANES], area[LANES], wanted[LANES];
  wm_store_short8(low, cells->low);
  wm_store_short8(high, cells->high);
  wm_store_short8(area, cells->area);
  wm_store_short8(wanted, lanes);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!wanted[lane]) continue;
    const Span span = {low[lane], high[lane], area[lane]};
    const WmStatus status = insert(context, columns, cells->x + lane, layer, span);
    if (status) return status;
  }
  return WM_OK;
}

/* Merges what the lowest layer left. */
static WmStatus merge_rest(WmContext *context, WmColumns *columns, Cells *cells, WmShort8 hard) {
  int layer = 0;
  for (;;) {
    if (any_lane(hard)) {
      const WmStatus status = insert_lanes(context, columns, layer, cells, hard);
      if (status) return status;
    }
    if (!any_lane(cells->pending)) return WM_OK;
    if (++layer == WM_RASTER_LAYERS) return insert_lanes(context, columns, layer, cells, cells->pending);
    if (layer + 1 > columns->layers_used) columns->layers_used = layer + 1;
    hard = merge_layer(columns, layer, cells);
  }
}

static WmStatus merge_run(WmContext *context, WmColumns *columns, const WmRuns *runs, const WmRun *run) {
  const int16_t *low = runs->low + run->offset, *high = runs->high + run->offset;
  const WmShort8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t i = 0; i < run->count; i += LANES) {
    const uint32_t left = run->count - i < LANES ? run->count - i : LANES;
    Cells cells = {.low = wm_load_short8(low + i), .high = wm_load_short8(high + i), .x = run->first + i};
    cells.area = wm_splat_short8((int16_t)run->area);
    cells.pending =
        lanes_less(lane, wm_splat_short8((int16_t)left)) & lanes_less(wm_splat_short8(NO_HIGH), cells.high);
    const WmShort8 hard = merge_layer(columns, 0, &cells);
    if (!any_lane(cells.pending | hard)) continue;
    const WmStatus status = merge_rest(context, columns, &cells, hard);
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

/* What writing needs, copied: stores to bytes may alias anything, and pointers would be read again and again.
 */
typedef struct RowReader {
  const int16_t *low[WM_RASTER_LAYERS], *high[WM_RASTER_LAYERS], *area[WM_RASTER_LAYERS];
  const uint32_t *above;
  const WmColumnNode *nodes;
  int layers;
  uint16_t *out_low, *out_high; /* where the next span goes */
  uint8_t *out_area;
} RowReader;

static RowReader start_reader(const WmColumns *columns, const WmSpanChunk *chunk) {
  RowReader reader = {.above = columns->above, .nodes = columns->nodes, .layers = columns->layers_used};
  for (int layer = 0; layer < WM_RASTER_LAYERS; layer++) {
    reader.low[layer] = columns->low[layer];
    reader.high[layer] = columns->high[layer];
    reader.area[layer] = columns->area[layer];
  }
  reader.out_low = chunk->low + chunk->count;
  reader.out_high = chunk->high + chunk->count;
  reader.out_area = chunk->area + chunk->count;
  return reader;
}

/* Writes the spans of one column at `count`; returns the count after. */
static inline uint32_t append_column(const RowReader *reader, uint32_t x, uint32_t count) {
  for (int layer = 0; layer < reader->layers; layer++, count++) {
    const int16_t high = reader->high[layer][x];
    if (high == NO_HIGH) return count;
    reader->out_low[count] = (uint16_t)(reader->low[layer][x] + WM_RASTER_BIAS);
    reader->out_high[count] = (uint16_t)(high + WM_RASTER_BIAS);
    reader->out_area[count] = (uint8_t)reader->area[layer][x];
  }
  for (uint32_t next = reader->above[x]; next; next = reader->nodes[next - 1].above, count++) {
    const WmColumnNode *node = &reader->nodes[next - 1];
    reader->out_low[count] = (uint16_t)(node->low + WM_RASTER_BIAS);
    reader->out_high[count] = (uint16_t)(node->high + WM_RASTER_BIAS);
    reader->out_area[count] = (uint8_t)node->area;
  }
  return count;
}

/* Writes eight columns if each has exactly one span. */
static inline bool append_eight(const RowReader *reader, uint32_t x, uint32_t count) {
  const WmShort8 none = wm_splat_short8(NO_HIGH); /* also the bias to take back */
  const WmShort8 low = wm_load_short8(reader->low[0] + x), high = wm_load_short8(reader->high[0] + x);
  const WmShort8 second = wm_load_short8(reader->high[1] + x);
  if (any_lane((WmShort8)(high == none) | lanes_less(none, second))) return false;
  wm_store_ushort8(reader->out_low + count, (WmUshort8)(low ^ none));
  wm_store_ushort8(reader->out_high + count, (WmUshort8)(high ^ none));
  wm_store_shorts_as_bytes(reader->out_area + count, wm_load_short8(reader->area[0] + x));
  return true;
}

/* Writes all columns of the row and where each begins; returns how many spans. */
static uint32_t append_columns(const RowReader *reader, uint32_t width, uint32_t first_span,
                               uint32_t *cell_first) {
  const WmInt4 four = {0, 1, 2, 3};
  uint32_t x = 0, count = 0;
  for (; x + LANES <= width; x += LANES) {
    if (append_eight(reader, x, count)) {
      const WmInt4 first = wm_splat_int4((int32_t)(first_span + count)) + four;
      wm_store_uint4(cell_first + x, (WmUint4)first);
      wm_store_uint4(cell_first + x + 4, (WmUint4)(first + wm_splat_int4(4)));
      count += LANES;
      continue;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
      cell_first[x + lane] = first_span + count;
      count = append_column(reader, x + lane, count);
    }
  }
  for (; x < width; x++) {
    cell_first[x] = first_span + count;
    count = append_column(reader, x, count);
  }
  return count;
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
  const RowReader reader = start_reader(columns, chunk);
  const uint32_t count = append_columns(&reader, width, (uint32_t)columns->span_count, cell_first);
  chunk->count += count;
  columns->span_count += count;
  for (int layer = 0; layer < columns->layers_used; layer++) clear_layer(columns, layer);
  if (columns->node_count) {
    memset(columns->above, 0, width * sizeof(uint32_t));
    fill(columns->low[WM_RASTER_LAYERS], width, NO_LOW);
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
