/* Paths that keep a distance from walls, on flat worlds with closed polygons: compared with all walls by brute force. */
#include "all_walls.h"
#include "visibility_graph.h"
#include "mesh/links/connections.h"
#include "query/query_internal.h"

typedef struct Counts {
  int paths, left, points, near, wider;
} Counts;

/* Counts the points of a path that are nearer to walls than three quarters of the distance, though there is room. */
static void look_along(const Walls *walls, const WmPath *path, float wanted, Counts *counts) {
  float passed = 0;
  for (size_t i = 0; i + 1 < path->point_count; i++) {
    const float *from = path->points + 3 * i, *to = from + 3;
    const float length = distance(from, to);
    for (float at = 0; at < length; at += 0.05f) {
      if (passed + at < 2 * wanted || passed + at > path->length - 2 * wanted) continue;
      const float t = at / length;
      const float point[2] = {from[0] + (to[0] - from[0]) * t, from[2] + (to[2] - from[2]) * t};
      float nearest[2];
      const float found = find_distance(walls, point, wanted, nearest);
      if (found < wanted && !has_room(walls, point, wanted)) continue;
      counts->points++;
      counts->near += found < 0.75f * wanted;
    }
    passed += length;
  }
}

/* True if a straight part of the path leaves the mesh. */
static bool leaves_mesh(WmQuery *query, const WmPath *path, const WmFilter *filter) {
  static float points[4096][3];
  CHECK(path->point_count <= 4096);
  const size_t count = path->point_count;
  WmRef polygon = path->polygons[0];
  memcpy(points, path->points, 3 * count * sizeof(float));
  for (size_t i = 0; i + 1 < count; i++) {
    WmRay ray;
    CHECK_EQUAL_INT(wm_query_raycast(query, polygon, points[i], points[i + 1], filter, true, 0, &ray), WM_OK);
    if (ray.hit || ray.outside) return true;
    polygon = ray.polygon;
  }
  return false;
}

static WmPath find_path(WmQuery *query, const WmNearest *start, const WmNearest *end, float wanted) {
  WmPathOptions options = wm_path_options_default();
  options.search.shortest = true;
  options.search.wall_distance = wanted;
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(query, start->point, end->point, &options, &path), WM_OK);
  return path;
}

static void paths_keep_the_distance_where_there_is_room(void) {
  static Walls walls;
  WmContext *context = wm_context_create(NULL);
  Counts counts = {0};
  for (uint32_t world = 1; world <= 12; world++) {
    const int32_t side = 1 + (int32_t)(world % 3);
    WmMesh *mesh = make_world(context, side, 10 * world, false);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    collect_walls(mesh, &walls);
    uint32_t seed = world;
    for (int i = 0; i < 40; i++) {
      const WmNearest start = random_place(query, side, &seed), end = random_place(query, side, &seed);
      const float wanted = 0.1f + 0.3f * (float)(i % 3);
      const float plain = find_path(query, &start, &end, 0).length;
      const WmPath path = find_path(query, &start, &end, wanted);
      CHECK(wm_path_validate(mesh, &path));
      if (path.state != WM_PATH_COMPLETE) continue;
      CHECK(path.length >= plain * 0.9999f);
      look_along(&walls, &path, wanted, &counts);
      counts.wider += path.length > plain * 1.001f;
      counts.paths++;
      counts.left += leaves_mesh(query, &path, NULL);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d paths, %d wider than plain, %d leave the mesh; %d of %d points too near\n", counts.paths,
         counts.wider, counts.left, counts.near, counts.points);
  CHECK(counts.paths > 200 && counts.wider > 100 && counts.points > 1000);
  CHECK_EQUAL_INT(counts.left, 0);
  CHECK(counts.near * 50 < counts.points);
  wm_context_destroy(context);
}

/* The length of the shortest line that keeps a distance, of those through the corridors of searches with random costs. */
static float find_shortest_of_many(WmQuery *query, const WmNearest *start, const WmNearest *end, float wanted,
                                   uint32_t *seed) {
  float least = INFINITY;
  for (int i = 0; i < 12; i++) {
    WmFilter filter = wm_filter_default();
    for (int area = 0; area < 3; area++) filter.area_costs[area] = random_between(seed, 1, 8);
    const WmSearchOptions search = {.filter = &filter};
    WmPathOptions options = wm_path_options_default();
    options.search.wall_distance = wanted;
    static WmRef polygons[4096];
    WmCorridor corridor;
    WmPath line;
    CHECK_EQUAL_INT(wm_query_find_corridor(query, start->polygon, start->point, end->polygon, end->point,
                                           &search, &corridor),
                    WM_OK);
    CHECK(corridor.polygon_count <= 4096);
    memcpy(polygons, corridor.polygons, corridor.polygon_count * sizeof *polygons);
    CHECK_EQUAL_INT(wm_query_straighten_wide(query, start->point, end->point, polygons,
                                             corridor.polygon_count, &options, &line),
                    WM_OK);
    least = fminf(least, line.length);
  }
  return least;
}

/* Past which side of obstacles a line is shorter depends on the distance that it keeps. */
static void other_corridors_are_hardly_shorter(void) {
  WmContext *context = wm_context_create(NULL);
  int paths = 0, others = 0, longer = 0;
  float worst = 0;
  for (uint32_t world = 1; world <= 16; world++) {
    const int32_t side = 2 + (int32_t)(world % 4);
    WmMesh *mesh = make_world(context, side, 10 * world, true);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t seed = world;
    for (int i = 0; i < 30; i++) {
      const WmNearest start = random_place(query, side, &seed), end = random_place(query, side, &seed);
      const float wanted = 0.4f + 0.4f * (float)(i % 3);
      const float plain = find_path(query, &start, &end, 0).length;
      const WmPath path = find_path(query, &start, &end, wanted);
      if (path.state != WM_PATH_COMPLETE || path.length < 6 * wanted) continue;
      const float length = path.length;
      CHECK(wm_path_validate(mesh, &path) && path.bound <= path.cost);
      others += path.cost > plain * 1.0001f;
      const float ratio = length / find_shortest_of_many(query, &start, &end, wanted, &seed);
      worst = fmaxf(worst, ratio);
      longer += ratio > 1.03f;
      paths++;
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf(
      "%d paths, %d past other sides of obstacles, %d over 3 %% longer than another one, at most %.3f "
      "times\n",
      paths, others, longer, (double)worst);
  CHECK(paths > 150 && others > 0);
  CHECK(longer * 20 <= paths);
  wm_context_destroy(context);
}

/* Half of the least number is 0. */
static void the_least_wall_cost_costs_nothing(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 3, 10, false);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  uint32_t seed = 1;
  for (int i = 0; i < 20; i++) {
    const WmNearest start = random_place(query, 3, &seed), end = random_place(query, 3, &seed);
    float costs[2] = {0};
    for (int k = 0; k < 2; k++) {
      WmPathOptions options = wm_path_options_default();
      options.search.wall_distance = 1;
      options.search.wall_cost = k ? 1e-45f : 0;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, &options, &path), WM_OK);
      costs[k] = path.cost;
    }
    CHECK(costs[0] == costs[1]);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_options_are_named(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 1, 10, false);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float from[3] = {1, 0, 1}, to[3] = {7, 0, 7};
  const WmSearchOptions bad[] = {{.wall_distance = NAN},
                                 {.wall_distance = -1},
                                 {.wall_distance = INFINITY},
                                 {.wall_distance = 1, .wall_cost = NAN},
                                 {.wall_distance = 1, .wall_cost = -1},
                                 {.wall_cost = 1},
                                 {.wall_distance = 1, .wall_cost = 1, .shortest = true},
                                 {.wall_distance = 1, .wall_cost = 1, .any_angle = true}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    WmPathOptions options = wm_path_options_default();
    options.search = bad[i];
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(query, from, to, &options, &path), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_failure(context)->field, i < 3 ? "wallDistance" : "wallCost") == 0);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void any_distance_and_cost_give_a_path(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 3, 30, false);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  static const float DISTANCES[] = {1e-30f, 1e-6f, 0.01f, 5, 100, 1e9f, 3e38f};
  uint32_t seed = 8;
  for (int i = 0; i < 70; i++) {
    const WmNearest start = random_place(query, 3, &seed), end = random_place(query, 3, &seed);
    WmPathOptions options = wm_path_options_default();
    options.search.wall_distance = DISTANCES[i % 7];
    options.search.wall_cost = i % 2 ? 3 : 0;
    options.crossings = (WmCrossings)(i % 3);
    options.max_points = i % 5 == 0 ? 3 : 0;
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, &options, &path), WM_OK);
    CHECK(wm_path_validate(mesh, &path));
    CHECK(!options.max_points || path.point_count <= 3);
    options.max_points = 0;
    CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start.point, end.point, 0.3f, &options, &path), WM_OK);
    CHECK(wm_path_validate_links(mesh, &path));
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Costs near walls never make a corridor cheaper, and its estimate stays a lower bound: the corridor of a search with
 * them costs, without them, at least as much as that of one without. */
static void wall_costs_lead_through_open_ground(void) {
  static Walls walls;
  WmContext *context = wm_context_create(NULL);
  double rooms[2] = {0, 0};
  int others = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    WmMesh *mesh = make_world(context, 3, 10 * world, false);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    collect_walls(mesh, &walls);
    uint32_t seed = world;
    for (int i = 0; i < 20; i++) {
      const WmNearest start = random_place(query, 3, &seed), end = random_place(query, 3, &seed);
      float costs[2];
      size_t counts[2];
      for (int k = 0; k < 2; k++) {
        WmPathOptions options = wm_path_options_default();
        options.search.wall_distance = 1;
        options.search.wall_cost = k ? 4 : 0;
        WmPath path;
        CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, &options, &path), WM_OK);
        if (path.state != WM_PATH_COMPLETE) continue;
        costs[k] = path.cost;
        counts[k] = path.polygon_count;
        for (size_t p = 0; p < path.point_count; p++) {
          const float point[2] = {path.points[3 * p], path.points[3 * p + 2]};
          float nearest[2];
          rooms[k] += (double)find_distance(&walls, point, 1, nearest) / (double)path.point_count;
        }
        if (k) others += counts[0] != counts[1];
        if (k) CHECK(costs[1] >= 0.999f * costs[0]);
      }
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d other corridors; mean room %.1f with costs, %.1f without\n", others, rooms[1], rooms[0]);
  CHECK(others > 5 && rooms[1] > rooms[0]);
  wm_context_destroy(context);
}

static void connections_are_crossed_between_two_lines(void) {
  WmContext *context = wm_context_create(NULL);
  int crossed = 0;
  for (uint32_t world = 1; world <= 20; world++) {
    WmMesh *mesh = make_world(context, 2, 10 * world, false);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t seed = world;
    WmConnection settings = wm_connection_default(mesh);
    settings.radius = settings.climb = 0.5f;
    settings.cost_factor = 0.1f;
    memcpy(settings.start, random_place(query, 2, &seed).point, sizeof settings.start);
    memcpy(settings.end, random_place(query, 2, &seed).point, sizeof settings.end);
    WmRef connection;
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &settings, &connection), WM_OK);
    for (int i = 0; i < 10; i++) {
      const WmNearest start = random_place(query, 2, &seed), end = random_place(query, 2, &seed);
      const WmPath path = find_path(query, &start, &end, 0.4f);
      CHECK(wm_path_validate(mesh, &path));
      for (size_t k = 0; k + 1 < path.point_count; k++)
        crossed += (path.point_flags[k] & WM_POINT_OFF_MESH) != 0;
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d connections crossed\n", crossed);
  CHECK(crossed > 10);
  wm_context_destroy(context);
}

/* A search in slices, or an agent, has a corridor: its line is that of the path. */
static void lines_through_corridors_are_those_of_paths(void) {
  WmContext *context = wm_context_create(NULL);
  int compared = 0;
  for (uint32_t world = 1; world <= 6; world++) {
    WmMesh *mesh = make_world(context, 2, 10 * world, false);
    WmQuery *query = NULL, *other = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &other), WM_OK);
    uint32_t seed = world;
    for (int i = 0; i < 20; i++) {
      const WmNearest start = random_place_within(query, 16, &seed),
                      end = random_place_within(query, 16, &seed);
      WmPathOptions options = wm_path_options_default();
      options.search.wall_distance = 0.3f;
      options.crossings = (WmCrossings)(i % 3);
      options.max_points = i % 4 ? 0 : 3;
      WmPath path, line;
      CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, &options, &path), WM_OK);
      if (path.state != WM_PATH_COMPLETE) continue;
      WmCorridor corridor;
      CHECK_EQUAL_INT(
          wm_query_find_corridor(other, start.polygon, start.point, end.polygon, end.point, NULL, &corridor),
          WM_OK);
      CHECK_EQUAL_INT(wm_query_straighten_wide(other, start.point, end.point, corridor.polygons,
                                               corridor.polygon_count, &options, &line),
                      WM_OK);
      CHECK(line.point_count == path.point_count && line.polygon_count == path.polygon_count);
      CHECK(line.length == path.length && line.cut == path.cut && line.cost == 0 && line.bound == 0);
      CHECK(memcmp(line.points, path.points, 3 * path.point_count * sizeof(float)) == 0);
      CHECK(memcmp(line.polygons, path.polygons, path.polygon_count * sizeof(WmRef)) == 0);
      compared++;
    }
    wm_query_destroy(other);
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d lines\n", compared);
  CHECK(compared > 40);
  wm_context_destroy(context);
}

static void bad_lines_are_named(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 1, 5, false);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef ref = wm_mesh_tile(mesh, 0)->ref, none = 0;
  const float at[3] = {1, 0, 1}, bad[3] = {NAN, 0, 0};
  WmPathOptions options = wm_path_options_default();
  WmPath path;
  CHECK_EQUAL_INT(wm_query_straighten_wide(query, at, at, &ref, 1, &options, &path), WM_OK);
  CHECK_EQUAL_INT(wm_query_straighten_wide(query, at, at, &ref, 0, &options, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_straighten_wide(query, at, at, &none, 1, &options, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_straighten_wide(query, at, bad, &ref, 1, &options, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "end") == 0 && path.point_count == 0);
  options.search.wall_distance = INFINITY;
  CHECK_EQUAL_INT(wm_query_straighten_wide(query, at, at, &ref, 1, &options, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "wallDistance") == 0);
  WmFilter filter = wm_filter_default();
  filter.area_costs[3] = -1;
  options.search = (WmSearchOptions){.filter = &filter, .wall_distance = 1};
  CHECK_EQUAL_INT(wm_query_straighten_wide(query, at, at, &ref, 1, &options, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* The line ends where the corridor is broken, and is the one without a distance. */
static void a_broken_corridor_has_crossings_and_few_points(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 3, 0, false);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float from[3] = {1, 0, 1}, to[3] = {22, 0, 22};
  WmPathOptions options = wm_path_options_default();
  WmPath path;
  WmRef corridor[256];
  CHECK_EQUAL_INT(wm_query_find_path(query, from, to, &options, &path), WM_OK);
  const size_t count = path.polygon_count;
  CHECK(count > 8 && count <= 256);
  memcpy(corridor, path.polygons, count * sizeof *corridor);
  corridor[count - 2] = corridor[0];
  for (size_t max_points = 0; max_points < 3; max_points++) {
    float plain[256][3];
    CHECK_EQUAL_INT(
        wm_query_straighten(query, from, to, corridor, count, WM_CROSSINGS_ALL, max_points, &path), WM_OK);
    CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_BROKEN_CORRIDOR);
    const WmPath expected = path;
    CHECK(path.point_count <= 256 && (max_points ? path.point_count == max_points : path.point_count > 4));
    memcpy(plain, path.points, path.point_count * sizeof *plain);
    options.crossings = WM_CROSSINGS_ALL;
    options.max_points = max_points;
    options.search.wall_distance = 0.4f;
    CHECK_EQUAL_INT(wm_query_straighten_wide(query, from, to, corridor, count, &options, &path), WM_OK);
    CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_BROKEN_CORRIDOR);
    CHECK_EQUAL_INT(path.point_count, expected.point_count);
    CHECK(memcmp(path.points, plain, expected.point_count * sizeof *plain) == 0);
    CHECK(path.cut == expected.cut && path.length == expected.length && path.remaining == expected.remaining);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void survive_every_failed_allocation(bool shortest) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_world(context, 3, 30, false);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float from[3] = {1, 0, 1}, to[3] = {22, 0, 22};
  WmPathOptions options = wm_path_options_default();
  options.half_extents[0] = options.half_extents[2] = 8;
  options.search.wall_distance = 0.4f;
  options.search.wall_cost = shortest ? 0 : 1;
  options.search.shortest = shortest;
  WmPath whole, path;
  CHECK_EQUAL_INT(wm_query_find_path(query, from, to, &options, &whole), WM_OK);
  int failures = 0, n = 0;
  for (bool is_over = false; !is_over && n < 400; n++) {
    WmQuery *fresh = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &fresh), WM_OK);
    ration.until_failure = n;
    ration.once = true;
    const WmStatus status = wm_query_find_path(fresh, from, to, &options, &path);
    is_over = ration.until_failure >= 0;
    CHECK_EQUAL_INT(status, end_ration(&ration));
    failures += status != WM_OK;
    CHECK_EQUAL_INT(wm_query_find_path(fresh, from, to, &options, &path), WM_OK);
    CHECK(path.length == whole.length && path.point_count == whole.point_count);
    ration.until_failure = n;
    ration.once = true;
    WmQuery *line = NULL;
    WmStatus wide = wm_query_create(context, mesh, &line);
    if (!wide) {
      wide = wm_query_straighten_wide(line, path.start.point, path.end.point, path.polygons,
                                      path.polygon_count, &options, &whole);
    }
    CHECK_EQUAL_INT(wide, end_ration(&ration));
    wm_query_destroy(line);
    CHECK_EQUAL_INT(wm_query_find_path(query, from, to, &options, &whole), WM_OK);
    wm_query_destroy(fresh);
  }
  printf("%d failed allocations\n", failures);
  CHECK(failures > 15 && n < 400);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

static void a_path_survives_every_failed_allocation(void) {
  survive_every_failed_allocation(false);
  survive_every_failed_allocation(true);
}

int main(void) {
  RUN(paths_keep_the_distance_where_there_is_room);
  RUN(other_corridors_are_hardly_shorter);
  RUN(the_least_wall_cost_costs_nothing);
  RUN(bad_options_are_named);
  RUN(any_distance_and_cost_give_a_path);
  RUN(wall_costs_lead_through_open_ground);
  RUN(connections_are_crossed_between_two_lines);
  RUN(lines_through_corridors_are_those_of_paths);
  RUN(bad_lines_are_named);
  RUN(a_broken_corridor_has_crossings_and_few_points);
  RUN(a_path_survives_every_failed_allocation);
  return check_finish();
}
