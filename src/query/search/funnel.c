/* String pulling: a corridor's portals -> the shortest line of points through them.
 *
 * From the apex, the last point that is fixed, left and right hold the narrowest opening so far. A portal
 * that narrows a side moves it; one that crosses over the other side makes that side's point a corner and the
 * new apex, and the walk starts again behind it. Ways onto and off off-mesh connections are portals of no
 * width, so that both ends become points.
 *
 * Sources: M. Mononen, "Simple Stupid Funnel Algorithm", 2010; D. T. Lee, F. P. Preparata, "Euclidean
 * shortest paths in the presence of rectilinear barriers", 1984. Points, flags and polygons are those of
 * Detour, except that an output that just fits is not called cut, and that a corridor which breaks off is
 * pulled tight to its last polygon and ends with WM_POINT_END. */
#include "mesh/locate.h"
#include "query/query_internal.h"

/* Two points this close are one. */
#define SAME_SQUARED ((1.0f / 16384.0f) * (1.0f / 16384.0f))
/* A start on the first portal does not need it, but where an off-mesh connection is entered (Detour's line
 * then passes over the entry). */
#define ON_PORTAL_SQUARED (0.001f * 0.001f)

/* ---- Writing points ----------------------------------------------------------------------------------- */

typedef struct Line {
  WmQuery *query;
  const WmRef *polygons;
  WmCrossings crossings;
  size_t last;  /* the last polygon that can be reached */
  size_t limit; /* of points */
  size_t count;
  float length;
  bool cut, done;
  const float *unit_costs; /* of each polygon; NULL: the cost is not asked for */
  float cost;
} Line;

static void *items_of(const Line *line, WmQueryArray array) { return line->query->arrays[array].items; }

static bool are_same(const float a[3], const float b[3]) {
  const float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return x * x + y * y + z * z < SAME_SQUARED;
}

/* Appends a point, or gives the last one new flags where they are the same. */
static void append(Line *line, const float point[3], uint8_t flags, WmRef polygon) {
  if (line->done) return;
  float *next = (float *)items_of(line, WM_QUERY_POINTS) + 3 * line->count;
  if (line->count == 0 || !are_same(next - 3, point)) {
    line->cut = line->done = line->count == line->limit;
    if (line->cut) return;
    memcpy(next, point, 3 * sizeof(float));
    if (line->count > 0) line->length += wm_distance(next - 3, next);
    line->count++;
  }
  ((uint8_t *)items_of(line, WM_QUERY_POINT_FLAGS))[line->count - 1] = flags;
  ((WmRef *)items_of(line, WM_QUERY_POINT_POLYGONS))[line->count - 1] = polygon;
  line->done = flags == WM_POINT_END;
}

/* Where the lines from `from` to `to` and along a portal cross; *t is along the portal. */
static bool cross_lines(const float from[3], const float to[3], const float *portal, float *t) {
  const float u_x = to[0] - from[0], u_z = to[2] - from[2];
  const float v_x = portal[3] - portal[0], v_z = portal[5] - portal[2];
  const float w_x = from[0] - portal[0], w_z = from[2] - portal[2];
  const float area = u_x * v_z - u_z * v_x;
  if (fabsf(area) < 1e-6f) return false;
  *t = (u_x * w_z - u_z * w_x) / area;
  return true;
}

/* Adds the cost of the way from the last point to `to` through portals [first, end). */
static void add_cost(Line *line, size_t first, size_t end, const float to[3]) {
  float from[3], last[3], point[3];
  memcpy(from, (const float *)items_of(line, WM_QUERY_POINTS) + 3 * (line->count - 1), sizeof from);
  memcpy(last, from, sizeof last);
  const float *portal = (const float *)items_of(line, WM_QUERY_PORTALS) + 6 * first;
  for (size_t k = first; k < end; k++, portal += 6) {
    float t;
    if (!cross_lines(from, to, portal, &t)) wm_distance_to_segment(last, portal, portal + 3, &t);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    wm_interpolate(portal, portal + 3, t, point);
    line->cost += wm_distance(last, point) * line->unit_costs[k];
    memcpy(last, point, sizeof last);
  }
  line->cost += wm_distance(last, to) * line->unit_costs[end];
}

/* Adds the wanted crossings of portals [first, end) on the way from the last point to `to`. */
static void append_crossings(Line *line, size_t first, size_t end, const float to[3]) {
  if (line->unit_costs) add_cost(line, first, end, to);
  if (line->crossings == WM_CROSSINGS_NONE || line->count == 0) return;
  float from[3];
  memcpy(from, (const float *)items_of(line, WM_QUERY_POINTS) + 3 * (line->count - 1), sizeof from);
  const uint8_t *kinds = items_of(line, WM_QUERY_KINDS);
  for (size_t k = first; k < end && !line->done; k++) {
    const int area = kinds[k] & 63, next_area = kinds[k + 1] & 63;
    if (line->crossings == WM_CROSSINGS_AREAS && area == next_area) continue;
    const float *portal = (const float *)items_of(line, WM_QUERY_PORTALS) + 6 * k;
    float t;
    if (!cross_lines(from, to, portal, &t)) continue;
    float point[3];
    wm_interpolate(portal, portal + 3, t, point);
    append(line, point, 0, line->polygons[k + 1]);
  }
}

/* ---- The funnel --------------------------------------------------------------------------------------- */

/* Twice the area of a, b, c on x and z; positive where c is left of the way from a to b. */
static float cross(const float a[3], const float b[3], const float c[3]) {
  return (c[0] - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (c[2] - a[2]);
}

/* One side of the funnel: its point, the portal it is of, and the place in the corridor of the polygon that
 * is entered there; 0 at the start, one after the last at the end. */
typedef struct Side {
  const float *point;
  size_t index, entered;
} Side;

typedef struct Funnel {
  const float *apex;
  size_t apex_index;
  Side sides[2]; /* right, left */
} Funnel;

/* Makes a side's point a corner and starts again from it. Both sides keep their polygons: Detour's rule. */
static void turn(Funnel *funnel, Line *line, const Side *corner) {
  const size_t entered = corner->entered, index = corner->index;
  const float *apex = corner->point;
  append_crossings(line, funnel->apex_index, index, apex);
  if (entered > line->last) {
    append(line, apex, WM_POINT_END, 0);
  } else {
    const uint8_t *kinds = items_of(line, WM_QUERY_KINDS);
    append(line, apex, kinds[entered] & WM_KIND_OFF_MESH ? WM_POINT_OFF_MESH : 0, line->polygons[entered]);
  }
  funnel->apex = funnel->sides[0].point = funnel->sides[1].point = apex;
  funnel->apex_index = funnel->sides[0].index = funnel->sides[1].index = index;
}

/* Takes portal `index` in. Returns false where a corner was made and the walk goes on behind it. */
static bool narrow(Funnel *funnel, Line *line, const float *portal, size_t index) {
  for (int s = 0; s < 2; s++) {
    const float sign = s ? -1.0f : 1.0f;
    const float *point = portal + (s ? 0 : 3);
    Side *side = &funnel->sides[s], *other = &funnel->sides[1 - s];
    if (!(sign * cross(funnel->apex, side->point, point) <= 0.0f)) continue;
    if (!are_same(funnel->apex, side->point) && !(sign * cross(funnel->apex, other->point, point) > 0.0f)) {
      turn(funnel, line, other);
      return false;
    }
    *side = (Side){point, index, index + 1};
  }
  return true;
}

/* An off-mesh connection that begins at the apex makes no corner: the point that is there gets its flag
 * (Detour passes over it). Returns whether there is one. */
static bool enter_connection(Funnel *funnel, Line *line, const float *portal, size_t index) {
  if (!are_same(funnel->apex, portal)) return false;
  append(line, funnel->apex, WM_POINT_OFF_MESH, line->polygons[index + 1]);
  funnel->apex_index = index;
  funnel->sides[0] = funnel->sides[1] = (Side){funnel->apex, index, index + 1};
  return true;
}

static void clamp_to(const WmQuery *query, WmRef polygon, const float point[3], float clamped[3]) {
  wm_tile_closest_point(wm_mesh_tile_of(query->mesh, polygon), wm_ref_polygon(polygon), point, false,
                        clamped);
}

/* Walks the portals; each corner steps back to the portal it is of, which lies behind the last corner's. Only
 * numbers that are not finite could make it lie elsewhere: hence the count of turns. */
static void walk(Line *line, const float start[3], const float end[3]) {
  const size_t last = line->last;
  float final[6]; /* the end as a portal */
  Funnel funnel = {.apex = start, .sides = {{.point = start}, {.point = start}}};
  for (int i = 0; i < 6; i++) final[i] = end[i % 3];
  const uint8_t *kinds = items_of(line, WM_QUERY_KINDS);
  size_t turns = 0;
  for (size_t i = 0; i <= last && turns <= last + 1 && !line->done; i++) {
    const float *portal = i < last ? (const float *)items_of(line, WM_QUERY_PORTALS) + 6 * i : final;
    float t;
    if (i < last && kinds[i + 1] & WM_KIND_OFF_MESH) {
      if (enter_connection(&funnel, line, portal, i)) continue;
    } else if (i == 0 && wm_distance_to_segment(start, portal, portal + 3, &t) < ON_PORTAL_SQUARED) {
      continue;
    }
    if (narrow(&funnel, line, portal, i)) continue;
    i = funnel.apex_index;
    turns++;
  }
  append_crossings(line, funnel.apex_index, last, end);
}

/* ---- Corridors ---------------------------------------------------------------------------------------- */

const float *wm_query_find_portal(const WmMeshTile *tile, uint32_t polygon, WmRef next) {
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = &tile->links[i];
    if (link->polygon == wm_ref_polygon(next) && link->slot == wm_ref_slot(next)) {
      return tile->link_portals + 6 * (size_t)i;
    }
  }
  return NULL;
}

/* Looks up what lies between the polygons, as far as they are linked.
 * out        *last: the polygon from which there is no way on */
static WmStatus resolve(WmQuery *query, const WmRef *polygons, size_t polygon_count, size_t *last) {
  const WmStatus status = wm_query_reserve(query, WM_QUERY_PORTALS, WM_QUERY_KINDS, polygon_count);
  if (status) return status;
  float *portals = query->arrays[WM_QUERY_PORTALS].items;
  uint8_t *kinds = query->arrays[WM_QUERY_KINDS].items;
  const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, polygons[0]);
  for (size_t i = 0;; i++, portals += 6) {
    const uint32_t polygon = wm_ref_polygon(polygons[i]);
    kinds[i] = (uint8_t)(tile->polygon_area[polygon] | (polygon < tile->ground_count ? 0 : WM_KIND_OFF_MESH));
    *last = i;
    if (i + 1 == polygon_count) return WM_OK;
    const bool same = (polygons[i] ^ polygons[i + 1]) >> WM_REF_POLYGON_BITS == 0 &&
                      wm_ref_polygon(polygons[i + 1]) < tile->polygon_count;
    const WmMeshTile *next = same ? tile : wm_mesh_tile_of(query->mesh, polygons[i + 1]);
    const float *portal = next ? wm_query_find_portal(tile, polygon, polygons[i + 1]) : NULL;
    if (!portal) return WM_OK;
    memcpy(portals, portal, 6 * sizeof(float));
    tile = next;
  }
}

/* Pulls the string through polygons 0 to line->last, whose portals are looked up.
 * in         line: query, polygons, last, crossings, unit costs, limit of points, 0 for none */
static WmStatus pull(Line *line, const float start[3], const float end[3]) {
  /* A corner and a crossing for each portal and both ends; numbers that are not finite cut the line short. */
  const size_t most = 2 * line->last + 4;
  if (line->limit == 0 || line->limit > most) line->limit = most;
  const WmStatus status =
      wm_query_reserve(line->query, WM_QUERY_POINTS, WM_QUERY_POINT_POLYGONS, line->limit);
  if (status) return status;
  float from[3], to[3];
  clamp_to(line->query, line->polygons[0], start, from);
  clamp_to(line->query, line->polygons[line->last], end, to);
  append(line, from, WM_POINT_START, line->polygons[0]);
  if (line->last > 0) {
    walk(line, from, to);
  } else if (line->unit_costs) {
    add_cost(line, 0, 0, to);
  }
  append(line, to, WM_POINT_END, 0);
  return WM_OK;
}

WmStatus wm_query_pull(WmQuery *query, const float start[3], const float end[3], const WmRef *polygons,
                       size_t polygon_count, WmCrossings crossings, size_t max_points, WmPath *path) {
  Line line = {.query = query, .polygons = polygons, .crossings = crossings, .limit = max_points};
  WmStatus status = resolve(query, polygons, polygon_count, &line.last);
  if (!status) status = pull(&line, start, end);
  if (status) return status;
  path->cut = line.cut;
  path->length = line.length;
  path->polygons = polygons;
  path->polygon_count = polygon_count;
  path->point_count = line.count;
  path->points = items_of(&line, WM_QUERY_POINTS);
  path->point_flags = items_of(&line, WM_QUERY_POINT_FLAGS);
  path->point_polygons = items_of(&line, WM_QUERY_POINT_POLYGONS);
  if (line.last + 1 < polygon_count) {
    path->state = WM_PATH_PARTIAL;
    path->reason = WM_PATH_REASON_BROKEN_CORRIDOR;
  }
  /* As far as the end of the string; a cut one ends before it. */
  if (path->state != WM_PATH_COMPLETE)
    path->remaining = wm_distance(path->points + 3 * (line.count - 1), end);
  return WM_OK;
}

WmStatus wm_query_measure(WmQuery *query, const float start[3], const float end[3], const WmRef *polygons,
                          size_t polygon_count, const WmFilter *filter, float *cost) {
  Line line = {.query = query, .polygons = polygons};
  WmStatus status = resolve(query, polygons, polygon_count, &line.last);
  if (!status) status = wm_query_reserve(query, WM_QUERY_COSTS, WM_QUERY_COSTS, polygon_count);
  if (status) return status;
  float *costs = query->arrays[WM_QUERY_COSTS].items;
  line.unit_costs = costs;
  for (size_t i = 0; i <= line.last; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, polygons[i]);
    costs[i] = wm_filter_unit_cost(filter, tile, wm_ref_polygon(polygons[i]));
  }
  status = pull(&line, start, end);
  *cost = line.cost;
  return status;
}

WmStatus wm_query_straighten(WmQuery *query, const float start[3], const float end[3], const WmRef *corridor,
                             size_t polygon_count, WmCrossings crossings, size_t max_points, WmPath *path) {
  *path = (WmPath){0};
  if (polygon_count == 0) {
    return wm_fail(query->context, WM_ERROR_INVALID_ARGUMENT, "corridor", "the corridor is empty");
  }
  WmStatus status = wm_query_check_position(query->context, start, "start");
  if (!status) status = wm_query_check_position(query->context, end, "end");
  if (!status) status = wm_mesh_check_ref(query->context, query->mesh, corridor[0], "corridor");
  if (status) return status;
  path->state = WM_PATH_COMPLETE;
  status = wm_query_pull(query, start, end, corridor, polygon_count, crossings, max_points, path);
  if (status) *path = (WmPath){0};
  return status;
}
