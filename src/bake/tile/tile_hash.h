/* What a tile's bytes follow from, as one number: for caches, and to tell which tiles a change touches.
 *
 * The same hash means the same bytes (tile_hash.c says of what it is made); a change that does not reach the
 * tile does not change it. Another hash may still mean the same bytes. */
#ifndef WALKMESH_BAKE_TILE_HASH_H
#define WALKMESH_BAKE_TILE_HASH_H

#include "bake/bake.h"
#include "base/content_hash.h"

/* A tile that may be baked. */
typedef struct WmTileContent {
  const WmConfig *config;
  const WmVoxelConfig *voxels;
  const WmBakeInput *input;
  const uint8_t *triangle_areas; /* [triangle_count] after slope marking */
  const uint32_t *subset; /* ascending triangle numbers, with all that touch the grid; NULL: all triangles */
  size_t subset_count;
  const WmSolid *solids; /* with all that touch the grid, in order; volumes likewise */
  size_t solid_count;
  const WmAreaVolume *volumes;
  size_t volume_count;
  const WmOffMeshConnection *connections; /* with all that begin or end in the tile, in order */
  size_t connection_count;
  WmGrid grid; /* the tile's, border included */
  int32_t x, z;
} WmTileContent;

/* returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (a volume that cannot be marked: the bake would fail, too)
 * cost       O(triangles of the subset, solids and volumes of those lists, connections) */
WmStatus wm_hash_tile(WmContext *context, const WmTileContent *content, WmContentHash *hash);

#endif
