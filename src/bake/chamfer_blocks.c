/* Where chamfer distances start, and which blocks of spans are straight. See chamfer.h. */
#include <string.h>

#include "bake/chamfer.h"

enum { BLOCK = WM_CHAMFER_BLOCK };

/* Span numbers from a span to its neighbours, direction by direction. */
typedef struct Steps {
  uint32_t stride, north, south;
} Steps;

static WmUint4 steps_to_vector(const Steps *steps) {
  return (WmUint4){0 - steps->stride, steps->south, steps->stride, 0 - steps->north};
}

/* ---- Links of eight spans
 * ---------------------------------------------------------------------------------- */

typedef struct BlockLinks {
  WmShort8 inner; /* mask of the spans that have all links */
  int directions; /* bit d: some span has a link that way */
  bool is_straight;
} BlockLinks;

static inline WmInt4 find_complete(const WmInt4 missing[4]) {
  const WmByte16 bytes = wm_narrow_mask_short8(wm_narrow_mask_int4(missing[0], missing[1]),
                                               wm_narrow_mask_int4(missing[2], missing[3]));
  return (WmInt4)((WmUint4)bytes == 0); /* the four directions of a span are the bytes of a lane */
}

/* Whether all eight spans have all links, and each leads where expected: the commonest case by far. Steps
 * back from the first spans of a field could reach WM_NO_SPAN, which then looks like a link. */
static inline bool are_complete(const uint32_t *links, uint32_t span, const Steps *steps) {
  if (span < steps->stride || span < steps->north) return false;
  const WmUint4 by_direction = steps_to_vector(steps) + span;
  WmUint4 astray = {0, 0, 0, 0};
  for (uint32_t i = 0; i < BLOCK; i++) astray |= wm_load_uint4(links + 4 * i) ^ (by_direction + i);
  uint64_t halves[2];
  memcpy(halves, &astray, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

static inline BlockLinks read_links(const uint32_t *links, uint32_t span, const Steps *steps) {
  if (are_complete(links, span, steps)) return (BlockLinks){wm_splat_short8(-1), 15, true};
  WmUint4 expected = steps_to_vector(steps) + span;
  WmInt4 astray = {0, 0, 0, 0}, absent = {-1, -1, -1, -1}, complete[2];
  for (int half = 0; half < 2; half++) {
    WmInt4 missing[4];
    for (int i = 0; i < 4; i++) {
      const WmUint4 row = wm_load_uint4(links);
      missing[i] = (WmInt4)(row == WM_NO_SPAN);
      astray |= ~(missing[i] | (WmInt4)(row == expected));
      absent &= missing[i];
      expected += 1;
      links += 4;
    }
    complete[half] = find_complete(missing);
  }
  BlockLinks block;
  block.inner = wm_narrow_mask_int4(complete[0], complete[1]);
  block.directions = ~wm_mask_int4(absent) & 15;
  block.is_straight = wm_mask_int4(astray) == 0;
  return block;
}

/* The steps of the first link in each direction; those of `steps` where there is none. */
static Steps find_steps(const uint32_t *links, uint32_t span, Steps steps) {
  bool found[4] = {false, false, false, false};
  for (uint32_t i = 0; i < BLOCK; i++) {
    for (int d = 0; d < 4; d++) {
      const uint32_t other = links[4 * i + (uint32_t)d];
      if (found[d] || other == WM_NO_SPAN) continue;
      found[d] = true;
      if (d == 0) steps.stride = span + i - other;
      if (d == 1) steps.south = other - (span + i);
      if (d == 2) steps.stride = other - (span + i);
      if (d == 3) steps.north = span + i - other;
    }
  }
  return steps;
}

/* ---- Areas
 * --------------------------------------------------------------------------------------------------- */

static bool are_equal(const uint8_t *area, uint32_t span_count) {
  WmByte16 differ = wm_splat_byte16(0);
  uint32_t span = 0;
  if (span_count == 0) return true;
  const WmByte16 first = wm_splat_byte16(area[0]);
  for (; span + 16 <= span_count; span += 16) differ |= wm_load_byte16(area + span) ^ first;
  uint64_t halves[2];
  memcpy(halves, &differ, sizeof halves);
  if (halves[0] | halves[1]) return false;
  for (; span < span_count; span++) {
    if (area[span] != area[0]) return false;
  }
  return true;
}

/* Mask of the spans of a straight block that have no border among their neighbours' areas. */
static inline WmShort8 compare_areas(const uint8_t *area, const Steps *steps, WmChamferBorder border) {
  const WmShort8 own = wm_load_bytes_as_short8(area);
  const WmShort8 west = wm_load_bytes_as_short8(area - steps->stride);
  const WmShort8 east = wm_load_bytes_as_short8(area + steps->stride);
  const WmShort8 north = wm_load_bytes_as_short8(area - steps->north);
  const WmShort8 south = wm_load_bytes_as_short8(area + steps->south);
  if (border == WM_CHAMFER_BORDER_AREA) {
    return (WmShort8)(((own ^ west) | (own ^ east) | (own ^ north) | (own ^ south)) == 0);
  }
  return (WmShort8)(wm_min_short8(wm_min_short8(own, wm_min_short8(west, east)),
                                  wm_min_short8(north, south)) > 0);
}

static bool is_inner_span(const uint32_t *links, const uint8_t *area, uint32_t span, WmChamferBorder border) {
  const uint8_t own = area[span];
  if (border == WM_CHAMFER_BORDER_UNWALKABLE && own == WM_AREA_NULL) return false;
  for (size_t d = 0; d < 4; d++) {
    const uint32_t other = links[4 * (size_t)span + d];
    if (other == WM_NO_SPAN) return false;
    if (border == WM_CHAMFER_BORDER_AREA ? area[other] != own : area[other] == WM_AREA_NULL) return false;
  }
  return true;
}

/* ---- Blocks
 * ---------------------------------------------------------------------------------------------------- */

/* Finds how the block at `span` lies and sets its distances to 0 or far. `guess` is how the last straight
 * block lay, which nearly always holds. `areas` is NULL where areas make no border, else padded. */
static void start_block(const WmChamfer *chamfer, const WmCompactHeightfield *compact, const uint8_t *areas,
                        WmChamferBorder border, uint16_t far, uint32_t block, Steps *guess) {
  const uint32_t span = BLOCK * block;
  const uint32_t *links = compact->span_neighbour + 4 * (size_t)span;
  BlockLinks found = read_links(links, span, guess);
  if (!found.is_straight) {
    const Steps steps = find_steps(links, span, *guess);
    if (steps.stride >= 1 && steps.stride <= WM_CHAMFER_MAX_STRIDE) found = read_links(links, span, &steps);
    if (found.is_straight) *guess = steps;
  }
  if (!found.is_straight) {
    chamfer->stride[block] = 0;
    chamfer->north[block] = chamfer->south[block] = 0;
    for (uint32_t i = span; i < span + BLOCK; i++) {
      chamfer->distance[i] = is_inner_span(compact->span_neighbour, compact->span_area, i, border) ? far : 0;
    }
    return;
  }
  /* Steps that no span takes are 0: those of another block might lead out of the field. */
  const Steps steps = {guess->stride, found.directions & 8 ? guess->north : 0,
                       found.directions & 2 ? guess->south : 0};
  chamfer->stride[block] = (uint8_t)steps.stride;
  chamfer->north[block] = steps.north;
  chamfer->south[block] = steps.south;
  WmShort8 inner = found.inner;
  if (areas) inner &= compare_areas(areas + span, &steps, border);
  wm_store_ushort8(chamfer->distance + span, (WmUshort8)inner & wm_splat_ushort8(far));
}

/* ---- Corners
 * --------------------------------------------------------------------------------------------------- */

/* Whether the eight spans that lie `step` on are in straight blocks of the same stride. */
static bool is_stride_kept(const WmChamfer *chamfer, uint32_t block, uint32_t step) {
  const uint32_t first = BLOCK * block + step,
                 last = first + BLOCK - 1; /* wraps for steps back: as it should */
  const uint32_t a = first / BLOCK, b = last / BLOCK, stride = chamfer->stride[block];
  return a < chamfer->block_count && b < chamfer->block_count && chamfer->stride[a] == stride &&
         chamfer->stride[b] == stride;
}

static bool lie_alike(const WmChamfer *chamfer, uint32_t a, uint32_t b) {
  return chamfer->stride[a] == chamfer->stride[b] && chamfer->north[a] == chamfer->north[b] &&
         chamfer->south[a] == chamfer->south[b];
}

/* Whether the corners of a block's spans by way of two directions are, where they exist, two steps on. */
static bool is_corner_straight(const WmChamfer *chamfer, const uint32_t *links, uint32_t block, size_t way,
                               size_t turn) {
  const Steps steps = {chamfer->stride[block], chamfer->north[block], chamfer->south[block]};
  const WmUint4 by_direction = steps_to_vector(&steps);
  for (uint32_t span = BLOCK * block; span < BLOCK * (block + 1); span++) {
    const uint32_t side = links[4 * (size_t)span + way];
    if (side == WM_NO_SPAN) continue;
    const uint32_t corner = links[4 * (size_t)side + turn];
    if (corner != WM_NO_SPAN && corner != side + by_direction[turn]) return false;
  }
  return true;
}

/* Finds what a straight block allows. Most lie like the blocks around them, which settles it. */
static uint8_t find_allowed(const WmChamfer *chamfer, const uint32_t *links, uint32_t block) {
  const bool west = block > 0 && lie_alike(chamfer, block, block - 1);
  const bool east = block + 1 < chamfer->block_count && lie_alike(chamfer, block, block + 1);
  const bool north = is_stride_kept(chamfer, block, 0 - chamfer->north[block]);
  const bool south = is_stride_kept(chamfer, block, chamfer->south[block]);
  uint8_t allowed = 0;
  if ((west || is_corner_straight(chamfer, links, block, 0, 3)) &&
      (north || is_corner_straight(chamfer, links, block, 3, 2))) {
    allowed |= WM_CHAMFER_FORWARD;
  }
  if ((east || is_corner_straight(chamfer, links, block, 2, 1)) &&
      (south || is_corner_straight(chamfer, links, block, 1, 0))) {
    allowed |= WM_CHAMFER_BACKWARD;
  }
  if (west && east && north && south) allowed |= WM_CHAMFER_AROUND;
  return allowed;
}

/* ---- All of it
 * ------------------------------------------------------------------------------------------------- */

static bool allocate(WmContext *context, uint32_t span_count, WmChamfer *chamfer) {
  const size_t padded = (size_t)span_count + 2 * WM_CHAMFER_PAD;
  chamfer->span_count = span_count;
  /* Without lanes a block costs more than its spans swept one by one. */
  chamfer->block_count = WM_SIMD ? span_count / BLOCK : 0;
  chamfer->distance = wm_scratch_array(context, padded, sizeof *chamfer->distance);
  chamfer->stride = wm_scratch_array(context, chamfer->block_count, sizeof *chamfer->stride);
  chamfer->allowed = wm_scratch_array(context, chamfer->block_count, sizeof *chamfer->allowed);
  chamfer->north = wm_scratch_array(context, chamfer->block_count, sizeof *chamfer->north);
  chamfer->south = wm_scratch_array(context, chamfer->block_count, sizeof *chamfer->south);
  if (!chamfer->distance || !chamfer->stride || !chamfer->allowed || !chamfer->north || !chamfer->south) {
    return false;
  }
  memset(chamfer->distance, 0, WM_CHAMFER_PAD * sizeof *chamfer->distance);
  memset(chamfer->distance + padded - WM_CHAMFER_PAD, 0, WM_CHAMFER_PAD * sizeof *chamfer->distance);
  chamfer->distance += WM_CHAMFER_PAD;
  return true;
}

WmStatus wm_chamfer_start(WmContext *context, const WmCompactHeightfield *compact, WmChamferBorder border,
                          uint16_t far, WmChamfer *chamfer) {
  const uint32_t count = compact->span_count;
  const uint8_t *areas = NULL;
  if (!allocate(context, count, chamfer)) return WM_ERROR_OUT_OF_MEMORY;
  const bool no_border =
      are_equal(compact->span_area, count) &&
      (border == WM_CHAMFER_BORDER_AREA || count == 0 || compact->span_area[0] != WM_AREA_NULL);
  if (!no_border) {
    uint8_t *copy = wm_scratch_zeroed(context, (size_t)count + 2 * WM_CHAMFER_PAD, 1);
    if (!copy) return WM_ERROR_OUT_OF_MEMORY;
    memcpy(copy + WM_CHAMFER_PAD, compact->span_area, count);
    areas = copy + WM_CHAMFER_PAD;
  }
  Steps guess = {1, 0, 0};
  for (uint32_t block = 0; block < chamfer->block_count; block++) {
    start_block(chamfer, compact, areas, border, far, block, &guess);
  }
  for (uint32_t span = BLOCK * chamfer->block_count; span < count; span++) {
    chamfer->distance[span] =
        is_inner_span(compact->span_neighbour, compact->span_area, span, border) ? far : 0;
  }
  for (uint32_t block = 0; block < chamfer->block_count; block++) {
    chamfer->allowed[block] =
        chamfer->stride[block] ? find_allowed(chamfer, compact->span_neighbour, block) : 0;
  }
  return WM_OK;
}
