/* Random levels for golden traces of bakes (trace.h), with random configurations, volumes, solids and off-mesh connections, on a
 * lattice or not; and traces of everything that a bake of a tile makes. */
#ifndef WALKMESH_TESTS_BAKED_LEVELS_H
#define WALKMESH_TESTS_BAKED_LEVELS_H

#include "bake/bake.h"
#include "dynamic_world.h"
#include "lattice.h"
#include "stage_dump.h"
#include "trace.h"

enum { VOLUMES = 5, SOLIDS = 4, CONNECTIONS = 3 };

typedef struct Level {
  Random random;
  Scene scene;
  WmConfig config;
  WmAreaVolume volumes[VOLUMES];
  float outlines[VOLUMES][OUTLINE][3];
  WmSolid solids[SOLIDS];
  WmOffMeshConnection connections[CONNECTIONS];
  uint16_t area_flags[64];
  WmBakeInput input;
} Level;

/* A corner of an octahedron, or of a box, around the centre. */
static const uint32_t OCTAHEDRON[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                          {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};

static inline void invent_solid(Level *level, WmSolid *solid, float (*corners)[3]) {
  Random *random = &level->random;
  *solid = (WmSolid){.kind = random_below(random, 5), .area = (uint8_t)(random_below(random, 4) ? 63 : 0)};
  for (int axis = 0; axis < 3; axis++) {
    solid->start[axis] = axis == 1 ? between(random, -1, 3) : between(random, 2, 22);
    solid->end[axis] = solid->start[axis] + between(random, -4, 4);
    solid->half_axes[axis][axis] = between(random, 0.3f, 2.5f);
  }
  solid->half_axes[0][2] = solid->half_axes[0][0] * 0.5f;
  solid->half_axes[2][0] = -solid->half_axes[2][2] * 0.5f;
  solid->radius = between(random, 0.4f, 2.5f);
  for (int i = 0; i < 6; i++) {
    memcpy(corners[i], solid->start, sizeof solid->start);
    corners[i][i / 2] += (i % 2 ? -1 : 1) * solid->radius;
  }
  solid->vertices = corners[0];
  solid->vertex_count = 6;
  solid->indices = OCTAHEDRON[0];
  solid->triangle_count = 8;
}

/* An obstacle whose outline no libm computes: a hexagon. */
static inline WmAreaVolume invent_volume(Random *random, float outline[OUTLINE][3]) {
  static const float HEXAGON[OUTLINE][2] = {{1, 0},  {0.5f, 0.866f},   {-0.5f, 0.866f},
                                            {-1, 0}, {-0.5f, -0.866f}, {0.5f, -0.866f}};
  const World box = {.low = {0, -1, 0}, .high = {24, 4, 24}};
  const WmAreaVolume volume = random_obstacle(random, &box, outline);
  for (int i = 0; i < OUTLINE; i++) {
    outline[i][0] = volume.centre[0] + volume.radius * HEXAGON[i][0];
    outline[i][2] = volume.centre[2] + volume.radius * HEXAGON[i][1];
  }
  return volume;
}

static inline void invent_config(Level *level) {
  Random *random = &level->random;
  WmConfig *config = &level->config;
  *config = wm_config_default();
  config->cell_size = between(random, 0.3f, 0.6f);
  config->cell_height = between(random, 0.1f, 0.4f);
  config->agent_radius = between(random, 0, 1);
  config->agent_height = between(random, 1, 2.5f);
  config->agent_max_climb = between(random, 0.2f, 0.9f);
  config->agent_max_slope = between(random, 20, 60);
  config->partition = random_below(random, 4);
  config->chunk_size = 1 + random_below(random, 24);
  config->min_region_size = between(random, 0, 8);
  config->merge_region_size = between(random, 0, 20);
  config->max_edge_length = random_below(random, 3) ? between(random, 1, 12) : 0;
  config->max_edge_error = between(random, 0, 2);
  config->max_vertices_per_polygon = 3 + random_below(random, 4);
  config->detail_sample_distance = random_below(random, 4) ? between(random, 1, 8) : 0;
  config->detail_max_error = between(random, 0, 2);
  config->tile_size = random_below(random, 3) ? 12 + random_below(random, 40) : 0;
  config->filter_low_hanging_obstacles = random_below(random, 4) > 0;
  config->filter_ledges = random_below(random, 4) > 0;
  config->filter_low_height = random_below(random, 4) > 0;
  config->median_filter = random_below(random, 3) == 0;
  config->heights = random_below(random, 2);
}

static inline void invent_level(Level *level, uint32_t seed) {
  static float corners[SOLIDS][6][3];
  *level = (Level){.random = {seed}, .scene = make_random_scene(seed)};
  Random *random = &level->random;
  invent_config(level);
  for (int i = 0; i < VOLUMES; i++) level->volumes[i] = invent_volume(random, level->outlines[i]);
  for (int i = 0; i < SOLIDS; i++) invent_solid(level, &level->solids[i], corners[i]);
  for (int i = 0; i < CONNECTIONS; i++) {
    level->connections[i] = (WmOffMeshConnection){
        .start = {between(random, 0, 24), between(random, -1, 3), between(random, 0, 24)},
        .end = {between(random, 0, 24), between(random, -1, 3), between(random, 0, 24)},
        .radius = between(random, 0.3f, 2),
        .flags = (uint16_t)(1 + i),
        .area = (uint8_t)i,
        .bidirectional = i == 1,
        .user_id = 70 + (uint32_t)i};
  }
  for (int i = 0; i < 64; i++) level->area_flags[i] = (uint16_t)(1 << i % 7);
  level->input = scene_input(&level->scene);
  level->input.volumes = level->volumes;
  level->input.volume_count = (size_t)random_below(random, VOLUMES + 1);
  level->input.solids = level->solids;
  level->input.solid_count = (size_t)random_below(random, SOLIDS + 1);
  level->input.connections = level->connections;
  level->input.connection_count = (size_t)random_below(random, CONNECTIONS + 1);
  level->input.area_flags = level->area_flags;
}

/* ---- What is folded ----------------------------------------------------------------------------------- */

static inline void fold_dump(WmContext *context, WmStatus status, WmBytes bytes) {
  trace_status(context, status);
  if (status) return;
  trace_fold(bytes.bytes, bytes.byte_count);
  wm_block_free(context, bytes.bytes);
}

static inline void fold_stages(WmContext *context, const WmBakeStages *stages) {
  WmBytes bytes = {NULL, 0};
  WmStatus status = wm_dump_heightfield(context, &stages->heightfield, &bytes);
  fold_dump(context, status, bytes);
  status = wm_dump_compact(context, &stages->compact, &stages->heightfield, &bytes);
  fold_dump(context, status, bytes);
  if (stages->distance.span_distance) {
    status = wm_dump_distance(context, &stages->distance, &bytes);
    fold_dump(context, status, bytes);
  }
  status = wm_dump_areas(context, &stages->compact, &bytes);
  fold_dump(context, status, bytes);
  status = wm_dump_regions(context, &stages->regions, &bytes);
  fold_dump(context, status, bytes);
  status = wm_dump_contours(context, &stages->contours, &bytes);
  fold_dump(context, status, bytes);
  status = wm_dump_polygon_mesh(context, &stages->polygon_mesh, &bytes);
  fold_dump(context, status, bytes);
  status = wm_dump_detail_mesh(context, &stages->detail_mesh, &bytes);
  fold_dump(context, status, bytes);
}

static inline void fold_layers(WmContext *context, const WmBakeStages *stages, int32_t walkable_height) {
  WmHeightfieldLayers layers;
  const WmStatus status = wm_build_heightfield_layers(context, &stages->compact, walkable_height, &layers);
  trace_status(context, status);
  for (uint32_t i = 0; i < layers.layer_count; i++) {
    const WmHeightfieldLayer *layer = &layers.layers[i];
    const size_t cells = (size_t)layers.grid.width * (size_t)layers.grid.depth;
    trace_fold(layer->heights, cells * sizeof *layer->heights);
    trace_fold(layer->areas, cells);
    trace_fold(layer->connections, cells);
  }
  wm_heightfield_layers_free(context, &layers);
}

static inline void trace_tile(WmContext *context, WmBaker *baker) {
  WmTileData tile = wm_baker_take_tile(baker);
  trace_number(tile.byte_count);
  trace_fold(tile.bytes, tile.byte_count);
  wm_tile_data_free(context, &tile);
}

/* Runs all stages; traces the status of each. */
static inline WmStatus run_stages(WmContext *context, WmBaker *baker, WmStatus status) {
  trace_status(context, status);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    status = wm_baker_step(baker);
    trace_status(context, status);
  }
  return status;
}

/* The kept tile, and the tile that is built from it with two obstacles. */
static inline void keep_tile(WmContext *context, WmBaker *baker, Level *level, int32_t x, int32_t z) {
  WmAreaVolume obstacles[2];
  float outlines[2][OUTLINE][3];
  uint8_t *kept = NULL;
  size_t kept_bytes = 0;
  for (int i = 0; i < 2; i++) obstacles[i] = invent_volume(&level->random, outlines[i]);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, x, z, false), WM_OK);
  while (wm_baker_next_stage(baker) < WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &kept, &kept_bytes), WM_OK);
  trace_fold(kept, kept_bytes);
  const WmStatus status = wm_baker_begin_kept_tile(baker, x, z, kept, kept_bytes, obstacles, 2);
  if (!run_stages(context, baker, status)) trace_tile(context, baker);
  wm_block_free(context, kept);
}

static inline void bake_tile(WmContext *context, WmBaker *baker, Level *level, int32_t x, int32_t z) {
  WmContentHash hash;
  CHECK_EQUAL_INT(wm_baker_hash_tile(baker, x, z, &hash), WM_OK);
  TRACE(hash);
  if (!run_stages(context, baker, wm_baker_begin_tile(baker, x, z, true))) {
    fold_stages(context, wm_baker_stages(baker));
    fold_layers(context, wm_baker_stages(baker), wm_baker_voxels(baker)->walkable_height);
    trace_tile(context, baker);
  }
  keep_tile(context, baker, level, x, z);
}

/* ---- Levels on a lattice ------------------------------------------------------------------------------ */

/* Boxes become blocks with slanted sides and tops, whose corners lie on borders of cells. */
static inline void snap_scene(Level *level) {
  for (size_t i = 0; i < level->scene.vertex_count; i++) {
    float *position = level->scene.positions + 3 * i;
    for (int axis = 0; axis < 3; axis++) {
      const float step = axis == 1 ? 0.25f : 0.5f;
      position[axis] =
          snap(position[axis], step) + step * (float)random_below(&level->random, axis == 1 ? 4 : 2);
    }
  }
}

static inline void snap_config(WmConfig *config) {
  config->cell_size = 0.5f;
  config->cell_height = 0.25f;
  config->agent_radius = snap(config->agent_radius, 0.5f);
  config->agent_height = snap(config->agent_height, 0.25f);
  config->agent_max_climb = snap(config->agent_max_climb, 0.25f);
  config->agent_max_slope = 45;
  config->min_region_size = snap(config->min_region_size, 1);
  config->merge_region_size = snap(config->merge_region_size, 1);
  config->max_edge_length = snap(config->max_edge_length, 0.5f);
  config->max_edge_error = snap(config->max_edge_error, 0.5f);
  config->detail_sample_distance = snap(config->detail_sample_distance, 1);
  config->detail_max_error = snap(config->detail_max_error, 0.5f);
}

/* Volumes, solids and connections. */
static inline void snap_shapes(Level *level) {
  for (int i = 0; i < VOLUMES; i++) {
    WmAreaVolume *volume = &level->volumes[i];
    float *const points[] = {volume->minimum, volume->maximum, volume->centre, volume->half_extents};
    for (int k = 0; k < 4; k++) snap_all(points[k], 3, 0.25f);
    volume->yaw = snap(volume->yaw, 0.5f);
    volume->radius = snap(volume->radius, 0.25f);
    volume->height = snap(volume->height, 0.25f);
    snap_all(level->outlines[i][0], (size_t)3 * OUTLINE, 0.25f);
  }
  for (int i = 0; i < SOLIDS; i++) {
    WmSolid *solid = &level->solids[i];
    snap_all(solid->start, 3, 0.25f);
    snap_all(solid->end, 3, 0.25f);
    snap_all(solid->half_axes[0], 9, 0.25f);
    solid->radius = snap(solid->radius, 0.25f);
    snap_all((float *)(uintptr_t)solid->vertices, 18, 0.25f);
  }
  for (int i = 0; i < CONNECTIONS; i++) {
    snap_all(level->connections[i].start, 3, 0.25f);
    snap_all(level->connections[i].end, 3, 0.25f);
    level->connections[i].radius = snap(level->connections[i].radius, 0.25f);
  }
}

static inline void invent_lattice_level(Level *level, uint32_t seed) {
  invent_level(level, seed);
  snap_config(&level->config);
  snap_shapes(level);
  snap_scene(level);
}

#endif
