/* Generated links of a dynamic mesh. The input is a program: boxes on a ground, limits of links, then obstacles that are added
 * and removed, tiles that are dropped and kept again (ready or not, with air or without), jobs, steps, links that are switched
 * off, and saving. At the end the links of each place equal those of a new generator over the same tiles. */
#include <math.h>

#include "dynamic/dynamic_internal.h"
#include "dynamic/state/saved_state.h"
#include "dynamic/tile_jobs.h"
#include "harness.h"
#include "scene.h"

enum { SIDE = 3, TILES = SIDE * SIDE, BOXES = 6, OBSTACLES = 6, JOBS = 3, MOST_STEPS = 40 };

typedef struct World {
  WmContext *context;
  FuzzInput input;
  WmConfig config;
  WmLinkConfig links;
  WmMesh *mesh, *helper_mesh;
  WmDynamic *dynamic, *helper;
  struct {
    uint8_t *joined, *tile;
    size_t joined_bytes, tile_bytes;
  } tiles[TILES];
  WmObstacle obstacles[OBSTACLES];
  WmTileJob jobs[JOBS];
  size_t obstacle_count, job_count;
} World;

/* ---- The level ---------------------------------------------------------------------------------------- */

/* Writes the twelve triangles of a box. */
static void put_box(const float low[3], const float high[3], uint32_t first, float *positions,
                    uint32_t *indices) {
  static const uint8_t corners[36] = {0, 5, 1, 0, 4, 5, 2, 3, 7, 2, 7, 6, 0, 1, 3, 0, 3, 2,
                                      4, 7, 5, 4, 6, 7, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
  for (int i = 0; i < 8; i++) {
    positions[3 * i] = i & 1 ? high[0] : low[0];
    positions[3 * i + 1] = i & 2 ? high[1] : low[1];
    positions[3 * i + 2] = i & 4 ? high[2] : low[2];
  }
  for (int i = 0; i < 36; i++) indices[i] = first + corners[35 - i];
}

/* Hands the air of the current tile over uncompressed: it has the same bytes. */
static void give_air(World *world, WmBaker *baker, WmLinkGenerator *generator, int32_t place,
                     const uint8_t *expected, size_t expected_bytes) {
  const int32_t x = place % SIDE, z = place / SIDE;
  WmAir *air;
  uint8_t *bytes;
  size_t byte_count;
  FUZZ_REQUIRE(!wm_baker_take_air(baker, &air) && air);
  FUZZ_REQUIRE(!wm_link_generator_give_air(generator, x, z, air, NULL, 0));
  FUZZ_REQUIRE(!wm_link_generator_copy_air(generator, x, z, &bytes, &byte_count));
  FUZZ_REQUIRE(byte_count == expected_bytes && memcmp(bytes, expected, byte_count) == 0);
  wm_block_free(world->context, bytes);
}

static void bake_tiles(World *world, const WmBakeInput *input) {
  WmBaker *baker;
  WmLinkGenerator *generator;
  float bounds[2][3];
  FUZZ_REQUIRE(!wm_baker_create(world->context, &world->config, input, &baker));
  FUZZ_REQUIRE(!wm_link_generator_create(world->context, &world->links, &world->config, &generator));
  wm_baker_bounds(baker, bounds[0], bounds[1]);
  FUZZ_REQUIRE(memcmp(bounds[1], world->config.bounds_max, sizeof bounds[1]) == 0);
  wm_baker_want_air(baker, true);
  for (int32_t i = 0; i < TILES; i++) {
    uint8_t *kept = NULL, *air = NULL;
    size_t kept_bytes = 0, air_bytes = 0;
    FUZZ_REQUIRE(!wm_baker_begin_tile(baker, i % SIDE, i / SIDE, false));
    while (wm_baker_next_stage(baker) != WM_STAGE_DONE) {
      if (wm_baker_next_stage(baker) == WM_STAGE_COMPACT) {
        FUZZ_REQUIRE(!wm_baker_keep_tile(baker, &kept, &kept_bytes) &&
                     !wm_baker_keep_air(baker, &air, &air_bytes));
        give_air(world, baker, generator, i, air, air_bytes);
      }
      FUZZ_REQUIRE(!wm_baker_step(baker));
    }
    FUZZ_REQUIRE(!wm_kept_tile_join(world->context, kept, kept_bytes, air, air_bytes, &world->tiles[i].joined,
                                    &world->tiles[i].joined_bytes));
    const WmTileData data = wm_baker_take_tile(baker);
    world->tiles[i].tile = data.bytes;
    world->tiles[i].tile_bytes = data.byte_count;
    wm_block_free(world->context, kept);
    wm_block_free(world->context, air);
  }
  wm_link_generator_destroy(generator);
  wm_baker_destroy(baker);
}

static void open_world(World *world) {
  FuzzInput *input = &world->input;
  WmConfig config = wm_config_default();
  config.cell_size = 0.5f;
  config.tile_size = 8;
  config.agent_radius = 0.5f * (float)fuzz_below(input, 2);
  config.partition = (int32_t)fuzz_below(input, 4);
  config.has_bounds = true;
  config.bounds_max[0] = config.bounds_max[2] = 4 * SIDE;
  config.bounds_max[1] = 8;
  world->config = config;
  WmLinkConfig *links = &world->links;
  *links = wm_link_config_default(&config);
  const uint32_t kinds = fuzz_byte(input);
  for (int i = 0; i < WM_SEGMENT_LINK_KINDS; i++) links->kinds[i].is_on = !(kinds >> i & 1);
  links->drop_max_height = 1 + (float)(fuzz_byte(input) % 32) / 4;
  links->jump_max_distance = 1 + (float)(fuzz_byte(input) % 24) / 4;
  links->jump_max_up = (float)(fuzz_byte(input) % 8) / 4;
  links->jump_max_down = (float)(fuzz_byte(input) % 16) / 4;
  links->jump_peak = links->jump_max_up + (float)(1 + fuzz_byte(input) % 8) / 4;
  links->climb_max_height = 1 + (float)(fuzz_byte(input) % 16) / 4;
  links->vault_max_height = 1 + (float)(fuzz_byte(input) % 8) / 4;
  links->vault_max_depth = (float)(1 + fuzz_byte(input) % 8) / 4;
  float positions[3 * 8 * (BOXES + 1)];
  uint32_t indices[36 * (BOXES + 1)];
  put_box((float[3]){0, -1, 0}, (float[3]){4 * SIDE, 0, 4 * SIDE}, 0, positions, indices);
  for (uint32_t i = 1; i <= BOXES; i++) {
    const float x = (float)(fuzz_byte(input) % 48) / 4, y = (float)(fuzz_byte(input) % 20) / 4,
                z = (float)(fuzz_byte(input) % 48) / 4;
    const float high[3] = {x + (float)(1 + fuzz_byte(input) % 16) / 4,
                           y + (float)(1 + fuzz_byte(input) % 8) / 4,
                           z + (float)(1 + fuzz_byte(input) % 16) / 4};
    put_box((float[3]){x, y, z}, high, 8 * i, positions + (size_t)24 * i, indices + (size_t)36 * i);
  }
  const WmBakeInput level = {.triangles = {.positions = positions,
                                           .position_stride = 3,
                                           .vertex_count = 8 * (BOXES + 1),
                                           .indices = indices,
                                           .triangle_count = 12 * (BOXES + 1)}};
  bake_tiles(world, &level);
  const WmMeshParameters parameters = {.tile_width = 4, .tile_depth = 4};
  FUZZ_REQUIRE(!wm_mesh_create(world->context, &parameters, &world->mesh));
  FUZZ_REQUIRE(!wm_dynamic_create(world->context, world->mesh, &config, &level, &world->dynamic));
  FUZZ_REQUIRE(!wm_dynamic_generate_links(world->dynamic, links));
  uint8_t *bytes;
  size_t byte_count;
  FUZZ_REQUIRE(!wm_dynamic_write_helper(world->dynamic, &bytes, &byte_count));
  FUZZ_REQUIRE(!wm_dynamic_read(world->context, bytes, byte_count, &world->helper_mesh, &world->helper));
  wm_block_free(world->context, bytes);
}

static void drop_jobs(World *world) {
  for (size_t i = 0; i < world->job_count; i++) wm_block_free(world->context, world->jobs[i].obstacles);
  world->job_count = 0;
}

static void close_world(World *world) {
  drop_jobs(world);
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  wm_dynamic_destroy(world->helper);
  wm_mesh_destroy(world->helper_mesh);
  for (int i = 0; i < TILES; i++) {
    wm_block_free(world->context, world->tiles[i].joined);
    wm_block_free(world->context, world->tiles[i].tile);
  }
}

/* ---- Steps -------------------------------------------------------------------------------------------- */

static void stream_tile(World *world, uint32_t tile, uint32_t what) {
  const int32_t x = (int32_t)tile % SIDE, z = (int32_t)tile / SIDE;
  const uint8_t *joined = world->tiles[tile].joined;
  size_t byte_count = world->tiles[tile].joined_bytes, kept_bytes, air_bytes;
  WmTileChange change;
  if (what == 0) {
    FUZZ_REQUIRE(!wm_dynamic_drop_tile(world->dynamic, x, z));
  } else if (what == 1) {
    FUZZ_REQUIRE(!wm_dynamic_keep_built_tile(world->dynamic, x, z, joined, byte_count,
                                             world->tiles[tile].tile, world->tiles[tile].tile_bytes,
                                             &change));
  } else {
    wm_kept_tile_split(joined, byte_count, &kept_bytes, &air_bytes);
    if (fuzz_byte(&world->input) % 8 == 7) byte_count = kept_bytes;
    FUZZ_REQUIRE(!wm_dynamic_keep_tile(world->dynamic, x, z, joined, byte_count, false));
  }
}

static void change_obstacles(World *world, bool adds) {
  FuzzInput *input = &world->input;
  if (!adds && world->obstacle_count > 0) {
    const uint32_t one = fuzz_below(input, (uint32_t)world->obstacle_count);
    FUZZ_REQUIRE(!wm_dynamic_remove_obstacle(world->dynamic, world->obstacles[one]));
    world->obstacles[one] = world->obstacles[--world->obstacle_count];
  } else if (world->obstacle_count < OBSTACLES) {
    const float x = fuzz_number(input), y = fuzz_number(input), z = fuzz_number(input);
    const WmAreaVolume volume = {
        .kind = (int32_t)(fuzz_byte(input) & 1 ? 0 : 2),
        .area = fuzz_byte(input) & 1 ? 0 : 9,
        .before_erosion = fuzz_byte(input) & 1,
        .centre = {x, y, z},
        .minimum = {x, y, z},
        .maximum = {x + fuzz_number(input), y + fuzz_number(input), z + fuzz_number(input)},
        .radius = fuzz_number(input),
        .height = fuzz_number(input)};
    world->obstacle_count +=
        !wm_dynamic_add_obstacle(world->dynamic, &volume, &world->obstacles[world->obstacle_count]);
  }
}

static void take_job(World *world) {
  WmTileJob *job = &world->jobs[world->job_count];
  FUZZ_REQUIRE(!wm_dynamic_take_job(world->dynamic, job));
  world->job_count += job->x >= 0;
}

static void end_job(World *world, bool gives_up) {
  WmTileJob *job = &world->jobs[--world->job_count];
  WmTileData data;
  WmTileChange change;
  size_t byte_count;
  const uint8_t *kept = wm_dynamic_kept_tile(world->dynamic, job->x, job->z, &byte_count);
  if (gives_up || !kept) {
    FUZZ_REQUIRE(!wm_dynamic_give_up_job(world->dynamic, job->x, job->z, job->ticket));
  } else {
    FUZZ_REQUIRE(!wm_dynamic_keep_tile(world->helper, job->x, job->z, kept, byte_count, true));
    FUZZ_REQUIRE(
        !wm_dynamic_do_job(world->helper, job->x, job->z, job->obstacles, job->obstacle_bytes, &data));
    FUZZ_REQUIRE(!wm_dynamic_finish_job(world->dynamic, job->x, job->z, job->ticket, data.bytes,
                                        data.byte_count, &change));
    wm_tile_data_free(world->context, &data);
  }
  wm_block_free(world->context, job->obstacles);
}

/* Saves the dynamic mesh and continues with the one that is read. */
static void reopen(World *world) {
  uint8_t *bytes;
  size_t byte_count;
  WmMesh *mesh;
  WmDynamic *dynamic;
  FUZZ_REQUIRE(!wm_dynamic_write(world->dynamic, &bytes, &byte_count));
  FUZZ_REQUIRE(!wm_dynamic_read(world->context, bytes, byte_count, &mesh, &dynamic));
  wm_block_free(world->context, bytes);
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  drop_jobs(world);
  world->mesh = mesh;
  world->dynamic = dynamic;
}

static void switch_link(World *world, uint32_t tile) {
  size_t count;
  WmRef first;
  if (!wm_mesh_links_at(world->mesh, (int32_t)tile % SIDE, (int32_t)tile / SIDE, 0, &count, &first)) return;
  FUZZ_REQUIRE(!wm_mesh_set_segment_link_enabled(world->mesh, first, fuzz_byte(&world->input) & 1));
}

/* Other kinds and distances; the rest as it was. */
static void configure(World *world, uint32_t kinds) {
  WmLinkConfig links = world->links;
  for (int i = 0; i < WM_SEGMENT_LINK_KINDS; i++) links.kinds[i].is_on = kinds >> i & 1;
  links.jump_max_distance = (float)(kinds / 16 % 8) / 2;
  if (kinds == 0) links = wm_dynamic_default_links(world->dynamic);
  if (!wm_dynamic_configure_links(world->dynamic, &links)) world->links = links;
}

static void act(World *world) {
  FuzzInput *input = &world->input;
  const uint32_t what = fuzz_byte(input) % 14u, tile = fuzz_below(input, TILES);
  WmTileChange change;
  switch (what) {
    case 0:
    case 1:
    case 2: change_obstacles(world, what > 0); break;
    case 3:
    case 4:
    case 5: stream_tile(world, tile, what - 3); break;
    case 6:
      if (world->job_count < JOBS) take_job(world);
      break;
    case 7:
      if (world->job_count) end_job(world, fuzz_byte(input) % 4 == 0);
      break;
    case 8: switch_link(world, tile); break;
    case 9: reopen(world); break;
    case 10: FUZZ_REQUIRE(!wm_dynamic_step_links(world->dynamic, &change)); break;
    case 13:
      wm_dynamic_accept_links(world->dynamic); /* all are outdated again after the next call */
      FUZZ_REQUIRE(!wm_dynamic_configure_links(world->dynamic, &world->links));
      configure(world, fuzz_byte(input));
      FUZZ_REQUIRE(!wm_dynamic_step(world->dynamic, &change));
      break;
    default:
      for (uint32_t steps = what; steps > 7; steps--) FUZZ_REQUIRE(!wm_dynamic_step(world->dynamic, &change));
      break;
  }
  FUZZ_REQUIRE(wm_dynamic_validate(world->dynamic));
  FUZZ_REQUIRE(wm_dynamic_dirty_link_count(world->dynamic) <= TILES &&
               wm_dynamic_link_bytes(world->dynamic) > 0);
}

/* Links that can be read by reference are those of their place, with finite points. */
static void check_references(World *world) {
  size_t count = 0;
  for (WmRef set = 0; (set = wm_mesh_next_links(world->mesh, set));) {
    int32_t x, z;
    uint32_t number;
    size_t of_set;
    WmRef first;
    FUZZ_REQUIRE(!wm_mesh_links_place(world->mesh, set, &x, &z, &number) && number == 0);
    FUZZ_REQUIRE(wm_mesh_links_at(world->mesh, x, z, 0, &of_set, &first) && first == set);
    for (size_t i = 0; i < of_set; i++) {
      WmSegmentLink link;
      float point[3];
      FUZZ_REQUIRE(!wm_mesh_segment_link(world->mesh, set + i, &link, NULL));
      wm_segment_link_point(&link, 0.5f, (float)(fuzz_byte(&world->input) % 5) / 4, point);
      FUZZ_REQUIRE(point[0] - point[0] == 0 && point[1] - point[1] == 0 && point[2] - point[2] == 0);
    }
    count += of_set;
  }
  FUZZ_REQUIRE(count == wm_mesh_segment_link_count(world->mesh));
}

/* ---- The links of a new generator --------------------------------------------------------------------- */

static void set_air(World *world, WmLinkGenerator *generator) {
  WmAreaVolume blocking[OBSTACLES];
  size_t count = 0;
  for (size_t i = 0; i < world->obstacle_count; i++) {
    const WmAreaVolume *carved = wm_dynamic_carved_volume(world->dynamic, world->obstacles[i]);
    if (carved && carved->area == 0) blocking[count++] = *carved;
  }
  for (int32_t i = 0; i < TILES; i++) {
    size_t byte_count, kept_bytes, air_bytes;
    const uint8_t *joined = wm_dynamic_kept_tile(world->dynamic, i % SIDE, i / SIDE, &byte_count);
    if (!joined) continue;
    wm_kept_tile_split(joined, byte_count, &kept_bytes, &air_bytes);
    if (!air_bytes) continue;
    FUZZ_REQUIRE(!wm_link_generator_set_air(generator, i % SIDE, i / SIDE, joined + kept_bytes, air_bytes,
                                            blocking, count));
  }
}

/* Moves the air through another generator: it stays the same. */
static void move_air(World *world, WmLinkGenerator *generator) {
  WmLinkGenerator *other;
  FUZZ_REQUIRE(!wm_link_generator_create(world->context, &world->links, &world->config, &other));
  set_air(world, other);
  const size_t air_bytes = wm_link_generator_air_bytes(other);
  FUZZ_REQUIRE(!wm_link_generator_take_air(generator, other));
  FUZZ_REQUIRE(wm_link_generator_air_bytes(generator) == air_bytes &&
               wm_link_generator_air_bytes(other) == 0);
  wm_link_generator_destroy(other);
  for (int32_t i = 0; i < TILES; i++) {
    size_t byte_count, kept_bytes, expected_bytes, copy_bytes;
    uint8_t *copy;
    const uint8_t *joined = wm_dynamic_kept_tile(world->dynamic, i % SIDE, i / SIDE, &byte_count);
    FUZZ_REQUIRE(!wm_link_generator_copy_air(generator, i % SIDE, i / SIDE, &copy, &copy_bytes));
    if (joined) wm_kept_tile_split(joined, byte_count, &kept_bytes, &expected_bytes);
    FUZZ_REQUIRE(joined && expected_bytes ? copy && copy_bytes == expected_bytes : !copy && copy_bytes == 0);
    if (copy) FUZZ_REQUIRE(memcmp(copy, joined + kept_bytes, copy_bytes) == 0);
    wm_block_free(world->context, copy);
  }
}

/* A link by hand, anywhere: whether the body passes along it. Those of the generator pass. */
static void check_bodies(World *world, WmLinkGenerator *generator) {
  WmSegmentLink link = {.kind = (uint8_t)(fuzz_byte(&world->input) % WM_SEGMENT_LINK_KINDS)};
  for (int i = 0; i < 12; i++) (&link.start[0][0])[i] = fuzz_number(&world->input);
  link.peak = fabsf(fuzz_number(&world->input));
  WmRefusedLink refused;
  FUZZ_REQUIRE(!wm_link_generator_check(generator, world->mesh, &link, &refused));
  FUZZ_REQUIRE(refused.reason < WM_LINK_REFUSALS && refused.kind == link.kind);
  for (int32_t i = 0; i < TILES; i++) {
    size_t count;
    const WmSegmentLink *links = wm_mesh_links_at(world->mesh, i % SIDE, i / SIDE, 0, &count, NULL);
    for (size_t k = 0; k < count; k++) {
      FUZZ_REQUIRE(!wm_link_generator_check(generator, world->mesh, &links[k], &refused));
    }
  }
}

/* Why there is no link between two points of the level; the generator's links stay the same. */
static void explain_links(World *world, WmLinkGenerator *generator) {
  float points[2][3];
  for (int i = 0; i < 6; i++) points[i / 3][i % 3] = (float)fuzz_byte(&world->input) / (i % 3 == 1 ? 32 : 20);
  WmRefusedLink refused;
  FUZZ_REQUIRE(!wm_link_generator_explain(generator, world->mesh, points[0], points[1], &refused));
  FUZZ_REQUIRE(refused.reason < WM_LINK_REFUSALS && refused.kind < WM_SEGMENT_LINK_KINDS);
  int32_t first[2], last[2];
  wm_link_generator_affected(generator, 1, 1, first, last);
  for (int axis = 0; axis < 2; axis++) FUZZ_REQUIRE(first[axis] == 0 && last[axis] == SIDE - 1);
  FUZZ_REQUIRE(wm_link_generator_bytes(generator) > 0);
}

static void check_links(World *world) {
  WmLinkGenerator *generator;
  FUZZ_REQUIRE(!wm_link_config_check(world->context, &world->links, &world->config));
  FUZZ_REQUIRE((wm_link_config_reach(&world->links, &world->config) > 0) ==
               wm_link_config_is_on(&world->links));
  FUZZ_REQUIRE(!wm_link_generator_create(world->context, &world->links, &world->config, &generator));
  move_air(world, generator);
  explain_links(world, generator);
  for (int32_t i = 0; i < TILES; i++) {
    WmLinkResult result;
    size_t count;
    const WmSegmentLink *links = wm_mesh_links_at(world->mesh, i % SIDE, i / SIDE, 0, &count, NULL);
    FUZZ_REQUIRE(!wm_link_generator_run(generator, world->mesh, i % SIDE, i / SIDE, false, &result));
    if (!wm_dynamic_kept_tile(world->dynamic, i % SIDE, i / SIDE, &(size_t){0})) FUZZ_REQUIRE(count == 0);
    FUZZ_REQUIRE(count == result.link_count);
    for (size_t k = 0; k < count; k++) {
      result.links[k].enabled = links[k].enabled; /* links that were switched off stay off */
      FUZZ_REQUIRE(memcmp(&result.links[k], &links[k], sizeof links[k]) == 0);
    }
    wm_link_result_free(world->context, &result);
  }
  const float *from = world->config.bounds_min,
              to[3] = {fuzz_number(&world->input), 0, fuzz_number(&world->input)};
  WmRefusedLink refused;
  FUZZ_REQUIRE(!wm_link_generator_explain(generator, world->mesh, from, to, &refused) &&
               refused.reason < WM_LINK_REFUSALS);
  check_bodies(world, generator);
  FUZZ_REQUIRE(wm_link_generator_bytes(generator) > 0);
  wm_link_generator_destroy(generator);
}

static void play(World *world) {
  for (uint32_t i = 0; i < TILES; i++) stream_tile(world, i, 1);
  for (int i = 0; i < MOST_STEPS && world->input.left > 0; i++) act(world);
  while (world->job_count > 0) end_job(world, false);
  WmTileChange change;
  do FUZZ_REQUIRE(!wm_dynamic_step(world->dynamic, &change));
  while (change.x >= 0);
  FUZZ_REQUIRE(wm_dynamic_dirty_count(world->dynamic) == 0);
  check_references(world);
  check_links(world);
}

int fuzz_dynamic_links(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  World world = {.context = memory.context, .input = {bytes, byte_count}};
  open_world(&world);
  play(&world);
  close_world(&world);
  fuzz_end(&memory);
  return 0;
}
