/* The median filter of areas: removes specks from marked surface. In place on span_area [span_count], reading
 * the old areas.
 *
 * Each walkable span gets the fifth smallest of nine areas: its own, those of its four neighbours, and
 * those of the four corners (each reached through one neighbour, then a quarter turn left). Absent or
 * unwalkable ones count as its own. */
#include "bake/compact/links.h"
#include "bake/stages.h"

#include <string.h>

static uint8_t median_of_nine(uint8_t s[9]) {
  for (int i = 1; i < 9; i++) {
    for (int j = i; j > 0 && s[j - 1] > s[j]; j--) {
      const uint8_t swap = s[j];
      s[j] = s[j - 1];
      s[j - 1] = swap;
    }
  }
  return s[4];
}

static uint8_t median_area(const WmCompactHeightfield *compact, const uint8_t *area, uint32_t span) {
  const uint8_t own = area[span];
  uint8_t samples[9];
  memset(samples, own, sizeof samples);
  bool uniform = true;
  for (size_t d = 0; d < 4; d++) {
    const uint32_t side = wm_link(&compact->links, span, d);
    if (side == WM_NO_SPAN) continue;
    if (area[side] != WM_AREA_NULL) samples[2 * d] = area[side];
    const uint32_t corner = wm_link(&compact->links, side, (d + 1) & 3);
    if (corner != WM_NO_SPAN && area[corner] != WM_AREA_NULL) samples[2 * d + 1] = area[corner];
    uniform &= samples[2 * d] == own && samples[2 * d + 1] == own;
  }
  return uniform ? own : median_of_nine(samples);
}

WmStatus wm_filter_median(WmContext *context, WmCompactHeightfield *compact) {
  const WmScratchMark mark = wm_scratch_mark(context);
  uint8_t *area = wm_scratch_array(context, compact->span_count, sizeof *area);
  if (!area) return WM_ERROR_OUT_OF_MEMORY;
  if (compact->span_count) memcpy(area, compact->span_area, compact->span_count);
  for (uint32_t span = 0; span < compact->span_count; span++) {
    if (area[span] != WM_AREA_NULL) compact->span_area[span] = median_area(compact, area, span);
  }
  wm_scratch_rewind(context, mark);
  return WM_OK;
}
