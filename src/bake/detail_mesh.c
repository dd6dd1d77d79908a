/* The detail mesh: for every polygon a triangulation that follows the height of the surface.
 *
 * in         polygon mesh, compact heightfield (border included) and its regions, all of one tile
 * out        per polygon a submesh: its own vertices, samples on its edges, samples inside; triangles with
 *            flags where their edges lie on the polygon's outline
 * Polygons do not depend on each other. The results are Recast's, except that
 *   - polygons whose triangulation would drop dangling faces are triangulated by flips, without holes
 *     (detail_insert.c);
 *   - polygons with no surface at all near their vertices, which the reference leaves to chance, keep the
 *     heights of their outline;
 *   - with sample distance 0 every polygon keeps its outline.
 * Source: M. Mononen, Recast Navigation (2009-); the parts' files name further papers. */
#include "bake/stages.h"

#include <math.h>
#include <string.h>

#include "bake/detail_internal.h"

/* An array in scratch memory that grows. */
typedef struct List {
  uint8_t *bytes;
  size_t count, capacity; /* elements */
} List;

/* The results so far. */
typedef struct Results {
  uint32_t *submeshes;
  List vertices, triangles;
} Results;

/* Adds `count` elements at the end; NULL without memory for them. */
static void *extend(WmContext *context, List *list, size_t count, size_t element_bytes) {
  const size_t end = list->count + count;
  if (end >= list->capacity) { /* also the first time */
    const size_t capacity = 2 * list->capacity + count + 1;
    uint8_t *bytes = wm_scratch_grow(context, list->bytes, list->capacity, capacity, element_bytes);
    if (!bytes) return NULL;
    list->bytes = bytes;
    list->capacity = capacity;
  }
  void *first = list->bytes + element_bytes * list->count;
  list->count = end;
  return first;
}

/* Appends the shape as the polygon's submesh. */
static bool append_submesh(WmContext *context, const WmDetailShape *shape, const WmGrid *grid,
                           uint32_t *submesh, Results *results) {
  const uint32_t vertex_count = (uint32_t)shape->vertex_count;
  const uint32_t triangle_count =
      shape->triangle_count < WM_DETAIL_TRIANGLE_LIMIT ? shape->triangle_count : WM_DETAIL_TRIANGLE_LIMIT;
  submesh[0] = (uint32_t)results->vertices.count;
  submesh[1] = vertex_count;
  submesh[2] = (uint32_t)results->triangles.count;
  submesh[3] = triangle_count;
  float *vertex = extend(context, &results->vertices, vertex_count, 12);
  uint8_t *triangle = extend(context, &results->triangles, triangle_count, 4);
  if (!vertex || !triangle) return false;
  const float *low = grid->bounds_min;
  const WmFloat4 corner = {low[0], low[1] + grid->cell_height, low[2]};
  for (uint32_t i = 0; i < vertex_count; i++, vertex += 3) {
    const WmFloat4 at = wm_load_float4(shape->at[i]) + corner;
    memcpy(vertex, &at, 12);
  }
  uint8_t next[WM_DETAIL_VERTEX_STRIDE]; /* along the hull; no vertex follows one inside */
  memset(next, 0xff, sizeof next);
  for (int32_t i = 0, j = shape->hull_count - 1; i < shape->hull_count; j = i++) {
    next[shape->hull[j]] = shape->hull[i];
  }
  for (uint32_t i = 0; i < triangle_count; i++, triangle += 4) {
    memcpy(triangle, shape->corners + 4 * i, 4);
    const uint32_t a = triangle[0], b = triangle[1], c = triangle[2];
    triangle[3] = (uint8_t)((next[a] == b) | (next[b] == c) << 2 | (next[c] == a) << 4);
  }
  return true;
}

/* Makes the shape of one polygon. */
static WmStatus build_polygon(WmContext *context, WmDetailWorkspace *work, const WmPolygonMesh *mesh,
                              size_t polygon, float sample_distance, float max_error) {
  WmDetailShape *shape = &work->shape;
  const uint16_t *indices = mesh->polygons + polygon * 2 * (size_t)mesh->max_vertices_per_polygon;
  const float cell_size = mesh->grid.cell_size;
  const WmFloat4 unit = {cell_size, mesh->grid.cell_height, cell_size};
  WmInt4 low = wm_splat_int4(INT32_MAX), high = {0}, sum = {0};
  int32_t count = 0;
  shape->vertex_count = 0;
  for (; count < mesh->max_vertices_per_polygon && indices[count] != WM_POLYGON_NONE; count++) {
    const uint16_t *vertex = mesh->vertices + 3 * (size_t)indices[count];
    const WmInt4 cells = {vertex[0], vertex[1], vertex[2]};
    low = wm_min_int4(low, cells);
    high = wm_max_int4(high, cells);
    sum += cells;
    wm_detail_append_vertex(shape, wm_int4_to_float4(cells) * unit);
  }
  shape->polygon_vertex_count = count;
  wm_detail_plain_hull(shape);
  if (!(sample_distance > 0) || count < 3) {
    wm_detail_triangulate_hull(shape);
    return WM_OK;
  }
  WmHeightPatch *patch = &work->patch;
  const uint16_t region = mesh->polygon_region[polygon];
  patch->region = region != WM_REGION_NONE ? region : WM_HEIGHT_NO_REGION; /* no span has it */
  const WmStatus status = wm_height_patch_start(patch, indices, count, low, high, sum);
  if (status) return status;
  const float extent = wm_detail_extent(shape);
  wm_detail_sample_edges(shape, patch, sample_distance, max_error);
  if (patch->is_unreachable) wm_detail_plain_hull(shape);
  wm_detail_triangulate_hull(shape);
  if (patch->is_unreachable || extent < sample_distance * 2) return WM_OK;
  return wm_detail_sample_inside(context, work, sample_distance, max_error, cell_size);
}

static WmStatus build_polygons(WmContext *context, const WmPolygonMesh *mesh,
                               const WmCompactHeightfield *compact, const WmRegions *regions,
                               float sample_distance, float max_error, Results *results) {
  WmDetailWorkspace *work = wm_scratch_array(context, 1, sizeof *work);
  results->submeshes = wm_scratch_array(context, 4 * (size_t)mesh->polygon_count, sizeof *results->submeshes);
  if (!work || !results->submeshes) return WM_ERROR_OUT_OF_MEMORY;
  /* Not the tables: most tiles need none. */
  work->samples.capacity = work->triangulation.stamp = 0;
  work->triangulation.edge_count = work->triangulation.memo_count = 0;
  work->triangulation.is_clean = false;
  WmHeightPatch *patch = &work->patch;
  memset(patch, 0, sizeof *patch);
  patch->context = context;
  patch->compact = compact;
  patch->span_region = regions->span_region;
  patch->vertices = mesh->vertices;
  patch->inverse_cell_size = 1.0f / mesh->grid.cell_size;
  patch->cell_height = mesh->grid.cell_height;
  /* Rings wider than any window find nothing more. */
  const float radius = ceilf(mesh->max_error);
  patch->search_radius = radius >= 65536 ? 65536 : radius > 1 ? (int32_t)radius : 1;
  for (size_t polygon = 0; polygon < mesh->polygon_count; polygon++) {
    const WmStatus status = build_polygon(context, work, mesh, polygon, sample_distance, max_error);
    if (status) return status;
    uint32_t *submesh = results->submeshes + 4 * polygon;
    if (!append_submesh(context, &work->shape, &mesh->grid, submesh, results)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

/* Copies the results into one block. */
static WmStatus pack_results(WmContext *context, const Results *results, uint32_t submesh_count,
                             WmDetailMesh *detail) {
  const size_t vertex_count = results->vertices.count, triangle_count = results->triangles.count;
  /* The sum cannot overflow: all of it is in memory already. */
  uint32_t *submeshes =
      wm_block_allocate(context, 16 * (size_t)submesh_count + 12 * vertex_count + 4 * triangle_count);
  if (!submeshes) return WM_ERROR_OUT_OF_MEMORY;
  float *vertices = (float *)(void *)(submeshes + 4 * (size_t)submesh_count);
  uint8_t *triangles = (uint8_t *)(vertices + 3 * vertex_count);
  if (submesh_count) {
    memcpy(submeshes, results->submeshes, 16 * (size_t)submesh_count);
    memcpy(vertices, results->vertices.bytes, 12 * vertex_count);
    memcpy(triangles, results->triangles.bytes, 4 * triangle_count);
  }
  *detail = (WmDetailMesh){
      submesh_count, (uint32_t)vertex_count, (uint32_t)triangle_count, submeshes, vertices, triangles,
      submeshes};
  return WM_OK;
}

WmStatus wm_build_detail_mesh(WmContext *context, const WmPolygonMesh *mesh,
                              const WmCompactHeightfield *compact, const WmRegions *regions,
                              float sample_distance, float max_error, WmDetailMesh *detail) {
  memset(detail, 0, sizeof *detail);
  if (mesh->max_vertices_per_polygon > WM_DETAIL_POLYGON_LIMIT) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "maxVerticesPerPolygon",
                   "the detail mesh takes polygons of at most 32 vertices");
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  Results results = {0};
  const bool is_empty = mesh->vertex_count == 0 || mesh->polygon_count == 0;
  WmStatus status =
      is_empty ? WM_OK
               : build_polygons(context, mesh, compact, regions, sample_distance, max_error, &results);
  if (!status) status = pack_results(context, &results, is_empty ? 0 : mesh->polygon_count, detail);
  wm_scratch_rewind(context, mark);
  return status;
}
