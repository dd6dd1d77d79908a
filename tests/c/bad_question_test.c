/* Questions with bad arguments: an error that names the argument, an empty answer, nothing written beyond it.
 */
#include "query_questions.h"

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
    INVALID(wm_query_raycast(query, ref, bad, good, NULL, 0, &ray), "from");
    INVALID(wm_query_raycast(query, ref, good, bad, NULL, 0, &ray), "to");
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

/* References that never were, of another mesh, and of a tile that has gone. */
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
    check_error(wm_query_raycast(query, ref, good, good, NULL, 0, &ray), expected, "start", __LINE__);
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
    CHECK(path.points == NULL && corridor.polygons == NULL && flood.polygons == NULL && nearest.polygon == 0);
    CHECK_EQUAL_INT(wm_islands_of(asker.islands, ref), 0);
    check_error(wm_corridor_reset(asker.corridor, ref ? ref : 1, good), expected, "polygon", __LINE__);
  }
  close_asker(&asker);
  wm_mesh_destroy(mesh);
  wm_mesh_destroy(other);
  wm_context_destroy(context);
}

/* Extents of nothing find what is exactly there; limits of one are kept. */
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
  CHECK_EQUAL_INT(wm_query_raycast(query, here, at, far, NULL, 1, &ray), WM_OK);
  CHECK(ray.polygon_count == 1 && ray.cut && ray.t == 1);
  CHECK_EQUAL_INT(wm_query_raycast(query, here, at, at, NULL, 1, &ray), WM_OK);
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
  RUN(wrong_references_are_named);
  RUN(empty_extents_and_least_limits_are_answered);
  return check_finish();
}
