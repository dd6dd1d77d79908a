/* The cells and heights that an area volume covers. */
#ifndef WALKMESH_BAKE_VOLUME_CELLS_H
#define WALKMESH_BAKE_VOLUME_CELLS_H

#include "bake/stages.h"

/* Receives the cells of a volume row by row, each with the first and last height inside it, in cell heights, inclusive. */
typedef struct WmVolumeSink {
  void (*write)(void *target, int32_t x, int32_t z, int32_t first, int32_t last);
  void *target;
} WmVolumeSink;

/* Finds the cells of the grid that a volume covers.
 * returns    as wm_mark_area */
WmStatus wm_find_volume_cells(WmContext *context, const WmGrid *grid, const WmAreaVolume *volume,
                              WmVolumeSink sink);

#endif
