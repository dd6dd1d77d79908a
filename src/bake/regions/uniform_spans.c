/* Processes several spans at a time if they, and the spans across their links, are equal: most of them
 * are. The results are those of one span after the other. See regions_internal.h. */
#include "bake/compact/links.h"
#include "bake/regions/regions_internal.h"
#include "base/simd.h"

enum { LANES = WM_LINK_BLOCK, MOST_LAYERS = 2 /* in which strips are followed */ };

/* Bit i of the result is set if area i of eight, or region i, has this value. */
WM_INLINE uint32_t find_area(const uint8_t *span_area, uint8_t area) {
  return (uint32_t)wm_mask_short8((WmShort8)(wm_load_bytes_as_short8(span_area) == wm_splat_short8(area)));
}
WM_INLINE uint32_t find_region(const uint16_t *span_region, uint32_t region) {
  const WmUshort8 eight = wm_load_ushort8(span_region);
  return (uint32_t)wm_mask_short8((WmShort8)(eight == wm_splat_ushort8((uint16_t)region)));
}

WM_INLINE void set_lanes(uint16_t *span_region, uint32_t lanes, uint32_t number) {
  const WmShort8 bits = {1, 2, 4, 8, 16, 32, 64, 128};
  const WmUshort8 mask = (WmUshort8)((wm_splat_short8((int16_t)lanes) & bits) != 0);
  const WmUshort8 eight = wm_load_ushort8(span_region);
  wm_store_ushort8(span_region, wm_select_ushort8(mask, wm_splat_ushort8((uint16_t)number), eight));
}

/* The lanes of a block that have the area, and have the region `above` above them, or nothing if that is
 * 0. In that case areas above don't matter, and only lanes without a link count as having nothing. */
WM_INLINE uint32_t find_alike(const WmSweep *sweep, const WmLinkBlock *block, uint32_t first, uint8_t area,
                              uint32_t above) {
  const uint32_t lanes = block->present[0] & find_area(sweep->span_area + first, area);
  const uint32_t north = first + (uint32_t)block->step[3];
  if (above == 0) return lanes & ~(uint32_t)block->present[3];
  if (!block->present[3] || north > first) return 0; /* before the first span, as unsigned */
  return lanes & block->present[3] & find_area(sweep->span_area + north, area) &
         find_region(sweep->span_region + north, above);
}

uint32_t wm_sweep_ahead(WmSweep *sweep, uint32_t span, uint32_t end, uint32_t above) {
  const WmLinkBlock *block = sweep->compact->links.blocks + span / LANES;
  const int32_t stride = -block->step[0];
  const uint32_t number = sweep->span_region[span], last = sweep->compact->span_count / LANES * LANES;
  const uint8_t area = sweep->span_area[span];
  if (!WM_SIMD || stride < 1 || stride > MOST_LAYERS) return 0;
  /* The lanes of the strip: every one, or every other one. */
  uint32_t start = span % LANES + (uint32_t)stride, first = span / LANES * LANES, taken = 0;
  const uint32_t strip = stride == 1 ? 255 : 0x55u << (start & 1);
  for (; first < last && first < end; first += LANES, block++, start = 0) {
    if (block->list || block->step[0] != -stride) break;
    uint32_t lanes = find_alike(sweep, block, first, area, above);
    if (end - first < LANES) lanes &= (1u << (end - first)) - 1;
    const uint32_t ahead = strip & 255u << start;
    const uint32_t missing = ahead & ~lanes;
    const uint32_t run = missing ? ahead & ((missing & (0 - missing)) - 1) : ahead;
    if (run) set_lanes(sweep->span_region + first, run, number);
    taken += (uint32_t)__builtin_popcount(run);
    if (missing) break;
  }
  return taken;
}

/* Packs the lower halves of eight bytes. */
WM_INLINE uint32_t pack_halves(uint64_t bytes) {
  bytes = (bytes | bytes >> 4) & UINT64_C(0x00ff00ff00ff00ff);
  bytes = (bytes | bytes >> 8) & UINT64_C(0x0000ffff0000ffff);
  return (uint32_t)(bytes | bytes >> 16);
}

uint32_t wm_find_contacts(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t span) {
  const uint32_t span_count = compact->span_count;
  const WmLinkBlock *block = compact->links.blocks + span / LANES;
  if (!WM_SIMD || span_count - span < LANES || block->list) return UINT32_MAX;
  const WmShort8 bits = {1, 2, 4, 8, 16, 32, 64, 128};
  const WmUshort8 own = wm_load_ushort8(span_region + span);
  WmShort8 contacts = wm_splat_short8(0);
#pragma GCC unroll 4
  for (int d = 0; d < 4; d++) {
    const uint32_t across = span + (uint32_t)block->step[d];
    if (across > span_count - LANES) return UINT32_MAX; /* also if before the first span, as unsigned */
    const WmShort8 is_there = (WmShort8)((wm_splat_short8(block->present[d]) & bits) != 0);
    const WmShort8 differs = (WmShort8)(own != wm_load_ushort8(span_region + across));
    contacts |= is_there & differs & (int16_t)(1 << d);
  }
  uint64_t bytes;
  uint8_t sides[LANES];
  wm_store_shorts_as_bytes(sides, contacts);
  memcpy(&bytes, sides, sizeof bytes);
  return pack_halves(bytes);
}
