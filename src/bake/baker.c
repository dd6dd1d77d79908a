/* The whole bake: what a baker holds, and the stages in their order. See bake.h. */
#include "bake/bake.h"

#include <string.h>

#include "bake/input_check.h"
#include "bake/tile_bins.h"

struct WmBaker {
  WmContext *context;
  WmConfig config;
  WmVoxelConfig voxels;
  WmBakeInput input;
  float bounds_min[3], bounds_max[3];
  uint32_t warnings;
  uint8_t *triangle_areas; /* [triangle_count] after slope marking */
  WmTileBins bins;         /* empty for a single tile */
  /* The tile in hand. */
  int32_t tile_x, tile_z;
  bool keep_stages;
  WmStage next_stage;
  WmBakeStages stages;
};

/* ---- One function a stage ------------------------------------------------------------------------------ */

/* The grid of a tile, its border included. For a tiled bake the size follows from the tile size, not from
 * the bounds, so that rounding cannot make neighbours differ. */
static WmGrid make_tile_grid(const WmBaker *baker) {
  const WmConfig *config = &baker->config;
  WmGrid grid = {.cell_size = config->cell_size, .cell_height = config->cell_height};
  memcpy(grid.bounds_min, baker->bounds_min, sizeof grid.bounds_min);
  memcpy(grid.bounds_max, baker->bounds_max, sizeof grid.bounds_max);
  if (!config->tile_size) {
    grid.width = baker->voxels.width;
    grid.depth = baker->voxels.depth;
    return grid;
  }
  const int32_t tile[3] = {baker->tile_x, 0, baker->tile_z};
  const float size = baker->voxels.tile_world_size;
  const float pad = (float)baker->voxels.border_size * config->cell_size;
  for (int axis = 0; axis < 3; axis += 2) {
    grid.bounds_min[axis] = baker->bounds_min[axis] + (float)tile[axis] * size;
    grid.bounds_max[axis] = baker->bounds_min[axis] + (float)(tile[axis] + 1) * size;
    grid.bounds_min[axis] -= pad;
    grid.bounds_max[axis] += pad;
  }
  grid.width = grid.depth = config->tile_size + 2 * baker->voxels.border_size;
  grid.border_size = baker->voxels.border_size;
  return grid;
}

static WmStatus rasterize(WmBaker *baker) {
  const WmGrid grid = make_tile_grid(baker);
  const WmBakeInput *input = &baker->input;
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  const uint32_t *subset = NULL;
  size_t subset_count = 0;
  WmStatus status = WM_OK;
  if (baker->bins.block) {
    status = wm_tile_bins_collect(baker->context, &baker->bins, baker->tile_x, baker->tile_z, &subset,
                                  &subset_count);
  }
  if (!status) {
    status = wm_rasterize(baker->context, &grid, baker->voxels.walkable_climb, &input->triangles,
                          baker->triangle_areas, subset, subset_count, input->solids, input->solid_count,
                          &baker->stages.heightfield);
  }
  wm_scratch_rewind(baker->context, mark);
  return status;
}

static WmStatus filter_low_hanging(WmBaker *baker) {
  if (baker->config.filter_low_hanging_obstacles) {
    wm_filter_low_hanging_obstacles(&baker->stages.heightfield, baker->voxels.walkable_climb);
  }
  return WM_OK;
}

static WmStatus filter_ledges(WmBaker *baker) {
  if (!baker->config.filter_ledges) return WM_OK;
  return wm_filter_ledges(baker->context, &baker->stages.heightfield, baker->voxels.walkable_height,
                          baker->voxels.walkable_climb);
}

static WmStatus filter_low_height(WmBaker *baker) {
  if (baker->config.filter_low_height) {
    wm_filter_low_height(&baker->stages.heightfield, baker->voxels.walkable_height);
  }
  return WM_OK;
}

static WmStatus build_compact(WmBaker *baker) {
  const WmStatus status =
      wm_build_compact_heightfield(baker->context, &baker->stages.heightfield, baker->voxels.walkable_height,
                                   baker->voxels.walkable_climb, &baker->stages.compact);
  if (!baker->keep_stages) wm_heightfield_free(baker->context, &baker->stages.heightfield);
  return status;
}

static WmStatus erode(WmBaker *baker) {
  return wm_erode(baker->context, &baker->stages.compact, baker->voxels.walkable_radius);
}

static WmStatus mark_areas(WmBaker *baker) {
  WmStatus status = WM_OK;
  if (baker->config.median_filter) status = wm_filter_median(baker->context, &baker->stages.compact);
  for (size_t i = 0; i < baker->input.volume_count && !status; i++) {
    status = wm_mark_area(baker->context, &baker->stages.compact, &baker->input.volumes[i]);
  }
  return status;
}

static WmStatus build_distance(WmBaker *baker) {
  if (baker->config.partition != WM_PARTITION_WATERSHED) return WM_OK;
  return wm_build_distance_field(baker->context, &baker->stages.compact, &baker->stages.distance);
}

static WmStatus build_regions(WmBaker *baker) {
  const WmRegionSettings settings = {
      .partition = baker->config.partition,
      .chunk_size = baker->config.chunk_size,
      .min_region_cells = baker->voxels.min_region_cells,
      .merge_region_cells = baker->voxels.merge_region_cells,
  };
  const WmStatus status = wm_build_regions(baker->context, &baker->stages.compact, &baker->stages.distance,
                                           &settings, &baker->stages.regions);
  if (!baker->keep_stages) wm_distance_field_free(baker->context, &baker->stages.distance);
  return status;
}

static WmStatus build_contours(WmBaker *baker) {
  const uint32_t keep_raw = baker->keep_stages ? WM_CONTOUR_KEEP_RAW : 0;
  return wm_build_contours(baker->context, &baker->stages.compact, &baker->stages.regions,
                           baker->config.max_edge_error, baker->voxels.max_edge_cells,
                           WM_CONTOUR_SPLIT_WALL_EDGES | keep_raw, &baker->stages.contours);
}

static WmStatus build_polygon_mesh(WmBaker *baker) {
  const WmStatus status =
      wm_build_polygon_mesh(baker->context, &baker->stages.contours, baker->config.max_vertices_per_polygon,
                            &baker->stages.polygon_mesh);
  if (!baker->keep_stages) wm_contour_set_free(baker->context, &baker->stages.contours);
  return status;
}

static WmStatus build_detail_mesh(WmBaker *baker) {
  WmBakeStages *stages = &baker->stages;
  const WmStatus status = wm_build_detail_mesh(baker->context, &stages->polygon_mesh, &stages->compact,
                                               &stages->regions, baker->voxels.detail_sample_distance_world,
                                               baker->voxels.detail_max_error_world, &stages->detail_mesh);
  if (!baker->keep_stages) {
    wm_compact_heightfield_free(baker->context, &stages->compact);
    wm_regions_free(baker->context, &stages->regions);
  }
  return status;
}

static WmStatus build_tile(WmBaker *baker) {
  WmTileSettings settings = {
      .x = baker->tile_x,
      .z = baker->tile_z,
      .agent_height = baker->config.agent_height,
      .agent_radius = baker->config.agent_radius,
      .agent_max_climb = baker->config.agent_max_climb,
      .build_tree = true,
      .connections = baker->input.connections,
      .connection_count = baker->input.connection_count,
  };
  for (int area = 0; area < WM_AREA_COUNT; area++) {
    settings.area_flags[area] = baker->input.area_flags ? baker->input.area_flags[area] : 1;
  }
  const WmStatus status = wm_build_tile(baker->context, &baker->stages.polygon_mesh,
                                        &baker->stages.detail_mesh, &settings, &baker->stages.tile);
  if (!baker->keep_stages) {
    wm_polygon_mesh_free(baker->context, &baker->stages.polygon_mesh);
    wm_detail_mesh_free(baker->context, &baker->stages.detail_mesh);
  }
  return status;
}

/* The table of contents of the bake. */
static WmStatus (*const STAGES[WM_STAGE_COUNT])(WmBaker *) = {
    [WM_STAGE_RASTERIZE] = rasterize,
    [WM_STAGE_FILTER_LOW_HANGING] = filter_low_hanging,
    [WM_STAGE_FILTER_LEDGES] = filter_ledges,
    [WM_STAGE_FILTER_LOW_HEIGHT] = filter_low_height,
    [WM_STAGE_COMPACT] = build_compact,
    [WM_STAGE_ERODE] = erode,
    [WM_STAGE_MARK_AREAS] = mark_areas,
    [WM_STAGE_DISTANCE] = build_distance,
    [WM_STAGE_REGIONS] = build_regions,
    [WM_STAGE_CONTOURS] = build_contours,
    [WM_STAGE_POLYGON_MESH] = build_polygon_mesh,
    [WM_STAGE_DETAIL_MESH] = build_detail_mesh,
    [WM_STAGE_TILE] = build_tile,
};

/* ---- The baker -------------------------------------------------------------------------------------------
 */

static void free_stages(WmBaker *baker) {
  WmBakeStages *stages = &baker->stages;
  wm_heightfield_free(baker->context, &stages->heightfield);
  wm_compact_heightfield_free(baker->context, &stages->compact);
  wm_distance_field_free(baker->context, &stages->distance);
  wm_regions_free(baker->context, &stages->regions);
  wm_contour_set_free(baker->context, &stages->contours);
  wm_polygon_mesh_free(baker->context, &stages->polygon_mesh);
  wm_detail_mesh_free(baker->context, &stages->detail_mesh);
  wm_tile_data_free(baker->context, &stages->tile);
}

static WmStatus prepare(WmBaker *baker) {
  WmContext *context = baker->context;
  const WmTriangles *triangles = &baker->input.triangles;
  WmStatus status = wm_config_check(context, &baker->config);
  if (!status) {
    status = wm_check_input(context, &baker->config, &baker->input, baker->bounds_min, baker->bounds_max);
  }
  if (!status) {
    status =
        wm_config_to_voxels(context, &baker->config, baker->bounds_min, baker->bounds_max, &baker->voxels);
  }
  if (!status) {
    status = wm_diagnose_input(context, &baker->config, &baker->input, baker->bounds_min, baker->bounds_max,
                               &baker->warnings);
  }
  if (status) return status;
  baker->triangle_areas = wm_block_allocate(context, triangles->triangle_count);
  if (!baker->triangle_areas) return WM_ERROR_OUT_OF_MEMORY;
  wm_mark_slopes(triangles, baker->config.agent_max_slope, baker->triangle_areas);
  if (!baker->config.tile_size) return WM_OK;
  return wm_build_tile_bins(context, triangles, baker->bounds_min, &baker->config, &baker->voxels,
                            &baker->bins);
}

WmStatus wm_baker_create(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                         WmBaker **out) {
  *out = NULL;
  WmBaker *baker = wm_block_allocate(context, sizeof *baker);
  if (!baker) return WM_ERROR_OUT_OF_MEMORY;
  memset(baker, 0, sizeof *baker);
  baker->context = context;
  baker->config = *config;
  baker->input = *input;
  baker->next_stage = WM_STAGE_DONE;
  const WmStatus status = prepare(baker);
  if (status) {
    wm_baker_destroy(baker);
    return status;
  }
  *out = baker;
  return WM_OK;
}

void wm_baker_destroy(WmBaker *baker) {
  if (!baker) return;
  WmContext *context = baker->context;
  free_stages(baker);
  wm_tile_bins_free(context, &baker->bins);
  wm_block_free(context, baker->triangle_areas);
  wm_block_free(context, baker);
}

const WmConfig *wm_baker_config(const WmBaker *baker) { return &baker->config; }
const WmVoxelConfig *wm_baker_voxels(const WmBaker *baker) { return &baker->voxels; }
uint32_t wm_baker_warnings(const WmBaker *baker) { return baker->warnings; }
const uint8_t *wm_baker_triangle_areas(const WmBaker *baker) { return baker->triangle_areas; }
WmStage wm_baker_next_stage(const WmBaker *baker) { return baker->next_stage; }
const WmBakeStages *wm_baker_stages(const WmBaker *baker) { return &baker->stages; }

void wm_baker_bounds(const WmBaker *baker, float bounds_min[3], float bounds_max[3]) {
  memcpy(bounds_min, baker->bounds_min, sizeof baker->bounds_min);
  memcpy(bounds_max, baker->bounds_max, sizeof baker->bounds_max);
}

WmStatus wm_baker_begin_tile(WmBaker *baker, int32_t x, int32_t z, bool keep_stages) {
  const WmVoxelConfig *voxels = &baker->voxels;
  if (x < 0 || x >= voxels->tile_count_x || z < 0 || z >= voxels->tile_count_z) {
    return wm_fail_range(
        baker->context, WM_ERROR_INVALID_ARGUMENT, x < 0 || x >= voxels->tile_count_x ? "x" : "z",
        x < 0 || x >= voxels->tile_count_x ? x : z, 0,
        (x < 0 || x >= voxels->tile_count_x ? voxels->tile_count_x : voxels->tile_count_z) - 1,
        "no such tile");
  }
  free_stages(baker);
  baker->tile_x = x;
  baker->tile_z = z;
  baker->keep_stages = keep_stages;
  baker->next_stage = WM_STAGE_RASTERIZE;
  return WM_OK;
}

WmStatus wm_baker_step(WmBaker *baker) {
  if (baker->next_stage >= WM_STAGE_DONE) {
    return wm_fail(baker->context, WM_ERROR_STATE, NULL, "no tile has been begun, or it is finished");
  }
  const WmStatus status = STAGES[baker->next_stage](baker);
  if (status) {
    free_stages(baker);
    baker->next_stage = WM_STAGE_DONE;
  } else {
    baker->next_stage = (WmStage)(baker->next_stage + 1);
  }
  return status;
}

WmStatus wm_baker_bake_tile(WmBaker *baker, int32_t x, int32_t z) {
  WmStatus status = wm_baker_begin_tile(baker, x, z, false);
  while (!status && baker->next_stage != WM_STAGE_DONE) status = wm_baker_step(baker);
  return status;
}

WmTileData wm_baker_take_tile(WmBaker *baker) {
  const WmTileData tile = baker->stages.tile;
  baker->stages.tile = (WmTileData){0};
  return tile;
}
