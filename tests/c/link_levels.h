/* Small levels of boxes for tests of generated links: baked in tiles, with their air in a generator. */
#ifndef WALKMESH_TESTS_LINK_LEVELS_H
#define WALKMESH_TESTS_LINK_LEVELS_H

#include "check.h"
#include "links/links_internal.h"
#include "scene.h"
#include "walkmesh.h"

/* Appends a box to a scene. */
static inline void add_box(Scene *scene, float x0, float y0, float z0, float x1, float y1, float z1) {
  static const uint32_t FACES[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  const uint32_t first = (uint32_t)scene->vertex_count;
  scene->positions = realloc(scene->positions, 3 * (scene->vertex_count + 8) * sizeof *scene->positions);
  scene->indices = realloc(scene->indices, 3 * (scene->triangle_count + 12) * sizeof *scene->indices);
  for (uint32_t i = 0; i < 8; i++) {
    float *position = scene->positions + 3 * scene->vertex_count++;
    position[0] = i & 1 ? x1 : x0;
    position[1] = i & 2 ? y1 : y0;
    position[2] = i & 4 ? z1 : z0;
  }
  for (int face = 0; face < 6; face++) {
    const uint32_t *corner = FACES[face];
    const uint32_t triangles[6] = {corner[0], corner[1], corner[2], corner[0], corner[2], corner[3]};
    for (int k = 0; k < 6; k++) scene->indices[3 * scene->triangle_count + (size_t)k] = first + triangles[k];
    scene->triangle_count += 2;
  }
}

/* A baked level with its links. */
typedef struct LinkLevel {
  WmContext *context;
  Scene scene;
  WmConfig config;
  WmConfig bounded; /* with the level's bounds */
  WmLinkConfig links;
  const WmAreaVolume *volumes; /* [volume_count] none blocks links */
  size_t volume_count;
  WmBaker *baker;
  WmMesh *mesh;
  WmLinkGenerator *generator;
  int32_t tiles[2];
} LinkLevel;

/* The agent and the limits of all these tests: a radius of two cells, all kinds on. */
static inline LinkLevel start_link_level(void) {
  LinkLevel level = {.context = wm_context_create(NULL), .config = wm_config_default()};
  level.config.cell_size = 0.25f;
  level.config.cell_height = 0.125f;
  level.config.agent_radius = 0.5f;
  level.config.agent_height = 1.75f;
  level.config.agent_max_climb = 0.5f;
  level.links = wm_link_config_default(&level.config);
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    level.links.kinds[kind].is_on = true;
    level.links.kinds[kind].area = (uint8_t)(kind + 1);
    level.links.kinds[kind].flags = (uint16_t)(2 << kind);
  }
  level.links.drop_max_height = 4;
  level.links.jump_max_distance = 4;
  level.links.jump_max_up = 0.75f;
  level.links.jump_max_down = 2;
  level.links.climb_max_height = 2;
  level.links.vault_max_height = 1.25f;
  level.links.vault_max_depth = 1;
  return level;
}

/* Bakes a tile with its air; the caller frees both. */
static inline void bake_with_air(LinkLevel *level, int32_t x, int32_t z, WmTileData *tile, uint8_t **air,
                                 size_t *air_bytes) {
  WmBaker *baker = level->baker;
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, x, z, false), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    if (wm_baker_next_stage(baker) == WM_STAGE_COMPACT)
      CHECK_EQUAL_INT(wm_baker_keep_air(baker, air, air_bytes), WM_OK);
    CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  }
  *tile = wm_baker_take_tile(baker);
}

/* Bakes the level's boxes into mesh and generator. */
static inline void finish_link_level(LinkLevel *level) {
  WmBakeInput input = scene_input(&level->scene);
  input.volumes = level->volumes;
  input.volume_count = level->volume_count;
  CHECK_EQUAL_INT(wm_baker_create(level->context, &level->config, &input, &level->baker), WM_OK);
  const WmVoxelConfig *voxels = wm_baker_voxels(level->baker);
  level->tiles[0] = voxels->tile_count_x;
  level->tiles[1] = voxels->tile_count_z;
  level->bounded = level->config;
  level->bounded.has_bounds = true;
  wm_baker_bounds(level->baker, level->bounded.bounds_min, level->bounded.bounds_max);
  const bool is_tiled = level->config.tile_size > 0;
  WmMeshParameters parameters = {
      .tile_width = is_tiled ? voxels->tile_world_size : (float)voxels->width * level->config.cell_size,
      .tile_depth = is_tiled ? voxels->tile_world_size : (float)voxels->depth * level->config.cell_size,
      .tile_count_x = voxels->tile_count_x,
      .tile_count_z = voxels->tile_count_z,
      .cell_size = level->config.cell_size,
      .cell_height = level->config.cell_height,
      .agent_height = level->config.agent_height,
      .agent_radius = level->config.agent_radius,
      .agent_max_climb = level->config.agent_max_climb};
  memcpy(parameters.origin, level->bounded.bounds_min, sizeof parameters.origin);
  CHECK_EQUAL_INT(wm_mesh_create(level->context, &parameters, &level->mesh), WM_OK);
  CHECK_EQUAL_INT(wm_link_generator_create(level->context, &level->links, &level->bounded, &level->generator),
                  WM_OK);
  wm_baker_want_air(level->baker, true);
  for (int32_t z = 0; z < level->tiles[1]; z++) {
    for (int32_t x = 0; x < level->tiles[0]; x++) {
      WmTileData tile = {0};
      uint8_t *air = NULL;
      size_t air_bytes = 0;
      bake_with_air(level, x, z, &tile, &air, &air_bytes);
      CHECK_EQUAL_INT(wm_link_generator_set_air(level->generator, x, z, air, air_bytes, NULL, 0), WM_OK);
      if (tile.byte_count)
        CHECK_EQUAL_INT(wm_mesh_add_tile(level->mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
      wm_block_free(level->context, air);
      wm_tile_data_free(level->context, &tile);
    }
  }
}

static inline void free_link_level(LinkLevel *level) {
  wm_link_generator_destroy(level->generator);
  wm_mesh_destroy(level->mesh);
  wm_baker_destroy(level->baker);
  free_scene(&level->scene);
  wm_context_destroy(level->context);
}

/* All links of a level, by tile. malloc'ed. */
static inline WmSegmentLink *run_all_tiles(LinkLevel *level, size_t *count) {
  WmSegmentLink *links = NULL;
  *count = 0;
  for (int32_t z = 0; z < level->tiles[1]; z++) {
    for (int32_t x = 0; x < level->tiles[0]; x++) {
      WmLinkResult result;
      CHECK_EQUAL_INT(wm_link_generator_run(level->generator, level->mesh, x, z, false, &result), WM_OK);
      links = realloc(links, (*count + result.link_count + 1) * sizeof *links);
      if (result.link_count) memcpy(links + *count, result.links, result.link_count * sizeof *links);
      *count += result.link_count;
      wm_link_result_free(level->context, &result);
    }
  }
  return links;
}

#endif
