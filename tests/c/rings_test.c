/* Outlines laid out for SIMD: results for all edges at once equal those of one edge after the other. */
#include "mesh/tile/rings.h"

#include <math.h>

#include "golden_queries.h"
#include "grid_tiles.h"
#include "mesh/locate.h"
#include "query/local/ray_walk.h"

/* Even-odd rule, edge by edge; each counts from its upper end. */
static bool contains_plainly(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  bool inside = false;
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    const float *first = wm_tile_vertex(tile, polygon, k), *second = wm_tile_vertex(tile, polygon, k + 1);
    const bool above = second[2] > point[2];
    if (above == (first[2] > point[2])) continue;
    const float *a = above ? second : first, *b = above ? first : second;
    inside ^= point[0] < (b[0] - a[0]) * (point[2] - a[2]) / (b[2] - a[2]) + a[0];
  }
  return inside;
}

/* The point at which a line leaves a polygon: clips it by the edges, the last one first. Returns true if it
 * touches the polygon. */
static bool leaves_plainly(const WmMeshTile *tile, uint32_t polygon, const float from[3], const float to[3],
                           float *leave, uint32_t *edge) {
  const uint32_t size = tile->polygon_size[polygon];
  const float along_x = to[0] - from[0], along_z = to[2] - from[2];
  float enter = 0;
  *leave = 1;
  *edge = UINT32_MAX;
  for (uint32_t k = 0, j = size - 1; k < size; j = k++) {
    const float *first = wm_tile_vertex(tile, polygon, j), *second = wm_tile_vertex(tile, polygon, k);
    const float x = second[0] - first[0], z = second[2] - first[2];
    const float level = z * (from[0] - first[0]) - x * (from[2] - first[2]),
                slope = along_z * x - along_x * z;
    const float t = level / slope;
    if (fabsf(slope) < 1e-6f) {
      if (level < 0) return false;
    } else if (slope < 0) {
      if (level < 0 && t > enter) enter = t;
    } else if (t < *leave) {
      *leave = t;
      *edge = j;
    }
  }
  return !(enter > *leave);
}

/* A point in or around a polygon, often with coordinates of its corners. */
static void draw_point(uint32_t *random, const WmMeshTile *tile, uint32_t polygon, float point[3]) {
  const uint32_t size = tile->polygon_size[polygon];
  memset(point, 0, 3 * sizeof *point);
  for (int axis = 0; axis < 3; axis += 2) {
    const float a = wm_tile_vertex(tile, polygon, grid_random(random) % size)[axis];
    const float b = wm_tile_vertex(tile, polygon, grid_random(random) % size)[axis];
    const float part = (float)(grid_random(random) % 9) * 0.25f - 0.5f;
    point[axis] = a + (b - a) * (grid_random(random) % 3 ? part : 0);
  }
}

static void insides_are_those_of_single_edges(void) {
  uint32_t random = 3;
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    const WmMeshTile *tile = wm_mesh_tile(golden.mesh, 0);
    int inside = 0, outside = 0;
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      for (int i = 0; i < 100; i++) {
        float point[3];
        draw_point(&random, tile, p, point);
        const bool expected = contains_plainly(tile, p, point);
        CHECK(wm_tile_contains(tile, p, point) == expected);
        *(expected ? &inside : &outside) += 1;
      }
    }
    CHECK(inside > 100 && outside > 100);
    close_golden(&golden);
  }
}

/* Lines through one polygon: with a filter that no polygon passes, each ends where it leaves the polygon. */
static void exits_are_those_of_single_edges(void) {
  uint32_t random = 4;
  WmFilter nothing = wm_filter_default();
  nothing.include_flags = 0;
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    const WmMeshTile *tile = wm_mesh_tile(golden.mesh, 0);
    int left = 0, missed = 0;
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      for (int i = 0; i < 100; i++) {
        float from[3], to[3], leave;
        uint32_t edge;
        draw_point(&random, tile, p, from);
        draw_point(&random, tile, p, to);
        WmRayWalk walk = {.context = golden.context, .mesh = golden.mesh, .filter = &nothing};
        CHECK(wm_ray_walk(&walk, tile->ref + p, from, to) == WM_OK);
        if (!leaves_plainly(tile, p, from, to, &leave, &edge)) {
          missed++; /* or it is at the outline, up to rounding */
          continue;
        }
        left += edge != UINT32_MAX;
        CHECK(!walk.outside && walk.edge == edge && walk.hit == (edge != UINT32_MAX));
        CHECK(walk.t == (leave > 0 ? leave : 0));
      }
    }
    CHECK(left > 100 && missed > 100);
    close_golden(&golden);
  }
}

int main(void) {
  RUN(insides_are_those_of_single_edges);
  RUN(exits_are_those_of_single_edges);
  return check_finish();
}
