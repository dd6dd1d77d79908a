/* Saving: links that cost hardly less than walking are left out. See links.h.
 *
 * The walk is a search by Dijkstra over the midpoints of portals, so at least as long as the shortest path. It ends at the cost at
 * which walking no longer counts. Its result doesn't depend on the order of links: each state is one portal. */
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "base/vector.h"
#include "links/links_internal.h"
#include "mesh/locate.h"

/* A portal on the way: from the polygon that it enters. */
typedef struct Node {
  uint64_t key; /* slot of the tile that the link leaves, and the link's index */
  float cost;
  const WmLink *link;
  bool is_closed;
} Node;

/* A search. All arrays are scratch memory. */
typedef struct Walk {
  WmContext *context;
  const WmMesh *mesh;
  float limit; /* walks that cost more don't count */
  float end[3];
  uint32_t end_slot, end_polygon;
  float best; /* cost of the cheapest walk found; INFINITY: none */
  Node *nodes;
  size_t node_count, node_capacity;
  uint32_t *table;   /* [table_size] index of a node + 1; 0: empty */
  size_t table_size; /* a power of two */
  uint64_t *heap;
  size_t heap_count, heap_capacity;
} Walk;

/* ---- Nodes --------------------------------------------------------------------------------------------- */

static size_t hash_key(uint64_t key) { return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32); }

static WmStatus enlarge_table(Walk *walk) {
  const size_t size = walk->table_size ? 2 * walk->table_size : 256;
  walk->table = wm_scratch_zeroed(walk->context, size, sizeof *walk->table);
  if (!walk->table) return WM_ERROR_OUT_OF_MEMORY;
  walk->table_size = size;
  for (size_t i = 0; i < walk->node_count; i++) {
    size_t at = hash_key(walk->nodes[i].key) & (size - 1);
    while (walk->table[at]) at = (at + 1) & (size - 1);
    walk->table[at] = (uint32_t)i + 1;
  }
  return WM_OK;
}

/* Finds the node of a link, or adds it. */
static WmStatus find_node(Walk *walk, uint64_t key, const WmLink *link, uint32_t *index) {
  if (2 * walk->node_count >= walk->table_size) {
    const WmStatus status = enlarge_table(walk);
    if (status) return status;
  }
  size_t at = hash_key(key) & (walk->table_size - 1);
  for (; walk->table[at]; at = (at + 1) & (walk->table_size - 1)) {
    *index = walk->table[at] - 1;
    if (walk->nodes[*index].key == key) return WM_OK;
  }
  walk->nodes = wm_scratch_reserve(walk->context, walk->nodes, &walk->node_capacity, walk->node_count + 1,
                                   sizeof *walk->nodes);
  if (!walk->nodes) return WM_ERROR_OUT_OF_MEMORY;
  *index = (uint32_t)walk->node_count++;
  walk->nodes[*index] = (Node){.key = key, .cost = INFINITY, .link = link};
  walk->table[at] = *index + 1;
  return WM_OK;
}

/* Lowers the cost of a portal. */
static WmStatus relax(Walk *walk, uint64_t key, const WmLink *link, float cost) {
  uint32_t index;
  WmStatus status = find_node(walk, key, link, &index);
  if (status || !(cost < walk->nodes[index].cost)) return status;
  walk->nodes[index].cost = cost;
  const size_t before = walk->heap_capacity;
  walk->heap = wm_scratch_reserve(walk->context, walk->heap, &walk->heap_capacity,
                                  walk->heap_count + 1 + WM_HEAP_MARGIN, sizeof *walk->heap);
  if (!walk->heap) return WM_ERROR_OUT_OF_MEMORY;
  if (before == 0) wm_heap_clear(walk->heap);
  wm_heap_push(walk->heap, &walk->heap_count, wm_heap_key(cost, index));
  return WM_OK;
}

/* ---- The search ---------------------------------------------------------------------------------------- */

/* Continues from a point of a ground polygon. */
static WmStatus expand(Walk *walk, uint32_t slot, uint32_t polygon, const float point[3], float cost) {
  const WmMeshTile *tile = wm_mesh_tile(walk->mesh, slot);
  if (slot == walk->end_slot && polygon == walk->end_polygon) {
    const float total = cost + wm_distance(point, walk->end);
    if (total < walk->best) walk->best = total;
  }
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = &tile->links[i];
    const WmMeshTile *target = wm_mesh_tile(walk->mesh, link->slot);
    if (!target || link->polygon >= target->ground_count) continue; /* not a connection or segment link */
    const float next = cost + wm_distance(point, link->middle);
    if (!(next <= walk->limit) || !(next < walk->best)) continue;
    const WmStatus status = relax(walk, (uint64_t)slot << 32 | i, link, next);
    if (status) return status;
  }
  return WM_OK;
}

static WmStatus search(Walk *walk, uint32_t slot, uint32_t polygon, const float start[3]) {
  WmStatus status = expand(walk, slot, polygon, start, 0);
  while (!status && walk->heap_count > 0) {
    Node *node = &walk->nodes[(uint32_t)walk->heap[0]];
    wm_heap_remove(walk->heap, &walk->heap_count);
    if (node->is_closed) continue;
    if (!(node->cost < walk->best)) break;
    node->is_closed = true;
    status = expand(walk, node->link->slot, node->link->polygon, node->link->middle, node->cost);
  }
  return status;
}

/* The polygon at an end of a link: at the midpoint of its segment, a little away from the other end, where a border's polygon lies. */
static bool find_polygon(const WmMesh *mesh, const WmLinkLimits *limits, const float segment[2][3],
                         const float other[2][3], float point[3], uint32_t *slot, uint32_t *polygon) {
  float away[3];
  wm_interpolate(segment[0], segment[1], 0.5f, point);
  wm_interpolate(other[0], other[1], 0.5f, away);
  const float x = away[0] - point[0], z = away[2] - point[2], length = sqrtf(x * x + z * z);
  const float shift = length > 0 ? 0.1f * limits->cell_size / length : 0;
  const float inside[3] = {point[0] - shift * x, point[1], point[2] - shift * z};
  const float extents[3] = {0.25f * limits->cell_size, (limits->climb + 2) * limits->cell_height,
                            0.25f * limits->cell_size};
  WmNearestSearch nearest;
  WmBoxTiles tiles;
  wm_nearest_begin(&nearest, inside, extents);
  nearest.any_flags = true;
  wm_box_tiles_begin(&tiles, mesh, nearest.low, nearest.high);
  const WmMeshTile *tile;
  while ((tile = wm_box_tiles_next(&tiles)) != NULL) wm_tile_find_nearest(tile, &nearest);
  if (!nearest.tile) return false;
  *slot = nearest.tile->slot;
  *polygon = nearest.polygon;
  return true;
}

/* Finds the cost of walking from one end of a link to the other.
 * out        *cost: INFINITY if it is more than the limit */
static WmStatus find_walk(WmLinkGenerator *generator, const WmMesh *mesh, const WmSegmentLink *link,
                          float limit, float *cost) {
  Walk walk = {.context = generator->context, .mesh = mesh, .limit = limit, .best = INFINITY};
  float start[3];
  uint32_t slot, polygon;
  *cost = INFINITY;
  if (!find_polygon(mesh, &generator->limits, link->start, link->end, start, &slot, &polygon) ||
      !find_polygon(mesh, &generator->limits, link->end, link->start, walk.end, &walk.end_slot,
                    &walk.end_polygon) ||
      wm_distance(start, walk.end) > limit) {
    return WM_OK;
  }
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  const WmStatus status = search(&walk, slot, polygon, start);
  wm_scratch_rewind(generator->context, mark);
  if (walk.best <= limit) *cost = walk.best;
  return status;
}

static WmStatus refuse(WmLinkGenerator *generator, const WmSegmentLink *link, float cost, WmLinkList *list) {
  const WmStatus status =
      wm_buffer_reserve(generator->context, &list->refused, list->refused_count + 1, sizeof(WmRefusedLink));
  if (status) return status;
  WmRefusedLink *refused = (WmRefusedLink *)list->refused.items + list->refused_count++;
  *refused = (WmRefusedLink){.reason = WM_LINK_SAVES_NOTHING,
                             .kind = link->kind,
                             .value = link->cost > 0 ? cost / link->cost : 0,
                             .limit = generator->config.min_saving};
  wm_interpolate(link->start[0], link->start[1], 0.5f, refused->start);
  wm_interpolate(link->end[0], link->end[1], 0.5f, refused->end);
  memcpy(refused->place, refused->end, sizeof refused->place);
  return WM_OK;
}

WmStatus wm_link_saving(WmLinkGenerator *generator, const WmMesh *mesh, bool wants_refused,
                        WmLinkList *list) {
  WmSegmentLink *links = list->links.items;
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    float cost;
    WmStatus status =
        find_walk(generator, mesh, &links[i], generator->config.min_saving * links[i].cost, &cost);
    if (!status && wants_refused && cost < INFINITY) status = refuse(generator, &links[i], cost, list);
    if (status) return status;
    if (cost == INFINITY) links[count++] = links[i];
  }
  list->count = count;
  return WM_OK;
}
