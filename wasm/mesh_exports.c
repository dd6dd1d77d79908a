/* Exports of the run-time mesh, its files, and questions to it: a handle that owns a mesh and one query.
 *
 * References cross as f64, and as pairs of u32 (low, high) where they stand in arrays. Arrays of an answer
 * are valid until the next question. */
#include <stddef.h>
#include <string.h>

#include "mesh/formats.h"
#include "query/path.h"
#include "session.h"

typedef struct Mesh {
  Session *session;
  WmMesh *mesh;
  WmQuery *query;
  WmFilter filter;
} Mesh;

/* Fields of a struct as results from `first` on: words of 32 bits, numbers without a sign but for those whose
 * bit in `floats` is set. The structs have the layout of 32-bit addresses here; references are two words. */
static void return_words(Mesh *mesh, int first, const void *fields, int count, uint32_t floats) {
  double *results = mesh->session->results + first;
  for (int i = 0; i < count; i++) {
    uint32_t word;
    float number;
    memcpy(&word, (const uint8_t *)fields + 4 * i, 4);
    memcpy(&number, &word, 4);
    results[i] = floats >> i & 1 ? (double)number : (double)word;
  }
}

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
  session_read_floats(session, 0, 12, parameters.origin); /* all fields; two are integers */
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
  return_words(mesh, 0, wm_mesh_parameters(mesh->mesh), 12, 0xf9f);
}

/* Results: tiles, polygons, off-mesh connections, vertices, detail triangles, links, bytes, bounds minimum[3]
 * and maximum[3]. */
EXPORT(mesh_totals) void export_mesh_totals(Mesh *mesh) {
  WmMeshTotals totals;
  wm_mesh_totals(mesh->mesh, &totals);
  return_words(mesh, 0, &totals, 13, 0x1f80);
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

/* Returns whether there is a tile in the slot. Results: bytes' address and count, then the words of
 * WmMeshTile up to the number of polygons. */
EXPORT(mesh_tile) int export_mesh_tile(Mesh *mesh, size_t slot) {
  const WmMeshTile *tile = wm_mesh_tile(mesh->mesh, slot);
  if (!tile) return 0;
  session_return_bytes(mesh->session, tile->bytes, tile->byte_count);
  return_words(mesh, 2, tile, offsetof(WmMeshTile, vertex_count) / 4, 0);
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

/* The words of WmNearest. */
enum { NEAREST_FLOATS = 0x1c };

/* The filter of the questions that follow. Parameters: cost of each area [64], where has_costs is set. */
EXPORT(query_set_filter)
void export_query_set_filter(Mesh *mesh, int include_flags, int exclude_flags, int has_costs) {
  mesh->filter = wm_filter_default();
  mesh->filter.include_flags = (uint16_t)include_flags;
  mesh->filter.exclude_flags = (uint16_t)exclude_flags;
  if (has_costs) session_read_floats(mesh->session, 0, 64, mesh->filter.area_costs);
}

/* Parameters: point[3], half extents[3]. Results: the words of WmNearest: polygon (two words; 0: none),
 * point[3], whether it is straight above or below. */
EXPORT(query_find_nearest) WmStatus export_query_find_nearest(Mesh *mesh) {
  float centre[3], half_extents[3];
  session_read_floats(mesh->session, 0, 3, centre);
  session_read_floats(mesh->session, 3, 3, half_extents);
  WmNearest nearest;
  const WmStatus status = wm_query_find_nearest(mesh->query, centre, half_extents, &mesh->filter, &nearest);
  if (!status) return_words(mesh, 0, &nearest, 6, NEAREST_FLOATS);
  return status;
}

/* Parameters: start[3], end[3], half extents[3]. Results: the words of WmPath: state, reason, cost, length,
 * distance that remains, whether the points were cut, polygons and their address, points and the addresses of
 * their positions (f32 [3]), flags (u8) and polygons; start and end as query_find_nearest; polygons
 * searched. */
EXPORT(query_find_path)
WmStatus export_query_find_path(Mesh *mesh, int crossings, size_t max_nodes, size_t max_points) {
  float ends[9];
  session_read_floats(mesh->session, 0, 9, ends);
  WmPathOptions options = {.search = {.filter = &mesh->filter, .max_nodes = max_nodes},
                           .half_extents = {ends[6], ends[7], ends[8]},
                           .crossings = (WmCrossings)crossings,
                           .max_points = max_points};
  _Static_assert(offsetof(WmPath, start) == 48 && offsetof(WmPath, searched) == 96,
                 "mesh.js knows the layout");
  WmPath path;
  const WmStatus status = wm_query_find_path(mesh->query, ends, ends + 3, &options, &path);
  if (!status) return_words(mesh, 0, &path, 25, 0x1c | NEAREST_FLOATS << 12 | NEAREST_FLOATS << 18);
  return status;
}
