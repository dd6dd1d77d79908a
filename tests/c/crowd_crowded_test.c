/* Agents that rest before their target: by way left, not by distance through floors and walls. They are
 * crowded, not arrived, and move up when one leaves. */
#include "crowd_worlds.h"

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
} World;

static World make_world(WmMesh *(*make)(WmContext *)) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make(world.context);
  WmCrowdOptions options = wm_crowd_options_default();
  options.neighbour_range = 12;
  CHECK_EQUAL_INT(wm_crowd_create(world.context, world.mesh, &options, &world.crowd), WM_OK);
  return world;
}

static void free_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmMesh *make_open_field(WmContext *context) { return make_field(context, 4); }

/* A lane of five tiles, and 3 above its first one another tile; a connection leads there from the far end. */
static WmMesh *make_floors(WmContext *context) {
  static const WmOffMeshConnection UP = {
      .start = {36, 0, 4}, .end = {2, 3, 2}, .radius = 0.5f, .flags = 1, .area = 1, .bidirectional = true};
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t x = 0; x < 5; x++) {
    const GridTile grid = {.x = x,
                           .flat = true,
                           .hole = UINT32_MAX,
                           .tree = true,
                           .connections = &UP,
                           .connection_count = x == 4};
    add_grid_tile(mesh, &grid);
  }
  const GridTile above = {.layer = 1, .floor = 12, .flat = true, .hole = UINT32_MAX, .tree = true};
  add_grid_tile(mesh, &above);
  return mesh;
}

/* Two fields of 4 by 1 tiles with a wall of 8 between, which ends before the last tiles. */
static WmMesh *make_wall(WmContext *context) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < 12; i++) {
    const GridTile grid = {.x = i % 3, .z = i / 3, .flat = true, .hole = UINT32_MAX, .tree = true};
    if (grid.x != 1 || grid.z == 3) add_grid_tile(mesh, &grid);
  }
  return mesh;
}

/* ---- Floors and walls ------------------------------------------------------------------------------- */

/* An agent that cannot walk stands beside one that rests exactly below its target. */
static void who_is_blocked_below_its_target_has_not_arrived(void) {
  World world = make_world(make_floors);
  WmAgentParameters parameters = wm_agent_parameters_default();
  const WmAgent below = add_agent(world.crowd, 5, 4, NULL);
  send_to(world.crowd, below, 5, 4);
  parameters.max_speed = 0;
  const WmAgent agent = add_agent(world.crowd, 4, 4, &parameters);
  const float above[3] = {5, 3, 4};
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 1, &agent, above, false), WM_OK);
  run_crowd(world.crowd, 120, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, below).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(world.crowd, agent).target[1], 3);
  CHECK_EQUAL_INT(info_of(world.crowd, agent).state, WM_AGENT_WAITING);
  CHECK_EQUAL_INT(info_of(world.crowd, agent).reason, WM_AGENT_REASON_BLOCKED);
  parameters.max_speed = 3.5f;
  CHECK_EQUAL_INT(wm_crowd_set_parameters(world.crowd, 1, &agent, &parameters, 1), WM_OK);
  run_crowd(world.crowd, 1800, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, agent).state, WM_AGENT_ARRIVED);
  CHECK(position_of(world.crowd, agent)[1] > 2.9f);
  free_world(&world);
}

/* The same target, but the way leads around a wall of 24. */
static void who_is_blocked_behind_a_wall_is_not_crowded(void) {
  World world = make_world(make_wall);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 3.6f;
  const WmAgent first = add_agent(world.crowd, 16.05f, 1, &parameters);
  parameters.max_speed = 0;
  const WmAgent behind = add_agent(world.crowd, 7.95f, 1, &parameters);
  const WmAgent beside = add_agent(world.crowd, 17, 8.9f, &parameters);
  const WmAgent agents[3] = {first, behind, beside};
  const float target[3] = {16.05f, 0, 1};
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 3, agents, target, true), WM_OK);
  run_crowd(world.crowd, 120, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, first).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(world.crowd, behind).state, WM_AGENT_WAITING);
  CHECK_EQUAL_INT(info_of(world.crowd, behind).reason, WM_AGENT_REASON_BLOCKED);
  CHECK_EQUAL_INT(info_of(world.crowd, beside).state, WM_AGENT_CROWDED);
  free_world(&world);
}

/* ---- One goal for all ------------------------------------------------------------------------------- */

enum { COUNT = 40 };

/* Agents with the target (16, 16) after they have come to rest.
 * out        *totals: what the steps counted */
static World gather(WmAgent agents[COUNT], WmCrowdStep *totals) {
  World world = make_world(make_open_field);
  uint32_t seed = 5;
  for (int i = 0; i < COUNT; i++) {
    agents[i] = add_agent(world.crowd, crowd_random(&seed, 1, 31), crowd_random(&seed, 1, 31), NULL);
    send_to(world.crowd, agents[i], 16, 16);
  }
  *totals = (WmCrowdStep){0};
  for (int i = 0; i < 1500; i++) {
    WmCrowdStep step;
    CHECK_EQUAL_INT(wm_crowd_step(world.crowd, 1.0f / 60, &step), WM_OK);
    totals->arrived += step.arrived;
    totals->crowded += step.crowded;
  }
  return world;
}

static size_t count_state(const World *world, WmAgentState state) {
  WmCrowdView view;
  wm_crowd_view(world->crowd, &view);
  size_t count = 0;
  for (size_t i = 0; i < view.count; i++) count += view.states[i] == state;
  return count;
}

static float way_of(const World *world, WmAgent agent) {
  const float *position = position_of(world->crowd, agent);
  return hypotf(position[0] - 16, position[2] - 16);
}

static WmAgent find_nearest(const World *world, const WmAgent *agents) {
  WmAgent nearest = agents[0];
  for (int i = 1; i < COUNT; i++) {
    if (way_of(world, agents[i]) < way_of(world, nearest)) nearest = agents[i];
  }
  return nearest;
}

static void agents_around_the_one_that_has_arrived_are_crowded(void) {
  WmAgent agents[COUNT];
  WmCrowdStep totals;
  World world = gather(agents, &totals);
  CHECK_EQUAL_INT(count_state(&world, WM_AGENT_ARRIVED), 1);
  CHECK_EQUAL_INT(count_state(&world, WM_AGENT_CROWDED), COUNT - 1);
  CHECK(totals.arrived >= 1 && totals.arrived < 5);
  CHECK(totals.crowded >= COUNT - 1);
  for (int i = 0; i < COUNT; i++) {
    const WmAgentInfo info = info_of(world.crowd, agents[i]);
    const bool is_crowded = info.state == WM_AGENT_CROWDED;
    CHECK_EQUAL_INT(info.reason, is_crowded ? WM_AGENT_REASON_CROWDED : WM_AGENT_REASON_NONE);
    CHECK(way_of(&world, agents[i]) < 6);
  }
  free_world(&world);
}

/* The place that becomes free is taken: nowhere is space for another at the goal. Then all rest. */
static void another_moves_up_when_one_leaves(void) {
  WmAgent agents[COUNT];
  WmCrowdStep totals;
  World world = gather(agents, &totals);
  for (int turn = 0; turn < 5; turn++) {
    const WmAgent gone = find_nearest(&world, agents);
    const float away[3] = {2, 0, 2 + 3.0f * (float)turn};
    CHECK(way_of(&world, gone) < 0.9f);
    CHECK_EQUAL_INT(wm_crowd_warp(world.crowd, 1, &gone, away, false), WM_OK);
    send_to(world.crowd, gone, away[0], away[2]);
    run_crowd(world.crowd, 600, 1.0f / 60);
    const WmAgent next = find_nearest(&world, agents);
    CHECK(next != gone && way_of(&world, next) < 0.9f);
    CHECK_EQUAL_INT(count_state(&world, WM_AGENT_ARRIVED) + count_state(&world, WM_AGENT_CROWDED), COUNT);
  }
  free_world(&world);
}

/* Small and large agents push each other after they have come to rest. The one that is pushed to the target has
 * arrived: it would stay crowded for ever, since no space is left there to set out to. */
static void an_agent_that_is_pushed_to_its_target_has_arrived(void) {
  uint32_t seed = 3;
  for (int round = 0; round < 24; round++) {
    World world = make_world(make_open_field);
    WmAgentParameters parameters = wm_agent_parameters_default();
    WmAgent agents[16];
    uint32_t large = 0;
    CHECK_EQUAL_INT(wm_crowd_add_mesh(world.crowd, world.mesh, &large), WM_OK);
    for (int i = 0; i < 16; i++) {
      parameters.type = i % 8 == 0 ? large : 0;
      parameters.radius = i % 8 == 0 ? 1.2f : 0.4f;
      parameters.max_speed = i % 8 == 0 ? 2 : 3;
      agents[i] = add_agent(world.crowd, crowd_random(&seed, 7, 25), crowd_random(&seed, 7, 25), &parameters);
      send_to(world.crowd, agents[i], 16, 16);
    }
    run_crowd(world.crowd, 1800, 1.0f / 60);
    for (int i = 0; i < 16; i++) {
      const WmAgentInfo info = info_of(world.crowd, agents[i]);
      CHECK(info.state != WM_AGENT_CROWDED || way_of(&world, agents[i]) > 0.5f * info.radius);
    }
    free_world(&world);
  }
}

int main(void) {
  RUN(who_is_blocked_below_its_target_has_not_arrived);
  RUN(who_is_blocked_behind_a_wall_is_not_crowded);
  RUN(agents_around_the_one_that_has_arrived_are_crowded);
  RUN(another_moves_up_when_one_leaves);
  RUN(an_agent_that_is_pushed_to_its_target_has_arrived);
  return check_finish();
}
