/* Patches of a tile: polygons that are convex together on x and z. A search in cones enters a patch as if it were one polygon, so
 * it makes no cones through the portals inside.
 *
 * Two patches are joined over an edge if the corners at both its ends stay at most half a turn wide. So the polygons of a patch
 * and the edges that joined them are a tree, and a string that goes from one polygon to another crosses the edges between
 * them in the tree. */
#ifndef WALKMESH_QUERY_PATCHES_H
#define WALKMESH_QUERY_PATCHES_H

#include "query/filter.h"

/* A ground polygon. */
typedef struct WmPatchPolygon {
  uint32_t patch;      /* the root of its tree: the same for all polygons of a patch */
  uint32_t up;         /* the next polygon towards the root; of the root: itself */
  uint32_t first, end; /* links that lead out of the patch, in WmCornerTile.exits */
} WmPatchPolygon;

/* Where a link of a ground polygon leads. */
typedef enum WmConeLinkKind {
  WM_CONE_LINK_INSIDE,   /* to a ground polygon of the same tile */
  WM_CONE_LINK_BORDER,   /* to one of another tile from where the string can go on */
  WM_CONE_LINK_DEAD_END, /* to one that is a dead end */
  WM_CONE_LINK_CLOSED,   /* to one that doesn't pass the filter */
  WM_CONE_LINK_JOINED,   /* to one of the same patch */
  WM_CONE_LINK_ELSEWHERE
} WmConeLinkKind;

/* A link that leads out of a patch. The search reads its portal, the corners at its left and right end, and its target. */
typedef struct WmPatchExit {
  float portal[4];  /* x of both ends, z of both */
  uint32_t ends[2]; /* of a link inside its tile: where the vertex's kind is certain; else WM_NO_CORNER */
  uint32_t slot, polygon; /* that it leads to */
  uint32_t number;        /* of the link in its tile */
  uint32_t kind;          /* WmConeLinkKind */
  uint32_t patch;         /* the same of a ground polygon of the same tile; else UINT32_MAX */
} WmPatchExit;

_Static_assert(offsetof(WmPatchExit, ends) == 16 && offsetof(WmPatchExit, number) == 32,
               "shortest.c copies 16 bytes at once");

/* Polygons of a patch, at most. */
enum { WM_PATCH_LIMIT = 32 };

/* Finds the patches among the polygons that pass the filter. Others are patches of their own.
 * out        polygons [ground_count]: patch and up
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_patches_find(WmContext *context, const WmMeshTile *tile, const WmFilter *filter,
                         WmPatchPolygon *polygons);

/* Lists the links that lead out of each patch, by polygon and link.
 * in/out     polygons [ground_count]: first and end are set
 * out        exits [link_first[ground_count]]: their numbers are set */
void wm_patches_list(const WmMeshTile *tile, WmPatchPolygon *polygons, WmPatchExit *exits);

/* Finds the way between two polygons of a patch.
 * out        way [WM_PATCH_LIMIT]: all polygons of the way
 * returns    their number */
uint32_t wm_patch_way(const WmPatchPolygon *polygons, uint32_t from, uint32_t to, uint32_t *way);

#endif
