/* Triangulating one ring by ear clipping, shortest diagonal first.
 *
 * In: a ring of points, holes already joined by bridges. A vertex is an ear where the diagonal between its
 * neighbours lies inside; that is found out when a neighbour changes, and not again. Repeatedly the ear with
 * the shortest diagonal is cut off, of equal ones the one whose predecessor has the lowest number. When no
 * ear is left, touching edges are tolerated once. When that fails too, wm_triangulate_any_ring starts afresh.
 * Out: triangles as point numbers.
 *
 * Ears are named and ranked by their predecessor `i`: the triangle is i, next(i), next(next(i)). Source: J.
 * O'Rourke, Computational Geometry in C (2nd ed. 1998), section 1.4; which ear comes first, and what counts
 * as inside, are the Recast library's. */
#include "bake/triangulate.h"
#include "bake/ear_ring.h"

static uint32_t far_end(const WmEarRing *ring, uint32_t i) { return ring->next[ring->next[i]]; }

/* Whether the segment from i to its far end is a diagonal: inside at its start, and free. */
static WM_NOINLINE bool is_diagonal(const WmEarRing *ring, uint32_t i, bool loose) {
  const WmPlanarPoint *points = ring->points;
  const uint32_t far = far_end(ring, i);
  return wm_planar_in_cone(&points[ring->previous[i]], &points[i], &points[ring->next[i]], &points[far],
                           loose) &&
         !wm_ear_ring_blocks(ring, i, far, loose);
}

/* Finds out whether the vertex after i is an ear. */
static WM_NOINLINE bool look_at(WmEarRing *ring, uint32_t i) {
  const bool is_ear = is_diagonal(ring, i, false);
  const int64_t length2 = wm_planar_distance_squared(ring->points[i], ring->points[far_end(ring, i)]);
  return wm_ear_ring_rank(ring, i, is_ear ? length2 : WM_EAR_NEVER);
}

/* The ear to cut when there is none: the length compared reaches one vertex further than the diagonal. */
static WM_COLD uint32_t find_loose(const WmEarRing *ring) {
  uint32_t best = WM_EAR_NONE, i = ring->first;
  int64_t shortest = INT64_MAX;
  do {
    const int64_t length2 =
        wm_planar_distance_squared(ring->points[i], ring->points[ring->next[far_end(ring, i)]]);
    if (length2 < shortest && is_diagonal(ring, i, true)) {
      best = i;
      shortest = length2;
    }
    i = ring->next[i];
  } while (i != ring->first);
  return best;
}

static WmStatus clip_ears(WmEarRing *ring, uint32_t *triangles, uint32_t *triangle_count, bool *failed) {
  for (uint32_t i = 0; i < ring->count && ring->count > 3; i++) {
    if (!look_at(ring, i)) return WM_ERROR_OUT_OF_MEMORY;
  }
  for (;;) {
    uint32_t i = ring->first;
    if (ring->count > 3) i = wm_ear_ring_take(ring);
    if (i == WM_EAR_NONE) i = find_loose(ring);
    *failed = i == WM_EAR_NONE;
    if (*failed) return WM_OK;
    wm_ear_ring_put(ring, i, triangles, triangle_count);
    if (ring->count == 3) return WM_OK;
    wm_ear_ring_cut(ring, ring->next[i]);
    /* Only the two diagonals that end here are looked at again; others may have become stale, and stay so. */
    if (ring->count > 3 && !(look_at(ring, ring->previous[i]) && look_at(ring, i))) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
}

WmStatus wm_triangulate_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                             uint32_t *triangles, uint32_t *triangle_count, bool *failed) {
  bool clipping_failed = false;
  *triangle_count = 0;
  if (count >= 3) {
    const WmScratchMark mark = wm_scratch_mark(context);
    WmEarRing ring;
    WmStatus status = wm_ear_ring_start(context, points, count, &ring);
    if (!status) status = clip_ears(&ring, triangles, triangle_count, &clipping_failed);
    wm_scratch_rewind(context, mark);
    if (clipping_failed) status = wm_triangulate_any_ring(context, points, count, triangles, triangle_count);
    if (status) return status;
  }
  if (failed) *failed = clipping_failed;
  return WM_OK;
}
