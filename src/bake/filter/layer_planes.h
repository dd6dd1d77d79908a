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
 * there are.
 *
 * The rows are either all solid ones, for the filters, or all those of the compact heightfield, for links. */
#ifndef WALKMESH_BAKE_LAYER_PLANES_H
#define WALKMESH_BAKE_LAYER_PLANES_H

#include "bake/rasterize/span_rows.h"

enum {
  WM_PLANE_BLOCK = 8,
  WM_PLANE_BIAS = 32768,
  WM_PLANE_SHALLOW = 4,       /* depth up to which all layers are compared: looking for the end costs more */
  WM_PLANE_ABSENT = INT16_MAX /* above any head, as agents are one cell tall at least */
};

/* A layer's state: its clearance, at most 255, and 256 times its area. */
enum { WM_STATE_AREA = 256 };

typedef struct WmPlaneRow {
  uint32_t *first; /* [stride] compact: number of each cell's first span; cell 0 is at WM_PLANE_BLOCK. Also of
                      one cell before and two after the row's blocks, which are empty */
  uint32_t *depth; /* [blocks + 4] layers of each block; block 0 is at 2, around it is nothing */
  int16_t *base;   /* [stride] solid: bottom of the lowest span less the agent's height */
  int16_t *floor;  /* [capacity][floor, head, state][stride]; state: of solid layers that are there */
  uint32_t capacity; /* layers */
} WmPlaneRow;

/* Three rows; row z is window[(z + 3) % 3]. */
typedef struct WmPlaneWindow {
  WmPlaneRow rows[3];
  ptrdiff_t stride; /* cells from one plane to the next */
  int32_t width;
  int32_t walkable_height; /* 1 to 255 */
  uint64_t span_count;     /* of all solid rows so far */
} WmPlaneWindow;

/* What lies in one direction of the blocks of a row: block 0 begins at cell 0 of each, and its layers are the
 * deeper of depth[0] and depth[aside]. */
typedef struct WmPlaneView {
  int16_t *floor;
  const int16_t *base;
  const uint32_t *first, *depth;
  ptrdiff_t aside;
} WmPlaneView;

/* Takes scratch memory for rows, all of them empty; NULL where there is none. */
WmPlaneWindow *wm_planes_create(WmContext *context, int32_t width, int32_t walkable_height);

/* Makes room in row z for that many layers; what it holds is lost. */
WmStatus wm_planes_reserve(WmContext *context, WmPlaneWindow *window, int32_t z, uint32_t layers);

/* Empties row z, as rows outside of the field are. */
void wm_planes_clear(WmPlaneWindow *window, int32_t z);

/* Which filters that look at single cells change the areas on the way, see stages.h. */
typedef struct WmCellFilters {
  int32_t climb;  /* of low hanging obstacles; 0: none */
  int32_t height; /* of low ceilings; 0: none */
} WmCellFilters;

/* Fills row z, in which there must be room for the layers, and empties the solid one. */
void wm_planes_fill_solid(WmPlaneWindow *window, int32_t z, const WmSpanRow *solid, WmCellFilters filters);

/* Fills row z from the spans of a compact heightfield up to the row's end. */
WmStatus wm_planes_fill_open(WmContext *context, WmPlaneWindow *window, int32_t z,
                             const WmCompactHeightfield *compact);

/* The view of row z itself (4) and in each direction. */
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
