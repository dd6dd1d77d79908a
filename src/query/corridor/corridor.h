/* The corridor that an agent of the caller owns while it walks: its polygons from its position to its target,
 * repaired as either moves, so that new searches are rare.
 *
 * Usual order: wm_corridor_create; wm_corridor_reset; find a corridor by a search and wm_corridor_set it;
 * each step: wm_corridor_find_corners, steer to the first, wm_corridor_move; from time to time the two
 * optimisations; wm_corridor_is_valid when the mesh changes. The capacity grows: no move is ever cut.
 *
 * The position is always on the surface of the first polygon, the target on that of the last.
 *
 * Every function may return what all queries do (query.h), and WM_ERROR_STATE if the corridor is empty; it
 * has then changed nothing. Functions that look along the surface overwrite the last result of the query.
 *
 * Source: M. Mononen, Detour (2009-). Ours differ where noted: heights follow the surface, connections at the
 * end of a corridor can be entered, the visibility ray isn't stretched, shortcuts are never longer. */
#ifndef WALKMESH_QUERY_CORRIDOR_H
#define WALKMESH_QUERY_CORRIDOR_H

#include "base/public.h"
#include "query/search/straighten.h"

WM_PUBLIC_BEGIN

typedef struct WmPathCorridor WmPathCorridor;

/* in         query: must outlive the corridor; several corridors may share it
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *corridor is NULL on failure */
WmStatus wm_corridor_create(WmContext *context, WmQuery *query, WmPathCorridor **corridor);
void wm_corridor_destroy(WmPathCorridor *corridor);

/* Resets the corridor to one polygon: position and target become the point of its surface nearest to
 * `position`.
 * in         polygon 0: the corridor is empty */
WmStatus wm_corridor_reset(WmPathCorridor *corridor, WmRef polygon, const float position[3]);

/* Replaces the polygons by those of a search, which starts in the first polygon of this corridor.
 * in         target: moved to the nearest point of the last polygon; polygons [polygon_count >= 1]: copied */
WmStatus wm_corridor_set(WmPathCorridor *corridor, const float target[3], const WmRef *polygons,
                         size_t polygon_count);

/* The contents of a corridor; arrays are valid until the next call that changes it. */
typedef struct WmCorridorState {
  float position[3], target[3];
  size_t polygon_count;
  const WmRef *polygons;
} WmCorridorState;
void wm_corridor_state(const WmPathCorridor *corridor, WmCorridorState *state);

/* The next corners of the path to the target: without those within 0.01 of the position, up to the first
 * entry of an off-mesh connection.
 * in         max_corners >= 1
 * out        path: points, flags, polygons of the corners only, none on arrival; `length` from the position
 *            through them; `cut`: there are more, not counting those behind a connection
 * cost       O(polygons of the corridor) */
WmStatus wm_corridor_find_corners(WmPathCorridor *corridor, size_t max_corners, WmPath *path);

/* Cuts a corner: if the straight line to `next` is free, up to `range`, the corridor follows it, unless the
 * path to the target then costs more.
 * in         range >= 0
 * out        *changed (may be NULL)
 * cost       O(polygons of the ray), and O(polygons of the corridor) if the ray is free */
WmStatus wm_corridor_optimize_visibility(WmPathCorridor *corridor, const float next[3], float range,
                                         const WmFilter *filter, bool *changed);

/* Looks for a cheaper corridor with a short search, and uses it if its string costs less.
 * in         budget: polygons to expand (32)
 * out        *changed (may be NULL) */
WmStatus wm_corridor_optimize_topology(WmPathCorridor *corridor, size_t budget, const WmFilter *filter,
                                       bool *changed);

/* Moves over an off-mesh connection or segment link of the corridor, the latter at the position across it that is nearest to
 * the agent: drops it and all polygons before it. If it is the last
 * polygon (a path that doesn't arrive may end on one), the corridor becomes the polygon where the connection
 * ends, and the target is there.
 * out        start, end [3] of the connection in the direction of travel; *moved false: it isn't in the
 *            corridor, or its end is tied to no polygon; then nothing has changed, and start and end are 0 */
WmStatus wm_corridor_move_over_connection(WmPathCorridor *corridor, WmRef connection, float start[3],
                                          float end[3], bool *moved);

/* Moves the position, or the target, along the surface towards a point, and repairs the corridor. A position
 * that ends on the edge of one of its polygons stays within the corridor (Detour's may leave it there).
 * returns    as all; WM_ERROR_STALE_REFERENCE also if the polygon of the position (or target) was removed:
 *            see wm_corridor_fix_start, wm_corridor_trim */
WmStatus wm_corridor_move(WmPathCorridor *corridor, const float position[3], const WmFilter *filter);
WmStatus wm_corridor_move_target(WmPathCorridor *corridor, const float position[3], const WmFilter *filter);

/* Puts the start on another polygon; the end stays. The corridor isn't valid until a new one is set:
 * reference 0 follows the first polygon. */
WmStatus wm_corridor_fix_start(WmPathCorridor *corridor, WmRef polygon, const float position[3]);

/* Drops everything behind the longest valid part at the start; the target moves to the nearest point of the
 * last polygon. If nothing is valid, resets the corridor to the given polygon and position.
 * in         polygon, position: used only if nothing is valid; polygon 0: the corridor is then empty */
WmStatus wm_corridor_trim(WmPathCorridor *corridor, WmRef polygon, const float position[3],
                          const WmFilter *filter);

/* True if the first `look_ahead` polygons (0: all) exist, pass the filter, and each is linked to the next. An
 * empty corridor is valid. */
bool wm_corridor_is_valid(const WmPathCorridor *corridor, size_t look_ahead, const WmFilter *filter);

WM_PUBLIC_END

#endif
