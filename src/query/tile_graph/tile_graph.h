/* Tile graphs: long ways over the tiles of a mesh, also over tiles that aren't loaded.
 *
 * An entrance is a point at which one can cross from a tile to another, or to an off-mesh connection. The graph stores the
 * entrances of all tiles and the costs between the entrances of each tile, which are those of real strings through the
 * tile. Blocks of 4 x 4, 16 x 16 and 64 x 64 tiles store the same for some of the entrances on their borders, so that a
 * search over ten kilometres visits some hundred entrances.
 *
 * Usual order: wm_tile_graph_create for a mesh and a filter; wm_tile_graph_find_path again and again: each call returns the
 * exact first leg and a promise of the rest; the caller walks the leg and asks again. wm_tile_graph_write stores the graph,
 * wm_tile_graph_read restores it, with or without a mesh. wm_tile_graph_destroy.
 *
 * A graph follows its mesh: tiles, connections, flags and areas that changed since the last call are updated by the next
 * one. Arrays in results belong to the graph and are valid until its next call. A graph is a cache of its mesh: the same
 * mesh gives the same graph, whatever changed before.
 *
 * Reachability is exact: a way is found if and only if the mesh has one, as long as all tiles are loaded. With tiles that aren't, ways that
 * doors have opened since are found, too, as estimates.
 *
 * Sources: A. Botea, M. Mueller, J. Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004; D. Delling, A. V. Goldberg,
 * T. Pajor, R. F. Werneck, "Customizable Route Planning", 2011: levels of blocks, and the search that uses at each place the
 * largest block that isn't near either end. */
#ifndef WALKMESH_QUERY_TILE_GRAPH_H
#define WALKMESH_QUERY_TILE_GRAPH_H

#include "base/public.h"
#include "query/search/path.h"

WM_PUBLIC_BEGIN

typedef struct WmTileGraph WmTileGraph;

typedef struct WmTileGraphOptions {
  const WmFilter *filter; /* copied; its costs of single polygons must be NULL. NULL: the default filter */
  float spacing; /* of the entrances along a border, world units, finite, >= 0; 0: a third of a tile */
  bool
      keeps_removed; /* tiles that are removed from the mesh stay in the graph, as tiles that aren't loaded */
} WmTileGraphOptions;

WmTileGraphOptions wm_tile_graph_options_default(void);

/* Makes a graph; the first wm_tile_graph_update or wm_tile_graph_find_path builds it.
 * in         mesh: must outlive the graph; options NULL: the defaults
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT naming the option; WM_ERROR_OUT_OF_MEMORY. *graph is NULL on failure */
WmStatus wm_tile_graph_create(WmContext *context, const WmMesh *mesh, const WmTileGraphOptions *options,
                              WmTileGraph **graph);
void wm_tile_graph_destroy(WmTileGraph *graph);

/* Updates the graph for the changes of the mesh. wm_tile_graph_find_path does so itself.
 * returns    WM_OK; WM_ERROR_LIMIT (a tile with more than 1024 entrances); WM_ERROR_OUT_OF_MEMORY. After a failure the graph
 *            is empty, the next call builds it from the mesh, and tiles that aren't loaded are forgotten
 * cost       O(slots) to find the changes; the strings within each changed tile and those next to it; the blocks around */
WmStatus wm_tile_graph_update(WmTileGraph *graph);

/* Removes a tile that isn't loaded from the graph, and connections that led to it and aren't in the mesh.
 * returns    WM_OK, also if there is none; WM_ERROR_STATE (it is loaded); as wm_tile_graph_update */
WmStatus wm_tile_graph_forget(WmTileGraph *graph, int32_t x, int32_t z, int32_t layer);

/* Assumes that all entrances of a tile that isn't loaded are open, and that ways lead between them, until it is loaded again: for ground
 * that has changed without the mesh. Where switches over such a tile (switches.h) are not as they were when it was loaded last, the graph
 * assumes so itself, as long as they aren't.
 * out        *found: false: the graph has no such tile, or it is loaded
 * returns    as wm_tile_graph_update */
WmStatus wm_tile_graph_assume_open(WmTileGraph *graph, int32_t x, int32_t z, int32_t layer, bool *found);

/* ---- Paths -------------------------------------------------------------------------------------------- */

typedef struct WmLongPathOptions {
  float half_extents[3]; /* how far from the mesh start and end may be; default 2, 4, 2 */
  uint32_t leg_tiles;    /* the leg leads through at most this number of tiles, 2 to 1000; default 6 */
  bool shortest;         /* the leg is the exact shortest (search.h); default true */
} WmLongPathOptions;

WmLongPathOptions wm_long_path_options_default(void);

/* A point of the promise: an entrance. Up to the end of the leg, and some tiles beyond it, there is one for each tile border;
 * further on the next one may be many tiles away. */
typedef struct WmWaypoint {
  float point[3];
  float cost;            /* of the promise from the start to here */
  int32_t x, z, layer;   /* of the tile that is entered here; 0 for a connection made at run time */
  uint8_t is_loaded;     /* that tile is in the mesh */
  uint8_t is_connection; /* a connection made at run time is entered here, not a tile */
  uint8_t is_next;       /* the next waypoint (or the end) is on the border of that tile */
  uint8_t padding;
  uint32_t entry; /* of the graph itself */
} WmWaypoint;

typedef struct WmLongPath {
  WmPathState
      state; /* WM_PATH_COMPLETE: there is a way to the end; WM_PATH_UNREACHABLE, WM_PATH_NONE: reason tells why */
  WmPathReason reason; /* START_ or END_NOT_FOUND, START_ or END_EXCLUDED, NOT_CONNECTED */
  /* Upper bound of the cost from start to end: that of the leg and of the promise, which are real lines over the mesh. Not
   * proven if is_estimate. */
  float cost;
  float lower_bound; /* no way costs less: the straight distance times the least cost of a unit */
  /* One of the ends is in a tile that isn't loaded (then WM_PATH_UNREACHABLE means that no ground of that tile can be reached), or the way
   * leads through a tile that is assumed to be open. */
  bool is_estimate;
  bool leads_to_end;      /* the leg ends at the end, else at waypoints[leg_waypoints - 1] */
  uint32_t leg_waypoints; /* number of waypoints that the leg passes */
  size_t waypoint_count;
  const WmWaypoint *waypoints;
  size_t searched; /* entrances expanded */
  WmPath leg;      /* state WM_PATH_NONE where the start's tile isn't loaded */
} WmLongPath;

/* Finds a way from a point to another: its exact first leg, and entrances up to the end.
 * in         options NULL: the defaults
 * returns    as wm_tile_graph_update; WM_ERROR_INVALID_ARGUMENT (a point isn't finite, an option is out of range) */
WmStatus wm_tile_graph_find_path(WmTileGraph *graph, const float start[3], const float end[3],
                                 const WmLongPathOptions *options, WmLongPath *path);

/* ---- Inspecting --------------------------------------------------------------------------------------- */

typedef struct WmTileGraphTotals {
  size_t tiles, loaded_tiles; /* with run-time connections */
  size_t entrances, blocks;
  size_t byte_count; /* memory of the graph and of wm_tile_graph_steps, without that of searches */
} WmTileGraphTotals;
void wm_tile_graph_totals(const WmTileGraph *graph, WmTileGraphTotals *totals);

/* The entrances of a level, and the pairs of them between which one can walk within a tile or block: for drawing. */
typedef struct WmTileGraphSteps {
  size_t entrance_count;
  const float *points; /* [entrance_count x 3] */
  size_t step_count;
  const uint32_t
      *steps; /* [step_count x 2]: indices of entrances; a pair that can be walked in one direction or both */
} WmTileGraphSteps;

/* Lists the steps of a level: 0: within tiles; 1 to 3: within blocks of 4 x 4, 16 x 16 and 64 x 64 tiles. The order of the
 * entrances depends on the history of the graph.
 * returns    as wm_tile_graph_update; WM_ERROR_INVALID_ARGUMENT (level)
 * memory     12 bytes an entrance, 8 bytes a pair, which stay allocated */
WmStatus wm_tile_graph_steps(WmTileGraph *graph, uint32_t level, WmTileGraphSteps *steps);

/* ---- Bytes -------------------------------------------------------------------------------------------- */

/* Writes the graph as it was updated last. The bytes depend on the graph only, not on its history.
 * out        *bytes [*byte_count]: a block of the context (wm_block_free); NULL, 0 on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_tile_graph_write(WmTileGraph *graph, uint8_t **bytes, size_t *byte_count);

/* Reads a graph. Its filter and spacing are those it was written with; it keeps removed tiles (keeps_removed).
 * in         mesh: a mesh with the same grid, which may hold any of the tiles; NULL: none: all tiles aren't loaded
 * returns    WM_OK; WM_ERROR_CORRUPT naming what is wrong; WM_ERROR_INVALID_ARGUMENT (mesh: its grid is another one);
 *            WM_ERROR_OUT_OF_MEMORY. *graph is NULL on failure */
WmStatus wm_tile_graph_read(WmContext *context, const WmMesh *mesh, const uint8_t *bytes, size_t byte_count,
                            WmTileGraph **graph);

WM_PUBLIC_END

#endif
