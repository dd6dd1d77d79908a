/* wm_bake_mesh: the tiles of a baker in a mesh, its parameters, refused input, and memory that runs out. */
#include <math.h>

#include "check.h"
#include "scene.h"
#include "walkmesh.h"

/* Counts blocks in use; refuses one allocation. */
typedef struct Ration {
  long until_failure; /* < 0: never */
  long in_use;
} Ration;

static void *allocate_rationed(void *user, size_t bytes) {
  Ration *ration = user;
  if (ration->until_failure >= 0 && ration->until_failure-- == 0) return NULL;
  ration->in_use++;
  return malloc(bytes);
}

static void release_rationed(void *user, void *block) {
  Ration *ration = user;
  ration->in_use--;
  free(block);
}

/* The mesh has the tiles that the baker makes one by one, and no others. */
static void compare_tiles(WmContext *context, WmBaker *baker, const WmMesh *mesh) {
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  size_t found = 0;
  for (int32_t z = 0; z < voxels->tile_count_z; z++) {
    for (int32_t x = 0; x < voxels->tile_count_x; x++) {
      CHECK_EQUAL_INT(wm_baker_bake_tile(baker, x, z), WM_OK);
      WmTileData data = wm_baker_take_tile(baker);
      const WmMeshTile *tile = wm_mesh_find_tile(mesh, x, z, 0);
      CHECK(!tile == !data.byte_count);
      if (tile) {
        found++;
        CHECK(tile->byte_count == data.byte_count && !memcmp(tile->bytes, data.bytes, data.byte_count));
      }
      wm_tile_data_free(context, &data);
    }
  }
  CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), found);
  CHECK(found > 0);
}

static void compare_bake(int32_t tile_size) {
  WmContext *context = wm_context_create(NULL);
  Scene scene = read_obj("tests/scenes/plaza.obj");
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  config.tile_size = tile_size;
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_bake_mesh(context, &config, &input, &mesh), WM_OK);
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  compare_tiles(context, baker, mesh);
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  const float side = tile_size ? (float)tile_size * config.cell_size : 40.0f;
  CHECK(parameters->tile_width == side && parameters->tile_depth == side);
  CHECK_EQUAL_INT(parameters->tile_count_x, wm_baker_voxels(baker)->tile_count_x);
  CHECK_EQUAL_INT(parameters->tile_count_z, wm_baker_voxels(baker)->tile_count_z);
  CHECK(parameters->cell_size == config.cell_size && parameters->agent_radius == config.agent_radius);
  wm_baker_destroy(baker);
  wm_mesh_destroy(mesh);
  free_scene(&scene);
  wm_context_destroy(context);
}

static void a_single_tile_is_as_wide_as_the_level(void) { compare_bake(0); }

static void every_tile_of_the_grid_is_in_the_mesh(void) { compare_bake(48); }

/* Two triangles that are narrower than a cell on x. */
static void a_level_narrower_than_a_cell_has_a_tile_of_a_cell(void) {
  WmContext *context = wm_context_create(NULL);
  const float positions[] = {0, 0, 0, 0, 0, 5, 0.2f, 0, 5, 0.2f, 0, 0};
  const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
  const WmBakeInput input = {.triangles = {positions, 3, 4, indices, 2, NULL}};
  const WmConfig config = wm_config_default();
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_bake_mesh(context, &config, &input, &mesh), WM_OK);
  CHECK(wm_mesh_parameters(mesh)->tile_width == config.cell_size);
  CHECK(wm_mesh_parameters(mesh)->tile_depth == 5.0f);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* A level away from the origin, whose low ends are not 0. */
static void the_tile_of_a_level_away_from_the_origin_is_as_wide_as_the_level(void) {
  WmContext *context = wm_context_create(NULL);
  const float positions[] = {-8, 1, 16, -8, 1, 21, -1, 1, 21, -1, 1, 16};
  const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
  const WmBakeInput input = {.triangles = {positions, 3, 4, indices, 2, NULL}};
  const WmConfig config = wm_config_default();
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_bake_mesh(context, &config, &input, &mesh), WM_OK);
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  CHECK(parameters->tile_width == 7 && parameters->tile_depth == 5);
  CHECK(parameters->origin[0] == -8 && parameters->origin[2] == 16);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void refused_input_makes_no_mesh(void) {
  WmContext *context = wm_context_create(NULL);
  Scene scene = make_square(10);
  WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  config.cell_size = NAN;
  WmMesh *mesh = (WmMesh *)(void *)&config;
  CHECK_EQUAL_INT(wm_bake_mesh(context, &config, &input, &mesh), WM_ERROR_CONFIGURATION);
  CHECK(mesh == NULL);
  CHECK(strcmp(wm_context_error(context)->field, "cellSize") == 0);
  input.triangles.triangle_count = 0;
  config = wm_config_default();
  mesh = (WmMesh *)(void *)&config;
  CHECK_EQUAL_INT(wm_bake_mesh(context, &config, &input, &mesh), WM_ERROR_GEOMETRY);
  CHECK(mesh == NULL);
  free_scene(&scene);
  wm_context_destroy(context);
}

static void memory_that_runs_out_leaves_nothing(void) {
  Scene scene = make_square(12);
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  config.tile_size = 24;
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  long failures = 0;
  for (bool is_over = false; !is_over; failures++) {
    ration.until_failure = -1;
    WmContext *context = wm_context_create(&allocator);
    const long before = ration.in_use;
    ration.until_failure = failures;
    WmMesh *mesh = NULL;
    const WmStatus status = wm_bake_mesh(context, &config, &input, &mesh);
    is_over = ration.until_failure >= 0;
    CHECK(!mesh == !!status);
    if (status) CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
    ration.until_failure = -1;
    wm_mesh_destroy(mesh);
    wm_context_trim(context);
    if (status) CHECK_EQUAL_INT(ration.in_use, before);
    wm_context_destroy(context);
    CHECK_EQUAL_INT(ration.in_use, 0);
  }
  CHECK(failures > 50);
  free_scene(&scene);
}

int main(void) {
  RUN(a_single_tile_is_as_wide_as_the_level);
  RUN(every_tile_of_the_grid_is_in_the_mesh);
  RUN(a_level_narrower_than_a_cell_has_a_tile_of_a_cell);
  RUN(the_tile_of_a_level_away_from_the_origin_is_as_wide_as_the_level);
  RUN(refused_input_makes_no_mesh);
  RUN(memory_that_runs_out_leaves_nothing);
  return check_finish();
}
