/* The lines of facing.h. Most triangles are small, and their boxes hold no line. */
#include <math.h>
#include <string.h>

#include "bake/input/facing.h"
#include "base/simd.h"
#include "base/sort.h"

/* Lines on each side of the bounds; each lies at an irregular place in its cell, so that few meet edges. */
enum { SIDE = 16, LINES = SIDE * SIDE, MOST_HITS = 1 << 18 };

/* Irregular places in the unit square: multiples of the plastic number's inverse and its square, modulo 1. */
static const double FIRST = 0.7548776662466927, SECOND = 0.5698402909980532;

/* The lines along an axis, and the highest and lowest triangle on each: 1 if it faces along the axis, else -1; 0 if
 * there is none. */
typedef struct Lines {
  double across[2][LINES]; /* places on the next axis, and the one after it */
  float places[LINES][4];  /* the same, rounded, in the lanes of these axes; the others are 0 */
  double lowest[LINES], highest[LINES];
  int32_t lowest_sign[LINES], highest_sign[LINES];
} Lines;

typedef struct Bounds {
  WmFloat4 low, high;
} Bounds;

/* A triangle on a line; `sign` as above. */
typedef void (*Meet)(void *target, int axis, uint32_t line, double height, int sign);

/* ---- Triangles ----------------------------------------------------------------------------------------- */

/* Loads the corners of a triangle; false if there is no such vertex. */
static inline bool load_corners(const WmTriangles *triangles, size_t triangle, WmFloat4 corners[3]) {
  const uint32_t *index = triangles->indices + 3 * triangle;
  for (int k = 0; k < 3; k++) {
    if (index[k] >= triangles->vertex_count) return false;
    const float *p = triangles->positions + triangles->position_stride * (size_t)index[k];
    corners[k] = (WmFloat4){p[0], p[1], p[2], 0};
  }
  return true;
}

static inline Bounds bound_triangle(const WmFloat4 corners[3]) {
  return (Bounds){wm_min_float4(wm_min_float4(corners[0], corners[1]), corners[2]),
                  wm_max_float4(wm_max_float4(corners[0], corners[1]), corners[2])};
}

/* The bounds of all triangles; a coordinate that is NaN counts for nothing. */
static WM_NOINLINE Bounds bound_level(const WmTriangles *triangles) {
  Bounds bounds = {wm_splat_float4(INFINITY), wm_splat_float4(-INFINITY)};
  WmFloat4 corners[3];
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    if (!load_corners(triangles, i, corners)) continue;
    for (int k = 0; k < 3; k++) {
      bounds.low = wm_min_float4(corners[k], bounds.low);
      bounds.high = wm_max_float4(corners[k], bounds.high);
    }
  }
  return bounds;
}

/* ---- Lines ----------------------------------------------------------------------------------------------- */

static double place(double value) { return value - floor(value); }

static WM_COLD void place_lines(const Bounds *bounds, int axis, Lines *lines) {
  memset(lines->places, 0, sizeof lines->places);
  memset(lines->lowest_sign, 0, sizeof lines->lowest_sign);
  memset(lines->highest_sign, 0, sizeof lines->highest_sign);
  for (int line = 0; line < LINES; line++) {
    const int column = line % SIDE, row = line / SIDE;
    const double places[2] = {column + place(column * FIRST + row * SECOND + 0.37),
                              row + place(column * SECOND + row * FIRST + 0.71)};
    for (int k = 0; k < 2; k++) {
      const int other = (axis + 1 + k) % 3;
      const double low = (double)bounds->low[other], high = (double)bounds->high[other];
      lines->across[k][line] = low + places[k] * ((high - low) / SIDE);
      lines->places[line][other] = (float)lines->across[k][line];
    }
    lines->lowest[line] = INFINITY;
    lines->highest[line] = -INFINITY;
  }
}

/* A triangle as seen along an axis: a corner, the edges from there, and twice the area between them. */
typedef struct View {
  double x, y, ux, uy, vx, vy, area;
} View;

static inline View view_triangle(float corners[3][4], int b, int c) {
  View view = {.x = (double)corners[0][b], .y = (double)corners[0][c]};
  view.ux = (double)corners[1][b] - view.x, view.uy = (double)corners[1][c] - view.y;
  view.vx = (double)corners[2][b] - view.x, view.vy = (double)corners[2][c] - view.y;
  view.area = view.ux * view.vy - view.uy * view.vx;
  return view;
}

/* Meets the triangle on a line at x, y, unless the line passes it. */
static void cross_line(float corners[3][4], double x, double y, int axis, uint32_t line, Meet meet,
                       void *target) {
  const View view = view_triangle(corners, (axis + 1) % 3, (axis + 2) % 3);
  const double dx = x - view.x, dy = y - view.y, area = view.area;
  const double u = dx * view.vy - dy * view.vx, v = view.ux * dy - view.uy * dx; /* times the area */
  const bool is_inside = area > 0 ? u >= 0 && v >= 0 && u + v < area : u <= 0 && v <= 0 && u + v > area;
  if (!is_inside) return; /* as if the area is 0 */
  const double height = (double)corners[0][axis];
  const double rise = u * ((double)corners[1][axis] - height) + v * ((double)corners[2][axis] - height);
  meet(target, axis, line, height + rise / area, area > 0 ? 1 : -1);
}

/* Cells of a point, from 0 on; NaN gives 0. */
static inline WmInt4 find_cells(const Bounds *bounds, WmFloat4 scale, WmFloat4 point) {
  const WmFloat4 cells = wm_max_float4((point - bounds->low) * scale, wm_splat_float4(0));
  return wm_floor_biased_float4(wm_min_float4(cells, wm_splat_float4(SIDE - 1))) - WM_WHOLE_BIAS;
}

/* False if a line passes a box, also after rounding: numbers that are rounded to the nearest float keep their order. */
static inline bool may_meet(const Lines *lines, int axis, int32_t line, const Bounds *box) {
  const WmFloat4 place = wm_load_float4(lines->places[line]);
  const int lanes = wm_mask_int4((WmInt4)(place >= box->low) & (WmInt4)(place <= box->high));
  return (lanes | 1 << axis | 8) == 15;
}

/* Meets a triangle on a line along an axis. */
static WM_NOINLINE void meet_line(const Lines *lines, int axis, int32_t line, const WmFloat4 corners[3],
                                  const Bounds *box, Meet meet, void *target) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  const double x = lines->across[0][line], y = lines->across[1][line];
  float points[3][4], low[4], high[4];
  memcpy(points, corners, sizeof points);
  memcpy(low, &box->low, sizeof low);
  memcpy(high, &box->high, sizeof high);
  if (x >= (double)low[b] && x <= (double)high[b] && y >= (double)low[c] && y <= (double)high[c])
    cross_line(points, x, y, axis, (uint32_t)line, meet, target);
}

/* Meets all triangles on the lines along the axes first_axis..last_axis. */
static void trace_lines(const WmTriangles *triangles, const Bounds *bounds, const Lines *lines,
                        int first_axis, int last_axis, Meet meet, void *target) {
  const Bounds level = *bounds;
  /* Opaque, since compilers would otherwise repeat the division for each triangle. */
  const WmFloat4 scale =
      (WmFloat4)wm_opaque_mask_int4((WmInt4)(wm_splat_float4(SIDE) / (level.high - level.low)));
  WmFloat4 corners[3];
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    if (!load_corners(triangles, i, corners)) continue;
    const Bounds box = bound_triangle(corners);
    /* The cells of the box: of x and y after the last axis, for the axes that follow it. */
    int32_t first[8], last[8];
    wm_store_int4(first, find_cells(&level, scale, box.low));
    wm_store_int4(last, find_cells(&level, scale, box.high));
    for (int k = 0; k < 2; k++) first[3 + k] = first[k], last[3 + k] = last[k];
    for (int axis = first_axis; axis <= last_axis; axis++) {
      const Lines *along = &lines[axis - first_axis];
      for (int32_t row = first[axis + 2]; row <= last[axis + 2]; row++) {
        for (int32_t line = row * SIDE + first[axis + 1]; line <= row * SIDE + last[axis + 1]; line++) {
          if (may_meet(along, axis, line, &box)) meet_line(along, axis, line, corners, &box, meet, target);
        }
      }
    }
  }
}

/* ---- Open lines -------------------------------------------------------------------------------------------- */

static void meet_line_ends(Lines *lines, uint32_t line, double height, int sign) {
  if (height < lines->lowest[line]) {
    lines->lowest[line] = height;
    lines->lowest_sign[line] = sign;
  }
  if (height > lines->highest[line]) {
    lines->highest[line] = height;
    lines->highest_sign[line] = sign;
  }
}

static void meet_ends(void *target, int axis, uint32_t line, double height, int sign) {
  meet_line_ends((Lines *)target + axis, line, height, sign);
}

static void meet_ends_upwards(void *target, int axis, uint32_t line, double height, int sign) {
  (void)axis;
  meet_line_ends(target, line, height, sign);
}

WmStatus wm_find_facing_lines(WmContext *context, const WmTriangles *triangles, WmFacingLines *found) {
  *found = (WmFacingLines){0};
  const WmScratchMark mark = wm_scratch_mark(context);
  Lines *lines = wm_scratch_array(context, 3, sizeof *lines);
  if (!lines) return WM_ERROR_OUT_OF_MEMORY;
  const Bounds bounds = bound_level(triangles);
  for (int axis = 0; axis < 3; axis++) place_lines(&bounds, axis, &lines[axis]);
  trace_lines(triangles, &bounds, lines, 0, 2, meet_ends, lines);
  for (int axis = 0; axis < 3; axis++) {
    int met = 0, open = 0, rooms = 0;
    for (int line = 0; line < LINES; line++) {
      const int lowest = lines[axis].lowest_sign[line], highest = lines[axis].highest_sign[line];
      met += lowest != 0;
      open += lowest == highest ? lowest : 0;
      rooms += lowest > 0 && highest < 0;
    }
    if (met == 0) continue;
    found->open[axis] = (double)open / met;
    found->rooms[axis] = (double)rooms / met;
  }
  wm_scratch_rewind(context, mark);
  return WM_OK;
}

WmStatus wm_find_turned_ground(WmContext *context, const WmTriangles *triangles, double *share) {
  *share = 0;
  const WmScratchMark mark = wm_scratch_mark(context);
  Lines *lines = wm_scratch_array(context, 1, sizeof *lines);
  if (!lines) return WM_ERROR_OUT_OF_MEMORY;
  const Bounds bounds = bound_level(triangles);
  place_lines(&bounds, 1, lines);
  trace_lines(triangles, &bounds, lines, 1, 1, meet_ends_upwards, lines);
  int open = 0, turned = 0;
  for (int line = 0; line < LINES; line++) {
    const int sign = lines->lowest_sign[line];
    if (sign != lines->highest_sign[line]) continue;
    open += sign > 0;
    turned += sign < 0;
  }
  if (turned > 0) *share = (double)turned / (open + turned);
  wm_scratch_rewind(context, mark);
  return WM_OK;
}

/* ---- Gaps -------------------------------------------------------------------------------------------------- */

/* Triangles on lines upwards, in their order: the line, and a number in the order of heights, of which the last bit
 * is set if the triangle faces up. */
typedef struct Hits {
  WmContext *context;
  WmSortItem *items;      /* [capacity] of scratch memory; NULL without memory */
  size_t count, capacity; /* the number of all, and of those that are stored at most */
} Hits;

enum { FIRST_HITS = 1 << 10 };

static uint32_t key_of(double height, int sign) {
  const float rounded = (float)height;
  uint32_t bits;
  memcpy(&bits, &rounded, sizeof bits);
  bits ^= bits >> 31 ? UINT32_MAX : UINT32_C(1) << 31;
  return (bits & ~UINT32_C(1)) | (sign > 0);
}

static double height_of(uint32_t key) {
  const uint32_t bits = (key & ~UINT32_C(1)) ^ (key >> 31 ? UINT32_C(1) << 31 : UINT32_MAX);
  float height;
  memcpy(&height, &bits, sizeof height);
  return (double)height;
}

static void meet_hits(void *target, int axis, uint32_t line, double height, int sign) {
  (void)axis;
  Hits *hits = target;
  if (hits->count == hits->capacity && hits->items && hits->capacity < MOST_HITS) {
    const size_t capacity = 2 * hits->capacity;
    hits->items = wm_scratch_grow(hits->context, hits->items, hits->capacity, capacity, sizeof *hits->items);
    hits->capacity = capacity;
  }
  if (hits->items && hits->count < hits->capacity)
    hits->items[hits->count] = (WmSortItem){line, key_of(height, sign)};
  hits->count++;
}

/* Sorts by height, and then by line: items hold the line as their value then. */
static void sort_hits(Hits *hits, WmSortItem *scratch) {
  for (int turn = 0; turn < 2; turn++) {
    for (size_t i = 0; i < hits->count; i++)
      hits->items[i] = (WmSortItem){hits->items[i].value, hits->items[i].key};
    wm_sort_stable(hits->items, scratch, hits->count);
  }
  for (size_t i = 0; i < hits->count; i++)
    hits->items[i] = (WmSortItem){hits->items[i].value, hits->items[i].key};
}

/* Sums up the gaps between sorted triangles of lines. */
static void add_gaps(const WmSortItem *items, size_t count, WmFacingGaps *gaps) {
  for (size_t i = 1; i < count; i++) {
    if (items[i].value != items[i - 1].value) continue;
    const uint32_t below = items[i - 1].key, above = items[i].key;
    const double length = height_of(above) - height_of(below);
    if ((below & 1) > (above & 1)) gaps->air += length;
    if ((below & 1) < (above & 1)) gaps->solid += length;
  }
}

WmStatus wm_measure_facing_gaps(WmContext *context, const WmTriangles *triangles, WmFacingGaps *gaps) {
  *gaps = (WmFacingGaps){0};
  const WmScratchMark mark = wm_scratch_mark(context);
  Lines *lines = wm_scratch_array(context, 1, sizeof *lines);
  if (!lines) return WM_ERROR_OUT_OF_MEMORY;
  const Bounds bounds = bound_level(triangles);
  Hits hits = {.context = context, .capacity = FIRST_HITS};
  hits.items = wm_scratch_array(context, hits.capacity, sizeof *hits.items);
  place_lines(&bounds, 1, lines);
  trace_lines(triangles, &bounds, lines, 1, 1, meet_hits, &hits);
  WmStatus status = hits.items ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (!status && hits.count <= MOST_HITS) {
    WmSortItem *scratch = wm_scratch_array(context, hits.count, sizeof *scratch);
    if (!scratch) status = WM_ERROR_OUT_OF_MEMORY;
    if (!status) {
      sort_hits(&hits, scratch);
      add_gaps(hits.items, hits.count, gaps);
    }
  }
  wm_scratch_rewind(context, mark);
  return status;
}
