/* Checking a configuration and deriving voxel values from it. See config.h.
 *
 * The formulas are Recast's demo's, every operation rounded to float32, since one voxel more or less
 * changes every later stage. */
#include "bake/config.h"

#include <math.h>

/* Grids are indexed by u16 coordinates in polygon meshes. */
enum { GRID_SIDE_LIMIT = 65534, TILE_COUNT_LIMIT = 1 << 20, SPAN_HEIGHT_LIMIT = 65533 };

/* Peak bytes a cell while a single tile is baked, measured over tests/scenes (one to two layers). */
static const double BYTES_A_CELL = 64;
static const double MEMORY_LIMIT = 3.5 * 1024 * 1024 * 1024;
static const double GIGABYTE = 1024.0 * 1024 * 1024;

WmConfig wm_config_default(void) {
  return (WmConfig){
      .cell_size = 0.3f,
      .cell_height = 0.2f,
      .agent_height = 2.0f,
      .agent_radius = 0.6f,
      .agent_max_climb = 0.9f,
      .agent_max_slope = 45.0f,
      .partition = WM_PARTITION_WATERSHED,
      .chunk_size = 16,
      .min_region_size = 8.0f,
      .merge_region_size = 20.0f,
      .max_edge_length = 12.0f,
      .max_edge_error = 1.3f,
      .max_vertices_per_polygon = 6,
      .detail_sample_distance = 6.0f,
      .detail_max_error = 1.0f,
      .tile_size = 0,
      .filter_low_hanging_obstacles = true,
      .filter_ledges = true,
      .filter_low_height = true,
  };
}

typedef struct FieldRange {
  const char *name;
  double value;
  double minimum;
  double maximum;
  const char *advice;
} FieldRange;

/* Written so that NaN fails. */
static bool is_inside(const FieldRange *field) {
  return field->value >= field->minimum && field->value <= field->maximum;
}

static WmStatus fail_field(WmContext *context, const FieldRange *field) {
  return wm_fail_range(context, WM_ERROR_CONFIGURATION, field->name, field->value, field->minimum,
                       field->maximum, field->advice);
}

static WmStatus check_ranges(WmContext *context, const WmConfig *config) {
  const FieldRange fields[] = {
      {"cellSize", config->cell_size, 1e-6, 1e6, "world units"},
      {"cellHeight", config->cell_height, 1e-6, 1e6, "world units"},
      {"agentHeight", config->agent_height, 1e-6, 1e6, "world units"},
      {"agentRadius", config->agent_radius, 0, 1e6, "world units"},
      {"agentMaxClimb", config->agent_max_climb, 0, 1e6, "world units"},
      {"agentMaxSlope", config->agent_max_slope, 0, 90, "degrees"},
      {"partition", config->partition, WM_PARTITION_WATERSHED, WM_PARTITION_CHUNKY,
       "watershed, monotone, layers or chunky"},
      {"chunkSize", config->chunk_size, 1, 4096, "cells"},
      {"minRegionSize", config->min_region_size, 0, 10000, "cells on a side"},
      {"mergeRegionSize", config->merge_region_size, 0, 10000, "cells on a side"},
      {"maxEdgeLength", config->max_edge_length, 0, 1e6, "world units, 0 = off"},
      {"maxEdgeError", config->max_edge_error, 0, 1000, "cells"},
      {"maxVerticesPerPolygon", config->max_vertices_per_polygon, 3, 6, NULL},
      {"detailMaxError", config->detail_max_error, 0, 10000, "cell heights"},
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (!is_inside(&fields[i])) return fail_field(context, &fields[i]);
  }
  const FieldRange detail = {"detailSampleDistance", config->detail_sample_distance, 0.9f, 10000,
                             "cells, or 0 for no height detail"};
  if (config->detail_sample_distance != 0 && !is_inside(&detail)) return fail_field(context, &detail);
  const FieldRange tile = {"tileSize", config->tile_size, 8, 4096, "cells, or 0 for a single tile"};
  if (config->tile_size != 0 && !is_inside(&tile)) return fail_field(context, &tile);
  return WM_OK;
}

static float height_in_cells(const WmConfig *config) {
  return ceilf(config->agent_height / config->cell_height);
}

static float radius_in_cells(const WmConfig *config) {
  return ceilf(config->agent_radius / config->cell_size);
}

static WmStatus check_bounds(WmContext *context, const WmConfig *config) {
  for (int axis = 0; axis < 3; axis++) {
    if (!(config->bounds_min[axis] < config->bounds_max[axis]) ||
        !isfinite(config->bounds_max[axis] - config->bounds_min[axis])) {
      return wm_fail_number(context, WM_ERROR_CONFIGURATION, "bounds",
                            "bounds: the minimum must be below the maximum and both finite on axis ", axis,
                            "");
    }
  }
  return WM_OK;
}

WmStatus wm_config_check(WmContext *context, const WmConfig *config) {
  const WmStatus status = check_ranges(context, config);
  if (status) return status;
  if (config->agent_max_climb > config->agent_height) {
    return wm_fail_range(context, WM_ERROR_CONFIGURATION, "agentMaxClimb", config->agent_max_climb, 0,
                         config->agent_height, "an agent cannot climb higher than agentHeight");
  }
  return config->has_bounds ? check_bounds(context, config) : WM_OK;
}

/* "cellSize 1e-6 makes a grid of W x D cells, about N GiB ..." */
static WmStatus fail_grid(WmContext *context, const WmConfig *config, double bytes) {
  return wm_fail_number(context, WM_ERROR_CONFIGURATION, "cellSize",
                        config->tile_size
                            ? "cellSize is too small for the extents: the level would have more "
                              "than a million tiles and its bake would go through about "
                            : "cellSize is too small for the extents: a single tile would take "
                              "about ",
                        bytes / GIGABYTE,
                        config->tile_size ? " GiB; raise cellSize or tileSize, or set bounds"
                                          : " GiB of memory; raise cellSize, set tileSize, or set bounds");
}

static WmStatus check_grid(WmContext *context, const WmConfig *config, const float bounds_min[3],
                           const float bounds_max[3]) {
  const double width = ((double)bounds_max[0] - bounds_min[0]) / config->cell_size;
  const double depth = ((double)bounds_max[2] - bounds_min[2]) / config->cell_size;
  const double height = ((double)bounds_max[1] - bounds_min[1]) / config->cell_height;
  const double bytes = width * depth * BYTES_A_CELL;
  if (config->tile_size) {
    const double tiles = ceil(width / config->tile_size) * ceil(depth / config->tile_size);
    if (!(tiles <= TILE_COUNT_LIMIT)) return fail_grid(context, config, bytes);
  } else if (!(width <= GRID_SIDE_LIMIT && depth <= GRID_SIDE_LIMIT && bytes <= MEMORY_LIMIT)) {
    return fail_grid(context, config, bytes);
  }
  if (!(height <= SPAN_HEIGHT_LIMIT)) {
    return wm_fail_range(context, WM_ERROR_CONFIGURATION, "cellHeight", config->cell_height,
                         ((double)bounds_max[1] - bounds_min[1]) / SPAN_HEIGHT_LIMIT, NAN,
                         "the level may be at most 65533 cells tall: raise cellHeight or set bounds");
  }
  double largest = 0;
  for (int axis = 0; axis < 3; axis += 2) {
    largest = fmax(largest, fmax(fabs((double)bounds_min[axis]), fabs((double)bounds_max[axis])));
  }
  const double spacing = largest / 8388608.0; /* of float32 values that large, at most */
  if (config->cell_size < 2 * spacing) {
    return wm_fail_range(context, WM_ERROR_CONFIGURATION, "cellSize", config->cell_size, 2 * spacing, NAN,
                         "float32 coordinates that far from the origin are no finer: move the level");
  }
  return WM_OK;
}

/* After the grid: cells that are absurdly small are better told by the memory they would take. */
static WmStatus check_agent_cells(WmContext *context, const WmConfig *config) {
  if (height_in_cells(config) > 255) {
    return wm_fail_range(context, WM_ERROR_CONFIGURATION, "agentHeight", config->agent_height, 0,
                         255.0 * config->cell_height, "at most 255 cell heights: raise cellHeight");
  }
  if (radius_in_cells(config) > 127) {
    return wm_fail_range(context, WM_ERROR_CONFIGURATION, "agentRadius", config->agent_radius, 0,
                         127.0 * config->cell_size, "at most 127 cells: raise cellSize");
  }
  return WM_OK;
}

WmStatus wm_config_to_voxels(WmContext *context, const WmConfig *config, const float bounds_min[3],
                             const float bounds_max[3], WmVoxelConfig *voxels) {
  WmStatus status = wm_config_check(context, config);
  if (!status) status = check_grid(context, config, bounds_min, bounds_max);
  if (!status) status = check_agent_cells(context, config);
  if (status) return status;
  const float cell = config->cell_size, cell_height = config->cell_height;
  *voxels = (WmVoxelConfig){
      .width = (int32_t)((bounds_max[0] - bounds_min[0]) / cell + 0.5f),
      .depth = (int32_t)((bounds_max[2] - bounds_min[2]) / cell + 0.5f),
      .walkable_height = (int32_t)height_in_cells(config),
      .walkable_climb = (int32_t)floorf(config->agent_max_climb / cell_height),
      .walkable_radius = (int32_t)radius_in_cells(config),
      .max_edge_cells = (int32_t)fminf(config->max_edge_length / cell, (float)(1 << 20)),
      .min_region_cells = (int32_t)(config->min_region_size * config->min_region_size),
      .merge_region_cells = (int32_t)(config->merge_region_size * config->merge_region_size),
      .detail_sample_distance_world =
          config->detail_sample_distance < 0.9f ? 0.0f : cell * config->detail_sample_distance,
      .detail_max_error_world = cell_height * config->detail_max_error,
      .tile_count_x = 1,
      .tile_count_z = 1,
  };
  if (voxels->width < 1 || voxels->depth < 1) {
    return wm_fail_range(context, WM_ERROR_CONFIGURATION, "cellSize", cell, NAN,
                         fmin((double)bounds_max[0] - bounds_min[0], (double)bounds_max[2] - bounds_min[2]),
                         "the level is smaller than a cell on x or z");
  }
  if (config->tile_size) {
    voxels->border_size = voxels->walkable_radius + 3;
    voxels->tile_count_x = (voxels->width + config->tile_size - 1) / config->tile_size;
    voxels->tile_count_z = (voxels->depth + config->tile_size - 1) / config->tile_size;
    voxels->tile_world_size = (float)config->tile_size * cell;
  }
  return WM_OK;
}
