/* The files that make a tile's bytes, and their shared functions:
 *
 *   tile.c          counts and writes the sections
 *   tile_tree.c     the bounding-volume tree over the polygons
 *   tile_validate.c checks the result (tile_validate.h)
 *   tile_hash.c     a hash of the tile's input (tile_hash.h) */
#ifndef WALKMESH_BAKE_TILE_INTERNAL_H
#define WALKMESH_BAKE_TILE_INTERNAL_H

#include "base/tile_format.h"
#include "bake/polygons/polygon_mesh_internal.h"

/* Writes the tree over all polygons: 2 * polygon_count - 1 nodes in preorder. The caller rewinds its
 * scratch memory.
 * in         detail: NULL: boxes of the polygons' own vertices
 * in/out     nodes: zeroed on entry
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_build_tile_tree(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                            WmTileNode *nodes);

/* The side of the tile's rectangle on which a point lies: WM_SIDE_..., WM_TILE_SIDE_INSIDE. */
uint8_t wm_tile_side_of(const float point[3], const WmGrid *grid);

#endif
