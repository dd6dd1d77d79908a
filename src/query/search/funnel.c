/* String pulling: the portals of a corridor -> the shortest line of points through them, by the funnel of
 * funnel.h. Links onto and off off-mesh connections are portals of no width, so that both ends become points.
 *
 * Segment links are passed as if there were no gap: the portals behind a link are laid against its near side by the link's
 * motion, and the string is pulled in that unfolded plane. Its points come back in true coordinates; where it passes a link,
 * straight or at a corner, one on each side is added.
 *
 * Points, flags and polygons are those of Detour (M. Mononen, 2009-), except that an output that just fits
 * isn't called cut, and that a corridor which breaks off is pulled to its last polygon and ends with
 * WM_POINT_END. */
#include "base/debug/assert.h"
#include "mesh/locate.h"
#include "query/cheapest/cheapest_line.h"
#include "query/search/funnel.h"

/* Points closer than this are one point. */
#define SAME (1.0f / 16384.0f)
#define SAME_SQUARED (SAME * SAME)
/* In the funnel of an exact shortest line, only equal points are: a point just beside an end of a portal still turns there. So they are in
 * that of a line with crossings, which must pass points that are portals. */
#define EQUAL_SQUARED 1e-20f
/* A start on the first portal doesn't need it, unless it enters an off-mesh connection (Detour's line then
 * skips the entry). */
#define ON_PORTAL_SQUARED (0.001f * 0.001f)

/* ---- Writing points ----------------------------------------------------------------------------------- */

typedef struct Line {
  WmQuery *query;
  const WmRef *polygons;
  WmCrossings crossings;
  size_t last;  /* index of the last polygon that is linked */
  size_t limit; /* of points */
  float inset;  /* distance from the ends of segment links that the line keeps where they are wide enough */
  size_t count;
  float length;
  /* Of an exact shortest line, on x and z in the unfolded plane; points that are left out as they are near others count. */
  float flat;
  float at[3]; /* the last point, in the unfolded plane */
  bool cut, done;
  bool is_shortest; /* the line of an exact shortest corridor: an end on the last portal doesn't need it */
  bool is_careful;  /* portals on one line with the last corner are passed at their nearer end */
  bool meets_flat;  /* there was such a portal */
  bool has_turns;   /* the search knows the corners */
  /* It passes segment links, and the search knows its length: then crossings that lie beside it do so by rounding. Else they can show that
   * it leads beside ground. */
  bool is_straight;
  WmCrossedLine
      *crossed; /* portals between two costs are crossed where the line costs least; NULL: it is a string */
  const float *unit_costs; /* of each polygon; NULL: the cost isn't wanted */
  size_t cost_step;        /* from one to the next: 1; 0: all are the first */
  float cost;
  size_t fold_count, fold; /* of all segment links, the next that the line passes */
  bool is_over_link;       /* the last point is where the line enters it */
  float across;            /* then, the position of that point on the portal, 0 (left) to 1 */
} Line;

static void *items_of(const Line *line, WmQueryArray array) { return line->query->arrays[array].items; }

/* The portals in the plane in which the string is pulled. */
static const float *portals_of(const Line *line) {
  return items_of(line, line->fold_count ? WM_QUERY_UNFOLDED : WM_QUERY_PORTALS);
}

/* The same portals in true coordinates. */
static const float *true_portals_of(const Line *line) {
  return items_of(line, line->fold_count ? WM_QUERY_FOLDED : WM_QUERY_PORTALS);
}

static bool are_same(const float a[3], const float b[3]) { return wm_squared_distance(a, b) < SAME_SQUARED; }

/* Moves the end of the line in the unfolded plane, where the sides of a segment link are at one place. */
WM_INLINE void move_end(Line *line, const float at[3]) {
  const float x = at[0] - line->at[0], z = at[2] - line->at[2];
  if (line->is_shortest && line->count > 0) line->flat += sqrtf(x * x + z * z);
  memcpy(line->at, at, 3 * sizeof(float));
}

/* Appends a point; or sets the flags of the last point if it is the same.
 * in         at: the point in the unfolded plane */
static void append(Line *line, const float point[3], const float at[3], uint8_t flags, WmRef polygon) {
  if (line->done) return;
  float *next = (float *)items_of(line, WM_QUERY_POINTS) + 3 * line->count;
  if (line->count == 0 || line->is_over_link || !are_same(next - 3, point)) {
    line->cut = line->done = line->count == line->limit;
    if (line->cut) return;
    memcpy(next, point, 3 * sizeof(float));
    move_end(line, at);
    if (line->count > 0 && !line->is_over_link) line->length += wm_distance(next - 3, next);
    line->count++;
  } else if (line->is_shortest) { /* the line goes on from here, else it would cost the way back, too */
    move_end(line, at);
  }
  ((uint8_t *)items_of(line, WM_QUERY_POINT_FLAGS))[line->count - 1] = flags;
  ((WmRef *)items_of(line, WM_QUERY_POINT_POLYGONS))[line->count - 1] = polygon;
  line->done = flags == WM_POINT_END;
}

/* Crosses the line from `from` to `to` with that of a portal.
 * in         least: the area between their directions
 * out        *t: the fraction along the portal
 * returns    false: the area is less, or they are parallel */
WM_INLINE bool cross_wide(const float from[3], const float to[3], const float *portal, float least,
                          float *t) {
  const float u_x = to[0] - from[0], u_z = to[2] - from[2];
  const float v_x = portal[3] - portal[0], v_z = portal[5] - portal[2];
  const float w_x = from[0] - portal[0], w_z = from[2] - portal[2];
  const float area = u_x * v_z - u_z * v_x;
  if (fabsf(area) < least || fabsf(area) < 1e-6f) return false;
  *t = (u_x * w_z - u_z * w_x) / area;
  return true;
}

WM_INLINE bool cross_lines(const float from[3], const float to[3], const float *portal, float *t) {
  return cross_wide(from, to, portal, 0, t);
}

/* The cost of a part of the line in polygon `index`; that of a segment link is added where the line leaves it. */
WM_INLINE float cost_in(const Line *line, const uint8_t *kinds, size_t index, const float from[3],
                        const float to[3]) {
  if (kinds[index] & WM_KIND_SEGMENT_LINK) return 0;
  return wm_distance(from, to) * line->unit_costs[index * line->cost_step];
}

/* A portal is nearly on one line with another line if the sine of their angle is less than about this. */
#define NEARLY_FLAT 0.01f

/* How far behind or beyond the line a portal's crossing may seem to lie by rounding, world units. */
#define AHEAD_DISTANCE 1e-3f

/* A line that leads over a point beside it may be longer than the straight one by this, relative to it. */
#define BESIDE 1e-5f

/* True if a point lies on the line between two others on x and z, up to rounding. */
static bool is_between(const float last[3], const float point[3], const float to[3]) {
  const float x = point[0] - last[0], z = point[2] - last[2], next_x = to[0] - point[0],
              next_z = to[2] - point[2];
  const float line_x = to[0] - last[0], line_z = to[2] - last[2];
  const float length = sqrtf(line_x * line_x + line_z * line_z);
  return sqrtf(x * x + z * z) + sqrtf(next_x * next_x + next_z * next_z) <= length + BESIDE * (1 + length);
}

/* How far from `last` the line from `from` to `to` may pass a portal, times the line's length: not beyond where it crosses any of the
 * portals behind that one, nor beyond the farther end of one that is nearly on one line with it.
 * in         behind: their number; most: the result if there are none */
static float limit_reach(const float from[3], const float to[3], const float *portal, size_t behind,
                         const float last[3], float most) {
  const float x = to[0] - from[0], z = to[2] - from[2], least = NEARLY_FLAT * (fabsf(x) + fabsf(z));
  for (size_t k = 0; k < behind; k++) {
    portal += 6;
    const float left = (portal[0] - last[0]) * x + (portal[2] - last[2]) * z;
    const float right = (portal[3] - last[0]) * x + (portal[5] - last[2]) * z;
    const float width = fabsf(portal[3] - portal[0]) + fabsf(portal[5] - portal[2]);
    float t;
    const bool is_crossed = cross_wide(from, to, portal, least * width, &t);
    most = fminf(most, is_crossed ? left + (right - left) * wm_clamp_unit(t) : fmaxf(left, right));
  }
  return fmaxf(most, 0);
}

/* Finds where the line from `from` to `to` crosses a portal that is nearly on one line with it: by rounding, their crossing can be
 * anywhere. It is limited to the way from `last` to `to`; of an exact shortest line, to where the line passes the portals behind it. If it
 * is far from there, the point of the portal nearest to `last` is the result, if that is on the way.
 * in         behind: the number of portals that the line passes after this one; 0: it doesn't matter
 * out        *t */
static WM_NOINLINE void cross_nearly_flat(const float from[3], const float to[3], const float *portal,
                                          size_t behind, const float last[3], float *t) {
  const float x = to[0] - from[0], z = to[2] - from[2], slack = AHEAD_DISTANCE * (fabsf(x) + fabsf(z));
  /* Positions along the line from `last`: of the portal's ends, and of `to`. */
  const float left = (portal[0] - last[0]) * x + (portal[2] - last[2]) * z;
  const float right = (portal[3] - last[0]) * x + (portal[5] - last[2]) * z;
  float most = (to[0] - last[0]) * x + (to[2] - last[2]) * z;
  if (behind > 0) most = limit_reach(from, to, portal, behind, last, most);
  float nearest, crossing, point[3];
  wm_distance_to_segment(last, portal, portal + 3, &nearest);
  *t = nearest;
  if (left == right || !cross_lines(from, to, portal, &crossing)) return;
  const float at = left + (right - left) * wm_clamp_unit(crossing);
  if (at < -slack || at > most + slack) {
    wm_interpolate(portal, portal + 3, nearest, point);
    if (is_between(last, point, to)) return;
  }
  *t = at < 0 || at > most ? ((at < 0 ? 0 : most) - left) / (right - left) : crossing;
}

/* A portal is crossed at a right angle, nearly enough for the crossing to be exact, if the sine of their angle is more than about this. */
#define ACROSS 0.3f

/* True if a portal that isn't crossed at a right angle seems to be crossed before `last` or behind `to`: an exact shortest line can begin
 * or end just beside a portal, or pass its end just beside it.
 * in         t: along the portal */
static bool is_off_line(const float from[3], const float to[3], const float *portal, const float last[3],
                        float t) {
  const float x = to[0] - from[0], z = to[2] - from[2];
  const float width_x = portal[3] - portal[0], width_z = portal[5] - portal[2];
  const float along = wm_clamp_unit(t), at_x = portal[0] + width_x * along,
              at_z = portal[2] + width_z * along;
  return (at_x - last[0]) * x + (at_z - last[2]) * z < 0 || (at_x - to[0]) * x + (at_z - to[2]) * z > 0;
}

/* Finds where the line from `from` to `to` crosses a portal at a small angle.
 * in         behind: as cross_nearly_flat, of an exact shortest line; else -1
 * out        *t */
static WM_NOINLINE void cross_askew(const float from[3], const float to[3], const float *portal,
                                    ptrdiff_t behind, const float last[3], float *t) {
  const float least = NEARLY_FLAT * (fabsf(to[0] - from[0]) + fabsf(to[2] - from[2]));
  const float width = fabsf(portal[3] - portal[0]) + fabsf(portal[5] - portal[2]);
  if (!cross_wide(from, to, portal, least * width, t) ||
      (behind >= 0 && is_off_line(from, to, portal, last, *t)))
    cross_nearly_flat(from, to, portal, behind > 0 ? (size_t)behind : 0, last, t);
}

/* Moves the crossing of a portal that lies beside the line, or before the crossing before it, onto the line: else the line would lead, or
 * cost, the way there and back, too. It keeps its height, but before the last crossing.
 * in         last: the crossing before it, on the line; is_exit: of a segment link, whose height differs from that of the entry
 * in/out     point: the crossing
 * returns    true: it was moved */
static bool lay_on_line(const float last[3], const float to[3], bool is_exit, float point[3]) {
  if (is_between(last, point, to)) return false;
  float t;
  const float height = point[1];
  wm_distance_to_segment(point, last, to, &t);
  wm_interpolate(last, to, t, point);
  if (t > 0 || is_exit) point[1] = height;
  return true;
}

/* Adds the cost of the line from the last point to `to` through portals [first, end). */
static void add_cost(Line *line, size_t first, size_t end, const float to[3]) {
  float from[3], last[3];
  memcpy(from, line->at, sizeof from);
  memcpy(last, from, sizeof last);
  const float x = to[0] - from[0], z = to[2] - from[2], across = ACROSS * (fabsf(x) + fabsf(z));
  const float *portal = portals_of(line) + 6 * first;
  const uint8_t *kinds = items_of(line, WM_QUERY_KINDS);
  float cost =
      line->cost; /* a copy: the compiler must assume that writing to the line changes what it points to */
  for (size_t k = first; k < end; k++, portal += 6) {
    const float width[3] = {portal[3] - portal[0], portal[4] - portal[1], portal[5] - portal[2]};
    const float area = x * width[2] - z * width[0], size = fabsf(area);
    float t = (x * (from[2] - portal[2]) - z * (from[0] - portal[0])) / area;
    if (!(size > across * (fabsf(width[0]) + fabsf(width[2]))) || size < 1e-6f)
      cross_askew(from, to, portal, line->is_shortest ? (ptrdiff_t)(end - k - 1) : -1, last, &t);
    t = wm_clamp_unit(t);
    float point[3] = {portal[0] + width[0] * t, portal[1] + width[1] * t, portal[2] + width[2] * t};
    if (line->is_straight) lay_on_line(last, to, kinds[k] & WM_KIND_SEGMENT_LINK, point);
    cost += cost_in(line, kinds, k, last, point);
    memcpy(last, point, sizeof last);
  }
  line->cost = cost + cost_in(line, kinds, end, last, to);
}

/* Appends the wanted crossings of portals [first, end) on the line from `from` to `to`. */
static void append_wanted(Line *line, size_t first, size_t end, const float from[3], const float to[3]) {
  if (line->crossings == WM_CROSSINGS_NONE || line->count == 0) return;
  const uint8_t *kinds = items_of(line, WM_QUERY_KINDS);
  for (size_t k = first; k < end && !line->done; k++) {
    const int area = kinds[k] & 63, next_area = kinds[k + 1] & 63;
    if (line->crossings == WM_CROSSINGS_AREAS && area == next_area) continue;
    const float *portal = portals_of(line) + 6 * k, *true_portal = true_portals_of(line) + 6 * k;
    float t = 0;
    if (!cross_lines(from, to, portal, &t) && !(line->crossed && wm_is_same_point(portal, portal + 3)))
      continue;
    float point[3], at[3];
    wm_interpolate(true_portal, true_portal + 3, t, point);
    wm_interpolate(portal, portal + 3, t, at);
    append(line, point, at, 0, line->polygons[k + 1]);
  }
}

/* ---- Segment links ------------------------------------------------------------------------------------ */

static const WmFold *next_fold(const Line *line) {
  return line->fold < line->fold_count ? (const WmFold *)items_of(line, WM_QUERY_FOLDS) + line->fold : NULL;
}

/* Notes that a point was appended at the entry of the next segment link, at position `t` of the portal. */
static void enter_link(Line *line, float t) {
  line->is_over_link = true;
  line->across = t;
}

/* Appends the point where the line leaves a segment link, opposite to where it entered it. */
static void leave_link(Line *line, const WmFold *fold) {
  const float *portal = portals_of(line) + 6 * fold->index,
              *true_portal = true_portals_of(line) + 6 * fold->index;
  float point[3], at[3];
  wm_interpolate(true_portal, true_portal + 3, line->across, point);
  wm_interpolate(portal, portal + 3, line->across, at);
  append(line, point, at, 0, line->polygons[fold->index + 1]);
  line->is_over_link = false;
  line->fold++;
  if (!line->unit_costs) return;
  line->cost += fold->crossing.link->cost * line->unit_costs[fold->index * line->cost_step];
}

/* Appends the point where the line from `from` to `to` passes the entry of the segment link behind portal `index`. */
static void append_entry(Line *line, size_t index, const float from[3], const float to[3]) {
  const float *portal = portals_of(line) + 6 * index, *true_portal = true_portals_of(line) + 6 * index;
  float t, point[3], at[3];
  if (!cross_lines(from, to, portal, &t)) wm_distance_to_segment(line->at, portal, portal + 3, &t);
  t = wm_clamp_unit(t);
  wm_interpolate(portal, portal + 3, t, at);
  if (line->is_straight && lay_on_line(line->at, to, true, at)) {
    wm_distance_to_segment(at, portal, portal + 3, &t);
    wm_interpolate(portal, portal + 3, t, at);
  }
  wm_interpolate(true_portal, true_portal + 3, t, point);
  append(line, point, at, WM_POINT_OFF_MESH, line->polygons[index + 1]);
  enter_link(line, t);
}

/* Appends the points in front of portal `end` on the line from the last point to `to`: both ends of each segment link, and the
 * wanted crossings. */
static void append_crossings(Line *line, size_t first, size_t end, const float to[3]) {
  if (line->unit_costs) add_cost(line, first, end, to);
  float from[3];
  memcpy(from, line->at, sizeof from);
  for (const WmFold *fold; (fold = next_fold(line)) != NULL && !line->done; first = fold->index + 1) {
    const size_t entry = fold->index - 1;
    if (!line->is_over_link) {
      if (entry >= end) break;
      append_wanted(line, first, entry, from, to);
      append_entry(line, entry, from, to);
    }
    leave_link(line, fold);
  }
  append_wanted(line, first, end, from, to);
}

/* ---- Following the portals ---------------------------------------------------------------------------- */

/* True if the funnel's apex is the left end of its portal, else it is the right one. */
static bool is_left(const Line *line, const WmFunnel *funnel) {
  return wm_is_same_point(portals_of(line) + 6 * funnel->apex.portal, funnel->apex.point);
}

/* The point of the funnel's apex, which is an end of its portal. */
static const float *true_apex(const Line *line, const WmFunnel *funnel) {
  if (line->fold_count == 0) return funnel->apex.point;
  return true_portals_of(line) + 6 * funnel->apex.portal + (is_left(line, funnel) ? 0 : 3);
}

/* True if the portal in front of polygon `index` + 1 is the entry of an off-mesh connection. */
WM_INLINE bool is_entry(const Line *line, size_t index) {
  const uint8_t *kinds = items_of(line, WM_QUERY_KINDS);
  return (kinds[index + 1] & (WM_KIND_OFF_MESH | WM_KIND_SEGMENT_LINK)) == WM_KIND_OFF_MESH;
}

/* Appends the corner that the funnel's apex has become, after the crossings in front of it. The polygon of a
 * corner is the one behind its portal; behind the last polygon is the end.
 * in         from: the portal of the apex before; end: in the true plane */
static void append_corner(Line *line, const WmFunnel *funnel, size_t from, const float end[3]) {
  const size_t entered = funnel->apex.portal + 1;
  append_crossings(line, from, funnel->apex.portal, funnel->apex.point);
  if (entered > line->last) {
    append(line, line->fold_count ? end : funnel->apex.point, funnel->apex.point, WM_POINT_END, 0);
    return;
  }
  const WmFold *fold = next_fold(line);
  const bool is_fold =
      fold && fold->index == entered; /* a path that ends on a segment link doesn't cross it */
  const uint8_t flags = is_fold || is_entry(line, entered - 1) ? WM_POINT_OFF_MESH : 0;
  append(line, true_apex(line, funnel), funnel->apex.point, flags, line->polygons[entered]);
  if (is_fold) enter_link(line, is_left(line, funnel) ? 0 : 1);
}

/* True where an off-mesh connection begins at the apex. It makes no corner: the point that is the apex gets
 * its flag (Detour ignores it). Not so if the line has been over another connection and back since. */
static bool enter_connection(WmFunnel *funnel, Line *line, const float *portal, size_t index) {
  const float *apex = funnel->apex.point, *left = funnel->sides[WM_FUNNEL_LEFT].point;
  if (!are_same(apex, portal) ||
      (wm_is_same_point(left, funnel->sides[WM_FUNNEL_RIGHT].point) && !are_same(apex, left)))
    return false;
  const WmFold *fold = next_fold(line);
  if (fold && fold->index <= index) append_crossings(line, funnel->apex.portal, index, portal);
  const float *point = (const float *)items_of(line, WM_QUERY_PORTALS) + 6 * index;
  append(line, line->fold_count ? point : funnel->apex.point, funnel->apex.point, WM_POINT_OFF_MESH,
         line->polygons[index + 1]);
  funnel->apex.portal = index;
  wm_funnel_restart(funnel, funnel->apex);
  return true;
}

static void clamp_to(const WmQuery *query, WmRef polygon, const float point[3], float clamped[3]) {
  wm_tile_closest_point(wm_mesh_tile_of(query->mesh, polygon), wm_ref_polygon(polygon), point, false,
                        clamped);
}

/* True if a point lies on a portal. */
static bool is_on(const float *portal, const float point[3]) {
  float t;
  return wm_distance_to_segment(point, portal, portal + 3, &t) < ON_PORTAL_SQUARED;
}

/* Points nearer to a portal than this, relative to their coordinates, lie on it. */
#define FLAT 2e-7f

/* True if a point lies on a portal up to rounding: a little beside its end there can be a wall. */
static bool is_just_on(const float *portal, const float point[3]) {
  const float near = FLAT * (1 + fabsf(point[0]) + fabsf(point[2]));
  float t;
  return wm_distance_to_segment(point, portal, portal + 3, &t) <= near * near;
}

/* True if the end of an exact shortest line lies on the last portal, which isn't needed then: seen from a corner on its line,
 * its far end would seem to be a corner. */
static bool ends_on(const Line *line, const float *portal, const float end[3], size_t index) {
  const uint8_t *kinds = items_of(line, WM_QUERY_KINDS);
  return line->is_shortest && index + 1 == line->last && !(kinds[line->last] & WM_KIND_OFF_MESH) &&
         is_just_on(portal, end);
}

/* True where the funnel needs no portal `index`: the start or the end lies on it, or it is the exit of a segment link, which lies on its
 * entry. */
static bool is_left_out(const Line *line, const float start[3], const float end[3], const float *portal,
                        size_t index) {
  const uint8_t *kinds = items_of(line, WM_QUERY_KINDS);
  if (index > 0 && (kinds[index] & WM_KIND_SEGMENT_LINK)) return true;
  if (index == 0 && (line->is_shortest ? is_just_on(portal, start) : is_on(portal, start))) return true;
  return ends_on(line, portal, end, index);
}

/* Passes the entry of a connection. The line passes it in any case: at a border of tiles, a corner before it can lie behind a portal by
 * rounding, so that the entry seems to lie outside of both sides. Then it is the next corner.
 * returns    true: passed at the apex or inside; false: funnel->apex is a new corner */
static bool pass_entry(WmFunnel *funnel, Line *line, const float *portal, size_t index) {
  if (enter_connection(funnel, line, portal, index)) return true;
  if (!wm_funnel_pass(funnel, portal, portal, index)) return false;
  for (int s = 0; s < 2; s++) {
    const WmFunnelPoint *side = &funnel->sides[s];
    if (side->portal == index || wm_squared_distance(funnel->apex.point, side->point) < funnel->same_squared)
      return true;
  }
  wm_funnel_restart(funnel, (WmFunnelPoint){{portal[0], portal[1], portal[2]}, index});
  return false;
}

/* True if a portal is on one line with the apex: the funnel would take either end for a corner. Ends of portals at borders of tiles
 * are rounded to steps of an edge, so that the apex can lie a little behind the portal. */
WM_INLINE bool is_flat(const float *apex, const float *portal) {
  const float turn = wm_find_turn(apex, portal, portal + 3);
  if (turn > 1) return false;
  const float x = portal[3] - portal[0], z = portal[5] - portal[2];
  if (turn < (x * x + z * z) * (-1.0f / 255)) return false;
  const float sum = fabsf(portal[0] - apex[0]) + fabsf(portal[2] - apex[2]) + fabsf(portal[3] - apex[0]) +
                    fabsf(portal[5] - apex[2]);
  return turn <= FLAT * (1 + fabsf(apex[0]) + fabsf(apex[2])) * sum;
}

/* Passes such a portal at the apex, or at its nearer end, which becomes a corner.
 * returns    true: passed at the apex; false: funnel->apex is a new corner */
static WM_NOINLINE bool pass_flat(WmFunnel *funnel, const float *portal, size_t index) {
  const float *apex = funnel->apex.point;
  const float left_x = portal[0] - apex[0], left_z = portal[2] - apex[2];
  const float right_x = portal[3] - apex[0], right_z = portal[5] - apex[2];
  const bool is_at_apex = left_x * right_x + left_z * right_z <= 0 && is_on(portal, apex);
  if (!is_at_apex) {
    const float left_squared = left_x * left_x + left_z * left_z,
                right_squared = right_x * right_x + right_z * right_z;
    const float *nearer = left_squared < right_squared ? portal : portal + 3;
    if (!wm_funnel_pass(funnel, nearer, nearer, index)) return false;
    funnel->apex = (WmFunnelPoint){{nearer[0], nearer[1], nearer[2]}, index};
  }
  wm_funnel_restart(funnel, funnel->apex); /* no portal before this one limits the line behind it */
  return is_at_apex;
}

/* True if a portal lies behind the apex: each of its ends lies outside of the other's side. So does a segment link's entry just in front of
 * the portal before it, and a start between the two. */
static bool is_behind(const WmFunnel *funnel, const float *portal) {
  const float *apex = funnel->apex.point;
  return wm_find_turn(apex, funnel->sides[WM_FUNNEL_LEFT].point, portal + 3) < 0 &&
         wm_find_turn(apex, funnel->sides[WM_FUNNEL_RIGHT].point, portal) > 0;
}

/* Passes such a portal: the nearer side becomes a corner. */
static void turn_back(WmFunnel *funnel) {
  const WmFunnelPoint *left = &funnel->sides[WM_FUNNEL_LEFT], *right = &funnel->sides[WM_FUNNEL_RIGHT];
  const float *apex = funnel->apex.point;
  const bool is_left = wm_squared_distance(apex, left->point) < wm_squared_distance(apex, right->point);
  wm_funnel_restart(funnel, is_left ? *left : *right);
}

/* Passes a portal between two polygons.
 * returns    false: funnel->apex is a new corner */
WM_INLINE bool pass_portal(WmFunnel *funnel, Line *line, const float *portal, size_t index) {
  if (line->is_shortest && is_flat(funnel->apex.point, portal)) {
    line->meets_flat = true;
    if (line->is_careful) return pass_flat(funnel, portal, index);
  }
  if (line->is_careful && is_behind(funnel, portal)) {
    turn_back(funnel);
    return false;
  }
  return wm_funnel_pass(funnel, portal, portal + 3, index);
}

/* Follows all portals. Each corner lies behind the one before; only numbers that aren't finite could make it
 * lie elsewhere: hence the limit of corners. */
static void follow(Line *line, const float start[3], const float end[3], const float true_end[3]) {
  const size_t last = line->last;
  WmFunnel funnel;
  wm_funnel_begin(&funnel, start, line->is_shortest || line->crossed ? EQUAL_SQUARED : SAME_SQUARED);
  size_t corners = 0;
  for (size_t i = 0; i <= last && corners <= last + 1 && !line->done; i++) {
    const float *portal = portals_of(line) + 6 * i;
    const size_t before = funnel.apex.portal;
    if (i == last) {
      if (wm_funnel_pass(&funnel, end, end, i)) continue;
    } else {
      const bool is_passed = is_entry(line, i) ? pass_entry(&funnel, line, portal, i)
                                               : is_left_out(line, start, end, portal, i) ||
                                                     pass_portal(&funnel, line, portal, i);
      if (is_passed) continue;
    }
    append_corner(line, &funnel, before, true_end);
    i = funnel.apex.portal;
    corners++;
  }
  append_crossings(line, funnel.apex.portal, last, end);
}

/* The last portal with a corner that the funnel would still take for it: the line turns behind it.
 * in         before: the corner before it; turn: as in WM_QUERY_TURNS, of the first such portal */
static size_t find_last_at(const Line *line, const float before[3], uint32_t turn) {
  const uint32_t side = turn & 1;
  size_t index = turn / 2;
  const float *portal = portals_of(line) + 6 * index, *at = portal + 3 * side;
  for (; index + 1 < line->last; index++) {
    const float *next = portals_of(line) + 6 * (index + 1);
    if (!wm_is_same_point(at, next + 3 * side)) break;
    const float area = wm_find_turn(before, at, next + 3 * (1 - side));
    if (side ? area < 0 : area > 0) continue;
    return index + side;
  }
  return index;
}

/* A corner as in WM_QUERY_TURNS, but in the unfolded plane: where that is mirrored, the left end is the right one. */
static uint32_t unfold_turn(const Line *line, uint32_t turn) {
  const float *end = (const float *)items_of(line, WM_QUERY_PORTALS) + 3 * (size_t)turn;
  const float *left = true_portals_of(line) + 6 * (size_t)(turn / 2);
  return line->fold_count ? turn / 2 * 2 + !wm_is_same_point(end, left) : turn;
}

/* Follows the corners that the search has found.
 * in         end, true_end: as follow */
static void follow_turns(Line *line, const float start[3], const float end[3], const float true_end[3]) {
  const uint32_t *turns = items_of(line, WM_QUERY_TURNS), count = *turns++ & ~WM_LATE_TURNS;
  WmFunnel funnel;
  wm_funnel_begin(&funnel, start, 0);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t turn = unfold_turn(line, turns[i]);
    const size_t before = funnel.apex.portal, portal = find_last_at(line, funnel.apex.point, turn);
    memcpy(funnel.apex.point, portals_of(line) + 3 * (size_t)turn, sizeof funnel.apex.point);
    funnel.apex.portal = portal;
    append_corner(line, &funnel, before, true_end);
  }
  append_crossings(line, funnel.apex.portal, line->last, end);
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

static uint8_t find_kind(const WmMeshTile *tile, uint32_t polygon) {
  const uint8_t area = tile->polygon_area[polygon];
  if (tile->segments) return area | WM_KIND_OFF_MESH | WM_KIND_SEGMENT_LINK;
  return (uint8_t)(area | (polygon < tile->ground_count ? 0 : WM_KIND_OFF_MESH));
}

/* Finds the crossing of the segment link with an index in the corridor.
 * in         link: what WM_QUERY_LINKS knows of it
 * returns    false: it can't be crossed between its neighbours */
static bool find_crossing(const Line *line, size_t index, uint32_t link, WmLinkCrossing *crossing) {
  const WmMesh *mesh = line->query->mesh;
  const WmRef *at = line->polygons + index;
  if (link == WM_NO_LINK) return wm_mesh_find_crossing(mesh, at[-1], at[0], at[1], crossing);
  return wm_mesh_find_crossing_from(mesh, (link - WM_FIRST_FOLD) % 2, at[-1], at[0], at[1], crossing);
}

/* Limits a crossing to the part that keeps a distance from the link's ends; its middle, or the end of where it can be crossed
 * that is nearest to it, if it is too narrow. */
static void inset_crossing(WmLinkCrossing *crossing, float inset) {
  const float margin = fminf(inset / wm_segment_link_width(crossing->link), 0.5f);
  const float low = fminf(fmaxf(crossing->low, margin), crossing->high);
  crossing->high = fmaxf(fminf(crossing->high, 1 - margin), low);
  crossing->low = low;
}

/* Adds the crossing of the segment link with an index in the corridor; sets both of its portals, its kind and line->last.
 * Where the link can't be crossed between its neighbours, line->last stays.
 * in         links: as resolve */
static WmStatus add_fold(Line *line, size_t index, const uint32_t *links) {
  WmQuery *query = line->query;
  WmLinkCrossing crossing;
  const WmRef link = line->polygons[index];
  const uint32_t known = links && links[index - 1] >= WM_FIRST_FOLD ? links[index - 1] : WM_NO_LINK;
  if (!find_crossing(line, index, known, &crossing)) return WM_OK;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_FOLDS, WM_QUERY_FOLDS, line->fold_count + 1);
  if (status) return status;
  WmFold *fold = (WmFold *)items_of(line, WM_QUERY_FOLDS) + line->fold_count++;
  *fold =
      (WmFold){.index = index, .way = known == WM_NO_LINK ? WM_FOLD_UNKNOWN : (known - WM_FIRST_FOLD) / 2};
  float *entry = (float *)items_of(line, WM_QUERY_PORTALS) + 6 * (index - 1);
  wm_link_crossing_portal(&crossing, 0, entry);
  if (fold->way == WM_FOLD_AT_POINT) memcpy(&fold->t, &links[index], sizeof fold->t);
  if (line->inset > 0) {
    float at[3];
    wm_interpolate(entry, entry + 3, fold->t, at);
    inset_crossing(&crossing, line->inset);
    wm_link_crossing_portal(&crossing, 0, entry);
    wm_distance_to_segment(at, entry, entry + 3, &fold->t);
  }
  wm_link_crossing_portal(&crossing, 1, entry + 6);
  fold->crossing = crossing;
  ((uint8_t *)items_of(line, WM_QUERY_KINDS))[index] =
      find_kind(wm_mesh_tile_of(query->mesh, link), wm_ref_polygon(link));
  line->last = index;
  return WM_OK;
}

/* True if the path seems to come from the front of a fold's entry (side 0), or to go on behind its exit (1): where most of the
 * portal before it, or after it, lies there, or the path's end.
 * in         start, end: of the path */
static bool is_turned_by_portals(const Line *line, const WmFold *fold, uint32_t side, const float start[3],
                                 const float end[3]) {
  const float *portals = items_of(line, WM_QUERY_PORTALS);
  const bool is_end = side ? fold->index + 1 == line->last : fold->index == 1;
  const float *portal =
      is_end ? (side ? end : start) : portals + 6 * (side ? fold->index + 1 : fold->index - 2);
  const float in_front = wm_link_crossing_find_side(&fold->crossing, side, portal) +
                         wm_link_crossing_find_side(&fold->crossing, side, is_end ? portal : portal + 3);
  return side ? in_front < 0 : in_front > 0;
}

/* Finds the ways that aren't known. */
static void find_ways(Line *line, const float start[3], const float end[3]) {
  WmFold *folds = items_of(line, WM_QUERY_FOLDS);
  for (size_t k = 0; k < line->fold_count; k++) {
    if (folds[k].way != WM_FOLD_UNKNOWN) continue;
    folds[k].way = WM_FOLD_STRAIGHT;
    if (is_turned_by_portals(line, &folds[k], 0, start, end)) folds[k].way |= WM_FOLD_COMES_TURNED;
    if (is_turned_by_portals(line, &folds[k], 1, start, end)) folds[k].way |= WM_FOLD_LEAVES_TURNED;
  }
}

/* Limits a portal to a point. */
static void narrow_portal(float *portal, const float point[3]) {
  memcpy(portal, point, 3 * sizeof *portal);
  memcpy(portal + 3, point, 3 * sizeof *portal);
}

/* Limits both portals of a fold to a point. */
static void narrow_fold(Line *line, const WmFold *fold, float t) {
  float *portals = (float *)items_of(line, WM_QUERY_PORTALS) + 6 * (fold->index - 1);
  for (int i = 0; i < 2; i++, portals += 6) {
    float point[3];
    wm_interpolate(portals, portals + 3, t, point);
    narrow_portal(portals, point);
  }
}

/* Limits the portals of folds that the string crosses at a point, and a portal before and behind them that it is at then. */
static void narrow_folds(Line *line) {
  const WmFold *folds = items_of(line, WM_QUERY_FOLDS);
  float *portals = items_of(line, WM_QUERY_PORTALS);
  for (size_t k = 0; k < line->fold_count; k++) {
    const WmFold *fold = &folds[k];
    if (fold->way != WM_FOLD_AT_POINT) continue;
    float *exit = portals + 6 * fold->index, *entry = exit - 6;
    narrow_fold(line, fold, fold->t);
    const bool is_behind_fold = k > 0 && folds[k - 1].index + 2 == fold->index;
    if (fold->index > 1 && !is_behind_fold && is_on(entry - 6, entry)) narrow_portal(entry - 6, entry);
    const bool is_before_fold = k + 1 < line->fold_count && folds[k + 1].index == fold->index + 2;
    if (fold->index + 1 < line->last && !is_before_fold && is_on(exit + 6, exit))
      narrow_portal(exit + 6, exit);
  }
}

/* How far a portal's end must lie on the wrong side of a link to be clipped, world units. */
#define CLIP_DISTANCE 1e-3f

/* Limits the portal next to a fold to the side of its entry (side 0) or exit (1) on which the path is: the other part would lie
 * in the unfolded plane where it isn't.
 * in/out     portals: the portal, and the one on the other side of another fold if it is one of that, or NULL */
static void clip_portal(const WmFold *fold, uint32_t side, float *portals[2]) {
  const float sign = (fold->way & (side ? WM_FOLD_LEAVES_TURNED : WM_FOLD_COMES_TURNED) ? 1.0f : -1.0f) *
                     (side ? -1.0f : 1.0f);
  const float width = wm_segment_link_width(fold->crossing.link);
  const float at_left = sign * wm_link_crossing_find_side(&fold->crossing, side, portals[0]);
  const float at_right = sign * wm_link_crossing_find_side(&fold->crossing, side, portals[0] + 3);
  const float least = -CLIP_DISTANCE * width;
  if ((at_left < least) == (at_right < least)) return;
  const float t = at_left / (at_left - at_right);
  for (int i = 0; i < 2 && portals[i]; i++) {
    float *end = portals[i] + (at_left < least ? 0 : 3);
    wm_interpolate(portals[i], portals[i] + 3, wm_clamp_unit(t), end);
  }
}

/* Clips the portals beside folds that the string crosses straight: those that go on behind the link, inside the polygon. */
static void clip_portals(Line *line) {
  const WmFold *folds = items_of(line, WM_QUERY_FOLDS);
  float *portals = items_of(line, WM_QUERY_PORTALS);
  for (size_t k = 0; k < line->fold_count; k++) {
    const size_t index = folds[k].index;
    if (folds[k].way < WM_FOLD_STRAIGHT) continue;
    if (index > 1) {
      const bool is_exit = k > 0 && folds[k - 1].index == index - 2;
      float *before = portals + 6 * (index - 2);
      clip_portal(&folds[k], 0, (float *[2]){before, is_exit ? before - 6 : NULL});
    }
    if (index + 1 < line->last) {
      const bool is_entry = k + 1 < line->fold_count && folds[k + 1].index == index + 2;
      float *after = portals + 6 * (index + 1);
      clip_portal(&folds[k], 1, (float *[2]){after, is_entry ? after + 6 : NULL});
    }
  }
}

/* True if the path comes from the front of a fold's entry, or goes on behind its exit. Where it crosses at a point, it doesn't
 * matter. */
static bool is_turned(const WmFold *fold, uint32_t side) {
  const uint32_t turned = side ? WM_FOLD_LEAVES_TURNED : WM_FOLD_COMES_TURNED;
  return fold->way >= WM_FOLD_STRAIGHT && (fold->way & turned);
}

/* Lays points that are an end of the last exit on the end's place in the unfolded plane: rounded otherwise, they would lie beside it, and
 * the funnel's side to one of them would have any direction.
 * in         exit: its index
 * in/out     unfolded: of the portal in true coordinates */
static void join_exit(const Line *line, size_t exit, const float folded[6], float unfolded[6]) {
  const float *from = (const float *)items_of(line, WM_QUERY_FOLDED) + 6 * exit;
  const float *to = (const float *)items_of(line, WM_QUERY_UNFOLDED) + 6 * exit;
  for (int k = 0; k < 6; k += 3) {
    for (int end = 0; end < 6; end += 3) {
      if (folded[k] != from[end] || folded[k + 2] != from[end + 2]) continue;
      unfolded[k] = to[end];
      unfolded[k + 2] = to[end + 2];
    }
  }
}

/* Moves a portal to the unfolded plane, and copies it with its ends in the order that they have there.
 * in         exit: the index of the last exit of a segment link; 0: none */
static void unfold_portal(const Line *line, size_t index, const WmPlaneMotion *motion, bool swaps,
                          size_t exit) {
  const float *portal = (const float *)items_of(line, WM_QUERY_PORTALS) + 6 * index;
  float *folded = (float *)items_of(line, WM_QUERY_FOLDED) + 6 * index;
  float *unfolded = (float *)items_of(line, WM_QUERY_UNFOLDED) + 6 * index;
  for (int k = 0; k < 6; k += 3) {
    memcpy(folded + k, portal + (swaps ? 3 - k : k), 3 * sizeof *folded);
    wm_plane_motion_apply(motion, folded + k, unfolded + k);
  }
  if (exit > 0) join_exit(line, exit, folded, unfolded);
}

/* Lays the exit of a segment link on its entry. */
static void unfold_exit(const Line *line, size_t index, const WmPlaneMotion *motion, bool swaps) {
  unfold_portal(line, index, motion, swaps, 0);
  float *unfolded = items_of(line, WM_QUERY_UNFOLDED);
  for (size_t n = 6 * index; n < 6 * index + 6; n++) {
    if (n % 3 != 1) unfolded[n] = unfolded[n - 6];
  }
}

/* Lays the portals behind each segment link against its near side. The portal behind a link is exactly the one in front of
 * it, but for the heights. A path that comes and goes on the same side of a link turns back there: then the plane behind is
 * mirrored, so that the string passes straight. */
static WmStatus unfold(Line *line, const float start[3], const float end[3]) {
  if (line->fold_count == 0) return WM_OK;
  const WmStatus status = wm_query_reserve(line->query, WM_QUERY_UNFOLDED, WM_QUERY_FOLDED, line->last + 1);
  if (status) return status;
  find_ways(line, start, end);
  narrow_folds(line);
  clip_portals(line);
  WmFold *folds = items_of(line, WM_QUERY_FOLDS);
  WmPlaneMotion motion = WM_NO_MOTION;
  for (size_t i = 0, k = 0, exit = 0; i < line->last; i++) {
    WmFold *fold = k < line->fold_count && i + 1 == folds[k].index ? &folds[k++] : NULL;
    const bool comes_turned = fold && is_turned(fold, 0);
    const bool swaps = comes_turned != motion.is_mirrored;
    unfold_portal(line, i, &motion, swaps, exit);
    if (!fold) continue;
    const bool mirrors = comes_turned != is_turned(fold, 1);
    motion = fold->motion = wm_link_crossing_unfold(&fold->crossing, motion, mirrors);
    unfold_exit(line, exit = ++i, &motion, swaps);
  }
  return WM_OK;
}

/* The end of the line in the unfolded plane.
 * out        at: there, if the line passes segment links */
static const float *unfold_end(const Line *line, const float end[3], float at[3]) {
  if (line->fold_count == 0) return end;
  const WmFold *fold = (const WmFold *)items_of(line, WM_QUERY_FOLDS) + line->fold_count - 1;
  wm_plane_motion_apply(&fold->motion, end, at);
  return at;
}

/* Looks up portals and kinds from a polygon on, as long as the corridor stays on ground of one tile over known links.
 * in         tile: of the first one; index: of the first one
 * out        portals, kinds: of the polygons before the result
 * returns    the index of the first polygon that was left out */
static size_t resolve_inside(const WmMeshTile *tile, const WmRef *polygons, const uint32_t *links,
                             size_t index, size_t polygon_count, float *portals, uint8_t *kinds) {
  const WmRef ref = tile->ref, ground_count = tile->ground_count;
  const uint8_t *areas = tile->polygon_area;
  const float *link_portals = tile->link_portals;
  for (WmRef polygon = polygons[index] - ref; index + 1 < polygon_count && polygon < ground_count; index++) {
    const WmRef next = polygons[index + 1] - ref;
    if (next >= ground_count || links[index] >= WM_FIRST_FOLD) break;
    kinds[index] = areas[polygon];
    memcpy(portals + 6 * index, link_portals + 6 * (size_t)links[index], 6 * sizeof(float));
    polygon = next;
  }
  return index;
}

/* Looks up the portals and kinds of the polygons, as far as they are linked.
 * in         links: the link to each next polygon, as WM_QUERY_LINKS, or NULL
 * out        line->last: index of the last polygon of the corridor, or of the first that isn't linked to the next
 *            */
static WmStatus resolve(Line *line, const uint32_t *links, size_t polygon_count) {
  WmQuery *query = line->query;
  const WmRef *polygons = line->polygons;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_PORTALS, WM_QUERY_KINDS, polygon_count);
  if (status) return status;
  float *portals = query->arrays[WM_QUERY_PORTALS].items;
  uint8_t *kinds = query->arrays[WM_QUERY_KINDS].items;
  const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, polygons[0]);
  for (size_t i = 0;; i++) {
    if (links) i = resolve_inside(tile, polygons, links, i, polygon_count, portals, kinds);
    const uint32_t polygon = wm_ref_polygon(polygons[i]);
    kinds[i] = find_kind(tile, polygon);
    line->last = i;
    if (i + 1 == polygon_count) return WM_OK;
    const bool same = (polygons[i] ^ polygons[i + 1]) >> WM_REF_POLYGON_BITS == 0 &&
                      wm_ref_polygon(polygons[i + 1]) < tile->polygon_count;
    const WmMeshTile *next = same ? tile : wm_mesh_tile_of(query->mesh, polygons[i + 1]);
    if (next && next->segments && i + 2 < polygon_count) {
      const WmStatus failed = add_fold(line, i + 1, links);
      if (failed || line->last == i) return failed;
      tile = wm_mesh_tile_of(query->mesh, polygons[i + 2]);
      i++;
      continue;
    }
    const bool is_known = links && links[i] < WM_FIRST_FOLD;
    const float *portal = is_known ? tile->link_portals + 6 * (size_t)links[i]
                          : next   ? wm_query_find_portal(tile, polygon, polygons[i + 1])
                                   : NULL;
    if (!portal) return WM_OK;
    memcpy(portals + 6 * i, portal, 6 * sizeof(float));
    tile = next;
  }
}

/* Pulls the string through polygons 0 to line->last, whose portals are looked up.
 * in/out     line: query, polygons, last, crossings, unit costs, limit of points (0: none) are set */
static WM_NOINLINE WmStatus pull(Line *line, const float start[3], const float end[3]) {
  /* A corner and a crossing for each portal and both ends; more could only come from numbers that aren't
   * finite. */
  const size_t most = 2 * line->last + 4;
  if (line->limit == 0 || line->limit > most) line->limit = most;
  WmStatus status = wm_query_reserve(line->query, WM_QUERY_POINTS, WM_QUERY_POINT_POLYGONS, line->limit);
  if (status) return status;
  float from[3], to[3], unfolded[3];
  clamp_to(line->query, line->polygons[0], start, from);
  clamp_to(line->query, line->polygons[line->last], end, to);
  status = unfold(line, from, to);
  if (status) return status;
  const float *to_at = unfold_end(line, to, unfolded);
  if (line->crossed)
    status = wm_cheapest_narrow(line->crossed, line->last, line->fold_count > 0, from, to_at);
  if (status) return status;
  append(line, from, from, WM_POINT_START, line->polygons[0]);
  if (line->last > 0 && line->has_turns) {
    follow_turns(line, from, to_at, to);
  } else if (line->last > 0) {
    follow(line, from, to_at, to);
  } else if (line->unit_costs) {
    add_cost(line, 0, 0, to);
  }
  append(line, to, to_at, WM_POINT_END, 0);
  return WM_OK;
}

/* The relative error of a line's length, and of the bound that tells what the search has found. */
#define LEAST_SLACK 1e-5f

/* How much a line's length on x and z may differ from what the search has found by rounding. */
static float find_slack(const float start[3], float least) {
  return fmaxf(LEAST_SLACK * least, FLAT * (1 + fabsf(start[0]) + fabsf(start[2])));
}

/* Limits portals at borders of tiles as the search does (WmConeLink). */
static void limit_portals(const Line *line, const uint32_t *links) {
  const WmQuery *query = line->query;
  if (!query->corners.generation || query->corners.version != wm_mesh_version(query->mesh)) return;
  const WmCornerTile *tiles = query->arrays[WM_QUERY_CORNER_TILES].items;
  float *portal = items_of(line, WM_QUERY_PORTALS);
  for (size_t i = 0; i < line->last; i++, portal += 6) {
    const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, line->polygons[i]);
    const WmCornerTile *own = tiles + tile->slot;
    if (links[i] >= WM_FIRST_FOLD || own->generation != query->corners.generation) continue;
    if (wm_ref_polygon(line->polygons[i]) >= tile->ground_count) continue; /* links of ground are stored */
    const WmLink *link = tile->links + links[i];
    if (link->side == WM_TILE_SIDE_INSIDE || link->edge == 255) continue;
    const float *ends = own->links[links[i]].exit.portal;
    for (int k = 0; k < 4; k++) portal[3 * (k & 1) + (k & 2)] = ends[k];
  }
}

/* A line that is shorter than the search has found by more than this, relative to it, doesn't just lead beside ground by the rounding of
 * portals: it cuts a corner. */
#define SHORTCUT 0.01f

static bool is_shortcut(const Line *line, float least, float slack) {
  return line->flat < least * (1 - SHORTCUT) - fmaxf(slack, SAME);
}

/* How a shortest line is pulled. */
typedef enum PullWay {
  PULL_PLAIN,
  PULL_CAREFUL, /* a corner that is on one line with a portal isn't lost */
  PULL_LIMITED, /* so, through the portals of the search */
  PULL_TURNS    /* the search's corners are the line's, if they are known */
} PullWay;

/* A line before it is pulled, and what it is pulled through. */
typedef struct Pulling {
  const Line *first;
  const uint32_t *links;
  size_t polygon_count;
  const float *start, *end;
} Pulling;

/* Pulls the line in one way. Its portals are looked up again, as they may be limited, or those of segment links narrowed.
 * in         limit: of points; 0: none */
static WmStatus pull_way(const Pulling *pulling, PullWay way, size_t limit, Line *line) {
  *line = *pulling->first;
  line->limit = limit;
  line->is_careful = way > PULL_PLAIN;
  line->has_turns = way == PULL_TURNS;
  line->fold_count = 0;
  const WmStatus status = resolve(line, pulling->links, pulling->polygon_count);
  if (status) return status;
  if (way >= PULL_LIMITED) limit_portals(line, pulling->links);
  return pull(line, pulling->start, pulling->end);
}

/* The same as pull. A shortest line that is longer than the search has found is pulled in other ways, too: the shortest one is the
 * result.
 * in         links: as resolve; least: what the search has found on x and z; 0: unknown: then only a line that met portals on one
 *            line with a corner is pulled again */
static WmStatus pull_shortest(Line *line, const uint32_t *links, size_t polygon_count, const float start[3],
                              const float end[3], float least) {
  line->is_straight = line->fold_count > 0 && least > 0;
  const Line first = *line;
  const float slack = find_slack(start, least);
  WmStatus status;
  const uint32_t turn_count =
      least > 0 ? *(const uint32_t *)items_of(line, WM_QUERY_TURNS) : WM_UNKNOWN_TURNS;
  if (turn_count < WM_LATE_TURNS && line->unit_costs) {
    line->has_turns = true;
    status = pull(line, start, end);
    if (status || fabsf(line->flat - least) <= slack) return status;
    *line = first;
  }
  status = pull(line, start, end);
  if (status || !line->is_shortest || (line->fold_count && !(least > 0))) return status;
  const bool is_known = least > 0 && !line->cut, meets_flat = line->meets_flat;
  const bool is_as_short = line->flat <= least + slack && !is_shortcut(line, least, slack);
  if (is_known ? is_as_short : !meets_flat) return WM_OK;
  const Pulling pulling = {&first, links, polygon_count, start, end};
  const PullWay last = !is_known || !links              ? PULL_CAREFUL
                       : turn_count == WM_UNKNOWN_TURNS ? PULL_LIMITED
                                                        : PULL_TURNS;
  PullWay best = PULL_PLAIN;
  float shortest = INFINITY;
  for (PullWay way = PULL_PLAIN; way <= last && !status; way++) {
    if (way == PULL_CAREFUL && !meets_flat) continue;
    status = pull_way(&pulling, way, 0, line);
    if (is_known && is_shortcut(line, least, slack)) continue;
    if (way == PULL_TURNS && line->flat > least + slack) continue;
    if (!(line->length < shortest * (1 - 1e-6f))) continue;
    shortest = line->length;
    best = way;
  }
  if (status || (best == last && first.limit == 0)) return status;
  return pull_way(&pulling, best, first.limit, line);
}

WmStatus wm_query_pull(WmQuery *query, const float start[3], const float end[3], const WmRef *polygons,
                       const uint32_t *links, size_t polygon_count, WmCrossings crossings, size_t max_points,
                       float inset, WmCrossedLine *crossed, WmPath *path) {
  Line line = {.query = query,
               .inset = inset,
               .polygons = polygons,
               .crossings = crossings,
               .limit = max_points,
               .is_shortest = path->bound > 0,
               .crossed = crossed};
  const float unit_cost = -path->cost;
  if (unit_cost > 0) line.unit_costs = &unit_cost;
  if (crossed) {
    line.unit_costs = query->arrays[WM_QUERY_COSTS].items;
    line.cost_step = 1;
  }
  WmStatus status = resolve(&line, links, polygon_count);
  /* Links are known of the corridor that the search has found. */
  const float known = line.is_shortest && links ? query->string_length : 0;
  const float least = unit_cost > 0 ? path->bound / unit_cost : known;
  if (!status)
    status =
        crossed ? pull(&line, start, end) : pull_shortest(&line, links, polygon_count, start, end, least);
  if (status) return status;
  if (crossed) crossed->cost = line.cost;
  if (unit_cost > 0) path->cost = line.cost;
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
  if (path->state != WM_PATH_COMPLETE) {
    path->remaining = wm_distance(path->points + 3 * (line.count - 1), end);
  }
  WM_VALIDATE(wm_path_validate_links(query->mesh, path));
  return WM_OK;
}

WmStatus wm_query_measure_linked(WmQuery *query, const float start[3], const float end[3],
                                 const WmRef *polygons, const uint32_t *links, size_t polygon_count,
                                 const WmFilter *filter, float least, float *cost) {
  Line line = {.query = query, .polygons = polygons, .is_shortest = least >= 0};
  WmStatus status = resolve(&line, links, polygon_count);
  if (!status) status = wm_query_reserve(query, WM_QUERY_COSTS, WM_QUERY_COSTS, polygon_count);
  if (status) return status;
  float *costs = query->arrays[WM_QUERY_COSTS].items;
  line.unit_costs = costs;
  line.cost_step = 1;
  for (size_t i = 0; i <= line.last; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, polygons[i]);
    costs[i] = wm_filter_unit_cost(filter, tile, wm_ref_polygon(polygons[i]));
  }
  status = line.is_shortest ? pull_shortest(&line, links, polygon_count, start, end, least)
                            : pull(&line, start, end);
  *cost = line.cost;
  return status;
}

WmStatus wm_query_measure(WmQuery *query, const float start[3], const float end[3], const WmRef *polygons,
                          size_t polygon_count, const WmFilter *filter, float *cost) {
  return wm_query_measure_linked(query, start, end, polygons, NULL, polygon_count, filter, WM_NOT_SHORTEST,
                                 cost);
}

WmStatus wm_query_check_corridor(const WmQuery *query, const float start[3], const float end[3],
                                 const WmRef *corridor, size_t polygon_count) {
  if (polygon_count == 0) {
    return wm_fail(query->context, WM_ERROR_INVALID_ARGUMENT, "corridor", "the corridor is empty");
  }
  WmStatus status = wm_query_check_position(query->context, start, "start");
  if (!status) status = wm_query_check_position(query->context, end, "end");
  return status ? status : wm_mesh_check_ref(query->context, query->mesh, corridor[0], "corridor");
}

WmStatus wm_query_straighten(WmQuery *query, const float start[3], const float end[3], const WmRef *corridor,
                             size_t polygon_count, WmCrossings crossings, size_t max_points, WmPath *path) {
  *path = (WmPath){0};
  WmStatus status = wm_query_check_corridor(query, start, end, corridor, polygon_count);
  if (status) return status;
  path->state = WM_PATH_COMPLETE;
  status =
      wm_query_pull(query, start, end, corridor, NULL, polygon_count, crossings, max_points, 0, NULL, path);
  if (status) *path = (WmPath){0};
  return status;
}
