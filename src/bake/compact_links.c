/* Links of the compact heightfield, row by row.
 *
 * A span links to the lowest span of the neighbouring cell whose floor is within the climb and whose opening
 * overlaps its own by the agent's height. Eight cells at a time, every layer against every layer of the
 * neighbours (layer_planes.h), then a transposition from directions to spans.
 * Source: M. Mononen, Recast Navigation. */
#include <string.h>

#include "bake/compact_internal.h"

/* Which openings do not overlap by the agent's height, or lie further apart than the climb. */
WM_INLINE WmShort8 are_apart(WmShort8 floor, WmShort8 head, WmUshort8 climb, const int16_t *other,
                             ptrdiff_t stride) {
  const WmShort8 other_floor = wm_load_short8(other), other_head = wm_load_short8(other + stride);
  const WmShort8 higher = wm_max_short8(floor, other_floor), lower = wm_min_short8(floor, other_floor);
  return (WmShort8)(higher > wm_min_short8(head, other_head)) |
         (WmShort8)((WmUshort8)higher - (WmUshort8)lower > climb);
}

/* The spans across one direction of one layer of eight cells: links [8]. Layers before *begin are below. */
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

/* Whether eight cells have one span each. */
WM_INLINE bool are_single(const WmPlaneView *view, int32_t x) {
  return view->depth[x / WM_PLANE_BLOCK] == 1 &&
         view->first[x + WM_PLANE_BLOCK] - view->first[x] == WM_PLANE_BLOCK;
}

/* Links eight cells of one span each to cells of one span each, where all links are there: nearly everywhere
 * on open ground. False where they are not so. */
static inline bool link_plain(const WmPlaneView views[5], int32_t x, ptrdiff_t stride, WmUshort8 climb,
                              WmLinkMaker *maker) {
  const uint32_t *first = views[4].first + x;
  if (!are_single(&views[4], x) || !are_single(&views[1], x) || !are_single(&views[3], x) ||
      first[0] - first[-1] != 1 || first[WM_PLANE_BLOCK + 1] - first[WM_PLANE_BLOCK] != 1) {
    return false;
  }
  const int16_t *own = views[4].floor + x;
  const WmShort8 floor = wm_load_short8(own), head = wm_load_short8(own + stride);
  WmShort8 apart = wm_splat_short8(0);
  for (int d = 0; d < 4; d++) apart |= are_apart(floor, head, climb, views[d].floor + x, stride);
  if (wm_mask_short8(apart)) return false;
  const uint32_t south = views[1].first[x] - first[0], north = first[0] - views[3].first[x];
  if (south > INT16_MAX || north > INT16_MAX) return false;
  wm_links_add_straight(maker, first[0], north, south);
  return true;
}

/* Links the spans of eight cells, layer by layer. */
static void link_layers(const WmPlaneView views[5], int32_t x, ptrdiff_t stride, WmUshort8 climb,
                        WmLinkMaker *maker) {
  const uint32_t *first = views[4].first + x, depth = views[4].depth[x / WM_PLANE_BLOCK];
  uint32_t(*const out)[4] = wm_links_pending(maker, first[0]);
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
  wm_links_add(maker, first[WM_PLANE_BLOCK]);
}

void wm_compact_link_row(const WmCompactHeightfield *compact, const WmPlaneWindow *window, int32_t z,
                         WmLinkMaker *maker) {
  const WmUshort8 climb = wm_splat_ushort8((uint16_t)compact->walkable_climb);
  const ptrdiff_t stride = window->stride;
  WmPlaneView views[5];
  wm_planes_look(window, z, views);
  wm_links_reserve(maker, WM_PLANE_BLOCK * window->rows[z % 3].capacity);
  for (int32_t x = 0; x < compact->grid.width && !maker->status; x += WM_PLANE_BLOCK) {
    if (WM_SIMD && link_plain(views, x, stride, climb, maker)) continue;
    if (views[4].depth[x / WM_PLANE_BLOCK]) link_layers(views, x, stride, climb, maker);
  }
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
