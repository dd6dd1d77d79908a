/* The corridor that an agent keeps while it walks: its polygons from where it is to where it goes, mended as
 * either moves, so that a new search is rarely needed.
 *
 * Usual order: wm_corridor_create; wm_corridor_reset; find a corridor by a search and wm_corridor_set it;
 * each step: wm_corridor_find_corners, steer to the first, wm_corridor_move; now and then the two
 * optimisations; wm_corridor_is_valid where the mesh changes. The capacity grows: no move is ever cut.
 *
 * The position is always on the surface of the first polygon, the target on that of the last.
 *
 * Every function may return what all questions do (query.h), and WM_ERROR_STATE where the corridor is empty;
 * it has then changed nothing. Those that look along the surface overwrite the query's last answer.
 *
 * Source: M. Mononen, Detour (2009-). Ours differ where noted: heights follow the surface, connections at the
 * end of a corridor can be entered, the visibility ray is not stretched, shortcuts are never longer. */
#ifndef WALKMESH_QUERY_CORRIDOR_H
#define WALKMESH_QUERY_CORRIDOR_H

#include "query/search/funnel.h"

typedef struct WmPathCorridor WmPathCorridor;

/* returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *corridor is NULL on failure. The query must outlive it; several
 *            corridors may share a query */
WmStatus wm_corridor_create(WmContext *context, WmQuery *query, WmPathCorridor **corridor);
void wm_corridor_destroy(WmPathCorridor *corridor);

/* To one polygon: position and target are the place of its surface nearest to `position`.
 * in         polygon 0: empty */
WmStatus wm_corridor_reset(WmPathCorridor *corridor, WmRef polygon, const float position[3]);

/* Takes over a corridor that starts in the first polygon of this one.
 * in         target: moved to the nearest place on the last polygon; polygons [polygon_count >= 1] */
WmStatus wm_corridor_set(WmPathCorridor *corridor, const float target[3], const WmRef *polygons,
                         size_t polygon_count);

/* What it holds; arrays stay until the next call that changes it. */
typedef struct WmCorridorState {
  float position[3], target[3];
  size_t polygon_count;
  const WmRef *polygons;
} WmCorridorState;
void wm_corridor_state(const WmPathCorridor *corridor, WmCorridorState *state);

/* The next corners on the way to the target: without those within 0.01 of the position, up to the first entry
 * of an off-mesh connection.
 * in         max_corners >= 1
 * out        path: points, flags, polygons of the corners only, none on arrival; `length` from the position
 *            through them; `cut`: there are more, not counting those behind a connection
 * cost       O(polygons of the corridor) */
WmStatus wm_corridor_find_corners(WmPathCorridor *corridor, size_t max_corners, WmPath *path);

/* Cuts a corner: where the way straight to `next` is free, as far as `range`, it goes along there, if that
 * does not make the way to the target dearer.
 * in         range >= 0
 * out        *changed (may be NULL)
 * cost       O(polygons of the ray), and O(polygons of the corridor) where there is something to gain */
WmStatus wm_corridor_optimize_visibility(WmPathCorridor *corridor, const float next[3], float range,
                                         const WmFilter *filter, bool *changed);

/* Looks for a cheaper way along the corridor with a short search, and takes it if the string through it is
 * cheaper.
 * in         budget: polygons to take up (32) */
WmStatus wm_corridor_optimize_topology(WmPathCorridor *corridor, size_t budget, const WmFilter *filter,
                                       bool *changed);

/* Goes over an off-mesh connection of the corridor: drops all before it and itself. Where it is the last
 * polygon (a path that does not arrive may end on one), the corridor then is the polygon where it ends, and
 * the target is there.
 * out        start, end [3] of the connection in the direction of travel; *moved false: it is not in the
 *            corridor, or leads nowhere as its end is not tied; then nothing has changed, start and
 *            end are 0 */
WmStatus wm_corridor_move_over_connection(WmPathCorridor *corridor, WmRef connection, float start[3],
                                          float end[3], bool *moved);

/* Moves the position, or the target, along the surface towards a point, and mends the corridor. A position
 * that ends on the edge of one of its polygons stays within the corridor (Detour's may leave it there).
 * returns    WM_ERROR_STALE_REFERENCE also where the polygon it is in has gone: see wm_corridor_fix_start,
 *            wm_corridor_trim */
WmStatus wm_corridor_move(WmPathCorridor *corridor, const float position[3], const WmFilter *filter);
WmStatus wm_corridor_move_target(WmPathCorridor *corridor, const float position[3], const WmFilter *filter);

/* Puts it on another polygon, keeping its end: it is not valid until a new corridor is set. Behind the first
 * polygon is a 0. */
WmStatus wm_corridor_fix_start(WmPathCorridor *corridor, WmRef polygon, const float position[3]);

/* Keeps the longest valid part from the start on; where nothing is valid, the polygon given, with the
 * position there. The target moves to the nearest place on the last polygon.
 * in         polygon, position: looked at only where nothing is valid; polygon 0: then it is empty */
WmStatus wm_corridor_trim(WmPathCorridor *corridor, WmRef polygon, const float position[3],
                          const WmFilter *filter);

/* Whether the first `look_ahead` polygons (0: all) are there, pass the filter, and each is linked to the
 * next. An empty one is valid. */
bool wm_corridor_is_valid(const WmPathCorridor *corridor, size_t look_ahead, const WmFilter *filter);

#endif
