/* The polygon mesh: convex polygons that cover the inside of all contours.
 *
 * In: contours. Each one is triangulated, its points become vertices of the mesh (equal ones are merged),
 * its triangles are merged into polygons and appended. Then vertices that only a tile's border caused are
 * removed, polygons are linked to their neighbours, and the mesh is packed into one block.
 *
 * Invariants of the result: each polygon has 3 to max_vertices_per_polygon vertices, then WM_POLYGON_NONE;
 * neighbours are mutual. Source: M. Mononen, Recast Navigation (2009-). */
#include "bake/polygons/polygon_mesh_internal.h"
#include "bake/contours/contours_validate.h"
#include "bake/polygons/polygon_mesh_validate.h"
#include "base/debug/assert.h"

#include <string.h>

enum {
  CONTOUR_VERTEX_LIMIT = 65534, /* vertex indices have 16 bits; 65535 is "none" */
  SAME_VERTEX_HEIGHT =
      2 /* points with equal x and z are one vertex if their heights differ by at most this */
};
#define NO_VERTEX UINT32_MAX
#define ADVICE ": use tiles (tileSize) or larger cells"

typedef WmPolygonAssembler Assembler;

static uint32_t contour_size(const WmContourSet *contours, uint32_t i) {
  return contours->vertex_first[i + 1] - contours->vertex_first[i];
}

/* ---- Vertices ------------------------------------------------------------------------------------------ */

/* Returns the newest equal vertex, or a new one. */
static uint16_t find_or_add_vertex(Assembler *assembler, uint16_t x, uint16_t y, uint16_t z) {
  const uint32_t hash = ((uint32_t)x << 16 | z) * 0x9e3779b1u;
  uint32_t *bucket = &assembler->buckets[(hash >> 15 ^ hash) & assembler->bucket_mask];
  WmPolygonMeshParts *parts = &assembler->parts;
  for (uint32_t i = *bucket; i != NO_VERTEX; i = assembler->next_in_bucket[i]) {
    const uint16_t *vertex = parts->vertices + 3 * (size_t)i;
    const int32_t rise = vertex[1] - y;
    if (vertex[0] == x && vertex[2] == z && rise >= -SAME_VERTEX_HEIGHT && rise <= SAME_VERTEX_HEIGHT) {
      return (uint16_t)i;
    }
  }
  const uint32_t added = parts->vertex_count++;
  uint16_t *vertex = parts->vertices + 3 * (size_t)added;
  vertex[0] = x;
  vertex[1] = y;
  vertex[2] = z;
  parts->is_border[added] = 0;
  assembler->next_in_bucket[added] = *bucket;
  *bucket = added;
  return (uint16_t)added;
}

/* ---- One contour --------------------------------------------------------------------------------------- */

uint32_t wm_polygon_start_ring(Assembler *assembler, uint32_t contour) {
  const WmContourSet *contours = assembler->contours;
  const uint32_t count = contour_size(contours, contour);
  if (count < 3) return 0;
  const int32_t *vertex = contours->vertices + 4 * (size_t)contours->vertex_first[contour];
  for (uint32_t i = 0; i < count; i++, vertex += 4) {
    const uint16_t added =
        find_or_add_vertex(assembler, (uint16_t)vertex[0], (uint16_t)vertex[1], (uint16_t)vertex[2]);
    if (vertex[3] & WM_CONTOUR_BORDER_VERTEX) assembler->parts.is_border[added] = 1;
    assembler->ring[i] =
        (WmPolygonEdge){added, 0, contours->contour_region[contour], contours->contour_area[contour]};
  }
  return count;
}

/* ---- The mesh --------------------------------------------------------------------------------------- */

/* Arrays of vertices share a block, and so do those of polygons; the widest elements come first. */
WmStatus wm_polygon_assembler_start(Assembler *assembler, uint32_t max_vertices) {
  const WmContourSet *contours = assembler->contours;
  uint32_t vertices = 0, triangles = 0, largest = 0;
  for (uint32_t i = 0; i < contours->contour_count; i++) {
    const uint32_t size = contour_size(contours, i);
    if (size < 3) continue;
    vertices += size;
    triangles += size - 2;
    if (size > largest) largest = size;
  }
  if (vertices >= CONTOUR_VERTEX_LIMIT) {
    return wm_fail_number(assembler->context, WM_ERROR_LIMIT, "tileSize", "contours have ", vertices,
                          " vertices, a polygon mesh holds at most 65533" ADVICE);
  }
  WmContext *context = assembler->context;
  WmPolygonMeshParts *parts = &assembler->parts;
  WmPolygonList *polygons = &parts->polygons;
  assembler->bucket_mask = 255;
  while (assembler->bucket_mask < vertices) assembler->bucket_mask = 2 * assembler->bucket_mask + 1;
  const uint32_t buckets = assembler->bucket_mask + 1;
  assembler->buckets = wm_scratch_array(context, buckets, sizeof *assembler->buckets);
  assembler->ring = wm_scratch_array(context, largest, sizeof *assembler->ring);
  assembler->next_in_bucket = wm_scratch_array(
      context, vertices, sizeof *assembler->next_in_bucket + 3 * sizeof *parts->vertices + 1);
  polygons->vertices =
      wm_scratch_array(context, (size_t)triangles + 8,
                       max_vertices * sizeof *polygons->vertices + sizeof *polygons->region + 1);
  if (!assembler->buckets || !assembler->ring || !assembler->next_in_bucket || !polygons->vertices) {
    return WM_ERROR_OUT_OF_MEMORY;
  }
  parts->vertices = (uint16_t *)(void *)(assembler->next_in_bucket + vertices);
  parts->is_border = (uint8_t *)(parts->vertices + 3 * (size_t)vertices);
  polygons->region = polygons->vertices + (size_t)triangles * max_vertices;
  polygons->area = (uint8_t *)(polygons->region + triangles);
  polygons->capacity = triangles;
  polygons->max_vertices = max_vertices;
  memset(assembler->buckets, 0xff, buckets * sizeof *assembler->buckets);
  return WM_OK;
}

/* Copies the mesh into one block, still without neighbours. */
static WmStatus pack(const Assembler *assembler, WmPolygonMesh *mesh) {
  const WmPolygonMeshParts *parts = &assembler->parts;
  const size_t max_vertices = parts->polygons.max_vertices, count = parts->polygons.count;
  const size_t corners = 3 * (size_t)parts->vertex_count;
  uint16_t *block =
      wm_block_allocate(assembler->context, (corners + (2 * max_vertices + 1) * count) * 2 + count);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  mesh->block = block;
  mesh->vertex_count = parts->vertex_count;
  mesh->polygon_count = parts->polygons.count;
  mesh->vertices = memcpy(block, parts->vertices, corners * sizeof *block);
  mesh->polygons = memset(block + corners, 0xff, 2 * max_vertices * count * sizeof *block);
  mesh->polygon_region = mesh->polygons + 2 * max_vertices * count;
  memcpy(mesh->polygon_region, parts->polygons.region, count * sizeof *block);
  mesh->polygon_area = memcpy(mesh->polygon_region + count, parts->polygons.area, count);
  for (size_t i = 0; i < count; i++) {
    memcpy(mesh->polygons + 2 * max_vertices * i, parts->polygons.vertices + max_vertices * i,
           max_vertices * sizeof *mesh->polygons);
  }
  return WM_OK;
}

WmStatus wm_polygon_assembler_finish(Assembler *assembler, WmPolygonMesh *mesh) {
  WmContext *context = assembler->context;
  const WmContourSet *contours = assembler->contours;
  const uint32_t max_vertices = assembler->parts.polygons.max_vertices;
  WmStatus status = wm_polygon_remove_border(context, &assembler->parts);
  if (status) return status;
  if (assembler->parts.polygons.count > WM_POLYGON_LIMIT) {
    return wm_fail_number(context, WM_ERROR_LIMIT, "tileSize", "polygon mesh has ",
                          assembler->parts.polygons.count, " polygons, at most 32767 are possible" ADVICE);
  }
  status = pack(assembler, mesh);
  if (!status) {
    status = wm_polygon_link(context, &contours->grid, mesh->vertices, mesh->vertex_count, mesh->polygons,
                             mesh->polygon_count, max_vertices);
  }
  if (status) {
    wm_polygon_mesh_free(context, mesh);
    return status;
  }
  mesh->grid = contours->grid;
  mesh->max_error = contours->max_error;
  mesh->max_vertices_per_polygon = (int32_t)max_vertices;
  WM_VALIDATE(wm_polygon_mesh_validate(mesh) || !wm_contour_set_validate(contours));
  return WM_OK;
}

WmStatus wm_build_polygon_mesh(WmContext *context, const WmContourSet *contours, int32_t max_vertices,
                               WmPolygonMesh *mesh) {
  memset(mesh, 0, sizeof *mesh);
  if (max_vertices < 3 || max_vertices > WM_POLYGON_MAX_VERTICES) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "maxVerticesPerPolygon", max_vertices, 3,
                         WM_POLYGON_MAX_VERTICES, NULL);
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  Assembler assembler = {.context = context, .contours = contours};
  WmStatus status = wm_polygon_assembler_start(&assembler, (uint32_t)max_vertices);
  for (uint32_t i = 0; i < contours->contour_count && !status; i++) {
    const uint32_t count = wm_polygon_start_ring(&assembler, i);
    status = wm_polygon_fill(context, &assembler.parts, assembler.ring, count);
  }
  if (!status) status = wm_polygon_assembler_finish(&assembler, mesh);
  wm_scratch_rewind(context, mark);
  return status;
}
