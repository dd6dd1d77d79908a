/* Meshes of one tile whose polygons a test draws itself. */
#ifndef WALKMESH_TESTS_DRAWN_MESH_H
#define WALKMESH_TESTS_DRAWN_MESH_H

#include "bake/stages.h"
#include "check.h"
#include "mesh/mesh.h"

enum { DRAWN_CORNERS = 6, DRAWN_POLYGONS = 16, NO_CORNER = 0xffff };

/* A mesh of one tile, as large as the grid of `whole`, for agents of radius `radius`. */
static inline WmMesh *make_lone_tile(WmContext *context, const WmPolygonMesh *whole, float radius) {
  const WmGrid *grid = &whole->grid;
  WmTileSettings settings = {
      .agent_height = 1.8f, .agent_radius = radius, .agent_max_climb = 0.4f, .build_tree = true};
  settings.area_flags[0] = 1;
  const WmMeshParameters parameters = {.tile_width = grid->bounds_max[0],
                                       .tile_depth = grid->bounds_max[2],
                                       .cell_size = grid->cell_size,
                                       .cell_height = grid->cell_height,
                                       .agent_height = 1.8f,
                                       .agent_radius = radius,
                                       .agent_max_climb = 0.4f};
  WmMesh *mesh = NULL;
  WmTileData tile;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
  CHECK_EQUAL_INT(wm_build_tile(context, whole, NULL, &settings, &tile), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
  wm_tile_data_free(context, &tile);
  return mesh;
}

/* Corners [vertex_count][2]: x and z in cells of 0.1, from 0 to 200; polygons [polygon_count][6]: indices of corners,
 * clockwise with x to the right and z up, NO_CORNER after the last. Polygons that share two corners are joined. */
typedef struct Drawing {
  const uint16_t (*corners)[2];
  const uint16_t (*polygons)[DRAWN_CORNERS];
  uint16_t corner_count, polygon_count;
} Drawing;

static inline int count_corners(const uint16_t polygon[DRAWN_CORNERS]) {
  int count = 0;
  while (count < DRAWN_CORNERS && polygon[count] != NO_CORNER) count++;
  return count;
}

/* The polygon that has the edge from `from` to `to`, NO_CORNER if none has. */
static inline uint16_t find_edge(const Drawing *drawing, uint16_t from, uint16_t to) {
  for (uint16_t i = 0; i < drawing->polygon_count; i++) {
    const uint16_t *polygon = drawing->polygons[i];
    const int count = count_corners(polygon);
    for (int k = 0; k < count; k++) {
      if (polygon[k] == from && polygon[(k + 1) % count] == to) return i;
    }
  }
  return NO_CORNER;
}

static inline WmMesh *draw_mesh(WmContext *context, const Drawing *drawing) {
  uint16_t vertices[DRAWN_POLYGONS * DRAWN_CORNERS][3], polygons[DRAWN_POLYGONS][2][DRAWN_CORNERS];
  uint8_t areas[DRAWN_POLYGONS];
  for (uint16_t i = 0; i < drawing->corner_count; i++) {
    const uint16_t vertex[3] = {drawing->corners[i][0], 0, drawing->corners[i][1]};
    memcpy(vertices[i], vertex, sizeof vertex);
  }
  for (uint16_t i = 0; i < drawing->polygon_count; i++) {
    const uint16_t *polygon = drawing->polygons[i];
    const int count = count_corners(polygon);
    memcpy(polygons[i][0], polygon, sizeof polygons[i][0]);
    for (int k = 0; k < DRAWN_CORNERS; k++)
      polygons[i][1][k] = k < count ? find_edge(drawing, polygon[(k + 1) % count], polygon[k]) : NO_CORNER;
    areas[i] = 63;
  }
  const WmPolygonMesh whole = {.max_vertices_per_polygon = DRAWN_CORNERS,
                               .vertex_count = drawing->corner_count,
                               .polygon_count = drawing->polygon_count,
                               .vertices = vertices[0],
                               .polygons = polygons[0][0],
                               .polygon_area = areas,
                               .grid = {.cell_size = 0.1f, .cell_height = 0.1f, .bounds_max = {20, 2, 20}}};
  return make_lone_tile(context, &whole, 0.4f);
}

/* The reference of a drawn polygon. */
static inline WmRef drawn_ref(const WmMesh *mesh, uint32_t polygon) {
  return wm_mesh_tile(mesh, 0)->ref + polygon;
}

#endif
