/* Paths between islands: detected without a search, and ended at the point nearest to the end; the remaining
 * distance, for every kind of path. */
#include "golden_queries.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"
#include "query/shortest/unreachable.h"

enum { SIDE = 3 };

/* Tiles with closed polygons, one of them unreachable because of its height. */
static WmMesh *make_archipelago(WmContext *context, uint32_t seed, bool tree) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < SIDE * SIDE; i++) {
    const GridTile grid = {.x = i % SIDE,
                           .z = i / SIDE,
                           .seed = seed + (uint32_t)i,
                           .floor = grid_random(&seed) % 4 == 0 ? 20 : 0,
                           .hole = UINT32_MAX,
                           .tree = tree};
    add_grid_tile(mesh, &grid);
  }
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 3 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0);
    }
  }
  return mesh;
}

/* The distance from a point to the nearest point of an island. */
static float nearest_by_brute_force(const WmMesh *mesh, const WmIslands *islands, uint32_t island,
                                    const float point[3]) {
  float least = INFINITY;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      if (wm_islands_of(islands, tile->ref + p) != island) continue;
      float closest[3];
      wm_tile_closest_point(tile, p, point, true, closest);
      least = fminf(least, distance(closest, point));
    }
  }
  return least;
}

static float last_to(const WmPath *path, const float point[3]) {
  return distance(path->points + 3 * (path->point_count - 1), point);
}

static void check_path(WmQuery *query, const WmMesh *mesh, WmIslands *islands, const float start[3],
                       const float end[3], int *apart, int *together) {
  WmPathOptions options = wm_path_options_default();
  WmPath plain, path;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &plain), WM_OK);
  const WmPath kept = plain;
  const float plain_remaining = plain.point_count ? last_to(&plain, plain.end.point) : 0;
  options.islands = islands;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, kept.state);
  CHECK_EQUAL_INT(path.reason, kept.reason);
  if (path.state == WM_PATH_NONE) {
    CHECK(path.remaining == 0 && path.point_count == 0);
    return;
  }
  CHECK(wm_islands_are_current(islands, NULL));
  CHECK(path.polygons[0] == path.start.polygon);
  if (path.state == WM_PATH_COMPLETE) {
    CHECK(path.remaining == 0 && kept.remaining == 0);
    CHECK(path.cost == kept.cost && path.length == kept.length && path.searched == kept.searched);
    *together += 1;
    return;
  }
  CHECK(fabsf(kept.remaining - plain_remaining) < 1e-5f);
  const uint32_t island = wm_islands_of(islands, path.start.polygon);
  CHECK(island != 0 && island != wm_islands_of(islands, path.end.polygon));
  CHECK(wm_islands_of(islands, path.polygons[path.polygon_count - 1]) == island);
  CHECK(fabsf(path.remaining - last_to(&path, path.end.point)) < 1e-5f);
  /* The line ends on the polygon's own plane, up to the detail mesh. */
  CHECK(fabsf(path.remaining - nearest_by_brute_force(mesh, islands, island, path.end.point)) < 0.3f);
  *apart += 1;
}

static void paths_between_islands_end_at_the_nearest_place(void) {
  WmContext *context = wm_context_create(NULL);
  int apart = 0, together = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    WmMesh *mesh = make_archipelago(context, world, world % 2);
    WmQuery *query = NULL;
    WmIslands *islands = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
    uint32_t seed = world;
    for (int i = 0; i < 120; i++) {
      const float start[3] = {random_between(&seed, -4, 28), random_between(&seed, 0, 6),
                              random_between(&seed, -4, 28)};
      const float end[3] = {random_between(&seed, -4, 28), random_between(&seed, 0, 6),
                            random_between(&seed, -4, 28)};
      check_path(query, mesh, islands, start, end, &apart, &together);
    }
    wm_islands_destroy(islands);
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d on other islands, %d on the same\n", apart, together);
  CHECK(apart > 100 && together > 100);
  wm_context_destroy(context);
}

/* A connection that leads one way only, between two places. */
static void add_one_way(WmMesh *mesh, const float start[3], const float end[3]) {
  WmConnection connection = wm_connection_default(mesh);
  memcpy(connection.start, start, sizeof connection.start);
  memcpy(connection.end, end, sizeof connection.end);
  connection.radius = 2;
  connection.bidirectional = false;
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
}

/* Finds an exact path with a query that has found others before, and with a new one.
 * returns    the new query's state */
static WmPathState compare_with_a_new_query(WmContext *context, const WmMesh *mesh, WmQuery *query,
                                            const float start[3], const float end[3]) {
  WmPathOptions options = wm_path_options_default();
  options.search.shortest = true;
  WmQuery *fresh = NULL;
  WmPath path, expected;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &fresh), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_path(fresh, start, end, &options, &expected), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, expected.state);
  CHECK_EQUAL_INT(path.reason, expected.reason);
  CHECK(path.searched == expected.searched);
  CHECK(path.cost == expected.cost && path.bound == expected.bound && path.remaining == expected.remaining);
  CHECK(path.polygon_count == expected.polygon_count && path.point_count == expected.point_count);
  if (path.point_count)
    CHECK(memcmp(path.points, expected.points, 3 * path.point_count * sizeof *path.points) == 0);
  const WmPathState state = expected.state;
  const WmFilter filter = wm_filter_default();
  if (state == WM_PATH_UNREACHABLE)
    CHECK(wm_is_unreachable(query, &filter, path.start.polygon, path.end.polygon));
  if (state == WM_PATH_COMPLETE)
    CHECK(!wm_is_unreachable(query, &filter, path.start.polygon, path.end.polygon));
  wm_query_destroy(fresh);
  return state;
}

/* Also over connections that lead one way, so that what two searches reach overlaps, and while flags change. */
static void exact_searches_remember_ground_that_they_left_no_way_out_of(void) {
  WmContext *context = wm_context_create(NULL);
  int counts[4] = {0};
  for (uint32_t world = 1; world <= 6; world++) {
    WmMesh *mesh = make_archipelago(context, world, true);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t seed = world;
    for (int i = 0; i < 120; i++) {
      float ends[2][3];
      for (int k = 0; k < 6; k++) ends[k / 3][k % 3] = k % 3 == 1 ? 3 : random_between(&seed, 0, 24);
      if (world > 2 && i % 40 == 20) add_one_way(mesh, ends[0], ends[1]);
      if (i % 40 == 39) {
        const WmMeshTile *tile = wm_mesh_tile(mesh, grid_random(&seed) % (SIDE * SIDE));
        CHECK_EQUAL_INT(
            wm_mesh_set_polygon_flags(mesh, tile->ref + grid_random(&seed) % tile->ground_count, 1), WM_OK);
      }
      counts[compare_with_a_new_query(context, mesh, query, ends[0], ends[1])]++;
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  printf("%d complete, %d unreachable\n", counts[WM_PATH_COMPLETE], counts[WM_PATH_UNREACHABLE]);
  CHECK(counts[WM_PATH_COMPLETE] > 100 && counts[WM_PATH_UNREACHABLE] > 100);
  wm_context_destroy(context);
}

/* The search does not flood the start's island. */
static void another_island_is_told_without_a_flood(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 8, 3);
  const GridTile away = {.x = 20, .z = 4, .seed = 5, .hole = UINT32_MAX, .tree = true};
  add_grid_tile(mesh, &away);
  WmQuery *query = NULL;
  WmIslands *islands = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
  const float start[3] = {60, 0, 36}, end[3] = {164, 0, 36};
  WmPathOptions options = wm_path_options_default();
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  const size_t flooded = path.searched;
  options.islands = islands;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_UNREACHABLE);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_NOT_CONNECTED);
  CHECK(path.points[3 * (path.point_count - 1)] == 64);
  CHECK(fabsf(path.remaining - 100) < 0.5f);
  CHECK(20 * path.searched < flooded);
  /* A stopped search to that point stays unreachable. */
  options.search.max_nodes = 2;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_NOT_CONNECTED);
  CHECK(path.remaining > 90);
  wm_islands_destroy(islands);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(paths_between_islands_end_at_the_nearest_place);
  RUN(another_island_is_told_without_a_flood);
  RUN(exact_searches_remember_ground_that_they_left_no_way_out_of);
  return check_finish();
}
