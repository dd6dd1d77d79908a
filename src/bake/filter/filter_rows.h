/* The three filters as a sweep over rows of solid spans: rows go in one after the other, and each is final,
 * with its areas filtered, once the next row is in.
 *
 *   layer_planes.[ch]   a row as arrays by layer, and the filters of single cells
 *   filter_rows.[ch]    the sweep, and the ledges
 *   filter.c            the filters as stages of their own, on a heightfield
 *   ../compact/open_rows.c   if stages aren't kept: filters the rasterizer's rows, stores the open spans
 *   only */
#ifndef WALKMESH_BAKE_FILTER_ROWS_H
#define WALKMESH_BAKE_FILTER_ROWS_H

#include "bake/filter/layer_planes.h"
#include "bake/stages.h"

typedef struct WmRowFilter {
  WmPlaneWindow *planes;
  WmCellFilters cell_filters;
  WmUshort8 climb;
  bool has_ledges;
  int32_t depth; /* of the field */
} WmRowFilter;

/* Starts a sweep, in scratch memory of the caller's mark.
 * in         settings->walkable_height: 1 to 255
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_row_filter_start(WmContext *context, const WmGrid *grid, const WmFilterSettings *settings,
                             WmRowFilter *filter);

/* Adds row z, from 0 on; NULL for the one after the last. Afterwards the planes of row z - 1 are final.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_row_filter_push(WmContext *context, WmRowFilter *filter, const WmSpanRow *row, int32_t z);

#endif
