/* Collects the air of a tile: eight cells with one solid span each are stored at once. See air_rows.h. */
#include "bake/compact/air_rows.h"

#include <string.h>

#include "base/inline.h"

enum { GAP_LIMIT = 255 };

/* Stores the gaps of a cell; returns their end. Gaps that are too low are written, too, and overwritten. */
static inline WmAirGap *store_cell(const WmPlaneView *view, ptrdiff_t stride, uint32_t depth, int32_t x,
                                   int32_t height, WmAirGap *gap) {
  const int16_t *at = view->floor + x;
  if (depth == 0 || *at == WM_PLANE_ABSENT) return gap;
  const int32_t head = view->base[x] + WM_PLANE_BIAS, base = head + height;
  *gap = (WmAirGap){(uint16_t)(base > GAP_LIMIT + 1 ? base - GAP_LIMIT : 1), (uint16_t)base};
  gap += head >= 1;
  for (uint32_t layer = 1; layer < depth && at[3 * stride] != WM_PLANE_ABSENT; layer++, at += 3 * stride) {
    const int32_t floor = *at + WM_PLANE_BIAS, clearance = at[2 * stride] & GAP_LIMIT;
    *gap = (WmAirGap){(uint16_t)floor, (uint16_t)(floor + clearance)};
    gap += clearance >= height;
  }
  *gap = (WmAirGap){(uint16_t)(*at + WM_PLANE_BIAS), WM_OPEN_CEILING};
  return gap + 1;
}

/* Stores the gaps of eight cells that all have one solid span, with no gap below it, as nearly everywhere. Returns false if they
 * haven't. */
static inline bool store_evenly(const WmPlaneView *view, int32_t x, uint32_t next, uint32_t *first,
                                WmAirGap *gaps) {
  const WmUint4 steps = {0, 1, 2, 3};
  WmShort8 floor = wm_load_short8(view->floor + x);
  const WmShort8 base = wm_load_short8(view->base + x);
  const WmShort8 is_other =
      (WmShort8)(floor == wm_splat_short8(WM_PLANE_ABSENT)) | (WmShort8)(base > wm_splat_short8(INT16_MIN));
  if (wm_mask_short8(is_other)) return false;
  wm_store_uint4(first, next + steps);
  wm_store_uint4(first + 4, next + (steps + 4));
  floor ^= INT16_MIN;
  const WmInt4 low = wm_widen_low_short8(floor) & 0xffff, high = wm_widen_high_short8(floor) & 0xffff;
  const WmUint4 open = (WmUint4){0, 0, 0, 0} + (uint32_t)WM_OPEN_CEILING * 65536u;
  wm_store_uint4((uint32_t *)(void *)gaps, (WmUint4)low | open);
  wm_store_uint4((uint32_t *)(void *)(gaps + 4), (WmUint4)high | open);
  return true;
}

/* Stores the gaps of a row, for which there is capacity. */
static void store_row(WmAirRows *rows, const WmPlaneWindow *planes, const WmPlaneView *view,
                      uint32_t *cell_first) {
  WmAirGap *const gaps = rows->gaps, *gap = gaps + rows->count;
  const int32_t end = rows->border + rows->width;
  for (int32_t x = rows->border; x < end;) {
    const uint32_t depth = view->depth[x / WM_PLANE_BLOCK];
    uint32_t *first = cell_first + (x - rows->border);
    int32_t stop = (x | (WM_PLANE_BLOCK - 1)) + 1;
    if (stop > end) stop = end;
    if (WM_SIMD && depth == 1 && stop - x == WM_PLANE_BLOCK &&
        store_evenly(view, x, (uint32_t)(gap - gaps), first, gap)) {
      gap += WM_PLANE_BLOCK;
      x = stop;
      continue;
    }
    for (; x < stop; x++) {
      *first++ = (uint32_t)(gap - gaps);
      gap = store_cell(view, planes->stride, depth, x, planes->walkable_height, gap);
    }
  }
  rows->count = (size_t)(gap - gaps);
  cell_first[rows->width] = (uint32_t)rows->count;
}

WM_COLD WmStatus wm_air_rows_start(WmContext *context, const WmGrid *grid, WmAirRows *rows) {
  *rows = (WmAirRows){.width = grid->width - 2 * grid->border_size,
                      .depth = grid->depth - 2 * grid->border_size,
                      .border = grid->border_size};
  const size_t cells = (size_t)rows->width * (size_t)rows->depth;
  rows->cell_first = wm_scratch_array(context, cells + 1, sizeof *rows->cell_first);
  if (!rows->cell_first) return WM_ERROR_OUT_OF_MEMORY;
  rows->cell_first[0] = 0;
  return WM_OK;
}

WmStatus wm_air_rows_append(WmContext *context, WmAirRows *rows, const WmPlaneWindow *planes,
                            const WmPlaneView *view, int32_t z) {
  const int32_t row = z - rows->border;
  if (row < 0 || row >= rows->depth) return WM_OK;
  size_t needed = rows->count + WM_PLANE_BLOCK;
  for (int32_t x = 0; x < planes->width; x += WM_PLANE_BLOCK) {
    needed += WM_PLANE_BLOCK * ((size_t)view->depth[x / WM_PLANE_BLOCK] + 1);
  }
  if (needed > WM_NO_SPAN - 1u) return wm_fail_span_count(context);
  rows->gaps = wm_scratch_reserve(context, rows->gaps, &rows->capacity, needed, sizeof *rows->gaps);
  if (!rows->gaps) return WM_ERROR_OUT_OF_MEMORY;
  store_row(rows, planes, view, rows->cell_first + (size_t)row * (size_t)rows->width);
  return WM_OK;
}

WM_COLD WmStatus wm_air_rows_finish(WmContext *context, const WmAirRows *rows, WmAir **air) {
  const size_t cells = (size_t)rows->width * (size_t)rows->depth;
  *air = wm_air_create(context, rows->width, rows->depth, rows->count);
  if (!*air) return WM_ERROR_OUT_OF_MEMORY;
  memcpy((*air)->cell_first, rows->cell_first, (cells + 1) * sizeof *rows->cell_first);
  if (rows->count) memcpy((*air)->gaps, rows->gaps, rows->count * sizeof *rows->gaps);
  return WM_OK;
}
