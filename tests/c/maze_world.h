/* Drawn worlds with walls, areas of high cost, floors of several heights and off-mesh connections. */
#ifndef WALKMESH_TESTS_MAZE_WORLD_H
#define WALKMESH_TESTS_MAZE_WORLD_H

#include "grid_tiles.h"

enum { MAZE_SIDE = 3, MAZE_SLOT_LIMIT = 16 };

/* One polygon in `walls` has flags 0, one in five flags 2, one in three area 7; one-way connections lead to
 * the next tile or within the tile. walls 0: none. */
static inline WmMesh *make_maze_world(WmContext *context, uint32_t seed, uint32_t walls) {
  WmMesh *mesh = make_grid_mesh(context);
  uint32_t state = seed * 2654435761u + 1;
  for (int32_t i = 0; i < MAZE_SIDE * MAZE_SIDE; i++) {
    WmOffMeshConnection connections[2];
    for (int c = 0; c < 2; c++) {
      const float x = (float)(i % MAZE_SIDE) * GRID_TILE_SIZE, z = (float)(i / MAZE_SIDE) * GRID_TILE_SIZE;
      connections[c] = (WmOffMeshConnection){.start = {x + 0.5f + (float)(grid_random(&state) % 7), 0,
                                                       z + 0.5f + (float)(grid_random(&state) % 7)},
                                             .end = {x + 0.5f + (float)(grid_random(&state) % 14), 0,
                                                     z + 0.5f + (float)(grid_random(&state) % 7)},
                                             .radius = 0.6f,
                                             .flags = 1,
                                             .bidirectional = grid_random(&state) % 2 == 0};
    }
    const GridTile grid = {.x = i % MAZE_SIDE,
                           .z = i / MAZE_SIDE,
                           .seed = seed + (uint32_t)i,
                           .hole = grid_random(&state) % 9,
                           .floor = (uint16_t)(seed % 3 == 0 ? grid_random(&state) % 6 : 0),
                           .tree = seed % 4 != 0,
                           .connections = connections,
                           .connection_count = 2};
    const WmRef tile = add_grid_tile(mesh, &grid);
    const uint32_t count = wm_mesh_tile_of(mesh, tile)->polygon_count;
    for (uint32_t p = 0; p < count; p++) {
      const bool wall = walls && grid_random(&state) % walls == 0;
      const uint16_t flags = wall ? 0 : grid_random(&state) % 5 == 0 ? 2 : 1;
      CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile + p, flags), WM_OK);
      if (grid_random(&state) % 3 == 0) CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, tile + p, 7), WM_OK);
    }
  }
  return mesh;
}

#endif
