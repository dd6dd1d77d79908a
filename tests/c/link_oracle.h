/* All links of a mesh by definition: every pair of polygons, every end of every connection with every
 * polygon. For meshes of grid tiles (grid_tiles.h), whose polygons are rectangles. */
#ifndef WALKMESH_TESTS_LINK_ORACLE_H
#define WALKMESH_TESTS_LINK_ORACLE_H

#include <math.h>

#include "grid_tiles.h"
#include "mesh/links/connections.h"

static inline uint64_t oracle_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0xd6e8feb86659fd93);
  return hash ^ hash >> 32;
}

/* All data about a mesh's links that a search reads, in order. */
static inline uint64_t hash_links(const WmMesh *mesh) {
  uint64_t hash = 1;
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    if (!tile) continue;
    hash = oracle_mix(hash, tile->ref);
    for (uint32_t p = 0; p <= tile->polygon_count; p++) hash = oracle_mix(hash, tile->link_first[p]);
    for (uint32_t i = 0; i < 6 * tile->connection_count; i++) {
      uint32_t bits;
      memcpy(&bits, tile->connection_ends + i, 4);
      hash = oracle_mix(hash, bits);
    }
    for (uint32_t i = 0; i < tile->link_first[tile->polygon_count]; i++) {
      const WmLink *link = &tile->links[i];
      hash = oracle_mix(
          hash, (uint64_t)link->slot << 32 | (uint32_t)link->polygon << 16 | link->edge << 8 | link->side);
      hash = oracle_mix(hash, (uint64_t)link->low << 8 | link->high);
      for (int k = 0; k < 6; k++) {
        uint32_t bits;
        memcpy(&bits, tile->link_portals + 6 * (size_t)i + k, 4);
        hash = oracle_mix(hash, bits);
      }
    }
  }
  return hash;
}

static inline const float *oracle_corner(const WmMeshTile *tile, uint32_t polygon, uint32_t k) {
  return tile->vertices +
         3 * (size_t)tile->polygon_vertices[6 * (size_t)polygon + k % tile->polygon_size[polygon]];
}

static inline bool has_link(const WmMeshTile *tile, uint32_t polygon, const WmMeshTile *to, uint32_t target,
                            uint32_t edge) {
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = &tile->links[i];
    if (link->slot == to->slot && link->polygon == target && link->edge == edge) return true;
  }
  return false;
}

/* ---- Portals ------------------------------------------------------------------------------------------ */

/* By definition: edges on facing sides of adjacent tiles that overlap by more than 0.02 and nowhere differ in
 * height by more than twice the climb. (Height differences of grid tiles are never close to that limit.) */
static inline bool should_link(const WmMeshTile *a, uint32_t p, uint32_t k, const WmMeshTile *b, uint32_t q,
                               uint32_t m) {
  const uint16_t code = a->polygon_neighbours[6 * (size_t)p + k],
                 other = b->polygon_neighbours[6 * (size_t)q + m];
  if (!(code & 0x8000) || !(other & 0x8000) || ((code + 4) & 7) != (other & 7)) return false;
  static const int32_t X[8] = {1, 0, 0, 0, -1, 0, 0, 0}, Z[8] = {0, 0, 1, 0, 0, 0, -1, 0};
  if (a->x + X[code & 7] != b->x || a->z + Z[code & 7] != b->z) return false;
  const int along = code & 2 ? 0 : 2;
  const float a0 = oracle_corner(a, p, k)[along], a1 = oracle_corner(a, p, k + 1)[along];
  const float b0 = oracle_corner(b, q, m)[along], b1 = oracle_corner(b, q, m + 1)[along];
  const float low = fmaxf(fminf(a0, a1), fminf(b0, b1)), high = fminf(fmaxf(a0, a1), fmaxf(b0, b1));
  return high - low > 0.02f && fabsf(oracle_corner(a, p, k)[1] - oracle_corner(b, q, m)[1]) <= 1.0f;
}

/* Expected numbers of links, by slot. */
typedef struct LinkCounts {
  uint32_t of[512];
  int crossing, near_landings, far_landings, ties;
} LinkCounts;

/* Inner links, and links across the sides of a tile. */
static inline void check_ground_links(const WmMesh *mesh, const WmMeshTile *a, LinkCounts *counts) {
  for (uint32_t p = 0; p < a->ground_count; p++) {
    for (uint32_t k = 0; k < a->polygon_size[p]; k++) {
      const uint16_t code = a->polygon_neighbours[6 * (size_t)p + k];
      if (code && !(code & 0x8000)) {
        counts->of[a->slot]++;
        CHECK(has_link(a, p, a, code - 1u, k));
      }
      for (size_t t = 0; t < wm_mesh_slot_count(mesh) && (code & 0x8000); t++) {
        const WmMeshTile *b = wm_mesh_tile(mesh, t);
        for (uint32_t q = 0; b && b != a && q < b->ground_count; q++) {
          bool linked = false;
          for (uint32_t m = 0; m < b->polygon_size[q]; m++) linked |= should_link(a, p, k, b, q, m);
          if (!linked) continue;
          CHECK(has_link(a, p, b, q, k));
          counts->of[a->slot]++;
          counts->crossing++;
        }
      }
    }
  }
}

/* ---- Connections -------------------------------------------------------------------------------------- */

typedef struct OracleTie {
  const WmMeshTile *tile; /* NULL: none */
  uint32_t polygon;
  double score;
  double point[3];
} OracleTie;

/* Height of a rectangle, split along the diagonal from corner 0 to corner 2, at (x, z). */
static inline double oracle_height(const WmMeshTile *tile, uint32_t polygon, double x, double z) {
  const float *a = oracle_corner(tile, polygon, 0), *b = oracle_corner(tile, polygon, 1),
              *c = oracle_corner(tile, polygon, 2), *d = oracle_corner(tile, polygon, 3);
  /* Corners go along z first: a (0, 0), b (0, 1), c (1, 1), d (1, 0). */
  const double u = (x - a[0]) / (c[0] - a[0]), v = (z - a[2]) / (c[2] - a[2]);
  return v > u ? a[1] + v * (b[1] - a[1]) + u * (c[1] - b[1]) : a[1] + u * (d[1] - a[1]) + v * (c[1] - d[1]);
}

/* The ground of one tile nearest to an end, if within the radius and the climb (differences are far from the
 * climb, so that rounding doesn't matter). */
static inline OracleTie oracle_ground(const WmMeshTile *tile, const float end[3], double radius,
                                      double climb) {
  OracleTie best = {.score = INFINITY};
  for (uint32_t i = 0; i < tile->ground_count; i++) {
    const float *a = oracle_corner(tile, i, 0), *c = oracle_corner(tile, i, 2);
    const double x = fmin(fmax(end[0], a[0]), c[0]), z = fmin(fmax(end[2], a[2]), c[2]);
    const double y = oracle_height(tile, i, x, z),
                 flat = (x - end[0]) * (x - end[0]) + (z - end[2]) * (z - end[2]);
    const double gap = fmax(fabs(y - end[1]) - tile->agent_max_climb, 0);
    const double score = flat > 0 ? flat + (y - end[1]) * (y - end[1]) : gap * gap;
    if (fabs(y - end[1]) > climb + 1 || score >= best.score) continue;
    best = (OracleTie){tile, i, score, {x, y, z}};
  }
  const double x = best.point[0] - end[0], z = best.point[2] - end[2];
  if (best.tile && x * x + z * z > radius * radius) best.tile = NULL;
  return best;
}

/* Counts the links that an end with ground must have, and looks for them. */
static inline void check_landing(const WmMeshTile *from, uint32_t polygon, uint32_t end, const OracleTie *tie,
                                 bool both_ways, LinkCounts *counts) {
  counts->of[from->slot]++;
  CHECK(has_link(from, polygon, tie->tile, tie->polygon, end));
  if (end == 1 && !both_ways) return;
  counts->of[tie->tile->slot]++;
  CHECK(has_link(tie->tile, tie->polygon, from, polygon, 255));
}

static inline int32_t oracle_place(float position) { return (int32_t)floorf(position / GRID_TILE_SIZE); }

/* Connections baked into a tile: the start lies in the tile; the end is searched in all layers of the place
 * that contains it, and of the place next to the tile on that side. */
static inline void check_baked_links(const WmMesh *mesh, const WmMeshTile *tile, LinkCounts *counts) {
  static const int32_t X[8] = {1, 1, 0, -1, -1, -1, 0, 1}, Z[8] = {0, 1, 1, 1, 0, -1, -1, -1};
  for (uint32_t i = 0; i < tile->connection_count && tile->ground_count > 0; i++) {
    const WmTileConnection *connection = &tile->connections[i];
    const uint32_t polygon = tile->ground_count + i, side = connection->side;
    const OracleTie start = oracle_ground(tile, connection->start, connection->radius, 0.5);
    if (!start.tile) continue;
    check_landing(tile, polygon, 0, &start, true, counts);
    const int32_t x = oracle_place(connection->end[0]), z = oracle_place(connection->end[2]);
    const bool far = abs(x - tile->x) > 1 || abs(z - tile->z) > 1;
    for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
      const WmMeshTile *to = wm_mesh_tile(mesh, s);
      if (!to || to->ground_count == 0) continue;
      const bool beside = side == 255 ? to->x == tile->x && to->z == tile->z
                                      : to->x == tile->x + X[side & 7] && to->z == tile->z + Z[side & 7];
      if (!beside && !(far && to->x == x && to->z == z)) continue;
      const OracleTie end = oracle_ground(to, connection->end, connection->radius, 0.5);
      if (!end.tile) continue;
      check_landing(tile, polygon, 1, &end, connection->flags & 1, counts);
      ++*(beside ? &counts->near_landings : &counts->far_landings);
    }
  }
}

/* The nearest of all tiles; of equally near ones the first by z, x and layer. */
static inline OracleTie oracle_tie(const WmMesh *mesh, const float end[3], float radius, float climb) {
  OracleTie best = {.score = INFINITY};
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (!tile || tile->ground_count == 0) continue;
    const OracleTie tie = oracle_ground(tile, end, radius, climb);
    if (!tie.tile || tie.score > best.score) continue;
    const int64_t before =
        best.tile ? ((int64_t)best.tile->z * 1000 + best.tile->x) * 1000 + best.tile->layer : 0;
    const int64_t now = ((int64_t)tile->z * 1000 + tile->x) * 1000 + tile->layer;
    if (tie.score < best.score || now < before) best = tie;
  }
  return best;
}

static inline void check_run_time_links(const WmMesh *mesh, LinkCounts *counts) {
  for (WmRef ref = 0; (ref = wm_mesh_next_connection(mesh, ref)) != 0;) {
    WmConnection settings;
    float ends[2][3];
    int tied;
    CHECK_EQUAL_INT(wm_mesh_connection(mesh, ref, &settings, ends, &tied), WM_OK);
    for (uint32_t e = 0; e < 2; e++) {
      const float *end = e ? settings.end : settings.start;
      const OracleTie tie = oracle_tie(mesh, end, settings.radius, settings.climb);
      CHECK_EQUAL_INT(tied >> e & 1, tie.tile != NULL);
      for (int axis = 0; axis < 3; axis++) {
        CHECK(fabs(ends[e][axis] - (tie.tile ? tie.point[axis] : (double)end[axis])) < 1e-4);
      }
      if (!tie.tile) continue;
      check_landing(wm_mesh_tile_of(mesh, ref), 0, e, &tie, settings.bidirectional, counts);
      counts->ties++;
    }
  }
}

/* Compares all links of a mesh with the definition. */
static inline LinkCounts check_links(const WmMesh *mesh) {
  LinkCounts counts = {0};
  CHECK(wm_mesh_slot_count(mesh) <= 512);
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (!tile) continue;
    check_ground_links(mesh, tile, &counts);
    check_baked_links(mesh, tile, &counts);
  }
  check_run_time_links(mesh, &counts);
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (tile) CHECK_EQUAL_INT(tile->link_first[tile->polygon_count], counts.of[s]);
  }
  return counts;
}

#endif
