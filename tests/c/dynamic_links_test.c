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
  float outline[OUTLINE][3];
  WmAreaVolume door; /* comes back to the same place */
  WmObstacle closed; /* 0: it is open */
  uint8_t **kept;    /* [columns * rows] joined tiles, as after the bake */
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
  player->door = random_obstacle(&player->random, world, player->outline);
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

/* Opens or closes the door, which now and then is another one. */
static void turn_door(Player *player) {
  WmDynamic *dynamic = player->world.dynamic;
  if (player->closed) {
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, player->closed), WM_OK);
    player->closed = 0;
    return;
  }
  if (random_below(&player->random, 6) == 0)
    player->door = random_obstacle(&player->random, &player->world, player->outline);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(dynamic, &player->door, &player->closed), WM_OK);
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
    CHECK(wm_mesh_links_at(world->mesh, x, z, 0, &byte_count, NULL) == NULL && byte_count == 0);
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

/* Chooses other kinds and limits; some change nothing, some switch all kinds off. */
static void configure_links(Player *player) {
  Random *random = &player->random;
  WmLinkConfig links = all_links(&player->world.config);
  const int kinds = random_below(random, 1 << WM_SEGMENT_LINK_KINDS);
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) links.kinds[kind].is_on = kinds >> kind & 1;
  links.jump_max_distance = between(random, 1, 6);
  links.drop_max_height = between(random, 2, 6);
  CHECK_EQUAL_INT(wm_dynamic_configure_links(player->world.dynamic, &links), WM_OK);
  if (kinds == 0) return;
  links.jump_max_distance = links.drop_max_height = links.climb_max_height = links.vault_max_height = -1;
  CHECK_EQUAL_INT(wm_dynamic_configure_links(player->world.dynamic, &links), WM_ERROR_CONFIGURATION);
}

static void act(Player *player) {
  Random *random = &player->random;
  Out *out = &player->out[random_below(random, JOBS)];
  WmTileChange change;
  const int what = random_below(random, 20);
  if (what < 5) {
    change_obstacles(player);
  } else if (what < 8) {
    turn_door(player);
  } else if (what < 10) {
    stream_tile(player);
  } else if (what < 12) {
    if (out->job.x < 0) {
      take_job(player, out);
    } else {
      end_job(player, out);
    }
  } else if (what == 15) {
    CHECK_EQUAL_INT(wm_dynamic_step_links(player->world.dynamic, &change), WM_OK);
    CHECK(change.x < 0 || change.of_links);
  } else if (what == 12) {
    wm_dynamic_limit_cache(player->world.dynamic,
                           (size_t)random_below(random, 3) * (size_t)random_below(random, 200000));
  } else if (what == 13) {
    const float points[3] = {between(random, 0, 20), 0, between(random, 0, 20)};
    CHECK_EQUAL_INT(wm_dynamic_set_focus(player->world.dynamic, points, (size_t)random_below(random, 2)),
                    WM_OK);
  } else if (what == 14 && random_below(random, 4) == 0) {
    reopen(player);
  } else if (what == 16 && random_below(random, 4) == 0) {
    configure_links(player);
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

/* Boxes and ramps on a ground, in small tiles. */
static void open_decks(World *world, WmContext *context) {
  WmConfig config = small_tiles(WM_PARTITION_WATERSHED);
  config.tile_size = 16;
  const Scene scene = make_random_scene(3);
  const WmLinkConfig links = all_links(&config);
  open_link_world(world, context, scene, config, scene_input(&scene), &links);
}

static void links_are_asked_for_once_and_before_tiles(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 2);
  WmLinkConfig links = all_links(&world.config);
  CHECK_EQUAL_INT(wm_dynamic_generate_links(world.dynamic, &links), WM_ERROR_STATE);
  for (int32_t i = 0; i < 4; i++) CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, i % 2, i / 2), WM_OK);
  links.kinds[WM_SEGMENT_LINK_DROP].area = 64;
  CHECK_EQUAL_INT(wm_dynamic_generate_links(world.dynamic, &links), WM_ERROR_CONFIGURATION);
  CHECK(wm_dynamic_link_config(world.dynamic) == NULL && wm_dynamic_link_bytes(world.dynamic) == 0);
  links.kinds[WM_SEGMENT_LINK_DROP].area = 3;
  CHECK_EQUAL_INT(wm_dynamic_generate_links(world.dynamic, &links), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_generate_links(world.dynamic, &links), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_dynamic_link_config(world.dynamic)->kinds[WM_SEGMENT_LINK_DROP].area, 3);
  wm_dynamic_destroy(world.dynamic);
  WmBakeInput eroded = world.input;
  eroded.kept_tiles_are_eroded = true;
  CHECK_EQUAL_INT(wm_dynamic_create(context, world.mesh, &world.config, &eroded, &world.dynamic), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_generate_links(world.dynamic, &links), WM_ERROR_STATE);
  close_world(&world);
  wm_context_destroy(context);
}

/* A step builds a tile or generates the links of a place, tiles first; each outdated place is one step. */
static void a_step_is_a_tile_or_the_links_of_a_place(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_decks(&world, context);
  const size_t places = (size_t)world.columns * (size_t)world.rows;
  CHECK_EQUAL_INT(wm_dynamic_dirty_link_count(world.dynamic), places);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), places);
  const float focus[3] = {world.high[0], 0, world.high[2]};
  CHECK_EQUAL_INT(wm_dynamic_set_focus(world.dynamic, focus, 1), WM_OK);
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
  CHECK(change.of_links && change.x == world.columns - 1 && change.z == world.rows - 1);
  update_links(&world);
  CHECK(check_against_generator(&world) > 0);
  CHECK(wm_dynamic_link_bytes(world.dynamic) > 0);
  /* An obstacle on one tile: that tile, then the places around it whose links may change. */
  WmObstacle obstacle;
  const float centre[2] = {1.5f * 16 * 0.4f, 1.5f * 16 * 0.4f};
  const WmAreaVolume box = {.kind = WM_AREA_VOLUME_BOX,
                            .minimum = {centre[0] - 0.5f, -1, centre[1] - 0.5f},
                            .maximum = {centre[0] + 0.5f, 3, centre[1] + 0.5f}};
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &box, &obstacle), WM_OK);
  const size_t tiles = wm_dynamic_dirty_count(world.dynamic);
  for (size_t i = 0; i < tiles; i++) {
    CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
    CHECK(change.x >= 0 && !change.of_links);
  }
  const size_t outdated = wm_dynamic_dirty_link_count(world.dynamic);
  CHECK(outdated > 0 && wm_dynamic_dirty_count(world.dynamic) == outdated);
  for (size_t i = 0; i < outdated; i++) {
    CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), outdated - i);
    CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
    CHECK(change.x >= 0 && change.of_links);
  }
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  check_against_generator(&world);
  close_world(&world);
  wm_context_destroy(context);
}

/* Links that another generator made, and that were put into the mesh, are followed as if they had been generated here. */
static void links_that_were_made_elsewhere_are_accepted(void) {
  WmContext *context = wm_context_create(NULL);
  World world, other;
  open_decks(&world, context);
  open_decks(&other, context);
  update_links(&other);
  for (int32_t i = 0; i < world.columns * world.rows; i++) {
    size_t count;
    const int32_t x = i % world.columns, z = i / world.columns;
    const WmSegmentLink *links = wm_mesh_links_at(other.mesh, x, z, 0, &count, NULL);
    CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, x, z, 0, links, count, NULL), WM_OK);
  }
  WmObstacle obstacle;
  WmTileChange change;
  const WmAreaVolume box = crate(world.high[0] / 2, world.high[2] / 2);
  wm_dynamic_accept_links(world.dynamic);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
  CHECK(change.x < 0);
  CHECK(check_against_generator(&world) > 0);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &box, &obstacle), WM_OK);
  update_links(&world);
  check_against_generator(&world);
  /* A tile that is dirty while links are accepted outdates those around it once it is built. */
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
  wm_dynamic_accept_links(world.dynamic);
  CHECK(wm_dynamic_dirty_count(world.dynamic) > 0 && wm_dynamic_dirty_link_count(world.dynamic) == 0);
  update_links(&world);
  check_against_generator(&world);
  close_world(&other);
  close_world(&world);
  wm_context_destroy(context);
}

/* On flat ground the polygons around an obstacle are divided in another way, but have the same surface. */
static void obstacles_on_flat_ground_outdate_what_reads_their_place(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  const WmConfig config = small_tiles(WM_PARTITION_MONOTONE);
  const float side = (float)config.tile_size * config.cell_size;
  const Scene scene = make_square(5 * side - 0.1f);
  const WmLinkConfig links = all_links(&config);
  open_link_world(&world, context, scene, config, scene_input(&scene), &links);
  update_links(&world);
  WmObstacle obstacle;
  WmTileChange change = {0};
  const WmAreaVolume box = crate(2.5f * side, 2.5f * side);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &box, &obstacle), WM_OK);
  for (int round = 0; round < 2; round++) {
    while (wm_dynamic_dirty_count(world.dynamic) > wm_dynamic_dirty_link_count(world.dynamic))
      CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
    CHECK(change.is_changed && change.x == 2 && change.z == 2);
    CHECK_EQUAL_INT(wm_dynamic_dirty_link_count(world.dynamic), 1);
    update_links(&world);
    check_against_generator(&world);
    if (round == 0) CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
  }
  close_world(&world);
  wm_context_destroy(context);
}

/* A tile is outdated when a tile beside it comes or goes, and with it the portals of its edges; those at its corners aren't. */
static void a_tile_that_goes_outdates_those_whose_edges_it_opens(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  WmConfig config = small_tiles(WM_PARTITION_MONOTONE);
  config.tile_size = 8; /* links lead over it */
  const Scene scene = make_square(5 * 8 * config.cell_size - 0.1f);
  const WmLinkConfig links = all_links(&config);
  open_link_world(&world, context, scene, config, scene_input(&scene), &links);
  WmLinkGenerator *generator = make_generator(&world);
  WmLinkResult result;
  CHECK_EQUAL_INT(wm_link_generator_limit_cache(generator, 1 << 24, 1 << 24), WM_OK);
  for (int32_t i = 0; i < 25; i++) {
    CHECK_EQUAL_INT(wm_link_generator_run(generator, world.mesh, i % 5, i / 5, false, &result), WM_OK);
    CHECK_EQUAL_INT(result.link_count, 0);
    wm_link_result_free(context, &result);
  }
  CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, wm_mesh_find_tile(world.mesh, 2, 2, 0)->ref), WM_OK);
  wm_link_generator_tile_changed(generator, 2, 2);
  WmLinkGenerator *other = make_generator(&world);
  for (int32_t i = 0; i < 25; i++) {
    const bool is_outdated = wm_link_generator_is_outdated(generator, world.mesh, i % 5, i / 5);
    const int32_t apart = abs(i % 5 - 2) + abs(i / 5 - 2);
    CHECK_EQUAL_INT(wm_link_generator_run(other, world.mesh, i % 5, i / 5, false, &result), WM_OK);
    CHECK((result.link_count > 0) == (apart == 1));
    CHECK(is_outdated == (apart < 2));
    wm_link_result_free(context, &result);
  }
  wm_link_generator_destroy(other);
  wm_link_generator_destroy(generator);
  close_world(&world);
  wm_context_destroy(context);
}

/* Links can be configured at any time, off and on again, if the tiles have air; the air stays. */
static void links_are_configured_again(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_decks(&world, context);
  update_links(&world);
  const size_t count = wm_mesh_segment_link_count(world.mesh);
  WmLinkConfig links = wm_dynamic_default_links(world.dynamic);
  CHECK(!wm_link_config_is_on(&links) && links.thinning == world.config.agent_radius);
  CHECK_EQUAL_INT(wm_dynamic_configure_links(world.dynamic, &links), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_link_count(world.dynamic), (size_t)(world.columns * world.rows));
  CHECK_EQUAL_INT(wm_mesh_segment_link_count(world.mesh), count); /* until the steps */
  update_links(&world);
  CHECK_EQUAL_INT(wm_mesh_segment_link_count(world.mesh), 0);
  links = all_links(&world.config);
  CHECK_EQUAL_INT(wm_dynamic_configure_links(world.dynamic, &links), WM_OK);
  update_links(&world);
  CHECK(count > 0 && wm_mesh_segment_link_count(world.mesh) == count);
  check_against_generator(&world);
  links.thinning = -1;
  CHECK_EQUAL_INT(wm_dynamic_configure_links(world.dynamic, &links), WM_ERROR_CONFIGURATION);
  CHECK_EQUAL_INT(wm_dynamic_dirty_link_count(world.dynamic), 0);
  CHECK(wm_dynamic_link_config(world.dynamic)->thinning > 0);
  close_world(&world);
  open_square(&world, context, 2);
  links.thinning = 0;
  CHECK_EQUAL_INT(wm_dynamic_configure_links(world.dynamic, &links), WM_ERROR_STATE);
  close_world(&world);
  wm_context_destroy(context);
}

/* Platforms of two by two cells, two cells apart, in rows of `side` each; then a gap, and two more. */
static Scene make_platforms(int side, float cell, float gap) {
  const size_t count = (size_t)side * (size_t)side + 2;
  Scene scene = {.positions = malloc(12 * count * sizeof(float)),
                 .indices = malloc(6 * count * sizeof(uint32_t))};
  static const uint32_t CORNERS[6] = {0, 1, 2, 0, 2, 3};
  for (size_t i = 0; i < count; i++) {
    const bool is_last = i + 2 >= count;
    const size_t row = is_last ? 0 : i / (size_t)side,
                 column = is_last ? (size_t)side + i + 2 - count : i % (size_t)side;
    const float x = 4 * cell * (float)column + (is_last ? gap : 0), z = 4 * cell * (float)row;
    for (size_t k = 0; k < 4; k++) {
      float *corner = scene.positions + 3 * (4 * i + k);
      corner[0] = x + (k >= 2 ? 2 * cell : 0);
      corner[1] = 0;
      corner[2] = z + (k == 1 || k == 2 ? 2 * cell : 0);
    }
    for (size_t k = 0; k < 6; k++) scene.indices[6 * i + k] = (uint32_t)(4 * i) + CORNERS[k];
  }
  scene.vertex_count = 4 * count;
  scene.triangle_count = 2 * count;
  return scene;
}

/* More links than a set can have: the error comes once, and the place has no links; others get theirs. */
static void a_place_with_too_many_links_blocks_no_others(void) {
  enum { SIDE = 92 };
  WmContext *context = wm_context_create(NULL);
  World world;
  WmConfig config = wm_config_default();
  config.cell_size = 0.25f;
  config.agent_radius = 0;
  config.tile_size = 4 * SIDE + 8;
  config.min_region_size = config.merge_region_size = 0;
  config.max_edge_error = 0.1f;
  config.filter_ledges = false;
  config.partition = WM_PARTITION_MONOTONE;
  config.detail_sample_distance = 0;
  const Scene scene = make_platforms(SIDE, config.cell_size, 8 * config.cell_size);
  WmLinkConfig links = wm_link_config_default(&config);
  links.kinds[WM_SEGMENT_LINK_JUMP].is_on = true;
  links.jump_max_distance = 3 * config.cell_size;
  open_link_world(&world, context, scene, config, scene_input(&scene), &links);
  CHECK_EQUAL_INT(world.columns, 2);
  CHECK_EQUAL_INT(world.rows, 1);
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_ERROR_LIMIT);
  CHECK(change.x == 0 && change.z == 0 && change.of_links && !change.is_changed && change.after == 0);
  CHECK(wm_context_error(context)->value > WM_LINK_SET_LIMIT);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
  CHECK(change.x == 1 && change.of_links && change.is_changed);
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
  CHECK_EQUAL_INT(change.x, -1);
  CHECK(wm_dynamic_validate(world.dynamic));
  size_t count;
  CHECK(wm_mesh_links_at(world.mesh, 0, 0, 0, &count, NULL) == NULL);
  CHECK(wm_mesh_links_at(world.mesh, 1, 0, 0, &count, NULL) != NULL);
  close_world(&world);
  wm_context_destroy(context);
}

/* Volumes over the ground leave its polygons as they are, but block the air. */
static void volumes_in_the_air_outdate_links(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_decks(&world, context);
  update_links(&world);
  WmObstacle obstacle;
  const float middle[2] = {0.5f * (world.low[0] + world.high[0]), 0.5f * (world.low[2] + world.high[2])};
  WmAreaVolume box = {.kind = WM_AREA_VOLUME_BOX,
                      .minimum = {middle[0] - 1, world.high[1] - 0.2f, middle[1] - 1},
                      .maximum = {middle[0] + 1, world.high[1] - 0.1f, middle[1] + 1}};
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &box, &obstacle), WM_OK);
  size_t changed = 0, outdated = 0;
  WmTileChange change;
  do {
    CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
    changed += change.is_changed && !change.of_links;
    outdated += change.x >= 0 && change.of_links;
  } while (change.x >= 0);
  CHECK(changed == 0 && outdated > 0);
  check_against_generator(&world);
  box.area = 5; /* such a volume blocks nothing */
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &box), WM_OK);
  update_links(&world);
  check_against_generator(&world);
  close_world(&world);
  wm_context_destroy(context);
}

/* A floor, z up to 9, and a smaller one beyond a gap of 1 m on x. Seen from above:
 *
 *      0        8 9    13
 *      +--------+ +-----+
 *      |        | |  #  |   #: an obstacle that leaves no ground around it
 *      +--------+ +-----+
 */
static Scene make_two_floors(void) {
  static const float BOUNDS[2][4] = {{0, 0, 8, 9}, {9, 0.4f, 13, 8.6f}};
  Scene scene = {malloc(24 * sizeof(float)), malloc(12 * sizeof(uint32_t)), 8, 4};
  for (uint32_t floor = 0; floor < 2; floor++) {
    const float *bounds = BOUNDS[floor];
    for (uint32_t i = 0; i < 4; i++) {
      float *position = scene.positions + 3 * (4 * floor + i);
      position[0] = bounds[i & 1 ? 2 : 0];
      position[1] = 0;
      position[2] = bounds[i & 2 ? 3 : 1];
    }
    const uint32_t corners[6] = {0, 2, 1, 1, 2, 3};
    for (uint32_t k = 0; k < 6; k++) scene.indices[6 * floor + k] = 4 * floor + corners[k];
  }
  return scene;
}

/* An obstacle between the two floors comes and goes. Links equal those of a full generation both times, and there are some when it is gone.
 * returns    the number of links while the obstacle stands */
static size_t count_links_beside(const WmAreaVolume *volume) {
  WmContext *context = wm_context_create(NULL);
  World world;
  WmConfig config = small_tiles(WM_PARTITION_WATERSHED);
  config.cell_size = 0.2f;
  config.agent_radius = 1.2f;
  const Scene scene = make_two_floors();
  const WmLinkConfig links = all_links(&config);
  open_link_world(&world, context, scene, config, scene_input(&scene), &links);
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, volume, &obstacle), WM_OK);
  update_links(&world);
  const size_t count = check_against_generator(&world);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
  update_links(&world);
  CHECK(check_against_generator(&world) > 0);
  close_world(&world);
  wm_context_destroy(context);
  return count;
}

/* The lines away from a border land nowhere, and lead past the obstacle. Ground that comes back beside it, where the air stays as it
 * was, has links. */
static void ground_that_comes_back_has_links(void) {
  const WmAreaVolume box = {.kind = WM_AREA_VOLUME_BOX,
                            .before_erosion = true,
                            .minimum = {10.5f, -1, 2.6f},
                            .maximum = {11.5f, 1, 6.4f}};
  CHECK_EQUAL_INT(count_links_beside(&box), 0);
}

/* A pillar in the gap stops the lines of some positions, and is noticed beside others: its distance from those that are stopped is more
 * than what is left of their flights. All of them have links again when it is gone. */
static void links_return_when_a_pillar_is_gone(void) {
  const WmAreaVolume pillar = {
      .kind = WM_AREA_VOLUME_BOX, .minimum = {8.3f, -1, 4}, .maximum = {8.7f, 2.8f, 5}};
  count_links_beside(&pillar);
}

static void links_wait_for_tiles_that_are_built_elsewhere(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_decks(&world, context);
  update_links(&world);
  WmObstacle obstacle;
  const WmAreaVolume volume = crate(1.5f * 16 * 0.4f, 1.5f * 16 * 0.4f);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  WmTileJob job;
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_take_job(world.dynamic, &job), WM_OK);
  /* Places between the job's tile and another one that changes. */
  const int32_t far = job.x + 2 < world.columns ? job.x + 2 : job.x - 2;
  CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, far, job.z), WM_OK);
  do {
    CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
    CHECK(!change.of_links || abs(change.x - job.x) > 1 || abs(change.z - job.z) > 1);
    CHECK(wm_dynamic_validate(world.dynamic));
  } while (change.x >= 0);
  CHECK(wm_dynamic_dirty_count(world.dynamic) > 1);
  CHECK_EQUAL_INT(wm_dynamic_give_up_job(world.dynamic, job.x, job.z, job.ticket), WM_OK);
  update_links(&world);
  check_against_generator(&world);
  wm_block_free(context, job.obstacles);
  close_world(&world);
  wm_context_destroy(context);
}

static void cut_and_altered_tiles_change_nothing(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_decks(&world, context);
  update_links(&world);
  const size_t count = check_against_generator(&world);
  size_t byte_count;
  const uint8_t *kept = wm_dynamic_kept_tile(world.dynamic, 1, 1, &byte_count);
  uint8_t *bytes = malloc(byte_count);
  Random random = {5};
  for (int i = 0; i < 300; i++) {
    memcpy(bytes, kept, byte_count);
    size_t length = byte_count;
    if (i % 2) length = (size_t)random_below(&random, (int)byte_count);
    bytes[random_below(&random, (int)byte_count)] ^= (uint8_t)(1 << random_below(&random, 8));
    const WmStatus status = wm_dynamic_keep_tile(world.dynamic, 1, 1, bytes, length, true);
    CHECK(status == WM_OK || status == WM_ERROR_CORRUPT);
    CHECK(wm_dynamic_validate(world.dynamic));
    if (status) continue;
    /* Other air, or none: it is a tile like any other. */
    update_links(&world);
    check_against_generator(&world);
    kept = wm_dynamic_kept_tile(world.dynamic, 1, 1, &byte_count);
    free(bytes);
    bytes = malloc(byte_count);
  }
  CHECK(count > 0);
  free(bytes);
  close_world(&world);
  wm_context_destroy(context);
}

/* Links by hand stay, and a link that was switched off stays off when its place is generated again. */
static void links_by_hand_and_links_that_are_off_stay(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_decks(&world, context);
  update_links(&world);
  const WmSegmentLink hand = {.start = {{1, 0, 1}, {2, 0, 1}},
                              .end = {{1, 0, 3}, {2, 0, 3}},
                              .cost = 2,
                              .flags = 1,
                              .kind = WM_SEGMENT_LINK_JUMP,
                              .enabled = true};
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 0, 0, 1, &hand, 1, NULL), WM_OK);
  int32_t x = 0, z = 0;
  size_t count = 0;
  WmRef first = 0;
  for (int32_t i = 0; i < world.columns * world.rows && !count; i++) {
    x = i % world.columns;
    z = i / world.columns;
    wm_mesh_links_at(world.mesh, x, z, 0, &count, &first);
  }
  CHECK(count > 0);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(world.mesh, first, false), WM_OK);
  /* The place is generated again: its tile is removed and returns. */
  size_t byte_count;
  const uint8_t *kept = wm_dynamic_kept_tile(world.dynamic, x, z, &byte_count);
  uint8_t *bytes = malloc(byte_count);
  memcpy(bytes, kept, byte_count);
  CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, x, z), WM_OK);
  update_links(&world);
  CHECK(wm_mesh_links_at(world.mesh, x, z, 0, &count, NULL) == NULL);
  CHECK_EQUAL_INT(wm_dynamic_keep_tile(world.dynamic, x, z, bytes, byte_count, false), WM_OK);
  update_links(&world);
  free(bytes);
  const WmSegmentLink *links = wm_mesh_links_at(world.mesh, x, z, 0, &count, NULL);
  CHECK(links && count > 0 && !links[0].enabled);
  links = wm_mesh_links_at(world.mesh, 0, 0, 1, &count, NULL);
  CHECK(links && count == 1 && memcmp(links[0].start, hand.start, sizeof hand.start) == 0);
  check_against_generator(&world);
  close_world(&world);
  wm_context_destroy(context);
}

/* Any allocation fails while tiles with air are kept, links generated and the whole saved: the work can continue. */
static void no_memory_is_an_error_and_nothing_is_lost(void) {
  bool was_refused = true;
  for (int n = 0; was_refused && n < 4000; n += 1 + n / 32) {
    FailingAllocator memory = {INT32_MAX};
    const WmAllocator allocator = {failing_allocate, failing_release, &memory};
    WmContext *context = wm_context_create(&allocator);
    World world;
    open_square(&world, context, 2);
    for (int32_t i = 0; i < 4; i++) CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, i % 2, i / 2), WM_OK);
    WmBaker *baker = NULL;
    CHECK_EQUAL_INT(wm_baker_create(context, &world.config, &world.input, &baker), WM_OK);
    wm_baker_want_air(baker, true);
    uint8_t *joined[4];
    size_t joined_bytes[4];
    WmTileData data;
    for (int32_t i = 0; i < 4; i++) {
      bake_with_air(baker, context, i % 2, i / 2, &data, &joined[i], &joined_bytes[i]);
      wm_tile_data_free(context, &data);
    }
    wm_baker_destroy(baker);
    const WmLinkConfig links = all_links(&world.config);
    const WmAreaVolume volume = crate(4, 4);
    WmObstacle obstacle;
    WmTileChange change = {.x = 0};
    uint8_t *bytes = NULL;
    size_t byte_count;
    wm_context_trim(context);
    memory.left = n;
    WmStatus status = wm_dynamic_generate_links(world.dynamic, &links);
    const bool has_links = !status;
    for (int i = 0; !status && i < 4; i++) {
      status = wm_dynamic_keep_tile(world.dynamic, i % 2, i / 2, joined[i], joined_bytes[i], false);
    }
    if (!status) status = wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle);
    while (!status && change.x >= 0) status = wm_dynamic_step(world.dynamic, &change);
    if (!status) status = wm_dynamic_drop_tile(world.dynamic, 0, 1);
    if (!status) status = wm_dynamic_write(world.dynamic, &bytes, &byte_count);
    CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
    CHECK(wm_dynamic_validate(world.dynamic));
    was_refused = status != WM_OK;
    memory.left = INT32_MAX;
    if (!has_links) CHECK_EQUAL_INT(wm_dynamic_generate_links(world.dynamic, &links), WM_OK);
    for (int i = 0; i < 4; i++) {
      CHECK_EQUAL_INT(wm_dynamic_keep_tile(world.dynamic, i % 2, i / 2, joined[i], joined_bytes[i], false),
                      WM_OK);
      wm_block_free(context, joined[i]);
    }
    update_links(&world);
    check_against_generator(&world);
    wm_block_free(context, bytes);
    close_world(&world);
    wm_context_destroy(context);
    CHECK(was_refused || n > 50);
    CHECK(n < 3000);
  }
}

/* Reading what was written fails at any allocation, and leaks nothing. */
static void reading_without_memory_fails(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_decks(&world, context);
  update_links(&world);
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_dynamic_write(world.dynamic, &bytes, &byte_count), WM_OK);
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  for (int n = 0; status && n < 4000; n += 1 + n / 32) {
    FailingAllocator memory = {n};
    const WmAllocator allocator = {failing_allocate, failing_release, &memory};
    WmContext *other = wm_context_create(&allocator);
    if (!other) continue;
    WmMesh *mesh = NULL;
    WmDynamic *dynamic = NULL;
    status = wm_dynamic_read(other, bytes, byte_count, &mesh, &dynamic);
    CHECK(status == WM_OK || (status == WM_ERROR_OUT_OF_MEMORY && !mesh && !dynamic));
    wm_dynamic_destroy(dynamic);
    wm_mesh_destroy(mesh);
    wm_context_destroy(other);
    CHECK(n < 3000);
  }
  wm_block_free(context, bytes);
  close_world(&world);
  wm_context_destroy(context);
}

int main(void) {
  RUN(any_sequence_equals_a_new_generator);
  RUN(links_are_asked_for_once_and_before_tiles);
  RUN(a_step_is_a_tile_or_the_links_of_a_place);
  RUN(links_that_were_made_elsewhere_are_accepted);
  RUN(obstacles_on_flat_ground_outdate_what_reads_their_place);
  RUN(a_tile_that_goes_outdates_those_whose_edges_it_opens);
  RUN(links_are_configured_again);
  RUN(a_place_with_too_many_links_blocks_no_others);
  RUN(volumes_in_the_air_outdate_links);
  RUN(ground_that_comes_back_has_links);
  RUN(links_return_when_a_pillar_is_gone);
  RUN(links_wait_for_tiles_that_are_built_elsewhere);
  RUN(cut_and_altered_tiles_change_nothing);
  RUN(links_by_hand_and_links_that_are_off_stay);
  RUN(no_memory_is_an_error_and_nothing_is_lost);
  RUN(reading_without_memory_fails);
  return check_finish();
}
