/* Heightfield layers: the walkable surface of a tile as flat images that don't overlap themselves.
 *
 * in         compact heightfield (eroded, areas marked); the compact->grid.border_size cells around the tile
 *            proper are left out, but tell which of its sides are portals
 * out        layers over the tile proper: height, area and connections of each cell
 *
 * Rows are swept into strips as for regions (sweep_partition.c), whatever their area. Regions are grouped
 * breadth first into layers (region_layers.c), then layers are merged as long as they share no column and are
 * less than 255 cell heights tall. Invariant out: every walkable span of the tile proper is in exactly one
 * layer and cell.
 *
 * The original allows 255 regions, 63 spans a column, 63 regions stacked on a region, 16 neighbours of a
 * region and 64 waiting ones, and fails or ignores the rest. Here the only limit is WM_REGION_LIMIT
 * regions, so results can differ only beyond those. A region 255 or more cell heights tall, whose heights
 * the original wraps, is cut into bands. */
#include "bake/compact/links.h"
#include "bake/regions/regions_internal.h"

#include <string.h>

#include "bake/validate.h"
#include "base/debug/assert.h"

enum { EMPTY_HEIGHT = 255 };

typedef struct LayerBuilder {
  WmContext *context;
  const WmCompactHeightfield *compact;
  int32_t reach;         /* layers farther apart aren't merged */
  uint8_t *is_walkable;  /* [span_count] */
  uint16_t *span_region; /* [span_count] 1..region_count in the tile proper, 0 elsewhere; in the end layers */
  uint32_t region_count;
  WmLayers layers;
  uint32_t layer_count;
} LayerBuilder;

/* ---- Regions ----------------------------------------------------------------------------------------- */

static WmStatus sweep_regions(LayerBuilder *b) {
  const uint32_t span_count = b->compact->span_count;
  b->span_region = wm_scratch_zeroed(b->context, span_count, sizeof *b->span_region);
  b->is_walkable = wm_scratch_array(b->context, span_count, sizeof *b->is_walkable);
  if (!b->span_region || !b->is_walkable) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t span = 0; span < span_count; span++) {
    b->is_walkable[span] = b->compact->span_area[span] != WM_AREA_NULL;
  }
  const WmStatus status =
      wm_partition_rows(b->context, b->compact, b->is_walkable, 0, 1, b->span_region, &b->region_count);
  b->region_count--;
  /* With symmetric links, regions of rows don't overlap themselves. */
  if (status || b->compact->links_are_symmetric) return status;
  return wm_split_overlaps(b->context, b->compact, b->span_region, &b->region_count);
}

static WmStatus gather_regions(LayerBuilder *b) {
  return wm_layers_gather(b->context, b->compact, b->is_walkable, b->compact->span_floor, b->span_region,
                          b->region_count + 1, &b->layers);
}

/* Cuts regions that are too tall for a layer into bands of height. */
static WmStatus cut_tall_regions(LayerBuilder *b) {
  const WmLayerRecord *const records = b->layers.records;
  uint32_t *first_band = wm_scratch_zeroed(b->context, (size_t)b->region_count + 1, sizeof *first_band);
  if (!first_band) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t count = b->region_count;
  for (uint32_t region = 1; region <= b->region_count; region++) {
    const int32_t bands = (records[region].high - records[region].low) / (WM_TALLEST_LAYER + 1);
    first_band[region] = count;
    count += (uint32_t)bands;
    if (count > WM_REGION_LIMIT) return wm_fail_region_limit(b->context);
  }
  if (count == b->region_count) return WM_OK;
  for (uint32_t span = 0; span < b->compact->span_count; span++) {
    const uint32_t region = b->span_region[span];
    if (region == 0) continue;
    const int32_t band = (b->compact->span_floor[span] - records[region].low) / (WM_TALLEST_LAYER + 1);
    if (band > 0) b->span_region[span] = (uint16_t)(first_band[region] + (uint32_t)band);
  }
  b->region_count = count;
  return gather_regions(b);
}

/* ---- Layers ------------------------------------------------------------------------------------------ */

/* Merges the first layer with all later ones that fit, then the next layer with those after it, and so on.
 * A layer that is too far up or down is tried again whenever the first one has grown; nothing else can
 * change the outcome, and an earlier layer that didn't merge with a later one never will. Then numbers the
 * layers in order; the numbers replace the regions. */
static WmStatus merge_layers(LayerBuilder *b) {
  WmLayerRecord *const records = b->layers.records;
  for (uint32_t base = 1; base <= b->region_count; base++) {
    WmLayerRecord *const own = &records[base];
    wm_stacks_mark(&b->layers.stacks, base, base);
    for (uint32_t other = base + 1; own->cells > 0 && other <= b->region_count; other++) {
      const WmLayerRecord *record = &records[other];
      const int32_t low = own->low, high = own->high;
      if (record->low > high + b->reach || record->high + b->reach < low) continue;
      if (wm_layers_join(&b->layers, base, other) && (own->low < low || own->high > high)) other = base;
    }
    b->layers.stacks.groups[base].is_dropped = own->cells == 0;
  }
  return wm_stacks_renumber(b->context, &b->layers.stacks, b->compact, b->span_region, &b->layer_count);
}

/* ---- Output -------------------------------------------------------------------------------------------- */

/* Removes the border from the grid, and allocates one block for all layers with empty arrays. */
static WmStatus create_result(LayerBuilder *b, WmHeightfieldLayers *result) {
  result->grid = b->compact->grid;
  wm_grid_trim(&result->grid);
  result->grid.border_size = 0;
  if (result->grid.width < 0) result->grid.width = 0;
  if (result->grid.depth < 0) result->grid.depth = 0;
  if (b->layer_count == 0) return WM_OK;

  const size_t cells = (size_t)result->grid.width * (size_t)result->grid.depth;
  WmLayout layout = {0};
  wm_layout_add(&layout, b->layer_count, sizeof *result->layers);
  const size_t image_bytes = (cells + 15) & ~(size_t)15;
  const size_t images = wm_layout_add(&layout, 3 * (size_t)b->layer_count, image_bytes);
  result->block = wm_layout_allocate(b->context, &layout);
  if (!result->block) return WM_ERROR_OUT_OF_MEMORY;
  result->layer_count = b->layer_count;
  result->layers = result->block;
  uint8_t *image = (uint8_t *)result->block + images;
  for (uint32_t i = 0; i < b->layer_count; i++) {
    WmHeightfieldLayer *layer = &result->layers[i];
    *layer = (WmHeightfieldLayer){.used_min_x = INT32_MAX,
                                  .used_max_x = -1,
                                  .used_min_z = INT32_MAX,
                                  .used_max_z = -1,
                                  .heights = image,
                                  .areas = image + image_bytes,
                                  .connections = image + 2 * image_bytes};
    memset(image, EMPTY_HEIGHT, image_bytes);
    memset(image + image_bytes, 0, 2 * image_bytes); /* WM_AREA_NULL, no connections */
    image += 3 * image_bytes;
  }
  return WM_OK;
}

/* Layers have the order of the records that lead them. */
static void set_heights(const LayerBuilder *b, WmHeightfieldLayers *result) {
  const WmGrid *grid = &result->grid;
  WmHeightfieldLayer *layer = result->layers;
  for (uint32_t region = 1; region <= b->region_count; region++) {
    const WmLayerRecord *record = &b->layers.records[region];
    if (record->cells == 0) continue;
    layer->height_min = record->low;
    layer->height_max = record->high;
    memcpy(layer->bounds_min, grid->bounds_min, sizeof layer->bounds_min);
    memcpy(layer->bounds_max, grid->bounds_max, sizeof layer->bounds_max);
    layer->bounds_min[1] = grid->bounds_min[1] + (float)layer->height_min * grid->cell_height;
    layer->bounds_max[1] = grid->bounds_min[1] + (float)layer->height_max * grid->cell_height;
    layer++;
  }
}

/* Writes one span of a layer. At a portal the height is at least that of the other side, so that both
 * sides agree. */
static void emit_span(const LayerBuilder *b, WmHeightfieldLayer *layer, uint32_t span, size_t cell) {
  const WmCompactHeightfield *compact = b->compact;
  int32_t height = compact->span_floor[span] - layer->height_min;
  uint32_t connections = 0;
  for (uint32_t d = 0; d < 4; d++) {
    const uint32_t other = wm_link(&compact->links, span, d);
    if (other == WM_NO_SPAN || compact->span_area[other] == WM_AREA_NULL) continue;
    if (b->span_region[other] == b->span_region[span]) {
      connections |= 1u << d;
      continue;
    }
    connections |= 16u << d;
    const int32_t other_height = compact->span_floor[other] - layer->height_min;
    if (other_height > height) height = other_height;
  }
  layer->heights[cell] = (uint8_t)(height < WM_TALLEST_LAYER ? height : WM_TALLEST_LAYER);
  layer->areas[cell] = compact->span_area[span];
  layer->connections[cell] = (uint8_t)connections;
}

/* Cells are added row by row. */
static void use_cell(WmHeightfieldLayer *layer, int32_t x, int32_t z) {
  if (x < layer->used_min_x) layer->used_min_x = x;
  if (x > layer->used_max_x) layer->used_max_x = x;
  if (z < layer->used_min_z) layer->used_min_z = z;
  layer->used_max_z = z;
}

static void emit_layers(const LayerBuilder *b, WmHeightfieldLayers *result) {
  const WmCompactHeightfield *compact = b->compact;
  const int32_t border = compact->grid.border_size, width = result->grid.width;
  set_heights(b, result);
  for (int32_t z = 0; z < result->grid.depth; z++) {
    const uint32_t *row = compact->cell_first + (size_t)(z + border) * (size_t)compact->grid.width;
    for (int32_t x = 0; x < width; x++) {
      const size_t cell = (size_t)x + (size_t)z * (size_t)width;
      for (uint32_t span = row[x + border]; span < row[x + border + 1]; span++) {
        const uint32_t number = b->span_region[span];
        if (number == 0) continue;
        WmHeightfieldLayer *layer = &result->layers[number - 1];
        emit_span(b, layer, span, cell);
        use_cell(layer, x, z);
      }
    }
  }
}

/* ---- The whole --------------------------------------------------------------------------------------- */

static WmStatus build_layers(LayerBuilder *b, WmHeightfieldLayers *result) {
  WmStatus status = sweep_regions(b);
  if (!status) status = gather_regions(b);
  if (!status) status = cut_tall_regions(b);
  if (!status) wm_layers_grow(&b->layers);
  if (!status) status = merge_layers(b);
  if (!status) status = create_result(b, result);
  if (!status && b->layer_count > 0) emit_layers(b, result);
  return status;
}

WmStatus wm_build_heightfield_layers(WmContext *context, const WmCompactHeightfield *compact,
                                     int32_t walkable_height, WmHeightfieldLayers *layers) {
  memset(layers, 0, sizeof *layers);
  if (walkable_height < 0 || walkable_height > 65535) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "walkableHeight", walkable_height, 0, 65535,
                         NULL);
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  LayerBuilder builder = {.context = context, .compact = compact, .reach = 4 * walkable_height};
  const WmStatus status = build_layers(&builder, layers);
  wm_scratch_rewind(context, mark);
  if (status) {
    wm_heightfield_layers_free(context, layers);
  } else {
    WM_VALIDATE(wm_heightfield_layers_validate(compact, layers));
  }
  return status;
}
