/* Links of the compact heightfield, row by row.
 *
 * A span links to the lowest span of the neighbouring cell whose floor differs by at most the climb and whose
 * gap overlaps its own by the agent's height. Eight cells at a time, every layer against every layer of the
 * neighbours (layer_planes.h), then a transposition from sides to spans.
 *
 * source     M. Mononen, Recast Navigation */
#include <string.h>

#include "bake/compact/compact_internal.h"

#define FAR_OFF (1u << 31) /* a step that is too long in either direction */

/* Returns a mask of gaps that don't overlap by the agent's height, or whose floors differ by more than the
 * climb. */
WM_INLINE WmShort8 are_apart(WmShort8 floor, WmShort8 head, WmUshort8 climb, const int16_t *other,
                             ptrdiff_t stride) {
  const WmShort8 other_floor = wm_load_short8(other), other_head = wm_load_short8(other + stride);
  const WmShort8 higher = wm_max_short8(floor, other_floor), lower = wm_min_short8(floor, other_floor);
  return (WmShort8)(higher > wm_min_short8(head, other_head)) |
         (WmShort8)((WmUshort8)higher - (WmUshort8)lower > climb);
}

/* Finds the spans across one side of one layer of eight cells: links [8]. Layers before *begin are too
 * low. */
static inline void find_links(WmShort8 floor, WmShort8 head, WmUshort8 climb, const WmPlaneView *view,
                              int32_t x, ptrdiff_t stride, uint32_t *begin, WmUint4 *links) {
  const uint32_t depth = wm_planes_depth(view, x / WM_PLANE_BLOCK);
  WmShort8 missing = wm_splat_short8(-1), found = missing;
  for (uint32_t layer = *begin; layer < depth; layer++) {
    const int16_t *other = wm_planes_at(view, stride, layer, x);
    if (depth > WM_PLANE_SHALLOW) {
      const WmShort8 other_head = wm_load_short8(other + stride);
      const WmShort8 higher = wm_max_short8(floor, wm_load_short8(other));
      if (wm_mask_short8((WmShort8)(higher > head)) == 255) break;
      if (layer == *begin && wm_mask_short8((WmShort8)(floor > other_head)) == 255) ++*begin;
    }
    const WmShort8 apart = are_apart(floor, head, climb, other, stride);
    found = wm_select_short8(apart | ~missing, found, wm_splat_short8((int16_t)layer));
    missing &= apart;
  }
  const uint32_t *first = view->first + x;
  const WmUint4 low = (WmUint4)wm_widen_low_short8(found), high = (WmUint4)wm_widen_high_short8(found);
  links[0] = (wm_load_uint4(first) + low) | (WmUint4)wm_widen_low_short8(missing);
  links[4] = (wm_load_uint4(first + 4) + high) | (WmUint4)wm_widen_high_short8(missing);
}

/* Rows of eight cells with one span each and all links to cells with one span each: nearly all of open
 * surface. */
typedef struct Stretch {
  WmLinkRow row;
  uint32_t length; /* the number of consecutive rows like this one; 0: none */
} Stretch;

WM_COLD static void add_stretch(WmLinkBuilder *builder, Stretch *stretch) {
  if (!WM_SIMD || !stretch->length) return;
  wm_links_add_row(builder, &stretch->row);
  wm_links_repeat_row(builder, stretch->length - 1);
  stretch->length = 0;
}

/* True if the cells to the west and east of eight have `most` spans each, or none. */
WM_INLINE bool are_sides_even(const uint32_t *first, uint32_t most) {
  const uint32_t west = first[0] - first[-1], east = first[WM_PLANE_BLOCK + 1] - first[WM_PLANE_BLOCK];
  return (west == most || west == 0) && (east == most || east == 0);
}

/* The difference from the numbers of a row of single spans to the numbers of the linked spans of another
 * row; `last` if no span is linked, FAR_OFF if the difference isn't the same for all. */
WM_NOINLINE static uint32_t find_row_step(const uint32_t *first, const uint32_t *to, WmShort8 linked,
                                          uint32_t last) {
  const int lanes = wm_mask_short8(linked);
  if (!lanes) return last;
  const int lane = __builtin_ctz((unsigned)lanes);
  const uint32_t step = to[lane] - first[lane];
  if (lanes == 255) return step;
  const WmInt4 low = (WmInt4)((wm_load_uint4(to) - wm_load_uint4(first)) ^ step);
  const WmInt4 high = (WmInt4)((wm_load_uint4(to + 4) - wm_load_uint4(first + 4)) ^ step);
  const WmInt4 astray = (low & wm_widen_low_short8(linked)) | (high & wm_widen_high_short8(linked));
  return wm_mask_int4((WmInt4)(astray == 0)) == 15 ? step : FAR_OFF;
}

WM_INLINE bool are_steps_short(const WmLinkRow *row) {
  return row->south <= INT16_MAX && row->north <= INT16_MAX;
}

/* Links eight cells of at most one span each to such cells. Returns false if some have more. */
static inline bool link_single(const WmPlaneView views[5], int32_t x, ptrdiff_t stride, WmUshort8 climb,
                               WmLinkBuilder *builder, Stretch *stretch) {
  const uint32_t *first = views[4].first + x;
  const int32_t block = x / WM_PLANE_BLOCK;
  const uint32_t south_depth = views[1].depth[block], north_depth = views[3].depth[block];
  if (views[4].depth[block] != 1 || south_depth > 1 || north_depth > 1 || !are_sides_even(first, 1)) {
    return false;
  }
  const int16_t *own = views[4].floor + x;
  const WmShort8 floor = wm_load_short8(own), head = wm_load_short8(own + stride);
  WmShort8 linked[4];
  for (int d = 0; d < 4; d++) linked[d] = ~are_apart(floor, head, climb, views[d].floor + x, stride);
  /* Blocks without spans have no planes to read. */
  if (!south_depth) linked[1] = wm_splat_short8(0);
  if (!north_depth) linked[3] = wm_splat_short8(0);
  WmLinkRow row = {.first = first[0], .count = WM_PLANE_BLOCK, .stride = 1, .present = WM_LINKS_ALL};
  if (wm_mask_short8(linked[0] & linked[1] & linked[2] & linked[3]) == 255) {
    row.south = views[1].first[x] - first[0];
    row.north = first[0] - views[3].first[x];
    if (stretch->length && stretch->row.south == row.south && stretch->row.north == row.north) {
      stretch->length++;
      return true;
    }
    if (!are_steps_short(&row)) return false;
    add_stretch(builder, stretch);
    *stretch = (Stretch){row, 1};
    return true;
  }
  const unsigned cells = (unsigned)wm_mask_short8((WmShort8)(floor < WM_PLANE_ABSENT));
  const unsigned start = (unsigned)__builtin_ctz(cells);
  row.count = first[WM_PLANE_BLOCK] - first[0];
  row.present = 0;
  if (cells >> start != (1u << row.count) - 1) return false;
  add_stretch(builder, stretch);
  row.south = find_row_step(first, views[1].first + x, linked[1], builder->steps[1]);
  row.north = 0 - find_row_step(first, views[3].first + x, linked[3], builder->steps[3]);
  for (int d = 4; d-- > 0;) row.present = row.present << 16 | (unsigned)wm_mask_short8(linked[d]) >> start;
  if (!are_steps_short(&row)) return false;
  wm_links_add_row(builder, &row);
  return true;
}

/* True if eight cells have `layers` spans each. */
WM_INLINE bool are_stacks(const WmPlaneView *view, int32_t x, uint32_t layers) {
  return view->depth[x / WM_PLANE_BLOCK] == layers &&
         view->first[x + WM_PLANE_BLOCK] - view->first[x] == layers * WM_PLANE_BLOCK;
}

/* Finds the links of `layers` layers of eight cells across one side, a bit for each span in the order of span
 * numbers: [cell][layer]. Returns false if a span links to another layer than its own. */
WM_INLINE bool find_stack_links(const int16_t *own, const int16_t *other, ptrdiff_t stride, WmUshort8 climb,
                                uint32_t layers, uint32_t *linked) {
  WmShort8 astray = wm_splat_short8(0);
  *linked = UINT32_MAX;
  for (uint32_t layer = 0; layer < layers; layer++) {
    const int16_t *at = own + 3 * stride * (ptrdiff_t)layer, *level = other + 3 * stride * (ptrdiff_t)layer;
    const WmShort8 floor = wm_load_short8(at), head = wm_load_short8(at + stride);
    const WmShort8 apart = are_apart(floor, head, climb, level, stride);
    for (uint32_t below = 1; below <= layer; below++) {
      astray |= ~are_apart(floor, head, climb, level - 3 * stride * (ptrdiff_t)below, stride);
    }
    for (uint32_t above = 1; above < layers - layer; above++) {
      astray |= apart & ~are_apart(floor, head, climb, level + 3 * stride * (ptrdiff_t)above, stride);
    }
    for (unsigned missing = (unsigned)wm_mask_short8(apart); missing; missing &= missing - 1) {
      *linked &= ~(1u << (layers * (unsigned)__builtin_ctz(missing) + layer));
    }
  }
  return !wm_mask_short8(astray);
}

/* The same for cells of `layers` spans, a constant, that only have links to the same layer. */
WM_INLINE bool link_layered(const WmPlaneView views[5], int32_t x, ptrdiff_t stride, WmUshort8 climb,
                            WmLinkBuilder *builder, uint32_t layers) {
  const uint32_t *first = views[4].first + x;
  if (!are_stacks(&views[4], x, layers) || !are_stacks(&views[1], x, layers) ||
      !are_stacks(&views[3], x, layers) || !are_sides_even(first, layers))
    return false;
  WmLinkRow row = {.first = first[0],
                   .count = WM_PLANE_BLOCK,
                   .stride = layers,
                   .south = views[1].first[x] - first[0],
                   .north = first[0] - views[3].first[x]};
  uint32_t linked[4];
  if (!are_steps_short(&row)) return false;
  for (int d = 0; d < 4; d++) {
    if (!find_stack_links(views[4].floor + x, views[d].floor + x, stride, climb, layers, &linked[d])) {
      return false;
    }
  }
  for (uint32_t layer = 0; layer < layers; layer++, row.first += WM_PLANE_BLOCK) {
    row.present = 0;
    for (int d = 4; d-- > 0;) row.present = row.present << 16 | (linked[d] >> (WM_PLANE_BLOCK * layer) & 255);
    wm_links_add_row(builder, &row);
  }
  return true;
}

/* The same for any number of layers, as one function: for loops that aren't unrolled. */
WM_NOINLINE static bool link_deep(const WmPlaneView views[5], int32_t x, ptrdiff_t stride, WmUshort8 climb,
                                  WmLinkBuilder *builder) {
  return link_layered(views, x, stride, climb, builder, views[4].depth[x / WM_PLANE_BLOCK]);
}

/* Links eight cells of two to four spans each, as are those around them. Returns false if they aren't such. It and
 * link_layers are not inlined: V8 took 5 ms to optimise all as one function, and takes 2 for the three. */
WM_NOINLINE static bool link_stacks(const WmPlaneView views[5], int32_t x, ptrdiff_t stride, WmUshort8 climb,
                                    WmLinkBuilder *builder) {
  const uint32_t layers = views[4].depth[x / WM_PLANE_BLOCK];
  if (layers == 2) return link_layered(views, x, stride, climb, builder, 2);
  return layers > 2 && layers <= WM_LINK_MAX_STRIDE && link_deep(views, x, stride, climb, builder);
}

/* Links the spans of eight cells, layer by layer. */
WM_NOINLINE static void link_layers(const WmPlaneView views[5], int32_t x, ptrdiff_t stride, WmUshort8 climb,
                                    WmLinkBuilder *builder) {
  const uint32_t *first = views[4].first + x, depth = views[4].depth[x / WM_PLANE_BLOCK];
  uint32_t(*const out)[4] = wm_links_pending(builder, first[0]);
  uint32_t begin[4] = {0};
  for (uint32_t layer = 0; layer < depth; layer++) {
    const int16_t *own = wm_planes_at(&views[4], stride, layer, x);
    const WmShort8 floor = wm_load_short8(own), head = wm_load_short8(own + stride);
    WmUint4 links[WM_PLANE_BLOCK];
    for (int d = 0; d < 4; d++) find_links(floor, head, climb, &views[d], x, stride, &begin[d], &links[d]);
    wm_transpose_uint4(links);
    wm_transpose_uint4(links + 4);
    int present = wm_mask_short8((WmShort8)(floor < WM_PLANE_ABSENT));
    if (present == 255 && depth == 1) {
#pragma GCC unroll 8
      for (int cell = 0; cell < WM_PLANE_BLOCK; cell++) wm_store_uint4(out[cell], links[cell]);
      break;
    }
    for (; present; present &= present - 1) {
      const int cell = __builtin_ctz((unsigned)present);
      wm_store_uint4(out[first[cell] + layer - first[0]], links[cell]);
    }
  }
  wm_links_add(builder, first[WM_PLANE_BLOCK]);
}

void wm_compact_link_row(const WmCompactHeightfield *compact, const WmPlaneWindow *window, int32_t z,
                         WmLinkBuilder *builder) {
  const WmUshort8 climb = wm_splat_ushort8((uint16_t)compact->walkable_climb);
  const ptrdiff_t stride = window->stride;
  WmPlaneView views[5];
  wm_planes_look(window, z, views);
  wm_links_reserve(builder, WM_PLANE_BLOCK * window->rows[z % 3].capacity);
  Stretch stretch = {.length = 0};
  for (int32_t x = 0; x < window->width && !builder->status; x += WM_PLANE_BLOCK) {
    if (!views[4].depth[x / WM_PLANE_BLOCK]) continue;
    if (WM_SIMD && link_single(views, x, stride, climb, builder, &stretch)) continue;
    add_stretch(builder, &stretch);
    if (WM_SIMD && link_stacks(views, x, stride, climb, builder)) continue;
    link_layers(views, x, stride, climb, builder);
  }
  add_stretch(builder, &stretch);
}

WM_COLD bool wm_compact_are_links_symmetric(const WmCompactHeightfield *compact) {
  for (size_t i = 0; i < 4 * (size_t)compact->span_count; i++) {
    const uint32_t span = (uint32_t)(i / 4), other = wm_link(&compact->links, span, i & 3);
    if (other != WM_NO_SPAN && wm_link(&compact->links, other, (i + 2) & 3) != span) {
      return false;
    }
  }
  return true;
}
