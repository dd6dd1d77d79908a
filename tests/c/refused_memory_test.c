/* Each place of the library that requests memory is refused once, in large scenes that reach nearly all of them. Either the call
 * reports that memory was missing, or its results are those of a call with all memory. */
#include "bake/rebuild/unpacked_tile.h"
#include "detour_cache_sets.h"
#include "dynamic/detour_cache/detour_cache.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/state/saved_state.h"
#include "dynamic_world.h"
#include "guarded_memory.h"
#include "stage_dump.h"

/* Runs a scene and hashes its results, in a context of its own. Calls that failed are made again, so that they do succeed. */
typedef uint64_t (*Scenario)(uint32_t seed, int *failures);

/* Whether a call without memory is made again: else its status is an error. */
static bool try_again(WmStatus status, int *failures) {
  CHECK(status == WM_OK || (status == WM_ERROR_OUT_OF_MEMORY && memory_places.has_refused));
  *failures += status != WM_OK;
  return status == WM_ERROR_OUT_OF_MEMORY;
}

#define CALL(expression) \
  do { \
  } while (try_again(expression, failures))

/* Returns the number of places. */
static int refuse_each_place(Scenario scenario, uint32_t seed) {
  int failures = 0, reported = 0;
  memory_places = (MemoryPlaces){.records = true, .refused = -1};
  const uint64_t usual = scenario(seed, &failures);
  memory_places.records = false;
  CHECK_EQUAL_INT(failures, 0);
  const int count = memory_places.count;
  for (int i = 0; i < count; i++) {
    memory_places.refused = i;
    memory_places.has_refused = false;
    failures = 0;
    CHECK(scenario(seed, &failures) == usual);
    CHECK(memory_places.has_refused && failures <= 1);
    reported += failures;
  }
  memory_places = (MemoryPlaces){.refused = -1};
  CHECK(reported > 4); /* the others are caches, which do without */
  return count;
}

/* ---- Bakes -------------------------------------------------------------------------------------------- */

typedef struct Level {
  Scene scene;
  WmConfig config;
  WmAreaVolume volumes[3];
  float outlines[3][OUTLINE][3];
  WmSolid solid;
  WmOffMeshConnection connection;
  WmBakeInput input;
} Level;

static void invent_level(Level *level, uint32_t seed) {
  Random random = {seed};
  const World box = {.low = {0, -1, 0}, .high = {24, 4, 24}};
  *level = (Level){.scene = make_random_scene(seed), .config = wm_config_default()};
  level->config.cell_size = 0.4f;
  level->config.partition = (int32_t)(seed % 4);
  level->config.tile_size = seed % 3 ? 32 : 0;
  level->config.median_filter = seed % 2;
  level->config.heights = (int32_t)(seed / 2 % 2);
  level->config.detail_sample_distance = 3;
  level->config.detail_max_error = 0.2f;
  level->config.min_region_size = 1;
  for (int i = 0; i < 3; i++) level->volumes[i] = random_obstacle(&random, &box, level->outlines[i]);
  level->solid = (WmSolid){
      .kind = (int32_t)(seed % 4), .area = 63, .start = {5, 0, 5}, .end = {7, 3, 8}, .radius = 1.5f};
  for (int axis = 0; axis < 3; axis++) level->solid.half_axes[axis][axis] = 1.5f;
  level->connection = (WmOffMeshConnection){
      .start = {3, 0, 3}, .end = {12, 0, 12}, .radius = 1, .flags = 1, .bidirectional = true};
  level->input = scene_input(&level->scene);
  level->input.volumes = level->volumes;
  level->input.volume_count = 3;
  level->input.solids = &level->solid;
  level->input.solid_count = 1;
  level->input.connections = &level->connection;
  level->input.connection_count = 1;
}

/* All stages of a tile, kept or not. A stage that failed ends the tile, which is then begun again. */
static uint64_t bake(WmBaker *baker, bool keeps, int *failures) {
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  while (status == WM_ERROR_OUT_OF_MEMORY) {
    CALL(wm_baker_begin_tile(baker, 0, 0, keeps));
    do status = wm_baker_step(baker);
    while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE);
    (void)try_again(status, failures);
  }
  const WmTileData *tile = &wm_baker_stages(baker)->tile;
  return wm_hash_bytes(WM_HASH_START, tile->bytes, tile->byte_count);
}

/* A kept tile, and its rebuild with an obstacle. */
static uint64_t rebuild(WmContext *context, WmBaker *baker, const WmAreaVolume *obstacle, int *failures) {
  uint8_t *kept = NULL;
  size_t byte_count = 0;
  WmUnpackedTile *unpacked = NULL;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  while (status == WM_ERROR_OUT_OF_MEMORY) {
    CALL(wm_baker_begin_tile(baker, 0, 0, false));
    while (!(status = wm_baker_step(baker)) && wm_baker_next_stage(baker) != WM_STAGE_COMPACT) {
    }
    (void)try_again(status, failures);
  }
  CALL(wm_baker_keep_tile(baker, &kept, &byte_count));
  CALL(wm_baker_unpack_tile(baker, 0, 0, kept, byte_count, &unpacked));
  bool is_baseline = false;
  for (int round = 0; round < 2; round++) {
    status = WM_ERROR_OUT_OF_MEMORY;
    while (status == WM_ERROR_OUT_OF_MEMORY) {
      status = wm_baker_begin_rebuild(baker, unpacked, obstacle, (size_t)round, &is_baseline);
      if (!status) status = wm_baker_rebuild_regions(baker, unpacked);
      while (!status && wm_baker_next_stage(baker) < WM_STAGE_POLYGON_MESH) status = wm_baker_step(baker);
      if (!status) status = wm_baker_rebuild_polygons(baker, unpacked, is_baseline, true);
      if (!status) status = wm_baker_step(baker);
      (void)try_again(status, failures);
    }
  }
  const WmTileData *tile = &wm_baker_stages(baker)->tile;
  uint64_t hash = wm_hash_bytes(WM_HASH_START, tile->bytes, tile->byte_count);
  hash = wm_hash_bytes(hash, kept, byte_count);
  wm_unpacked_tile_free(context, unpacked);
  wm_block_free(context, kept);
  return hash;
}

static uint64_t bake_level(uint32_t seed, int *failures) {
  static Level level;
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  WmContentHash content;
  invent_level(&level, seed);
  CALL(wm_baker_create(context, &level.config, &level.input, &baker));
  CALL(wm_baker_hash_tile(baker, 0, 0, &content));
  uint64_t hash = bake(baker, true, failures) ^ 3 * bake(baker, false, failures);
  WmHeightfieldLayers layers;
  const int32_t height = wm_baker_voxels(baker)->walkable_height;
  bake(baker, true, failures);
  CALL(wm_build_heightfield_layers(context, &wm_baker_stages(baker)->compact, height, &layers));
  hash ^= 7 * (uint64_t)layers.layer_count;
  wm_heightfield_layers_free(context, &layers);
  hash ^= 5 * rebuild(context, baker, &level.volumes[0], failures);
  wm_baker_destroy(baker);
  free_scene(&level.scene);
  wm_context_destroy(context);
  return hash;
}

/* ---- Dynamic meshes ----------------------------------------------------------------------------------- */

static void step_all(World *world, int *failures) {
  WmTileChange change;
  while (wm_dynamic_dirty_count(world->dynamic)) CALL(wm_dynamic_step(world->dynamic, &change));
}

/* Obstacles come, move and go; the mesh is written and read. */
static uint64_t change_level(uint32_t seed, int *failures) {
  World world;
  WmContext *context = wm_context_create(NULL);
  Random random = {seed};
  float outlines[6][OUTLINE][3];
  WmObstacle obstacles[6];
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  const bool records = memory_places.records, is_refusing = memory_places.refused >= 0;
  const int refused = memory_places.refused;
  memory_places.records = false; /* not while the world is made, which has no way back */
  memory_places.refused = -1;
  open_partitioned_square(&world, context, 2, (int32_t)(seed % 4));
  memory_places.records = records;
  if (is_refusing) memory_places.refused = refused;
  wm_dynamic_limit_cache(world.dynamic, 1 << 18);
  for (int i = 0; i < 6; i++) {
    const WmAreaVolume volume = random_obstacle(&random, &world, outlines[i]);
    CALL(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacles[i]));
  }
  for (int round = 0; round < 3; round++) {
    step_all(&world, failures);
    const float at[3] = {3 + (float)round, 0, 4};
    CALL(wm_dynamic_move_obstacles(world.dynamic, &obstacles[round], at, NULL, 1));
    CALL(wm_dynamic_remove_obstacle(world.dynamic, obstacles[5 - round]));
  }
  step_all(&world, failures);
  CALL(wm_dynamic_write(world.dynamic, &bytes, &byte_count));
  wm_dynamic_destroy(world.dynamic);
  wm_mesh_destroy(world.mesh);
  CALL(wm_dynamic_read(context, bytes, byte_count, &world.mesh, &world.dynamic));
  const uint64_t hash = wm_hash_bytes(WM_HASH_START, bytes, byte_count);
  wm_block_free(context, bytes);
  close_world(&world);
  wm_context_destroy(context);
  return hash;
}

/* ---- Tile caches -------------------------------------------------------------------------------------- */

static uint64_t read_cache(uint32_t seed, int *failures) {
  WmContext *context = wm_context_create(NULL);
  SetWriter set = begin_set(16, 0.5f, 0.25f, (float[3]){0, 0, 0});
  for (int32_t i = 0; i < 8; i++)
    add_flat_layer(&set, i % 2, 0, 7 - i / 2, 4 + 20 * (i / 2) + (int32_t)seed, 63);
  WmDetourCache *cache = NULL;
  CALL(wm_detour_cache_read(context, set.bytes, set.byte_count, &cache));
  uint64_t hash = WM_HASH_START;
  for (int32_t x = 0; x < 2; x++) {
    uint8_t *bytes = NULL;
    size_t byte_count = 0;
    CALL(wm_detour_cache_keep_tile(cache, x, 0, &bytes, &byte_count));
    hash = wm_hash_bytes(hash, bytes, byte_count);
    wm_block_free(context, bytes);
  }
  wm_detour_cache_destroy(cache);
  free(set.bytes);
  wm_context_destroy(context);
  return hash;
}

/* ---- All of them -------------------------------------------------------------------------------------- */

static void no_place_of_a_bake_needs_its_memory(void) {
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(8); seed++)
    CHECK(refuse_each_place(bake_level, seed) > 60);
}

static void no_place_of_a_dynamic_mesh_needs_its_memory(void) {
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(4); seed++)
    CHECK(refuse_each_place(change_level, seed) > 40);
}

static void no_place_of_a_tile_cache_needs_its_memory(void) { CHECK(refuse_each_place(read_cache, 1) > 5); }

int main(void) {
  RUN(no_place_of_a_bake_needs_its_memory);
  RUN(no_place_of_a_dynamic_mesh_needs_its_memory);
  RUN(no_place_of_a_tile_cache_needs_its_memory);
  return check_finish();
}
