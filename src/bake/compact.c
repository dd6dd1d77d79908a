/* The compact heightfield: the open space above walkable spans, linked to its neighbours.
 *
 * Spans are numbered in raster order; span_neighbour [span_count][4] holds absolute span numbers, so that
 * later stages never go through cells. A span links to the lowest span of the neighbouring cell whose
 * floor is within the climb and whose opening overlaps its own by the agent's height.
 * Source: M. Mononen, Recast Navigation. */
#include "bake/stages.h"

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

enum { CLEARANCE_LIMIT = 255 };

static size_t count_cells(const WmGrid *grid) { return (size_t)grid->width * (size_t)grid->depth; }

static uint32_t count_walkable(const WmHeightfield *field) {
  uint32_t count = 0;
  for (uint32_t span = 0; span < field->span_count; span++) count += field->span_area[span] != WM_AREA_NULL;
  return count;
}

static WmStatus allocate_compact(WmContext *context, const WmHeightfield *field, uint32_t span_count,
                                 WmCompactHeightfield *compact) {
  const size_t cells = count_cells(&field->grid);
  WmLayout layout = {0};
  const size_t first = wm_layout_add(&layout, cells + 1, sizeof *compact->cell_first);
  const size_t floor = wm_layout_add(&layout, span_count, sizeof *compact->span_floor);
  const size_t clearance = wm_layout_add(&layout, span_count, sizeof *compact->span_clearance);
  const size_t area = wm_layout_add(&layout, span_count, sizeof *compact->span_area);
  const size_t neighbour = wm_layout_add(&layout, span_count, 4 * sizeof *compact->span_neighbour);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  compact->block = block;
  compact->grid = field->grid;
  compact->span_count = span_count;
  compact->cell_first = (uint32_t *)(void *)(block + first);
  compact->span_floor = (uint16_t *)(void *)(block + floor);
  compact->span_clearance = block + clearance;
  compact->span_area = block + area;
  compact->span_neighbour = (uint32_t *)(void *)(block + neighbour);
  return WM_OK;
}

/* Copies the walkable spans; ceilings count all solid spans, walkable or not. */
static void copy_walkable_spans(const WmHeightfield *field, WmCompactHeightfield *compact) {
  const size_t cells = count_cells(&field->grid);
  uint32_t next = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    compact->cell_first[cell] = next;
    const uint32_t end = field->cell_first[cell + 1];
    for (uint32_t span = field->cell_first[cell]; span < end; span++) {
      if (field->span_area[span] == WM_AREA_NULL) continue;
      const int32_t ceiling = span + 1 < end ? field->span_min[span + 1] : WM_OPEN_CEILING;
      const int32_t clearance = ceiling - field->span_max[span];
      compact->span_floor[next] = field->span_max[span];
      compact->span_clearance[next] = (uint8_t)(clearance < CLEARANCE_LIMIT ? clearance : CLEARANCE_LIMIT);
      compact->span_area[next] = field->span_area[span];
      next++;
    }
  }
  compact->cell_first[cells] = next;
}

/* Links the spans [first, end) of a cell across one direction to the spans [next, other_end). Floors and
 * tops of both ascend, so that spans too low for one span are too low for all above it. */
static void link_cells(const WmCompactHeightfield *compact, uint32_t first, uint32_t end, uint32_t next,
                       uint32_t other_end, int direction) {
  for (uint32_t span = first; span < end; span++) {
    const int32_t floor = compact->span_floor[span], top = floor + compact->span_clearance[span];
    uint32_t found = WM_NO_SPAN;
    while (next < other_end &&
           (compact->span_floor[next] < floor - compact->walkable_climb ||
            compact->span_floor[next] + compact->span_clearance[next] - floor < compact->walkable_height)) {
      next++;
    }
    for (uint32_t other = next; other < other_end; other++) {
      const int32_t other_floor = compact->span_floor[other];
      const int32_t other_top = other_floor + compact->span_clearance[other];
      if (other_floor - floor > compact->walkable_climb) break;
      const int32_t overlap =
          (top < other_top ? top : other_top) - (floor > other_floor ? floor : other_floor);
      if (overlap >= compact->walkable_height) {
        found = other;
        break;
      }
    }
    compact->span_neighbour[4 * (size_t)span + (size_t)direction] = found;
  }
}

static void link_cell(const WmCompactHeightfield *compact, int32_t x, int32_t z) {
  const WmGrid *grid = &compact->grid;
  const uint32_t *cell = compact->cell_first + (size_t)x + (size_t)z * (size_t)grid->width;
  if (cell[0] == cell[1]) return;
  for (int d = 0; d < 4; d++) {
    const int32_t other_x = x + STEP_X[d], other_z = z + STEP_Z[d];
    const bool inside = other_x >= 0 && other_z >= 0 && other_x < grid->width && other_z < grid->depth;
    const uint32_t *other =
        compact->cell_first + (inside ? (size_t)other_x + (size_t)other_z * (size_t)grid->width : 0);
    link_cells(compact, cell[0], cell[1], other[0], inside ? other[1] : other[0], d);
  }
}

static bool are_links_symmetric(const WmCompactHeightfield *compact) {
  for (size_t i = 0; i < 4 * (size_t)compact->span_count; i++) {
    const uint32_t other = compact->span_neighbour[i];
    if (other != WM_NO_SPAN && compact->span_neighbour[4 * (size_t)other + ((i + 2) & 3)] != i / 4) {
      return false;
    }
  }
  return true;
}

WmStatus wm_build_compact_heightfield(WmContext *context, const WmHeightfield *field, int32_t walkable_height,
                                      int32_t walkable_climb, WmCompactHeightfield *compact) {
  *compact = (WmCompactHeightfield){0};
  const WmStatus status = allocate_compact(context, field, count_walkable(field), compact);
  if (status) return status;
  compact->walkable_height = walkable_height;
  compact->walkable_climb = walkable_climb;
  compact->grid.bounds_max[1] += (float)walkable_height * field->grid.cell_height;
  copy_walkable_spans(field, compact);
  for (int32_t z = 0; z < field->grid.depth; z++) {
    for (int32_t x = 0; x < field->grid.width; x++) link_cell(compact, x, z);
  }
  /* Two candidates in one cell lie more than the agent's height apart, yet both within the climb. */
  compact->links_are_symmetric = walkable_height >= 2 * walkable_climb || are_links_symmetric(compact);
  return WM_OK;
}
