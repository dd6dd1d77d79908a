/* The two sweeps of chamfer distances. See chamfer.h. */
#include "bake/chamfer.h"

/* A span is at most 2 * width from a border, since links lead west until one is missing. Below that width
 * distances are int16 with room to add to; wider fields are swept span by span. */
enum { BLOCK = WM_CHAMFER_BLOCK, WIDTH_LIMIT = 14000, FAR = 30000, FAR_WIDE = 65535 };

/* The distance of an inner span from the two sides a sweep has finished: each side's span, and the corner
 * beyond it. */
static uint16_t relax_span(const uint32_t *links, const uint16_t *distance, uint32_t span, size_t side,
                           size_t side_turn, size_t row, size_t row_turn) {
  const uint32_t a = links[4 * (size_t)span + side], b = links[4 * (size_t)span + row];
  const int nearest = distance[a] < distance[b] ? distance[a] : distance[b];
  int best = distance[span];
  if (nearest + 2 < best) best = nearest + 2;
  if (nearest == 0 || best <= 3) return (uint16_t)best; /* corners add 3, and may be missing beyond a 0 */
  const int a_corner = distance[links[4 * (size_t)a + side_turn]] + 3;
  const int b_corner = distance[links[4 * (size_t)b + row_turn]] + 3;
  if (a_corner < best) best = a_corner;
  if (b_corner < best) best = b_corner;
  return (uint16_t)best;
}

/* Spans [first, end), ascending: from the west and the north. */
static void sweep_spans_forward(const uint32_t *links, uint16_t *distance, uint32_t first, uint32_t end) {
  for (uint32_t span = first; span < end; span++) {
    if (distance[span]) distance[span] = relax_span(links, distance, span, 0, 3, 3, 2);
  }
}

/* Spans [first, end), descending: from the east and the south. */
static void sweep_spans_backward(const uint32_t *links, uint16_t *distance, uint32_t first, uint32_t end) {
  for (uint32_t span = end; span-- > first;) {
    if (distance[span]) distance[span] = relax_span(links, distance, span, 2, 1, 1, 0);
  }
}

static inline WmShort8 load_distance(const uint16_t *distance) { return (WmShort8)wm_load_ushort8(distance); }

/* Eight distances lowered by those of the row before: straight on, and the two corners a stride aside. */
static inline WmShort8 relax_from_row(const uint16_t *own, const uint16_t *row, uint32_t stride) {
  const WmShort8 corners = wm_min_short8(load_distance(row - stride), load_distance(row + stride));
  const WmShort8 best = wm_min_short8(load_distance(row) + 2, corners + 3);
  return wm_min_short8(load_distance(own), best);
}

/* A prefix minimum over the row: inside of the eight spans by doubling, then from the block before. */
static inline WmShort8 relax_upward(WmShort8 v, WmShort8 before, int stride) {
  const WmShort8 far = wm_splat_short8(FAR);
  if (stride == 1) {
    const WmShort8 ramp = {2, 4, 6, 8, 10, 12, 14, 16};
    v = wm_min_short8(v, wm_move_up_short8(v, 1, far) + 2);
    v = wm_min_short8(v, wm_move_up_short8(v, 2, far) + 4);
    v = wm_min_short8(v, wm_move_up_short8(v, 4, far) + 8);
    return wm_min_short8(v, wm_repeat_last_short8(before, 1) + ramp);
  }
  const WmShort8 ramp = {2, 2, 4, 4, 6, 6, 8, 8};
  v = wm_min_short8(v, wm_move_up_short8(v, 2, far) + 2);
  v = wm_min_short8(v, wm_move_up_short8(v, 4, far) + 4);
  return wm_min_short8(v, wm_repeat_last_short8(before, 2) + ramp);
}

static inline WmShort8 relax_downward(WmShort8 v, WmShort8 after, int stride) {
  const WmShort8 far = wm_splat_short8(FAR);
  if (stride == 1) {
    const WmShort8 ramp = {16, 14, 12, 10, 8, 6, 4, 2};
    v = wm_min_short8(v, wm_move_down_short8(v, 1, far) + 2);
    v = wm_min_short8(v, wm_move_down_short8(v, 2, far) + 4);
    v = wm_min_short8(v, wm_move_down_short8(v, 4, far) + 8);
    return wm_min_short8(v, wm_repeat_first_short8(after, 1) + ramp);
  }
  const WmShort8 ramp = {8, 8, 6, 6, 4, 4, 2, 2};
  v = wm_min_short8(v, wm_move_down_short8(v, 2, far) + 2);
  v = wm_min_short8(v, wm_move_down_short8(v, 4, far) + 4);
  return wm_min_short8(v, wm_repeat_first_short8(after, 2) + ramp);
}

static void sweep_forward(const WmChamfer *chamfer, const uint32_t *links) {
  uint16_t *distance = chamfer->distance;
  WmShort8 before = wm_splat_short8(FAR);
  for (uint32_t block = 0; block < chamfer->block_count; block++) {
    const uint32_t span = BLOCK * block;
    uint16_t *own = distance + span;
    if (!(chamfer->allowed[block] & WM_CHAMFER_FORWARD)) {
      sweep_spans_forward(links, distance, span, span + BLOCK);
      before = load_distance(own);
      continue;
    }
    const uint32_t stride = chamfer->stride[block];
    const WmShort8 v = relax_from_row(own, own - chamfer->north[block], stride);
    before = stride == 1 ? relax_upward(v, before, 1) : relax_upward(v, before, 2);
    wm_store_ushort8(own, (WmUshort8)before);
  }
  sweep_spans_forward(links, distance, BLOCK * chamfer->block_count, chamfer->span_count);
}

static void sweep_backward(const WmChamfer *chamfer, const uint32_t *links) {
  uint16_t *distance = chamfer->distance;
  sweep_spans_backward(links, distance, BLOCK * chamfer->block_count, chamfer->span_count);
  WmShort8 after = load_distance(distance + (size_t)BLOCK * chamfer->block_count);
  for (uint32_t block = chamfer->block_count; block-- > 0;) {
    const uint32_t span = BLOCK * block;
    uint16_t *own = distance + span;
    if (!(chamfer->allowed[block] & WM_CHAMFER_BACKWARD)) {
      sweep_spans_backward(links, distance, span, span + BLOCK);
      after = load_distance(own);
      continue;
    }
    const uint32_t stride = chamfer->stride[block];
    const WmShort8 v = relax_from_row(own, own + chamfer->south[block], stride);
    after = stride == 1 ? relax_downward(v, after, 1) : relax_downward(v, after, 2);
    wm_store_ushort8(own, (WmUshort8)after);
  }
}

WmStatus wm_chamfer_measure(WmContext *context, const WmCompactHeightfield *compact, WmChamferBorder border,
                            WmChamfer *chamfer) {
  const uint32_t *links = compact->span_neighbour;
  const bool wide = compact->grid.width > WIDTH_LIMIT;
  const WmStatus status = wm_chamfer_start(context, compact, border, wide ? FAR_WIDE : FAR, chamfer);
  if (status) return status;
  if (wide) {
    sweep_spans_forward(links, chamfer->distance, 0, chamfer->span_count);
    sweep_spans_backward(links, chamfer->distance, 0, chamfer->span_count);
  } else {
    sweep_forward(chamfer, links);
    sweep_backward(chamfer, links);
  }
  return WM_OK;
}
