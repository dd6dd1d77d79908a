/* Exact shortest paths, compared with the visibility graph of all corners and with the ordinary search. */
#include "drawn_mesh.h"
#include "visibility_graph.h"
#include "mesh/links/connections.h"
#include "query/search/straighten.h"

static WmQuery *make_query(WmContext *context, const WmMesh *mesh) {
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  return query;
}

/* Compares 50 paths of a world with the graph. */
static void compare_world(WmContext *context, int32_t side, uint32_t world, int counts[3]) {
  static Graph graph;
  WmMesh *mesh = make_world(context, side, 10 * world, false);
  WmQuery *query = make_query(context, mesh);
  make_graph(mesh, query, &graph);
  uint32_t seed = world;
  for (int i = 0; i < 50; i++) {
    const WmNearest start = choose_place(query, mesh, side, &seed),
                    end = choose_place(query, mesh, side, &seed);
    WmPathOptions options = wm_path_options_default();
    options.search.shortest = true;
    WmPath path;
    float length;
    if (!find_both(mesh, query, &start, &end, &options, &length, &path)) {
      counts[2]++;
      continue;
    }
    CHECK(path.length <= length * 1.00001f);
    CHECK(path.bound <= path.cost && path.bound >= path.cost * 0.99999f - 1e-4f);
    CHECK(fabsf(path.cost - path.length) <= 1e-4f * (1 + path.length));
    const size_t count = graph.count;
    add_point(mesh, query, &graph, path.start.point);
    add_point(mesh, query, &graph, path.end.point);
    const float least = find_shortest(mesh, query, &graph, &path.start, &path.end);
    graph.count = count;
    const float slack = 1e-4f * (1 + least);
    if (fabsf(path.length - least) > slack) {
      printf("side %d world %u pair %d: %.5f, visibility graph %.5f, plain %.5f\n", side, world, i,
             (double)path.length, (double)least, (double)length);
    }
    CHECK(path.length >= least - slack);
    CHECK(path.length <= least + slack);
    counts[0]++;
    counts[1] += path.length < length - 1e-3f;
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
}

static void paths_are_as_short_as_those_of_the_visibility_graph(void) {
  WmContext *context = wm_context_create(NULL);
  for (int32_t side = 1; side <= 3; side++) {
    int counts[3] = {0};
    for (uint32_t world = 1; world <= 8; world++) compare_world(context, side, world, counts);
    printf("%d tiles: %d paths, %d shorter than plain, %d unreachable\n", side * side, counts[0], counts[1],
           counts[2]);
    CHECK(counts[0] > 150 && counts[1] > 10);
  }
  wm_context_destroy(context);
}

/* The string goes along one side of a polygon, where a wall ends, and turns there into the polygon behind that side; no portal
 * that leads into the first polygon ends at the wall. The way round, on the left, is longer.
 *
 *         +--+--------+-----+
 *         |  | end    |     |
 *         |  +--------+     |
 *         |  |  wall        |
 *         |  +--------+     |
 *         |  |        |     |
 *         +--+        +-----+
 *            |        |     |
 *            |        start |
 *            +--------+-----+                        */
static void a_string_turns_where_a_wall_beside_a_straight_side_ends(void) {
  static const uint16_t CORNERS[][2] = {{10, 0},  {80, 0},   {120, 0}, {0, 50},  {10, 50},
                                        {80, 50}, {120, 50}, {10, 60}, {80, 60}, {10, 70},
                                        {80, 70}, {0, 80},   {10, 80}, {80, 80}, {120, 80}};
  static const uint16_t POLYGONS[][DRAWN_CORNERS] = {{1, 5, 6, 2, NO_CORNER, NO_CORNER},
                                                     {5, 8, 10, 13, 14, 6},
                                                     {0, 4, 7, 8, 5, 1},
                                                     {9, 12, 13, 10, NO_CORNER, NO_CORNER},
                                                     {3, 11, 12, 9, 7, 4}};
  WmContext *context = wm_context_create(NULL);
  const Drawing drawing = {CORNERS, POLYGONS, 15, 5};
  WmMesh *mesh = draw_mesh(context, &drawing);
  WmQuery *query = make_query(context, mesh);
  WmPathOptions options = wm_path_options_default();
  options.search.shortest = true;
  const float ends[2][3] = {{8, 0, 1}, {5, 0, 7.5f}};
  const float least = 6 + sqrtf(9.25f);
  for (int is_back = 0; is_back < 2; is_back++) {
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(query, ends[is_back], ends[1 - is_back], &options, &path), WM_OK);
    CHECK(fabsf(path.length - least) < 1e-4f);
    CHECK(path.bound <= path.cost && path.bound > 0.9999f * least);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static WmCorridor find_corridor(WmQuery *query, const WmNearest *start, const WmNearest *end,
                                const WmSearchOptions *options) {
  WmCorridor corridor;
  CHECK_EQUAL_INT(wm_query_find_corridor(query, start->polygon, start->point, end->polygon, end->point,
                                         options, &corridor),
                  WM_OK);
  return corridor;
}

/* The cost of the shortest corridor; INFINITY: there is none. */
static float cost_between(WmQuery *query, const WmNearest *start, const WmNearest *end) {
  const WmSearchOptions options = {.shortest = true};
  const WmCorridor found = find_corridor(query, start, end, &options);
  return found.state == WM_PATH_COMPLETE ? found.cost : INFINITY;
}

static float measure(WmQuery *query, const WmNearest *start, const WmNearest *end, const WmCorridor *corridor,
                     const WmFilter *filter) {
  static WmRef polygons[4096];
  float cost;
  CHECK(corridor->polygon_count <= 4096);
  memcpy(polygons, corridor->polygons, corridor->polygon_count * sizeof *polygons);
  CHECK_EQUAL_INT(
      wm_query_measure(query, start->point, end->point, polygons, corridor->polygon_count, filter, &cost),
      WM_OK);
  return cost;
}

/* Where areas cost differently, the result is the corridor of the cheapest line that was found. */
static void the_result_never_costs_more_than_the_ordinary_one(void) {
  WmContext *context = wm_context_create(NULL);
  int cheaper = 0, same = 0, compared = 0;
  double bounds = 0;
  for (uint32_t world = 1; world <= 6; world++) {
    WmMesh *mesh = make_world(context, 2, 10 * world, true);
    WmQuery *query = make_query(context, mesh);
    WmFilter filter = wm_filter_default();
    uint32_t seed = world;
    for (int i = 0; i < 40; i++) {
      filter.area_costs[1] = random_between(&seed, 0.5f, 1.5f);
      filter.area_costs[2] = random_between(&seed, 1, 4);
      const WmNearest start = random_place(query, 2, &seed), end = random_place(query, 2, &seed);
      WmSearchOptions options = {.filter = &filter};
      WmCorridor plain = find_corridor(query, &start, &end, &options);
      const WmPathState state = plain.state;
      const float cost = measure(query, &start, &end, &plain, &filter);
      options.shortest = true;
      const WmCorridor found = find_corridor(query, &start, &end, &options);
      CHECK_EQUAL_INT(found.state, state);
      if (state != WM_PATH_COMPLETE) continue;
      const float stated = found.cost;
      CHECK(stated <= cost);
      CHECK(found.bound > 0 && found.bound <= stated);
      bounds += (double)(stated / found.bound);
      compared++;
      CHECK(measure(query, &start, &end, &found, &filter) >= stated);
      cheaper += stated < 0.999f * cost;
      same += stated == cost;
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d cheaper, %d as dear, %.3f times the bound\n", cheaper, same, bounds / compared);
  CHECK(cheaper > 10 && same > 10 && bounds < 2 * compared);
  wm_context_destroy(context);
}

static void check_linked(const WmMesh *mesh, const WmCorridor *corridor) {
  for (size_t k = 0; k + 1 < corridor->polygon_count; k++) {
    CHECK(are_linked(mesh, corridor->polygons[k], corridor->polygons[k + 1]));
  }
}

/* Slices start with the ordinary search, so that they always have a corridor; the result is the same. */
static void slices_of_any_size_find_the_same(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 3, 30, false);
  WmQuery *query = make_query(context, mesh);
  WmSearch *search = NULL;
  CHECK_EQUAL_INT(wm_search_create(context, mesh, &search), WM_OK);
  uint32_t seed = 3;
  int complete = 0;
  for (int i = 0; i < 60; i++) {
    const WmNearest start = random_place(query, 3, &seed), end = random_place(query, 3, &seed);
    const WmSearchOptions options = {.shortest = true};
    const WmCorridor whole = find_corridor(query, &start, &end, &options);
    CHECK_EQUAL_INT(wm_search_begin(search, start.polygon, start.point, end.polygon, end.point, &options),
                    WM_OK);
    WmCorridor sliced;
    for (bool done = false; !done;) {
      CHECK_EQUAL_INT(wm_search_advance(search, grid_random(&seed) % 9, &done, NULL), WM_OK);
      CHECK_EQUAL_INT(wm_search_finish(search, &sliced), WM_OK);
      CHECK_EQUAL_INT(sliced.reason == WM_PATH_REASON_UNFINISHED, !done);
      CHECK(sliced.bound <= whole.cost * 1.00001f && sliced.bound <= sliced.cost);
      check_linked(mesh, &sliced);
      CHECK_EQUAL_INT(wm_search_finish_along(search, whole.polygons, whole.polygon_count, &sliced), WM_OK);
      check_linked(mesh, &sliced);
    }
    CHECK_EQUAL_INT(wm_search_finish(search, &sliced), WM_OK);
    CHECK(sliced.state == whole.state && sliced.reason == whole.reason && sliced.cost == whole.cost &&
          sliced.bound == whole.bound);
    CHECK_EQUAL_INT(sliced.polygon_count, whole.polygon_count);
    CHECK(memcmp(sliced.polygons, whole.polygons, whole.polygon_count * sizeof(WmRef)) == 0);
    complete += whole.state == WM_PATH_COMPLETE;
  }
  CHECK(complete > 40);
  wm_search_destroy(search);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_limit_of_nodes_leaves_the_ordinary_corridor(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 3, 30, false);
  WmQuery *query = make_query(context, mesh);
  uint32_t seed = 5;
  int limited = 0, stopped = 0, raised = 0;
  for (int i = 0; i < 200; i++) {
    const WmNearest start = random_place(query, 3, &seed), end = random_place(query, 3, &seed);
    WmSearchOptions options = {.max_nodes = 1 + grid_random(&seed) % 60};
    const WmCorridor plain = find_corridor(query, &start, &end, &options);
    const WmPathReason reason = plain.reason;
    const size_t count = plain.polygon_count;
    options.shortest = true;
    const float least = cost_between(query, &start, &end);
    const WmCorridor found = find_corridor(query, &start, &end, &options);
    CHECK_EQUAL_INT(found.reason, reason);
    CHECK(found.bound <= found.cost && (found.bound > 0) == (found.state == WM_PATH_COMPLETE));
    CHECK(found.bound <= least);
    /* The bound of a search that has stopped is that of its open list, not just the distance. */
    const bool is_stopped = found.state == WM_PATH_COMPLETE && found.bound < 0.999f * least;
    stopped += is_stopped;
    raised += is_stopped && found.bound > 1.001f * distance(start.point, end.point);
    if (reason == WM_PATH_REASON_NODE_LIMIT) CHECK_EQUAL_INT(found.polygon_count, count);
    limited += reason == WM_PATH_REASON_NODE_LIMIT;
    check_linked(mesh, &found);
  }
  printf("%d limited; %d stopped, the bounds of %d raised\n", limited, stopped, raised);
  CHECK(limited > 20 && stopped > 3 && raised > 1);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void flags_that_change_between_slices_never_leave_a_gap(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t seed = 4;
  for (int i = 0; i < 60; i++) {
    WmMesh *mesh = make_world(context, 2, 50 + (uint32_t)i % 7, false);
    WmQuery *query = make_query(context, mesh);
    WmSearch *search = NULL;
    CHECK_EQUAL_INT(wm_search_create(context, mesh, &search), WM_OK);
    const WmNearest start = random_place(query, 2, &seed), end = random_place(query, 2, &seed);
    const WmSearchOptions options = {.shortest = true};
    CHECK_EQUAL_INT(wm_search_begin(search, start.polygon, start.point, end.polygon, end.point, &options),
                    WM_OK);
    for (bool done = false; !done;) {
      CHECK_EQUAL_INT(wm_search_advance(search, 4, &done, NULL), WM_OK);
      const WmNearest place = random_place(query, 2, &seed);
      CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, place.polygon, grid_random(&seed) % 2), WM_OK);
      WmCorridor corridor;
      CHECK_EQUAL_INT(wm_search_finish(search, &corridor), WM_OK);
      check_linked(mesh, &corridor);
    }
    wm_search_destroy(search);
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* A query stores corners between searches. After changes of flags, tiles and filters it still finds the same paths as a new
 * query, which has stored none. */
static void a_query_forgets_the_corners_of_a_mesh_that_has_changed(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 2, 70, false);
  WmQuery *query = make_query(context, mesh);
  WmFilter filter = wm_filter_default();
  uint32_t seed = 9;
  int complete = 0;
  for (int i = 0; i < 200; i++) {
    const WmNearest place = random_place(query, 2, &seed);
    if (i % 3 == 0) wm_mesh_set_polygon_flags(mesh, place.polygon, (uint16_t)(grid_random(&seed) % 4));
    if (i % 20 == 10) {
      const GridTile grid = {.x = (int32_t)(grid_random(&seed) % 2),
                             .seed = grid_random(&seed),
                             .hole = UINT32_MAX,
                             .tree = true,
                             .flat = true};
      CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, wm_mesh_find_tile(mesh, grid.x, 0, 0)->ref), WM_OK);
      add_grid_tile(mesh, &grid);
    }
    filter.exclude_flags = i % 5 == 0 ? 2 : 0;
    WmQuery *fresh = make_query(context, mesh);
    const WmNearest start = random_place(query, 2, &seed), end = random_place(query, 2, &seed);
    const WmSearchOptions options = {.filter = &filter, .shortest = true};
    const WmCorridor found = find_corridor(query, &start, &end, &options);
    const WmCorridor same = find_corridor(fresh, &start, &end, &options);
    CHECK(found.state == same.state && found.cost == same.cost && found.searched == same.searched);
    CHECK_EQUAL_INT(found.polygon_count, same.polygon_count);
    CHECK(memcmp(found.polygons, same.polygons, same.polygon_count * sizeof(WmRef)) == 0);
    complete += same.state == WM_PATH_COMPLETE;
    wm_query_destroy(fresh);
  }
  CHECK(complete > 100);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* True if both ends of a connection are tied to these polygons, not to closed ones beside them. */
static bool is_tied(WmMesh *mesh, const WmConnection *settings, const WmNearest ends[2]) {
  WmRef connection;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, settings, &connection), WM_OK);
  const bool tied =
      are_linked(mesh, connection, ends[0].polygon) && are_linked(mesh, connection, ends[1].polygon);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, connection), WM_OK);
  return tied && ends[0].polygon != ends[1].polygon;
}

/* A connection between two places, tied to the open polygons there. */
static WmConnection choose_connection(WmMesh *mesh, WmQuery *query, WmNearest ends[2], uint32_t *seed) {
  WmConnection settings = wm_connection_default(mesh);
  settings.radius = settings.climb = 0.5f;
  settings.cost_factor = 0.25f;
  do {
    for (int i = 0; i < 2; i++) ends[i] = random_place(query, 2, seed);
    memcpy(settings.start, ends[0].point, sizeof settings.start);
    memcpy(settings.end, ends[1].point, sizeof settings.end);
  } while (!is_tied(mesh, &settings, ends));
  return settings;
}

/* A connection is taken exactly where it makes the way shorter. */
static void connections_count_with_their_length_and_cost(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t seed = 11;
  int taken = 0, left = 0;
  for (uint32_t world = 1; world <= 16; world++) {
    WmMesh *mesh = make_world(context, 2, 10 * world, false);
    WmQuery *query = make_query(context, mesh);
    WmNearest ends[2];
    const WmConnection settings = choose_connection(mesh, query, ends, &seed);
    for (int i = 0; i < 25; i++) {
      const WmNearest a = random_place(query, 2, &seed), b = random_place(query, 2, &seed);
      const float direct = cost_between(query, &a, &b), across = distance(ends[0].point, ends[1].point) / 4;
      const float there = cost_between(query, &a, &ends[0]) + across + cost_between(query, &ends[1], &b);
      const float back = cost_between(query, &a, &ends[1]) + across + cost_between(query, &ends[0], &b);
      const float least = fminf(direct, fminf(there, back));
      WmRef connection;
      CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &settings, &connection), WM_OK);
      const float cost = cost_between(query, &a, &b);
      CHECK(cost == least || fabsf(cost - least) <= 1e-4f * (1 + least));
      taken += cost < direct;
      left += cost == direct;
      CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, connection), WM_OK);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("connections: %d taken, %d left\n", taken, left);
  CHECK(taken > 20 && left > 20);
  wm_context_destroy(context);
}

/* No ground has the area of the connection, which costs a tenth. Its entry lies behind the start. */
static void connections_of_a_cheap_area_are_found_behind_the_start(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t x = 0; x < 3; x++)
    add_grid_tile(mesh, &(GridTile){.x = x, .flat = true, .hole = UINT32_MAX, .tree = true});
  WmConnection connection = wm_connection_default(mesh);
  connection.start[0] = 2;
  connection.end[0] = 22;
  connection.start[2] = connection.end[2] = 3;
  connection.area = 5;
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  WmQuery *query = make_query(context, mesh);
  WmFilter filter = wm_filter_default();
  const float start[3] = {4, 0, 3}, end[3] = {20, 0, 3};
  for (int is_cheap = 0; is_cheap < 2; is_cheap++) {
    filter.area_costs[5] = is_cheap ? 0.1f : 1;
    WmPathOptions options = wm_path_options_default();
    options.search.filter = &filter;
    options.search.shortest = true;
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    const float least = is_cheap ? 6 : 16;
    CHECK(fabsf(path.cost - least) < 1e-3f);
    CHECK(path.bound <= path.cost && path.bound > 0.999f * least);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_search_survives_every_failed_allocation(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_world(context, 3, 30, false);
  uint32_t seed = 1;
  WmQuery *query = make_query(context, mesh);
  const WmNearest start = random_place(query, 3, &seed), end = random_place(query, 3, &seed);
  const WmSearchOptions options = {.shortest = true};
  const WmCorridor whole = find_corridor(query, &start, &end, &options);
  int failures = 0;
  for (long n = 0; n < 60; n++) {
    WmQuery *fresh = make_query(context, mesh);
    WmCorridor found;
    ration.until_failure = n;
    ration.once = true;
    const WmStatus status =
        wm_query_find_corridor(fresh, start.polygon, start.point, end.polygon, end.point, &options, &found);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    failures += status != WM_OK;
    found = find_corridor(fresh, &start, &end, &options);
    CHECK(found.cost == whole.cost && found.polygon_count == whole.polygon_count);
    wm_query_destroy(fresh);
  }
  CHECK(failures > 8 && failures < 60);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(paths_are_as_short_as_those_of_the_visibility_graph);
  RUN(a_string_turns_where_a_wall_beside_a_straight_side_ends);
  RUN(the_result_never_costs_more_than_the_ordinary_one);
  RUN(slices_of_any_size_find_the_same);
  RUN(a_limit_of_nodes_leaves_the_ordinary_corridor);
  RUN(flags_that_change_between_slices_never_leave_a_gap);
  RUN(a_query_forgets_the_corners_of_a_mesh_that_has_changed);
  RUN(connections_count_with_their_length_and_cost);
  RUN(connections_of_a_cheap_area_are_found_behind_the_start);
  RUN(a_search_survives_every_failed_allocation);
  return check_finish();
}
