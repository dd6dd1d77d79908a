/* The generator of links: the borders of a tile -> its links. See links.h; links_internal.h lists the steps. */
#include "links/links.h"

#include <math.h>
#include <string.h>

#include "links/border_cache.h"
#include "links/links_internal.h"

/* Unpacked air that is held for later runs. */
enum { UNPACKED_LIMIT = 64 << 20 };

WmStatus wm_link_generator_create(WmContext *context, const WmLinkConfig *config, const WmConfig *bake,
                                  WmLinkGenerator **generator) {
  *generator = NULL;
  WmVoxelConfig voxels;
  if (!bake->has_bounds) {
    return wm_fail(context, WM_ERROR_CONFIGURATION, "bounds",
                   "links need the bounds of the level: those of its baker");
  }
  WmStatus status = wm_config_to_voxels(context, bake, bake->bounds_min, bake->bounds_max, &voxels);
  if (!status) status = wm_link_config_check(context, config, bake);
  if (status) return status;
  WmLinkGenerator *made = wm_block_allocate(context, sizeof *made);
  if (!made) return WM_ERROR_OUT_OF_MEMORY;
  *made = (WmLinkGenerator){.context = context,
                            .config = *config,
                            .bake = *bake,
                            .voxels = voxels,
                            .tile_width = bake->tile_size ? bake->tile_size : voxels.width,
                            .tile_depth = bake->tile_size ? bake->tile_size : voxels.depth,
                            .unpacked_limit = UNPACKED_LIMIT};
  wm_link_limits(config, bake, &made->limits);
  made->rows = wm_block_allocate(context, (size_t)voxels.tile_count_z * sizeof *made->rows);
  if (!made->rows) {
    wm_block_free(context, made);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  memset(made->rows, 0, (size_t)voxels.tile_count_z * sizeof *made->rows);
  *generator = made;
  return WM_OK;
}

WmStatus wm_link_generator_configure(WmLinkGenerator *generator, const WmLinkConfig *config) {
  const WmStatus status = wm_link_config_check(generator->context, config, &generator->bake);
  if (status) return status;
  generator->config = *config;
  wm_link_limits(config, &generator->bake, &generator->limits);
  wm_border_cache_drop_all(generator);
  return WM_OK;
}

void wm_link_generator_destroy(WmLinkGenerator *generator) {
  if (!generator) return;
  wm_border_cache_destroy(generator);
  wm_air_tiles_free(generator);
  wm_block_free(generator->context, generator);
}

size_t wm_link_generator_bytes(const WmLinkGenerator *generator) {
  const size_t places = (size_t)generator->voxels.tile_count_x;
  size_t bytes = sizeof *generator + generator->packed_bytes + generator->unpacked_bytes +
                 wm_border_cache_bytes(generator);
  for (int32_t z = 0; z < generator->voxels.tile_count_z; z++)
    bytes += generator->rows[z] ? places * sizeof(WmAirTile) : 0;
  return bytes;
}

void wm_link_generator_affected(const WmLinkGenerator *generator, int32_t x, int32_t z, int32_t first[2],
                                int32_t last[2]) {
  const int32_t place[2] = {x, z}, tile[2] = {generator->tile_width, generator->tile_depth};
  const int32_t count[2] = {generator->voxels.tile_count_x, generator->voxels.tile_count_z};
  for (int axis = 0; axis < 2; axis++) {
    const float walk =
        generator->limits.walk / (float)tile[axis]; /* tiles that a walk may lead through, too */
    /* All that is read lies less than two cells beyond the reach of the body: with a reach of whole tiles, the window is wider. */
    const int32_t reach =
        (int32_t)ceilf((generator->limits.farthest + generator->limits.radius + 2) / (float)tile[axis]);
    const int32_t around = walk < (float)count[axis] ? reach + (int32_t)ceilf(walk) : count[axis];
    first[axis] = place[axis] > around ? place[axis] - around : 0;
    last[axis] = place[axis] < count[axis] - around ? place[axis] + around : count[axis] - 1;
  }
}

static bool is_inside(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  const WmVoxelConfig *voxels = &generator->voxels;
  return x >= 0 && x < voxels->tile_count_x && z >= 0 && z < voxels->tile_count_z;
}

void wm_link_generator_tile_changed(WmLinkGenerator *generator, int32_t x, int32_t z) {
  if (!is_inside(generator, x, z)) return;
  WmAirTile *tile = wm_air_tile(generator, x, z);
  if (tile && tile->unpacked) tile->unpacked->ground_key = 0;
  wm_border_cache_note_tile(generator, x, z);
}

WmStatus wm_link_generator_limit_cache(WmLinkGenerator *generator, size_t air_bytes, size_t border_bytes) {
  generator->unpacked_limit = air_bytes;
  generator->run_count++;
  wm_air_tiles_trim(generator);
  /* The cache of borders compares the bytes of air. */
  const WmStatus status = border_bytes ? wm_air_tiles_pack(generator) : WM_OK;
  return status ? status : wm_border_cache_limit(generator, border_bytes);
}

bool wm_link_generator_trim(WmLinkGenerator *generator) {
  const bool had_air = wm_air_tiles_drop_unpacked(generator),
             had_borders = wm_border_cache_drop_all(generator);
  return had_air || had_borders;
}

bool wm_link_generator_is_outdated(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  const bool is_outdated = is_inside(generator, x, z) && !wm_border_cache_is_current(generator, mesh, x, z);
  wm_air_tiles_trim(generator); /* comparing tiles with their former state unpacks air */
  return is_outdated;
}

void wm_link_generator_forget(WmLinkGenerator *generator, int32_t x, int32_t z) {
  if (is_inside(generator, x, z)) wm_border_cache_forget(generator, x, z);
}

/* ---- Running ------------------------------------------------------------------------------------------- */

WmStatus wm_link_result_make(WmContext *context, const WmSegmentLink *links, size_t count,
                             WmLinkResult *result) {
  *result = (WmLinkResult){.links = wm_block_allocate(context, count * sizeof *links)};
  if (!result->links) return WM_ERROR_OUT_OF_MEMORY;
  if (count) memcpy(result->links, links, count * sizeof *links);
  result->link_count = count;
  return WM_OK;
}

/* Moves a list to a result: exact blocks, which the result owns. */
static WmStatus make_result(WmContext *context, const WmLinkList *list, WmLinkResult *result) {
  const size_t refused_bytes = list->refused_count * sizeof *result->refused;
  const WmStatus status = wm_link_result_make(context, list->links.items, list->count, result);
  if (status || refused_bytes == 0) return status;
  result->refused = wm_block_allocate(context, refused_bytes);
  if (!result->refused) {
    wm_link_result_free(context, result);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  memcpy(result->refused, list->refused.items, refused_bytes);
  result->refused_count = list->refused_count;
  return WM_OK;
}

/* Borders that most tiles have at most. */
enum { USUAL_BORDERS = 16 };

/* Makes the links of a tile. Uses scratch memory of the caller's mark.
 * out        *is_same: true if they are those of the last run: the list is empty then */
static WmStatus run_tile(WmAirWindow *window, int32_t x, int32_t z, bool wants_refused, WmBuffer *borders,
                         WmLinkList *list, bool *is_same) {
  WmLinkGenerator *generator = window->generator;
  WmWalk walk;
  size_t border_count = 0;
  WmStatus status = wm_walk_start(generator->context, &generator->limits, &walk);
  if (!status) status = wm_buffer_reserve(generator->context, borders, USUAL_BORDERS, sizeof(WmBorder));
  const WmMeshTile *tile = NULL;
  while (!status && (tile = wm_mesh_next_layer(window->mesh, x, z, tile)) != NULL) {
    status = wm_find_borders(generator->context, tile, generator->limits.cell_size, borders, &border_count);
  }
  if (!status && !wants_refused) {
    status = wm_border_cache_links(window, x, z, borders->items, border_count, &walk, list, is_same);
    if (*is_same) return status;
  }
  for (size_t i = 0; !status && wants_refused && i < border_count; i++) {
    WmBorderReach reach;
    status = wm_border_links(window, (const WmBorder *)borders->items + i, &walk, true, NULL, list, &reach);
  }
  if (!status) status = wm_link_economy(generator, list, wants_refused);
  if (!status && generator->config.min_saving > 0)
    status = wm_link_saving(generator, window->mesh, wants_refused, list);
  if (!status && list->count > WM_LINK_SET_LIMIT) {
    status = wm_fail_number(generator->context, WM_ERROR_LIMIT, NULL, "a tile has ", (double)list->count,
                            " links, more than 32768: use smaller tiles");
  }
  return status;
}

WmStatus wm_link_check_mesh(const WmLinkGenerator *generator, const WmMesh *mesh) {
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  const WmConfig *bake = &generator->bake;
  bool is_same = bake->tile_size == 0 || (parameters->tile_width == generator->voxels.tile_world_size &&
                                          parameters->tile_depth == generator->voxels.tile_world_size);
  for (int axis = 0; axis < 3; axis++) is_same &= parameters->origin[axis] == bake->bounds_min[axis];
  /* Files of Detour have none, or the inverse of a rounded inverse. */
  if (parameters->cell_size > 0) is_same &= fabsf(parameters->cell_size / bake->cell_size - 1) < 1e-3f;
  if (is_same) return WM_OK;
  return wm_fail(generator->context, WM_ERROR_INVALID_ARGUMENT, "mesh",
                 "the mesh has another grid than the bake of the generator: use the mesh of that bake");
}

WmStatus wm_link_generator_run(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                               bool wants_refused, WmLinkResult *result) {
  *result = (WmLinkResult){0};
  WmStatus status = wm_link_check_place(generator, x, z);
  if (!status) status = wm_link_check_mesh(generator, mesh);
  if (status) return status;
  WmContext *context = generator->context;
  WmBuffer borders = {0};
  WmLinkList list = {0};
  WmAirWindow window;
  bool is_same = false;
  generator->run_count++;
  if (!wants_refused && wm_border_cache_recall(generator, mesh, x, z, result)) {
    wm_air_tiles_trim(generator);
    return WM_OK;
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  status = wm_air_window_start(generator, mesh, x, z, &window);
  if (!status && wm_link_config_is_on(&generator->config)) {
    status = run_tile(&window, x, z, wants_refused, &borders, &list, &is_same);
  }
  if (!status && !wants_refused && !is_same) wm_border_cache_store_result(generator, x, z, &list);
  if (!status) {
    status = is_same ? wm_border_cache_repeat(generator, x, z, result) : make_result(context, &list, result);
  }
  wm_scratch_rewind(context, mark);
  wm_block_free(context, borders.items);
  wm_block_free(context, list.links.items);
  wm_block_free(context, list.refused.items);
  wm_block_free(context, list.stored.items);
  wm_block_free(context, list.reaches.items);
  wm_air_tiles_trim(generator);
  return status;
}

void wm_link_result_free(WmContext *context, WmLinkResult *result) {
  wm_block_free(context, result->links);
  wm_block_free(context, result->refused);
  *result = (WmLinkResult){0};
}
