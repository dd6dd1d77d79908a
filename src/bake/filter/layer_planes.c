/* Layer planes of a row. See layer_planes.h. */
#include "bake/filter/layer_planes.h"

#include <string.h>

enum { PAD = WM_PLANE_BLOCK, DEPTH_PAD = 2, CLEARANCE_LIMIT = 255 };

static size_t count_blocks(int32_t width) { return ((size_t)width + WM_PLANE_BLOCK - 1) / WM_PLANE_BLOCK; }

/* ---- The window -------------------------------------------------------------------------------------- */

WM_COLD WmPlaneWindow *wm_planes_create(WmContext *context, int32_t width, int32_t walkable_height) {
  const size_t blocks = count_blocks(width), stride = blocks * WM_PLANE_BLOCK + 2 * PAD;
  WmPlaneWindow *window = wm_scratch_zeroed(context, 1, sizeof *window);
  if (!window) return NULL;
  window->stride = (ptrdiff_t)stride;
  window->width = width;
  window->walkable_height = walkable_height;
  for (int32_t i = 0; i < 3; i++) {
    WmPlaneRow *row = &window->rows[i];
    row->depth = wm_scratch_zeroed(context, blocks + 2 * DEPTH_PAD, sizeof *row->depth);
    row->first = wm_scratch_array(context, stride, sizeof *row->first);
    if (!row->depth || !row->first || wm_planes_reserve(context, window, i, 1)) return NULL;
  }
  return window;
}

WM_COLD WmStatus wm_planes_reserve(WmContext *context, WmPlaneWindow *window, int32_t z, uint32_t layers) {
  WmPlaneRow *row = &window->rows[(z + 3) % 3];
  if (layers <= row->capacity) return WM_OK;
  const size_t capacity = 2 * (size_t)layers, stride = (size_t)window->stride;
  int16_t *planes = wm_scratch_array(context, 1 + 3 * capacity, stride * sizeof *planes);
  if (!planes) return WM_ERROR_OUT_OF_MEMORY;
  row->capacity = (uint32_t)capacity;
  row->base = planes;
  row->floor = planes + stride;
  return WM_OK;
}

void wm_planes_clear(WmPlaneWindow *window, int32_t z) {
  WmPlaneRow *row = &window->rows[(z + 3) % 3];
  memset(row->depth, 0, (count_blocks(window->width) + DEPTH_PAD) * sizeof *row->depth);
}

void wm_planes_look(const WmPlaneWindow *window, int32_t z, WmPlaneView views[5]) {
  const WmPlaneRow *rows = window->rows, *own = rows + z % 3;
  const WmPlaneRow *south = own == rows + 2 ? rows : own + 1, *north = own == rows ? rows + 2 : own - 1;
  const WmPlaneRow *const across[5] = {own, south, own, north, own};
#pragma GCC unroll 5
  for (int d = 0; d < 5; d++) {
    const int aside = d == 2 ? 1 : -(d == 0), x = PAD + aside;
    views[d] = (WmPlaneView){across[d]->floor + x, across[d]->base + x, across[d]->first + x,
                             across[d]->depth + DEPTH_PAD, aside};
  }
}

/* The most layers among a block and its two neighbours. */
WM_INLINE uint32_t find_reach(const uint32_t *depth) {
  const uint32_t aside = depth[-1] > depth[1] ? depth[-1] : depth[1];
  return aside > *depth ? aside : *depth;
}

/* Marks layers of a block as absent. */
WM_INLINE void fill_absent(int16_t *floor, ptrdiff_t stride, uint32_t layer, uint32_t end) {
  for (; layer < end; layer++) {
    int16_t *const at = floor + 3 * stride * (ptrdiff_t)layer;
    wm_store_short8(at, wm_splat_short8(WM_PLANE_ABSENT));
    wm_store_short8(at + stride, wm_splat_short8(INT16_MIN));
  }
}

/* ---- Solid rows -------------------------------------------------------------------------------------- */

/* Fills a layer of eight cells, and runs the filters that depend on a single cell. `under`: the top of the
 * layer below, and its area before any filter. */
typedef struct Under {
  WmShort8 high, area;
} Under;

typedef struct Limits {
  WmShort8 least, height; /* of heads: the lowest ceiling, and the agent's height to subtract */
  WmUshort8 filter_climb, filter_height;
} Limits;

static inline Under fill_layer(int16_t *span, size_t solid_stride, int16_t *at, ptrdiff_t stride, Under under,
                               Limits limits) {
  const WmShort8 high = wm_load_short8(span + solid_stride), area = wm_load_short8(span + 2 * solid_stride);
  const WmShort8 ceiling = wm_load_short8(span + 3 * solid_stride);
  const WmShort8 absent = (WmShort8)(high == wm_splat_short8(WM_SOLID_NO_HIGH));
  const WmUshort8 room = (WmUshort8)ceiling - (WmUshort8)high, rise = (WmUshort8)high - (WmUshort8)under.high;
  /* A low hanging obstacle gets the area of the span below, even if that span is then filtered out. */
  WmShort8 filtered = area | (under.area & (WmShort8)(area == 0) & (WmShort8)(rise <= limits.filter_climb));
  filtered &= ~((WmShort8)(room < limits.filter_height) | absent);
  const WmShort8 clearance = ((WmShort8)room | (WmShort8)(room > CLEARANCE_LIMIT)) & CLEARANCE_LIMIT;
  const WmShort8 head = wm_max_short8(ceiling, limits.least) - limits.height;
  wm_store_short8(at, high ^ absent); /* WM_SOLID_NO_HIGH becomes WM_PLANE_ABSENT */
  wm_store_short8(at + stride, wm_select_short8(absent, wm_splat_short8(INT16_MIN), head));
  wm_store_short8(at + 2 * stride, (filtered << 8) | clearance);
  wm_span_row_clear_eight(span, solid_stride);
  return (Under){high, area};
}

void wm_planes_fill_solid(WmPlaneWindow *window, int32_t z, const WmSpanRow *solid, WmCellFilters filters) {
  const WmPlaneRow *row = &window->rows[z % 3];
  const ptrdiff_t stride = window->stride;
  const size_t blocks = count_blocks(window->width), solid_stride = solid->stride;
  const WmShort8 none = wm_splat_short8(WM_SOLID_NO_HIGH);
  Limits limits = {.height = wm_splat_short8((int16_t)window->walkable_height),
                   .filter_climb = wm_splat_ushort8((uint16_t)filters.climb),
                   .filter_height = wm_splat_ushort8((uint16_t)filters.height)};
  limits.least = limits.height ^ none;
  for (size_t block = 0; block < blocks; block++) {
    const int16_t *high = solid->spans + solid_stride + WM_PLANE_BLOCK * block;
    uint32_t depth = 0;
    for (int mask; (mask = wm_mask_short8((WmShort8)(wm_load_short8(high) > none))); depth++) {
      window->span_count += (uint32_t)__builtin_popcount((unsigned)mask);
      high += 3 * solid_stride;
    }
    row->depth[DEPTH_PAD + block] = depth;
  }
  /* From the block before the first to the one after the last. */
  for (size_t block = 0; block < blocks + 2; block++) {
    const uint32_t *depth = row->depth + DEPTH_PAD - 1 + block;
    int16_t *at = row->floor + WM_PLANE_BLOCK * block;
    fill_absent(at, stride, *depth, find_reach(depth));
    WmShort8 base = wm_splat_short8(INT16_MAX);
    if (*depth) {
      int16_t *span = solid->spans + WM_PLANE_BLOCK * (block - 1);
      Under under = {none, wm_splat_short8(0)};
      base = wm_load_short8(span);
      for (uint32_t layer = 0; layer < *depth; layer++, span += 3 * solid_stride, at += 3 * stride) {
        under = fill_layer(span, solid_stride, at, stride, under, limits);
      }
    }
    wm_store_short8(row->base + WM_PLANE_BLOCK * block, wm_max_short8(base, limits.least) - limits.height);
  }
}

/* ---- Rows of the compact heightfield ----------------------------------------------------------------- */

/* The numbers of spans in four cells. */
WM_INLINE WmUint4 count_spans(const uint32_t *cell_first) {
  return wm_load_uint4(cell_first + 1) - wm_load_uint4(cell_first);
}

/* The largest lane. */
WM_INLINE uint32_t find_most(WmInt4 v) {
  v = wm_max_int4(v, wm_swap_pairs_int4(v));
  return (uint32_t)wm_max_int4(v, wm_swap_halves_int4(v))[0];
}

/* Copies the row's span numbers and finds the depth of every block; returns the largest. */
static uint32_t measure_depth(const WmPlaneWindow *window, const WmPlaneRow *row, const uint32_t *cell_first,
                              size_t width) {
  const size_t blocks = count_blocks(window->width), before = (size_t)window->width - width;
  uint32_t *first = row->first + PAD, largest = 0;
  /* Cells around the row, from the one before the first block to the second after the last, are empty. */
  for (size_t x = 0; x <= before; x++) (first - 1)[x] = cell_first[0];
  memcpy(first + before, cell_first, (width + 1) * sizeof *first);
  for (size_t x = before + width; x <= blocks * WM_PLANE_BLOCK; x++) first[x + 1] = cell_first[width];
  for (size_t block = 0; block < blocks; block++, first += WM_PLANE_BLOCK) {
    const uint32_t depth = find_most(wm_max_int4((WmInt4)count_spans(first), (WmInt4)count_spans(first + 4)));
    row->depth[DEPTH_PAD + block] = depth;
    if (depth > largest) largest = depth;
  }
  return largest;
}

/* Floors and heads of eight cells in a layer, which is absent in the masked ones. */
WM_INLINE void fill_open_layer(int16_t *at, ptrdiff_t stride, WmShort8 floor, WmShort8 clearance,
                               WmShort8 least, WmShort8 height, WmShort8 absent) {
  const WmShort8 biased = floor ^ wm_splat_short8(INT16_MIN);
  const WmShort8 head = wm_max_short8(biased + clearance, least) - height;
  wm_store_short8(at, wm_select_short8(absent, wm_splat_short8(WM_PLANE_ABSENT), biased));
  wm_store_short8(at + stride, wm_select_short8(absent, wm_splat_short8(INT16_MIN), head));
}

/* Separate the lower and the upper spans of cells with two each. */
WM_INLINE WmShort8 take_lower(WmShort8 a, WmShort8 b) {
  return wm_narrow_int4((WmInt4)a << 16 >> 16, (WmInt4)b << 16 >> 16);
}

WM_INLINE WmShort8 take_upper(WmShort8 a, WmShort8 b) {
  return wm_narrow_int4((WmInt4)a >> 16, (WmInt4)b >> 16);
}

/* Fills the layers of eight cells, some of which have fewer than `depth` spans. Without branches: processors don't
 * foresee how many spans a cell has. Up to depth - 1 spans after the last one are read. */
static void fill_mixed_layers(int16_t *at, ptrdiff_t stride, uint32_t depth, const uint32_t *first,
                              const uint16_t *floors, const uint8_t *clearances, WmShort8 least,
                              WmShort8 height) {
  const WmShort8 counts = wm_narrow_int4((WmInt4)count_spans(first), (WmInt4)count_spans(first + 4));
  for (uint32_t layer = 0; layer < depth; layer++, at += 3 * stride, floors++, clearances++) {
    const WmUshort8 floor = {floors[first[0]], floors[first[1]], floors[first[2]], floors[first[3]],
                             floors[first[4]], floors[first[5]], floors[first[6]], floors[first[7]]};
    const WmShort8 clearance = {clearances[first[0]], clearances[first[1]], clearances[first[2]],
                                clearances[first[3]], clearances[first[4]], clearances[first[5]],
                                clearances[first[6]], clearances[first[7]]};
    fill_open_layer(at, stride, (WmShort8)floor, clearance, least, height,
                    (WmShort8)(counts <= (int16_t)layer));
  }
}

WmStatus wm_planes_fill_open(WmContext *context, WmPlaneWindow *window, int32_t z,
                             const WmCompactHeightfield *compact) {
  const WmPlaneRow *row = &window->rows[z % 3];
  const uint16_t *floors = compact->span_floor;
  const uint8_t *clearances = compact->span_clearance;
  const int32_t height = window->walkable_height;
  const WmShort8 height8 = wm_splat_short8((int16_t)height), least8 = height8 ^ wm_splat_short8(INT16_MIN);
  const WmShort8 none = wm_splat_short8(0);
  const ptrdiff_t stride = window->stride;
  const size_t blocks = count_blocks(window->width);
  const size_t width = (size_t)compact->grid.width;
  const uint32_t depth_of_row = measure_depth(window, row, compact->cell_first + (size_t)z * width, width);
  if (wm_planes_reserve(context, window, z, depth_of_row)) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t block = 0; block < blocks + 2; block++) {
    const uint32_t *depth = row->depth + DEPTH_PAD - 1 + block, *first = row->first + WM_PLANE_BLOCK * block;
    int16_t *const floor = row->floor + WM_PLANE_BLOCK * block;
    const bool is_full = *depth - 1 < 2 && first[WM_PLANE_BLOCK] - first[0] == *depth * WM_PLANE_BLOCK;
    const bool is_shallow = *depth <= WM_PLANE_SHALLOW;
    fill_absent(floor, stride, is_shallow ? *depth : 0, find_reach(depth));
    if (!*depth) continue;
    if (is_full) {
      const WmShort8 low = (WmShort8)wm_load_ushort8(floors + first[0]);
      const WmShort8 clearance = wm_load_bytes_as_short8(clearances + first[0]);
      if (*depth == 1) {
        fill_open_layer(floor, stride, low, clearance, least8, height8, none);
        continue;
      }
      const WmShort8 high = (WmShort8)wm_load_ushort8(floors + first[0] + WM_PLANE_BLOCK);
      const WmShort8 room = wm_load_bytes_as_short8(clearances + first[0] + WM_PLANE_BLOCK);
      fill_open_layer(floor, stride, take_lower(low, high), take_lower(clearance, room), least8, height8,
                      none);
      fill_open_layer(floor + 3 * stride, stride, take_upper(low, high), take_upper(clearance, room), least8,
                      height8, none);
      continue;
    }
    if (is_shallow) {
      fill_mixed_layers(floor, stride, *depth, first, floors, clearances, least8, height8);
      continue;
    }
    for (size_t i = 0; i < WM_PLANE_BLOCK; i++) {
      int16_t *at = floor + i;
      for (uint32_t span = first[i]; span < first[i + 1]; span++, at += 3 * stride) {
        const int32_t ceiling = floors[span] + clearances[span];
        at[0] = (int16_t)(floors[span] - WM_PLANE_BIAS);
        at[stride] = (int16_t)((ceiling > height ? ceiling - height : 0) - WM_PLANE_BIAS);
      }
    }
  }
  return WM_OK;
}
