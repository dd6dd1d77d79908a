/* Meshes with segment links for tests: tiles at random places, links from anywhere to anywhere. */
#ifndef WALKMESH_TESTS_SEGMENT_WORLDS_H
#define WALKMESH_TESTS_SEGMENT_WORLDS_H

#include <math.h>

#include "grid_tiles.h"
#include "mesh/links/segment_links.h"

/* A link from (x, z) to (x, z) + way, `width` wide, across its way. */
static inline WmSegmentLink make_link(float x, float y, float z, float width, const float way[3]) {
  const float length = sqrtf(way[0] * way[0] + way[2] * way[2]);
  const float half = 0.5f * width / length;
  WmSegmentLink link = {
      .start = {{x - way[2] * half, y, z + way[0] * half}, {x + way[2] * half, y, z - way[0] * half}},
      .cost = length,
      .flags = 1,
      .enabled = true};
  for (int i = 0; i < 2; i++) {
    for (int axis = 0; axis < 3; axis++) link.end[i][axis] = link.start[i][axis] + way[axis];
  }
  return link;
}

/* ---- Random worlds ------------------------------------------------------------------------------------ */

/* Tiles of random floors at random places of a grid; links from anywhere to anywhere, turned by any angle. */
enum { SIDE = 4, LINK_LIMIT = 5 };

static inline float random_float(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)(grid_random(seed) % 4096) / 4095;
}

static inline uint16_t floor_at(uint32_t seed, int32_t x, int32_t z) {
  return (uint16_t)((seed / 7 + (uint32_t)(x * 3 + z * 5)) % 3 * 10);
}

/* A random direction, by roots and divisions only: the same bits everywhere. */
static inline void random_way(uint32_t *seed, float way[2]) {
  const float t = random_float(seed, -1, 1), sign = grid_random(seed) % 2 ? 1.0f : -1.0f;
  way[0] = sign * (1 - t * t) / (1 + t * t);
  way[1] = sign * 2 * t / (1 + t * t);
}

static inline WmSegmentLink random_link(uint32_t *seed, uint32_t world_seed) {
  WmSegmentLink link = {.flags = 1,
                        .enabled = true,
                        .cost = random_float(seed, 0.5f, 9),
                        .kind = (uint8_t)(grid_random(seed) % 4)};
  const float size = SIDE * GRID_TILE_SIZE, width = random_float(seed, 0.5f, 12), half = width / 2;
  link.bidirectional = grid_random(seed) % 2;
  const bool turns = grid_random(seed) % 2;
  float ways[2][2];
  random_way(seed, ways[0]);
  random_way(seed, ways[1]);
  float middles[2][3];
  for (int end = 0; end < 2; end++) {
    float *middle = middles[end];
    middle[0] = random_float(seed, 0, size);
    middle[2] = random_float(seed, 0, size);
    if (grid_random(seed) % 2) middle[0] = floorf(middle[0] / GRID_TILE_SIZE) * GRID_TILE_SIZE;
    middle[1] = 0.25f * floor_at(world_seed, (int32_t)(middle[0] / GRID_TILE_SIZE),
                                 (int32_t)(middle[2] / GRID_TILE_SIZE));
    const float *way = ways[end && turns];
    for (int k = 0; k < 2; k++) {
      float *at = end ? link.end[k] : link.start[k];
      at[0] = middle[0] + (k ? half : -half) * way[0];
      at[1] = middle[1];
      at[2] = middle[2] + (k ? half : -half) * way[1];
    }
  }
  const float aside = (link.start[1][0] - link.start[0][0]) * (middles[1][2] - middles[0][2]) -
                      (link.start[1][2] - link.start[0][2]) * (middles[1][0] - middles[0][0]);
  if (aside < 0) {
    for (int axis = 0; axis < 3; axis++) {
      const float start = link.start[0][axis], end = link.end[0][axis];
      link.start[0][axis] = link.start[1][axis];
      link.end[0][axis] = link.end[1][axis];
      link.start[1][axis] = start;
      link.end[1][axis] = end;
    }
  }
  return link;
}

static inline void put_random(WmMesh *mesh, uint32_t *seed, uint32_t world_seed) {
  WmSegmentLink links[LINK_LIMIT];
  const size_t count = grid_random(seed) % (LINK_LIMIT + 1);
  for (size_t i = 0; i < count; i++) links[i] = random_link(seed, world_seed);
  const int32_t x = (int32_t)(grid_random(seed) % 3), z = (int32_t)(grid_random(seed) % 2);
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, x, z, grid_random(seed) % 2, links, count, NULL), WM_OK);
}

/* Tiles of worlds with an even seed are flat: strings on them cost their length on x and z. */
static inline void put_tile(WmMesh *mesh, uint32_t world_seed, int32_t x, int32_t z, uint32_t tile_seed) {
  const GridTile grid = {.x = x,
                         .z = z,
                         .seed = tile_seed,
                         .floor = floor_at(world_seed, x, z),
                         .flat = world_seed % 2 == 0,
                         .hole = tile_seed % 3 ? UINT32_MAX : 1,
                         .tree = tile_seed % 5 != 0};
  WmTileData tile = make_grid_tile(wm_mesh_context(mesh), &grid);
  CHECK_EQUAL_INT(wm_mesh_replace_tile(mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
  wm_tile_data_free(wm_mesh_context(mesh), &tile);
}

static inline void change_tile(WmMesh *mesh, uint32_t *seed, uint32_t world_seed) {
  const int32_t x = (int32_t)(grid_random(seed) % SIDE), z = (int32_t)(grid_random(seed) % SIDE);
  const WmMeshTile *tile = wm_mesh_find_tile(mesh, x, z, 0);
  if (tile && grid_random(seed) % 2) {
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tile->ref), WM_OK);
  } else {
    put_tile(mesh, world_seed, x, z, 1 + grid_random(seed) % 50);
  }
}

static inline WmMesh *make_random_world(WmContext *context, uint32_t *seed, uint32_t world_seed) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int i = 0; i < 24; i++) change_tile(mesh, seed, world_seed);
  return mesh;
}

#endif
