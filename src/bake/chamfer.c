/* Where chamfer distances start, and the two sweeps. See chamfer.h. */
#include <string.h>

#include "bake/chamfer.h"
#include "bake/links.h"

/* A span is at most 2 * width from a border, since links lead west until one is missing. Below that width
 * distances are int16 with room to add to; wider fields are swept span by span. */
enum { BLOCK = WM_CHAMFER_BLOCK, WIDTH_LIMIT = 14000, FAR = 30000, FAR_WIDE = 65535 };

/* ---- The start ------------------------------------------------------------------------------------------
 */

/* Whether all areas are; fewer than eight are not looked at. */
static bool are_equal(const uint8_t *area, uint32_t span_count) {
  if (span_count < 8) return false;
  uint64_t first = UINT64_C(0x0101010101010101) * area[0], eight;
  memcpy(&eight, area, sizeof eight);
  for (uint32_t end = span_count; eight == first && end > 8; end -= 8)
    memcpy(&eight, area + end - 8, sizeof eight);
  return eight == first;
}

WM_INLINE int limit_area(int area, int highest) { return area < highest ? area : highest; }

WM_INLINE bool is_inner_span(const WmLinks *links, const uint8_t *area, uint32_t span, int highest_area) {
  const int own = limit_area(area[span], highest_area);
  for (size_t d = 0; d < 4; d++) {
    const uint32_t other = wm_link(links, span, d);
    if (other == WM_NO_SPAN || limit_area(area[other], highest_area) != own) return false;
  }
  return true;
}

/* Mask of a straight block's spans whose neighbours are all of their area. */
WM_INLINE WmShort8 compare_areas(const uint8_t *area, const WmChamferBlock *block, WmShort8 highest) {
  const uint8_t *around[4] = {area - block->stride, area + block->south, area + block->stride,
                              area - block->north};
  const WmShort8 own = wm_min_short8(wm_load_bytes_as_short8(area), highest);
  WmShort8 differ = wm_splat_short8(0);
#pragma GCC unroll 4
  for (int d = 0; d < 4; d++) {
    differ |= wm_min_short8(wm_load_bytes_as_short8(around[d]), highest) ^ own;
  }
  return (WmShort8)(differ == 0);
}

/* Spans at a border are at 0, the others at `far`. */
WM_COLD static void start(const WmCompactHeightfield *compact, const WmChamfer *chamfer, int highest_area,
                          uint16_t far) {
  const uint32_t count = compact->span_count;
  const uint8_t *area = compact->span_area;
  const WmShort8 highest = wm_splat_short8((int16_t)highest_area), bits = {1, 2, 4, 8, 16, 32, 64, 128};
  const bool has_areas = !are_equal(area, count);
  for (uint32_t span = 0, end; span < count; span = end) {
    end = span + BLOCK;
    if (WM_SIMD && chamfer->blocks && end <= count) {
      const WmChamferBlock *block = chamfer->blocks + span / BLOCK;
      const uint32_t on = block->south > block->stride ? block->south : block->stride;
      const bool is_within =
          block->stride && block->stride <= span && block->north <= span && on <= count - end;
      if (is_within || !has_areas) {
        WmShort8 inner = (WmShort8)((wm_splat_short8(block->inner) & bits) != 0);
        if (has_areas) inner &= compare_areas(area + span, block, highest);
        wm_store_ushort8(chamfer->distance + span, (WmUshort8)inner & wm_splat_ushort8(far));
        continue;
      }
    }
    for (uint32_t i = span; i < end && i < count; i++) {
      chamfer->distance[i] = is_inner_span(&compact->links, area, i, highest_area) ? far : 0;
    }
  }
}

/* ---- The sweeps -----------------------------------------------------------------------------------------
 */

/* Both sweeps are the same: from the west and the north in ascending order (`side` 0), or from the east and
 * the south in descending order (`side` 2). Corners lie a quarter turn right of the way to them. */

/* The distance of an inner span from the two sides a sweep has finished. */
static uint16_t relax_span(const WmLinks *links, const uint16_t *distance, uint32_t span, size_t side) {
  const size_t row = (side + 3) & 3;
  const uint32_t a = wm_link(links, span, side), b = wm_link(links, span, row);
  const int nearest = distance[a] < distance[b] ? distance[a] : distance[b];
  int best = distance[span];
  if (nearest + 2 < best) best = nearest + 2;
  if (nearest == 0 || best <= 3) return (uint16_t)best; /* corners add 3, and may be missing beyond a 0 */
  const int a_corner = distance[wm_link(links, a, row)] + 3;
  const int b_corner = distance[wm_link(links, b, side ^ 2)] + 3;
  if (a_corner < best) best = a_corner;
  if (b_corner < best) best = b_corner;
  return (uint16_t)best;
}

static inline WmShort8 load_distance(const uint16_t *distance) { return (WmShort8)wm_load_ushort8(distance); }

/* Eight distances lowered by those of the row before: straight on, and the two corners a stride aside. */
static inline WmShort8 relax_from_row(const uint16_t *own, const uint16_t *row, uint32_t stride) {
  const WmShort8 corners = wm_min_short8(load_distance(row - stride), load_distance(row + stride));
  const WmShort8 best = wm_min_short8(load_distance(row) + 2, corners + 3);
  return wm_min_short8(load_distance(own), best);
}

/* A prefix minimum over the row: inside of the eight spans by doubling, then from the block before. */
static inline WmShort8 relax_along(WmShort8 v, WmShort8 before, uint32_t stride) {
  const WmShort8 far = wm_splat_short8(FAR);
  WmShort8 two_on = wm_splat_short8(2); /* what two spans on count */
  if (stride == 1) {
    const WmShort8 ramp = {2, 4, 6, 8, 10, 12, 14, 16};
    before = wm_repeat_last_short8(before, 1) + ramp;
    v = wm_min_short8(v, wm_move_up_short8(v, 1, far) + two_on);
    two_on += two_on;
  } else {
    const WmShort8 ramp = {2, 2, 4, 4, 6, 6, 8, 8};
    before = wm_repeat_last_short8(before, 2) + ramp;
  }
  v = wm_min_short8(v, wm_move_up_short8(v, 2, far) + two_on);
  v = wm_min_short8(v, wm_move_up_short8(v, 4, far) + two_on + two_on);
  return wm_min_short8(v, before);
}

/* The descending sweep looks at eight distances the other way round. */
static inline WmShort8 turn(WmShort8 v, size_t side) { return side ? wm_reverse_short8(v) : v; }

static void sweep(const WmChamfer *chamfer, const WmLinks *links, uint32_t span_count, size_t side) {
  const uint32_t last = span_count / BLOCK; /* not a full block */
  const int needed = side ? WM_CHAMFER_BACKWARD : WM_CHAMFER_FORWARD;
  WmShort8 before = wm_splat_short8(FAR);
  for (uint32_t i = 0; i <= last; i++) {
    const uint32_t number = side ? last - i : i;
    uint16_t *own = chamfer->distance + (size_t)BLOCK * number;
    if (WM_SIMD && chamfer->blocks && (chamfer->blocks[number].allowed & needed)) {
      const WmChamferBlock *block = chamfer->blocks + number;
      const uint16_t *row = side ? own + block->south : own - block->north;
      before = relax_along(turn(relax_from_row(own, row, block->stride), side), before, block->stride);
      wm_store_ushort8(own, (WmUshort8)turn(before, side));
      continue;
    }
    const uint32_t count = number == last ? span_count % BLOCK : BLOCK;
    for (uint32_t k = 0; k < count; k++) {
      const uint32_t span = BLOCK * number + (side ? count - 1 - k : k);
      if (chamfer->distance[span]) chamfer->distance[span] = relax_span(links, chamfer->distance, span, side);
    }
    if (WM_SIMD) before = turn(load_distance(own), side);
  }
}

/* ---- All of it ------------------------------------------------------------------------------------------
 */

WmStatus wm_chamfer_measure(WmContext *context, const WmCompactHeightfield *compact, uint8_t highest_area,
                            WmChamfer *chamfer) {
  const WmLinks *links = &compact->links;
  const uint32_t count = compact->span_count;
  const bool wide = compact->grid.width > WIDTH_LIMIT;
  const size_t padded = (size_t)count + 2 * WM_CHAMFER_PAD;
  uint16_t *distance = wm_scratch_array(context, padded, sizeof *distance);
  if (!distance) return WM_ERROR_OUT_OF_MEMORY;
  memset(distance, 0, WM_CHAMFER_PAD * sizeof *distance);
  memset(distance + padded - WM_CHAMFER_PAD, 0, WM_CHAMFER_PAD * sizeof *distance);
  *chamfer = (WmChamfer){distance + WM_CHAMFER_PAD, wide ? NULL : compact->chamfer_blocks};
  start(compact, chamfer, highest_area, wide ? FAR_WIDE : FAR);
  sweep(chamfer, links, count, 0);
  sweep(chamfer, links, count, 2);
  return WM_OK;
}
