/* Dynamic meshes of arbitrary ground. The input is a program: a configuration; for each of two tiles open
 * spans, or bytes in place of a kept tile; then obstacles that are added, changed and removed, tiles that are
 * removed and added, and steps. Valid spans are read back as they were kept. Every built tile must be valid,
 * and without obstacles the mesh equals the first one. */
#include <math.h>

#include "bake/rebuild/kept_tile.h"
#include "dynamic/state/saved_state.h"
#include "harness.h"

enum { TILES = 2, OBSTACLES = 12, OUTLINE = 5, MOST_SPANS = 6, MOST_STEPS = 24 };

typedef struct World {
  WmContext *context;
  FuzzInput input;
  WmConfig config;
  WmBaker *baker; /* of the same configuration: for its grids */
  WmMesh *mesh;
  WmDynamic *dynamic;
  WmObstacle obstacles[OBSTACLES];
  size_t obstacle_count;
} World;

static bool open_world(World *world) {
  FuzzInput *input = &world->input;
  WmConfig config = wm_config_default();
  config.cell_size = 0.5f;
  config.cell_height = 0.25f;
  config.tile_size = 8;
  config.agent_radius = 0.5f * (float)fuzz_below(input, 3);
  config.agent_height = 0.25f * (float)(1 + fuzz_below(input, 12));
  config.agent_max_climb = fminf(config.agent_height, 0.25f * (float)fuzz_below(input, 6));
  config.partition = (int32_t)fuzz_below(input, 4);
  config.chunk_size = 4;
  config.min_region_size = (float)fuzz_below(input, 4);
  config.median_filter = fuzz_byte(input) & 1;
  config.detail_sample_distance = fuzz_byte(input) & 1 ? 2 : 0;
  config.has_bounds = true;
  config.bounds_max[0] = 4 * TILES;
  config.bounds_max[1] = 20;
  config.bounds_max[2] = 4;
  world->config = config;
  const WmMeshParameters parameters = {.tile_width = 4, .tile_depth = 4};
  const WmBakeInput none = {.from_kept_tiles = true};
  return !wm_baker_create(world->context, &config, &none, &world->baker) &&
         !wm_mesh_create(world->context, &parameters, &world->mesh) &&
         !wm_dynamic_create(world->context, world->mesh, &config, &none, &world->dynamic);
}

/* Spans of any heights and areas, mostly similar to those of the previous cell. */
static void invent_rows(World *world, const WmGrid *grid, WmOpenRows *rows) {
  FuzzInput *input = &world->input;
  const int32_t cells = grid->width * grid->depth;
  FUZZ_REQUIRE(!wm_open_rows_start(world->context, grid, rows));
  WmOpenChunk *chunk = wm_open_rows_reserve(world->context, rows, (uint64_t)(MOST_SPANS * cells + 8));
  FUZZ_REQUIRE(chunk);
  rows->cell_first[0] = 0;
  uint32_t count = 1, spans[MOST_SPANS] = {4u | 255u << 16 | 63u << 24};
  for (int32_t cell = 0; cell < cells; cell++) {
    const uint8_t what = fuzz_byte(input);
    if (what & 1) {
      count = what >> 1 & 3 ? (what >> 1) % MOST_SPANS : 1;
      uint32_t floor = 1 + (uint32_t)(what >> 4);
      for (uint32_t k = 0; k < count; k++) {
        const uint32_t clearance = 1 + fuzz_byte(input) % 255u, area = 1 + fuzz_byte(input) % 63u;
        if (floor > WM_SPAN_HEIGHT_LIMIT) count = k;
        spans[k] = floor | clearance << 16 | area << 24;
        floor += clearance + 1 + (fuzz_byte(input) == 7 ? fuzz_below(input, 60000) : 0);
      }
    }
    memcpy(chunk->spans + chunk->count, spans, count * sizeof *spans);
    chunk->count += count;
    rows->cell_first[cell + 1] = (uint32_t)chunk->count;
  }
  rows->span_count = (uint32_t)chunk->count;
}

static void check_rows(const WmOpenRows *a, const WmOpenRows *b) {
  const size_t cells = (size_t)a->grid.width * (size_t)a->grid.depth;
  FUZZ_REQUIRE(a->span_count == b->span_count && b->span_count == b->first_chunk->count);
  FUZZ_REQUIRE(memcmp(a->cell_first, b->cell_first, (cells + 1) * sizeof *a->cell_first) == 0);
  FUZZ_REQUIRE(memcmp(a->first_chunk->spans, b->first_chunk->spans, a->span_count * sizeof(uint32_t)) == 0);
}

static void keep_tile(World *world, int32_t x) {
  WmContext *context = world->context;
  FuzzInput *input = &world->input;
  WmGrid grid;
  wm_baker_tile_grid(world->baker, x, 0, &grid);
  if (fuzz_byte(input) & 1) {
    size_t length = fuzz_below(input, 700);
    if (length > input->left) length = input->left;
    const WmStatus status = wm_dynamic_keep_tile(world->dynamic, x, 0, input->bytes, length, false);
    FUZZ_REQUIRE(!status || status == WM_ERROR_CORRUPT);
    input->bytes += length;
    input->left -= length;
    return;
  }
  WmOpenRows rows, again;
  uint8_t *bytes;
  size_t byte_count;
  invent_rows(world, &grid, &rows);
  FUZZ_REQUIRE(!wm_kept_tile_write(context, &rows, &bytes, &byte_count));
  FUZZ_REQUIRE(!wm_kept_tile_read(context, bytes, byte_count, &grid, &again));
  check_rows(&rows, &again);
  FUZZ_REQUIRE(!wm_dynamic_keep_tile(world->dynamic, x, 0, bytes, byte_count, false));
  wm_open_rows_free(context, &rows);
  wm_open_rows_free(context, &again);
  wm_block_free(context, bytes);
}

static WmAreaVolume invent_volume(FuzzInput *input, float outline[OUTLINE][3]) {
  WmAreaVolume volume = {.kind = (int32_t)fuzz_below(input, 7),
                         .area = fuzz_byte(input) & 1 ? 0 : (uint8_t)fuzz_below(input, 65),
                         .before_erosion = fuzz_byte(input) & 1,
                         .yaw = fuzz_number(input),
                         .radius = fuzz_number(input),
                         .height = fuzz_number(input),
                         .vertices = outline[0],
                         .vertex_count = OUTLINE};
  for (int axis = 0; axis < 3; axis++) {
    volume.centre[axis] = fuzz_number(input);
    volume.minimum[axis] = fuzz_number(input);
    volume.maximum[axis] = volume.minimum[axis] + fuzz_number(input);
    volume.half_extents[axis] = fuzz_number(input);
    for (int i = 0; i < OUTLINE; i++) outline[i][axis] = fuzz_number(input);
  }
  return volume;
}

/* Steps until nothing is dirty, or the limit of steps is reached. */
static void build(World *world, uint32_t steps) {
  while (steps-- > 0 && wm_dynamic_dirty_count(world->dynamic)) {
    WmTileChange change;
    FUZZ_REQUIRE(!wm_dynamic_step(world->dynamic, &change));
    if (change.x < 0) continue;
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, change.x, change.z, 0);
    FUZZ_REQUIRE(change.after == (tile ? tile->ref : 0));
    if (tile) FUZZ_REQUIRE(!wm_tile_check(world->context, tile->bytes, tile->byte_count));
  }
}

/* Saves the dynamic mesh and continues with the one that is read; or reads it with some altered words. */
static void reopen(World *world) {
  FuzzInput *input = &world->input;
  uint8_t *bytes, *again;
  size_t byte_count, again_count;
  FUZZ_REQUIRE(!wm_dynamic_write(world->dynamic, &bytes, &byte_count));
  WmMesh *mesh;
  WmDynamic *dynamic;
  FUZZ_REQUIRE(!wm_dynamic_read(world->context, bytes, byte_count, &mesh, &dynamic));
  FUZZ_REQUIRE(!wm_dynamic_write(dynamic, &again, &again_count));
  FUZZ_REQUIRE(again_count == byte_count && memcmp(bytes, again, byte_count) == 0);
  wm_block_free(world->context, again);
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  world->dynamic = dynamic;
  world->mesh = mesh;
  for (uint32_t changes = fuzz_below(input, 4); changes > 0; changes--) {
    const uint32_t word = fuzz_byte(input) & 1 ? fuzz_byte(input) : UINT32_MAX - fuzz_byte(input);
    memcpy(bytes + 4 * (size_t)fuzz_below(input, (uint32_t)(byte_count / 4)), &word, sizeof word);
  }
  const uint64_t sum = wm_file_checksum(bytes, byte_count - 8);
  memcpy(bytes + byte_count - 8, &sum, sizeof sum);
  const WmStatus status = wm_dynamic_read(world->context, bytes, byte_count, &mesh, &dynamic);
  FUZZ_REQUIRE(!status || status == WM_ERROR_CORRUPT || status == WM_ERROR_LIMIT ||
               status == WM_ERROR_OUT_OF_MEMORY);
  wm_block_free(world->context, bytes);
  if (status) return;
  WmTileChange change;
  for (int steps = 0; steps < TILES; steps++) FUZZ_REQUIRE(!wm_dynamic_step(dynamic, &change));
  wm_dynamic_destroy(dynamic);
  wm_mesh_destroy(mesh);
}

/* Keeps the tiles that are kept already, so that all are built again. */
static void keep_again(World *world) {
  for (int32_t x = 0; x < TILES; x++) {
    size_t byte_count;
    const uint8_t *kept = wm_dynamic_kept_tile(world->dynamic, x, 0, &byte_count);
    if (!kept) continue;
    uint8_t *bytes = wm_block_allocate(world->context, byte_count);
    FUZZ_REQUIRE(bytes);
    memcpy(bytes, kept, byte_count);
    FUZZ_REQUIRE(!wm_dynamic_keep_tile(world->dynamic, x, 0, bytes, byte_count, false));
    wm_block_free(world->context, bytes);
  }
}

/* Replaces the level by one with a volume, for some steps. */
static void change_level(World *world, uint32_t steps) {
  float outline[OUTLINE][3];
  const WmAreaVolume volume = invent_volume(&world->input, outline);
  const WmBakeInput none = {.from_kept_tiles = true};
  WmBakeInput input = none;
  input.volumes = &volume;
  input.volume_count = 1;
  if (wm_dynamic_replace_input(world->dynamic, &input)) return;
  keep_again(world);
  WmTileChange change;
  while (steps-- > 0) {
    const WmStatus status = wm_dynamic_step(world->dynamic, &change);
    FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
  }
  FUZZ_REQUIRE(!wm_dynamic_replace_input(world->dynamic, &none));
  keep_again(world);
}

static void act(World *world) {
  FuzzInput *input = &world->input;
  WmDynamic *dynamic = world->dynamic;
  float outline[OUTLINE][3];
  const uint32_t what = fuzz_byte(input) % 9u, one = fuzz_below(input, OBSTACLES);
  if (what < 3 && world->obstacle_count < OBSTACLES) {
    const WmAreaVolume volume = invent_volume(input, outline);
    WmObstacle obstacle;
    if (!wm_dynamic_add_obstacle(dynamic, &volume, &obstacle)) {
      FUZZ_REQUIRE(wm_dynamic_obstacle(dynamic, obstacle));
      world->obstacles[world->obstacle_count++] = obstacle;
    }
  } else if (what < 5 && one < world->obstacle_count) {
    const WmAreaVolume volume = invent_volume(input, outline);
    const WmStatus status = wm_dynamic_change_obstacle(dynamic, world->obstacles[one], &volume);
    FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
  } else if (what == 5 && one < world->obstacle_count) {
    FUZZ_REQUIRE(!wm_dynamic_remove_obstacle(dynamic, world->obstacles[one]));
    FUZZ_REQUIRE(wm_dynamic_remove_obstacle(dynamic, world->obstacles[one]) == WM_ERROR_STALE_REFERENCE);
    world->obstacles[one] = world->obstacles[--world->obstacle_count];
  } else if (what == 8) {
    reopen(world);
  } else if (what == 6) {
    const float focus[3] = {fuzz_number(input), 0, fuzz_number(input)};
    FUZZ_REQUIRE(!wm_dynamic_set_focus(dynamic, focus, one % 2));
    const size_t limit = one < 8 ? 1000 * one * one : WM_DYNAMIC_CACHE_BYTES;
    wm_dynamic_limit_cache(dynamic, limit);
    FUZZ_REQUIRE(wm_dynamic_cache_bytes(dynamic) <= limit);
  } else if (what == 7 && one < OBSTACLES / 2) {
    change_level(world, one);
  } else {
    build(world, 1 + one);
  }
  FUZZ_REQUIRE(wm_dynamic_obstacle_count(world->dynamic) == world->obstacle_count);
}

/* A hash of the tiles' bytes. */
static uint64_t hash_tiles(const World *world) {
  uint64_t hash = 1;
  for (int32_t x = 0; x < TILES; x++) {
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, x, 0, 0);
    for (size_t i = 0; tile && i < tile->byte_count; i++) hash = (hash ^ tile->bytes[i]) * 1099511628211u;
    hash = hash * 31 + (tile != NULL);
  }
  return hash;
}

static void play(World *world) {
  for (int32_t x = 0; x < TILES; x++) keep_tile(world, x);
  build(world, UINT32_MAX);
  const uint64_t first = hash_tiles(world);
  for (int i = 0; i < MOST_STEPS && world->input.left > 0; i++) act(world);
  build(world, UINT32_MAX);
  while (world->obstacle_count > 0) {
    FUZZ_REQUIRE(!wm_dynamic_remove_obstacle(world->dynamic, world->obstacles[--world->obstacle_count]));
  }
  build(world, UINT32_MAX);
  FUZZ_REQUIRE(hash_tiles(world) == first);
  for (int32_t x = 0; x < TILES; x++) FUZZ_REQUIRE(!wm_dynamic_drop_tile(world->dynamic, x, 0));
  FUZZ_REQUIRE(wm_mesh_tile_count(world->mesh) == 0);
}

int fuzz_dynamic(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  World world = {.context = memory.context, .input = {bytes, byte_count}};
  if (open_world(&world)) play(&world);
  wm_dynamic_destroy(world.dynamic);
  wm_mesh_destroy(world.mesh);
  wm_baker_destroy(world.baker);
  fuzz_end(&memory);
  return 0;
}
