/* The phases of a step. Each visits all agents and reads the results of the one before, so that the order of
 * agents in the arrays is ignored. For speed, phases that read the large records visit agents in the order of the
 * arrays, contacts in the order of cells:
 *
 *   mesh       agents and corridors that the mesh has lost           mesh_changes.c
 *   plan       searches, within the budget                           planning/plan.c
 *   sort       bodies by cells                                       avoidance/neighbour_grid.c
 *   think      neighbours, desired velocity, walls, avoidance        neighbour_grid.c steer.c walls.c orca.c
 *   move       velocities as acceleration allows, positions along the surface
 *   contacts   overlapping bodies are pushed apart                   avoidance/contact.c
 *   links      which agents take off over segment links           steering/link_queue.c
 *   states     which agents have arrived, are blocked, wait; headings     states.c */
#include "base/debug/assert.h"
#include "base/number.h"
#include "crowd/crowd_internal.h"

/* ---- Moving ----------------------------------------------------------------------------------------- */

/* True if following its path costs the agent no acceleration: if avoidance left its velocity unchanged, the
 * path leads around corners, or the corridor is new, so that orders are followed at once. Else, on the last
 * leg, the path turns only because the agent was moved off it. Agents with anticipate_turns turn as their
 * acceleration allows. */
static bool turns_freely(const WmAgentRecord *record) {
  if (record->parameters.anticipate_turns) return false;
  if (record->chosen[0] == record->preferred[0] && record->chosen[1] == record->preferred[1]) return true;
  if (record->order != WM_ORDER_TARGET) return false;
  const bool is_on_last_leg =
      record->room > 0 ? record->is_on_last_leg : record->corner_count <= 1 && record->ends_at_last;
  return record->corridor_is_new || !is_on_last_leg;
}

/* Turns the velocity by the angle between two directions. */
static void turn(const float before[2], const float direction[2], float velocity[2]) {
  if ((before[0] == 0 && before[1] == 0) || (direction[0] == 0 && direction[1] == 0)) return;
  if (before[0] == direction[0] && before[1] == direction[1]) return;
  const float cosine = before[0] * direction[0] + before[1] * direction[1];
  const float sine = before[0] * direction[1] - before[1] * direction[0];
  const float x = velocity[0] * cosine - velocity[1] * sine;
  velocity[1] = velocity[0] * sine + velocity[1] * cosine;
  velocity[0] = x;
}

/* Finds the point `left` before the first corner: on the very segment that string pulling found, as long as
 * the agent is on it. Steps from its own position would accumulate rounding, and lead it off. */
static void find_on_line(const WmAgentRecord *record, const float position[3], float length, float left,
                         float point[2]) {
  const float *corner = record->corners[0].point;
  float from[2] = {corner[0] - position[0], corner[2] - position[2]};
  const float line[2] = {corner[0] - record->corners_from[0], corner[2] - record->corners_from[1]};
  const float squared = line[0] * line[0] + line[1] * line[1], aside = line[0] * from[1] - line[1] * from[0];
  if (aside * aside <= WM_CROWD_ON_LINE_SQUARED * squared && line[0] * from[0] + line[1] * from[1] > 0) {
    memcpy(from, line, sizeof from);
    length = sqrtf(squared);
  }
  point[0] = corner[0] - from[0] * (left / length);
  point[1] = corner[2] - from[1] * (left / length);
}

/* Moves a point into the agent's reach. */
static void limit_to_reach(const WmAgentRecord *record, float point[2]) {
  const float x = point[0] - record->from[0], z = point[1] - record->from[1], squared = x * x + z * z;
  if (squared <= record->reach * record->reach) return;
  const float scale = record->reach / sqrtf(squared);
  point[0] = record->from[0] + x * scale;
  point[1] = record->from[1] + z * scale;
}

/* Moves an agent along the segments through its corners. */
static WmStatus walk_line(WmCrowd *crowd, size_t index, float distance) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  while (record->corner_count > 0 && distance > 0) {
    const float corner[2] = {record->corners[0].point[0], record->corners[0].point[2]};
    const float x = corner[0] - position[0], z = corner[1] - position[2], length = sqrtf(x * x + z * z);
    const bool is_reached = length <= distance;
    float to[2] = {corner[0], corner[1]};
    if (!is_reached) find_on_line(record, position, length, length - distance, to);
    limit_to_reach(record,
                   to); /* in a loaded crowd corners may be so far away that rounding moves the point */
    const WmStatus status = wm_crowd_walk_within_reach(crowd, index, to[0], to[1]);
    if (status) return status;
    if (!is_reached) break;
    distance -= length;
    const bool was_last = record->corner_count == 1;
    if (was_last && (record->ends_at_last || record->ends_at_connection)) {
      record->corner_count = 0;
      break;
    }
    /* Past the corner: the next segment begins there. */
    const float passed_x = corner[0] - record->corners_from[0],
                passed_z = corner[1] - record->corners_from[1];
    const float certain = record->certain_length - sqrtf(passed_x * passed_x + passed_z * passed_z);
    record->certain_length = certain > 0 ? certain : 0;
    record->corners_from[0] = corner[0];
    record->corners_from[1] = corner[1];
    record->corner_count--;
    memmove(record->corners, record->corners + 1, record->corner_count * sizeof *record->corners);
    if (record->corner_count == 0 || !record->corners_are_valid) wm_crowd_find_corners(crowd, index);
  }
  return WM_OK;
}

/* True if avoidance changed nothing, and the velocity leads along the path. */
static bool is_along(const WmAgentRecord *record, const float velocity[2]) {
  if (record->anticipates) return false;
  if (record->chosen[0] != record->preferred[0] || record->chosen[1] != record->preferred[1]) return false;
  const float *direction = record->direction;
  const float along = velocity[0] * direction[0] + velocity[1] * direction[1];
  const float aside = velocity[0] * direction[1] - velocity[1] * direction[0];
  return along >= 0 && fabsf(aside) < WM_CROWD_ALONG_LINE && record->corner_count > 0;
}

/* Changes a velocity to the chosen one, as far as acceleration allows. */
static void accelerate(const WmAgentRecord *record, float seconds, float velocity[2]) {
  const float change[2] = {record->chosen[0] - velocity[0], record->chosen[1] - velocity[1]};
  const float squared = change[0] * change[0] + change[1] * change[1];
  const float most = record->parameters.max_acceleration * seconds;
  const float scale = squared > most * most ? most / sqrtf(squared) : 1;
  velocity[0] += change[0] * scale;
  velocity[1] += change[1] * scale;
}

static WmStatus move(WmCrowd *crowd, size_t index, float seconds) {
  WmAgentRecord *record = &crowd->records[index];
  float *velocity = crowd->velocities + 3 * index;
  const float *position = crowd->positions + 3 * index;
  const float before[3] = {position[0], position[1], position[2]};
  float now[2] = {velocity[0], velocity[2]};
  record->from[0] = before[0];
  record->from[1] = before[2];
  if (turns_freely(record)) turn(record->previous_direction, record->direction, now);
  memcpy(record->previous_direction, record->direction, sizeof record->previous_direction);
  record->corridor_is_new = false;
  const bool is_in_arc = record->parameters.anticipate_turns && wm_crowd_turn_in_arc(record, seconds, now);
  if (!is_in_arc) accelerate(record, seconds, now);
  const float speed = sqrtf(now[0] * now[0] + now[1] * now[1]), most = record->parameters.max_speed;
  record->reach = (speed > most ? speed : most) * seconds + WM_CROWD_PUSH_REACH;
  WmStatus status = WM_OK;
  if (speed < WM_CROWD_REST_SPEED && record->chosen[0] == 0 && record->chosen[1] == 0) {
    now[0] = now[1] = 0;
  } else if (record->order == WM_ORDER_TARGET && is_along(record, now)) {
    const float distance = speed * seconds;
    status =
        walk_line(crowd, index, distance < record->braking_distance ? distance : record->braking_distance);
    now[0] = record->direction[0] * speed;
    now[1] = record->direction[1] * speed;
  } else {
    status =
        wm_crowd_walk_within_reach(crowd, index, before[0] + now[0] * seconds, before[2] + now[1] * seconds);
    /* A wall removes the part that led into it. */
    const float x = (position[0] - before[0]) / seconds, z = (position[2] - before[2]) / seconds;
    if (x * x + z * z < WM_CROWD_WALL_LOSS * speed * speed) {
      now[0] = x;
      now[1] = z;
    }
  }
  velocity[0] = now[0];
  velocity[1] = wm_crowd_speed(position[1] - before[1], seconds);
  velocity[2] = now[1];
  return status;
}

/* ---- The step --------------------------------------------------------------------------------------- */

static void think(WmCrowd *crowd) {
  const uint32_t *bodies = crowd->body_indices.items;
  if (crowd->count) memset(crowd->neighbour_counts, 0, crowd->count);
  /* Also for agents on connections: `found` holds indices of other agents. */
  if (crowd->count && crowd->neighbours_are_stale) memset(crowd->found_counts, 0, crowd->count);
  for (size_t index = 0; index < crowd->count; index++) {
    const uint32_t body = bodies[index];
    if (body == WM_NONE) continue;
    const WmAgentRecord *record = &crowd->records[index];
    wm_crowd_find_neighbours(crowd, body);
    if (record->corridor_is_new && crowd->states[index] == WM_AGENT_ARRIVED)
      wm_crowd_follow_target(crowd, body);
    wm_crowd_steer(crowd, index);
    if (crowd->neighbour_counts[index] > 0 && record->parameters.avoidance != WM_AVOIDANCE_NONE) {
      wm_crowd_find_walls(crowd, index, WM_CROWD_WALL_RANGE + 2 * record->parameters.radius);
    }
    wm_crowd_avoid(crowd, body);
  }
  crowd->neighbours_are_stale = false;
}

/* Copies the positions after moving; obstacles stay where they were sorted. */
static void gather_contact_bodies(const WmCrowd *crowd, float seconds) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  WmContactBody *contact_bodies = wm_crowd_contact_bodies(crowd);
  for (size_t body = 0; body < crowd->body_count; body++) {
    const size_t index = bodies[body].index;
    contact_bodies[body] = (WmContactBody){
        .x = bodies[body].x, .z = bodies[body].z, .radius = bodies[body].radius, .parting = 1};
    if (index == WM_NONE) continue;
    contact_bodies[body].x = crowd->positions[3 * index];
    contact_bodies[body].z = crowd->positions[3 * index + 2];
    if (bodies[body].parting_time > seconds)
      contact_bodies[body].parting = seconds / bodies[body].parting_time;
  }
}

/* A round of contacts.
 * in/out     *approached: how much nearer to each other bodies can have come in the rounds until now */
static WmStatus push_apart(WmCrowd *crowd, float *approached) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  WmContactBody *contact_bodies = wm_crowd_contact_bodies(crowd);
  WmStatus first = WM_OK;
  float farthest = 0; /* squared: the longest way of a push */
  for (size_t body = 0; body < crowd->body_count; body++) {
    if (bodies[body].index == WM_NONE || contact_bodies[body].untouched_until > *approached) continue;
    wm_crowd_find_push(crowd, body, *approached);
  }
  for (size_t body = 0; body < crowd->body_count; body++) {
    WmContactBody *contact_body = &contact_bodies[body];
    const float *push = contact_body->push;
    if (!(push[0] * push[0] + push[1] * push[1] > WM_CROWD_NO_PUSH_SQUARED)) continue;
    const size_t index = bodies[body].index;
    float to[2] = {contact_body->x + push[0], contact_body->z + push[1]};
    limit_to_reach(&crowd->records[index], to);
    const WmStatus status = wm_crowd_walk_within_reach(crowd, index, to[0], to[1]);
    if (!first) first = status;
    const float x = crowd->positions[3 * index], z = crowd->positions[3 * index + 2];
    const float way_x = x - contact_body->x, way_z = z - contact_body->z, way = way_x * way_x + way_z * way_z;
    farthest = way > farthest ? way : farthest;
    contact_body->x = x;
    contact_body->z = z;
  }
  *approached += 2 * sqrtf(farthest);
  return first;
}

/* Counts down the time in which agents part that were put down inside others: WM_CROWD_PARTING_TIME, or less if
 * an agent no longer touches any other. */
static void count_down_parting(WmCrowd *crowd, float seconds) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  const WmContactBody *contact_bodies = wm_crowd_contact_bodies(crowd);
  for (size_t body = 0; body < crowd->body_count; body++) {
    if (bodies[body].index == WM_NONE || contact_bodies[body].parting == 1) continue;
    WmAgentRecord *record = &crowd->records[bodies[body].index];
    record->parting_time = contact_bodies[body].touches ? record->parting_time - seconds : 0;
  }
}

/* True if the step moved no agent farther than it may: for builds with WM_ASSERTS. */
static bool are_within_reach(const WmCrowd *crowd) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  for (size_t body = 0; body < crowd->body_count; body++) {
    if (bodies[body].index == WM_NONE) continue;
    const WmAgentRecord *record = &crowd->records[bodies[body].index];
    const float *position = crowd->positions + 3 * (size_t)bodies[body].index;
    const float x = position[0] - record->from[0], z = position[2] - record->from[1];
    const float error =
        WM_CROWD_REACH_ERROR + WM_CROWD_REACH_ROUNDING * (fabsf(position[0]) + fabsf(position[2]));
    if (!(sqrtf(x * x + z * z) <= record->reach + error)) return false;
  }
  return true;
}

static WmStatus move_all(WmCrowd *crowd, float seconds) {
  WmStatus first = WM_OK;
  for (size_t i = 0; i < crowd->count; i++) {
    WmStatus status = WM_OK;
    if (crowd->states[i] == WM_AGENT_ON_CONNECTION) {
      status = wm_crowd_advance_connection(crowd, i, seconds);
    } else if (wm_agent_takes_part(crowd->states[i])) {
      status = move(crowd, i, seconds);
    }
    if (!first) first = status;
  }
  WmMovingObstacle *obstacles = crowd->obstacles.items;
  for (size_t i = 0; i < crowd->obstacle_count; i++) {
    for (int axis = 0; axis < 3; axis++) {
      const float to = obstacles[i].position[axis] + obstacles[i].velocity[axis] * seconds;
      obstacles[i].position[axis] = to < -WM_FARTHEST ? -WM_FARTHEST : to > WM_FARTHEST ? WM_FARTHEST : to;
    }
  }
  return first;
}

static WmStatus step_once(WmCrowd *crowd, float seconds, WmCrowdStep *step) {
  WmStatus first = wm_crowd_check_mesh(crowd, seconds);
  WmStatus status = wm_crowd_plan(crowd, step);
  if (!first) first = status;
  for (size_t i = 0; i < crowd->count; i++) wm_crowd_show_pause(crowd, i);
  if (!(seconds > 0)) return first;
  status = wm_crowd_sort(crowd);
  if (!first) first = status;
  if (status) return first;
  status = wm_crowd_give_way(crowd, seconds);
  if (!first) first = status;
  think(crowd);
  status = move_all(crowd, seconds);
  if (!first) first = status;
  gather_contact_bodies(crowd, seconds);
  float approached = 0;
  for (int round = 0; round < WM_CROWD_CONTACT_ROUNDS; round++) {
    status = push_apart(crowd, &approached);
    if (!first) first = status;
  }
  count_down_parting(crowd, seconds);
  WM_ASSERT(are_within_reach(crowd));
  status = wm_crowd_queue_at_links(crowd);
  if (!first) first = status;
  const uint32_t *bodies = crowd->body_indices.items;
  for (size_t i = 0; i < crowd->count; i++) {
    if (bodies[i] == WM_NONE) continue;
    status = wm_crowd_update_state(crowd, bodies[i], seconds, step);
    if (!first) first = status;
  }
  crowd->steps++;
  return first;
}

WmStatus wm_crowd_step(WmCrowd *crowd, float seconds, WmCrowdStep *out) {
  WmCrowdStep step = {0};
  if (!(seconds >= 0 && seconds < INFINITY)) {
    return wm_fail_number(crowd->context, WM_ERROR_INVALID_ARGUMENT, "seconds", "seconds is ",
                          (double)seconds, ": must be 0 or more and finite");
  }
  const float longest = crowd->options.max_step, most = (float)crowd->options.max_substeps;
  const float wanted = ceilf(seconds / longest);
  const float count = wanted > most ? most : wanted < 1 ? 1 : wanted;
  const float part = wanted > most ? longest : seconds / count;
  if (crowd->count) memcpy(crowd->previous, crowd->positions, 3 * crowd->count * sizeof(float));
  WmStatus first = WM_OK;
  for (uint32_t i = 0; i < (uint32_t)count; i++) {
    const WmStatus status = step_once(crowd, part, &step);
    if (!first) first = status;
    step.simulated += part;
    step.substeps++;
  }
  if (out) *out = step;
  WM_VALIDATE(wm_crowd_validate(crowd));
  return first;
}
