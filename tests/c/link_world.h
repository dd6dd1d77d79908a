/* A level in tiles whose dynamic mesh generates links, for tests: creates it and compares its links with those of a generator
 * that is new. */
#ifndef WALKMESH_TESTS_LINK_WORLD_H
#define WALKMESH_TESTS_LINK_WORLD_H

#include "dynamic/dynamic_internal.h"
#include "dynamic_world.h"
#include "link_limits.h"

/* All kinds, each with an area of its own. */
static inline WmLinkConfig all_links(const WmConfig *bake) {
  WmLinkConfig config = choose_link_limits(bake);
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) config.kinds[kind].area = (uint8_t)kind;
  return config;
}

/* Bakes a tile with its air.
 * out        data: of the tile; *joined [*joined_bytes]: its kept tile and air */
static inline void bake_with_air(WmBaker *baker, WmContext *context, int32_t x, int32_t z, WmTileData *data,
                                 uint8_t **joined, size_t *joined_bytes) {
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, x, z, false), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    if (wm_baker_next_stage(baker) == WM_STAGE_COMPACT) {
      uint8_t *kept, *air;
      size_t kept_bytes, air_bytes;
      CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &kept, &kept_bytes), WM_OK);
      CHECK_EQUAL_INT(wm_baker_keep_air(baker, &air, &air_bytes), WM_OK);
      CHECK_EQUAL_INT(wm_kept_tile_join(context, kept, kept_bytes, air, air_bytes, joined, joined_bytes),
                      WM_OK);
      wm_block_free(context, kept);
      wm_block_free(context, air);
    }
    CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  }
  *data = wm_baker_take_tile(baker);
}

/* Opens a world as open_world does, with links; they are all outdated. */
static inline void open_link_world(World *world, WmContext *context, Scene scene, WmConfig config,
                                   WmBakeInput input, const WmLinkConfig *links) {
  WmBaker *baker = begin_world(world, context, scene, config, input);
  CHECK_EQUAL_INT(wm_dynamic_generate_links(world->dynamic, links), WM_OK);
  wm_baker_want_air(baker, true);
  for (int32_t z = 0; z < world->rows; z++) {
    for (int32_t x = 0; x < world->columns; x++) {
      WmTileData data;
      WmTileChange change;
      uint8_t *joined;
      size_t joined_bytes;
      bake_with_air(baker, context, x, z, &data, &joined, &joined_bytes);
      CHECK_EQUAL_INT(wm_dynamic_keep_built_tile(world->dynamic, x, z, joined, joined_bytes, data.bytes,
                                                 data.byte_count, &change),
                      WM_OK);
      wm_tile_data_free(context, &data);
      wm_block_free(context, joined);
    }
  }
  wm_baker_destroy(baker);
}

/* Steps until no step is left: tiles, then links. */
static inline void update_links(World *world) {
  WmTileChange change;
  do {
    CHECK_EQUAL_INT(wm_dynamic_step(world->dynamic, &change), WM_OK);
    CHECK(change.is_changed == (change.before != change.after));
  } while (change.x >= 0);
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world->dynamic), 0);
}

static inline bool are_same_links(const WmSegmentLink *a, const WmSegmentLink *b, size_t count) {
  bool is_same = true;
  for (size_t i = 0; i < count; i++) {
    is_same &= memcmp(a[i].start, b[i].start, sizeof a->start) == 0 &&
               memcmp(a[i].end, b[i].end, sizeof a->end) == 0 &&
               memcmp(&a[i].peak, &b[i].peak, sizeof a->peak) == 0 &&
               memcmp(&a[i].cost, &b[i].cost, sizeof a->cost) == 0 && a[i].user_id == b[i].user_id &&
               a[i].flags == b[i].flags && a[i].area == b[i].area && a[i].kind == b[i].kind &&
               a[i].bidirectional == b[i].bidirectional;
  }
  return is_same;
}

/* Gives a new generator the air of all tiles, and all volumes that block air. */
static inline WmLinkGenerator *make_generator(const World *world) {
  WmContext *context = world->context;
  WmLinkGenerator *generator = NULL;
  CHECK_EQUAL_INT(
      wm_link_generator_create(context, wm_dynamic_link_config(world->dynamic), &world->config, &generator),
      WM_OK);
  const size_t most = world->input.volume_count + wm_dynamic_obstacle_count(world->dynamic);
  WmAreaVolume *blocking = malloc((most + 1) * sizeof *blocking);
  size_t count = 0;
  for (size_t i = 0; i < world->input.volume_count; i++) {
    if (world->input.volumes[i].area == 0) blocking[count++] = world->input.volumes[i];
  }
  for (WmObstacle one = 0; (one = wm_dynamic_next_obstacle(world->dynamic, one));) {
    const WmAreaVolume *carved = wm_dynamic_carved_volume(world->dynamic, one);
    if (carved && carved->area == 0) blocking[count++] = *carved;
  }
  for (int32_t z = world->rows; z-- > 0;) {
    for (int32_t x = 0; x < world->columns; x++) {
      size_t byte_count, kept_bytes, air_bytes;
      const uint8_t *bytes = wm_dynamic_kept_tile(world->dynamic, x, z, &byte_count);
      if (!bytes) continue;
      wm_kept_tile_split(bytes, byte_count, &kept_bytes, &air_bytes);
      if (!air_bytes) continue;
      CHECK_EQUAL_INT(
          wm_link_generator_set_air(generator, x, z, bytes + kept_bytes, air_bytes, blocking, count), WM_OK);
    }
  }
  free(blocking);
  return generator;
}

/* The generated links of the mesh equal those of a new generator over a new mesh with the same tiles, added in another order.
 * Returns their number. */
static inline size_t check_against_generator(const World *world) {
  WmMesh *mesh = NULL;
  size_t link_count = 0, different = 0;
  CHECK_EQUAL_INT(wm_mesh_create(world->context, wm_mesh_parameters(world->mesh), &mesh), WM_OK);
  for (int32_t i = world->rows * world->columns; i-- > 0;) {
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, i % world->columns, i / world->columns, 0);
    if (tile) CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile->bytes, tile->byte_count, NULL), WM_OK);
  }
  WmLinkGenerator *generator = make_generator(world);
  for (int32_t i = world->rows * world->columns; i-- > 0;) {
    const int32_t x = i % world->columns, z = i / world->columns;
    WmLinkResult result = {NULL, 0, NULL, 0};
    size_t count;
    const WmSegmentLink *links = wm_mesh_links_at(world->mesh, x, z, 0, &count, NULL);
    if (wm_dynamic_kept_tile(world->dynamic, x, z, &(size_t){0})) {
      CHECK_EQUAL_INT(wm_link_generator_run(generator, mesh, x, z, false, &result), WM_OK);
    }
    const bool is_same =
        count == result.link_count && (count == 0 || are_same_links(links, result.links, count));
    different += !is_same;
    link_count += count;
    wm_link_result_free(world->context, &result);
  }
  CHECK_EQUAL_INT(different, 0);
  wm_link_generator_destroy(generator);
  wm_mesh_destroy(mesh);
  return link_count;
}

#endif
