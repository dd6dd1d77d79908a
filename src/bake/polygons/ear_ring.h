/* The ring of vertices for ear clipping: a circular list, the bounding boxes of its edges, and a rank for
 * each vertex. The vertex with the lowest rank is cut off next.
 *
 * Vertices keep their numbers; cutting one off joins its neighbours by a new edge. An edge has the number
 * of the vertex it starts from. Small rings are searched from end to end; large ones store their boxes in
 * a tree and their ranks in a heap, so that a cut costs about O(log n). Both give the same results. Memory
 * is scratch memory of the context. */
#ifndef WALKMESH_BAKE_EAR_RING_H
#define WALKMESH_BAKE_EAR_RING_H

#include "bake/geometry/box_tree.h"
#include "bake/geometry/ordered_heap.h"

#define WM_EAR_NONE UINT32_MAX
#define WM_EAR_NEVER INT64_MAX /* the rank of a vertex that must not be cut, or was */

/* Rings of at least this many vertices are large. On real contours any value from 28 on is as fast. */
enum { WM_EAR_LARGE_FROM = 64 };

typedef struct WmEarRing {
  WmContext *context;
  const WmPlanarPoint *points;
  uint32_t *next, *previous; /* next is WM_EAR_NONE for vertices cut off */
  int64_t *rank;             /* the lowest is cut first; of equal ones the lowest number */
  uint32_t first;            /* the lowest number in the ring */
  uint32_t count;            /* vertices in the ring */
  bool is_large;
  WmBoxTree edges;    /* large rings: leaf v is the edge from v to next[v] */
  WmOrderedHeap heap; /* large rings: (rank, vertex); outdated unless it still is the vertex's rank */
} WmEarRing;

/* Starts with all vertices in the ring and without ranks. The caller sets context, points and count, and
 * zeroes the rest. */
WmStatus wm_ear_ring_start(WmEarRing *ring);

/* Cuts a vertex off. */
void wm_ear_ring_cut(WmEarRing *ring, uint32_t vertex);

/* Ranks a vertex; false after recording out-of-memory. */
bool wm_ear_ring_rank(WmEarRing *ring, uint32_t vertex, int64_t rank);

/* The vertex with the lowest rank, WM_EAR_NONE if no vertex has a rank. The caller must cut it off or rank
 * it again. */
uint32_t wm_ear_ring_pop(WmEarRing *ring);

/* The kinds of edges that wm_ear_ring_probe counts around the vertex after `from`. */
typedef enum WmEarProbe {
  WM_EAR_FREE,  /* edges that meet the segment from `from` to the next vertex but one: 1, or 0 */
  WM_EAR_LOOSE, /* the same, but edges may touch it */
  WM_EAR_INSIDE /* the number of edges with a point inside the triangle (its area is negative) */
} WmEarProbe;

enum { WM_EAR_MAX_INSIDE = 255 }; /* the count stops here */

/* Counts the edges of a kind. Edges that share an end with the segment, and the triangle's own two edges
 * at its tip, don't count. */
uint32_t wm_ear_ring_probe(const WmEarRing *ring, uint32_t from, WmEarProbe kind);

#endif
