/* Rows of air: the gaps between solid spans, walkable or not, of the cells inside a tile's border. See open_rows.h.
 *
 * Gaps are stored like open spans, so that kept_tile.h compresses them. Areas aren't told apart: links find their ground in the
 * mesh. */
#include "bake/compact/open_rows.h"

enum { GAP_LIMIT = 255, AREA_BITS = WM_AREA_WALKABLE << 24 };

WM_COLD WmStatus wm_air_rows_start(WmContext *context, const WmGrid *grid, WmOpenRows *air) {
  WmGrid inner = *grid;
  wm_grid_trim(&inner);
  inner.border_size = 0;
  return wm_open_rows_start(context, &inner, air);
}

/* Writes the gap below the lowest solid span, whose head is `head`, if an agent fits in. Returns its end. */
static inline uint32_t *store_below(int32_t head, int32_t height, uint32_t *gap) {
  if (head < 1) return gap;
  const int32_t base = head + height, floor = base > GAP_LIMIT + 1 ? base - GAP_LIMIT : 1;
  *gap = (uint32_t)floor | (uint32_t)(base - floor) << 16 | (uint32_t)AREA_BITS;
  return gap + 1;
}

/* Writes the gaps of a cell; returns their end. Gaps that are too low are written, too, and overwritten. The last one always
 * stays: it is open to the sky. */
static inline uint32_t *store_cell(const WmPlaneView *view, ptrdiff_t stride, uint32_t depth, int32_t x, int32_t height,
                                   uint32_t *gap) {
  const int16_t *at = view->floor + x;
  if (depth == 0 || *at == WM_PLANE_ABSENT) return gap;
  gap = store_below(view->base[x] + WM_PLANE_BIAS, height, gap);
  for (uint32_t layer = 0; layer < depth && *at != WM_PLANE_ABSENT; layer++, at += 3 * stride) {
    const int32_t clearance = at[2 * stride] & GAP_LIMIT;
    *gap = (uint32_t)(*at + WM_PLANE_BIAS) | (uint32_t)clearance << 16 | (uint32_t)AREA_BITS;
    gap += clearance >= height || layer + 1 == depth || at[3 * stride] == WM_PLANE_ABSENT;
  }
  return gap;
}

WmStatus wm_air_rows_append(WmContext *context, const WmPlaneWindow *planes, const WmPlaneView *view, int32_t z,
                            WmOpenRows *air) {
  const int32_t border = (planes->width - air->grid.width) / 2, width = air->grid.width, row = z - border;
  if (row < 0 || row >= air->grid.depth) return WM_OK;
  uint64_t capacity = 1; /* a gap that is overwritten */
  for (int32_t x = 0; x < planes->width; x += WM_PLANE_BLOCK) {
    capacity += WM_PLANE_BLOCK * (uint64_t)(view->depth[x / WM_PLANE_BLOCK] + 1);
  }
  if (air->span_count + capacity > WM_NO_SPAN - 1u) return wm_fail_span_count(context);
  WmOpenChunk *chunk = air->last_chunk;
  if (!chunk || chunk->capacity - chunk->count < capacity) chunk = wm_open_rows_reserve(context, air, capacity);
  if (!chunk) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t *const first = chunk->spans + chunk->count, *gap = first;
  uint32_t *cell_first = air->cell_first + (size_t)row * (size_t)width;
  for (int32_t i = 0; i < width; i++) {
    const int32_t x = i + border;
    cell_first[i] = air->span_count + (uint32_t)(gap - first);
    gap = store_cell(view, planes->stride, view->depth[x / WM_PLANE_BLOCK], x, planes->walkable_height, gap);
  }
  const uint32_t count = (uint32_t)(gap - first);
  chunk->count += count;
  air->span_count += count;
  cell_first[width] = air->span_count;
  return WM_OK;
}
