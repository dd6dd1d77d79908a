/* A row of solid spans in layers: the rasterizer merges runs into it, and the filters read it.
 *
 * Layer k of column x holds span k of the column from the bottom: its low and high, both minus 32768, as
 * int16 (signed lanes compare in one instruction), and its area. A missing span has low INT16_MAX, high
 * INT16_MIN, area 0, also beyond the width. So the low of the layer above is always the ceiling of a span:
 * INT16_MAX stands for WM_OPEN_CEILING. */
#ifndef WALKMESH_BAKE_SPAN_ROWS_H
#define WALKMESH_BAKE_SPAN_ROWS_H

#include "bake/fields.h"
#include "base/simd.h"

enum { WM_SOLID_BIAS = 32768, WM_SOLID_NO_LOW = INT16_MAX, WM_SOLID_NO_HIGH = INT16_MIN };

typedef struct WmSpanRow {
  int16_t *spans;  /* [layers][low, high, area][stride] */
  size_t stride;   /* at least width + 8, a multiple of 8 */
  uint32_t layers; /* the last one is empty */
} WmSpanRow;

/* Empties eight columns of a layer. */
WM_INLINE void wm_span_row_clear_eight(int16_t *span, size_t stride) {
  wm_store_short8(span, wm_splat_short8(WM_SOLID_NO_LOW));
  wm_store_short8(span + stride, wm_splat_short8(WM_SOLID_NO_HIGH));
  wm_store_short8(span + 2 * stride, wm_splat_short8(0));
}

/* Empties all layers. */
void wm_span_row_clear(const WmSpanRow *row);

/* Reports that there are more spans than span numbers, and returns WM_ERROR_LIMIT. */
WmStatus wm_fail_span_count(WmContext *context);

/* Allocates an empty row, in scratch memory, that fits any row of the field; spans is NULL without memory. */
WmSpanRow wm_span_row_create(WmContext *context, const WmHeightfield *field);

/* Fills an empty row with row z of the field. */
void wm_span_row_load(const WmHeightfield *field, int32_t z, const WmSpanRow *row);

/* Receives the rows of a field, from the first on. `write` leaves the row empty. */
typedef struct WmSpanRowSink {
  WmStatus (*write)(WmContext *context, void *target, const WmSpanRow *row, int32_t z);
  void *target;
} WmSpanRowSink;

/* ---- Rows to a heightfield --------------------------------------------------------------------------- */

typedef struct WmHeightSpan WmHeightSpan;

typedef struct WmFieldBuilder {
  uint32_t width;
  uint32_t *cell_first; /* [width * depth + 1] */
  WmHeightSpan *spans;  /* [span_count] */
  size_t span_count, capacity;
} WmFieldBuilder;

/* Allocates in scratch memory; so do the functions below. */
WmStatus wm_field_builder_start(WmContext *context, const WmGrid *grid, WmFieldBuilder *builder);

/* WmSpanRowSink.write of a WmFieldBuilder. */
WmStatus wm_field_builder_append_row(WmContext *context, void *target, const WmSpanRow *row, int32_t z);

WmStatus wm_field_builder_finish(WmContext *context, const WmGrid *grid, const WmFieldBuilder *builder,
                                 WmHeightfield *field);

#endif
