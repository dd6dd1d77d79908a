/* Agents with wall_distance: the line that they walk on is certain up to a horizon, and found again there. */
#include "all_walls.h"
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "query/room/room.h"
#include "visibility_graph.h"

#define WANTED 0.3f

/* What a line or an agent passes: points, those of them nearer to walls than three quarters of the distance though there is
 * room, and the ways. */
typedef struct Passed {
  int ways, points, near;
} Passed;

static void look_at(const Walls *walls, const float point[3], Passed *passed) {
  const float at[2] = {point[0], point[2]};
  float nearest[2];
  const float found = find_distance(walls, at, WANTED, nearest);
  if (found < WANTED && !has_room(walls, at, WANTED)) return;
  passed->points++;
  passed->near += found < 0.75f * WANTED;
}

/* The line along a path's string, up to a horizon (0: the whole line). */
static WmRoomLine find_line(WmQuery *query, const WmPath *path, const WmRef *polygons, float horizon) {
  const WmFilter filter = wm_filter_default();
  const WmRoomTask task = {.filter = &filter,
                           .distance = WANTED,
                           .point_count = path->point_count,
                           .points = path->points,
                           .polygons = polygons,
                           .stays = true,
                           .horizon = horizon};
  WmRoomLine line;
  CHECK_EQUAL_INT(wm_room_find(query, &task, &line), WM_OK);
  return line;
}

/* Follows the first part of a line by rays. Returns false if it leaves the mesh. */
static bool follow_part(WmQuery *query, const Walls *walls, const WmRoomLine *line, WmRef polygon, float most,
                        Passed *passed) {
  static float points[4096][3];
  CHECK(line->point_count <= 4096);
  const size_t count = line->point_count;
  memcpy(points, line->points, 3 * count * sizeof(float));
  float before = 0;
  for (size_t i = 0; i + 1 < count && before < most; i++) {
    const float length = hypotf(points[i + 1][0] - points[i][0], points[i + 1][2] - points[i][2]);
    const float share = before + length > most ? (most - before) / length : 1;
    float to[3];
    for (int axis = 0; axis < 3; axis++)
      to[axis] = points[i][axis] + (points[i + 1][axis] - points[i][axis]) * share;
    WmRay ray;
    CHECK_EQUAL_INT(wm_query_raycast(query, polygon, points[i], to, NULL, true, 0, &ray), WM_OK);
    if (ray.hit || ray.outside) return false;
    if (before > 2 * WANTED) look_at(walls, points[i], passed);
    polygon = ray.polygon;
    before += length;
  }
  return true;
}

/* A line with a horizon looks at fewer polygons, and is as far from walls up to there. */
static void lines_are_certain_up_to_their_horizon(void) {
  static Walls walls;
  WmContext *context = wm_context_create(NULL);
  Passed passed = {0};
  int left = 0;
  size_t polygons_of_all = 0, polygons_of_parts = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    WmMesh *mesh = make_world(context, 4, 10 * world, false);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    collect_walls(mesh, &walls);
    uint32_t seed = world;
    for (int i = 0; i < 30; i++) {
      const WmNearest start = random_place(query, 4, &seed), end = random_place(query, 4, &seed);
      const float horizon = 1 + (float)(i % 4);
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, NULL, &path), WM_OK);
      if (path.state != WM_PATH_COMPLETE || path.length < 2 * horizon || path.point_count > 64) continue;
      WmRef polygons[64];
      memcpy(polygons, path.point_polygons, path.point_count * sizeof *polygons);
      polygons[path.point_count - 1] = path.polygons[path.polygon_count - 1];
      const WmRoomLine whole = find_line(query, &path, polygons, 0);
      CHECK(!whole.is_cut);
      if (whole.point_count == 0) continue;
      polygons_of_all += whole.polygon_count;
      const WmRoomLine part = find_line(query, &path, polygons, horizon);
      CHECK(part.is_cut && part.point_count > 1);
      CHECK(memcmp(part.points, path.points, 3 * sizeof(float)) == 0);
      polygons_of_parts += part.polygon_count;
      left += !follow_part(query, &walls, &part, path.polygons[0], horizon, &passed);
      passed.ways++;
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d lines, %d leave the mesh, %d of %d points too near; %zu of %zu polygons\n", passed.ways, left,
         passed.near, passed.points, polygons_of_parts, polygons_of_all);
  CHECK(passed.ways > 60 && left == 0 && polygons_of_parts < polygons_of_all / 2);
  CHECK(passed.near * 50 < passed.points);
  wm_context_destroy(context);
}

/* Lone agents whose lines reach far beyond their horizon keep the distance on the whole way. */
static void agents_keep_the_distance_on_long_ways(void) {
  static Walls walls;
  WmContext *context = wm_context_create(NULL);
  Passed passed = {0};
  for (uint32_t world = 1; world <= 6; world++) {
    WmMesh *mesh = make_world(context, 4, 10 * world, false);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    collect_walls(mesh, &walls);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.wall_distance = WANTED;
    uint32_t seed = world;
    for (int i = 0; i < 12; i++) {
      const WmNearest start = random_place(query, 4, &seed), end = random_place(query, 4, &seed);
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, NULL, &path), WM_OK);
      if (path.state != WM_PATH_COMPLETE || path.length < 8) continue;
      WmCrowd *crowd = make_crowd(context, mesh);
      const WmAgent agent = add_agent(crowd, start.point[0], start.point[2], &parameters);
      send_to(crowd, agent, end.point[0], end.point[2]);
      const int limit = (int)(20 * (1.3f * path.length / parameters.max_speed + 2));
      int step = 0;
      for (; step < limit && info_of(crowd, agent).state != WM_AGENT_ARRIVED; step++) {
        run_crowd(crowd, 1, 0.05f);
        const float *at = position_of(crowd, agent);
        if (distance(at, start.point) > 2 * WANTED && distance(at, end.point) > 2 * WANTED)
          look_at(&walls, at, &passed);
      }
      CHECK(step < limit);
      passed.ways++;
      wm_crowd_destroy(crowd);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d ways, %d of %d points too near\n", passed.ways, passed.near, passed.points);
  CHECK(passed.ways > 20 && passed.near * 200 < passed.points);
  wm_context_destroy(context);
}

int main(void) {
  RUN(lines_are_certain_up_to_their_horizon);
  RUN(agents_keep_the_distance_on_long_ways);
  return check_finish();
}
