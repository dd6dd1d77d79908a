/* Exports of dynamic meshes. The handle owns a dynamic mesh, which changes the mesh it was made for;
 * JavaScript frees it before the mesh. The handle has the volume and motion of the obstacle that a call is
 * about. */
#include "handles.h"
#include "dynamic/dynamic_links.h"
#include "dynamic/tile_jobs.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/state/saved_state.h"
#include "session.h"

/* ---- Creation and destruction -------------------------------------------------------------------------- */

EXPORT(dynamic_destroy) void export_dynamic_destroy(Dynamic *dynamic) {
  wm_dynamic_destroy(dynamic->dynamic);
  wm_block_free(dynamic->session->context, dynamic);
}

/* Wraps a dynamic mesh; on failure it is destroyed. Answer: the handle. */
static WmStatus return_dynamic(Session *session, WmDynamic *inner) {
  Dynamic *dynamic = wm_block_allocate(session->context, sizeof *dynamic);
  if (!dynamic) {
    wm_dynamic_destroy(inner);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  *dynamic = (Dynamic){.session = session, .dynamic = inner};
  session->answer[0] = (uint32_t)(uintptr_t)dynamic;
  return WM_OK;
}

/* Copies the configuration and input of the bake, which may be destroyed afterwards. Answer: the handle. */
EXPORT(dynamic_create) WmStatus export_dynamic_create(Mesh *mesh, const Bake *bake) {
  Session *session = mesh->session;
  WmDynamic *inner;
  const WmStatus status =
      wm_dynamic_create(session->context, mesh->mesh, &bake->config, &bake->input, &inner);
  return status ? status : return_dynamic(session, inner);
}

/* Copies the volumes, connections and flags of the bake, which may be destroyed afterwards. */
EXPORT(dynamic_replace_input) WmStatus export_dynamic_replace_input(Dynamic *dynamic, const Bake *bake) {
  return wm_dynamic_replace_input(dynamic->dynamic, &bake->input);
}

/* Generates links from now on. Before tiles are kept. Inputs: a WmLinkConfig (bake_default_links). */
EXPORT(dynamic_generate_links) WmStatus export_dynamic_generate_links(Dynamic *dynamic) {
  return wm_dynamic_generate_links(dynamic->dynamic, INPUT(WmLinkConfig, dynamic->session, 0));
}

/* Writes the defaults for the agent of the bake into the inputs: a WmLinkConfig. */
EXPORT(dynamic_default_links) void export_dynamic_default_links(Dynamic *dynamic) {
  *INPUT(WmLinkConfig, dynamic->session, 0) = wm_dynamic_default_links(dynamic->dynamic);
}

/* Changes which links are generated. Inputs: a WmLinkConfig. */
EXPORT(dynamic_configure_links) WmStatus export_dynamic_configure_links(Dynamic *dynamic) {
  return wm_dynamic_configure_links(dynamic->dynamic, INPUT(WmLinkConfig, dynamic->session, 0));
}

/* Answer: address (memory_free it), bytes. */
EXPORT(dynamic_save) WmStatus export_dynamic_save(const Dynamic *dynamic) {
  uint8_t *bytes;
  size_t byte_count;
  const WmStatus status = wm_dynamic_write(dynamic->dynamic, &bytes, &byte_count);
  if (!status) session_return_bytes(dynamic->session, bytes, byte_count);
  return status;
}

/* From the bytes of dynamic_save. Answer: the handles of the dynamic mesh and of its mesh. */
EXPORT(dynamic_load) WmStatus export_dynamic_load(Session *session, const uint8_t *bytes, size_t byte_count) {
  WmMesh *mesh;
  WmDynamic *inner;
  WmStatus status = wm_dynamic_read(session->context, bytes, byte_count, &mesh, &inner);
  if (status) return status;
  status = return_dynamic(session, inner);
  if (status) {
    wm_mesh_destroy(mesh);
    return status;
  }
  const uint32_t dynamic = session->answer[0];
  status = session_return_mesh(session, mesh);
  if (status) {
    export_dynamic_destroy((Dynamic *)(uintptr_t)dynamic);
    return status;
  }
  session->answer[1] = session->answer[0];
  session->answer[0] = dynamic;
  return WM_OK;
}

/* ---- Tiles --------------------------------------------------------------------------------------------- */

/* Before WM_STAGE_COMPACT. Answer: address (memory_free it), bytes. */
EXPORT(bake_keep_tile) WmStatus export_bake_keep_tile(Bake *bake) {
  uint8_t *bytes;
  size_t byte_count;
  const WmStatus status = wm_baker_keep_tile(bake->baker, &bytes, &byte_count);
  if (!status) session_return_bytes(bake->session, bytes, byte_count);
  return status;
}

EXPORT(dynamic_keep_tile)
WmStatus export_dynamic_keep_tile(Dynamic *dynamic, int x, int z, const uint8_t *bytes, size_t byte_count,
                                  int is_built) {
  return wm_dynamic_keep_tile(dynamic->dynamic, x, z, bytes, byte_count, is_built != 0);
}

/* Answer: address, bytes of the kept tile; 0, 0: none. */
EXPORT(dynamic_kept_tile) void export_dynamic_kept_tile(Dynamic *dynamic, int x, int z) {
  size_t byte_count;
  const uint8_t *bytes = wm_dynamic_kept_tile(dynamic->dynamic, x, z, &byte_count);
  session_return_bytes(dynamic->session, bytes, byte_count);
}

EXPORT(dynamic_drop_tile) WmStatus export_dynamic_drop_tile(Dynamic *dynamic, int x, int z) {
  return wm_dynamic_drop_tile(dynamic->dynamic, x, z);
}

/* Limits the cache. */
EXPORT(dynamic_limit_cache) void export_dynamic_limit_cache(Dynamic *dynamic, size_t bytes) {
  wm_dynamic_limit_cache(dynamic->dynamic, bytes);
}

EXPORT(dynamic_cache_bytes) size_t export_dynamic_cache_bytes(const Dynamic *dynamic) {
  return wm_dynamic_cache_bytes(dynamic->dynamic);
}

/* The bytes of air, and of what links are generated from between updates. */
EXPORT(dynamic_link_bytes) size_t export_dynamic_link_bytes(const Dynamic *dynamic) {
  return wm_dynamic_link_bytes(dynamic->dynamic);
}

/* ---- Obstacles ----------------------------------------------------------------------------------------- */

/* Answer: the obstacle. */
EXPORT(dynamic_add_obstacle) WmStatus export_dynamic_add_obstacle(Dynamic *dynamic) {
  return wm_dynamic_add_moving_obstacle(dynamic->dynamic, &dynamic->volume, &dynamic->motion,
                                        ANSWER(WmObstacle, dynamic->session));
}

EXPORT(dynamic_add_obstacles)
WmStatus export_dynamic_add_obstacles(Dynamic *dynamic, const float *positions, const float *yaws,
                                      size_t count, WmObstacle *obstacles) {
  return wm_dynamic_add_obstacles(dynamic->dynamic, &dynamic->volume, &dynamic->motion, positions, yaws,
                                  count, obstacles);
}

EXPORT(dynamic_set_obstacle) WmStatus export_dynamic_set_obstacle(Dynamic *dynamic, double obstacle) {
  return wm_dynamic_set_obstacle(dynamic->dynamic, (WmObstacle)obstacle, &dynamic->volume, &dynamic->motion);
}

EXPORT(dynamic_move_obstacles)
WmStatus export_dynamic_move_obstacles(Dynamic *dynamic, const WmObstacle *obstacles, const float *positions,
                                       const float *yaws, size_t count) {
  return wm_dynamic_move_obstacles(dynamic->dynamic, obstacles, positions, yaws, count);
}

/* Inputs: position, yaw. */
EXPORT(dynamic_move_obstacle)
WmStatus export_dynamic_move_obstacle(Dynamic *dynamic, double obstacle, int turns) {
  const WmObstacle one = (WmObstacle)obstacle;
  const float *inputs = dynamic->session->inputs;
  return wm_dynamic_move_obstacles(dynamic->dynamic, &one, inputs, turns ? inputs + 3 : NULL, 1);
}

EXPORT(dynamic_remove_obstacles)
WmStatus export_dynamic_remove_obstacles(Dynamic *dynamic, const WmObstacle *obstacles, size_t count) {
  return wm_dynamic_remove_obstacles(dynamic->dynamic, obstacles, count);
}

EXPORT(dynamic_obstacle_count) size_t export_dynamic_obstacle_count(const Dynamic *dynamic) {
  return wm_dynamic_obstacle_count(dynamic->dynamic);
}

/* Copies an obstacle's volume and motion into the handle; the outline still belongs to the obstacle. Answer:
 * whether it carves. */
EXPORT(dynamic_obstacle) WmStatus export_dynamic_obstacle(Dynamic *dynamic, double number) {
  const WmObstacle obstacle = (WmObstacle)number;
  const WmStatus status = wm_dynamic_check_obstacle(dynamic->dynamic, obstacle);
  if (status) return status;
  dynamic->volume = *wm_dynamic_obstacle(dynamic->dynamic, obstacle);
  dynamic->motion = *wm_dynamic_obstacle_motion(dynamic->dynamic, obstacle);
  dynamic->session->answer[0] = wm_dynamic_carved_volume(dynamic->dynamic, obstacle) != NULL;
  return WM_OK;
}

/* Answer: whether it lies outside the level. */
EXPORT(dynamic_is_outside) WmStatus export_dynamic_is_outside(Dynamic *dynamic, double obstacle) {
  bool is_outside;
  const WmStatus status = wm_dynamic_is_outside(dynamic->dynamic, (WmObstacle)obstacle, &is_outside);
  if (!status) dynamic->session->answer[0] = is_outside;
  return status;
}

EXPORT(dynamic_refuse_outside) void export_dynamic_refuse_outside(Dynamic *dynamic, int refuses) {
  wm_dynamic_refuse_outside(dynamic->dynamic, refuses != 0);
}

EXPORT(dynamic_next_obstacle) double export_dynamic_next_obstacle(const Dynamic *dynamic, double previous) {
  return (double)wm_dynamic_next_obstacle(dynamic->dynamic, (WmObstacle)previous);
}

/* Answer: address, number of WmMovingObstacle. */
EXPORT(dynamic_moving_obstacles) void export_dynamic_moving_obstacles(const Dynamic *dynamic) {
  size_t count;
  const WmMovingObstacle *moving = wm_dynamic_moving_obstacles(dynamic->dynamic, &count);
  session_return_bytes(dynamic->session, moving, count);
}

/* ---- Updates ------------------------------------------------------------------------------------------- */

EXPORT(dynamic_set_focus)
WmStatus export_dynamic_set_focus(Dynamic *dynamic, const float *points, size_t count) {
  return wm_dynamic_set_focus(dynamic->dynamic, points, count);
}

EXPORT(dynamic_dirty_count) size_t export_dynamic_dirty_count(const Dynamic *dynamic) {
  return wm_dynamic_dirty_count(dynamic->dynamic);
}

/* Places whose links are outdated; dynamic_dirty_count includes them. */
EXPORT(dynamic_dirty_link_count) size_t export_dynamic_dirty_link_count(const Dynamic *dynamic) {
  return wm_dynamic_dirty_link_count(dynamic->dynamic);
}

EXPORT(dynamic_is_touched) int export_dynamic_is_touched(const Dynamic *dynamic, int x, int z) {
  return wm_dynamic_is_touched(dynamic->dynamic, x, z);
}

EXPORT(dynamic_advance) WmStatus export_dynamic_advance(Dynamic *dynamic, float seconds) {
  return wm_dynamic_advance(dynamic->dynamic, seconds);
}

/* Answer: a WmTileChange. */
EXPORT(dynamic_step) WmStatus export_dynamic_step(Dynamic *dynamic) {
  return wm_dynamic_step(dynamic->dynamic, ANSWER(WmTileChange, dynamic->session));
}

/* Generates the links of a place that waits for no tile. Answer: a WmTileChange. */
EXPORT(dynamic_step_links) WmStatus export_dynamic_step_links(Dynamic *dynamic) {
  return wm_dynamic_step_links(dynamic->dynamic, ANSWER(WmTileChange, dynamic->session));
}

/* No links are outdated: the mesh has those that another instance made of the same tiles. */
EXPORT(dynamic_accept_links) void export_dynamic_accept_links(Dynamic *dynamic) {
  wm_dynamic_accept_links(dynamic->dynamic);
}

/* ---- Tile jobs: tiles that are built in other instances ------------------------------------------------ */

/* For dynamic_load in another instance. Answer: address (memory_free it), bytes. */
EXPORT(dynamic_write_helper) WmStatus export_dynamic_write_helper(const Dynamic *dynamic) {
  uint8_t *bytes;
  size_t byte_count;
  const WmStatus status = wm_dynamic_write_helper(dynamic->dynamic, &bytes, &byte_count);
  if (!status) session_return_bytes(dynamic->session, bytes, byte_count);
  return status;
}

/* Answer: a WmTileJob (memory_free its obstacles). */
EXPORT(dynamic_take_job) WmStatus export_dynamic_take_job(Dynamic *dynamic) {
  return wm_dynamic_take_job(dynamic->dynamic, ANSWER(WmTileJob, dynamic->session));
}

/* Answer: address (memory_free it), bytes of the tile; 0, 0: it has no polygons. */
EXPORT(dynamic_do_job)
WmStatus export_dynamic_do_job(Dynamic *helper, int x, int z, const uint8_t *obstacles, size_t byte_count) {
  WmTileData data;
  const WmStatus status = wm_dynamic_do_job(helper->dynamic, x, z, obstacles, byte_count, &data);
  if (!status) session_return_bytes(helper->session, data.bytes, data.byte_count);
  return status;
}

/* Answer: a WmTileChange. */
EXPORT(dynamic_finish_job)
WmStatus export_dynamic_finish_job(Dynamic *dynamic, int x, int z, uint32_t ticket, const uint8_t *bytes,
                                   size_t byte_count) {
  return wm_dynamic_finish_job(dynamic->dynamic, x, z, ticket, bytes, byte_count,
                               ANSWER(WmTileChange, dynamic->session));
}

/* Answer: a WmTileChange. */
EXPORT(dynamic_keep_built_tile)
WmStatus export_dynamic_keep_built_tile(Dynamic *dynamic, int x, int z, const uint8_t *bytes,
                                        size_t byte_count, const uint8_t *tile, size_t tile_bytes) {
  return wm_dynamic_keep_built_tile(dynamic->dynamic, x, z, bytes, byte_count, tile, tile_bytes,
                                    ANSWER(WmTileChange, dynamic->session));
}

EXPORT(dynamic_give_up_job)
WmStatus export_dynamic_give_up_job(Dynamic *dynamic, int x, int z, uint32_t ticket) {
  return wm_dynamic_give_up_job(dynamic->dynamic, x, z, ticket);
}
