/* Exports of tile graphs. As query_exports.c. */
#include "query/tile_graph/tile_graph.h"

#include "session.h"

/* Inputs: WmTileGraphOptions. Answer: the handle. */
EXPORT(tile_graph_create) WmStatus export_tile_graph_create(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_tile_graph_create(session->context, mesh->mesh, INPUT(WmTileGraphOptions, session, 0),
                              ANSWER(WmTileGraph *, session));
}

/* mesh may be NULL. Answer: the handle. */
EXPORT(tile_graph_read)
WmStatus export_tile_graph_read(Session *session, const Mesh *mesh, const uint8_t *bytes, size_t byte_count) {
  return wm_tile_graph_read(session->context, mesh ? mesh->mesh : NULL, bytes, byte_count,
                            ANSWER(WmTileGraph *, session));
}

EXPORT(tile_graph_destroy) void export_tile_graph_destroy(WmTileGraph *graph) {
  wm_tile_graph_destroy(graph);
}

EXPORT(tile_graph_update) WmStatus export_tile_graph_update(WmTileGraph *graph) {
  return wm_tile_graph_update(graph);
}

EXPORT(tile_graph_forget)
WmStatus export_tile_graph_forget(WmTileGraph *graph, int32_t x, int32_t z, int32_t layer) {
  return wm_tile_graph_forget(graph, x, z, layer);
}

/* Answer: whether the graph has the tile, and it isn't loaded. */
EXPORT(tile_graph_assume_open)
WmStatus export_tile_graph_assume_open(Session *session, WmTileGraph *graph, int32_t x, int32_t z,
                                       int32_t layer) {
  bool found;
  const WmStatus status = wm_tile_graph_assume_open(graph, x, z, layer, &found);
  session->answer[0] = found;
  return status;
}

/* Inputs: start[3], end[3], WmLongPathOptions. Answer: a WmLongPath. */
EXPORT(tile_graph_find_path) WmStatus export_tile_graph_find_path(Session *session, WmTileGraph *graph) {
  _Static_assert(sizeof(WmLongPath) <= sizeof session->answer, "the answer has room");
  return wm_tile_graph_find_path(graph, session->inputs, session->inputs + 3,
                                 INPUT(WmLongPathOptions, session, 6), ANSWER(WmLongPath, session));
}

/* Answer: a WmTileGraphTotals. */
EXPORT(tile_graph_totals) void export_tile_graph_totals(Session *session, const WmTileGraph *graph) {
  wm_tile_graph_totals(graph, ANSWER(WmTileGraphTotals, session));
}

/* Answer: a WmTileGraphSteps. */
EXPORT(tile_graph_steps)
WmStatus export_tile_graph_steps(Session *session, WmTileGraph *graph, uint32_t level) {
  return wm_tile_graph_steps(graph, level, ANSWER(WmTileGraphSteps, session));
}

/* Answer: address and size of a block. */
EXPORT(tile_graph_write) WmStatus export_tile_graph_write(Session *session, WmTileGraph *graph) {
  uint8_t *bytes;
  size_t byte_count;
  const WmStatus status = wm_tile_graph_write(graph, &bytes, &byte_count);
  session_return_bytes(session, bytes, byte_count);
  return status;
}
