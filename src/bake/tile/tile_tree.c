/* The bounding-volume tree of a tile: polygon boxes -> nodes in preorder.
 *
 * Boxes are 16-bit, in cells from the tile's minimum (the cell size on every axis, y too), truncated at
 * both ends. A range of items becomes a node with their union; it is sorted by the low bound on its
 * longest axis (x, unless y is longer, then z if longer still) and halved. Equal keys are common, so the
 * sort is stable over the order its parent left. A subtree of n items has 2 n - 1 nodes whatever its
 * shape. So node numbers follow from ranges alone, and ranges are stored in the nodes they become: no
 * recursion.
 *
 * Source: M. Mononen, Detour (2009-), whose bytes this reproduces. */
#include <math.h>

#include "base/simd.h"
#include "base/sort.h"
#include "bake/tile/tile_internal.h"

/* The box of a node as signed shorts, so that a union is a minimum: its bounds with these bits flipped,
 * which subtracts 32768 from low bounds and makes high ones 32767 minus the bound. The last two lanes are
 * 0. */
static const WmUshort8 TURNED = {0x8000, 0x8000, 0x8000, 0x7fff, 0x7fff, 0x7fff, 0, 0};
typedef struct Box {
  uint16_t lanes[8]; /* low x, y, z, high x, y, z */
} Box;

/* Truncates toward zero and clamps to 16 bits; NaN becomes 0. */
static int32_t to_bound(float value) {
  if (!(value > 0.0f)) return 0;
  return value >= (float)WM_TILE_NODE_LIMIT ? WM_TILE_NODE_LIMIT : (int32_t)value;
}

/* Measures the box of a polygon's detail, or of its own vertices if `detail` is NULL. */
static void measure(const WmPolygonMesh *mesh, const WmDetailMesh *detail, size_t polygon, Box *box) {
  const WmGrid *grid = &mesh->grid;
  const float cells_per_unit = 1.0f / grid->cell_size;
  const uint32_t max_vertices = (uint32_t)mesh->max_vertices_per_polygon;
  const uint16_t *numbers = mesh->polygons + polygon * 2 * max_vertices;
  const uint32_t *submesh = detail ? detail->submeshes + 4 * polygon : NULL;
  const uint32_t count = detail ? submesh[1] : wm_polygon_size(numbers, max_vertices);
  for (int axis = 0; axis < 3; axis++) {
    int32_t low = INT32_MAX, high = 0;
    for (uint32_t k = 0; k < count; k++) {
      int32_t bound;
      if (detail) {
        const float position = detail->vertices[3 * (size_t)(submesh[0] + k) + (size_t)axis];
        bound = to_bound((position - grid->bounds_min[axis]) * cells_per_unit);
      } else {
        bound = mesh->vertices[3 * (size_t)numbers[k] + (size_t)axis];
      }
      low = bound < low ? bound : low;
      high = bound > high ? bound : high;
    }
    if (!detail && axis == 1) { /* cell heights to cell sizes */
      low = to_bound(floorf((float)low * grid->cell_height / grid->cell_size));
      high = to_bound(ceilf((float)high * grid->cell_height / grid->cell_size));
    }
    box->lanes[axis] = (uint16_t)(low ^ 0x8000);
    box->lanes[3 + axis] = (uint16_t)(high ^ 0x7fff);
  }
  box->lanes[6] = box->lanes[7] = 0;
}

/* Sets a node's bounds to the union of boxes; returns its longest axis. */
static int bound_node(const Box *boxes, const uint32_t *order, size_t count, WmTileNode *node) {
  WmUshort8 least = wm_load_ushort8(boxes[order[0]].lanes);
  for (size_t i = 1; i < count; i++) {
    least = (WmUshort8)wm_min_short8((WmShort8)least, (WmShort8)wm_load_ushort8(boxes[order[i]].lanes));
  }
  least ^= TURNED;
  memcpy(node, &least, sizeof *node); /* `index` is written later */
  int axis = 0;
  for (int other = 1; other < 3; other++) {
    if (node->high[other] - node->low[other] > node->high[axis] - node->low[axis]) axis = other;
  }
  return axis;
}

/* Sorts a range of `order` by the low bound, unless it is sorted (often, by an ancestor's sort). */
static void sort_range(const Box *boxes, uint32_t *order, size_t count, int axis, WmSortItem *items,
                       WmSortItem *scratch) {
  uint32_t previous = 0;
  bool sorted = true;
  for (size_t i = 0; i < count; i++) {
    const uint32_t key = boxes[order[i]].lanes[axis] ^ 0x8000u;
    items[i] = (WmSortItem){key, order[i]};
    sorted = sorted && key >= previous;
    previous = key;
  }
  if (sorted) return;
  wm_sort_stable(items, scratch, count);
  for (size_t i = 0; i < count; i++) order[i] = items[i].value;
}

/* Writes all nodes. One that is still to be written holds its range of `order`: the first item in low[0],
 * the number of items in `index`. */
static void write_nodes(const Box *boxes, uint32_t *order, uint32_t count, WmSortItem *items,
                        WmTileNode *nodes) {
  nodes->index = (int32_t)count;
  for (WmTileNode *node = nodes; node < nodes + 2 * (size_t)count - 1; node++) {
    const uint32_t begin = node->low[0], size = (uint32_t)node->index, left = size / 2;
    const int axis = bound_node(boxes, order + begin, size, node);
    node->index = (int32_t)order[begin];
    if (size == 1) continue;
    node->index = 1 - 2 * (int32_t)size;
    sort_range(boxes, order + begin, size, axis, items, items + count);
    node[1].low[0] = (uint16_t)begin;
    node[1].index = (int32_t)left;
    node[2 * left].low[0] = (uint16_t)(begin + left);
    node[2 * left].index = (int32_t)(size - left);
  }
}

WmStatus wm_build_tile_tree(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                            WmTileNode *nodes) {
  const uint32_t count = mesh->polygon_count;
  Box *boxes = wm_scratch_array(context, count, sizeof *boxes);
  uint32_t *order = wm_scratch_array(context, count, sizeof *order);
  WmSortItem *items = wm_scratch_array(context, 2 * (size_t)count, sizeof *items);
  if (!boxes || !order || !items) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    measure(mesh, detail, i, &boxes[i]);
    order[i] = i;
  }
  write_nodes(boxes, order, count, items, nodes);
  return WM_OK;
}
