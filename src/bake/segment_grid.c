/* A uniform grid over segments. See segment_grid.h. */
#include "bake/segment_grid.h"

#include <string.h>

WmStatus wm_segment_grid_start(WmContext *context, WmPlanarPoint least, WmPlanarPoint most, size_t count,
                               uint64_t length, WmSegmentGrid *grid) {
  *grid = (WmSegmentGrid){.origin = least};
  /* The smallest cells for which neither the cells nor the entries (three a segment, and one more for each
   * further cell along it) outnumber the segments by much. */
  uint64_t cells = 0, entries = 0;
  for (;; grid->shift++) {
    cells = (((uint64_t)(most.x - least.x) >> grid->shift) + 1) *
            (((uint64_t)(most.z - least.z) >> grid->shift) + 1);
    entries = 2 * (uint64_t)count + (length >> grid->shift);
    if (cells <= 2 * (uint64_t)count + 16 && entries <= 8 * (uint64_t)count + 16) break;
  }
  grid->columns = ((most.x - least.x) >> grid->shift) + 1;
  grid->rows = ((most.z - least.z) >> grid->shift) + 1;
  grid->cell_newest = wm_scratch_array(context, cells, sizeof *grid->cell_newest);
  if (!grid->cell_newest) return WM_ERROR_OUT_OF_MEMORY;
  memset(grid->cell_newest, 0xff, cells * sizeof *grid->cell_newest);
  if (entries > UINT32_MAX / 2) entries = UINT32_MAX / 2;
  grid->entry_segment = wm_scratch_array(context, entries, sizeof *grid->entry_segment);
  grid->entry_next = wm_scratch_array(context, entries, sizeof *grid->entry_next);
  if (!grid->entry_segment || !grid->entry_next) return WM_ERROR_OUT_OF_MEMORY;
  grid->entry_capacity = (uint32_t)entries;
  return WM_OK;
}

static bool grow_entries(WmContext *context, WmSegmentGrid *grid) {
  const size_t old = grid->entry_capacity, larger = 2 * old;
  if (larger > UINT32_MAX - 1) return wm_fail_memory(context, SIZE_MAX), false;
  uint32_t *segments = wm_scratch_grow(context, grid->entry_segment, old, larger, sizeof *segments);
  if (!segments) return false;
  grid->entry_segment = segments;
  uint32_t *next = wm_scratch_grow(context, grid->entry_next, old, larger, sizeof *next);
  if (!next) return false;
  grid->entry_next = next;
  grid->entry_capacity = (uint32_t)larger;
  return true;
}

WmStatus wm_segment_grid_add(WmContext *context, WmSegmentGrid *grid, WmPlanarPoint a, WmPlanarPoint b,
                             uint32_t segment) {
  const int32_t row_a = wm_segment_grid_row(grid, a.z), row_b = wm_segment_grid_row(grid, b.z);
  const int32_t last = row_a < row_b ? row_b : row_a;
  for (int32_t row = row_a < row_b ? row_a : row_b; row <= last; row++) {
    const WmColumnRange range = wm_segment_grid_columns(grid, a, b, row);
    uint32_t *cells = grid->cell_newest + (size_t)row * (size_t)grid->columns;
    for (int32_t column = range.first; column <= range.last; column++) {
      if (grid->entry_count == grid->entry_capacity && !grow_entries(context, grid)) {
        return WM_ERROR_OUT_OF_MEMORY;
      }
      const uint32_t entry = grid->entry_count++;
      grid->entry_segment[entry] = segment;
      grid->entry_next[entry] = cells[column];
      cells[column] = entry;
    }
  }
  return WM_OK;
}
