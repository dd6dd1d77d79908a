/* Golden traces (trace.h) of functions that only report, or do for many what others do for one, and that the package calls:
 * sums and triangles of meshes, agents between steps, switches, obstacles in groups, tiles that are stored as they were built,
 * bakers in portions, corridors that are reset, configurations of tile caches. */
#include "crowd_trace.h"
#include "detour_cache_sets.h"
#include "dynamic/detour_cache/detour_cache.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/tile_jobs.h"
#include "dynamic_world.h"
#include "maze_world.h"
#include "query/corridor/corridor.h"
#include "query/switches/switches.h"

/* ---- Meshes ------------------------------------------------------------------------------------------- */

static void trace_totals(const WmMesh *mesh) {
  WmMeshTotals totals;
  memset(&totals, 0x5a, sizeof totals);
  wm_mesh_totals(mesh, &totals);
  const uint64_t numbers[] = {totals.tiles,     totals.polygons, totals.connections, totals.vertices,
                              totals.triangles, totals.links,    totals.byte_count};
  TRACE(numbers);
  TRACE(totals.bounds_min);
  TRACE(totals.bounds_max);
  size_t length = 77;
  const char *text = wm_mesh_configuration(mesh, &length);
  trace_number(length);
  if (length) trace_fold(text, length);
}

static void trace_triangles(const WmMeshTile *tile) {
  float *positions = malloc(((size_t)tile->triangle_count + 1) * 9 * sizeof *positions);
  uint32_t *polygons = malloc(((size_t)tile->triangle_count + 1) * sizeof *polygons);
  for (int i = 0; i < 2; i++) {
    memset(positions, 0, ((size_t)tile->triangle_count + 1) * 9 * sizeof *positions);
    memset(polygons, 0, ((size_t)tile->triangle_count + 1) * sizeof *polygons);
    wm_mesh_tile_triangles(tile, positions, i ? polygons : NULL);
    trace_fold(positions, ((size_t)tile->triangle_count + 1) * 9 * sizeof *positions);
    trace_fold(polygons, ((size_t)tile->triangle_count + 1) * sizeof *polygons);
  }
  free(positions);
  free(polygons);
}

/* Tiles go, come and are replaced by themselves and by others. */
static void change_tiles(WmContext *context, WmMesh *mesh, uint32_t *state) {
  for (int i = 0; i < 12; i++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, grid_random(state) % wm_mesh_slot_count(mesh));
    const WmMeshTile *other = wm_mesh_tile(mesh, grid_random(state) % wm_mesh_slot_count(mesh));
    if (!tile || !other || !tile->ground_count || !other->ground_count) continue; /* a connection */
    WmRef ref = 0;
    uint8_t *bytes = malloc(tile->byte_count);
    const size_t byte_count = tile->byte_count;
    memcpy(bytes, tile->bytes, byte_count);
    if (i % 4 == 3)
      memcpy(bytes + 2 * sizeof(int32_t), other->bytes + 2 * sizeof(int32_t), 8); /* its place */
    if (i % 3 == 1) trace_number(wm_mesh_remove_tile(mesh, tile->ref));
    trace_status(context, wm_mesh_replace_tile(mesh, bytes, byte_count, &ref));
    trace_number(ref);
    trace_number(wm_mesh_version(mesh));
    trace_number(wm_mesh_shape_version(mesh));
    trace_totals(mesh);
    free(bytes);
  }
}

static void meshes_report_what_they_did(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(6); seed++) {
    char name[32];
    snprintf(name, sizeof name, "mesh-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_maze_world(context, seed, 5);
    uint32_t state = seed;
    trace_begin(name);
    trace_status(context, wm_mesh_set_configuration(mesh, "cellSize", seed % 3 ? 8 : 0));
    WmConnection settings = wm_connection_default(mesh);
    settings.start[0] = settings.start[2] = 3;
    settings.end[0] = settings.end[2] = 15;
    WmRef connection = 0;
    trace_status(context, wm_mesh_add_connection(mesh, &settings, &connection));
    trace_totals(mesh);
    for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
      if (wm_mesh_tile(mesh, s)) trace_triangles(wm_mesh_tile(mesh, s));
    }
    change_tiles(context, mesh, &state);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  trace_begin("mesh-empty");
  trace_totals(mesh);
  trace_end();
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Crowds ------------------------------------------------------------------------------------------- */

static void agents_are_shown_where_they_were(void) {
  static TracedCrowd traced;
  WmContext *context = wm_context_create(NULL);
  trace_begin("agents");
  open_traced(&traced, context, make_field(context, 2), NULL, 9);
  traced_add(&traced, 20, 3);
  traced_send_all(&traced);
  for (int i = 0; i < 30; i++) {
    float positions[TRACED_AGENTS + 1][3] = {{0}}, sizes[TRACED_AGENTS + 1][2] = {{0}};
    trace_crowd_step(&traced, i % 5 == 4 ? 0 : 1.0f / 30);
    wm_crowd_interpolate(traced.crowd, 0.125f * (float)(i % 9), positions[0]);
    wm_crowd_sizes(traced.crowd, sizes[0]);
    TRACE(positions);
    TRACE(sizes);
  }
  close_traced(&traced);
  trace_end();
  wm_context_destroy(context);
}

/* ---- Switches ----------------------------------------------------------------------------------------- */

static void trace_switches(WmSwitches *switches, const WmSwitch *all, int count) {
  trace_number(wm_switch_count(switches));
  for (int i = 0; i < count; i++) {
    const WmRef *polygons = NULL;
    size_t polygon_count = 77;
    trace_number(wm_switch_is_on(switches, all[i]));
    trace_number(wm_switch_polygons(switches, all[i], &polygons, &polygon_count));
    trace_number(polygon_count);
    if (polygons) trace_fold(polygons, polygon_count * sizeof *polygons);
  }
  WmSwitchedFlags flags = {.polygon = 77};
  size_t cursor = 0;
  while (wm_switches_next_flags(switches, &cursor, &flags)) {
    const uint32_t numbers[] = {(uint32_t)flags.x, (uint32_t)flags.z, (uint32_t)flags.layer,
                                flags.polygon,     flags.before,      flags.owned};
    TRACE(numbers);
  }
}

static void switches_report_what_they_did(void) {
  enum { SWITCHES = 6 };
  for (uint32_t seed = 1; seed <= trace_seeds(4); seed++) {
    char name[32];
    snprintf(name, sizeof name, "switches-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_maze_world(context, seed, 6);
    WmSwitches *switches = NULL;
    WmSwitch all[SWITCHES + 2] = {0};
    uint32_t state = seed;
    trace_begin(name);
    CHECK_EQUAL_INT(wm_switches_create(context, mesh, &switches), WM_OK);
    for (int i = 0; i < SWITCHES; i++) {
      const float x = 0.5f * (float)(grid_random(&state) % 44), z = 0.5f * (float)(grid_random(&state) % 44);
      const WmSwitchVolume volume = {.kind = i % 3,
                                     .area = i % 2 ? 9 : -1,
                                     .minimum = {x, -2, z},
                                     .maximum = {x + 3, 4, z + 2},
                                     .centre = {x, 0, z},
                                     .half_extents = {2, 3, 1},
                                     .radius = 2,
                                     .height = 3};
      trace_status(context, wm_switch_add(switches, &volume, (uint16_t)(4 << i % 3), (uint16_t)(i % 2),
                                          i % 4 < 2, &all[i]));
    }
    all[SWITCHES] = 12345;
    for (int i = 0; i < 24; i++) {
      WmSwitch *one = &all[grid_random(&state) % (SWITCHES + 2)];
      size_t changed = 77;
      if (i % 8 == 7) trace_status(context, wm_switch_remove(switches, *one));
      if (i % 8 < 7) trace_status(context, wm_switch_set(switches, *one, i % 2));
      if (i % 3 == 0) trace_status(context, wm_switches_update(switches, &changed));
      trace_number(changed);
      trace_switches(switches, all, SWITCHES + 2);
    }
    wm_switches_destroy(switches);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

/* ---- Obstacles ---------------------------------------------------------------------------------------- */

enum { GROUP = 4, GROUPS = 5 };

static void trace_obstacles(const World *world, const WmObstacle *all, int count) {
  trace_number(wm_dynamic_obstacle_count(world->dynamic));
  trace_number(wm_dynamic_dirty_count(world->dynamic));
  for (int i = 0; i < count; i++) {
    trace_status(world->context, wm_dynamic_check_obstacle(world->dynamic, all[i]));
    const WmAreaVolume *volume = wm_dynamic_obstacle(world->dynamic, all[i]);
    const WmObstacleMotion *motion = wm_dynamic_obstacle_motion(world->dynamic, all[i]);
    trace_number((volume != NULL) + 2 * (motion != NULL));
    if (volume) TRACE(volume->centre);
    if (volume) TRACE(volume->minimum);
    if (volume) TRACE(volume->yaw);
    if (!motion) continue;
    trace_number((uint64_t)motion->carving);
    TRACE(motion->move_threshold);
    TRACE(motion->time_to_rest);
  }
}

/* Groups with a stranger in them, which are refused as a whole, too. */
static void change_groups(World *world, Random *random, WmObstacle all[GROUPS][GROUP]) {
  float outline[OUTLINE][3], positions[GROUP][3], yaws[GROUP];
  for (int g = 0; g < GROUPS; g++) {
    WmAreaVolume volume = random_obstacle(random, world, outline);
    volume.kind = WM_AREA_VOLUME_CYLINDER + g % 3;
    WmObstacleMotion motion = wm_obstacle_motion_default();
    motion.carving = g % 3;
    for (int i = 0; i < GROUP; i++) {
      for (int axis = 0; axis < 3; axis++) positions[i][axis] = snap(between(random, 0, 24), 0.25f);
      yaws[i] = snap(between(random, -3, 3), 0.25f);
    }
    if (g == 3) positions[GROUP - 1][1] = NAN;
    trace_status(world->context, wm_dynamic_add_obstacles(world->dynamic, &volume, &motion, positions[0],
                                                          g % 2 ? yaws : NULL, GROUP, all[g]));
    trace_obstacles(world, all[0], GROUP * GROUPS);
    motion.time_to_rest = 0.5f;
    trace_status(world->context, wm_dynamic_set_obstacle(world->dynamic, all[g][1], g % 2 ? &volume : NULL,
                                                         g % 3 ? &motion : NULL));
    trace_status(world->context, wm_dynamic_advance(world->dynamic, 0.25f));
  }
  const WmObstacle groups[4][3] = {{all[0][0], all[1][2], all[0][0]},
                                   {all[0][0], all[1][2], 77},
                                   {all[0][0], all[1][2], all[2][1]},
                                   {all[0][0], all[0][1], all[2][2]}};
  for (int g = 0; g < 4; g++) {
    trace_status(world->context, wm_dynamic_remove_obstacles(world->dynamic, groups[g], 3));
    trace_obstacles(world, all[0], GROUP * GROUPS);
  }
  trace_status(world->context, wm_dynamic_remove_obstacles(world->dynamic, NULL, 0));
}

static void trace_step(const World *world, WmStatus status, const WmTileChange *change) {
  trace_status(world->context, status);
  const uint64_t numbers[] = {(uint64_t)change->x, (uint64_t)change->z, change->is_changed, change->before,
                              change->after};
  TRACE(numbers);
}

/* Each kept tile is stored again together with a tile: its own, another one, none, and broken bytes. */
static void store_built_tiles(World *world) {
  for (int32_t i = 0; i < world->columns * world->rows; i++) {
    const int32_t x = i % world->columns, z = i / world->columns;
    size_t byte_count = 0;
    const uint8_t *kept = wm_dynamic_kept_tile(world->dynamic, x, z, &byte_count);
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, i % 2 ? x : 0, i % 2 ? z : 0, 0);
    if (!kept || !tile) continue;
    uint8_t *copies = malloc(byte_count + tile->byte_count);
    const size_t tile_bytes = i % 4 == 3 ? 0 : tile->byte_count - (i % 4 == 2);
    memcpy(copies, kept, byte_count);
    memcpy(copies + byte_count, tile->bytes, tile->byte_count);
    WmTileChange change = {0};
    const WmStatus status =
        wm_dynamic_keep_built_tile(world->dynamic, x, z, copies, byte_count,
                                   tile_bytes ? copies + byte_count : NULL, tile_bytes, &change);
    trace_step(world, status, &change);
    trace_number(wm_dynamic_dirty_count(world->dynamic));
    free(copies);
  }
  WmTileChange change = {0};
  for (int i = 0; i < 100 && wm_dynamic_dirty_count(world->dynamic); i++) {
    const WmStatus status = wm_dynamic_step(world->dynamic, &change);
    trace_step(world, status, &change);
  }
  trace_number(hash_mesh(world->mesh));
}

/* Jobs whose results are cut, of another place, or of another grid. */
static void finish_jobs_badly(World *world) {
  for (int i = 0; i < 6; i++) {
    WmTileJob job;
    trace_status(world->context, wm_dynamic_take_job(world->dynamic, &job));
    if (job.x < 0) return;
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, i % 3 ? job.x : 1 - job.x, job.z, 0);
    WmTileChange change = {.x = 77, .z = 77, .is_changed = true, .before = 77, .after = 77};
    const size_t byte_count = tile ? tile->byte_count - (i % 2 ? 4 : 0) : 5;
    uint8_t *bytes = calloc(1, byte_count);
    if (tile) memcpy(bytes, tile->bytes, byte_count);
    const int32_t x = job.x + (i == 4 ? 9 : 0);
    const WmStatus status =
        wm_dynamic_finish_job(world->dynamic, x, job.z, job.ticket, bytes, byte_count, &change);
    trace_step(world, status, &change);
    trace_number(wm_dynamic_dirty_count(world->dynamic));
    free(bytes);
    wm_block_free(world->context, job.obstacles);
  }
}

static void groups_of_obstacles_do_what_they_did(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(5); seed++) {
    char name[32];
    snprintf(name, sizeof name, "obstacles-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    World world;
    Random random = {seed};
    WmObstacle all[GROUPS][GROUP] = {{0}};
    trace_begin(name);
    open_partitioned_square(&world, context, 2, (int32_t)(seed % 4));
    store_built_tiles(&world);
    change_groups(&world, &random, all);
    finish_jobs_badly(&world);
    store_built_tiles(&world);
    close_world(&world);
    trace_end();
    wm_context_destroy(context);
  }
}

/* ---- Bakers, corridors, tile caches ------------------------------------------------------------------- */

/* Portions of every size; what is prepared is what wm_baker_create prepares. */
static void bakers_are_prepared_in_portions(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(5); seed++) {
    char name[32];
    snprintf(name, sizeof name, "portions-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    WmConfig config = wm_config_default();
    config.tile_size = 32;
    Scene scene = make_random_scene(seed);
    if (seed == 4) scene.positions[100] = NAN;
    if (seed == 5) scene.indices[200] = 1 << 20;
    const WmBakeInput input = scene_input(&scene);
    trace_begin(name);
    WmBaker *baker = NULL;
    bool is_ready = false;
    trace_status(context, wm_baker_begin(context, &config, &input, &baker));
    WmStatus status = WM_OK;
    while (baker && !is_ready && !status) {
      status = wm_baker_prepare(baker, 1 + 37 * seed, &is_ready);
      trace_status(context, status);
      trace_number(is_ready);
    }
    WmContentHash hash = {0};
    if (is_ready) trace_status(context, wm_baker_hash_tile(baker, 0, 0, &hash));
    TRACE(hash);
    wm_baker_destroy(baker);
    trace_end();
    free_scene(&scene);
    wm_context_destroy(context);
  }
}

static void trace_state(const WmPathCorridor *corridor) {
  WmCorridorState state;
  wm_corridor_state(corridor, &state);
  trace_number(state.polygon_count);
  trace_fold(state.polygons, state.polygon_count * sizeof *state.polygons);
  TRACE(state.position);
  TRACE(state.target);
  WmFilter filter = wm_filter_default();
  for (size_t ahead = 0; ahead < 5; ahead++) {
    filter.exclude_flags = (uint16_t)(ahead % 3);
    trace_number(wm_corridor_is_valid(corridor, ahead, ahead % 2 ? &filter : NULL));
  }
}

static void corridors_start_anew_as_they_did(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(4); seed++) {
    char name[32];
    snprintf(name, sizeof name, "corridors-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_maze_world(context, seed, 4);
    WmQuery *query = NULL;
    WmPathCorridor *corridor = NULL;
    uint32_t state = seed;
    trace_begin(name);
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    CHECK_EQUAL_INT(wm_corridor_create(context, query, &corridor), WM_OK);
    for (int i = 0; i < 20; i++) {
      WmRef ends[3];
      for (int k = 0; k < 3; k++) {
        const WmMeshTile *tile = wm_mesh_tile(mesh, grid_random(&state) % wm_mesh_slot_count(mesh));
        ends[k] = tile ? tile->ref + grid_random(&state) % tile->ground_count : 0;
      }
      const float from[3] = {4, 0, 4}, to[3] = {20, 0, 20};
      WmCorridor found = {0};
      trace_status(context, wm_corridor_reset(corridor, ends[0], from));
      const WmStatus status = wm_query_find_corridor(query, ends[0], from, ends[1], to, NULL, &found);
      trace_status(context, status);
      if (!status) trace_status(context, wm_corridor_set(corridor, to, found.polygons, found.polygon_count));
      trace_state(corridor);
      trace_status(context, wm_corridor_fix_start(corridor, i % 5 ? ends[2] : 0, from));
      trace_state(corridor);
      trace_status(context, wm_corridor_trim(corridor, i % 4 ? ends[0] : 0, from, NULL));
      trace_state(corridor);
    }
    wm_corridor_destroy(corridor);
    wm_query_destroy(query);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

static void configurations_of_caches_are_what_they_were(void) {
  for (int32_t i = 0; i < 3; i++) {
    char name[32];
    snprintf(name, sizeof name, "cache-%d", (int)i);
    WmContext *context = wm_context_create(NULL);
    SetWriter set = begin_set(16 << i, 0.5f, 0.25f / (float)(1 + i), (float[3]){1, 2, 3});
    add_flat_layer(&set, i, 2 - i, 0, 4, 63);
    WmDetourCache *cache = NULL;
    trace_begin(name);
    trace_status(context, wm_detour_cache_read(context, set.bytes, set.byte_count, &cache));
    const WmConfig config = wm_detour_cache_config(cache);
    const float numbers[] = {
        config.cell_size,         config.cell_height,       config.agent_height,
        config.agent_radius,      config.agent_max_climb,   config.agent_max_slope,
        config.min_region_size,   config.merge_region_size, config.max_edge_length,
        config.max_edge_error,    config.detail_max_error,  config.detail_sample_distance,
        (float)config.tile_size,  (float)config.partition,  (float)config.max_vertices_per_polygon,
        (float)config.chunk_size, (float)config.heights,    (float)config.has_bounds};
    TRACE(numbers);
    TRACE(config.bounds_min);
    TRACE(config.bounds_max);
    wm_detour_cache_destroy(cache);
    trace_end();
    free(set.bytes);
    wm_context_destroy(context);
  }
}

int main(void) {
  trace_open("reports");
  RUN(meshes_report_what_they_did);
  RUN(agents_are_shown_where_they_were);
  RUN(switches_report_what_they_did);
  RUN(groups_of_obstacles_do_what_they_did);
  RUN(bakers_are_prepared_in_portions);
  RUN(corridors_start_anew_as_they_did);
  RUN(configurations_of_caches_are_what_they_were);
  trace_close();
  return check_finish();
}
