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
  const float low[3] = {0, 0, 0}, high[3] = {0.1f, 1, 40};
  WmVoxelConfig voxels;
  expect(wm_config_to_voxels(context, &config, low, high, &voxels), WM_ERROR_CONFIGURATION, "cellSize",
         "smaller than a cell");
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

int main(void) {
  context = wm_context_create(NULL);
  RUN(statuses_have_the_names_that_javascript_knows);
  RUN(levels_smaller_than_a_cell_are_named);
  RUN(flat_upright_levels_are_told_from_small_ones);
  RUN(levels_without_triangles_need_bounds);
  RUN(triangles_beyond_what_counts_can_hold_are_named);
  RUN(stages_out_of_order_are_named);
  RUN(dumps_hold_the_arrays);
  RUN(options_of_crowds_out_of_range_are_named);
  wm_context_destroy(context);
  return check_finish();
}
