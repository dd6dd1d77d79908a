/* Tiles drawn by code: a square of strips, cut differently in each tile, so that edges of neighbours overlap
 * in part. Tiles are 8 units wide (16 cells of 0.5), cell height 0.25, climb 0.5. */
#ifndef WALKMESH_TESTS_GRID_TILES_H
#define WALKMESH_TESTS_GRID_TILES_H

#include <stdlib.h>
#include <string.h>

#include "bake/stages.h"
#include "check.h"
#include "mesh/mesh.h"

#define GRID_TILE_SIZE 8.0f

typedef struct GridTile {
  int32_t x, z, layer;
  uint32_t seed;  /* of the cuts; 0: four squares */
  uint16_t floor; /* cell heights above 0 */
  bool flat;      /* all of it at `floor`; else its corners are up to a cell height higher */
  uint32_t hole;  /* this polygon is left out; UINT32_MAX: none */
  bool tree;
  const WmOffMeshConnection *connections;
  size_t connection_count;
} GridTile;

static inline uint32_t grid_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Cuts of 0..16 into strips at least 1 wide; returns their number. */
static inline uint32_t grid_cuts(uint32_t *seed, uint16_t cuts[17]) {
  uint32_t count = 0;
  for (uint32_t at = 0; at < 16; at += *seed == 0 ? 8 : 1 + grid_random(seed) % 6)
    cuts[count++] = (uint16_t)at;
  cuts[count] = 16;
  return count;
}

enum { GRID_POLYGON_LIMIT = 256 };

/* The bytes of a tile; free them by wm_tile_data_free. */
static inline WmTileData make_grid_tile(WmContext *context, const GridTile *grid) {
  static uint16_t vertices[3 * 17 * 17], polygons[GRID_POLYGON_LIMIT * 8];
  static uint8_t areas[GRID_POLYGON_LIMIT];
  uint16_t across[17], down[17];
  uint32_t seed = grid->seed;
  const uint32_t columns = grid_cuts(&seed, across), rows = grid_cuts(&seed, down);
  for (uint32_t r = 0; r <= rows; r++) {
    for (uint32_t c = 0; c <= columns; c++) {
      uint16_t *vertex = vertices + 3 * (r * (columns + 1) + c);
      vertex[0] = across[c];
      vertex[1] = (uint16_t)(grid->floor + (grid->flat ? 0 : (across[c] + down[r]) % 2));
      vertex[2] = down[r];
    }
  }
  uint32_t count = 0;
  uint16_t numbers[GRID_POLYGON_LIMIT];
  for (uint32_t i = 0; i < columns * rows; i++) numbers[i] = i == grid->hole ? 0xffff : (uint16_t)count++;
  for (uint32_t i = 0; i < columns * rows; i++) {
    if (numbers[i] == 0xffff) continue;
    const uint32_t r = i / columns, c = i % columns, corner = r * (columns + 1) + c;
    uint16_t *polygon = polygons + 8 * (size_t)numbers[i];
    areas[numbers[i]] = 63;
    polygon[0] = (uint16_t)corner;
    polygon[1] = (uint16_t)(corner + columns + 1);
    polygon[2] = (uint16_t)(corner + columns + 2);
    polygon[3] = (uint16_t)(corner + 1);
    polygon[4] = c > 0 ? numbers[i - 1] : 0x8000;
    polygon[5] = r + 1 < rows ? numbers[i + columns] : 0x8001;
    polygon[6] = c + 1 < columns ? numbers[i + 1] : 0x8002;
    polygon[7] = r > 0 ? numbers[i - columns] : 0x8003;
  }
  WmPolygonMesh mesh = {.max_vertices_per_polygon = 4,
                        .vertex_count = (columns + 1) * (rows + 1),
                        .polygon_count = count,
                        .vertices = vertices,
                        .polygons = polygons,
                        .polygon_area = areas};
  mesh.grid = (WmGrid){.cell_size = 0.5f, .cell_height = 0.25f, .border_size = 3};
  mesh.grid.bounds_min[0] = (float)grid->x * GRID_TILE_SIZE;
  mesh.grid.bounds_min[2] = (float)grid->z * GRID_TILE_SIZE;
  mesh.grid.bounds_max[0] = mesh.grid.bounds_min[0] + GRID_TILE_SIZE;
  mesh.grid.bounds_max[1] = 10;
  mesh.grid.bounds_max[2] = mesh.grid.bounds_min[2] + GRID_TILE_SIZE;
  WmTileSettings settings = {.x = grid->x,
                             .z = grid->z,
                             .layer = grid->layer,
                             .agent_height = 2,
                             .agent_radius = 0.5f,
                             .agent_max_climb = 0.5f,
                             .build_tree = grid->tree,
                             .connections = grid->connections,
                             .connection_count = grid->connection_count};
  settings.area_flags[0] = 1;
  WmTileData tile;
  CHECK_EQUAL_INT(wm_build_tile(context, &mesh, NULL, &settings, &tile), WM_OK);
  return tile;
}

static inline WmMesh *make_grid_mesh(WmContext *context) {
  const WmMeshParameters parameters = {.tile_width = GRID_TILE_SIZE,
                                       .tile_depth = GRID_TILE_SIZE,
                                       .cell_size = 0.5f,
                                       .cell_height = 0.25f,
                                       .agent_height = 2,
                                       .agent_radius = 0.5f,
                                       .agent_max_climb = 0.5f};
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
  return mesh;
}

/* Lifts the nodes of a tile above the surface, each leaf to another height: bakes compute nodes from corners
 * of detail meshes, which may lie higher than the polygons' corners. */
static inline void lift_grid_nodes(WmTileData *tile) {
  WmTileHeader header;
  memcpy(&header, tile->bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  for (size_t i = 0; i < (size_t)header.node_count; i++) {
    WmTileNode node;
    wm_tile_get(tile->bytes, at.nodes, i, sizeof node, &node);
    const uint16_t lift = (uint16_t)(node.index < 0 ? 6 : node.index * 5 % 7);
    if (node.index >= 0) node.low[1] = (uint16_t)(node.low[1] + lift);
    node.high[1] = (uint16_t)(node.high[1] + lift);
    wm_tile_put(tile->bytes, at.nodes, i, sizeof node, &node);
  }
}

static inline WmRef add_grid_tile(WmMesh *mesh, const GridTile *grid) {
  WmTileData tile = make_grid_tile(wm_mesh_context(mesh), grid);
  WmRef ref = 0;
  CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, &ref), WM_OK);
  wm_tile_data_free(wm_mesh_context(mesh), &tile);
  return ref;
}

/* A mesh of side x side tiles; seed 0: all squares of four units. */
static inline WmMesh *make_grid_world(WmContext *context, int32_t side, uint32_t seed) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < side * side; i++) {
    const GridTile grid = {.x = i % side,
                           .z = i / side,
                           .seed = seed ? seed + (uint32_t)i : 0,
                           .hole = UINT32_MAX,
                           .tree = true};
    add_grid_tile(mesh, &grid);
  }
  return mesh;
}

/* An allocator that can be made to fail. */
typedef struct Ration {
  long until_failure; /* < 0: never */
  bool once;          /* fails once only, not from then on */
  bool was_refused;   /* an allocation failed since the last end_ration */
  long in_use, allocations;
} Ration;

static inline void *allocate_rationed(void *user, size_t bytes) {
  Ration *ration = user;
  if (ration->until_failure == 0) {
    ration->was_refused = true;
    if (ration->once) ration->until_failure = -1;
    return NULL;
  }
  if (ration->until_failure > 0) ration->until_failure--;
  ration->allocations++;
  ration->in_use++;
  return malloc(bytes);
}

/* Lets all allocations succeed again. Returns the status that a call must have had: a failed allocation that it
 * doesn't report may leave a result with holes. */
static inline WmStatus end_ration(Ration *ration) {
  const WmStatus expected = ration->was_refused ? WM_ERROR_OUT_OF_MEMORY : WM_OK;
  ration->until_failure = -1;
  ration->was_refused = false;
  return expected;
}

static inline void release_rationed(void *user, void *block) {
  ((Ration *)user)->in_use--;
  free(block);
}

#endif
