/* Orders: targets, velocities, stopping, pausing, warping, moving. Each call checks everything, and allocates
 * memory, before it changes anything. */
#include "crowd/crowd_internal.h"
#include "crowd/planning/destination.h"

/* Checks handles and numbers, and reserves one request per agent. */
static WmStatus check(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *numbers, bool shared,
                      const char *field) {
  size_t index;
  WmStatus status = WM_OK;
  for (size_t i = 0; i < count && !status; i++) status = wm_crowd_find(crowd, agents[i], &index);
  if (!status && numbers) {
    status = wm_crowd_check_numbers(crowd, numbers, shared ? (count > 0 ? 3 : 0) : 3 * count, field);
  }
  return status ? status : wm_crowd_reserve_requests(crowd, count);
}

/* ---- Targets ---------------------------------------------------------------------------------------- */

/* Finds the ground of each target. Consecutive agents with the same target, mesh and
 * filter share the result. */
static WmStatus find_nearest_points(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *targets,
                                    bool shared, WmNearest *nearest) {
  const WmAgentParameters *last = NULL;
  const float *last_target = NULL;
  for (size_t i = 0; i < count; i++) {
    size_t index = 0;
    (void)wm_crowd_peek(crowd, agents[i], &index);
    const WmAgentRecord *record = &crowd->records[index];
    const float *target = targets + (shared ? 0 : 3 * i);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
    const bool is_there = last && memcmp(last_target, target, 3 * sizeof *target) == 0;
    const bool is_same =
        is_there && last->type == record->parameters.type && last->filter == record->parameters.filter;
    last = &record->parameters;
    last_target = target;
    if (is_same) {
      nearest[i] = nearest[i - 1];
      continue;
    }
    const WmStatus status = wm_crowd_find_target_ground(crowd, record, target, &nearest[i]);
    if (status) return status;
  }
  return WM_OK;
}

/* The last polygon of a corridor; 0 without one. */
static WmRef last_polygon(const WmCrowd *crowd, const WmAgentCorridor *corridor) {
  return corridor->count ? wm_agent_corridor_block(crowd, corridor->last)->polygons[corridor->tail - 1] : 0;
}

/* True if others pushed an agent that has arrived farther from its destination than slowed agents come to rest there. */
static bool is_pushed_off(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const float range = wm_agent_slowed_range(&record->parameters);
  return crowd->states[index] == WM_AGENT_ARRIVED &&
         wm_squared_distance_on_plane(record->destination, crowd->positions + 3 * index) > range * range;
}

/* How an order's target lies to the one before it. Games order every frame: a group comes to rest around a target that stays, or that
 * trembles within an agent's radius. */
typedef enum Move { SAME, MOVES_ON, ELSEWHERE } Move;

static Move compare_targets(const WmCrowd *crowd, size_t index, const float point[3], WmRef polygon) {
  const WmAgentRecord *record = &crowd->records[index];
  if (record->order != WM_ORDER_TARGET) return ELSEWHERE;
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
  const bool is_same =
      record->target_polygon == polygon && memcmp(record->target, point, sizeof record->target) == 0;
  if (is_same && !is_pushed_off(crowd, index)) return SAME;
  const float x = point[0] - record->ordered[0], y = point[1] - record->target[1],
              z = point[2] - record->ordered[1], radius = record->parameters.radius;
  return polygon && x * x + y * y + z * z <= radius * radius ? MOVES_ON : ELSEWHERE;
}

static void set_target(WmCrowd *crowd, size_t index, const float target[3], const WmNearest *nearest) {
  WmAgentRecord *record = &crowd->records[index];
  const bool had_target = record->order == WM_ORDER_TARGET;
  const float *point = nearest->polygon ? nearest->point : target;
  const Move move = compare_targets(crowd, index, point, nearest->polygon);
  if (move == SAME) return;
  record->order = WM_ORDER_TARGET;
  record->target_polygon = nearest->polygon;
  memcpy(record->target, point, sizeof record->target);
  wm_agent_forget_failures(record);
  if (move == ELSEWHERE) {
    record->ordered[0] = point[0];
    record->ordered[1] = point[2];
    record->blocked_time = 0;
    record->has_new_goal = true;
    record->wait_time = record->walk_time = record->free_time = 0;
    record->pushed_off = 0;
  }
  const uint8_t state = crowd->states[index];
  const bool stays_at_rest = move == MOVES_ON && wm_agent_rests(state) && !record->is_partial;
  if (state == WM_AGENT_OFF_MESH) {
    record->needs_plan = true; /* requested when it has a polygon */
    record->request = 0;
    return;
  }
  const bool may_stay =
      had_target && !record->needs_plan && !record->is_partial && !record->parameters.shortest;
  const bool is_near =
      may_stay && nearest->polygon && last_polygon(crowd, &record->corridor) == nearest->polygon;
  if (is_near) { /* the corridor leads there already */
    memcpy(record->destination, record->target, sizeof record->destination);
    record->corners_are_valid = false;
    record->corridor_is_new = true;
    if (wm_agent_rests(state) && !stays_at_rest) {
      crowd->states[index] = WM_AGENT_FOLLOWING;
      crowd->reasons[index] = WM_AGENT_REASON_NONE;
    }
    return;
  }
  if (state != WM_AGENT_ON_CONNECTION && !stays_at_rest) {
    crowd->states[index] = WM_AGENT_PLANNING;
    crowd->reasons[index] = WM_AGENT_REASON_NONE;
    wm_agent_forget_connection(record);
    if (!had_target) wm_agent_corridor_clear(crowd, &record->corridor);
  }
  (void)wm_crowd_request_target(crowd, index);
}

WmStatus wm_crowd_set_targets(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *targets,
                              bool shared) {
  WmStatus status = check(crowd, count, agents, targets, shared, "targets");
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(crowd->context);
  WmNearest *nearest = wm_scratch_array(crowd->context, count, sizeof *nearest);
  status =
      nearest ? find_nearest_points(crowd, count, agents, targets, shared, nearest) : WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count && !status; i++) {
    size_t index = 0;
    if (wm_crowd_peek(crowd, agents[i], &index)) {
      set_target(crowd, index, targets + (shared ? 0 : 3 * i), &nearest[i]);
    }
  }
  wm_scratch_rewind(crowd->context, mark);
  return status;
}

/* ---- Orders without a target ------------------------------------------------------------------------ */

/* Clears target and corridor. */
static void forget(WmCrowd *crowd, size_t index, WmOrderKind order, WmAgentState state,
                   WmAgentReason reason) {
  WmAgentRecord *record = &crowd->records[index];
  record->order = (uint8_t)order;
  record->needs_plan = false;
  record->is_partial = false;
  record->blocked_time = 0;
  wm_agent_forget_jam(record);
  const bool is_flying = crowd->states[index] == WM_AGENT_ON_CONNECTION;
  if (!is_flying) wm_agent_corridor_clear(crowd, &record->corridor);
  record->corners_are_valid = false;
  record->corner_count = 0;
  if (is_flying || crowd->states[index] == WM_AGENT_OFF_MESH) return;
  wm_agent_forget_connection(record);
  crowd->states[index] = (uint8_t)state;
  crowd->reasons[index] = (uint8_t)reason;
}

WmStatus wm_crowd_set_velocities(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *velocities,
                                 bool shared) {
  const WmStatus status = check(crowd, count, agents, velocities, shared, "velocities");
  if (status) return status;
  for (size_t i = 0; i < count; i++) {
    size_t index = 0;
    if (!wm_crowd_peek(crowd, agents[i], &index)) continue;
    const float *velocity = velocities + (shared ? 0 : 3 * i);
    /* Games order every frame: an agent that walks on is blocked as before. */
    const bool walks_on =
        crowd->reasons[index] == WM_AGENT_REASON_VELOCITY && (velocity[0] != 0 || velocity[2] != 0);
    if (!walks_on) forget(crowd, index, WM_ORDER_VELOCITY, WM_AGENT_FOLLOWING, WM_AGENT_REASON_VELOCITY);
    crowd->records[index].ordered[0] = velocity[0];
    crowd->records[index].ordered[1] = velocity[2];
  }
  return WM_OK;
}

WmStatus wm_crowd_stop(WmCrowd *crowd, size_t count, const WmAgent *agents) {
  const WmStatus status = check(crowd, count, agents, NULL, false, "");
  if (status) return status;
  for (size_t i = 0; i < count; i++) {
    size_t index = 0;
    if (!wm_crowd_peek(crowd, agents[i], &index)) continue;
    forget(crowd, index, WM_ORDER_NONE, WM_AGENT_NO_TARGET, WM_AGENT_REASON_NONE);
  }
  return WM_OK;
}

WmStatus wm_crowd_pause(WmCrowd *crowd, size_t count, const WmAgent *agents, bool paused) {
  const WmStatus status = check(crowd, count, agents, NULL, false, "");
  if (status) return status;
  for (size_t i = 0; i < count; i++) {
    size_t index = 0;
    if (wm_crowd_peek(crowd, agents[i], &index)) crowd->records[index].is_paused = paused;
  }
  return WM_OK;
}

/* ---- Warping and moving ----------------------------------------------------------------------------- */

/* Moves an agent to a point, from where it plans. Space for a request is reserved. */
static void warp(WmCrowd *crowd, size_t index, const float position[3], const WmNearest *nearest) {
  WmAgentRecord *record = &crowd->records[index];
  wm_crowd_set_on_mesh(crowd, index, position, nearest);
  record->progress = 0;
  record->blocked_time = 0;
  wm_agent_forget_jam(record);
  memset(crowd->velocities + 3 * index, 0, 3 * sizeof(float));
  memcpy(crowd->previous + 3 * index, crowd->positions + 3 * index, 3 * sizeof(float));
  if (record->order != WM_ORDER_TARGET) return;
  if (!record->polygon) {
    record->needs_plan = true;
    record->request = 0;
    return;
  }
  crowd->states[index] = WM_AGENT_PLANNING;
  crowd->reasons[index] = WM_AGENT_REASON_NONE;
  (void)wm_crowd_request(crowd, index);
}

WmStatus wm_crowd_warp(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *positions,
                       bool shared) {
  WmStatus status = check(crowd, count, agents, positions, shared, "positions");
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(crowd->context);
  WmNearest *nearest = wm_scratch_array(crowd->context, count, sizeof *nearest);
  status = nearest ? find_nearest_points(crowd, count, agents, positions, shared, nearest)
                   : WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count && !status; i++) {
    size_t index = 0;
    if (wm_crowd_peek(crowd, agents[i], &index)) {
      warp(crowd, index, positions + (shared ? 0 : 3 * i), &nearest[i]);
    }
  }
  wm_scratch_rewind(crowd->context, mark);
  return status;
}

WmStatus wm_crowd_move(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *displacements,
                       bool shared) {
  WmStatus status = check(crowd, count, agents, displacements, shared, "displacements");
  for (size_t i = 0; i < count && !status; i++) {
    size_t index = 0;
    if (!wm_crowd_peek(crowd, agents[i], &index)) continue;
    if (!crowd->records[index].polygon || crowd->states[index] == WM_AGENT_ON_CONNECTION) continue;
    if (!wm_mesh_tile_of(wm_agent_mesh(crowd, &crowd->records[index])->mesh, crowd->records[index].polygon)) {
      continue; /* the next step looks for a polygon */
    }
    const float *by = displacements + (shared ? 0 : 3 * i), *from = crowd->positions + 3 * index;
    status = wm_crowd_walk(crowd, index, from[0] + by[0], from[2] + by[2]);
    /* An agent that has come to rest does so where the game moves it: else it would walk back. */
    if (crowd->states[index] == WM_AGENT_ARRIVED || crowd->states[index] == WM_AGENT_CROWDED)
      memcpy(crowd->records[index].destination, from, 3 * sizeof *from);
  }
  return status;
}
