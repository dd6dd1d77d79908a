/* Layer planes: one row of cells as arrays by layer, so that eight cells are compared at once.
 *
 * Layer k of a cell is its k-th span from below. Plane k holds floor and head of layer k for all cells of a
 * row, side by side; WM_PLANE_ABSENT stands for the floor of a cell without that layer. "head" is the
 * ceiling less the agent's height, 0 at least: two openings overlap by the agent's height exactly where the
 * higher floor is not above the lower head, since no floor is at 0. All are less 32768, as int16: signed
 * lanes compare in one instruction.
 *
 * Cells are taken in blocks of eight. Planes of a block are filled as deep as the deepest of it and its
 * neighbours to the left and right, so that vectors read one cell aside see no stale lanes; the "head" of
 * what is absent is below all. A window of three rows rolls through a field. Cost: O(spans) a row. Who
 * compares layers with those of neighbours goes upwards in both: a layer that is below in all eight lanes
 * stays below, and once one is above in all, so are the rest; each layer meets few others then, however many
 * there are. */
#ifndef WALKMESH_BAKE_LAYER_PLANES_H
#define WALKMESH_BAKE_LAYER_PLANES_H

#include "bake/fields.h"
#include "base/simd.h"

enum {
  WM_PLANE_BLOCK = 8,
  WM_PLANE_BIAS = 32768,
  WM_PLANE_SHALLOW = 4,       /* depth up to which all layers are compared: looking for the end costs more */
  WM_PLANE_ABSENT = INT16_MAX /* above any head, as agents are one cell tall at least */
};

typedef struct WmPlaneRow {
  uint32_t *first; /* [stride] number of each cell's first span; cell 0 is at WM_PLANE_BLOCK */
  uint32_t *depth; /* [blocks + 4] layers of each block; block 0 is at 2, around it is nothing */
  int16_t *ground; /* [stride] bottom of the lowest span less the agent's height; unset without bottoms */
  int16_t *floor;  /* [layers][floor, head][stride] */
} WmPlaneRow;

/* Three rows; row z is window[(z + 3) % 3]. */
typedef struct WmPlaneWindow {
  WmPlaneRow rows[3];
  ptrdiff_t stride; /* cells from one plane to the next */
  int32_t width;
  int32_t walkable_height; /* 1 to 255 */
  /* Of spans. Ceilings are the bottoms of the next spans of a cell, or, where that is NULL, clearances above
   * the floors. */
  const uint16_t *floors, *bottoms;
  const uint8_t *clearances;
} WmPlaneWindow;

/* What lies in one direction of the blocks of a row: block 0 begins at cell 0 of each, and its layers are the
 * deeper of depth[0] and depth[aside]. */
typedef struct WmPlaneView {
  const int16_t *floor, *ground;
  const uint32_t *first, *depth;
  ptrdiff_t aside;
} WmPlaneView;

/* Takes scratch memory for rows of a field with no more spans in a cell than this one; NULL where there is
 * none. Spans are to be set. Rows are empty. */
WmPlaneWindow *wm_planes_create(WmContext *context, const WmHeightfield *field, int32_t walkable_height);

/* Fills row z; `cell_first` is that of its first cell. NULL empties it. */
void wm_planes_fill(WmPlaneWindow *window, int32_t z, const uint32_t *cell_first);

/* The view of row z itself (4) and in each direction. */
void wm_planes_look(const WmPlaneWindow *window, int32_t z, WmPlaneView views[5]);

static inline uint32_t wm_planes_depth(const WmPlaneView *view, int32_t block) {
  const uint32_t a = view->depth[block], b = view->depth[block + view->aside];
  return a > b ? a : b;
}

#endif
