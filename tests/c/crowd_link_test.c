/* Agents on segment links: where they enter, their trajectory over time, many side by side, and changes meanwhile. */
#include "crowd_worlds.h"
#include "mesh/links/connections.h"
#include "mesh/links/segment_links.h"

#define STEP (1.0f / 60)
#define GRAVITY 9.81f

/* Two fields of 8 by 24 beside each other, the first one `high` cell heights (0.25) up: its border is at x 8. */
typedef struct Ledge {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmRef link;
} Ledge;

static void add_field(WmMesh *mesh, int32_t x, uint16_t floor) {
  for (int32_t z = 0; z < 3; z++) {
    const GridTile grid = {.x = x, .z = z, .floor = floor, .flat = true, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
}

/* A link from x 8 to `end_x`, from z `low` to `high` on both sides. Agents that leave over it see `high` first. */
static WmSegmentLink make_link(uint8_t kind, const float heights[2], float end_x, float low, float high) {
  return (WmSegmentLink){.start = {{8, heights[0], high}, {8, heights[0], low}},
                         .end = {{end_x, heights[1], high}, {end_x, heights[1], low}},
                         .cost = 1,
                         .flags = 1,
                         .kind = kind,
                         .enabled = true};
}

/* in         column: of the tiles of the second field; link: NULL: none yet */
static Ledge open_ledge(uint16_t high, int32_t column, const WmSegmentLink *link) {
  Ledge ledge = {.context = wm_context_create(NULL)};
  ledge.mesh = make_grid_mesh(ledge.context);
  add_field(ledge.mesh, 0, high);
  add_field(ledge.mesh, column, 0);
  if (link) CHECK_EQUAL_INT(wm_mesh_put_links(ledge.mesh, 0, 0, 0, link, 1, &ledge.link), WM_OK);
  ledge.crowd = make_crowd(ledge.context, ledge.mesh);
  return ledge;
}

static void close_ledge(Ledge *ledge) {
  wm_crowd_destroy(ledge->crowd);
  wm_mesh_destroy(ledge->mesh);
  wm_context_destroy(ledge->context);
}

/* Two metres down, one metre ahead; 4 wide, z from 8 to 12: one polygon on each side. */
static const float DOWN[2] = {2, 0};
static Ledge open_drop(void) {
  const WmSegmentLink link = make_link(WM_SEGMENT_LINK_DROP, DOWN, 9, 8, 12);
  return open_ledge(8, 1, &link);
}

static WmAgent add_at(const Ledge *ledge, float x, float y, float z, const WmAgentParameters *parameters) {
  WmAgent agent = 0;
  const float position[3] = {x, y, z};
  CHECK_EQUAL_INT(wm_crowd_add_agents(ledge->crowd, 1, position, parameters, parameters ? 1 : 0, &agent),
                  WM_OK);
  return agent;
}

static void send(const Ledge *ledge, WmAgent agent, float x, float y, float z) {
  const float target[3] = {x, y, z};
  CHECK_EQUAL_INT(wm_crowd_set_targets(ledge->crowd, 1, &agent, target, false), WM_OK);
}

/* Sends a new agent over the drop of open_drop. */
static WmAgent send_over(const Ledge *ledge, bool auto_connections) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.auto_connections = auto_connections;
  const WmAgent agent = add_at(ledge, 4, 2, 12, &parameters);
  send(ledge, agent, 14, 0, 12);
  return agent;
}

static bool is_on_link(const Ledge *ledge, WmAgent agent) {
  return info_of(ledge->crowd, agent).state == WM_AGENT_ON_CONNECTION;
}

/* Runs until the agent is on its link, or in `state`. */
static void run_until(const Ledge *ledge, WmAgent agent, WmAgentState state, float seconds) {
  for (int i = 0; i < 1200 && info_of(ledge->crowd, agent).state != state; i++)
    run_crowd(ledge->crowd, 1, seconds);
  CHECK_EQUAL_INT(info_of(ledge->crowd, agent).state, state);
}

/* ---- Where they cross ------------------------------------------------------------------------------- */

static void an_agent_crosses_where_its_straight_line_does(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = add_at(&ledge, 4, 2, 8.5f, NULL);
  send(&ledge, agent, 14, 0, 11.5f); /* the gap of 1 isn't walked: 3 up in z over 9 in x */
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
  const WmAgentInfo info = info_of(ledge.crowd, agent);
  const float z = 8.5f + 3 * 4 / 9.0f;
  CHECK(info.is_on_link && info.link_kind == WM_SEGMENT_LINK_DROP && !info.link_is_reversed);
  CHECK(fabsf(info.connection_start[0] - 8) < 1e-3f && fabsf(info.connection_start[2] - z) < 0.01f);
  CHECK(fabsf(info.connection_end[0] - 9) < 1e-3f && fabsf(info.connection_end[2] - z) < 0.01f);
  CHECK(fabsf(info.link_across - (12 - z) / 4) < 0.01f);
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  CHECK(fabsf(position_of(ledge.crowd, agent)[2] - 11.5f) < 0.01f);
  CHECK(!info_of(ledge.crowd, agent).is_on_link);
  close_ledge(&ledge);
}

/* The mesh is for a radius of 0.5, as are its links. */
static void agents_larger_than_the_mesh_is_for_keep_off_the_ends(void) {
  Ledge ledge = open_drop();
  WmAgentParameters parameters = wm_agent_parameters_default();
  const float asked[] = {0.3f, 0.5f, 0.9f, 5}, kept[] = {0, 0, 0.4f, 1}; /* a quarter of the width at most */
  for (int i = 0; i < 4; i++) {
    parameters.radius = asked[i];
    const WmAgent agent = add_at(&ledge, 4, 2, 4, &parameters);
    send(&ledge, agent, 14, 0, 4);
    run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
    CHECK(fabsf(info_of(ledge.crowd, agent).connection_start[2] - (8 + kept[i])) < 1e-3f);
    CHECK_EQUAL_INT(wm_crowd_remove_agents(ledge.crowd, 1, &agent), WM_OK);
  }
  parameters.radius = 0.3f;
  parameters.wall_distance = 0.8f;
  const WmAgent agent = add_at(&ledge, 4, 2, 4, &parameters);
  send(&ledge, agent, 14, 0, 4);
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
  CHECK(fabsf(info_of(ledge.crowd, agent).connection_start[2] - 8.8f) < 1e-3f);
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  close_ledge(&ledge);
}

/* Where it lands, the ground goes on to both sides: its next portal crosses the line of the far segment. */
static void the_line_turns_at_the_end_of_a_link(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = add_at(&ledge, 4, 2, 4, NULL);
  send(&ledge, agent, 14, 0, 4);
  float length = 0, before[3] = {4, 2, 4};
  for (int i = 0; i < 600; i++) {
    run_crowd(ledge.crowd, 1, STEP);
    const float *now = position_of(ledge.crowd, agent);
    length += hypotf(now[0] - before[0], now[2] - before[2]);
    memcpy(before, now, sizeof before);
  }
  CHECK_EQUAL_INT(info_of(ledge.crowd, agent).state, WM_AGENT_ARRIVED);
  CHECK(fabsf(length - hypotf(4, 4) - 1 - hypotf(5, 4)) < 0.15f);
  close_ledge(&ledge);
}

/* The agent walks away from the link on the other side, too: it turns back in front of it. */
static void the_line_turns_back_at_a_link_inside_the_ground(void) {
  WmSegmentLink link = make_link(WM_SEGMENT_LINK_CLIMB, (float[2]){0, 2}, 16, 8, 12);
  for (int side = 0; side < 2; side++) { /* from x 5 of the lower field, over to x 20, then back to lower x */
    link.start[side][0] = 5;
    link.end[side][0] = 20;
  }
  WmContext *context = wm_context_create(NULL);
  Ledge ledge = {.context = context, .mesh = make_grid_mesh(context)};
  add_field(ledge.mesh, 0, 0);
  add_field(ledge.mesh, 2, 8);
  CHECK_EQUAL_INT(wm_mesh_put_links(ledge.mesh, 0, 0, 0, &link, 1, &ledge.link), WM_OK);
  ledge.crowd = make_crowd(context, ledge.mesh);
  const float from[2] = {3, 7}, to[2] = {17, 23};
  for (int i = 0; i < 4; i++) {
    const WmAgent agent = add_at(&ledge, from[i / 2], 0, 8.5f, NULL);
    send(&ledge, agent, to[i % 2], 2, 11.5f);
    run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
    const float near = fabsf(from[i / 2] - 5), far = fabsf(to[i % 2] - 20);
    const float z = 8.5f + 3 * near / (near + far);
    CHECK(fabsf(info_of(ledge.crowd, agent).connection_start[2] - z) < 0.02f);
    run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
    CHECK_EQUAL_INT(wm_crowd_remove_agents(ledge.crowd, 1, &agent), WM_OK);
  }
  close_ledge(&ledge);
}

/* The far side is turned by a quarter: the line turns with it. */
static void the_line_goes_on_behind_a_link_that_turns(void) {
  WmSegmentLink link = make_link(WM_SEGMENT_LINK_JUMP, (float[2]){0, 0}, 16, 8, 12);
  /* From x 8, facing +x, to z 8 of the second field, facing -z. */
  const float end[2][3] = {{22, 0, 24}, {18, 0, 24}};
  memcpy(link.end, end, sizeof end);
  link.peak = 0.5f;
  Ledge ledge = open_ledge(0, 2, &link);
  const WmAgent agent = add_at(&ledge, 4, 0, 9, NULL);
  /* Straight ahead: 3 right of the left end, and 6 behind the far segment. */
  send(&ledge, agent, 19, 0, 18);
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
  const WmAgentInfo info = info_of(ledge.crowd, agent);
  CHECK(fabsf(info.connection_start[2] - 9) < 0.01f);
  CHECK(fabsf(info.connection_end[0] - 19) < 0.01f && fabsf(info.connection_end[2] - 24) < 0.01f);
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  close_ledge(&ledge);
}

/* ---- Over time -------------------------------------------------------------------------------------- */

/* One agent at full speed over a link; the first step on it begins at most a radius before the segment. */
typedef struct Crossing {
  float seconds;  /* from the first to the last step on the link, without the approach */
  float farthest; /* from the trajectory of its link */
  float highest;
} Crossing;

static Crossing cross(uint8_t kind, float peak, const float heights[2], float end_x, bool is_reversed,
                      float seconds) {
  WmSegmentLink link = make_link(kind, heights, end_x, 8, 12);
  link.peak = peak;
  link.bidirectional = true;
  Ledge ledge = open_ledge((uint16_t)(heights[0] * 4), end_x < 16 ? 1 : 2, &link);
  const float far = end_x < 16 ? 14 : 22, back = is_reversed ? far : 4, there = is_reversed ? 2 : far;
  const WmAgent agent = add_at(&ledge, back, is_reversed ? 0 : heights[0], 10, NULL);
  send(&ledge, agent, there, is_reversed ? heights[0] : 0, 10);
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, seconds);
  Crossing crossing = {0};
  const float begins = is_reversed ? end_x : 8;
  while (is_on_link(&ledge, agent)) {
    const WmAgentInfo info = info_of(ledge.crowd, agent);
    const float *position = position_of(ledge.crowd, agent);
    CHECK_EQUAL_INT(info.link_is_reversed, is_reversed);
    float on[3];
    wm_segment_link_point(&link, info.link_across,
                          is_reversed ? 1 - info.connection_progress : info.connection_progress, on);
    if (info.connection_progress > 0) {
      const float off = hypotf(hypotf(on[0] - position[0], on[1] - position[1]), on[2] - position[2]);
      crossing.farthest = fmaxf(crossing.farthest, off);
      crossing.highest = fmaxf(crossing.highest, position[1]);
    } else {
      /* The time in which it approaches isn't counted. */
      crossing.seconds = -fabsf(begins - position[0]) / 3.5f;
    }
    run_crowd(ledge.crowd, 1, seconds);
    crossing.seconds += seconds;
  }
  run_until(&ledge, agent, WM_AGENT_ARRIVED, seconds);
  close_ledge(&ledge);
  return crossing;
}

static void check_crossing(uint8_t kind, float peak, const float heights[2], float end_x, bool is_reversed,
                           float expected, float highest) {
  const float steps[] = {1.0f / 240, 1.0f / 60, 1.0f / 20};
  for (int i = 0; i < 3; i++) {
    const Crossing crossing = cross(kind, peak, heights, end_x, is_reversed, steps[i]);
    CHECK(crossing.farthest < 1e-4f);
    CHECK(crossing.seconds >= expected - 1e-3f && crossing.seconds <= expected + steps[i] + 1e-3f);
    CHECK(crossing.highest <= highest + 1e-4f && crossing.highest > highest - 0.1f);
  }
}

static void a_drop_takes_the_time_of_the_fall(void) {
  check_crossing(WM_SEGMENT_LINK_DROP, 0, DOWN, 9, false, 1 / 3.5f + sqrtf(2 * 2 / GRAVITY), 2);
}
static void a_drop_is_climbed_at_climb_speed(void) {
  check_crossing(WM_SEGMENT_LINK_DROP, 0, DOWN, 9, true, 1 / 3.5f + 2 / 1.75f, 2);
}
static void a_jump_takes_the_time_of_its_arc(void) {
  const float time = sqrtf(2 * 2 / GRAVITY) + sqrtf(2 * 4 / GRAVITY);
  check_crossing(WM_SEGMENT_LINK_JUMP, 2, DOWN, 9, false, time, 4);
  check_crossing(WM_SEGMENT_LINK_JUMP, 2, DOWN, 9, true, time, 4);
}
static void a_low_jump_is_no_faster_than_twice_the_speed(void) {
  check_crossing(WM_SEGMENT_LINK_JUMP, 0.25f, (float[2]){0, 0}, 16, false, 8 / 7.0f, 0.25f);
}
static void climbs_and_vaults_go_at_climb_speed(void) {
  check_crossing(WM_SEGMENT_LINK_CLIMB, 0, DOWN, 9, false, 1 / 3.5f + 2 / 1.75f, 2);
  check_crossing(WM_SEGMENT_LINK_VAULT, 1, (float[2]){0, 0}, 16, false, 8 / 3.5f + 2 / 1.75f, 1);
}

/* Its parameters may change in flight; without speed it stays where it is. */
static void an_agent_goes_on_where_it_is_if_its_speed_changes(void) {
  Ledge ledge = open_drop();
  WmAgentParameters parameters = wm_agent_parameters_default();
  const WmAgent agent = add_at(&ledge, 4, 2, 12, &parameters);
  send(&ledge, agent, 14, 0, 12);
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
  while (info_of(ledge.crowd, agent).connection_progress < 0.1f) run_crowd(ledge.crowd, 1, STEP);
  float before[3];
  memcpy(before, position_of(ledge.crowd, agent), sizeof before);
  parameters.max_speed = 0;
  CHECK_EQUAL_INT(wm_crowd_set_parameters(ledge.crowd, 1, &agent, &parameters, 1), WM_OK);
  run_crowd(ledge.crowd, 30, STEP);
  CHECK(memcmp(before, position_of(ledge.crowd, agent), sizeof before) == 0);
  parameters.max_speed = 1;
  CHECK_EQUAL_INT(wm_crowd_set_parameters(ledge.crowd, 1, &agent, &parameters, 1), WM_OK);
  run_crowd(ledge.crowd, 6, STEP);
  CHECK(fabsf(position_of(ledge.crowd, agent)[0] - before[0] - 0.1f) < 1e-3f);
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  close_ledge(&ledge);
}

/* ---- Side by side ----------------------------------------------------------------------------------- */

enum { DROPPERS = 60 };

typedef struct Rush {
  int steps;     /* from the sixth agent that is down to the last but sixth */
  int arrived;   /* at the end */
  float closest; /* two agents in the level part of their drop, over both radii */
} Rush;

static float nearest_in_flight(const Ledge *ledge, const WmAgent agents[DROPPERS], float radius) {
  float nearest = INFINITY;
  for (int i = 0; i < DROPPERS; i++) {
    const float *a = position_of(ledge->crowd, agents[i]);
    if (!is_on_link(ledge, agents[i]) || a[1] < 2) continue;
    for (int k = 0; k < i; k++) {
      const float *b = position_of(ledge->crowd, agents[k]);
      if (!is_on_link(ledge, agents[k]) || b[1] < 2) continue;
      nearest = fminf(nearest, hypotf(a[0] - b[0], a[2] - b[2]) / (2 * radius));
    }
  }
  return nearest;
}

static Rush rush(const Ledge *ledge, uint32_t seed, int steps) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.3f;
  WmAgent agents[DROPPERS];
  for (int i = 0; i < DROPPERS; i++) {
    const float x = 1 + 0.9f * (float)(i % 6), z = 7.5f + 0.9f * (float)(i / 6);
    agents[i] = add_at(ledge, x + crowd_random(&seed, -0.1f, 0.1f), 2, z + crowd_random(&seed, -0.1f, 0.1f),
                       &parameters);
    send(ledge, agents[i], x + 9.5f, 0, z);
  }
  Rush rush = {.closest = INFINITY};
  int began = 0, ended = 0;
  for (int i = 0; i < steps; i++) {
    run_crowd(ledge->crowd, 1, STEP);
    rush.closest = fminf(rush.closest, nearest_in_flight(ledge, agents, parameters.radius));
    int down = 0;
    for (int k = 0; k < DROPPERS; k++) {
      CHECK(info_of(ledge->crowd, agents[k]).state != WM_AGENT_OFF_MESH);
      down += position_of(ledge->crowd, agents[k])[1] < 0.01f;
    }
    if (began == 0 && 10 * down >= DROPPERS) began = i;
    if (ended == 0 && 10 * down >= 9 * DROPPERS) ended = i;
  }
  rush.steps = ended - began;
  for (int k = 0; k < DROPPERS; k++)
    rush.arrived += info_of(ledge->crowd, agents[k]).state == WM_AGENT_ARRIVED;
  return rush;
}

/* in         width: of the link, in the middle of the ledge; 0: an off-mesh connection there */
static Rush rush_over(float width, uint32_t seed, int steps) {
  const WmSegmentLink link = make_link(WM_SEGMENT_LINK_DROP, DOWN, 9, 12 - 0.5f * width, 12 + 0.5f * width);
  Ledge ledge = open_ledge(8, 1, width > 0 ? &link : NULL);
  if (!(width > 0)) {
    WmConnection settings = wm_connection_default(ledge.mesh);
    memcpy(settings.start, (float[3]){8, 2, 12}, sizeof settings.start);
    memcpy(settings.end, (float[3]){9, 0, 12}, sizeof settings.end);
    settings.bidirectional = false;
    CHECK_EQUAL_INT(wm_mesh_add_connection(ledge.mesh, &settings, &ledge.link), WM_OK);
  }
  const Rush result = rush(&ledge, seed, steps);
  close_ledge(&ledge);
  return result;
}

/* Both sides of the link consist of two polygons, which meet in its middle. Over the connection agents go through each other, so
 * that it takes three at a time; over a link they keep 0.6 of their radii apart. */
static void many_drop_side_by_side_three_times_as_fast_as_one_by_one(void) {
  for (uint32_t seed = 1; seed <= 3; seed++) {
    const Rush wide = rush_over(4, seed, 900), narrow = rush_over(0.1f, seed, 1800),
               point = rush_over(0, seed, 1500);
    CHECK_EQUAL_INT(wide.arrived, DROPPERS);
    CHECK_EQUAL_INT(narrow.arrived, DROPPERS);
    CHECK(wide.steps > 0 && narrow.steps > 3 * wide.steps);
    CHECK(point.steps > 2 * wide.steps);
    CHECK(wide.closest > 0.599f && narrow.closest > 0.599f);
  }
}

/* Sends agents that stand beside the width of a link, from z 10 to 14, straight ahead: their lines bend around its ends.
 * returns    how many aim at least a radius farther inside, after half a second */
static int count_inside(int columns, int rows) {
  const WmSegmentLink link = make_link(WM_SEGMENT_LINK_DROP, DOWN, 9, 10, 14);
  Ledge ledge = open_ledge(8, 1, &link);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.3f;
  WmAgent agents[DROPPERS];
  int inside = 0;
  for (int i = 0; i < columns * rows; i++) {
    const float x = 1 + 0.7f * (float)(i % columns), z = 9 - 0.7f * (float)(i / columns);
    agents[i] = add_at(&ledge, x, 2, z, &parameters);
    send(&ledge, agents[i], x + 9.5f, 0, z);
  }
  run_crowd(ledge.crowd, 30, STEP);
  for (int i = 0; i < columns * rows; i++) {
    float corners[3] = {0};
    CHECK_EQUAL_INT(wm_crowd_details(ledge.crowd, agents[i], 1, corners, NULL, NULL), WM_OK);
    inside += info_of(ledge.crowd, agents[i]).corner_count == 1 && corners[2] > 10.3f;
  }
  close_ledge(&ledge);
  return inside;
}

/* One alone keeps to its line; of many, those behind aim where they are sooner over. */
static void many_choose_places_beside_their_lines(void) {
  CHECK_EQUAL_INT(count_inside(1, 1), 0);
  CHECK(count_inside(6, 10) >= DROPPERS / 4);
}

/* ---- Led by the game -------------------------------------------------------------------------------- */

static void the_game_leads_agents_along_the_trajectory(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = send_over(&ledge, false);
  run_until(&ledge, agent, WM_AGENT_WAITING, STEP);
  WmAgentInfo info = info_of(ledge.crowd, agent);
  CHECK_EQUAL_INT(info.reason, WM_AGENT_REASON_CONNECTION);
  CHECK(info.is_on_link && info.connection == ledge.link && info.link_kind == WM_SEGMENT_LINK_DROP);
  CHECK(info.connection_start[0] == 8 && info.connection_end[0] == 9 && info.connection_end[1] == 0);
  run_crowd(ledge.crowd, 60, STEP); /* it waits */
  CHECK_EQUAL_INT(wm_crowd_begin_connection(ledge.crowd, agent), WM_OK);
  WmSegmentLink link;
  CHECK_EQUAL_INT(wm_mesh_segment_link(ledge.mesh, ledge.link, &link, NULL), WM_OK);
  for (float progress = 0; progress <= 1; progress += 0.125f) {
    CHECK_EQUAL_INT(wm_crowd_set_connection_progress(ledge.crowd, agent, progress), WM_OK);
    run_crowd(ledge.crowd, 1, STEP);
    info = info_of(ledge.crowd, agent);
    float on[3];
    wm_segment_link_point(&link, info.link_across, progress, on);
    const float *position = position_of(ledge.crowd, agent);
    for (int axis = 0; axis < 3; axis++) CHECK(fabsf(position[axis] - on[axis]) < 1e-4f);
    CHECK(info.connection_progress == progress);
  }
  CHECK_EQUAL_INT(wm_crowd_complete_connection(ledge.crowd, agent), WM_OK);
  CHECK(position_of(ledge.crowd, agent)[1] == 0);
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  close_ledge(&ledge);
}

/* Set forward by the game, an agent that crosses by itself goes on from there. */
static void progress_that_the_game_sets_is_where_the_agent_goes_on(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = send_over(&ledge, true);
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
  CHECK_EQUAL_INT(wm_crowd_set_connection_progress(ledge.crowd, agent, 2.0f / 3),
                  WM_OK); /* half of the fall */
  CHECK(fabsf(position_of(ledge.crowd, agent)[1] - 1) < 1e-4f);
  run_crowd(ledge.crowd, 1, STEP);
  const float time = sqrtf(2 * 1 / GRAVITY) + STEP;
  CHECK(fabsf(position_of(ledge.crowd, agent)[1] - (2 - 0.5f * GRAVITY * time * time)) < 1e-3f);
  close_ledge(&ledge);
}

/* ---- Changes meanwhile ------------------------------------------------------------------------------ */

static void an_agent_in_flight_lands_if_its_link_is_removed(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = send_over(&ledge, true);
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
  CHECK_EQUAL_INT(wm_mesh_put_links(ledge.mesh, 0, 0, 0, NULL, 0, NULL), WM_OK);
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  close_ledge(&ledge);
}

static void an_agent_before_a_link_that_is_switched_off_stays_and_goes_when_it_is_on(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = send_over(&ledge, true);
  run_crowd(ledge.crowd, 30, STEP);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(ledge.mesh, ledge.link, false), WM_OK);
  run_until(&ledge, agent, WM_AGENT_UNREACHABLE, STEP);
  CHECK(position_of(ledge.crowd, agent)[1] == 2);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(ledge.mesh, ledge.link, true), WM_OK);
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  close_ledge(&ledge);
}

static void an_agent_that_waits_for_the_game_forgets_a_link_that_is_removed(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = send_over(&ledge, false);
  run_until(&ledge, agent, WM_AGENT_WAITING, STEP);
  CHECK_EQUAL_INT(wm_mesh_put_links(ledge.mesh, 0, 0, 0, NULL, 0, NULL), WM_OK);
  run_until(&ledge, agent, WM_AGENT_UNREACHABLE, STEP);
  const WmAgentInfo info = info_of(ledge.crowd, agent);
  CHECK(!info.is_on_link && info.connection == 0);
  CHECK_EQUAL_INT(wm_crowd_begin_connection(ledge.crowd, agent), WM_ERROR_STATE);
  close_ledge(&ledge);
}

static void an_agent_whose_landing_is_removed_is_off_the_mesh_until_it_is_back(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = send_over(&ledge, true);
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
  for (int32_t x = 0; x < 2; x++)
    for (int32_t z = 0; z < 3; z++)
      CHECK_EQUAL_INT(wm_mesh_remove_tile(ledge.mesh, wm_mesh_find_tile(ledge.mesh, x, z, 0)->ref), WM_OK);
  run_until(&ledge, agent, WM_AGENT_OFF_MESH, STEP);
  add_field(ledge.mesh, 1, 0);
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  close_ledge(&ledge);
}

/* Somebody stands where it lands: it pushes softly. */
static void an_occupied_landing_is_no_obstacle(void) {
  Ledge ledge = open_drop();
  const WmAgent agent = add_at(&ledge, 4, 2, 12, NULL), other = add_at(&ledge, 9, 0, 12.1f, NULL);
  send(&ledge, agent, 14, 0, 12);
  run_until(&ledge, agent, WM_AGENT_ON_CONNECTION, STEP);
  while (is_on_link(&ledge, agent)) run_crowd(ledge.crowd, 1, STEP);
  float before[3];
  for (int i = 0; i < 60; i++) {
    memcpy(before, position_of(ledge.crowd, agent), sizeof before);
    run_crowd(ledge.crowd, 1, STEP);
    const float *now = position_of(ledge.crowd, agent);
    CHECK(hypotf(now[0] - before[0], now[2] - before[2]) < 3.5f * STEP + 0.0101f);
  }
  run_until(&ledge, agent, WM_AGENT_ARRIVED, STEP);
  CHECK(info_of(ledge.crowd, other).state == WM_AGENT_NO_TARGET);
  close_ledge(&ledge);
}

/* ---- Without memory --------------------------------------------------------------------------------- */

/* Two agents cross a link, one beside the polygons of its corridor, and walk on. Returns the first failure. */
static WmStatus cross_in_pairs(WmContext *context, WmMesh *mesh) {
  WmCrowd *crowd = NULL;
  WmStatus first = wm_crowd_create(context, mesh, NULL, &crowd);
  if (first) return first;
  const float positions[2][3] = {{6.5f, 2, 11.7f}, {6.5f, 2, 12.3f}}, target[3] = {14, 0, 8.5f};
  WmAgent agents[2];
  first = wm_crowd_add_agents(crowd, 2, positions[0], NULL, 0, agents);
  if (!first) first = wm_crowd_set_targets(crowd, 2, agents, target, true);
  for (int i = 0; i < 160 && wm_crowd_count(crowd) == 2; i++) {
    const WmStatus status = wm_crowd_step(crowd, 0.05f, NULL);
    CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
    CHECK(wm_crowd_validate(crowd));
    if (!first) first = status;
  }
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  for (size_t i = 0; i < view.count; i++) {
    const bool has_target = info_of(crowd, view.agents[i]).has_target;
    CHECK(!has_target || view.states[i] == WM_AGENT_ARRIVED || view.states[i] == WM_AGENT_CROWDED);
  }
  wm_crowd_destroy(crowd);
  return first;
}

/* Each allocation fails once: the agents land nevertheless, and arrive. */
static void agents_that_cross_without_memory_go_on_with_the_next_step(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_grid_mesh(context);
  add_field(mesh, 0, 8);
  add_field(mesh, 1, 0);
  const WmSegmentLink link = make_link(WM_SEGMENT_LINK_DROP, DOWN, 9, 10, 18);
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, &link, 1, NULL), WM_OK);
  int refusals = 0, failures = 0;
  for (long n = 0; n == refusals; n++) {
    wm_context_trim(context);
    const long before = ration.in_use;
    ration.until_failure = n;
    ration.once = true;
    ration.was_refused = false;
    const WmStatus status = cross_in_pairs(context, mesh);
    ration.until_failure = -1;
    wm_context_trim(context);
    CHECK_EQUAL_INT(ration.in_use, before);
    refusals += ration.was_refused;
    failures += status != WM_OK;
  }
  CHECK(refusals > 25 && failures > 25);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(an_agent_crosses_where_its_straight_line_does);
  RUN(agents_larger_than_the_mesh_is_for_keep_off_the_ends);
  RUN(the_line_turns_at_the_end_of_a_link);
  RUN(the_line_turns_back_at_a_link_inside_the_ground);
  RUN(the_line_goes_on_behind_a_link_that_turns);
  RUN(a_drop_takes_the_time_of_the_fall);
  RUN(a_drop_is_climbed_at_climb_speed);
  RUN(a_jump_takes_the_time_of_its_arc);
  RUN(a_low_jump_is_no_faster_than_twice_the_speed);
  RUN(climbs_and_vaults_go_at_climb_speed);
  RUN(an_agent_goes_on_where_it_is_if_its_speed_changes);
  RUN(many_drop_side_by_side_three_times_as_fast_as_one_by_one);
  RUN(many_choose_places_beside_their_lines);
  RUN(the_game_leads_agents_along_the_trajectory);
  RUN(progress_that_the_game_sets_is_where_the_agent_goes_on);
  RUN(an_agent_in_flight_lands_if_its_link_is_removed);
  RUN(an_agent_before_a_link_that_is_switched_off_stays_and_goes_when_it_is_on);
  RUN(an_agent_that_waits_for_the_game_forgets_a_link_that_is_removed);
  RUN(an_agent_whose_landing_is_removed_is_off_the_mesh_until_it_is_back);
  RUN(an_occupied_landing_is_no_obstacle);
  RUN(agents_that_cross_without_memory_go_on_with_the_next_step);
  return check_finish();
}
