/* The corridor of an agent: contents, corners, moves, and a mesh that changes. See corridor.h. */
#include "base/debug/assert.h"
#include "mesh/locate.h"
#include "query/corridor/corridor_internal.h"
#include "query/local/move.h"

/* Corners nearer to the position than this (on x and z) are reached. */
#define REACHED 0.01f
/* A point nearer to a polygon than this is on its edge. */
#define TOUCHING 1e-3f

WmStatus wm_corridor_create(WmContext *context, WmQuery *query, WmPathCorridor **out) {
  WmPathCorridor *corridor = *out = wm_block_allocate(context, sizeof *corridor);
  if (!corridor) return WM_ERROR_OUT_OF_MEMORY;
  *corridor = (WmPathCorridor){.context = context, .query = query};
  return WM_OK;
}

void wm_corridor_destroy(WmPathCorridor *corridor) {
  if (!corridor) return;
  WmContext *context = corridor->context;
  wm_block_free(context, corridor->polygons.storage.items);
  wm_block_free(context, corridor);
}

/* ---- Contents ----------------------------------------------------------------------------------------- */

WmStatus wm_corridor_check(const WmPathCorridor *corridor) {
  if (corridor->polygons.count) return WM_OK;
  return wm_fail(corridor->context, WM_ERROR_STATE, "corridor", "the corridor is empty: reset it first");
}

/* Checks that the polygon is of the mesh, and the position finite. */
static WmStatus check_start(const WmPathCorridor *corridor, WmRef polygon, const float position[3]) {
  const WmStatus status = wm_mesh_check_ref(corridor->context, corridor->query->mesh, polygon, "polygon");
  return status ? status : wm_query_check_position(corridor->context, position, "position");
}

void wm_corridor_snap(const WmPathCorridor *corridor, WmRef polygon, const float point[3], float on[3]) {
  const float at[3] = {point[0], point[1], point[2]};
  wm_tile_closest_point(wm_mesh_tile_of(corridor->query->mesh, polygon), wm_ref_polygon(polygon), at, true,
                        on);
}

WmStatus wm_corridor_reset(WmPathCorridor *corridor, WmRef polygon, const float position[3]) {
  WmStatus status = wm_query_check_position(corridor->context, position, "position");
  if (!status && polygon) status = check_start(corridor, polygon, position);
  if (!status) status = wm_ref_list_set(corridor->context, &corridor->polygons, &polygon, polygon ? 1 : 0);
  if (status) return status;
  memcpy(corridor->position, position, sizeof corridor->position);
  if (polygon) wm_corridor_snap(corridor, polygon, position, corridor->position);
  memcpy(corridor->target, corridor->position, sizeof corridor->target);
  WM_VALIDATE(wm_corridor_validate_links(corridor));
  return WM_OK;
}

WmStatus wm_corridor_set(WmPathCorridor *corridor, const float target[3], const WmRef *polygons,
                         size_t polygon_count) {
  WmContext *context = corridor->context;
  WmStatus status = wm_corridor_check(corridor);
  if (status) return status;
  if (polygon_count == 0 || polygons[0] != wm_corridor_polygons(corridor)[0]) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "polygons",
                   "the first polygon must be that of the agent");
  }
  const bool was_linked =
      WM_WAS_VALID(wm_corridor_validate_links(corridor) &&
                   wm_query_count_linked(corridor->query->mesh, polygons, polygon_count) == polygon_count);
  status = wm_query_check_position(context, target, "target");
  const WmRef last = polygons[polygon_count - 1];
  if (!status) status = wm_mesh_check_ref(context, corridor->query->mesh, last, "polygons");
  if (!status) status = wm_ref_list_set(context, &corridor->polygons, polygons, polygon_count);
  if (status) return status;
  wm_corridor_snap(corridor, last, target, corridor->target);
  WM_VALIDATE(!was_linked || wm_corridor_validate_links(corridor));
  return WM_OK;
}

void wm_corridor_state(const WmPathCorridor *corridor, WmCorridorState *state) {
  *state = (WmCorridorState){.polygon_count = corridor->polygons.count};
  if (state->polygon_count) state->polygons = wm_corridor_polygons(corridor);
  memcpy(state->position, corridor->position, sizeof state->position);
  memcpy(state->target, corridor->target, sizeof state->target);
}

/* ---- Corners ------------------------------------------------------------------------------------------ */

/* Drops the points at the start that are reached. Returns their number. */
static size_t drop_reached(const float position[3], WmPath *path) {
  size_t n = 0;
  while (n < path->point_count && !(path->point_flags[n] & WM_POINT_OFF_MESH) &&
         !(wm_squared_distance_on_plane(position, path->points + 3 * n) > REACHED * REACHED)) {
    n++;
  }
  path->points += 3 * n;
  path->point_flags += n;
  path->point_polygons += n;
  path->point_count -= n;
  return n;
}

WmStatus wm_corridor_find_corners(WmPathCorridor *corridor, size_t max_corners, WmPath *path) {
  *path = (WmPath){0};
  WmStatus status = wm_corridor_check(corridor);
  if (!status && max_corners == 0) {
    status = wm_fail_range(corridor->context, WM_ERROR_INVALID_ARGUMENT, "maxCorners", 0, 1, NAN, NULL);
  }
  const size_t limit = SIZE_MAX / 2;
  size_t wanted = max_corners < limit ? max_corners + 1 : limit, dropped; /* with the position itself */
  do {
    if (!status) {
      status = wm_query_straighten(corridor->query, corridor->position, corridor->target,
                                   wm_corridor_polygons(corridor), corridor->polygons.count,
                                   WM_CROSSINGS_NONE, wanted, path);
    }
    if (status) return status;
    dropped = drop_reached(corridor->position, path);
    wanted += dropped;
  } while (path->cut && path->point_count < max_corners && dropped > 0);
  if (path->point_count > max_corners) {
    path->point_count = max_corners;
    path->cut = true;
  }
  path->length = 0;
  const float *before = corridor->position;
  for (size_t i = 0; i < path->point_count; i++) {
    path->length += wm_distance(before, path->points + 3 * i);
    before = path->points + 3 * i;
    if (!(path->point_flags[i] & WM_POINT_OFF_MESH)) continue;
    path->point_count = i + 1;
    path->cut = false;
  }
  return WM_OK;
}

/* ---- Moving ------------------------------------------------------------------------------------------- */

/* The polygons of a corridor up to the first portal that is farther from the position than a move to `point` is long: those that the move
 * can have passed. Returns false behind the last one. */
static bool is_in_reach(const WmPathCorridor *corridor, const float point[3], size_t k) {
  if (k + 1 >= corridor->polygons.count) return false;
  const WmRef *items = wm_corridor_polygons(corridor);
  const WmMeshTile *tile = wm_mesh_tile_of(corridor->query->mesh, items[k]);
  if (!tile || wm_ref_polygon(items[k]) >= tile->ground_count) return false;
  const float *portal = wm_query_find_portal(tile, wm_ref_polygon(items[k]), items[k + 1]);
  const float reach = wm_squared_distance_on_plane(corridor->position, point) + TOUCHING * TOUCHING;
  float t;
  return portal && wm_distance_to_segment(corridor->position, portal, portal + 3, &t) <= reach;
}

/* Continues the corridor from polygon k if a point is on its edge. Returns false if it isn't. */
static bool enter(WmPathCorridor *corridor, size_t k, const float point[3]) {
  const WmRef polygon = wm_corridor_polygons(corridor)[k];
  const WmMeshTile *tile = wm_mesh_tile_of(corridor->query->mesh, polygon);
  if (!tile || wm_ref_polygon(polygon) >= tile->ground_count) return false;
  float on[3];
  wm_tile_closest_point(tile, wm_ref_polygon(polygon), point, true, on);
  if (wm_squared_distance_on_plane(on, point) > TOUCHING * TOUCHING) return false;
  corridor->polygons.first += k;
  corridor->polygons.count -= k;
  memcpy(corridor->position, on, sizeof on);
  return true;
}

/* If a move leaves the corridor, yet ends on the edge of one of its polygons, the corridor continues from
 * that polygon: the visited polygons may lie behind a wall along which the agent walks, and would lead back
 * around the wall's end for ever. Returns true if there is such a polygon. */
static bool stay_in(WmPathCorridor *corridor, const float point[3]) {
  size_t k = 0;
  do {
    if (enter(corridor, k, point)) return true;
  } while (is_in_reach(corridor, point, k++));
  return false;
}

/* The last polygon of the corridor that the move can have passed and that begins where it ends, behind an edge of polygon `from`: from
 * an edge along which the agent walks, the polygons between would lead back to where they meet.
 * returns    0: there is none */
static size_t find_next_door(const WmPathCorridor *corridor, WmRef from, const float point[3]) {
  const WmRef *items = wm_corridor_polygons(corridor);
  const WmMeshTile *tile = wm_mesh_tile_of(corridor->query->mesh, from);
  size_t found = 0;
  for (size_t k = 0; is_in_reach(corridor, point, k); k++) {
    const float *portal = wm_query_find_portal(tile, wm_ref_polygon(from), items[k + 1]);
    float t;
    if (portal && wm_distance_to_segment(point, portal, portal + 3, &t) <= REACHED * REACHED) found = k + 1;
  }
  return found;
}

WmStatus wm_corridor_move(WmPathCorridor *corridor, const float position[3], const WmFilter *filter) {
  WmMove move;
  WmStatus status = wm_corridor_check(corridor);
  if (status) return status;
  const bool was_linked = WM_WAS_VALID(wm_corridor_validate_links(corridor));
  WmRefList *list = &corridor->polygons;
  status = wm_query_move_along_surface(corridor->query, wm_corridor_polygons(corridor)[0], corridor->position,
                                       position, filter, true, &move);
  if (status) return status;
  size_t i = 0, j;
  const bool within = wm_ref_list_meet(list, &move.polygon, 1, true, &i, &j);
  if (!within && stay_in(corridor, move.point)) return WM_OK;
  const size_t next = find_next_door(corridor, move.polygon, move.point);
  if (next > 0 && enter(corridor, next, move.point)) return WM_OK;
  if (next > (within ? i + 1 : 0)) { /* the polygon takes the place of those between */
    list->first += next - 1;
    list->count -= next - 1;
    wm_ref_list_items(list)[0] = move.polygon;
  } else {
    status = wm_ref_list_move_start(corridor->context, list, move.polygons, move.polygon_count);
  }
  if (!status) memcpy(corridor->position, move.point, sizeof move.point);
  WM_VALIDATE(!was_linked || wm_corridor_validate_links(corridor) ||
              !wm_corridor_leads_back(corridor, move.polygons, move.polygon_count));
  return status;
}

WmStatus wm_corridor_move_target(WmPathCorridor *corridor, const float position[3], const WmFilter *filter) {
  WmMove move;
  WmStatus status = wm_corridor_check(corridor);
  if (status) return status;
  const bool was_linked = WM_WAS_VALID(wm_corridor_validate_links(corridor));
  const WmRef last = wm_corridor_polygons(corridor)[corridor->polygons.count - 1];
  status =
      wm_query_move_along_surface(corridor->query, last, corridor->target, position, filter, true, &move);
  if (!status) {
    status = wm_ref_list_move_end(corridor->context, &corridor->polygons, move.polygons, move.polygon_count);
  }
  if (!status) memcpy(corridor->target, move.point, sizeof move.point);
  WM_VALIDATE(!was_linked || wm_corridor_validate_links(corridor));
  return status;
}

/* ---- A mesh that changes ------------------------------------------------------------------------------ */

WmStatus wm_corridor_fix_start(WmPathCorridor *corridor, WmRef polygon, const float position[3]) {
  WmStatus status = wm_corridor_check(corridor);
  if (!status) status = check_start(corridor, polygon, position);
  if (status) return status;
  WmRefList *list = &corridor->polygons;
  if (list->count < 3) {
    const WmRef polygons[3] = {polygon, 0, wm_ref_list_items(list)[list->count - 1]};
    status = wm_ref_list_set(corridor->context, list, polygons, 3);
    if (status) return status;
  }
  wm_ref_list_items(list)[0] = polygon;
  wm_ref_list_items(list)[1] = 0;
  wm_corridor_snap(corridor, polygon, position, corridor->position);
  return WM_OK;
}

/* Number of polygons from the start on, at most `limit`, that exist, pass the filter, and are linked each to
 * the next. */
static size_t count_valid(const WmPathCorridor *corridor, size_t limit, const WmFilter *filter) {
  const WmRef *items = wm_corridor_polygons(corridor);
  const WmMesh *mesh = corridor->query->mesh;
  filter = wm_query_filter(corridor->query, filter);
  const WmMeshTile *before = NULL;
  size_t n = 0;
  for (; n < limit; n++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, items[n]);
    const uint32_t polygon = wm_ref_polygon(items[n]);
    if (!tile || !wm_filter_passes(filter, tile->polygon_flags[polygon])) break;
    if (n > 0 && !wm_query_find_portal(before, wm_ref_polygon(items[n - 1]), items[n])) break;
    before = tile;
  }
  return n;
}

WmStatus wm_corridor_trim(WmPathCorridor *corridor, WmRef polygon, const float position[3],
                          const WmFilter *filter) {
  WmRefList *list = &corridor->polygons;
  WmStatus status = wm_query_check_position(corridor->context, position, "position");
  if (status) return status;
  const size_t valid = count_valid(corridor, list->count, filter);
  if (valid == list->count && valid > 0) return WM_OK;
  const float target[3] = {corridor->target[0], corridor->target[1], corridor->target[2]};
  if (valid == 0) {
    status = wm_corridor_reset(corridor, polygon, position);
    if (status || !polygon) return status;
  } else {
    list->count = valid;
  }
  wm_corridor_snap(corridor, wm_ref_list_items(list)[list->count - 1], target, corridor->target);
  WM_VALIDATE(wm_corridor_validate_links(corridor));
  return WM_OK;
}

bool wm_corridor_is_valid(const WmPathCorridor *corridor, size_t look_ahead, const WmFilter *filter) {
  const size_t count = corridor->polygons.count;
  const size_t limit = look_ahead && look_ahead < count ? look_ahead : count;
  return count_valid(corridor, limit, filter) == limit;
}
