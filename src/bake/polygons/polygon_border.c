/* Removes the vertices that lie on a tile's sides only because of its border.
 *
 * In/out: the mesh while it is built. A marked vertex is removed if that leaves no hole: the polygons
 * around it are removed, their other edges are chained to a ring, the ring is triangulated, its triangles
 * are merged into polygons, and these are appended. Removed polygons are replaced by the last one, in an
 * order that is part of the result. Vertices are only marked, and renumbered at the end, in the same
 * order.
 *
 * The polygons of a vertex are searched among all: that costs an eighth of a comparison per corner of the
 * mesh, less than maintaining lists would. Source: the Recast library, for the rules and their order. */
#include <string.h>

#include "bake/polygons/polygon_mesh_internal.h"
#include "base/simd.h"

enum { RIM_VERTEX = 1, GONE_VERTEX = 2 }; /* is_border */

typedef struct Remover {
  WmContext *context;
  WmPolygonMeshParts *parts;
  WmPolygonEdge *rim; /* [capacity] edges of removed polygons */
  WmPolygonEdge
      *chain; /* [3 * capacity + 1] these chained, growing at both ends; before that, counts of ends */
  uint32_t rim_count;
} Remover;

/* The first polygon from `slot` on that has the vertex, or list->count. */
static uint32_t find_polygon(const WmPolygonList *list, uint16_t vertex, uint32_t slot) {
  const WmUshort8 wanted = wm_splat_ushort8(vertex);
  const size_t end = (size_t)list->count * list->max_vertices;
  for (size_t i = (size_t)slot * list->max_vertices; i < end; i += 8) {
    const int found = wm_mask_short8((WmShort8)(wm_load_ushort8(list->vertices + i) == wanted));
    if (!found) continue;
    const size_t at = i + (size_t)__builtin_ctz((unsigned)found);
    return at < end ? (uint32_t)(at / list->max_vertices) : list->count;
  }
  return list->count;
}

/* ---- Around a vertex ----------------------------------------------------------------------------------- */

/* Counts an edge from the vertex to `end`: `from` stores the end, `to` the number of its edges. */
static void count_end(WmPolygonEdge *ends, uint32_t *end_count, uint16_t end) {
  uint32_t i = 0;
  while (i < *end_count && ends[i].from != end) i++;
  if (i == *end_count) ends[(*end_count)++] = (WmPolygonEdge){end, 0, 0, 0};
  ends[i].to++;
}

/* Visits the polygons around a vertex and records their edges that do not touch it; with `drop` it removes
 * them. Returns true if the vertex may be removed: enough edges remain around it, and at most two of its
 * own are open. */
static bool visit_polygons(Remover *remover, uint16_t vertex, bool drop) {
  WmPolygonList *list = &remover->parts->polygons;
  const uint32_t max_vertices = list->max_vertices;
  WmPolygonEdge *ends = remover->chain;
  uint32_t end_count = 0, open = 0;
  int32_t remaining = 0;
  remover->rim_count = 0;
  for (uint32_t slot = 0; (slot = find_polygon(list, vertex, slot)) < list->count; slot += !drop) {
    uint16_t *polygon = list->vertices + (size_t)slot * max_vertices;
    const uint32_t size = wm_polygon_size(polygon, max_vertices);
    remaining += (int32_t)size - 1;
    for (uint32_t k = 0, j = size - 1; k < size; j = k++) {
      const uint16_t from = polygon[j], to = polygon[k];
      remaining -= to == vertex;
      if (from == vertex || to == vertex) {
        count_end(ends, &end_count, to == vertex ? from : to);
      } else {
        remover->rim[remover->rim_count++] = (WmPolygonEdge){from, to, list->region[slot], list->area[slot]};
      }
    }
    if (!drop) continue;
    const uint32_t last = --list->count;
    memmove(polygon, list->vertices + (size_t)last * max_vertices, max_vertices * sizeof *polygon);
    list->region[slot] = list->region[last];
    list->area[slot] = list->area[last];
  }
  for (uint32_t i = 0; i < end_count; i++) open += ends[i].to == 1;
  return remaining > 2 && open <= 2;
}

/* ---- The gap ------------------------------------------------------------------------------------------- */

/* Chains the recorded edges, at either end of the chain, until none fits; then fills the ring. */
static WmStatus close_gap(Remover *remover) {
  WmPolygonEdge *rim = remover->rim;
  uint32_t count = remover->rim_count;
  if (count == 0) return WM_OK;
  WmPolygonEdge *first = remover->chain + count, *last = first;
  *first = rim[0];
  for (bool fitted = true; count > 0 && fitted;) {
    fitted = false;
    for (uint32_t i = 0; i < count;) {
      WmPolygonEdge link = rim[i];
      if (link.to == first->from) {
        *--first = link;
      } else if (link.from == last->from) {
        link.from = link.to;
        *++last = link;
      } else {
        i++;
        continue;
      }
      rim[i] = rim[--count];
      fitted = true;
    }
  }
  return wm_polygon_fill(remover->context, remover->parts, first, (uint32_t)(last - first) + 1);
}

/* ---- All vertices ----------------------------------------------------------------------------------- */

/* Renumbers the remaining vertices, in order. There are at most three per triangle, so that `chain`, no
 * longer needed, has the capacity for their numbers. */
static void drop_gone_vertices(const Remover *remover) {
  WmPolygonMeshParts *parts = remover->parts;
  uint16_t *number = (uint16_t *)(void *)remover->chain;
  uint32_t retained = 0;
  for (uint32_t i = 0; i < parts->vertex_count; i++) {
    number[i] = (uint16_t)retained;
    if (parts->is_border[i] == GONE_VERTEX) continue;
    memmove(parts->vertices + 3 * (size_t)retained++, parts->vertices + 3 * (size_t)i,
            3 * sizeof *parts->vertices);
  }
  parts->vertex_count = retained;
  const size_t corners = (size_t)parts->polygons.count * parts->polygons.max_vertices;
  for (size_t i = 0; i < corners; i++) {
    uint16_t *vertex = &parts->polygons.vertices[i];
    if (*vertex != WM_POLYGON_NONE) *vertex = number[*vertex];
  }
}

static WmStatus remove_all(Remover *remover) {
  const WmPolygonMeshParts *parts = remover->parts;
  const size_t capacity = parts->polygons.capacity;
  remover->rim = wm_scratch_array(remover->context, 4 * capacity + 1, sizeof *remover->rim);
  if (!remover->rim) return WM_ERROR_OUT_OF_MEMORY;
  remover->chain = remover->rim + capacity;
  for (uint32_t vertex = 0; vertex < parts->vertex_count; vertex++) {
    if (parts->is_border[vertex] != RIM_VERTEX || !visit_polygons(remover, (uint16_t)vertex, false)) continue;
    visit_polygons(remover, (uint16_t)vertex, true);
    parts->is_border[vertex] = GONE_VERTEX;
    const WmStatus status = close_gap(remover);
    if (status) return status;
  }
  drop_gone_vertices(remover);
  return WM_OK;
}

WmStatus wm_polygon_remove_border(WmContext *context, WmPolygonMeshParts *parts) {
  if (!memchr(parts->is_border, RIM_VERTEX, parts->vertex_count)) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  Remover remover = {.context = context, .parts = parts};
  const WmStatus status = remove_all(&remover);
  wm_scratch_rewind(context, mark);
  return status;
}
