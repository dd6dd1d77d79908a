/* The layers partition: raw regions are joined, breadth first, to layers that nowhere lie over themselves.
 *
 * A region joins the layer of the first region of its area that reaches it, unless it shares a column with
 * some region already there. Neighbours are tried in the order in which a raster scan discovers them, since a
 * layer's columns grow while it is built. */
#include "bake/regions_internal.h"

typedef struct Layers {
  WmContext *context;
  uint32_t record_count;
  uint32_t *cells; /* [record_count] */
  uint8_t *area;   /* [record_count] */
  WmRegionLinks links;
  WmStacks stacks;
  uint16_t *layer; /* [record_count] */
} Layers;

static WmStatus gather_layers(Layers *layers, const WmCompactHeightfield *compact,
                              const uint16_t *span_region) {
  const uint32_t count = layers->record_count;
  layers->cells = wm_scratch_zeroed(layers->context, count, sizeof *layers->cells);
  layers->area = wm_scratch_zeroed(layers->context, count, sizeof *layers->area);
  layers->layer = wm_scratch_zeroed(layers->context, count, sizeof *layers->layer);
  if (!layers->cells || !layers->area || !layers->layer) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t span = 0; span < compact->span_count; span++) {
    const uint32_t region = span_region[span];
    if (region == 0 || region >= count) continue;
    layers->cells[region]++;
    layers->area[region] = compact->span_area[span];
  }
  if (wm_region_links_gather(layers->context, compact, span_region, count, &layers->links)) {
    return WM_ERROR_OUT_OF_MEMORY;
  }
  return wm_stacks_gather(layers->context, compact, span_region, count, &layers->stacks);
}

/* Collects a layer from `root`; cells of its regions are counted at the root. */
static WmStatus grow_layer(Layers *layers, uint32_t root, uint32_t number, uint16_t *queue) {
  uint32_t count = 1;
  queue[0] = (uint16_t)root;
  layers->layer[root] = (uint16_t)number;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t region = queue[i];
    for (uint32_t link = layers->links.first[region]; link != WM_NO_LINK;
         link = layers->links.links[link].next) {
      const uint32_t next = layers->links.links[link].region;
      if (layers->layer[next] != 0 || layers->area[next] != layers->area[region]) continue;
      if (wm_stacks_conflict(&layers->stacks, root, next)) continue;
      queue[count++] = (uint16_t)next;
      layers->layer[next] = (uint16_t)number;
      layers->cells[root] += layers->cells[next];
      layers->cells[next] = 0;
      layers->links.touches_border[root] |= layers->links.touches_border[next];
      if (wm_stacks_join(layers->context, &layers->stacks, root, next)) return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  return WM_OK;
}

static WmStatus grow_layers(Layers *layers) {
  uint16_t *queue = wm_scratch_array(layers->context, layers->record_count, sizeof *queue);
  if (!queue) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t number = 1;
  for (uint32_t record = 1; record < layers->record_count; record++) {
    if (layers->layer[record] != 0) continue;
    if (grow_layer(layers, record, number++, queue)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

/* Drops layers of fewer cells that are no continuation of a neighbouring tile's. */
static WmStatus drop_small_layers(Layers *layers, int32_t min_region_cells) {
  uint8_t *is_small = wm_scratch_zeroed(layers->context, layers->record_count, sizeof *is_small);
  if (!is_small) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t record = 1; record < layers->record_count; record++) {
    if (layers->cells[record] == 0 || layers->links.touches_border[record]) continue;
    if ((int64_t)layers->cells[record] < min_region_cells) is_small[layers->layer[record]] = 1;
  }
  for (uint32_t record = 1; record < layers->record_count; record++) {
    if (is_small[layers->layer[record]]) layers->layer[record] = 0;
  }
  return WM_OK;
}

WmStatus wm_merge_region_layers(WmContext *context, const WmCompactHeightfield *compact,
                                int32_t min_region_cells, uint32_t next_number, uint16_t *span_region,
                                uint32_t *region_count, bool *has_overlap) {
  const WmScratchMark mark = wm_scratch_mark(context);
  Layers layers = {.context = context, .record_count = next_number + 1};
  WmStatus status = gather_layers(&layers, compact, span_region);
  if (!status) status = grow_layers(&layers);
  if (!status) status = drop_small_layers(&layers, min_region_cells);
  if (!status) {
    status = wm_renumber_regions(context, layers.layer, layers.record_count, span_region, compact->span_count,
                                 region_count);
  }
  *has_overlap = layers.stacks.has_overlap;
  wm_scratch_rewind(context, mark);
  return status;
}
