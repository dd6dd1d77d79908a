/* Generates the links of a level natively: tests/js/determinism.test.js compares the hash that it prints with that of
 * WebAssembly.
 *
 *   links_native LEVEL.obj TILE_SIZE      prints: COUNT FNV1A64, of all links in the order of their tiles
 *
 * The agent is that of the default configuration; the limits are those of tests/js/determinism/links-case.js. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "stage_dump.h"
#include "link_limits.h"
#include "scene.h"
#include "walkmesh.h"

/* Bytes of a WmSegmentLink before its padding. */
enum { LINK_BYTES = offsetof(WmSegmentLink, enabled) + 1 };

static WmStatus create_mesh(WmContext *context, const WmBaker *baker, WmMesh **mesh) {
  const WmConfig *config = wm_baker_config(baker);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  float low[3], high[3];
  wm_baker_bounds(baker, low, high);
  const WmMeshParameters parameters = {
      .origin = {low[0], low[1], low[2]},
      .tile_width = config->tile_size ? voxels->tile_world_size : high[0] - low[0],
      .tile_depth = config->tile_size ? voxels->tile_world_size : high[2] - low[2],
      .tile_count_x = voxels->tile_count_x,
      .tile_count_z = voxels->tile_count_z,
      .cell_size = config->cell_size,
      .cell_height = config->cell_height,
      .agent_height = config->agent_height,
      .agent_radius = config->agent_radius,
      .agent_max_climb = config->agent_max_climb,
  };
  return wm_mesh_create(context, &parameters, mesh);
}

/* Bakes a tile, and adds it to the mesh and its air to the generator. */
static WmStatus bake_tile(WmContext *context, WmBaker *baker, WmMesh *mesh, WmLinkGenerator *generator,
                          int32_t x, int32_t z) {
  WmStatus status = wm_baker_begin_tile(baker, x, z, false);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_COMPACT) status = wm_baker_step(baker);
  uint8_t *air = NULL;
  size_t byte_count = 0;
  if (!status) status = wm_baker_keep_air(baker, &air, &byte_count);
  if (!status) status = wm_link_generator_set_air(generator, x, z, air, byte_count, NULL, 0);
  wm_block_free(context, air);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) status = wm_baker_step(baker);
  if (status) return status;
  WmTileData tile = wm_baker_take_tile(baker);
  WmRef ref;
  if (tile.byte_count) status = wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, &ref);
  wm_tile_data_free(context, &tile);
  return status;
}

static WmStatus print_links(WmContext *context, WmBaker *baker) {
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  WmConfig config = *wm_baker_config(baker);
  wm_baker_bounds(baker, config.bounds_min, config.bounds_max);
  config.has_bounds = true;
  const WmLinkConfig links = choose_link_limits(&config);
  WmMesh *mesh = NULL;
  WmLinkGenerator *generator = NULL;
  wm_baker_want_air(baker, true);
  WmStatus status = create_mesh(context, baker, &mesh);
  if (!status) status = wm_link_generator_create(context, &links, &config, &generator);
  const int32_t count = voxels->tile_count_x * voxels->tile_count_z;
  for (int32_t i = 0; !status && i < count; i++) {
    status = bake_tile(context, baker, mesh, generator, i % voxels->tile_count_x, i / voxels->tile_count_x);
  }
  uint64_t hash = WM_HASH_START;
  size_t link_count = 0;
  for (int32_t i = 0; !status && i < count; i++) {
    WmLinkResult result;
    status = wm_link_generator_run(generator, mesh, i % voxels->tile_count_x, i / voxels->tile_count_x, false,
                                   &result);
    for (size_t k = 0; k < result.link_count; k++) hash = wm_hash_bytes(hash, &result.links[k], LINK_BYTES);
    link_count += result.link_count;
    wm_link_result_free(context, &result);
  }
  if (!status) printf("%zu %016llx\n", link_count, (unsigned long long)hash);
  wm_link_generator_destroy(generator);
  wm_mesh_destroy(mesh);
  return status;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: links_native LEVEL.obj TILE_SIZE\n");
    return 2;
  }
  Scene scene = read_obj(arguments[1]);
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  config.tile_size = (int32_t)strtol(arguments[2], NULL, 10);
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  WmStatus status = wm_baker_create(context, &config, &input, &baker);
  if (!status) status = print_links(context, baker);
  if (status) fprintf(stderr, "links_native: %s\n", wm_context_error(context)->message);
  wm_baker_destroy(baker);
  wm_context_destroy(context);
  free_scene(&scene);
  return status ? 1 : 0;
}
