/* The checks of contours, polygon meshes, detail meshes and tiles: they hold for every tile of baked levels, and
 * each finds a single broken entry. */
#include <math.h>

#include "bake/contours/contours_validate.h"
#include "bake/detail/detail_mesh_validate.h"
#include "bake/polygons/polygon_mesh_validate.h"
#include "bake/tile/tile_validate.h"
#include "base/tile_format.h"
#include "check.h"
#include "scene.h"

/* ---- Levels ------------------------------------------------------------------------------------------ */

/* Checks all stages of all tiles. Returns the number of polygons. */
static uint32_t validate_level(const Scene *scene, int32_t partition, int32_t tile_size) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.partition = partition;
  config.tile_size = tile_size;
  const WmBakeInput input = scene_input(scene);
  WmBaker *baker;
  uint32_t polygon_count = 0;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  for (int32_t tile = 0; tile < voxels->tile_count_x * voxels->tile_count_z; tile++) {
    CHECK_EQUAL_INT(
        wm_baker_begin_tile(baker, tile % voxels->tile_count_x, tile / voxels->tile_count_x, true), WM_OK);
    while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    const WmBakeStages *stages = wm_baker_stages(baker);
    CHECK(wm_contour_set_validate(&stages->contours));
    CHECK(wm_polygon_mesh_validate(&stages->polygon_mesh));
    CHECK_EQUAL_INT(wm_polygon_mesh_count_concave(&stages->polygon_mesh), 0);
    CHECK(wm_detail_mesh_validate(&stages->detail_mesh, &stages->polygon_mesh));
    polygon_count += stages->polygon_mesh.polygon_count;
    WmTileData data = wm_baker_take_tile(baker);
    CHECK(wm_tile_validate(&data));
    wm_tile_data_free(context, &data);
  }
  wm_baker_destroy(baker);
  wm_context_destroy(context);
  return polygon_count;
}

static void stages_of_levels_are_valid(void) {
  static const char *const FILES[] = {"holes", "stairs", "tower", "maze"};
  for (int32_t i = 0; i < 4; i++) {
    char path[64];
    snprintf(path, sizeof path, "tests/scenes/%s.obj", FILES[i]);
    Scene scene = read_obj(path);
    CHECK(scene.triangle_count > 0);
    CHECK(validate_level(&scene, i, 0) > 0);
    CHECK(validate_level(&scene, (i + 1) % 4, 64) > 0);
    free_scene(&scene);
  }
}

static void stages_of_random_levels_are_valid(void) {
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(12); seed++) {
    Scene scene = make_random_scene(seed);
    CHECK(validate_level(&scene, (int32_t)(seed % 4), seed % 3 ? 48 : 0) > 0);
    free_scene(&scene);
  }
}

/* ---- Broken entries ---------------------------------------------------------------------------------- */

typedef struct Level {
  WmContext *context;
  Scene scene;
  WmBaker *baker;
  WmBakeStages stages; /* a copy; its arrays are the baker's */
  WmTileData tile;
} Level;

static const WmOffMeshConnection LADDER = {
    .start = {2, 0.5f, 2}, .end = {5, 0.5f, 5}, .radius = 1, .area = 3, .flags = 1, .user_id = 5};

/* One tile of several of a scene, with a connection inside. */
static Level bake_level_of(const char *path) {
  Level level = {.context = wm_context_create(NULL), .scene = read_obj(path)};
  WmConfig config = wm_config_default();
  config.tile_size = 64;
  WmBakeInput input = scene_input(&level.scene);
  float low[3], high[3];
  CHECK_EQUAL_INT(wm_baker_create(level.context, &config, &input, &level.baker), WM_OK);
  wm_baker_bounds(level.baker, low, high);
  wm_baker_destroy(level.baker);
  WmOffMeshConnection connection = LADDER;
  for (int axis = 0; axis < 3; axis++) {
    connection.start[axis] = low[axis] + 2;
    connection.end[axis] = low[axis] + 4;
  }
  connection.start[1] = connection.end[1] = 0;
  input.connections = &connection;
  input.connection_count = 1;
  CHECK_EQUAL_INT(wm_baker_create(level.context, &config, &input, &level.baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(level.baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(level.baker) != WM_STAGE_DONE) {
    CHECK_EQUAL_INT(wm_baker_step(level.baker), WM_OK);
  }
  level.stages = *wm_baker_stages(level.baker);
  level.tile = wm_baker_take_tile(level.baker);
  return level;
}

/* A square with a hole. */
static Level bake_level(void) { return bake_level_of("tests/scenes/holes.obj"); }

static void free_level(Level *level) {
  wm_tile_data_free(level->context, &level->tile);
  wm_baker_destroy(level->baker);
  wm_context_destroy(level->context);
  free_scene(&level->scene);
}

/* Changes an entry: the check finds it, and nothing once it is restored. */
#define CHECK_FINDS(entry, value, is_valid) \
  do { \
    const __typeof__(entry) before = (entry); \
    CHECK(is_valid); \
    (entry) = (__typeof__(entry))(value); \
    CHECK(!(is_valid)); \
    (entry) = before; \
    CHECK(is_valid); \
  } while (0)

/* Regions of one area each, on the surface alone, have valid contours. */
static void regions_without_valid_contours_are_found(void) {
  Level level = bake_level();
  WmCompactHeightfield *compact = &level.stages.compact;
  uint16_t *region = level.stages.regions.span_region;
  uint32_t span = 0;
  while (region[span] == 0 || region[span] & WM_REGION_BORDER) span++;
  uint32_t other = span + 1;
  while (region[other] != region[span]) other++;
  CHECK_FINDS(compact->span_area[span], 0, wm_contour_input_validate(compact, region));
  CHECK_FINDS(compact->span_area[span], WM_AREA_COUNT, wm_contour_input_validate(compact, region));
  CHECK_FINDS(compact->span_area[other], 5, wm_contour_input_validate(compact, region));
  CHECK_FINDS(compact->links_are_symmetric, false, wm_contour_input_validate(compact, region));
  compact->span_area[span] = 0; /* without a region, or in the border, it may have any area */
  const uint16_t before = region[span];
  region[span] = 0;
  CHECK(wm_contour_input_validate(compact, region));
  region[span] = WM_REGION_BORDER | 1;
  CHECK(wm_contour_input_validate(compact, region));
  region[span] = before;
  CHECK(!wm_contour_input_validate(compact, region));
  free_level(&level);
}

static void broken_contours_are_found(void) {
  Level level = bake_level();
  WmContourSet *set = &level.stages.contours;
  CHECK(set->contour_count > 0 && set->raw_first[set->contour_count] > 0);
  int32_t *vertex = set->vertices, *raw = set->raw_vertices;
  CHECK_FINDS(vertex[0], -1, wm_contour_set_validate(set));
  CHECK_FINDS(vertex[0], set->grid.width + 1, wm_contour_set_validate(set));
  CHECK_FINDS(vertex[1], -1, wm_contour_set_validate(set));
  CHECK_FINDS(vertex[2], set->grid.depth + 1, wm_contour_set_validate(set));
  CHECK_FINDS(vertex[3], set->contour_region[0], wm_contour_set_validate(set));
  CHECK_FINDS(vertex[3], 1 << 20, wm_contour_set_validate(set));
  CHECK_FINDS(raw[0], raw[0] + 2, wm_contour_set_validate(set));
  CHECK_FINDS(raw[3], set->contour_region[0], wm_contour_set_validate(set));
  CHECK_FINDS(set->vertex_first[0], 1, wm_contour_set_validate(set));
  CHECK_FINDS(set->vertex_first[1], 2, wm_contour_set_validate(set));
  CHECK_FINDS(set->raw_first[1], UINT32_MAX, wm_contour_set_validate(set));
  CHECK_FINDS(set->contour_region[0], 0, wm_contour_set_validate(set));
  CHECK_FINDS(set->contour_region[0], WM_REGION_BORDER | 1, wm_contour_set_validate(set));
  CHECK_FINDS(set->contour_area[0], 0, wm_contour_set_validate(set));
  CHECK_FINDS(set->contour_area[0], WM_AREA_COUNT, wm_contour_set_validate(set));
  free_level(&level);
}

/* An edge between regions with equal areas must not be flagged as an area border. */
static void a_wrong_area_border_is_found(void) {
  Level level = bake_level();
  WmContourSet *set = &level.stages.contours;
  bool found = false;
  for (uint32_t i = 0; i < set->vertex_first[set->contour_count] && !found; i++) {
    int32_t *code = set->vertices + 4 * (size_t)i + 3;
    for (uint32_t k = 0; k < set->contour_count && !found; k++) {
      if (set->contour_region[k] != (*code & 0xffff)) continue;
      found = true;
      CHECK_FINDS(*code, *code ^ WM_CONTOUR_AREA_BORDER, wm_contour_set_validate(set));
    }
  }
  CHECK(found);
  free_level(&level);
}

static void broken_polygons_are_found(void) {
  Level level = bake_level();
  WmPolygonMesh *mesh = &level.stages.polygon_mesh;
  const uint32_t max_vertices = (uint32_t)mesh->max_vertices_per_polygon;
  const uint32_t entries = 2 * max_vertices * mesh->polygon_count;
  uint32_t neighbour = max_vertices, portal = max_vertices, wall = max_vertices, end = 0;
  while (mesh->polygons[neighbour] >= WM_POLYGON_PORTAL || neighbour % (2 * max_vertices) < max_vertices)
    neighbour++;
  while (mesh->polygons[portal] < WM_POLYGON_PORTAL || mesh->polygons[portal] == WM_POLYGON_NONE ||
         portal % (2 * max_vertices) < max_vertices) {
    portal++;
  }
  while (mesh->polygons[wall] != WM_POLYGON_NONE || wall % (2 * max_vertices) < max_vertices ||
         mesh->polygons[wall - max_vertices] == WM_POLYGON_NONE) {
    wall++;
  }
  while (mesh->polygons[end] != WM_POLYGON_NONE || end % (2 * max_vertices) >= max_vertices) end++;
  CHECK(neighbour < entries && portal < entries && wall < entries && end < entries);
  CHECK_FINDS(mesh->polygons[0], mesh->vertex_count, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygons[2], WM_POLYGON_NONE, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygons[end + max_vertices], 0, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygons[neighbour], WM_POLYGON_NONE, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygons[neighbour], mesh->polygon_count, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygons[neighbour], neighbour / (2 * max_vertices), wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygons[portal], WM_POLYGON_PORTAL | 4, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygons[portal], mesh->polygons[portal] ^ 2, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygons[wall], 0, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->vertices[0], mesh->grid.width + 1, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->vertices[2], mesh->grid.depth + 1, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygon_region[0], WM_REGION_BORDER | 1, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygon_area[0], 0, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->polygon_area[0], WM_AREA_COUNT, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->max_vertices_per_polygon, 7, wm_polygon_mesh_validate(mesh));
  CHECK_FINDS(mesh->vertex_count, 2, wm_polygon_mesh_validate(mesh));
  const uint16_t first = mesh->polygons[0];
  mesh->polygons[0] = mesh->polygons[1];
  mesh->polygons[1] = first;
  CHECK(wm_polygon_mesh_count_concave(mesh) > 0);
  free_level(&level);
}

/* A pentagon with one vertex inwards, wherever its vertices begin; one that is convex; one of the wrong winding; a straight
 * angle. */
static void each_concave_vertex_is_found(void) {
  static const uint16_t SHAPES[4][5][2] = {{{0, 0}, {0, 8}, {4, 4}, {8, 8}, {8, 0}},
                                           {{0, 0}, {0, 8}, {4, 9}, {8, 8}, {8, 0}},
                                           {{8, 0}, {8, 8}, {4, 9}, {0, 8}, {0, 0}},
                                           {{0, 0}, {0, 8}, {4, 8}, {8, 8}, {8, 0}}};
  static const uint32_t CONCAVE[4] = {1, 0, 1, 0};
  for (size_t s = 0; s < 4; s++) {
    for (uint16_t start = 0; start < 5; start++) {
      uint16_t vertices[5][3], polygon[12];
      memset(polygon, 0xff, sizeof polygon);
      for (uint16_t k = 0; k < 5; k++) {
        const uint16_t vertex[3] = {SHAPES[s][k][0], 0, SHAPES[s][k][1]};
        memcpy(vertices[k], vertex, sizeof vertex);
        polygon[k] = (uint16_t)((start + k) % 5);
      }
      const WmPolygonMesh mesh = {.max_vertices_per_polygon = 6,
                                  .vertex_count = 5,
                                  .polygon_count = 1,
                                  .vertices = vertices[0],
                                  .polygons = polygon};
      CHECK_EQUAL_INT(wm_polygon_mesh_count_concave(&mesh), CONCAVE[s]);
    }
  }
}

static void polygons_of_three_to_six_vertices_are_valid(void) {
  for (int32_t most = 0; most < 10; most++) {
    const WmPolygonMesh empty = {.max_vertices_per_polygon = most};
    CHECK_EQUAL_INT(wm_polygon_mesh_validate(&empty), most >= 3 && most <= 6);
  }
}

static void broken_details_are_found(void) {
  Level level = bake_level();
  const WmPolygonMesh *mesh = &level.stages.polygon_mesh;
  WmDetailMesh *detail = &level.stages.detail_mesh;
  uint8_t *triangle = detail->triangles;
  while (!triangle[3]) triangle += 4;
  CHECK_FINDS(detail->submeshes[0], 1, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->submeshes[1], 2, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->submeshes[1], UINT32_MAX, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->submeshes[2], 1, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->submeshes[3], UINT32_MAX, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->vertices[0], detail->vertices[0] + 1, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->vertices[1], detail->vertices[1] + 1, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->vertices[3 * (size_t)detail->vertex_count - 1], NAN,
              wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(triangle[0], 126, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(triangle[0], triangle[1], wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(triangle[3], triangle[3] | 2, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(triangle[3], 0, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->submesh_count, 0, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->vertex_count, detail->vertex_count + 1, wm_detail_mesh_validate(detail, mesh));
  CHECK_FINDS(detail->triangle_count, detail->triangle_count + 1, wm_detail_mesh_validate(detail, mesh));
  free_level(&level);
}

/* ---- Every entry ------------------------------------------------------------------------------------- */

/* Like CHECK_FINDS for many entries: the mesh is valid before. */
#define CHECK_VALID_WITH(entry, value, is_valid, expected) \
  do { \
    const __typeof__(entry) before = (entry); \
    (entry) = (__typeof__(entry))(value); \
    CHECK_EQUAL_INT(is_valid, expected); \
    (entry) = before; \
  } while (0)

/* Codes of inner edges are mutual, so that each has one; other edges may become walls, or portals of a side on
 * which both ends lie. */
static void check_edge(WmPolygonMesh *mesh, uint16_t *polygon, uint32_t edge, uint32_t size) {
  uint16_t *code = polygon + mesh->max_vertices_per_polygon + edge;
  const uint16_t original = *code;
  const bool is_inner = !(original & WM_POLYGON_PORTAL);
  const uint16_t *from = mesh->vertices + 3 * (size_t)polygon[edge];
  const uint16_t *to = mesh->vertices + 3 * (size_t)polygon[(edge + 1) % size];
  for (uint32_t other = 0; other <= mesh->polygon_count; other++) {
    CHECK_VALID_WITH(*code, other, wm_polygon_mesh_validate(mesh), other == original);
  }
  CHECK_VALID_WITH(*code, WM_POLYGON_NONE, wm_polygon_mesh_validate(mesh), !is_inner);
  for (uint32_t direction = 0; direction < 32; direction++) {
    const int32_t sides[4] = {0, mesh->grid.depth, mesh->grid.width, 0};
    const uint32_t axis = direction % 2 ? 2 : 0;
    const bool is_on_side = direction < 4 && from[axis] == sides[direction] && to[axis] == sides[direction];
    CHECK_VALID_WITH(*code, WM_POLYGON_PORTAL | direction, wm_polygon_mesh_validate(mesh),
                     !is_inner && is_on_side);
  }
}

static void each_entry_of_polygons_is_checked(void) {
  Level level = bake_level();
  WmPolygonMesh *mesh = &level.stages.polygon_mesh;
  const uint32_t most = (uint32_t)mesh->max_vertices_per_polygon;
  CHECK(mesh->polygon_count > 4);
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    uint16_t *polygon = mesh->polygons + 2 * (size_t)most * p;
    uint32_t size = 0;
    while (size < most && polygon[size] != WM_POLYGON_NONE) size++;
    for (uint32_t k = 0; k < most; k++) {
      if (k < size) {
        CHECK_VALID_WITH(polygon[k], mesh->vertex_count, wm_polygon_mesh_validate(mesh), false);
        check_edge(mesh, polygon, k, size);
      } else {
        CHECK_VALID_WITH(polygon[most + k], 0, wm_polygon_mesh_validate(mesh), false);
      }
    }
    CHECK_VALID_WITH(mesh->polygon_region[p], WM_REGION_BORDER | 1, wm_polygon_mesh_validate(mesh), false);
    for (uint8_t area = 0; area < 66; area += 13) {
      CHECK_VALID_WITH(mesh->polygon_area[p], area, wm_polygon_mesh_validate(mesh), area > 0 && area < 64);
    }
    CHECK_VALID_WITH(mesh->polygon_area[p], 63, wm_polygon_mesh_validate(mesh), true);
    CHECK_VALID_WITH(mesh->polygon_area[p], 64, wm_polygon_mesh_validate(mesh), false);
  }
  for (uint32_t i = 0; i < mesh->vertex_count; i++) {
    uint16_t *vertex = mesh->vertices + 3 * (size_t)i;
    CHECK_VALID_WITH(vertex[0], mesh->grid.width + 1, wm_polygon_mesh_validate(mesh), false);
    CHECK_VALID_WITH(vertex[2], mesh->grid.depth + 1, wm_polygon_mesh_validate(mesh), false);
    CHECK_VALID_WITH(vertex[1], 65535, wm_polygon_mesh_validate(mesh), true);
  }
  free_level(&level);
}

/* Vertices are in the grid, and codes have known flags only, and no region that is the contour's own. */
static void check_contour_vertex(const WmContourSet *set, int32_t *vertex, uint16_t region) {
  const int32_t limits[3] = {set->grid.width, 65533, set->grid.depth};
  for (int axis = 0; axis < 3; axis++) {
    CHECK_VALID_WITH(vertex[axis], -1, wm_contour_set_validate(set), false);
    CHECK_VALID_WITH(vertex[axis], limits[axis] + 1, wm_contour_set_validate(set), false);
  }
  CHECK_VALID_WITH(vertex[1], limits[1], wm_contour_set_validate(set), true);
  CHECK_VALID_WITH(vertex[3], region, wm_contour_set_validate(set), false);
  bool is_known = false;
  for (uint32_t i = 0; i < set->contour_count; i++) {
    is_known |= set->contour_region[i] == (vertex[3] & 0xffff);
  }
  for (int bit = 16; bit < 32; bit++) {
    const int32_t flag = (int32_t)(UINT32_C(1) << bit);
    const bool is_allowed = flag == WM_CONTOUR_BORDER_VERTEX || (flag == WM_CONTOUR_AREA_BORDER && !is_known);
    CHECK_VALID_WITH(vertex[3], vertex[3] ^ flag, wm_contour_set_validate(set), is_allowed);
  }
}

static void each_entry_of_contours_is_checked(void) {
  Level level = bake_level();
  WmContourSet *set = &level.stages.contours;
  for (uint32_t c = 0; c < set->contour_count; c++) {
    const uint16_t region = set->contour_region[c];
    for (uint32_t i = set->vertex_first[c]; i < set->vertex_first[c + 1]; i++) {
      check_contour_vertex(set, set->vertices + 4 * (size_t)i, region);
    }
    for (uint32_t i = set->raw_first[c]; i < set->raw_first[c + 1]; i++) {
      int32_t *vertex = set->raw_vertices + 4 * (size_t)i;
      if (i % 16 == 0) check_contour_vertex(set, vertex, region);
      const int32_t x = vertex[0] > 6 ? vertex[0] - 7 : vertex[0] + 7;
      CHECK_VALID_WITH(vertex[0], x, wm_contour_set_validate(set), false);
    }
    CHECK_VALID_WITH(set->contour_region[c], 0, wm_contour_set_validate(set), false);
    CHECK_VALID_WITH(set->contour_region[c], region | WM_REGION_BORDER, wm_contour_set_validate(set), false);
    CHECK_VALID_WITH(set->contour_area[c], 0, wm_contour_set_validate(set), false);
    CHECK_VALID_WITH(set->contour_area[c], 64, wm_contour_set_validate(set), false);
    CHECK_VALID_WITH(set->vertex_first[c + 1], set->vertex_first[c] + 2, wm_contour_set_validate(set), false);
  }
  free_level(&level);
}

static void each_entry_of_details_is_checked(void) {
  Level level = bake_level_of("tests/scenes/terrain.obj");
  const WmPolygonMesh *mesh = &level.stages.polygon_mesh;
  WmDetailMesh *detail = &level.stages.detail_mesh;
  CHECK(detail->vertex_count > 4 * detail->submesh_count);
  for (uint32_t i = 0; i < detail->submesh_count; i++) {
    uint32_t *submesh = detail->submeshes + 4 * (size_t)i;
    for (int k = 0; k < 4; k++) {
      CHECK_VALID_WITH(submesh[k], submesh[k] + 1, wm_detail_mesh_validate(detail, mesh), false);
      CHECK_VALID_WITH(submesh[k], submesh[k] - 1, wm_detail_mesh_validate(detail, mesh), false);
    }
    for (uint32_t k = 0; k < 3 * submesh[1]; k++) {
      float *coordinate = detail->vertices + 3 * (size_t)submesh[0] + k;
      CHECK_VALID_WITH(*coordinate, k % 2 ? NAN : INFINITY, wm_detail_mesh_validate(detail, mesh), false);
    }
    for (uint32_t t = 0; t < submesh[3]; t++) {
      uint8_t *triangle = detail->triangles + 4 * ((size_t)submesh[2] + t);
      for (int k = 0; k < 3; k++) {
        CHECK_VALID_WITH(triangle[k], submesh[1], wm_detail_mesh_validate(detail, mesh), false);
        CHECK_VALID_WITH(triangle[k], triangle[(k + 1) % 3], wm_detail_mesh_validate(detail, mesh), false);
      }
      for (int bit = 0; bit < 8; bit++) { /* edges of the outline form one ring */
        CHECK_VALID_WITH(triangle[3], triangle[3] ^ 1 << bit, wm_detail_mesh_validate(detail, mesh), false);
      }
    }
  }
  free_level(&level);
}

/* ---- Broken tiles ------------------------------------------------------------------------------------ */

/* Replaces bytes of a tile: the check finds it, and nothing once they are restored. */
static void check_finds_bytes(WmTileData *tile, uint64_t at, const void *bytes, size_t count) {
  uint8_t before[64];
  CHECK(count <= sizeof before && at + count <= tile->byte_count);
  memcpy(before, tile->bytes + at, count);
  CHECK(memcmp(before, bytes, count) != 0 && wm_tile_validate(tile));
  memcpy(tile->bytes + at, bytes, count);
  CHECK(!wm_tile_validate(tile));
  memcpy(tile->bytes + at, before, count);
  CHECK(wm_tile_validate(tile));
}

static void broken_headers_are_found(void) {
  Level level = bake_level();
  WmTileHeader header;
  wm_tile_get(level.tile.bytes, 0, 0, sizeof header, &header);
  const int32_t good[9] = {
      header.magic,           header.version,      header.polygon_count,       header.vertex_count,
      header.link_count,      header.detail_count, header.detail_vertex_count, header.node_count,
      header.connection_count};
  int32_t *const fields[9] = {
      &header.magic,           &header.version,      &header.polygon_count,       &header.vertex_count,
      &header.link_count,      &header.detail_count, &header.detail_vertex_count, &header.node_count,
      &header.connection_count};
  for (int i = 0; i < 9; i++) {
    static const int32_t CHANGES[3] = {1, -1, INT32_MIN};
    for (int k = 0; k < 3; k++) {
      *fields[i] = (int32_t)((uint32_t)good[i] + (uint32_t)CHANGES[k]);
      wm_tile_put(level.tile.bytes, 0, 0, sizeof header, &header);
      CHECK(!wm_tile_validate(&level.tile));
      *fields[i] = good[i];
    }
  }
  wm_tile_put(level.tile.bytes, 0, 0, sizeof header, &header);
  CHECK(wm_tile_validate(&level.tile));
  CHECK_FINDS(level.tile.byte_count, level.tile.byte_count - 4, wm_tile_validate(&level.tile));
  CHECK_FINDS(level.tile.byte_count, 3, wm_tile_validate(&level.tile));
  free_level(&level);
}

static void broken_polygons_of_tiles_are_found(void) {
  Level level = bake_level();
  WmTileHeader header;
  wm_tile_get(level.tile.bytes, 0, 0, sizeof header, &header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  const float nan = NAN;
  check_finds_bytes(&level.tile, at.vertices, &nan, sizeof nan);
  check_finds_bytes(&level.tile, at.vertices + 12 * (uint64_t)header.vertex_count - 24 - 4, &nan, sizeof nan);
  WmTilePolygon good, polygon;
  size_t number = 0, edge = 0;
  do {
    wm_tile_get(level.tile.bytes, at.polygons, number++, sizeof good, &good);
  } while (good.neighbours[0] == 0 || good.neighbours[0] & WM_TILE_PORTAL);
  const uint64_t where = at.polygons + --number * sizeof good;
  polygon = good;
  polygon.vertices[0] = (uint16_t)header.vertex_count;
  check_finds_bytes(&level.tile, where, &polygon, sizeof polygon);
  polygon = good;
  polygon.neighbours[edge] = (uint16_t)(number + 1);
  check_finds_bytes(&level.tile, where, &polygon, sizeof polygon);
  polygon.neighbours[edge] = WM_TILE_PORTAL | WM_SIDE_X_PLUS_Z_PLUS;
  check_finds_bytes(&level.tile, where, &polygon, sizeof polygon);
  polygon.neighbours[edge] = 0;
  check_finds_bytes(&level.tile, where, &polygon, sizeof polygon);
  polygon = good;
  polygon.area_and_type ^= WM_TILE_OFF_MESH << 6;
  check_finds_bytes(&level.tile, where, &polygon, sizeof polygon);
  polygon = good;
  polygon.vertex_count = 2;
  check_finds_bytes(&level.tile, where, &polygon, sizeof polygon);
  free_level(&level);
}

static void broken_details_of_tiles_are_found(void) {
  Level level = bake_level();
  WmTileHeader header;
  wm_tile_get(level.tile.bytes, 0, 0, sizeof header, &header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  WmTileDetail good, detail;
  wm_tile_get(level.tile.bytes, at.details, 0, sizeof good, &good);
  detail = good;
  detail.triangle_count++;
  check_finds_bytes(&level.tile, at.details, &detail, sizeof detail);
  detail = good;
  detail.vertex_count++;
  check_finds_bytes(&level.tile, at.details, &detail, sizeof detail);
  detail = good;
  detail.first_triangle++;
  check_finds_bytes(&level.tile, at.details, &detail, sizeof detail);
  const uint8_t corner = 255, flags = 2;
  check_finds_bytes(&level.tile, at.detail_triangles + 1, &corner, 1);
  check_finds_bytes(&level.tile, at.detail_triangles + 3, &flags, 1);
  free_level(&level);
}

static void broken_trees_and_connections_are_found(void) {
  Level level = bake_level();
  WmTileHeader header;
  wm_tile_get(level.tile.bytes, 0, 0, sizeof header, &header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  CHECK(header.node_count > 2 && header.connection_count == 1);
  const int32_t last = header.node_count - 2;
  WmTileNode good, node;
  wm_tile_get(level.tile.bytes, at.nodes, (size_t)last, sizeof good, &good);
  node = good;
  node.low[0] = 0;
  node.high[0] = UINT16_MAX;
  check_finds_bytes(&level.tile, at.nodes + (uint64_t)last * sizeof node, &node, sizeof node);
  node = good;
  node.index = good.index == 0 ? 1 : 0; /* a second leaf of a polygon */
  check_finds_bytes(&level.tile, at.nodes + (uint64_t)last * sizeof node, &node, sizeof node);
  wm_tile_get(level.tile.bytes, at.nodes, 0, sizeof good, &good);
  node = good;
  node.index--;
  check_finds_bytes(&level.tile, at.nodes, &node, sizeof node);
  WmTileConnection right, wrong;
  wm_tile_get(level.tile.bytes, at.connections, 0, sizeof right, &right);
  wrong = right;
  wrong.polygon--;
  check_finds_bytes(&level.tile, at.connections, &wrong, sizeof wrong);
  wrong = right;
  wrong.side = 8;
  check_finds_bytes(&level.tile, at.connections, &wrong, sizeof wrong);
  wrong = right;
  wrong.end[2] += 1;
  check_finds_bytes(&level.tile, at.connections, &wrong, sizeof wrong);
  free_level(&level);
}

int main(void) {
  RUN(stages_of_levels_are_valid);
  RUN(stages_of_random_levels_are_valid);
  RUN(regions_without_valid_contours_are_found);
  RUN(broken_contours_are_found);
  RUN(a_wrong_area_border_is_found);
  RUN(broken_polygons_are_found);
  RUN(each_concave_vertex_is_found);
  RUN(polygons_of_three_to_six_vertices_are_valid);
  RUN(broken_details_are_found);
  RUN(each_entry_of_polygons_is_checked);
  RUN(each_entry_of_contours_is_checked);
  RUN(each_entry_of_details_is_checked);
  RUN(broken_headers_are_found);
  RUN(broken_polygons_of_tiles_are_found);
  RUN(broken_details_of_tiles_are_found);
  RUN(broken_trees_and_connections_are_found);
  return check_finish();
}
