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
 * region's nearest cells are looked for, and the diamond within is flooded from them, which mostly decides.
 * If not, links are missing: the window is flooded, only until the cell is reached, from where the next
 * look-up goes on.
 *
 * Where no span lies near any vertex, the reference reads outside its arrays; we say that the patch is
 * unreachable, and the polygon stays without height detail. */
#include "bake/detail_internal.h"

#include <math.h>
#include <string.h>

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

/* Of polygons that lie in several regions: no span has it. */
enum { NO_REGION = 0x10000 };

/* The window is filled once this many times its cells have been spent on parts of it. Measured: with 1,
 * single far cells of large polygons fill windows in vain; there is little between 2 and 4. */
enum { WINDOW_WORTH = 2 };

static int32_t min_int(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t max_int(int32_t a, int32_t b) { return a > b ? a : b; }

/* The cells of the window along an axis: around the polygon, inside the grid's cells. */
WM_COLD static int32_t find_range(const WmHeightPatch *patch, int axis, int32_t cells, int32_t *first) {
  int32_t low = INT32_MAX, high = 0;
  for (int32_t i = 0; i < patch->vertex_count; i++) {
    low = min_int(low, patch->vertices[i][axis]);
    high = max_int(high, patch->vertices[i][axis]);
  }
  *first = max_int(0, low - 1);
  /* The border never bites for a mesh made from this field; it keeps any other inside it. */
  return max_int(0, min_int(high + 1, cells - patch->compact->grid.border_size) - *first);
}

WM_COLD void wm_height_patch_start(WmHeightPatch *patch, const uint16_t (*vertices)[3], int32_t vertex_count,
                                   uint16_t region) {
  patch->vertices = vertices;
  patch->vertex_count = vertex_count;
  patch->region = region != WM_REGION_NONE ? region : NO_REGION;
  patch->width = find_range(patch, 0, patch->compact->grid.width, &patch->x);
  patch->depth = find_range(patch, 2, patch->compact->grid.depth, &patch->z);
  patch->is_whole = false;
  patch->is_unreachable = patch->width == 0 || patch->depth == 0;
  patch->budget = region == WM_REGION_NONE ? 0 : WINDOW_WORTH * (float)patch->width * (float)patch->depth;
  patch->stride = patch->width + 2;
  const size_t cells = (size_t)patch->stride * (size_t)(patch->depth + 2);
  if (cells > patch->capacity) {
    patch->capacity = 2 * cells;
    patch->heights_array = wm_scratch_array(patch->context, patch->capacity, sizeof *patch->heights_array);
    patch->fronts = wm_scratch_array(patch->context, patch->capacity, sizeof *patch->fronts);
    if (!patch->heights_array || !patch->fronts) {
      patch->capacity = 0;
      patch->status = WM_ERROR_OUT_OF_MEMORY;
      return;
    }
  }
  memset(patch->heights_array, 0, cells * sizeof *patch->heights_array);
  patch->heights = patch->heights_array + patch->stride + 1;
}

WM_INLINE const uint32_t *cell_of(const WmHeightPatch *patch, int32_t x, int32_t z) {
  const WmGrid *grid = &patch->compact->grid;
  const size_t column = (size_t)(patch->x + x + grid->border_size);
  const size_t row = (size_t)(patch->z + z + grid->border_size);
  return patch->compact->cell_first + column + row * (size_t)grid->width;
}

/* The lowest span of the polygon's region in a cell. */
WM_INLINE uint32_t span_of_region(const WmHeightPatch *patch, const uint32_t *cell) {
  for (uint32_t span = cell[0], end = cell[1]; span < end; span++) {
    if (patch->span_region[span] == patch->region) return span;
  }
  return WM_NO_SPAN;
}

/* ---- Filling ---------------------------------------------------------------------------------------- */

/* Sets the heights of all cells within `reach` steps of (x, z). */
__attribute__((noinline)) static void set_heights(WmHeightPatch *patch, int32_t x, int32_t z, int32_t reach,
                                                  uint16_t height) {
  for (int32_t row = max_int(0, z - reach); row < min_int(patch->depth, z + reach + 1); row++) {
    const int32_t half = reach - (row < z ? z - row : row - z);
    const int32_t end = min_int(patch->width, x + half + 1);
    uint16_t *heights = patch->heights + (ptrdiff_t)row * patch->stride;
    for (int32_t at = max_int(0, x - half); at < end; at++) heights[at] = height;
  }
}

/* Queues a cell, the number of which in the window is given, if it is of the region. */
WM_INLINE void queue_cell(WmHeightPatch *patch, const uint32_t *cell, int32_t number) {
  const uint32_t span = span_of_region(patch, cell);
  if (span != WM_NO_SPAN) patch->fronts[patch->front_count++] = (WmHeightFront){span, number};
}

/* Queues the region's cells nearest to (x, z), in raster order. Returns how many steps away they are, links
 * or not, at least r; more than any cell is if there are none. */
static int32_t queue_nearest(WmHeightPatch *patch, int32_t x, int32_t z, int32_t r) {
  const int32_t width = patch->width, last_z = patch->depth - 1;
  patch->head = patch->front_count = 0;
  for (; r <= width + last_z; r++) {
    for (int32_t row = max_int(z - r, 0); row <= min_int(z + r, last_z); row++) {
      const int32_t dx = r - (row < z ? z - row : row - z);
      const uint32_t *cells = cell_of(patch, 0, row);
      const int32_t left = x - dx, right = x + dx, first = row * patch->stride;
      if (left >= 0) queue_cell(patch, cells + left, left + first);
      if (dx > 0 && right < width) queue_cell(patch, cells + right, right + first);
    }
    if (patch->front_count > 0) break;
  }
  return r;
}

/* Fills breadth first from the queue until the target cell is reached, by no more than `reach` steps; it can
 * be called again for another cell while the queue lasts. */
static void flood(WmHeightPatch *patch, const uint16_t *target, int32_t reach) {
  const WmCompactHeightfield *compact = patch->compact;
  const int32_t steps[4] = {-1, patch->stride, 1, -patch->stride};
  size_t level_end = patch->front_count;
  while (*target == WM_HEIGHT_UNSET && patch->head < patch->front_count) {
    if (patch->head == level_end) {
      level_end = patch->front_count;
      if (--reach == 0) return;
    }
    const WmHeightFront front = patch->fronts[patch->head++];
    for (int d = 0; d < 4; d++) {
      uint16_t *to = patch->heights + (front.cell + steps[d]);
      if (*to != WM_HEIGHT_UNSET) continue;
      const uint32_t span = compact->span_neighbour[4 * (size_t)front.span + (size_t)d];
      if (span == WM_NO_SPAN) continue;
      *to = compact->span_floor[span];
      patch->fronts[patch->front_count++] = (WmHeightFront){span, front.cell + steps[d]};
    }
  }
}

WM_INLINE void set_queued(WmHeightPatch *patch) {
  for (size_t i = 0; i < patch->front_count; i++) {
    patch->heights[patch->fronts[i].cell] = patch->compact->span_floor[patch->fronts[i].span];
  }
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
        start = (WmHeightFront){span, x + z * patch->stride};
      }
    }
  }
  return start;
}

/* Walks depth first from the start to the polygon's middle, straight on where it can. The window is all
 * unset: the queue serves as the stack, the heights as marks. Returns where the walk ends. */
WM_COLD static WmHeightFront walk_to_middle(WmHeightPatch *patch, WmHeightFront start) {
  int32_t sum_x = 0, sum_z = 0;
  for (int32_t i = 0; i < patch->vertex_count; i++) {
    sum_x += patch->vertices[i][0];
    sum_z += patch->vertices[i][2];
  }
  const int32_t middle_x = sum_x / patch->vertex_count - patch->x;
  const int32_t middle_z = sum_z / patch->vertex_count - patch->z;
  WmHeightFront at = start;
  size_t depth = 0;
  patch->fronts[depth++] = start; /* not marked: the walk may come back to it once */
  while (depth > 0) {
    at = patch->fronts[--depth];
    const int32_t x = at.cell % patch->stride, z = at.cell / patch->stride;
    if (x == middle_x && z == middle_z) break;
    int preferred = middle_x > x ? 2 : 0;
    if (x == middle_x) preferred = middle_z > z ? 1 : 3;
    for (int k = 0; k < 4; k++) {
      const int d = k == 3 ? preferred : k == preferred ? 3 : k; /* the preferred one last: it is on top */
      const uint32_t span = patch->compact->span_neighbour[4 * (size_t)at.span + (size_t)d];
      const int32_t cell = at.cell + STEP_X[d] + STEP_Z[d] * patch->stride;
      if (span == WM_NO_SPAN || patch->heights[cell] != WM_HEIGHT_UNSET) continue;
      patch->heights[cell] = 0;
      patch->fronts[depth++] = (WmHeightFront){span, cell};
    }
  }
  return at;
}

/* Starts to fill the whole window, from the region or, without one, from the span in its middle. */
WM_COLD static void start_window(WmHeightPatch *patch) {
  const int32_t reach = patch->width + patch->depth;
  patch->is_whole = true;
  patch->head = patch->front_count = 0;
  for (int32_t z = 0; z < patch->depth; z++) {
    for (int32_t x = 0; x < patch->width; x++) queue_cell(patch, cell_of(patch, x, z), x + z * patch->stride);
  }
  set_heights(patch, 0, 0, reach, WM_HEIGHT_UNSET);
  if (patch->front_count == 0) {
    const WmHeightFront start = find_walk_start(patch);
    patch->is_unreachable = start.span == WM_NO_SPAN;
    if (patch->is_unreachable) return;
    patch->fronts[0] = walk_to_middle(patch, start);
    patch->front_count = 1;
    set_heights(patch, 0, 0, reach, WM_HEIGHT_UNSET); /* no marks */
  }
  set_queued(patch);
}

/* The height of one cell of the window. */
__attribute__((noinline)) static uint16_t height_at(WmHeightPatch *patch, int32_t x, int32_t z) {
  const uint32_t *cell = cell_of(patch, x, z);
  if (cell[0] == cell[1]) return WM_HEIGHT_UNSET;
  const uint32_t span = span_of_region(patch, cell);
  if (span != WM_NO_SPAN) return patch->compact->span_floor[span];
  const uint16_t *target = patch->heights + x + (ptrdiff_t)z * patch->stride;
  for (int32_t reach = 0; reach < 2 && !patch->is_whole && patch->budget > 0;) {
    reach = queue_nearest(patch, x, z, reach + 1);
    set_heights(patch, x, z, reach - 1, WM_HEIGHT_UNSET);
    set_queued(patch);
    flood(patch, target, reach);
    const uint16_t height = *target;
    set_heights(patch, x, z, reach, 0);
    patch->budget -= 4 * (float)(reach - 1) * (float)reach;
    if (height != WM_HEIGHT_UNSET) return height;
  }
  if (!patch->is_whole) start_window(patch);
  if (!patch->is_unreachable) flood(patch, target, INT32_MAX);
  return *target;
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
  if (height != WM_HEIGHT_UNSET || patch->is_unreachable) return height;
  const int32_t reach = min_int(patch->search_radius, max_int(patch->width, patch->depth));
  for (int32_t r = 1; r <= reach && !patch->is_unreachable; r++) {
    const Nearest nearest = search_ring(patch, cell_x, cell_z, r, y);
    if (nearest.height != WM_HEIGHT_UNSET) return nearest.height;
  }
  /* Nothing nearby. Whether there are heights at all decides what becomes of the polygon. */
  if (!patch->is_whole) start_window(patch);
  return WM_HEIGHT_UNSET;
}
