/* Triangulating rings that defeat plain ear clipping: they touch or cross themselves, double back, or have
 * equal points, as simplified contours and joined holes sometimes do.
 *
 * Every vertex is rated. Best are those that cost nothing to drop (spikes, equal points); then true ears,
 * whose triangle has an inside that no edge of the ring enters, shortest diagonal first; then vertices on a
 * straight line, which are dropped; then triangles that fewest edges enter; last vertices that turn the wrong
 * way, which are dropped, the smallest first. A ring that at most touches itself is finished with true ears
 * alone, whose areas add up to its own.
 *
 * Ratings can grow better when something elsewhere is cut off; that is looked into when no good ones are
 * left, at most once for each eighth of the ring cut, so that the whole stays near O(n log n) looks. Source:
 * M. Held, FIST: Fast Industrial-Strength Triangulation of Polygons (2001), for degrading by steps; the
 * measure by entering edges is our own. */
#include "bake/ear_ring.h"
#include "bake/triangulate.h"

/* Classes of ratings; distances and areas of a grid stay below the step between them. */
#define CLASS_STEP ((int64_t)1 << 44)
enum { CLASS_SPIKE = 0, CLASS_EAR = 1, CLASS_STRAIGHT = 2, CLASS_ENTERED = 3, CLASS_REFLEX = 4 };
enum {
  MOST_ENTERING = 255, /* more are not told apart */
  ENTERING_SHIFT = 36  /* above the squared length of a diagonal */
};

static int64_t rate(const WmEarRing *ring, uint32_t tip) {
  const WmPlanarPoint p = ring->points[ring->previous[tip]], m = ring->points[tip],
                      n = ring->points[ring->next[tip]];
  const int64_t area = wm_planar_area(p, m, n);
  if (area > 0) return CLASS_REFLEX * CLASS_STEP + area;
  if (area == 0) {
    const int64_t ahead = (int64_t)(m.x - p.x) * (n.x - m.x) + (int64_t)(m.z - p.z) * (n.z - m.z);
    return ahead > 0 ? CLASS_STRAIGHT * CLASS_STEP : CLASS_SPIKE * CLASS_STEP;
  }
  const int64_t entering = wm_ear_ring_entering(ring, tip, MOST_ENTERING);
  return (entering ? CLASS_ENTERED : CLASS_EAR) * CLASS_STEP + (entering << ENTERING_SHIFT) +
         wm_planar_distance_squared(p, n);
}

static bool rate_all(WmEarRing *ring) {
  ring->heap.count = 0;
  uint32_t vertex = ring->first;
  do {
    if (!wm_ear_ring_rank(ring, vertex, rate(ring, vertex))) return false;
    vertex = ring->next[vertex];
  } while (vertex != ring->first);
  return true;
}

/* The best vertex with a rating that holds now: it then is the vertex's rank. */
static WmStatus take_best(WmEarRing *ring, uint32_t *cuts_since_rating, uint32_t *best) {
  for (;;) {
    const uint32_t vertex = wm_ear_ring_take(ring);
    const int64_t rank = ring->rank[vertex];
    if (rank >= CLASS_STRAIGHT * CLASS_STEP && 8 * (uint64_t)*cuts_since_rating > ring->count) {
      if (!rate_all(ring)) return WM_ERROR_OUT_OF_MEMORY;
      *cuts_since_rating = 0;
      continue;
    }
    const int64_t rating = rate(ring, vertex);
    *best = vertex;
    if (rating <= rank) {
      ring->rank[vertex] = rating;
      return WM_OK;
    }
    if (!wm_ear_ring_rank(ring, vertex, rating)) return WM_ERROR_OUT_OF_MEMORY;
  }
}

static WmStatus cut_all(WmEarRing *ring, uint32_t *triangles, uint32_t *triangle_count) {
  uint32_t cuts_since_rating = 0;
  if (!rate_all(ring)) return WM_ERROR_OUT_OF_MEMORY;
  for (;;) {
    uint32_t tip = 0;
    WmStatus status = take_best(ring, &cuts_since_rating, &tip);
    if (status) return status;
    const uint32_t previous = ring->previous[tip], next = ring->next[tip];
    const int64_t class = ring->rank[tip] / CLASS_STEP;
    if (class == CLASS_EAR || class == CLASS_ENTERED) {
      wm_ear_ring_put(ring, previous, triangles, triangle_count);
    }
    if (ring->count == 3) return WM_OK;
    wm_ear_ring_cut(ring, tip);
    cuts_since_rating++;
    if (!wm_ear_ring_rank(ring, previous, rate(ring, previous)) ||
        !wm_ear_ring_rank(ring, next, rate(ring, next))) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
}

WmStatus wm_triangulate_any_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                                 uint32_t *triangles, uint32_t *triangle_count) {
  *triangle_count = 0;
  int64_t area = 0;
  for (uint32_t i = 1; i + 1 < count; i++) area += wm_planar_area(points[0], points[i], points[i + 1]);
  if (area >= 0) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmEarRing ring;
  WmStatus status = wm_ear_ring_start(context, points, count, &ring);
  if (!status) status = cut_all(&ring, triangles, triangle_count);
  wm_scratch_rewind(context, mark);
  return status;
}
