/* Triangulating one ring by ear clipping, shortest diagonal first.
 *
 * In: a ring of points, holes already joined by bridges. A vertex is an ear where the diagonal between its
 * neighbours lies inside; that is found out when a neighbour changes, and not again. Repeatedly the ear with
 * the shortest diagonal is cut off, of equal ones the one whose predecessor has the lowest number. When no
 * ear is left, touching edges are tolerated once. When that fails too, wm_triangulate_any_ring starts afresh.
 * Out: triangles as point numbers.
 *
 * Large rings keep their ears in a heap and their edges in a tree of boxes, so that a cut costs about O(log
 * n); small ones are searched from end to end. Both choose the same ears. Source: J. O'Rourke, Computational
 * Geometry in C (2nd ed. 1998), section 1.4; which ear comes first, and what counts as inside, are the Recast
 * library's. */
#include "bake/ear_ring.h"
#include "bake/ordered_heap.h"
#include "bake/triangulate.h"

/* Ears are named by their predecessor `i`: the triangle is i, next(i), next(next(i)). */
typedef struct Clipper {
  WmEarRing ring;
  uint8_t *is_ear;    /* [count] by predecessor */
  int64_t *length2;   /* [count] of the diagonal, where is_ear */
  WmOrderedHeap heap; /* large rings only: (length2, i), stamped with */
  uint32_t *stamp;    /* [count] how often i has been looked at */
} Clipper;

typedef struct Diagonal {
  const WmEarRing *ring;
  WmPlanarPoint from, to;
} Diagonal;

static bool touches_end(const Diagonal *diagonal, WmPlanarPoint a, WmPlanarPoint b) {
  return wm_planar_equal(a, diagonal->from) || wm_planar_equal(a, diagonal->to) ||
         wm_planar_equal(b, diagonal->from) || wm_planar_equal(b, diagonal->to);
}

static bool is_hit(void *user, uint32_t from) {
  const Diagonal *diagonal = user;
  const WmPlanarPoint a = diagonal->ring->points[from],
                      b = diagonal->ring->points[diagonal->ring->next[from]];
  return wm_planar_hit(diagonal->from, diagonal->to, a, b) && !touches_end(diagonal, a, b);
}

static bool is_crossed(void *user, uint32_t from) {
  const Diagonal *diagonal = user;
  const WmPlanarPoint a = diagonal->ring->points[from],
                      b = diagonal->ring->points[diagonal->ring->next[from]];
  return !wm_planar_apart(diagonal->from, diagonal->to, a, b) &&
         wm_planar_cross(diagonal->from, diagonal->to, a, b) && !touches_end(diagonal, a, b);
}

/* Whether the segment between two vertices of the ring is a diagonal: inside at its start, and free. */
static bool is_diagonal(const WmEarRing *ring, uint32_t i, uint32_t j, bool loose) {
  Diagonal diagonal = {ring, ring->points[i], ring->points[j]};
  const WmPlanarPoint previous = ring->points[ring->previous[i]], next = ring->points[ring->next[i]];
  if (!wm_planar_in_cone(previous, diagonal.from, next, diagonal.to, loose)) return false;
  return !wm_ear_ring_visit(ring, diagonal.from, diagonal.to, loose ? is_crossed : is_hit, &diagonal);
}

/* Finds out whether the vertex after i is an ear. */
static bool look_at(Clipper *clipper, uint32_t i) {
  WmEarRing *ring = &clipper->ring;
  const uint32_t far = ring->next[ring->next[i]];
  clipper->is_ear[i] = is_diagonal(ring, i, far, false);
  clipper->stamp[i]++;
  if (!clipper->is_ear[i]) return true;
  clipper->length2[i] = wm_planar_distance_squared(ring->points[i], ring->points[far]);
  if (!ring->has_tree) return true;
  const WmOrderedEntry entry = {clipper->length2[i], i, {clipper->stamp[i], 0}};
  return wm_ordered_heap_push(ring->context, &clipper->heap, entry);
}

static uint32_t find_shortest(const Clipper *clipper) {
  const WmEarRing *ring = &clipper->ring;
  uint32_t best = WM_EAR_NONE, i = ring->first;
  do {
    if (clipper->is_ear[i] && (best == WM_EAR_NONE || clipper->length2[i] < clipper->length2[best])) best = i;
    i = ring->next[i];
  } while (i != ring->first);
  return best;
}

static uint32_t take_shortest(Clipper *clipper) {
  if (!clipper->ring.has_tree) return find_shortest(clipper);
  while (clipper->heap.count > 0) {
    const WmOrderedEntry entry = wm_ordered_heap_pop(&clipper->heap);
    const uint32_t i = (uint32_t)entry.order;
    if (clipper->ring.next[i] != WM_EAR_NONE && clipper->stamp[i] == entry.stamp[0]) return i;
  }
  return WM_EAR_NONE;
}

/* The ear to cut when there is none: the length compared reaches one vertex further than the diagonal. */
static uint32_t find_loose(const Clipper *clipper) {
  const WmEarRing *ring = &clipper->ring;
  uint32_t best = WM_EAR_NONE, i = ring->first;
  int64_t shortest = 0;
  do {
    const uint32_t far = ring->next[ring->next[i]];
    const int64_t length2 = wm_planar_distance_squared(ring->points[i], ring->points[ring->next[far]]);
    if ((best == WM_EAR_NONE || length2 < shortest) && is_diagonal(ring, i, far, true)) {
      best = i;
      shortest = length2;
    }
    i = ring->next[i];
  } while (i != ring->first);
  return best;
}

static WmStatus start(WmContext *context, const WmPlanarPoint *points, uint32_t count, Clipper *clipper) {
  *clipper = (Clipper){0};
  const WmStatus status = wm_ear_ring_start(context, points, count, &clipper->ring);
  if (status) return status;
  clipper->is_ear = wm_scratch_array(context, count, 1);
  clipper->length2 = wm_scratch_array(context, count, sizeof *clipper->length2);
  clipper->stamp = wm_scratch_zeroed(context, count, sizeof *clipper->stamp);
  if (!clipper->is_ear || !clipper->length2 || !clipper->stamp) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    if (!look_at(clipper, i)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

static void put_triangle(uint32_t *triangles, uint32_t *triangle_count, const WmEarRing *ring, uint32_t i) {
  uint32_t *triangle = triangles + 3 * (size_t)(*triangle_count)++;
  triangle[0] = i;
  triangle[1] = ring->next[i];
  triangle[2] = ring->next[ring->next[i]];
}

static WmStatus clip_ears(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                          uint32_t *triangles, uint32_t *triangle_count, bool *failed) {
  Clipper clipper;
  WmStatus status = start(context, points, count, &clipper);
  WmEarRing *ring = &clipper.ring;
  while (!status && ring->count > 3) {
    uint32_t i = take_shortest(&clipper);
    if (i == WM_EAR_NONE) i = find_loose(&clipper);
    if (i == WM_EAR_NONE) {
      *failed = true;
      return WM_OK;
    }
    put_triangle(triangles, triangle_count, ring, i);
    status = wm_ear_ring_cut(ring, ring->next[i]);
    /* Only the two diagonals that end here are looked at again; others may have become stale, and stay so. */
    if (!status && !(look_at(&clipper, ring->previous[i]) && look_at(&clipper, i))) {
      status = WM_ERROR_OUT_OF_MEMORY;
    }
  }
  if (!status) put_triangle(triangles, triangle_count, ring, ring->first);
  return status;
}

WmStatus wm_triangulate_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                             uint32_t *triangles, uint32_t *triangle_count, bool *failed) {
  bool clipping_failed = false;
  WmStatus status = WM_OK;
  *triangle_count = 0;
  if (count == 3) {
    for (uint32_t i = 0; i < 3; i++) triangles[i] = i;
    *triangle_count = 1;
  } else if (count > 3) {
    const WmScratchMark mark = wm_scratch_mark(context);
    status = clip_ears(context, points, count, triangles, triangle_count, &clipping_failed);
    wm_scratch_rewind(context, mark);
    if (clipping_failed) status = wm_triangulate_any_ring(context, points, count, triangles, triangle_count);
  }
  if (failed) *failed = clipping_failed;
  return status;
}
