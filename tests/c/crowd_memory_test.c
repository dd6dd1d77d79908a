/* Crowds without memory, with invalid arguments, and for a long time. */
#include "crowd_worlds.h"
#include "guarded_memory.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"

/* ---- Bad input ---------------------------------------------------------------------------------------- */

static void nonsense_is_refused_and_changes_nothing(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 2);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgent a = add_agent(crowd, 4, 4, NULL), gone = add_agent(crowd, 6, 6, NULL);
  CHECK_EQUAL_INT(wm_crowd_remove_agents(crowd, 1, &gone), WM_OK);
  send_to(crowd, a, 12, 12);
  run_crowd(crowd, 10, 0.02f);
  const uint64_t hash = wm_crowd_hash(crowd);
  const float bad[][3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -1e10f}};
  const WmAgent both[2] = {a, gone}, never = 12345;
  const float good[6] = {1, 0, 1, 2, 0, 2};
  WmAgent added;
  for (size_t i = 0; i < 3; i++) {
    CHECK_EQUAL_INT(wm_crowd_add_agents(crowd, 1, bad[i], NULL, 0, &added), WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_crowd_set_targets(crowd, 1, &a, bad[i], false), WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_crowd_set_velocities(crowd, 1, &a, bad[i], false), WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_crowd_warp(crowd, 1, &a, bad[i], false), WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_crowd_move(crowd, 1, &a, bad[i], false), WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_crowd_set_focus(crowd, 1, bad[i]), WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_crowd_set_obstacles(crowd, 1, bad[i], NULL, good, NULL), WM_ERROR_INVALID_ARGUMENT);
  }
  CHECK_EQUAL_INT(wm_crowd_set_targets(crowd, 2, both, good, false), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_crowd_stop(crowd, 2, both), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_crowd_remove_agents(crowd, 2, both), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_crowd_pause(crowd, 1, &never, true), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_crowd_begin_connection(crowd, a), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_crowd_complete_connection(crowd, a), WM_ERROR_STATE);
  const float times[] = {NAN, INFINITY, -0.01f};
  for (size_t i = 0; i < 3; i++) {
    CHECK_EQUAL_INT(wm_crowd_step(crowd, times[i], NULL), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, "seconds") == 0);
  }
  CHECK(wm_crowd_hash(crowd) == hash);
  CHECK_EQUAL_INT(wm_crowd_count(crowd), 1);
  WmCrowdStep step;
  CHECK_EQUAL_INT(wm_crowd_step(crowd, 1e6f, &step), WM_OK);
  CHECK(wm_crowd_validate(crowd));
  CHECK_EQUAL_INT(step.substeps, 8);
  CHECK(step.simulated < 0.41f);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static const char *const FIELDS[] = {
    "radius", "height", "maxSpeed",     "maxAcceleration",  "horizon",    "avoidance", "priority",
    "filter", "type",   "turningSpeed", "stoppingDistance", "separation", "climbSpeed"};

/* Parameters with one invalid field. */
static WmAgentParameters spoil(size_t field) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  if (field == 0) parameters.radius = 0;
  if (field == 1) parameters.height = NAN;
  if (field == 2) parameters.max_speed = -1;
  if (field == 3) parameters.max_acceleration = INFINITY;
  if (field == 4) parameters.horizon = 0;
  if (field == 5) parameters.avoidance = 5;
  if (field == 6) parameters.priority = 100;
  if (field == 7) parameters.filter = 256;
  if (field == 8) parameters.type = 1;
  if (field == 9) parameters.turning_speed = -1;
  if (field == 10) parameters.stopping_distance = 1e10f;
  if (field == 11) parameters.separation = NAN;
  if (field == 12) parameters.climb_speed = -1;
  return parameters;
}

static void parameters_are_checked_by_name(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 1);
  WmCrowd *crowd = make_crowd(context, mesh);
  const float position[3] = {4, 0, 4};
  const WmAgent agents[2] = {add_agent(crowd, 2, 2, NULL), add_agent(crowd, 6, 6, NULL)};
  for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
    const WmAgentParameters bad = spoil(i);
    CHECK_EQUAL_INT(wm_crowd_add_agents(crowd, 1, position, &bad, 1, NULL), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, FIELDS[i]) == 0);
    /* If one of two agents is refused, neither is changed. */
    WmAgentParameters both[2] = {wm_agent_parameters_default(), bad}, now;
    both[0].radius = 1;
    CHECK_EQUAL_INT(wm_crowd_set_parameters(crowd, 2, agents, both, 2), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, FIELDS[i]) == 0);
    CHECK_EQUAL_INT(wm_crowd_parameters(crowd, agents[0], &now), WM_OK);
    CHECK(now.radius == 0.5f);
    /* If one of two new agents is refused, neither is added. */
    const float positions[6] = {4, 0, 4, 5, 0, 5};
    CHECK_EQUAL_INT(wm_crowd_add_agents(crowd, 2, positions, both, 2, NULL), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, FIELDS[i]) == 0);
    CHECK_EQUAL_INT(wm_crowd_count(crowd), 2);
  }
  WmAgentParameters good = wm_agent_parameters_default();
  good.radius = 0.25f;
  const WmAgent never[2] = {agents[0], 77};
  CHECK_EQUAL_INT(wm_crowd_set_parameters(crowd, 2, never, &good, 1), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_crowd_set_parameters(crowd, 2, agents, &good, 0), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "parameters") == 0);
  CHECK_EQUAL_INT(wm_crowd_set_parameters(crowd, 2, agents, &good, 1), WM_OK);
  float sizes[2][2];
  wm_crowd_sizes(crowd, sizes[0]);
  CHECK(sizes[0][0] == 0.25f && sizes[0][1] == 2 && sizes[1][0] == 0.25f && sizes[1][1] == 2);
  WmAgentParameters different[2] = {good, good};
  different[1].radius = 0.75f;
  CHECK_EQUAL_INT(wm_crowd_set_parameters(crowd, 2, agents, different, 2), WM_OK);
  wm_crowd_sizes(crowd, sizes[0]);
  CHECK(sizes[0][0] == 0.25f && sizes[1][0] == 0.75f);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Out of memory ------------------------------------------------------------------------------------ */

/* Does everything a crowd can do; calls that fail for memory are repeated. Returns the first failure. */
static WmStatus live(WmContext *context, WmMesh *mesh, int tries) {
  WmCrowd *crowd = NULL;
  WmStatus status = wm_crowd_create(context, mesh, NULL, &crowd);
  if (status) {
    CHECK(crowd == NULL);
    return status;
  }
  uint32_t type, seed = 5;
  float positions[3 * 24], targets[3 * 24];
  for (int i = 0; i < 3 * 24; i++) positions[i] = targets[i] = i % 3 == 1 ? 0 : crowd_random(&seed, 1, 23);
  for (int i = 0; i < 3 * 24; i++) targets[i] = i % 3 == 1 ? 0 : crowd_random(&seed, 1, 23);
  WmAgent agents[24];
  const float radii[2] = {1, 2};
  WmStatus first = WM_OK;
  WmAgentParameters other = wm_agent_parameters_default();
  other.type = other.filter = 1;
  for (int call = 0; call < 10; call++) {
    for (int attempt = 0; attempt < tries; attempt++) {
      status = call == 0   ? wm_crowd_add_mesh(crowd, mesh, &type)
               : call == 1 ? wm_crowd_add_agents(crowd, 24, positions, NULL, 0, agents)
               : call == 2 ? wm_crowd_set_targets(crowd, 24, agents, targets, false)
               : call == 3 ? wm_crowd_set_obstacles(crowd, 2, targets, NULL, radii, NULL)
               : call == 4 ? wm_crowd_set_focus(crowd, 2, targets)
               : call == 6 ? wm_crowd_warp(crowd, 12, agents, targets, false)
               : call == 8 ? wm_crowd_set_parameters(crowd, 12, agents, &other, 1)
                           : WM_OK;
      for (int k = 0; !status && k < 40 && call >= 5 && call % 2; k++)
        status = wm_crowd_step(crowd, 0.02f, NULL);
      CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
      CHECK(wm_crowd_validate(crowd));
      if (status && !first) first = status;
      if (!status) break;
    }
    if (status) break;
  }
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  for (size_t i = 0; i < view.count; i++)
    CHECK(isfinite(view.positions[3 * i]) && isfinite(view.positions[3 * i + 2]));
  wm_crowd_destroy(crowd);
  return first;
}

static void without_memory_nothing_leaks_and_the_crowd_lives_on(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_field(context, 3);
  CHECK_EQUAL_INT(live(context, mesh, 1), WM_OK);
  /* Fails each allocation until no call fails; then fails single ones, from which scratch memory recovers by
   * itself. */
  long needed = 0;
  for (int once = 0; once < 2; once++) {
    for (long n = 0; once ? n < needed : true; n++) {
      wm_context_trim(context);
      const long before = ration.in_use;
      ration.until_failure = n;
      ration.once = once;
      const WmStatus status = live(context, mesh, once ? 2 : 1);
      ration.until_failure = -1;
      wm_context_trim(context);
      CHECK_EQUAL_INT(ration.in_use, before);
      if (once || status != WM_OK) continue;
      needed = n;
      break;
    }
    CHECK(needed > 20);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

static void a_warp_without_memory_changes_nothing(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_field(context, 3);
  int failures = 0;
  for (long n = 0;; n++) {
    WmCrowd *crowd = make_crowd(context, mesh);
    WmAgent agents[50];
    float to[150];
    uint32_t seed = 8;
    for (int i = 0; i < 50; i++) agents[i] = add_agent(crowd, 1, crowd_random(&seed, 1, 23), NULL);
    for (int i = 0; i < 150; i++) to[i] = i % 3 == 1 ? 0 : crowd_random(&seed, 1, 23);
    const uint64_t before = wm_crowd_hash(crowd);
    wm_context_trim(context);
    ration.until_failure = n;
    const WmStatus status = wm_crowd_warp(crowd, 50, agents, to, false);
    ration.until_failure = -1;
    CHECK((wm_crowd_hash(crowd) == before) == (status != WM_OK));
    wm_crowd_destroy(crowd);
    if (status == WM_OK) break;
    CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
    failures++;
  }
  CHECK(failures > 0);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* The search begins again, as its target's tile was removed; there the memory for the corridor is missing. */
static void a_search_that_fails_as_it_begins_again_is_requested_again(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_field(context, 2);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmCrowdOptions options;
  wm_crowd_options(crowd, &options);
  options.search_budget = 1; /* the first step begins the search only */
  CHECK_EQUAL_INT(wm_crowd_set_options(crowd, &options), WM_OK);
  const WmAgent agent = add_agent(crowd, 6, 6, NULL);
  send_to(crowd, agent, 9, 6);
  WmCrowdStep step;
  CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, &step), WM_OK);
  CHECK_EQUAL_INT(step.waiting_searches, 1);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, wm_mesh_find_tile(mesh, 1, 0, 0)->ref), WM_OK);
  wm_context_trim(context);
  ration.until_failure = 0;
  CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, &step), WM_ERROR_OUT_OF_MEMORY);
  ration.until_failure = -1;
  CHECK(wm_crowd_validate(crowd));
  run_crowd(crowd, 100, 0.05f);
  const WmAgentInfo info = info_of(crowd, agent);
  CHECK_EQUAL_INT(info.state, WM_AGENT_ARRIVED);
  CHECK(fabsf(position_of(crowd, agent)[0] - 8) < 0.1f);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Agents ask for paths one after the other, so that there is room for one request; then a tile of theirs is replaced, and all ask again
 * in one step. Returns its status. */
static WmStatus step_with_many_requests(void) {
  enum { AGENTS = 12 };
  const int refused = memory_places.refused;
  memory_places.refused = -1; /* while the world is made */
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 2);
  WmCrowd *crowd = make_crowd(context, mesh);
  for (int i = 0; i < AGENTS; i++) {
    const WmAgent agent = add_agent(crowd, 1.5f + (float)(i % 4), 1.5f + (float)(i / 4), NULL);
    send_to(crowd, agent, 14, 14);
    run_crowd(crowd, 1, 0.02f);
  }
  const GridTile grid = {.flat = true, .hole = UINT32_MAX, .tree = true};
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, wm_mesh_find_tile(mesh, 0, 0, 0)->ref), WM_OK);
  add_grid_tile(mesh, &grid);
  memory_places.refused = refused;
  memory_places.records = refused < 0;
  const WmStatus status = wm_crowd_step(crowd, 0.02f, NULL);
  memory_places.records = false;
  memory_places.refused = -1;
  run_crowd(crowd, 10, 0.02f);
  CHECK(wm_crowd_validate(crowd));
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  return status;
}

static void every_request_for_memory_that_a_step_misses_is_reported(void) {
  memory_places = (MemoryPlaces){.refused = -1};
  CHECK_EQUAL_INT(step_with_many_requests(), WM_OK);
  CHECK(memory_places.count > 1);
  for (int place = 0; place < memory_places.count; place++) {
    memory_places.refused = place;
    memory_places.has_refused = false;
    CHECK_EQUAL_INT(step_with_many_requests(), WM_ERROR_OUT_OF_MEMORY);
    CHECK(memory_places.has_refused);
  }
}

/* The changes to 60 agents before a step. */
typedef void Scenario(WmCrowd *crowd, const WmAgent *agents, int step, uint32_t *seed);

/* All get one target, then another. */
static void throng(WmCrowd *crowd, const WmAgent *agents, int step, uint32_t *seed) {
  const float goal[3] = {step / 300 % 2 ? 6.0f : 26, 0, 16};
  (void)seed;
  if (step % 300 == 0) CHECK_EQUAL_INT(wm_crowd_set_targets(crowd, 60, agents, goal, true), WM_OK);
}

static void move_goals(WmCrowd *crowd, const WmAgent *agents, int step, uint32_t *seed) {
  for (int i = step % 4; i < 60; i += 4)
    send_to(crowd, agents[i], i % 2 ? 1.0f : 31.0f, crowd_random(seed, 1, 31));
}

static void move_obstacles(WmCrowd *crowd, const WmAgent *agents, int step, uint32_t *seed) {
  float positions[5][3], velocities[5][3] = {{1, 0, 0}, {0, 0, 1}};
  const float radii[5] = {1, 0.5f, 2, 1, 1};
  for (int i = 0; i < 5; i++)
    memcpy(positions[i], (float[3]){crowd_random(seed, 2, 30), 0, crowd_random(seed, 2, 30)},
           sizeof *positions);
  if (step % 20 == 0)
    CHECK_EQUAL_INT(
        wm_crowd_set_obstacles(crowd, 1 + (size_t)step % 3, positions[0], velocities[0], radii, NULL), WM_OK);
  if (step % 10 == 0)
    CHECK_EQUAL_INT(wm_crowd_warp(crowd, 1, &agents[step % 60], positions[4], false), WM_OK);
  if (step % 10 == 5) CHECK_EQUAL_INT(wm_crowd_set_focus(crowd, 1 + (size_t)step % 4, positions[0]), WM_OK);
  if (step % 7 == 0) send_to(crowd, agents[step % 60], positions[3][0], positions[3][2]);
}

/* Agents are removed, and as many added. */
static void take_turns(WmCrowd *crowd, const WmAgent *agents, int step, uint32_t *seed) {
  static WmAgent guest;
  (void)agents;
  if (step > 0) CHECK_EQUAL_INT(wm_crowd_remove_agents(crowd, 1, &guest), WM_OK);
  guest = add_agent(crowd, crowd_random(seed, 1, 31), crowd_random(seed, 1, 31), NULL);
  send_to(crowd, guest, crowd_random(seed, 1, 31), crowd_random(seed, 1, 31));
}

/* Runs a thousand steps, then removes all agents, so that a second run uses the same numbers of
 * everything. */
static void run_scenario(WmCrowd *crowd, Scenario *scenario) {
  WmAgent agents[61];
  uint32_t seed = 3;
  for (int i = 0; i < 60; i++)
    agents[i] = add_agent(crowd, crowd_random(&seed, 1, 31), crowd_random(&seed, 1, 31), NULL);
  for (int step = 0; step < 1008; step++) {
    scenario(crowd, agents, step, &seed);
    run_crowd(crowd, 1, 0.05f);
  }
  WmCrowdView view;
  for (uint32_t number = 61; number-- > 0;) { /* so that numbers are used in the same order */
    wm_crowd_view(crowd, &view);
    for (size_t i = 0; i < view.count; i++) {
      const WmAgent agent = view.agents[i];
      if ((uint32_t)agent != number) continue;
      CHECK_EQUAL_INT(wm_crowd_remove_agents(crowd, 1, &agent), WM_OK);
      break;
    }
  }
  CHECK_EQUAL_INT(wm_crowd_count(crowd), 0);
}

static void once_warm_a_thousand_steps_take_no_memory(void) {
  Scenario *const scenarios[] = {throng, move_goals, move_obstacles, take_turns};
  for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++) {
    Ration ration = {.until_failure = -1};
    const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
    WmContext *context = wm_context_create(&allocator);
    WmMesh *mesh = make_field(context, 4);
    WmCrowd *crowd = make_crowd(context, mesh);
    run_scenario(crowd, scenarios[k]);
    const long warm = ration.allocations;
    run_scenario(crowd, scenarios[k]);
    CHECK_EQUAL_INT(ration.allocations, warm);
    wm_crowd_destroy(crowd);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

/* ---- For long ----------------------------------------------------------------------------------------- */

static void check_all_on_mesh(const WmCrowd *crowd, const WmMesh *mesh) {
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  for (size_t i = 0; i < view.count; i++) {
    const float *position = view.positions + 3 * i;
    CHECK(isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]));
    CHECK(isfinite(view.velocities[3 * i]) && isfinite(view.velocities[3 * i + 2]));
    if (view.states[i] == WM_AGENT_OFF_MESH || view.states[i] == WM_AGENT_ON_CONNECTION) continue;
    const WmAgentInfo info = info_of(crowd, view.agents[i]);
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, info.polygon);
    CHECK(tile != NULL);
    if (!tile) continue;
    float on[3];
    wm_tile_closest_point(tile, wm_ref_polygon(info.polygon), position, true, on);
    CHECK(hypotf(on[0] - position[0], on[2] - position[2]) < 2e-3f && fabsf(on[1] - position[1]) < 0.01f);
  }
}

static void tiles_come_and_go_under_agents_who_come_and_go(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 4, 9);
  WmCrowd *crowd = make_crowd(context, mesh);
  uint32_t seed = 77;
  WmAgent agents[80];
  for (int i = 0; i < 80; i++)
    agents[i] = add_agent(crowd, crowd_random(&seed, 1, 31), crowd_random(&seed, 1, 31), NULL);
  for (int step = 0; step < 3000; step++) {
    const int32_t place = (int32_t)(grid_random(&seed) % 16), x = place % 4, z = place / 4;
    const WmMeshTile *tile = wm_mesh_find_tile(mesh, x, z, 0);
    if (step % 40 == 0 && tile) CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tile->ref), WM_OK);
    if (step % 40 == 20) {
      for (int32_t i = 0; i < 16; i++) {
        const GridTile grid = {
            .x = i % 4, .z = i / 4, .seed = 1 + grid_random(&seed) % 50, .hole = grid_random(&seed) % 9};
        if (!wm_mesh_find_tile(mesh, i % 4, i / 4, 0)) add_grid_tile(mesh, &grid);
      }
    }
    if (step % 7 == 0) {
      const size_t i = grid_random(&seed) % 80;
      if (grid_random(&seed) % 4 == 0) {
        CHECK_EQUAL_INT(wm_crowd_remove_agents(crowd, 1, &agents[i]), WM_OK);
        agents[i] = add_agent(crowd, crowd_random(&seed, 1, 31), crowd_random(&seed, 1, 31), NULL);
      }
      send_to(crowd, agents[i], crowd_random(&seed, -4, 36), crowd_random(&seed, -4, 36));
    }
    const float at[3] = {crowd_random(&seed, 0, 32), 0, 16}, radius = 1;
    if (step % 30 == 0) CHECK_EQUAL_INT(wm_crowd_set_obstacles(crowd, 1, at, NULL, &radius, NULL), WM_OK);
    CHECK_EQUAL_INT(wm_crowd_step(crowd, 1.0f / 30, NULL), WM_OK);
    CHECK(wm_crowd_validate(crowd));
    check_all_on_mesh(crowd, mesh);
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(nonsense_is_refused_and_changes_nothing);
  RUN(parameters_are_checked_by_name);
  RUN(without_memory_nothing_leaks_and_the_crowd_lives_on);
  RUN(a_warp_without_memory_changes_nothing);
  RUN(every_request_for_memory_that_a_step_misses_is_reported);
  RUN(a_search_that_fails_as_it_begins_again_is_requested_again);
  RUN(once_warm_a_thousand_steps_take_no_memory);
  RUN(tiles_come_and_go_under_agents_who_come_and_go);
  return check_finish();
}
