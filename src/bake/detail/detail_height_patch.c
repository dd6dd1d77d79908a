/* Heights of the surface around one polygon.
 *
 * By definition, the window of cells around the polygon is filled first from the spans of the polygon's
 * region, then breadth first over links from the region's edge, in the order of the queue. If the region
 * has no span in the window, breadth first from a single span, found by walking from a vertex towards the
 * centre. A look-up returns the cell's height, or that of the nearest ring of cells with one.
 *
 * Filling windows costs far more than the few look-ups need, so a height is computed on demand. A cell
 * with a span of the region needs only that. A cell that the flood reaches after k steps gets the same
 * height if only the cells within k steps of it are flooded, since no other cell can reach it, or take a
 * cell on the way, in that time: the order among cells of equal step depends on raster order and
 * directions alone. Such cells are common, since borders between regions become straight lines. So
 * height_at tries, cheapest first:
 *
 *   the cell has a span of the region           its floor (span_of_region)
 *   it has several spans, and a neighbour of    the linked span's floor (find_beside_region)
 *   the region links to one of them
 *   the cell has one span, and a straight row   the cell's floor (is_reached_straight)
 *   of such cells links it to the region
 *   near the region                             diamonds of 2, 4, ... 32 steps (flood_diamonds)
 *   the region has no span in the window, and   the cell's floor (find_from_middle)
 *   one turn over such cells leads to the
 *   start of the flood
 *   otherwise                                   the window, flooded until the cell is filled; the next
 *                                               look-up continues there (start_window, flood)
 *
 * If no span lies near any vertex, the reference reads outside its arrays; here the patch is unreachable,
 * and the polygon gets no height detail. */
#include "bake/detail/detail_internal.h"
#include "bake/compact/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells more steps than this from the region need the window. Measured: with 8, windows are filled for
 * single far cells of large polygons; values from 16 to 64 hardly differ. */
enum { LOCAL_REACH = 32 };

static int32_t min_int(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t max_int(int32_t a, int32_t b) { return a > b ? a : b; }

WM_COLD WmStatus wm_height_patch_start(WmHeightPatch *patch, const uint16_t *indices, int32_t vertex_count,
                                       WmInt4 low, WmInt4 high, WmInt4 sum) {
  const WmGrid *grid = &patch->compact->grid;
  const WmInt4 one = wm_splat_int4(1), zero = {0};
  const int32_t border = grid->border_size;
  /* A mesh made from this field never exceeds the limit; it clamps any other mesh to the field. */
  const WmInt4 limit = {grid->width - border, 0, grid->depth - border};
  low = wm_max_int4(low - one, zero);
  const WmInt4 size = wm_max_int4(wm_min_int4(high + one, limit) - low, zero);
  wm_store_int4(patch->low, low);
  wm_store_int4(patch->size, size);
  wm_store_int4(patch->vertex_sum, sum);
  patch->indices = indices;
  patch->vertex_count = vertex_count;
  patch->is_whole = patch->is_unreachable = false;
  patch->middle.span = WM_NO_SPAN;
  const int32_t stride = size[0] + 2;
  wm_store_int4(patch->steps, (WmInt4){-1, stride, 1, -stride});
  const size_t cells = (size_t)stride * (size_t)(size[2] + 2);
  if (cells > patch->capacity) patch->fronts = NULL; /* their contents are not needed */
  patch->fronts = wm_scratch_reserve(patch->context, patch->fronts, &patch->capacity, cells,
                                     sizeof *patch->fronts + sizeof *patch->heights);
  if (!patch->fronts) return WM_ERROR_OUT_OF_MEMORY;
  patch->heights = (uint16_t *)(void *)(patch->fronts + patch->capacity) + stride + 1;
  return WM_OK;
}

static const uint32_t *cell_of(const WmHeightPatch *patch, int32_t x, int32_t z) {
  const WmGrid *grid = &patch->compact->grid;
  const size_t column = (size_t)(patch->low[0] + x + grid->border_size);
  const size_t row = (size_t)(patch->low[2] + z + grid->border_size);
  return patch->compact->cell_first + column + row * (size_t)grid->width;
}

WM_INLINE bool is_in_window(const WmHeightPatch *patch, int32_t x, int32_t z) {
  return (uint32_t)x < (uint32_t)patch->size[0] && (uint32_t)z < (uint32_t)patch->size[2];
}

/* The lowest span of the polygon's region in a cell. */
WM_INLINE uint32_t span_of_region(const WmHeightPatch *patch, const uint32_t *cell) {
  for (uint32_t span = cell[0], end = cell[1]; span < end; span++) {
    if (patch->span_region[span] == patch->region) return span;
  }
  return WM_NO_SPAN;
}

/* ---- Filling ---------------------------------------------------------------------------------------- */

/* Starts a flood of the cells of the window within `reach` steps of (x, z): those of the region get their
 * heights and are queued, in raster order, the others are unset. The cells around them get height 0, as if
 * they were filled. */
static void gather_cells(WmHeightPatch *patch, int32_t x, int32_t z, int32_t reach) {
  const uint16_t *span_floor = patch->compact->span_floor;
  WmHeightFront *front = patch->fronts;
  const int32_t last_row = min_int(patch->size[2], z + reach + 1);
  for (int32_t row = max_int(-1, z - reach - 1); row <= last_row; row++) {
    const int32_t half = reach + 1 - abs(row - z);
    const int32_t first = max_int(-1, x - half), last = min_int(patch->size[0], x + half);
    const int32_t row_number = row * patch->steps[1];
    memset(patch->heights + (row_number + first), 0, (size_t)(last - first + 1) * sizeof *patch->heights);
    if (!is_in_window(patch, 0, row) || last - first < 2) continue;
    memset(patch->heights + (row_number + first + 1), 0xff,
           (size_t)(last - first - 1) * sizeof *patch->heights);
    if (patch->region == WM_HEIGHT_NO_REGION) continue;
    const uint32_t *cell = cell_of(patch, first + 1, row);
    for (int32_t number = row_number + first + 1; number < row_number + last; number++) {
      const uint32_t span = span_of_region(patch, cell++);
      if (span == WM_NO_SPAN) continue;
      patch->heights[number] = span_floor[span];
      *front++ = (WmHeightFront){span, number};
    }
  }
  patch->head = 0;
  patch->front_count = (size_t)(front - patch->fronts);
}

/* True if links lead from the region, at most `steps` away, in direction d to a cell, over cells of single
 * spans like this one: the flood has no other span to fill them with. */
static bool is_reached_straight(const WmHeightPatch *patch, int32_t x, int32_t z, int d, int32_t steps) {
  const int32_t dx = d % 2 ? 0 : d - 1, dz = d % 2 ? 2 - d : 0;
  const uint32_t *cell = cell_of(patch, x, z);
  for (; steps > 0; steps--) {
    const uint32_t before = cell[0];
    x += dx;
    z += dz;
    if (!is_in_window(patch, x, z)) return false;
    cell += dx + (ptrdiff_t)dz * patch->compact->grid.width;
    const uint32_t source = span_of_region(patch, cell);
    if (source == WM_NO_SPAN && cell[1] - cell[0] != 1) return false;
    const uint32_t span = source == WM_NO_SPAN ? cell[0] : source;
    if (wm_link(&patch->compact->links, span, (size_t)(d ^ 2)) != before) return false;
    if (source != WM_NO_SPAN) return true;
  }
  return false;
}

/* Fills breadth first from the queue until the target cell is filled, at most `reach` steps. It can be
 * called again for another cell while the queue is not empty. */
static void flood(WmHeightPatch *patch, const uint16_t *target, int32_t reach) {
  const WmCompactHeightfield *compact = patch->compact;
  size_t level_end = patch->front_count;
  while (*target == WM_HEIGHT_UNSET && patch->head < patch->front_count) {
    if (patch->head == level_end) {
      level_end = patch->front_count;
      if (--reach == 0) return;
    }
    const WmHeightFront front = patch->fronts[patch->head++];
    for (int d = 0; d < 4; d++) {
      const int32_t cell = front.cell + patch->steps[d];
      if (patch->heights[cell] != WM_HEIGHT_UNSET) continue;
      const uint32_t span = wm_link_inline(&compact->links, front.span, (size_t)d);
      if (span == WM_NO_SPAN) continue;
      patch->heights[cell] = compact->span_floor[span];
      patch->fronts[patch->front_count++] = (WmHeightFront){span, cell};
    }
  }
}

/* Makes the span in or next to a vertex's cell that is nearest to it in height the only front, if there is
 * one. */
WM_COLD static void find_walk_start(WmHeightPatch *patch) {
  static const int8_t OFFSETS[9][2] = {{0, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0},
                                       {1, 1}, {0, 1},   {-1, 1}, {-1, 0}};
  int32_t nearest = 0xffff;
  for (int32_t i = 0; i < patch->vertex_count; i++) {
    const uint16_t *vertex = patch->vertices + 3 * (size_t)patch->indices[i];
    for (int k = 0; k < 9; k++) {
      const int32_t x = vertex[0] + OFFSETS[k][0] - patch->low[0],
                    z = vertex[2] + OFFSETS[k][1] - patch->low[2];
      if (!is_in_window(patch, x, z)) continue;
      const uint32_t *cell = cell_of(patch, x, z);
      for (uint32_t span = cell[0]; span < cell[1]; span++) {
        const int32_t apart = abs(vertex[1] - patch->compact->span_floor[span]);
        if (apart >= nearest) continue;
        nearest = apart;
        patch->fronts[0] = (WmHeightFront){span, x + z * patch->steps[1]};
        patch->front_count = 1;
      }
    }
  }
}

/* Walks depth first from the only front to the polygon's centre, straight on if possible. All cells of the
 * window are unset: the queue serves as the stack, the heights as marks. Returns the end of the walk. */
WM_COLD static WmHeightFront walk_to_middle(WmHeightPatch *patch) {
  const int32_t middle_x = patch->vertex_sum[0] / patch->vertex_count - patch->low[0];
  const int32_t middle_z = patch->vertex_sum[2] / patch->vertex_count - patch->low[2];
  WmHeightFront at;
  size_t depth = 1; /* the start is not marked: the walk may return to it once */
  do {
    at = patch->fronts[--depth];
    const int32_t x = at.cell % patch->steps[1], z = at.cell / patch->steps[1];
    int preferred = middle_x > x ? 2 : 0;
    if (x == middle_x) {
      if (z == middle_z) break;
      preferred = middle_z > z ? 1 : 3;
    }
    for (int k = 0; k < 4; k++) {
      const int d = k == 3 ? preferred : k == preferred ? 3 : k; /* the preferred one is pushed last */
      const uint32_t span = wm_link(&patch->compact->links, at.span, (size_t)d);
      const int32_t cell = at.cell + patch->steps[d];
      if (span == WM_NO_SPAN || patch->heights[cell] != WM_HEIGHT_UNSET) continue;
      patch->heights[cell] = 0;
      patch->fronts[depth++] = (WmHeightFront){span, cell};
    }
  } while (depth > 0);
  return at;
}

/* Finds the span at the centre of a window without spans of the region. All its cells are unset. */
static void find_middle(WmHeightPatch *patch) {
  find_walk_start(patch);
  patch->is_unreachable = patch->front_count == 0;
  if (!patch->is_unreachable) patch->middle = walk_to_middle(patch);
}

static void gather_window(WmHeightPatch *patch) {
  gather_cells(patch, 0, 0, patch->size[0] + patch->size[2]);
}

/* Starts to fill the whole window, from the region or, without one, from the span at its centre. */
WM_COLD static void start_window(WmHeightPatch *patch) {
  patch->is_whole = true;
  gather_window(patch);
  if (patch->front_count > 0) return;
  if (patch->middle.span == WM_NO_SPAN) {
    find_middle(patch);
    if (patch->is_unreachable) return;
    gather_window(patch); /* clears the marks */
  }
  patch->fronts[patch->front_count++] = patch->middle;
  patch->heights[patch->middle.cell] = patch->compact->span_floor[patch->middle.span];
}

/* The span to which links lead from the centre along the cell's row and column, in either order, over
 * cells of single spans: the flood has no other span to fill them with. WM_NO_SPAN if there is none. */
static uint32_t find_from_middle(WmHeightPatch *patch, int32_t x, int32_t z) {
  if (patch->middle.span == WM_NO_SPAN) {
    gather_window(patch);
    find_middle(patch);
    if (patch->is_unreachable) return WM_NO_SPAN;
  }
  const int32_t from_x = patch->middle.cell % patch->steps[1], from_z = patch->middle.cell / patch->steps[1];
  const int32_t steps[2] = {abs(x - from_x), abs(z - from_z)};
  const int32_t width = patch->compact->grid.width;
  const int directions[2] = {x > from_x ? 2 : 0, z > from_z ? 1 : 3};
  const int32_t strides[2] = {x > from_x ? 1 : -1, z > from_z ? width : -width};
  for (int order = 0; order < 2; order++) {
    uint32_t span = patch->middle.span;
    const uint32_t *cell = cell_of(patch, from_x, from_z);
    for (int leg = 0; leg < 2; leg++) {
      const int axis = order ^ leg;
      for (int32_t k = 0; k < steps[axis] && span != WM_NO_SPAN; k++) {
        cell += strides[axis];
        span = wm_link_inline(&patch->compact->links, span, (size_t)directions[axis]);
        if (cell[1] - cell[0] != 1) span = WM_NO_SPAN;
      }
    }
    if (span != WM_NO_SPAN) return span;
  }
  return WM_NO_SPAN;
}

/* The span of the cell to which the first neighbour, in raster order, with a span of the region links;
 * WM_NO_SPAN if there is none. */
static uint32_t find_beside_region(const WmHeightPatch *patch, int32_t x, int32_t z) {
  for (int k = 0; k < 8; k += 2) {
    const int d = 0xc9 >> k & 3, dx = d % 2 ? 0 : d - 1, dz = d % 2 ? 2 - d : 0;
    if (!is_in_window(patch, x - dx, z - dz)) continue;
    uint32_t span = span_of_region(patch, cell_of(patch, x - dx, z - dz));
    if (span != WM_NO_SPAN) span = wm_link(&patch->compact->links, span, (size_t)d);
    if (span != WM_NO_SPAN) return span;
  }
  return WM_NO_SPAN;
}

/* The height of a cell without a span of the region, found by straight rows of links and by diamonds of
 * increasing size, in turn: rows of 128 steps are long, and a diamond finds near spans around a corner before
 * them. WM_HEIGHT_UNSET if the region is farther than LOCAL_REACH steps. */
static uint16_t flood_diamonds(WmHeightPatch *patch, int32_t x, int32_t z, const uint32_t *cell,
                               const uint16_t *target) {
  const bool is_single = cell[1] - cell[0] == 1;
  int row = 0; /* rows 0 to 3 have 2 steps, 4 to 7 have 16, 8 to 11 have 128 */
  for (int32_t reach = 2; reach <= LOCAL_REACH; reach *= 2) {
    for (const int end = reach == 2 ? 8 : 12; is_single && row < end; row++) {
      const int32_t steps = 2 << row / 4 * 3;
      if (is_reached_straight(patch, x, z, row * 3 % 4, steps)) return patch->compact->span_floor[cell[0]];
    }
    gather_cells(patch, x, z, reach);
    flood(patch, target, reach);
    if (*target != WM_HEIGHT_UNSET) return *target;
  }
  return WM_HEIGHT_UNSET;
}

/* The height of one cell, which may lie outside the window. */
WM_NOINLINE static uint16_t height_at(WmHeightPatch *patch, int32_t x, int32_t z) {
  if (!is_in_window(patch, x, z)) return WM_HEIGHT_UNSET;
  const uint32_t *cell = cell_of(patch, x, z);
  if (cell[0] == cell[1]) return WM_HEIGHT_UNSET;
  const uint16_t *target = patch->heights + x + (ptrdiff_t)z * patch->steps[1];
  if (!patch->is_whole && patch->region == WM_HEIGHT_NO_REGION) {
    const uint32_t span = find_from_middle(patch, x, z);
    if (span != WM_NO_SPAN) return patch->compact->span_floor[span];
  } else if (!patch->is_whole) {
    uint32_t span = span_of_region(patch, cell);
    /* A single span needs no neighbour: whichever reaches it. */
    if (span == WM_NO_SPAN && cell[1] - cell[0] != 1) span = find_beside_region(patch, x, z);
    if (span != WM_NO_SPAN) return patch->compact->span_floor[span];
    const uint16_t height = flood_diamonds(patch, x, z, cell, target);
    if (height != WM_HEIGHT_UNSET) return height;
  }
  if (!patch->is_whole) start_window(patch);
  flood(patch, target, INT32_MAX);
  return *target;
}

/* ---- Look-up ---------------------------------------------------------------------------------------- */

float wm_height_patch_look_up(WmHeightPatch *patch, WmFloat4 at) {
  if (patch->is_unreachable) return 0;
  const WmInt4 zero = {0};
  WmFloat4 position = at * wm_splat_float4(patch->inverse_cell_size) + wm_splat_float4(0.01f);
  position = wm_min_float4(wm_max_float4(position, (WmFloat4)zero), wm_splat_float4(1e9f));
  WmInt4 cell = wm_truncate_float4(position) - wm_load_int4(patch->low);
  cell = wm_max_int4(wm_min_int4(cell, wm_load_int4(patch->size) - wm_splat_int4(1)), zero);
  int32_t x = cell[0], z = cell[2];
  uint16_t nearest = height_at(patch, x, z);
  const int32_t reach = min_int(patch->search_radius, max_int(patch->size[0], patch->size[2]));
  for (int32_t r = 1; r <= reach && nearest == WM_HEIGHT_UNSET; r++) {
    /* From the previous ring through this one's corner at +x, -z, once around by +z, -x, -z, +x. */
    float least = INFINITY;
    x++;
    z--;
    for (int side = 0; side < 4; side++) {
      for (int32_t k = 0; k < 2 * r; k++) {
        if (side % 2 == 0) {
          z += 1 - side;
        } else {
          x += side - 2;
        }
        const uint16_t height = height_at(patch, x, z);
        const float apart = fabsf((float)height * patch->cell_height - at[1]);
        if (height == WM_HEIGHT_UNSET || !(apart < least)) continue;
        least = apart;
        nearest = height;
      }
    }
  }
  /* The caller needs to know whether there are any heights. */
  if (nearest == WM_HEIGHT_UNSET && !patch->is_whole) start_window(patch);
  return nearest == WM_HEIGHT_UNSET ? NAN : (float)nearest * patch->cell_height;
}

float wm_height_patch_correct(const WmHeightPatch *patch, float x, float height, float z) {
  if (!patch->surface) return height;
  const float *corner = patch->corner;
  const double top = (double)height + (double)corner[1] - (double)patch->cell_height;
  double corrected;
  if (!wm_surface_heights_find(patch->surface, (double)(x + corner[0]), (double)(z + corner[2]), top,
                               &corrected)) {
    return height - patch->cell_height;
  }
  return (float)(corrected - (double)corner[1]);
}
