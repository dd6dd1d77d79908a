/* The whole of a dynamic mesh as bytes: its mesh, what is kept of tiles and which are dirty, obstacles with
 * their handles, timers and velocities, focus, and what it was told of its bake. Layout: docs/formats.md.
 *
 * Reading checks everything before use, as reading a mesh does (mesh/formats/formats.h): a hostile, cut or altered
 * file gives WM_ERROR_CORRUPT, and never anything that is unsafe. What was read goes on as what was written
 * would have gone on, but for references, which are new. What is remembered to save time is not written. */
#ifndef WALKMESH_DYNAMIC_SAVED_STATE_H
#define WALKMESH_DYNAMIC_SAVED_STATE_H

#include "dynamic/dynamic.h"

/* out        *bytes [*byte_count]: a block of the context (wm_block_free); NULL, 0 on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(bytes) */
WmStatus wm_dynamic_write(const WmDynamic *dynamic, uint8_t **bytes, size_t *byte_count);

/* out        *mesh, *dynamic: the mesh is to be destroyed after the dynamic mesh; both NULL on failure
 * returns    WM_OK; WM_ERROR_CORRUPT; WM_ERROR_LIMIT; WM_ERROR_OUT_OF_MEMORY
 * cost       O(bytes), and that of reading every tile that is kept
 * memory     at most some 100 times the bytes */
WmStatus wm_dynamic_read(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **mesh,
                         WmDynamic **dynamic);

#endif
