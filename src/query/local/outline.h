/* The outline of a ground polygon in pieces: ways to other polygons that pass a filter, and walls. */
#ifndef WALKMESH_QUERY_OUTLINE_H
#define WALKMESH_QUERY_OUTLINE_H

#include "base/inline.h"
#include "query/filter.h"

typedef struct WmPiece {
  const float *first, *second; /* its ends, in the order of the polygon's corners */
  uint32_t slot, polygon;      /* behind it; polygon UINT32_MAX: a wall */
  uint32_t edge;               /* that it is a part of */
} WmPiece;

/* Where a walk around a polygon is. */
typedef struct WmOutline {
  const WmMesh *mesh;
  const WmFilter *filter;
  const WmMeshTile *tile;
  uint32_t polygon;
  uint32_t edges; /* given out or begun */
  /* An edge on a side of the tile: its links say in 255ths of the edge what they open; they may overlap, and
   * there may be any number. */
  bool on_side;
  uint32_t edge, link;
  const float *first, *second;
  uint64_t closed[4]; /* bit i: the part from i to i + 1 is not open, as far as links were looked at */
  float ends[2][3];   /* of a wall beside openings */
} WmOutline;

static inline WmOutline wm_outline_of(const WmMesh *mesh, const WmFilter *filter, const WmMeshTile *tile,
                                      uint32_t polygon) {
  WmOutline outline;
  outline.mesh = mesh;
  outline.filter = filter;
  outline.tile = tile;
  outline.polygon = polygon;
  outline.edges = 0;
  outline.on_side = false;
  return outline;
}

/* For wm_outline_next: the next piece of an edge on a side; false behind the last. */
bool wm_outline_next_on_side(WmOutline *outline, WmPiece *piece);

/* The next piece: edge by edge from the last one on, then from the first (as Detour goes), of an edge on a
 * side of the tile first the ways, then the walls. It stays until the next call. False behind the last. */
WM_INLINE bool wm_outline_next(WmOutline *outline, WmPiece *piece) {
  const WmMeshTile *tile = outline->tile;
  const size_t row = WM_TILE_VERTICES_PER_POLYGON * (size_t)outline->polygon;
  const uint32_t size = tile->polygon_size[outline->polygon];
  for (;;) {
    if (outline->on_side && wm_outline_next_on_side(outline, piece)) return true;
    if (outline->edges == size) return false;
    const uint32_t next = outline->edges++, edge = next == 0 ? size - 1 : next - 1;
    const uint32_t code = tile->polygon_neighbours[row + edge];
    piece->first = tile->vertices + 3 * (size_t)tile->polygon_vertices[row + edge];
    piece->second = tile->vertices + 3 * (size_t)tile->polygon_vertices[row + next];
    piece->slot = tile->slot;
    piece->polygon = UINT32_MAX;
    piece->edge = edge;
    if (code == 0) return true;
    if (!(code & WM_TILE_PORTAL)) {
      if (wm_filter_passes(outline->filter, tile->polygon_flags[code - 1])) piece->polygon = code - 1;
      return true;
    }
    outline->on_side = true;
    outline->edge = edge;
    outline->link = tile->link_first[outline->polygon];
    outline->first = piece->first;
    outline->second = piece->second;
    for (int i = 0; i < 4; i++) outline->closed[i] = UINT64_MAX >> (i == 3);
  }
}

#endif
