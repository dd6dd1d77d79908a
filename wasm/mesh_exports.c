/* Exports of the run-time mesh of every module: creation, destruction, adding tiles of a bake. The handle
 * owns a mesh and one query, which path_exports.c and others use. */
#include "session.h"

/* ---- Creation and destruction -------------------------------------------------------------------------- */

EXPORT(mesh_destroy) void export_mesh_destroy(Mesh *mesh) {
  wm_query_destroy(mesh->query);
  wm_mesh_destroy(mesh->mesh);
  wm_block_free(mesh->session->context, mesh);
}

WmStatus session_return_mesh(Session *session, WmMesh *inner) {
  Mesh *mesh = wm_block_allocate(session->context, sizeof *mesh);
  if (!mesh) {
    wm_mesh_destroy(inner);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  *mesh = (Mesh){.session = session, .mesh = inner};
  const WmStatus status = wm_query_create(session->context, inner, &mesh->query);
  if (status) {
    export_mesh_destroy(mesh);
    return status;
  }
  session->answer[0] = (uint32_t)(uintptr_t)mesh;
  return WM_OK;
}

/* Inputs: a WmMeshParameters. */
EXPORT(mesh_create) WmStatus export_mesh_create(Session *session) {
  WmMesh *inner = NULL;
  const WmStatus status = wm_mesh_create(session->context, INPUT(WmMeshParameters, session, 0), &inner);
  return status ? status : session_return_mesh(session, inner);
}

EXPORT(mesh_set_configuration)
WmStatus export_mesh_set_configuration(Mesh *mesh, const char *text, size_t length) {
  return wm_mesh_set_configuration(mesh->mesh, text, length);
}

/* Answer: the tile's reference. */
EXPORT(mesh_add_tile)
WmStatus export_mesh_add_tile(Mesh *mesh, const uint8_t *bytes, size_t byte_count) {
  return wm_mesh_add_tile(mesh->mesh, bytes, byte_count, ANSWER(WmRef, mesh->session));
}
