/* Moves an agent along the surface, and updates its corridor so that it begins in the agent's polygon.
 *
 * Most moves stay in their polygon, most others pass straight through portals: only moves that meet a wall
 * need the search of query/local/move.c. */
#include "crowd/crowd_internal.h"
#include "mesh/locate.h"
#include "query/local/move.h"
#include "query/local/ray_walk.h"
#include "query/search/straighten.h"

/* Finds the last polygon near the corridor's beginning that the move visited. */
static bool meet(const WmCrowd *crowd, const WmAgentCorridor *corridor, const WmRef *visited, size_t count,
                 uint32_t *corridor_index, size_t *in_visited) {
  bool is_met = false;
  WmCorridorCursor cursor = wm_agent_corridor_begin(corridor);
  for (; cursor.index < corridor->count && cursor.index < WM_CROWD_WALK_LOOK_AHEAD;
       cursor = wm_agent_corridor_next(crowd, cursor)) {
    const WmRef polygon = wm_agent_corridor_polygon(crowd, cursor);
    for (size_t j = count; j-- > 0;) {
      if (visited[j] != polygon) continue;
      *corridor_index = cursor.index;
      *in_visited = j;
      is_met = true;
      break;
    }
    if (cursor.index + 1 == corridor->count) break;
  }
  return is_met;
}

/* Drops the corridor up to where the move left it, and prepends the polygons visited since. */
static WmStatus mend(WmCrowd *crowd, WmAgentRecord *record, const WmRef *visited, size_t count) {
  WmAgentCorridor *corridor = &record->corridor;
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  uint32_t i;
  size_t j;
  if (corridor->count == 0) return WM_OK;
  record->corners_are_valid = record->corners_are_valid && count > 0;
  if (!meet(crowd, corridor, visited, count, &i, &j)) {
    wm_agent_corridor_clear(crowd, corridor); /* can't happen: the move begins in the corridor's first
                                                 polygon */
    return WM_OK;
  }
  if (i > 0) wm_agent_corridor_drop(crowd, corridor, i);
  for (size_t k = j + 1; k < count; k++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, visited[k]);
    const float *portal = wm_query_find_portal(tile, wm_ref_polygon(visited[k]), visited[k - 1]);
    if (!portal) { /* a one-way connection: there is no link back */
      wm_agent_corridor_clear(crowd, corridor);
      return WM_OK;
    }
    const WmStatus status = wm_agent_corridor_prepend(crowd, corridor, mesh, visited[k], portal);
    record->corners_are_valid = false;
    if (status) {
      wm_agent_corridor_clear(crowd, corridor);
      return status;
    }
  }
  return WM_OK;
}

/* Prepends the straight way from the agent to a point of its corridor's first polygon, if nothing is between. A search may find another
 * one: it measures from edge to edge by their midpoints, so that climbing back to where the agent came from can seem shorter.
 * out        *found: false: there is none */
static WmStatus go_straight(WmCrowd *crowd, size_t index, WmRef first, const float end[3], bool *found) {
  WmAgentRecord *record = &crowd->records[index];
  WmBuffer *way = &crowd->ray_polygons;
  WmRayWalk ray = {.context = crowd->context,
                   .mesh = wm_agent_mesh(crowd, record)->mesh,
                   .filter = wm_agent_filter(crowd, record),
                   .polygons = way,
                   .max_polygons = WM_CROWD_JOIN_LIMIT};
  WmStatus status = wm_ray_walk(&ray, record->polygon, crowd->positions + 3 * index, end);
  *found = !status && !ray.hit && !ray.outside && ray.entered == ray.polygon_count;
  if (!*found) return status;
  size_t count = ray.polygon_count;
  if (ray.polygon != first) { /* it ends on the edge between both */
    const WmMeshTile *tile = wm_mesh_tile_of(ray.mesh, ray.polygon);
    *found = wm_query_find_portal(tile, wm_ref_polygon(ray.polygon), first) != NULL;
    count++;
  }
  if (!*found) return WM_OK;
  return wm_agent_corridor_replace(crowd, &record->corridor, ray.mesh, 0, way->items, count - 1);
}

/* Finds the way from the agent to the beginning of its corridor, which is near.
 * in         towards: as of wm_crowd_join_corridor
 * out        *found: false: there is none */
static WmStatus find_way(WmCrowd *crowd, size_t index, const float *towards, bool *found) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const WmRef first = wm_agent_corridor_polygon(crowd, wm_agent_corridor_begin(&record->corridor));
  const WmMeshTile *tile = wm_mesh_tile_of(on->mesh, first);
  *found = false;
  if (!tile) return WM_OK;
  float end[3];
  WmStatus status = towards ? go_straight(crowd, index, first, towards, found) : WM_OK;
  if (status || *found) return status;
  wm_tile_closest_point(tile, wm_ref_polygon(first), position, true, end);
  WmSearchOptions options = wm_search_options_default();
  options.filter = wm_agent_filter(crowd, record);
  options.max_nodes = WM_CROWD_JOIN_LIMIT;
  WmCorridor way;
  status = wm_query_find_corridor(on->query, record->polygon, position, first, end, &options, &way);
  *found = !status && way.state == WM_PATH_COMPLETE;
  if (!*found) return status;
  return wm_agent_corridor_replace(crowd, &record->corridor, on->mesh, 0, way.polygons,
                                   way.polygon_count - 1);
}

WmStatus wm_crowd_join_corridor(WmCrowd *crowd, size_t index, const float *towards) {
  WmAgentRecord *record = &crowd->records[index];
  WmAgentCorridor *corridor = &record->corridor;
  uint32_t in_corridor;
  size_t visited;
  if (corridor->count == 0) return WM_OK;
  if (meet(crowd, corridor, &record->polygon, 1, &in_corridor, &visited)) {
    if (in_corridor > 0) wm_agent_corridor_drop(crowd, corridor, in_corridor);
    return WM_OK;
  }
  bool is_joined = false;
  const WmStatus status =
      record->order == WM_ORDER_TARGET ? find_way(crowd, index, towards, &is_joined) : WM_OK;
  if (is_joined && !status) return WM_OK;
  wm_agent_corridor_clear(crowd, corridor);
  if (record->order == WM_ORDER_TARGET && !record->needs_plan) wm_crowd_request_later(record);
  return status;
}

/* If a move leaves the corridor, but ends on the edge of one of its next polygons, continues from that one:
 * else the polygons beside an edge would lead an agent around that walks along it. Visits polygons as long as
 * portals are within the length of the move.
 * in         from, point: of the move */
static bool stay_on_corridor(WmCrowd *crowd, size_t index, const float from[3], const float point[3]) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const float x = point[0] - from[0], z = point[2] - from[2];
  const float reach = x * x + z * z + WM_CROWD_TOUCHING * WM_CROWD_TOUCHING;
  for (WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);;
       cursor = wm_agent_corridor_next(crowd, cursor)) {
    const WmRef ref = wm_agent_corridor_polygon(crowd, cursor);
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
    if (!tile || wm_ref_polygon(ref) >= tile->ground_count) return false;
    float on[3], t;
    wm_tile_closest_point(tile, wm_ref_polygon(ref), point, true, on);
    const float on_x = on[0] - point[0], on_z = on[2] - point[2];
    if (on_x * on_x + on_z * on_z <= WM_CROWD_TOUCHING * WM_CROWD_TOUCHING) {
      record->polygon = ref;
      memcpy(crowd->positions + 3 * index, on, sizeof on);
      if (cursor.index > 0) wm_agent_corridor_drop(crowd, &record->corridor, cursor.index);
      return true;
    }
    if (cursor.index + 1 == record->corridor.count) return false;
    float whole[4];
    const float *portal = wm_agent_corridor_whole_portal(crowd, mesh, cursor, whole);
    const float first[3] = {portal[0], 0, portal[1]}, second[3] = {portal[2], 0, portal[3]};
    if (!(wm_distance_to_segment(from, first, second, &t) <= reach)) return false;
  }
}

/* True if a polygon is one of the next of the corridor. */
static bool is_on_corridor(const WmCrowd *crowd, const WmAgentCorridor *corridor, WmRef polygon) {
  WmCorridorCursor cursor = wm_agent_corridor_begin(corridor);
  for (; cursor.index < WM_CROWD_WALK_LOOK_AHEAD; cursor = wm_agent_corridor_next(crowd, cursor)) {
    if (wm_agent_corridor_polygon(crowd, cursor) == polygon) return true;
    if (cursor.index + 1 == corridor->count) return false;
  }
  return false;
}

/* Stores the result of a move. A corridor that was lost is requested again, and so is one that became longer
 * again and again. */
static WmStatus arrive(WmCrowd *crowd, size_t index, const float point[3], const WmRef *visited,
                       size_t count) {
  WmAgentRecord *record = &crowd->records[index];
  const bool had_corridor = record->corridor.count > 0;
  if (had_corridor && !is_on_corridor(crowd, &record->corridor, visited[count - 1])) {
    const float from[3] = {crowd->positions[3 * index], 0, crowd->positions[3 * index + 2]};
    if (stay_on_corridor(crowd, index, from, point)) return WM_OK;
    record->detours++;
    record->shortcut_turns = WM_CROWD_SHORTCUT_TURNS;
  }
  memcpy(crowd->positions + 3 * index, point, 3 * sizeof *point);
  record->polygon = visited[count - 1];
  const WmStatus status = mend(crowd, record, visited, count);
  if (had_corridor && (record->corridor.count == 0 || record->detours > WM_CROWD_DETOUR_LIMIT) &&
      !record->needs_plan) {
    record->detours = 0;
    if (record->order == WM_ORDER_TARGET) wm_crowd_request_later(record);
  }
  return status;
}

/* The square of the distance on x and z between a point and where the agent began the step. */
static float measure_way(const WmAgentRecord *record, float x, float z) {
  return (x - record->from[0]) * (x - record->from[0]) + (z - record->from[1]) * (z - record->from[1]);
}

/* Slides along walls. Around the end of a wall a move may end up to twice as far away as its target: within a
 * step, one that would end out of reach becomes so short that it can't. */
static WmStatus slide(WmCrowd *crowd, size_t index, const float to[3], bool is_within_reach) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmFilter *filter = wm_agent_filter(crowd, record);
  WmQuery *query = wm_agent_mesh(crowd, record)->query;
  const float *from = crowd->positions + 3 * index;
  WmMove move;
  WmStatus status = wm_query_move_along_surface(query, record->polygon, from, to, filter, true, &move);
  if (status) return status;
  if (is_within_reach && measure_way(record, move.point[0], move.point[2]) > record->reach * record->reach) {
    const float left = record->reach - sqrtf(measure_way(record, from[0], from[2]));
    if (!(left > 0)) return WM_OK;
    const float x = to[0] - from[0], z = to[2] - from[2], scale = left / (2 * sqrtf(x * x + z * z));
    const float nearer[3] = {from[0] + x * scale, to[1], from[2] + z * scale};
    status = wm_query_move_along_surface(query, record->polygon, from, nearer, filter, true, &move);
    if (status) return status;
  }
  return arrive(crowd, index, move.point, move.polygons, move.polygon_count);
}

/* An agent at its next crossing enters the polygon behind it, if it goes on in there: along an edge between both it could stay in the
 * former one, and would have to come back to the crossing. */
static void pass_crossings(WmCrowd *crowd, size_t index, const float to[3]) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  while (record->corridor.count > 1) {
    const WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor),
                           next = wm_agent_corridor_next(crowd, cursor);
    const float *portal = wm_agent_corridor_portal(crowd, cursor);
    const float away_x = portal[0] - position[0], away_z = portal[1] - position[2];
    if (!wm_agent_portal_is_crossing(portal) || wm_agent_corridor_is_connection(crowd, next) ||
        !(away_x * away_x + away_z * away_z <= WM_CROWD_TOUCHING * WM_CROWD_TOUCHING))
      return;
    const WmRef polygon = wm_agent_corridor_polygon(crowd, next);
    const WmMeshTile *tile = wm_mesh_tile_of(wm_agent_mesh(crowd, record)->mesh, polygon);
    if (!tile) return;
    float on[3];
    wm_tile_closest_point(tile, wm_ref_polygon(polygon), to, true, on);
    if (!(wm_squared_distance_on_plane(on, to) <= WM_CROWD_TOUCHING * WM_CROWD_TOUCHING)) return;
    record->polygon = polygon;
    wm_agent_corridor_drop(crowd, &record->corridor, 1);
  }
}

static WmStatus walk(WmCrowd *crowd, size_t index, float x, float z, bool is_within_reach) {
  const WmAgentRecord *record = &crowd->records[index];
  WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  float *position = crowd->positions + 3 * index;
  if (x == position[0] && z == position[2]) return WM_OK;
  const float to[3] = {x, position[1], z};
  if (wm_agent_seeks_cheapest(record)) pass_crossings(crowd, index, to);
  const WmMeshTile *tile = wm_mesh_tile(on->mesh, wm_ref_slot(record->polygon));
  const uint32_t polygon = wm_ref_polygon(record->polygon);
  if (wm_tile_contains(tile, polygon, to)) {
    position[0] = x;
    position[1] = wm_tile_height(tile, polygon, to);
    position[2] = z;
    return WM_OK;
  }
  WmRayWalk ray;
  ray.context = crowd->context;
  ray.mesh = on->mesh;
  ray.filter = wm_agent_filter(crowd, record);
  ray.polygons = &crowd->ray_polygons;
  ray.max_polygons = SIZE_MAX;
  ray.polygon_count = 0;
  ray.on_surface = true;
  const WmStatus status = wm_ray_walk(&ray, record->polygon, position, to);
  if (status) return status;
  if (!ray.hit && !ray.outside) {
    return arrive(crowd, index, ray.end, crowd->ray_polygons.items, ray.polygon_count);
  }
  return slide(crowd, index, to, is_within_reach);
}

WmStatus wm_crowd_walk(WmCrowd *crowd, size_t index, float x, float z) {
  return walk(crowd, index, x, z, false);
}

WmStatus wm_crowd_walk_within_reach(WmCrowd *crowd, size_t index, float x, float z) {
  return walk(crowd, index, x, z, true);
}
