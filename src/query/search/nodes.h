/* The nodes of a search: a dense table with stamps, and the open list.
 *
 * A polygon is a node; ground polygons on the side of a tile have four, one for each side they can be entered
 * from (state_first of the tile). Nodes of a tile are consecutive, from a number on that the tile gets when
 * the search first touches it. A stamp tells nodes of this search from older contents, and nothing is ever
 * cleared: a search costs what it touches, regardless of the size of the mesh or of the table.
 *
 * Usual order: wm_nodes_begin; wm_nodes_tile for each slot that links lead to; wm_nodes_at for the number of
 * a node, which is new if its stamp is another; wm_nodes_reserve_open, wm_nodes_open and wm_nodes_pop.
 * Pointers to nodes are valid until the next wm_nodes_tile, numbers until the next wm_nodes_begin. */
#ifndef WALKMESH_QUERY_NODES_H
#define WALKMESH_QUERY_NODES_H

#include <math.h>

#include "base/buffer.h"
#include "base/heap.h"
#include "base/inline.h"
#include "query/filter.h"

/* One state of a polygon in a search: 48 bytes, so that a visit touches one cache line, rarely two. */
typedef struct WmNode {
  float position[3]; /* the midpoint of the edge it was first reached by; never changes */
  float cost;        /* from the start */
  float total;       /* cost plus left */
  float left;        /* lower bound of the cost to the end; depends on the position only */
  uint32_t stamp;    /* of the search it belongs to */
  uint32_t sequence; /* of its newest heap entry; older entries are skipped. 0 once it is popped */
  uint32_t parent;   /* node; of the start: itself */
  uint32_t way;      /* of searches for corridors: from the parent's polygon (search.c) */
  uint32_t slot;     /* of its tile */
  uint32_t polygon;
} WmNode;

/* A tile that a search has touched: its first node, and the cost factors of its polygons. */
typedef struct WmNodeTile {
  const WmMeshTile *tile;
  const float *factors; /* of single polygons by the filter's WmCosts; NULL: all 1 */
  uint32_t stamp;
  uint32_t first_node;
} WmNodeTile;

typedef struct WmNodes {
  WmContext *context;
  const WmMesh *mesh;
  const WmFilter *filter; /* of this search */
  WmBuffer nodes;         /* WmNode */
  WmBuffer tiles;         /* WmNodeTile, by slot */
  WmBuffer keys;          /* uint64_t: the open list, total and sequence (heap.h) */
  WmBuffer pushed;        /* uint32_t: by sequence, the node */
  WmBuffer entries;       /* the open list of floods (flood.c) instead */
  size_t heap_count;
  bool is_top_removed; /* the heap's top key was popped: the next pushed key replaces it */
  size_t node_count;   /* numbers given to tiles, used or not */
  uint32_t stamp, sequence;
} WmNodes;

/* in         nodes: zeros, or in use until now: its arrays stay */
void wm_nodes_init(WmNodes *nodes, WmContext *context, const WmMesh *mesh);
void wm_nodes_free(WmNodes *nodes);

/* Starts a search: no node is known, the open list is empty. `filter` must outlive it.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_nodes_begin(WmNodes *nodes, const WmFilter *filter);

/* Gives node numbers to a tile that this search has not touched: for wm_nodes_tile.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_nodes_touch(WmNodes *nodes, uint32_t slot);

WM_INLINE WmNode *wm_nodes_items(const WmNodes *nodes) { return nodes->nodes.items; }

/* The entry of a slot that has a tile; touches the tile first where needed. NULL: out of memory, recorded. */
WM_INLINE const WmNodeTile *wm_nodes_tile(WmNodes *nodes, uint32_t slot) {
  const WmNodeTile *entry = (const WmNodeTile *)nodes->tiles.items + slot;
  if (entry->stamp != nodes->stamp && wm_nodes_touch(nodes, slot)) return NULL;
  return entry;
}

/* The node of a polygon for entering it across a side (WM_TILE_SIDE_INSIDE: its first node), counted from the
 * first node of its tile. `first` points to the polygon's entry of state_first. */
WM_INLINE uint32_t wm_nodes_state(const uint32_t *first, uint32_t side) {
  if (side == WM_TILE_SIDE_INSIDE) return first[0];
  const uint32_t state = side >> 1;
  return first[0] + (state < first[1] - first[0] ? state : 0);
}

/* The number of that node in the search. */
WM_INLINE uint32_t wm_nodes_at(const WmNodeTile *entry, uint32_t polygon, uint32_t side) {
  return entry->first_node + wm_nodes_state(entry->tile->state_first + polygon, side);
}

/* The cost of a world unit in a polygon of a touched tile. */
WM_INLINE float wm_nodes_cost(const WmNodes *nodes, const WmNodeTile *entry, uint32_t polygon) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): tiles that are touched have an entry */
  return wm_filter_unit_cost_with(nodes->filter, entry->tile, entry->factors, polygon);
}

/* The reference of a node's polygon. */
WM_INLINE WmRef wm_nodes_ref(const WmNodes *nodes, const WmNode *node) {
  return ((const WmNodeTile *)nodes->tiles.items)[node->slot].tile->ref + node->polygon;
}

/* Reserves `more` entries of the open list.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_nodes_grow_open(WmNodes *nodes, size_t more);
WM_INLINE WmStatus wm_nodes_reserve_open(WmNodes *nodes, size_t more) {
  const bool fits = nodes->heap_count + more + WM_HEAP_MARGIN <= nodes->keys.capacity &&
                    nodes->sequence + more < nodes->pushed.capacity;
  return fits ? WM_OK : wm_nodes_grow_open(nodes, more);
}

/* Pushes a node on the open list, whose capacity is reserved, by its total; a node may be pushed again. Equal
 * totals are popped in the order they were pushed. */
WM_INLINE void wm_nodes_open(WmNodes *nodes, WmNode *node, uint32_t number) {
  node->sequence = ++nodes->sequence;
  ((uint32_t *)nodes->pushed.items)[node->sequence] = number;
  const uint64_t key = wm_heap_key(node->total, node->sequence);
  if (nodes->is_top_removed) {
    nodes->is_top_removed = false;
    wm_heap_replace(nodes->keys.items, nodes->heap_count, key);
  } else {
    wm_heap_push(nodes->keys.items, &nodes->heap_count, key);
  }
}

/* Pops the node with the least total; its sequence becomes 0. Returns UINT32_MAX if the list is empty. */
WM_INLINE uint32_t wm_nodes_pop(WmNodes *nodes) {
  uint64_t *keys = nodes->keys.items;
  if (nodes->is_top_removed) wm_heap_remove(keys, &nodes->heap_count);
  nodes->is_top_removed = false;
  for (; nodes->heap_count > 0; wm_heap_remove(keys, &nodes->heap_count)) {
    const uint32_t sequence = (uint32_t)keys[0];
    const uint32_t number = ((const uint32_t *)nodes->pushed.items)[sequence];
    WmNode *node = wm_nodes_items(nodes) + number;
    if (node->sequence != sequence) continue;
    node->sequence = 0;
    nodes->is_top_removed = true;
    return number;
  }
  return UINT32_MAX;
}

#endif
