/* Builds the baseline of a tile. See baseline.h. */
#include "bake/rebuild/baseline.h"

#include <string.h>

#include "bake/compact/links.h"

/* The arrays while they grow; in scratch memory. */
typedef struct Finding {
  const WmCompactHeightfield *compact;
  uint16_t *region, *row_number;
  WmBaselineRegion *records;
  WmRegionSide *sides;
  uint32_t *steps;
  WmBaselineColumn *columns;
  uint32_t next_number, side_count, step_count, column_count;
  size_t side_capacity, step_capacity, column_capacity;
} Finding;

static WmStatus find_regions(WmContext *context, Finding *f) {
  const WmCompactHeightfield *compact = f->compact;
  const int32_t border = compact->grid.border_size, end = compact->grid.depth - border;
  f->region = wm_scratch_zeroed(context, compact->span_count, sizeof *f->region);
  f->row_number = wm_scratch_zeroed(context, (size_t)compact->grid.depth + 1, sizeof *f->row_number);
  if (!f->region || !f->row_number) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t first_number = wm_paint_borders(compact, f->region);
  WmSweep sweep;
  WmStatus status = wm_sweep_start(context, compact, compact->span_area, 0, first_number, f->region, &sweep);
  for (int32_t z = border; !status && z < end; z++) {
    f->row_number[z] = (uint16_t)sweep.next_number;
    status = wm_sweep_row(context, &sweep, z);
  }
  if (status) return status;
  f->next_number = sweep.next_number;
  if (border <= end) f->row_number[end] = (uint16_t)sweep.next_number;
  return WM_OK;
}

bool wm_region_sides_add(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *edges,
                         uint32_t first, uint32_t end, WmRegionSide **sides, uint32_t *count,
                         size_t *capacity) {
  const WmLinks links = compact->links;
  for (uint32_t span = first, next; span < end; span = next) {
    uint64_t eight = 1;
    next = end - span < 8 ? end : span + 8;
    if (next == span + 8) memcpy(&eight, edges + span, 8);
    if (eight == 0) continue;
    *sides = wm_scratch_reserve(context, *sides, capacity, (size_t)*count + 32, sizeof **sides);
    if (!*sides) return false;
    for (; span < next; span++) {
      for (uint32_t left = edges[span]; left; left &= left - 1) {
        const uint32_t d = (uint32_t)__builtin_ctz(left);
        (*sides)[(*count)++] = (WmRegionSide){4 * span + d, wm_link_inline(&links, span, d)};
      }
    }
  }
  return true;
}

static WmStatus find_sides(WmContext *context, Finding *f) {
  const uint32_t span_count = f->compact->span_count;
  uint8_t *edges = wm_scratch_array(context, span_count, 1);
  if (!edges) return WM_ERROR_OUT_OF_MEMORY;
  wm_contour_find_edges(f->compact, f->region, 0, span_count, edges);
  return wm_region_sides_add(context, f->compact, edges, 0, span_count, &f->sides, &f->side_count,
                             &f->side_capacity)
             ? WM_OK
             : WM_ERROR_OUT_OF_MEMORY;
}

/* The walk of wm_outlines_walk around a region, recorded. */
static bool walk(WmContext *context, Finding *f, uint32_t region) {
  const WmLinks *links = &f->compact->links;
  WmBaselineRegion *record = &f->records[region];
  uint32_t span = record->first_span, direction = 0, across = WM_NO_SPAN;
  record->first_step = f->step_count;
  for (; direction < 4; direction++) {
    across = wm_link(links, span, direction);
    if (across == WM_NO_SPAN || f->region[across] != region) break;
  }
  if (direction == 4) return true;
  const uint32_t first_direction = direction;
  do {
    across = wm_link(links, span, direction);
    if (across != WM_NO_SPAN && f->region[across] == region) {
      span = across;
      direction = (direction + 3) & 3;
      continue;
    }
    f->steps =
        wm_scratch_reserve(context, f->steps, &f->step_capacity, (size_t)f->step_count + 1, sizeof *f->steps);
    if (!f->steps) return false;
    f->steps[f->step_count++] = across;
    direction = (direction + 1) & 3;
  } while (span != record->first_span || direction != first_direction);
  record->step_count = f->step_count - record->first_step;
  return true;
}

static WmStatus find_records(WmContext *context, Finding *f) {
  f->records = wm_scratch_zeroed(context, f->next_number, sizeof *f->records);
  if (!f->records) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t span = 0; span < f->compact->span_count; span++) {
    if (!wm_is_region(f->region[span], f->next_number)) continue;
    WmBaselineRegion *record = &f->records[f->region[span]];
    if (record->cells++ == 0) record->first_span = span;
  }
  for (uint32_t i = 1; i < f->next_number; i++) {
    if (f->records[i].cells > 0 && !walk(context, f, i)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

/* True if a column holds several regions, and others than the column before it. */
static bool says_more(const Finding *f, WmBaselineColumn column, WmBaselineColumn before) {
  const uint16_t *region = f->region + column.first;
  uint32_t regions = 0;
  for (uint32_t i = 0; i < column.count; i++) regions += wm_is_region(region[i], f->next_number);
  return regions > 1 && !(column.count == before.count &&
                          memcmp(region, f->region + before.first, column.count * sizeof *region) == 0);
}

static WmStatus find_columns(WmContext *context, Finding *f) {
  const WmGrid *grid = &f->compact->grid;
  const uint32_t *first = f->compact->cell_first;
  for (int32_t z = 0; z < grid->depth; z++) {
    WmBaselineColumn before = {0, 0};
    for (int32_t x = 0; x < grid->width; x++, first++) {
      const WmBaselineColumn column = {first[0], first[1] - first[0]};
      if (column.count < 2 || !says_more(f, column, before)) continue;
      f->columns = wm_scratch_reserve(context, f->columns, &f->column_capacity, (size_t)f->column_count + 1,
                                      sizeof *f->columns);
      if (!f->columns) return WM_ERROR_OUT_OF_MEMORY;
      f->columns[f->column_count++] = before = column;
    }
  }
  return WM_OK;
}

static WmStatus pack(WmContext *context, const Finding *f, WmBaseline *baseline, size_t *byte_count) {
  const size_t span_count = f->compact->span_count, rows = (size_t)f->compact->grid.depth + 1;
  WmLayout layout = {0};
  const size_t region = wm_layout_add(&layout, span_count, sizeof *baseline->raw_region);
  const size_t row_number = wm_layout_add(&layout, rows, sizeof *baseline->row_number);
  const size_t records = wm_layout_add(&layout, f->next_number, sizeof *baseline->records);
  const size_t sides = wm_layout_add(&layout, f->side_count, sizeof *baseline->sides);
  const size_t steps = wm_layout_add(&layout, f->step_count, sizeof *baseline->steps);
  const size_t columns = wm_layout_add(&layout, f->column_count, sizeof *baseline->columns);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  *baseline = (WmBaseline){.raw_region = (uint16_t *)(void *)(block + region),
                           .row_number = (uint16_t *)(void *)(block + row_number),
                           .records = (WmBaselineRegion *)(void *)(block + records),
                           .sides = (WmRegionSide *)(void *)(block + sides),
                           .steps = (uint32_t *)(void *)(block + steps),
                           .columns = (WmBaselineColumn *)(void *)(block + columns),
                           .record_count = f->next_number,
                           .side_count = f->side_count,
                           .step_count = f->step_count,
                           .column_count = f->column_count,
                           .block = block};
  memcpy(baseline->raw_region, f->region, span_count * sizeof *baseline->raw_region);
  memcpy(baseline->row_number, f->row_number, rows * sizeof *baseline->row_number);
  memcpy(baseline->records, f->records, f->next_number * sizeof *baseline->records);
  if (f->side_count) memcpy(baseline->sides, f->sides, f->side_count * sizeof *baseline->sides);
  if (f->step_count) memcpy(baseline->steps, f->steps, f->step_count * sizeof *baseline->steps);
  if (f->column_count) memcpy(baseline->columns, f->columns, f->column_count * sizeof *baseline->columns);
  *byte_count = layout.bytes;
  return WM_OK;
}

/* Builds regions with no changes, and records their contours. */
static WmStatus add_contours(WmContext *context, const WmCompactHeightfield *compact,
                             const WmRegionSettings *settings, const WmContourSettings *contour_settings,
                             WmBaseline *baseline, size_t *byte_count) {
  WmChangedTile tile = {.baseline = baseline, .baseline_area = compact->span_area, .compact = compact};
  WmRegions regions;
  WmStatus status = wm_build_changed_regions(context, settings, &tile, &regions);
  if (status) return status;
  status = wm_baseline_record_contours(context, contour_settings, &tile, &regions, baseline, byte_count);
  wm_regions_free(context, &regions);
  return status;
}

WmStatus wm_baseline_build(WmContext *context, const WmCompactHeightfield *compact,
                           const WmRegionSettings *settings, const WmContourSettings *contour_settings,
                           WmBaseline *baseline, size_t *byte_count) {
  *baseline = (WmBaseline){0};
  *byte_count = 0;
  if ((settings->partition != WM_PARTITION_MONOTONE && settings->partition != WM_PARTITION_LAYERS) ||
      !compact->links_are_symmetric || compact->span_count == 0 ||
      compact->span_count > WM_BASELINE_SPAN_LIMIT) {
    return WM_OK;
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  Finding f = {.compact = compact};
  WmStatus status = find_regions(context, &f);
  if (!status) status = find_records(context, &f);
  if (!status) status = find_sides(context, &f);
  if (!status) status = find_columns(context, &f);
  if (!status) status = pack(context, &f, baseline, byte_count);
  if (!status) status = add_contours(context, compact, settings, contour_settings, baseline, byte_count);
  wm_scratch_rewind(context, mark);
  if (!status) return WM_OK;
  wm_baseline_free(context, baseline);
  *byte_count = 0;
  return status == WM_ERROR_LIMIT ? WM_OK : status; /* with obstacles there may be fewer regions */
}

void wm_baseline_free(WmContext *context, WmBaseline *baseline) {
  wm_block_free(context, baseline->block);
  wm_block_free(context, baseline->contour_block);
  *baseline = (WmBaseline){0};
}
