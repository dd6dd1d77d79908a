/* Taking out the vertices that only the rim of a tile's border has put on its sides.
 *
 * In / out: the mesh being built. A marked vertex goes where that leaves no hole: the polygons around it are
 * dropped, the edges that bounded them are chained to a ring, the ring is triangulated, its triangles are
 * joined to polygons, and these are appended. Polygons move (the last one fills each gap) in an order that is
 * part of the result; vertices are only marked as gone and numbered anew at the end, which keeps their order.
 *
 * Each vertex has a list of the slots of its polygons, so a removal looks at its surroundings only.
 * Source: the Recast library, for the rules and their order. */
#include <string.h>

#include "bake/polygon_mesh_internal.h"

#define NO_ENTRY UINT32_MAX

/* "The polygon in this slot has this vertex": once for each time it does. */
typedef struct Incidence {
  uint32_t slot;
  uint32_t next;
} Incidence;

/* An edge of a dropped polygon, later a step of the chain. */
typedef struct Rim {
  uint16_t from, to;
  uint16_t region;
  uint8_t area;
} Rim;

typedef struct Remover {
  WmContext *context;
  WmPolygonMeshParts *parts;
  uint32_t *newest; /* [vertex_count] incidence, or NO_ENTRY */
  Incidence *incidences;
  uint32_t free_incidence;
  uint8_t *is_gone; /* [vertex_count] */
  Rim *rim;         /* [rim_capacity] */
  Rim *chain;       /* [2 * rim_capacity + 2] `from` is the vertex; grown at both ends from the middle */
  size_t rim_count, rim_capacity, chain_first, chain_end;
} Remover;

static uint16_t *polygon_at(const Remover *remover, uint32_t slot) {
  return remover->parts->polygons.vertices + (size_t)slot * remover->parts->polygons.most;
}

static uint32_t polygon_size(const Remover *remover, uint32_t slot) {
  return wm_polygon_size(polygon_at(remover, slot), remover->parts->polygons.most);
}

/* ---- Incidence ------------------------------------------------------------------------------------------
 */

static void enter_polygon(Remover *remover, uint32_t slot) {
  const uint16_t *polygon = polygon_at(remover, slot);
  const uint32_t size = polygon_size(remover, slot);
  for (uint32_t i = 0; i < size; i++) {
    const uint32_t entry = remover->free_incidence;
    remover->free_incidence = remover->incidences[entry].next;
    remover->incidences[entry] = (Incidence){slot, remover->newest[polygon[i]]};
    remover->newest[polygon[i]] = entry;
  }
}

static uint32_t *find_incidence(Remover *remover, uint16_t vertex, uint32_t slot) {
  uint32_t *link = &remover->newest[vertex];
  while (*link != NO_ENTRY && remover->incidences[*link].slot != slot)
    link = &remover->incidences[*link].next;
  return link;
}

static void drop_polygon(Remover *remover, uint32_t slot) {
  WmPolygonList *list = &remover->parts->polygons;
  const uint16_t *polygon = polygon_at(remover, slot);
  uint32_t size = polygon_size(remover, slot);
  for (uint32_t i = 0; i < size; i++) {
    uint32_t *link = find_incidence(remover, polygon[i], slot);
    const uint32_t entry = *link;
    *link = remover->incidences[entry].next;
    remover->incidences[entry].next = remover->free_incidence;
    remover->free_incidence = entry;
  }
  const uint32_t last = --list->count;
  if (last == slot) return;
  memcpy(polygon_at(remover, slot), polygon_at(remover, last), list->most * sizeof *list->vertices);
  list->region[slot] = list->region[last];
  list->area[slot] = list->area[last];
  size = polygon_size(remover, slot);
  for (uint32_t i = 0; i < size; i++) {
    remover->incidences[*find_incidence(remover, polygon[i], last)].slot = slot;
  }
}

/* The lowest slot with a polygon that has the vertex, or NO_ENTRY. */
static uint32_t first_polygon_of(const Remover *remover, uint16_t vertex) {
  uint32_t lowest = NO_ENTRY;
  for (uint32_t i = remover->newest[vertex]; i != NO_ENTRY; i = remover->incidences[i].next) {
    if (remover->incidences[i].slot < lowest) lowest = remover->incidences[i].slot;
  }
  return lowest;
}

/* ---- May it go? -------------------------------------------------------------------------------------------
 */

/* Room for as many edges as the polygons around a vertex have. */
static bool reserve_rim(Remover *remover, uint16_t vertex) {
  size_t polygons = 0;
  for (uint32_t i = remover->newest[vertex]; i != NO_ENTRY; i = remover->incidences[i].next) polygons++;
  const size_t needed = polygons * remover->parts->polygons.most;
  if (needed <= remover->rim_capacity) return true;
  remover->rim_capacity = 0;
  remover->rim = wm_scratch_array(remover->context, 2 * needed, sizeof *remover->rim);
  remover->chain = wm_scratch_array(remover->context, 4 * needed + 2, sizeof *remover->chain);
  if (!remover->rim || !remover->chain) return false;
  remover->rim_capacity = 2 * needed;
  return true;
}

/* Counts an edge from the vertex to `end`; `rim` serves as the list of ends (from) and their counts (to). */
static void count_end(Remover *remover, uint16_t end) {
  for (size_t i = 0; i < remover->rim_count; i++) {
    if (remover->rim[i].from != end) continue;
    remover->rim[i].to++;
    return;
  }
  remover->rim[remover->rim_count++] = (Rim){end, 1, 0, 0};
}

/* A vertex may go where enough edges remain around it, and where at most two of its own edges are open. */
static bool may_go(Remover *remover, uint16_t vertex) {
  int64_t remaining = 0;
  uint32_t previous_slot = NO_ENTRY;
  remover->rim_count = 0;
  for (uint32_t i = remover->newest[vertex]; i != NO_ENTRY; i = remover->incidences[i].next) {
    const uint32_t slot = remover->incidences[i].slot;
    if (slot == previous_slot) continue; /* twice in one polygon: its entries are neighbours in the list */
    previous_slot = slot;
    const uint16_t *polygon = polygon_at(remover, slot);
    const uint32_t size = polygon_size(remover, slot);
    uint32_t occurrences = 0;
    for (uint32_t k = 0, j = size - 1; k < size; j = k++) {
      if (polygon[k] == vertex) occurrences++;
      if (polygon[k] != vertex && polygon[j] != vertex) continue;
      count_end(remover, polygon[k] == vertex ? polygon[j] : polygon[k]);
    }
    remaining += (int64_t)size - (occurrences + 1);
  }
  if (remaining <= 2) return false;
  uint32_t open = 0;
  for (size_t i = 0; i < remover->rim_count; i++) open += remover->rim[i].to == 1;
  return open <= 2;
}

/* ---- The gap
 * ------------------------------------------------------------------------------------------------ */

/* Drops the polygons around a vertex, recording their edges that do not touch it. */
static void open_gap(Remover *remover, uint16_t vertex) {
  const WmPolygonList *list = &remover->parts->polygons;
  remover->rim_count = 0;
  for (;;) {
    const uint32_t slot = first_polygon_of(remover, vertex);
    if (slot == NO_ENTRY) break;
    const uint16_t *polygon = polygon_at(remover, slot);
    const uint32_t size = polygon_size(remover, slot);
    for (uint32_t k = 0, j = size - 1; k < size; j = k++) {
      if (polygon[k] == vertex || polygon[j] == vertex) continue;
      remover->rim[remover->rim_count++] =
          (Rim){polygon[j], polygon[k], list->region[slot], list->area[slot]};
    }
    drop_polygon(remover, slot);
  }
  remover->is_gone[vertex] = 1;
}

/* Puts the recorded edges in a row, at either end of what there is, until none fits. */
static void chain_rim(Remover *remover) {
  Rim *rim = remover->rim;
  remover->chain_first = remover->rim_capacity;
  remover->chain_end = remover->chain_first + 1;
  remover->chain[remover->chain_first] = rim[0];
  bool fitted = true;
  while (remover->rim_count > 0 && fitted) {
    fitted = false;
    for (size_t i = 0; i < remover->rim_count;) {
      Rim link = rim[i];
      if (link.to == remover->chain[remover->chain_first].from) {
        remover->chain[--remover->chain_first] = link;
      } else if (link.from == remover->chain[remover->chain_end - 1].from) {
        link.from = link.to;
        remover->chain[remover->chain_end++] = link;
      } else {
        i++;
        continue;
      }
      rim[i] = rim[--remover->rim_count];
      fitted = true;
    }
  }
}

/* Turns triangles over the chain into polygons of `patch`. */
static void take_triangles(const Remover *remover, const uint32_t *triangles, uint32_t triangle_count,
                           WmPolygonList *patch) {
  const Rim *chain = remover->chain + remover->chain_first;
  memset(patch->vertices, 0xff, (size_t)triangle_count * patch->most * sizeof *patch->vertices);
  for (uint32_t i = 0; i < triangle_count; i++) {
    const Rim *corners[3];
    for (int k = 0; k < 3; k++) {
      corners[k] = &chain[triangles[3 * i + (uint32_t)k]];
      patch->vertices[i * patch->most + (uint32_t)k] = corners[k]->from;
    }
    const bool alike = corners[0]->region == corners[1]->region && corners[1]->region == corners[2]->region;
    patch->region[i] = alike ? corners[0]->region : WM_REGION_NONE;
    patch->area[i] = corners[0]->area;
  }
  patch->count = triangle_count;
}

static void append_patch(Remover *remover, const WmPolygonList *patch) {
  WmPolygonList *list = &remover->parts->polygons;
  for (uint32_t i = 0; i < patch->count && list->count < list->capacity; i++) {
    const uint32_t slot = list->count++;
    memcpy(polygon_at(remover, slot), patch->vertices + (size_t)i * patch->most,
           patch->most * sizeof *patch->vertices);
    list->region[slot] = patch->region[i];
    list->area[slot] = patch->area[i];
    enter_polygon(remover, slot);
  }
}

static WmStatus close_gap(Remover *remover) {
  if (remover->rim_count == 0) return WM_OK;
  chain_rim(remover);
  const uint32_t count = (uint32_t)(remover->chain_end - remover->chain_first);
  if (count < 3) return WM_OK;
  WmContext *context = remover->context;
  const uint32_t most = remover->parts->polygons.most;
  WmPlanarPoint *points = wm_scratch_array(context, count, sizeof *points);
  uint32_t *triangles = wm_scratch_array(context, 3 * (size_t)count, sizeof *triangles);
  WmPolygonList patch = {.capacity = count, .most = most};
  patch.vertices = wm_scratch_array(context, (size_t)count * most, sizeof *patch.vertices);
  patch.region = wm_scratch_array(context, count, sizeof *patch.region);
  patch.area = wm_scratch_array(context, count, sizeof *patch.area);
  if (!points || !triangles || !patch.vertices || !patch.region || !patch.area) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    points[i] = wm_mesh_point(remover->parts->vertices, remover->chain[remover->chain_first + i].from);
  }
  uint32_t triangle_count = 0;
  WmStatus status = wm_triangulate_ring(context, points, count, triangles, &triangle_count, NULL);
  if (status || triangle_count == 0) return status;
  take_triangles(remover, triangles, triangle_count, &patch);
  status = wm_polygon_merge(context, &patch, remover->parts->vertices);
  if (!status) append_patch(remover, &patch);
  return status;
}

/* ---- All of them
 * ---------------------------------------------------------------------------------------------- */

/* Numbers the vertices that stay anew, in order. */
static WmStatus drop_gone_vertices(Remover *remover) {
  WmPolygonMeshParts *parts = remover->parts;
  uint16_t *number = wm_scratch_array(remover->context, parts->vertex_count, sizeof *number);
  if (!number) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < parts->vertex_count; i++) {
    number[i] = (uint16_t)kept;
    if (remover->is_gone[i]) continue;
    memmove(parts->vertices + 3 * (size_t)kept++, parts->vertices + 3 * (size_t)i,
            3 * sizeof *parts->vertices);
  }
  parts->vertex_count = kept;
  const size_t entries = (size_t)parts->polygons.count * parts->polygons.most;
  for (size_t i = 0; i < entries; i++) {
    uint16_t *vertex = &parts->polygons.vertices[i];
    if (*vertex != WM_POLYGON_NONE) *vertex = number[*vertex];
  }
  return WM_OK;
}

static WmStatus start(Remover *remover) {
  const WmPolygonMeshParts *parts = remover->parts;
  const size_t vertices = parts->vertex_count;
  const uint32_t incidences = parts->polygons.capacity * parts->polygons.most;
  remover->newest = wm_scratch_array(remover->context, vertices, sizeof *remover->newest);
  remover->is_gone = wm_scratch_zeroed(remover->context, vertices, 1);
  remover->incidences = wm_scratch_array(remover->context, incidences, sizeof *remover->incidences);
  if (!remover->newest || !remover->is_gone || !remover->incidences) return WM_ERROR_OUT_OF_MEMORY;
  memset(remover->newest, 0xff, vertices * sizeof *remover->newest);
  for (uint32_t i = 0; i < incidences; i++) remover->incidences[i].next = i + 1;
  for (uint32_t i = 0; i < parts->polygons.count; i++) enter_polygon(remover, i);
  return WM_OK;
}

static WmStatus remove_all(Remover *remover) {
  WmStatus status = start(remover);
  for (uint32_t vertex = 0; vertex < remover->parts->vertex_count && !status; vertex++) {
    if (!remover->parts->is_border[vertex]) continue;
    if (!reserve_rim(remover, (uint16_t)vertex)) return WM_ERROR_OUT_OF_MEMORY;
    if (!may_go(remover, (uint16_t)vertex)) continue;
    open_gap(remover, (uint16_t)vertex);
    const WmScratchMark mark = wm_scratch_mark(remover->context);
    status = close_gap(remover);
    wm_scratch_rewind(remover->context, mark);
  }
  return status ? status : drop_gone_vertices(remover);
}

WmStatus wm_polygon_remove_border(WmContext *context, WmPolygonMeshParts *parts) {
  bool any = false;
  for (uint32_t i = 0; i < parts->vertex_count; i++) any |= parts->is_border[i] != 0;
  if (!any) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  Remover remover = {.context = context, .parts = parts};
  const WmStatus status = remove_all(&remover);
  wm_scratch_rewind(context, mark);
  return status;
}
