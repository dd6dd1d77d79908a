/* Area volumes: marks the walkable surface inside a box, cylinder, prism, sphere or capsule.
 *
 * In place on span_area; unwalkable spans never change. A span is inside if its cell's centre is (boxes:
 * if its cell is touched) and its floor is within the volume's heights, both in whole cells. Ranges are
 * found by division and truncation in float32, as in Recast; values beyond the grid are clamped first. The
 * parity rule for prisms works for any simple polygon, convex or not. */
#include "bake/stages.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bake/areas/round_volume.h"
#include "bake/areas/volume_cells.h"
#include "base/number.h"

/* The shape to mark: an outline for prisms, the square of a radius for cylinders. */
typedef struct Shape {
  float low[3], high[3];
  const float *vertices;     /* [vertex_count][3] */
  size_t vertex_count;       /* 0 if it isn't a prism */
  float reach;               /* square of a cylinder's radius; NaN for the others */
  bool is_round;             /* a sphere or capsule: heights differ from cell to cell */
  float outline[12];         /* of a rotated box */
  int32_t first[3], last[3]; /* cells and heights, inclusive; x and z within the grid */
} Shape;

/* ---- Checks ------------------------------------------------------------------------------------------ */

static WmStatus fail_not_finite(WmContext *context, const char *field) {
  return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, field, "an area volume's numbers must be finite");
}

/* The floats that a kind of volume reads. */
typedef struct Needed {
  const char *field;
  uint8_t kind, offset, count;
} Needed;

static const Needed NEEDED[] = {
    {"minimum", WM_AREA_VOLUME_BOX, offsetof(WmAreaVolume, minimum), 3},
    {"maximum", WM_AREA_VOLUME_BOX, offsetof(WmAreaVolume, maximum), 3},
    {"centre", WM_AREA_VOLUME_ROTATED_BOX, offsetof(WmAreaVolume, centre), 3},
    {"halfExtents", WM_AREA_VOLUME_ROTATED_BOX, offsetof(WmAreaVolume, half_extents), 3},
    {"yaw", WM_AREA_VOLUME_ROTATED_BOX, offsetof(WmAreaVolume, yaw), 1},
    {"centre", WM_AREA_VOLUME_CYLINDER, offsetof(WmAreaVolume, centre), 3},
    {"radius", WM_AREA_VOLUME_CYLINDER, offsetof(WmAreaVolume, radius), 1},
    {"height", WM_AREA_VOLUME_CYLINDER, offsetof(WmAreaVolume, height), 1},
    {"minimum", WM_AREA_VOLUME_PRISM, offsetof(WmAreaVolume, minimum[1]), 1},
    {"maximum", WM_AREA_VOLUME_PRISM, offsetof(WmAreaVolume, maximum[1]), 1},
    {"centre", WM_AREA_VOLUME_SPHERE, offsetof(WmAreaVolume, centre), 3},
    {"radius", WM_AREA_VOLUME_SPHERE, offsetof(WmAreaVolume, radius), 1},
    {"start", WM_AREA_VOLUME_CAPSULE, offsetof(WmAreaVolume, minimum), 3},
    {"end", WM_AREA_VOLUME_CAPSULE, offsetof(WmAreaVolume, maximum), 3},
    {"radius", WM_AREA_VOLUME_CAPSULE, offsetof(WmAreaVolume, radius), 1},
};

static WmStatus check_volume(WmContext *context, const WmAreaVolume *volume) {
  if (volume->area >= WM_AREA_COUNT) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "area", volume->area, 0, WM_AREA_COUNT - 1,
                         NULL);
  }
  if ((uint32_t)volume->kind > WM_AREA_VOLUME_CAPSULE) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "kind", volume->kind, WM_AREA_VOLUME_BOX,
                         WM_AREA_VOLUME_CAPSULE, NULL);
  }
  for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++) {
    if (NEEDED[i].kind != volume->kind) continue;
    const float *floats = (const float *)(const void *)((const char *)volume + NEEDED[i].offset);
    if (!wm_are_within(floats, NEEDED[i].count, FLT_MAX)) return fail_not_finite(context, NEEDED[i].field);
  }
  if (volume->kind >= WM_AREA_VOLUME_SPHERE) return wm_check_round_volume(context);
  if (volume->kind != WM_AREA_VOLUME_PRISM) return WM_OK;
  if (volume->vertex_count < 3 || !volume->vertices) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "vertices", (double)volume->vertex_count, 3,
                         (double)NAN, "a prism needs an outline");
  }
  for (size_t i = 0; i < 3 * volume->vertex_count; i++) {
    if (i % 3 != 1 && !isfinite(volume->vertices[i])) return fail_not_finite(context, "vertices");
  }
  return WM_OK;
}

/* ---- Shapes ------------------------------------------------------------------------------------------ */

static void turn_box(const WmAreaVolume *volume, float outline[12]) {
  const float *centre = volume->centre, *half = volume->half_extents;
  const float sin_yaw = (float)wm_sine(volume->yaw, 0), cos_yaw = (float)wm_sine(volume->yaw, 1);
  for (int i = 0; i < 4; i++, outline += 3) {
    const float u = i < 2 ? -half[0] : half[0], w = i == 1 || i == 2 ? half[2] : -half[2];
    outline[0] = centre[0] + (u * cos_yaw + w * sin_yaw);
    outline[2] = centre[2] + (w * cos_yaw - u * sin_yaw);
  }
}

static void set_shape(const WmAreaVolume *volume, Shape *shape) {
  const bool is_box = volume->kind == WM_AREA_VOLUME_ROTATED_BOX;
  const bool is_cylinder = volume->kind == WM_AREA_VOLUME_CYLINDER;
  const bool is_capsule = volume->kind == WM_AREA_VOLUME_CAPSULE;
  const bool has_centre = is_box || is_cylinder || volume->kind == WM_AREA_VOLUME_SPHERE;
  for (int axis = 0; axis < 3; axis++) {
    const float half = is_box ? volume->half_extents[axis] : volume->radius;
    const float centre = volume->centre[axis], a = volume->minimum[axis], b = volume->maximum[axis];
    shape->low[axis] = has_centre ? centre - half : is_capsule ? (a < b ? a : b) - half : a;
    shape->high[axis] = has_centre ? centre + half : is_capsule ? (a < b ? b : a) + half : b;
  }
  shape->reach = NAN;
  shape->is_round = volume->kind >= WM_AREA_VOLUME_SPHERE;
  if (is_cylinder) {
    shape->low[1] = volume->centre[1];
    shape->high[1] = volume->centre[1] + volume->height;
    shape->reach = volume->radius * volume->radius;
  }
  shape->vertices = volume->vertices;
  shape->vertex_count = volume->kind == WM_AREA_VOLUME_PRISM ? volume->vertex_count : 0;
  if (is_box) {
    turn_box(volume, shape->outline);
    shape->vertices = shape->outline;
    shape->vertex_count = 4;
  }
  for (size_t i = 0; i < 3 * shape->vertex_count; i++) {
    const size_t axis = i % 3;
    if (axis == 1) continue;
    const float value = shape->vertices[i];
    if (i < 3 || value < shape->low[axis]) shape->low[axis] = value;
    if (i < 3 || value > shape->high[axis]) shape->high[axis] = value;
  }
}

/* Truncates toward zero; -1 for values below the grid, `count` for values beyond. */
static int32_t find_cell(float value, int32_t count) {
  if (!(value > -1)) return -1;
  return value < (float)count ? (int32_t)value : count;
}

/* The cells between two coordinates on an axis; false if they are all outside the grid. */
static bool find_range(const WmGrid *grid, int axis, float low, float high, int32_t *first, int32_t *last) {
  const int32_t counts[3] = {grid->width, UINT16_MAX + 1, grid->depth};
  const float size = axis == 1 ? grid->cell_height : grid->cell_size;
  *first = find_cell((low - grid->bounds_min[axis]) / size, counts[axis]);
  *last = find_cell((high - grid->bounds_min[axis]) / size, counts[axis]);
  if (*last < 0 || *first >= counts[axis]) return false;
  if (*first < 0) *first = 0;
  if (*last >= counts[axis]) *last = counts[axis] - 1;
  return true;
}

/* Returns false if the shape lies outside the grid. */
static bool find_cells(const WmGrid *grid, Shape *shape) {
  bool meets = true;
  for (int axis = 0; axis < 3; axis++) {
    meets &=
        find_range(grid, axis, shape->low[axis], shape->high[axis], &shape->first[axis], &shape->last[axis]);
  }
  return meets;
}

/* ---- Marking ----------------------------------------------------------------------------------------- */

/* True if a cell's centre is inside, seen from above. After overflow, the crossing of the outline with the
 * line of centres may be NaN: no centre lies before it. */
static bool is_inside(const WmAreaVolume *volume, const Shape *shape, float x, float z) {
  const float dx = x - volume->centre[0], dz = z - volume->centre[2];
  if (shape->vertex_count == 0) return !(dx * dx + dz * dz >= shape->reach);
  const float *b = shape->vertices + 3 * (shape->vertex_count - 1), *last = b;
  bool inside = false;
  for (const float *a = shape->vertices; a <= last; b = a, a += 3) {
    if ((a[2] > z) == (b[2] > z)) continue;
    inside ^= ((b[0] - a[0]) * (z - a[2])) / (b[2] - a[2]) + a[0] > x;
  }
  return inside;
}

static float cell_centre(const WmGrid *grid, int axis, int32_t cell) {
  return grid->bounds_min[axis] + ((float)cell + 0.5f) * grid->cell_size;
}

WmStatus wm_check_area_volume(WmContext *context, const WmGrid *grid, const WmAreaVolume *volume,
                              bool *touches) {
  Shape shape;
  *touches = false;
  const WmStatus status = check_volume(context, volume);
  if (status) return status;
  set_shape(volume, &shape);
  *touches = find_cells(grid, &shape);
  return WM_OK;
}

void wm_find_volume_bounds(WmContext *context, const WmAreaVolume *volume, float low[3], float high[3]) {
  Shape shape = {.low = {NAN, NAN, NAN}, .high = {NAN, NAN, NAN}};
  if (!check_volume(context, volume)) set_shape(volume, &shape);
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = shape.low[axis] >= -FLT_MAX ? shape.low[axis] : -INFINITY;
    high[axis] = shape.high[axis] <= FLT_MAX ? shape.high[axis] : INFINITY;
  }
}

WmStatus wm_find_volume_cells(WmContext *context, const WmGrid *grid, const WmAreaVolume *volume,
                              WmVolumeSink sink) {
  Shape shape;
  const WmStatus status = check_volume(context, volume);
  if (status) return status;
  set_shape(volume, &shape);
  if (!find_cells(grid, &shape)) return WM_OK;
  for (int32_t z = shape.first[2]; z <= shape.last[2]; z++) {
    for (int32_t x = shape.first[0]; x <= shape.last[0]; x++) {
      const float centre[2] = {cell_centre(grid, 0, x), cell_centre(grid, 2, z)};
      int32_t first = shape.first[1], last = shape.last[1];
      if (shape.is_round) {
        float heights[2];
        if (!wm_round_volume_heights(volume, centre[0], centre[1], heights)) continue;
        if (!find_range(grid, 1, heights[0], heights[1], &first, &last)) continue;
      } else if (!is_inside(volume, &shape, centre[0], centre[1])) {
        continue;
      }
      sink.write(sink.target, x, z, first, last);
    }
  }
  return WM_OK;
}

typedef struct Marked {
  WmCompactHeightfield *compact;
  int32_t headroom;
  uint8_t area;
} Marked;

/* Marks the spans of a cell whose floors are from `first` - headroom to `last`. */
static void mark_cell(void *target, int32_t x, int32_t z, int32_t first, int32_t last) {
  const Marked *marked = target;
  WmCompactHeightfield *compact = marked->compact;
  const uint32_t *cell = compact->cell_first + (size_t)x + (size_t)z * (size_t)compact->grid.width;
  for (uint32_t span = cell[0]; span < cell[1]; span++) {
    const int32_t floor = compact->span_floor[span];
    if (floor < first - marked->headroom || floor > last) continue;
    if (compact->span_area[span] != WM_AREA_NULL) compact->span_area[span] = marked->area;
  }
}

WmStatus wm_mark_area(WmContext *context, WmCompactHeightfield *compact, const WmAreaVolume *volume) {
  /* An agent's head must not reach into an obstacle. */
  const bool is_obstacle = volume->before_erosion && volume->area == WM_AREA_NULL;
  Marked marked = {compact, is_obstacle ? compact->walkable_height - 1 : 0, volume->area};
  return wm_find_volume_cells(context, &compact->grid, volume, (WmVolumeSink){mark_cell, &marked});
}
