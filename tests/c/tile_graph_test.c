/* Tile graphs: after every change of a mesh the graph equals a fresh one byte by byte, its reachability is that of the flat
 * search, its bounds hold, and walking leg by leg arrives within them. Saved graphs; hostile bytes; failing allocations. */
#include "golden_queries.h"
#include "mesh/formats/formats.h"
#include "mesh/links/connections.h"
#include "query/switches/switches.h"
#include "query/tile_graph/tile_graph_internal.h"

/* ---- Worlds ------------------------------------------------------------------------------------------- */

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmTileGraph *graph;
  WmSwitches *switches;
  WmSwitch doors[4];
  int32_t side, first; /* tiles; the smallest place */
  uint32_t seed;
} World;

static uint32_t below(World *world, uint32_t limit) { return grid_random(&world->seed) % limit; }

static float coordinate(World *world) {
  const float low = (float)world->first * GRID_TILE_SIZE;
  return random_between(&world->seed, low, low + (float)world->side * GRID_TILE_SIZE);
}

static void random_point(World *world, float point[3]) {
  point[0] = coordinate(world);
  point[1] = below(world, 6) == 0 ? 5 : 0;
  point[2] = coordinate(world);
}

/* A tile of the world; one in eight lies higher, so that it is reached by connections only; some have connections. */
static void add_tile(World *world, int32_t x, int32_t z, int32_t layer) {
  WmOffMeshConnection connections[2] = {{.radius = 1, .flags = 1}, {.radius = 1, .flags = 1}};
  const size_t connection_count = below(world, 5) == 0 ? 1 + below(world, 2) : 0;
  for (size_t i = 0; i < connection_count; i++) {
    connections[i].bidirectional = below(world, 2);
    connections[i].start[0] = ((float)x + random_between(&world->seed, 0.1f, 0.9f)) * GRID_TILE_SIZE;
    connections[i].start[2] = ((float)z + random_between(&world->seed, 0.1f, 0.9f)) * GRID_TILE_SIZE;
    connections[i].end[0] = ((float)x + random_between(&world->seed, -2, 3)) * GRID_TILE_SIZE;
    connections[i].end[2] = ((float)z + random_between(&world->seed, -2, 3)) * GRID_TILE_SIZE;
    connections[i].end[1] = below(world, 2) ? 5 : 0;
  }
  const GridTile grid = {.x = x,
                         .z = z,
                         .layer = layer,
                         .seed = below(world, 4) ? 1 + below(world, 1000) : 0,
                         .floor = layer || below(world, 8) == 0 ? 20 : 0,
                         .flat = true, /* the exact shortest path is measured on x and z */
                         .hole = below(world, 3) ? UINT32_MAX : below(world, 20),
                         .tree = true,
                         .connections = connections,
                         .connection_count = connection_count};
  const WmRef ref = add_grid_tile(world->mesh, &grid);
  const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, ref);
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    if (below(world, 6) == 0) wm_mesh_set_polygon_flags(world->mesh, tile->ref + p, 2);
  }
}

static int32_t random_place(World *world) {
  return world->first + (int32_t)below(world, (uint32_t)world->side);
}

static void add_connection(World *world) {
  WmConnection connection = wm_connection_default(world->mesh);
  random_point(world, connection.start);
  random_point(world, connection.end);
  connection.radius = 2;
  connection.climb = 2;
  connection.bidirectional = below(world, 2);
  connection.cost_factor = below(world, 3) ? 1 : 0.5f;
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world->mesh, &connection, &ref), WM_OK);
}

static void add_door(World *world, int number) {
  WmSwitchVolume door = {.kind = WM_SWITCH_CYLINDER, .area = -1, .radius = 3, .height = 20};
  random_point(world, door.centre);
  door.centre[1] = -5;
  CHECK_EQUAL_INT(wm_switch_add(world->switches, &door, 2, 0, false, &world->doors[number]), WM_OK);
}

static const WmFilter *world_filter(void) {
  static WmFilter filter;
  filter = wm_filter_default();
  filter.exclude_flags = 2;
  return &filter;
}

static WmTileGraph *make_graph(const World *world, bool keeps_removed) {
  const WmTileGraphOptions options = {.filter = world_filter(), .keeps_removed = keeps_removed, .spacing = 2};
  WmTileGraph *graph = NULL;
  CHECK_EQUAL_INT(wm_tile_graph_create(world->context, world->mesh, &options, &graph), WM_OK);
  return graph;
}

static World make_world(uint32_t seed, int32_t side, int32_t first) {
  World world = {.context = wm_context_create(NULL), .side = side, .first = first, .seed = seed};
  world.mesh = make_grid_mesh(world.context);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  CHECK_EQUAL_INT(wm_switches_create(world.context, world.mesh, &world.switches), WM_OK);
  for (int32_t i = 0; i < side * side; i++) {
    if (below(&world, 10)) add_tile(&world, first + i % side, first + i / side, 0);
    if (below(&world, 12) == 0) add_tile(&world, first + i % side, first + i / side, 1);
  }
  for (int i = 0; i < 4; i++) add_connection(&world);
  for (int i = 0; i < 4; i++) add_door(&world, i);
  world.graph = make_graph(&world, false);
  return world;
}

static void free_world(World *world) {
  wm_tile_graph_destroy(world->graph);
  wm_switches_destroy(world->switches);
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* ---- Changes ------------------------------------------------------------------------------------------ */

static WmRef random_tile(World *world) {
  const WmMeshTile *tile = NULL;
  while (!tile) tile = wm_mesh_tile(world->mesh, below(world, (uint32_t)wm_mesh_slot_count(world->mesh)));
  return tile->ref;
}

static void change_tile(World *world) {
  const int32_t x = random_place(world), z = random_place(world), layer = below(world, 8) == 0;
  const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, x, z, layer);
  if (tile) CHECK_EQUAL_INT(wm_mesh_remove_tile(world->mesh, tile->ref), WM_OK);
  if (!tile || below(world, 2)) add_tile(world, x, z, layer);
}

static void change_connection(World *world) {
  WmRef ref = wm_mesh_next_connection(world->mesh, 0);
  for (uint32_t i = below(world, 4); i > 0 && wm_mesh_next_connection(world->mesh, ref); i--) {
    ref = wm_mesh_next_connection(world->mesh, ref);
  }
  switch (ref ? below(world, 4) : 0) {
    case 0: add_connection(world); break;
    case 1: CHECK_EQUAL_INT(wm_mesh_remove_connection(world->mesh, ref), WM_OK); break;
    case 2: CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(world->mesh, ref, below(world, 2)), WM_OK); break;
    default:
      CHECK_EQUAL_INT(wm_mesh_set_connection_cost(world->mesh, ref, below(world, 2) ? 2 : 0.25f), WM_OK);
  }
}

static void change(World *world) {
  const WmRef ref = random_tile(world);
  const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, ref);
  size_t changed;
  switch (below(world, 6)) {
    case 0: change_connection(world); break;
    case 1:
    case 2: change_tile(world); break;
    case 3:
      CHECK_EQUAL_INT(wm_switch_set(world->switches, world->doors[below(world, 4)], below(world, 2)), WM_OK);
      break;
    case 4: CHECK_EQUAL_INT(wm_switches_update(world->switches, &changed), WM_OK); break;
    default:
      for (int i = 0; i < 3; i++) {
        wm_mesh_set_polygon_flags(world->mesh, ref + below(world, tile->polygon_count),
                                  below(world, 2) ? 1 : 2);
      }
  }
}

/* ---- Checks ------------------------------------------------------------------------------------------- */

static void check_equals_a_fresh_one(const World *world) {
  WmTileGraph *fresh = make_graph(world, false);
  uint8_t *bytes[2];
  size_t byte_counts[2];
  CHECK_EQUAL_INT(wm_tile_graph_update(world->graph), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_update(fresh), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_write(world->graph, &bytes[0], &byte_counts[0]), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_write(fresh, &bytes[1], &byte_counts[1]), WM_OK);
  CHECK(byte_counts[0] == byte_counts[1]);
  CHECK(byte_counts[0] != byte_counts[1] || memcmp(bytes[0], bytes[1], byte_counts[0]) == 0);
  for (int i = 0; i < 2; i++) wm_block_free(world->context, bytes[i]);
  /* The search depends on more than the bytes: on the detours of all ways. */
  const float low = (float)world->first * GRID_TILE_SIZE, high = low + (float)world->side * GRID_TILE_SIZE;
  const float ends[2][3] = {{low + 1, 0, low + 1}, {high - 1, 0, high - 1}};
  WmLongPathOptions options = wm_long_path_options_default();
  for (int axis = 0; axis < 3; axis++) options.half_extents[axis] = 2 * GRID_TILE_SIZE;
  WmLongPath paths[2];
  CHECK_EQUAL_INT(wm_tile_graph_find_path(world->graph, ends[0], ends[1], &options, &paths[0]), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_find_path(fresh, ends[0], ends[1], &options, &paths[1]), WM_OK);
  CHECK(paths[0].state == paths[1].state && paths[0].cost == paths[1].cost);
  CHECK_EQUAL_INT(paths[0].searched, paths[1].searched);
  wm_tile_graph_destroy(fresh);
}

/* Walks to the end, leg by leg. Returns the cost. */
static float walk(const World *world, const float start[3], const float end[3], uint32_t leg_tiles) {
  WmLongPathOptions options = wm_long_path_options_default();
  options.leg_tiles = leg_tiles;
  float at[3], cost = 0;
  memcpy(at, start, sizeof at);
  for (int legs = 0; legs < 2000; legs++) {
    WmLongPath path;
    CHECK_EQUAL_INT(wm_tile_graph_find_path(world->graph, at, end, &options, &path), WM_OK);
    CHECK(path.state == WM_PATH_COMPLETE && path.leg.state == WM_PATH_COMPLETE);
    if (path.leg.state != WM_PATH_COMPLETE) return INFINITY;
    cost += path.leg.cost;
    if (path.leads_to_end) return cost;
    memcpy(at, path.leg.points + 3 * (path.leg.point_count - 1), sizeof at);
  }
  CHECK(false);
  return INFINITY;
}

typedef struct Tally {
  int connected, apart, walked;
  double excess;
} Tally;

static void check_waypoints(const WmLongPath *path) {
  float cost = 0;
  for (size_t i = 0; i < path->waypoint_count; i++) {
    CHECK(path->waypoints[i].cost >= cost * 0.999f);
    CHECK(path->waypoints[i].is_loaded);
    cost = path->waypoints[i].cost;
  }
  CHECK(path->leg_waypoints <= path->waypoint_count);
}

static void check_pair(World *world, Tally *tally) {
  float start[3], end[3];
  random_point(world, start);
  random_point(world, end);
  WmPathOptions flat = wm_path_options_default();
  flat.search.filter = world_filter();
  flat.search.shortest = true;
  WmPath path;
  WmLongPath found;
  CHECK_EQUAL_INT(wm_query_find_path(world->query, start, end, &flat, &path), WM_OK);
  const WmLongPathOptions options = {
      .half_extents = {2, 4, 2}, .leg_tiles = 2 + below(world, 4), .shortest = true};
  CHECK_EQUAL_INT(wm_tile_graph_find_path(world->graph, start, end, &options, &found), WM_OK);
  CHECK_EQUAL_INT(found.state, path.state);
  CHECK_EQUAL_INT(found.reason, path.reason);
  tally->apart += path.state == WM_PATH_UNREACHABLE;
  if (path.state != WM_PATH_COMPLETE || found.state != WM_PATH_COMPLETE) return;
  tally->connected++;
  check_waypoints(&found);
  CHECK(found.lower_bound <= path.cost);
  /* The shortest path is that on x and z; on slopes another one can cost less. */
  CHECK(found.cost >= path.bound * 0.9999f - 1e-4f);
  tally->excess += found.cost / (path.cost + 1e-3f) - 1;
  if (below(world, 4)) return;
  const float walked = walk(world, start, end, options.leg_tiles);
  CHECK(walked >= path.bound * 0.9999f - 1e-4f && walked < INFINITY);
  tally->walked++;
}

static void play(uint32_t seed, int32_t side, int32_t first, int changes, Tally *tally) {
  World world = make_world(seed, side, first);
  for (int i = 0; i < changes; i++) {
    check_equals_a_fresh_one(&world);
    for (int k = 0; k < 12; k++) check_pair(&world, tally);
    for (uint32_t k = below(&world, 3); k < 3; k++) change(&world);
  }
  free_world(&world);
}

static void graphs_follow_every_change(void) {
  Tally tally = {0};
  for (int seed = 1; seed <= CHECK_ROUNDS(12); seed++) play((uint32_t)seed, 3 + seed % 5, -3, 25, &tally);
  play(47, 5, -3, 25, &tally); /* a connection without entrances, and one beside it that leads both ways */
  for (int seed = 1; seed <= CHECK_ROUNDS(2); seed++) play(100 + (uint32_t)seed, 20, -9, 8, &tally);
  printf("%d connected, %d apart, %d walked; promised %.1f %% more than the shortest\n", tally.connected,
         tally.apart, tally.walked, 100 * tally.excess / (tally.connected + 1e-9));
  CHECK(tally.connected > 200 && tally.apart > 100 && tally.walked > 50);
}

/* ---- Tiles that aren't loaded ------------------------------------------------------------------------- */

static void copy_graph(const World *world, const WmMesh *mesh, WmTileGraph **copy) {
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_tile_graph_write(world->graph, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_read(world->context, mesh, bytes, byte_count, copy), WM_OK);
  wm_block_free(world->context, bytes);
}

static void check_same_bytes(const World *world, WmTileGraph *a, WmTileGraph *b) {
  uint8_t *bytes[2];
  size_t byte_counts[2];
  CHECK_EQUAL_INT(wm_tile_graph_write(a, &bytes[0], &byte_counts[0]), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_write(b, &bytes[1], &byte_counts[1]), WM_OK);
  CHECK(byte_counts[0] == byte_counts[1] && memcmp(bytes[0], bytes[1], byte_counts[0]) == 0);
  for (int i = 0; i < 2; i++) wm_block_free(world->context, bytes[i]);
}

static void a_saved_graph_is_read_and_asked_alone(void) {
  World world = make_world(5, 6, -2);
  WmTileGraph *alone, *together;
  CHECK_EQUAL_INT(wm_tile_graph_update(world.graph), WM_OK);
  copy_graph(&world, NULL, &alone);
  check_same_bytes(&world, world.graph, alone);
  copy_graph(&world, world.mesh, &together);
  CHECK_EQUAL_INT(wm_tile_graph_update(together), WM_OK);
  check_same_bytes(&world, world.graph, together);
  int found_count = 0;
  for (int i = 0; i < 60; i++) {
    float start[3], end[3];
    random_point(&world, start);
    random_point(&world, end);
    WmLongPath found;
    CHECK_EQUAL_INT(wm_tile_graph_find_path(alone, start, end, NULL, &found), WM_OK);
    CHECK(found.leg.state == WM_PATH_NONE && found.leg.point_count == 0);
    if (found.state != WM_PATH_COMPLETE) continue;
    CHECK(found.is_estimate && (found.waypoint_count == 0 || !found.waypoints[0].is_loaded));
    found_count++;
  }
  CHECK(found_count > 10);
  wm_tile_graph_destroy(alone);
  wm_tile_graph_destroy(together);
  free_world(&world);
}

/* A row of tiles, of which only the first is loaded. */
static void a_path_leads_through_tiles_that_are_not_loaded(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t x = 0; x < 30; x++) add_grid_tile(mesh, &(GridTile){.x = x, .hole = UINT32_MAX, .tree = true});
  const WmTileGraphOptions options = {.keeps_removed = true};
  WmTileGraph *graph;
  CHECK_EQUAL_INT(wm_tile_graph_create(context, mesh, &options, &graph), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_update(graph), WM_OK);
  const float start[3] = {1, 0, 1}, end[3] = {239, 0, 7};
  WmLongPath path;
  CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start, end, NULL, &path), WM_OK);
  const float whole = path.cost;
  CHECK(!path.is_estimate && whole >= 238 && whole < 245);
  for (int32_t x = 2; x < 30; x++) {
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, wm_mesh_find_tile(mesh, x, 0, 0)->ref), WM_OK);
  }
  CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start, end, NULL, &path), WM_OK);
  CHECK(path.state == WM_PATH_COMPLETE && path.is_estimate && fabsf(path.cost - whole) < 2);
  CHECK(path.leg.state == WM_PATH_COMPLETE && path.leg_waypoints == 2 && !path.leads_to_end);
  CHECK(path.waypoints[0].is_loaded && path.waypoints[0].x == 1);
  CHECK(!path.waypoints[1].is_loaded && path.waypoints[1].x == 2 && path.waypoints[1].is_next);
  CHECK(path.leg.points[3 * (path.leg.point_count - 1)] == 16);
  CHECK_EQUAL_INT(wm_tile_graph_forget(graph, 1, 0, 0), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_tile_graph_forget(graph, 15, 0, 0), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start, end, NULL, &path), WM_OK);
  CHECK(path.state == WM_PATH_UNREACHABLE && path.reason == WM_PATH_REASON_NOT_CONNECTED);
  add_grid_tile(mesh, &(GridTile){.x = 15, .hole = UINT32_MAX, .tree = true});
  CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start, end, NULL, &path), WM_OK);
  CHECK(path.state == WM_PATH_UNREACHABLE); /* its neighbours aren't loaded: nobody knows their polygons */
  wm_tile_graph_destroy(graph);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* A graph with two tiles and a connection between them is read for a mesh that has only the first tile. */
static void a_connection_is_forgotten_with_its_tile(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *meshes[2] = {make_grid_mesh(context), make_grid_mesh(context)};
  const GridTile tiles[2] = {{.hole = UINT32_MAX, .tree = true}, {.x = 3, .hole = UINT32_MAX, .tree = true}};
  for (int i = 0; i < 2; i++) add_grid_tile(meshes[0], &tiles[i]);
  add_grid_tile(meshes[1], &tiles[0]);
  WmConnection connection = wm_connection_default(meshes[0]);
  memcpy(connection.start, (float[3]){4, 0, 4}, sizeof connection.start);
  memcpy(connection.end, (float[3]){28, 0, 4}, sizeof connection.end);
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(meshes[0], &connection, &ref), WM_OK);
  WmTileGraph *graph, *copy;
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_tile_graph_create(context, meshes[0], NULL, &graph), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_update(graph), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_write(graph, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_read(context, meshes[1], bytes, byte_count, &copy), WM_OK);
  WmTileGraphTotals totals;
  WmLongPath path;
  CHECK_EQUAL_INT(wm_tile_graph_find_path(copy, connection.start, connection.end, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  wm_tile_graph_totals(copy, &totals);
  CHECK(totals.tiles == 3 && totals.entrances == 2);
  CHECK_EQUAL_INT(wm_tile_graph_forget(copy, 3, 0, 0), WM_OK);
  wm_tile_graph_totals(copy, &totals);
  CHECK(totals.tiles == 1 && totals.loaded_tiles == 1 && totals.entrances == 0);
  wm_block_free(context, bytes);
  WmTileGraph *fresh;
  CHECK_EQUAL_INT(wm_tile_graph_create(context, meshes[1], NULL, &fresh), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_update(fresh), WM_OK);
  World world = {.context = context};
  check_same_bytes(&world, copy, fresh);
  wm_tile_graph_destroy(fresh);
  wm_tile_graph_destroy(copy);
  wm_tile_graph_destroy(graph);
  for (int i = 0; i < 2; i++) wm_mesh_destroy(meshes[i]);
  wm_context_destroy(context);
}

/* ---- Hostile bytes ------------------------------------------------------------------------------------ */

static void seal(uint8_t *bytes, size_t byte_count) {
  const uint64_t sum = wm_file_checksum(bytes, byte_count - 8);
  memcpy(bytes + byte_count - 8, &sum, sizeof sum);
}

static void changed_bytes_are_refused_or_harmless(void) {
  World world = make_world(7, 3, -1);
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_tile_graph_update(world.graph), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_write(world.graph, &bytes, &byte_count), WM_OK);
  int refused = 0, read = 0;
  WmTileGraph *graph;
  for (size_t length = 0; length < byte_count; length += 1 + length / 16) {
    CHECK_EQUAL_INT(wm_tile_graph_read(world.context, NULL, bytes, length, &graph), WM_ERROR_CORRUPT);
    CHECK(graph == NULL);
  }
  for (size_t at = 0; at < byte_count - 8; at += at < 400 ? 1 : 1 + below(&world, 9)) {
    const uint8_t former = bytes[at];
    bytes[at] = (uint8_t)(below(&world, 2) ? grid_random(&world.seed) : former ^ (1u << below(&world, 8)));
    seal(bytes, byte_count);
    const WmStatus status =
        wm_tile_graph_read(world.context, at % 2 ? world.mesh : NULL, bytes, byte_count, &graph);
    CHECK(status == WM_OK || status == WM_ERROR_CORRUPT || status == WM_ERROR_INVALID_ARGUMENT);
    refused += status != WM_OK;
    read += status == WM_OK;
    for (int i = 0; i < 3 && !status; i++) {
      float start[3], end[3];
      random_point(&world, start);
      random_point(&world, end);
      WmLongPath path;
      CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start, end, NULL, &path), WM_OK);
    }
    wm_tile_graph_destroy(graph);
    bytes[at] = former;
  }
  printf("%d refused, %d read\n", refused, read);
  CHECK(refused > 100 && read > 100);
  wm_block_free(world.context, bytes);
  free_world(&world);
}

/* Borders are compared from the first tile of each entrance: an entrance that has them the other way round would keep any
 * polygon numbers. */
static void entrances_with_swapped_tiles_are_refused(void) {
  enum { HEAD = 328, COUNTS_AT = 52, CLUSTER = 24, ENTRANCE = 32, CLUSTERS_AT = 12, POLYGONS_AT = 20 };
  World world = make_world(7, 3, -1);
  uint8_t *bytes, former[ENTRANCE];
  size_t byte_count;
  CHECK_EQUAL_INT(wm_tile_graph_update(world.graph), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_write(world.graph, &bytes, &byte_count), WM_OK);
  uint32_t counts[3]; /* tiles, blocks, entrances */
  memcpy(counts, bytes + COUNTS_AT, sizeof counts);
  CHECK(counts[2] > 10);
  for (uint32_t i = 0; i < counts[2]; i++) {
    uint8_t *entrance = bytes + HEAD + (size_t)CLUSTER * (counts[0] + counts[1]) + (size_t)ENTRANCE * i;
    memcpy(former, entrance, ENTRANCE);
    memcpy(entrance + CLUSTERS_AT, former + CLUSTERS_AT + 4, 4);
    memcpy(entrance + CLUSTERS_AT + 4, former + CLUSTERS_AT, 4);
    memset(entrance + POLYGONS_AT, 0xee, 4);
    seal(bytes, byte_count);
    WmTileGraph *graph;
    CHECK_EQUAL_INT(wm_tile_graph_read(world.context, world.mesh, bytes, byte_count, &graph),
                    WM_ERROR_CORRUPT);
    CHECK(graph == NULL);
    memcpy(entrance, former, ENTRANCE);
  }
  wm_block_free(world.context, bytes);
  free_world(&world);
}

/* ---- Arguments and memory ----------------------------------------------------------------------------- */

static void wrong_arguments_are_refused(void) {
  World world = make_world(9, 0, 0);
  add_grid_tile(world.mesh, &(GridTile){.hole = UINT32_MAX, .tree = true});
  WmTileGraph *graph;
  WmFilter filter = wm_filter_default();
  filter.area_costs[3] = -1;
  CHECK_EQUAL_INT(
      wm_tile_graph_create(world.context, world.mesh, &(WmTileGraphOptions){.filter = &filter}, &graph),
      WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(
      wm_tile_graph_create(world.context, world.mesh, &(WmTileGraphOptions){.spacing = -1}, &graph),
      WM_ERROR_INVALID_ARGUMENT);
  CHECK(graph == NULL);
  const float start[3] = {1, 0, 1}, nowhere[3] = {NAN, 0, 0};
  WmLongPath path;
  CHECK_EQUAL_INT(wm_tile_graph_find_path(world.graph, start, nowhere, NULL, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(
      wm_tile_graph_find_path(world.graph, start, start, &(WmLongPathOptions){.leg_tiles = 1}, &path),
      WM_ERROR_INVALID_ARGUMENT);
  const float far[3] = {1e9f, 0, 0};
  CHECK_EQUAL_INT(wm_tile_graph_find_path(world.graph, start, far, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_END_NOT_FOUND);
  free_world(&world);
}

/* Everything once, on a mesh of four tiles. */
static WmStatus run_once(WmContext *context, WmMesh *mesh) {
  const float start[3] = {1, 0, 1}, end[3] = {15, 0, 15};
  WmTileGraph *graph, *copy = NULL;
  WmLongPath path;
  WmTileGraphSteps steps;
  uint8_t *bytes = NULL;
  size_t byte_count;
  WmStatus status = wm_tile_graph_create(context, mesh, NULL, &graph);
  if (!status) status = wm_tile_graph_find_path(graph, start, end, NULL, &path);
  if (!status) CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  if (!status) status = wm_tile_graph_steps(graph, 0, &steps);
  if (!status) status = wm_tile_graph_write(graph, &bytes, &byte_count);
  if (!status) status = wm_tile_graph_read(context, mesh, bytes, byte_count, &copy);
  if (!status) status = wm_tile_graph_find_path(copy, start, end, NULL, &path);
  wm_tile_graph_destroy(copy);
  copy = NULL;
  if (!status) status = wm_tile_graph_read(context, NULL, bytes, byte_count, &copy);
  bool found = false;
  if (!status) status = wm_tile_graph_assume_open(copy, 0, 1, 0, &found);
  if (!status) CHECK(found);
  if (!status) status = wm_tile_graph_forget(copy, 1, 1, 0);
  wm_block_free(context, bytes);
  wm_tile_graph_destroy(copy);
  wm_tile_graph_destroy(graph);
  return status;
}

static void each_allocation_may_fail(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  const long in_use = ration.in_use;
  long failures = 0;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  for (long n = 0; status; n++) {
    wm_context_trim(context);
    ration.until_failure = n;
    ration.once = n % 2;
    status = run_once(context, mesh);
    const WmStatus expected = end_ration(&ration);
    CHECK_EQUAL_INT(status, expected);
    if (status) CHECK_EQUAL_INT(run_once(context, mesh), WM_OK);
    failures += status != WM_OK;
  }
  wm_context_trim(context);
  CHECK(ration.in_use <= in_use);
  printf("%ld allocations failed\n", failures);
  CHECK(failures > 20);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* A graph whose update failed is built again by the next call. */
static void a_failed_update_is_made_again(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_grid_world(context, 3, 5);
  WmTileGraph *graph;
  CHECK_EQUAL_INT(wm_tile_graph_create(context, mesh, NULL, &graph), WM_OK);
  const float start[3] = {1, 0, 1}, end[3] = {23, 0, 23};
  WmLongPath path;
  int failures = 0;
  for (long n = 0; n < 60; n++) {
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, wm_mesh_find_tile(mesh, 1, 1, 0)->ref), WM_OK);
    add_grid_tile(mesh,
                  &(GridTile){.x = 1, .z = 1, .seed = 10 + (uint32_t)n, .hole = UINT32_MAX, .tree = true});
    ration.until_failure = n % 12;
    ration.once = n % 2;
    const WmStatus status = wm_tile_graph_update(graph);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    failures += status != WM_OK;
    CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start, end, NULL, &path), WM_OK);
    CHECK(path.state == WM_PATH_COMPLETE && path.leg.state == WM_PATH_COMPLETE);
  }
  CHECK(failures > 3);
  wm_tile_graph_destroy(graph);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* The steps of each level are those of the clusters' lists: from the flat graph of a row of open tiles. */
static void steps_join_the_entrances_of_each_tile_and_block(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t x = 0; x < 9; x++) {
    add_grid_tile(mesh, &(GridTile){.x = x, .hole = UINT32_MAX, .flat = true, .tree = true});
  }
  const WmTileGraphOptions options = {.spacing = GRID_TILE_SIZE};
  WmTileGraph *graph;
  WmTileGraphSteps steps;
  CHECK_EQUAL_INT(wm_tile_graph_create(context, mesh, &options, &graph), WM_OK);
  /* Nine tiles have eight borders with one entrance each; each tile but the first and the last joins two. Blocks of 4 x 4
   * tiles have entrances at x = 4 and x = 8, which the second block joins; one block of 16 x 16 tiles has all. */
  static const size_t ENTRANCES[4] = {8, 2, 0, 0}, STEPS[4] = {7, 1, 0, 0};
  for (uint32_t level = 0; level < 4; level++) {
    CHECK_EQUAL_INT(wm_tile_graph_steps(graph, level, &steps), WM_OK);
    CHECK_EQUAL_INT(steps.entrance_count, ENTRANCES[level]);
    CHECK_EQUAL_INT(steps.step_count, STEPS[level]);
    for (size_t i = 0; i < steps.step_count; i++) {
      const float *from = steps.points + 3 * (size_t)steps.steps[2 * i],
                  *to = steps.points + 3 * (size_t)steps.steps[2 * i + 1];
      CHECK(fabsf(fabsf(from[0] - to[0]) - (level ? 4 : 1) * GRID_TILE_SIZE) < 0.01f);
    }
  }
  CHECK_EQUAL_INT(wm_tile_graph_steps(graph, 4, &steps), WM_ERROR_INVALID_ARGUMENT);
  CHECK(steps.entrance_count == 0 && steps.points == NULL && wm_context_error(context)->field != NULL);
  wm_tile_graph_destroy(graph);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Roads that cost a twentieth of the ground, every seventh tile in both directions. The search estimates the rest of a way by more than
 * its lower bound: not by so much that it leaves the roads. And blocks have the entrances on roads, not others that stand in for them:
 * then ways cost up to 2.2 times as much as those of the flat search. */
static void ways_cost_little_more_than_the_cheapest_of_the_graph(void) {
  World world = {.context = wm_context_create(NULL), .side = 40, .seed = 3};
  world.mesh = make_grid_mesh(world.context);
  for (int32_t i = 0; i < world.side * world.side; i++) {
    const GridTile grid = {
        .x = i % world.side, .z = i / world.side, .hole = UINT32_MAX, .flat = true, .tree = true};
    const WmRef ref = add_grid_tile(world.mesh, &grid);
    const uint32_t count = wm_mesh_tile_of(world.mesh, ref)->polygon_count;
    const bool is_road = grid.x % 7 == 2 || grid.z % 7 == 2;
    for (uint32_t p = 0; p < count && is_road; p++) wm_mesh_set_polygon_area(world.mesh, ref + p, 5);
  }
  WmFilter filter = wm_filter_default();
  filter.area_costs[5] = 0.05f;
  const WmTileGraphOptions options = {.filter = &filter};
  CHECK_EQUAL_INT(wm_tile_graph_create(world.context, world.mesh, &options, &world.graph), WM_OK);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  WmPathOptions flat = wm_path_options_default();
  flat.search.filter = &filter;
  float most = 0, most_to_flat = 0;
  for (int i = 0; i < 200; i++) {
    float start[3] = {coordinate(&world), 0, coordinate(&world)},
          end[3] = {coordinate(&world), 0, coordinate(&world)};
    if (hypotf(end[0] - start[0], end[2] - start[2]) < 15 * GRID_TILE_SIZE) continue;
    WmLongPath found;
    CHECK_EQUAL_INT(wm_tile_graph_find_path(world.graph, start, end, NULL, &found), WM_OK);
    CHECK(found.state == WM_PATH_COMPLETE);
    const float cost = found.cost, factor = world.graph->detour;
    world.graph->detour = 1;
    CHECK_EQUAL_INT(wm_tile_graph_find_path(world.graph, start, end, NULL, &found), WM_OK);
    world.graph->detour = factor;
    most = fmaxf(most, cost / found.cost);
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(world.query, start, end, &flat, &path), WM_OK);
    most_to_flat = fmaxf(most_to_flat, cost / path.cost);
  }
  printf("ways cost at most %.3f times the cheapest of the graph, %.3f times the flat search's\n",
         (double)most, (double)most_to_flat);
  CHECK(most < 1.1f); /* as where costs are equal, it was 1.33 */
  CHECK(most_to_flat < 1.25f);
  wm_query_destroy(world.query);
  wm_tile_graph_destroy(world.graph);
  wm_mesh_destroy(world.mesh);
  wm_context_destroy(world.context);
}

/* Without an estimate of detours, the search would visit all entrances: their lower bound is a tenth of what ways cost. */
static void a_cheap_area_that_no_tile_has_does_not_make_searches_larger(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  enum { SIDE = 40 };
  for (int32_t i = 0; i < SIDE * SIDE; i++) {
    add_grid_tile(mesh,
                  &(GridTile){.x = i % SIDE, .z = i / SIDE, .hole = UINT32_MAX, .flat = true, .tree = true});
  }
  size_t searched[2];
  for (int i = 0; i < 2; i++) {
    WmFilter filter = wm_filter_default();
    if (i == 1) filter.area_costs[40] = 0.1f;
    const WmTileGraphOptions options = {.filter = &filter};
    WmTileGraph *graph;
    WmLongPath path;
    CHECK_EQUAL_INT(wm_tile_graph_create(context, mesh, &options, &graph), WM_OK);
    const float start[3] = {5, 0, 3 * GRID_TILE_SIZE + 5},
                end[3] = {(SIDE - 3) * GRID_TILE_SIZE, 0, 30 * GRID_TILE_SIZE};
    CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start, end, NULL, &path), WM_OK);
    CHECK(path.state == WM_PATH_COMPLETE && path.cost < 1.2f * hypotf(end[0] - start[0], end[2] - start[2]));
    searched[i] = path.searched;
    wm_tile_graph_destroy(graph);
  }
  printf("%d entrances searched, %d with a cheap area\n", (int)searched[0], (int)searched[1]);
  CHECK(searched[0] > 10 && searched[1] < 300); /* without it: 650 */
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(steps_join_the_entrances_of_each_tile_and_block);
  RUN(ways_cost_little_more_than_the_cheapest_of_the_graph);
  RUN(a_cheap_area_that_no_tile_has_does_not_make_searches_larger);
  RUN(graphs_follow_every_change);
  RUN(a_saved_graph_is_read_and_asked_alone);
  RUN(a_path_leads_through_tiles_that_are_not_loaded);
  RUN(a_connection_is_forgotten_with_its_tile);
  RUN(changed_bytes_are_refused_or_harmless);
  RUN(entrances_with_swapped_tiles_are_refused);
  RUN(wrong_arguments_are_refused);
  RUN(each_allocation_may_fail);
  RUN(a_failed_update_is_made_again);
  return check_finish();
}
