/* Raw regions by sweeping rows: the monotone, layers and chunky partitions, and heightfield layers.
 *
 * Each row is divided into strips of linked spans. A strip continues the region above it (towards -z) if that
 * is the only region above it and no other strip lies below that region; otherwise it starts a region. So
 * regions have no holes, and with symmetric links they don't overlap themselves.
 *
 * With squares (chunky), strips break at the sides of squares and don't look above across them. Squares count
 * from the tile proper, so that the squares of neighbouring tiles meet if their size divides the tile's.
 *
 * A row has at most WM_REGION_LIMIT strips, since every strip of a row ends in a different region. */
#include "bake/compact/links.h"
#include "bake/regions/regions_internal.h"

/* The region or strip of a span's neighbour; 0 if it has none, is in the border, or has another area. */
static uint32_t number_across(const WmSweep *sweep, uint32_t span, int direction) {
  const uint32_t neighbour = wm_link(&sweep->compact->links, span, (size_t)direction);
  if (neighbour == WM_NO_SPAN || sweep->span_area[neighbour] != sweep->span_area[span]) return 0;
  const uint32_t number = sweep->span_region[neighbour];
  return number & WM_REGION_BORDER ? 0 : number;
}

/* Adds a span to a strip, and some of those before `end` that continue it alike. */
static WmStatus sweep_span(WmContext *context, WmSweep *sweep, uint32_t span, uint32_t end,
                           bool starts_square_x, bool starts_square_z) {
  uint32_t number = starts_square_x ? 0 : number_across(sweep, span, 0);
  if (number == 0) {
    if (sweep->strip_count == WM_REGION_LIMIT) return wm_fail_region_limit(context);
    number = ++sweep->strip_count;
    sweep->strips[number] = (WmStrip){0, false, 0};
  }
  sweep->span_region[span] = (uint16_t)number;
  WmStrip *strip = &sweep->strips[number];
  const uint32_t above = starts_square_z ? 0 : number_across(sweep, span, 3);
  const uint32_t count = 1 + wm_sweep_ahead(sweep, span, end, above);
  if (above != 0 && !strip->is_ambiguous) {
    if (strip->above == 0) strip->above = (uint16_t)above;
    if (strip->above == above) {
      strip->samples += count;
      sweep->below_count[above] += count;
    } else {
      strip->is_ambiguous = true;
    }
  }
  return WM_OK;
}

/* Gives the strips of a row their regions. */
static WmStatus finish_strips(WmContext *context, WmSweep *sweep) {
  for (uint32_t number = 1; number <= sweep->strip_count; number++) {
    const WmStrip *strip = &sweep->strips[number];
    if (strip->above != 0 && !strip->is_ambiguous && sweep->below_count[strip->above] == strip->samples) {
      sweep->final[number] = strip->above;
    } else {
      if (sweep->next_number > WM_REGION_LIMIT) return wm_fail_region_limit(context);
      sweep->below_count[sweep->next_number] = 0;
      sweep->final[number] = (uint16_t)sweep->next_number++;
    }
  }
  for (uint32_t number = 1; number <= sweep->strip_count; number++) {
    sweep->below_count[sweep->strips[number].above] = 0;
  }
  return WM_OK;
}

WmStatus wm_sweep_row(WmContext *context, WmSweep *sweep, int32_t z) {
  const WmGrid *grid = &sweep->compact->grid;
  const int32_t border = grid->border_size, square = sweep->square_cells;
  const uint32_t *row = sweep->compact->cell_first + (size_t)z * (size_t)grid->width;
  const uint32_t end = row[grid->width - border];
  const bool starts_square_z = square > 0 && (z - border) % square == 0;
  sweep->strip_count = 0;
  /* The column in which the next square starts, or in which the present one started. */
  int32_t side = square > 0 ? border : grid->width - border;
  for (uint32_t span = row[border]; span < end; span++) {
    /* A strip may have been extended to here already. */
    if (sweep->span_area[span] == WM_AREA_NULL || sweep->span_region[span] != 0) continue;
    while (side < grid->width - border && span >= row[side + 1]) {
      side = square < grid->width - side ? side + square : grid->width - border;
    }
    const bool starts_square_x = side < grid->width - border && span >= row[side];
    const WmStatus status =
        sweep_span(context, sweep, span, square ? span : end, starts_square_x, starts_square_z);
    if (status) return status;
  }
  if (sweep->strip_count == 0) return WM_OK;
  const WmStatus status = finish_strips(context, sweep);
  if (status) return status;
  for (uint32_t span = row[border]; span < end; span++) {
    if (sweep->span_area[span] != WM_AREA_NULL) {
      sweep->span_region[span] = sweep->final[sweep->span_region[span]];
    }
  }
  return WM_OK;
}

WmStatus wm_sweep_start(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                        int32_t square_cells, uint32_t next_number, uint16_t *span_region, WmSweep *sweep) {
  /* There are at most as many strips or regions as spans. */
  const size_t most = (size_t)compact->span_count + next_number;
  const size_t capacity = 1 + (most < WM_REGION_LIMIT ? most : WM_REGION_LIMIT);
  *sweep = (WmSweep){.compact = compact,
                     .span_area = span_area,
                     .square_cells = square_cells,
                     .span_region = span_region,
                     .strips = wm_scratch_array(context, capacity, sizeof(WmStrip)),
                     .final = wm_scratch_array(context, capacity, sizeof(uint16_t)),
                     .below_count = wm_scratch_array(context, capacity, sizeof(uint32_t)),
                     .next_number = next_number};
  return sweep->strips && sweep->final && sweep->below_count ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

WmStatus wm_partition_rows(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                           int32_t square_cells, uint32_t first_number, uint16_t *span_region,
                           uint32_t *next_number) {
  const WmScratchMark mark = wm_scratch_mark(context);
  WmSweep sweep;
  WmStatus status =
      wm_sweep_start(context, compact, span_area, square_cells, first_number, span_region, &sweep);
  const int32_t border = compact->grid.border_size;
  for (int32_t z = border; !status && z < compact->grid.depth - border; z++) {
    status = wm_sweep_row(context, &sweep, z);
  }
  *next_number = sweep.next_number;
  wm_scratch_rewind(context, mark);
  return status;
}
