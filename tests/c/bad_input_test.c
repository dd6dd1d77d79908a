/* Bad input fails at once with a named error, and the same context bakes a good level afterwards. */
#include <math.h>
#include <stddef.h>

#include "bake/input/input_check.h"
#include "check.h"
#include "scene.h"

static WmContext *context;
static uint64_t good_hash;

/* The level that must still bake after every failure. */
static uint64_t bake_good(void) {
  Scene scene = make_random_scene(1);
  const WmBakeInput input = scene_input(&scene);
  const WmConfig config = wm_config_default();
  uint64_t hash = 0;
  CHECK_EQUAL_INT(bake_scene(context, &config, &input, &hash, NULL), WM_OK);
  free_scene(&scene);
  return hash;
}

static void expect_failure(const WmConfig *config, const WmBakeInput *input, WmStatus status,
                           const char *field, const char *words) {
  CHECK_EQUAL_INT(bake_scene(context, config, input, NULL, NULL), status);
  const WmError *error = wm_context_error(context);
  CHECK_EQUAL_INT(error->status, status);
  if (strcmp(error->field, field) != 0 || !strstr(error->message, words)) {
    char text[512];
    snprintf(text, sizeof text, "error names \"%s\": %s; expected \"%s\" and \"%s\"", error->field,
             error->message, field, words);
    check_report(__FILE__, __LINE__, text);
  }
  CHECK(bake_good() == good_hash);
}

static void expect_bad_config(WmConfig config, const char *field, const char *words) {
  Scene scene = make_square(20);
  const WmBakeInput input = scene_input(&scene);
  expect_failure(&config, &input, WM_ERROR_CONFIGURATION, field, words);
  free_scene(&scene);
}

static void configuration_fields_out_of_range_are_named(void) {
  const struct {
    size_t offset;
    float value;
    const char *field;
  } reals[] = {
      {offsetof(WmConfig, cell_size), 0, "cellSize"},
      {offsetof(WmConfig, cell_size), -1, "cellSize"},
      {offsetof(WmConfig, cell_size), NAN, "cellSize"},
      {offsetof(WmConfig, cell_size), INFINITY, "cellSize"},
      {offsetof(WmConfig, cell_height), 0, "cellHeight"},
      {offsetof(WmConfig, cell_height), NAN, "cellHeight"},
      {offsetof(WmConfig, agent_height), 0, "agentHeight"},
      {offsetof(WmConfig, agent_height), 100, "agentHeight"},
      {offsetof(WmConfig, agent_radius), -0.1f, "agentRadius"},
      {offsetof(WmConfig, agent_radius), 50, "agentRadius"},
      {offsetof(WmConfig, agent_max_climb), -1, "agentMaxClimb"},
      {offsetof(WmConfig, agent_max_climb), 2.1f, "agentMaxClimb"},
      {offsetof(WmConfig, agent_max_slope), -1, "agentMaxSlope"},
      {offsetof(WmConfig, agent_max_slope), 91, "agentMaxSlope"},
      {offsetof(WmConfig, agent_max_slope), NAN, "agentMaxSlope"},
      {offsetof(WmConfig, min_region_size), -1, "minRegionSize"},
      {offsetof(WmConfig, merge_region_size), 1e9f, "mergeRegionSize"},
      {offsetof(WmConfig, max_edge_length), -1, "maxEdgeLength"},
      {offsetof(WmConfig, max_edge_error), NAN, "maxEdgeError"},
      {offsetof(WmConfig, detail_sample_distance), 1e-4f, "detailSampleDistance"},
      {offsetof(WmConfig, detail_sample_distance), -1, "detailSampleDistance"},
      {offsetof(WmConfig, detail_max_error), -1, "detailMaxError"},
  };
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
    WmConfig config = wm_config_default();
    memcpy((char *)&config + reals[i].offset, &reals[i].value, sizeof(float));
    expect_bad_config(config, reals[i].field, "must be");
  }
  const struct {
    size_t offset;
    int32_t value;
    const char *field;
  } integers[] = {
      {offsetof(WmConfig, partition), 4, "partition"},
      {offsetof(WmConfig, partition), -1, "partition"},
      {offsetof(WmConfig, chunk_size), 0, "chunkSize"},
      {offsetof(WmConfig, max_vertices_per_polygon), 2, "maxVerticesPerPolygon"},
      {offsetof(WmConfig, max_vertices_per_polygon), 7, "maxVerticesPerPolygon"},
      {offsetof(WmConfig, tile_size), 7, "tileSize"},
      {offsetof(WmConfig, tile_size), -1, "tileSize"},
      {offsetof(WmConfig, tile_size), 5000, "tileSize"},
  };
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    WmConfig config = wm_config_default();
    memcpy((char *)&config + integers[i].offset, &integers[i].value, sizeof(int32_t));
    expect_bad_config(config, integers[i].field, "must be");
  }
}

static void cells_too_small_for_the_extents_carry_a_memory_estimate(void) {
  WmConfig config = wm_config_default();
  config.cell_size = 1e-4f;
  expect_bad_config(config, "cellSize", "GiB of memory");
  config.tile_size = 16;
  expect_bad_config(config, "cellSize", "GiB");
}

static void extents_of_a_thousand_million_are_refused(void) {
  Scene scene = make_square(1e9f);
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  expect_failure(&config, &input, WM_ERROR_CONFIGURATION, "cellSize", "too small for the extents");
  config.tile_size = 64;
  expect_failure(&config, &input, WM_ERROR_CONFIGURATION, "cellSize", "too small for the extents");
  scene.positions[1] = 1e9f;
  config.cell_size = 1e6f;
  expect_failure(&config, &input, WM_ERROR_CONFIGURATION, "cellHeight", "cells tall");
  scene.positions[1] = 3e38f;
  scene.positions[4] = -3e38f;
  expect_failure(&config, &input, WM_ERROR_CONFIGURATION, "cellHeight", "cells tall");
  free_scene(&scene);
}

static void coordinates_too_coarse_for_the_cells_are_refused(void) {
  Scene scene = make_square(20);
  for (size_t i = 0; i < scene.vertex_count; i++) scene.positions[3 * i] += 1e8f;
  scene.positions[6] += 64;
  scene.positions[9] += 64;
  const WmBakeInput input = scene_input(&scene);
  const WmConfig config = wm_config_default();
  expect_failure(&config, &input, WM_ERROR_CONFIGURATION, "cellSize", "too far from the origin");
  free_scene(&scene);
}

static void geometry_that_cannot_be_used_is_named(void) {
  const WmConfig config = wm_config_default();
  Scene scene = make_square(20);
  WmBakeInput input = scene_input(&scene);
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    scene.positions[7] = bad[i];
    expect_failure(&config, &input, WM_ERROR_GEOMETRY, "positions", "vertex 2 is not finite");
  }
  scene.positions[7] = 0;
  scene.indices[4] = 4;
  expect_failure(&config, &input, WM_ERROR_GEOMETRY, "indices", "indices is 4");
  scene.indices[4] = UINT32_MAX;
  expect_failure(&config, &input, WM_ERROR_GEOMETRY, "indices", "4294967");
  scene.indices[4] = 2;
  input.triangles.vertex_count = 0;
  expect_failure(&config, &input, WM_ERROR_GEOMETRY, "indices", "not there");
  input = scene_input(&scene);
  input.triangles.triangle_count = 0;
  expect_failure(&config, &input, WM_ERROR_GEOMETRY, "indices", "no triangles");
  input = scene_input(&scene);
  const uint8_t areas[2] = {63, 64};
  input.triangles.areas = areas;
  expect_failure(&config, &input, WM_ERROR_GEOMETRY, "areas", "areas is 64");
  input = scene_input(&scene);
  input.triangles.position_stride = 2;
  expect_failure(&config, &input, WM_ERROR_INVALID_ARGUMENT, "stride", "at least 3");
  input = scene_input(&scene);
  input.triangles.positions = NULL;
  expect_failure(&config, &input, WM_ERROR_INVALID_ARGUMENT, "positions", "null");
  free_scene(&scene);
}

static void flipped_winding_says_so(void) {
  const WmConfig config = wm_config_default();
  Scene scene = make_square(20);
  for (size_t i = 0; i < scene.triangle_count; i++) {
    const uint32_t swap = scene.indices[3 * i + 1];
    scene.indices[3 * i + 1] = scene.indices[3 * i + 2];
    scene.indices[3 * i + 2] = swap;
  }
  const WmBakeInput input = scene_input(&scene);
  expect_failure(&config, &input, WM_ERROR_GEOMETRY, "indices", "winding flipped");
  free_scene(&scene);
}

static void only_degenerate_triangles_are_refused(void) {
  const WmConfig config = wm_config_default();
  Scene scene = make_square(20);
  scene.indices[1] = scene.indices[0];
  for (int axis = 0; axis < 3; axis++) { /* the second triangle: three points on a line */
    scene.positions[6 + axis] = 2 * scene.positions[9 + axis];
  }
  const WmBakeInput input = scene_input(&scene);
  expect_failure(&config, &input, WM_ERROR_GEOMETRY, "indices", "degenerate");
  free_scene(&scene);
}

static void bounds_must_be_a_box(void) {
  WmConfig config = wm_config_default();
  config.has_bounds = true;
  expect_bad_config(config, "bounds", "minimum");
  for (int axis = 0; axis < 3; axis++) config.bounds_max[axis] = 10;
  config.bounds_min[2] = NAN;
  expect_bad_config(config, "bounds", "axis 2");
}

static void minus_zero_in_bounds_is_zero(void) {
  WmConfig config = wm_config_default();
  const WmBakeInput input = {0};
  float low[3] = {-0.0f, -0.0f, -0.0f}, high[3] = {-0.0f, 1, -0.0f};
  wm_resolve_bounds(&config, &input, low, high);
  for (int axis = 0; axis < 3; axis++) CHECK(!signbit(low[axis]) && !signbit(high[axis]));
  config.has_bounds = true;
  for (int axis = 0; axis < 3; axis++) config.bounds_min[axis] = config.bounds_max[axis] = -0.0f;
  wm_resolve_bounds(&config, &input, low, high);
  for (int axis = 0; axis < 3; axis++) CHECK(!signbit(low[axis]) && !signbit(high[axis]));
}

static void volumes_solids_and_connections_are_checked(void) {
  const WmConfig config = wm_config_default();
  Scene scene = make_square(20);
  WmBakeInput input = scene_input(&scene);
  WmAreaVolume volume = {.kind = WM_AREA_VOLUME_CYLINDER, .area = 64, .radius = 1, .height = 1};
  input.volumes = &volume;
  input.volume_count = 1;
  CHECK_EQUAL_INT(bake_scene(context, &config, &input, NULL, NULL), WM_ERROR_INVALID_ARGUMENT);
  volume.area = 1;
  volume.centre[0] = NAN;
  CHECK_EQUAL_INT(bake_scene(context, &config, &input, NULL, NULL), WM_ERROR_INVALID_ARGUMENT);
  input = scene_input(&scene);
  WmSolid solid = {.kind = WM_SOLID_SPHERE, .radius = -1};
  input.solids = &solid;
  input.solid_count = 1;
  CHECK_EQUAL_INT(bake_scene(context, &config, &input, NULL, NULL), WM_ERROR_INVALID_ARGUMENT);
  input = scene_input(&scene);
  const WmOffMeshConnection connection = {.start = {0, NAN, 0}, .radius = 1};
  input.connections = &connection;
  input.connection_count = 1;
  expect_failure(&config, &input, WM_ERROR_INVALID_ARGUMENT, "offMeshConnections", "off-mesh connection 0");
  free_scene(&scene);
}

/* Valid input that once failed: a solid taller than flat ground lost its top and stayed open inside. */
static void a_solid_on_flat_ground_is_solid_to_its_top(void) {
  const WmConfig config = wm_config_default();
  Scene scene = make_square(20);
  WmBakeInput input = scene_input(&scene);
  const WmSolid solid = {
      .kind = WM_SOLID_BOX, .start = {10, 1, 10}, .half_axes = {{4, 0, 0}, {0, 2, 0}, {0, 0, 4}}};
  input.solids = &solid;
  input.solid_count = 1;
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  const WmHeightfield *field = &wm_baker_stages(baker)->heightfield;
  const size_t middle =
      (size_t)(field->grid.depth / 2) * (size_t)field->grid.width + (size_t)field->grid.width / 2;
  const uint32_t span = field->cell_first[middle];
  CHECK_EQUAL_INT(field->cell_first[middle + 1] - span, 1);
  CHECK_EQUAL_INT(field->span_max[span], 15); /* 3 units of 0.2 */
  CHECK_EQUAL_INT(field->span_area[span], 0);
  wm_baker_destroy(baker);
  free_scene(&scene);
}

/* Valid input that once failed: a level that is still empty, as a new one in an editor, in given bounds. */
static void an_empty_level_with_bounds_has_no_spans(void) {
  WmConfig config = wm_config_default();
  const WmBakeInput input = {.triangles = {.position_stride = 3}};
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_ERROR_GEOMETRY);
  config.has_bounds = true;
  for (int axis = 0; axis < 3; axis++) config.bounds_max[axis] = 10;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_stages(baker)->heightfield.span_count, 0);
  wm_baker_destroy(baker);
}

/* Warnings exactly at their thresholds, and all of them together. */
static void warnings_begin_where_they_should(void) {
  const struct {
    float radius, climb, cell_size, cell_height, width, depth;
    double up, down;
    size_t degenerate;
    uint32_t expected;
  } CASES[] = {
      {1, 1, 1, 1, 2.1f, 2.1f, 1, 4, 0, 0},
      {1, 1, 1, 1, 2.1f, 2.1f, 1, 4, 1, WM_WARNING_DEGENERATE_TRIANGLES},
      {1, 1, 1, 1, 2.1f, 2.1f, 1, 5, 0, WM_WARNING_MOSTLY_FACES_DOWN},
      {1, 1, 1, 1, 2.1f, 2.1f, 0, 0, 0, WM_WARNING_NOTHING_WALKABLE},
      {1, 1, 1, 1, 2, 2.1f, 1, 0, 0, WM_WARNING_RADIUS_OVER_LEVEL},
      {1, 1, 1, 1, 2.1f, 2, 1, 0, 0, WM_WARNING_RADIUS_OVER_LEVEL},
      {1, 1, 1.1f, 1, 9, 9, 1, 0, 0, WM_WARNING_CELL_OVER_RADIUS},
      {0, 1, 1.1f, 1, 9, 9, 1, 0, 0, 0},
      {1, 0.9f, 1, 1, 9, 9, 1, 0, 0, WM_WARNING_CLIMB_BELOW_CELL},
      {1, 0, 1, 1, 9, 9, 1, 0, 0, 0},
      {1, 0.9f, 1.1f, 1, 2, 2, 1, 5, 1,
       WM_WARNING_DEGENERATE_TRIANGLES | WM_WARNING_MOSTLY_FACES_DOWN | WM_WARNING_RADIUS_OVER_LEVEL |
           WM_WARNING_CELL_OVER_RADIUS | WM_WARNING_CLIMB_BELOW_CELL},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    WmConfig config = wm_config_default();
    config.agent_radius = CASES[i].radius;
    config.agent_max_climb = CASES[i].climb;
    config.cell_size = CASES[i].cell_size;
    config.cell_height = CASES[i].cell_height;
    const WmBakeInput input = {.triangles = {.triangle_count = 100}};
    const float low[3] = {0}, high[3] = {CASES[i].width, 1, CASES[i].depth};
    const WmFacing facing = {.up = CASES[i].up, .down = CASES[i].down, .degenerate = CASES[i].degenerate};
    uint32_t warnings = 0xffff;
    CHECK_EQUAL_INT(wm_diagnose_input(context, &config, &input, low, high, &facing, &warnings), WM_OK);
    CHECK_EQUAL_INT(warnings, CASES[i].expected);
  }
  /* In a level with solids all triangles may face down without a warning. */
  const WmConfig config = wm_config_default();
  const WmBakeInput input = {.triangles = {.triangle_count = 100}, .solid_count = 1};
  const float low[3] = {0}, high[3] = {99, 1, 99};
  const WmFacing facing = {.down = 5};
  uint32_t warnings = 0xffff;
  CHECK_EQUAL_INT(wm_diagnose_input(context, &config, &input, low, high, &facing, &warnings), WM_OK);
  CHECK_EQUAL_INT(warnings, 0);
}

int main(void) {
  context = wm_context_create(NULL);
  good_hash = bake_good();
  RUN(configuration_fields_out_of_range_are_named);
  RUN(cells_too_small_for_the_extents_carry_a_memory_estimate);
  RUN(extents_of_a_thousand_million_are_refused);
  RUN(coordinates_too_coarse_for_the_cells_are_refused);
  RUN(geometry_that_cannot_be_used_is_named);
  RUN(flipped_winding_says_so);
  RUN(only_degenerate_triangles_are_refused);
  RUN(bounds_must_be_a_box);
  RUN(minus_zero_in_bounds_is_zero);
  RUN(volumes_solids_and_connections_are_checked);
  RUN(a_solid_on_flat_ground_is_solid_to_its_top);
  RUN(an_empty_level_with_bounds_has_no_spans);
  RUN(warnings_begin_where_they_should);
  wm_context_destroy(context);
  return check_finish();
}
