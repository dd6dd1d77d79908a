/* Tile graphs of streamed worlds whose doors open and close over tiles that aren't loaded, against a flat search over the whole world: no
 * way that there is counts as unreachable, and one that isn't there is an estimate. */
#include "golden_queries.h"
#include "mesh/formats/formats.h"
#include "mesh/links/connections.h"
#include "query/switches/switches.h"
#include "query/tile_graph/tile_graph.h"

enum { DOORS = 10, SIDE = 6, CONNECTIONS = 4, WHOLE = 0, STREAMED = 1 };

/* Two meshes of the same level, with the same doors: one has all tiles. */
typedef struct World {
  WmContext *context;
  WmMesh *meshes[2];
  WmSwitches *switches[2];
  WmSwitch doors[2][DOORS];
  WmQuery *query; /* of the whole mesh */
  WmTileGraph *graph;
  WmFilter filter;
  bool has_connections;
  uint32_t seed, level;
} World;

static uint32_t below(World *world, uint32_t limit) { return grid_random(&world->seed) % limit; }

/* Not on a border of tiles. */
static float coordinate(World *world) {
  return ((float)below(world, SIDE) + (float)(10 + below(world, 980)) / 999) * GRID_TILE_SIZE;
}

/* A tile of the level: always the same polygons, of which some are walls. */
static void add_tile(World *world, int which, int32_t x, int32_t z) {
  uint32_t seed = world->level + (uint32_t)(x * SIDE + z) * 7919;
  const GridTile grid = {
      .x = x, .z = z, .seed = 1 + grid_random(&seed) % 1000, .flat = true, .hole = UINT32_MAX, .tree = true};
  const WmMeshTile *tile = wm_mesh_tile_of(world->meshes[which], add_grid_tile(world->meshes[which], &grid));
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    if (grid_random(&seed) % 4 == 0) wm_mesh_set_polygon_flags(world->meshes[which], tile->ref + p, 2);
  }
}

static void update_switches(World *world) {
  size_t changed;
  for (int i = 0; i < 2; i++) CHECK_EQUAL_INT(wm_switches_update(world->switches[i], &changed), WM_OK);
}

/* A wall across some tiles, or a round place. It closes ground for all, or for this filter. */
static void add_door(World *world, int number) {
  WmSwitchVolume door = {
      .kind = below(world, 3) ? WM_SWITCH_BOX : WM_SWITCH_CYLINDER, .area = -1, .radius = 3, .height = 20};
  door.centre[0] = coordinate(world);
  door.centre[1] = -5;
  door.centre[2] = coordinate(world);
  const int axis = below(world, 2) ? 0 : 2;
  for (int i = 0; i < 3; i++) {
    const float half = i == 1 ? 20 : i == axis ? 0.5f : 14;
    door.minimum[i] = door.centre[i] - half;
    door.maximum[i] = door.centre[i] + half;
  }
  const bool is_on = below(world, 2);
  const uint16_t set = below(world, 2) ? 2 : 0, clear = set ? 0 : 0xffff;
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL_INT(wm_switch_add(world->switches[i], &door, set, clear, is_on, &world->doors[i][number]),
                    WM_OK);
  }
}

static void add_connection(World *world) {
  WmConnection connection = wm_connection_default(world->meshes[WHOLE]);
  for (int axis = 0; axis < 3; axis += 2) {
    connection.start[axis] = coordinate(world);
    connection.end[axis] = coordinate(world);
  }
  connection.radius = 0.02f;
  connection.bidirectional = below(world, 2);
  WmRef ref;
  for (int i = 0; i < 2; i++)
    CHECK_EQUAL_INT(wm_mesh_add_connection(world->meshes[i], &connection, &ref), WM_OK);
}

static World make_world(uint32_t seed, bool has_connections) {
  World world = {.context = wm_context_create(NULL),
                 .seed = seed,
                 .level = seed * 104729,
                 .has_connections = has_connections,
                 .filter = wm_filter_default()};
  world.filter.exclude_flags = 2;
  for (int i = 0; i < 2; i++) {
    world.meshes[i] = make_grid_mesh(world.context);
    CHECK_EQUAL_INT(wm_switches_create(world.context, world.meshes[i], &world.switches[i]), WM_OK);
    for (int32_t k = 0; k < SIDE * SIDE; k++) add_tile(&world, i, k % SIDE, k / SIDE);
  }
  for (int i = 0; i < DOORS; i++) add_door(&world, i);
  for (int i = 0; i < CONNECTIONS && has_connections; i++) add_connection(&world);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.meshes[WHOLE], &world.query), WM_OK);
  const WmTileGraphOptions options = {.filter = &world.filter, .keeps_removed = true, .spacing = 2};
  CHECK_EQUAL_INT(wm_tile_graph_create(world.context, world.meshes[STREAMED], &options, &world.graph), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_update(world.graph), WM_OK);
  return world;
}

static void free_world(World *world) {
  wm_tile_graph_destroy(world->graph);
  wm_query_destroy(world->query);
  for (int i = 0; i < 2; i++) {
    wm_switches_destroy(world->switches[i]);
    wm_mesh_destroy(world->meshes[i]);
  }
  wm_context_destroy(world->context);
}

/* Writes the graph and reads it again. */
static void replace_graph(World *world) {
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_tile_graph_write(world->graph, &bytes, &byte_count), WM_OK);
  wm_tile_graph_destroy(world->graph);
  CHECK_EQUAL_INT(
      wm_tile_graph_read(world->context, world->meshes[STREAMED], bytes, byte_count, &world->graph), WM_OK);
  wm_block_free(world->context, bytes);
}

/* Doors are destroyed, too: their ground is open from then on. New ones would cut entrances whose other side isn't known. */
static void change_door(World *world) {
  const int number = (int)below(world, DOORS);
  const bool is_removed = below(world, 12) == 0, is_on = below(world, 2);
  if (!world->doors[WHOLE][number]) return;
  for (int i = 0; i < 2; i++) {
    WmSwitch *door = &world->doors[i][number];
    CHECK_EQUAL_INT(is_removed ? wm_switch_remove(world->switches[i], *door)
                               : wm_switch_set(world->switches[i], *door, is_on),
                    WM_OK);
    if (is_removed) *door = 0;
  }
}

static void change_connection(World *world) {
  const uint32_t steps = below(world, CONNECTIONS);
  const bool enabled = below(world, 2);
  for (int i = 0; i < 2; i++) {
    WmRef ref = 0;
    for (uint32_t k = 0; k <= steps; k++) ref = wm_mesh_next_connection(world->meshes[i], ref);
    CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(world->meshes[i], ref, enabled), WM_OK);
  }
}

static void change(World *world) {
  const int32_t x = (int32_t)below(world, SIDE), z = (int32_t)below(world, SIDE);
  const WmMeshTile *tile = wm_mesh_find_tile(world->meshes[STREAMED], x, z, 0);
  const uint32_t kind = below(world, 20);
  if (kind == 0 && !world->has_connections) { /* a file has connections as they were */
    replace_graph(world);
  } else if (kind < 7) {
    change_door(world);
  } else if (kind < 9 && world->has_connections) {
    change_connection(world);
  } else if (!tile) {
    if (below(world, 2)) add_tile(world, STREAMED, x, z);
  } else {
    CHECK_EQUAL_INT(wm_tile_graph_update(world->graph), WM_OK); /* as the streamer does */
    CHECK_EQUAL_INT(wm_mesh_remove_tile(world->meshes[STREAMED], tile->ref), WM_OK);
  }
  update_switches(world);
}

typedef struct Tally {
  int connected, apart, hopeful, far;
} Tally;

static void check_pair(World *world, Tally *tally) {
  const float at[2][3] = {{coordinate(world), 0, coordinate(world)},
                          {coordinate(world), 0, coordinate(world)}};
  WmPathOptions flat = wm_path_options_default();
  flat.search.filter = &world->filter;
  WmLongPathOptions options = wm_long_path_options_default();
  for (int axis = 0; axis < 3; axis++) flat.half_extents[axis] = options.half_extents[axis] = 0.01f;
  WmPath path;
  WmLongPath found;
  CHECK_EQUAL_INT(wm_query_find_path(world->query, at[0], at[1], &flat, &path), WM_OK);
  if (path.state == WM_PATH_NONE || path.reason == WM_PATH_REASON_END_EXCLUDED) return; /* in a wall */
  CHECK_EQUAL_INT(wm_tile_graph_find_path(world->graph, at[0], at[1], &options, &found), WM_OK);
  const bool is_connected = path.state == WM_PATH_COMPLETE, is_found = found.state == WM_PATH_COMPLETE;
  CHECK(is_found || !is_connected);
  CHECK(is_found == is_connected || found.is_estimate);
  tally->connected += is_connected;
  tally->apart += !is_found;
  tally->hopeful += is_found && !is_connected;
  tally->far += is_connected && found.waypoint_count > 2 && !found.is_estimate;
}

/* The search in the graph of a level whose tiles are all loaded is exact again. */
static void load_all(World *world) {
  for (int32_t k = 0; k < SIDE * SIDE; k++) {
    if (!wm_mesh_find_tile(world->meshes[STREAMED], k % SIDE, k / SIDE, 0))
      add_tile(world, STREAMED, k % SIDE, k / SIDE);
  }
  update_switches(world);
}

static void play(uint32_t seed, bool has_connections, Tally *tally) {
  World world = make_world(seed, has_connections);
  for (int i = 0; i < 60; i++) {
    change(&world);
    for (int k = 0; k < 8; k++) check_pair(&world, tally);
  }
  load_all(&world);
  Tally exact = {0};
  for (int k = 0; k < 40; k++) check_pair(&world, &exact);
  CHECK_EQUAL_INT(exact.hopeful, 0);
  free_world(&world);
}

static void no_way_is_unreachable_because_a_door_was_closed_when_its_tile_was_loaded(void) {
  Tally tally = {0};
  const int rounds = CHECK_ROUNDS(16);
  for (int seed = 1; seed <= rounds; seed++) play((uint32_t)seed, seed % 2, &tally);
  printf("%d connected, %d of them far and known, %d apart, %d are hoped for\n", tally.connected, tally.far,
         tally.apart, tally.hopeful);
  CHECK(tally.connected > 100 * rounds && tally.far > 20 * rounds);
  CHECK(tally.apart > 20 * rounds && tally.hopeful > 10 * rounds);
}

/* A row of tiles with a door across the middle of one of them, and one across a border. */
typedef struct Row {
  WmContext *context;
  WmMesh *mesh;
  WmSwitches *switches;
  WmSwitch doors[2];
  WmTileGraph *graph;
} Row;

static Row make_row(void) {
  Row row = {.context = wm_context_create(NULL)};
  row.mesh = make_grid_mesh(row.context);
  CHECK_EQUAL_INT(wm_switches_create(row.context, row.mesh, &row.switches), WM_OK);
  for (int32_t x = 0; x < 40; x++)
    add_grid_tile(row.mesh, &(GridTile){.x = x, .seed = 5, .hole = UINT32_MAX, .tree = true});
  for (int i = 0; i < 2; i++) {
    const float x = i ? 24 * GRID_TILE_SIZE : 20.5f * GRID_TILE_SIZE;
    const WmSwitchVolume door = {.area = -1, .minimum = {x - 0.2f, -5, -5}, .maximum = {x + 0.2f, 5, 20}};
    CHECK_EQUAL_INT(wm_switch_add(row.switches, &door, 0, 0xffff, true, &row.doors[i]), WM_OK);
  }
  const WmTileGraphOptions options = {.keeps_removed = true};
  CHECK_EQUAL_INT(wm_tile_graph_create(row.context, row.mesh, &options, &row.graph), WM_OK);
  CHECK_EQUAL_INT(wm_tile_graph_update(row.graph), WM_OK);
  return row;
}

static void free_row(Row *row) {
  wm_tile_graph_destroy(row->graph);
  wm_switches_destroy(row->switches);
  wm_mesh_destroy(row->mesh);
  wm_context_destroy(row->context);
}

static void remove_tiles(const Row *row, int32_t first, int32_t last) {
  CHECK_EQUAL_INT(wm_tile_graph_update(row->graph), WM_OK);
  for (int32_t x = first; x <= last; x++) {
    CHECK_EQUAL_INT(wm_mesh_remove_tile(row->mesh, wm_mesh_find_tile(row->mesh, x, 0, 0)->ref), WM_OK);
  }
}

/* Checks the way from one end of the row to the other. */
static WmLongPath check_row(const Row *row, bool is_found, bool is_estimate) {
  const float start[3] = {1, 0, 4}, end[3] = {39.5f * GRID_TILE_SIZE, 0, 4};
  WmLongPath path;
  CHECK_EQUAL_INT(wm_tile_graph_find_path(row->graph, start, end, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, is_found ? WM_PATH_COMPLETE : WM_PATH_UNREACHABLE);
  CHECK_EQUAL_INT(path.is_estimate, is_estimate);
  return path;
}

static void set_doors(const Row *row, bool closed) {
  for (int i = 0; i < 2; i++) CHECK_EQUAL_INT(wm_switch_set(row->switches, row->doors[i], closed), WM_OK);
}

/* The doors are closed, and their tiles removed; then they open: nobody could have gone there to find out. */
static void a_door_that_opens_while_its_tile_is_not_loaded_is_assumed_to_be_passable(void) {
  Row row = make_row();
  check_row(&row, false, false);
  remove_tiles(&row, 10, 30);
  check_row(&row, false, false);
  CHECK_EQUAL_INT(wm_switch_set(row.switches, row.doors[0], false), WM_OK);
  check_row(&row, false, false);
  set_doors(&row, false);
  const WmLongPath path = check_row(&row, true, true);
  CHECK(path.cost > 300 && path.cost < 330 && path.leg.state == WM_PATH_COMPLETE);
  bool leads_there = false; /* blocks with such tiles are shown tile by tile */
  for (size_t i = 0; i < path.waypoint_count; i++)
    leads_there |= path.waypoints[i].x == 20 && !path.waypoints[i].is_loaded;
  CHECK(leads_there);
  set_doors(&row, true); /* as it was when the tiles were loaded */
  check_row(&row, false, false);
  for (int i = 0; i < 2; i++) CHECK_EQUAL_INT(wm_switch_remove(row.switches, row.doors[i]), WM_OK);
  check_row(&row, true, true);
  for (int32_t x = 10; x <= 30; x++)
    add_grid_tile(row.mesh, &(GridTile){.x = x, .seed = 5, .hole = UINT32_MAX, .tree = true});
  check_row(&row, true, false);
  free_row(&row);
}

static void a_way_through_a_door_that_closes_while_its_tile_is_not_loaded_is_an_estimate(void) {
  Row row = make_row();
  set_doors(&row, false);
  const float cost = check_row(&row, true, false).cost;
  remove_tiles(&row, 10, 30);
  check_row(&row, true, false);
  set_doors(&row, true);
  check_row(&row, true, true);
  set_doors(&row, false);
  CHECK(check_row(&row, true, false).cost == cost);
  free_row(&row);
}

/* The near tile of a border is loaded, the far one isn't; a door opens on the near side. */
static void an_entrance_that_its_loaded_side_closes_opens_again(void) {
  Row row = make_row();
  set_doors(&row, false);
  remove_tiles(&row, 24, 30);
  check_row(&row, true, false);
  set_doors(&row, true);
  check_row(&row, false, false); /* the first door is loaded, and closed */
  CHECK_EQUAL_INT(wm_switch_set(row.switches, row.doors[0], false), WM_OK);
  check_row(&row, false, false); /* and so is one half of the second */
  set_doors(&row, false);
  check_row(&row, true, false);
  free_row(&row);
}

static void a_graph_that_is_read_knows_which_doors_were_closed(void) {
  Row row = make_row();
  remove_tiles(&row, 10, 30);
  CHECK_EQUAL_INT(wm_switch_set(row.switches, row.doors[0], false), WM_OK);
  for (int with_mesh = 0; with_mesh < 2; with_mesh++) {
    CHECK_EQUAL_INT(wm_tile_graph_update(row.graph), WM_OK);
    uint8_t *bytes, *again;
    size_t byte_count, count_again;
    Row copy = row;
    CHECK_EQUAL_INT(wm_tile_graph_write(row.graph, &bytes, &byte_count), WM_OK);
    CHECK_EQUAL_INT(
        wm_tile_graph_read(row.context, with_mesh ? row.mesh : NULL, bytes, byte_count, &copy.graph), WM_OK);
    CHECK_EQUAL_INT(wm_tile_graph_update(copy.graph), WM_OK);
    CHECK_EQUAL_INT(wm_tile_graph_write(copy.graph, &again, &count_again), WM_OK);
    CHECK(byte_count == count_again && memcmp(bytes, again, byte_count) == 0);
    check_row(&copy, false, !with_mesh);
    set_doors(&row, false);
    check_row(&copy, with_mesh, true); /* without a mesh it is as it was written */
    if (with_mesh) CHECK_EQUAL_INT(wm_switch_set(row.switches, row.doors[1], true), WM_OK);
    if (with_mesh) check_row(&copy, false, false);
    wm_block_free(row.context, bytes);
    wm_block_free(row.context, again);
    wm_tile_graph_destroy(copy.graph);
    CHECK_EQUAL_INT(wm_switch_set(row.switches, row.doors[1], true), WM_OK);
  }
  free_row(&row);
}

/* Ground that changed elsewhere: the mesh has no switch over it. */
static void a_tile_that_is_not_loaded_can_be_assumed_to_be_open(void) {
  Row row = make_row();
  const int32_t tiles[] = {20, 23, 24};
  bool found;
  CHECK_EQUAL_INT(wm_tile_graph_assume_open(row.graph, 20, 0, 0, &found), WM_OK);
  CHECK(!found); /* it is loaded */
  remove_tiles(&row, 10, 30);
  for (int i = 0; i < 3; i++) {
    check_row(&row, false, false);
    CHECK_EQUAL_INT(wm_tile_graph_assume_open(row.graph, tiles[i], 0, 0, &found), WM_OK);
    CHECK(found);
  }
  check_row(&row, true, true);
  CHECK_EQUAL_INT(wm_tile_graph_assume_open(row.graph, 70, 0, 0, &found), WM_OK);
  CHECK(!found);
  add_grid_tile(row.mesh, &(GridTile){.x = 20, .seed = 5, .hole = UINT32_MAX, .tree = true});
  size_t changed;
  CHECK_EQUAL_INT(wm_switches_update(row.switches, &changed), WM_OK);
  check_row(&row, false, false); /* now it is known */
  free_row(&row);
}

int main(void) {
  RUN(a_door_that_opens_while_its_tile_is_not_loaded_is_assumed_to_be_passable);
  RUN(a_way_through_a_door_that_closes_while_its_tile_is_not_loaded_is_an_estimate);
  RUN(an_entrance_that_its_loaded_side_closes_opens_again);
  RUN(a_graph_that_is_read_knows_which_doors_were_closed);
  RUN(a_tile_that_is_not_loaded_can_be_assumed_to_be_open);
  RUN(no_way_is_unreachable_because_a_door_was_closed_when_its_tile_was_loaded);
  return check_finish();
}
