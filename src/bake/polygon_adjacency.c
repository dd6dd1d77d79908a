/* Which polygon lies across each edge, and which edges are portals to the next tile.
 *
 * In / out: polygons [count][2 * most], vertices in the first half, neighbours in the second. An edge walked
 * from its smaller to its larger vertex is listed with its smaller one; an edge walked the other way looks
 * for its twin there, the newest first, and takes it unless that twin has found another. Edges without
 * neighbour on the tile's sides become portals (bit 15 and the direction). Cost: O(edges). Source: E.
 * Lengyel, Building an Edge List for an Arbitrary Mesh (2003); ties are the Recast library's. */
#include <string.h>

#include "bake/polygon_mesh_internal.h"

#define NO_EDGE UINT32_MAX

/* An edge that goes up, at the place of its smaller vertex in the polygons. */
typedef struct UpwardEdge {
  uint32_t next; /* of the same smaller vertex */
  uint32_t to;
} UpwardEdge;

typedef struct Linker {
  uint16_t *polygons;
  uint32_t polygon_count, most;
  uint32_t *newest;  /* [vertex_count] upward edge, or NO_EDGE */
  UpwardEdge *edges; /* [polygon_count * 2 * most] */
} Linker;

/* Links an edge that goes down, from its larger vertex `from`, to its twin; none where that is in the same
 * polygon. */
static void match_edge(const Linker *linker, uint32_t at, uint32_t from, uint32_t to) {
  const uint32_t most = linker->most;
  for (uint32_t i = linker->newest[to]; i != NO_EDGE; i = linker->edges[i].next) {
    if (linker->edges[i].to != from || linker->polygons[i + most] != WM_POLYGON_NONE) continue;
    const uint32_t polygon = at / (2 * most), other = i / (2 * most);
    if (polygon == other) return;
    linker->polygons[i + most] = (uint16_t)polygon;
    linker->polygons[at + most] = (uint16_t)other;
    return;
  }
}

/* Visits all edges in order: first those that go up, then those that go down. */
static void visit_edges(const Linker *linker, bool upward) {
  for (uint32_t i = 0; i < linker->polygon_count; i++) {
    const uint32_t first = 2 * i * linker->most;
    const uint32_t size = wm_polygon_size(linker->polygons + first, linker->most);
    for (uint32_t k = 0; k < size; k++) {
      const uint32_t at = first + k, from = linker->polygons[at],
                     to = linker->polygons[k + 1 == size ? first : at + 1];
      if (upward && from < to) {
        linker->edges[at] = (UpwardEdge){linker->newest[from], to};
        linker->newest[from] = at;
      } else if (!upward && from > to) {
        match_edge(linker, at, from, to);
      }
    }
  }
}

static uint16_t portal_code(const WmGrid *grid, WmPlanarPoint a, WmPlanarPoint b) {
  if (a.x == 0 && b.x == 0) return WM_POLYGON_PORTAL;
  if (a.z == grid->depth && b.z == grid->depth) return WM_POLYGON_PORTAL | 1;
  if (a.x == grid->width && b.x == grid->width) return WM_POLYGON_PORTAL | 2;
  if (a.z == 0 && b.z == 0) return WM_POLYGON_PORTAL | 3;
  return WM_POLYGON_NONE;
}

static void mark_portals(const Linker *linker, const WmGrid *grid, const uint16_t *vertices) {
  for (uint32_t i = 0; i < linker->polygon_count; i++) {
    uint16_t *polygon = linker->polygons + 2 * (size_t)i * linker->most;
    const uint32_t size = wm_polygon_size(polygon, linker->most);
    for (uint32_t edge = 0; edge < size; edge++) {
      if (polygon[linker->most + edge] != WM_POLYGON_NONE) continue;
      polygon[linker->most + edge] =
          portal_code(grid, wm_mesh_point(vertices, polygon[edge]),
                      wm_mesh_point(vertices, polygon[edge + 1 == size ? 0 : edge + 1]));
    }
  }
}

WmStatus wm_polygon_link(WmContext *context, const WmGrid *grid, const uint16_t *vertices,
                         uint32_t vertex_count, uint16_t *polygons, uint32_t polygon_count, uint32_t most) {
  Linker linker = {.polygons = polygons, .polygon_count = polygon_count, .most = most};
  const WmScratchMark mark = wm_scratch_mark(context);
  linker.newest = wm_scratch_array(context, vertex_count, sizeof *linker.newest);
  linker.edges = wm_scratch_array(context, 2 * (size_t)polygon_count * most, sizeof *linker.edges);
  const bool have_memory = linker.newest && linker.edges;
  if (have_memory) {
    memset(linker.newest, 0xff, vertex_count * sizeof *linker.newest);
    visit_edges(&linker, true);
    visit_edges(&linker, false);
    if (grid->border_size > 0) mark_portals(&linker, grid, vertices);
  }
  wm_scratch_rewind(context, mark);
  return have_memory ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}
