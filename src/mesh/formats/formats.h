/* Files: a whole navigation mesh to bytes and back. docs/formats.md has the layouts, and which fields are
 * read and written.
 *
 *   .walkmesh   ours: parameters, configuration, tiles, connections and segment links, with version and checksum
 *   DNAV        one tile of Detour
 *   MSET        a set of tiles, as Detour's demo, game servers and other packages write it, with references
 *               of 32 or of 64 bits
 *
 * Reading checks all bytes before use: a hostile, cut or altered file returns WM_ERROR_CORRUPT, naming what
 * is wrong, never a mesh that is unsafe to query. Memory stays below a small multiple of the file's size. */
#ifndef WALKMESH_MESH_FORMATS_H
#define WALKMESH_MESH_FORMATS_H

#include "base/public.h"
#include "mesh/mesh.h"

WM_PUBLIC_BEGIN

typedef enum WmFormat {
  WM_FORMAT_UNKNOWN = 0,
  WM_FORMAT_WALKMESH = 1,
  WM_FORMAT_TILE = 2,    /* DNAV */
  WM_FORMAT_SET = 3,     /* MSET with references of 32 bits */
  WM_FORMAT_SET_WIDE = 4 /* MSET with references of 64 bits */
} WmFormat;

/* The format that the first 60 bytes indicate; a set without tiles is WM_FORMAT_SET. */
WmFormat wm_format_detect(const uint8_t *bytes, size_t byte_count);

/* Makes a mesh from a file in any of the formats.
 * returns    WM_OK; WM_ERROR_CORRUPT; WM_ERROR_LIMIT; WM_ERROR_OUT_OF_MEMORY. *mesh is NULL on failure; a
 *            failure within a part of a file (a section, a tile of a set) has the part's number, from 1
 * cost       O(bytes) */
WmStatus wm_mesh_read(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **mesh);

/* Writes a mesh, tiles in the order they were added, so that reading results in the same links in the same
 * order. Connections made at run time and segment links are written to .walkmesh only;
 * wm_mesh_write_point_links writes the latter to Detour's formats, too.
 * out        *bytes [*byte_count]: a block of the context (wm_block_free); NULL, 0 on failure
 * returns    WM_OK; WM_ERROR_LIMIT (WM_FORMAT_TILE: not exactly one tile; WM_FORMAT_SET: more tiles and
 *            polygons than 32-bit references hold); WM_ERROR_INVALID_ARGUMENT (format);
 *            WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_mesh_write(const WmMesh *mesh, WmFormat format, uint8_t **bytes, size_t *byte_count);

/* Writes the tiles of a mesh with its segment links as off-mesh connections, as Detour has no others: in the tile where each
 * begins, at equal distances across the link, at least one. They have flags, area, directions and user id of the link, and the
 * agent's radius. Left out: links that are off, and positions where one side lies on no ground. Kinds, costs and peaks have no
 * place in these files; read back, they are connections. The configuration isn't written.
 * in         format: WM_FORMAT_SET, WM_FORMAT_SET_WIDE or WM_FORMAT_TILE; spacing: >= 0, world units between two of them;
 *            0: the agent's diameter
 * returns    as wm_mesh_write; WM_ERROR_LIMIT also for more connections than a tile holds */
WmStatus wm_mesh_write_point_links(const WmMesh *mesh, WmFormat format, float spacing, uint8_t **bytes,
                                   size_t *byte_count);

/* Checks the bytes of one tile in Detour's format.
 * returns    WM_OK, WM_ERROR_CORRUPT naming what is wrong, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_tile_check(WmContext *context, const uint8_t *bytes, size_t byte_count);

/* The checksum of our own formats.
 * in         byte_count: a multiple of 8 */
uint64_t wm_file_checksum(const uint8_t *bytes, size_t byte_count);

WM_PUBLIC_END

#endif
