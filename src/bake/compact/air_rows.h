/* Collects the air of a tile while its rows are filtered. See air_code.h. */
#ifndef WALKMESH_BAKE_AIR_ROWS_H
#define WALKMESH_BAKE_AIR_ROWS_H

#include "bake/compact/air_code.h"
#include "bake/filter/layer_planes.h"

/* The rows so far. In scratch memory. */
typedef struct WmAirRows {
  int32_t width, depth, border; /* cells without the border; of the border on each side */
  uint32_t *cell_first;         /* [width * depth + 1] */
  WmAirGap *gaps;
  size_t count, capacity; /* gaps */
} WmAirRows;

/* Starts the air of a tile, in scratch memory of the caller's mark.
 * in         grid: of the field, with its border */
WmStatus wm_air_rows_start(WmContext *context, const WmGrid *grid, WmAirRows *rows);

/* Appends row z of the field, unless it is one of the border. A cell's gaps are those at least as high as the agent: the spaces above
 * its solid spans, of which the last one is open to the sky, and the space below the lowest one. A cell without solid spans has none.
 * Ceilings are at most 255 above their floors, but for the sky's; the floor of the lowest gap at most 255 below its ceiling.
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_air_rows_append(WmContext *context, WmAirRows *rows, const WmPlaneWindow *planes,
                            const WmPlaneView *view, int32_t z);

/* Ends the air after its last row.
 * out        *air: a block of the context; NULL on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_air_rows_finish(WmContext *context, const WmAirRows *rows, WmAir **air);

#endif
