/* The rule of rasterization in its simplest form: cut, quantize, insert. Slow. */
#ifndef WALKMESH_TESTS_RASTERIZE_ORACLE_H
#define WALKMESH_TESTS_RASTERIZE_ORACLE_H

#include <math.h>

#include "bake/stages.h"
#include "check.h"

typedef struct OraclePolygon {
  int count;
  float points[64][3];
} OraclePolygon;

typedef struct OracleColumn {
  int count, capacity;
  uint32_t (*spans)[3]; /* low, high, area */
} OracleColumn;

static inline void oracle_put(OraclePolygon *polygon, const float *point) {
  if (polygon->count < 24) memcpy(polygon->points[polygon->count++], point, 12);
}

static inline void oracle_cut(const OraclePolygon *in, int axis, float limit, OraclePolygon *near,
                              OraclePolygon *far) {
  near->count = far->count = 0;
  for (int i = 0; i < in->count; i++) {
    const float *a = in->points[i], *b = in->points[(i + in->count - 1) % in->count];
    const float da = limit - a[axis], db = limit - b[axis];
    if ((da >= 0) != (db >= 0)) {
      const float s = db / (db - da);
      const float crossing[3] = {b[0] + (a[0] - b[0]) * s, b[1] + (a[1] - b[1]) * s,
                                 b[2] + (a[2] - b[2]) * s};
      oracle_put(near, crossing);
      oracle_put(far, crossing);
      if (da > 0) oracle_put(near, a);
      if (da < 0) oracle_put(far, a);
    } else if (da >= 0) {
      oracle_put(near, a);
      if (da == 0) oracle_put(far, a);
    } else {
      oracle_put(far, a);
    }
  }
}

static inline void oracle_range(const OraclePolygon *polygon, int axis, float *low, float *high) {
  *low = *high = polygon->points[0][axis];
  for (int i = 1; i < polygon->count; i++) {
    if (polygon->points[i][axis] < *low) *low = polygon->points[i][axis];
    if (polygon->points[i][axis] > *high) *high = polygon->points[i][axis];
  }
}

/* floor(x) limited to [low, high]. */
static inline int32_t oracle_int(float x, int32_t low, int32_t high) {
  return !(x > (float)low) ? low : x >= (float)high ? high : (int32_t)x;
}

static inline void oracle_insert(OracleColumn *column, uint32_t low, uint32_t high, uint32_t area,
                                 int32_t climb) {
  int at = 0;
  while (at < column->count && column->spans[at][1] < low) at++;
  while (at < column->count && column->spans[at][0] <= high) {
    const uint32_t *other = column->spans[at];
    if (other[0] < low) low = other[0];
    if (other[1] > high) high = other[1];
    if ((int32_t)(high - other[1]) <= climb && other[2] > area) area = other[2];
    column->count--;
    memmove(column->spans + at, column->spans + at + 1, sizeof *column->spans * (size_t)(column->count - at));
  }
  if (column->count == column->capacity) {
    column->capacity = 2 * column->capacity + 2;
    column->spans = realloc(column->spans, sizeof *column->spans * (size_t)column->capacity);
  }
  memmove(column->spans + at + 1, column->spans + at, sizeof *column->spans * (size_t)(column->count - at));
  column->count++;
  column->spans[at][0] = low, column->spans[at][1] = high, column->spans[at][2] = area;
}

static inline void oracle_triangle(const WmGrid *grid, OracleColumn *columns, const float *const corner[3],
                                   uint32_t area, int32_t climb) {
  const float ics = 1.0f / grid->cell_size, ich = 1.0f / grid->cell_height;
  const float top = grid->bounds_max[1] - grid->bounds_min[1];
  OraclePolygon remaining = {3, {{0}}}, row, cell, rest;
  for (int i = 0; i < 3; i++) memcpy(remaining.points[i], corner[i], 12);
  for (int axis = 0; axis < 3; axis++) {
    float low, high;
    oracle_range(&remaining, axis, &low, &high);
    if (low > grid->bounds_max[axis] || high < grid->bounds_min[axis]) return;
  }
  float z_low, z_high;
  oracle_range(&remaining, 2, &z_low, &z_high);
  int32_t z = oracle_int((z_low - grid->bounds_min[2]) * ics, -1, grid->depth - 1);
  const int32_t z_last = oracle_int((z_high - grid->bounds_min[2]) * ics, 0, grid->depth - 1);
  for (; z <= z_last; z++) {
    oracle_cut(&remaining, 2, (grid->bounds_min[2] + (float)z * grid->cell_size) + grid->cell_size, &row,
               &rest);
    remaining = rest;
    if (row.count < 3 || z < 0) continue;
    float x_low, x_high;
    oracle_range(&row, 0, &x_low, &x_high);
    x_low = (x_low - grid->bounds_min[0]) * ics;
    x_high = (x_high - grid->bounds_min[0]) * ics;
    if (x_high <= -1.0f || x_low >= (float)grid->width) continue;
    const int32_t x_last = oracle_int(x_high, 0, grid->width - 1);
    for (int32_t x = oracle_int(x_low, -1, grid->width - 1); x <= x_last; x++) {
      oracle_cut(&row, 0, (grid->bounds_min[0] + (float)x * grid->cell_size) + grid->cell_size, &cell, &rest);
      row = rest;
      if (cell.count < 3 || x < 0) continue;
      float a, b;
      oracle_range(&cell, 1, &a, &b);
      a -= grid->bounds_min[1];
      b -= grid->bounds_min[1];
      if (b < 0 || a > top) continue;
      if (a < 0) a = 0;
      if (b > top) b = top;
      const int32_t low = oracle_int(floorf(a * ich), 0, WM_SPAN_HEIGHT_LIMIT - 1);
      const int32_t high = oracle_int(ceilf(b * ich), low + 1, WM_SPAN_HEIGHT_LIMIT);
      oracle_insert(&columns[x + z * grid->width], (uint32_t)low, (uint32_t)high, area, climb);
    }
  }
}

static inline OracleColumn *oracle_rasterize(const WmGrid *grid, int32_t climb, const WmTriangles *triangles,
                                             const uint8_t *areas) {
  OracleColumn *columns = calloc((size_t)grid->width * (size_t)grid->depth, sizeof *columns);
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    const float *corners[3];
    for (size_t k = 0; k < 3; k++) {
      corners[k] = triangles->positions + triangles->position_stride * triangles->indices[3 * i + k];
    }
    oracle_triangle(grid, columns, corners, areas[i], climb);
  }
  return columns;
}

/* Returns the number of cells that differ; frees the columns. */
static inline size_t oracle_differences(const WmHeightfield *field, OracleColumn *columns) {
  const size_t cells = (size_t)field->grid.width * (size_t)field->grid.depth;
  size_t differences = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t first = field->cell_first[cell], count = field->cell_first[cell + 1] - first;
    bool equal = count == (uint32_t)columns[cell].count;
    for (uint32_t i = 0; i < count && equal; i++) {
      const uint32_t *span = columns[cell].spans[i];
      equal = field->span_min[first + i] == span[0] && field->span_max[first + i] == span[1] &&
              field->span_area[first + i] == span[2];
    }
    differences += !equal;
    free(columns[cell].spans);
  }
  free(columns);
  return differences;
}

#endif
