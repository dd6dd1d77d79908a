/* The tile: bit for bit against the golden tiles, and by hand on drawn meshes. */
#include <math.h>

#include "stage_dump.h"
#include "base/tile_format.h"
#include "bake/stages.h"
#include "check.h"
#include "dump_read.h"

static float next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / 16777216.0f;
}

static WmTileSettings default_settings(void) {
  WmTileSettings settings = {
      .agent_height = 2.0f, .agent_radius = 0.6f, .agent_max_climb = 0.9f, .build_tree = true};
  settings.area_flags[0] = 1;
  return settings;
}

static WmTileHeader header_of(const uint8_t *bytes) {
  WmTileHeader header;
  memcpy(&header, bytes, sizeof header);
  return header;
}

/* ---- Golden ------------------------------------------------------------------------------------------- */

static void compare_golden_case(const char *name, WmGrid grid) {
  char path[128];
  WmBytes files[3];
  static const char *const NAMES[3] = {"polymesh", "detail", "tile"};
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "../shared/golden/dumps/%s/%s.bin", name, NAMES[i]);
    files[i] = read_file(path);
  }
  if (!files[0].bytes || !files[1].bytes || !files[2].bytes) {
    SKIP("no ../shared/golden/dumps");
  } else {
    WmContext *context = wm_context_create(NULL);
    grid.cell_size = 0.3f;
    grid.cell_height = 0.2f;
    grid.bounds_max[1] += 10 * grid.cell_height; /* as the compact heightfield raises it */
    WmPolygonMesh mesh = read_polygon_mesh(context, files[0], &grid, 1.3f);
    WmDetailMesh detail = read_detail_mesh(context, files[1]);
    const WmTileSettings settings = default_settings();
    WmTileData tile;
    CHECK_EQUAL_INT(wm_build_tile(context, &mesh, &detail, &settings, &tile), WM_OK);
    CHECK_EQUAL_INT(tile.byte_count, files[2].byte_count);
    size_t i = 0;
    while (i < tile.byte_count && i < files[2].byte_count && tile.bytes[i] == files[2].bytes[i]) i++;
    CHECK_EQUAL_INT(i, files[2].byte_count);
    wm_tile_data_free(context, &tile);
    wm_polygon_mesh_free(context, &mesh);
    wm_detail_mesh_free(context, &detail);
    wm_context_destroy(context);
  }
  for (int i = 0; i < 3; i++) free(files[i].bytes);
}

static void tiles_equal_golden_tiles(void) {
  compare_golden_case("holes-layers",
                      (WmGrid){.bounds_min = {0, -0.5f, 0}, .bounds_max = {64, 3.99389005f, 64}});
  compare_golden_case("maze-default", (WmGrid){.bounds_min = {-0.150000006f, 0, -0.150000006f},
                                               .bounds_max = {41.75f, 2.20000005f, 41.75f}});
  compare_golden_case("plaza-default", (WmGrid){.bounds_max = {40, 3, 40}});
  compare_golden_case("terrain-default",
                      (WmGrid){.bounds_min = {0, 0.00270000007f, 0}, .bounds_max = {120, 15.5490503f, 120}});
  compare_golden_case("tower-monotone", (WmGrid){.bounds_min = {-12, 0, -12}, .bounds_max = {12, 16, 12}});
}

static uint32_t read_u32(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, 4);
  return value;
}

/* The bounds are those of the golden tiles: the bake computes them. */
static void tiles_of_a_tiled_bake_equal_golden_tiles(void) {
  WmBytes meshes = read_file("../shared/golden/dumps/plaza-tiled48/tiles_polymesh.bin");
  WmBytes details = read_file("../shared/golden/dumps/plaza-tiled48/tiles_detail.bin");
  WmBytes tiles = read_file("../shared/golden/dumps/plaza-tiled48/tiles_data.bin");
  if (!meshes.bytes || !details.bytes || !tiles.bytes) {
    SKIP("no ../shared/golden/dumps");
  } else {
    WmContext *context = wm_context_create(NULL);
    size_t mesh_at = 0, detail_at = 0, tile_at = 0;
    int count = 0;
    for (; tile_at < tiles.byte_count; count++) {
      const uint8_t *expected = tiles.bytes + tile_at + 12;
      const size_t expected_bytes = read_u32(tiles.bytes + tile_at + 8);
      const WmTileHeader header = header_of(expected);
      WmGrid grid = {.cell_size = 0.3f, .cell_height = 0.2f, .border_size = 5};
      memcpy(grid.bounds_min, header.bounds_min, sizeof grid.bounds_min);
      memcpy(grid.bounds_max, header.bounds_max, sizeof grid.bounds_max);
      const WmBytes mesh_bytes = {meshes.bytes + mesh_at + 8, 0};
      const WmBytes detail_bytes = {details.bytes + detail_at + 8, 0};
      WmPolygonMesh mesh = read_polygon_mesh(context, mesh_bytes, &grid, 1.3f);
      WmDetailMesh detail = read_detail_mesh(context, detail_bytes);
      mesh_at += 20 + 6 * (size_t)mesh.vertex_count +
                 (4 * (size_t)mesh.max_vertices_per_polygon + 3) * mesh.polygon_count;
      detail_at += 20 + 16 * (size_t)detail.submesh_count + 12 * (size_t)detail.vertex_count +
                   4 * (size_t)detail.triangle_count;
      WmTileSettings settings = default_settings();
      settings.x = (int32_t)read_u32(tiles.bytes + tile_at);
      settings.z = (int32_t)read_u32(tiles.bytes + tile_at + 4);
      WmTileData tile;
      CHECK_EQUAL_INT(wm_build_tile(context, &mesh, &detail, &settings, &tile), WM_OK);
      CHECK_EQUAL_INT(tile.byte_count, expected_bytes);
      CHECK(tile.byte_count == expected_bytes && memcmp(tile.bytes, expected, expected_bytes) == 0);
      wm_tile_data_free(context, &tile);
      wm_polygon_mesh_free(context, &mesh);
      wm_detail_mesh_free(context, &detail);
      tile_at += 12 + expected_bytes;
    }
    CHECK_EQUAL_INT(count, 9);
    wm_context_destroy(context);
  }
  free(meshes.bytes);
  free(details.bytes);
  free(tiles.bytes);
}

/* ---- Drawn by hand ------------------------------------------------------------------------------------ */

/*   z
 *   4  1-----2-----5
 *      |  0  |  1  |~ portal to +x
 *   0  0-----3-----4
 *      0     4     8 x      heights 0 on the left, 2 on the right */
static uint16_t TWO_SQUARES_VERTICES[18] = {0, 0, 0, 0, 0, 4, 4, 1, 4, 4, 1, 0, 8, 2, 0, 8, 2, 4};
static uint16_t TWO_SQUARES_POLYGONS[16] = {0, 1, 2, 3, 0xffff, 0x800f, 1,      0xffff,
                                            3, 2, 5, 4, 0,      0xffff, 0x8002, 0x8003};
static uint16_t TWO_SQUARES_REGIONS[2] = {1, 1};
static uint8_t TWO_SQUARES_AREAS[2] = {63, 7};

static WmPolygonMesh two_squares(void) {
  return (WmPolygonMesh){
      .grid = {.bounds_min = {10, 1, 20}, .bounds_max = {14, 5, 22}, .cell_size = 0.5f, .cell_height = 0.25f},
      .max_vertices_per_polygon = 4,
      .vertex_count = 6,
      .polygon_count = 2,
      .vertices = TWO_SQUARES_VERTICES,
      .polygons = TWO_SQUARES_POLYGONS,
      .polygon_region = TWO_SQUARES_REGIONS,
      .polygon_area = TWO_SQUARES_AREAS};
}

static void polygons_without_detail_become_fans(void) {
  WmContext *context = wm_context_create(NULL);
  const WmPolygonMesh mesh = two_squares();
  WmTileSettings settings = default_settings();
  settings.area_flags[0] = 3;
  settings.area_flags[7] = 12;
  settings.area_flags[63] = 99;
  WmTileData tile;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_OK);
  const WmTileHeader header = header_of(tile.bytes);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  CHECK_EQUAL_INT(at.byte_count, tile.byte_count);
  CHECK_EQUAL_INT(header.link_count, 8 + 2 * 2);
  CHECK_EQUAL_INT(header.detail_triangle_count, 4);
  CHECK_EQUAL_INT(header.detail_vertex_count, 0);
  CHECK_EQUAL_INT(header.node_count, 4);
  CHECK(header.cells_per_unit == 2.0f);
  float position[3];
  wm_tile_get(tile.bytes, at.vertices, 5, sizeof position, position);
  CHECK(position[0] == 14 && position[1] == 1.5f && position[2] == 22);
  WmTilePolygon polygon[2];
  wm_tile_get(tile.bytes, at.polygons, 0, sizeof polygon[0], &polygon[0]);
  wm_tile_get(tile.bytes, at.polygons, 1, sizeof polygon[1], &polygon[1]);
  CHECK_EQUAL_INT(polygon[0].area_and_type, 0);
  CHECK_EQUAL_INT(polygon[0].flags, 3);
  CHECK_EQUAL_INT(polygon[1].area_and_type, 7);
  CHECK_EQUAL_INT(polygon[1].flags, 12);
  static const uint16_t EXPECTED[2][4] = {{0, 0, 2, 0}, {1, 0, 0x8000, 0x8006}};
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL_INT(polygon[i].vertex_count, 4);
    for (int k = 0; k < 4; k++) CHECK_EQUAL_INT(polygon[i].neighbours[k], EXPECTED[i][k]);
  }
  static const uint8_t FANS[16] = {0, 1, 2, 5, 0, 2, 3, 20, 0, 1, 2, 5, 0, 2, 3, 20};
  CHECK(memcmp(tile.bytes + at.detail_triangles, FANS, sizeof FANS) == 0);
  WmTileNode node;
  wm_tile_get(tile.bytes, at.nodes, 0, sizeof node, &node);
  CHECK_EQUAL_INT(node.index, -3);
  CHECK_EQUAL_INT(node.high[0], 8);
  CHECK_EQUAL_INT(node.high[1], 1); /* two cell heights of 0.25 are one cell of 0.5 */
  wm_tile_get(tile.bytes, at.nodes, 2, sizeof node, &node);
  CHECK_EQUAL_INT(node.index, 1);
  CHECK_EQUAL_INT(node.low[0], 4);
  CHECK_EQUAL_INT(node.low[1], 0); /* floor */
  wm_tile_get(tile.bytes, at.nodes, 3, sizeof node, &node);
  CHECK(node.index == 0 && node.high[0] == 0 && node.low[0] == 0);
  wm_tile_data_free(context, &tile);

  settings.build_tree = false;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_OK);
  CHECK_EQUAL_INT(header_of(tile.bytes).node_count, 0);
  wm_tile_data_free(context, &tile);
  wm_context_destroy(context);
}

static void connections_are_kept_where_they_start(void) {
  WmContext *context = wm_context_create(NULL);
  const WmPolygonMesh mesh = two_squares();
  /* The tile is x 10..14, z 20..22, its surface at 1..1.5; with the climb 0.1..2.4. */
  const WmOffMeshConnection connections[] = {
      {.start = {11, 1, 21}, .end = {13, 1, 21}, .radius = 0.5f, .flags = 8, .area = 9, .user_id = 77},
      {.start = {11, 3, 21}, .end = {13, 1, 21}, .radius = 0.5f, .flags = 8}, /* too high for this tile */
      {.start = {9, 1, 21}, .end = {13, 1, 21}, .radius = 0.5f, .flags = 8},  /* a neighbour's */
      {.start = {12, 1, 21}, .end = {14, 1, 22}, .radius = 0.25f, .flags = 4, .bidirectional = true},
      {.start = {12, 1, 21}, .end = {9, 1, 19}, .radius = 0.25f},
      {.start = {12, 1, 21}, .end = {9, 1, 21}, .radius = 0.25f},
      {.start = {12, 1, 21}, .end = {12, 1, 19}, .radius = 0.25f},
      {.start = {12, 1, 21}, .end = {12, 1, 23}, .radius = 0.25f},
      {.start = {12, 1, 21}, .end = {15, 1, 21}, .radius = 0.25f},
      {.start = {12, 1, 21}, .end = {9, 1, 23}, .radius = 0.25f},
      {.start = {12, 1, 21}, .end = {15, 1, 19}, .radius = 0.25f},
  };
  static const uint8_t SIDES[9] = {255, 1, 5, 4, 6, 2, 0, 3, 7};
  WmTileSettings settings = default_settings();
  settings.connections = connections;
  settings.connection_count = sizeof connections / sizeof *connections;
  settings.user_id = 0xfedcba98;
  WmTileData tile;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_OK);
  const WmTileHeader header = header_of(tile.bytes);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  CHECK_EQUAL_INT(header.user_id, 0xfedcba98);
  CHECK_EQUAL_INT(header.connection_count, 9);
  CHECK_EQUAL_INT(header.polygon_count, 11);
  CHECK_EQUAL_INT(header.vertex_count, 6 + 18);
  CHECK_EQUAL_INT(header.first_off_mesh, 2);
  CHECK_EQUAL_INT(header.detail_count, 2);
  CHECK_EQUAL_INT(header.link_count, 12 + 2 * (9 + 3));
  for (size_t k = 0; k < 9; k++) {
    WmTileConnection connection;
    wm_tile_get(tile.bytes, at.connections, k, sizeof connection, &connection);
    CHECK_EQUAL_INT(connection.side, SIDES[k]);
    CHECK_EQUAL_INT(connection.polygon, 2 + k);
    CHECK_EQUAL_INT(connection.flags, k == 1);
    CHECK_EQUAL_INT(connection.user_id, k == 0 ? 77 : 0);
  }
  WmTilePolygon polygon;
  wm_tile_get(tile.bytes, at.polygons, 2, sizeof polygon, &polygon);
  CHECK_EQUAL_INT(polygon.area_and_type, 64 + 9);
  CHECK_EQUAL_INT(polygon.flags, 8);
  CHECK_EQUAL_INT(polygon.vertices[1], 7);
  CHECK_EQUAL_INT(polygon.vertex_count, 2);
  wm_tile_data_free(context, &tile);
  wm_context_destroy(context);
}

/* ---- The tree and its invariants -------------------------------------------------------------------- */

/* `count` triangles of random size on a plane. */
static WmPolygonMesh random_triangles(uint32_t seed, uint32_t count) {
  WmPolygonMesh mesh = {.grid = {.bounds_max = {100, 10, 100}, .cell_size = 0.3f, .cell_height = 0.2f},
                        .max_vertices_per_polygon = 3,
                        .vertex_count = 3 * count,
                        .polygon_count = count};
  mesh.vertices = malloc(18 * (size_t)count);
  mesh.polygons = malloc(12 * (size_t)count);
  mesh.polygon_area = malloc(count);
  memset(mesh.polygon_area, 63, count);
  for (uint32_t i = 0; i < count; i++) {
    const float x = 300 * next_random(&seed), z = 300 * next_random(&seed);
    for (uint32_t k = 0; k < 3; k++) {
      uint16_t *vertex = mesh.vertices + 9 * (size_t)i + 3 * k;
      vertex[0] = (uint16_t)(x + 20 * next_random(&seed));
      vertex[1] = (uint16_t)(40 * next_random(&seed));
      vertex[2] = (uint16_t)(z + 20 * next_random(&seed));
      mesh.polygons[6 * (size_t)i + k] = (uint16_t)(3 * i + k);
      mesh.polygons[6 * (size_t)i + 3 + k] = WM_POLYGON_NONE;
    }
  }
  return mesh;
}

static void free_triangles(WmPolygonMesh *mesh) {
  free(mesh->vertices);
  free(mesh->polygons);
  free(mesh->polygon_area);
}

/* Each subtree: skip counts nest, boxes are the union of the children, halves are as even as possible. */
static uint32_t check_subtree(const uint8_t *bytes, uint64_t nodes, uint32_t index, uint8_t *seen,
                              WmTileNode *node) {
  wm_tile_get(bytes, nodes, index, sizeof *node, node);
  if (node->index >= 0) {
    CHECK(!seen[node->index]);
    seen[node->index] = 1;
    return 1;
  }
  WmTileNode left, right;
  const uint32_t left_nodes = check_subtree(bytes, nodes, index + 1, seen, &left);
  const uint32_t right_nodes = check_subtree(bytes, nodes, index + 1 + left_nodes, seen, &right);
  CHECK_EQUAL_INT(-node->index, 1 + left_nodes + right_nodes);
  CHECK(right_nodes == left_nodes || right_nodes == left_nodes + 2);
  for (int axis = 0; axis < 3; axis++) {
    CHECK(node->low[axis] == (left.low[axis] < right.low[axis] ? left.low[axis] : right.low[axis]));
    CHECK(node->high[axis] == (left.high[axis] > right.high[axis] ? left.high[axis] : right.high[axis]));
  }
  return (uint32_t)-node->index;
}

static void trees_of_random_triangles_are_sound(void) {
  WmContext *context = wm_context_create(NULL);
  static const uint32_t COUNTS[] = {1, 2, 3, 17, 1000, 20000};
  for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
    const uint32_t count = COUNTS[i];
    WmPolygonMesh mesh = random_triangles((uint32_t)i + 1, count);
    const WmTileSettings settings = default_settings();
    WmTileData tile;
    CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_OK);
    const WmTileHeader header = header_of(tile.bytes);
    const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
    uint8_t *seen = calloc(count, 1);
    WmTileNode root;
    CHECK_EQUAL_INT(check_subtree(tile.bytes, at.nodes, 0, seen, &root), 2 * count - 1);
    for (uint32_t k = 0; k < count; k++) CHECK(seen[k]);
    free(seen);
    wm_tile_data_free(context, &tile);
    free_triangles(&mesh);
  }
  wm_context_destroy(context);
}

/* ---- Limits, odd input, memory ------------------------------------------------------------------------ */

static void what_the_format_cannot_hold_is_a_limit_error(void) {
  WmContext *context = wm_context_create(NULL);
  const WmTileSettings settings = default_settings();
  WmTileData tile = {(uint8_t *)context, 1};

  WmPolygonMesh mesh = two_squares();
  mesh.vertex_count = 65535;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_ERROR_LIMIT);
  CHECK(tile.bytes == NULL && tile.byte_count == 0);
  CHECK(strstr(wm_context_error(context)->message, "use tiles") != NULL);

  mesh = two_squares();
  mesh.polygon_count = 32768;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_ERROR_LIMIT);

  mesh = two_squares();
  mesh.max_vertices_per_polygon = 7;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_ERROR_INVALID_ARGUMENT);

  mesh = two_squares();
  mesh.polygon_count = 0;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_OK);
  CHECK(tile.bytes == NULL && tile.byte_count == 0);

  mesh = two_squares();
  uint32_t submeshes[8] = {0, 4, 0, 256, 0, 4, 0, 2};
  WmDetailMesh detail = {.submesh_count = 2, .vertex_count = 300, .triangle_count = 300};
  detail.submeshes = submeshes;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, &detail, &settings, &tile), WM_ERROR_LIMIT);
  submeshes[3] = 2;
  submeshes[1] = 260;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, &detail, &settings, &tile), WM_ERROR_LIMIT);
  submeshes[1] = 301;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, &detail, &settings, &tile), WM_ERROR_INVALID_ARGUMENT);
  submeshes[1] = 3;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, &detail, &settings, &tile), WM_ERROR_INVALID_ARGUMENT);
  detail.submesh_count = 1;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, &detail, &settings, &tile), WM_ERROR_INVALID_ARGUMENT);
  wm_context_destroy(context);
}

/* Detour's builder counts extra vertices in 16 bits and overwrites the first ones past 65535. */
static void more_than_65535_extra_detail_vertices_are_all_kept(void) {
  enum { POLYGONS = 300, EXTRA = 250 };
  WmContext *context = wm_context_create(NULL);
  WmPolygonMesh mesh = random_triangles(5, POLYGONS);
  WmDetailMesh detail = {
      .submesh_count = POLYGONS, .vertex_count = POLYGONS * (3 + EXTRA), .triangle_count = POLYGONS};
  detail.submeshes = malloc(16 * POLYGONS);
  detail.vertices = malloc(12 * (size_t)detail.vertex_count);
  detail.triangles = calloc(POLYGONS, 4);
  for (uint32_t i = 0; i < 3 * detail.vertex_count; i++) detail.vertices[i] = (float)(i % 1000) * 0.01f;
  for (uint32_t i = 0; i < POLYGONS; i++) {
    const uint32_t submesh[4] = {i * (3 + EXTRA), 3 + EXTRA, i, 1};
    memcpy(detail.submeshes + 4 * i, submesh, sizeof submesh);
    detail.vertices[3 * (size_t)(i * (3 + EXTRA) + 3)] = (float)i;
  }
  const WmTileSettings settings = default_settings();
  WmTileData tile;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, &detail, &settings, &tile), WM_OK);
  const WmTileHeader header = header_of(tile.bytes);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  CHECK_EQUAL_INT(header.detail_vertex_count, POLYGONS * EXTRA);
  for (uint32_t i = 0; i < POLYGONS; i++) {
    WmTileDetail record;
    wm_tile_get(tile.bytes, at.details, i, sizeof record, &record);
    CHECK_EQUAL_INT(record.first_vertex, i * EXTRA);
    float first[3];
    wm_tile_get(tile.bytes, at.detail_vertices, record.first_vertex, sizeof first, first);
    CHECK(first[0] == (float)i);
  }
  wm_tile_data_free(context, &tile);
  free(detail.submeshes);
  free(detail.vertices);
  free(detail.triangles);
  free_triangles(&mesh);
  wm_context_destroy(context);
}

typedef struct Ration {
  long until_failure, in_use;
} Ration;

static void *allocate_rationed(void *user, size_t bytes) {
  Ration *ration = user;
  if (ration->until_failure == 0) return NULL; /* and all later ones, so that a retry fails, too */
  if (ration->until_failure > 0) ration->until_failure--;
  ration->in_use++;
  return malloc(bytes);
}

static void release_rationed(void *user, void *block) {
  ((Ration *)user)->in_use--;
  free(block);
}

static void every_failed_allocation_is_reported(void) {
  const WmPolygonMesh mesh = two_squares();
  const WmOffMeshConnection connection = {.start = {11, 1, 21}, .end = {13, 1, 21}, .radius = 0.5f};
  WmTileSettings settings = default_settings();
  settings.connections = &connection;
  settings.connection_count = 1;
  int failures = 0;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  for (long n = 0; status != WM_OK && n < 100; n++) {
    Ration ration = {.until_failure = -1};
    const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
    WmContext *context = wm_context_create(&allocator);
    ration.until_failure = n;
    WmTileData tile = {(uint8_t *)context, 1};
    status = wm_build_tile(context, &mesh, NULL, &settings, &tile);
    if (status) {
      failures++;
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      CHECK(tile.bytes == NULL && tile.byte_count == 0);
    }
    wm_tile_data_free(context, &tile);
    wm_context_destroy(context);
    CHECK_EQUAL_INT(ration.in_use, 0);
  }
  CHECK_EQUAL_INT(status, WM_OK);
  CHECK(failures >= 2);
}

int main(void) {
  RUN(tiles_equal_golden_tiles);
  RUN(tiles_of_a_tiled_bake_equal_golden_tiles);
  RUN(polygons_without_detail_become_fans);
  RUN(connections_are_kept_where_they_start);
  RUN(trees_of_random_triangles_are_sound);
  RUN(what_the_format_cannot_hold_is_a_limit_error);
  RUN(more_than_65535_extra_detail_vertices_are_all_kept);
  RUN(every_failed_allocation_is_reported);
  return check_finish();
}
