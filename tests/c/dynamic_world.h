/* A level in tiles with its dynamic mesh, for tests: creates it, edits it and compares it with full bakes. */
#ifndef WALKMESH_TESTS_DYNAMIC_WORLD_H
#define WALKMESH_TESTS_DYNAMIC_WORLD_H

#include <math.h>

#include "dynamic/dynamic.h"
#include "mesh/formats/formats.h"
#include "random_field.h"
#include "scene.h"

enum { OUTLINE = 6 };

/* A level in tiles, its mesh without obstacles, and the dynamic mesh. */
typedef struct World {
  WmContext *context;
  Scene scene;
  WmConfig config;
  WmBakeInput input;
  WmMesh *mesh;
  WmDynamic *dynamic;
  int32_t columns, rows;
  float low[3], high[3];
} World;

static inline WmMesh *make_mesh(WmContext *context, const WmBaker *baker) {
  const WmConfig *config = wm_baker_config(baker);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  WmMeshParameters parameters = {.tile_width = voxels->tile_world_size,
                                 .tile_depth = voxels->tile_world_size,
                                 .cell_size = config->cell_size,
                                 .cell_height = config->cell_height,
                                 .agent_radius = config->agent_radius,
                                 .agent_height = config->agent_height,
                                 .agent_max_climb = config->agent_max_climb};
  float high[3];
  wm_baker_bounds(baker, parameters.origin, high);
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
  return mesh;
}

/* Bakes all tiles into a new mesh; if `dynamic` isn't NULL, also passes it their kept tiles. */
static inline WmMesh *bake_mesh(WmBaker *baker, WmContext *context, WmDynamic *dynamic) {
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  WmMesh *mesh = make_mesh(context, baker);
  for (int32_t z = 0; z < voxels->tile_count_z; z++) {
    for (int32_t x = 0; x < voxels->tile_count_x; x++) {
      CHECK_EQUAL_INT(wm_baker_begin_tile(baker, x, z, false), WM_OK);
      while (wm_baker_next_stage(baker) != WM_STAGE_DONE) {
        if (dynamic && wm_baker_next_stage(baker) == WM_STAGE_COMPACT) {
          uint8_t *bytes;
          size_t byte_count;
          CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_OK);
          CHECK_EQUAL_INT(wm_dynamic_keep_tile(dynamic, x, z, bytes, byte_count, true), WM_OK);
          wm_block_free(context, bytes);
        }
        CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
      }
      WmTileData data = wm_baker_take_tile(baker);
      if (data.byte_count) CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, data.bytes, data.byte_count, NULL), WM_OK);
      wm_tile_data_free(context, &data);
    }
  }
  return mesh;
}

/* Makes a world without tiles. The level's bounds become the configuration's.
 * returns    the baker of its tiles */
static inline WmBaker *begin_world(World *world, WmContext *context, Scene scene, WmConfig config,
                                   WmBakeInput input) {
  *world = (World){.context = context, .scene = scene, .config = config, .input = input};
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  wm_baker_bounds(baker, world->low, world->high);
  world->config.has_bounds = true;
  memcpy(world->config.bounds_min, world->low, sizeof world->low);
  memcpy(world->config.bounds_max, world->high, sizeof world->high);
  world->columns = wm_baker_voxels(baker)->tile_count_x;
  world->rows = wm_baker_voxels(baker)->tile_count_z;
  world->mesh = make_mesh(context, baker);
  CHECK_EQUAL_INT(wm_dynamic_create(context, world->mesh, &world->config, &input, &world->dynamic), WM_OK);
  return baker;
}

static inline void open_world(World *world, WmContext *context, Scene scene, WmConfig config,
                              WmBakeInput input) {
  WmBaker *baker = begin_world(world, context, scene, config, input);
  WmMesh *baked = bake_mesh(baker, context, world->dynamic);
  for (int32_t z = 0; z < world->rows; z++) {
    for (int32_t x = 0; x < world->columns; x++) {
      const WmMeshTile *tile = wm_mesh_find_tile(baked, x, z, 0);
      if (tile) CHECK_EQUAL_INT(wm_mesh_add_tile(world->mesh, tile->bytes, tile->byte_count, NULL), WM_OK);
    }
  }
  wm_mesh_destroy(baked);
  wm_baker_destroy(baker);
}

static inline void close_world(World *world) {
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  free_scene(&world->scene);
}

static inline void update_all(World *world) {
  while (wm_dynamic_dirty_count(world->dynamic)) {
    const size_t before = wm_dynamic_dirty_count(world->dynamic);
    WmTileChange change;
    CHECK_EQUAL_INT(wm_dynamic_step(world->dynamic, &change), WM_OK);
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, change.x, change.z, 0);
    CHECK(change.after == (tile ? tile->ref : 0));
    CHECK(change.is_changed == (change.after != change.before));
    CHECK(wm_dynamic_dirty_count(world->dynamic) < before);
  }
}

/* Every tile equals that of a bake of the whole level, with the obstacles after its volumes. */
static inline void check_against_bake(const World *world, const WmAreaVolume *obstacles, size_t count) {
  WmBakeInput input = world->input;
  WmAreaVolume *volumes = malloc((input.volume_count + count + 1) * sizeof *volumes);
  if (input.volume_count) memcpy(volumes, input.volumes, input.volume_count * sizeof *volumes);
  if (count) memcpy(volumes + input.volume_count, obstacles, count * sizeof *volumes);
  input.volumes = volumes;
  input.volume_count += count;
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(world->context, &world->config, &input, &baker), WM_OK);
  WmMesh *baked = bake_mesh(baker, world->context, NULL);
  int different = 0;
  for (int32_t z = 0; z < world->rows; z++) {
    for (int32_t x = 0; x < world->columns; x++) {
      const WmMeshTile *a = wm_mesh_find_tile(baked, x, z, 0), *b = wm_mesh_find_tile(world->mesh, x, z, 0);
      different += (a == NULL) != (b == NULL) ||
                   (a && (a->byte_count != b->byte_count || memcmp(a->bytes, b->bytes, a->byte_count) != 0));
    }
  }
  CHECK_EQUAL_INT(different, 0);
  wm_mesh_destroy(baked);
  wm_baker_destroy(baker);
  free(volumes);
}

/* ---- Random obstacles ------------------------------------------------------------------------------ */

static inline float between(Random *random, float low, float high) {
  return low + (high - low) * (float)random_below(random, 10001) / 10000;
}

static inline WmAreaVolume random_obstacle(Random *random, const World *world, float outline[OUTLINE][3]) {
  const float x = between(random, world->low[0], world->high[0]);
  const float y = between(random, world->low[1], world->high[1]);
  const float z = between(random, world->low[2], world->high[2]);
  const float size = between(random, 0.2f, random_below(random, 8) ? 2.5f : 12);
  WmAreaVolume volume = {.kind = random_below(random, 6),
                         .area = random_below(random, 3) ? 0 : (uint8_t)(1 + random_below(random, 62)),
                         .before_erosion = random_below(random, 3) > 0,
                         .centre = {x, y, z},
                         .minimum = {x - size, y, z - size},
                         .maximum = {x + between(random, 0, size), y + 3, z + size},
                         .half_extents = {size, 2, between(random, 0.3f, 2)},
                         .yaw = between(random, -4, 4),
                         .radius = size,
                         .height = between(random, 0.5f, 4),
                         .vertices = outline[0],
                         .vertex_count = OUTLINE};
  for (int i = 0; i < OUTLINE; i++) {
    const float angle = 6.2831853f * (float)i / OUTLINE;
    outline[i][0] = x + size * cosf(angle);
    outline[i][1] = 0;
    outline[i][2] = z + size * sinf(angle);
  }
  return volume;
}

static inline uint64_t hash_mesh(const WmMesh *mesh) {
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  CHECK_EQUAL_INT(wm_mesh_write(mesh, WM_FORMAT_WALKMESH, &bytes, &byte_count), WM_OK);
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < byte_count; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  wm_block_free(wm_mesh_context(mesh), bytes);
  return hash;
}

static inline WmConfig small_tiles(int32_t partition) {
  WmConfig config = wm_config_default();
  config.cell_size = 0.4f;
  config.cell_height = 0.2f;
  config.tile_size = 24;
  config.partition = partition;
  return config;
}

/* A flat square of `tiles` by `tiles` tiles. */
static inline void open_partitioned_square(World *world, WmContext *context, int32_t tiles,
                                           int32_t partition) {
  WmConfig config = small_tiles(partition);
  const Scene scene = make_square((float)(tiles * config.tile_size) * config.cell_size - 0.1f);
  open_world(world, context, scene, config, scene_input(&scene));
  CHECK_EQUAL_INT(world->columns, tiles);
  CHECK_EQUAL_INT(world->rows, tiles);
}

static inline void open_square(World *world, WmContext *context, int32_t tiles) {
  open_partitioned_square(world, context, tiles, WM_PARTITION_WATERSHED);
}

static inline WmAreaVolume crate(float x, float z) {
  return (WmAreaVolume){.kind = WM_AREA_VOLUME_CYLINDER,
                        .before_erosion = true,
                        .centre = {x, 0, z},
                        .radius = 0.7f,
                        .height = 1};
}

#endif
