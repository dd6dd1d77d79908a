/* Crossings of segment links, as cones need them. Each is measured once, and stored until the mesh or the flags of the filter
 * change. */
#ifndef WALKMESH_QUERY_CONE_CROSSINGS_H
#define WALKMESH_QUERY_CONE_CROSSINGS_H

#include "query/shortest/cone_corners.h"

/* A point or a direction on x and z. */
typedef struct WmConeVector {
  double x, z;
} WmConeVector;

/* A segment as a frame, as seen by an agent that crosses: its middle, and the directions to its right end and forward, of
 * length 1. */
typedef struct WmConeFrame {
  WmConeVector middle, right, forward;
} WmConeFrame;

/* A link onto a segment link, and one off it. */
typedef struct WmConeCrossing {
  WmConeFrame frames[2];        /* of the whole near and far segment */
  float near[6], far[6];        /* where it is open: left and right end on both sides */
  float before[6];              /* the ends of `near`, moved onto the polygon that the string comes from */
  double slack;                 /* how far ground may lie behind the far segment at its border */
  double sum;                   /* of the numbers of its end that is farther from the origin */
  uint32_t corners[2];          /* at the left and right end of `far` */
  uint32_t window, stamp;       /* the last cone that has crossed, and its search: as those of WmConeLink */
  uint32_t link, slot, polygon; /* off the segment link, and where it leads */
  uint8_t segment;              /* WmLinkCrossing.entry */
  bool is_closed;               /* the polygon doesn't pass the filter: nothing else is set */
  bool sides[2];                /* the polygon lies in front of the far segment, behind it */
} WmConeCrossing;

/* Finds the crossings that a link onto a segment link begins, unless they are known.
 * in         ground: the tile whose link it is; stored: the link
 * out        stored->found: the first crossing, and their number
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_cone_crossings_find(struct WmQuery *query, const WmFilter *filter, const WmMeshTile *ground,
                                WmConeLink *stored);

/* The point of the polygon at an end of a link that a string leaves or lands at: segments may end up to a thousandth of a cell beside
 * ground, where the polygon's portals would be seen from outside. */
void wm_cone_landing(const struct WmQuery *query, uint32_t slot, uint32_t polygon, const float at[3],
                     float on_ground[3]);

#endif
