/* The detail mesh: a triangulation of each polygon that follows the height of the surface.
 *
 * in         polygon mesh, compact heightfield (border included) and its regions, all of one tile
 * out        per polygon a submesh: its own vertices, samples on its edges, samples inside; triangles with
 *            flags for edges on the polygon's outline
 *
 * Polygons do not depend on each other. The results are Recast's, except that
 * - polygons whose triangulation would drop dangling faces are triangulated by flips, without holes
 *   (detail_insert.c);
 * - with the level's surface, all polygons are sampled inside and triangulated by flips;
 * - polygons with no surface near their vertices, for which the reference is undefined, retain the heights
 *   of their outline;
 * - with sample distance 0 every polygon retains its outline.
 * Source: M. Mononen, Recast Navigation (2009-); the stage's files name further papers. */
#include "bake/stages.h"

#include <math.h>
#include <string.h>

#include "bake/detail/detail_internal.h"
#include "bake/detail/detail_mesh_validate.h"
#include "bake/polygons/polygon_mesh_validate.h"
#include "base/debug/assert.h"

typedef WmDetailResults Results;

float *wm_detail_append_words(WmContext *context, uint32_t *submesh, uint32_t vertex_count,
                              uint32_t triangle_count, Results *results) {
  submesh[1] = vertex_count;
  submesh[3] = triangle_count;
  submesh[4] = submesh[0] + vertex_count;
  submesh[6] = submesh[2] + triangle_count;
  const size_t first = results->word_count;
  results->word_count += 3 * vertex_count + triangle_count;
  results->words = wm_scratch_reserve(context, results->words, &results->capacity, results->word_count,
                                      sizeof *results->words);
  return results->words ? results->words + first : NULL;
}

/* The world position of the relative position 0, 0, 0. */
static void find_corner(const WmGrid *grid, float corner[3]) {
  memcpy(corner, grid->bounds_min, sizeof grid->bounds_min);
  corner[1] += grid->cell_height;
}

/* Appends the shape as a polygon's submesh. */
static bool append_submesh(WmContext *context, const WmDetailShape *shape, const float origin[3],
                           uint32_t *submesh, Results *results) {
  const uint32_t vertex_count = (uint32_t)shape->vertex_count;
  const uint32_t triangle_count =
      shape->triangle_count < WM_DETAIL_TRIANGLE_LIMIT ? shape->triangle_count : WM_DETAIL_TRIANGLE_LIMIT;
  float *vertex = wm_detail_append_words(context, submesh, vertex_count, triangle_count, results);
  if (!vertex) return false;
  const WmFloat4 corner = {origin[0], origin[1], origin[2]};
  for (uint32_t i = 0; i < vertex_count; i++, vertex += 3) {
    const WmFloat4 at = wm_load_float4(shape->at[i]) + corner;
    memcpy(vertex, &at, 12);
  }
  uint8_t next[WM_DETAIL_VERTEX_STRIDE]; /* along the hull; inner vertices have none */
  memset(next, 0xff, sizeof next);
  for (int32_t i = 0, j = shape->hull_count - 1; i < shape->hull_count; j = i++) {
    next[shape->hull[j]] = shape->hull[i];
  }
  uint8_t *triangle = (uint8_t *)vertex;
  for (uint32_t i = 0; i < triangle_count; i++, triangle += 4) {
    memcpy(triangle, shape->corners + 4 * i, 4);
    const uint32_t a = triangle[0], b = triangle[1], c = triangle[2];
    triangle[3] = (uint8_t)((next[a] == b) | (next[b] == c) << 2 | (next[c] == a) << 4);
  }
  return true;
}

/* Appends a vertex of the polygon itself, at the corner of a cell. */
static void append_corner(WmDetailWorkspace *work, WmFloat4 at) {
  at[1] = wm_height_patch_correct(&work->patch, at[0], at[1], at[2]);
  wm_detail_append_vertex(&work->shape, at);
}

/* Builds the shape of one polygon. */
static WmStatus build_polygon(WmContext *context, WmDetailWorkspace *work, const WmPolygonMesh *mesh,
                              size_t polygon) {
  const float sample_distance = work->settings->sample_distance, max_error = work->settings->max_error;
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
    append_corner(work, wm_int4_to_float4(cells) * unit);
  }
  shape->polygon_vertex_count = count;
  wm_detail_unsampled_hull(shape);
  if (!(sample_distance > 0) || count < 3) {
    wm_detail_triangulate_hull(shape);
    return WM_OK;
  }
  WmHeightPatch *patch = &work->patch;
  const uint16_t region = mesh->polygon_region[polygon];
  patch->region = region != WM_REGION_NONE ? region : WM_HEIGHT_NO_REGION; /* a value that no span has */
  const WmStatus status = wm_height_patch_start(patch, indices, count, low, high, sum);
  if (status) return status;
  const float extent = wm_detail_extent(shape);
  wm_detail_sample_edges(shape, patch, sample_distance, max_error);
  if (patch->is_unreachable) wm_detail_unsampled_hull(shape);
  wm_detail_triangulate_hull(shape);
  if (patch->surface) {
    wm_detail_inserter_start(&work->inserter, shape);
  } else if (extent < sample_distance * 2) { /* the reference samples no narrow polygons */
    return WM_OK;
  }
  if (patch->is_unreachable) return WM_OK;
  return wm_detail_sample_inside(context, work, wm_int4_to_float4(low) * unit, wm_int4_to_float4(high) * unit,
                                 sample_distance, max_error, cell_size);
}

WmStatus wm_detail_workspace(WmContext *context, const WmPolygonMesh *mesh,
                             const WmCompactHeightfield *compact, const WmRegions *regions,
                             const WmDetailSettings *settings, WmDetailWorkspace **workspace) {
  WmDetailWorkspace *work = *workspace = wm_scratch_array(context, 1, sizeof *work);
  if (!work) return WM_ERROR_OUT_OF_MEMORY;
  work->settings = settings;
  work->samples.x = NULL;
  work->samples.capacity = work->samples.stamp = 0;
  WmHeightPatch *patch = &work->patch;
  memset(patch, 0, sizeof *patch);
  patch->context = context;
  patch->compact = compact;
  patch->span_region = regions->span_region;
  patch->vertices = mesh->vertices;
  patch->inverse_cell_size = 1.0f / mesh->grid.cell_size;
  patch->cell_height = mesh->grid.cell_height;
  /* Rings wider than any window find no more cells. */
  const float radius = ceilf(mesh->max_error);
  patch->search_radius = radius >= 65536 ? 65536 : radius > 1 ? (int32_t)radius : 1;
  find_corner(&mesh->grid, patch->corner);
  if (!settings->surface) return WM_OK;
  patch->surface = &work->surface;
  return wm_surface_heights_start(context, &mesh->grid, settings->surface, settings->climb, &work->surface);
}

WmStatus wm_detail_add_polygon(WmContext *context, WmDetailWorkspace *work, const WmPolygonMesh *mesh,
                               size_t polygon, Results *results) {
  const WmStatus status = build_polygon(context, work, mesh, polygon);
  if (status) return status;
  uint32_t *submesh = results->submeshes + 4 * polygon;
  return append_submesh(context, &work->shape, work->patch.corner, submesh, results) ? WM_OK
                                                                                     : WM_ERROR_OUT_OF_MEMORY;
}

static WmStatus build_polygons(WmContext *context, const WmPolygonMesh *mesh,
                               const WmCompactHeightfield *compact, const WmRegions *regions,
                               const WmDetailSettings *settings, Results *results) {
  WmDetailWorkspace *work;
  WmStatus status = wm_detail_workspace(context, mesh, compact, regions, settings, &work);
  for (size_t polygon = 0; polygon < mesh->polygon_count && !status; polygon++) {
    status = wm_detail_add_polygon(context, work, mesh, polygon, results);
  }
  return status;
}

WmStatus wm_detail_pack(WmContext *context, const Results *results, uint32_t submesh_count,
                        const WmDetailSettings *settings, WmDetailMesh *detail) {
  const uint32_t *submesh = results->submeshes, *sums = submesh + 4 * (size_t)submesh_count;
  const size_t submesh_words = 4 * (size_t)submesh_count;
  const size_t vertex_words = 3 * (size_t)sums[0];
  /* No overflow: all of it is in memory already. */
  uint32_t *block = wm_block_allocate(context, 4 * (submesh_words + results->word_count));
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  float *vertex = (float *)(void *)(block + submesh_words), *triangle = vertex + vertex_words;
  *detail = (WmDetailMesh){.submesh_count = submesh_count,
                           .vertex_count = sums[0],
                           .triangle_count = sums[2],
                           .submeshes = block,
                           .vertices = vertex,
                           .triangles = (uint8_t *)triangle,
                           .is_on_surface = settings->surface != NULL,
                           .block = block};
  memcpy(block, submesh, 4 * submesh_words);
  const float *words = results->words;
  for (; submesh < sums; submesh += 4) {
    memcpy(vertex, words, 12 * (size_t)submesh[1]);
    vertex += 3 * (size_t)submesh[1];
    words += 3 * (size_t)submesh[1];
    memcpy(triangle, words, 4 * (size_t)submesh[3]);
    triangle += submesh[3];
    words += submesh[3];
  }
  return WM_OK;
}

WmStatus wm_build_detail_mesh(WmContext *context, const WmPolygonMesh *mesh,
                              const WmCompactHeightfield *compact, const WmRegions *regions,
                              const WmDetailSettings *settings, WmDetailMesh *detail) {
  memset(detail, 0, sizeof *detail);
  if (mesh->max_vertices_per_polygon > WM_DETAIL_POLYGON_LIMIT) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "maxVerticesPerPolygon",
                   "the detail mesh supports polygons of at most 32 vertices");
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  Results results = {0};
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  const uint32_t polygon_count = mesh->vertex_count ? mesh->polygon_count : 0;
  results.submeshes = wm_scratch_zeroed(context, 4 * (size_t)polygon_count + 4, sizeof *results.submeshes);
  if (results.submeshes) {
    status = polygon_count ? build_polygons(context, mesh, compact, regions, settings, &results) : WM_OK;
    if (!status) status = wm_detail_pack(context, &results, polygon_count, settings, detail);
  }
  wm_scratch_rewind(context, mark);
  if (!status) WM_VALIDATE(wm_detail_mesh_validate(detail, mesh) || !wm_polygon_mesh_validate(mesh));
  return status;
}
