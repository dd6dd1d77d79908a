/* Tiles of a dynamic mesh that are removed and added, with switches over them, while jobs build some of them.
 * The input is a program: obstacles and switches that are added, changed and removed, tiles that are dropped
 * and kept again, ready or not, jobs that are taken, finished in any order and abandoned, steps. After each
 * step switches are updated, and polygons under a switch that is on must have its flags. Once everything is
 * removed and all tiles are back, the mesh equals the first one. */
#include "dynamic/tile_jobs.h"
#include "dynamic/state/saved_state.h"
#include "harness.h"
#include "query/switches/switches.h"
#include "scene.h"

enum { TILES = 4, OBSTACLES = 8, SWITCHES = 6, JOBS = 4, OUTLINE = 4, MOST_STEPS = 40 };

typedef struct Out {
  WmTileJob job;
  WmTileData data;
} Out;

typedef struct World {
  WmContext *context;
  FuzzInput input;
  WmMesh *mesh, *helper_mesh;
  WmDynamic *dynamic, *helper;
  WmSwitches *switches;
  struct {
    uint8_t *kept, *tile;
    size_t kept_bytes, tile_bytes;
    uint32_t helper_has;
    bool is_there;
  } tiles[TILES];
  WmObstacle obstacles[OBSTACLES];
  WmSwitch numbers[SWITCHES];
  uint16_t set[SWITCHES], clear[SWITCHES];
  Out out[JOBS];
  size_t obstacle_count, switch_count, out_count;
} World;

/* ---- The level ---------------------------------------------------------------------------------------- */

static uint8_t *copy_bytes(const uint8_t *bytes, size_t byte_count) {
  uint8_t *copy = malloc(byte_count + !byte_count);
  FUZZ_REQUIRE(copy);
  if (byte_count) memcpy(copy, bytes, byte_count);
  return copy;
}

/* Two by two tiles of flat ground, baked and kept. */
static void open_world(World *world) {
  WmContext *context = world->context;
  WmConfig config = wm_config_default();
  config.cell_size = 0.5f;
  config.tile_size = 8;
  config.agent_radius = 0.5f * (float)fuzz_below(&world->input, 2);
  config.partition = (int32_t)fuzz_below(&world->input, 4);
  config.has_bounds = true;
  config.bounds_max[0] = config.bounds_max[2] = 8;
  config.bounds_max[1] = 4;
  Scene scene = make_square(8);
  const WmBakeInput input = scene_input(&scene);
  const WmMeshParameters parameters = {.tile_width = 4, .tile_depth = 4};
  WmBaker *baker;
  FUZZ_REQUIRE(!wm_baker_create(context, &config, &input, &baker));
  FUZZ_REQUIRE(!wm_mesh_create(context, &parameters, &world->mesh));
  FUZZ_REQUIRE(!wm_dynamic_create(context, world->mesh, &config, &input, &world->dynamic));
  FUZZ_REQUIRE(!wm_switches_create(context, world->mesh, &world->switches));
  for (int32_t i = 0; i < TILES; i++) {
    FUZZ_REQUIRE(!wm_baker_begin_tile(baker, i % 2, i / 2, false));
    uint8_t *kept = NULL;
    while (wm_baker_next_stage(baker) != WM_STAGE_DONE) {
      if (wm_baker_next_stage(baker) == WM_STAGE_COMPACT) {
        FUZZ_REQUIRE(!wm_baker_keep_tile(baker, &kept, &world->tiles[i].kept_bytes));
      }
      FUZZ_REQUIRE(!wm_baker_step(baker));
    }
    WmTileData data = wm_baker_take_tile(baker);
    world->tiles[i].kept = copy_bytes(kept, world->tiles[i].kept_bytes);
    world->tiles[i].tile = copy_bytes(data.bytes, data.byte_count);
    world->tiles[i].tile_bytes = data.byte_count;
    wm_block_free(context, kept);
    wm_tile_data_free(context, &data);
  }
  wm_baker_destroy(baker);
  free_scene(&scene);
  uint8_t *bytes;
  size_t byte_count;
  FUZZ_REQUIRE(!wm_dynamic_write_helper(world->dynamic, &bytes, &byte_count));
  FUZZ_REQUIRE(!wm_dynamic_read(context, bytes, byte_count, &world->helper_mesh, &world->helper));
  wm_block_free(context, bytes);
}

static void close_world(World *world) {
  wm_switches_destroy(world->switches);
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  wm_dynamic_destroy(world->helper);
  wm_mesh_destroy(world->helper_mesh);
  for (int i = 0; i < TILES; i++) {
    free(world->tiles[i].kept);
    free(world->tiles[i].tile);
  }
}

/* ---- Steps -------------------------------------------------------------------------------------------- */

static void keep_tile(World *world, uint32_t tile, bool is_ready) {
  const int32_t x = (int32_t)tile % 2, z = (int32_t)tile / 2;
  const uint8_t *kept = world->tiles[tile].kept, *bytes = world->tiles[tile].tile;
  const size_t kept_bytes = world->tiles[tile].kept_bytes, tile_bytes = world->tiles[tile].tile_bytes;
  world->tiles[tile].is_there = true;
  if (!is_ready) {
    FUZZ_REQUIRE(!wm_dynamic_keep_tile(world->dynamic, x, z, kept, kept_bytes, false));
    return;
  }
  WmTileChange change;
  FUZZ_REQUIRE(
      !wm_dynamic_keep_built_tile(world->dynamic, x, z, kept, kept_bytes, bytes, tile_bytes, &change));
  const WmMeshTile *built = wm_mesh_find_tile(world->mesh, x, z, 0);
  FUZZ_REQUIRE(built && change.after == built->ref);
}

static void drop_tile(World *world, uint32_t tile) {
  const int32_t x = (int32_t)tile % 2, z = (int32_t)tile / 2;
  FUZZ_REQUIRE(!wm_dynamic_drop_tile(world->dynamic, x, z));
  FUZZ_REQUIRE(!wm_mesh_find_tile(world->mesh, x, z, 0));
  world->tiles[tile].is_there = false;
}

static void take_job(World *world) {
  Out *out = &world->out[world->out_count];
  WmTileJob *job = &out->job;
  FUZZ_REQUIRE(!wm_dynamic_take_job(world->dynamic, job));
  if (job->x < 0) return;
  const uint32_t tile = (uint32_t)(job->z * 2 + job->x);
  FUZZ_REQUIRE(world->tiles[tile].is_there);
  if (world->tiles[tile].helper_has != job->kept_number) {
    size_t byte_count;
    const uint8_t *kept = wm_dynamic_kept_tile(world->dynamic, job->x, job->z, &byte_count);
    FUZZ_REQUIRE(!wm_dynamic_keep_tile(world->helper, job->x, job->z, kept, byte_count, true));
    world->tiles[tile].helper_has = job->kept_number;
  }
  FUZZ_REQUIRE(
      !wm_dynamic_do_job(world->helper, job->x, job->z, job->obstacles, job->obstacle_bytes, &out->data));
  /* Altered bytes are refused, or are other obstacles. */
  job->obstacles[fuzz_below(&world->input, (uint32_t)job->obstacle_bytes)] ^= fuzz_byte(&world->input);
  WmTileData data;
  const WmStatus status = wm_dynamic_do_job(world->helper, job->x, job->z, job->obstacles,
                                            fuzz_below(&world->input, 4) ? job->obstacle_bytes : 4, &data);
  FUZZ_REQUIRE(!status || status == WM_ERROR_CORRUPT);
  wm_tile_data_free(world->context, &data);
  wm_block_free(world->context, job->obstacles);
  world->out_count++;
}

static void finish_job(World *world, uint32_t one, bool gives_up) {
  Out *out = &world->out[one];
  const WmTileJob *job = &out->job;
  WmTileChange change;
  if (gives_up) FUZZ_REQUIRE(!wm_dynamic_give_up_job(world->dynamic, job->x, job->z, job->ticket));
  FUZZ_REQUIRE(!wm_dynamic_finish_job(world->dynamic, job->x, job->z, job->ticket, out->data.bytes,
                                      out->data.byte_count, &change));
  FUZZ_REQUIRE(!gives_up || change.x < 0);
  wm_tile_data_free(world->context, &out->data);
  *out = world->out[--world->out_count];
}

static void change_obstacles(World *world, bool adds) {
  FuzzInput *input = &world->input;
  if (!adds && world->obstacle_count > 0) {
    const uint32_t one = fuzz_below(input, (uint32_t)world->obstacle_count);
    FUZZ_REQUIRE(!wm_dynamic_remove_obstacle(world->dynamic, world->obstacles[one]));
    world->obstacles[one] = world->obstacles[--world->obstacle_count];
  } else if (world->obstacle_count < OBSTACLES) {
    const WmAreaVolume volume = {.kind = (int32_t)(fuzz_byte(input) & 1 ? 0 : 2),
                                 .area = fuzz_byte(input) & 1 ? 0 : 9,
                                 .before_erosion = fuzz_byte(input) & 1,
                                 .centre = {fuzz_number(input), -1, fuzz_number(input)},
                                 .minimum = {0, -1, 0},
                                 .maximum = {fuzz_number(input), 2, fuzz_number(input)},
                                 .radius = fuzz_number(input),
                                 .height = 4};
    WmObstacle *obstacle = &world->obstacles[world->obstacle_count];
    world->obstacle_count += !wm_dynamic_add_obstacle(world->dynamic, &volume, obstacle);
  }
}

static void change_switches(World *world, uint32_t what) {
  FuzzInput *input = &world->input;
  if (what == 0 && world->switch_count < SWITCHES) {
    float outline[OUTLINE][3];
    for (int i = 0; i < 3 * OUTLINE; i++) outline[i / 3][i % 3] = fuzz_number(input);
    const WmSwitchVolume volume = {.kind = (int32_t)fuzz_below(input, 5),
                                   .area = (int32_t)fuzz_below(input, 3) - 1,
                                   .minimum = {fuzz_number(input), -1, fuzz_number(input)},
                                   .maximum = {8, 2, fuzz_number(input)},
                                   .centre = {fuzz_number(input), -1, fuzz_number(input)},
                                   .half_extents = {fuzz_number(input), 2, fuzz_number(input)},
                                   .yaw = fuzz_number(input),
                                   .radius = fuzz_number(input),
                                   .height = fuzz_number(input),
                                   .vertices = outline[0],
                                   .vertex_count = OUTLINE,
                                   .by_middle = fuzz_byte(input) & 1};
    const size_t at = world->switch_count;
    world->set[at] = fuzz_byte(input);
    world->clear[at] = fuzz_byte(input);
    const WmStatus status = wm_switch_add(world->switches, &volume, world->set[at], world->clear[at],
                                          fuzz_byte(input) & 1, &world->numbers[at]);
    FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
    world->switch_count += !status;
  } else if (world->switch_count > 0) {
    const uint32_t one = fuzz_below(input, (uint32_t)world->switch_count);
    if (what < 3) {
      FUZZ_REQUIRE(!wm_switch_set(world->switches, world->numbers[one], what == 1));
      return;
    }
    const size_t last = --world->switch_count;
    FUZZ_REQUIRE(!wm_switch_remove(world->switches, world->numbers[one]));
    FUZZ_REQUIRE(wm_switch_set(world->switches, world->numbers[one], true) == WM_ERROR_STALE_REFERENCE);
    world->numbers[one] = world->numbers[last];
    world->set[one] = world->set[last];
    world->clear[one] = world->clear[last];
  }
}

/* A polygon under a switch that is on has none of the flags that it clears, and the flags that it sets,
 * unless another switch clears them. */
static void check_switches(World *world) {
  size_t changed;
  uint16_t cleared = 0;
  FUZZ_REQUIRE(!wm_switches_update(world->switches, &changed) && changed <= world->switch_count);
  FUZZ_REQUIRE(wm_switch_count(world->switches) == world->switch_count);
  for (size_t i = 0; i < world->switch_count; i++) cleared |= world->clear[i];
  for (size_t i = 0; i < world->switch_count; i++) {
    const WmRef *polygons;
    size_t count;
    FUZZ_REQUIRE(!wm_switch_polygons(world->switches, world->numbers[i], &polygons, &count));
    for (size_t k = 0; k < count; k++) {
      const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, polygons[k]);
      FUZZ_REQUIRE(tile);
      const uint16_t flags = tile->polygon_flags[wm_ref_polygon(polygons[k])];
      if (!wm_switch_is_on(world->switches, world->numbers[i])) continue;
      FUZZ_REQUIRE((flags & world->clear[i]) == 0);
      FUZZ_REQUIRE((world->set[i] & ~cleared & ~flags) == 0);
    }
  }
}

static void act(World *world) {
  FuzzInput *input = &world->input;
  const uint32_t what = fuzz_byte(input) % 14u, tile = fuzz_below(input, TILES);
  WmTileChange change;
  switch (what) {
    case 0:
    case 1:
    case 2: change_obstacles(world, what > 0); break;
    case 3: drop_tile(world, tile); break;
    case 4:
    case 5: keep_tile(world, tile, what == 5); break;
    case 6:
      if (world->out_count < JOBS) take_job(world);
      break;
    case 7:
    case 8:
      if (world->out_count) finish_job(world, tile % (uint32_t)world->out_count, fuzz_byte(input) % 4 == 0);
      break;
    case 9: FUZZ_REQUIRE(!wm_dynamic_step(world->dynamic, &change)); break;
    default: change_switches(world, what - 10); break;
  }
  check_switches(world);
}

static uint64_t hash_tiles(const World *world) {
  uint64_t hash = 1;
  for (int32_t i = 0; i < TILES; i++) {
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, i % 2, i / 2, 0);
    FUZZ_REQUIRE(tile && tile->byte_count == world->tiles[i].tile_bytes);
    for (size_t k = 0; k < tile->byte_count; k++) hash = (hash ^ tile->bytes[k]) * 1099511628211u;
  }
  return hash;
}

static void play(World *world) {
  for (uint32_t i = 0; i < TILES; i++) keep_tile(world, i, true);
  FUZZ_REQUIRE(wm_dynamic_dirty_count(world->dynamic) == 0);
  const uint64_t first = hash_tiles(world);
  for (int i = 0; i < MOST_STEPS && world->input.left > 0; i++) act(world);
  while (world->switch_count > 0) change_switches(world, 3);
  while (world->out_count > 0) finish_job(world, 0, false);
  while (world->obstacle_count > 0) change_obstacles(world, false);
  for (uint32_t i = 0; i < TILES; i++) {
    if (!world->tiles[i].is_there) keep_tile(world, i, i % 2 == 0);
  }
  WmTileChange change;
  while (wm_dynamic_dirty_count(world->dynamic)) FUZZ_REQUIRE(!wm_dynamic_step(world->dynamic, &change));
  FUZZ_REQUIRE(hash_tiles(world) == first);
}

int fuzz_dynamic_tiles(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  World world = {.context = memory.context, .input = {bytes, byte_count}};
  open_world(&world);
  play(&world);
  close_world(&world);
  fuzz_end(&memory);
  return 0;
}
