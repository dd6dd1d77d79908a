/* Shared by the files of this folder: a tile with what readers do not see, slots, and the plan of a change.
 *
 *   tile_check.c   what is wrong with bytes from outside
 *   tile.c         bytes -> WmTileRecord, checked, with everything but links to others
 *   portals.c      which edges of two tiles meet
 *   link.c         plans of links, made or forgotten as a whole; flat adjacency from all links of a tile
 *   areas.c        sums of areas
 *   leaf_boxes.c   the tree's leaves, eight side by side
 *   rings.c        outlines of polygons, their edges side by side
 *   mesh.c         slots, places, references
 *   change.c       adding, replacing and removing tiles
 *   swap.c         tiles that are ready before they come, in the place of those that are there
 *   connections.c  connections made at run time, and what their ends are tied to
 *   state.c        flags, areas, sums */
#ifndef WALKMESH_MESH_MESH_INTERNAL_H
#define WALKMESH_MESH_MESH_INTERNAL_H

#include "base/buffer.h"
#include "base/sort.h"
#include "mesh/locate.h"
#include "mesh/mesh.h"

/* No slot, no tile. */
#define WM_NO_SLOT UINT32_MAX

/* Tiles farther from the origin than this are refused: float positions could not tell them apart. */
enum { WM_TILE_COORDINATE_LIMIT = 1 << 22 };

/* ---- Tiles -------------------------------------------------------------------------------------------- */

/* An edge on a side of its tile, seen along that side: x or z from low to high, heights at both ends. */
typedef struct WmPortalEdge {
  float coordinate; /* across the side, of the edge's first vertex */
  float low, high;
  float y_low, y_high;
  uint16_t polygon;
  uint8_t edge;
  uint8_t side;   /* WM_SIDE_X_PLUS and so on: 0, 2, 4, 6 */
  bool ascending; /* its first vertex is the low one */
} WmPortalEdge;

/* A link that comes and goes with another tile, or that an off-mesh connection makes. */
typedef struct WmOuterLink {
  uint32_t slot;
  uint32_t polygon; /* it leaves */
  uint32_t target;
  uint8_t edge, side, low, high;
  float point[3]; /* the opening of a link from or to an off-mesh connection */
} WmOuterLink;

/* A tile and what belongs to it, in one block with its arrays; what readers see as const is written through
 * casts, by the files of this folder only. */
typedef struct WmTileRecord {
  WmMeshTile tile;                    /* what readers see; first, so that a tile's address is its record's */
  struct WmTileRecord *older, *newer; /* in the order of their addition: tiles, or connections */
  struct WmTileRecord *next_far;      /* tile with far connections: see change.c */
  uint32_t far_count;
  WmTilePolygon *polygons; /* in the tile's bytes */
  bool is_disabled;        /* a connection: its polygon's flags read 0 */
  bool is_altered;         /* flags or areas have been set: its bytes are not those it was made from */
  bool has_landings;       /* state_first has been changed for connections that land here */
  bool is_laid;            /* swap.c: links lie as they lay when the tile was last in the mesh */
  uint32_t reference_count;        /* who frees it: the mesh, and others; the last one does */
  uint16_t *made_flags;    /* [polygon_count] flags and areas that it was made with */
  uint8_t *made_areas;
  uint8_t *connection_started; /* [connection_count] its start is linked */
  uint32_t inner_link_count;
  uint32_t edge_count;
  WmPortalEdge *edges; /* [edge_count] by polygon and edge */
  WmSortItem
      *by_low;      /* [edge_count] by low ends: sort key of the largest `high` so far, number of the edge */
  WmBuffer dynamic; /* WmOuterLink, oldest first */
  uint32_t dynamic_count;
  /* Of the plan under way. */
  uint32_t pending; /* links behind those: planned but not yet made */
  bool is_touched;  /* in the plan's list */
  bool is_leaving;  /* links from and to it, as far as they are made, are to go */
  struct WmTileRecord *next_touched;
  WmBuffer laid; /* what tile.links and link_portals lie in */
  size_t block_bytes;
} WmTileRecord;

/* Sortable number of a float: ascending as the floats are. */
uint32_t wm_sort_key(float value);

/* Checks bytes from outside and makes a tile of them: inner links counted, none made. `slot` and `ref` are to
 * be set by the caller.
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY; *record is NULL on failure */
WmStatus wm_tile_make(WmContext *context, const uint8_t *bytes, size_t byte_count, WmTileRecord **record);

/* The same of a tile of our own baker: contents are not checked. */
WmStatus wm_tile_make_trusted(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmTileRecord **record);

/* Lets go of a tile: the last of its reference_count frees it. */
void wm_tile_free(WmContext *context, WmTileRecord *record);

/* Fills in the search states of polygons that several edges of other tiles can lead into: four, one for each
 * side they are entered from, like Detour's. */
void wm_tile_fill_states(WmTileRecord *record);

/* Sums up the areas of a tile's polygons. in         area_before: zeros */
void wm_tile_fill_areas(WmTileRecord *record);

/* Fills in the outlines of a tile's polygons. in         rings: zeros */
void wm_tile_fill_rings(WmTileRecord *record);

/* ---- Checks: WM_OK, WM_ERROR_CORRUPT or WM_ERROR_OUT_OF_MEMORY ---------------------------------------- */

/* Everything in a header, and that the counts add up to the number of bytes.
 * out        at: where sections lie, with links of 12 bytes; where the bytes have wide ones, there are more
 */
WmStatus wm_tile_check_header(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmTileHeader *header, WmTileSections *at);

/* Everything else. Reads those arrays that lie in the tile's bytes; takes scratch memory, for the caller to
 * rewind.
 * out        record->tile.node_count: without unused nodes behind the tree; 0 where it cannot be used */
WmStatus wm_tile_check_contents(WmContext *context, WmTileRecord *record);

/* Whether the bounds measure more cells than boxes of nodes can say. */
bool wm_tile_is_beyond_tree(const WmMeshTile *tile);

/* ---- Links -------------------------------------------------------------------------------------------- */

/* Plans what a change of the mesh does to links. Planned links wait behind those that their tiles have, with
 * all memory that making them takes: then no step can fail, or they are forgotten. Links that are to go are
 * those from and to a record that is leaving. */
typedef struct WmLinkPlan WmLinkPlan;
struct WmLinkPlan {
  WmMesh *mesh;
  /* How to lay out links of a record that have been settled; NULL: wm_tile_lay_links. */
  void (*lay)(WmLinkPlan *plan, WmTileRecord *record);
  WmSortItem *candidates; /* of portals.c: [2 * WM_CANDIDATE_LIMIT] */
  WmStatus status;        /* sticks */
  size_t link_limit;      /* links of the mesh with those planned; 0: none */
  size_t work_left;       /* pairs of portal edges to look at */
  size_t planned;         /* links */
  WmTileRecord *touched;  /* records whose links change */
  WmOuterLink unused;   /* what is filled in after a failure */
};

/* No level has more polygons than this along one edge: a bound on what bytes made to do harm can cost. */
enum { WM_CANDIDATE_LIMIT = 4096 };

/* Nor more links across tiles than so many for each portal edge and connection and some (an edge meets two
 * others on a floor, and a link has two ends), nor as many pairs of edges on the same stretch. Both grow with
 * the square of what is in bytes made to do harm. */
enum { WM_LINKS_PER_SOURCE = 8, WM_PAIRS_PER_SOURCE = 4096, WM_MIN_LINK_SOURCES = 512 };

/* Makes a plan ready for the links of a record that comes: their limits, and memory to look for them.
 * Returns the plan's status. */
WmStatus wm_plan_begin(WmLinkPlan *plan, WmTileRecord *coming);

/* The links of a record are to be laid out anew. */
void wm_plan_touch(WmLinkPlan *plan, WmTileRecord *record);

/* Touches a record if it has links to another that is leaving. */
void wm_plan_untie(WmLinkPlan *plan, WmTileRecord *record, const WmTileRecord *leaving);

/* A new link, open in full, for the caller to fill in the rest. One that leaves an off-mesh polygon will also
 * move that end of the connection. */
WmOuterLink *wm_plan_link(WmLinkPlan *plan, WmTileRecord *owner, uint32_t polygon, const WmTileRecord *to,
                            uint32_t target, uint32_t edge, uint32_t side);

/* Links of `from` across its portal edges to `to`.
 * in         side: 0, 2, 4 or 6 of `from`; WM_TILE_SIDE_INSIDE: another layer of the same place, all sides */
void wm_plan_portals(WmLinkPlan *plan, WmTileRecord *from, const WmTileRecord *to, uint32_t side);

/* The links of one end of a connection (an off-mesh polygon of `from`) that has met ground: from it, and
 * unless it is the end of one that leads one way only, to it. */
void wm_plan_landing(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, uint32_t end,
                     WmTileRecord *to, uint32_t target, const float point[3], uint32_t side);

/* Links one end of a connection baked into `from` to the nearest polygon of `to`, if that is near enough; the
 * end only where the start has met ground. */
void wm_plan_connection(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, uint32_t end,
                        WmTileRecord *to);

/* The ground of a tile nearest to an end of a connection. Returns whether it is near enough. */
bool wm_tile_find_ground(const WmMeshTile *tile, const float end[3], float radius, float climb,
                         WmNearestSearch *ground);

/* Makes the links planned and drops those that are to go; after a failure, forgets them. Nothing is touched
 * or leaving then. Returns the plan's status. */
WmStatus wm_plan_finish(WmLinkPlan *plan);

/* Makes sure of memory for one more planned link, and to lay all links out. What is laid out may have moved:
 * it is to be laid out anew. */
WmStatus wm_tile_reserve_links(WmContext *context, WmTileRecord *record);

/* Lays all links of a tile out flat, and moves ends of connections; memory must be reserved. */
void wm_tile_lay_links(WmTileRecord *record);

/* ---- Changes: change.c ---------------------------------------------------------------------------------
 */

/* Makes the change, or nothing at all.
 * in         coming, leaving: a tile that is not yet in the mesh and one that is, or NULL; of one place
 * out        `leaving` is let go where it has gone; `coming` belongs to the mesh where the status is WM_OK */
WmStatus wm_mesh_change(WmMesh *mesh, WmTileRecord *coming, WmTileRecord *leaving);

/* Whether a tile may come to its place. Each layer of a place is matched with all others: hence a limit.
 * out        *former: the tile that has its place and layer, or NULL */
WmStatus wm_mesh_check_place(const WmMesh *mesh, const WmMeshTile *tile, WmTileRecord **former);

/* ---- Connections made at run time --------------------------------------------------------------------- */

/* What an end meets. */
typedef struct WmTie {
  WmTileRecord *record; /* NULL: nothing */
  uint32_t polygon;
  float score, point[3];
} WmTie;

/* A connection made at run time: the one off-mesh polygon of a tile of its own. */
typedef struct WmConnectionRecord {
  WmTileRecord record; /* first */
  size_t number;       /* in the mesh's connection_reaches */
  WmTie ties[2], planned[2];
  WmTilePolygon polygon;
  WmTileConnection connection;
  float ends[6];
  uint32_t link_first[3], state_first[2];
  double area_before;
  uint16_t flags;
  uint8_t area, started;
} WmConnectionRecord;

/* The places around the ends of a connection, which any tile that ties them is at. */
typedef struct WmConnectionReach {
  int32_t first[2][2], last[2][2]; /* of each end, on x and z */
  WmConnectionRecord *connection;
} WmConnectionReach;

/* Plans how all ends are tied when a tile has come to a place (or NULL) and those that are leaving have gone
 * from it. */
void wm_plan_ties(WmLinkPlan *plan, int32_t x, int32_t z, WmTileRecord *coming);

/* ---- The mesh ----------------------------------------------------------------------------------------- */

typedef struct WmSlot {
  WmTileRecord *record; /* NULL: empty */
  uint16_t generation;  /* of the tile in it, or of the next: 1 to 8191, and round */
  uint16_t former;      /* tiles that have been in it; 8191: never again */
  uint32_t next;        /* in the bucket, or in the queue of free slots */
  uint32_t bucket;      /* of tiles by place, the newest first, with this number: its first slot */
} WmSlot;

struct WmMesh {
  WmContext *context;
  WmMeshParameters parameters;
  uint64_t version, shape_version;
  char *configuration;
  size_t configuration_length;
  size_t tile_count, connection_count;
  size_t link_source_count, link_count; /* portal edges and connections; links that come and go */
  WmTileRecord *oldest, *newest;    /* tiles */
  WmTileRecord *oldest_connection, *newest_connection; /* connections made at run time */
  WmTileRecord *first_far;                             /* tiles with far connections */
  WmBuffer connection_reaches;                                 /* WmConnectionReach [connection_count] in any order */
  WmBuffer slots;                                      /* WmSlot; their number is a power of two */
  WmBuffer areas; /* double: node n of a tree is the sum of 2n and 2n + 1; leaves are slots, behind as many */
  uint32_t slot_count;
  float least_cost;               /* of connections made at run time, at most 1 */
  uint32_t free_first, free_last; /* first out is first in, so that generations last long */
  bool loading; /* links are laid out once, at the end, by wm_mesh_finish_loading; no query may happen */
};

/* Portal edges and connections of a tile. */
static inline size_t wm_tile_link_source_count(const WmTileRecord *record) {
  return (size_t)record->edge_count + record->tile.connection_count;
}

static inline WmSlot *wm_mesh_slots(const WmMesh *mesh) { return mesh->slots.items; }

void wm_mesh_finish_loading(WmMesh *mesh);

/* Whether a connection made at run time has an end that may be tied to tiles of this place. */
bool wm_mesh_has_ends_around(const WmMesh *mesh, int32_t x, int32_t z);

/* What a reference is of, or NULL. */
WmTileRecord *wm_mesh_record(const WmMesh *mesh, WmRef ref);

/* Gives a tile or connection that is to come a slot and a reference. */
WmStatus wm_mesh_choose_slot(WmMesh *mesh, WmMeshTile *tile);

/* Puts it where it belongs: in its slot, in its bucket, behind all others by age. */
void wm_mesh_insert_record(WmMesh *mesh, WmTileRecord *record);

/* The opposite; frees it. */
void wm_mesh_detach_record(WmMesh *mesh, WmTileRecord *record);

/* Sets the area of what is in a slot; memory is there for each slot that is. */
void wm_mesh_set_area(WmMesh *mesh, uint32_t slot, double area);

#endif
