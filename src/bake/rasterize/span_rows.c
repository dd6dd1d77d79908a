/* Rows of solid spans from and to heightfields, for stages that are kept or run one by one. See
 * span_rows.h. */
#include "bake/rasterize/span_rows.h"

#include <string.h>

enum { LANES = 8 };

void wm_span_row_clear(const WmSpanRow *row) {
  for (size_t k = 0; k < row->layers; k++) {
    int16_t *const spans = row->spans + 3 * row->stride * k;
    for (size_t x = 0; x < row->stride; x += LANES) wm_span_row_clear_eight(spans + x, row->stride);
  }
}

WmStatus wm_fail_span_count(WmContext *context) {
  return wm_fail(context, WM_ERROR_LIMIT, "cellSize",
                 "the level has more than 4294967294 spans: raise cellSize or use tiles (tileSize)");
}

/* ---- From a heightfield ------------------------------------------------------------------------------ */

WmSpanRow wm_span_row_create(WmContext *context, const WmHeightfield *field) {
  const size_t cells = (size_t)field->grid.width * (size_t)field->grid.depth;
  WmSpanRow row = {.stride = ((size_t)field->grid.width + 2 * LANES) & ~(size_t)(LANES - 1), .layers = 1};
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t count = field->cell_first[cell + 1] - field->cell_first[cell];
    if (row.layers <= count) row.layers = count + 1;
  }
  row.spans = wm_scratch_array(context, row.layers, 3 * row.stride * sizeof *row.spans);
  if (row.spans) wm_span_row_clear(&row);
  return row;
}

void wm_span_row_load(const WmHeightfield *field, int32_t z, const WmSpanRow *row) {
  const size_t width = (size_t)field->grid.width;
  const uint32_t *first = field->cell_first + (size_t)z * width;
  for (size_t x = 0; x < width; x++) {
    int16_t *at = row->spans + x;
    for (uint32_t span = first[x]; span < first[x + 1]; span++, at += 3 * row->stride) {
      at[0] = (int16_t)(field->span_min[span] - WM_SOLID_BIAS);
      at[row->stride] = (int16_t)(field->span_max[span] - WM_SOLID_BIAS);
      at[2 * row->stride] = field->span_area[span];
    }
  }
}

/* ---- To a heightfield -------------------------------------------------------------------------------- */

struct WmHeightSpan {
  uint16_t low, high;
  uint8_t area;
};

WmStatus wm_field_builder_start(WmContext *context, const WmGrid *grid, WmFieldBuilder *builder) {
  *builder = (WmFieldBuilder){.width = (uint32_t)grid->width};
  builder->cell_first =
      wm_scratch_array(context, (size_t)grid->width * (size_t)grid->depth + 1, sizeof(uint32_t));
  return builder->cell_first ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

WmStatus wm_field_builder_append_row(WmContext *context, void *target, const WmSpanRow *row, int32_t z) {
  WmFieldBuilder *builder = target;
  const size_t width = builder->width, stride = row->stride;
  size_t count = builder->span_count;
  uint32_t *cell_first = builder->cell_first + (size_t)z * width;
  builder->spans = wm_scratch_reserve(context, builder->spans, &builder->capacity,
                                      count + row->layers * width, sizeof *builder->spans);
  if (!builder->spans) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t x = 0; x < width; x++) {
    cell_first[x] = (uint32_t)count;
    for (int16_t *span = row->spans + x; span[stride] != WM_SOLID_NO_HIGH; span += 3 * stride) {
      builder->spans[count++] =
          (WmHeightSpan){(uint16_t)(span[0] + WM_SOLID_BIAS), (uint16_t)(span[stride] + WM_SOLID_BIAS),
                         (uint8_t)span[2 * stride]};
    }
  }
  builder->span_count = count;
  wm_span_row_clear(row);
  return count < WM_NO_SPAN ? WM_OK : wm_fail_span_count(context);
}

WmStatus wm_field_builder_finish(WmContext *context, const WmGrid *grid, const WmFieldBuilder *builder,
                                 WmHeightfield *field) {
  const size_t cells = (size_t)grid->width * (size_t)grid->depth, spans = builder->span_count;
  WmLayout layout = {0};
  const size_t first = wm_layout_add(&layout, cells + 1, sizeof(uint32_t));
  const size_t low = wm_layout_add(&layout, spans, sizeof(uint16_t));
  const size_t high = wm_layout_add(&layout, spans, sizeof(uint16_t));
  const size_t area = wm_layout_add(&layout, spans, sizeof(uint8_t));
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  *field = (WmHeightfield){.grid = *grid, .span_count = (uint32_t)spans, .block = block};
  field->cell_first = (uint32_t *)(void *)(block + first);
  field->span_min = (uint16_t *)(void *)(block + low);
  field->span_max = (uint16_t *)(void *)(block + high);
  field->span_area = block + area;
  memcpy(field->cell_first, builder->cell_first, cells * sizeof(uint32_t));
  field->cell_first[cells] = field->span_count;
  for (size_t i = 0; i < spans; i++) {
    field->span_min[i] = builder->spans[i].low;
    field->span_max[i] = builder->spans[i].high;
    field->span_area[i] = builder->spans[i].area;
  }
  return WM_OK;
}
