/* Tiles that are made ready before they come into a mesh, and stay ready when they have left it.
 *
 * Usual order: wm_ready_tile_make, wm_mesh_swap_tile, which puts it in the place of the tile that is there,
 * wm_ready_tile_release. Who swaps it in again later holds it meanwhile (wm_ready_tile_retain): all that
 * follows from its bytes is there then, and swapping costs but its links.
 *
 * A ready tile is in one mesh at most. Of a mesh's own tiles, too, there are holders: one that leaves the
 * mesh is freed when the last one lets it go. */
#ifndef WALKMESH_MESH_READY_TILE_H
#define WALKMESH_MESH_READY_TILE_H

#include "mesh/mesh.h"

typedef struct WmTileRecord WmReadyTile;

/* Makes a tile ready, which the caller holds.
 * in         bytes: copied; is_trusted: they come from our own baker, and only their header is checked
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY; *ready is NULL on failure */
WmStatus wm_ready_tile_make(WmContext *context, const uint8_t *bytes, size_t byte_count, bool is_trusted,
                            WmReadyTile **ready);

/* One holder more, and one less. NULL is allowed. */
void wm_ready_tile_retain(WmReadyTile *ready);
void wm_ready_tile_release(WmContext *context, WmReadyTile *ready);

/* What to read of it; links and reference are of account only while it is in a mesh. */
const WmMeshTile *wm_ready_tile_view(const WmReadyTile *ready);

/* Whether flags or areas of its polygons have been set since it was made. */
bool wm_ready_tile_is_altered(const WmReadyTile *ready);

/* Makes a tile ready that is what another one was when it was made.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *copy is NULL on failure */
WmStatus wm_ready_tile_copy(WmContext *context, const WmReadyTile *ready, WmReadyTile **copy);

/* How much memory it takes, about. */
size_t wm_ready_tile_memory(const WmReadyTile *ready);

/* The tile of a mesh that a reference is of; NULL where it is stale. */
WmReadyTile *wm_mesh_ready_tile(const WmMesh *mesh, WmRef ref);

/* Puts a ready tile, which is in no mesh, into the place of the one with its place and layer, if there is
 * one; the mesh holds it then. Tiles keep the order that a mesh has whose tiles were added by z, x and layer,
 * and so do links where they had it, unless connections land on the tile or on those around it: then they are
 * as after wm_mesh_replace_tile.
 * out        *ref: of the tile
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY: the mesh and the tile are as they were
 * cost       O(links of the tile and of those beside it); edges are matched only on sides where they are
 *            not as they were */
WmStatus wm_mesh_swap_tile(WmMesh *mesh, WmReadyTile *ready, WmRef *ref);

#endif
