/* Shared by the files that make a tile: tile.c (sections) and tile_tree.c (the bounding-volume tree). */
#ifndef WALKMESH_BAKE_TILE_INTERNAL_H
#define WALKMESH_BAKE_TILE_INTERNAL_H

#include "base/tile_format.h"
#include "bake/polygon_mesh_internal.h"

/* Writes the tree over all polygons: 2 * polygon_count - 1 nodes in preorder. Leaves its scratch memory to
 * the caller.
 * in         detail NULL: boxes of the polygons' own vertices; nodes: zeroed
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_build_tile_tree(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                            WmTileNode *nodes);

#endif
