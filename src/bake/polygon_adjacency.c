/* Which polygon lies across each edge, and which edges are portals to the next tile.
 *
 * In / out: polygons [count][2 * most], vertices in the first half, neighbours in the second. An edge walked
 * from its smaller to its larger vertex is entered in a table; one walked the other way looks for its twin
 * there, the newest first, and takes it unless that twin has found another. Edges without neighbour on the
 * tile's sides become portals (bit 15 and the direction). Cost: O(edges). Source: E. Lengyel, Building an
 * Edge List for an Arbitrary Mesh (2003); ties are the Recast library's. */
#include <string.h>

#include "bake/polygon_mesh_internal.h"

#define NO_RECORD UINT32_MAX

/* An edge by its first polygon; `other` is that same polygon until a twin is found. */
typedef struct EdgeRecord {
  uint32_t key; /* smaller vertex << 16 | larger vertex */
  uint32_t next;
  uint32_t polygon, other;
  uint8_t edge, other_edge;
} EdgeRecord;

typedef struct Linker {
  uint16_t *polygons;
  uint32_t polygon_count, most;
  EdgeRecord *records;
  uint32_t record_count;
  uint32_t *buckets;
  uint32_t bucket_mask;
} Linker;

static uint32_t *bucket_of(const Linker *linker, uint32_t key) {
  const uint32_t hash = key * 0x9e3779b1u;
  return &linker->buckets[(hash >> 15 ^ hash) & linker->bucket_mask];
}

static void enter_edge(Linker *linker, uint32_t key, uint32_t polygon, uint32_t edge) {
  uint32_t *bucket = bucket_of(linker, key);
  const uint32_t number = linker->record_count++;
  linker->records[number] = (EdgeRecord){key, *bucket, polygon, polygon, (uint8_t)edge, 0};
  *bucket = number;
}

static void match_edge(Linker *linker, uint32_t key, uint32_t polygon, uint32_t edge) {
  for (uint32_t i = *bucket_of(linker, key); i != NO_RECORD; i = linker->records[i].next) {
    EdgeRecord *record = &linker->records[i];
    if (record->key != key || record->polygon != record->other) continue;
    record->other = polygon;
    record->other_edge = (uint8_t)edge;
    return;
  }
}

/* Visits all edges in order: first those that go up, then those that go down. */
static void visit_edges(Linker *linker, bool upward) {
  for (uint32_t i = 0; i < linker->polygon_count; i++) {
    const uint16_t *polygon = linker->polygons + 2 * (size_t)i * linker->most;
    const uint32_t size = wm_polygon_size(polygon, linker->most);
    for (uint32_t edge = 0; edge < size; edge++) {
      const uint32_t from = polygon[edge], to = polygon[edge + 1 == size ? 0 : edge + 1];
      if (upward && from < to) enter_edge(linker, from << 16 | to, i, edge);
      if (!upward && from > to) match_edge(linker, to << 16 | from, i, edge);
    }
  }
}

static void write_neighbours(const Linker *linker) {
  const size_t most = linker->most;
  for (uint32_t i = 0; i < linker->record_count; i++) {
    const EdgeRecord *record = &linker->records[i];
    if (record->polygon == record->other) continue;
    linker->polygons[2 * most * record->polygon + most + record->edge] = (uint16_t)record->other;
    linker->polygons[2 * most * record->other + most + record->other_edge] = (uint16_t)record->polygon;
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
  Linker linker = {.polygons = polygons, .polygon_count = polygon_count, .most = most, .bucket_mask = 255};
  while (linker.bucket_mask < 2 * vertex_count) linker.bucket_mask = 2 * linker.bucket_mask + 1;
  const size_t buckets = (size_t)linker.bucket_mask + 1;
  const WmScratchMark mark = wm_scratch_mark(context);
  linker.buckets = wm_scratch_array(context, buckets, sizeof *linker.buckets);
  linker.records = wm_scratch_array(context, (size_t)polygon_count * most, sizeof *linker.records);
  const bool have_memory = linker.buckets && linker.records;
  if (have_memory) {
    memset(linker.buckets, 0xff, buckets * sizeof *linker.buckets);
    visit_edges(&linker, true);
    visit_edges(&linker, false);
    write_neighbours(&linker);
    if (grid->border_size > 0) mark_portals(&linker, grid, vertices);
  }
  wm_scratch_rewind(context, mark);
  return have_memory ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}
