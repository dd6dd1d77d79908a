/* Shared by the files of this folder: the record of a tile, slots, and the plan of a change.
 *
 *   tile/tile_check.c       checks of a tile's bytes
 *   tile/tile.c             bytes -> WmTileRecord: checked, with all run-time arrays except the links
 *   tile/rings.c            outlines of polygons, their edges side by side
 *   tile/detail_boxes.c     boxes of detail triangles, a word each
 *   tile/leaf_boxes.c       the leaves of the tree, eight side by side
 *   tile/near_grid.c        the leaves of the tree by place, for points on the mesh
 *   tile/tile_record_validate.c invariants of a tile's arrays
 *   areas.c                 sums of areas: of a tile's polygons, of the mesh's tiles
 *   locate.c                points and polygons of one tile: inside, height, nearest
 *   links/portals.c         portal edges of two tiles -> planned links
 *   links/links.c           plans of links, applied or discarded as a whole; the flat links of a tile
 *   links/links_validate.c  invariants of a tile's links
 *   links/connections.c     connections made at run time, and the polygons that their ends are tied to
 *   links/segment_links.c   sets of segment links (links/segment_sets.h)
 *   links/segment_ties.c    the ground under them
 *   links/segment_geometry.c trajectories of one link
 *   links/link_crossing.c   crossings of corridors over them, motions
 *   tile_changes.c          adds, replaces and removes tiles
 *   tile/ready_tile.c       tiles prepared before they are put into a mesh, and reused
 *   mesh.c                  slots, tiles by place, references
 *   mesh_validate.c         invariants of slots, orders, counts, areas, connections
 *   polygon_state.c         flags and areas of polygons; sums
 *   formats/formats.c       files -> mesh
 *   formats/formats_write.c mesh -> files
 *   formats/formats_links.c segment links -> bytes, and back
 *   formats/formats_export.c segment links -> connections in tiles */
#ifndef WALKMESH_MESH_MESH_INTERNAL_H
#define WALKMESH_MESH_MESH_INTERNAL_H

#include "base/buffer.h"
#include "base/sort.h"
#include "mesh/locate.h"
#include "mesh/mesh.h"

/* No slot, no polygon. */
#define WM_NO_SLOT UINT32_MAX

/* Tiles farther from the origin than this are rejected: float positions could not tell them apart. */
enum { WM_TILE_COORDINATE_LIMIT = 1 << 22 };

/* ---- Tiles -------------------------------------------------------------------------------------------- */

/* A portal edge, on a side of its tile: x or z along that side from low to high, heights at both ends. */
typedef struct WmPortalEdge {
  float coordinate; /* across the side, of the edge's first vertex */
  float low, high;
  float y_low, y_high;
  uint16_t polygon;
  uint8_t edge;
  uint8_t side;   /* WM_SIDE_X_PLUS and so on: 0, 2, 4, 6 */
  bool ascending; /* its first vertex is the low one */
} WmPortalEdge;

/* A link to another tile, or from or to an off-mesh connection: it changes with other tiles. */
typedef struct WmOuterLink {
  uint32_t slot;                 /* of the target's tile */
  uint32_t polygon;              /* it leaves */
  uint32_t target;               /* polygon */
  uint8_t edge, side, low, high; /* as in WmLink */
  /* The portal of a link from or to an off-mesh connection; of a segment link: low and high end of the interval, and which
   * segment (0 near, 1 far). */
  float point[3];
} WmOuterLink;

/* The arrays of a WmMeshTile that this folder writes. A connection made at run time has only those that
 * change; the others are constants. */
typedef struct WmTileArrays {
  uint8_t *bytes;
  float *vertices; /* in the bytes */
  uint16_t *polygon_vertices, *polygon_neighbours, *polygon_flags;
  uint8_t *polygon_size, *polygon_area;
  float *connection_ends;
  uint32_t *link_first;
  WmLink *links;       /* in WmTileRecord.laid */
  float *link_portals; /* in WmTileRecord.laid */
  uint8_t *link_backs; /* in WmTileRecord.laid */
  uint32_t *state_first, *detail_boxes;
  struct WmDetailFrame *detail_frames;
  uint32_t *leaf_polygons;
  struct WmLeafBlock *leaf_blocks;
  uint32_t *near_first;
  uint16_t *near_nodes;
  double *area_before;
  float *rings;
} WmTileArrays;

/* A tile with its links, in one block with its arrays. */
typedef struct WmTileRecord {
  WmMeshTile tile;                    /* the view; first, so that a tile's address is its record's */
  WmTileArrays arrays;                /* the same arrays, to be written */
  struct WmTileRecord *older, *newer; /* in the order of their addition: tiles, or connections */
  struct WmTileRecord *next_far;      /* tile with far connections: see tile_changes.c */
  uint32_t far_count;
  WmTilePolygon *polygons;  /* in the tile's bytes */
  bool is_disabled;         /* a connection: its polygon's flags read 0 */
  bool is_altered;          /* flags or areas were set: the bytes differ from those it was made from */
  bool has_landings;        /* state_first was changed for connections that land here */
  bool is_laid;             /* ready_tile.c: the flat links are those of the tile's last time in the mesh */
  uint32_t reference_count; /* owners: the mesh and others; the last one frees it */
  uint16_t *made_flags;     /* [polygon_count] flags and areas that it was made with */
  uint8_t *made_areas;
  uint8_t *connection_started; /* [connection_count] its start is linked */
  uint32_t inner_link_count;
  uint32_t edge_count;
  WmPortalEdge *edges; /* [edge_count] by polygon and edge */
  WmSortItem *by_low;  /* [edge_count] by low ends: key of the largest `high` up to here, index in `edges` */
  WmBuffer dynamic;    /* WmOuterLink, oldest first */
  uint32_t dynamic_count;
  /* Of the current plan. */
  uint32_t pending; /* planned links, behind the others in `dynamic` */
  bool is_touched;  /* in the plan's list */
  bool is_leaving;  /* the plan drops its links and those to it */
  struct WmTileRecord *next_touched;
  WmBuffer laid; /* memory of tile.links, tile.link_portals and tile.link_backs */
  size_t block_bytes;
} WmTileRecord;

/* A number that sorts as the float does. */
uint32_t wm_sort_key(float value);

/* Checks bytes from outside and makes a tile of them, without links; inner links are counted. The caller sets
 * `slot` and `ref`.
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY; *record is NULL on failure */
WmStatus wm_tile_make(WmContext *context, const uint8_t *bytes, size_t byte_count, WmTileRecord **record);

/* As wm_tile_make, for a tile of our own baker: checks the header, not the contents. */
WmStatus wm_tile_make_trusted(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmTileRecord **record);

/* Removes one reference to a tile; frees it if that was the last. NULL is allowed. */
void wm_tile_free(WmContext *context, WmTileRecord *record);

/* Computes the search states of polygons: four for polygons that several edges of other tiles can lead into,
 * one for each side they are entered from, as in Detour; else one. */
void wm_tile_fill_states(WmTileRecord *record);

/* Sums up the areas of a tile's polygons.
 * in         area_before: zeros */
void wm_tile_fill_areas(WmTileRecord *record);

/* Computes the outlines of a tile's polygons.
 * in         rings: zeros */
void wm_tile_fill_rings(WmTileRecord *record);

/* ---- Checks: WM_OK, WM_ERROR_CORRUPT or WM_ERROR_OUT_OF_MEMORY ---------------------------------------- */

/* Checks the header, and that its counts add up to the number of bytes.
 * out        at: offsets of the sections, with links of 12 bytes; wide links in the bytes need more */
WmStatus wm_tile_check_header(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmTileHeader *header, WmTileSections *at);

/* Checks the sections of a tile: the arrays that lie in its bytes. Uses scratch memory of the caller's mark.
 * out        record->tile.node_count: without unused nodes behind the tree; 0 if the tree can't be used */
WmStatus wm_tile_check_contents(WmContext *context, WmTileRecord *record);

/* True if the bounds span more cells than boxes of nodes can hold. */
bool wm_tile_is_beyond_tree(const WmMeshTile *tile);

/* ---- Links -------------------------------------------------------------------------------------------- */

/* The plan of a change of links. Planned links are stored behind the present ones of their tiles, with all
 * memory that applying them needs, so that applying can't fail; after a failure they are discarded. Applying
 * drops the links from and to records that are leaving. */
typedef struct WmLinkPlan WmLinkPlan;
struct WmLinkPlan {
  WmMesh *mesh;
  /* Lays out the links of a record after they were applied; NULL: wm_tile_lay_links. */
  void (*lay)(WmLinkPlan *plan, WmTileRecord *record);
  WmSortItem *candidates; /* of portals.c: [2 * WM_CANDIDATE_LIMIT] */
  WmStatus status;        /* the first failure */
  size_t link_limit;      /* links of the mesh with those planned, and ties; 0: no limit */
  size_t work_left;       /* pairs of portal edges that may still be compared */
  size_t planned;         /* links */
  WmTileRecord *touched;  /* records whose links change */
  WmOuterLink unused;     /* returned by wm_plan_link after a failure */
};

/* Largest number of polygons of one tile along one edge. No level has as many: it bounds the cost of hostile
 * bytes. */
enum { WM_CANDIDATE_LIMIT = 4096 };

/* Largest number of links across tiles, and of compared pairs of edges, for each link source (a portal edge
 * or a connection) and WM_MIN_LINK_SOURCES more. On a floor an edge meets two others, and a link has two
 * ends; in hostile bytes both numbers grow with the square of the edges. */
enum { WM_LINKS_PER_SOURCE = 8, WM_PAIRS_PER_SOURCE = 4096, WM_MIN_LINK_SOURCES = 512 };

/* Limits the links and ties of a mesh to which a plan adds a record. */
void wm_plan_limit(WmLinkPlan *plan, const WmTileRecord *coming);

/* Prepares a plan for the links of a record that is added: limits, and memory to find them.
 * returns    the plan's status */
WmStatus wm_plan_begin(WmLinkPlan *plan, WmTileRecord *coming);

/* Adds a record to those whose links change. */
void wm_plan_touch(WmLinkPlan *plan, WmTileRecord *record);

/* Touches a record if it has links to another that is leaving. */
void wm_plan_untie(WmLinkPlan *plan, WmTileRecord *record, const WmTileRecord *leaving);

/* Plans a link that is open in full; the caller sets the other fields. Applying a link that leaves an
 * off-mesh polygon also moves that end of the connection. */
WmOuterLink *wm_plan_link(WmLinkPlan *plan, WmTileRecord *owner, uint32_t polygon, const WmTileRecord *to,
                          uint32_t target, uint32_t edge, uint32_t side);

/* Plans the links of `from` across its portal edges to `to`.
 * in         side: 0, 2, 4 or 6 of `from`; WM_TILE_SIDE_INSIDE: another layer of the same place, all sides */
void wm_plan_portals(WmLinkPlan *plan, WmTileRecord *from, const WmTileRecord *to, uint32_t side);

/* Plans the links of one end of a connection (an off-mesh polygon of `from`) with the polygon it is tied to:
 * from the connection, and to it unless it is the end of a one-way connection. */
void wm_plan_landing(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, uint32_t end,
                     WmTileRecord *to, uint32_t target, const float point[3], uint32_t side);

/* Plans the links of one end of a connection baked into `from` with the nearest polygon of `to`, if that is
 * near enough; those of the end only if the start is linked. */
void wm_plan_connection(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, uint32_t end,
                        WmTileRecord *to);

/* Finds the ground polygon of a tile nearest to an end of a connection.
 * returns    true if it is near enough */
bool wm_tile_find_ground(const WmMeshTile *tile, const float end[3], float radius, float climb,
                         WmNearestSearch *ground);

/* Adds the planned links and drops those of leaving records; after a failure, discards the plan. Afterwards
 * no record is touched or leaving.
 * returns    the plan's status */
WmStatus wm_plan_finish(WmLinkPlan *plan);

/* Reserves memory for one more planned link, and for the flat links. The flat links may have moved: they must
 * be laid out again. */
WmStatus wm_tile_reserve_links(WmContext *context, WmTileRecord *record);

/* Computes the flat links of a tile from its outer and inner links, and moves the ends of its connections;
 * memory must be reserved. */
void wm_tile_lay_links(const WmMesh *mesh, WmTileRecord *record);

/* ---- Changes: tile_changes.c -------------------------------------------------------------------------- */

/* Adds a tile, removes one, or replaces one by the other; changes nothing on failure.
 * in         coming: not yet in the mesh; leaving: in the mesh; both of one place; either may be NULL
 * out        after WM_OK the mesh owns `coming`, and no longer `leaving` */
WmStatus wm_mesh_change(WmMesh *mesh, WmTileRecord *coming, WmTileRecord *leaving);

/* Checks that a place can have one more layer. Each layer is matched with all others, hence a limit.
 * out        *former: the tile of its place and layer, or NULL */
WmStatus wm_mesh_check_place(const WmMesh *mesh, const WmMeshTile *tile, WmTileRecord **former);

/* ---- Connections made at run time: connections.c ------------------------------------------------------ */

/* The polygon that an end is tied to. */
typedef struct WmTie {
  WmTileRecord *record; /* NULL: none */
  uint32_t polygon;
  float score, point[3];
} WmTie;

/* A connection made at run time: the one off-mesh polygon of a tile of its own. */
typedef struct WmConnectionRecord {
  WmTileRecord record; /* first */
  size_t number;       /* index in the mesh's connection_reaches */
  WmTie ties[2], planned[2];
  WmTilePolygon polygon;
  WmTileConnection connection;
  float vertices[2][3]; /* start and end as given */
  float ends[6];        /* moved onto the mesh where tied */
  uint32_t link_first[3], state_first[2];
  double area_before;
  uint16_t flags;
  uint8_t area, started;
} WmConnectionRecord;

/* The tile places around the ends of a connection: those of all tiles that an end can be tied to. */
typedef struct WmConnectionReach {
  int32_t first[2][2], last[2][2]; /* of each end, on x and z */
  WmConnectionRecord *connection;
} WmConnectionReach;

/* Plans the ties of all ends of connections and segment links around a place after the tile `coming` (may be NULL)
 * was added there and the leaving tiles were removed. */
void wm_plan_ties(WmLinkPlan *plan, int32_t x, int32_t z, WmTileRecord *coming);

/* ---- The mesh ----------------------------------------------------------------------------------------- */

typedef struct WmSlot {
  WmTileRecord *record; /* NULL: empty */
  uint16_t generation;  /* of the tile in it, or of the next: 1 to 8191, then 1 again */
  uint16_t former;      /* number of removed tiles that were in it; 8191: it isn't used again */
  uint32_t next;        /* slot: in the bucket, or in the queue of free slots */
  uint32_t bucket;      /* of tiles by place, with this slot's number: the slot of its newest tile */
  uint64_t changed;     /* wm_mesh_slot_change */
} WmSlot;

struct WmMesh {
  WmContext *context;
  uint64_t number; /* tells it apart from all meshes of the context, also from freed ones */
  WmMeshParameters parameters;
  uint64_t version, shape_version, change_count;
  char *configuration;
  size_t configuration_length;
  size_t tile_count, connection_count;
  size_t tie_count;                                    /* of all segment links */
  size_t link_source_count, link_count;                /* portal edges and connections; outer links */
  WmTileRecord *oldest, *newest;                       /* tiles */
  WmTileRecord *oldest_connection, *newest_connection; /* connections made at run time */
  WmTileRecord *first_far;                             /* tiles with far connections */
  WmBuffer connection_reaches;                         /* WmConnectionReach [connection_count] in any order */
  WmBuffer link_sets; /* WmLinkSet * [link_set_count] by z, x, generated before made by hand */
  WmBuffer links_off; /* WmLinkOff [link_off_count] */
  size_t link_set_count, link_off_count;
  WmBuffer
      off_squares; /* of links_off: WmSortItem [off_square_count], unless 0 (mesh/links/segment_links.c) */
  size_t off_square_count;
  WmBuffer slots; /* WmSlot; the capacity is a power of two */
  WmBuffer areas; /* double [2 * slot capacity]: node n is the sum of nodes 2n and 2n + 1; the second half are
                     the leaves, one for each slot */
  uint32_t slot_count;
  float least_cost;               /* of connections made at run time and segment links, at most 1 */
  uint32_t free_first, free_last; /* a queue, so that generations last long */
  const struct WmSwitches *switches;
  bool loading; /* flat links are computed once, by wm_mesh_finish_loading; no query is allowed before */
};

/* Number of portal edges and connections of a tile: the sources of its links to other tiles. A segment link counts as
 * several, as it may lie on many polygons. */
static inline size_t wm_tile_link_source_count(const WmTileRecord *record) {
  enum { OF_SEGMENT_LINK = 16 };
  const size_t segments = record->tile.segments ? record->tile.polygon_count : 0;
  return (size_t)record->edge_count + record->tile.connection_count + segments * OF_SEGMENT_LINK;
}

static inline WmSlot *wm_mesh_slots(const WmMesh *mesh) { return mesh->slots.items; }

/* Ends `loading`: computes the flat links of all tiles and connections. */
void wm_mesh_finish_loading(WmMesh *mesh);

/* Computes mesh->least_cost again. */
void wm_mesh_update_least_cost(WmMesh *mesh);

/* True if a connection made at run time or a segment link has an end that can be tied to tiles of this place. */
bool wm_mesh_has_ends_around(const WmMesh *mesh, int32_t x, int32_t z);

/* Counts a change of a slot. */
static inline void wm_mesh_note_change(WmMesh *mesh, uint32_t slot) {
  wm_mesh_slots(mesh)[slot].changed = ++mesh->change_count;
}

/* The tile or connection of a reference, or NULL. */
WmTileRecord *wm_mesh_record(const WmMesh *mesh, WmRef ref);

/* Chooses the slot and reference of a tile or connection that is about to be inserted. */
WmStatus wm_mesh_choose_slot(WmMesh *mesh, WmMeshTile *tile);

/* Inserts a tile or connection into its slot, its bucket, and the order of addition as the newest. */
void wm_mesh_insert_record(WmMesh *mesh, WmTileRecord *record);

/* Removes a tile or connection from its slot, bucket and order, and the mesh's reference to it. */
void wm_mesh_detach_record(WmMesh *mesh, WmTileRecord *record);

/* ---- Invariants, for tests and WM_VALIDATE (base/debug/assert.h) -------------------------------------- */

/* True if the run-time arrays of a tile follow from its bytes. Cost: O(tile). */
bool wm_tile_record_validate(const WmTileRecord *record);

/* True if the links of a tile lead to polygons of the mesh, lie on their edges, and are mutual where they
 * must be. Cost: O(links * links of a polygon). */
bool wm_tile_links_validate(const WmMesh *mesh, const WmTileRecord *record);

/* True if slots, orders, counts, areas, connections, and all tiles and their links are valid. Cost:
 * O(mesh). */
bool wm_mesh_validate(const WmMesh *mesh);

/* Sets the area of a slot's tile; its memory was reserved with the slot. */
void wm_mesh_set_area(WmMesh *mesh, uint32_t slot, double area);

#endif
