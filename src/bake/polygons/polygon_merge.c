/* Merges triangles into convex polygons, the longest shared edge first.
 *
 * In/out: a list of triangles over vertices of a mesh. Merging polygon k into an earlier j moves the last
 * polygon to slot k, since the order of polygons is part of the result. Only pairs that share an edge can
 * be merged: a table of edges finds them, and a heap holds the pairs worth merging by (length, j, k).
 * After a merge only pairs with the two changed slots are valued again; a popped entry is valid if its
 * pair still has that value. Cost: O(n log n) for n triangles.
 *
 * Source: S. Hertel, K. Mehlhorn, Fast triangulation of simple polygons (1983); the order of merges is the
 * Recast library's, found here without comparing all pairs each time. */
#include <string.h>

#include "bake/geometry/ordered_heap.h"
#include "bake/polygons/polygon_mesh_internal.h"
#include "base/inline.h"

#define NO_KEY UINT32_MAX

/* One edge of one polygon, in a chain of the table. It moves with its start from polygon to polygon. */
typedef struct Edge {
  struct Edge *next; /* in the chain */
  uint32_t key;      /* smaller vertex << 16 | larger vertex; NO_KEY: not in the table */
  uint32_t slot;
  uint32_t from;
  WmPlanarPoint start;
} Edge;

typedef struct Polygon {
  uint32_t size;
  Edge *edges[WM_POLYGON_MAX_VERTICES];
} Polygon;

typedef struct Joiner {
  WmContext *context;
  WmPolygonList *list;
  Polygon *polygons; /* [list->count] by slot */
  Edge **buckets;    /* [bucket_mask + 1] newest edge, or NULL */
  uint32_t bucket_mask;
  uint32_t p, q;      /* positions in the two polygons of the shared edge, set by find_shared */
  WmOrderedHeap heap; /* (-value, j << 32 | k) */
} Joiner;

/* ---- The table of edges -------------------------------------------------------------------------------- */

static Edge **bucket_of(const Joiner *joiner, uint32_t key) {
  const uint32_t hash = key * 0x9e3779b1u;
  return &joiner->buckets[(hash >> 15 ^ hash) & joiner->bucket_mask];
}

static WM_NOINLINE void remove_edge(const Joiner *joiner, const Edge *edge) {
  Edge **link = bucket_of(joiner, edge->key);
  while (*link != edge) link = &(*link)->next;
  *link = edge->next;
}

/* Stores a polygon in a slot. Enters those of its edges in the table that are new or join other vertices. */
static WM_NOINLINE void set_polygon(const Joiner *joiner, uint32_t slot, const Polygon *polygon) {
  joiner->polygons[slot] = *polygon;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): polygons have corners */
  uint32_t b = polygon->edges[0]->from;
  for (uint32_t i = polygon->size; i-- > 0;) {
    Edge *edge = polygon->edges[i];
    const uint32_t a = edge->from, key = a < b ? a << 16 | b : b << 16 | a;
    b = a;
    edge->slot = slot;
    if (edge->key == key) continue;
    if (edge->key != NO_KEY) remove_edge(joiner, edge);
    Edge **bucket = bucket_of(joiner, key);
    edge->key = key;
    edge->next = *bucket;
    *bucket = edge;
  }
}

/* ---- Values -------------------------------------------------------------------------------------------- */

/* The vertex `ahead` positions after a position. */
static WmPlanarPoint corner(const Polygon *polygon, uint32_t position, uint32_t ahead) {
  position += ahead;
  return polygon->edges[position >= polygon->size ? position - polygon->size : position]->start;
}

/* Finds the edge that two polygons share: of several the last one of a, with its first match in b. */
static bool find_shared(Joiner *joiner, const Polygon *a, const Polygon *b) {
  for (uint32_t p = a->size; p-- > 0;) {
    const uint32_t key = a->edges[p]->key;
    for (uint32_t q = 0; q < b->size; q++) {
      if (b->edges[q]->key != key) continue;
      joiner->p = p;
      joiner->q = q;
      return true;
    }
  }
  return false;
}

/* True if the merged polygon is convex at the start of edge p of `a`, where `b` continues after its edge
 * q. */
static WM_NOINLINE bool is_convex(const Polygon *a, uint32_t p, const Polygon *b, uint32_t q) {
  return wm_planar_area(corner(a, p, a->size - 1), a->edges[p]->start, corner(b, q, 2)) < 0;
}

/* The value of merging b into a: the squared length of their edge, 0 if they must not be merged. */
static WM_NOINLINE int64_t value_pair(Joiner *joiner, uint32_t slot_a, uint32_t slot_b) {
  const Polygon *a = &joiner->polygons[slot_a], *b = &joiner->polygons[slot_b];
  if (a->size + b->size - 2 > joiner->list->max_vertices || !find_shared(joiner, a, b)) return 0;
  const uint32_t p = joiner->p, q = joiner->q;
  if (!is_convex(a, p, b, q) || !is_convex(b, q, a, p)) return 0;
  return wm_planar_distance_squared(a->edges[p]->start, corner(a, p, 1));
}

/* Pushes a polygon's pairs with all polygons across its edges. */
static WM_NOINLINE bool offer_neighbours(Joiner *joiner, uint32_t slot) {
  const Polygon *polygon = &joiner->polygons[slot];
  for (uint32_t i = 0; i < polygon->size; i++) {
    const uint32_t key = polygon->edges[i]->key;
    for (const Edge *edge = *bucket_of(joiner, key); edge; edge = edge->next) {
      const uint32_t other = edge->slot;
      if (edge->key != key || other == slot) continue;
      const uint32_t j = slot < other ? slot : other, k = slot < other ? other : slot;
      const int64_t value = value_pair(joiner, j, k);
      if (value <= 0) continue;
      const WmOrderedEntry entry = {.key = -value, .order = (uint64_t)j << 32 | k};
      if (!wm_ordered_heap_push(joiner->context, &joiner->heap, entry)) return false;
    }
  }
  return true;
}

/* ---- Merging ---------------------------------------------------------------------------------------- */

/* Appends a polygon's edges after the shared one, which is removed from the table. */
static WM_NOINLINE void append_rest(const Joiner *joiner, uint32_t slot, uint32_t shared, Polygon *joint) {
  const Polygon *polygon = &joiner->polygons[slot];
  remove_edge(joiner, polygon->edges[shared]);
  for (uint32_t i = 1, at = shared; i < polygon->size; i++) {
    at = at + 1 == polygon->size ? 0 : at + 1;
    joint->edges[joint->size++] = polygon->edges[at];
  }
}

/* Merges the pair valued last. */
static WM_NOINLINE bool join(Joiner *joiner, uint32_t j, uint32_t k) {
  WmPolygonList *list = joiner->list;
  Polygon joint;
  joint.size = 0;
  append_rest(joiner, j, joiner->p, &joint);
  append_rest(joiner, k, joiner->q, &joint);
  set_polygon(joiner, j, &joint);
  if (list->region[j] != list->region[k]) list->region[j] = WM_REGION_NONE;
  const uint32_t last = --list->count;
  if (k < last) {
    set_polygon(joiner, k, &joiner->polygons[last]);
    list->region[k] = list->region[last];
    list->area[k] = list->area[last];
  }
  return offer_neighbours(joiner, j) && (k == last || offer_neighbours(joiner, k));
}

static bool start(Joiner *joiner, const uint16_t *vertices) {
  const WmPolygonList *list = joiner->list;
  const uint32_t count = list->count;
  joiner->bucket_mask = 7;
  while (joiner->bucket_mask < 3 * count) joiner->bucket_mask = 2 * joiner->bucket_mask + 1;
  joiner->buckets =
      wm_scratch_zeroed(joiner->context, (size_t)joiner->bucket_mask + 1, sizeof *joiner->buckets);
  joiner->polygons = wm_scratch_array(joiner->context, count, sizeof *joiner->polygons + 3 * sizeof(Edge));
  if (!joiner->buckets || !joiner->polygons) return false;
  Edge *edge = (Edge *)(void *)(joiner->polygons + count);
  for (uint32_t slot = 0; slot < count; slot++) {
    Polygon *triangle = &joiner->polygons[slot];
    triangle->size = 3;
    for (uint32_t i = 0; i < 3; i++, edge++) {
      edge->key = NO_KEY;
      edge->from = list->vertices[(size_t)slot * list->max_vertices + i];
      edge->start = wm_mesh_point(vertices, edge->from);
      triangle->edges[i] = edge;
    }
    set_polygon(joiner, slot, triangle);
    if (!offer_neighbours(joiner, slot)) return false;
  }
  return true;
}

static WmStatus join_all(Joiner *joiner, const uint16_t *vertices) {
  WmPolygonList *list = joiner->list;
  if (!start(joiner, vertices)) return WM_ERROR_OUT_OF_MEMORY;
  while (joiner->heap.count > 0) {
    const WmOrderedEntry entry = wm_ordered_heap_pop(&joiner->heap);
    const uint32_t j = (uint32_t)(entry.order >> 32), k = (uint32_t)entry.order;
    if (k >= list->count || value_pair(joiner, j, k) != -entry.key) continue;
    if (!join(joiner, j, k)) return WM_ERROR_OUT_OF_MEMORY;
  }
  memset(list->vertices, 0xff, (size_t)list->count * list->max_vertices * sizeof *list->vertices);
  for (uint32_t slot = 0; slot < list->count; slot++) {
    const Polygon *polygon = &joiner->polygons[slot];
    for (uint32_t i = 0; i < polygon->size; i++) {
      list->vertices[(size_t)slot * list->max_vertices + i] = (uint16_t)polygon->edges[i]->from;
    }
  }
  return WM_OK;
}

WmStatus wm_polygon_merge(WmContext *context, WmPolygonList *list, const uint16_t *vertices) {
  if (list->max_vertices <= 3 || list->count < 2) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  Joiner joiner = {.context = context, .list = list};
  const WmStatus status = join_all(&joiner, vertices);
  wm_scratch_rewind(context, mark);
  return status;
}
