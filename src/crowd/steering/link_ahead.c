/* The segment link ahead of an agent: where its path enters it, and where the agent takes off.
 *
 * A path enters where both polygons of the corridor allow it. But an agent takes off anywhere along the segment: a place beside the
 * one that it walks to is as good, since on the far side it is as much nearer to, or farther from, where the path leads. So
 * agents that are pushed aside take off where they are, and many cross side by side. Which of them take off is decided in
 * link_queue.c. */
#include "crowd/crowd_internal.h"
#include "mesh/locate.h"
#include "query/local/ray_walk.h"

/* The part of a link's width that the agent keeps from both ends. Links are checked for agents of the mesh's radius, whose centre
 * may be at the very end. */
static float find_margin(const WmCrowd *crowd, const WmAgentRecord *record, const WmSegmentLink *link) {
  const float larger =
      record->parameters.radius - wm_mesh_parameters(wm_agent_mesh(crowd, record)->mesh)->agent_radius;
  const float distance =
      larger > record->parameters.wall_distance ? larger : record->parameters.wall_distance;
  const float margin = distance / wm_segment_link_width(link);
  return margin < WM_CROWD_LINK_MARGIN ? margin : WM_CROWD_LINK_MARGIN;
}

static float clamp(float value, float low, float high) {
  return value < low ? low : value > high ? high : value;
}

/* Narrows a crossing to where the agent keeps its distance from the ends; if it is open only near one, to the point of it
 * that is farthest from that. */
static void keep_off_ends(const WmCrowd *crowd, const WmAgentRecord *record, WmLinkCrossing *crossing) {
  const float margin = find_margin(crowd, record, crossing->link), low = crossing->low, high = crossing->high;
  crossing->low = clamp(margin, low, high);
  crossing->high = clamp(1 - margin, low, high);
}

/* The polygon on which the corridor lands behind the link that follows `before`. */
static WmRef planned_polygon(const WmCrowd *crowd, WmCorridorCursor before) {
  return wm_agent_corridor_polygon(crowd,
                                   wm_agent_corridor_next(crowd, wm_agent_corridor_next(crowd, before)));
}

/* The crossing as the corridor has it, without margins. */
static bool find_crossing(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor before,
                          WmLinkCrossing *crossing) {
  if (before.index + 2 >= record->corridor.count) return false;
  const WmCorridorCursor link = wm_agent_corridor_next(crowd, before);
  return wm_mesh_find_crossing(wm_agent_mesh(crowd, record)->mesh, wm_agent_corridor_polygon(crowd, before),
                               wm_agent_corridor_polygon(crowd, link),
                               wm_agent_corridor_polygon(crowd, wm_agent_corridor_next(crowd, link)),
                               crossing);
}

bool wm_crowd_find_link(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor before,
                        WmLinkCrossing *crossing) {
  if (!find_crossing(crowd, record, before, crossing)) return false;
  keep_off_ends(crowd, record, crossing);
  return true;
}

void wm_crowd_note_link(const WmCrowd *crowd, WmAgentRecord *record, const WmLinkCrossing *crossing) {
  WmLinkCrossing whole = {.link = crossing->link, .entry = crossing->entry, .low = 0, .high = 1};
  float ends[6];
  keep_off_ends(crowd, record, &whole);
  wm_link_crossing_portal(&whole, 0, ends);
  record->ends_at_link = true;
  record->link_side = (uint8_t)crossing->entry;
  for (int i = 0; i < 4; i++) record->link_entry[i] = ends[3 * (i / 2) + 2 * (i % 2)];
}

/* ---- Taking off --------------------------------------------------------------------------------------- */

/* The polygon at the far end of a straight way on the ground: from where the corridor lands to where an agent lands that crosses at
 * `across`; 0: something is between. */
static WmRef find_ground_beside(const WmCrowd *crowd, const WmAgentRecord *record,
                                const WmLinkCrossing *planned, WmRef landing, float across) {
  float from[3], to[3];
  wm_link_crossing_point(planned, 1, clamp(across, planned->low, planned->high), from);
  wm_link_crossing_point(planned, 1, across, to);
  WmRayWalk ray = {.context = crowd->context,
                   .mesh = wm_agent_mesh(crowd, record)->mesh,
                   .filter = wm_agent_filter(crowd, record)};
  const bool is_free = wm_ray_walk(&ray, landing, from, to) == WM_OK && !ray.hit && !ray.outside;
  return is_free ? ray.polygon : 0;
}

/* The ground on which an agent lands that crosses at take_off->across, beside where its corridor does; false if there is none, none
 * where it takes off, or no straight way on the ground to where the corridor lands: it may be the ground of another yard.
 * in         planned: the crossing that leads from the polygon at `before` */
static bool find_landing(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor before,
                         const WmLinkCrossing *planned, WmTakeOff *take_off) {
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmMeshTile *set = wm_mesh_tile_of(mesh, record->next_connection);
  const uint32_t link = wm_ref_polygon(record->next_connection);
  const WmRef ground =
      find_ground_beside(crowd, record, planned, planned_polygon(crowd, before), take_off->across);
  bool is_ground = false;
  take_off->landing = 0;
  for (uint32_t i = set->tie_first[link]; ground && i < set->tie_first[link + 1]; i++) {
    const WmLinkTie *tie = &set->ties[i];
    if (take_off->across < tie->low || take_off->across > tie->high) continue;
    if (tie->end == planned->entry) {
      is_ground = is_ground || tie->is_entry;
    } else if (tie->is_exit && wm_mesh_tile(mesh, tie->slot)->ref + tie->polygon == ground) {
      take_off->landing = ground;
    }
  }
  return is_ground && take_off->landing;
}

bool wm_crowd_can_land(const WmCrowd *crowd, const WmAgentRecord *record, float across) {
  WmTakeOff take_off = {.across = across};
  WmCorridorCursor before;
  WmLinkCrossing planned;
  if (!wm_crowd_find_before(crowd, record, &before) || !find_crossing(crowd, record, before, &planned))
    return false;
  return find_landing(crowd, record, before, &planned, &take_off);
}

bool wm_crowd_find_take_off(const WmCrowd *crowd, size_t index, WmCorridorCursor before,
                            WmTakeOff *take_off) {
  const WmAgentRecord *record = &crowd->records[index];
  const float chosen[3] = {record->link_aim[0], 0, record->link_aim[1]};
  const float *at = record->takes_off ? chosen : crowd->positions + 3 * index;
  WmLinkCrossing *crossing = &take_off->crossing, planned;
  if (!find_crossing(crowd, record, before, &planned)) return false;
  *crossing = (WmLinkCrossing){.link = planned.link, .entry = planned.entry, .low = 0, .high = 1};
  keep_off_ends(crowd, record, crossing);
  take_off->across = wm_link_crossing_nearest(crossing, 0, at);
  const bool is_planned = take_off->across >= planned.low && take_off->across <= planned.high;
  if (!is_planned && find_landing(crowd, record, before, &planned, take_off)) return true;
  keep_off_ends(crowd, record, &planned);
  take_off->across = clamp(take_off->across, planned.low, planned.high);
  take_off->landing = planned_polygon(crowd, before);
  return true;
}

bool wm_crowd_find_planned_landing(const WmCrowd *crowd, const WmAgentRecord *record, float point[3]) {
  const WmMeshTile *set = wm_mesh_tile_of(wm_agent_mesh(crowd, record)->mesh, record->connection);
  if (!record->flight.is_on_link || record->corridor.count == 0 || !set || !wm_is_segment_link(set))
    return false;
  const WmRef first = wm_agent_corridor_polygon(crowd, wm_agent_corridor_begin(&record->corridor));
  const uint32_t link = wm_ref_polygon(record->connection), entry = record->flight.is_reversed;
  const WmLinkCrossing crossing = {.link = &set->segments[link], .entry = entry, .low = 0, .high = 1};
  for (uint32_t i = set->tie_first[link]; i < set->tie_first[link + 1]; i++) {
    const WmLinkTie *tie = &set->ties[i];
    if (tie->end == entry ||
        wm_mesh_tile(wm_agent_mesh(crowd, record)->mesh, tie->slot)->ref + tie->polygon != first)
      continue;
    /* Inside the polygon: at its corner, others lie beside it. */
    const float half = (tie->high - tie->low) / 2,
                corner = WM_CROWD_LINK_INSIDE / wm_segment_link_width(crossing.link);
    const float inset = corner < half ? corner : half;
    wm_link_crossing_point(&crossing, 1, clamp(record->flight.across, tie->low + inset, tie->high - inset),
                           point);
    return true;
  }
  return false;
}

bool wm_crowd_is_entry(const WmAgentRecord *record, const WmBody *own, const float wall[4]) {
  const float *entry = record->link_entry;
  const float left[3] = {entry[0], 0, entry[1]}, right[3] = {entry[2], 0, entry[3]};
  const float first[3] = {wall[0], 0, wall[1]}, second[3] = {wall[2], 0, wall[3]},
              at[3] = {own->x, 0, own->z};
  float t, beside[3];
  (void)wm_distance_to_segment(at, first, second, &t);
  wm_interpolate(first, second, t, beside);
  return wm_distance_to_segment(beside, left, right, &t) <= WM_CROWD_TOUCHING * WM_CROWD_TOUCHING;
}
