/* Validation of dynamic meshes: passes after any changes, and finds each broken invariant. */
#include "dynamic/dynamic_internal.h"
#include "dynamic/tile_jobs.h"
#include "dynamic_world.h"
#include "judge.h"
#include "mesh/mesh_internal.h"

/* Breaks a variable, checks the condition, and restores the variable. */
#define FINDS(variable, broken) \
  do { \
    const __typeof__(variable) good = (variable); \
    (variable) = (broken); \
    CHECK(!wm_dynamic_validate(dynamic)); \
    (variable) = good; \
    CHECK(wm_dynamic_validate(dynamic)); \
  } while (0)

static WmObstacle add_box(WmDynamic *dynamic, float x, float z, float size, int32_t carving) {
  const WmAreaVolume volume = {
      .kind = WM_AREA_VOLUME_BOX, .minimum = {x, -1, z}, .maximum = {x + size, 2, z + size}};
  WmObstacleMotion motion = wm_obstacle_motion_default();
  motion.carving = carving;
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(dynamic, &volume, &motion, &obstacle), WM_OK);
  return obstacle;
}

static void valid_after_each_change(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 3);
  WmDynamic *dynamic = world.dynamic;
  CHECK(wm_dynamic_validate(dynamic) && wm_mesh_validate(world.mesh));
  const WmObstacle box = add_box(dynamic, 8, 8, 4, WM_CARVING_ALWAYS);
  const WmObstacle crate = add_box(dynamic, 3, 3, 1, WM_CARVING_AT_REST);
  CHECK(wm_dynamic_validate(dynamic));
  WmTileJob job;
  CHECK_EQUAL_INT(wm_dynamic_take_job(dynamic, &job), WM_OK);
  CHECK(wm_dynamic_validate(dynamic));
  wm_block_free(context, job.obstacles);
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(dynamic, &crate, (const float[3]){9, 0, 3}, NULL, 1), WM_OK);
  CHECK(wm_dynamic_validate(dynamic));
  CHECK_EQUAL_INT(wm_dynamic_give_up_job(dynamic, job.x, job.z, job.ticket), WM_OK);
  CHECK(wm_dynamic_validate(dynamic));
  CHECK_EQUAL_INT(wm_dynamic_advance(dynamic, 1), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, box), WM_OK);
  CHECK(wm_dynamic_validate(dynamic));
  update_all(&world);
  CHECK(wm_dynamic_validate(dynamic) && wm_mesh_validate(world.mesh));
  CHECK_EQUAL_INT(wm_dynamic_drop_tile(dynamic, 1, 1), WM_OK);
  CHECK(wm_dynamic_validate(dynamic) && wm_mesh_validate(world.mesh));
  close_world(&world);
  wm_context_destroy(context);
}

static void a_broken_dynamic_mesh_is_found(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 3);
  WmDynamic *dynamic = world.dynamic;
  const WmObstacle box = add_box(dynamic, 8, 8, 4, WM_CARVING_ALWAYS);
  const WmObstacle mover = add_box(dynamic, 3, 3, 1, WM_CARVING_NEVER);
  const WmObstacle removed = add_box(dynamic, 20, 3, 1, WM_CARVING_ALWAYS);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, removed), WM_OK);
  const WmObstacle parked = add_box(dynamic, -60, 3, 1, WM_CARVING_ALWAYS);
  CHECK(wm_dynamic_validate(dynamic));
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, parked), WM_OK);
  CHECK(wm_dynamic_validate(dynamic));
  WmObstacleRecord *records = wm_obstacle_records(dynamic);
  WmObstacleRecord *carving = &records[box & UINT32_MAX], *moving = &records[mover & UINT32_MAX];
  WmObstacleTile *links = wm_obstacle_tiles(dynamic);
  const uint32_t first = carving->first_obstacle_tile;
  WmDynamicTile *tile = &dynamic->tiles[links[first].tile];
  uint64_t *keys = dynamic->queue.items;
  CHECK(dynamic->dirty_count > 1);
  /* the queue and jobs */
  FINDS(dynamic->dirty_count, dynamic->dirty_count - 1);
  FINDS(tile->is_dirty, false);
  FINDS(tile->ticket, 7);
  FINDS(dynamic->job_count, 1);
  FINDS(keys[0], UINT64_MAX - 1);
  FINDS(keys[1], keys[0]);
  FINDS(dynamic->queue.capacity, 1);
  /* obstacles and their tiles */
  FINDS(links[first].tile, links[first].tile + 1);
  FINDS(links[first].obstacle, links[first].obstacle + 1);
  FINDS(links[first].previous, first);
  FINDS(tile->first_obstacle_tile, WM_INDEX_NONE);
  FINDS(carving->first_obstacle_tile, WM_INDEX_NONE);
  FINDS(dynamic->free_obstacle_tile, WM_INDEX_NONE);
  FINDS(dynamic->free_obstacle_tile_count, 0);
  /* obstacles */
  FINDS(carving->is_carving, false);
  FINDS(moving->moving, 5);
  FINDS(moving->moving, (uint32_t)dynamic->moving_count);
  FINDS(moving->is_carving, true);
  FINDS(carving->generation, 0);
  FINDS(carving->sequence, dynamic->sequence + 1);
  FINDS(dynamic->moving.capacity, 0);
  FINDS(moving->generation, 9);
  FINDS(dynamic->moving_count, 0);
  FINDS(dynamic->live_count, 1);
  FINDS(dynamic->mobile_count, 0);
  FINDS(dynamic->free_record, (uint32_t)(box & UINT32_MAX));
  FINDS(dynamic->free_record, (uint32_t)dynamic->record_count);
  WmObstacleRecord *gone = &records[removed & UINT32_MAX];
  FINDS(gone->first_obstacle_tile, (uint32_t)(removed & UINT32_MAX)); /* a list without an end */
  close_world(&world);
  wm_context_destroy(context);
}

/* The list of the only tile has the only element: the shortest list that could be taken for an endless one. */
static void a_tile_with_the_only_obstacle_is_valid(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 1);
  WmDynamic *dynamic = world.dynamic;
  const WmObstacle box = add_box(dynamic, 3, 3, 1, WM_CARVING_ALWAYS);
  CHECK_EQUAL_INT(dynamic->obstacle_tile_count, 1);
  CHECK(wm_dynamic_validate(dynamic));
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, box), WM_OK);
  CHECK_EQUAL_INT(dynamic->free_obstacle_tile_count, 1);
  CHECK(wm_dynamic_validate(dynamic));
  close_world(&world);
  wm_context_destroy(context);
}

static bool is_dynamic_valid(const void *dynamic) { return wm_dynamic_validate(dynamic); }

#define JUDGE(member) judge_entries(dynamic, is_dynamic_valid, &(member), sizeof(member) / 4, 4)
#define JUDGE_FLAG(member) judge_flag(dynamic, is_dynamic_valid, &(member))

static void judge_dynamic(WmDynamic *dynamic) {
  WmObstacleRecord *records = wm_obstacle_records(dynamic);
  WmObstacleTile *links = wm_obstacle_tiles(dynamic);
  WmMovingObstacle *moving = dynamic->moving.items;
  uint64_t *keys = dynamic->queue.items;
  for (uint32_t i = 0; i < dynamic->record_count; i++) {
    JUDGE(records[i].moving);
    JUDGE(records[i].sequence);
    JUDGE(records[i].generation);
    JUDGE(records[i].first_obstacle_tile);
    JUDGE(records[i].motion.carving);
    JUDGE_FLAG(records[i].is_carving);
  }
  for (uint32_t i = 0; i < dynamic->obstacle_tile_count; i++) JUDGE(links[i]);
  for (uint32_t i = 0; i < dynamic->moving_count; i++) JUDGE(moving[i].obstacle);
  for (size_t i = 0; i < dynamic->dirty_count; i++) JUDGE(keys[i]);
  for (int32_t i = 0; i < dynamic->columns * dynamic->rows; i++) {
    WmDynamicTile *tile = &dynamic->tiles[i];
    JUDGE(tile->kept_bytes);
    JUDGE(tile->first_obstacle_tile);
    JUDGE(tile->ticket);
    JUDGE_FLAG(tile->is_dirty);
  }
  JUDGE(dynamic->free_record);
  JUDGE(dynamic->live_count);
  JUDGE(dynamic->mobile_count);
  JUDGE(dynamic->sequence);
  JUDGE(dynamic->free_obstacle_tile);
  JUDGE(dynamic->free_obstacle_tile_count);
  JUDGE(dynamic->job_count);
  JUDGE(dynamic->queue.capacity);
  JUDGE(dynamic->moving.capacity);
}

/* The verdicts are golden traces (trace.h). */
static void every_broken_word_of_a_dynamic_mesh_is_found_as_it_was(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 3);
  WmDynamic *dynamic = world.dynamic;
  WmObstacle boxes[8];
  WmTileJob job;
  trace_begin("words");
  for (int i = 0; i < 8; i++) {
    boxes[i] = add_box(dynamic, 1 + 3 * (float)i, 2 + 2 * (float)i, 1 + (float)(i % 3), i % 3);
  }
  CHECK_EQUAL_INT(wm_dynamic_take_job(dynamic, &job), WM_OK);
  judge_dynamic(dynamic);
  for (int i = 1; i < 8; i += 2) CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, boxes[i]), WM_OK);
  judge_dynamic(dynamic);
  trace_end();
  CHECK(wm_dynamic_validate(dynamic));
  wm_block_free(context, job.obstacles);
  close_world(&world);
  wm_context_destroy(context);
}

/* ---- Volumes ------------------------------------------------------------------------------------------ */

static void each_number_of_a_volume_tells_it_from_others(void) {
  float outline[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, same[3][3];
  memcpy(same, outline, sizeof same);
  WmAreaVolume volume = {.kind = WM_AREA_VOLUME_PRISM,
                         .area = 3,
                         .minimum = {1, 2, 3},
                         .maximum = {4, 5, 6},
                         .centre = {7, 8, 9},
                         .half_extents = {10, 11, 12},
                         .yaw = 0.5f,
                         .radius = 13,
                         .height = 14,
                         .vertices = outline[0],
                         .vertex_count = 3};
  WmAreaVolume other = volume;
  other.vertices = same[0];
  CHECK(wm_volumes_are_equal(&volume, &other));
  float *const numbers[] = {other.minimum, other.maximum, other.centre,  other.half_extents,
                            &other.yaw,    &other.radius, &other.height, same[0],
                            same[1],       same[2]};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    for (size_t axis = 0; axis < (i >= 4 && i < 7 ? 1 : 3); axis++) {
      numbers[i][axis] += 1;
      CHECK(!wm_volumes_are_equal(&volume, &other));
      volume.kind = other.kind = WM_AREA_VOLUME_CYLINDER; /* has no outline */
      CHECK(wm_volumes_are_equal(&volume, &other) == (i > 6));
      volume.kind = other.kind = WM_AREA_VOLUME_PRISM;
      numbers[i][axis] -= 1;
      CHECK(wm_volumes_are_equal(&volume, &other));
    }
  }
  other.area++;
  CHECK(!wm_volumes_are_equal(&volume, &other));
  other = volume;
  other.kind = WM_AREA_VOLUME_CYLINDER;
  CHECK(!wm_volumes_are_equal(&volume, &other));
  other = volume;
  other.before_erosion = true;
  CHECK(!wm_volumes_are_equal(&volume, &other));
  other = volume;
  other.vertex_count = 2;
  CHECK(!wm_volumes_are_equal(&volume, &other));
}

int main(void) {
  trace_open("dynamic-checks");
  RUN(each_number_of_a_volume_tells_it_from_others);
  RUN(every_broken_word_of_a_dynamic_mesh_is_found_as_it_was);
  RUN(a_tile_with_the_only_obstacle_is_valid);
  RUN(valid_after_each_change);
  RUN(a_broken_dynamic_mesh_is_found);
  trace_close();
  return check_finish();
}
