/* How agents share the entry of a lane, and when a side's turn in it ends. */
#include "lane_maze.h"

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
} World;

/* Nobody's patience ends. */
static World open_world(LaneMaze *maze) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = maze_bake(world.context, maze);
  WmCrowdOptions options = wm_crowd_options_default();
  options.patience = 0;
  CHECK_EQUAL_INT(wm_crowd_create(world.context, world.mesh, &options, &world.crowd), WM_OK);
  return world;
}

/* Two rooms of 8 x 8 and a lane between them, 1.6 wide and 6 long. */
static World open_lane(void) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 14, 0, 22, 8);
  maze_add(&maze, 8, 3.2f, 14, 4.8f);
  return open_world(&maze);
}

static void close_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmAgent add(const World *world, float x, float z) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.4f;
  return add_agent(world->crowd, x, z, &parameters);
}

static float speed_of(const World *world, WmAgent agent) {
  size_t index;
  WmCrowdView view;
  wm_crowd_view(world->crowd, &view);
  CHECK_EQUAL_INT(wm_crowd_index(world->crowd, agent, &index), WM_OK);
  return hypotf(view.velocities[3 * index], view.velocities[3 * index + 2]);
}

/* Thirty before a lane: once the first one is in it, another one enters each half second at least, from wherever it
 * comes. Pressed together before the entry, they would take a second each. */
static void agents_enter_one_after_the_other(void) {
  World world = open_lane();
  enum { COUNT = 30 };
  WmAgent agents[COUNT];
  for (int i = 0; i < COUNT; i++) {
    agents[i] = add(&world, 1 + 1.1f * (float)(i / 6), 1.2f + 1.1f * (float)(i % 6));
    send_to(world.crowd, agents[i], 20, 1.2f + (float)(i % 6));
  }
  int first = 0, last = 0, entered = 0;
  bool has_entered[COUNT] = {false}, has_followed = false;
  for (int step = 0; step < 60 * 60 && entered < COUNT; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    for (int i = 0; i < COUNT; i++) {
      const WmAgentInfo info = info_of(world.crowd, agents[i]);
      if (info.reason == WM_AGENT_REASON_RIGHT_OF_WAY) {
        has_followed = true;
        CHECK_EQUAL_INT(info.passage, WM_PASSAGE_HOLDS);
        CHECK(info.waits_for != 0 && info.waits_for != agents[i]);
      }
      if (has_entered[i] || position_of(world.crowd, agents[i])[0] < 9) continue;
      has_entered[i] = true;
      if (entered++ == 0) first = step;
      last = step;
    }
  }
  CHECK_EQUAL_INT(entered, COUNT);
  CHECK(has_followed);
  CHECK(last - first < COUNT * 30);
  close_world(&world);
}

/* Agents turn around the end of a wall, where a lane begins, at full speed, although another one is near. */
static void the_end_of_a_wall_slows_nobody_down(void) {
  for (int side = 0; side < 2; side++) {
    World world = open_lane();
    const WmAgent agent = add(&world, 3, side ? 6.5f : 1.5f);
    (void)add(&world, 4, side ? 1 : 7);
    send_to(world.crowd, agent, 20, 4);
    run_crowd(world.crowd, 40, 1.0f / 60);
    CHECK(position_of(world.crowd, agent)[0] < 7);
    for (int step = 0; position_of(world.crowd, agent)[0] < 10 && step < 120; step++) {
      CHECK(speed_of(&world, agent) > 3.49f);
      run_crowd(world.crowd, 1, 1.0f / 60);
    }
    CHECK(position_of(world.crowd, agent)[0] >= 10);
    close_world(&world);
  }
}

/* Two come to a lane from different sides, one a second behind the other: it does not slow down, although they would
 * collide if the first one did not turn into the lane. */
static void who_follows_into_a_lane_keeps_its_speed(void) {
  for (int wait = 28; wait <= 36; wait += 4) {
    World world = open_lane();
    const WmAgent first = add(&world, 4, 4), second = add(&world, 7.5f, 7.4f);
    send_to(world.crowd, first, 20, 4);
    run_crowd(world.crowd, wait, 1.0f / 60);
    send_to(world.crowd, second, 20, 4);
    run_crowd(world.crowd, 32, 1.0f / 60);
    for (int step = 0; position_of(world.crowd, second)[0] < 8.5f && step < 120; step++) {
      CHECK(speed_of(&world, second) > 3.49f);
      run_crowd(world.crowd, 1, 1.0f / 60);
    }
    CHECK(position_of(world.crowd, second)[0] >= 8.5f);
    close_world(&world);
  }
}

/* One comes out of a lane before which five wait in a row across its way: they step aside, and it keeps its speed. */
static void who_waits_makes_way_for_those_who_come_out(void) {
  for (int shift = 1; shift < 5; shift++) {
    World world = open_lane();
    enum { WAITING = 5 };
    WmAgent waiting[WAITING];
    const WmAgent coming = add(&world, 6, 4);
    for (int i = 0; i < WAITING; i++)
      waiting[i] = add(&world, 17.3f, 4 + 0.1f * (float)shift + 0.9f * (float)(i - 2));
    send_to(world.crowd, coming, 21, 4);
    run_crowd(world.crowd, 20, 1.0f / 60);
    for (int i = 0; i < WAITING; i++) send_to(world.crowd, waiting[i], 2, 4);
    for (int step = 0; position_of(world.crowd, coming)[0] < 19 && step < 400; step++) {
      run_crowd(world.crowd, 1, 1.0f / 60);
      if (position_of(world.crowd, coming)[0] > 12) CHECK(speed_of(&world, coming) > 2.8f);
    }
    CHECK(position_of(world.crowd, coming)[0] >= 19);
    close_world(&world);
  }
}

/* Through two lanes out of one room: those before one don't wait for those before the other. */
static void entries_are_shared_one_by_one(void) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 14, 0, 22, 8);
  maze_add(&maze, 8, 0.8f, 14, 2.4f);
  maze_add(&maze, 8, 5.6f, 14, 7.2f);
  World world = open_world(&maze);
  enum { COUNT = 20 };
  WmAgent agents[COUNT];
  for (int i = 0; i < COUNT; i++) {
    const float z = i % 2 ? 0.8f + 0.9f * (float)(i / 2 % 3) : 5.4f + 0.9f * (float)(i / 2 % 3);
    agents[i] = add(&world, 6.5f - 1.1f * (float)(i / 6), z);
    send_to(world.crowd, agents[i], 20, i % 2 ? 1.6f : 6.4f);
  }
  run_crowd(world.crowd, 60 * 5, 1.0f / 60);
  for (int i = 0; i < COUNT; i++) CHECK(position_of(world.crowd, agents[i])[0] > 8);
  close_world(&world);
}

/* Agents come far behind each other from the left, six of priority 50 wait on the right. Of those from the left
 * only those of equal priority ever wait.
 * returns    how many have come through when the first of the six is in the lane */
static int count_before_turn(int stream_count, uint32_t priority) {
  World world = open_lane();
  enum { WAITING = 6, MOST = 10 };
  WmAgent stream[MOST], waiting[WAITING];
  (void)add(&world, 1, 1); /* nobody waits for it */
  for (int i = 0; i < WAITING; i++) waiting[i] = add(&world, 19 + (float)(i % 2), 2 + (float)(i / 2));
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.4f;
  parameters.priority = priority;
  int through = 0, next = 0;
  bool is_turn = false;
  for (int step = 0; step < 60 * 30 && !is_turn; step++) {
    if (step % 90 == 0 && next < stream_count) { /* each 1.5 seconds, 5 apart */
      stream[next] = add_agent(world.crowd, 4, 4, &parameters);
      send_to(world.crowd, stream[next++], 20, 6);
    }
    for (int i = 0; i < WAITING && step == 60; i++) /* the first one is in the lane */
      send_to(world.crowd, waiting[i], 2, 2 + (float)(i / 2));
    run_crowd(world.crowd, 1, 1.0f / 60);
    for (int i = 0; i < WAITING; i++) is_turn = is_turn || position_of(world.crowd, waiting[i])[0] < 13;
    for (int i = 0; i < next; i++) {
      const WmAgentInfo info = info_of(world.crowd, stream[i]);
      if (info.passage == WM_PASSAGE_WAITS) CHECK_EQUAL_INT(priority, 50);
      if (info.passage != WM_PASSAGE_WAITS || !info.waits_for) continue;
      bool is_waiting = false;
      for (int k = 0; k < WAITING; k++) is_waiting = is_waiting || info.waits_for == waiting[k];
      CHECK(is_waiting);
    }
  }
  CHECK(is_turn);
  for (int i = 0; i < next; i++) through += position_of(world.crowd, stream[i])[0] > 14;
  close_world(&world);
  return through;
}

static void a_turn_ends_in_a_gap(void) {
  const int through = count_before_turn(10, 50);
  CHECK(through >= 1 && through <= 4);
}

static void a_turn_does_not_end_for_lower_priorities(void) { CHECK_EQUAL_INT(count_before_turn(6, 40), 6); }

/* Where two narrow lanes cross there is no room: agents between opposite rooms never meet in the lanes. */
static void a_crossing_of_lanes_is_no_room(void) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, -16, -3, -10, 3);
  maze_add(&maze, 10, -3, 16, 3);
  maze_add(&maze, -3, -16, 3, -10);
  maze_add(&maze, -3, 10, 3, 16);
  maze_add(&maze, -10, -0.8f, 10, 0.8f);
  maze_add(&maze, -0.8f, -10, 0.8f, -0.8f);
  maze_add(&maze, -0.8f, 0.8f, 0.8f, 10);
  World world = open_world(&maze);
  enum { COUNT = 8 };
  WmAgent agents[COUNT];
  for (int i = 0; i < COUNT; i++) {
    const float side = i % 2 ? 1 : -1, across = -1.5f + (float)(i / 2);
    agents[i] = add(&world, 14 * side, across);
    send_to(world.crowd, agents[i], -14 * side, across);
  }
  int arrived = 0;
  for (int step = 0; step < 60 * 40 && arrived < COUNT; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    bool goes[2] = {false, false};
    arrived = 0;
    for (int i = 0; i < COUNT; i++) {
      arrived += info_of(world.crowd, agents[i]).state == WM_AGENT_ARRIVED;
      if (fabsf(position_of(world.crowd, agents[i])[0]) < 9.5f) goes[i % 2] = true;
    }
    CHECK(!(goes[0] && goes[1]));
  }
  CHECK_EQUAL_INT(arrived, COUNT);
  close_world(&world);
}

/* Of two that are about equally far from a lane, the one with the short way enters first, although the other one is a
 * little nearer. */
static void short_ways_enter_first(void) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 14, 0, 70, 8);
  maze_add(&maze, 8, 3.2f, 14, 4.8f);
  World world = open_world(&maze);
  const WmAgent far = add(&world, 4.9f, 5.5f), near = add(&world, 4.7f, 2.5f);
  send_to(world.crowd, far, 68, 4);
  send_to(world.crowd, near, 17, 4);
  int steps = 0;
  while (position_of(world.crowd, near)[0] < 9 && steps++ < 240) run_crowd(world.crowd, 1, 1.0f / 60);
  CHECK(position_of(world.crowd, near)[0] >= 9);
  CHECK(position_of(world.crowd, far)[0] < 8.5f);
  close_world(&world);
}

/* Agents that turn at a junction of lanes never wait in the lanes: they got all of their way before they entered. */
static void nobody_waits_in_a_junction(void) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, -16, -3, -10, 3);
  maze_add(&maze, 10, -3, 16, 3);
  maze_add(&maze, -3, 10, 3, 16);
  maze_add(&maze, -10, -0.8f, 10, 0.8f);
  maze_add(&maze, -0.8f, 0.8f, 0.8f, 10);
  World world = open_world(&maze);
  static const float ROOMS[3][2] = {{-13, 0}, {13, 0}, {0, 13}};
  enum { COUNT = 12 };
  WmAgent agents[COUNT];
  for (int i = 0; i < COUNT; i++) {
    const float *from = ROOMS[i % 3], *to = ROOMS[(i + 1 + i / 3 % 2) % 3];
    const float x = 0.6f * (float)(i / 6 % 2 ? 2 : -2), z = 0.6f * (float)(i / 3 % 2 ? 2 : -2);
    agents[i] = add(&world, from[0] + x, from[1] + z);
    send_to(world.crowd, agents[i], to[0] + x, to[1] - z);
  }
  int arrived = 0;
  for (int step = 0; step < 60 * 60 && arrived < COUNT; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    arrived = 0;
    for (int i = 0; i < COUNT; i++) {
      const WmAgentInfo info = info_of(world.crowd, agents[i]);
      const float *position = position_of(world.crowd, agents[i]);
      arrived += info.state == WM_AGENT_ARRIVED;
      if (fabsf(position[0]) < 9 && position[2] < 9) CHECK(info.passage != WM_PASSAGE_WAITS);
    }
  }
  CHECK_EQUAL_INT(arrived, COUNT);
  close_world(&world);
}

int main(void) {
  RUN(agents_enter_one_after_the_other);
  RUN(the_end_of_a_wall_slows_nobody_down);
  RUN(who_follows_into_a_lane_keeps_its_speed);
  RUN(who_waits_makes_way_for_those_who_come_out);
  RUN(entries_are_shared_one_by_one);
  RUN(a_turn_ends_in_a_gap);
  RUN(a_turn_does_not_end_for_lower_priorities);
  RUN(a_crossing_of_lanes_is_no_room);
  RUN(short_ways_enter_first);
  RUN(nobody_waits_in_a_junction);
  return check_finish();
}
