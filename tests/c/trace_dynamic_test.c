/* Golden traces of dynamic meshes (trace.h): obstacles of all kinds come, move and go, tiles are built in place or by
 * tile jobs, are dropped and kept again; the mesh is written and read. */
#include "dynamic/obstacles/motion.h"
#include "dynamic/state/saved_state.h"
#include "dynamic/tile_jobs.h"
#include "dynamic_world.h"
#include "lattice.h"
#include "trace.h"

enum { LIVE = 16 };

typedef struct Play {
  World world;
  WmDynamic *helper; /* builds tile jobs */
  WmMesh *helper_mesh;
  Random random;
  WmObstacle live[LIVE];
  int count;
  uint8_t *gone;
  size_t gone_bytes;
  int32_t gone_x, gone_z;
  float lattice; /* all numbers are multiples of it (lattice.h); 0: they are arbitrary */
} Play;

/* The outline is a hexagon, which no libm computes. */
static WmAreaVolume invent_volume(Play *play, float outline[OUTLINE][3]) {
  static const float HEXAGON[OUTLINE][2] = {{1, 0},  {0.5f, 0.866f},   {-0.5f, 0.866f},
                                            {-1, 0}, {-0.5f, -0.866f}, {0.5f, -0.866f}};
  WmAreaVolume volume = random_obstacle(&play->random, &play->world, outline);
  snap_all(volume.minimum, 3, play->lattice);
  snap_all(volume.maximum, 3, play->lattice);
  snap_all(volume.centre, 3, play->lattice);
  snap_all(volume.half_extents, 3, play->lattice);
  volume.radius = snap(volume.radius, play->lattice);
  volume.height = snap(volume.height, play->lattice);
  volume.yaw = snap(volume.yaw, play->lattice);
  for (int i = 0; i < OUTLINE; i++) {
    outline[i][0] = snap(volume.centre[0] + volume.radius * HEXAGON[i][0], play->lattice);
    outline[i][2] = snap(volume.centre[2] + volume.radius * HEXAGON[i][1], play->lattice);
  }
  return volume;
}

static void invent_point(Play *play, float point[3]) {
  for (int axis = 0; axis < 3; axis++) {
    point[axis] = snap(between(&play->random, play->world.low[axis], play->world.high[axis]), play->lattice);
  }
}

/* ---- What is folded ----------------------------------------------------------------------------------- */

static void trace_change(WmContext *context, WmStatus status, const WmTileChange *change) {
  trace_status(context, status);
  const uint64_t numbers[] = {(uint64_t)change->x, (uint64_t)change->z, change->is_changed, change->before,
                              change->after};
  TRACE(numbers);
}

static void trace_volume(const WmAreaVolume *volume) {
  trace_number(volume != NULL);
  if (!volume) return;
  float position[3];
  wm_volume_position(volume, position);
  trace_number((uint64_t)volume->kind << 8 | volume->area);
  TRACE(position);
  if (volume->kind == WM_AREA_VOLUME_PRISM) {
    trace_fold(volume->vertices, volume->vertex_count * 3 * sizeof(float));
    return;
  }
  TRACE(volume->minimum);
  TRACE(volume->maximum);
  TRACE(volume->centre);
  TRACE(volume->half_extents);
  TRACE(volume->yaw);
}

static void trace_obstacles(const WmDynamic *dynamic) {
  size_t count;
  const WmMovingObstacle *moving = wm_dynamic_moving_obstacles(dynamic, &count);
  trace_number(count);
  for (size_t i = 0; i < count; i++) {
    TRACE(moving[i].position);
    TRACE(moving[i].velocity);
    TRACE(moving[i].radius);
    TRACE(moving[i].height);
  }
  for (WmObstacle one = 0; (one = wm_dynamic_next_obstacle(dynamic, one)) != 0;) {
    TRACE(one);
    trace_volume(wm_dynamic_obstacle(dynamic, one));
    trace_volume(wm_dynamic_carved_volume(dynamic, one));
  }
}

static void trace_all(Play *play) {
  const WmDynamic *dynamic = play->world.dynamic;
  trace_obstacles(dynamic);
  const uint64_t numbers[] = {wm_dynamic_obstacle_count(dynamic), wm_dynamic_dirty_count(dynamic),
                              hash_mesh(play->world.mesh)};
  TRACE(numbers);
  for (int32_t z = 0; z < play->world.rows; z++) {
    for (int32_t x = 0; x < play->world.columns; x++) trace_number(wm_dynamic_is_touched(dynamic, x, z));
  }
}

/* ---- Calls -------------------------------------------------------------------------------------------- */

static void add_one(Play *play) {
  if (play->count == LIVE) return;
  float outline[OUTLINE][3];
  const WmAreaVolume volume = invent_volume(play, outline);
  WmObstacleMotion motion = wm_obstacle_motion_default();
  motion.carving = random_below(&play->random, 3);
  motion.move_threshold =
      random_below(&play->random, 2) ? snap(between(&play->random, 0, 2), play->lattice) : 0;
  motion.time_to_rest = snap(between(&play->random, 0, 1), play->lattice);
  WmObstacle *added = &play->live[play->count];
  const bool is_plain = random_below(&play->random, 2);
  const WmStatus status = is_plain
                              ? wm_dynamic_add_obstacle(play->world.dynamic, &volume, added)
                              : wm_dynamic_add_moving_obstacle(play->world.dynamic, &volume, &motion, added);
  trace_status(play->world.context, status);
  play->count += status == WM_OK;
}

static void change_one(Play *play) {
  if (play->count == 0) return;
  WmObstacle *one = &play->live[random_below(&play->random, play->count)];
  WmDynamic *dynamic = play->world.dynamic;
  float outline[OUTLINE][3], point[3];
  const float yaw = snap(between(&play->random, -3, 3), play->lattice);
  const WmAreaVolume volume = invent_volume(play, outline);
  invent_point(play, point);
  WmStatus status = WM_OK;
  switch (random_below(&play->random, 5)) {
    case 0: status = wm_dynamic_change_obstacle(dynamic, *one, &volume); break;
    case 1:
      status = wm_dynamic_remove_obstacle(dynamic, *one);
      *one = play->live[--play->count];
      break;
    default:
      status =
          wm_dynamic_move_obstacles(dynamic, one, point, random_below(&play->random, 2) ? &yaw : NULL, 1);
  }
  trace_status(play->world.context, status);
}

static void step_one(Play *play) {
  WmTileChange change = {0};
  trace_change(play->world.context, wm_dynamic_step(play->world.dynamic, &change), &change);
}

/* Hands a tile out to the helper; its result comes back, sometimes too late. */
static void do_job(Play *play) {
  WmDynamic *dynamic = play->world.dynamic;
  WmTileJob job;
  trace_status(play->world.context, wm_dynamic_take_job(dynamic, &job));
  const uint64_t numbers[] = {(uint64_t)job.x, (uint64_t)job.z, job.ticket, job.kept_number,
                              job.obstacle_bytes};
  TRACE(numbers);
  if (job.x < 0) return;
  trace_fold(job.obstacles, job.obstacle_bytes);
  WmTileData data = {0};
  const WmStatus status =
      wm_dynamic_do_job(play->helper, job.x, job.z, job.obstacles, job.obstacle_bytes, &data);
  trace_status(play->world.context, status);
  if (random_below(&play->random, 4) == 0) change_one(play);
  WmTileChange change = {0};
  if (status || random_below(&play->random, 5) == 0) {
    trace_status(play->world.context, wm_dynamic_give_up_job(dynamic, job.x, job.z, job.ticket));
  } else {
    const WmStatus finished =
        wm_dynamic_finish_job(dynamic, job.x, job.z, job.ticket, data.bytes, data.byte_count, &change);
    trace_change(play->world.context, finished, &change);
  }
  wm_block_free(play->world.context, job.obstacles);
  wm_tile_data_free(play->world.context, &data);
}

/* Drops a tile, or keeps the one that was dropped. */
static void swap_tile(Play *play) {
  WmDynamic *dynamic = play->world.dynamic;
  if (play->gone) {
    trace_status(play->world.context, wm_dynamic_keep_tile(dynamic, play->gone_x, play->gone_z, play->gone,
                                                           play->gone_bytes, random_below(&play->random, 2)));
    free(play->gone);
    play->gone = NULL;
    return;
  }
  play->gone_x = random_below(&play->random, play->world.columns);
  play->gone_z = random_below(&play->random, play->world.rows);
  const uint8_t *bytes = wm_dynamic_kept_tile(dynamic, play->gone_x, play->gone_z, &play->gone_bytes);
  if (!bytes) return;
  play->gone = malloc(play->gone_bytes);
  memcpy(play->gone, bytes, play->gone_bytes);
  trace_status(play->world.context, wm_dynamic_drop_tile(dynamic, play->gone_x, play->gone_z));
}

static void set_something(Play *play) {
  float points[2][3];
  WmDynamic *dynamic = play->world.dynamic;
  for (int i = 0; i < 2; i++) invent_point(play, points[i]);
  if (random_below(&play->random, 2)) {
    trace_status(play->world.context,
                 wm_dynamic_set_focus(dynamic, points[0], (size_t)random_below(&play->random, 3)));
  } else {
    wm_dynamic_limit_cache(dynamic, (size_t)random_below(&play->random, 200000));
    wm_dynamic_refuse_outside(dynamic, random_below(&play->random, 2));
  }
}

static void run(Play *play, int calls) {
  for (int i = 0; i < calls; i++) {
    const int32_t what = random_below(&play->random, 16);
    if (what < 4) add_one(play);
    if (what >= 4 && what < 8) change_one(play);
    if (what >= 8 && what < 11) step_one(play);
    if (what == 11) do_job(play);
    if (what == 12) swap_tile(play);
    if (what == 13) set_something(play);
    if (what > 13) {
      trace_status(
          play->world.context,
          wm_dynamic_advance(play->world.dynamic, snap(between(&play->random, 0, 0.7f), play->lattice)));
    }
    if (i % 8 == 0) trace_all(play);
  }
  for (int i = 0; i < 100 && wm_dynamic_dirty_count(play->world.dynamic); i++) step_one(play);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(play->world.dynamic), 0);
  trace_all(play);
}

/* Writes the mesh, reads it, and goes on with what was read. */
static void write_and_read(Play *play) {
  World *world = &play->world;
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  trace_status(world->context, wm_dynamic_write(world->dynamic, &bytes, &byte_count));
  trace_number(byte_count);
  trace_fold(bytes, byte_count);
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  trace_status(world->context,
               wm_dynamic_read(world->context, bytes, byte_count, &world->mesh, &world->dynamic));
  wm_block_free(world->context, bytes);
}

static void open_helper(Play *play) {
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  trace_status(play->world.context, wm_dynamic_write_helper(play->world.dynamic, &bytes, &byte_count));
  trace_fold(bytes, byte_count);
  trace_status(play->world.context,
               wm_dynamic_read(play->world.context, bytes, byte_count, &play->helper_mesh, &play->helper));
  wm_block_free(play->world.context, bytes);
}

static void open_play(Play *play, WmContext *context, uint32_t seed) {
  *play = (Play){.random = {seed}};
  if (seed % 2) {
    open_partitioned_square(&play->world, context, 3, (int32_t)(seed / 2 % 4));
  } else {
    WmConfig config = small_tiles((int32_t)(seed / 2 % 4));
    config.tile_size = 20;
    config.cell_size = 0.5f;
    config.heights = (int32_t)(seed / 4 % 2);
    config.median_filter = seed % 8 == 0;
    if (seed % 3 == 0) { /* many small regions, which are merged; rebuilds retain their contours */
      config.partition = seed % 4 ? WM_PARTITION_LAYERS : WM_PARTITION_MONOTONE;
      config.min_region_size = (float)(seed / 6 % 3);
      config.merge_region_size = 30;
      config.chunk_size = 3 + (int32_t)(seed / 6 % 4);
      config.agent_radius = 0.3f;
    }
    const Scene scene = make_random_scene(seed);
    open_world(&play->world, context, scene, config, scene_input(&scene));
  }
}

static void close_play(Play *play) {
  wm_dynamic_destroy(play->helper);
  wm_mesh_destroy(play->helper_mesh);
  free(play->gone);
  close_world(&play->world);
}

static void play_seed(const char *kind, uint32_t seed, float lattice) {
  static Play play;
  char name[32];
  snprintf(name, sizeof name, "%s-%u", kind, (unsigned)seed);
  WmContext *context = wm_context_create(NULL);
  trace_begin(name);
  open_play(&play, context, seed);
  play.lattice = lattice;
  open_helper(&play);
  run(&play, 60);
  write_and_read(&play);
  run(&play, 40);
  close_play(&play);
  trace_end();
  wm_context_destroy(context);
}

static void every_tile_is_built_as_it_was(void) {
  const uint32_t seeds = trace_seeds(36);
  for (uint32_t seed = 1; seed <= seeds; seed++) play_seed("dynamic", seed, 0);
  if (seeds == 36)
    play_seed("dynamic", 120, 0); /* a region loses one of the raw regions that it is made of */
}

/* Obstacles that touch cells, tiles and each other exactly, move by their threshold, and rest for their time. */
static void every_tile_on_a_lattice_is_built_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(30); seed++)
    play_seed("lattice", seed, seed % 2 ? 0.4f : 0.25f);
}

/* ---- The cache ---------------------------------------------------------------------------------------- */

/* Moves two obstacles between a few places, so that tiles are found in the cache, displaced and removed. */
static void move_between(World *world, Random *random, const WmObstacle obstacles[2], int places) {
  for (int i = 0; i < 2; i++) {
    const float place = (float)random_below(random, places);
    const float position[3] = {2 + 0.5f * place, 0, i ? 3 + 0.25f * place : 6};
    trace_status(world->context, wm_dynamic_move_obstacles(world->dynamic, &obstacles[i], position, NULL, 1));
  }
  WmTileChange change = {0};
  while (wm_dynamic_dirty_count(world->dynamic)) {
    trace_change(world->context, wm_dynamic_step(world->dynamic, &change), &change);
    trace_number(wm_dynamic_cache_bytes(world->dynamic));
  }
}

/* Budgets around the bytes in use, and around those of the last entry. */
static void limit_cache(World *world, Random *random, size_t *bytes) {
  WmDynamic *dynamic = world->dynamic;
  const size_t now = wm_dynamic_cache_bytes(dynamic);
  const size_t budgets[] = {now, now - 1, now + 1, 8 * now, *bytes, 1 << 20, 1 << 20, 0};
  wm_dynamic_limit_cache(dynamic, budgets[random_below(random, 8)]);
  trace_number(wm_dynamic_cache_bytes(dynamic));
  *bytes = now;
  const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, 0, 0, 0);
  if (tile) trace_status(world->context, wm_mesh_set_polygon_flags(world->mesh, tile->ref, 2));
}

static void play_cache(uint32_t seed) {
  char name[32];
  snprintf(name, sizeof name, "cache-%u", (unsigned)seed);
  WmContext *context = wm_context_create(NULL);
  World world;
  Random random = {seed};
  WmObstacle obstacles[2];
  size_t bytes = 0;
  trace_begin(name);
  open_partitioned_square(&world, context, 2, (int32_t)(seed % 3));
  wm_dynamic_limit_cache(world.dynamic, 1 << 20);
  for (int i = 0; i < 2; i++) {
    const WmAreaVolume volume = crate(3, 3);
    trace_status(context, wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacles[i]));
  }
  for (int round = 0; round < 36; round++) {
    move_between(&world, &random, obstacles, 2 + round / 12);
    if (round % 6 == 5) limit_cache(&world, &random, &bytes);
  }
  trace_number(hash_mesh(world.mesh));
  close_world(&world);
  trace_end();
  wm_context_destroy(context);
}

static void the_cache_keeps_what_it_kept(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(3); seed++) play_cache(seed);
}

int main(void) {
  trace_open("dynamic");
  RUN(every_tile_is_built_as_it_was);
  RUN(every_tile_on_a_lattice_is_built_as_it_was);
  RUN(the_cache_keeps_what_it_kept);
  trace_close();
  return check_finish();
}
