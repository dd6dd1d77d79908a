/* Right of way: who may enter a lane of one agent's width, who waits, and who passes through others. */
#include "lane_world.h"

#define LANE_Z 4.0f

/* Two rooms of 8 x 8 and a lane between them, 1.6 wide and 6 long. */
static LaneWorld open_world(float patience) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 14, 0, 22, 8);
  maze_add(&maze, 8, LANE_Z - 0.8f, 14, LANE_Z + 0.8f);
  return open_lane_world(&maze, patience);
}

static WmAgent add(const LaneWorld *world, float x, float z, uint32_t priority) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.4f;
  parameters.priority = priority;
  return add_agent(world->crowd, x, z, &parameters);
}

static bool is_in_lane(const LaneWorld *world, WmAgent agent) {
  const float x = position_of(world->crowd, agent)[0];
  return x > 8.5f && x < 13.5f;
}

/* The direction in which agents go through the lane: bit 0 to higher x, bit 1 to lower x. */
static int directions_in_lane(const LaneWorld *world, const WmAgent *agents, const float *goals, int count) {
  int directions = 0;
  for (int i = 0; i < count; i++) {
    if (is_in_lane(world, agents[i])) directions |= goals[i] > 11 ? 1 : 2;
  }
  return directions;
}

/* Twelve from each side: never are agents of both directions in the lane, all arrive, and nobody passes through
 * another. */
static void sides_take_turns(void) {
  LaneWorld world = open_world(5);
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
  close_lane_world(&world);
}

/* Of two that come at the same time, the lower number goes first. */
static void priority_decides_who_goes_first(void) {
  for (uint32_t swapped = 0; swapped < 2; swapped++) {
    LaneWorld world = open_world(5);
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
    close_lane_world(&world);
  }
}

/* One side comes without end: a single agent of the other side gets its turn. */
static void nobody_waits_for_ever(void) {
  LaneWorld world = open_world(0);
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
  close_lane_world(&world);
}

/* Two are put into the middle of the lane, head-on. With patience one passes through the other; with none, both
 * stand for ever. */
static void who_is_put_into_a_lane_head_on_passes_through(void) {
  for (int patient = 0; patient < 2; patient++) {
    LaneWorld world = open_world(patient ? 0 : 2);
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
    close_lane_world(&world);
  }
}

/* Agents that rest in the lane, one without a target, one paused and one at its target, hold nobody up, and
 * are not pushed. */
static void who_rests_in_a_lane_lets_others_pass(void) {
  LaneWorld world = open_world(5);
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
  close_lane_world(&world);
}

/* A moving obstacle that stands in the lane stops an agent, however long it waits. */
static void nobody_passes_through_obstacles(void) {
  LaneWorld world = open_world(1);
  const float at[3] = {11, 0, LANE_Z}, radius = 0.8f;
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(world.crowd, 1, at, NULL, &radius, NULL), WM_OK);
  const WmAgent walker = add(&world, 4, LANE_Z, 50);
  send_to(world.crowd, walker, 19, LANE_Z);
  run_crowd(world.crowd, 1200, 1.0f / 60);
  CHECK(position_of(world.crowd, walker)[0] < 11);
  close_lane_world(&world);
}

/* ---- Other agents, other lanes -------------------------------------------------------------------------- */

/* Sends two agents head-on through a lane, at the same time, for half a minute. Returns the number of steps in which
 * one of them waited for its right of way. */
static int meet(LaneWorld *world, const WmAgentParameters *parameters) {
  const float west[2] = {4, LANE_Z}, east[2] = {18, LANE_Z};
  const WmAgent agents[2] = {add_walker(world, parameters, west, east),
                             add_walker(world, parameters, east, west)};
  int waited = 0;
  for (int step = 0; step < 60 * 30; step++) {
    run_crowd(world->crowd, 1, 1.0f / 60);
    for (int i = 0; i < 2; i++)
      waited += info_of(world->crowd, agents[i]).reason == WM_AGENT_REASON_RIGHT_OF_WAY;
  }
  for (int i = 0; i < 2; i++) CHECK_EQUAL_INT(info_of(world->crowd, agents[i]).state, WM_AGENT_ARRIVED);
  return waited;
}

/* The largest agents of a mesh decide what is narrow on it, not those of other meshes. */
static void a_lane_is_narrow_for_the_largest_agents_of_its_mesh(void) {
  const WmAgentParameters normal = walker_parameters();
  LaneWorld world = open_world(5);
  WmAgentParameters small = normal, large = normal;
  small.radius = 0.15f;
  add_agent(world.crowd, 1, 1, &small);
  CHECK(meet(&world, &normal) > 30);
  close_lane_world(&world);
  /* 1.5 are left for centres: enough for these two, which need 0.84, not for two of the large ones. */
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 14, 0, 22, 8);
  maze_add(&maze, 8, LANE_Z - 1.15f, 14, LANE_Z + 1.15f);
  for (int other_mesh = 0; other_mesh < 2; other_mesh++) {
    world = open_lane_world(&maze, 5);
    large.radius = 1;
    if (other_mesh) CHECK_EQUAL_INT(wm_crowd_add_mesh(world.crowd, world.mesh, &large.type), WM_OK);
    add_agent(world.crowd, 2, 1, &large);
    CHECK((meet(&world, &normal) > 0) == !other_mesh);
    close_lane_world(&world);
  }
}

/* Agents without avoidance heed nobody, and no right of way. */
static void agents_without_avoidance_wait_for_nobody(void) {
  LaneWorld world = open_world(5);
  WmAgentParameters parameters = walker_parameters();
  parameters.avoidance = WM_AVOIDANCE_NONE;
  CHECK_EQUAL_INT(meet(&world, &parameters), 0);
  close_lane_world(&world);
}

/* An agent that needs 8 to brake stops before a lane that another one is in. */
static void a_fast_agent_stops_before_a_lane(void) {
  LaneWorld world = open_world(5);
  WmAgentParameters slow = walker_parameters(), fast = slow;
  slow.max_speed = 1.5f;
  fast.max_speed = 8;
  fast.max_acceleration = 4;
  const float inside[2] = {13, LANE_Z}, far_west[2] = {0.6f, LANE_Z}, west[2] = {2, 1},
              east[2] = {20, LANE_Z};
  const WmAgent first = add_walker(&world, &slow, inside, west),
                second = add_walker(&world, &fast, far_west, east);
  const float velocity[3] = {8, 0, 0};
  CHECK_EQUAL_INT(wm_crowd_set_velocities(world.crowd, 1, &second, velocity, false), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_warp(world.crowd, 1, &second, (const float[]){0.6f, 0, LANE_Z}, false), WM_OK);
  send_to(world.crowd, second, east[0], east[1]);
  bool has_waited = false;
  for (int step = 0; step < 60 * 15; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    has_waited = has_waited || info_of(world.crowd, second).reason == WM_AGENT_REASON_RIGHT_OF_WAY;
    CHECK(!(is_in_lane(&world, first) && is_in_lane(&world, second)));
  }
  CHECK(has_waited);
  CHECK_EQUAL_INT(info_of(world.crowd, second).state, WM_AGENT_ARRIVED);
  close_lane_world(&world);
}

/* An agent at the very end of a lane steps back for another one that comes out. */
static void who_stands_in_the_way_of_a_lane_steps_back(void) {
  LaneWorld world = open_world(0);
  const WmAgentParameters parameters = walker_parameters();
  const float inside[2] = {12, LANE_Z}, mouth[2] = {7, LANE_Z}, west[2] = {2, 1}, east[2] = {20, LANE_Z};
  const WmAgent out = add_walker(&world, &parameters, inside, west);
  const WmAgent in = add_walker(&world, &parameters, mouth, east);
  float farthest = 7;
  for (int step = 0; step < 60 * 20; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    farthest = fminf(farthest, position_of(world.crowd, in)[0]);
    CHECK(!(is_in_lane(&world, in) && is_in_lane(&world, out)));
  }
  CHECK(farthest < 6.5f);
  CHECK_EQUAL_INT(info_of(world.crowd, in).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(world.crowd, out).state, WM_AGENT_ARRIVED);
  close_lane_world(&world);
}

/* An agent that is put into the lane goes before all that wait outside, even before those of more priority. */
static void who_is_inside_goes_first(void) {
  LaneWorld world = open_world(0);
  const WmAgent outside = add(&world, 5, LANE_Z, 10);
  const WmAgent inside = add(&world, 12, LANE_Z, 90);
  send_to(world.crowd, outside, 20, LANE_Z);
  send_to(world.crowd, inside, 2, 1);
  for (int step = 0; step < 60 * 20; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    CHECK(!(is_in_lane(&world, inside) && is_in_lane(&world, outside)));
  }
  CHECK_EQUAL_INT(info_of(world.crowd, inside).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(world.crowd, outside).state, WM_AGENT_ARRIVED);
  close_lane_world(&world);
}

/* ---- Patience ------------------------------------------------------------------------------------------- */

/* An agent that has begun to pass through others goes on until it is out of the lane, once, and no longer. */
static void passing_ends_outside_of_the_lane(void) {
  LaneWorld world = open_world(2);
  const WmAgent agents[2] = {add(&world, 10.4f, LANE_Z, 50), add(&world, 11.6f, LANE_Z, 50)};
  send_to(world.crowd, agents[0], 20, LANE_Z);
  send_to(world.crowd, agents[1], 2, LANE_Z);
  bool was_passing[2] = {false, false};
  int phases = 0;
  for (int step = 0; step < 60 * 15; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    for (int i = 0; i < 2; i++) {
      const bool passes = info_of(world.crowd, agents[i]).reason == WM_AGENT_REASON_PASSING;
      const float x = position_of(world.crowd, agents[i])[0];
      phases += passes && !was_passing[i];
      if (was_passing[i] && !passes) CHECK(x < 8.2f || x > 13.8f);
      /* There is room from 7.4 and 14.6 on, and passing ends with a gain of half a unit. */
      if (passes) CHECK(x > 6.9f && x < 15.1f);
      was_passing[i] = passes;
    }
  }
  CHECK(phases == 1 || phases == 2);
  close_lane_world(&world);
}

/* An agent that waits before a lane passes through others once its patience of 2 s is over: a slow one takes 20 s to
 * come out. */
static void who_waits_before_a_lane_is_patient_once(void) {
  LaneWorld world = open_world(2);
  const WmAgentParameters normal = walker_parameters();
  WmAgentParameters slow = normal;
  slow.max_speed = 0.25f;
  const float inside[2] = {13, LANE_Z}, mouth[2] = {4, LANE_Z}, west[2] = {2, 1}, east[2] = {20, LANE_Z};
  add_walker(&world, &slow, inside, west);
  const WmAgent waits = add_walker(&world, &normal, mouth, east);
  int step = 0;
  while (step < 60 * 20 && info_of(world.crowd, waits).reason != WM_AGENT_REASON_PASSING) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    step++;
  }
  CHECK(step > 60 * 2 && step <= 150);
  close_lane_world(&world);
}

/* An agent that walks slowly but freely is never in a jam. */
static void a_slow_agent_needs_no_patience(void) {
  LaneWorld world = open_world(2);
  WmAgentParameters parameters = walker_parameters();
  parameters.max_speed = 0.4f;
  const float from[2] = {2, 2}, to[2] = {7, 6};
  const WmAgent agent = add_walker(&world, &parameters, from, to);
  for (int step = 0; step < 60 * 18; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    CHECK(info_of(world.crowd, agent).reason != WM_AGENT_REASON_PASSING);
  }
  CHECK_EQUAL_INT(info_of(world.crowd, agent).state, WM_AGENT_ARRIVED);
  close_lane_world(&world);
}

/* Without patience nobody passes through others, and nobody who rests lets others pass through it. */
static void without_patience_who_rests_in_a_lane_is_pushed(void) {
  LaneWorld world = open_world(0);
  const WmAgent idle = add(&world, 11, LANE_Z, 50), walker = add(&world, 4, LANE_Z, 50);
  send_to(world.crowd, walker, 19, LANE_Z);
  for (int step = 0; step < 600; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    CHECK(position_of(world.crowd, idle)[0] - position_of(world.crowd, walker)[0] > 0.5f ||
          position_of(world.crowd, idle)[0] > 13.5f);
  }
  close_lane_world(&world);
}

static void a_patience_that_is_no_time_is_refused(void) {
  LaneWorld world = open_world(5);
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
  close_lane_world(&world);
}

int main(void) {
  RUN(sides_take_turns);
  RUN(priority_decides_who_goes_first);
  RUN(nobody_waits_for_ever);
  RUN(who_is_put_into_a_lane_head_on_passes_through);
  RUN(who_rests_in_a_lane_lets_others_pass);
  RUN(nobody_passes_through_obstacles);
  RUN(a_lane_is_narrow_for_the_largest_agents_of_its_mesh);
  RUN(agents_without_avoidance_wait_for_nobody);
  RUN(a_fast_agent_stops_before_a_lane);
  RUN(who_stands_in_the_way_of_a_lane_steps_back);
  RUN(who_is_inside_goes_first);
  RUN(passing_ends_outside_of_the_lane);
  RUN(who_waits_before_a_lane_is_patient_once);
  RUN(a_slow_agent_needs_no_patience);
  RUN(without_patience_who_rests_in_a_lane_is_pushed);
  RUN(a_patience_that_is_no_time_is_refused);
  return check_finish();
}
