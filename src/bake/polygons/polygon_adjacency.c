/* Finds the polygon across each edge, and the portal edges to the next tile.
 *
 * In/out: polygons [count][2 * max_vertices], vertices in the first half, neighbours in the second. An
 * edge from its smaller to its larger vertex is entered in a table by the hash of both (a vertex may have
 * thousands). An edge in the other direction searches its twin there, the newest first, and skips twins
 * that have a neighbour already. Edges without a neighbour on the tile's sides become portal edges (bit 15
 * and the direction). Cost: O(edges). Source: E. Lengyel, Building an Edge List for an Arbitrary Mesh
 * (2003); ties are the Recast library's. */
#include <string.h>

#include "bake/polygons/polygon_mesh_internal.h"

#define NO_EDGE UINT32_MAX

/* An edge from its smaller to its larger vertex, at the index of its smaller vertex in the polygons. */
typedef struct UpwardEdge {
  uint32_t next; /* with the same hash */
  uint32_t to;
} UpwardEdge;

typedef struct Linker {
  const WmGrid *grid;
  const uint16_t *vertices;
  uint16_t *polygons;
  uint32_t polygon_count, max_vertices;
  uint32_t *newest; /* [hashes] upward edge, or NO_EDGE */
  uint32_t hash_shift;
  UpwardEdge *edges; /* [polygon_count * 2 * max_vertices] */
} Linker;

static uint32_t *newest_of(const Linker *linker, uint32_t smaller, uint32_t larger) {
  return &linker->newest[(smaller << 16 | larger) * UINT32_C(0x9e3779b1) >> linker->hash_shift];
}

static void list_edge(const Linker *linker, uint32_t at, uint32_t from, uint32_t to) {
  if (from >= to) return;
  uint32_t *const newest = newest_of(linker, from, to);
  linker->edges[at] = (UpwardEdge){*newest, to};
  *newest = at;
}

/* Links a downward edge to its twin, unless that is in the same polygon. */
static void match_edge(const Linker *linker, uint32_t at, uint32_t from, uint32_t to) {
  if (from <= to) return;
  uint16_t *neighbours = linker->polygons + linker->max_vertices;
  uint32_t i = *newest_of(linker, to, from);
  while (i != NO_EDGE &&
         (linker->polygons[i] != to || linker->edges[i].to != from || neighbours[i] != WM_POLYGON_NONE)) {
    i = linker->edges[i].next;
  }
  if (i == NO_EDGE) return;
  const uint32_t polygon = at / (2 * linker->max_vertices), other = i / (2 * linker->max_vertices);
  if (polygon == other) return;
  neighbours[i] = (uint16_t)polygon;
  neighbours[at] = (uint16_t)other;
}

/* Directions are x-, z+, x+, z-. */
static void mark_portal(const Linker *linker, uint32_t at, uint32_t from, uint32_t to) {
  const int32_t sides[4] = {0, linker->grid->depth, linker->grid->width, 0};
  uint16_t *neighbour = &linker->polygons[at + linker->max_vertices];
  for (uint32_t k = 0; k < 4 && *neighbour == WM_POLYGON_NONE; k++) {
    const size_t axis = k & 1 ? 2 : 0;
    if (linker->vertices[3 * (size_t)from + axis] == sides[k] &&
        linker->vertices[3 * (size_t)to + axis] == sides[k]) {
      *neighbour = (uint16_t)(WM_POLYGON_PORTAL | k);
    }
  }
}

/* Visits all edges in order; `task` selects one of the functions above. */
static void visit_edges(const Linker *linker, int task) {
  const uint32_t max_vertices = linker->max_vertices;
  for (uint32_t i = 0; i < linker->polygon_count; i++) {
    const uint16_t *polygon = linker->polygons + 2 * (size_t)i * max_vertices;
    const uint32_t size = wm_polygon_size(polygon, max_vertices);
    for (uint32_t k = 0; k < size; k++) {
      const uint32_t at = 2 * i * max_vertices + k, from = polygon[k],
                     to = polygon[k + 1 == size ? 0 : k + 1];
      if (task == 0) list_edge(linker, at, from, to);
      if (task == 1) match_edge(linker, at, from, to);
      if (task == 2) mark_portal(linker, at, from, to);
    }
  }
}

WmStatus wm_polygon_link(WmContext *context, const WmGrid *grid, const uint16_t *vertices,
                         uint32_t vertex_count, uint16_t *polygons, uint32_t polygon_count,
                         uint32_t max_vertices) {
  Linker linker = {.grid = grid,
                   .vertices = vertices,
                   .polygons = polygons,
                   .polygon_count = polygon_count,
                   .max_vertices = max_vertices};
  const WmScratchMark mark = wm_scratch_mark(context);
  linker.hash_shift = 28;
  while (UINT32_C(1) << (32 - linker.hash_shift) < vertex_count) linker.hash_shift--;
  const size_t hashes = (size_t)1 << (32 - linker.hash_shift);
  linker.newest = wm_scratch_array(context, hashes, sizeof *linker.newest);
  linker.edges = wm_scratch_array(context, 2 * (size_t)polygon_count * max_vertices, sizeof *linker.edges);
  const bool have_memory = linker.newest && linker.edges;
  if (have_memory) {
    memset(linker.newest, 0xff, hashes * sizeof *linker.newest);
    for (int task = 0; task < (grid->border_size > 0 ? 3 : 2); task++) visit_edges(&linker, task);
  }
  wm_scratch_rewind(context, mark);
  return have_memory ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}
