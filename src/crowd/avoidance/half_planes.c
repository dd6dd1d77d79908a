/* See half_planes.h. Half-planes are added one after the other: if the best velocity until now is outside the
 * next one, the new best one lies on its edge. */
#include "crowd/avoidance/half_planes.h"

#include "base/vector.h"

/* The distance of a velocity from a half-plane; below 0 inside. */
WM_INLINE float violation(const WmHalfPlane *line, const float velocity[2]) {
  const float from[2] = {line->point[0] - velocity[0], line->point[1] - velocity[1]};
  return wm_cross(line->direction, from);
}

/* Finds the best point on the edge of line `at` that the lines before it and the disc of speeds allow.
 * `along`: the farthest one along `wanted` instead of the nearest one. Returns false if there is none. */
static bool solve_on_line(const WmHalfPlane *lines, uint32_t at, float speed, const float wanted[2],
                          bool along, float result[2]) {
  const WmHalfPlane *line = &lines[at];
  const float middle = wm_dot(line->point, line->direction);
  const float squared = middle * middle + speed * speed - wm_dot(line->point, line->point);
  if (squared < 0) return false;
  const float half = sqrtf(squared);
  float low = -middle - half, high = -middle + half;
  for (uint32_t i = 0; i < at; i++) {
    const float from[2] = {line->point[0] - lines[i].point[0], line->point[1] - lines[i].point[1]};
    const float across = wm_cross(line->direction, lines[i].direction);
    const float beside = wm_cross(lines[i].direction, from);
    if (fabsf(across) <= WM_CROWD_PARALLEL) {
      if (beside < 0) return false;
      continue;
    }
    const float t = beside / across;
    if (across >= 0) {
      high = t < high ? t : high;
    } else {
      low = t > low ? t : low;
    }
    if (low > high) return false;
  }
  float t;
  if (along) {
    t = wm_dot(wanted, line->direction) > 0 ? high : low;
  } else {
    const float to[2] = {wanted[0] - line->point[0], wanted[1] - line->point[1]};
    t = wm_dot(line->direction, to);
    t = t < low ? low : t > high ? high : t;
  }
  result[0] = line->point[0] + t * line->direction[0];
  result[1] = line->point[1] + t * line->direction[1];
  return true;
}

/* Adds the lines one after the other. Returns their number; or the index of the line that leaves nothing, and
 * the result without it. */
static uint32_t solve(const WmHalfPlane *lines, uint32_t count, float speed, const float wanted[2],
                      bool along, float result[2]) {
  if (along) {
    result[0] = wanted[0] * speed;
    result[1] = wanted[1] * speed;
  } else {
    const float squared = wm_dot(wanted, wanted);
    const float scale = squared > speed * speed ? speed / sqrtf(squared) : 1;
    result[0] = wanted[0] * scale;
    result[1] = wanted[1] * scale;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!(violation(&lines[i], result) > 0)) continue;
    const float before[2] = {result[0], result[1]};
    if (solve_on_line(lines, i, speed, wanted, along, result)) continue;
    result[0] = before[0];
    result[1] = before[1];
    return i;
  }
  return count;
}

uint32_t wm_half_planes_solve(const WmHalfPlanes *set, const float preferred[2], float result[2]) {
  return solve(set->planes, set->count, set->speed, preferred, false, result);
}

/* From line `first` on, not all can be satisfied: minimizes the largest violation; walls stay satisfied. */
void wm_half_planes_solve_least(const WmHalfPlanes *set, uint32_t first, float result[2]) {
  float worst = 0;
  for (uint32_t i = first; i < set->count; i++) {
    if (!(violation(&set->planes[i], result) > worst)) continue;
    /* If the worst line is i, each other one must be violated less: the bisectors of both. */
    WmHalfPlane lines[WM_HALF_PLANE_LIMIT];
    uint32_t count = set->wall_count;
    memcpy(lines, set->planes, count * sizeof *lines);
    const WmHalfPlane *own = &set->planes[i];
    for (uint32_t j = set->wall_count; j < i; j++) {
      const WmHalfPlane *other = &set->planes[j];
      /* Both are violated equally where wm_cross(apart, v) = offset. `point` is the point of that line nearest
       * to velocity 0: the crossing of nearly parallel lines lies so far away that its square, compared with
       * that of the speed, would leave nothing of either. */
      const float apart[2] = {own->direction[0] - other->direction[0],
                              own->direction[1] - other->direction[1]};
      const float squared = wm_dot(apart, apart);
      if (squared <= WM_CROWD_PARALLEL * WM_CROWD_PARALLEL) continue;
      const float offset = wm_cross(own->direction, own->point) - wm_cross(other->direction, other->point);
      const float length = sqrtf(squared);
      WmHalfPlane line;
      line.direction[0] = -apart[0] / length;
      line.direction[1] = -apart[1] / length;
      line.point[0] = line.direction[1] * (offset / length);
      line.point[1] = -line.direction[0] * (offset / length);
      lines[count++] = line;
    }
    const float away[2] = {-own->direction[1], own->direction[0]};
    const float before[2] = {result[0], result[1]};
    if (solve(lines, count, set->speed, away, true, result) < count) {
      /* Only through rounding: the former result is nearly as good. */
      result[0] = before[0];
      result[1] = before[1];
    }
    worst = violation(own, result);
  }
}
