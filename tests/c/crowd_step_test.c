/* Agents that walk: to a target, past each other, at a velocity. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "query/query_internal.h"

static void an_agent_walks_to_its_target_and_stands_there(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 4);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgent agent = add_agent(crowd, 2, 2, NULL);
  CHECK_EQUAL_INT(info_of(crowd, agent).state, WM_AGENT_NO_TARGET);
  send_to(crowd, agent, 28, 25);
  CHECK_EQUAL_INT(info_of(crowd, agent).state, WM_AGENT_PLANNING);
  const float length = hypotf(26, 23);
  int steps = 0;
  for (float before = length; steps < 2000 && info_of(crowd, agent).state != WM_AGENT_ARRIVED; steps++) {
    run_crowd(crowd, 1, 1.0f / 60);
    const float *position = position_of(crowd, agent);
    const float aside = fabsf((position[0] - 2) * 23 - (position[2] - 2) * 26) / length;
    const float left = hypotf(28 - position[0], 25 - position[2]);
    CHECK(aside < 1e-4f);
    CHECK(left <= before);
    before = left;
  }
  CHECK((float)steps / 60 < length / 3.5f + 1);
  const float *position = position_of(crowd, agent);
  CHECK(fabsf(position[0] - 28) < 1e-4f && fabsf(position[2] - 25) < 1e-4f);
  const uint64_t resting = wm_crowd_hash(crowd);
  float rest[3];
  memcpy(rest, position, sizeof rest);
  run_crowd(crowd, 100, 1.0f / 60);
  CHECK(memcmp(rest, position_of(crowd, agent), sizeof rest) == 0);
  CHECK(resting != wm_crowd_hash(crowd)); /* steps count */
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void two_agents_that_meet_pass(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 4);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgent a = add_agent(crowd, 4, 16, NULL), b = add_agent(crowd, 28, 16, NULL);
  send_to(crowd, a, 28, 16);
  send_to(crowd, b, 4, 16);
  float nearest = INFINITY;
  for (int i = 0; i < 900; i++) {
    run_crowd(crowd, 1, 1.0f / 60);
    const float *p = position_of(crowd, a), *q = position_of(crowd, b);
    nearest = fminf(nearest, hypotf(p[0] - q[0], p[2] - q[2]));
  }
  CHECK_EQUAL_INT(info_of(crowd, a).state, WM_AGENT_ARRIVED);
  CHECK_EQUAL_INT(info_of(crowd, b).state, WM_AGENT_ARRIVED);
  CHECK(nearest > 0.98f);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* From the agent to its destination, each polygon linked to the next, and shorter the farther it has
 * walked. */
static void a_corridor_is_the_polygons_of_the_way(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 4);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgent agent = add_agent(crowd, 2, 2, NULL);
  size_t count = 99;
  CHECK_EQUAL_INT(wm_crowd_corridor(crowd, agent, 0, NULL, &count), WM_OK);
  CHECK_EQUAL_INT(count, 0);
  send_to(crowd, agent, 28, 25);
  run_crowd(crowd, 1, 1.0f / 60);
  CHECK_EQUAL_INT(wm_crowd_corridor(crowd, agent, 0, NULL, &count), WM_OK);
  CHECK(count >= 4);
  const size_t first_count = count;
  WmRef polygons[64];
  for (int step = 0; step < 2000 && info_of(crowd, agent).state != WM_AGENT_ARRIVED; step++) {
    run_crowd(crowd, 1, 1.0f / 60);
    polygons[0] = 0;
    CHECK_EQUAL_INT(wm_crowd_corridor(crowd, agent, 64, polygons, &count), WM_OK);
    if (count == 0) break;
    CHECK(count <= first_count);
    CHECK(polygons[0] == info_of(crowd, agent).polygon);
    for (size_t i = 0; i + 1 < count; i++) {
      const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygons[i]);
      CHECK(tile && wm_query_find_portal(tile, wm_ref_polygon(polygons[i]), polygons[i + 1]));
    }
    /* No more than the array holds. */
    WmRef few[2] = {77, 77};
    CHECK_EQUAL_INT(wm_crowd_corridor(crowd, agent, 1, few, &count), WM_OK);
    CHECK(few[0] == polygons[0] && few[1] == 77);
  }
  CHECK(count < first_count);
  count = 5;
  CHECK_EQUAL_INT(wm_crowd_corridor(crowd, agent + 1000, 1, polygons, &count), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(count, 5);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* The heading turns from any direction to any other, also where both share a coordinate. */
static void headings_turn_towards_velocities(void) {
  static const float DIRECTIONS[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                         {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 4);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.turning_speed = 200;
  const WmAgent agent = add_agent(crowd, 16, 16, &parameters);
  for (int to = 0; to < 8; to++) {
    const float velocity[3] = {DIRECTIONS[to][0], 0, DIRECTIONS[to][1]};
    CHECK_EQUAL_INT(wm_crowd_set_velocities(crowd, 1, &agent, velocity, false), WM_OK);
    run_crowd(crowd, 60, 0.02f);
    const float expected[2] = {crowd->headings[0], crowd->headings[1]};
    CHECK(fabsf(expected[0] * velocity[2] - expected[1] * velocity[0]) < 1e-6f);
    for (int from = 0; from < 8; from++) {
      const float unit = from % 2 && to % 2 ? fabsf(expected[0]) : from % 2 ? 0.70710678f : 1;
      crowd->headings[0] = DIRECTIONS[from][0] * unit;
      crowd->headings[1] = DIRECTIONS[from][1] * unit;
      run_crowd(crowd, 1, 0.1f); /* by 20 degrees */
      const float dot = crowd->headings[0] * expected[0] + crowd->headings[1] * expected[1];
      const int apart = (to - from + 8) % 8, eighths = apart > 4 ? 8 - apart : apart;
      const float angle = 0.78539816f * (float)eighths - 0.34906585f;
      CHECK(fabsf(dot - (eighths ? cosf(angle) : 1)) < 1e-3f);
    }
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(headings_turn_towards_velocities);
  RUN(an_agent_walks_to_its_target_and_stands_there);
  RUN(two_agents_that_meet_pass);
  RUN(a_corridor_is_the_polygons_of_the_way);
  return check_finish();
}
