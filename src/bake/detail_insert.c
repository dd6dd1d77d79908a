/* Vertices inserted one by one into a triangulation of the hull: the way for polygons in which Recast's
 * method leaves dangling faces, that is, holes.
 *
 * The triangles of the hull are made Delaunay by flips, hull edges fixed; a vertex splits the triangle, or
 * the two triangles, it lies in, and flips restore the Delaunay property around it. So the triangles cover
 * the polygon exactly at every moment. Source: C. Lawson, Software for C1 surface interpolation (1977); M.
 * Garland, P. Heckbert, Fast polygonal approximation of terrains and height fields (1995).
 *
 * Where a vertex lies, and whether a flip keeps the triangles upright, is decided exactly (differences of
 * float coordinates and the sign of a difference of two products, in doubles); only the in-circle test is
 * rounded, which can cost a better triangle but no validity. Hull points on a common edge may make flat
 * triangles, which a flip removes where it can. These polygons are rare: the code is kept simple. */
#include "bake/detail_internal.h"

#include <math.h>
#include <string.h>

/* ---- Predicates -----------------------------------------------------------------------------------------
 */

/* The product of two doubles as the unevaluated sum of two. Source: T. Dekker, A floating-point technique for
 * extending the available precision (1971). */
typedef struct Product {
  double high, low;
} Product;

static double upper_half(double x) {
  const double c = 134217729.0 * x; /* 2^27 + 1 */
  return c - (c - x);
}

static Product multiply(double a, double b) {
  const double a_high = upper_half(a), a_low = a - a_high, b_high = upper_half(b), b_low = b - b_high;
  const double high = a * b;
  const double low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
  return (Product){high, low};
}

/* Positive where a, b, c turn like the polygon's outline; 0 only where they are in line. */
static double turn_of(const WmDetailShape *shape, int a, int b, int c) {
  const double abx = (double)shape->x[b] - (double)shape->x[a],
               abz = (double)shape->z[b] - (double)shape->z[a];
  const double acx = (double)shape->x[c] - (double)shape->x[a],
               acz = (double)shape->z[c] - (double)shape->z[a];
  const Product p = multiply(abz, acx), q = multiply(abx, acz);
  return p.high != q.high ? p.high - q.high : p.low - q.low;
}

/* Whether d lies inside the circle through a, b, c, a triangle of positive turn. */
static bool is_in_circle(const WmDetailShape *shape, int a, int b, int c, int d) {
  const double x = (double)shape->x[d], z = (double)shape->z[d];
  const double ax = (double)shape->x[a] - x, az = (double)shape->z[a] - z;
  const double bx = (double)shape->x[b] - x, bz = (double)shape->z[b] - z;
  const double cx = (double)shape->x[c] - x, cz = (double)shape->z[c] - z;
  const double a2 = ax * ax + az * az, b2 = bx * bx + bz * bz, c2 = cx * cx + cz * cz;
  return a2 * (bz * cx - bx * cz) + b2 * (cz * ax - cx * az) + c2 * (az * bx - ax * bz) > 0;
}

/* ---- Flips ------------------------------------------------------------------------------------------------
 */

static int after(int k) { return k < 2 ? k + 1 : 0; }
static int before(int k) { return k > 0 ? k - 1 : 2; }

static void set_triangle(WmDetailInserter *mesh, int t, int a, int b, int c, int across_ab, int across_bc,
                         int across_ca) {
  mesh->corners[t][0] = (uint8_t)a;
  mesh->corners[t][1] = (uint8_t)b;
  mesh->corners[t][2] = (uint8_t)c;
  mesh->neighbours[t][0] = (int16_t)across_ab;
  mesh->neighbours[t][1] = (int16_t)across_bc;
  mesh->neighbours[t][2] = (int16_t)across_ca;
}

/* The edge of t that starts at vertex a. */
static int edge_from(const WmDetailInserter *mesh, int t, int a) {
  return mesh->corners[t][0] == a ? 0 : mesh->corners[t][1] == a ? 1 : 2;
}

/* Tells triangle t, which lies across the edge from a, that its neighbour there is now `other`. */
static void set_neighbour(WmDetailInserter *mesh, int t, int a, int other) {
  if (t >= 0) mesh->neighbours[t][edge_from(mesh, t, a)] = (int16_t)other;
}

/* Forgets the suspect where there is no room: it stays as it is, which is valid. */
static void suspect(WmDetailInserter *mesh, int t, int edge) {
  if (mesh->suspect_count == WM_DETAIL_SUSPECT_LIMIT) return;
  mesh->suspects[mesh->suspect_count][0] = (int16_t)t;
  mesh->suspects[mesh->suspect_count++][1] = (int16_t)edge;
}

/* Flips the edge where that keeps both triangles upright and makes them better. */
static void flip_if_better(WmDetailInserter *mesh, const WmDetailShape *shape, int t, int edge) {
  const int other = mesh->neighbours[t][edge];
  if (other < 0) return;
  const int a = mesh->corners[t][edge], b = mesh->corners[t][after(edge)], c = mesh->corners[t][before(edge)];
  const int other_edge = edge_from(mesh, other, b), d = mesh->corners[other][before(other_edge)];
  if (turn_of(shape, a, d, c) <= 0 || turn_of(shape, d, b, c) <= 0) return;
  const bool is_flat = turn_of(shape, a, b, c) <= 0 || turn_of(shape, b, a, d) <= 0;
  if (!is_flat && !is_in_circle(shape, a, b, c, d)) return;
  const int across_bc = mesh->neighbours[t][after(edge)], across_ca = mesh->neighbours[t][before(edge)];
  const int across_ad = mesh->neighbours[other][after(other_edge)];
  const int across_db = mesh->neighbours[other][before(other_edge)];
  set_triangle(mesh, t, a, d, c, across_ad, other, across_ca);
  set_triangle(mesh, other, d, b, c, across_db, across_bc, t);
  set_neighbour(mesh, across_ad, d, t);
  set_neighbour(mesh, across_bc, c, other);
  suspect(mesh, t, 0);
  suspect(mesh, t, 2);
  suspect(mesh, other, 0);
  suspect(mesh, other, 1);
}

/* Flips until no suspect is left. In exact arithmetic this ends by itself; the budget ends it where rounded
 * in-circle tests contradict each other. */
static void flip_suspects(WmDetailInserter *mesh, const WmDetailShape *shape) {
  int32_t budget = 16 * WM_DETAIL_SUSPECT_LIMIT;
  while (mesh->suspect_count > 0 && budget-- > 0) {
    const int16_t *last = mesh->suspects[--mesh->suspect_count];
    flip_if_better(mesh, shape, last[0], last[1]);
  }
  mesh->suspect_count = 0;
}

/* ---- Insertion
 * ---------------------------------------------------------------------------------------------- */

/* Finds the triangle that holds p; `edge` is the edge p lies on, or -1. Returns -1 where there is none. */
static int locate(const WmDetailInserter *mesh, const WmDetailShape *shape, int p, int *edge) {
  for (int t = 0; t < mesh->triangle_count; t++) {
    const uint8_t *corners = mesh->corners[t];
    *edge = -1;
    int k = 0;
    for (; k < 3; k++) {
      const double turn = turn_of(shape, corners[k], corners[after(k)], p);
      if (turn < 0) break;
      if (turn == 0) *edge = k;
    }
    if (k == 3 && turn_of(shape, corners[0], corners[1], corners[2]) > 0) return t;
  }
  return -1;
}

static void split_triangle(WmDetailInserter *mesh, int t, int p) {
  const int a = mesh->corners[t][0], b = mesh->corners[t][1], c = mesh->corners[t][2];
  const int across_ab = mesh->neighbours[t][0], across_bc = mesh->neighbours[t][1],
            across_ca = mesh->neighbours[t][2];
  const int second = mesh->triangle_count, third = second + 1;
  mesh->triangle_count += 2;
  set_triangle(mesh, t, a, b, p, across_ab, second, third);
  set_triangle(mesh, second, b, c, p, across_bc, third, t);
  set_triangle(mesh, third, c, a, p, across_ca, t, second);
  set_neighbour(mesh, across_bc, c, second);
  set_neighbour(mesh, across_ca, a, third);
  suspect(mesh, t, 0);
  suspect(mesh, second, 0);
  suspect(mesh, third, 0);
}

/* Splits both triangles at the edge p lies on. */
static void split_edge(WmDetailInserter *mesh, int t, int edge, int p) {
  const int other = mesh->neighbours[t][edge];
  const int a = mesh->corners[t][edge], b = mesh->corners[t][after(edge)], c = mesh->corners[t][before(edge)];
  const int other_edge = edge_from(mesh, other, b), d = mesh->corners[other][before(other_edge)];
  const int across_bc = mesh->neighbours[t][after(edge)], across_ca = mesh->neighbours[t][before(edge)];
  const int across_ad = mesh->neighbours[other][after(other_edge)];
  const int across_db = mesh->neighbours[other][before(other_edge)];
  const int third = mesh->triangle_count, fourth = third + 1;
  mesh->triangle_count += 2;
  set_triangle(mesh, t, c, a, p, across_ca, other, third);
  set_triangle(mesh, third, b, c, p, across_bc, t, fourth);
  set_triangle(mesh, other, a, d, p, across_ad, fourth, t);
  set_triangle(mesh, fourth, d, b, p, across_db, third, other);
  set_neighbour(mesh, across_bc, c, third);
  set_neighbour(mesh, across_db, b, fourth);
  suspect(mesh, t, 0);
  suspect(mesh, third, 0);
  suspect(mesh, other, 0);
  suspect(mesh, fourth, 0);
}

/* ---- Facets
 * -------------------------------------------------------------------------------------------------- */

/* Replaces the facets of triangles that changed since `old_corners`, and of those from old_count on. */
static void update_facets(WmDetailInserter *mesh, const WmDetailShape *shape, WmDetailSamples *samples,
                          int old_count) {
  for (int t = 0; t < old_count; t++) {
    if (memcmp(mesh->corners[t], mesh->old_corners[t], 3) == 0) continue;
    wm_detail_remove_facet(samples, mesh->facet[t]);
    mesh->facet[t] = WM_DETAIL_NO_FACET;
  }
  wm_detail_resolve_orphans(samples);
  for (int t = 0; t < mesh->triangle_count; t++) {
    if (t < old_count && mesh->facet[t] != WM_DETAIL_NO_FACET) continue;
    mesh->facet[t] = wm_detail_add_facet(samples, shape, mesh->corners[t]);
  }
}

static void link_neighbours(WmDetailInserter *mesh) {
  for (int t = 0; t < mesh->triangle_count; t++) {
    for (int k = 0; k < 3; k++) {
      mesh->neighbours[t][k] = -1;
      const int a = mesh->corners[t][k], b = mesh->corners[t][after(k)];
      for (int other = 0; other < mesh->triangle_count; other++) {
        const int edge = edge_from(mesh, other, b);
        if (mesh->corners[other][edge] == b && mesh->corners[other][after(edge)] == a) {
          mesh->neighbours[t][k] = (int16_t)other;
        }
      }
    }
  }
}

void wm_detail_inserter_start(WmDetailInserter *mesh, const WmDetailShape *shape, WmDetailSamples *samples) {
  mesh->triangle_count = (int32_t)shape->triangle_count;
  memcpy(mesh->corners, shape->triangles, 3 * (size_t)shape->triangle_count);
  link_neighbours(mesh);
  mesh->suspect_count = 0;
  for (int t = 0; t < mesh->triangle_count; t++) {
    for (int k = 0; k < 3; k++) suspect(mesh, t, k);
  }
  flip_suspects(mesh, shape);
  update_facets(mesh, shape, samples, 0);
}

bool wm_detail_insert_vertex(WmDetailInserter *mesh, const WmDetailShape *shape, WmDetailSamples *samples) {
  const int p = shape->vertex_count - 1;
  int edge = -1;
  const int t = locate(mesh, shape, p, &edge);
  if (t < 0 || mesh->triangle_count + 2 > WM_DETAIL_TRIANGLE_LIMIT) return false;
  if (edge >= 0 && mesh->neighbours[t][edge] < 0) return false;
  const int old_count = mesh->triangle_count;
  memcpy(mesh->old_corners, mesh->corners, 3 * (size_t)old_count);
  if (edge < 0) {
    split_triangle(mesh, t, p);
  } else {
    split_edge(mesh, t, edge, p);
  }
  flip_suspects(mesh, shape);
  update_facets(mesh, shape, samples, old_count);
  return true;
}

void wm_detail_take_inserted(const WmDetailInserter *mesh, WmDetailShape *shape) {
  shape->triangle_count = (uint32_t)mesh->triangle_count;
  memcpy(shape->triangles, mesh->corners, 3 * (size_t)mesh->triangle_count);
}
