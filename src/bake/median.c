/* The median filter of areas: takes the specks out of marked ground.
 *
 * Each walkable span gets the fifth smallest of nine areas: its own, its four neighbours', and the four
 * corners' (each reached through one neighbour, then a quarter turn left). Absent or unwalkable ones count
 * as its own. In place on span_area [span_count]; the old areas are what is read. */
#include "bake/stages.h"

#include <string.h>

static void order_pair(uint8_t *a, uint8_t *b) {
  const uint8_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
  *a = low;
  *b = high;
}

/* Nineteen exchanges that leave the median in the middle.
 * Source: A. W. Paeth, Median finding on a 3x3 grid, Graphics Gems (1990), in J. L. Smith's order. */
static uint8_t median_of_nine(uint8_t s[9]) {
  static const uint8_t PAIRS[19][2] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2},
                                       {4, 5}, {7, 8}, {0, 3}, {5, 8}, {4, 7}, {3, 6}, {1, 4},
                                       {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};
  for (int i = 0; i < 19; i++) order_pair(&s[PAIRS[i][0]], &s[PAIRS[i][1]]);
  return s[4];
}

static uint8_t median_area(const WmCompactHeightfield *compact, const uint8_t *area, uint32_t span) {
  const uint8_t own = area[span];
  uint8_t samples[9];
  memset(samples, own, sizeof samples);
  bool uniform = true;
  for (size_t d = 0; d < 4; d++) {
    const uint32_t side = compact->span_neighbour[4 * (size_t)span + d];
    if (side == WM_NO_SPAN) continue;
    if (area[side] != WM_AREA_NULL) samples[2 * d] = area[side];
    const uint32_t corner = compact->span_neighbour[4 * (size_t)side + ((d + 1) & 3)];
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
