/* Layer planes of a row. See layer_planes.h. */
#include "bake/layer_planes.h"

#include <string.h>

enum { PAD = WM_PLANE_BLOCK, DEPTH_PAD = 2 };

static size_t count_blocks(int32_t width) { return ((size_t)width + WM_PLANE_BLOCK - 1) / WM_PLANE_BLOCK; }

/* The most spans in each of four cells. */
WM_INLINE WmUint4 count_spans(const uint32_t *cell_first) {
  return wm_load_uint4(cell_first + 1) - wm_load_uint4(cell_first);
}

/* The largest lane, in each. */
WM_INLINE uint32_t find_most(WmInt4 v) {
  v = wm_max_int4(v, wm_swap_pairs_int4(v));
  return (uint32_t)wm_max_int4(v, wm_swap_halves_int4(v))[0];
}

/* The most spans in a cell, or more where there are but a few cells. */
static WM_COLD uint32_t find_depth(const WmHeightfield *field) {
  const uint32_t *first = field->cell_first;
  const size_t cells = (size_t)field->grid.width * (size_t)field->grid.depth;
  WmInt4 most = wm_splat_int4(0);
  if (cells < 4) return field->span_count;
  for (size_t cell = 0; cell < cells; cell += 4) {
    most = wm_max_int4(most, (WmInt4)count_spans(first + (cell < cells - 4 ? cell : cells - 4)));
  }
  return find_most(most);
}

WM_COLD WmPlaneWindow *wm_planes_create(WmContext *context, const WmHeightfield *field,
                                        int32_t walkable_height) {
  const int32_t width = field->grid.width;
  const size_t blocks = count_blocks(width), stride = blocks * WM_PLANE_BLOCK + 2 * PAD;
  const size_t depth = find_depth(field);
  WmPlaneWindow *window = wm_scratch_zeroed(context, 1, sizeof *window);
  if (!window) return NULL;
  window->stride = (ptrdiff_t)stride;
  window->width = width;
  window->walkable_height = walkable_height;
  for (int i = 0; i < 3; i++) {
    WmPlaneRow *row = &window->rows[i];
    row->depth = wm_scratch_zeroed(context, blocks + 2 * DEPTH_PAD, sizeof *row->depth);
    row->first = wm_scratch_array(context, stride, sizeof *row->first);
    row->ground = wm_scratch_array(context, 1 + 2 * depth, stride * sizeof *row->ground);
    if (!row->depth || !row->first || !row->ground) return NULL;
    row->floor = row->ground + stride;
  }
  return window;
}

void wm_planes_look(const WmPlaneWindow *window, int32_t z, WmPlaneView views[5]) {
  static const int8_t STEP_X[5] = {-1, 0, 1, 0, 0}, STEP_Z[5] = {0, 1, 0, -1, 0};
  for (int d = 0; d < 5; d++) {
    const WmPlaneRow *row = &window->rows[(z + STEP_Z[d] + 3) % 3];
    const int x = PAD + STEP_X[d];
    views[d] =
        (WmPlaneView){row->floor + x, row->ground + x, row->first + x, row->depth + DEPTH_PAD, STEP_X[d]};
  }
}

/* Copies the row's span numbers and finds the depth of every block. */
static void measure_depth(const WmPlaneWindow *window, const WmPlaneRow *row, const uint32_t *cell_first) {
  const size_t width = (size_t)window->width, blocks = count_blocks(window->width);
  uint32_t *first = row->first + PAD;
  if (!cell_first) {
    memset(row->depth, 0, (blocks + DEPTH_PAD) * sizeof *row->depth);
    return;
  }
  memcpy(first, cell_first, (width + 1) * sizeof *first);
  /* Cells after the last, to the end of its block, are empty. */
  for (size_t x = width; x < blocks * WM_PLANE_BLOCK; x++) first[x + 1] = first[width];
  for (size_t block = 0; block < blocks; block++, first += WM_PLANE_BLOCK) {
    row->depth[DEPTH_PAD + block] =
        find_most(wm_max_int4((WmInt4)count_spans(first), (WmInt4)count_spans(first + 4)));
  }
}

/* What is `height` below, 0 at least. */
WM_INLINE int16_t find_head(int32_t ceiling, int32_t height) {
  return (int16_t)((ceiling > height ? ceiling - height : 0) - WM_PLANE_BIAS);
}

void wm_planes_fill(WmPlaneWindow *window, int32_t z, const uint32_t *cell_first) {
  const WmPlaneRow *row = &window->rows[z % 3];
  const uint16_t *floors = window->floors, *bottoms = window->bottoms;
  const uint8_t *clearances = window->clearances;
  const int32_t height = window->walkable_height;
  const WmShort8 height8 = wm_splat_short8((int16_t)height), bias8 = wm_splat_short8(INT16_MIN);
  const WmShort8 least8 = height8 ^ bias8, open8 = ~bias8 - height8;
  const ptrdiff_t stride = window->stride;
  const uint32_t *first = row->first, *depth = row->depth + DEPTH_PAD - 1;
  measure_depth(window, row, cell_first);
  /* From the block before the first to the one after the last. The ground, and then the head of each layer,
   * lies a stride before the floor of the next. */
  for (int16_t *ground = row->ground; ground < row->floor; ground += PAD, first += PAD) {
    int16_t *const floor = ground + stride;
    const uint32_t own = *depth++, before = depth[-2], after = depth[0];
    const uint32_t aside = before > after ? before : after, reach = own > aside ? own : aside;
    const bool is_single = own == 1 && first[WM_PLANE_BLOCK] - first[0] == WM_PLANE_BLOCK;
    WmShort8 ground8 = open8;
    for (uint32_t layer = is_single; layer < reach; layer++) {
      int16_t *const at = floor + 2 * stride * (ptrdiff_t)layer;
      wm_store_short8(at, ~bias8);
      wm_store_short8(at + stride, bias8);
    }
    if (is_single) {
      const uint32_t span = first[0];
      const WmShort8 floor8 = (WmShort8)wm_load_ushort8(floors + span) ^ bias8;
      WmShort8 head8 = open8;
      if (bottoms) {
        ground8 = wm_max_short8((WmShort8)wm_load_ushort8(bottoms + span) ^ bias8, least8) - height8;
      } else {
        head8 = wm_max_short8(floor8 + wm_load_bytes_as_short8(clearances + span), least8) - height8;
      }
      wm_store_short8(floor, floor8);
      wm_store_short8(floor + stride, head8);
    }
    wm_store_short8(ground, ground8);
    if (is_single || !own) continue;
    for (ptrdiff_t i = 0; i < WM_PLANE_BLOCK; i++) {
      int16_t *at = floor + i;
      for (uint32_t span = first[i]; span < first[i + 1]; span++, at += 2 * stride) {
        int32_t ceiling = WM_OPEN_CEILING;
        if (bottoms) {
          at[-stride] = find_head(bottoms[span], height);
        } else {
          ceiling = floors[span] + clearances[span];
        }
        at[0] = (int16_t)(floors[span] - WM_PLANE_BIAS);
        at[stride] = find_head(ceiling, height);
      }
    }
  }
}
