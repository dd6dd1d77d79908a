/* A uniform grid over segments of the x-z plane: which of them may touch a given segment or triangle?
 *
 * A segment is entered into every cell it touches, a query visits every cell its own segment touches, so any
 * two that have a point in common meet in the cell of that point. Answers are therefore a superset of the
 * segments wanted, some perhaps several times; the caller's exact test decides. Segments are numbers of the
 * caller's; nothing is ever taken out: the caller skips what is gone. Memory is scratch memory of the
 * context. Cost: memory O(segments); a short query visits a handful of cells. */
#ifndef WALKMESH_BAKE_SEGMENT_GRID_H
#define WALKMESH_BAKE_SEGMENT_GRID_H

#include "bake/planar.h"
#include "base/context.h"

#define WM_GRID_END UINT32_MAX

typedef struct WmSegmentGrid {
  WmPlanarPoint origin;
  int32_t shift; /* cells are 1 << shift wide */
  int32_t columns, rows;
  uint32_t *cell_newest;   /* [columns * rows] newest entry of the cell, or WM_GRID_END */
  uint32_t *entry_segment; /* [entry_capacity] */
  uint32_t *entry_next;    /* [entry_capacity] */
  uint32_t entry_count, entry_capacity;
} WmSegmentGrid;

/* Prepares an empty grid for about `count` segments within `least`..`most` (both may be touched) whose
 * extents on x and z add up to `length`. Later points must lie within the same bounds. */
WmStatus wm_segment_grid_start(WmContext *context, WmPlanarPoint least, WmPlanarPoint most, size_t count,
                               uint64_t length, WmSegmentGrid *grid);

WmStatus wm_segment_grid_add(WmContext *context, WmSegmentGrid *grid, WmPlanarPoint a, WmPlanarPoint b,
                             uint32_t segment);

static inline int32_t wm_segment_grid_row(const WmSegmentGrid *grid, int32_t z) {
  return (z - grid->origin.z) >> grid->shift;
}
static inline int32_t wm_segment_grid_column(const WmSegmentGrid *grid, int32_t x) {
  return (x - grid->origin.x) >> grid->shift;
}

typedef struct WmColumnRange {
  int32_t first, last;
} WmColumnRange;

/* The columns that the segment ab touches in a row; the row must be one the segment reaches. */
static inline WmColumnRange wm_segment_grid_columns(const WmSegmentGrid *grid, WmPlanarPoint a,
                                                    WmPlanarPoint b, int32_t row) {
  const int32_t least = a.x < b.x ? a.x : b.x, most = a.x < b.x ? b.x : a.x;
  int32_t from = least, to = most;
  const int32_t top = a.z < b.z ? a.z : b.z, bottom = a.z < b.z ? b.z : a.z;
  if (wm_segment_grid_row(grid, top) != wm_segment_grid_row(grid, bottom) && least != most) {
    /* Doubles are exact to far less than the margin of 1/64 (coordinates have 17 bits), and a point in the
     * margin at worst adds a cell. */
    const int32_t row_top = grid->origin.z + (row << grid->shift), row_bottom = row_top + (1 << grid->shift);
    const int32_t z0 = row_top > top ? row_top : top, z1 = row_bottom < bottom ? row_bottom : bottom;
    const double slope = (double)(b.x - a.x) / (double)(b.z - a.z);
    const double x0 = (double)a.x + slope * (double)(z0 - a.z);
    const double x1 = (double)a.x + slope * (double)(z1 - a.z);
    const double left = (x0 < x1 ? x0 : x1) - 0.015625, right = (x0 < x1 ? x1 : x0) + 0.015625;
    if (left > (double)least) from = left < (double)most ? least + (int32_t)(left - (double)least) : most;
    if (right < (double)most) to = right > (double)least ? least + (int32_t)(right - (double)least) : least;
  }
  return (WmColumnRange){wm_segment_grid_column(grid, from), wm_segment_grid_column(grid, to)};
}

/* Answers whether to stop the visit. */
typedef bool (*WmSegmentTest)(void *user, uint32_t segment);

static inline bool wm_segment_grid_visit_row(const WmSegmentGrid *grid, int32_t row, WmColumnRange range,
                                             WmSegmentTest test, void *user) {
  const uint32_t *cells = grid->cell_newest + (size_t)row * (size_t)grid->columns;
  for (int32_t column = range.first; column <= range.last; column++) {
    for (uint32_t entry = cells[column]; entry != WM_GRID_END; entry = grid->entry_next[entry]) {
      if (test(user, grid->entry_segment[entry])) return true;
    }
  }
  return false;
}

/* Shows `test` every segment that may touch ab until it answers true; returns whether it did. */
static inline bool wm_segment_grid_visit(const WmSegmentGrid *grid, WmPlanarPoint a, WmPlanarPoint b,
                                         WmSegmentTest test, void *user) {
  const int32_t row_a = wm_segment_grid_row(grid, a.z), row_b = wm_segment_grid_row(grid, b.z);
  const int32_t last = row_a < row_b ? row_b : row_a;
  for (int32_t row = row_a < row_b ? row_a : row_b; row <= last; row++) {
    if (wm_segment_grid_visit_row(grid, row, wm_segment_grid_columns(grid, a, b, row), test, user))
      return true;
  }
  return false;
}

/* As wm_segment_grid_visit, for every segment that may touch the triangle. */
static inline bool wm_segment_grid_visit_triangle(const WmSegmentGrid *grid, const WmPlanarPoint corners[3],
                                                  WmSegmentTest test, void *user) {
  int32_t rows[3];
  for (int k = 0; k < 3; k++) rows[k] = wm_segment_grid_row(grid, corners[k].z);
  int32_t first = rows[0], last = rows[0];
  for (int k = 1; k < 3; k++) {
    if (rows[k] < first) first = rows[k];
    if (rows[k] > last) last = rows[k];
  }
  for (int32_t row = first; row <= last; row++) {
    WmColumnRange range = {INT32_MAX, INT32_MIN};
    for (int k = 0; k < 3; k++) {
      const int other = k == 2 ? 0 : k + 1;
      if ((rows[k] < row && rows[other] < row) || (rows[k] > row && rows[other] > row)) continue;
      const WmColumnRange edge = wm_segment_grid_columns(grid, corners[k], corners[other], row);
      if (edge.first < range.first) range.first = edge.first;
      if (edge.last > range.last) range.last = edge.last;
    }
    if (wm_segment_grid_visit_row(grid, row, range, test, user)) return true;
  }
  return false;
}

#endif
