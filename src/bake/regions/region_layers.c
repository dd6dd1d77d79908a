/* Joins regions to layers, breadth first, so that no layer overlaps itself: for the layers partition, and as
 * the first step of heightfield layers.
 *
 * A region joins the layer of the first region of its area that reaches it, unless it shares a column with
 * a region already there, or the layer would become too tall. Neighbours are tried in the order in which a
 * raster scan discovers them, since a layer's columns grow while it is built. */
#include "bake/compact/links.h"
#include "bake/regions/regions_internal.h"

/* ---- Gathering --------------------------------------------------------------------------------------- */

WmStatus wm_layers_link(WmContext *context, WmLayers *layers, uint32_t region, uint32_t other) {
  WmLayerRecord *record = &layers->records[region];
  if (other == region || other == 0) return WM_OK;
  if (!(other & WM_REGION_BORDER)) return wm_list_add(context, &layers->lists, &record->links, region, other);
  record->touches_border = true;
  return WM_OK;
}

/* Records the regions across those links of a span that are set in `sides`. */
static WmStatus link_span(WmContext *context, WmLayers *layers, const WmLinks *links, uint32_t span,
                          const uint16_t *span_region, uint32_t sides) {
  for (; sides; sides &= sides - 1) {
    const uint32_t link = wm_link(links, span, (size_t)__builtin_ctz(sides));
    const uint32_t other = link == WM_NO_SPAN ? 0 : span_region[link];
    if (wm_layers_link(context, layers, span_region[span], other)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

WmStatus wm_layers_gather(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                          const uint16_t *span_floor, const uint16_t *span_region, uint32_t record_count,
                          WmLayers *layers) {
  *layers = (WmLayers){.records = wm_scratch_zeroed(context, record_count, sizeof *layers->records),
                       .record_count = record_count};
  if (!layers->records) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t contacts = 0;
  for (uint32_t span = 0; span < compact->span_count; span++, contacts >>= 4) {
    if (span % 8 == 0) contacts = wm_find_contacts(compact, span_region, span);
    const uint32_t region = span_region[span];
    if (!wm_is_region(region, record_count)) continue;
    WmLayerRecord *record = &layers->records[region];
    const int32_t floor = span_floor ? span_floor[span] : 0;
    if (record->cells++ == 0) record->low = record->high = floor;
    if (floor < record->low) record->low = floor;
    if (floor > record->high) record->high = floor;
    record->area = span_area[span];
    if (link_span(context, layers, &compact->links, span, span_region, contacts & 15)) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  return wm_stacks_gather(context, compact, span_region, record_count, &layers->stacks);
}

/* ---- Joining ----------------------------------------------------------------------------------------- */

bool wm_layers_join(WmLayers *layers, uint32_t record, uint32_t other) {
  WmLayerRecord *a = &layers->records[record], *b = &layers->records[other];
  const int32_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;
  if (b->cells == 0 || high - low > WM_TALLEST_LAYER ||
      wm_stacks_meet(&layers->stacks, record, other, true)) {
    return false;
  }
  a->low = low;
  a->high = high;
  a->cells += b->cells;
  b->cells = 0;
  a->touches_border |= b->touches_border;
  wm_stacks_mark(&layers->stacks, record, other);
  wm_stacks_unite(&layers->stacks, record, other);
  return true;
}

/* The neighbours of a layer's regions are visited once, in the order in which the regions joined. */
void wm_layers_grow(WmLayers *layers) {
  WmLayerRecord *const records = layers->records;
  for (uint32_t root = 1; root < layers->record_count; root++) {
    WmLayerRecord *const own = &records[root];
    if (own->cells == 0 || own->links == 0) continue;
    wm_stacks_mark(&layers->stacks, root, root);
    uint32_t entry = own->links;
    do {
      entry = layers->lists.entries[entry].next;
      const uint32_t next = layers->lists.entries[entry].value;
      if (next <= root || records[next].area != own->area || !wm_layers_join(layers, root, next)) continue;
      wm_list_join(&layers->lists, &own->links, records[next].links);
    } while (entry != own->links);
  }
}

/* ---- The layers partition ---------------------------------------------------------------------------- */

void wm_layers_merge(WmLayers *layers, int32_t min_region_cells) {
  wm_layers_grow(layers);
  /* Drops layers of fewer cells, unless they touch the border of the tile. */
  for (uint32_t i = 1; i < layers->record_count; i++) {
    const WmLayerRecord *record = &layers->records[i];
    layers->stacks.groups[i].is_dropped =
        record->cells > 0 && !record->touches_border && (int64_t)record->cells < min_region_cells;
  }
}

WmStatus wm_merge_region_layers(WmContext *context, const WmCompactHeightfield *compact,
                                int32_t min_region_cells, uint32_t next_number, uint16_t *span_region,
                                uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(context);
  WmLayers layers;
  WmStatus status =
      wm_layers_gather(context, compact, compact->span_area, NULL, span_region, next_number + 1, &layers);
  if (!status) {
    wm_layers_merge(&layers, min_region_cells);
    status = wm_stacks_renumber(context, &layers.stacks, compact, span_region, region_count);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
