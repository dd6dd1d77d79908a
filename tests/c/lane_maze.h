/* Random mazes of rooms and lanes for tests of crowds: rooms in a grid, a spanning tree of lanes between them,
 * and some lanes more. Lanes let one agent of the mesh's radius pass, or two. */
#ifndef WALKMESH_TESTS_LANE_MAZE_H
#define WALKMESH_TESTS_LANE_MAZE_H

#include "crowd_worlds.h"
#include "walkmesh.h"

enum { MAZE_SIDE = 4, MAZE_RECTANGLES = 3 * MAZE_SIDE * MAZE_SIDE };

typedef struct LaneMaze {
  uint32_t seed;
  float room, gap, lane; /* sizes, world units */
  int side;              /* rooms per row */
  int count;
  float rectangles[MAZE_RECTANGLES][4]; /* low x, low z, high x, high z: rooms, then lanes */
} LaneMaze;

static inline void maze_add(LaneMaze *maze, float low_x, float low_z, float high_x, float high_z) {
  const float rectangle[4] = {low_x, low_z, high_x, high_z};
  memcpy(maze->rectangles[maze->count++], rectangle, sizeof rectangle);
}

/* The first room of a group of joined rooms. */
static inline int maze_root(const int *parents, int room) {
  while (parents[room] != room) room = parents[room];
  return room;
}

static inline void maze_join(LaneMaze *maze, int *parents, int room, bool along_x, float extra) {
  const int other = room + (along_x ? 1 : maze->side), a = maze_root(parents, room);
  const int b = maze_root(parents, other);
  if (a == b && crowd_random(&maze->seed, 0, 1) >= extra) return;
  parents[a] = b;
  const float pitch = maze->room + maze->gap;
  const float x = pitch * (float)(room % maze->side), z = pitch * (float)(room / maze->side);
  const float at = crowd_random(&maze->seed, 0.2f, maze->room - maze->lane - 0.2f);
  if (along_x) {
    maze_add(maze, x + maze->room, z + at, x + pitch, z + at + maze->lane);
  } else {
    maze_add(maze, x + at, z + maze->room, x + at + maze->lane, z + pitch);
  }
}

/* Makes a maze of 4 to 16 rooms. Sizes, and the fraction of lanes beside the spanning tree, follow from the seed. */
static inline LaneMaze maze_make(uint32_t seed) {
  LaneMaze maze = {.seed = seed * 2654435761u + 12345};
  int parents[MAZE_SIDE * MAZE_SIDE], edges[2 * MAZE_SIDE * MAZE_SIDE], edge_count = 0;
  maze.side = 2 + (int)(grid_random(&maze.seed) % (MAZE_SIDE - 1));
  maze.room = crowd_random(&maze.seed, 4, 7);
  maze.gap = crowd_random(&maze.seed, 0.6f, 8);
  maze.lane = crowd_random(&maze.seed, 1.3f, 2.4f);
  const float pitch = maze.room + maze.gap, extra = crowd_random(&maze.seed, 0, 1);
  for (int room = 0; room < maze.side * maze.side; room++) {
    const float x = pitch * (float)(room % maze.side), z = pitch * (float)(room / maze.side);
    maze_add(&maze, x, z, x + maze.room, z + maze.room);
    parents[room] = room;
    if (room % maze.side + 1 < maze.side) edges[edge_count++] = 2 * room;
    if (room / maze.side + 1 < maze.side) edges[edge_count++] = 2 * room + 1;
  }
  for (int i = edge_count - 1; i >= 0; i--) {
    const int k = (int)(grid_random(&maze.seed) % (uint32_t)(i + 1)), edge = edges[k];
    edges[k] = edges[i];
    maze_join(&maze, parents, edge / 2, edge % 2 == 0, extra);
  }
  return maze;
}

/* The mesh of a maze for agents of radius 0.4: a lane of 1.3 leaves 0.5 for their centres. */
static inline WmMesh *maze_bake(WmContext *context, const LaneMaze *maze) {
  float positions[MAZE_RECTANGLES * 4][3];
  uint32_t indices[MAZE_RECTANGLES * 6];
  for (int i = 0; i < maze->count; i++) {
    const float *r = maze->rectangles[i];
    const float corners[4][3] = {{r[0], 0, r[1]}, {r[0], 0, r[3]}, {r[2], 0, r[3]}, {r[2], 0, r[1]}};
    memcpy(positions[4 * i], corners, sizeof corners);
    const uint32_t first = 4 * (uint32_t)i;
    const uint32_t triangles[6] = {first, first + 1, first + 2, first, first + 2, first + 3};
    memcpy(indices + 6 * i, triangles, sizeof triangles);
  }
  WmConfig config = wm_config_default();
  config.cell_size = config.cell_height = 0.1f;
  config.agent_radius = 0.4f;
  const WmBakeInput input = {.triangles = {.positions = positions[0],
                                           .position_stride = 3,
                                           .vertex_count = 4 * (size_t)maze->count,
                                           .indices = indices,
                                           .triangle_count = 2 * (size_t)maze->count}};
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_bake_mesh(context, &config, &input, &mesh), WM_OK);
  return mesh;
}

/* A random point of the maze at least 0.5 from its borders; in a lane once in `lanes` times. */
static inline void maze_point(LaneMaze *maze, uint32_t lanes, float point[3]) {
  const int rooms = maze->side * maze->side, more = maze->count - rooms;
  const bool in_lane = more > 0 && grid_random(&maze->seed) % lanes == 0;
  const uint32_t k = grid_random(&maze->seed) % (uint32_t)(in_lane ? more : rooms);
  const float *r = maze->rectangles[in_lane ? rooms + (int)k : (int)k];
  const float margin = 0.5f;
  for (int axis = 0; axis < 2; axis++) {
    const float low = r[axis] + margin, high = r[axis + 2] - margin;
    point[2 * axis] = high > low ? crowd_random(&maze->seed, low, high) : 0.5f * (r[axis] + r[axis + 2]);
  }
  point[1] = 0;
}

#endif
