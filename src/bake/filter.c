/* The three filters of the solid heightfield: low hanging obstacles, ledges, low ceilings.
 *
 * In place on span_area [span_count]; heights are only read. Each is written in its closed form, in which
 * no span depends on what the filter did to another, so that cells can be taken in any order.
 * The "opening" of a span is the space from its top to the next span of its cell (or WM_OPEN_CEILING).
 * Source: M. Mononen, Recast Navigation. */
#include "bake/stages.h"

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

static size_t count_cells(const WmGrid *grid) { return (size_t)grid->width * (size_t)grid->depth; }

/* ---- Low hanging obstacles -------------------------------------------------------------------------- */

void wm_filter_low_hanging_obstacles(WmHeightfield *field, int32_t walkable_climb) {
  const size_t cells = count_cells(&field->grid);
  uint8_t *area = field->span_area;
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t first = field->cell_first[cell];
    /* From the top down, so that the area below is still the one before the filter. */
    for (uint32_t span = field->cell_first[cell + 1]; span-- > first + 1;) {
      if (area[span] != WM_AREA_NULL || area[span - 1] == WM_AREA_NULL) continue;
      if (field->span_max[span] - field->span_max[span - 1] <= walkable_climb) area[span] = area[span - 1];
    }
  }
}

/* ---- Ledges ------------------------------------------------------------------------------------------ */

static int32_t ceiling_of(const WmHeightfield *field, uint32_t span, uint32_t end) {
  return span + 1 < end ? field->span_min[span + 1] : WM_OPEN_CEILING;
}

/* One neighbour cell while the spans of a cell are taken from the bottom up: spans before `next` have
 * openings that end too low for this span and all above. */
typedef struct Neighbour {
  uint32_t next, end;
  int32_t lowest; /* bottom of its lowest span */
} Neighbour;

/* Whether the span with this floor and ceiling lies at a drop or on too steep an edge. Openings of
 * both cells ascend, so that all spans of a cell together look at every neighbour once, and once more
 * for every opening that reaches across two. */
static bool is_ledge(const WmHeightfield *field, Neighbour neighbours[4], int32_t floor, int32_t ceiling,
                     int32_t walkable_height, int32_t walkable_climb) {
  int32_t lowest = floor, highest = floor;
  for (int direction = 0; direction < 4; direction++) {
    Neighbour *other = &neighbours[direction];
    if ((ceiling < other->lowest ? ceiling : other->lowest) - floor >= walkable_height) return true;
    while (other->next < other->end && ceiling_of(field, other->next, other->end) - floor < walkable_height) {
      other->next++;
    }
    for (uint32_t span = other->next; span < other->end; span++) {
      const int32_t other_floor = field->span_max[span];
      const int32_t other_ceiling = ceiling_of(field, span, other->end);
      if (ceiling - other_floor < walkable_height) break;
      const int32_t top = ceiling < other_ceiling ? ceiling : other_ceiling;
      const int32_t bottom = floor > other_floor ? floor : other_floor;
      if (top - bottom < walkable_height) continue;
      if (other_floor < lowest) lowest = other_floor;
      if (other_floor > highest && other_floor - floor <= walkable_climb) highest = other_floor;
    }
    /* A drop deeper than the climb shows here too: `highest` is at least the floor. */
    if (highest - lowest > walkable_climb) return true;
  }
  return false;
}

static void filter_ledges_of_cell(const WmHeightfield *field, int32_t x, int32_t z, int32_t walkable_height,
                                  int32_t walkable_climb) {
  const WmGrid *grid = &field->grid;
  const size_t cell = (size_t)x + (size_t)z * (size_t)grid->width;
  const uint32_t first = field->cell_first[cell], end = field->cell_first[cell + 1];
  if (x == 0 || z == 0 || x == grid->width - 1 || z == grid->depth - 1) {
    for (uint32_t span = first; span < end; span++) field->span_area[span] = WM_AREA_NULL;
    return;
  }
  Neighbour neighbours[4];
  for (int d = 0; d < 4; d++) {
    const size_t other = (size_t)(x + STEP_X[d]) + (size_t)(z + STEP_Z[d]) * (size_t)grid->width;
    Neighbour *neighbour = &neighbours[d];
    neighbour->next = field->cell_first[other];
    neighbour->end = field->cell_first[other + 1];
    neighbour->lowest = neighbour->next < neighbour->end ? field->span_min[neighbour->next] : WM_OPEN_CEILING;
  }
  for (uint32_t span = first; span < end; span++) {
    if (field->span_area[span] == WM_AREA_NULL) continue;
    if (is_ledge(field, neighbours, field->span_max[span], ceiling_of(field, span, end), walkable_height,
                 walkable_climb)) {
      field->span_area[span] = WM_AREA_NULL;
    }
  }
}

WmStatus wm_filter_ledges(WmContext *context, WmHeightfield *field, int32_t walkable_height,
                          int32_t walkable_climb) {
  (void)context;
  for (int32_t z = 0; z < field->grid.depth; z++) {
    for (int32_t x = 0; x < field->grid.width; x++) {
      filter_ledges_of_cell(field, x, z, walkable_height, walkable_climb);
    }
  }
  return WM_OK;
}

/* ---- Low ceilings ------------------------------------------------------------------------------------- */

void wm_filter_low_height(WmHeightfield *field, int32_t walkable_height) {
  const size_t cells = count_cells(&field->grid);
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t end = field->cell_first[cell + 1];
    for (uint32_t span = field->cell_first[cell]; span < end; span++) {
      if (ceiling_of(field, span, end) - field->span_max[span] < walkable_height) {
        field->span_area[span] = WM_AREA_NULL;
      }
    }
  }
}
