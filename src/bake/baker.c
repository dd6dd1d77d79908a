/* The whole bake: what a baker holds, and the stages in their order. See bake.h. */
#include "bake/baker_internal.h"

#include <string.h>

#include "bake/input/input_check.h"
#include "bake/rebuild/kept_tile.h"
#include "bake/tile/tile_hash.h"
#include "base/simd.h"

/* ---- One function a stage ------------------------------------------------------------------------------ */

/* The grid of a tile, its border included. For a tiled bake the size follows from the tile size, not from
 * the bounds, so that rounding cannot make neighbours differ. */
void wm_baker_tile_grid(const WmBaker *baker, int32_t x, int32_t z, WmGrid *grid) {
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
  const WmTileBins *bins = &baker->bins[WM_BIN_TRIANGLES];
  *subset = NULL;
  *subset_count = 0;
  return bins->items ? wm_tile_bins_collect(baker->context, bins, x, z, subset, subset_count) : WM_OK;
}

/* The solids, volumes or connections a tile needs, one after the other, likewise. *list: all of them before.
 */
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

static WmStatus collect_solids(const WmBaker *baker, int32_t x, int32_t z, const WmSolid **solids,
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

static WmStatus collect_connections(const WmBaker *baker, int32_t x, int32_t z,
                                    const WmOffMeshConnection **connections, size_t *count) {
  const void *list = baker->input.connections;
  *count = baker->input.connection_count;
  const WmStatus status = collect_list(baker, WM_BIN_CONNECTIONS, x, z, sizeof **connections, &list, count);
  *connections = list;
  return status;
}

static WmFilterSettings make_filter_settings(const WmBaker *baker) {
  return (WmFilterSettings){.walkable_height = baker->voxels.walkable_height,
                            .walkable_climb = baker->voxels.walkable_climb,
                            .low_hanging_obstacles = baker->config.filter_low_hanging_obstacles,
                            .ledges = baker->config.filter_ledges,
                            .low_height = baker->config.filter_low_height};
}

/* Where no stages are kept, rows go through the filters at once, and what stands then are open spans. */
static WmStatus rasterize(WmBaker *baker) {
  WmGrid grid;
  wm_baker_tile_grid(baker, baker->tile[0], baker->tile[1], &grid);
  WmContext *context = baker->context;
  WmRasterInput input = {.triangles = &baker->input.triangles, .areas = baker->triangle_areas};
  const WmFilterSettings settings = make_filter_settings(baker);
  WmHeightfield *field = &baker->stages.heightfield;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status =
      collect_triangles(baker, baker->tile[0], baker->tile[1], &input.subset, &input.subset_count);
  if (!status) {
    status = collect_solids(baker, baker->tile[0], baker->tile[1], &input.solids, &input.solid_count);
  }
  if (!status && baker->keep_stages) {
    status = wm_rasterize(context, &grid, settings.walkable_climb, input.triangles, input.areas, input.subset,
                          input.subset_count, input.solids, input.solid_count, field);
  } else if (!status) {
    status = wm_rasterize_open(context, &grid, &settings, &input, &baker->rows);
    field->span_count = baker->rows.solid_count; /* the count is all there is of it */
  }
  wm_scratch_rewind(context, mark);
  return status;
}

static WmStatus filter(WmBaker *baker, WmStage stage) {
  WmFilterSettings settings = make_filter_settings(baker);
  settings.low_hanging_obstacles &= stage == WM_STAGE_FILTER_LOW_HANGING;
  settings.ledges &= stage == WM_STAGE_FILTER_LEDGES;
  settings.low_height &= stage == WM_STAGE_FILTER_LOW_HEIGHT;
  return baker->keep_stages ? wm_filter_heightfield(baker->context, &settings, &baker->stages.heightfield)
                            : WM_OK;
}

static WmStatus build_compact(WmBaker *baker) {
  const int32_t height = baker->voxels.walkable_height, climb = baker->voxels.walkable_climb;
  WmBakeStages *stages = &baker->stages;
  return baker->keep_stages
             ? wm_build_compact_heightfield(baker->context, &stages->heightfield, height, climb,
                                            &stages->compact)
             : wm_link_open_rows(baker->context, &baker->rows, height, climb, false, &stages->compact);
}

/* Spans with an area, counted sixteen at a time. */
static uint32_t count_walkable(const WmCompactHeightfield *compact) {
  const uint8_t *area = compact->span_area;
  uint32_t count = 0, span = 0;
  for (; span + 16 <= compact->span_count; span += 16) {
    const WmByte16 is_walkable = (WmByte16)(wm_load_byte16(area + span) != wm_splat_byte16(WM_AREA_NULL));
    count += (uint32_t)__builtin_popcount((unsigned)wm_mask_byte16(is_walkable));
  }
  for (; span < compact->span_count; span++) count += area[span] != WM_AREA_NULL;
  return count;
}

/* Marks what is in the volumes that are before erosion, or in those after it. */
static WmStatus mark_list(WmBaker *baker, const WmAreaVolume *volumes, size_t count, bool before_erosion) {
  WmStatus status = WM_OK;
  for (size_t i = 0; !status && i < count; i++) {
    if (volumes[i].before_erosion != before_erosion) continue;
    status = wm_mark_area(baker->context, &baker->stages.compact, &volumes[i]);
  }
  return status;
}

static WmStatus mark_volumes(WmBaker *baker, bool before_erosion) {
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  const WmAreaVolume *volumes;
  size_t count;
  WmStatus status = wm_baker_collect_volumes(baker, baker->tile[0], baker->tile[1], &volumes, &count);
  if (!status) status = mark_list(baker, volumes, count, before_erosion);
  if (!status) status = mark_list(baker, baker->obstacles, baker->obstacle_count, before_erosion);
  wm_scratch_rewind(baker->context, mark);
  return status;
}

static WmStatus erode(WmBaker *baker) {
  WmCompactHeightfield *compact = &baker->stages.compact;
  WmStatus status = mark_volumes(baker, true);
  if (!status) status = wm_erode(baker->context, compact, baker->voxels.walkable_radius);
  if (!status) baker->walkable_count = count_walkable(compact);
  return status;
}

static WmStatus mark_areas(WmBaker *baker) {
  WmStatus status = WM_OK;
  if (baker->config.median_filter) status = wm_filter_median(baker->context, &baker->stages.compact);
  return status ? status : mark_volumes(baker, false);
}

WmRegionSettings wm_baker_region_settings(const WmBaker *baker) {
  return (WmRegionSettings){
      .partition = baker->config.partition,
      .chunk_size = baker->config.chunk_size,
      .min_region_cells = baker->voxels.min_region_cells,
      .merge_region_cells = baker->voxels.merge_region_cells,
  };
}

static WmStatus build_regions(WmBaker *baker) {
  const WmRegionSettings settings = wm_baker_region_settings(baker);
  baker->stages.distance.is_spare = !baker->keep_stages;
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
  };
  for (int area = 0; area < WM_AREA_COUNT; area++) {
    settings.area_flags[area] = baker->input.area_flags ? baker->input.area_flags[area] : 1;
  }
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  WmStatus status =
      collect_connections(baker, settings.x, settings.z, &settings.connections, &settings.connection_count);
  if (!status) {
    status = wm_build_tile(baker->context, &baker->stages.polygon_mesh, &baker->stages.detail_mesh, &settings,
                           &baker->stages.tile);
  }
  wm_scratch_rewind(baker->context, mark);
  return status;
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
    case WM_STAGE_FILTER_LEDGES:
    case WM_STAGE_FILTER_LOW_HEIGHT: return filter(baker, baker->next_stage);
    case WM_STAGE_COMPACT: return build_compact(baker);
    case WM_STAGE_ERODE: return erode(baker);
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
  if (done >= WM_STAGE_COMPACT) {
    wm_heightfield_free(context, &stages->heightfield);
    wm_open_rows_free(context, &baker->rows);
  }
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

/* ---- Preparing: all that a baker does before its first tile ---------------------------------------------
 */

/* How many items a step has. */
static size_t count_items(const WmBaker *baker) {
  const WmTriangles *triangles = &baker->input.triangles;
  const bool is_empty = triangles->triangle_count == 0; /* then vertices are of no account */
  if (baker->prepare_step == PREPARE_VERTICES) return is_empty ? 0 : triangles->vertex_count;
  if (baker->prepare_step == PREPARE_BINS && !baker->config.tile_size) return 0;
  return triangles->triangle_count;
}

static WmStatus prepare_items(WmBaker *baker, size_t first, size_t end) {
  const WmTriangles *triangles = &baker->input.triangles;
  WmTileBins *bins = &baker->bins[WM_BIN_TRIANGLES];
  switch (baker->prepare_step) {
    case PREPARE_INDICES: return wm_check_indices(baker->context, triangles, first, end);
    case PREPARE_VERTICES:
      return wm_check_vertices(baker->context, triangles, first, end, baker->bounds_min, baker->bounds_max);
    case PREPARE_SLOPES:
      wm_mark_slopes(triangles, baker->config.agent_max_slope, first, end, baker->triangle_areas,
                     &baker->facing);
      if (bins->first) wm_tile_bins_count(bins, first, end);
      return WM_OK;
    default: wm_tile_bins_fill(bins, first, end); return WM_OK;
  }
}

static WmStatus begin_bins(WmBaker *baker, WmBinKind kind) {
  return wm_tile_bins_begin(baker->context, &baker->input, kind, baker->bounds_min, &baker->config,
                            &baker->voxels, &baker->bins[kind]);
}

/* Bins of what is too little to be cut into portions. */
static WmStatus build_bins(WmBaker *baker, WmBinKind kind, size_t count) {
  WmTileBins *bins = &baker->bins[kind];
  if (count == 0) return WM_OK;
  WmStatus status = begin_bins(baker, kind);
  if (status) return status;
  wm_tile_bins_count(bins, 0, count);
  status = wm_tile_bins_allocate(baker->context, bins);
  if (status) return status;
  wm_tile_bins_fill(bins, 0, count);
  wm_tile_bins_finish(baker->context, bins);
  return WM_OK;
}

/* Makes ready for slopes and bins once indices and vertices have been checked. */
static WmStatus prepare_grid(WmBaker *baker) {
  WmContext *context = baker->context;
  float *low = baker->bounds_min, *high = baker->bounds_max;
  wm_resolve_bounds(&baker->config, &baker->input, low, high);
  WmStatus status = wm_config_to_voxels(context, &baker->config, low, high, &baker->voxels);
  if (status) return status;
  baker->triangle_areas = wm_block_allocate(context, baker->input.triangles.triangle_count);
  if (!baker->triangle_areas) return WM_ERROR_OUT_OF_MEMORY;
  if (!baker->config.tile_size) return WM_OK;
  status = begin_bins(baker, WM_BIN_TRIANGLES);
  if (!status) status = build_bins(baker, WM_BIN_SOLIDS, baker->input.solid_count);
  if (!status) status = build_bins(baker, WM_BIN_VOLUMES, baker->input.volume_count);
  if (!status) status = build_bins(baker, WM_BIN_CONNECTIONS, baker->input.connection_count);
  return status;
}

/* What follows the last item of a step. */
static WmStatus finish_step(WmBaker *baker) {
  WmContext *context = baker->context;
  WmTileBins *bins = &baker->bins[WM_BIN_TRIANGLES];
  WmStatus status = WM_OK;
  if (baker->prepare_step == PREPARE_VERTICES) status = prepare_grid(baker);
  if (baker->prepare_step == PREPARE_SLOPES) {
    status = wm_diagnose_input(context, &baker->config, &baker->input, baker->bounds_min, baker->bounds_max,
                               &baker->facing, &baker->warnings);
    if (!status && bins->first) status = wm_tile_bins_allocate(context, bins);
  }
  if (baker->prepare_step == PREPARE_BINS) wm_tile_bins_finish(context, bins);
  baker->prepare_step++;
  baker->next_item = 0;
  return status;
}

WmStatus wm_baker_prepare(WmBaker *baker, size_t most, bool *is_ready) {
  *is_ready = false;
  const size_t count = count_items(baker), first = baker->next_item;
  baker->next_item = most < count - first ? first + most : count;
  WmStatus status = prepare_items(baker, first, baker->next_item);
  if (!status && baker->next_item == count) status = finish_step(baker);
  *is_ready = !status && baker->prepare_step == PREPARED;
  return status;
}

WmStatus wm_baker_begin(WmContext *context, const WmConfig *config, const WmBakeInput *input, WmBaker **out) {
  *out = NULL;
  WmStatus status = wm_config_check(context, config);
  if (!status) status = wm_check_lists(context, config, input);
  if (status) return status;
  WmBaker *baker = wm_block_allocate(context, sizeof *baker);
  if (!baker) return WM_ERROR_OUT_OF_MEMORY;
  memset(baker, 0, sizeof *baker);
  baker->context = context;
  baker->config = *config;
  baker->input = *input;
  if (input->from_kept_tiles) {
    baker->input.triangles = (WmTriangles){0};
    baker->input.solid_count = 0;
  }
  baker->next_stage = WM_STAGE_DONE;
  *out = baker;
  return WM_OK;
}

WmStatus wm_baker_create(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                         WmBaker **out) {
  bool is_ready = false;
  WmStatus status = wm_baker_begin(context, config, input, out);
  while (!status && !is_ready) status = wm_baker_prepare(*out, SIZE_MAX, &is_ready);
  if (status) {
    wm_baker_destroy(*out);
    *out = NULL;
  }
  return status;
}

void wm_baker_destroy(WmBaker *baker) {
  if (!baker) return;
  WmContext *context = baker->context;
  free_stages(baker, WM_STAGE_DONE);
  for (int kind = 0; kind <= WM_BIN_CONNECTIONS; kind++) wm_tile_bins_free(context, &baker->bins[kind]);
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
  wm_baker_tile_grid(baker, x, z, &content.grid);
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  status = collect_triangles(baker, x, z, &content.subset, &content.subset_count);
  if (!status) status = collect_solids(baker, x, z, &content.solids, &content.solid_count);
  if (!status) status = wm_baker_collect_volumes(baker, x, z, &content.volumes, &content.volume_count);
  if (!status) {
    status = collect_connections(baker, x, z, &content.connections, &content.connection_count);
  }
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
  baker->walkable_count = 0;
  baker->obstacle_count = 0;
  baker->next_stage = WM_STAGE_RASTERIZE;
  return WM_OK;
}

WmStatus wm_baker_keep_tile(WmBaker *baker, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  if (baker->next_stage != WM_STAGE_COMPACT || baker->keep_stages) {
    return wm_fail(baker->context, WM_ERROR_STATE, NULL,
                   "a tile is kept before its compact heightfield is built, and where stages are not");
  }
  return wm_kept_tile_write(baker->context, &baker->rows, bytes, byte_count);
}

WmStatus wm_baker_begin_kept_tile(WmBaker *baker, int32_t x, int32_t z, const uint8_t *bytes,
                                  size_t byte_count, const WmAreaVolume *obstacles, size_t obstacle_count) {
  WmStatus status = wm_baker_begin_tile(baker, x, z, false);
  if (status) return status;
  baker->next_stage = WM_STAGE_DONE;
  WmGrid grid;
  wm_baker_tile_grid(baker, x, z, &grid);
  status = wm_kept_tile_read(baker->context, bytes, byte_count, &grid, &baker->rows);
  if (status) return status;
  baker->obstacles = obstacles;
  baker->obstacle_count = obstacle_count;
  baker->next_stage = WM_STAGE_COMPACT;
  return WM_OK;
}

WmStatus wm_baker_step(WmBaker *baker) {
  const WmStage stage = baker->next_stage;
  if (stage >= WM_STAGE_DONE) {
    return wm_fail(baker->context, WM_ERROR_STATE, NULL, "no tile has been begun, or it is finished");
  }
  const WmStatus status = run_stage(baker);
  wm_context_trim(baker->context); /* what one stage needs in passing may be several times what others do */
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
