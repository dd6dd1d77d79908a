/* Golden traces of bakes (trace.h): every stage of every tile of random levels with random configurations, volumes,
 * solids and off-mesh connections, kept tiles, tiles that are built from them with obstacles, and hashes of tiles; at the origin,
 * far from it, small and large. */
#include "baked_levels.h"
#include "walkmesh.h"

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

static void scale_all(float *values, size_t count, float scale) {
  for (size_t i = 0; i < count; i++) values[i] *= scale;
}

static void scale_config(WmConfig *config, float scale) {
  float *const sizes[] = {&config->cell_size,       &config->cell_height,     &config->agent_height,
                          &config->agent_radius,    &config->agent_max_climb, &config->max_edge_length,
                          &config->detail_max_error};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) *sizes[i] *= scale;
}

/* Multiplies all sizes of a level. */
static void scale_level(Level *level, float scale) {
  scale_config(&level->config, scale);
  scale_all(level->scene.positions, 3 * level->scene.vertex_count, scale);
  for (int i = 0; i < VOLUMES; i++) {
    WmAreaVolume *volume = &level->volumes[i];
    float *const points[] = {volume->minimum, volume->maximum, volume->centre, volume->half_extents};
    for (int k = 0; k < 4; k++) scale_all(points[k], 3, scale);
    volume->radius *= scale;
    volume->height *= scale;
    scale_all(level->outlines[i][0], (size_t)3 * OUTLINE, scale);
  }
  for (int i = 0; i < SOLIDS; i++) {
    WmSolid *solid = &level->solids[i];
    scale_all(solid->start, 3, scale);
    scale_all(solid->end, 3, scale);
    scale_all(solid->half_axes[0], 9, scale);
    solid->radius *= scale;
    scale_all((float *)(uintptr_t)solid->vertices, 18, scale);
  }
  for (int i = 0; i < CONNECTIONS; i++) {
    scale_all(level->connections[i].start, 3, scale);
    scale_all(level->connections[i].end, 3, scale);
    level->connections[i].radius *= scale;
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

static void every_tile_is_as_it_was(void) {
  static Level level;
  for (uint32_t seed = 1; seed <= trace_seeds(60); seed++) {
    invent_level(&level, seed);
    bake_level("level", seed, &level);
  }
}

static void every_tile_on_a_lattice_is_as_it_was(void) {
  static Level level;
  for (uint32_t seed = 1; seed <= trace_seeds(60); seed++) {
    invent_lattice_level(&level, seed + 500);
    bake_level("lattice", seed, &level);
  }
}

/* Levels so small that lengths and areas meet tolerances, and so large that numbers are rounded. */
static void every_level_of_another_scale_is_as_it_was(void) {
  static Level level;
  for (uint32_t seed = 1; seed <= trace_seeds(16); seed++) {
    if (seed % 2) {
      invent_level(&level, seed + 800);
    } else {
      invent_lattice_level(&level, seed + 800);
    }
    scale_level(&level, seed % 4 < 2 ? 1.0f / 512 : 300.7f);
    bake_level("scaled", seed, &level);
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

int main(void) {
  trace_open("bake");
  RUN(every_tile_is_as_it_was);
  RUN(every_tile_on_a_lattice_is_as_it_was);
  RUN(every_pillar_is_as_it_was);
  RUN(every_scene_is_as_it_was);
  RUN(every_level_away_from_the_origin_is_as_it_was);
  RUN(every_level_of_another_scale_is_as_it_was);
  trace_close();
  return check_finish();
}
