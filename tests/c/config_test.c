/* The configuration: the range of each field, as docs/configuration.md states it, limits of grids, and the voxel
 * values of a level. */
#include "bake/config.h"

#include <math.h>

#include "check.h"

static WmContext *context;

/* ---- Fields ------------------------------------------------------------------------------------------ */

static const struct {
  const char *name;
  float initial, minimum, maximum;
  bool or_zero;
} RANGES[WM_CONFIG_FIELD_COUNT] = {
    {"cellSize", 0.3f, 1e-6f, 1e6f, false},
    {"cellHeight", 0.2f, 1e-6f, 1e6f, false},
    {"agentHeight", 2, 1e-6f, 1e6f, false},
    {"agentRadius", 0.6f, 0, 1e6f, false},
    {"agentMaxClimb", 0.9f, 0, 1e6f, false},
    {"agentMaxSlope", 45, 0, 90, false},
    {"partition", 0, 0, 3, false},
    {"chunkSize", 16, 1, 4096, false},
    {"minRegionSize", 8, 0, 10000, false},
    {"mergeRegionSize", 20, 0, 10000, false},
    {"maxEdgeLength", 12, 0, 1e6f, false},
    {"maxEdgeError", 1.3f, 0, 1000, false},
    {"maxVerticesPerPolygon", 6, 3, 6, false},
    {"detailSampleDistance", 6, 0.9f, 10000, true},
    {"detailMaxError", 1, 0, 10000, false},
    {"tileSize", 0, 8, 4096, true},
    {"filterLowHangingObstacles", 1, 0, 1, false},
    {"filterLedges", 1, 0, 1, false},
    {"filterLowHeight", 1, 0, 1, false},
    {"medianFilter", 0, 0, 1, false},
    {"heights", 0, 0, 1, false},
};

/* The status of a configuration with one field changed. Agents are as high as they may climb. */
static WmStatus check_with(const WmConfigField *field, double value) {
  WmConfig config = wm_config_default();
  if (strcmp(field->name, "agentMaxClimb") == 0) config.agent_height = 1e6f;
  if (strcmp(field->name, "agentHeight") == 0) config.agent_max_climb = 0;
  wm_config_set(&config, field, value);
  CHECK(wm_config_get(&config, field) == value || isnan(value));
  return wm_config_check(context, &config);
}

static void check_refused(const WmConfigField *field, double value) {
  CHECK_EQUAL_INT(check_with(field, value), WM_ERROR_CONFIGURATION);
  const WmFailure *failure = wm_context_failure(context);
  CHECK(strcmp(failure->field, field->name) == 0);
  CHECK(failure->value == value || isnan(value));
  CHECK(failure->minimum == (double)field->minimum && failure->maximum == (double)field->maximum);
}

static void each_field_has_its_range(void) {
  const WmConfig config = wm_config_default();
  for (int i = 0; i < WM_CONFIG_FIELD_COUNT; i++) {
    const WmConfigField *field = &WM_CONFIG_FIELDS[i];
    const float low = RANGES[i].minimum, high = RANGES[i].maximum;
    CHECK(strcmp(field->name, RANGES[i].name) == 0);
    CHECK(wm_config_get(&config, field) == (double)RANGES[i].initial);
    CHECK(field->minimum == low && field->maximum == high && field->or_zero == RANGES[i].or_zero);
    CHECK_EQUAL_INT(check_with(field, low), WM_OK);
    CHECK_EQUAL_INT(check_with(field, high), WM_OK);
    if (field->kind == WM_FIELD_SWITCH) continue;
    const bool is_real = field->kind == WM_FIELD_REAL;
    check_refused(field, is_real ? nextafterf(low, -INFINITY) : low - 1);
    check_refused(field, is_real ? nextafterf(high, INFINITY) : high + 1);
    if (is_real) check_refused(field, NAN);
    CHECK_EQUAL_INT(check_with(field, 0) == WM_OK, low <= 0 || RANGES[i].or_zero);
  }
}

static void agents_climb_at_most_their_height(void) {
  WmConfig config = wm_config_default();
  config.agent_max_climb = config.agent_height;
  CHECK_EQUAL_INT(wm_config_check(context, &config), WM_OK);
  /* As many cells of climb as of height may need a length that is larger by a rounding. */
  config.agent_max_climb = nextafterf(config.agent_height, INFINITY);
  CHECK_EQUAL_INT(wm_config_check(context, &config), WM_OK);
  config.agent_max_climb = config.agent_height * (1 + 1e-6f);
  CHECK_EQUAL_INT(wm_config_check(context, &config), WM_ERROR_CONFIGURATION);
  const WmFailure *failure = wm_context_failure(context);
  CHECK(strcmp(failure->field, "agentMaxClimb") == 0);
  CHECK(failure->minimum == 0 && failure->maximum == (double)config.agent_height);
}

/* Bounds may be flat on y only. */
static void bounds_must_have_an_extent(void) {
  WmConfig config = wm_config_default();
  for (int axis = 0; axis < 3; axis++) {
    static const float ENDS[5] = {1, 0, -1, INFINITY, NAN};
    for (int i = 0; i < 5; i++) {
      for (int k = 0; k < 3; k++) config.bounds_max[k] = 1;
      config.bounds_max[axis] = ENDS[i];
      const bool is_sound = i == 0 || (i == 1 && axis == 1);
      config.has_bounds = true;
      CHECK_EQUAL_INT(wm_config_check(context, &config), is_sound ? WM_OK : WM_ERROR_CONFIGURATION);
      if (!is_sound) CHECK(wm_context_failure(context)->value == axis);
      config.has_bounds = false;
      CHECK_EQUAL_INT(wm_config_check(context, &config), WM_OK);
    }
  }
}

/* ---- Grids ------------------------------------------------------------------------------------------- */

/* The field that a level from `low` to `high` is refused for; "" if it is sound. */
static const char *refused_field(const WmConfig *config, const float low[3], const float high[3]) {
  WmVoxelConfig voxels;
  const WmStatus status = wm_config_to_voxels(context, config, low, high, &voxels);
  CHECK(status == WM_OK || status == WM_ERROR_CONFIGURATION);
  return status ? wm_context_failure(context)->field : "";
}

/* A level that begins at the origin, with cells of 1. */
static const char *refused_size(int32_t tile_size, float x, float y, float z) {
  WmConfig config = wm_config_default();
  config.cell_size = config.cell_height = 1;
  config.tile_size = tile_size;
  const float low[3] = {0, 0, 0}, high[3] = {x, y, z};
  return refused_field(&config, low, high);
}

static void grids_reach_their_limits(void) {
  const struct {
    int32_t tile_size;
    float x, y, z;
    const char *field;
  } levels[] = {
      {0, 65534, 1, 1, ""},
      {0, 65535, 1, 1, "cellSize"},
      {0, 1, 1, 65534, ""},
      {0, 1, 1, 65535, "cellSize"},
      {0, 7168, 1, 8192, ""}, /* 64 bytes a cell, 3.5 GiB */
      {0, 7168, 1, 8193, "cellSize"},
      {8, 8192, 1, 8192, ""}, /* 1024 x 1024 tiles */
      {8, 8193, 1, 8192, "cellSize"},
      {8, 8192, 1, 8193, "cellSize"},
      {0, 9, 65533, 9, ""},
      {0, 9, 65534, 9, "cellHeight"},
      {0, 0.5f, 1, 9, ""}, /* half a cell is rounded up */
      {0, 9, 1, 0.5f, ""},
      {0, 0.49f, 1, 9, "cellSize"},
      {0, 9, 1, 0.49f, "cellSize"},
  };
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    const char *field = refused_size(levels[i].tile_size, levels[i].x, levels[i].y, levels[i].z);
    if (strcmp(field, levels[i].field) != 0) printf("level %zu: %s\n", i, field);
    CHECK(strcmp(field, levels[i].field) == 0);
  }
}

/* Two positions of float32 lie in a cell at least. */
static void levels_far_from_the_origin_need_larger_cells(void) {
  WmConfig config = wm_config_default();
  config.cell_size = 1;
  for (int axis = 0; axis < 3; axis++) {
    for (int side = -1; side <= 1; side += 2) {
      for (int beyond = 0; beyond < 2; beyond++) {
        float low[3] = {0, 0, 0}, high[3] = {9, 9, 9};
        const float far = (float)side * (4194304 + (float)beyond);
        low[axis] = side < 0 ? far : far - 9;
        high[axis] = side < 0 ? far + 9 : far;
        CHECK(strcmp(refused_field(&config, low, high), beyond && axis != 1 ? "cellSize" : "") == 0);
        if (beyond && axis != 1) {
          CHECK(wm_context_failure(context)->minimum == 2 * 4194305.0 / 8388608.0);
        }
      }
    }
  }
}

static void agents_reach_their_limits_in_cells(void) {
  WmConfig config = wm_config_default();
  config.cell_size = 0.5f;
  config.cell_height = 0.25f;
  const float low[3] = {0, 0, 0}, high[3] = {40, 4, 40};
  config.agent_height = 255 * 0.25f;
  CHECK(strcmp(refused_field(&config, low, high), "") == 0);
  config.agent_height += 0.01f;
  CHECK(strcmp(refused_field(&config, low, high), "agentHeight") == 0);
  CHECK(wm_context_failure(context)->maximum == 255 * 0.25 && wm_context_failure(context)->minimum == 0);
  config.agent_height = 2;
  config.agent_radius = 127 * 0.5f;
  CHECK(strcmp(refused_field(&config, low, high), "") == 0);
  config.agent_radius += 0.01f;
  CHECK(strcmp(refused_field(&config, low, high), "agentRadius") == 0);
  CHECK(wm_context_failure(context)->maximum == 127 * 0.5 && wm_context_failure(context)->minimum == 0);
}

/* ---- Voxel values ------------------------------------------------------------------------------------ */

static void voxels_are_rounded_as_each_value_needs(void) {
  WmConfig config = wm_config_default();
  config.cell_size = 0.25f;
  config.cell_height = 0.125f;
  config.agent_height = 1.9f; /* 15.2 cells */
  config.min_region_size = 2.5f;
  config.detail_max_error = 3;
  const float low[3] = {-1, 0, 2}, high[3] = {9.1f, 5, 18.2f}; /* 40.4 x 64.8 cells */
  for (int tiled = 0; tiled < 2; tiled++) {
    WmVoxelConfig voxels;
    config.tile_size = tiled ? 40 : 0;
    CHECK_EQUAL_INT(wm_config_to_voxels(context, &config, low, high, &voxels), WM_OK);
    CHECK_EQUAL_INT(voxels.width, 40);
    CHECK_EQUAL_INT(voxels.depth, 65);
    CHECK_EQUAL_INT(voxels.walkable_height, 16);
    CHECK_EQUAL_INT(voxels.walkable_climb, 7);  /* of 7.2 */
    CHECK_EQUAL_INT(voxels.walkable_radius, 3); /* of 2.4 */
    CHECK_EQUAL_INT(voxels.max_edge_cells, 48);
    CHECK_EQUAL_INT(voxels.min_region_cells, 6); /* of 6.25 */
    CHECK_EQUAL_INT(voxels.merge_region_cells, 400);
    CHECK(voxels.detail_sample_distance_world == 1.5f && voxels.detail_max_error_world == 0.375f);
    CHECK_EQUAL_INT(voxels.border_size, tiled ? 6 : 0);
    CHECK_EQUAL_INT(voxels.tile_count_x, 1);
    CHECK_EQUAL_INT(voxels.tile_count_z, tiled ? 2 : 1);
    CHECK(voxels.tile_world_size == (tiled ? 10.0f : 0.0f));
  }
}

static void edges_are_at_most_a_million_cells_long(void) {
  WmConfig config = wm_config_default();
  const float low[3] = {0, 0, 0}, high[3] = {9, 9, 9};
  WmVoxelConfig voxels;
  config.cell_size = 0.5f;
  const float lengths[3] = {524287.5f, 524288, 1e6f};
  for (int i = 0; i < 3; i++) {
    config.max_edge_length = lengths[i];
    CHECK_EQUAL_INT(wm_config_to_voxels(context, &config, low, high, &voxels), WM_OK);
    CHECK_EQUAL_INT(voxels.max_edge_cells, i == 0 ? 1048575 : 1048576);
  }
}

int main(void) {
  context = wm_context_create(NULL);
  RUN(each_field_has_its_range);
  RUN(agents_climb_at_most_their_height);
  RUN(bounds_must_have_an_extent);
  RUN(grids_reach_their_limits);
  RUN(levels_far_from_the_origin_need_larger_cells);
  RUN(agents_reach_their_limits_in_cells);
  RUN(voxels_are_rounded_as_each_value_needs);
  RUN(edges_are_at_most_a_million_cells_long);
  wm_context_destroy(context);
  return check_finish();
}
