/* The search in cones: cones, and the one that is expanded. For the files of this folder.
 *
 *   shortest.c       the search
 *   link_cones.c     cones over segment links
 *   cone_corners.c   the corners that strings turn at (cone_corners.h)
 *   cone_crossings.c crossings of segment links (cone_crossings.h)
 *   cone_string.c    the corridor and the corners of its result
 *   dead_ends.c      polygons that the search need not enter (dead_ends.h)
 *   patches.c        polygons that it enters as one (patches.h)
 *   unreachable.c    ground that searches have left no way out of (unreachable.h) */
#ifndef WALKMESH_QUERY_SHORTEST_INTERNAL_H
#define WALKMESH_QUERY_SHORTEST_INTERNAL_H

#include "base/simd.h"
#include "query/search/search_internal.h"

/* ---- Points and directions ---------------------------------------------------------------------------- */

/* Twice the area between two directions; positive where b lies to the left of a. */
WM_INLINE double wm_cone_cross(WmConeVector a, WmConeVector b) { return a.x * b.z - b.x * a.z; }

WM_INLINE WmConeVector wm_cone_subtract(WmConeVector a, WmConeVector b) {
  return (WmConeVector){a.x - b.x, a.z - b.z};
}

WM_INLINE double wm_cone_length(WmConeVector a) { return sqrt(a.x * a.x + a.z * a.z); }

WM_INLINE double wm_cone_sum(WmConeVector a) { return fabs(a.x) + fabs(a.z); }

/* The direction from a point to a vertex. */
WM_INLINE WmConeVector wm_cone_direct(WmConeVector from, const float to[3]) {
  return (WmConeVector){(double)to[0] - from.x, (double)to[2] - from.z};
}

/* Ends of portals nearer to a ray than this, relative to their coordinates, lie on it: floats are no finer. */
#define WM_CONE_NEAR 2e-7

/* Ends of portals nearer to the root than this times that are the root. */
#define WM_CONE_TOUCHING 2

/* Costs of one way, added up along different polygons, differ less than this, relative to the cost. */
#define WM_CONE_SAME 1e-11

/* ---- Cones -------------------------------------------------------------------------------------------- */

typedef enum WmConeKind {
  WM_CONE_PORTAL, /* enters the patch of its polygon through a part of a portal */
  WM_CONE_JOINED, /* enters its polygon from another one of the patch: only CROSSED cones make such ones */
  WM_CONE_CROSSED, /* the same over a segment link, whose polygon its parent stands for; its ends are no ends of portals */
  WM_CONE_POINT, /* stands at its root in the patch of its polygon: the start, or an end of a connection or segment link */
  WM_CONE_ARRIVED /* the root is the last corner before the end */
} WmConeKind;

typedef struct WmCone {
  double cost; /* from the start to the root */
  float root[2];
  /* A point on the left and on the right ray: x of both, z of both. POINT: y of the root, then x and z of the corner before it. */
  float rays[4];
  /* Corners at the ends of the portal, left and right; WM_NO_CORNER: to be looked up. Of a cone over a segment link: the first
   * is the way over it, as in WM_QUERY_LINKS, and the second of a POINT where, as there. */
  uint32_t ends[2];
  uint32_t slot, polygon; /* it enters */
  /* At the root; WM_NO_CORNER: the start, or a root that was laid over a segment link. Of a CROSSED cone, and of a PORTAL one that was
   * expanded: the cone before it in its list (WmConeLink.window). */
  uint32_t corner;
  uint32_t parent, link; /* it comes from, through this link of its tile */
  /* Bits, left and right. has: the ray ends at the portal's end; else the portal goes on beyond it. is_before: the point on
   * the ray lies before the root: it is the former root. */
  uint8_t has, is_before;
  uint8_t kind; /* WmConeKind */
} WmCone;

_Static_assert(sizeof(WmCone) == WM_CONE_BYTES, "query.c knows it");
_Static_assert(offsetof(WmCone, rays) == 16 && offsetof(WmCone, corner) == 48,
               "add_part copies 16 bytes at once");

enum { WM_CONE_LEFT, WM_CONE_RIGHT };

WM_INLINE bool wm_cone_has_end(const WmCone *cone, int side) { return cone->has >> side & 1; }

/* Cones that a portal is divided into, at most. */
enum { WM_CONE_PARTS = 3 };

WM_INLINE WmCone *wm_cones_of(const WmSearchState *state) { return state->cones.items; }

WM_INLINE WmConeVector wm_cone_root(const WmCone *cone) {
  return (WmConeVector){(double)cone->root[0], (double)cone->root[1]};
}

/* Two directions, left and right: those of rays, or to the ends of a portal. */
typedef struct WmConePair {
  WmDouble2 x, z;
} WmConePair;

/* The directions from a point to two others.
 * in         to: x of both, z of both */
WM_INLINE WmConePair wm_cone_pair(WmConeVector from, const float to[4]) {
  const WmFloat4 points = wm_load_float4(to);
  return (WmConePair){wm_widen_low_float4(points) - wm_splat_double2(from.x),
                      wm_widen_high_float4(points) - wm_splat_double2(from.z)};
}

WM_INLINE WmConeVector wm_cone_side(WmConePair pair, int side) {
  return (WmConeVector){pair.x[side], pair.z[side]};
}

/* wm_cone_cross, wm_cone_length and wm_cone_sum of both. */
WM_INLINE WmDouble2 wm_cone_pair_cross(WmConePair a, WmConePair b) { return a.x * b.z - b.x * a.z; }
WM_INLINE WmDouble2 wm_cone_pair_length(WmConePair a) { return wm_sqrt_double2(a.x * a.x + a.z * a.z); }
WM_INLINE WmDouble2 wm_cone_pair_sum(WmConePair a) { return wm_abs_double2(a.x) + wm_abs_double2(a.z); }

/* Negative of what lies to the left: so both sides are compared alike. */
#define WM_CONE_OUTWARD ((WmDouble2){1, -1})

/* The rays, as directions from the root. */
WM_INLINE WmConePair wm_cone_rays(const WmCone *cone) {
  static const WmDouble2 signs[4] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
  const WmConePair rays = wm_cone_pair(wm_cone_root(cone), cone->rays);
  return (WmConePair){rays.x * signs[cone->is_before], rays.z * signs[cone->is_before]};
}

/* ---- The cone that is expanded ------------------------------------------------------------------------ */

/* The root of new cones. */
typedef struct WmConeRoot {
  double cost;
  float point[2]; /* the two as in WmCone: x, z */
  WmConeVector at;
  uint32_t corner;
} WmConeRoot;

_Static_assert(offsetof(WmConeRoot, at) == 16, "add_part copies 16 bytes at once");

WM_INLINE WmConeRoot wm_cone_root_at(const float point[2], double cost, uint32_t corner) {
  return (WmConeRoot){cost, {point[0], point[1]}, {(double)point[0], (double)point[1]}, corner};
}

/* A link of the polygon to a point: WmCone.link, slot, polygon and ends. */
typedef struct WmConeExit {
  uint32_t link, slot, polygon;
  uint32_t ends[2];
} WmConeExit;

/* A cone that is expanded, and what its polygon's portals need. */
typedef struct WmConeEntry {
  WmSearchState *state;
  const WmMeshTile *tile;
  const WmCone *cone;
  uint32_t number;
  WmConeRoot root;
  WmConePair rays; /* from the root */
  uint32_t slot;   /* of the tile */
  uint32_t left;   /* the polygon of another tile that the cone comes from, if it comes through a portal */
  WmDeadEnd *dead_ends; /* of the tile's ground polygons */
  const WmPatchPolygon *patches;
  WmConeLink *links; /* of the tile */
  const WmPatchExit *exits;
  size_t exit_count;  /* links that an expansion follows, at most */
  WmDouble2 near;     /* how far the points that the left, the right ray leads through may lie off */
  WmDouble2 lengths;  /* sums of the rays' numbers */
  WmDouble2 widths;   /* near times lengths */
  WmConeRoot ends[2]; /* the roots where the string turns at the left, the right end */
  int8_t turns[2];    /* it can turn there: 1 yes, 0 no, -1 not yet known */
  /* Cones that the expansion has made but not yet opened: `lone`, NO_CONE if there is none, and from `pending` on. A cone that is
   * the only one isn't opened, but held. */
  uint32_t lone, pending;
  bool has_opened;
  bool sees_all; /* the root lies in the polygon, or on its outline */
  /* The polygon goes on behind the segment link's segment over which the cone enters it, or the root lies just before that: behind it, the cone
   * isn't. */
  bool is_cut;
  /* Its rays surely have two directions, but an end lies so near to the root that it seems to be on both rays. */
  bool is_blunt;
  WmConeVector front; /* then, the direction to where the cone is, of length 1 */
  double depth;       /* how far the segment lies from the root in that direction */
  double slack;       /* and how far behind it a point still counts as on it */
  WmStatus status;    /* the first failure */
} WmConeEntry;

/* ---- shortest.c --------------------------------------------------------------------------------------- */

/* Reserves memory for the cones of one expansion.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_cones_grow(WmSearchState *state, size_t more);
WM_INLINE WmStatus wm_cones_reserve(WmSearchState *state, size_t more) {
  /* The open list has at most as many keys as there are cones. */
  return state->cones.count + more <= state->cones.room ? WM_OK : wm_cones_grow(state, more);
}

/* The place of the next cone; NULL: there may be no more. */
WM_INLINE WmCone *wm_cones_add(WmSearchState *state) {
  WmConeSearch *search = &state->cones;
  if (search->count < search->limit) return wm_cones_of(state) + search->count;
  if (!state->limited) search->stopped = search->taken;
  state->limited = state->refused = true;
  return NULL;
}

/* Opens the cone at the place of the next one.
 * in         portal: that the cone passes: x of its left and right end, z of both */
void wm_cones_push(WmConeEntry *entry, const float portal[4]);

/* Prepares for a cone at the next place that will not be opened. Sets `pending` behind it. */
void wm_cones_part(WmConeEntry *entry);

/* Opens a cone that stands at a point, or has arrived, unless a shorter way leads to it.
 * in         at: the point; of ARRIVED, the last corner of the string; cost: INFINITY: none; from: the corner before it; parent: the cone
 *            it comes from */
void wm_cones_push_point(WmConeEntry *entry, uint32_t parent, const float at[3], double cost,
                         WmConeVector from, const WmConeExit *exit, WmConeKind kind);

/* The cost of the shortest line from the start through the cone to a point of the polygon; INFINITY if it would have
 * to turn where it can't.
 * out        *from: the last corner of the line */
double wm_cones_measure_to(WmConeEntry *entry, const float to[3], WmConeVector *from);

/* True if a point between the rays lies before the cone's portal: the shortest line that leads there through it is longer than the straight
 * one.
 * in         to: the point, from the root; slack: by more than this */
bool wm_cones_is_before(const WmConeEntry *entry, WmConeVector to, double slack);

/* True if the string can turn at an end of the cone's portal, and no shorter way leads there. */
bool wm_cones_turn_at(WmConeEntry *entry, int side);

/* True if the cones of a list reach all of a cone's part of a segment on ways that are as short. Both its ends alone don't tell: the
 * points where one of two roots is nearer lie inside a hyperbola.
 * in         number: of the first cone of the list, WM_NO_CORNER: none; part: the ends; slack: of costs, relative to them;
 *            below 0: they are shorter */
bool wm_cones_are_before(const WmSearchState *state, uint32_t number, const WmCone *cone,
                         const WmConeVector part[2], double slack);

/* What is stored of a tile that the search has met. */
WM_INLINE const WmCornerTile *wm_cones_tile(const WmSearchState *state, uint32_t slot) {
  return (const WmCornerTile *)state->query->arrays[WM_QUERY_CORNER_TILES].items + slot;
}

/* The polygon that a cone comes from: of the patch that its parent entered, the one that its link leaves. */
uint32_t wm_cones_left(const WmSearchState *state, const WmCone *cone);

/* The same where the parent, and its tile, are known. */
WM_INLINE uint32_t wm_cones_left_by(const WmSearchState *state, const WmCone *cone, const WmCone *parent,
                                    const WmMeshTile *tile) {
  if (cone->link == WM_NO_LINK || parent->polygon >= tile->ground_count) return parent->polygon;
  return wm_cones_tile(state, parent->slot)->links[cone->link].from;
}

/* ---- cone_string.c ------------------------------------------------------------------------------------ */

/* The corridor of a string, in arrays of the query. */
typedef struct WmConeString {
  const WmRef *polygons;
  const uint32_t *links; /* as WM_QUERY_LINKS */
  size_t count;
  bool has_links; /* it crosses connections or segment links */
  float length;   /* on x and z, without the gaps of segment links; 0: it doesn't matter */
} WmConeString;

/* Writes the corridor to a cone that has arrived, and its corners to WM_QUERY_TURNS.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_cones_write(const WmSearchState *state, uint32_t last, WmConeString *string);

/* ---- link_cones.c ------------------------------------------------------------------------------------- */

/* Makes the cones over a segment link.
 * in         number: of the link of the entry's tile onto it */
void wm_cones_cross(WmConeEntry *entry, uint32_t number);

/* Prepares a CROSSED cone: finds if its polygon must be cut.
 * in/out     entry: its rays are set */
void wm_cones_cut(WmConeEntry *entry);

/* True if a point lies where a cone isn't, up to rounding of segments and ground. */
WM_INLINE bool wm_cone_is_behind(const WmConeEntry *entry, WmConeVector at) {
  return at.x * entry->front.x + at.z * entry->front.z < entry->depth - entry->slack;
}

#endif
