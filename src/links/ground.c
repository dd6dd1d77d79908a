/* Ground: the gaps on whose floor polygons of the mesh lie. See links_internal.h.
 *
 * The detail triangles of polygons are scanned row by row: a cell is covered if its centre is. */
#include <math.h>
#include <string.h>

#include "base/debug/assert.h"
#include "base/sort.h"
#include "links/gap_lanes.h"
#include "links/links_internal.h"
#include "links/surface_stamps.h"
#include "mesh/locate.h"

/* Cell heights by which the mesh may differ from floors, besides the climb: its heights are those of voxels, raised by one. */
#define HEIGHT_SLACK 2.0f

/* Cell heights by which a plane's heights are rounded, at most, if none of its terms exceeds PLANE_LIMIT. */
#define NEAR_MARGIN 0.05f
#define PLANE_LIMIT 1e5f

/* fminf and fmaxf are calls in WebAssembly. */
static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

typedef struct GroundGrid {
  WmUnpackedAir *air;
  int32_t width, depth, squares_wide;
  WmLane rows; /* that are marked */
  float reach; /* how far a floor may lie above or below the mesh */
  float near;  /* no other floor of the column is as near: at most half of the least height of a gap */
} GroundGrid;

static void extend_square(WmGroundSquare *square, uint16_t low, uint16_t high) {
  if (low < square->low) square->low = low;
  if (high > square->high) square->high = high;
}

/* Marks the gap of a cell whose floor is nearest to a height, the higher one of two, if it is near enough. */
WM_INLINE void mark_cell(const GroundGrid *grid, const uint32_t first[2], float height, uint32_t ground,
                         WmGroundSquare *square) {
  const WmUnpackedAir *air = grid->air;
  uint32_t best = UINT32_MAX, above = first[0];
  float least = grid->reach;
  while (above < first[1] && (float)air->gaps[above].floor <= height) above++;
  if (above > first[0]) {
    const float distance = height - (float)air->gaps[above - 1].floor;
    if (distance <= least) {
      least = distance;
      best = above - 1;
    }
  }
  if (above < first[1] && (float)air->gaps[above].floor - height <= least) best = above;
  if (best == UINT32_MAX) return;
  if (!air->ground[best]) air->ground[best] = ground;
  /* Also of a gap that has ground: mark_between may have marked it, and left its square. */
  extend_square(square, air->gaps[best].floor, air->gaps[best].floor);
}

/* Floors of four that lie between two heights.
 * in         count: of those that are asked for */
static inline WmInt4 is_between(WmInt4 floors, int32_t low, int32_t high, uint32_t count) {
  const WmInt4 lanes = {0, 1, 2, 3};
  return (WmInt4)(floors >= wm_splat_int4(low)) & (WmInt4)(floors <= wm_splat_int4(high)) &
         (WmInt4)(lanes < wm_splat_int4((int32_t)count));
}

/* Floors between which a column's nearest one to each of some heights lies, if it has one; both included. */
typedef struct Between {
  int32_t low, high;
} Between;

/* in         low, high: of the heights; not NaN
 * returns    false if there are no such floors */
static bool find_between(const GroundGrid *grid, float low, float high, Between *between) {
  if (!(low > 0 && high < UINT16_MAX)) return false;
  *between = (Between){(int32_t)ceilf(high - grid->near), (int32_t)floorf(low + grid->near)};
  return between->low <= between->high;
}

/* The gaps of some cells of a row whose floors lie between two heights. These are less than the least height of a gap apart, so no
 * column has two. */
typedef struct NearGaps {
  const WmAirGap *gaps; /* [count] of the cells */
  uint32_t *ground;     /* [count] */
  uint32_t count;
  int32_t low, high;
  uint32_t found;
  WmGroundSquare floors; /* of those that were found */
} NearGaps;

/* The sum, the least and the greatest of four lanes. */
static uint32_t sum_lanes(WmInt4 v) {
  v += wm_swap_pairs_int4(v);
  return (uint32_t)(v + wm_swap_halves_int4(v))[0];
}

static uint16_t least_lane(WmInt4 v) {
  v = wm_min_int4(v, wm_swap_pairs_int4(v));
  return (uint16_t)wm_min_int4(v, wm_swap_halves_int4(v))[0];
}

static uint16_t greatest_lane(WmInt4 v) {
  v = wm_max_int4(v, wm_swap_pairs_int4(v));
  return (uint16_t)wm_max_int4(v, wm_swap_halves_int4(v))[0];
}

/* Marks the gaps between the heights, unless they have ground.
 * out        found, floors: also of those that have */
static void mark_near_gaps(NearGaps *near, uint32_t ground) {
  const WmInt4 none = wm_splat_int4(UINT16_MAX), own = wm_splat_int4((int32_t)ground);
  WmInt4 found = wm_splat_int4(0), lowest = none, highest = wm_splat_int4(0);
  for (uint32_t k = 0; k < near->count; k += 4) {
    const WmInt4 floors = wm_floors_of(wm_load_gaps(near->gaps + k));
    const WmInt4 is_found = is_between(floors, near->low, near->high, near->count - k);
    const WmInt4 before = (WmInt4)wm_load_uint4(near->ground + k),
                 is_free = (WmInt4)(before == wm_splat_int4(0));
    wm_store_uint4(near->ground + k, (WmUint4)(before | (own & is_found & is_free)));
    found -= is_found;
    lowest = wm_min_int4(lowest, (floors & is_found) | (none & ~is_found));
    highest = wm_max_int4(highest, floors & is_found);
  }
  near->found = sum_lanes(found);
  near->floors = (WmGroundSquare){least_lane(lowest), greatest_lane(highest)};
}

/* The plane of a triangle: height at a point. */
typedef struct Plane {
  const float *point;
  float slope_x, slope_z;
} Plane;

/* Cells of a row below a triangle. */
typedef struct RowStretch {
  const uint32_t *first;   /* of the row */
  WmGroundSquare *squares; /* of the row */
  int32_t x, end;
  const Plane *plane;
  float aside; /* of the plane's height, of the row */
} RowStretch;

static float find_height(const RowStretch *stretch, int32_t x) {
  const Plane *plane = stretch->plane;
  return plane->point[1] + plane->slope_x * ((float)x + 0.5f - plane->point[0]) + stretch->aside;
}

/* Marks gaps of cells of a row, one of each cell, if all have one between two heights.
 * in         squares: of the row
 * returns    false if some cells have none: gaps of others may be marked then, and their squares aren't extended yet */
static bool mark_between(const GroundGrid *grid, const uint32_t *first, WmGroundSquare *squares, int32_t x,
                         int32_t end, Between between, uint32_t ground) {
  NearGaps near = {.gaps = grid->air->gaps + first[x],
                   .ground = grid->air->ground + first[x],
                   .count = first[end] - first[x],
                   .low = between.low,
                   .high = between.high};
  if (near.count < (uint32_t)(end - x)) return false;
  mark_near_gaps(&near, ground);
  if (near.found != (uint32_t)(end - x)) return false;
  const int32_t square = x >> WM_GROUND_SQUARE_SHIFT, last = (end - 1) >> WM_GROUND_SQUARE_SHIFT;
  for (int32_t i = square; i <= last; i++) extend_square(&squares[i], near.floors.low, near.floors.high);
  return true;
}

/* Marks one gap of each cell of a stretch, if all have one near. */
static bool mark_evenly(const GroundGrid *grid, const RowStretch *stretch, uint32_t ground) {
  const float a = find_height(stretch, stretch->x), b = find_height(stretch, stretch->end - 1);
  const float most = larger(fabsf(stretch->plane->point[1]), fabsf(stretch->aside));
  Between between;
  return most < PLANE_LIMIT && find_between(grid, smaller(a, b), larger(a, b), &between) &&
         mark_between(grid, stretch->first, stretch->squares, stretch->x, stretch->end, between, ground);
}

/* Marks the cells of a stretch: all at once, or square by square, or one by one. */
static void mark_stretch(const GroundGrid *grid, const RowStretch *stretch, uint32_t ground) {
  if (mark_evenly(grid, stretch, ground)) return;
  RowStretch part = *stretch;
  for (; part.x < stretch->end; part.x = part.end) {
    part.end = (part.x | (WM_GROUND_SQUARE - 1)) + 1;
    if (part.end > stretch->end) part.end = stretch->end;
    if (mark_evenly(grid, &part, ground)) continue;
    for (int32_t x = part.x; x < part.end; x++) {
      mark_cell(grid, part.first + x, find_height(&part, x), ground,
                part.squares + (x >> WM_GROUND_SQUARE_SHIFT));
    }
  }
}

/* An edge of a triangle from its lower end on z, for both its triangles, so that rounding leaves no cell between them, however a surface
 * is divided. */
typedef struct Edge {
  float low, high; /* z */
  float x, along_x, along_z;
} Edge;

/* in         corners: [x, y, z] in cells and cell heights of the tile */
static Edge find_edge(const float *from, const float *to) {
  const bool ascends = from[2] < to[2];
  const float *a = ascends ? from : to, *b = ascends ? to : from;
  return (Edge){a[2], b[2], a[0], b[0] - a[0], b[2] - a[2]};
}

enum { ROW_LANES = 4 };

/* Rows of cells between the edges that cross them. */
typedef struct RowCells {
  int32_t first[ROW_LANES], end[ROW_LANES]; /* cells whose centres lie between them, clamped to the grid */
  int32_t crossed[ROW_LANES];               /* edges that cross the row */
} RowCells;

/* The first cells whose centres are at `values` or beyond, clamped to the grid. */
static WmInt4 find_first_centres(WmFloat4 values, int32_t count) {
  const WmFloat4 half = wm_splat_float4(0.5f);
  const WmInt4 is_inside = (WmInt4)(values > half),
               is_beyond = (WmInt4)(values >= wm_splat_float4((float)count));
  const WmFloat4 usable = wm_select_float4(is_inside & ~is_beyond, values, half);
  const WmInt4 cells = wm_truncate_float4(usable - half);
  const WmInt4 first = cells - (WmInt4)(wm_int4_to_float4(cells) + half < usable);
  return wm_select_int4(is_beyond, wm_splat_int4(count), first & is_inside);
}

/* The first cells whose centres are beyond `values`, clamped to the grid. */
static WmInt4 find_ends(WmFloat4 values, int32_t count) {
  const WmFloat4 half = wm_splat_float4(0.5f);
  const WmInt4 is_inside = (WmInt4)(values >= half),
               is_beyond = (WmInt4)(values >= wm_splat_float4((float)count));
  const WmFloat4 usable = wm_select_float4(is_inside & ~is_beyond, values, half);
  const WmInt4 ends = wm_truncate_float4(usable - half) + wm_splat_int4(1), most = wm_splat_int4(count);
  return wm_select_int4(is_beyond, most, wm_min_int4(ends, most) & is_inside);
}

/* Finds the cells of row z and the next ones. Rows at a time: how many edges cross one can't be foretold. */
WM_INLINE void find_rows(const Edge *edges, uint32_t count, int32_t z, int32_t width, RowCells *rows) {
  const WmInt4 lanes = {0, 1, 2, 3};
  const WmFloat4 centre = wm_int4_to_float4(wm_splat_int4(z) + lanes) + wm_splat_float4(0.5f);
  WmFloat4 low = wm_splat_float4(INFINITY), high = wm_splat_float4(-INFINITY);
  WmInt4 crossed = wm_splat_int4(0);
  for (uint32_t k = 0; k < count; k++) {
    const WmFloat4 from = wm_splat_float4(edges[k].low);
    const WmInt4 crosses = (WmInt4)(from <= centre) & ~(WmInt4)(wm_splat_float4(edges[k].high) <= centre);
    const WmFloat4 x =
        wm_splat_float4(edges[k].x) +
        wm_splat_float4(edges[k].along_x) * ((centre - from) / wm_splat_float4(edges[k].along_z));
    low = wm_select_float4(crosses & (WmInt4)(x < low), x, low);
    high = wm_select_float4(crosses & (WmInt4)(x > high), x, high);
    crossed -= crosses;
  }
  wm_store_int4(rows->first, find_first_centres(low, width));
  wm_store_int4(rows->end, find_ends(high, width));
  wm_store_int4(rows->crossed, crossed);
}

/* The first row whose centres are at `value` or beyond, clamped to the grid. */
static int32_t find_first_row(float value, int32_t count) {
  if (!(value > 0.5f)) return 0;
  if (value >= (float)count) return count;
  const int32_t row = (int32_t)(value - 0.5f);
  return (float)row + 0.5f < value ? row + 1 : row;
}

/* The first row to be marked whose centres are at `value` or beyond. */
static int32_t find_marked_row(const GroundGrid *grid, float value) {
  const int32_t row = find_first_row(value, grid->rows.high);
  return row > grid->rows.low ? row : grid->rows.low;
}

static void mark_triangle(const GroundGrid *grid, const float corners[3][3], uint32_t ground) {
  const float *a = corners[0], *b = corners[1], *c = corners[2];
  const float ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
              ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const float area = ab[0] * ac[2] - ab[2] * ac[0];
  if (!(fabsf(area) > 1e-6f)) return;
  const float slope_x = (ab[1] * ac[2] - ab[2] * ac[1]) / area,
              slope_z = (ab[0] * ac[1] - ab[1] * ac[0]) / area;
  const float low = smaller(smaller(a[2], b[2]), c[2]), high = larger(larger(a[2], b[2]), c[2]);
  const Plane plane = {a, slope_x, slope_z};
  Edge edges[3];
  for (int k = 0, from = 2; k < 3; from = k++) edges[k] = find_edge(corners[from], corners[k]);
  RowCells rows;
  int lane = ROW_LANES;
  for (int32_t z = find_marked_row(grid, low); z < grid->rows.high && (float)z + 0.5f <= high; z++, lane++) {
    if (lane == ROW_LANES) {
      find_rows(edges, 3, z, grid->width, &rows);
      lane = 0;
    }
    if (rows.first[lane] >= rows.end[lane]) continue;
    const RowStretch stretch = {
        .first = grid->air->cell_first + (size_t)z * (size_t)grid->width,
        .squares = grid->air->squares + (z >> WM_GROUND_SQUARE_SHIFT) * grid->squares_wide,
        .x = rows.first[lane],
        .end = rows.end[lane],
        .plane = &plane,
        .aside = slope_z * ((float)z + 0.5f - a[2])};
    mark_stretch(grid, &stretch, ground);
  }
}

/* A polygon whose triangles are marked at once, row by row: no vertex but its own, and none of the triangles is nearly a line, so that
 * the cells between its edges are those of its triangles. */
typedef struct Outline {
  float corners[WM_TILE_VERTICES_PER_POLYGON][3]; /* [count] */
  uint32_t count;
} Outline;

/* Twice the area of a triangle, with a sign. */
static float find_area(const float *a, const float *b, const float *c) {
  return (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
}

/* Triangles of at least a cell, and with angles that rounding can't change: cells, and cells for each cell of their extent squared. */
#define LEAST_AREA 0.5f
#define LEAST_SLANT 0.02f

static bool is_broad(const float *a, const float *b, const float *c, float area) {
  float squared = 0;
  for (int axis = 0; axis < 3; axis += 2) {
    const float extent =
        larger(larger(a[axis], b[axis]), c[axis]) - smaller(smaller(a[axis], b[axis]), c[axis]);
    squared = larger(squared, extent * extent);
  }
  return fabsf(area) > LEAST_AREA && fabsf(area) > LEAST_SLANT * squared;
}

/* True if the triangles of a polygon are broad and fill it. */
static bool is_filled(const Outline *outline, const WmMeshTile *tile, uint32_t polygon) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  float sum = 0, whole = 0;
  for (uint32_t i = 0; i < detail->triangle_count; i++, triangle += 4) {
    const float *a = outline->corners[triangle[0]], *b = outline->corners[triangle[1]],
                *c = outline->corners[triangle[2]];
    const float area = find_area(a, b, c);
    if (!is_broad(a, b, c, area)) return false;
    sum += fabsf(area);
  }
  for (uint32_t k = 2; k < outline->count; k++)
    whole += find_area(outline->corners[0], outline->corners[k - 1], outline->corners[k]);
  return fabsf(sum - fabsf(whole)) <= 0.001f * sum;
}

/* Cell heights by which heights between the corners of a broad triangle are rounded more. */
#define OUTLINE_MARGIN 0.1f

/* Marks the cells of a polygon whose surface is so level that the same floors are near all of it.
 * returns    false if its triangles must be marked one by one */
static bool mark_outline(const GroundGrid *grid, const Outline *outline, uint32_t ground) {
  Edge edges[WM_TILE_VERTICES_PER_POLYGON];
  const uint32_t count = outline->count;
  float lowest = INFINITY, highest = -INFINITY, top = INFINITY, bottom = -INFINITY;
  for (uint32_t k = 0; k < count; k++) {
    const float *corner = outline->corners[k];
    lowest = smaller(lowest, corner[1]);
    highest = larger(highest, corner[1]);
    top = smaller(top, corner[2]);
    bottom = larger(bottom, corner[2]);
  }
  Between between;
  if (!(highest < PLANE_LIMIT) ||
      !find_between(grid, lowest - OUTLINE_MARGIN, highest + OUTLINE_MARGIN, &between))
    return false;
  for (uint32_t k = 0, from = count - 1; k < count; from = k++)
    edges[k] = find_edge(outline->corners[from], outline->corners[k]);
  RowCells rows;
  int lane = ROW_LANES;
  for (int32_t z = find_marked_row(grid, top); z < grid->rows.high && (float)z + 0.5f <= bottom;
       z++, lane++) {
    if (lane == ROW_LANES) {
      find_rows(edges, count, z, grid->width, &rows);
      lane = 0;
    }
    if (rows.crossed[lane] > 2) return false;
    if (rows.first[lane] >= rows.end[lane]) continue;
    if (!mark_between(grid, grid->air->cell_first + (size_t)z * (size_t)grid->width,
                      grid->air->squares + (z >> WM_GROUND_SQUARE_SHIFT) * grid->squares_wide,
                      rows.first[lane], rows.end[lane], between, ground))
      return false;
  }
  return true;
}

static void to_cells(const WmLinkGenerator *generator, const WmGrid *place, const float point[3],
                     float cells[3]) {
  const float scale[3] = {generator->bake.cell_size, generator->bake.cell_height, generator->bake.cell_size};
  for (int axis = 0; axis < 3; axis++) cells[axis] = (point[axis] - place->bounds_min[axis]) / scale[axis];
}

static void mark_polygon(const WmLinkGenerator *generator, const GroundGrid *grid, const WmGrid *place,
                         const WmMeshTile *tile, uint32_t polygon, uint32_t ground) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  const uint32_t count = detail->triangle_count ? detail->triangle_count : tile->polygon_size[polygon] - 2u;
  if (detail->vertex_count == 0 && detail->triangle_count > 0) {
    Outline outline = {.count = tile->polygon_size[polygon]};
    for (uint32_t k = 0; k < outline.count; k++)
      to_cells(generator, place, wm_tile_vertex(tile, polygon, k), outline.corners[k]);
    if (is_filled(&outline, tile, polygon) && mark_outline(grid, &outline, ground)) return;
  }
  for (uint32_t i = 0; i < count; i++, triangle += 4) {
    float corners[3][3];
    for (int k = 0; k < 3; k++) {
      const float *corner = detail->triangle_count ? wm_tile_corner(tile, polygon, triangle[k])
                                                   : wm_tile_vertex(tile, polygon, k ? i + (uint32_t)k : 0);
      to_cells(generator, place, corner, corners[k]);
    }
    mark_triangle(grid, (const float(*)[3])corners, ground);
  }
}

/* A polygon of any layer: layers from the newest on. */
typedef struct ListedPolygon {
  const WmMeshTile *tile;
  uint32_t polygon, ground;
} ListedPolygon;

/* Lists the polygons of a place in an order that follows from their shapes, not from their numbers: which of two polygons is the
 * ground of a cell between them doesn't depend on how the tile was built.
 * out        polygons [hashes->count], order [2 * hashes->count] with their indices: in scratch memory of the caller's mark */
static WmStatus sort_polygons(WmContext *context, const WmMesh *mesh, int32_t x, int32_t z,
                              const WmSurfaceHashes *hashes, ListedPolygon **polygons, WmSortItem **order) {
  const size_t count = hashes->count;
  ListedPolygon *list = *polygons = wm_scratch_array(context, count, sizeof *list);
  WmSortItem *items = *order = wm_scratch_array(context, 2 * count, sizeof *items);
  if (!list || !items) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t next = 0, layer = 0;
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile)) != NULL; layer++) {
    for (uint32_t polygon = 0; polygon < tile->ground_count; polygon++, next++) {
      list[next] = (ListedPolygon){tile, polygon, 1 + (polygon | layer << 16)};
      items[next] = (WmSortItem){(uint32_t)hashes->polygons[next], next};
    }
  }
  wm_sort_stable(items, items + count, count);
  for (size_t i = 0; i < count; i++) items[i].key = (uint32_t)(hashes->polygons[items[i].value] >> 32);
  wm_sort_stable(items, items + count, count);
  return WM_OK;
}

/* True if each square has the heights of all floors with ground. */
static bool are_squares_complete(const GroundGrid *grid) {
  const WmUnpackedAir *air = grid->air;
  for (int32_t z = 0; z < grid->depth; z++) {
    const uint32_t *first = air->cell_first + (size_t)z * (size_t)grid->width;
    const WmGroundSquare *squares = air->squares + (z >> WM_GROUND_SQUARE_SHIFT) * grid->squares_wide;
    for (int32_t x = 0; x < grid->width; x++) {
      const WmGroundSquare square = squares[x >> WM_GROUND_SQUARE_SHIFT];
      for (uint32_t k = first[x]; k < first[x + 1]; k++) {
        const uint16_t floor = air->gaps[k].floor;
        if (air->ground[k] && (floor < square.low || floor > square.high)) return false;
      }
    }
  }
  return true;
}

/* Removes all ground. */
static void clear_ground(WmUnpackedAir *air) {
  memset(air->ground, 0, air->gap_count * sizeof *air->ground);
  for (uint32_t i = 0; i < air->square_count; i++) air->squares[i] = (WmGroundSquare){UINT16_MAX, 0};
}

/* Copies the ground of another state of the tile with the same polygons, but for the rows in which their gaps may differ.
 * returns    these rows: without ground, though squares may have that of the other state */
static WmLane copy_ground(const WmUnpackedAir *other, WmUnpackedAir *air) {
  const WmLane *a = &other->cut_rows, *b = &air->cut_rows;
  WmLane rows = a->low < a->high ? *a : *b;
  if (b->low < b->high && b->low < rows.low) rows.low = b->low;
  if (b->high > rows.high) rows.high = b->high;
  const size_t low = (size_t)rows.low * (size_t)air->air->width,
               high = (size_t)rows.high * (size_t)air->air->width;
  const uint32_t first = air->cell_first[low], end = air->cell_first[high], left = air->gap_count - end;
  memcpy(air->ground, other->ground, first * sizeof *air->ground);
  memset(air->ground + first, 0, (end - first) * sizeof *air->ground);
  memcpy(air->ground + end, other->ground + other->cell_first[high], left * sizeof *air->ground);
  memcpy(air->squares, other->squares, air->square_count * sizeof *air->squares);
  return rows;
}

/* Marks the ground of all polygons. Uses scratch memory of the caller's mark. */
static WmStatus mark_surface(const WmLinkGenerator *generator, const WmMesh *mesh, const WmAirTile *tile,
                             int32_t x, int32_t z, const WmSurfaceHashes *hashes) {
  WmUnpackedAir *air = tile->unpacked;
  const WmUnpackedAir *former = tile->former;
  ListedPolygon *polygons;
  WmSortItem *order;
  WmGrid place;
  const WmStatus status = sort_polygons(generator->context, mesh, x, z, hashes, &polygons, &order);
  if (status) return status;
  wm_link_tile_grid(generator, x, z, &place);
  const float reach = generator->limits.climb + HEIGHT_SLACK,
              half = 0.5f * (float)generator->voxels.walkable_height;
  GroundGrid grid = {.air = air,
                     .width = place.width,
                     .depth = place.depth,
                     .squares_wide = wm_count_squares(place.width),
                     .rows = {0, place.depth},
                     .reach = reach,
                     .near = smaller(reach, half) - NEAR_MARGIN};
  if (former && former->surface_key == hashes->key) {
    grid.rows = copy_ground(former, air);
  } else {
    clear_ground(air);
  }
  for (size_t i = 0; i < hashes->count; i++) {
    const ListedPolygon *polygon = &polygons[order[i].value];
    mark_polygon(generator, &grid, &place, polygon->tile, polygon->polygon, polygon->ground);
  }
  WM_VALIDATE(are_squares_complete(&grid));
  air->surface_key = hashes->key;
  return WM_OK;
}

WmStatus wm_air_mark_ground(const WmLinkGenerator *generator, const WmMesh *mesh, const WmAirTile *tile,
                            int32_t x, int32_t z, const WmSurfaceHashes *hashes) {
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  WmSurfaceHashes own;
  WmStatus status = WM_OK;
  if (!hashes) {
    status = wm_hash_surface(generator->context, mesh, x, z, &own);
    hashes = &own;
  }
  if (!status && tile->unpacked->surface_key != hashes->key)
    status = mark_surface(generator, mesh, tile, x, z, hashes);
  wm_scratch_rewind(generator->context, mark);
  return status;
}

/* ---- Points -------------------------------------------------------------------------------------------- */

WmSurfaceRange wm_surface_range(const WmMeshTile *tile, uint32_t polygon) {
  WmSurfaceRange range = {INFINITY, -INFINITY};
  const uint32_t count = tile->polygon_size[polygon] + tile->details[polygon].vertex_count;
  for (uint32_t k = 0; k < count; k++) {
    const float height = wm_tile_corner(tile, polygon, k)[1];
    if (height < range.low) range.low = height;
    if (height > range.high) range.high = height;
  }
  return range;
}

/* The polygon that is the ground of a column: until the next call. */
static const WmGroundPolygon *find_polygon(WmAirWindow *window, uint32_t view, uint32_t ground) {
  WmGroundPolygon *last = &window->ground_polygon;
  const WmMeshTile *tile = window->views[view].newest;
  for (uint32_t layer = (ground - 1) >> 16; layer > 0; layer--)
    tile = wm_mesh_next_layer(window->mesh, tile->x, tile->z, tile);
  const uint32_t polygon = (ground - 1) & 0xffff;
  if (last->tile != tile || last->polygon != polygon)
    *last = (WmGroundPolygon){tile, polygon, wm_surface_range(tile, polygon)};
  return last;
}

bool wm_find_ground(WmAirWindow *window, uint32_t view, uint32_t ground, float point[3]) {
  const WmLinkLimits *limits = &window->generator->limits;
  const WmGroundPolygon *surface = find_polygon(window, view, ground);
  const WmMeshTile *tile = surface->tile;
  const float reach = (limits->climb + HEIGHT_SLACK) * limits->cell_height, near = 0.05f * limits->cell_size;
  if (wm_tile_contains(tile, surface->polygon, point)) {
    const float height = wm_surface_height(tile, surface->polygon, surface->range, point);
    if (!(fabsf(height - point[1]) <= reach)) return false;
    point[1] = height;
    return true;
  }
  WmNearestSearch search;
  wm_nearest_begin(&search, point, (const float[3]){near, reach, near});
  search.any_flags = true;
  wm_tile_find_nearest(tile, &search);
  if (!search.tile) return false;
  const float x = search.point[0] - point[0], z = search.point[2] - point[2];
  if (!(x * x + z * z <= near * near) || !(fabsf(search.point[1] - point[1]) <= reach)) return false;
  point[1] = search.point[1];
  return true;
}
