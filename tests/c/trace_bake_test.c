/* Golden traces of bakes (trace.h): every stage of every tile of random levels with random configurations, volumes,
 * solids and off-mesh connections, kept tiles, tiles that are built from them with obstacles, and hashes of tiles; and
 * what the checks of results (bake/validate.h) say when entries of them are changed. */
#include <math.h>

#include "bake/contours/contours_validate.h"
#include "bake/detail/detail_mesh_validate.h"
#include "bake/polygons/polygon_mesh_validate.h"
#include "bake/tile/tile_validate.h"
#include "bake/validate.h"
#include "dynamic/obstacles/offset_volume.h"
#include "dynamic_world.h"
#include "lattice.h"
#include "stage_dump.h"
#include "trace.h"
#include "walkmesh.h"

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

static void invent_solid(Level *level, WmSolid *solid, float (*corners)[3]) {
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
static WmAreaVolume invent_volume(Random *random, float outline[OUTLINE][3]) {
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

static void invent_config(Level *level) {
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

static void invent_level(Level *level, uint32_t seed) {
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

static void fold_dump(WmContext *context, WmStatus status, WmBytes bytes) {
  trace_status(context, status);
  if (status) return;
  trace_fold(bytes.bytes, bytes.byte_count);
  wm_block_free(context, bytes.bytes);
}

static void fold_stages(WmContext *context, const WmBakeStages *stages) {
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

static void fold_layers(WmContext *context, const WmBakeStages *stages, int32_t walkable_height) {
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

static void trace_tile(WmContext *context, WmBaker *baker) {
  WmTileData tile = wm_baker_take_tile(baker);
  trace_number(tile.byte_count);
  trace_fold(tile.bytes, tile.byte_count);
  wm_tile_data_free(context, &tile);
}

/* Runs all stages; traces the status of each. */
static WmStatus run_stages(WmContext *context, WmBaker *baker, WmStatus status) {
  trace_status(context, status);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    status = wm_baker_step(baker);
    trace_status(context, status);
  }
  return status;
}

/* The kept tile, and the tile that is built from it with two obstacles. */
static void keep_tile(WmContext *context, WmBaker *baker, Level *level, int32_t x, int32_t z) {
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

static void bake_tile(WmContext *context, WmBaker *baker, Level *level, int32_t x, int32_t z) {
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

/* Bakes all tiles of a level. */
static void bake_level(const char *kind, uint32_t seed, Level *level) {
  char name[32];
  snprintf(name, sizeof name, "%s-%u", kind, (unsigned)seed);
  WmContext *context = wm_context_create(NULL);
  trace_begin(name);
  WmBaker *baker = NULL;
  const WmStatus status = wm_baker_create(context, &level->config, &level->input, &baker);
  trace_status(context, status);
  if (!status) {
    const WmVoxelConfig *voxels = wm_baker_voxels(baker);
    trace_number(wm_baker_warnings(baker));
    for (int32_t z = 0; z < voxels->tile_count_z; z++) {
      for (int32_t x = 0; x < voxels->tile_count_x; x++) bake_tile(context, baker, level, x, z);
    }
  }
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&level->scene);
}

/* Moves everything of a level away from the origin, to where coordinates on different axes and sides have different signs. */
static void move_level(Level *level) {
  static const float OFFSET[3] = {-37.25f, 5.5f, 81.75f};
  for (size_t i = 0; i < level->scene.vertex_count * 3; i++) level->scene.positions[i] += OFFSET[i % 3];
  for (size_t axis = 0; axis < 3; axis++) {
    for (int i = 0; i < VOLUMES; i++) {
      WmAreaVolume *volume = &level->volumes[i];
      volume->minimum[axis] += OFFSET[axis];
      volume->maximum[axis] += OFFSET[axis];
      volume->centre[axis] += OFFSET[axis];
      for (int k = 0; k < OUTLINE; k++) level->outlines[i][k][axis] += OFFSET[axis];
    }
    for (int i = 0; i < SOLIDS; i++) {
      level->solids[i].start[axis] += OFFSET[axis];
      level->solids[i].end[axis] += OFFSET[axis];
      for (size_t k = 0; k < 6; k++)
        ((float *)(uintptr_t)level->solids[i].vertices)[3 * k + axis] += OFFSET[axis];
    }
    for (int i = 0; i < CONNECTIONS; i++) {
      level->connections[i].start[axis] += OFFSET[axis];
      level->connections[i].end[axis] += OFFSET[axis];
    }
  }
}

static void trace_whole_mesh(WmContext *context, const Level *level) {
  WmMesh *mesh = NULL;
  const WmStatus status = wm_bake_mesh(context, &level->config, &level->input, &mesh);
  trace_status(context, status);
  if (status) return;
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  const float numbers[] = {parameters->origin[0],      parameters->origin[1],    parameters->origin[2],
                           parameters->tile_width,     parameters->tile_depth,   parameters->cell_size,
                           parameters->cell_height,    parameters->agent_height, parameters->agent_radius,
                           parameters->agent_max_climb};
  TRACE(numbers);
  trace_number((uint64_t)parameters->tile_count_x << 32 | (uint32_t)parameters->tile_count_z);
  trace_number(hash_mesh(mesh));
  wm_mesh_destroy(mesh);
}

static void bake_level_away(uint32_t seed) {
  static Level level;
  char name[32];
  snprintf(name, sizeof name, "away-%u", (unsigned)seed);
  invent_level(&level, seed);
  level.config.cell_size += 0.1f;
  move_level(&level);
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  trace_begin(name);
  trace_whole_mesh(context, &level);
  const WmStatus status = wm_baker_create(context, &level.config, &level.input, &baker);
  trace_status(context, status);
  if (!status) {
    const WmVoxelConfig *voxels = wm_baker_voxels(baker);
    bake_tile(context, baker, &level, voxels->tile_count_x - 1, voxels->tile_count_z / 2);
  }
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&level.scene);
}

static void every_level_away_from_the_origin_is_as_it_was(void) {
  for (uint32_t seed = 101; seed <= 112; seed++) bake_level_away(seed);
}

/* Scenes with spirals, holes, stairs and overlapping floors, in each partition. */
static void bake_scene_file(const char *scene_name, int32_t partition) {
  static Level level;
  char name[48], path[64];
  snprintf(name, sizeof name, "%s-%d", scene_name, (int)partition);
  snprintf(path, sizeof path, "tests/scenes/%s.obj", scene_name);
  invent_level(&level, (uint32_t)partition + 1);
  free_scene(&level.scene);
  level.scene = read_obj(path);
  level.config = wm_config_default();
  level.config.cell_size = 0.5f;
  level.config.partition = partition;
  level.config.tile_size = partition % 2 ? 40 : 0;
  level.config.median_filter = partition == 2;
  const WmBakeInput input = level.input;
  level.input = scene_input(&level.scene);
  level.input.area_flags = input.area_flags;
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &level.config, &level.input, &baker), WM_OK);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  for (int32_t tile = 0; tile < voxels->tile_count_x * voxels->tile_count_z && tile < 4; tile++) {
    bake_tile(context, baker, &level, tile % voxels->tile_count_x, tile / voxels->tile_count_x);
  }
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&level.scene);
}

static void every_scene_is_as_it_was(void) {
  static const char *const SCENES[] = {"caves", "holes", "islands", "maze", "stairs", "tower"};
  for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) {
    for (int32_t partition = 0; partition < 4; partition++) bake_scene_file(SCENES[i], partition);
  }
}

/* ---- Polygons that grow ------------------------------------------------------------------------------- */

/* Outlines of every kind, offset inwards and outwards, and volumes offset by an agent radius. */
static void every_offset_is_as_it_was(void) {
  WmContext *context = wm_context_create(NULL);
  trace_begin("offsets");
  for (uint32_t seed = 1; seed <= 200; seed++) {
    Random random = {seed};
    float outline[OUTLINE][3], widened[2 * OUTLINE][3] = {{0}};
    WmAreaVolume volume = invent_volume(&random, outline);
    for (int i = 0; i < OUTLINE && seed % 2; i++) {
      outline[i][0] += between(&random, -1, 1);
      outline[i][2] += between(&random, -1, 1);
    }
    size_t count = 0;
    const float radius = between(&random, -1, 2);
    const size_t room = (size_t)random_below(&random, 2 * OUTLINE + 1);
    trace_status(context, wm_offset_polygon(context, outline[0], OUTLINE, radius, widened[0], room, &count));
    trace_number(count);
    TRACE(widened);
    if (volume.kind == WM_AREA_VOLUME_PRISM) volume.kind = WM_AREA_VOLUME_CYLINDER;
    volume.before_erosion = true;
    const WmScratchMark mark = wm_scratch_mark(context);
    const WmAreaVolume *volumes = &volume;
    size_t volume_count = 1;
    const WmStatus status = wm_offset_volumes(context, fabsf(radius), &volumes, &volume_count);
    trace_status(context, status);
    for (size_t i = 0; !status && i < volume_count; i++) {
      const WmAreaVolume *one = &volumes[i];
      trace_number((uint64_t)one->kind << 8 | one->area);
      if (one->kind == WM_AREA_VOLUME_PRISM) trace_fold(one->vertices, one->vertex_count * 3 * sizeof(float));
      TRACE(one->minimum);
      TRACE(one->maximum);
      TRACE(one->centre);
      TRACE(one->radius);
      TRACE(one->height);
    }
    wm_scratch_rewind(context, mark);
  }
  trace_end();
  wm_context_destroy(context);
}

/* ---- Broken results ----------------------------------------------------------------------------------- */

/* What the checks of stages' results look at. */
static struct {
  WmContext *context;
  WmBakeStages stages;
  WmHeightfieldLayers layers;
  uint8_t *areas; /* before volumes were marked */
} judged;

typedef bool (*Judge)(void);

static bool judge_heightfield(void) { return wm_heightfield_validate(&judged.stages.heightfield); }
static bool judge_compact(void) { return wm_compact_heightfield_validate(&judged.stages.compact); }
static bool judge_areas(void) { return wm_areas_validate(&judged.stages.compact, judged.areas); }
static bool judge_distance(void) {
  return wm_distance_field_validate(&judged.stages.compact, &judged.stages.distance);
}
static bool judge_regions(void) {
  return wm_regions_validate(judged.context, &judged.stages.compact, &judged.stages.regions);
}
static bool judge_contours(void) { return wm_contour_set_validate(&judged.stages.contours); }
static bool judge_polygons(void) { return wm_polygon_mesh_validate(&judged.stages.polygon_mesh); }
static bool judge_details(void) {
  return wm_detail_mesh_validate(&judged.stages.detail_mesh, &judged.stages.polygon_mesh);
}
static bool judge_layers(void) {
  return wm_heightfield_layers_validate(&judged.stages.compact, &judged.layers);
}
static bool judge_tile(void) { return wm_tile_validate(&judged.stages.tile); }

/* Changes some entries of an array, one at a time, and folds what the check says. */
static void judge_array(void *array, size_t count, size_t entry_bytes, Judge is_valid) {
  trace_number(is_valid());
  for (size_t i = 0; i < count; i += 1 + count / 100) {
    uint8_t *entry = (uint8_t *)array + i * entry_bytes;
    const uint8_t *other = (uint8_t *)array + (i + 1) % count * entry_bytes;
    uint32_t before = 0, next = 0;
    memcpy(&before, entry, entry_bytes);
    memcpy(&next, other, entry_bytes);
    const uint32_t values[] = {before + 1, before - 1, 0, UINT32_MAX, next, before ^ 0x80, before + 7};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      memcpy(entry, &values[k], entry_bytes);
      trace_number(is_valid());
    }
    memcpy(entry, &before, entry_bytes);
  }
}

static void judge_fields(WmStage stage) {
  WmBakeStages *stages = &judged.stages;
  const size_t cells = (size_t)stages->heightfield.grid.width * (size_t)stages->heightfield.grid.depth;
  if (stage == WM_STAGE_FILTER_LOW_HEIGHT) {
    WmHeightfield *field = &stages->heightfield;
    judge_array(field->cell_first, cells + 1, 4, judge_heightfield);
    judge_array(field->span_min, field->span_count, 2, judge_heightfield);
    judge_array(field->span_max, field->span_count, 2, judge_heightfield);
    judge_array(field->span_area, field->span_count, 1, judge_heightfield);
  }
  WmCompactHeightfield *compact = &stages->compact;
  if (stage == WM_STAGE_COMPACT) {
    judge_array(compact->cell_first, cells + 1, 4, judge_compact);
    judge_array(compact->span_floor, compact->span_count, 2, judge_compact);
    judge_array(compact->span_area, compact->span_count, 1, judge_compact);
    judge_array(&compact->walkable_climb, 1, 4, judge_compact);
    compact->links_are_symmetric = !compact->links_are_symmetric;
    trace_number(judge_compact());
    compact->links_are_symmetric = !compact->links_are_symmetric;
  }
  if (stage == WM_STAGE_MARK_AREAS) judge_array(compact->span_area, compact->span_count, 1, judge_areas);
  if (stage == WM_STAGE_DISTANCE && stages->distance.block) {
    judge_array(stages->distance.span_distance, compact->span_count, 2, judge_distance);
    judge_array(&stages->distance.max_distance, 1, 2, judge_distance);
  }
  if (stage == WM_STAGE_REGIONS) {
    judge_array(stages->regions.span_region, compact->span_count, 2, judge_regions);
    judge_array(&stages->regions.region_count, 1, 4, judge_regions);
  }
}

static void judge_layer_images(void) {
  const size_t cells = (size_t)judged.layers.grid.width * (size_t)judged.layers.grid.depth;
  for (uint32_t i = 0; i < judged.layers.layer_count; i++) {
    WmHeightfieldLayer *layer = &judged.layers.layers[i];
    judge_array(layer->heights, cells, 1, judge_layers);
    judge_array(layer->areas, cells, 1, judge_layers);
    judge_array(layer->connections, cells, 1, judge_layers);
    judge_array(&layer->height_min, 1, 4, judge_layers);
  }
}

static void judge_meshes(void) {
  const WmContourSet *set = &judged.stages.contours;
  const WmPolygonMesh *mesh = &judged.stages.polygon_mesh;
  const WmDetailMesh *detail = &judged.stages.detail_mesh;
  const size_t contours = set->contour_count, polygons = mesh->polygon_count;
  judge_array(set->vertices, 4 * (size_t)set->vertex_first[contours], 4, judge_contours);
  judge_array(set->raw_vertices, 4 * (size_t)set->raw_first[contours], 4, judge_contours);
  judge_array(set->vertex_first, contours + 1, 4, judge_contours);
  judge_array(set->raw_first, contours + 1, 4, judge_contours);
  judge_array(set->contour_region, contours, 2, judge_contours);
  judge_array(set->contour_area, contours, 1, judge_contours);
  judge_array(mesh->vertices, 3 * (size_t)mesh->vertex_count, 2, judge_polygons);
  judge_array(mesh->polygons, 2 * (size_t)mesh->max_vertices_per_polygon * polygons, 2, judge_polygons);
  judge_array(mesh->polygon_area, polygons, 1, judge_polygons);
  judge_array(detail->submeshes, 4 * (size_t)detail->submesh_count, 4, judge_details);
  judge_array(detail->vertices, 3 * (size_t)detail->vertex_count, 4, judge_details);
  judge_array(detail->triangles, 4 * (size_t)detail->triangle_count, 1, judge_details);
  judge_array(judged.stages.tile.bytes, judged.stages.tile.byte_count / 4, 4, judge_tile);
  judge_array(judged.stages.tile.bytes, judged.stages.tile.byte_count / 2, 2, judge_tile);
}

static void judge_level(uint32_t seed) {
  static Level level;
  char name[32];
  snprintf(name, sizeof name, "judged-%u", (unsigned)seed);
  invent_level(&level, seed);
  level.config.cell_size = 0.8f;
  level.config.agent_radius = 0.4f;
  level.config.tile_size = seed % 2 ? 14 : 0;
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &level.config, &level.input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  judged.context = context;
  judged.areas = NULL;
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    const WmStage stage = wm_baker_next_stage(baker);
    CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    judged.stages = *wm_baker_stages(baker);
    judge_fields(stage);
    if (stage != WM_STAGE_ERODE) continue;
    judged.areas = malloc(judged.stages.compact.span_count + 1);
    memcpy(judged.areas, judged.stages.compact.span_area, judged.stages.compact.span_count);
  }
  const int32_t height = judged.stages.compact.walkable_height;
  CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &judged.stages.compact, height, &judged.layers),
                  WM_OK);
  judge_layer_images();
  judge_meshes();
  wm_heightfield_layers_free(context, &judged.layers);
  free(judged.areas);
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&level.scene);
}

static void every_broken_result_is_found_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(6); seed++) judge_level(seed);
}

static void every_tile_is_as_it_was(void) {
  static Level level;
  for (uint32_t seed = 1; seed <= trace_seeds(60); seed++) {
    invent_level(&level, seed);
    bake_level("level", seed, &level);
  }
}

/* ---- Levels on a lattice ------------------------------------------------------------------------------ */

/* Boxes become blocks with slanted sides and tops, whose corners lie on borders of cells. */
static void snap_scene(Level *level) {
  for (size_t i = 0; i < level->scene.vertex_count; i++) {
    float *position = level->scene.positions + 3 * i;
    for (int axis = 0; axis < 3; axis++) {
      const float step = axis == 1 ? 0.25f : 0.5f;
      position[axis] =
          snap(position[axis], step) + step * (float)random_below(&level->random, axis == 1 ? 4 : 2);
    }
  }
}

static void snap_config(WmConfig *config) {
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
static void snap_shapes(Level *level) {
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

static void invent_lattice_level(Level *level, uint32_t seed) {
  invent_level(level, seed);
  snap_config(&level->config);
  snap_shapes(level);
  snap_scene(level);
}

static void every_tile_on_a_lattice_is_as_it_was(void) {
  static Level level;
  for (uint32_t seed = 1; seed <= trace_seeds(60); seed++) {
    invent_lattice_level(&level, seed + 500);
    bake_level("lattice", seed, &level);
  }
}

/* Many regions, contours, holes and polygons in one tile, so that arrays grow several times. */
static void every_pillar_is_as_it_was(void) {
  static Level level;
  for (uint32_t seed = 1; seed <= trace_seeds(8); seed++) {
    invent_lattice_level(&level, seed + 700);
    free_scene(&level.scene);
    level.scene = make_pillars(15);
    level.config.partition = (int32_t)(seed % 4);
    level.config.cell_size = 0.25f;
    level.config.agent_radius = seed % 2 ? 0 : 0.25f;
    level.config.tile_size = 0;
    level.config.min_region_size = level.config.merge_region_size = seed < 5 ? 0 : 3;
    level.input.triangles = scene_input(&level.scene).triangles;
    bake_level("pillars", seed, &level);
  }
}

/* ---- Each stage by itself ----------------------------------------------------------------------------- */

/* The fields that a stage may have changed. */
static void fold_fields(WmContext *context, const WmBakeStages *stages, WmStage stage) {
  WmBytes bytes = {NULL, 0};
  WmStatus status = wm_dump_heightfield(context, &stages->heightfield, &bytes);
  fold_dump(context, status, bytes);
  if (stage < WM_STAGE_COMPACT) return;
  status = wm_dump_areas(context, &stages->compact, &bytes);
  fold_dump(context, status, bytes);
}

/* The stages are kept: later ones must not have run early. */
static void step_level(uint32_t seed) {
  static Level level;
  char name[32];
  snprintf(name, sizeof name, "stages-%u", (unsigned)seed);
  invent_lattice_level(&level, seed + 600);
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &level.config, &level.input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) < WM_STAGE_REGIONS) {
    const WmStage stage = wm_baker_next_stage(baker);
    CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    fold_fields(context, wm_baker_stages(baker), stage);
  }
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&level.scene);
}

static void every_stage_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(12); seed++) step_level(seed);
}

/* ---- Height detail ------------------------------------------------------------------------------------ */

enum { HILL_SIDE = 20 };

/* Hills of heights in quarters, some of them steep; a second floor over a part of them. */
static Scene make_hills(uint32_t seed) {
  Random random = {seed};
  const size_t side = HILL_SIDE + 1, half = HILL_SIDE / 2;
  Scene scene = {.positions = malloc(3 * (side * side + 4) * sizeof(float)),
                 .indices = malloc(3 * (2 * (size_t)HILL_SIDE * HILL_SIDE + 2) * sizeof(uint32_t))};
  for (size_t i = 0; i < side * side; i++) {
    const size_t west = 3 * (i - 1) + 1, north = 3 * (i - side) + 1;
    const float before = i % side ? scene.positions[west] : 2, above = i >= side ? scene.positions[north] : 2;
    float *position = scene.positions + 3 * scene.vertex_count++;
    position[0] = (float)(i % side);
    position[1] = snap(0.5f * (before + above) + between(&random, -0.6f, 0.6f), 0.125f);
    position[2] = (float)(i / side);
  }
  for (size_t i = 0; i < (size_t)HILL_SIDE * HILL_SIDE; i++) {
    const uint32_t a = (uint32_t)(i % HILL_SIDE + i / HILL_SIDE * side), b = a + (uint32_t)side;
    const uint32_t corners[6] = {a, b, b + 1, a, b + 1, a + 1};
    memcpy(scene.indices + 6 * i, corners, sizeof corners);
  }
  scene.triangle_count = 2 * (size_t)HILL_SIDE * HILL_SIDE;
  const float floor[4][3] = {
      {2, 5, 2}, {2, 6, (float)half}, {(float)half, 6, (float)half}, {(float)half, 5, 2}};
  memcpy(scene.positions + 3 * scene.vertex_count, floor, sizeof floor);
  const uint32_t first = (uint32_t)scene.vertex_count;
  const uint32_t corners[6] = {first, first + 1, first + 2, first, first + 2, first + 3};
  memcpy(scene.indices + 3 * scene.triangle_count, corners, sizeof corners);
  scene.vertex_count += 4;
  scene.triangle_count += 2;
  return scene;
}

/* Builds the detail of a mesh with settings from none to the finest, and again with polygons that belong to no region. */
static void fold_details(WmContext *context, const WmBakeStages *stages) {
  static const float DISTANCES[] = {0, 0.3f, 0.5f, 0.9f, 1.5f, 4, 100}, ERRORS[] = {0, 0.125f, 1};
  for (uint32_t i = 0; i < stages->polygon_mesh.polygon_count; i++) {
    if (i % 3 == 2) stages->polygon_mesh.polygon_region[i] = 0;
  }
  for (size_t d = 0; d < sizeof DISTANCES / sizeof *DISTANCES; d++) {
    for (size_t e = 0; e < sizeof ERRORS / sizeof *ERRORS; e++) {
      const WmDetailSettings settings = {.sample_distance = DISTANCES[d], .max_error = ERRORS[e]};
      WmDetailMesh detail;
      const WmStatus status = wm_build_detail_mesh(context, &stages->polygon_mesh, &stages->compact,
                                                   &stages->regions, &settings, &detail);
      trace_status(context, status);
      WmBytes bytes = {NULL, 0};
      if (status) continue;
      const WmStatus dumped = wm_dump_detail_mesh(context, &detail, &bytes);
      fold_dump(context, dumped, bytes);
      wm_detail_mesh_free(context, &detail);
    }
  }
}

static void detail_level(uint32_t seed) {
  Scene scene = make_hills(seed);
  char name[32];
  snprintf(name, sizeof name, "detail-%u", (unsigned)seed);
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.cell_size = seed % 2 ? 0.5f : 0.3f;
  config.cell_height = seed % 3 ? 0.25f : 0.1f;
  config.agent_radius = 0.5f;
  config.agent_max_climb = 0.5f;
  config.partition = (int32_t)(seed % 4);
  config.max_vertices_per_polygon = 3 + (int32_t)(seed % 4);
  config.tile_size = seed % 3 ? 20 : 0;
  config.max_edge_length = 6;
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker = NULL;
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, voxels->tile_count_x / 2, voxels->tile_count_z / 2, true),
                  WM_OK);
  while (wm_baker_next_stage(baker) < WM_STAGE_DETAIL_MESH) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  fold_details(context, wm_baker_stages(baker));
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&scene);
}

static void every_detail_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(16); seed++) detail_level(seed);
}

int main(void) {
  trace_open("bake");
  RUN(every_tile_is_as_it_was);
  RUN(every_tile_on_a_lattice_is_as_it_was);
  RUN(every_pillar_is_as_it_was);
  RUN(every_stage_is_as_it_was);
  RUN(every_detail_is_as_it_was);
  RUN(every_scene_is_as_it_was);
  RUN(every_level_away_from_the_origin_is_as_it_was);
  RUN(every_offset_is_as_it_was);
  RUN(every_broken_result_is_found_as_it_was);
  trace_close();
  return check_finish();
}
