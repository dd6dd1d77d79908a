/* Barriers: columns that no flight leads over. See links_internal.h.
 *
 * A column stops all flights of a shape that lead past it if each of its gaps lies above their feet or below their heads. While the part of
 * a flight over which the body meets the column lies within a radius and a cell of an end, the body may step over it (flight.c), but not
 * higher than the climb. So a wall stops every flight that meets it, and a lower column all but short ones. */
#include <math.h>

#include "links/links_internal.h"

/* Cells and cell heights: more than flights are rounded by. */
#define MARGIN 0.1f

/* How far the feet of a shape's flights may rise above the border: over the highest obstacle of a vault by a cell height. */
static float find_rise(const WmLinkLimits *limits, int shape) {
  return shape == WM_FLIGHT_JUMP    ? limits->jump_peak
         : shape == WM_FLIGHT_VAULT ? limits->vault_height + 1
                                    : 0;
}

/* The lowest height of the head above the border in the middle of a shape's flights. */
static float find_lowest_head(const WmLinkLimits *limits, int shape) {
  return limits->height - (shape == WM_FLIGHT_JUMP ? limits->jump_down : 0);
}

/* The part of a line over which the body meets a barrier. */
typedef struct Meeting {
  float along, half; /* cells: its middle, and how far it extends from there */
} Meeting;

/* The length beyond which all flights along a line meet a barrier where they may not step over it; INFINITY if none does.
 * in         lifted: cells from both ends within which they may */
static float find_limit(Meeting meeting, float lifted) {
  if (!(meeting.along + meeting.half > lifted + MARGIN)) return INFINITY;
  const float begin = meeting.along - meeting.half;
  return (begin > lifted ? begin : lifted) + lifted + MARGIN;
}

float wm_lowest_barrier(const WmLinkLimits *limits, float floor) {
  const float jumps = limits->has_jumps ? find_rise(limits, WM_FLIGHT_JUMP) : INFINITY,
              vaults = limits->has_vaults ? find_rise(limits, WM_FLIGHT_VAULT) : INFINITY;
  return floor + (jumps < vaults ? jumps : vaults) + MARGIN;
}

WmBarrier wm_make_barrier(const WmColumn *column, int32_t x, int32_t z, float low) {
  WmBarrier barrier = {.point = {(float)x + 0.5f, (float)z + 0.5f}};
  for (uint32_t k = 0; k < column->count; k++) {
    const WmAirGap *gap = &column->gaps[k];
    if (gap->ceiling > low)
      return (WmBarrier){{barrier.point[0], barrier.point[1]}, gap->floor, barrier.below};
    barrier.below = gap->ceiling;
  }
  return barrier;
}

bool wm_heed_barrier(const WmLinkLimits *limits, const WmBarrier *barrier, const float start[2],
                     const float outward[2], float floor, float lengths[WM_FLIGHT_SHAPES]) {
  const float x = barrier->point[0] - start[0], z = barrier->point[1] - start[1];
  const float aside = z * outward[0] - x * outward[1], radius = wm_flight_radius(limits) - MARGIN;
  const float squared = radius * radius - aside * aside;
  if (barrier->floor == 0 || !(squared >= 0)) return false;
  if (!((float)barrier->floor > wm_lowest_barrier(limits, floor))) return false;
  const Meeting meeting = {x * outward[0] + z * outward[1], sqrtf(squared)};
  const float of_walls = find_limit(meeting, 0);
  if (of_walls == INFINITY) return false;
  const float lowest = (float)barrier->floor - floor - MARGIN, below = (float)barrier->below - floor + MARGIN;
  bool is_shorter = false;
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
    const float above = lowest - find_rise(limits, shape);
    if (of_walls >= lengths[shape] || !(above > 0) || !(below < find_lowest_head(limits, shape))) continue;
    const float limit = above > limits->climb ? of_walls : find_limit(meeting, limits->radius + 1);
    if (limit >= lengths[shape]) continue;
    lengths[shape] = limit;
    is_shorter = true;
  }
  return is_shorter;
}
