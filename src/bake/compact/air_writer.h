/* Writes the air of a tile while its rows are filtered. See air_code.h. */
#ifndef WALKMESH_BAKE_AIR_WRITER_H
#define WALKMESH_BAKE_AIR_WRITER_H

#include "bake/compact/air_code.h"
#include "bake/filter/layer_planes.h"

/* A row of cells: the gaps of cell x are gaps[first[x]] up to gaps[first[x + 1]], and ascend. */
typedef struct WmAirRow {
  uint32_t *first; /* [width + 1] */
  WmAirGap *gaps;
  size_t capacity; /* gaps */
} WmAirRow;

/* Writes rows of air one after the other. In scratch memory. */
typedef struct WmAirWriter {
  int32_t width, depth, border; /* cells without the border; of the border on each side */
  WmAirRow rows[2];             /* the current one and the one before */
  uint8_t *bytes;
  size_t byte_count, capacity;
  uint64_t bits; /* the last bit_count ones aren't stored yet */
  uint32_t bit_count;
} WmAirWriter;

/* Starts the air of a tile, in scratch memory of the caller's mark.
 * in         width, depth, border: of the field */
WmStatus wm_air_writer_start(WmContext *context, const WmGrid *grid, WmAirWriter *writer);

/* Appends row z of the field, unless it is one of the border. A cell's gaps are those at least as high as the agent: the spaces above
 * its solid spans, of which the last one is open to the sky, and the space below the lowest one. A cell without solid spans has none.
 * Ceilings are at most 255 above their floors, but for the sky's; the floor of the lowest gap at most 255 below its ceiling.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_air_writer_append(WmContext *context, WmAirWriter *writer, const WmPlaneWindow *planes,
                              const WmPlaneView *view, int32_t z);

/* Ends the air after its last row.
 * out        *bytes [*byte_count]: a block of the context; NULL on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_air_writer_finish(WmContext *context, WmAirWriter *writer, uint8_t **bytes, size_t *byte_count);

#endif
