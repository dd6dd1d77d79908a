/* Triangles to runs by cutting polygons: the rule itself.
 *
 * in: one triangle; out: for each row it reaches the lowest and highest point in each cell. The triangle is
 * cut at the limit of its first row; the far piece is cut at the next limit, and so on; each row's piece is
 * cut likewise at the limits of columns. A crossing is interpolated on the piece at hand, so rounding
 * depends on all cuts before: no plane equation gives the same bits.
 *
 * Nothing is assumed about the coordinates: with cells as small as the spacing of floats the pieces
 * may be odd, but every loop and every array is bounded. The common case goes through
 * rasterize_triangles.c, which gives the same results faster; hulls of solids and triangles with huge
 * coordinates come here. Source: I. Sutherland, G. Hodgman, "Reentrant Polygon Clipping" (1974), in the form
 * of M. Mononen, Recast Navigation (2009-). */
#include <math.h>
#include <string.h>

#include "bake/rasterize_internal.h"

/* A convex piece has at most 7 points and a few repeated ones. Rounding can make more only where cells are
 * smaller than the spacing of floats; what does not fit is dropped. */
enum { MAX_POINTS = 24 };

typedef struct Polygon {
  int count;
  float points[MAX_POINTS][3];
} Polygon;

static __attribute__((noinline)) void append(Polygon *polygon, const float point[3]) {
  if (polygon->count < MAX_POINTS) memcpy(polygon->points[polygon->count++], point, 3 * sizeof(float));
}

/* Cuts `piece` at `limit` along `axis`. `far` keeps what lies beyond the limit, `near` the rest; a point on
 * the limit belongs to `near`, and to both where its predecessor is near too. `far` must not be `piece`. */
static void cut(const Polygon *piece, int axis, float limit, Polygon *near, Polygon *far) {
  float delta[MAX_POINTS];
  for (int i = 0; i < piece->count; i++) delta[i] = limit - piece->points[i][axis];
  near->count = far->count = 0;
  for (int i = 0, j = piece->count - 1; i < piece->count; j = i++) {
    const float *point = piece->points[i], *before = piece->points[j];
    const bool is_same_side = (delta[i] >= 0) == (delta[j] >= 0);
    if (!is_same_side) {
      const float share = delta[j] / (delta[j] - delta[i]);
      float crossing[3];
      for (int k = 0; k < 3; k++) crossing[k] = before[k] + (point[k] - before[k]) * share;
      append(near, crossing);
      append(far, crossing);
    }
    if (is_same_side ? delta[i] >= 0 : delta[i] > 0) append(near, point);
    if (is_same_side ? !(delta[i] > 0) : delta[i] < 0) append(far, point);
  }
}

static void find_range(const Polygon *polygon, int axis, float *minimum, float *maximum) {
  *minimum = *maximum = polygon->points[0][axis];
  for (int i = 1; i < polygon->count; i++) {
    const float value = polygon->points[i][axis];
    if (value < *minimum) *minimum = value;
    if (value > *maximum) *maximum = value;
  }
}

/* Cuts one row's piece into cells; returns how many cells from *first on were filled. */
static int32_t cut_row(const WmRasterGrid *grid, const Polygon *row, bool cut_edge, int32_t *first,
                       float *minimum, float *maximum) {
  float low, high;
  find_range(row, 0, &low, &high);
  int32_t x = wm_raster_cell(grid, 0, low, grid->width), last = wm_raster_cell(grid, 0, high, grid->width);
  if (last < 0 || x >= grid->width) return 0;
  if (last > grid->width - 1) last = grid->width - 1;
  if (x == 0 && cut_edge) x = -1;
  *first = x > 0 ? x : 0;
  Polygon pieces[2], cell;
  const Polygon *remaining = row;
  int32_t end = *first;
  for (int turn = 0; x <= last && remaining->count >= 3; x++, turn ^= 1) {
    cut(remaining, 0, wm_raster_limit(grid, 0, x), &cell, &pieces[turn]);
    remaining = &pieces[turn];
    if (x < 0) continue;
    minimum[x - *first] = INFINITY;
    maximum[x - *first] = -INFINITY;
    if (cell.count >= 3) find_range(&cell, 1, &minimum[x - *first], &maximum[x - *first]);
    end = x + 1;
  }
  return end - *first;
}

void wm_raster_clip_triangle(const WmRasterGrid *grid, const float *const corners[3], int32_t row_first,
                             int32_t row_last, bool cut_edges, float *minimum, float *maximum, WmRowSink sink,
                             void *user) {
  Polygon pieces[2], row;
  pieces[1].count = 3;
  for (int i = 0; i < 3; i++) memcpy(pieces[1].points[i], corners[i], 3 * sizeof(float));
  const Polygon *remaining = &pieces[1];
  int turn = 0;
  for (int32_t z = row_first == 0 && cut_edges ? -1 : row_first; z <= row_last && remaining->count >= 3;
       z++, turn ^= 1) {
    cut(remaining, 2, wm_raster_limit(grid, 2, z), &row, &pieces[turn]);
    remaining = &pieces[turn];
    if (z < 0 || row.count < 3) continue;
    int32_t first = 0;
    const int32_t count = cut_row(grid, &row, cut_edges, &first, minimum, maximum);
    if (count > 0) sink(user, z, first, count, minimum, maximum);
  }
}
