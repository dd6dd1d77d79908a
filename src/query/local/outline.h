/* The outline of a ground polygon in segments: portals to other polygons that pass a filter, and walls. */
#ifndef WALKMESH_QUERY_OUTLINE_H
#define WALKMESH_QUERY_OUTLINE_H

#include "base/inline.h"
#include "query/filter.h"

/* An edge, or a part of one. */
typedef struct WmEdgeSegment {
  const float *first, *second; /* its ends, in the order of the polygon's vertices */
  uint32_t slot, polygon;      /* behind it; polygon UINT32_MAX: a wall */
  uint32_t edge;               /* that it is a part of */
} WmEdgeSegment;

/* The state of a walk around a polygon. */
typedef struct WmOutline {
  const WmMesh *mesh;
  const WmFilter *filter;
  const WmMeshTile *tile;
  uint32_t polygon;
  uint32_t edges; /* finished or begun */
  /* The current edge if it is on a side of the tile: its links give in 255ths of the edge where they are
   * open; they may overlap, and there may be any number. */
  bool on_side;
  uint32_t edge, link;
  const float *first, *second;
  uint64_t closed[4]; /* bit i: the part from i to i + 1 isn't open, by the links seen until now */
  float ends[2][3];   /* of a wall beside portals */
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

/* For wm_outline_next: the next segment of an edge on a side; false after the last. */
bool wm_outline_next_on_side(WmOutline *outline, WmEdgeSegment *segment);

/* The next segment: those of the last edge come first, then those of edges 0, 1, ... (Detour's order); of an
 * edge on a side of the tile first the portals, then the walls. It is valid until the next call. False after
 * the last. */
WM_INLINE bool wm_outline_next(WmOutline *outline, WmEdgeSegment *segment) {
  const WmMeshTile *tile = outline->tile;
  const size_t row = WM_TILE_VERTICES_PER_POLYGON * (size_t)outline->polygon;
  const uint32_t size = tile->polygon_size[outline->polygon];
  for (;;) {
    if (outline->on_side && wm_outline_next_on_side(outline, segment)) return true;
    if (outline->edges == size) return false;
    const uint32_t next = outline->edges++, edge = next == 0 ? size - 1 : next - 1;
    const uint32_t code = tile->polygon_neighbours[row + edge];
    segment->first = tile->vertices + 3 * (size_t)tile->polygon_vertices[row + edge];
    segment->second = tile->vertices + 3 * (size_t)tile->polygon_vertices[row + next];
    segment->slot = tile->slot;
    segment->polygon = UINT32_MAX;
    segment->edge = edge;
    if (code == 0) return true;
    if (!(code & WM_TILE_PORTAL)) {
      if (wm_filter_passes(outline->filter, tile->polygon_flags[code - 1])) segment->polygon = code - 1;
      return true;
    }
    outline->on_side = true;
    outline->edge = edge;
    outline->link = tile->link_first[outline->polygon];
    outline->first = segment->first;
    outline->second = segment->second;
    for (int i = 0; i < 4; i++) outline->closed[i] = UINT64_MAX >> (i == 3);
  }
}

#endif
