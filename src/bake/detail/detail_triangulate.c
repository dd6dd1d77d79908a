/* The triangulation of a polygon's hull and inner vertices, redone after each insertion, with Recast's
 * bits.
 *
 * The method: a list of edges starts with the hull. Each edge, in order, whose right side is still open is
 * completed: among the vertices on that side, in ascending order, the one is chosen whose circle with the
 * edge contains no other (with a tolerance, within which a candidate must not cross an existing edge). The
 * new face's other two edges are appended, or their open side closed:
 *
 *             best            t, s: the edge; its right side was open
 *             /  \            s, best and best, t: appended as new edges with an open right side,
 *            /    \           or, if the reverse edge is in the list, that edge's right side is closed
 *           t <--- s
 *
 * Source: A. Nilsson's sketch in Recast, after gift-wrapping construction of Delaunay triangulations (e.g.
 * J. O'Rourke, Computational Geometry in C, chapter 5).
 *
 * The result depends on the order of turns only, and a new vertex is the last one that each turn compares.
 * So a run can skip work, with the same results as a run from the start:
 * - It resumes at the first turn whose outcome the new vertex changes: the vertex lies on the open side of
 *   the edge and, if a face was found, not outside its circle. At that time all edges before are complete,
 *   so only the counts and the right sides of the edges after must be reset (left sides are never open).
 * - The candidate that a directed edge found is stored as a memo, from which its next turn continues. The
 *   stored state is that before the first vertex within the tolerance: from there on, the outcome depends
 *   on the other edges.
 * - A face starts with the edge that made it, followed by the vertex found: all other edges of the face
 *   are younger, or else it dangles. So a face's corners, in order, are the directed edge and its memo's
 *   vertex.
 * A face both of whose other edges are taken already is dangling: Recast drops it, which leaves a hole;
 * wm_detail_triangulate returns false. */
#include "bake/detail/detail_internal.h"

#include <math.h>
#include <string.h>

enum { RIGHT_OPEN = 0xffff, RIGHT_HULL = 0xfffe, NO_VERTEX = WM_DETAIL_VERTEX_LIMIT };

static const float CIRCLE_TOLERANCE = 0.001f;
static const float CROSS_TOLERANCE = 1e-5f;

/* Squares of the radius with the tolerance added, rounded up, and subtracted, rounded down. */
static const float OUTER_SQUARED = 1.002001f * 1.00001f, INNER_SQUARED = 0.998001f * 0.99999f;

typedef WmDetailTriangulation Mesh;
typedef WmDetailShape Shape;
typedef WmDetailCircle Circle;

/* ---- Geometry ----------------------------------------------------------------------------------------- */

static Circle circle_through(const Shape *shape, int p, int q, int w) {
  const float *x = shape->x, *z = shape->z, px = x[p], pz = z[p];
  const float ax = x[q] - px, az = z[q] - pz, bx = x[w] - px, bz = z[w] - pz;
  const float twice_area = ax * bz - az * bx;
  if (!(fabsf(twice_area) > 1e-6f)) return (Circle){px, pz, 0, w};
  const float a_squared = ax * ax + az * az, b_squared = bx * bx + bz * bz;
  /* The zero terms change the sign of a zero result, so they stay. */
  const float cx = (0.0f * (az - bz) + a_squared * bz + b_squared * (0 - az)) / (2 * twice_area);
  const float cz = (0.0f * (bx - ax) + a_squared * (0 - bx) + b_squared * ax) / (2 * twice_area);
  return (Circle){cx + px, cz + pz, cx * cx + cz * cz, w};
}

/* True if the segment properly crosses an edge that doesn't end at one of its ends. With c, d the segment
 * and a, b the edge, k1 is the turn of a, b, d, k2 of a, b, c, k3 of c, d, a. */
WM_NOINLINE static bool crosses_an_edge(const Mesh *mesh, const Shape *shape, int c, int d) {
  const WmFloat4 cx = wm_splat_float4(shape->x[c]), cz = wm_splat_float4(shape->z[c]);
  const WmFloat4 dx = wm_splat_float4(shape->x[d]), dz = wm_splat_float4(shape->z[d]);
  const WmFloat4 cdx = dx - cx, cdz = dz - cz, zero = {0};
  const WmInt4 c4 = wm_splat_int4(c), d4 = wm_splat_int4(d);
  for (int32_t e = 0, left = (int32_t)mesh->edge_count; left > 0; e += 4, left -= 4) {
    const WmFloat4 ax = wm_load_float4(mesh->from_x + e), az = wm_load_float4(mesh->from_z + e);
    const WmFloat4 abx = wm_load_float4(mesh->to_x + e) - ax, abz = wm_load_float4(mesh->to_z + e) - az;
    const WmFloat4 acx = cx - ax, acz = cz - az;
    const WmFloat4 k1 = abx * (dz - az) - abz * (dx - ax);
    const WmFloat4 k2 = abx * acz - abz * acx;
    if (!wm_mask_int4(k1 * k2 < zero)) continue;
    const WmFloat4 k3 = cdz * acx - cdx * acz;
    const WmFloat4 k4 = (k3 + k2) - k1;
    const WmInt4 from = wm_load_int4(mesh->from + e), to = wm_load_int4(mesh->to + e);
    const WmInt4 meets = (from == c4) | (from == d4) | (to == c4) | (to == d4);
    const int mask = wm_mask_int4((k1 * k2 < zero) & (k3 * k4 < zero) & ~meets);
    if (left < 4 ? mask & ((1 << left) - 1) : mask) return true;
  }
  return false;
}

/* ---- One turn ----------------------------------------------------------------------------------------- */

/* The first vertex from u on that is on the right side of the edge and not clearly outside the circle. It
 * only filters: the radius is rounded up. */
static int next_candidate(const Shape *shape, int s, int t, const Circle *circle, int u) {
  const int count = shape->vertex_count;
  const WmFloat4 sx = wm_splat_float4(shape->x[s]), sz = wm_splat_float4(shape->z[s]);
  const WmFloat4 along_x = wm_splat_float4(shape->x[t]) - sx, along_z = wm_splat_float4(shape->z[t]) - sz;
  const WmFloat4 centre_x = wm_splat_float4(circle->x), centre_z = wm_splat_float4(circle->z);
  const WmFloat4 reach = wm_splat_float4(circle->radius_squared * OUTER_SQUARED);
  for (; u < count; u += 4) {
    const WmFloat4 x = wm_load_float4(shape->x + u), z = wm_load_float4(shape->z + u);
    const WmFloat4 cross = along_x * (z - sz) - along_z * (x - sx);
    const WmFloat4 dx = x - centre_x, dz = z - centre_z;
    const int mask = wm_mask_int4((WmInt4)(cross > wm_splat_float4(CROSS_TOLERANCE)) &
                                  ~(WmInt4)(dx * dx + dz * dz > reach));
    if (!mask) continue;
    u += __builtin_ctz((unsigned)mask);
    break;
  }
  return u < count ? u : count;
}

/* The candidate of the directed edge among all vertices. The memo stores the state before the first vertex
 * whose outcome depends on the other edges. */
static Circle complete_edge(const Mesh *mesh, const Shape *shape, WmDetailMemo *memo, int s, int t) {
  Circle circle = memo->circle;
  const int count = shape->vertex_count;
  bool is_independent = true;
  for (int u = memo->next_vertex;; u++) {
    u = next_candidate(shape, s, t, &circle, u);
    if (is_independent) {
      memo->circle = circle;
      memo->next_vertex = u;
    }
    if (u == count) return circle;
    const float dx = shape->x[u] - circle.x, dz = shape->z[u] - circle.z;
    const float distance_squared = dx * dx + dz * dz;
    if (!(distance_squared < circle.radius_squared * INNER_SQUARED)) {
      const float distance = sqrtf(distance_squared), radius = sqrtf(circle.radius_squared);
      if (distance > radius * (1 + CIRCLE_TOLERANCE)) continue;
      if (!(distance < radius * (1 - CIRCLE_TOLERANCE))) {
        is_independent = false;
        if (crosses_an_edge(mesh, shape, s, u) || crosses_an_edge(mesh, shape, t, u)) continue;
      }
    }
    circle = circle_through(shape, s, t, u);
  }
}

static uint32_t pair_of(uint32_t s, uint32_t t) { return s * WM_DETAIL_VERTEX_STRIDE + t; }

WM_NOINLINE static WmDetailMemo *find_memo(Mesh *mesh, uint32_t s, uint32_t t) {
  const uint32_t pair = pair_of(s, t), known = mesh->memo_of[pair];
  if (known < mesh->memo_count && mesh->memos[known].pair == pair) return mesh->memos + known;
  if (mesh->memo_count == WM_DETAIL_MEMO_LIMIT) mesh->memo_count = 0; /* memos only save time */
  WmDetailMemo *memo = mesh->memos + mesh->memo_count;
  mesh->memo_of[pair] = (uint16_t)mesh->memo_count++;
  *memo = (WmDetailMemo){{0, 0, INFINITY, NO_VERTEX}, pair, 0};
  return memo;
}

/* ---- The list of edges -------------------------------------------------------------------------------- */

WM_NOINLINE static void append_edge(Mesh *mesh, const Shape *shape, uint32_t from, uint32_t to) {
  const uint32_t edge = mesh->edge_count++;
  mesh->from[edge] = (int32_t)from;
  mesh->to[edge] = (int32_t)to;
  mesh->right[edge] = RIGHT_OPEN;
  mesh->from_x[edge] = shape->x[from];
  mesh->from_z[edge] = shape->z[from];
  mesh->to_x[edge] = shape->x[to];
  mesh->to_z[edge] = shape->z[to];
  mesh->edge_of[pair_of(from, to)] = (uint16_t)edge;
}

/* The edge from a to b, or the number of edges if there is none. */
static uint32_t find_edge(const Mesh *mesh, uint32_t a, uint32_t b) {
  const uint32_t edge = mesh->edge_of[pair_of(a, b)];
  const bool is_it =
      edge < mesh->edge_count && mesh->from[edge] == (int32_t)a && mesh->to[edge] == (int32_t)b;
  return is_it ? edge : mesh->edge_count;
}

/* Connects the newest face to its edge from a to b. Returns false if that side is taken or, though that
 * does not occur in planar meshes, the list of edges is full. */
WM_NOINLINE static bool attach_face(Mesh *mesh, const Shape *shape, uint32_t a, uint32_t b) {
  const uint32_t count = mesh->edge_count, reverse = find_edge(mesh, b, a);
  if (reverse < count) {
    uint16_t *right = mesh->right + reverse;
    if (*right != RIGHT_OPEN) return false;
    *right = (uint16_t)(shape->triangle_count - 1);
    return true;
  }
  if (find_edge(mesh, a, b) < count || count >= WM_DETAIL_EDGE_LIMIT) return false;
  append_edge(mesh, shape, a, b);
  return true;
}

/* Completes the edge in its turn. Returns false if the new face dangles. */
static bool run_turn(Mesh *mesh, Shape *shape, uint32_t edge) {
  const uint32_t face = shape->triangle_count;
  mesh->edges_before[edge] = (uint16_t)mesh->edge_count;
  mesh->faces_before[edge] = (uint16_t)face;
  mesh->reach_squared[edge] = -1;
  if (mesh->right[edge] != RIGHT_OPEN) return true;
  /* The right side of an edge is the left one of the reverse edge. */
  const uint32_t s = (uint32_t)mesh->to[edge], t = (uint32_t)mesh->from[edge];
  const Circle circle = complete_edge(mesh, shape, find_memo(mesh, s, t), (int)s, (int)t);
  mesh->centre_x[edge] = circle.x;
  mesh->centre_z[edge] = circle.z;
  mesh->reach_squared[edge] = circle.radius_squared * OUTER_SQUARED;
  mesh->right[edge] = RIGHT_HULL;
  if (circle.best == NO_VERTEX) return true;
  mesh->right[edge] = (uint16_t)face;
  shape->triangle_count++;
  uint8_t *corners = shape->corners + 4 * face;
  corners[0] = (uint8_t)t;
  corners[1] = (uint8_t)s;
  corners[2] = (uint8_t)circle.best;
  corners[3] = 0;
  const bool first = attach_face(mesh, shape, (uint32_t)circle.best, s);
  return attach_face(mesh, shape, t, (uint32_t)circle.best) || first;
}

/* ---- The run ------------------------------------------------------------------------------------------ */

/* The first turn whose outcome the newest vertex may change, or edge_count. */
static uint32_t find_first_change(const Mesh *mesh, const Shape *shape) {
  const WmFloat4 x = wm_splat_float4(shape->x[shape->vertex_count - 1]);
  const WmFloat4 z = wm_splat_float4(shape->z[shape->vertex_count - 1]);
  const uint32_t count = mesh->edge_count;
  for (uint32_t e = 0; e < count; e += 4) {
    const WmFloat4 sx = wm_load_float4(mesh->to_x + e), sz = wm_load_float4(mesh->to_z + e);
    const WmFloat4 along_x = wm_load_float4(mesh->from_x + e) - sx;
    const WmFloat4 along_z = wm_load_float4(mesh->from_z + e) - sz;
    const WmFloat4 cross = along_x * (z - sz) - along_z * (x - sx);
    const WmFloat4 dx = x - wm_load_float4(mesh->centre_x + e), dz = z - wm_load_float4(mesh->centre_z + e);
    const WmInt4 outside = dx * dx + dz * dz > wm_load_float4(mesh->reach_squared + e);
    const int mask = wm_mask_int4((WmInt4)(cross > wm_splat_float4(CROSS_TOLERANCE)) & ~outside);
    if (!mask) continue;
    e += (uint32_t)__builtin_ctz((unsigned)mask);
    return e < count ? e : count;
  }
  return count;
}

void wm_detail_triangulation_start(Mesh *mesh) {
  mesh->is_started = false;
  mesh->memo_count = 0;
}

bool wm_detail_triangulate(Mesh *mesh, Shape *shape) {
  uint32_t first_turn = 0, first_face = 0, retained_edges = 0;
  if (mesh->is_started) {
    first_turn = find_first_change(mesh, shape);
    if (first_turn == mesh->edge_count) return true;
    retained_edges = mesh->edges_before[first_turn];
    first_face = mesh->faces_before[first_turn];
  }
  shape->triangle_count = first_face;
  mesh->edge_count = retained_edges; /* removes the edges after them */
  for (uint32_t e = first_turn; e < retained_edges; e++) {
    if (mesh->right[e] >= first_face) mesh->right[e] = RIGHT_OPEN; /* RIGHT_HULL too */
  }
  if (!mesh->is_started) {
    for (int32_t i = 0, j = shape->hull_count - 1; i < shape->hull_count; j = i++) {
      append_edge(mesh, shape, shape->hull[j], shape->hull[i]);
    }
    mesh->is_started = true;
  }
  for (uint32_t edge = first_turn; edge < mesh->edge_count; edge++) {
    if (!run_turn(mesh, shape, edge)) return false;
  }
  return true;
}
