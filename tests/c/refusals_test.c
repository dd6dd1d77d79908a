/* Errors of single functions that bad_input_test and bad_query_test don't cover: calls out of order, numbers
 * out of range, limits. Everything still works afterwards. */
#include "bake/bake.h"
#include "stage_dump.h"
#include "bake/stages.h"
#include "check.h"
#include "crowd_worlds.h"
#include "scene.h"

static WmContext *context;

static void expect(WmStatus actual, WmStatus expected, const char *field, const char *words) {
  CHECK_EQUAL_INT(actual, expected);
  const WmError *error = wm_context_error(context);
  const WmFailure *failure = wm_context_failure(context);
  CHECK_EQUAL_INT(error->status, expected);
  CHECK_EQUAL_INT(failure->status, expected);
  CHECK(strcmp(error->field, field) == 0);
  CHECK(strcmp(failure->field ? failure->field : "", field) == 0);
  if (!strstr(error->message, words)) check_report(__FILE__, __LINE__, error->message);
}

static void statuses_have_the_names_that_javascript_knows(void) {
  static const char *const names[] = {
      "ok",    "invalid-argument", "out-of-memory", "configuration", "geometry", "limit", "corrupt",
      "state", "stale-reference",  "internal",      "unsupported"};
  const int count = (int)(sizeof names / sizeof *names);
  for (int i = 0; i < count; i++) CHECK(strcmp(wm_status_name((WmStatus)i), names[i]) == 0);
  CHECK(strcmp(wm_status_name((WmStatus)count), "unknown") == 0);
  CHECK(strcmp(wm_status_name((WmStatus)-1), "unknown") == 0);
}

static void levels_smaller_than_a_cell_are_named(void) {
  const WmConfig config = wm_config_default();
  const float low[3] = {0, 0, 0}, narrow_x[3] = {0.125f, 1, 40}, narrow_z[3] = {40, 1, 0.125f};
  WmVoxelConfig voxels;
  expect(wm_config_to_voxels(context, &config, low, narrow_x, &voxels), WM_ERROR_CONFIGURATION, "cellSize",
         "must be 1e-6 to 0.125; the level is smaller than a cell on x");
  expect(wm_config_to_voxels(context, &config, low, narrow_z, &voxels), WM_ERROR_CONFIGURATION, "cellSize",
         "must be 1e-6 to 0.125; the level is smaller than a cell on z");
}

/* No cell size fits them: the message names no range. */
static void levels_of_scale_0_are_named(void) {
  const WmConfig config = wm_config_default();
  const float low[3] = {5, 5, 5}, point[3] = {5, 5, 5}, tiny[3] = {5 + 0x1p-21f, 5, 5 + 0x1p-21f};
  WmVoxelConfig voxels;
  expect(wm_config_to_voxels(context, &config, low, point, &voxels), WM_ERROR_CONFIGURATION, "cellSize",
         "the level is only 0 wide on z, smaller than any cell: is its scale 0?");
  expect(wm_config_to_voxels(context, &config, low, tiny, &voxels), WM_ERROR_CONFIGURATION, "cellSize",
         "wide on z, smaller than any cell: is its scale 0?");
}

/* Planes that were not turned to y up: the message does not ask for cells below 0. */
static void flat_upright_levels_are_told_from_small_ones(void) {
  const WmConfig config = wm_config_default();
  const float low[3] = {0, 0, 0}, flat_z[3] = {40, 40, 0}, flat_x[3] = {0, 40, 40};
  WmVoxelConfig voxels;
  expect(wm_config_to_voxels(context, &config, low, flat_z, &voxels), WM_ERROR_CONFIGURATION, "cellSize",
         "flat along z, and upright: is z up?");
  expect(wm_config_to_voxels(context, &config, low, flat_x, &voxels), WM_ERROR_CONFIGURATION, "cellSize",
         "flat along x, and upright");
}

static void levels_without_triangles_need_bounds(void) {
  Scene scene = make_square(20);
  WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  const WmSolid solid = {.kind = WM_SOLID_CONVEX,
                         .vertices = scene.positions,
                         .vertex_count = scene.vertex_count,
                         .indices = scene.indices,
                         .triangle_count = scene.triangle_count};
  input.triangles = (WmTriangles){0};
  input.solids = &solid;
  input.solid_count = 1;
  WmBaker *baker = NULL;
  expect(wm_baker_create(context, &config, &input, &baker), WM_ERROR_CONFIGURATION, "bounds", "solids only");
  input.solid_count = 0;
  input.from_kept_tiles = true;
  expect(wm_baker_create(context, &config, &input, &baker), WM_ERROR_CONFIGURATION, "bounds", "kept bytes");
  CHECK(baker == NULL);
  const WmSolid ball = {.kind = WM_SOLID_SPHERE, .start = {10, 1, 10}, .radius = 2};
  input.solids = &ball; /* with bounds it is a level; its positions, which are NULL, aren't read */
  input.solid_count = 1;
  input.from_kept_tiles = false;
  config.has_bounds = true;
  memcpy(config.bounds_max, (const float[3]){20, 4, 20}, sizeof config.bounds_max);
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  wm_baker_destroy(baker);
  free_scene(&scene);
}

static void triangles_beyond_what_counts_can_hold_are_named(void) {
  Scene scene = make_square(20);
  WmBakeInput input = scene_input(&scene);
  const WmConfig config = wm_config_default();
  WmBaker *baker = NULL;
  input.triangles.triangle_count = (size_t)UINT32_MAX / 3 + 1;
  expect(wm_baker_create(context, &config, &input, &baker), WM_ERROR_GEOMETRY, "indices", "triangles");
  free_scene(&scene);
}

/* A baker has its statistics before a tile is begun, and a step is then out of order. */
static void stages_out_of_order_are_named(void) {
  Scene scene = make_square(20);
  const WmBakeInput input = scene_input(&scene);
  const WmConfig config = wm_config_default();
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_warnings(baker), 0);
  for (size_t i = 0; i < input.triangles.triangle_count; i++) {
    CHECK_EQUAL_INT(wm_baker_triangle_areas(baker)[i], WM_AREA_WALKABLE);
  }
  expect(wm_baker_step(baker), WM_ERROR_STATE, "", "no tile has begun");
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  expect(wm_baker_step(baker), WM_ERROR_STATE, "", "it is finished");
  uint8_t *bytes = (uint8_t *)baker;
  size_t byte_count = 5;
  expect(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_ERROR_STATE, "", "can only be kept before");
  CHECK(bytes == NULL && byte_count == 0);
  wm_baker_destroy(baker);
  free_scene(&scene);
}

/* The dumps of arrays that are written unchanged after their counts. */
static void dumps_hold_the_arrays(void) {
  Scene scene = make_random_scene(3);
  const WmBakeInput input = scene_input(&scene);
  const WmConfig config = wm_config_default();
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  const WmBakeStages *stages = wm_baker_stages(baker);
  const WmRegions *regions = &stages->regions;
  const WmDetailMesh *detail = &stages->detail_mesh;
  WmBytes bytes = {0};
  CHECK(regions->span_count > 0 && detail->triangle_count > 0);
  CHECK_EQUAL_INT(wm_dump_regions(context, regions, &bytes), WM_OK);
  CHECK_EQUAL_INT(bytes.byte_count, 2 * (size_t)regions->span_count);
  CHECK(memcmp(bytes.bytes, regions->span_region, bytes.byte_count) == 0);
  wm_block_free(context, bytes.bytes);
  CHECK_EQUAL_INT(wm_dump_detail_mesh(context, detail, &bytes), WM_OK);
  const size_t submeshes = 16 * (size_t)detail->submesh_count, vertices = 12 * (size_t)detail->vertex_count;
  CHECK_EQUAL_INT(bytes.byte_count, 12 + submeshes + vertices + 4 * (size_t)detail->triangle_count);
  uint32_t counts[3];
  memcpy(counts, bytes.bytes, sizeof counts);
  CHECK_EQUAL_INT(counts[0], detail->submesh_count);
  CHECK_EQUAL_INT(counts[1], detail->vertex_count);
  CHECK_EQUAL_INT(counts[2], detail->triangle_count);
  CHECK(memcmp(bytes.bytes + 12, detail->submeshes, submeshes) == 0);
  CHECK(memcmp(bytes.bytes + 12 + submeshes, detail->vertices, vertices) == 0);
  CHECK(memcmp(bytes.bytes + 12 + submeshes + vertices, detail->triangles,
               4 * (size_t)detail->triangle_count) == 0);
  wm_block_free(context, bytes.bytes);

  /* Stages one by one, with arguments that contradict each other. */
  WmContourSet contours;
  WmRegions others = *regions;
  others.span_count--;
  expect(wm_build_contours(context, &stages->compact, &others, 1.3f, 40, 0, &contours),
         WM_ERROR_INVALID_ARGUMENT, "regions", "span counts differ");
  WmDetailMesh made;
  WmPolygonMesh wide = stages->polygon_mesh;
  wide.max_vertices_per_polygon = 33;
  expect(wm_build_detail_mesh(context, &wide, &stages->compact, regions,
                              &(WmDetailSettings){.sample_distance = 1.8f, .max_error = 0.2f}, &made),
         WM_ERROR_INVALID_ARGUMENT, "maxVerticesPerPolygon", "at most 32 vertices");
  wm_baker_destroy(baker);
  free_scene(&scene);
}

static void options_of_crowds_out_of_range_are_named(void) {
  WmMesh *mesh = make_field(context, 1);
  WmCrowdOptions options = wm_crowd_options_default();
  WmCrowd *crowd = NULL;
  options.max_fields = 65;
  expect(wm_crowd_create(context, mesh, &options, &crowd), WM_ERROR_INVALID_ARGUMENT, "maxFields", "0 to 64");
  CHECK(crowd == NULL);
  crowd = make_crowd(context, mesh);
  const WmFilter filter = wm_filter_default();
  expect(wm_crowd_set_filter(crowd, 256, &filter), WM_ERROR_INVALID_ARGUMENT, "filter", "0 to 255");
  uint32_t type = 0;
  for (uint32_t number = 1; number < 256; number++) {
    CHECK_EQUAL_INT(wm_crowd_add_mesh(crowd, mesh, &type), WM_OK);
    CHECK_EQUAL_INT(type, number);
  }
  expect(wm_crowd_add_mesh(crowd, mesh, &type), WM_ERROR_LIMIT, "mesh", "256 meshes");
  CHECK_EQUAL_INT(type, 255);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
}

/* The message has the coordinate that is wrong, wherever it is, and no agent changes. */
static void coordinates_of_crowds_out_of_range_are_named(void) {
  WmMesh *mesh = make_field(context, 1);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmAgent agents[2] = {add_agent(crowd, 2, 2, NULL), add_agent(crowd, 4, 4, NULL)}, more[2];
  const float radii[2] = {1, 1}, sound[6] = {1, 0, 1, 2, 0, 2};
  const uint64_t before = wm_crowd_hash(crowd);
  for (size_t i = 0; i < 6; i++) {
    float numbers[6];
    memcpy(numbers, sound, sizeof numbers);
    numbers[i] = -2e9f - 1e6f * (float)i;
    for (int call = 0; call < 7; call++) {
      static const char *const FIELDS[7] = {"positions", "velocities", "points",   "positions",
                                            "targets",   "velocities", "positions"};
      const WmStatus status = call == 0   ? wm_crowd_set_obstacles(crowd, 2, numbers, NULL, radii, NULL)
                              : call == 1 ? wm_crowd_set_obstacles(crowd, 2, sound, numbers, radii, NULL)
                              : call == 2 ? wm_crowd_set_focus(crowd, 2, numbers)
                              : call == 3 ? wm_crowd_add_agents(crowd, 2, numbers, NULL, 0, more)
                              : call == 4 ? wm_crowd_set_targets(crowd, 2, agents, numbers, false)
                              : call == 5 ? wm_crowd_set_velocities(crowd, 2, agents, numbers, false)
                                          : wm_crowd_warp(crowd, 2, agents, numbers, false);
      expect(status, WM_ERROR_INVALID_ARGUMENT, FIELDS[call], "a coordinate is -");
      CHECK(wm_context_failure(context)->value == (double)numbers[i]);
    }
  }
  CHECK(wm_crowd_hash(crowd) == before);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
}

/* The error's numbers: the value, and the first and last that are allowed (NAN: no last one). */
static void expect_range(WmStatus status, const char *field, double value, double minimum, double maximum) {
  const WmFailure *failure = wm_context_failure(context);
  CHECK(status == WM_ERROR_INVALID_ARGUMENT && failure->status == status);
  if (strcmp(failure->field, field) != 0) check_report(__FILE__, __LINE__, failure->field);
  CHECK(failure->value == value && failure->minimum == minimum);
  CHECK(failure->maximum == maximum || (isnan(failure->maximum) && isnan(maximum)));
}

static WmStatus make_crowd_with(const WmMesh *mesh, WmCrowdOptions options) {
  WmCrowd *crowd;
  return wm_crowd_create(context, mesh, &options, &crowd);
}

static void ranges_of_options_and_parameters_of_crowds_are_named(void) {
  WmMesh *mesh = make_field(context, 1);
  WmCrowdOptions options = wm_crowd_options_default();
  options.search_budget = 0;
  expect_range(make_crowd_with(mesh, options), "searchBudget", 0, 1, NAN);
  options = wm_crowd_options_default();
  options.max_substeps = 0;
  expect_range(make_crowd_with(mesh, options), "maxSubsteps", 0, 1, 64);
  options.max_substeps = 65;
  expect_range(make_crowd_with(mesh, options), "maxSubsteps", 65, 1, 64);
  options = wm_crowd_options_default();
  options.max_fields = 65;
  expect_range(make_crowd_with(mesh, options), "maxFields", 65, 0, 64);
  options = wm_crowd_options_default();
  options.search_budget = 1;
  options.max_substeps = options.max_fields = 64;
  WmCrowd *crowd;
  CHECK_EQUAL_INT(wm_crowd_create(context, mesh, &options, &crowd), WM_OK);
  const WmFilter filter = wm_filter_default();
  CHECK_EQUAL_INT(wm_crowd_set_filter(crowd, 255, &filter), WM_OK);
  expect_range(wm_crowd_set_filter(crowd, 256, &filter), "filter", 256, 0, 255);
  const float position[3] = {2, 0, 2};
  const uint32_t limits[4] = {WM_AVOIDANCE_SAMPLING, 99, 255, 0};
  for (int field = 0; field < 4; field++) {
    static const char *const FIELDS[4] = {"avoidance", "priority", "filter", "type"};
    for (uint32_t beyond = 0; beyond < 2; beyond++) {
      WmAgentParameters parameters = wm_agent_parameters_default();
      const uint32_t value = limits[field] + beyond;
      if (field == 0) parameters.avoidance = (uint8_t)value;
      if (field == 1) parameters.priority = (uint8_t)value;
      if (field == 2) parameters.filter = value;
      if (field == 3) parameters.type = value;
      const WmStatus status = wm_crowd_add_agents(crowd, 1, position, &parameters, 1, NULL);
      if (!beyond) CHECK_EQUAL_INT(status, WM_OK);
      if (beyond) expect_range(status, FIELDS[field], value, 0, limits[field]);
    }
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
}

static void ranges_of_stages_are_named(void) {
  WmCompactHeightfield compact = {0};
  expect_range(wm_erode(context, &compact, -1), "radius", -1, 0, 127);
  expect_range(wm_erode(context, &compact, 128), "radius", 128, 0, 127);
  const WmContourSet contours = {0};
  WmPolygonMesh polygons;
  for (int32_t i = 2; i < 1000; i += 997) {
    expect_range(wm_build_polygon_mesh(context, &contours, i, &polygons), "maxVerticesPerPolygon", i, 3, 6);
  }
  Scene scene = make_square(20);
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  config.tile_size = 32;
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  const int32_t last = wm_baker_voxels(baker)->tile_count_x - 1;
  CHECK(last > 0 && wm_baker_voxels(baker)->tile_count_z == last + 1);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, last, last, false), WM_OK);
  expect_range(wm_baker_begin_tile(baker, last + 1, 0, false), "x", last + 1, 0, last);
  expect_range(wm_baker_begin_tile(baker, 0, -1, false), "z", -1, 0, last);
  wm_baker_destroy(baker);
  free_scene(&scene);
}

static void ranges_of_meshes_are_named(void) {
  WmMesh *mesh = make_field(context, 1);
  const WmRef tile = wm_mesh_find_tile(mesh, 0, 0, 0)->ref;
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, tile, 63), WM_OK);
  expect_range(wm_mesh_set_polygon_area(mesh, tile, 64), "area", 64, 0, 63);
  const size_t needed = wm_mesh_tile_state_bytes(mesh, tile);
  uint8_t *state = malloc(needed);
  CHECK_EQUAL_INT(wm_mesh_save_tile_state(mesh, tile, state, needed), WM_OK);
  expect_range(wm_mesh_save_tile_state(mesh, tile, state, needed - 1), "byteCount", (double)needed - 1,
               (double)needed, NAN);
  free(state);
  wm_mesh_destroy(mesh);
}

/* They stand, even where agents that walked were before. */
static void new_agents_stand(void) {
  WmMesh *mesh = make_field(context, 1);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmAgent agents[3];
  const float velocity[3] = {1, 0, 0.5f};
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3; i++) agents[i] = add_agent(crowd, 2 + (float)i, 3, NULL);
    WmCrowdView view;
    wm_crowd_view(crowd, &view);
    for (int i = 0; i < 3; i++) {
      for (int axis = 0; axis < 3; axis++) CHECK(view.velocities[3 * i + axis] == 0);
      CHECK(view.headings[2 * i] == 0 && view.headings[2 * i + 1] == 1);
      CHECK(view.positions[3 * i] == 2 + (float)i && view.positions[3 * i + 2] == 3);
      CHECK(view.states[i] == WM_AGENT_NO_TARGET && view.reasons[i] == WM_AGENT_REASON_NONE);
    }
    CHECK_EQUAL_INT(wm_crowd_set_velocities(crowd, 3, agents, velocity, true), WM_OK);
    run_crowd(crowd, 10, 0.05f);
    CHECK(view.velocities[0] > 0 && view.headings[0] > 0);
    CHECK_EQUAL_INT(wm_crowd_remove_agents(crowd, 3, agents), WM_OK);
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
}

int main(void) {
  context = wm_context_create(NULL);
  RUN(statuses_have_the_names_that_javascript_knows);
  RUN(levels_smaller_than_a_cell_are_named);
  RUN(levels_of_scale_0_are_named);
  RUN(flat_upright_levels_are_told_from_small_ones);
  RUN(levels_without_triangles_need_bounds);
  RUN(triangles_beyond_what_counts_can_hold_are_named);
  RUN(stages_out_of_order_are_named);
  RUN(dumps_hold_the_arrays);
  RUN(options_of_crowds_out_of_range_are_named);
  RUN(coordinates_of_crowds_out_of_range_are_named);
  RUN(ranges_of_options_and_parameters_of_crowds_are_named);
  RUN(ranges_of_stages_are_named);
  RUN(ranges_of_meshes_are_named);
  RUN(new_agents_stand);
  wm_context_destroy(context);
  return check_finish();
}
