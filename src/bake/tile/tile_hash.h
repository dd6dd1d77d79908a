/* A hash of everything that a tile's bytes depend on: for caches, and to find the tiles that a change
 * affects.
 *
 * Equal hashes mean equal bytes (tile_hash.c lists the hashed values); a change elsewhere in the level
 * does not change the hash. Different hashes may still mean equal bytes. */
#ifndef WALKMESH_BAKE_TILE_HASH_H
#define WALKMESH_BAKE_TILE_HASH_H

#include "bake/bake.h"
#include "base/content_hash.h"

/* The input of one tile. */
typedef struct WmTileContent {
  const WmConfig *config;
  const WmVoxelConfig *voxels;
  const WmBakeInput *input;
  const uint8_t *triangle_areas; /* [triangle_count] after slope marking */
  const uint32_t *subset; /* ascending triangle indices, with all that touch the grid; NULL: all triangles */
  size_t subset_count;
  const WmSolid *solids; /* with all that touch the grid, in order; volumes too */
  size_t solid_count;
  const WmAreaVolume *volumes;
  size_t volume_count;
  const WmOffMeshConnection *connections; /* with all that begin or end in the tile, in order */
  size_t connection_count;
  WmGrid grid; /* the tile's, border included */
  float top;   /* of the bounds; that of the grid is higher if they are open above */
  int32_t x, z;
} WmTileContent;

/* Hashes a tile's input.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (a volume that cannot be marked: the bake would fail, too)
 * cost       O(triangles of the subset, solids, volumes, connections) */
WmStatus wm_hash_tile(WmContext *context, const WmTileContent *content, WmContentHash *hash);

/* Adds all that a volume is to a hash. */
void wm_hash_area_volume(WmContentHash *hash, const WmAreaVolume *volume);

#endif
