/* The distance field: the distance of every span to the nearest area border, for the watershed partition.
 *
 * The chamfer distance (chamfer.h) from the nearest span that misses a link or touches another area, then a
 * blur over nine spans. Unwalkable counts as an area, too. A span at 2 or less keeps its distance; one above
 * has no neighbour at 0, so all eight spans around it exist, and the blur needs no test.
 *
 * source     M. Mononen, Recast Navigation, for the blur */
#include "bake/areas/chamfer.h"
#include "bake/regions/maximum.h"
#include "bake/compact/link_steps.h"
#include "bake/stages.h"
#include "bake/validate.h"
#include "base/debug/assert.h"
#include "base/simd.h"

enum {
  BLOCK = WM_LINK_BLOCK,
  SUM_LIMIT = (65535 - 5) / 9 /* the largest distance of which nine, rounded up, fit in 16 bits */
};

/* Over links of any kind. */
WM_COLD static uint16_t blur_span(const WmLinks *links, const uint16_t *distance, uint32_t span) {
  uint32_t sum = distance[span];
  if (sum <= 2) return (uint16_t)sum;
  for (size_t d = 0; d < 4; d++) {
    const uint32_t side = wm_link(links, span, d);
    sum += (uint32_t)distance[side] + distance[wm_link(links, side, (d + 1) & 3)];
  }
  return (uint16_t)((sum + 5) / 9);
}

/* Blurs the first `count` spans of a block with these steps.
 * out        blurred: [count] */
WM_INLINE void blur_steps(const WmLinks *links, const int16_t *steps, const WmChamfer *chamfer,
                          uint32_t first, uint32_t count, uint16_t *blurred) {
  const uint16_t *const distance = chamfer->distance;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t span = first + k;
    uint32_t sum = distance[span];
    if (sum > 2) {
      const uint32_t west = span + (uint32_t)steps[k], south = span + (uint32_t)steps[BLOCK + k];
      const uint32_t east = span + (uint32_t)steps[2 * BLOCK + k],
                     north = span + (uint32_t)steps[3 * BLOCK + k];
      sum += (uint32_t)distance[west] + distance[south] + distance[east] + distance[north];
      sum += (uint32_t)(distance + south)[chamfer->east[south]] + (distance + north)[chamfer->west[north]];
      sum += (uint32_t)distance[wm_follow(links, steps, first, west, 1)];
      sum += (uint32_t)distance[wm_follow(links, steps, first, east, 3)];
      sum = (sum + 5) / 9;
    }
    blurred[k] = (uint16_t)sum;
  }
}

/* Blurs eight spans of a block that allows both neighbouring rows. */
static inline WmUshort8 blur_block(const uint16_t *own, uint32_t stride, int north, int south) {
  const uint16_t *above = own + north, *below = own + south;
  const WmUshort8 distance = wm_load_ushort8(own);
  WmUshort8 sum = distance + wm_load_ushort8(own - stride) + wm_load_ushort8(own + stride);
  sum += wm_load_ushort8(above - stride) + wm_load_ushort8(above) + wm_load_ushort8(above + stride);
  sum += wm_load_ushort8(below - stride) + wm_load_ushort8(below) + wm_load_ushort8(below + stride);
  /* n / 9 for every n of 16 bits is n * 58255 / 2^19. */
  const WmUshort8 mean = wm_multiply_high_ushort8(sum + 5, wm_splat_ushort8(58255)) >> 3;
  return wm_select_ushort8((WmUshort8)(distance > 2), mean, distance);
}

/* The spans of the longest two rows, one after the other: no span before or after them is read to blur theirs. */
static uint32_t find_reach(const WmCompactHeightfield *compact) {
  const uint32_t *first = compact->cell_first;
  const size_t width = (size_t)compact->grid.width, depth = (size_t)compact->grid.depth;
  uint32_t reach = 0;
  for (size_t z = 0; z < depth; z++) {
    const size_t end = z + 2 < depth ? z + 2 : depth;
    const uint32_t spans = first[end * width] - first[z * width];
    if (spans > reach) reach = spans;
  }
  return reach;
}

/* Blurs the distances in place: each block is stored when no later one can read it any more.
 * in         blurred: [lag] the last blocks, until they are stored
 *            lag: a power of two, at least find_reach() + BLOCK */
static WM_NOINLINE void blur(const WmCompactHeightfield *compact, const WmChamfer *chamfer,
                             uint16_t max_distance, uint16_t *blurred, uint32_t lag) {
  uint16_t *const distance = chamfer->distance;
  const uint32_t span_count = compact->span_count;
  const WmLinkBlock *block = compact->links.blocks;
  uint32_t span = 0;
  for (; span < span_count; span += BLOCK, block++) {
    uint16_t *const own = blurred + (span & (lag - 1));
    if (span >= lag) wm_store_ushort8(distance + span - lag, wm_load_ushort8(own));
    if (WM_SIMD && (block->allowed & WM_LINK_AROUND) && max_distance <= SUM_LIMIT) {
      wm_store_ushort8(own, blur_block(distance + span, block->stride, block->step[3], block->step[1]));
      continue;
    }
    const uint32_t count = span + BLOCK < span_count ? BLOCK : span_count - span;
    int16_t list[WM_LINK_LIST];
    const int16_t *steps = chamfer->east ? wm_read_steps(&compact->links, block, list) : NULL;
    if (steps) blur_steps(&compact->links, steps, chamfer, span, count, own);
    for (uint32_t i = 0; i < count && !steps; i++) own[i] = blur_span(&compact->links, distance, span + i);
  }
  for (uint32_t stored = span > lag ? span - lag : 0; stored < span_count; stored++) {
    distance[stored] = blurred[stored & (lag - 1)];
  }
}

WmStatus wm_build_distance_field(WmContext *context, const WmCompactHeightfield *compact,
                                 WmDistanceField *distance) {
  *distance = (WmDistanceField){0};
  WmLayout layout = {0};
  wm_layout_add(&layout, wm_chamfer_room(compact->span_count), sizeof *distance->span_distance);
  uint16_t *room = wm_layout_allocate(context, &layout);
  if (!room) return WM_ERROR_OUT_OF_MEMORY;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmChamfer chamfer;
  WmStatus status = wm_chamfer_measure(context, compact, UINT8_MAX, room, &chamfer);
  uint32_t lag = BLOCK;
  for (const uint32_t least = find_reach(compact) + BLOCK; lag < least;) lag *= 2;
  uint16_t *blurred = status ? NULL : wm_scratch_array(context, lag, sizeof *blurred);
  if (!status && !blurred) status = WM_ERROR_OUT_OF_MEMORY;
  if (status) {
    wm_block_free(context, room);
  } else {
    *distance = (WmDistanceField){.span_count = compact->span_count,
                                  .span_distance = chamfer.distance,
                                  .max_distance = wm_find_maximum(chamfer.distance, compact->span_count),
                                  .block = room};
    blur(compact, &chamfer, distance->max_distance, blurred, lag);
  }
  wm_scratch_rewind(context, mark);
  if (!status) WM_VALIDATE(wm_distance_field_validate(compact, distance));
  return status;
}
