/* Paths that keep a distance from walls: each part between off-mesh connections is a line of its own. See room.h. */
#include "base/debug/assert.h"
#include "mesh/locate.h"
#include "query/room/room_internal.h"

#define SAME_SQUARED ((1.0f / 16384.0f) * (1.0f / 16384.0f))

/* The path that is written, from one that keeps no distance. */
typedef struct Writing {
  WmQuery *query;
  const WmSearchOptions *options;
  WmCrossings crossings;
  const WmPath *plain;
  const uint32_t *entries; /* index in the corridor of the polygon entered at each point */
  size_t point_count, polygon_count;
  bool is_cheapest; /* as in WmRoomTask */
  float cost;       /* of what is written */
} Writing;

static void *items_of(const Writing *writing, WmQueryArray array) {
  return writing->query->arrays[array].items;
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static WmStatus add_point(Writing *writing, const float point[3], uint8_t flags, WmRef polygon) {
  const size_t count = writing->point_count;
  const WmStatus status =
      wm_query_reserve(writing->query, WM_QUERY_WIDE_POINTS, WM_QUERY_WIDE_POINT_POLYGONS, count + 1);
  if (status) return status;
  float *next = (float *)items_of(writing, WM_QUERY_WIDE_POINTS) + 3 * count;
  /* Both points at a segment link stay, wherever they are. */
  const bool is_behind_gap =
      count > 0 && wm_query_is_gap(writing->query->mesh,
                                   ((uint8_t *)items_of(writing, WM_QUERY_WIDE_POINT_FLAGS))[count - 1],
                                   ((WmRef *)items_of(writing, WM_QUERY_WIDE_POINT_POLYGONS))[count - 1]);
  const bool is_same = count > 0 && !is_behind_gap && wm_squared_distance(next - 3, point) < SAME_SQUARED;
  if (is_same) next -= 3;
  memcpy(next, point, 3 * sizeof *next);
  const size_t at = is_same ? count - 1 : count;
  uint8_t *all_flags = items_of(writing, WM_QUERY_WIDE_POINT_FLAGS);
  all_flags[at] = is_same ? all_flags[at] | flags : flags;
  ((WmRef *)items_of(writing, WM_QUERY_WIDE_POINT_POLYGONS))[at] = polygon;
  writing->point_count = at + 1;
  return WM_OK;
}

static WmStatus add_polygons(Writing *writing, const WmRef *polygons, size_t count) {
  const size_t before = writing->polygon_count;
  const WmStatus status =
      wm_query_reserve(writing->query, WM_QUERY_WIDE_POLYGONS, WM_QUERY_WIDE_POLYGONS, before + count);
  if (status) return status;
  memcpy((WmRef *)items_of(writing, WM_QUERY_WIDE_POLYGONS) + before, polygons, count * sizeof *polygons);
  writing->polygon_count += count;
  return WM_OK;
}

/* The point where a line crosses a portal. Returns false if they are parallel. */
static bool cross_portal(const float from[3], const float to[3], const float *portal, float point[3]) {
  const float u[2] = {to[0] - from[0], to[2] - from[2]};
  const float v[2] = {portal[3] - portal[0], portal[5] - portal[2]};
  const float w[2] = {from[0] - portal[0], from[2] - portal[2]}, area = wm_cross(u, v);
  if (fabsf(area) < 1e-6f) return false;
  wm_interpolate(portal, portal + 3, wm_clamp_unit(wm_cross(u, w) / area), point);
  return true;
}

static float unit_cost(const Writing *writing, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(writing->query->mesh, polygon);
  return wm_filter_unit_cost(writing->options->filter, tile, wm_ref_polygon(polygon));
}

/* A line runs along a portal if the sine of their angle is less than this. */
#define ALONG 0.01f

/* How far along a line it crosses a portal, as a part of it; where it runs along the portal, on the cheaper side.
 * in         is_cheaper: the polygon in front of the portal is the cheaper one */
static float find_crossing(const float from[3], const float to[3], const float *portal, bool is_cheaper) {
  const float u[2] = {to[0] - from[0], to[2] - from[2]}, squared = u[0] * u[0] + u[1] * u[1];
  const float v[2] = {portal[3] - portal[0], portal[5] - portal[2]};
  const float w[2] = {portal[0] - from[0], portal[2] - from[2]}, area = wm_cross(u, v);
  if (!(squared > 0)) return 0;
  if (area * area > ALONG * ALONG * squared * (v[0] * v[0] + v[1] * v[1])) return wm_cross(w, v) / area;
  const float first = (u[0] * w[0] + u[1] * w[1]) / squared;
  const float second = first + (u[0] * v[0] + u[1] * v[1]) / squared;
  return is_cheaper ? fmaxf(first, second) : fminf(first, second);
}

/* Appends the wanted crossings of a straight line through polygons, and adds its cost. */
static WmStatus add_crossings(Writing *writing, const float from[3], const float to[3], const WmRef *polygons,
                              size_t count) {
  const WmMesh *mesh = writing->query->mesh;
  const float length = wm_distance(from, to);
  const size_t last = writing->is_cheapest || writing->crossings != WM_CROSSINGS_NONE ? count - 1 : 0;
  float along = 0;
  WmStatus status = WM_OK;
  for (size_t i = 0; i < last && !status; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygons[i]),
                     *next = wm_mesh_tile_of(mesh, polygons[i + 1]);
    const uint32_t polygon = wm_ref_polygon(polygons[i]);
    const float *portal = wm_query_find_portal(tile, polygon, polygons[i + 1]);
    if (!portal) continue;
    const float cost = unit_cost(writing, polygons[i]), before = along;
    along = fmaxf(wm_clamp_unit(find_crossing(from, to, portal, cost < unit_cost(writing, polygons[i + 1]))),
                  before);
    writing->cost += (along - before) * length * cost;
    const bool is_same_area =
        tile->polygon_area[polygon] == next->polygon_area[wm_ref_polygon(polygons[i + 1])];
    const bool is_wanted =
        writing->crossings == WM_CROSSINGS_ALL || (writing->crossings == WM_CROSSINGS_AREAS && !is_same_area);
    float point[3];
    if (is_wanted && cross_portal(from, to, portal, point))
      status = add_point(writing, point, 0, polygons[i + 1]);
  }
  writing->cost += (1 - along) * length * unit_cost(writing, polygons[count - 1]);
  return status;
}

/* ---- Parts -------------------------------------------------------------------------------------------- */

/* The points from one connection to the next, and their polygons of the corridor. */
typedef struct Part {
  size_t first, last;                   /* points */
  uint32_t first_polygon, last_polygon; /* indices in the corridor */
} Part;

/* Appends a line, with crossings. Its ends have the flags of the part's ends. */
static WmStatus add_line(Writing *writing, const Part *part, size_t count, const float *points,
                         const uint32_t *at, const WmRef *polygons, uint32_t base) {
  const WmPath *plain = writing->plain;
  WmStatus status = WM_OK;
  for (size_t i = 0; i < count && !status; i++) {
    const bool is_first = i == 0, is_last = i + 1 == count;
    uint8_t flags = is_first ? plain->point_flags[part->first] & WM_POINT_START : 0;
    if (is_last) flags |= plain->point_flags[part->last];
    const WmRef polygon = is_last ? plain->point_polygons[part->last] : polygons[at[i] - base];
    status = add_point(writing, points + 3 * i, flags, polygon);
    if (status || is_last) break;
    const uint32_t from = at[i] - base, to = at[i + 1] - base;
    status =
        add_crossings(writing, points + 3 * i, points + 3 * i + 3, polygons + from, to - from + (size_t)1);
  }
  return status;
}

/* Finds the line of a part. */
static WmStatus draw_part(const Writing *writing, const Part *part, WmRoomLine *line) {
  const WmPath *plain = writing->plain;
  const WmRoomTask task = {.filter = writing->options->filter,
                           .distance = writing->options->wall_distance,
                           .point_count = part->last - part->first + 1,
                           .points = plain->points + 3 * part->first,
                           .polygons = plain->point_polygons + part->first,
                           .is_cheapest = writing->is_cheapest,
                           .corridor = plain->polygons,
                           .entries = writing->entries + part->first};
  *line = (WmRoomLine){0};
  return task.point_count > 1 ? wm_room_find(writing->query, &task, line) : WM_OK;
}

/* Appends a part. */
static WmStatus add_part(Writing *writing, Part *part) {
  const WmPath *plain = writing->plain;
  uint32_t *entries = (uint32_t *)items_of(writing, WM_QUERY_WIDE_ENTRIES);
  for (size_t i = part->first; i <= part->last; i++) {
    if (entries[i] < part->first_polygon) entries[i] = part->first_polygon;
    if (entries[i] > part->last_polygon) entries[i] = part->last_polygon;
  }
  entries[part->first] = part->first_polygon; /* connections lead from and to these */
  entries[part->last] = part->last_polygon;
  WmRoomLine line;
  WmStatus status = draw_part(writing, part, &line);
  if (status) return status;
  const WmRef *corridor = plain->polygons + part->first_polygon;
  if (line.point_count == 0) {
    status = add_line(writing, part, part->last - part->first + 1, plain->points + 3 * part->first,
                      entries + part->first, corridor, part->first_polygon);
    const size_t polygons = part->last_polygon - part->first_polygon + (size_t)1;
    return status ? status : add_polygons(writing, corridor, polygons);
  }
  status = add_line(writing, part, line.point_count, line.points, line.at, line.polygons, 0);
  return status ? status : add_polygons(writing, line.polygons, line.polygon_count);
}

/* True if a point lies on the portal through which the corridor enters its polygon `at`. */
static bool is_entry_of(const WmQuery *query, const WmPath *plain, size_t at, const float point[3]) {
  const WmRef before = plain->polygons[at - 1];
  const float *portal =
      wm_query_find_portal(wm_mesh_tile_of(query->mesh, before), wm_ref_polygon(before), plain->polygons[at]);
  float t;
  return portal && wm_distance_to_segment(point, portal, portal + 3, &t) < SAME_SQUARED;
}

/* The index of the same polygon farther on in the corridor of a cheapest line, if a point is where the line enters it again. */
static size_t find_again(const WmQuery *query, const WmPath *plain, size_t at, const float point[3]) {
  if (at > 0 && is_entry_of(query, plain, at, point)) return at;
  for (size_t i = at + 1; i < plain->polygon_count; i++)
    if (plain->polygons[i] == plain->polygons[at] && is_entry_of(query, plain, i, point)) return i;
  return at;
}

/* Finds the index in the corridor of the polygon entered at each point. Returns false if one isn't in it.
 * in         is_cheapest: the corridor may pass a polygon twice */
static bool find_entries(const WmQuery *query, const WmPath *plain, bool is_cheapest, uint32_t *entries) {
  size_t at = 0;
  for (size_t i = 0; i < plain->point_count; i++) {
    const WmRef polygon = plain->point_polygons[i];
    if (polygon == 0) at = plain->polygon_count - 1;
    while (polygon && at < plain->polygon_count && plain->polygons[at] != polygon) at++;
    if (at == plain->polygon_count) return false;
    if (is_cheapest && polygon && i > 0) at = find_again(query, plain, at, plain->points + 3 * i);
    entries[i] = (uint32_t)at;
  }
  return true;
}

/* Appends an off-mesh connection or a segment link.
 * in         i: the point at which it begins; entry: its index in the corridor */
static WmStatus add_link(Writing *writing, size_t i, uint32_t entry) {
  const WmPath *plain = writing->plain;
  const WmRef link = plain->polygons[entry];
  const WmMeshTile *tile = wm_mesh_tile_of(writing->query->mesh, link);
  const float *points = plain->points + 3 * i;
  const float length = tile->segments               ? tile->segments[wm_ref_polygon(link)].cost
                       : i + 1 < plain->point_count ? wm_distance(points, points + 3)
                                                    : 0;
  writing->cost += length * unit_cost(writing, link);
  return add_polygons(writing, &link, 1);
}

/* Appends all parts, and the connections between them. */
static WmStatus add_parts(Writing *writing) {
  const WmPath *plain = writing->plain;
  WmStatus status = WM_OK;
  Part part = {0};
  for (size_t i = 0; i < plain->point_count && !status; i++) {
    const bool is_entry = (plain->point_flags[i] & WM_POINT_OFF_MESH) != 0;
    if (!is_entry && i + 1 < plain->point_count) continue;
    const uint32_t entry = writing->entries[i];
    part.last = i;
    part.last_polygon = is_entry && entry > 0 ? entry - 1 : entry;
    const bool has_ground = is_entry ? entry > part.first_polygon : entry >= part.first_polygon;
    if (has_ground) status = add_part(writing, &part);
    for (size_t k = part.first; k <= i && !has_ground && !status; k++) {
      status = add_point(writing, plain->points + 3 * k, plain->point_flags[k], plain->point_polygons[k]);
    }
    if (!status && is_entry) status = add_link(writing, i, entry);
    part.first = i + 1;
    part.first_polygon = entry + 1;
  }
  return status;
}

/* ---- The path ----------------------------------------------------------------------------------------- */

/* Shortens a path to a number of points, and sums up its length. */
static void cut(const WmQuery *query, size_t max_points, WmPath *path) {
  const float *points = path->points;
  path->cut = max_points && max_points < path->point_count;
  if (path->cut) path->point_count = max_points;
  path->length = 0;
  for (size_t i = 1; i < path->point_count; i++) {
    if (wm_query_is_gap(query->mesh, path->point_flags[i - 1], path->point_polygons[i - 1])) continue;
    path->length += wm_distance(points + 3 * i - 3, points + 3 * i);
  }
  if (path->state != WM_PATH_COMPLETE)
    path->remaining = wm_distance(points + 3 * (path->point_count - 1), path->end.point);
}

/* Copies what was written to the arrays of paths; finds the portals of the corridor, for smooth paths. */
static WmStatus store(const Writing *writing, size_t max_points, WmPath *path) {
  WmQuery *query = writing->query;
  const size_t count = writing->point_count, polygon_count = writing->polygon_count;
  WmStatus status = wm_query_reserve(query, WM_QUERY_POINTS, WM_QUERY_POINT_POLYGONS, count);
  if (!status) status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, polygon_count);
  if (!status) status = wm_query_reserve(query, WM_QUERY_PORTALS, WM_QUERY_PORTALS, polygon_count);
  if (status) return status;
  float *points = items_of(writing, WM_QUERY_POINTS);
  WmRef *polygons = items_of(writing, WM_QUERY_POLYGONS);
  memcpy(points, items_of(writing, WM_QUERY_WIDE_POINTS), 3 * count * sizeof *points);
  memcpy(items_of(writing, WM_QUERY_POINT_FLAGS), items_of(writing, WM_QUERY_WIDE_POINT_FLAGS), count);
  memcpy(items_of(writing, WM_QUERY_POINT_POLYGONS), items_of(writing, WM_QUERY_WIDE_POINT_POLYGONS),
         count * sizeof(WmRef));
  memcpy(polygons, items_of(writing, WM_QUERY_WIDE_POLYGONS), polygon_count * sizeof *polygons);
  float *portals = items_of(writing, WM_QUERY_PORTALS);
  for (size_t i = 0; i + 1 < polygon_count; i++) {
    const float *portal = wm_query_find_portal(wm_mesh_tile_of(query->mesh, polygons[i]),
                                               wm_ref_polygon(polygons[i]), polygons[i + 1]);
    if (portal) memcpy(portals + 6 * i, portal, 6 * sizeof *portal);
  }
  path->points = points;
  path->point_flags = items_of(writing, WM_QUERY_POINT_FLAGS);
  path->point_polygons = items_of(writing, WM_QUERY_POINT_POLYGONS);
  path->polygons = polygons;
  path->polygon_count = polygon_count;
  path->point_count = count;
  cut(query, max_points, path);
  return WM_OK;
}

WmStatus wm_room_widen_path(WmQuery *query, const WmSearchOptions *options, bool is_cheapest,
                            WmCrossings crossings, size_t max_points, WmPath *path) {
  if (path->point_count == 0 || path->reason == WM_PATH_REASON_BROKEN_CORRIDOR) return WM_OK;
  WmStatus status = wm_query_reserve(query, WM_QUERY_WIDE_ENTRIES, WM_QUERY_WIDE_ENTRIES, path->point_count);
  if (status) return status;
  uint32_t *entries = query->arrays[WM_QUERY_WIDE_ENTRIES].items;
  if (!find_entries(query, path, is_cheapest, entries)) return WM_OK;
  Writing writing = {.query = query,
                     .options = options,
                     .crossings = crossings,
                     .plain = path,
                     .entries = entries,
                     .is_cheapest = is_cheapest};
  status = add_parts(&writing);
  if (is_cheapest) path->cost = writing.cost;
  if (!status) status = store(&writing, max_points, path);
  if (!status) WM_VALIDATE(wm_path_validate_links(query->mesh, path));
  return status;
}

/* ---- The other sides of obstacles --------------------------------------------------------------------- */

/* A path is only replaced if the other line is shorter by this factor, as the search tells; none can be shorter than the plain
 * string. */
#define GAIN 1.025

/* The length of a line on x and z. */
static double measure_on_plane(const float *points, size_t count) {
  double length = 0;
  for (size_t i = 1; i < count; i++)
    length += sqrt((double)wm_squared_distance_on_plane(points + 3 * i - 3, points + 3 * i));
  return length;
}

static bool has_connections(const WmPath *path) {
  uint8_t flags = 0;
  for (size_t i = 0; i < path->point_count; i++) flags |= path->point_flags[i];
  return flags & WM_POINT_OFF_MESH;
}

/* Pulls the plain string through the corridor in WM_QUERY_FORMER, and finds the length of the line that keeps the distance.
 * out        path: the plain one; *length: on x and z; INFINITY: there is no line */
static WmStatus draw_other(WmQuery *query, const WmRoomOther *task, size_t polygon_count, WmPath *path,
                           double *length) {
  const WmSearchOptions *options = task->options;
  const WmRef *polygons = query->arrays[WM_QUERY_FORMER].items;
  const float *from = path->start.point;
  float cost;
  *length = (double)INFINITY;
  WmStatus status = wm_query_measure(query, from, task->to, polygons, polygon_count, options->filter, &cost);
  path->cost = 0;
  if (!status)
    status = wm_query_pull(query, from, task->to, polygons, NULL, polygon_count, WM_CROSSINGS_NONE, 0,
                           options->wall_distance, NULL, path);
  path->cost = cost;
  if (!status)
    status = wm_query_reserve(query, WM_QUERY_WIDE_ENTRIES, WM_QUERY_WIDE_ENTRIES, path->point_count);
  if (status) return status;
  uint32_t *entries = query->arrays[WM_QUERY_WIDE_ENTRIES].items;
  if (path->reason || !find_entries(query, path, false, entries)) return WM_OK;
  const Writing drawing = {.query = query, .options = options, .plain = path, .entries = entries};
  const Part whole = {.last = path->point_count - 1, .last_polygon = (uint32_t)polygon_count - 1};
  WmRoomLine line;
  status = draw_part(&drawing, &whole, &line);
  if (!status && line.point_count > 0) *length = measure_on_plane(line.points, line.point_count);
  return status;
}

/* Replaces the path by that through the corridor in WM_QUERY_FORMER if that costs less: as much as the ground below both
 * strings, for the lengths of both lines. */
static WmStatus choose(WmQuery *query, const WmRoomOther *task, size_t polygon_count, double length,
                       WmPath *path) {
  WmPath other = *path;
  double other_length;
  WmStatus status = draw_other(query, task, polygon_count, &other, &other_length);
  if (status) return status;
  const double first = (double)path->cost / (double)task->plain_length * length;
  if ((double)other.cost / (double)other.length * other_length < first) {
    *path = other;
    return wm_room_widen_path(query, task->options, false, task->crossings, 0, path);
  }
  const Writing kept = {
      .query = query, .point_count = path->point_count, .polygon_count = path->polygon_count};
  return store(&kept, 0, path);
}

WmStatus wm_room_shorten_path(WmQuery *query, const WmRoomOther *task, WmPath *path) {
  WmStatus status = WM_OK;
  const double length = measure_on_plane(path->points, path->point_count);
  /* Where the line couldn't be drawn, the path is the plain one still. */
  const bool is_drawn =
      path->polygons == query->arrays[WM_QUERY_POLYGONS].items && path->state == WM_PATH_COMPLETE;
  if (is_drawn && (double)path->length > GAIN * (double)task->plain_length && !has_connections(path)) {
    const WmRoomSearch search = {.filter = task->options->filter,
                                 .distance = task->options->wall_distance,
                                 .start = path->start.polygon,
                                 .end = task->end,
                                 .from = path->start.point,
                                 .to = task->to,
                                 .most = length / GAIN};
    size_t polygon_count;
    status = wm_room_search(query, &search, &polygon_count);
    if (!status && polygon_count > 0) status = choose(query, task, polygon_count, length, path);
  }
  if (!status && task->max_points) cut(query, task->max_points, path);
  return status;
}
