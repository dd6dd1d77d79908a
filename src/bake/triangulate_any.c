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
#include "bake/ordered_heap.h"
#include "bake/triangulate.h"

/* Classes of ratings; distances and areas of a grid stay below the step between them. */
#define CLASS_STEP ((int64_t)1 << 44)
enum { CLASS_SPIKE = 0, CLASS_EAR = 1, CLASS_STRAIGHT = 2, CLASS_ENTERED = 3, CLASS_REFLEX = 4 };
enum {
  MOST_ENTERING = 255, /* more are not told apart */
  ENTERING_SHIFT = 36  /* above the squared length of a diagonal */
};

typedef struct Rater {
  WmEarRing ring;
  WmOrderedHeap heap; /* (rating, vertex), stamped with */
  uint32_t *stamp;    /* [count] how often a vertex has been rated */
} Rater;

/* The triangle of a vertex and its neighbours, for counting edges that enter it. */
typedef struct Triangle {
  const WmEarRing *ring;
  uint32_t tip;
  WmPlanarPoint corners[3]; /* previous, tip, next */
  uint32_t entering;
} Triangle;

/* Whether the segment ab has a point in the open triangle: that is so unless one of the triangle's lines, or
 * the segment's own, separates them. Inside of the triangle is where areas are negative. */
static bool enters(const WmPlanarPoint corners[3], WmPlanarPoint a, WmPlanarPoint b) {
  for (int k = 0; k < 3; k++) {
    const WmPlanarPoint from = corners[k], to = corners[k == 2 ? 0 : k + 1];
    if (wm_planar_area(from, to, a) >= 0 && wm_planar_area(from, to, b) >= 0) return false;
  }
  int64_t sides[3];
  for (int k = 0; k < 3; k++) sides[k] = wm_planar_area(a, b, corners[k]);
  if (wm_planar_equal(a, b)) return true; /* not separated: a point inside */
  return !(sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0) &&
         !(sides[0] <= 0 && sides[1] <= 0 && sides[2] <= 0);
}

static bool count_entering(void *user, uint32_t from) {
  Triangle *triangle = user;
  const WmEarRing *ring = triangle->ring;
  if (from == triangle->tip || ring->next[from] == triangle->tip) return false;
  const WmPlanarPoint a = ring->points[from], b = ring->points[ring->next[from]];
  if (enters(triangle->corners, a, b)) triangle->entering++;
  return triangle->entering >= MOST_ENTERING;
}

static int64_t rate(const WmEarRing *ring, uint32_t tip) {
  const WmPlanarPoint p = ring->points[ring->previous[tip]], m = ring->points[tip],
                      n = ring->points[ring->next[tip]];
  const int64_t area = wm_planar_area(p, m, n);
  if (area > 0) return CLASS_REFLEX * CLASS_STEP + area;
  if (area == 0) {
    const int64_t ahead = (int64_t)(m.x - p.x) * (n.x - m.x) + (int64_t)(m.z - p.z) * (n.z - m.z);
    return ahead > 0 ? CLASS_STRAIGHT * CLASS_STEP : CLASS_SPIKE * CLASS_STEP;
  }
  Triangle triangle = {ring, tip, {p, m, n}, 0};
  wm_ear_ring_visit_triangle(ring, triangle.corners, count_entering, &triangle);
  const int64_t length2 = wm_planar_distance_squared(p, n);
  if (triangle.entering == 0) return CLASS_EAR * CLASS_STEP + length2;
  return CLASS_ENTERED * CLASS_STEP + ((int64_t)triangle.entering << ENTERING_SHIFT) + length2;
}

static bool push_rated(Rater *rater, uint32_t vertex, int64_t rating) {
  const WmOrderedEntry entry = {rating, vertex, {++rater->stamp[vertex], 0}};
  return wm_ordered_heap_push(rater->ring.context, &rater->heap, entry);
}

static bool rate_all(Rater *rater) {
  rater->heap.count = 0;
  uint32_t vertex = rater->ring.first;
  do {
    if (!push_rated(rater, vertex, rate(&rater->ring, vertex))) return false;
    vertex = rater->ring.next[vertex];
  } while (vertex != rater->ring.first);
  return true;
}

/* The best vertex with a rating that holds now. */
static WmStatus take_best(Rater *rater, uint32_t *cuts_since_rating, uint32_t *best, int64_t *best_rating) {
  const WmEarRing *ring = &rater->ring;
  for (;;) {
    if (rater->heap.count == 0) {
      if (!rate_all(rater)) return WM_ERROR_OUT_OF_MEMORY;
      *cuts_since_rating = 0;
    }
    const WmOrderedEntry entry = wm_ordered_heap_pop(&rater->heap);
    const uint32_t vertex = (uint32_t)entry.order;
    if (ring->next[vertex] == WM_EAR_NONE || rater->stamp[vertex] != entry.stamp[0]) continue;
    if (entry.key >= CLASS_STRAIGHT * CLASS_STEP && 8 * (uint64_t)*cuts_since_rating > ring->count) {
      if (!rate_all(rater)) return WM_ERROR_OUT_OF_MEMORY;
      *cuts_since_rating = 0;
      continue;
    }
    const int64_t rating = rate(ring, vertex);
    if (rating <= entry.key) {
      *best = vertex;
      *best_rating = rating;
      return WM_OK;
    }
    if (!push_rated(rater, vertex, rating)) return WM_ERROR_OUT_OF_MEMORY;
  }
}

static WmStatus cut_all(Rater *rater, uint32_t *triangles, uint32_t *triangle_count) {
  WmEarRing *ring = &rater->ring;
  uint32_t cuts_since_rating = 0;
  if (!rate_all(rater)) return WM_ERROR_OUT_OF_MEMORY;
  while (ring->count >= 3) {
    uint32_t tip = 0;
    int64_t rating = 0;
    WmStatus status = take_best(rater, &cuts_since_rating, &tip, &rating);
    if (status) return status;
    const uint32_t previous = ring->previous[tip], next = ring->next[tip];
    const int64_t class = rating / CLASS_STEP;
    if (class == CLASS_EAR || class == CLASS_ENTERED) {
      uint32_t *triangle = triangles + 3 * (size_t)(*triangle_count)++;
      triangle[0] = previous;
      triangle[1] = tip;
      triangle[2] = next;
    }
    if (ring->count == 3) return WM_OK;
    status = wm_ear_ring_cut(ring, tip);
    if (status) return status;
    cuts_since_rating++;
    if (!push_rated(rater, previous, rate(ring, previous)) || !push_rated(rater, next, rate(ring, next))) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  return WM_OK;
}

WmStatus wm_triangulate_any_ring(WmContext *context, const WmPlanarPoint *points, uint32_t count,
                                 uint32_t *triangles, uint32_t *triangle_count) {
  *triangle_count = 0;
  int64_t area = 0;
  for (uint32_t i = 1; i + 1 < count; i++) area += wm_planar_area(points[0], points[i], points[i + 1]);
  if (area >= 0) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  Rater rater = {0};
  WmStatus status = wm_ear_ring_start(context, points, count, &rater.ring);
  if (!status) {
    rater.stamp = wm_scratch_zeroed(context, count, sizeof *rater.stamp);
    status = rater.stamp ? cut_all(&rater, triangles, triangle_count) : WM_ERROR_OUT_OF_MEMORY;
  }
  wm_scratch_rewind(context, mark);
  return status;
}
