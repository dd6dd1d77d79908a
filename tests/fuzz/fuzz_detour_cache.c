/* Bytes as a set of tile cache layers (TSET): reads them; if the set is valid, keeps and builds its tile
 * places, with an obstacle in the middle that is added and removed. The result must be a valid mesh, and
 * without the obstacle the same as before. */
#include "dynamic/dynamic.h"
#include "dynamic/detour_cache/detour_cache.h"
#include "harness.h"

enum { MOST_PLACES = 16, MOST_CELLS = 64 };

typedef struct World {
  WmContext *context;
  WmDetourCache *cache;
  WmMesh *mesh;
  WmDynamic *dynamic;
} World;

/* False if a bake would refuse the set's agent or cells, or if building it would take long. */
static bool open_world(World *world) {
  const WmDetourCacheSummary *summary = wm_detour_cache_summary(world->cache);
  const WmConfig config = wm_detour_cache_config(world->cache);
  const WmBakeInput input = {.from_kept_tiles = true, .kept_tiles_are_eroded = true};
  WmMeshParameters parameters = {.tile_width = (float)summary->tile_size * summary->cell_size};
  parameters.tile_depth = parameters.tile_width;
  memcpy(parameters.origin, summary->bounds_min, sizeof parameters.origin);
  if (summary->tile_count_x * summary->tile_count_z > MOST_PLACES || summary->tile_size > MOST_CELLS) {
    return false;
  }
  return !wm_mesh_create(world->context, &parameters, &world->mesh) &&
         !wm_dynamic_create(world->context, world->mesh, &config, &input, &world->dynamic);
}

static void keep_places(const World *world) {
  const WmDetourCacheSummary *summary = wm_detour_cache_summary(world->cache);
  for (int32_t place = 0; place < summary->tile_count_x * summary->tile_count_z; place++) {
    const int32_t x = place % summary->tile_count_x, z = place / summary->tile_count_x;
    uint8_t *bytes;
    size_t byte_count;
    const WmStatus status = wm_detour_cache_keep_tile(world->cache, x, z, &bytes, &byte_count);
    FUZZ_REQUIRE(!status);
    if (!bytes) continue;
    FUZZ_REQUIRE(!wm_dynamic_keep_tile(world->dynamic, x, z, bytes, byte_count, false));
    wm_block_free(world->context, bytes);
  }
}

/* False if a tile exceeds the limits of a stage. */
static bool update_all(const World *world) {
  WmTileChange change;
  while (wm_dynamic_dirty_count(world->dynamic)) {
    const WmStatus status = wm_dynamic_step(world->dynamic, &change);
    FUZZ_REQUIRE(!status || status == WM_ERROR_LIMIT);
    if (status) return false;
  }
  return true;
}

static void put_obstacle(const World *world) {
  const WmDetourCacheSummary *summary = wm_detour_cache_summary(world->cache);
  WmAreaVolume volume = {.kind = WM_AREA_VOLUME_BOX, .before_erosion = true};
  for (int axis = 0; axis < 3; axis++) {
    const float low = summary->bounds_min[axis], extent = summary->bounds_max[axis] - low;
    volume.minimum[axis] = low + 0.3f * extent;
    volume.maximum[axis] = low + 0.6f * extent;
  }
  const size_t polygons = wm_mesh_tile_count(world->mesh);
  const double area = wm_mesh_area(world->mesh);
  WmObstacle obstacle;
  if (wm_dynamic_add_obstacle(world->dynamic, &volume, &obstacle)) return;
  if (!update_all(world)) return;
  FUZZ_REQUIRE(!wm_dynamic_remove_obstacle(world->dynamic, obstacle));
  if (!update_all(world)) return;
  FUZZ_REQUIRE(wm_mesh_tile_count(world->mesh) == polygons && wm_mesh_area(world->mesh) == area);
}

int fuzz_detour_cache(const uint8_t *bytes, size_t byte_count) {
  uint8_t *file = malloc(byte_count ? byte_count : 1); /* the exact size, for sanitizers */
  FUZZ_REQUIRE(file);
  if (byte_count) memcpy(file, bytes, byte_count);
  FuzzMemory memory;
  fuzz_begin(&memory);
  World world = {.context = memory.context};
  const WmStatus status = wm_detour_cache_read(memory.context, file, byte_count, &world.cache);
  FUZZ_REQUIRE(memory.peak <= fuzz_memory_limit(byte_count));
  if (status) {
    FUZZ_REQUIRE(!world.cache && wm_context_error(memory.context)->message[0] != 0);
    FUZZ_REQUIRE(status == WM_ERROR_CORRUPT || status == WM_ERROR_LIMIT || status == WM_ERROR_UNSUPPORTED);
  } else if (open_world(&world)) {
    keep_places(&world);
    if (update_all(&world)) put_obstacle(&world);
    fuzz_round_trip(world.mesh);
  }
  wm_dynamic_destroy(world.dynamic);
  wm_mesh_destroy(world.mesh);
  wm_detour_cache_destroy(world.cache);
  fuzz_end(&memory);
  free(file);
  return 0;
}
