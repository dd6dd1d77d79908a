/* The three filters as a sweep over solid rows: rows go in one after the other, and each comes out, its areas
 * filtered, when the one after it is in.
 *
 *   filter_rows.c   the sweep
 *   filter.c        the filters as stages of their own, on a heightfield
 *   open_rows.c     what the rasterizer's rows go through otherwise: filters, then only open spans are kept
 */
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

/* Takes scratch memory.
 * in         settings->walkable_height 1 to 255 */
WmStatus wm_row_filter_start(WmContext *context, const WmGrid *grid, const WmFilterSettings *settings,
                             WmRowFilter *filter);

/* Takes row z, which may be one beyond the last (NULL); afterwards the planes of row z - 1 are final. */
WmStatus wm_row_filter_push(WmContext *context, WmRowFilter *filter, const WmSpanRow *row, int32_t z);

#endif
