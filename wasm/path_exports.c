/* Exports of the queries of every module: the nearest point, a path. Inputs and answers are the functions'
 * own structs; `filter` is the address of a WmFilter, or NULL. Arrays of an answer are valid until the mesh's
 * next query. */
#include "query/search/path.h"
#include "session.h"

/* Inputs: WmNearestOptions, then point[3]. Answer: a WmNearest. */
EXPORT(query_nearest_point) WmStatus export_query_nearest_point(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_query_find_nearest_point(mesh->query, session->inputs + 6, INPUT(WmNearestOptions, session, 0),
                                     ANSWER(WmNearest, session));
}

/* Inputs: start[3], end[3], WmPathOptions. Answer: a WmPath. */
EXPORT(query_find_path) WmStatus export_query_find_path(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_query_find_path(mesh->query, session->inputs, session->inputs + 3,
                            INPUT(WmPathOptions, session, 6), ANSWER(WmPath, session));
}
