/* The triangulation of a polygon's hull and inner vertices, redone after each insertion, with Recast's bits.
 *
 * The method: a list of edges starts with the hull. Each edge, in order, whose right side is still open is
 * completed: among the vertices on that side, in ascending order, the one whose circle with the edge holds no
 * other is chosen (with a tolerance, within which a candidate must not cross an existing edge); the new
 * face's other two edges are appended, or their open side closed. Source: A. Nilsson's sketch in Recast,
 * after gift-wrapping construction of Delaunay triangulations (e.g. J. O'Rourke, Computational Geometry in C,
 * chapter 5).
 *
 * Everything about a run follows from the order of turns, and a new vertex is the last each turn looks at.
 * Hence, with the same results as a run from nothing:
 *   - the run is taken up at the first turn whose outcome the new vertex changes: it lies on the open side of
 *     the edge and, if a face was found, not outside its circle. At that moment all edges before are settled,
 *     so only the counts and the right sides of the edges after must be taken back (left sides are never
 * open);
 *   - what a directed edge found among the vertices so far is kept as a memo, from which its next turn goes
 * on. The state is kept from before the first vertex within the tolerance: from there on, the outcome depends
 *     on the edges of the moment;
 *   - a face starts with the edge that made it, followed by the vertex found: all other edges of the face are
 *     younger, or else it has been left dangling. So a face's corners, in order, are the directed edge and
 * its memo's vertex, and faces that return are recognised by the facet noted there. A face whose two other
 * edges are both taken is dangling: Recast drops it, leaving a hole; we say so. */
#include "bake/detail_internal.h"

#include <math.h>
#include <string.h>

enum { RIGHT_OPEN = 0xffff, RIGHT_HULL = 0xfffe, NO_VERTEX = WM_DETAIL_VERTEX_LIMIT };

static const float CIRCLE_TOLERANCE = 0.001f;
static const float CROSS_TOLERANCE = 1e-5f;

/* ---- Geometry -------------------------------------------------------------------------------------------
 */

/* What a turn has found so far. */
typedef struct Circle {
  float x, z, radius_squared;
  int best;
} Circle;

static Circle circle_through(const WmDetailShape *shape, int p, int q, int w) {
  const float ax = shape->x[q] - shape->x[p], az = shape->z[q] - shape->z[p];
  const float bx = shape->x[w] - shape->x[p], bz = shape->z[w] - shape->z[p];
  const float twice_area = ax * bz - az * bx;
  if (!(fabsf(twice_area) > 1e-6f)) return (Circle){shape->x[p], shape->z[p], 0, w};
  const float a_squared = ax * ax + az * az, b_squared = bx * bx + bz * bz;
  /* The terms of the origin are kept: adding a signed zero may change the sign of a zero. */
  const float x = (0.0f * (az - bz) + a_squared * bz + b_squared * (0 - az)) / (2 * twice_area);
  const float z = (0.0f * (bx - ax) + a_squared * (0 - bx) + b_squared * ax) / (2 * twice_area);
  const float dx = 0 - x, dz = 0 - z;
  return (Circle){x + shape->x[p], z + shape->z[p], dx * dx + dz * dz, w};
}

/* Where a point lies with regard to a circle with tolerance. Squares decide, with room for their rounding,
 * unless the point is close to one of the two limits. */
typedef enum Side { INSIDE, NEAR, OUTSIDE } Side;

static const float OUTER_SQUARED = 1.002001f * 1.00001f, INNER_SQUARED = 0.998001f * 0.99999f;

static Side side_of(const Circle *circle, float x, float z) {
  const float dx = x - circle->x, dz = z - circle->z;
  const float squared = dx * dx + dz * dz;
  if (squared > circle->radius_squared * OUTER_SQUARED) return OUTSIDE;
  if (squared < circle->radius_squared * INNER_SQUARED) return INSIDE;
  const float distance = sqrtf(squared), radius = sqrtf(circle->radius_squared);
  if (distance > radius * (1 + CIRCLE_TOLERANCE)) return OUTSIDE;
  return distance < radius * (1 - CIRCLE_TOLERANCE) ? INSIDE : NEAR;
}

/* The square within which a vertex may still change the turn's outcome. */
static float reach_of(const Circle *circle) {
  return circle->best == NO_VERTEX ? INFINITY : circle->radius_squared * OUTER_SQUARED;
}

/* Whether the segment properly crosses an edge that does not end at one of its ends. With c, d the segment
 * and a, b the edge, k1 is the turn of a, b, d, k2 of a, b, c, k3 of c, d, a. */
static bool crosses_an_edge(const WmDetailTriangulation *mesh, const WmDetailShape *shape, int c, int d) {
  const WmFloat4 cx = wm_splat_float4(shape->x[c]), cz = wm_splat_float4(shape->z[c]);
  const WmFloat4 dx = wm_splat_float4(shape->x[d]), dz = wm_splat_float4(shape->z[d]);
  const WmFloat4 zero = {0};
  for (uint32_t e = 0; e < mesh->edge_count; e += 4) {
    const WmFloat4 ax = wm_load_float4(mesh->from_x + e), az = wm_load_float4(mesh->from_z + e);
    const WmFloat4 abx = wm_load_float4(mesh->along_x + e), abz = wm_load_float4(mesh->along_z + e);
    const WmFloat4 k1 = abx * (dz - az) - abz * (dx - ax);
    const WmFloat4 k2 = abx * (cz - az) - abz * (cx - ax);
    const WmInt4 is_between = k1 * k2 < zero;
    if (!wm_mask_int4(is_between)) continue;
    const WmFloat4 k3 = (dx - cx) * (az - cz) - (dz - cz) * (ax - cx);
    const WmFloat4 k4 = (k3 + k2) - k1;
    const int mask = wm_mask_int4(is_between & (WmInt4)(k3 * k4 < zero));
    for (uint32_t k = 0; mask >> k; k++) {
      if (!(mask >> k & 1) || e + k >= mesh->edge_count) continue;
      const int a = mesh->from[e + k], b = mesh->to[e + k];
      if (a != c && a != d && b != c && b != d) return true;
    }
  }
  return false;
}

/* ---- One turn -------------------------------------------------------------------------------------------
 */

/* A directed edge whose side is to be completed. */
typedef struct Turn {
  int s, t;
  float sx, sz, along_x, along_z;
} Turn;

static bool is_candidate(const WmDetailShape *shape, const Turn *turn, const Circle *circle, int u) {
  const float cross = turn->along_x * (shape->z[u] - turn->sz) - turn->along_z * (shape->x[u] - turn->sx);
  if (!(cross > CROSS_TOLERANCE)) return false;
  const float dx = shape->x[u] - circle->x, dz = shape->z[u] - circle->z;
  return !(dx * dx + dz * dz > reach_of(circle));
}

/* The first vertex from u on that is on the edge's side and not clearly outside the circle. It is only a
 * filter: the radius is rounded up. */
static int next_candidate(const WmDetailShape *shape, const Turn *turn, const Circle *circle, int u) {
  const int count = shape->vertex_count;
  if (u + 1 == count) return is_candidate(shape, turn, circle, u) ? u : count;
  const WmFloat4 along_x = wm_splat_float4(turn->along_x), along_z = wm_splat_float4(turn->along_z);
  const WmFloat4 reach = wm_splat_float4(reach_of(circle));
  for (; u < count; u += 4) {
    const WmFloat4 x = wm_load_float4(shape->x + u), z = wm_load_float4(shape->z + u);
    const WmFloat4 cross =
        along_x * (z - wm_splat_float4(turn->sz)) - along_z * (x - wm_splat_float4(turn->sx));
    const WmFloat4 dx = x - wm_splat_float4(circle->x), dz = z - wm_splat_float4(circle->z);
    const int mask =
        wm_mask_int4((cross > wm_splat_float4(CROSS_TOLERANCE)) & ~(WmInt4)(dx * dx + dz * dz > reach));
    if (!mask) continue;
    u += mask & 1 ? 0 : mask & 2 ? 1 : mask & 4 ? 2 : 3;
    return u < count ? u : count;
  }
  return count;
}

/* Looks at vertices from `u` on. With `stop_at_tie`, returns the first that depends on the edges there are;
 * otherwise decides it. Returns the number of vertices looked at. */
static int look_at_vertices(const WmDetailTriangulation *mesh, const WmDetailShape *shape, const Turn *turn,
                            Circle *circle, int u, bool stop_at_tie) {
  const int count = shape->vertex_count;
  for (; u < count; u++) {
    u = next_candidate(shape, turn, circle, u);
    if (u == count) break;
    if (circle->best != NO_VERTEX) {
      const Side side = side_of(circle, shape->x[u], shape->z[u]);
      if (side == OUTSIDE) continue;
      if (side == NEAR) {
        if (stop_at_tie) return u;
        if (crosses_an_edge(mesh, shape, turn->s, u) || crosses_an_edge(mesh, shape, turn->t, u)) continue;
      }
    }
    *circle = circle_through(shape, turn->s, turn->t, u);
  }
  return count;
}

static void forget_memos(WmDetailTriangulation *mesh) {
  for (uint32_t i = 0; i < mesh->memo_count; i++) mesh->memo_of[mesh->memos[i].pair] = 0;
  mesh->memo_count = 0;
}

static WmDetailMemo *find_memo(WmDetailTriangulation *mesh, int s, int t) {
  const int pair = s * WM_DETAIL_VERTEX_STRIDE + t;
  if (mesh->memo_of[pair]) return &mesh->memos[mesh->memo_of[pair] - 1];
  if (mesh->memo_count == WM_DETAIL_MEMO_LIMIT) forget_memos(mesh); /* they only save time */
  WmDetailMemo *memo = &mesh->memos[mesh->memo_count++];
  mesh->memo_of[pair] = (uint16_t)mesh->memo_count;
  *memo = (WmDetailMemo){.best = NO_VERTEX, .pair = (uint16_t)pair, .facet = WM_DETAIL_NO_FACET};
  return memo;
}

/* What completing the directed edge finds among all vertices. */
static Circle complete_edge(const WmDetailTriangulation *mesh, const WmDetailShape *shape, WmDetailMemo *memo,
                            const Turn *turn) {
  Circle circle = {memo->centre_x, memo->centre_z, memo->radius_squared, memo->best};
  const int count = shape->vertex_count;
  if (memo->next_vertex == count) return circle;
  const int next = look_at_vertices(mesh, shape, turn, &circle, memo->next_vertex, true);
  memo->centre_x = circle.x;
  memo->centre_z = circle.z;
  memo->radius_squared = circle.radius_squared;
  memo->best = (uint8_t)circle.best;
  memo->next_vertex = (uint8_t)next;
  if (next < count) look_at_vertices(mesh, shape, turn, &circle, next, false);
  return circle;
}

/* ---- The list of edges
 * -------------------------------------------------------------------------------------- */

static void append_edge(WmDetailTriangulation *mesh, const WmDetailShape *shape, int from, int to) {
  const uint32_t edge = mesh->edge_count++;
  mesh->from[edge] = (uint8_t)from;
  mesh->to[edge] = (uint8_t)to;
  mesh->right[edge] = RIGHT_OPEN;
  mesh->from_x[edge] = shape->x[from];
  mesh->from_z[edge] = shape->z[from];
  mesh->to_x[edge] = shape->x[to];
  mesh->to_z[edge] = shape->z[to];
  mesh->along_x[edge] = shape->x[to] - shape->x[from];
  mesh->along_z[edge] = shape->z[to] - shape->z[from];
  const uint16_t entry = (uint16_t)mesh->edge_count;
  mesh->edge_of[from * WM_DETAIL_VERTEX_STRIDE + to] = entry;
  mesh->edge_of[to * WM_DETAIL_VERTEX_STRIDE + from] = entry;
}

/* Gives the newest face its edge from a to b. Returns false where that side is taken or, though that does not
 * happen to planar meshes, there is no room for an edge. */
static bool attach_face(WmDetailTriangulation *mesh, const WmDetailShape *shape, int a, int b) {
  const uint32_t entry = mesh->edge_of[a * WM_DETAIL_VERTEX_STRIDE + b];
  if (entry) {
    const uint32_t edge = entry - 1;
    if (mesh->to[edge] != a || mesh->right[edge] != RIGHT_OPEN) return false;
    mesh->right[edge] = (uint16_t)(mesh->face_count - 1);
    return true;
  }
  if (mesh->edge_count >= 10 * (uint32_t)shape->vertex_count) {
    mesh->is_started = false; /* the limit moves with the next vertex: nothing can be kept then */
    return false;
  }
  append_edge(mesh, shape, a, b);
  return true;
}

/* The edge's turn. Returns false where the new face dangles. */
static bool take_turn(WmDetailTriangulation *mesh, const WmDetailShape *shape, WmDetailSamples *samples,
                      uint32_t edge) {
  mesh->edges_before[edge] = (uint16_t)mesh->edge_count;
  mesh->faces_before[edge] = (uint16_t)mesh->face_count;
  if (mesh->right[edge] != RIGHT_OPEN) {
    mesh->reach_squared[edge] = -1;
    return true;
  }
  /* The right side of an edge is the left one of the reverse edge. */
  const int s = mesh->to[edge], t = mesh->from[edge];
  const Turn turn = {s, t, mesh->to_x[edge], mesh->to_z[edge], -mesh->along_x[edge], -mesh->along_z[edge]};
  WmDetailMemo *memo = find_memo(mesh, s, t);
  const Circle circle = complete_edge(mesh, shape, memo, &turn);
  mesh->centre_x[edge] = circle.x;
  mesh->centre_z[edge] = circle.z;
  mesh->reach_squared[edge] = reach_of(&circle);
  if (circle.best == NO_VERTEX) {
    mesh->right[edge] = RIGHT_HULL;
    return true;
  }
  const uint32_t face = mesh->face_count++;
  mesh->right[edge] = (uint16_t)face;
  /* The facet these corners had, if it still stands; otherwise it is made when all faces are known, and the
   * edge is kept in the facet's place. */
  uint16_t number = memo->facet;
  if (number != WM_DETAIL_NO_FACET) {
    WmDetailFacet *facet = &samples->facets[number];
    if (facet->is_live && facet->corners[0] == t && facet->corners[1] == s &&
        facet->corners[2] == circle.best) {
      facet->stamp = mesh->stamp;
    } else {
      number = WM_DETAIL_NO_FACET;
    }
  }
  mesh->face_facet[face] = number;
  mesh->face_corners[face][0] = (uint8_t)t;
  mesh->face_corners[face][1] = (uint8_t)s;
  mesh->face_corners[face][2] = (uint8_t)circle.best;
  const bool first = attach_face(mesh, shape, circle.best, s),
             second = attach_face(mesh, shape, t, circle.best);
  return first || second;
}

/* ---- Taking up the last run
 * ------------------------------------------------------------------------------------ */

/* The first turn whose outcome the newest vertex may change, or edge_count. */
static uint32_t find_first_change(const WmDetailTriangulation *mesh, const WmDetailShape *shape) {
  const WmFloat4 x = wm_splat_float4(shape->x[shape->vertex_count - 1]);
  const WmFloat4 z = wm_splat_float4(shape->z[shape->vertex_count - 1]);
  for (uint32_t e = 0; e < mesh->edge_count; e += 4) {
    const WmFloat4 cross = wm_load_float4(mesh->along_z + e) * (x - wm_load_float4(mesh->to_x + e)) -
                           wm_load_float4(mesh->along_x + e) * (z - wm_load_float4(mesh->to_z + e));
    const WmFloat4 dx = x - wm_load_float4(mesh->centre_x + e), dz = z - wm_load_float4(mesh->centre_z + e);
    const WmInt4 outside = dx * dx + dz * dz > wm_load_float4(mesh->reach_squared + e);
    const int mask = wm_mask_int4((cross > wm_splat_float4(CROSS_TOLERANCE)) & ~outside);
    for (uint32_t k = 0; k < 4; k++) {
      if (mask >> k & 1) return e + k < mesh->edge_count ? e + k : mesh->edge_count;
    }
  }
  return mesh->edge_count;
}

/* Takes back everything from the edge's turn on. */
static void rewind_to(WmDetailTriangulation *mesh, uint32_t edge) {
  const uint32_t edges = mesh->edges_before[edge], faces = mesh->faces_before[edge];
  for (uint32_t e = edges; e < mesh->edge_count; e++) {
    mesh->edge_of[mesh->from[e] * WM_DETAIL_VERTEX_STRIDE + mesh->to[e]] = 0;
    mesh->edge_of[mesh->to[e] * WM_DETAIL_VERTEX_STRIDE + mesh->from[e]] = 0;
  }
  for (uint32_t e = edge; e < edges; e++) {
    if (mesh->right[e] >= faces) mesh->right[e] = RIGHT_OPEN; /* RIGHT_HULL too */
  }
  mesh->edge_count = edges;
  mesh->face_count = faces;
}

static void append_hull(WmDetailTriangulation *mesh, const WmDetailShape *shape) {
  for (int32_t i = 0, j = shape->hull_count - 1; i < shape->hull_count; j = i++) {
    const int from = shape->hull[j], to = shape->hull[i];
    if (!mesh->edge_of[from * WM_DETAIL_VERTEX_STRIDE + to]) append_edge(mesh, shape, from, to);
  }
}

static void clear_edges(WmDetailTriangulation *mesh) {
  for (uint32_t e = 0; e < mesh->edge_count; e++) {
    mesh->edge_of[mesh->from[e] * WM_DETAIL_VERTEX_STRIDE + mesh->to[e]] = 0;
    mesh->edge_of[mesh->to[e] * WM_DETAIL_VERTEX_STRIDE + mesh->from[e]] = 0;
  }
  mesh->edge_count = mesh->face_count = 0;
}

void wm_detail_triangulation_start(WmDetailTriangulation *mesh) {
  clear_edges(mesh);
  mesh->is_started = false;
  forget_memos(mesh);
}

/* ---- The run
 * ------------------------------------------------------------------------------------------------------- */

/* Removes the facets of faces that are no more, makes those of new ones. Faces before `first` are as they
 * were. */
static void update_facets(WmDetailTriangulation *mesh, const WmDetailShape *shape, WmDetailSamples *samples,
                          uint32_t first, uint32_t old_count) {
  for (uint32_t i = 0; i < old_count; i++) {
    const uint16_t number = mesh->old_facets[i];
    if (samples->facets[number].stamp != mesh->stamp) wm_detail_remove_facet(samples, number);
  }
  wm_detail_resolve_orphans(samples);
  for (uint32_t face = first; face < mesh->face_count; face++) {
    if (mesh->face_facet[face] != WM_DETAIL_NO_FACET) continue;
    const uint8_t *corners = mesh->face_corners[face];
    const uint16_t number = wm_detail_add_facet(samples, shape, corners);
    samples->facets[number].stamp = mesh->stamp;
    mesh->face_facet[face] = number;
    find_memo(mesh, corners[1], corners[0])->facet = number;
  }
}

bool wm_detail_triangulate(WmDetailTriangulation *mesh, const WmDetailShape *shape,
                           WmDetailSamples *samples) {
  uint32_t first_turn = 0, first_face = 0, old_count = 0;
  mesh->stamp++;
  if (mesh->is_started) {
    first_turn = find_first_change(mesh, shape);
    if (first_turn == mesh->edge_count) return true;
    first_face = mesh->faces_before[first_turn];
    old_count = mesh->face_count - first_face;
    memcpy(mesh->old_facets, mesh->face_facet + first_face, old_count * sizeof *mesh->old_facets);
    rewind_to(mesh, first_turn);
  } else { /* all facets of before, such as the hull's own, go */
    for (uint16_t number = 0; number < samples->facet_high; number++) {
      if (samples->facets[number].is_live) mesh->old_facets[old_count++] = number;
    }
    clear_edges(mesh);
    append_hull(mesh, shape);
    mesh->is_started = true;
  }
  for (uint32_t edge = first_turn; edge < mesh->edge_count; edge++) {
    if (!take_turn(mesh, shape, samples, edge)) return false;
  }
  update_facets(mesh, shape, samples, first_face, old_count);
  return true;
}

void wm_detail_take_triangles(const WmDetailTriangulation *mesh, const WmDetailSamples *samples,
                              WmDetailShape *shape) {
  shape->triangle_count = mesh->face_count;
  for (uint32_t face = 0; face < mesh->face_count; face++) {
    memcpy(shape->corners + 4 * face, samples->facets[mesh->face_facet[face]].corners, 3);
  }
}
