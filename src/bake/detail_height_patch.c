/* Heights of the surface around one polygon.
 *
 * By definition, the window of cells around the polygon is filled first from the spans of the polygon's
 * region, then breadth first over links from the region's edge, strictly first come first served; where the
 * region has no span in the window, breadth first from a single span found by walking from a vertex towards
 * the middle. A look-up takes the cell's height, or that of the nearest ring of cells with one.
 *
 * Filling windows costs far more than the few look-ups need, so a height is computed when it is asked for.
 * A cell with a span of the region needs only that. A cell the flood reaches after k steps gets the same
 * height when only the cells within k steps of it are flooded, since nothing farther away can reach it or
 * compete for a cell on the way in time: the order among cells of equal step is inherited from raster order
 * and directions alone. Such cells are common, since borders between regions become straight lines. So the
 * distance to the region is measured first; a diamond of that size mostly decides. If not, a larger one is
 * tried, and last the window, flooded only until the cell is reached, from where the next look-up goes on.
 *
 * Where no span lies near any vertex, the reference reads outside its arrays; we say that the patch is
 * unreachable, and the polygon stays without height detail. */
#include "bake/detail_internal.h"

#include <math.h>
#include <string.h>

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

typedef WmHeightBox Box;

/* Rows are read and written eight cells at a time, beyond their ends. */
enum { PADDING = 8 };

/* The window is filled once this many times its cells have been spent on parts of it. Measured: with 1,
 * single far cells of large polygons fill windows in vain; there is little between 2 and 4. */
enum { WINDOW_WORTH = 2 };

static int32_t min_int(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t max_int(int32_t a, int32_t b) { return a > b ? a : b; }

void wm_height_patch_start(WmHeightPatch *patch, const uint16_t (*vertices)[3], int32_t vertex_count,
                           uint16_t region) {
  const WmGrid *grid = &patch->compact->grid;
  int32_t low[3] = {INT32_MAX, 0, INT32_MAX}, high[3] = {0};
  for (int32_t i = 0; i < vertex_count; i++) {
    for (int k = 0; k < 3; k += 2) {
      low[k] = min_int(low[k], vertices[i][k]);
      high[k] = max_int(high[k], vertices[i][k]);
    }
  }
  patch->x = max_int(0, low[0] - 1);
  patch->z = max_int(0, low[2] - 1);
  /* The last bound never bites for a mesh made from this field; it keeps any other inside it. */
  const int32_t border = grid->border_size;
  patch->width = max_int(0, min_int(min_int(grid->width, high[0] + 1), grid->width - border) - patch->x);
  patch->depth = max_int(0, min_int(min_int(grid->depth, high[2] + 1), grid->depth - border) - patch->z);
  patch->vertices = vertices;
  patch->vertex_count = vertex_count;
  patch->region = region;
  patch->cells_spent = 0;
  patch->is_whole = false;
  patch->is_unreachable = patch->width == 0 || patch->depth == 0;
}

static const uint32_t *cell_of(const WmHeightPatch *patch, int32_t x, int32_t z) {
  const WmGrid *grid = &patch->compact->grid;
  const size_t column = (size_t)(patch->x + x + grid->border_size);
  const size_t row = (size_t)(patch->z + z + grid->border_size);
  return patch->compact->cell_first + column + row * (size_t)grid->width;
}

/* The lowest span of the polygon's region in a cell. */
static uint32_t span_of_region(const WmHeightPatch *patch, int32_t x, int32_t z) {
  const uint32_t *cell = cell_of(patch, x, z);
  for (uint32_t span = cell[0]; span < cell[1]; span++) {
    if (patch->span_region[span] == patch->region) return span;
  }
  return WM_NO_SPAN;
}

/* ---- Filling ---------------------------------------------------------------------------------------- */

/* Heights of the region's spans in one row of a box; unset elsewhere. Returns whether there are any. */
static bool fill_row(const WmHeightPatch *patch, const uint32_t *cell, int32_t width, uint16_t *height) {
  const uint16_t *span_region = patch->span_region, *span_floor = patch->compact->span_floor;
  const uint16_t region = patch->region;
  const WmUint4 steps = {0, 1, 2, 3};
  bool found = false;
  for (int32_t x = 0; x < width;) {
    const uint32_t first = cell[x];
    if (x + 8 <= width) { /* eight cells of one span each have their spans in a row */
      const WmUint4 spans = steps + (WmUint4){first, first, first, first};
      const WmInt4 single =
          (WmInt4)(wm_load_uint4(cell + x) == spans) & (WmInt4)(wm_load_uint4(cell + x + 4) == spans + 4);
      if (wm_mask_int4(single) == 15 && cell[x + 8] == first + 8) {
        const WmUshort8 is_ours =
            (WmUshort8)(wm_load_ushort8(span_region + first) == wm_splat_ushort8(region));
        wm_store_ushort8(height + x, wm_load_ushort8(span_floor + first) | ~is_ours);
        found |= wm_mask_byte16((WmByte16)is_ours) != 0;
        x += 8;
        continue;
      }
    }
    uint32_t span = first;
    const uint32_t end = cell[x + 1];
    while (span < end && span_region[span] != region) span++;
    found |= span < end;
    height[x++] = span < end ? span_floor[span] : WM_HEIGHT_UNSET;
  }
  return found;
}

/* Queues, in raster order, the cells first .. end - 1 of a row that have an unset neighbour: from all others
 * nothing can be filled. */
static void queue_row(const WmHeightPatch *patch, Box *box, int32_t z, int32_t first, int32_t end) {
  const uint16_t *row = box->heights + (ptrdiff_t)z * box->stride;
  const uint16_t *above = row - box->stride, *below = row + box->stride;
  const WmUshort8 unset = wm_splat_ushort8(WM_HEIGHT_UNSET);
  for (int32_t x = first; x < end; x += 8) {
    const WmUshort8 is_set = (WmUshort8)(wm_load_ushort8(row + x) != unset);
    const WmUshort8 is_edge =
        (WmUshort8)((wm_load_ushort8(row + x - 1) == unset) | (wm_load_ushort8(row + x + 1) == unset) |
                    (wm_load_ushort8(above + x) == unset) | (wm_load_ushort8(below + x) == unset));
    const int mask = wm_mask_byte16((WmByte16)(is_set & is_edge));
    for (int32_t k = 0; mask >> (2 * k) && x + k < end; k++) {
      if (!(mask >> (2 * k) & 1)) continue;
      const uint32_t span = span_of_region(patch, box->x + x + k, box->z + z);
      box->fronts[box->front_count++] = (WmHeightFront){span, (uint32_t)(x + k + z * box->stride)};
    }
  }
}

/* Makes the box an empty part of the window. Returns false without memory for it. */
WM_COLD static bool start_box(WmHeightPatch *patch, int32_t x, int32_t z, int32_t end_x, int32_t end_z) {
  Box *box = &patch->box;
  box->x = max_int(0, x);
  box->z = max_int(0, z);
  box->width = min_int(patch->width, end_x) - box->x;
  box->depth = min_int(patch->depth, end_z) - box->z;
  box->stride = box->width + 2;
  const size_t cells = (size_t)box->stride * (size_t)(box->depth + 2) + 2 * PADDING;
  if (cells > box->capacity) {
    const size_t capacity = cells > 2 * box->capacity ? cells : 2 * box->capacity;
    box->capacity = 0;
    box->heights_array = wm_scratch_array(patch->context, capacity, sizeof *box->heights_array);
    box->fronts = wm_scratch_array(patch->context, capacity, sizeof *box->fronts);
    if (!box->heights_array || !box->fronts) {
      patch->status = WM_ERROR_OUT_OF_MEMORY;
      return false;
    }
    box->capacity = capacity;
  }
  memset(box->heights_array, 0, cells * sizeof *box->heights_array);
  box->heights = box->heights_array + PADDING + box->stride + 1;
  box->head = box->front_count = 0;
  return true;
}

/* Fills what the region covers within `reach` steps of a cell of the box, and queues its edge. Returns
 * whether it covers anything. */
static bool fill_region(const WmHeightPatch *patch, Box *box, int32_t x, int32_t z, int32_t reach) {
  bool found = false;
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t row = 0; row < box->depth; row++) {
      const int32_t half = reach - (row < z ? z - row : row - z);
      const int32_t first = max_int(0, x - half), end = min_int(box->width, x + half + 1);
      if (first >= end) continue;
      if (pass == 0) {
        const uint32_t *cell = cell_of(patch, box->x + first, box->z + row);
        found |= fill_row(patch, cell, end - first, box->heights + first + (ptrdiff_t)row * box->stride);
      } else {
        queue_row(patch, box, row, first, end);
      }
    }
  }
  return found;
}

/* Fills breadth first from the queue until the target cell is reached, by no more than `reach` steps. Returns
 * whether it was; it can be called again for another cell while the queue lasts. */
static bool flood(const WmHeightPatch *patch, Box *box, const uint16_t *target, int32_t reach) {
  const WmCompactHeightfield *compact = patch->compact;
  const int32_t steps[4] = {-1, box->stride, 1, -box->stride};
  size_t level_end = box->front_count;
  int32_t step = 1;
  while (box->head < box->front_count) {
    if (box->head == level_end) {
      level_end = box->front_count;
      if (++step > reach) return false;
    }
    const WmHeightFront front = box->fronts[box->head++];
    for (int d = 0; d < 4; d++) {
      uint16_t *to = box->heights + (ptrdiff_t)front.cell + steps[d];
      if (*to != WM_HEIGHT_UNSET) continue;
      const uint32_t span = compact->span_neighbour[4 * (size_t)front.span + (size_t)d];
      if (span == WM_NO_SPAN) continue;
      *to = compact->span_floor[span];
      box->fronts[box->front_count++] = (WmHeightFront){span, (uint32_t)((int32_t)front.cell + steps[d])};
    }
    if (*target != WM_HEIGHT_UNSET) return true; /* after all four directions: the next call goes on here */
  }
  return false;
}

/* The span nearest in height to a vertex of the polygon, next to it. */
WM_COLD static WmHeightFront find_walk_start(const WmHeightPatch *patch) {
  static const int32_t OFFSETS[9][2] = {{0, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0},
                                        {1, 1}, {0, 1},   {-1, 1}, {-1, 0}};
  WmHeightFront start = {WM_NO_SPAN, 0};
  int32_t nearest = 0xffff;
  for (int32_t i = 0; i < patch->vertex_count; i++) {
    for (int k = 0; k < 9; k++) {
      const int32_t x = patch->vertices[i][0] + OFFSETS[k][0] - patch->x;
      const int32_t z = patch->vertices[i][2] + OFFSETS[k][1] - patch->z;
      if (x < 0 || z < 0 || x >= patch->width || z >= patch->depth) continue;
      const uint32_t *cell = cell_of(patch, x, z);
      for (uint32_t span = cell[0]; span < cell[1]; span++) {
        const int32_t apart = patch->vertices[i][1] - patch->compact->span_floor[span];
        if ((apart < 0 ? -apart : apart) >= nearest) continue;
        nearest = apart < 0 ? -apart : apart;
        start = (WmHeightFront){span, (uint32_t)(x + z * patch->box.stride)};
      }
    }
  }
  return start;
}

/* Walks depth first from the start to the polygon's middle, straight on where it can. `box` is the whole
 * window, all unset: its queue serves as the stack, its heights as marks. Returns where the walk ends. */
WM_COLD static WmHeightFront walk_to_middle(const WmHeightPatch *patch, Box *box, WmHeightFront start) {
  int32_t sum_x = 0, sum_z = 0;
  for (int32_t i = 0; i < patch->vertex_count; i++) {
    sum_x += patch->vertices[i][0];
    sum_z += patch->vertices[i][2];
  }
  const int32_t middle_x = sum_x / patch->vertex_count - patch->x;
  const int32_t middle_z = sum_z / patch->vertex_count - patch->z;
  WmHeightFront at = start;
  size_t depth = 0;
  box->fronts[depth++] = start; /* not marked: the walk may come back to it once */
  while (depth > 0) {
    at = box->fronts[--depth];
    const int32_t x = (int32_t)at.cell % box->stride, z = (int32_t)at.cell / box->stride;
    if (x == middle_x && z == middle_z) break;
    int preferred = middle_x > x ? 2 : 0;
    if (x == middle_x) preferred = middle_z > z ? 1 : 3;
    for (int k = 0; k < 4; k++) {
      const int d = k == 3 ? preferred : k == preferred ? 3 : k; /* the preferred one last: it is on top */
      const uint32_t span = patch->compact->span_neighbour[4 * (size_t)at.span + (size_t)d];
      const ptrdiff_t cell = (ptrdiff_t)at.cell + STEP_X[d] + (ptrdiff_t)STEP_Z[d] * box->stride;
      if (span == WM_NO_SPAN || box->heights[cell] != WM_HEIGHT_UNSET) continue;
      box->heights[cell] = 0;
      box->fronts[depth++] = (WmHeightFront){span, (uint32_t)cell};
    }
  }
  return at;
}

static void unset_all(Box *box) {
  for (int32_t z = 0; z < box->depth; z++) {
    memset(box->heights + (ptrdiff_t)z * box->stride, 0xff, (size_t)box->width * sizeof *box->heights);
  }
}

/* Starts to fill the whole window. */
WM_COLD static void start_window(WmHeightPatch *patch) {
  Box *box = &patch->box;
  if (!start_box(patch, 0, 0, patch->width, patch->depth)) return;
  patch->is_whole = true;
  const int32_t reach = patch->width + patch->depth;
  if (patch->region != WM_REGION_NONE && fill_region(patch, box, 0, 0, reach)) return;
  unset_all(box);
  const WmHeightFront start = find_walk_start(patch);
  if (start.span == WM_NO_SPAN) {
    patch->is_unreachable = true;
    return;
  }
  const WmHeightFront middle = walk_to_middle(patch, box, start);
  unset_all(box);
  box->heights[middle.cell] = patch->compact->span_floor[middle.span];
  box->fronts[0] = middle;
  box->head = 0;
  box->front_count = 1;
}

/* The height of a cell by filling the window as far as it takes. */
static uint16_t height_in_window(WmHeightPatch *patch, int32_t x, int32_t z) {
  if (!patch->is_whole) start_window(patch);
  if (patch->status || patch->is_unreachable) return WM_HEIGHT_UNSET;
  const uint16_t *height = patch->box.heights + x + (ptrdiff_t)z * patch->box.stride;
  if (*height == WM_HEIGHT_UNSET) flood(patch, &patch->box, height, INT32_MAX);
  return *height;
}

/* Floods the diamond of cells within `reach` steps of (x, z). Returns whether that decided its height. */
static bool fill_around(WmHeightPatch *patch, int32_t x, int32_t z, int32_t reach, uint16_t *height) {
  Box *box = &patch->box;
  if (!start_box(patch, x - reach, z - reach, x + reach + 1, z + reach + 1)) return false;
  patch->cells_spent += (uint64_t)box->width * (uint64_t)box->depth;
  const int32_t own_x = x - box->x, own_z = z - box->z;
  fill_region(patch, box, own_x, own_z, reach);
  const uint16_t *target = box->heights + own_x + (ptrdiff_t)own_z * box->stride;
  if (!flood(patch, box, target, reach)) return false;
  *height = *target;
  return true;
}

/* Steps from (x, z) to the nearest cell of the region, links or not, but at least 2; more than `limit` if
 * there is none that near. */
static int32_t distance_to_region(const WmHeightPatch *patch, int32_t x, int32_t z, int32_t limit) {
  for (int32_t r = 2; r <= limit; r++) {
    for (int32_t dz = max_int(-r, -z); dz <= min_int(r, patch->depth - 1 - z); dz++) {
      const int32_t dx = r - (dz < 0 ? -dz : dz);
      if (x - dx >= 0 && span_of_region(patch, x - dx, z + dz) != WM_NO_SPAN) return r;
      if (dx > 0 && x + dx < patch->width && span_of_region(patch, x + dx, z + dz) != WM_NO_SPAN) return r;
    }
  }
  return limit + 1;
}

/* ---- Single cells ------------------------------------------------------------------------------------- */

/* The height of a cell next to the region: of the first neighbour, in raster order, that reaches it. */
static bool step_from_region(const WmHeightPatch *patch, int32_t x, int32_t z, uint16_t *height) {
  static const int TOWARDS[4] = {1, 2, 0, 3}; /* from the cells at -z, -x, +x, +z */
  for (int k = 0; k < 4; k++) {
    const int32_t from_x = x - STEP_X[TOWARDS[k]], from_z = z - STEP_Z[TOWARDS[k]];
    if (from_x < 0 || from_z < 0 || from_x >= patch->width || from_z >= patch->depth) continue;
    const uint32_t from = span_of_region(patch, from_x, from_z);
    if (from == WM_NO_SPAN) continue;
    const uint32_t span = patch->compact->span_neighbour[4 * (size_t)from + (size_t)TOWARDS[k]];
    if (span == WM_NO_SPAN) continue;
    *height = patch->compact->span_floor[span];
    return true;
  }
  return false;
}

/* The height of one cell of the window. */
static uint16_t height_at(WmHeightPatch *patch, int32_t x, int32_t z) {
  const uint32_t *cell = cell_of(patch, x, z);
  if (cell[0] == cell[1]) return WM_HEIGHT_UNSET;
  if (patch->region != WM_REGION_NONE && !patch->is_whole) {
    uint16_t height = WM_HEIGHT_UNSET;
    const uint32_t span = span_of_region(patch, x, z);
    if (span != WM_NO_SPAN) return patch->compact->span_floor[span];
    if (step_from_region(patch, x, z, &height)) return height;
    const uint64_t enough = WINDOW_WORTH * (uint64_t)patch->width * (uint64_t)patch->depth;
    const int32_t limit = patch->width + patch->depth;
    int32_t reach = distance_to_region(patch, x, z, limit);
    for (; reach <= limit && patch->cells_spent < enough && !patch->status; reach *= 2) {
      if (fill_around(patch, x, z, reach, &height)) return height;
    }
  }
  return height_in_window(patch, x, z);
}

/* ---- Look-up --------------------------------------------------------------------------------------------
 */

/* The best height found so far on a ring. */
typedef struct Nearest {
  float apart;
  uint16_t height;
} Nearest;

static void try_cell(WmHeightPatch *patch, int32_t x, int32_t z, float y, Nearest *nearest) {
  if (x < 0 || z < 0 || x >= patch->width || z >= patch->depth) return;
  const uint16_t height = height_at(patch, x, z);
  if (height == WM_HEIGHT_UNSET) return;
  const float apart = fabsf((float)height * patch->cell_height - y);
  if (apart < nearest->apart) *nearest = (Nearest){apart, height};
}

/* Visits the ring of radius r from (r, 1 - r) once round by +z, -x, -z, +x; stretches outside the window are
 * jumped over, so that rings far larger than it cost nothing. */
static Nearest search_ring(WmHeightPatch *patch, int32_t x, int32_t z, int32_t r, float y) {
  Nearest nearest = {INFINITY, WM_HEIGHT_UNSET};
  for (int side = 0; side < 4; side++) {
    const bool is_column = side % 2 == 0;                 /* x stays, z goes */
    const int32_t outward = side < 2 ? r : -r;            /* of what stays */
    const int32_t step = side == 0 || side == 3 ? 1 : -1; /* of what goes */
    const int32_t fixed = (is_column ? x : z) + outward, middle = is_column ? z : x;
    if (fixed < 0 || fixed >= (is_column ? patch->width : patch->depth)) continue;
    const int32_t last = (is_column ? patch->depth : patch->width) - 1;
    const int32_t from = min_int(max_int(middle - step * (r - 1), 0), last);
    const int32_t to = min_int(max_int(middle + step * r, 0), last) + step;
    for (int32_t k = from; k != to; k += step) {
      try_cell(patch, is_column ? fixed : k, is_column ? k : fixed, y, &nearest);
    }
  }
  return nearest;
}

static int32_t clamp_cell(float position, int32_t first, int32_t count) {
  const float cell = floorf(position);
  if (!(cell > (float)first)) return 0;
  if (cell >= 1e9f) return count - 1;
  return min_int((int32_t)cell - first, count - 1);
}

uint16_t wm_height_patch_look_up(WmHeightPatch *patch, float x, float y, float z) {
  if (patch->status || patch->is_unreachable) return WM_HEIGHT_UNSET;
  const int32_t cell_x = clamp_cell(x * patch->inverse_cell_size + 0.01f, patch->x, patch->width);
  const int32_t cell_z = clamp_cell(z * patch->inverse_cell_size + 0.01f, patch->z, patch->depth);
  const uint16_t height = height_at(patch, cell_x, cell_z);
  if (height != WM_HEIGHT_UNSET || patch->status || patch->is_unreachable) return height;
  const int32_t reach = min_int(patch->search_radius, max_int(patch->width, patch->depth));
  for (int32_t r = 1; r <= reach && !patch->status && !patch->is_unreachable; r++) {
    const Nearest nearest = search_ring(patch, cell_x, cell_z, r, y);
    if (nearest.height != WM_HEIGHT_UNSET) return nearest.height;
  }
  /* Nothing nearby. Whether there are heights at all decides what becomes of the polygon. */
  if (!patch->status && !patch->is_whole) start_window(patch);
  return WM_HEIGHT_UNSET;
}
