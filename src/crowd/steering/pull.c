/* The next corners on a way: the string from the agent's position through the openings of its way, as far as
 * its first corners are certain.
 *
 * The string ends at the way's end, or at the first off-mesh connection. Walks over the openings from the
 * front, and back to that of a corner where one is found; none is looked up, ways hold them.
 *
 * Source: M. Mononen, "Simple Stupid Funnel Algorithm", 2010. */
#include "crowd/crowd_internal.h"
#include "mesh/links/connections.h"

/* Corners nearer to where the string begins are passed. */
#define PASSED_SQUARED (1e-4f * 1e-4f)
/* A string that begins on an opening does not need it: its sides would be opposite each other. */
#define ON_SQUARED (0.001f * 0.001f)

/* Twice the area of a, b, c; positive where c is left of the way from a to b. */
WM_INLINE float cross(const float a[2], const float b[2], const float c[2]) {
  return (c[0] - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (c[1] - a[1]);
}
WM_INLINE float squared_distance(const float a[2], const float b[2]) {
  const float x = b[0] - a[0], z = b[1] - a[1];
  return x * x + z * z;
}
WM_INLINE bool is_same(const float a[2], const float b[2]) { return squared_distance(a, b) < 1e-9f; }

/* Whether a point is on an opening. */
static bool is_on(const float point[2], const float portal[4]) {
  const float x = portal[2] - portal[0], z = portal[3] - portal[1];
  const float along = (point[0] - portal[0]) * x + (point[1] - portal[1]) * z, squared = x * x + z * z;
  float t = squared > 0 ? along / squared : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const float on[2] = {portal[0] + x * t, portal[1] + z * t};
  return squared_distance(point, on) < ON_SQUARED;
}

typedef struct Side {
  float point[2];
  WmCorridorCursor cursor; /* of the opening it is an end of */
} Side;

typedef struct String {
  float apex[2];
  WmAgentRecord *record;
  float height; /* of corners: only for looking at */
} String;

/* Returns whether there are enough. */
static bool add_corner(String *string, const float point[2], float height) {
  WmAgentRecord *record = string->record;
  const float *before = record->corner_count ? record->corners[record->corner_count - 1].point : NULL;
  const float last[2] = {before ? before[0] : record->corners_from[0],
                         before ? before[2] : record->corners_from[1]};
  if (squared_distance(last, point) <= PASSED_SQUARED) return false;
  float *corner = record->corners[record->corner_count++].point;
  corner[0] = point[0];
  corner[1] = height;
  corner[2] = point[1];
  return record->corner_count == WM_CROWD_CORNERS;
}

/* Where the string ends: in front of an off-mesh connection, or at the way's end. */
static void find_end(const WmCrowd *crowd, const WmAgentRecord *record, WmRef before, WmRef connection,
                     float end[3]) {
  float leave[3];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  memcpy(end, record->destination, 3 * sizeof *end);
  if (connection) (void)wm_mesh_connection_ends(mesh, before, connection, end, leave);
}

void wm_crowd_pull(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  const WmAgentCorridor *corridor = &record->corridor;
  record->corner_count = 0;
  record->ends_at_last = record->ends_at_connection = false;
  record->corners_are_valid = true;
  record->corners_from[0] = position[0];
  record->corners_from[1] = position[2];
  if (corridor->count == 0) return;
  String string = {.apex = {position[0], position[2]}, .record = record, .height = position[1]};
  Side left, right;
  WmCorridorCursor cursor = wm_agent_corridor_begin(corridor);
  memcpy(left.point, string.apex, sizeof left.point);
  left.cursor = cursor;
  right = left;
  bool is_fresh = true; /* nothing narrows the string yet */
  float end[3];
  for (;;) {
    const bool is_last = cursor.index + 1 >= corridor->count;
    const WmCorridorCursor next_cursor = is_last ? cursor : wm_agent_corridor_next(crowd, cursor);
    const bool ends = is_last || wm_agent_corridor_is_connection(crowd, next_cursor);
    float portal[4];
    if (ends) {
      const WmRef connection = is_last ? 0 : wm_agent_corridor_polygon(crowd, next_cursor);
      find_end(crowd, record, wm_agent_corridor_polygon(crowd, cursor), connection, end);
      portal[0] = portal[2] = end[0];
      portal[1] = portal[3] = end[2];
    } else {
      memcpy(portal, wm_agent_corridor_portal(crowd, cursor), sizeof portal);
    }
    const Side *corner = NULL;
    if (is_fresh) {
      if (!ends && cursor.index == 0 && is_on(string.apex, portal)) {
        cursor = next_cursor;
        continue;
      }
      memcpy(left.point, portal, sizeof left.point);
      memcpy(right.point, portal + 2, sizeof right.point);
      left.cursor = right.cursor = cursor;
      is_fresh = false;
    } else {
      if (cross(string.apex, right.point, portal + 2) <= 0) {
        if (is_same(string.apex, right.point) || cross(string.apex, left.point, portal + 2) > 0) {
          memcpy(right.point, portal + 2, sizeof right.point);
          right.cursor = cursor;
        } else {
          corner = &left;
        }
      }
      if (!corner && cross(string.apex, left.point, portal) >= 0) {
        if (is_same(string.apex, left.point) || cross(string.apex, right.point, portal) < 0) {
          memcpy(left.point, portal, sizeof left.point);
          left.cursor = cursor;
        } else {
          corner = &right;
        }
      }
    }
    /* Where it is the end itself that narrows the string, the end is the corner. */
    if (corner && !(ends && corner->cursor.index == cursor.index)) {
      const Side side = *corner;
      if (add_corner(&string, side.point, string.height)) return;
      memcpy(string.apex, side.point, sizeof string.apex);
      is_fresh = true;
      cursor = wm_agent_corridor_next(crowd, side.cursor);
      continue;
    }
    if (ends) {
      const float point[2] = {end[0], end[2]};
      record->ends_at_last = is_last;
      record->ends_at_connection = !is_last;
      record->next_connection = is_last ? 0 : wm_agent_corridor_polygon(crowd, next_cursor);
      (void)add_corner(&string, point, end[1]);
      return;
    }
    cursor = next_cursor;
  }
}
