/* Exports of the run-time mesh, its files, and questions to it: a handle that owns a mesh and one query.
 *
 * References cross as f64, and as pairs of u32 (low, high) where they stand in arrays. Arrays of an answer are
 * valid until the next question. */
#include <string.h>

#include "mesh/formats.h"
#include "query/query.h"
#include "session.h"

typedef struct Mesh {
  Session *session;
  WmMesh *mesh;
  WmQuery *query;
  WmFilter filter;
} Mesh;

/* ---- Life ---------------------------------------------------------------------------------------------- */

EXPORT(mesh_destroy) void export_mesh_destroy(Mesh *mesh) {
  wm_query_destroy(mesh->query);
  wm_mesh_destroy(mesh->mesh);
  wm_block_free(mesh->session->context, mesh);
}

/* Wraps a mesh; on failure the mesh is destroyed. Result: the handle. */
static WmStatus return_mesh(Session *session, WmMesh *inner) {
  Mesh *mesh = wm_block_allocate(session->context, sizeof *mesh);
  if (!mesh) {
    wm_mesh_destroy(inner);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  *mesh = (Mesh){.session = session, .mesh = inner, .filter = wm_filter_default()};
  const WmStatus status = wm_query_create(session->context, inner, &mesh->query);
  if (status) {
    export_mesh_destroy(mesh);
    return status;
  }
  session->results[0] = (double)(uintptr_t)mesh;
  return WM_OK;
}

/* Parameters: origin[3], width and depth of a tile, tiles on x and z, cell size, cell height, agent's height,
 * radius and climb. */
EXPORT(mesh_create) WmStatus export_mesh_create(Session *session) {
  WmMeshParameters parameters = {0};
  session_read_floats(session, 0, 3, parameters.origin);
  session_read_floats(session, 3, 1, &parameters.tile_width);
  session_read_floats(session, 4, 1, &parameters.tile_depth);
  session_read_floats(session, 7, 1, &parameters.cell_size);
  session_read_floats(session, 8, 1, &parameters.cell_height);
  session_read_floats(session, 9, 1, &parameters.agent_height);
  session_read_floats(session, 10, 1, &parameters.agent_radius);
  session_read_floats(session, 11, 1, &parameters.agent_max_climb);
  WmStatus status = session_read_integer(session, WM_ERROR_INVALID_ARGUMENT, "tileCountX",
                                         session->parameters[5], &parameters.tile_count_x);
  if (!status) {
    status = session_read_integer(session, WM_ERROR_INVALID_ARGUMENT, "tileCountZ", session->parameters[6],
                                  &parameters.tile_count_z);
  }
  WmMesh *inner = NULL;
  if (!status) status = wm_mesh_create(session->context, &parameters, &inner);
  return status ? status : return_mesh(session, inner);
}

/* From the bytes of a file in any format. */
EXPORT(mesh_read) WmStatus export_mesh_read(Session *session, const uint8_t *bytes, size_t byte_count) {
  WmMesh *inner = NULL;
  const WmStatus status = wm_mesh_read(session->context, bytes, byte_count, &inner);
  return status ? status : return_mesh(session, inner);
}

/* Formats as in WmFormat. Results: address (memory_free it), bytes. */
EXPORT(mesh_write) WmStatus export_mesh_write(Mesh *mesh, int format) {
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  const WmStatus status = wm_mesh_write(mesh->mesh, (WmFormat)format, &bytes, &byte_count);
  if (!status) session_return_bytes(mesh->session, bytes, byte_count);
  return status;
}

/* The WmFormat that the first bytes speak of. */
EXPORT(format_detect) int export_format_detect(const uint8_t *bytes, size_t byte_count) {
  return (int)wm_format_detect(bytes, byte_count);
}

/* ---- What it holds ------------------------------------------------------------------------------------- */

EXPORT(mesh_set_configuration)
WmStatus export_mesh_set_configuration(Mesh *mesh, const char *text, size_t length) {
  return wm_mesh_set_configuration(mesh->mesh, text, length);
}

/* Results: address, bytes. */
EXPORT(mesh_configuration) void export_mesh_configuration(Mesh *mesh) {
  size_t length = 0;
  const char *text = wm_mesh_configuration(mesh->mesh, &length);
  session_return_bytes(mesh->session, text, length);
}

/* Results: origin[3], width and depth of a tile, tiles on x and z, cell size, cell height, agent's height,
 * radius and climb. */
EXPORT(mesh_parameters) void export_mesh_parameters(Mesh *mesh) {
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh->mesh);
  const double values[] = {parameters->origin[0],     parameters->origin[1],    parameters->origin[2],
                           parameters->tile_width,    parameters->tile_depth,   parameters->tile_count_x,
                           parameters->tile_count_z,  parameters->cell_size,    parameters->cell_height,
                           parameters->agent_height,  parameters->agent_radius, parameters->agent_max_climb};
  memcpy(mesh->session->results, values, sizeof values);
}

/* Results: tiles, polygons, off-mesh connections, vertices, detail triangles, links, bytes, bounds minimum[3]
 * and maximum[3]. */
EXPORT(mesh_totals) void export_mesh_totals(Mesh *mesh) {
  WmMeshTotals totals;
  wm_mesh_totals(mesh->mesh, &totals);
  double *results = mesh->session->results;
  const double counts[] = {(double)totals.tiles,    (double)totals.polygons,  (double)totals.connections,
                           (double)totals.vertices, (double)totals.triangles, (double)totals.links,
                           (double)totals.byte_count};
  memcpy(results, counts, sizeof counts);
  for (int axis = 0; axis < 3; axis++) {
    results[7 + axis] = totals.bounds_min[axis];
    results[10 + axis] = totals.bounds_max[axis];
  }
}

/* ---- Tiles --------------------------------------------------------------------------------------------- */

/* Result: the tile's reference. */
EXPORT(mesh_add_tile) WmStatus export_mesh_add_tile(Mesh *mesh, const uint8_t *bytes, size_t byte_count) {
  WmRef ref = 0;
  const WmStatus status = wm_mesh_add_tile(mesh->mesh, bytes, byte_count, &ref);
  mesh->session->results[0] = (double)ref;
  return status;
}

EXPORT(mesh_slot_count) size_t export_mesh_slot_count(Mesh *mesh) { return wm_mesh_slot_count(mesh->mesh); }

/* Returns whether there is a tile in the slot. Results: bytes' address and count, reference, x, z, layer,
 * polygons, detail triangles. */
EXPORT(mesh_tile) int export_mesh_tile(Mesh *mesh, size_t slot) {
  const WmMeshTile *tile = wm_mesh_tile(mesh->mesh, slot);
  if (!tile) return 0;
  session_return_bytes(mesh->session, tile->bytes, tile->byte_count);
  const double values[] = {(double)tile->ref, tile->x, tile->z, tile->layer, tile->polygon_count,
                           tile->triangle_count};
  memcpy(mesh->session->results + 2, values, sizeof values);
  return 1;
}

/* The tile's surface as loose triangles. Results: address (memory_free it) of f32 [n][3][3], bytes. */
EXPORT(mesh_tile_triangles) WmStatus export_mesh_tile_triangles(Mesh *mesh, size_t slot) {
  session_return_bytes(mesh->session, NULL, 0);
  const WmMeshTile *tile = wm_mesh_tile(mesh->mesh, slot);
  if (!tile) return WM_OK;
  WmLayout layout = {0};
  wm_layout_add(&layout, tile->triangle_count, 9 * sizeof(float));
  float *positions = wm_layout_allocate(mesh->session->context, &layout);
  if (!positions) return WM_ERROR_OUT_OF_MEMORY;
  wm_mesh_tile_triangles(tile, positions, NULL);
  session_return_bytes(mesh->session, positions, (size_t)tile->triangle_count * 9 * sizeof(float));
  return WM_OK;
}

/* ---- Questions ----------------------------------------------------------------------------------------- */

static double *write_nearest(double *results, const WmNearest *nearest) {
  results[0] = (double)nearest->polygon;
  for (int axis = 0; axis < 3; axis++) results[1 + axis] = nearest->point[axis];
  results[4] = nearest->over;
  return results + 5;
}

/* The filter of the questions that follow. Parameters: cost of each area [64], where has_costs is set. */
EXPORT(query_set_filter)
void export_query_set_filter(Mesh *mesh, int include_flags, int exclude_flags, int has_costs) {
  mesh->filter = wm_filter_default();
  mesh->filter.include_flags = (uint16_t)include_flags;
  mesh->filter.exclude_flags = (uint16_t)exclude_flags;
  if (has_costs) session_read_floats(mesh->session, 0, 64, mesh->filter.area_costs);
}

/* Parameters: point[3], half extents[3]. Results: polygon (0: none), point[3], whether it is straight above or
 * below. */
EXPORT(query_find_nearest) WmStatus export_query_find_nearest(Mesh *mesh) {
  float centre[3], half_extents[3];
  session_read_floats(mesh->session, 0, 3, centre);
  session_read_floats(mesh->session, 3, 3, half_extents);
  WmNearest nearest;
  const WmStatus status = wm_query_find_nearest(mesh->query, centre, half_extents, &mesh->filter, &nearest);
  if (!status) write_nearest(mesh->session->results, &nearest);
  return status;
}

/* Parameters: start[3], end[3], half extents[3]. Results: state, reason, cost, length, whether the points were
 * cut, polygons searched; polygons and their address, points and the addresses of their positions (f32 [3]),
 * flags (u8) and polygons; then start and end, five numbers each as query_find_nearest. */
EXPORT(query_find_path)
WmStatus export_query_find_path(Mesh *mesh, int crossings, size_t max_nodes, size_t max_points) {
  Session *session = mesh->session;
  float start[3], end[3];
  WmPathOptions options = wm_path_options_default();
  session_read_floats(session, 0, 3, start);
  session_read_floats(session, 3, 3, end);
  session_read_floats(session, 6, 3, options.half_extents);
  options.filter = &mesh->filter;
  options.crossings = (WmCrossings)crossings;
  options.max_nodes = max_nodes;
  options.max_points = max_points;
  WmPath path;
  const WmStatus status = wm_query_find_path(mesh->query, start, end, &options, &path);
  if (status) return status;
  const double values[] = {path.state,
                           path.reason,
                           path.cost,
                           path.length,
                           path.cut,
                           (double)path.searched,
                           (double)path.polygon_count,
                           (double)(uintptr_t)path.polygons,
                           (double)path.point_count,
                           (double)(uintptr_t)path.points,
                           (double)(uintptr_t)path.point_flags,
                           (double)(uintptr_t)path.point_polygons};
  memcpy(session->results, values, sizeof values);
  double *next = write_nearest(session->results + sizeof values / sizeof *values, &path.start);
  write_nearest(next, &path.end);
  return WM_OK;
}
