/* Many queries in one call: the single ones in a loop, after a check of the arguments that all share. */
#include "query/batch.h"

#include "query/query_internal.h"
#include "query/local/raycast.h"
#include "query/local/move.h"
#include "query/local/walls.h"
#include "query/local/random.h"
#include "query/room/room.h"

/* Stores the status of a row, if wanted. */
static void set_status(uint8_t *statuses, size_t row, WmStatus status) {
  if (statuses) statuses[row] = (uint8_t)status;
}

static void set_point(float *points, size_t row, const float point[3]) {
  if (points) memcpy(points + 3 * row, point, 3 * sizeof(float));
}

WmStatus wm_query_find_nearest_batch(WmQuery *query, size_t count, const float *centres,
                                     const WmNearestOptions *options, WmRef *polygons, float *points,
                                     uint8_t *over, uint8_t *statuses) {
  const WmNearestOptions standard = wm_nearest_options_default();
  if (!options) options = &standard;
  const WmStatus failure = wm_query_check_nearest(query->context, options);
  if (failure) return failure;
  for (size_t i = 0; i < count; i++) {
    WmNearest nearest;
    set_status(statuses, i, wm_query_nearest_checked(query, centres + 3 * i, options, &nearest));
    polygons[i] = nearest.polygon;
    set_point(points, i, nearest.point);
    if (over) over[i] = nearest.over;
  }
  return WM_OK;
}

WmStatus wm_query_raycast_batch(WmQuery *query, size_t count, const WmRef *starts, const float *from,
                                const float *to, const WmFilter *filter, bool on_surface, float *t,
                                float *points, float *normals, WmRef *polygons, uint8_t *statuses) {
  const WmStatus failure = wm_query_check_filter(query->context, filter);
  if (failure) return failure;
  for (size_t i = 0; i < count; i++) {
    WmRay ray;
    set_status(statuses, i,
               wm_query_raycast(query, starts[i], from + 3 * i, to + 3 * i, filter, on_surface, 0, &ray));
    if (t) t[i] = ray.t;
    set_point(points, i, ray.point);
    set_point(normals, i, ray.normal);
    if (polygons) polygons[i] = ray.polygon;
  }
  return WM_OK;
}

WmStatus wm_query_move_batch(WmQuery *query, size_t count, WmRef *polygons, float *positions, const float *to,
                             const WmFilter *filter, bool on_surface, uint8_t *statuses) {
  const WmStatus failure = wm_query_check_filter(query->context, filter);
  if (failure) return failure;
  for (size_t i = 0; i < count; i++) {
    float *position = positions + 3 * i;
    WmMove move;
    set_status(
        statuses, i,
        wm_query_move_along_surface(query, polygons[i], position, to + 3 * i, filter, on_surface, &move));
    polygons[i] = move.polygon;
    set_point(positions, i, move.point);
  }
  return WM_OK;
}

WmStatus wm_query_height_batch(WmQuery *query, size_t count, const WmRef *polygons, const float *positions,
                               float *heights, uint8_t *found, uint8_t *statuses) {
  for (size_t i = 0; i < count; i++) {
    bool is_there;
    set_status(statuses, i, wm_query_height(query, polygons[i], positions + 3 * i, heights + i, &is_there));
    found[i] = is_there;
  }
  return WM_OK;
}

WmStatus wm_query_distance_to_wall_batch(WmQuery *query, size_t count, const WmRef *polygons,
                                         const float *centres, float max_distance, const WmFilter *filter,
                                         float *distances, float *points, float *normals, uint8_t *statuses) {
  WmStatus failure = wm_query_check_filter(query->context, filter);
  if (!failure) failure = wm_query_check_numbers(query->context, &max_distance, 1, 0, "maxDistance");
  if (failure) return failure;
  for (size_t i = 0; i < count; i++) {
    WmWall wall;
    set_status(statuses, i,
               wm_query_distance_to_wall(query, polygons[i], centres + 3 * i, max_distance, filter, &wall));
    distances[i] = wall.distance;
    set_point(points, i, wall.point);
    set_point(normals, i, wall.normal);
  }
  return WM_OK;
}

WmStatus wm_query_random_point_batch(WmQuery *query, size_t count, WmRandom *random,
                                     const WmRandomOptions *options, WmRef *polygons, float *points) {
  WmRandom trial = *random; /* checks the options that all share without advancing the caller's generator */
  WmNearest point;
  WmStatus status = wm_query_random_point(query, &trial, options, &point);
  for (size_t i = 0; i < count && !status; i++) {
    status = wm_query_random_point(query, random, options, &point);
    polygons[i] = point.polygon;
    set_point(points, i, point.point);
  }
  return status;
}

/* ---- Paths -------------------------------------------------------------------------------------------- */

/* Appends the points of a path to those of the paths before it. */
static WmStatus append_points(WmQuery *query, size_t point_count, const WmPath *path) {
  const WmStatus status =
      wm_query_reserve(query, WM_QUERY_BATCH_POINTS, WM_QUERY_BATCH_POINTS, point_count + path->point_count);
  if (status || path->point_count == 0) return status;
  float *points = query->arrays[WM_QUERY_BATCH_POINTS].items;
  memcpy(points + 3 * point_count, path->points, 3 * sizeof(float) * path->point_count);
  return WM_OK;
}

WmStatus wm_query_find_path_batch(WmQuery *query, size_t count, const float *starts, const float *ends,
                                  const WmPathOptions *options, uint8_t *states, uint8_t *reasons,
                                  float *costs, float *lengths, float *remaining, uint32_t *path_starts,
                                  const float **points, uint8_t *statuses) {
  const WmPathOptions standard = wm_path_options_default();
  if (!options) options = &standard;
  *points = NULL;
  WmStatus failure = wm_query_check_filter(query->context, options->search.filter);
  if (!failure) {
    failure = wm_query_check_numbers(query->context, options->half_extents, 3, 0, "halfExtents");
  }
  if (!failure) failure = wm_query_check_numbers(query->context, &options->radius, 1, 0, "radius");
  if (!failure) {
    failure = wm_query_check_numbers(query->context, &options->search.ray_limit, 1, 0, "rayLimit");
  }
  if (!failure) failure = wm_room_check(query, &options->search);
  if (failure) return failure;
  path_starts[0] = 0;
  for (size_t i = 0; i < count; i++) {
    WmPath path;
    WmStatus status = wm_query_find_path(query, starts + 3 * i, ends + 3 * i, options, &path);
    if (!status) status = append_points(query, path_starts[i], &path);
    if (status) memset(&path, 0, sizeof path);
    set_status(statuses, i, status);
    if (states) states[i] = (uint8_t)path.state;
    if (reasons) reasons[i] = (uint8_t)path.reason;
    if (costs) costs[i] = path.cost;
    if (lengths) lengths[i] = path.length;
    if (remaining) remaining[i] = path.remaining;
    path_starts[i + 1] = path_starts[i] + (uint32_t)path.point_count;
  }
  *points = query->arrays[WM_QUERY_BATCH_POINTS].items;
  return WM_OK;
}
