/* Exports of the bake: a handle that owns copies of the input, and the baker.
 *
 * Order of calls: bake_create; then JavaScript writes configuration (js/input/config.js) and input
 * (js/input/geometry.js) into the struct; bake_start, until it is done; then bake_begin_tile and bake_step as
 * in bake/bake.h; bake_destroy. js/bake/bake.js and js/bake/stage-memory.js read the results of stages, and
 * take the finished tile, from the baker's memory. */
#include <stdlib.h>
#include <string.h>

#include "bake/compact/links.h"
#include "handles.h"

/* ---- Creation and destruction -------------------------------------------------------------------------- */

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

/* ---- Running ------------------------------------------------------------------------------------------- */

/* Runs a slice of the preparation (wm_baker_prepare). Answer: 0: call it again; when all is done, the address
 * of the WmVoxelConfig, behind which bounds, warnings and the results of stages lie. */
EXPORT(bake_start) WmStatus export_bake_start(Bake *bake, size_t most) {
  Session *session = bake->session;
  bool is_ready = false;
  WmStatus status = WM_OK;
  if (!bake->baker) status = wm_baker_begin(session->context, &bake->config, &bake->input, &bake->baker);
  if (!status) status = wm_baker_prepare(bake->baker, most, &is_ready);
  session->answer[0] = is_ready ? (uint32_t)(uintptr_t)wm_baker_voxels(bake->baker) : 0;
  return status;
}

EXPORT(bake_begin_tile) WmStatus export_bake_begin_tile(Bake *bake, int x, int z, int keep_stages) {
  return wm_baker_begin_tile(bake->baker, x, z, keep_stages != 0);
}

EXPORT(bake_step) WmStatus export_bake_step(Bake *bake) { return wm_baker_step(bake->baker); }
