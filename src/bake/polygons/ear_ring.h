/* The ring of vertices that ear clipping works on: a circular list, boxes of its edges, and ranks that say
 * which vertex is to be cut off first.
 *
 * Vertices keep their numbers; cutting one off joins its neighbours by a new edge. An edge goes by the number
 * of the vertex it starts from. Small rings are walked from end to end; large ones keep their boxes in a tree
 * and their ranks in a heap, so that a cut costs about O(log n). Both give the same answers. Memory is
 * scratch memory of the context. */
#ifndef WALKMESH_BAKE_EAR_RING_H
#define WALKMESH_BAKE_EAR_RING_H

#include "bake/geometry/box_tree.h"
#include "bake/geometry/ordered_heap.h"

#define WM_EAR_NONE UINT32_MAX
#define WM_EAR_NEVER INT64_MAX /* the rank of what is not to be cut, or has been */

/* From here on rings are large; on real contours anything from 28 on does as well. */
enum { WM_EAR_LARGE_FROM = 64 };

typedef struct WmEarRing {
  WmContext *context;
  const WmPlanarPoint *points;
  uint32_t *next, *previous; /* next is WM_EAR_NONE for vertices cut off */
  int64_t *rank;             /* the least is cut first, of equal ones the lowest number */
  uint32_t first;            /* the lowest number left */
  uint32_t count;            /* vertices left */
  bool is_large;
  WmBoxTree edges;    /* large rings: leaf v is the edge from v to next[v] */
  WmOrderedHeap heap; /* large rings: (rank, vertex), valid where it is still the vertex's rank */
} WmEarRing;

/* Starts with all vertices in the ring and none ranked; context, points and count are set, all else is 0. */
WmStatus wm_ear_ring_start(WmEarRing *ring);

/* Takes a vertex out of the ring. */
void wm_ear_ring_cut(WmEarRing *ring, uint32_t vertex);

/* Ranks a vertex; false after recording out-of-memory. */
bool wm_ear_ring_rank(WmEarRing *ring, uint32_t vertex, int64_t rank);

/* The vertex with the least rank, WM_EAR_NONE where none has one. It must be cut off or ranked anew. */
uint32_t wm_ear_ring_take(WmEarRing *ring);

/* What may come into the way of cutting off the vertex after `from`. */
typedef enum WmEarProbe {
  WM_EAR_FREE,  /* edges that meet the segment from `from` to the next vertex but one; or not (0) */
  WM_EAR_LOOSE, /* as before, but edges may touch it */
  WM_EAR_INSIDE /* edges with a point inside the triangle (areas are negative there): how many */
} WmEarProbe;

enum { WM_EAR_MOST_INSIDE = 255 }; /* more are not told apart */

/* Edges of the ring that do so; those that end where the segment does never do, nor do the triangle's own two
 * at its tip. */
uint32_t wm_ear_ring_probe(const WmEarRing *ring, uint32_t from, WmEarProbe kind);

#endif
