/* Statistics of raw regions: cells, area, first span, and the neighbours met on one walk around the outline.
 *
 * Only the outline through a region's first span is walked, so adjacency is one-sided where a region encloses
 * another: the inner one lists the outer, not the other way round. Later steps count on that, and on where a
 * list begins. */
#include "bake/regions_internal.h"

/* Walks through asymmetric links may never come back to their start. The original gives up every walk after
 * so many steps; ours goes on until it is closed where links are symmetric, for then it always closes. */
enum { STEPS_WITHOUT_SYMMETRY = 39999 };

typedef struct Outline {
  const WmCompactHeightfield *compact;
  const uint16_t *span_region;
  uint16_t *values;
  uint32_t count, capacity;
} Outline;

static WmStatus append_value(WmContext *context, Outline *outline, uint32_t value) {
  if (outline->count == outline->capacity) {
    const uint32_t capacity = outline->capacity * 2 + 256;
    uint16_t *values = wm_scratch_grow(context, outline->values, outline->capacity, capacity, sizeof *values);
    if (!values) return WM_ERROR_OUT_OF_MEMORY;
    outline->values = values;
    outline->capacity = capacity;
  }
  outline->values[outline->count++] = (uint16_t)value;
  return WM_OK;
}

static inline uint32_t region_across(const Outline *outline, uint32_t span, uint32_t direction) {
  const uint32_t neighbour = outline->compact->span_neighbour[4 * (size_t)span + direction];
  return neighbour == WM_NO_SPAN ? 0 : outline->span_region[neighbour];
}

/* Appends the regions met on the way round, beginning across the first edge, each run once. A border of the
 * region is kept on the side of `direction`. */
static WmStatus walk_outline(WmContext *context, Outline *outline, uint32_t first_span,
                             uint32_t first_direction) {
  const uint32_t list_first = outline->count;
  const uint32_t region = outline->span_region[first_span];
  uint32_t across = region_across(outline, first_span, first_direction);
  WmStatus status = append_value(context, outline, across);
  uint32_t span = first_span, direction = first_direction;
  const uint64_t step_limit =
      outline->compact->links_are_symmetric ? UINT64_MAX : (uint64_t)STEPS_WITHOUT_SYMMETRY;
  for (uint64_t step = 0; !status && step < step_limit; step++) {
    const uint32_t neighbour = outline->compact->span_neighbour[4 * (size_t)span + direction];
    const uint32_t other = neighbour == WM_NO_SPAN ? 0 : outline->span_region[neighbour];
    if (other != region) {
      if (other != across) status = append_value(context, outline, other);
      across = other;
      direction = (direction + 1) & 3;
    } else {
      span = neighbour;
      direction = (direction + 3) & 3;
    }
    if (span == first_span && direction == first_direction) break;
  }
  if (outline->count - list_first > 1 && outline->values[outline->count - 1] == outline->values[list_first]) {
    outline->count--;
  }
  return status;
}

/* The last one whose first span is not after it. */
uint32_t wm_find_cell(const WmCompactHeightfield *compact, uint32_t span) {
  uint32_t low = 0, high = (uint32_t)compact->grid.width * (uint32_t)compact->grid.depth;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (compact->cell_first[middle] <= span) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static uint32_t find_square(const WmCompactHeightfield *compact, uint32_t span, int32_t square_cells) {
  const uint32_t width = (uint32_t)compact->grid.width, border = (uint32_t)compact->grid.border_size;
  const uint32_t cell = wm_find_cell(compact, span), cells = (uint32_t)square_cells;
  const uint32_t x = (cell % width - border) / cells, z = (cell / width - border) / cells;
  return x + z * (width / cells + 1);
}

/* Spans in raster order, counted run by run. */
static void count_cells(const uint16_t *span_region, uint32_t span_count, WmRegionRecords *records) {
  uint32_t span = 0;
  while (span < span_count) {
    const uint32_t region = span_region[span], run_first = span;
    do span++;
    while (span < span_count && span_region[span] == region);
    if (region == 0 || region >= records->record_count) continue;
    if (records->cells[region] == 0) records->first_span[region] = run_first;
    records->cells[region] += span - run_first;
  }
}

WmStatus wm_region_records_gather(WmContext *context, const WmCompactHeightfield *compact,
                                  const uint16_t *span_region, uint32_t record_count, int32_t square_cells,
                                  WmRegionRecords *records) {
  *records = (WmRegionRecords){
      .record_count = record_count,
      .cells = wm_scratch_zeroed(context, record_count, sizeof *records->cells),
      .first_span = wm_scratch_array(context, record_count, sizeof *records->first_span),
      .area = wm_scratch_zeroed(context, record_count, sizeof *records->area),
      .list_first = wm_scratch_zeroed(context, record_count, sizeof *records->list_first),
      .list_length = wm_scratch_zeroed(context, record_count, sizeof *records->list_length)};
  if (!records->cells || !records->first_span || !records->area || !records->list_first ||
      !records->list_length) {
    return WM_ERROR_OUT_OF_MEMORY;
  }
  if (square_cells > 0) {
    records->square = wm_scratch_zeroed(context, record_count, sizeof *records->square);
    if (!records->square) return WM_ERROR_OUT_OF_MEMORY;
  }
  count_cells(span_region, compact->span_count, records);
  Outline outline = {.compact = compact, .span_region = span_region};
  for (uint32_t record = 1; record < record_count; record++) {
    if (records->cells[record] == 0) continue;
    const uint32_t span = records->first_span[record];
    records->area[record] = compact->span_area[span];
    if (square_cells > 0) records->square[record] = find_square(compact, span, square_cells);
    /* Direction 3 (or 0) leads to an earlier span or none, so the first span has an edge. */
    uint32_t direction = 0;
    while (direction < 4 && region_across(&outline, span, direction) == record) direction++;
    if (direction == 4) continue;
    records->list_first[record] = outline.count;
    if (walk_outline(context, &outline, span, direction)) return WM_ERROR_OUT_OF_MEMORY;
    records->list_length[record] = outline.count - records->list_first[record];
  }
  records->list_values = outline.values;
  records->value_count = outline.count;
  return WM_OK;
}
