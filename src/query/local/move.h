/* Short moves along the surface that slide along walls. */
#ifndef WALKMESH_QUERY_MOVE_H
#define WALKMESH_QUERY_MOVE_H

#include "query/query.h"

typedef struct WmMove {
  WmRef polygon; /* where it ends */
  float point[3];
  size_t polygon_count;
  const WmRef *polygons; /* visited, from the start to the last: to mend a corridor with */
} WmMove;

/* Moves along the surface as far towards `to` as walls let it, sliding along them: the nearest place to `to`
 * that can be reached without leaving a circle around the way. Meant for short moves. Where an edge on a
 * tile's side is open in part, the rest of it is a wall (Detour takes it for open in all its length).
 * Off-mesh connections are not entered; from one, it moves along that only.
 * in         on_surface: y of the result is the height of the surface; otherwise, as Detour's, that of `to`
 *            where it is reached, and that of the edge where a wall stops it
 * cost       O(polygons near the way) */
WmStatus wm_query_move_along_surface(WmQuery *query, WmRef start, const float from[3], const float to[3],
                                     const WmFilter *filter, bool on_surface, WmMove *move);

#endif
