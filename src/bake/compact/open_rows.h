/* Rows of open spans: what is left of solid rows after the filters, for the compact heightfield.
 *
 * Spans are gathered in blocks of many, since nobody knows before how many there will be. */
#ifndef WALKMESH_BAKE_OPEN_ROWS_H
#define WALKMESH_BAKE_OPEN_ROWS_H

#include "bake/filter/filter_rows.h"

typedef struct WmOpenChunk {
  struct WmOpenChunk *next;
  size_t count, capacity;
  _Alignas(16) uint32_t spans[]; /* [capacity] floor, 2^16 * clearance, 2^24 * area */
} WmOpenChunk;

/* Zeroed: nothing. Blocks of the context, freed by wm_open_rows_free. */
typedef struct WmOpenRows {
  WmGrid grid;
  uint32_t *cell_first; /* [width * depth + 1] */
  uint32_t span_count;
  uint32_t solid_count; /* spans seen, open or not */
  WmOpenChunk *first_chunk, *last_chunk;
} WmOpenRows;

/* Begins with no row. On failure, here and below, the rows are to be freed. */
WmStatus wm_open_rows_start(WmContext *context, const WmGrid *grid, WmOpenRows *rows);

/* Adds a chunk for so many spans, or more; NULL where there is no memory. */
WmOpenChunk *wm_open_rows_reserve(WmContext *context, WmOpenRows *rows, uint64_t room);

/* The taker of a WmSpanRowSink: filters rows, and keeps what is open. */
typedef struct WmOpenSpanSink {
  WmRowFilter filter;
  WmOpenRows *rows;
} WmOpenSpanSink;

/* Takes scratch memory, too. On failure, here and later, the rows are to be freed. */
WmStatus wm_open_span_sink_start(WmContext *context, const WmGrid *grid, const WmFilterSettings *settings,
                                 WmOpenRows *rows, WmOpenSpanSink *sink);

/* WmSpanRowSink.take; after the last row NULL, one beyond it. */
WmStatus wm_open_span_sink_write(WmContext *context, void *target, const WmSpanRow *row, int32_t z);

/* What is made solid: triangles, then solids; see wm_rasterize. */
typedef struct WmRasterInput {
  const WmTriangles *triangles;
  const uint8_t *areas;
  const uint32_t *subset;
  size_t subset_count;
  const WmSolid *solids;
  size_t solid_count;
} WmRasterInput;

/* Rasterizes, filters and keeps what is open, row by row: nothing else is ever there as a whole.
 * out        rows; zeroed on failure
 * returns    as wm_rasterize */
WmStatus wm_rasterize_open(WmContext *context, const WmGrid *grid, const WmFilterSettings *settings,
                           const WmRasterInput *input, WmOpenRows *rows);

void wm_open_rows_free(WmContext *context, WmOpenRows *rows);

/* Puts the rows together, links them, and frees them. Clearances are there for the links only, unless they are
 * to be kept: span_clearance is NULL then. */
WmStatus wm_link_open_rows(WmContext *context, WmOpenRows *rows, int32_t walkable_height,
                           int32_t walkable_climb, bool keep_clearance, WmCompactHeightfield *compact);

#endif
