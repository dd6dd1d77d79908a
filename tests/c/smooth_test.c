/* Smooth paths: points a step apart on the surface, never off the mesh. */
#include <math.h>

#include "golden_queries.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"
#include "query/local/move.h"

static float flat_distance(const float a[3], const float b[3]) { return hypotf(b[0] - a[0], b[2] - a[2]); }

/* True if a point is on the surface of its polygon, or of the last one. */
static void check_point(const WmMesh *mesh, const WmPath *path, size_t k) {
  WmRef polygon = path->point_polygons[k];
  if (path->point_flags[k] & WM_POINT_END) {
    CHECK(polygon == 0);
    polygon = path->polygons[path->polygon_count - 1];
  }
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  float closest[3];
  CHECK(tile != NULL);
  if (!tile) return;
  wm_tile_closest_point(tile, wm_ref_polygon(polygon), path->points + 3 * k, true, closest);
  CHECK(distance(closest, path->points + 3 * k) < 1e-3f);
}

/* Every point can be reached from the previous one by moving along the surface. */
static void check_ways(WmQuery *query, const WmPath *path, const WmFilter *filter) {
  for (size_t k = 0; k + 1 < path->point_count; k++) {
    if (path->point_flags[k] & WM_POINT_OFF_MESH) continue;
    WmMove move;
    const float *from = path->points + 3 * k, *to = from + 3;
    CHECK_EQUAL_INT(
        wm_query_move_along_surface(query, path->point_polygons[k], from, to, filter, true, &move), WM_OK);
    CHECK(flat_distance(move.point, to) < 1e-3f);
  }
}

/* Copies a path, for use after the query's next call. */
static WmPath copy_path(const WmPath *path) {
  WmPath copy = *path;
  float *points = malloc(12 * path->point_count + 1);
  uint8_t *flags = malloc(path->point_count + 1);
  WmRef *point_polygons = malloc(8 * path->point_count + 1), *polygons = malloc(8 * path->polygon_count + 1);
  memcpy(points, path->points, 12 * path->point_count);
  memcpy(flags, path->point_flags, path->point_count);
  memcpy(point_polygons, path->point_polygons, 8 * path->point_count);
  memcpy(polygons, path->polygons, 8 * path->polygon_count);
  copy.points = points;
  copy.point_flags = flags;
  copy.point_polygons = point_polygons;
  copy.polygons = polygons;
  return copy;
}

static void free_path(WmPath *path) {
  free((void *)path->points);
  free((void *)path->point_flags);
  free((void *)path->point_polygons);
  free((void *)path->polygons);
}

/* Compares with the string-pulled path: the smooth path has all its points, and even steps between them.
 * Portals between tiles may stick out of the polygons by 1/255 of an edge; points are moved onto those
 * portals. */
static void check_against_string(const WmPath *path, const WmPath *string, float step) {
  size_t k = 0;
  for (size_t s = 0; s < string->point_count; s++) {
    const float *corner = string->points + 3 * s, *before = s ? corner - 3 : corner;
    const bool over = s && string->point_flags[s - 1] & WM_POINT_OFF_MESH;
    const double steps = ceil((double)flat_distance(before, corner) / step - 0.01);
    for (double n = 1; !over && n < steps && k < path->point_count; n++, k++) {
      CHECK(fabs((double)flat_distance(before, path->points + 3 * k) - n * step) < 0.02);
      CHECK_EQUAL_INT(path->point_flags[k], 0);
    }
    CHECK(k < path->point_count);
    if (k >= path->point_count) return;
    CHECK(flat_distance(path->points + 3 * k, corner) < 0.02f);
    CHECK_EQUAL_INT(path->point_flags[k++], string->point_flags[s]);
  }
  CHECK_EQUAL_INT(k, path->point_count);
}

/* Finds both paths and compares them. Returns true if there is a path. */
static bool check_smooth(WmQuery *query, const WmMesh *mesh, const float start[3], const float end[3],
                         float step, const WmPathOptions *options) {
  WmPath found, path, string;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, options, &found), WM_OK);
  if (found.state == WM_PATH_NONE) {
    CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, step, options, &path), WM_OK);
    CHECK(path.state == WM_PATH_NONE && path.reason == found.reason && path.point_count == 0);
    return false;
  }
  string = copy_path(&found);
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, step, options, &found), WM_OK);
  path = copy_path(&found);
  CHECK_EQUAL_INT(path.state, string.state);
  CHECK_EQUAL_INT(path.reason, string.reason);
  CHECK_EQUAL_INT(path.polygon_count, string.polygon_count);
  CHECK(path.cost == string.cost && !path.cut);
  if (path.state == WM_PATH_COMPLETE) {
    CHECK(path.remaining == 0);
  } else {
    CHECK(fabsf(path.remaining - distance(path.points + 3 * (path.point_count - 1), path.end.point)) < 1e-4f);
  }
  float length = 0;
  for (size_t k = 0; k < path.point_count; k++) {
    check_point(mesh, &path, k);
    if (k) length += distance(path.points + 3 * k - 3, path.points + 3 * k);
  }
  CHECK(fabsf(length - path.length) < 1e-3f * (1 + length));
  check_against_string(&path, &string, step);
  check_ways(query, &path, options ? options->search.filter : NULL);
  free_path(&path);
  free_path(&string);
  return true;
}

static void smooth_paths_follow_the_golden_scenes(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    WmPathOptions options = wm_path_options_default();
    options.search.filter = &golden.filter;
    int found = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      if (i % 5) continue;
      options.crossings = (WmCrossings)(i % 3);
      found +=
          check_smooth(golden.query, golden.mesh, question.from, question.to, i % 2 ? 0.5f : 3.7f, &options);
    }
    CHECK(found > 50);
    close_golden(&golden);
  }
}

static void smooth_paths_cross_random_worlds(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t world = 1; world <= 16; world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_grid_world(context, 3, world);
    for (size_t s = 0; s < 9 && world % 2; s++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, s);
      for (uint32_t p = 0; p < tile->polygon_count; p++) {
        if (grid_random(&seed) % 4 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0);
      }
    }
    for (int i = 0; i < 6; i++) { /* jumps anywhere */
      WmConnection jump = wm_connection_default(mesh);
      for (int axis = 0; axis < 3; axis += 2) {
        jump.start[axis] = random_between(&seed, 0, 24);
        jump.end[axis] = random_between(&seed, 0, 24);
      }
      jump.cost_factor = random_between(&seed, 0, 1);
      WmRef connection;
      CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &jump, &connection), WM_OK);
    }
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    int found = 0;
    for (int i = 0; i < 40; i++) {
      const float start[3] = {random_between(&seed, 0, 24), 0, random_between(&seed, 0, 24)};
      const float end[3] = {random_between(&seed, 0, 24), 0, random_between(&seed, 0, 24)};
      found += check_smooth(query, mesh, start, end, random_between(&seed, 0.1f, 4), NULL);
    }
    CHECK(found > 30);
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* The start lies at the start of the connection, or at the end of another one; neither may hide the flag. */
static void a_connection_at_the_start_or_behind_another_keeps_its_flag(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t x = 0; x < 3; x++) { /* three islands in a row */
    const GridTile grid = {.x = 2 * x, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
  const float at[4] = {4, 20, 20, 36};
  for (int i = 0; i < 2; i++) {
    WmConnection jump = wm_connection_default(mesh);
    jump.start[0] = at[2 * i];
    jump.end[0] = at[2 * i + 1];
    jump.start[2] = jump.end[2] = 4;
    WmRef connection;
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &jump, &connection), WM_OK);
  }
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float end[3] = {39, 0, 7};
  for (int i = 0; i < 3; i++) {
    const float start[3] = {i == 0 ? 1 : 4 - 0.0005f * (float)(i - 1), 0, 4};
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(query, start, end, NULL, &path), WM_OK);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    CHECK_EQUAL_INT(path.point_count, i == 1 ? 4 : 5);
    int flagged = 0;
    for (size_t k = 0; k < path.point_count; k++) flagged += path.point_flags[k] == WM_POINT_OFF_MESH;
    CHECK_EQUAL_INT(flagged, 2);
    check_smooth(query, mesh, start, end, 0.5f, NULL);
    check_smooth(query, mesh, end, start, 0.5f, NULL);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void limits_and_bad_steps_are_told(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 3, 4);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float start[3] = {1, 0, 1}, end[3] = {23, 0, 22}, bad[3] = {NAN, 0, 0};
  WmPathOptions options = wm_path_options_default();
  WmPath path;
  static const float STEPS[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, STEPS[i], &options, &path),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, "step") == 0);
    CHECK(path.points == NULL && path.point_count == 0);
  }
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, bad, end, 1, &options, &path), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, 1e-6f, NULL, &path), WM_ERROR_LIMIT);
  CHECK_EQUAL_INT(path.state, WM_PATH_NONE);
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, 1e-30f, NULL, &path), WM_ERROR_LIMIT);
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, 0.5f, &options, &path), WM_OK);
  const size_t all = path.point_count;
  CHECK(all > 50 && !path.cut);
  options.max_points = all; /* a path that just fits isn't cut */
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, 0.5f, &options, &path), WM_OK);
  CHECK(!path.cut && path.point_count == all);
  for (size_t most = 1; most < all; most++) {
    options.max_points = most;
    CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, 0.5f, &options, &path), WM_OK);
    CHECK(path.cut && path.point_count == most);
    CHECK(!(path.point_flags[most - 1] & WM_POINT_END));
  }
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, 1e-6f, &options, &path), WM_OK);
  CHECK(path.cut && path.point_count == all - 1);
  /* A step longer than the path: the result is the string-pulled path. */
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, 1e30f, NULL, &path), WM_OK);
  CHECK(path.point_count < 20);
  CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, start, 1, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.point_count, 1);
  CHECK_EQUAL_INT(path.point_flags[0], WM_POINT_END);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(smooth_paths_follow_the_golden_scenes);
  RUN(smooth_paths_cross_random_worlds);
  RUN(a_connection_at_the_start_or_behind_another_keeps_its_flag);
  RUN(limits_and_bad_steps_are_told);
  return check_finish();
}
