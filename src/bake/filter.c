/* Two filters of the solid heightfield that look at one cell at a time: low hanging obstacles and low
 * ceilings. The third, ledges, is in filter_ledges.c.
 *
 * In place on span_area [span_count]; heights are only read. Each is written in its closed form, in which
 * no span depends on what the filter did to another, so that cells can be taken in any order. Both compare
 * spans of the same cell only: eight cells at a time are passed over where none has two.
 * Source: M. Mononen, Recast Navigation. */
#include "bake/largest.h"
#include "bake/stages.h"
#include "base/simd.h"

enum { BLOCK = 8 };

/* Whether some of eight cells has more than one span. */
WM_INLINE bool is_stacked(const uint32_t *cell_first) {
  const WmUint4 low = wm_load_uint4(cell_first + 1) - wm_load_uint4(cell_first);
  const WmUint4 high = wm_load_uint4(cell_first + 5) - wm_load_uint4(cell_first + 4);
  return wm_mask_int4((WmInt4)((low | high) > 1)) != 0;
}

typedef void (*Filter)(const WmHeightfield *field, uint32_t first, uint32_t end, int32_t limit);

/* Calls `filter` with the spans [first, end) of every cell that has two or more; of every one with `all`. */
static void filter_cells(const WmHeightfield *field, int32_t limit, bool all, Filter filter) {
  const size_t cells = (size_t)field->grid.width * (size_t)field->grid.depth;
  const uint32_t *first = field->cell_first, *const last = first + cells;
  while (first < last) {
    if (!all && last - first >= BLOCK && !is_stacked(first)) {
      first += BLOCK;
      continue;
    }
    const uint32_t span = *first++;
    if (all || *first - span > 1) filter(field, span, *first, limit);
  }
}

/* From the top down, so that the area below is still the one before the filter. */
static void promote_in_cell(const WmHeightfield *field, uint32_t first, uint32_t end,
                            int32_t walkable_climb) {
  uint8_t *area = field->span_area;
  for (uint32_t span = end; span-- > first + 1;) {
    if (area[span] != WM_AREA_NULL) continue;
    if (field->span_max[span] - field->span_max[span - 1] <= walkable_climb) area[span] = area[span - 1];
  }
}

void wm_filter_low_hanging_obstacles(WmHeightfield *field, int32_t walkable_climb) {
  filter_cells(field, walkable_climb, false, promote_in_cell);
}

static void clear_low_in_cell(const WmHeightfield *field, uint32_t first, uint32_t end,
                              int32_t walkable_height) {
  for (int32_t ceiling = WM_OPEN_CEILING; end-- > first; ceiling = field->span_min[end]) {
    if (ceiling - field->span_max[end] < walkable_height) field->span_area[end] = WM_AREA_NULL;
  }
}

/* Highest spans have all the room up to WM_OPEN_CEILING: enough unless they are within a height of it. */
void wm_filter_low_height(WmHeightfield *field, int32_t walkable_height) {
  const bool is_high =
      wm_find_largest(field->span_max, field->span_count) > WM_OPEN_CEILING - walkable_height;
  filter_cells(field, walkable_height, is_high, clear_low_in_cell);
}
