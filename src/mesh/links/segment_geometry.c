/* Widths, lengths and trajectories of one segment link. See segment_links.h. */
#include <math.h>

#include "base/vector.h"
#include "mesh/links/segment_links.h"
#include "mesh/locate.h"

/* A trajectory at one position of the link: from the height of the start to `top`, level, from there to the height of the
 * end. */
typedef struct Trajectory {
  float start[3], end[3];
  float top;
  float first, level, last; /* lengths of the three parts */
} Trajectory;

static Trajectory find_trajectory(const WmSegmentLink *link, float across) {
  Trajectory line;
  wm_interpolate(link->start[0], link->start[1], across, line.start);
  wm_interpolate(link->end[0], link->end[1], across, line.end);
  switch (link->kind) {
    case WM_SEGMENT_LINK_DROP: line.top = line.start[1]; break;
    case WM_SEGMENT_LINK_CLIMB: line.top = line.end[1]; break;
    default: line.top = fmaxf(line.start[1], line.end[1]) + link->peak; break;
  }
  line.first = fabsf(line.top - line.start[1]);
  line.level = sqrtf(wm_squared_distance_on_plane(line.start, line.end));
  line.last = fabsf(line.top - line.end[1]);
  return line;
}

/* The height of a jump: a parabola over time whose rise and fall last sqrt(first) and sqrt(last), in units of time that
 * cancel out. */
static float find_jump_height(const Trajectory *line, float along) {
  const float rise = sqrtf(line->first), fall = sqrtf(line->last), time = along * (rise + fall) - rise;
  return line->top - time * time;
}

static float clamp(float value, float high) { return value < 0 ? 0 : value < high ? value : high; }

void wm_segment_link_point(const WmSegmentLink *link, float across, float along, float point[3]) {
  const Trajectory line = find_trajectory(link, across);
  if (link->kind == WM_SEGMENT_LINK_JUMP) {
    wm_interpolate(line.start, line.end, along, point);
    point[1] = find_jump_height(&line, along);
    return;
  }
  const float travelled = along * (line.first + line.level + line.last);
  const float first = clamp(travelled, line.first), level = clamp(travelled - line.first, line.level);
  const float last = clamp(travelled - line.first - line.level, line.last);
  wm_interpolate(line.start, line.end, line.level > 0 ? level / line.level : last > 0, point);
  point[1] = line.start[1] + (line.start[1] < line.top ? first : -first);
  if (last > 0) point[1] = line.top + (line.top < line.end[1] ? last : -last);
}

float wm_segment_link_width(const WmSegmentLink *link) {
  return sqrtf(wm_squared_distance_on_plane(link->start[0], link->start[1]));
}

/* The length of an arc is that of chords over equal times: only roots, so that it is the same number everywhere. */
static float measure_length(const WmSegmentLink *link, float across) {
  enum { CHORDS = 32 };
  const Trajectory line = find_trajectory(link, across);
  if (link->kind != WM_SEGMENT_LINK_JUMP) return line.first + line.level + line.last;
  float length = 0, before = line.start[1];
  for (int i = 1; i <= CHORDS; i++) {
    const float height = find_jump_height(&line, (float)i / CHORDS), x = line.level / CHORDS,
                y = height - before;
    length += sqrtf(x * x + y * y);
    before = height;
  }
  return length;
}

float wm_segment_link_length(const WmSegmentLink *link) { return measure_length(link, 0.5f); }

float wm_segment_link_longest(const WmSegmentLink *link) {
  float longest = wm_segment_link_length(link);
  for (int side = 0; side < 2; side++) {
    longest = fmaxf(longest, measure_length(link, (float)side));
    longest = fmaxf(longest, wm_distance(link->start[side], link->end[side])); /* but for rounding */
  }
  return longest;
}
