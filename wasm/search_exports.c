/* Exports of sliced searches. As query_exports.c; corridors are valid until the search's next call. */
#include "query/search/path.h"
#include "session.h"

/* Answer: the handle. */
EXPORT(search_create) WmStatus export_search_create(Mesh *mesh) {
  return wm_search_create(mesh->session->context, mesh->mesh, ANSWER(WmSearch *, mesh->session));
}

EXPORT(search_destroy) void export_search_destroy(WmSearch *search) { wm_search_destroy(search); }

/* Inputs: start[3], end[3], WmSearchOptions. */
EXPORT(search_begin)
WmStatus export_search_begin(Session *session, WmSearch *search, double start, double end) {
  return wm_search_begin(search, (WmRef)start, session->inputs, (WmRef)end, session->inputs + 3,
                         INPUT(WmSearchOptions, session, 6));
}

/* Answer: whether it is done, number of expanded polygons. */
EXPORT(search_advance) WmStatus export_search_advance(Session *session, WmSearch *search, size_t budget) {
  bool done = false;
  const WmStatus status = wm_search_advance(search, budget, &done, ANSWER(size_t, session) + 1);
  session->answer[0] = done;
  return status;
}

/* Answer: a WmCorridor. */
EXPORT(search_finish) WmStatus export_search_finish(Session *session, WmSearch *search) {
  return wm_search_finish(search, ANSWER(WmCorridor, session));
}

EXPORT(search_finish_along)
WmStatus export_search_finish_along(Session *session, WmSearch *search, const WmRef *corridor,
                                    size_t polygon_count) {
  return wm_search_finish_along(search, corridor, polygon_count, ANSWER(WmCorridor, session));
}
