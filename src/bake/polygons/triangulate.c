/* Triangulates one ring by ear clipping: by the Recast library's rules, and by our own where these fail.
 *
 * In: a ring of points, holes already joined by bridges. Tips are ranked; repeatedly the one with the
 * lowest rank is cut off, and its two neighbours are ranked again. Out: triangles as indices of points.
 *
 * By Recast's rules a vertex is an ear if the diagonal between its neighbours lies inside. That is tested
 * when a neighbour changes, and not again. Ears are cut by the length of the diagonal, the one whose
 * predecessor has the lowest number among equal ones. Their number is that of their predecessor `i`, so
 * that the triangle is i, next(i), next(next(i)). When no ear is left, diagonals may touch edges once.
 *
 * This fails for some rings that touch or cross themselves, double back, or have equal points, as
 * simplified contours and joined holes sometimes do. Then all vertices are rated from the start by our own
 * rules, in this order:
 *
 *   TIP_SPIKE     spikes and equal points: dropped, no triangle
 *   TIP_EAR       no edge of the ring enters the triangle; the shortest diagonal first
 *   TIP_STRAIGHT  a vertex on a straight line: dropped, no triangle
 *   TIP_ENTERED   edges enter the triangle; the fewest first
 *   TIP_REFLEX    a reflex vertex: dropped, the smallest triangle first
 *
 * A ring that at most touches itself needs true ears only, whose areas add up to its own. A rating can
 * improve when something elsewhere is cut off: all are computed again when no good one is left, at most
 * once per eighth of the ring cut, so that the total stays near O(n log n) probes.
 *
 * Source: J. O'Rourke, Computational Geometry in C (2nd ed. 1998), section 1.4; M. Held, FIST: Fast
 * Industrial-Strength Triangulation of Polygons (2001), for the gradual fallback; the count of entering
 * edges is our own. */
#include "bake/polygons/triangulate.h"
#include "bake/polygons/ear_ring.h"

/* Kinds of tips; distances and areas of a grid stay below the step between them. */
#define TIP_STEP ((int64_t)1 << 44)
enum { TIP_SPIKE = 0, TIP_EAR = 1, TIP_STRAIGHT = 2, TIP_ENTERED = 3, TIP_REFLEX = 4 };
enum { ENTERING_SHIFT = 36 }; /* above the squared length of a diagonal */

typedef struct Clipper {
  WmEarRing ring;
  bool any;                   /* by our own rules: ranks belong to tips, not to their predecessors */
  uint32_t cuts_since_rating; /* since all ranks were computed */
  uint32_t *triangles, triangle_count;
} Clipper;

/* ---- Ranks --------------------------------------------------------------------------------------------- */

static WM_COLD int64_t rate(const WmEarRing *ring, uint32_t tip) {
  const uint32_t previous = ring->previous[tip];
  const WmPlanarPoint p = ring->points[previous], m = ring->points[tip], n = ring->points[ring->next[tip]];
  const int64_t area = wm_planar_area(p, m, n);
  if (area > 0) return TIP_REFLEX * TIP_STEP + area;
  if (area == 0) {
    const int64_t ahead = (int64_t)(m.x - p.x) * (n.x - m.x) + (int64_t)(m.z - p.z) * (n.z - m.z);
    return ahead > 0 ? TIP_STRAIGHT * TIP_STEP : TIP_SPIKE * TIP_STEP;
  }
  const int64_t entering = wm_ear_ring_probe(ring, previous, WM_EAR_INSIDE);
  return (entering ? TIP_ENTERED : TIP_EAR) * TIP_STEP + (entering << ENTERING_SHIFT) +
         wm_planar_distance_squared(p, n);
}

/* True if the segment from i to the next vertex but one is a diagonal: inside at its start, and
 * unobstructed. */
static WM_NOINLINE bool is_diagonal(const WmEarRing *ring, uint32_t i, WmEarProbe kind) {
  const WmPlanarPoint *points = ring->points;
  const uint32_t tip = ring->next[i];
  return wm_planar_in_cone(&points[ring->previous[i]], &points[i], &points[tip], &points[ring->next[tip]],
                           kind == WM_EAR_LOOSE) &&
         !wm_ear_ring_probe(ring, i, kind);
}

/* Ranks a tip; false after recording out-of-memory. */
static WM_NOINLINE bool rank_tip(Clipper *clipper, uint32_t tip) {
  WmEarRing *ring = &clipper->ring;
  if (clipper->any) return wm_ear_ring_rank(ring, tip, rate(ring, tip));
  const uint32_t i = ring->previous[tip];
  int64_t rank = WM_EAR_NEVER;
  if (is_diagonal(ring, i, WM_EAR_FREE)) {
    rank = wm_planar_distance_squared(ring->points[i], ring->points[ring->next[tip]]);
  }
  return wm_ear_ring_rank(ring, i, rank);
}

static WM_COLD bool rank_all(Clipper *clipper) {
  WmEarRing *ring = &clipper->ring;
  clipper->cuts_since_rating = 0;
  ring->heap.count = 0;
  uint32_t tip = ring->first;
  do {
    if (!rank_tip(clipper, tip)) return false;
    tip = ring->next[tip];
  } while (tip != ring->first);
  return true;
}

/* ---- Choosing a tip --------------------------------------------------------------------------------- */

/* The ear to cut when none is ranked. The length compared reaches one vertex further than the diagonal. */
static WM_COLD uint32_t find_loose(const WmEarRing *ring) {
  uint32_t best = WM_EAR_NONE, i = ring->first;
  int64_t shortest = INT64_MAX;
  do {
    const uint32_t next = ring->next[i], beyond = ring->next[ring->next[next]];
    const int64_t length2 = wm_planar_distance_squared(ring->points[i], ring->points[beyond]);
    if (length2 < shortest && is_diagonal(ring, i, WM_EAR_LOOSE)) {
      best = i;
      shortest = length2;
    }
    i = next;
  } while (i != ring->first);
  return best;
}

/* The vertex with the best current rating, which is then its rank; WM_EAR_NONE if memory ran out. */
static WM_COLD uint32_t pop_best(Clipper *clipper) {
  WmEarRing *ring = &clipper->ring;
  for (;;) {
    const uint32_t tip = wm_ear_ring_pop(ring);
    const int64_t rank = ring->rank[tip];
    if (rank >= TIP_STRAIGHT * TIP_STEP && 8 * (uint64_t)clipper->cuts_since_rating > ring->count) {
      if (!rank_all(clipper)) return WM_EAR_NONE;
      continue;
    }
    if (!rank_tip(clipper, tip)) return WM_EAR_NONE;
    if (ring->rank[tip] <= rank) return tip;
  }
}

/* ---- Cutting ------------------------------------------------------------------------------------------- */

/* Cuts the whole ring into triangles; *failed: Recast's rules found no ear. */
static WmStatus cut_all(Clipper *clipper, bool *failed) {
  WmEarRing *ring = &clipper->ring;
  const bool any = clipper->any;
  /* Recast does not test the last triangle. */
  bool is_ranked = (!any && ring->count == 3) || rank_all(clipper);
  while (is_ranked) {
    bool has_inside = true;
    uint32_t tip;
    if (any) {
      tip = pop_best(clipper);
      if (tip == WM_EAR_NONE) break;
      const int64_t kind = ring->rank[tip] / TIP_STEP;
      has_inside = kind == TIP_EAR || kind == TIP_ENTERED;
    } else {
      uint32_t i = ring->count == 3 ? ring->first : wm_ear_ring_pop(ring);
      if (i == WM_EAR_NONE) i = find_loose(ring);
      /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): only callers that pass `any` pass none */
      *failed = i == WM_EAR_NONE;
      if (*failed) return WM_OK;
      tip = ring->next[i];
    }
    const uint32_t previous = ring->previous[tip], next = ring->next[tip];
    if (has_inside) {
      uint32_t *triangle = clipper->triangles + 3 * (size_t)clipper->triangle_count++;
      triangle[0] = previous;
      triangle[1] = tip;
      triangle[2] = next;
    }
    if (ring->count == 3) return WM_OK;
    wm_ear_ring_cut(ring, tip);
    clipper->cuts_since_rating++;
    /* Only these two are ranked again; other ranks may become outdated, and stay so. */
    is_ranked = (!any && ring->count == 3) || (rank_tip(clipper, previous) && rank_tip(clipper, next));
  }
  return WM_ERROR_OUT_OF_MEMORY;
}

static WM_COLD WmStatus triangulate(WmContext *context, const WmPlanarPoint *points, uint32_t count, bool any,
                                    uint32_t *triangles, uint32_t *triangle_count, bool *failed) {
  Clipper clipper = {
      .ring = {.context = context, .points = points, .count = count}, .any = any, .triangles = triangles};
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = wm_ear_ring_start(&clipper.ring);
  if (!status) status = cut_all(&clipper, failed);
  wm_scratch_rewind(context, mark);
  *triangle_count = clipper.triangle_count;
  return status;
}

WM_COLD WmStatus wm_triangulate_any_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                                         uint32_t *triangles, uint32_t *triangle_count) {
  *triangle_count = 0;
  int64_t area = 0;
  for (uint32_t i = 1; i + 1 < count; i++) area += wm_planar_side(points, points + i, points + i + 1);
  return area < 0 ? triangulate(context, points, count, true, triangles, triangle_count, NULL) : WM_OK;
}

WM_COLD WmStatus wm_triangulate_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                                     uint32_t *triangles, uint32_t *triangle_count, bool *failed) {
  bool clipping_failed = false;
  WmStatus status = WM_OK;
  *triangle_count = 0;
  if (count >= 3) {
    status = triangulate(context, points, count, false, triangles, triangle_count, &clipping_failed);
  }
  if (clipping_failed) status = wm_triangulate_any_ring(context, points, count, triangles, triangle_count);
  if (failed) *failed = clipping_failed;
  return status;
}
