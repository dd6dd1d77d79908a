/* Joining holes to an outline, so that both are one ring.
 *
 * In: simplified contours, an outline and its holes (contour_regions.c says which). Holes are taken from the
 * left to the right; each is joined by a bridge (walked there and back) from one of its vertices to the
 * nearest vertex of the outline that lies inside at that corner and sees it. Out: the outline's record holds
 * the joined ring, the holes' records are empty.
 *
 * The ring is a circular list over an array of nodes: joining splices, nothing is copied. Two trees of boxes
 * answer "which outline vertex is next nearest" and "which edges may block the view". Among equally near
 * vertices the one that comes first in the ring wins; for that each node carries a label that grows along the
 * ring.
 *
 * Where no vertex of a hole sees the outline (simplified rings may touch or cross), the hole would be lost:
 * on demand it gets the bridge that crosses least. Source: D. Eberly, Triangulation by Ear Clipping
 * (2002-2023), section 5, for the idea; order, ties and predicates are the Recast library's. */
#include <string.h>

#include "bake/box_tree.h"
#include "bake/contours_internal.h"
#include "bake/ordered_heap.h"
#include "base/sort.h"

enum {
  /* Outline vertices tried for each vertex of a hole that nothing sees. */
  FALLBACK_TRIES = 32
};
#define OUTLINE UINT32_MAX /* the owner of what belongs to the ring itself */
#define NO_NODE UINT32_MAX

/* A vertex, and the edge that started there when it was made (which stays an edge for good). */
typedef struct Node {
  WmPlanarPoint point, edge_end;
  size_t vertex; /* in the list of vertices */
  uint64_t label;
  uint32_t next, previous; /* in its ring as it stands */
  uint32_t owner;          /* hole it came with, or OUTLINE */
} Node;

typedef struct Hole {
  uint32_t contour;
  uint32_t first_node;
  uint32_t leftmost; /* node */
  bool joined, gone; /* gone: its edges no longer block, since it stayed by itself */
} Hole;

typedef struct Merger {
  WmContext *context;
  Node *nodes;
  uint32_t node_count;
  uint32_t start, ring_count; /* the outline */
  Hole *holes;                /* from left to right */
  uint32_t hole_count;
  WmBoxTree edges;        /* of all nodes */
  WmBoxTree corners;      /* the outline's vertices */
  WmOrderedHeap nearest;  /* of the search at hand: parts of `corners` by distance */
  WmPlanarPoint from, to; /* the bridge being looked at */
  uint32_t crossings;
} Merger;

/* ---- Rings ----------------------------------------------------------------------------------------- */

static bool is_left_of(WmPlanarPoint a, WmPlanarPoint b) { return a.x < b.x || (a.x == b.x && a.z < b.z); }

/* Makes a ring of nodes from a contour; the first of its leftmost nodes is returned. */
static uint32_t add_ring(Merger *merger, const WmContourVertexList *list, const WmContourRecord *contour,
                         uint32_t owner) {
  const uint32_t first = merger->node_count, count = contour->vertex_count;
  uint32_t leftmost = first;
  for (uint32_t i = 0; i < count; i++) {
    const WmContourVertex *vertices = list->items + contour->vertex_first;
    Node *node = &merger->nodes[first + i];
    node->point = wm_contour_point(&vertices[i]);
    node->edge_end = wm_contour_point(&vertices[i + 1 == count ? 0 : i + 1]);
    node->vertex = contour->vertex_first + i;
    node->next = first + (i + 1 == count ? 0 : i + 1);
    node->previous = first + (i == 0 ? count - 1 : i - 1);
    node->owner = owner;
    if (is_left_of(node->point, merger->nodes[leftmost].point)) leftmost = first + i;
  }
  merger->node_count += count;
  return leftmost;
}

static void label_ring(Merger *merger) {
  const uint64_t step = UINT64_MAX / merger->ring_count;
  uint64_t label = 0;
  uint32_t node = merger->start;
  do {
    merger->nodes[node].label = label;
    label += step;
    node = merger->nodes[node].next;
  } while (node != merger->start);
}

/* Labels `count` nodes just spliced in after `before`. */
static void label_spliced(Merger *merger, uint32_t before, uint32_t count) {
  uint32_t node = merger->nodes[before].next, after = node;
  for (uint32_t i = 0; i < count; i++) after = merger->nodes[after].next;
  const uint64_t gap = merger->nodes[after].label - merger->nodes[before].label;
  const uint64_t step = gap / ((uint64_t)count + 1);
  if (step == 0) {
    label_ring(merger);
    return;
  }
  for (uint64_t label = merger->nodes[before].label + step; node != after; label += step) {
    merger->nodes[node].label = label;
    node = merger->nodes[node].next;
  }
}

/* ---- The two trees ------------------------------------------------------------------------------------ */

static WmStatus build_trees(Merger *merger, size_t node_capacity) {
  WmStatus status = wm_box_tree_start(merger->context, node_capacity, &merger->edges);
  if (!status) status = wm_box_tree_start(merger->context, node_capacity, &merger->corners);
  if (status) return status;
  for (uint32_t i = 0; i < merger->node_count; i++) {
    const Node *node = &merger->nodes[i];
    if (!wm_box_tree_put(&merger->edges, i, node->point, node->edge_end)) return WM_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < merger->ring_count; i++) {
    wm_box_tree_put_point(&merger->corners, i, merger->nodes[i].point);
  }
  wm_box_tree_finish(&merger->edges);
  wm_box_tree_finish(&merger->corners);
  return WM_OK;
}

/* ---- Does a bridge pass? --------------------------------------------------------------------------------
 */

/* Edges with an end at either end of the bridge do not count, nor do those of holes left by themselves. */
static bool may_block(const Merger *merger, const Node *edge) {
  if (edge->owner != OUTLINE && merger->holes[edge->owner].gone) return false;
  return !wm_planar_equal(edge->point, merger->from) && !wm_planar_equal(edge->point, merger->to) &&
         !wm_planar_equal(edge->edge_end, merger->from) && !wm_planar_equal(edge->edge_end, merger->to);
}

static bool blocks_bridge(void *user, uint32_t node) {
  const Merger *merger = user;
  const Node *edge = &merger->nodes[node];
  return may_block(merger, edge) && wm_planar_hit(merger->from, merger->to, edge->point, edge->edge_end);
}

static bool count_crossing(void *user, uint32_t node) {
  Merger *merger = user;
  const Node *edge = &merger->nodes[node];
  if (may_block(merger, edge) && wm_planar_cross(merger->from, merger->to, edge->point, edge->edge_end)) {
    merger->crossings++;
  }
  return false;
}

static bool opens_towards(const Merger *merger, uint32_t node, WmPlanarPoint target, bool loose) {
  const Node *corner = &merger->nodes[node];
  return wm_planar_in_cone(merger->nodes[corner->previous].point, corner->point,
                           merger->nodes[corner->next].point, target, loose);
}

/* ---- Outline vertices from near to far
 * --------------------------------------------------------------------- */

/* Queues a part of the tree of corners. Keys are twice the squared distance, and one more for a vertex
 * itself, so that all vertices at a distance are in the queue before the first of them is taken. */
static bool queue_part(Merger *merger, WmPlanarPoint centre, uint32_t part) {
  const WmBoxTree *corners = &merger->corners;
  if (wm_box_is_empty(&corners->boxes[part])) return true;
  const bool is_vertex = part >= corners->leaf_count;
  WmOrderedEntry entry = {2 * wm_box_distance_squared(&corners->boxes[part], centre), 0, {part, 0}};
  if (is_vertex) {
    entry.key++;
    entry.order = merger->nodes[part - corners->leaf_count].label - merger->nodes[merger->start].label;
  }
  return wm_ordered_heap_push(merger->context, &merger->nearest, entry);
}

static bool start_search(Merger *merger, WmPlanarPoint centre) {
  merger->nearest.count = 0;
  return queue_part(merger, centre, 1);
}

/* The next outline node by (distance, place in the ring): NO_NODE when there is none. */
static WmStatus next_nearest(Merger *merger, WmPlanarPoint centre, uint32_t *node, int64_t *distance2) {
  *node = NO_NODE;
  while (merger->nearest.count > 0) {
    const WmOrderedEntry entry = wm_ordered_heap_pop(&merger->nearest);
    const uint32_t part = entry.stamp[0];
    if (part >= merger->corners.leaf_count) {
      *node = part - merger->corners.leaf_count;
      *distance2 = entry.key / 2;
      return WM_OK;
    }
    if (!queue_part(merger, centre, 2 * part) || !queue_part(merger, centre, 2 * part + 1)) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  return WM_OK;
}

/* ---- Joining one hole
 * ---------------------------------------------------------------------------------------- */

typedef struct Bridge {
  uint32_t outline, hole; /* nodes; outline NO_NODE where there is none */
} Bridge;

static uint32_t hole_size(const WmContourRecord *contours, const Hole *hole) {
  return contours[hole->contour].vertex_count;
}

/* The first vertex of the hole, from its leftmost on, that sees an outline vertex; and the nearest such. */
static WmStatus find_bridge(Merger *merger, const Hole *hole, uint32_t size, Bridge *bridge) {
  *bridge = (Bridge){NO_NODE, hole->leftmost};
  for (uint32_t i = 0; i < size; i++, bridge->hole = merger->nodes[bridge->hole].next) {
    merger->to = merger->nodes[bridge->hole].point;
    if (!start_search(merger, merger->to)) return WM_ERROR_OUT_OF_MEMORY;
    for (;;) {
      uint32_t node = NO_NODE;
      int64_t distance2 = 0;
      const WmStatus status = next_nearest(merger, merger->to, &node, &distance2);
      if (status) return status;
      if (node == NO_NODE) break;
      if (!opens_towards(merger, node, merger->to, false)) continue;
      merger->from = merger->nodes[node].point;
      if (wm_box_tree_visit(&merger->edges, merger->from, merger->to, blocks_bridge, merger)) continue;
      bridge->outline = node;
      return WM_OK;
    }
  }
  return WM_OK;
}

/* How bad a bridge would be: what it crosses, and whether it leaves the outline on the wrong side. Where both
 * ends are one point, the hole's own edge must lie inside the outline's corner. */
static uint32_t rate_bridge(Merger *merger, uint32_t node, uint32_t hole_node) {
  merger->from = merger->nodes[node].point;
  merger->to = merger->nodes[hole_node].point;
  const bool touching = wm_planar_equal(merger->from, merger->to);
  const WmPlanarPoint target = touching ? merger->nodes[merger->nodes[hole_node].next].point : merger->to;
  merger->crossings = 0;
  if (!touching) wm_box_tree_visit(&merger->edges, merger->from, merger->to, count_crossing, merger);
  return 2 * merger->crossings + (opens_towards(merger, node, target, true) ? 0 : 3);
}

/* The least bad bridge, the shortest of equally bad ones. */
static WmStatus find_any_bridge(Merger *merger, const Hole *hole, uint32_t size, Bridge *bridge) {
  *bridge = (Bridge){NO_NODE, hole->leftmost};
  uint32_t least = UINT32_MAX, hole_node = hole->leftmost;
  int64_t shortest = INT64_MAX;
  for (uint32_t i = 0; i < size; i++, hole_node = merger->nodes[hole_node].next) {
    const WmPlanarPoint centre = merger->nodes[hole_node].point;
    if (!start_search(merger, centre)) return WM_ERROR_OUT_OF_MEMORY;
    for (int tries = 0; tries < FALLBACK_TRIES; tries++) {
      uint32_t node = NO_NODE;
      int64_t distance2 = 0;
      const WmStatus status = next_nearest(merger, centre, &node, &distance2);
      if (status) return status;
      if (node == NO_NODE || (least == 0 && distance2 >= shortest)) break;
      const uint32_t rating = rate_bridge(merger, node, hole_node);
      if (rating > least || (rating == least && distance2 >= shortest)) continue;
      least = rating;
      shortest = distance2;
      *bridge = (Bridge){node, hole_node};
    }
  }
  return WM_OK;
}

static uint32_t copy_node(Merger *merger, uint32_t node) {
  merger->nodes[merger->node_count] = merger->nodes[node];
  return merger->node_count++;
}

/* Splices a hole into the outline: ... previous, [outline vertex again, hole from its vertex on round to that
 * vertex again], outline vertex ...; the ring then starts at the outline vertex. */
static WmStatus join(Merger *merger, Bridge bridge, uint32_t size) {
  Node *nodes = merger->nodes;
  const uint32_t outline = bridge.outline, before = nodes[outline].previous,
                 hole_last = nodes[bridge.hole].previous;
  const uint32_t there = copy_node(merger, outline), back = copy_node(merger, bridge.hole);
  const uint32_t path[] = {before, there, bridge.hole};
  for (int k = 0; k < 2; k++) {
    nodes[path[k]].next = path[k + 1];
    nodes[path[k + 1]].previous = path[k];
  }
  const uint32_t path_back[] = {hole_last, back, outline};
  for (int k = 0; k < 2; k++) {
    nodes[path_back[k]].next = path_back[k + 1];
    nodes[path_back[k + 1]].previous = path_back[k];
  }
  merger->start = outline;
  merger->ring_count += size + 2;
  label_spliced(merger, before, size + 2);
  for (uint32_t node = there; node != outline; node = nodes[node].next) {
    nodes[node].owner = OUTLINE;
    wm_box_tree_set_point(&merger->corners, node, nodes[node].point);
  }
  /* The bridge back is the same segment: one entry blocks as well as two. */
  nodes[there].edge_end = nodes[bridge.hole].point;
  const bool set = wm_box_tree_set(&merger->edges, there, nodes[there].point, nodes[there].edge_end);
  return set ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* ---- One region
 * ------------------------------------------------------------------------------------------------ */

/* Orders holes by their leftmost vertex: by x, then z, then as they came. */
static WmStatus sort_holes(Merger *merger) {
  const uint32_t count = merger->hole_count;
  WmSortItem *items = wm_scratch_array(merger->context, 2 * (size_t)count, sizeof *items);
  Hole *sorted = wm_scratch_array(merger->context, count, sizeof *sorted);
  if (!items || !sorted) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t z = (uint32_t)merger->nodes[merger->holes[i].leftmost].point.z;
    items[i] = (WmSortItem){z ^ 0x80000000u, i};
  }
  wm_sort_stable(items, items + count, count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t x = (uint32_t)merger->nodes[merger->holes[items[i].value].leftmost].point.x;
    items[i].key = x ^ 0x80000000u;
  }
  wm_sort_stable(items, items + count, count);
  for (uint32_t i = 0; i < count; i++) {
    sorted[i] = merger->holes[items[i].value];
    uint32_t node = sorted[i].first_node;
    do {
      merger->nodes[node].owner = i;
      node = merger->nodes[node].next;
    } while (node != sorted[i].first_node);
  }
  merger->holes = sorted;
  return WM_OK;
}

static WmStatus set_up(Merger *merger, const WmContourVertexList *list, const WmContourRecord *contours,
                       uint32_t outline, const uint32_t *holes, size_t node_capacity) {
  merger->nodes = wm_scratch_array(merger->context, node_capacity, sizeof *merger->nodes);
  merger->holes = wm_scratch_zeroed(merger->context, merger->hole_count, sizeof *merger->holes);
  if (!merger->nodes || !merger->holes) return WM_ERROR_OUT_OF_MEMORY;
  add_ring(merger, list, &contours[outline], OUTLINE);
  merger->ring_count = merger->node_count;
  for (uint32_t i = 0; i < merger->hole_count; i++) {
    merger->holes[i].contour = holes[i];
    merger->holes[i].first_node = merger->node_count;
    merger->holes[i].leftmost = add_ring(merger, list, &contours[holes[i]], i);
  }
  label_ring(merger);
  const WmStatus status = sort_holes(merger);
  return status ? status : build_trees(merger, node_capacity);
}

static WmStatus join_holes(Merger *merger, const WmContourRecord *contours, bool any_bridge) {
  for (uint32_t i = 0; i < merger->hole_count; i++) {
    Hole *hole = &merger->holes[i];
    Bridge bridge;
    WmStatus status = find_bridge(merger, hole, hole_size(contours, hole), &bridge);
    if (!status && bridge.outline == NO_NODE && any_bridge) {
      status = find_any_bridge(merger, hole, hole_size(contours, hole), &bridge);
    }
    if (!status && bridge.outline != NO_NODE) {
      status = join(merger, bridge, hole_size(contours, hole));
      hole->joined = true;
    }
    if (status) return status;
    hole->gone = !hole->joined;
  }
  return WM_OK;
}

/* Writes the ring as a new stretch of vertices, for which there is room. */
static void write_ring(const Merger *merger, WmContourVertexList *list, WmContourRecord *outline) {
  outline->vertex_first = list->count;
  outline->vertex_count = merger->ring_count;
  uint32_t node = merger->start;
  do {
    list->items[list->count++] = list->items[merger->nodes[node].vertex];
    node = merger->nodes[node].next;
  } while (node != merger->start);
}

WmStatus wm_contour_join_holes(WmContext *context, WmContourRecord *contours, WmContourVertexList *list,
                               uint32_t outline, uint32_t *holes, uint32_t *hole_count, bool any_bridge) {
  size_t capacity = contours[outline].vertex_count;
  for (uint32_t i = 0; i < *hole_count; i++) capacity += (size_t)contours[holes[i]].vertex_count + 2;
  if (capacity >= NO_NODE) return wm_fail_memory(context, SIZE_MAX);
  if (!wm_contour_extend(context, list, capacity)) return WM_ERROR_OUT_OF_MEMORY;
  const WmScratchMark mark = wm_scratch_mark(context);
  Merger merger = {.context = context, .hole_count = *hole_count};
  WmStatus status = set_up(&merger, list, contours, outline, holes, capacity);
  if (!status) status = join_holes(&merger, contours, any_bridge);
  if (!status) {
    write_ring(&merger, list, &contours[outline]);
    uint32_t left = 0;
    for (uint32_t i = 0; i < merger.hole_count; i++) {
      const Hole *hole = &merger.holes[i];
      if (hole->joined) {
        contours[hole->contour].vertex_count = 0;
      } else {
        holes[left++] = hole->contour;
      }
    }
    *hole_count = left;
  }
  wm_scratch_rewind(context, mark);
  return status;
}
