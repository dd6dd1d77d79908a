/* Edges of ground polygons: what is behind them for a filter, and which parts are wall. */
#ifndef WALKMESH_QUERY_EDGES_H
#define WALKMESH_QUERY_EDGES_H

#include "base/inline.h"
#include "query/filter.h"

/* Edge `edge` of a polygon: its ends, and what its neighbour code says for a filter. */
typedef struct WmEdge {
  const float *first, *second;
  uint32_t neighbour; /* polygon of the same tile behind it; UINT32_MAX: none that passes */
  bool on_side;       /* of the tile: what is behind are links */
} WmEdge;

WM_INLINE WmEdge wm_edge_of(const WmMeshTile *tile, uint32_t polygon, uint32_t edge, const WmFilter *filter) {
  const size_t row = WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  const uint32_t next = edge + 1 == tile->polygon_size[polygon] ? 0 : edge + 1;
  const uint32_t code = tile->polygon_neighbours[row + edge];
  WmEdge found = {tile->vertices + 3 * (size_t)tile->polygon_vertices[row + edge],
                  tile->vertices + 3 * (size_t)tile->polygon_vertices[row + next], UINT32_MAX,
                  (code & WM_TILE_PORTAL) != 0};
  if (code != 0 && !found.on_side && wm_filter_passes(filter, tile->polygon_flags[code - 1])) {
    found.neighbour = code - 1;
  }
  return found;
}

/* The walls of an edge on a tile's side: what is left of it without the links of polygons that pass. Links
 * say in 255ths of the edge what they open; they may overlap, and there may be any number. */
typedef struct WmSideWalls {
  const float *first, *second;
  uint64_t closed[4]; /* bit i: the part from i to i + 1 of 255, not yet given out */
} WmSideWalls;

void wm_side_walls_begin(const WmMesh *mesh, const WmMeshTile *tile, uint32_t polygon, uint32_t edge,
                         const WmFilter *filter, WmSideWalls *walls);

/* The next wall along the edge. Returns false behind the last. */
bool wm_side_walls_next(WmSideWalls *walls, float ends[2][3]);

#endif
