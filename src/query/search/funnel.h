/* The funnel: the shortest line through any sequence of portals. straighten.h pulls the string through a
 * corridor of polygons with it. */
#ifndef WALKMESH_QUERY_FUNNEL_H
#define WALKMESH_QUERY_FUNNEL_H

#include <string.h>

#include "base/inline.h"
#include "base/vector.h"

/* From the apex, the last corner, two sides lead to the ends of portals between which all lines must pass. A
 * portal end inside the funnel moves its side there. A portal end beyond the other side makes that side's
 * point the next corner: it becomes the apex, and portals are passed again from the one behind it.
 *
 *        narrowed: both sides move             turned: the left side is the next corner
 *
 *           o left                                o left end of the portal
 *          /  o left end of the portal            o right end of the portal
 *         /   |                                  o left
 *    apex o   |                                 /
 *         \   |                           apex o
 *          \  o right end                      \
 *           o right                             o right
 *
 * Usual order: wm_funnel_begin; wm_funnel_pass for portals 0, 1, 2, ... and for the end, a portal of no
 * width; where it returns false, funnel->apex is a corner, and the next portal is funnel->apex.portal + 1.
 * With finite numbers each corner lies behind the one before; with others, callers count corners.
 *
 * Sources: M. Mononen, "Simple Stupid Funnel Algorithm", 2010; D. T. Lee, F. P. Preparata, "Euclidean
 * shortest paths in the presence of rectilinear barriers", 1984. */

enum { WM_FUNNEL_RIGHT, WM_FUNNEL_LEFT };

/* A point, and the number of the portal that it is an end of. */
typedef struct WmFunnelPoint {
  float point[3];
  size_t portal;
} WmFunnelPoint;

typedef struct WmFunnel {
  WmFunnelPoint apex, sides[2];
  float same_squared; /* a side whose squared distance from the apex is less isn't a corner */
} WmFunnel;

/* Puts the apex and both sides on a point: the next portal moves both sides. */
WM_INLINE void wm_funnel_restart(WmFunnel *funnel, WmFunnelPoint apex) {
  funnel->apex = funnel->sides[WM_FUNNEL_RIGHT] = funnel->sides[WM_FUNNEL_LEFT] = apex;
}

/* Starts at a point in front of portal 0. */
WM_INLINE void wm_funnel_begin(WmFunnel *funnel, const float start[3], float same_squared) {
  wm_funnel_restart(funnel, (WmFunnelPoint){{start[0], start[1], start[2]}, 0});
  funnel->same_squared = same_squared;
}

/* Moves the side `s` to the end of a portal where that lies inside. Returns false where the other side is a
 * corner. */
WM_INLINE bool wm_funnel_move_side(WmFunnel *funnel, int s, const float end[3], size_t portal) {
  const float sign = s == WM_FUNNEL_LEFT ? -1.0f : 1.0f, *apex = funnel->apex.point;
  WmFunnelPoint *side = &funnel->sides[s];
  if (!(sign * wm_find_turn(apex, side->point, end) <= 0.0f)) return true; /* outside: nothing narrows */
  if (!(wm_squared_distance(apex, side->point) < funnel->same_squared) &&
      !(sign * wm_find_turn(apex, funnel->sides[1 - s].point, end) > 0.0f)) {
    return false;
  }
  memcpy(side->point, end, sizeof side->point);
  side->portal = portal;
  return true;
}

/* Narrows the funnel by a portal.
 * in         left, right: its ends as seen from the apex
 * returns    true: narrowed; false: funnel->apex is a new corner, an end of portal funnel->apex.portal */
WM_INLINE bool wm_funnel_pass(WmFunnel *funnel, const float left[3], const float right[3], size_t portal) {
  int corner = WM_FUNNEL_LEFT;
  if (wm_funnel_move_side(funnel, WM_FUNNEL_RIGHT, right, portal)) {
    if (wm_funnel_move_side(funnel, WM_FUNNEL_LEFT, left, portal)) return true;
    corner = WM_FUNNEL_RIGHT;
  }
  wm_funnel_restart(funnel, funnel->sides[corner]);
  return false;
}

#endif
