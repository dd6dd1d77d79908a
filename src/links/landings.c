/* Landings: the ground along the line straight away from a position of a border. See links_internal.h.
 *
 * The line is sampled every half cell. What can be reached of each column is an interval of heights: the gaps that overlap the
 * interval of the column before. Where none does, a wall ends the line: most borders of a level face a wall, and cost little. So do
 * those above a void: past the first landings, the line ends where no ground lies beyond. */
#include <math.h>

#include "links/links_internal.h"

/* Cell heights by which ground may rise or fall between samples, besides the climb. */
#define FLOOR_SLACK 1.0f

/* Half cells beyond the nearest landing at which the line ends if no ground lies beyond. */
enum { DECISION_STEPS = 4 };

WmStatus wm_walk_start(WmContext *context, const WmLinkLimits *limits, WmWalk *walk) {
  const size_t steps = (size_t)(2 * limits->farthest) + 1;
  *walk =
      (WmWalk){.samples = wm_scratch_array(context, (steps + 1) * WM_LANDING_LIMIT, sizeof *walk->samples)};
  return walk->samples ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* Appends ground to the landing that it continues, or starts a landing. */
static void append_sample(const WmLinkLimits *limits, WmWalk *walk, int32_t step, uint32_t view,
                          uint32_t ground, float floor) {
  const float slack = limits->climb + FLOOR_SLACK;
  int32_t at = 0;
  for (; at < walk->landing_count; at++) {
    const WmLandingSample *last = &walk->samples[walk->landings[at].last];
    if (last->step < step - 2 || last->step == step) continue;
    if (floor <= last->floor + slack && floor >= last->floor - slack) break;
  }
  if (at == WM_LANDING_LIMIT) return;
  const int32_t index = walk->sample_count++;
  WmLandingSample *sample = &walk->samples[index];
  sample->step = step;
  sample->next = -1;
  sample->view = view;
  sample->ground = ground;
  sample->floor = floor;
  sample->state = WM_SAMPLE_NEW;
  WmLanding *landing = &walk->landings[at];
  if (at == walk->landing_count) {
    walk->landing_count++;
    *landing = (WmLanding){.first = index, .last = index, .floors = {floor, floor}};
    return;
  }
  walk->samples[landing->last].next = index;
  landing->last = index;
  if (floor < landing->floors[0]) landing->floors[0] = floor;
  if (floor > landing->floors[1]) landing->floors[1] = floor;
}

/* Appends the ground of a column that can be reached. */
static void append_ground(const WmLinkLimits *limits, const WmColumn *column, int32_t step,
                          const float heights[2], WmWalk *walk) {
  for (uint32_t k = 0; k < column->count; k++) {
    const uint32_t ground = column->ground[k];
    if (!ground) continue;
    const float floor = column->gaps[k].floor, ceiling = column->gaps[k].ceiling;
    if (ceiling <= heights[0] || floor >= heights[1]) continue;
    if (floor < walk->ground[0] || floor > walk->ground[1]) continue;
    append_sample(limits, walk, step, column->view, ground, floor);
  }
}

/* Heights that no line leaves. */
typedef struct Reach {
  float low, high;
} Reach;

/* Narrows an interval of heights to what of it continues in the next column.
 * returns    false if nothing does */
WM_INLINE bool enter_column(const Reach *reach, const WmColumn *column, float heights[2]) {
  if (column->count == 0) {
    heights[0] = reach->low;
    heights[1] = reach->high;
    return true;
  }
  float low = reach->high, high = reach->low;
  for (uint32_t k = 0; k < column->count; k++) {
    const float floor = column->gaps[k].floor, ceiling = column->gaps[k].ceiling;
    if (ceiling <= heights[0] || floor >= heights[1]) continue;
    if (floor < low) low = floor;
    if (ceiling > high) high = ceiling;
  }
  heights[0] = low > reach->low ? low : reach->low;
  heights[1] = high < reach->high ? high : reach->high;
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

/* Where a line ends if no flight could land beyond, half cells. */
static int32_t find_last(WmAirWindow *window, bool wants_refused, const WmWalk *walk, int32_t last) {
  const WmLinkLimits *limits = &window->generator->limits;
  WmGroundRange ranges[2] = {{limits->farthest, walk->ground[0], walk->ground[1]}};
  if (!wants_refused && limits->has_jumps) {
    /* Beyond the reach of the other kinds, only jumps land. */
    const float slack = limits->climb + 2 + FLOOR_SLACK;
    const float near = limits->has_ledges ? limits->ledge_distance : 0;
    ranges[0].distance = limits->has_vaults && limits->vault_distance > near ? limits->vault_distance : near;
    ranges[1] = (WmGroundRange){limits->jump_distance, walk->floor - limits->jump_down - slack,
                                walk->floor + limits->jump_up + slack};
  }
  const float ground = wm_find_farthest_ground(window, walk->start, walk->outward, limits->nearest, ranges);
  return 2 * ground < (float)last ? (int32_t)(2 * ground) : last;
}

/* True if a column is a wall as high as any flight. */
static bool is_wall(WmAirWindow *window, const WmWalk *walk, const Reach *reach, float along) {
  const float x = walk->start[0] + along * walk->outward[0], z = walk->start[1] + along * walk->outward[1];
  if (!(x >= 0 && z >= 0)) return false;
  const WmColumn column = wm_air_column(window, (int32_t)x, (int32_t)z);
  for (uint32_t k = 0; k < column.count; k++) {
    if ((float)column.gaps[k].ceiling > reach->low && (float)column.gaps[k].floor < reach->high) return false;
  }
  return column.count > 0;
}

/* True if a wall stands where most walls do: the radius and a cell or two beyond the border, nearer than any landing. */
static bool faces_wall(WmAirWindow *window, const Reach *reach, WmWalk *walk) {
  const WmLinkLimits *limits = &window->generator->limits;
  for (float along = floorf(limits->radius) + 1; along < limits->nearest; along++) {
    if (along > limits->radius + 2) break;
    if (!is_wall(window, walk, reach, along)) continue;
    walk->farthest = along + 0.5f;
    return true;
  }
  return false;
}

void wm_walk_follow(WmAirWindow *window, const WmBorder *border, const float point[3], bool wants_refused,
                    WmWalk *walk) {
  const WmLinkLimits *limits = &window->generator->limits;
  start_walk(window, border, point, walk);
  const Reach reach = {walk->floor - limits->lowest, walk->floor + limits->top + limits->height};
  const int32_t nearest = (int32_t)(2 * limits->nearest);
  int32_t last = (int32_t)(2 * limits->farthest);
  if (!wants_refused) {
    if (faces_wall(window, &reach, walk)) return;
    last = find_last(window, false, walk, last);
    if (last < nearest) return;
  }
  const float start_x = walk->start[0], start_z = walk->start[1];
  const float outward_x = walk->outward[0], outward_z = walk->outward[1];
  const float level_low = walk->floor + limits->climb, level_high = walk->floor + limits->height - 1;
  float heights[2] = {level_low, level_low + 1};
  bool is_level = true;
  /* Before the first landing, every other sample is enough. */
  for (int32_t step = 0; step <= last; step += step + 2 <= nearest ? 2 : 1) {
    const float along = 0.5f * (float)step;
    if (step == nearest + DECISION_STEPS && wants_refused) {
      last = find_last(window, true, walk, last);
      if (step > last) return;
    }
    const float x = start_x + along * outward_x, z = start_z + along * outward_z;
    /* Never negative inside the window. */
    const WmColumn column = x >= 0 && z >= 0 ? wm_air_column(window, (int32_t)x, (int32_t)z)
                                             : (WmColumn){.state = WM_VIEW_MISSING};
    walk->is_missing = column.state == WM_VIEW_MISSING;
    if (walk->is_missing || !enter_column(&reach, &column, heights)) {
      walk->farthest = along + 0.5f;
      return;
    }
    walk->step_count = step;
    is_level = is_level && wm_column_fits(&column, level_low, level_high);
    if (is_level) walk->level_count = step;
    if (along >= limits->nearest) append_ground(limits, &column, step, heights, walk);
  }
}
