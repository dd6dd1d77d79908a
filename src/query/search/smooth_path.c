/* Smooth paths: the string pulled through a corridor -> points at equal steps on the surface.
 *
 * The string is followed segment by segment. It passes the corridor's portals in their order: a point belongs
 * to the polygon behind the last portal that the string has touched, and is moved onto the surface of that
 * polygon. Links onto and off a connection are portals of no width. */
#include "base/debug/assert.h"
#include "mesh/locate.h"
#include "query/query_internal.h"

/* The limit of points if the caller sets none. */
enum { POINT_LIMIT = 1000000 };

/* A rest of a segment shorter than this fraction of a step is no step of its own. */
#define LEFT_OVER 0.01
/* The string touches a portal that it comes this near to, world units. */
#define TOUCHING 1e-4f

typedef struct Walk {
  WmQuery *query;
  const WmPath *path; /* the string; its arrays are overwritten */
  size_t at;          /* index in the corridor of the polygon that the last point is in */
  float from[3];      /* the last point, on the string */
  size_t count, limit;
  float length;
} Walk;

/* ---- The polygon of a point --------------------------------------------------------------------------- */

static bool are_near(const float point[3], const float first[3], const float second[3]) {
  float t;
  return wm_distance_to_segment(point, first, second, &t) <= TOUCHING * TOUCHING;
}

/* True if a segment of the string passes a portal. A segment that ends well before it doesn't; others are
 * tested closely, as a string may run along the line of a portal that lies ahead. */
static bool passes(const float from[3], const float to[3], const float *portal) {
  const float *left = portal, *right = portal + 3;
  const float x = right[0] - left[0], z = right[2] - left[2], side = wm_find_turn(left, right, to);
  if (side > 0 && side * side > (x * x + z * z) * (TOUCHING * TOUCHING)) return false;
  if (wm_find_turn(left, right, from) * side < 0 &&
      wm_find_turn(from, to, left) * wm_find_turn(from, to, right) < 0)
    return true;
  return are_near(to, left, right) || are_near(from, left, right) || are_near(left, from, to) ||
         are_near(right, from, to);
}

/* True if the corridor's next polygon may be entered: a segment link only where it is `last`, as strings may run along its near
 * segment. */
static bool may_enter(const Walk *walk, WmRef last) {
  const WmRef next = walk->path->polygons[walk->at + 1];
  return next == last || !wm_mesh_tile_of(walk->query->mesh, next)->segments;
}

/* Advances along a segment of the string to the polygon of its end; no farther than `last`, if the end is
 * that polygon's entry. */
static void advance(Walk *walk, const float point[3], WmRef last) {
  const float *portals = walk->query->arrays[WM_QUERY_PORTALS].items;
  const WmRef *polygons = walk->path->polygons;
  while (walk->at + 1 < walk->path->polygon_count && polygons[walk->at] != last && may_enter(walk, last) &&
         passes(walk->from, point, portals + 6 * walk->at)) {
    walk->at++;
  }
  memcpy(walk->from, point, sizeof walk->from);
}

/* Appends a point, on the surface of its polygon. */
static void append(Walk *walk, const float point[3], uint8_t flags) {
  WmQuery *query = walk->query;
  const WmRef polygon = walk->path->polygons[walk->at];
  float *next = (float *)query->arrays[WM_QUERY_POINTS].items + 3 * walk->count;
  if (flags & WM_POINT_OFF_MESH) {
    memcpy(next, point, 3 * sizeof *next);
  } else {
    wm_tile_closest_point(wm_mesh_tile_of(query->mesh, polygon), wm_ref_polygon(polygon), point, true, next);
  }
  uint8_t *point_flags = query->arrays[WM_QUERY_POINT_FLAGS].items;
  WmRef *point_polygons = query->arrays[WM_QUERY_POINT_POLYGONS].items;
  const size_t last = walk->count - 1;
  if (walk->count > 0 && !wm_query_is_gap(query->mesh, point_flags[last], point_polygons[last])) {
    walk->length += wm_distance(next - 3, next);
  }
  point_flags[walk->count] = flags;
  point_polygons[walk->count] = flags & WM_POINT_END ? 0 : polygon;
  walk->count++;
}

/* ---- The string --------------------------------------------------------------------------------------- */

/* Number of steps from point k of the string to the next: 1 over a connection. */
static double count_steps(const WmPath *path, float step, size_t k) {
  const float *from = path->points + 3 * k, *to = from + 3;
  const double x = (double)to[0] - from[0], z = (double)to[2] - from[2];
  const double steps = ceil(sqrt(x * x + z * z) / step - LEFT_OVER);
  return steps > 1 && !(path->point_flags[k] & WM_POINT_OFF_MESH) ? steps : 1;
}

/* Appends point k of the string. */
static void append_corner(Walk *walk, size_t k) {
  const uint8_t flags = walk->path->point_flags[k];
  advance(walk, walk->path->points + 3 * k, flags & WM_POINT_OFF_MESH ? walk->path->point_polygons[k] : 0);
  append(walk, walk->from, flags);
}

/* Appends the points between point k of the string and the next. */
static void follow(Walk *walk, float step, size_t k) {
  const float *from = walk->path->points + 3 * k, *to = from + 3;
  const double steps = count_steps(walk->path, step, k);
  const double x = (double)to[0] - from[0], z = (double)to[2] - from[2];
  const double fraction = steps > 1 ? step / sqrt(x * x + z * z) : 0;
  for (uint32_t n = 1; n < steps && walk->count < walk->limit; n++) {
    float point[3];
    wm_interpolate(from, to, (float)(n * fraction), point);
    advance(walk, point, 0);
    append(walk, point, 0);
  }
}

/* Moves the string behind the space for the result, and writes the points along it. */
static WmStatus smooth(WmQuery *query, float step, size_t max_points, WmPath *path) {
  double total = 1;
  for (size_t k = 0; k + 1 < path->point_count; k++) total += count_steps(path, step, k);
  if (max_points == 0 && total > POINT_LIMIT) {
    return wm_fail_number(query->context, WM_ERROR_LIMIT, "step",
                          "the path has more than 1000000 points at step ", step,
                          ": use longer steps, or maxPoints");
  }
  const double most = max_points && max_points < INT32_MAX ? (double)max_points : INT32_MAX;
  const size_t limit = (size_t)(total < most ? total : most);
  const size_t count = path->point_count;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_POINTS, WM_QUERY_POINT_POLYGONS, limit + count);
  if (status) return status;
  float *points = query->arrays[WM_QUERY_POINTS].items;
  uint8_t *flags = query->arrays[WM_QUERY_POINT_FLAGS].items;
  WmRef *polygons = query->arrays[WM_QUERY_POINT_POLYGONS].items;
  path->points = memmove(points + 3 * limit, points, 3 * count * sizeof *points);
  path->point_flags = memmove(flags + limit, flags, count);
  path->point_polygons = memmove(polygons + limit, polygons, count * sizeof *polygons);
  Walk walk = {.query = query, .path = path, .limit = limit};
  memcpy(walk.from, path->points, sizeof walk.from);
  for (size_t k = 0; k < count && walk.count < limit; k++) {
    if (k > 0) follow(&walk, step, k - 1);
    if (walk.count < limit) append_corner(&walk, k);
  }
  path->points = points;
  path->point_flags = flags;
  path->point_polygons = polygons;
  path->point_count = walk.count;
  path->length = walk.length;
  path->cut = (double)walk.count < total;
  if (path->state != WM_PATH_COMPLETE) {
    path->remaining = wm_distance(points + 3 * (walk.count - 1), path->end.point);
  }
  WM_VALIDATE(wm_path_validate_links(query->mesh, path));
  return WM_OK;
}

WmStatus wm_query_find_smooth_path(WmQuery *query, const float start[3], const float end[3], float step,
                                   const WmPathOptions *options, WmPath *path) {
  WmPathOptions whole = options ? *options : wm_path_options_default();
  const size_t max_points = whole.max_points;
  *path = (WmPath){0};
  if (!isfinite(step) || !(step > 0)) {
    return wm_fail_number(query->context, WM_ERROR_INVALID_ARGUMENT, "step", "a step is ", step,
                          ": must be finite, above 0");
  }
  whole.max_points = 0;
  WmStatus status = wm_query_find_path(query, start, end, &whole, path);
  if (!status && path->point_count > 0) status = smooth(query, step, max_points, path);
  if (status) *path = (WmPath){0};
  return status;
}
