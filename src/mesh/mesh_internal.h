/* Shared by the files of this folder: a tile with what readers do not see, slots, and the plan of a change.
 *
 *   tile_check.c   bytes from outside -> WmTileView, or what is wrong with them
 *   tile.c         checked bytes -> WmTileRecord, with everything but links to others
 *   portals.c      which edges of two tiles meet
 *   link.c         the links that a new tile brings, and flat adjacency from all links of a tile
 *   mesh.c         slots, places, adding and removing */
#ifndef WALKMESH_MESH_MESH_INTERNAL_H
#define WALKMESH_MESH_MESH_INTERNAL_H

#include "mesh/mesh.h"

/* No slot, no tile. */
#define WM_NO_SLOT UINT32_MAX

/* Tiles farther from the origin than this are refused: float positions could not tell them apart. */
enum { WM_TILE_COORDINATE_LIMIT = 1 << 22 };

/* ---- Checked bytes ------------------------------------------------------------------------------------ */

typedef struct WmTileView {
  const uint8_t *bytes;
  WmTileHeader header;
  WmTileSections at;
  uint32_t tree_nodes; /* nodes of the tree proper, without unused ones behind it */
} WmTileView;

/* Checks everything a tile says before any of it is used.
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_tile_open(WmContext *context, const uint8_t *bytes, size_t byte_count, WmTileView *view);

/* ---- Tiles -------------------------------------------------------------------------------------------- */

/* An edge on a side of its tile, seen along that side: x or z from low to high, heights at both ends. */
typedef struct WmPortalEdge {
  float coordinate; /* across the side, of the edge's first vertex */
  float low, high;
  float y_low, y_high;
  uint16_t polygon;
  uint8_t edge;
} WmPortalEdge;

/* The portal edges of one side, by polygon and edge; and by their low end, with the farthest high end so far.
 */
typedef struct WmPortalSide {
  WmPortalEdge *edges;
  uint32_t *by_low; /* [count] numbers of edges */
  float *reach;     /* [count] largest `high` among by_low[0..i] */
  uint32_t count;
} WmPortalSide;

/* A link that comes and goes with another tile, or that an off-mesh connection makes. */
typedef struct WmDynamicLink {
  uint32_t slot;
  uint16_t polygon; /* it leaves */
  uint16_t target;
  uint8_t edge, side, low, high;
  float point[3]; /* the opening of a link from or to an off-mesh connection */
} WmDynamicLink;

typedef struct WmTileRecord {
  WmMeshTile tile;   /* what readers see */
  uint64_t sequence; /* number of the addition */
  uint8_t *bytes;
  uint64_t polygons_at; /* section of bytes */
  uint16_t *flags;
  uint8_t *areas;
  float *connection_ends;
  uint8_t *connection_started; /* [connection_count] its start is linked */
  uint32_t *link_first;
  uint32_t inner_link_count;
  WmPortalSide sides[4];  /* WM_SIDE_X_PLUS / 2 and so on */
  WmDynamicLink *dynamic; /* oldest first; its own block */
  uint32_t dynamic_count, dynamic_capacity;
  void *link_block; /* links, portals, ranges */
  WmLink *links;
  float *link_portals;
  uint8_t *link_ranges;
  uint32_t link_capacity;
  uint32_t pending; /* links planned but not yet made */
} WmTileRecord;

/* Makes a tile of checked bytes: one block, inner links counted, none made. `slot` and `ref` are to be set by
 * the caller. NULL after recording out-of-memory. */
WmTileRecord *wm_tile_make(WmContext *context, const WmTileView *view);

void wm_tile_free(WmContext *context, WmTileRecord *record);

/* ---- Links -------------------------------------------------------------------------------------------- */

/* What adding a tile will change; nothing is changed before all memory is there. Lives in scratch memory. */
typedef struct WmPlannedLink {
  WmTileRecord *owner;
  WmDynamicLink link;
} WmPlannedLink;

typedef struct WmPlannedEnd {
  WmTileRecord *owner;
  uint32_t connection, end; /* 0 start, 1 end */
  float position[3];
} WmPlannedEnd;

typedef struct WmLinkPlan {
  WmContext *context;
  WmPlannedLink *links;
  size_t link_count, link_capacity;
  WmPlannedEnd *ends;
  size_t end_count, end_capacity;
  void *candidates; /* of portals.c */
  WmStatus status;  /* sticks */
} WmLinkPlan;

void wm_plan_link(WmLinkPlan *plan, WmTileRecord *owner, WmDynamicLink link);

/* Links of `from` across its portal edges to `to`.
 * in         side: 0, 2, 4 or 6 of `from`; WM_TILE_SIDE_INSIDE: another layer of the same place, all sides */
void wm_plan_portals(WmLinkPlan *plan, WmTileRecord *from, const WmTileRecord *to, uint32_t side);

/* Links the starts of a new tile's connections to its own polygons. */
void wm_plan_starts(WmLinkPlan *plan, WmTileRecord *record);

/* Links those connections of `from` that end on its `side` to polygons of `to`. */
void wm_plan_landings(WmLinkPlan *plan, WmTileRecord *from, WmTileRecord *to, uint32_t side);

/* Makes sure of memory for `extra` more links: to keep them, and to lay all of them out. */
WmStatus wm_tile_reserve_dynamic(WmContext *context, WmTileRecord *record, uint32_t extra);
WmStatus wm_tile_reserve_laid(WmContext *context, WmTileRecord *record, uint32_t extra);

/* Lays all links of a tile out flat; memory must be reserved. */
void wm_tile_lay_links(WmTileRecord *record);

/* Drops the links to a slot; lays nothing out. */
void wm_tile_drop_links(WmTileRecord *record, uint32_t slot);

/* ---- The mesh ----------------------------------------------------------------------------------------- */

typedef struct WmSlot {
  WmTileRecord *record; /* NULL: empty */
  uint32_t generation;  /* of the tile in it, or of the next; 0: never used, above 65535: never again */
  uint32_t next;        /* in the bucket, or in the queue of free slots */
} WmSlot;

struct WmMesh {
  WmContext *context;
  WmMeshParameters parameters;
  uint64_t version, additions;
  char *configuration;
  size_t configuration_length;
  size_t tile_count;
  WmSlot *slots;
  uint32_t slot_count, slot_capacity;
  uint32_t free_first, free_last; /* first out is first in, so that generations last long */
  uint32_t *buckets;              /* [bucket_count] tiles by place, the newest first */
  uint32_t bucket_count;          /* a power of two */
  bool loading;                   /* links are laid out once, at the end: wm_mesh_finish_loading */
};

/* Between these, tiles are added without laying out links each time; no query may happen.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: then the mesh can only be destroyed */
void wm_mesh_begin_loading(WmMesh *mesh);
WmStatus wm_mesh_finish_loading(WmMesh *mesh);

/* First slot of a bucket that may hold tiles of the place; walk on by slots[...].next. */
uint32_t wm_mesh_bucket(const WmMesh *mesh, int32_t x, int32_t z);

/* All tiles, oldest first, in scratch memory; NULL after recording out-of-memory. */
const WmTileRecord **wm_mesh_tiles_by_age(const WmMesh *mesh);

#endif
