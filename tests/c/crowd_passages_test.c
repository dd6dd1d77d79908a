/* Right of way: who may enter a lane of one agent's width, who waits, and who passes through others. */
#include "lane_maze.h"

/* Two rooms of 8 x 8 and a lane between them, 1.6 wide and 6 long: 0.8 are left for centres of agents of radius
 * 0.4, of which two need 0.82. */
typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
} World;

#define LANE_Z 4.0f

static World open_world(float patience) {
  World world = {.context = wm_context_create(NULL)};
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 14, 0, 22, 8);
  maze_add(&maze, 8, LANE_Z - 0.8f, 14, LANE_Z + 0.8f);
  world.mesh = maze_bake(world.context, &maze);
  WmCrowdOptions options = wm_crowd_options_default();
  options.patience = patience;
  CHECK_EQUAL_INT(wm_crowd_create(world.context, world.mesh, &options, &world.crowd), WM_OK);
  return world;
}

static void close_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmAgent add(const World *world, float x, float z, uint32_t priority) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.4f;
  parameters.priority = priority;
  return add_agent(world->crowd, x, z, &parameters);
}

static bool is_in_lane(const World *world, WmAgent agent) {
  const float x = position_of(world->crowd, agent)[0];
  return x > 8.5f && x < 13.5f;
}

/* The direction in which agents go through the lane: bit 0 to higher x, bit 1 to lower x. */
static int directions_in_lane(const World *world, const WmAgent *agents, const float *goals, int count) {
  int directions = 0;
  for (int i = 0; i < count; i++) {
    if (is_in_lane(world, agents[i])) directions |= goals[i] > 11 ? 1 : 2;
  }
  return directions;
}

/* Twelve from each side: never are agents of both directions in the lane, all arrive, and nobody passes through
 * another. */
static void sides_take_turns(void) {
  World world = open_world(5);
  enum { COUNT = 24 };
  WmAgent agents[COUNT];
  float goals[COUNT];
  bool has_waited = false;
  for (int i = 0; i < COUNT; i++) {
    const float across = 1.5f + (float)(i / 2 % 6), along = 1.5f + 2 * (float)(i / 12);
    agents[i] = add(&world, i % 2 ? 22 - along : along, across, 50);
    goals[i] = i % 2 ? along : 22 - along;
    send_to(world.crowd, agents[i], goals[i], across);
  }
  int left = COUNT;
  for (int step = 0; step < 60 * 60 && left > 0; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    CHECK(directions_in_lane(&world, agents, goals, COUNT) != 3);
    left = COUNT;
    for (int i = 0; i < COUNT; i++) {
      const WmAgentInfo info = info_of(world.crowd, agents[i]);
      left -= info.state == WM_AGENT_ARRIVED;
      CHECK(info.reason != WM_AGENT_REASON_PASSING);
      if (info.reason != WM_AGENT_REASON_RIGHT_OF_WAY) continue;
      has_waited = true;
      CHECK_EQUAL_INT(info.state, WM_AGENT_WAITING);
      CHECK(info.passage != WM_PASSAGE_NONE);
      CHECK(!is_in_lane(&world, agents[i]));
      /* It waits for an agent that goes the other way or, once it may enter, for one that enters before it. */
      const bool may_enter = info.passage == WM_PASSAGE_HOLDS;
      for (int k = 0; k < COUNT; k++) {
        if (agents[k] == info.waits_for) CHECK(((goals[k] > 11) == (goals[i] > 11)) == may_enter);
      }
      CHECK(info.waits_for != 0);
    }
  }
  CHECK_EQUAL_INT(left, 0);
  CHECK(has_waited);
  close_world(&world);
}

/* Of two that come at the same time, the lower number goes first. */
static void priority_decides_who_goes_first(void) {
  for (uint32_t swapped = 0; swapped < 2; swapped++) {
    World world = open_world(5);
    const WmAgent west = add(&world, 4, LANE_Z, swapped ? 60 : 40), east = add(&world, 18, LANE_Z, 50);
    send_to(world.crowd, west, 20, LANE_Z);
    send_to(world.crowd, east, 2, LANE_Z);
    WmAgent first = 0;
    for (int step = 0; step < 600 && !first; step++) {
      run_crowd(world.crowd, 1, 1.0f / 60);
      if (is_in_lane(&world, west)) first = west;
      if (is_in_lane(&world, east)) first = east;
    }
    CHECK(first == (swapped ? east : west));
    close_world(&world);
  }
}

/* One side comes without end: a single agent of the other side gets its turn. */
static void nobody_waits_for_ever(void) {
  World world = open_world(0);
  enum { STREAM = 12 };
  WmAgent stream[STREAM];
  for (int i = 0; i < STREAM; i++) {
    stream[i] = add(&world, 1 + 0.9f * (float)(i / 4), 2 + (float)(i % 4), 50);
    send_to(world.crowd, stream[i], 20, LANE_Z);
  }
  const WmAgent other = add(&world, 19, 6, 50);
  send_to(world.crowd, other, 2, LANE_Z);
  int step = 0;
  for (; step < 60 * 60 && info_of(world.crowd, other).state != WM_AGENT_ARRIVED; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    for (int i = 0; i < STREAM; i++) { /* who is through begins again */
      if (position_of(world.crowd, stream[i])[0] < 16) continue;
      const float start[3] = {1, 0, 1 + 0.5f * (float)i};
      CHECK_EQUAL_INT(wm_crowd_warp(world.crowd, 1, &stream[i], start, false), WM_OK);
    }
  }
  CHECK(step < 60 * 60);
  close_world(&world);
}

/* Two are put into the middle of the lane, head-on. With patience one passes through the other; with none, both
 * stand for ever. */
static void who_is_put_into_a_lane_head_on_passes_through(void) {
  for (int patient = 0; patient < 2; patient++) {
    World world = open_world(patient ? 0 : 2);
    const WmAgent west = add(&world, 10.4f, LANE_Z, 50), east = add(&world, 11.6f, LANE_Z, 50);
    send_to(world.crowd, west, 20, LANE_Z);
    send_to(world.crowd, east, 2, LANE_Z);
    bool has_passed = false;
    for (int step = 0; step < 900; step++) {
      run_crowd(world.crowd, 1, 1.0f / 60);
      has_passed = has_passed || info_of(world.crowd, west).reason == WM_AGENT_REASON_PASSING ||
                   info_of(world.crowd, east).reason == WM_AGENT_REASON_PASSING;
    }
    CHECK(has_passed == !patient);
    CHECK((info_of(world.crowd, west).state == WM_AGENT_ARRIVED) == !patient);
    CHECK((info_of(world.crowd, east).state == WM_AGENT_ARRIVED) == !patient);
    close_world(&world);
  }
}

/* Agents that rest in the lane, one without a target, one paused and one at its target, hold nobody up, and
 * are not pushed. */
static void who_rests_in_a_lane_lets_others_pass(void) {
  World world = open_world(5);
  const WmAgent idle = add(&world, 9.5f, LANE_Z, 50), paused = add(&world, 11, LANE_Z, 50);
  const WmAgent there = add(&world, 12.4f, LANE_Z, 50), walker = add(&world, 4, LANE_Z, 50);
  send_to(world.crowd, paused, 20, LANE_Z);
  CHECK_EQUAL_INT(wm_crowd_pause(world.crowd, 1, &paused, true), WM_OK);
  send_to(world.crowd, there, 12.5f, LANE_Z);
  run_crowd(world.crowd, 60, 1.0f / 60);
  send_to(world.crowd, walker, 19, LANE_Z);
  run_crowd(world.crowd, 360, 1.0f / 60); /* 15 at 3.5 a second, and some more */
  CHECK_EQUAL_INT(info_of(world.crowd, walker).state, WM_AGENT_ARRIVED);
  CHECK(fabsf(position_of(world.crowd, idle)[0] - 9.5f) < 0.1f);
  CHECK(fabsf(position_of(world.crowd, paused)[0] - 11) < 0.1f);
  CHECK(fabsf(position_of(world.crowd, there)[0] - 12.5f) < 0.3f);
  close_world(&world);
}

/* A moving obstacle that stands in the lane stops an agent, however long it waits. */
static void nobody_passes_through_obstacles(void) {
  World world = open_world(1);
  const float at[3] = {11, 0, LANE_Z}, radius = 0.8f;
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(world.crowd, 1, at, NULL, &radius, NULL), WM_OK);
  const WmAgent walker = add(&world, 4, LANE_Z, 50);
  send_to(world.crowd, walker, 19, LANE_Z);
  run_crowd(world.crowd, 1200, 1.0f / 60);
  CHECK(position_of(world.crowd, walker)[0] < 11);
  close_world(&world);
}

static void a_patience_that_is_no_time_is_refused(void) {
  World world = open_world(5);
  WmCrowdOptions options;
  const float bad[] = {-1, NAN, INFINITY};
  for (size_t i = 0; i < 3; i++) {
    wm_crowd_options(world.crowd, &options);
    options.patience = bad[i];
    CHECK_EQUAL_INT(wm_crowd_set_options(world.crowd, &options), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(world.context)->field, "patience") == 0);
    wm_crowd_options(world.crowd, &options);
    CHECK(options.patience == 5);
  }
  close_world(&world);
}

int main(void) {
  RUN(sides_take_turns);
  RUN(priority_decides_who_goes_first);
  RUN(nobody_waits_for_ever);
  RUN(who_is_put_into_a_lane_head_on_passes_through);
  RUN(who_rests_in_a_lane_lets_others_pass);
  RUN(nobody_passes_through_obstacles);
  RUN(a_patience_that_is_no_time_is_refused);
  return check_finish();
}
