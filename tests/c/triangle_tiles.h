/* Flat tiles of triangles and quads, cut differently in each tile: vertices on both sides of a border differ, and ends of
 * portals there, which lie on 255 steps of an edge, are vertices of neither side. */
#ifndef WALKMESH_TESTS_TRIANGLE_TILES_H
#define WALKMESH_TESTS_TRIANGLE_TILES_H

#include "bake/stages.h"
#include "grid_tiles.h"

enum { TRIANGLE_TILE_CELLS = 80, TRIANGLE_LINES = 18, TRIANGLE_LIMIT = 512 };

/* How tiles of a world are cut. */
typedef struct TriangleWorld {
  uint32_t seed;
  uint32_t widest;  /* strips, cells: 2 to 40 */
  uint32_t moved;   /* vertices inside a tile are moved by up to this, cells */
  uint32_t quads;   /* of 8 rectangles that stay whole, on average */
  uint32_t missing; /* of 32 polygons that are left out, on average: walls */
  uint32_t closed;  /* of 32 polygons whose flags are 0, on average */
} TriangleWorld;

typedef struct TriangleTile {
  uint16_t vertices[TRIANGLE_LINES * TRIANGLE_LINES][3];
  uint16_t polygons[TRIANGLE_LIMIT][2][4];
  uint8_t areas[TRIANGLE_LIMIT];
  uint32_t vertex_count, polygon_count;
} TriangleTile;

/* The least width of strips, cells. */
static inline uint32_t narrowest_strip(const TriangleWorld *world) {
  const uint32_t least = TRIANGLE_TILE_CELLS / (TRIANGLE_LINES - 2) + 1;
  return world->widest / 2 > least ? world->widest / 2 : least;
}

/* Cuts of 0..80; returns the number of strips. */
static inline uint32_t cut_strips(const TriangleWorld *world, uint32_t *seed, uint16_t cuts[TRIANGLE_LINES]) {
  const uint32_t least = narrowest_strip(world);
  uint32_t count = 0, at = 0;
  for (; at + least <= TRIANGLE_TILE_CELLS; at += least + grid_random(seed) % (world->widest - least + 1))
    cuts[count++] = (uint16_t)at;
  cuts[count] = TRIANGLE_TILE_CELLS;
  return count;
}

static inline void add_triangle_polygon(TriangleTile *tile, const TriangleWorld *world, uint32_t *seed,
                                        const uint16_t corners[4]) {
  if (grid_random(seed) % 32 < world->missing && tile->polygon_count > 0) return;
  CHECK(tile->polygon_count < TRIANGLE_LIMIT);
  tile->areas[tile->polygon_count] = 63;
  memcpy(tile->polygons[tile->polygon_count++][0], corners, 4 * sizeof *corners);
}

static inline uint32_t count_triangle_corners(const uint16_t corners[4]) {
  return corners[3] == 0xffff ? 3 : 4;
}

/* The side of the tile that an edge lies on, as the code of its neighbour; 0xffff: inside. */
static inline uint16_t triangle_side(const uint16_t a[3], const uint16_t b[3]) {
  if (a[0] == 0 && b[0] == 0) return 0x8000;
  if (a[2] == TRIANGLE_TILE_CELLS && b[2] == TRIANGLE_TILE_CELLS) return 0x8001;
  if (a[0] == TRIANGLE_TILE_CELLS && b[0] == TRIANGLE_TILE_CELLS) return 0x8002;
  if (a[2] == 0 && b[2] == 0) return 0x8003;
  return 0xffff;
}

/* The polygon with an edge, or the code of the tile's side. */
static inline uint16_t triangle_neighbour(const TriangleTile *tile, uint16_t from, uint16_t to) {
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    const uint16_t *corners = tile->polygons[i][0];
    const uint32_t count = count_triangle_corners(corners);
    for (uint32_t k = 0; k < count; k++) {
      if (corners[k] == to && corners[(k + 1) % count] == from) return (uint16_t)i;
    }
  }
  return triangle_side(tile->vertices[from], tile->vertices[to]);
}

static inline void draw_triangle_tile(const TriangleWorld *world, uint32_t seed, TriangleTile *tile) {
  uint16_t across[TRIANGLE_LINES], down[TRIANGLE_LINES];
  const uint32_t columns = cut_strips(world, &seed, across), rows = cut_strips(world, &seed, down);
  /* So little that quads stay convex. */
  const uint32_t most = narrowest_strip(world) / 6, moved = world->moved < most ? world->moved : most;
  *tile = (TriangleTile){.vertex_count = (columns + 1) * (rows + 1)};
  for (uint32_t i = 0; i < tile->vertex_count; i++) {
    const uint32_t r = i / (columns + 1), c = i % (columns + 1);
    const bool moves = r > 0 && c > 0 && r < rows && c < columns;
    const uint32_t range = moves ? 2 * moved + 1 : 1;
    tile->vertices[i][0] = (uint16_t)(across[c] + grid_random(&seed) % range - range / 2);
    tile->vertices[i][2] = (uint16_t)(down[r] + grid_random(&seed) % range - range / 2);
  }
  for (uint32_t i = 0; i < columns * rows; i++) {
    const uint16_t a = (uint16_t)(i / columns * (columns + 1) + i % columns), b = (uint16_t)(a + columns + 1);
    const uint16_t c = (uint16_t)(b + 1), d = (uint16_t)(a + 1);
    if (grid_random(&seed) % 8 < world->quads) {
      add_triangle_polygon(tile, world, &seed, (uint16_t[]){a, b, c, d});
      continue;
    }
    const bool is_up = grid_random(&seed) % 2;
    add_triangle_polygon(tile, world, &seed, (uint16_t[]){a, b, is_up ? c : d, 0xffff});
    add_triangle_polygon(tile, world, &seed, (uint16_t[]){is_up ? a : b, c, d, 0xffff});
  }
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    const uint16_t *corners = tile->polygons[i][0];
    const uint32_t count = count_triangle_corners(corners);
    for (uint32_t k = 0; k < 4; k++)
      tile->polygons[i][1][k] =
          k < count ? triangle_neighbour(tile, corners[k], corners[(k + 1) % count]) : 0xffff;
  }
}

static inline void add_triangle_tile(WmMesh *mesh, const TriangleWorld *world, int32_t x, int32_t z,
                                     uint32_t seed) {
  static TriangleTile drawn;
  draw_triangle_tile(world, seed, &drawn);
  const float low[2] = {(float)x * GRID_TILE_SIZE, (float)z * GRID_TILE_SIZE};
  const WmPolygonMesh whole = {.max_vertices_per_polygon = 4,
                               .vertex_count = drawn.vertex_count,
                               .polygon_count = drawn.polygon_count,
                               .vertices = drawn.vertices[0],
                               .polygons = drawn.polygons[0][0],
                               .polygon_area = drawn.areas,
                               .grid = {.cell_size = 0.1f,
                                        .cell_height = 0.1f,
                                        .bounds_min = {low[0], 0, low[1]},
                                        .bounds_max = {low[0] + GRID_TILE_SIZE, 2, low[1] + GRID_TILE_SIZE}}};
  WmTileSettings settings = {.x = x,
                             .z = z,
                             .agent_height = 1.8f,
                             .agent_radius = 0.4f,
                             .agent_max_climb = 0.4f,
                             .build_tree = true};
  settings.area_flags[0] = 1;
  WmTileData tile;
  WmRef ref;
  CHECK_EQUAL_INT(wm_build_tile(wm_mesh_context(mesh), &whole, NULL, &settings, &tile), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, &ref), WM_OK);
  wm_tile_data_free(wm_mesh_context(mesh), &tile);
  for (uint32_t p = 0; p < drawn.polygon_count; p++) {
    if (grid_random(&seed) % 32 < world->closed)
      CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, ref + p, 0), WM_OK);
  }
}

/* A mesh of side x side tiles.
 * in         first: both tile coordinates of the first tile */
static inline WmMesh *make_triangle_world_at(WmContext *context, int32_t first, int32_t side,
                                             const TriangleWorld *world) {
  const WmMeshParameters parameters = {.tile_width = GRID_TILE_SIZE,
                                       .tile_depth = GRID_TILE_SIZE,
                                       .cell_size = 0.1f,
                                       .cell_height = 0.1f,
                                       .agent_height = 1.8f,
                                       .agent_radius = 0.4f,
                                       .agent_max_climb = 0.4f};
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
  for (int32_t i = 0; i < side * side; i++)
    add_triangle_tile(mesh, world, first + i % side, first + i / side, 1000 * world->seed + (uint32_t)i);
  return mesh;
}

/* The same from the origin. */
static inline WmMesh *make_triangle_world(WmContext *context, int32_t side, const TriangleWorld *world) {
  return make_triangle_world_at(context, 0, side, world);
}

#endif
