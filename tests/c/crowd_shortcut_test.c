/* Shortcuts: an agent that was pushed aside does not drag its former corridor along. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "query/query_internal.h"

enum { SIDE = 8, COUNT = 80 };

/* The length of the string through an agent's corridor. */
static double length_of(const WmCrowd *crowd, size_t index) {
  static WmRef polygons[2048];
  const WmAgentRecord *record = &crowd->records[index];
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  CHECK(record->corridor.count > 0 && record->corridor.count <= 2048);
  for (uint32_t i = 0; i < record->corridor.count; i++) {
    polygons[i] = wm_agent_corridor_polygon(crowd, cursor);
    if (i + 1 < record->corridor.count) cursor = wm_agent_corridor_next(crowd, cursor);
  }
  CHECK(polygons[0] == record->polygon);
  WmPath path;
  CHECK_EQUAL_INT(
      wm_query_straighten(wm_crowd_mesh(crowd, 0)->query, crowd->positions + 3 * index, record->destination,
                          polygons, record->corridor.count, WM_CROSSINGS_NONE, 0, &path),
      WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  return (double)path.length;
}

static double ideal_of(const WmCrowd *crowd, size_t index) {
  WmPathOptions options = wm_path_options_default();
  options.search.any_angle = true;
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(wm_crowd_mesh(crowd, 0)->query, crowd->positions + 3 * index,
                                     crowd->records[index].target, &options, &path),
                  WM_OK);
  return (double)path.length;
}

typedef struct Sums {
  double pushed, mended, ideal, worst;
} Sums;

/* Agents that can't walk get corridors, are moved by metres, and get time. */
static void push_aside(uint32_t seed, Sums *sums) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  add_block(mesh, 0, 0, SIDE, SIDE, seed);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.max_speed = 0;
  parameters.avoids = 0;
  WmAgent agents[COUNT];
  uint32_t random = seed;
  for (int i = 0; i < COUNT; i++) {
    agents[i] = add_agent(crowd, crowd_random(&random, 1, 8 * SIDE - 1),
                          crowd_random(&random, 1, 8 * SIDE - 1), &parameters);
    send_to(crowd, agents[i], crowd_random(&random, 1, 8 * SIDE - 1), crowd_random(&random, 1, 8 * SIDE - 1));
  }
  run_crowd(crowd, 30, 1.0f / 60);
  uint32_t requests = crowd->request;
  for (int i = 0; i < COUNT; i++) {
    const float by[3] = {crowd_random(&random, -7, 7), 0, crowd_random(&random, -7, 7)};
    CHECK_EQUAL_INT(wm_crowd_move(crowd, 1, &agents[i], by, false), WM_OK);
  }
  double pushed[COUNT];
  for (size_t i = 0; i < COUNT; i++) sums->pushed += pushed[i] = length_of(crowd, i);
  run_crowd(crowd, 300, 1.0f / 60);
  CHECK_EQUAL_INT(crowd->request, requests); /* no agent has planned again */
  for (size_t i = 0; i < COUNT; i++) {
    const double mended = length_of(crowd, i), ideal = ideal_of(crowd, i);
    CHECK(mended <= 1.0001 * pushed[i] + 1e-3);
    sums->mended += mended;
    sums->ideal += ideal;
    if (ideal > 2) sums->worst = fmax(sums->worst, mended / ideal);
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void ways_of_agents_that_were_pushed_aside_are_mended(void) {
  Sums sums = {0};
  for (uint32_t seed = 1; seed <= 8; seed++) push_aside(seed, &sums);
  CHECK(sums.pushed > 1.05 * sums.ideal);
  CHECK(sums.mended < 1.02 * sums.ideal);
}

/* The same turns with any budget: an agent that finds none left has its turn later. */
static void a_short_budget_puts_turns_off(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  add_block(mesh, 0, 0, SIDE, SIDE, 3);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmCrowdOptions options;
  wm_crowd_options(crowd, &options);
  options.search_budget = 100;
  CHECK_EQUAL_INT(wm_crowd_set_options(crowd, &options), WM_OK);
  uint32_t seed = 3;
  for (int i = 0; i < 60; i++) {
    const WmAgent agent =
        add_agent(crowd, crowd_random(&seed, 1, 8 * SIDE - 1), crowd_random(&seed, 1, 8 * SIDE - 1), NULL);
    send_to(crowd, agent, crowd_random(&seed, 1, 8 * SIDE - 1), crowd_random(&seed, 1, 8 * SIDE - 1));
  }
  for (int i = 0; i < 600; i++) {
    WmCrowdStep step;
    CHECK_EQUAL_INT(wm_crowd_step(crowd, 1.0f / 60, &step), WM_OK);
    CHECK(wm_crowd_validate(crowd));
    CHECK(step.searched <= 100);
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(ways_of_agents_that_were_pushed_aside_are_mended);
  RUN(a_short_budget_puts_turns_off);
  return check_finish();
}
