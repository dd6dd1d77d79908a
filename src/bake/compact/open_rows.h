/* Rows of open spans: the spans of filtered rows that are walkable, for the compact heightfield.
 *
 * Spans are stored in chunks, since their number isn't known in advance. */
#ifndef WALKMESH_BAKE_OPEN_ROWS_H
#define WALKMESH_BAKE_OPEN_ROWS_H

#include "bake/compact/air_rows.h"
#include "bake/filter/filter_rows.h"

typedef struct WmOpenChunk {
  struct WmOpenChunk *next;
  size_t count, capacity;
  _Alignas(16) uint32_t spans[]; /* [capacity] floor, 2^16 * clearance, 2^24 * area */
} WmOpenChunk;

/* Zeroed if empty. Blocks of the context, freed by wm_open_rows_free. */
typedef struct WmOpenRows {
  WmGrid grid;
  uint32_t *cell_first; /* [width * depth + 1] */
  uint32_t span_count;
  uint32_t solid_count; /* solid spans filtered, open or not */
  WmOpenChunk *first_chunk, *last_chunk;
} WmOpenRows;

/* Starts without rows. On failure, here and below, the caller frees the rows. */
WmStatus wm_open_rows_start(WmContext *context, const WmGrid *grid, WmOpenRows *rows);

/* Appends a chunk for at least `room` spans; NULL without memory. */
WmOpenChunk *wm_open_rows_reserve(WmContext *context, WmOpenRows *rows, uint64_t room);

/* A WmSpanRowSink that filters rows and stores their open spans. */
typedef struct WmOpenSpanSink {
  WmRowFilter filter;
  WmOpenRows *rows;
  WmAirRows *air; /* NULL: none */
} WmOpenSpanSink;

/* Starts with no rows, in scratch memory of the caller's mark. On failure, here and in
 * wm_open_span_sink_write, the caller frees the rows.
 * out        air: may be NULL */
WmStatus wm_open_span_sink_start(WmContext *context, const WmGrid *grid, const WmFilterSettings *settings,
                                 WmOpenRows *rows, WmAirRows *air, WmOpenSpanSink *sink);

/* WmSpanRowSink.write; called with NULL for the row after the last. */
WmStatus wm_open_span_sink_write(WmContext *context, void *target, const WmSpanRow *row, int32_t z);

/* The triangles and solids to rasterize; see wm_rasterize. */
typedef struct WmRasterInput {
  const WmTriangles *triangles;
  const uint8_t *areas;
  const uint32_t *subset;
  size_t subset_count;
  const WmSolid *solids;
  size_t solid_count;
  float max_slope_degrees; /* of solids */
} WmRasterInput;

/* Rasterizes, filters, and stores open spans, row by row: no heightfield is ever complete.
 * out        rows: zeroed on failure; *air: a block of the context, NULL on failure; air may be NULL: none
 * returns    as wm_rasterize */
WmStatus wm_rasterize_open(WmContext *context, const WmGrid *grid, const WmFilterSettings *settings,
                           const WmRasterInput *input, WmOpenRows *rows, WmAir **air);

void wm_open_rows_free(WmContext *context, WmOpenRows *rows);

/* True if cells ascend, chunks hold all spans, and the spans of each cell have areas and ascend without overlap.
 * cost       O(cells + spans) */
bool wm_open_rows_validate(const WmOpenRows *rows);

/* Builds the compact heightfield from the rows, links it, and frees the rows. Only the links need clearances:
 * span_clearance is NULL afterwards unless keep_clearance is set.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; the rows are freed in any case */
WmStatus wm_link_open_rows(WmContext *context, WmOpenRows *rows, int32_t walkable_height,
                           int32_t walkable_climb, bool keep_clearance, WmCompactHeightfield *compact);

#endif
