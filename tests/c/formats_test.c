/* Files: round trips, every truncated length, every flipped byte, every field with wrong values. */
#include "mesh/formats/formats.h"

#include <math.h>

#include "dump_read.h"
#include "grid_tiles.h"
#include "mesh/links/connections.h"
#include "query/search/path.h"

/* ---- Helpers --------------------------------------------------------------------------------------- */

static const WmOffMeshConnection CONNECTION = {.start = {3, 0.5f, 3},
                                               .end = {12, 0.5f, 5},
                                               .radius = 0.75f,
                                               .flags = 1,
                                               .area = 3,
                                               .bidirectional = true};

/* Two tiles with a connection between them, one without a tree, and a configuration. */
static WmMesh *make_small_mesh(WmContext *context) {
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile grids[2] = {
      {.seed = 0, .hole = UINT32_MAX, .tree = true, .connections = &CONNECTION, .connection_count = 1},
      {.x = 1, .seed = 0, .hole = 1}};
  add_grid_tile(mesh, &grids[0]);
  add_grid_tile(mesh, &grids[1]);
  CHECK_EQUAL_INT(wm_mesh_set_configuration(mesh, "{\"cellSize\":0.5}", 16), WM_OK);
  return mesh;
}

static WmBytes write_mesh(const WmMesh *mesh, WmFormat format) {
  WmBytes file = {0};
  CHECK_EQUAL_INT(wm_mesh_write(mesh, format, &file.bytes, &file.byte_count), WM_OK);
  return file;
}

static WmBytes write_small(WmContext *context, WmFormat format) {
  WmMesh *mesh = make_small_mesh(context);
  if (format == WM_FORMAT_TILE) {
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, wm_mesh_find_tile(mesh, 1, 0, 0)->ref), WM_OK);
  }
  const WmBytes file = write_mesh(mesh, format);
  wm_mesh_destroy(mesh);
  return file;
}

/* The checksum of formats.c, for altered files that must fail a later check. */
static void fix_checksum(uint8_t *bytes, size_t byte_count) {
  uint64_t sum = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i + 8 < byte_count; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, 8);
    sum = (sum ^ word) * UINT64_C(0xd6e8feb86659fd93);
    sum ^= sum >> 32;
  }
  memcpy(bytes + byte_count - 8, &sum, 8);
}

/* Reads a file; the resulting mesh must be safe for all queries. Returns the status. */
static WmStatus read_and_ask(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  WmMesh *mesh = (WmMesh *)context;
  const WmStatus status = wm_mesh_read(context, bytes, byte_count, &mesh);
  if (status) {
    CHECK(mesh == NULL);
    CHECK(status == WM_ERROR_CORRUPT || status == WM_ERROR_LIMIT);
    CHECK(wm_context_error(context)->message[0] != 0);
    return status;
  }
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  static const float POINTS[4][3] = {{1, 0, 1}, {15, 0, 7}, {6, 0, 6.5f}, {9, 2, 1}};
  for (int i = 0; i < 4; i++) {
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(query, POINTS[i], POINTS[(i + 1) % 4], NULL, &path), WM_OK);
  }
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (!tile) continue;
    float *positions = malloc((tile->triangle_count + 1) * 9 * sizeof(float));
    wm_mesh_tile_triangles(tile, positions, NULL);
    free(positions);
    WmCorridor corridor;
    const float everywhere[3] = {1e30f, 1e30f, 1e30f};
    WmNearest nearest;
    CHECK_EQUAL_INT(wm_query_find_nearest(query, POINTS[0], everywhere, NULL, &nearest), WM_OK);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      CHECK_EQUAL_INT(wm_query_closest_point(query, tile->ref + p, POINTS[p % 4], &nearest), WM_OK);
    }
    CHECK_EQUAL_INT(wm_query_find_corridor(query, tile->ref, POINTS[0], tile->ref + tile->polygon_count - 1,
                                           POINTS[1], NULL, &corridor),
                    WM_OK);
  }
  WmBytes again = write_mesh(mesh, WM_FORMAT_WALKMESH);
  wm_block_free(context, again.bytes);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  return WM_OK;
}

/* ---- Round trips ----------------------------------------------------------------------------------- */

static void every_format_comes_back_the_same(void) {
  static const WmFormat FORMATS[4] = {WM_FORMAT_WALKMESH, WM_FORMAT_TILE, WM_FORMAT_SET, WM_FORMAT_SET_WIDE};
  WmContext *context = wm_context_create(NULL);
  for (int i = 0; i < 4; i++) {
    WmBytes file = write_small(context, FORMATS[i]);
    CHECK_EQUAL_INT(wm_format_detect(file.bytes, file.byte_count), FORMATS[i]);
    WmMesh *mesh = NULL;
    CHECK_EQUAL_INT(wm_mesh_read(context, file.bytes, file.byte_count, &mesh), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_tile_count(mesh), FORMATS[i] == WM_FORMAT_TILE ? 1 : 2);
    const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
    CHECK(parameters->tile_width == GRID_TILE_SIZE && parameters->tile_depth == GRID_TILE_SIZE);
    CHECK(parameters->cell_size == 0.5f && parameters->agent_max_climb == 0.5f);
    size_t length = 0;
    const char *text = wm_mesh_configuration(mesh, &length);
    CHECK_EQUAL_INT(length, FORMATS[i] == WM_FORMAT_WALKMESH ? 16 : 0);
    if (length) CHECK(memcmp(text, "{\"cellSize\":0.5}", 16) == 0);
    if (FORMATS[i] != WM_FORMAT_TILE) {
      const WmMeshTile *tile = wm_mesh_find_tile(mesh, 0, 0, 0);
      CHECK_EQUAL_INT(tile->link_first[tile->polygon_count] - tile->link_first[tile->polygon_count - 1], 2);
    }
    WmBytes again = write_mesh(mesh, FORMATS[i]);
    CHECK_EQUAL_INT(again.byte_count, file.byte_count);
    CHECK(again.byte_count == file.byte_count && memcmp(again.bytes, file.bytes, file.byte_count) == 0);
    wm_block_free(context, again.bytes);
    wm_mesh_destroy(mesh);
    CHECK_EQUAL_INT(read_and_ask(context, file.bytes, file.byte_count), WM_OK);
    wm_block_free(context, file.bytes);
  }
  wm_context_destroy(context);
}

/* Links and their order, after tiles were removed and added. */
static void a_saved_mesh_has_the_same_links_in_the_same_order(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 3, 5);
  for (int i = 0; i < 5; i++) {
    const int32_t x = i % 3, z = (i * 2) % 3;
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, wm_mesh_find_tile(mesh, x, z, 0)->ref), WM_OK);
    const GridTile grid = {.x = x, .z = z, .seed = 50 + (uint32_t)i, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
  WmBytes file = write_mesh(mesh, WM_FORMAT_WALKMESH);
  WmMesh *copy = NULL;
  CHECK_EQUAL_INT(wm_mesh_read(context, file.bytes, file.byte_count, &copy), WM_OK);
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (!tile) continue;
    const WmMeshTile *other = wm_mesh_find_tile(copy, tile->x, tile->z, tile->layer);
    CHECK(memcmp(tile->link_first, other->link_first, 4 * (size_t)(tile->polygon_count + 1)) == 0);
    const uint32_t links = tile->link_first[tile->polygon_count];
    CHECK(memcmp(tile->link_portals, other->link_portals, 24 * (size_t)links) == 0);
    for (uint32_t i = 0; i < links; i++) {
      CHECK(tile->links[i].polygon == other->links[i].polygon && tile->links[i].edge == other->links[i].edge);
      const WmMeshTile *to = wm_mesh_tile(mesh, tile->links[i].slot),
                       *to_other = wm_mesh_tile(copy, other->links[i].slot);
      CHECK(to->x == to_other->x && to->z == to_other->z);
    }
  }
  wm_block_free(context, file.bytes);
  wm_mesh_destroy(copy);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Changes made at run time: connections, flags, areas. */
static void what_was_changed_at_run_time_is_kept(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_small_mesh(context);
  enum { COUNT = 3 };
  WmConnection made[COUNT];
  for (int i = 0; i < COUNT; i++) {
    made[i] = wm_connection_default(mesh);
    memcpy(made[i].start, (float[3]){1.5f + (float)i, 0.25f, 2.5f}, sizeof made[i].start);
    memcpy(made[i].end, (float[3]){13, 0.25f, 6.5f - (float)i}, sizeof made[i].end);
    made[i].radius = 0.5f + 0.25f * (float)i;
    made[i].climb = 1 + (float)i;
    made[i].bidirectional = i != 1;
    made[i].enabled = i != 2;
    made[i].area = (uint8_t)(5 + i);
    made[i].flags = (uint16_t)(1 << i);
    made[i].user_id = 0xfffffff0u + (uint32_t)i;
    made[i].cost_factor = 0.5f * (float)i;
    WmRef ref;
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &made[i], &ref), WM_OK);
  }
  const WmRef tile = wm_mesh_find_tile(mesh, 1, 0, 0)->ref;
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile + 2, 0x1234), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, tile + 1, 9), WM_OK);
  WmBytes file = write_mesh(mesh, WM_FORMAT_WALKMESH);
  WmMesh *copy = NULL;
  CHECK_EQUAL_INT(wm_mesh_read(context, file.bytes, file.byte_count, &copy), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_connection_count(copy), COUNT);
  WmRef ref = 0, original = 0;
  for (int i = 0; i < COUNT; i++) {
    ref = wm_mesh_next_connection(copy, ref);
    original = wm_mesh_next_connection(mesh, original);
    WmConnection got, had;
    float ends[2][2][3];
    int tied[2];
    CHECK_EQUAL_INT(wm_mesh_connection(copy, ref, &got, ends[0], &tied[0]), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_connection(mesh, original, &had, ends[1], &tied[1]), WM_OK);
    CHECK(tied[0] == 3 && tied[1] == 3);
    CHECK(memcmp(ends[0], ends[1], sizeof ends[0]) == 0);
    CHECK(memcmp(got.start, made[i].start, 8 * sizeof(float)) == 0); /* the end, radius and climb follow it */
    CHECK(got.bidirectional == made[i].bidirectional && got.enabled == made[i].enabled);
    CHECK(got.area == made[i].area && got.flags == made[i].flags);
    CHECK(got.user_id == made[i].user_id && got.cost_factor == made[i].cost_factor);
  }
  CHECK(wm_mesh_next_connection(copy, ref) == 0);
  const WmMeshTile *tile_copy = wm_mesh_find_tile(copy, 1, 0, 0);
  CHECK_EQUAL_INT(tile_copy->polygon_flags[2], 0x1234);
  CHECK_EQUAL_INT(tile_copy->polygon_area[1], 9);
  WmBytes again = write_mesh(copy, WM_FORMAT_WALKMESH);
  CHECK(again.byte_count == file.byte_count && memcmp(again.bytes, file.bytes, file.byte_count) == 0);
  wm_block_free(context, again.bytes);
  wm_mesh_destroy(copy);
  /* Sets store flags and areas, but not connections made at run time. */
  again = write_mesh(mesh, WM_FORMAT_SET);
  CHECK_EQUAL_INT(wm_mesh_read(context, again.bytes, again.byte_count, &copy), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_connection_count(copy), 0);
  CHECK_EQUAL_INT(wm_mesh_find_tile(copy, 1, 0, 0)->polygon_flags[2], 0x1234);
  wm_block_free(context, again.bytes);
  wm_mesh_destroy(copy);
  /* The section is checked: its last connection lies before 4 bytes of padding and the checksum. */
  const size_t last = file.byte_count - 8 - 4 - 44;
  static const struct {
    ptrdiff_t offset;
    uint32_t value;
    const char *word;
  } CASES[] = {{0, 0x7fc00000, "connection 2"},  {24, 0xbf800000, "connection 2"},
               {28, 0x7f800000, "connection 2"}, {32, 0xbf800000, "connection 2"},
               {40, 64 << 16, "connection 2"},   {40, 4u << 24, "connection 2"},
               {-88 - 8, 131, "part 5"},         {-88 - 8, 88, "part 5"},
               {-88 - 16, 7, "part 5 of"},       {-88 - 12, 1, "part 5 of"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    memcpy(again.bytes = malloc(file.byte_count), file.bytes, file.byte_count);
    memcpy(again.bytes + last + CASES[i].offset, &CASES[i].value, 4);
    fix_checksum(again.bytes, file.byte_count);
    CHECK_EQUAL_INT(read_and_ask(context, again.bytes, file.byte_count), WM_ERROR_CORRUPT);
    const char *message = wm_context_error(context)->message;
    if (!strstr(message, CASES[i].word)) printf("case %zu: \"%s\"\n", i, message);
    CHECK(strstr(message, CASES[i].word) != NULL);
    free(again.bytes);
  }
  wm_block_free(context, file.bytes);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void golden_tiles_and_sets_of_them_come_back_the_same(void) {
  static const char *const CASES[] = {"holes-layers", "maze-default", "plaza-default", "terrain-default",
                                      "tower-monotone"};
  WmContext *context = wm_context_create(NULL);
  for (int i = 0; i < 5; i++) {
    char path[128];
    snprintf(path, sizeof path, "../shared/golden/dumps/%s/tile.bin", CASES[i]);
    WmBytes tile = read_file(path);
    if (!tile.bytes) {
      SKIP("no ../shared/golden/dumps");
      continue;
    }
    WmMesh *mesh = NULL;
    CHECK_EQUAL_INT(wm_mesh_read(context, tile.bytes, tile.byte_count, &mesh), WM_OK);
    WmBytes again = write_mesh(mesh, WM_FORMAT_TILE);
    CHECK(again.byte_count == tile.byte_count && memcmp(again.bytes, tile.bytes, tile.byte_count) == 0);
    wm_block_free(context, again.bytes);
    WmBytes set = write_mesh(mesh, WM_FORMAT_SET);
    CHECK_EQUAL_INT(set.byte_count, 48 + tile.byte_count);
    CHECK(memcmp(set.bytes, "TESM", 4) == 0);
    CHECK(memcmp(set.bytes + 48, tile.bytes, tile.byte_count) == 0);
    wm_block_free(context, set.bytes);
    wm_mesh_destroy(mesh);
    free(tile.bytes);
  }
  wm_context_destroy(context);
}

/* Detour built with 64-bit references has links of 16 bytes; a running Detour saves its links, too. */
static void links_of_a_running_detour_are_cleaned_away(void) {
  WmContext *context = wm_context_create(NULL);
  WmBytes tile = write_small(context, WM_FORMAT_TILE);
  WmTileHeader header;
  memcpy(&header, tile.bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  const size_t more = 4 * (size_t)header.link_count;
  uint8_t *wide = malloc(tile.byte_count + more);
  memcpy(wide, tile.bytes, at.links);
  memset(wide + at.links, 0xee, 16 * (size_t)header.link_count);
  memcpy(wide + at.details + more, tile.bytes + at.details, tile.byte_count - at.details);
  memset(wide + at.polygons, 0xdd, 4); /* first link */
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_read(context, wide, tile.byte_count + more, &mesh), WM_OK);
  WmBytes again = write_mesh(mesh, WM_FORMAT_TILE);
  CHECK(again.byte_count == tile.byte_count && memcmp(again.bytes, tile.bytes, tile.byte_count) == 0);
  wm_block_free(context, again.bytes);
  wm_mesh_destroy(mesh);
  free(wide);
  wm_block_free(context, tile.bytes);
  wm_context_destroy(context);
}

static void a_single_tile_lies_where_its_bounds_are(void) {
  WmContext *context = wm_context_create(NULL);
  const GridTile grid = {.x = 5, .z = -7, .seed = 1, .hole = UINT32_MAX, .tree = true};
  WmTileData tile = make_grid_tile(context, &grid);
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_read(context, tile.bytes, tile.byte_count, &mesh), WM_OK);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float point[3] = {44.3f, 0, -52.2f}, half_extents[3] = {1, 1, 1};
  WmNearest nearest;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, point, half_extents, NULL, &nearest), WM_OK);
  CHECK(nearest.polygon != 0 && nearest.over);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_tile_data_free(context, &tile);
  wm_context_destroy(context);
}

static void what_a_format_cannot_hold_is_a_limit_error(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_small_mesh(context);
  WmBytes file = {(uint8_t *)context, 1};
  CHECK_EQUAL_INT(wm_mesh_write(mesh, WM_FORMAT_TILE, &file.bytes, &file.byte_count), WM_ERROR_LIMIT);
  CHECK(file.bytes == NULL && file.byte_count == 0);
  CHECK_EQUAL_INT(wm_mesh_write(mesh, (WmFormat)9, &file.bytes, &file.byte_count), WM_ERROR_INVALID_ARGUMENT);
  wm_mesh_destroy(mesh);
  mesh = make_grid_mesh(context); /* an empty mesh is valid, too */
  file = write_mesh(mesh, WM_FORMAT_WALKMESH);
  CHECK_EQUAL_INT(read_and_ask(context, file.bytes, file.byte_count), WM_OK);
  wm_block_free(context, file.bytes);
  file = write_mesh(mesh, WM_FORMAT_SET);
  CHECK_EQUAL_INT(read_and_ask(context, file.bytes, file.byte_count), WM_OK);
  wm_block_free(context, file.bytes);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Bytes altered at random (hostile_test.c has every byte) --------------------------------------- */

/* Whole fields set to values that break careless readers. */
static void every_field_set_to_extremes_is_corrupt_or_harmless(void) {
  static const uint32_t VALUES[] = {0,          1,          2,          0x7fffffff, 0x80000000, 0xffffffff,
                                    0xfffffffe, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff,
                                    0x00000001, 0x0000ffff, 0xffff0000, 0x80008000, 0x40000000};
  WmContext *context = wm_context_create(NULL);
  for (int format = WM_FORMAT_SET; format <= WM_FORMAT_SET_WIDE; format++) {
    WmBytes file = write_small(context, (WmFormat)format);
    uint8_t *altered = malloc(file.byte_count);
    for (size_t i = 0; i + 4 <= file.byte_count; i += 4) {
      for (size_t k = 0; k < sizeof VALUES / sizeof *VALUES; k++) {
        memcpy(altered, file.bytes, file.byte_count);
        memcpy(altered + i, &VALUES[k], 4);
        read_and_ask(context, altered, file.byte_count);
      }
    }
    free(altered);
    wm_block_free(context, file.bytes);
  }
  wm_context_destroy(context);
}

/* Several random changes at once, from a seed. */
static void random_changes_are_corrupt_or_harmless(void) {
  WmContext *context = wm_context_create(NULL);
  WmBytes file = write_small(context, WM_FORMAT_SET);
  uint8_t *altered = malloc(file.byte_count);
  uint32_t seed = 12345;
  int read = 0;
  for (int round = 0; round < 4000; round++) {
    memcpy(altered, file.bytes, file.byte_count);
    const uint32_t changes = 1 + grid_random(&seed) % 6;
    for (uint32_t k = 0; k < changes; k++) {
      altered[148 + grid_random(&seed) % (file.byte_count - 148)] = (uint8_t)grid_random(&seed);
    }
    read += read_and_ask(context, altered, file.byte_count) == WM_OK;
  }
  CHECK(read > 50);
  free(altered);
  wm_block_free(context, file.bytes);
  wm_context_destroy(context);
}

/* Bakes join holes to outlines by bridges, and a polygon may contain both ends of one bridge. */
static void ground_may_touch_itself(void) {
  WmContext *context = wm_context_create(NULL);
  WmBytes file = write_small(context, WM_FORMAT_TILE);
  WmTileHeader header;
  memcpy(&header, file.bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  memcpy(file.bytes + at.polygons + 8, file.bytes + at.polygons + 4, 2);
  CHECK_EQUAL_INT(read_and_ask(context, file.bytes, file.byte_count), WM_OK);
  wm_block_free(context, file.bytes);
  wm_context_destroy(context);
}

/* Fields that must be refused, with a word of the message. */
static void errors_name_what_is_wrong(void) {
  WmContext *context = wm_context_create(NULL);
  WmBytes file = write_small(context, WM_FORMAT_TILE);
  WmTileHeader header;
  memcpy(&header, file.bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  uint16_t end; /* vertex of the connection */
  memcpy(&end, file.bytes + at.polygons + 32 * 4 + 4, sizeof end);
  const struct {
    uint64_t offset;
    uint32_t value;
    uint32_t bytes;
    const char *word;
  } CASES[] = {
      {0, 0x41414141, 4, "neither"},
      {4, 8, 4, "version"},
      {8, 0x7fffffff, 4, "place"},
      {24, 0, 4, "polygons"},
      {28, 1, 4, "vertices"},
      {32, 0xffffffff, 4, "links"},
      {36, 1, 4, "detail"},
      {48, 0x10000, 4, "tree nodes"},
      {52, 0, 4, "connections"},
      {56, 40000, 4, "ground"},
      {60, 0x7fc00000, 4, "finite"},
      {64, 0xbf800000, 4, "negative"},
      {72, 0x7f800000, 4, "finite"},
      {84, 0xc2c80000, 4, "inside out"},
      {96, 0, 4, "scale"},
      {at.vertices + 4, 0x7fc00000, 4, "vertex 0"},
      {at.vertices + 4, 0x4f000000, 4, "vertex 0 is not finite, or too large"},
      {at.polygons + 4, 0xffff, 2, "polygon 0"},
      {at.polygons + 4, (uint32_t)header.vertex_count, 2, "polygon 0 has a wrong vertex"},
      {at.polygons + 32 * 4 + 6, end, 2, "polygon 4 has a vertex twice"},
      {at.polygons + 32 * 4 + 4, 0, 2, "polygon 4 shares a vertex"},
      {at.polygons + 16, 1, 2, "neighbour"},
      {at.polygons + 16, 0x8001, 2, "neighbour"},
      {at.polygons + 16, 0x7fff, 2, "neighbour"},
      {at.polygons + 30, 7, 1, "number of vertices"},
      {at.polygons + 31, 0x40, 1, "type"},
      {at.details + 4, 0x10000, 4, "polygon 0 has a wrong detail mesh"},
      {at.details + 8, 1, 1, "polygon 0 has a wrong detail mesh"},
      {at.detail_triangles, 9, 1, "polygon 0 has a wrong detail mesh"},
      {at.nodes + 12, 0x80000000, 4, "parent"},
      {at.nodes + 12, 0x7fff, 4, "wrong polygon"},
      {at.nodes, 0xffff, 2, "inside out"},
      {at.connections, 0x7f800000, 4, "off-mesh connection 0"},
      {at.connections + 28, 0, 2, "off-mesh connection 0"},
      {at.connections + 31, 9, 1, "side"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    uint8_t *altered = malloc(file.byte_count);
    memcpy(altered, file.bytes, file.byte_count);
    memcpy(altered + CASES[i].offset, &CASES[i].value, CASES[i].bytes);
    CHECK_EQUAL_INT(read_and_ask(context, altered, file.byte_count), WM_ERROR_CORRUPT);
    const char *message = wm_context_error(context)->message;
    if (!strstr(message, CASES[i].word)) printf("case %zu: \"%s\" lacks \"%s\"\n", i, message, CASES[i].word);
    CHECK(strstr(message, CASES[i].word) != NULL);
    free(altered);
  }
  CHECK_EQUAL_INT(wm_mesh_read(context, NULL, 0, &(WmMesh *){NULL}), WM_ERROR_CORRUPT);
  CHECK(strstr(wm_context_error(context)->message, "empty") != NULL);
  wm_block_free(context, file.bytes);
  wm_context_destroy(context);
}

/* An altered byte is reported as such, not as the later failure that it may cause. */
static void an_altered_file_is_told_by_its_checksum(void) {
  WmContext *context = wm_context_create(NULL);
  const WmBytes file = write_small(context, WM_FORMAT_WALKMESH);
  for (size_t at = 24; at < file.byte_count; at += 5) {
    file.bytes[at] ^= 0x10;
    CHECK_EQUAL_INT(read_and_ask(context, file.bytes, file.byte_count), WM_ERROR_CORRUPT);
    CHECK(strstr(wm_context_error(context)->message, "checksum") != NULL);
    file.bytes[at] ^= 0x10;
  }
  CHECK_EQUAL_INT(read_and_ask(context, file.bytes, file.byte_count), WM_OK);
  wm_block_free(context, file.bytes);
  wm_context_destroy(context);
}

/* Sets with 32-bit and 64-bit references have the same tiles; only headers and room for links differ. */
static void wide_sets_are_narrow_ones_with_wider_links(void) {
  WmContext *context = wm_context_create(NULL);
  WmBytes narrow = write_small(context, WM_FORMAT_SET), wide = write_small(context, WM_FORMAT_SET_WIDE);
  const uint8_t *from = narrow.bytes, *to = wide.bytes;
  CHECK(memcmp(from, to, 40) == 0);
  from += 40;
  to += 40;
  for (uint64_t i = 0; i < 2; i++) {
    WmTileHeader header;
    memcpy(&header, from + 8, sizeof header);
    const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
    const WmTileSections at_wide = wm_tile_sections(&header, WM_TILE_WIDE_LINK_BYTES);
    uint64_t reference;
    int32_t size;
    memcpy(&reference, to, 8);
    memcpy(&size, to + 8, 4);
    CHECK(reference == ((uint64_t)1 << 48 | i << 20));
    CHECK_EQUAL_INT(size, at_wide.byte_count);
    CHECK_EQUAL_INT(at_wide.byte_count - at.byte_count, 4 * header.link_count);
    CHECK(memcmp(from + 8, to + 16, at.details) == 0); /* links are zeros */
    CHECK(memcmp(from + 8 + at.details, to + 16 + at_wide.details, at.byte_count - at.details) == 0);
    from += 8 + at.byte_count;
    to += 16 + at_wide.byte_count;
  }
  CHECK(to == wide.bytes + wide.byte_count);
  wm_block_free(context, narrow.bytes);
  wm_block_free(context, wide.bytes);
  wm_context_destroy(context);
}

/* A set states the width of its references, and limits that its tiles must respect. The second tile is part
 * 2. */
static void sets_that_contradict_themselves_are_corrupt(void) {
  WmContext *context = wm_context_create(NULL);
  for (int wide = 0; wide < 2; wide++) {
    WmBytes file = write_small(context, wide ? WM_FORMAT_SET_WIDE : WM_FORMAT_SET);
    int32_t first_bytes;
    memcpy(&first_bytes, file.bytes + 40 + (wide ? 8 : 4), 4);
    const size_t second = 40 + (size_t)first_bytes + (wide ? 16 : 8), high = second + (wide ? 4 : 0);
    const size_t tile = second + (wide ? 16 : 8);
    uint32_t old_high, first[2];
    memcpy(&old_high, file.bytes + high, 4);
    memcpy(first, file.bytes + 40, 8);
    const struct {
      size_t offset;
      uint32_t value;
      const char *word;
    } CASES[] = {
        {4, 2, "version"},
        {8, 3, "cannot have 3 tiles"},
        {8, 1, "part 1 of the file should be the last"},
        {12, 0x7fc00000, "out of range"},
        {24, 0, "out of range"},
        {24, 0xbf800000, "out of range"},
        {32, 0, "cannot have"},
        {32, 0x80000000, "out of range"},
        {32, 1u << 29, "cannot name"},
        {36, 0, "out of range"},
        {36, 0xffffffff, "out of range"},
        {36, 1u << 23, "cannot name"},
        {36, 4, wide ? NULL : "part "},
        {second, 0, wide ? "same reference" : "part 2 of the file has a wrong reference"},
        {second, first[0] | 1, "part 2 of the file has a wrong reference"},
        {high, 0, "part 2 of the file has a wrong reference"},
        {high, old_high | (wide ? 1u << 8 : 4), "part 2 of the file has a wrong reference"},
        {second, first[0], "same reference"},
        {second + (wide ? 8 : 4), 0x7fffffff, "part 2 of the file is cut"},
        {second + (wide ? 8 : 4), 0, "part 2: the tile is cut"},
        {tile, 0, "part 2: a tile begins with DNAV"},
        {tile + 4, 6, "part 2: the header cannot say 6 as version"},
        {tile + 100, 0x7f800000, "part 2: vertex 0 is not finite"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
      uint8_t *altered = malloc(file.byte_count);
      memcpy(altered, file.bytes, file.byte_count);
      memcpy(altered + CASES[i].offset, &CASES[i].value, 4);
      const WmStatus status = read_and_ask(context, altered, file.byte_count);
      free(altered);
      CHECK_EQUAL_INT(status, CASES[i].word ? WM_ERROR_CORRUPT : WM_OK);
      if (!CASES[i].word) continue;
      const char *message = wm_context_error(context)->message;
      if (!strstr(message, CASES[i].word)) {
        printf("wide %d, case %zu: \"%s\" lacks \"%s\"\n", wide, i, message, CASES[i].word);
      }
      CHECK(strstr(message, CASES[i].word) != NULL);
    }
    wm_block_free(context, file.bytes);
  }
  wm_context_destroy(context);
}

/* Any two of three tiles may have the same reference, in any order of the references. */
static void each_of_three_tiles_has_a_reference_of_its_own(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t x = 0; x < 3; x++) {
    const GridTile grid = {.x = x, .hole = UINT32_MAX};
    add_grid_tile(mesh, &grid);
  }
  const WmBytes file = write_mesh(mesh, WM_FORMAT_SET);
  wm_mesh_destroy(mesh);
  size_t heads[3];
  uint32_t references[3];
  for (size_t i = 0, at = 40; i < 3; i++) {
    uint32_t byte_count;
    memcpy(&references[i], file.bytes + at, 4);
    memcpy(&byte_count, file.bytes + at + 4, 4);
    heads[i] = at;
    at += 8 + byte_count;
  }
  for (int code = 0; code < 27; code++) {
    const int slots[3] = {code % 3, code / 3 % 3, code / 9};
    for (int i = 0; i < 3; i++) memcpy(file.bytes + heads[i], &references[slots[i]], 4);
    const bool are_distinct = slots[0] != slots[1] && slots[1] != slots[2] && slots[0] != slots[2];
    CHECK_EQUAL_INT(read_and_ask(context, file.bytes, file.byte_count),
                    are_distinct ? WM_OK : WM_ERROR_CORRUPT);
    if (!are_distinct) CHECK(strstr(wm_context_error(context)->message, "same reference") != NULL);
  }
  wm_block_free(context, file.bytes);
  wm_context_destroy(context);
}

/* A record with 32-bit references and a tile with 64-bit ones, and vice versa. */
static void links_as_wide_as_references_are_wanted(void) {
  WmContext *context = wm_context_create(NULL);
  WmBytes narrow = write_small(context, WM_FORMAT_SET), wide = write_small(context, WM_FORMAT_SET_WIDE);
  int32_t sizes[2];
  memcpy(&sizes[0], narrow.bytes + 44, 4);
  memcpy(&sizes[1], wide.bytes + 48, 4);
  for (int w = 0; w < 2; w++) {
    const size_t head = 40 + (w ? 16 : 8), size = (size_t)sizes[1 - w];
    uint8_t *mixed = malloc(head + size);
    memcpy(mixed, w ? wide.bytes : narrow.bytes, head);
    mixed[8] = 1; /* tile */
    memcpy(mixed + head - (w ? 8 : 4), &sizes[1 - w], 4);
    memcpy(mixed + head, w ? narrow.bytes + 48 : wide.bytes + 56, size);
    CHECK_EQUAL_INT(read_and_ask(context, mixed, head + size), WM_ERROR_CORRUPT);
    CHECK(strstr(wm_context_error(context)->message, "links of another width") != NULL);
    free(mixed);
  }
  wm_block_free(context, narrow.bytes);
  wm_block_free(context, wide.bytes);
  wm_context_destroy(context);
}

/* Bounds that 16 bits can't span: Detour truncates its boxes there, which would hide polygons. */
static void a_tree_too_small_for_its_tile_is_not_used(void) {
  WmContext *context = wm_context_create(NULL);
  WmBytes file = write_small(context, WM_FORMAT_TILE);
  const float scale = 65536.0f / GRID_TILE_SIZE;
  memcpy(file.bytes + 96, &scale, 4);
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_read(context, file.bytes, file.byte_count, &mesh), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_tile(mesh, 0)->node_count, 0);
  WmBytes again = write_mesh(mesh, WM_FORMAT_TILE);
  CHECK(again.byte_count == file.byte_count && memcmp(again.bytes, file.bytes, file.byte_count) == 0);
  wm_block_free(context, again.bytes);
  wm_mesh_destroy(mesh);
  wm_block_free(context, file.bytes);
  wm_context_destroy(context);
}

static void a_set_with_the_same_place_twice_is_corrupt(void) {
  WmContext *context = wm_context_create(NULL);
  WmBytes file = write_small(context, WM_FORMAT_SET);
  int32_t first_bytes, place = 0;
  memcpy(&first_bytes, file.bytes + 44, 4);
  memcpy(file.bytes + 48 + first_bytes + 8 + 8, &place, 4); /* x of the second vertex */
  CHECK_EQUAL_INT(read_and_ask(context, file.bytes, file.byte_count), WM_ERROR_CORRUPT);
  CHECK(strstr(wm_context_error(context)->message, "same place") != NULL);
  wm_block_free(context, file.bytes);
  wm_context_destroy(context);
}

/* ---- Memory ---------------------------------------------------------------------------------------- */

static void every_failed_allocation_is_reported(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *original = make_small_mesh(context);
  WmConnection connection = wm_connection_default(original);
  connection.start[0] = connection.start[2] = 2;
  connection.end[0] = 12;
  connection.end[2] = 3;
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(original, &connection, &ref), WM_OK);
  WmBytes file = write_mesh(original, WM_FORMAT_WALKMESH);
  wm_mesh_destroy(original);
  int failures = 0;
  for (int once = 0; once < 2; once++) {
    WmStatus status = WM_ERROR_OUT_OF_MEMORY;
    for (long n = 0; status && n < 200; n++) {
      wm_context_trim(context);
      const long in_use = ration.in_use;
      ration.until_failure = n;
      ration.once = once == 1;
      WmMesh *mesh = NULL;
      uint8_t *bytes = NULL;
      size_t byte_count = 0;
      status = wm_mesh_read(context, file.bytes, file.byte_count, &mesh);
      if (!status)
        status = wm_mesh_write(mesh, once ? WM_FORMAT_SET : WM_FORMAT_WALKMESH, &bytes, &byte_count);
      const WmStatus expected = end_ration(&ration);
      /* Scratch memory that is refused once is requested again, in a smaller chunk. */
      CHECK(status == expected || (ration.once && status == WM_OK));
      if (status) {
        failures++;
        CHECK(bytes == NULL && byte_count == 0);
      }
      wm_block_free(context, bytes);
      wm_mesh_destroy(mesh);
      wm_context_trim(context);
      CHECK_EQUAL_INT(ration.in_use, in_use);
    }
    CHECK_EQUAL_INT(status, WM_OK);
  }
  CHECK(failures > 12);
  wm_block_free(context, file.bytes);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* Numbers of a set's header are kept if references can have as many bits: 22 together, or 28 and 20 in a wide set.
 * Else both are those of the mesh. */
static void sets_keep_the_limits_of_the_set_they_were_read_from(void) {
  const struct {
    WmFormat format;
    int32_t tiles, polygons;
    bool fit;
  } cases[] = {{WM_FORMAT_SET, 4096, 1024, true},           {WM_FORMAT_SET, 4097, 1024, false},
               {WM_FORMAT_SET, 4096, 1025, false},          {WM_FORMAT_SET, 2, 1 << 20, true},
               {WM_FORMAT_SET_WIDE, 1 << 28, 1024, true},   {WM_FORMAT_SET_WIDE, (1 << 28) + 1, 1024, false},
               {WM_FORMAT_SET_WIDE, 4096, 1 << 20, true},   {WM_FORMAT_SET_WIDE, 4096, (1 << 20) + 1, false},
               {WM_FORMAT_SET_WIDE, 1 << 28, 1 << 20, true}};
  WmContext *context = wm_context_create(NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    WmMesh *small = make_small_mesh(context), *mesh = NULL, *read = NULL;
    WmMeshParameters parameters = *wm_mesh_parameters(small);
    parameters.detour_max_tiles = cases[i].tiles;
    parameters.detour_max_polygons = cases[i].polygons;
    CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
    const WmMeshTile *tile = wm_mesh_find_tile(small, 1, 0, 0);
    CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile->bytes, tile->byte_count, NULL), WM_OK);
    const WmBytes file = write_mesh(mesh, cases[i].format);
    CHECK_EQUAL_INT(wm_mesh_read(context, file.bytes, file.byte_count, &read), WM_OK);
    const WmMeshParameters *after = wm_mesh_parameters(read);
    CHECK_EQUAL_INT(after->detour_max_tiles, cases[i].fit ? cases[i].tiles : 1);
    CHECK_EQUAL_INT(after->detour_max_polygons, cases[i].fit ? cases[i].polygons : (int)tile->polygon_count);
    wm_block_free(context, file.bytes);
    wm_mesh_destroy(read);
    wm_mesh_destroy(mesh);
    wm_mesh_destroy(small);
  }
  wm_context_destroy(context);
}

int main(void) {
  RUN(every_format_comes_back_the_same);
  RUN(a_saved_mesh_has_the_same_links_in_the_same_order);
  RUN(what_was_changed_at_run_time_is_kept);
  RUN(golden_tiles_and_sets_of_them_come_back_the_same);
  RUN(links_of_a_running_detour_are_cleaned_away);
  RUN(a_single_tile_lies_where_its_bounds_are);
  RUN(what_a_format_cannot_hold_is_a_limit_error);
  RUN(every_field_set_to_extremes_is_corrupt_or_harmless);
  RUN(random_changes_are_corrupt_or_harmless);
  RUN(ground_may_touch_itself);
  RUN(errors_name_what_is_wrong);
  RUN(an_altered_file_is_told_by_its_checksum);
  RUN(wide_sets_are_narrow_ones_with_wider_links);
  RUN(sets_that_contradict_themselves_are_corrupt);
  RUN(each_of_three_tiles_has_a_reference_of_its_own);
  RUN(links_as_wide_as_references_are_wanted);
  RUN(a_tree_too_small_for_its_tile_is_not_used);
  RUN(a_set_with_the_same_place_twice_is_corrupt);
  RUN(every_failed_allocation_is_reported);
  RUN(sets_keep_the_limits_of_the_set_they_were_read_from);
  return check_finish();
}
