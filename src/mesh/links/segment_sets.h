/* Sets of segment links: their records, and the ground that their segments lie on. For the files of this folder.
 *
 *   segment_links.c      sets of links: put, read, switched on and off
 *   segment_ties.c       the ground polygons that segments lie on, and plans of the links between them
 *   segment_geometry.c   points, widths, lengths and motions of one link
 *
 * A link is a polygon of its set. A tie is an interval of one of its segments that lies on a ground polygon. From each tie over
 * which agents can enter, a link leads from the ground to the polygon; from the polygon, links lead to the ties where they
 * can leave it. A tie of one segment is used only if a tie of the other one overlaps it: a link with no ground on one side
 * isn't entered.
 *
 * A polygon has a search state for each tie that can be entered, and one in front of them for searches that start on the
 * link. So a search knows the interval through which it has come, and leaves only through intervals that overlap it. */
#ifndef WALKMESH_MESH_SEGMENT_SETS_H
#define WALKMESH_MESH_SEGMENT_SETS_H

#include "mesh/links/segment_links.h"
#include "mesh/mesh_internal.h"

/* The box of tile places that one segment of each link of a set can be tied to, on x and z. */
typedef struct WmPlaceBox {
  int32_t first[2], last[2]; /* last < first: none */
} WmPlaceBox;

/* The set of a place. */
typedef struct WmLinkSet {
  WmTileRecord record; /* first */
  int32_t x, z;
  uint32_t number; /* see wm_mesh_put_links */
  float
      least_cost; /* the least cost of a world unit of distance between both ends of an enabled link, at most 1 */
  WmPlaceBox boxes[2];     /* of all near segments, of all far ones */
  WmSegmentLink *links;    /* [polygon_count] */
  uint32_t *tie_first;     /* [polygon_count + 1] */
  uint32_t *planned_first; /* of the current plan */
  WmBuffer ties, planned;  /* WmLinkTie */
} WmLinkSet;

/* Frees a set that isn't in a mesh. */
void wm_link_set_free(WmContext *context, WmLinkSet *set);

static inline WmLinkSet **wm_mesh_link_sets(const WmMesh *mesh) { return mesh->link_sets.items; }

/* Plans all ties and links of a set again; plans to drop its present ones.
 * in         changed: x and z of the only place whose tiles change; NULL: the set has no ties yet; coming: a tile that is about to be
 *            inserted there, or NULL */
void wm_plan_link_set(WmLinkPlan *plan, WmLinkSet *set, const int32_t *changed, WmTileRecord *coming);

/* Plans to drop all links of a set. */
void wm_plan_link_set_removal(WmLinkPlan *plan, WmLinkSet *set);

/* Computes the boxes of places of a set. */
void wm_link_set_find_boxes(const WmMesh *mesh, WmLinkSet *set);

/* Replaces the ties of a set by the planned ones. Can't fail. */
void wm_link_set_apply_ties(WmMesh *mesh, WmLinkSet *set);

/* Number of ties of a set. */
static inline uint32_t wm_link_set_tie_count(const WmLinkSet *set) {
  return set->tie_first[set->record.tile.polygon_count];
}

/* True if a set can be tied to tiles of a place. */
bool wm_link_set_is_around(const WmLinkSet *set, int32_t x, int32_t z);

/* Stores the places of links that are off, without switching any.
 * returns    as wm_mesh_set_links_off */
WmStatus wm_mesh_store_links_off(WmMesh *mesh, const WmLinkOff *off, size_t count);

/* True if ties, states and links of a set agree. */
bool wm_link_set_validate(const WmMesh *mesh, const WmLinkSet *set);

#endif
