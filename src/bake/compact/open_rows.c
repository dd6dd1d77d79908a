/* Stores rows of open spans: eight cells are written at once. See open_rows.h. */
#include "bake/compact/open_rows.h"

#include <string.h>

/* MOST_LAYERS: whose spans of eight cells a short can count. */
enum { BLOCK = WM_PLANE_BLOCK, CHUNK_SPANS = 1 << 15, MOST_LAYERS = INT16_MAX / BLOCK };

WM_COLD WmStatus wm_open_rows_start(WmContext *context, const WmGrid *grid, WmOpenRows *rows) {
  WmLayout layout = {0};
  wm_layout_add(&layout, (size_t)grid->width * (size_t)grid->depth + 1, sizeof *rows->cell_first);
  *rows = (WmOpenRows){.grid = *grid, .cell_first = wm_layout_allocate(context, &layout)};
  if (!rows->cell_first) return WM_ERROR_OUT_OF_MEMORY;
  rows->cell_first[(size_t)grid->width * (size_t)grid->depth] = 0;
  return WM_OK;
}

WM_COLD WmStatus wm_open_span_sink_start(WmContext *context, const WmGrid *grid,
                                         const WmFilterSettings *settings, WmOpenRows *rows, WmAirRows *air,
                                         WmOpenSpanSink *sink) {
  sink->rows = rows;
  sink->air = air;
  WmStatus status = wm_open_rows_start(context, grid, rows);
  if (!status && air) status = wm_air_rows_start(context, grid, air);
  return status ? status : wm_row_filter_start(context, grid, settings, &sink->filter);
}

WM_COLD void wm_open_rows_free(WmContext *context, WmOpenRows *rows) {
  for (WmOpenChunk *chunk = rows->first_chunk, *next; chunk; chunk = next) {
    next = chunk->next;
    wm_block_free(context, chunk);
  }
  wm_block_free(context, rows->cell_first);
  memset(rows, 0, sizeof *rows);
}

WM_COLD WmOpenChunk *wm_open_rows_reserve(WmContext *context, WmOpenRows *rows, uint64_t room) {
  const size_t capacity = room > CHUNK_SPANS ? (size_t)room : CHUNK_SPANS;
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(WmOpenChunk));
  wm_layout_add(&layout, capacity, sizeof(uint32_t));
  WmOpenChunk *chunk = wm_layout_allocate(context, &layout);
  if (!chunk) return NULL;
  *chunk = (WmOpenChunk){.capacity = capacity};
  *(rows->last_chunk ? &rows->last_chunk->next : &rows->first_chunk) = chunk;
  rows->last_chunk = chunk;
  return chunk;
}

/* Four spans as they are stored: floors and states of a layer of planes. */
WM_INLINE WmUint4 pack_low(WmShort8 floor, WmShort8 state) {
  return (WmUint4)((wm_widen_low_short8(floor) & 0xffff) | wm_widen_low_short8(state) << 16);
}

WM_INLINE WmUint4 pack_high(WmShort8 floor, WmShort8 state) {
  return (WmUint4)((wm_widen_high_short8(floor) & 0xffff) | wm_widen_high_short8(state) << 16);
}

/* Returns a mask of eight cells: their spans of one layer that are open. */
WM_INLINE WmShort8 find_open(const int16_t *at, ptrdiff_t stride) {
  return (WmShort8)(wm_load_short8(at + 2 * stride) > WM_STATE_AREA - 1);
}

/* Writes the open spans of eight cells, of which they have these numbers; returns the sum of those. Without branches
 * on single cells, which processors don't foresee. */
static uint32_t store_unevenly(const int16_t *at, ptrdiff_t stride, uint32_t depth, uint32_t number,
                               WmShort8 count, uint32_t *cell_first, uint32_t *spans) {
  const WmShort8 zero = wm_splat_short8(0), bias = wm_splat_short8(INT16_MIN);
  WmShort8 end = count + wm_move_up_short8(count, 1, zero);
  end += wm_move_up_short8(end, 2, zero);
  end += wm_move_up_short8(end, 4, zero);
  WmShort8 next = end - count;
  wm_store_uint4(cell_first, (WmUint4)wm_widen_low_short8(next) + number);
  wm_store_uint4(cell_first + 4, (WmUint4)wm_widen_high_short8(next) + number);
  const int16_t all = end[7];
  for (uint32_t layer = 0; layer < depth; layer++, at += 3 * stride) {
    const WmShort8 open = find_open(at, stride);
    if (!wm_any_short8(open)) continue;
    int16_t to[BLOCK];
    uint32_t packed[BLOCK];
    const WmShort8 floor = wm_load_short8(at) ^ bias, state = wm_load_short8(at + 2 * stride);
    wm_store_short8(to, wm_select_short8(open, next, wm_splat_short8(all))); /* the others go behind all */
    wm_store_uint4(packed, pack_low(floor, state));
    wm_store_uint4(packed + 4, pack_high(floor, state));
    next -= open;
#pragma GCC unroll 8
    for (int i = 0; i < BLOCK; i++) spans[to[i]] = packed[i];
  }
  return (uint32_t)all;
}

/* Writes the open spans of eight cells; returns their number. */
static inline uint32_t store_eight(const int16_t *at, ptrdiff_t stride, uint32_t depth, uint32_t number,
                                   uint32_t *cell_first, uint32_t *spans) {
  const WmUint4 steps = {0, 1, 2, 3};
  WmShort8 floor = wm_splat_short8(0), state = floor, count = floor;
  const int16_t *span = at;
  for (uint32_t layer = 0; layer < depth; layer++, span += 3 * stride) {
    const WmShort8 open = find_open(span, stride);
    floor |= wm_load_short8(span) & open;
    state |= wm_load_short8(span + 2 * stride) & open;
    count -= open;
  }
  const uint32_t each = (uint32_t)count[0];
  if (each > 1 || wm_mask_short8((WmShort8)(count == (int16_t)each)) != 255) {
    return store_unevenly(at, stride, depth, number, count, cell_first, spans);
  }
  /* All have one, or all have none: nearly everywhere. */
  wm_store_uint4(cell_first, number + steps * each);
  wm_store_uint4(cell_first + 4, number + (steps + 4) * each);
  floor ^= INT16_MIN;
  wm_store_uint4(spans, pack_low(floor, state));
  wm_store_uint4(spans + 4, pack_high(floor, state));
  return BLOCK * each;
}

/* Writes the open spans of a row, the first of which gets number `next`; returns their count. Other spans
 * are written, too, and overwritten by the next open one. */
static uint32_t store_row(const WmPlaneWindow *planes, const WmPlaneView *view, uint32_t *spans,
                          uint32_t next, uint32_t *cell_first) {
  const ptrdiff_t stride = planes->stride;
  const uint32_t *const start = spans;
  const int32_t width = planes->width;
  for (int32_t x = 0, end; x < width; x = end) {
    const uint32_t depth = view->depth[x / BLOCK], number = next + (uint32_t)(spans - start);
    end = x + BLOCK;
    if (WM_SIMD && end <= width && depth <= MOST_LAYERS) {
      spans += store_eight(view->floor + x, stride, depth, number, cell_first + x, spans);
      continue;
    }
    for (int32_t i = x; i < end && i < width; i++) {
      const int16_t *at = view->floor + i;
      cell_first[i] = next + (uint32_t)(spans - start);
      for (uint32_t layer = 0; layer < depth; layer++, at += 3 * stride) {
        const int32_t state = at[2 * stride];
        *spans = (uint32_t)(*at + WM_PLANE_BIAS) | (uint32_t)state << 16;
        spans += state >= WM_STATE_AREA;
      }
    }
  }
  const uint32_t count = (uint32_t)(spans - start);
  cell_first[width] = next + count; /* the first span of the next row, or the end */
  return count;
}

/* Stores the open spans of row z, whose areas are final. */
static WmStatus retain_row(WmContext *context, WmOpenSpanSink *sink, int32_t z) {
  const WmPlaneWindow *planes = sink->filter.planes;
  WmOpenRows *rows = sink->rows;
  WmPlaneView views[5];
  wm_planes_look(planes, z, views);
  uint64_t room = BLOCK; /* room for spans that are overwritten */
  for (int32_t x = 0; x < planes->width; x += BLOCK) room += BLOCK * (uint64_t)views[4].depth[x / BLOCK];
  if (planes->span_count > WM_NO_SPAN - 1u) return wm_fail_span_count(context);
  WmOpenChunk *chunk = rows->last_chunk;
  if (!chunk || chunk->capacity - chunk->count < room) chunk = wm_open_rows_reserve(context, rows, room);
  if (!chunk) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t count = store_row(planes, &views[4], chunk->spans + chunk->count, rows->span_count,
                                   rows->cell_first + (size_t)z * (size_t)planes->width);
  chunk->count += count;
  rows->span_count += count;
  rows->solid_count = (uint32_t)planes->span_count;
  return sink->air ? wm_air_rows_append(context, sink->air, planes, &views[4], z) : WM_OK;
}

WmStatus wm_open_span_sink_write(WmContext *context, void *target, const WmSpanRow *row, int32_t z) {
  WmOpenSpanSink *sink = target;
  const WmStatus status = wm_row_filter_push(context, &sink->filter, row, z);
  return status || z == 0 ? status : retain_row(context, sink, z - 1);
}

/* ---- Invariants -------------------------------------------------------------------------------------- */

/* True if a span has an area and lies above the span below it in its cell, which ends at *ceiling.
 * in/out     *ceiling: -1 for the lowest span of a cell */
static bool is_span_valid(uint32_t span, int32_t *ceiling) {
  const int32_t floor = span & 0xffff, area = (int32_t)(span >> 24);
  const bool is_above = floor > *ceiling;
  *ceiling = floor + (int32_t)(span >> 16 & 0xff);
  return is_above && area != WM_AREA_NULL && area < WM_AREA_COUNT;
}

bool wm_open_rows_validate(const WmOpenRows *rows) {
  const size_t cells = (size_t)rows->grid.width * (size_t)rows->grid.depth;
  size_t cell = 0;
  uint32_t number = 0;
  int32_t ceiling = -1;
  if (rows->cell_first[0] != 0 || rows->cell_first[cells] != rows->span_count) return false;
  for (const WmOpenChunk *chunk = rows->first_chunk; chunk; chunk = chunk->next) {
    if (chunk->count > chunk->capacity) return false;
    for (size_t i = 0; i < chunk->count; i++, number++) {
      for (; cell < cells && rows->cell_first[cell + 1] <= number; cell++) {
        if (rows->cell_first[cell] > rows->cell_first[cell + 1]) return false;
        ceiling = -1;
      }
      if (cell == cells || !is_span_valid(chunk->spans[i], &ceiling)) return false;
    }
  }
  for (; cell < cells; cell++) {
    if (rows->cell_first[cell] > rows->cell_first[cell + 1]) return false;
  }
  return number == rows->span_count;
}
