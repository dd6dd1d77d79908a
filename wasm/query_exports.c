/* Exports of further queries of points and paths. As path_exports.c. */
#include "query/search/path.h"
#include "session.h"

/* ---- Points -------------------------------------------------------------------------------------------- */

/* Inputs: point[3]. Answer: a WmNearest. */
EXPORT(query_closest_point) WmStatus export_query_closest_point(Mesh *mesh, double polygon) {
  Session *session = mesh->session;
  return wm_query_closest_point(mesh->query, (WmRef)polygon, session->inputs, ANSWER(WmNearest, session));
}

/* Inputs: point[3]. Answer: a WmNearest. */
EXPORT(query_closest_boundary_point)
WmStatus export_query_closest_boundary_point(Mesh *mesh, double polygon) {
  Session *session = mesh->session;
  return wm_query_closest_boundary_point(mesh->query, (WmRef)polygon, session->inputs,
                                         ANSWER(WmNearest, session));
}

/* Inputs: point[3]. Answer: the height, whether the point has one. */
EXPORT(query_height) WmStatus export_query_height(Mesh *mesh, double polygon) {
  Session *session = mesh->session;
  bool found;
  const WmStatus status =
      wm_query_height(mesh->query, (WmRef)polygon, session->inputs, ANSWER(float, session), &found);
  session->answer[1] = found;
  return status;
}

/* ---- Corridors and paths ------------------------------------------------------------------------------- */

/* Inputs: start[3], end[3], WmSearchOptions. Answer: a WmCorridor. */
EXPORT(query_find_corridor)
WmStatus export_query_find_corridor(Mesh *mesh, double start, double end) {
  Session *session = mesh->session;
  return wm_query_find_corridor(mesh->query, (WmRef)start, session->inputs, (WmRef)end, session->inputs + 3,
                                INPUT(WmSearchOptions, session, 6), ANSWER(WmCorridor, session));
}

/* Inputs: start[3], end[3]. Answer: a WmPath. */
EXPORT(query_straighten)
WmStatus export_query_straighten(Mesh *mesh, const WmRef *corridor, size_t polygon_count, int crossings,
                                 size_t max_points) {
  Session *session = mesh->session;
  return wm_query_straighten(mesh->query, session->inputs, session->inputs + 3, corridor, polygon_count,
                             (WmCrossings)crossings, max_points, ANSWER(WmPath, session));
}

/* Inputs: start[3], end[3], WmPathOptions. Answer: a WmPath. */
EXPORT(query_straighten_wide)
WmStatus export_query_straighten_wide(Mesh *mesh, const WmRef *corridor, size_t polygon_count) {
  Session *session = mesh->session;
  return wm_query_straighten_wide(mesh->query, session->inputs, session->inputs + 3, corridor, polygon_count,
                                  INPUT(WmPathOptions, session, 6), ANSWER(WmPath, session));
}

/* Inputs: start[3], end[3], WmPathOptions. Answer: a WmPath. */
EXPORT(query_find_smooth_path) WmStatus export_query_find_smooth_path(Mesh *mesh, float step) {
  Session *session = mesh->session;
  return wm_query_find_smooth_path(mesh->query, session->inputs, session->inputs + 3, step,
                                   INPUT(WmPathOptions, session, 6), ANSWER(WmPath, session));
}
