/* One-storey compact heightfields from a map of cells, with regions, for the tests of contours and polygons.
 */
#ifndef WALKMESH_TESTS_FLAT_FIELD_H
#define WALKMESH_TESTS_FLAT_FIELD_H

#include "bake/stages.h"
#include "plain_links.h"
#include "random_field.h"

typedef struct FlatField {
  WmCompactHeightfield compact;
  WmRegions regions;
} FlatField;

static inline void link_flat(const WmCompactHeightfield *compact, const uint8_t *map, int32_t x, int32_t z,
                             uint32_t *links) {
  static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};
  const int32_t width = compact->grid.width, depth = compact->grid.depth;
  const uint32_t span = compact->cell_first[x + z * width];
  for (int d = 0; d < 4; d++) {
    const int32_t to_x = x + STEP_X[d], to_z = z + STEP_Z[d];
    uint32_t *link = &links[4 * (size_t)span + (size_t)d];
    *link = WM_NO_SPAN;
    if (to_x < 0 || to_z < 0 || to_x >= width || to_z >= depth || map[to_x + to_z * width] == 0) continue;
    *link = compact->cell_first[to_x + to_z * width];
  }
}

/* `map` [width * depth]: 0 = no span, otherwise the span's region is `region_of` of the value, or the value
 * itself if `region_of` is NULL. */
static inline FlatField make_flat_field(WmContext *context, int32_t width, int32_t depth, const uint8_t *map,
                                        const uint16_t *region_of) {
  const size_t cells = (size_t)width * (size_t)depth;
  WmLayout layout = {0};
  const size_t floor = wm_layout_add(&layout, cells, 2);
  const size_t clear = wm_layout_add(&layout, cells, 1), area = wm_layout_add(&layout, cells, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  FlatField field = {0};
  WmCompactHeightfield *compact = &field.compact;
  compact->grid = (WmGrid){{0, 0, 0}, {(float)width, 10, (float)depth}, 1, 1, width, depth, 0};
  compact->links_are_symmetric = true;
  compact->block = block;
  compact->cell_first = wm_block_allocate(context, 4 * (cells + 1));
  compact->span_floor = (uint16_t *)(void *)(block + floor);
  compact->span_clearance = block + clear;
  compact->span_area = block + area;
  field.regions.block = wm_block_allocate(context, 2 * cells);
  field.regions.span_region = field.regions.block;
  uint32_t span = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    compact->cell_first[cell] = span;
    if (map[cell] == 0) continue;
    compact->span_floor[span] = 5;
    compact->span_clearance[span] = 100;
    compact->span_area[span] = WM_AREA_WALKABLE;
    field.regions.span_region[span] = region_of ? region_of[map[cell]] : map[cell];
    span++;
  }
  compact->cell_first[cells] = span;
  compact->span_count = field.regions.span_count = span;
  uint32_t *links = malloc(16 * cells);
  for (int32_t z = 0; z < depth; z++) {
    for (int32_t x = 0; x < width; x++) {
      if (map[x + z * width]) link_flat(compact, map, x, z, links);
    }
  }
  pack_links(context, links, compact);
  free(links);
  return field;
}

/* From a drawing: '.' no span, 'a' region 1, 'b' region 2, ... Rows are separated by '/'. */
static inline FlatField draw_flat_field(WmContext *context, const char *drawing) {
  uint8_t map[1024];
  int32_t width = 0, cells = 0;
  for (const char *c = drawing; *c; c++) {
    if (*c == '/') {
      if (width == 0) width = cells;
    } else {
      map[cells++] = *c == '.' ? 0 : (uint8_t)(*c - 'a' + 1);
    }
  }
  if (width == 0) width = cells;
  return make_flat_field(context, width, cells / width, map, NULL);
}

static inline void free_flat_field(WmContext *context, FlatField *field) {
  wm_compact_heightfield_free(context, &field->compact);
  wm_regions_free(context, &field->regions);
}

/* Numbers every 4-connected patch of cells with equal, non-zero value as a region of its own; false if there
 * are too many. */
static inline bool number_patches(FlatField *field, const uint8_t *map) {
  const WmCompactHeightfield *compact = &field->compact;
  const size_t cells = (size_t)compact->grid.width * (size_t)compact->grid.depth;
  uint8_t *value = malloc(compact->span_count + 1);
  uint32_t *stack = malloc(4 * ((size_t)compact->span_count + 1)), regions = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    if (map[cell]) value[compact->cell_first[cell]] = map[cell];
  }
  memset(field->regions.span_region, 0, 2 * (size_t)compact->span_count);
  for (uint32_t start = 0; start < compact->span_count && regions < WM_REGION_LIMIT; start++) {
    if (field->regions.span_region[start]) continue;
    size_t waiting = 0;
    field->regions.span_region[start] = (uint16_t)++regions;
    stack[waiting++] = start;
    while (waiting > 0) {
      const uint32_t span = stack[--waiting];
      for (uint32_t d = 0; d < 4; d++) {
        const uint32_t next = wm_link(&compact->links, span, d);
        if (next == WM_NO_SPAN || value[next] != value[start] || field->regions.span_region[next]) continue;
        field->regions.span_region[next] = (uint16_t)regions;
        stack[waiting++] = next;
      }
    }
  }
  field->regions.region_count = regions;
  free(value);
  free(stack);
  return regions < WM_REGION_LIMIT;
}

/* A map of noise, smoothed `passes` times: from specks (0) to large blobs. Values 0..colours. */
static inline void fill_random_map(Random *random, uint8_t *map, int32_t width, int32_t depth, int32_t passes,
                                   int32_t filled_of_16, int32_t colours) {
  for (int32_t i = 0; i < width * depth; i++) {
    map[i] = random_below(random, 16) < filled_of_16 ? (uint8_t)(1 + random_below(random, colours)) : 0;
  }
  for (int32_t pass = 0; pass < passes; pass++) {
    for (int32_t z = 1; z + 1 < depth; z++) {
      for (int32_t x = 1; x + 1 < width; x++) {
        int counts[8] = {0}, best = 0;
        for (int32_t dz = -1; dz <= 1; dz++) {
          for (int32_t dx = -1; dx <= 1; dx++) counts[map[x + dx + (z + dz) * width] & 7]++;
        }
        for (int c = 1; c < 8; c++) best = counts[c] > counts[best] ? c : best;
        map[x + z * width] = (uint8_t)best;
      }
    }
  }
}

#endif
