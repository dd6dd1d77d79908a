/* The navigation mesh at run time: tiles, references to their polygons, links between polygons.
 *
 * Usual order: wm_mesh_create (or wm_mesh_read in formats/formats.h), wm_mesh_add_tile for each tile, then
 * queries (query/query.h), then wm_mesh_destroy. Tiles can be added, replaced and removed at any time, and so
 * can connections between any two points (links/connections.h).
 *
 * Tiles are added from bytes in Detour's format. All bytes are checked before use, then copied, so that no
 * bytes can make a later query unsafe.
 *
 * Threads: any number of readers, or one writer. A function that fails leaves the mesh unchanged, and the
 * context explains the failure (wm_context_error). */
#ifndef WALKMESH_MESH_MESH_H
#define WALKMESH_MESH_MESH_H

#include "base/context.h"
#include "base/public.h"
#include "base/tile_format.h"

WM_PUBLIC_BEGIN

/* ---- References --------------------------------------------------------------------------------------- */

/* A reference identifies a polygon of a tile: generation | slot of the tile | polygon, in 13, 20 and 20 bits.
 * It is below 2^53, so JavaScript can hold it in a number. 0 is no polygon. The reference of a tile is that
 * of its polygon 0.
 *
 * The generation of a slot changes with each tile that is put into it. A slot whose generations are used up
 * is never used again, so that a reference to a removed tile stays invalid for ever.
 *
 * The first generation of a slot is a hash of its first tile's header (place, bounds, counts, agent). So the
 * same tiles in the same order have the same references everywhere. A reference of another mesh is usually
 * WM_ERROR_INVALID_ARGUMENT, sometimes WM_ERROR_STALE_REFERENCE. It doesn't identify its mesh, though: it
 * passes for a reference of this mesh if slot and polygon exist here and the generations happen to be equal
 * (one in 8191), as they are in meshes that were made of the same tiles. */
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

/* The grid of tiles, and the agent the tiles were baked for. Tile (x, z) starts at origin + (x, z) *
 * (tile_width, tile_depth). The mesh uses origin, tile_width and tile_depth only; it stores the others for
 * later bakes (0 where a file doesn't have them). */
typedef struct WmMeshParameters {
  float origin[3];
  float tile_width, tile_depth; /* world units on x and z, > 0 */
  int32_t tile_count_x, tile_count_z;
  float cell_size, cell_height;
  float agent_height, agent_radius, agent_max_climb; /* world units */
  /* The limits of the Detour set that the mesh was read from; 0: none, they follow from the tiles. */
  int32_t detour_max_tiles, detour_max_polygons;
} WmMeshParameters;

typedef struct WmMesh WmMesh;

/* A one-way link from a polygon to another. */
typedef struct WmLink {
  uint32_t slot;     /* of the target's tile */
  uint32_t polygon;  /* of the target */
  uint8_t edge;      /* of the polygon it leaves; of an off-mesh polygon: 0 its start, 1 its end; 255: from a
                       ground polygon to an off-mesh connection */
  uint8_t side;      /* of the tile it crosses, WM_SIDE_..., also between layers of a place, or
                       WM_TILE_SIDE_INSIDE; onto a segment link: twice the search state it enters */
  uint8_t low, high; /* the range of the edge that is open, 0..255; 0, 255: the whole edge */
  float middle[3];   /* midpoint of the portal */
} WmLink;

enum { WM_NO_BACK = 255 };

/* The leaves of a tile's tree by place on x and z: see tile/near_grid.h. */
typedef struct WmNearGrid {
  uint32_t shift, width, depth; /* cells of 2^shift cells of the tree; width 0: there is no grid */
  const uint32_t *first;        /* [width * depth + 1] of `nodes` */
  const uint16_t *nodes;        /* leaves of the tree in its order, by cell */
} WmNearGrid;

/* A ground polygon that a segment of a link lies on: links/segment_links.h. */
typedef struct WmLinkTie {
  uint32_t slot, polygon; /* of the ground polygon */
  float low, high;        /* the interval of the segment, 0 to 1 */
  uint8_t end;            /* 0 the near segment, 1 the far one */
  bool is_entry, is_exit; /* agents can come onto the link from here; leave it to here */
} WmLinkTie;

/* The readable view of a tile. All arrays belong to the mesh and stay valid until the tile is removed; those
 * of links may also move when a tile nearby is added or removed. Polygons below ground_count are ground
 * polygons, the others off-mesh connections, in the order of their records. */
typedef struct WmMeshTile {
  WmRef ref;
  uint32_t slot;
  /* From the tile's header. */
  int32_t x, z, layer;
  uint32_t user_id;
  uint32_t polygon_count, vertex_count;
  uint32_t link_room, detail_count; /* unused at run time */
  uint32_t detail_vertex_count, detail_triangle_count;
  uint32_t node_count; /* without unused nodes behind the tree; 0: no tree, searches visit all polygons */
  uint32_t connection_count, ground_count;
  float agent_height, agent_radius, agent_max_climb;
  float bounds_min[3], bounds_max[3];
  float cells_per_unit; /* scale of the tree */

  uint32_t triangle_count; /* of the detail surface of all polygons */

  /* Area costs of its polygons are multiplied by this: 1, or the factor of a connection made at run time,
   * which is a tile of its own without ground polygons (links/connections.h). */
  float cost_factor;

  /* The tile in Detour's format, with the present flags and areas; link records are zero. */
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
  const uint8_t *detail_triangles;    /* [...][4] three corners, flags: bits 0, 2, 4 are set where edge (0,1),
                                      (1,2), (2,0) lies on the polygon's outline */
  const WmTileNode *nodes;            /* [node_count] */
  const WmTileConnection *connections; /* [connection_count] as given */
  const float *connection_ends; /* [connection_count][2][3] start and end, moved onto the mesh where linked */

  /* Links of polygon p: link_first[p] up to link_first[p + 1]. First the outer links (to other tiles and of
   * connections), the newest first, then the links across inner edges by edge: Detour's order. */
  const uint32_t *link_first; /* [polygon_count + 1] */
  const WmLink *links;        /* [link_first[polygon_count]] */
  const float *link_portals;  /* [links][2][3] ends of the portal: left and right seen from inside; equal
                                   where a link enters or leaves an off-mesh connection; the tie where it enters or
                                   leaves a segment link */
  const uint8_t
      *link_backs; /* [links] the link back, counted from the target's first one; WM_NO_BACK: the target
                                   is in another tile, or not exactly one link leads there and one back */
  const uint32_t *state_first;  /* [polygon_count + 1] search states: see query/search/search.c */
  const uint32_t *detail_boxes; /* [detail_triangle_count + 3] on x and z: see tile/detail_boxes.h */
  const struct WmDetailFrame *detail_frames; /* [polygon_count] units of the boxes; ground polygons only */
  uint32_t leaf_count;           /* of the tree, as wm_tile_find_nearest walks it: see tile/leaf_boxes.h */
  const uint32_t *leaf_polygons; /* [leaf_count] in the order of the nodes */
  const struct WmLeafBlock *leaf_blocks;
  WmNearGrid near_grid;
  const double *area_before; /* [ground_count + 1] sum of the areas on x and z of all polygons before each */

  /* The farthest that a surface lies above or below its node, cells of the tree. Bakes compute nodes from the
   * vertices of the detail mesh in the heightfield, but surfaces start from the vertices of the polygon. */
  float node_rise;

  const float *rings; /* [polygon_count][16] outlines of ground polygons: see tile/rings.h */

  /* A set of segment links, which is a tile of its own: polygon i is link i. NULL for all other tiles. */
  const struct WmSegmentLink *segments; /* [polygon_count] */
  const uint32_t *tie_first;            /* [polygon_count + 1] */
  const WmLinkTie *
      ties; /* of link i from tie_first[i] on: first those that can be entered, which have search states 1, 2,
                            ... of the polygon; its state 0 belongs to searches that start on the link */
} WmMeshTile;

/* Makes a mesh without tiles.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (origin not finite, tile size not above 0),
 *            WM_ERROR_OUT_OF_MEMORY; *mesh is NULL on failure */
WmStatus wm_mesh_create(WmContext *context, const WmMeshParameters *parameters, WmMesh **mesh);

void wm_mesh_destroy(WmMesh *mesh);

WmContext *wm_mesh_context(const WmMesh *mesh);
const WmMeshParameters *wm_mesh_parameters(const WmMesh *mesh);

/* Tells a mesh apart from all others of its context, also from those that were destroyed. */
uint64_t wm_mesh_number(const WmMesh *mesh);

/* A counter that changes with every change of the mesh: tiles, connections, flags, areas. */
uint64_t wm_mesh_version(const WmMesh *mesh);

/* A counter that changes with tiles and connections only: references and links depend on these alone. */
uint64_t wm_mesh_shape_version(const WmMesh *mesh);

/* The number of changes of slots, and the number of a slot's last change: of its tile or connection, the links that leave
 * it, its flags, areas, cost factor. A caller that stores the first finds the slots that changed since. 0: none. */
uint64_t wm_mesh_change_count(const WmMesh *mesh);
uint64_t wm_mesh_slot_change(const WmMesh *mesh, size_t slot);

/* The stored configuration of the bake: opaque text that need not end in 0; length 0: none. */
const char *wm_mesh_configuration(const WmMesh *mesh, size_t *length);

/* Stores a copy of `text` as the configuration.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_mesh_set_configuration(WmMesh *mesh, const char *text, size_t length);

/* ---- Tiles -------------------------------------------------------------------------------------------- */

/* Checks bytes in Detour's format and adds them to the mesh as a tile, linked to the tiles around it.
 * in         bytes [byte_count]: copied; tiles of Detour built with 64-bit references are read too
 * out        *tile (may be NULL): reference of the tile
 * returns    WM_OK; WM_ERROR_CORRUPT naming what is wrong; WM_ERROR_STATE (that place and layer has a tile:
 *            remove it first); WM_ERROR_LIMIT (2^20 tiles and connections made at run time, 1024 layers of a
 *            place, 4096 polygons of one tile that one edge leads to, 8 links for each portal edge and
 *            connection of the mesh); WM_ERROR_OUT_OF_MEMORY
 * cost       O(bytes + links), some microseconds for a tile of 64 cells */
WmStatus wm_mesh_add_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, WmRef *tile);

/* As wm_mesh_add_tile, but replaces the tile at its place and layer, if there is one. If the bytes equal
 * those of the former tile with its present flags and areas, nothing changes and its references stay valid;
 * else they become stale. On failure the former tile stays unchanged. */
WmStatus wm_mesh_replace_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, WmRef *tile);

/* Moves a tile towards the start of the order in which files store tiles (the order they were added in), past
 * all that follow it in rows of the grid (by z, then x, then layer). So the tiles of a bake that were
 * replaced are in the bake's order again. Nothing else changes.
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT
 * cost       O(tiles passed) */
WmStatus wm_mesh_order_tile(WmMesh *mesh, WmRef tile);

/* Removes a tile and the links to it. Connections made at run time stay, tied to the polygon that is nearest
 * now; wm_mesh_remove_connection removes them.
 * in         tile: any reference into it
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT (never was one);
 *            WM_ERROR_OUT_OF_MEMORY (nothing has changed), only if a connection made at run time must be tied
 *            to another tile */
WmStatus wm_mesh_remove_tile(WmMesh *mesh, WmRef tile);

/* The tile at (x, z) and layer, or NULL. */
const WmMeshTile *wm_mesh_find_tile(const WmMesh *mesh, int32_t x, int32_t z, int32_t layer);

/* The next layer of a place, the newest first: pass NULL, then the last result, until it returns NULL. */
const WmMeshTile *wm_mesh_next_layer(const WmMesh *mesh, int32_t x, int32_t z, const WmMeshTile *previous);

/* Number of tiles, without connections made at run time. */
size_t wm_mesh_tile_count(const WmMesh *mesh);

/* All tiles by slot, 0 to wm_mesh_slot_count - 1; NULL if a slot is empty or beyond. Connections made at run
 * time are included, with ground_count 0. */
size_t wm_mesh_slot_count(const WmMesh *mesh);
const WmMeshTile *wm_mesh_tile(const WmMesh *mesh, size_t slot);

/* The tile of a polygon; NULL if the reference is 0, stale, or not that of a polygon. */
const WmMeshTile *wm_mesh_tile_of(const WmMesh *mesh, WmRef polygon);

/* The status of a reference. Failures are explained by `context` and name `field`.
 * returns    WM_OK (wm_mesh_tile_of finds it), WM_ERROR_STALE_REFERENCE (its tile was removed),
 *            WM_ERROR_INVALID_ARGUMENT (never was a reference) */
WmStatus wm_mesh_check_ref(WmContext *context, const WmMesh *mesh, WmRef polygon, const char *field);

/* Sets a polygon's flags, or its area (0..63), for queries and for later saves; references stay valid.
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT */
WmStatus wm_mesh_set_polygon_flags(WmMesh *mesh, WmRef polygon, uint16_t flags);
WmStatus wm_mesh_set_polygon_area(WmMesh *mesh, WmRef polygon, uint8_t area);

/* Saves flags and areas of all polygons of a tile, in the layout of Detour's tile state with references of
 * 64 bits ("DNMS", version 1, the tile's reference, then u16 flags, u8 area, u8 0 for each polygon).
 * in         tile: any reference into it
 * out        state [wm_mesh_tile_state_bytes]: unchanged on failure
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE; WM_ERROR_INVALID_ARGUMENT (byte_count is too small) */
size_t wm_mesh_tile_state_bytes(const WmMesh *mesh, WmRef tile); /* 0 if there is no such tile */
WmStatus wm_mesh_save_tile_state(WmMesh *mesh, WmRef tile, uint8_t *state, size_t byte_count);

/* Restores a saved state of the same tile. Checks everything before it changes anything.
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE (the tile was removed or replaced); WM_ERROR_INVALID_ARGUMENT;
 *            WM_ERROR_CORRUPT naming what is wrong */
WmStatus wm_mesh_restore_tile_state(WmMesh *mesh, const uint8_t *state, size_t byte_count);

/* For random points: the area of all ground polygons on x and z, and the tile at a fraction of it, as if all
 * tiles lay one after the other in the order of their slots. Slots depend on the order in which tiles were
 * added; otherwise the same tiles give the same results, whatever was added and removed before.
 *
 * in         fraction: 0..1 of wm_mesh_area
 * out        *within: the rest of that area within the tile, to be found in its area_before: 0 to the tile's
 *            area
 * returns    a tile with an area above 0; NULL if the mesh has none
 * cost       O(log slots) */
double wm_mesh_area(const WmMesh *mesh);
const WmMeshTile *wm_mesh_sample_tile(const WmMesh *mesh, double fraction, double *within);

/* For searches: the smallest cost factor of enabled connections made at run time, at most 1. */
float wm_mesh_least_cost(const WmMesh *mesh);

/* Sums over all tiles; bounds are those of the tiles, 0 without any. `connections` counts those baked into
 * tiles and those made at run time. */
typedef struct WmMeshTotals {
  size_t tiles, polygons, connections, vertices, triangles, links, byte_count;
  float bounds_min[3], bounds_max[3];
} WmMeshTotals;
void wm_mesh_totals(const WmMesh *mesh, WmMeshTotals *totals);

/* Writes the detail surface of a tile as loose triangles, for drawing and picking.
 * out        positions [triangle_count][3][3]; polygons (may be NULL) [triangle_count] the number of each
 *            triangle's polygon */
void wm_mesh_tile_triangles(const WmMeshTile *tile, float *positions, uint32_t *polygons);

WM_PUBLIC_END

#endif
