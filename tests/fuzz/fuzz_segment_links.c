/* Segment links on a mesh that changes. The input is a program: sets of links with any numbers are put and removed, single
 * links and places are switched, tiles come and go, and in between the same query, islands and search run. The mesh stays
 * valid, reads back equal, and goes to Detour's formats. */
#include "../c/grid_tiles.h"
#include "harness.h"
#include "mesh/links/segment_links.h"
#include "mesh/mesh_internal.h"
#include "query/search/path.h"

enum { SIDE = 3, SEEDS = 4, STEPS_LIMIT = 40, LINK_LIMIT = 6 };

typedef struct Program {
  FuzzMemory memory;
  FuzzInput input;
  WmMesh *mesh;
  WmQuery *query;
  WmIslands *islands;
} Program;

/* ---- Materials ------------------------------------------------------------------------------------- */

/* A number of the level, or now and then an extreme one. */
static float any_number(Program *program, float most) {
  const uint8_t byte = fuzz_byte(&program->input);
  return byte == 255 ? fuzz_number(&program->input) : (float)byte / 254 * most;
}

/* Directions of equal length, so that most links have a motion. */
static const float WAYS[8][2] = {{1, 0},  {0.6f, 0.8f},   {0, 1},  {-0.8f, 0.6f},
                                 {-1, 0}, {-0.6f, -0.8f}, {0, -1}, {0.8f, -0.6f}};

static void any_segment(Program *program, const float way[2], float width, float at[2][3]) {
  const float x = any_number(program, SIDE * GRID_TILE_SIZE), y = any_number(program, 2),
              z = any_number(program, SIDE * GRID_TILE_SIZE);
  for (int k = 0; k < 2; k++) {
    at[k][0] = x + (k ? way[0] * width : 0);
    at[k][1] = y;
    at[k][2] = z + (k ? way[1] * width : 0);
  }
}

static WmSegmentLink any_link(Program *program) {
  const uint8_t options = fuzz_byte(&program->input), turn = fuzz_byte(&program->input);
  const float *way = WAYS[turn % 8], *far_way = options & 1 ? WAYS[turn / 8 % 8] : way;
  const float width = any_number(program, 12);
  WmSegmentLink link = {.peak = any_number(program, 3),
                        .cost = any_number(program, 20),
                        .flags = options & 2 ? 2 : 1,
                        .area = options >> 2 & 1,
                        .kind = options >> 3 & 3,
                        .bidirectional = options & 32,
                        .enabled = options & 64,
                        .user_id = turn};
  any_segment(program, way, width, link.start);
  any_segment(program, far_way, width, link.end);
  if (options & 128) { /* the other way round: one of the two is accepted */
    const WmSegmentLink other = link;
    for (int k = 0; k < 2; k++) {
      memcpy(link.start[k], other.start[1 - k], sizeof link.start[k]);
      memcpy(link.end[k], other.end[1 - k], sizeof link.end[k]);
    }
  }
  return link;
}

/* ---- Steps ----------------------------------------------------------------------------------------- */

static void put_tile(Program *program) {
  const uint8_t place = fuzz_byte(&program->input) % (SIDE * SIDE), kind = fuzz_byte(&program->input);
  const GridTile grid = {.x = place % SIDE,
                         .z = place / SIDE,
                         .seed = kind % SEEDS,
                         .floor = (uint16_t)(kind / SEEDS % 2 * 4),
                         .hole = kind & 64 ? 1 : UINT32_MAX,
                         .tree = !(kind & 128)};
  WmTileData tile = make_grid_tile(program->memory.context, &grid);
  FUZZ_REQUIRE(!wm_mesh_replace_tile(program->mesh, tile.bytes, tile.byte_count, NULL));
  wm_tile_data_free(program->memory.context, &tile);
}

static void remove_tile(Program *program) {
  const uint8_t place = fuzz_byte(&program->input) % (SIDE * SIDE);
  const WmMeshTile *tile = wm_mesh_find_tile(program->mesh, place % SIDE, place / SIDE, 0);
  if (tile) FUZZ_REQUIRE(!wm_mesh_remove_tile(program->mesh, tile->ref));
}

static void put_links(Program *program) {
  WmSegmentLink links[LINK_LIMIT];
  const uint8_t what = fuzz_byte(&program->input);
  const size_t count = what % (LINK_LIMIT + 1);
  for (size_t i = 0; i < count; i++) links[i] = any_link(program);
  const size_t before = wm_mesh_segment_link_count(program->mesh);
  WmRef ref;
  const WmStatus status = wm_mesh_put_links(program->mesh, what / 8 % 3, what / 32 % 2,
                                            what & 128 ? WM_NEW_LINK_SET : what & 64, links, count, &ref);
  FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
  FUZZ_REQUIRE(!status || wm_mesh_segment_link_count(program->mesh) == before);
  if (status || count == 0) return;
  int32_t x, z;
  uint32_t number;
  size_t found;
  WmRef set;
  FUZZ_REQUIRE(!wm_mesh_links_place(program->mesh, ref, &x, &z, &number));
  FUZZ_REQUIRE(wm_mesh_links_at(program->mesh, x, z, number, &found, &set) && found == count && set == ref);
}

/* A link of the mesh, 0: there is none. */
static WmRef choose_link(Program *program) {
  WmRef ref = 0;
  for (uint8_t i = fuzz_byte(&program->input) % 5; i > 0; i--) {
    const WmRef next = wm_mesh_next_links(program->mesh, ref);
    if (next) ref = next;
  }
  return ref ? ref + fuzz_byte(&program->input) % wm_mesh_tile_of(program->mesh, ref)->polygon_count : 0;
}

static void switch_link(Program *program) {
  const WmRef ref = choose_link(program);
  if (!ref) return;
  const bool on = fuzz_byte(&program->input) & 1;
  FUZZ_REQUIRE(!wm_mesh_set_segment_link_enabled(program->mesh, ref, on));
  WmSegmentLink link;
  int tied;
  FUZZ_REQUIRE(!wm_mesh_segment_link(program->mesh, ref, &link, &tied) && link.enabled == on && tied < 4);
  float point[3];
  wm_segment_link_point(&link, 0.3f, 0.6f, point);
  FUZZ_REQUIRE(wm_segment_link_width(&link) > 0 && wm_segment_link_length(&link) >= 0);
  FUZZ_REQUIRE(!wm_mesh_set_polygon_flags(program->mesh, ref, fuzz_byte(&program->input) & 3));
  FUZZ_REQUIRE(!wm_mesh_set_polygon_area(program->mesh, ref, fuzz_byte(&program->input) & 63));
}

static void set_places(Program *program) {
  size_t count;
  const WmLinkOff *off = wm_mesh_links_off(program->mesh, &count);
  WmLinkOff places[2] = {{.kind = fuzz_byte(&program->input) % 5}};
  if (count > 0) places[1] = off[fuzz_byte(&program->input) % count];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      places[0].start[k][i] = any_number(program, 24);
      places[0].end[k][i] = any_number(program, 24);
    }
  }
  const WmStatus status = wm_mesh_set_links_off(program->mesh, places, fuzz_byte(&program->input) % 3);
  FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
}

static void ask(Program *program) {
  fuzz_ask_with(program->mesh, program->query, program->islands, fuzz_byte(&program->input), 1);
}

static void write_and_read(Program *program) {
  uint8_t *bytes;
  size_t byte_count;
  fuzz_round_trip(program->mesh);
  const WmStatus status = wm_mesh_write_point_links(program->mesh, WM_FORMAT_SET, 0.5f, &bytes, &byte_count);
  if (status) return;
  WmMesh *again;
  FUZZ_REQUIRE(!wm_mesh_read(program->memory.context, bytes, byte_count, &again));
  wm_mesh_destroy(again);
  wm_block_free(program->memory.context, bytes);
}

static void (*const STEPS[])(Program *) = {put_tile,  put_tile,    remove_tile, put_links,
                                           put_links, switch_link, set_places,  ask};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

/* ---- All ------------------------------------------------------------------------------------------- */

int fuzz_segment_links(const uint8_t *bytes, size_t byte_count) {
  static Program program;
  memset(&program, 0, sizeof program);
  program.input = (FuzzInput){bytes, byte_count};
  fuzz_begin(&program.memory);
  WmContext *context = program.memory.context;
  program.mesh = make_grid_mesh(context);
  FUZZ_REQUIRE(!wm_query_create(context, program.mesh, &program.query));
  FUZZ_REQUIRE(!wm_islands_create(context, program.mesh, &program.islands));
  for (int i = 0; program.input.left > 0 && i < STEPS_LIMIT; i++) {
    STEPS[fuzz_byte(&program.input) % STEP_COUNT](&program);
    FUZZ_REQUIRE(wm_mesh_validate(program.mesh));
  }
  ask(&program);
  write_and_read(&program);
  wm_islands_destroy(program.islands);
  wm_query_destroy(program.query);
  wm_mesh_destroy(program.mesh);
  fuzz_end(&program.memory);
  return 0;
}
