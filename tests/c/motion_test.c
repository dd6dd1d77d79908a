/* Obstacles that move: when they carve, their list, and the tiles meanwhile, which equal a bake with the
 * carved obstacles. */
#include "dynamic/dynamic_internal.h"
#include "dynamic/obstacles/motion.h"

#include <math.h>

#include "dynamic_world.h"

enum { MOST = 24 };

static WmObstacleMotion make_motion(int32_t carving, float threshold, float rest) {
  return (WmObstacleMotion){.carving = carving, .move_threshold = threshold, .time_to_rest = rest};
}

static void check_cylinder(const WmAreaVolume *volume, const float position[3], float radius, float height) {
  WmContext *context = wm_context_create(NULL);
  WmMovingObstacle cylinder = {0};
  wm_volume_cylinder(context, volume, &cylinder);
  for (int axis = 0; axis < 3; axis++) CHECK(fabsf(cylinder.position[axis] - position[axis]) < 1e-5f);
  CHECK(fabsf(cylinder.radius - radius) < 1e-5f);
  CHECK(fabsf(cylinder.height - height) < 1e-5f);
  wm_context_destroy(context);
}

/* Extents are 6 and 8 wherever the radius is a diagonal: half of it is 5. */
static void a_cylinder_surrounds_each_kind_of_volume(void) {
  static const float RING[3][3] = {{1, 9, 2}, {1, 9, 10}, {7, 9, 2}};
  check_cylinder(&(WmAreaVolume){.kind = WM_AREA_VOLUME_BOX, .minimum = {1, 20, 2}, .maximum = {7, 23, 10}},
                 (const float[3]){4, 20, 6}, 5, 3);
  check_cylinder(
      &(WmAreaVolume){
          .kind = WM_AREA_VOLUME_ROTATED_BOX, .centre = {1, 20, 2}, .half_extents = {3, 7, 4}, .yaw = 0.5f},
      (const float[3]){1, 13, 2}, 5, 14);
  check_cylinder(
      &(WmAreaVolume){.kind = WM_AREA_VOLUME_CYLINDER, .centre = {1, 20, 2}, .radius = 3, .height = 7},
      (const float[3]){1, 20, 2}, 3, 7);
  check_cylinder(&(WmAreaVolume){.kind = WM_AREA_VOLUME_SPHERE, .centre = {1, 20, 2}, .radius = 3},
                 (const float[3]){1, 17, 2}, 3, 6);
  check_cylinder(
      &(WmAreaVolume){
          .kind = WM_AREA_VOLUME_CAPSULE, .minimum = {1, 20, 2}, .maximum = {7, 24, 10}, .radius = 2},
      (const float[3]){4, 18, 6}, 7, 8);
  check_cylinder(&(WmAreaVolume){.kind = WM_AREA_VOLUME_PRISM,
                                 .minimum = {0, 20, 0},
                                 .maximum = {0, 23, 0},
                                 .vertices = RING[0],
                                 .vertex_count = 3},
                 (const float[3]){4, 20, 6}, 5, 3);
}

/* The index of a moving obstacle in the list; -1: not in it. */
static int find_moving(const World *world, WmObstacle obstacle) {
  size_t count;
  const WmMovingObstacle *moving = wm_dynamic_moving_obstacles(world->dynamic, &count);
  int at = -1;
  for (size_t i = 0; i < count; i++) {
    if (moving[i].obstacle == obstacle) at = (int)i;
  }
  return at;
}

/* Every tile equals that of a bake with the carved obstacles, in the order of addition. */
static void check_carved(World *world, const WmObstacle *obstacles, int count) {
  WmAreaVolume volumes[MOST];
  size_t carved = 0;
  update_all(world);
  for (int i = 0; i < count; i++) {
    const WmAreaVolume *volume = wm_dynamic_carved_volume(world->dynamic, obstacles[i]);
    CHECK((find_moving(world, obstacles[i]) < 0) == (volume != NULL));
    if (volume) volumes[carved++] = *volume;
  }
  size_t moving;
  wm_dynamic_moving_obstacles(world->dynamic, &moving);
  CHECK_EQUAL_INT(moving + carved, count);
  check_against_bake(world, volumes, carved);
}

static WmObstacleMotion random_motion(Random *random) {
  return make_motion(random_below(random, 3), random_below(random, 2) ? 0 : between(random, 0, 2),
                     between(random, 0, 1));
}

/* One random change: an obstacle is added, changed, moved, gets another motion or is removed; time passes; a
 * tile is built. */
static void act(World *world, Random *random, WmObstacle *obstacles, int *count) {
  WmDynamic *dynamic = world->dynamic;
  float outline[OUTLINE][3];
  const WmAreaVolume volume = random_obstacle(random, world, outline);
  const WmObstacleMotion motion = random_motion(random);
  const int what = random_below(random, 12), one = *count > 0 ? random_below(random, *count) : -1;
  if (what < 4 && *count < MOST) {
    CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(dynamic, &volume, &motion, &obstacles[(*count)++]), WM_OK);
  } else if (what < 5 && one >= 0) {
    CHECK_EQUAL_INT(wm_dynamic_set_obstacle(dynamic, obstacles[one], random_below(random, 2) ? &volume : NULL,
                                            random_below(random, 2) ? &motion : NULL),
                    WM_OK);
  } else if (what < 8 && one >= 0) {
    float position[3];
    wm_volume_position(wm_dynamic_obstacle(dynamic, obstacles[one]), position);
    for (int axis = 0; axis < 3; axis += 2) {
      position[axis] += between(random, -1, 1);
      position[axis] = fmaxf(world->low[axis], fminf(position[axis], world->high[axis]));
    }
    position[1] = between(random, world->low[1], world->high[1]);
    CHECK_EQUAL_INT(wm_dynamic_move_obstacles(dynamic, &obstacles[one], position, NULL, 1), WM_OK);
    float now[3];
    wm_volume_position(wm_dynamic_obstacle(dynamic, obstacles[one]), now);
    for (int axis = 0; axis < 3; axis++) CHECK(fabsf(now[axis] - position[axis]) < 1e-4f);
  } else if (what < 9 && one >= 0) {
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, obstacles[one]), WM_OK);
    memmove(obstacles + one, obstacles + one + 1, (size_t)(--*count - one) * sizeof *obstacles);
  } else if (what < 11) {
    CHECK_EQUAL_INT(wm_dynamic_advance(dynamic, between(random, 0, 0.5f)), WM_OK);
  } else {
    WmTileChange change;
    CHECK_EQUAL_INT(wm_dynamic_step(dynamic, &change), WM_OK);
  }
}

static void any_sequence_equals_a_bake_with_what_is_carved(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {11};
  for (uint32_t seed = 1; seed <= 4; seed++) {
    World world;
    const Scene scene = make_random_scene(seed);
    open_world(&world, context, scene, small_tiles((int32_t)(seed % 4)), scene_input(&scene));
    const uint64_t first = hash_mesh(world.mesh);
    for (int sequence = 0; sequence < CHECK_ROUNDS(25); sequence++) {
      WmObstacle obstacles[MOST];
      int count = 0;
      for (int i = 0; i < 40; i++) act(&world, &random, obstacles, &count);
      check_carved(&world, obstacles, count);
      CHECK_EQUAL_INT(wm_dynamic_remove_obstacles(world.dynamic, obstacles, (size_t)count), WM_OK);
      check_carved(&world, NULL, 0);
      CHECK(hash_mesh(world.mesh) == first);
    }
    close_world(&world);
  }
  wm_context_destroy(context);
}

static void a_crate_carves_at_rest_and_is_avoided_while_it_moves(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 4);
  const uint64_t first = hash_mesh(world.mesh);
  const WmObstacleMotion motion = make_motion(WM_CARVING_AT_REST, 0.25f, 0.5f);
  WmAreaVolume volume = crate(15, 15);
  WmObstacle obstacle;
  size_t count;
  CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(world.dynamic, &volume, &motion, &obstacle), WM_OK);
  CHECK(wm_dynamic_carved_volume(world.dynamic, obstacle) != NULL); /* it was here when the level opened */
  update_all(&world);
  const uint64_t carved = hash_mesh(world.mesh);
  CHECK(carved != first);

  /* It moves a little: the hole stays. */
  float position[3] = {15.25f, 0, 15};
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, position, NULL, 1), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  CHECK(wm_dynamic_carved_volume(world.dynamic, obstacle)->centre[0] == 15);
  CHECK(wm_dynamic_obstacle(world.dynamic, obstacle)->centre[0] == 15.25f);

  /* It moves further: the hole is removed, and the crate is in the list of moving obstacles. */
  position[0] = 15.5f;
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, position, NULL, 1), WM_OK);
  CHECK(wm_dynamic_dirty_count(world.dynamic) > 0);
  CHECK(!wm_dynamic_carved_volume(world.dynamic, obstacle));
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 0.125f), WM_OK);
  const WmMovingObstacle *moving = wm_dynamic_moving_obstacles(world.dynamic, &count);
  CHECK_EQUAL_INT(count, 1);
  CHECK(moving->obstacle == obstacle && moving->radius == 0.7f && moving->height == 1);
  CHECK(moving->position[0] == 15.5f && moving->position[1] == 0 && moving->position[2] == 15);
  CHECK(moving->velocity[0] == 2 && moving->velocity[1] == 0 && moving->velocity[2] == 0);
  update_all(&world);
  CHECK(hash_mesh(world.mesh) == first);

  /* It doesn't carve while it moves. */
  for (int i = 0; i < 20; i++) {
    position[2] += 0.5f;
    CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, position, NULL, 1), WM_OK);
    CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 0.25f), WM_OK);
    CHECK(wm_dynamic_moving_obstacles(world.dynamic, &count)->velocity[2] == 2);
    CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  }
  /* At rest for half a second, the last call included: it carves at its position. */
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 0), WM_OK);
  CHECK(wm_dynamic_moving_obstacles(world.dynamic, &count)->velocity[2] == 2);
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 0.125f), WM_OK);
  CHECK(wm_dynamic_moving_obstacles(world.dynamic, &count)->velocity[2] == 0);
  CHECK_EQUAL_INT(count, 1);
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 0.125f), WM_OK);
  wm_dynamic_moving_obstacles(world.dynamic, &count);
  CHECK_EQUAL_INT(count, 0);
  CHECK(wm_dynamic_dirty_count(world.dynamic) > 0);
  check_carved(&world, &obstacle, 1);
  volume = crate(15.5f, 25);
  check_against_bake(&world, &volume, 1);
  close_world(&world);
  wm_context_destroy(context);
}

static void an_obstacle_may_change_when_it_carves(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 3);
  const uint64_t first = hash_mesh(world.mesh);
  const WmObstacleMotion always = wm_obstacle_motion_default();
  const WmObstacleMotion never = make_motion(WM_CARVING_NEVER, 0, 0);
  const WmObstacleMotion rest = make_motion(WM_CARVING_AT_REST, 0, 0.5f);
  const WmAreaVolume volume = crate(10, 10);
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(world.dynamic, &volume, &never, &obstacle), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 100), WM_OK);
  CHECK_EQUAL_INT(find_moving(&world, obstacle), 0);
  CHECK_EQUAL_INT(wm_dynamic_set_obstacle(world.dynamic, obstacle, NULL, &always), WM_OK);
  check_carved(&world, &obstacle, 1);
  const uint64_t carved = hash_mesh(world.mesh);
  CHECK(carved != first);
  CHECK_EQUAL_INT(wm_dynamic_set_obstacle(world.dynamic, obstacle, NULL, &rest), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0); /* it is at rest */
  CHECK_EQUAL_INT(wm_dynamic_obstacle_motion(world.dynamic, obstacle)->carving, WM_CARVING_AT_REST);
  CHECK_EQUAL_INT(wm_dynamic_set_obstacle(world.dynamic, obstacle, NULL, &never), WM_OK);
  update_all(&world);
  CHECK(hash_mesh(world.mesh) == first);
  CHECK_EQUAL_INT(wm_dynamic_set_obstacle(world.dynamic, obstacle, NULL, &rest), WM_OK);
  CHECK_EQUAL_INT(find_moving(&world, obstacle), 0);
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 0.5f), WM_OK);
  update_all(&world);
  CHECK(hash_mesh(world.mesh) == carved);
  close_world(&world);
  wm_context_destroy(context);
}

/* An obstacle keeps its size through any number of moves: back and forth returns it to the same place, to the
 * last bit. */
static void moving_adds_up_no_rounding(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 3);
  Random random = {5};
  float outline[OUTLINE][3];
  for (int kind = 0; kind < 6; kind++) {
    WmAreaVolume volume = random_obstacle(&random, &world, outline);
    volume.kind = kind;
    volume.before_erosion = false;
    WmObstacle obstacle;
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
    const WmAreaVolume before = *wm_dynamic_obstacle(world.dynamic, obstacle);
    float first[3], vertices[OUTLINE][3];
    if (kind == WM_AREA_VOLUME_PRISM) memcpy(vertices, before.vertices, sizeof vertices);
    wm_volume_position(&before, first);
    for (int i = 0; i < 1000; i++) {
      const float position[3] = {between(&random, 1, 25), between(&random, 0, 1), between(&random, 1, 25)};
      CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, position, NULL, 1), WM_OK);
    }
    CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, first, NULL, 1), WM_OK);
    const WmAreaVolume *after = wm_dynamic_obstacle(world.dynamic, obstacle);
    if (kind == WM_AREA_VOLUME_BOX || kind == WM_AREA_VOLUME_CAPSULE) {
      CHECK(memcmp(before.minimum, after->minimum, 6 * sizeof(float)) == 0);
    }
    if (kind == WM_AREA_VOLUME_PRISM) CHECK(memcmp(vertices, after->vertices, sizeof vertices) == 0);
    wm_volume_position(after, outline[0]);
    CHECK(memcmp(first, outline[0], sizeof first) == 0);
  }
  close_world(&world);
  wm_context_destroy(context);
}

static void many_are_added_and_moved_at_once_all_or_none(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 6);
  Random random = {9};
  enum { COUNT = 1000 };
  float positions[COUNT][3], yaws[COUNT];
  WmObstacle obstacles[COUNT];
  WmAreaVolume *volumes = calloc(COUNT, sizeof *volumes);
  const WmObstacleMotion always = wm_obstacle_motion_default();
  const WmAreaVolume box = {.kind = WM_AREA_VOLUME_ROTATED_BOX,
                            .before_erosion = true,
                            .centre = {3, 0, 3},
                            .half_extents = {0.3f, 0.5f, 0.1f}};
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < COUNT; i++) {
      positions[i][0] = between(&random, 1, 56);
      positions[i][1] = 0;
      positions[i][2] = between(&random, 1, 56);
      yaws[i] = between(&random, -3, 3);
      volumes[i] = box;
      memcpy(volumes[i].centre, positions[i], sizeof positions[i]);
      volumes[i].yaw = yaws[i];
    }
    const float *points = positions[0];
    CHECK_EQUAL_INT(
        round == 0 ? wm_dynamic_add_obstacles(world.dynamic, &box, &always, points, yaws, COUNT, obstacles)
                   : wm_dynamic_move_obstacles(world.dynamic, obstacles, points, yaws, COUNT),
        WM_OK);
    CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 36);
    update_all(&world);
    check_against_bake(&world, volumes, COUNT);
  }
  /* The last element of each of these is wrong. */
  const uint64_t before = hash_mesh(world.mesh);
  const WmObstacle last = obstacles[COUNT - 1];
  float *end = positions[COUNT - 1];
  for (int i = 0; i < COUNT; i++) positions[i][0] = 57 - positions[i][0];
  end[0] = NAN;
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, obstacles, positions[0], NULL, COUNT),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "positions") == 0);
  end[0] = 500;
  wm_dynamic_refuse_outside(world.dynamic, true);
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, obstacles, positions[0], NULL, COUNT),
                  WM_ERROR_INVALID_ARGUMENT);
  end[0] = 3;
  yaws[COUNT - 1] = INFINITY;
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, obstacles, positions[0], yaws, COUNT),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "yaws") == 0);
  obstacles[COUNT - 1] = last + (UINT64_C(1) << 32);
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, obstacles, positions[0], NULL, COUNT),
                  WM_ERROR_INVALID_ARGUMENT);
  obstacles[COUNT - 1] = obstacles[0];
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacles(world.dynamic, obstacles, COUNT), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_obstacle_count(world.dynamic), COUNT);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  CHECK(hash_mesh(world.mesh) == before);
  obstacles[COUNT - 1] = last;
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacles(world.dynamic, obstacles, COUNT), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacles(world.dynamic, obstacles, 1), WM_ERROR_STALE_REFERENCE);
  update_all(&world);
  check_against_bake(&world, NULL, 0);
  free(volumes);
  close_world(&world);
  wm_context_destroy(context);
}

static void bad_motions_are_refused_and_change_nothing(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 2);
  const WmAreaVolume volume = crate(8, 8);
  WmObstacle obstacle;
  const struct {
    WmObstacleMotion motion;
    const char *field;
  } bad[] = {{make_motion(3, 0, 0), "carving"},           {make_motion(-1, 0, 0), "carving"},
             {make_motion(0, -1, 0), "moveThreshold"},    {make_motion(1, NAN, 0), "moveThreshold"},
             {make_motion(1, 0, INFINITY), "timeToRest"}, {make_motion(1, 0, -0.5f), "timeToRest"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(world.dynamic, &volume, &bad[i].motion, &obstacle),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(obstacle == 0 && strcmp(wm_context_error(context)->field, bad[i].field) == 0);
  }
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, NAN), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, -1), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  update_all(&world);
  const float position[3] = {6, 0, 6}, yaw = 1;
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, position, &yaw, 1), WM_OK);
  const WmAreaVolume box = {.kind = WM_AREA_VOLUME_BOX, .minimum = {4, 0, 4}, .maximum = {6, 2, 6}};
  CHECK_EQUAL_INT(wm_dynamic_set_obstacle(world.dynamic, obstacle, &box, &bad[0].motion),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_dynamic_obstacle(world.dynamic, obstacle)->kind, WM_AREA_VOLUME_CYLINDER);
  CHECK_EQUAL_INT(wm_dynamic_set_obstacle(world.dynamic, obstacle, &box, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacle, position, &yaw, 1),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "yaws") == 0);
  CHECK(wm_dynamic_obstacle(world.dynamic, obstacle)->minimum[0] == 4);
  close_world(&world);
  wm_context_destroy(context);
}

/* Any allocation fails: a refused call changes nothing, and works later. */
static void no_memory_while_things_move_is_an_error(void) {
  bool was_refused = true;
  for (int n = 0; was_refused; n++) {
    was_refused = false;
    FailingAllocator memory = {INT32_MAX};
    const WmAllocator allocator = {failing_allocate, failing_release, &memory};
    WmContext *context = wm_context_create(&allocator);
    World world;
    open_square(&world, context, 2);
    const float outline[9] = {3, 0, 3, 9, 0, 4, 5, 0, 12};
    const WmAreaVolume prism = {.kind = WM_AREA_VOLUME_PRISM,
                                .before_erosion = true,
                                .minimum = {0, -1, 0},
                                .maximum = {0, 2, 0},
                                .vertices = outline,
                                .vertex_count = 3};
    const WmObstacleMotion rest = make_motion(WM_CARVING_AT_REST, 0.1f, 0.5f);
    const float positions[2][3] = {{6, -1, 7}, {11, -1, 8}}, moved[2][3] = {{9, -1, 9}, {4, -1, 12}};
    WmObstacle obstacles[2] = {0, 0};
    wm_context_trim(context);
    memory.left = n;
    for (int stage = 0; stage < 4;) {
      const WmStatus status =
          stage == 0
              ? wm_dynamic_add_obstacles(world.dynamic, &prism, &rest, positions[0], NULL, 2, obstacles)
          : stage == 1 ? wm_dynamic_move_obstacles(world.dynamic, obstacles, moved[0], NULL, 2)
          : stage == 2 ? wm_dynamic_advance(world.dynamic, 0.5f)
                       : wm_dynamic_remove_obstacle(world.dynamic, obstacles[0]);
      if (!status) {
        stage++;
        continue;
      }
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      CHECK_EQUAL_INT(wm_dynamic_obstacle_count(world.dynamic), stage == 0 ? 0 : 2);
      memory.left = INT32_MAX;
      was_refused = true;
    }
    memory.left = INT32_MAX;
    check_carved(&world, obstacles + 1, 1);
    CHECK(wm_dynamic_carved_volume(world.dynamic, obstacles[1]) != NULL);
    close_world(&world);
    wm_context_destroy(context);
    CHECK(n < 300);
    CHECK(was_refused || n > 5);
  }
}

int main(void) {
  RUN(any_sequence_equals_a_bake_with_what_is_carved);
  RUN(a_crate_carves_at_rest_and_is_avoided_while_it_moves);
  RUN(an_obstacle_may_change_when_it_carves);
  RUN(a_cylinder_surrounds_each_kind_of_volume);
  RUN(moving_adds_up_no_rounding);
  RUN(many_are_added_and_moved_at_once_all_or_none);
  RUN(bad_motions_are_refused_and_change_nothing);
  RUN(no_memory_while_things_move_is_an_error);
  return check_finish();
}
