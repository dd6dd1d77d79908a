/* A lone agent walks on the string-pulled path itself, around all its corners, and never past its end; or in
 * arcs around them, with anticipate_turns. */
#include "crowd_worlds.h"
#include "query/search/path.h"

/* The nearest point of a path to a point on x and z.
 * out        *along: length of the path up to there
 * returns    distance */
static float project(const WmPath *path, const float point[3], float from, float *along) {
  float best = INFINITY, before = 0;
  for (size_t i = 0; i + 1 < path->point_count; i++) {
    const float *a = path->points + 3 * i, *b = a + 3;
    const float x = b[0] - a[0], z = b[2] - a[2], length = hypotf(x, z);
    float t = length > 0 ? ((point[0] - a[0]) * x + (point[2] - a[2]) * z) / (length * length) : 0;
    t = fminf(fmaxf(t, 0), 1);
    const float distance = hypotf(point[0] - a[0] - t * x, point[2] - a[2] - t * z);
    /* Of points at the same distance, the first one not before the previous result: a path may touch
     * itself. */
    if (distance < best - 1e-6f && before + t * length >= from - 1e-3f) {
      best = distance;
      *along = before + t * length;
    }
    before += length;
  }
  return best;
}

/* Returns the number of corners between start and end; -1 without a path. */
static int walk(WmContext *context, const WmMesh *mesh, WmQuery *query, const float start[3],
                const float end[3], float speed, float seconds, float tolerance) {
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, NULL, &path), WM_OK);
  if (path.state != WM_PATH_COMPLETE || path.length < 1) return -1;
  WmCrowd *crowd = make_crowd(context, mesh);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.max_speed = speed;
  WmAgent agent;
  CHECK_EQUAL_INT(wm_crowd_add_agents(crowd, 1, start, &parameters, 1, &agent), WM_OK);
  /* On the mesh: `end` may lie over ground that is excluded, and be unreachable. */
  const float *last = path.points + 3 * (path.point_count - 1);
  CHECK_EQUAL_INT(wm_crowd_set_targets(crowd, 1, &agent, last, false), WM_OK);
  const int limit = (int)((path.length / speed + speed / parameters.max_acceleration + 1) / seconds) + 2;
  float along = 0, strayed = 0;
  int steps = 0;
  for (; steps < limit && info_of(crowd, agent).state != WM_AGENT_ARRIVED; steps++) {
    const float before = along;
    run_crowd(crowd, 1, seconds);
    strayed = fmaxf(strayed, project(&path, position_of(crowd, agent), before, &along));
    CHECK(along >= before - 1e-4f);
    CHECK(along - before <= speed * seconds * 1.001f + 1e-3f);
  }
  CHECK(steps < limit);
  CHECK(strayed < tolerance);
  const float *position = position_of(crowd, agent);
  CHECK(hypotf(position[0] - last[0], position[2] - last[2]) <= 1.01e-4f);
  float rest[3];
  memcpy(rest, position, sizeof rest);
  run_crowd(crowd, 20, seconds);
  CHECK(memcmp(rest, position_of(crowd, agent), sizeof rest) == 0);
  wm_crowd_destroy(crowd);
  return (int)path.point_count - 2;
}

static void walk_all(int32_t side, float tolerance) {
  uint32_t seed = 12;
  const float width = (float)side * GRID_TILE_SIZE;
  int walks = 0, corners = 0;
  for (uint32_t world = 0; world < 12; world++) {
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_grid_mesh(context);
    for (int32_t i = 0; i < side * side; i++) {
      const GridTile grid = {.x = i % side,
                             .z = i / side,
                             .seed = 1 + world * 100 + (uint32_t)i,
                             .flat = world % 2 == 0,
                             .hole = grid_random(&seed) % 9,
                             .tree = true};
      const WmRef tile = add_grid_tile(mesh, &grid);
      for (uint32_t p = 0; p < wm_mesh_tile_of(mesh, tile)->polygon_count; p++) {
        if (grid_random(&seed) % 5 == 0) CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile + p, 0), WM_OK);
      }
    }
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 15; i++) {
      const float start[3] = {crowd_random(&seed, 0, width), 0, crowd_random(&seed, 0, width)};
      const float end[3] = {crowd_random(&seed, 0, width), 0, crowd_random(&seed, 0, width)};
      const float speed = i % 3 == 0 ? 12 : i % 3 == 1 ? 3.5f : 1, seconds = i % 2 ? 1.0f / 60 : 0.05f;
      const int turns = walk(context, mesh, query, start, end, speed, seconds, tolerance);
      walks += turns >= 0;
      corners += turns > 0 ? turns : 0;
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  CHECK(walks > 40 && corners > 30);
}

static void a_lone_agent_walks_on_the_string(void) { walk_all(1, 1e-4f); }

/* Portals between tiles are stored in 255ths of edges: the string itself may leave the surface by that much
 * there, and the agent doesn't. */
static void so_it_does_from_tile_to_tile(void) { walk_all(4, 4.0f / 255); }

/* ---- Anticipated turns -------------------------------------------------------------------------------- */

typedef struct Walk {
  float way, sharpest, slowest; /* radians a step; once it is at full speed, and until it brakes */
  int steps;
} Walk;

/* Walks until it has arrived; steps shorter than 3 mm have no direction. */
static Walk follow(WmCrowd *crowd, WmAgent agent, int limit, float seconds, const float end[3]) {
  const WmAgentParameters standard = wm_agent_parameters_default();
  const float up = standard.max_speed / standard.max_acceleration;
  Walk walk = {.slowest = INFINITY};
  float before[3], x = 0, z = 0;
  memcpy(before, position_of(crowd, agent), sizeof before);
  for (; walk.steps < limit && info_of(crowd, agent).state != WM_AGENT_ARRIVED; walk.steps++) {
    run_crowd(crowd, 1, seconds);
    const float *now = position_of(crowd, agent);
    const float to_x = now[0] - before[0], to_z = now[2] - before[2], length = hypotf(to_x, to_z);
    if (length > 0.003f) {
      walk.sharpest = fmaxf(walk.sharpest, fabsf(atan2f(x * to_z - z * to_x, x * to_x + z * to_z)));
      x = to_x;
      z = to_z;
    }
    const bool is_at_speed = (float)walk.steps * seconds > up && hypotf(now[0] - end[0], now[2] - end[2]) > 1;
    if (is_at_speed) walk.slowest = fminf(walk.slowest, length / seconds);
    walk.way += length;
    memcpy(before, now, sizeof before);
  }
  return walk;
}

/* Through the doorway, past both of its corners. */
static Walk walk_doorway(const float from[3], const float to[3], bool anticipate) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_doorway(context);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.3f;
  parameters.anticipate_turns = anticipate;
  const WmAgent agent = add_agent(crowd, from[0], from[2], &parameters);
  send_to(crowd, agent, to[0], to[2]);
  const Walk walk = follow(crowd, agent, 900, 1.0f / 60, to);
  CHECK_EQUAL_INT(info_of(crowd, agent).state, WM_AGENT_ARRIVED);
  const float *position = position_of(crowd, agent);
  CHECK(hypotf(position[0] - to[0], position[2] - to[2]) < 2e-4f);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  return walk;
}

static void who_anticipates_turns_walks_in_arcs(void) {
  const float ways[3][2][3] = {
      {{25, 0, 5}, {40, 0, 5}}, {{25, 0, 14}, {40, 0, 5}}, {{29.5f, 0, 2}, {31.5f, 0, 2}}};
  for (int i = 0; i < 3; i++) {
    const Walk sharp = walk_doorway(ways[i][0], ways[i][1], false);
    const Walk round = walk_doorway(ways[i][0], ways[i][1], true);
    CHECK(sharp.sharpest > 0.7f && round.sharpest < 0.07f);
    CHECK(round.way > sharp.way && round.way < 1.06f * sharp.way);
    CHECK((float)round.steps < 1.08f * (float)sharp.steps);
    CHECK(round.slowest > 0.95f * 3.5f);
  }
}

/* Wherever walls leave little space for arcs, and at any speed. */
static void who_anticipates_turns_arrives(void) {
  uint32_t seed = 5;
  int walks = 0;
  WmContext *context = wm_context_create(NULL);
  for (uint32_t world = 0; world < 12; world++) {
    WmMesh *mesh = make_grid_mesh(context);
    const GridTile grid = {
        .seed = 900 + world, .flat = world % 2 == 0, .hole = grid_random(&seed) % 9, .tree = true};
    const WmRef tile = add_grid_tile(mesh, &grid);
    for (uint32_t p = 0; p < wm_mesh_tile_of(mesh, tile)->polygon_count; p++) {
      if (grid_random(&seed) % 5 == 0) CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile + p, 0), WM_OK);
    }
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 25; i++) {
      const float start[3] = {crowd_random(&seed, 0, GRID_TILE_SIZE), 0,
                              crowd_random(&seed, 0, GRID_TILE_SIZE)};
      const float end[3] = {crowd_random(&seed, 0, GRID_TILE_SIZE), 0,
                            crowd_random(&seed, 0, GRID_TILE_SIZE)};
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start, end, NULL, &path), WM_OK);
      if (path.state != WM_PATH_COMPLETE || path.length < 1) continue;
      WmCrowd *crowd = make_crowd(context, mesh);
      WmAgentParameters parameters = wm_agent_parameters_default();
      parameters.max_speed = i % 3 == 0 ? 12 : i % 3 == 1 ? 3.5f : 1;
      parameters.max_acceleration = i % 5 == 0 ? 2 : 8;
      parameters.anticipate_turns = true;
      const WmAgent agent = add_agent(crowd, start[0], start[2], &parameters);
      const float *last = path.points + 3 * (path.point_count - 1); /* `end` may lie over excluded ground */
      send_to(crowd, agent, last[0], last[2]);
      const float speed = parameters.max_speed;
      const float free_time = path.length / speed + speed / parameters.max_acceleration;
      const Walk walk = follow(crowd, agent, (int)(3 * free_time * 60) + 60, 1.0f / 60, end);
      CHECK_EQUAL_INT(info_of(crowd, agent).state, WM_AGENT_ARRIVED);
      /* At 12 units a second an arc is 18 wide, as much as two of these worlds. */
      CHECK(walk.way < (speed < 4 ? 1.4f * path.length + 0.1f : 3 * path.length));
      walks++;
      wm_crowd_destroy(crowd);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(walks > 60);
  wm_context_destroy(context);
}

/* It is too fast to brake, but turns in the widest arc: the width is never 0 times infinity. */
static void who_anticipates_turns_may_lose_its_acceleration(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 3);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.anticipate_turns = true;
  const WmAgent agent = add_agent(crowd, 4, 6, &parameters);
  const float ahead[3] = {3.5f, 0, 0.5f}, aside[3] = {0.5f, 0, 3.5f};
  CHECK_EQUAL_INT(wm_crowd_set_velocities(crowd, 1, &agent, ahead, true), WM_OK);
  run_crowd(crowd, 60, 1.0f / 60);
  parameters.max_acceleration = 0;
  CHECK_EQUAL_INT(wm_crowd_set_parameters(crowd, 1, &agent, &parameters, 1), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_set_velocities(crowd, 1, &agent, aside, true), WM_OK);
  run_crowd(crowd, 120, 1.0f / 60);
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  const float *velocity = view.velocities;
  CHECK(hypotf(velocity[0] - 0.5f, velocity[2] - 3.5f) < 0.05f); /* 3.5 long */
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* The square of its speed is 0. */
static void who_anticipates_turns_may_become_as_slow_as_numbers_go(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 3);
  WmCrowd *crowd = make_crowd(context, mesh);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.anticipate_turns = true;
  const WmAgent agent = add_agent(crowd, 4, 6, &parameters);
  send_to(crowd, agent, 20, 9);
  run_crowd(crowd, 60, 1.0f / 60);
  parameters.max_speed = 1.2e-38f;
  CHECK_EQUAL_INT(wm_crowd_set_parameters(crowd, 1, &agent, &parameters, 1), WM_OK);
  run_crowd(crowd, 120, 1.0f / 60);
  CHECK(isfinite(position_of(crowd, agent)[0]));
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(a_lone_agent_walks_on_the_string);
  RUN(so_it_does_from_tile_to_tile);
  RUN(who_anticipates_turns_walks_in_arcs);
  RUN(who_anticipates_turns_arrives);
  RUN(who_anticipates_turns_may_lose_its_acceleration);
  RUN(who_anticipates_turns_may_become_as_slow_as_numbers_go);
  return check_finish();
}
