/* Shared by the files that make a tile: tile.c (sections) and tile_tree.c (the bounding-volume tree). */
#ifndef WALKMESH_BAKE_TILE_INTERNAL_H
#define WALKMESH_BAKE_TILE_INTERNAL_H

#include "base/tile_format.h"
#include "bake/stages.h"

/* A box in cells above the tile's minimum, all axes in units of the cell size. */
typedef struct WmTileBox {
  uint16_t low[3], high[3];
} WmTileBox;

/* The number of used vertices of a polygon of the mesh. */
static inline int32_t wm_mesh_polygon_size(const WmPolygonMesh *mesh, size_t polygon) {
  const uint16_t *vertices = mesh->polygons + polygon * 2 * (size_t)mesh->max_vertices_per_polygon;
  int32_t count = 0;
  while (count < mesh->max_vertices_per_polygon && vertices[count] != WM_POLYGON_NONE) count++;
  return count;
}

/* Writes the tree over all polygons: 2 * polygon_count - 1 nodes in preorder from `section` on; the last
 * record of the section stays as it is (zero).
 * in         detail NULL: boxes of the polygons' own vertices
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_build_tile_tree(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                            uint8_t *bytes, uint64_t section);

#endif
