/* The ring of ear clipping. See ear_ring.h. */
#include "bake/polygons/ear_ring.h"

#include <string.h>

/* Stores the box of an edge of a large ring. */
static WM_COLD void set_edge(WmEarRing *ring, uint32_t vertex) {
  wm_box_tree_set(&ring->edges, vertex, &ring->points[vertex], &ring->points[ring->next[vertex]]);
}

WM_COLD WmStatus wm_ear_ring_start(WmEarRing *ring) {
  const uint32_t count = ring->count;
  ring->rank = wm_scratch_array(ring->context, count, sizeof *ring->rank + 2 * sizeof *ring->next);
  if (!ring->rank) return WM_ERROR_OUT_OF_MEMORY;
  ring->next = (uint32_t *)(void *)(ring->rank + count);
  ring->previous = ring->next + count;
  for (uint32_t i = 0, previous = count - 1; i < count; previous = i++) {
    ring->next[previous] = i;
    ring->previous[i] = previous;
    ring->rank[i] = WM_EAR_NEVER;
  }
  ring->is_large = count >= WM_EAR_LARGE_FROM;
  if (!ring->is_large) return WM_OK;
  const WmStatus status = wm_box_tree_start(ring->context, count, &ring->edges);
  for (uint32_t i = 0; i < count && !status; i++) set_edge(ring, i);
  return status;
}

void wm_ear_ring_cut(WmEarRing *ring, uint32_t vertex) {
  const uint32_t before = ring->previous[vertex], after = ring->next[vertex];
  ring->next[before] = after;
  ring->previous[after] = before;
  ring->next[vertex] = WM_EAR_NONE;
  ring->rank[vertex] = WM_EAR_NEVER;
  if (ring->first == vertex) ring->first = after;
  ring->count--;
  if (!ring->is_large) return;
  wm_box_tree_clear(&ring->edges, vertex);
  set_edge(ring, before);
}

/* ---- Ranks --------------------------------------------------------------------------------------------- */

bool wm_ear_ring_rank(WmEarRing *ring, uint32_t vertex, int64_t rank) {
  ring->rank[vertex] = rank;
  if (!ring->is_large || rank == WM_EAR_NEVER) return true;
  return wm_ordered_heap_push(ring->context, &ring->heap, (WmOrderedEntry){rank, vertex, {0, 0}});
}

uint32_t wm_ear_ring_pop(WmEarRing *ring) {
  while (ring->heap.count > 0) {
    const WmOrderedEntry entry = wm_ordered_heap_pop(&ring->heap);
    if (ring->rank[entry.order] == entry.key) return (uint32_t)entry.order;
  }
  uint32_t best = WM_EAR_NONE, i = ring->first;
  if (ring->is_large) return best;
  int64_t smallest = WM_EAR_NEVER;
  do {
    if (ring->rank[i] < smallest) {
      smallest = ring->rank[i];
      best = i;
    }
    i = ring->next[i];
  } while (i != ring->first);
  return best;
}

/* ---- Probes ----------------------------------------------------------------------------------------- */

/* A segment (two corners) or a triangle, and its search for edges of the ring. */
typedef struct Probe {
  const WmEarRing *ring;
  WmPlanarPoint corners[4]; /* the last repeats the first */
  WmEarProbe kind;
  uint32_t begin; /* the search runs from the edge that starts here, */
  uint32_t end;   /* to the one that ends here */
  uint32_t found;
} Probe;

/* True if the edge ab has a point in the open triangle, that is, unless one of the triangle's lines or the
 * edge's own line separates them. */
static WM_COLD bool enters_triangle(const WmPlanarPoint *corner, const WmPlanarPoint *a,
                                    const WmPlanarPoint *b) {
  int64_t smallest = 0, largest = 0;
  for (int k = 0; k < 3; k++, corner++) {
    if (wm_planar_side(corner, corner + 1, a) >= 0 && wm_planar_side(corner, corner + 1, b) >= 0)
      return false;
    const int64_t side = wm_planar_side(a, b, corner);
    smallest = side < smallest ? side : smallest;
    largest = side > largest ? side : largest;
  }
  return wm_planar_equal(*a, *b) || (smallest < 0 && largest > 0); /* not separated: a point is inside */
}

/* Tests an edge; returns true when the search can stop. In large rings the search returns all edges near
 * the probe, including its own and those cut off. */
static WM_COLD bool test_edge(Probe *probe, uint32_t from) {
  const uint32_t to = probe->ring->next[from];
  if (to == WM_EAR_NONE || from == probe->end || to == probe->begin) return false;
  const WmPlanarPoint *a = &probe->ring->points[from], *b = &probe->ring->points[to];
  if (probe->kind == WM_EAR_INSIDE) {
    probe->found += enters_triangle(probe->corners, a, b);
    return probe->found >= WM_EAR_MAX_INSIDE;
  }
  const WmPlanarPoint *const ends[4] = {&probe->corners[0], &probe->corners[1], a, b};
  probe->found = wm_planar_meet(ends, probe->kind == WM_EAR_LOOSE);
  return probe->found;
}

uint32_t wm_ear_ring_probe(const WmEarRing *ring, uint32_t from, WmEarProbe kind) {
  const WmPlanarPoint *points = ring->points;
  const uint32_t tip = ring->next[from], to = ring->next[tip];
  Probe probe = {ring, {points[to], points[from], points[tip], points[to]}, kind, to, from, 0};
  if (kind != WM_EAR_INSIDE) {
    probe.begin = ring->next[to];
    probe.end = ring->previous[from];
  }
  WmBoxWalk walk;
  wm_box_walk_start(&walk, &ring->edges, probe.corners, kind == WM_EAR_INSIDE ? 3 : 2);
  if (ring->is_large) {
    for (uint32_t leaf; (leaf = wm_box_walk_next(&walk)) != WM_NO_LEAF;) {
      if (test_edge(&probe, leaf)) break;
    }
    return probe.found;
  }
  /* Tests each edge whose ends are not beyond the same bound. Edges of length 0 may block a segment from
   * anywhere. */
  typedef uint64_t Twice __attribute__((vector_size(16)));
  const WmInt4 turned = {0, 0, -1, -1}, bound = walk.bound + turned; /* ~x is -x - 1 */
  uint64_t from_point = 0;
  int from_beyond = 0;
  for (uint32_t i = WM_EAR_NONE, next = probe.begin;; i = next, next = ring->next[i]) {
    uint64_t point_bits; /* both coordinates in one integer */
    memcpy(&point_bits, &points[next], sizeof point_bits);
    const int beyond = wm_mask_int4((WmInt4)(((WmInt4)(Twice){point_bits, point_bits} ^ turned) > bound));
    const bool near = !(from_beyond & beyond) || point_bits == from_point;
    if (near && i != WM_EAR_NONE && test_edge(&probe, i)) break;
    if (next == probe.end) break;
    from_point = point_bits;
    from_beyond = beyond;
  }
  return probe.found;
}
