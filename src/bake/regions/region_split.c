/* Cuts regions that overlap themselves into pieces that don't.
 *
 * A watershed basin can wind around: a spiral ramp is one basin, since its distance to area borders never
 * sinks. The original reports an error and goes on with outlines that cross themselves. Here such a region is
 * cut across: from its first span on, in raster order, a piece grows breadth first over spans that share no
 * column with it, then the next piece over the spans that are left.
 *
 * Invariants out: no region has two spans in one column; pieces are connected; no span loses its region;
 * the piece with the region's first span keeps its number. Cost: O(spans log spans). */
#include "bake/compact/links.h"
#include "bake/regions/regions_internal.h"

/* The kinds of a region; BEGUN: a piece has its number. */
enum { SIMPLE, OVERLAPPING, BEGUN };

/* True if another span of the cell has this number. */
static bool is_over(const WmCompactHeightfield *compact, const uint16_t *numbers, uint32_t cell,
                    uint32_t span, uint32_t number) {
  for (uint32_t i = compact->cell_first[cell]; i < compact->cell_first[cell + 1]; i++) {
    if (i != span && numbers[i] == number) return true;
  }
  return false;
}

/* Numbers a piece of the region of `start`; the queue holds its spans. */
static void number_piece(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t start,
                         uint16_t piece, uint16_t *numbers, uint32_t *queue) {
  uint32_t count = 1;
  queue[0] = start;
  numbers[start] = piece;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t d = 0; d < 4; d++) {
      const uint32_t next = wm_link(&compact->links, queue[i], d);
      if (next == WM_NO_SPAN || span_region[next] != span_region[start] || numbers[next] != 0 ||
          is_over(compact, numbers, wm_find_cell(compact, next), next, piece)) {
        continue;
      }
      numbers[next] = piece;
      queue[count++] = next;
    }
  }
}

WmStatus wm_split_overlaps(WmContext *context, const WmCompactHeightfield *compact, uint16_t *span_region,
                           uint32_t *region_count) {
  const uint32_t span_count = compact->span_count;
  const WmScratchMark mark = wm_scratch_mark(context);
  uint32_t *queue = wm_scratch_array(context, span_count, sizeof *queue);
  uint16_t *numbers = wm_scratch_zeroed(context, span_count, sizeof *numbers);
  uint8_t *kind = wm_scratch_zeroed(context, (size_t)*region_count + 1, sizeof *kind);
  WmStatus status = queue && numbers && kind ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t span = 0, cell = 0; !status && span < span_count; span++) {
    while (compact->cell_first[cell + 1] <= span) cell++;
    const uint16_t region = span_region[span];
    if (wm_is_region(region, UINT32_MAX) && is_over(compact, span_region, cell, span, region)) {
      kind[region] = OVERLAPPING;
    }
  }
  for (uint32_t span = 0; !status && span < span_count; span++) {
    const uint16_t region = span_region[span];
    if (!wm_is_region(region, UINT32_MAX) || kind[region] == SIMPLE || numbers[span] != 0) continue;
    const uint32_t piece = kind[region] == OVERLAPPING ? region : ++*region_count;
    kind[region] = BEGUN;
    if (piece > WM_REGION_LIMIT) {
      status = wm_fail_region_limit(context);
    } else {
      number_piece(compact, span_region, span, (uint16_t)piece, numbers, queue);
    }
  }
  for (uint32_t span = 0; !status && span < span_count; span++) {
    if (numbers[span] != 0) span_region[span] = numbers[span];
  }
  wm_scratch_rewind(context, mark);
  return status;
}
