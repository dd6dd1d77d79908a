/* Ground: the gaps on whose floor polygons of the mesh lie. See links_internal.h.
 *
 * The detail triangles of polygons are scanned row by row: a cell is covered if its centre is. */
#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "base/sort.h"
#include "links/links_internal.h"
#include "links/surface_stamps.h"
#include "mesh/locate.h"

/* Cell heights by which the mesh may differ from floors, besides the climb: its heights are those of voxels, raised by one. */
#define HEIGHT_SLACK 2.0f

/* Cell heights by which a plane's heights are rounded, at most, if none of its terms exceeds PLANE_LIMIT. */
#define NEAR_MARGIN 0.05f
#define PLANE_LIMIT 1e5f

typedef struct GroundGrid {
  WmUnpackedAir *air;
  int32_t width, depth, squares_wide;
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
  if (best == UINT32_MAX || air->ground[best]) return;
  air->ground[best] = ground;
  extend_square(square, air->gaps[best].floor, air->gaps[best].floor);
}

/* The floors of four gaps. */
static inline WmInt4 load_floors(const WmAirGap *gaps) {
  WmUint4 words;
  memcpy(&words, gaps, sizeof words);
  return (WmInt4)(words & 0xffff);
}

/* Floors of four that lie between two heights.
 * in         count: of those that are asked for */
static inline WmInt4 is_between(WmInt4 floors, int32_t low, int32_t high, uint32_t count) {
  const WmInt4 lanes = {0, 1, 2, 3};
  return (WmInt4)(floors >= wm_splat_int4(low)) & (WmInt4)(floors <= wm_splat_int4(high)) &
         (WmInt4)(lanes < wm_splat_int4((int32_t)count));
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

/* out        found, floors */
static void find_near_gaps(NearGaps *near) {
  const WmInt4 none = wm_splat_int4(UINT16_MAX);
  WmInt4 found = wm_splat_int4(0), lowest = none, highest = wm_splat_int4(0);
  for (uint32_t k = 0; k < near->count; k += 4) {
    const WmInt4 floors = load_floors(near->gaps + k);
    const WmInt4 is_found = is_between(floors, near->low, near->high, near->count - k);
    found -= is_found;
    lowest = wm_min_int4(lowest, (floors & is_found) | (none & ~is_found));
    highest = wm_max_int4(highest, floors & is_found);
  }
  found += wm_swap_pairs_int4(found);
  found += wm_swap_halves_int4(found);
  lowest = wm_min_int4(lowest, wm_swap_pairs_int4(lowest));
  lowest = wm_min_int4(lowest, wm_swap_halves_int4(lowest));
  highest = wm_max_int4(highest, wm_swap_pairs_int4(highest));
  highest = wm_max_int4(highest, wm_swap_halves_int4(highest));
  near->found = (uint32_t)found[0];
  near->floors = (WmGroundSquare){(uint16_t)lowest[0], (uint16_t)highest[0]};
}

/* Marks the gaps that were found, unless they have ground. */
static void mark_near_gaps(const NearGaps *near, uint32_t ground) {
  const WmInt4 own = wm_splat_int4((int32_t)ground);
  for (uint32_t k = 0; k < near->count; k += 4) {
    const WmInt4 floors = load_floors(near->gaps + k);
    const WmInt4 is_found = is_between(floors, near->low, near->high, near->count - k);
    const WmInt4 before = (WmInt4)wm_load_uint4(near->ground + k),
                 is_free = (WmInt4)(before == wm_splat_int4(0));
    wm_store_uint4(near->ground + k, (WmUint4)(before | (own & is_found & is_free)));
  }
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

/* Marks one gap of each cell of a stretch, if all have one near, and their floors are equal, or all cells lie in one square. */
static bool mark_evenly(const GroundGrid *grid, const RowStretch *stretch, uint32_t ground) {
  const int32_t x = stretch->x, end = stretch->end;
  const float a = find_height(stretch, x), b = find_height(stretch, end - 1);
  const float lower = a < b ? a : b, higher = a < b ? b : a;
  const float most = fmaxf(fabsf(stretch->plane->point[1]), fabsf(stretch->aside));
  if (!(lower > 0 && higher < UINT16_MAX && most < PLANE_LIMIT)) return false;
  const uint32_t first = stretch->first[x];
  NearGaps near = {.gaps = grid->air->gaps + first,
                   .ground = grid->air->ground + first,
                   .count = stretch->first[end] - first,
                   .low = (int32_t)ceilf(higher - grid->near),
                   .high = (int32_t)floorf(lower + grid->near)};
  if (near.low > near.high) return false;
  const int32_t square = x >> WM_GROUND_SQUARE_SHIFT, last = (end - 1) >> WM_GROUND_SQUARE_SHIFT;
  find_near_gaps(&near);
  if (near.found != (uint32_t)(end - x) || (near.floors.low != near.floors.high && square != last))
    return false;
  mark_near_gaps(&near, ground);
  for (int32_t i = square; i <= last; i++)
    extend_square(&stretch->squares[i], near.floors.low, near.floors.high);
  return true;
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
static void find_edges(const float corners[3][3], Edge edges[3]) {
  for (int k = 0, from = 2; k < 3; from = k++) {
    const bool ascends = corners[from][2] < corners[k][2];
    const float *a = corners[ascends ? from : k], *b = corners[ascends ? k : from];
    edges[k] = (Edge){a[2], b[2], a[0], b[0] - a[0], b[2] - a[2]};
  }
}

/* The cells of a row between the edges that cross it. */
WM_INLINE bool find_row(const Edge edges[3], float z, float *low, float *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int k = 0; k < 3; k++) {
    const Edge *edge = &edges[k];
    if (!(edge->low <= z) || edge->high <= z) continue;
    const float x = edge->x + edge->along_x * ((z - edge->low) / edge->along_z);
    if (x < *low) *low = x;
    if (x > *high) *high = x;
  }
  return *low <= *high;
}

/* The first cell whose centre is at `value` or beyond, clamped to the grid. */
static int32_t find_first_centre(float value, int32_t count) {
  if (!(value > 0.5f)) return 0;
  if (value >= (float)count) return count;
  const int32_t cell = (int32_t)(value - 0.5f);
  return (float)cell + 0.5f < value ? cell + 1 : cell;
}

/* The first cell whose centre is beyond `value`, clamped to the grid. */
static int32_t find_end(float value, int32_t count) {
  if (!(value >= 0.5f)) return 0;
  if (value >= (float)count) return count;
  const int32_t cell = (int32_t)(value - 0.5f) + 1;
  return cell < count ? cell : count;
}

static void mark_triangle(const GroundGrid *grid, const float corners[3][3], uint32_t ground) {
  const float *a = corners[0], *b = corners[1], *c = corners[2];
  const float ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
              ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const float area = ab[0] * ac[2] - ab[2] * ac[0];
  if (!(fabsf(area) > 1e-6f)) return;
  const float slope_x = (ab[1] * ac[2] - ab[2] * ac[1]) / area,
              slope_z = (ab[0] * ac[1] - ab[1] * ac[0]) / area;
  const float low = fminf(fminf(a[2], b[2]), c[2]), high = fmaxf(fmaxf(a[2], b[2]), c[2]);
  const Plane plane = {a, slope_x, slope_z};
  Edge edges[3];
  find_edges(corners, edges);
  for (int32_t z = find_first_centre(low, grid->depth); z < grid->depth && (float)z + 0.5f <= high; z++) {
    float from, to;
    if (!find_row(edges, (float)z + 0.5f, &from, &to)) continue;
    const int32_t first = find_first_centre(from, grid->width), end = find_end(to, grid->width);
    if (first >= end) continue;
    const RowStretch stretch = {
        .first = grid->air->cell_first + (size_t)z * (size_t)grid->width,
        .squares = grid->air->squares + (z >> WM_GROUND_SQUARE_SHIFT) * grid->squares_wide,
        .x = first,
        .end = end,
        .plane = &plane,
        .aside = slope_z * ((float)z + 0.5f - a[2])};
    mark_stretch(grid, &stretch, ground);
  }
}

static void mark_polygon(const WmLinkGenerator *generator, const GroundGrid *grid, const WmGrid *place,
                         const WmMeshTile *tile, uint32_t polygon, uint32_t ground) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  const float scale[3] = {generator->bake.cell_size, generator->bake.cell_height, generator->bake.cell_size};
  const uint32_t count = detail->triangle_count ? detail->triangle_count : tile->polygon_size[polygon] - 2u;
  for (uint32_t i = 0; i < count; i++, triangle += 4) {
    float corners[3][3];
    for (int k = 0; k < 3; k++) {
      const float *corner = detail->triangle_count ? wm_tile_corner(tile, polygon, triangle[k])
                                                   : wm_tile_vertex(tile, polygon, k ? i + (uint32_t)k : 0);
      for (int axis = 0; axis < 3; axis++)
        corners[k][axis] = (corner[axis] - place->bounds_min[axis]) / scale[axis];
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

/* Marks the ground of all polygons. Uses scratch memory of the caller's mark. */
static WmStatus mark_surface(const WmLinkGenerator *generator, const WmMesh *mesh, WmUnpackedAir *air,
                             int32_t x, int32_t z, const WmSurfaceHashes *hashes) {
  ListedPolygon *polygons;
  WmSortItem *order;
  WmGrid place;
  const WmStatus status = sort_polygons(generator->context, mesh, x, z, hashes, &polygons, &order);
  if (status) return status;
  wm_link_tile_grid(generator, x, z, &place);
  const float reach = generator->limits.climb + HEIGHT_SLACK,
              half = 0.5f * (float)generator->voxels.walkable_height;
  const GroundGrid grid = {
      air, place.width, place.depth, wm_count_squares(place.width), reach, fminf(reach, half) - NEAR_MARGIN};
  memset(air->ground, 0, air->gap_count * sizeof *air->ground);
  for (uint32_t i = 0; i < air->square_count; i++) air->squares[i] = (WmGroundSquare){UINT16_MAX, 0};
  for (size_t i = 0; i < hashes->count; i++) {
    const ListedPolygon *polygon = &polygons[order[i].value];
    mark_polygon(generator, &grid, &place, polygon->tile, polygon->polygon, polygon->ground);
  }
  air->surface_key = hashes->key;
  return WM_OK;
}

WmStatus wm_air_mark_ground(const WmLinkGenerator *generator, const WmMesh *mesh, WmUnpackedAir *air,
                            int32_t x, int32_t z, const WmSurfaceHashes *hashes) {
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  WmSurfaceHashes own;
  WmStatus status = WM_OK;
  if (!hashes) {
    status = wm_hash_surface(generator->context, mesh, x, z, &own);
    hashes = &own;
  }
  if (!status && air->surface_key != hashes->key) status = mark_surface(generator, mesh, air, x, z, hashes);
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
