/* Off-mesh connections: entering, traversing, leaving. */
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

/* Drops the corridor up to the next connection, and puts the agent on that. If the connection was removed, or
 * leads nowhere, the agent requests another corridor. */
WmStatus wm_crowd_enter_connection(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmRef connection = record->next_connection;
  WmRef before = 0;
  uint32_t steps = 0;
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  while (cursor.index + 1 < record->corridor.count &&
         wm_agent_corridor_polygon(crowd, cursor) != connection) {
    before = wm_agent_corridor_polygon(crowd, cursor);
    cursor = wm_agent_corridor_next(crowd, cursor);
    steps++;
  }
  float start[3], end[3];
  const bool is_there = wm_mesh_tile_of(mesh, connection) && wm_mesh_tile_of(mesh, before) &&
                        cursor.index + 1 < record->corridor.count &&
                        wm_mesh_connection_ends(mesh, before, connection, start, end) == WM_OK;
  if (!is_there) {
    record->corners_are_valid = false;
    if (!record->needs_plan) wm_crowd_request_later(record);
    return WM_OK;
  }
  wm_agent_corridor_drop(crowd, &record->corridor, steps);
  record->connection = connection;
  record->progress = 0;
  memcpy(record->connection_start, crowd->positions + 3 * index, sizeof start);
  memcpy(record->connection_end, end, sizeof end);
  keep_aside(record, crowd->positions + 3 * index, start);
  record->corners_are_valid = false;
  record->corner_count = 0;
  crowd->states[index] = WM_AGENT_ON_CONNECTION;
  crowd->reasons[index] = WM_AGENT_REASON_NONE;
  return WM_OK;
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

/* The agent is at the end of its connection. */
WmStatus wm_crowd_leave_connection(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const bool has_corridor = record->corridor.count > 1;
  if (has_corridor) wm_agent_corridor_drop(crowd, &record->corridor, 1);
  const WmRef polygon =
      has_corridor ? wm_agent_corridor_polygon(crowd, wm_agent_corridor_begin(&record->corridor)) : 0;
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  float end[3];
  memcpy(end, record->connection_end, sizeof end);
  record->connection = 0;
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
    return wm_crowd_walk(crowd, index, position[0] + aside[0], position[2] + aside[1]);
  }
  /* The polygon at the end was removed. */
  const WmStatus status = wm_crowd_snap_agent(crowd, index, end);
  if (status || !record->polygon || record->order != WM_ORDER_TARGET) return status;
  crowd->states[index] = WM_AGENT_PLANNING;
  crowd->reasons[index] = WM_AGENT_REASON_MESH_CHANGED;
  if (!record->needs_plan) wm_crowd_request_later(record);
  return WM_OK;
}

static void put_at_progress(WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  wm_interpolate(record->connection_start, record->connection_end, record->progress,
                 crowd->positions + 3 * index);
}

/* Moves an agent along its connection at its maximum speed. */
WmStatus wm_crowd_advance_connection(WmCrowd *crowd, size_t index, float seconds) {
  WmAgentRecord *record = &crowd->records[index];
  float *velocity = crowd->velocities + 3 * index;
  if (!record->parameters.auto_connections || record->is_paused || !(seconds > 0)) return WM_OK;
  float along[3], squared = 0;
  for (int axis = 0; axis < 3; axis++) {
    /* Landing beside the end takes no longer. */
    const float aside = axis == 1 ? 0 : record->connection_aside[axis / 2];
    along[axis] = record->connection_end[axis] - aside - record->connection_start[axis];
    squared += along[axis] * along[axis];
  }
  const float length = sqrtf(squared), speed = record->parameters.max_speed;
  record->progress = length > 0 ? record->progress + speed * seconds / length : 1;
  for (int axis = 0; axis < 3; axis++) velocity[axis] = length > 0 ? along[axis] / length * speed : 0;
  if (!(record->progress < 1)) {
    velocity[1] = 0;
    return wm_crowd_leave_connection(crowd, index);
  }
  put_at_progress(crowd, index);
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
  crowd->records[index].progress = progress;
  put_at_progress(crowd, index);
  return WM_OK;
}

WmStatus wm_crowd_complete_connection(WmCrowd *crowd, WmAgent agent) {
  size_t index;
  WmStatus status = find_on_connection(crowd, agent, &index);
  if (!status) status = wm_crowd_reserve_requests(crowd, 1);
  return status ? status : wm_crowd_leave_connection(crowd, index);
}
