/* Nobody jumps: a step moves no agent farther than its speed allows and a hundredth, whatever pushes it; who is
 * put down inside another is parted over half a second. Measured from positions alone. */
#include "crowd_worlds.h"

/* The limits that docs/crowd.md promises, and the rounding error of coordinates up to 128. */
#define HUNDREDTH 0.01f
#define ROUNDING 5e-5f

enum { COUNT = 120 };

typedef struct Jumpers {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmCrowdView view;
  WmAgent agents[COUNT];
  uint32_t seed;
  float side;             /* of the ground */
  float before[COUNT][3]; /* positions when a step begins */
  float speeds[COUNT];    /* then */
} Jumpers;

static void random_point(Jumpers *world, float point[3]) {
  point[0] = crowd_random(&world->seed, 0.5f, world->side - 0.5f);
  point[1] = 0;
  point[2] = crowd_random(&world->seed, 0.5f, world->side - 0.5f);
}

static WmAgentParameters random_parameters(Jumpers *world) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = crowd_random(&world->seed, 0.2f, 0.9f);
  parameters.max_speed = grid_random(&world->seed) % 8 ? crowd_random(&world->seed, 0.3f, 6) : 0;
  parameters.max_acceleration = crowd_random(&world->seed, 2, 30);
  parameters.avoidance = grid_random(&world->seed) % 5;
  parameters.priority = grid_random(&world->seed) % 100;
  parameters.anticipate_turns = grid_random(&world->seed) % 4 == 0;
  return parameters;
}

/* A third begin at one point. */
static Jumpers make_jumpers(uint32_t seed) {
  Jumpers world = {.context = wm_context_create(NULL), .seed = seed};
  if (seed % 3 == 0) {
    world.mesh = make_doorway(world.context);
    world.side = 61;
  } else {
    world.mesh = make_grid_mesh(world.context);
    add_block(world.mesh, 0, 0, 3, 3, 8 * seed);
    world.side = 24;
  }
  world.crowd = make_crowd(world.context, world.mesh);
  float together[3];
  random_point(&world, together);
  for (int i = 0; i < COUNT; i++) {
    float point[3];
    random_point(&world, point);
    const WmAgentParameters parameters = random_parameters(&world);
    CHECK_EQUAL_INT(
        wm_crowd_add_agents(world.crowd, 1, i % 3 ? point : together, &parameters, 1, &world.agents[i]),
        WM_OK);
  }
  wm_crowd_view(world.crowd, &world.view);
  return world;
}

static void free_jumpers(Jumpers *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* Orders of all kinds; others are warped onto someone, or get new parameters. */
static void give_orders(Jumpers *world) {
  const WmAgent *agent = &world->agents[grid_random(&world->seed) % COUNT];
  const WmAgent *other = &world->agents[grid_random(&world->seed) % COUNT];
  float point[3];
  random_point(world, point);
  const float velocity[3] = {crowd_random(&world->seed, -6, 6), 0, crowd_random(&world->seed, -6, 6)};
  const WmAgentParameters parameters = random_parameters(world);
  switch (grid_random(&world->seed) % 8) {
    case 0: memcpy(point, position_of(world->crowd, *other), sizeof point); /* FALLTHROUGH */
    case 1: CHECK_EQUAL_INT(wm_crowd_warp(world->crowd, 1, agent, point, false), WM_OK); break;
    case 2: CHECK_EQUAL_INT(wm_crowd_set_velocities(world->crowd, 1, agent, velocity, false), WM_OK); break;
    case 3: CHECK_EQUAL_INT(wm_crowd_set_parameters(world->crowd, 1, agent, &parameters, 1), WM_OK); break;
    case 4:
      CHECK_EQUAL_INT(wm_crowd_pause(world->crowd, 1, agent, grid_random(&world->seed) % 2), WM_OK);
      break;
    case 5:
      CHECK_EQUAL_INT(wm_crowd_set_targets(world->crowd, COUNT, world->agents, point, true), WM_OK);
      break;
    default: CHECK_EQUAL_INT(wm_crowd_set_targets(world->crowd, 1, agent, point, false), WM_OK);
  }
}

static float speed_of(const Jumpers *world, size_t i) {
  return hypotf(world->view.velocities[3 * i], world->view.velocities[3 * i + 2]);
}

/* Runs one step; returns by how much the farthest agent exceeded what its speed allows. */
static float step_and_measure(Jumpers *world, float seconds) {
  memcpy(world->before, world->view.positions, sizeof world->before);
  for (size_t i = 0; i < COUNT; i++) world->speeds[i] = speed_of(world, i);
  run_crowd(world->crowd, 1, seconds);
  float most = 0;
  for (size_t i = 0; i < COUNT; i++) {
    WmAgentParameters parameters;
    CHECK_EQUAL_INT(wm_crowd_parameters(world->crowd, world->view.agents[i], &parameters), WM_OK);
    const float speed = fmaxf(parameters.max_speed, world->speeds[i]),
                *position = world->view.positions + 3 * i;
    const float moved = hypotf(position[0] - world->before[i][0], position[2] - world->before[i][2]);
    most = fmaxf(most, moved - speed * seconds);
  }
  return most;
}

static void no_step_moves_an_agent_farther_than_its_speed_allows(void) {
  static const float STEPS[] = {1.0f / 20, 1.0f / 30, 1.0f / 60, 1.0f / 144, 0.001f};
  for (uint32_t seed = 1; seed <= CHECK_ROUNDS(30u); seed++) {
    Jumpers world = make_jumpers(seed);
    const float seconds = STEPS[seed % 5];
    float most = 0;
    for (int step = 0; step < 300; step++) {
      for (int k = 0; k < (step ? 2 : 2 * COUNT); k++) give_orders(&world);
      if (step % 50 == 0) {
        float place[3];
        random_point(&world, place);
        const float velocity[3] = {9, 0, 3}, radius = 2;
        CHECK_EQUAL_INT(wm_crowd_set_obstacles(world.crowd, 1, place, velocity, &radius, NULL), WM_OK);
      }
      most = fmaxf(most, step_and_measure(&world, seconds));
    }
    CHECK(most <= HUNDREDTH + ROUNDING);
    free_jumpers(&world);
  }
}

/* Substeps are steps. */
static void each_substep_allows_a_hundredth(void) {
  Jumpers world = make_jumpers(7);
  WmCrowdStep step;
  for (int i = 0; i < 20; i++) {
    memcpy(world.before, world.view.positions, sizeof world.before);
    CHECK_EQUAL_INT(wm_crowd_step(world.crowd, 0.11f, &step), WM_OK);
    CHECK_EQUAL_INT(step.substeps, 3);
    for (size_t k = 0; k < COUNT; k++) {
      const float *position = world.view.positions + 3 * k;
      const float moved = hypotf(position[0] - world.before[k][0], position[2] - world.before[k][2]);
      CHECK(moved <= 6 * 0.11f + 3 * HUNDREDTH + ROUNDING);
    }
  }
  free_jumpers(&world);
}

/* Two agents on one point of an open field. */
typedef struct Pair {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmAgent first, second;
} Pair;

static float distance_of(const Pair *pair) {
  const float *p = position_of(pair->crowd, pair->first), *q = position_of(pair->crowd, pair->second);
  return hypotf(p[0] - q[0], p[2] - q[2]);
}

static Pair make_pair(uint32_t avoidance) {
  Pair pair = {.context = wm_context_create(NULL)};
  pair.mesh = make_field(pair.context, 3);
  pair.crowd = make_crowd(pair.context, pair.mesh);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.avoidance = avoidance;
  pair.first = add_agent(pair.crowd, 10, 10, &parameters);
  pair.second = add_agent(pair.crowd, 12, 10, &parameters);
  run_crowd(pair.crowd, 30, 1.0f / 60);
  return pair;
}

static void free_pair(Pair *pair) {
  wm_crowd_destroy(pair->crowd);
  wm_mesh_destroy(pair->mesh);
  wm_context_destroy(pair->context);
}

/* Their distance grows in every step by about as much. */
static void check_parting(Pair *pair, int steps_a_second) {
  const float begin = distance_of(pair);
  float before = begin;
  for (int step = 1; step <= steps_a_second; step++) {
    run_crowd(pair->crowd, 1, 1.0f / (float)steps_a_second);
    const float distance = distance_of(pair), time = (float)step / (float)steps_a_second;
    if (time <= 0.125f) CHECK(distance < begin + 0.55f * (1 - begin));
    if (time >= 0.55f) CHECK(distance > 0.97f);
    CHECK(distance > before - 1e-3f);
    CHECK(distance - before < 6.0f / (float)steps_a_second);
    before = distance;
  }
}

static void who_is_put_down_inside_another_is_parted_over_half_a_second(void) {
  static const uint32_t AVOIDANCE[] = {WM_AVOIDANCE_NONE, WM_AVOIDANCE_MEDIUM, WM_AVOIDANCE_SAMPLING};
  static const int RATES[] = {30, 60, 144};
  for (int k = 0; k < 9; k++) {
    Pair pair = make_pair(AVOIDANCE[k / 3]);
    const float on[3] = {10, 0, 10}, beside[3] = {10.3f, 0, 10};
    CHECK_EQUAL_INT(wm_crowd_warp(pair.crowd, 1, &pair.second, k % 2 ? on : beside, false), WM_OK);
    check_parting(&pair, RATES[k % 3]);
    free_pair(&pair);
  }
}

static void who_is_added_inside_another_is_parted_over_half_a_second(void) {
  Pair pair = make_pair(WM_AVOIDANCE_MEDIUM);
  pair.second = add_agent(pair.crowd, 10.1f, 10.1f, NULL);
  check_parting(&pair, 60);
  free_pair(&pair);
}

/* An agent that was put down beside others and later runs into one is pushed as firmly as any other agent. */
static void who_was_put_down_in_the_open_does_not_part_later(void) {
  Pair pair = make_pair(WM_AVOIDANCE_NONE);
  const float beside[3] = {11.1f, 0, 10}, by[3] = {-0.2f, 0, 0};
  CHECK_EQUAL_INT(wm_crowd_warp(pair.crowd, 1, &pair.second, beside, false), WM_OK);
  run_crowd(pair.crowd, 2, 1.0f / 60);
  CHECK_EQUAL_INT(wm_crowd_move(pair.crowd, 1, &pair.second, by, false), WM_OK);
  run_crowd(pair.crowd, 3, 1.0f / 60);
  CHECK(distance_of(&pair) > 0.99f);
  free_pair(&pair);
}

int main(void) {
  RUN(no_step_moves_an_agent_farther_than_its_speed_allows);
  RUN(each_substep_allows_a_hundredth);
  RUN(who_is_put_down_inside_another_is_parted_over_half_a_second);
  RUN(who_is_added_inside_another_is_parted_over_half_a_second);
  RUN(who_was_put_down_in_the_open_does_not_part_later);
  return check_finish();
}
