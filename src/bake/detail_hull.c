/* The outline of one polygon with samples on its edges, and a triangulation of it without inner vertices.
 *
 * An edge is sampled at equal steps, from its lexicographically smaller end so that both polygons at it
 * sample the same points, and simplified like a contour: points farther than max_error from the chord are
 * kept. Source of the simplification: D. Douglas, T. Peucker, Algorithms for the reduction of the number of
 * points required to represent a digitized line or its caricature (1973). The triangulation starts at the
 * corner with the shortest ear and goes up both sides, always taking the shorter next edge. */
#include "bake/detail_internal.h"

#include <math.h>

enum { EDGE_POINT_LIMIT = 32 };

/* ---- The polygon's width ---------------------------------------------------------------------------- */

static float distance_to_segment_squared(const WmDetailShape *shape, int32_t point, int32_t p, int32_t q) {
  const float ex = shape->x[q] - shape->x[p], ez = shape->z[q] - shape->z[p];
  float dx = shape->x[point] - shape->x[p], dz = shape->z[point] - shape->z[p];
  const float length_squared = ex * ex + ez * ez;
  float t = ex * dx + ez * dz;
  if (length_squared > 0) t /= length_squared;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  dx = (shape->x[p] + t * ex) - shape->x[point];
  dz = (shape->z[p] + t * ez) - shape->z[point];
  return dx * dx + dz * dz;
}

float wm_detail_extent(const WmDetailShape *shape) {
  const int32_t count = shape->polygon_vertex_count;
  float smallest = INFINITY;
  for (int32_t i = 0; i < count; i++) {
    const int32_t j = (i + 1) % count;
    float largest = 0;
    for (int32_t k = 0; k < count; k++) {
      if (k == i || k == j) continue;
      const float distance = distance_to_segment_squared(shape, k, i, j);
      if (distance > largest) largest = distance;
    }
    if (largest < smallest) smallest = largest;
  }
  return sqrtf(smallest);
}

/* ---- Samples on edges -----------------------------------------------------------------------------------
 */

/* Equally spaced points along an edge, ends included. */
typedef struct EdgePoints {
  int32_t last; /* points 0 .. last */
  float x[EDGE_POINT_LIMIT], y[EDGE_POINT_LIMIT], z[EDGE_POINT_LIMIT];
  bool is_kept[EDGE_POINT_LIMIT];
} EdgePoints;

static int32_t count_pieces(float length, float sample_distance, int32_t vertex_count) {
  const float steps = floorf(length / sample_distance);
  int32_t pieces = steps < EDGE_POINT_LIMIT ? 1 + (int32_t)steps : EDGE_POINT_LIMIT;
  if (pieces >= EDGE_POINT_LIMIT) pieces = EDGE_POINT_LIMIT - 1;
  if (vertex_count + pieces >= WM_DETAIL_VERTEX_LIMIT) pieces = WM_DETAIL_VERTEX_LIMIT - 1 - vertex_count;
  return pieces < 1 ? 1 : pieces;
}

static void sample_edge(const WmDetailShape *shape, WmHeightPatch *patch, int32_t p, int32_t q,
                        float sample_distance, EdgePoints *points) {
  const float dx = shape->x[q] - shape->x[p], dy = shape->y[q] - shape->y[p], dz = shape->z[q] - shape->z[p];
  const int32_t pieces = count_pieces(sqrtf(dx * dx + dz * dz), sample_distance, shape->vertex_count);
  points->last = pieces;
  for (int32_t k = 0; k <= pieces; k++) {
    const float u = (float)k / (float)pieces;
    points->x[k] = shape->x[p] + dx * u;
    points->z[k] = shape->z[p] + dz * u;
    const float y = shape->y[p] + dy * u;
    points->y[k] =
        pieces > 1 ? (float)wm_height_patch_look_up(patch, points->x[k], y, points->z[k]) * patch->cell_height
                   : y; /* nothing between the ends: their heights are not looked at */
    points->is_kept[k] = k == 0 || k == pieces;
  }
}

static float distance_to_chord_squared(const EdgePoints *points, int32_t point, int32_t p, int32_t q) {
  const float ex = points->x[q] - points->x[p], ey = points->y[q] - points->y[p],
              ez = points->z[q] - points->z[p];
  float dx = points->x[point] - points->x[p], dy = points->y[point] - points->y[p],
        dz = points->z[point] - points->z[p];
  const float length_squared = ex * ex + ey * ey + ez * ez;
  float t = ex * dx + ey * dy + ez * dz;
  if (length_squared > 0) t /= length_squared;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  dx = (points->x[p] + t * ex) - points->x[point];
  dy = (points->y[p] + t * ey) - points->y[point];
  dz = (points->z[p] + t * ez) - points->z[point];
  return dx * dx + dy * dy + dz * dz;
}

static void simplify_edge(EdgePoints *points, float max_error) {
  int32_t ends[EDGE_POINT_LIMIT], depth = 0, first = 0;
  ends[depth++] = points->last;
  while (depth > 0) {
    const int32_t end = ends[depth - 1];
    float farthest = 0;
    int32_t split = -1;
    for (int32_t k = first + 1; k < end; k++) {
      const float distance = distance_to_chord_squared(points, k, first, end);
      if (distance > farthest) {
        farthest = distance;
        split = k;
      }
    }
    if (split >= 0 && farthest > max_error * max_error) {
      points->is_kept[split] = true;
      ends[depth++] = split;
    } else {
      first = end;
      depth--;
    }
  }
}

static void append_edge_point(WmDetailShape *shape, const EdgePoints *points, int32_t k) {
  if (!points->is_kept[k] || shape->vertex_count >= WM_DETAIL_VERTEX_LIMIT) return;
  const int32_t vertex = shape->vertex_count++;
  shape->x[vertex] = points->x[k];
  shape->y[vertex] = points->y[k];
  shape->z[vertex] = points->z[k];
  shape->hull[shape->hull_count++] = (uint8_t)vertex;
}

void wm_detail_sample_edges(WmDetailShape *shape, WmHeightPatch *patch, float sample_distance,
                            float max_error) {
  const int32_t count = shape->polygon_vertex_count;
  shape->hull_count = 0;
  for (int32_t i = 0, j = count - 1; i < count; j = i++) {
    shape->hull[shape->hull_count++] = (uint8_t)j;
    const bool is_swapped =
        fabsf(shape->x[j] - shape->x[i]) < 1e-6f ? shape->z[j] > shape->z[i] : shape->x[j] > shape->x[i];
    EdgePoints points;
    sample_edge(shape, patch, is_swapped ? i : j, is_swapped ? j : i, sample_distance, &points);
    simplify_edge(&points, max_error);
    if (is_swapped) {
      for (int32_t k = points.last - 1; k > 0; k--) append_edge_point(shape, &points, k);
    } else {
      for (int32_t k = 1; k < points.last; k++) append_edge_point(shape, &points, k);
    }
  }
}

void wm_detail_plain_hull(WmDetailShape *shape) {
  const int32_t count = shape->polygon_vertex_count;
  shape->vertex_count = shape->hull_count = count;
  for (int32_t i = 0; i < count; i++) shape->hull[i] = (uint8_t)((i + count - 1) % count);
}

/* ---- Triangulation ----------------------------------------------------------------------------------------
 */

static float distance_between(const WmDetailShape *shape, int32_t hull_a, int32_t hull_b) {
  const int32_t a = shape->hull[hull_a], b = shape->hull[hull_b];
  const float dx = shape->x[b] - shape->x[a], dz = shape->z[b] - shape->z[a];
  return sqrtf(dx * dx + dz * dz);
}

static int32_t next_on_hull(const WmDetailShape *shape, int32_t i) {
  return i + 1 < shape->hull_count ? i + 1 : 0;
}

static int32_t previous_on_hull(const WmDetailShape *shape, int32_t i) {
  return i > 0 ? i - 1 : shape->hull_count - 1;
}

/* Among the polygon's own corners, that with the shortest perimeter of itself and its two neighbours. */
static int32_t find_shortest_ear(const WmDetailShape *shape) {
  float shortest = INFINITY;
  int32_t start = 0;
  for (int32_t i = 0; i < shape->hull_count; i++) {
    if (shape->hull[i] >= shape->polygon_vertex_count) continue;
    const int32_t before = previous_on_hull(shape, i), after = next_on_hull(shape, i);
    const float perimeter = distance_between(shape, before, i) + distance_between(shape, i, after) +
                            distance_between(shape, after, before);
    if (perimeter < shortest) {
      shortest = perimeter;
      start = i;
    }
  }
  return start;
}

static void append_triangle(WmDetailShape *shape, int32_t a, int32_t b, int32_t c) {
  uint8_t *triangle = shape->triangles[shape->triangle_count++];
  triangle[0] = shape->hull[a];
  triangle[1] = shape->hull[b];
  triangle[2] = shape->hull[c];
}

void wm_detail_triangulate_hull(WmDetailShape *shape) {
  shape->triangle_count = 0;
  if (shape->hull_count < 3) return;
  const int32_t start = find_shortest_ear(shape);
  int32_t left = next_on_hull(shape, start), right = previous_on_hull(shape, start);
  append_triangle(shape, start, left, right);
  while (next_on_hull(shape, left) != right) {
    const int32_t next_left = next_on_hull(shape, left), next_right = previous_on_hull(shape, right);
    const float cost_left =
        distance_between(shape, left, next_left) + distance_between(shape, next_left, right);
    const float cost_right =
        distance_between(shape, right, next_right) + distance_between(shape, left, next_right);
    if (cost_left < cost_right) {
      append_triangle(shape, left, next_left, right);
      left = next_left;
    } else {
      append_triangle(shape, left, next_right, right);
      right = next_right;
    }
  }
}
