/* The desired velocity: to the next corner at the maximum speed, slower before the destination.
 *
 * If nothing is in the way, an agent walks on the very segments through its corners: its speed changes as
 * acceleration allows, its direction is the segment's, unless it has anticipate_turns. */
#include "crowd/crowd_internal.h"

/* True if the agent is still on the segment to its first corner, as it was found, and where it is certain. */
static bool is_on_line(const WmAgentRecord *record, const float position[3]) {
  if (!record->corners_are_valid || record->corner_count == 0) return false;
  const float *corner = record->corners[0].point;
  const float x = corner[0] - record->corners_from[0], z = corner[2] - record->corners_from[1];
  const float to_x = position[0] - record->corners_from[0], to_z = position[2] - record->corners_from[1];
  const float squared = x * x + z * z, aside = x * to_z - z * to_x;
  const float along = to_x * x + to_z * z, certain = record->certain_length;
  if (along * along > certain * certain * squared) return false;
  return aside * aside <= WM_CROWD_OFF_LINE_SQUARED * squared && along <= squared;
}

/* True if the distance that the corners keep from walls is not the wanted one by far. */
static bool wants_other_room(const WmAgentRecord *record) {
  const float most = record->parameters.wall_distance;
  return most > 0 && fabsf(wm_crowd_wanted_room(record) - record->room) > WM_CROWD_OTHER_ROOM * most;
}

/* The length of the path through the corners. */
static float measure(const WmAgentRecord *record, const float position[3]) {
  float length = 0;
  float x = position[0], z = position[2];
  for (uint32_t k = 0; k < record->corner_count; k++) {
    const float *corner = record->corners[k].point;
    length += sqrtf((corner[0] - x) * (corner[0] - x) + (corner[2] - z) * (corner[2] - z));
    x = corner[0];
    z = corner[2];
  }
  return length;
}

static void want_nothing(WmAgentRecord *record) {
  record->preferred[0] = record->preferred[1] = 0;
  record->direction[0] = record->direction[1] = 0;
  record->braking_distance = record->last_leg = INFINITY;
}

static void steer_by_velocity(WmAgentRecord *record) {
  const float x = record->ordered[0], z = record->ordered[1];
  const float speed = sqrtf(x * x + z * z), most = record->parameters.max_speed;
  record->braking_distance = record->last_leg = INFINITY;
  if (!(speed > 0)) {
    want_nothing(record);
    return;
  }
  const float scale = speed > most ? most / speed : 1;
  record->preferred[0] = x * scale;
  record->preferred[1] = z * scale;
  record->direction[0] = x / speed;
  record->direction[1] = z / speed;
}

void wm_crowd_steer(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const uint8_t state = crowd->states[index];
  const float *position = crowd->positions + 3 * index;
  record->is_held = false;
  if (record->is_paused || state == WM_AGENT_NO_TARGET || wm_agent_rests(state) ||
      (state == WM_AGENT_WAITING && record->connection)) {
    want_nothing(record);
    return;
  }
  if (record->order == WM_ORDER_VELOCITY) {
    steer_by_velocity(record);
    return;
  }
  if (record->corridor.count == 0) {
    want_nothing(record);
    return;
  }
  if (!is_on_line(record, position) || wants_other_room(record)) wm_crowd_find_corners(crowd, index);
  if (record->is_off_line) wm_crowd_aim_at_lane(record);
  record->braking_distance = INFINITY;
  float speed = record->parameters.max_speed;
  if (record->ends_at_last || record->ends_at_connection) {
    const float stop = record->ends_at_last ? record->parameters.stopping_distance : 0;
    const float left = measure(record, position) - stop;
    record->braking_distance = left > 0 ? left : 0;
    const bool brakes = record->ends_at_last && (record->parameters.auto_braking || record->is_partial);
    if (brakes) {
      const float limit = sqrtf(2 * record->parameters.max_acceleration * record->braking_distance);
      speed = speed < limit ? speed : limit;
    }
  }
  if (record->corner_count == 0) {
    record->braking_distance = record->last_leg = 0;
    record->preferred[0] = record->preferred[1] = 0;
    return;
  }
  const float *corner = record->corners[0].point;
  const float x = corner[0] - position[0], z = corner[2] - position[2], length = sqrtf(x * x + z * z);
  record->last_leg = record->corner_count > 1 ? INFINITY : length;
  if (length > WM_CROWD_NO_LENGTH) {
    record->direction[0] = x / length;
    record->direction[1] = z / length;
  }
  wm_crowd_anticipate(crowd, index);
  record->preferred[0] = record->direction[0] * speed;
  record->preferred[1] = record->direction[1] * speed;
  wm_crowd_hold_back(crowd, index);
}
