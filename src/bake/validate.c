/* Checks of the results of stages. See validate.h. Written for reading, not for speed. */
#include "bake/validate.h"

#include <string.h>

#include "bake/compact/links.h"

/* The number of the cell beyond side d of cell (x, z); false outside the grid. */
static bool find_neighbour(const WmGrid *grid, int32_t x, int32_t z, size_t d, size_t *cell) {
  static const int32_t OFFSET_X[4] = {-1, 0, 1, 0}, OFFSET_Z[4] = {0, 1, 0, -1};
  x += OFFSET_X[d];
  z += OFFSET_Z[d];
  if (x < 0 || z < 0 || x >= grid->width || z >= grid->depth) return false;
  *cell = (size_t)x + (size_t)z * (size_t)grid->width;
  return true;
}

/* True if cells start at 0, never descend, and end at span_count. */
static bool are_cells_ascending(const WmGrid *grid, const uint32_t *cell_first, uint32_t span_count) {
  if (grid->width < 0 || grid->depth < 0 || cell_first[0] != 0) return false;
  const size_t cells = (size_t)grid->width * (size_t)grid->depth;
  for (size_t cell = 0; cell < cells; cell++) {
    if (cell_first[cell] > cell_first[cell + 1]) return false;
  }
  return cell_first[cells] == span_count;
}

/* ---- Heightfield ------------------------------------------------------------------------------------- */

bool wm_heightfield_validate(const WmHeightfield *field) {
  if (!are_cells_ascending(&field->grid, field->cell_first, field->span_count)) return false;
  const size_t cells = (size_t)field->grid.width * (size_t)field->grid.depth;
  for (size_t cell = 0; cell < cells; cell++) {
    int32_t top_below = -1;
    for (uint32_t span = field->cell_first[cell]; span < field->cell_first[cell + 1]; span++) {
      if (field->span_min[span] <= top_below || field->span_min[span] >= field->span_max[span]) return false;
      if (field->span_max[span] > WM_SPAN_HEIGHT_LIMIT || field->span_area[span] >= WM_AREA_COUNT)
        return false;
      top_below = field->span_max[span];
    }
  }
  return true;
}

/* ---- Compact heightfield ----------------------------------------------------------------------------- */

bool wm_areas_validate(const WmCompactHeightfield *compact, const uint8_t *before) {
  for (uint32_t span = 0; span < compact->span_count; span++) {
    if (compact->span_area[span] >= WM_AREA_COUNT) return false;
    if (before && before[span] == WM_AREA_NULL && compact->span_area[span] != WM_AREA_NULL) return false;
  }
  return true;
}

/* True if an agent can step from one gap to the other. */
static bool is_step_possible(const WmCompactHeightfield *compact, uint32_t a, uint32_t b) {
  const int32_t floor_a = compact->span_floor[a], floor_b = compact->span_floor[b];
  const int32_t low = floor_a < floor_b ? floor_a : floor_b, high = floor_a < floor_b ? floor_b : floor_a;
  if (high - low > compact->walkable_climb) return false;
  if (!compact->span_clearance) return true;
  const int32_t ceiling_a = floor_a + compact->span_clearance[a];
  const int32_t ceiling_b = floor_b + compact->span_clearance[b];
  return (ceiling_a < ceiling_b ? ceiling_a : ceiling_b) - high >= compact->walkable_height;
}

/* True if the links of a span of cell (x, z) are possible, and lead back if they must. */
static bool are_links_valid(const WmCompactHeightfield *compact, uint32_t span, int32_t x, int32_t z) {
  for (size_t d = 0; d < 4; d++) {
    const uint32_t other = wm_link(&compact->links, span, d);
    size_t cell;
    if (other == WM_NO_SPAN) continue;
    if (!find_neighbour(&compact->grid, x, z, d, &cell)) return false;
    if (other < compact->cell_first[cell] || other >= compact->cell_first[cell + 1]) return false;
    if (!is_step_possible(compact, span, other)) return false;
    if (compact->links_are_symmetric && wm_link(&compact->links, other, d ^ 2) != span) return false;
  }
  return true;
}

/* True if the gaps of a cell ascend and don't overlap. */
static bool are_gaps_apart(const WmCompactHeightfield *compact, size_t cell) {
  int32_t ceiling_below = 0;
  for (uint32_t span = compact->cell_first[cell]; span < compact->cell_first[cell + 1]; span++) {
    const int32_t floor = compact->span_floor[span];
    if (floor <= ceiling_below) return false;
    ceiling_below = floor + (compact->span_clearance ? compact->span_clearance[span] : 0);
  }
  return true;
}

bool wm_compact_heightfield_validate(const WmCompactHeightfield *compact) {
  const WmGrid *grid = &compact->grid;
  if (!are_cells_ascending(grid, compact->cell_first, compact->span_count)) return false;
  for (int32_t z = 0; z < grid->depth; z++) {
    for (int32_t x = 0; x < grid->width; x++) {
      const size_t cell = (size_t)x + (size_t)z * (size_t)grid->width;
      if (!are_gaps_apart(compact, cell)) return false;
      for (uint32_t span = compact->cell_first[cell]; span < compact->cell_first[cell + 1]; span++) {
        if (!are_links_valid(compact, span, x, z)) return false;
      }
    }
  }
  return wm_areas_validate(compact, NULL);
}

/* ---- Distance field ---------------------------------------------------------------------------------- */

static bool is_at_area_border(const WmCompactHeightfield *compact, uint32_t span) {
  for (size_t d = 0; d < 4; d++) {
    const uint32_t other = wm_link(&compact->links, span, d);
    if (other == WM_NO_SPAN || compact->span_area[other] != compact->span_area[span]) return true;
  }
  return false;
}

bool wm_distance_field_validate(const WmCompactHeightfield *compact, const WmDistanceField *distance) {
  if (distance->span_count != compact->span_count) return false;
  for (uint32_t span = 0; span < compact->span_count; span++) {
    if (distance->span_distance[span] > distance->max_distance) return false;
    if ((distance->span_distance[span] == 0) != is_at_area_border(compact, span)) return false;
  }
  return true;
}

/* ---- Regions ----------------------------------------------------------------------------------------- */

static bool is_plain_region(uint16_t region) { return region != 0 && !(region & WM_REGION_BORDER); }

/* True if the spans of cell (x, z) have regions that they may have there. */
static bool are_numbers_valid(const WmCompactHeightfield *compact, const WmRegions *regions, int32_t x,
                              int32_t z) {
  const WmGrid *grid = &compact->grid;
  const int32_t border = grid->border_size;
  const bool is_in_border =
      x < border || z < border || x >= grid->width - border || z >= grid->depth - border;
  const uint32_t *cell = compact->cell_first + (size_t)x + (size_t)z * (size_t)grid->width;
  for (uint32_t span = cell[0]; span < cell[1]; span++) {
    const uint16_t region = regions->span_region[span], side = region & ~WM_REGION_BORDER & 0xffff;
    if (compact->span_area[span] == WM_AREA_NULL) {
      if (region != WM_REGION_NONE) return false;
    } else if (is_in_border) {
      if (!(region & WM_REGION_BORDER) || side < 1 || side > 4) return false;
    } else if (region > regions->region_count) {
      return false;
    }
    for (uint32_t above = span + 1; above < cell[1]; above++) {
      if (is_plain_region(region) && regions->span_region[above] == region) return false;
    }
  }
  return true;
}

static uint32_t find_root(uint32_t *parent, uint32_t span) {
  while (parent[span] != span) span = parent[span] = parent[parent[span]];
  return span;
}

/* True if each region has one area, and all its spans hang together by links (disjoint sets). */
static bool are_regions_connected(WmContext *context, const WmCompactHeightfield *compact,
                                  const WmRegions *regions) {
  const uint16_t *span_region = regions->span_region;
  uint32_t *parent = wm_scratch_array(context, (size_t)compact->span_count + 1, sizeof *parent);
  uint32_t *first = wm_scratch_array(context, (size_t)regions->region_count + 1, sizeof *first);
  if (!parent || !first) return true;
  memset(first, 255, ((size_t)regions->region_count + 1) * sizeof *first); /* WM_NO_SPAN */
  for (uint32_t span = 0; span < compact->span_count; span++) parent[span] = span;
  for (uint32_t span = 0; span < compact->span_count; span++) {
    for (size_t d = 0; d < 4; d++) {
      const uint32_t other = wm_link(&compact->links, span, d);
      if (other == WM_NO_SPAN || span_region[other] != span_region[span]) continue;
      parent[find_root(parent, other)] = find_root(parent, span);
    }
  }
  for (uint32_t span = 0; span < compact->span_count; span++) {
    if (!is_plain_region(span_region[span])) continue;
    uint32_t *start = &first[span_region[span]];
    if (*start == WM_NO_SPAN) *start = span;
    if (find_root(parent, *start) != find_root(parent, span)) return false;
    if (compact->span_area[*start] != compact->span_area[span]) return false;
  }
  return true;
}

bool wm_regions_validate(WmContext *context, const WmCompactHeightfield *compact, const WmRegions *regions) {
  if (regions->span_count != compact->span_count || regions->region_count > WM_REGION_LIMIT) return false;
  for (int32_t z = 0; z < compact->grid.depth; z++) {
    for (int32_t x = 0; x < compact->grid.width; x++) {
      if (!are_numbers_valid(compact, regions, x, z)) return false;
    }
  }
  if (!context) return true;
  const WmScratchMark mark = wm_scratch_mark(context);
  const bool is_connected = are_regions_connected(context, compact, regions);
  wm_scratch_rewind(context, mark);
  return is_connected;
}

/* ---- Heightfield layers ------------------------------------------------------------------------------ */

enum { EMPTY = 255, INNER_LINKS = 15 };

/* True if a cell of a layer is empty, or has an area, and its inner connections lead to such cells, and back if
 * `is_mutual`. */
static bool is_layer_cell_valid(const WmGrid *grid, const WmHeightfieldLayer *layer, int32_t x, int32_t z,
                                bool is_mutual) {
  const size_t cell = (size_t)x + (size_t)z * (size_t)grid->width;
  const uint32_t connections = layer->connections[cell], inner = connections & INNER_LINKS;
  if (layer->heights[cell] == EMPTY) return layer->areas[cell] == WM_AREA_NULL && connections == 0;
  if (layer->areas[cell] == WM_AREA_NULL || layer->areas[cell] >= WM_AREA_COUNT) return false;
  if (inner & connections >> 4) return false;
  for (size_t d = 0; d < 4; d++) {
    size_t other;
    if (!(inner >> d & 1)) continue;
    if (!find_neighbour(grid, x, z, d, &other) || layer->heights[other] == EMPTY) return false;
    if (is_mutual && !(layer->connections[other] >> (d ^ 2) & 1)) return false;
  }
  return true;
}

/* True if the cells of a layer are valid, and its bounds are theirs. */
static bool is_layer_valid(const WmGrid *grid, const WmHeightfieldLayer *layer, bool is_mutual) {
  int32_t used[4] = {INT32_MAX, -1, INT32_MAX, -1};
  for (int32_t z = 0; z < grid->depth; z++) {
    for (int32_t x = 0; x < grid->width; x++) {
      if (!is_layer_cell_valid(grid, layer, x, z, is_mutual)) return false;
      if (layer->heights[(size_t)x + (size_t)z * (size_t)grid->width] == EMPTY) continue;
      if (x < used[0]) used[0] = x;
      if (x > used[1]) used[1] = x;
      if (z < used[2]) used[2] = z;
      used[3] = z;
    }
  }
  return used[0] == layer->used_min_x && used[1] == layer->used_max_x && used[2] == layer->used_min_z &&
         used[3] == layer->used_max_z && used[3] >= 0 && layer->height_max >= layer->height_min &&
         layer->height_max - layer->height_min < EMPTY;
}

/* Counts the layers whose cell can be the span: same area, and same height, unless a portal raised it. */
static uint32_t count_matches(const WmHeightfieldLayers *layers, size_t cell, int32_t floor, uint8_t area) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < layers->layer_count; i++) {
    const WmHeightfieldLayer *layer = &layers->layers[i];
    if (layer->heights[cell] == EMPTY || layer->areas[cell] != area) continue;
    const int32_t height = layer->height_min + layer->heights[cell];
    const bool has_portal = layer->connections[cell] >> 4;
    count += floor >= layer->height_min && floor <= layer->height_max &&
             (has_portal ? height >= floor : height == floor);
  }
  return count;
}

/* True if the walkable spans of a column and the layers' cells there can belong to each other. */
static bool is_column_valid(const WmCompactHeightfield *compact, const WmHeightfieldLayers *layers,
                            size_t column, size_t cell) {
  uint32_t walkable = 0, used = 0;
  for (uint32_t i = 0; i < layers->layer_count; i++) used += layers->layers[i].heights[cell] != EMPTY;
  for (uint32_t span = compact->cell_first[column]; span < compact->cell_first[column + 1]; span++) {
    if (compact->span_area[span] == WM_AREA_NULL) continue;
    walkable++;
    if (!count_matches(layers, cell, compact->span_floor[span], compact->span_area[span])) return false;
  }
  return used == walkable;
}

bool wm_heightfield_layers_validate(const WmCompactHeightfield *compact, const WmHeightfieldLayers *layers) {
  const WmGrid *grid = &layers->grid;
  const int32_t border = compact->grid.border_size;
  if (grid->width > 0 && grid->width != compact->grid.width - 2 * border) return false;
  if (grid->depth > 0 && grid->depth != compact->grid.depth - 2 * border) return false;
  for (uint32_t i = 0; i < layers->layer_count; i++) {
    if (!is_layer_valid(grid, &layers->layers[i], compact->links_are_symmetric)) return false;
  }
  for (int32_t z = 0; z < grid->depth; z++) {
    for (int32_t x = 0; x < grid->width; x++) {
      const size_t column = (size_t)(x + border) + (size_t)(z + border) * (size_t)compact->grid.width;
      if (!is_column_valid(compact, layers, column, (size_t)x + (size_t)z * (size_t)grid->width))
        return false;
    }
  }
  return true;
}
