/* The detail mesh of one polygon by its specification: fills the whole window, measures every sample
 * against every triangle, and triangulates everything again after each insertion. Slow; for
 * detail_mesh_test.c only. */
#ifndef WALKMESH_TESTS_DETAIL_MESH_ORACLE_H
#define WALKMESH_TESTS_DETAIL_MESH_ORACLE_H

#include <math.h>

#include "bake/fields.h"
#include "bake/compact/links.h"
#include "check.h"

typedef struct Point {
  float x, y, z;
} Point;

typedef struct OracleEdge {
  int from, to, left, right;
} OracleEdge;

typedef struct Oracle {
  const WmCompactHeightfield *compact;
  const uint16_t *span_region;
  float cell_size, cell_height, sample_distance, max_error;
  int search_radius, border;
  /* The polygon. */
  int n;
  const uint16_t (*corners)[3];
  uint16_t region;
  /* The window. */
  int x, z, width, depth;
  uint16_t *heights;
  bool is_seeded;      /* no span of the region: filled from a walk */
  bool is_unreachable; /* no span near any vertex */
  /* The result. */
  Point vertices[128];
  int vertex_count, hull_count, hull[128];
  int (*triangles)[3];
  int triangle_count;
  bool is_dangling;
  int insertions;
} Oracle;

enum { ORACLE_OPEN = -1, ORACLE_HULL = -2 };

static const int ORACLE_X[4] = {-1, 0, 1, 0}, ORACLE_Z[4] = {0, 1, 0, -1};

/* ---- Heights --------------------------------------------------------------------------------------- */

typedef struct OracleFront {
  uint32_t span;
  int x, z;
} OracleFront;

static const uint32_t *oracle_cell(const Oracle *o, int x, int z) {
  return o->compact->cell_first + (o->x + x + o->border) +
         (size_t)(o->z + z + o->border) * (size_t)o->compact->grid.width;
}

static uint32_t oracle_link(const Oracle *o, uint32_t span, int d) {
  return wm_link(&o->compact->links, span, d);
}

static bool oracle_inside(const Oracle *o, int x, int z) {
  return x >= 0 && z >= 0 && x < o->width && z < o->depth;
}

static OracleFront oracle_seed(const Oracle *o) {
  static const int offsets[9][2] = {{0, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0},
                                    {1, 1}, {0, 1},   {-1, 1}, {-1, 0}};
  OracleFront best = {WM_NO_SPAN, 0, 0};
  int least = 65535, cx = 0, cz = 0;
  for (int i = 0; i < o->n; i++) {
    for (int k = 0; k < 9; k++) {
      const int x = o->corners[i][0] + offsets[k][0] - o->x, z = o->corners[i][2] + offsets[k][1] - o->z;
      if (!oracle_inside(o, x, z)) continue;
      for (uint32_t s = oracle_cell(o, x, z)[0]; s < oracle_cell(o, x, z)[1]; s++) {
        const int d = abs(o->corners[i][1] - (int)o->compact->span_floor[s]);
        if (least > 0 && d < least) {
          least = d;
          best = (OracleFront){s, x, z};
        }
      }
    }
    cx += o->corners[i][0];
    cz += o->corners[i][2];
  }
  if (best.span == WM_NO_SPAN) return best;
  cx = cx / o->n - o->x;
  cz = cz / o->n - o->z;
  const size_t cells = (size_t)(o->width * o->depth);
  OracleFront *stack = malloc((cells + 1) * sizeof *stack);
  bool *seen = calloc(cells, sizeof *seen);
  size_t depth = 0;
  stack[depth++] = best;
  while (depth > 0) {
    best = stack[--depth];
    if (best.x == cx && best.z == cz) break;
    const int preferred = best.x == cx ? (cz > best.z ? 1 : 3) : (cx > best.x ? 2 : 0);
    for (int k = 0; k < 4; k++) {
      const int d = k == 3 ? preferred : k == preferred ? 3 : k;
      const int x = best.x + ORACLE_X[d], z = best.z + ORACLE_Z[d];
      const uint32_t s = oracle_link(o, best.span, d);
      if (s == WM_NO_SPAN || !oracle_inside(o, x, z) || seen[x + z * o->width]) continue;
      seen[x + z * o->width] = true;
      stack[depth++] = (OracleFront){s, x, z};
    }
  }
  free(stack);
  free(seen);
  return best;
}

static void oracle_fill(Oracle *o) {
  const size_t cells = (size_t)(o->width * o->depth);
  OracleFront *queue = malloc((cells + 1) * sizeof *queue);
  size_t head = 0, tail = 0;
  bool found = false;
  memset(o->heights, 0xff, cells * 2);
  for (int z = 0; z < o->depth && o->region; z++) {
    for (int x = 0; x < o->width; x++) {
      const uint32_t *cell = oracle_cell(o, x, z);
      for (uint32_t s = cell[0]; s < cell[1]; s++) {
        if (o->span_region[s] != o->region) continue;
        found = true;
        o->heights[x + z * o->width] = o->compact->span_floor[s];
        bool edge = false;
        for (int d = 0; d < 4; d++) {
          const uint32_t other = oracle_link(o, s, d);
          edge |= other != WM_NO_SPAN && o->span_region[other] != o->region;
        }
        if (edge) queue[tail++] = (OracleFront){s, x, z};
        break;
      }
    }
  }
  o->is_seeded = !found;
  if (!found) {
    const OracleFront seed = oracle_seed(o);
    o->is_unreachable = seed.span == WM_NO_SPAN;
    if (!o->is_unreachable) {
      o->heights[seed.x + seed.z * o->width] = o->compact->span_floor[seed.span];
      queue[tail++] = seed;
    }
  }
  for (; head < tail; head++) {
    for (int d = 0; d < 4; d++) {
      const int x = queue[head].x + ORACLE_X[d], z = queue[head].z + ORACLE_Z[d];
      const uint32_t s = oracle_link(o, queue[head].span, d);
      if (s == WM_NO_SPAN || !oracle_inside(o, x, z) || o->heights[x + z * o->width] != 0xffff) continue;
      o->heights[x + z * o->width] = o->compact->span_floor[s];
      queue[tail++] = (OracleFront){s, x, z};
    }
  }
  free(queue);
}

static int oracle_clamp(int v, int last) { return v < 0 ? 0 : v > last ? last : v; }

/* NaN: none is found. */
static float oracle_height(const Oracle *o, float fx, float fy, float fz) {
  const float ics = 1.0f / o->cell_size;
  const int ix = oracle_clamp((int)floorf(fx * ics + 0.01f) - o->x, o->width - 1);
  const int iz = oracle_clamp((int)floorf(fz * ics + 0.01f) - o->z, o->depth - 1);
  uint16_t height = o->heights[ix + iz * o->width];
  for (int r = 1; r <= o->search_radius && height == 0xffff; r++) {
    float least = 3e38f;
    int x = r, z = -(r - 1);
    for (int k = 0; k < 8 * r; k++) {
      if (oracle_inside(o, ix + x, iz + z)) {
        const uint16_t h = o->heights[ix + x + (iz + z) * o->width];
        const float d = fabsf((float)h * o->cell_height - fy);
        if (h != 0xffff && d < least) {
          least = d;
          height = h;
        }
      }
      if (k < 2 * r - 1) {
        z++;
      } else if (k < 4 * r - 1) {
        x--;
      } else if (k < 6 * r - 1) {
        z--;
      } else {
        x++;
      }
    }
  }
  return height == 0xffff ? NAN : (float)height * o->cell_height;
}

/* ---- Outline --------------------------------------------------------------------------------------- */

static float oracle_segment_2d(Point p, Point q, Point pt) {
  const float ex = q.x - p.x, ez = q.z - p.z;
  float dx = pt.x - p.x, dz = pt.z - p.z, t = ex * dx + ez * dz;
  const float d = ex * ex + ez * ez;
  if (d > 0) t /= d;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  dx = (p.x + t * ex) - pt.x;
  dz = (p.z + t * ez) - pt.z;
  return dx * dx + dz * dz;
}

static float oracle_segment_3d(Point p, Point q, Point pt) {
  const float ex = q.x - p.x, ey = q.y - p.y, ez = q.z - p.z;
  float dx = pt.x - p.x, dy = pt.y - p.y, dz = pt.z - p.z, t = ex * dx + ey * dy + ez * dz;
  const float d = ex * ex + ey * ey + ez * ez;
  if (d > 0) t /= d;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  dx = (p.x + t * ex) - pt.x;
  dy = (p.y + t * ey) - pt.y;
  dz = (p.z + t * ez) - pt.z;
  return dx * dx + dy * dy + dz * dz;
}

static void oracle_simplify(const Oracle *o, const Point *points, bool *kept, int a, int b) {
  float most = 0;
  int at = -1;
  for (int k = a + 1; k < b; k++) {
    const float d = oracle_segment_3d(points[a], points[b], points[k]);
    if (d > most) {
      most = d;
      at = k;
    }
  }
  if (at < 0 || !(most > o->max_error * o->max_error)) return;
  kept[at] = true;
  oracle_simplify(o, points, kept, a, at);
  oracle_simplify(o, points, kept, at, b);
}

static void oracle_edges(Oracle *o) {
  o->hull_count = 0;
  for (int i = 0, j = o->n - 1; i < o->n; j = i++) {
    Point p = o->vertices[j], q = o->vertices[i];
    const bool swapped = fabsf(p.x - q.x) < 1e-6f ? p.z > q.z : p.x > q.x;
    if (swapped) {
      p = o->vertices[i];
      q = o->vertices[j];
    }
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    int m = 1 + (int)floorf(sqrtf(dx * dx + dz * dz) / o->sample_distance);
    if (m >= 32) m = 31;
    if (o->vertex_count + m >= 127) m = 126 - o->vertex_count;
    Point points[32];
    bool kept[32] = {false};
    for (int k = 0; k <= m; k++) {
      const float u = (float)k / (float)m;
      points[k] = (Point){p.x + dx * u, p.y + dy * u, p.z + dz * u};
      const float height = oracle_height(o, points[k].x, points[k].y, points[k].z);
      if (!isnan(height)) points[k].y = height;
    }
    oracle_simplify(o, points, kept, 0, m);
    o->hull[o->hull_count++] = j;
    for (int k = 1; k < m; k++) {
      const int at = swapped ? m - k : k;
      if (!kept[at]) continue;
      o->vertices[o->vertex_count] = points[at];
      o->hull[o->hull_count++] = o->vertex_count++;
    }
  }
}

static float oracle_distance(const Oracle *o, int hull_a, int hull_b) {
  const Point a = o->vertices[o->hull[hull_a]], b = o->vertices[o->hull[hull_b]];
  return sqrtf((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
}

static void oracle_add(Oracle *o, int a, int b, int c) {
  int *t = o->triangles[o->triangle_count++];
  t[0] = a;
  t[1] = b;
  t[2] = c;
}

static void oracle_base(Oracle *o) {
  const int h = o->hull_count;
  int start = 0;
  float least = 3e38f;
  for (int i = 0; i < h; i++) {
    if (o->hull[i] >= o->n) continue;
    const int p = (i + h - 1) % h, q = (i + 1) % h;
    const float d = oracle_distance(o, p, i) + oracle_distance(o, i, q) + oracle_distance(o, q, p);
    if (d < least) {
      least = d;
      start = i;
    }
  }
  int left = (start + 1) % h, right = (start + h - 1) % h;
  o->triangle_count = 0;
  oracle_add(o, o->hull[start], o->hull[left], o->hull[right]);
  while ((left + 1) % h != right) {
    const int l = (left + 1) % h, r = (right + h - 1) % h;
    const float cost_left = oracle_distance(o, left, l) + oracle_distance(o, l, right);
    const float cost_right = oracle_distance(o, right, r) + oracle_distance(o, left, r);
    if (cost_left < cost_right) {
      oracle_add(o, o->hull[left], o->hull[l], o->hull[right]);
      left = l;
    } else {
      oracle_add(o, o->hull[left], o->hull[r], o->hull[right]);
      right = r;
    }
  }
}

/* ---- Triangulation --------------------------------------------------------------------------------- */

static float oracle_cross(const Oracle *o, int p, int q, int w) {
  const Point a = o->vertices[p], b = o->vertices[q], c = o->vertices[w];
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static bool oracle_overlaps(const Oracle *o, const OracleEdge *edges, int count, int c, int d) {
  for (int e = 0; e < count; e++) {
    const int a = edges[e].from, b = edges[e].to;
    if (a == c || a == d || b == c || b == d) continue;
    const float k1 = oracle_cross(o, a, b, d), k2 = oracle_cross(o, a, b, c);
    if (!(k1 * k2 < 0)) continue;
    const float k3 = oracle_cross(o, c, d, a), k4 = (k3 + k2) - k1;
    if (k3 * k4 < 0) return true;
  }
  return false;
}

static void oracle_circle(const Oracle *o, int p, int q, int w, float circle[3]) {
  const Point c = o->vertices[p];
  const float ax = o->vertices[q].x - c.x, az = o->vertices[q].z - c.z;
  const float bx = o->vertices[w].x - c.x, bz = o->vertices[w].z - c.z;
  const float cp = ax * bz - az * bx, aq = ax * ax + az * az, bq = bx * bx + bz * bz, zero = 0.0f * 0.0f;
  const float cx = (zero * (az - bz) + aq * (bz - 0) + bq * (0 - az)) / (2 * cp);
  const float cz = (zero * (bx - ax) + aq * (0 - bx) + bq * (ax - 0)) / (2 * cp);
  circle[2] = sqrtf((0 - cx) * (0 - cx) + (0 - cz) * (0 - cz));
  circle[0] = cx + c.x;
  circle[1] = cz + c.z;
}

static void oracle_assign(OracleEdge *edges, int *count, int limit, int a, int b, int face) {
  for (int e = 0; e < *count; e++) {
    if (edges[e].from == a && edges[e].to == b) {
      if (edges[e].left == ORACLE_OPEN) edges[e].left = face;
      return;
    }
    if (edges[e].from == b && edges[e].to == a) {
      if (edges[e].right == ORACLE_OPEN) edges[e].right = face;
      return;
    }
  }
  if (*count < limit) edges[(*count)++] = (OracleEdge){a, b, face, ORACLE_OPEN};
}

static void oracle_complete(const Oracle *o, OracleEdge *edges, int *count, int limit, int e, int *faces) {
  const bool is_left = edges[e].left == ORACLE_OPEN;
  const int s = is_left ? edges[e].from : edges[e].to, t = is_left ? edges[e].to : edges[e].from;
  int best = -1;
  float circle[3] = {0, 0, 0};
  for (int u = 0; u < o->vertex_count; u++) {
    if (u == s || u == t || !(oracle_cross(o, s, t, u) > 1e-5f)) continue;
    if (best >= 0) {
      const float dx = o->vertices[u].x - circle[0], dz = o->vertices[u].z - circle[1];
      const float d = sqrtf(dx * dx + dz * dz);
      if (d > circle[2] * (1 + 0.001f)) continue;
      if (!(d < circle[2] * (1 - 0.001f)) &&
          (oracle_overlaps(o, edges, *count, s, u) || oracle_overlaps(o, edges, *count, t, u))) {
        continue;
      }
    }
    best = u;
    oracle_circle(o, s, t, u, circle);
  }
  const int face = best < 0 ? ORACLE_HULL : (*faces)++;
  if (is_left) {
    edges[e].left = face;
  } else {
    edges[e].right = face;
  }
  if (best < 0) return;
  oracle_assign(edges, count, limit, best, s, face);
  oracle_assign(edges, count, limit, t, best, face);
}

static void oracle_corner(int *face, int from, int to) {
  if (face[0] < 0) {
    face[0] = from;
    face[1] = to;
  } else if (face[0] == to) {
    face[2] = from;
  } else if (face[1] == from) {
    face[2] = to;
  }
}

static void oracle_triangulate(Oracle *o) {
  static OracleEdge edges[1300];
  const int limit = 10 * o->vertex_count;
  int count = 0, faces = 0;
  for (int i = 0, j = o->hull_count - 1; i < o->hull_count; j = i++) {
    edges[count++] = (OracleEdge){o->hull[j], o->hull[i], ORACLE_HULL, ORACLE_OPEN};
  }
  for (int e = 0; e < count; e++) {
    if (edges[e].left == ORACLE_OPEN) oracle_complete(o, edges, &count, limit, e, &faces);
    if (edges[e].right == ORACLE_OPEN) oracle_complete(o, edges, &count, limit, e, &faces);
  }
  for (int f = 0; f < faces; f++) o->triangles[f][0] = o->triangles[f][1] = o->triangles[f][2] = -1;
  for (int e = 0; e < count; e++) {
    if (edges[e].right >= 0) oracle_corner(o->triangles[edges[e].right], edges[e].from, edges[e].to);
    if (edges[e].left >= 0) oracle_corner(o->triangles[edges[e].left], edges[e].to, edges[e].from);
  }
  o->triangle_count = faces;
  for (int f = 0; f < faces; f++) {
    o->is_dangling |= o->triangles[f][0] < 0 || o->triangles[f][1] < 0 || o->triangles[f][2] < 0;
  }
}

/* ---- Inner samples --------------------------------------------------------------------------------- */

/* The distance to the triangles, or -1 outside. */
static float oracle_error(const Oracle *o, Point p) {
  float least = 3e38f;
  for (int i = 0; i < o->triangle_count; i++) {
    const Point a = o->vertices[o->triangles[i][0]], b = o->vertices[o->triangles[i][1]],
                c = o->vertices[o->triangles[i][2]];
    const float e0x = c.x - a.x, e0z = c.z - a.z, e1x = b.x - a.x, e1z = b.z - a.z;
    const float e2x = p.x - a.x, e2z = p.z - a.z;
    const float d00 = e0x * e0x + e0z * e0z, d01 = e0x * e1x + e0z * e1z, d02 = e0x * e2x + e0z * e2z;
    const float d11 = e1x * e1x + e1z * e1z, d12 = e1x * e2x + e1z * e2z;
    const float inv = 1.0f / (d00 * d11 - d01 * d01);
    const float u = (d11 * d02 - d01 * d12) * inv, v = (d00 * d12 - d01 * d02) * inv;
    if (!(u >= -1e-4f && v >= -1e-4f && (u + v) <= 1 + 1e-4f)) continue;
    const float d = fabsf(((a.y + (c.y - a.y) * u) + (b.y - a.y) * v) - p.y);
    if (d < least) least = d;
  }
  return least < 3e38f ? least : -1;
}

static bool oracle_accepts(const Oracle *o, Point p) {
  bool inside = false;
  float least = 3e38f;
  for (int i = 0, j = o->n - 1; i < o->n; j = i++) {
    const Point a = o->vertices[i], b = o->vertices[j];
    if ((a.z > p.z) != (b.z > p.z) && p.x < ((b.x - a.x) * (p.z - a.z)) / (b.z - a.z) + a.x) inside = !inside;
    const float d = oracle_segment_2d(b, a, p);
    if (d < least) least = d;
  }
  return (inside ? -least : least) <= -o->sample_distance / 2;
}

static float oracle_jitter(uint32_t s, uint32_t c) {
  return ((float)((s * c) & 0xffff) / 65535.0f) * 2.0f - 1.0f;
}

static void oracle_inner(Oracle *o) {
  const float dd = o->sample_distance;
  Point low = o->vertices[0], high = low;
  for (int i = 1; i < o->n; i++) {
    const Point p = o->vertices[i];
    low = (Point){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
    high = (Point){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
  }
  const int x0 = (int)floorf(low.x / dd), x1 = (int)ceilf(high.x / dd);
  const int z0 = (int)floorf(low.z / dd), z1 = (int)ceilf(high.z / dd);
  Point *samples = malloc((size_t)((x1 - x0) * (z1 - z0) + 1) * sizeof *samples);
  uint32_t count = 0;
  for (int z = z0; z < z1; z++) {
    for (int x = x0; x < x1; x++) {
      const Point p = {(float)x * dd, (high.y + low.y) * 0.5f, (float)z * dd};
      if (!oracle_accepts(o, p)) continue;
      samples[count] = (Point){p.x + (oracle_jitter(count, 0x8da6b343u) * o->cell_size) * 0.1f,
                               oracle_height(o, p.x, p.y, p.z),
                               p.z + (oracle_jitter(count, 0xd8163841u) * o->cell_size) * 0.1f};
      count++;
    }
  }
  bool *used = calloc(count + 1, sizeof *used);
  for (uint32_t s = 0; s < count; s++) used[s] = isnan(samples[s].y);
  for (uint32_t round = 0; round < count && o->vertex_count < 127 && !o->is_dangling; round++) {
    float most = 0;
    uint32_t best = UINT32_MAX;
    for (uint32_t s = 0; s < count; s++) {
      const float error = used[s] ? -1 : oracle_error(o, samples[s]);
      if (error > most) {
        most = error;
        best = s;
      }
    }
    if (best == UINT32_MAX || most <= o->max_error) break;
    used[best] = true;
    o->vertices[o->vertex_count++] = samples[best];
    o->insertions++;
    oracle_triangulate(o);
  }
  free(samples);
  free(used);
}

/* ---- The whole ------------------------------------------------------------------------------------- */

static void oracle_polygon(Oracle *o) {
  int low_x = 65536, high_x = 0, low_z = 65536, high_z = 0;
  o->vertex_count = o->n;
  o->is_dangling = o->is_unreachable = false;
  o->insertions = 0;
  float extent = 3e38f;
  for (int i = 0; i < o->n; i++) {
    const uint16_t *c = o->corners[i];
    o->vertices[i] =
        (Point){(float)c[0] * o->cell_size, (float)c[1] * o->cell_height, (float)c[2] * o->cell_size};
    low_x = c[0] < low_x ? c[0] : low_x;
    high_x = c[0] > high_x ? c[0] : high_x;
    low_z = c[2] < low_z ? c[2] : low_z;
    high_z = c[2] > high_z ? c[2] : high_z;
  }
  for (int i = 0; i < o->n; i++) {
    float most = 0;
    for (int k = 0; k < o->n; k++) {
      if (k == i || k == (i + 1) % o->n) continue;
      most = fmaxf(most, oracle_segment_2d(o->vertices[i], o->vertices[(i + 1) % o->n], o->vertices[k]));
    }
    extent = fminf(extent, most);
  }
  o->x = low_x > 0 ? low_x - 1 : 0;
  o->z = low_z > 0 ? low_z - 1 : 0;
  o->width = (high_x + 1 < o->compact->grid.width ? high_x + 1 : o->compact->grid.width) - o->x;
  o->depth = (high_z + 1 < o->compact->grid.depth ? high_z + 1 : o->compact->grid.depth) - o->z;
  o->heights = malloc((size_t)(o->width * o->depth) * 2);
  oracle_fill(o);
  o->triangles = malloc(1300 * sizeof *o->triangles);
  if (!o->is_unreachable) {
    oracle_edges(o);
    oracle_base(o);
    if (sqrtf(extent) >= o->sample_distance * 2) oracle_inner(o);
  }
  free(o->heights);
}

#endif
