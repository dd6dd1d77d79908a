/* Generated links of dynamic meshes: after any changes, in any order and by any side, they are those of a new generator. */
#include "dynamic/dynamic_links.h"

#include "dynamic/state/saved_state.h"
#include "dynamic/tile_jobs.h"
#include "link_world.h"
#include "mesh/mesh_internal.h"

enum { OBSTACLES = 12, JOBS = 4 };

/* A tile job that was handed out, and its result; x is -1: none. */
typedef struct Out {
  WmTileJob job;
  WmTileData data;
} Out;

/* A world, what was removed from it, and jobs that are out. */
typedef struct Player {
  World world;
  Random random;
  WmObstacle obstacles[OBSTACLES];
  int obstacle_count;
  uint8_t **kept; /* [columns * rows] joined tiles, as after the bake */
  size_t *kept_bytes;
  WmTileData *tiles; /* without obstacles */
  WmMesh *helper_mesh;
  WmDynamic *helper;
  Out out[JOBS];
} Player;

static void open_player(Player *player, WmContext *context, uint32_t seed) {
  *player = (Player){.random = {seed}};
  World *world = &player->world;
  WmConfig config = small_tiles((int32_t)(seed % 4));
  config.tile_size = 12 + 4 * (int32_t)(seed % 4);
  const Scene scene = make_random_scene(seed);
  WmBakeInput input = scene_input(&scene);
  static const WmAreaVolume volumes[2] = {
      {.kind = WM_AREA_VOLUME_BOX, .minimum = {2, -1, 2}, .maximum = {4, 3, 3}},
      {.kind = WM_AREA_VOLUME_BOX, .area = 7, .minimum = {6, -1, 2}, .maximum = {8, 3, 6}}};
  input.volumes = volumes;
  input.volume_count = seed % 2 ? 2 : 0;
  const WmLinkConfig links = all_links(&config);
  open_link_world(world, context, scene, config, input, &links);
  const size_t count = (size_t)world->columns * (size_t)world->rows;
  player->kept = calloc(count, sizeof *player->kept);
  player->kept_bytes = calloc(count, sizeof *player->kept_bytes);
  player->tiles = calloc(count, sizeof *player->tiles);
  for (size_t i = 0; i < count; i++) {
    const int32_t x = (int32_t)i % world->columns, z = (int32_t)i / world->columns;
    const uint8_t *kept = wm_dynamic_kept_tile(world->dynamic, x, z, &player->kept_bytes[i]);
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, x, z, 0);
    player->kept[i] = malloc(player->kept_bytes[i]);
    memcpy(player->kept[i], kept, player->kept_bytes[i]);
    if (!tile) continue;
    player->tiles[i] = (WmTileData){malloc(tile->byte_count), tile->byte_count};
    memcpy(player->tiles[i].bytes, tile->bytes, tile->byte_count);
  }
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_dynamic_write_helper(world->dynamic, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_read(context, bytes, byte_count, &player->helper_mesh, &player->helper), WM_OK);
  CHECK(wm_dynamic_link_config(player->helper) == NULL);
  wm_block_free(context, bytes);
  for (int i = 0; i < JOBS; i++) player->out[i].job.x = -1;
}

static void drop_job(Player *player, Out *out) {
  wm_block_free(player->world.context, out->job.obstacles);
  wm_tile_data_free(player->world.context, &out->data);
  *out = (Out){.job = {.x = -1}};
}

static void close_player(Player *player) {
  const size_t count = (size_t)player->world.columns * (size_t)player->world.rows;
  for (int i = 0; i < JOBS; i++) drop_job(player, &player->out[i]);
  for (size_t i = 0; i < count; i++) {
    free(player->kept[i]);
    free(player->tiles[i].bytes);
  }
  free(player->kept);
  free(player->kept_bytes);
  free(player->tiles);
  wm_dynamic_destroy(player->helper);
  wm_mesh_destroy(player->helper_mesh);
  close_world(&player->world);
}

static void take_job(Player *player, Out *out) {
  WmDynamic *dynamic = player->world.dynamic;
  CHECK_EQUAL_INT(wm_dynamic_take_job(dynamic, &out->job), WM_OK);
  if (out->job.x < 0) return;
  size_t byte_count;
  const uint8_t *kept = wm_dynamic_kept_tile(dynamic, out->job.x, out->job.z, &byte_count);
  CHECK_EQUAL_INT(wm_dynamic_keep_tile(player->helper, out->job.x, out->job.z, kept, byte_count, true),
                  WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_do_job(player->helper, out->job.x, out->job.z, out->job.obstacles,
                                    out->job.obstacle_bytes, &out->data),
                  WM_OK);
}

static void end_job(Player *player, Out *out) {
  WmTileChange change;
  const WmTileJob *job = &out->job;
  if (random_below(&player->random, 4)) {
    CHECK_EQUAL_INT(wm_dynamic_finish_job(player->world.dynamic, job->x, job->z, job->ticket, out->data.bytes,
                                          out->data.byte_count, &change),
                    WM_OK);
  } else {
    CHECK_EQUAL_INT(wm_dynamic_give_up_job(player->world.dynamic, job->x, job->z, job->ticket), WM_OK);
  }
  drop_job(player, out);
}

static void change_obstacles(Player *player) {
  Random *random = &player->random;
  WmDynamic *dynamic = player->world.dynamic;
  float outline[OUTLINE][3];
  const int what = random_below(random, 4);
  if (what < 2 && player->obstacle_count < OBSTACLES) {
    const WmAreaVolume volume = random_obstacle(random, &player->world, outline);
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(dynamic, &volume, &player->obstacles[player->obstacle_count++]),
                    WM_OK);
  } else if (what == 2 && player->obstacle_count > 0) {
    const WmAreaVolume volume = random_obstacle(random, &player->world, outline);
    const int changed = random_below(random, player->obstacle_count);
    CHECK_EQUAL_INT(wm_dynamic_change_obstacle(dynamic, player->obstacles[changed], &volume), WM_OK);
  } else if (player->obstacle_count > 0) {
    const int gone = random_below(random, player->obstacle_count);
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, player->obstacles[gone]), WM_OK);
    player->obstacles[gone] = player->obstacles[--player->obstacle_count];
  }
}

/* Removes a tile, or adds it again: built, to be built, or without its air. */
static void stream_tile(Player *player) {
  Random *random = &player->random;
  World *world = &player->world;
  const int32_t i = random_below(random, world->columns * world->rows);
  const int32_t x = i % world->columns, z = i / world->columns;
  size_t byte_count, kept_bytes, air_bytes;
  WmTileChange change;
  if (wm_dynamic_kept_tile(world->dynamic, x, z, &byte_count)) {
    CHECK_EQUAL_INT(wm_dynamic_drop_tile(world->dynamic, x, z), WM_OK);
    CHECK(wm_mesh_links_at(world->mesh, x, z, false, &byte_count, NULL) == NULL && byte_count == 0);
  } else if (random_below(random, 2)) {
    CHECK_EQUAL_INT(wm_dynamic_keep_built_tile(world->dynamic, x, z, player->kept[i], player->kept_bytes[i],
                                               player->tiles[i].bytes, player->tiles[i].byte_count, &change),
                    WM_OK);
  } else {
    wm_kept_tile_split(player->kept[i], player->kept_bytes[i], &kept_bytes, &air_bytes);
    byte_count = random_below(random, 8) ? player->kept_bytes[i] : kept_bytes;
    CHECK_EQUAL_INT(wm_dynamic_keep_tile(world->dynamic, x, z, player->kept[i], byte_count, false), WM_OK);
  }
}

/* Continues with the dynamic mesh that is read from the written one. */
static void reopen(Player *player) {
  World *world = &player->world;
  uint8_t *bytes, *again;
  size_t byte_count, again_count;
  WmMesh *mesh;
  WmDynamic *dynamic;
  CHECK_EQUAL_INT(wm_dynamic_write(world->dynamic, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_read(world->context, bytes, byte_count, &mesh, &dynamic), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_write(dynamic, &again, &again_count), WM_OK);
  if (wm_dynamic_dirty_count(world->dynamic) == 0) {
    CHECK(again_count == byte_count && memcmp(bytes, again, byte_count) == 0);
    CHECK_EQUAL_INT(wm_dynamic_dirty_count(dynamic), 0);
  }
  wm_block_free(world->context, bytes);
  wm_block_free(world->context, again);
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  world->mesh = mesh;
  world->dynamic = dynamic;
  for (int i = 0; i < JOBS; i++) drop_job(player, &player->out[i]); /* their tiles are dirty again */
}

static void act(Player *player) {
  Random *random = &player->random;
  Out *out = &player->out[random_below(random, JOBS)];
  WmTileChange change;
  const int what = random_below(random, 20);
  if (what < 8) {
    change_obstacles(player);
  } else if (what < 10) {
    stream_tile(player);
  } else if (what < 12) {
    if (out->job.x < 0) {
      take_job(player, out);
    } else {
      end_job(player, out);
    }
  } else if (what == 12) {
    wm_dynamic_limit_cache(player->world.dynamic,
                           (size_t)random_below(random, 3) * (size_t)random_below(random, 200000));
  } else if (what == 13) {
    const float points[3] = {between(random, 0, 20), 0, between(random, 0, 20)};
    CHECK_EQUAL_INT(wm_dynamic_set_focus(player->world.dynamic, points, (size_t)random_below(random, 2)),
                    WM_OK);
  } else if (what == 14 && random_below(random, 4) == 0) {
    reopen(player);
  } else {
    for (int steps = random_below(random, 8); steps > 0; steps--) {
      CHECK_EQUAL_INT(wm_dynamic_step(player->world.dynamic, &change), WM_OK);
    }
  }
  CHECK(wm_dynamic_validate(player->world.dynamic));
}

static void any_sequence_equals_a_new_generator(void) {
  WmContext *context = wm_context_create(NULL);
  size_t links = 0;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(12); seed++) {
    Player player;
    open_player(&player, context, seed);
    update_links(&player.world);
    links += check_against_generator(&player.world);
    for (int sequence = 0; sequence < 8; sequence++) {
      for (int actions = 4 + random_below(&player.random, 30); actions > 0; actions--) act(&player);
      for (int i = 0; i < JOBS; i++) {
        if (player.out[i].job.x >= 0) end_job(&player, &player.out[i]);
      }
      update_links(&player.world);
      check_against_generator(&player.world);
      CHECK(wm_mesh_validate(player.world.mesh));
    }
    close_player(&player);
  }
  CHECK(links > 0);
  wm_context_destroy(context);
}

int main(void) {
  RUN(any_sequence_equals_a_new_generator);
  return check_finish();
}
