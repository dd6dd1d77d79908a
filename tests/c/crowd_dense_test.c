/* Dense crowds: a doorway drains, a circle changes sides, streams cross, and all arrive. */
#include "crowd_worlds.h"

/* Runs until all have arrived.
 * returns    the steps, or `limit` */
static int run_until_all_arrive(WmCrowd *crowd, int limit) {
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  for (int step = 1; step < limit; step++) {
    run_crowd(crowd, 1, 1.0f / 30);
    size_t arrived = 0;
    for (size_t i = 0; i < view.count; i++) arrived += view.states[i] == WM_AGENT_ARRIVED;
    if (arrived == view.count) return step;
  }
  return limit;
}

/* All stand at their targets, or beside agents that arrived first: agents that were pushed off have walked
 * back. Targets are about 1 from each other, agents 0.6 wide. */
static void check_rest(WmCrowd *crowd) {
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  run_crowd(crowd, 150, 1.0f / 30);
  float *before = malloc(view.count * 3 * sizeof *before);
  memcpy(before, view.positions, view.count * 3 * sizeof *before);
  run_crowd(crowd, 30, 1.0f / 30);
  for (size_t i = 0; i < view.count; i++) {
    const WmAgentInfo info = info_of(crowd, view.agents[i]);
    const float *p = view.positions + 3 * i, *b = before + 3 * i;
    CHECK_EQUAL_INT(info.state, WM_AGENT_ARRIVED);
    CHECK(hypotf(p[0] - info.target[0], p[2] - info.target[2]) <= info.radius * 1.5f);
    CHECK(hypotf(p[0] - b[0], p[2] - b[2]) < 0.005f);
    for (size_t j = 0; j < i; j++) {
      CHECK(hypotf(p[0] - view.positions[3 * j], p[2] - view.positions[3 * j + 2]) > 0.97f * 2 * info.radius);
    }
  }
  free(before);
}

static WmAgentParameters walker(void) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.3f;
  parameters.height = 1.8f;
  return parameters;
}

static void a_doorway_drains(void) {
  enum { COUNT = 200 };
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_doorway(context);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgentParameters parameters = walker();
  for (int i = 0; i < COUNT; i++) {
    const float x = 16 + (float)(i % 10), z = 5.5f + (float)(i / 10);
    send_to(crowd, add_agent(crowd, x, z, &parameters), x + 24, z);
  }
  CHECK(run_until_all_arrive(crowd, 1800) < 1800); /* a minute; they need 35 seconds */
  check_rest(crowd);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_circle_changes_sides(void) {
  enum { COUNT = 100 };
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 5);
  for (uint32_t avoidance = WM_AVOIDANCE_LOW; avoidance <= WM_AVOIDANCE_HIGH; avoidance++) {
    WmCrowd *crowd = make_crowd(context, mesh);
    WmAgentParameters parameters = walker();
    parameters.avoidance = avoidance;
    for (int i = 0; i < COUNT; i++) {
      const float angle = (float)i * 6.2831853f / COUNT;
      const float x = 15 * cosf(angle), z = 15 * sinf(angle);
      send_to(crowd, add_agent(crowd, 20 + x, 20 + z, &parameters), 20 - x, 20 - z);
    }
    CHECK(run_until_all_arrive(crowd, 900) < 900); /* half a minute; they need 18 seconds */
    check_rest(crowd);
    wm_crowd_destroy(crowd);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* The present overlap of all pairs together.
 * in/out     *deepest: raised to the deepest overlap */
static float sum_overlaps(WmCrowd *crowd, float *deepest) {
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  float sum = 0;
  for (size_t i = 0; i < view.count; i++) {
    for (size_t j = 0; j < i; j++) {
      const float *a = view.positions + 3 * i, *b = view.positions + 3 * j;
      const float depth = 0.6f - hypotf(a[0] - b[0], a[2] - b[2]);
      if (depth > 0) sum += depth;
      if (depth > *deepest) *deepest = depth;
    }
  }
  return sum;
}

/* Two walk at full speed, half a metre between them: the first is ordered to turn back. It can't before the
 * other has yielded. */
static void who_turns_back_does_not_run_into_who_follows(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 5);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgentParameters parameters = walker();
  const WmAgent first = add_agent(crowd, 6.1f, 20, &parameters),
                second = add_agent(crowd, 5, 20.1f, &parameters);
  send_to(crowd, first, 38, 20);
  send_to(crowd, second, 37, 20.1f);
  run_crowd(crowd, 90, 1.0f / 60);
  send_to(crowd, first, 2, 20);
  float deepest = 0;
  for (int step = 0; step < 120; step++) {
    run_crowd(crowd, 1, 1.0f / 60);
    (void)sum_overlaps(crowd, &deepest);
  }
  CHECK(deepest < 0.01f);
  CHECK(position_of(crowd, first)[0] < 8); /* it walks back */
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Two blocks of 50 whose paths cross at a right angle brake and swerve in time. */
static void streams_cross_without_running_into_each_other(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 8);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgentParameters parameters = walker();
  for (int i = 0; i < 50; i++) {
    const float along = 12 + 1.2f * (float)(i / 5), across = 29.6f + 1.2f * (float)(i % 5);
    send_to(crowd, add_agent(crowd, along, across, &parameters), along + 30, across);
    send_to(crowd, add_agent(crowd, across, along, &parameters), across, along + 30);
  }
  float deepest = 0, integral = 0;
  for (int step = 0; step < 1200; step++) {
    run_crowd(crowd, 1, 1.0f / 60);
    integral += sum_overlaps(crowd, &deepest) / 60;
  }
  CHECK(integral < 0.003f * 100); /* metre-seconds */
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* One agent rests near a point, where no agent pushes it; another agent with that target has stopped beside
 * it. */
typedef struct Taken {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmAgent resting, other;
} Taken;

static Taken take_place(void) {
  Taken world = {.context = wm_context_create(NULL)};
  world.mesh = make_field(world.context, 3);
  world.crowd = make_crowd(world.context, world.mesh);
  const WmAgentParameters parameters = walker();
  world.resting = add_agent(world.crowd, 10, 10, &parameters);
  world.other = add_agent(world.crowd, 4, 10, &parameters);
  send_to(world.crowd, world.resting, 10, 10.1f);
  run_crowd(world.crowd, 60, 1.0f / 60);
  CHECK_EQUAL_INT(wm_crowd_pause(world.crowd, 1, &world.resting, true), WM_OK);
  send_to(world.crowd, world.other, 10, 10);
  run_crowd(world.crowd, 600, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, world.other).reason, WM_AGENT_REASON_CROWDED);
  return world;
}

/* The distance of the other from its target. */
static float off_place(const Taken *world) {
  const float *position = position_of(world->crowd, world->other);
  return hypotf(position[0] - 10, position[2] - 10);
}

static void free_taken(Taken *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static void who_rests_beside_its_place_takes_it_when_it_is_free(void) {
  Taken world = take_place();
  CHECK_EQUAL_INT(wm_crowd_pause(world.crowd, 1, &world.resting, false), WM_OK);
  send_to(world.crowd, world.resting, 20, 20);
  run_crowd(world.crowd, 600, 1.0f / 60);
  CHECK_EQUAL_INT(info_of(world.crowd, world.other).reason, WM_AGENT_REASON_NONE);
  CHECK(off_place(&world) < 0.01f);
  free_taken(&world);
}

/* An obstacle appears and disappears. */
static void who_is_pushed_away_from_beside_its_place_goes_back(void) {
  Taken world = take_place();
  const float at[3] = {10, 0, 10}, radius = 3;
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(world.crowd, 1, at, NULL, &radius, NULL), WM_OK);
  run_crowd(world.crowd, 120, 1.0f / 60);
  CHECK(off_place(&world) > 2.5f);
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(world.crowd, 0, NULL, NULL, NULL, NULL), WM_OK);
  run_crowd(world.crowd, 600, 1.0f / 60);
  CHECK(off_place(&world) < 1);
  CHECK_EQUAL_INT(info_of(world.crowd, world.other).state, WM_AGENT_CROWDED);
  free_taken(&world);
}

/* A step resolves an overlap of two that their speeds can part; an overlap of many is softened. */
static void who_runs_into_one_is_parted_at_once(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 3);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgentParameters parameters = walker();
  const WmAgent agents[2] = {add_agent(crowd, 10, 10, &parameters), add_agent(crowd, 11, 10, &parameters)};
  const float by[3] = {-0.5f, 0, 0};
  run_crowd(crowd, 1, 1.0f / 60);
  CHECK_EQUAL_INT(wm_crowd_move(crowd, 1, &agents[1], by, false), WM_OK);
  run_crowd(crowd, 1, 1.0f / 60);
  const float *first = position_of(crowd, agents[0]), *second = position_of(crowd, agents[1]);
  CHECK(hypotf(second[0] - first[0], second[2] - first[2]) > 2 * parameters.radius);
  CHECK(fabsf(first[0] + second[0] - 20.5f) < 1e-3f); /* each half of it */
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(a_doorway_drains);
  RUN(a_circle_changes_sides);
  RUN(who_turns_back_does_not_run_into_who_follows);
  RUN(streams_cross_without_running_into_each_other);
  RUN(who_rests_beside_its_place_takes_it_when_it_is_free);
  RUN(who_is_pushed_away_from_beside_its_place_goes_back);
  RUN(who_runs_into_one_is_parted_at_once);
  return check_finish();
}
