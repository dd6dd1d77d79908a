/* A tree of bounding boxes over numbered segments. See box_tree.h. */
#include "bake/box_tree.h"

/* Beyond any coordinate. */
enum { FAR = 1 << 30 };

/* As a bound: the least box around a point, or the most of a query. */
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
  for (uint32_t i = 0; i < 2 * leaf_count; i++) {
    wm_store_int4(tree->boxes[i].bound, wm_splat_int4(INT32_MAX));
  }
  return WM_OK;
}

void wm_box_tree_put(WmBoxTree *tree, uint32_t leaf, const WmPlanarPoint *a, const WmPlanarPoint *b) {
  const WmInt4 of_a = spread(a), of_b = spread(b);
  const WmInt4 box = wm_select_int4((WmInt4)(of_a < of_b), of_a, of_b);
  wm_store_int4(tree->boxes[tree->leaf_count + leaf].bound,
                wm_planar_equal(*a, *b) ? wm_splat_int4(-FAR) : box);
}

/* Bounds the children of a node anew; false where nothing changed. */
WM_INLINE bool bound_children(WmBoxTree *tree, uint32_t node) {
  const WmInt4 a = wm_load_int4(tree->boxes[2 * node].bound),
               b = wm_load_int4(tree->boxes[2 * node + 1].bound);
  const WmInt4 both = wm_select_int4((WmInt4)(a < b), a, b);
  const bool changed = wm_mask_int4((WmInt4)(both != wm_load_int4(tree->boxes[node].bound)));
  wm_store_int4(tree->boxes[node].bound, both);
  return changed;
}

void wm_box_tree_finish(WmBoxTree *tree) {
  for (uint32_t node = tree->leaf_count - 1; node > 0; node--) bound_children(tree, node);
}

static void bound_upward(WmBoxTree *tree, uint32_t leaf) {
  uint32_t node = (tree->leaf_count + leaf) / 2;
  while (node > 0 && bound_children(tree, node)) node /= 2;
}

void wm_box_tree_set(WmBoxTree *tree, uint32_t leaf, const WmPlanarPoint *a, const WmPlanarPoint *b) {
  wm_box_tree_put(tree, leaf, a, b);
  bound_upward(tree, leaf);
}

void wm_box_tree_clear(WmBoxTree *tree, uint32_t leaf) {
  wm_store_int4(tree->boxes[tree->leaf_count + leaf].bound, wm_splat_int4(INT32_MAX));
  bound_upward(tree, leaf);
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

void wm_box_walk_start(WmBoxWalk *walk, const WmBoxTree *tree, const WmPlanarPoint *points, int count) {
  walk->tree = tree;
  walk->line_count = count;
  WmInt4 bound = wm_splat_int4(-FAR);
  for (int k = 0; k < count; k++) {
    const WmPlanarPoint *a = &points[k], *b = &points[k + 1 == count ? 0 : k + 1];
    const WmInt4 corner = spread(a);
    bound = wm_select_int4((WmInt4)(corner > bound), corner, bound);
    /* What has wm_planar_area(a, b, p) > 0 is out. */
    const int64_t x = (int64_t)a->z - b->z, z = (int64_t)b->x - a->x;
    walk->lines[k].x = x;
    walk->lines[k].z = z;
    walk->lines[k].offset = -(x * a->x + z * a->z);
  }
  if (count == 2 && wm_planar_equal(points[0], points[1])) bound = wm_splat_int4(FAR);
  walk->bound = bound;
  walk->waiting[0] = 1;
  walk->waiting_count = 1;
}

WM_INLINE bool is_in_question(const WmBoxWalk *walk, const int32_t bound[4]) {
  if (wm_mask_int4((WmInt4)(wm_load_int4(bound) > walk->bound))) return false;
  for (int i = 0; i < walk->line_count; i++) {
    const int64_t x = walk->lines[i].x, z = walk->lines[i].z;
    const int64_t least = x * (x > 0 ? bound[0] : -bound[2]) + z * (z > 0 ? bound[1] : -bound[3]);
    if (least + walk->lines[i].offset > 0) return false;
  }
  return true;
}

uint32_t wm_box_walk_next(WmBoxWalk *walk) {
  const WmBoxTree *tree = walk->tree;
  while (walk->waiting_count > 0) {
    uint32_t node = walk->waiting[--walk->waiting_count];
    while (is_in_question(walk, tree->boxes[node].bound)) {
      if (node >= tree->leaf_count) return node - tree->leaf_count;
      node *= 2;
      walk->waiting[walk->waiting_count++] = node + 1;
    }
  }
  return WM_NO_LEAF;
}
