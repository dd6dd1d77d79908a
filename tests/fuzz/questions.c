/* Queries on any mesh that has passed the checks: calls each function of src/query/, on polygons and points
 * that follow from a seed. To add a query, write an ask_... function and add it to QUESTIONS. */
#include <math.h>

#include "harness.h"
#include "query/batch.h"
#include "query/corridor/corridor.h"
#include "query/local/raycast.h"
#include "query/local/move.h"
#include "query/local/walls.h"
#include "query/local/overlap.h"
#include "query/local/neighbourhood.h"
#include "query/search/flood.h"
#include "query/search/islands.h"
#include "query/local/random.h"

/* The arguments of a query: two polygons and points near them. */
typedef struct Asking {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmIslands *islands;
  uint32_t random;
  WmRef refs[2];
  float points[2][3];
  WmFilter filter; /* one area is expensive, one is cheap; sometimes with `costs` */
  WmCosts *costs;
} Asking;

static uint32_t draw(Asking *asking, uint32_t count) {
  asking->random = asking->random * 1664525u + 1013904223u;
  return (asking->random >> 8) % count;
}

static bool are_finite(const float *numbers, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++) finite &= isfinite(numbers[i]) != 0;
  return finite;
}

static bool is_live(const Asking *asking, WmRef ref) { return wm_mesh_tile_of(asking->mesh, ref) != NULL; }

static void require_nearest(const Asking *asking, const WmNearest *nearest) {
  FUZZ_REQUIRE(!nearest->polygon || is_live(asking, nearest->polygon));
  FUZZ_REQUIRE(are_finite(nearest->point, 3));
}

/* ---- Points ------------------------------------------------------------------------------------------- */

static void ask_points(Asking *asking) {
  static const float EXTENTS[4][3] = {{2, 4, 2}, {0, 0, 0}, {0.1f, 100, 0.1f}, {1e9f, 1e9f, 1e9f}};
  WmNearest nearest;
  FUZZ_REQUIRE(!wm_query_find_nearest(asking->query, asking->points[0], EXTENTS[draw(asking, 4)],
                                      &asking->filter, &nearest));
  require_nearest(asking, &nearest);
  FUZZ_REQUIRE(!wm_query_closest_point(asking->query, asking->refs[0], asking->points[1], &nearest));
  FUZZ_REQUIRE(nearest.polygon == asking->refs[0]);
  require_nearest(asking, &nearest);
  WmNearestOptions options = wm_nearest_options_default();
  options.filter = &asking->filter;
  options.preference = (WmHeightPreference)draw(asking, 4);
  options.radius = draw(asking, 2) ? 3.0f : 0;
  FUZZ_REQUIRE(!wm_query_find_nearest_point(asking->query, asking->points[0], &options, &nearest));
  require_nearest(asking, &nearest);
  FUZZ_REQUIRE(!wm_query_closest_boundary_point(asking->query, asking->refs[0], asking->points[1], &nearest));
  require_nearest(asking, &nearest);
  float height;
  bool found;
  FUZZ_REQUIRE(!wm_query_height(asking->query, asking->refs[0], asking->points[0], &height, &found));
  FUZZ_REQUIRE(!found || isfinite(height));
}

/* ---- Paths -------------------------------------------------------------------------------------------- */

static void require_corridor(const Asking *asking, const WmCorridor *corridor) {
  FUZZ_REQUIRE(corridor->polygon_count > 0 && corridor->polygons[0] == asking->refs[0]);
  for (size_t i = 0; i < corridor->polygon_count; i++) FUZZ_REQUIRE(is_live(asking, corridor->polygons[i]));
  FUZZ_REQUIRE(corridor->cost >= 0 && corridor->bound >= 0 && corridor->bound <= corridor->cost);
}

static void require_path(const WmPath *path) {
  FUZZ_REQUIRE(are_finite(path->points, 3 * path->point_count));
  FUZZ_REQUIRE(path->length >= 0 && path->remaining >= 0);
  FUZZ_REQUIRE(path->bound >= 0 && path->bound <= path->cost);
}

static void ask_corridor(Asking *asking) {
  WmSearchOptions options = wm_search_options_default();
  options.filter = draw(asking, 2) ? &asking->filter : NULL;
  options.max_nodes = draw(asking, 2) ? 0 : 1 + draw(asking, 20);
  options.any_angle = draw(asking, 2);
  options.shortest = draw(asking, 2);
  WmCorridor corridor;
  FUZZ_REQUIRE(!wm_query_find_corridor(asking->query, asking->refs[0], asking->points[0], asking->refs[1],
                                       asking->points[1], &options, &corridor));
  require_corridor(asking, &corridor);
  WmPath path;
  FUZZ_REQUIRE(!wm_query_straighten(asking->query, asking->points[0], asking->points[1], corridor.polygons,
                                    corridor.polygon_count, (WmCrossings)draw(asking, 3), draw(asking, 9),
                                    &path));
  require_path(&path);
  if (corridor.polygon_count % 4) return; /* lines away from walls take longer than all of these */
  WmPathOptions wide = wm_path_options_default();
  wide.search.filter = options.filter;
  wide.search.wall_distance = fminf(path.length / 16, 1e6f);
  FUZZ_REQUIRE(!wm_query_find_corridor(asking->query, asking->refs[0], asking->points[0], asking->refs[1],
                                       asking->points[1], &options, &corridor));
  FUZZ_REQUIRE(!wm_query_straighten_wide(asking->query, asking->points[0], asking->points[1],
                                         corridor.polygons, corridor.polygon_count, &wide, &path));
  require_path(&path);
}

static void ask_path(Asking *asking) {
  WmPathOptions options = wm_path_options_default();
  options.search.filter = draw(asking, 2) ? &asking->filter : NULL;
  options.search.any_angle = draw(asking, 4) == 0;
  options.search.shortest = draw(asking, 4) == 0;
  if (draw(asking, 2)) options.search.wall_distance = 0.1f * (float)draw(asking, 40);
  const bool is_ordinary = !options.search.any_angle && !options.search.shortest;
  if (is_ordinary && options.search.wall_distance > 0) options.search.wall_cost = (float)draw(asking, 4);
  options.crossings = (WmCrossings)draw(asking, 3);
  options.islands = draw(asking, 2) ? asking->islands : NULL;
  WmPath path;
  FUZZ_REQUIRE(!wm_query_find_path(asking->query, asking->points[0], asking->points[1], &options, &path));
  require_path(&path);
}

static void ask_smooth_path(Asking *asking) {
  WmPathOptions options = wm_path_options_default();
  options.max_points = 1 + draw(asking, 60);
  WmPath path;
  FUZZ_REQUIRE(
      !wm_query_find_smooth_path(asking->query, asking->points[0], asking->points[1], 0.5f, &options, &path));
  require_path(&path);
  FUZZ_REQUIRE(path.point_count <= options.max_points);
}

/* The statuses that a path corridor may return for polygons that all exist. */
static void require_kept(WmStatus status) { FUZZ_REQUIRE(!status || status == WM_ERROR_STATE); }

static void ask_path_corridor(Asking *asking) {
  WmPathCorridor *corridor = NULL;
  FUZZ_REQUIRE(!wm_corridor_create(asking->context, asking->query, &corridor));
  FUZZ_REQUIRE(!wm_corridor_reset(corridor, asking->refs[0], asking->points[0]));
  WmCorridor found;
  FUZZ_REQUIRE(!wm_query_find_corridor(asking->query, asking->refs[0], asking->points[0], asking->refs[1],
                                       asking->points[1], NULL, &found));
  require_kept(wm_corridor_set(corridor, asking->points[1], found.polygons, found.polygon_count));
  WmPath corners;
  WmCorridorState state;
  bool changed;
  for (int step = 0; step < 3; step++) {
    require_kept(wm_corridor_find_corners(corridor, 1 + draw(asking, 4), &corners));
    const float *next = corners.point_count ? corners.points : asking->points[1];
    const float target[3] = {next[0], next[1], next[2]};
    require_kept(wm_corridor_optimize_visibility(corridor, target, 10, &asking->filter, &changed));
    require_kept(wm_corridor_optimize_topology(corridor, 32, &asking->filter, &changed));
    require_kept(wm_corridor_move(corridor, target, &asking->filter));
    require_kept(wm_corridor_move_target(corridor, asking->points[step & 1], &asking->filter));
    wm_corridor_state(corridor, &state);
    FUZZ_REQUIRE(are_finite(state.position, 3) && are_finite(state.target, 3));
    for (size_t i = 0; i < state.polygon_count; i++) FUZZ_REQUIRE(is_live(asking, state.polygons[i]));
    (void)wm_corridor_is_valid(corridor, draw(asking, 5), &asking->filter);
  }
  require_kept(wm_corridor_trim(corridor, asking->refs[0], asking->points[0], &asking->filter));
  wm_corridor_destroy(corridor);
}

static void ask_search(Asking *asking) {
  WmSearch *search = NULL;
  FUZZ_REQUIRE(!wm_search_create(asking->context, asking->mesh, &search));
  WmSearchOptions options = wm_search_options_default();
  options.any_angle = draw(asking, 2);
  options.shortest = draw(asking, 2);
  FUZZ_REQUIRE(!wm_search_begin(search, asking->refs[0], asking->points[0], asking->refs[1],
                                asking->points[1], &options));
  WmCorridor corridor;
  bool done = false;
  for (int i = 0; i < 3; i++) FUZZ_REQUIRE(!wm_search_advance(search, 1 + draw(asking, 9), &done, NULL));
  FUZZ_REQUIRE(!wm_search_finish(search, &corridor));
  require_corridor(asking, &corridor);
  FUZZ_REQUIRE(!wm_search_finish_along(search, asking->refs, 2, &corridor));
  require_corridor(asking, &corridor);
  wm_search_destroy(search);
}

/* ---- Local queries --------------------------------------------------------------------------------- */

static void ask_ray(Asking *asking) {
  WmRay ray;
  FUZZ_REQUIRE(!wm_query_raycast(asking->query, asking->refs[0], asking->points[0], asking->points[1],
                                 &asking->filter, true, draw(asking, 6), &ray));
  FUZZ_REQUIRE(ray.t >= 0 && ray.t <= 1 && are_finite(ray.point, 3) && are_finite(ray.normal, 3));
  FUZZ_REQUIRE(is_live(asking, ray.polygon));
}

static void ask_move(Asking *asking) {
  WmMove move;
  FUZZ_REQUIRE(!wm_query_move_along_surface(asking->query, asking->refs[0], asking->points[0],
                                            asking->points[1], &asking->filter, draw(asking, 2), &move));
  FUZZ_REQUIRE(is_live(asking, move.polygon) && are_finite(move.point, 3) && move.polygon_count > 0);
}

static void ask_walls(Asking *asking) {
  static const float RADII[3] = {0, 2, 1e9f};
  WmWall wall;
  FUZZ_REQUIRE(!wm_query_distance_to_wall(asking->query, asking->refs[0], asking->points[0],
                                          RADII[draw(asking, 3)], &asking->filter, &wall));
  FUZZ_REQUIRE(wall.distance >= 0 && are_finite(wall.point, 3) && are_finite(wall.normal, 3));
  WmSegments segments;
  FUZZ_REQUIRE(
      !wm_query_wall_segments(asking->query, asking->refs[0], &asking->filter, draw(asking, 2), &segments));
  for (size_t i = 0; i < segments.count; i++) FUZZ_REQUIRE(are_finite(segments.ends[i][0], 6));
}

static void ask_neighbourhood(Asking *asking) {
  WmPolygons polygons;
  FUZZ_REQUIRE(!wm_query_local_neighbourhood(asking->query, asking->refs[0], asking->points[0],
                                             draw(asking, 4) ? 3.0f : 1e9f, &asking->filter, draw(asking, 30),
                                             &polygons));
  for (size_t i = 0; i < polygons.count; i++) {
    FUZZ_REQUIRE(is_live(asking, polygons.polygons[i]) && polygons.parents[i] <= i);
  }
}

static void require_polygons(const Asking *asking, const WmPolygons *polygons) {
  for (size_t i = 0; i < polygons->count; i++) FUZZ_REQUIRE(is_live(asking, polygons->polygons[i]));
}

static void ask_overlap(Asking *asking) {
  const float *at = asking->points[0], half_extents[3] = {2, 3, 2};
  const float outline[3][3] = {{at[0], at[1], at[2]}, {at[0] + 4, at[1], at[2]}, {at[0], at[1], at[2] + 4}};
  WmPolygons polygons;
  FUZZ_REQUIRE(!wm_query_polygons_in_box(asking->query, at, half_extents, NULL, draw(asking, 9), &polygons));
  require_polygons(asking, &polygons);
  FUZZ_REQUIRE(!wm_query_polygons_in_circle(asking->query, at, draw(asking, 4) ? 2.5f : 1e8f, 2,
                                            &asking->filter, draw(asking, 9), &polygons));
  require_polygons(asking, &polygons);
  /* With large numbers the outline may lose its convexity. */
  const WmStatus status = wm_query_polygons_in_convex(asking->query, outline[0], 3, at[1] - 1, at[1] + 1,
                                                      NULL, draw(asking, 9), &polygons);
  FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
  require_polygons(asking, &polygons);
}

/* ---- Floods and islands ---------------------------------------------------------------------------- */

static void ask_flood(Asking *asking) {
  WmFloodOptions options = wm_flood_options_default();
  options.filter = &asking->filter;
  if (draw(asking, 2)) options.radius = 4;
  if (draw(asking, 2)) options.max_cost = 8;
  options.max_polygons = draw(asking, 20);
  WmFlood flood;
  FUZZ_REQUIRE(!wm_query_flood(asking->query, asking->refs[0], asking->points[0], &options, &flood));
  FUZZ_REQUIRE(flood.count > 0);
  WmRef path[4];
  for (size_t i = 0; i < flood.count; i++) {
    FUZZ_REQUIRE(is_live(asking, flood.polygons[i]) && flood.costs[i] >= 0);
    FUZZ_REQUIRE(i == 0 || (flood.parents[i] < i && flood.costs[i] >= flood.costs[i - 1]));
    FUZZ_REQUIRE(wm_flood_path(&flood, i, path, 4) > 0);
  }
}

static void ask_islands(Asking *asking) {
  FUZZ_REQUIRE(!wm_islands_update(asking->islands, &asking->filter));
  const size_t count = wm_islands_count(asking->islands);
  const uint32_t island = wm_islands_of(asking->islands, asking->refs[0]);
  FUZZ_REQUIRE(island <= count && !isnan(wm_islands_area(asking->islands, island)));
  const WmNearest point = wm_islands_point(asking->islands, island);
  FUZZ_REQUIRE(!point.polygon || wm_islands_of(asking->islands, point.polygon) == island);
}

static void ask_random(Asking *asking) {
  WmRandom random = wm_random_seeded(asking->random);
  WmRandomOptions options = wm_random_options_default();
  options.filter = &asking->filter;
  options.area = draw(asking, 3) ? -1 : (int)draw(asking, 4);
  WmNearest nearest;
  FUZZ_REQUIRE(!wm_query_random_point(asking->query, &random, &options, &nearest));
  require_nearest(asking, &nearest);
  FUZZ_REQUIRE(!wm_query_random_point_around(asking->query, &random, asking->refs[0], asking->points[0],
                                             draw(asking, 2) ? 3.0f : 1e6f, &asking->filter, &nearest));
  require_nearest(asking, &nearest);
}

static void ask_surface(Asking *asking) {
  const WmMeshTile *tile = wm_mesh_tile_of(asking->mesh, asking->refs[0]);
  float *positions = malloc((tile->triangle_count + 1) * 9 * sizeof(float));
  FUZZ_REQUIRE(positions);
  wm_mesh_tile_triangles(tile, positions, NULL);
  FUZZ_REQUIRE(are_finite(positions, 9 * (size_t)tile->triangle_count));
  free(positions);
}

/* ---- Factors of polygons ------------------------------------------------------------------------------ */

/* Sets factors of the two polygons, or removes all factors, for the queries that follow. */
static void ask_costs(Asking *asking) {
  static const float FACTORS[5] = {0, 0.25f, 1, 3, 1e30f};
  const float factors[2] = {FACTORS[draw(asking, 5)], FACTORS[draw(asking, 5)]};
  FUZZ_REQUIRE(!wm_costs_set(asking->costs, asking->refs, factors, 2));
  FUZZ_REQUIRE(wm_costs_set(asking->costs, asking->refs, (const float[2]){1, -1}, 2));
  const WmMeshTile *tile = wm_mesh_tile_of(asking->mesh, asking->refs[1]);
  FUZZ_REQUIRE(wm_costs_of(asking->costs, tile)[wm_ref_polygon(asking->refs[1])] == factors[1]);
  FUZZ_REQUIRE(wm_costs_least(asking->costs) >= 0 && wm_costs_least(asking->costs) <= 1);
  if (draw(asking, 8) == 0) wm_costs_clear(asking->costs);
  asking->filter.costs = draw(asking, 2) ? asking->costs : NULL;
}

/* ---- Many at once ------------------------------------------------------------------------------------- */

enum { ROWS = 4, GUARD = 77 };

/* Arrays of a batch, with a row behind each that must stay unchanged. */
typedef struct Batch {
  WmRef refs[ROWS + 1], found[ROWS + 1];
  float from[3 * ROWS + 3], to[3 * ROWS + 3], points[3 * ROWS + 3], normals[3 * ROWS + 3];
  float numbers[3][ROWS + 1];
  uint32_t path_starts[ROWS + 2];
  uint8_t bytes[2][ROWS + 1], statuses[ROWS + 1];
} Batch;

/* All rows but the last are valid: that has an invalid reference, or a position with NaN. */
static void fill_batch(Asking *asking, Batch *batch) {
  memset(batch, GUARD, sizeof *batch);
  for (uint32_t i = 0; i < ROWS; i++) {
    const uint32_t which = draw(asking, 2);
    batch->refs[i] = asking->refs[which];
    memcpy(batch->from + 3 * i, asking->points[which], 3 * sizeof(float));
    memcpy(batch->to + 3 * i, asking->points[draw(asking, 2)], 3 * sizeof(float));
  }
  batch->from[3 * ROWS - 1] = NAN;
}

/* All rows but the last have results, and no memory behind them is written. */
static void require_batch(const Batch *batch, WmStatus status) {
  FUZZ_REQUIRE(!status);
  const uint8_t *guards[] = {
      (const uint8_t *)(batch->refs + ROWS),           (const uint8_t *)(batch->found + ROWS),
      (const uint8_t *)(batch->from + 3 * ROWS),       (const uint8_t *)(batch->points + 3 * ROWS),
      (const uint8_t *)(batch->normals + 3 * ROWS),    (const uint8_t *)(batch->numbers[0] + ROWS),
      (const uint8_t *)(batch->numbers[1] + ROWS),     (const uint8_t *)(batch->numbers[2] + ROWS),
      (const uint8_t *)(batch->path_starts + ROWS + 1)};
  for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
    for (int k = 0; k < 4; k++) FUZZ_REQUIRE(guards[i][k] == GUARD);
  }
  FUZZ_REQUIRE(batch->bytes[0][ROWS] == GUARD && batch->bytes[1][ROWS] == GUARD &&
               batch->statuses[ROWS] == GUARD);
  for (int i = 0; i < ROWS; i++) {
    FUZZ_REQUIRE(batch->statuses[i] == (i == ROWS - 1 ? WM_ERROR_INVALID_ARGUMENT : WM_OK));
  }
}

static void ask_batches(Asking *asking) {
  Batch batch;
  WmNearestOptions nearest = wm_nearest_options_default();
  nearest.filter = &asking->filter;
  fill_batch(asking, &batch);
  require_batch(&batch, wm_query_find_nearest_batch(asking->query, ROWS, batch.from, &nearest, batch.found,
                                                    batch.points, batch.bytes[0], batch.statuses));
  FUZZ_REQUIRE(batch.found[ROWS - 1] == 0);
  require_batch(&batch, wm_query_raycast_batch(asking->query, ROWS, batch.refs, batch.from, batch.to,
                                               &asking->filter, true, batch.numbers[0], batch.points,
                                               batch.normals, batch.found, batch.statuses));
  for (int i = 0; i < ROWS - 1; i++) FUZZ_REQUIRE(is_live(asking, batch.found[i]));
  FUZZ_REQUIRE(batch.found[ROWS - 1] == 0 && are_finite(batch.points, 3 * ROWS));
  require_batch(&batch, wm_query_height_batch(asking->query, ROWS, batch.refs, batch.from, batch.numbers[0],
                                              batch.bytes[0], batch.statuses));
  require_batch(
      &batch, wm_query_distance_to_wall_batch(asking->query, ROWS, batch.refs, batch.from, 5, &asking->filter,
                                              batch.numbers[1], batch.points, batch.normals, batch.statuses));
  FUZZ_REQUIRE(are_finite(batch.numbers[0], ROWS) && are_finite(batch.numbers[1], ROWS));
  WmPathOptions path = wm_path_options_default();
  path.search.filter = &asking->filter;
  path.islands = draw(asking, 2) ? asking->islands : NULL;
  const float *points;
  require_batch(&batch,
                wm_query_find_path_batch(asking->query, ROWS, batch.from, batch.to, &path, batch.bytes[0],
                                         batch.bytes[1], batch.numbers[0], batch.numbers[1], batch.numbers[2],
                                         batch.path_starts, &points, batch.statuses));
  FUZZ_REQUIRE(batch.path_starts[ROWS] == batch.path_starts[ROWS - 1]);
  FUZZ_REQUIRE(are_finite(points, 3 * (size_t)batch.path_starts[ROWS]));
  require_batch(&batch, wm_query_move_batch(asking->query, ROWS, batch.refs, batch.from, batch.to,
                                            &asking->filter, draw(asking, 2), batch.statuses));
  for (int i = 0; i < ROWS - 1; i++) FUZZ_REQUIRE(is_live(asking, batch.refs[i]));
  FUZZ_REQUIRE(batch.refs[ROWS - 1] == 0 && are_finite(batch.from, 3 * ROWS));
  WmRandom random = wm_random_seeded(asking->random);
  WmRandomOptions options = wm_random_options_default();
  options.filter = &asking->filter;
  fill_batch(asking, &batch);
  FUZZ_REQUIRE(
      !wm_query_random_point_batch(asking->query, ROWS, &random, &options, batch.found, batch.points));
  FUZZ_REQUIRE(are_finite(batch.points, 3 * ROWS));
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static void (*const QUESTIONS[])(Asking *) = {
    ask_points,  ask_corridor, ask_path,          ask_smooth_path, ask_search, ask_ray,
    ask_move,    ask_walls,    ask_neighbourhood, ask_overlap,     ask_flood,  ask_random,
    ask_islands, ask_surface,  ask_path_corridor, ask_costs,       ask_batches};
enum { QUESTION_COUNT = sizeof QUESTIONS / sizeof *QUESTIONS };

/* Finds a polygon and a point on or near it. Returns true if there is one. */
static bool draw_place(Asking *asking, WmRef *ref, float point[3]) {
  const size_t slots = wm_mesh_slot_count(asking->mesh);
  const WmMeshTile *tile = NULL;
  for (size_t tries = 0; !tile && tries < slots; tries++) {
    tile = wm_mesh_tile(asking->mesh, draw(asking, (uint32_t)slots));
  }
  if (!tile) return false;
  const uint32_t polygon = draw(asking, tile->polygon_count), size = tile->polygon_size[polygon];
  const uint16_t *vertices = tile->polygon_vertices + 6 * (size_t)polygon;
  const float *first = tile->vertices + 3 * (size_t)vertices[draw(asking, size)];
  const float *second = tile->vertices + 3 * (size_t)vertices[draw(asking, size)];
  const float share = (float)draw(asking, 5) * 0.25f, off = (float)draw(asking, 3) * 0.4f;
  for (int i = 0; i < 3; i++) point[i] = first[i] + (second[i] - first[i]) * share + (i ? 0 : off);
  *ref = tile->ref + polygon;
  return true;
}

void fuzz_ask_with(WmMesh *mesh, WmQuery *query, WmIslands *islands, uint32_t seed, int rounds) {
  Asking asking = {.context = wm_mesh_context(mesh),
                   .mesh = mesh,
                   .query = query,
                   .islands = islands,
                   .random = seed,
                   .filter = wm_filter_default()};
  asking.filter.area_costs[1] = 10;
  asking.filter.area_costs[2] = 0.5f;
  asking.filter.area_costs[3] = 0;
  FUZZ_REQUIRE(!wm_costs_create(asking.context, mesh, &asking.costs));
  for (int round = 0; round < rounds; round++) {
    if (!draw_place(&asking, &asking.refs[0], asking.points[0])) break;
    if (!draw_place(&asking, &asking.refs[1], asking.points[1])) break;
    for (int i = 0; i < QUESTION_COUNT; i++) QUESTIONS[i](&asking);
  }
  wm_costs_destroy(asking.costs);
}

void fuzz_ask_with_new_query(WmMesh *mesh, uint32_t seed, int rounds) {
  WmQuery *query = NULL;
  WmIslands *islands = NULL;
  FUZZ_REQUIRE(!wm_query_create(wm_mesh_context(mesh), mesh, &query));
  FUZZ_REQUIRE(!wm_islands_create(wm_mesh_context(mesh), mesh, &islands));
  fuzz_ask_with(mesh, query, islands, seed, rounds);
  wm_islands_destroy(islands);
  wm_query_destroy(query);
}

void fuzz_ask(WmMesh *mesh, uint32_t seed) { fuzz_ask_with_new_query(mesh, seed, 3); }
