/* Agents on off-mesh connections, and changes meanwhile: other orders, removed tiles, another mesh. Agents
 * never jump, and land before they obey another order. */
#include "crowd_worlds.h"
#include "mesh/links/connections.h"

enum { STEPS_A_SECOND = 50 };

typedef struct Flight {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmAgent agent;
  float before[3];
} Flight;

/* Two fields of 8 by 24 with a gap between them; the agent is half-way over it. */
static Flight begin_flight(void) {
  Flight flight = {.context = wm_context_create(NULL)};
  flight.mesh = make_field(flight.context, 3);
  for (int32_t z = 0; z < 3; z++)
    wm_mesh_remove_tile(flight.mesh, wm_mesh_find_tile(flight.mesh, 1, z, 0)->ref);
  WmConnection settings = wm_connection_default(flight.mesh);
  memcpy(settings.start, (float[3]){7, 0, 12}, sizeof settings.start);
  memcpy(settings.end, (float[3]){17, 0, 12}, sizeof settings.end);
  WmRef connection;
  CHECK_EQUAL_INT(wm_mesh_add_connection(flight.mesh, &settings, &connection), WM_OK);
  flight.crowd = make_crowd(flight.context, flight.mesh);
  flight.agent = add_agent(flight.crowd, 5, 12, NULL);
  send_to(flight.crowd, flight.agent, 22, 12);
  for (int i = 0; i < 500 && position_of(flight.crowd, flight.agent)[0] < 12; i++)
    run_crowd(flight.crowd, 1, 1.0f / STEPS_A_SECOND);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_ON_CONNECTION);
  memcpy(flight.before, position_of(flight.crowd, flight.agent), sizeof flight.before);
  return flight;
}

static void end_flight(Flight *flight) {
  wm_crowd_destroy(flight->crowd);
  wm_mesh_destroy(flight->mesh);
  wm_context_destroy(flight->context);
}

/* Runs `steps` steps: in each one an agent moves at most as far as its speed allows, and on the surface it is
 * on its polygon. */
static void fly(Flight *flight, int steps) {
  for (int i = 0; i < steps; i++) {
    run_crowd(flight->crowd, 1, 1.0f / STEPS_A_SECOND);
    const float *now = position_of(flight->crowd, flight->agent), *before = flight->before;
    CHECK(hypotf(now[0] - before[0], now[2] - before[2]) < 3.6f / STEPS_A_SECOND);
    if (info_of(flight->crowd, flight->agent).state != WM_AGENT_ON_CONNECTION)
      CHECK(now[0] < 8.01f || now[0] > 15.99f);
    memcpy(flight->before, now, sizeof flight->before);
  }
}

static void a_target_that_is_set_in_flight_waits_for_the_landing(void) {
  Flight flight = begin_flight();
  send_to(flight.crowd, flight.agent, 20, 20);
  fly(&flight, 20);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_ON_CONNECTION);
  fly(&flight, 300);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_ARRIVED);
  CHECK(fabsf(flight.before[0] - 20) < 0.01f && fabsf(flight.before[2] - 20) < 0.01f);
  end_flight(&flight);
}

/* The search for the target still runs when the agent leaves the surface. */
static void a_search_that_ends_in_flight_is_made_again(void) {
  Flight flight = begin_flight();
  WmCrowdOptions options = wm_crowd_options_default();
  options.search_budget = 1;
  CHECK_EQUAL_INT(wm_crowd_set_options(flight.crowd, &options), WM_OK);
  const float start[3] = {5, 0, 12};
  CHECK_EQUAL_INT(wm_crowd_warp(flight.crowd, 1, &flight.agent, start, false), WM_OK);
  send_to(flight.crowd, flight.agent, 22, 12);
  memcpy(flight.before, start, sizeof start);
  bool was_asked = false;
  for (int i = 0; i < 900; i++) {
    fly(&flight, 1);
    if (!was_asked && flight.before[0] > 6.2f) {
      send_to(flight.crowd, flight.agent, 20, 4);
      was_asked = true;
    }
  }
  CHECK(was_asked);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_ARRIVED);
  CHECK(fabsf(flight.before[2] - 4) < 0.01f);
  end_flight(&flight);
}

/* Others, whose goal it shares, get their corridors from one flow field, which covers the polygon that it has left. */
static void a_target_that_is_shared_in_flight_waits_for_the_landing(void) {
  enum { OTHERS = 20 };
  Flight flight = begin_flight();
  WmAgent agents[OTHERS + 1];
  for (int i = 0; i < OTHERS; i++)
    agents[i] = add_agent(flight.crowd, 1 + (float)(i % 3), 1.5f + 1.2f * (float)(i / 3), NULL);
  agents[OTHERS] = flight.agent;
  const float goal[3] = {20, 0, 20};
  CHECK_EQUAL_INT(wm_crowd_set_targets(flight.crowd, OTHERS + 1, agents, goal, true), WM_OK);
  fly(&flight, 1);
  CHECK_EQUAL_INT(info_of(flight.crowd, agents[0]).state, WM_AGENT_FOLLOWING);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_ON_CONNECTION);
  fly(&flight, 300);
  CHECK(hypotf(flight.before[0] - 20, flight.before[2] - 20) < 1);
  end_flight(&flight);
}

static void who_is_stopped_in_flight_lands_and_stands(void) {
  Flight flight = begin_flight();
  CHECK_EQUAL_INT(wm_crowd_stop(flight.crowd, 1, &flight.agent), WM_OK);
  fly(&flight, 200);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_NO_TARGET);
  CHECK(flight.before[0] > 16.9f && flight.before[0] < 18);
  end_flight(&flight);
}

static void who_gets_a_velocity_in_flight_lands_and_follows_it(void) {
  Flight flight = begin_flight();
  const float velocity[3] = {0, 0, -2};
  CHECK_EQUAL_INT(wm_crowd_set_velocities(flight.crowd, 1, &flight.agent, velocity, false), WM_OK);
  fly(&flight, 200);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_FOLLOWING);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).reason, WM_AGENT_REASON_VELOCITY);
  CHECK(flight.before[2] < 10);
  end_flight(&flight);
}

/* Steps once ended in "stale reference": searches began in the polygon that the agent had left. */
static void ground_that_goes_behind_an_agent_in_flight_does_not_matter(void) {
  Flight flight = begin_flight();
  send_to(flight.crowd, flight.agent, 20, 20);
  for (int32_t z = 0; z < 3; z++)
    CHECK_EQUAL_INT(wm_mesh_remove_tile(flight.mesh, wm_mesh_find_tile(flight.mesh, 0, z, 0)->ref), WM_OK);
  fly(&flight, 300);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_ARRIVED);
  end_flight(&flight);
}

static void ground_that_goes_before_it_leaves_it_off_the_mesh_until_it_is_back(void) {
  Flight flight = begin_flight();
  for (int32_t z = 0; z < 3; z++)
    CHECK_EQUAL_INT(wm_mesh_remove_tile(flight.mesh, wm_mesh_find_tile(flight.mesh, 2, z, 0)->ref), WM_OK);
  fly(&flight, 200);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_OFF_MESH);
  for (int32_t z = 0; z < 3; z++) {
    const GridTile grid = {.x = 2, .z = z, .flat = true, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(flight.mesh, &grid);
  }
  fly(&flight, 300);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_ARRIVED);
  end_flight(&flight);
}

static void who_changes_its_mesh_in_flight_is_on_the_other_one(void) {
  Flight flight = begin_flight();
  WmMesh *whole = make_field(flight.context, 3);
  uint32_t type;
  CHECK_EQUAL_INT(wm_crowd_add_mesh(flight.crowd, whole, &type), WM_OK);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.type = type;
  CHECK_EQUAL_INT(wm_crowd_set_parameters(flight.crowd, 1, &flight.agent, &parameters, 1), WM_OK);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_PLANNING);
  run_crowd(flight.crowd, 300, 1.0f / STEPS_A_SECOND);
  CHECK_EQUAL_INT(info_of(flight.crowd, flight.agent).state, WM_AGENT_ARRIVED);
  wm_crowd_destroy(flight.crowd);
  flight.crowd = NULL;
  wm_mesh_destroy(whole);
  end_flight(&flight);
}

/* Two agents at the entry at the same time, one on each side; and before that one agent alone. */
static void who_takes_off_beside_another_lands_beside_it(void) {
  Flight flight = begin_flight();
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.3f;
  const float sides[2] = {11.72f, 12.28f};
  WmAgent agents[2];
  for (int i = 0; i < 2; i++) {
    agents[i] = add_agent(flight.crowd, 6.9f, sides[i], &parameters);
    send_to(flight.crowd, agents[i], 21, sides[i] < 12 ? 6 : 18);
  }
  float nearest = INFINITY, landed = INFINITY;
  bool have_flown = false;
  for (int i = 0; i < 500; i++) {
    run_crowd(flight.crowd, 1, 1.0f / STEPS_A_SECOND);
    const bool fly_now = info_of(flight.crowd, agents[0]).state == WM_AGENT_ON_CONNECTION &&
                         info_of(flight.crowd, agents[1]).state == WM_AGENT_ON_CONNECTION;
    if (fly_now && !have_flown) { /* records the landing point of each */
      const WmAgentInfo infos[2] = {info_of(flight.crowd, agents[0]), info_of(flight.crowd, agents[1])};
      CHECK(fabsf(infos[0].connection_end[2] - infos[1].connection_end[2]) > 2 * parameters.radius);
    }
    have_flown = have_flown || fly_now;
    const float *first = position_of(flight.crowd, agents[0]), *second = position_of(flight.crowd, agents[1]);
    if (have_flown) nearest = fminf(nearest, hypotf(first[0] - second[0], first[2] - second[2]));
    if (landed == INFINITY && info_of(flight.crowd, flight.agent).state != WM_AGENT_ON_CONNECTION)
      landed = position_of(flight.crowd, flight.agent)[2];
  }
  for (int i = 0; i < 2; i++) CHECK_EQUAL_INT(info_of(flight.crowd, agents[i]).state, WM_AGENT_ARRIVED);
  CHECK(have_flown && nearest > 1.8f * parameters.radius); /* 0 if both land on the same point */
  CHECK(landed == 12);                                     /* exactly on the line */
  end_flight(&flight);
}

/* The game has read the connection's end, and animates the agent itself. */
static void who_is_led_over_by_the_game_lands_at_the_end(void) {
  Flight flight = begin_flight();
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.3f;
  parameters.auto_connections = false;
  const WmAgent agents[2] = {add_agent(flight.crowd, 6.9f, 11.72f, &parameters),
                             add_agent(flight.crowd, 6.9f, 12.28f, &parameters)};
  for (int i = 0; i < 2; i++) send_to(flight.crowd, agents[i], 21, i == 0 ? 6 : 18);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 300 && info_of(flight.crowd, agents[i]).reason != WM_AGENT_REASON_CONNECTION; k++)
      run_crowd(flight.crowd, 1, 1.0f / STEPS_A_SECOND);
    CHECK_EQUAL_INT(info_of(flight.crowd, agents[i]).reason, WM_AGENT_REASON_CONNECTION);
    CHECK_EQUAL_INT(wm_crowd_begin_connection(flight.crowd, agents[i]), WM_OK);
    const WmAgentInfo info = info_of(flight.crowd, agents[i]);
    CHECK(info.connection_end[0] == 17 && info.connection_end[2] == 12);
    CHECK_EQUAL_INT(wm_crowd_complete_connection(flight.crowd, agents[i]), WM_OK);
    const float *position = position_of(flight.crowd, agents[i]);
    CHECK(fabsf(position[0] - 17) < 1e-3f && fabsf(position[2] - 12) < 1e-3f);
  }
  end_flight(&flight);
}

int main(void) {
  RUN(a_target_that_is_set_in_flight_waits_for_the_landing);
  RUN(a_target_that_is_shared_in_flight_waits_for_the_landing);
  RUN(a_search_that_ends_in_flight_is_made_again);
  RUN(who_is_stopped_in_flight_lands_and_stands);
  RUN(who_gets_a_velocity_in_flight_lands_and_follows_it);
  RUN(ground_that_goes_behind_an_agent_in_flight_does_not_matter);
  RUN(ground_that_goes_before_it_leaves_it_off_the_mesh_until_it_is_back);
  RUN(who_changes_its_mesh_in_flight_is_on_the_other_one);
  RUN(who_takes_off_beside_another_lands_beside_it);
  RUN(who_is_led_over_by_the_game_lands_at_the_end);
  return check_finish();
}
