/* Joins holes to an outline, so that both are one ring.
 *
 * In: simplified contours, an outline and its holes (contour_regions.c tells which). Holes are joined from
 * left to right, each by a bridge (an edge walked there and back) from one of its vertices to the nearest
 * vertex of the outline that lies inside at that corner and is visible. Out: the outline's record holds
 * the joined ring, the holes' records are empty.
 *
 * The rings are circular lists over an array of nodes: joining splices, nothing is copied. Node i
 * represents its vertex and the edge that starts there, leaf i of a tree of boxes. The tree finds the next
 * nearest outline vertex, and the edges that may block the view. Among equally near vertices the first one
 * in the ring wins; for that each node of the outline has a label that increases along the ring.
 *
 * If no vertex of a hole sees the outline (simplified rings may touch or cross), the hole would be lost:
 * with any_bridge it gets the bridge that crosses the fewest edges. Source: D. Eberly, Triangulation by
 * Ear Clipping (2002-2023), section 5, for the idea; order, ties and predicates are the Recast library's. */
#include "bake/geometry/box_tree.h"
#include "bake/contours/contours_internal.h"
#include "bake/geometry/ordered_heap.h"
#include "base/vector.h"

enum {
  /* Outline vertices tried for each vertex of a hole that sees none. */
  FALLBACK_TRIES = 32
};
#define NO_NODE UINT32_MAX

/* The ring that a node is part of. */
typedef enum Part {
  PART_HOLE,
  PART_OUTLINE,
  PART_BRIDGE_BACK, /* of the outline; its edge is a bridge's way back, and only the way there is tested */
  PART_GONE         /* of a hole that was not joined: its edges no longer block */
} Part;

typedef struct Node {
  WmPlanarPoint point;
  size_t vertex;  /* index in the list of vertices */
  uint64_t label; /* order in the outline */
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
  bool any_bridge;            /* the current search accepts any bridge */
  WmBoxTree edges;
  bool *has_outline; /* [2 * edges.leaf_count] the subtree contains vertices of the outline */
  WmOrderedHeap
      holes; /* by the sort key of their leftmost vertex, then by input order: stamped contour, node */
  WmOrderedHeap nearest; /* of the current search: subtrees by distance */
} Merger;

/* ---- Rings ----------------------------------------------------------------------------------------- */

static void link_nodes(Node *nodes, uint32_t node, uint32_t next) {
  nodes[node].next = next;
  nodes[next].previous = node;
}

/* Makes a ring of nodes from a contour. Returns the first of its leftmost nodes. */
static uint32_t add_ring(Merger *merger, uint32_t contour, Part part) {
  const WmContourRun ring = merger->contours[contour].ring;
  const WmContourVertex *vertex = merger->list->items + ring.first;
  const uint32_t first = merger->node_count, end = first + ring.count;
  uint32_t leftmost = first;
  int64_t lowest = INT64_MAX;
  for (uint32_t i = first; i < end; i++, vertex++) {
    Node *node = &merger->nodes[i];
    node->vertex = ring.first + (i - first);
    node->point = wm_contour_point(vertex);
    node->part = part;
    link_nodes(merger->nodes, i, i + 1 == end ? first : i + 1);
    if (wm_contour_sort_key(vertex) >= lowest) continue;
    lowest = wm_contour_sort_key(vertex);
    leftmost = i;
  }
  merger->node_count = end;
  return leftmost;
}

/* Labels the `count` nodes after `before`. If the labels there are too dense, labels the whole ring. */
static void label_nodes(Merger *merger, uint32_t before, uint32_t count) {
  Node *nodes = merger->nodes;
  uint32_t after = nodes[before].next;
  for (uint32_t i = 0; i < count; i++) after = nodes[after].next;
  /* If `after` is `before`, the difference wraps to 2^64 - 1: the ring can use all labels. */
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

/* Marks a node as the outline's, up to the root. */
static void mark_outline(Merger *merger, uint32_t node) {
  for (uint32_t part = merger->edges.leaf_count + node; part > 0 && !merger->has_outline[part]; part /= 2) {
    merger->has_outline[part] = true;
  }
}

/* ---- Rating bridges --------------------------------------------------------------------------------- */

/* Rates a bridge, 0 is best: the edges in its way, and 3 if it leaves the outline on the wrong side. If
 * both ends are one point, the hole's own edge must lie inside the outline's corner. Without any_bridge
 * only 0 or not 0 matters. */
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
    if (edge->part < PART_BRIDGE_BACK && wm_planar_meet(ends, any)) rating += 2;
  }
  return rating;
}

/* ---- Outline vertices by distance ------------------------------------------------------------------- */

static bool push(Merger *merger, WmOrderedHeap *heap, int64_t key, uint64_t order, uint32_t a, uint32_t b) {
  return wm_ordered_heap_push(merger->context, heap, (WmOrderedEntry){key, order, {a, b}});
}

/* Queues a subtree. Keys are twice the squared distance, plus one for an outline vertex, so that all
 * vertices at a distance are queued before the first of them is popped; among those the order in the ring
 * decides. */
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
  uint32_t outline, hole; /* nodes; outline is NO_NODE if there is no bridge */
} Bridge;

/* From the first vertex of the hole, starting at its leftmost, that sees an outline vertex, to the nearest
 * such. With any_bridge: the best rated bridge, the shortest of equal ones. */
static WmStatus find_bridge(Merger *merger, uint32_t leftmost, uint32_t size, Bridge *bridge) {
  *bridge = (Bridge){NO_NODE, leftmost};
  const bool any = merger->any_bridge;
  const uint32_t max_tries = any ? FALLBACK_TRIES : UINT32_MAX, leaf_count = merger->edges.leaf_count;
  uint32_t lowest = any ? UINT32_MAX : 0, hole = leftmost;
  int64_t shortest = INT64_MAX;
  for (uint32_t i = 0; i < size; i++, hole = merger->nodes[hole].next) {
    const WmPlanarPoint *centre = &merger->nodes[hole].point;
    merger->nearest.count = 0;
    if (!queue_part(merger, centre, 1)) return WM_ERROR_OUT_OF_MEMORY;
    for (uint32_t tries = 0; tries < max_tries && merger->nearest.count > 0;) {
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
      if (lowest == 0 && !shorter) break;
      const uint32_t rating = rate_bridge(merger, part - leaf_count, hole);
      if (rating > lowest || (rating == lowest && !shorter)) continue;
      lowest = rating;
      shortest = entry.key;
      *bridge = (Bridge){part - leaf_count, hole};
      if (!any) return WM_OK;
    }
  }
  return WM_OK;
}

/* Splices a hole into the outline: ... previous, [outline vertex again, hole from its vertex around to
 * that vertex again], outline vertex ...; the ring then starts at the outline vertex. */
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
  nodes[back].part = PART_BRIDGE_BACK;
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
    const int64_t key = wm_contour_sort_key(&merger->list->items[merger->nodes[leftmost].vertex]);
    if (!push(merger, &merger->holes, key, i, holes[i], leftmost)) return WM_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < merger->node_count; i++) set_edge(merger, i);
  return WM_OK;
}

/* Joins the holes one by one. Holes that could not be joined are moved to the front of `holes`. */
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

/* Writes the ring as a new run of vertices, for which capacity is reserved. */
static void write_ring(const Merger *merger, WmContourRun *ring) {
  WmContourVertexList *list = merger->list;
  *ring = (WmContourRun){list->count, merger->ring_count};
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
