/* The navigation mesh at run time: tiles, references to their polygons, links between them.
 *
 * Usual order: wm_mesh_create (or wm_mesh_read in formats.h), wm_mesh_add_tile for each tile, then queries
 * (query/query.h); at any time tiles come, go and are replaced, and connections between any two points are
 * made, changed and removed (connections.h); wm_mesh_destroy. Tiles are added from bytes in Detour's format,
 * which are checked in full and copied: nothing that comes from outside is used before it has been checked,
 * and no bytes can make a later query unsafe.
 *
 * Threads: any number of readers, or one writer. Failures are explained by the context
 * (wm_context_error) and leave the mesh as it was. */
#ifndef WALKMESH_MESH_MESH_H
#define WALKMESH_MESH_MESH_H

#include "base/context.h"
#include "base/tile_format.h"

/* ---- References ------------------------------------------------------------------------------------------
 *
 * A reference names a polygon of a tile: generation | slot of the tile | polygon, in 13, 20 and 20 bits, so
 * that it is below 2^53 and a plain number in JavaScript. 0 is "none". A slot's generation changes with
 * each tile that moves in, and a slot whose generations are used up is never used again: a reference to a
 * removed tile stays invalid for ever. The reference of a tile is that of its polygon 0.
 *
 * Generations of a slot begin with a hash of its first tile's header (place, bounds, counts, agent). So the
 * same tiles in the same order have the same references everywhere, and a reference of another mesh is
 * WM_ERROR_INVALID_ARGUMENT, now and then WM_ERROR_STALE_REFERENCE; nothing in it names its mesh, though: it
 * is taken for one of this mesh where slot and polygon are there and the generations happen to be equal (one
 * in 8191), as they are in meshes that were made of the same tiles. */
typedef uint64_t WmRef;

enum {
  WM_REF_POLYGON_BITS = 20,
  WM_REF_SLOT_BITS = 20,
  WM_REF_GENERATION_BITS = 13,
  WM_SLOT_LIMIT = 1 << WM_REF_SLOT_BITS
};

static inline WmRef wm_ref_make(uint32_t generation, uint32_t slot, uint32_t polygon) {
  return ((WmRef)generation << WM_REF_SLOT_BITS | slot) << WM_REF_POLYGON_BITS | polygon;
}
static inline uint32_t wm_ref_polygon(WmRef ref) { return (uint32_t)ref & ((1u << WM_REF_POLYGON_BITS) - 1); }
static inline uint32_t wm_ref_slot(WmRef ref) {
  return (uint32_t)(ref >> WM_REF_POLYGON_BITS) & (WM_SLOT_LIMIT - 1);
}
static inline uint32_t wm_ref_generation(WmRef ref) {
  return (uint32_t)(ref >> (WM_REF_POLYGON_BITS + WM_REF_SLOT_BITS));
}

/* ---- The mesh ----------------------------------------------------------------------------------------- */

/* Where tiles lie and what they were made for. Tile (x, z) starts at origin + (x, z) * (tile_width,
 * tile_depth). Only origin, tile_width and tile_depth are used by the mesh; the others are kept for those who
 * bake on (0 where a file did not tell). */
typedef struct WmMeshParameters {
  float origin[3];
  float tile_width, tile_depth; /* world units on x and z, > 0 */
  int32_t tile_count_x, tile_count_z;
  float cell_size, cell_height;
  float agent_height, agent_radius, agent_max_climb; /* world units */
  /* The limits a Detour set was made with; 0 otherwise: then they follow from the tiles. */
  int32_t detour_max_tiles, detour_max_polygons;
} WmMeshParameters;

typedef struct WmMesh WmMesh;

/* A way from one polygon to another. */
typedef struct WmLink {
  uint32_t slot;    /* of the target's tile */
  uint32_t polygon; /* of the target */
  uint8_t edge;     /* of the polygon it leaves; of an off-mesh polygon: 0 its start, 1 its end; 255: a ground
                       polygon's way onto an off-mesh connection */
  uint8_t side;     /* of the tile it crosses, WM_SIDE_..., also between layers of a place, or
                       WM_TILE_SIDE_INSIDE */
  uint8_t low, high; /* part of the edge that is open, 0..255; 0, 255 where all of it */
  float middle[3];   /* of the opening */
} WmLink;

/* What to read of a tile. All arrays belong to the mesh and stay until the tile is removed; those of links
 * may also move when a tile nearby is added or removed. Polygons below ground_count are ground, the others
 * off-mesh connections, in the order of their records. */
typedef struct WmMeshTile {
  WmRef ref;
  uint32_t slot;
  /* As the tile's header has them. */
  int32_t x, z, layer;
  uint32_t user_id;
  uint32_t polygon_count, vertex_count;
  uint32_t link_room, detail_count; /* of no use here */
  uint32_t detail_vertex_count, detail_triangle_count;
  uint32_t node_count; /* without unused ones behind the tree; 0: all polygons are to be looked at */
  uint32_t connection_count, ground_count;
  float agent_height, agent_radius, agent_max_climb;
  float bounds_min[3], bounds_max[3];
  float cells_per_unit; /* scale of the tree */

  uint32_t triangle_count; /* of all polygons' surface together */

  /* What area costs of its polygons are multiplied by: 1, or the factor of a connection made at run time,
   * which is a tile of its own without ground (connections.h). */
  float cost_factor;

  /* The tile in Detour's format, with changed flags and areas; link records are zero. */
  const uint8_t *bytes;
  size_t byte_count;

  const float *vertices;              /* [vertex_count][3] world units */
  const uint16_t *polygon_vertices;   /* [polygon_count][6] */
  const uint16_t *polygon_neighbours; /* [polygon_count][6] 0 wall, WM_TILE_PORTAL | side, or number + 1 */
  const uint8_t *polygon_size;        /* [polygon_count] vertices */
  const uint8_t *polygon_area;        /* [polygon_count] 0..63 */
  const uint16_t *polygon_flags;      /* [polygon_count] */
  const WmTileDetail *details;        /* [ground_count] */
  const float *detail_vertices;       /* [detail_vertex_count][3] */
  const uint8_t *detail_triangles; /* [...][4] three corners, flags: bits 0, 2, 4 set where edge (0,1), (1,2),
                                      (2,0) lies on the polygon's boundary */
  const WmTileNode *nodes;         /* [node_count] */
  const WmTileConnection *connections; /* [connection_count] as given */
  const float *connection_ends; /* [connection_count][2][3] start and end, moved onto the mesh where linked */

  /* Links of polygon p: link_first[p] up to link_first[p + 1]. First those that come and go with other tiles,
   * the newest first, then those across inner edges by edge (the order Detour visits them in). */
  const uint32_t *link_first;   /* [polygon_count + 1] */
  const WmLink *links;          /* [link_first[polygon_count]] */
  const float *link_portals;    /* [links][2][3] ends of the opening: left and right seen from inside; equal
                                   where a link enters or leaves an off-mesh connection */
  const uint32_t *state_first;  /* [polygon_count + 1] search states: see query/search/search.c */
  const uint32_t *detail_boxes; /* [detail_triangle_count + 3] of each on x and z: mesh/tile/detail_boxes.h */
  const struct WmDetailFrame *detail_frames; /* [polygon_count] what these are counted in; of ground only */
  uint32_t leaf_count; /* of the tree: as wm_tile_find_nearest walks it, see mesh/tile/leaf_boxes.h */
  const uint32_t *leaf_polygons; /* [leaf_count] in the order of the nodes */
  const struct WmLeafBlock *leaf_blocks;
  const double *area_before; /* [ground_count + 1] area on x and z of the polygons before each */

  /* How far surfaces may lie above or below their nodes, in cells of the tree: nodes are made from corners of
   * detail meshes, which bakes take from the heightfield, and surfaces from those of polygons. */
  float node_rise;

  const float *rings; /* [polygon_count][16] outlines of ground, see mesh/tile/rings.h */
} WmMeshTile;

/* Returns a mesh without tiles.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (origin not finite, tile size not above 0),
 *            WM_ERROR_OUT_OF_MEMORY; *mesh is NULL on failure */
WmStatus wm_mesh_create(WmContext *context, const WmMeshParameters *parameters, WmMesh **mesh);

void wm_mesh_destroy(WmMesh *mesh);

WmContext *wm_mesh_context(const WmMesh *mesh);
const WmMeshParameters *wm_mesh_parameters(const WmMesh *mesh);

/* A counter that changes with every change of the mesh: tiles, connections, flags, areas. */
uint64_t wm_mesh_version(const WmMesh *mesh);

/* A counter that changes with tiles and connections only, that is with references and links. */
uint64_t wm_mesh_shape_version(const WmMesh *mesh);

/* The configuration of the bake as it was stored, opaque text that need not end in 0; length 0: none. */
const char *wm_mesh_configuration(const WmMesh *mesh, size_t *length);

/* Replaces it by a copy. returns WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_mesh_set_configuration(WmMesh *mesh, const char *text, size_t length);

/* ---- Tiles -------------------------------------------------------------------------------------------- */

/* Checks bytes in Detour's format and makes them a tile of the mesh, linked to the tiles around it.
 * in         bytes [byte_count]: copied; tiles of Detour built with 64-bit references are read too
 * out        *tile (may be NULL): reference of the tile
 * returns    WM_OK; WM_ERROR_CORRUPT naming what is wrong; WM_ERROR_STATE (there is a tile at that place
 *            and layer: remove it first); WM_ERROR_LIMIT (2^20 tiles and connections made at run time, 1024
 *            layers of a place, 4096 polygons of one tile that one edge leads to, 8 links for each edge on a
 *            tile's side and connection of the mesh); WM_ERROR_OUT_OF_MEMORY
 * cost       O(bytes + links), some microseconds for a tile of 64 cells */
WmStatus wm_mesh_add_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, WmRef *tile);

/* As wm_mesh_add_tile, in place of the tile that is at its place and layer, if any. On failure the former
 * tile stays as it is. Where the bytes are those of the former tile, with the flags and areas it has now,
 * nothing changes and its references stay valid; else they become stale. */
WmStatus wm_mesh_replace_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, WmRef *tile);

/* Moves a tile in the order in which files hold them (that of their addition): back past all that lie behind
 * it in rows of the grid (by z, then x, then layer). So those of a bake that were replaced since are in its
 * order again. Nothing else changes.
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT
 * cost       O(tiles passed) */
WmStatus wm_mesh_order_tile(WmMesh *mesh, WmRef tile);

/* Removes a tile and the links to it. Connections made at run time stay, and are tied to the ground that is
 * nearest now: they are removed by wm_mesh_remove_connection.
 * in         tile: any reference into it
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT (never was one); and only where a
 *            connection made at run time is to be tied to another tile, WM_ERROR_OUT_OF_MEMORY (nothing has
 *            changed then) */
WmStatus wm_mesh_remove_tile(WmMesh *mesh, WmRef tile);

/* The tile at (x, z) and layer, or NULL. */
const WmMeshTile *wm_mesh_find_tile(const WmMesh *mesh, int32_t x, int32_t z, int32_t layer);

/* The layers of a place, the newest first: pass NULL, then the last answer, until NULL comes back. */
const WmMeshTile *wm_mesh_next_layer(const WmMesh *mesh, int32_t x, int32_t z, const WmMeshTile *previous);

/* Number of tiles; connections made at run time do not count. */
size_t wm_mesh_tile_count(const WmMesh *mesh);

/* To visit all tiles: slots 0 to wm_mesh_slot_count - 1; NULL where a slot is empty (or beyond). Connections
 * made at run time are among them: they have ground_count 0. */
size_t wm_mesh_slot_count(const WmMesh *mesh);
const WmMeshTile *wm_mesh_tile(const WmMesh *mesh, size_t slot);

/* The tile of a polygon, or NULL where the reference is none, stale, or names no polygon. */
const WmMeshTile *wm_mesh_tile_of(const WmMesh *mesh, WmRef polygon);

/* Why wm_mesh_tile_of said NULL: WM_OK, WM_ERROR_STALE_REFERENCE (its tile has gone) or
 * WM_ERROR_INVALID_ARGUMENT (never was a reference). Explained by `context`, naming `field`. */
WmStatus wm_mesh_check_ref(WmContext *context, const WmMesh *mesh, WmRef polygon, const char *field);

/* Changes a polygon's flags, or its area (0..63), at once and for later saves; references stay.
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT */
WmStatus wm_mesh_set_polygon_flags(WmMesh *mesh, WmRef polygon, uint16_t flags);
WmStatus wm_mesh_set_polygon_area(WmMesh *mesh, WmRef polygon, uint8_t area);

/* Flags and areas of all polygons of a tile, to be restored later: the layout of Detour's tile state with
 * references of 64 bits ("DNMS", version 1, the tile's reference, then u16 flags, u8 area, u8 0 a polygon).
 * in         tile: any reference into it
 * out        state [wm_mesh_tile_state_bytes]; written in full or not at all
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE; WM_ERROR_INVALID_ARGUMENT (byte_count too small for save) */
size_t wm_mesh_tile_state_bytes(const WmMesh *mesh, WmRef tile); /* 0 where there is no such tile */
WmStatus wm_mesh_save_tile_state(WmMesh *mesh, WmRef tile, uint8_t *state, size_t byte_count);

/* Restores a state of the same tile: of a tile that has been replaced since it is WM_ERROR_STALE_REFERENCE.
 * Checks everything before it changes anything: WM_ERROR_CORRUPT names what is wrong. */
WmStatus wm_mesh_restore_tile_state(WmMesh *mesh, const uint8_t *state, size_t byte_count);

/* For random points: the area of all ground polygons on x and z, and the tile at a part of it, as if all
 * tiles lay one after the other in the order of their slots. What slots tiles have depends on the order in
 * which they came; else the same tiles give the same answers, whatever has come and gone before.
 *
 * in         fraction: 0..1 of wm_mesh_area
 * out        *within: what is left of that area within the tile, to be looked up in its area_before: 0 to the
 *            tile's area
 * returns    a tile with an area above 0; NULL where the mesh has none
 * cost       O(log slots) */
double wm_mesh_area(const WmMesh *mesh);
const WmMeshTile *wm_mesh_sample_tile(const WmMesh *mesh, double fraction, double *within);

/* For searches: the least cost factor of connections made at run time that are enabled, at most 1. */
float wm_mesh_least_cost(const WmMesh *mesh);

/* Sums over all tiles; bounds are those of the tiles, 0 without any. `connections` are those baked into
 * tiles and those made at run time. */
typedef struct WmMeshTotals {
  size_t tiles, polygons, connections, vertices, triangles, links, byte_count;
  float bounds_min[3], bounds_max[3];
} WmMeshTotals;
void wm_mesh_totals(const WmMesh *mesh, WmMeshTotals *totals);

/* The detail surface of a tile as loose triangles, for drawing and picking.
 * out        positions [triangle_count][3][3]; polygons (may be NULL) [triangle_count] number of the polygon
 *            each belongs to */
void wm_mesh_tile_triangles(const WmMeshTile *tile, float *positions, uint32_t *polygons);

#endif
