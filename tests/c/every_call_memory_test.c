/* Calls that no other test makes without memory (tests/c/OUT_OF_MEMORY.md lists the tests): each is made
 * while the n-th allocation fails, for every n, once and from then on, and while the n-th request for scratch
 * memory fails. The call reports it, leaks nothing, and succeeds when there is memory again. Builds that play
 * fewer rounds (CHECK_ROUNDS) play one of these three failures for each n. */
#include "stage_dump.h"
#include "bake/rebuild/unpacked_tile.h"
#include "bake/tile/tile_hash.h"
#include "crowd/state/saved_crowd.h"
#include "crowd_worlds.h"
#include "dynamic/obstacles/offset_volume.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/state/saved_state.h"
#include "mesh/links/connections.h"
#include "mesh/formats/formats.h"
#include "links/links.h"
#include "query/alternatives/alternatives.h"
#include "query/corridor/corridor.h"
#include "query/search/path.h"
#include "query/switches/switches.h"
#include "scene.h"
#include "guarded_memory.h"

/* All objects that a scenario may need; created while memory is available. */
typedef struct World {
  WmContext *context;
  Scene scene;
  WmConfig config;
  WmBakeInput input;
  WmBaker *baker;
  uint8_t *kept;
  size_t kept_bytes;
  WmMesh *mesh;
  WmQuery *query;
  WmPathCorridor *corridor;
  WmSwitches *switches;
  WmDynamic *dynamic;
  WmObstacle obstacle;
  WmCrowd *crowd;
  WmAgent agents[24];
  WmTileData tile;
  Ration *ration;
} World;

static void allow_all(World *world) {
  world->ration->until_failure = -1;
  scratch_requests_left = -1;
}

static const float AREA[4][3] = {{1, 0, 1}, {1, 0, 6}, {6, 0, 6}, {6, 0, 1}};
static const WmAreaVolume VOLUME = {.kind = WM_AREA_VOLUME_PRISM,
                                    .area = 5,
                                    .minimum = {0, -1, 0},
                                    .maximum = {0, 3, 0},
                                    .vertices = AREA[0],
                                    .vertex_count = 4};
static const WmAreaVolume CRATE = {.kind = WM_AREA_VOLUME_PRISM,
                                   .before_erosion = true,
                                   .minimum = {0, -1, 0},
                                   .maximum = {0, 3, 0},
                                   .vertices = AREA[0],
                                   .vertex_count = 4};

/* ---- Bakes -------------------------------------------------------------------------------------------- */

/* One tile of a square with a volume in it: its kept tile, and its bake with all stages. */
static void open_bake(World *world) {
  world->config = wm_config_default();
  world->config.cell_size = 0.5f;
  world->scene = make_square(8);
  world->input = scene_input(&world->scene);
  world->input.volumes = &VOLUME;
  world->input.volume_count = 1;
  CHECK_EQUAL_INT(wm_baker_create(world->context, &world->config, &world->input, &world->baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(world->baker, 0, 0, false), WM_OK);
  while (wm_baker_next_stage(world->baker) != WM_STAGE_COMPACT) {
    CHECK_EQUAL_INT(wm_baker_step(world->baker), WM_OK);
  }
  CHECK_EQUAL_INT(wm_baker_keep_tile(world->baker, &world->kept, &world->kept_bytes), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(world->baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(world->baker) != WM_STAGE_DONE) {
    CHECK_EQUAL_INT(wm_baker_step(world->baker), WM_OK);
  }
}

static WmStatus hash_a_tile(World *world) {
  WmContentHash hash;
  return wm_baker_hash_tile(world->baker, 0, 0, &hash);
}

static WmStatus dump_all_stages(World *world) {
  WmContext *context = world->context;
  const WmBakeStages *stages = wm_baker_stages(world->baker);
  WmBytes bytes[8] = {{NULL, 0}};
  WmStatus status = wm_dump_heightfield(context, &stages->heightfield, &bytes[0]);
  if (!status) status = wm_dump_compact(context, &stages->compact, &stages->heightfield, &bytes[1]);
  if (!status) status = wm_dump_distance(context, &stages->distance, &bytes[2]);
  if (!status) status = wm_dump_areas(context, &stages->compact, &bytes[3]);
  if (!status) status = wm_dump_regions(context, &stages->regions, &bytes[4]);
  if (!status) status = wm_dump_contours(context, &stages->contours, &bytes[5]);
  if (!status) status = wm_dump_polygon_mesh(context, &stages->polygon_mesh, &bytes[6]);
  if (!status) status = wm_dump_detail_mesh(context, &stages->detail_mesh, &bytes[7]);
  for (int i = 0; i < 8; i++) wm_block_free(context, bytes[i].bytes);
  return status;
}

static WmStatus widen_a_polygon(World *world) {
  float widened[8][3] = {{-77}};
  size_t count = 77;
  const WmStatus status = wm_offset_polygon(world->context, AREA[0], 4, 0.5f, widened[0], 8, &count);
  CHECK(status ? count == 0 && widened[0][0] == -77 : count == 4);
  return status;
}

static WmStatus bake_in_portions(World *world) {
  WmBaker *baker = NULL;
  WmStatus status = wm_baker_begin(world->context, &world->config, &world->input, &baker);
  for (bool is_ready = false; !status && !is_ready;) status = wm_baker_prepare(baker, 1, &is_ready);
  if (!status) status = wm_baker_bake_tile(baker, 0, 0);
  wm_baker_destroy(baker);
  return status;
}

static WmStatus bake_a_kept_tile(World *world) {
  WmBaker *baker = world->baker;
  WmStatus status = wm_baker_begin_kept_tile(baker, 0, 0, world->kept, world->kept_bytes, &CRATE, 1);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) status = wm_baker_step(baker);
  return status;
}

/* A tile of many, of a level with storeys, ramps and solids. */
static void open_storeys(World *world) {
  static const WmSolid BALL = {.kind = WM_SOLID_SPHERE, .area = 63, .start = {12, 0, 12}, .radius = 3};
  world->config = wm_config_default();
  world->config.cell_size = 0.8f;
  world->config.tile_size = 20;
  world->config.median_filter = true;
  world->config.heights = WM_HEIGHTS_SURFACE;
  world->scene = make_random_scene(7);
  world->input = scene_input(&world->scene);
  world->input.volumes = &VOLUME;
  world->input.volume_count = 1;
  world->input.solids = &BALL;
  world->input.solid_count = 1;
  CHECK_EQUAL_INT(wm_baker_create(world->context, &world->config, &world->input, &world->baker), WM_OK);
}

static WmStatus bake_storeys(World *world) { return wm_baker_bake_tile(world->baker, 0, 0); }

static WmStatus keep_a_tile(World *world) {
  uint8_t *bytes = NULL;
  size_t byte_count;
  WmStatus status = wm_baker_begin_tile(world->baker, 0, 0, false);
  while (!status && wm_baker_next_stage(world->baker) != WM_STAGE_COMPACT)
    status = wm_baker_step(world->baker);
  if (!status) status = wm_baker_keep_tile(world->baker, &bytes, &byte_count);
  wm_block_free(world->context, bytes);
  return status;
}

static WmStatus build_on_a_ground(World *world) {
  WmBaker *baker = world->baker;
  WmUnpackedTile *ground = NULL;
  bool is_plain = false;
  WmStatus status = wm_baker_unpack_tile(baker, 0, 0, world->kept, world->kept_bytes, &ground);
  for (int round = 0; !status && round < 3; round++) {
    status = wm_baker_begin_rebuild(baker, ground, &CRATE, round % 2, &is_plain);
    if (!status) status = wm_baker_rebuild_regions(baker, ground);
    while (!status && wm_baker_next_stage(baker) < WM_STAGE_POLYGON_MESH) status = wm_baker_step(baker);
    if (!status) status = wm_baker_rebuild_polygons(baker, ground, is_plain, true);
    while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) status = wm_baker_step(baker);
  }
  wm_unpacked_tile_free(world->context, ground);
  return status;
}

static WmStatus grow_volumes(World *world) {
  const WmScratchMark mark = wm_scratch_mark(world->context);
  const WmAreaVolume volumes[2] = {CRATE,
                                   {.kind = WM_AREA_VOLUME_CYLINDER, .before_erosion = true, .radius = 1}};
  const WmAreaVolume *list = volumes;
  WmAreaVolume grown[8];
  size_t count = 2;
  WmStatus status = wm_offset_volumes(world->context, 0.5f, &list, &count);
  if (!status) status = wm_offset_volume(world->context, &CRATE, 0.5f, grown);
  wm_scratch_rewind(world->context, mark);
  wm_context_trim(world->context);
  return status;
}

/* ---- Meshes ------------------------------------------------------------------------------------------- */

static void open_mesh(World *world) {
  world->mesh = make_grid_world(world->context, 2, 3);
  CHECK_EQUAL_INT(wm_query_create(world->context, world->mesh, &world->query), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_create(world->context, world->query, &world->corridor), WM_OK);
  CHECK_EQUAL_INT(wm_switches_create(world->context, world->mesh, &world->switches), WM_OK);
  const GridTile grid = {.x = 1, .seed = 99, .hole = UINT32_MAX, .tree = true};
  world->tile = make_grid_tile(world->context, &grid);
}

static WmStatus check_a_tile(World *world) {
  return wm_tile_check(world->context, world->tile.bytes, world->tile.byte_count);
}

/* Replaces another tile, in the order of the file. */
static WmStatus replace_a_tile(World *world) {
  WmRef ref = 0;
  WmStatus status = wm_mesh_replace_tile(world->mesh, world->tile.bytes, world->tile.byte_count, &ref);
  if (!status) status = wm_mesh_order_tile(world->mesh, ref);
  if (!status) status = wm_mesh_set_configuration(world->mesh, "{}", 2);
  return status;
}

static WmStatus fix_the_start_of_a_corridor(World *world) {
  const float at[3] = {1, 0, 1}, elsewhere[3] = {12, 0, 12};
  const WmRef start = wm_mesh_tile(world->mesh, 0)->ref, other = wm_mesh_tile(world->mesh, 3)->ref;
  WmStatus status = wm_corridor_reset(world->corridor, start, at);
  if (!status) status = wm_corridor_fix_start(world->corridor, other, elsewhere);
  if (!status) status = wm_corridor_trim(world->corridor, start, at, NULL);
  return status;
}

/* With a cold query. */
static WmStatus follow_a_smooth_path(World *world) {
  const float from[3] = {1, 0, 1}, to[3] = {15, 0, 15};
  WmQuery *query = NULL;
  WmPath path;
  WmStatus status = wm_query_create(world->context, world->mesh, &query);
  if (!status) status = wm_query_find_smooth_path(query, from, to, 0.5f, NULL, &path);
  wm_query_destroy(query);
  return status;
}

/* With a cold query. */
static WmStatus find_alternatives(World *world) {
  const float from[3] = {1, 0, 1}, to[3] = {15, 0, 15};
  WmQuery *query = NULL;
  WmAlternatives found;
  WmStatus status = wm_query_create(world->context, world->mesh, &query);
  if (!status) status = wm_query_find_alternatives(query, from, to, NULL, &found);
  if (status && query) CHECK(found.count == 0 && found.paths == NULL);
  wm_query_destroy(query);
  return status;
}

/* With a query that is cold at its first use here. */
static WmStatus shorten_a_corridor(World *world) {
  const float from[3] = {1, 0, 1}, to[3] = {15, 0, 15}, next[3] = {7, 0, 9};
  WmRef refs[2];
  WmNearest nearest;
  const WmNearestOptions options = wm_nearest_options_default();
  WmQuery *cold = NULL;
  WmPathCorridor *corridor = NULL;
  WmCorridor found;
  CHECK_EQUAL_INT(wm_query_find_nearest_point(world->query, from, &options, &nearest), WM_OK);
  refs[0] = nearest.polygon;
  CHECK_EQUAL_INT(wm_query_find_nearest_point(world->query, to, &options, &nearest), WM_OK);
  refs[1] = nearest.polygon;
  WmStatus status = wm_query_find_corridor(world->query, refs[0], from, refs[1], to, NULL, &found);
  if (!status) status = wm_query_create(world->context, world->mesh, &cold);
  if (!status) status = wm_corridor_create(world->context, cold, &corridor);
  if (!status) status = wm_corridor_reset(corridor, refs[0], from);
  if (!status) status = wm_corridor_set(corridor, to, found.polygons, found.polygon_count);
  if (!status) status = wm_corridor_optimize_visibility(corridor, next, 20, NULL, NULL);
  if (!status) status = wm_corridor_move_target(corridor, next, NULL);
  if (!status) status = wm_corridor_optimize_topology(corridor, 32, NULL, NULL);
  wm_corridor_destroy(corridor);
  wm_query_destroy(cold);
  return status;
}

static WmStatus update_switches(World *world) {
  const WmSwitchVolume wide = {.area = -1, .maximum = {16, 3, 16}};
  WmSwitch door;
  size_t changed, count;
  WmStatus status = wm_switch_add(world->switches, &wide, 2, 1, true, &door);
  if (status) return status;
  status = wm_mesh_replace_tile(world->mesh, world->tile.bytes, world->tile.byte_count, NULL);
  if (!status) status = wm_switches_update(world->switches, &changed);
  if (!status) status = wm_set_flags_under(world->query, world->mesh, &wide, 8, 0, &count);
  CHECK_EQUAL_INT(wm_switch_remove(world->switches, door), WM_OK);
  return status;
}

/* ---- Dynamic meshes ----------------------------------------------------------------------------------- */

static void open_dynamic(World *world) {
  open_bake(world);
  const WmMeshParameters parameters = {.tile_width = 8, .tile_depth = 8};
  world->config.has_bounds = true;
  wm_baker_bounds(world->baker, world->config.bounds_min, world->config.bounds_max);
  CHECK_EQUAL_INT(wm_mesh_create(world->context, &parameters, &world->mesh), WM_OK);
  const WmBakeInput input = {.from_kept_tiles = true};
  CHECK_EQUAL_INT(wm_dynamic_create(world->context, world->mesh, &world->config, &input, &world->dynamic),
                  WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_keep_tile(world->dynamic, 0, 0, world->kept, world->kept_bytes, false), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world->dynamic, &CRATE, &world->obstacle), WM_OK);
}

static WmStatus change_an_obstacle(World *world) {
  const WmAreaVolume box = {.area = 7, .minimum = {1, -1, 1}, .maximum = {3, 3, 3}};
  const WmObstacleMotion motion = {.carving = WM_CARVING_NEVER};
  const WmObstacleMotion always = wm_obstacle_motion_default();
  WmTileChange change;
  WmStatus status = wm_dynamic_change_obstacle(world->dynamic, world->obstacle, &box);
  if (!status) status = wm_dynamic_step(world->dynamic, &change);
  if (!status) status = wm_dynamic_set_obstacle(world->dynamic, world->obstacle, &CRATE, &motion);
  if (!status) status = wm_dynamic_advance(world->dynamic, 0.1f);
  if (!status) status = wm_dynamic_set_obstacle(world->dynamic, world->obstacle, NULL, &always);
  bool is_outside = true;
  if (!status) status = wm_dynamic_is_outside(world->dynamic, world->obstacle, &is_outside);
  CHECK(status || !is_outside);
  if (!status) status = wm_dynamic_step(world->dynamic, &change);
  CHECK_EQUAL_INT(wm_dynamic_obstacle_count(world->dynamic), 1);
  return status;
}

/* Obstacles are added and removed, many at once; the tile is removed and added again. */
static WmStatus let_obstacles_go(World *world) {
  enum { MANY = 20 };
  const WmAreaVolume box = {.minimum = {1, -1, 1}, .maximum = {2, 3, 2}};
  const WmObstacleMotion motion = {
      .carving = WM_CARVING_AT_REST, .move_threshold = 0.1f, .time_to_rest = 0.1f};
  float positions[MANY][3];
  WmObstacle obstacles[MANY];
  WmTileChange change;
  for (int i = 0; i < MANY; i++) memcpy(positions[i], (float[3]){1.5f + 0.2f * (float)i, 0, 4}, 12);
  WmStatus status = wm_dynamic_step(world->dynamic, &change);
  if (!status)
    status = wm_dynamic_add_obstacles(world->dynamic, &box, &motion, positions[0], NULL, MANY, obstacles);
  if (status) return status;
  for (int i = 0; i < MANY; i++) positions[i][2] = 3;
  status = wm_dynamic_move_obstacles(world->dynamic, obstacles, positions[0], NULL, MANY);
  for (int i = 0; !status && i < 3; i++) status = wm_dynamic_advance(world->dynamic, 0.1f);
  if (!status) status = wm_dynamic_step(world->dynamic, &change);
  WmStatus removed = wm_dynamic_remove_obstacles(world->dynamic, obstacles, MANY);
  if (removed) { /* none or all were added: they must be removed for the next round */
    CHECK_EQUAL_INT(removed, WM_ERROR_OUT_OF_MEMORY);
    CHECK_EQUAL_INT(wm_dynamic_obstacle_count(world->dynamic), MANY + 1);
    CHECK_EQUAL_INT(wm_context_error(world->context)->status, WM_ERROR_OUT_OF_MEMORY);
    for (int i = 0; i < MANY; i++) {
      while (wm_dynamic_remove_obstacle(world->dynamic, obstacles[i]) == WM_ERROR_OUT_OF_MEMORY)
        allow_all(world);
    }
  }
  if (!status) status = removed;
  if (!status) status = wm_dynamic_drop_tile(world->dynamic, 0, 0);
  if (!status) status = wm_dynamic_keep_tile(world->dynamic, 0, 0, world->kept, world->kept_bytes, false);
  return status;
}

/* ---- Crowds ------------------------------------------------------------------------------------------- */

static void open_crowd(World *world) {
  world->mesh = make_field(world->context, 3);
  WmConnection jump = wm_connection_default(world->mesh);
  memcpy(jump.start, (float[3]){4, 0, 4}, sizeof jump.start);
  memcpy(jump.end, (float[3]){20, 0, 20}, sizeof jump.end);
  jump.cost_factor = 0.1f;
  WmRef connection;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world->mesh, &jump, &connection), WM_OK);
  world->crowd = make_crowd(world->context, world->mesh);
  add_block(world->mesh, 20, 0, 1, 1, 5); /* ground that no agent can reach */
  uint32_t seed = 3;
  for (int i = 0; i < 24; i++) {
    world->agents[i] = add_agent(world->crowd, crowd_random(&seed, 1, 23), crowd_random(&seed, 1, 23), NULL);
  }
}

static WmStatus order_agents(World *world) {
  WmCrowd *crowd = world->crowd;
  const WmAgent *agents = world->agents;
  const float velocity[3] = {1, 0, 0}, place[3] = {12, 0, 12};
  const WmFilter filter = wm_filter_default();
  WmStatus status = wm_crowd_set_velocities(crowd, 24, agents, velocity, true);
  if (!status) status = wm_crowd_set_filter(crowd, 1, &filter);
  if (!status) status = wm_crowd_move(crowd, 24, agents, place, true);
  if (!status) status = wm_crowd_set_targets(crowd, 24, agents, place, true);
  if (!status) status = wm_crowd_pause(crowd, 24, agents, true);
  if (!status) status = wm_crowd_pause(crowd, 24, agents, false);
  if (!status) status = wm_crowd_stop(crowd, 24, agents);
  for (int i = 0; !status && i < 3; i++) status = wm_crowd_step(crowd, 0.02f, NULL);
  return status;
}

/* All agents to one target, by a flow field; then to an unreachable one. */
static WmStatus send_all(World *world) {
  const float place[3] = {12, 0, 12}, island[3] = {162, 0, 3};
  WmStatus status = wm_crowd_set_targets(world->crowd, 24, world->agents, place, true);
  for (int i = 0; !status && i < 3; i++) status = wm_crowd_step(world->crowd, 0.02f, NULL);
  if (!status) status = wm_crowd_set_targets(world->crowd, 24, world->agents, island, true);
  for (int i = 0; !status && i < 3; i++) status = wm_crowd_step(world->crowd, 0.02f, NULL);
  return status;
}

/* With a running search, a flow field and labels of islands. */
static WmStatus save_and_load(World *world) {
  const float place[3] = {12, 0, 12}, island[3] = {162, 0, 3};
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  WmCrowd *loaded = NULL;
  const WmMesh *mesh = world->mesh;
  WmCrowdOptions options = wm_crowd_options_default();
  options.search_budget = 150;
  CHECK_EQUAL_INT(wm_crowd_set_options(world->crowd, &options), WM_OK);
  WmStatus status = wm_crowd_set_targets(world->crowd, 12, world->agents, place, true);
  if (!status) status = wm_crowd_set_targets(world->crowd, 12, world->agents + 12, island, true);
  for (int i = 0; !status && i < 3; i++) status = wm_crowd_step(world->crowd, 0.02f, NULL);
  if (!status) status = wm_crowd_write(world->crowd, &bytes, &byte_count);
  CHECK((bytes != NULL) == !status);
  if (!status) status = wm_crowd_read(world->context, bytes, byte_count, &mesh, 1, &loaded);
  CHECK((loaded != NULL) == !status);
  wm_crowd_destroy(loaded);
  wm_block_free(world->context, bytes);
  return status;
}

/* An agent that waits at a connection is moved onto it and over it. */
static WmStatus lead_over_a_connection(World *world) {
  WmCrowd *crowd = world->crowd;
  const WmAgent agent = world->agents[0];
  const float start[3] = {3, 0, 3}, end[3] = {21, 0, 21};
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.auto_connections = false;
  (void)wm_crowd_complete_connection(crowd, agent); /* it stayed on the connection for lack of memory */
  WmStatus status = wm_crowd_set_parameters(crowd, 1, &agent, &parameters, 1);
  if (!status) status = wm_crowd_warp(crowd, 1, &agent, start, true);
  if (!status) status = wm_crowd_set_targets(crowd, 1, &agent, end, true);
  for (int i = 0; !status && i < 400 && info_of(crowd, agent).reason != WM_AGENT_REASON_CONNECTION; i++) {
    status = wm_crowd_step(crowd, 0.05f, NULL);
  }
  if (!status) status = wm_crowd_begin_connection(crowd, agent);
  if (!status) status = wm_crowd_complete_connection(crowd, agent);
  return status;
}

/* ---- Links --------------------------------------------------------------------------------------------- */

/* A tile of boxes and ramps in a mesh, with its air. */
static void open_links(World *world) {
  world->config = wm_config_default();
  world->config.cell_size = 0.5f;
  world->scene = make_random_scene(3);
  world->input = scene_input(&world->scene);
  CHECK_EQUAL_INT(wm_baker_create(world->context, &world->config, &world->input, &world->baker), WM_OK);
  wm_baker_want_air(world->baker, true);
  CHECK_EQUAL_INT(wm_baker_begin_tile(world->baker, 0, 0, false), WM_OK);
  while (wm_baker_next_stage(world->baker) != WM_STAGE_DONE) {
    if (wm_baker_next_stage(world->baker) == WM_STAGE_COMPACT) {
      CHECK_EQUAL_INT(wm_baker_keep_air(world->baker, &world->kept, &world->kept_bytes), WM_OK);
    }
    CHECK_EQUAL_INT(wm_baker_step(world->baker), WM_OK);
  }
  WmTileData tile = wm_baker_take_tile(world->baker);
  const WmVoxelConfig *voxels = wm_baker_voxels(world->baker);
  WmMeshParameters parameters = {.tile_width = (float)voxels->width * world->config.cell_size,
                                 .tile_depth = (float)voxels->depth * world->config.cell_size};
  world->config.has_bounds = true;
  wm_baker_bounds(world->baker, world->config.bounds_min, world->config.bounds_max);
  memcpy(parameters.origin, world->config.bounds_min, sizeof parameters.origin);
  CHECK_EQUAL_INT(wm_mesh_create(world->context, &parameters, &world->mesh), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_add_tile(world->mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
  wm_tile_data_free(world->context, &tile);
}

static WmStatus keep_air(World *world) {
  WmStatus status = wm_baker_begin_tile(world->baker, 0, 0, false);
  uint8_t *air = NULL;
  size_t air_bytes = 0;
  while (!status && wm_baker_next_stage(world->baker) != WM_STAGE_COMPACT)
    status = wm_baker_step(world->baker);
  if (!status) status = wm_baker_keep_air(world->baker, &air, &air_bytes);
  CHECK(status ? !air : air_bytes == world->kept_bytes && memcmp(air, world->kept, air_bytes) == 0);
  wm_block_free(world->context, air);
  return status;
}

static WmLinkConfig choose_links(const World *world) {
  WmLinkConfig links = wm_link_config_default(&world->config);
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) links.kinds[kind].is_on = true;
  links.drop_max_height = links.climb_max_height = 4;
  links.jump_max_distance = 5;
  links.vault_max_height = 1.5f;
  links.vault_max_depth = 2;
  links.min_saving = 0.9f;
  return links;
}

/* Gives air to a generator, from which another one takes it. */
static WmStatus give_air(World *world) {
  const WmLinkConfig links = choose_links(world);
  WmLinkGenerator *first = NULL, *second = NULL;
  WmAir *air = NULL;
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  WmStatus status = wm_link_generator_create(world->context, &links, &world->config, &first);
  if (!status) status = wm_link_generator_create(world->context, &links, &world->config, &second);
  if (!status) status = wm_baker_begin_tile(world->baker, 0, 0, false);
  while (!status && wm_baker_next_stage(world->baker) != WM_STAGE_COMPACT)
    status = wm_baker_step(world->baker);
  if (!status) status = wm_baker_take_air(world->baker, &air);
  if (!status) status = wm_link_generator_give_air(first, 0, 0, air, NULL, 0);
  if (!status) status = wm_link_generator_take_air(second, first);
  if (status && second) CHECK_EQUAL_INT(wm_link_generator_air_bytes(second), 0);
  if (!status) status = wm_link_generator_copy_air(second, 0, 0, &bytes, &byte_count);
  CHECK(status ? !bytes : byte_count == world->kept_bytes && memcmp(bytes, world->kept, byte_count) == 0);
  wm_block_free(world->context, bytes);
  wm_link_generator_destroy(first);
  wm_link_generator_destroy(second);
  return status;
}

static WmStatus generate_links(World *world) {
  const WmLinkConfig links = choose_links(world);
  WmLinkGenerator *generator = NULL;
  WmLinkResult result = {0};
  WmStatus status = wm_link_generator_create(world->context, &links, &world->config, &generator);
  CHECK(!status == (generator != NULL));
  if (!status) {
    status = wm_link_generator_set_air(generator, 0, 0, world->kept, world->kept_bytes, &CRATE, 1);
  }
  for (int wants_refused = 0; !status && wants_refused < 2; wants_refused++) {
    status = wm_link_generator_run(generator, world->mesh, 0, 0, wants_refused, &result);
    CHECK(status ? !result.links && result.link_count == 0 : result.link_count > 0);
    wm_link_result_free(world->context, &result);
  }
  if (!status) {
    WmRefusedLink refused;
    const float from[3] = {3, 0, 3}, to[3] = {6, 2, 3};
    status = wm_link_generator_explain(generator, world->mesh, from, to, &refused);
  }
  if (!status) {
    WmRefusedLink refused;
    const WmSegmentLink link = {.start = {{3, 0, 4}, {3, 0, 3}},
                                .end = {{6, 0, 4}, {6, 0, 3}},
                                .kind = WM_SEGMENT_LINK_JUMP,
                                .peak = 1};
    status = wm_link_generator_check(generator, world->mesh, &link, &refused);
  }
  wm_link_generator_destroy(generator);
  return status;
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*open)(World *world);
  WmStatus (*run)(World *world);
} SCENARIOS[] = {{"hash", open_storeys, hash_a_tile},
                 {"dump", open_bake, dump_all_stages},
                 {"widen", open_bake, widen_a_polygon},
                 {"portions", open_bake, bake_in_portions},
                 {"kept tile", open_bake, bake_a_kept_tile},
                 {"keep", open_bake, keep_a_tile},
                 {"storeys", open_storeys, bake_storeys},
                 {"ground", open_bake, build_on_a_ground},
                 {"grow", open_bake, grow_volumes},
                 {"check", open_mesh, check_a_tile},
                 {"replace", open_mesh, replace_a_tile},
                 {"corridor", open_mesh, fix_the_start_of_a_corridor},
                 {"smooth path", open_mesh, follow_a_smooth_path},
                 {"alternatives", open_mesh, find_alternatives},
                 {"shortening", open_mesh, shorten_a_corridor},
                 {"switches", open_mesh, update_switches},
                 {"obstacle", open_dynamic, change_an_obstacle},
                 {"obstacles", open_dynamic, let_obstacles_go},
                 {"targets", open_crowd, send_all},
                 {"orders", open_crowd, order_agents},
                 {"connection", open_crowd, lead_over_a_connection},
                 {"saved crowd", open_crowd, save_and_load},
                 {"air", open_links, keep_air},
                 {"given air", open_links, give_air},
                 {"links", open_links, generate_links}};
enum { SCENARIO_COUNT = sizeof SCENARIOS / sizeof *SCENARIOS };

static void close_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_dynamic_destroy(world->dynamic);
  wm_switches_destroy(world->switches);
  wm_corridor_destroy(world->corridor);
  wm_query_destroy(world->query);
  wm_tile_data_free(world->context, &world->tile);
  wm_mesh_destroy(world->mesh);
  wm_block_free(world->context, world->kept);
  wm_baker_destroy(world->baker);
  free_scene(&world->scene);
  wm_context_destroy(world->context);
}

typedef enum Failure { FROM_THEN_ON, ONCE, SCRATCH, FAILURE_COUNT } Failure;

/* Returns true if any request was refused. */
static bool fail_one(int scenario, long n, Failure failure, int *failures) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  World world = {.context = wm_context_create(&allocator), .ration = &ration};
  SCENARIOS[scenario].open(&world);
  wm_context_trim(world.context);
  ration.once = failure == ONCE;
  if (failure == SCRATCH) {
    scratch_requests_left = n;
  } else {
    ration.until_failure = n;
  }
  const WmScratchMark mark = wm_scratch_mark(world.context);
  const WmStatus status = SCENARIOS[scenario].run(&world);
  CHECK(wm_scratch_mark(world.context) == mark);
  const bool was_refused = failure == SCRATCH ? scratch_requests_left < 0 : ration.until_failure <= 0;
  allow_all(&world);
  if (status) {
    CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
    CHECK_EQUAL_INT(wm_context_error(world.context)->status, WM_ERROR_OUT_OF_MEMORY);
    CHECK(was_refused);
    (*failures)++;
  }
  /* Only a tile that is rebuilt may succeed without this memory: it is then built from the start
   * (dynamic_test.c). */
  const bool may_do_without = SCENARIOS[scenario].open == open_dynamic;
  CHECK(status || failure != SCRATCH || !was_refused || may_do_without);
  CHECK_EQUAL_INT(SCENARIOS[scenario].run(&world), WM_OK);
  CHECK(wm_scratch_mark(world.context) == mark);
  close_world(&world);
  CHECK_EQUAL_INT(ration.in_use, 0);
  return was_refused;
}

static void every_other_call_survives_every_failed_allocation(void) {
  const bool plays_all = check_rounds_divisor == 1;
  for (int i = 0; i < SCENARIO_COUNT; i++) {
    int failures = 0;
    for (int failure = 0; failure < FAILURE_COUNT; failure++) {
      long n = plays_all ? 0 : failure;
      while (fail_one(i, n, (Failure)failure, &failures) && n < 3000) n += plays_all ? 1 : FAILURE_COUNT;
      CHECK(n < 3000);
    }
    CHECK(failures > 0);
    printf("%s: %d times out of memory\n", SCENARIOS[i].name, failures);
  }
}

int main(void) {
  RUN(every_other_call_survives_every_failed_allocation);
  return check_finish();
}
