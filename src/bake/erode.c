/* Erosion: keeps the agent's centre a radius away from borders.
 *
 * A chamfer distance (2 a step, 3 a diagonal) over links, in two sweeps, from the spans that miss a
 * neighbour or touch an unwalkable one. Spans with a distance below twice the radius become unwalkable.
 * In place on span_area [span_count].
 *
 * A span that misses a link starts at 0, which no sweep can lower. So spans above 0 have all four links,
 * and so do their neighbours above 0: corners are looked up only where they exist, without a test.
 * Source: G. Borgefors, Distance transformations in digital images (1986), as used by Recast. */
#include "bake/stages.h"

enum { RADIUS_LIMIT = 127, DISTANCE_FAR = 255 };

static bool is_interior(const WmCompactHeightfield *compact, uint32_t span) {
  if (compact->span_area[span] == WM_AREA_NULL) return false;
  const uint32_t *neighbour = compact->span_neighbour + 4 * (size_t)span;
  for (int d = 0; d < 4; d++) {
    if (neighbour[d] == WM_NO_SPAN || compact->span_area[neighbour[d]] == WM_AREA_NULL) return false;
  }
  return true;
}

/* The distance of an inner span from the two sides a sweep has finished: each side's span, and the corner
 * beyond it. */
static uint8_t relax(const uint32_t *links, const uint8_t *distance, uint32_t span, int side, int side_turn,
                     int row, int row_turn) {
  const uint32_t a = links[4 * (size_t)span + (size_t)side], b = links[4 * (size_t)span + (size_t)row];
  const int nearest = distance[a] < distance[b] ? distance[a] : distance[b];
  int best = distance[span];
  if (nearest + 2 < best) best = nearest + 2;
  if (nearest == 0 || best <= 3) return (uint8_t)best; /* corners add 3, and may be missing beyond a 0 */
  const int a_corner = distance[links[4 * (size_t)a + (size_t)side_turn]] + 3;
  const int b_corner = distance[links[4 * (size_t)b + (size_t)row_turn]] + 3;
  if (a_corner < best) best = a_corner;
  if (b_corner < best) best = b_corner;
  return (uint8_t)best;
}

WmStatus wm_erode(WmContext *context, WmCompactHeightfield *compact, int32_t radius_cells) {
  if (radius_cells < 0 || radius_cells > RADIUS_LIMIT) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "radius", radius_cells, 0, RADIUS_LIMIT,
                         "the erosion radius is in cells");
  }
  if (radius_cells == 0) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  uint8_t *distance = wm_scratch_array(context, compact->span_count, sizeof *distance);
  if (!distance) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t *links = compact->span_neighbour;
  for (uint32_t span = 0; span < compact->span_count; span++) {
    distance[span] = is_interior(compact, span) ? DISTANCE_FAR : 0;
  }
  for (uint32_t span = 0; span < compact->span_count; span++) {
    if (distance[span]) distance[span] = relax(links, distance, span, 0, 3, 3, 2);
  }
  for (uint32_t span = compact->span_count; span-- > 0;) {
    if (distance[span]) distance[span] = relax(links, distance, span, 2, 1, 1, 0);
  }
  const uint8_t limit = (uint8_t)(2 * radius_cells);
  for (uint32_t span = 0; span < compact->span_count; span++) {
    if (distance[span] < limit) compact->span_area[span] = WM_AREA_NULL;
  }
  wm_scratch_rewind(context, mark);
  return WM_OK;
}
