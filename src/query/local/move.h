/* Short moves along the surface that slide along walls. */
#ifndef WALKMESH_QUERY_MOVE_H
#define WALKMESH_QUERY_MOVE_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

typedef struct WmMove {
  WmRef polygon; /* the polygon of `point` */
  float point[3];
  size_t polygon_count;
  const WmRef *polygons; /* visited, from the start to `polygon`: to repair a corridor with */
} WmMove;

/* Moves along the surface towards `to`, sliding along walls: to the point nearest to `to` that can be reached
 * without leaving a circle around `from` and `to`. Meant for short moves. Where an edge on a tile's side is
 * open in part, the rest of it is a wall (Detour takes it for open in all its length). Off-mesh connections
 * are not entered; a move that starts on one stays on it.
 * in         on_surface: y of the result is the height of the surface; otherwise, as Detour's, that of `to`
 *            if it is reached, and that of the edge if a wall stops the move
 * cost       O(polygons in the circle) */
WmStatus wm_query_move_along_surface(WmQuery *query, WmRef start, const float from[3], const float to[3],
                                     const WmFilter *filter, bool on_surface, WmMove *move);

WM_PUBLIC_END

#endif
