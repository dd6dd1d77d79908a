/* Joining triangles to convex polygons, the longest shared edge first.
 *
 * In / out: a list of polygons over vertices of a mesh. Joining polygon k into an earlier j puts the last
 * polygon in slot k, since the order of polygons is part of the result. Only pairs that share an edge can be
 * joined: a table from edges to polygons finds them, and a heap holds the pairs worth joining by (length, j,
 * k). After a joint only pairs with the two slots that changed are valued again; entries of the heap carry
 * the version of both slots, so that old ones are recognised when they come out. Cost: O(n log n) for n
 * triangles. Source: S. Hertel, K. Mehlhorn, Fast triangulation of simple polygons (1983); the order of
 * joints is the Recast library's, here found without comparing all pairs each time. */
#include <string.h>

#include "bake/ordered_heap.h"
#include "bake/polygon_mesh_internal.h"

#define NO_ENTRY UINT32_MAX

/* One edge of one polygon in the table. */
typedef struct EdgeEntry {
  uint32_t key; /* smaller vertex << 16 | larger vertex */
  uint32_t polygon;
  uint32_t next;
} EdgeEntry;

typedef struct Joiner {
  WmContext *context;
  WmPolygonList *list;
  const uint16_t *vertices;
  uint32_t *version; /* [count] by slot */
  uint32_t *buckets; /* [bucket_mask + 1] */
  uint32_t bucket_mask;
  EdgeEntry *entries;
  uint32_t free_entry;
  WmOrderedHeap heap; /* (-value, j << 32 | k), stamped with both versions */
} Joiner;

static uint16_t *polygon_at(const Joiner *joiner, uint32_t slot) {
  return joiner->list->vertices + (size_t)slot * joiner->list->most;
}

static uint32_t polygon_size(const Joiner *joiner, uint32_t slot) {
  return wm_polygon_size(polygon_at(joiner, slot), joiner->list->most);
}

/* ---- The table of edges ------------------------------------------------------------------------------ */

static uint32_t edge_key(const uint16_t *polygon, uint32_t size, uint32_t edge) {
  const uint32_t a = polygon[edge], b = polygon[edge + 1 == size ? 0 : edge + 1];
  return a < b ? a << 16 | b : b << 16 | a;
}

static uint32_t *bucket_of(const Joiner *joiner, uint32_t key) {
  const uint32_t hash = key * 0x9e3779b1u;
  return &joiner->buckets[(hash >> 15 ^ hash) & joiner->bucket_mask];
}

static uint32_t *find_entry(Joiner *joiner, uint32_t key, uint32_t polygon) {
  uint32_t *link = bucket_of(joiner, key);
  while (*link != NO_ENTRY &&
         (joiner->entries[*link].key != key || joiner->entries[*link].polygon != polygon)) {
    link = &joiner->entries[*link].next;
  }
  return link;
}

static void enter_edges(Joiner *joiner, uint32_t slot) {
  const uint16_t *polygon = polygon_at(joiner, slot);
  const uint32_t size = polygon_size(joiner, slot);
  for (uint32_t edge = 0; edge < size; edge++) {
    const uint32_t key = edge_key(polygon, size, edge), entry = joiner->free_entry;
    uint32_t *bucket = bucket_of(joiner, key);
    joiner->free_entry = joiner->entries[entry].next;
    joiner->entries[entry] = (EdgeEntry){key, slot, *bucket};
    *bucket = entry;
  }
}

static void remove_edges(Joiner *joiner, uint32_t slot) {
  const uint16_t *polygon = polygon_at(joiner, slot);
  const uint32_t size = polygon_size(joiner, slot);
  for (uint32_t edge = 0; edge < size; edge++) {
    uint32_t *link = find_entry(joiner, edge_key(polygon, size, edge), slot);
    const uint32_t entry = *link;
    *link = joiner->entries[entry].next;
    joiner->entries[entry].next = joiner->free_entry;
    joiner->free_entry = entry;
  }
}

/* ---- Values ----------------------------------------------------------------------------------------------
 */

typedef struct SharedEdge {
  int64_t value; /* squared length; <= 0: not to be joined */
  uint32_t p, q; /* positions of the edge in either polygon */
} SharedEdge;

static bool turns_inward(const Joiner *joiner, uint16_t a, uint16_t b, uint16_t c) {
  return wm_planar_area(wm_mesh_point(joiner->vertices, a), wm_mesh_point(joiner->vertices, b),
                        wm_mesh_point(joiner->vertices, c)) < 0;
}

static uint32_t step(uint32_t position, uint32_t by, uint32_t size) {
  position += by;
  return position >= size ? position - size : position;
}

/* What joining b to a is worth. Of several shared edges the last of a counts, with its first match in b. */
static SharedEdge value_pair(const Joiner *joiner, uint32_t slot_a, uint32_t slot_b) {
  const uint16_t *a = polygon_at(joiner, slot_a), *b = polygon_at(joiner, slot_b);
  const uint32_t a_size = polygon_size(joiner, slot_a), b_size = polygon_size(joiner, slot_b);
  SharedEdge shared = {-1, 0, 0};
  if (a_size + b_size - 2 > joiner->list->most) return shared;
  uint32_t b_keys[WM_POLYGON_MOST_VERTICES];
  for (uint32_t q = 0; q < b_size; q++) b_keys[q] = edge_key(b, b_size, q);
  bool found = false;
  for (uint32_t p = a_size; p-- > 0 && !found;) {
    const uint32_t key = edge_key(a, a_size, p);
    for (uint32_t q = 0; q < b_size && !found; q++) {
      if (b_keys[q] != key) continue;
      shared.p = p;
      shared.q = q;
      found = true;
    }
  }
  if (!found) return shared;
  const uint32_t p = shared.p, q = shared.q;
  if (!turns_inward(joiner, a[step(p, a_size - 1, a_size)], a[p], b[step(q, 2, b_size)])) return shared;
  if (!turns_inward(joiner, b[step(q, b_size - 1, b_size)], b[q], a[step(p, 2, a_size)])) return shared;
  shared.value = wm_planar_distance_squared(wm_mesh_point(joiner->vertices, a[p]),
                                            wm_mesh_point(joiner->vertices, a[step(p, 1, a_size)]));
  return shared;
}

static bool offer_pair(Joiner *joiner, uint32_t j, uint32_t k) {
  const SharedEdge shared = value_pair(joiner, j, k);
  if (shared.value <= 0) return true;
  const WmOrderedEntry entry = {
      -shared.value, (uint64_t)j << 32 | k, {joiner->version[j], joiner->version[k]}};
  return wm_ordered_heap_push(joiner->context, &joiner->heap, entry);
}

/* Offers a polygon's pairs with all polygons across its edges, or only with later ones. */
static bool offer_neighbours(Joiner *joiner, uint32_t slot, bool later_only) {
  const uint16_t *polygon = polygon_at(joiner, slot);
  const uint32_t size = polygon_size(joiner, slot);
  for (uint32_t edge = 0; edge < size; edge++) {
    const uint32_t key = edge_key(polygon, size, edge);
    for (uint32_t entry = *bucket_of(joiner, key); entry != NO_ENTRY; entry = joiner->entries[entry].next) {
      const uint32_t other = joiner->entries[entry].polygon;
      if (joiner->entries[entry].key != key || other == slot || (later_only && other < slot)) continue;
      if (!offer_pair(joiner, slot < other ? slot : other, slot < other ? other : slot)) return false;
    }
  }
  return true;
}

/* ---- Joining
 * ------------------------------------------------------------------------------------------------ */

static void write_joint(const Joiner *joiner, uint32_t j, uint32_t k, SharedEdge shared) {
  uint16_t *a = polygon_at(joiner, j);
  const uint16_t *b = polygon_at(joiner, k);
  const uint32_t a_size = polygon_size(joiner, j), b_size = polygon_size(joiner, k);
  uint16_t joint[2 * WM_POLYGON_MOST_VERTICES];
  uint32_t size = 0;
  for (uint32_t i = 1; i < a_size; i++) joint[size++] = a[step(shared.p, i, a_size)];
  for (uint32_t i = 1; i < b_size; i++) joint[size++] = b[step(shared.q, i, b_size)];
  while (size < joiner->list->most) joint[size++] = WM_POLYGON_NONE;
  memcpy(a, joint, joiner->list->most * sizeof *a);
}

/* Moves the last polygon into a slot that has become free. */
static void move_last(Joiner *joiner, uint32_t slot) {
  WmPolygonList *list = joiner->list;
  const uint32_t last = --list->count;
  if (last == slot) return;
  memcpy(polygon_at(joiner, slot), polygon_at(joiner, last), list->most * sizeof *list->vertices);
  list->region[slot] = list->region[last];
  list->area[slot] = list->area[last];
  const uint16_t *polygon = polygon_at(joiner, slot);
  const uint32_t size = polygon_size(joiner, slot);
  for (uint32_t edge = 0; edge < size; edge++) {
    joiner->entries[*find_entry(joiner, edge_key(polygon, size, edge), last)].polygon = slot;
  }
  joiner->version[last]++;
}

static bool join(Joiner *joiner, uint32_t j, uint32_t k) {
  WmPolygonList *list = joiner->list;
  const SharedEdge shared = value_pair(joiner, j, k);
  remove_edges(joiner, j);
  remove_edges(joiner, k);
  write_joint(joiner, j, k, shared);
  if (list->region[j] != list->region[k]) list->region[j] = WM_REGION_NONE;
  enter_edges(joiner, j);
  move_last(joiner, k);
  joiner->version[j]++;
  joiner->version[k]++;
  return offer_neighbours(joiner, j, false) && (k >= list->count || offer_neighbours(joiner, k, false));
}

static WmStatus start(Joiner *joiner) {
  const uint32_t count = joiner->list->count;
  uint32_t edges = 0;
  for (uint32_t i = 0; i < count; i++) edges += polygon_size(joiner, i);
  joiner->bucket_mask = 7;
  while (joiner->bucket_mask < edges) joiner->bucket_mask = 2 * joiner->bucket_mask + 1;
  const size_t buckets = (size_t)joiner->bucket_mask + 1;
  joiner->version = wm_scratch_zeroed(joiner->context, count, sizeof *joiner->version);
  joiner->buckets = wm_scratch_array(joiner->context, buckets, sizeof *joiner->buckets);
  joiner->entries = wm_scratch_array(joiner->context, edges, sizeof *joiner->entries);
  if (!joiner->version || !joiner->buckets || !joiner->entries) return WM_ERROR_OUT_OF_MEMORY;
  memset(joiner->buckets, 0xff, buckets * sizeof *joiner->buckets);
  for (uint32_t i = 0; i < edges; i++) joiner->entries[i].next = i + 1;
  for (uint32_t i = 0; i < count; i++) enter_edges(joiner, i);
  for (uint32_t i = 0; i < count; i++) {
    if (!offer_neighbours(joiner, i, true)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

static WmStatus join_all(Joiner *joiner) {
  const WmStatus status = start(joiner);
  if (status) return status;
  while (joiner->heap.count > 0) {
    const WmOrderedEntry entry = wm_ordered_heap_pop(&joiner->heap);
    const uint32_t j = (uint32_t)(entry.order >> 32), k = (uint32_t)entry.order;
    if (joiner->version[j] != entry.stamp[0] || joiner->version[k] != entry.stamp[1]) continue;
    if (!join(joiner, j, k)) return WM_ERROR_OUT_OF_MEMORY;
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
