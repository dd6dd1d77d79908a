/* The obstacles of a dynamic mesh: handles; adds, changes and removes one or many. See dynamic.h and
 * motion.h.
 *
 * Everything in a call that can fail is done first, for all its obstacles: volumes are checked, tiles found,
 * outlines copied, memory reserved. Then the plans are applied, which can't fail. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "dynamic/dynamic_internal.h"

/* ---- Handles ------------------------------------------------------------------------------------------ */

/* The record of a handle, or NULL after a failure. */
static WmObstacleRecord *find_record(const WmDynamic *dynamic, WmObstacle obstacle, WmStatus *status) {
  const uint64_t number = obstacle & UINT32_MAX, generation = obstacle >> WM_OBSTACLE_NUMBER_BITS;
  *status = WM_ERROR_INVALID_ARGUMENT;
  if (number >= dynamic->record_count || generation == 0) return NULL;
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  if (generation > record->generation) return NULL;
  *status = WM_ERROR_STALE_REFERENCE;
  if (generation < record->generation || record->sequence == 0) return NULL;
  *status = WM_OK;
  return record;
}

WmStatus wm_dynamic_find_obstacle(const WmDynamic *dynamic, WmObstacle obstacle, WmObstacleRecord **record) {
  WmStatus status;
  *record = find_record(dynamic, obstacle, &status);
  if (*record) return WM_OK;
  return wm_fail_number(dynamic->context, status, "obstacle", "obstacle ", (double)obstacle,
                        status == WM_ERROR_STALE_REFERENCE ? " was removed" : " never was one");
}

WmStatus wm_dynamic_check_obstacle(const WmDynamic *dynamic, WmObstacle obstacle) {
  WmObstacleRecord *record;
  return wm_dynamic_find_obstacle(dynamic, obstacle, &record);
}

size_t wm_dynamic_obstacle_count(const WmDynamic *dynamic) { return dynamic->live_count; }

const WmAreaVolume *wm_dynamic_obstacle(const WmDynamic *dynamic, WmObstacle obstacle) {
  WmStatus status;
  const WmObstacleRecord *record = find_record(dynamic, obstacle, &status);
  return record ? &record->volume : NULL;
}

const WmAreaVolume *wm_dynamic_carved_volume(const WmDynamic *dynamic, WmObstacle obstacle) {
  WmStatus status;
  const WmObstacleRecord *record = find_record(dynamic, obstacle, &status);
  return record && record->first_obstacle_tile != WM_INDEX_NONE ? &record->carved : NULL;
}

WmStatus wm_dynamic_is_outside(WmDynamic *dynamic, WmObstacle obstacle, bool *is_outside) {
  WmObstacleRecord *record;
  WmStatus status = wm_dynamic_find_obstacle(dynamic, obstacle, &record);
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  uint32_t *tiles;
  size_t count;
  status = wm_dynamic_find_overlapped_tiles(dynamic, &record->volume, &tiles, &count);
  if (!status) *is_outside = count == 0;
  wm_scratch_rewind(dynamic->context, mark);
  return status;
}

void wm_dynamic_refuse_outside(WmDynamic *dynamic, bool refuses) { dynamic->refuses_outside = refuses; }

const WmObstacleMotion *wm_dynamic_obstacle_motion(const WmDynamic *dynamic, WmObstacle obstacle) {
  WmStatus status;
  const WmObstacleRecord *record = find_record(dynamic, obstacle, &status);
  return record ? &record->motion : NULL;
}

WmObstacle wm_dynamic_next_obstacle(const WmDynamic *dynamic, WmObstacle previous) {
  const WmObstacleRecord *records = wm_obstacle_records(dynamic);
  uint64_t number = previous ? (previous & UINT32_MAX) + 1 : 0;
  while (number < dynamic->record_count && records[number].sequence == 0) number++;
  if (number >= dynamic->record_count) return 0;
  return wm_obstacle_handle(records[number].generation, (uint32_t)number);
}

/* ---- Outlines ----------------------------------------------------------------------------------------- */

void wm_dynamic_free_outline(WmDynamic *dynamic, const WmObstacleRecord *record, const float *outline) {
  if (outline == record->original.vertices || outline == record->volume.vertices) return;
  if (outline != record->carved.vertices) wm_block_free(dynamic->context, (void *)(uintptr_t)outline);
}

void wm_dynamic_free_outlines(WmDynamic *dynamic, uint32_t number) {
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  const float *outlines[3] = {record->original.vertices, record->volume.vertices, record->carved.vertices};
  record->original.vertices = record->volume.vertices = record->carved.vertices = NULL;
  for (int i = 0; i < 3; i++) {
    bool is_first = outlines[i] != NULL;
    for (int k = 0; k < i; k++) is_first &= outlines[k] != outlines[i];
    if (is_first) wm_block_free(dynamic->context, (void *)(uintptr_t)outlines[i]);
  }
}

static float *allocate_outline(WmContext *context, size_t vertex_count) {
  WmLayout layout = {0};
  wm_layout_add(&layout, vertex_count, 3 * sizeof(float));
  return wm_layout_allocate(context, &layout);
}

/* ---- Plans -------------------------------------------------------------------------------------------- */

static WmStatus check_volume(WmDynamic *dynamic, const WmAreaVolume *volume) {
  WmGrid grid;
  wm_baker_tile_grid(dynamic->baker, 0, 0, &grid);
  return wm_check_obstacle(dynamic->context, &grid, volume);
}

WmStatus wm_dynamic_check_plan(WmDynamic *dynamic, WmObstaclePlan *plan) {
  WmStatus status = check_volume(dynamic, &plan->volume);
  if (!status) status = wm_check_motion(dynamic->context, &plan->motion);
  if (!status)
    status = wm_dynamic_find_overlapped_tiles(dynamic, &plan->volume, &plan->tiles, &plan->tile_count);
  if (status || plan->tile_count > 0 || !dynamic->refuses_outside) return status;
  return wm_fail(dynamic->context, WM_ERROR_INVALID_ARGUMENT, "obstacle",
                 "the obstacle lies outside the level, and refuseOutside is on");
}

/* Copies a volume with another outline; NULL: none. */
static WmAreaVolume copy_volume(const WmAreaVolume *volume, const float *outline) {
  WmAreaVolume copy = *volume;
  copy.vertices = outline;
  copy.vertex_count = outline ? volume->vertex_count : 0;
  return copy;
}

WmStatus wm_dynamic_plan(WmDynamic *dynamic, const WmAreaVolume *volume, const WmObstacleMotion *motion,
                         WmObstaclePlan *plan) {
  *plan = (WmObstaclePlan){.volume = *volume, .motion = *motion};
  const WmStatus status = wm_dynamic_check_plan(dynamic, plan);
  if (status) return status;
  if (volume->kind == WM_AREA_VOLUME_PRISM) {
    plan->outline = allocate_outline(dynamic->context, volume->vertex_count);
    if (!plan->outline) return WM_ERROR_OUT_OF_MEMORY;
    memcpy(plan->outline, volume->vertices, volume->vertex_count * 3 * sizeof(float));
  }
  plan->volume = plan->original = copy_volume(volume, plan->outline);
  return WM_OK;
}

/* Plans to move a volume; plan->original is the volume before the move. */
static WmStatus plan_move(WmDynamic *dynamic, const WmAreaVolume *given, const WmObstacleMotion *motion,
                          const float position[3], const float *yaw, WmObstaclePlan *plan) {
  WmContext *context = dynamic->context;
  *plan = (WmObstaclePlan){.original = *given, .motion = *motion};
  if (!wm_are_within(position, 3, FLT_MAX)) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "positions", "positions must be finite");
  }
  if (yaw && !wm_are_within(yaw, 1, FLT_MAX)) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "yaws", "yaws must be finite");
  }
  if (given->kind == WM_AREA_VOLUME_PRISM) {
    plan->outline = allocate_outline(context, given->vertex_count);
    if (!plan->outline) return WM_ERROR_OUT_OF_MEMORY;
  }
  WmStatus status = WM_OK;
  if (!wm_volume_move_to(given, position, yaw, plan->outline, &plan->volume)) {
    status = wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "yaws",
                     "only rotated boxes can be turned: make the obstacle one, or change it");
  }
  if (!status) status = wm_dynamic_check_plan(dynamic, plan);
  if (status) wm_block_free(context, plan->outline);
  return status;
}

static void drop_plans(WmDynamic *dynamic, const WmObstaclePlan *plans, size_t count) {
  for (size_t i = 0; i < count; i++) wm_block_free(dynamic->context, plans[i].outline);
}

/* ---- Records ------------------------------------------------------------------------------------------ */

WmStatus wm_dynamic_reserve_records(WmDynamic *dynamic, size_t more) {
  const size_t count = dynamic->record_count; /* ignores free records, which are not counted */
  if (more == 1 && dynamic->free_record != WM_INDEX_NONE) return WM_OK;
  if (more > WM_INDEX_NONE - 1 - count) {
    return wm_fail_range(dynamic->context, WM_ERROR_LIMIT, "obstacle", (double)count + (double)more, 0,
                         (double)(WM_INDEX_NONE - 1), "obstacles");
  }
  return wm_buffer_reserve(dynamic->context, &dynamic->obstacles, count + more, sizeof(WmObstacleRecord));
}

static bool is_mobile(const WmObstacleMotion *motion) { return motion->carving != WM_CARVING_ALWAYS; }

void wm_dynamic_change(WmDynamic *dynamic, uint32_t number, const WmObstaclePlan *plan) {
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  const WmObstacleRecord old = *record;
  const bool is_new = old.sequence == 0;
  dynamic->mobile_count += is_mobile(&plan->motion);
  if (!is_new) dynamic->mobile_count -= is_mobile(&old.motion);
  if (!is_new && old.is_carving) wm_volume_position(&old.volume, record->previous_position);
  record->original = plan->original;
  record->volume = plan->volume;
  record->motion = plan->motion;
  wm_dynamic_update_carving(dynamic, number, plan->tiles, plan->tile_count, is_new);
  if (is_new) return;
  const float *outlines[3] = {old.original.vertices, old.volume.vertices, old.carved.vertices};
  for (int i = 0; i < 3; i++) {
    bool is_first = outlines[i] != NULL;
    for (int k = 0; k < i; k++) is_first &= outlines[k] != outlines[i];
    if (is_first) wm_dynamic_free_outline(dynamic, record, outlines[i]);
  }
}

WmObstacle wm_dynamic_add(WmDynamic *dynamic, const WmObstaclePlan *plan) {
  uint32_t number = dynamic->free_record;
  WmObstacleRecord *records = wm_obstacle_records(dynamic);
  if (number != WM_INDEX_NONE) {
    dynamic->free_record = records[number].first_obstacle_tile;
  } else {
    number = dynamic->record_count++;
    records[number].generation = 1;
  }
  WmObstacleRecord *record = records + number;
  record->first_obstacle_tile = record->moving = WM_INDEX_NONE;
  wm_dynamic_change(dynamic, number, plan);
  record->sequence = ++dynamic->sequence;
  dynamic->live_count++;
  return wm_obstacle_handle(record->generation, number);
}

static void remove_record(WmDynamic *dynamic, uint32_t number) {
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  wm_dynamic_unlink_obstacle(dynamic, number);
  wm_dynamic_remove_from_moving(dynamic, record);
  dynamic->mobile_count -= is_mobile(&record->motion);
  wm_dynamic_free_outlines(dynamic, number);
  const uint32_t generation = record->generation + 1;
  memset(record, 0, sizeof *record);
  record->generation = generation;
  record->first_obstacle_tile = record->moving = WM_INDEX_NONE;
  dynamic->live_count--;
  if (generation >> WM_OBSTACLE_GENERATION_BITS) return; /* used up: the record is not used again */
  record->first_obstacle_tile = dynamic->free_record;
  dynamic->free_record = number;
}

/* ---- Single obstacles --------------------------------------------------------------------------------- */

WmStatus wm_dynamic_add_moving_obstacle(WmDynamic *dynamic, const WmAreaVolume *volume,
                                        const WmObstacleMotion *motion, WmObstacle *obstacle) {
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  const WmAreaVolume copy = *volume; /* `volume` may be in a record, and records may move */
  WmObstaclePlan plan = {.outline = NULL};
  *obstacle = 0;
  WmStatus status = wm_dynamic_plan(dynamic, &copy, motion, &plan);
  if (!status) status = wm_dynamic_reserve_obstacle_tiles(dynamic, 0, plan.tile_count);
  if (!status) status = wm_dynamic_reserve_moving(dynamic, 1);
  if (!status) status = wm_dynamic_reserve_records(dynamic, 1);
  if (!status) {
    *obstacle = wm_dynamic_add(dynamic, &plan);
  } else {
    wm_block_free(dynamic->context, plan.outline);
  }
  wm_scratch_rewind(dynamic->context, mark);
  return status;
}

WmStatus wm_dynamic_add_obstacle(WmDynamic *dynamic, const WmAreaVolume *volume, WmObstacle *obstacle) {
  const WmObstacleMotion motion = wm_obstacle_motion_default();
  return wm_dynamic_add_moving_obstacle(dynamic, volume, &motion, obstacle);
}

WmStatus wm_dynamic_set_obstacle(WmDynamic *dynamic, WmObstacle obstacle, const WmAreaVolume *volume,
                                 const WmObstacleMotion *motion) {
  WmObstacleRecord *record;
  WmStatus status = wm_dynamic_find_obstacle(dynamic, obstacle, &record);
  if (status) return status;
  if (volume && wm_volumes_are_equal(&record->volume, volume)) volume = NULL;
  if (!volume && !motion) return WM_OK;
  const WmObstacleMotion next = motion ? *motion : record->motion;
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  WmObstaclePlan plan = {.volume = record->volume, .original = record->original, .motion = next};
  status = volume ? wm_dynamic_plan(dynamic, volume, &next, &plan) : wm_dynamic_check_plan(dynamic, &plan);
  const size_t left = wm_dynamic_count_overlapped_tiles(dynamic, record);
  if (!status) status = wm_dynamic_reserve_obstacle_tiles(dynamic, left, plan.tile_count);
  if (!status) status = wm_dynamic_reserve_moving(dynamic, 1);
  if (!status) {
    wm_dynamic_change(dynamic, (uint32_t)(obstacle & UINT32_MAX), &plan);
  } else {
    wm_block_free(dynamic->context, plan.outline);
  }
  wm_scratch_rewind(dynamic->context, mark);
  return status;
}

WmStatus wm_dynamic_change_obstacle(WmDynamic *dynamic, WmObstacle obstacle, const WmAreaVolume *volume) {
  return wm_dynamic_set_obstacle(dynamic, obstacle, volume, NULL);
}

WmStatus wm_dynamic_remove_obstacle(WmDynamic *dynamic, WmObstacle obstacle) {
  return wm_dynamic_remove_obstacles(dynamic, &obstacle, 1);
}

/* ---- Several obstacles -------------------------------------------------------------------------------- */

/* Adds to a failure the index of its item in the arrays, from 1. */
static WmStatus name_item(WmContext *context, WmStatus status, size_t index) {
  const bool is_of_item = status == WM_ERROR_INVALID_ARGUMENT || status == WM_ERROR_STALE_REFERENCE;
  return is_of_item ? wm_fail_in_part(context, (uint32_t)index + 1) : status;
}

static WmStatus reserve_plans(WmDynamic *dynamic, const WmObstaclePlan *plans, size_t count, size_t left) {
  size_t tile_count = 0;
  for (size_t i = 0; i < count; i++) tile_count += plans[i].tile_count;
  const WmStatus status = wm_dynamic_reserve_obstacle_tiles(dynamic, left, tile_count);
  return status ? status : wm_dynamic_reserve_moving(dynamic, count);
}

WmStatus wm_dynamic_add_obstacles(WmDynamic *dynamic, const WmAreaVolume *given,
                                  const WmObstacleMotion *motion, const float *positions, const float *yaws,
                                  size_t count, WmObstacle *obstacles) {
  WmContext *context = dynamic->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmAreaVolume volume = *given;
  WmObstaclePlan *plans = wm_scratch_array(context, count, sizeof *plans);
  size_t planned = 0;
  WmStatus status = plans ? check_volume(dynamic, &volume) : WM_ERROR_OUT_OF_MEMORY;
  while (!status && planned < count) {
    status = plan_move(dynamic, &volume, motion, positions + 3 * planned, yaws ? yaws + planned : NULL,
                       plans + planned);
    status = name_item(context, status, planned);
    planned += !status;
  }
  if (!status) status = reserve_plans(dynamic, plans, count, 0);
  if (!status) status = wm_dynamic_reserve_records(dynamic, count);
  for (size_t i = 0; !status && i < count; i++) {
    plans[i].volume = plans[i].original = copy_volume(&plans[i].volume, plans[i].outline);
    obstacles[i] = wm_dynamic_add(dynamic, plans + i);
  }
  if (status && plans) drop_plans(dynamic, plans, planned);
  wm_scratch_rewind(context, mark);
  return status;
}

WmStatus wm_dynamic_move_obstacles(WmDynamic *dynamic, const WmObstacle *obstacles, const float *positions,
                                   const float *yaws, size_t count) {
  WmContext *context = dynamic->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmObstaclePlan *plans = wm_scratch_array(context, count, sizeof *plans);
  size_t planned = 0, left = 0;
  WmStatus status = plans ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  while (!status && planned < count) {
    WmObstacleRecord *record;
    status = name_item(context, wm_dynamic_find_obstacle(dynamic, obstacles[planned], &record), planned);
    if (status) break;
    left += wm_dynamic_count_overlapped_tiles(dynamic, record);
    status = plan_move(dynamic, &record->original, &record->motion, positions + 3 * planned,
                       yaws ? yaws + planned : NULL, plans + planned);
    status = name_item(context, status, planned);
    planned += !status;
  }
  if (!status) status = reserve_plans(dynamic, plans, count, left);
  for (size_t i = 0; !status && i < count; i++) {
    wm_dynamic_change(dynamic, (uint32_t)(obstacles[i] & UINT32_MAX), plans + i);
  }
  if (status && plans) drop_plans(dynamic, plans, planned);
  wm_scratch_rewind(context, mark);
  return status;
}

WmStatus wm_dynamic_remove_obstacles(WmDynamic *dynamic, const WmObstacle *obstacles, size_t count) {
  WmContext *context = dynamic->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  uint8_t *is_named = wm_scratch_zeroed(context, dynamic->record_count / 8 + 1, 1);
  WmStatus status = is_named ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  size_t left = 0;
  for (size_t i = 0; !status && i < count; i++) {
    WmObstacleRecord *record;
    status = name_item(context, wm_dynamic_find_obstacle(dynamic, obstacles[i], &record), i);
    if (status) break;
    const uint32_t number = (uint32_t)(obstacles[i] & UINT32_MAX), bit = 1u << number % 8;
    if (is_named[number / 8] & bit) {
      status = wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "obstacle", "obstacle ",
                              (double)obstacles[i], " is named twice");
      status = name_item(context, status, i);
    }
    is_named[number / 8] |= (uint8_t)bit;
    left += wm_dynamic_count_overlapped_tiles(dynamic, record);
  }
  if (!status) status = wm_dynamic_reserve_queue(dynamic, left);
  for (size_t i = 0; !status && i < count; i++) {
    remove_record(dynamic, (uint32_t)(obstacles[i] & UINT32_MAX));
  }
  wm_scratch_rewind(context, mark);
  return status;
}
