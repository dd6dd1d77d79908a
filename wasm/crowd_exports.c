/* Exports of crowds. Agents are handles: f64 as arguments, pairs of words in arrays; arrays lie in memory
 * that JavaScript lays out (js/crowd/rows.js). Options and parameters are structs in the inputs, from word 0
 * on. */
#include "crowd/crowd.h"
#include "crowd/state/saved_crowd.h"

#include "session.h"

/* ---- The crowd ---------------------------------------------------------------------------------------- */

/* Inputs, afterwards: WmCrowdOptions. */
EXPORT(crowd_default_options) void export_crowd_default_options(Session *session) {
  *INPUT(WmCrowdOptions, session, 0) = wm_crowd_options_default();
}

/* Inputs: WmCrowdOptions. Answer: the handle. */
EXPORT(crowd_create) WmStatus export_crowd_create(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_crowd_create(session->context, mesh->mesh, INPUT(WmCrowdOptions, session, 0),
                         ANSWER(WmCrowd *, session));
}

/* Answer: address (memory_free it), bytes. */
EXPORT(crowd_save) WmStatus export_crowd_save(Session *session, const WmCrowd *crowd) {
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  const WmStatus status = wm_crowd_write(crowd, &bytes, &byte_count);
  if (!status) session_return_bytes(session, bytes, byte_count);
  return status;
}

/* From the bytes of crowd_save, on meshes [mesh_count]. Answer: the handle. */
EXPORT(crowd_load)
WmStatus export_crowd_load(Session *session, const uint8_t *bytes, size_t byte_count, Mesh *const *meshes,
                           size_t mesh_count) {
  enum { MOST = 256 };
  const WmMesh *inner[MOST];
  const size_t count = mesh_count < MOST ? mesh_count : MOST;
  for (size_t i = 0; i < count; i++) inner[i] = meshes[i]->mesh;
  return wm_crowd_read(session->context, bytes, byte_count, inner, count, ANSWER(WmCrowd *, session));
}

/* Answer: a WmSavedCrowdInfo. */
EXPORT(crowd_file_info)
WmStatus export_crowd_file_info(Session *session, const uint8_t *bytes, size_t byte_count) {
  return wm_saved_crowd_info(session->context, bytes, byte_count, ANSWER(WmSavedCrowdInfo, session));
}

EXPORT(crowd_destroy) void export_crowd_destroy(WmCrowd *crowd) { wm_crowd_destroy(crowd); }

/* Inputs: WmCrowdOptions. */
EXPORT(crowd_set_options) WmStatus export_crowd_set_options(Session *session, WmCrowd *crowd) {
  return wm_crowd_set_options(crowd, INPUT(WmCrowdOptions, session, 0));
}

/* Inputs, afterwards: WmCrowdOptions. */
EXPORT(crowd_options) void export_crowd_options(Session *session, const WmCrowd *crowd) {
  wm_crowd_options(crowd, INPUT(WmCrowdOptions, session, 0));
}

/* Answer: the type. */
EXPORT(crowd_add_mesh) WmStatus export_crowd_add_mesh(Session *session, WmCrowd *crowd, const Mesh *mesh) {
  return wm_crowd_add_mesh(crowd, mesh->mesh, ANSWER(uint32_t, session));
}

EXPORT(crowd_set_filter)
WmStatus export_crowd_set_filter(WmCrowd *crowd, uint32_t number, const WmFilter *filter) {
  if (filter) return wm_crowd_set_filter(crowd, number, filter);
  const WmFilter standard = wm_filter_default();
  return wm_crowd_set_filter(crowd, number, &standard);
}

/* ---- Agents ------------------------------------------------------------------------------------------- */

/* Inputs, afterwards: WmAgentParameters. */
EXPORT(crowd_default_parameters) void export_crowd_default_parameters(Session *session) {
  *INPUT(WmAgentParameters, session, 0) = wm_agent_parameters_default();
}

EXPORT(crowd_add_agents)
WmStatus export_crowd_add_agents(WmCrowd *crowd, size_t count, const float *positions,
                                 const WmAgentParameters *parameters, size_t parameter_count,
                                 WmAgent *agents) {
  return wm_crowd_add_agents(crowd, count, positions, parameters, parameter_count, agents);
}

EXPORT(crowd_remove_agents)
WmStatus export_crowd_remove_agents(WmCrowd *crowd, size_t count, const WmAgent *agents) {
  return wm_crowd_remove_agents(crowd, count, agents);
}

/* Answer: the index in the arrays. */
EXPORT(crowd_index) WmStatus export_crowd_index(Session *session, const WmCrowd *crowd, double agent) {
  return wm_crowd_index(crowd, (WmAgent)agent, ANSWER(size_t, session));
}

EXPORT(crowd_set_parameters)
WmStatus export_crowd_set_parameters(WmCrowd *crowd, size_t count, const WmAgent *agents,
                                     const WmAgentParameters *parameters) {
  return wm_crowd_set_parameters(crowd, count, agents, parameters, count);
}

/* Inputs, afterwards: WmAgentParameters. */
EXPORT(crowd_parameters)
WmStatus export_crowd_parameters(Session *session, const WmCrowd *crowd, double agent) {
  return wm_crowd_parameters(crowd, (WmAgent)agent, INPUT(WmAgentParameters, session, 0));
}

/* Answer: a WmCrowdView. */
EXPORT(crowd_view) void export_crowd_view(Session *session, const WmCrowd *crowd) {
  wm_crowd_view(crowd, ANSWER(WmCrowdView, session));
}

EXPORT(crowd_interpolate)
void export_crowd_interpolate(const WmCrowd *crowd, float part, float *positions) {
  wm_crowd_interpolate(crowd, part, positions);
}

EXPORT(crowd_sizes) void export_crowd_sizes(const WmCrowd *crowd, float *sizes) {
  wm_crowd_sizes(crowd, sizes);
}

/* ---- Orders ------------------------------------------------------------------------------------------- */

EXPORT(crowd_set_targets)
WmStatus export_crowd_set_targets(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *targets,
                                  int shared) {
  return wm_crowd_set_targets(crowd, count, agents, targets, shared != 0);
}

EXPORT(crowd_set_velocities)
WmStatus export_crowd_set_velocities(WmCrowd *crowd, size_t count, const WmAgent *agents,
                                     const float *velocities, int shared) {
  return wm_crowd_set_velocities(crowd, count, agents, velocities, shared != 0);
}

EXPORT(crowd_stop) WmStatus export_crowd_stop(WmCrowd *crowd, size_t count, const WmAgent *agents) {
  return wm_crowd_stop(crowd, count, agents);
}

EXPORT(crowd_pause)
WmStatus export_crowd_pause(WmCrowd *crowd, size_t count, const WmAgent *agents, int paused) {
  return wm_crowd_pause(crowd, count, agents, paused != 0);
}

EXPORT(crowd_warp)
WmStatus export_crowd_warp(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *positions,
                           int shared) {
  return wm_crowd_warp(crowd, count, agents, positions, shared != 0);
}

EXPORT(crowd_move)
WmStatus export_crowd_move(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *displacements,
                           int shared) {
  return wm_crowd_move(crowd, count, agents, displacements, shared != 0);
}

EXPORT(crowd_set_obstacles)
WmStatus export_crowd_set_obstacles(WmCrowd *crowd, size_t count, const float *positions,
                                    const float *velocities, const float *radii, const float *heights) {
  return wm_crowd_set_obstacles(crowd, count, positions, velocities, radii, heights);
}

EXPORT(crowd_set_focus)
WmStatus export_crowd_set_focus(WmCrowd *crowd, size_t count, const float *points) {
  return wm_crowd_set_focus(crowd, count, points);
}

/* ---- One agent ---------------------------------------------------------------------------------------- */

/* Answer: a WmAgentInfo. */
EXPORT(crowd_info) WmStatus export_crowd_info(Session *session, const WmCrowd *crowd, double agent) {
  _Static_assert(sizeof(WmAgentInfo) <= sizeof session->answer, "a WmAgentInfo fits into the answer");
  return wm_crowd_info(crowd, (WmAgent)agent, ANSWER(WmAgentInfo, session));
}

EXPORT(crowd_details)
WmStatus export_crowd_details(const WmCrowd *crowd, double agent, size_t room, float *corners,
                              WmAgent *neighbours, float *walls) {
  return wm_crowd_details(crowd, (WmAgent)agent, room, corners, neighbours, walls);
}

/* Answer: the number of polygons. */
EXPORT(crowd_corridor)
WmStatus export_crowd_corridor(Session *session, const WmCrowd *crowd, double agent, size_t room,
                               WmRef *polygons) {
  return wm_crowd_corridor(crowd, (WmAgent)agent, room, polygons, ANSWER(size_t, session));
}

EXPORT(crowd_begin_connection) WmStatus export_crowd_begin_connection(WmCrowd *crowd, double agent) {
  return wm_crowd_begin_connection(crowd, (WmAgent)agent);
}

EXPORT(crowd_set_connection_progress)
WmStatus export_crowd_set_connection_progress(WmCrowd *crowd, double agent, float progress) {
  return wm_crowd_set_connection_progress(crowd, (WmAgent)agent, progress);
}

EXPORT(crowd_complete_connection) WmStatus export_crowd_complete_connection(WmCrowd *crowd, double agent) {
  return wm_crowd_complete_connection(crowd, (WmAgent)agent);
}

/* ---- The step ----------------------------------------------------------------------------------------- */

/* Answer: a WmCrowdStep. */
EXPORT(crowd_step) WmStatus export_crowd_step(Session *session, WmCrowd *crowd, float seconds) {
  return wm_crowd_step(crowd, seconds, ANSWER(WmCrowdStep, session));
}

/* Answer: low and high word. */
EXPORT(crowd_hash) void export_crowd_hash(Session *session, const WmCrowd *crowd) {
  *ANSWER(uint64_t, session) = wm_crowd_hash(crowd);
}
