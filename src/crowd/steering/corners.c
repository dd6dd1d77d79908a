/* The next corners of an agent: the string from its position through the portals of its corridor, as far as
 * its first corners are certain.
 *
 * The string ends at the corridor's end, or at the first off-mesh connection. No portal is looked up: the
 * corridor stores them. Corners are those of the funnel of query/search/funnel.h.
 *
 * A segment link is one portal. What lies behind it is laid against the near side, so that the string passes as if there were
 * no gap; the last corner is where it enters the link.
 *
 * With wall_distance, these corners become those of the line that keeps that distance from walls (query/room/room.h). The more
 * avoidance slows an agent, the less it keeps: where it is dense, the crowd needs the whole width. The line is certain for some
 * metres only; then it is found again. */
#include "crowd/crowd_internal.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"
#include "query/room/room.h"
#include "query/search/funnel.h"
#include "query/search/straighten.h"

/* Corners nearer than this to the point where the string begins, or to the corner before, are ignored. */
#define PASSED_SQUARED (1e-4f * 1e-4f)
/* A string that begins on a portal does not need it: its sides would be opposite each other. */
#define ON_SQUARED (0.001f * 0.001f)
/* A side this near to the apex isn't a corner. */
#define SAME_SQUARED 1e-9f
/* Where crossings are portals without a width, only equal points are the same: else the string could leave the corridor between two of
 * them that are near each other. */
#define EQUAL_SQUARED 1e-20f

/* A portal of the corridor, heights 0; or where the string ends, a portal of no width. */
typedef struct Portal {
  float left[3], right[3];
  WmCorridorCursor next; /* the polygon behind it */
  bool is_end;           /* the string ends here: */
  bool is_corridor_end;  /* at the corridor's end; else at the entry of a connection */
  bool is_link;          /* it is where the agent may enter a segment link: */
  float height;          /* of the end */
  WmLinkCrossing crossing;
} Portal;

/* Where the string passes segment links. */
typedef struct Unfolding {
  uint32_t begin;       /* the polygon where the string begins, */
  const float *start;   /* and the point */
  bool is_behind;       /* it has passed a link: */
  uint32_t index;       /* of the polygon before the first one */
  Portal first;         /* that link */
  WmPlaneMotion motion; /* lays what lies behind all of them against the near side of the first */
  WmLinkCrossing last;  /* the last one */
  bool turns_back;      /* behind its exit, the path goes on to the back */
  uint32_t last_index;  /* of the polygon behind it */
} Unfolding;

/* Where the string ends: in front of an off-mesh connection, or at the corridor's end. */
static void find_end(const WmCrowd *crowd, const WmAgentRecord *record, WmRef before, WmRef connection,
                     float end[3]) {
  float leave[3];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  memcpy(end, record->destination, 3 * sizeof *end);
  if (connection) (void)wm_mesh_connection_ends(mesh, before, connection, end, leave);
}

/* Reads the portal onto a segment link, from the polygon at `cursor`. Returns false if there is none. */
static bool read_link(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor cursor,
                      Portal *portal) {
  float ends[6];
  if (!wm_crowd_find_link(crowd, record, cursor, &portal->crossing)) return false;
  wm_link_crossing_portal(&portal->crossing, 0, ends);
  for (int axis = 0; axis < 3; axis += 2) {
    portal->left[axis] = ends[axis];
    portal->right[axis] = ends[3 + axis];
  }
  portal->is_link = true;
  portal->is_end = false;
  portal->next = wm_agent_corridor_next(crowd, portal->next);
  return true;
}

/* The portal from the polygon at `cursor` to the next one, or over a segment link to the one behind it. */
WM_INLINE void read_portal(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor cursor,
                           Portal *portal) {
  portal->is_corridor_end = cursor.index + 1 >= record->corridor.count;
  portal->next = portal->is_corridor_end ? cursor : wm_agent_corridor_next(crowd, cursor);
  portal->is_end = portal->is_corridor_end || wm_agent_corridor_is_connection(crowd, portal->next);
  portal->is_link = false;
  portal->left[1] = portal->right[1] = 0;
  if (portal->is_end && !portal->is_corridor_end && read_link(crowd, record, cursor, portal)) return;
  if (portal->is_end) {
    float end[3];
    const WmRef connection = portal->is_corridor_end ? 0 : wm_agent_corridor_polygon(crowd, portal->next);
    find_end(crowd, record, wm_agent_corridor_polygon(crowd, cursor), connection, end);
    portal->left[0] = portal->right[0] = end[0];
    portal->left[2] = portal->right[2] = end[2];
    portal->height = end[1];
    return;
  }
  const float *ends = wm_agent_corridor_portal(crowd, cursor);
  portal->left[0] = ends[0];
  portal->left[2] = ends[1];
  portal->right[0] = ends[2];
  portal->right[2] = ends[3];
}

/* ---- Behind segment links ----------------------------------------------------------------------------- */

/* The cursor of polygon `index` of a corridor. */
static WmCorridorCursor find_cursor(const WmCrowd *crowd, const WmAgentCorridor *corridor, size_t index) {
  WmCorridorCursor cursor = {corridor->first, corridor->head + (uint32_t)index, (uint32_t)index};
  for (; cursor.offset >= WM_CORRIDOR_BLOCK; cursor.offset -= WM_CORRIDOR_BLOCK) {
    cursor.block = wm_agent_corridor_block(crowd, cursor.block)->next;
  }
  return cursor;
}

/* How far a portal lies in front of a link's entry (side 0) or exit (1); below 0: most of it is behind. */
static float find_side(const WmLinkCrossing *crossing, uint32_t side, const float left[3],
                       const float right[3]) {
  return wm_link_crossing_find_side(crossing, side, left) + wm_link_crossing_find_side(crossing, side, right);
}

static float find_portal_side(const WmLinkCrossing *crossing, uint32_t side, const float ends[4]) {
  return find_side(crossing, side, (float[3]){ends[0], 0, ends[1]}, (float[3]){ends[2], 0, ends[3]});
}

/* True if the path comes from the front of a link's entry: from the portal before, or from where it begins.
 * in         before: the polygon before the link */
static bool comes_from_front(const WmCrowd *crowd, const WmAgentRecord *record, const Unfolding *unfolding,
                             const WmLinkCrossing *crossing, uint32_t before) {
  if (before == unfolding->begin) return find_side(crossing, 0, unfolding->start, unfolding->start) > 0;
  const WmCorridorCursor cursor = find_cursor(crowd, &record->corridor, before - 1);
  return find_portal_side(crossing, 0, wm_agent_corridor_portal(crowd, cursor)) > 0;
}

/* True if the path behind a link's exit goes on to the back of it: to the next portal, or to the corridor's end.
 * in         after: the polygon behind the link */
static bool goes_to_back(const WmCrowd *crowd, const WmAgentRecord *record, const WmLinkCrossing *crossing,
                         WmCorridorCursor after) {
  if (after.index + 1 >= record->corridor.count)
    return find_side(crossing, 1, record->destination, record->destination) < 0;
  return find_portal_side(crossing, 1, wm_agent_corridor_portal(crowd, after)) < 0;
}

/* Cuts off the part of a portal that lies on the other side of a link's exit than the path goes on to. */
static void clip(const WmLinkCrossing *crossing, bool goes_back, float left[3], float right[3]) {
  const float sides[2] = {wm_link_crossing_find_side(crossing, 1, left),
                          wm_link_crossing_find_side(crossing, 1, right)};
  float at[3];
  if ((sides[0] < 0) == (sides[1] < 0)) return;
  wm_interpolate(left, right, sides[0] / (sides[0] - sides[1]), at);
  memcpy((sides[0] < 0) == goes_back ? right : left, at, sizeof at);
}

static void swap(float a[3], float b[3]) {
  float c[3];
  memcpy(c, a, sizeof c);
  memcpy(a, b, sizeof c);
  memcpy(b, c, sizeof c);
}

/* Notes a segment link that the string passes, whose portal is laid already. A path that comes and goes on the same side of a
 * link is mirrored there, so that the string passes straight. */
static void pass_link(const WmCrowd *crowd, const WmAgentRecord *record, Unfolding *unfolding, uint32_t index,
                      Portal *portal) {
  const WmLinkCrossing *crossing = &portal->crossing;
  /* Behind the first link, paths are taken to come from the back. */
  const bool comes_turned =
      !unfolding->is_behind && comes_from_front(crowd, record, unfolding, crossing, index);
  const bool turns_back = goes_to_back(crowd, record, crossing, portal->next);
  const WmPlaneMotion motion = unfolding->is_behind ? unfolding->motion : WM_NO_MOTION;
  if (comes_turned) swap(portal->left, portal->right);
  unfolding->motion = wm_link_crossing_unfold(crossing, motion, comes_turned != turns_back);
  unfolding->last = *crossing;
  unfolding->turns_back = turns_back;
  unfolding->last_index = portal->next.index;
  if (unfolding->is_behind) return;
  unfolding->is_behind = true;
  unfolding->index = index;
  unfolding->first = *portal;
}

/* Lays a portal behind a segment link against the near side. */
static void lay(const Unfolding *unfolding, uint32_t index, Portal *portal) {
  if (index == unfolding->last_index)
    clip(&unfolding->last, unfolding->turns_back, portal->left, portal->right);
  if (unfolding->motion.is_mirrored) swap(portal->left, portal->right);
  wm_plane_motion_apply(&unfolding->motion, portal->left, portal->left);
  wm_plane_motion_apply(&unfolding->motion, portal->right, portal->right);
}

WM_INLINE void read_unfolded(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor cursor,
                             Unfolding *unfolding, Portal *portal) {
  read_portal(crowd, record, cursor, portal);
  if (unfolding->is_behind) lay(unfolding, cursor.index, portal);
  if (portal->is_link) pass_link(crowd, record, unfolding, cursor.index, portal);
}

/* True if a corner, an end of portal `index`, is on the first link or behind it. */
WM_INLINE bool is_behind(const Unfolding *unfolding, size_t index) {
  return unfolding->is_behind && index >= unfolding->index;
}

/* The point where the string enters the first link, between a corner before it and one on or behind it. */
static void find_entry(const Unfolding *unfolding, const float from[3], const float to[3], float entry[3]) {
  const float *left = unfolding->first.left, *right = unfolding->first.right;
  const float x = to[0] - from[0], z = to[2] - from[2];
  const float beside_x = right[0] - left[0], beside_z = right[2] - left[2];
  const float area = x * beside_z - z * beside_x;
  float t;
  if (wm_distance_to_segment(from, left, right, &t) >= ON_SQUARED && fabsf(area) > 0)
    t = wm_clamp_unit((x * (from[2] - left[2]) - z * (from[0] - left[0])) / area);
  wm_interpolate(left, right, t, entry);
}

/* ---- Corners ------------------------------------------------------------------------------------------ */

/* A crossing from cost to cost is a portal without a width. */
WM_INLINE void note_crossing(WmFunnel *funnel, const Portal *portal) {
  if (!portal->is_end && portal->left[0] == portal->right[0] && portal->left[2] == portal->right[2])
    funnel->same_squared = EQUAL_SQUARED;
}

/* Appends a corner, unless it is passed. Returns true if there are enough. */
static bool add_corner(WmAgentRecord *record, const float point[3], float height) {
  const float start[3] = {record->corners_from[0], 0, record->corners_from[1]};
  const float *before = record->corner_count ? record->corners[record->corner_count - 1].point : start;
  if (wm_squared_distance_on_plane(before, point) <= PASSED_SQUARED) return false;
  float *corner = record->corners[record->corner_count++].point;
  corner[0] = point[0];
  corner[1] = height; /* only for looking at */
  corner[2] = point[2];
  return record->corner_count == WM_CROWD_CORNERS;
}

static void add_end(const WmCrowd *crowd, WmAgentRecord *record, const Portal *end) {
  record->ends_at_last = end->is_corridor_end;
  record->ends_at_connection = !end->is_corridor_end;
  record->next_connection = end->is_corridor_end ? 0 : wm_agent_corridor_polygon(crowd, end->next);
  (void)add_corner(record, end->left, end->height);
}

/* Ends the string where it enters the first segment link.
 * in         position: the agent's; to: the next corner on or behind the link, or the end */
static void add_link(const WmCrowd *crowd, WmAgentRecord *record, const Unfolding *unfolding,
                     const float position[3], const float to[3]) {
  const float *from = record->corner_count ? record->corners[record->corner_count - 1].point : position;
  float entry[3];
  find_entry(unfolding, from, to, entry);
  record->ends_at_connection = true;
  record->next_connection =
      wm_agent_corridor_polygon(crowd, find_cursor(crowd, &record->corridor, unfolding->index + 1));
  wm_crowd_note_link(crowd, record, &unfolding->first.crossing);
  for (int axis = 0; axis < 2; axis++) {
    record->link_natural[axis] = entry[2 * axis];
    record->link_after[axis] = to[2 * axis];
  }
  (void)add_corner(record, entry, position[1]);
}

/* Pulls the string tight until there are enough corners, or it ends; or until its first corner is `known`, as the
 * string behind that is what it was (NULL: none). Returns true in that case. */
static bool find_corners(const WmCrowd *crowd, WmAgentRecord *record, const float position[3],
                         const float *known) {
  const float start[3] = {position[0], 0, position[2]};
  WmFunnel funnel;
  wm_funnel_begin(&funnel, start, SAME_SQUARED);
  const bool seeks_cheapest = wm_agent_seeks_cheapest(record);
  Portal portal;
  Unfolding unfolding;
  unfolding.begin = 0;
  unfolding.start = start;
  unfolding.is_behind = false;
  float t;
  for (WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);; cursor = portal.next) {
    read_unfolded(crowd, record, cursor, &unfolding, &portal);
    if (seeks_cheapest) note_crossing(&funnel, &portal);
    if (cursor.index == 0 && !portal.is_end &&
        wm_distance_to_segment(start, portal.left, portal.right, &t) < ON_SQUARED) {
      continue;
    }
    /* Where the end itself narrows the string, the end is the corner. */
    if (!wm_funnel_pass(&funnel, portal.left, portal.right, cursor.index) &&
        !(portal.is_end && funnel.apex.portal == cursor.index)) {
      if (is_behind(&unfolding, funnel.apex.portal)) {
        add_link(crowd, record, &unfolding, position, funnel.apex.point);
        return false;
      }
      unfolding.is_behind = false;
      if (add_corner(record, funnel.apex.point, position[1])) return false;
      const float *first = record->corners[0].point;
      if (known && record->corner_count == 1 && first[0] == known[0] && first[2] == known[2]) return true;
      portal.next = find_cursor(crowd, &record->corridor, funnel.apex.portal + 1);
      continue;
    }
    if (portal.is_end) {
      if (unfolding.is_behind) {
        add_link(crowd, record, &unfolding, position, portal.left);
      } else {
        add_end(crowd, record, &portal);
      }
      return false;
    }
  }
}

/* ---- The length of the whole way --------------------------------------------------------------------- */

/* The length of the string from a point in the polygon at *cursor to where it ends, or enters a segment link.
 * in/out     *cursor: then the polygon where it ends; point: then its end
 * out        *end: the portal of no width there, or that of the link */
static float measure_string(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor *cursor,
                            float point[3], Portal *end) {
  const float start[3] = {point[0], 0, point[2]};
  float last[3] = {start[0], 0, start[2]}, entry[3], length = 0, t;
  WmFunnel funnel;
  wm_funnel_begin(&funnel, start, SAME_SQUARED);
  const bool seeks_cheapest = wm_agent_seeks_cheapest(record);
  Unfolding unfolding;
  const uint32_t first = cursor->index;
  unfolding.begin = first;
  unfolding.start = start;
  unfolding.is_behind = false;
  for (;; *cursor = end->next) {
    read_unfolded(crowd, record, *cursor, &unfolding, end);
    if (seeks_cheapest) note_crossing(&funnel, end);
    if (cursor->index == first && !end->is_end &&
        wm_distance_to_segment(start, end->left, end->right, &t) < ON_SQUARED) {
      continue;
    }
    const bool is_passed = wm_funnel_pass(&funnel, end->left, end->right, cursor->index);
    if (is_passed && !end->is_end) continue;
    const bool ends = end->is_end && (is_passed || funnel.apex.portal == cursor->index);
    const float *corner = ends ? end->left : funnel.apex.point;
    const bool enters = ends ? unfolding.is_behind : is_behind(&unfolding, funnel.apex.portal);
    if (enters) find_entry(&unfolding, last, corner, entry);
    if (enters) corner = entry;
    length += sqrtf(wm_squared_distance_on_plane(last, corner));
    memcpy(last, corner, sizeof last);
    if (enters) *cursor = find_cursor(crowd, &record->corridor, unfolding.index);
    if (enters) *end = unfolding.first;
    if (ends || enters) break;
    unfolding.is_behind = false;
    end->next = find_cursor(crowd, &record->corridor, funnel.apex.portal + 1);
  }
  memcpy(point, last, sizeof last);
  return length;
}

/* Crosses the off-mesh connection or segment link where the string ends.
 * in/out     *cursor: then the polygon behind it; point: then the exit
 * returns    its length; below 0: it was removed */
static float measure_crossing(const WmCrowd *crowd, const WmAgentRecord *record, const Portal *end,
                              WmCorridorCursor *cursor, float point[3]) {
  if (end->is_link) {
    const float across = wm_link_crossing_nearest(&end->crossing, 0, point);
    wm_link_crossing_point(&end->crossing, 1, across, point);
    *cursor = end->next;
    return wm_segment_link_length(end->crossing.link);
  }
  float enter[3], leave[3];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmRef before = wm_agent_corridor_polygon(crowd, *cursor);
  if (wm_mesh_connection_ends(mesh, before, wm_agent_corridor_polygon(crowd, end->next), enter, leave))
    return -1;
  memcpy(point, leave, sizeof leave);
  *cursor = wm_agent_corridor_next(crowd, end->next);
  return wm_distance(enter, leave);
}

float wm_crowd_measure_way(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  float point[3];
  memcpy(point, crowd->positions + 3 * index, sizeof point);
  if (record->corridor.count == 0) return sqrtf(wm_squared_distance_on_plane(point, record->destination));
  float length = 0;
  for (WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);;) {
    Portal end;
    length += measure_string(crowd, record, &cursor, point, &end);
    if (end.is_corridor_end || end.next.index + 1 >= record->corridor.count + end.is_link) return length;
    const float crossing = measure_crossing(crowd, record, &end, &cursor, point);
    if (crossing < 0) return length;
    length += crossing;
  }
}

/* ---- Distance from walls ------------------------------------------------------------------------------- */

/* The polygon of the corridor before the portal that a corner is an end of: the first that contains it. */
static WmRef find_polygon_at(const WmCrowd *crowd, const WmAgentRecord *record, const float point[3],
                             WmCorridorCursor *cursor) {
  const float corner[3] = {point[0], 0, point[2]};
  float t;
  for (; cursor->index + 1 < record->corridor.count; *cursor = wm_agent_corridor_next(crowd, *cursor)) {
    const float *ends = wm_agent_corridor_portal(crowd, *cursor);
    const float left[3] = {ends[0], 0, ends[1]}, right[3] = {ends[2], 0, ends[3]};
    if (wm_distance_to_segment(corner, left, right, &t) < ON_SQUARED) break;
  }
  return wm_agent_corridor_polygon(crowd, *cursor);
}

float wm_crowd_wanted_room(const WmAgentRecord *record) {
  const float share = 1 - record->slowdown / WM_CROWD_NO_ROOM_SLOWDOWN;
  return share > WM_CROWD_LEAST_ROOM ? record->parameters.wall_distance * share : 0;
}

/* Replaces the corners by the first of a line. Those before the last one are all that count, if the string goes on
 * behind it. */
static void copy_line(WmAgentRecord *record, const WmRoomLine *line) {
  const bool is_whole = record->ends_at_last || record->ends_at_connection;
  const size_t end = line->point_count > 2 && !is_whole ? line->point_count - 1 : line->point_count;
  const float height = record->corners[0].point[1];
  record->corner_count = 0;
  size_t i = 1;
  for (bool has_room = true; i < end && has_room; i++)
    has_room = !add_corner(record, line->points + 3 * i, height);
  if (i == line->point_count && record->corner_count > 0) return;
  record->ends_at_last = record->ends_at_connection = record->ends_at_link = false;
}

/* The length of the line up to which walls are looked at: others push an agent off its line again and again, so it seldom walks
 * far along one. */
static float find_horizon(const WmAgentRecord *record) {
  const float least = WM_CROWD_ROOM_SECONDS * record->parameters.max_speed;
  const float horizon = WM_CROWD_ROOM_DISTANCES * record->room;
  return horizon > least ? horizon : least;
}

static bool is_linked(const WmMesh *mesh, WmRef from, WmRef to) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, from);
  return tile && wm_query_find_portal(tile, wm_ref_polygon(from), to);
}

/* Makes the corridor begin with the polygons that a line crosses, up to the last one that both share. A line may pass the ends of
 * portals that aren't on walls on the other side than the corridor does: the string through that corridor would lead back around
 * them. Without memory, the corridor is requested again.
 * in         end: the polygon that the line enters at its end */
static void follow_line(WmCrowd *crowd, WmAgentRecord *record, const WmRoomLine *line, WmRef end) {
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmRef *polygons = line->polygons;
  const bool reaches_end = !line->is_cut && is_linked(mesh, polygons[line->polygon_count - 1], end);
  uint32_t dropped = 0;
  size_t count = 0;
  bool is_same = true;
  for (WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
       !wm_agent_corridor_is_connection(crowd, cursor); cursor = wm_agent_corridor_next(crowd, cursor)) {
    const WmRef polygon = wm_agent_corridor_polygon(crowd, cursor);
    for (size_t j = count; j < line->polygon_count + reaches_end; j++) {
      if (polygon != (j < line->polygon_count ? polygons[j] : end)) continue;
      is_same = is_same && j == cursor.index && j <= count + 1;
      dropped = cursor.index;
      count = j;
    }
    if (cursor.index + 1 == record->corridor.count || cursor.index == WM_CROWD_SHORTCUT_REPLACED) break;
  }
  if (is_same) return;
  for (size_t k = 1; k <= count && k < line->polygon_count; k++) {
    if (!is_linked(mesh, polygons[k - 1], polygons[k])) return; /* it has legs of the plain string */
  }
  if (wm_agent_corridor_replace(crowd, &record->corridor, mesh, dropped, polygons, count) &&
      !record->needs_plan)
    wm_crowd_request_later(record);
}

/* Moves the string off the walls. It stays if memory runs out, or a tile of the corridor was removed: a new corridor comes. */
static void keep_distance(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  float points[WM_CROWD_CORNERS + 1][3];
  WmRef polygons[WM_CROWD_CORNERS + 1];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  memcpy(points[0], crowd->positions + 3 * index, sizeof points[0]);
  polygons[0] = record->polygon;
  const float horizon = find_horizon(record);
  float left = horizon;
  for (uint32_t k = 0; k < record->corner_count; k++) {
    memcpy(points[k + 1], record->corners[k].point, sizeof points[0]);
    left -= sqrtf(wm_squared_distance_on_plane(points[k], points[k + 1]));
    polygons[k + 1] = left > 0 ? find_polygon_at(crowd, record, points[k + 1], &cursor) : polygons[k];
    if (!wm_mesh_tile_of(mesh, polygons[k + 1])) return;
  }
  const WmRoomTask task = {.filter = wm_agent_filter(crowd, record),
                           .distance = record->room,
                           .horizon = horizon,
                           .point_count = record->corner_count + (size_t)1,
                           .points = points[0],
                           .polygons = polygons,
                           .stays = true,
                           .growth = record->slowdown > WM_CROWD_HINDERED ? WM_CROWD_ROOM_GROWTH : 0};
  WmRoomLine line;
  const WmStatus status = wm_room_find(wm_agent_mesh(crowd, record)->query, &task, &line);
  if (status || line.point_count < 2) return;
  if (line.is_cut) record->certain_length = horizon;
  copy_line(record, &line);
  follow_line(crowd, record, &line, polygons[task.point_count - 1]);
}

void wm_crowd_find_corners(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  const bool ends_at_last = record->ends_at_last, ends_at_connection = record->ends_at_connection;
  const bool ends_at_link = record->ends_at_link;
  const uint8_t count = record->corner_count;
  const bool are_all = count == WM_CROWD_CORNERS || (count > 1 && (ends_at_last || ends_at_connection));
  float known[3];
  memcpy(known, record->corners[0].point, sizeof known);
  const bool was_wide = record->room > 0;
  record->room = wm_crowd_wanted_room(record);
  const bool is_wide = record->room > 0;
  const bool are_known = record->corners_are_valid && are_all && !was_wide && !is_wide;
  record->corner_count = 0;
  record->ends_at_last = record->ends_at_connection = record->ends_at_link = false;
  record->corners_are_valid = true;
  record->certain_length = INFINITY;
  record->corners_from[0] = position[0];
  record->corners_from[1] = position[2];
  if (record->corridor.count == 0) return;
  if (!find_corners(crowd, record, position, are_known ? known : NULL)) {
    record->is_on_last_leg = record->corner_count <= 1 && record->ends_at_last;
    if (is_wide && record->corner_count > 0) keep_distance(crowd, index);
    return;
  }
  record->corner_count = count;
  record->ends_at_last = ends_at_last;
  record->ends_at_connection = ends_at_connection;
  record->ends_at_link = ends_at_link;
}
