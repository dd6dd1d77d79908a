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

bool wm_mesh_find_crossing(const WmMesh *mesh, WmRef before, WmRef link, WmRef after,
                           WmLinkCrossing *crossing) {
  *crossing = (WmLinkCrossing){0};
  const WmMeshTile *set = wm_mesh_tile_of(mesh, link);
  if (!set || !wm_is_segment_link(set)) return false;
  const uint32_t number = wm_ref_polygon(link);
  for (uint32_t entry = 0; entry < (set->segments[number].bidirectional ? 2u : 1u); entry++) {
    if (find_from(set, number, entry, before, after, crossing)) return true;
  }
  *crossing = (WmLinkCrossing){0};
  return false;
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

WmPlaneMotion wm_link_crossing_unfold(const WmLinkCrossing *crossing, WmPlaneMotion motion) {
  const float(*to)[3] = segment_of(crossing, 0), (*from)[3] = segment_of(crossing, 1);
  const double to_x = (double)to[1][0] - (double)to[0][0], to_z = (double)to[1][2] - (double)to[0][2];
  const double from_x = (double)from[1][0] - (double)from[0][0],
               from_z = (double)from[1][2] - (double)from[0][2];
  const double squared = sqrt((to_x * to_x + to_z * to_z) * (from_x * from_x + from_z * from_z));
  double cosine = (from_x * to_x + from_z * to_z) / squared, sine = (from_x * to_z - from_z * to_x) / squared;
  if (cosine > 0 && fabs(sine) < NO_ROTATION) {
    cosine = 1;
    sine = 0;
  }
  /* The middles of both segments are laid on each other. */
  const double at_x = 0.5 * ((double)from[0][0] + (double)from[1][0]),
               at_z = 0.5 * ((double)from[0][2] + (double)from[1][2]);
  const double x = 0.5 * ((double)to[0][0] + (double)to[1][0]) - (cosine * at_x - sine * at_z);
  const double z = 0.5 * ((double)to[0][2] + (double)to[1][2]) - (sine * at_x + cosine * at_z);
  return (WmPlaneMotion){
      motion.cosine * cosine - motion.sine * sine, motion.sine * cosine + motion.cosine * sine,
      motion.cosine * x - motion.sine * z + motion.x, motion.sine * x + motion.cosine * z + motion.z};
}

void wm_plane_motion_apply(const WmPlaneMotion *motion, const float point[3], float moved[3]) {
  const double x = (double)point[0], z = (double)point[2];
  moved[0] = (float)(motion->cosine * x - motion->sine * z + motion->x);
  moved[1] = point[1];
  moved[2] = (float)(motion->sine * x + motion->cosine * z + motion->z);
}
