/* Searches with shortcuts, compared with searches without them and with the true shortest path, which is
 * found in the visibility graph of all corners. */
#include "golden_queries.h"
#include "mesh/locate.h"
#include "query/local/raycast.h"

enum { SIDE = 2, CORNER_LIMIT = 600 };

/* ---- Worlds ------------------------------------------------------------------------------------------- */

/* Flat tiles with closed polygons; with areas, some have one of three. */
static WmMesh *make_world(WmContext *context, uint32_t seed, bool areas) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < SIDE * SIDE; i++) {
    const GridTile grid = {.x = i % SIDE,
                           .z = i / SIDE,
                           .seed = seed + (uint32_t)i,
                           .hole = UINT32_MAX,
                           .tree = true,
                           .flat = true};
    add_grid_tile(mesh, &grid);
  }
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 5 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0);
      if (areas) wm_mesh_set_polygon_area(mesh, tile->ref + p, (uint8_t)(grid_random(&seed) % 3));
    }
  }
  return mesh;
}

static WmNearest random_place(WmQuery *query, uint32_t *seed) {
  static const float HALF_EXTENTS[3] = {30, 30, 30};
  const float centre[3] = {random_between(seed, 0, 8 * SIDE), 0, random_between(seed, 0, 8 * SIDE)};
  WmNearest place;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, centre, HALF_EXTENTS, NULL, &place), WM_OK);
  return place;
}

/* ---- The true shortest path --------------------------------------------------------------------------- */

/* A corner, with one of the polygons that contain it: the ray to another corner may depend on the polygon. */
typedef struct Corner {
  float point[3];
  WmRef polygon;
} Corner;

typedef struct Graph {
  Corner corners[CORNER_LIMIT + 2]; /* the last two: start and end */
  size_t count;
  bool seen[CORNER_LIMIT + 2][CORNER_LIMIT + 2];
} Graph;

/* The link from one polygon to another, or NULL; *portal: its open part. */
static const WmLink *find_link(const WmMesh *mesh, WmRef from, WmRef to, const float **portal) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, from);
  const uint32_t p = wm_ref_polygon(from);
  for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
    *portal = tile->link_portals + 6 * (size_t)i;
    const WmLink *link = &tile->links[i];
    if (link->slot == wm_ref_slot(to) && link->polygon == wm_ref_polygon(to)) return link;
  }
  return NULL;
}

static bool sees(const WmMesh *mesh, WmQuery *query, const Corner *from, const Corner *to) {
  if (distance(from->point, to->point) < 1e-3f) { /* the same point: from polygon to polygon around it */
    const float *portal;
    float t;
    return find_link(mesh, from->polygon, to->polygon, &portal) &&
           wm_distance_to_segment(from->point, portal, portal + 3, &t) < 1e-3f; /* ends are in 1/255 */
  }
  WmRay ray;
  CHECK_EQUAL_INT(wm_query_raycast(query, from->polygon, from->point, to->point, NULL, true, 0, &ray), WM_OK);
  return !ray.hit && !ray.outside && ray.polygon == to->polygon;
}

/* All open polygons at a point. */
static void add_corners(const WmMesh *mesh, Graph *graph, const float point[3]) {
  for (size_t i = 0; i < graph->count; i++) {
    if (distance(graph->corners[i].point, point) < 1e-3f) return;
  }
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      float closest[3];
      wm_tile_closest_point(tile, p, point, false, closest);
      if (tile->polygon_flags[p] == 0 || distance(closest, point) > 1e-3f) continue;
      CHECK(graph->count < CORNER_LIMIT);
      if (graph->count == CORNER_LIMIT) return;
      graph->corners[graph->count++] = (Corner){{point[0], point[1], point[2]}, tile->ref + p};
    }
  }
}

/* The shortest path turns at corners of closed polygons only. */
static void make_graph(const WmMesh *mesh, WmQuery *query, Graph *graph) {
  graph->count = 0;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      for (uint32_t k = 0; k < tile->polygon_size[p] && !tile->polygon_flags[p]; k++) {
        add_corners(mesh, graph, wm_tile_vertex(tile, p, k));
      }
    }
  }
  for (size_t i = 0; i < graph->count; i++) {
    for (size_t k = 0; k < graph->count; k++) {
      graph->seen[i][k] = sees(mesh, query, &graph->corners[i], &graph->corners[k]);
    }
  }
}

/* Dijkstra; corners at the same point are one. */
static float shortest(const WmMesh *mesh, WmQuery *query, Graph *graph, const WmNearest *start,
                      const WmNearest *end) {
  const size_t from = graph->count, to = from + 1, count = to + 1;
  graph->corners[from] = (Corner){{start->point[0], start->point[1], start->point[2]}, start->polygon};
  graph->corners[to] = (Corner){{end->point[0], end->point[1], end->point[2]}, end->polygon};
  for (size_t i = 0; i < count; i++) {
    graph->seen[from][i] = sees(mesh, query, &graph->corners[from], &graph->corners[i]);
    graph->seen[i][to] = sees(mesh, query, &graph->corners[i], &graph->corners[to]);
  }
  static float costs[CORNER_LIMIT + 2];
  static bool closed[CORNER_LIMIT + 2];
  for (size_t i = 0; i < count; i++) costs[i] = INFINITY;
  memset(closed, 0, sizeof closed);
  costs[from] = 0;
  for (;;) {
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
      if (!closed[i] && costs[i] < INFINITY && (best == count || costs[i] < costs[best])) best = i;
    }
    if (best == count || best == to) return costs[to];
    closed[best] = true;
    for (size_t i = 0; i < count; i++) {
      const float step = distance(graph->corners[best].point, graph->corners[i].point);
      if (graph->seen[best][i] && costs[best] + step < costs[i]) costs[i] = costs[best] + step;
    }
  }
}

/* ---- Properties --------------------------------------------------------------------------------------- */

static bool are_linked(const WmMesh *mesh, WmRef from, WmRef to) {
  const float *portal;
  return find_link(mesh, from, to, &portal) != NULL;
}

static void check_corridor(const WmMesh *mesh, const WmPath *path) {
  CHECK(path->polygons[0] == path->start.polygon);
  for (size_t i = 0; i + 1 < path->polygon_count; i++) {
    CHECK(are_linked(mesh, path->polygons[i], path->polygons[i + 1]));
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, path->polygons[i + 1]);
    CHECK(tile->polygon_flags[wm_ref_polygon(path->polygons[i + 1])] != 0);
  }
}

static void shortcuts_never_lengthen_and_come_close_to_the_shortest_way(void) {
  static Graph graph;
  WmContext *context = wm_context_create(NULL);
  double plain_sum = 0, short_sum = 0, worst = 1;
  int count = 0, shorter = 0, best = 0, plain_best = 0, unreachable = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    WmMesh *mesh = make_world(context, 10 * world, false);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    make_graph(mesh, query, &graph);
    uint32_t seed = world;
    for (int i = 0; i < 50; i++) {
      const WmNearest start = random_place(query, &seed), end = random_place(query, &seed);
      WmPathOptions options = wm_path_options_default();
      WmPath plain, path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, &options, &plain), WM_OK);
      const float length = plain.length;
      const WmPathState state = plain.state;
      options.search.any_angle = true;
      CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, &options, &path), WM_OK);
      CHECK_EQUAL_INT(path.state, state);
      check_corridor(mesh, &path);
      CHECK(path.length <= length + 1e-3f);
      if (path.state != WM_PATH_COMPLETE) {
        unreachable++;
        continue;
      }
      CHECK(path.polygons[path.polygon_count - 1] == path.end.polygon);
      CHECK(fabsf(path.cost - path.length) <= 1e-3f * (1 + path.length));
      const float least = shortest(mesh, query, &graph, &path.start, &path.end);
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
    WmMesh *mesh = make_world(context, 10 * world, true);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t seed = world;
    WmFilter filter = wm_filter_default();
    for (int i = 0; i < 40; i++) {
      filter.area_costs[1] = random_between(&seed, 0.5f, 4);
      filter.area_costs[2] = random_between(&seed, 1, 10);
      const WmNearest start = random_place(query, &seed), end = random_place(query, &seed);
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
  WmMesh *mesh = make_world(context, 30, false);
  WmQuery *query = NULL;
  WmSearch *search = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  CHECK_EQUAL_INT(wm_search_create(context, mesh, &search), WM_OK);
  uint32_t seed = 3;
  int differ = 0;
  for (int i = 0; i < 60; i++) {
    const WmNearest start = random_place(query, &seed), end = random_place(query, &seed);
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
    WmMesh *mesh = make_world(context, 50 + (uint32_t)i % 7, false);
    WmQuery *query = NULL;
    WmSearch *search = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    CHECK_EQUAL_INT(wm_search_create(context, mesh, &search), WM_OK);
    const WmNearest start = random_place(query, &seed), end = random_place(query, &seed);
    const WmSearchOptions options = {.any_angle = true};
    CHECK_EQUAL_INT(wm_search_begin(search, start.polygon, start.point, end.polygon, end.point, &options),
                    WM_OK);
    for (bool done = false; !done;) {
      CHECK_EQUAL_INT(wm_search_advance(search, 4, &done, NULL), WM_OK);
      const WmNearest place = random_place(query, &seed);
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
