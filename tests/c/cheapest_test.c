/* Lines that cost least where ground costs differ, compared with the cheapest way over points close together on all portals,
 * which shares no code with the search, and with their own neighbours. */
#include "query/query_internal.h"
#include "visibility_graph.h"

enum { SIDE = 2, POINTS = 17, POINT_LIMIT = 20000 };

/* ---- The cheapest way over points --------------------------------------------------------------------- */

/* A point on the portal of a link, behind which the way goes on in the link's polygon. */
typedef struct Point {
  float at[3];
  double cost;
  bool waits;
} Point;

static Point points[POINT_LIMIT];
static uint32_t waiting[POINT_LIMIT];

static float unit_cost(const WmMesh *mesh, WmRef polygon, const WmFilter *filter) {
  return filter->area_costs[wm_mesh_tile_of(mesh, polygon)->polygon_area[wm_ref_polygon(polygon)]];
}

/* The first point of each tile's links. */
static size_t number_points(const WmMesh *mesh, size_t first[SIDE * SIDE]) {
  size_t count = 0;
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    first[s] = count;
    count += (size_t)tile->link_first[tile->ground_count] * POINTS;
  }
  CHECK(count <= POINT_LIMIT);
  for (size_t i = 0; i < count; i++) points[i] = (Point){.cost = (double)INFINITY};
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (size_t l = 0; l < tile->link_first[tile->ground_count]; l++) {
      for (size_t k = 0; k < POINTS; k++)
        wm_interpolate(tile->link_portals + 6 * l, tile->link_portals + 6 * l + 3, (float)k / (POINTS - 1),
                       points[first[s] + l * POINTS + k].at);
    }
  }
  return count;
}

/* Leads the way from a point of a polygon to the points of its links. */
static void lead_on(const WmMesh *mesh, const size_t *first, const WmFilter *filter, const WmMeshTile *tile,
                    uint32_t polygon, const float from[3], double cost, size_t limit, size_t *end) {
  const double unit = (double)unit_cost(mesh, tile->ref + polygon, filter);
  for (size_t l = tile->link_first[polygon]; l < tile->link_first[polygon + 1]; l++) {
    const WmLink *link = tile->links + l;
    if (wm_mesh_tile(mesh, link->slot)->polygon_flags[link->polygon] == 0) continue;
    for (size_t k = 0; k < POINTS; k++) {
      const size_t number = first[tile->slot] + l * POINTS + k;
      const double sum = cost + unit * (double)distance(from, points[number].at);
      if (!(sum < points[number].cost)) continue;
      points[number].cost = sum;
      if (points[number].waits) continue;
      points[number].waits = true;
      waiting[*end] = (uint32_t)number;
      *end = (*end + 1) % limit;
    }
  }
}

/* Labels are corrected until none changes. */
static double find_cheapest(const WmMesh *mesh, const WmFilter *filter, const WmNearest *start,
                            const WmNearest *to) {
  size_t first[SIDE * SIDE], begin = 0, end = 0;
  const size_t count = number_points(mesh, first), limit = count + 1;
  const double unit = (double)unit_cost(mesh, to->polygon, filter);
  double best =
      start->polygon == to->polygon ? unit * (double)distance(start->point, to->point) : (double)INFINITY;
  lead_on(mesh, first, filter, wm_mesh_tile_of(mesh, start->polygon), wm_ref_polygon(start->polygon),
          start->point, 0, limit, &end);
  for (; begin != end; begin = (begin + 1) % limit) {
    Point *point = &points[waiting[begin]];
    point->waits = false;
    size_t s = 0;
    while (s + 1 < SIDE * SIDE && first[s + 1] <= waiting[begin]) s++;
    const WmLink *link = wm_mesh_tile(mesh, s)->links + (waiting[begin] - first[s]) / POINTS;
    const WmMeshTile *tile = wm_mesh_tile(mesh, link->slot);
    if (tile->ref + link->polygon == to->polygon)
      best = fmin(best, point->cost + unit * (double)distance(point->at, to->point));
    lead_on(mesh, first, filter, tile, link->polygon, point->at, point->cost, limit, &end);
  }
  return best;
}

/* ---- Lines -------------------------------------------------------------------------------------------- */

typedef struct Case {
  WmMesh *mesh;
  WmQuery *query;
  WmFilter filter;
  WmNearest start, end;
} Case;

/* The cost of the ordinary string, and if there is one. */
static bool find_ordinary(const Case *at, float *cost) {
  static WmRef polygons[1024];
  WmCorridor corridor;
  const WmSearchOptions search = {.filter = &at->filter};
  CHECK_EQUAL_INT(wm_query_find_corridor(at->query, at->start.polygon, at->start.point, at->end.polygon,
                                         at->end.point, &search, &corridor),
                  WM_OK);
  if (corridor.state != WM_PATH_COMPLETE) return false;
  memcpy(polygons, corridor.polygons, corridor.polygon_count * sizeof *polygons);
  CHECK_EQUAL_INT(wm_query_measure(at->query, at->start.point, at->end.point, polygons,
                                   corridor.polygon_count, &at->filter, cost),
                  WM_OK);
  return true;
}

static WmPath find_line(const Case *at, bool shortest, WmCrossings crossings) {
  WmPathOptions options = wm_path_options_default();
  options.search.filter = &at->filter;
  options.search.shortest = shortest;
  options.search.any_angle = !shortest;
  options.crossings = crossings;
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(at->query, at->start.point, at->end.point, &options, &path), WM_OK);
  return path;
}

/* The cost of a part of a line with all crossings, which lies in the polygon that its first point enters. */
static double cost_of_part(const Case *at, const WmPath *path, size_t part, const float from[3],
                           const float to[3]) {
  return (double)unit_cost(at->mesh, path->point_polygons[part], &at->filter) * (double)distance(from, to);
}

/* True if the line's corridor leads straight from one polygon to the other: not round a vertex, where several crossings are one point. */
static bool are_neighbours(const WmPath *path, WmRef from, WmRef to) {
  for (size_t i = 0; i + 1 < path->polygon_count; i++)
    if (path->polygons[i] == from && path->polygons[i + 1] == to) return true;
  return false;
}

/* The stated cost is that of the points, and no point that moves along its portal makes the line cheaper.
 * returns    the number of points that were moved */
static int check_line(const Case *at) {
  const WmPath path = find_line(at, true, WM_CROSSINGS_ALL);
  CHECK(wm_path_validate(at->mesh, &path));
  double cost = 0;
  int moved_count = 0;
  for (size_t k = 0; k + 1 < path.point_count; k++) {
    const float *point = path.points + 3 * k, *next = point + 3;
    cost += cost_of_part(at, &path, k, point, next);
    if (k == 0) continue;
    const float *portal;
    if (!are_neighbours(&path, path.point_polygons[k - 1], path.point_polygons[k])) continue;
    if (!find_link(at->mesh, path.point_polygons[k - 1], path.point_polygons[k], &portal)) continue;
    float t;
    if (wm_distance_to_segment(point, portal, portal + 3, &t) > 1e-6f) continue;
    moved_count++;
    const double here =
        cost_of_part(at, &path, k - 1, point - 3, point) + cost_of_part(at, &path, k, point, next);
    for (float step = -0.05f; step < 0.1f; step += 0.1f) {
      float moved[3];
      wm_interpolate(portal, portal + 3, wm_clamp_unit(t + step), moved);
      const double there =
          cost_of_part(at, &path, k - 1, point - 3, moved) + cost_of_part(at, &path, k, moved, next);
      CHECK(there > here - 1e-4 * cost - 1e-4);
    }
  }
  CHECK(fabs(cost - (double)path.cost) <= 1e-3 * (cost + 1));
  return moved_count;
}

/* Slices find the same corridor, and a string with the filter's costs is the same line. */
static void check_slices(const Case *at, WmSearch *search, const WmPath *path) {
  static float line[3 * 1024];
  memcpy(line, path->points, path->point_count * 3 * sizeof *line);
  const size_t count = path->point_count;
  WmPathOptions options = wm_path_options_default();
  options.search.filter = &at->filter;
  options.search.shortest = true;
  CHECK_EQUAL_INT(wm_search_begin(search, at->start.polygon, at->start.point, at->end.polygon, at->end.point,
                                  &options.search),
                  WM_OK);
  WmCorridor corridor;
  for (bool done = false; !done;) {
    CHECK_EQUAL_INT(wm_search_advance(search, 7, &done, NULL), WM_OK);
    CHECK_EQUAL_INT(wm_search_finish(search, &corridor), WM_OK);
    CHECK_EQUAL_INT(corridor.reason == WM_PATH_REASON_UNFINISHED, !done);
    CHECK(corridor.bound <= corridor.cost);
  }
  CHECK(corridor.cost == path->cost);
  WmPath again;
  CHECK_EQUAL_INT(wm_query_straighten_wide(at->query, at->start.point, at->end.point, corridor.polygons,
                                           corridor.polygon_count, &options, &again),
                  WM_OK);
  CHECK_EQUAL_INT(again.point_count, count);
  for (size_t i = 0; i < 3 * count && again.point_count == count; i++)
    CHECK(fabsf(again.points[i] - line[i]) < 1e-3f);
}

typedef struct Sums {
  int paths, near, far, cheaper, moved;
  double worst;
} Sums;

static void check_case(const Case *at, WmSearch *search, Sums *sums) {
  float ordinary;
  if (!find_ordinary(at, &ordinary) || ordinary < 1) return;
  const float any_angle = find_line(at, false, WM_CROSSINGS_NONE).cost;
  const WmPath path = find_line(at, true, WM_CROSSINGS_NONE);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  CHECK(path.cost <= ordinary && any_angle <= ordinary);
  CHECK(path.bound <= path.cost);
  const double cheapest = find_cheapest(at->mesh, &at->filter, &at->start, &at->end);
  CHECK((double)path.bound <= cheapest * 1.0001);
  const double ratio = (double)fmaxf(path.cost, any_angle) / cheapest;
  sums->paths++;
  sums->near += ratio < 1.01;
  sums->far += ratio > 1.05;
  sums->cheaper += path.cost < ordinary * 0.99f;
  sums->worst = fmax(sums->worst, ratio);
  check_slices(at, search, &path);
  sums->moved += check_line(at);
}

static void lines_cost_hardly_more_than_the_cheapest_way(void) {
  WmContext *context = wm_context_create(NULL);
  Sums sums = {0};
  for (uint32_t world = 1; world <= 5; world++) {
    Case at = {.mesh = make_world(context, SIDE, 10 * world, true), .filter = wm_filter_default()};
    WmSearch *search = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, at.mesh, &at.query), WM_OK);
    CHECK_EQUAL_INT(wm_search_create(context, at.mesh, &search), WM_OK);
    uint32_t seed = world;
    for (int i = 0; i < 16; i++) {
      for (int k = 0; k < 3; k++) at.filter.area_costs[k] = random_between(&seed, 0.3f, 8);
      at.start = random_place(at.query, SIDE, &seed);
      at.end = random_place(at.query, SIDE, &seed);
      check_case(&at, search, &sums);
    }
    wm_search_destroy(search);
    wm_query_destroy(at.query);
    wm_mesh_destroy(at.mesh);
  }
  printf(
      "%d lines, %d within 1 %% of the cheapest way over points, %d farther than 5 %%, at most %.3f times; "
      "%d cheaper than the "
      "ordinary string\n",
      sums.paths, sums.near, sums.far, sums.worst, sums.cheaper);
  CHECK(sums.paths > 40 && sums.cheaper > 20 && sums.moved > 3 * sums.paths);
  CHECK(sums.near * 10 > sums.paths * 9 && sums.far * 20 <= sums.paths);
  wm_context_destroy(context);
}

/* Costs of single polygons count like those of areas; ground may cost nothing. */
static void a_line_leaves_a_polygon_whose_factor_is_high(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, SIDE, 20, false);
  WmQuery *query = NULL;
  WmCosts *costs = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  CHECK_EQUAL_INT(wm_costs_create(context, mesh, &costs), WM_OK);
  Case at = {.mesh = mesh, .query = query, .filter = wm_filter_default()};
  uint32_t seed = 5;
  int cheaper = 0;
  for (int i = 0; i < 40; i++) {
    at.start = random_place(query, SIDE, &seed);
    at.end = random_place(query, SIDE, &seed);
    const WmRef polygons[2] = {at.start.polygon, at.end.polygon};
    const float factors[2] = {i % 2 ? 9 : 0, 4};
    wm_costs_clear(costs);
    CHECK_EQUAL_INT(wm_costs_set(costs, polygons, factors, 2), WM_OK);
    at.filter.costs = costs;
    float ordinary;
    if (!find_ordinary(&at, &ordinary)) continue;
    const float cost = find_line(&at, true, WM_CROSSINGS_NONE).cost;
    CHECK(cost <= ordinary && find_line(&at, false, WM_CROSSINGS_NONE).cost <= ordinary);
    cheaper += cost < ordinary * 0.99f;
  }
  CHECK(cheaper > 5);
  wm_costs_destroy(costs);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(lines_cost_hardly_more_than_the_cheapest_way);
  RUN(a_line_leaves_a_polygon_whose_factor_is_high);
  return check_finish();
}
