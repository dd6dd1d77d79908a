/* A tree of bounding boxes over numbered segments of the x-z plane. It finds segments that may touch a
 * given segment or triangle; its boxes also bound the distance to a point.
 *
 * Leaf i is segment i, or empty; each inner node bounds its two children. Segments are numbered along
 * rings, so adjacent leaves are near each other and boxes are tight without sorting. A leaf can be changed
 * at any time, at O(log n). Queries return a superset of the wanted segments; the caller's exact test
 * decides. Segments of length 0 (few or none) are returned by every query, and a query with a segment of
 * length 0 returns all segments, since exact tests may accept them. Coordinates are within 2^30 of 0.
 * Memory is scratch memory: 32 bytes per leaf. */
#ifndef WALKMESH_BAKE_BOX_TREE_H
#define WALKMESH_BAKE_BOX_TREE_H

#include "bake/geometry/planar.h"
#include "base/context.h"
#include "base/simd.h"

/* Lowest x, lowest z, -highest x, -highest z: a union is a minimum, and one vector comparison tests
 * overlap. A segment of length 0 has a box that contains everything. */
typedef struct WmPlanarBox {
  int32_t bound[4];
} WmPlanarBox;

typedef struct WmBoxTree {
  WmPlanarBox *boxes;  /* [2 * leaf_count] node k has children 2k and 2k + 1; the root is 1 */
  uint32_t leaf_count; /* a power of two; leaf i is node leaf_count + i */
} WmBoxTree;

/* Starts a tree with `count` empty leaves. */
WmStatus wm_box_tree_start(WmContext *context, size_t count, WmBoxTree *tree);

/* Change a leaf. */
void wm_box_tree_set(WmBoxTree *tree, uint32_t leaf, const WmPlanarPoint *a, const WmPlanarPoint *b);
void wm_box_tree_clear(WmBoxTree *tree, uint32_t leaf);

/* The bounds of an empty box: four equal bytes, beyond any coordinate. */
#define WM_BOX_EMPTY 0x7f7f7f7f

/* A query in progress: it returns leaves that overlap a box and aren't on the outer side of a line. */
typedef struct WmBoxWalk {
  const WmBoxTree *tree;
  WmInt4 bound;                /* highest x, highest z, -lowest x, -lowest z */
  const WmPlanarPoint *points; /* [point_count] boxes entirely on the outer side of a line are skipped */
  int point_count;
  int waiting_count;
  uint32_t waiting[33]; /* at most one per level (32), and the root */
} WmBoxWalk;

#define WM_NO_LEAF UINT32_MAX

/* Starts a query for the segments that may touch a segment (two points), or have a point inside a triangle
 * (three points, wm_planar_area of which is negative). Points and tree must not change until the query
 * ends. */
void wm_box_walk_start(WmBoxWalk *walk, const WmBoxTree *tree, const WmPlanarPoint *points, int count);

/* The next leaf, WM_NO_LEAF after the last. */
uint32_t wm_box_walk_next(WmBoxWalk *walk);

#endif
