/* Joining triangles to convex polygons, the longest shared edge first.
 *
 * In / out: a list of polygons over vertices of a mesh. Joining polygon k into an earlier j puts the last
 * polygon in slot k, since the order of polygons is part of the result. Only pairs that share an edge can be
 * joined: a table of edges finds them, and a heap holds the pairs worth joining by (length, j, k). After a
 * joint only pairs with the two slots that changed are valued again; an entry of the heap that comes out is
 * valid where its pair still has that value. Cost: O(n log n) for n triangles. Source: S. Hertel, K.
 * Mehlhorn, Fast triangulation of simple polygons (1983); the order of joints is the Recast library's, here
 * found without comparing all pairs each time. */
#include <string.h>

#include "bake/ordered_heap.h"
#include "bake/polygon_mesh_internal.h"
#include "base/inline.h"

#define NO_EDGE UINT32_MAX

/* One edge of one polygon, in a chain of the table. It keeps its number from polygon to polygon. */
typedef struct Edge {
  uint32_t key; /* smaller vertex << 16 | larger vertex; NO_EDGE: not in the table */
  uint32_t slot;
  uint32_t next;
} Edge;

typedef struct Polygon {
  uint32_t size;
  uint16_t vertices[WM_POLYGON_MOST_VERTICES];
  uint32_t edges[WM_POLYGON_MOST_VERTICES]; /* edge i goes from vertex i to vertex i + 1 */
} Polygon;

typedef struct Joiner {
  WmContext *context;
  WmPolygonList *list;
  const uint16_t *vertices;
  Polygon *polygons; /* [list->count] by slot */
  Edge *edges;
  uint32_t *buckets; /* [bucket_mask + 1] newest edge, or NO_EDGE */
  uint32_t bucket_mask;
  WmOrderedHeap heap; /* (-value, j << 32 | k) */
} Joiner;

/* ---- The table of edges -------------------------------------------------------------------------------- */

static uint32_t *bucket_of(const Joiner *joiner, uint32_t key) {
  const uint32_t hash = key * 0x9e3779b1u;
  return &joiner->buckets[(hash >> 15 ^ hash) & joiner->bucket_mask];
}

static void remove_edge(const Joiner *joiner, uint32_t number) {
  uint32_t *link = bucket_of(joiner, joiner->edges[number].key);
  while (*link != number) link = &joiner->edges[*link].next;
  *link = joiner->edges[number].next;
}

/* Puts a polygon in a slot, and those of its edges that are new, or join other vertices, in the table. */
static void place(const Joiner *joiner, uint32_t slot, const Polygon *polygon) {
  joiner->polygons[slot] = *polygon;
  uint32_t b = polygon->vertices[0];
  for (uint32_t i = polygon->size; i-- > 0;) {
    const uint32_t a = polygon->vertices[i], key = a < b ? a << 16 | b : b << 16 | a;
    b = a;
    Edge *edge = &joiner->edges[polygon->edges[i]];
    edge->slot = slot;
    if (edge->key == key) continue;
    if (edge->key != NO_EDGE) remove_edge(joiner, polygon->edges[i]);
    uint32_t *bucket = bucket_of(joiner, key);
    edge->key = key;
    edge->next = *bucket;
    *bucket = polygon->edges[i];
  }
}

/* ---- Values -------------------------------------------------------------------------------------------- */

typedef struct SharedEdge {
  int64_t value; /* squared length; <= 0: not to be joined */
  uint32_t p, q; /* positions of the edge in either polygon */
} SharedEdge;

static uint32_t corner(const Polygon *polygon, uint32_t position) {
  return polygon->vertices[position >= polygon->size ? position - polygon->size : position];
}

static bool turns_inward(const Joiner *joiner, uint32_t a, uint32_t b, uint32_t c) {
  return wm_planar_area(wm_mesh_point(joiner->vertices, a), wm_mesh_point(joiner->vertices, b),
                        wm_mesh_point(joiner->vertices, c)) < 0;
}

/* Finds the edge that two polygons share: of several the last of a counts, with its first match in b. */
static bool find_shared(const Joiner *joiner, const Polygon *a, const Polygon *b, SharedEdge *shared) {
  for (uint32_t p = a->size; p-- > 0;) {
    const uint32_t key = joiner->edges[a->edges[p]].key;
    for (uint32_t q = 0; q < b->size; q++) {
      if (joiner->edges[b->edges[q]].key != key) continue;
      shared->p = p;
      shared->q = q;
      return true;
    }
  }
  return false;
}

/* What joining b to a is worth. */
static void value_pair(const Joiner *joiner, uint32_t slot_a, uint32_t slot_b, SharedEdge *shared) {
  const Polygon *a = &joiner->polygons[slot_a], *b = &joiner->polygons[slot_b];
  shared->value = 0;
  if (a->size + b->size - 2 > joiner->list->most || !find_shared(joiner, a, b, shared)) return;
  const uint32_t p = shared->p, q = shared->q, from = corner(a, p), to = corner(a, p + 1);
  if (turns_inward(joiner, corner(a, p + a->size - 1), from, corner(b, q + 2)) &&
      turns_inward(joiner, corner(b, q + b->size - 1), corner(b, q), corner(a, p + 2))) {
    shared->value = wm_planar_distance_squared(wm_mesh_point(joiner->vertices, from),
                                               wm_mesh_point(joiner->vertices, to));
  }
}

/* Offers a polygon's pairs with all polygons across its edges. */
static bool offer_neighbours(Joiner *joiner, uint32_t slot) {
  const Polygon *polygon = &joiner->polygons[slot];
  for (uint32_t i = 0; i < polygon->size; i++) {
    const uint32_t key = joiner->edges[polygon->edges[i]].key;
    for (uint32_t number = *bucket_of(joiner, key); number != NO_EDGE; number = joiner->edges[number].next) {
      const uint32_t other = joiner->edges[number].slot;
      if (joiner->edges[number].key != key || other == slot) continue;
      const uint32_t j = slot < other ? slot : other, k = slot < other ? other : slot;
      SharedEdge shared;
      value_pair(joiner, j, k, &shared);
      if (shared.value <= 0) continue;
      const WmOrderedEntry entry = {-shared.value, (uint64_t)j << 32 | k, {0, 0}};
      if (!wm_ordered_heap_push(joiner->context, &joiner->heap, entry)) return false;
    }
  }
  return true;
}

/* ---- Joining ------------------------------------------------------------------------------------------- */

/* Appends all of a polygon but the vertex at `shared`, whose edge goes. */
static void append_rest(const Joiner *joiner, const Polygon *polygon, uint32_t shared, Polygon *joint) {
  remove_edge(joiner, polygon->edges[shared]);
  for (uint32_t i = 1, at = shared; i < polygon->size; i++) {
    at = at + 1 == polygon->size ? 0 : at + 1;
    joint->vertices[joint->size] = polygon->vertices[at];
    joint->edges[joint->size++] = polygon->edges[at];
  }
}

static bool join(Joiner *joiner, uint32_t j, uint32_t k, const SharedEdge *shared) {
  WmPolygonList *list = joiner->list;
  Polygon joint;
  joint.size = 0;
  append_rest(joiner, &joiner->polygons[j], shared->p, &joint);
  append_rest(joiner, &joiner->polygons[k], shared->q, &joint);
  place(joiner, j, &joint);
  if (list->region[j] != list->region[k]) list->region[j] = WM_REGION_NONE;
  const uint32_t last = --list->count;
  if (k < last) {
    place(joiner, k, &joiner->polygons[last]);
    list->region[k] = list->region[last];
    list->area[k] = list->area[last];
  }
  return offer_neighbours(joiner, j) && (k == last || offer_neighbours(joiner, k));
}

static bool start(Joiner *joiner) {
  const WmPolygonList *list = joiner->list;
  const uint32_t count = list->count, most = list->most;
  joiner->bucket_mask = 7;
  while (joiner->bucket_mask < 3 * count) joiner->bucket_mask = 2 * joiner->bucket_mask + 1;
  const size_t buckets = (size_t)joiner->bucket_mask + 1;
  joiner->buckets = wm_scratch_array(joiner->context, buckets, sizeof *joiner->buckets);
  joiner->polygons = wm_scratch_array(joiner->context, count, sizeof *joiner->polygons);
  joiner->edges = wm_scratch_array(joiner->context, (size_t)count * most, sizeof *joiner->edges);
  if (!joiner->buckets || !joiner->polygons || !joiner->edges) return false;
  memset(joiner->buckets, 0xff, buckets * sizeof *joiner->buckets);
  for (uint32_t slot = 0, edge = 0; slot < count; slot++) {
    Polygon polygon;
    const uint16_t *vertices = list->vertices + (size_t)slot * most;
    polygon.size = wm_polygon_size(vertices, most);
    for (uint32_t i = 0; i < polygon.size; i++) {
      polygon.vertices[i] = vertices[i];
      polygon.edges[i] = edge;
      joiner->edges[edge++].key = NO_EDGE;
    }
    place(joiner, slot, &polygon);
    if (!offer_neighbours(joiner, slot)) return false;
  }
  return true;
}

static WmStatus join_all(Joiner *joiner) {
  WmPolygonList *list = joiner->list;
  if (!start(joiner)) return WM_ERROR_OUT_OF_MEMORY;
  while (joiner->heap.count > 0) {
    const WmOrderedEntry entry = wm_ordered_heap_pop(&joiner->heap);
    const uint32_t j = (uint32_t)(entry.order >> 32), k = (uint32_t)entry.order;
    if (k >= list->count) continue;
    SharedEdge shared;
    value_pair(joiner, j, k, &shared);
    if (shared.value == -entry.key && !join(joiner, j, k, &shared)) return WM_ERROR_OUT_OF_MEMORY;
  }
  memset(list->vertices, 0xff, (size_t)list->count * list->most * sizeof *list->vertices);
  for (uint32_t slot = 0; slot < list->count; slot++) {
    const Polygon *polygon = &joiner->polygons[slot];
    memcpy(list->vertices + (size_t)slot * list->most, polygon->vertices,
           polygon->size * sizeof *polygon->vertices);
  }
  return WM_OK;
}

WmStatus wm_polygon_merge(WmContext *context, WmPolygonList *list, const uint16_t *vertices) {
  if (list->most <= 3 || list->count < 2) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  Joiner joiner = {.context = context, .list = list, .vertices = vertices};
  const WmStatus status = join_all(&joiner);
  wm_scratch_rewind(context, mark);
  return status;
}
