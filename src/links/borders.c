/* The borders of a tile: edges of its ground polygons, or parts of them, across which no polygon lies. See links_internal.h. */
#include <math.h>
#include <string.h>

#include "links/links_internal.h"
#include "mesh/locate.h"

/* Parts of an edge, from 0 at its first vertex to 1. */
typedef struct Interval {
  float low, high;
} Interval;

/* More links than this across one edge are never covered exactly: the rest counts as open. */
enum { COVERED_LIMIT = 32 };

/* An edge of a polygon. */
typedef struct Edge {
  const WmMeshTile *tile;
  uint32_t polygon, number;
  const float *first, *second;
  float length; /* world units */
} Edge;

/* Sorts intervals by their lower ends. */
static void insert_interval(Interval *intervals, uint32_t count, Interval added) {
  uint32_t at = count;
  for (; at > 0 && intervals[at - 1].low > added.low; at--) intervals[at] = intervals[at - 1];
  intervals[at] = added;
}

/* The part of an edge that a link's portal covers. */
static Interval find_covered(const Edge *edge, const float *portal) {
  const float x = edge->second[0] - edge->first[0], z = edge->second[2] - edge->first[2];
  float at[2];
  for (int end = 0; end < 2; end++) {
    const float *point = portal + 3 * end;
    at[end] = ((point[0] - edge->first[0]) * x + (point[2] - edge->first[2]) * z) / (edge->length * edge->length);
  }
  return at[0] < at[1] ? (Interval){at[0], at[1]} : (Interval){at[1], at[0]};
}

/* The parts of a portal edge that links cover, sorted. */
static uint32_t list_covered(const Edge *edge, Interval covered[COVERED_LIMIT]) {
  const WmMeshTile *tile = edge->tile;
  uint32_t count = 0;
  for (uint32_t i = tile->link_first[edge->polygon]; i < tile->link_first[edge->polygon + 1]; i++) {
    if (tile->links[i].edge != edge->number || count == COVERED_LIMIT) continue;
    insert_interval(covered, count++, find_covered(edge, tile->link_portals + 6 * (size_t)i));
  }
  return count;
}

/* Appends a part of an edge as a border, unless it is shorter than a cell. */
static WmStatus append_border(WmContext *context, const Edge *edge, float low, float high, float cell_size, WmBuffer *borders,
                              size_t *count) {
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
  const float x = (edge->second[0] - edge->first[0]) / edge->length, z = (edge->second[2] - edge->first[2]) / edge->length;
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

static WmStatus append_edge(WmContext *context, const Edge *edge, float cell_size, WmBuffer *borders, size_t *count) {
  Interval covered[COVERED_LIMIT];
  const uint16_t neighbour = edge->tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)edge->polygon + edge->number];
  const uint32_t covered_count = neighbour & WM_TILE_PORTAL ? list_covered(edge, covered) : 0;
  float open = 0;
  for (uint32_t i = 0; i < covered_count; i++) {
    if (covered[i].low > open) {
      const WmStatus status = append_border(context, edge, open, covered[i].low, cell_size, borders, count);
      if (status) return status;
    }
    if (covered[i].high > open) open = covered[i].high;
  }
  return open < 1 ? append_border(context, edge, open, 1, cell_size, borders, count) : WM_OK;
}

WmStatus wm_find_borders(WmContext *context, const WmMeshTile *tile, float cell_size, WmBuffer *borders, size_t *count) {
  for (uint32_t polygon = 0; polygon < tile->ground_count; polygon++) {
    for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
      const uint16_t neighbour = tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon + k];
      if (neighbour != 0 && !(neighbour & WM_TILE_PORTAL)) continue;
      Edge edge = {tile, polygon, k, wm_tile_vertex(tile, polygon, k), wm_tile_vertex(tile, polygon, k + 1), 0};
      const float x = edge.second[0] - edge.first[0], z = edge.second[2] - edge.first[2];
      edge.length = sqrtf(x * x + z * z);
      if (!(edge.length > 0)) continue;
      const WmStatus status = append_edge(context, &edge, cell_size, borders, count);
      if (status) return status;
    }
  }
  return WM_OK;
}
