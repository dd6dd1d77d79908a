/* Segment links in files: .walkmesh with a LINK section, every cut and every changed field of it. */
#include "mesh/formats/formats.h"
#include "mesh/links/connections.h"
#include "mesh/mesh_internal.h"
#include "query/query_internal.h"
#include "segment_worlds.h"

typedef struct File {
  uint8_t *bytes;
  size_t byte_count;
} File;

static File write_mesh(const WmMesh *mesh, WmFormat format) {
  File file = {0};
  CHECK_EQUAL_INT(wm_mesh_write(mesh, format, &file.bytes, &file.byte_count), WM_OK);
  return file;
}

/* A random world with links, some of which are off. */
static WmMesh *make_mesh(WmContext *context, uint32_t number) {
  uint32_t seed = number;
  WmMesh *mesh = make_random_world(context, &seed, number);
  for (int i = 0; i < 8; i++) put_random(mesh, &seed, number);
  for (WmRef set = 0; (set = wm_mesh_next_links(mesh, set)) != 0;) {
    CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(mesh, set, number % 3 == 0), WM_OK);
  }
  if (number % 2) {
    WmConnection connection = wm_connection_default(mesh);
    connection.end[0] = 9;
    WmRef ref;
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  }
  return mesh;
}

static void files_hold_links(void) {
  size_t links = 0, places = 0;
  for (uint32_t number = 1; number <= 20; number++) {
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_mesh(context, number), *again = NULL;
    const File file = write_mesh(mesh, WM_FORMAT_WALKMESH);
    CHECK_EQUAL_INT(wm_mesh_read(context, file.bytes, file.byte_count, &again), WM_OK);
    CHECK(wm_mesh_validate(again));
    const File copy = write_mesh(again, WM_FORMAT_WALKMESH);
    CHECK(copy.byte_count == file.byte_count && memcmp(copy.bytes, file.bytes, file.byte_count) == 0);
    CHECK_EQUAL_INT(wm_mesh_segment_link_count(again), wm_mesh_segment_link_count(mesh));
    links += wm_mesh_segment_link_count(mesh);
    size_t count;
    (void)wm_mesh_links_off(again, &count);
    places += count;
    for (WmRef set = 0, other = 0; (set = wm_mesh_next_links(mesh, set)) != 0;) {
      other = wm_mesh_next_links(again, other);
      WmSegmentLink link, found;
      int tied, found_tied;
      CHECK_EQUAL_INT(wm_mesh_segment_link(mesh, set, &link, &tied), WM_OK);
      CHECK_EQUAL_INT(wm_mesh_segment_link(again, other, &found, &found_tied), WM_OK);
      CHECK(memcmp(link.start, found.start, sizeof link.start) == 0 && tied == found_tied);
      CHECK(memcmp(link.end, found.end, sizeof link.end) == 0 && link.enabled == found.enabled);
      CHECK(link.kind == found.kind && link.cost == found.cost && link.bidirectional == found.bidirectional);
    }
    wm_block_free(context, file.bytes);
    wm_block_free(context, copy.bytes);
    wm_mesh_destroy(mesh);
    wm_mesh_destroy(again);
    wm_context_destroy(context);
  }
  CHECK(links > 50 && places > 5);
}

/* ---- Bad files ---------------------------------------------------------------------------------------- */

static void set_checksum(const File *file) {
  const uint64_t sum = wm_file_checksum(file->bytes, file->byte_count - 8);
  memcpy(file->bytes + file->byte_count - 8, &sum, sizeof sum);
}

/* The offset of the LINK section's content. */
static size_t find_section(const File *file) {
  size_t at = 24;
  for (uint64_t byte_count;; at += 16 + ((size_t)byte_count + 7) / 8 * 8) {
    memcpy(&byte_count, file->bytes + at + 8, sizeof byte_count);
    if (memcmp(file->bytes + at, "LINK", 4) == 0) return at + 16;
  }
}

/* Reads a file; a mesh that it makes must be safe. Returns the status. */
static WmStatus read_and_ask(WmContext *context, const File *file) {
  WmMesh *mesh;
  const WmStatus status = wm_mesh_read(context, file->bytes, file->byte_count, &mesh);
  CHECK(status == WM_OK || status == WM_ERROR_CORRUPT || status == WM_ERROR_LIMIT);
  if (status) return status;
  CHECK(wm_mesh_validate(mesh));
  WmQuery *query;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  for (int i = 0; i < 4; i++) {
    WmPath path;
    const float from[3] = {(float)(7 * i), 2, 3}, to[3] = {30 - (float)(5 * i), 2, 25};
    CHECK_EQUAL_INT(wm_query_find_path(query, from, to, NULL, &path), WM_OK);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  return WM_OK;
}

static void every_changed_word_is_corrupt_or_harmless(void) {
  static const uint32_t WORDS[] = {0,          1,          0x7fc00000, 0x7f800000,
                                   0xff7fffff, 0x7fffffff, 0x80000000, UINT32_MAX};
  int corrupt = 0, harmless = 0;
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_mesh(context, 7);
  const File file = write_mesh(mesh, WM_FORMAT_WALKMESH);
  for (size_t at = find_section(&file) - 16; at < file.byte_count - 8; at += 4) {
    uint32_t word;
    memcpy(&word, file.bytes + at, sizeof word);
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
      memcpy(file.bytes + at, &WORDS[i], sizeof word);
      set_checksum(&file);
      *(read_and_ask(context, &file) ? &corrupt : &harmless) += 1;
    }
    memcpy(file.bytes + at, &word, sizeof word);
  }
  set_checksum(&file);
  CHECK_EQUAL_INT(read_and_ask(context, &file), WM_OK);
  CHECK(corrupt > 300 && harmless > 300);
  wm_block_free(context, file.bytes);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void cut_sections_are_corrupt(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_mesh(context, 7);
  const File file = write_mesh(mesh, WM_FORMAT_WALKMESH);
  const size_t section = find_section(&file);
  uint64_t content;
  memcpy(&content, file.bytes + section - 8, sizeof content);
  for (uint64_t length = 0; length < content; length += 4) {
    const size_t total = section + ((size_t)length + 7) / 8 * 8 + 8;
    File cut = {malloc(total), total};
    memcpy(cut.bytes, file.bytes, total);
    memcpy(cut.bytes + section - 8, &length, sizeof length);
    memcpy(cut.bytes + 16, &(uint64_t){total}, sizeof(uint64_t));
    set_checksum(&cut);
    CHECK_EQUAL_INT(read_and_ask(context, &cut), WM_ERROR_CORRUPT);
    CHECK(strstr(wm_context_error(context)->message, "part ") != NULL);
    free(cut.bytes);
  }
  wm_block_free(context, file.bytes);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Detour ------------------------------------------------------------------------------------------- */

/* Read back, a set has a connection for each diameter of a link, in the tile where it begins. */
static void detour_has_links_as_connections(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context), *again;
  const WmOffMeshConnection baked = {.start = {1, 3, 1}, .end = {5, 3, 1}, .radius = 0.5f, .flags = 1};
  for (int32_t x = 0; x < 3; x += 2) {
    const GridTile grid = {.x = x,
                           .seed = 3,
                           .floor = (uint16_t)(x ? 0 : 12),
                           .hole = UINT32_MAX,
                           .tree = true,
                           .connections = x ? NULL : &baked,
                           .connection_count = x ? 0 : 1};
    add_grid_tile(mesh, &grid);
  }
  WmSegmentLink links[2] = {make_link(8, 3, 4, 6, (const float[3]){8.5f, -3, 0}),
                            make_link(8, 3, 1, 1, (const float[3]){8.5f, -3, 0})};
  links[0].area = 5;
  links[0].user_id = 77;
  links[0].bidirectional = true;
  links[1].enabled = false;
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, links, 2, NULL), WM_OK);
  for (int i = 0; i < 2; i++) {
    File file;
    CHECK_EQUAL_INT(wm_mesh_write_point_links(mesh, i ? WM_FORMAT_SET_WIDE : WM_FORMAT_SET, i ? 2 : 0,
                                              &file.bytes, &file.byte_count),
                    WM_OK);
    CHECK_EQUAL_INT(wm_mesh_read(context, file.bytes, file.byte_count, &again), WM_OK);
    CHECK(wm_mesh_validate(again));
    const WmMeshTile *tile = wm_mesh_find_tile(again, 0, 0, 0);
    const uint32_t expected = i ? 3 : 6;
    CHECK_EQUAL_INT(tile->connection_count, 1 + expected);
    CHECK(memcmp(tile->connections->start, baked.start, sizeof baked.start) == 0);
    for (uint32_t k = 0; k < expected; k++) {
      const WmTileConnection *connection = &tile->connections[1 + k];
      CHECK(connection->user_id == 77 && tile->polygon_area[tile->ground_count + 1 + k] == 5);
      CHECK(fabsf(connection->start[2] - (7 - 6 * ((float)k + 0.5f) / (float)expected)) < 1e-4f);
      CHECK(connection->start[0] == 8 && connection->end[0] == 16.5f && connection->end[1] == 0);
      CHECK_EQUAL_INT(connection->flags, WM_TILE_OFF_MESH_BIDIRECTIONAL);
      CHECK_EQUAL_INT(connection->side, WM_SIDE_X_PLUS);
    }
    CHECK_EQUAL_INT(wm_mesh_find_tile(again, 2, 0, 0)->connection_count, 0);
    WmQuery *query;
    WmPath path;
    CHECK_EQUAL_INT(wm_query_create(context, again, &query), WM_OK);
    CHECK_EQUAL_INT(
        wm_query_find_path(query, (const float[3]){4, 3, 4}, (const float[3]){20, 0, 4}, NULL, &path), WM_OK);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    wm_query_destroy(query);
    wm_mesh_destroy(again);
    wm_block_free(context, file.bytes);
  }
  File file;
  CHECK_EQUAL_INT(wm_mesh_write_point_links(mesh, WM_FORMAT_SET, -1, &file.bytes, &file.byte_count),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_write_point_links(mesh, WM_FORMAT_SET, 1e-7f, &file.bytes, &file.byte_count),
                  WM_ERROR_LIMIT);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(files_hold_links);
  RUN(every_changed_word_is_corrupt_or_harmless);
  RUN(cut_sections_are_corrupt);
  RUN(detour_has_links_as_connections);
  return check_finish();
}
