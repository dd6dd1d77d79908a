/* Triangles to runs by cutting polygons: the reference rule.
 *
 * in         one triangle
 * out        for each row it reaches, the lowest and highest point in each cell
 * source     I. Sutherland, G. Hodgman, "Reentrant Polygon Clipping" (1974), in the form of M. Mononen,
 *            Recast Navigation (2009-)
 *
 * The triangle is cut at the upper grid line of its first row; the far part is cut at the next line, and so
 * on. Each row's part is cut at the grid lines of columns in the same way. A crossing is interpolated on the
 * current part, so its rounding depends on all cuts before: no plane equation gives the same bits.
 *
 * Nothing is assumed about the coordinates: with cells as small as the spacing of floats the parts may be
 * odd, but every loop and every array is bounded. The common case goes through rasterize_triangles.c,
 * which gives the same results faster; hulls of solids and triangles with huge coordinates come here. */
#include <math.h>
#include <string.h>

#include "bake/rasterize/rasterize_internal.h"
#include "base/inline.h"

/* A convex part has at most 7 points and a few repeated ones. Rounding can make more only if cells are
 * smaller than the spacing of floats; points that don't fit are dropped. */
enum { MAX_POINTS = 24 };

typedef struct Polygon {
  int count;
  float points[MAX_POINTS][3];
} Polygon;

static WM_NOINLINE void append(Polygon *polygon, const float point[3]) {
  if (polygon->count < MAX_POINTS) memcpy(polygon->points[polygon->count++], point, 3 * sizeof(float));
}

/* Cuts `piece` at `grid_line` along `axis`: `far` gets the part beyond the line, `near` the rest. A point
 * on the line belongs to `near`, and to both if the point before it is near too. `far` must not be
 * `piece`. */
static void cut(const Polygon *piece, int axis, float grid_line, Polygon *near, Polygon *far) {
  const float *before = piece->points[piece->count - 1];
  near->count = far->count = 0;
  for (int i = 0; i < piece->count; i++) {
    const float *point = piece->points[i];
    const float delta = grid_line - point[axis], delta_before = grid_line - before[axis];
    const bool is_same_side = (delta >= 0) == (delta_before >= 0);
    if (!is_same_side) {
      const float share = delta_before / (delta_before - delta);
      float crossing[3];
      for (int k = 0; k < 3; k++) crossing[k] = before[k] + (point[k] - before[k]) * share;
      append(near, crossing);
      append(far, crossing);
    }
    if (is_same_side ? delta >= 0 : delta > 0) append(near, point);
    if (is_same_side ? !(delta > 0) : delta < 0) append(far, point);
    before = point;
  }
}

static WM_NOINLINE void find_range(const Polygon *polygon, int axis, float *minimum, float *maximum) {
  *minimum = *maximum = polygon->points[0][axis];
  for (int i = 1; i < polygon->count; i++) {
    const float value = polygon->points[i][axis];
    if (value < *minimum) *minimum = value;
    if (value > *maximum) *maximum = value;
  }
}

/* Cuts a part at the grid lines of rows (axis 2), and each row's part at those of columns (axis 0, row
 * `z`). */
/* NOLINTNEXTLINE(misc-no-recursion): once: rows, and then the columns of each */
static void clip(WmFootprint *footprint, const Polygon *piece, int axis, int32_t z) {
  const WmRasterGrid *grid = footprint->grid;
  const int32_t first = footprint->first[axis];
  float low, high;
  find_range(piece, axis, &low, &high);
  if (axis && (high < grid->origin[2] || low > grid->end[2])) return;
  /* A part that begins beyond the columns isn't in the last column; one that begins beyond the rows is in
   * the last row. */
  int32_t k = wm_raster_cell(grid, axis, low, grid->count[axis] - (axis != 0));
  const int32_t last = wm_raster_cell(grid, axis, high, footprint->last[axis]);
  if (k == 0 && footprint->cut_edges) k = -1;
  Polygon pieces[2], near;
  for (int turn = 0; k <= last && piece->count >= 3; k++, turn ^= 1) {
    cut(piece, axis, wm_raster_grid_line(grid, axis, k), &near, &pieces[turn]);
    piece = &pieces[turn];
    if (k < first || near.count < 3) continue;
    if (axis) {
      clip(footprint, &near, 0, k);
    } else {
      find_range(&near, 1, &low, &high);
      wm_raster_widen_cell(footprint, k, z, low, high, footprint->is_flat ? high : -INFINITY);
    }
  }
}

void wm_raster_clip_triangle(WmFootprint *footprint, const float *const corners[3]) {
  Polygon triangle = {.count = 0};
  for (int i = 0; i < 3; i++) append(&triangle, corners[i]);
  clip(footprint, &triangle, 2, 0);
}
