/* Vertices inserted one by one into a triangulation of the hull: for polygons in which Recast's method
 * leaves dangling faces, that is, holes, and for all polygons with heights of the level's surface.
 *
 * The triangles of the hull are made Delaunay by flips, hull edges fixed. A vertex splits the triangle, or
 * the two triangles, it lies in, and flips restore the Delaunay property around it. So the triangles
 * always cover the polygon exactly. Source: C. Lawson, Software for C1 surface interpolation (1977); M.
 * Garland, P. Heckbert, Fast polygonal approximation of terrains and height fields (1995).
 *
 * The position of a vertex, and the orientation of flipped triangles, are decided exactly (differences of
 * float coordinates and the sign of a difference of two products, in doubles). Only the in-circle test is
 * rounded, which can cost a better triangle but no validity. Hull points on a common edge may make flat
 * triangles, which a flip removes if possible. The code is optimized for size. */
#include "bake/detail/detail_internal.h"

#include <math.h>
#include <string.h>

/* ---- Predicates --------------------------------------------------------------------------------------- */

static double upper_half(double x) {
  const double c = 134217729.0 * x; /* 2^27 + 1 */
  return c - (c - x);
}

/* The rounding error of a product. Source: T. Dekker, A floating-point technique for extending the
 * available precision (1971). */
static double lost_of(double a, double b, double product) {
  const double a_high = upper_half(a), a_low = a - a_high, b_high = upper_half(b), b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/* Positive if a, b, c turn like the polygon's outline; 0 only if they are collinear. */
static double turn_of(const WmDetailShape *shape, int a, int b, int c) {
  const double x = (double)shape->x[a], z = (double)shape->z[a];
  const double abx = (double)shape->x[b] - x, abz = (double)shape->z[b] - z;
  const double acx = (double)shape->x[c] - x, acz = (double)shape->z[c] - z;
  const double p = abz * acx, q = abx * acz;
  return p != q ? p - q : lost_of(abz, acx, p) - lost_of(abx, acz, q);
}

/* True if d lies inside the circle through a, b, c, a triangle of positive turn. */
static bool is_in_circle(const WmDetailShape *shape, int a, int b, int c, int d) {
  const double x = (double)shape->x[d], z = (double)shape->z[d];
  const double ax = (double)shape->x[a] - x, az = (double)shape->z[a] - z;
  const double bx = (double)shape->x[b] - x, bz = (double)shape->z[b] - z;
  const double cx = (double)shape->x[c] - x, cz = (double)shape->z[c] - z;
  const double a2 = ax * ax + az * az, b2 = bx * bx + bz * bz, c2 = cx * cx + cz * cz;
  return a2 * (bz * cx - bx * cz) + b2 * (cz * ax - cx * az) + c2 * (az * bx - ax * bz) > 0;
}

/* ---- Flips -------------------------------------------------------------------------------------------- */

/* Edge 4 t + k runs from corner k of triangle t to the next corner. */
static int after(int edge) { return (edge & 3) < 2 ? edge + 1 : edge - 2; }
static int before(int edge) { return edge & 3 ? edge - 1 : edge + 2; }

/* The slot of the edge from a to b, if it exists; the reverse edge belongs to the triangle across. */
static uint16_t *edge_at(WmDetailInserter *mesh, int a, int b) {
  return mesh->edge_of + (a * WM_DETAIL_VERTEX_STRIDE + b);
}

/* Drops the suspect if the list is full: its edge stays unchanged, which is valid. */
static void suspect(WmDetailInserter *mesh, int edge) {
  if (mesh->suspect_count < WM_DETAIL_SUSPECT_LIMIT) mesh->suspects[mesh->suspect_count++] = (uint16_t)edge;
}

/* Writes triangle t and makes its first edge a suspect. */
static void set_triangle(WmDetailInserter *mesh, WmDetailShape *shape, int t, int a, int b, int c) {
  t *= 4;
  shape->corners[t] = (uint8_t)a;
  shape->corners[t + 1] = (uint8_t)b;
  shape->corners[t + 2] = (uint8_t)c;
  shape->corners[t + 3] = 0;
  *edge_at(mesh, a, b) = (uint16_t)t;
  *edge_at(mesh, b, c) = (uint16_t)(t + 1);
  *edge_at(mesh, c, a) = (uint16_t)(t + 2);
  suspect(mesh, t);
}

/* True if flipping the edge a, b between c and d keeps the orientation of both triangles and makes them
 * better. */
static bool is_flip_better(const WmDetailShape *shape, int a, int b, int c, int d) {
  if (turn_of(shape, a, d, c) <= 0 || turn_of(shape, d, b, c) <= 0) return false;
  const bool is_flat = turn_of(shape, a, b, c) <= 0 || turn_of(shape, b, a, d) <= 0;
  return is_flat || is_in_circle(shape, a, b, c, d);
}

/* Removes an edge: flips it if that is better, or with p >= 0 splits both its triangles at vertex p, which
 * lies on it. Returns false, with nothing changed, if an edge stays or belongs to the hull. */
static bool replace_edge(WmDetailInserter *mesh, WmDetailShape *shape, int edge, int p) {
  const uint8_t *corners = shape->corners;
  const int a = corners[edge], b = corners[after(edge)], c = corners[before(edge)];
  const int across = *edge_at(mesh, b, a);
  if (across == WM_DETAIL_NO_EDGE) return false;
  const int d = corners[before(across)];
  if (p < 0 && !is_flip_better(shape, a, b, c, d)) return false;
  const int t = edge >> 2, other = across >> 2;
  *edge_at(mesh, a, b) = *edge_at(mesh, b, a) = WM_DETAIL_NO_EDGE;
  if (p < 0) {
    set_triangle(mesh, shape, t, a, d, c);
    suspect(mesh, 4 * t + 2);
    set_triangle(mesh, shape, other, d, b, c);
    suspect(mesh, 4 * other + 1);
  } else {
    const int third = (int)shape->triangle_count;
    set_triangle(mesh, shape, t, c, a, p);
    set_triangle(mesh, shape, third, b, c, p);
    set_triangle(mesh, shape, other, a, d, p);
    set_triangle(mesh, shape, third + 1, d, b, p);
  }
  return true;
}

/* Flips until no suspect is left. In exact arithmetic that always ends; the budget ends it if rounded
 * in-circle tests contradict each other. */
static void flip_suspects(WmDetailInserter *mesh, WmDetailShape *shape) {
  for (int32_t budget = 16 * WM_DETAIL_SUSPECT_LIMIT; mesh->suspect_count > 0 && budget > 0; budget--) {
    replace_edge(mesh, shape, mesh->suspects[--mesh->suspect_count], -1);
  }
  mesh->suspect_count = 0;
}

/* ---- Insertion ---------------------------------------------------------------------------------------- */

/* Finds the triangle that contains p. Returns the edge p lies on, or the triangle's edge "3" if p is
 * inside, or -1 if there is none. */
static int locate(const WmDetailShape *shape, int p) {
  for (int t = 0; t < (int)shape->triangle_count; t++) {
    const uint8_t *corners = shape->corners + 4 * t;
    int found = 3, k = 0;
    for (; k < 3; k++) {
      const double turn = turn_of(shape, corners[k], corners[after(k)], p);
      if (turn < 0) break;
      if (turn == 0) found = k;
    }
    if (k == 3 && turn_of(shape, corners[0], corners[1], corners[2]) > 0) return 4 * t + found;
  }
  return -1;
}

void wm_detail_inserter_start(WmDetailInserter *mesh, WmDetailShape *shape) {
  mesh->suspect_count = 0;
  memset(mesh->edge_of, 0xff, sizeof mesh->edge_of);
  for (int t = 0; t < (int)shape->triangle_count; t++) {
    const uint8_t *corners = shape->corners + 4 * t;
    set_triangle(mesh, shape, t, corners[0], corners[1], corners[2]);
    suspect(mesh, 4 * t + 1);
    suspect(mesh, 4 * t + 2);
  }
  flip_suspects(mesh, shape);
}

bool wm_detail_insert_vertex(WmDetailInserter *mesh, WmDetailShape *shape) {
  const int p = shape->vertex_count - 1, edge = locate(shape, p);
  const uint32_t second = shape->triangle_count;
  if (edge < 0 || second + 2 > WM_DETAIL_TRIANGLE_LIMIT) return false;
  if (edge % 4 == 3) {
    const int t = edge / 4, a = shape->corners[4 * t], b = shape->corners[4 * t + 1],
              c = shape->corners[4 * t + 2];
    set_triangle(mesh, shape, t, a, b, p);
    set_triangle(mesh, shape, (int)second, b, c, p);
    set_triangle(mesh, shape, (int)second + 1, c, a, p);
  } else if (!replace_edge(mesh, shape, edge, p)) {
    return false;
  }
  shape->triangle_count += 2;
  flip_suspects(mesh, shape);
  return true;
}
