/* Tiles turned by a quarter: (x, z) becomes (z, -x). */
#ifndef WALKMESH_TESTS_TURNED_TILES_H
#define WALKMESH_TESTS_TURNED_TILES_H

#include "grid_tiles.h"

static inline void turn_point(const float point[3], float turned[3]) {
  const float x = point[0];
  turned[0] = point[2];
  turned[1] = point[1];
  turned[2] = -x;
}

/* The reference of a polygon in the turned mesh: its tiles lie in the same slots. */
static inline WmRef turned_ref(const WmMesh *turned, WmRef polygon) {
  return wm_mesh_tile(turned, wm_ref_slot(polygon))->ref + wm_ref_polygon(polygon);
}

/* Turns the points of a section. */
static inline void turn_points(uint8_t *bytes, uint64_t section, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    float point[3];
    wm_tile_get(bytes, section, (size_t)i, sizeof point, point);
    turn_point(point, point);
    wm_tile_put(bytes, section, (size_t)i, sizeof point, point);
  }
}

/* Turns the bytes of a tile without a tree and connections, of a mesh that starts at 0. */
static inline void turn_tile(uint8_t *bytes) {
  WmTileHeader header;
  memcpy(&header, bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  turn_points(bytes, at.vertices, header.vertex_count);
  turn_points(bytes, at.detail_vertices, header.detail_vertex_count);
  for (int32_t p = 0; p < header.polygon_count; p++) {
    WmTilePolygon polygon;
    wm_tile_get(bytes, at.polygons, (size_t)p, sizeof polygon, &polygon);
    for (int k = 0; k < WM_TILE_VERTICES_PER_POLYGON; k++) {
      uint16_t *code = &polygon.neighbours[k];
      if (*code & WM_TILE_PORTAL) *code = (uint16_t)(WM_TILE_PORTAL | ((*code + 6) & 7));
    }
    wm_tile_put(bytes, at.polygons, (size_t)p, sizeof polygon, &polygon);
  }
  const float low = -header.bounds_max[0], high = -header.bounds_min[0];
  header.bounds_min[0] = header.bounds_min[2];
  header.bounds_max[0] = header.bounds_max[2];
  header.bounds_min[2] = low;
  header.bounds_max[2] = high;
  const int32_t x = header.x;
  header.x = header.z;
  header.z = -x - 1;
  memcpy(bytes, &header, sizeof header);
}

/* The same mesh turned, with the same slots and numbers of polygons: all of its tiles must be there. */
static inline WmMesh *make_turned_mesh(WmContext *context, const WmMesh *mesh) {
  WmMesh *turned = NULL;
  CHECK_EQUAL_INT(wm_mesh_create(context, wm_mesh_parameters(mesh), &turned), WM_OK);
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (!tile) continue;
    uint8_t *bytes = malloc(tile->byte_count);
    memcpy(bytes, tile->bytes, tile->byte_count);
    turn_tile(bytes);
    WmRef ref = 0;
    CHECK_EQUAL_INT(wm_mesh_add_tile(turned, bytes, tile->byte_count, &ref), WM_OK);
    CHECK_EQUAL_INT(wm_ref_slot(ref), tile->slot);
    free(bytes);
  }
  return turned;
}

/* A mesh, the same turned, and a query of each. */
typedef struct {
  WmMesh *mesh, *turned_mesh;
  WmQuery *query, *turned_query;
} TurnedPair;

/* Takes the mesh; free_turned_pair frees it. */
static inline TurnedPair make_turned_pair(WmContext *context, WmMesh *mesh) {
  TurnedPair pair = {.mesh = mesh, .turned_mesh = make_turned_mesh(context, mesh)};
  CHECK_EQUAL_INT(wm_query_create(context, pair.mesh, &pair.query), WM_OK);
  CHECK_EQUAL_INT(wm_query_create(context, pair.turned_mesh, &pair.turned_query), WM_OK);
  return pair;
}

static inline void free_turned_pair(TurnedPair pair) {
  wm_query_destroy(pair.query);
  wm_query_destroy(pair.turned_query);
  wm_mesh_destroy(pair.mesh);
  wm_mesh_destroy(pair.turned_mesh);
}

#endif
