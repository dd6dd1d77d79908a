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

#include "base/sort.h"
#include "bake/tile_internal.h"

/* Truncated toward zero and held within 16 bits; a NaN counts as 0. */
static uint16_t to_bound(float value) {
  if (!(value > 0.0f)) return 0;
  return value >= (float)WM_TILE_NODE_LIMIT ? WM_TILE_NODE_LIMIT : (uint16_t)value;
}

static WmTileBox box_of_detail(const WmDetailMesh *detail, size_t polygon, const WmGrid *grid,
                               float cells_per_unit) {
  const uint32_t *submesh = detail->submeshes + 4 * polygon;
  const float *vertices = detail->vertices + 3 * (size_t)submesh[0];
  WmTileBox box;
  for (int axis = 0; axis < 3; axis++) {
    float low = vertices[axis], high = vertices[axis];
    for (size_t v = 1; v < submesh[1]; v++) {
      const float value = vertices[3 * v + (size_t)axis];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    box.low[axis] = to_bound((low - grid->bounds_min[axis]) * cells_per_unit);
    box.high[axis] = to_bound((high - grid->bounds_min[axis]) * cells_per_unit);
  }
  return box;
}

static WmTileBox box_of_polygon(const WmPolygonMesh *mesh, size_t polygon) {
  const uint16_t *numbers = mesh->polygons + polygon * 2 * (size_t)mesh->max_vertices_per_polygon;
  const int32_t count = wm_mesh_polygon_size(mesh, polygon);
  WmTileBox box;
  for (int axis = 0; axis < 3; axis++) {
    box.low[axis] = box.high[axis] = mesh->vertices[3 * (size_t)numbers[0] + (size_t)axis];
    for (int32_t k = 1; k < count; k++) {
      const uint16_t value = mesh->vertices[3 * (size_t)numbers[k] + (size_t)axis];
      if (value < box.low[axis]) box.low[axis] = value;
      if (value > box.high[axis]) box.high[axis] = value;
    }
  }
  /* Heights come in cell heights, the tree wants cell sizes. */
  const float cell_size = mesh->grid.cell_size, cell_height = mesh->grid.cell_height;
  box.low[1] = to_bound(floorf((float)box.low[1] * cell_height / cell_size));
  box.high[1] = to_bound(ceilf((float)box.high[1] * cell_height / cell_size));
  return box;
}

static WmTileBox unite(const WmTileBox *boxes, const uint32_t *order, size_t count) {
  WmTileBox box = boxes[order[0]];
  for (size_t i = 1; i < count; i++) {
    const WmTileBox *other = &boxes[order[i]];
    for (int axis = 0; axis < 3; axis++) {
      if (other->low[axis] < box.low[axis]) box.low[axis] = other->low[axis];
      if (other->high[axis] > box.high[axis]) box.high[axis] = other->high[axis];
    }
  }
  return box;
}

static int longest_axis(const WmTileBox *box) {
  int axis = 0;
  uint16_t longest = (uint16_t)(box->high[0] - box->low[0]);
  for (int other = 1; other < 3; other++) {
    const uint16_t length = (uint16_t)(box->high[other] - box->low[other]);
    if (length > longest) {
      longest = length;
      axis = other;
    }
  }
  return axis;
}

/* Sorts a range of `order` by the low bound, unless it already is sorted (often, by an ancestor's sort). */
static void sort_range(const WmTileBox *boxes, uint32_t *order, size_t count, int axis, WmSortItem *items,
                       WmSortItem *scratch) {
  uint32_t previous = 0;
  bool sorted = true;
  for (size_t i = 0; i < count; i++) {
    items[i] = (WmSortItem){boxes[order[i]].low[axis], order[i]};
    sorted = sorted && items[i].key >= previous;
    previous = items[i].key;
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

static void write_nodes(const WmTileBox *boxes, uint32_t *order, size_t count, WmSortItem *items,
                        WmSortItem *scratch, uint8_t *bytes, uint64_t section) {
  Range ranges[RANGE_CAPACITY];
  size_t waiting = 0;
  ranges[waiting++] = (Range){0, (uint32_t)count, 0};
  while (waiting > 0) {
    const Range range = ranges[--waiting];
    uint32_t *part = order + range.begin;
    const WmTileBox box = unite(boxes, part, range.count);
    WmTileNode node;
    memcpy(node.low, box.low, sizeof node.low);
    memcpy(node.high, box.high, sizeof node.high);
    node.index = range.count == 1 ? (int32_t)part[0] : 1 - 2 * (int32_t)range.count;
    wm_tile_put(bytes, section, range.node, sizeof node, &node);
    if (range.count == 1) continue;
    sort_range(boxes, part, range.count, longest_axis(&box), items, scratch);
    const uint32_t left = range.count / 2;
    ranges[waiting++] = (Range){range.begin + left, range.count - left, range.node + 2 * left};
    ranges[waiting++] = (Range){range.begin, left, range.node + 1};
  }
}

WmStatus wm_build_tile_tree(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                            uint8_t *bytes, uint64_t section) {
  const size_t count = mesh->polygon_count;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmTileBox *boxes = wm_scratch_array(context, count, sizeof *boxes);
  uint32_t *order = wm_scratch_array(context, count, sizeof *order);
  WmSortItem *items = wm_scratch_array(context, 2 * count, sizeof *items);
  if (!boxes || !order || !items) {
    wm_scratch_rewind(context, mark);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  const float cells_per_unit = 1.0f / mesh->grid.cell_size;
  for (size_t i = 0; i < count; i++) {
    boxes[i] = detail ? box_of_detail(detail, i, &mesh->grid, cells_per_unit) : box_of_polygon(mesh, i);
    order[i] = (uint32_t)i;
  }
  write_nodes(boxes, order, count, items, items + count, bytes, section);
  wm_scratch_rewind(context, mark);
  return WM_OK;
}
