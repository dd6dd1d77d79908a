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

/* Moves `closest` to an edge if that is nearer on x and z than `best`; negative: none is known. */
static void try_plainly(const float point[3], const float *first, const float *second, float *best,
                        float closest[3]) {
  float t;
  const float squared = wm_distance_to_segment(point, first, second, &t);
  if (*best >= 0 && !(squared < *best)) return;
  *best = squared;
  wm_interpolate(first, second, t, closest);
}

/* The nearest point of the boundary of a polygon's detail mesh, or of its own edges: edge by edge. */
static void closest_plainly(const WmMeshTile *tile, uint32_t polygon, const float point[3], bool detail,
                            float closest[3]) {
  const WmTileDetail *of = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)of->first_triangle;
  float best = -1;
  for (uint32_t i = 0; detail && i < of->triangle_count; i++, triangle += 4) {
    for (int k = 0, from = 2; k < 3; from = k++) {
      if ((triangle[3] >> (2 * from) & 1) == 0) continue;
      try_plainly(point, wm_tile_corner(tile, polygon, triangle[from]),
                  wm_tile_corner(tile, polygon, triangle[k]), &best, closest);
    }
  }
  const bool has_none = best < 0;
  for (uint32_t k = 0; has_none && k < tile->polygon_size[polygon]; k++) {
    try_plainly(point, wm_tile_vertex(tile, polygon, k), wm_tile_vertex(tile, polygon, k + 1), &best,
                closest);
  }
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

static void closest_points_are_those_of_single_edges(void) {
  uint32_t random = 9;
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    const WmMeshTile *tile = wm_mesh_tile(golden.mesh, 0);
    int outside = 0, by_ring = 0;
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      for (int i = 0; i < 200; i++) {
        float point[3], expected[3], closest[3];
        draw_point(&random, tile, p, point);
        point[1] = (float)(grid_random(&random) % 9);
        const bool detail = i % 2 == 0;
        if (wm_tile_closest_point(tile, p, point, detail, closest)) continue;
        closest_plainly(tile, p, point, detail, expected);
        CHECK(memcmp(closest, expected, sizeof closest) == 0);
        outside++;
        by_ring += detail && wm_tile_ring(tile, p)[WM_RING_BOUNDARY] != 0;
      }
    }
    CHECK(outside > 100 && by_ring > 50 && by_ring < outside);
    close_golden(&golden);
  }
}

int main(void) {
  RUN(insides_are_those_of_single_edges);
  RUN(exits_are_those_of_single_edges);
  RUN(closest_points_are_those_of_single_edges);
  return check_finish();
}
