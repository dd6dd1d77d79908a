/* Agents on a mesh that changes: snapping them to it, and finding corridors that are broken. */
#include "crowd/crowd_internal.h"
#include "crowd/planning/destination.h"
#include "mesh/locate.h"
#include "query/local/neighbourhood.h"
#include "query/local/overlap.h"
#include "query/local/raycast.h"
#include "query/search/straighten.h"

/* ---- Snapping --------------------------------------------------------------------------------------- */

static void stand(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  wm_agent_corridor_clear(crowd, &record->corridor);
  record->corners_are_valid = record->walls_are_valid = false;
  record->corner_count = record->wall_count = 0;
  wm_agent_forget_connection(record);
  record->direction[0] = record->direction[1] = 0;
  record->has_new_goal = true;
  record->parting_time = WM_CROWD_PARTING_TIME;
}

void wm_crowd_set_on_mesh(WmCrowd *crowd, size_t index, const float position[3], const WmNearest *nearest) {
  WmAgentRecord *record = &crowd->records[index];
  stand(crowd, index);
  record->polygon = nearest->polygon;
  memcpy(crowd->positions + 3 * index, nearest->polygon ? nearest->point : position, 3 * sizeof *position);
  if (nearest->polygon) {
    if (crowd->states[index] == WM_AGENT_OFF_MESH) crowd->states[index] = WM_AGENT_NO_TARGET;
    if (record->order != WM_ORDER_TARGET) {
      crowd->states[index] = record->order == WM_ORDER_NONE ? WM_AGENT_NO_TARGET : WM_AGENT_FOLLOWING;
      crowd->reasons[index] =
          record->order == WM_ORDER_NONE ? WM_AGENT_REASON_NONE : WM_AGENT_REASON_VELOCITY;
    }
  } else {
    crowd->states[index] = WM_AGENT_OFF_MESH;
    crowd->reasons[index] = WM_AGENT_REASON_NO_GROUND;
    memset(crowd->velocities + 3 * index, 0, 3 * sizeof(float));
  }
}

static WmStatus find_nearest(const WmCrowd *crowd, const WmAgentRecord *record, const float position[3],
                             WmNearest *nearest) {
  return wm_query_find_nearest(wm_agent_mesh(crowd, record)->query, position, crowd->options.place_extents,
                               wm_agent_filter(crowd, record), nearest);
}

WmStatus wm_crowd_snap_agent(WmCrowd *crowd, size_t index, const float position[3]) {
  WmNearest nearest;
  const WmStatus status = find_nearest(crowd, &crowd->records[index], position, &nearest);
  if (!status) wm_crowd_set_on_mesh(crowd, index, position, &nearest);
  return status;
}

/* Lists the ground that can be reached from where a line from an agent's next corner to its former position ends, close by.
 * out        around: none if that line isn't on the mesh */
static WmStatus list_around_way(const WmCrowd *crowd, const WmAgentRecord *record, const float position[3],
                                WmPolygons *around) {
  enum { MOST_POLYGONS = 64 };
  WmQuery *query = wm_agent_mesh(crowd, record)->query;
  const WmFilter *filter = wm_agent_filter(crowd, record);
  WmNearest corner;
  WmRay ray;
  WmStatus status = find_nearest(crowd, record, record->corners[0].point, &corner);
  if (status || !corner.polygon) return status;
  status = wm_query_raycast(query, corner.polygon, corner.point, position, filter, true, 0, &ray);
  if (status || ray.outside) return status;
  return wm_query_local_neighbourhood(query, ray.polygon, position, 2 * crowd->options.place_extents[0],
                                      filter, MOST_POLYGONS, around);
}

/* True if one of the walls that an agent knows is between its former position and a point. */
static bool is_behind_wall(const WmAgentRecord *record, const float position[3], const float point[3]) {
  const float to[2] = {point[0] - position[0], point[2] - position[2]};
  for (uint32_t k = 0; k < record->wall_count; k++) {
    const float *wall = record->walls[k];
    const float along[2] = {wall[2] - wall[0], wall[3] - wall[1]};
    const float first[2] = {wall[0] - position[0], wall[1] - position[2]};
    const float second[2] = {wall[2] - position[0], wall[3] - position[2]};
    const float beyond[2] = {point[0] - wall[0], point[2] - wall[1]};
    /* The surface is where wm_cross(along, ...) is below 0; an agent may stand on its edge. */
    if (wm_cross(to, first) * wm_cross(to, second) < 0 && wm_cross(along, beyond) > 0) return true;
  }
  return false;
}

/* Finds the nearest ground on an agent's own side of walls. One that walks has a way, which lies on that side; one that rests knows
 * the walls around it.
 * in/out     nearest: the nearest of all; stays if none is found so */
static WmStatus find_on_own_side(const WmCrowd *crowd, const WmAgentRecord *record, const float position[3],
                                 WmNearest *nearest) {
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const float *extents = crowd->options.place_extents;
  const bool has_way = record->corner_count > 0;
  WmPolygons around = {0};
  WmStatus status = WM_OK;
  if (has_way)
    status = list_around_way(crowd, record, position, &around);
  else if (record->wall_count > 0)
    status =
        wm_query_polygons_in_box(on->query, position, extents, wm_agent_filter(crowd, record), 0, &around);
  float least = INFINITY;
  for (size_t i = 0; i < around.count && !status; i++) {
    WmNearest found = {.polygon = around.polygons[i]};
    const WmMeshTile *tile = wm_mesh_tile_of(on->mesh, found.polygon);
    found.over = wm_tile_closest_point(tile, wm_ref_polygon(found.polygon), position, true, found.point);
    bool is_near = true;
    for (int axis = 0; axis < 3; axis++)
      is_near = is_near && fabsf(found.point[axis] - position[axis]) <= extents[axis];
    const float squared = wm_squared_distance(position, found.point);
    if (!is_near || !(squared < least)) continue;
    if (!has_way && is_behind_wall(record, position, found.point)) continue;
    least = squared;
    *nearest = found;
  }
  return status;
}

/* Puts an agent onto the ground that is left or new where its own was removed, such as beside a crate that was placed on it. */
static WmStatus stand_again(WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  float position[3];
  memcpy(position, crowd->positions + 3 * index, sizeof position);
  WmNearest nearest;
  WmStatus status = find_nearest(crowd, record, position, &nearest);
  if (!status && nearest.polygon && !nearest.over)
    status = find_on_own_side(crowd, record, position, &nearest);
  if (!status) wm_crowd_set_on_mesh(crowd, index, position, &nearest);
  return status;
}

/* ---- A mesh that changes ---------------------------------------------------------------------------- */

/* Requests a corridor since the former one is broken. */
static WmStatus ask_again(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  if (record->order != WM_ORDER_TARGET || record->needs_plan) return WM_OK;
  record->has_new_goal = true;
  if (crowd->states[index] != WM_AGENT_ON_CONNECTION) {
    wm_agent_forget_connection(record);
    crowd->states[index] = WM_AGENT_PLANNING;
    crowd->reasons[index] = WM_AGENT_REASON_MESH_CHANGED;
  }
  return wm_crowd_request(crowd, index);
}

/* True if the next polygons of a corridor exist, pass the filter and are linked; continues from step to
 * step. */
static bool check_corridor(const WmCrowd *crowd, WmAgentRecord *record, const WmMesh *mesh) {
  const WmFilter *filter = wm_agent_filter(crowd, record);
  const uint64_t version = wm_mesh_version(mesh);
  if (record->checking_version != version) {
    record->checking_version = version;
    record->corridor.checked = 0;
  }
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  while (cursor.index < record->corridor.checked && cursor.index + 1 < record->corridor.count)
    cursor = wm_agent_corridor_next(crowd, cursor);
  uint32_t looked_at = 0;
  while (looked_at < WM_CROWD_CHECKED_PER_STEP && cursor.index + 1 < record->corridor.count) {
    const WmRef from = wm_agent_corridor_polygon(crowd, cursor);
    const WmCorridorCursor next = wm_agent_corridor_next(crowd, cursor);
    const WmRef to = wm_agent_corridor_polygon(crowd, next);
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, from), *next_tile = wm_mesh_tile_of(mesh, to);
    if (!tile || !next_tile) return false;
    if (!wm_filter_passes(filter, next_tile->polygon_flags[wm_ref_polygon(to)])) return false;
    if (!wm_query_find_portal(tile, wm_ref_polygon(from), to)) return false;
    cursor = next;
    looked_at++;
  }
  record->corridor.checked = cursor.index;
  if (cursor.index + 1 >= record->corridor.count) record->checked_version = version;
  return true;
}

static WmStatus check_agent(WmCrowd *crowd, size_t index, bool has_changed, float seconds) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  if (record->retry > 0) record->retry -= seconds;
  if (has_changed) {
    record->walls_are_valid = false;
    record->rest_from[0] = INFINITY;
    const bool is_flying = crowd->states[index] == WM_AGENT_ON_CONNECTION;
    if (!is_flying && (!record->polygon || !wm_mesh_tile_of(mesh, record->polygon))) {
      const WmStatus status = stand_again(crowd, index);
      if (status) return status;
      if (!record->polygon || record->order != WM_ORDER_TARGET) return WM_OK;
      crowd->states[index] = WM_AGENT_PLANNING;
      crowd->reasons[index] = WM_AGENT_REASON_MESH_CHANGED;
      return wm_crowd_request(crowd, index);
    }
  }
  if (!record->polygon || crowd->states[index] == WM_AGENT_ON_CONNECTION) return WM_OK;
  if (record->needs_plan && record->request == 0) return wm_crowd_request(crowd, index);
  if (record->order != WM_ORDER_TARGET || record->needs_plan) return WM_OK;
  const uint64_t version = wm_mesh_version(mesh);
  if (record->checked_version == version) return WM_OK;
  if (record->is_partial) {
    if (record->retry > 0) {
      bool has_opened;
      const WmStatus status = wm_crowd_look_for_way(crowd, record, &has_opened);
      if (status || !has_opened) return status;
    }
    return ask_again(crowd, index);
  }
  if (record->corridor.count > 0 && !check_corridor(crowd, record, mesh)) return ask_again(crowd, index);
  if (record->corridor.count == 0) record->checked_version = version;
  return WM_OK;
}

WmStatus wm_crowd_check_mesh(WmCrowd *crowd, float seconds) {
  bool has_changed[WM_CROWD_TYPES];
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    WmCrowdMesh *on = wm_crowd_mesh(crowd, type);
    has_changed[type] = on->seen_version != wm_mesh_version(on->mesh);
    on->seen_version = wm_mesh_version(on->mesh);
    on->largest_radius = 0;
  }
  WmStatus first = WM_OK;
  /* In the order of numbers, which is the order of their requests. All agents are visited, so that this is the
   * place to find the largest of each mesh. */
  const WmAgentNumber *numbers = crowd->numbers.items;
  for (uint32_t number = 0; number < crowd->number_count; number++) {
    if (!numbers[number].is_used) continue;
    const size_t i = numbers[number].index;
    const WmAgentParameters *parameters = &crowd->records[i].parameters;
    WmCrowdMesh *on = wm_crowd_mesh(crowd, parameters->type);
    if (parameters->radius > on->largest_radius) on->largest_radius = parameters->radius;
    const WmStatus status = check_agent(crowd, i, has_changed[parameters->type], seconds);
    if (!first) first = status;
  }
  return first;
}
