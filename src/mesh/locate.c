/* Points and polygons of one tile. See locate.h. */
#include "mesh/locate.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"
#include "mesh/links/segment_links.h"
#include "mesh/tile/detail_boxes.h"
#include "mesh/tile/leaf_boxes.h"
#include "mesh/tile/near_grid.h"
#include "mesh/tile/rings.h"

/* ---- Segments ----------------------------------------------------------------------------------------- */

void wm_interpolate(const float first[3], const float second[3], float t, float out[3]) {
  for (int axis = 0; axis < 3; axis++) out[axis] = first[axis] + (second[axis] - first[axis]) * t;
}

WM_INLINE float find_distance(const float *point, const float *first, const float *second, float *t) {
  const float edge_x = second[0] - first[0], edge_z = second[2] - first[2];
  const float along = edge_x * (point[0] - first[0]) + edge_z * (point[2] - first[2]);
  const float squared = edge_x * edge_x + edge_z * edge_z;
  const float at = along <= 0 ? 0 : along >= squared ? 1 : along / squared;
  const float x = (first[0] + at * edge_x) - point[0], z = (first[2] + at * edge_z) - point[2];
  *t = at;
  return x * x + z * z;
}

float wm_distance_to_segment(const float point[3], const float first[3], const float second[3], float *t) {
  return find_distance(point, first, second, t);
}

/* ---- One polygon -------------------------------------------------------------------------------------- */

const float *wm_tile_vertex(const WmMeshTile *tile, uint32_t polygon, uint32_t k) {
  if (k == tile->polygon_size[polygon]) k = 0;
  return tile->vertices +
         3 * (size_t)tile->polygon_vertices[WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon + k];
}

/* Returns which of four edges the line from a point towards higher x crosses. An edge is computed from the
 * same end for both its polygons, so that rounding leaves no gap between them. (Detour has such gaps: a move
 * that ends in one goes to the nearest wall.) */
WM_INLINE WmInt4 cross_edges(const float *ring, int half, WmFloat4 x, WmFloat4 z) {
  const WmRingEdges edges = wm_ring_edges(ring, half);
  const WmInt4 above = (WmInt4)(edges.second_z > z), former_above = (WmInt4)(edges.first_z > z);
  const WmFloat4 a_x = wm_select_float4(above, edges.second_x, edges.first_x);
  const WmFloat4 a_z = wm_select_float4(above, edges.second_z, edges.first_z);
  const WmFloat4 b_x = wm_select_float4(above, edges.first_x, edges.second_x);
  const WmFloat4 b_z = wm_select_float4(above, edges.first_z, edges.second_z);
  return (above ^ former_above) & (WmInt4)(x < (b_x - a_x) * (z - a_z) / (b_z - a_z) + a_x);
}

WM_INLINE bool contains(const float *ring, const float point[3]) {
  const WmFloat4 x = wm_splat_float4(point[0]), z = wm_splat_float4(point[2]);
  const uint32_t crossed = wm_ring_lanes(cross_edges(ring, 0, x, z), cross_edges(ring, 1, x, z));
  return (__builtin_popcount(crossed) & 1) != 0;
}

bool wm_tile_contains(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  return contains(wm_tile_ring(tile, polygon), point);
}

const float *wm_tile_corner(const WmMeshTile *tile, uint32_t polygon, uint32_t corner) {
  const uint32_t size = tile->polygon_size[polygon];
  if (corner < size) return wm_tile_vertex(tile, polygon, corner);
  return tile->detail_vertices + 3 * ((size_t)tile->details[polygon].first_vertex + (corner - size));
}

/* The vertices of a ground polygon's detail mesh. */
typedef struct Corners {
  uint32_t size; /* of the polygon: its own vertices come first */
  const uint16_t *numbers;
  const float *own, *more;
} Corners;

WM_INLINE Corners find_corners(const WmMeshTile *tile, uint32_t polygon) {
  return (Corners){tile->polygon_size[polygon],
                   tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon, tile->vertices,
                   tile->detail_vertices + 3 * (size_t)tile->details[polygon].first_vertex};
}

WM_INLINE const float *corner_at(const Corners *corners, uint32_t number) {
  if (number < corners->size) return corners->own + 3 * (size_t)corners->numbers[number];
  return corners->more + 3 * (size_t)(number - corners->size);
}

/* Height of a triangle at a point, if the point is in it. */
WM_INLINE bool height_in_triangle(const float point[3], const float *a, const float *b, const float *c,
                                  float *height) {
  const float ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const float ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const float ap[3] = {point[0] - a[0], 0, point[2] - a[2]};
  float area = ac[0] * ab[2] - ac[2] * ab[0];
  if (fabsf(area) < 1e-6f) return false;
  float u = ab[2] * ap[0] - ab[0] * ap[2];
  float v = ac[0] * ap[2] - ac[2] * ap[0];
  if (area < 0) {
    area = -area;
    u = -u;
    v = -v;
  }
  if (!(u >= 0.0f && v >= 0.0f && u + v <= area)) return false;
  *height = a[1] + (ac[1] * u + ab[1] * v) / area;
  return true;
}

/* Moves `closest` to a segment if that is nearer on x and z than `best`, the least squared distance up to
 * here (negative: none); of equally near segments the first wins. Returns the least squared distance. */
WM_INLINE float try_segment(const float *point, const float *first, const float *second, float best,
                            float closest[3]) {
  float t;
  const float distance = find_distance(point, first, second, &t);
  if (!(best < 0) && !(distance < best)) return best;
  wm_interpolate(first, second, t, closest);
  return distance;
}

/* The edges of a polygon to search: its own, those of its detail mesh on its outline, or all of its detail
 * mesh (each inner edge once). If there are none, the polygon's own are searched. */
typedef enum Edges { OWN_EDGES, BOUNDARY_EDGES, DETAIL_EDGES } Edges;

/* The nearest point of a ground polygon's edges on x and z. */
static void closest_on_edges(const WmMeshTile *tile, uint32_t polygon, const float point[3], Edges edges,
                             float closest[3]) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  const Corners corners = find_corners(tile, polygon);
  float best = -1;
  for (uint32_t i = 0; edges && i < detail->triangle_count; i++, triangle += 4) {
    if (edges == BOUNDARY_EDGES && (triangle[3] & 0x15) == 0) continue;
    for (int k = 0, from = 2; k < 3; from = k++) {
      const bool boundary = (triangle[3] >> (2 * from) & 1) != 0;
      if (!boundary && (edges == BOUNDARY_EDGES || triangle[from] < triangle[k])) continue;
      best = try_segment(point, corner_at(&corners, triangle[from]), corner_at(&corners, triangle[k]), best,
                         closest);
    }
  }
  const bool none_tried = best < 0;
  for (uint32_t k = 0; none_tried && k < tile->polygon_size[polygon]; k++) {
    best = try_segment(point, wm_tile_vertex(tile, polygon, k), wm_tile_vertex(tile, polygon, k + 1), best,
                       closest);
  }
}

/* Squared distances on x and z from a point to four edges of a ring, by the formula of find_distance.
 * out        *t: the nearest positions on the edges, 0..1 */
WM_INLINE WmFloat4 find_distances(const float *ring, int half, const float point[3], WmFloat4 *t) {
  const WmRingEdges edges = wm_ring_edges(ring, half);
  const WmFloat4 zero = wm_splat_float4(0), one = wm_splat_float4(1);
  const WmFloat4 point_x = wm_splat_float4(point[0]), point_z = wm_splat_float4(point[2]);
  const WmFloat4 edge_x = edges.second_x - edges.first_x, edge_z = edges.second_z - edges.first_z;
  const WmFloat4 along = edge_x * (point_x - edges.first_x) + edge_z * (point_z - edges.first_z);
  const WmFloat4 squared = edge_x * edge_x + edge_z * edge_z;
  const WmFloat4 within = wm_select_float4((WmInt4)(along >= squared), one, along / squared);
  *t = wm_select_float4((WmInt4)(along <= zero), zero, within);
  const WmFloat4 x = (edges.first_x + *t * edge_x) - point_x, z = (edges.first_z + *t * edge_z) - point_z;
  return x * x + z * z;
}

/* The point at `t` on the edge in a lane of a ring. */
WM_INLINE void point_on_ring(const WmMeshTile *tile, uint32_t polygon, const float *ring, uint32_t lane,
                             float t, float point[3]) {
  const uint32_t edge = wm_ring_edge(ring, lane);
  wm_interpolate(wm_tile_vertex(tile, polygon, edge), wm_tile_vertex(tile, polygon, edge + 1), t, point);
}

/* closest_on_edges over the edges of a ring, all at once. Returns false where the order of the edges decides: two are
 * equally near, at different points; and where numbers overflow. */
static WM_NOINLINE bool closest_on_ring(const WmMeshTile *tile, uint32_t polygon, const float *ring,
                                        const float point[3], float closest[3]) {
  const WmFloat4 far = wm_splat_float4(INFINITY);
  const WmInt4 lanes = {0, 1, 2, 3}, count = wm_splat_int4((int32_t)ring[2 * WM_RING_CORNERS]);
  WmFloat4 t[2];
  const WmFloat4 low = wm_select_float4((WmInt4)(lanes < count), find_distances(ring, 0, point, &t[0]), far);
  const WmFloat4 high = wm_select_float4((WmInt4)(lanes + wm_splat_int4(4) < count),
                                         find_distances(ring, 1, point, &t[1]), far);
  const WmFloat4 least = wm_min_float4(low, high);
  float nearest = least[0];
  for (int k = 1; k < 4; k++) nearest = least[k] < nearest ? least[k] : nearest;
  const WmFloat4 all = wm_splat_float4(nearest);
  uint32_t found = wm_ring_lanes((WmInt4)(low == all), (WmInt4)(high == all));
  const uint32_t numbers = wm_ring_lanes((WmInt4)(low == low), (WmInt4)(high == high));
  if (numbers != WM_RING_LANES || !(nearest < INFINITY)) return false;
  float positions[8];
  wm_store_float4(positions, t[0]);
  wm_store_float4(positions + 4, t[1]);
  const uint32_t first = (uint32_t)__builtin_ctz(found);
  point_on_ring(tile, polygon, ring, first, positions[first], closest);
  for (found &= found - 1; found; found &= found - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(found);
    float other[3];
    point_on_ring(tile, polygon, ring, lane, positions[lane], other);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
    if (memcmp(other, closest, sizeof other) != 0) return false;
  }
  return true;
}

/* closest_on_edges, by the ring where it has the edges. */
WM_INLINE void find_closest(const WmMeshTile *tile, uint32_t polygon, const float point[3], Edges edges,
                            float closest[3]) {
  const float *ring = wm_tile_ring(tile, polygon);
  const bool has_edges = edges == OWN_EDGES || ring[WM_RING_BOUNDARY] != 0;
  if (has_edges && closest_on_ring(tile, polygon, ring, point, closest)) return;
  closest_on_edges(tile, polygon, point, edges, closest);
}

float wm_tile_height(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangles = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  const Corners corners = find_corners(tile, polygon);
  const uint32_t count = detail->triangle_count;
  const bool few = count <= 4; /* faster without boxes */
  const uint32_t at = few ? 0 : wm_detail_point(&tile->detail_frames[polygon], point);
  const uint32_t *boxes = tile->detail_boxes + detail->first_triangle;
  for (uint32_t i = 0; i < count; i += 4) {
    for (uint32_t found = few ? 15 : wm_detail_boxes_have(boxes + i, at); found; found &= found - 1) {
      const uint32_t number = i + (uint32_t)__builtin_ctz(found);
      if (number >= count) break;
      const uint8_t *triangle = triangles + 4 * (size_t)number;
      float height;
      if (height_in_triangle(point, corner_at(&corners, triangle[0]), corner_at(&corners, triangle[1]),
                             corner_at(&corners, triangle[2]), &height)) {
        return height;
      }
    }
  }
  /* By rounding the point lies between two triangles. */
  float closest[3];
  closest_on_edges(tile, polygon, point, DETAIL_EDGES, closest);
  /* A polygon has edges, and the first one sets `closest`. */
  /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn) */
  return closest[1];
}

bool wm_tile_closest_point(const WmMeshTile *tile, uint32_t polygon, const float point[3], bool detail,
                           float closest[3]) {
  if (tile->segments) {
    const WmSegmentLink *link = &tile->segments[polygon];
    const float best = try_segment(point, link->start[0], link->start[1], -1, closest);
    try_segment(point, link->end[0], link->end[1], best, closest);
    return false;
  }
  if (polygon >= tile->ground_count) { /* the moved ends of an off-mesh connection */
    const float *ends = tile->connection_ends + 6 * (size_t)(polygon - tile->ground_count);
    const float best = try_segment(point, ends, ends + 3, -1, closest);
    if (!detail) try_segment(point, ends + 3, ends, best, closest);
    return false;
  }
  const bool inside = wm_tile_contains(tile, polygon, point);
  if (inside) {
    const float height = detail ? wm_tile_height(tile, polygon, point) : point[1];
    memcpy(closest, point, 3 * sizeof *closest);
    closest[1] = height;
  } else {
    find_closest(tile, polygon, point, detail ? BOUNDARY_EDGES : OWN_EDGES, closest);
  }
  return inside;
}

/* ---- The nearest polygon of a tile -------------------------------------------------------------------- */

/* True if a point is farther than half a cell outside of an edge: then it is not on the outline. */
WM_INLINE bool is_beside(const WmMeshTile *tile, const float *ring, const float point[3]) {
  const float slack = 0.5f / tile->cells_per_unit;
  const WmFloat4 squared = wm_splat_float4(slack * slack);
  WmInt4 beside[2];
  for (int half = 0; half < 2; half++) {
    const WmRingEdges edges = wm_ring_edges(ring, half);
    const WmFloat4 x = edges.second_x - edges.first_x, z = edges.second_z - edges.first_z;
    const WmFloat4 level =
        z * (wm_splat_float4(point[0]) - edges.first_x) - x * (wm_splat_float4(point[2]) - edges.first_z);
    beside[half] = (WmInt4)(level < wm_splat_float4(0)) & (WmInt4)(level * level > squared * (x * x + z * z));
  }
  return wm_ring_lanes(beside[0], beside[1]) != 0;
}

/* Compares a polygon with the best found. */
static void consider(const WmMeshTile *tile, uint32_t polygon, WmNearestSearch *search) {
  const uint16_t flags = tile->polygon_flags[polygon];
  const bool passes = (flags & search->include_flags) != 0 && (flags & search->exclude_flags) == 0;
  if (!passes && !search->any_flags) return;
  float closest[3];
  const float *ring = wm_tile_ring(tile, polygon);
  const bool over = contains(ring, search->centre);
  if (over) {
    memcpy(closest, search->centre, sizeof closest);
    closest[1] = wm_tile_height(tile, polygon, closest);
  } else if (search->near && is_beside(tile, ring, search->centre)) {
    return;
  } else {
    find_closest(tile, polygon, search->centre, BOUNDARY_EDGES, closest);
  }
  /* A polygon has edges, and the first one sets `closest`. */
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
  const float x = search->centre[0] - closest[0], y = search->centre[1] - closest[1],
              z = search->centre[2] - closest[2];
  float score = x * x + y * y + z * z;
  if (score > search->farthest) return;
  if (search->side != 0 && y * (float)search->side > tile->agent_max_climb) return;
  if (over && !search->ignores_climb) {
    const float gap = fabsf(y) - tile->agent_max_climb;
    score = gap > 0 ? gap * gap : 0;
  }
  if (search->near && score > 0) return;
  if (!(score < search->score)) {
    if (!search->ignores_climb || !search->tile || score > search->score) return;
    if (tile->ref + polygon >= search->tile->ref + search->polygon) return;
  }
  search->tile = tile;
  search->polygon = polygon;
  search->score = score;
  search->over = over;
  memcpy(search->point, closest, sizeof search->point);
}

/* A search box, in cells above the tile's minimum. */
typedef struct TreeBox {
  int32_t low[3], high[3];
} TreeBox;

/* Cells that a polygon may lie outside of its box: the high ends of boxes are truncated, and all is
 * rounded. */
#define SLACK_LOW 0.5f
#define SLACK_HIGH 1.5f
/* The same for `near` searches, whose box is also rounded to even cells. */
#define SLACK_NEAR 0.5f

/* Converts a position, clamped to the tile's bounds, to cells above its minimum, 0 to 65535. */
WM_INLINE WmInt4 quantise(const WmMeshTile *tile, WmFloat4 value, float more) {
  const WmFloat4 least = wm_load_float4(tile->bounds_min), most = wm_load_float4(tile->bounds_max);
  const WmFloat4 held = wm_min_float4(most, wm_max_float4(least, value));
  const WmFloat4 cells = (held - least) * wm_splat_float4(tile->cells_per_unit) + wm_splat_float4(more);
  return wm_truncate_float4(wm_min_float4(wm_max_float4(cells, wm_splat_float4(0)), wm_splat_float4(65535)));
}

/* The box that a search visits. The fourth lanes of `bounds_min` and `bounds_max` hold arbitrary numbers, which are not
 * used. */
WM_INLINE TreeBox find_tree_box(const WmMeshTile *tile, const WmNearestSearch *search) {
  WmFloat4 low = wm_load_float4(search->low), high = wm_load_float4(search->high);
  if (search->near || search->around) {
    const WmFloat4 centre = wm_load_float4(search->centre);
    const float cells = search->near ? SLACK_NEAR : WM_AROUND_CELLS;
    const float flat = cells / tile->cells_per_unit;
    const float rise = (cells + tile->node_rise) / tile->cells_per_unit + tile->agent_max_climb;
    const WmFloat4 reach = {flat, rise, flat, 0};
    low = wm_max_float4(centre - reach, low);
    high = wm_min_float4(centre + reach, high);
  }
  const WmInt4 from = quantise(tile, low, 0) & wm_splat_int4(0xfffe);
  const WmInt4 to = quantise(tile, high, 1) | wm_splat_int4(1);
  return (TreeBox){{from[0], from[1], from[2]}, {to[0], to[1], to[2]}};
}

/* The point that scores are measured from, and what is subtracted from heights: cells of the tree. */
typedef struct Origin {
  float centre[3];
  float rise, climb;
  float scale; /* to squared cells */
} Origin;

WM_INLINE Origin find_origin(const WmMeshTile *tile, const WmNearestSearch *search) {
  Origin origin = {.rise = tile->node_rise,
                   .climb = search->ignores_climb ? 0 : tile->agent_max_climb * tile->cells_per_unit,
                   .scale = tile->cells_per_unit * tile->cells_per_unit * 1.0001f};
  for (int axis = 0; axis < 3; axis++) {
    origin.centre[axis] = (search->centre[axis] - tile->bounds_min[axis]) * tile->cells_per_unit;
  }
  return origin;
}

/* True if all polygons in a box have higher scores than the best found, by a lower bound of theirs. */
static WM_NOINLINE bool is_worse(const Origin *origin, const int32_t lows[3], const int32_t highs[3],
                                 float best) {
  float flat = 0, rise = 0;
  for (int axis = 0; axis < 3; axis++) {
    const float low = (float)lows[axis], high = (float)highs[axis];
    const float below = low - SLACK_LOW - origin->centre[axis];
    const float above = origin->centre[axis] - high - SLACK_HIGH;
    float away = below > above ? below : above;
    if (axis == 1) away -= origin->rise;
    if (!(away > 0)) away = 0;
    if (axis == 1) {
      rise = away;
    } else {
      flat += away * away;
    }
  }
  if (flat == 0) {
    rise -= origin->climb;
    if (!(rise > 0)) return false;
  }
  return flat + rise * rise > best * origin->scale;
}

/* is_worse for a box of a block, and for a leaf. */
WM_INLINE bool is_block_worse(const WmLeafBlock *block, uint32_t lane, const Origin *origin, float best) {
  const int32_t low[3] = {block->low[0][lane] + 0x8000, block->low[1][lane] + 0x8000,
                          block->low[2][lane] + 0x8000};
  const int32_t high[3] = {block->high[0][lane] + 0x8000, block->high[1][lane] + 0x8000,
                           block->high[2][lane] + 0x8000};
  return is_worse(origin, low, high, best);
}

WM_INLINE bool is_leaf_worse(const WmTileNode *node, const Origin *origin, float best) {
  const int32_t low[3] = {node->low[0], node->low[1], node->low[2]};
  const int32_t high[3] = {node->high[0], node->high[1], node->high[2]};
  return is_worse(origin, low, high, best);
}

/* One layer of blocks of a walk: the current block, and its boxes that are still to be visited. */
typedef struct Level {
  const WmLeafBlock *blocks;
  uint32_t count; /* of boxes */
  uint32_t block, left;
} Level;

/* Walks the blocks depth first, so that of equal scores the first in the order of the leaves wins. */
WM_INLINE void search_tree(const WmMeshTile *tile, const TreeBox *within, WmNearestSearch *search) {
  WmShort8 low[3], high[3]; /* in the numbers of leaf blocks */
  if (tile->leaf_count == 0) return;
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = wm_splat_short8((int16_t)(within->low[axis] ^ 0x8000));
    high[axis] = wm_splat_short8((int16_t)(within->high[axis] ^ 0x8000));
  }
  const Origin origin = find_origin(tile, search);
  Level levels[WM_LEAF_LEVELS];
  Level *level = levels, *top;
  level->blocks = tile->leaf_blocks;
  level->count = tile->leaf_count;
  for (; level->count > 8; level++) {
    level[1].count = (level->count + 7) / 8;
    level[1].blocks = level->blocks + level[1].count;
  }
  top = level;
  for (uint32_t block = 0;;) {
    level->block = block;
    level->left = wm_leaf_block_touches(&level->blocks[block], low, high);
    for (;;) {
      while (level->left == 0) {
        if (level++ == top) return;
      }
      const uint32_t lane = (uint32_t)__builtin_ctz(level->left);
      const uint32_t box = 8 * level->block + lane;
      level->left &= level->left - 1;
      if (box >= level->count) continue; /* behind the last */
      if (search->score < FLT_MAX &&
          is_block_worse(&level->blocks[level->block], lane, &origin, search->score))
        continue;
      if (level > levels) {
        level--;
        block = box;
        break;
      }
      consider(tile, tile->leaf_polygons[box], search);
      if (search->score <= 0 && !search->ignores_climb) return; /* nothing is lower */
    }
  }
}

/* Lowers `certain` to the score of the nearest polygon that an `around` search of the tile doesn't visit. */
WM_INLINE void limit_certain(const WmMeshTile *tile, WmNearestSearch *search) {
  const float reach = (WM_AROUND_CELLS - SLACK_HIGH) / tile->cells_per_unit;
  const float squared = reach * reach * 0.999f;
  if (squared < search->certain) search->certain = squared;
}

/* For `near` and `around` searches: visits the leaves that the tree would, in the same order. */
WM_INLINE void search_grid(const WmMeshTile *tile, const TreeBox *box, WmNearestSearch *search) {
  const WmNearGrid *grid = &tile->near_grid;
  const uint32_t cell = wm_near_cell(grid, box->low);
  if (cell == UINT32_MAX) return;
  const WmNearBox touched = wm_near_box(box->low, box->high);
  const Origin origin = find_origin(tile, search);
  const uint32_t end = grid->first[cell + 1];
  for (uint32_t i = grid->first[cell]; i < end; i++) {
    const WmTileNode *node = &tile->nodes[grid->nodes[i]];
    if (!wm_near_touches(node, &touched)) continue;
    if (search->score < FLT_MAX && is_leaf_worse(node, &origin, search->score)) continue;
    consider(tile, (uint32_t)node->index, search);
    if (search->score <= 0) return; /* nothing is lower */
  }
}

/* For a tile without a tree, as Detour's tile cache makes them: visits all polygons, which are few. */
WM_INLINE void search_all(const WmMeshTile *tile, WmNearestSearch *search) {
  for (uint32_t i = 0; i < tile->ground_count; i++) {
    bool apart = false;
    for (int axis = 0; axis < 3; axis++) {
      uint32_t below = 0, above = 0; /* vertices */
      for (uint32_t k = 0; k < tile->polygon_size[i]; k++) {
        const float value = wm_tile_vertex(tile, i, k)[axis];
        below += value < search->low[axis];
        above += value > search->high[axis];
      }
      apart |= below == tile->polygon_size[i] || above == tile->polygon_size[i];
    }
    if (!apart) consider(tile, i, search);
  }
}

void wm_nearest_begin(WmNearestSearch *search, const float centre[3], const float half_extents[3]) {
  *search = (WmNearestSearch){.include_flags = 0xffff, .farthest = INFINITY, .score = FLT_MAX};
  for (int axis = 0; axis < 3; axis++) {
    search->centre[axis] = centre[axis];
    search->low[axis] = centre[axis] - half_extents[axis];
    search->high[axis] = centre[axis] + half_extents[axis];
  }
}

void wm_tile_find_nearest(const WmMeshTile *tile, WmNearestSearch *search) {
  for (int axis = 0; axis < 3; axis++) {
    if (search->low[axis] > tile->bounds_max[axis] || search->high[axis] < tile->bounds_min[axis]) return;
  }
  if (tile->node_count == 0) {
    search_all(tile, search);
    return;
  }
  const TreeBox box = find_tree_box(tile, search);
  if (search->around) limit_certain(tile, search);
  if ((search->near || search->around) && wm_near_grid_fits(&tile->near_grid, box.low, box.high)) {
    search_grid(tile, &box, search);
  } else {
    search_tree(tile, &box, search);
  }
}

/* ---- Tiles around ------------------------------------------------------------------------------------- */

int32_t wm_mesh_place(const WmMesh *mesh, int axis, float position) {
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  const float size = axis == 0 ? parameters->tile_width : parameters->tile_depth;
  const float place = floorf((position - parameters->origin[axis]) / size), limit = 8388608.0f;
  if (!(place > -limit)) return -8388608;
  return place < limit ? (int32_t)place : 8388608;
}

void wm_box_tiles_begin(WmBoxTiles *tiles, const WmMesh *mesh, const float low[3], const float high[3]) {
  *tiles = (WmBoxTiles){.mesh = mesh};
  for (int i = 0; i < 2; i++) {
    tiles->first[i] = tiles->place[i] = wm_mesh_place(mesh, 2 * i, low[2 * i]);
    tiles->last[i] = wm_mesh_place(mesh, 2 * i, high[2 * i]);
  }
  const size_t slots = wm_mesh_slot_count(mesh);
  const float columns = (float)(tiles->last[0] - tiles->first[0] + 1);
  const float places = columns * (float)(tiles->last[1] - tiles->first[1] + 1);
  tiles->by_slot = wm_mesh_tile_count(mesh) <= 1 || places > (float)(16 + slots);
}

const WmMeshTile *wm_box_tiles_next(WmBoxTiles *tiles) {
  if (tiles->by_slot) {
    while (tiles->slot < wm_mesh_slot_count(tiles->mesh)) {
      const WmMeshTile *tile = wm_mesh_tile(tiles->mesh, tiles->slot++);
      if (tile && tile->ground_count > 0) return tile;
    }
    return NULL;
  }
  for (; tiles->place[1] <= tiles->last[1]; tiles->place[1]++, tiles->place[0] = tiles->first[0]) {
    for (; tiles->place[0] <= tiles->last[0]; tiles->place[0]++) {
      tiles->tile = wm_mesh_next_layer(tiles->mesh, tiles->place[0], tiles->place[1], tiles->tile);
      if (tiles->tile) return tiles->tile;
    }
  }
  return NULL;
}
