/* The outline of one polygon with samples on its edges, and a triangulation of it without inner vertices.
 *
 * An edge is sampled at equal steps, from its lexicographically smaller end so that both polygons at it
 * sample the same points, and simplified like a contour: points farther than max_error from the chord are
 * retained. Source of the simplification: D. Douglas, T. Peucker, Algorithms for the reduction of the
 * number of points required to represent a digitized line or its caricature (1973). The triangulation
 * starts at the corner with the shortest ear and moves up both sides, always by the shorter of the two
 * next edges. */
#include "bake/detail/detail_internal.h"
#include "base/vector.h"

#include <math.h>

/* The points of an edge, ends included, are stored in the shape's arrays after all vertices. */
enum { EDGE_PIECE_LIMIT = WM_DETAIL_EDGE_POINT_LIMIT - 1, EDGE_POINTS = WM_DETAIL_VERTEX_STRIDE };

void wm_detail_append_vertex(WmDetailShape *shape, WmFloat4 at) {
  const int32_t vertex = shape->vertex_count++;
  wm_store_float4(shape->at[vertex], at);
  shape->x[vertex] = at[0];
  shape->z[vertex] = at[2];
}

static WmFloat4 vertex_at(const WmDetailShape *shape, int32_t vertex) {
  return wm_load_float4(shape->at[vertex]);
}

static float dot_product(WmFloat4 a, WmFloat4 b) {
  const WmFloat4 products = a * b;
  return products[0] + products[1] + products[2];
}

static const WmFloat4 IN_PLANE = {1, 0, 1}, IN_SPACE = {1, 1, 1};

/* Axes with a factor of 0 are ignored; with 1 the results have the same bits as without factors. */
static float distance_to_segment_squared(const WmDetailShape *shape, int32_t point, int32_t p, int32_t q,
                                         WmFloat4 factors) {
  const WmFloat4 start = vertex_at(shape, p), at = vertex_at(shape, point);
  const WmFloat4 along = (vertex_at(shape, q) - start) * factors;
  const float length_squared = dot_product(along, along);
  float t = dot_product(along, at - start);
  if (length_squared > 0) t /= length_squared;
  t = wm_clamp_unit(t);
  const WmFloat4 apart = ((start + wm_splat_float4(t) * along) - at) * factors;
  return dot_product(apart, apart);
}

float wm_detail_extent(const WmDetailShape *shape) {
  const int32_t count = shape->polygon_vertex_count;
  float smallest = INFINITY;
  for (int32_t i = count - 1, j = 0; j < count; i = j++) {
    float largest = 0;
    for (int32_t k = 0; k < count; k++) {
      if (k == i || k == j) continue;
      const float distance = distance_to_segment_squared(shape, k, i, j, IN_PLANE);
      if (distance > largest) largest = distance;
    }
    if (largest < smallest) smallest = largest;
  }
  return sqrtf(smallest);
}

/* ---- Samples on edges --------------------------------------------------------------------------------- */

/* Writes points 0 .. (the result) from vertex p to vertex q. If the result is 1 there are none between the
 * ends, and no heights are looked up. */
static int32_t place_edge_points(WmDetailShape *shape, WmHeightPatch *patch, int32_t p, int32_t q,
                                 float sample_distance) {
  const WmFloat4 start = vertex_at(shape, p), along = vertex_at(shape, q) - start;
  const float steps = floorf(sqrtf(along[0] * along[0] + along[2] * along[2]) / sample_distance);
  int32_t pieces = steps < EDGE_PIECE_LIMIT ? 1 + (int32_t)steps : EDGE_PIECE_LIMIT;
  const int32_t free = WM_DETAIL_VERTEX_LIMIT - 1 - shape->vertex_count;
  if (pieces > free) pieces = free;
  if (pieces < 2) return 1;
  for (int32_t k = 0; k <= pieces; k++) {
    WmFloat4 at = start + along * wm_splat_float4((float)k / (float)pieces);
    const float height = wm_height_patch_look_up(patch, at);
    if (!isnan(height)) at[1] = wm_height_patch_correct(patch, at[0], height, at[2]);
    wm_store_float4(shape->at[EDGE_POINTS + k], at);
  }
  return pieces;
}

/* The retained points, as bits: the first, the last, and those too far from the chords. */
static uint32_t simplify_edge(const WmDetailShape *shape, int32_t last, float max_error) {
  uint32_t retained = 1u << last;
  int32_t first = 0;
  while (first < last) {
    const int32_t end = first + 1 + __builtin_ctz(retained >> (first + 1));
    float farthest = 0;
    int32_t split = -1;
    for (int32_t k = first + 1; k < end; k++) {
      const float distance = distance_to_segment_squared(shape, EDGE_POINTS + k, EDGE_POINTS + first,
                                                         EDGE_POINTS + end, IN_SPACE);
      if (distance > farthest) {
        farthest = distance;
        split = k;
      }
    }
    if (split >= 0 && farthest > max_error * max_error) {
      retained |= 1u << split;
    } else {
      first = end;
    }
  }
  return retained;
}

void wm_detail_sample_edges(WmDetailShape *shape, WmHeightPatch *patch, float sample_distance,
                            float max_error) {
  const int32_t count = shape->polygon_vertex_count;
  shape->hull_count = 0;
  for (int32_t i = 0, j = count - 1; i < count; j = i++) {
    shape->hull[shape->hull_count++] = (uint8_t)j;
    const float apart = shape->x[j] - shape->x[i];
    const bool is_swapped = fabsf(apart) < 1e-6f ? shape->z[j] > shape->z[i] : apart > 0;
    const int32_t last =
        place_edge_points(shape, patch, is_swapped ? i : j, is_swapped ? j : i, sample_distance);
    const uint32_t retained = simplify_edge(shape, last, max_error);
    for (int32_t n = 1; n < last; n++) {
      const int32_t k = is_swapped ? last - n : n;
      if (!(retained >> k & 1)) continue;
      shape->hull[shape->hull_count++] = (uint8_t)shape->vertex_count;
      wm_detail_append_vertex(shape, vertex_at(shape, EDGE_POINTS + k));
    }
  }
}

void wm_detail_unsampled_hull(WmDetailShape *shape) {
  const int32_t count = shape->polygon_vertex_count;
  shape->vertex_count = shape->hull_count = count;
  for (int32_t i = 0; i < count; i++) shape->hull[i] = (uint8_t)((i > 0 ? i : count) - 1);
}

/* ---- Triangulation ------------------------------------------------------------------------------------ */

static float distance_between(const WmDetailShape *shape, int32_t hull_a, int32_t hull_b) {
  const int32_t a = shape->hull[hull_a], b = shape->hull[hull_b];
  const float dx = shape->x[b] - shape->x[a], dz = shape->z[b] - shape->z[a];
  return sqrtf(dx * dx + dz * dz);
}

static int32_t next_on_hull(const WmDetailShape *shape, int32_t i) {
  return i + 1 < shape->hull_count ? i + 1 : 0;
}

static int32_t previous_on_hull(const WmDetailShape *shape, int32_t i) {
  return (i > 0 ? i : shape->hull_count) - 1;
}

/* The length of the path from a over b to c. */
static float distance_over(const WmDetailShape *shape, int32_t a, int32_t b, int32_t c) {
  return distance_between(shape, a, b) + distance_between(shape, b, c);
}

/* Among the polygon's own corners, the one with the shortest perimeter of the triangle with its
 * neighbours. */
static int32_t find_shortest_ear(const WmDetailShape *shape) {
  float shortest = INFINITY;
  int32_t start = 0;
  for (int32_t i = 0; i < shape->hull_count; i++) {
    if (shape->hull[i] >= shape->polygon_vertex_count) continue;
    const int32_t before = previous_on_hull(shape, i), after = next_on_hull(shape, i);
    const float perimeter = distance_over(shape, before, i, after) + distance_between(shape, after, before);
    if (perimeter < shortest) {
      shortest = perimeter;
      start = i;
    }
  }
  return start;
}

static void append_triangle(WmDetailShape *shape, int32_t a, int32_t b, int32_t c) {
  uint8_t *corners = shape->corners + 4 * shape->triangle_count++;
  corners[0] = shape->hull[a];
  corners[1] = shape->hull[b];
  corners[2] = shape->hull[c];
  corners[3] = 0;
}

void wm_detail_triangulate_hull(WmDetailShape *shape) {
  shape->triangle_count = 0;
  if (shape->hull_count < 3) return;
  const int32_t start = find_shortest_ear(shape);
  int32_t left = next_on_hull(shape, start), right = previous_on_hull(shape, start), corner = start;
  append_triangle(shape, start, left, right);
  while (next_on_hull(shape, left) != right) {
    const int32_t next_left = next_on_hull(shape, left), next_right = previous_on_hull(shape, right);
    const bool goes_left =
        distance_over(shape, left, next_left, right) < distance_over(shape, right, next_right, left);
    corner = goes_left ? next_left : next_right;
    append_triangle(shape, left, corner, right);
    *(goes_left ? &left : &right) = corner;
  }
}
