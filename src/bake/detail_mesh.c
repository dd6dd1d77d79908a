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

/* The results so far, in scratch memory. */
typedef struct Results {
  uint32_t *submeshes;
  float *vertices;
  uint8_t *triangles;
  size_t vertex_count, vertex_capacity;
  size_t triangle_count, triangle_capacity;
} Results;

static bool reserve_results(WmContext *context, Results *results, size_t vertices, size_t triangles) {
  if (results->vertex_count + vertices > results->vertex_capacity) {
    const size_t capacity = 2 * results->vertex_capacity + vertices;
    results->vertices = wm_scratch_grow(context, results->vertices, 3 * results->vertex_capacity,
                                        3 * capacity, sizeof(float));
    if (!results->vertices) return false;
    results->vertex_capacity = capacity;
  }
  if (results->triangle_count + triangles > results->triangle_capacity) {
    const size_t capacity = 2 * results->triangle_capacity + triangles;
    results->triangles =
        wm_scratch_grow(context, results->triangles, 4 * results->triangle_capacity, 4 * capacity, 1);
    if (!results->triangles) return false;
    results->triangle_capacity = capacity;
  }
  return true;
}

/* Appends the shape as the polygon's submesh. */
static bool append_submesh(WmContext *context, const WmDetailShape *shape, const WmGrid *grid, size_t polygon,
                           Results *results) {
  const size_t vertex_count = (size_t)shape->vertex_count;
  const size_t triangle_count =
      shape->triangle_count < WM_DETAIL_TRIANGLE_LIMIT ? shape->triangle_count : WM_DETAIL_TRIANGLE_LIMIT;
  if (!reserve_results(context, results, vertex_count, triangle_count)) return false;
  uint32_t *submesh = results->submeshes + 4 * polygon;
  submesh[0] = (uint32_t)results->vertex_count;
  submesh[1] = (uint32_t)vertex_count;
  submesh[2] = (uint32_t)results->triangle_count;
  submesh[3] = (uint32_t)triangle_count;
  float *vertex = results->vertices + 3 * results->vertex_count;
  for (size_t i = 0; i < vertex_count; i++, vertex += 3) {
    vertex[0] = shape->x[i] + grid->bounds_min[0];
    vertex[1] = shape->y[i] + (grid->bounds_min[1] + grid->cell_height);
    vertex[2] = shape->z[i] + grid->bounds_min[2];
  }
  uint8_t next[WM_DETAIL_VERTEX_STRIDE]; /* along the hull; no vertex follows one inside */
  memset(next, 0xff, sizeof next);
  for (int32_t i = 0; i < shape->hull_count; i++) {
    next[shape->hull[i]] = shape->hull[i + 1 < shape->hull_count ? i + 1 : 0];
  }
  uint8_t *triangle = results->triangles + 4 * results->triangle_count;
  for (size_t i = 0; i < triangle_count; i++, triangle += 4) {
    const uint8_t *corners = shape->triangles[i];
    memcpy(triangle, corners, 3);
    triangle[3] = (uint8_t)((next[corners[0]] == corners[1]) | (next[corners[1]] == corners[2]) << 2 |
                            (next[corners[2]] == corners[0]) << 4);
  }
  results->vertex_count += vertex_count;
  results->triangle_count += triangle_count;
  return true;
}

/* Makes the shape of one polygon. */
static WmStatus build_polygon(WmContext *context, WmDetailWorkspace *work, const WmPolygonMesh *mesh,
                              size_t polygon, float sample_distance, float max_error) {
  WmDetailShape *shape = &work->shape;
  const uint16_t *indices = mesh->polygons + polygon * 2 * (size_t)mesh->max_vertices_per_polygon;
  uint16_t corners[WM_DETAIL_POLYGON_LIMIT][3];
  int32_t count = 0;
  for (; count < mesh->max_vertices_per_polygon && indices[count] != WM_POLYGON_NONE; count++) {
    memcpy(corners[count], mesh->vertices + 3 * (size_t)indices[count], sizeof corners[count]);
    shape->x[count] = (float)corners[count][0] * mesh->grid.cell_size;
    shape->y[count] = (float)corners[count][1] * mesh->grid.cell_height;
    shape->z[count] = (float)corners[count][2] * mesh->grid.cell_size;
  }
  shape->polygon_vertex_count = count;
  wm_detail_plain_hull(shape);
  if (!(sample_distance > 0) || count < 3) {
    wm_detail_triangulate_hull(shape);
    return WM_OK;
  }
  WmHeightPatch *patch = &work->patch;
  wm_height_patch_start(patch, (const uint16_t(*)[3])corners, count, mesh->polygon_region[polygon]);
  const float extent = wm_detail_extent(shape);
  wm_detail_sample_edges(shape, patch, sample_distance, max_error);
  if (patch->status) return patch->status;
  if (patch->is_unreachable) wm_detail_plain_hull(shape);
  wm_detail_triangulate_hull(shape);
  if (patch->is_unreachable || extent < sample_distance * 2) return WM_OK;
  return wm_detail_sample_inside(context, work, sample_distance, max_error, mesh->grid.cell_size);
}

static WmStatus build_polygons(WmContext *context, const WmPolygonMesh *mesh,
                               const WmCompactHeightfield *compact, const WmRegions *regions,
                               float sample_distance, float max_error, Results *results) {
  WmDetailWorkspace *work = wm_scratch_zeroed(context, 1, sizeof *work);
  results->submeshes = wm_scratch_array(context, 4 * (size_t)mesh->polygon_count, sizeof *results->submeshes);
  if (!work || !results->submeshes) return WM_ERROR_OUT_OF_MEMORY;
  WmHeightPatch *patch = &work->patch;
  patch->context = context;
  patch->compact = compact;
  patch->span_region = regions->span_region;
  patch->inverse_cell_size = 1.0f / mesh->grid.cell_size;
  patch->cell_height = mesh->grid.cell_height;
  /* Rings wider than any window find nothing more. */
  const float radius = ceilf(mesh->max_error);
  patch->search_radius = radius >= 65536 ? 65536 : radius > 1 ? (int32_t)radius : 1;
  for (size_t polygon = 0; polygon < mesh->polygon_count; polygon++) {
    const WmStatus status = build_polygon(context, work, mesh, polygon, sample_distance, max_error);
    if (status) return status;
    if (!append_submesh(context, &work->shape, &mesh->grid, polygon, results)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

/* Copies the results into one block. */
static WmStatus pack_results(WmContext *context, const Results *results, uint32_t submesh_count,
                             WmDetailMesh *detail) {
  WmLayout layout = {0};
  const size_t submeshes = wm_layout_add(&layout, submesh_count, 16);
  const size_t vertices = wm_layout_add(&layout, results->vertex_count, 12);
  const size_t triangles = wm_layout_add(&layout, results->triangle_count, 4);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  detail->block = block;
  detail->submesh_count = submesh_count;
  detail->vertex_count = (uint32_t)results->vertex_count;
  detail->triangle_count = (uint32_t)results->triangle_count;
  detail->submeshes = (uint32_t *)(void *)(block + submeshes);
  detail->vertices = (float *)(void *)(block + vertices);
  detail->triangles = block + triangles;
  if (submesh_count) memcpy(detail->submeshes, results->submeshes, 16 * (size_t)submesh_count);
  if (results->vertex_count) memcpy(detail->vertices, results->vertices, 12 * results->vertex_count);
  if (results->triangle_count) memcpy(detail->triangles, results->triangles, 4 * results->triangle_count);
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
