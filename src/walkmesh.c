/* The whole bake in one call: a baker's tiles, added to a mesh. */
#include "walkmesh.h"

#include <math.h>

/* The side of a tile on an axis; that of a single tile is the level's, and at least a cell. */
static float find_tile_side(const WmConfig *config, const WmVoxelConfig *voxels, float low, float high) {
  if (config->tile_size) return voxels->tile_world_size;
  return (float)fmax((double)high - (double)low, (double)config->cell_size);
}

static WmMeshParameters find_parameters(const WmBaker *baker) {
  const WmConfig *config = wm_baker_config(baker);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  float low[3], high[3];
  wm_baker_bounds(baker, low, high);
  return (WmMeshParameters){.origin = {low[0], low[1], low[2]},
                            .tile_width = find_tile_side(config, voxels, low[0], high[0]),
                            .tile_depth = find_tile_side(config, voxels, low[2], high[2]),
                            .tile_count_x = voxels->tile_count_x,
                            .tile_count_z = voxels->tile_count_z,
                            .cell_size = config->cell_size,
                            .cell_height = config->cell_height,
                            .agent_height = config->agent_height,
                            .agent_radius = config->agent_radius,
                            .agent_max_climb = config->agent_max_climb};
}

static WmStatus bake_tile(WmContext *context, WmBaker *baker, int32_t x, int32_t z, WmMesh *mesh) {
  WmStatus status = wm_baker_bake_tile(baker, x, z);
  if (status) return status;
  WmTileData tile = wm_baker_take_tile(baker);
  if (tile.byte_count) status = wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL);
  wm_tile_data_free(context, &tile);
  return status;
}

static WmStatus bake_tiles(WmContext *context, WmBaker *baker, WmMesh *mesh) {
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  WmStatus status = WM_OK;
  for (int32_t z = 0; z < voxels->tile_count_z && !status; z++) {
    for (int32_t x = 0; x < voxels->tile_count_x && !status; x++) {
      status = bake_tile(context, baker, x, z, mesh);
    }
  }
  return status;
}

WmStatus wm_bake_mesh(WmContext *context, const WmConfig *config, const WmBakeInput *input, WmMesh **mesh) {
  *mesh = NULL;
  WmBaker *baker;
  WmStatus status = wm_baker_create(context, config, input, &baker);
  if (status) return status;
  const WmMeshParameters parameters = find_parameters(baker);
  status = wm_mesh_create(context, &parameters, mesh);
  if (!status) status = bake_tiles(context, baker, *mesh);
  wm_baker_destroy(baker);
  if (status) {
    wm_mesh_destroy(*mesh);
    *mesh = NULL;
  }
  return status;
}
