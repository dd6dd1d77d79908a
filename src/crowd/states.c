/* The states of agents after a step: which ones have arrived, rest before their target, are blocked, wait or
 * pass through others; when those at rest set out again; where all of them look. */
#include "base/number.h"
#include "crowd/crowd_internal.h"

/* ---- Headings and progress ---------------------------------------------------------------------------- */

/* The sine and cosine of the largest turn of a step, and half the chord of that. Agents mostly have one turning
 * speed, so that the last answer is the next one, too. */
static const WmCrowdTurn *find_turn(WmCrowd *crowd, float most) {
  WmCrowdTurn *turn = &crowd->turn;
  if (turn->is_known && turn->angle == most) return turn;
  *turn = (WmCrowdTurn){
      .is_known = true,
      .angle = most,
      .half_chord = (float)wm_sine((double)(most < 3.1415926f ? most : 3.1415926f) * 0.5, 0),
      .cosine = (float)wm_sine((double)most, 1),
      .sine = (float)wm_sine((double)most, 0),
  };
  return turn;
}

void wm_crowd_turn_heading(WmCrowd *crowd, size_t index, const float way[2], float seconds) {
  const WmAgentRecord *record = &crowd->records[index];
  float *heading = crowd->headings + 2 * index;
  const float way_length = sqrtf(way[0] * way[0] + way[1] * way[1]);
  if (way_length < WM_CROWD_HEADING_SPEED) return;
  const float to[2] = {way[0] / way_length, way[1] / way_length};
  if (heading[0] == to[0] && heading[1] == to[1]) return;
  const float most = record->parameters.turning_speed * seconds * 0.017453292f;
  const float cosine = heading[0] * to[0] + heading[1] * to[1];
  const float sine = heading[0] * to[1] - heading[1] * to[0];
  if (cosine > WM_CROWD_HEADING_COSINE && most > WM_CROWD_HEADING_TURN) { /* the usual case */
    heading[0] = to[0];
    heading[1] = to[1];
    return;
  }
  /* Compares chords instead of angles: that needs no arc cosine. */
  const WmCrowdTurn *turn = find_turn(crowd, most);
  if (2 - 2 * cosine <= 4 * turn->half_chord * turn->half_chord) {
    heading[0] = to[0];
    heading[1] = to[1];
    return;
  }
  const float c = turn->cosine, s = turn->sine * (sine < 0 ? -1.0f : 1.0f);
  const float x = heading[0] * c - heading[1] * s, z = heading[0] * s + heading[1] * c;
  const float length = sqrtf(x * x + z * z);
  heading[0] = x / length;
  heading[1] = z / length;
}

/* Updates the mean progress speed, and the time for which the agent is blocked. */
static void measure_progress(WmCrowd *crowd, size_t index, float seconds) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index, *direction = record->direction;
  const float x = position[0] - record->from[0], z = position[2] - record->from[1];
  const float speed = wm_crowd_speed(x * direction[0] + z * direction[1], seconds);
  const float part = seconds < WM_CROWD_PROGRESS_TIME ? seconds / WM_CROWD_PROGRESS_TIME : 1;
  record->progress_speed += (speed - record->progress_speed) * part;
  const float most = record->parameters.max_speed;
  const bool samples = record->parameters.avoidance == WM_AVOIDANCE_SAMPLING;
  /* A little progress is no reason to stop squeezing. */
  const bool squeezes = record->blocked_time > (samples ? WM_SAMPLING_PATIENCE : WM_SQUEEZE_TIME);
  if (record->progress_speed <= WM_CROWD_BLOCKED_PACE * most) {
    const float time = record->blocked_time + seconds;
    record->blocked_time = time < WM_CROWD_LONGEST_BLOCKED ? time : WM_CROWD_LONGEST_BLOCKED;
  } else if (!squeezes) {
    record->blocked_time = 0;
  } else if (record->progress_speed > WM_FREE_PACE * most) { /* it has passed */
    record->blocked_time = seconds < record->blocked_time ? record->blocked_time - seconds : 0;
  }
}

/* ---- Coming to rest ---------------------------------------------------------------------------------- */

/* The agent is at its destination, or as near as it can get. */
static void come_to_rest(WmCrowd *crowd, size_t index, bool is_crowded, WmCrowdStep *step) {
  WmAgentRecord *record = &crowd->records[index];
  record->blocked_time = 0;
  record->passes = false;
  if (!is_crowded) wm_agent_forget_jam(record); /* else it goes on when the agent sets out again */
  crowd->states[index] = record->is_partial ? WM_AGENT_UNREACHABLE
                         : is_crowded       ? WM_AGENT_CROWDED
                                            : WM_AGENT_ARRIVED;
  crowd->reasons[index] = record->is_partial ? record->partial_reason
                          : is_crowded       ? WM_AGENT_REASON_CROWDED
                                             : WM_AGENT_REASON_NONE;
  if (record->parameters.auto_braking) memset(crowd->velocities + 3 * index, 0, 3 * sizeof(float));
  step->arrived += crowd->states[index] == WM_AGENT_ARRIVED;
  step->crowded += crowd->states[index] == WM_AGENT_CROWDED;
}

/* True if an agent that rests beside ours, with the same target, has less way left, and is before ours on its
 * way: not behind a wall, from where the way leads around it. */
static bool is_before(const WmCrowd *crowd, const WmBody *own, const WmBody *other, float left) {
  const float other_left = wm_crowd_measure_way(crowd, other->index), both = own->radius + other->radius;
  return other_left < left && left < other_left + WM_CROWD_BEFORE * both;
}

/* The distance of an agent from its own destination, on x and z. */
static float distance_off(const WmCrowd *crowd, size_t index) {
  const float *position = crowd->positions + 3 * index, *end = crowd->records[index].destination;
  const float x = end[0] - position[0], z = end[2] - position[2];
  return sqrtf(x * x + z * z);
}

/* True if a resting agent occupies our destination: it is so near that ours can't come to rest there, and is in
 * its own place. One that was pushed there gives way. */
static bool is_on_destination(const WmCrowd *crowd, const WmBody *own, const WmBody *other) {
  const float *end = crowd->records[own->index].destination;
  const float near = (1 - WM_CROWD_REACHED_SLOWED) * own->radius + other->radius;
  const float x = other->x - end[0], z = other->z - end[2];
  return x * x + z * z < near * near &&
         distance_off(crowd, other->index) <= WM_CROWD_OUT_OF_PLACE * other->radius;
}

/* True if a resting agent beside ours is before it on its way to the same target, or occupies ours. One that
 * has squeezed in vain also rests beside any agent of its target where it leaves no space before that: else
 * several would push each other around it. */
static bool is_crowded(const WmCrowd *crowd, size_t body) {
  const WmBody *bodies = wm_crowd_bodies(crowd), *own = bodies + body;
  const uint32_t *indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  const float blocked_time = crowd->records[own->index].blocked_time;
  float left = -1; /* measured if an agent rests beside ours */
  for (uint32_t k = 0; k < crowd->neighbour_counts[own->index]; k++) {
    const WmBody *other = bodies + indices[k];
    if (other->index == WM_NONE || !wm_agent_rests(other->state)) continue;
    const float x = other->x - own->x, z = other->z - own->z;
    const float range = WM_CROWD_CROWDED * (own->radius + other->radius);
    if (x * x + z * z >= range * range) continue;
    const bool is_shared = other->target_id == own->target_id;
    if (!is_shared && !is_on_destination(crowd, own, other)) continue;
    if (left < 0) left = wm_crowd_measure_way(crowd, own->index);
    const bool is_there = left < own->radius + other->radius && blocked_time >= WM_CROWD_LONGEST_BLOCKED;
    if (is_shared ? is_there || is_before(crowd, own, other, left) : left < range) return true;
  }
  return false;
}

/* ---- Setting out again ------------------------------------------------------------------------------- */

/* A resting agent walks to its destination again. */
static void set_out(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  record->blocked_time = 0;
  record->corners_are_valid = false;
  crowd->states[index] = record->corridor.count > 0 ? WM_AGENT_FOLLOWING : WM_AGENT_PLANNING;
  crowd->reasons[index] = WM_AGENT_REASON_NONE;
  if (record->corridor.count == 0 && !record->needs_plan) wm_crowd_request_later(record);
}

/* True if others pushed a resting agent off its destination: far, or a little while nobody is there, as it
 * would keep others off theirs. */
static bool is_pushed_off(const WmCrowd *crowd, size_t body) {
  const WmBody *own = wm_crowd_bodies(crowd) + body;
  const WmAgentRecord *record = &crowd->records[own->index];
  const float *end = record->destination, radius = record->parameters.radius;
  const float distance = distance_off(crowd, own->index) - record->parameters.stopping_distance;
  if (distance <= WM_CROWD_OUT_OF_PLACE * radius) return false;
  return distance > WM_CROWD_PUSHED_OFF * radius || wm_crowd_is_free(crowd, body, end[0], end[2]);
}

/* An agent that others pushed off its destination walks back: else agents with other targets fill the
 * space. */
static void go_back(WmCrowd *crowd, size_t body, float seconds) {
  const size_t index = wm_crowd_bodies(crowd)[body].index;
  WmAgentRecord *record = &crowd->records[index];
  record->blocked_time = is_pushed_off(crowd, body) ? record->blocked_time + seconds : 0;
  if (record->blocked_time > WM_CROWD_PATIENCE && record->pushed_off < WM_CROWD_PUSHED_OFF_LIMIT)
    record->pushed_off++;
  if (record->blocked_time > WM_CROWD_PATIENCE) set_out(crowd, index);
}

/* True if a neighbour has the same target. */
static bool shares_target(const WmCrowd *crowd, size_t body) {
  const WmBody *bodies = wm_crowd_bodies(crowd), *own = bodies + body;
  const uint32_t *indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  for (uint32_t k = 0; k < crowd->neighbour_counts[own->index]; k++) {
    if (bodies[indices[k]].target_id == own->target_id) return true;
  }
  return false;
}

void wm_crowd_follow_target(WmCrowd *crowd, size_t body) {
  const size_t index = wm_crowd_bodies(crowd)[body].index;
  const float range = wm_agent_slowed_range(&crowd->records[index].parameters);
  if (!shares_target(crowd, body) || wm_crowd_measure_way(crowd, index) > range) set_out(crowd, index);
}

/* True if there is space for the agent a diameter further on its way, or on its destination. */
static bool has_space_ahead(WmCrowd *crowd, size_t body) {
  const WmBody *own = wm_crowd_bodies(crowd) + body;
  const WmAgentRecord *record = &crowd->records[own->index];
  wm_crowd_find_corners(crowd, own->index);
  float x = own->x, z = own->z, left = 2 * own->radius;
  for (uint32_t k = 0; k < record->corner_count && left > 0; k++) {
    const float *corner = record->corners[k].point;
    const float to_x = corner[0] - x, to_z = corner[2] - z, length = sqrtf(to_x * to_x + to_z * to_z);
    const float part = length > left ? left / length : 1;
    x += to_x * part;
    z += to_z * part;
    left -= length;
  }
  return wm_crowd_is_free(crowd, body, x, z);
}

/* True if others pushed a crowded agent to its destination, as near as slowed agents come to rest there. */
static bool is_pushed_there(const WmCrowd *crowd, size_t index) {
  const float range = wm_agent_slowed_range(&crowd->records[index].parameters);
  return distance_off(crowd, index) <= range && wm_crowd_measure_way(crowd, index) <= range;
}

/* A crowded agent walks on once nobody rests before it: after being pushed away, or since there is space. Of
 * agents that fill the space around a shared target, the one with the least way left moves up. One that is
 * there has arrived: others beside it would keep it from setting out for ever. Each looks in some steps only. */
static void close_up(WmCrowd *crowd, size_t body, float seconds, WmCrowdStep *step) {
  const WmBody *own = wm_crowd_bodies(crowd) + body;
  WmAgentRecord *record = &crowd->records[own->index];
  if ((crowd->steps + own->number) % WM_CROWD_CLOSE_UP_PERIOD != 0) return;
  if (is_pushed_there(crowd, own->index)) {
    come_to_rest(crowd, own->index, false, step);
    return;
  }
  const bool waits =
      !is_crowded(crowd, body) && (!shares_target(crowd, body) || has_space_ahead(crowd, body));
  record->blocked_time = waits ? record->blocked_time + WM_CROWD_CLOSE_UP_PERIOD * seconds : 0;
  if (record->blocked_time > WM_CROWD_PATIENCE) set_out(crowd, own->index);
}

/* ---- States ------------------------------------------------------------------------------------------ */

/* True if an agent on its last leg before an off-mesh connection is near enough to its entry. */
static bool is_at_entry(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  if (record->corner_count == 0) return true;
  const float range = record->parameters.radius * (record->slowdown > 0 ? WM_CROWD_ENTRY_RANGE : 1);
  return wm_squared_distance_on_plane(record->corners[0].point, crowd->positions + 3 * index) <=
         range * range;
}

/* At an off-mesh connection or segment link: enters it, or waits for the game. */
static WmStatus reach_connection(WmCrowd *crowd, size_t index) {
  if (crowd->records[index].parameters.auto_connections) return wm_crowd_enter_connection(crowd, index);
  wm_crowd_wait_before_connection(crowd, index);
  return WM_OK;
}

/* Sets state and reason of an agent on its path: whether it walks or waits, and why. */
static void show_walk(WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const bool is_blocked = !record->passes && record->blocked_time > WM_CROWD_BLOCKED_TIME &&
                          record->progress_speed <= WM_CROWD_BLOCKED_PACE * record->parameters.max_speed;
  crowd->states[index] = is_blocked || record->is_held ? WM_AGENT_WAITING : WM_AGENT_FOLLOWING;
  crowd->reasons[index] = record->is_held      ? WM_AGENT_REASON_RIGHT_OF_WAY
                          : is_blocked         ? WM_AGENT_REASON_BLOCKED
                          : record->passes     ? WM_AGENT_REASON_PASSING
                          : record->is_partial ? record->partial_reason
                                               : WM_AGENT_REASON_NONE;
}

/* Updates heading, state and reason of an agent.
 * in         body: the agent's index in `bodies` */
WmStatus wm_crowd_update_state(WmCrowd *crowd, size_t body, float seconds, WmCrowdStep *step) {
  const size_t index = wm_crowd_bodies(crowd)[body].index;
  WmAgentRecord *record = &crowd->records[index];
  const float *velocity = crowd->velocities + 3 * index;
  wm_crowd_turn_heading(crowd, index, (float[2]){velocity[0], velocity[2]}, seconds);
  const bool walks = wm_agent_walks(crowd->states[index], crowd->reasons[index]);
  const bool may_set_out = record->parameters.auto_braking && !record->is_paused;
  if (may_set_out && crowd->states[index] == WM_AGENT_CROWDED) close_up(crowd, body, seconds, step);
  if (may_set_out && crowd->states[index] == WM_AGENT_ARRIVED) go_back(crowd, body, seconds);
  if (!walks || record->is_paused || record->order == WM_ORDER_NONE) return WM_OK;
  measure_progress(crowd, index, seconds);
  if (record->order == WM_ORDER_TARGET) wm_crowd_measure_jam(crowd, body, seconds);
  if (record->order != WM_ORDER_TARGET || record->needs_plan || record->corridor.count == 0) return WM_OK;
  const float *position = crowd->positions + 3 * index;
  if (record->ends_at_last && record->corner_count <= 1) {
    const float x = record->destination[0] - position[0], z = record->destination[2] - position[2];
    const bool is_slowed = record->blocked_time > WM_CROWD_PATIENCE ||
                           record->chosen[0] != record->preferred[0] ||
                           record->chosen[1] != record->preferred[1];
    const float range = record->parameters.stopping_distance +
                        (is_slowed ? WM_CROWD_REACHED_SLOWED * record->parameters.radius : WM_CROWD_REACHED);
    if (x * x + z * z <= range * range) {
      come_to_rest(crowd, index, false, step);
      return WM_OK;
    }
  }
  if (record->ends_at_connection && record->corner_count <= 1) {
    if (record->ends_at_link ? record->takes_off : is_at_entry(crowd, index))
      return reach_connection(crowd, index);
    if (!record->ends_at_link) return WM_OK;
  }
  if (record->blocked_time > WM_CROWD_PATIENCE && is_crowded(crowd, body)) {
    come_to_rest(crowd, index, true, step);
    return WM_OK;
  }
  show_walk(crowd, index);
  return WM_OK;
}

/* Paused agents wait; resumed ones get their former state. */
void wm_crowd_show_pause(WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const uint8_t state = crowd->states[index];
  if (record->is_paused && (state == WM_AGENT_FOLLOWING || state == WM_AGENT_PLANNING)) {
    crowd->states[index] = WM_AGENT_WAITING;
    crowd->reasons[index] = WM_AGENT_REASON_PAUSED;
  } else if (!record->is_paused && state == WM_AGENT_WAITING &&
             crowd->reasons[index] == WM_AGENT_REASON_PAUSED) {
    crowd->states[index] = record->needs_plan ? WM_AGENT_PLANNING : WM_AGENT_FOLLOWING;
    crowd->reasons[index] = record->order == WM_ORDER_VELOCITY ? WM_AGENT_REASON_VELOCITY
                            : record->is_partial               ? record->partial_reason
                                                               : WM_AGENT_REASON_NONE;
  }
}
