/* Layer planes: one row of cells as arrays by layer, so that eight cells are compared at once.
 *
 * Layer k of a cell is its k-th span from below. Plane k holds floor and head of layer k for all cells of a
 * row, side by side; WM_PLANE_ABSENT is the floor of a cell without that layer. The head is the ceiling minus
 * the agent's height, but at least 0: two gaps overlap by the agent's height if and only if the higher floor
 * is not above the lower head, since no floor is at 0. All are stored minus 32768, as int16: signed lanes
 * compare in one instruction.
 *
 * Cells are processed in blocks of eight. The planes of a block are filled up to the depth of the deepest of
 * it and its neighbours to the left and right, so that vectors that read one cell aside see no stale lanes;
 * the head of an absent layer is below all others. A window of three rows moves through a field. Cost:
 * O(spans) a row. Comparing a cell's layers with those of neighbours goes upwards in both: a layer that is
 * below in all eight lanes stays below, and once one is above in all, so are the rest; each layer then meets
 * few others, however many there are.
 *
 * The rows are either all solid spans, for the filters, or all spans of the compact heightfield, for
 * links. */
#ifndef WALKMESH_BAKE_LAYER_PLANES_H
#define WALKMESH_BAKE_LAYER_PLANES_H

#include "bake/rasterize/span_rows.h"

enum {
  WM_PLANE_BLOCK = 8,
  WM_PLANE_BIAS = 32768,
  WM_PLANE_SHALLOW = 4,       /* up to this depth all layers are compared: finding the end would cost more */
  WM_PLANE_ABSENT = INT16_MAX /* above any head, since agents are at least one cell height tall */
};

/* A layer's state: its clearance, at most 255, plus 256 times its area. */
enum { WM_STATE_AREA = 256 };

typedef struct WmPlaneRow {
  uint32_t *first;   /* [stride] compact: number of each cell's first span; cell 0 is at WM_PLANE_BLOCK. Also
                      of one cell before and two after the row's blocks, which are empty */
  uint32_t *depth;   /* [blocks + 4] layers of each block; block 0 is at 2, those around it are empty */
  int16_t *base;     /* [stride] solid: bottom of the lowest span minus the agent's height */
  int16_t *floor;    /* [capacity][floor, head, state][stride]; state: only of layers of solid spans that
                      exist */
  uint32_t capacity; /* layers */
} WmPlaneRow;

/* Three rows of a field; row z is rows[(z + 3) % 3]. */
typedef struct WmPlaneWindow {
  WmPlaneRow rows[3];
  ptrdiff_t stride; /* cells from one plane to the next */
  int32_t width;
  int32_t walkable_height; /* 1 to 255 */
  uint64_t span_count;     /* of all solid rows so far */
} WmPlaneWindow;

/* The row on one side of a row, shifted so that block 0 begins at the neighbour of cell 0. Its layers are
 * the deeper of depth[0] and depth[aside]. */
typedef struct WmPlaneView {
  int16_t *floor;
  const int16_t *base;
  const uint32_t *first, *depth;
  ptrdiff_t aside;
} WmPlaneView;

/* Allocates empty rows in scratch memory; NULL without memory. */
WmPlaneWindow *wm_planes_create(WmContext *context, int32_t width, int32_t walkable_height);

/* Reserves layers in row z; its contents are lost. */
WmStatus wm_planes_reserve(WmContext *context, WmPlaneWindow *window, int32_t z, uint32_t layers);

/* Empties row z, as rows outside the field are. */
void wm_planes_clear(WmPlaneWindow *window, int32_t z);

/* The enabled filters of single cells (stages.h), which run while a row is filled. */
typedef struct WmCellFilters {
  int32_t climb;  /* of low hanging obstacles; 0: none */
  int32_t height; /* of low ceilings; 0: none */
} WmCellFilters;

/* Fills row z, in which layers must be reserved, and empties the row of solid spans. */
void wm_planes_fill_solid(WmPlaneWindow *window, int32_t z, const WmSpanRow *solid, WmCellFilters filters);

/* Fills row z from the spans of a compact heightfield up to the row's end. If the window is wider than the field, it
 * has empty cells before the row's. */
WmStatus wm_planes_fill_open(WmContext *context, WmPlaneWindow *window, int32_t z,
                             const WmCompactHeightfield *compact);

/* The views of the rows on each side of row z, and of row z itself (4). */
void wm_planes_look(const WmPlaneWindow *window, int32_t z, WmPlaneView views[5]);

static inline uint32_t wm_planes_depth(const WmPlaneView *view, int32_t block) {
  const uint32_t a = view->depth[block], b = view->depth[block + view->aside];
  return a > b ? a : b;
}

/* The plane of a layer; head and state follow a stride further each. */
static inline int16_t *wm_planes_at(const WmPlaneView *view, ptrdiff_t stride, uint32_t layer, int32_t x) {
  return view->floor + 3 * stride * (ptrdiff_t)layer + x;
}

#endif
