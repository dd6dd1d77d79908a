/* Exports of changes to a mesh at run time: tiles replaced, their state, off-mesh connections. */
#include "mesh/links/connections.h"
#include "session.h"

/* ---- Tiles --------------------------------------------------------------------------------------------- */

/* Answer: the tile's reference. */
EXPORT(mesh_replace_tile)
WmStatus export_mesh_replace_tile(Mesh *mesh, const uint8_t *bytes, size_t byte_count) {
  return wm_mesh_replace_tile(mesh->mesh, bytes, byte_count, ANSWER(WmRef, mesh->session));
}

EXPORT(mesh_order_tile) WmStatus export_mesh_order_tile(Mesh *mesh, double tile) {
  return wm_mesh_order_tile(mesh->mesh, (WmRef)tile);
}

/* Answer: address (memory_free it), bytes. */
EXPORT(mesh_save_tile_state) WmStatus export_mesh_save_tile_state(Mesh *mesh, double tile) {
  Session *session = mesh->session;
  WmStatus status = wm_mesh_check_ref(session->context, mesh->mesh, (WmRef)tile, "tile");
  if (status) return status;
  const size_t byte_count = wm_mesh_tile_state_bytes(mesh->mesh, (WmRef)tile);
  uint8_t *state = wm_block_allocate(session->context, byte_count);
  if (!state) return WM_ERROR_OUT_OF_MEMORY;
  status = wm_mesh_save_tile_state(mesh->mesh, (WmRef)tile, state, byte_count);
  session_return_bytes(session, state, byte_count);
  return status;
}

EXPORT(mesh_restore_tile_state)
WmStatus export_mesh_restore_tile_state(Mesh *mesh, const uint8_t *state, size_t byte_count) {
  return wm_mesh_restore_tile_state(mesh->mesh, state, byte_count);
}

/* The index of the first reference that is invalid or stale; `count`: none. */
EXPORT(mesh_find_stale)
size_t export_mesh_find_stale(const Mesh *mesh, const WmRef *polygons, size_t count) {
  size_t good = 0;
  while (good < count && wm_mesh_tile_of(mesh->mesh, polygons[good])) good++;
  return good;
}

/* ---- Connections --------------------------------------------------------------------------------------- */

/* Writes the defaults into the inputs: a WmConnection. */
EXPORT(mesh_default_connection) void export_mesh_default_connection(Mesh *mesh) {
  *INPUT(WmConnection, mesh->session, 0) = wm_connection_default(mesh->mesh);
}

/* Inputs: a WmConnection. Answer: its reference. */
EXPORT(mesh_add_connection) WmStatus export_mesh_add_connection(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_mesh_add_connection(mesh->mesh, INPUT(WmConnection, session, 0), ANSWER(WmRef, session));
}

EXPORT(mesh_remove_connection) WmStatus export_mesh_remove_connection(Mesh *mesh, double connection) {
  return wm_mesh_remove_connection(mesh->mesh, (WmRef)connection);
}

EXPORT(mesh_set_connection_enabled)
WmStatus export_mesh_set_connection_enabled(Mesh *mesh, double connection, int enabled) {
  return wm_mesh_set_connection_enabled(mesh->mesh, (WmRef)connection, enabled != 0);
}

EXPORT(mesh_set_connection_cost)
WmStatus export_mesh_set_connection_cost(Mesh *mesh, double connection, float cost_factor) {
  return wm_mesh_set_connection_cost(mesh->mesh, (WmRef)connection, cost_factor);
}

/* Answer: a WmConnection, its ends on the mesh [2][3], bits of the ends that are tied. */
EXPORT(mesh_connection) WmStatus export_mesh_connection(Mesh *mesh, double connection) {
  uint32_t *answer = mesh->session->answer;
  return wm_mesh_connection(mesh->mesh, (WmRef)connection, ANSWER(WmConnection, mesh->session),
                            (void *)(answer + 12), (int *)(answer + 18));
}

/* The reference after `previous`; 0 after the last. */
EXPORT(mesh_next_connection) double export_mesh_next_connection(Mesh *mesh, double previous) {
  return (double)wm_mesh_next_connection(mesh->mesh, (WmRef)previous);
}
