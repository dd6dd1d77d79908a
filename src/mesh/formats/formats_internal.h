/* Layouts of files, shared by the files of this folder. See docs/formats.md.
 *
 *   formats.c        reads all formats
 *   formats_write.c  writes them
 *   formats_links.c  segment links
 *   formats_export.c segment links as connections, for Detour
 *
 * .walkmesh, version 1, little-endian:
 *
 *    0  "WALKMESH"
 *    8  u32 version, u32 number of sections
 *   16  u64 bytes of the whole file
 *   24  sections, each: u32 kind, u32 0, u64 bytes of its content, the content, zeros up to a multiple of 8
 *   -8  u64 checksum of all bytes before
 *
 * Sections, in this order:
 *
 *   PARA  once: the WmMeshParameters
 *   CONF  at most once: text
 *   TILE  any number: i32 x, z, layer, u32 0, the tile in Detour's format
 *   CONN  at most once: connections made at run time, in the order they were made
 *   LINK  at most once: sets of segment links, and the places of links that are off
 *
 * The checksum xors in each word of 8 bytes, multiplies and shifts, so that it differs after any change of a
 * single word.
 *
 * MSET: a header of 40 bytes, then tiles, each after a head: reference u32, size i32. A Detour with 64-bit
 * references writes: reference u64, size i32, 4 meaningless bytes, and links of 16 bytes in the tile. */
#ifndef WALKMESH_MESH_FORMATS_INTERNAL_H
#define WALKMESH_MESH_FORMATS_INTERNAL_H

#include "mesh/formats/formats.h"

enum {
  WM_FILE_VERSION = 1,                   /* of .walkmesh and of sets */
  WM_SECTION_PARAMETERS = 0x41524150,    /* "PARA" */
  WM_SECTION_CONFIGURATION = 0x464e4f43, /* "CONF" */
  WM_SECTION_TILE = 0x454c4954,          /* "TILE" */
  WM_SECTION_CONNECTIONS = 0x4e4e4f43,   /* "CONN" */
  WM_SECTION_LINKS = 0x4b4e494c,         /* "LINK" */
  WM_SET_MAGIC = 0x4d534554
};

/* "WALKMESH" */
#define WM_FILE_MAGIC UINT64_C(0x4853454d4b4c4157)

/* Sizes of headers, and of the head of each part. */
enum {
  WM_FILE_HEADER_BYTES = 24,
  WM_SECTION_HEAD_BYTES = 16,
  WM_TILE_PLACE_BYTES = 16,
  WM_CHECKSUM_BYTES = 8,
  WM_SET_HEADER_BYTES = 40,
  WM_SET_HEAD_BYTES = 8,
  WM_SET_WIDE_HEAD_BYTES = 16
};

_Static_assert(sizeof(WmMeshParameters) == 56, "parameters are stored as they lie in memory");

/* The header of a set. */
typedef struct WmSetHeader {
  uint32_t magic, version, tile_count;
  float origin[3], tile_width, tile_depth;
  uint32_t max_tiles, max_polygons; /* of a tile */
} WmSetHeader;

_Static_assert(sizeof(WmSetHeader) == WM_SET_HEADER_BYTES, "set headers are stored as they lie in memory");

/* The head of a section of .walkmesh. */
typedef struct WmSectionHead {
  uint32_t kind, zero;
  uint64_t byte_count;
} WmSectionHead;

_Static_assert(sizeof(WmSectionHead) == WM_SECTION_HEAD_BYTES, "heads are stored as they lie in memory");

/* The start of a TILE section. */
typedef struct WmSavedPlace {
  int32_t x, z, layer;
  uint32_t zero;
} WmSavedPlace;

_Static_assert(sizeof(WmSavedPlace) == WM_TILE_PLACE_BYTES, "places are stored as they lie in memory");

/* A stored connection made at run time. */
typedef struct WmSavedConnection {
  float start[3], end[3];
  float radius, climb, cost_factor;
  uint32_t user_id;
  uint16_t flags;
  uint8_t area;
  uint8_t options; /* WM_SAVED_..., no other bits */
} WmSavedConnection;

enum { WM_SAVED_BIDIRECTIONAL = 1, WM_SAVED_ENABLED = 2 };

_Static_assert(sizeof(WmSavedConnection) == 44, "connections are stored as they lie in memory");

/* The content of a LINK section: its size (0: no section is needed), its bytes, and the sets that it has put into a mesh.
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
size_t wm_saved_links_bytes(const WmMesh *mesh);
void wm_saved_links_write(const WmMesh *mesh, uint8_t *bytes);
WmStatus wm_saved_links_read(WmMesh *mesh, const uint8_t *bytes, size_t byte_count);

/* Bits of references in sets: generation above tile above polygon. Narrow ones have 10 bits of generation and
 * divide the other 22 between tile and polygon; in wide ones all sizes are fixed. */
enum { WM_SET_NARROW_BITS = 22, WM_SET_WIDE_POLYGON_BITS = 20, WM_SET_WIDE_TILE_BITS = 28 };

/* Bits for numbers below `count`, 1 to 2^31. */
static inline uint32_t wm_bits_for(uint32_t count) { return 31u - (uint32_t)__builtin_clz(2 * count - 1); }

#endif
