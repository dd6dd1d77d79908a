/* The ledge filter: makes spans at a drop, or on too steep an edge, unwalkable.
 *
 * In place on span_area [span_count]; only heights of neighbours are read, so that cells can be taken in any
 * order. The "opening" of a span is the space from its top to the next span of its cell (or
 * WM_OPEN_CEILING); below the lowest span of a cell lies an opening, too. With the openings next to it that
 * it shares the agent's height with, a span is a ledge if
 *   one lies below the lowest span of a neighbouring cell, or that cell is outside of the field,
 *   the floor of one is more than the climb lower, or
 *   the floors within the climb differ by more than the climb among themselves.
 *
 * Eight cells at a time, every layer against every layer of the neighbours (layer_planes.h).
 * Source: M. Mononen, Recast Navigation. */
#include "bake/layer_planes.h"
#include "bake/stages.h"

/* Which of eight cells' spans of one layer are there and ledges, a bit a cell. `x` is the first of the cells;
 * `rim`: those with a neighbour outside of the field; layers of the neighbours before `begin` are below. */
static inline int find_ledges(const WmPlaneView views[5], int32_t x, uint32_t layer, ptrdiff_t stride,
                              WmUshort8 climb, int rim, uint32_t begin[4]) {
  const int16_t *own = views[4].floor + 2 * stride * (ptrdiff_t)layer + x;
  const WmShort8 floor = wm_load_short8(own), head = wm_load_short8(own + stride);
  /* Floors of the openings shared, its own included. */
  WmShort8 lowest = floor, highest = floor, is_ledge = wm_splat_short8(0);
  for (int d = 0; d < 4; d++) {
    const WmPlaneView *view = &views[d];
    const uint32_t depth = wm_planes_depth(view, x / WM_PLANE_BLOCK);
    is_ledge |= (WmShort8)(wm_min_short8(head, wm_load_short8(view->ground + x)) >= floor);
    for (uint32_t k = begin[d]; k < depth; k++) {
      const int16_t *other = view->floor + x + 2 * stride * (ptrdiff_t)k;
      const WmShort8 other_floor = wm_load_short8(other), other_head = wm_load_short8(other + stride);
      const WmShort8 higher = wm_max_short8(floor, other_floor);
      if (depth > WM_PLANE_SHALLOW) {
        if (wm_mask_short8((WmShort8)(higher > head)) == 255) break;
        if (k == begin[d] && wm_mask_short8((WmShort8)(floor > other_head)) == 255) begin[d]++;
      }
      const WmShort8 apart = (WmShort8)(higher > wm_min_short8(head, other_head));
      const WmShort8 out_of_reach = apart | (WmShort8)((WmUshort8)higher - (WmUshort8)floor > climb);
      lowest = wm_min_short8(lowest, wm_select_short8(apart, floor, other_floor));
      highest = wm_max_short8(highest, wm_select_short8(out_of_reach, floor, other_floor));
    }
  }
  /* A drop deeper than the climb shows in the difference, too: `highest` is at least the floor. */
  is_ledge |= (WmShort8)((WmUshort8)highest - (WmUshort8)lowest > climb);
  return (wm_mask_short8(is_ledge) | rim) & wm_mask_short8((WmShort8)(floor < WM_PLANE_ABSENT));
}

static void filter_row(const WmHeightfield *field, const WmPlaneWindow *window, int32_t z, WmUshort8 climb) {
  const int32_t width = field->grid.width;
  const int whole = z == 0 || z == field->grid.depth - 1 ? 255 : 0;
  WmPlaneView views[5];
  wm_planes_look(window, z, views);
  for (int32_t x = 0; x < width; x += WM_PLANE_BLOCK) {
    const int last = width - 1 - x;
    const int rim = whole | (x == 0) | (last < WM_PLANE_BLOCK ? 1 << last : 0);
    uint32_t begin[4] = {0};
    for (uint32_t layer = 0; layer < views[4].depth[x / WM_PLANE_BLOCK]; layer++) {
      for (int ledges = find_ledges(views, x, layer, window->stride, climb, rim, begin); ledges;
           ledges &= ledges - 1) {
        field->span_area[views[4].first[x + __builtin_ctz((unsigned)ledges)] + layer] = WM_AREA_NULL;
      }
    }
  }
}

WmStatus wm_filter_ledges(WmContext *context, WmHeightfield *field, int32_t walkable_height,
                          int32_t walkable_climb) {
  const size_t width = (size_t)field->grid.width;
  const int32_t depth = field->grid.depth;
  const WmUshort8 climb = wm_splat_ushort8((uint16_t)walkable_climb);
  const WmScratchMark mark = wm_scratch_mark(context);
  WmPlaneWindow *window = wm_planes_create(context, field, walkable_height);
  if (window) {
    window->floors = field->span_max;
    window->bottoms = field->span_min;
    for (int32_t z = 0; z <= depth; z++) {
      wm_planes_fill(window, z, z < depth ? field->cell_first + (size_t)z * width : NULL);
      if (z > 0) filter_row(field, window, z - 1, climb);
    }
  }
  wm_scratch_rewind(context, mark);
  return window ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}
