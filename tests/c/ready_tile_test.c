/* Ready tiles swapped in and out: after any swaps, the mesh equals one made of its tiles row by row. */
#include "mesh/tile/ready_tile.h"

#include "link_oracle.h"
#include "links_afresh.h"

enum { SIDE = 3, TILES = SIDE * SIDE, KEPT = 6 };

static WmReadyTile *make_ready(WmContext *context, const GridTile *grid, bool is_trusted) {
  WmTileData data = make_grid_tile(context, grid);
  WmReadyTile *ready = NULL;
  CHECK_EQUAL_INT(wm_ready_tile_make(context, data.bytes, data.byte_count, is_trusted, &ready), WM_OK);
  CHECK(wm_ready_tile_memory(ready) > data.byte_count);
  CHECK(memcmp(wm_ready_tile_view(ready)->bytes, data.bytes, data.byte_count) == 0);
  wm_tile_data_free(context, &data);
  return ready;
}

/* A tile with the cuts of the world, so that its sides are the same except at a hole, or with other cuts. */
static GridTile random_tile(uint32_t *random, int32_t place, uint32_t world) {
  return (GridTile){.x = place % SIDE,
                    .z = place / SIDE,
                    .seed = grid_random(random) % 3 ? world + (uint32_t)place : grid_random(random),
                    .hole = grid_random(random) % 4 ? grid_random(random) % 20 : UINT32_MAX,
                    .floor = grid_random(random) % 8 ? 0 : 3,
                    .tree = true};
}

static bool is_in(const WmMesh *mesh, const WmReadyTile *ready) {
  const WmMeshTile *view = wm_ready_tile_view(ready);
  return wm_mesh_find_tile(mesh, view->x, view->z, view->layer) == view;
}

/* Tiles are swapped in, out and in again; tile places are empty for some time. */
static void play(WmContext *context, uint32_t seed, int swaps) {
  uint32_t random = seed;
  WmMesh *mesh = make_grid_world(context, SIDE, seed);
  WmReadyTile *kept[TILES][KEPT] = {{NULL}};
  for (int i = 0; i < swaps; i++) {
    const uint32_t place = grid_random(&random) % TILES, number = grid_random(&random) % KEPT;
    const int32_t x = (int32_t)place % SIDE, z = (int32_t)place / SIDE;
    const WmMeshTile *former = wm_mesh_find_tile(mesh, x, z, 0);
    if (former && grid_random(&random) % 16 == 0) {
      CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, former->ref), WM_OK);
      check_links_afresh(mesh);
      continue;
    }
    WmReadyTile **ready = &kept[place][number];
    if (*ready && (is_in(mesh, *ready) || grid_random(&random) % 4 == 0)) {
      wm_ready_tile_release(context, *ready);
      *ready = NULL;
    }
    if (!*ready) {
      const GridTile grid = random_tile(&random, (int32_t)place, seed);
      *ready = make_ready(context, &grid, grid_random(&random) % 2);
    }
    const WmRef before = former ? former->ref : 0,
                beside = wm_mesh_tile(mesh, 0) ? wm_mesh_tile(mesh, 0)->ref : 0;
    const uint64_t version = wm_mesh_shape_version(mesh);
    WmRef ref = 0;
    CHECK_EQUAL_INT(wm_mesh_swap_tile(mesh, *ready, &ref), WM_OK);
    CHECK(ref && ref != before && wm_mesh_tile_of(mesh, ref) == wm_ready_tile_view(*ready));
    CHECK(wm_mesh_shape_version(mesh) > version);
    CHECK(!before || wm_mesh_check_ref(context, mesh, before, "x") == WM_ERROR_STALE_REFERENCE);
    CHECK(!beside || beside == before || wm_mesh_tile_of(mesh, beside));
    check_links_afresh(mesh);
  }
  check_links(mesh);
  for (int i = 0; i < TILES; i++) {
    for (int k = 0; k < KEPT; k += 2) wm_ready_tile_release(context, kept[i][k]);
  }
  wm_mesh_destroy(mesh);
  for (int i = 0; i < TILES; i++) { /* these outlive the mesh */
    for (int k = 1; k < KEPT; k += 2) wm_ready_tile_release(context, kept[i][k]);
  }
}

static void any_swaps_leave_a_mesh_made_row_by_row(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(60); seed++) play(context, seed, 60);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* Connections that land on a tile or beside it, baked and made at run time, and layers above each other: the
 * mesh has the links of the oracle. */
static void tiles_with_connections_and_layers_are_linked(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(40); seed++) {
    uint32_t random = seed * 77;
    WmMesh *mesh = make_grid_world(context, SIDE, seed);
    WmOffMeshConnection connection = {.start = {11.3f, 0.1f, 12.2f},
                                      .end = {seed % 2 ? 4.1f : 21.1f, 0.1f, 4.2f},
                                      .radius = 1,
                                      .flags = 1,
                                      .bidirectional = seed % 3 > 0};
    WmRef made = 0;
    if (seed % 4 == 0) {
      WmConnection settings = wm_connection_default(mesh);
      memcpy(settings.start, connection.end, sizeof settings.start);
      memcpy(settings.end, connection.start, sizeof settings.end);
      CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &settings, &made), WM_OK);
    }
    WmReadyTile *kept[4] = {NULL};
    for (int i = 0; i < 30; i++) {
      const uint32_t number = grid_random(&random) % 4;
      if (!kept[number]) {
        GridTile grid = random_tile(&random, number < 2 ? 4 : (int32_t)number, seed);
        grid.layer = seed % 5 == 0 && number == 1;
        if (grid.layer) grid.floor = 12;
        if (number == 0 && seed % 4) {
          grid.connections = &connection;
          grid.connection_count = 1;
        }
        kept[number] = make_ready(context, &grid, true);
      }
      WmRef ref;
      if (is_in(mesh, kept[number])) continue;
      CHECK_EQUAL_INT(wm_mesh_swap_tile(mesh, kept[number], &ref), WM_OK);
      if (seed % 5) check_links(mesh);
    }
    for (int i = 0; i < 4; i++) wm_ready_tile_release(context, kept[i]);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

static void a_tile_knows_whether_it_was_altered(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, SIDE, 3);
  WmReadyTile *of_mesh = wm_mesh_ready_tile(mesh, wm_mesh_find_tile(mesh, 1, 1, 0)->ref);
  wm_ready_tile_retain(of_mesh);
  CHECK(!wm_ready_tile_is_altered(of_mesh));
  const GridTile grid = {.x = 1, .z = 1, .seed = 9, .hole = UINT32_MAX, .tree = true};
  WmReadyTile *ready = make_ready(context, &grid, true);
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_swap_tile(mesh, ready, &ref), WM_OK);
  CHECK(wm_mesh_ready_tile(mesh, ref) == ready && !is_in(mesh, of_mesh));
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, ref, 8), WM_OK);
  CHECK(wm_ready_tile_is_altered(ready));
  CHECK_EQUAL_INT(wm_mesh_swap_tile(mesh, of_mesh, &ref), WM_OK);
  CHECK(!wm_ready_tile_is_altered(of_mesh) && wm_mesh_ready_tile(mesh, ref) == of_mesh);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, ref + 1, 3), WM_OK);
  CHECK(wm_ready_tile_is_altered(of_mesh));
  CHECK(wm_mesh_ready_tile(mesh, ref + 5000) == NULL);
  /* A copy equals the tile. */
  WmReadyTile *copy = NULL, *same = make_ready(context, &grid, true);
  CHECK_EQUAL_INT(wm_ready_tile_copy(context, ready, &copy), WM_OK);
  const WmMeshTile *a = wm_ready_tile_view(copy), *b = wm_ready_tile_view(same);
  CHECK(a->byte_count == b->byte_count && memcmp(a->bytes, b->bytes, a->byte_count) == 0);
  CHECK(a->polygon_flags[0] == 1 && wm_ready_tile_view(ready)->polygon_flags[0] == 8);
  CHECK(!wm_ready_tile_is_altered(copy));
  wm_ready_tile_release(context, copy);
  wm_ready_tile_release(context, same);
  wm_ready_tile_release(context, of_mesh);
  wm_ready_tile_release(context, ready);
  wm_ready_tile_release(context, NULL);
  wm_ready_tile_retain(NULL);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Each allocation of swaps with and without connections fails: nothing changes, and the same swap works
 * afterwards. */
static void a_failed_swap_leaves_all_as_it_was(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  const WmOffMeshConnection connection = {
      .start = {9.1f, 0.4f, 9.2f}, .end = {4.1f, 0.4f, 4.2f}, .radius = 1, .flags = 1, .bidirectional = true};
  int failures = 0;
  for (int way = 0; way < 8; way++) {
    const GridTile grid = {.x = 1,
                           .z = 1,
                           .seed = way & 1 ? 5 : 12,
                           .hole = 1,
                           .tree = true,
                           .connections = &connection,
                           .connection_count = way >> 1 & 1};
    bool reached = true; /* the allocation that fails */
    for (long n = 0; reached; n++) {
      WmMesh *mesh = make_grid_world(context, 2, 9);
      WmReadyTile *first = wm_mesh_ready_tile(mesh, wm_mesh_find_tile(mesh, 1, 1, 0)->ref);
      WmReadyTile *ready = make_ready(context, &grid, true);
      wm_ready_tile_retain(first);
      WmRef ref;
      if (way >= 4) { /* a tile that was in the mesh before */
        CHECK_EQUAL_INT(wm_mesh_swap_tile(mesh, ready, &ref), WM_OK);
        CHECK_EQUAL_INT(wm_mesh_swap_tile(mesh, first, &ref), WM_OK);
      }
      const uint64_t before = hash_links(mesh), version = wm_mesh_version(mesh);
      wm_context_trim(context);
      ration.until_failure = n;
      ration.once = way & 1;
      ref = 77;
      const WmStatus status = wm_mesh_swap_tile(mesh, ready, &ref);
      reached = ration.until_failure <= 0;
      ration.until_failure = -1;
      if (status) {
        failures++;
        CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
        CHECK(ref == 0 && is_in(mesh, first) && !is_in(mesh, ready));
        CHECK(hash_links(mesh) == before && wm_mesh_version(mesh) == version);
        CHECK_EQUAL_INT(wm_mesh_swap_tile(mesh, ready, &ref), WM_OK);
      }
      CHECK(is_in(mesh, ready));
      check_links(mesh);
      CHECK_EQUAL_INT(wm_mesh_swap_tile(mesh, first, &ref), WM_OK);
      check_links(mesh);
      if (grid.connection_count == 0) check_links_afresh(mesh);
      wm_ready_tile_release(context, first);
      wm_ready_tile_release(context, ready);
      wm_mesh_destroy(mesh);
    }
  }
  CHECK(failures > 20);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* Untrusted bytes are checked completely; headers are always checked. */
static void bad_tiles_do_not_become_ready(void) {
  WmContext *context = wm_context_create(NULL);
  const GridTile grid = {.seed = 9, .hole = UINT32_MAX, .tree = true};
  WmTileData data = make_grid_tile(context, &grid);
  WmReadyTile *ready;
  WmTileHeader header;
  memcpy(&header, data.bytes, sizeof header);
  const size_t polygon = WM_TILE_HEADER_BYTES + WM_TILE_VERTEX_BYTES * (size_t)header.vertex_count;
  data.bytes[polygon + 5] = 0xff; /* the number of a vertex */
  CHECK_EQUAL_INT(wm_ready_tile_make(context, data.bytes, data.byte_count, false, &ready), WM_ERROR_CORRUPT);
  CHECK(!ready);
  for (int trusted = 0; trusted < 2; trusted++) {
    CHECK_EQUAL_INT(wm_ready_tile_make(context, data.bytes, 99, trusted, &ready), WM_ERROR_CORRUPT);
    CHECK_EQUAL_INT(wm_ready_tile_make(context, data.bytes, data.byte_count - 4, trusted, &ready),
                    WM_ERROR_CORRUPT);
    CHECK(!ready);
  }
  wm_tile_data_free(context, &data);
  wm_context_destroy(context);
}

int main(void) {
  RUN(any_swaps_leave_a_mesh_made_row_by_row);
  RUN(tiles_with_connections_and_layers_are_linked);
  RUN(a_tile_knows_whether_it_was_altered);
  RUN(a_failed_swap_leaves_all_as_it_was);
  RUN(bad_tiles_do_not_become_ready);
  return check_finish();
}
