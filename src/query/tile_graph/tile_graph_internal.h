/* Shared by the files of this folder: clusters, entrances, the search.
 *
 *   tile_graph.c      creating; clusters by place; pools of lists and costs
 *   graph_update.c    follows the changes of the mesh
 *   graph_doors.c     switches that changed over tiles that aren't loaded
 *   entrances.c       links between two tiles -> entrances
 *   tile_costs.c      connected ground of a tile; costs between its entrances
 *   blocks.c          which entrances blocks have, and the costs between them
 *   graph_search.c    the search over entrances, within a block or over all levels
 *   walk_lists.c      the entries of a list that a step of the search improves
 *   graph_detour.c    how much longer ways are than straight lines
 *   long_path.c       wm_tile_graph_find_path
 *   graph_bytes.c     writing and reading
 *   graph_steps.c     arrays to draw
 *
 * A cluster is a tile, a connection made at run time (level 0), or a block of 4 x 4 clusters of the level below (levels 1
 * to 3). The list of a cluster has the entrances on its border, in parts: entrances between which ways lead within the cluster,
 * in one direction at least. The largest part comes first; after all parts come entrances that no way joins to another one.
 * Each part has costs [count x count] between its entrances. A cost is stored as its root r in 8 bits: it is
 * r * r * cluster->unit, so that small costs have small steps. A symmetric cluster stores the half below the diagonal only:
 * costs[j (j - 1) / 2 + i], i < j. In a town, where houses are closed yards, parts have a tenth of all pairs.
 *
 * An entry is an entrance with one of its two sides: 2 * entrance + side. In a cluster's list it has the side that is inside
 * the cluster. In a search it is the state of having crossed the entrance into that side.
 *
 * Entrances and clusters refer to each other by index; freed ones are reused, so indices depend on history. Nothing that is
 * returned or written does: lists are sorted by position. */
#ifndef WALKMESH_QUERY_TILE_GRAPH_INTERNAL_H
#define WALKMESH_QUERY_TILE_GRAPH_INTERNAL_H

#include "base/sort.h"
#include "mesh/locate.h"
#include "query/query_internal.h"
#include "query/tile_graph/tile_graph.h"

enum { WM_GRAPH_LEVELS = 4, WM_BLOCK_SIDE = 4, WM_ENTRANCE_LIMIT = 1024 };
#define WM_NONE UINT32_MAX
#define WM_NO_COST 255 /* a root; larger ones are costs */

typedef struct WmEntrance {
  float point[3];
  uint32_t clusters[2]; /* of level 0; a free entrance: WM_NONE, and the next free one */
  uint16_t polygons[2]; /* of each tile */
  float unit_cost;      /* of the polygon where a unit costs more */
  uint8_t directions;   /* bit 0: can be crossed from clusters[0] to clusters[1]; bit 1: back */
  uint8_t level;        /* it is in the lists of this level and of those below */
  uint8_t is_dead;      /* 1: will be removed from both lists; 2: was removed from one */
  uint8_t state;        /* see below */
} WmEntrance;

/* Bits of WmEntrance.state. OPEN: the two directions in which it can be crossed while both polygons pass the filter. CLOSED: the polygon in
 * clusters[0] doesn't pass, but may later: it is under a switch, or a link that is off, or its tile was removed since; CLOSED << 1: the same of
 * clusters[1]. END: one of its clusters is a connection. SAVED: the bits that files have. */
enum { WM_ENTRANCE_OPEN = 3, WM_ENTRANCE_CLOSED = 4, WM_ENTRANCE_SAVED = 15, WM_ENTRANCE_END = 16 };

enum {
  WM_CLUSTER_USED = 1,
  WM_CLUSTER_CONNECTION = 2, /* made at run time */
  WM_CLUSTER_SYMMETRIC = 4,
  /* During an update. */
  WM_CLUSTER_STALE = 8,       /* the tile has changed, or a child of the block */
  WM_CLUSTER_LIST_STALE = 16, /* the list must be made again */
  WM_CLUSTER_DONE = 32,       /* its borders are up to date */
  /* Tiles that aren't loaded: see graph_doors.c. Blocks: one of their tiles is. */
  WM_CLUSTER_ASSUMED =
      64, /* all its entrances are assumed to be open, and joined by straight lines if by nothing else */
  WM_CLUSTER_DOUBTED = 128 /* assumed until it is loaded: wm_tile_graph_assume_open */
};

typedef struct WmCluster {
  WmRef tile;              /* 0: not in the mesh */
  int32_t x, z, layer;     /* of blocks: place / 4^level, layer 0 */
  uint32_t first_child;    /* of a block */
  uint32_t next_child;     /* of the same block */
  uint32_t next_in_bucket; /* by place; of a free cluster: the next free one */
  uint32_t list;  /* in the pool of lists: its entries, then the end of each part, as an index in the list */
  uint32_t costs; /* in the pool of costs: those of each part */
  uint16_t count, part_count;
  uint32_t mark;        /* of the search whose start or end it holds */
  uint32_t met;         /* of the search that has met its list */
  uint32_t first_place; /* of its list in the costs of that search */
  float unit;
  uint32_t chosen_mark; /* of the search that has chosen chosen_level */
  uint8_t chosen_level; /* of the largest block that holds this one and that the search uses; 0: none */
  uint8_t level, flags;
  uint32_t doors; /* the state of the switches over a tile when it was loaded last */
} WmCluster;

/* An array out of which clusters get stretches. Replaced stretches are garbage until the pool is compacted. */
typedef struct WmPool {
  WmBuffer items;
  size_t count, garbage;
} WmPool;

/* A step of a search: to the other side of an entrance, to an entry on the border of a block, or to the end. */
typedef struct WmWalkStep {
  uint32_t entry;
  uint32_t parent; /* the step before it, or WM_NONE */
  uint32_t place;  /* of the entry that it leads to, in the costs of the search */
  float cost;
} WmWalkStep;

/* A search over entries. See graph_search.c. */
typedef struct WmWalk {
  WmBuffer steps; /* WmWalkStep */
  WmBuffer keys;  /* uint64_t (heap.h): the number of a step */
  WmBuffer
      costs; /* float: of the end; then, for each list that was met, the lowest cost of a step to each entry */
  size_t step_count, heap_count, cost_count, expanded;
  bool has_expanded; /* the first key is that of the step that was returned last: the next one replaces it */
} WmWalk;

struct WmTileGraph {
  WmContext *context;
  const WmMesh *mesh; /* may be NULL */
  WmFilter filter;
  WmQuery query;
  float origin[3], tile_size[2];
  float spacing;
  bool keeps_removed;
  uint64_t change_count;                        /* of the mesh, at the last update */
  float saved_least_cost;                       /* of connections that aren't loaded, at most 1 */
  uint32_t mark;                                /* of the current search between two tiles */
  uint32_t met;                                 /* of the current search */
  float ends[2][3];                             /* start and end of the current search */
  WmBuffer clusters, entrances, buckets, slots; /* slots: uint32_t: cluster of each slot */
  /* uint32_t: of each cluster, the block of the next level that holds it; WM_NONE at the highest level. Not in WmCluster: a search that
   * uses a block reads nothing else of its tiles, and they don't fit in a processor's cache. */
  WmBuffer parents;
  uint32_t cluster_count, entrance_count; /* with free ones */
  uint32_t used_clusters, used_entrances, tile_count;
  uint32_t free_cluster, free_entrance;
  uint32_t freed_entrance; /* freed since the last wm_graph_reuse_entrances */
  WmPool lists;            /* uint32_t */
  WmPool costs;            /* uint8_t: roots */
  float detour;            /* see wm_graph_find_detour; at least 1 */
  WmWalk walk;             /* of paths */
  WmWalk inner;            /* within blocks */
  WmBuffer waypoints;
  WmBuffer step_points; /* float */
  WmBuffer steps;       /* uint32_t */
};

/* ---- Access ------------------------------------------------------------------------------------------- */

static inline WmCluster *wm_graph_clusters(const WmTileGraph *graph) { return graph->clusters.items; }
static inline uint32_t *wm_graph_parents(const WmTileGraph *graph) { return graph->parents.items; }
static inline WmEntrance *wm_graph_entrances(const WmTileGraph *graph) { return graph->entrances.items; }
static inline uint32_t *wm_graph_list(const WmTileGraph *graph, const WmCluster *cluster) {
  return (uint32_t *)graph->lists.items.items + cluster->list;
}
static inline const WmEntrance *wm_graph_entrance(const WmTileGraph *graph, uint32_t entry) {
  return wm_graph_entrances(graph) + (entry >> 1);
}
/* The tile of an entry's side. */
static inline uint32_t wm_graph_side(const WmTileGraph *graph, uint32_t entry) {
  return wm_graph_entrance(graph, entry)->clusters[entry & 1];
}
/* The cluster of a level that holds a cluster of level 0. */
static inline uint32_t wm_graph_ancestor(const WmTileGraph *graph, uint32_t cluster, uint32_t level) {
  for (uint32_t i = 0; i < level; i++) cluster = wm_graph_parents(graph)[cluster];
  return cluster;
}
/* True if one can leave the side of an entry across its entrance. */
static inline bool wm_graph_can_cross(const WmEntrance *entrance, uint32_t inside) {
  return entrance->directions >> inside & 1;
}
/* The number of costs of a part. */
static inline size_t wm_graph_cost_count(size_t count, bool symmetric) {
  return symmetric ? count * (count - (count > 0)) / 2 : count * count;
}
/* A part of a list. */
typedef struct WmGraphPart {
  uint32_t first, count; /* in the list */
  uint8_t *roots;
} WmGraphPart;

/* The part after another one; the first one after {.roots = wm_graph_roots}. */
static inline WmGraphPart wm_graph_next_part(const WmCluster *cluster, const uint32_t *list, uint32_t number,
                                             WmGraphPart former) {
  const uint32_t first = former.first + former.count, end = list[cluster->count + number];
  const bool symmetric = cluster->flags & WM_CLUSTER_SYMMETRIC;
  return (WmGraphPart){first, end - first, former.roots + wm_graph_cost_count(former.count, symmetric)};
}
/* The stored costs of a cluster. */
static inline uint8_t *wm_graph_roots(const WmTileGraph *graph, const WmCluster *cluster) {
  return (uint8_t *)graph->costs.items.items + cluster->costs;
}
/* The part of an entry of a cluster's list; count 0: no part has it. */
static inline WmGraphPart wm_graph_part(const WmTileGraph *graph, const WmCluster *cluster, uint32_t index) {
  const uint32_t *list = wm_graph_list(graph, cluster);
  WmGraphPart part = {.roots = wm_graph_roots(graph, cluster)};
  for (uint32_t k = 0; k < cluster->part_count; k++) {
    part = wm_graph_next_part(cluster, list, k, part);
    if (index < part.first + part.count) return part;
  }
  return (WmGraphPart){.first = index};
}
/* The number of costs of all parts. */
static inline size_t wm_graph_all_cost_count(const WmTileGraph *graph, const WmCluster *cluster) {
  if (cluster->part_count == 0) return 0;
  const WmGraphPart last = wm_graph_part(
      graph, cluster, wm_graph_list(graph, cluster)[cluster->count + cluster->part_count - 1] - 1);
  return (size_t)(last.roots - wm_graph_roots(graph, cluster)) +
         wm_graph_cost_count(last.count, cluster->flags & WM_CLUSTER_SYMMETRIC);
}
/* The cost that a root stands for, except for WM_NO_COST. */
static inline float wm_graph_square(uint32_t root, float unit) { return (float)(root * root) * unit; }

/* The cost from entry i to entry j of a cluster's list; INFINITY: there is no way within it. */
static inline float wm_graph_cost(const WmTileGraph *graph, const WmCluster *cluster, uint32_t i,
                                  uint32_t j) {
  if (i == j) return 0;
  const WmGraphPart part = wm_graph_part(graph, cluster, i);
  if (j < part.first || j - part.first >= part.count) return INFINITY;
  i -= part.first;
  j -= part.first;
  const size_t low = i < j ? i : j, high = i < j ? j : i;
  const bool symmetric = cluster->flags & WM_CLUSTER_SYMMETRIC;
  const uint8_t root = part.roots[symmetric ? high * (high - 1) / 2 + low : (size_t)i * part.count + j];
  return root == WM_NO_COST ? INFINITY : wm_graph_square(root, cluster->unit);
}
/* The smallest cost factor of connections made at run time, at most 1. */
static inline float wm_graph_least_connection_cost(const WmTileGraph *graph) {
  return fminf(graph->saved_least_cost, graph->mesh ? wm_mesh_least_cost(graph->mesh) : 1);
}
static inline const WmMeshTile *wm_graph_tile(const WmTileGraph *graph, const WmCluster *cluster) {
  return cluster->tile ? wm_mesh_tile_of(graph->mesh, cluster->tile) : NULL;
}
/* WM_ENTRANCE_END if one of the clusters of an entrance is a connection, else 0. */
static inline uint8_t wm_graph_end_state(const WmTileGraph *graph, const WmEntrance *entrance) {
  const WmCluster *clusters = wm_graph_clusters(graph);
  const int flags = clusters[entrance->clusters[0]].flags | clusters[entrance->clusters[1]].flags;
  return flags & WM_CLUSTER_CONNECTION ? WM_ENTRANCE_END : 0;
}
/* The order of the two tiles of an entrance, which doesn't depend on history: by place, connections last. */
static inline bool wm_graph_comes_before(const WmCluster *a, const WmCluster *b) {
  const int a_kind = a->flags & WM_CLUSTER_CONNECTION, b_kind = b->flags & WM_CLUSTER_CONNECTION;
  if (a_kind != b_kind) return a_kind < b_kind;
  if (a->z != b->z) return a->z < b->z;
  return a->x != b->x ? a->x < b->x : a->layer < b->layer;
}
/* A number that sorts as the float does. */
static inline uint32_t wm_graph_key(float value) {
  uint32_t bits;
  value += 0.0f; /* minus zero becomes zero */
  memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* ---- tile_graph.c ------------------------------------------------------------------------------------- */

/* Forgets everything. */
void wm_graph_clear(WmTileGraph *graph);

/* Finds the tile or block of a place; WM_NONE: there is none. */
uint32_t wm_graph_find(const WmTileGraph *graph, uint32_t level, int32_t x, int32_t z, int32_t layer);

/* The tiles of a place, in any order; WM_NONE: no more. */
uint32_t wm_graph_first_layer(const WmTileGraph *graph, int32_t x, int32_t z);
uint32_t wm_graph_next_layer(const WmTileGraph *graph, uint32_t previous);

/* Adds a tile, or a connection (which can't be found by its place), and the blocks that hold it.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_graph_add(WmTileGraph *graph, int32_t x, int32_t z, int32_t layer, bool is_connection,
                      uint32_t *cluster);

/* Removes a cluster, and blocks that become empty. */
void wm_graph_remove(WmTileGraph *graph, uint32_t cluster);

WmStatus wm_graph_new_entrance(WmTileGraph *graph, uint32_t *entrance);
void wm_graph_free_entrance(WmTileGraph *graph, uint32_t entrance);

/* Lets new entrances have the numbers of those that were freed. During an update they may not: lists with the same numbers as
 * before would seem to be unchanged. */
void wm_graph_reuse_entrances(WmTileGraph *graph);

/* Adds a stretch of a pool. */
WmStatus wm_pool_add(WmContext *context, WmPool *pool, size_t count, size_t item_bytes, uint32_t *first);

/* Removes garbage from the pools where that saves an eighth or more. */
WmStatus wm_graph_compact(WmTileGraph *graph);

/* A key of what a number stands for in `of`. */
typedef uint32_t WmGraphKeyOf(const void *of, uint32_t number, int key);

/* Sorts numbers by several keys, the least important one first; those with equal keys keep their order.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_graph_sort(WmContext *context, uint32_t *numbers, size_t count, WmGraphKeyOf *key_of,
                       int key_count, const void *of);

/* ---- entrances.c -------------------------------------------------------------------------------------- */

/* Labels of the connected ground of tiles, while an update runs. */
typedef struct WmGraphLabels {
  uint16_t **of; /* [cluster capacity] of each polygon; NULL: not yet computed */
} WmGraphLabels;

/* The entrances that an update has added. */
typedef struct WmNewEntries {
  WmBuffer entries; /* uint32_t: entrances */
  size_t count;
} WmNewEntries;

/* Compares the entrances between a loaded tile and another cluster with its links. Where they differ, marks the former ones
 * as dead, adds new ones, and marks the lists of both as stale. */
WmStatus wm_graph_update_border(WmTileGraph *graph, WmGraphLabels *labels, uint32_t a, uint32_t b,
                                WmNewEntries *added);

/* ---- graph_doors.c ------------------------------------------------------------------------------------ */

/* Sets WM_CLUSTER_ASSUMED of tiles that aren't loaded, and the directions of their entrances.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_graph_update_doors(WmTileGraph *graph);

/* The directions of an entrance by its state and its tiles. */
uint8_t wm_graph_directions(const WmTileGraph *graph, const WmEntrance *entrance);

/* Sets the directions of an entrance again. If they change, the blocks on both sides choose their entrances again. */
void wm_graph_set_directions(WmTileGraph *graph, WmEntrance *entrance);

/* Marks the polygons of a tile that switches are over, and those without flags: links that are off, and ground that only a switch opens.
 * returns    scratch [polygon_count]; NULL: out of memory */
bool *wm_graph_find_switched(const WmTileGraph *graph, const WmMeshTile *tile);

/* ---- tile_costs.c ------------------------------------------------------------------------------------- */

/* Numbers the polygons of a tile so that those with the same number are connected in both directions within it, whatever switches do:
 * a polygon that one of them may close or open has a number of its own. 65535: does not pass the filter. NULL: out of memory. */
uint16_t *wm_graph_label_tile(WmTileGraph *graph, const WmMeshTile *tile);

/* Costs from a place in a tile to entries of its cluster's list.
 * in         reversed: to the place instead
 * out        costs [count]: INFINITY: no way within the tile */
WmStatus wm_graph_costs_from(WmTileGraph *graph, const WmCluster *cluster, const WmNearest *place,
                             bool reversed, float *costs);

/* The cost from a place in a tile to another one, within the tile; INFINITY: there is no way. */
WmStatus wm_graph_cost_within(WmTileGraph *graph, const WmMeshTile *tile, const WmNearest *from,
                              const WmNearest *to, float *cost);

/* Costs between entries of a loaded tile.
 * in         entries [count]; symmetric: only those to entries before are measured
 * out        costs [count * count] */
WmStatus wm_graph_tile_costs(WmTileGraph *graph, const WmMeshTile *tile, const uint32_t *entries,
                             size_t count, bool symmetric, float *costs);

/* True if each way through a tile can be walked in both directions at the same cost. */
bool wm_graph_is_symmetric(const WmMeshTile *tile);

/* ---- graph_update.c ----------------------------------------------------------------------------------- */

/* Sorts the entries of a list by place.
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_graph_sort_entries(WmTileGraph *graph, uint32_t *entries, size_t count);

/* Replaces the list of a cluster, in parts, and its costs. Returns in *changed if they differ from the former ones.
 * in         entries [count]: sorted; costs [count * count]: INFINITY: no way; symmetric: those of both directions are equal */
WmStatus wm_graph_store(WmTileGraph *graph, uint32_t cluster, const uint32_t *entries, size_t count,
                        const float *costs, bool symmetric, bool *changed);

/* ---- graph_detour.c ----------------------------------------------------------------------------------- */

/* Finds graph->detour: 65 in 100 ways between entrances far apart cost at least that many times the lower bound of their
 * straight line; 99 in 100 where costs of areas or connections differ. It depends on the graph only, not on its history. */
void wm_graph_find_detour(WmTileGraph *graph);

/* Lower bound of the cost of a world unit. */
float wm_graph_least_cost(const WmTileGraph *graph);

/* ---- blocks.c ----------------------------------------------------------------------------------------- */

/* The largest cost, times the spacing, from an entrance that a block of a level lacks to the one that stands in for it. */
float wm_graph_reach(uint32_t level);

/* Updates the stale blocks of a level, and marks the blocks above them as stale.
 * in         blocks [count]: those of all levels, ascending */
WmStatus wm_graph_update_level(WmTileGraph *graph, uint32_t level, const uint32_t *blocks, size_t count);

/* ---- walk_lists.c ------------------------------------------------------------------------------------- */

/* Steps are compared WM_ROW_LANES at a time. */
enum { WM_ROW_LANES = 8 };

/* Entries that a step improves. */
typedef struct WmImproved {
  size_t count;
  uint32_t first_place; /* of the list */
  uint16_t indices[WM_ENTRANCE_LIMIT];
} WmImproved;

/* The index of an entry in a cluster's list; the count: it isn't there. */
uint32_t wm_graph_index_of(const uint32_t *list, uint32_t count, uint32_t entry);

/* Finds the entries of a cluster's list to which the steps from one of them lead at a lower cost than all steps before, in the
 * order of the list. There are none if a step before leads to that one itself at a lower cost.
 * in         number: the cluster; from: an index in its list; cost: of the search up to there
 * out        improved
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_walk_improve(const WmTileGraph *graph, WmWalk *walk, uint32_t number, uint32_t from, float cost,
                         WmImproved *improved);

/* The same through a tile that is assumed to be open (graph_doors.c).
 * in/out     costs: of the list; improved */
void wm_walk_improve_assumed(const WmTileGraph *graph, const WmCluster *cluster, uint32_t from, float cost,
                             float *costs, WmImproved *improved);

/* The lowest costs of steps to the entries of a cluster's list, INFINITY at first; they may be lowered.
 * returns    NULL: out of memory */
float *wm_walk_meet(const WmTileGraph *graph, WmWalk *walk, WmCluster *cluster);

/* ---- graph_search.c ----------------------------------------------------------------------------------- */

/* The entry that stands for the end of a search. */
#define WM_END_ENTRY (UINT32_MAX - 1)

void wm_walk_free(WmContext *context, WmWalk *walk);

static inline const WmWalkStep *wm_walk_step(const WmWalk *walk, uint32_t number) {
  return (const WmWalkStep *)walk->steps.items + number;
}

/* Searches within a block, over the lists of its children, from one of their entries on its border.
 * in         goal: an entry on its border where the search ends; WM_NONE: all are reached; most: entries that cost more
 *            need not be reached
 * out        *reached: the step in graph->inner to the goal; WM_NONE: there is none, or no goal */
WmStatus wm_walk_within(WmTileGraph *graph, uint32_t block, uint32_t source, uint32_t goal, float most,
                        uint32_t *reached);

/* The cost from the source of the newest search within a block of a level to an entry on its border; INFINITY: it isn't reached. */
float wm_walk_cost_within(const WmTileGraph *graph, uint32_t level, uint32_t entry);

/* A search from start to end over all levels. */
typedef struct WmWalkTask {
  uint32_t start, end;                  /* tiles */
  const float *start_costs, *end_costs; /* to the entries of the start's list, and from those of the end's */
  float direct;                         /* cost from start to end within one tile; INFINITY: none */
  float start_point[3], end_point[3];
  float left_scale; /* estimate of the cost of a unit */
} WmWalkTask;

/* The largest cluster that holds a tile and isn't near the start or the end of the current search; the tile itself if all
 * are. */
const WmCluster *wm_graph_choose_cluster(const WmTileGraph *graph, uint32_t tile);

/* out        *reached: the step in graph->walk to the end, whose chain of parents is the way; WM_NONE: there is none */
WmStatus wm_walk_between(WmTileGraph *graph, const WmWalkTask *task, uint32_t *reached);

#endif
