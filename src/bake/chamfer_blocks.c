/* Which blocks of spans are straight, and what they allow. See chamfer.h. */
#include <string.h>

#include "bake/chamfer.h"

enum { BLOCK = WM_CHAMFER_BLOCK };

/* ---- Links of eight spans ----------------------------------------------------------------------------- */

/* Whether all eight spans have all links, and each leads as many spans on as `steps` says for its direction:
 * the commonest case by far. */
static inline bool are_complete(const uint32_t *links, uint32_t span, WmUint4 steps) {
  WmUint4 expected = steps + span, astray = {0, 0, 0, 0};
#pragma GCC unroll 8
  for (int i = 0; i < BLOCK; i++) {
    astray |= wm_load_uint4(links + 4 * i) ^ expected;
    expected += 1;
  }
  uint64_t halves[2];
  memcpy(halves, &astray, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

/* Bits of the spans, out of eight, that have all links. */
static int find_inner(const uint32_t *links) {
  WmByte16 missing[2];
  for (int half = 0; half < 2; half++, links += 16) {
    WmInt4 rows[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) rows[i] = (WmInt4)(wm_load_uint4(links + 4 * i) == WM_NO_SPAN);
    /* The four directions of a span become the bytes of a lane. */
    missing[half] =
        wm_narrow_mask_short8(wm_narrow_mask_int4(rows[0], rows[1]), wm_narrow_mask_int4(rows[2], rows[3]));
  }
  return wm_mask_int4((WmInt4)((WmUint4)missing[0] == 0)) | wm_mask_int4((WmInt4)((WmUint4)missing[1] == 0))
                                                                << 4;
}

void wm_chamfer_find_blocks(WmChamferFinder *finder, uint32_t span_end) {
  WmUint4 steps = {0, 0, 0, 0};
  WmChamferBlock like = {.inner = 255, .stride = 1}; /* a complete block with these steps */
  uint32_t reach = UINT32_MAX; /* from this span on no step leads back to before the first */
  uint32_t span = finder->found;
  WmChamferBlock *block = finder->blocks + span / BLOCK;
  for (; span + BLOCK <= span_end; span += BLOCK, block++) {
    const uint32_t *links = finder->links + 4 * (size_t)span;
    *block = like;
    if (span >= reach && are_complete(links, span, steps)) continue;
    const int inner = find_inner(links);
    block->inner = (uint8_t)inner;
    if (!inner) continue;
    const int first = __builtin_ctz((unsigned)inner);
    steps = wm_load_uint4(links + 4 * first) - (span + (uint32_t)first);
    WmUint4 astray = {0, 0, 0, 0};
    for (int rest = inner; rest; rest &= rest - 1) {
      const int i = __builtin_ctz((unsigned)rest);
      astray |= (wm_load_uint4(links + 4 * i) - (span + (uint32_t)i)) ^ steps;
    }
    const uint32_t stride = steps[2];
    const bool is_regular = 0 - steps[0] == stride && stride - 1 < WM_CHAMFER_MAX_STRIDE;
    like = (WmChamferBlock){0 - steps[3], steps[1], 255, is_regular ? (uint8_t)stride : 0, 0};
    reach = !is_regular ? UINT32_MAX : like.north > stride ? like.north : stride;
    block->north = astray[3] ? WM_CHAMFER_ASTRAY : like.north;
    block->south = astray[1] ? WM_CHAMFER_ASTRAY : like.south;
    block->stride = astray[0] | astray[2] ? 0 : like.stride;
  }
  finder->found = span;
}

/* ---- Corners ------------------------------------------------------------------------------------------- */

static inline bool lie_alike(const WmChamferBlock *a, const WmChamferBlock *b) {
  return a->stride == b->stride && a->north == b->north && a->south == b->south;
}

/* Whether links of `count` spans in direction d lead `step` spans on; those of inner spans only. */
static WM_COLD bool is_step_kept(const WmChamferFinder *finder, uint32_t first, uint32_t count, int d,
                                 uint32_t step) {
  for (uint32_t span = first; span < first + count; span++) {
    if (!(finder->blocks[span / BLOCK].inner >> span % BLOCK & 1)) continue;
    if (finder->links[4 * (size_t)span + (size_t)d] != span + step) return false;
  }
  return true;
}

/* Whether the spans `first` and the seven after it have straight links to the west and east: so they have in
 * blocks of this stride. */
WM_INLINE bool is_row_straight(const WmChamferFinder *finder, uint32_t first, uint32_t stride) {
  const WmChamferBlock *blocks = finder->blocks;
  return (blocks[first / BLOCK].stride == stride && blocks[(first + BLOCK - 1) / BLOCK].stride == stride) ||
         (is_step_kept(finder, first, BLOCK, 2, stride) && is_step_kept(finder, first, BLOCK, 0, 0 - stride));
}

/* Corners by way of a direction lie where they should if the spans that way have straight links. A sweep must
 * have finished the row it looks at, corners included: where rows are as narrow as a block they overlap it.
 * Blocks not found yet are not looked at: next to nothing where the caller keeps two rows ahead. */
void wm_chamfer_settle_blocks(WmChamferFinder *finder, uint32_t span_end) {
  WmChamferBlock *blocks = finder->blocks, *block = blocks + finder->settled / BLOCK;
  bool is_like_last = block > blocks && lie_alike(block, block - 1);
  uint32_t span = finder->settled;
  for (; span + BLOCK <= span_end; span += BLOCK, block++) {
    const uint32_t stride = block->stride, north = block->north, south = block->south;
    const uint32_t west = span - stride, east = span + BLOCK, room = finder->found - east;
    const bool is_like_next = room > 0 && lie_alike(block, block + 1);
    int allowed = 0;
    if (stride && stride <= span && north <= west && north >= BLOCK + stride &&
        is_row_straight(finder, span - north, stride) &&
        (is_like_last || is_step_kept(finder, west, stride, 3, 0 - north))) {
      allowed |= WM_CHAMFER_FORWARD;
    }
    if (stride && stride <= room && south <= room - stride && south >= BLOCK + stride &&
        is_row_straight(finder, span + south, stride) &&
        (is_like_next || is_step_kept(finder, east, stride, 1, south))) {
      allowed |= WM_CHAMFER_BACKWARD;
    }
    if (allowed == (WM_CHAMFER_FORWARD | WM_CHAMFER_BACKWARD) &&
        (is_like_last || is_step_kept(finder, west, stride, 1, south)) &&
        (is_like_next || is_step_kept(finder, east, stride, 3, 0 - north))) {
      allowed |= WM_CHAMFER_AROUND;
    }
    block->allowed = (uint8_t)allowed;
    is_like_last = is_like_next;
  }
  finder->settled = span;
}

WmChamferFinder wm_chamfer_start_blocks(const uint32_t *links, uint32_t span_count, WmChamferBlock *blocks) {
  blocks[span_count / BLOCK] = (WmChamferBlock){0};
  return (WmChamferFinder){links, blocks, 0, 0};
}
