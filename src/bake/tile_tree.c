/* The bounding-volume tree of a tile: polygon boxes -> nodes in preorder.
 *
 * Boxes are 16-bit, in cells from the tile's minimum (the cell size on every axis, y too), truncated at both
 * ends. A range of items becomes a node with their union; it is sorted by the low bound on its longest axis
 * (x, unless y is longer, then z if longer still) and halved. Equal keys are common, so the sort is stable
 * over the order its parent left. A subtree of n items has 2 n - 1 nodes whatever its shape: node numbers
 * follow from ranges alone, and ranges wait on a short stack instead of in recursion (depth log2 of 32767).
 *
 * Source: M. Mononen, Detour (2009-), whose bytes this reproduces. */
#include <math.h>

#include "base/simd.h"
#include "base/sort.h"
#include "bake/tile_internal.h"

/* Bounds as signed shorts, 32768 less than they are: the low ones of x, y, z, then the high ones with all
 * bits turned over, so that uniting is a minimum. */
enum { HIGH = 4, BIAS = 32768 };
typedef struct Box {
  int16_t bounds[8];
} Box;

static int32_t low_of(const Box *box, int axis) { return box->bounds[axis] + BIAS; }
static int32_t high_of(const Box *box, int axis) { return BIAS + ~box->bounds[HIGH + axis]; }

/* Truncated toward zero and held within 16 bits; a NaN counts as 0. */
static int32_t to_bound(float value) {
  if (!(value > 0.0f)) return 0;
  return value >= (float)WM_TILE_NODE_LIMIT ? WM_TILE_NODE_LIMIT : (int32_t)value;
}

/* The box of a polygon's detail, or of its own vertices where `detail` is NULL. */
static void measure(const WmPolygonMesh *mesh, const WmDetailMesh *detail, size_t polygon, Box *box) {
  const WmGrid *grid = &mesh->grid;
  const float cells_per_unit = 1.0f / grid->cell_size;
  const uint16_t *numbers = mesh->polygons + polygon * 2 * (size_t)mesh->max_vertices_per_polygon;
  const uint32_t *submesh = detail ? detail->submeshes + 4 * polygon : NULL;
  const uint32_t count = detail ? submesh[1] : wm_tile_polygon_size(mesh, polygon);
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
    if (!detail && axis == 1) { /* heights come in cell heights, the tree wants cell sizes */
      low = to_bound(floorf((float)low * grid->cell_height / grid->cell_size));
      high = to_bound(ceilf((float)high * grid->cell_height / grid->cell_size));
    }
    box->bounds[axis] = (int16_t)(low - BIAS);
    box->bounds[HIGH + axis] = (int16_t) ~(high - BIAS);
  }
  box->bounds[3] = box->bounds[HIGH + 3] = 0;
}

static Box unite(const Box *boxes, const uint32_t *order, size_t count) {
  WmShort8 least = wm_load_short8(boxes[order[0]].bounds);
  for (size_t i = 1; i < count; i++) least = wm_min_short8(least, wm_load_short8(boxes[order[i]].bounds));
  Box box;
  wm_store_short8(box.bounds, least);
  return box;
}

static int longest_axis(const Box *box) {
  int axis = 0;
  for (int other = 1; other < 3; other++) {
    if (high_of(box, other) - low_of(box, other) > high_of(box, axis) - low_of(box, axis)) axis = other;
  }
  return axis;
}

/* Sorts a range of `order` by the low bound, unless it already is sorted (often, by an ancestor's sort). */
static void sort_range(const Box *boxes, uint32_t *order, size_t count, int axis, WmSortItem *items,
                       WmSortItem *scratch) {
  uint32_t previous = 0;
  bool sorted = true;
  for (size_t i = 0; i < count; i++) {
    const uint32_t key = (uint32_t)low_of(&boxes[order[i]], axis);
    items[i] = (WmSortItem){key, order[i]};
    sorted = sorted && key >= previous;
    previous = key;
  }
  if (sorted) return;
  wm_sort_stable(items, scratch, count);
  for (size_t i = 0; i < count; i++) order[i] = items[i].value;
}

typedef struct Range {
  uint32_t begin, count, node;
} Range;

/* The larger half waits while the smaller is split: at most log2(items) ranges wait. */
enum { RANGE_CAPACITY = 40 };

static void write_nodes(const Box *boxes, uint32_t *order, uint32_t count, WmSortItem *items,
                        WmTileNode *nodes) {
  Range ranges[RANGE_CAPACITY];
  size_t waiting = 0;
  ranges[waiting++] = (Range){0, count, 0};
  while (waiting > 0) {
    const Range range = ranges[--waiting];
    uint32_t *part = order + range.begin;
    const Box box = unite(boxes, part, range.count);
    WmTileNode *node = nodes + range.node;
    for (int axis = 0; axis < 3; axis++) {
      node->low[axis] = (uint16_t)low_of(&box, axis);
      node->high[axis] = (uint16_t)high_of(&box, axis);
    }
    node->index = (int32_t)part[0];
    if (range.count == 1) continue;
    node->index = 1 - 2 * (int32_t)range.count;
    sort_range(boxes, part, range.count, longest_axis(&box), items, items + count);
    const uint32_t left = range.count / 2;
    ranges[waiting++] = (Range){range.begin + left, range.count - left, range.node + 2 * left};
    ranges[waiting++] = (Range){range.begin, left, range.node + 1};
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
