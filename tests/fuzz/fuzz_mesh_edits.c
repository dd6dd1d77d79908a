/* A mesh that changes while it is used. The input is a program: tiles are added, removed and replaced,
 * connections are made, changed and removed, flags and areas change, states are saved and restored (complete
 * or damaged), and in between the same query, islands and search run. References to removed objects must stay
 * errors. */
#include "../c/grid_tiles.h"
#include "harness.h"
#include "query/search/path.h"
#include "query/search/islands.h"

enum { SIDE = 3, LAYERS = 2, KINDS = 5, KNOWN = 48, STATE_BYTES = 4096, STEPS_LIMIT = 80 };

/* All objects that the program has made. */
typedef struct Edits {
  FuzzMemory memory;
  FuzzInput input;
  WmMesh *mesh;
  WmQuery *query;
  WmIslands *islands;
  WmSearch *search;
  WmRef known[KNOWN]; /* tiles and connections, 0: none */
  bool gone[KNOWN];
  uint32_t known_count;
  uint8_t state[STATE_BYTES];
  size_t state_bytes;
  WmRef state_tile;
} Edits;

/* ---- Materials ------------------------------------------------------------------------------------- */

static const WmOffMeshConnection BAKED[2] = {
    {.start = {3, 0.5f, 3}, .end = {12, 0.5f, 5}, .radius = 0.75f, .flags = 1, .bidirectional = true},
    {.start = {1, 0.5f, 1}, .end = {23, 0.5f, 23}, .radius = 0.75f, .flags = 1, .area = 2}};

/* A tile by place, layer and kind, made once. */
static const WmTileData *tile_of(uint32_t place, uint32_t kind) {
  static WmTileData tiles[SIDE * SIDE * LAYERS * KINDS];
  static WmContext *context;
  WmTileData *tile = &tiles[place * KINDS + kind];
  if (!context) context = wm_context_create(NULL);
  if (!tile->bytes) {
    GridTile grid = {.x = (int32_t)(place % SIDE),
                     .z = (int32_t)(place / SIDE % SIDE),
                     .layer = (int32_t)(place / SIDE / SIDE),
                     .seed = kind == 3 ? place + 1 : 0,
                     .floor = (uint16_t)(3 * (place / SIDE / SIDE)),
                     .hole = kind == 1 ? place % 4 : UINT32_MAX,
                     .tree = kind != 2};
    if (kind == 4 && place == 0) {
      grid.connections = BAKED;
      grid.connection_count = 2;
    }
    *tile = make_grid_tile(context, &grid);
  }
  return tile;
}

static WmRef choose_known(Edits *edits, uint32_t *number) {
  *number = edits->known_count ? fuzz_below(&edits->input, edits->known_count) : 0;
  return edits->known[*number];
}

/* Stores a reference; overwrites the oldest one if the list is full. */
static void remember(Edits *edits, WmRef ref) {
  const uint32_t at = edits->known_count < KNOWN ? edits->known_count++ : fuzz_below(&edits->input, KNOWN);
  edits->known[at] = ref;
  edits->gone[at] = false;
}

static void require_gone(Edits *edits, WmRef ref) {
  for (uint32_t i = 0; i < edits->known_count; i++) edits->gone[i] |= edits->known[i] == ref;
  FUZZ_REQUIRE(wm_mesh_tile_of(edits->mesh, ref) == NULL);
}

/* The allowed statuses for a reference that may be stale or of another kind. */
static bool may_be(WmStatus status, bool gone) {
  if (gone) return status == WM_ERROR_STALE_REFERENCE;
  return status == WM_OK || status == WM_ERROR_INVALID_ARGUMENT;
}

/* ---- Steps ----------------------------------------------------------------------------------------- */

static void add_tile(Edits *edits) {
  const WmTileData *tile =
      tile_of(fuzz_below(&edits->input, SIDE * SIDE * LAYERS), fuzz_byte(&edits->input) % KINDS);
  WmRef ref;
  const WmStatus status = wm_mesh_add_tile(edits->mesh, tile->bytes, tile->byte_count, &ref);
  FUZZ_REQUIRE(!status || status == WM_ERROR_STATE);
  if (!status) remember(edits, ref);
}

static void replace_tile(Edits *edits) {
  const uint32_t place = fuzz_below(&edits->input, SIDE * SIDE * LAYERS);
  const WmTileData *tile = tile_of(place, fuzz_byte(&edits->input) % KINDS);
  const WmMeshTile *former = wm_mesh_find_tile(
      edits->mesh, (int32_t)(place % SIDE), (int32_t)(place / SIDE % SIDE), (int32_t)(place / SIDE / SIDE));
  const WmRef old = former ? former->ref : 0;
  WmRef ref;
  FUZZ_REQUIRE(!wm_mesh_replace_tile(edits->mesh, tile->bytes, tile->byte_count, &ref));
  if (old && ref != old) require_gone(edits, old);
  if (ref != old) remember(edits, ref);
}

static void remove_tile(Edits *edits) {
  uint32_t number;
  const WmRef ref = choose_known(edits, &number);
  const WmStatus status = wm_mesh_remove_tile(edits->mesh, ref);
  FUZZ_REQUIRE(may_be(status, edits->gone[number]));
  if (!status) require_gone(edits, ref);
}

static void add_connection(Edits *edits) {
  WmConnection settings = wm_connection_default(edits->mesh);
  const uint8_t options = fuzz_byte(&edits->input);
  for (int i = 0; i < 3; i++) {
    const float most = i == 1 ? 1.5f : SIDE * GRID_TILE_SIZE;
    settings.start[i] = (float)fuzz_byte(&edits->input) / 255 * most;
    settings.end[i] = (float)fuzz_byte(&edits->input) / 255 * most;
  }
  if (options & 1) settings.radius = fuzz_number(&edits->input);
  if (options & 2) settings.cost_factor = fuzz_number(&edits->input);
  if (options & 4) settings.end[0] = fuzz_number(&edits->input);
  settings.bidirectional = options & 8;
  settings.enabled = (options & 48) != 0;
  WmRef ref;
  const WmStatus status = wm_mesh_add_connection(edits->mesh, &settings, &ref);
  FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
  if (!status) remember(edits, ref);
}

static void remove_connection(Edits *edits) {
  uint32_t number;
  const WmRef ref = choose_known(edits, &number);
  const WmStatus status = wm_mesh_remove_connection(edits->mesh, ref);
  FUZZ_REQUIRE(may_be(status, edits->gone[number]));
  if (!status) require_gone(edits, ref);
}

static void change_connection(Edits *edits) {
  uint32_t number;
  const WmRef ref = choose_known(edits, &number);
  const uint8_t options = fuzz_byte(&edits->input);
  WmStatus status = wm_mesh_set_connection_enabled(edits->mesh, ref, options & 1);
  FUZZ_REQUIRE(may_be(status, edits->gone[number]));
  status = wm_mesh_set_connection_cost(edits->mesh, ref, options & 2 ? fuzz_number(&edits->input) : 0.5f);
  FUZZ_REQUIRE(may_be(status, edits->gone[number]));
  WmConnection settings;
  float ends[2][3], entry[3], leave[3];
  int tied;
  status = wm_mesh_connection(edits->mesh, ref, &settings, ends, &tied);
  FUZZ_REQUIRE(may_be(status, edits->gone[number]) && tied >= 0 && tied <= 3);
  FUZZ_REQUIRE(may_be(wm_mesh_connection_ends(edits->mesh, 0, ref, entry, leave), edits->gone[number]));
}

static void change_polygon(Edits *edits) {
  uint32_t number;
  const WmRef ref = choose_known(edits, &number) + fuzz_byte(&edits->input) % 5;
  const uint8_t value = fuzz_byte(&edits->input);
  FUZZ_REQUIRE(may_be(wm_mesh_set_polygon_flags(edits->mesh, ref, value & 7), edits->gone[number]));
  FUZZ_REQUIRE(may_be(wm_mesh_set_polygon_area(edits->mesh, ref, value >> 2), edits->gone[number]));
}

static void save_state(Edits *edits) {
  uint32_t number;
  const WmRef ref = choose_known(edits, &number);
  const size_t needed = wm_mesh_tile_state_bytes(edits->mesh, ref);
  if (needed > STATE_BYTES) return;
  const WmStatus status = wm_mesh_save_tile_state(edits->mesh, ref, edits->state, needed);
  FUZZ_REQUIRE(may_be(status, edits->gone[number]));
  if (status) return;
  edits->state_bytes = needed;
  edits->state_tile = ref;
}

static void restore_state(Edits *edits) {
  const uint32_t damage = fuzz_byte(&edits->input);
  uint8_t *state = malloc(edits->state_bytes + 1); /* exactly, except for size 0 */
  FUZZ_REQUIRE(state);
  memcpy(state, edits->state, edits->state_bytes);
  size_t byte_count = edits->state_bytes;
  if (damage & 1 && byte_count) state[fuzz_below(&edits->input, (uint32_t)byte_count)] ^= (uint8_t)damage;
  if (damage & 2 && byte_count) byte_count = fuzz_below(&edits->input, (uint32_t)byte_count);
  const WmStatus status = wm_mesh_restore_tile_state(edits->mesh, state, byte_count);
  const bool live = wm_mesh_tile_of(edits->mesh, edits->state_tile) != NULL;
  FUZZ_REQUIRE(!status || status == WM_ERROR_CORRUPT || status == WM_ERROR_STALE_REFERENCE ||
               status == WM_ERROR_INVALID_ARGUMENT);
  FUZZ_REQUIRE(damage & 3 || !byte_count || status == (live ? WM_OK : WM_ERROR_STALE_REFERENCE));
  free(state);
}

static void ask(Edits *edits) {
  fuzz_ask_with(edits->mesh, edits->query, edits->islands, fuzz_byte(&edits->input), 1);
}

/* Queries with references that may be stale. */
static void ask_known(Edits *edits) {
  uint32_t numbers[2];
  WmRef refs[2];
  for (int i = 0; i < 2; i++) refs[i] = choose_known(edits, &numbers[i]);
  const bool gone = edits->gone[numbers[0]] || edits->gone[numbers[1]];
  const float from[3] = {4, 0.5f, 4}, to[3] = {20, 0.5f, 12};
  WmCorridor corridor;
  const WmStatus status = wm_query_find_corridor(edits->query, refs[0], from, refs[1], to, NULL, &corridor);
  FUZZ_REQUIRE(may_be(status, gone) || (gone && status == WM_ERROR_INVALID_ARGUMENT));
  FUZZ_REQUIRE(!status || corridor.polygon_count == 0);
  WmPath path;
  const WmStatus pulled = wm_query_straighten(edits->query, from, to, refs, 2, WM_CROSSINGS_ALL, 0, &path);
  FUZZ_REQUIRE(pulled == WM_OK || may_be(pulled, edits->gone[numbers[0]]));
}

static void begin_search(Edits *edits) {
  uint32_t numbers[2];
  WmRef refs[2];
  for (int i = 0; i < 2; i++) refs[i] = choose_known(edits, &numbers[i]);
  const float from[3] = {4, 0.5f, 4}, to[3] = {20, 0.5f, 12};
  WmSearchOptions options = wm_search_options_default();
  const uint8_t kind = fuzz_byte(&edits->input);
  options.any_angle = kind & 1;
  options.shortest = kind & 2;
  options.wall_distance = kind & 4 ? 0.7f : 0;
  options.wall_cost = (kind & 15) == 12 ? 2 : 0;
  const WmStatus status = wm_search_begin(edits->search, refs[0], from, refs[1], to, &options);
  FUZZ_REQUIRE(!status || status == WM_ERROR_STALE_REFERENCE || status == WM_ERROR_INVALID_ARGUMENT);
}

static void advance_search(Edits *edits) {
  bool done;
  size_t used;
  WmStatus status = wm_search_advance(edits->search, fuzz_byte(&edits->input) % 8, &done, &used);
  FUZZ_REQUIRE(!status || status == WM_ERROR_STALE_REFERENCE || status == WM_ERROR_STATE);
  WmCorridor corridor;
  status = wm_search_finish(edits->search, &corridor);
  FUZZ_REQUIRE(!status || status == WM_ERROR_STALE_REFERENCE || status == WM_ERROR_STATE);
  for (size_t i = 0; !status && i < corridor.polygon_count; i++) {
    FUZZ_REQUIRE(wm_mesh_tile_of(edits->mesh, corridor.polygons[i]));
  }
  status = wm_search_finish_along(edits->search, edits->known, edits->known_count, &corridor);
  FUZZ_REQUIRE(!status || status == WM_ERROR_STALE_REFERENCE || status == WM_ERROR_STATE);
}

static void check_known(Edits *edits) {
  for (uint32_t i = 0; i < edits->known_count; i++) {
    FUZZ_REQUIRE((wm_mesh_tile_of(edits->mesh, edits->known[i]) == NULL) == edits->gone[i]);
  }
}

/* After a tile has another position among those of the file, and the mesh another configuration. */
static void write_and_read(Edits *edits) {
  uint32_t number;
  const WmRef ref = choose_known(edits, &number);
  const uint64_t version = wm_mesh_version(edits->mesh);
  const WmStatus status = wm_mesh_order_tile(edits->mesh, ref);
  FUZZ_REQUIRE(may_be(status, edits->gone[number]));
  const size_t length = fuzz_byte(&edits->input) % 64;
  FUZZ_REQUIRE(!wm_mesh_set_configuration(edits->mesh, (const char *)edits->state, length));
  FUZZ_REQUIRE(wm_mesh_version(edits->mesh) >= version);
  fuzz_round_trip(edits->mesh);
}

static void (*const STEPS[])(Edits *) = {add_tile,
                                         add_tile,
                                         replace_tile,
                                         remove_tile,
                                         add_connection,
                                         remove_connection,
                                         change_connection,
                                         change_polygon,
                                         save_state,
                                         restore_state,
                                         ask,
                                         ask_known,
                                         begin_search,
                                         advance_search,
                                         check_known,
                                         write_and_read};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

/* ---- All ------------------------------------------------------------------------------------------- */

int fuzz_mesh_edits(const uint8_t *bytes, size_t byte_count) {
  static Edits edits;
  memset(&edits, 0, sizeof edits);
  edits.input = (FuzzInput){bytes, byte_count};
  fuzz_begin(&edits.memory);
  WmContext *context = edits.memory.context;
  edits.mesh = make_grid_mesh(context);
  FUZZ_REQUIRE(!wm_query_create(context, edits.mesh, &edits.query));
  FUZZ_REQUIRE(!wm_islands_create(context, edits.mesh, &edits.islands));
  FUZZ_REQUIRE(!wm_search_create(context, edits.mesh, &edits.search));
  for (int i = 0; edits.input.left > 0 && i < STEPS_LIMIT; i++) {
    STEPS[fuzz_byte(&edits.input) % STEP_COUNT](&edits);
  }
  check_known(&edits);
  ask(&edits);
  write_and_read(&edits);
  wm_search_destroy(edits.search);
  wm_islands_destroy(edits.islands);
  wm_query_destroy(edits.query);
  wm_mesh_destroy(edits.mesh);
  fuzz_end(&edits.memory);
  return 0;
}
