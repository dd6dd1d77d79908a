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

static size_t count_cells(const WmGrid *grid) { return (size_t)grid->width * (size_t)grid->depth; }

enum { BLOCK = 8 };

/* Whether some of eight cells has more than one span. */
WM_INLINE bool is_stacked(const uint32_t *cell_first) {
  const WmUint4 low = wm_load_uint4(cell_first + 1) - wm_load_uint4(cell_first);
  const WmUint4 high = wm_load_uint4(cell_first + 5) - wm_load_uint4(cell_first + 4);
  return wm_mask_int4((WmInt4)((low | high) > 1)) != 0;
}

/* Calls `filter` with the spans [first, end) of every cell that has two or more. */
WM_INLINE void filter_stacked_cells(const WmHeightfield *field, int32_t limit,
                                    void (*filter)(const WmHeightfield *field, uint32_t first, uint32_t end,
                                                   int32_t limit)) {
  const size_t cells = count_cells(&field->grid);
  const uint32_t *first = field->cell_first;
  for (size_t cell = 0, end; cell < cells; cell = end) {
    end = cell + BLOCK < cells ? cell + BLOCK : cells;
    if (end == cell + BLOCK && !is_stacked(first + cell)) continue;
    for (size_t i = cell; i < end; i++) {
      if (first[i + 1] - first[i] > 1) filter(field, first[i], first[i + 1], limit);
    }
  }
}

/* From the top down, so that the area below is still the one before the filter. */
WM_INLINE void promote_in_cell(const WmHeightfield *field, uint32_t first, uint32_t end,
                               int32_t walkable_climb) {
  uint8_t *area = field->span_area;
  for (uint32_t span = end; span-- > first + 1;) {
    if (area[span] != WM_AREA_NULL || area[span - 1] == WM_AREA_NULL) continue;
    if (field->span_max[span] - field->span_max[span - 1] <= walkable_climb) area[span] = area[span - 1];
  }
}

void wm_filter_low_hanging_obstacles(WmHeightfield *field, int32_t walkable_climb) {
  if (walkable_climb <= 0) return; /* no span lies so close to the one below */
  filter_stacked_cells(field, walkable_climb, promote_in_cell);
}

WM_INLINE void clear_low_in_cell(const WmHeightfield *field, uint32_t first, uint32_t end,
                                 int32_t walkable_height) {
  for (uint32_t span = first; span + 1 < end; span++) {
    if (field->span_min[span + 1] - field->span_max[span] < walkable_height)
      field->span_area[span] = WM_AREA_NULL;
  }
}

/* Highest spans have all the room up to WM_OPEN_CEILING: enough unless they are within a height of it. */
static void clear_low_highest(const WmHeightfield *field, int32_t walkable_height) {
  const size_t cells = count_cells(&field->grid);
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t end = field->cell_first[cell + 1];
    if (end == field->cell_first[cell]) continue;
    if (WM_OPEN_CEILING - field->span_max[end - 1] < walkable_height)
      field->span_area[end - 1] = WM_AREA_NULL;
  }
}

void wm_filter_low_height(WmHeightfield *field, int32_t walkable_height) {
  if (walkable_height <= 0) return;
  filter_stacked_cells(field, walkable_height, clear_low_in_cell);
  if (wm_find_largest(field->span_max, field->span_count) > WM_OPEN_CEILING - walkable_height) {
    clear_low_highest(field, walkable_height);
  }
}
