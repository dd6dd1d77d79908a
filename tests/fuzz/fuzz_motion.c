/* Obstacles that move. The input is a program: obstacles are added one by one and many at once, move, turn,
 * change their shape and their motion, are removed, and time passes, with NaN and infinite numbers among the
 * arguments. Refused calls change nothing. At any time the mesh equals another one whose only obstacles are
 * the carved volumes; once all obstacles are removed, it equals the first one. */
#include <math.h>

#include "dynamic/obstacles/offset_volume.h"
#include "dynamic/obstacles/motion.h"
#include "invent.h"
#include "scene.h"

enum { OBSTACLES = 8, MOST_STEPS = 32, MOST_AT_ONCE = 3 };

typedef struct World {
  WmContext *context;
  FuzzInput input;
  WmConfig config;
  WmBakeInput bake_input;
  WmMesh *mesh;
  WmDynamic *dynamic;
  uint8_t *kept;
  size_t kept_bytes;
  WmObstacle obstacles[OBSTACLES];
  size_t obstacle_count;
} World;

static const WmMeshParameters PARAMETERS = {.tile_width = 6, .tile_depth = 6};

static WmDynamic *open_dynamic(World *world, WmMesh **mesh) {
  WmDynamic *dynamic;
  FUZZ_REQUIRE(!wm_mesh_create(world->context, &PARAMETERS, mesh));
  FUZZ_REQUIRE(!wm_dynamic_create(world->context, *mesh, &world->config, &world->bake_input, &dynamic));
  FUZZ_REQUIRE(!wm_dynamic_keep_tile(dynamic, 0, 0, world->kept, world->kept_bytes, false));
  return dynamic;
}

/* One tile of flat ground, kept. */
static void open_world(World *world) {
  WmConfig *config = &world->config;
  *config = wm_config_default();
  config->cell_size = 0.5f;
  config->tile_size = 12;
  config->agent_radius = 0.5f * (float)(fuzz_byte(&world->input) % 2);
  config->partition = fuzz_byte(&world->input) % 4;
  config->has_bounds = true;
  config->bounds_max[0] = config->bounds_max[2] = 6;
  config->bounds_max[1] = 4;
  Scene scene = make_square(6);
  WmBakeInput input = scene_input(&scene);
  WmBaker *baker;
  FUZZ_REQUIRE(!wm_baker_create(world->context, config, &input, &baker));
  FUZZ_REQUIRE(!wm_baker_begin_tile(baker, 0, 0, false));
  while (wm_baker_next_stage(baker) != WM_STAGE_COMPACT) FUZZ_REQUIRE(!wm_baker_step(baker));
  FUZZ_REQUIRE(!wm_baker_keep_tile(baker, &world->kept, &world->kept_bytes));
  wm_baker_destroy(baker);
  free_scene(&scene);
  world->bake_input = (WmBakeInput){.from_kept_tiles = true};
  world->dynamic = open_dynamic(world, &world->mesh);
}

static void build(const WmDynamic *dynamic) {
  WmTileChange change;
  while (wm_dynamic_dirty_count(dynamic)) FUZZ_REQUIRE(!wm_dynamic_step((WmDynamic *)dynamic, &change));
}

/* The tile's bytes equal those of another mesh with the carved volumes. */
static void compare_with_carved(World *world) {
  WmMesh *mesh;
  WmDynamic *dynamic = open_dynamic(world, &mesh);
  size_t count = 0;
  build(world->dynamic);
  for (WmObstacle one = 0; (one = wm_dynamic_next_obstacle(world->dynamic, one)) != 0; count++) {
    FUZZ_REQUIRE(wm_dynamic_obstacle(world->dynamic, one) && wm_dynamic_obstacle_motion(world->dynamic, one));
    FUZZ_REQUIRE(!wm_dynamic_check_obstacle(world->dynamic, one));
    bool is_outside;
    FUZZ_REQUIRE(!wm_dynamic_is_outside(world->dynamic, one, &is_outside));
  }
  FUZZ_REQUIRE(count == world->obstacle_count);
  /* In the order of addition, which matters if areas overlap; numbers are reused. */
  for (size_t i = 0; i < count; i++) {
    const WmAreaVolume *carved = wm_dynamic_carved_volume(world->dynamic, world->obstacles[i]);
    WmObstacle added;
    if (carved) FUZZ_REQUIRE(!wm_dynamic_add_obstacle(dynamic, carved, &added));
  }
  build(dynamic);
  const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, 0, 0, 0), *other = wm_mesh_find_tile(mesh, 0, 0, 0);
  FUZZ_REQUIRE(!tile == !other);
  if (tile) FUZZ_REQUIRE(tile->byte_count == other->byte_count);
  if (tile) FUZZ_REQUIRE(memcmp(tile->bytes, other->bytes, tile->byte_count) == 0);
  FUZZ_REQUIRE(wm_dynamic_is_touched(world->dynamic, 0, 0) == wm_dynamic_is_touched(dynamic, 0, 0));
  wm_dynamic_destroy(dynamic);
  wm_mesh_destroy(mesh);
}

/* ---- Steps -------------------------------------------------------------------------------------------- */

static const float LOW[3] = {0, -1, 0}, HIGH[3] = {6, 3, 6};

static WmObstacleMotion invent_motion(FuzzInput *input) {
  static const float ODD[] = {NAN, INFINITY, -1, 1e30f};
  WmObstacleMotion motion = wm_obstacle_motion_default();
  const uint8_t what = fuzz_byte(input);
  motion.carving = what % 3;
  motion.move_threshold = (float)(what >> 2 & 3) * 0.3f;
  motion.time_to_rest = (float)(what >> 4 & 3) * 0.2f;
  if (what > 248) motion.carving = what % 5 - 1;
  if (what > 252) motion.move_threshold = ODD[fuzz_byte(input) % 4];
  if (what > 254) motion.time_to_rest = ODD[fuzz_byte(input) % 4];
  return motion;
}

/* Mostly in the level, sometimes NaN or infinite. */
static void invent_positions(FuzzInput *input, float positions[MOST_AT_ONCE][3], float yaws[MOST_AT_ONCE]) {
  for (int i = 0; i < MOST_AT_ONCE; i++) {
    for (int axis = 0; axis < 3; axis++) positions[i][axis] = fuzz_between(input, LOW[axis], HIGH[axis]);
    yaws[i] = fuzz_between(input, -7, 7);
    const uint8_t odd = fuzz_byte(input);
    if (odd < 4) positions[i][odd % 3] = NAN;
    if (odd == 4) positions[i][0] = 1e9f;
    if (odd == 5) yaws[i] = INFINITY;
  }
}

static void require_refusal(const World *world, WmStatus status) {
  if (!status) return;
  FUZZ_REQUIRE(status == WM_ERROR_INVALID_ARGUMENT || status == WM_ERROR_STALE_REFERENCE ||
               status == WM_ERROR_LIMIT);
  FUZZ_REQUIRE(wm_context_error(world->context)->message[0]);
}

static void add(World *world, bool many) {
  FuzzInput *input = &world->input;
  float outline[FUZZ_OUTLINE][3], positions[MOST_AT_ONCE][3], yaws[MOST_AT_ONCE], at[3];
  const WmAreaVolume volume = fuzz_volume(input, LOW, HIGH, outline);
  const WmObstacleMotion motion = invent_motion(input);
  WmObstacle *to = world->obstacles + world->obstacle_count;
  wm_volume_position(&volume, at);
  if (!many) {
    if (world->obstacle_count + 1 > OBSTACLES) return;
    const WmStatus status = wm_dynamic_add_moving_obstacle(world->dynamic, &volume, &motion, to);
    require_refusal(world, status);
    world->obstacle_count += !status;
    return;
  }
  const size_t count = fuzz_byte(input) % (MOST_AT_ONCE + 1);
  if (world->obstacle_count + count > OBSTACLES) return;
  invent_positions(input, positions, yaws);
  const WmStatus status = wm_dynamic_add_obstacles(world->dynamic, &volume, &motion, positions[0],
                                                   fuzz_byte(input) & 1 ? yaws : NULL, count, to);
  require_refusal(world, status);
  if (!status) world->obstacle_count += count;
}

static void change(World *world) {
  FuzzInput *input = &world->input;
  if (world->obstacle_count == 0) return;
  float outline[FUZZ_OUTLINE][3];
  const WmObstacle one = world->obstacles[fuzz_byte(input) % world->obstacle_count];
  const WmAreaVolume volume = fuzz_volume(input, LOW, HIGH, outline);
  const WmObstacleMotion motion = invent_motion(input);
  const uint8_t what = fuzz_byte(input);
  require_refusal(world, wm_dynamic_set_obstacle(world->dynamic, one, what & 1 ? &volume : NULL,
                                                 what & 2 ? &motion : NULL));
}

static void move(World *world) {
  FuzzInput *input = &world->input;
  float positions[MOST_AT_ONCE][3], yaws[MOST_AT_ONCE];
  WmObstacle chosen[MOST_AT_ONCE];
  if (world->obstacle_count == 0) return;
  invent_positions(input, positions, yaws);
  for (int i = 0; i < MOST_AT_ONCE; i++) {
    chosen[i] = world->obstacles[fuzz_byte(input) % world->obstacle_count];
    if (fuzz_byte(input) == 0) chosen[i] ^= (WmObstacle)1 << fuzz_byte(input) % 60;
    if (fuzz_byte(input) & 1) continue;
    /* A little beside its position. */
    const WmAreaVolume *volume = wm_dynamic_obstacle(world->dynamic, chosen[i]);
    if (volume) wm_volume_position(volume, positions[i]);
    positions[i][0] += fuzz_between(input, -0.5f, 0.5f);
  }
  require_refusal(world, wm_dynamic_move_obstacles(world->dynamic, chosen, positions[0],
                                                   fuzz_byte(input) & 1 ? yaws : NULL,
                                                   fuzz_byte(input) % (MOST_AT_ONCE + 1)));
}

/* The last obstacles, or some with a duplicate or an invalid one. */
static void remove_some(World *world) {
  FuzzInput *input = &world->input;
  size_t count = fuzz_byte(input) % (MOST_AT_ONCE + 1);
  if (count > world->obstacle_count) count = world->obstacle_count;
  WmObstacle chosen[MOST_AT_ONCE];
  memcpy(chosen, world->obstacles + world->obstacle_count - count, count * sizeof *chosen);
  const bool is_odd = count > 1 && fuzz_byte(input) < 64;
  if (is_odd) chosen[0] = chosen[1];
  const WmStatus status = wm_dynamic_remove_obstacles(world->dynamic, chosen, count);
  FUZZ_REQUIRE(status == (is_odd ? WM_ERROR_INVALID_ARGUMENT : WM_OK));
  if (status) return;
  world->obstacle_count -= count;
  for (size_t i = 0; i < count; i++) {
    FUZZ_REQUIRE(wm_dynamic_check_obstacle(world->dynamic, chosen[i]) == WM_ERROR_STALE_REFERENCE);
    FUZZ_REQUIRE(!wm_dynamic_obstacle(world->dynamic, chosen[i]));
  }
}

static void let_time_pass(World *world) {
  static const float ODD[] = {NAN, INFINITY, -1, 1e30f};
  FuzzInput *input = &world->input;
  const uint8_t what = fuzz_byte(input);
  wm_dynamic_refuse_outside(world->dynamic, what & 64);
  const float seconds = what < 8 ? ODD[what % 4] : (float)(what % 8) * 0.1f;
  require_refusal(world, wm_dynamic_advance(world->dynamic, seconds));
  size_t count;
  const WmMovingObstacle *moving = wm_dynamic_moving_obstacles(world->dynamic, &count);
  FUZZ_REQUIRE(count <= world->obstacle_count);
  for (size_t i = 0; i < count; i++) {
    FUZZ_REQUIRE(isfinite(moving[i].radius) && isfinite(moving[i].height) && moving[i].radius >= 0);
    for (int axis = 0; axis < 3; axis++) {
      FUZZ_REQUIRE(isfinite(moving[i].position[axis]) && isfinite(moving[i].velocity[axis]));
    }
    FUZZ_REQUIRE(!wm_dynamic_carved_volume(world->dynamic, moving[i].obstacle));
  }
}

/* An enlarged volume covers the original one. */
static void grow(World *world) {
  float outline[FUZZ_OUTLINE][3], low[2][3], high[2][3];
  const WmAreaVolume volume = fuzz_volume(&world->input, LOW, HIGH, outline);
  wm_find_volume_bounds(world->context, &volume, low[0], high[0]);
  if (!isfinite(low[0][0])) return;
  const WmScratchMark mark = wm_scratch_mark(world->context);
  const WmAreaVolume *list = &volume;
  size_t count = 1;
  WmAreaVolume grown[FUZZ_OUTLINE + 2];
  FUZZ_REQUIRE(wm_offset_volume_count(&volume) <= FUZZ_OUTLINE + 1);
  FUZZ_REQUIRE(!wm_offset_volume(world->context, &volume, 0.5f, grown));
  FUZZ_REQUIRE(!wm_offset_volumes(world->context, 0.5f, &list, &count) && count >= 1);
  wm_scratch_rewind(world->context, mark);
}

static void act(World *world) {
  switch (fuzz_byte(&world->input) % 8) {
    case 0: add(world, false); break;
    case 1: add(world, true); break;
    case 2: change(world); break;
    case 3:
    case 4: move(world); break;
    case 5: remove_some(world); break;
    case 6: let_time_pass(world); break;
    default:
      if (fuzz_byte(&world->input) & 1)
        grow(world);
      else
        compare_with_carved(world);
  }
  FUZZ_REQUIRE(wm_dynamic_obstacle_count(world->dynamic) == world->obstacle_count);
}

int fuzz_motion(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  World world = {.context = memory.context, .input = {bytes, byte_count}};
  open_world(&world);
  for (int i = 0; i < MOST_STEPS && world.input.left > 0; i++) act(&world);
  compare_with_carved(&world);
  FUZZ_REQUIRE(!wm_dynamic_remove_obstacles(world.dynamic, world.obstacles, world.obstacle_count));
  world.obstacle_count = 0;
  compare_with_carved(&world);
  wm_dynamic_destroy(world.dynamic);
  wm_mesh_destroy(world.mesh);
  wm_block_free(memory.context, world.kept);
  fuzz_end(&memory);
  return 0;
}
