/* A crowd with arbitrary calls, on meshes that change meanwhile. The input is a program of calls: agents are
 * added and removed, get orders, parameters, filters, obstacles and focus points, tiles, connections and segment links
 * change, steps are made; some numbers, handles and counts are invalid.
 *
 * A second crowd gets only the calls that the first one accepted: after any refused calls the two stay equal. Now and then the
 * crowd is saved, and a third one, read from the bytes, does the same; altered bytes are refused, or give a sound crowd.
 * After each call every agent is on the mesh or reports that it isn't, and all numbers are finite. */
#include <float.h>
#include <math.h>

#include "../c/grid_tiles.h"
#include "../c/mixed_search.h"
#include "crowd/state/saved_crowd.h"
#include "harness.h"
#include "mesh/locate.h"

enum { SIDE = 3, KINDS = 4, MESHES = 2, KNOWN = 40, MOST_AGENTS = 24, MANY = 6, STEPS_LIMIT = 80 };

typedef enum OrderKind {
  ADD,
  REMOVE,
  TARGETS,
  VELOCITIES,
  STOP,
  PAUSE,
  WARP,
  MOVE,
  PARAMETERS,
  OBSTACLES,
  FOCUS,
  FILTER,
  OPTIONS,
  BEGIN,
  PROGRESS,
  COMPLETE,
  STEP,
  KIND_COUNT
} OrderKind;

/* One call, with all its arguments. */
typedef struct Order {
  OrderKind kind;
  uint32_t number;
  size_t count, parameter_count;
  bool is_shared;
  WmAgent agents[MANY];
  float points[MANY][3], velocities[MANY][3], radii[MANY], heights[MANY], amount;
  WmAgentParameters parameters[MANY];
  WmCrowdOptions options;
  WmFilter filter;
} Order;

typedef struct World {
  FuzzMemory memory;
  FuzzInput input;
  WmMesh *meshes[MESHES];
  WmCosts *costs;
  WmCrowd *crowd, *twin;
  WmAgent known[KNOWN]; /* some are removed */
  uint32_t known_count;
} World;

/* ---- Materials ---------------------------------------------------------------------------------------- */

/* A tile by place and kind, made once. */
static const WmTileData *tile_of(uint32_t place, uint32_t kind) {
  static WmTileData tiles[SIDE * SIDE * KINDS];
  static WmContext *context;
  WmTileData *tile = &tiles[place * KINDS + kind];
  if (!context) context = wm_context_create(NULL);
  if (!tile->bytes) {
    const GridTile grid = {.x = (int32_t)(place % SIDE),
                           .z = (int32_t)(place / SIDE),
                           .seed = kind == 2 ? place + 1 : 0,
                           .hole = kind == 1 ? place % 4 : UINT32_MAX,
                           .flat = kind == 3,
                           .tree = kind != 1};
    *tile = make_grid_tile(context, &grid);
  }
  return tile;
}

/* Any number, sometimes NaN or infinite. */
static float wild(FuzzInput *input) {
  static const float WILD[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -1, 1e30f, -1e10f, 0};
  const uint8_t kind = fuzz_byte(input);
  return kind < 32 ? WILD[kind % 8] : fuzz_number(input);
}

/* Mostly a number from low to high. */
static float between(FuzzInput *input, float low, float high) {
  const uint8_t byte = fuzz_byte(input);
  return byte > 248 ? wild(input) : low + (high - low) * (float)byte / 248;
}

static void invent_point(FuzzInput *input, float point[3]) {
  const float most = SIDE * GRID_TILE_SIZE;
  point[0] = between(input, -2, most + 2);
  point[1] = fuzz_byte(input) < 240 ? 0 : wild(input);
  point[2] = between(input, -2, most + 2);
}

static uint32_t below_or_any(FuzzInput *input, uint32_t count) {
  const uint8_t byte = fuzz_byte(input);
  return byte > 250 ? UINT32_MAX >> (byte - 251) : byte % count;
}

static WmAgent choose_agent(World *world) {
  const uint8_t byte = fuzz_byte(&world->input);
  if (byte > 250) return (WmAgent)byte << 32 | byte;
  if (byte > 248 || !world->known_count) return byte - 248;
  return world->known[byte % world->known_count];
}

static WmAgentParameters invent_parameters(FuzzInput *input) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  const uint8_t which = fuzz_byte(input);
  if (which & 1) parameters.radius = between(input, 0.1f, 3);
  if (which & 2) parameters.max_speed = between(input, 0, 20);
  if (which & 4) parameters.max_acceleration = between(input, 0, 40);
  if (which & 8) parameters.avoidance = below_or_any(input, 5);
  if (which & 16) parameters.stopping_distance = between(input, 0, 4);
  if (which & 32) parameters.filter = below_or_any(input, 4);
  if (which & 64) parameters.type = below_or_any(input, MESHES);
  if (!(which & 128)) return parameters;
  const uint8_t more = fuzz_byte(input);
  if (more & 1) parameters.height = between(input, 0.1f, 4);
  if (more & 2) parameters.turning_speed = between(input, 0, 720);
  if (more & 4) parameters.separation = between(input, 0, 2);
  if (more & 8) parameters.horizon = between(input, 0.1f, 4);
  if (more & 16) parameters.priority = below_or_any(input, 100);
  if (more & 32) parameters.group = parameters.avoids = fuzz_byte(input);
  parameters.auto_braking = !(more & 64);
  parameters.auto_connections = !(more & 128);
  parameters.anticipate_turns = more & 128;
  if ((more & 192) == 192) parameters.wall_distance = between(input, 0, 2);
  if ((more & 18) == 18) parameters.climb_speed = between(input, 0, 8);
  if ((more & 193) == 193) parameters.wall_cost = between(input, 0, 4);
  parameters.shortest = (more & 32) && !(parameters.wall_cost > 0);
  return parameters;
}

static WmCrowdOptions invent_options(World *world) {
  FuzzInput *input = &world->input;
  WmCrowdOptions options;
  wm_crowd_options(world->crowd, &options);
  const uint8_t which = fuzz_byte(input);
  if (which & 1) options.search_budget = 1 + fuzz_below(input, 64) - (which & 128) / 128;
  if (which & 2) options.max_search_nodes = fuzz_below(input, 32);
  if (which & 4) options.max_step = between(input, 1e-4f, 0.1f);
  if (which & 8) options.max_substeps = fuzz_below(input, 12);
  if (which & 16) options.focus_radius = between(input, 1, 30);
  if (which & 32) options.neighbour_range = between(input, 0.5f, 12);
  if ((which & 12) == 12) options.gravity = between(input, 0.1f, 40);
  if (which & 64) options.place_extents[fuzz_byte(input) % 3] = between(input, 0, 4);
  options.patience =
      0.5f * (float)(which % 8); /* 0: never; most are short, so that agents pass through others */
  return options;
}

static WmFilter invent_filter(World *world) {
  FuzzInput *input = &world->input;
  WmFilter filter = wm_filter_default();
  const uint8_t which = fuzz_byte(input);
  if (which & 1) filter.include_flags = fuzz_byte(input);
  if (which & 2) filter.exclude_flags = fuzz_byte(input) & 6;
  if (which & 4) filter.area_costs[fuzz_byte(input) % 64] = between(input, 0, 10);
  if (which & 8) filter.costs = world->costs;
  return filter;
}

static void invent_order(World *world, Order *order) {
  FuzzInput *input = &world->input;
  memset(order, 0, sizeof *order);
  /* Steps, targets and agents occur more often than other calls. */
  static const uint8_t OFTEN[] = {STEP, STEP, STEP, STEP, STEP, TARGETS, TARGETS, ADD};
  const uint8_t byte = fuzz_byte(input);
  order->kind = byte < 96 ? OFTEN[byte % 8] : (OrderKind)(byte % KIND_COUNT);
  const uint8_t how = fuzz_byte(input);
  order->count = 1 + how % MANY;
  order->is_shared = how & 128;
  order->number = how;
  if (order->kind == STEP) {
    order->amount = how < 232 ? 0.02f : wild(input);
    return;
  }
  for (size_t i = 0; i < order->count; i++) {
    order->agents[i] = choose_agent(world);
    const bool has_points = order->kind <= VELOCITIES || (order->kind >= WARP && order->kind <= FOCUS);
    if (has_points && order->kind != PARAMETERS && order->kind != REMOVE)
      invent_point(input, order->points[i]);
    if (order->kind == ADD || order->kind == PARAMETERS) order->parameters[i] = invent_parameters(input);
    if (order->kind != OBSTACLES) continue;
    invent_point(input, order->velocities[i]);
    order->radii[i] = between(input, 0.1f, 3);
    order->heights[i] = between(input, 0.5f, 3);
  }
  if (order->kind == ADD) order->parameter_count = how & 64 ? order->count : how & 32 ? how % 3 : 0;
  if (order->kind == FILTER) order->filter = invent_filter(world);
  if (order->kind == FILTER) order->number = how & 64 ? below_or_any(input, 4) : how % 4;
  if (order->kind == OPTIONS) order->options = invent_options(world);
  if (order->kind == PROGRESS) order->amount = between(input, 0, 1);
}

/* ---- Calls -------------------------------------------------------------------------------------------- */

/* out        added [MANY]: of ADD */
static WmStatus obey(WmCrowd *crowd, const Order *order, WmAgent *added) {
  const WmAgent *agents = order->agents;
  const float *points = order->points[0];
  const size_t count = order->count;
  const bool is_shared = order->is_shared;
  switch (order->kind) {
    case ADD:
      return wm_crowd_add_agents(crowd, count, points, order->parameters, order->parameter_count, added);
    case REMOVE: return wm_crowd_remove_agents(crowd, count, agents);
    case TARGETS: return wm_crowd_set_targets(crowd, count, agents, points, is_shared);
    case VELOCITIES: return wm_crowd_set_velocities(crowd, count, agents, points, is_shared);
    case STOP: return wm_crowd_stop(crowd, count, agents);
    case PAUSE: return wm_crowd_pause(crowd, count, agents, is_shared);
    case WARP: return wm_crowd_warp(crowd, count, agents, points, is_shared);
    case MOVE: return wm_crowd_move(crowd, count, agents, points, is_shared);
    case PARAMETERS:
      return wm_crowd_set_parameters(crowd, count, agents, order->parameters, is_shared ? 1 : count);
    case OBSTACLES:
      return wm_crowd_set_obstacles(crowd, count % MANY, points, is_shared ? order->velocities[0] : NULL,
                                    order->radii, order->number & 64 ? order->heights : NULL);
    case FOCUS: return wm_crowd_set_focus(crowd, count % MANY, points);
    case FILTER: return wm_crowd_set_filter(crowd, order->number, &order->filter);
    case OPTIONS: return wm_crowd_set_options(crowd, &order->options);
    case BEGIN: return wm_crowd_begin_connection(crowd, agents[0]);
    case PROGRESS: return wm_crowd_set_connection_progress(crowd, agents[0], order->amount);
    case COMPLETE: return wm_crowd_complete_connection(crowd, agents[0]);
    default: return wm_crowd_step(crowd, order->amount, NULL);
  }
}

static void remember(World *world, const WmAgent *agents, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t at = world->known_count < KNOWN ? world->known_count++ : fuzz_below(&world->input, KNOWN);
    world->known[at] = agents[i];
  }
}

/* Makes the call on the first crowd, and on the second one if the first accepts it; a refused call changes
 * nothing. */
static void tell(World *world) {
  Order order;
  WmAgent added[MANY], twins[MANY];
  invent_order(world, &order);
  if (order.kind == ADD && wm_crowd_count(world->crowd) + order.count > MOST_AGENTS) return;
  const uint32_t times = order.kind == STEP ? 1 + order.number % 8 : 1;
  for (uint32_t i = 0; i < times; i++) {
    const uint64_t before = wm_crowd_hash(world->crowd);
    const WmStatus status = obey(world->crowd, &order, added);
    FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT || status == WM_ERROR_STALE_REFERENCE ||
                 status == WM_ERROR_STATE);
    if (status) {
      FUZZ_REQUIRE(wm_context_error(world->memory.context)->message[0]);
      FUZZ_REQUIRE(wm_context_error(world->memory.context)->field[0]);
      FUZZ_REQUIRE(wm_crowd_hash(world->crowd) == before);
      return;
    }
    FUZZ_REQUIRE(!obey(world->twin, &order, twins));
  }
  if (order.kind != ADD) return;
  FUZZ_REQUIRE(memcmp(added, twins, order.count * sizeof *added) == 0);
  remember(world, added, order.count);
}

/* ---- Meshes that change ------------------------------------------------------------------------------- */

static void change_tile(World *world, WmMesh *mesh) {
  FuzzInput *input = &world->input;
  const uint32_t place = fuzz_below(input, SIDE * SIDE), kind = fuzz_byte(input) % (KINDS + 1);
  const WmMeshTile *former = wm_mesh_find_tile(mesh, (int32_t)(place % SIDE), (int32_t)(place / SIDE), 0);
  if (kind < KINDS) {
    const WmTileData *tile = tile_of(place, kind);
    FUZZ_REQUIRE(!wm_mesh_replace_tile(mesh, tile->bytes, tile->byte_count, NULL));
  } else if (former) {
    FUZZ_REQUIRE(!wm_mesh_remove_tile(mesh, former->ref));
  }
}

static void change_polygon(World *world, WmMesh *mesh) {
  FuzzInput *input = &world->input;
  const uint32_t place = fuzz_below(input, SIDE * SIDE);
  const WmMeshTile *tile = wm_mesh_find_tile(mesh, (int32_t)(place % SIDE), (int32_t)(place / SIDE), 0);
  const uint8_t value = fuzz_byte(input);
  if (!tile) return;
  const WmRef ref = tile->ref + value % tile->polygon_count;
  FUZZ_REQUIRE(!wm_mesh_set_polygon_flags(mesh, ref, value >> 6));
  FUZZ_REQUIRE(!wm_mesh_set_polygon_area(mesh, ref, value >> 2));
  const float factor = (float)(value % 8);
  if (mesh == world->meshes[0]) FUZZ_REQUIRE(!wm_costs_set(world->costs, &ref, &factor, 1));
}

static void change_connections(World *world, WmMesh *mesh) {
  FuzzInput *input = &world->input;
  const uint8_t what = fuzz_byte(input);
  const WmRef first = wm_mesh_next_connection(mesh, 0);
  if (first && what % 4 == 0) {
    FUZZ_REQUIRE(!wm_mesh_remove_connection(mesh, first));
    return;
  }
  if (first && what % 4 == 1) {
    FUZZ_REQUIRE(!wm_mesh_set_connection_enabled(mesh, first, what & 64));
    return;
  }
  if (wm_mesh_connection_count(mesh) > 6) return;
  WmConnection settings = wm_connection_default(mesh);
  const float most = SIDE * GRID_TILE_SIZE;
  for (int i = 0; i < 3; i += 2) {
    settings.start[i] = (float)fuzz_byte(input) / 255 * most;
    settings.end[i] = (float)fuzz_byte(input) / 255 * most;
  }
  settings.radius = 1 + (float)(what % 3);
  settings.bidirectional = what & 64;
  settings.cost_factor = 0.25f;
  WmRef ref;
  FUZZ_REQUIRE(!wm_mesh_add_connection(mesh, &settings, &ref));
}

/* A segment of up to 8 cells, and its copy turned by quarters and moved. */
static WmSegmentLink invent_link(FuzzInput *input) {
  const float most = SIDE * GRID_TILE_SIZE;
  const uint8_t how = fuzz_byte(input), turns = how >> 6;
  float corners[2][2], along[2] = {0, 0};
  for (int i = 0; i < 4; i++) corners[i / 2][i % 2] = (float)fuzz_byte(input) / 255 * most;
  along[how & 1] = 0.25f + (float)(how & 14) / 4;
  WmSegmentLink link = {.peak = (float)(how & 3),
                        .cost = 0.5f,
                        .flags = 1,
                        .kind = how >> 4 & 3,
                        .bidirectional = how & 4,
                        .enabled = true};
  for (int side = 0; side < 2; side++) {
    const float x = along[0] * (float)side, z = along[1] * (float)side;
    link.start[side][0] = corners[0][0] + x;
    link.start[side][2] = corners[0][1] + z;
    link.end[side][0] = corners[1][0] + (turns == 0 ? x : turns == 1 ? -z : turns == 2 ? -x : z);
    link.end[side][2] = corners[1][1] + (turns == 0 ? z : turns == 1 ? x : turns == 2 ? -z : -x);
  }
  return link;
}

static void change_links(World *world, WmMesh *mesh) {
  FuzzInput *input = &world->input;
  const uint8_t what = fuzz_byte(input);
  const WmRef first = wm_mesh_next_links(mesh, 0);
  if (first && what % 4 == 0) {
    FUZZ_REQUIRE(!wm_mesh_set_segment_link_enabled(mesh, first, what & 64));
    return;
  }
  WmSegmentLink links[2];
  const size_t count = what % 3;
  for (size_t i = 0; i < count; i++) links[i] = invent_link(input);
  const WmStatus status = wm_mesh_put_links(mesh, what >> 6, what >> 4 & 3, what & 8, links, count, NULL);
  FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT); /* its ends may be the wrong way round */
}

static void change_mesh(World *world) {
  const uint8_t which = fuzz_byte(&world->input);
  WmMesh *mesh = world->meshes[which & 1];
  if (which % 3 == 2 && which & 128) {
    change_links(world, mesh);
    return;
  }
  if (which % 3 == 0) change_tile(world, mesh);
  if (which % 3 == 1) change_polygon(world, mesh);
  if (which % 3 == 2) change_connections(world, mesh);
}

/* ---- Invariants ------------------------------------------------------------------------------------ */

static void check_ground(const World *world, const WmCrowdView *view, size_t i) {
  WmAgentInfo info;
  WmAgentParameters parameters;
  FUZZ_REQUIRE(!wm_crowd_info(world->crowd, view->agents[i], &info) && info.index == i);
  FUZZ_REQUIRE(!wm_crowd_parameters(world->crowd, view->agents[i], &parameters));
  FUZZ_REQUIRE(isfinite(info.remaining) && info.remaining >= 0 && isfinite(info.connection_progress));
  for (int axis = 0; axis < 3; axis++) {
    FUZZ_REQUIRE(isfinite(info.target[axis]) && isfinite(info.reachable[axis]));
    FUZZ_REQUIRE(isfinite(info.desired_velocity[axis]));
  }
  FUZZ_REQUIRE((info.polygon == 0) == (info.state == WM_AGENT_OFF_MESH));
  if (info.state == WM_AGENT_ON_CONNECTION || !info.polygon) return;
  const WmMeshTile *tile = wm_mesh_tile_of(world->meshes[parameters.type], info.polygon);
  if (!tile) return; /* its ground was removed: the next step searches for other ground */
  const float *position = view->positions + 3 * i;
  float on[3];
  wm_tile_closest_point(tile, wm_ref_polygon(info.polygon), position, true, on);
  FUZZ_REQUIRE(hypotf(on[0] - position[0], on[2] - position[2]) < 5e-3f);
  FUZZ_REQUIRE(fabsf(on[1] - position[1]) < 0.05f);
}

/* in         all: also compares the data of each agent */
static void check(World *world, bool all) {
  FUZZ_REQUIRE(wm_crowd_hash(world->crowd) == wm_crowd_hash(world->twin));
  WmCrowdView view;
  wm_crowd_view(world->crowd, &view);
  FUZZ_REQUIRE(view.count == wm_crowd_count(world->crowd));
  for (size_t i = 0; i < view.count; i++) {
    for (int axis = 0; axis < 3; axis++) {
      FUZZ_REQUIRE(isfinite(view.positions[3 * i + axis]) && isfinite(view.velocities[3 * i + axis]));
      FUZZ_REQUIRE(isfinite(view.previous_positions[3 * i + axis]));
    }
    FUZZ_REQUIRE(fabsf(hypotf(view.headings[2 * i], view.headings[2 * i + 1]) - 1) < 1e-3f);
    FUZZ_REQUIRE(view.states[i] <= WM_AGENT_CROWDED && view.reasons[i] <= WM_AGENT_REASON_RIGHT_OF_WAY);
    if (all) check_ground(world, &view, i);
  }
}

static void look_at_one(World *world) {
  const WmAgent agent = choose_agent(world);
  const size_t room = fuzz_byte(&world->input) % 20;
  float corners[20][3], walls[20][6];
  WmAgent neighbours[20];
  size_t index;
  const WmStatus status = wm_crowd_index(world->crowd, agent, &index);
  FUZZ_REQUIRE(wm_crowd_details(world->crowd, agent, room, corners[0], neighbours, walls[0]) == status);
  WmAgentInfo info;
  FUZZ_REQUIRE(wm_crowd_info(world->crowd, agent, &info) == status);
  if (status) return;
  for (size_t i = 0; i < room && i < info.neighbour_count; i++) FUZZ_REQUIRE(neighbours[i] != agent);
  float positions[3 * MOST_AGENTS];
  wm_crowd_interpolate(world->crowd, 0.5f, positions);
  FUZZ_REQUIRE(isfinite(positions[3 * index]));
  float sizes[2 * MOST_AGENTS];
  wm_crowd_sizes(world->crowd, sizes);
  FUZZ_REQUIRE(sizes[2 * index] > 0 && sizes[2 * index + 1] > 0);
  WmRef polygons[20];
  size_t count;
  FUZZ_REQUIRE(!wm_crowd_corridor(world->crowd, agent, room, room ? polygons : NULL, &count));
  FUZZ_REQUIRE(count == 0 || room == 0 || polygons[0] != 0);
}

/* ---- Saved crowds ------------------------------------------------------------------------------------- */

/* A crowd of the bytes, which are altered: it is refused, or sound. */
static void read_altered(World *world, uint8_t *bytes, size_t byte_count) {
  FuzzInput *input = &world->input;
  WmContext *context = world->memory.context;
  for (uint32_t changes = 1 + fuzz_below(input, 3); changes > 0; changes--) {
    static const uint32_t WORDS[] = {0, 1, UINT32_MAX, 0x7f800000, 0x7fc00000, 0x7f7fffff, 0x4e000000};
    const uint8_t kind = fuzz_byte(input);
    const uint32_t word = kind < 128 ? WORDS[kind % 7] : kind & 15;
    const size_t at = 64 + fuzz_below(input, (uint32_t)(byte_count - 72) - 4);
    memcpy(bytes + at, &word, kind & 16 ? 1 : sizeof word);
  }
  const uint64_t sum = wm_file_checksum(bytes, byte_count - 8);
  memcpy(bytes + byte_count - 8, &sum, sizeof sum);
  WmCrowd *crowd;
  const WmStatus status =
      wm_crowd_read(context, bytes, byte_count, (const WmMesh *const *)world->meshes, MESHES, &crowd);
  FUZZ_REQUIRE(!status || (status == WM_ERROR_CORRUPT && !crowd));
  if (status) return;
  for (int i = 0; i < 3; i++) {
    const WmStatus stepped = wm_crowd_step(crowd, 0.02f, NULL);
    FUZZ_REQUIRE(!stepped);
    FUZZ_REQUIRE(wm_crowd_validate(crowd));
  }
  wm_crowd_destroy(crowd);
}

/* A crowd that is read from bytes goes on as the one that was written. */
static void save_and_load(World *world) {
  WmContext *context = world->memory.context;
  uint8_t *bytes, *again_bytes;
  size_t byte_count, again_count;
  WmCrowd *again;
  WmSavedCrowdInfo info;
  const bool is_mixed = has_mixed_search(world->crowd);
  FUZZ_REQUIRE(!wm_crowd_write(world->crowd, &bytes, &byte_count));
  FUZZ_REQUIRE(!wm_saved_crowd_info(context, bytes, byte_count, &info));
  FUZZ_REQUIRE(info.agent_count == wm_crowd_count(world->crowd) && info.mesh_count == MESHES);
  FUZZ_REQUIRE(
      !wm_crowd_read(context, bytes, byte_count, (const WmMesh *const *)world->meshes, MESHES, &again));
  FUZZ_REQUIRE(wm_crowd_hash(again) == wm_crowd_hash(world->crowd));
  if (!is_mixed) {
    FUZZ_REQUIRE(!wm_crowd_write(again, &again_bytes, &again_count));
    FUZZ_REQUIRE(again_count == byte_count && memcmp(bytes, again_bytes, byte_count) == 0);
    wm_block_free(context, again_bytes);
  }
  for (int i = 0; i < 3; i++) {
    FUZZ_REQUIRE(!wm_crowd_step(world->crowd, 0.02f, NULL) && !wm_crowd_step(world->twin, 0.02f, NULL));
    FUZZ_REQUIRE(!wm_crowd_step(again, 0.02f, NULL));
    FUZZ_REQUIRE(is_mixed || wm_crowd_hash(again) == wm_crowd_hash(world->crowd));
  }
  wm_crowd_destroy(again);
  read_altered(world, bytes, byte_count);
  wm_block_free(context, bytes);
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static void open_world(World *world) {
  WmContext *context = world->memory.context;
  for (int i = 0; i < MESHES; i++) {
    world->meshes[i] = make_grid_mesh(context);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
      const WmTileData *tile = tile_of(place, i ? 0 : 3);
      FUZZ_REQUIRE(!wm_mesh_add_tile(world->meshes[i], tile->bytes, tile->byte_count, NULL));
    }
  }
  FUZZ_REQUIRE(!wm_costs_create(context, world->meshes[0], &world->costs));
  WmCrowd **crowds[2] = {&world->crowd, &world->twin};
  for (int i = 0; i < 2; i++) {
    uint32_t type;
    const WmCrowdOptions options = wm_crowd_options_default();
    FUZZ_REQUIRE(!wm_crowd_create(context, world->meshes[0], i ? &options : NULL, crowds[i]));
    FUZZ_REQUIRE(!wm_crowd_add_mesh(*crowds[i], world->meshes[1], &type) && type == 1);
  }
}

int fuzz_crowd(const uint8_t *bytes, size_t byte_count) {
  static World world;
  memset(&world, 0, sizeof world);
  world.input = (FuzzInput){bytes, byte_count};
  fuzz_begin(&world.memory);
  open_world(&world);
  for (int i = 0; world.input.left > 0 && i < STEPS_LIMIT; i++) {
    const uint8_t what = fuzz_byte(&world.input);
    if (what < 40) change_mesh(&world);
    if (what >= 40 && what < 53) look_at_one(&world);
    if (what >= 53 && what < 56) save_and_load(&world);
    if (what >= 56) tell(&world);
    check(&world, what % 4 == 0);
  }
  check(&world, true);
  wm_crowd_destroy(world.twin);
  wm_crowd_destroy(world.crowd);
  wm_costs_destroy(world.costs);
  for (int i = 0; i < MESHES; i++) wm_mesh_destroy(world.meshes[i]);
  fuzz_end(&world.memory);
  return 0;
}
