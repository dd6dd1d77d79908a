/* Dynamic meshes against full bakes: after any additions, moves and removals, each tile equals that of a bake
 * with the present obstacles. */
#include "dynamic/dynamic.h"

#include <math.h>

#include "dynamic/obstacles/motion.h"
#include "dynamic_world.h"
#include "guarded_memory.h"
#include "links_afresh.h"

enum { OBSTACLES = 24 };

typedef struct Live {
  WmObstacle handle;
  WmAreaVolume volume;
  float outline[OUTLINE][3];
} Live;

/* Limits the cache: to nothing, to some tiles, or to all. */
static void set_cache(World *world, Random *random) {
  const size_t bytes = (size_t)random_below(random, 3) * (size_t)random_below(random, 200000);
  wm_dynamic_limit_cache(world->dynamic, bytes);
  CHECK(wm_dynamic_cache_bytes(world->dynamic) <= bytes);
}

/* A random sequence of additions, changes, removals and updates. Returns true if obstacles changed the mesh
 * at the end. */
static bool play(World *world, Random *random, int actions) {
  Live *live = calloc(OBSTACLES, sizeof *live);
  int count = 0;
  const uint64_t first = hash_mesh(world->mesh);
  for (int action = 0; action < actions; action++) {
    const int what = random_below(random, 10);
    if (what < 5 && count < OBSTACLES) {
      Live *added = &live[count];
      added->volume = random_obstacle(random, world, added->outline);
      CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world->dynamic, &added->volume, &added->handle), WM_OK);
      count++;
    } else if (what < 7 && count > 0) {
      Live *changed = &live[random_below(random, count)];
      changed->volume = random_obstacle(random, world, changed->outline);
      CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world->dynamic, changed->handle, &changed->volume), WM_OK);
    } else if (what < 9 && count > 0) {
      const int gone = random_below(random, count);
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world->dynamic, live[gone].handle), WM_OK);
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world->dynamic, live[gone].handle),
                      WM_ERROR_STALE_REFERENCE);
      memmove(live + gone, live + gone + 1, (size_t)(count - gone - 1) * sizeof *live);
      count--;
      for (int i = gone; i < count; i++) live[i].volume.vertices = live[i].outline[0];
    } else {
      if (random_below(random, 4) == 0) set_cache(world, random);
      for (int steps = random_below(random, 4); steps > 0; steps--) {
        WmTileChange change;
        CHECK_EQUAL_INT(wm_dynamic_step(world->dynamic, &change), WM_OK);
      }
    }
  }
  CHECK_EQUAL_INT(wm_dynamic_obstacle_count(world->dynamic), count);
  update_all(world);
  WmAreaVolume volumes[OBSTACLES];
  for (int i = 0; i < count; i++) volumes[i] = live[i].volume;
  check_against_bake(world, volumes, (size_t)count);
  check_links_afresh(world->mesh);
  const bool is_different = hash_mesh(world->mesh) != first;
  for (int i = 0; i < count; i++) {
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world->dynamic, live[i].handle), WM_OK);
  }
  update_all(world);
  CHECK(hash_mesh(world->mesh) == first);
  check_links_afresh(world->mesh);
  free(live);
  return is_different;
}

static void any_sequence_equals_a_bake(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {7};
  int different = 0;
  for (uint32_t seed = 1; seed <= 10; seed++) {
    World world;
    const Scene scene = make_random_scene(seed);
    WmConfig config = small_tiles((int32_t)(seed % 4));
    config.median_filter = seed % 5 == 0;
    config.heights = seed % 3 == 0 ? WM_HEIGHTS_SURFACE : WM_HEIGHTS_VOXELS;
    open_world(&world, context, scene, config, scene_input(&scene));
    check_against_bake(&world, NULL, 0);
    for (int sequence = 0; sequence < CHECK_ROUNDS(50); sequence++) {
      different += play(&world, &random, 4 + random_below(&random, 24));
    }
    close_world(&world);
  }
  CHECK(different > CHECK_ROUNDS(400));
  wm_context_destroy(context);
}

static void check_refused(World *world, WmAreaVolume volume, const char *field) {
  WmObstacle obstacle = 1;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world->dynamic, &volume, &obstacle), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(obstacle, 0);
  const char *named = wm_context_error(world->context)->field;
  if (strcmp(named, field) != 0) printf("%s was named instead of %s\n", named, field);
  CHECK(strcmp(named, field) == 0);
}

/* Of two outlines that differ in a corner, or in their number of corners, each makes tiles dirty. */
static void an_outline_with_another_corner_is_another_volume(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 2);
  float outline[4][3] = {{2, 0, 2}, {2, 0, 6}, {6, 0, 6}, {7, 0, 3}};
  WmAreaVolume volume = {
      .kind = WM_AREA_VOLUME_PRISM, .maximum = {0, 2, 0}, .vertices = outline[0], .vertex_count = 4};
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  update_all(&world);
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  outline[3][2] = 2.5f;
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_OK);
  CHECK(wm_dynamic_dirty_count(world.dynamic) > 0);
  update_all(&world);
  volume.vertex_count = 3;
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_OK);
  CHECK(wm_dynamic_dirty_count(world.dynamic) > 0);
  update_all(&world);
  check_against_bake(&world, &volume, 1);
  close_world(&world);
  wm_context_destroy(context);
}

static void bad_obstacles_are_refused_and_change_nothing(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 3);
  const uint64_t first = hash_mesh(world.mesh);
  const float flat[9] = {1, 0, 1, 2, 0, 1, NAN, 0, 2};
  WmAreaVolume volume = crate(5, 5);
  volume.radius = NAN;
  check_refused(&world, volume, "radius");
  volume.radius = 0;
  check_refused(&world, volume, "radius");
  volume.radius = -1;
  check_refused(&world, volume, "radius");
  volume.radius = 2e8f;
  check_refused(&world, volume, "obstacle");
  volume.radius = 3e38f;
  check_refused(&world, volume, "obstacle");
  volume.radius = 1;
  volume.height = 0;
  check_refused(&world, volume, "height");
  volume.height = INFINITY;
  check_refused(&world, volume, "height");
  wm_dynamic_refuse_outside(world.dynamic, true);
  check_refused(&world, crate(-20, 5), "obstacle");
  check_refused(&world, crate(5, 1000), "obstacle");
  volume = crate(5, 5);
  volume.area = 64;
  check_refused(&world, volume, "area");
  volume = crate(5, 5);
  volume.kind = 6;
  check_refused(&world, volume, "kind");
  volume = (WmAreaVolume){.kind = WM_AREA_VOLUME_BOX, .minimum = {1, 0, 1}, .maximum = {2, 0, 2}};
  check_refused(&world, volume, "maximum");
  volume.maximum[1] = 1;
  volume.maximum[0] = NAN;
  check_refused(&world, volume, "maximum");
  volume = (WmAreaVolume){.kind = WM_AREA_VOLUME_ROTATED_BOX, .centre = {5, 0, 5}, .half_extents = {1, 1, 0}};
  check_refused(&world, volume, "halfExtents");
  volume =
      (WmAreaVolume){.kind = WM_AREA_VOLUME_PRISM, .maximum = {0, 2, 0}, .vertices = flat, .vertex_count = 3};
  check_refused(&world, volume, "vertices");
  volume.vertex_count = 2;
  check_refused(&world, volume, "vertices");
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  CHECK_EQUAL_INT(wm_dynamic_obstacle_count(world.dynamic), 0);

  WmObstacle obstacle, other;
  volume = crate(5, 5);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  update_all(&world);
  const uint64_t second = hash_mesh(world.mesh);
  CHECK(second != first);
  volume.radius = -2;
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_ERROR_INVALID_ARGUMENT);
  CHECK(wm_dynamic_obstacle(world.dynamic, obstacle)->radius == 0.7f);
  volume.radius = 0.7f;
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0); /* it is as it was */
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, 0), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle + 1), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle + (UINT64_C(1) << 32)),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, UINT64_MAX), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_ERROR_STALE_REFERENCE);
  CHECK(!wm_dynamic_obstacle(world.dynamic, obstacle));
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &other), WM_OK);
  CHECK(other != obstacle);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle),
                  WM_ERROR_STALE_REFERENCE); /* its slot is used */
  CHECK(wm_dynamic_next_obstacle(world.dynamic, 0) == other);
  CHECK_EQUAL_INT(wm_dynamic_next_obstacle(world.dynamic, other), 0);
  update_all(&world);
  CHECK(hash_mesh(world.mesh) == second);
  close_world(&world);
  wm_context_destroy(context);
}

/* For any number of obstacles per frame, each tile is built once; tiles near the focus come first. */
static bool is_outside(const World *world, WmObstacle obstacle) {
  bool result = false;
  CHECK_EQUAL_INT(wm_dynamic_is_outside(world->dynamic, obstacle, &result), WM_OK);
  return result;
}

/* Falls beneath the level, rolls off its side, and comes back. */
static void an_obstacle_outside_the_level_is_parked(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 3);
  const uint64_t without = hash_mesh(world.mesh);
  WmAreaVolume volume = crate(5, 5);
  const float home[3] = {volume.centre[0], volume.centre[1], volume.centre[2]};
  const float away[2][3] = {{5, -300, 5}, {-40, 0, 5}};
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  CHECK(!is_outside(&world, obstacle));
  update_all(&world);
  const uint64_t with = hash_mesh(world.mesh);
  CHECK(with != without);
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, away[i], NULL, 1), WM_OK);
    CHECK(is_outside(&world, obstacle));
    CHECK(!wm_dynamic_carved_volume(world.dynamic, obstacle));
    update_all(&world);
    CHECK(hash_mesh(world.mesh) == without);
    CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, home, NULL, 1), WM_OK);
    CHECK(!is_outside(&world, obstacle));
    CHECK(wm_dynamic_carved_volume(world.dynamic, obstacle));
    update_all(&world);
    CHECK(hash_mesh(world.mesh) == with);
  }
  WmObstacle born_outside;
  volume.centre[0] = -40;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &born_outside), WM_OK);
  CHECK(is_outside(&world, born_outside));
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  wm_dynamic_refuse_outside(world.dynamic, true);
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, away[0], NULL, 1),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(!is_outside(&world, obstacle));
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, born_outside), WM_OK);
  bool unchanged = true;
  CHECK_EQUAL_INT(wm_dynamic_is_outside(world.dynamic, born_outside, &unchanged), WM_ERROR_STALE_REFERENCE);
  CHECK(unchanged);
  close_world(&world);
  wm_context_destroy(context);
}

static void tiles_are_built_once_and_nearest_first(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 12);
  Random random = {3};
  const float side = 12 * 24 * 0.4f;
  WmAreaVolume *volumes = calloc(10000, sizeof *volumes);
  for (int i = 0; i < 10000; i++) {
    volumes[i] = crate(between(&random, 0.5f, side - 0.5f), between(&random, 0.5f, side - 0.5f));
    volumes[i].radius = 0.1f;
    WmObstacle obstacle;
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volumes[i], &obstacle), WM_OK);
  }
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 144);
  const float focus[6] = {5, 0, 5, 50, 0, 30};
  CHECK_EQUAL_INT(wm_dynamic_set_focus(world.dynamic, focus, 2), WM_OK);
  const float bad[3] = {0, NAN, 0};
  CHECK_EQUAL_INT(wm_dynamic_set_focus(world.dynamic, bad, 1), WM_ERROR_INVALID_ARGUMENT);
  float last = -1;
  for (int i = 0; i < 144; i++) {
    WmTileChange change;
    CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
    float nearest = INFINITY;
    for (int k = 0; k < 2; k++) {
      const float dx = focus[3 * k] - ((float)change.x + 0.5f) * 24 * 0.4f;
      const float dz = focus[3 * k + 2] - ((float)change.z + 0.5f) * 24 * 0.4f;
      nearest = fminf(nearest, dx * dx + dz * dz);
    }
    CHECK(nearest > last - 0.01f);
    last = nearest;
  }
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
  CHECK_EQUAL_INT(change.x, -1);
  check_against_bake(&world, volumes, 10000);
  free(volumes);
  close_world(&world);
  wm_context_destroy(context);
}

/* Tiles are removed and added in any order, with obstacles. */
static void tiles_come_and_go(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 4);
  WmObstacle obstacle;
  WmAreaVolume volumes[2] = {crate(15, 15), crate(20, 12)};
  size_t byte_count;
  const uint8_t *kept = wm_dynamic_kept_tile(world.dynamic, 1, 1, &byte_count);
  uint8_t *bytes = malloc(byte_count);
  memcpy(bytes, kept, byte_count);
  CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, 1, 1), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, 1, 1), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, 1, 4), WM_ERROR_INVALID_ARGUMENT);
  CHECK(!wm_mesh_find_tile(world.mesh, 1, 1, 0));
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volumes[0], &obstacle), WM_OK); /* waits for it */
  update_all(&world);
  CHECK(!wm_mesh_find_tile(world.mesh, 1, 1, 0));
  uint8_t *cut = malloc(byte_count);
  memcpy(cut, bytes, byte_count);
  cut[byte_count / 2] ^= 4;
  CHECK_EQUAL_INT(wm_dynamic_keep_tile(world.dynamic, 1, 1, cut, byte_count - 1, false), WM_ERROR_CORRUPT);
  CHECK_EQUAL_INT(wm_dynamic_keep_tile(world.dynamic, -1, 1, bytes, byte_count, false),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  CHECK_EQUAL_INT(wm_dynamic_keep_tile(world.dynamic, 1, 1, bytes, byte_count, false), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volumes[1], &obstacle), WM_OK);
  update_all(&world);
  check_against_bake(&world, volumes, 2);
  /* A dirty tile that is removed isn't built. */
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
  for (int32_t i = 0; i < 16; i++) CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, i % 4, i / 4), WM_OK);
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
  CHECK_EQUAL_INT(change.x, -1);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  CHECK_EQUAL_INT(wm_mesh_tile_count(world.mesh), 0);
  free(bytes);
  free(cut);
  close_world(&world);
  wm_context_destroy(context);
}

/* References stay valid in tiles that no obstacle touches, and in tiles whose rebuild changes nothing. */
static void untouched_tiles_keep_their_references(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 4);
  WmRef before[16];
  for (int32_t i = 0; i < 16; i++) before[i] = wm_mesh_find_tile(world.mesh, i % 4, i / 4, 0)->ref;
  WmAreaVolume volume = crate(5, 5); /* the middle of tile (0, 0) */
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
  update_all(&world);
  for (int32_t i = 0; i < 16; i++) {
    CHECK((wm_mesh_find_tile(world.mesh, i % 4, i / 4, 0)->ref == before[i]) == (i > 0));
  }
  const WmRef carved = wm_mesh_find_tile(world.mesh, 0, 0, 0)->ref;
  volume.centre[1] = 50; /* above all agents */
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_OK);
  volume.centre[1] = 0;
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 1);
  update_all(&world);
  CHECK(wm_mesh_find_tile(world.mesh, 0, 0, 0)->ref == carved);
  close_world(&world);
  wm_context_destroy(context);
}

/* Flags and areas set at run time are lost in a tile that is rebuilt, after any number of builds, with and
 * without a cache. */
static void what_was_set_does_not_come_back(void) {
  WmContext *context = wm_context_create(NULL);
  for (int cached = 0; cached < 2; cached++) {
    World world;
    open_square(&world, context, 3);
    if (!cached) wm_dynamic_limit_cache(world.dynamic, 0);
    const uint64_t first = hash_mesh(world.mesh);
    const WmAreaVolume volume = crate(14, 14);
    for (int i = 0; i < 8; i++) {
      WmObstacle obstacle;
      const WmRef before = wm_mesh_find_tile(world.mesh, 1, 1, 0)->ref;
      CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, before, (uint16_t)(7 + i)), WM_OK);
      CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
      update_all(&world);
      check_against_bake(&world, &volume, 1);
      const WmRef carved = wm_mesh_find_tile(world.mesh, 1, 1, 0)->ref;
      CHECK(carved != before);
      if (i % 2) CHECK_EQUAL_INT(wm_mesh_set_polygon_area(world.mesh, carved, 5), WM_OK);
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
      update_all(&world);
      CHECK(hash_mesh(world.mesh) == first);
      /* A tile with such changes that is rebuilt without a difference also loses them. */
      CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, wm_mesh_find_tile(world.mesh, 1, 1, 0)->ref, 3),
                      WM_OK);
      CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
      update_all(&world);
      CHECK(hash_mesh(world.mesh) == first);
      check_links_afresh(world.mesh);
    }
    close_world(&world);
  }
  wm_context_destroy(context);
}

/* The result of a volume isn't taken from the cache for another one that differs in one number. */
static void each_number_of_an_obstacle_has_its_own_result(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 1);
  const WmAreaVolume volumes[] = {
      {.kind = WM_AREA_VOLUME_BOX, .minimum = {3, -1, 3}, .maximum = {6, 1, 6}},
      {.kind = WM_AREA_VOLUME_ROTATED_BOX, .centre = {5, 0, 5}, .half_extents = {2, 1, 1}, .yaw = 0.3f},
      {.kind = WM_AREA_VOLUME_CYLINDER, .centre = {5, 0, 5}, .radius = 1.5f, .height = 1},
      {.kind = WM_AREA_VOLUME_SPHERE, .centre = {5, 0, 5}, .radius = 1.5f},
      {.kind = WM_AREA_VOLUME_CAPSULE, .minimum = {3, 0, 3}, .maximum = {6, 0, 6}, .radius = 1},
  };
  enum { NUMBERS = 15 };
  for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++) {
    for (int number = -1; number < NUMBERS; number++) {
      WmAreaVolume volume = volumes[i];
      float *const numbers[NUMBERS] = {
          &volume.minimum[0], &volume.minimum[1],      &volume.minimum[2],      &volume.maximum[0],
          &volume.maximum[1], &volume.maximum[2],      &volume.centre[0],       &volume.centre[1],
          &volume.centre[2],  &volume.half_extents[0], &volume.half_extents[1], &volume.half_extents[2],
          &volume.yaw,        &volume.radius,          &volume.height};
      if (number >= 0) *numbers[number] += 0.8f;
      WmObstacle obstacle;
      CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
      update_all(&world);
      check_against_bake(&world, &volume, 1);
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
      update_all(&world);
    }
  }
  close_world(&world);
  wm_context_destroy(context);
}

/* A tile that is baked after one that was kept has none of its obstacles. */
static void obstacles_of_a_kept_tile_end_with_it(void) {
  WmContext *context = wm_context_create(NULL);
  const Scene scene = make_square(9);
  const WmConfig config = small_tiles(WM_PARTITION_WATERSHED);
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, false), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_ERROR_STATE); /* too early */
  while (wm_baker_next_stage(baker) != WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_OK);
  const WmAreaVolume volume = crate(4, 4);
  size_t sizes[3];
  for (int i = 0; i < 3; i++) { /* without, with, without */
    CHECK_EQUAL_INT(i == 1 ? wm_baker_begin_kept_tile(baker, 0, 0, bytes, byte_count, &volume, 1)
                           : wm_baker_begin_tile(baker, 0, 0, false),
                    WM_OK);
    while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    WmTileData data = wm_baker_take_tile(baker);
    sizes[i] = data.byte_count;
    wm_tile_data_free(context, &data);
  }
  CHECK(sizes[1] > sizes[0] && sizes[2] == sizes[0]);
  wm_block_free(context, bytes);
  wm_baker_destroy(baker);
  Scene done = scene;
  free_scene(&done);
  wm_context_destroy(context);
}

/* The former and the new tiles of an obstacle become dirty together, in a queue that was never that long. An
 * obstacle may be added from the stored volume of another one. */
static void an_obstacle_jumps_from_corner_to_corner(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 12);
  WmAreaVolume volume = crate(5, 5);
  volume.radius = 12;
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  const size_t reached = wm_dynamic_dirty_count(world.dynamic);
  update_all(&world);
  volume.centre[0] = volume.centre[2] = 110;
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &volume), WM_OK);
  CHECK(reached >= 4 && wm_dynamic_dirty_count(world.dynamic) >= reached + 4);
  WmAreaVolume volumes[40];
  for (int i = 0; i < 40; i++) volumes[i] = volume;
  for (int i = 1; i < 40; i++) {
    CHECK_EQUAL_INT(
        wm_dynamic_add_obstacle(world.dynamic, wm_dynamic_obstacle(world.dynamic, obstacle), &obstacle),
        WM_OK);
    CHECK(wm_dynamic_obstacle(world.dynamic, obstacle)->radius == 12);
  }
  update_all(&world);
  check_against_bake(&world, volumes, 40);
  close_world(&world);
  wm_context_destroy(context);
}

/* Any allocation fails: the failure is reported, nothing is lost, and the work continues once there is
 * memory. */
/* A door opens and closes: the former state of a tile is found again, any number of times, in a bounded
 * number of bytes. */
static void what_is_remembered_stays_within_its_bytes(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 4);
  const uint64_t first = hash_mesh(world.mesh);
  CHECK_EQUAL_INT(wm_dynamic_cache_bytes(world.dynamic), 0);
  const size_t limits[] = {0, 5000, 60000, 200000, WM_DYNAMIC_CACHE_BYTES};
  size_t most = 0;
  for (int i = 0; i < 5; i++) {
    wm_dynamic_limit_cache(world.dynamic, limits[i]);
    uint64_t closed = 0;
    for (int k = 0; k < 60; k++) {
      const bool is_door = k % 2 == 0;
      const WmAreaVolume volume =
          is_door ? crate(14, 15) : crate(2 + (float)(k % 7) * 5.2f, 3 + (float)(k % 5) * 6.3f);
      WmObstacle obstacle;
      CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
      update_all(&world);
      if (is_door && closed) CHECK(hash_mesh(world.mesh) == closed);
      if (is_door) closed = hash_mesh(world.mesh);
      CHECK(closed != first);
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
      update_all(&world);
      CHECK(hash_mesh(world.mesh) == first);
      CHECK(wm_dynamic_cache_bytes(world.dynamic) <= limits[i]);
    }
    if (i > 0) CHECK(wm_dynamic_cache_bytes(world.dynamic) > most);
    most = wm_dynamic_cache_bytes(world.dynamic);
  }
  /* A removed tile is forgotten. */
  for (int32_t z = 0; z < world.rows; z++) {
    for (int32_t x = 0; x < world.columns; x++) {
      CHECK_EQUAL_INT(wm_dynamic_drop_tile(world.dynamic, x, z), WM_OK);
    }
  }
  CHECK_EQUAL_INT(wm_dynamic_cache_bytes(world.dynamic), 0);
  close_world(&world);
  wm_context_destroy(context);
}

static void run_out_of_memory(int32_t partition) {
  bool was_refused = true;
  for (int n = 0; was_refused; n++) {
    was_refused = false;
    FailingAllocator memory = {INT32_MAX};
    const WmAllocator allocator = {failing_allocate, failing_release, &memory};
    WmContext *context = wm_context_create(&allocator);
    World world;
    open_partitioned_square(&world, context, 2, partition);
    const uint64_t first = hash_mesh(world.mesh);
    const float outline[9] = {3, 0, 3, 9, 0, 4, 5, 0, 12};
    WmAreaVolume volumes[2] = {crate(8, 8)};
    volumes[1] = (WmAreaVolume){.kind = WM_AREA_VOLUME_PRISM,
                                .before_erosion = true,
                                .minimum = {0, -1, 0},
                                .maximum = {0, 2, 0},
                                .vertices = outline,
                                .vertex_count = 3};
    WmObstacle obstacles[2] = {0, 0};
    wm_context_trim(context);
    memory.left = n;
    for (int i = 0; i < 2; i++) {
      const WmStatus status = wm_dynamic_add_obstacle(world.dynamic, &volumes[i], &obstacles[i]);
      CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
      was_refused |= status != WM_OK;
    }
    for (int step = 0; step < 8; step++) {
      WmTileChange change;
      const WmStatus status = wm_dynamic_step(world.dynamic, &change);
      CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
      was_refused |= status != WM_OK;
    }
    memory.left = INT32_MAX;
    for (int i = 0; i < 2; i++) {
      if (obstacles[i]) continue;
      CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volumes[i], &obstacles[i]), WM_OK);
    }
    update_all(&world);
    check_against_bake(&world, volumes, 2);
    for (int i = 0; i < 2; i++) {
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacles[i]), WM_OK);
    }
    update_all(&world);
    CHECK(hash_mesh(world.mesh) == first);
    close_world(&world);
    wm_context_destroy(context);
    CHECK(n < 3000);
    CHECK(was_refused || n > 20);
  }
}

/* Keeps all tiles of a level that has changed. */
static void keep_level(World *world) {
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(world->context, &world->config, &world->input, &baker), WM_OK);
  for (int32_t tile = 0; tile < world->columns * world->rows; tile++) {
    const int32_t x = tile % world->columns, z = tile / world->columns;
    uint8_t *bytes;
    size_t byte_count;
    CHECK_EQUAL_INT(wm_baker_begin_tile(baker, x, z, false), WM_OK);
    while (wm_baker_next_stage(baker) != WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_OK);
    CHECK_EQUAL_INT(wm_dynamic_keep_tile(world->dynamic, x, z, bytes, byte_count, false), WM_OK);
    wm_block_free(world->context, bytes);
  }
  wm_baker_destroy(baker);
}

/* Any allocation fails while the input is replaced: it is an error, and the former input remains. */
static void a_changed_level_replaces_the_former_one(void) {
  FailingAllocator memory = {INT32_MAX};
  const WmAllocator allocator = {failing_allocate, failing_release, &memory};
  WmContext *context = wm_context_create(&allocator);
  World world;
  open_square(&world, context, 3);
  const WmAreaVolume obstacle = crate(9, 9);
  WmObstacle handle;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &obstacle, &handle), WM_OK);
  update_all(&world);
  const float outline[9] = {3, 0, 3, 19, 0, 4, 5, 0, 12};
  const WmAreaVolume volumes[2] = {crate(15, 15),
                                   {.kind = WM_AREA_VOLUME_PRISM,
                                    .area = 7,
                                    .minimum = {0, -1, 0},
                                    .maximum = {0, 2, 0},
                                    .vertices = outline,
                                    .vertex_count = 3}};
  const WmOffMeshConnection connection = {.start = {2, 0, 2}, .end = {20, 0, 20}, .radius = 1, .flags = 1};
  uint16_t flags[WM_AREA_COUNT];
  for (int i = 0; i < WM_AREA_COUNT; i++) flags[i] = (uint16_t)(1 + i);
  WmBakeInput next = world.input;
  next.volumes = volumes;
  next.volume_count = 2;
  next.connections = &connection;
  next.connection_count = 1;
  next.area_flags = flags;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  int failures = 0;
  for (; status && failures < 1000; failures += status != WM_OK) {
    wm_context_trim(context);
    memory.left = failures;
    status = wm_dynamic_replace_input(world.dynamic, &next);
    memory.left = INT32_MAX;
    if (!status) break;
    CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
    keep_level(&world);
    update_all(&world);
    check_against_bake(&world, &obstacle, 1);
  }
  CHECK(!status && failures > 3);
  const uint64_t former = hash_mesh(world.mesh);
  world.input = next;
  keep_level(&world);
  update_all(&world);
  check_against_bake(&world, &obstacle, 1);
  CHECK(hash_mesh(world.mesh) != former);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, handle), WM_OK);
  update_all(&world);
  check_against_bake(&world, NULL, 0);
  close_world(&world);
  wm_context_destroy(context);
}

static void no_memory_is_an_error_and_nothing_is_lost(void) {
  for (int32_t partition = WM_PARTITION_WATERSHED; partition <= WM_PARTITION_LAYERS; partition++) {
    run_out_of_memory(partition);
  }
}

/* An allocator that refuses one block. */
typedef struct MissingBlock {
  int left;
} MissingBlock;

static void *allocate_but_one(void *user, size_t bytes) {
  MissingBlock *missing = user;
  return missing->left-- == 0 ? NULL : malloc(bytes);
}

static void release_block(void *user, void *block) {
  (void)user;
  free(block);
}

static void what_is_remembered_gives_way_to_what_is_built(void) {
  MissingBlock missing = {INT32_MAX};
  const WmAllocator allocator = {allocate_but_one, release_block, &missing};
  WmContext *context = wm_context_create(&allocator);
  World world;
  open_square(&world, context, 2);
  for (int n = 0, had_all = false; !had_all; n++) {
    WmObstacle obstacles[2];
    const WmAreaVolume volumes[2] = {crate(4 + 0.01f * (float)n, 5), crate(7, 9 + 0.003f * (float)n)};
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volumes[0], &obstacles[0]), WM_OK);
    update_all(&world);
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volumes[1], &obstacles[1]), WM_OK);
    CHECK(wm_dynamic_cache_bytes(world.dynamic) > 0);
    wm_context_trim(context);
    missing.left = n;
    update_all(&world);
    had_all = missing.left >= 0;
    missing.left = INT32_MAX;
    if (n % 4 == 0) check_against_bake(&world, volumes, 2);
    for (int i = 0; i < 2; i++) {
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacles[i]), WM_OK);
    }
    CHECK(n < 1000);
    CHECK(n > 20 || !had_all);
  }
  close_world(&world);
  wm_context_destroy(context);
}

/* Steps until nothing is dirty; failures for lack of memory are retried. Returns true if memory was
 * refused. */
static bool update_without_memory(World *world, long requests) {
  scratch_requests_left = requests;
  bool was_refused = false;
  while (wm_dynamic_dirty_count(world->dynamic) > 0) {
    WmTileChange change;
    const WmStatus status = wm_dynamic_step(world->dynamic, &change);
    was_refused |= requests >= 0 && scratch_requests_left < 0;
    if (!status) continue;
    CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
    CHECK(was_refused);
    scratch_requests_left = -1;
  }
  scratch_requests_left = -1;
  return was_refused;
}

/* A tile that is built from a memo is built from the start if memory for that is refused. */
static void memory_that_is_refused_changes_no_tile(void) {
  for (int32_t partition = 0; partition < 4; partition++) {
    uint64_t expected = 0;
    long requests = -1;
    for (bool was_refused = true; was_refused && requests < 1000; requests++) {
      WmContext *context = wm_context_create(NULL);
      World world;
      open_partitioned_square(&world, context, 1, partition);
      WmObstacle obstacles[2];
      for (int i = 0; i < 2; i++) {
        const WmAreaVolume volume = crate(3 + 3 * (float)i, 4);
        CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacles[i]), WM_OK);
      }
      update_all(&world);
      const float position[3] = {6.5f, 0, 5};
      CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacles[1], position, NULL, 1), WM_OK);
      was_refused = update_without_memory(&world, requests) || requests < 0;
      const uint64_t hash = hash_mesh(world.mesh);
      if (requests < 0) expected = hash;
      CHECK_EQUAL_INT(hash, expected);
      close_world(&world);
      wm_context_destroy(context);
    }
    CHECK(requests > 20 && requests < 1000);
    printf("partition %d: %ld requests for scratch memory\n", partition, requests);
  }
}

int main(void) {
  RUN(any_sequence_equals_a_bake);
  RUN(an_outline_with_another_corner_is_another_volume);
  RUN(bad_obstacles_are_refused_and_change_nothing);
  RUN(an_obstacle_outside_the_level_is_parked);
  RUN(tiles_are_built_once_and_nearest_first);
  RUN(tiles_come_and_go);
  RUN(untouched_tiles_keep_their_references);
  RUN(obstacles_of_a_kept_tile_end_with_it);
  RUN(an_obstacle_jumps_from_corner_to_corner);
  RUN(what_is_remembered_stays_within_its_bytes);
  RUN(what_was_set_does_not_come_back);
  RUN(each_number_of_an_obstacle_has_its_own_result);
  RUN(a_changed_level_replaces_the_former_one);
  RUN(no_memory_is_an_error_and_nothing_is_lost);
  RUN(what_is_remembered_gives_way_to_what_is_built);
  RUN(memory_that_is_refused_changes_no_tile);
  return check_finish();
}
