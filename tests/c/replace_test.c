/* Replacing tiles completely or not at all; saving and restoring their state. */
#include <math.h>

#include "link_oracle.h"
#include "mesh/mesh.h"

static WmStatus replace(WmMesh *mesh, const GridTile *grid, WmRef *tile) {
  WmTileData data = make_grid_tile(wm_mesh_context(mesh), grid);
  const WmStatus status = wm_mesh_replace_tile(mesh, data.bytes, data.byte_count, tile);
  wm_tile_data_free(wm_mesh_context(mesh), &data);
  return status;
}

/* ---- Replacing ---------------------------------------------------------------------------------------- */

/* Replacing a tile gives the same links in the same order as removing it and adding the new one. */
static void a_replaced_tile_is_linked_like_one_removed_and_added(void) {
  WmContext *context = wm_context_create(NULL);
  const WmOffMeshConnection connection = {.start = {11.3f, 0.1f, 12.2f},
                                          .end = {4.1f, 0.1f, 4.2f},
                                          .radius = 1,
                                          .flags = 1,
                                          .bidirectional = true};
  GridTile grid = {.x = 1,
                   .z = 1,
                   .seed = 77,
                   .hole = UINT32_MAX,
                   .tree = true,
                   .connections = &connection,
                   .connection_count = 1};
  uint32_t links[2];
  uint64_t hashes[2];
  for (int way = 0; way < 2; way++) {
    WmMesh *mesh = make_grid_world(context, 3, 5);
    const WmRef former = wm_mesh_find_tile(mesh, 1, 1, 0)->ref;
    WmRef tile = 0;
    if (way == 1) CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, former), WM_OK);
    CHECK_EQUAL_INT(replace(mesh, &grid, &tile), WM_OK);
    CHECK(wm_mesh_tile_of(mesh, former) == NULL);
    CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, former + 1, "x"), WM_ERROR_STALE_REFERENCE);
    CHECK(wm_mesh_find_tile(mesh, 1, 1, 0)->ref == tile);
    CHECK(wm_mesh_next_layer(mesh, 1, 1, wm_mesh_find_tile(mesh, 1, 1, 0)) == NULL);
    CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), 9);
    CHECK(fabs(wm_mesh_area(mesh) - 9 * 64) < 1e-6);
    CHECK(check_links(mesh).near_landings == 1);
    WmMeshTotals totals;
    wm_mesh_totals(mesh, &totals);
    links[way] = (uint32_t)totals.links;
    /* Slots differ, so a neighbour's links are compared by their destinations. */
    const WmMeshTile *neighbour = wm_mesh_find_tile(mesh, 0, 0, 0);
    hashes[way] = 1;
    for (uint32_t i = 0; i < neighbour->link_first[neighbour->polygon_count]; i++) {
      const WmMeshTile *to = wm_mesh_tile(mesh, neighbour->links[i].slot);
      hashes[way] = oracle_mix(hashes[way], (uint32_t)to->x << 8 | (uint32_t)to->z);
      hashes[way] = oracle_mix(hashes[way], neighbour->links[i].polygon << 8 | neighbour->links[i].edge);
    }
    wm_mesh_destroy(mesh);
  }
  CHECK(links[0] == links[1] && hashes[0] == hashes[1]);
  wm_context_destroy(context);
}

static void the_same_bytes_change_nothing(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 0);
  const GridTile grid = {.x = 1, .hole = UINT32_MAX, .tree = true};
  const WmRef former = wm_mesh_find_tile(mesh, 1, 0, 0)->ref;
  const uint64_t before = hash_links(mesh), version = wm_mesh_version(mesh);
  WmRef tile = 0;
  CHECK_EQUAL_INT(replace(mesh, &grid, &tile), WM_OK);
  CHECK(tile == former && hash_links(mesh) == before && wm_mesh_version(mesh) == version);
  /* A tile with other flags is another tile. */
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, former, 8), WM_OK);
  CHECK_EQUAL_INT(replace(mesh, &grid, &tile), WM_OK);
  CHECK(tile != former && wm_mesh_tile_of(mesh, former) == NULL);
  CHECK_EQUAL_INT(wm_mesh_tile_of(mesh, tile)->polygon_flags[0], 1);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_tile_replaces_that_of_its_own_layer_only(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  WmRef tiles[3] = {0}, again = 0;
  GridTile grid = {.seed = 4, .hole = UINT32_MAX};
  for (int i = 0; i < 3; i++) {
    grid.layer = i;
    grid.floor = (uint16_t)(12 * i);
    CHECK_EQUAL_INT(replace(mesh, &grid, &tiles[i]), WM_OK); /* there is nothing to replace */
  }
  grid.layer = 1;
  grid.seed = 5;
  CHECK_EQUAL_INT(replace(mesh, &grid, &again), WM_OK);
  CHECK(wm_mesh_tile_of(mesh, tiles[0]) && !wm_mesh_tile_of(mesh, tiles[1]) &&
        wm_mesh_tile_of(mesh, tiles[2]));
  CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), 3);
  const uint8_t garbage[200] = {1};
  CHECK_EQUAL_INT(wm_mesh_replace_tile(mesh, garbage, sizeof garbage, &again), WM_ERROR_CORRUPT);
  CHECK(again == 0);
  CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), 3);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* The last of 1024 layers can be replaced; no further one can be added. */
static void a_full_place_takes_replacements_only(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  GridTile grid = {.floor = 2, .hole = UINT32_MAX};
  WmTileData data = make_grid_tile(context, &grid);
  WmTileHeader header;
  for (int32_t layer = 0; layer < 1026; layer++) {
    memcpy(&header, data.bytes, sizeof header);
    header.layer = layer < 1025 ? layer : 1023;
    header.user_id = layer == 1025;
    memcpy(data.bytes, &header, sizeof header);
    CHECK_EQUAL_INT(wm_mesh_replace_tile(mesh, data.bytes, data.byte_count, NULL),
                    layer == 1024 ? WM_ERROR_LIMIT : WM_OK);
  }
  CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), 1024);
  CHECK_EQUAL_INT(wm_mesh_find_tile(mesh, 0, 0, 1023)->user_id, 1);
  CHECK_EQUAL_INT(wm_mesh_find_tile(mesh, 0, 0, 17)->user_id, 0);
  wm_tile_data_free(context, &data);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_failed_replacement_leaves_the_former_tile(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  const WmOffMeshConnection connection = {
      .start = {9.1f, 0.4f, 9.2f}, .end = {4.1f, 0.4f, 4.2f}, .radius = 1, .flags = 1, .bidirectional = true};
  const GridTile grid = {.x = 1,
                         .z = 1,
                         .seed = 5,
                         .hole = UINT32_MAX,
                         .tree = true,
                         .connections = &connection,
                         .connection_count = 1};
  WmTileData data = make_grid_tile(context, &grid);
  int failures = 0;
  for (int once = 0; once < 2; once++) {
    bool reached = true; /* the allocation that fails */
    for (long n = 0; reached; n++) {
      WmMesh *mesh = make_grid_world(context, 2, 9);
      const WmRef former = wm_mesh_find_tile(mesh, 1, 1, 0)->ref;
      const uint64_t before = hash_links(mesh), version = wm_mesh_version(mesh);
      wm_context_trim(context);
      ration.until_failure = n;
      ration.once = once == 1;
      WmRef tile = 1;
      const WmStatus status = wm_mesh_replace_tile(mesh, data.bytes, data.byte_count, &tile);
      reached = ration.was_refused;
      const WmStatus expected = end_ration(&ration);
      /* Scratch memory that is refused once is requested again, in a smaller chunk. */
      CHECK(status == expected || (ration.once && status == WM_OK));
      if (status) {
        failures++;
        CHECK(tile == 0 && wm_mesh_tile_of(mesh, former) != NULL);
        CHECK(hash_links(mesh) == before && wm_mesh_version(mesh) == version);
        CHECK_EQUAL_INT(wm_mesh_replace_tile(mesh, data.bytes, data.byte_count, &tile), WM_OK);
      }
      CHECK(wm_mesh_tile_of(mesh, former) == NULL && wm_mesh_tile_of(mesh, tile) != NULL);
      check_links(mesh);
      wm_mesh_destroy(mesh);
    }
  }
  CHECK(failures > 8);
  wm_tile_data_free(context, &data);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* ---- State -------------------------------------------------------------------------------------------- */

static void a_saved_state_comes_back(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  const WmMeshTile *tile = wm_mesh_tile(mesh, 2);
  const size_t byte_count = wm_mesh_tile_state_bytes(mesh, tile->ref + 1);
  CHECK_EQUAL_INT(byte_count, 16 + 4 * tile->polygon_count);
  uint8_t *state = malloc(byte_count), *changed = malloc(byte_count);
  memset(state, 0xaa, byte_count);
  CHECK_EQUAL_INT(wm_mesh_save_tile_state(mesh, tile->ref, state, byte_count - 1), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(state[0], 0xaa);
  CHECK_EQUAL_INT(wm_mesh_save_tile_state(mesh, tile->ref, state, byte_count), WM_OK);
  CHECK(memcmp(state, "SMND\1\0\0\0", 8) == 0 && memcmp(state + 8, &tile->ref, 8) == 0);
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile->ref + i, (uint16_t)(i * 77)), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, tile->ref + i, (uint8_t)(i % 64)), WM_OK);
  }
  CHECK_EQUAL_INT(wm_mesh_save_tile_state(mesh, tile->ref + 2, changed, byte_count), WM_OK);
  for (int pass = 0; pass < 2; pass++) {
    const uint64_t version = wm_mesh_version(mesh), shape = wm_mesh_shape_version(mesh);
    CHECK_EQUAL_INT(wm_mesh_restore_tile_state(mesh, pass ? changed : state, byte_count), WM_OK);
    CHECK(wm_mesh_version(mesh) != version && wm_mesh_shape_version(mesh) == shape);
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
      CHECK_EQUAL_INT(tile->polygon_flags[i], pass ? (uint16_t)(i * 77) : 1);
      CHECK_EQUAL_INT(tile->polygon_area[i], pass ? i % 64 : 0);
    }
    WmMesh *copy = make_grid_mesh(context); /* from bytes, as they would be saved */
    CHECK_EQUAL_INT(wm_mesh_add_tile(copy, tile->bytes, tile->byte_count, NULL), WM_OK);
    const WmMeshTile *same = wm_mesh_tile(copy, 0);
    CHECK(memcmp(same->polygon_flags, tile->polygon_flags, 2 * tile->polygon_count) == 0);
    CHECK(memcmp(same->polygon_area, tile->polygon_area, tile->polygon_count) == 0);
    wm_mesh_destroy(copy);
  }
  free(state);
  free(changed);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Every truncation, every changed byte of the header, wrong areas, states of other tiles. */
static void wrong_states_are_refused(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 3);
  const WmMeshTile *tile = wm_mesh_tile(mesh, 2);
  const WmRef ref = tile->ref;
  const size_t byte_count = wm_mesh_tile_state_bytes(mesh, ref);
  uint8_t *state = malloc(byte_count + 4);
  CHECK_EQUAL_INT(wm_mesh_save_tile_state(mesh, ref, state, byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, ref, 7), WM_OK);
  for (size_t length = 0; length < byte_count; length++) {
    uint8_t *cut = malloc(length + (length == 0));
    memcpy(cut, state, length);
    CHECK_EQUAL_INT(wm_mesh_restore_tile_state(mesh, cut, length), WM_ERROR_CORRUPT);
    free(cut);
  }
  CHECK_EQUAL_INT(wm_mesh_restore_tile_state(mesh, state, byte_count + 4), WM_ERROR_CORRUPT);
  for (size_t i = 0; i < 16; i++) {
    state[i] ^= 0x40;
    CHECK(wm_mesh_restore_tile_state(mesh, state, byte_count) != WM_OK);
    state[i] ^= 0x40;
  }
  state[byte_count - 2] = 64; /* the area of the last polygon */
  CHECK_EQUAL_INT(wm_mesh_restore_tile_state(mesh, state, byte_count), WM_ERROR_CORRUPT);
  state[byte_count - 2] = 0;
  CHECK_EQUAL_INT(tile->polygon_flags[0], 7); /* nothing was changed */
  state[byte_count - 2] = 63;
  CHECK_EQUAL_INT(wm_mesh_restore_tile_state(mesh, state, byte_count), WM_OK);
  CHECK_EQUAL_INT(tile->polygon_area[tile->polygon_count - 1], 63);
  const GridTile grid = {.x = tile->x, .z = tile->z, .seed = 99, .hole = UINT32_MAX};
  CHECK_EQUAL_INT(replace(mesh, &grid, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_restore_tile_state(mesh, state, byte_count), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_mesh_tile_state_bytes(mesh, ref), 0);
  CHECK_EQUAL_INT(wm_mesh_save_tile_state(mesh, ref, state, byte_count), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_mesh_save_tile_state(mesh, 0, state, byte_count), WM_ERROR_INVALID_ARGUMENT);
  free(state);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(a_replaced_tile_is_linked_like_one_removed_and_added);
  RUN(the_same_bytes_change_nothing);
  RUN(a_tile_replaces_that_of_its_own_layer_only);
  RUN(a_full_place_takes_replacements_only);
  RUN(a_failed_replacement_leaves_the_former_tile);
  RUN(a_saved_state_comes_back);
  RUN(wrong_states_are_refused);
  return check_finish();
}
