/* Tiles that are built by jobs elsewhere: after any changes meanwhile, the mesh ends as that of a full
 * bake. */
#include "dynamic/tile_jobs.h"

#include "dynamic/state/saved_state.h"
#include "dynamic_world.h"

enum { JOBS = 12, OBSTACLES = 16 };

/* The worker: it has a context of its own and copies of kept tiles. */
typedef struct Helper {
  WmContext *context;
  WmMesh *mesh;
  WmDynamic *dynamic;
  uint32_t has[256];
} Helper;

static Helper open_helper(const World *world) {
  Helper helper = {.context = wm_context_create(NULL)};
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_dynamic_write_helper(world->dynamic, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_read(helper.context, bytes, byte_count, &helper.mesh, &helper.dynamic), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_obstacle_count(helper.dynamic), 0);
  wm_block_free(world->context, bytes);
  CHECK(world->columns * world->rows <= 256);
  return helper;
}

static void close_helper(Helper *helper) {
  wm_dynamic_destroy(helper->dynamic);
  wm_mesh_destroy(helper->mesh);
  wm_context_destroy(helper->context);
}

/* A running job, and the tile that it built. */
typedef struct Out {
  WmTileJob job;
  WmTileData data;
} Out;

static bool take(World *world, Helper *helper, Out *out) {
  WmTileJob *job = &out->job;
  CHECK_EQUAL_INT(wm_dynamic_take_job(world->dynamic, job), WM_OK);
  if (job->x < 0) return false;
  const int32_t tile = job->z * world->columns + job->x;
  if (helper->has[tile] != job->kept_number) {
    size_t byte_count;
    const uint8_t *kept = wm_dynamic_kept_tile(world->dynamic, job->x, job->z, &byte_count);
    CHECK_EQUAL_INT(wm_dynamic_keep_tile(helper->dynamic, job->x, job->z, kept, byte_count, true), WM_OK);
    helper->has[tile] = job->kept_number;
  }
  CHECK_EQUAL_INT(
      wm_dynamic_do_job(helper->dynamic, job->x, job->z, job->obstacles, job->obstacle_bytes, &out->data),
      WM_OK);
  wm_block_free(world->context, job->obstacles);
  return true;
}

static void finish(World *world, Helper *helper, Out *out) {
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_finish_job(world->dynamic, out->job.x, out->job.z, out->job.ticket,
                                        out->data.bytes, out->data.byte_count, &change),
                  WM_OK);
  if (change.x >= 0) {
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, change.x, change.z, 0);
    CHECK(change.after == (tile ? tile->ref : 0) && change.is_changed == (change.after != change.before));
  }
  /* A ticket is valid once. */
  CHECK_EQUAL_INT(
      wm_dynamic_finish_job(world->dynamic, out->job.x, out->job.z, out->job.ticket, NULL, 0, &change),
      WM_OK);
  CHECK_EQUAL_INT(change.x, -1);
  wm_tile_data_free(helper->context, &out->data);
}

/* Obstacles are added, changed and removed, updates are made here, and up to JOBS tiles are built elsewhere,
 * which return in any order. */
static void play(World *world, Helper *helper, Random *random, int actions) {
  WmObstacle handles[OBSTACLES];
  WmAreaVolume volumes[OBSTACLES];
  float outlines[OBSTACLES][OUTLINE][3];
  Out out[JOBS];
  int count = 0, out_count = 0;
  for (int action = 0; action < actions; action++) {
    const int what = random_below(random, 12);
    if (what < 3 && count < OBSTACLES) {
      volumes[count] = random_obstacle(random, world, outlines[count]);
      CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world->dynamic, &volumes[count], &handles[count]), WM_OK);
      count++;
    } else if (what < 5 && count) {
      const int one = random_below(random, count);
      volumes[one] = random_obstacle(random, world, outlines[one]);
      CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world->dynamic, handles[one], &volumes[one]), WM_OK);
    } else if (what < 6 && count) {
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world->dynamic, handles[--count]), WM_OK);
    } else if (what < 9 && out_count < JOBS) {
      out_count += take(world, helper, &out[out_count]);
    } else if (what < 11 && out_count) {
      const int one = random_below(random, out_count);
      if (random_below(random, 4) == 0) {
        const WmTileJob *job = &out[one].job;
        CHECK_EQUAL_INT(wm_dynamic_give_up_job(world->dynamic, job->x, job->z, job->ticket), WM_OK);
      }
      finish(world, helper, &out[one]);
      out[one] = out[--out_count];
    } else {
      WmTileChange change;
      CHECK_EQUAL_INT(wm_dynamic_step(world->dynamic, &change), WM_OK);
    }
    if (out_count && random_below(random, 10) == 0) {
      /* While a job runs, the kept tile is replaced, or the tile is removed and added again. */
      const WmTileJob *job = &out[random_below(random, out_count)].job;
      size_t byte_count;
      const uint8_t *kept = wm_dynamic_kept_tile(world->dynamic, job->x, job->z, &byte_count);
      uint8_t *copy = malloc(byte_count);
      memcpy(copy, kept, byte_count);
      if (random_below(random, 2)) {
        CHECK_EQUAL_INT(wm_dynamic_drop_tile(world->dynamic, job->x, job->z), WM_OK);
      }
      CHECK_EQUAL_INT(wm_dynamic_keep_tile(world->dynamic, job->x, job->z, copy, byte_count, false), WM_OK);
      free(copy);
    }
  }
  while (out_count) finish(world, helper, &out[--out_count]);
  Out last;
  while (take(world, helper, &last)) finish(world, helper, &last);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world->dynamic), 0);
  check_against_bake(world, volumes, (size_t)count);
  for (int i = 0; i < count; i++) {
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world->dynamic, handles[i]), WM_OK);
  }
}

static void any_sequence_with_jobs_out_equals_a_bake(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {11};
  for (uint32_t seed = 1; seed <= 6; seed++) {
    World world;
    const Scene scene = make_random_scene(seed);
    open_world(&world, context, scene, small_tiles((int32_t)(seed % 4)), scene_input(&scene));
    Helper helper = open_helper(&world);
    const uint64_t first = hash_mesh(world.mesh);
    for (int round = 0; round < 4; round++) play(&world, &helper, &random, 60);
    update_all(&world);
    CHECK(hash_mesh(world.mesh) == first);
    close_helper(&helper);
    close_world(&world);
  }
  wm_context_destroy(context);
}

/* Changes during a job aren't lost: the result of the job is put into the mesh, and the tile is built
 * again. */
static void a_change_while_a_tile_is_out_makes_it_dirty_again(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 2);
  Helper helper = open_helper(&world);
  WmObstacle obstacle;
  WmAreaVolume volume = crate(4, 4);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
  Out out;
  CHECK(take(&world, &helper, &out));
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
  CHECK_EQUAL_INT(change.x, -1);
  volume = crate(5, 5);
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
  WmTileJob none;
  CHECK_EQUAL_INT(wm_dynamic_take_job(world.dynamic, &none), WM_OK);
  CHECK_EQUAL_INT(none.x, -1);
  const uint64_t before = hash_mesh(world.mesh);
  finish(&world, &helper, &out);
  CHECK(hash_mesh(world.mesh) != before);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
  /* A tile that is saved during its job is dirty in the mesh that is read. */
  CHECK(take(&world, &helper, &out));
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_dynamic_write(world.dynamic, &bytes, &byte_count), WM_OK);
  World read = world;
  CHECK_EQUAL_INT(wm_dynamic_read(context, bytes, byte_count, &read.mesh, &read.dynamic), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(read.dynamic), 1);
  update_all(&read);
  check_against_bake(&read, &volume, 1);
  wm_dynamic_destroy(read.dynamic);
  wm_mesh_destroy(read.mesh);
  wm_block_free(context, bytes);
  /* Results that are broken, or belong to another tile, change nothing. */
  WmTileHeader header;
  memcpy(&header, out.data.bytes, sizeof header);
  header.x = 1;
  memcpy(out.data.bytes, &header, sizeof header);
  const uint64_t now = hash_mesh(world.mesh);
  CHECK_EQUAL_INT(wm_dynamic_finish_job(world.dynamic, out.job.x, out.job.z, out.job.ticket, out.data.bytes,
                                        out.data.byte_count, &change),
                  WM_ERROR_INVALID_ARGUMENT);
  wm_tile_data_free(helper.context, &out.data);
  CHECK(hash_mesh(world.mesh) == now && change.x == -1);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
  CHECK(take(&world, &helper, &out));
  CHECK_EQUAL_INT(wm_dynamic_finish_job(world.dynamic, out.job.x, out.job.z, out.job.ticket, out.data.bytes,
                                        out.data.byte_count - 4, &change),
                  WM_ERROR_CORRUPT);
  wm_tile_data_free(helper.context, &out.data);
  CHECK_EQUAL_INT(wm_dynamic_finish_job(world.dynamic, 2, 0, 1, NULL, 0, &change), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_give_up_job(world.dynamic, 0, -1, 1), WM_ERROR_INVALID_ARGUMENT);
  update_all(&world);
  check_against_bake(&world, &volume, 1);
  close_helper(&helper);
  close_world(&world);
  wm_context_destroy(context);
}

/* Every wrong length, in a block of exactly that length, and every byte altered. */
static void hostile_obstacles_are_safe(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 2);
  Helper helper = open_helper(&world);
  const float outline[9] = {3, 0, 3, 9, 0, 4, 5, 0, 7};
  const WmAreaVolume volumes[2] = {crate(4, 4),
                                   {.kind = WM_AREA_VOLUME_PRISM,
                                    .before_erosion = true,
                                    .minimum = {0, -1, 0},
                                    .maximum = {0, 2, 0},
                                    .vertices = outline,
                                    .vertex_count = 3}};
  WmObstacle obstacle;
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volumes[i], &obstacle), WM_OK);
  }
  WmTileJob job;
  WmTileData data;
  CHECK_EQUAL_INT(wm_dynamic_take_job(world.dynamic, &job), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_do_job(helper.dynamic, job.x, job.z, job.obstacles, job.obstacle_bytes, &data),
                  WM_ERROR_STATE);
  size_t byte_count;
  const uint8_t *kept = wm_dynamic_kept_tile(world.dynamic, job.x, job.z, &byte_count);
  CHECK_EQUAL_INT(wm_dynamic_keep_tile(helper.dynamic, job.x, job.z, kept, byte_count, true), WM_OK);
  for (size_t length = 0; length < job.obstacle_bytes; length++) {
    uint8_t *cut = malloc(length + !length);
    memcpy(cut, job.obstacles, length);
    CHECK_EQUAL_INT(wm_dynamic_do_job(helper.dynamic, job.x, job.z, cut, length, &data), WM_ERROR_CORRUPT);
    CHECK(data.bytes == NULL);
    free(cut);
  }
  for (size_t i = 0; i < job.obstacle_bytes; i++) {
    uint8_t *altered = malloc(job.obstacle_bytes);
    memcpy(altered, job.obstacles, job.obstacle_bytes);
    altered[i] ^= (uint8_t)(1 + i % 255);
    const WmStatus status =
        wm_dynamic_do_job(helper.dynamic, job.x, job.z, altered, job.obstacle_bytes, &data);
    CHECK(status == WM_OK || status == WM_ERROR_CORRUPT);
    wm_tile_data_free(helper.context, &data);
    free(altered);
  }
  CHECK_EQUAL_INT(wm_dynamic_do_job(helper.dynamic, 9, 0, job.obstacles, job.obstacle_bytes, &data),
                  WM_ERROR_INVALID_ARGUMENT);
  wm_block_free(context, job.obstacles);
  close_helper(&helper);
  close_world(&world);
  wm_context_destroy(context);
}

/* Tiles that are removed and added again with their former result: only tiles that obstacles touch are
 * rebuilt. */
static void tiles_that_come_built_need_not_be_built(void) {
  bool was_refused = true;
  for (int n = -1; was_refused && n < 1000; n++) { /* -1: allocations succeed */
    was_refused = n < 0;
    FailingAllocator memory = {INT32_MAX};
    const WmAllocator allocator = {failing_allocate, failing_release, &memory};
    WmContext *context = wm_context_create(&allocator);
    World world;
    open_square(&world, context, 2);
    const uint64_t first = hash_mesh(world.mesh);
    uint8_t *kept[4], *tiles[4];
    size_t kept_bytes[4], tile_bytes[4];
    for (int i = 0; i < 4; i++) {
      const uint8_t *bytes = wm_dynamic_kept_tile(world.dynamic, i % 2, i / 2, &kept_bytes[i]);
      const WmMeshTile *tile = wm_mesh_find_tile(world.mesh, i % 2, i / 2, 0);
      tile_bytes[i] = tile->byte_count;
      kept[i] = malloc(kept_bytes[i]);
      tiles[i] = malloc(tile_bytes[i]);
      memcpy(kept[i], bytes, kept_bytes[i]);
      memcpy(tiles[i], tile->bytes, tile_bytes[i]);
    }
    for (int i = 0; i < 4; i++) {
      CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, i % 2, i / 2), WM_OK);
    }
    WmObstacle obstacle;
    const WmAreaVolume volume = crate(4, 4);
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
    CHECK(wm_dynamic_is_touched(world.dynamic, 0, 0) && !wm_dynamic_is_touched(world.dynamic, 1, 1));
    CHECK(!wm_dynamic_is_touched(world.dynamic, -1, 0) && !wm_dynamic_is_touched(world.dynamic, 0, 2));
    WmTileChange change;
    CHECK_EQUAL_INT(wm_dynamic_keep_built_tile(world.dynamic, 0, 0, kept[0], kept_bytes[0], tiles[1],
                                               tile_bytes[1], &change),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK_EQUAL_INT(wm_dynamic_keep_built_tile(world.dynamic, 0, 0, kept[0], kept_bytes[0], tiles[0],
                                               tile_bytes[0] - 4, &change),
                    WM_ERROR_CORRUPT);
    CHECK_EQUAL_INT(wm_dynamic_keep_built_tile(world.dynamic, 0, 0, kept[0], kept_bytes[0] - 1, tiles[0],
                                               tile_bytes[0], &change),
                    WM_ERROR_CORRUPT);
    CHECK_EQUAL_INT(wm_dynamic_keep_built_tile(world.dynamic, 2, 0, kept[0], kept_bytes[0], tiles[0],
                                               tile_bytes[0], &change),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(wm_mesh_find_tile(world.mesh, 0, 0, 0) == NULL && wm_dynamic_dirty_count(world.dynamic) == 0);
    wm_context_trim(context);
    if (n >= 0) memory.left = n;
    for (int i = 0; i < 4; i++) {
      const WmStatus status = wm_dynamic_keep_built_tile(world.dynamic, i % 2, i / 2, kept[i], kept_bytes[i],
                                                         tiles[i], tile_bytes[i], &change);
      CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
      const WmMeshTile *tile = wm_mesh_find_tile(world.mesh, i % 2, i / 2, 0);
      CHECK((tile != NULL) == !status);
      if (!status) CHECK(change.before == 0 && change.after == tile->ref);
      if (!status) continue;
      was_refused = true;
      memory.left = INT32_MAX;
      i--;
    }
    CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
    memory.left = INT32_MAX;
    update_all(&world);
    check_against_bake(&world, &volume, 1);
    /* The tile is in the mesh already when its kept tile is refused: the former one is built again. */
    CHECK_EQUAL_INT(wm_dynamic_keep_built_tile(world.dynamic, 0, 0, kept[0], kept_bytes[0] - 1, tiles[0],
                                               tile_bytes[0], &change),
                    WM_ERROR_CORRUPT);
    CHECK(change.x == -1 && change.z == -1 && change.before == 0 && change.after == 0);
    CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
    update_all(&world);
    check_against_bake(&world, &volume, 1);
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
    update_all(&world);
    CHECK(hash_mesh(world.mesh) == first);
    for (int i = 0; i < 4; i++) {
      free(kept[i]);
      free(tiles[i]);
    }
    close_world(&world);
    wm_context_destroy(context);
    CHECK(n < 1000);
  }
}

/* Any allocation of either side fails: the failure is reported, nothing is lost, and the work can
 * continue. */
static void no_memory_is_an_error_and_nothing_is_lost(void) {
  bool was_refused = true;
  for (int n = 0; was_refused && n < 3000; n++) {
    was_refused = false;
    FailingAllocator memory = {INT32_MAX};
    const WmAllocator allocator = {failing_allocate, failing_release, &memory};
    WmContext *context = wm_context_create(&allocator);
    World world;
    open_square(&world, context, 2);
    WmObstacle obstacle;
    const WmAreaVolume volume = crate(4, 4);
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
    wm_context_trim(context);
    memory.left = n;
    uint8_t *bytes;
    size_t byte_count;
    WmMesh *mesh = NULL;
    WmDynamic *helper = NULL;
    WmTileJob job;
    WmTileData data = {NULL, 0};
    WmTileChange change = {.x = -1};
    WmStatus status = wm_dynamic_write_helper(world.dynamic, &bytes, &byte_count);
    if (status) CHECK(bytes == NULL && byte_count == 0);
    if (!status) status = wm_dynamic_read(context, bytes, byte_count, &mesh, &helper);
    if (!status) status = wm_dynamic_take_job(world.dynamic, &job);
    if (status) job = (WmTileJob){.x = -1};
    const bool has_job = !status;
    const uint8_t *kept = has_job ? wm_dynamic_kept_tile(world.dynamic, job.x, job.z, &byte_count) : NULL;
    if (!status) status = wm_dynamic_keep_tile(helper, job.x, job.z, kept, byte_count, true);
    if (!status) {
      status = wm_dynamic_do_job(helper, job.x, job.z, job.obstacles, job.obstacle_bytes, &data);
    }
    if (!status) {
      status = wm_dynamic_finish_job(world.dynamic, job.x, job.z, job.ticket, data.bytes, data.byte_count,
                                     &change);
    } else if (has_job) {
      CHECK_EQUAL_INT(wm_dynamic_give_up_job(world.dynamic, job.x, job.z, job.ticket), WM_OK);
    }
    CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
    was_refused = status != WM_OK;
    CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), was_refused);
    memory.left = INT32_MAX;
    update_all(&world);
    check_against_bake(&world, &volume, 1);
    wm_tile_data_free(context, &data);
    if (has_job) wm_block_free(context, job.obstacles);
    wm_block_free(context, bytes);
    wm_dynamic_destroy(helper);
    wm_mesh_destroy(mesh);
    close_world(&world);
    wm_context_destroy(context);
    CHECK(n < 3000);
    CHECK(was_refused || n > 20);
  }
}

int main(void) {
  RUN(any_sequence_with_jobs_out_equals_a_bake);
  RUN(a_change_while_a_tile_is_out_makes_it_dirty_again);
  RUN(hostile_obstacles_are_safe);
  RUN(tiles_that_come_built_need_not_be_built);
  RUN(no_memory_is_an_error_and_nothing_is_lost);
  return check_finish();
}
