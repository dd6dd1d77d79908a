/* The radii of discs: the wanted distance, or half the way to the walls on the other side of the string. And where start
 * and end leave walls that are nearer. */
#include "query/room/room_internal.h"

/* Discs on both sides of a narrow place touch except for this fraction, so that the line between them is certain. */
#define NOT_TOUCHING 0.98
/* A start that has to leave the walls over more than this fraction of the string stays where it is. */
#define LEAVING_SHARE 0.3
/* Halvings that find the middle of a narrow place; times that a start moves away from its nearest wall. */
enum { HALVINGS = 8, MOVES = 3 };
/* More legs before and behind a leg don't count. */
enum { LEGS = 6 };
/* More than computing a distance rounds by, as a fraction of it. */
#define ROUNDING 1e-6

/* ---- Radii -------------------------------------------------------------------------------------------- */

/* The squared distance to the wall between a sample and the next, as far as it is on a side; INFINITY: it isn't.
 * in         is_here, is_next: sample and next are on that side */
static double find_distance(const WmRoomSample *all, uint32_t i, bool is_here, bool is_next,
                            const double point[2], double nearest[2]) {
  const WmRoomSample *next = all[i].continues ? all + i + 1 : all + i;
  if (!is_here && !(is_next && all[i].is_elsewhere)) return INFINITY;
  const double *a = all[i].point;
  return wm_room_distance_to(point, a, is_next || next->is_elsewhere ? next->point : a, nearest);
}

/* find_distance for samples that may be hidden: only for those nearer than `most` is it worth finding out. */
static double find_seen_distance(const WmRoom *room, uint32_t i, int side, double most, const double point[2],
                                 double nearest[2]) {
  const WmRoomSample *all = wm_room_samples(room);
  const uint32_t next = all[i].continues ? i + 1 : i;
  const bool is_here = all[i].side == side, is_next = all[next].side == side;
  const double found = find_distance(all, i, is_here, is_next, point, nearest);
  /* A part of the wall is no nearer than the whole of it, but for rounding. */
  if (!(found * (1 - ROUNDING) < most)) return INFINITY;
  const bool sees_here = is_here && wm_room_side(room, i), sees_next = is_next && wm_room_side(room, next);
  if (sees_here == is_here && sees_next == is_next) return found;
  return find_distance(all, i, sees_here, sees_next, point, nearest);
}

static bool is_blocked(const WmRoom *room, uint32_t leg, const double from[2], const double to[2]) {
  const WmRoomSample *all = wm_room_samples(room);
  const double gap[2] = {(to[0] - from[0]) * 0.02, (to[1] - from[1]) * 0.02};
  const double a[2] = {from[0] + gap[0], from[1] + gap[1]}, b[2] = {to[0] - gap[0], to[1] - gap[1]};
  for (uint32_t i = all[leg].first; i + 1 < all[leg + 1].first; i++) {
    if (all[i].continues && wm_room_crosses(a, b, all[i].point, all[i + 1].point)) return true;
  }
  return false;
}

/* Lowers the squared distance of a sample, at most twice the wanted one, to the nearest wall on its other side, among those of a
 * leg. */
static void look_across(const WmRoom *room, const WmRoomSample *sample, uint32_t leg, double *squared) {
  const WmRoomSample *all = wm_room_samples(room);
  const bool is_own = leg == sample->leg && sample >= all + room->walls;
  const double farthest = is_own ? 9 * room->distance * room->distance : INFINITY;
  const WmRoomLeg frame = wm_room_leg(room, leg);
  double place[2];
  wm_room_place(&frame, sample->point, place);
  const double reach = (1 + ROUNDING) * 2 * room->distance, low = place[0] - reach, high = place[0] + reach;
  const uint32_t end = all[leg + 1].first;
  for (uint32_t i = all[leg].first; i < end; i++) {
    const double from = all[i].along, to = all[i].continues ? all[i + 1].along : from;
    if ((from < low && to < low) || (from > high && to > high)) continue;
    const double aside = from - sample->along;
    if (aside * aside > farthest) continue;
    double nearest[2] = {0, 0};
    const double found = find_seen_distance(room, i, -sample->side, *squared, sample->point, nearest);
    if (!(found < *squared)) continue;
    if (!is_own && (is_blocked(room, leg, sample->point, nearest) ||
                    is_blocked(room, sample->leg < room->legs ? sample->leg : leg, sample->point, nearest))) {
      continue;
    }
    *squared = found;
  }
}

/* Lowers a radius so that the disc doesn't contain a point that the line must pass. */
static double keep_off(const WmRoomSample *sample, const WmRoomSample *point, double radius) {
  const double off[2] = {point->point[0] - sample->point[0], point->point[1] - sample->point[1]};
  const double most = 0.999 * sqrt(wm_room_dot(off, off));
  return radius < most ? radius : most;
}

/* Lowers a radius so that the distance grows as slowly from the start as wanted. */
static double grow(const WmRoom *room, const WmRoomSample *sample, double radius) {
  const double *start = wm_room_samples(room)[0].point;
  const double off[2] = {start[0] - sample->point[0], start[1] - sample->point[1]};
  const double most =
      room->start_room + (double)room->task->growth * (sqrt(wm_room_dot(off, off)) - room->start_room);
  return radius < most ? radius : most;
}

/* keep_off for the points of the string near a sample that the line passes. */
static double keep_off_points(const WmRoom *room, const WmRoomSample *sample, double radius) {
  const WmRoomSample *all = wm_room_samples(room);
  const uint32_t first = sample->leg > 0 ? sample->leg - 1 : 0;
  for (uint32_t k = first; k <= sample->leg + 2 && k <= room->legs; k++) {
    const bool is_end = k == 0 || k == room->legs;
    const bool is_plain =
        all[k].is_passed || (k < room->legs && all[k].is_plain) || (k > 0 && all[k - 1].is_plain);
    const WmRoomSample *point = all + k;
    if (is_end && !is_plain && room->leaves[k > 0]) point = all + room->legs + 1 + (k > 0);
    if (is_end || is_plain) radius = keep_off(sample, point, radius);
    if (k == 0 && room->task->growth > 0) radius = grow(room, sample, radius);
  }
  return radius;
}

/* The legs whose walls can be on the other side of a sample: its own, and those before and behind within reach. */
static void find_legs(const WmRoom *room, uint32_t own, uint32_t *first, uint32_t *last) {
  const double reach = 2 * room->distance;
  *first = own > 0 ? own - 1 : 0;
  *last = own + 1 < room->legs ? own + 1 : room->legs - 1;
  double length = wm_room_leg(room, *first).length;
  for (int i = 0; i<LEGS && * first> 0 && length < reach; i++) length += wm_room_leg(room, --*first).length;
  length = own < room->legs ? wm_room_leg(room, own).length : 0;
  for (int i = 0; i < LEGS && *last + 1 < room->legs && length < reach; i++) {
    length += wm_room_leg(room, (*last)++).length;
  }
}

double wm_room_radius(WmRoom *room, uint32_t number) {
  WmRoomSample *sample = wm_room_samples(room) + number;
  if (sample->radius >= 0) return sample->radius;
  double squared = 4 * room->distance * room->distance;
  uint32_t first, last;
  find_legs(room, sample->leg, &first, &last);
  for (uint32_t leg = first; leg <= last; leg++) look_across(room, sample, leg, &squared);
  const double half = sqrt(squared) / 2;
  const double widest = half < room->distance ? half * NOT_TOUCHING : room->distance;
  sample->radius = keep_off_points(room, sample, widest) * (double)sample->scale;
  return sample->radius;
}

/* ---- Start and end ------------------------------------------------------------------------------------ */

/* The distance from a point to the walls of a leg, at most the wanted one.
 * out        nearest [2] */
static double find_room(const WmRoom *room, uint32_t leg, const double point[2], double nearest[2]) {
  const WmRoomSample *all = wm_room_samples(room);
  double squared = room->distance * room->distance;
  for (uint32_t i = all[leg].first; i + 1 < all[leg + 1].first; i++) {
    if (!all[i].continues) continue;
    double on[2];
    const double found = wm_room_distance_to(point, all[i].point, all[i + 1].point, on);
    if (!(found < squared)) continue;
    squared = found;
    nearest[0] = on[0];
    nearest[1] = on[1];
  }
  return sqrt(squared);
}

/* The direction away from the nearest wall of a leg; from a wall on which the point lies, into its polygon. */
static bool find_direction(const WmRoom *room, uint32_t leg, const double point[2], const double nearest[2],
                           double direction[2]) {
  const WmRoomSample *all = wm_room_samples(room);
  double off[2] = {point[0] - nearest[0], point[1] - nearest[1]};
  if (wm_room_dot(off, off) < 1e-8) {
    for (uint32_t i = all[leg].first; i + 1 < all[leg + 1].first; i++) {
      if (!all[i].continues) continue;
      if (wm_room_distance_to(point, all[i].point, all[i + 1].point, NULL) >= 1e-8) continue;
      off[0] = all[i + 1].point[1] - all[i].point[1];
      off[1] = all[i].point[0] - all[i + 1].point[0];
      break;
    }
  }
  const double length = sqrt(wm_room_dot(off, off));
  if (!(length > 0)) return false;
  direction[0] = off[0] / length;
  direction[1] = off[1] / length;
  return true;
}

/* Moves a point away from the nearest wall, as far as that is the nearest one, and not farther than wanted. Returns
 * false if it stays. */
static bool move_away(const WmRoom *room, uint32_t leg, double point[2]) {
  double nearest[2] = {point[0], point[1]}, direction[2], other[2];
  const double before = find_room(room, leg, point, nearest);
  if (!(before < NOT_TOUCHING * room->distance)) return false;
  if (!find_direction(room, leg, point, nearest, direction)) return false;
  double low = 0, high = room->distance - before;
  for (int i = 0; i < HALVINGS; i++) {
    const double step = i == 0 ? high : (low + high) / 2;
    const double to[2] = {point[0] + direction[0] * step, point[1] + direction[1] * step};
    if (find_room(room, leg, to, other) >= (before + step) * NOT_TOUCHING) {
      low = step;
    } else {
      high = step;
    }
  }
  point[0] += direction[0] * low;
  point[1] += direction[1] * low;
  return low > 0;
}

/* The way from an end to the first point of the string that is this far from it, or to the last one.
 * returns    its length */
static double find_way(const WmRoom *room, bool is_end, double least, double way[2]) {
  const WmRoomSample *all = wm_room_samples(room), *from = all + (is_end ? room->legs : 0);
  double length = 0;
  for (uint32_t k = 1; k <= room->legs && !(length >= least); k++) {
    const WmRoomSample *to = all + (is_end ? room->legs - k : k);
    for (int i = 0; i < 2; i++) way[i] = to->point[i] - from->point[i];
    length = sqrt(wm_room_dot(way, way));
  }
  return length;
}

/* Moves the point where an end leaves the walls to where the string goes on: forward by as much as it has moved, or around the end. It
 * keeps its room there.
 * in         from, off: the end, and from there to the point */
static void go_forward(const WmRoom *room, uint32_t leg, bool is_end, const double from[2],
                       const double off[2], double point[2]) {
  /* Shares of the way off the walls, and of the way forward. */
  static const double TURNS[][2] = {{1, 1},         {0.383, 0.924}, {0.556, 0.831},
                                    {0.707, 0.707}, {0.831, 0.556}, {0.924, 0.383}};
  const double squared = wm_room_dot(off, off), moved = sqrt(squared);
  double way[2] = {0, 0}, nearest[2];
  const double far = find_way(room, is_end, moved, way);
  const double back = fmin(wm_room_dot(way, off), 0) / squared;
  for (int i = 0; i < 2; i++) way[i] -= off[i] * back;
  const double length = sqrt(wm_room_dot(way, way)), scale = fmin(moved, far / 3) / length;
  if (!(length > 0)) return;
  const double wanted = 0.95 * find_room(room, leg, point, nearest);
  for (size_t i = 0; i < sizeof TURNS / sizeof *TURNS; i++) {
    const double to[2] = {from[0] + off[0] * TURNS[i][0] + way[0] * scale * TURNS[i][1],
                          from[1] + off[1] * TURNS[i][0] + way[1] * scale * TURNS[i][1]};
    if (!(find_room(room, leg, to, nearest) >= wanted)) continue;
    memcpy(point, to, sizeof to);
    return;
  }
}

/* Finds where one end leaves the walls. */
static void leave(WmRoom *room, bool is_end, double length) {
  WmRoomSample *all = wm_room_samples(room), *sample = all + room->legs + 1 + is_end;
  const uint32_t leg = is_end ? room->legs - 1 : 0;
  const double *from = all[is_end ? room->legs : 0].point;
  double point[2] = {from[0], from[1]};
  room->leaves[is_end] = false;
  for (int i = 0; i < MOVES && move_away(room, leg, point); i++) continue;
  const double off[2] = {point[0] - from[0], point[1] - from[1]}, moved = sqrt(wm_room_dot(off, off));
  if (!(moved > 0.02 * room->distance) || moved > LEAVING_SHARE * length) return;
  const WmRoomLeg frame = wm_room_leg(room, leg);
  go_forward(room, leg, is_end, from, off, point);
  memcpy(sample->point, point, sizeof point);
  double place[2];
  wm_room_place(&frame, sample->point, place);
  const double share = frame.length > 0 ? place[0] / frame.length : 0;
  sample->key = leg + 0.1 + 0.8 * (share < 0 ? 0 : share > 1 ? 1 : share);
  sample->leg = leg;
  room->leaves[is_end] = true;
}

void wm_room_measure_start(WmRoom *room) {
  double nearest[2];
  room->start_room = find_room(room, 0, wm_room_samples(room)[0].point, nearest);
}

void wm_room_leave_walls(WmRoom *room) {
  double length = 0;
  for (uint32_t leg = 0; leg < room->legs; leg++) length += wm_room_leg(room, leg).length;
  leave(room, false, length);
  leave(room, true, length);
  const WmRoomSample *both = wm_room_samples(room) + room->legs + 1;
  if (room->leaves[0] && room->leaves[1] && both[0].key >= both[1].key)
    room->leaves[0] = room->leaves[1] = false;
}
