/* Layer planes: one row of cells as arrays by layer, so that eight cells are compared at once.
 *
 * Layer k of a cell is its k-th span from below. Plane k holds floor and head of layer k for all cells of a
 * row, side by side; WM_PLANE_ABSENT stands for the floor of a cell without that layer. "head" is the
 * ceiling less the agent's height: two openings overlap by the agent's height exactly where the higher
 * floor is not above the lower head. All numbers are int16: a field whose floors pass WM_PLANE_FLOOR_LIMIT,
 * or an agent of unusual size, is for the scalar forms of each stage (wm_planes_fit).
 *
 * Cells are taken in blocks of eight. Planes of a block are filled as deep as the deepest of it and its
 * neighbours to the left and right, so that vectors read one cell aside see no stale lanes; "head" is left
 * unset where the floor is absent. Blocks deeper than WM_PLANE_LAYERS are not filled: few, and linear in
 * the scalar form, where planes are quadratic. A window of three rows rolls through a field.
 * Cost: O(spans) a row. */
#ifndef WALKMESH_BAKE_LAYER_PLANES_H
#define WALKMESH_BAKE_LAYER_PLANES_H

#include "base/context.h"
#include "base/simd.h"

enum {
  WM_PLANE_BLOCK = 8,
  WM_PLANE_LAYERS = 8, /* above about ten, scalar sweeps over both cells are faster */
  WM_PLANE_FLOOR_LIMIT = 32000,
  WM_PLANE_OPEN = WM_PLANE_FLOOR_LIMIT + 256, /* open ceilings: above any floor by any agent's height */
  WM_PLANE_ABSENT = WM_PLANE_OPEN + 244,      /* above any head; no overflow when a climb is added */
  WM_PLANE_AGENT_LIMIT = 255
};

typedef struct WmLayerPlanes {
  int32_t stride;  /* cells from one plane to the next */
  uint32_t *first; /* [stride] number of each cell's first span; cell 0 is at WM_PLANE_BLOCK */
  int16_t *floor;  /* [WM_PLANE_LAYERS][stride] */
  int16_t *head;   /* [WM_PLANE_LAYERS][stride] */
  int16_t *ground; /* [stride] bottom of the lowest span less the agent's height */
  uint8_t *depth;  /* [blocks + 2] layers of each block; block 0 is at 1, around it is nothing */
} WmLayerPlanes;

/* Three rows; row z is window[(z + 3) % 3]. Rows outside of the field are empty. */
typedef struct WmPlaneWindow {
  WmLayerPlanes rows[3];
} WmPlaneWindow;

/* Whether heights and agent are within what planes can say. */
bool wm_planes_fit(const uint16_t *floors, uint32_t span_count, int32_t walkable_height,
                   int32_t walkable_climb);

/* Takes scratch memory for rows of `width` cells; false when there is none. */
bool wm_planes_create(WmContext *context, int32_t width, WmPlaneWindow *window);

/* Sets a row to one without spans. */
void wm_planes_clear(WmLayerPlanes *planes, int32_t width);

/* Fills a row with solid or open spans; cell_first is that of the row's first cell. Ceilings are the
 * `bottoms` of the next spans of a cell, or, where that is NULL, `clearances` above the floors; "ground" is
 * left unset then. */
void wm_planes_fill(WmLayerPlanes *planes, int32_t width, const uint32_t *cell_first, const uint16_t *floors,
                    const uint16_t *bottoms, const uint8_t *clearances, int32_t walkable_height);

static inline WmLayerPlanes *wm_planes_row(WmPlaneWindow *window, int32_t z) {
  return &window->rows[(z + 3) % 3];
}

static inline int wm_planes_deeper(int a, int b) { return a > b ? a : b; }

/* Whether every one of the block's eight cells has exactly one span. */
static inline bool wm_planes_is_single(const WmLayerPlanes *planes, int32_t block) {
  const uint32_t *first = planes->first + WM_PLANE_BLOCK * (block + 1);
  return planes->depth[1 + block] == 1 && first[WM_PLANE_BLOCK] - first[0] == WM_PLANE_BLOCK;
}

#endif
