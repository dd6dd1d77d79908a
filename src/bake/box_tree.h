/* A tree of bounding boxes over numbered segments of the x-z plane: which of them may touch a given segment
 * or triangle, and which is nearest to a point?
 *
 * Leaf i is segment i (or a point, or empty); every inner node bounds its two children. Numbers follow rings,
 * and neighbours on a ring are near each other, so boxes are tight without any sorting. A leaf can be changed
 * at any time, at O(log n). Queries give a superset of the segments wanted; the caller's exact test decides.
 * Segments that are but a point are shown to every query, and all segments to a query that is but a point,
 * since wm_planar_hit may say yes to them. Memory is scratch memory of the context: 32 bytes a leaf. */
#ifndef WALKMESH_BAKE_BOX_TREE_H
#define WALKMESH_BAKE_BOX_TREE_H

#include "bake/planar.h"
#include "base/context.h"
#include "base/simd.h"

/* Least x, least z, -most x, -most z: bounding is a minimum, and boxes overlap where one vector comparison
 * says so. */
typedef struct WmPlanarBox {
  int32_t bound[4];
} WmPlanarBox;

typedef struct WmBoxTree {
  WmContext *context;
  WmPlanarBox *boxes;  /* [2 * leaf_count] node k has children 2k and 2k + 1; the root is 1 */
  uint32_t leaf_count; /* a power of two; leaf i is node leaf_count + i */
  uint32_t *points;    /* [point_capacity] leaves that are, or were, segments but a point: few or none */
  uint32_t point_count, point_capacity;
} WmBoxTree;

/* Prepares a tree of `count` empty leaves. */
WmStatus wm_box_tree_start(WmContext *context, size_t count, WmBoxTree *tree);

/* Fills leaves one by one before the first query; then wm_box_tree_finish. */
bool wm_box_tree_put(WmBoxTree *tree, uint32_t leaf, WmPlanarPoint a, WmPlanarPoint b);
void wm_box_tree_finish(WmBoxTree *tree);

/* A leaf that is a point for the sake of distances only: not shown to every query. */
void wm_box_tree_put_point(WmBoxTree *tree, uint32_t leaf, WmPlanarPoint point);
void wm_box_tree_set_point(WmBoxTree *tree, uint32_t leaf, WmPlanarPoint point);

/* Changes a leaf; false after recording out-of-memory. */
bool wm_box_tree_set(WmBoxTree *tree, uint32_t leaf, WmPlanarPoint a, WmPlanarPoint b);
void wm_box_tree_clear(WmBoxTree *tree, uint32_t leaf);

static inline bool wm_box_is_empty(const WmPlanarBox *box) { return box->bound[0] == INT32_MAX; }

/* The squared distance from a point to a box. */
static inline int64_t wm_box_distance_squared(const WmPlanarBox *box, WmPlanarPoint point) {
  const int64_t left = (int64_t)box->bound[0] - point.x, right = (int64_t)point.x + box->bound[2];
  const int64_t above = (int64_t)box->bound[1] - point.z, below = (int64_t)point.z + box->bound[3];
  const int64_t x = left > 0 ? left : right > 0 ? right : 0, z = above > 0 ? above : below > 0 ? below : 0;
  return x * x + z * z;
}

/* Answers whether to stop the visit. */
typedef bool (*WmLeafTest)(void *user, uint32_t leaf);

/* Where the boxes may be that a query is interested in: within a box, and on the inner side of lines. */
typedef struct WmBoxQuery {
  WmInt4 bound; /* most x, most z, -least x, -least z */
  int line_count;
  struct {
    int64_t x, z, offset; /* boxes with x * px + z * pz + offset > 0 all over are out */
  } lines[3];
} WmBoxQuery;

static inline WmBoxQuery wm_box_query(WmPlanarPoint a, WmPlanarPoint b) {
  WmBoxQuery query = {
      {a.x > b.x ? a.x : b.x, a.z > b.z ? a.z : b.z, a.x > b.x ? -b.x : -a.x, a.z > b.z ? -b.z : -a.z},
      0,
      {{0, 0, 0}}};
  return query;
}

/* Excludes what has wm_planar_area(a, b, p) > 0, or < 0 where `sign` is -1. */
static inline void wm_box_query_exclude(WmBoxQuery *query, WmPlanarPoint a, WmPlanarPoint b, int sign) {
  const int64_t x = (int64_t)sign * (a.z - b.z), z = (int64_t)sign * (b.x - a.x);
  query->lines[query->line_count].x = x;
  query->lines[query->line_count].z = z;
  query->lines[query->line_count++].offset = -(x * a.x + z * a.z);
}

static inline bool wm_box_in_question(const WmPlanarBox *box, const WmBoxQuery *query) {
  if (wm_mask_int4((WmInt4)(wm_load_int4(box->bound) > query->bound))) return false;
  for (int i = 0; i < query->line_count; i++) {
    const int64_t x = query->lines[i].x, z = query->lines[i].z;
    const int64_t least =
        x * (x > 0 ? box->bound[0] : -box->bound[2]) + z * (z > 0 ? box->bound[1] : -box->bound[3]);
    if (least + query->lines[i].offset > 0) return false;
  }
  return true;
}

static inline bool wm_box_tree_search(const WmBoxTree *tree, const WmBoxQuery *query, WmLeafTest test,
                                      void *user) {
  uint32_t waiting[40]; /* at most one a level, and there are at most 32 */
  int waiting_count = 0;
  uint32_t node = 1;
  for (;;) {
    if (wm_box_in_question(&tree->boxes[node], query)) {
      if (node < tree->leaf_count) {
        node *= 2;
        waiting[waiting_count++] = node + 1;
        continue;
      }
      if (test(user, node - tree->leaf_count)) return true;
    }
    if (waiting_count == 0) return false;
    node = waiting[--waiting_count];
  }
}

static inline bool wm_box_tree_visit_all(const WmBoxTree *tree, WmLeafTest test, void *user) {
  for (uint32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
    if (!wm_box_is_empty(&tree->boxes[tree->leaf_count + leaf]) && test(user, leaf)) return true;
  }
  return false;
}

/* Shows `test` every segment that may touch ab until it answers true; returns whether it did. */
static inline bool wm_box_tree_visit(const WmBoxTree *tree, WmPlanarPoint a, WmPlanarPoint b, WmLeafTest test,
                                     void *user) {
  if (wm_planar_equal(a, b)) return wm_box_tree_visit_all(tree, test, user);
  for (uint32_t i = 0; i < tree->point_count; i++) {
    const uint32_t leaf = tree->points[i];
    if (!wm_box_is_empty(&tree->boxes[tree->leaf_count + leaf]) && test(user, leaf)) return true;
  }
  WmBoxQuery query = wm_box_query(a, b);
  wm_box_query_exclude(&query, a, b, 1);
  wm_box_query_exclude(&query, a, b, -1);
  return wm_box_tree_search(tree, &query, test, user);
}

/* As wm_box_tree_visit, for every segment that may have a point inside the triangle; areas are negative
 * there. */
static inline bool wm_box_tree_visit_triangle(const WmBoxTree *tree, const WmPlanarPoint corners[3],
                                              WmLeafTest test, void *user) {
  WmBoxQuery query = wm_box_query(corners[0], corners[1]);
  const WmBoxQuery other = wm_box_query(corners[1], corners[2]);
  query.bound = wm_select_int4((WmInt4)(query.bound > other.bound), query.bound, other.bound);
  for (int k = 0; k < 3; k++) wm_box_query_exclude(&query, corners[k], corners[k == 2 ? 0 : k + 1], 1);
  return wm_box_tree_search(tree, &query, test, user);
}

#endif
