/* Exports of floods, islands and random points. As query_exports.c. */
#include "query/search/flood.h"
#include "query/search/islands.h"
#include "query/local/random.h"

#include "session.h"

/* Inputs: position[3], WmFloodOptions. Answer: a WmFlood. */
EXPORT(query_flood) WmStatus export_query_flood(Mesh *mesh, double polygon) {
  Session *session = mesh->session;
  return wm_query_flood(mesh->query, (WmRef)polygon, session->inputs, INPUT(WmFloodOptions, session, 3),
                        ANSWER(WmFlood, session));
}

/* Answer: the handle. */
EXPORT(islands_create) WmStatus export_islands_create(Mesh *mesh) {
  return wm_islands_create(mesh->session->context, mesh->mesh, ANSWER(WmIslands *, mesh->session));
}

EXPORT(islands_destroy) void export_islands_destroy(WmIslands *islands) { wm_islands_destroy(islands); }

EXPORT(islands_update) WmStatus export_islands_update(WmIslands *islands, const WmFilter *filter) {
  return wm_islands_update(islands, filter);
}

EXPORT(islands_count) size_t export_islands_count(const WmIslands *islands) {
  return wm_islands_count(islands);
}

EXPORT(islands_of) uint32_t export_islands_of(const WmIslands *islands, double polygon) {
  return wm_islands_of(islands, (WmRef)polygon);
}

EXPORT(islands_area) float export_islands_area(const WmIslands *islands, uint32_t island) {
  return wm_islands_area(islands, island);
}

/* Answer: a WmNearest. */
EXPORT(islands_point) void export_islands_point(Mesh *mesh, const WmIslands *islands, uint32_t island) {
  *ANSWER(WmNearest, mesh->session) = wm_islands_point(islands, island);
}

/* ---- Random points ------------------------------------------------------------------------------------ */

/* Inputs: WmRandom, which is advanced; WmRandomOptions. Answer: a WmNearest. */
EXPORT(query_random_point) WmStatus export_query_random_point(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_query_random_point(mesh->query, INPUT(WmRandom, session, 0), INPUT(WmRandomOptions, session, 2),
                               ANSWER(WmNearest, session));
}

/* Inputs: WmRandom, which is advanced; centre[3]. Answer: a WmNearest. */
EXPORT(query_random_point_around)
WmStatus export_query_random_point_around(Mesh *mesh, double polygon, float radius, const WmFilter *filter) {
  Session *session = mesh->session;
  return wm_query_random_point_around(mesh->query, INPUT(WmRandom, session, 0), (WmRef)polygon,
                                      session->inputs + 2, radius, filter, ANSWER(WmNearest, session));
}
