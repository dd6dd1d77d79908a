/* Exports of path corridors, which agents follow. As query_exports.c; points are inputs from word 0 on,
 * unless a comment says otherwise. */
#include "query/corridor/corridor.h"

#include "session.h"

/* Answer: the handle. */
EXPORT(corridor_create) WmStatus export_corridor_create(Mesh *mesh) {
  return wm_corridor_create(mesh->session->context, mesh->query, ANSWER(WmPathCorridor *, mesh->session));
}

EXPORT(corridor_destroy) void export_corridor_destroy(WmPathCorridor *corridor) {
  wm_corridor_destroy(corridor);
}

EXPORT(corridor_reset)
WmStatus export_corridor_reset(Session *session, WmPathCorridor *corridor, double polygon) {
  return wm_corridor_reset(corridor, (WmRef)polygon, session->inputs);
}

EXPORT(corridor_set)
WmStatus export_corridor_set(Session *session, WmPathCorridor *corridor, const WmRef *polygons,
                             size_t polygon_count) {
  return wm_corridor_set(corridor, session->inputs, polygons, polygon_count);
}

/* Answer: a WmCorridorState. */
EXPORT(corridor_state) void export_corridor_state(Session *session, const WmPathCorridor *corridor) {
  wm_corridor_state(corridor, ANSWER(WmCorridorState, session));
}

/* Answer: a WmPath. */
EXPORT(corridor_find_corners)
WmStatus export_corridor_find_corners(Session *session, WmPathCorridor *corridor, size_t max_corners) {
  return wm_corridor_find_corners(corridor, max_corners, ANSWER(WmPath, session));
}

/* Answer: whether it has changed. */
EXPORT(corridor_optimize_visibility)
WmStatus export_corridor_optimize_visibility(Session *session, WmPathCorridor *corridor, float range,
                                             const WmFilter *filter) {
  session->answer[0] = 0;
  return wm_corridor_optimize_visibility(corridor, session->inputs, range, filter, ANSWER(bool, session));
}

/* Answer: whether it has changed. */
EXPORT(corridor_optimize_topology)
WmStatus export_corridor_optimize_topology(Session *session, WmPathCorridor *corridor, size_t budget,
                                           const WmFilter *filter) {
  session->answer[0] = 0;
  return wm_corridor_optimize_topology(corridor, budget, filter, ANSWER(bool, session));
}

/* Answer: whether it has moved, start[3], end[3]. */
EXPORT(corridor_move_over_connection)
WmStatus export_corridor_move_over_connection(Session *session, WmPathCorridor *corridor, double connection) {
  session->answer[0] = 0;
  float *ends = ANSWER(float, session) + 1;
  return wm_corridor_move_over_connection(corridor, (WmRef)connection, ends, ends + 3, ANSWER(bool, session));
}

EXPORT(corridor_move)
WmStatus export_corridor_move(Session *session, WmPathCorridor *corridor, const WmFilter *filter) {
  return wm_corridor_move(corridor, session->inputs, filter);
}

EXPORT(corridor_move_target)
WmStatus export_corridor_move_target(Session *session, WmPathCorridor *corridor, const WmFilter *filter) {
  return wm_corridor_move_target(corridor, session->inputs, filter);
}

EXPORT(corridor_fix_start)
WmStatus export_corridor_fix_start(Session *session, WmPathCorridor *corridor, double polygon) {
  return wm_corridor_fix_start(corridor, (WmRef)polygon, session->inputs);
}

EXPORT(corridor_trim)
WmStatus export_corridor_trim(Session *session, WmPathCorridor *corridor, double polygon,
                              const WmFilter *filter) {
  return wm_corridor_trim(corridor, (WmRef)polygon, session->inputs, filter);
}

EXPORT(corridor_is_valid)
int export_corridor_is_valid(const WmPathCorridor *corridor, size_t look_ahead, const WmFilter *filter) {
  return wm_corridor_is_valid(corridor, look_ahead, filter);
}
