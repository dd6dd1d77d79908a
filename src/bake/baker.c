/* The whole bake: the stages of one tile in pipeline order, and the steps that run them. See bake.h.
 *
 * Read run_stage first: it is the table of contents. Above it stands one function a stage, in the same order;
 * below it, how a tile begins, steps and ends. baker_prepare.c creates the baker, baker_input.c finds the
 * part of the input that a tile needs. */
#include "bake/baker_internal.h"

#include <math.h>
#include <string.h>

#include "bake/rebuild/kept_tile.h"
#include "base/simd.h"

/* ---- Stages: solid spans ----------------------------------------------------------------------------- */

static WmFilterSettings make_filter_settings(const WmBaker *baker) {
  return (WmFilterSettings){.walkable_height = baker->voxels.walkable_height,
                            .walkable_climb = baker->voxels.walkable_climb,
                            .low_hanging_obstacles = baker->config.filter_low_hanging_obstacles,
                            .ledges = baker->config.filter_ledges,
                            .low_height = baker->config.filter_low_height};
}

/* Collects the triangles and solids of the tile in scratch memory of the caller's mark. */
static WmStatus collect_raster_input(const WmBaker *baker, WmRasterInput *input) {
  const int32_t x = baker->tile[0], z = baker->tile[1];
  *input = (WmRasterInput){.triangles = &baker->input.triangles,
                           .areas = baker->triangle_areas,
                           .max_slope_degrees = baker->config.agent_max_slope};
  const WmStatus status = wm_baker_collect_triangles(baker, x, z, &input->subset, &input->subset_count);
  return status ? status : wm_baker_collect_solids(baker, x, z, &input->solids, &input->solid_count);
}

static WmStatus rasterize(WmBaker *baker) {
  WmGrid grid;
  WmRasterInput input;
  wm_baker_tile_grid(baker, baker->tile[0], baker->tile[1], &grid);
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  WmStatus status = collect_raster_input(baker, &input);
  if (!status) {
    status = wm_rasterize(baker->context, &grid, baker->voxels.walkable_climb, input.triangles, input.areas,
                          input.subset, input.subset_count, input.solids, input.solid_count,
                          input.max_slope_degrees, &baker->stages.heightfield);
  }
  wm_scratch_rewind(baker->context, mark);
  return status;
}

/* Rasterizes, and runs each row through all enabled filters at once; only the open spans are stored. */
static WmStatus rasterize_and_filter(WmBaker *baker) {
  WmGrid grid;
  WmRasterInput input;
  wm_baker_tile_grid(baker, baker->tile[0], baker->tile[1], &grid);
  const WmFilterSettings settings = make_filter_settings(baker);
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  WmStatus status = collect_raster_input(baker, &input);
  if (!status) {
    status = wm_rasterize_open(baker->context, &grid, &settings, &input, &baker->rows,
                               baker->wants_air ? &baker->air : NULL);
    baker->stages.heightfield.span_count = baker->rows.solid_count; /* nothing else of it is stored */
  }
  wm_scratch_rewind(baker->context, mark);
  return status;
}

/* Runs the filters that are enabled both in the settings and here. */
static WmStatus filter(WmBaker *baker, bool low_hanging_obstacles, bool ledges, bool low_height) {
  WmFilterSettings settings = make_filter_settings(baker);
  settings.low_hanging_obstacles &= low_hanging_obstacles;
  settings.ledges &= ledges;
  settings.low_height &= low_height;
  return wm_filter_heightfield(baker->context, &settings, &baker->stages.heightfield);
}

static WmStatus filter_low_hanging(WmBaker *baker) { return filter(baker, true, false, false); }
static WmStatus filter_ledges(WmBaker *baker) { return filter(baker, false, true, false); }
static WmStatus filter_low_height(WmBaker *baker) { return filter(baker, false, false, true); }

/* ---- Stages: open spans ------------------------------------------------------------------------------ */

static WmStatus build_compact_heightfield(WmBaker *baker) {
  return wm_build_compact_heightfield(baker->context, &baker->stages.heightfield,
                                      baker->voxels.walkable_height, baker->voxels.walkable_climb,
                                      &baker->stages.compact);
}

/* Builds the compact heightfield from the open spans that rasterize_and_filter stored. */
static WmStatus link_open_rows(WmBaker *baker) {
  return wm_link_open_rows(baker->context, &baker->rows, baker->voxels.walkable_height,
                           baker->voxels.walkable_climb, false, &baker->stages.compact);
}

/* Marks the spans inside those volumes of a list that are marked before erosion, or after it. */
static WmStatus mark_list(WmBaker *baker, const WmAreaVolume *volumes, size_t count, bool before_erosion) {
  WmStatus status = WM_OK;
  for (size_t i = 0; !status && i < count; i++) {
    if (volumes[i].before_erosion != before_erosion) continue;
    status = wm_mark_area(baker->context, &baker->stages.compact, &volumes[i]);
  }
  return status;
}

/* Marks the volumes of the input, then the obstacles of a kept tile. */
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

/* Counts the spans with an area, sixteen at a time. */
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

/* ---- Stages: regions --------------------------------------------------------------------------------- */

/* Only the watershed partition reads the distance field. */
static WmStatus build_distance_field(WmBaker *baker) {
  if (baker->config.partition != WM_PARTITION_WATERSHED) return WM_OK;
  return wm_build_distance_field(baker->context, &baker->stages.compact, &baker->stages.distance);
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

/* ---- Stages: contours, polygons, the tile ------------------------------------------------------------ */

static WmStatus build_contours(WmBaker *baker) {
  const uint32_t flags = WM_CONTOUR_SPLIT_WALL_EDGES | (baker->keep_stages ? WM_CONTOUR_KEEP_RAW : 0);
  return wm_build_contours(baker->context, &baker->stages.compact, &baker->stages.regions,
                           baker->config.max_edge_error, baker->voxels.max_edge_cells, flags,
                           &baker->stages.contours);
}

static WmStatus build_polygon_mesh(WmBaker *baker) {
  return wm_build_polygon_mesh(baker->context, &baker->stages.contours,
                               baker->config.max_vertices_per_polygon, &baker->stages.polygon_mesh);
}

/* Collects the surface of the current tile from the input. */
static WmStatus collect_surface(WmBaker *baker, WmSurface *surface) {
  WmGrid grid;
  WmRasterInput input;
  wm_baker_tile_grid(baker, baker->tile[0], baker->tile[1], &grid);
  *surface = (WmSurface){0};
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  WmStatus status = collect_raster_input(baker, &input);
  if (!status) status = wm_surface_collect(baker->context, &grid, &input, surface);
  wm_scratch_rewind(baker->context, mark);
  return status;
}

WmDetailSettings wm_baker_detail_settings(const WmBaker *baker) {
  return (WmDetailSettings){
      .sample_distance = baker->voxels.detail_sample_distance_world,
      .max_error = baker->voxels.detail_max_error_world,
      .surface = baker->config.heights == WM_HEIGHTS_SURFACE ? &baker->surface : NULL,
      .climb = baker->config.agent_max_climb,
  };
}

static WmStatus build_detail_mesh(WmBaker *baker) {
  WmBakeStages *stages = &baker->stages;
  const WmDetailSettings settings = wm_baker_detail_settings(baker);
  WmStatus status = settings.surface && !baker->is_kept ? collect_surface(baker, &baker->surface) : WM_OK;
  if (!status) {
    status = wm_build_detail_mesh(baker->context, &stages->polygon_mesh, &stages->compact, &stages->regions,
                                  &settings, &stages->detail_mesh);
  }
  wm_surface_free(baker->context, &baker->surface);
  return status;
}

/* Lowers the top of a grid that is open above: to that of the bounds, or, where the level rises above them, to the highest vertex;
 * each with room for the agent. (Floors lie up to two cell heights above the level.) */
static void close_grid(const WmBaker *baker, WmPolygonMesh *mesh) {
  WmGrid *grid = &mesh->grid;
  float highest = 0, top = baker->bounds_max[1];
  for (size_t i = 0; i < mesh->vertex_count; i++) highest = fmaxf(highest, mesh->vertices[3 * i + 1]);
  highest = grid->bounds_min[1] + highest * grid->cell_height;
  if (highest > top + 2 * grid->cell_height) top = highest;
  grid->bounds_max[1] = top + (float)baker->voxels.walkable_height * grid->cell_height;
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
  if (baker->config.has_bounds && baker->config.bounds_above) close_grid(baker, &baker->stages.polygon_mesh);
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  WmStatus status = wm_baker_collect_connections(baker, settings.x, settings.z, &settings.connections,
                                                 &settings.connection_count);
  if (!status) {
    status = wm_build_tile(baker->context, &baker->stages.polygon_mesh, &baker->stages.detail_mesh, &settings,
                           &baker->stages.tile);
  }
  wm_scratch_rewind(baker->context, mark);
  return status;
}

/* ---- The table of contents --------------------------------------------------------------------------- */

/* Runs the next stage: one function a stage, in pipeline order.
 *
 * If stages are kept, each filter is a pass of its own over the heightfield. If they aren't, rasterization
 * and the three filters are one pass over the rows: the stages of the filters have nothing left to do, and the
 * compact heightfield is built from the open spans of that pass. Both give the same spans. */
static WmStatus run_stage(WmBaker *baker) {
  const bool keeps = baker->keep_stages;
  switch (baker->next_stage) {
    case WM_STAGE_RASTERIZE: return keeps ? rasterize(baker) : rasterize_and_filter(baker);
    case WM_STAGE_FILTER_LOW_HANGING: return keeps ? filter_low_hanging(baker) : WM_OK;
    case WM_STAGE_FILTER_LEDGES: return keeps ? filter_ledges(baker) : WM_OK;
    case WM_STAGE_FILTER_LOW_HEIGHT: return keeps ? filter_low_height(baker) : WM_OK;
    case WM_STAGE_COMPACT: return keeps ? build_compact_heightfield(baker) : link_open_rows(baker);
    case WM_STAGE_ERODE: return erode(baker);
    case WM_STAGE_MARK_AREAS: return mark_areas(baker);
    case WM_STAGE_DISTANCE: return build_distance_field(baker);
    case WM_STAGE_REGIONS: return build_regions(baker);
    case WM_STAGE_CONTOURS: return build_contours(baker);
    case WM_STAGE_POLYGON_MESH: return build_polygon_mesh(baker);
    case WM_STAGE_DETAIL_MESH: return build_detail_mesh(baker);
    case WM_STAGE_TILE: return build_tile(baker);
    default: return WM_ERROR_INTERNAL; /* wm_baker_step has excluded WM_STAGE_DONE */
  }
}

/* ---- The steps of a tile ----------------------------------------------------------------------------- */

/* Frees the results that no stage after `done` reads; for WM_STAGE_DONE all of them, the tile too. */
static void free_stages(WmBaker *baker, WmStage done) {
  WmContext *context = baker->context;
  WmBakeStages *stages = &baker->stages;
  if (done >= WM_STAGE_COMPACT) {
    wm_heightfield_free(context, &stages->heightfield);
    wm_open_rows_free(context, &baker->rows);
    wm_block_free(context, baker->air);
    baker->air = NULL;
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
  if (done == WM_STAGE_DONE) {
    wm_surface_free(context, &baker->surface);
    wm_tile_data_free(context, &stages->tile);
  }
}

WmStatus wm_baker_begin_tile(WmBaker *baker, int32_t x, int32_t z, bool keep_stages) {
  const WmStatus status = wm_baker_check_tile(baker, x, z);
  if (status) return status;
  free_stages(baker, WM_STAGE_DONE);
  baker->tile[0] = x;
  baker->tile[1] = z;
  baker->keep_stages = keep_stages;
  baker->is_kept = false;
  baker->walkable_count = 0;
  baker->obstacle_count = 0;
  baker->next_stage = WM_STAGE_RASTERIZE;
  return WM_OK;
}

WmStatus wm_baker_step(WmBaker *baker) {
  const WmStage stage = baker->next_stage;
  if (stage >= WM_STAGE_DONE) {
    return wm_fail(baker->context, WM_ERROR_STATE, NULL, "no tile has begun, or it is finished");
  }
  const WmStatus status = run_stage(baker);
  wm_context_trim(baker->context); /* one stage may need several times the scratch memory of the others */
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

/* ---- Kept tiles -------------------------------------------------------------------------------------- */

WmStatus wm_baker_keep_tile(WmBaker *baker, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  if (baker->next_stage != WM_STAGE_COMPACT || baker->keep_stages) {
    return wm_fail(
        baker->context, WM_ERROR_STATE, NULL,
        "a tile can only be kept before its compact heightfield is built, and not with keepStages");
  }
  WmStatus status = wm_kept_tile_write(baker->context, &baker->rows, bytes, byte_count);
  if (status || baker->config.heights != WM_HEIGHTS_SURFACE) return status;
  WmSurface surface;
  status = collect_surface(baker, &surface);
  if (!status) status = wm_surface_append(baker->context, &surface, bytes, byte_count);
  wm_surface_free(baker->context, &surface);
  if (status) {
    wm_block_free(baker->context, *bytes);
    *bytes = NULL;
    *byte_count = 0;
  }
  return status;
}

void wm_baker_want_air(WmBaker *baker, bool wanted) { baker->wants_air = wanted; }

static WmStatus require_air(const WmBaker *baker) {
  if (baker->next_stage != WM_STAGE_COMPACT || !baker->air) {
    return wm_fail(baker->context, WM_ERROR_STATE, NULL,
                   "air can only be kept before the compact heightfield is built, for a tile that was "
                   "rasterized after air was wanted, and not with keepStages");
  }
  return WM_OK;
}

WmStatus wm_baker_keep_air(WmBaker *baker, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  const WmStatus status = require_air(baker);
  return status ? status : wm_air_write(baker->context, baker->air, bytes, byte_count);
}

WmStatus wm_baker_take_air(WmBaker *baker, WmAir **air) {
  *air = NULL;
  const WmStatus status = require_air(baker);
  if (status) return status;
  *air = baker->air;
  baker->air = NULL;
  return WM_OK;
}

WmStatus wm_baker_begin_kept_tile(WmBaker *baker, int32_t x, int32_t z, const uint8_t *bytes,
                                  size_t byte_count, const WmAreaVolume *obstacles, size_t obstacle_count) {
  WmStatus status = wm_baker_begin_tile(baker, x, z, false);
  if (status) return status;
  baker->next_stage = WM_STAGE_DONE;
  WmGrid grid;
  wm_baker_tile_grid(baker, x, z, &grid);
  if (baker->config.heights == WM_HEIGHTS_SURFACE) {
    status = wm_surface_read(baker->context, bytes, &byte_count, &baker->surface);
  }
  if (!status) status = wm_kept_tile_read(baker->context, bytes, byte_count, &grid, &baker->rows);
  if (status) {
    wm_surface_free(baker->context, &baker->surface);
    return status;
  }
  baker->is_kept = true;
  baker->obstacles = obstacles;
  baker->obstacle_count = obstacle_count;
  baker->next_stage = WM_STAGE_COMPACT;
  return WM_OK;
}

/* ---- The baker --------------------------------------------------------------------------------------- */

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
