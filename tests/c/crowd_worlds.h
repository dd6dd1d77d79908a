/* Worlds for tests of crowds: flat tiles drawn by code (grid_tiles.h), and agents on them. */
#ifndef WALKMESH_TESTS_CROWD_WORLDS_H
#define WALKMESH_TESTS_CROWD_WORLDS_H

#include <math.h>

#include "crowd/crowd.h"
#include "drawn_mesh.h"
#include "grid_tiles.h"

static inline float crowd_random(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)(grid_random(seed) & 0xffff) / 65535.0f;
}

/* An open field of side x side tiles without walls inside. */
static inline WmMesh *make_field(WmContext *context, int32_t side) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < side * side; i++) {
    const GridTile grid = {.x = i % side, .z = i / side, .flat = true, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
  return mesh;
}

/* Two rooms of 30 by 30 side by side, and a gap of 0.9 between them, 1 deep: the surface that a doorway of
 * 1.5 in a wall of 0.4 leaves for agents of radius 0.3. The gap is from (30, 14.6) to (31, 15.5). */
static inline WmMesh *make_doorway(WmContext *context) {
  static uint16_t vertices[] = {0,   0, 0, 0,   0, 300, 300, 0, 300, 300, 0, 155, 300, 0, 146, 300, 0, 0,
                                310, 0, 0, 310, 0, 146, 310, 0, 155, 310, 0, 300, 610, 0, 300, 610, 0, 0};
  enum { N = 0xffff };
  static uint16_t polygons[] = {0, 1, 2, 3, 4,  5,  N, N, N, 1, N, N, /* a room */
                                4, 3, 8, 7, N,  N,  0, N, 2, N, N, N, /* the gap */
                                6, 7, 8, 9, 10, 11, N, 1, N, N, N, N};
  static uint8_t areas[] = {63, 63, 63};
  WmPolygonMesh rooms = {.max_vertices_per_polygon = 6,
                         .vertex_count = 12,
                         .polygon_count = 3,
                         .vertices = vertices,
                         .polygons = polygons,
                         .polygon_area = areas,
                         .grid = {.cell_size = 0.1f, .cell_height = 0.1f, .bounds_max = {64, 4, 64}}};
  return make_lone_tile(context, &rooms, 0.3f);
}

/* Tiles with cuts of their own at (x, z) of a block of columns x rows, flat. */
static inline void add_block(WmMesh *mesh, int32_t x, int32_t z, int32_t columns, int32_t rows,
                             uint32_t seed) {
  for (int32_t i = 0; i < columns * rows; i++) {
    const GridTile grid = {.x = x + i % columns,
                           .z = z + i / columns,
                           .seed = seed + (uint32_t)i,
                           .flat = true,
                           .hole = i % 3 == 1 ? (uint32_t)i % 7 : UINT32_MAX,
                           .tree = true};
    add_grid_tile(mesh, &grid);
  }
}

/* Removes each tile and adds it again: the same mesh, in which every reference has another generation. */
static inline void change_references(WmMesh *mesh) {
  for (size_t slot = 0, count = wm_mesh_slot_count(mesh); slot < count; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    if (!tile || tile->ground_count == 0) continue;
    const size_t byte_count = tile->byte_count;
    uint8_t *bytes = malloc(byte_count);
    const WmRef before = tile->ref;
    WmRef after;
    memcpy(bytes, tile->bytes, byte_count);
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, before), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, bytes, byte_count, &after), WM_OK);
    CHECK(before != after);
    free(bytes);
  }
}

static inline WmCrowd *make_crowd(WmContext *context, const WmMesh *mesh) {
  WmCrowd *crowd = NULL;
  CHECK_EQUAL_INT(wm_crowd_create(context, mesh, NULL, &crowd), WM_OK);
  return crowd;
}

static inline WmAgent add_agent(WmCrowd *crowd, float x, float z, const WmAgentParameters *parameters) {
  WmAgent agent = 0;
  const float position[3] = {x, 0, z};
  CHECK_EQUAL_INT(wm_crowd_add_agents(crowd, 1, position, parameters, parameters ? 1 : 0, &agent), WM_OK);
  return agent;
}

static inline void send_to(WmCrowd *crowd, WmAgent agent, float x, float z) {
  const float target[3] = {x, 0, z};
  CHECK_EQUAL_INT(wm_crowd_set_targets(crowd, 1, &agent, target, false), WM_OK);
}

static inline void run_crowd(WmCrowd *crowd, int steps, float seconds) {
  for (int i = 0; i < steps; i++) {
    CHECK_EQUAL_INT(wm_crowd_step(crowd, seconds, NULL), WM_OK);
    CHECK(wm_crowd_validate(crowd));
  }
}

static inline WmAgentInfo info_of(const WmCrowd *crowd, WmAgent agent) {
  WmAgentInfo info = {0};
  CHECK_EQUAL_INT(wm_crowd_info(crowd, agent, &info), WM_OK);
  return info;
}

static inline const float *position_of(const WmCrowd *crowd, WmAgent agent) {
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  return view.positions + 3 * info_of(crowd, agent).index;
}

#endif
