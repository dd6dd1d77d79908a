/* The nodes of a search: a dense table with stamps, and the open list.
 *
 * A polygon is a node; ground polygons on the side of a tile have four, one for each side they can be entered
 * from (state_first of the tile). Nodes of a tile lie together, at a place given to the tile when the search
 * first touches it; a stamp tells nodes of this search from older contents, and nothing is ever cleared.
 * Hence a search costs what it touches, whatever the size of the mesh or of the table.
 *
 * Usual order: wm_nodes_begin; wm_nodes_tile for each slot that links lead to, wm_nodes_at for the number of
 * a node, its stamp tells whether it is new; wm_nodes_reserve_open, wm_nodes_open and wm_nodes_pop. Pointers
 * to nodes are good until the next wm_nodes_tile, numbers until the next wm_nodes_begin. */
#ifndef WALKMESH_QUERY_NODES_H
#define WALKMESH_QUERY_NODES_H

#include <math.h>

#include "base/buffer.h"
#include "base/heap.h"
#include "base/inline.h"
#include "query/filter.h"

/* One state of a polygon in a search: 44 bytes, so that a visit touches one cache line, rarely two. */
typedef struct WmNode {
  float position[3]; /* the middle of the edge it was first reached by; never changes */
  float cost;        /* from the start */
  float total;       /* cost and what is left at least */
  float left;        /* what is left at least; depends on the position only */
  uint32_t stamp;    /* of the search it belongs to */
  uint32_t sequence; /* of its newest heap entry; older ones are passed over. 0 once taken out */
  uint32_t parent;   /* node; of the start: itself */
  uint32_t slot;     /* of its tile */
  uint32_t polygon;
} WmNode;

/* A tile that a search has touched: where its nodes are, what its polygons cost. */
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
  WmBuffer entries;       /* the open list of floods, which is another */
  size_t heap_count;
  bool is_top_taken; /* the heap's top key has come out; its place waits for the next one */
  size_t node_count; /* places given to tiles, used or not */
  uint32_t stamp, sequence;
} WmNodes;

/* in         nodes: zeros, or as it was */
void wm_nodes_init(WmNodes *nodes, WmContext *context, const WmMesh *mesh);
void wm_nodes_free(WmNodes *nodes);

/* A new search: no node is known, the open list is empty. `filter` must outlive it.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_nodes_begin(WmNodes *nodes, const WmFilter *filter);

/* Gives places for its nodes to a tile that this search has not touched: for wm_nodes_tile. */
WmStatus wm_nodes_touch(WmNodes *nodes, uint32_t slot);

WM_INLINE WmNode *wm_nodes_items(const WmNodes *nodes) { return nodes->nodes.items; }

/* The entry of a slot that has a tile; touches it first where needed. NULL: out of memory, recorded. */
WM_INLINE const WmNodeTile *wm_nodes_tile(WmNodes *nodes, uint32_t slot) {
  const WmNodeTile *entry = (const WmNodeTile *)nodes->tiles.items + slot;
  if (entry->stamp != nodes->stamp && wm_nodes_touch(nodes, slot)) return NULL;
  return entry;
}

/* Which of a polygon's nodes is that for entering it across a side (WM_TILE_SIDE_INSIDE: its first), counted
 * from the first of its tile. `first` is the polygon's place in state_first. */
WM_INLINE uint32_t wm_nodes_state(const uint32_t *first, uint32_t side) {
  if (side == WM_TILE_SIDE_INSIDE) return first[0];
  const uint32_t state = side >> 1;
  return first[0] + (state < first[1] - first[0] ? state : 0);
}

/* The number of that node. */
WM_INLINE uint32_t wm_nodes_at(const WmNodeTile *entry, uint32_t polygon, uint32_t side) {
  return entry->first_node + wm_nodes_state(entry->tile->state_first + polygon, side);
}

/* What a world unit costs in a polygon of a touched tile. */
WM_INLINE float wm_nodes_cost(const WmNodes *nodes, const WmNodeTile *entry, uint32_t polygon) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): tiles that are touched have an entry */
  const float cost = nodes->filter->area_costs[entry->tile->polygon_area[polygon]] * entry->tile->cost_factor;
  return entry->factors ? cost * entry->factors[polygon] : cost;
}

/* The reference of a node's polygon. */
WM_INLINE WmRef wm_nodes_ref(const WmNodes *nodes, const WmNode *node) {
  return ((const WmNodeTile *)nodes->tiles.items)[node->slot].tile->ref + node->polygon;
}

/* Room in the open list for so many more entries. returns WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_nodes_grow_open(WmNodes *nodes, size_t more);
WM_INLINE WmStatus wm_nodes_reserve_open(WmNodes *nodes, size_t more) {
  const bool fits = nodes->heap_count + more + WM_HEAP_MARGIN <= nodes->keys.capacity &&
                    nodes->sequence + more < nodes->pushed.capacity;
  return fits ? WM_OK : wm_nodes_grow_open(nodes, more);
}

/* Puts a node, or puts it anew, in the open list, which has room, by its total; equal totals come out in the
 * order they went in. */
WM_INLINE void wm_nodes_open(WmNodes *nodes, WmNode *node, uint32_t number) {
  node->sequence = ++nodes->sequence;
  ((uint32_t *)nodes->pushed.items)[node->sequence] = number;
  const uint64_t key = wm_heap_key(node->total, node->sequence);
  if (nodes->is_top_taken) {
    nodes->is_top_taken = false;
    wm_heap_replace(nodes->keys.items, nodes->heap_count, key);
  } else {
    wm_heap_push(nodes->keys.items, &nodes->heap_count, key);
  }
}

/* Takes the node with the least total out; its sequence becomes 0. Returns UINT32_MAX when there is none. */
WM_INLINE uint32_t wm_nodes_pop(WmNodes *nodes) {
  uint64_t *keys = nodes->keys.items;
  if (nodes->is_top_taken) wm_heap_remove(keys, &nodes->heap_count);
  nodes->is_top_taken = false;
  for (; nodes->heap_count > 0; wm_heap_remove(keys, &nodes->heap_count)) {
    const uint32_t sequence = (uint32_t)keys[0];
    const uint32_t number = ((const uint32_t *)nodes->pushed.items)[sequence];
    WmNode *node = wm_nodes_items(nodes) + number;
    if (node->sequence != sequence) continue;
    node->sequence = 0;
    nodes->is_top_taken = true;
    return number;
  }
  return UINT32_MAX;
}

#endif
