/* Off-mesh connections and segment links: entering, traversing, leaving. Where segment links differ is in link_ahead.c and
 * link_flight.c. */
#include "crowd/crowd_internal.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"

/* Slowed by others, an agent lands on the side of the end on which it stood beside the entry: agents that
 * enter from two sides at a time don't land on each other. Alone it goes from point to point, and so does an
 * agent that the game moves, since the game has shown the end. */
static void keep_aside(WmAgentRecord *record, const float position[3], const float start[3]) {
  float *end = record->connection_end, *aside = record->connection_aside;
  const float x = end[0] - start[0], z = end[2] - start[2], squared = x * x + z * z;
  aside[0] = aside[1] = 0;
  if (!(record->slowdown > 0) || !(squared > 0) || !record->parameters.auto_connections) return;
  const float side =
      WM_CROWD_LANDING_SPREAD * ((position[0] - start[0]) * z - (position[2] - start[2]) * x) / squared;
  aside[0] = side * z;
  aside[1] = -side * x;
  end[0] += aside[0];
  end[2] += aside[1];
}

bool wm_crowd_find_before(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor *before) {
  WmCorridorCursor cursor = *before = wm_agent_corridor_begin(&record->corridor);
  while (cursor.index + 1 < record->corridor.count) {
    *before = cursor;
    cursor = wm_agent_corridor_next(crowd, cursor);
    if (wm_agent_corridor_polygon(crowd, cursor) == record->next_connection)
      return cursor.index + 1 < record->corridor.count;
  }
  return false;
}

/* Prepares the agent for the connection or link behind the polygon at `before`. Returns false if there is none: it was removed,
 * or leads nowhere. */
static bool prepare(WmCrowd *crowd, size_t index, WmCorridorCursor before) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmRef polygon = wm_agent_corridor_polygon(crowd, before);
  WmTakeOff take_off;
  record->connection_aside[0] = record->connection_aside[1] = 0;
  if (wm_crowd_find_take_off(crowd, index, before, &take_off)) {
    wm_crowd_prepare_flight(crowd, index, &take_off);
    return true;
  }
  float start[3], end[3];
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, record->next_connection);
  record->flight.is_on_link = false;
  if (!tile || wm_is_segment_link(tile) || !wm_mesh_tile_of(mesh, polygon)) return false;
  if (wm_mesh_connection_ends(mesh, polygon, record->next_connection, start, end)) return false;
  record->progress = 0;
  memcpy(record->connection_start, crowd->positions + 3 * index, sizeof start);
  memcpy(record->connection_end, end, sizeof end);
  keep_aside(record, crowd->positions + 3 * index, start);
  return true;
}

/* Drops the corridor up to the next connection, and puts the agent on that. If the connection was removed, or
 * leads nowhere, the agent requests another corridor. */
WmStatus wm_crowd_enter_connection(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  WmCorridorCursor before;
  record->corners_are_valid = false;
  if (!wm_crowd_find_before(crowd, record, &before) || !prepare(crowd, index, before)) {
    if (!record->needs_plan) wm_crowd_request_later(record);
    return WM_OK;
  }
  wm_agent_corridor_drop(crowd, &record->corridor, before.index + 1);
  record->connection = record->next_connection;
  record->corner_count = 0;
  crowd->states[index] = WM_AGENT_ON_CONNECTION;
  crowd->reasons[index] = WM_AGENT_REASON_NONE;
  return WM_OK;
}

/* The agent stands before the next connection until the game begins the traversal. */
void wm_crowd_wait_before_connection(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  WmCorridorCursor before;
  WmTakeOff take_off;
  record->connection = record->next_connection;
  if (wm_crowd_find_before(crowd, record, &before) && wm_crowd_find_take_off(crowd, index, before, &take_off))
    wm_crowd_prepare_flight(crowd, index, &take_off);
  crowd->states[index] = WM_AGENT_WAITING;
  crowd->reasons[index] = WM_AGENT_REASON_CONNECTION;
}

/* The state of an agent that is back on the surface: its order may have changed meanwhile. */
static void land(WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  crowd->states[index] = record->order == WM_ORDER_NONE ? WM_AGENT_NO_TARGET
                         : record->needs_plan           ? WM_AGENT_PLANNING
                                                        : WM_AGENT_FOLLOWING;
  crowd->reasons[index] = record->order == WM_ORDER_VELOCITY                       ? WM_AGENT_REASON_VELOCITY
                          : record->order == WM_ORDER_TARGET && record->is_partial ? record->partial_reason
                                                                                   : WM_AGENT_REASON_NONE;
}

/* The polygon on which the agent lands; 0: it has none. Drops its connection off the corridor. */
static WmRef find_landing(WmCrowd *crowd, WmAgentRecord *record) {
  const WmRef landing = record->flight.is_on_link ? record->flight.landing : 0;
  if (record->corridor.count < 2) return landing;
  wm_agent_corridor_drop(crowd, &record->corridor, 1);
  return landing ? landing : wm_agent_corridor_polygon(crowd, wm_agent_corridor_begin(&record->corridor));
}

/* The agent is at the end of its connection. */
WmStatus wm_crowd_leave_connection(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmRef polygon = find_landing(crowd, record);
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  float end[3], planned[3];
  const bool is_beside = wm_crowd_find_planned_landing(crowd, record, planned);
  memcpy(end, record->connection_end, sizeof end);
  if (record->flight.is_on_link) wm_crowd_find_landing_velocity(crowd, index, crowd->velocities + 3 * index);
  wm_agent_forget_connection(record);
  record->progress = 0;
  record->corners_are_valid = record->walls_are_valid = false;
  land(crowd, index);
  if (tile && wm_ref_polygon(polygon) < tile->ground_count) {
    record->polygon = polygon;
    /* Beside the end there may be a wall, or another polygon. */
    const float *aside = record->connection_aside;
    float *position = crowd->positions + 3 * index;
    end[0] -= aside[0];
    end[2] -= aside[1];
    wm_tile_closest_point(tile, wm_ref_polygon(polygon), end, true, position);
    const WmStatus status = wm_crowd_join_corridor(crowd, index, is_beside ? planned : NULL);
    return status ? status : wm_crowd_walk(crowd, index, position[0] + aside[0], position[2] + aside[1]);
  }
  /* The polygon at the end was removed. */
  const WmStatus status = wm_crowd_snap_agent(crowd, index, end);
  if (status || !record->polygon || record->order != WM_ORDER_TARGET) return status;
  crowd->states[index] = WM_AGENT_PLANNING;
  crowd->reasons[index] = WM_AGENT_REASON_MESH_CHANGED;
  if (!record->needs_plan) wm_crowd_request_later(record);
  return WM_OK;
}

static void put_at_progress(WmCrowd *crowd, size_t index, float progress) {
  WmAgentRecord *record = &crowd->records[index];
  if (record->flight.is_on_link) {
    wm_crowd_place_flight(crowd, index, progress);
    return;
  }
  record->progress = progress;
  wm_interpolate(record->connection_start, record->connection_end, record->progress,
                 crowd->positions + 3 * index);
}

/* Moves an agent over its segment link; it faces where it goes. */
static WmStatus advance_on_link(WmCrowd *crowd, size_t index, float seconds) {
  const WmAgentRecord *record = &crowd->records[index];
  const float *start = record->connection_start, *end = record->connection_end;
  const float way[2] = {end[0] - start[0], end[2] - start[2]};
  wm_crowd_turn_heading(crowd, index, way, seconds);
  return wm_crowd_advance_flight(crowd, index, seconds) ? wm_crowd_leave_connection(crowd, index) : WM_OK;
}

/* Moves an agent along its connection at its maximum speed. */
WmStatus wm_crowd_advance_connection(WmCrowd *crowd, size_t index, float seconds) {
  WmAgentRecord *record = &crowd->records[index];
  float *velocity = crowd->velocities + 3 * index;
  if (!record->parameters.auto_connections || record->is_paused || !(seconds > 0)) return WM_OK;
  if (record->flight.is_on_link) return advance_on_link(crowd, index, seconds);
  float along[3], squared = 0;
  for (int axis = 0; axis < 3; axis++) {
    /* Landing beside the end takes no longer. */
    const float aside = axis == 1 ? 0 : record->connection_aside[axis / 2];
    along[axis] = record->connection_end[axis] - aside - record->connection_start[axis];
    squared += along[axis] * along[axis];
  }
  const float length = sqrtf(squared), speed = record->parameters.max_speed;
  const float progress = length > 0 ? record->progress + speed * seconds / length : 1;
  for (int axis = 0; axis < 3; axis++) velocity[axis] = length > 0 ? along[axis] / length * speed : 0;
  if (!(progress < 1)) {
    velocity[1] = 0;
    return wm_crowd_leave_connection(crowd, index);
  }
  put_at_progress(crowd, index, progress);
  return WM_OK;
}

/* ---- Traversed by the game -------------------------------------------------------------------------- */

WmStatus wm_crowd_begin_connection(WmCrowd *crowd, WmAgent agent) {
  size_t index;
  WmStatus status = wm_crowd_find(crowd, agent, &index);
  if (status) return status;
  if (crowd->states[index] != WM_AGENT_WAITING || crowd->reasons[index] != WM_AGENT_REASON_CONNECTION) {
    return wm_fail(crowd->context, WM_ERROR_STATE, "agent", "the agent isn't waiting before a connection");
  }
  status = wm_crowd_reserve_requests(crowd, 1);
  return status ? status : wm_crowd_enter_connection(crowd, index);
}

static WmStatus find_on_connection(const WmCrowd *crowd, WmAgent agent, size_t *index) {
  const WmStatus status = wm_crowd_find(crowd, agent, index);
  if (status || crowd->states[*index] == WM_AGENT_ON_CONNECTION) return status;
  return wm_fail(crowd->context, WM_ERROR_STATE, "agent", "the agent isn't on a connection");
}

WmStatus wm_crowd_set_connection_progress(WmCrowd *crowd, WmAgent agent, float progress) {
  size_t index;
  WmStatus status = find_on_connection(crowd, agent, &index);
  if (!status && !(progress >= 0 && progress <= 1)) {
    status =
        wm_fail_range(crowd->context, WM_ERROR_INVALID_ARGUMENT, "progress", (double)progress, 0, 1, NULL);
  }
  if (status) return status;
  put_at_progress(crowd, index, progress);
  return WM_OK;
}

WmStatus wm_crowd_complete_connection(WmCrowd *crowd, WmAgent agent) {
  size_t index;
  WmStatus status = find_on_connection(crowd, agent, &index);
  if (!status) status = wm_crowd_reserve_requests(crowd, 1);
  return status ? status : wm_crowd_leave_connection(crowd, index);
}
