/* The ring of ear clipping. See ear_ring.h. */
#include "bake/ear_ring.h"

#include <string.h>

/* The boxes of all edges. */
static WM_COLD bool start_tree(WmEarRing *ring) {
  if (wm_box_tree_start(ring->context, ring->count, &ring->edges)) return false;
  for (uint32_t i = 0; i < ring->count; i++) {
    wm_box_tree_set(&ring->edges, i, &ring->points[i], &ring->points[ring->next[i]]);
  }
  return true;
}

WmStatus wm_ear_ring_start(WmContext *context, const WmPlanarPoint *points, uint32_t count, WmEarRing *ring) {
  *ring = (WmEarRing){.context = context, .points = points, .count = count};
  ring->rank = wm_scratch_array(context, count, sizeof *ring->rank + 2 * sizeof *ring->next);
  if (!ring->rank) return WM_ERROR_OUT_OF_MEMORY;
  ring->next = (uint32_t *)(void *)(ring->rank + count);
  ring->previous = ring->next + count;
  for (uint32_t i = 0, previous = count - 1; i < count; previous = i++) {
    ring->next[previous] = i;
    ring->previous[i] = previous;
    ring->rank[i] = WM_EAR_NEVER;
  }
  ring->is_large = count >= WM_EAR_LARGE_FROM;
  return !ring->is_large || start_tree(ring) ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
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
  wm_box_tree_set(&ring->edges, before, &ring->points[before], &ring->points[after]);
}

/* ---- Ranks --------------------------------------------------------------------------------------------- */

bool wm_ear_ring_rank(WmEarRing *ring, uint32_t vertex, int64_t rank) {
  ring->rank[vertex] = rank;
  if (!ring->is_large || rank == WM_EAR_NEVER) return true;
  return wm_ordered_heap_push(ring->context, &ring->heap, (WmOrderedEntry){rank, vertex, {0, 0}});
}

uint32_t wm_ear_ring_take(WmEarRing *ring) {
  uint32_t best = WM_EAR_NONE;
  if (ring->is_large) {
    while (best == WM_EAR_NONE && ring->heap.count > 0) {
      const WmOrderedEntry entry = wm_ordered_heap_pop(&ring->heap);
      if (ring->rank[entry.order] == entry.key) best = (uint32_t)entry.order;
    }
    return best;
  }
  int64_t least = WM_EAR_NEVER;
  uint32_t i = ring->first;
  do {
    if (ring->rank[i] < least) {
      least = ring->rank[i];
      best = i;
    }
    i = ring->next[i];
  } while (i != ring->first);
  return best;
}

void wm_ear_ring_put(const WmEarRing *ring, uint32_t vertex, uint32_t *triangles, uint32_t *triangle_count) {
  uint32_t *triangle = triangles + 3 * (size_t)(*triangle_count)++;
  for (int k = 0; k < 3; k++) {
    triangle[k] = vertex;
    vertex = ring->next[vertex];
  }
}

/* ---- What lies in the way ------------------------------------------------------------------------------ */

/* A segment (two corners) or a triangle that edges of the ring may come into. */
typedef struct Probe {
  const WmEarRing *ring;
  uint32_t corners[3]; /* vertices */
  uint32_t corner_count;
  bool loose;     /* segments: edges may touch */
  uint32_t begin; /* edges from here on count, */
  uint32_t end;   /* up to the one that ends here */
  uint32_t most;  /* edges to find */
  uint32_t found;
} Probe;

static bool same_place(const WmPlanarPoint *points, uint32_t i, uint32_t j) {
  uint64_t a, b; /* both coordinates at once */
  memcpy(&a, &points[i], sizeof a);
  memcpy(&b, &points[j], sizeof b);
  return a == b;
}

/* Few edges come so near that areas are needed: one copy of this will do. */
static WM_COLD int64_t area_of(const WmPlanarPoint *points, uint32_t i, uint32_t j, uint32_t k) {
  return wm_planar_area(points[i], points[j], points[k]);
}

static uint32_t following(const Probe *probe, uint32_t k) {
  return probe->corners[k + 1 == probe->corner_count ? 0 : k + 1];
}

/* Whether the edge ab has a point in the open triangle: that is so unless one of the triangle's lines, or the
 * edge's own, separates them. */
static WM_COLD bool enters_triangle(const Probe *probe, uint32_t a, uint32_t b) {
  const WmPlanarPoint *points = probe->ring->points;
  int64_t least = 0, most = 0;
  for (uint32_t k = 0; k < 3; k++) {
    const uint32_t from = probe->corners[k], to = following(probe, k);
    if (area_of(points, from, to, a) >= 0 && area_of(points, from, to, b) >= 0) return false;
    const int64_t side = area_of(points, a, b, from);
    least = side < least ? side : least;
    most = side > most ? side : most;
  }
  return same_place(points, a, b) || (least < 0 && most > 0); /* not separated: a point is inside */
}

static WM_COLD bool test_edge(Probe *probe, uint32_t from) {
  const uint32_t to = probe->ring->next[from];
  if (probe->corner_count == 3) {
    probe->found += enters_triangle(probe, from, to);
  } else {
    const WmPlanarPoint *points = probe->ring->points;
    const WmPlanarPoint *const ends[4] = {&points[probe->corners[0]], &points[probe->corners[1]],
                                          &points[from], &points[to]};
    probe->found += wm_planar_meet(ends, probe->loose);
  }
  return probe->found >= probe->most;
}

/* Large rings show all edges near the probe, its own too. */
static WM_COLD bool test_leaf(Probe *probe, uint32_t from) {
  const uint32_t to = probe->ring->next[from];
  return to != WM_EAR_NONE && from != probe->end && to != probe->begin && test_edge(probe, from);
}

static WM_COLD void search_tree(Probe *probe) {
  const WmEarRing *ring = probe->ring;
  WmPlanarPoint corners[3];
  for (uint32_t k = 0; k < probe->corner_count; k++) corners[k] = ring->points[probe->corners[k]];
  WmBoxWalk walk;
  wm_box_walk_start(&walk, &ring->edges, corners, (int)probe->corner_count);
  for (uint32_t leaf; (leaf = wm_box_walk_next(&walk)) != WM_NO_LEAF;) {
    if (test_leaf(probe, leaf)) return;
  }
}

/* x, z, -x, -z */
static WmInt4 lanes_of(WmPlanarPoint point) {
  const WmInt4 sign = {0, 0, -1, -1}, lanes = {point.x, point.z, point.x, point.z};
  return (lanes ^ sign) - sign;
}

/* Which bounds a point is beyond. */
static int beyond(WmPlanarPoint point, WmInt4 bound) {
  return wm_mask_int4((WmInt4)(lanes_of(point) > bound));
}

/* Looks at every edge that may come into the probe: those whose ends are not beyond the same bound. Edges
 * that are but a point may stand in a segment's way from anywhere, and all may in the way of a point. */
static uint32_t find_edges(Probe *probe) {
  const WmEarRing *ring = probe->ring;
  if (ring->is_large) {
    search_tree(probe);
    return probe->found;
  }
  const WmPlanarPoint *points = ring->points;
  WmInt4 bound = lanes_of(points[probe->corners[0]]);
  for (uint32_t k = 1; k < probe->corner_count; k++) {
    const WmInt4 lanes = lanes_of(points[probe->corners[k]]);
    bound = wm_select_int4((WmInt4)(lanes > bound), lanes, bound);
  }
  if (same_place(points, probe->corners[0], probe->corners[probe->corner_count - 1])) {
    bound = wm_splat_int4(INT32_MAX - 1);
  }
  uint32_t from = probe->begin;
  int from_beyond = beyond(points[from], bound);
  while (from != probe->end) {
    const uint32_t to = ring->next[from];
    const int to_beyond = beyond(points[to], bound);
    const bool near = !(from_beyond & to_beyond) || same_place(points, from, to);
    if (near && test_edge(probe, from)) break;
    from = to;
    from_beyond = to_beyond;
  }
  return probe->found;
}

bool wm_ear_ring_blocks(const WmEarRing *ring, uint32_t from, uint32_t to, bool loose) {
  Probe probe = {.ring = ring, .corners = {from, to}, .corner_count = 2, .loose = loose, .most = 1};
  probe.begin = ring->next[to];
  probe.end = ring->previous[from];
  return find_edges(&probe) > 0;
}

uint32_t wm_ear_ring_entering(const WmEarRing *ring, uint32_t tip, uint32_t most) {
  const uint32_t previous = ring->previous[tip], next = ring->next[tip];
  Probe probe = {.ring = ring, .corners = {previous, tip, next}, .corner_count = 3, .most = most};
  probe.begin = next;
  probe.end = previous;
  return find_edges(&probe);
}
