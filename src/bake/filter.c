/* Two filters of the solid heightfield that look at one cell at a time: low hanging obstacles and low
 * ceilings. The third, ledges, is in filter_ledges.c.
 *
 * In place on span_area [span_count]; heights are only read. Each is written in its closed form, in which
 * no span depends on what the filter did to another, so that cells can be taken in any order. Cells are
 * taken eight at a time: passed over where none has two spans, else compared as a stretch of spans, of which
 * bits tell where cells begin.
 * Source: M. Mononen, Recast Navigation. */
#include "bake/stages.h"
#include "base/simd.h"

static size_t count_cells(const WmGrid *grid) { return (size_t)grid->width * (size_t)grid->depth; }

enum { BLOCK = 8 };

/* Eight cells with their spans: as bits, counted from the first span of the first cell. */
typedef struct CellBlock {
  uint32_t first, count; /* spans */
  uint64_t lowest;       /* spans that are the lowest of their cell */
} CellBlock;

/* Whether some of eight cells has more than one span. */
static inline bool is_stacked(const uint32_t *cell_first) {
  const WmUint4 low = wm_load_uint4(cell_first + 1) - wm_load_uint4(cell_first);
  const WmUint4 high = wm_load_uint4(cell_first + 5) - wm_load_uint4(cell_first + 4);
  return wm_mask_int4((WmInt4)((low | high) > 1)) != 0;
}

/* Returns false for blocks of more spans than there are bits for, and for those whose last vector would read
 * past the field. */
static inline bool describe_block(const WmHeightfield *field, const uint32_t *cell_first, CellBlock *block) {
  block->first = cell_first[0];
  block->count = cell_first[BLOCK] - cell_first[0];
  if (block->count > 63 || field->span_count - block->first < 72) return false;
  block->lowest = 0;
  for (int i = 0; i < BLOCK; i++) block->lowest |= UINT64_C(1) << (cell_first[i] - block->first);
  return true;
}

/* Spans of a block, as bits, whose top (`from`) is at most `limit` below the `to` of the same index.
 * Distances within a cell are positive; across cells they are anything, and bits mean nothing. */
static inline uint64_t find_near(const uint16_t *from, const uint16_t *to, const CellBlock *block,
                                 WmUshort8 limit) {
  uint64_t near = 0;
  for (uint32_t i = 0; i < block->count; i += 8) {
    const WmUshort8 distance =
        wm_load_ushort8(to + block->first + i) - wm_load_ushort8(from + block->first + i);
    near |= (uint64_t)(unsigned)wm_mask_short8((WmShort8)(distance <= limit)) << i;
  }
  return near;
}

static WmUshort8 splat_limit(int32_t limit) {
  return wm_splat_ushort8((uint16_t)(limit < 0 ? 0 : limit < 65535 ? limit : 65535));
}

/* ---- Low hanging obstacles -------------------------------------------------------------------------- */

/* From the top down, so that the area below is still the one before the filter. */
static void promote_in_cell(WmHeightfield *field, uint32_t first, uint32_t end, int32_t walkable_climb) {
  uint8_t *area = field->span_area;
  for (uint32_t span = end; span-- > first + 1;) {
    if (area[span] != WM_AREA_NULL || area[span - 1] == WM_AREA_NULL) continue;
    if (field->span_max[span] - field->span_max[span - 1] <= walkable_climb) area[span] = area[span - 1];
  }
}

static void promote_in_block(WmHeightfield *field, const CellBlock *block, WmUshort8 climb) {
  uint8_t *area = field->span_area + block->first;
  uint64_t candidates = find_near(field->span_max, field->span_max + 1, block, climb); /* the span below */
  candidates = candidates << 1 & ~block->lowest & ((UINT64_C(1) << block->count) - 1);
  for (; candidates;) {
    const int top = 63 - __builtin_clzll(candidates); /* from the top down */
    candidates ^= UINT64_C(1) << top;
    if (area[top] == WM_AREA_NULL) area[top] = area[top - 1];
  }
}

void wm_filter_low_hanging_obstacles(WmHeightfield *field, int32_t walkable_climb) {
  const size_t cells = count_cells(&field->grid);
  const uint32_t *first = field->cell_first;
  const WmUshort8 climb = splat_limit(walkable_climb);
  if (walkable_climb <= 0) return; /* no span lies so close to the one below */
  size_t cell = 0;
  for (; cell + BLOCK <= cells; cell += BLOCK) {
    CellBlock block;
    if (!is_stacked(first + cell)) continue;
    if (describe_block(field, first + cell, &block)) {
      promote_in_block(field, &block, climb);
    } else {
      for (size_t i = cell; i < cell + BLOCK; i++)
        promote_in_cell(field, first[i], first[i + 1], walkable_climb);
    }
  }
  for (; cell < cells; cell++) promote_in_cell(field, first[cell], first[cell + 1], walkable_climb);
}

/* ---- Low ceilings ------------------------------------------------------------------------------------- */

static void clear_low_in_cell(WmHeightfield *field, uint32_t first, uint32_t end, int32_t walkable_height) {
  for (uint32_t span = first; span + 1 < end; span++) {
    if (field->span_min[span + 1] - field->span_max[span] < walkable_height)
      field->span_area[span] = WM_AREA_NULL;
  }
}

static void clear_low_in_block(WmHeightfield *field, const CellBlock *block, WmUshort8 below_height) {
  uint8_t *area = field->span_area + block->first;
  uint64_t low = find_near(field->span_max, field->span_min + 1, block, below_height);
  /* Not the highest spans: those below the lowest of the next cell, and the last. */
  low &= ~(block->lowest >> 1) & ((UINT64_C(1) << block->count >> 1) - 1);
  for (; low; low &= low - 1) area[__builtin_ctzll(low)] = WM_AREA_NULL;
}

/* Highest spans have all the room up to WM_OPEN_CEILING: enough unless they are within a height of it. */
static void clear_low_highest(WmHeightfield *field, int32_t walkable_height) {
  const size_t cells = count_cells(&field->grid);
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t end = field->cell_first[cell + 1];
    if (end == field->cell_first[cell]) continue;
    if (WM_OPEN_CEILING - field->span_max[end - 1] < walkable_height)
      field->span_area[end - 1] = WM_AREA_NULL;
  }
}

static bool is_any_above(const uint16_t *heights, uint32_t count, int32_t limit) {
  if (limit < 0) return true;
  const WmUshort8 limit8 = splat_limit(limit);
  WmUshort8 above = wm_splat_ushort8(0);
  uint32_t i = 0;
  for (; i + 8 <= count; i += 8) above |= (WmUshort8)(wm_load_ushort8(heights + i) > limit8);
  if (wm_mask_short8((WmShort8)above)) return true;
  for (; i < count; i++) {
    if (heights[i] > limit) return true;
  }
  return false;
}

void wm_filter_low_height(WmHeightfield *field, int32_t walkable_height) {
  const size_t cells = count_cells(&field->grid);
  const uint32_t *first = field->cell_first;
  if (walkable_height <= 0) return;
  const WmUshort8 below_height = splat_limit(walkable_height - 1);
  size_t cell = 0;
  for (; cell + BLOCK <= cells; cell += BLOCK) {
    CellBlock block;
    if (!is_stacked(first + cell)) continue;
    if (describe_block(field, first + cell, &block)) {
      clear_low_in_block(field, &block, below_height);
    } else {
      for (size_t i = cell; i < cell + BLOCK; i++)
        clear_low_in_cell(field, first[i], first[i + 1], walkable_height);
    }
  }
  for (; cell < cells; cell++) clear_low_in_cell(field, first[cell], first[cell + 1], walkable_height);
  if (is_any_above(field->span_max, field->span_count, WM_OPEN_CEILING - walkable_height)) {
    clear_low_highest(field, walkable_height);
  }
}
