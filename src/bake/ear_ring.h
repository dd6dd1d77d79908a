/* The ring of vertices that ear clipping works on: a circular list, with its edges in a tree of boxes.
 *
 * Vertices keep their numbers; cutting one off joins its neighbours by a new edge. An edge goes by the number
 * of the vertex it starts from. Small rings have no tree: walking all edges is quicker there. Memory is
 * scratch memory of the context. */
#ifndef WALKMESH_BAKE_EAR_RING_H
#define WALKMESH_BAKE_EAR_RING_H

#include "bake/box_tree.h"

#define WM_EAR_NONE UINT32_MAX

/* From here on the tree is quicker; on real contours anything from 28 to 64 does as well. */
enum { WM_EAR_TREE_FROM = 40 };

typedef struct WmEarRing {
  WmContext *context;
  const WmPlanarPoint *points;
  uint32_t *next, *previous; /* next is WM_EAR_NONE for vertices cut off */
  uint32_t first;            /* the lowest number left */
  uint32_t count;            /* vertices left */
  bool has_tree;
  WmBoxTree edges; /* leaf v: the edge from v to next[v] */
} WmEarRing;

WmStatus wm_ear_ring_start(WmContext *context, const WmPlanarPoint *points, uint32_t count, WmEarRing *ring);

/* Takes a vertex out of the ring. */
WmStatus wm_ear_ring_cut(WmEarRing *ring, uint32_t vertex);

static inline bool wm_ear_ring_visit_all(const WmEarRing *ring, WmLeafTest test, void *user) {
  uint32_t from = ring->first;
  do {
    if (test(user, from)) return true;
    from = ring->next[from];
  } while (from != ring->first);
  return false;
}

/* Shows `test` every edge that may touch the segment ab. */
static inline bool wm_ear_ring_visit(const WmEarRing *ring, WmPlanarPoint a, WmPlanarPoint b, WmLeafTest test,
                                     void *user) {
  if (!ring->has_tree) return wm_ear_ring_visit_all(ring, test, user);
  return wm_box_tree_visit(&ring->edges, a, b, test, user);
}

/* Shows `test` every edge that may have a point inside the triangle. */
static inline bool wm_ear_ring_visit_triangle(const WmEarRing *ring, const WmPlanarPoint corners[3],
                                              WmLeafTest test, void *user) {
  if (!ring->has_tree) return wm_ear_ring_visit_all(ring, test, user);
  return wm_box_tree_visit_triangle(&ring->edges, corners, test, user);
}

#endif
