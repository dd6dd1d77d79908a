/* The part of the input that one tile needs: its grid, and the triangles, solids, volumes and connections
 * that may touch it, from the bins (input/tile_bins.h). A single-tile bake has no bins: its tile needs all of
 * them. See baker_internal.h. */
#include "bake/baker_internal.h"

#include <string.h>

#include "bake/tile/tile_hash.h"

static WmStatus check_axis(WmContext *context, const char *axis, int32_t tile, int32_t count) {
  if ((uint32_t)tile < (uint32_t)count) return WM_OK;
  return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, axis, tile, 0, count - 1, "no such tile");
}

WmStatus wm_baker_check_tile(const WmBaker *baker, int32_t x, int32_t z) {
  const WmStatus status = check_axis(baker->context, "x", x, baker->voxels.tile_count_x);
  return status ? status : check_axis(baker->context, "z", z, baker->voxels.tile_count_z);
}

/* In a tiled bake the size follows from the tile size, not from the bounds, so that rounding can't make
 * neighbouring tiles differ. */
void wm_baker_tile_grid(const WmBaker *baker, int32_t x, int32_t z, WmGrid *grid) {
  const WmConfig *config = &baker->config;
  const WmVoxelConfig *voxels = &baker->voxels;
  wm_baker_bounds(baker, grid->bounds_min, grid->bounds_max);
  grid->bounds_max[1] = wm_config_top(config, grid->bounds_min, grid->bounds_max);
  grid->cell_size = config->cell_size;
  grid->cell_height = config->cell_height;
  grid->width = voxels->width;
  grid->depth = voxels->depth;
  grid->border_size = voxels->border_size;
  if (!config->tile_size) return;
  const int32_t tile[3] = {x, 0, z};
  const float size = voxels->tile_world_size;
  const float pad = (float)voxels->border_size * config->cell_size;
  for (int axis = 0; axis < 3; axis += 2) {
    grid->bounds_min[axis] = (baker->bounds_min[axis] + (float)tile[axis] * size) - pad;
    grid->bounds_max[axis] = (baker->bounds_min[axis] + (float)(tile[axis] + 1) * size) + pad;
  }
  grid->width = grid->depth = config->tile_size + 2 * voxels->border_size;
}

WmStatus wm_baker_collect_triangles(const WmBaker *baker, int32_t x, int32_t z, const uint32_t **subset,
                                    size_t *subset_count) {
  const WmTileBins *bins = &baker->bins[WM_BIN_TRIANGLES];
  *subset = NULL;
  *subset_count = 0;
  return bins->items ? wm_tile_bins_collect(baker->context, bins, x, z, subset, subset_count) : WM_OK;
}

/* Copies the solids, volumes or connections that a tile needs into scratch memory, unless it needs all.
 * in/out     *list, *count: all of the input; on return those of the tile */
static WmStatus collect_list(const WmBaker *baker, WmBinKind kind, int32_t x, int32_t z, size_t item_bytes,
                             const void **list, size_t *count) {
  WmContext *context = baker->context;
  const uint32_t *numbers;
  if (!baker->bins[kind].items) return WM_OK;
  const WmStatus status = wm_tile_bins_collect(context, &baker->bins[kind], x, z, &numbers, count);
  if (status) return status;
  uint8_t *items = wm_scratch_array(context, *count, item_bytes);
  if (!items) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < *count; i++) {
    memcpy(items + i * item_bytes, (const uint8_t *)*list + numbers[i] * item_bytes, item_bytes);
  }
  *list = items;
  return WM_OK;
}

WmStatus wm_baker_collect_solids(const WmBaker *baker, int32_t x, int32_t z, const WmSolid **solids,
                                 size_t *count) {
  const void *list = baker->input.solids;
  *count = baker->input.solid_count;
  const WmStatus status = collect_list(baker, WM_BIN_SOLIDS, x, z, sizeof **solids, &list, count);
  *solids = list;
  return status;
}

WmStatus wm_baker_collect_volumes(const WmBaker *baker, int32_t x, int32_t z, const WmAreaVolume **volumes,
                                  size_t *count) {
  const void *list = baker->input.volumes;
  *count = baker->input.volume_count;
  const WmStatus status = collect_list(baker, WM_BIN_VOLUMES, x, z, sizeof **volumes, &list, count);
  *volumes = list;
  return status;
}

WmStatus wm_baker_collect_connections(const WmBaker *baker, int32_t x, int32_t z,
                                      const WmOffMeshConnection **connections, size_t *count) {
  const void *list = baker->input.connections;
  *count = baker->input.connection_count;
  const WmStatus status = collect_list(baker, WM_BIN_CONNECTIONS, x, z, sizeof **connections, &list, count);
  *connections = list;
  return status;
}

WmStatus wm_baker_hash_tile(WmBaker *baker, int32_t x, int32_t z, WmContentHash *hash) {
  WmStatus status = wm_baker_check_tile(baker, x, z);
  if (status) return status;
  WmTileContent content = {.config = &baker->config,
                           .voxels = &baker->voxels,
                           .input = &baker->input,
                           .triangle_areas = baker->triangle_areas,
                           .top = baker->bounds_max[1],
                           .x = x,
                           .z = z};
  wm_baker_tile_grid(baker, x, z, &content.grid);
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  status = wm_baker_collect_triangles(baker, x, z, &content.subset, &content.subset_count);
  if (!status) status = wm_baker_collect_solids(baker, x, z, &content.solids, &content.solid_count);
  if (!status) status = wm_baker_collect_volumes(baker, x, z, &content.volumes, &content.volume_count);
  if (!status) {
    status = wm_baker_collect_connections(baker, x, z, &content.connections, &content.connection_count);
  }
  if (!status) status = wm_hash_tile(baker->context, &content, hash);
  wm_scratch_rewind(baker->context, mark);
  return status;
}
