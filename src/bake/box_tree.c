/* A tree of bounding boxes over numbered segments. See box_tree.h. */
#include "bake/box_tree.h"

static const WmPlanarBox EMPTY = {{INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}};

WmStatus wm_box_tree_start(WmContext *context, size_t count, WmBoxTree *tree) {
  *tree = (WmBoxTree){.context = context, .leaf_count = 1};
  if (count > UINT32_MAX / 4) return wm_fail_memory(context, SIZE_MAX);
  while (tree->leaf_count < count) tree->leaf_count *= 2;
  tree->boxes = wm_scratch_array(context, 2 * (size_t)tree->leaf_count, sizeof *tree->boxes);
  if (!tree->boxes) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < 2 * tree->leaf_count; i++) tree->boxes[i] = EMPTY;
  return WM_OK;
}

static bool note_point(WmBoxTree *tree, uint32_t leaf) {
  if (tree->point_count == tree->point_capacity) {
    const uint32_t capacity = tree->point_capacity ? 2 * tree->point_capacity : 16;
    uint32_t *larger =
        wm_scratch_grow(tree->context, tree->points, tree->point_capacity, capacity, sizeof *larger);
    if (!larger) return false;
    tree->points = larger;
    tree->point_capacity = capacity;
  }
  tree->points[tree->point_count++] = leaf;
  return true;
}

bool wm_box_tree_put(WmBoxTree *tree, uint32_t leaf, WmPlanarPoint a, WmPlanarPoint b) {
  const WmPlanarBox box = {
      {a.x < b.x ? a.x : b.x, a.z < b.z ? a.z : b.z, a.x < b.x ? -b.x : -a.x, a.z < b.z ? -b.z : -a.z}};
  tree->boxes[tree->leaf_count + leaf] = box;
  return !wm_planar_equal(a, b) || note_point(tree, leaf);
}

void wm_box_tree_put_point(WmBoxTree *tree, uint32_t leaf, WmPlanarPoint point) {
  tree->boxes[tree->leaf_count + leaf] = (WmPlanarBox){{point.x, point.z, -point.x, -point.z}};
}

/* Bounds the children of a node anew; false where nothing changed. */
static bool bound_children(WmBoxTree *tree, uint32_t node) {
  const WmInt4 a = wm_load_int4(tree->boxes[2 * node].bound),
               b = wm_load_int4(tree->boxes[2 * node + 1].bound);
  const WmInt4 both = wm_select_int4((WmInt4)(a < b), a, b);
  if (!wm_mask_int4((WmInt4)(both != wm_load_int4(tree->boxes[node].bound)))) return false;
  wm_store_int4(tree->boxes[node].bound, both);
  return true;
}

void wm_box_tree_finish(WmBoxTree *tree) {
  for (uint32_t node = tree->leaf_count - 1; node > 0; node--) bound_children(tree, node);
}

static void bound_upward(WmBoxTree *tree, uint32_t leaf) {
  uint32_t node = (tree->leaf_count + leaf) / 2;
  while (node > 0 && bound_children(tree, node)) node /= 2;
}

bool wm_box_tree_set(WmBoxTree *tree, uint32_t leaf, WmPlanarPoint a, WmPlanarPoint b) {
  if (!wm_box_tree_put(tree, leaf, a, b)) return false;
  bound_upward(tree, leaf);
  return true;
}

void wm_box_tree_set_point(WmBoxTree *tree, uint32_t leaf, WmPlanarPoint point) {
  wm_box_tree_put_point(tree, leaf, point);
  bound_upward(tree, leaf);
}

void wm_box_tree_clear(WmBoxTree *tree, uint32_t leaf) {
  tree->boxes[tree->leaf_count + leaf] = EMPTY;
  bound_upward(tree, leaf);
}
