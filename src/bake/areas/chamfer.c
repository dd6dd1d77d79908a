/* Chamfer distances: the spans at distance 0, and the two sweeps. See chamfer.h. */
#include <string.h>

#include "bake/areas/chamfer.h"
#include "bake/compact/link_steps.h"
#include "base/simd.h"

/* A span is at most 2 * width from an area border, since links lead west until one is missing. Below that
 * width, distances fit into int16 with room for additions; wider fields are swept span by span. */
enum { BLOCK = WM_LINK_BLOCK, WIDTH_LIMIT = 14000, FAR = 30000, FAR_WIDE = 65535 };

/* ---- The start --------------------------------------------------------------------------------------- */

/* True if all areas are equal; false for fewer than eight spans. */
static bool are_equal(const uint8_t *area, uint32_t span_count) {
  if (span_count < 8) return false;
  uint64_t first = UINT64_C(0x0101010101010101) * area[0], eight;
  memcpy(&eight, area, sizeof eight);
  for (uint32_t end = span_count; eight == first && end > 8; end -= 8)
    memcpy(&eight, area + end - 8, sizeof eight);
  return eight == first;
}

WM_INLINE int limit_area(int area, int highest) { return area < highest ? area : highest; }

/* True if the neighbours of an inner span have its area. */
WM_COLD static bool is_of_one_area(const WmLinks *links, const uint8_t *area, uint32_t span,
                                   int highest_area) {
  const int own = limit_area(area[span], highest_area);
  for (size_t d = 0; d < 4; d++) {
    if (limit_area(area[wm_link(links, span, d)], highest_area) != own) return false;
  }
  return true;
}

/* Mask of a block's spans whose neighbours, found by the block's steps, all have their area. */
WM_INLINE WmShort8 compare_areas(const uint8_t *area, const WmLinkBlock *block, WmShort8 highest) {
  const WmShort8 own = wm_min_short8(wm_load_bytes_as_short8(area), highest);
  WmShort8 differ = wm_splat_short8(0);
#pragma GCC unroll 4
  for (int d = 0; d < 4; d++) {
    differ |= wm_min_short8(wm_load_bytes_as_short8(area + block->step[d]), highest) ^ own;
  }
  return (WmShort8)(differ == 0);
}

/* The same over a table of steps. */
WM_INLINE WmShort8 compare_listed(const uint8_t *area, const int16_t *steps, WmShort8 highest) {
  const WmShort8 own = wm_min_short8(wm_load_bytes_as_short8(area), highest);
  WmShort8 differ = wm_splat_short8(0);
  for (int d = 0; d < 4; d++) {
    uint8_t across[BLOCK];
#pragma GCC unroll 8
    for (int k = 0; k < BLOCK; k++) across[k] = area[k + steps[BLOCK * d + k]];
    differ |= wm_min_short8(wm_load_bytes_as_short8(across), highest) ^ own;
  }
  return (WmShort8)(differ == 0);
}

/* True if areas can be compared eight at a time: all steps are known, and lead from `span` to existing
 * spans. */
WM_INLINE bool can_compare(const WmLinkBlock *block, uint32_t span, uint32_t span_count) {
  const uint32_t north = 0u - (uint32_t)block->step[3], south = (uint32_t)block->step[1];
  return block->stride && north >= WM_LINK_MAX_STRIDE && north <= span && south >= WM_LINK_MAX_STRIDE &&
         south <= span_count - span - BLOCK;
}

/* Sets spans at an area border to 0, the others to `far`. */
WM_COLD static void start(const WmCompactHeightfield *compact, uint16_t *distance, int highest_area,
                          uint16_t far) {
  const uint32_t count = compact->span_count;
  const uint8_t *area = compact->span_area;
  const WmShort8 highest = wm_splat_short8((int16_t)highest_area), bits = {1, 2, 4, 8, 16, 32, 64, 128};
  const bool has_areas = !are_equal(area, count);
  const WmLinkBlock *block = compact->links.blocks;
  for (uint32_t span = 0, end; span < count; span = end, block++) {
    end = span + BLOCK;
    int16_t own[WM_LINK_LIST];
    const int16_t *steps = NULL;
    const bool is_short = has_areas && can_compare(block, span, count);
    if (has_areas && !is_short) steps = wm_read_steps(&compact->links, block, own);
    if (end <= count && (!has_areas || is_short || steps)) {
      WmShort8 inner = (WmShort8)((wm_splat_short8((int16_t)wm_inner_spans(block)) & bits) != 0);
      if (is_short) inner &= compare_areas(area + span, block, highest);
      if (steps) inner &= compare_listed(area + span, steps, highest);
      wm_store_ushort8(distance + span, (WmUshort8)inner & wm_splat_ushort8(far));
      continue;
    }
    const unsigned inner = wm_inner_spans(block);
    for (uint32_t i = span; i < end && i < count; i++) {
      const bool is_inner =
          (inner >> (i - span) & 1) && (!has_areas || is_of_one_area(&compact->links, area, i, highest_area));
      distance[i] = is_inner ? far : 0;
    }
  }
}

/* ---- The sweeps -------------------------------------------------------------------------------------- */

/* Both sweeps are the same: from the west and the north in ascending order (`side` 0), or from the east
 * and the south in descending order (`side` 2). A corner is a quarter turn right of the neighbour it is
 * reached by. */

WM_INLINE int lesser(int a, int b) { return a < b ? a : b; }

/* The distance of a span, so far `best`, with distances `a` and `b` next to it, on the sides that the sweep has finished, and those
 * of the corners, of which one may be any number beyond a 0. */
WM_INLINE uint16_t relax(int best, int a, int b, int corner, int other) {
  return (uint16_t)lesser(best, lesser(lesser(a, b) + 2, lesser(corner, other) + 3));
}

/* The distance across a side, 0 if the link is missing. */
static int look_across(const WmLinks *links, const uint16_t *distance, uint32_t span, size_t side) {
  const uint32_t link = span == WM_NO_SPAN ? span : wm_link(links, span, side);
  return link == WM_NO_SPAN ? 0 : distance[link];
}

/* The same for the first `count` spans of a block with these steps. Tests that are hard to predict take longer
 * than the loads they save.
 * in/out     beyond: the distances on the row side of the spans before, of these, and of those after */
static void sweep_steps(const WmLinks *links, const int16_t *steps, const int8_t *aside, uint16_t *distance,
                        uint32_t first, uint32_t count, size_t side, uint16_t beyond[3 * BLOCK]) {
  const size_t across = (side + 3) & 3;
  const int32_t onward = side ? -1 : 1;
  int32_t k = side ? (int32_t)count - 1 : 0;
  for (; (uint32_t)k < count; k += onward) {
    const uint32_t span = first + (uint32_t)k;
    const int32_t along = steps[BLOCK * side + (size_t)k], at = BLOCK + k + along;
    const uint32_t b = span + (uint32_t)steps[BLOCK * across + (size_t)k];
    const int best = distance[span], beside = distance[span + (uint32_t)along], opposite = distance[b];
    const int corner = (distance + b)[aside[b]]; /* may lie before the first span, in the padding */
    int other;
    if ((uint32_t)at < 3 * BLOCK) {
      other = beyond[at];
    } else {
      other = look_across(links, distance, span + (uint32_t)along, across);
    }
    distance[span] = relax(best, beside, opposite, corner, other);
    beyond[BLOCK + k] = (uint16_t)opposite;
  }
}

/* Sweeps the first `count` spans of a block, whatever its links are. */
static void sweep_spans(const WmLinks *links, const WmLinkBlock *block, const int8_t *aside,
                        uint16_t *distance, uint32_t first, uint32_t count, size_t side,
                        uint16_t beyond[3 * BLOCK]) {
  const size_t across = (side + 3) & 3;
  int16_t own[WM_LINK_LIST];
  const int16_t *steps = aside ? wm_read_steps(links, block, own) : NULL;
  if (steps) sweep_steps(links, steps, aside, distance, first, count, side, beyond);
  for (uint32_t k = 0; k < count && !steps; k++) {
    const uint32_t at = side ? count - 1 - k : k, span = first + at;
    const int opposite = look_across(links, distance, span, across);
    const int corner = look_across(links, distance, wm_link(links, span, across), side ^ 2);
    const int other = look_across(links, distance, wm_link(links, span, side), across);
    distance[span] = relax(distance[span], look_across(links, distance, span, side), opposite, corner, other);
    beyond[BLOCK + at] = (uint16_t)opposite;
  }
}

/* Sweeps a straight block without SIMD. */
WM_INLINE void sweep_straight(uint16_t *distance, uint32_t count, ptrdiff_t along, ptrdiff_t row,
                              size_t side) {
  for (uint32_t k = 0; k < count; k++) {
    uint16_t *own = distance + (side ? count - 1 - k : k);
    if (*own) *own = relax(*own, own[along], own[row], own[row - along], own[row + along]);
  }
}

static inline WmShort8 load_distance(const uint16_t *distance) { return (WmShort8)wm_load_ushort8(distance); }

/* Lowers eight distances by those of the row before: straight on, and the two corners a stride aside. */
static inline WmShort8 relax_from_row(const uint16_t *own, const uint16_t *row, uint32_t stride) {
  const WmShort8 corners = wm_min_short8(load_distance(row - stride), load_distance(row + stride));
  const WmShort8 best = wm_min_short8(load_distance(row) + 2, corners + 3);
  return wm_min_short8(load_distance(own), best);
}

/* A prefix minimum over the row: within the eight spans by doubling, then from the block before. For each
 * stride, so that lanes are moved by constants. */
static inline WmShort8 relax_along(WmShort8 v, WmShort8 before, uint32_t stride) {
  const WmShort8 far = wm_splat_short8(FAR);
  if (stride == 1) {
    const WmShort8 ramp = {2, 4, 6, 8, 10, 12, 14, 16};
    before = wm_repeat_last_short8(before, 1) + ramp;
    v = wm_min_short8(v, wm_move_up_short8(v, 1, far) + 2);
    v = wm_min_short8(v, wm_move_up_short8(v, 2, far) + 4);
    v = wm_min_short8(v, wm_move_up_short8(v, 4, far) + 8);
  } else if (stride == 2) {
    const WmShort8 ramp = {2, 2, 4, 4, 6, 6, 8, 8};
    before = wm_repeat_last_short8(before, 2) + ramp;
    v = wm_min_short8(v, wm_move_up_short8(v, 2, far) + 2);
    v = wm_min_short8(v, wm_move_up_short8(v, 4, far) + 4);
  } else if (stride == 3) {
    const WmShort8 ramp = {2, 2, 2, 4, 4, 4, 6, 6};
    before = wm_repeat_last_short8(before, 3) + ramp;
    v = wm_min_short8(v, wm_move_up_short8(v, 3, far) + 2);
    v = wm_min_short8(v, wm_move_up_short8(v, 6, far) + 4);
  } else {
    const WmShort8 ramp = {2, 2, 2, 2, 4, 4, 4, 4};
    before = wm_repeat_last_short8(before, 4) + ramp;
    v = wm_min_short8(v, wm_move_up_short8(v, 4, far) + 2);
  }
  return wm_min_short8(v, before);
}

/* The descending sweep looks at eight distances the other way round. */
static inline WmShort8 turn(WmShort8 v, size_t side) { return side ? wm_reverse_short8(v) : v; }

static void sweep(const WmCompactHeightfield *compact, uint16_t *distance, const int8_t *aside, bool wide,
                  size_t side) {
  const uint32_t span_count = compact->span_count, last = span_count / BLOCK; /* not a full block */
  const unsigned needed = side ? WM_LINK_BACKWARD : WM_LINK_FORWARD;
  const WmLinks links = compact->links;
  WmShort8 before = wm_splat_short8(FAR);
  uint16_t beyond[3 * BLOCK] = {0};
  const uint16_t *beyond_last = beyond + BLOCK; /* those of the block swept last */
  for (uint32_t i = 0; i <= last; i++) {
    const uint32_t number = side ? last - i : i;
    const WmLinkBlock *block = links.blocks + number;
    uint16_t *own = distance + (size_t)BLOCK * number;
    const bool is_straight = block->allowed & needed;
    const ptrdiff_t row = block->step[side ? 1 : 3], along = block->step[side];
    if (WM_SIMD && is_straight && !wide) {
      const uint32_t stride = block->stride;
      before = relax_along(turn(relax_from_row(own, own + row, stride), side), before, stride);
      wm_store_ushort8(own, (WmUshort8)turn(before, side));
      beyond_last = own + row;
      continue;
    }
    const uint32_t count = number == last ? span_count % BLOCK : BLOCK;
    if (!WM_SIMD && is_straight) {
      sweep_straight(own, count, along, row, side);
      beyond_last = own + row;
    } else {
      wm_store_ushort8(beyond + BLOCK * side, wm_load_ushort8(beyond_last));
      sweep_spans(&links, block, aside, distance, BLOCK * number, count, side, beyond);
      beyond_last = beyond + BLOCK;
    }
    if (WM_SIMD) before = turn(load_distance(own), side);
  }
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

WmStatus wm_chamfer_measure(WmContext *context, const WmCompactHeightfield *compact, uint8_t highest_area,
                            uint16_t *room, WmChamfer *chamfer) {
  const bool wide = compact->grid.width > WIDTH_LIMIT;
  const size_t padded = wm_chamfer_room(compact->span_count);
  int8_t *west = wm_scratch_array(context, 2 * padded, sizeof *west);
  if (!west) return WM_ERROR_OUT_OF_MEMORY;
  int8_t *east = west + padded;
  memset(room, 0, WM_CHAMFER_PAD * sizeof *room);
  memset(room + padded - WM_CHAMFER_PAD, 0, WM_CHAMFER_PAD * sizeof *room);
  *chamfer = (WmChamfer){.distance = room + WM_CHAMFER_PAD};
  if (wm_find_steps_aside(&compact->links, compact->span_count, west, east)) {
    chamfer->west = west;
    chamfer->east = east;
  }
  start(compact, chamfer->distance, highest_area, wide ? FAR_WIDE : FAR);
  sweep(compact, chamfer->distance, chamfer->east, wide, 0);
  sweep(compact, chamfer->distance, chamfer->west, wide, 2);
  return WM_OK;
}
