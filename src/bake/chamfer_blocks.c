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

/* Bits of the spans, out of four, that miss no link; `missing` holds the rows of the four. */
static inline int find_inner(const WmInt4 *missing) {
  const WmByte16 bytes = wm_narrow_mask_short8(wm_narrow_mask_int4(missing[0], missing[1]),
                                               wm_narrow_mask_int4(missing[2], missing[3]));
  return wm_mask_int4((WmInt4)((WmUint4)bytes == 0)); /* the four directions of a span are a lane's bytes */
}

/* Finds how a block lies. `guess` is how many spans on links of the block before lead, direction by
 * direction: kept for directions in which no span of this one has a link. */
static WmUint4 read_block(const uint32_t *links, uint32_t span, WmUint4 guess, WmChamferBlock *block) {
  WmUint4 own = (WmUint4){0, 0, 0, 0} + span, steps = guess;
  WmInt4 absent = {-1, -1, -1, -1}, astray = {0, 0, 0, 0}, missing[BLOCK];
#pragma GCC unroll 8
  for (int i = 0; i < BLOCK; i++) {
    const WmUint4 row = wm_load_uint4(links + 4 * i), step = row - own;
    missing[i] = (WmInt4)(row == WM_NO_SPAN);
    steps = (WmUint4)wm_select_int4(absent & ~missing[i], (WmInt4)step, (WmInt4)steps); /* the first */
    astray |= ~missing[i] & (WmInt4)(step != steps);
    absent &= missing[i];
    own += 1;
  }
  uint32_t west = 0 - steps[0], east = steps[2];
  if (absent[0]) west = east;
  if (absent[2]) east = west;
  const bool is_regular = !(astray[0] | astray[2]) && west == east && west - 1 < WM_CHAMFER_MAX_STRIDE;
  block->inner = (uint8_t)(find_inner(missing) | find_inner(missing + 4) << 4);
  block->stride = is_regular ? (uint8_t)west : 0;
  block->north = absent[3] ? 0 : astray[3] ? WM_CHAMFER_ASTRAY : 0 - steps[3];
  block->south = absent[1] ? 0 : astray[1] ? WM_CHAMFER_ASTRAY : steps[1];
  block->allowed = 0;
  return steps;
}

void wm_chamfer_find_blocks(WmChamferFinder *finder, uint32_t span_end) {
  WmUint4 steps = {UINT32_MAX, 0, 1, 0};
  WmChamferBlock like = {0};   /* a complete block with the same steps */
  uint32_t reach = UINT32_MAX; /* from this span on no step leads back to before the first */
  uint32_t span = finder->found;
  WmChamferBlock *block = finder->blocks + span / BLOCK;
  for (; span + BLOCK <= span_end; span += BLOCK, block++) {
    const uint32_t *links = finder->links + 4 * (size_t)span;
    if (span >= reach && are_complete(links, span, steps)) {
      *block = like;
      continue;
    }
    steps = read_block(links, span, steps, block);
    if (block->stride) steps[0] = 0 - (steps[2] = block->stride);
    like = (WmChamferBlock){0 - steps[3], steps[1], 255, block->stride, 0};
    reach = !like.stride ? UINT32_MAX : like.north > like.stride ? like.north : like.stride;
  }
  finder->found = span;
}

/* ---- Corners ------------------------------------------------------------------------------------------- */

static inline bool lie_alike(const WmChamferBlock *a, const WmChamferBlock *b) {
  return a->stride == b->stride && a->north == b->north && a->south == b->south;
}

/* Whether the spans `first` and the seven after it are in blocks of this stride. */
static inline bool is_stride_kept(const WmChamferBlock *blocks, uint32_t first, uint8_t stride) {
  const WmChamferBlock *block = blocks + first / BLOCK;
  return block[0].stride == stride && block[1].stride == stride;
}

/* Whether links of `count` spans in direction d, where they exist, lead `step` spans on. */
static bool is_step_kept(const uint32_t *links, uint32_t first, uint32_t count, int d, uint32_t step) {
  for (uint32_t span = first; span < first + count; span++) {
    const uint32_t other = links[4 * (size_t)span + (size_t)d];
    if (other != WM_NO_SPAN && other != span + step) return false;
  }
  return true;
}

/* Corners by way of a direction lie where they should if the spans that way have straight links. */
void wm_chamfer_settle_blocks(WmChamferFinder *finder, uint32_t span_end) {
  const uint32_t *links = finder->links;
  const uint32_t end = finder->span_end;
  WmChamferBlock *blocks = finder->blocks, *block = blocks + finder->settled / BLOCK;
  bool is_like_last = block > blocks && lie_alike(block, block - 1);
  uint32_t span = finder->settled;
  for (; span + BLOCK <= span_end; span += BLOCK, block++) {
    const uint32_t stride = block->stride, north = block->north, south = block->south;
    const bool is_like_next = lie_alike(block, block + 1);
    const bool looks_back = stride && stride <= span && north <= span - stride;
    const bool looks_on = stride && south < end && span + BLOCK + south + stride <= end;
    const bool north_kept = looks_back && is_stride_kept(blocks, span - north, block->stride);
    const bool south_kept = looks_on && is_stride_kept(blocks, span + south, block->stride);
    int allowed = 0;
    if (looks_back && (north_kept || is_step_kept(links, span - north, BLOCK, 2, stride)) &&
        (is_like_last || is_step_kept(links, span - stride, stride, 3, 0 - north))) {
      allowed = WM_CHAMFER_FORWARD;
    }
    if (looks_on && (south_kept || is_step_kept(links, span + south, BLOCK, 0, 0 - stride)) &&
        (is_like_next || is_step_kept(links, span + BLOCK, stride, 1, south))) {
      allowed |= WM_CHAMFER_BACKWARD;
    }
    if (north_kept && south_kept && is_like_last && is_like_next) allowed |= WM_CHAMFER_AROUND;
    block->allowed = (uint8_t)allowed;
    is_like_last = is_like_next;
  }
  finder->settled = span;
}

WmChamferFinder wm_chamfer_start_blocks(const uint32_t *links, uint32_t span_count, WmChamferBlock *blocks) {
  blocks[span_count / BLOCK] = (WmChamferBlock){0};
  return (WmChamferFinder){links, blocks, span_count - span_count % BLOCK, 0, 0};
}
