/* Two filters of the solid heightfield that look at one cell at a time: low hanging obstacles and low
 * ceilings. The third, ledges, is in filter_ledges.c.
 *
 * In place on span_area [span_count]; heights are only read. Each is written in its closed form, in which
 * no span depends on what the filter did to another, so that cells can be taken in any order. Cells of one
 * span, by far the most common, are passed over eight at a time.
 * Source: M. Mononen, Recast Navigation. */
#include "bake/stages.h"
#include "base/simd.h"

static size_t count_cells(const WmGrid *grid) { return (size_t)grid->width * (size_t)grid->depth; }

/* The next cell from `cell` on that has more than one span, or `cells`. */
static size_t find_stacked_cell(const uint32_t *cell_first, size_t cell, size_t cells) {
  for (; cell + 8 <= cells; cell += 8) {
    const WmUint4 low = wm_load_uint4(cell_first + cell + 1) - wm_load_uint4(cell_first + cell);
    const WmUint4 high = wm_load_uint4(cell_first + cell + 5) - wm_load_uint4(cell_first + cell + 4);
    if (wm_mask_int4((WmInt4)((low | high) > 1))) break;
  }
  while (cell < cells && cell_first[cell + 1] - cell_first[cell] <= 1) cell++;
  return cell;
}

/* ---- Low hanging obstacles -------------------------------------------------------------------------- */

void wm_filter_low_hanging_obstacles(WmHeightfield *field, int32_t walkable_climb) {
  const size_t cells = count_cells(&field->grid);
  uint8_t *area = field->span_area;
  for (size_t cell = find_stacked_cell(field->cell_first, 0, cells); cell < cells;
       cell = find_stacked_cell(field->cell_first, cell + 1, cells)) {
    const uint32_t first = field->cell_first[cell];
    /* From the top down, so that the area below is still the one before the filter. */
    for (uint32_t span = field->cell_first[cell + 1]; span-- > first + 1;) {
      if (area[span] != WM_AREA_NULL || area[span - 1] == WM_AREA_NULL) continue;
      if (field->span_max[span] - field->span_max[span - 1] <= walkable_climb) area[span] = area[span - 1];
    }
  }
}

/* ---- Low ceilings ------------------------------------------------------------------------------------- */

/* Highest spans have all the room up to WM_OPEN_CEILING: enough unless they are within a height of it. */
static void filter_highest_spans(WmHeightfield *field, int32_t walkable_height) {
  const size_t cells = count_cells(&field->grid);
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t end = field->cell_first[cell + 1];
    if (end == field->cell_first[cell]) continue;
    if (WM_OPEN_CEILING - field->span_max[end - 1] < walkable_height)
      field->span_area[end - 1] = WM_AREA_NULL;
  }
}

void wm_filter_low_height(WmHeightfield *field, int32_t walkable_height) {
  const size_t cells = count_cells(&field->grid);
  for (size_t cell = find_stacked_cell(field->cell_first, 0, cells); cell < cells;
       cell = find_stacked_cell(field->cell_first, cell + 1, cells)) {
    const uint32_t last = field->cell_first[cell + 1] - 1;
    for (uint32_t span = field->cell_first[cell]; span < last; span++) {
      if (field->span_min[span + 1] - field->span_max[span] < walkable_height)
        field->span_area[span] = WM_AREA_NULL;
    }
  }
  uint16_t highest = 0;
  for (uint32_t span = 0; span < field->span_count; span++) {
    highest = field->span_max[span] > highest ? field->span_max[span] : highest;
  }
  if (WM_OPEN_CEILING - highest < walkable_height) filter_highest_spans(field, walkable_height);
}
