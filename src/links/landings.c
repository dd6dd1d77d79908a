/* Landings: the ground along the line straight away from a position of a border. See links_internal.h.
 *
 * The line is sampled every half cell. What can be reached of each column is an interval of heights: the gaps that overlap the
 * interval of the column before. Where none does, a wall ends the line: most borders of a level face a wall, and cost little. So do
 * those above a void: past the first landings, the line ends where no ground lies beyond. */
#include "links/links_internal.h"

/* Cell heights by which ground may rise or fall between samples, besides the climb. */
#define FLOOR_SLACK 1.0f

/* Half cells beyond the nearest landing at which the line ends if no ground lies beyond: most walls have ended it by then. */
enum { DECISION_STEPS = 4 };

WmStatus wm_walk_start(WmContext *context, const WmLinkLimits *limits, WmWalk *walk) {
  const size_t steps = (size_t)(2 * limits->farthest) + 1;
  *walk =
      (WmWalk){.samples = wm_scratch_array(context, (steps + 1) * WM_LANDING_LIMIT, sizeof *walk->samples)};
  return walk->samples ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* Appends ground to the landing that it continues, or starts a landing. */
static void append_sample(const WmLinkLimits *limits, WmWalk *walk, const WmLandingSample *sample) {
  const float slack = limits->climb + FLOOR_SLACK;
  int32_t at = 0;
  for (; at < walk->landing_count; at++) {
    const WmLandingSample *last = &walk->samples[walk->landings[at].last];
    if (last->step < sample->step - 2 || last->step == sample->step) continue;
    if (sample->floor <= last->floor + slack && sample->floor >= last->floor - slack) break;
  }
  if (at == WM_LANDING_LIMIT) return;
  const int32_t index = walk->sample_count++;
  walk->samples[index] = *sample;
  WmLanding *landing = &walk->landings[at];
  if (at == walk->landing_count) {
    walk->landing_count++;
    landing->first = index;
    landing->floors[0] = landing->floors[1] = sample->floor;
  } else {
    walk->samples[landing->last].next = index;
    if (sample->floor < landing->floors[0]) landing->floors[0] = sample->floor;
    if (sample->floor > landing->floors[1]) landing->floors[1] = sample->floor;
  }
  landing->last = index;
}

/* Appends the ground of a column that can be reached. */
static void append_ground(const WmLinkLimits *limits, const WmColumn *column, int32_t step,
                          const float heights[2], WmWalk *walk) {
  for (uint32_t k = 0; k < column->count; k++) {
    const WmAirGap gap = column->gaps[k];
    if (!column->ground[k] || (float)gap.ceiling <= heights[0] || (float)gap.floor >= heights[1]) continue;
    if ((float)gap.floor < walk->ground[0] || (float)gap.floor > walk->ground[1]) continue;
    const WmLandingSample sample = {.step = step,
                                    .next = -1,
                                    .view = column->view,
                                    .ground = column->ground[k],
                                    .floor = gap.floor};
    append_sample(limits, walk, &sample);
  }
}

/* Narrows an interval of heights to what of it continues in the next column.
 * returns    false if nothing does */
static bool enter_column(const WmLinkLimits *limits, const WmWalk *walk, const WmColumn *column,
                         float heights[2]) {
  const float lowest = walk->floor - limits->lowest, highest = walk->floor + limits->top + limits->height;
  if (column->count == 0) {
    heights[0] = lowest;
    heights[1] = highest;
    return true;
  }
  float low = highest, high = lowest;
  for (uint32_t k = 0; k < column->count; k++) {
    const float floor = column->gaps[k].floor, ceiling = column->gaps[k].ceiling;
    if (ceiling <= heights[0] || floor >= heights[1]) continue;
    if (floor < low) low = floor;
    if (ceiling > high) high = ceiling;
  }
  heights[0] = low > lowest ? low : lowest;
  heights[1] = high < highest ? high : highest;
  return heights[0] < heights[1];
}

static void start_walk(const WmAirWindow *window, const WmBorder *border, const float point[3],
                       WmWalk *walk) {
  const WmLinkLimits *limits = &window->generator->limits;
  for (int axis = 0; axis < 3; axis++) walk->point[axis] = point[axis];
  for (int axis = 0; axis < 2; axis++) {
    walk->start[axis] = (point[2 * axis] - window->origin[axis]) / limits->cell_size;
    walk->outward[axis] = border->outward[axis];
  }
  walk->floor = (point[1] - window->generator->bake.bounds_min[1]) / limits->cell_height;
  walk->ground[0] = walk->floor - limits->lowest - limits->climb - FLOOR_SLACK;
  walk->ground[1] = walk->floor + limits->highest + limits->climb + FLOOR_SLACK;
  walk->step_count = walk->level_count = walk->sample_count = walk->landing_count = 0;
  walk->farthest = limits->farthest;
  walk->is_missing = false;
}

void wm_walk_follow(WmAirWindow *window, const WmBorder *border, const float point[3], WmWalk *walk) {
  const WmLinkLimits *limits = &window->generator->limits;
  start_walk(window, border, point, walk);
  bool is_level = true;
  float heights[2] = {walk->floor + limits->climb, walk->floor + limits->climb + 1};
  const int32_t nearest = (int32_t)(2 * limits->nearest), decision = nearest + DECISION_STEPS;
  int32_t last = (int32_t)(2 * limits->farthest);
  /* Before the first landing, every other sample is enough. */
  for (int32_t step = 0; step <= last; step += step + 2 <= nearest ? 2 : 1) {
    const float along = 0.5f * (float)step;
    if (step == decision) {
      const float ground = wm_find_farthest_ground(window, walk->start, walk->outward, limits->nearest,
                                                   limits->farthest, walk->ground);
      if (2 * ground < (float)last) last = (int32_t)(2 * ground);
      if (step > last) return;
    }
    const float x = walk->start[0] + along * walk->outward[0], z = walk->start[1] + along * walk->outward[1];
    /* Never negative inside the window. */
    const WmColumn column = x >= 0 && z >= 0 ? wm_air_column(window, (int32_t)x, (int32_t)z)
                                             : (WmColumn){.state = WM_VIEW_MISSING};
    walk->is_missing = column.state == WM_VIEW_MISSING;
    if (walk->is_missing || !enter_column(limits, walk, &column, heights)) {
      walk->farthest = along + 0.5f;
      return;
    }
    walk->step_count = step;
    is_level =
        is_level && wm_column_fits(&column, walk->floor + limits->climb, walk->floor + limits->height - 1);
    if (is_level) walk->level_count = step;
    if (along >= limits->nearest) append_ground(limits, &column, step, heights, walk);
  }
}
