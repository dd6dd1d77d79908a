/* Obstacles that move: when they carve, their velocities, when they are at rest. See motion.h.
 *
 * The moving obstacles, which don't carve, are in an array in no particular order: a removed one is replaced
 * by the last. */
#include "dynamic/obstacles/motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "dynamic/dynamic_internal.h"

WmObstacleMotion wm_obstacle_motion_default(void) {
  return (WmObstacleMotion){.carving = WM_CARVING_ALWAYS, .time_to_rest = 0.5f};
}

static bool is_amount(float value) { return value >= 0 && value <= FLT_MAX; }

WmStatus wm_check_motion(WmContext *context, const WmObstacleMotion *motion) {
  if ((uint32_t)motion->carving > WM_CARVING_NEVER) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "carving", motion->carving, 0, WM_CARVING_NEVER,
                         NULL);
  }
  const bool is_near = is_amount(motion->move_threshold);
  if (is_near && is_amount(motion->time_to_rest)) return WM_OK;
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, is_near ? "timeToRest" : "moveThreshold",
                        is_near ? "the time to rest must be finite and not negative, and is "
                                : "the threshold must be finite and not negative, and is ",
                        (double)(is_near ? motion->time_to_rest : motion->move_threshold), "");
}

/* ---- Moving obstacles --------------------------------------------------------------------------------- */

static WmMovingObstacle *moving_of(const WmDynamic *dynamic) { return dynamic->moving.items; }

WmStatus wm_dynamic_reserve_moving(WmDynamic *dynamic, size_t more) {
  return wm_buffer_reserve(dynamic->context, &dynamic->moving, dynamic->mobile_count + more,
                           sizeof(WmMovingObstacle));
}

void wm_dynamic_remove_from_moving(WmDynamic *dynamic, WmObstacleRecord *record) {
  const uint32_t at = record->moving;
  if (at == WM_INDEX_NONE) return;
  WmMovingObstacle *moving = moving_of(dynamic);
  moving[at] = moving[--dynamic->moving_count];
  if (at < dynamic->moving_count) {
    wm_obstacle_records(dynamic)[moving[at].obstacle & UINT32_MAX].moving = at;
  }
  record->moving = WM_INDEX_NONE;
}

void wm_dynamic_add_to_moving(WmDynamic *dynamic, uint32_t number) {
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  if (record->moving == WM_INDEX_NONE) {
    record->moving = dynamic->moving_count++;
    moving_of(dynamic)[record->moving] =
        (WmMovingObstacle){.obstacle = wm_obstacle_handle(record->generation, number)};
  }
  wm_volume_cylinder(dynamic->context, &record->volume, moving_of(dynamic) + record->moving);
}

const WmMovingObstacle *wm_dynamic_moving_obstacles(const WmDynamic *dynamic, size_t *count) {
  *count = dynamic->moving_count;
  return moving_of(dynamic);
}

/* ---- Carving ------------------------------------------------------------------------------------------ */

static void carve(WmDynamic *dynamic, uint32_t number, const uint32_t *tiles, size_t count) {
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  wm_dynamic_unlink_obstacle(dynamic, number);
  wm_dynamic_remove_from_moving(dynamic, record);
  record->carved = record->volume;
  record->is_carving = true;
  record->rest_time = 0;
  wm_dynamic_link_obstacle(dynamic, number, tiles, count);
}

void wm_dynamic_update_carving(WmDynamic *dynamic, uint32_t number, const uint32_t *tiles, size_t count,
                               bool is_new) {
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  const WmObstacleMotion *motion = &record->motion;
  const bool has_moved =
      !is_new && wm_volume_distance(&record->carved, &record->volume) > motion->move_threshold;
  if (is_new) wm_volume_position(&record->volume, record->previous_position);
  if (motion->carving == WM_CARVING_ALWAYS) {
    if (!record->is_carving || has_moved) carve(dynamic, number, tiles, count);
    return;
  }
  if (motion->carving == WM_CARVING_AT_REST && (is_new || (record->is_carving && !has_moved))) {
    if (is_new) carve(dynamic, number, tiles, count);
    return;
  }
  if (is_new || has_moved || record->is_carving) {
    wm_dynamic_unlink_obstacle(dynamic, number);
    record->is_carving = false;
    record->carved = record->volume;
    record->rest_time = 0;
  }
  wm_dynamic_add_to_moving(dynamic, number);
}

/* ---- Time --------------------------------------------------------------------------------------------- */

/* An obstacle that has come to rest, and the tiles that it overlaps. */
typedef struct Rest {
  uint32_t number;
  uint32_t *tiles;
  size_t tile_count;
} Rest;

/* Finds the obstacles that will be at rest when `seconds` have passed, and reserves what carving them needs.
 * out        *resting [*count]: in scratch memory of the caller's mark */
static WmStatus find_resting(WmDynamic *dynamic, float seconds, Rest **resting, size_t *count) {
  *count = 0;
  *resting = wm_scratch_array(dynamic->context, dynamic->moving_count, sizeof **resting);
  WmStatus status = *resting ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  size_t tile_count = 0;
  for (uint32_t i = 0; !status && i < dynamic->moving_count; i++) {
    const uint32_t number = (uint32_t)(moving_of(dynamic)[i].obstacle & UINT32_MAX);
    const WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
    if (record->motion.carving != WM_CARVING_AT_REST) continue;
    if (!(record->rest_time + seconds >= record->motion.time_to_rest)) continue;
    Rest *rest = *resting + (*count)++;
    rest->number = number;
    status = wm_dynamic_find_overlapped_tiles(dynamic, &record->volume, &rest->tiles, &rest->tile_count);
    tile_count += rest->tile_count;
  }
  return status ? status : wm_dynamic_reserve_obstacle_tiles(dynamic, 0, tile_count);
}

static void find_velocity(WmObstacleRecord *record, float seconds, WmMovingObstacle *moving) {
  float position[3];
  wm_volume_position(&record->volume, position);
  for (int axis = 0; axis < 3; axis++) {
    const float velocity = (position[axis] - record->previous_position[axis]) / seconds;
    moving->velocity[axis] = fmaxf(-FLT_MAX, fminf(velocity, FLT_MAX));
    record->previous_position[axis] = position[axis];
  }
}

WmStatus wm_dynamic_advance(WmDynamic *dynamic, float seconds) {
  WmContext *context = dynamic->context;
  if (!is_amount(seconds)) {
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "deltaTime",
                          "the time that passes must be finite and not negative, and is ", (double)seconds,
                          "");
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  Rest *resting;
  size_t count;
  const WmStatus status = find_resting(dynamic, seconds, &resting, &count);
  if (!status) {
    for (uint32_t i = 0; i < dynamic->moving_count; i++) {
      WmMovingObstacle *moving = moving_of(dynamic) + i;
      WmObstacleRecord *record = wm_obstacle_records(dynamic) + (moving->obstacle & UINT32_MAX);
      record->rest_time = fminf(record->rest_time + seconds, FLT_MAX);
      if (seconds > 0) find_velocity(record, seconds, moving);
    }
    for (size_t i = 0; i < count; i++) {
      const WmObstacleRecord *record = wm_obstacle_records(dynamic) + resting[i].number;
      const float *outline = record->carved.vertices;
      carve(dynamic, resting[i].number, resting[i].tiles, resting[i].tile_count);
      wm_dynamic_free_outline(dynamic, record, outline);
    }
  }
  wm_scratch_rewind(context, mark);
  return status;
}
