/* All links against a brute-force matcher, while tiles and connections of all kinds are added and removed. */
#include "link_oracle.h"
#include "mesh/links/connections.h"

enum { SIDE = 5, PLACES = SIDE * SIDE, CONNECTIONS = 12 };

/* A position over the world or a little beside it, near a floor: never equally near to several polygons,
 * except above each other. */
static void random_position(uint32_t *random, float position[3]) {
  for (int axis = 0; axis < 3; axis++) {
    position[axis] = (float)grid_random(random) / (float)(1 << 24) * (SIDE * GRID_TILE_SIZE + 2) - 1;
  }
  position[1] = grid_random(random) % 4 ? 0.1f : 5.1f;
}

static WmConnection random_connection(const WmMesh *mesh, uint32_t *random) {
  WmConnection connection = wm_connection_default(mesh);
  random_position(random, connection.start);
  random_position(random, connection.end);
  connection.radius = (float)(grid_random(random) % 30) * 0.1f;
  connection.bidirectional = grid_random(random) % 2;
  connection.enabled = grid_random(random) % 4 != 0;
  return connection;
}

/* A tile with connections to random positions. */
static WmTileData random_tile(WmContext *context, uint32_t place, uint32_t *random) {
  WmOffMeshConnection baked[3];
  GridTile grid = {.x = (int32_t)(place % SIDE),
                   .z = (int32_t)(place / SIDE),
                   .seed = 1 + grid_random(random) % 1000,
                   .floor = grid_random(random) % 6 == 0 ? 20 : 0,
                   .hole = grid_random(random) % 3 == 0 ? 0 : UINT32_MAX,
                   .tree = grid_random(random) % 2,
                   .connections = baked,
                   .connection_count = grid_random(random) % 4};
  for (int i = 0; i < 3; i++) {
    baked[i] = (WmOffMeshConnection){.radius = 0.2f + (float)(grid_random(random) % 10) * 0.1f,
                                     .flags = 1,
                                     .bidirectional = grid_random(random) % 2};
    random_position(random, baked[i].start);
    random_position(random, baked[i].end);
    baked[i].start[0] = ((float)grid.x + baked[i].start[0] / 43.0f + 0.03f) * GRID_TILE_SIZE;
    baked[i].start[2] = ((float)grid.z + baked[i].start[2] / 43.0f + 0.03f) * GRID_TILE_SIZE;
    baked[i].start[1] = (float)grid.floor * 0.25f + 0.1f;
  }
  return make_grid_tile(context, &grid);
}

/* References to removed objects stay errors. */
typedef struct Gone {
  WmRef refs[4096];
  size_t count;
} Gone;

static void check_gone(WmContext *context, WmMesh *mesh, const Gone *gone) {
  for (size_t i = 0; i < gone->count; i++) {
    CHECK(wm_mesh_tile_of(mesh, gone->refs[i]) == NULL);
    CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, gone->refs[i], "x"), WM_ERROR_STALE_REFERENCE);
  }
}

static void change_tile(WmContext *context, WmMesh *mesh, WmRef *tile, uint32_t place, uint32_t *random,
                        Gone *gone) {
  const bool replace = grid_random(random) % 2;
  if (*tile && !replace) {
    gone->refs[gone->count++] = *tile;
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, *tile), WM_OK);
    *tile = 0;
    return;
  }
  WmTileData data = random_tile(context, place, random);
  if (*tile) gone->refs[gone->count++] = *tile + 1;
  CHECK_EQUAL_INT(
      (replace ? wm_mesh_replace_tile : wm_mesh_add_tile)(mesh, data.bytes, data.byte_count, tile), WM_OK);
  wm_tile_data_free(context, &data);
}

static void change_connection(WmMesh *mesh, WmRef *connection, uint32_t *random, Gone *gone) {
  if (*connection) {
    gone->refs[gone->count++] = *connection;
    CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, *connection), WM_OK);
    *connection = 0;
  } else {
    const WmConnection settings = random_connection(mesh, random);
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &settings, connection), WM_OK);
  }
}

/* Polygons that can be entered across a side have four search states. Returns the number of them without an
 * edge on a side, which only connections lead to. */
static int check_states(const WmMesh *mesh) {
  int entered = 0;
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
      const uint32_t states = tile->state_first[p + 1] - tile->state_first[p];
      CHECK(states == 1 || states == 4);
      for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
        const WmLink *link = &tile->links[i];
        if (p < tile->ground_count || link->side == WM_TILE_SIDE_INSIDE) continue;
        const WmMeshTile *to = wm_mesh_tile(mesh, link->slot);
        CHECK_EQUAL_INT(to->state_first[link->polygon + 1] - to->state_first[link->polygon], 4);
        const uint16_t *codes = to->polygon_neighbours + 6 * (size_t)link->polygon;
        bool on_side = false;
        for (int k = 0; k < 6; k++) on_side |= (codes[k] & WM_TILE_PORTAL) != 0;
        entered += !on_side;
      }
    }
  }
  return entered;
}

static void links_equal_brute_force_whatever_comes_and_goes(void) {
  WmContext *context = wm_context_create(NULL);
  int crossing = 0, near_landings = 0, far_landings = 0, ties = 0, entered = 0;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(4); seed++) {
    WmMesh *mesh = make_grid_mesh(context);
    WmRef tiles[PLACES] = {0}, connections[CONNECTIONS] = {0};
    static Gone gone;
    gone.count = 0;
    uint32_t random = seed;
    for (int step = 0; step < 150; step++) {
      const uint32_t choice = grid_random(&random) % (PLACES + CONNECTIONS);
      const uint64_t version = wm_mesh_shape_version(mesh);
      if (choice < PLACES) {
        change_tile(context, mesh, &tiles[choice], choice, &random, &gone);
      } else {
        change_connection(mesh, &connections[choice - PLACES], &random, &gone);
      }
      CHECK(wm_mesh_shape_version(mesh) != version);
      const LinkCounts counts = check_links(mesh);
      crossing += counts.crossing;
      near_landings += counts.near_landings;
      far_landings += counts.far_landings;
      ties += counts.ties;
      entered += check_states(mesh);
      check_gone(context, mesh, &gone);
    }
    for (int i = 0; i < PLACES; i++) {
      if (tiles[i]) CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tiles[i]), WM_OK);
    }
    WmMeshTotals totals;
    wm_mesh_totals(mesh, &totals);
    CHECK_EQUAL_INT(totals.links, 0);
    CHECK_EQUAL_INT(totals.tiles, 0);
    CHECK_EQUAL_INT(totals.connections, wm_mesh_connection_count(mesh));
    wm_mesh_destroy(mesh);
  }
  printf("%d across tiles, %d landings near, %d far, %d ties\n", crossing, near_landings, far_landings, ties);
  CHECK(crossing > CHECK_ROUNDS(1000) && ties > CHECK_ROUNDS(1000));
  CHECK(near_landings > CHECK_ROUNDS(100) && far_landings > CHECK_ROUNDS(100) && entered > CHECK_ROUNDS(100));
  wm_context_destroy(context);
}

/* ---- Order -------------------------------------------------------------------------------------------- */

/* The ties of a connection by tile place: slots depend on the order. */
static uint64_t describe_ties(const WmMesh *mesh, WmRef connection) {
  uint64_t hash = 1;
  float ends[2][3];
  WmConnection settings;
  CHECK_EQUAL_INT(wm_mesh_connection(mesh, connection, &settings, ends, NULL), WM_OK);
  for (int i = 0; i < 6; i++) {
    uint32_t bits;
    memcpy(&bits, ends[i / 3] + i % 3, 4);
    hash = oracle_mix(hash, bits);
  }
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, connection);
  for (uint32_t i = 0; i < tile->link_first[1]; i++) {
    const WmMeshTile *to = wm_mesh_tile(mesh, tile->links[i].slot);
    hash = oracle_mix(hash, tile->links[i].edge);
    if (tile->links[i].edge == 0) CHECK_EQUAL_INT(to->layer, 0); /* the first of the equally near ones */
    hash = oracle_mix(hash, (uint64_t)to->x << 40 | (uint64_t)to->z << 32 | (uint32_t)to->layer << 16 |
                                tile->links[i].polygon);
  }
  return hash;
}

/* Two by two places with three floors, the lower two within the climb of both ends: equally near. */
static void ties_do_not_depend_on_the_order_of_coming(void) {
  enum { TILES = 12, ENDS = 10, ALL = TILES + ENDS };
  static const uint16_t FLOORS[3] = {0, 1, 30};
  WmContext *context = wm_context_create(NULL);
  uint64_t expected[ENDS] = {0};
  uint32_t random = 9;
  for (int round = 0; round < 40; round++) {
    WmMesh *mesh = make_grid_mesh(context);
    WmRef connections[ENDS];
    int order[ALL] = {0};
    for (int i = 0; i < ALL; i++) {
      const uint32_t k = grid_random(&random) % (uint32_t)(i + 1);
      order[i] = order[k];
      order[k] = i;
    }
    for (int i = 0; i < ALL; i++) {
      const int32_t n = order[i];
      if (n < TILES) {
        const GridTile grid = {.x = n % 2,
                               .z = n / 2 % 2,
                               .layer = n / 4,
                               .seed = 1 + (uint32_t)n,
                               .floor = FLOORS[n / 4],
                               .hole = UINT32_MAX,
                               .tree = true};
        const WmRef tile = add_grid_tile(mesh, &grid);
        if (round % 2 == 0) continue;
        CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tile), WM_OK); /* and is added again */
        add_grid_tile(mesh, &grid);
      } else {
        uint32_t seed = (uint32_t)n;
        WmConnection settings = wm_connection_default(mesh);
        random_position(&seed, settings.start);
        random_position(&seed, settings.end);
        for (int axis = 0; axis < 3; axis += 2) { /* the end is at a corner of all tiles, or at a side */
          settings.start[axis] = fmodf(settings.start[axis] + 1, 16);
          settings.end[axis] = n % 2 || axis ? 8 : 3.3f;
        }
        settings.start[1] = settings.end[1] = 0.3f;
        settings.radius = 2;
        CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &settings, &connections[n - TILES]), WM_OK);
      }
    }
    for (int i = 0; i < ENDS; i++) {
      const uint64_t ties = describe_ties(mesh, connections[i]);
      if (round == 0) expected[i] = ties;
      CHECK(ties == expected[i]);
      CHECK_EQUAL_INT(wm_mesh_tile_of(mesh, connections[i])->link_first[1], 2);
    }
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* Two adjacent tiles as layers of one place: links between them cross the side of their edge, as Detour's do.
 * The side selects among the search states of the destination. */
static void links_between_layers_have_the_side_of_their_edge(void) {
  WmContext *context = wm_context_create(NULL);
  const WmMeshParameters parameters = {.tile_width = 100, .tile_depth = 100};
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
  for (int32_t i = 0; i < 4; i++) {
    WmTileData tile = make_grid_tile(
        context, &(GridTile){.x = i % 2, .z = i / 2, .seed = 3 + (uint32_t)i, .hole = UINT32_MAX});
    WmTileHeader header;
    memcpy(&header, tile.bytes, sizeof header);
    header.x = header.z = 0;
    header.layer = i;
    memcpy(tile.bytes, &header, sizeof header);
    CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
    wm_tile_data_free(context, &tile);
  }
  int crossing = 0;
  for (size_t slot = 0; slot < 4; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
        const WmLink *link = &tile->links[i];
        const uint16_t code = tile->polygon_neighbours[6 * (size_t)p + link->edge];
        CHECK_EQUAL_INT(link->side, link->slot == slot ? WM_TILE_SIDE_INSIDE : code & 6);
        crossing += link->slot != slot;
      }
    }
  }
  CHECK(crossing >= 16);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Edges four squares wide against strips of one cell: eight neighbours per edge, in both directions. */
static void an_edge_has_any_number_of_neighbours(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  uint32_t seed = 1, best = 0, most = 0;
  for (uint32_t i = 1; i < 3000; i++) { /* the seed with the most rows */
    uint16_t cuts[17];
    uint32_t state = i;
    grid_cuts(&state, cuts);
    const uint32_t rows = grid_cuts(&state, cuts);
    if (rows <= best) continue;
    best = rows;
    seed = i;
  }
  const GridTile squares = {.hole = UINT32_MAX}, strips = {.x = 1, .seed = seed, .hole = UINT32_MAX};
  add_grid_tile(mesh, &squares);
  add_grid_tile(mesh, &strips);
  check_links(mesh);
  const WmMeshTile *tile = wm_mesh_find_tile(mesh, 0, 0, 0);
  for (uint32_t p = 0; p < 4; p++) {
    const uint32_t count = tile->link_first[p + 1] - tile->link_first[p] - 2;
    if (count < 100 && count > most) most = count;
  }
  CHECK(most >= 6);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* A tile, 10000 wide, of one row of polygons along x. */
static WmStatus add_row(WmContext *context, WmMesh *mesh, int32_t z, uint32_t count) {
  uint16_t *vertices = malloc((size_t)(count + 1) * 12), *polygons = malloc((size_t)count * 16);
  uint8_t *areas = malloc(count);
  memset(areas, 63, count);
  const uint32_t width = 10000 / count;
  for (uint32_t i = 0; i <= count; i++) {
    for (uint32_t k = 0; k < 2; k++) {
      uint16_t *vertex = vertices + 3 * (2 * (size_t)i + k);
      vertex[0] = (uint16_t)(i * width);
      vertex[1] = 0;
      vertex[2] = (uint16_t)(10000 * k);
    }
    if (i == count) break;
    const uint16_t first = (uint16_t)(2 * i);
    const uint16_t polygon[8] = {first,
                                 (uint16_t)(first + 1),
                                 (uint16_t)(first + 3),
                                 (uint16_t)(first + 2),
                                 (uint16_t)(i > 0 ? i - 1 : 0x8000),
                                 0x8001,
                                 (uint16_t)(i + 1 < count ? i + 1 : 0x8002),
                                 0x8003};
    memcpy(polygons + 8 * (size_t)i, polygon, sizeof polygon);
  }
  const WmPolygonMesh row = {.max_vertices_per_polygon = 4,
                             .vertex_count = 2 * (count + 1),
                             .polygon_count = count,
                             .vertices = vertices,
                             .polygons = polygons,
                             .polygon_area = areas,
                             .grid = {.cell_size = 1,
                                      .cell_height = 1,
                                      .border_size = 1,
                                      .bounds_min = {0, 0, 10000 * (float)z},
                                      .bounds_max = {10000, 1, 10000 * (float)(z + 1)}}};
  WmTileSettings settings = {.z = z, .agent_height = 2, .agent_radius = 0.5f, .agent_max_climb = 0.5f};
  settings.area_flags[0] = 1;
  WmTileData tile;
  CHECK_EQUAL_INT(wm_build_tile(context, &row, NULL, &settings, &tile), WM_OK);
  const WmStatus status = wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL);
  wm_tile_data_free(context, &tile);
  free(vertices);
  free(polygons);
  free(areas);
  return status;
}

/* Thousands of neighbours of one edge; more than 4096 are an error, never a part of the links. */
static void more_neighbours_than_the_limit_are_an_error(void) {
  WmContext *context = wm_context_create(NULL);
  const WmMeshParameters parameters = {.tile_width = 10000, .tile_depth = 10000};
  for (uint32_t count = 2500; count <= 5000; count += 2500) {
    for (int32_t order = 0; order < 2; order++) {
      WmMesh *mesh = NULL;
      CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
      CHECK_EQUAL_INT(add_row(context, mesh, 0, order ? 1 : count), WM_OK);
      const uint64_t before = hash_links(mesh);
      const WmStatus status = add_row(context, mesh, 1, order ? count : 1);
      CHECK_EQUAL_INT(status, count > 4096 ? WM_ERROR_LIMIT : WM_OK);
      if (status) {
        CHECK(hash_links(mesh) == before && wm_mesh_tile_count(mesh) == 1);
        for (uint32_t generation = 1; generation < 8192; generation++) {
          CHECK_EQUAL_INT(wm_mesh_check_ref(context, mesh, wm_ref_make(generation, 1, 0), "x"),
                          WM_ERROR_INVALID_ARGUMENT);
        }
      } else {
        WmMeshTotals totals;
        wm_mesh_totals(mesh, &totals);
        CHECK_EQUAL_INT(totals.links, 2 * count + 2 * (count - 1));
      }
      wm_mesh_destroy(mesh);
    }
  }
  wm_context_destroy(context);
}

int main(void) {
  RUN(more_neighbours_than_the_limit_are_an_error);
  RUN(links_equal_brute_force_whatever_comes_and_goes);
  RUN(ties_do_not_depend_on_the_order_of_coming);
  RUN(links_between_layers_have_the_side_of_their_edge);
  RUN(an_edge_has_any_number_of_neighbours);
  return check_finish();
}
