/* Off-mesh connections made at run time: settings, costs, ends, failures. links_test.c checks their links
 * while tiles are added and removed. */
#include "mesh/links/connections.h"

#include "link_oracle.h"
#include "mesh/formats/formats.h"

enum { SIDE = 5 }; /* tiles of a world */

/* ---- One connection ----------------------------------------------------------------------------------- */

/* From tile (0, 0) to tile (4, 4) of a world. */
static WmConnection corner_to_corner(const WmMesh *mesh) {
  WmConnection connection = wm_connection_default(mesh);
  memcpy(connection.start, (const float[3]){2.3f, 0.2f, 2.7f}, 12);
  memcpy(connection.end, (const float[3]){36.3f, 0.2f, 37.7f}, 12);
  return connection;
}

static void settings_are_kept_and_changed(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, SIDE, 3);
  WmConnection connection = corner_to_corner(mesh), found;
  CHECK(connection.radius == 0.5f && connection.climb == 0.5f && connection.bidirectional &&
        connection.enabled && connection.flags == 1 && connection.cost_factor == 1);
  connection.user_id = 71;
  connection.area = 12;
  connection.flags = 6;
  connection.cost_factor = 0.5f;
  connection.bidirectional = false;
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  float ends[2][3];
  int tied = 0;
  CHECK_EQUAL_INT(wm_mesh_connection(mesh, ref, &found, ends, &tied), WM_OK);
  CHECK(memcmp(found.start, connection.start, 12) == 0 && memcmp(found.end, connection.end, 12) == 0);
  CHECK(found.radius == 0.5f && found.climb == 0.5f && found.user_id == 71 && found.area == 12 &&
        found.flags == 6);
  CHECK(found.cost_factor == 0.5f && !found.bidirectional && found.enabled);
  CHECK_EQUAL_INT(tied, 3);
  CHECK(ends[0][0] == connection.start[0] && ends[1][2] == connection.end[2] && ends[0][1] <= 0.25f);
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
  CHECK(tile->ground_count == 0 && tile->polygon_count == 1 && tile->cost_factor == 0.5f);
  CHECK_EQUAL_INT(tile->polygon_flags[0], 6);
  CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), SIDE * SIDE);
  CHECK_EQUAL_INT(wm_mesh_connection_count(mesh), 1);

  const uint64_t shape = wm_mesh_shape_version(mesh), links = hash_links(mesh);
  CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(mesh, ref, false), WM_OK);
  CHECK_EQUAL_INT(tile->polygon_flags[0], 0);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, ref, 10), WM_OK);
  CHECK_EQUAL_INT(tile->polygon_flags[0], 0);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, ref, 13), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_connection(mesh, ref, &found, NULL, NULL), WM_OK);
  CHECK(!found.enabled && found.flags == 10 && found.area == 13);
  uint8_t state[20];
  CHECK_EQUAL_INT(wm_mesh_tile_state_bytes(mesh, ref), sizeof state);
  CHECK_EQUAL_INT(wm_mesh_save_tile_state(mesh, ref, state, sizeof state), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(mesh, ref, true), WM_OK);
  CHECK_EQUAL_INT(tile->polygon_flags[0], 10);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, ref, 3), WM_OK);
  CHECK_EQUAL_INT(tile->polygon_flags[0], 3);
  CHECK_EQUAL_INT(wm_mesh_restore_tile_state(mesh, state, sizeof state), WM_OK);
  CHECK_EQUAL_INT(tile->polygon_flags[0], 10);
  CHECK_EQUAL_INT(wm_mesh_set_connection_cost(mesh, ref, 7), WM_OK);
  CHECK(tile->cost_factor == 7);
  CHECK(wm_mesh_shape_version(mesh) == shape && hash_links(mesh) == links);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void baked_connections_can_be_asked_but_not_removed(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const WmOffMeshConnection baked = {.start = {1.3f, 0.2f, 1.3f},
                                     .end = {6.3f, 9, 6.3f},
                                     .radius = 0.4f,
                                     .flags = 9,
                                     .area = 3,
                                     .user_id = 5};
  const GridTile grid = {.seed = 2, .hole = UINT32_MAX, .connections = &baked, .connection_count = 1};
  const WmRef tile = add_grid_tile(mesh, &grid), ref = tile + wm_mesh_tile_of(mesh, tile)->ground_count;
  WmConnection found;
  float ends[2][3];
  int tied;
  CHECK_EQUAL_INT(wm_mesh_connection(mesh, ref, &found, ends, &tied), WM_OK);
  CHECK(found.radius == 0.4f && found.climb == 0.5f && found.user_id == 5 && found.area == 3 &&
        found.cost_factor == 1);
  CHECK(!found.bidirectional && found.enabled);
  CHECK_EQUAL_INT(tied, 1);
  CHECK(ends[1][1] == 9 && ends[0][1] <= 0.25f);
  CHECK_EQUAL_INT(wm_mesh_connection(mesh, tile, &found, ends, &tied), WM_ERROR_INVALID_ARGUMENT);
  CHECK(found.radius == 0 && ends[0][1] == 0 && tied == 0);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, ref), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(mesh, ref, false), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_set_connection_cost(mesh, ref, 2), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_connection_count(mesh), 0);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void entered_at_the_end_it_leads_back(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, SIDE, 3);
  const WmConnection connection = corner_to_corner(mesh);
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
  float entry[3], exit[3];
  for (uint32_t i = 0; i < 2; i++) { /* the newest first: the end's link */
    const WmRef ground = wm_mesh_tile(mesh, tile->links[i].slot)->ref + tile->links[i].polygon;
    CHECK_EQUAL_INT(wm_mesh_connection_ends(mesh, ground, ref, entry, exit), WM_OK);
    CHECK(entry[0] == (i == 0 ? connection.end : connection.start)[0]);
    CHECK(exit[0] == (i == 0 ? connection.start : connection.end)[0]);
  }
  CHECK_EQUAL_INT(wm_mesh_connection_ends(mesh, 0, ref, entry, exit), WM_OK);
  CHECK(entry[0] == connection.start[0]);
  CHECK_EQUAL_INT(wm_mesh_connection_ends(mesh, UINT64_MAX, ref, entry, exit), WM_ERROR_INVALID_ARGUMENT);
  CHECK(entry[0] == 0 && exit[0] == 0);
  CHECK_EQUAL_INT(wm_mesh_connection_ends(mesh, 0, wm_mesh_tile(mesh, 0)->ref, entry, exit),
                  WM_ERROR_INVALID_ARGUMENT);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Ground with flags 0 is closed, but still ground: a connection made meanwhile is usable once it opens. */
static void ends_meet_ground_that_is_closed(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, SIDE, 3);
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0), WM_OK);
    }
  }
  const WmConnection connection = corner_to_corner(mesh);
  WmConnection found;
  WmRef ref;
  int tied = 0;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_connection(mesh, ref, &found, NULL, &tied), WM_OK);
  CHECK_EQUAL_INT(tied, 3);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* An end just inside a tile is tied to the tile's neighbour if a replacement of the tile is out of reach. */
static void ends_go_to_the_neighbour_of_a_replaced_tile(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  WmConnection connection = wm_connection_default(mesh);
  memcpy(connection.start, (const float[3]){7.8f, 0.1f, 3.3f}, 12);
  WmRef ref, tile;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  for (int step = 0; step < 2; step++) {
    const GridTile grid = {.seed = 5, .floor = step ? 0 : 20, .hole = UINT32_MAX, .tree = true};
    WmTileData data = make_grid_tile(context, &grid);
    CHECK_EQUAL_INT(wm_mesh_replace_tile(mesh, data.bytes, data.byte_count, &tile), WM_OK);
    wm_tile_data_free(context, &data);
    float ends[2][3];
    CHECK_EQUAL_INT(wm_mesh_connection(mesh, ref, &connection, ends, NULL), WM_OK);
    CHECK(ends[0][0] == (step ? 7.8f : 8.0f));
    check_links(mesh);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void the_least_cost_is_that_of_enabled_connections(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  WmRef refs[8] = {0};
  float costs[8];
  bool enabled[8];
  uint32_t random = 8;
  CHECK(wm_mesh_least_cost(mesh) == 1);
  for (int step = 0; step < 400; step++) {
    const uint32_t i = grid_random(&random) % 8;
    const float cost = (float)(grid_random(&random) % 6) * 0.25f;
    if (!refs[i]) {
      WmConnection connection = wm_connection_default(mesh);
      connection.cost_factor = costs[i] = cost;
      connection.enabled = enabled[i] = grid_random(&random) % 2;
      CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &refs[i]), WM_OK);
    } else if (step % 3 == 0) {
      CHECK_EQUAL_INT(wm_mesh_set_connection_cost(mesh, refs[i], costs[i] = cost), WM_OK);
    } else if (step % 3 == 1) {
      CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(mesh, refs[i], enabled[i] = !enabled[i]), WM_OK);
    } else {
      CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, refs[i]), WM_OK);
      refs[i] = 0;
    }
    float least = 1;
    for (int k = 0; k < 8; k++) least = refs[k] && enabled[k] ? fminf(least, costs[k]) : least;
    CHECK(wm_mesh_least_cost(mesh) == least);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void connections_are_listed_in_the_order_they_were_made(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const WmConnection connection = corner_to_corner(mesh);
  WmRef refs[40], ref = 0;
  for (int i = 0; i < 40; i++) CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &refs[i]), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, refs[0]), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, refs[20]), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, refs[39]), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &refs[39]), WM_OK);
  for (int i = 1; i < 40; i++) {
    if (i == 20) continue;
    ref = wm_mesh_next_connection(mesh, ref);
    CHECK(ref == refs[i]);
  }
  CHECK(wm_mesh_next_connection(mesh, ref) == 0);
  CHECK(wm_mesh_next_connection(mesh, refs[20]) == 0);
  CHECK_EQUAL_INT(wm_mesh_connection_count(mesh), 38);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_settings_are_refused_by_name(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  WmConnection wrong[8];
  static const char *const NAMES[8] = {"start", "end",  "radius",     "radius",
                                       "climb", "area", "costFactor", "costFactor"};
  for (int i = 0; i < 8; i++) wrong[i] = corner_to_corner(mesh);
  wrong[0].start[1] = NAN;
  wrong[1].end[2] = INFINITY;
  wrong[2].radius = -1;
  wrong[3].radius = INFINITY;
  wrong[4].climb = NAN;
  wrong[5].area = 64;
  wrong[6].cost_factor = -0.5f;
  wrong[7].cost_factor = NAN;
  const uint64_t version = wm_mesh_version(mesh);
  for (int i = 0; i < 8; i++) {
    WmRef ref = 1;
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &wrong[i], &ref), WM_ERROR_INVALID_ARGUMENT);
    CHECK(ref == 0 && strcmp(wm_context_error(context)->field, NAMES[i]) == 0);
  }
  CHECK(wm_mesh_version(mesh) == version);
  WmRef ref;
  const WmConnection connection = corner_to_corner(mesh);
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_set_connection_cost(mesh, ref, NAN), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, ref), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, wm_mesh_tile(mesh, 0)->ref), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, 0), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, ref), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, ref), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_mesh_set_connection_enabled(mesh, ref, true), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_mesh_set_connection_cost(mesh, ref, 1), WM_ERROR_STALE_REFERENCE);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Detour's formats store tiles only. */
static void sets_leave_connections_made_at_run_time_out(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 3, 3), *copy;
  uint8_t *bytes[2];
  size_t byte_counts[2];
  CHECK_EQUAL_INT(wm_mesh_write(mesh, WM_FORMAT_SET, &bytes[0], &byte_counts[0]), WM_OK);
  const WmConnection connection = corner_to_corner(mesh);
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_write(mesh, WM_FORMAT_SET, &bytes[1], &byte_counts[1]), WM_OK);
  CHECK(byte_counts[0] == byte_counts[1] && memcmp(bytes[0], bytes[1], byte_counts[0]) == 0);
  CHECK_EQUAL_INT(wm_mesh_read(context, bytes[1], byte_counts[1], &copy), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_connection_count(copy), 0);
  check_links(copy);
  wm_mesh_destroy(copy);
  for (int i = 0; i < 2; i++) wm_block_free(context, bytes[i]);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Far landings exist after reading too, in any order of the tiles in the file. */
static void far_landings_survive_a_file(void) {
  WmContext *context = wm_context_create(NULL);
  for (int order = 0; order < 2; order++) {
    WmMesh *mesh = make_grid_mesh(context), *copy;
    const WmOffMeshConnection baked = {.start = {1.3f, 0.2f, 1.3f},
                                       .end = {30.3f, 0.2f, 1.3f},
                                       .radius = 0.4f,
                                       .flags = 1,
                                       .bidirectional = true};
    for (int i = 0; i < 2; i++) {
      const bool home = i == order;
      const GridTile grid = {
          .x = home ? 0 : 3, .seed = 4, .hole = UINT32_MAX, .connections = &baked, .connection_count = home};
      add_grid_tile(mesh, &grid);
    }
    CHECK_EQUAL_INT(check_links(mesh).far_landings, 1);
    uint8_t *bytes;
    size_t byte_count;
    CHECK_EQUAL_INT(wm_mesh_write(mesh, WM_FORMAT_SET, &bytes, &byte_count), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_read(context, bytes, byte_count, &copy), WM_OK);
    CHECK_EQUAL_INT(check_links(copy).far_landings, 1);
    CHECK_EQUAL_INT(wm_mesh_remove_tile(copy, wm_mesh_find_tile(copy, 3, 0, 0)->ref), WM_OK);
    CHECK_EQUAL_INT(check_links(copy).far_landings, 0);
    wm_mesh_destroy(copy);
    wm_block_free(context, bytes);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* A change of a world with near and far connections, and some made at run time. */
typedef struct Change {
  WmMesh *mesh;
  WmTileData tile; /* with baked connections, for place (1, 1) */
  WmConnection connection;
  WmRef held; /* a connection made before */
} Change;

enum { ADD, REPLACE, REMOVE, CONNECT, CHANGE_COUNT };

static void prepare(WmContext *context, Change *change, int kind) {
  WmMesh *mesh = change->mesh = make_grid_mesh(context);
  const WmOffMeshConnection far = {.start = {1.3f, 0.2f, 1.3f},
                                   .end = {36.1f, 0.2f, 12.3f},
                                   .radius = 0.4f,
                                   .flags = 1,
                                   .bidirectional = true};
  const WmOffMeshConnection near[2] = {
      {.start = {38.7f, 0.2f, 12.7f},
       .end = {1.3f, 0.2f, 3.3f},
       .radius = 0.4f,
       .flags = 1,
       .bidirectional = true},
      {.start = {34.7f, 0.2f, 12.7f}, .end = {31.3f, 0.2f, 3.3f}, .radius = 0.4f, .flags = 1}};
  for (int32_t i = 0; i < 4; i++) {
    const GridTile grid = {.x = i % 2 * 3,
                           .z = i / 2,
                           .seed = 7 + (uint32_t)i,
                           .hole = UINT32_MAX,
                           .tree = true,
                           .connections = &far,
                           .connection_count = i == 0};
    add_grid_tile(mesh, &grid);
  }
  GridTile grid = {.x = 4,
                   .z = 1,
                   .seed = 3,
                   .hole = UINT32_MAX,
                   .tree = true,
                   .connections = near,
                   .connection_count = 2};
  change->tile = make_grid_tile(context, &grid);
  grid.seed = 33;
  if (kind == REPLACE || kind == REMOVE) add_grid_tile(mesh, &grid);
  change->connection = corner_to_corner(mesh);
  memcpy(change->connection.start, (const float[3]){31.9f, 0.1f, 12.2f}, 12); /* near two tiles */
  memcpy(change->connection.end, (const float[3]){32.2f, 0.1f, 13.2f}, 12);
  for (int i = 0; i < 6; i++) {
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &change->connection, &change->held), WM_OK);
  }
}

static WmStatus make_change(Change *change, int kind) {
  WmRef out;
  if (kind == CONNECT) return wm_mesh_add_connection(change->mesh, &change->connection, &out);
  if (kind == REMOVE) return wm_mesh_remove_tile(change->mesh, wm_mesh_find_tile(change->mesh, 4, 1, 0)->ref);
  return (kind == ADD ? wm_mesh_add_tile : wm_mesh_replace_tile)(change->mesh, change->tile.bytes,
                                                                 change->tile.byte_count, &out);
}

/* Each allocation of a change fails once, and from then on. */
static void a_failed_change_leaves_the_mesh_as_it_was(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  for (int kind = 0; kind < 2 * CHANGE_COUNT; kind++) {
    int failures = 0;
    bool reached = true; /* the allocation that fails */
    for (long n = 0; reached; n++) {
      Change change;
      prepare(context, &change, kind / 2);
      const uint64_t before = hash_links(change.mesh), version = wm_mesh_version(change.mesh);
      const double area = wm_mesh_area(change.mesh);
      wm_context_trim(context);
      ration.until_failure = n;
      ration.once = kind % 2;
      const WmStatus status = make_change(&change, kind / 2);
      reached = ration.was_refused;
      const WmStatus expected = end_ration(&ration);
      /* Scratch memory that is refused once is requested again, in a smaller chunk. */
      CHECK(status == expected || (ration.once && status == WM_OK));
      if (status) {
        failures++;
        CHECK(hash_links(change.mesh) == before && wm_mesh_version(change.mesh) == version);
        CHECK(wm_mesh_area(change.mesh) == area);
        CHECK_EQUAL_INT(wm_mesh_connection_count(change.mesh), 6);
        check_links(change.mesh);
        CHECK_EQUAL_INT(make_change(&change, kind / 2), WM_OK);
      }
      CHECK(hash_links(change.mesh) != before);
      check_links(change.mesh);
      wm_tile_data_free(context, &change.tile);
      wm_mesh_destroy(change.mesh);
    }
    CHECK(failures > 3);
  }
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(settings_are_kept_and_changed);
  RUN(baked_connections_can_be_asked_but_not_removed);
  RUN(entered_at_the_end_it_leads_back);
  RUN(ends_meet_ground_that_is_closed);
  RUN(ends_go_to_the_neighbour_of_a_replaced_tile);
  RUN(the_least_cost_is_that_of_enabled_connections);
  RUN(connections_are_listed_in_the_order_they_were_made);
  RUN(bad_settings_are_refused_by_name);
  RUN(sets_leave_connections_made_at_run_time_out);
  RUN(far_landings_survive_a_file);
  RUN(a_failed_change_leaves_the_mesh_as_it_was);
  return check_finish();
}
