/* The three filters as a sweep over rows of solid spans. See filter_rows.h.
 *
 * Low hanging obstacles and low ceilings depend on single cells (layer_planes.c). Ledges are spans at a drop,
 * or on too steep an edge, and depend on the heights of neighbours. The gap of a span is the space from its
 * top to the next span of its cell (or WM_OPEN_CEILING); below the lowest span of a cell there is a gap, too.
 * The gaps of neighbouring cells that overlap a span's own by the agent's height are its neighbours. A span
 * is a ledge if
 *
 * - a neighbour is the gap below a cell's lowest span, or a neighbouring cell is outside the field,
 * - the floor of a neighbour is more than the climb lower, or
 * - the floors of neighbours within the climb differ among themselves by more than the climb.
 *
 * Eight cells at a time, every layer that still has an area against every layer of the neighbouring cells.
 *
 * source     M. Mononen, Recast Navigation */
#include "bake/filter/filter_rows.h"

#include <string.h>

#include "base/inline.h"

/* Sides of a cell that a loop over them does at once. */
enum { UNROLL = WM_SIMD ? 4 : 1 };
/* Up to this depth all layers of a side are compared: finding the end would cost more. */
enum { SHALLOW = 8 };

/* Eight gaps of a layer, and the range of the floors that their neighbours share with them. The highest within
 * the climb is found without a comparison: less `shift`, which wraps around, the highest of these becomes the
 * largest short, and floors beyond it become less than the gap's own. */
typedef struct Gaps {
  WmShort8 floor, head;
  WmUshort8 shift;
  WmShort8 lowest;
  WmShort8 highest; /* less `shift` */
} Gaps;

/* Extends the range by a layer of neighbouring gaps, where they overlap. */
WM_INLINE void widen(Gaps *own, WmShort8 floor, WmShort8 head) {
  const WmShort8 least = wm_splat_short8(INT16_MIN);
  const WmShort8 apart = (WmShort8)(wm_max_short8(own->floor, floor) > wm_min_short8(own->head, head));
  const WmShort8 shared = wm_max_short8(floor, apart ^ least); /* INT16_MAX if apart: beyond any climb */
  own->lowest = wm_min_short8(own->lowest, shared);
  own->highest = wm_max_short8(own->highest, (WmShort8)((WmUshort8)shared - own->shift));
}

/* Extends the range by the layers of one side from `begin` on, which is moved past layers that are too low for
 * any layer from here up. */
static void widen_by_many(Gaps *own, const WmPlaneView *view, ptrdiff_t stride, int32_t x, uint32_t depth,
                          uint32_t *begin) {
  for (uint32_t k = *begin; k < depth; k++) {
    const int16_t *other = wm_planes_at(view, stride, k, x);
    const WmShort8 floor = wm_load_short8(other), head = wm_load_short8(other + stride);
    if (wm_all_short8((WmShort8)(wm_max_short8(own->floor, floor) > own->head))) break;
    if (k == *begin && wm_all_short8((WmShort8)(own->floor > head))) (*begin)++;
    widen(own, floor, head);
  }
}

/* Extends the range by layers first..end - 1 of one side. */
WM_INLINE void widen_by_few(Gaps *own, const WmPlaneView *view, ptrdiff_t stride, int32_t x, uint32_t first,
                            uint32_t end) {
  for (uint32_t k = first; k < end; k++) {
    const int16_t *other = wm_planes_at(view, stride, k, x);
    widen(own, wm_load_short8(other), wm_load_short8(other + stride));
  }
}

/* Returns a mask of eight cells: their spans of one layer that are ledges. `x` is the first of the cells;
 * the neighbours' layers before `begin` are too low to overlap. */
static inline WmShort8 find_ledges(const WmPlaneView views[5], int32_t x, const int16_t *own,
                                   ptrdiff_t stride, WmUshort8 climb, uint32_t begin[4]) {
  const WmShort8 floor = wm_load_short8(own), head = wm_load_short8(own + stride);
  /* The highest floor within the climb, saturated, and below that of widen. */
  const WmUshort8 height = (WmUshort8)floor ^ WM_PLANE_BIAS, sum = height + climb;
  const WmShort8 reach = wm_min_short8((WmShort8)((sum | (WmUshort8)(sum < height)) ^ WM_PLANE_BIAS),
                                       wm_splat_short8(INT16_MAX - 1));
  const WmUshort8 shift = (WmUshort8)reach - wm_splat_ushort8(INT16_MAX);
  Gaps gaps = {floor, head, shift, floor, (WmShort8)((WmUshort8)floor - shift)};
  WmShort8 is_ledge = wm_splat_short8(0);
  uint32_t depth[4], least = SHALLOW;
  for (int d = 0; d < 4; d++) {
    depth[d] = wm_planes_depth(&views[d], x / WM_PLANE_BLOCK);
    if (depth[d] < least) least = depth[d];
    is_ledge |= (WmShort8)(wm_min_short8(head, wm_load_short8(views[d].base + x)) >= floor);
  }
  /* The layers that all sides have, at once: sides mostly have as many, and each loop's end is a branch that
   * processors rarely foresee. */
  for (uint32_t k = 0; k < least; k++) {
#pragma GCC unroll UNROLL
    for (int d = 0; d < 4; d++) widen_by_few(&gaps, &views[d], stride, x, k, k + 1);
  }
  for (int d = 0; d < 4; d++) {
    if (depth[d] > SHALLOW) {
      if (begin[d] < least) begin[d] = least;
      widen_by_many(&gaps, &views[d], stride, x, depth[d], &begin[d]);
    } else {
      widen_by_few(&gaps, &views[d], stride, x, least, depth[d]);
    }
  }
  /* The difference includes drops deeper than the climb, since `highest` is at least the floor. */
  return is_ledge | (WmShort8)((WmUshort8)gaps.highest + shift - (WmUshort8)gaps.lowest > climb);
}

/* Returns true only if none of eight cells is a ledge: they and their neighbours have one layer, all
 * floors differ by at most the climb, and no neighbour has a gap below it that overlaps. */
static inline bool are_even(const WmPlaneView views[5], int32_t x, WmShort8 is_retained, WmUshort8 climb) {
  const int32_t block = x / WM_PLANE_BLOCK;
  const WmShort8 floor = wm_load_short8(views[4].floor + x);
  WmShort8 lowest = floor, highest = floor, base = wm_splat_short8(INT16_MIN);
  for (int d = 0; d < 4; d++) {
    if (wm_planes_depth(&views[d], block) != 1) return false;
    const WmShort8 other = wm_load_short8(views[d].floor + x);
    lowest = wm_min_short8(lowest, other);
    highest = wm_max_short8(highest, other);
    base = wm_max_short8(base, wm_load_short8(views[d].base + x));
  }
  const WmShort8 is_steep = (WmShort8)((WmUshort8)highest - (WmUshort8)lowest > climb);
  return !wm_any_short8(is_retained & (is_steep | (WmShort8)(base >= floor)));
}

/* Removes the areas of the ledges in row z. */
static void clear_ledges(const WmRowFilter *filter, int32_t z) {
  const WmShort8 lane = {0, 1, 2, 3, 4, 5, 6, 7}, area8 = wm_splat_short8(WM_STATE_AREA - 1);
  const int32_t width = filter->planes->width;
  const ptrdiff_t stride = filter->planes->stride;
  const bool is_rim = z == 0 || z == filter->depth - 1;
  WmPlaneView views[5];
  wm_planes_look(filter->planes, z, views);
  for (int32_t x = 0; x < width; x += WM_PLANE_BLOCK) {
    /* Cells with a neighbour outside the field. */
    WmShort8 rim = wm_splat_short8(is_rim ? -1 : 0);
    if (x == 0) rim |= (WmShort8)(lane == 0);
    if (width - x <= WM_PLANE_BLOCK) rim |= (WmShort8)(lane >= (int16_t)(width - 1 - x));
    const uint32_t depth = views[4].depth[x / WM_PLANE_BLOCK];
    uint32_t begin[4] = {0};
    for (uint32_t layer = 0; layer < depth; layer++) {
      int16_t *own = wm_planes_at(&views[4], stride, layer, x);
      const WmShort8 state = wm_load_short8(own + 2 * stride), is_retained = (WmShort8)(state > area8);
      if (!wm_any_short8(is_retained)) continue;
      if (depth == 1 && !wm_any_short8(rim) && are_even(views, x, is_retained, filter->climb)) continue;
      const WmShort8 ledges = rim | find_ledges(views, x, own, stride, filter->climb, begin);
      wm_store_short8(own + 2 * stride, state & ~(ledges & ~area8));
    }
  }
}

WM_COLD WmStatus wm_row_filter_start(WmContext *context, const WmGrid *grid, const WmFilterSettings *settings,
                                     WmRowFilter *filter) {
  const int32_t climb = settings->walkable_climb < UINT16_MAX ? settings->walkable_climb : UINT16_MAX;
  *filter = (WmRowFilter){.planes = wm_planes_create(context, grid->width, settings->walkable_height),
                          .cell_filters = {settings->low_hanging_obstacles ? climb : 0,
                                           settings->low_height ? settings->walkable_height : 0},
                          .climb = wm_splat_ushort8((uint16_t)climb),
                          .has_ledges = settings->ledges,
                          .depth = grid->depth};
  return filter->planes ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

WmStatus wm_row_filter_push(WmContext *context, WmRowFilter *filter, const WmSpanRow *row, int32_t z) {
  if (row) {
    const WmStatus status = wm_planes_reserve(context, filter->planes, z, row->layers);
    if (status) return status;
    wm_planes_fill_solid(filter->planes, z, row, filter->cell_filters);
  } else {
    wm_planes_clear(filter->planes, z);
  }
  if (z > 0 && filter->has_ledges) clear_ledges(filter, z - 1);
  return WM_OK;
}
