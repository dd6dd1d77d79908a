/* Queries with bad arguments return an error that names the argument and an empty result, and write nothing
 * beyond it. */
#include "query/local/convex.h"
#include "query_questions.h"
#include "query/local/raycast.h"
#include "query/local/move.h"
#include "query/local/walls.h"
#include "query/local/overlap.h"
#include "query/local/neighbourhood.h"
#include "query/search/flood.h"
#include "query/search/islands.h"
#include "query/local/random.h"

static WmContext *context;

static void check_error(WmStatus status, WmStatus expected, const char *field, int line) {
  const WmError *error = wm_context_error(context);
  if (status == expected && strcmp(error->field, field) == 0) return;
  printf("line %d: status %d, field '%s' (%s), expected %d, '%s'\n", line, status, error->field,
         error->message, expected, field);
  CHECK(status == expected && strcmp(error->field, field) == 0);
}

#define INVALID(question, field) check_error(question, WM_ERROR_INVALID_ARGUMENT, field, __LINE__)

static void bad_numbers_are_named(void) {
  context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  static Asker asker;
  CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
  WmQuery *query = asker.query;
  const WmRef ref = asker.refs[0];
  const float good[3] = {1, 0, 1};
  static const float WRONG[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 9; i++) {
    float bad[3] = {1, 0, 1};
    bad[i / 3] = WRONG[i % 3];
    const float number = WRONG[i % 3];
    WmRay ray;
    WmMove move;
    WmWall wall;
    WmPolygons polygons;
    WmFlood flood;
    WmNearest nearest;
    WmRandom random = wm_random_seeded(1);
    INVALID(wm_query_raycast(query, ref, bad, good, NULL, true, 0, &ray), "from");
    INVALID(wm_query_raycast(query, ref, good, bad, NULL, true, 0, &ray), "to");
    CHECK(ray.polygons == NULL && ray.polygon == 0 && ray.t == 0);
    INVALID(wm_query_move_along_surface(query, ref, bad, good, NULL, true, &move), "from");
    INVALID(wm_query_move_along_surface(query, ref, good, bad, NULL, true, &move), "to");
    CHECK(move.polygons == NULL && move.polygon == 0);
    CHECK_EQUAL_INT(wm_query_distance_to_wall(query, ref, bad, 1, NULL, &wall), WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_query_distance_to_wall(query, ref, good, number, NULL, &wall),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_query_distance_to_wall(query, ref, good, -1, NULL, &wall), WM_ERROR_INVALID_ARGUMENT);
    CHECK(!wall.found && wall.polygon == 0);
    CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, ref, bad, 1, NULL, 0, &polygons),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, ref, good, number, NULL, 0, &polygons),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(polygons.count == 0 && polygons.polygons == NULL);
    CHECK_EQUAL_INT(wm_query_flood(query, ref, bad, NULL, &flood), WM_ERROR_INVALID_ARGUMENT);
    CHECK(flood.count == 0 && flood.polygons == NULL);
    CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, ref, bad, 1, NULL, &nearest),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, ref, good, number, NULL, &nearest),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(nearest.polygon == 0);
    INVALID(wm_query_closest_point(query, ref, bad, &nearest), "position");
    INVALID(wm_query_closest_boundary_point(query, ref, bad, &nearest), "position");
    WmCorridor corridor;
    INVALID(wm_query_find_corridor(query, ref, bad, ref, good, NULL, &corridor), "startPosition");
    INVALID(wm_query_find_corridor(query, ref, good, ref, bad, NULL, &corridor), "endPosition");
    CHECK(corridor.polygons == NULL && corridor.state == WM_PATH_NONE);
    INVALID(wm_search_begin(asker.search, ref, good, ref, bad, NULL), "endPosition");
    bool done;
    CHECK_EQUAL_INT(wm_search_advance(asker.search, 1, &done, NULL), WM_ERROR_STATE);
  }
  close_asker(&asker);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Outlines of prisms and their height ranges. */
static void bad_outlines_are_named(void) {
  context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  static Asker asker;
  CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
  static const float GOOD[18] = {0, 0, 0, 0, 0, 5, 5, 0, 5, 5, 0, 0};
  const struct {
    float vertices[18];
    size_t count;
  } bad[] = {
      {{0, 0, 0, 0, 0, NAN, 5, 0, 5}, 3},
      {{0, INFINITY, 0, 0, 0, 5, 5, 0, 5}, 3},
      {{0, 0, 0, 0, 0, 5, 5, 0, 5}, 2},
      {{0, 0, 0, 0, 0, 5, 5, 0, 5}, 0},
      {{0, 0, 0, 1, 0, 1, 2, 0, 2}, 3},
      {{3, 0, 3, 3, 0, 3, 3, 0, 3}, 3},
      {{0, 0, 0, 5, 0, 5, 0, 0, 5, 5, 0, 0}, 4},                   /* crosses itself */
      {{0, 0, 0, 0, 0, 5, 1, 0, 1, 5, 0, 0}, 4},                   /* a dent */
      {{0, 0, 0, 0, 0, 5, 5, 0, 5, 0, 0, 0, 0, 0, 5, 5, 0, 5}, 6}, /* twice around */
      {{0, 0, 0, 0, 0, 5, 5, 0, 5}, WM_CONVEX_VERTEX_LIMIT + 1},
      {{0, 0, 0, 0, 0, 5, 5, 0, 5}, SIZE_MAX},
  };
  WmPolygons polygons;
  WmFlood flood;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    memset(&polygons, 7, sizeof polygons);
    INVALID(wm_query_polygons_in_convex(asker.query, bad[i].vertices, bad[i].count, 0, 1, NULL, 0, &polygons),
            "vertices");
    CHECK(polygons.count == 0 && polygons.polygons == NULL && polygons.parents == NULL && !polygons.cut);
    if (bad[i].count == 0) continue;
    WmFloodOptions options = wm_flood_options_default();
    options.shape = bad[i].vertices;
    options.shape_count = bad[i].count;
    INVALID(wm_query_flood(asker.query, asker.refs[0], GOOD, &options, &flood), "shape");
    CHECK(flood.count == 0 && flood.polygons == NULL);
  }
  INVALID(wm_query_polygons_in_convex(asker.query, NULL, 4, 0, 1, NULL, 0, &polygons), "vertices");
  const float heights[][2] = {{1, 0}, {NAN, 1}, {0, NAN}, {INFINITY, -INFINITY}};
  for (int i = 0; i < 4; i++) {
    INVALID(
        wm_query_polygons_in_convex(asker.query, GOOD, 4, heights[i][0], heights[i][1], NULL, 0, &polygons),
        "low");
    CHECK(polygons.count == 0 && polygons.polygons == NULL);
  }
  const float nothing[3] = {0, 0, 0}, negative[3] = {1, -1, 1};
  INVALID(wm_query_polygons_in_box(asker.query, GOOD, negative, NULL, 0, &polygons), "halfExtents");
  INVALID(wm_query_polygons_in_circle(asker.query, GOOD, -1, 1, NULL, 0, &polygons), "radius");
  INVALID(wm_query_polygons_in_circle(asker.query, GOOD, 1, NAN, NULL, 0, &polygons), "halfHeight");
  CHECK(polygons.count == 0 && polygons.polygons == NULL);
  CHECK_EQUAL_INT(
      wm_query_polygons_in_box(asker.query, (const float[3]){4, 1, 4}, nothing, NULL, 0, &polygons), WM_OK);
  CHECK(polygons.count <= 4);
  CHECK_EQUAL_INT(wm_query_polygons_in_convex(asker.query, GOOD, 4, -1, 9, NULL, 1, &polygons), WM_OK);
  CHECK(polygons.count == 1 && polygons.cut);
  close_asker(&asker);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* A bad argument of the whole batch fails the call, which writes nothing. A bad row gets zeros and its own
 * status; the other rows and the memory behind the arrays stay as they are (check_batch). */
static void bad_rows_of_batches_harm_no_others(void) {
  context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  static Asker asker;
  CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
  WmQuery *query = asker.query;
  const WmRef gone = wm_mesh_find_tile(mesh, 1, 1, 0)->ref, here = asker.refs[0];
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, gone), WM_OK);
  static Batch batch;
  memset(&batch, BATCH_GUARD, sizeof batch);
  const WmRef refs[BATCH_ROWS] = {here, gone, 0, UINT64_MAX, here, here};
  const uint8_t expected[BATCH_ROWS] = {WM_OK,
                                        WM_ERROR_STALE_REFERENCE,
                                        WM_ERROR_INVALID_ARGUMENT,
                                        WM_ERROR_INVALID_ARGUMENT,
                                        WM_ERROR_INVALID_ARGUMENT,
                                        WM_OK};
  for (int i = 0; i < BATCH_ROWS; i++) {
    batch.polygons[i] = refs[i];
    for (int k = 0; k < 3; k++) batch.from[3 * i + k] = batch.to[3 * i + k] = k == 1 ? 0 : 1;
  }
  batch.from[3 * 4] = NAN;
  CHECK_EQUAL_INT(
      wm_query_raycast_batch(query, BATCH_ROWS, batch.polygons, batch.from, batch.to, NULL, true,
                             batch.numbers[0], batch.points, batch.normals, batch.found, batch.statuses),
      WM_OK);
  CHECK(memcmp(batch.statuses, expected, sizeof expected) == 0);
  for (int i = 0; i < BATCH_ROWS; i++) CHECK_EQUAL_INT(batch.found[i], expected[i] ? 0 : here);
  CHECK_EQUAL_INT(wm_query_height_batch(query, BATCH_ROWS, batch.polygons, batch.from, batch.numbers[0],
                                        batch.bytes[0], batch.statuses),
                  WM_OK);
  CHECK(memcmp(batch.statuses, expected, sizeof expected) == 0);
  CHECK_EQUAL_INT(
      wm_query_distance_to_wall_batch(query, BATCH_ROWS, batch.polygons, batch.from, 5, NULL,
                                      batch.numbers[0], batch.points, batch.normals, batch.statuses),
      WM_OK);
  CHECK(memcmp(batch.statuses, expected, sizeof expected) == 0);
  CHECK_EQUAL_INT(wm_query_find_nearest_batch(query, BATCH_ROWS, batch.from, NULL, batch.found, batch.points,
                                              batch.bytes[0], batch.statuses),
                  WM_OK);
  for (int i = 0; i < BATCH_ROWS; i++) {
    CHECK_EQUAL_INT(batch.statuses[i], i == 4 ? WM_ERROR_INVALID_ARGUMENT : WM_OK);
    CHECK((batch.found[i] == 0) == (i == 4));
  }
  CHECK_EQUAL_INT(wm_query_move_batch(query, BATCH_ROWS, batch.polygons, batch.from, batch.to, NULL, true,
                                      batch.statuses),
                  WM_OK);
  CHECK(memcmp(batch.statuses, expected, sizeof expected) == 0);
  for (int i = 0; i < BATCH_ROWS; i++) {
    CHECK_EQUAL_INT(batch.polygons[i], expected[i] ? 0 : here);
    CHECK(batch.from[3 * i] == (expected[i] ? 0.0f : 1.0f));
  }
  CHECK_EQUAL_INT(check_batch(&asker, &batch, BATCH_ROWS, WM_ERROR_STATE), WM_ERROR_STATE); /* the guards */
  /* Arguments of the whole batch. */
  const Batch before = batch;
  WmFilter filter = wm_filter_default();
  filter.area_costs[63] = NAN;
  WmNearestOptions nearest = wm_nearest_options_default();
  nearest.filter = &filter;
  WmPathOptions path = wm_path_options_default();
  path.half_extents[2] = -1;
  WmRandomOptions random = wm_random_options_default();
  random.area = 64;
  WmRandom generator = wm_random_seeded(4);
  const WmRandom generator_before = generator;
  const float *points = batch.from;
  INVALID(wm_query_move_batch(query, 2, batch.polygons, batch.from, batch.to, &filter, true, batch.statuses),
          "areaCosts");
  INVALID(wm_query_raycast_batch(query, 2, batch.polygons, batch.from, batch.to, &filter, true,
                                 batch.numbers[0], batch.points, batch.normals, batch.found, batch.statuses),
          "areaCosts");
  INVALID(wm_query_distance_to_wall_batch(query, 2, batch.polygons, batch.from, -1, NULL, batch.numbers[0],
                                          batch.points, batch.normals, batch.statuses),
          "maxDistance");
  nearest.half_extents[0] = NAN;
  nearest.filter = NULL;
  INVALID(wm_query_find_nearest_batch(query, 2, batch.from, &nearest, batch.found, batch.points,
                                      batch.bytes[0], batch.statuses),
          "halfExtents");
  INVALID(wm_query_find_path_batch(query, 2, batch.from, batch.to, &path, batch.bytes[0], batch.bytes[1],
                                   batch.numbers[0], batch.numbers[1], batch.numbers[2], batch.path_starts,
                                   &points, batch.statuses),
          "halfExtents");
  CHECK(points == NULL);
  INVALID(wm_query_random_point_batch(query, 2, &generator, &random, batch.found, batch.points), "area");
  CHECK(memcmp(&batch, &before, sizeof batch) == 0 && generator.state == generator_before.state);
  close_asker(&asker);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Factors of single polygons: all are set or none. */
static void bad_factors_change_nothing(void) {
  context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  static Asker asker;
  CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
  WmCosts *costs = NULL;
  CHECK_EQUAL_INT(wm_costs_create(context, mesh, &costs), WM_OK);
  const WmMeshTile *tile = wm_mesh_find_tile(mesh, 0, 0, 0);
  const WmRef gone = wm_mesh_find_tile(mesh, 1, 1, 0)->ref;
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, gone), WM_OK);
  const float wrong[] = {NAN, INFINITY, -1};
  for (int i = 0; i < 3; i++) {
    INVALID(
        wm_costs_set(costs, (const WmRef[2]){tile->ref, tile->ref + 1}, (const float[2]){0.5f, wrong[i]}, 2),
        "factors");
  }
  INVALID(wm_costs_set(costs, (const WmRef[2]){tile->ref, 0}, (const float[2]){0.5f, 1}, 2), "polygons");
  check_error(wm_costs_set(costs, (const WmRef[2]){tile->ref, gone}, (const float[2]){0.5f, 1}, 2),
              WM_ERROR_STALE_REFERENCE, "polygons", __LINE__);
  CHECK_EQUAL_INT(wm_costs_set(costs, NULL, NULL, 0), WM_OK);
  CHECK(wm_costs_of(costs, tile) == NULL && wm_costs_least(costs) == 1);
  CHECK_EQUAL_INT(wm_costs_set(costs, &tile->ref, (const float[1]){0.5f}, 1), WM_OK);
  CHECK(wm_costs_of(costs, tile)[0] == 0.5f && wm_costs_of(costs, tile)[1] == 1);
  wm_costs_destroy(costs);
  close_asker(&asker);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* References that never existed, references of another mesh and of a removed tile. */
static void wrong_references_are_named(void) {
  context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3), *other = make_grid_world(context, 3, 9);
  static Asker asker;
  CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
  WmQuery *query = asker.query;
  const float good[3] = {1, 0, 1};
  const WmRef here = asker.refs[0], gone = wm_mesh_find_tile(mesh, 1, 1, 0)->ref;
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, gone), WM_OK);
  const WmRef wrong[] = {0,   12345, (1ull << 53) - 1, UINT64_MAX, here + 5000, wm_mesh_tile(other, 8)->ref,
                         gone};
  for (int i = 0; i < 7; i++) {
    const WmRef ref = wrong[i];
    const WmStatus expected = i == 6 ? WM_ERROR_STALE_REFERENCE : WM_ERROR_INVALID_ARGUMENT;
    WmRay ray;
    WmMove move;
    WmWall wall;
    WmSegments segments;
    WmPolygons polygons;
    WmFlood flood;
    WmNearest nearest;
    WmCorridor corridor;
    WmPath path;
    WmRandom random = wm_random_seeded(1);
    check_error(wm_query_raycast(query, ref, good, good, NULL, true, 0, &ray), expected, "start", __LINE__);
    CHECK(ray.polygons == NULL);
    check_error(wm_query_move_along_surface(query, ref, good, good, NULL, true, &move), expected, "start",
                __LINE__);
    CHECK(move.polygons == NULL);
    check_error(wm_query_distance_to_wall(query, ref, good, 1, NULL, &wall), expected, "start", __LINE__);
    check_error(wm_query_wall_segments(query, ref, NULL, true, &segments), expected, "polygon", __LINE__);
    CHECK(segments.count == 0 && segments.ends == NULL);
    check_error(wm_query_local_neighbourhood(query, ref, good, 1, NULL, 0, &polygons), expected, "start",
                __LINE__);
    check_error(wm_query_flood(query, ref, good, NULL, &flood), expected, "start", __LINE__);
    check_error(wm_query_random_point_around(query, &random, ref, good, 1, NULL, &nearest), expected, "start",
                __LINE__);
    check_error(wm_query_closest_point(query, ref, good, &nearest), expected, "polygon", __LINE__);
    check_error(wm_query_closest_boundary_point(query, ref, good, &nearest), expected, "polygon", __LINE__);
    check_error(wm_query_find_corridor(query, ref, good, here, good, NULL, &corridor), expected, "start",
                __LINE__);
    check_error(wm_query_find_corridor(query, here, good, ref, good, NULL, &corridor), expected, "end",
                __LINE__);
    check_error(wm_query_straighten(query, good, good, &ref, 1, WM_CROSSINGS_NONE, 0, &path), expected,
                "corridor", __LINE__);
    CHECK(path.state == WM_PATH_NONE && path.reason == WM_PATH_REASON_NONE && path.point_count == 0);
    CHECK(corridor.state == WM_PATH_NONE && corridor.reason == WM_PATH_REASON_NONE);
    CHECK(path.points == NULL && corridor.polygons == NULL && flood.polygons == NULL && nearest.polygon == 0);
    CHECK_EQUAL_INT(wm_islands_of(asker.islands, ref), 0);
    check_error(wm_corridor_reset(asker.corridor, ref ? ref : 1, good), expected, "polygon", __LINE__);
  }
  close_asker(&asker);
  wm_mesh_destroy(mesh);
  wm_mesh_destroy(other);
  wm_context_destroy(context);
}

/* Extents of 0 find a polygon exactly at the position; limits of 1 are respected. */
static void empty_extents_and_least_limits_are_answered(void) {
  context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 0);
  static Asker asker;
  CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
  WmQuery *query = asker.query;
  const float at[3] = {4, 0, 4}, away[3] = {-5, 0, 4}, far[3] = {15, 0, 15}, nothing[3] = {0, 0, 0};
  WmNearest nearest;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, at, nothing, NULL, &nearest), WM_OK);
  CHECK(nearest.polygon != 0);
  const WmRef here = nearest.polygon;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, away, nothing, NULL, &nearest), WM_OK);
  CHECK(nearest.polygon == 0);
  WmRay ray;
  CHECK_EQUAL_INT(wm_query_raycast(query, here, at, far, NULL, true, 1, &ray), WM_OK);
  CHECK(ray.polygon_count == 1 && ray.cut && ray.t == 1);
  CHECK_EQUAL_INT(wm_query_raycast(query, here, at, at, NULL, true, 1, &ray), WM_OK);
  CHECK(!ray.hit && ray.polygon_count == 1);
  WmPolygons polygons;
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, here, at, 100, NULL, 1, &polygons), WM_OK);
  CHECK(polygons.count == 1 && polygons.cut);
  WmFloodOptions flood_options = wm_flood_options_default();
  flood_options.max_polygons = 1;
  WmFlood flood;
  CHECK_EQUAL_INT(wm_query_flood(query, here, at, &flood_options, &flood), WM_OK);
  CHECK(flood.count == 1 && flood.cut);
  WmPathOptions options = wm_path_options_default();
  options.max_points = 1;
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(query, at, far, &options, &path), WM_OK);
  CHECK(path.point_count == 1 && path.cut && path.state == WM_PATH_COMPLETE);
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, at, far, 0.5f, &options, &path), WM_OK);
  CHECK(path.point_count == 1 && path.cut);
  options = wm_path_options_default();
  memcpy(options.half_extents, nothing, sizeof nothing);
  CHECK_EQUAL_INT(wm_query_find_path(query, away, far, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_START_NOT_FOUND);
  close_asker(&asker);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(bad_numbers_are_named);
  RUN(bad_outlines_are_named);
  RUN(bad_rows_of_batches_harm_no_others);
  RUN(bad_factors_change_nothing);
  RUN(wrong_references_are_named);
  RUN(empty_extents_and_least_limits_are_answered);
  return check_finish();
}
