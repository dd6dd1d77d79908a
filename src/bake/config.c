/* Checks a configuration and derives voxel values from it. See config.h.
 *
 * The formulas are those of Recast's demo, every operation rounded to float32: one voxel more or less
 * changes every later stage. */
#include "bake/config.h"

#include <math.h>

/* Polygon meshes store grid coordinates in 16 bits. */
enum { GRID_SIDE_LIMIT = 65534, TILE_COUNT_LIMIT = 1 << 20, SPAN_HEIGHT_LIMIT = 65533 };
/* Of bounds that are open above: below SPAN_HEIGHT_LIMIT, whichever way the sum is rounded. */
static const float OPEN_TOP_CELLS = 65000;

/* Peak bytes a cell of a single-tile bake, measured over tests/scenes (one to two span layers). */
static const double BYTES_A_CELL = 64;
static const double MEMORY_LIMIT = 3.5 * 1024 * 1024 * 1024;
/* Equal numbers of cells may need lengths that differ by a rounding: heights are rounded up to cells, climbs down. */
static const float ROUNDING_SLACK = 1 + 4e-7f;
/* Wider levels, in agent radii, may be in other units. */
static const double VAST_RADII = 1000;
static const double GIGABYTE = 1024.0 * 1024 * 1024;

/* ---- Fields one by one ------------------------------------------------------------------------------- */

#define REAL(field) offsetof(WmConfig, field), WM_FIELD_REAL
#define INTEGER(field) offsetof(WmConfig, field), WM_FIELD_INTEGER
#define SWITCH(field) offsetof(WmConfig, field), WM_FIELD_SWITCH

const WmConfigField WM_CONFIG_FIELDS[WM_CONFIG_FIELD_COUNT] = {
    {"cellSize", REAL(cell_size), false, 0.3f, 1e-6f, 1e6f, "world units"},
    {"cellHeight", REAL(cell_height), false, 0.2f, 1e-6f, 1e6f, "world units"},
    {"agentHeight", REAL(agent_height), false, 2, 1e-6f, 1e6f, "world units"},
    {"agentRadius", REAL(agent_radius), false, 0.6f, 0, 1e6f, "world units"},
    {"agentMaxClimb", REAL(agent_max_climb), false, 0.9f, 0, 1e6f, "world units"},
    {"agentMaxSlope", REAL(agent_max_slope), false, 45, 0, 90, "degrees"},
    {"partition", INTEGER(partition), false, WM_PARTITION_WATERSHED, WM_PARTITION_WATERSHED,
     WM_PARTITION_CHUNKY, "watershed, monotone, layers or chunky"},
    {"chunkSize", INTEGER(chunk_size), false, 16, 1, 4096, "cells"},
    {"minRegionSize", REAL(min_region_size), false, 8, 0, 10000, "cells on a side"},
    {"mergeRegionSize", REAL(merge_region_size), false, 20, 0, 10000, "cells on a side"},
    {"maxEdgeLength", REAL(max_edge_length), false, 12, 0, 1e6f, "world units, 0 = off"},
    {"maxEdgeError", REAL(max_edge_error), false, 1.3f, 0, 1000, "cells"},
    {"maxVerticesPerPolygon", INTEGER(max_vertices_per_polygon), false, 6, 3, 6, NULL},
    {"detailSampleDistance", REAL(detail_sample_distance), true, 6, 0.9f, 10000,
     "cells, or 0 for no height detail"},
    {"detailMaxError", REAL(detail_max_error), false, 1, 0, 10000, "cell heights"},
    {"tileSize", INTEGER(tile_size), true, 0, 8, 4096, "cells, or 0 for a single tile"},
    {"filterLowHangingObstacles", SWITCH(filter_low_hanging_obstacles), false, 1, 0, 1, NULL},
    {"filterLedges", SWITCH(filter_ledges), false, 1, 0, 1, NULL},
    {"filterLowHeight", SWITCH(filter_low_height), false, 1, 0, 1, NULL},
    {"medianFilter", SWITCH(median_filter), false, 0, 0, 1, NULL},
    {"heights", INTEGER(heights), false, WM_HEIGHTS_VOXELS, WM_HEIGHTS_VOXELS, WM_HEIGHTS_SURFACE,
     "voxels or surface"},
};

double wm_config_get(const WmConfig *config, const WmConfigField *field) {
  const void *address = (const char *)config + field->offset;
  if (field->kind == WM_FIELD_REAL) return *(const float *)address;
  return field->kind == WM_FIELD_INTEGER ? *(const int32_t *)address : *(const bool *)address;
}

void wm_config_set(WmConfig *config, const WmConfigField *field, double value) {
  void *address = (char *)config + field->offset;
  if (field->kind == WM_FIELD_REAL) {
    *(float *)address = (float)value;
  } else if (field->kind == WM_FIELD_INTEGER) {
    *(int32_t *)address = (int32_t)value;
  } else {
    *(bool *)address = value != 0;
  }
}

WmConfig wm_config_default(void) {
  WmConfig config = {0};
  for (int i = 0; i < WM_CONFIG_FIELD_COUNT; i++) {
    wm_config_set(&config, &WM_CONFIG_FIELDS[i], WM_CONFIG_FIELDS[i].initial);
  }
  return config;
}

/* ---- Checks ------------------------------------------------------------------------------------------ */

static WmStatus fail(WmContext *context, const char *field, double value, double minimum, double maximum,
                     const char *advice) {
  return wm_fail_range(context, WM_ERROR_CONFIGURATION, field, value, minimum, maximum, advice);
}

WmStatus wm_config_check(WmContext *context, const WmConfig *config) {
  for (int i = 0; i < WM_CONFIG_FIELD_COUNT; i++) {
    const WmConfigField *field = &WM_CONFIG_FIELDS[i];
    const double value = wm_config_get(config, field);
    if (value >= field->minimum && value <= field->maximum) continue; /* written so that NaN fails */
    if (value == 0 && field->or_zero) continue;
    return fail(context, field->name, value, field->minimum, field->maximum, field->advice);
  }
  if (config->agent_max_climb > config->agent_height * ROUNDING_SLACK) {
    return fail(context, "agentMaxClimb", config->agent_max_climb, 0, config->agent_height,
                "no higher than agentHeight");
  }
  for (int axis = 0; axis < 3 && config->has_bounds; axis++) {
    const float extent = config->bounds_max[axis] - config->bounds_min[axis];
    if ((extent > 0 || (extent == 0 && axis == 1)) && extent < INFINITY)
      continue; /* a flat level has
                                                                                      equal bounds on y */
    return wm_fail_number(context, WM_ERROR_CONFIGURATION, "bounds",
                          "bounds: the minimum must be below the maximum, both finite, on axis ", axis, "");
  }
  return WM_OK;
}

static WmStatus check_grid(WmContext *context, const WmConfig *config, const float bounds_min[3],
                           const float bounds_max[3]) {
  double farthest = 0, widest = 0, tiles = 1, bytes = BYTES_A_CELL;
  for (int axis = 0; axis < 3; axis += 2) {
    const double side = ((double)bounds_max[axis] - bounds_min[axis]) / config->cell_size;
    bytes *= side;
    if (config->tile_size) tiles *= ceil(side / config->tile_size);
    if (side > widest) widest = side;
    if (-bounds_min[axis] > farthest) farthest = -bounds_min[axis];
    if (bounds_max[axis] > farthest) farthest = bounds_max[axis];
  }
  const bool fits = config->tile_size || (widest <= GRID_SIDE_LIMIT && bytes <= MEMORY_LIMIT);
  if (!fits || !(tiles <= TILE_COUNT_LIMIT)) {
    const bool is_vast = widest * config->cell_size > VAST_RADII * config->agent_radius;
    return wm_fail_number(context, WM_ERROR_CONFIGURATION, "cellSize",
                          is_vast
                              ? "Is the level in centimetres? Scale it to the units of agentRadius. If it "
                                "isn't, cellSize is too small for the extents: all cells would take about "
                              : "cellSize is too small for the extents: all cells would take about ",
                          bytes / GIGABYTE,
                          " GiB of memory; raise cellSize, set or raise tileSize (at most a million tiles), "
                          "or set bounds");
  }
  const double height = (double)bounds_max[1] - bounds_min[1];
  if (!(height / config->cell_height <= SPAN_HEIGHT_LIMIT)) {
    return fail(context, "cellHeight", config->cell_height, height / SPAN_HEIGHT_LIMIT, NAN,
                "at most 65533 cells tall: raise cellHeight or set bounds");
  }
  const double spacing = farthest / 8388608.0; /* largest spacing of float32 values of that size */
  if (config->cell_size < 2 * spacing) {
    return fail(context, "cellSize", config->cell_size, 2 * spacing, NAN,
                "the level is too far from the origin for smaller cells: move it nearer");
  }
  return WM_OK;
}

/* Fails for a level without a cell on x or z: a flat and upright one, as an unrotated plane, or a small one. */
static WmStatus fail_thin(WmContext *context, const WmConfig *config, const float bounds_min[3],
                          const float bounds_max[3]) {
  const float x = bounds_max[0] - bounds_min[0], z = bounds_max[2] - bounds_min[2];
  const float narrow = x < z ? x : z;
  if (!(narrow < 0.001f * (bounds_max[1] - bounds_min[1]))) {
    const double least = WM_CONFIG_FIELDS[0].minimum; /* of cellSize */
    if (narrow >= least) {
      return fail(context, "cellSize", config->cell_size, least, narrow,
                  x < z ? "the level is smaller than a cell on x" : "the level is smaller than a cell on z");
    }
    return wm_fail_number(context, WM_ERROR_CONFIGURATION, "cellSize", "the level is only ", narrow,
                          x < z ? " wide on x, smaller than any cell: is its scale 0?"
                                : " wide on z, smaller than any cell: is its scale 0?");
  }
  return wm_fail(
      context, WM_ERROR_CONFIGURATION, "cellSize",
      x < z ? "the level is flat along x, and upright: y must be up"
            : "the level is flat along z, and upright: is z up? y must be up: turn x, y, z to x, z, -y");
}

float wm_config_top(const WmConfig *config, const float bounds_min[3], const float bounds_max[3]) {
  if (!config->has_bounds || !config->bounds_above) return bounds_max[1];
  return fmaxf(bounds_max[1], bounds_min[1] + OPEN_TOP_CELLS * config->cell_height);
}

WmStatus wm_config_to_voxels(WmContext *context, const WmConfig *config, const float bounds_min[3],
                             const float bounds_max[3], WmVoxelConfig *voxels) {
  WmStatus status = wm_config_check(context, config);
  if (!status) status = check_grid(context, config, bounds_min, bounds_max);
  if (status) return status;
  const float cell = config->cell_size, cell_height = config->cell_height;
  const float height = ceilf(config->agent_height / cell_height), radius = ceilf(config->agent_radius / cell);
  /* After the grid: for absurdly small cells the estimate of memory is the better message. */
  if (height > 255) {
    return fail(context, "agentHeight", config->agent_height, 0, 255.0 * cell_height,
                "at most 255 cell heights: raise cellHeight");
  }
  if (radius > 127) {
    return fail(context, "agentRadius", config->agent_radius, 0, 127.0 * cell,
                "at most 127 cells: raise cellSize");
  }
  const float extent_x = bounds_max[0] - bounds_min[0], extent_z = bounds_max[2] - bounds_min[2];
  const float edge = config->max_edge_length / cell;
  *voxels = (WmVoxelConfig){
      .width = (int32_t)(extent_x / cell + 0.5f),
      .depth = (int32_t)(extent_z / cell + 0.5f),
      .walkable_height = (int32_t)height,
      .walkable_climb = (int32_t)floorf(config->agent_max_climb / cell_height),
      .walkable_radius = (int32_t)radius,
      .max_edge_cells = edge < (float)(1 << 20) ? (int32_t)edge : 1 << 20,
      .min_region_cells = (int32_t)(config->min_region_size * config->min_region_size),
      .merge_region_cells = (int32_t)(config->merge_region_size * config->merge_region_size),
      .detail_sample_distance_world = cell * config->detail_sample_distance,
      .detail_max_error_world = cell_height * config->detail_max_error,
      .tile_count_x = 1,
      .tile_count_z = 1,
  };
  if (voxels->width < 1 || voxels->depth < 1) {
    return fail_thin(context, config, bounds_min, bounds_max);
  }
  if (config->tile_size) {
    voxels->border_size = voxels->walkable_radius + 3;
    voxels->tile_count_x = (voxels->width + config->tile_size - 1) / config->tile_size;
    voxels->tile_count_z = (voxels->depth + config->tile_size - 1) / config->tile_size;
    voxels->tile_world_size = (float)config->tile_size * cell;
  }
  return WM_OK;
}
