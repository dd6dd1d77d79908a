/* Statistics of raw regions: cells, area, first span, and the neighbours met on one walk around the outline.
 *
 * Only the outline through a region's first span is walked, so adjacency is one-sided if a region encloses
 * another: the inner one lists the outer, not the other way round. Later steps rely on that, and on where
 * a list begins. */
#include "bake/compact/links.h"
#include "bake/regions/regions_internal.h"
#include "base/inline.h"

/* Walks over asymmetric links may never return to their start. The original ends every walk after this
 * many steps; ours goes on until it is closed if links are symmetric, since then it always closes. */
enum { STEPS_WITHOUT_SYMMETRY = 39999 };

static uint32_t look_across(const WmLinks *links, const uint16_t *span_region, uint32_t span,
                            uint32_t direction) {
  const uint32_t neighbour = wm_link(links, span, direction);
  return neighbour == WM_NO_SPAN ? 0 : span_region[neighbour];
}

/* Begins across the first side with another region; the outline is kept on the side `direction`. */
WmStatus wm_outlines_walk(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, WmOutlines *outlines, uint32_t region) {
  const WmLinks *const links = &compact->links;
  uint32_t *const ring = &outlines->records[region].ring;
  const uint32_t first_span = outlines->records[region].first_span;
  uint64_t steps = compact->links_are_symmetric ? UINT64_MAX : (uint64_t)STEPS_WITHOUT_SYMMETRY;
  uint32_t first_direction = 0;
  while (first_direction < 4 && look_across(links, span_region, first_span, first_direction) == region) {
    first_direction++;
  }
  if (first_direction == 4) return WM_OK;
  uint32_t span = first_span, direction = first_direction;
  do {
    const uint32_t across = wm_link_inline(links, span, direction);
    const uint32_t other = across == WM_NO_SPAN ? 0 : span_region[across];
    if (other == region) {
      span = across;
      direction = (direction + 3) & 3;
    } else {
      if ((*ring == 0 || outlines->lists.entries[*ring].value != other) &&
          wm_list_append(context, &outlines->lists, ring, other)) {
        return WM_ERROR_OUT_OF_MEMORY;
      }
      direction = (direction + 1) & 3;
    }
  } while (!(span == first_span && direction == first_direction) && --steps > 0);
  return WM_OK;
}

WM_COLD static uint32_t find_square(const WmCompactHeightfield *compact, uint32_t span,
                                    int32_t square_cells) {
  const uint32_t width = (uint32_t)compact->grid.width, border = (uint32_t)compact->grid.border_size;
  const uint32_t cell = wm_find_cell(compact, span), cells = (uint32_t)square_cells;
  const uint32_t x = (cell % width - border) / cells, z = (cell / width - border) / cells;
  return x + z * (width / cells + 1);
}

/* In raster order, eight spans at a time if they have one region. Spans without a region, or with that of a border,
 * count for record 0, which is no region: processors don't foresee which those are. */
static void count_cells(const uint16_t *span_region, uint32_t span_count, WmOutlines *outlines) {
  WmOutlineRecord *const records = outlines->records;
  const uint32_t end_of_regions =
      outlines->record_count < WM_REGION_BORDER ? outlines->record_count : WM_REGION_BORDER;
  records[0].cells = 1;
  for (uint32_t span = 0; span < span_count;) {
    const uint32_t alike = wm_are_uniform(span_region, span, span_count) ? 8 : 1;
    const uint32_t end = span_count - span < 8 ? span_count : span + 8;
    for (; span < end; span += alike) {
      const uint32_t region = span_region[span];
      WmOutlineRecord *record = &records[region & (0u - (region < end_of_regions))];
      if (record->cells == 0) record->first_span = span;
      record->cells += alike;
    }
  }
  records[0].cells = 0;
}

WmStatus wm_outlines_gather(WmContext *context, const WmCompactHeightfield *compact,
                            const uint16_t *span_region, uint32_t record_count, int32_t square_cells,
                            WmOutlines *outlines) {
  *outlines = (WmOutlines){.records = wm_scratch_zeroed(context, record_count, sizeof *outlines->records),
                           .record_count = record_count};
  if (!outlines->records) return WM_ERROR_OUT_OF_MEMORY;
  count_cells(span_region, compact->span_count, outlines);
  for (uint32_t i = 1; i < record_count; i++) {
    WmOutlineRecord *record = &outlines->records[i];
    if (record->cells == 0) continue;
    record->area = compact->span_area[record->first_span];
    if (square_cells > 0) record->square = find_square(compact, record->first_span, square_cells);
    if (wm_outlines_walk(context, compact, span_region, outlines, i)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}
