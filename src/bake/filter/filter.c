/* The filters as stages of their own, in place on the areas of a heightfield. See filter_rows.h. */
#include "bake/filter/filter_rows.h"

#include "bake/validate.h"
#include "base/debug/assert.h"

/* Copies the areas of row z from its planes. */
static void store_areas(const WmHeightfield *field, const WmPlaneWindow *planes, int32_t z) {
  const uint32_t *first = field->cell_first + (size_t)z * (size_t)field->grid.width;
  WmPlaneView views[5];
  wm_planes_look(planes, z, views);
  for (int32_t x = 0; x < field->grid.width; x++) {
    for (uint32_t span = first[x]; span < first[x + 1]; span++) {
      const int16_t *at = wm_planes_at(&views[4], planes->stride, span - first[x], x);
      field->span_area[span] = (uint8_t)(at[2 * planes->stride] / WM_STATE_AREA);
    }
  }
}

WmStatus wm_filter_heightfield(WmContext *context, const WmFilterSettings *settings, WmHeightfield *field) {
  const int32_t depth = field->grid.depth;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmRowFilter filter;
  WmStatus status = wm_row_filter_start(context, &field->grid, settings, &filter);
  const WmSpanRow row = wm_span_row_create(context, field);
  if (!row.spans) status = WM_ERROR_OUT_OF_MEMORY;
  /* Before the sweep, since nothing may fail once areas have changed. */
  for (int32_t z = 0; z < 3 && !status; z++)
    status = wm_planes_reserve(context, filter.planes, z, row.layers);
  for (int32_t z = 0; z <= depth && !status; z++) {
    if (z < depth) wm_span_row_load(field, z, &row);
    status = wm_row_filter_push(context, &filter, z < depth ? &row : NULL, z);
    if (z > 0) store_areas(field, filter.planes, z - 1);
  }
  wm_scratch_rewind(context, mark);
  if (!status) WM_VALIDATE(wm_heightfield_validate(field));
  return status;
}
