/* Ways that open and close while agents wait for them: when they set out, and what waiting costs. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"

enum { ROOM = 3, COUNT = 50, SEEDS = 8 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmAgent agents[COUNT];
} World;

/* Two rooms of 24 by 24 side by side, and between them a tile of four squares of 4 by 4, of which the upper two
 * are a gate and the lower two are always closed. */
static World open_world(uint32_t seed) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_grid_mesh(world.context);
  add_block(world.mesh, 0, 0, ROOM, ROOM, 100 * seed + 1);
  add_block(world.mesh, ROOM + 1, 0, ROOM, ROOM, 100 * seed + 51);
  const GridTile between = {.x = ROOM, .z = 1, .flat = true, .hole = UINT32_MAX, .tree = true};
  add_grid_tile(world.mesh, &between);
  world.crowd = make_crowd(world.context, world.mesh);
  return world;
}

static void close_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static void switch_gate(World *world, bool is_open) {
  const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, ROOM, 1, 0);
  for (uint32_t p = 0; p < 4; p++) {
    CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world->mesh, tile->ref + p, p < 2 && is_open), WM_OK);
  }
}

static void add_connection(World *world, float from, float to, bool both_ways) {
  WmConnection connection = wm_connection_default(world->mesh);
  memcpy(connection.start, (float[3]){from, 0, 12}, sizeof connection.start);
  memcpy(connection.end, (float[3]){to, 0, 12}, sizeof connection.end);
  connection.radius = 3;
  connection.bidirectional = both_ways;
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world->mesh, &connection, &ref), WM_OK);
}

/* Something else changes: a corner of the second room closes or opens. */
static void change_elsewhere(World *world, int step) {
  const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, 2 * ROOM, ROOM - 1, 0);
  CHECK_EQUAL_INT(
      wm_mesh_set_polygon_flags(world->mesh, tile->ref + tile->ground_count - 1, (uint16_t)(step % 2)),
      WM_OK);
}

/* Puts `count` agents into the first room, on their way into the second one. */
static void send_all(World *world, size_t count, uint32_t seed) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.35f;
  parameters.max_speed = 4;
  for (size_t i = 0; i < count; i++) {
    const float z = crowd_random(&seed, 1, 23), x = crowd_random(&seed, 8, 23);
    world->agents[i] = add_agent(world->crowd, x, z, &parameters);
  }
  const float target[3] = {8 * (ROOM + 2) + 4, 0, 12};
  CHECK_EQUAL_INT(wm_crowd_set_targets(world->crowd, count, world->agents, target, true), WM_OK);
}

static size_t count_unreachable(const World *world) {
  size_t count = 0;
  for (size_t i = 0; i < world->crowd->count; i++) {
    count += world->crowd->states[i] == WM_AGENT_UNREACHABLE ||
             world->crowd->reasons[i] == WM_AGENT_REASON_TARGET_NOT_CONNECTED;
  }
  return count;
}

/* Agents that push each other about before a gate have failed again and again. */
static void all_who_wait_before_a_gate_set_out_when_it_opens(void) {
  for (uint32_t seed = 1; seed <= SEEDS; seed++) {
    World world = open_world(seed);
    switch_gate(&world, false);
    send_all(&world, COUNT, seed);
    run_crowd(world.crowd, 600 + 13 * (int)seed, 1.0f / 60);
    CHECK(count_unreachable(&world) > COUNT / 2);
    switch_gate(&world, true);
    run_crowd(world.crowd, 2, 1.0f / 60);
    CHECK_EQUAL_INT(count_unreachable(&world), 0);
    close_world(&world);
  }
}

/* Waits double with each change elsewhere, but not for the change that opens the way: flags, a tile, a connection. */
static void a_way_that_opens_is_taken_while_the_mesh_changes_all_the_time(void) {
  for (uint32_t way = 0; way < 3 * SEEDS; way++) {
    World world = open_world(way);
    const WmMeshTile *tile = wm_mesh_find_tile(world.mesh, ROOM, 1, 0);
    switch_gate(&world, false);
    if (way % 3 == 1) CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, tile->ref), WM_OK);
    send_all(&world, 10, way + 1);
    for (int step = 0; step < 1500 + 90 * (int)way; step++) {
      change_elsewhere(&world, step);
      run_crowd(world.crowd, 1, 1.0f / 60);
    }
    CHECK(world.crowd->records[0].failures > 4);
    CHECK(count_unreachable(&world) > 5);
    if (way % 3 == 0) {
      switch_gate(&world, true);
    } else if (way % 3 == 1) {
      add_grid_tile(world.mesh,
                    &(GridTile){.x = ROOM, .z = 1, .flat = true, .hole = UINT32_MAX, .tree = true});
    } else {
      add_connection(&world, 8 * ROOM - 1, 8 * (ROOM + 1) + 1, true);
    }
    run_crowd(world.crowd, 3, 1.0f / 60);
    CHECK_EQUAL_INT(count_unreachable(&world), 0);
    close_world(&world);
  }
}

/* A change during a search, which has passed the gate or not met it yet. */
static void a_gate_that_is_switched_during_a_search_is_noticed(void) {
  size_t opened = 0, closed = 0;
  for (int step = 1; step < 60; step++) {
    for (int is_open = 0; is_open < 2; is_open++) {
      World world = open_world(3);
      WmCrowdOptions options;
      wm_crowd_options(world.crowd, &options);
      options.search_budget = 4;
      CHECK_EQUAL_INT(wm_crowd_set_options(world.crowd, &options), WM_OK);
      switch_gate(&world, !is_open);
      send_all(&world, 1, 5);
      run_crowd(world.crowd, step, 1.0f / 60);
      const bool is_during = world.crowd->states[0] == WM_AGENT_PLANNING;
      *(is_open ? &opened : &closed) += is_during;
      switch_gate(&world, is_open);
      run_crowd(world.crowd, is_during ? 240 : 120, 1.0f / 60);
      CHECK_EQUAL_INT(count_unreachable(&world), !is_open);
      close_world(&world);
    }
  }
  CHECK(opened > 5 && closed > 5);
}

/* While the mesh changes in every step, those who wait search some times a minute. Also where one-way links lead
 * back, so that all is one island. */
static void waiting_stays_cheap_while_the_mesh_changes_all_the_time(void) {
  for (int is_one_way = 0; is_one_way < 2; is_one_way++) {
    World world = open_world(4);
    switch_gate(&world, false);
    if (is_one_way) add_connection(&world, 8 * (ROOM + 1) + 1, 8 * ROOM - 1, false);
    send_all(&world, 5, 6);
    size_t searches = 0;
    for (int step = 0; step < 3600; step++) {
      WmCrowdStep result;
      change_elsewhere(&world, step);
      CHECK_EQUAL_INT(wm_crowd_step(world.crowd, 1.0f / 60, &result), WM_OK);
      searches += result.searches;
    }
    CHECK_EQUAL_INT(count_unreachable(&world), 5);
    CHECK(searches >= 5 && searches <= 5 * 12);
    close_world(&world);
  }
}

int main(void) {
  RUN(all_who_wait_before_a_gate_set_out_when_it_opens);
  RUN(a_way_that_opens_is_taken_while_the_mesh_changes_all_the_time);
  RUN(a_gate_that_is_switched_during_a_search_is_noticed);
  RUN(waiting_stays_cheap_while_the_mesh_changes_all_the_time);
  return check_finish();
}
