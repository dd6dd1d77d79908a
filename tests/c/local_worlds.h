/* Drawn worlds for queries around a point, and slow methods for their results: the ground at a point, the
 * parts of an edge that are walls. Two floors of three by three tiles, 8 units apart, one above the other.
 * Polygons without flags and missing ones are walls; edges of tiles overlap in part. */
#ifndef WALKMESH_TESTS_LOCAL_WORLDS_H
#define WALKMESH_TESTS_LOCAL_WORLDS_H

#include "golden_queries.h"
#include "mesh/locate.h"
#include "query/local/move.h"
#include "query/local/neighbourhood.h"
#include "query/local/overlap.h"
#include "query/local/raycast.h"
#include "query/local/walls.h"

enum { WORLD_TILES = 3 };
#define WORLD_SIZE (WORLD_TILES * GRID_TILE_SIZE)
#define FLOOR_HEIGHT 8.0f

static inline WmMesh *make_local_world(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < 2 * WORLD_TILES * WORLD_TILES; i++) {
    const int32_t layer = i % 2, place = i / 2;
    if (grid_random(&seed) % 10 == 0) continue;
    const GridTile grid = {.x = place % WORLD_TILES,
                           .z = place / WORLD_TILES,
                           .layer = layer,
                           .seed = 1 + grid_random(&seed) % 1000,
                           .floor = (uint16_t)(layer * 32),
                           .hole = grid_random(&seed) % 12};
    const WmRef tile = add_grid_tile(mesh, &grid);
    const uint32_t count = wm_mesh_tile_of(mesh, tile)->polygon_count;
    for (uint32_t p = 0; p < count; p++) {
      if (grid_random(&seed) % 5 == 0) wm_mesh_set_polygon_flags(mesh, tile + p, 0);
    }
  }
  return mesh;
}

static inline bool is_floor(const WmMeshTile *tile, const float point[3]) {
  return (tile->vertices[1] > FLOOR_HEIGHT / 2) == (point[1] > FLOOR_HEIGHT / 2);
}

/* The polygon with flags on the point's floor that contains the point; 0: none. */
static inline WmRef ground_at(const WmMesh *mesh, const float point[3]) {
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (!tile || !is_floor(tile, point)) continue;
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      if (tile->polygon_flags[p] && wm_tile_contains(tile, p, point)) return tile->ref + p;
    }
  }
  return 0;
}

/* True if there is no ground somewhere around a point. */
static inline bool is_wall_near(const WmMesh *mesh, const float point[3], float radius) {
  for (int i = 0; i < 16; i++) {
    const float angle = 0.3f + (float)i * 0.3927f;
    const float at[3] = {point[0] + radius * cosf(angle), point[1], point[2] + radius * sinf(angle)};
    if (!ground_at(mesh, at)) return true;
  }
  return false;
}

/* True if there is ground somewhere around a point. */
static inline bool is_ground_near(const WmMesh *mesh, const float point[3], float radius) {
  if (ground_at(mesh, point)) return true;
  for (int i = 0; i < 16; i++) {
    const float angle = 0.3f + (float)i * 0.3927f;
    const float at[3] = {point[0] + radius * cosf(angle), point[1], point[2] + radius * sinf(angle)};
    if (ground_at(mesh, at)) return true;
  }
  return false;
}

/* A point of a floor with ground, and its polygon. */
static inline WmRef random_ground(const WmMesh *mesh, uint32_t *seed, float point[3]) {
  for (;;) {
    point[0] = random_between(seed, 0, WORLD_SIZE);
    point[1] = grid_random(seed) % 2 ? FLOOR_HEIGHT : 0;
    point[2] = random_between(seed, 0, WORLD_SIZE);
    const WmRef polygon = ground_at(mesh, point);
    if (polygon) return polygon;
  }
}

/* True if a part of an edge, 0..254, has no link to a polygon with flags. */
static inline bool is_part_closed(const WmMesh *mesh, const WmMeshTile *tile, uint32_t polygon, uint32_t edge,
                                  uint32_t part) {
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = &tile->links[i];
    if (link->edge == edge && link->low <= part && part < link->high &&
        wm_mesh_tile(mesh, link->slot)->polygon_flags[link->polygon]) {
      return false;
    }
  }
  return true;
}

/* Another tile layer at the same tile place and height: edges of neighbours lead to both, in parts that
 * overlap. */
static inline WmMesh *make_layered_world(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < 18; i++) {
    const GridTile grid = {.x = i % 9 % 3,
                           .z = i % 9 / 3,
                           .layer = i / 9,
                           .seed = 1 + grid_random(&seed) % 1000,
                           .hole = grid_random(&seed) % 6};
    const WmRef tile = add_grid_tile(mesh, &grid);
    for (uint32_t p = 0; p < wm_mesh_tile_of(mesh, tile)->polygon_count; p++) {
      if (grid_random(&seed) % 3 == 0) wm_mesh_set_polygon_flags(mesh, tile + p, 0);
    }
  }
  return mesh;
}

static inline bool are_linked(const WmMesh *mesh, WmRef a, WmRef b) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, a);
  const uint32_t p = wm_ref_polygon(a);
  for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
    if (wm_mesh_tile(mesh, tile->links[i].slot)->ref + tile->links[i].polygon == b) return true;
  }
  return false;
}

#endif
