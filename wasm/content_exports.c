/* Exports of a mesh's files, parameters, tiles and polygons. */
#include "mesh/formats/formats.h"
#include "session.h"

/* ---- Files --------------------------------------------------------------------------------------------- */

/* From the bytes of a file in any format. */
EXPORT(mesh_read) WmStatus export_mesh_read(Session *session, const uint8_t *bytes, size_t byte_count) {
  WmMesh *inner = NULL;
  const WmStatus status = wm_mesh_read(session->context, bytes, byte_count, &inner);
  return status ? status : session_return_mesh(session, inner);
}

/* Formats as in WmFormat. Answer: address (memory_free it), bytes. */
EXPORT(mesh_write) WmStatus export_mesh_write(Mesh *mesh, int format) {
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  const WmStatus status = wm_mesh_write(mesh->mesh, (WmFormat)format, &bytes, &byte_count);
  if (!status) session_return_bytes(mesh->session, bytes, byte_count);
  return status;
}

/* As mesh_write, for Detour's formats, with segment links as off-mesh connections; spacing 0: the agent's diameter. */
EXPORT(mesh_write_point_links) WmStatus export_mesh_write_point_links(Mesh *mesh, int format, float spacing) {
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  const WmStatus status =
      wm_mesh_write_point_links(mesh->mesh, (WmFormat)format, spacing, &bytes, &byte_count);
  if (!status) session_return_bytes(mesh->session, bytes, byte_count);
  return status;
}

/* The WmFormat of the first bytes. */
EXPORT(format_detect) int export_format_detect(const uint8_t *bytes, size_t byte_count) {
  return (int)wm_format_detect(bytes, byte_count);
}

/* ---- Properties ---------------------------------------------------------------------------------------- */

/* Answer: address, bytes. */
EXPORT(mesh_configuration) void export_mesh_configuration(Mesh *mesh) {
  size_t length = 0;
  const char *text = wm_mesh_configuration(mesh->mesh, &length);
  session_return_bytes(mesh->session, text, length);
}

/* The address of the WmMeshParameters. */
EXPORT(mesh_parameters) const WmMeshParameters *export_mesh_parameters(Mesh *mesh) {
  return wm_mesh_parameters(mesh->mesh);
}

/* A number that changes with every change of the mesh. */
EXPORT(mesh_version) double export_mesh_version(Mesh *mesh) { return (double)wm_mesh_version(mesh->mesh); }

/* Answer: a WmMeshTotals. */
EXPORT(mesh_totals) void export_mesh_totals(Mesh *mesh) {
  wm_mesh_totals(mesh->mesh, ANSWER(WmMeshTotals, mesh->session));
}

/* ---- Tiles --------------------------------------------------------------------------------------------- */

EXPORT(mesh_slot_count) size_t export_mesh_slot_count(Mesh *mesh) { return wm_mesh_slot_count(mesh->mesh); }

/* The address of the WmMeshTile in the slot; NULL: none. */
EXPORT(mesh_tile) const WmMeshTile *export_mesh_tile(Mesh *mesh, size_t slot) {
  return wm_mesh_tile(mesh->mesh, slot);
}

/* The address of the WmMeshTile at a place; NULL: none. */
EXPORT(mesh_find_tile) const WmMeshTile *export_mesh_find_tile(Mesh *mesh, int x, int z, int layer) {
  return wm_mesh_find_tile(mesh->mesh, x, z, layer);
}

/* The tile's surface as loose triangles. Answer: address (memory_free it) of f32 [n][3][3], bytes. */
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

EXPORT(mesh_remove_tile) WmStatus export_mesh_remove_tile(Mesh *mesh, double tile) {
  return wm_mesh_remove_tile(mesh->mesh, (WmRef)tile);
}

/* ---- Polygons ------------------------------------------------------------------------------------------ */

/* Answer: a polygon's flags and area. */
EXPORT(mesh_polygon) WmStatus export_mesh_polygon(Mesh *mesh, double ref) {
  Session *session = mesh->session;
  const WmRef polygon = (WmRef)ref;
  const WmStatus status = wm_mesh_check_ref(session->context, mesh->mesh, polygon, "polygon");
  if (status) return status;
  const WmMeshTile *tile = wm_mesh_tile_of(mesh->mesh, polygon);
  session->answer[0] = tile->polygon_flags[wm_ref_polygon(polygon)];
  session->answer[1] = tile->polygon_area[wm_ref_polygon(polygon)];
  return WM_OK;
}

EXPORT(mesh_set_polygon_flags) WmStatus export_mesh_set_polygon_flags(Mesh *mesh, double polygon, int flags) {
  return wm_mesh_set_polygon_flags(mesh->mesh, (WmRef)polygon, (uint16_t)flags);
}

EXPORT(mesh_set_polygon_area) WmStatus export_mesh_set_polygon_area(Mesh *mesh, double polygon, int area) {
  return wm_mesh_set_polygon_area(mesh->mesh, (WmRef)polygon, (uint8_t)area);
}
