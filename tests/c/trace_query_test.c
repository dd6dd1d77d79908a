/* Golden traces of queries (trace.h): the results of random questions of every kind, of flow fields, of passages and
 * of switches, on drawn and on baked meshes. */
#include "clearance/passages.h"
#include "clearance/width.h"
#include "maze_world.h"
#include "query/alternatives/alternatives.h"
#include "query/search/flow_field.h"
#include "query/search/straighten.h"
#include "query/switches/switches.h"
#include "query_questions.h"
#include "scene.h"
#include "walkmesh.h"

enum { BAKED = 4, USUAL_SEEDS = 12 };

/* Sizes are multiplied by `scale`. */
static WmMesh *bake(WmContext *context, Scene *scene, float cell_size, int32_t tile_size, float scale) {
  WmConfig config = wm_config_default();
  for (size_t i = 0; i < 3 * scene->vertex_count; i++) scene->positions[i] *= scale;
  config.cell_size = scale * cell_size;
  config.cell_height *= scale;
  config.agent_height *= scale;
  config.agent_radius *= scale;
  config.agent_max_climb *= scale;
  config.max_edge_length *= scale;
  config.tile_size = tile_size;
  const WmBakeInput input = scene_input(scene);
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_bake_mesh(context, &config, &input, &mesh), WM_OK);
  free_scene(scene);
  return mesh;
}

/* The first ones are baked, or a grid; the others mazes. */
static WmMesh *make(WmContext *context, uint32_t seed, char *name, size_t name_bytes) {
  static const char *const NAMES[BAKED + 1] = {"", "boxes", "plaza", "caves", "grid"};
  snprintf(name, name_bytes, "maze-%u", (unsigned)seed);
  if (seed <= BAKED) snprintf(name, name_bytes, "%s", NAMES[seed]);
  if (seed > BAKED) return make_maze_world(context, seed - BAKED, seed % 5 == 0 ? 0 : 3 + seed % 5);
  if (seed == BAKED) return make_grid_world(context, 3, 5);
  Scene scene = {0};
  if (seed == 1) scene = make_random_scene(3);
  if (seed == 2) scene = read_obj("tests/scenes/plaza.obj");
  if (seed == 3) scene = read_obj("tests/scenes/caves.obj");
  return bake(context, &scene, seed == 1 ? 0.5f : 0.6f, seed == 3 ? 0 : 32, 1);
}

static void set_bounds(Asker *asker) {
  for (size_t s = 0; s < wm_mesh_slot_count(asker->mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(asker->mesh, s);
    for (int axis = 0; tile && axis < 3; axis++) {
      if (tile->bounds_min[axis] < asker->low[axis]) asker->low[axis] = tile->bounds_min[axis];
      if (tile->bounds_max[axis] > asker->high[axis]) asker->high[axis] = tile->bounds_max[axis];
    }
  }
}

static void ask_all(WmContext *context, WmMesh *mesh, uint32_t seed, int rounds, float lattice) {
  static Asker asker;
  CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
  set_bounds(&asker);
  asker.is_traced = true;
  asker.lattice = lattice;
  asker.seed = seed;
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < QUESTION_COUNT; i++) trace_status(context, QUESTIONS[i].ask(&asker));
  }
  CHECK(asker.answered > rounds);
  close_asker(&asker);
}

static void every_answer_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(USUAL_SEEDS); seed++) {
    char name[32];
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make(context, seed, name, sizeof name);
    trace_begin(name);
    ask_all(context, mesh, seed, 100, 0);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

/* Positions and lengths that are multiples of a quarter, on drawn meshes with corners at such places. */
static void every_answer_on_a_lattice_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(16); seed++) {
    char of[24], name[32];
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make(context, BAKED + seed / 2, of, sizeof of);
    snprintf(name, sizeof name, "lattice-%u", (unsigned)seed);
    trace_begin(name);
    ask_all(context, mesh, seed + 300, 100, seed % 2 ? 0.25f : 1);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

/* Meshes so small that lengths meet tolerances, and so large that numbers are rounded. */
static void every_answer_of_another_scale_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(6); seed++) {
    char name[32];
    snprintf(name, sizeof name, "scaled-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    Scene scene = make_random_scene(seed + 20);
    WmMesh *mesh = bake(context, &scene, 0.5f, 32, seed % 2 ? 1.0f / 512 : 500.1f);
    trace_begin(name);
    ask_all(context, mesh, seed + 400, 60, 0);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

/* ---- Flow fields and passages ------------------------------------------------------------------------- */

static void trace_corridor(const WmCorridor *corridor) {
  const uint64_t numbers[] = {corridor->state, corridor->reason, corridor->polygon_count, corridor->searched};
  TRACE(numbers);
  TRACE(corridor->cost);
  trace_fold(corridor->polygons, corridor->polygon_count * sizeof *corridor->polygons);
}

/* Narrow places of a corridor, and the width of the surface at each point. */
static void trace_passages(WmContext *context, Asker *asker, WmPassages *passages,
                           const WmCorridor *corridor) {
  WmRef before = 0;
  float portals[2][4];
  for (size_t i = 0; i + 1 < corridor->polygon_count; i++) {
    const WmRef polygon = corridor->polygons[i], next = corridor->polygons[i + 1];
    const WmMeshTile *tile = wm_mesh_tile_of(asker->mesh, polygon),
                     *other = wm_mesh_tile_of(asker->mesh, next);
    const uint32_t number = wm_ref_polygon(polygon);
    if (number >= tile->ground_count || wm_ref_polygon(next) >= other->ground_count) {
      before = 0;
      continue;
    }
    const float *ends = wm_query_find_portal(tile, number, next);
    const float portal[4] = {ends[0], ends[2], ends[3], ends[5]};
    float *exit = portals[i % 2];
    memcpy(exit, portal, sizeof portal);
    const WmCrossing *crossing;
    CHECK_EQUAL_INT(wm_passages_find(context, passages, asker->mesh, before,
                                     before ? portals[1 - i % 2] : NULL, polygon, exit, next, &crossing),
                    WM_OK);
    const uint8_t kinds[] = {crossing->exit_is_narrow, crossing->has_room, crossing->has_throat};
    TRACE(kinds);
    TRACE(crossing->throat);
    TRACE(crossing->axis);
    before = polygon;
  }
}

static void trace_flow(WmContext *context, Asker *asker, WmFlowField *flow, WmPassages *passages) {
  float target[3], start[3];
  const WmRef end = ask_ref(asker);
  ask_position(asker, end, target);
  trace_status(context, wm_flow_field_begin(flow, end, target, ask_filter(asker)));
  for (int i = 0; i < 8; i++) {
    const WmRef from = ask_ref(asker);
    ask_position(asker, from, start);
    bool done = false;
    size_t used;
    for (int k = 0; k < 60 && !done; k++) {
      trace_status(context, wm_flow_field_advance(flow, from, start, 1 + (size_t)k, &done, &used));
      trace_number(used);
    }
    WmCorridor corridor = {0};
    const WmStatus status = wm_flow_field_find(flow, from, start, &corridor);
    trace_status(context, status);
    if (status) continue;
    trace_corridor(&corridor);
    trace_passages(context, asker, passages, &corridor);
    float towards[2];
    const float width = wm_width_at(asker->mesh, from, start, 4, towards);
    TRACE(width);
    TRACE(towards);
  }
}

static void trace_alternatives(WmContext *context, Asker *asker, uint32_t round) {
  float start[3], end[3];
  WmAlternativeOptions options = wm_alternative_options_default();
  options.path.search.shortest = round % 2;
  options.count = 1 + round % 4;
  options.difference = (float)(round % 3) / 5;
  options.max_length = 1 + (float)(round % 5) / 4;
  options.path.search.filter = round % 3 ? ask_filter(asker) : NULL;
  ask_position(asker, ask_ref(asker), start);
  ask_position(asker, ask_ref(asker), end);
  WmAlternatives found;
  trace_status(context, wm_query_find_alternatives(asker->query, start, end, &options, &found));
  trace_number(found.count);
  for (size_t i = 0; i < found.count; i++) {
    const WmPath *path = &found.paths[i];
    const float lengths[] = {path->cost, path->length};
    TRACE(lengths);
    trace_fold(path->polygons, path->polygon_count * sizeof *path->polygons);
    trace_fold(path->points, path->point_count * 3 * sizeof *path->points);
    trace_fold(path->point_flags, path->point_count);
  }
}

static void every_alternative_is_as_it_was(void) {
  static Asker asker;
  for (uint32_t seed = 1; seed <= trace_seeds(USUAL_SEEDS); seed++) {
    char of[24], name[40];
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make(context, seed, of, sizeof of);
    snprintf(name, sizeof name, "alternatives-%s", of);
    trace_begin(name);
    CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
    asker.seed = seed + 70;
    for (uint32_t round = 0; round < 40; round++) trace_alternatives(context, &asker, round);
    close_asker(&asker);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

static void every_flow_field_is_as_it_was(void) {
  static Asker asker;
  for (uint32_t seed = 1; seed <= trace_seeds(USUAL_SEEDS); seed++) {
    char of[24], name[32];
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make(context, seed, of, sizeof of);
    snprintf(name, sizeof name, "flow-%s", of);
    WmPassages passages = {0};
    WmFlowField *flow = NULL;
    trace_begin(name);
    CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
    CHECK_EQUAL_INT(wm_flow_field_create(context, mesh, &flow), WM_OK);
    asker.seed = seed + 50;
    for (int i = 0; i < 6; i++) {
      wm_passages_update(&passages, mesh, 0.5f + 0.4f * (float)i);
      trace_flow(context, &asker, flow, &passages);
    }
    wm_passages_free(context, &passages);
    wm_flow_field_destroy(flow);
    close_asker(&asker);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

/* ---- Meshes that change ------------------------------------------------------------------------------- */

static void trace_mesh(const WmMesh *mesh) {
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (!tile) continue;
    TRACE(tile->ref);
    trace_fold(tile->polygon_flags, tile->polygon_count * sizeof *tile->polygon_flags);
    trace_fold(tile->polygon_area, tile->polygon_count);
  }
}

static WmSwitchVolume invent_volume(uint32_t *state) {
  static float outline[4][3];
  float numbers[8];
  for (int i = 0; i < 8; i++) numbers[i] = (float)(grid_random(state) & 0xfff) / 4095;
  const float x = 22 * numbers[0], z = 22 * numbers[1], wide = 5 * numbers[2], deep = 5 * numbers[3];
  const float corners[4][3] = {{x, 0, z}, {x, 0, z + deep}, {x + wide, 0, z + deep}, {x + wide, 0, z - 1}};
  memcpy(outline, corners, sizeof outline);
  return (WmSwitchVolume){.kind = (int32_t)(grid_random(state) % 4),
                          .area = grid_random(state) % 3 == 0 ? 7 : -1,
                          .minimum = {x, -1, z},
                          .maximum = {x + wide, 2 * numbers[4], z + deep},
                          .centre = {x, 0.5f, z},
                          .half_extents = {wide, 1, 0.5f * deep},
                          .yaw = 6 * numbers[5],
                          .radius = wide,
                          .height = 2 * numbers[6],
                          .vertices = outline[0],
                          .vertex_count = 4,
                          .by_middle = grid_random(state) % 2 == 0};
}

static void change_switches(WmContext *context, const WmMesh *mesh, WmSwitches *switches, uint32_t *state) {
  enum { LIVE = 8 };
  WmSwitch live[LIVE] = {0};
  for (int i = 0; i < 60; i++) {
    WmSwitch *one = &live[grid_random(state) % LIVE];
    const uint32_t what = grid_random(state) % 4;
    if (what == 0 || !*one) {
      const WmSwitchVolume volume = invent_volume(state);
      const uint16_t set = (uint16_t)(1u << grid_random(state) % 5),
                     clear = (uint16_t)(grid_random(state) % 4);
      if (*one) trace_status(context, wm_switch_remove(switches, *one));
      *one = 0;
      trace_status(context, wm_switch_add(switches, &volume, set, clear, what == 0, one));
    } else {
      trace_status(context, wm_switch_set(switches, *one, what == 1));
    }
    size_t changed = 0;
    trace_status(context, wm_switches_update(switches, &changed));
    trace_number(changed);
    trace_mesh(mesh);
  }
}

/* Tiles go and come while switches are on. */
static void every_switch_covers_what_it_did(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(6); seed++) {
    char name[32];
    snprintf(name, sizeof name, "switches-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_maze_world(context, seed, 6);
    uint32_t state = seed;
    WmSwitches *switches = NULL;
    trace_begin(name);
    CHECK_EQUAL_INT(wm_switches_create(context, mesh, &switches), WM_OK);
    change_switches(context, mesh, switches, &state);
    const WmMeshTile *tile = wm_mesh_find_tile(mesh, 1, 1, 0);
    uint8_t *copy = malloc(tile->byte_count);
    const size_t byte_count = tile->byte_count;
    memcpy(copy, tile->bytes, byte_count);
    CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tile->ref), WM_OK);
    change_switches(context, mesh, switches, &state);
    CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, copy, byte_count, NULL), WM_OK);
    change_switches(context, mesh, switches, &state);
    free(copy);
    wm_switches_destroy(switches);
    trace_mesh(mesh);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

/* Saved states of a tile with one changed word, and settings of connections. */
static void change_states(WmContext *context, WmMesh *mesh, uint32_t *state) {
  const WmRef tile = wm_mesh_find_tile(mesh, 1, 1, 0)->ref;
  const size_t byte_count = wm_mesh_tile_state_bytes(mesh, tile);
  uint32_t *saved = calloc(1, byte_count + 4), *changed = calloc(1, byte_count + 4);
  trace_number(byte_count);
  trace_status(context, wm_mesh_save_tile_state(mesh, tile, (uint8_t *)saved, byte_count - 1));
  trace_status(context, wm_mesh_save_tile_state(mesh, tile, (uint8_t *)saved, byte_count));
  trace_fold(saved, byte_count);
  for (size_t i = 0; i < byte_count / 4; i++) {
    for (int how = 0; how < 4; how++) {
      memcpy(changed, saved, byte_count);
      changed[i] = how == 0   ? saved[i] + 1
                   : how == 1 ? saved[i] ^ 0x400000
                   : how == 2 ? 0
                              : grid_random(state);
      trace_status(context, wm_mesh_restore_tile_state(mesh, (const uint8_t *)changed, byte_count));
    }
    trace_mesh(mesh);
  }
  for (size_t length = 0; length <= byte_count; length++) {
    trace_status(context, wm_mesh_restore_tile_state(mesh, (const uint8_t *)saved, length));
  }
  trace_mesh(mesh);
  free(saved);
  free(changed);
}

static void change_connections(WmContext *context, WmMesh *mesh, uint32_t *state) {
  WmConnection settings = wm_connection_default(mesh);
  WmRef refs[6] = {0};
  for (int i = 0; i < 6; i++) {
    settings.start[0] = 2 + 3 * (float)i;
    settings.start[2] = 5;
    settings.end[0] = 20 - 2 * (float)i;
    settings.end[2] = 17;
    settings.radius = 0.4f * (float)i;
    settings.bidirectional = i % 2;
    settings.enabled = i % 3 > 0;
    settings.cost_factor = 0.3f * (float)i;
    trace_status(context, wm_mesh_add_connection(mesh, &settings, &refs[i]));
  }
  for (int i = 0; i < 80; i++) {
    const WmRef all[] = {refs[grid_random(state) % 6], refs[grid_random(state) % 6], 0, 77,
                         wm_mesh_tile(mesh, 0)->ref};
    const WmRef one = all[grid_random(state) % (i % 4 ? 2 : 5)];
    const uint32_t what = grid_random(state) % 8;
    float ends[2][3] = {{0}};
    int tied = 0;
    if (what < 3) trace_status(context, wm_mesh_set_connection_enabled(mesh, one, what == 1));
    if (what >= 3 && what < 5) {
      trace_status(context,
                   wm_mesh_set_connection_cost(mesh, one, 0.5f * (float)(grid_random(state) % 5) - 0.5f));
    }
    if (what == 7) trace_status(context, wm_mesh_remove_connection(mesh, one));
    trace_status(context, wm_mesh_connection(mesh, one, &settings, ends, &tied));
    TRACE(ends);
    TRACE(tied);
    TRACE(settings.cost_factor);
    trace_number(settings.enabled);
    trace_number(wm_mesh_connection_count(mesh));
    trace_mesh(mesh);
  }
}

static void every_state_of_a_mesh_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(4); seed++) {
    char name[32];
    snprintf(name, sizeof name, "states-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_maze_world(context, seed, 5);
    uint32_t state = seed;
    trace_begin(name);
    change_states(context, mesh, &state);
    change_connections(context, mesh, &state);
    ask_all(context, mesh, seed, 6, 0);
    trace_end();
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

int main(void) {
  trace_open("query");
  RUN(every_answer_is_as_it_was);
  RUN(every_answer_on_a_lattice_is_as_it_was);
  RUN(every_answer_of_another_scale_is_as_it_was);
  RUN(every_alternative_is_as_it_was);
  RUN(every_flow_field_is_as_it_was);
  RUN(every_switch_covers_what_it_did);
  RUN(every_state_of_a_mesh_is_as_it_was);
  trace_close();
  return check_finish();
}
