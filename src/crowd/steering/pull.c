/* The next corners on a way: the string from the agent's position through the portals of its way, as far as
 * its first corners are certain.
 *
 * The string ends at the way's end, or at the first off-mesh connection. No portal is looked up: ways store
 * them. Corners are those of the funnel of query/search/funnel.h. */
#include "crowd/crowd_internal.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"
#include "query/search/funnel.h"

/* Corners nearer than this to the point where the string begins, or to the corner before, are ignored. */
#define PASSED_SQUARED (1e-4f * 1e-4f)
/* A string that begins on a portal does not need it: its sides would be opposite each other. */
#define ON_SQUARED (0.001f * 0.001f)
/* A side this near to the apex isn't a corner. */
#define SAME_SQUARED 1e-9f

/* A portal of the way, heights 0; or where the string ends, a portal of no width. */
typedef struct Portal {
  float left[3], right[3];
  WmWayPlace next; /* the polygon behind it */
  bool is_end;     /* the string ends here: */
  bool is_way_end; /* at the way's end; else at the entry of a connection */
  float height;    /* of the end */
} Portal;

/* Where the string ends: in front of an off-mesh connection, or at the way's end. */
static void find_end(const WmCrowd *crowd, const WmAgentRecord *record, WmRef before, WmRef connection,
                     float end[3]) {
  float leave[3];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  memcpy(end, record->end, 3 * sizeof *end);
  if (connection) (void)wm_mesh_connection_ends(mesh, before, connection, end, leave);
}

/* The portal from the polygon at `place` to the next one. */
WM_INLINE void read_portal(const WmCrowd *crowd, const WmAgentRecord *record, WmWayPlace place,
                           Portal *portal) {
  portal->is_way_end = place.index + 1 >= record->way.count;
  portal->next = portal->is_way_end ? place : wm_way_next(crowd, place);
  portal->is_end = portal->is_way_end || wm_way_is_connection(crowd, portal->next);
  portal->left[1] = portal->right[1] = 0;
  if (portal->is_end) {
    float end[3];
    const WmRef connection = portal->is_way_end ? 0 : wm_way_polygon(crowd, portal->next);
    find_end(crowd, record, wm_way_polygon(crowd, place), connection, end);
    portal->left[0] = portal->right[0] = end[0];
    portal->left[2] = portal->right[2] = end[2];
    portal->height = end[1];
    return;
  }
  const float *ends = wm_way_portal(crowd, place);
  portal->left[0] = ends[0];
  portal->left[2] = ends[1];
  portal->right[0] = ends[2];
  portal->right[2] = ends[3];
}

/* Appends a corner, unless it is passed. Returns true if there are enough. */
static bool add_corner(WmAgentRecord *record, const float point[3], float height) {
  const float start[3] = {record->pulled_from[0], 0, record->pulled_from[1]};
  const float *before = record->corner_count ? record->corners[record->corner_count - 1].point : start;
  if (wm_squared_distance_on_plane(before, point) <= PASSED_SQUARED) return false;
  float *corner = record->corners[record->corner_count++].point;
  corner[0] = point[0];
  corner[1] = height; /* only for looking at */
  corner[2] = point[2];
  return record->corner_count == WM_CROWD_CORNERS;
}

static void add_end(const WmCrowd *crowd, WmAgentRecord *record, const Portal *end) {
  record->ends_at_last = end->is_way_end;
  record->ends_at_connection = !end->is_way_end;
  record->next_connection = end->is_way_end ? 0 : wm_way_polygon(crowd, end->next);
  (void)add_corner(record, end->left, end->height);
}

/* The place of polygon `index` of a way. */
static WmWayPlace find_place(const WmCrowd *crowd, const WmWay *way, size_t index) {
  WmWayPlace place = {way->first, way->head + (uint32_t)index, (uint32_t)index};
  for (; place.offset >= WM_WAY_BLOCK; place.offset -= WM_WAY_BLOCK) {
    place.block = wm_way_block(crowd, place.block)->next;
  }
  return place;
}

/* Pulls the string tight until there are enough corners, or it ends. */
static void find_corners(const WmCrowd *crowd, WmAgentRecord *record, const float position[3]) {
  const float start[3] = {position[0], 0, position[2]};
  WmFunnel funnel;
  wm_funnel_begin(&funnel, start, SAME_SQUARED);
  Portal portal;
  float t;
  for (WmWayPlace place = wm_way_begin(&record->way);; place = portal.next) {
    read_portal(crowd, record, place, &portal);
    if (place.index == 0 && !portal.is_end &&
        wm_distance_to_segment(start, portal.left, portal.right, &t) < ON_SQUARED) {
      continue;
    }
    /* Where the end itself narrows the string, the end is the corner. */
    if (!wm_funnel_pass(&funnel, portal.left, portal.right, place.index) &&
        !(portal.is_end && funnel.apex.portal == place.index)) {
      if (add_corner(record, funnel.apex.point, position[1])) return;
      portal.next = find_place(crowd, &record->way, funnel.apex.portal + 1);
      continue;
    }
    if (portal.is_end) {
      add_end(crowd, record, &portal);
      return;
    }
  }
}

void wm_crowd_pull(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  record->corner_count = 0;
  record->ends_at_last = record->ends_at_connection = false;
  record->corners_are_valid = true;
  record->pulled_from[0] = position[0];
  record->pulled_from[1] = position[2];
  if (record->way.count > 0) find_corners(crowd, record, position);
}
