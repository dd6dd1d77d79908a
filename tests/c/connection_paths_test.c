/* Paths over off-mesh connections made at run time, on whole meshes: there, back, switched, re-costed, moved
 * to other tiles. The ground is two islands of three tiles in a row, many tiles apart. */
#include <math.h>

#include "grid_tiles.h"
#include "mesh/links/connections.h"
#include "query/search/path.h"

enum { APART = 9 }; /* tile places between the islands' first tiles */

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmRef connection;
  float here[3], there[3];
} World;

static World make_world(bool bidirectional) {
  World world = {.context = wm_context_create(NULL), .here = {1.3f, 0.1f, 1.3f}};
  world.mesh = make_grid_mesh(world.context);
  world.there[0] = (float)(APART + 2) * GRID_TILE_SIZE + 6.3f;
  world.there[2] = 6.3f;
  for (int32_t i = 0; i < 6; i++) {
    const GridTile grid = {
        .x = i % 3 + i / 3 * APART, .seed = 11 + (uint32_t)i, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(world.mesh, &grid);
  }
  WmConnection settings = wm_connection_default(world.mesh);
  memcpy(settings.start, (const float[3]){20.3f, 0.1f, 4.3f}, 12);
  memcpy(settings.end, (const float[3]){APART * GRID_TILE_SIZE + 3.3f, 0.1f, 4.3f}, 12);
  settings.bidirectional = bidirectional;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world.mesh, &settings, &world.connection), WM_OK);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  return world;
}

static void free_world(World *world) {
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmPath find(const World *world, bool back) {
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(world->query, back ? world->there : world->here,
                                     back ? world->here : world->there, NULL, &path),
                  WM_OK);
  return path;
}

/* True if the path uses the connection: from one of its ends, as a point with a flag, to the other. */
static bool crosses(const WmPath *path, WmRef connection) {
  for (size_t i = 0; i + 1 < path->point_count; i++) {
    if (path->point_polygons[i] != connection) continue;
    CHECK(path->point_flags[i] & WM_POINT_OFF_MESH);
    CHECK(fabsf(path->points[3 * i] - path->points[3 * i + 3]) > 40);
    return true;
  }
  return false;
}

static void paths_lead_over_it_there_and_back(void) {
  World world = make_world(true);
  for (int back = 0; back < 2; back++) {
    const WmPath path = find(&world, back);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    CHECK(crosses(&path, world.connection));
    CHECK(fabsf(path.length - (world.there[0] - world.here[0])) < 4);
    float entry[3], exit[3];
    for (size_t i = 1; i < path.polygon_count; i++) {
      if (path.polygons[i] != world.connection) continue;
      CHECK_EQUAL_INT(
          wm_mesh_connection_ends(world.mesh, path.polygons[i - 1], world.connection, entry, exit), WM_OK);
      CHECK((entry[0] > exit[0]) == (back == 1));
    }
  }
  free_world(&world);
}

static void one_way_it_does_not_lead_back(void) {
  World world = make_world(false);
  CHECK_EQUAL_INT(find(&world, false).state, WM_PATH_COMPLETE);
  CHECK_EQUAL_INT(find(&world, true).state, WM_PATH_UNREACHABLE);
  free_world(&world);
}

static void switched_off_it_is_not_there(void) {
  World world = make_world(true);
  CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(world.mesh, world.connection, false), WM_OK);
  CHECK_EQUAL_INT(find(&world, false).state, WM_PATH_UNREACHABLE);
  CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(world.mesh, world.connection, true), WM_OK);
  CHECK_EQUAL_INT(find(&world, false).state, WM_PATH_COMPLETE);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(world.mesh, world.connection), WM_OK);
  CHECK_EQUAL_INT(find(&world, false).state, WM_PATH_UNREACHABLE);
  free_world(&world);
}

/* The tiles at its ends are removed, and others are added. */
static void tiles_take_it_away_and_bring_it_back(void) {
  World world = make_world(true);
  for (int32_t i = 0; i < 2; i++) {
    const int32_t x = i ? APART : 2;
    CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, wm_mesh_find_tile(world.mesh, x, 0, 0)->ref), WM_OK);
    CHECK(find(&world, false).state != WM_PATH_COMPLETE);
    const GridTile grid = {.x = x, .seed = 50 + (uint32_t)i, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(world.mesh, &grid);
    const WmPath path = find(&world, false);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    CHECK(crosses(&path, world.connection));
  }
  free_world(&world);
}

/* A second connection, a little longer; the cost of the first decides which one the path uses. */
static void the_cheaper_one_is_taken(void) {
  World world = make_world(true);
  WmConnection settings;
  CHECK_EQUAL_INT(wm_mesh_connection(world.mesh, world.connection, &settings, NULL, NULL), WM_OK);
  settings.start[0] -= 12;
  WmRef longer;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world.mesh, &settings, &longer), WM_OK);
  const float costs[] = {0.01f, 0.5f, 1.5f, 100};
  float former = 0;
  for (int i = 0; i < 4; i++) {
    CHECK_EQUAL_INT(wm_mesh_set_connection_cost(world.mesh, world.connection, costs[i]), WM_OK);
    const WmPath path = find(&world, false);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    CHECK(crosses(&path, costs[i] < 1 ? world.connection : longer));
    CHECK(path.cost >= former);
    former = path.cost;
  }
  free_world(&world);
}

int main(void) {
  RUN(paths_lead_over_it_there_and_back);
  RUN(one_way_it_does_not_lead_back);
  RUN(switched_off_it_is_not_there);
  RUN(tiles_take_it_away_and_bring_it_back);
  RUN(the_cheaper_one_is_taken);
  return check_finish();
}
