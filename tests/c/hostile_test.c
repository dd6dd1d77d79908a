/* Hostile bytes: every truncated length and every flipped byte of three files in each format, and files made
 * to take much memory or time. Blocks have exactly the size of their contents, so that sanitizers report
 * every byte read beyond. Files that are read without an error go through all kinds of queries
 * (tests/fuzz/questions.c). */
#include "harness.h"

#include "grid_tiles.h"
#include "mesh/links/segment_links.h"
#include "mesh/mesh_internal.h"

static const WmFormat FORMATS[] = {WM_FORMAT_WALKMESH, WM_FORMAT_TILE, WM_FORMAT_SET, WM_FORMAT_SET_WIDE};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS, FILE_COUNT = 3 };

/* ---- Files ----------------------------------------------------------------------------------------- */

static const WmOffMeshConnection CONNECTIONS[2] = {
    {.start = {3, 0.5f, 3},
     .end = {12, 0.5f, 5},
     .radius = 0.75f,
     .flags = 1,
     .area = 3,
     .bidirectional = true},
    {.start = {1, 0.5f, 1}, .end = {7, 0.5f, 7}, .radius = 0.5f, .flags = 2}};

/* Three meshes: one tile with connections; two tiles, one without a tree; two layers. Formats that can store
 * them also get connections made at run time and a configuration. DNAV stores the first tile of each. */
static WmMesh *make_mesh(WmContext *context, int number, WmFormat format) {
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile first = {.hole = number == 2 ? 3 : UINT32_MAX,
                          .tree = number != 1,
                          .connections = CONNECTIONS,
                          .connection_count = number == 2 ? 0 : 2 - (size_t)number};
  add_grid_tile(mesh, &first);
  if (format == WM_FORMAT_TILE || number == 0) return mesh;
  const GridTile second = {.x = number == 1, .layer = number == 2, .hole = 1, .tree = number == 1};
  add_grid_tile(mesh, &second);
  if (format != WM_FORMAT_WALKMESH) return mesh;
  WmConnection connection = wm_connection_default(mesh);
  WmRef ref;
  memcpy(connection.start, (float[3]){2, 0.5f, 2}, sizeof connection.start);
  memcpy(connection.end, (float[3]){14, 0.5f, 6}, sizeof connection.end);
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_set_configuration(mesh, "{\"cellSize\":0.5}", 16), WM_OK);
  return mesh;
}

/* A malloc'ed file. */
static uint8_t *make_file(int number, WmFormat format, size_t *byte_count) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_mesh(context, number, format);
  uint8_t *block;
  CHECK_EQUAL_INT(wm_mesh_write(mesh, format, &block, byte_count), WM_OK);
  uint8_t *bytes = malloc(*byte_count);
  memcpy(bytes, block, *byte_count);
  wm_block_free(context, block);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  return bytes;
}

/* Reads bytes, queries the result, and checks the memory.
 * out        message [message_bytes]: of the error, empty without one */
static WmStatus read_and_ask(const uint8_t *bytes, size_t byte_count, char *message, size_t message_bytes) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  WmMesh *mesh = NULL;
  const WmStatus status = wm_mesh_read(memory.context, bytes, byte_count, &mesh);
  CHECK(memory.peak <= fuzz_memory_limit(byte_count));
  snprintf(message, message_bytes, "%s", wm_context_error(memory.context)->message);
  CHECK((mesh == NULL) == (status != WM_OK));
  if (mesh) fuzz_ask_with_new_query(mesh, (uint32_t)byte_count, 1);
  wm_mesh_destroy(mesh);
  fuzz_end(&memory);
  return status;
}

/* A message names the part of the file or the field that is wrong. */
static bool names_a_section(const char *message) {
  static const char *const WORDS[] = {"part ", "tile",       "polygon", "vertex",     "connection",
                                      "tree",  "the header", "counts",  "parameters", "file",
                                      "set",   "agent",      "bounds"};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
    if (strstr(message, WORDS[i])) return true;
  }
  printf("\"%s\"\n", message);
  return false;
}

/* ---- Truncated and flipped ------------------------------------------------------------------------- */

static void require_corrupt(const uint8_t *bytes, size_t byte_count) {
  char message[384];
  CHECK_EQUAL_INT(read_and_ask(bytes, byte_count, message, sizeof message), WM_ERROR_CORRUPT);
  CHECK(names_a_section(message));
}

static void every_truncated_length_is_corrupt(void) {
  for (int i = 0; i < FORMAT_COUNT * FILE_COUNT; i++) {
    size_t byte_count;
    uint8_t *file = make_file(i % FILE_COUNT, FORMATS[i / FILE_COUNT], &byte_count);
    for (size_t length = 0; length < byte_count; length++) {
      uint8_t *cut = malloc(length ? length : 1);
      memcpy(cut, file, length);
      require_corrupt(cut, length);
      /* The same bytes, with sizes and checksum as if the file were complete. */
      if (length % 8 == 0 && length >= 32 && fuzz_mend_file(cut, length)) require_corrupt(cut, length);
      free(cut);
    }
    uint8_t *longer = calloc(byte_count + 8, 1);
    memcpy(longer, file, byte_count);
    require_corrupt(longer, byte_count + 8);
    free(longer);
    free(file);
  }
}

static void every_flipped_byte_is_corrupt_or_harmless(void) {
  for (int i = 0; i < FORMAT_COUNT * FILE_COUNT; i++) {
    size_t byte_count;
    const bool is_ours = FORMATS[i / FILE_COUNT] == WM_FORMAT_WALKMESH;
    uint8_t *file = make_file(i % FILE_COUNT, FORMATS[i / FILE_COUNT], &byte_count);
    uint8_t *altered = malloc(byte_count);
    size_t corrupt = 0;
    for (size_t at = 0; at < byte_count; at++) {
      memcpy(altered, file, byte_count);
      altered[at] ^= at % 3 == 0 ? 0xff : at % 3 == 1 ? 0x01 : 0x80;
      if (is_ours) require_corrupt(altered, byte_count);
      if (is_ours) fuzz_mend_file(altered, byte_count);
      char message[384];
      const WmStatus status = read_and_ask(altered, byte_count, message, sizeof message);
      CHECK(!status || status == WM_ERROR_CORRUPT);
      CHECK(!status || names_a_section(message));
      corrupt += status != WM_OK;
    }
    CHECK(corrupt > 100 && corrupt < byte_count);
    free(altered);
    free(file);
  }
}

/* ---- Small files, large results -------------------------------------------------------------------- */

/* A set of layers of one tile place, each with `polygons` equal polygons that run up and down the tile's sides:
 * each edge overlaps all edges of the other layers. */
static uint8_t *make_stack(uint32_t layers, uint32_t polygons, size_t *byte_count) {
  static const float VERTICES[6][3] = {{0, 0, 0}, {0, 0, 8}, {0, 0, 0}, {0, 0, 8}, {0, 0, 0}, {0, 0, 8}};
  static const WmTilePolygon POLYGON = {.vertices = {0, 1, 2, 3, 4, 5},
                                        .neighbours = {0x8000, 0x8004, 0x8000, 0x8004, 0x8000, 0x8004},
                                        .flags = 1,
                                        .vertex_count = 6};
  WmTileHeader header = {.magic = WM_TILE_MAGIC,
                         .version = WM_TILE_VERSION,
                         .polygon_count = (int32_t)polygons,
                         .vertex_count = 6,
                         .detail_count = (int32_t)polygons,
                         .first_off_mesh = (int32_t)polygons,
                         .agent_max_climb = 1,
                         .bounds_max = {8, 1, 8},
                         .cells_per_unit = 1};
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  uint32_t bits = 0, polygon_bits = 0;
  while (1u << bits < layers) bits++;
  while (1u << polygon_bits < polygons) polygon_bits++;
  *byte_count = 40 + layers * (8 + (size_t)at.byte_count);
  uint8_t *bytes = calloc(1, *byte_count), *tile = bytes + 48;
  const uint32_t head[10] = {0x4d534554, 1, layers, 0, 0, 0, 0x41000000, 0x41000000, layers, polygons};
  memcpy(bytes, head, sizeof head);
  for (uint32_t i = 0; i < layers; i++, tile += 8 + at.byte_count) {
    const uint32_t record[2] = {((1u << bits) | i) << polygon_bits, (uint32_t)at.byte_count};
    header.layer = (int32_t)i;
    memcpy(tile - 8, record, 8);
    memcpy(tile, &header, sizeof header);
    memcpy(tile + at.vertices, VERTICES, sizeof VERTICES);
    for (uint32_t p = 0; p < polygons; p++) {
      wm_tile_put(tile, at.polygons, p, WM_TILE_POLYGON_BYTES, &POLYGON);
    }
  }
  return bytes;
}

/* The number of all possible links grows with the square of the file's size. */
static void edges_that_all_meet_take_no_more_memory_than_they_may(void) {
  static const uint32_t STACKS[][2] = {{16, 1}, {64, 1}, {1024, 1}, {2, 20}, {2, 1000}, {30, 30}};
  int refused = 0;
  for (size_t i = 0; i < sizeof STACKS / sizeof *STACKS; i++) {
    size_t byte_count;
    uint8_t *bytes = make_stack(STACKS[i][0], STACKS[i][1], &byte_count);
    FuzzMemory memory;
    fuzz_begin(&memory);
    WmMesh *mesh = NULL;
    const WmStatus status = wm_mesh_read(memory.context, bytes, byte_count, &mesh);
    CHECK(!status || status == WM_ERROR_LIMIT);
    CHECK(memory.peak <= fuzz_memory_limit(byte_count));
    refused += status != WM_OK;
    wm_mesh_destroy(mesh);
    fuzz_end(&memory);
    free(bytes);
  }
  CHECK_EQUAL_INT(refused, 4);
}

/* Links that lie on all polygons of a tile: the number of ties grows with the square of the file's size. */
static void links_on_all_polygons_take_no_more_memory_than_they_may(void) {
  enum { POLYGONS = 2000, LINKS = 1000 };
  size_t byte_count;
  uint8_t *bytes = make_stack(1, POLYGONS, &byte_count);
  static WmSegmentLink links[LINKS];
  for (int i = 0; i < LINKS; i++) {
    links[i] = (WmSegmentLink){.start = {{0, 0, 1}, {0, 0, 7}}, .end = {{0, 0, 1}, {0, 0, 7}}, .flags = 1};
  }
  FuzzMemory memory;
  fuzz_begin(&memory);
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_read(memory.context, bytes, byte_count, &mesh), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 1, links, LINKS, NULL), WM_ERROR_LIMIT);
  CHECK(memory.peak <= fuzz_memory_limit(byte_count + sizeof links));
  CHECK(wm_mesh_validate(mesh));
  wm_mesh_destroy(mesh);
  fuzz_end(&memory);
  free(bytes);
}

int main(void) {
  RUN(every_truncated_length_is_corrupt);
  RUN(every_flipped_byte_is_corrupt_or_harmless);
  RUN(edges_that_all_meet_take_no_more_memory_than_they_may);
  RUN(links_on_all_polygons_take_no_more_memory_than_they_may);
  return check_finish();
}
