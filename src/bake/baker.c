/* The whole bake: what a baker holds, and the stages in their order. See bake.h. */
#include "bake/bake.h"

#include <string.h>

#include "bake/input_check.h"
#include "bake/tile_bins.h"
#include "bake/tile_hash.h"

struct WmBaker {
  WmContext *context;
  WmConfig config;
  WmBakeInput input;
  WmTileBins bins; /* empty for a single tile */
  /* The tile in hand. */
  int32_t tile[2]; /* x, z */
  bool keep_stages;
  /* From here on js/bake.js reads along. */
  WmVoxelConfig voxels;
  float bounds_min[3], bounds_max[3];
  uint32_t warnings;
  uint8_t *triangle_areas; /* [triangle_count] after slope marking */
  WmStage next_stage;
  WmBakeStages stages;
};

#define WORDS_BEFORE(member) ((offsetof(WmBaker, member) - offsetof(WmBaker, voxels)) / sizeof(uint32_t))

_Static_assert(sizeof(void *) > 4 || (WORDS_BEFORE(bounds_min) == 14 && WORDS_BEFORE(warnings) == 20 &&
                                      WORDS_BEFORE(next_stage) == 22 && WORDS_BEFORE(stages) == 23),
               "js/bake.js and js/stage-memory.js know the layout");

/* ---- One function a stage ------------------------------------------------------------------------------ */

/* The grid of a tile, its border included. For a tiled bake the size follows from the tile size, not from
 * the bounds, so that rounding cannot make neighbours differ. */
static void make_tile_grid(const WmBaker *baker, int32_t x, int32_t z, WmGrid *grid) {
  const WmConfig *config = &baker->config;
  const WmVoxelConfig *voxels = &baker->voxels;
  wm_baker_bounds(baker, grid->bounds_min, grid->bounds_max);
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

/* The triangles a tile needs, in scratch memory of the caller's mark; NULL: all, for a single tile. */
static WmStatus collect_triangles(const WmBaker *baker, int32_t x, int32_t z, const uint32_t **subset,
                                  size_t *subset_count) {
  *subset = NULL;
  *subset_count = 0;
  if (!baker->bins.block) return WM_OK;
  return wm_tile_bins_collect(baker->context, &baker->bins, x, z, subset, subset_count);
}

static WmStatus rasterize(WmBaker *baker) {
  WmGrid grid;
  make_tile_grid(baker, baker->tile[0], baker->tile[1], &grid);
  const WmBakeInput *input = &baker->input;
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  const uint32_t *subset;
  size_t subset_count;
  WmStatus status = collect_triangles(baker, baker->tile[0], baker->tile[1], &subset, &subset_count);
  if (!status) {
    status = wm_rasterize(baker->context, &grid, baker->voxels.walkable_climb, &input->triangles,
                          baker->triangle_areas, subset, subset_count, input->solids, input->solid_count,
                          &baker->stages.heightfield);
  }
  wm_scratch_rewind(baker->context, mark);
  return status;
}

static WmStatus mark_areas(WmBaker *baker) {
  WmStatus status = WM_OK;
  if (baker->config.median_filter) status = wm_filter_median(baker->context, &baker->stages.compact);
  for (size_t i = 0; i < baker->input.volume_count && !status; i++) {
    status = wm_mark_area(baker->context, &baker->stages.compact, &baker->input.volumes[i]);
  }
  return status;
}

static WmStatus build_regions(WmBaker *baker) {
  const WmRegionSettings settings = {
      .partition = baker->config.partition,
      .chunk_size = baker->config.chunk_size,
      .min_region_cells = baker->voxels.min_region_cells,
      .merge_region_cells = baker->voxels.merge_region_cells,
  };
  return wm_build_regions(baker->context, &baker->stages.compact, &baker->stages.distance, &settings,
                          &baker->stages.regions);
}

static WmStatus build_tile(WmBaker *baker) {
  WmTileSettings settings = {
      .x = baker->tile[0],
      .z = baker->tile[1],
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
  return wm_build_tile(baker->context, &baker->stages.polygon_mesh, &baker->stages.detail_mesh, &settings,
                       &baker->stages.tile);
}

/* The table of contents of the bake. */
static WmStatus run_stage(WmBaker *baker) {
  WmContext *context = baker->context;
  const WmConfig *config = &baker->config;
  const WmVoxelConfig *voxels = &baker->voxels;
  WmBakeStages *stages = &baker->stages;
  switch (baker->next_stage) {
    case WM_STAGE_RASTERIZE: return rasterize(baker);
    case WM_STAGE_FILTER_LOW_HANGING:
      if (!config->filter_low_hanging_obstacles) return WM_OK;
      wm_filter_low_hanging_obstacles(&stages->heightfield, voxels->walkable_climb);
      return WM_OK;
    case WM_STAGE_FILTER_LEDGES:
      if (!config->filter_ledges) return WM_OK;
      return wm_filter_ledges(context, &stages->heightfield, voxels->walkable_height, voxels->walkable_climb);
    case WM_STAGE_FILTER_LOW_HEIGHT:
      if (!config->filter_low_height) return WM_OK;
      wm_filter_low_height(&stages->heightfield, voxels->walkable_height);
      return WM_OK;
    case WM_STAGE_COMPACT:
      return wm_build_compact_heightfield(context, &stages->heightfield, voxels->walkable_height,
                                          voxels->walkable_climb, &stages->compact);
    case WM_STAGE_ERODE: return wm_erode(context, &stages->compact, voxels->walkable_radius);
    case WM_STAGE_MARK_AREAS: return mark_areas(baker);
    case WM_STAGE_DISTANCE:
      if (config->partition != WM_PARTITION_WATERSHED) return WM_OK;
      return wm_build_distance_field(context, &stages->compact, &stages->distance);
    case WM_STAGE_REGIONS: return build_regions(baker);
    case WM_STAGE_CONTOURS:
      return wm_build_contours(
          context, &stages->compact, &stages->regions, config->max_edge_error, voxels->max_edge_cells,
          WM_CONTOUR_SPLIT_WALL_EDGES | (baker->keep_stages ? WM_CONTOUR_KEEP_RAW : 0), &stages->contours);
    case WM_STAGE_POLYGON_MESH:
      return wm_build_polygon_mesh(context, &stages->contours, config->max_vertices_per_polygon,
                                   &stages->polygon_mesh);
    case WM_STAGE_DETAIL_MESH:
      return wm_build_detail_mesh(context, &stages->polygon_mesh, &stages->compact, &stages->regions,
                                  voxels->detail_sample_distance_world, voxels->detail_max_error_world,
                                  &stages->detail_mesh);
    case WM_STAGE_TILE: return build_tile(baker);
    default: return WM_ERROR_INTERNAL; /* wm_baker_step has asked */
  }
}

/* ---- The baker ------------------------------------------------------------------------------------------
 */

/* Frees the results that no stage after `done` reads; all of them, the tile too, for WM_STAGE_DONE. */
static void free_stages(WmBaker *baker, WmStage done) {
  WmContext *context = baker->context;
  WmBakeStages *stages = &baker->stages;
  if (done >= WM_STAGE_COMPACT) wm_heightfield_free(context, &stages->heightfield);
  if (done >= WM_STAGE_REGIONS) wm_distance_field_free(context, &stages->distance);
  if (done >= WM_STAGE_POLYGON_MESH) wm_contour_set_free(context, &stages->contours);
  if (done >= WM_STAGE_DETAIL_MESH) {
    wm_compact_heightfield_free(context, &stages->compact);
    wm_regions_free(context, &stages->regions);
  }
  if (done >= WM_STAGE_TILE) {
    wm_polygon_mesh_free(context, &stages->polygon_mesh);
    wm_detail_mesh_free(context, &stages->detail_mesh);
  }
  if (done == WM_STAGE_DONE) wm_tile_data_free(context, &stages->tile);
}

static WmStatus prepare(WmBaker *baker) {
  WmContext *context = baker->context;
  const WmConfig *config = &baker->config;
  const WmBakeInput *input = &baker->input;
  float *low = baker->bounds_min, *high = baker->bounds_max;
  WmStatus status = wm_config_check(context, config);
  if (!status) status = wm_check_input(context, config, input, low, high);
  if (!status) status = wm_config_to_voxels(context, config, low, high, &baker->voxels);
  if (!status) status = wm_diagnose_input(context, config, input, low, high, &baker->warnings);
  if (status) return status;
  baker->triangle_areas = wm_block_allocate(context, input->triangles.triangle_count);
  if (!baker->triangle_areas) return WM_ERROR_OUT_OF_MEMORY;
  wm_mark_slopes(&input->triangles, config->agent_max_slope, baker->triangle_areas);
  if (!config->tile_size) return WM_OK;
  return wm_build_tile_bins(context, &input->triangles, low, config, &baker->voxels, &baker->bins);
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
  free_stages(baker, WM_STAGE_DONE);
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

static WmStatus check_tile(WmContext *context, const char *axis, int32_t tile, int32_t count) {
  if ((uint32_t)tile < (uint32_t)count) return WM_OK;
  return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, axis, tile, 0, count - 1, "no such tile");
}

static WmStatus check_place(const WmBaker *baker, int32_t x, int32_t z) {
  const WmStatus status = check_tile(baker->context, "x", x, baker->voxels.tile_count_x);
  return status ? status : check_tile(baker->context, "z", z, baker->voxels.tile_count_z);
}

WmStatus wm_baker_hash_tile(WmBaker *baker, int32_t x, int32_t z, WmContentHash *hash) {
  WmStatus status = check_place(baker, x, z);
  if (status) return status;
  WmTileContent content = {.config = &baker->config,
                           .voxels = &baker->voxels,
                           .input = &baker->input,
                           .triangle_areas = baker->triangle_areas,
                           .x = x,
                           .z = z};
  make_tile_grid(baker, x, z, &content.grid);
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  status = collect_triangles(baker, x, z, &content.subset, &content.subset_count);
  if (!status) status = wm_hash_tile(baker->context, &content, hash);
  wm_scratch_rewind(baker->context, mark);
  return status;
}

WmStatus wm_baker_begin_tile(WmBaker *baker, int32_t x, int32_t z, bool keep_stages) {
  const WmStatus status = check_place(baker, x, z);
  if (status) return status;
  free_stages(baker, WM_STAGE_DONE);
  baker->tile[0] = x;
  baker->tile[1] = z;
  baker->keep_stages = keep_stages;
  baker->next_stage = WM_STAGE_RASTERIZE;
  return WM_OK;
}

WmStatus wm_baker_step(WmBaker *baker) {
  const WmStage stage = baker->next_stage;
  if (stage >= WM_STAGE_DONE) {
    return wm_fail(baker->context, WM_ERROR_STATE, NULL, "no tile has been begun, or it is finished");
  }
  const WmStatus status = run_stage(baker);
  if (status) {
    free_stages(baker, WM_STAGE_DONE);
    baker->next_stage = WM_STAGE_DONE;
  } else {
    if (!baker->keep_stages) free_stages(baker, stage);
    baker->next_stage = (WmStage)(stage + 1);
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
