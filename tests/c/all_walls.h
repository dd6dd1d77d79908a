/* All walls of a mesh, and distances to them by brute force, on x and z. */
#ifndef WALKMESH_TESTS_ALL_WALLS_H
#define WALKMESH_TESTS_ALL_WALLS_H

#include <math.h>
#include <string.h>

#include "check.h"
#include "query/local/outline.h"

enum { WALL_LIMIT = 8192 };

/* Every wall of a mesh: x and z of both ends. */
typedef struct Walls {
  float ends[WALL_LIMIT][4];
  size_t count;
} Walls;

static inline void collect_walls(const WmMesh *mesh, Walls *walls) {
  const WmFilter filter = wm_filter_default();
  walls->count = 0;
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      if (!wm_filter_passes(&filter, tile->polygon_flags[p])) continue;
      WmOutline outline = wm_outline_of(mesh, &filter, tile, p);
      for (WmEdgeSegment piece; wm_outline_next(&outline, &piece);) {
        if (piece.polygon != UINT32_MAX || walls->count == WALL_LIMIT) continue;
        const float wall[4] = {piece.first[0], piece.first[2], piece.second[0], piece.second[2]};
        memcpy(walls->ends[walls->count++], wall, sizeof wall);
      }
    }
  }
  CHECK(walls->count < WALL_LIMIT);
}

/* The distance to the nearest wall, at most `most`.
 * out        nearest [2] */
static inline float find_distance(const Walls *walls, const float point[2], float most, float nearest[2]) {
  float least = most;
  for (size_t i = 0; i < walls->count; i++) {
    const float *wall = walls->ends[i], x = wall[2] - wall[0], z = wall[3] - wall[1];
    const float along = (point[0] - wall[0]) * x + (point[1] - wall[1]) * z, squared = x * x + z * z;
    const float t = squared > 0 ? fminf(1, fmaxf(0, along / squared)) : 0;
    const float on[2] = {wall[0] + x * t, wall[1] + z * t};
    const float found = hypotf(on[0] - point[0], on[1] - point[1]);
    if (!(found < least)) continue;
    least = found;
    memcpy(nearest, on, sizeof on);
  }
  return least;
}

/* True if a disc fits that touches the nearest wall on the side of a point. */
static inline bool has_room(const Walls *walls, const float point[2], float radius) {
  float nearest[2], other[2];
  const float found = find_distance(walls, point, radius, nearest);
  if (!(found > 1e-3f)) return false;
  const float x = (point[0] - nearest[0]) / found, z = (point[1] - nearest[1]) / found;
  for (int i = 1; i <= 8; i++) {
    const float off = found + (radius - found) * (float)i / 8;
    const float centre[2] = {nearest[0] + x * off, nearest[1] + z * off};
    if (find_distance(walls, centre, 2 * radius, other) < 0.97f * off) return false;
  }
  return true;
}

#endif
