/* Exports of single functions that no stage calls: which way a level faces, heightfield layers of the current tile, and
 * offset polygons. */
#include <string.h>

#include "bake/input/facing.h"
#include "bake/stages.h"
#include "handles.h"

/* ---- The level ------------------------------------------------------------------------------------------ */

_Static_assert(sizeof(WmFacingSums) <= sizeof((Session){0}.answer), "the sums fit the answer");

/* Sums up every step-th triangle of the input, which may be invalid. Answer: 15 f64, doubled areas and bounds: the sum of
 * the area vectors; the areas that face +x, -x, +y, -y, +z, -z; minimum; maximum. */
EXPORT(bake_sum_facing) void export_bake_sum_facing(Bake *bake, size_t step, double min_cosine) {
  wm_sum_facing(&bake->input.triangles, step, min_cosine, ANSWER(WmFacingSums, bake->session));
}

/* Traces lines through the input, which may be invalid. Answer: 6 f64, fractions along x, y, z: open lines, less turned
 * ones; lines of rooms. */
EXPORT(bake_find_facing_lines) WmStatus export_bake_find_facing_lines(Bake *bake) {
  Session *session = bake->session;
  return wm_find_facing_lines(session->context, &bake->input.triangles, ANSWER(WmFacingLines, session));
}

/* Finds how much of the input, which may be invalid, is turned over. Answer: 1 f64, a fraction of the lines upwards. */
EXPORT(bake_find_turned_ground) WmStatus export_bake_find_turned_ground(Bake *bake) {
  Session *session = bake->session;
  return wm_find_turned_ground(session->context, &bake->input.triangles, ANSWER(double, session));
}

/* Measures gaps on lines upwards through the input, which may be invalid. Answer: 2 f64, lengths of air and solid. */
EXPORT(bake_measure_facing_gaps) WmStatus export_bake_measure_facing_gaps(Bake *bake) {
  Session *session = bake->session;
  return wm_measure_facing_gaps(session->context, &bake->input.triangles, ANSWER(WmFacingGaps, session));
}

/* ---- Heightfield layers -------------------------------------------------------------------------------- */

/* The fields of WmHeightfieldLayer before its arrays: 6 floats, 6 numbers. */
enum { LAYER_HEAD_BYTES = 48, SET_HEAD_BYTES = 12 };

_Static_assert(offsetof(WmHeightfieldLayer, heights) == LAYER_HEAD_BYTES, "packed as stored");

/* Packs layers: their count, width and depth; then for each its bounds and ranges, heights, areas, connections. */
static void pack_layers(const WmHeightfieldLayers *layers, uint8_t *bytes) {
  const size_t cells = (size_t)layers->grid.width * (size_t)layers->grid.depth;
  const uint32_t head[3] = {layers->layer_count, (uint32_t)layers->grid.width, (uint32_t)layers->grid.depth};
  memcpy(bytes, head, SET_HEAD_BYTES);
  bytes += SET_HEAD_BYTES;
  for (uint32_t i = 0; i < layers->layer_count; i++) {
    const WmHeightfieldLayer *layer = &layers->layers[i];
    memcpy(bytes, layer, LAYER_HEAD_BYTES);
    memcpy(bytes + LAYER_HEAD_BYTES, layer->heights, cells);
    memcpy(bytes + LAYER_HEAD_BYTES + cells, layer->areas, cells);
    memcpy(bytes + LAYER_HEAD_BYTES + 2 * cells, layer->connections, cells);
    bytes += LAYER_HEAD_BYTES + 3 * cells;
  }
}

/* Builds the layers of the compact heightfield with its present areas. Answer: address (memory_free it), bytes, in the
 * layout of tests/golden/README.md; 0, 0 without a compact heightfield. */
EXPORT(bake_heightfield_layers) WmStatus export_bake_heightfield_layers(Bake *bake) {
  Session *session = bake->session;
  const WmCompactHeightfield *compact = &wm_baker_stages(bake->baker)->compact;
  WmHeightfieldLayers layers;
  session_return_bytes(session, NULL, 0);
  if (!compact->cell_first) return WM_OK;
  const WmStatus status =
      wm_build_heightfield_layers(session->context, compact, compact->walkable_height, &layers);
  if (status) return status;
  const size_t cells = (size_t)layers.grid.width * (size_t)layers.grid.depth;
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, SET_HEAD_BYTES);
  wm_layout_add(&layout, layers.layer_count, LAYER_HEAD_BYTES + 3 * cells);
  uint8_t *bytes = wm_layout_allocate(session->context, &layout);
  if (bytes) {
    pack_layers(&layers, bytes);
    session_return_bytes(session, bytes,
                         SET_HEAD_BYTES + layers.layer_count * (LAYER_HEAD_BYTES + 3 * cells));
  }
  wm_heightfield_layers_free(session->context, &layers);
  return bytes ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* ---- Polygons ------------------------------------------------------------------------------------------ */

/* Offsets the outline of `vertex_count` vertices at `vertices`, in place: there must be room for twice as many.
 * Answer: the number of vertices. */
EXPORT(offset_polygon)
WmStatus export_offset_polygon(Session *session, float *vertices, size_t vertex_count, float offset) {
  size_t count = 0;
  const WmStatus status =
      wm_offset_polygon(session->context, vertices, vertex_count, offset, vertices, 2 * vertex_count, &count);
  session->answer[0] = (uint32_t)count;
  return status;
}
