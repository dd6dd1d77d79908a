/* The borders of a tile: edges of its ground polygons, or parts of them, across which no polygon lies. See links_internal.h. */
#include <math.h>
#include <string.h>

#include "links/links_internal.h"
#include "mesh/locate.h"

/* Parts of an edge, from 0 at its first vertex to 1. */
typedef struct Interval {
  float low, high;
} Interval;

/* An edge of a polygon. */
typedef struct Edge {
  const WmMeshTile *tile;
  uint32_t polygon, number;
  const float *first, *second;
  float length; /* world units */
} Edge;

/* The part of an edge that a link's portal covers. */
static Interval find_covered(const Edge *edge, const float *portal) {
  const float x = edge->second[0] - edge->first[0], z = edge->second[2] - edge->first[2];
  float at[2];
  for (int end = 0; end < 2; end++) {
    const float *point = portal + 3 * end;
    at[end] =
        ((point[0] - edge->first[0]) * x + (point[2] - edge->first[2]) * z) / (edge->length * edge->length);
  }
  return at[0] < at[1] ? (Interval){at[0], at[1]} : (Interval){at[1], at[0]};
}

/* Moves on to where no link covers a portal edge, in whatever order its links are.
 * in/out     *open: 0 to 1 along the edge
 * returns    where the next link begins; at least 1 if there is none */
static float find_open(const Edge *edge, float *open) {
  const WmMeshTile *tile = edge->tile;
  float next = 1;
  for (bool moves = true; moves;) {
    moves = false;
    next = 1;
    for (uint32_t i = tile->link_first[edge->polygon]; i < tile->link_first[edge->polygon + 1]; i++) {
      if (tile->links[i].edge != edge->number) continue;
      const Interval covered = find_covered(edge, tile->link_portals + 6 * (size_t)i);
      if (covered.low > *open) {
        next = fminf(next, covered.low);
      } else if (covered.high > *open) {
        *open = covered.high;
        moves = true;
      }
    }
  }
  return next;
}

/* Appends a part of an edge as a border, unless it is shorter than a cell. */
static WmStatus append_border(WmContext *context, const Edge *edge, float low, float high, float cell_size,
                              WmBuffer *borders, size_t *count) {
  const float length = (high - low) * edge->length;
  if (!(length >= 0.99f * cell_size)) return WM_OK;
  const WmStatus status = wm_buffer_reserve(context, borders, *count + 1, sizeof(WmBorder));
  if (status) return status;
  WmBorder *border = (WmBorder *)borders->items + (*count)++;
  *border = (WmBorder){.tile = edge->tile, .polygon = edge->polygon, .length = length / cell_size};
  memcpy(border->first, edge->first, sizeof border->first);
  memcpy(border->second, edge->second, sizeof border->second);
  if (low > 0) wm_interpolate(edge->first, edge->second, low, border->first);
  if (high < 1) wm_interpolate(edge->first, edge->second, high, border->second);
  /* Away from the polygon's other vertices, of which the farthest one decides. */
  const float x = (edge->second[0] - edge->first[0]) / edge->length,
              z = (edge->second[2] - edge->first[2]) / edge->length;
  float inside = 0;
  for (uint32_t k = 0; k < edge->tile->polygon_size[edge->polygon]; k++) {
    const float *vertex = wm_tile_vertex(edge->tile, edge->polygon, k);
    const float side = (vertex[0] - edge->first[0]) * -z + (vertex[2] - edge->first[2]) * x;
    if (fabsf(side) > fabsf(inside)) inside = side;
  }
  border->outward[0] = inside > 0 ? z : -z;
  border->outward[1] = inside > 0 ? -x : x;
  return WM_OK;
}

static WmStatus append_edge(WmContext *context, const Edge *edge, float cell_size, WmBuffer *borders,
                            size_t *count) {
  const uint16_t neighbour =
      edge->tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)edge->polygon + edge->number];
  WmStatus status = WM_OK;
  for (float open = 0, next; !status && open < 1; open = next) {
    next = neighbour & WM_TILE_PORTAL ? find_open(edge, &open) : 1;
    if (open < 1) status = append_border(context, edge, open, next, cell_size, borders, count);
  }
  return status;
}

WmStatus wm_find_borders(WmContext *context, const WmMeshTile *tile, float cell_size, WmBuffer *borders,
                         size_t *count) {
  for (uint32_t polygon = 0; polygon < tile->ground_count; polygon++) {
    for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
      const uint16_t neighbour = tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon + k];
      if (neighbour != 0 && !(neighbour & WM_TILE_PORTAL)) continue;
      Edge edge = {tile, polygon, k, wm_tile_vertex(tile, polygon, k), wm_tile_vertex(tile, polygon, k + 1),
                   0};
      const float x = edge.second[0] - edge.first[0], z = edge.second[2] - edge.first[2];
      edge.length = sqrtf(x * x + z * z);
      if (!(edge.length > 0)) continue;
      const WmStatus status = append_edge(context, &edge, cell_size, borders, count);
      if (status) return status;
    }
  }
  return WM_OK;
}
