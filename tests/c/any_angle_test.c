/* Searches with shortcuts, compared with searches without them and with the true shortest path, which is
 * found in the visibility graph of all corners. */
#include "visibility_graph.h"

enum { SIDE = 2 };

/* ---- Properties --------------------------------------------------------------------------------------- */

static void shortcuts_never_lengthen_and_come_close_to_the_shortest_way(void) {
  static Graph graph;
  WmContext *context = wm_context_create(NULL);
  double plain_sum = 0, short_sum = 0, worst = 1;
  int count = 0, shorter = 0, best = 0, plain_best = 0, unreachable = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    WmMesh *mesh = make_world(context, SIDE, 10 * world, false);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    make_graph(mesh, query, &graph);
    uint32_t seed = world;
    for (int i = 0; i < 50; i++) {
      const WmNearest start = random_place(query, SIDE, &seed), end = random_place(query, SIDE, &seed);
      WmPathOptions options = wm_path_options_default();
      options.search.any_angle = true;
      WmPath path;
      float length;
      const bool is_complete = find_both(mesh, query, &start, &end, &options, &length, &path);
      CHECK(path.length <= length + 1e-3f);
      if (!is_complete) {
        unreachable++;
        continue;
      }
      CHECK(fabsf(path.cost - path.length) <= 1e-3f * (1 + path.length));
      const float least = find_shortest(mesh, query, &graph, &path.start, &path.end);
      CHECK(path.length >= least - 2e-2f);
      if (least < 1) continue;
      count++;
      shorter += path.length < length - 1e-3f;
      best += path.length < least * 1.001f;
      plain_best += length < least * 1.001f;
      plain_sum += length / least;
      short_sum += path.length / least;
      if (path.length / least > worst) worst = path.length / least;
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf(
      "%d paths, %d unreachable; length to the shortest: plain %.4f (%d shortest), any angle %.4f "
      "(%d shortest, %d shorter than plain, worst %.3f)\n",
      count, unreachable, plain_sum / count, plain_best, short_sum / count, best, shorter, worst);
  CHECK(count > 200 && shorter > 10);
  CHECK(short_sum / count < 1.01);
  wm_context_destroy(context);
}

/* The unit cost at a point: the lowest of the polygons that meet there. */
static float cost_at(const WmMesh *mesh, const float point[3], const WmFilter *filter) {
  float least = INFINITY;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      const float cost = filter->area_costs[tile->polygon_area[p]];
      if (tile->polygon_flags[p] == 0 || cost >= least) continue;
      float closest[3];
      wm_tile_closest_point(tile, p, point, false, closest);
      if (distance(closest, point) < 2e-3f) least = cost;
    }
  }
  return least;
}

/* The cost of a line by its polygons at many points along it. */
static float sample_cost(const WmMesh *mesh, const WmPath *path, const WmFilter *filter) {
  enum { STEPS = 40 };
  double cost = 0;
  for (size_t k = 0; k + 1 < path->point_count; k++) {
    const float *a = path->points + 3 * k, *b = a + 3;
    for (int i = 0; i < STEPS; i++) {
      const float t = ((float)i + 0.5f) / STEPS;
      const float at[3] = {a[0] + (b[0] - a[0]) * t, a[1], a[2] + (b[2] - a[2]) * t};
      cost += distance(a, b) / STEPS * cost_at(mesh, at, filter);
    }
  }
  return (float)cost;
}

static void shortcuts_respect_the_costs_of_areas(void) {
  WmContext *context = wm_context_create(NULL);
  double plain_sum = 0, short_sum = 0, stated_sum = 0;
  int count = 0;
  for (uint32_t world = 1; world <= 6; world++) {
    WmMesh *mesh = make_world(context, SIDE, 10 * world, true);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t seed = world;
    WmFilter filter = wm_filter_default();
    for (int i = 0; i < 40; i++) {
      filter.area_costs[1] = random_between(&seed, 0.5f, 4);
      filter.area_costs[2] = random_between(&seed, 1, 10);
      const WmNearest start = random_place(query, SIDE, &seed), end = random_place(query, SIDE, &seed);
      WmPathOptions options = wm_path_options_default();
      options.search.filter = &filter;
      WmPath plain, path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, &options, &plain), WM_OK);
      if (plain.state != WM_PATH_COMPLETE) continue;
      const float plain_cost = sample_cost(mesh, &plain, &filter);
      options.search.any_angle = true;
      CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, &options, &path), WM_OK);
      check_corridor(mesh, &path);
      const float stated = path.cost;
      const float cost = sample_cost(mesh, &path, &filter);
      CHECK(cost <= plain_cost * 1.05f + 0.2f);
      CHECK(stated >= cost * 0.95f - 0.2f);
      stated_sum += stated;
      plain_sum += plain_cost;
      short_sum += cost;
      count++;
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d paths over areas: cost of any angle to plain %.4f, as stated %.4f\n", count,
         short_sum / plain_sum, stated_sum / short_sum);
  CHECK(stated_sum < 1.05 * short_sum);
  CHECK(count > 100);
  CHECK(short_sum < plain_sum);
  wm_context_destroy(context);
}

static void slices_and_limits_of_rays(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, SIDE, 30, false);
  WmQuery *query = NULL;
  WmSearch *search = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  CHECK_EQUAL_INT(wm_search_create(context, mesh, &search), WM_OK);
  uint32_t seed = 3;
  int differ = 0;
  for (int i = 0; i < 60; i++) {
    const WmNearest start = random_place(query, SIDE, &seed), end = random_place(query, SIDE, &seed);
    WmSearchOptions options = {.any_angle = true, .ray_limit = i % 3 ? 0 : 1e-6f};
    WmCorridor whole, sliced;
    CHECK_EQUAL_INT(
        wm_query_find_corridor(query, start.polygon, start.point, end.polygon, end.point, &options, &whole),
        WM_OK);
    CHECK_EQUAL_INT(wm_search_begin(search, start.polygon, start.point, end.polygon, end.point, &options),
                    WM_OK);
    for (bool done = false; !done;) {
      CHECK_EQUAL_INT(wm_search_advance(search, grid_random(&seed) % 9, &done, NULL), WM_OK);
      CHECK_EQUAL_INT(wm_search_finish(search, &sliced), WM_OK);
      CHECK_EQUAL_INT(sliced.reason == WM_PATH_REASON_UNFINISHED, !done);
      for (size_t k = 0; k + 1 < sliced.polygon_count; k++) {
        CHECK(are_linked(mesh, sliced.polygons[k], sliced.polygons[k + 1]));
      }
      CHECK_EQUAL_INT(wm_search_finish_along(search, whole.polygons, whole.polygon_count, &sliced), WM_OK);
      for (size_t k = 0; k + 1 < sliced.polygon_count; k++) {
        CHECK(are_linked(mesh, sliced.polygons[k], sliced.polygons[k + 1]));
      }
    }
    CHECK_EQUAL_INT(wm_search_finish(search, &sliced), WM_OK);
    CHECK(sliced.state == whole.state && sliced.cost == whole.cost && sliced.searched == whole.searched);
    CHECK_EQUAL_INT(sliced.polygon_count, whole.polygon_count);
    CHECK(memcmp(sliced.polygons, whole.polygons, whole.polygon_count * sizeof(WmRef)) == 0);
    /* Rays of no length change nothing. */
    options.any_angle = false;
    CHECK_EQUAL_INT(
        wm_query_find_corridor(query, start.polygon, start.point, end.polygon, end.point, &options, &whole),
        WM_OK);
    const bool same = sliced.polygon_count == whole.polygon_count &&
                      memcmp(sliced.polygons, whole.polygons, whole.polygon_count * sizeof(WmRef)) == 0;
    if (i % 3 == 0) CHECK(same);
    differ += !same;
  }
  CHECK(differ > 5);
  wm_search_destroy(search);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Closing polygons between slices can break a shortcut: the corridor then ends before it, with the status
 * that says so, or is the one without shortcuts; it is linked in either case. */
static void flags_that_change_between_slices_never_leave_a_gap(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t seed = 4;
  for (int i = 0; i < 60; i++) {
    WmMesh *mesh = make_world(context, SIDE, 50 + (uint32_t)i % 7, false);
    WmQuery *query = NULL;
    WmSearch *search = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    CHECK_EQUAL_INT(wm_search_create(context, mesh, &search), WM_OK);
    const WmNearest start = random_place(query, SIDE, &seed), end = random_place(query, SIDE, &seed);
    const WmSearchOptions options = {.any_angle = true};
    CHECK_EQUAL_INT(wm_search_begin(search, start.polygon, start.point, end.polygon, end.point, &options),
                    WM_OK);
    for (bool done = false; !done;) {
      CHECK_EQUAL_INT(wm_search_advance(search, 4, &done, NULL), WM_OK);
      const WmNearest place = random_place(query, SIDE, &seed);
      CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, place.polygon, grid_random(&seed) % 2), WM_OK);
      WmCorridor corridor;
      CHECK_EQUAL_INT(wm_search_finish_along(search, &end.polygon, 1, &corridor), WM_OK);
      for (size_t k = 0; k + 1 < corridor.polygon_count; k++) {
        CHECK(are_linked(mesh, corridor.polygons[k], corridor.polygons[k + 1]));
      }
      CHECK_EQUAL_INT(wm_search_finish(search, &corridor), WM_OK);
      for (size_t k = 0; k + 1 < corridor.polygon_count; k++) {
        CHECK(are_linked(mesh, corridor.polygons[k], corridor.polygons[k + 1]));
      }
    }
    wm_search_destroy(search);
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

int main(void) {
  RUN(shortcuts_never_lengthen_and_come_close_to_the_shortest_way);
  RUN(shortcuts_respect_the_costs_of_areas);
  RUN(slices_and_limits_of_rays);
  RUN(flags_that_change_between_slices_never_leave_a_gap);
  return check_finish();
}
