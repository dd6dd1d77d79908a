/* A tree of bounding boxes over numbered segments of the x-z plane: which of them may touch a given segment
 * or triangle, and which is nearest to a point?
 *
 * Leaf i is segment i (or empty); every inner node bounds its two children. Numbers follow rings, and
 * neighbours on a ring are near each other, so boxes are tight without any sorting. A leaf can be changed at
 * any time, at O(log n). Queries give a superset of the segments wanted; the caller's exact test decides.
 * Segments that are but a point (few or none) are shown to every query, and all segments to a query that is
 * but a point, since exact tests may say yes to them. Coordinates are within 2^30 of 0. Memory is scratch
 * memory: 32 bytes a leaf. */
#ifndef WALKMESH_BAKE_BOX_TREE_H
#define WALKMESH_BAKE_BOX_TREE_H

#include "bake/geometry/planar.h"
#include "base/context.h"
#include "base/simd.h"

/* Least x, least z, -most x, -most z: bounding is a minimum, and boxes overlap where one vector comparison
 * says so. Of a segment that is but a point: everywhere. */
typedef struct WmPlanarBox {
  int32_t bound[4];
} WmPlanarBox;

typedef struct WmBoxTree {
  WmPlanarBox *boxes;  /* [2 * leaf_count] node k has children 2k and 2k + 1; the root is 1 */
  uint32_t leaf_count; /* a power of two; leaf i is node leaf_count + i */
} WmBoxTree;

/* Prepares a tree of `count` empty leaves. */
WmStatus wm_box_tree_start(WmContext *context, size_t count, WmBoxTree *tree);

/* Changes a leaf. */
void wm_box_tree_set(WmBoxTree *tree, uint32_t leaf, const WmPlanarPoint *a, const WmPlanarPoint *b);
void wm_box_tree_clear(WmBoxTree *tree, uint32_t leaf);

/* The bounds of nothing: four equal bytes, beyond any coordinate. */
#define WM_BOX_EMPTY 0x7f7f7f7f

/* A query at work: it wants what is within a box and on the inner side of lines. */
typedef struct WmBoxWalk {
  const WmBoxTree *tree;
  WmInt4 bound;                /* most x, most z, -least x, -least z */
  const WmPlanarPoint *points; /* [point_count] boxes all on the outer side of a line are out */
  int point_count;
  int waiting_count;
  uint32_t waiting[33]; /* at most one a level, of 32, and the root */
} WmBoxWalk;

#define WM_NO_LEAF UINT32_MAX

/* Asks for the segments that may touch a segment (two points), or have a point inside a triangle (three:
 * wm_planar_area of them is negative). The points stay until the walk ends, and the tree
 * as it is. */
void wm_box_walk_start(WmBoxWalk *walk, const WmBoxTree *tree, const WmPlanarPoint *points, int count);

/* The next of them, WM_NO_LEAF after the last. */
uint32_t wm_box_walk_next(WmBoxWalk *walk);

#endif
