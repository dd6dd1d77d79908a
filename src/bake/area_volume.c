/* Area volumes: marks the walkable surface inside a box, cylinder or prism; and widens polygons.
 *
 * In place on span_area; unwalkable spans never change. A span is inside when its cell's centre is (boxes:
 * when its cell is touched) and its floor is within the volume's heights, both in whole cells. Ranges are
 * found by division and truncation in float32, as in Recast; values no integer can hold are clamped first.
 * The parity rule for prisms works for any simple polygon, convex or not. */
#include "bake/stages.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"

/* Cells and heights a volume covers, inclusive; x and z within the grid. */
typedef struct CellRange {
  int32_t min_x, max_x, min_z, max_z, min_y, max_y;
} CellRange;

/* Truncates toward zero; beyond the integers it gives the nearest one a float32 can say. */
static int32_t truncate_to_cell(float value) {
  const float limit = 2147483520.0f;
  if (value <= -limit) return -2147483520;
  if (value >= limit) return 2147483520;
  return (int32_t)value;
}

/* Returns false where the range lies outside the grid. */
static bool find_cell_range(const WmGrid *grid, const float low[3], const float high[3], CellRange *range) {
  range->min_x = truncate_to_cell((low[0] - grid->bounds_min[0]) / grid->cell_size);
  range->min_y = truncate_to_cell((low[1] - grid->bounds_min[1]) / grid->cell_height);
  range->min_z = truncate_to_cell((low[2] - grid->bounds_min[2]) / grid->cell_size);
  range->max_x = truncate_to_cell((high[0] - grid->bounds_min[0]) / grid->cell_size);
  range->max_y = truncate_to_cell((high[1] - grid->bounds_min[1]) / grid->cell_height);
  range->max_z = truncate_to_cell((high[2] - grid->bounds_min[2]) / grid->cell_size);
  if (range->max_x < 0 || range->min_x >= grid->width) return false;
  if (range->max_z < 0 || range->min_z >= grid->depth) return false;
  if (range->min_x < 0) range->min_x = 0;
  if (range->min_z < 0) range->min_z = 0;
  if (range->max_x >= grid->width) range->max_x = grid->width - 1;
  if (range->max_z >= grid->depth) range->max_z = grid->depth - 1;
  return true;
}

static void mark_cell(WmCompactHeightfield *compact, const CellRange *range, int32_t x, int32_t z,
                      uint8_t area) {
  const uint32_t *cell = compact->cell_first + (size_t)x + (size_t)z * (size_t)compact->grid.width;
  for (uint32_t span = cell[0]; span < cell[1]; span++) {
    const int32_t floor = compact->span_floor[span];
    if (compact->span_area[span] == WM_AREA_NULL || floor < range->min_y || floor > range->max_y) continue;
    compact->span_area[span] = area;
  }
}

static float cell_centre(float bounds_min, float cell_size, int32_t cell) {
  return bounds_min + ((float)cell + 0.5f) * cell_size;
}

static void mark_box(WmCompactHeightfield *compact, const WmAreaVolume *volume) {
  CellRange range;
  if (!find_cell_range(&compact->grid, volume->minimum, volume->maximum, &range)) return;
  for (int32_t z = range.min_z; z <= range.max_z; z++) {
    for (int32_t x = range.min_x; x <= range.max_x; x++) mark_cell(compact, &range, x, z, volume->area);
  }
}

static void mark_cylinder(WmCompactHeightfield *compact, const WmAreaVolume *volume) {
  const WmGrid *grid = &compact->grid;
  const float *centre = volume->centre, radius = volume->radius;
  const float low[3] = {centre[0] - radius, centre[1], centre[2] - radius};
  const float high[3] = {centre[0] + radius, centre[1] + volume->height, centre[2] + radius};
  CellRange range;
  if (!find_cell_range(grid, low, high, &range)) return;
  for (int32_t z = range.min_z; z <= range.max_z; z++) {
    const float dz = cell_centre(grid->bounds_min[2], grid->cell_size, z) - centre[2];
    for (int32_t x = range.min_x; x <= range.max_x; x++) {
      const float dx = cell_centre(grid->bounds_min[0], grid->cell_size, x) - centre[0];
      if (dx * dx + dz * dz >= radius * radius) continue;
      mark_cell(compact, &range, x, z, volume->area);
    }
  }
}

/* ---- Prisms ------------------------------------------------------------------------------------------- */

/* Keys that order as the floats do. */
static uint32_t float_to_key(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float key_to_float(uint32_t key) {
  const uint32_t bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Where the outline crosses the line of cell centres at `centre_z`, ascending; returns how many. */
static size_t find_crossings(const float *vertices, size_t count, float centre_z, WmSortItem *crossings,
                             WmSortItem *scratch) {
  size_t crossing_count = 0;
  for (size_t i = 0, j = count - 1; i < count; j = i++) {
    const float *a = vertices + 3 * i, *b = vertices + 3 * j;
    if ((a[2] > centre_z) == (b[2] > centre_z)) continue;
    const float x = ((b[0] - a[0]) * (centre_z - a[2])) / (b[2] - a[2]) + a[0];
    if (isnan(x)) continue; /* overflow: no centre lies before it */
    crossings[crossing_count++] = (WmSortItem){float_to_key(x), 0};
  }
  wm_sort_stable(crossings, scratch, crossing_count);
  return crossing_count;
}

static WmStatus mark_prism(WmContext *context, WmCompactHeightfield *compact, const float *vertices,
                           size_t count, float min_y, float max_y, uint8_t area) {
  const WmGrid *grid = &compact->grid;
  float low[3] = {vertices[0], min_y, vertices[2]}, high[3] = {vertices[0], max_y, vertices[2]};
  for (size_t i = 1; i < count; i++) {
    for (size_t axis = 0; axis < 3; axis += 2) {
      const float value = vertices[3 * i + axis];
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  CellRange range;
  if (!find_cell_range(grid, low, high, &range)) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmSortItem *crossings = wm_scratch_array(context, count, sizeof *crossings);
  WmSortItem *scratch = crossings ? wm_scratch_array(context, count, sizeof *scratch) : NULL;
  if (!scratch) {
    wm_scratch_rewind(context, mark);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  for (int32_t z = range.min_z; z <= range.max_z; z++) {
    const float centre_z = cell_centre(grid->bounds_min[2], grid->cell_size, z);
    const size_t crossing_count = find_crossings(vertices, count, centre_z, crossings, scratch);
    size_t passed = 0;
    for (int32_t x = range.min_x; x <= range.max_x && passed < crossing_count; x++) {
      const float centre_x = cell_centre(grid->bounds_min[0], grid->cell_size, x);
      while (passed < crossing_count && !(centre_x < key_to_float(crossings[passed].key))) passed++;
      if ((crossing_count - passed) & 1) mark_cell(compact, &range, x, z, area);
    }
  }
  wm_scratch_rewind(context, mark);
  return WM_OK;
}

static WmStatus mark_rotated_box(WmContext *context, WmCompactHeightfield *compact,
                                 const WmAreaVolume *volume) {
  const float *centre = volume->centre, *half = volume->half_extents;
  const float sin_yaw = (float)wm_sine(volume->yaw, 0), cos_yaw = (float)wm_sine(volume->yaw, 1);
  static const float CORNERS[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
  float vertices[12];
  for (size_t i = 0; i < 4; i++) {
    const float u = CORNERS[i][0] * half[0], w = CORNERS[i][1] * half[2];
    vertices[3 * i] = centre[0] + (u * cos_yaw + w * sin_yaw);
    vertices[3 * i + 1] = centre[1];
    vertices[3 * i + 2] = centre[2] + (w * cos_yaw - u * sin_yaw);
  }
  return mark_prism(context, compact, vertices, 4, centre[1] - half[1], centre[1] + half[1], volume->area);
}

/* ---- Checks ------------------------------------------------------------------------------------------- */

static bool are_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i])) return false;
  }
  return true;
}

static WmStatus fail_not_finite(WmContext *context, const char *field) {
  return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, field, "an area volume has a number that is not finite");
}

static WmStatus check_volume(WmContext *context, const WmAreaVolume *volume) {
  if (volume->area >= WM_AREA_COUNT) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "area", volume->area, 0, WM_AREA_COUNT - 1,
                         NULL);
  }
  switch (volume->kind) {
    case WM_AREA_VOLUME_BOX:
      if (!are_finite(volume->minimum, 3)) return fail_not_finite(context, "minimum");
      if (!are_finite(volume->maximum, 3)) return fail_not_finite(context, "maximum");
      return WM_OK;
    case WM_AREA_VOLUME_ROTATED_BOX:
      if (!are_finite(volume->centre, 3)) return fail_not_finite(context, "centre");
      if (!are_finite(volume->half_extents, 3)) return fail_not_finite(context, "halfExtents");
      if (!are_finite(&volume->yaw, 1)) return fail_not_finite(context, "yaw");
      return WM_OK;
    case WM_AREA_VOLUME_CYLINDER:
      if (!are_finite(volume->centre, 3)) return fail_not_finite(context, "centre");
      if (!are_finite(&volume->radius, 1)) return fail_not_finite(context, "radius");
      if (!are_finite(&volume->height, 1)) return fail_not_finite(context, "height");
      return WM_OK;
    case WM_AREA_VOLUME_PRISM:
      if (volume->vertex_count < 3 || !volume->vertices) {
        return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "vertices", (double)volume->vertex_count, 3,
                             (double)NAN, "a prism needs an outline");
      }
      if (!are_finite(volume->minimum + 1, 1)) return fail_not_finite(context, "minimum");
      if (!are_finite(volume->maximum + 1, 1)) return fail_not_finite(context, "maximum");
      for (size_t i = 0; i < volume->vertex_count; i++) {
        const float *vertex = volume->vertices + 3 * i;
        if (!isfinite(vertex[0]) || !isfinite(vertex[2])) return fail_not_finite(context, "vertices");
      }
      return WM_OK;
    default:
      return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "kind", volume->kind, WM_AREA_VOLUME_BOX,
                           WM_AREA_VOLUME_PRISM, NULL);
  }
}

WmStatus wm_mark_area(WmContext *context, WmCompactHeightfield *compact, const WmAreaVolume *volume) {
  const WmStatus status = check_volume(context, volume);
  if (status) return status;
  switch (volume->kind) {
    case WM_AREA_VOLUME_BOX: mark_box(compact, volume); return WM_OK;
    case WM_AREA_VOLUME_ROTATED_BOX: return mark_rotated_box(context, compact, volume);
    case WM_AREA_VOLUME_CYLINDER: mark_cylinder(compact, volume); return WM_OK;
    default:
      return mark_prism(context, compact, volume->vertices, volume->vertex_count, volume->minimum[1],
                        volume->maximum[1], volume->area);
  }
}
