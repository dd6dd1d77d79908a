/* Behaviour of crowds: stopping, pausing, warping, moving, meshes that lose tiles, connections, unreachable
 * targets; and that the order of agents in the arrays is ignored. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "mesh/links/connections.h"

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
} World;

static World make_world(int32_t side) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_field(world.context, side);
  world.crowd = make_crowd(world.context, world.mesh);
  return world;
}

static void free_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static void agents_stop_pause_warp_and_are_moved(void) {
  World world = make_world(4);
  const WmAgent a = add_agent(world.crowd, 2, 2, NULL);
  send_to(world.crowd, a, 30, 2);
  run_crowd(world.crowd, 60, 1.0f / 60);
  CHECK_EQUAL_INT(wm_crowd_pause(world.crowd, 1, &a, true), WM_OK);
  run_crowd(world.crowd, 60, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_WAITING);
  CHECK_EQUAL_INT(info_of(world.crowd, a).reason, WM_AGENT_REASON_PAUSED);
  const float x = position_of(world.crowd, a)[0];
  run_crowd(world.crowd, 60, 1.0f / 60);
  CHECK(position_of(world.crowd, a)[0] == x);
  CHECK_EQUAL_INT(wm_crowd_pause(world.crowd, 1, &a, false), WM_OK);
  run_crowd(world.crowd, 60, 1.0f / 60);
  CHECK(position_of(world.crowd, a)[0] > x + 1);
  CHECK_EQUAL_INT(info_of(world.crowd, a).corner_count, 1);
  CHECK_EQUAL_INT(wm_crowd_stop(world.crowd, 1, &a), WM_OK);
  CHECK_EQUAL_INT(info_of(world.crowd, a).corner_count, 0);
  run_crowd(world.crowd, 120, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_NO_TARGET);
  const float by[3] = {-50, 0, 1};
  CHECK_EQUAL_INT(wm_crowd_move(world.crowd, 1, &a, by, false), WM_OK);
  CHECK(fabsf(position_of(world.crowd, a)[0]) < 1e-3f); /* at the wall */
  const float to[3] = {20, 0, 20}, away[3] = {500, 0, 500};
  send_to(world.crowd, a, 2, 30);
  CHECK_EQUAL_INT(wm_crowd_warp(world.crowd, 1, &a, to, false), WM_OK);
  CHECK(position_of(world.crowd, a)[0] == 20 && position_of(world.crowd, a)[2] == 20);
  CHECK_EQUAL_INT(wm_crowd_warp(world.crowd, 1, &a, away, false), WM_OK);
  run_crowd(world.crowd, 10, 0.02f);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_OFF_MESH);
  CHECK_EQUAL_INT(wm_crowd_warp(world.crowd, 1, &a, to, false), WM_OK);
  run_crowd(world.crowd, 900, 0.02f);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
  /* An agent that is moved after it has arrived stays where it was moved to. */
  const float aside[3] = {5, 0, -5};
  CHECK_EQUAL_INT(wm_crowd_move(world.crowd, 1, &a, aside, false), WM_OK);
  run_crowd(world.crowd, 200, 0.02f);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
  CHECK(fabsf(position_of(world.crowd, a)[0] - 7) < 1e-3f &&
        fabsf(position_of(world.crowd, a)[2] - 25) < 1e-3f);
  free_world(&world);
}

static void a_velocity_is_walked_along_walls(void) {
  World world = make_world(2);
  const WmAgent a = add_agent(world.crowd, 8, 8, NULL);
  const float velocity[3] = {2, 0, -1};
  CHECK_EQUAL_INT(wm_crowd_set_velocities(world.crowd, 1, &a, velocity, false), WM_OK);
  run_crowd(world.crowd, 180, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, a).reason, WM_AGENT_REASON_VELOCITY);
  CHECK(fabsf(position_of(world.crowd, a)[0] - 8 - 6) < 0.6f);
  run_crowd(world.crowd, 600, 1.0f / 60);
  const float *corner = position_of(world.crowd, a);
  CHECK(fabsf(corner[0] - 16) < 1e-3f && fabsf(corner[2]) < 1e-3f);
  free_world(&world);
}

static void a_target_without_ground_or_way_is_unreachable(void) {
  World world = make_world(3);
  for (int32_t z = 0; z < 3; z++)
    wm_mesh_remove_tile(world.mesh, wm_mesh_find_tile(world.mesh, 1, z, 0)->ref);
  const WmAgent a = add_agent(world.crowd, 2, 2, NULL), b = add_agent(world.crowd, 2, 12, NULL);
  send_to(world.crowd, a, 200, 200);
  send_to(world.crowd, b, 20, 12);
  run_crowd(world.crowd, 2, 0.02f);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_UNREACHABLE);
  CHECK_EQUAL_INT(info_of(world.crowd, a).reason, WM_AGENT_REASON_TARGET_OFF_MESH);
  CHECK_EQUAL_INT(info_of(world.crowd, b).state, WM_AGENT_FOLLOWING);
  CHECK_EQUAL_INT(info_of(world.crowd, b).reason, WM_AGENT_REASON_TARGET_NOT_CONNECTED);
  /* A new order starts without a reason. */
  send_to(world.crowd, a, 6, 2);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_PLANNING);
  CHECK_EQUAL_INT(info_of(world.crowd, a).reason, WM_AGENT_REASON_NONE);
  run_crowd(world.crowd, 400, 0.02f);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
  send_to(world.crowd, a, 200, 200);
  run_crowd(world.crowd, 1, 0.02f);
  CHECK_EQUAL_INT(info_of(world.crowd, b).state, WM_AGENT_UNREACHABLE);
  CHECK(fabsf(position_of(world.crowd, b)[0] - 8) < 0.01f && info_of(world.crowd, b).reachable[0] == 8);
  /* A tile is added: the agent walks on by itself. */
  for (int32_t z = 0; z < 3; z++) {
    const GridTile grid = {.x = 1, .z = z, .flat = true, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(world.mesh, &grid);
  }
  run_crowd(world.crowd, 600, 0.02f);
  CHECK_EQUAL_INT(info_of(world.crowd, b).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_UNREACHABLE);
  free_world(&world);
}

static void ways_go_around_ground_that_was_closed(void) {
  World world = make_world(3);
  const WmAgent a = add_agent(world.crowd, 1, 12, NULL);
  send_to(world.crowd, a, 23, 12);
  run_crowd(world.crowd, 20, 0.02f);
  const WmMeshTile *middle = wm_mesh_find_tile(world.mesh, 1, 1, 0);
  for (uint32_t p = 0; p < middle->polygon_count; p++)
    wm_mesh_set_polygon_flags(world.mesh, middle->ref + p, 0);
  bool went_in = false;
  for (int i = 0; i < 800; i++) {
    run_crowd(world.crowd, 1, 0.02f);
    const float *at = position_of(world.crowd, a);
    went_in |= at[0] > 8.1f && at[0] < 15.9f && at[2] > 8.1f && at[2] < 15.9f;
  }
  CHECK(!went_in);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
  free_world(&world);
}

/* Agents whose tile was removed and added again: their order decides their state. */
static void agents_whose_tile_was_replaced_plan_anew(void) {
  World world = make_world(3);
  enum { WALKS, RESTS, FOLLOWS, COUNT };
  const WmAgent far = add_agent(world.crowd, 20, 2, NULL);
  WmAgent agents[COUNT];
  for (int i = 0; i < COUNT; i++) agents[i] = add_agent(world.crowd, 1, 1 + 2 * (float)i, NULL);
  send_to(world.crowd, agents[WALKS], 20, 20);
  const float velocity[3] = {0.1f, 0, 0};
  CHECK_EQUAL_INT(wm_crowd_set_velocities(world.crowd, 1, &agents[FOLLOWS], velocity, false), WM_OK);
  run_crowd(world.crowd, 10, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, agents[WALKS]).state, WM_AGENT_FOLLOWING);
  world.crowd->records[info_of(world.crowd, far).index].walls_are_valid = true;
  const GridTile grid = {.flat = true, .hole = UINT32_MAX, .tree = true};
  CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, wm_mesh_find_tile(world.mesh, 0, 0, 0)->ref), WM_OK);
  const WmRef tile = add_grid_tile(world.mesh, &grid);
  CHECK_EQUAL_INT(wm_crowd_check_mesh(world.crowd, 0), WM_OK);
  static const int STATES[COUNT] = {WM_AGENT_PLANNING, WM_AGENT_NO_TARGET, WM_AGENT_FOLLOWING};
  static const int REASONS[COUNT] = {WM_AGENT_REASON_MESH_CHANGED, WM_AGENT_REASON_NONE,
                                     WM_AGENT_REASON_VELOCITY};
  for (int i = 0; i < COUNT; i++) {
    const WmAgentInfo info = info_of(world.crowd, agents[i]);
    CHECK_EQUAL_INT(info.state, STATES[i]);
    CHECK_EQUAL_INT(info.reason, REASONS[i]);
    const WmAgentRecord *record = &world.crowd->records[info.index];
    CHECK(record->polygon == tile || record->polygon == tile + 2);
    CHECK_EQUAL_INT(record->corridor.count, 0);
    CHECK((record->request != 0) == (i == WALKS));
  }
  CHECK(!world.crowd->records[info_of(world.crowd, far).index].walls_are_valid); /* indices may differ now */
  run_crowd(world.crowd, 2, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, agents[WALKS]).state, WM_AGENT_FOLLOWING);
  free_world(&world);
}

/* A field of one tile in four squares. The edge between the first two is open to the east only, as in tiles
 * that other tools may write. */
static World make_one_way_world(void) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_grid_mesh(world.context);
  const GridTile grid = {.flat = true, .hole = UINT32_MAX, .tree = true};
  WmTileData tile = make_grid_tile(world.context, &grid);
  WmTileHeader header;
  memcpy(&header, tile.bytes, sizeof header);
  const size_t second = wm_tile_sections(&header, WM_TILE_LINK_BYTES).polygons + sizeof(WmTilePolygon);
  WmTilePolygon polygon;
  memcpy(&polygon, tile.bytes + second, sizeof polygon);
  for (int k = 0; k < 4; k++) {
    if (polygon.neighbours[k] == 1) polygon.neighbours[k] = 0;
  }
  memcpy(tile.bytes + second, &polygon, sizeof polygon);
  CHECK_EQUAL_INT(wm_mesh_add_tile(world.mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
  wm_tile_data_free(world.context, &tile);
  world.crowd = make_crowd(world.context, world.mesh);
  return world;
}

/* The agent walks south and is pushed to the east, from where no link leads straight back. */
static void an_agent_pushed_over_a_link_of_one_direction_asks_for_another_way(void) {
  World world = make_one_way_world();
  const WmAgent agent = add_agent(world.crowd, 2, 2, NULL);
  send_to(world.crowd, agent, 2, 6);
  run_crowd(world.crowd, 2, 1.0f / 60);
  const size_t index = info_of(world.crowd, agent).index;
  const WmAgentRecord *record = &world.crowd->records[index];
  const WmRef tile = wm_mesh_tile(world.mesh, 0)->ref;
  CHECK_EQUAL_INT(record->corridor.count, 2);
  CHECK(record->polygon == tile);
  CHECK_EQUAL_INT(wm_crowd_walk(world.crowd, index, 6, 2), WM_OK);
  CHECK(record->polygon == tile + 1);
  CHECK_EQUAL_INT(record->corridor.count, 0);
  CHECK(record->needs_plan);
  /* From there it is pushed back over an edge that is open both ways: the path gets longer. */
  run_crowd(world.crowd, 2, 1.0f / 60);
  CHECK_EQUAL_INT(record->corridor.count, 3); /* around, by the other two squares */
  CHECK_EQUAL_INT(wm_crowd_walk(world.crowd, index, 6, 6), WM_OK);
  CHECK_EQUAL_INT(record->corridor.count, 2);
  world.crowd->records[index].corners_are_valid = true;
  CHECK_EQUAL_INT(wm_crowd_walk(world.crowd, index, 6, 2), WM_OK);
  CHECK_EQUAL_INT(record->corridor.count, 3);
  CHECK(wm_agent_corridor_polygon(world.crowd, wm_agent_corridor_begin(&record->corridor)) == tile + 1);
  CHECK(!record->corners_are_valid);
  CHECK(!record->needs_plan);
  free_world(&world);
}

/* Two fields of 8 by 24 with a gap between them, from x = 8 to 16. */
static World make_gap(void) {
  World world = make_world(3);
  for (int32_t z = 0; z < 3; z++)
    wm_mesh_remove_tile(world.mesh, wm_mesh_find_tile(world.mesh, 1, z, 0)->ref);
  return world;
}

static WmRef connect_over_gap(const World *world) {
  WmConnection settings = wm_connection_default(world->mesh);
  const float start[3] = {7, 0, 12}, end[3] = {17, 0, 12};
  memcpy(settings.start, start, sizeof start);
  memcpy(settings.end, end, sizeof end);
  WmRef connection;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world->mesh, &settings, &connection), WM_OK);
  return connection;
}

static void link_over_gap(const World *world) {
  const WmSegmentLink link = {.start = {{8, 0, 14}, {8, 0, 10}},
                              .end = {{16, 0, 14}, {16, 0, 10}},
                              .peak = 1,
                              .cost = 1,
                              .flags = 1,
                              .kind = WM_SEGMENT_LINK_JUMP,
                              .bidirectional = true,
                              .enabled = true};
  CHECK_EQUAL_INT(wm_mesh_put_links(world->mesh, 0, 0, 0, &link, 1, NULL), WM_OK);
}

static void connections_are_traversed_by_agents_and_by_the_game(void) {
  World world = make_gap();
  const WmRef connection = connect_over_gap(&world);
  WmAgentParameters by_game = wm_agent_parameters_default();
  by_game.auto_connections = false;
  const WmAgent a = add_agent(world.crowd, 3, 4, NULL), b = add_agent(world.crowd, 3, 20, &by_game);
  send_to(world.crowd, a, 22, 3);
  send_to(world.crowd, b, 22, 22);
  bool flew = false;
  for (int i = 0; i < 1000; i++) {
    run_crowd(world.crowd, 1, 0.02f);
    flew |= info_of(world.crowd, a).state == WM_AGENT_ON_CONNECTION;
    CHECK(info_of(world.crowd, b).state != WM_AGENT_ON_CONNECTION);
  }
  CHECK(flew);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(world.crowd, b).reason, WM_AGENT_REASON_CONNECTION);
  CHECK(info_of(world.crowd, b).connection == connection);
  CHECK_EQUAL_INT(wm_crowd_begin_connection(world.crowd, b), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_set_connection_progress(world.crowd, b, 0.5f), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_set_connection_progress(world.crowd, b, NAN), WM_ERROR_INVALID_ARGUMENT);
  run_crowd(world.crowd, 50, 0.02f);
  CHECK(fabsf(position_of(world.crowd, b)[0] - 12) < 0.6f);
  CHECK_EQUAL_INT(wm_crowd_complete_connection(world.crowd, b), WM_OK);
  run_crowd(world.crowd, 500, 0.02f);
  CHECK_EQUAL_INT(info_of(world.crowd, b).state, WM_AGENT_ARRIVED);
  free_world(&world);
}

static void expect_all(const World *world, const WmAgent agents[2], WmAgentState state,
                       WmAgentReason reason) {
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL_INT(info_of(world->crowd, agents[i]).state, state);
    CHECK_EQUAL_INT(info_of(world->crowd, agents[i]).reason, reason);
  }
}

/* As an agent that takes jumps by itself, but not the lift that the game drives. */
static void who_waits_before_a_connection_enters_it_once_it_may(void) {
  for (int is_link = 0; is_link < 2; is_link++) {
    World world = make_gap();
    if (is_link)
      link_over_gap(&world);
    else
      (void)connect_over_gap(&world);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.auto_connections = false;
    const WmAgent agents[2] = {add_agent(world.crowd, 3, 4, &parameters),
                               add_agent(world.crowd, 3, 20, &parameters)};
    for (int i = 0; i < 2; i++) send_to(world.crowd, agents[i], 22, i == 0 ? 3 : 22);
    run_crowd(world.crowd, 1000, 0.02f);
    expect_all(&world, agents, WM_AGENT_WAITING, WM_AGENT_REASON_CONNECTION);
    parameters.max_speed *= 1.5f; /* another change leaves them waiting */
    CHECK_EQUAL_INT(wm_crowd_set_parameters(world.crowd, 2, agents, &parameters, 1), WM_OK);
    run_crowd(world.crowd, 100, 0.02f);
    expect_all(&world, agents, WM_AGENT_WAITING, WM_AGENT_REASON_CONNECTION);
    parameters.auto_connections = true;
    CHECK_EQUAL_INT(wm_crowd_pause(world.crowd, 2, agents, true), WM_OK);
    CHECK_EQUAL_INT(wm_crowd_set_parameters(world.crowd, 2, agents, &parameters, 1), WM_OK);
    run_crowd(world.crowd, 100, 0.02f);
    expect_all(&world, agents, WM_AGENT_WAITING, WM_AGENT_REASON_PAUSED);
    CHECK_EQUAL_INT(wm_crowd_pause(world.crowd, 2, agents, false), WM_OK);
    run_crowd(world.crowd, 1000, 0.02f);
    expect_all(&world, agents, WM_AGENT_ARRIVED, WM_AGENT_REASON_NONE);
    free_world(&world);
  }
}

/* Agents with handles of the same numbers, at other indices, since others were added and removed. */
static uint64_t live(bool shuffled) {
  World world = make_world(4);
  WmAgent agents[60];
  uint32_t seed = 11;
  for (int i = 0; i < 60; i++) {
    agents[i] = add_agent(world.crowd, crowd_random(&seed, 1, 31), crowd_random(&seed, 1, 31), NULL);
  }
  /* Both have removed and added the same agents, but the indices differ. */
  WmAgent first[2] = {agents[shuffled ? 3 : 40], agents[shuffled ? 40 : 3]};
  CHECK_EQUAL_INT(wm_crowd_remove_agents(world.crowd, 2, first), WM_OK);
  for (int i = 0; i < 60; i++) {
    if (i == 3 || i == 40) continue;
    send_to(world.crowd, agents[i], crowd_random(&seed, 10, 20), crowd_random(&seed, 10, 20));
  }
  uint64_t hash = 0;
  for (int step = 0; step < 600; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    hash = hash * 31 + wm_crowd_hash(world.crowd);
  }
  free_world(&world);
  return hash;
}

/* The same with agents that push through a doorway from both sides, pass through each other, and rest in crowds. */
static uint64_t jam(bool shuffled) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_doorway(context);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmCrowdOptions options;
  wm_crowd_options(crowd, &options);
  options.patience = 1;
  CHECK_EQUAL_INT(wm_crowd_set_options(crowd, &options), WM_OK);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.3f;
  WmAgent agents[60];
  uint32_t seed = 13;
  for (int i = 0; i < 60; i++) {
    const float middle = i % 2 ? 36.0f : 25.0f;
    const float x = crowd_random(&seed, middle - 4, middle + 4), z = crowd_random(&seed, 11, 19);
    agents[i] = add_agent(crowd, x, z, &parameters);
  }
  for (int k = 0; k < 20; k++) {
    CHECK_EQUAL_INT(wm_crowd_remove_agents(crowd, 1, &agents[shuffled ? 19 - k : k]), WM_OK);
  }
  for (int i = 20; i < 60; i++) send_to(crowd, agents[i], i % 2 ? 25.0f : 36.0f, 15);
  uint64_t hash = 0;
  bool passed = false;
  for (int step = 0; step < 900; step++) {
    run_crowd(crowd, 1, 1.0f / 60);
    hash = hash * 31 + wm_crowd_hash(crowd);
    for (int i = 20; i < 60 && !passed; i++)
      passed = info_of(crowd, agents[i]).reason == WM_AGENT_REASON_PASSING;
  }
  CHECK(passed);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  return hash;
}

static void where_agents_lie_in_the_arrays_is_of_no_account(void) {
  CHECK(live(false) == live(true));
  CHECK(jam(false) == jam(true));
}

static void a_group_fills_the_space_around_its_goal_and_rests(void) {
  World world = make_world(4);
  WmAgent agents[60];
  uint32_t seed = 3;
  for (int i = 0; i < 60; i++)
    agents[i] = add_agent(world.crowd, crowd_random(&seed, 1, 31), crowd_random(&seed, 1, 31), NULL);
  const float goal[3] = {16, 0, 16};
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 60, agents, goal, true), WM_OK);
  run_crowd(world.crowd, 1500, 1.0f / 60);
  WmCrowdView view;
  wm_crowd_view(world.crowd, &view);
  float before[180];
  memcpy(before, view.positions, sizeof before);
  for (size_t i = 0; i < 60; i++) {
    const bool is_crowded = view.reasons[i] == WM_AGENT_REASON_CROWDED;
    CHECK_EQUAL_INT(view.states[i], is_crowded ? WM_AGENT_CROWDED : WM_AGENT_ARRIVED);
    CHECK(hypotf(before[3 * i] - 16, before[3 * i + 2] - 16) < 7);
    for (size_t j = 0; j < i; j++) {
      CHECK(hypotf(before[3 * i] - before[3 * j], before[3 * i + 2] - before[3 * j + 2]) > 0.97f);
    }
  }
  run_crowd(world.crowd, 120, 1.0f / 60);
  for (size_t i = 0; i < 180; i++) CHECK(fabsf(view.positions[i] - before[i]) < 0.005f);
  /* The same order again changes nothing. */
  const uint64_t hash = wm_crowd_hash(world.crowd);
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 60, agents, goal, true), WM_OK);
  CHECK(wm_crowd_hash(world.crowd) == hash);
  free_world(&world);
}

/* Games order in every frame: also for a target that trembles, and where polygons meet. */
static void a_group_rests_around_a_target_that_is_set_in_every_step(void) {
  const float trembling[3] = {0, 0.001f, 0.05f};
  for (int kind = 0; kind < 6; kind++) {
    World world = make_world(4);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.shortest = kind >= 3;
    WmAgent agents[40];
    uint32_t seed = 3;
    for (int i = 0; i < 40; i++) {
      const float x = crowd_random(&seed, 1, 31), z = crowd_random(&seed, 1, 31);
      agents[i] = add_agent(world.crowd, x, z, &parameters);
    }
    float fastest = 0, moved = 0;
    for (int step = 0; step < 1800; step++) {
      const float most = trembling[kind % 3], x = crowd_random(&seed, -most, most),
                  z = crowd_random(&seed, -most, most);
      const float goal[3] = {16 + x, 0, 16 + z};
      CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 40, agents, goal, true), WM_OK);
      run_crowd(world.crowd, 1, 1.0f / 60);
      WmCrowdView view;
      wm_crowd_view(world.crowd, &view);
      for (size_t i = 0; i < 40 && step >= 1500; i++) {
        const float speed = hypotf(view.velocities[3 * i], view.velocities[3 * i + 2]);
        fastest = speed > fastest ? speed : fastest;
        moved += speed / 60;
      }
    }
    CHECK(moved / 40 < 0.1f); /* metres each, in five seconds */
    if (kind % 3 == 0) CHECK(fastest == 0);
    free_world(&world);
  }
}

/* A player whose velocity is set in every step pushes its way out of a group that rests around it. */
static void an_agent_whose_velocity_is_set_in_every_step_leaves_a_group(void) {
  World world = make_world(4);
  WmAgentParameters parameters = wm_agent_parameters_default();
  WmAgent agents[36];
  uint32_t seed = 3;
  for (int i = 0; i < 36; i++) {
    const float x = crowd_random(&seed, 1, 31), z = crowd_random(&seed, 1, 31);
    agents[i] = add_agent(world.crowd, x, z, &parameters);
  }
  parameters.priority = 10;
  const WmAgent player = add_agent(world.crowd, 16, 16, &parameters);
  const float goal[3] = {16, 0, 16}, stands[3] = {0}, walks[3] = {1.5f, 0, 0};
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 36, agents, goal, true), WM_OK);
  for (int step = 0; step < 1800; step++) {
    CHECK_EQUAL_INT(wm_crowd_set_velocities(world.crowd, 1, &player, step < 1200 ? stands : walks, false),
                    WM_OK);
    run_crowd(world.crowd, 1, 1.0f / 60);
    if (step == 1199) CHECK(fabsf(position_of(world.crowd, player)[0] - 16) < 1);
  }
  CHECK(position_of(world.crowd, player)[0] > 22);
  free_world(&world);
}

/* A lone agent follows its target as closely as ever. */
static void a_lone_agent_reaches_a_target_that_moves_on(void) {
  World world = make_world(4);
  const WmAgent agent = add_agent(world.crowd, 8, 8, NULL);
  send_to(world.crowd, agent, 10, 8);
  run_crowd(world.crowd, 300, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, agent).state, WM_AGENT_ARRIVED);
  for (int i = 1; i <= 40; i++) {
    send_to(world.crowd, agent, 10 + 0.01f * (float)(i * i), 8);
    run_crowd(world.crowd, 60, 1.0f / 60);
    WmCrowdView view;
    wm_crowd_view(world.crowd, &view);
    CHECK_EQUAL_INT(info_of(world.crowd, agent).state, WM_AGENT_ARRIVED);
    CHECK(fabsf(view.positions[0] - (10 + 0.01f * (float)(i * i))) < 0.001f);
  }
  free_world(&world);
}

/* Two agents that meet head-on.
 * out        the largest distance of each from its path
 * returns    the smallest distance between them */
static float meet(const WmAgentParameters *first, const WmAgentParameters *second, float strayed[2]) {
  World world = make_world(4);
  const WmAgent a = add_agent(world.crowd, 4, 15, first), b = add_agent(world.crowd, 28, 15, second);
  send_to(world.crowd, a, 28, 15);
  send_to(world.crowd, b, 4, 15);
  float nearest = INFINITY;
  strayed[0] = strayed[1] = 0;
  for (int i = 0; i < 900; i++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    const float *p = position_of(world.crowd, a), *q = position_of(world.crowd, b);
    nearest = fminf(nearest, hypotf(p[0] - q[0], p[2] - q[2]));
    strayed[0] = fmaxf(strayed[0], fabsf(p[2] - 15));
    strayed[1] = fmaxf(strayed[1], fabsf(q[2] - 15));
  }
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(world.crowd, b).state, WM_AGENT_ARRIVED);
  free_world(&world);
  return nearest;
}

static void mirrored_agents_pass_in_every_quality(void) {
  for (uint32_t avoidance = WM_AVOIDANCE_LOW; avoidance <= WM_AVOIDANCE_SAMPLING; avoidance++) {
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.avoidance = avoidance;
    float strayed[2];
    CHECK(meet(&parameters, &parameters, strayed) > 0.97f);
    CHECK(fabsf(strayed[0] - strayed[1]) < 0.1f);
  }
}

static void the_less_important_agent_gives_way(void) {
  WmAgentParameters important = wm_agent_parameters_default(), other = important;
  important.priority = 10;
  float strayed[2];
  CHECK(meet(&important, &other, strayed) > 0.97f);
  CHECK(strayed[0] < 1e-3f && strayed[1] > 0.5f);
  other.avoids = 0; /* now it avoids no group */
  CHECK(meet(&other, &important, strayed) > 0.97f);
  CHECK(strayed[0] < 1e-3f && strayed[1] > 0.5f);
}

/* No agent avoids another one, all others have priority, and one is in a pocket of them: only contacts make
 * space. */
static void the_least_important_gets_through_between_those_who_rest(void) {
  World world = make_world(4);
  WmAgentParameters resting = wm_agent_parameters_default(), walking = resting;
  resting.priority = 20;
  walking.priority = 80;
  resting.avoidance = walking.avoidance = WM_AVOIDANCE_NONE;
  const float places[7][2] = {{10, 13.5f}, {11.1f, 13.5f}, {12, 14.1f}, {12.3f, 15},
                              {12, 15.9f}, {11.1f, 16.5f}, {10, 16.5f}};
  for (int i = 0; i < 7; i++) {
    const WmAgent agent = add_agent(world.crowd, places[i][0], places[i][1], &resting);
    send_to(world.crowd, agent, places[i][0], places[i][1]);
  }
  const WmAgent agent = add_agent(world.crowd, 8, 15, &walking);
  send_to(world.crowd, agent, 16, 15);
  run_crowd(world.crowd, 1200, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, agent).state, WM_AGENT_ARRIVED);
  free_world(&world);
}

static void separation_keeps_agents_farther_apart(void) {
  float nearest[2];
  for (int i = 0; i < 2; i++) {
    World world = make_world(4);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.separation = (float)i;
    const WmAgent a = add_agent(world.crowd, 2, 10, &parameters),
                  b = add_agent(world.crowd, 2, 11.1f, &parameters);
    send_to(world.crowd, a, 30, 10);
    send_to(world.crowd, b, 30, 11.1f);
    run_crowd(world.crowd, 240, 1.0f / 60);
    nearest[i] = hypotf(position_of(world.crowd, a)[0] - position_of(world.crowd, b)[0],
                        position_of(world.crowd, a)[2] - position_of(world.crowd, b)[2]);
    free_world(&world);
  }
  CHECK(nearest[0] < 1.2f && nearest[1] > 1.3f);
}

static void obstacles_that_move_are_avoided(void) {
  World world = make_world(4);
  const WmAgent a = add_agent(world.crowd, 4, 15, NULL), still = add_agent(world.crowd, 16, 16.2f, NULL);
  send_to(world.crowd, a, 28, 15);
  const float radius = 1, velocity[3] = {-1, 0, 0};
  float nearest = INFINITY;
  for (int i = 0; i < 900; i++) {
    const float at[3] = {26 - (float)i / 60, 0, 15};
    CHECK_EQUAL_INT(wm_crowd_set_obstacles(world.crowd, 1, at, velocity, &radius, NULL), WM_OK);
    run_crowd(world.crowd, 1, 1.0f / 60);
    const float *p = position_of(world.crowd, a);
    nearest = fminf(nearest, hypotf(p[0] - (at[0] - 1.0f / 60), p[2] - at[2]));
  }
  CHECK(nearest > 1.4f);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
  CHECK(fabsf(position_of(world.crowd, still)[2] - 16.2f) > 0.1f); /* it stood on the path */
  free_world(&world);
}

static void two_who_heed_nobody_do_not_push_each_other_for_ever(void) {
  World world = make_world(4);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.avoidance = WM_AVOIDANCE_NONE;
  const WmAgent a = add_agent(world.crowd, 4, 16, &parameters),
                b = add_agent(world.crowd, 28, 16, &parameters);
  send_to(world.crowd, a, 28, 16);
  send_to(world.crowd, b, 4, 16);
  run_crowd(world.crowd, 1500, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(world.crowd, b).state, WM_AGENT_ARRIVED);
  free_world(&world);
}

/* 60 agents that cross, with a player far away: they look for neighbours less often, and still arrive. */
static void far_from_players_agents_arrive_as_well(void) {
  for (int is_far = 0; is_far < 2; is_far++) {
    World world = make_world(4);
    const float player[3] = {-60, 0, -60};
    CHECK_EQUAL_INT(wm_crowd_set_focus(world.crowd, is_far ? 1 : 0, player), WM_OK);
    WmAgent agents[60];
    for (int i = 0; i < 60; i++) {
      const float x = i < 30 ? 3.0f : 29, z = 1.5f + (float)(i % 30);
      agents[i] = add_agent(world.crowd, x, z, NULL);
      send_to(world.crowd, agents[i], 32 - x, z);
    }
    float deepest = 0;
    for (int step = 0; step < 1800; step++) {
      run_crowd(world.crowd, 1, 1.0f / 60);
      for (int i = 1; i < 60; i++) {
        const float *p = position_of(world.crowd, agents[i]), *q = position_of(world.crowd, agents[i - 1]);
        deepest = fmaxf(deepest, 1 - hypotf(p[0] - q[0], p[2] - q[2]));
      }
    }
    for (int i = 0; i < 60; i++) CHECK_EQUAL_INT(info_of(world.crowd, agents[i]).state, WM_AGENT_ARRIVED);
    CHECK(deepest < 0.5f);
    free_world(&world);
  }
}

/* Two resting agents stand a little nearer to each other than the agent is wide. */
static void nobody_stands_for_ever_between_two_who_rest(void) {
  static const uint32_t KINDS[] = {WM_AVOIDANCE_NONE, WM_AVOIDANCE_MEDIUM, WM_AVOIDANCE_SAMPLING};
  for (int i = 0; i < 9; i++) {
    World world = make_world(4);
    WmAgentParameters resting = wm_agent_parameters_default(), walking = resting;
    resting.avoidance = KINDS[i % 3];
    walking.avoidance = i / 3 == 0 ? (uint32_t)WM_AVOIDANCE_LOW : KINDS[i / 3];
    const WmAgent a = add_agent(world.crowd, 4, 16, &walking);
    for (int k = 0; k < 2; k++) {
      const float z = k ? 16.8f : 15.2f;
      send_to(world.crowd, add_agent(world.crowd, 15 + 0.3f * (float)k, z, &resting), 15 + 0.3f * (float)k,
              z);
    }
    send_to(world.crowd, a, 28, 16);
    run_crowd(world.crowd, 1500, 1.0f / 60);
    CHECK_EQUAL_INT(info_of(world.crowd, a).state, WM_AGENT_ARRIVED);
    free_world(&world);
  }
}

/* An agent that gets a new target every step stays at its entry in the queue: none starves, and the queue
 * doesn't grow. */
static void targets_that_change_every_step_are_followed_in_turn(void) {
  enum { COUNT = 60, STEPS = 120 }; /* a search visits about 20 polygons */
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 4);
  WmCrowd *crowd = NULL;
  WmCrowdOptions options = wm_crowd_options_default();
  options.search_budget = 16;
  CHECK_EQUAL_INT(wm_crowd_create(context, mesh, &options, &crowd), WM_OK);
  WmAgent agents[COUNT];
  float places[COUNT][3];
  for (int i = 0; i < COUNT; i++) {
    agents[i] = add_agent(crowd, 3 + 2.5f * (float)(i % 10), 3 + 2.5f * (float)(i / 10), NULL);
    memcpy(places[i], position_of(crowd, agents[i]), sizeof places[i]);
  }
  WmCrowdStep step;
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < COUNT; i++) send_to(crowd, agents[i], k % 2 ? 2.0f : 29, (k + i) % 3 ? 28.0f : 25);
    CHECK_EQUAL_INT(wm_crowd_step(crowd, 1.0f / 60, &step), WM_OK);
    CHECK(wm_crowd_validate(crowd));
    CHECK(step.waiting_searches <= COUNT);
  }
  int moved = 0;
  for (int i = 0; i < COUNT; i++) {
    const float *position = position_of(crowd, agents[i]);
    moved += hypotf(position[0] - places[i][0], position[2] - places[i][2]) > 0.01f;
  }
  CHECK_EQUAL_INT(moved, COUNT);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* A ring of agents beside each other, all to the other side: neighbours approach each other very slowly,
 * which isn't head-on, and blocks none of them. */
static void who_walks_beside_others_is_not_held_up(void) {
  enum { COUNT = 100 };
  const float middle = 20, radius = 15;
  World world = make_world(5);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.3f;
  WmAgent agents[COUNT];
  for (int i = 0; i < COUNT; i++) {
    const float angle = 6.2831853f * (float)i / COUNT, x = radius * cosf(angle), z = radius * sinf(angle);
    agents[i] = add_agent(world.crowd, middle + x, middle + z, &parameters);
    send_to(world.crowd, agents[i], middle - x, middle - z);
  }
  run_crowd(world.crowd, 60, 1.0f / 60);
  float farthest = 0;
  for (int i = 0; i < COUNT; i++) {
    const float *position = position_of(world.crowd, agents[i]);
    farthest = fmaxf(farthest, hypotf(position[0] - middle, position[2] - middle));
  }
  CHECK(farthest < radius - 2); /* 2.7 m at full speed, 1.2 if they are blocked */
  free_world(&world);
}

int main(void) {
  RUN(targets_that_change_every_step_are_followed_in_turn);
  RUN(nobody_stands_for_ever_between_two_who_rest);
  RUN(far_from_players_agents_arrive_as_well);
  RUN(two_who_heed_nobody_do_not_push_each_other_for_ever);
  RUN(mirrored_agents_pass_in_every_quality);
  RUN(the_less_important_agent_gives_way);
  RUN(the_least_important_gets_through_between_those_who_rest);
  RUN(separation_keeps_agents_farther_apart);
  RUN(obstacles_that_move_are_avoided);
  RUN(agents_stop_pause_warp_and_are_moved);
  RUN(a_velocity_is_walked_along_walls);
  RUN(a_target_without_ground_or_way_is_unreachable);
  RUN(ways_go_around_ground_that_was_closed);
  RUN(agents_whose_tile_was_replaced_plan_anew);
  RUN(an_agent_pushed_over_a_link_of_one_direction_asks_for_another_way);
  RUN(connections_are_traversed_by_agents_and_by_the_game);
  RUN(who_waits_before_a_connection_enters_it_once_it_may);
  RUN(where_agents_lie_in_the_arrays_is_of_no_account);
  RUN(a_group_fills_the_space_around_its_goal_and_rests);
  RUN(a_group_rests_around_a_target_that_is_set_in_every_step);
  RUN(an_agent_whose_velocity_is_set_in_every_step_leaves_a_group);
  RUN(a_lone_agent_reaches_a_target_that_moves_on);
  RUN(who_walks_beside_others_is_not_held_up);
  return check_finish();
}
