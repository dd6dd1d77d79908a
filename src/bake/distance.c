/* The distance field: how far every span is from the border of its area, for the watershed partition.
 *
 * A chamfer distance (2 a step, 3 a diagonal) over links, in two sweeps, from the spans that miss a
 * neighbour or touch another area; then a blur over nine spans. Unwalkable spans count as an area, too.
 * As in erosion (erode.c), spans above 0 have all four links; a span above 2 has no neighbour at 0, so that
 * all eight spans around it exist: the blur needs no test either.
 * Source: G. Borgefors, Distance transformations in digital images (1986), as used by Recast. */
#include "bake/stages.h"

enum { DISTANCE_FAR = 65535 };

static bool is_interior(const WmCompactHeightfield *compact, uint32_t span) {
  const uint8_t area = compact->span_area[span];
  const uint32_t *neighbour = compact->span_neighbour + 4 * (size_t)span;
  for (int d = 0; d < 4; d++) {
    if (neighbour[d] == WM_NO_SPAN || compact->span_area[neighbour[d]] != area) return false;
  }
  return true;
}

/* As in erode.c; a sum past 65535 is no improvement. */
static uint16_t relax(const uint32_t *links, const uint16_t *distance, uint32_t span, int side, int side_turn,
                      int row, int row_turn) {
  const uint32_t a = links[4 * (size_t)span + (size_t)side], b = links[4 * (size_t)span + (size_t)row];
  const int nearest = distance[a] < distance[b] ? distance[a] : distance[b];
  int best = distance[span];
  if (nearest + 2 < best) best = nearest + 2;
  if (nearest == 0 || best <= 3) return (uint16_t)best;
  const int a_corner = distance[links[4 * (size_t)a + (size_t)side_turn]] + 3;
  const int b_corner = distance[links[4 * (size_t)b + (size_t)row_turn]] + 3;
  if (a_corner < best) best = a_corner;
  if (b_corner < best) best = b_corner;
  return (uint16_t)best;
}

static uint16_t blur_span(const uint32_t *links, const uint16_t *distance, uint32_t span) {
  uint32_t sum = distance[span];
  for (size_t d = 0; d < 4; d++) {
    const uint32_t side = links[4 * (size_t)span + d];
    sum += (uint32_t)distance[side] + distance[links[4 * (size_t)side + ((d + 1) & 3)]];
  }
  return (uint16_t)((sum + 5) / 9);
}

static void measure(const WmCompactHeightfield *compact, uint16_t *distance) {
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
}

WmStatus wm_build_distance_field(WmContext *context, const WmCompactHeightfield *compact,
                                 WmDistanceField *distance) {
  *distance = (WmDistanceField){0};
  const WmScratchMark mark = wm_scratch_mark(context);
  uint16_t *sharp = wm_scratch_array(context, compact->span_count, sizeof *sharp);
  if (!sharp) return WM_ERROR_OUT_OF_MEMORY;
  WmLayout layout = {0};
  wm_layout_add(&layout, compact->span_count, sizeof *distance->span_distance);
  distance->block = wm_layout_allocate(context, &layout);
  if (!distance->block) {
    wm_scratch_rewind(context, mark);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  distance->span_count = compact->span_count;
  distance->span_distance = distance->block;
  measure(compact, sharp);
  for (uint32_t span = 0; span < compact->span_count; span++) {
    if (sharp[span] > distance->max_distance) distance->max_distance = sharp[span];
    distance->span_distance[span] =
        sharp[span] <= 2 ? sharp[span] : blur_span(compact->span_neighbour, sharp, span);
  }
  wm_scratch_rewind(context, mark);
  return WM_OK;
}
