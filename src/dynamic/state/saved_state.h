/* Saved dynamic meshes: the mesh, kept tiles and which are dirty, obstacles with their handles, timers and
 * velocities, the focus, and the bake's configuration and input. Layout: docs/formats.md.
 *
 * Reading checks all bytes before use, as reading a mesh does (mesh/formats/formats.h): a hostile, cut or
 * altered file returns WM_ERROR_CORRUPT, never an object that is unsafe. The dynamic mesh that was read
 * behaves as the written one would have, but its polygon references are new. The cache is not saved. */
#ifndef WALKMESH_DYNAMIC_SAVED_STATE_H
#define WALKMESH_DYNAMIC_SAVED_STATE_H

#include "base/public.h"
#include "dynamic/dynamic.h"

WM_PUBLIC_BEGIN

/* Writes a dynamic mesh with its mesh.
 * out        *bytes [*byte_count]: a block of the context (wm_block_free); NULL, 0 on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(bytes) */
WmStatus wm_dynamic_write(const WmDynamic *dynamic, uint8_t **bytes, size_t *byte_count);

/* Reads a dynamic mesh and its mesh.
 * out        *mesh, *dynamic: destroy the dynamic mesh first; both NULL on failure
 * returns    WM_OK; WM_ERROR_CORRUPT; WM_ERROR_LIMIT; WM_ERROR_OUT_OF_MEMORY
 * cost       O(bytes), and that of reading every kept tile
 * memory     at most some 100 times the bytes */
WmStatus wm_dynamic_read(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **mesh,
                         WmDynamic **dynamic);

WM_PUBLIC_END

#endif
