/* Points and polygons of one tile. See locate.h. */
#include "mesh/locate.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"

/* ---- One polygon -------------------------------------------------------------------------------------- */

bool wm_tile_contains(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  const uint32_t size = tile->polygon_size[polygon];
  bool inside = false;
  const float *previous = wm_tile_vertex(tile, polygon, size - 1);
  for (uint32_t k = 0; k < size; k++) {
    const float *vertex = wm_tile_vertex(tile, polygon, k);
    if ((vertex[2] > point[2]) != (previous[2] > point[2]) &&
        point[0] <
            (previous[0] - vertex[0]) * (point[2] - vertex[2]) / (previous[2] - vertex[2]) + vertex[0]) {
      inside = !inside;
    }
    previous = vertex;
  }
  return inside;
}

/* Corner of a detail triangle: the polygon's own vertices come first. */
static const float *detail_corner(const WmMeshTile *tile, uint32_t polygon, const WmTileDetail *detail,
                                  uint32_t corner) {
  const uint32_t size = tile->polygon_size[polygon];
  if (corner < size) return wm_tile_vertex(tile, polygon, corner);
  return tile->detail_vertices + 3 * ((size_t)detail->first_vertex + (corner - size));
}

/* Height of a triangle at a point, if the point is in it. */
static bool height_in_triangle(const float point[3], const float *a, const float *b, const float *c,
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

/* The nearest point on x and z among edges of the detail mesh: those on the polygon's boundary, or all (each
 * inner edge once). Without any such edge the polygon's own edges are taken. */
static void closest_on_detail_edges(const WmMeshTile *tile, uint32_t polygon, const float point[3],
                                    bool only_boundary, float closest[3]) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  float best = FLT_MAX, best_t = 0;
  const float *best_first = NULL, *best_second = NULL;
  for (uint32_t i = 0; i < detail->triangle_count; i++, triangle += 4) {
    if (only_boundary && (triangle[3] & (1 | 4 | 16)) == 0) continue;
    const float *corners[3];
    for (int k = 0; k < 3; k++) corners[k] = detail_corner(tile, polygon, detail, triangle[k]);
    for (int k = 0, from = 2; k < 3; from = k++) {
      const bool boundary = (triangle[3] >> (2 * from) & 1) != 0;
      if (!boundary && (only_boundary || triangle[from] < triangle[k])) continue;
      float t;
      const float distance = wm_distance_to_segment(point, corners[from], corners[k], &t);
      if (distance < best) {
        best = distance;
        best_t = t;
        best_first = corners[from];
        best_second = corners[k];
      }
    }
  }
  const uint32_t size = tile->polygon_size[polygon];
  for (uint32_t k = 0; k < size && !best_first; k++) {
    best_first = wm_tile_vertex(tile, polygon, k); /* something, should distances overflow */
    best_second = best_first;
    best = FLT_MAX;
    for (uint32_t e = 0; e < size; e++) {
      const float *first = wm_tile_vertex(tile, polygon, e);
      const float *second = wm_tile_vertex(tile, polygon, e + 1 < size ? e + 1 : 0);
      float t;
      const float distance = wm_distance_to_segment(point, first, second, &t);
      if (distance < best) {
        best = distance;
        best_t = t;
        best_first = first;
        best_second = second;
      }
    }
  }
  wm_interpolate(best_first, best_second, best_t, closest);
}

float wm_tile_height(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  for (uint32_t i = 0; i < detail->triangle_count; i++, triangle += 4) {
    float height;
    if (height_in_triangle(point, detail_corner(tile, polygon, detail, triangle[0]),
                           detail_corner(tile, polygon, detail, triangle[1]),
                           detail_corner(tile, polygon, detail, triangle[2]), &height)) {
      return height;
    }
  }
  /* Inside the polygon, but rounding put it between two triangles. */
  float closest[3];
  closest_on_detail_edges(tile, polygon, point, false, closest);
  return closest[1];
}

/* The moved ends of an off-mesh connection. */
static const float *connection_ends(const WmMeshTile *tile, uint32_t polygon) {
  return tile->connection_ends + 6 * (size_t)(polygon - tile->ground_count);
}

void wm_tile_closest_point(const WmMeshTile *tile, uint32_t polygon, const float point[3], float closest[3],
                           bool *over) {
  *over = false;
  if (polygon >= tile->ground_count) {
    const float *ends = connection_ends(tile, polygon);
    float t;
    wm_distance_to_segment(point, ends, ends + 3, &t);
    wm_interpolate(ends, ends + 3, t, closest);
  } else if (wm_tile_contains(tile, polygon, point)) {
    const float height = wm_tile_height(tile, polygon, point);
    closest[0] = point[0];
    closest[1] = height;
    closest[2] = point[2];
    *over = true;
  } else {
    closest_on_detail_edges(tile, polygon, point, true, closest);
  }
}

void wm_tile_clamp_to_polygon(const WmMeshTile *tile, uint32_t polygon, const float point[3],
                              float clamped[3]) {
  const uint32_t size = tile->polygon_size[polygon];
  const bool off_mesh = polygon >= tile->ground_count;
  if (!off_mesh && wm_tile_contains(tile, polygon, point)) {
    for (int axis = 0; axis < 3; axis++) clamped[axis] = point[axis];
    return;
  }
  float best = FLT_MAX, best_t = 0;
  const float *best_first = NULL, *best_second = NULL;
  for (uint32_t k = 0; k < size; k++) {
    const float *first = wm_tile_vertex(tile, polygon, k);
    const float *second = wm_tile_vertex(tile, polygon, k + 1 < size ? k + 1 : 0);
    if (off_mesh) {
      const float *ends = connection_ends(tile, polygon);
      first = k == 0 ? ends : ends + 3;
      second = k == 0 ? ends + 3 : ends;
    }
    float t;
    const float distance = wm_distance_to_segment(point, first, second, &t);
    if (distance < best || !best_first) {
      best = distance;
      best_t = t;
      best_first = first;
      best_second = second;
    }
  }
  wm_interpolate(best_first, best_second, best_t, clamped);
}

/* ---- The nearest of a tile ---------------------------------------------------------------------------- */

/* Improves `best` by a polygon; `ties`: an equal score will do. */
static bool consider(const WmMeshTile *tile, uint32_t polygon, const float centre[3], uint16_t include_flags,
                     uint16_t exclude_flags, bool ties, WmNearestSearch *best) {
  const uint16_t flags = tile->polygon_flags[polygon];
  if ((flags & include_flags) == 0 || (flags & exclude_flags) != 0) return false;
  float closest[3];
  bool over;
  wm_tile_closest_point(tile, polygon, centre, closest, &over);
  const float x = centre[0] - closest[0], y = centre[1] - closest[1], z = centre[2] - closest[2];
  float score = x * x + y * y + z * z;
  if (over) {
    const float gap = fabsf(y) - tile->agent_max_climb;
    score = gap > 0 ? gap * gap : 0;
  }
  if (!(score < best->score || (ties && score == best->score))) return false;
  best->tile = tile;
  best->polygon = polygon;
  best->score = score;
  best->over = over;
  for (int axis = 0; axis < 3; axis++) best->point[axis] = closest[axis];
  return true;
}

/* Cells above the tile's minimum, within 16 bits. */
static uint16_t quantise(float cells) {
  if (!(cells > 0.0f)) return 0;
  return cells >= 65535.0f ? 65535 : (uint16_t)cells;
}

/* A box to test nodes against: both bounds of a node in one comparison each. */
typedef struct NodeTest {
  WmUshort8 most;  /* lanes 0..2: what a node's low bounds may be at most */
  WmUshort8 least; /* lanes 3..5: what its high bounds must be at least */
} NodeTest;

static NodeTest make_test(const uint16_t low[3], const uint16_t high[3]) {
  return (NodeTest){{high[0], high[1], high[2], 65535, 65535, 65535, 65535, 65535},
                    {0, 0, 0, low[0], low[1], low[2], 0, 0}};
}

static bool does_overlap(const WmTileNode *node, const NodeTest *test) {
#if WM_SIMD
  WmUshort8 bounds;
  memcpy(&bounds, node, sizeof bounds);
  return wm_mask_byte16((WmByte16)((bounds > test->most) | (bounds < test->least))) == 0;
#else
  bool apart = false;
  for (int axis = 0; axis < 3; axis++) {
    apart |= node->low[axis] > test->most[axis] || node->high[axis] < test->least[3 + axis];
  }
  return !apart;
#endif
}

/* What nodes are tested against, in cells above the tile's minimum. */
typedef struct TreeQuery {
  NodeTest box;  /* the query's: only leaves that touch it count */
  NodeTest over; /* only nodes that touch it can have a score of 0 */
  float centre[3];
  float climb;
  float scale; /* squared cells of a squared world unit */
} TreeQuery;

/* Boxes of nodes are truncated at their high ends, and all is rounded. */
#define SLACK_LOW 0.5f
#define SLACK_HIGH 1.5f

static TreeQuery make_tree_query(const WmMeshTile *tile, const float centre[3], const float low[3],
                                 const float high[3]) {
  TreeQuery query = {.climb = tile->agent_max_climb * tile->cells_per_unit,
                     .scale = tile->cells_per_unit * tile->cells_per_unit};
  uint16_t box_low[3], box_high[3], over_low[3], over_high[3];
  for (int axis = 0; axis < 3; axis++) {
    const float least = tile->bounds_min[axis], most = tile->bounds_max[axis];
    const float from = low[axis] < least ? least : low[axis] > most ? most : low[axis];
    const float to = high[axis] < least ? least : high[axis] > most ? most : high[axis];
    box_low[axis] = quantise((from - least) * tile->cells_per_unit) & 0xfffe;
    box_high[axis] = quantise((to - least) * tile->cells_per_unit + 1) | 1;
    const float cell = (centre[axis] - least) * tile->cells_per_unit;
    const float reach = axis == 1 ? query.climb : 0;
    query.centre[axis] = cell;
    over_low[axis] = quantise(cell - reach - SLACK_HIGH);
    over_high[axis] = quantise(cell + reach + SLACK_LOW + 1);
  }
  query.box = make_test(box_low, box_high);
  query.over = make_test(over_low, over_high);
  return query;
}

/* No polygon in the node can have a lower score, in squared cells. */
static float lowest_score(const WmTileNode *node, const TreeQuery *query) {
  float gap[3];
  for (int axis = 0; axis < 3; axis++) {
    const float below = (float)node->low[axis] - SLACK_LOW - query->centre[axis];
    const float above = query->centre[axis] - (float)node->high[axis] - SLACK_HIGH;
    gap[axis] = below > above ? below : above;
    if (!(gap[axis] > 0)) gap[axis] = 0;
  }
  if (gap[0] == 0 && gap[2] == 0) {
    const float vertical = gap[1] - query->climb;
    return vertical > 0 ? vertical * vertical : 0;
  }
  return gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
}

/* Of equal scores the first in the order of the nodes wins, as if every node in the box was looked at in that
 * order. First come those that can have the best score of all; mostly one has, and that is that. Then the
 * others, as far as they can be better than the best so far. */
static void search_tree(const WmMeshTile *tile, const float centre[3], const TreeQuery *query,
                        uint16_t include_flags, uint16_t exclude_flags, WmNearestSearch *best) {
  const float before = best->score; /* of other tiles: those keep what they have */
  if (before == 0) return;
  uint32_t best_node = 0;
  for (uint32_t i = 0; i < tile->node_count;) {
    const WmTileNode *node = &tile->nodes[i];
    const bool wanted = does_overlap(node, &query->over);
    if (wanted && node->index >= 0 && does_overlap(node, &query->box) &&
        consider(tile, (uint32_t)node->index, centre, include_flags, exclude_flags, false, best)) {
      if (best->score == 0) return;
      best_node = i;
    }
    i += node->index >= 0 || wanted ? 1 : (uint32_t)-node->index;
  }
  float bound = best->score < FLT_MAX ? best->score * query->scale * 1.0001f : FLT_MAX;
  for (uint32_t i = 0; i < tile->node_count;) {
    const WmTileNode *node = &tile->nodes[i];
    const bool wanted = does_overlap(node, &query->box) && !(lowest_score(node, query) > bound);
    if (wanted && node->index >= 0 && !does_overlap(node, &query->over)) {
      const bool ties = best->score < before && i < best_node;
      if (consider(tile, (uint32_t)node->index, centre, include_flags, exclude_flags, ties, best)) {
        best_node = i;
        bound = best->score * query->scale * 1.0001f;
      }
    }
    i += node->index >= 0 || wanted ? 1 : (uint32_t)-node->index;
  }
}

/* A tile without a tree, as Detour's tile cache makes them: small, so all polygons are looked at. */
static void search_all(const WmMeshTile *tile, const float centre[3], const float low[3], const float high[3],
                       uint16_t include_flags, uint16_t exclude_flags, WmNearestSearch *best) {
  for (uint32_t i = 0; i < tile->ground_count; i++) {
    bool apart = false;
    for (int axis = 0; axis < 3; axis++) {
      float least = wm_tile_vertex(tile, i, 0)[axis], most = least;
      for (uint32_t k = 1; k < tile->polygon_size[i]; k++) {
        const float value = wm_tile_vertex(tile, i, k)[axis];
        least = value < least ? value : least;
        most = value > most ? value : most;
      }
      apart = apart || low[axis] > most || high[axis] < least;
    }
    if (!apart) consider(tile, i, centre, include_flags, exclude_flags, false, best);
  }
}

void wm_tile_find_nearest(const WmMeshTile *tile, const float centre[3], const float half_extents[3],
                          uint16_t include_flags, uint16_t exclude_flags, WmNearestSearch *best) {
  float low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = centre[axis] - half_extents[axis];
    high[axis] = centre[axis] + half_extents[axis];
    if (low[axis] > tile->bounds_max[axis] || high[axis] < tile->bounds_min[axis]) return;
  }
  if (tile->node_count > 0) {
    const TreeQuery query = make_tree_query(tile, centre, low, high);
    search_tree(tile, centre, &query, include_flags, exclude_flags, best);
  } else {
    search_all(tile, centre, low, high, include_flags, exclude_flags, best);
  }
}
