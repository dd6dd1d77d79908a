/* A tree of bounding boxes over numbered segments. See box_tree.h. */
#include "bake/geometry/box_tree.h"

#include <string.h>

/* Beyond any coordinate. */
enum { FAR = 1 << 30 };

/* A point as a bound: the minimum of these is a box, their maximum the bound of a query. */
WM_INLINE WmInt4 spread(const WmPlanarPoint *point) {
  return (WmInt4){point->x, point->z, -point->x, -point->z};
}

WmStatus wm_box_tree_start(WmContext *context, size_t count, WmBoxTree *tree) {
  if (count > UINT32_MAX / 4) return wm_fail_memory(context, SIZE_MAX);
  uint32_t leaf_count = 1;
  while (leaf_count < count) leaf_count *= 2;
  tree->leaf_count = leaf_count;
  tree->boxes = wm_scratch_array(context, 2 * (size_t)leaf_count, sizeof *tree->boxes);
  if (!tree->boxes) return WM_ERROR_OUT_OF_MEMORY;
  memset(tree->boxes, WM_BOX_EMPTY & 0xff, 2 * (size_t)leaf_count * sizeof *tree->boxes);
  return WM_OK;
}

static void set_leaf(WmBoxTree *tree, uint32_t leaf, WmInt4 box) {
  uint32_t node = tree->leaf_count + leaf;
  WmInt4 old = wm_load_int4(tree->boxes[node].bound);
  while (wm_mask_int4((WmInt4)(box != old))) {
    wm_store_int4(tree->boxes[node].bound, box);
    if (node == 1) break;
    const WmInt4 sibling = wm_load_int4(tree->boxes[node ^ 1].bound);
    box = wm_select_int4((WmInt4)(box < sibling), box, sibling);
    node /= 2;
    old = wm_load_int4(tree->boxes[node].bound);
  }
}

void wm_box_tree_set(WmBoxTree *tree, uint32_t leaf, const WmPlanarPoint *a, const WmPlanarPoint *b) {
  const WmInt4 of_a = spread(a), of_b = spread(b);
  const WmInt4 box = wm_select_int4((WmInt4)(of_a < of_b), of_a, of_b);
  set_leaf(tree, leaf, wm_planar_equal(*a, *b) ? wm_splat_int4(-FAR) : box);
}

void wm_box_tree_clear(WmBoxTree *tree, uint32_t leaf) { set_leaf(tree, leaf, wm_splat_int4(WM_BOX_EMPTY)); }

/* ---- Queries ------------------------------------------------------------------------------------------ */

void wm_box_walk_start(WmBoxWalk *walk, const WmBoxTree *tree, const WmPlanarPoint *points, int count) {
  WmInt4 bound = wm_splat_int4(-FAR);
  for (int k = 0; k < count; k++) {
    const WmInt4 corner = spread(&points[k]);
    bound = wm_select_int4((WmInt4)(corner > bound), corner, bound);
  }
  if (count == 2 && wm_planar_equal(points[0], points[1])) bound = wm_splat_int4(FAR);
  walk->tree = tree;
  walk->bound = bound;
  walk->points = points;
  walk->point_count = count;
  walk->waiting[0] = 1;
  walk->waiting_count = 1;
}

WM_INLINE bool may_match(const WmBoxWalk *walk, const int32_t bound[4]) {
  if (wm_mask_int4((WmInt4)(wm_load_int4(bound) > walk->bound))) return false;
  const WmPlanarPoint *a = &walk->points[walk->point_count - 1], *b = walk->points;
  for (int i = 0; i < walk->point_count; i++, a = b++) {
    /* The corner of the box at which the area is smallest. */
    const WmPlanarPoint corner = {a->z > b->z ? bound[0] : -bound[2], b->x > a->x ? bound[1] : -bound[3]};
    if (wm_planar_area(*a, *b, corner) > 0) return false;
  }
  return true;
}

uint32_t wm_box_walk_next(WmBoxWalk *walk) {
  const WmBoxTree *tree = walk->tree;
  while (walk->waiting_count > 0) {
    uint32_t node = walk->waiting[--walk->waiting_count];
    while (may_match(walk, tree->boxes[node].bound)) {
      if (node >= tree->leaf_count) return node - tree->leaf_count;
      node *= 2;
      walk->waiting[walk->waiting_count++] = node + 1;
    }
  }
  return WM_NO_LEAF;
}
