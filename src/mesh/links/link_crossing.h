/* Crossing a segment link: where a corridor enters and leaves it, and the motion that lays its far side against the near
 * one. For string pulling, searches, corridors and agents.
 *
 * A crossing leads from the polygon before the link over one of its segments, the entry, to the other one, the exit, which
 * lies on the polygon after it. It is open where both polygons' intervals overlap. `across` counts as in WmSegmentLink, in
 * both directions. */
#ifndef WALKMESH_MESH_LINK_CROSSING_H
#define WALKMESH_MESH_LINK_CROSSING_H

#include "mesh/links/segment_links.h"

/* Intervals that overlap less than this can't be passed. */
#define WM_LINK_OVERLAP 1e-4f

typedef struct WmLinkCrossing {
  const WmSegmentLink *link;
  uint32_t entry;  /* the segment it is entered over: 0 near, 1 far */
  float low, high; /* the open interval; low <= high */
} WmLinkCrossing;

/* True if a polygon is a segment link. */
static inline bool wm_is_segment_link(const WmMeshTile *tile) { return tile->segments != NULL; }

/* True if agents that come onto a link over one tie can leave it over another one. */
static inline bool wm_do_ties_meet(const WmLinkTie *entry, const WmLinkTie *exit) {
  const float low = entry->low > exit->low ? entry->low : exit->low;
  const float high = entry->high < exit->high ? entry->high : exit->high;
  return entry->end != exit->end && high - low >= WM_LINK_OVERLAP;
}

/* Finds the crossing of a corridor over a link.
 * in         before, after: polygons of the corridor on both sides; 0: the corridor begins, or ends, on the link
 * out        *crossing: zeroed on failure
 * returns    false: `link` is no segment link, or can't be crossed between those polygons
 * cost       O(ties of the link) */
bool wm_mesh_find_crossing(const WmMesh *mesh, WmRef before, WmRef link, WmRef after,
                           WmLinkCrossing *crossing);

/* The same over a given entry. */
bool wm_mesh_find_crossing_from(const WmMesh *mesh, uint32_t entry, WmRef before, WmRef link, WmRef after,
                                WmLinkCrossing *crossing);

/* The tie of a link that leads from a ground polygon onto a set, and of one that leads off a set.
 * in         set: the set; number: the link; link: a WmLink from the ground polygon, or of the set */
static inline const WmLinkTie *wm_link_entry_tie(const WmMeshTile *set, const WmLink *link) {
  return &set->ties[set->tie_first[link->polygon] + link->side / 2u - 1];
}
static inline const WmLinkTie *wm_link_exit_tie(const WmMeshTile *set, uint32_t number, const WmLink *link) {
  const WmLinkTie *tie = &set->ties[set->tie_first[number]];
  while (!tie->is_exit || tie->slot != link->slot || tie->polygon != link->polygon || tie->end != link->edge)
    tie++;
  return tie;
}

/* The crossing from one tie to another.
 * in         entry NULL: the exit's interval alone decides
 * returns    false: they don't meet */
static inline bool wm_link_crossing_between(const WmMeshTile *set, uint32_t number, const WmLinkTie *entry,
                                            const WmLinkTie *exit, WmLinkCrossing *crossing) {
  *crossing = (WmLinkCrossing){&set->segments[number], 1u - exit->end, exit->low, exit->high};
  if (!entry) return true;
  crossing->low = entry->low > exit->low ? entry->low : exit->low;
  crossing->high = entry->high < exit->high ? entry->high : exit->high;
  return wm_do_ties_meet(entry, exit);
}

/* The entry (side 0) or exit (1) at `across`. */
void wm_link_crossing_point(const WmLinkCrossing *crossing, uint32_t side, float across, float point[3]);

/* The portal at the entry (side 0) or exit (1): left and right end as seen by an agent that crosses. */
void wm_link_crossing_portal(const WmLinkCrossing *crossing, uint32_t side, float portal[6]);

/* `across` of the point of the entry's (or exit's) open interval that is nearest to a point on x and z. */
float wm_link_crossing_nearest(const WmLinkCrossing *crossing, uint32_t side, const float point[3]);

/* Crosses a link from a point of the entry segment: along it to the nearest point where it is open, then over it.
 * returns    the distance along the segment */
float wm_link_crossing_land(const WmLinkCrossing *crossing, const float from[3], float landing[3]);

/* A motion of the plane: mirrored at the axis of x or not, rotated by (cosine, sine), then translated. */
typedef struct WmPlaneMotion {
  double cosine, sine, x, z;
  bool is_mirrored;
} WmPlaneMotion;

#define WM_NO_MOTION ((WmPlaneMotion){1, 0, 0, 0, false})

/* How far a point lies in front of the entry (side 0) or exit (1), times its length: on the side to which an agent that crosses
 * looks. Below 0: behind it. */
float wm_link_crossing_find_side(const WmLinkCrossing *crossing, uint32_t side, const float point[3]);

/* The motion of the plane behind a crossing to the plane into which `motion` moves the plane in front of it, so that the exit
 * lies on the entry. A translation has the rotation (1, 0) exactly.
 * in         mirrors: the plane behind is mirrored at the exit, for paths that come and go on the same side */
WmPlaneMotion wm_link_crossing_unfold(const WmLinkCrossing *crossing, WmPlaneMotion motion, bool mirrors);

/* Moves a point; heights stay. */
void wm_plane_motion_apply(const WmPlaneMotion *motion, const float point[3], float moved[3]);

#endif
