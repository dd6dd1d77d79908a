/* Ready tiles: tiles with their run-time arrays, prepared before they are put into a mesh. They stay ready
 * after they were removed from it.
 *
 * Usual order: wm_ready_tile_make; wm_mesh_swap_tile, which replaces the tile at its place;
 * wm_ready_tile_release. A caller that wants to put the tile back later keeps a reference to it
 * (wm_ready_tile_retain): then the arrays that follow from its bytes exist already, and only its links are
 * computed.
 *
 * A ready tile is in one mesh at most. The mesh holds a reference to each of its tiles; a tile is freed when
 * the last reference is released. */
#ifndef WALKMESH_MESH_READY_TILE_H
#define WALKMESH_MESH_READY_TILE_H

#include "mesh/mesh.h"

typedef struct WmTileRecord WmReadyTile;

/* Makes a ready tile with one reference, the caller's.
 * in         bytes: copied; is_trusted: they come from our own baker, so that only their header is checked
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY; *ready is NULL on failure */
WmStatus wm_ready_tile_make(WmContext *context, const uint8_t *bytes, size_t byte_count, bool is_trusted,
                            WmReadyTile **ready);

/* Adds a reference, and removes one. NULL is allowed. */
void wm_ready_tile_retain(WmReadyTile *ready);
void wm_ready_tile_release(WmContext *context, WmReadyTile *ready);

/* The readable view; its links and `ref` are valid only while it is in a mesh. */
const WmMeshTile *wm_ready_tile_view(const WmReadyTile *ready);

/* True if flags or areas of its polygons were set after it was made. */
bool wm_ready_tile_is_altered(const WmReadyTile *ready);

/* Makes a copy with the flags and areas that the tile was made with.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *copy is NULL on failure */
WmStatus wm_ready_tile_copy(WmContext *context, const WmReadyTile *ready, WmReadyTile **copy);

/* The memory it uses, bytes, about. */
size_t wm_ready_tile_memory(const WmReadyTile *ready);

/* The tile of a reference; NULL if that is stale. */
WmReadyTile *wm_mesh_ready_tile(const WmMesh *mesh, WmRef ref);

/* Puts a ready tile, which is in no mesh, into a mesh; replaces the tile at its place and layer, if there is
 * one. If tiles were in the order z, x, layer they stay so, and so do links, unless connections land on the
 * tile or on those around it: then links are in the order of wm_mesh_replace_tile.
 * out        *ref: of the tile
 * returns    WM_OK; WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY: the mesh and the tile are unchanged
 * cost       O(links of the tile and of those beside it); edges are matched only on sides where they differ
 *            from those of the former tile */
WmStatus wm_mesh_swap_tile(WmMesh *mesh, WmReadyTile *ready, WmRef *ref);

#endif
