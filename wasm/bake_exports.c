/* Exports of the bake: a handle that owns copies of the input, and the baker.
 *
 * Order of calls: bake_create; bake_set for each field; the input, which js/geometry.js writes where
 * bake_input says; bake_start, once; then bake_begin_tile and bake_step as in bake/bake.h, bake_stages in
 * between to look at the arrays; bake_destroy. */
#include <stdlib.h>
#include <string.h>

#include "bake/bake.h"
#include "session.h"

typedef struct Bake {
  Session *session;
  WmConfig config;
  WmBakeInput input; /* its arrays, and the vertices and indices in them, are blocks of the context */
  WmBaker *baker;
} Bake;

/* ---- Life ---------------------------------------------------------------------------------------------- */

EXPORT(bake_create) Bake *export_bake_create(Session *session) {
  Bake *bake = wm_block_allocate(session->context, sizeof *bake);
  if (!bake) return NULL;
  memset(bake, 0, sizeof *bake);
  bake->session = session;
  bake->config = wm_config_default();
  return bake;
}

EXPORT(bake_destroy) void export_bake_destroy(Bake *bake) {
  WmContext *context = bake->session->context;
  const WmBakeInput *input = &bake->input;
  wm_baker_destroy(bake->baker);
  for (size_t i = 0; i < input->solid_count; i++) {
    wm_block_free(context, (void *)input->solids[i].vertices);
    wm_block_free(context, (void *)input->solids[i].indices);
  }
  for (size_t i = 0; i < input->volume_count; i++) {
    wm_block_free(context, (void *)input->volumes[i].vertices);
  }
  wm_block_free(context, (void *)input->triangles.positions);
  wm_block_free(context, (void *)input->triangles.indices);
  wm_block_free(context, (void *)input->triangles.areas);
  wm_block_free(context, (void *)input->solids);
  wm_block_free(context, (void *)input->volumes);
  wm_block_free(context, (void *)input->connections);
  wm_block_free(context, (void *)input->area_flags);
  wm_block_free(context, bake);
}

/* ---- Input --------------------------------------------------------------------------------------------- */

_Static_assert(offsetof(WmBakeInput, triangles.areas) == 4 * 5 && offsetof(WmBakeInput, solids) == 4 * 6 &&
                   offsetof(WmBakeInput, connection_count) == 4 * 11 && sizeof(WmBakeInput) == 4 * 13,
               "js/geometry.js knows the layout");
_Static_assert(offsetof(WmSolid, start) == 8 && offsetof(WmSolid, vertices) == 4 * 18 &&
                   sizeof(WmSolid) == 4 * 22,
               "js/geometry.js knows the layout");
_Static_assert(offsetof(WmAreaVolume, minimum) == 8 && offsetof(WmAreaVolume, vertices) == 4 * 17 &&
                   sizeof(WmAreaVolume) == 4 * 19,
               "js/geometry.js knows the layout");
_Static_assert(offsetof(WmOffMeshConnection, flags) == 4 * 7 &&
                   offsetof(WmOffMeshConnection, area) == 4 * 7 + 2 && sizeof(WmOffMeshConnection) == 4 * 9,
               "js/geometry.js knows the layout");

/* Where the input is to be written. */
EXPORT(bake_input) WmBakeInput *export_bake_input(Bake *bake) { return &bake->input; }

/* ---- Configuration ------------------------------------------------------------------------------------- */

/* Field `index` of WM_CONFIG_FIELDS. */
EXPORT(bake_get) double export_bake_get(const Bake *bake, uint32_t index) {
  return wm_config_get(&bake->config, &WM_CONFIG_FIELDS[index]);
}

EXPORT(bake_set) WmStatus export_bake_set(Bake *bake, uint32_t index, double value) {
  const WmConfigField *field = &WM_CONFIG_FIELDS[index];
  if (field->kind == WM_FIELD_INTEGER) {
    int32_t integer;
    const WmStatus status =
        session_read_integer(bake->session, WM_ERROR_CONFIGURATION, field->name, value, &integer);
    if (status) return status;
  }
  wm_config_set(&bake->config, field, value);
  return WM_OK;
}

/* Parameters: minimum[3], maximum[3]. */
EXPORT(bake_set_bounds) void export_bake_set_bounds(Bake *bake) {
  bake->config.has_bounds = true;
  session_read_floats(bake->session, 0, 3, bake->config.bounds_min);
  session_read_floats(bake->session, 3, 3, bake->config.bounds_max);
}

/* ---- Running ------------------------------------------------------------------------------------------- */

EXPORT(bake_start) WmStatus export_bake_start(Bake *bake) {
  return wm_baker_create(bake->session->context, &bake->config, &bake->input, &bake->baker);
}

/* Returns the address of the WmVoxelConfig: 32-bit numbers, as js/bake.js names them. Results: bounds
 * minimum[3], maximum[3]; warnings. */
EXPORT(bake_voxels) const WmVoxelConfig *export_bake_voxels(Bake *bake) {
  float bounds[6];
  wm_baker_bounds(bake->baker, bounds, bounds + 3);
  for (int i = 0; i < 6; i++) bake->session->results[i] = bounds[i];
  bake->session->results[6] = wm_baker_warnings(bake->baker);
  return wm_baker_voxels(bake->baker);
}

EXPORT(bake_begin_tile) WmStatus export_bake_begin_tile(Bake *bake, int x, int z, int keep_stages) {
  return wm_baker_begin_tile(bake->baker, x, z, keep_stages != 0);
}

/* The number of the stage the next step runs; as many as there are stages when the tile is finished. */
EXPORT(bake_next_stage) int export_bake_next_stage(Bake *bake) {
  return (int)wm_baker_next_stage(bake->baker);
}

EXPORT(bake_step) WmStatus export_bake_step(Bake *bake) { return wm_baker_step(bake->baker); }

/* ---- Results ------------------------------------------------------------------------------------------- */

#define WORD(member) (offsetof(WmBakeStages, member) / sizeof(uint32_t))

_Static_assert(WORD(heightfield.span_count) == 11 && WORD(heightfield.span_area) == 15 &&
                   WORD(compact.span_count) == 30 && WORD(compact.span_neighbour) == 35 &&
                   WORD(distance.max_distance) == 41 && WORD(regions.region_count) == 45 &&
                   WORD(contours.contour_count) == 59 && WORD(contours.raw_vertices) == 65 &&
                   WORD(polygon_mesh.vertex_count) == 80 && WORD(polygon_mesh.polygon_area) == 85 &&
                   WORD(detail_mesh.submesh_count) == 87 && WORD(detail_mesh.triangles) == 92 &&
                   WORD(tile.byte_count) == 95,
               "js/stage-memory.js knows the layout");

/* What stands now: the address of the WmBakeStages. Result: the address of the triangles' areas. Both are
 * valid until the next step. */
EXPORT(bake_stages) const WmBakeStages *export_bake_stages(Bake *bake) {
  bake->session->results[0] = (double)(uintptr_t)wm_baker_triangle_areas(bake->baker);
  return wm_baker_stages(bake->baker);
}

/* Hands the finished tile over. Results: address (memory_free it), bytes; 0, 0 where it has no polygons. */
EXPORT(bake_take_tile) void export_bake_take_tile(Bake *bake) {
  WmTileData tile = wm_baker_take_tile(bake->baker);
  if (!tile.byte_count) wm_tile_data_free(bake->session->context, &tile);
  session_return_bytes(bake->session, tile.bytes, tile.byte_count);
}
