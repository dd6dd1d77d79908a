/* Crossings of corridors over segment links. See link_crossing.h. */
#include "mesh/links/link_crossing.h"

#include <string.h>

#include "base/vector.h"
#include "mesh/locate.h"

/* Rotations by less than this are rounding: the motion is a translation. */
#define NO_ROTATION 1e-4

static bool is_tie_of(const WmLinkTie *tie, WmRef polygon) {
  return tie->slot == wm_ref_slot(polygon) && tie->polygon == wm_ref_polygon(polygon);
}

/* Narrows the crossing to a tie. Returns false if nothing is left. */
static bool narrow(WmLinkCrossing *crossing, const WmLinkTie *tie) {
  if (tie->low > crossing->low) crossing->low = tie->low;
  if (tie->high < crossing->high) crossing->high = tie->high;
  return crossing->high - crossing->low >= WM_LINK_OVERLAP;
}

/* The crossing from `entry` on, whose ties are those of both polygons. */
static bool find_from(const WmMeshTile *set, uint32_t number, uint32_t entry, WmRef before, WmRef after,
                      WmLinkCrossing *crossing) {
  const WmRef sides[2] = {before, after};
  *crossing = (WmLinkCrossing){.link = &set->segments[number], .entry = entry, .low = 0, .high = 1};
  for (uint32_t side = 0; side < 2; side++) {
    bool found = sides[side] == 0;
    for (uint32_t i = set->tie_first[number]; i < set->tie_first[number + 1] && !found; i++) {
      const WmLinkTie *tie = &set->ties[i];
      if (tie->end != (entry ^ side) || !is_tie_of(tie, sides[side])) continue;
      found = (side ? tie->is_exit : tie->is_entry) && narrow(crossing, tie);
      if (!found) return false;
    }
    if (!found) return false;
  }
  return true;
}

/* True if a polygon beside a link is in the mesh, or isn't given: ties know its slot, not its generation. */
static bool is_there(const WmMesh *mesh, WmRef polygon) {
  return polygon == 0 || wm_mesh_tile_of(mesh, polygon);
}

bool wm_mesh_find_crossing_from(const WmMesh *mesh, uint32_t entry, WmRef before, WmRef link, WmRef after,
                                WmLinkCrossing *crossing) {
  const WmMeshTile *set = wm_mesh_tile_of(mesh, link);
  const bool found = set && wm_is_segment_link(set) && is_there(mesh, before) && is_there(mesh, after) &&
                     (entry == 0 || set->segments[wm_ref_polygon(link)].bidirectional) &&
                     find_from(set, wm_ref_polygon(link), entry, before, after, crossing);
  if (!found) *crossing = (WmLinkCrossing){0};
  return found;
}

bool wm_mesh_find_crossing(const WmMesh *mesh, WmRef before, WmRef link, WmRef after,
                           WmLinkCrossing *crossing) {
  return wm_mesh_find_crossing_from(mesh, 0, before, link, after, crossing) ||
         wm_mesh_find_crossing_from(mesh, 1, before, link, after, crossing);
}

/* The segment at the entry (side 0) or exit (1). */
static const float (*segment_of(const WmLinkCrossing *crossing, uint32_t side))[3] {
  return (crossing->entry ^ side) ? crossing->link->end : crossing->link->start;
}

void wm_link_crossing_point(const WmLinkCrossing *crossing, uint32_t side, float across, float point[3]) {
  const float(*segment)[3] = segment_of(crossing, side);
  wm_interpolate(segment[0], segment[1], across, point);
}

/* Agents that cross from the far segment to the near one have `across` 1 on their left. */
void wm_link_crossing_portal(const WmLinkCrossing *crossing, uint32_t side, float portal[6]) {
  const bool is_back = crossing->entry == 1;
  wm_link_crossing_point(crossing, side, is_back ? crossing->high : crossing->low, portal);
  wm_link_crossing_point(crossing, side, is_back ? crossing->low : crossing->high, portal + 3);
}

float wm_link_crossing_nearest(const WmLinkCrossing *crossing, uint32_t side, const float point[3]) {
  const float(*segment)[3] = segment_of(crossing, side);
  float across;
  wm_distance_to_segment(point, segment[0], segment[1], &across);
  return across < crossing->low ? crossing->low : across > crossing->high ? crossing->high : across;
}

float wm_link_crossing_land(const WmLinkCrossing *crossing, const float from[3], float landing[3]) {
  float entry[3];
  const float across = wm_link_crossing_nearest(crossing, 0, from);
  wm_link_crossing_point(crossing, 0, across, entry);
  wm_link_crossing_point(crossing, 1, across, landing);
  return wm_distance(from, entry);
}

float wm_link_crossing_find_side(const WmLinkCrossing *crossing, uint32_t side, const float point[3]) {
  const float(*segment)[3] = segment_of(crossing, side);
  const bool is_back = crossing->entry == 1;
  return wm_find_turn(segment[!is_back], segment[is_back], point);
}

/* `outer` after `inner`. */
static WmPlaneMotion combine(WmPlaneMotion outer, WmPlaneMotion inner) {
  const double sign = outer.is_mirrored ? -1 : 1;
  return (WmPlaneMotion){outer.cosine * inner.cosine - outer.sine * sign * inner.sine,
                         outer.sine * inner.cosine + outer.cosine * sign * inner.sine,
                         outer.cosine * inner.x - outer.sine * sign * inner.z + outer.x,
                         outer.sine * inner.x + outer.cosine * sign * inner.z + outer.z,
                         outer.is_mirrored != inner.is_mirrored};
}

/* A direction on x and z, and the middle, of a segment. */
typedef struct Line {
  double x, z, at_x, at_z;
} Line;

static Line line_of(const float segment[2][3]) {
  const double from_x = (double)segment[0][0], from_z = (double)segment[0][2];
  const double to_x = (double)segment[1][0], to_z = (double)segment[1][2];
  const double x = to_x - from_x, z = to_z - from_z, length = sqrt(x * x + z * z);
  return (Line){x / length, z / length, 0.5 * (from_x + to_x), 0.5 * (from_z + to_z)};
}

/* The motion by a rotation, and a mirror before it, that moves one point to another. */
static WmPlaneMotion move_to(double cosine, double sine, bool is_mirrored, const Line *from, const Line *to) {
  WmPlaneMotion motion = {cosine, sine, 0, 0, is_mirrored};
  const double z = is_mirrored ? -from->at_z : from->at_z;
  motion.x = to->at_x - (cosine * from->at_x - sine * z);
  motion.z = to->at_z - (sine * from->at_x + cosine * z);
  return motion;
}

WmPlaneMotion wm_link_crossing_unfold(const WmLinkCrossing *crossing, WmPlaneMotion motion, bool mirrors) {
  const Line to = line_of(segment_of(crossing, 0)), from = line_of(segment_of(crossing, 1));
  double cosine = from.x * to.x + from.z * to.z, sine = from.x * to.z - from.z * to.x;
  if (cosine > 0 && fabs(sine) < NO_ROTATION) {
    cosine = 1;
    sine = 0;
  }
  WmPlaneMotion rigid = move_to(cosine, sine, false, &from, &to);
  if (mirrors) { /* at the line of the exit */
    const double twice_cosine = from.x * from.x - from.z * from.z, twice_sine = 2 * from.x * from.z;
    rigid = combine(rigid, move_to(twice_cosine, twice_sine, true, &from, &from));
  }
  return combine(motion, rigid);
}

void wm_plane_motion_apply(const WmPlaneMotion *motion, const float point[3], float moved[3]) {
  const double x = (double)point[0], z = motion->is_mirrored ? -(double)point[2] : (double)point[2];
  moved[0] = (float)(motion->cosine * x - motion->sine * z + motion->x);
  moved[1] = point[1];
  moved[2] = (float)(motion->sine * x + motion->cosine * z + motion->z);
}
