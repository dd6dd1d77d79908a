/* Regions joined to layers, breadth first, that nowhere lie over themselves: the layers partition, and what
 * heightfield layers begin with.
 *
 * A region joins the layer of the first region of its area that reaches it, unless it shares a column with
 * some region already there, or the layer would be too tall. Neighbours are tried in the order in which a
 * raster scan discovers them, since a layer's columns grow while it is built. */
#include "bake/regions_internal.h"

/* ---- Gathering ----------------------------------------------------------------------------------------- */

/* Enters what lies across the links of a span. */
static WmStatus link_span(WmLayers *layers, const uint32_t *link, const uint16_t *span_region,
                          uint32_t region) {
  WmLayerRecord *record = &layers->records[region];
  for (int d = 0; d < 4; d++) {
    const uint32_t other = link[d] == WM_NO_SPAN ? 0 : span_region[link[d]];
    if (other == region || other == 0) continue;
    if (other & WM_REGION_BORDER) {
      record->touches_border = true;
      continue;
    }
    if (record->links != 0 && layers->lists.entries[record->links].value == other) continue; /* mostly */
    bool added = false;
    if (wm_pair_set_add(layers->context, &layers->linked, region, other, &added))
      return WM_ERROR_OUT_OF_MEMORY;
    if (added && wm_list_append(layers->context, &layers->lists, &record->links, other)) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  return WM_OK;
}

WmStatus wm_layers_gather(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                          const uint16_t *span_floor, const uint16_t *span_region, uint32_t record_count,
                          WmLayers *layers) {
  *layers = (WmLayers){.context = context,
                       .records = wm_scratch_zeroed(context, record_count, sizeof *layers->records),
                       .record_count = record_count};
  if (!layers->records) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t span = 0; span < compact->span_count; span++) {
    const uint32_t region = span_region[span];
    if (!wm_is_region(region, record_count)) continue;
    WmLayerRecord *record = &layers->records[region];
    const int32_t floor = span_floor ? span_floor[span] : 0;
    if (record->cells++ == 0) record->low = record->high = floor;
    if (floor < record->low) record->low = floor;
    if (floor > record->high) record->high = floor;
    record->area = span_area[span];
    if (link_span(layers, compact->span_neighbour + 4 * (size_t)span, span_region, region)) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  return wm_stacks_gather(context, compact, span_region, record_count, &layers->stacks);
}

/* ---- Joining ------------------------------------------------------------------------------------------- */

bool wm_layers_may_join(const WmLayers *layers, uint32_t record, uint32_t other) {
  const WmLayerRecord *a = &layers->records[record], *b = &layers->records[other];
  const int32_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;
  return high - low <= WM_TALLEST_LAYER && !wm_stacks_conflict(&layers->stacks, record, other);
}

WmStatus wm_layers_join(WmLayers *layers, uint32_t record, uint32_t other) {
  WmLayerRecord *a = &layers->records[record], *b = &layers->records[other];
  if (b->low < a->low) a->low = b->low;
  if (b->high > a->high) a->high = b->high;
  a->cells += b->cells;
  b->cells = 0;
  a->touches_border |= b->touches_border;
  return wm_stacks_join(layers->context, &layers->stacks, record, other);
}

WmStatus wm_layers_grow(WmLayers *layers) {
  WmLayerRecord *const records = layers->records;
  uint16_t *queue = wm_scratch_array(layers->context, layers->record_count, sizeof *queue);
  if (!queue) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t root = 1; root < layers->record_count; root++) {
    if (records[root].is_joined) continue;
    records[root].is_joined = true;
    queue[0] = (uint16_t)root;
    for (uint32_t i = 0, count = 1; i < count; i++) {
      const WmLayerRecord *from = &records[queue[i]];
      for (uint32_t entry = from->links; entry != 0;) {
        entry = layers->lists.entries[entry].next;
        const uint32_t next = layers->lists.entries[entry].value;
        if (!records[next].is_joined && records[next].area == from->area &&
            wm_layers_may_join(layers, root, next)) {
          records[next].is_joined = true;
          queue[count++] = (uint16_t)next;
          if (wm_layers_join(layers, root, next)) return WM_ERROR_OUT_OF_MEMORY;
        }
        if (entry == from->links) break;
      }
    }
  }
  return WM_OK;
}

/* ---- The layers partition ------------------------------------------------------------------------------ */

WmStatus wm_merge_region_layers(WmContext *context, const WmCompactHeightfield *compact,
                                int32_t min_region_cells, uint32_t next_number, uint16_t *span_region,
                                uint32_t *region_count, bool *has_overlap) {
  const WmScratchMark mark = wm_scratch_mark(context);
  WmLayers layers;
  WmStatus status =
      wm_layers_gather(context, compact, compact->span_area, NULL, span_region, next_number + 1, &layers);
  if (!status) status = wm_layers_grow(&layers);
  if (!status) {
    /* Layers of fewer cells go, unless they go on in a neighbouring tile. */
    for (uint32_t i = 1; i < layers.record_count; i++) {
      const WmLayerRecord *record = &layers.records[i];
      layers.stacks.groups[i].is_dropped =
          record->cells > 0 && !record->touches_border && (int64_t)record->cells < min_region_cells;
    }
    status = wm_stacks_renumber(context, &layers.stacks, span_region, compact->span_count, region_count);
    *has_overlap = layers.stacks.has_overlap;
  }
  wm_scratch_rewind(context, mark);
  return status;
}
