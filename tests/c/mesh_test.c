/* The run-time mesh: references, links against a brute-force matcher, off-mesh connections, failures. */
#include "mesh/mesh.h"

#include <math.h>

#include "link_oracle.h"

/* ---- References ------------------------------------------------------------------------------------ */

static void references_of_removed_tiles_are_stale(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile grid = {.seed = 3, .hole = UINT32_MAX, .tree = true};
  const WmRef first = add_grid_tile(mesh, &grid);
  CHECK(first > 0 && first < UINT64_C(1) << 53);
  CHECK(wm_mesh_tile_of(mesh, first) != NULL);
  const uint32_t polygons = wm_mesh_tile_of(mesh, first)->polygon_count;
  CHECK(wm_mesh_tile_of(mesh, first + polygons - 1) != NULL);
  CHECK(wm_mesh_tile_of(mesh, first + polygons) == NULL);
  CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, first + polygons, "x"), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, 0, "x"), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, UINT64_MAX, "x"), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, first), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, first, "polygon"), WM_ERROR_STALE_REFERENCE);
  CHECK(strcmp(wm_context_error(context)->field, "polygon") == 0);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, first), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), 0);
  const WmRef second = add_grid_tile(mesh, &grid);
  CHECK(second != first);
  CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, first, "x"), WM_ERROR_STALE_REFERENCE);
  CHECK(wm_mesh_tile_of(mesh, second) != NULL);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* References of one mesh used on another: if the meshes have different tiles, all but 1 in 8191 are errors;
 * if they have the same tiles, added in the same order, references are the same. */
static void references_of_other_meshes_are_told(void) {
  WmContext *context = wm_context_create(NULL);
  enum { MESHES = 60, TILES = 4 };
  WmMesh *meshes[MESHES + 1];
  for (uint32_t m = 0; m <= MESHES; m++) {
    meshes[m] = make_grid_mesh(context);
    for (uint32_t i = 0; i < TILES; i++) {
      add_grid_tile(
          meshes[m],
          &(GridTile){.x = (int32_t)(m % MESHES), .z = (int32_t)i, .seed = m % MESHES, .hole = UINT32_MAX});
    }
  }
  int asked = 0, taken = 0, stale = 0;
  for (uint32_t m = 0; m < MESHES * MESHES; m++) {
    const WmMesh *mesh = meshes[m / MESHES], *other = meshes[m % MESHES];
    for (size_t i = 0; i < TILES && mesh != other; i++) {
      const WmStatus status = wm_mesh_check_ref(context, mesh, wm_mesh_tile(other, i)->ref, "x");
      asked++;
      taken += status == WM_OK;
      stale += status == WM_ERROR_STALE_REFERENCE;
    }
  }
  printf("%d of %d references of another mesh are taken for one of this\n", taken, asked);
  CHECK(asked > 14000 && taken <= 8 && stale == 0);
  for (size_t i = 0; i < TILES; i++)
    CHECK(wm_mesh_tile(meshes[0], i)->ref == wm_mesh_tile(meshes[MESHES], i)->ref);
  for (uint32_t m = 0; m <= MESHES; m++) wm_mesh_destroy(meshes[m]);
  wm_context_destroy(context);
}

/* Every reference that a slot ever had is stale, and no other, for any first generation. */
static void generations_are_stale_from_the_first_on(void) {
  WmContext *context = wm_context_create(NULL);
  for (int32_t x = 0; x < 40; x++) {
    WmMesh *mesh = make_grid_mesh(context);
    const GridTile grid = {.x = x, .seed = 3, .hole = UINT32_MAX};
    WmTileData bytes = make_grid_tile(context, &grid);
    static bool given[8192];
    memset(given, 0, sizeof given);
    for (int i = 0; i < 400; i++) {
      WmRef tile = 0;
      CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, bytes.bytes, bytes.byte_count, &tile), WM_OK);
      CHECK_EQUAL_INT(wm_ref_slot(tile), 0);
      CHECK(!given[wm_ref_generation(tile)]);
      given[wm_ref_generation(tile)] = true;
      CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tile), WM_OK);
    }
    for (uint32_t generation = 0; generation < 8200; generation++) {
      CHECK_EQUAL_INT(
          wm_mesh_check_ref(context, mesh, wm_ref_make(generation, 0, 0), "x"),
          generation < 8192 && given[generation] ? WM_ERROR_STALE_REFERENCE : WM_ERROR_INVALID_ARGUMENT);
    }
    wm_tile_data_free(context, &bytes);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* A slot without unused generations is never used again. */
static void generations_do_not_come_round(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile grid = {.seed = 3, .hole = UINT32_MAX};
  WmTileData bytes = make_grid_tile(context, &grid);
  WmRef first = 0, tile = 0;
  bool repeated = false;
  for (int i = 0; i < 8192 + 100; i++) {
    CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, bytes.bytes, bytes.byte_count, &tile), WM_OK);
    if (i == 0) first = tile;
    repeated |= i > 0 && tile == first;
    CHECK(i == 0 || wm_mesh_tile_of(mesh, first) == NULL);
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tile), WM_OK);
  }
  CHECK(!repeated);
  CHECK_EQUAL_INT(wm_mesh_slot_count(mesh), 2);
  CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, first, "x"), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, tile, "x"), WM_ERROR_STALE_REFERENCE);
  wm_tile_data_free(context, &bytes);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Links ----------------------------------------------------------------------------------------- */

static void links_equal_brute_force_in_any_order_of_adding_and_removing(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t seed = 1; seed <= 6; seed++) {
    WmMesh *mesh = make_grid_mesh(context);
    WmRef tiles[9] = {0};
    uint32_t random = seed;
    int crossing = 0;
    for (int step = 0; step < 60; step++) {
      const uint32_t place = grid_random(&random) % 9;
      if (tiles[place]) {
        CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tiles[place]), WM_OK);
        tiles[place] = 0;
      } else {
        const GridTile grid = {.x = (int32_t)(place % 3) - 1,
                               .z = (int32_t)(place / 3) - 1,
                               .seed = 100 * seed + (uint32_t)step,
                               .floor = place == 4 ? 20 : 0,
                               .hole = step % 5 == 0 ? 1 : UINT32_MAX};
        tiles[place] = add_grid_tile(mesh, &grid);
      }
      crossing += check_links(mesh).crossing;
    }
    CHECK(crossing > 1000);
    for (int i = 0; i < 9; i++) {
      if (tiles[i]) CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tiles[i]), WM_OK);
    }
    WmMeshTotals totals;
    wm_mesh_totals(mesh, &totals);
    CHECK_EQUAL_INT(totals.links, 0);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

static void links_across_tiles_come_first_and_open_where_edges_overlap(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 40);
  int partial = 0;
  for (size_t s = 0; s < 4; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      uint32_t last_edge = 0;
      bool inner = false;
      for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
        const WmLink *link = &tile->links[i];
        const float *portal = tile->link_portals + 6 * (size_t)i;
        if (link->slot == tile->slot) {
          CHECK(!inner || link->edge > last_edge);
          inner = true;
          last_edge = link->edge;
          CHECK(memcmp(portal, oracle_corner(tile, p, link->edge), 12) == 0);
          CHECK(memcmp(portal + 3, oracle_corner(tile, p, link->edge + 1u), 12) == 0);
          continue;
        }
        CHECK(!inner);
        const WmMeshTile *to = wm_mesh_tile(mesh, link->slot);
        partial += link->low != 0 || link->high != 255;
        /* The opening lies on an edge of the other polygon too, to 1/255 of an edge. */
        for (int end = 0; end < 2; end++) {
          const float *point = portal + 3 * end;
          float best = 1e9f;
          for (uint32_t k = 0; k < to->polygon_size[link->polygon]; k++) {
            const float *a = oracle_corner(to, link->polygon, k),
                        *b = oracle_corner(to, link->polygon, k + 1);
            const float x = fmaxf(fmaxf(fminf(a[0], b[0]) - point[0], point[0] - fmaxf(a[0], b[0])), 0);
            const float z = fmaxf(fmaxf(fminf(a[2], b[2]) - point[2], point[2] - fmaxf(a[2], b[2])), 0);
            best = fminf(best, fmaxf(x, z));
          }
          CHECK(best < 0.05f);
        }
      }
    }
  }
  CHECK(partial > 4);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void layers_of_a_place_are_apart_unless_close(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile grids[4] = {
      {.seed = 1, .hole = UINT32_MAX},
      {.layer = 1, .seed = 2, .floor = 20, .hole = UINT32_MAX},
      {.x = 1, .seed = 3, .hole = UINT32_MAX},
      {.x = 1, .layer = 1, .seed = 4, .floor = 20, .hole = UINT32_MAX},
  };
  for (int i = 0; i < 4; i++) add_grid_tile(mesh, &grids[i]);
  CHECK(check_links(mesh).crossing > 0);
  CHECK(wm_mesh_find_tile(mesh, 1, 0, 1) != NULL);
  CHECK(wm_mesh_find_tile(mesh, 1, 0, 2) == NULL);
  CHECK(wm_mesh_find_tile(mesh, 2, 0, 0) == NULL);
  const WmMeshTile *newest = wm_mesh_next_layer(mesh, 1, 0, NULL);
  CHECK_EQUAL_INT(newest->layer, 1);
  CHECK_EQUAL_INT(wm_mesh_next_layer(mesh, 1, 0, newest)->layer, 0);
  CHECK(wm_mesh_next_layer(mesh, 1, 0, wm_mesh_next_layer(mesh, 1, 0, newest)) == NULL);
  WmTileData again = make_grid_tile(context, &grids[3]);
  const uint64_t before = hash_links(mesh);
  CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, again.bytes, again.byte_count, NULL), WM_ERROR_STATE);
  CHECK(hash_links(mesh) == before);
  wm_tile_data_free(context, &again);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Off-mesh connections -------------------------------------------------------------------------- */

/* Links of the connection's polygon, or of the ground onto it. */
static int count_links(const WmMesh *mesh, const WmMeshTile *to, uint32_t polygon, bool leaving) {
  if (leaving) return (int)(to->link_first[polygon + 1] - to->link_first[polygon]);
  int count = 0;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t i = 0; tile && i < tile->link_first[tile->polygon_count]; i++) {
      count += tile->links[i].slot == to->slot && tile->links[i].polygon == polygon;
    }
  }
  return count;
}

static void connections_land_on_every_side_and_inside(void) {
  static const int32_t X[9] = {1, 1, 0, -1, -1, -1, 0, 1, 0}, Z[9] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
  WmContext *context = wm_context_create(NULL);
  for (int direction = 0; direction < 9; direction++) {
    for (int both = 0; both < 2; both++) {
      const int32_t x = 1 + X[direction], z = 1 + Z[direction];
      const WmOffMeshConnection connection = {.start = {11, 0.5f, 12},
                                              .end = {(float)x * 8 + 4.25f, 0.5f, (float)z * 8 + 4.25f},
                                              .radius = 0.5f,
                                              .flags = 2,
                                              .area = 5,
                                              .bidirectional = both == 1};
      WmMesh *mesh = make_grid_mesh(context);
      WmRef landing = 0;
      for (int32_t i = 0; i < 9; i++) {
        const bool middle = i == 4;
        const GridTile grid = {.x = i % 3,
                               .z = i / 3,
                               .seed = 7 + (uint32_t)i,
                               .hole = UINT32_MAX,
                               .tree = true,
                               .connections = middle ? &connection : NULL,
                               .connection_count = middle};
        const WmRef tile = add_grid_tile(mesh, &grid);
        if (i % 3 == x && i / 3 == z) landing = tile;
      }
      const WmMeshTile *home = wm_mesh_find_tile(mesh, 1, 1, 0);
      const uint32_t polygon = home->ground_count;
      CHECK_EQUAL_INT(home->connection_count, 1);
      CHECK_EQUAL_INT(home->polygon_area[polygon], 5);
      CHECK_EQUAL_INT(count_links(mesh, home, polygon, true), 2);
      CHECK_EQUAL_INT(count_links(mesh, home, polygon, false), 1 + both);
      CHECK(home->connection_ends[0] == 11 && home->connection_ends[3] == connection.end[0]);
      CHECK(fabsf(home->connection_ends[1] - 0.5f) <= 0.5f);
      /* Without the tile on which it lands, and with it again. */
      if (direction < 8) {
        const uint64_t before = hash_links(mesh);
        const WmMeshTile *ground = wm_mesh_tile_of(mesh, landing);
        WmTileData copy = {malloc(ground->byte_count), ground->byte_count};
        memcpy(copy.bytes, ground->bytes, copy.byte_count);
        CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, landing), WM_OK);
        CHECK_EQUAL_INT(count_links(mesh, home, polygon, true), 1);
        CHECK_EQUAL_INT(count_links(mesh, home, polygon, false), 1);
        CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, copy.bytes, copy.byte_count, &landing), WM_OK);
        CHECK_EQUAL_INT(count_links(mesh, home, polygon, true), 2);
        CHECK_EQUAL_INT(count_links(mesh, home, polygon, false), 1 + both);
        CHECK(hash_links(mesh) != before); /* the new tile has another reference */
        free(copy.bytes);
      }
      wm_mesh_destroy(mesh);
    }
  }
  wm_context_destroy(context);
}

static void connections_too_far_from_ground_are_not_linked(void) {
  WmContext *context = wm_context_create(NULL);
  const WmOffMeshConnection connections[2] = {
      {.start = {4, 0.75f, 4}, .end = {4, 9, 4}, .radius = 0.25f, .flags = 1},     /* ends in the air */
      {.start = {0.2f, 0.5f, 0.2f}, .end = {4, 0, 4}, .radius = 0.1f, .flags = 1}, /* starts over a hole */
  };
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile grid = {
      .seed = 5, .hole = 0, .tree = true, .connections = connections, .connection_count = 2};
  add_grid_tile(mesh, &grid);
  const WmMeshTile *tile = wm_mesh_tile(mesh, 0);
  CHECK_EQUAL_INT(tile->connection_count, 2);
  CHECK_EQUAL_INT(count_links(mesh, tile, tile->ground_count, true), 1);
  CHECK_EQUAL_INT(count_links(mesh, tile, tile->ground_count, false), 1);
  CHECK_EQUAL_INT(count_links(mesh, tile, tile->ground_count + 1, true), 0);
  CHECK_EQUAL_INT(count_links(mesh, tile, tile->ground_count + 1, false), 0);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- State, sums, drawing -------------------------------------------------------------------------- */

static void flags_and_areas_change_at_once_and_in_the_bytes(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 9);
  const WmMeshTile *tile = wm_mesh_tile(mesh, 0);
  const uint64_t version = wm_mesh_version(mesh);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile->ref + 2, 0x8421), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, tile->ref + 2, 33), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, tile->ref + 2, 64), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, tile->ref + 60000, 1), WM_ERROR_INVALID_ARGUMENT);
  CHECK(wm_mesh_version(mesh) == version + 2);
  CHECK_EQUAL_INT(tile->polygon_flags[2], 0x8421);
  CHECK_EQUAL_INT(tile->polygon_area[2], 33);
  WmMesh *copy = make_grid_mesh(context);
  CHECK_EQUAL_INT(wm_mesh_add_tile(copy, tile->bytes, tile->byte_count, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_tile(copy, 0)->polygon_flags[2], 0x8421);
  CHECK_EQUAL_INT(wm_mesh_tile(copy, 0)->polygon_area[2], 33);
  CHECK_EQUAL_INT(wm_mesh_tile(copy, 0)->polygon_area[1], 0);
  wm_mesh_destroy(copy);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void totals_and_triangles_cover_the_mesh(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 3, 77);
  WmMeshTotals totals;
  wm_mesh_totals(mesh, &totals);
  CHECK_EQUAL_INT(totals.tiles, 9);
  CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), 9);
  CHECK(totals.bounds_max[0] == 24 && totals.bounds_min[2] == 0);
  CHECK_EQUAL_INT(totals.triangles, 2 * totals.polygons);
  double area = 0;
  for (size_t s = 0; s < 9; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    float *positions = malloc(tile->triangle_count * 9 * sizeof(float));
    uint32_t *polygons = malloc(tile->triangle_count * sizeof *polygons);
    wm_mesh_tile_triangles(tile, positions, polygons);
    for (uint32_t i = 0; i < tile->triangle_count; i++) {
      const float *p = positions + 9 * (size_t)i;
      area += 0.5 * fabs((double)(p[3] - p[0]) * (p[8] - p[2]) - (double)(p[6] - p[0]) * (p[5] - p[2]));
      CHECK_EQUAL_INT(polygons[i], i / 2);
    }
    free(positions);
    free(polygons);
  }
  CHECK(fabs(area - 24 * 24) < 1e-3);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void impossible_parameters_are_refused(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = (WmMesh *)context;
  WmMeshParameters parameters = {.tile_width = 0, .tile_depth = 1};
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_ERROR_INVALID_ARGUMENT);
  CHECK(mesh == NULL);
  parameters.tile_width = NAN;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_ERROR_INVALID_ARGUMENT);
  parameters.tile_width = 1;
  parameters.origin[1] = INFINITY;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_ERROR_INVALID_ARGUMENT);
  wm_context_destroy(context);
}

/* ---- Memory ---------------------------------------------------------------------------------------- */

/* Each allocation of adding a tile fails once: the mesh is unchanged, and works afterwards. */
static void a_failed_addition_leaves_the_mesh_as_it_was(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  const WmOffMeshConnection connection = {
      .start = {9, 0.5f, 9}, .end = {4, 0.5f, 4}, .radius = 1, .flags = 1, .bidirectional = true};
  const GridTile grid = {.x = 1,
                         .z = 1,
                         .seed = 5,
                         .hole = UINT32_MAX,
                         .tree = true,
                         .connections = &connection,
                         .connection_count = 1};
  WmTileData bytes = make_grid_tile(context, &grid);
  int failures = 0;
  for (int once = 0; once < 2; once++) {
    bool reached = true; /* the allocation that fails */
    for (long n = 0; reached; n++) {
      WmMesh *mesh = make_grid_mesh(context);
      for (int32_t i = 0; i < 4; i++) {
        const GridTile other = {
            .x = i % 2 * 2, .z = i / 2, .seed = (uint32_t)i, .hole = UINT32_MAX, .tree = true};
        add_grid_tile(mesh, &other);
      }
      const uint64_t before = hash_links(mesh);
      wm_context_trim(context);
      ration.until_failure = n;
      ration.once = once == 1;
      WmRef tile = 1;
      const WmStatus status = wm_mesh_add_tile(mesh, bytes.bytes, bytes.byte_count, &tile);
      reached = ration.until_failure <= 0;
      ration.until_failure = -1;
      if (status) {
        failures++;
        CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
        CHECK(tile == 0);
        CHECK(hash_links(mesh) == before);
        CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), 4);
        CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, bytes.bytes, bytes.byte_count, &tile), WM_OK);
      }
      CHECK(hash_links(mesh) != before);
      wm_mesh_destroy(mesh);
    }
  }
  CHECK(failures > 8);
  wm_tile_data_free(context, &bytes);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(references_of_removed_tiles_are_stale);
  RUN(references_of_other_meshes_are_told);
  RUN(generations_are_stale_from_the_first_on);
  RUN(generations_do_not_come_round);
  RUN(links_equal_brute_force_in_any_order_of_adding_and_removing);
  RUN(links_across_tiles_come_first_and_open_where_edges_overlap);
  RUN(layers_of_a_place_are_apart_unless_close);
  RUN(connections_land_on_every_side_and_inside);
  RUN(connections_too_far_from_ground_are_not_linked);
  RUN(flags_and_areas_change_at_once_and_in_the_bytes);
  RUN(totals_and_triangles_cover_the_mesh);
  RUN(impossible_parameters_are_refused);
  RUN(a_failed_addition_leaves_the_mesh_as_it_was);
  return check_finish();
}
