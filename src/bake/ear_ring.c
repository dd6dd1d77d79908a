/* The ring of ear clipping. See ear_ring.h. */
#include "bake/ear_ring.h"

/* The boxes of all edges. */
static WM_COLD bool start_tree(WmEarRing *ring) {
  if (wm_box_tree_start(ring->context, ring->count, &ring->edges)) return false;
  for (uint32_t i = 0; i < ring->count; i++) {
    if (!wm_box_tree_put(&ring->edges, i, ring->points[i], ring->points[ring->next[i]])) return false;
  }
  wm_box_tree_finish(&ring->edges);
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

WmStatus wm_ear_ring_cut(WmEarRing *ring, uint32_t vertex) {
  const uint32_t before = ring->previous[vertex], after = ring->next[vertex];
  ring->next[before] = after;
  ring->previous[after] = before;
  ring->next[vertex] = WM_EAR_NONE;
  ring->rank[vertex] = WM_EAR_NEVER;
  if (ring->first == vertex) ring->first = after;
  ring->count--;
  if (!ring->is_large) return WM_OK;
  wm_box_tree_clear(&ring->edges, vertex);
  const bool set = wm_box_tree_set(&ring->edges, before, ring->points[before], ring->points[after]);
  return set ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
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
  const WmPlanarPoint *corners;
  uint32_t corner_count;
  bool loose;     /* segments: edges may touch */
  uint32_t begin; /* edges from here on count, */
  uint32_t end;   /* up to the one that ends here */
  uint32_t most;  /* edges to find */
  uint32_t found;
} Probe;

static WM_COLD bool lies_on(WmPlanarPoint a, WmPlanarPoint b, WmPlanarPoint c) {
  return wm_planar_area(a, b, c) == 0 && wm_planar_within(a, b, c);
}

/* As wm_planar_hit (loose: wm_planar_cross), but for edges that end where the segment does. */
static bool hits_segment(const WmPlanarPoint ends[2], WmPlanarPoint a, WmPlanarPoint b, bool loose) {
  const WmPlanarPoint from = ends[0], to = ends[1];
  if (wm_planar_equal(a, from) || wm_planar_equal(a, to) || wm_planar_equal(b, from) ||
      wm_planar_equal(b, to)) {
    return false;
  }
  const int64_t left = wm_planar_area(from, to, a), right = wm_planar_area(from, to, b);
  const int64_t start = wm_planar_area(a, b, from), end = wm_planar_area(a, b, to);
  if (left != 0 && right != 0 && start != 0 && end != 0) {
    return (left < 0) != (right < 0) && (start < 0) != (end < 0);
  }
  return !loose && (lies_on(from, to, a) || lies_on(from, to, b) || lies_on(a, b, from) || lies_on(a, b, to));
}

/* Whether the edge ab has a point in the open triangle: that is so unless one of the triangle's lines, or the
 * edge's own, separates them. */
static WM_COLD bool enters_triangle(const WmPlanarPoint corners[3], WmPlanarPoint a, WmPlanarPoint b) {
  int64_t least = 0, most = 0;
  for (int k = 0; k < 3; k++) {
    const WmPlanarPoint from = corners[k], to = corners[k == 2 ? 0 : k + 1];
    if (wm_planar_area(from, to, a) >= 0 && wm_planar_area(from, to, b) >= 0) return false;
    const int64_t side = wm_planar_area(a, b, from);
    least = side < least ? side : least;
    most = side > most ? side : most;
  }
  return wm_planar_equal(a, b) || (least < 0 && most > 0); /* not separated: a point is inside */
}

static bool test_edge(void *user, uint32_t from) {
  Probe *probe = user;
  const WmPlanarPoint *points = probe->ring->points, a = points[from], b = points[probe->ring->next[from]];
  probe->found += probe->corner_count == 2 ? hits_segment(probe->corners, a, b, probe->loose)
                                           : enters_triangle(probe->corners, a, b);
  return probe->found >= probe->most;
}

/* Large rings show all edges near the probe, its own too. */
static bool test_leaf(void *user, uint32_t from) {
  const Probe *probe = user;
  const uint32_t to = probe->ring->next[from];
  if (to == WM_EAR_NONE || from == probe->end || to == probe->begin) return false;
  return test_edge(user, from);
}

static WM_COLD void search_tree(const WmEarRing *ring, Probe *probe, WmInt4 bound) {
  const uint32_t n = probe->corner_count;
  WmBoxQuery query = {.bound = bound};
  for (uint32_t k = 0; k < n; k++) {
    wm_box_query_exclude(&query, probe->corners[k], probe->corners[k + 1 == n ? 0 : k + 1], 1);
  }
  for (uint32_t i = 0; i < ring->edges.point_count && n == 2; i++) {
    if (test_leaf(probe, ring->edges.points[i])) return;
  }
  wm_box_tree_search(&ring->edges, &query, test_leaf, probe);
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
static uint32_t find_edges(const WmEarRing *ring, Probe *probe) {
  const WmPlanarPoint *corners = probe->corners;
  WmInt4 bound = lanes_of(corners[0]);
  for (uint32_t k = 1; k < probe->corner_count; k++) {
    const WmInt4 lanes = lanes_of(corners[k]);
    bound = wm_select_int4((WmInt4)(lanes > bound), lanes, bound);
  }
  if (wm_planar_equal(corners[0], corners[probe->corner_count - 1])) bound = wm_splat_int4(INT32_MAX - 1);
  if (ring->is_large) {
    search_tree(ring, probe, bound);
    return probe->found;
  }
  uint32_t from = probe->begin;
  int from_beyond = beyond(ring->points[from], bound);
  while (from != probe->end) {
    const uint32_t to = ring->next[from];
    const int to_beyond = beyond(ring->points[to], bound);
    const bool near = !(from_beyond & to_beyond) || wm_planar_equal(ring->points[from], ring->points[to]);
    if (near && test_edge(probe, from)) break;
    from = to;
    from_beyond = to_beyond;
  }
  return probe->found;
}

bool wm_ear_ring_blocks(const WmEarRing *ring, uint32_t from, uint32_t to, bool loose) {
  const WmPlanarPoint ends[2] = {ring->points[from], ring->points[to]};
  Probe probe = {.ring = ring, .corners = ends, .corner_count = 2, .loose = loose, .most = 1};
  probe.begin = ring->next[to];
  probe.end = ring->previous[from];
  return find_edges(ring, &probe) > 0;
}

uint32_t wm_ear_ring_entering(const WmEarRing *ring, uint32_t tip, uint32_t most) {
  const uint32_t previous = ring->previous[tip], next = ring->next[tip];
  const WmPlanarPoint corners[3] = {ring->points[previous], ring->points[tip], ring->points[next]};
  Probe probe = {.ring = ring, .corners = corners, .corner_count = 3, .most = most};
  probe.begin = next;
  probe.end = previous;
  return find_edges(ring, &probe);
}
