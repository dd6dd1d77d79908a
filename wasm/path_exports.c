/* Exports of the questions that every module answers: the nearest point, a path. Inputs and answers are the
 * functions' own structs; `filter` is the address of a WmFilter, or NULL. Arrays of an answer are valid until
 * the mesh's next question. */
#include "query/search/path.h"
#include "session.h"

_Static_assert(AT_WORD(WmNearest, point, 2) && AT_WORD(WmNearest, over, 5), "js/runtime/answers.js knows");

_Static_assert(AT_WORD(WmNearestOptions, half_extents, 1) && AT_WORD(WmNearestOptions, radius, 4) &&
                   AT_WORD(WmNearestOptions, preference, 5),
               "js/query/points.js knows");

/* Inputs: WmNearestOptions, then point[3]. Answer: a WmNearest. */
EXPORT(query_nearest_point) WmStatus export_query_nearest_point(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_query_find_nearest_point(mesh->query, session->inputs + 6, INPUT(WmNearestOptions, session, 0),
                                     ANSWER(WmNearest, session));
}

_Static_assert(AT_WORD(WmSearchOptions, max_nodes, 1) && AT_WORD(WmSearchOptions, any_angle, 2) &&
                   AT_WORD(WmSearchOptions, ray_limit, 3) && AT_WORD(WmPathOptions, half_extents, 4) &&
                   AT_WORD(WmPathOptions, crossings, 7) && AT_WORD(WmPathOptions, islands, 9),
               "js/query/paths.js knows");
_Static_assert(AT_WORD(WmPath, remaining, 4) && AT_WORD(WmPath, polygons, 7) &&
                   AT_WORD(WmPath, point_polygons, 11) && AT_WORD(WmPath, start, 12) &&
                   AT_WORD(WmPath, end, 18) && AT_WORD(WmPath, searched, 24),
               "js/runtime/answers.js knows");

/* Inputs: start[3], end[3], WmPathOptions. Answer: a WmPath. */
EXPORT(query_find_path) WmStatus export_query_find_path(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_query_find_path(mesh->query, session->inputs, session->inputs + 3,
                            INPUT(WmPathOptions, session, 6), ANSWER(WmPath, session));
}
