/* Checks a tile's bytes, for tests and debug builds (base/debug/assert.h). Bytes from outside are checked by
 * mesh/tile/tile_check.h in every build; this shares no code with it, and checks more. */
#ifndef WALKMESH_BAKE_TILE_VALIDATE_H
#define WALKMESH_BAKE_TILE_VALIDATE_H

#include "bake/fields.h"

/* True if the tile's counts give its size; polygons have valid vertices and mutual neighbours; details
 * follow each other without gaps, and their triangles have valid corners; each node's bounds contain those
 * of its subtree, whose leaves are all ground polygons; and connections, their polygons and vertices
 * belong together. A tile without bytes is valid.
 * cost       O(bytes) */
bool wm_tile_validate(const WmTileData *tile);

#endif
