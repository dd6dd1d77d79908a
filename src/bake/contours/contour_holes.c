/* Joining holes to an outline, so that both are one ring.
 *
 * In: simplified contours, an outline and its holes (contour_regions.c says which). Holes are taken from the
 * left to the right; each is joined by a bridge (walked there and back) from one of its vertices to the
 * nearest vertex of the outline that lies inside at that corner and sees it. Out: the outline's record holds
 * the joined ring, the holes' records are empty.
 *
 * The rings are circular lists over an array of nodes: joining splices, nothing is copied. Node i stands for
 * its vertex and for the edge that starts there, leaf i of a tree of boxes; the tree answers "which outline
 * vertex is next nearest" and "which edges may block the view". Among equally near vertices the one that
 * comes first in the ring wins; for that each node of the outline carries a label that grows along the ring.
 *
 * Where no vertex of a hole sees the outline (simplified rings may touch or cross), the hole would be lost:
 * on demand it gets the bridge that crosses least. Source: D. Eberly, Triangulation by Ear Clipping
 * (2002-2023), section 5, for the idea; order, ties and predicates are the Recast library's. */
#include "bake/geometry/box_tree.h"
#include "bake/contours/contours_internal.h"
#include "bake/geometry/ordered_heap.h"
#include "base/vector.h"

enum {
  /* Outline vertices tried for each vertex of a hole that nothing sees. */
  FALLBACK_TRIES = 32
};
#define NO_NODE UINT32_MAX

/* Which ring a node is part of. */
typedef enum Part {
  PART_HOLE,
  PART_OUTLINE,
  PART_WAY_BACK, /* of the outline, but its edge is a bridge walked back: the way there counts for both */
  PART_GONE      /* of a hole that stayed by itself: its edges no longer block */
} Part;

typedef struct Node {
  WmPlanarPoint point;
  size_t vertex;  /* in the list of vertices */
  uint64_t label; /* in the outline */
  uint32_t next, previous;
  Part part;
} Node;

typedef struct Merger {
  WmContext *context;
  WmContourRecord *contours;
  WmContourVertexList *list;
  Node *nodes;
  uint32_t node_count;
  uint32_t start, ring_count; /* the outline */
  bool any_bridge;            /* will do in the search at hand */
  WmBoxTree edges;
  bool *has_outline;     /* [2 * edges.leaf_count] whether a part of the tree holds vertices of the outline */
  WmOrderedHeap holes;   /* by place of their leftmost vertex, then as they came: stamped contour, node */
  WmOrderedHeap nearest; /* of the search at hand: parts of the tree by distance */
} Merger;

/* ---- Rings ----------------------------------------------------------------------------------------- */

static void link_nodes(Node *nodes, uint32_t node, uint32_t next) {
  nodes[node].next = next;
  nodes[next].previous = node;
}

/* Makes a ring of nodes from a contour; the first of its leftmost nodes is returned. */
static uint32_t add_ring(Merger *merger, uint32_t contour, Part part) {
  const WmContourStretch ring = merger->contours[contour].ring;
  const WmContourVertex *vertex = merger->list->items + ring.first;
  const uint32_t first = merger->node_count, end = first + ring.count;
  uint32_t leftmost = first;
  int64_t least = INT64_MAX;
  for (uint32_t i = first; i < end; i++, vertex++) {
    Node *node = &merger->nodes[i];
    node->vertex = ring.first + (i - first);
    node->point = wm_contour_point(vertex);
    node->part = part;
    link_nodes(merger->nodes, i, i + 1 == end ? first : i + 1);
    if (wm_contour_place(vertex) >= least) continue;
    least = wm_contour_place(vertex);
    leftmost = i;
  }
  merger->node_count = end;
  return leftmost;
}

/* Labels the `count` nodes after `before`; where labels there have become too dense, the whole ring. */
static void label_nodes(Merger *merger, uint32_t before, uint32_t count) {
  Node *nodes = merger->nodes;
  uint32_t after = nodes[before].next;
  for (uint32_t i = 0; i < count; i++) after = nodes[after].next;
  /* Once round and less by one, so that the ring has all labels to itself. */
  uint64_t step = (nodes[after].label - nodes[before].label - 1) / ((uint64_t)count + 1);
  if (step == 0) {
    before = after = merger->start;
    step = UINT64_MAX / merger->ring_count;
  }
  uint64_t label = nodes[before].label;
  for (uint32_t node = nodes[before].next; node != after; node = nodes[node].next) {
    nodes[node].label = label += step;
  }
}

static void set_edge(Merger *merger, uint32_t node) {
  const Node *nodes = merger->nodes;
  wm_box_tree_set(&merger->edges, node, &nodes[node].point, &nodes[nodes[node].next].point);
}

/* Says that a node is the outline's now, up to the root. */
static void mark_outline(Merger *merger, uint32_t node) {
  for (uint32_t part = merger->edges.leaf_count + node; part > 0 && !merger->has_outline[part]; part /= 2) {
    merger->has_outline[part] = true;
  }
}

/* ---- How good is a bridge? ----------------------------------------------------------------------------- */

/* How bad a bridge would be: what is in its way, and whether it leaves the outline on the wrong side. Where
 * both ends are one point, the hole's own edge must lie inside the outline's corner. 0 or not is all that
 * matters, unless any bridge will do. */
static uint32_t rate_bridge(const Merger *merger, uint32_t outline, uint32_t hole) {
  const Node *nodes = merger->nodes, *corner = &nodes[outline];
  const bool any = merger->any_bridge;
  const WmPlanarPoint bridge[2] = {corner->point, nodes[hole].point};
  const bool touching = wm_planar_equal(bridge[0], bridge[1]);
  const WmPlanarPoint *target = touching && any ? &nodes[nodes[hole].next].point : &bridge[1];
  uint32_t rating = 0;
  if (!wm_planar_in_cone(&nodes[corner->previous].point, &corner->point, &nodes[corner->next].point, target,
                         any)) {
    rating = 3;
  }
  if (touching) return rating;
  WmBoxWalk walk;
  wm_box_walk_start(&walk, &merger->edges, bridge, 2);
  while (any || rating == 0) {
    const uint32_t node = wm_box_walk_next(&walk);
    if (node == WM_NO_LEAF) break;
    const Node *edge = &nodes[node];
    const WmPlanarPoint *const ends[4] = {&bridge[0], &bridge[1], &edge->point, &nodes[edge->next].point};
    if (edge->part < PART_WAY_BACK && wm_planar_meet(ends, any)) rating += 2;
  }
  return rating;
}

/* ---- Outline vertices from near to far ----------------------------------------------------------------- */

static bool push(Merger *merger, WmOrderedHeap *heap, int64_t key, uint64_t order, uint32_t a, uint32_t b) {
  return wm_ordered_heap_push(merger->context, heap, (WmOrderedEntry){key, order, {a, b}});
}

/* Queues a part of the tree. Keys are twice the squared distance, and one more for an outline vertex itself,
 * so that all vertices at a distance are in the queue before the first of them is taken; among those the
 * place in the ring decides. */
static bool queue_part(Merger *merger, const WmPlanarPoint *centre, uint32_t part) {
  const int32_t *bound = merger->edges.boxes[part].bound;
  if (!merger->has_outline[part]) return true;
  WmPlanarPoint nearest = {wm_clamp_int(centre->x, bound[0], -bound[2]),
                           wm_clamp_int(centre->z, bound[1], -bound[3])};
  uint64_t order = 0;
  const bool is_vertex = part >= merger->edges.leaf_count;
  if (is_vertex) {
    const Node *node = &merger->nodes[part - merger->edges.leaf_count];
    nearest = node->point;
    order = node->label - merger->nodes[merger->start].label;
  }
  const int64_t distance2 = wm_planar_distance_squared(nearest, *centre);
  return push(merger, &merger->nearest, 2 * distance2 + is_vertex, order, part, 0);
}

/* ---- Joining one hole ---------------------------------------------------------------------------------- */

typedef struct Bridge {
  uint32_t outline, hole; /* nodes; outline NO_NODE where there is none */
} Bridge;

/* From the first vertex of the hole, from its leftmost on, that sees an outline vertex to the nearest such;
 * or the least bad bridge, the shortest of equally bad ones, if any will do. */
static WmStatus find_bridge(Merger *merger, uint32_t leftmost, uint32_t size, Bridge *bridge) {
  *bridge = (Bridge){NO_NODE, leftmost};
  const bool any = merger->any_bridge;
  const uint32_t most_tries = any ? FALLBACK_TRIES : UINT32_MAX, leaf_count = merger->edges.leaf_count;
  uint32_t least = any ? UINT32_MAX : 0, hole = leftmost;
  int64_t shortest = INT64_MAX;
  for (uint32_t i = 0; i < size; i++, hole = merger->nodes[hole].next) {
    const WmPlanarPoint *centre = &merger->nodes[hole].point;
    merger->nearest.count = 0;
    if (!queue_part(merger, centre, 1)) return WM_ERROR_OUT_OF_MEMORY;
    for (uint32_t tries = 0; tries < most_tries && merger->nearest.count > 0;) {
      const WmOrderedEntry entry = wm_ordered_heap_pop(&merger->nearest);
      const uint32_t part = entry.stamp[0];
      if (part < leaf_count) {
        if (!queue_part(merger, centre, 2 * part) || !queue_part(merger, centre, 2 * part + 1)) {
          return WM_ERROR_OUT_OF_MEMORY;
        }
        continue;
      }
      tries++;
      const bool shorter = entry.key < shortest;
      if (least == 0 && !shorter) break;
      const uint32_t rating = rate_bridge(merger, part - leaf_count, hole);
      if (rating > least || (rating == least && !shorter)) continue;
      least = rating;
      shortest = entry.key;
      *bridge = (Bridge){part - leaf_count, hole};
      if (!any) return WM_OK;
    }
  }
  return WM_OK;
}

/* Splices a hole into the outline: ... previous, [outline vertex again, hole from its vertex on round to that
 * vertex again], outline vertex ...; the ring then starts at the outline vertex. */
static void join(Merger *merger, Bridge bridge, uint32_t size) {
  Node *nodes = merger->nodes;
  const uint32_t before = nodes[bridge.outline].previous, hole_last = nodes[bridge.hole].previous;
  const uint32_t there = merger->node_count++, back = merger->node_count++;
  nodes[there] = nodes[bridge.outline];
  nodes[back] = nodes[bridge.hole];
  link_nodes(nodes, before, there);
  link_nodes(nodes, there, bridge.hole);
  link_nodes(nodes, hole_last, back);
  link_nodes(nodes, back, bridge.outline);
  merger->start = bridge.outline;
  merger->ring_count += size + 2;
  label_nodes(merger, before, size + 2);
  for (uint32_t node = there; node != back; node = nodes[node].next) {
    nodes[node].part = PART_OUTLINE;
    mark_outline(merger, node);
  }
  nodes[back].part = PART_WAY_BACK;
  mark_outline(merger, back);
  set_edge(merger, there);
  set_edge(merger, back);
}

/* ---- One outline --------------------------------------------------------------------------------------- */

static WmStatus set_up(Merger *merger, uint32_t outline, const uint32_t *holes, uint32_t hole_count,
                       size_t node_capacity) {
  const WmStatus status = wm_box_tree_start(merger->context, node_capacity, &merger->edges);
  if (status) return status;
  merger->nodes = wm_scratch_zeroed(merger->context, node_capacity, sizeof *merger->nodes);
  merger->has_outline = wm_scratch_zeroed(merger->context, 2 * (size_t)merger->edges.leaf_count, 1);
  if (!merger->nodes || !merger->has_outline) return WM_ERROR_OUT_OF_MEMORY;
  add_ring(merger, outline, PART_OUTLINE);
  merger->ring_count = merger->node_count;
  for (uint32_t i = 0; i < merger->ring_count; i++) mark_outline(merger, i);
  label_nodes(merger, 0, merger->ring_count - 1);
  for (uint32_t i = 0; i < hole_count; i++) {
    const uint32_t leftmost = add_ring(merger, holes[i], PART_HOLE);
    const int64_t place = wm_contour_place(&merger->list->items[merger->nodes[leftmost].vertex]);
    if (!push(merger, &merger->holes, place, i, holes[i], leftmost)) return WM_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < merger->node_count; i++) set_edge(merger, i);
  return WM_OK;
}

/* Joins hole after hole; those that stay by themselves are put to the front of `holes`. */
static WmStatus join_all(Merger *merger, bool any_bridge, uint32_t *holes, uint32_t *hole_count) {
  *hole_count = 0;
  while (merger->holes.count > 0) {
    const WmOrderedEntry entry = wm_ordered_heap_pop(&merger->holes);
    const uint32_t contour = entry.stamp[0], leftmost = entry.stamp[1];
    uint32_t *size = &merger->contours[contour].ring.count;
    Bridge bridge = {NO_NODE, 0};
    for (int any = 0; any <= any_bridge && bridge.outline == NO_NODE; any++) {
      merger->any_bridge = any != 0;
      const WmStatus status = find_bridge(merger, leftmost, *size, &bridge);
      if (status) return status;
    }
    if (bridge.outline != NO_NODE) {
      join(merger, bridge, *size);
      *size = 0;
      continue;
    }
    holes[(*hole_count)++] = contour;
    uint32_t node = leftmost;
    do {
      merger->nodes[node].part = PART_GONE;
      node = merger->nodes[node].next;
    } while (node != leftmost);
  }
  return WM_OK;
}

/* Writes the ring as a new stretch of vertices, for which there is room. */
static void write_ring(const Merger *merger, WmContourStretch *ring) {
  WmContourVertexList *list = merger->list;
  *ring = (WmContourStretch){list->count, merger->ring_count};
  uint32_t node = merger->start;
  do {
    list->items[list->count++] = list->items[merger->nodes[node].vertex];
    node = merger->nodes[node].next;
  } while (node != merger->start);
}

WmStatus wm_contour_join_holes(WmContext *context, WmContourRecord *contours, WmContourVertexList *list,
                               uint32_t outline, uint32_t *holes, uint32_t *hole_count, bool any_bridge) {
  size_t capacity = contours[outline].ring.count;
  for (uint32_t i = 0; i < *hole_count; i++) capacity += (size_t)contours[holes[i]].ring.count + 2;
  if (!wm_contour_extend(context, list, capacity)) return WM_ERROR_OUT_OF_MEMORY;
  const WmScratchMark mark = wm_scratch_mark(context);
  Merger merger = {.context = context, .contours = contours, .list = list};
  WmStatus status = set_up(&merger, outline, holes, *hole_count, capacity);
  if (!status) status = join_all(&merger, any_bridge, holes, hole_count);
  if (!status) write_ring(&merger, &contours[outline].ring);
  wm_scratch_rewind(context, mark);
  return status;
}
