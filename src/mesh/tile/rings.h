/* Outlines of ground polygons on x and z, a cache line each, so that all edges are tested together.
 *
 * A ring is 16 numbers: x of seven vertices, z of seven, the number of vertices, and 1 where the boundary of the
 * polygon's detail mesh is this outline: the same edges in the same direction, without further vertices. Vertices are in the order
 * in which Detour visits them: the last one, then the first and so on. So lane k is the edge before vertex k,
 * and the lowest of several lanes is the one that Detour visits first. Numbers behind the last edge repeat
 * the last vertex: edges without length, which no point is outside of and no line crosses. */
#ifndef WALKMESH_MESH_RINGS_H
#define WALKMESH_MESH_RINGS_H

#include "base/simd.h"
#include "mesh/mesh.h"

enum { WM_RING_NUMBERS = 16, WM_RING_CORNERS = 7, WM_RING_BOUNDARY = 15 };

/* Four edges of a ring: both ends. */
typedef struct WmRingEdges {
  WmFloat4 first_x, first_z, second_x, second_z;
} WmRingEdges;

/* Edges 0 to 3 of a ring (half 0), or 4 and 5 (half 1, with finite numbers in the other lanes, which
 * wm_ring_lanes drops). */
WM_INLINE WmRingEdges wm_ring_edges(const float *ring, int half) {
  ring += 4 * half;
  return (WmRingEdges){wm_load_float4(ring), wm_load_float4(ring + WM_RING_CORNERS), wm_load_float4(ring + 1),
                       wm_load_float4(ring + WM_RING_CORNERS + 1)};
}

/* The bits of all lanes. */
#define WM_RING_LANES 0x3fu

/* Returns a bit for each edge whose lane is set. */
WM_INLINE uint32_t wm_ring_lanes(WmInt4 low, WmInt4 high) {
  return (uint32_t)wm_mask_int4(low) | ((uint32_t)wm_mask_int4(high) & 3) << 4;
}

WM_INLINE const float *wm_tile_ring(const WmMeshTile *tile, uint32_t polygon) {
  return tile->rings + WM_RING_NUMBERS * (size_t)polygon;
}

/* The polygon's edge in a lane. */
WM_INLINE uint32_t wm_ring_edge(const float *ring, uint32_t lane) {
  return lane > 0 ? lane - 1 : (uint32_t)ring[2 * WM_RING_CORNERS] - 1;
}

#endif
