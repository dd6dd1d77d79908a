/* Exports of the link generator (links/links.h). JavaScript writes a WmLinkConfig into the inputs; a bake handle
 * has the configuration of the agent and the grid, and the volumes of the level. */
#include "handles.h"
#include "mesh/links/segment_links.h"

_Static_assert(sizeof(WmLinkConfig) <= sizeof((Session){0}.inputs), "the configuration fits the inputs");

/* ---- Bakes with links ---------------------------------------------------------------------------------- */

/* Writes the defaults for the agent of the bake into the inputs: a WmLinkConfig. */
EXPORT(bake_default_links) void export_bake_default_links(Bake *bake) {
  *INPUT(WmLinkConfig, bake->session, 0) = wm_link_config_default(&bake->config);
}

/* Inputs: a WmLinkConfig. */
EXPORT(bake_check_links) WmStatus export_bake_check_links(Bake *bake) {
  return wm_link_config_check(bake->session->context, INPUT(WmLinkConfig, bake->session, 0), &bake->config);
}

/* After bake_start: tiles begun from now on have air. */
EXPORT(bake_want_air) void export_bake_want_air(Bake *bake) { wm_baker_want_air(bake->baker, true); }

/* Before WM_STAGE_COMPACT. Answer: address (memory_free it), bytes. */
EXPORT(bake_keep_air) WmStatus export_bake_keep_air(Bake *bake) {
  uint8_t *bytes;
  size_t byte_count;
  const WmStatus status = wm_baker_keep_air(bake->baker, &bytes, &byte_count);
  if (!status) session_return_bytes(bake->session, bytes, byte_count);
  return status;
}

/* ---- The generator ------------------------------------------------------------------------------------- */

EXPORT(link_generator_destroy) void export_link_generator_destroy(LinkGenerator *generator) {
  WmContext *context = generator->session->context;
  wm_link_generator_destroy(generator->generator);
  wm_block_free(context, generator->bounds);
  wm_block_free(context, generator->volumes);
  wm_block_free(context, generator->blocking);
  wm_block_free(context, generator);
}

/* Lists the volumes of area 0.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
static WmStatus list_blocking(LinkGenerator *generator, const WmBakeInput *input) {
  WmContext *context = generator->session->context;
  size_t count = 0;
  for (size_t i = 0; i < input->volume_count; i++) count += input->volumes[i].area == 0;
  if (count == 0) return WM_OK;
  generator->bounds = wm_block_allocate(context, count * sizeof *generator->bounds);
  generator->volumes = wm_block_allocate(context, count * sizeof *generator->volumes);
  generator->blocking = wm_block_allocate(context, count * sizeof *generator->blocking);
  if (!generator->bounds || !generator->volumes || !generator->blocking) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < input->volume_count; i++) {
    const WmAreaVolume *volume = &input->volumes[i];
    if (volume->area != 0) continue;
    VolumeBounds *bounds = &generator->bounds[generator->volume_count];
    wm_find_volume_bounds(context, volume, bounds->low, bounds->high);
    generator->volumes[generator->volume_count++] = *volume;
  }
  return WM_OK;
}

/* Inputs: a WmLinkConfig. The bake has the configuration of the mesh, with bounds unless it was started, and the volumes of the level; it
 * must outlive all calls that set or give air. Answer: the handle. */
EXPORT(link_generator_create) WmStatus export_link_generator_create(const Bake *bake) {
  Session *session = bake->session;
  WmConfig config = bake->config;
  if (bake->baker) {
    wm_baker_bounds(bake->baker, config.bounds_min, config.bounds_max);
    config.has_bounds = true;
  }
  LinkGenerator *generator = wm_block_allocate(session->context, sizeof *generator);
  if (!generator) return WM_ERROR_OUT_OF_MEMORY;
  *generator = (LinkGenerator){.session = session,
                               .origin = {config.bounds_min[0], config.bounds_min[2]},
                               .tile_side = config.cell_size * (float)config.tile_size};
  WmStatus status = wm_link_generator_create(session->context, INPUT(WmLinkConfig, session, 0), &config,
                                             &generator->generator);
  if (!status) status = list_blocking(generator, &bake->input);
  if (status)
    export_link_generator_destroy(generator);
  else
    session->answer[0] = (uint32_t)(uintptr_t)generator;
  return status;
}

/* Copies the volumes at a tile into generator->blocking. */
static size_t choose_blocking(LinkGenerator *generator, int x, int z) {
  const float side = generator->tile_side, tile[2] = {(float)x, (float)z};
  size_t count = 0;
  for (size_t i = 0; i < generator->volume_count; i++) {
    const VolumeBounds *bounds = &generator->bounds[i];
    bool touches = true;
    for (int axis = 0; axis < 2 && side > 0; axis++) {
      const float low = generator->origin[axis] + side * tile[axis];
      touches = touches && bounds->high[2 * axis] >= low && bounds->low[2 * axis] <= low + side;
    }
    if (touches) generator->blocking[count++] = generator->volumes[i];
  }
  return count;
}

EXPORT(link_generator_set_air)
WmStatus export_link_generator_set_air(LinkGenerator *generator, int x, int z, const uint8_t *bytes,
                                       size_t byte_count) {
  const size_t count = choose_blocking(generator, x, z);
  return wm_link_generator_set_air(generator->generator, x, z, bytes, byte_count, generator->blocking, count);
}

/* Moves the air of tile (x, z) out of a bake that has the volumes of the generator, before WM_STAGE_COMPACT. */
EXPORT(link_generator_give_air)
WmStatus export_link_generator_give_air(LinkGenerator *generator, Bake *bake, int x, int z) {
  WmAir *air;
  const WmStatus status = wm_baker_take_air(bake->baker, &air);
  if (status) return status;
  const size_t count = choose_blocking(generator, x, z);
  return wm_link_generator_give_air(generator->generator, x, z, air, generator->blocking, count);
}

/* Moves all air of another generator of the same configuration, with the volumes that block it. */
EXPORT(link_generator_take_air)
WmStatus export_link_generator_take_air(LinkGenerator *generator, LinkGenerator *other) {
  return wm_link_generator_take_air(generator->generator, other->generator);
}

/* Answer: address (memory_free it; 0: the tile has no air), bytes. */
EXPORT(link_generator_copy_air)
WmStatus export_link_generator_copy_air(LinkGenerator *generator, int x, int z) {
  uint8_t *bytes;
  size_t byte_count;
  const WmStatus status = wm_link_generator_copy_air(generator->generator, x, z, &bytes, &byte_count);
  if (!status) session_return_bytes(generator->session, bytes, byte_count);
  return status;
}

EXPORT(link_generator_air_bytes)
size_t export_link_generator_air_bytes(const LinkGenerator *generator) {
  return wm_link_generator_air_bytes(generator->generator);
}

EXPORT(link_generator_bytes) size_t export_link_generator_bytes(const LinkGenerator *generator) {
  return wm_link_generator_bytes(generator->generator);
}

/* Makes the links that start in a tile, and puts them into the mesh in place of those before. Answer: the number of
 * links of each kind [4]; address (memory_free it) and number of WmRefusedLink. */
EXPORT(link_generator_run)
WmStatus export_link_generator_run(LinkGenerator *generator, Mesh *mesh, int x, int z, int wants_refused) {
  Session *session = generator->session;
  WmLinkResult result;
  WmStatus status =
      wm_link_generator_run(generator->generator, mesh->mesh, x, z, wants_refused != 0, &result);
  if (status) return status;
  status = wm_mesh_put_links(mesh->mesh, x, z, 0, result.links, result.link_count, NULL);
  uint32_t *answer = session->answer;
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) answer[kind] = 0;
  for (size_t i = 0; i < result.link_count; i++) answer[result.links[i].kind]++;
  answer[WM_SEGMENT_LINK_KINDS] = 0;
  if (!status) {
    answer[WM_SEGMENT_LINK_KINDS] = (uint32_t)(uintptr_t)result.refused;
    answer[WM_SEGMENT_LINK_KINDS + 1] = (uint32_t)result.refused_count;
    result.refused = NULL; /* JavaScript frees it */
  }
  wm_link_result_free(session->context, &result);
  return status;
}

/* Answer: the first and the last place, x and z of each, whose links can change when this tile changes. */
EXPORT(link_generator_affected)
void export_link_generator_affected(const LinkGenerator *generator, int x, int z) {
  int32_t *answer = (int32_t *)generator->session->answer;
  wm_link_generator_affected(generator->generator, x, z, answer, answer + 2);
}

/* Inputs: two points. Answer: a WmRefusedLink. */
EXPORT(link_generator_explain)
WmStatus export_link_generator_explain(LinkGenerator *generator, const Mesh *mesh) {
  Session *session = generator->session;
  return wm_link_generator_explain(generator->generator, mesh->mesh, session->inputs, session->inputs + 3,
                                   ANSWER(WmRefusedLink, session));
}

/* Whether the body passes along a segment link of the mesh. Answer: a WmRefusedLink. */
EXPORT(link_generator_check)
WmStatus export_link_generator_check(LinkGenerator *generator, const Mesh *mesh, double link) {
  WmSegmentLink segments;
  const WmStatus status = wm_mesh_segment_link(mesh->mesh, (WmRef)link, &segments, NULL);
  if (status) return status;
  return wm_link_generator_check(generator->generator, mesh->mesh, &segments,
                                 ANSWER(WmRefusedLink, generator->session));
}
