/* The bytes of a tile in Detour's format (DNAV, version 7), for the code that writes and reads tiles.
 *
 * A tile is a header and eight sections in this order, little-endian, each size a multiple of 4:
 *
 *   vertices            float [vertex_count][3]
 *   polygons            WmTilePolygon [polygon_count]
 *   links               [link_count] scratch space of Detour's run time, without meaning in a file: 12 bytes
 *                       each if references have 32 bits, 16 if they have 64
 *   detail records      WmTileDetail [detail_count]
 *   detail vertices     float [detail_vertex_count][3]
 *   detail triangles    uint8_t [detail_triangle_count][4]: three corners, and flags of the edges
 *   tree                WmTileNode [node_count]
 *   connections         WmTileConnection [connection_count], off-mesh
 *
 * The structs below have the format's layout. A tile's bytes need not be aligned: copy records with
 * wm_tile_get and wm_tile_put, and never point into the bytes.
 *
 * Ground polygons (convex, 3 to 6 vertices) come first, then one polygon of 2 vertices per off-mesh
 * connection. Edge k goes from vertex k to vertex k + 1. The corners of a detail triangle number the
 * polygon's own vertices first, then the detail vertices of its record. The tree is in preorder: a node with
 * index >= 0 is the leaf of that polygon, any other the root of a subtree of -index nodes. */
#ifndef WALKMESH_BASE_TILE_FORMAT_H
#define WALKMESH_BASE_TILE_FORMAT_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/public.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tiles are copied between file and memory byte by byte: only little-endian machines are supported"
#endif

WM_PUBLIC_BEGIN

enum {
  WM_TILE_MAGIC = 0x444E4156,
  WM_TILE_VERSION = 7,
  WM_TILE_VERTICES_PER_POLYGON = 6,
  WM_TILE_VERTEX_LIMIT = 65535,       /* 16-bit vertex numbers */
  WM_TILE_GROUND_LIMIT = 32767,       /* 15-bit neighbour codes: polygon + 1 */
  WM_TILE_POLYGON_LIMIT = 65535,      /* ground and off-mesh polygons */
  WM_TILE_DETAIL_LIMIT = 255,         /* detail vertices, or triangles, of one polygon */
  WM_TILE_NODE_LIMIT = 65535,         /* largest bound in a tree node */
  WM_TILE_PORTAL = 0x8000,            /* in a neighbour code; the low bits are the side: 0, 2, 4, 6 */
  WM_TILE_OFF_MESH_BIDIRECTIONAL = 1, /* in a connection's flags */
  WM_TILE_SIDE_INSIDE = 255,          /* a connection ends in its own tile */
  WM_TILE_GROUND = 0,                 /* type of a polygon: the high two bits of area_and_type */
  WM_TILE_OFF_MESH = 1
};

/* Sides of a tile in portal codes, links and connections: numbered around it, from x+ to z+. */
enum {
  WM_SIDE_X_PLUS = 0,
  WM_SIDE_X_PLUS_Z_PLUS = 1,
  WM_SIDE_Z_PLUS = 2,
  WM_SIDE_X_MINUS_Z_PLUS = 3,
  WM_SIDE_X_MINUS = 4,
  WM_SIDE_X_MINUS_Z_MINUS = 5,
  WM_SIDE_Z_MINUS = 6,
  WM_SIDE_X_PLUS_Z_MINUS = 7
};

typedef struct WmTileHeader {
  int32_t magic;
  int32_t version;
  int32_t x, z, layer;
  uint32_t user_id;
  int32_t polygon_count; /* ground and off-mesh */
  int32_t vertex_count;  /* two of them for each off-mesh connection */
  int32_t link_count;    /* capacity of the section */
  int32_t detail_count;  /* ground polygons */
  int32_t detail_vertex_count;
  int32_t detail_triangle_count;
  int32_t node_count; /* 0 without a tree, else twice the ground polygons; the last node is unused */
  int32_t connection_count;
  int32_t first_off_mesh; /* ground polygons */
  float agent_height, agent_radius, agent_max_climb;
  float bounds_min[3], bounds_max[3];
  float cells_per_unit; /* 1 / cell size: the scale of the tree's bounds on every axis */
} WmTileHeader;

typedef struct WmTilePolygon {
  uint32_t first_link; /* meaningless in a file */
  uint16_t vertices[WM_TILE_VERTICES_PER_POLYGON];
  uint16_t neighbours[WM_TILE_VERTICES_PER_POLYGON]; /* 0: a wall; WM_TILE_PORTAL | side; or polygon + 1 */
  uint16_t flags;
  uint8_t vertex_count;
  uint8_t area_and_type; /* the low 6 bits are the area, the high 2 bits the type */
} WmTilePolygon;

typedef struct WmTileDetail {
  uint32_t first_vertex; /* in the detail vertices */
  uint32_t first_triangle;
  uint8_t vertex_count; /* beyond the polygon's own */
  uint8_t triangle_count;
  uint8_t padding[2];
} WmTileDetail;

typedef struct WmTileNode {
  uint16_t low[3], high[3];
  int32_t index;
} WmTileNode;

typedef struct WmTileConnection {
  float start[3], end[3];
  float radius;
  uint16_t polygon;
  uint8_t flags;
  uint8_t side; /* of the end: WM_SIDE_... or WM_TILE_SIDE_INSIDE */
  uint32_t user_id;
} WmTileConnection;

enum {
  WM_TILE_HEADER_BYTES = 100,
  WM_TILE_VERTEX_BYTES = 12,
  WM_TILE_POLYGON_BYTES = 32,
  WM_TILE_LINK_BYTES = 12,
  WM_TILE_WIDE_LINK_BYTES = 16, /* Detour built with 64-bit references */
  WM_TILE_DETAIL_BYTES = 12,
  WM_TILE_TRIANGLE_BYTES = 4,
  WM_TILE_NODE_BYTES = 16,
  WM_TILE_CONNECTION_BYTES = 36
};

static_assert(sizeof(WmTileHeader) == WM_TILE_HEADER_BYTES, "header");
static_assert(sizeof(WmTilePolygon) == WM_TILE_POLYGON_BYTES, "polygon");
static_assert(sizeof(WmTileDetail) == WM_TILE_DETAIL_BYTES, "detail record");
static_assert(sizeof(WmTileNode) == WM_TILE_NODE_BYTES, "tree node");
static_assert(sizeof(WmTileConnection) == WM_TILE_CONNECTION_BYTES, "off-mesh connection");

/* The offset of each section, and the size of the tile in bytes: 64 bits, so that no counts overflow them. */
typedef struct WmTileSections {
  uint64_t vertices, polygons, links, details, detail_vertices, detail_triangles, nodes, connections;
  uint64_t byte_count;
} WmTileSections;

/* Computes the offsets of the sections from a header's counts.
 * in         header: no negative counts; link_bytes: WM_TILE_LINK_BYTES or WM_TILE_WIDE_LINK_BYTES */
WmTileSections wm_tile_sections(const WmTileHeader *header, uint64_t link_bytes);

/* Copies record `index` of the section at offset `section` out of, or into, a tile's bytes. */
static inline void wm_tile_get(const uint8_t *bytes, uint64_t section, size_t index, size_t record_bytes,
                               void *record) {
  memcpy(record, bytes + (size_t)section + index * record_bytes, record_bytes);
}

static inline void wm_tile_put(uint8_t *bytes, uint64_t section, size_t index, size_t record_bytes,
                               const void *record) {
  memcpy(bytes + (size_t)section + index * record_bytes, record, record_bytes);
}

WM_PUBLIC_END

#endif
