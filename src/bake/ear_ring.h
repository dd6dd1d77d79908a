/* The ring of vertices that ear clipping works on: a circular list with its edges in a grid.
 *
 * Vertices keep their numbers; cutting one off joins its neighbours by a new edge. Small rings have no grid:
 * walking all edges is quicker there. Memory is scratch memory of the context. */
#ifndef WALKMESH_BAKE_EAR_RING_H
#define WALKMESH_BAKE_EAR_RING_H

#include "bake/segment_grid.h"

#define WM_EAR_NONE UINT32_MAX

/* From here on a grid is quicker. Measured on random and comb-shaped rings; 24 to 64 differ little. */
enum { WM_EAR_GRID_FROM = 40 };

typedef struct WmEarRing {
  WmContext *context;
  const WmPlanarPoint *points;
  uint32_t *next, *previous; /* next is WM_EAR_NONE for vertices cut off */
  uint32_t first;            /* the lowest number left */
  uint32_t count;            /* vertices left */
  bool has_grid;
  WmSegmentGrid grid;
  uint32_t *edge_from, *edge_to; /* every edge there was; it still is one where next[from] is to */
  uint32_t edge_count;
} WmEarRing;

WmStatus wm_ear_ring_start(WmContext *context, const WmPlanarPoint *points, uint32_t count, WmEarRing *ring);

/* Takes a vertex out of the ring. */
WmStatus wm_ear_ring_cut(WmEarRing *ring, uint32_t vertex);

/* A test of the edge from a vertex to its successor; true ends the visit. */
typedef struct WmEarVisit {
  const WmEarRing *ring;
  bool (*test)(void *user, uint32_t from);
  void *user;
} WmEarVisit;

static inline bool wm_ear_ring_test(void *user, uint32_t edge) {
  const WmEarVisit *visit = (const WmEarVisit *)user;
  const uint32_t from = visit->ring->edge_from[edge];
  return visit->ring->next[from] == visit->ring->edge_to[edge] && visit->test(visit->user, from);
}

static inline bool wm_ear_ring_visit_all(const WmEarRing *ring, bool (*test)(void *user, uint32_t from),
                                         void *user) {
  uint32_t from = ring->first;
  do {
    if (test(user, from)) return true;
    from = ring->next[from];
  } while (from != ring->first);
  return false;
}

/* Shows `test` every edge that may touch the segment ab. */
static inline bool wm_ear_ring_visit(const WmEarRing *ring, WmPlanarPoint a, WmPlanarPoint b,
                                     bool (*test)(void *user, uint32_t from), void *user) {
  if (!ring->has_grid) return wm_ear_ring_visit_all(ring, test, user);
  WmEarVisit visit = {ring, test, user};
  return wm_segment_grid_visit(&ring->grid, a, b, wm_ear_ring_test, &visit);
}

/* Shows `test` every edge that may touch the triangle. */
static inline bool wm_ear_ring_visit_triangle(const WmEarRing *ring, const WmPlanarPoint corners[3],
                                              bool (*test)(void *user, uint32_t from), void *user) {
  if (!ring->has_grid) return wm_ear_ring_visit_all(ring, test, user);
  WmEarVisit visit = {ring, test, user};
  return wm_segment_grid_visit_triangle(&ring->grid, corners, wm_ear_ring_test, &visit);
}

#endif
