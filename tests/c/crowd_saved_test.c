/* Saved crowds: a crowd that was read goes on as the one that was written, bit for bit, in scenes of every kind, on the same mesh
 * and on one that was read from its file. */
#include "crowd/state/saved_crowd_internal.h"
#include "crowd_scenes.h"
#include "mesh/links/segment_links.h"
#include "mixed_search.h"
#include "saved_crowds.h"

/* Replaces a crowd by the one that its bytes give, which are the same again. */
static void reload(TracedCrowd *traced) {
  const WmMesh *mesh = traced->mesh;
  const SavedCrowd first = save_crowd(traced->crowd, traced->context);
  wm_crowd_destroy(traced->crowd);
  traced->crowd = load_crowd(traced->context, first, &mesh, 1);
  const SavedCrowd second = save_crowd(traced->crowd, traced->context);
  CHECK(are_equal_bytes(first, second));
  free(first.bytes);
  free(second.bytes);
}

/* Some agents keep off walls, some take exact shortest paths, some shun ground near walls. */
static void vary(TracedCrowd *traced) {
  for (size_t i = 0; i < traced->count; i++) {
    WmAgentParameters parameters;
    CHECK_EQUAL_INT(wm_crowd_parameters(traced->crowd, traced->agents[i], &parameters), WM_OK);
    parameters.shortest = i % 4 == 1;
    parameters.wall_distance = i % 4 >= 2 ? 0.5f : 0;
    parameters.wall_cost = i % 4 == 3 ? 2 : 0;
    CHECK_EQUAL_INT(wm_crowd_set_parameters(traced->crowd, 1, &traced->agents[i], &parameters, 1), WM_OK);
  }
}

/* Two crowds that get the same calls. */
static TracedCrowd plain, saved;

/* Plays a scene twice; the second crowd is saved and loaded at random steps, also between events and the step after them. */
static void play(const Scenario *scenario, float lattice, uint32_t seed) {
  WmContext *context = wm_context_create(NULL);
  uint32_t random = seed * 2654435761u + 1;
  open_scene(&plain, context, scenario, lattice);
  open_scene(&saved, context, scenario, lattice);
  bool is_same = true;
  for (int step = 0; step < scenario->steps && is_same; step++) {
    if (step == scenario->steps / 2) {
      send_all(&plain, scenario->meets);
      send_all(&saved, scenario->meets);
    }
    if (step == scenario->steps / 3 && seed % 2) {
      vary(&plain);
      vary(&saved);
    }
    if (grid_random(&random) % 23 == 0 && !has_mixed_search(saved.crowd)) reload(&saved);
    traced_run(&plain, 1, scenario->events, scenario->variety);
    traced_run(&saved, 1, scenario->events, scenario->variety);
    is_same = do_the_same(plain.crowd, saved.crowd);
    if (!is_same) printf("%s: other at step %d\n", scenario->name, step);
  }
  CHECK(is_same);
  close_traced(&plain);
  close_traced(&saved);
  wm_context_destroy(context);
}

static void crowds_of_all_scenes_go_on_as_they_were(void) {
  for (size_t i = 0; i < sizeof SCENARIOS / sizeof *SCENARIOS; i++) play(&SCENARIOS[i], 0, (uint32_t)i);
}

static void crowds_of_random_scenes_go_on_as_they_were(void) {
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(60); seed++) {
    char name[32];
    const Scenario scenario = invent_scenario(seed, name, sizeof name);
    play(&scenario, seed % 4 == 0 ? 0.25f : 0, seed);
  }
}

/* ---- Another mesh ------------------------------------------------------------------------------------- */

/* The crowd as bytes, on its mesh as a file. */
static void move_to_a_mesh_from_a_file(const TracedCrowd *from, TracedCrowd *to) {
  uint8_t *bytes;
  size_t byte_count;
  *to = *from;
  to->gone_count = 0;
  CHECK_EQUAL_INT(wm_mesh_write(from->mesh, WM_FORMAT_WALKMESH, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_read(from->context, bytes, byte_count, &to->mesh), WM_OK);
  wm_block_free(from->context, bytes);
  const WmMesh *mesh = to->mesh;
  const SavedCrowd crowd = save_crowd(from->crowd, from->context);
  to->crowd = load_crowd(from->context, crowd, &mesh, 1);
  free(crowd.bytes);
}

static bool have_other_references(const WmMesh *a, const WmMesh *b) {
  for (size_t slot = 0; slot < wm_mesh_slot_count(a); slot++) {
    const WmMeshTile *one = wm_mesh_tile(a, slot), *other = wm_mesh_tile(b, slot);
    if (one && (!other || one->ref != other->ref)) return true;
  }
  return false;
}

/* Tiles are replaced at first, so that references differ from those of a mesh that is read. */
static void play_on(const Scenario *scenario, uint32_t seed, int *others) {
  WmContext *context = wm_context_create(NULL);
  open_scene(&plain, context, scenario, 0);
  if (seed % 2) vary(&plain);
  if (seed % 3) change_references(plain.mesh);
  traced_run(&plain, 20 + (int)(seed % 60), scenario->events, scenario->variety);
  while (has_mixed_search(plain.crowd)) traced_run(&plain, 1, TRACED_NOTHING, 0);
  move_to_a_mesh_from_a_file(&plain, &saved);
  *others += have_other_references(plain.mesh, saved.mesh);
  const uint32_t events = scenario->events & ~(uint32_t)TRACED_MESH;
  bool is_same = true;
  for (int step = 0; step < 200 && is_same; step++) {
    is_same = do_the_same(plain.crowd, saved.crowd);
    if (!is_same) printf("%s: other at step %d\n", scenario->name, step);
    traced_run(&plain, 1, events, scenario->variety);
    traced_run(&saved, 1, events, scenario->variety);
  }
  CHECK(is_same);
  close_traced(&plain);
  close_traced(&saved);
  wm_context_destroy(context);
}

static void crowds_go_on_the_same_on_a_mesh_from_a_file(void) {
  int others = 0;
  for (size_t i = 0; i < sizeof SCENARIOS / sizeof *SCENARIOS; i++)
    play_on(&SCENARIOS[i], (uint32_t)i, &others);
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(60); seed++) {
    char name[32];
    const Scenario scenario = invent_scenario(seed, name, sizeof name);
    play_on(&scenario, seed, &others);
  }
  CHECK(others > 10);
}

/* ---- Parts -------------------------------------------------------------------------------------------- */

/* Runs both crowds, and compares them. */
static bool go_on_the_same(WmCrowd *a, WmCrowd *b, int steps, float seconds) {
  for (int i = 0; i < steps; i++) {
    CHECK_EQUAL_INT(wm_crowd_step(a, seconds, NULL), WM_OK);
    CHECK_EQUAL_INT(wm_crowd_step(b, seconds, NULL), WM_OK);
    if (!do_the_same(a, b)) return false;
  }
  return true;
}

static void add_floor(WmMesh *mesh, int32_t x, uint16_t floor) {
  for (int32_t z = 0; z < 3; z++) {
    const GridTile grid = {.x = x, .z = z, .floor = floor, .flat = true, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
}

/* Two fields of 8 by 24, the first one 2 up, with a wide link of a kind between them in both directions, or one way down. */
static WmMesh *make_ledge(WmContext *context, WmSegmentLinkKind kind) {
  WmMesh *mesh = make_grid_mesh(context);
  const bool is_gap = kind == WM_SEGMENT_LINK_JUMP || kind == WM_SEGMENT_LINK_VAULT;
  const float high = is_gap ? 0 : 2, end = is_gap ? 16 : 9;
  add_floor(mesh, 0, is_gap ? 0 : 8);
  add_floor(mesh, is_gap ? 2 : 1, 0);
  const WmSegmentLink link = {.start = {{8, high, 14}, {8, high, 8}},
                              .end = {{end, 0, 14}, {end, 0, 8}},
                              .peak = kind == WM_SEGMENT_LINK_VAULT ? 1 : 0.5f,
                              .cost = 1,
                              .flags = 1,
                              .kind = (uint8_t)kind,
                              .bidirectional = true,
                              .enabled = true};
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, &link, 1, NULL), WM_OK);
  return mesh;
}

/* Agents on both sides go to the other one; some are led by the game. */
static void cross_the_link(WmSegmentLinkKind kind, int *on_links) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_ledge(context, kind);
  WmCrowd *crowd = make_crowd(context, mesh);
  const float across = wm_mesh_find_tile(mesh, 1, 0, 0) ? 13 : 21;
  uint32_t seed = 5;
  for (int i = 0; i < 40; i++) {
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.radius = 0.2f + 0.01f * (float)(i % 10);
    parameters.max_speed = 2 + 0.1f * (float)(i % 7);
    parameters.auto_connections = i % 9 != 0;
    const float x = crowd_random(&seed, 1, 7) + (i % 2 ? across - 5 : 0);
    const WmAgent agent = add_agent(crowd, x, crowd_random(&seed, 1, 23), &parameters);
    send_to(crowd, agent, x > 8 ? 3 : across, crowd_random(&seed, 1, 23));
  }
  for (int round = 0; round < 24; round++) {
    const WmMesh *meshes[1] = {mesh};
    for (int i = 0; i < 11; i++) CHECK_EQUAL_INT(wm_crowd_step(crowd, 1.0f / 60, NULL), WM_OK);
    WmCrowdView view;
    wm_crowd_view(crowd, &view);
    for (size_t i = 0; i < view.count; i++)
      *on_links += view.states[i] == WM_AGENT_ON_CONNECTION || view.reasons[i] == WM_AGENT_REASON_CONNECTION;
    const SavedCrowd bytes = save_crowd(crowd, context);
    WmCrowd *loaded = load_crowd(context, bytes, meshes, 1);
    CHECK(go_on_the_same(crowd, loaded, 30, 1.0f / 60));
    wm_crowd_destroy(loaded);
    free(bytes.bytes);
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void agents_on_links_and_before_them_go_on(void) {
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    int on_links = 0;
    cross_the_link((WmSegmentLinkKind)kind, &on_links);
    CHECK(on_links > 20);
  }
}

/* A crowd on two meshes, with filters, some of them with costs of single polygons, obstacles and focus points. */
typedef struct Rich {
  WmContext *context;
  WmMesh *meshes[2];
  WmCosts *costs[2];
  WmCrowd *crowd;
  WmAgent agents[30];
} Rich;

static void set_rich_filters(Rich *rich) {
  for (uint32_t i = 0; i < 3; i++) {
    WmFilter filter = wm_filter_default();
    filter.area_costs[2] = 1 + (float)i;
    filter.exclude_flags = i == 2 ? 4 : 0;
    filter.costs = i < 2 ? rich->costs[i] : NULL;
    CHECK_EQUAL_INT(wm_crowd_set_filter(rich->crowd, 3 + 50 * i, &filter), WM_OK);
  }
}

static void open_rich(Rich *rich, uint32_t seed) {
  *rich = (Rich){.context = wm_context_create(NULL)};
  rich->meshes[0] = make_holes(rich->context, 21 + seed);
  rich->meshes[1] = make_field(rich->context, 3);
  rich->crowd = make_crowd(rich->context, rich->meshes[0]);
  uint32_t type, random = seed;
  CHECK_EQUAL_INT(wm_crowd_add_mesh(rich->crowd, rich->meshes[1], &type), WM_OK);
  for (int m = 0; m < 2; m++) {
    CHECK_EQUAL_INT(wm_costs_create(rich->context, rich->meshes[m], &rich->costs[m]), WM_OK);
    for (int i = 0; i < 40; i++) {
      const size_t slots = wm_mesh_slot_count(rich->meshes[m]);
      const WmMeshTile *tile = wm_mesh_tile(rich->meshes[m], grid_random(&random) % slots);
      const WmRef polygon = tile->ref + grid_random(&random) % tile->polygon_count;
      const float factor = i == 7 ? 0.25f : crowd_random(&random, 1, 9);
      CHECK_EQUAL_INT(wm_costs_set(rich->costs[m], &polygon, &factor, 1), WM_OK);
    }
  }
  set_rich_filters(rich);
  for (int i = 0; i < 30; i++) {
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.radius = 0.3f;
    parameters.type = (uint32_t)i % 2;
    parameters.filter = i % 3 == 0 ? 3 : i % 3 == 1 ? 53 : 103;
    parameters.user_data = i == 3 ? (double)NAN : 1e300;
    rich->agents[i] =
        add_agent(rich->crowd, crowd_random(&random, 1, 23), crowd_random(&random, 1, 23), &parameters);
    send_to(rich->crowd, rich->agents[i], crowd_random(&random, 1, 23), crowd_random(&random, 1, 23));
  }
  const float at[2][3] = {{8, 0, 8}, {16, 0, 9}}, velocities[2][3] = {{0.5f, 0, 0.2f}}, radii[2] = {1, 0.7f};
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(rich->crowd, 2, at[0], velocities[0], radii, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_set_focus(rich->crowd, 1, at[1]), WM_OK);
}

static void close_rich(Rich *rich) {
  wm_crowd_destroy(rich->crowd);
  for (int m = 0; m < 2; m++) {
    wm_costs_destroy(rich->costs[m]);
    wm_mesh_destroy(rich->meshes[m]);
  }
  wm_context_destroy(rich->context);
}

/* The costs of single polygons belong to the loaded crowd: those of the other one are gone. */
static void filters_meshes_obstacles_and_focus_go_on(void) {
  for (uint32_t seed = 1; seed <= 8; seed++) {
    Rich rich;
    open_rich(&rich, seed);
    for (uint32_t i = 0; i < 20 + 7 * seed; i++)
      CHECK_EQUAL_INT(wm_crowd_step(rich.crowd, 0.03f, NULL), WM_OK);
    const SavedCrowd bytes = save_crowd(rich.crowd, rich.context);
    WmCrowd *loaded = load_crowd(rich.context, bytes, (const WmMesh *const *)rich.meshes, 2);
    for (int i = 0; i < 30; i++) { /* all agents search again, with the costs */
      send_to(rich.crowd, rich.agents[i], 12, 3);
      send_to(loaded, rich.agents[i], 12, 3);
    }
    CHECK(go_on_the_same(rich.crowd, loaded, 100, 0.03f));
    set_rich_filters(&rich);
    wm_crowd_destroy(rich.crowd);
    rich.crowd = loaded;
    CHECK_EQUAL_INT(wm_crowd_step(loaded, 0.03f, NULL), WM_OK);
    set_rich_filters(&rich);
    CHECK_EQUAL_INT(wm_crowd_step(loaded, 0.03f, NULL), WM_OK);
    free(bytes.bytes);
    close_rich(&rich);
  }
}

/* Handles of agents that were removed stay invalid, and new agents get the same handles. */
static void handles_are_those_of_the_saved_crowd(void) {
  Rich rich;
  open_rich(&rich, 3);
  CHECK_EQUAL_INT(wm_crowd_remove_agents(rich.crowd, 5, rich.agents + 9), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_step(rich.crowd, 0.03f, NULL), WM_OK);
  const SavedCrowd bytes = save_crowd(rich.crowd, rich.context);
  WmCrowd *loaded = load_crowd(rich.context, bytes, (const WmMesh *const *)rich.meshes, 2);
  size_t index, other;
  for (int i = 0; i < 30; i++) {
    const bool is_gone = i >= 9 && i < 14;
    CHECK_EQUAL_INT(wm_crowd_index(loaded, rich.agents[i], &index),
                    is_gone ? WM_ERROR_STALE_REFERENCE : WM_OK);
    if (is_gone) continue;
    CHECK_EQUAL_INT(wm_crowd_index(rich.crowd, rich.agents[i], &other), WM_OK);
    CHECK(index == other);
  }
  for (int i = 0; i < 8; i++) CHECK(add_agent(rich.crowd, 3, 3, NULL) == add_agent(loaded, 3, 3, NULL));
  CHECK(go_on_the_same(rich.crowd, loaded, 20, 0.03f));
  wm_crowd_destroy(loaded);
  free(bytes.bytes);
  close_rich(&rich);
}

/* Neighbours are indices, which removals change: until the next step an agent may seem to be its own neighbour. */
static void a_crowd_can_be_saved_right_after_removals(void) {
  for (uint32_t seed = 1; seed <= 12; seed++) {
    Rich rich;
    open_rich(&rich, seed);
    for (int i = 0; i < 30; i++) CHECK_EQUAL_INT(wm_crowd_step(rich.crowd, 0.03f, NULL), WM_OK);
    for (uint32_t i = seed; i < 30; i += 3)
      CHECK_EQUAL_INT(wm_crowd_remove_agents(rich.crowd, 1, &rich.agents[i]), WM_OK);
    const SavedCrowd bytes = save_crowd(rich.crowd, rich.context);
    WmCrowd *loaded = load_crowd(rich.context, bytes, (const WmMesh *const *)rich.meshes, 2);
    CHECK(go_on_the_same(rich.crowd, loaded, 30, 0.03f));
    wm_crowd_destroy(loaded);
    free(bytes.bytes);
    close_rich(&rich);
  }
}

static void an_empty_crowd_can_be_saved(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 1);
  const WmMesh *meshes[1] = {mesh};
  WmCrowd *crowd = make_crowd(context, mesh);
  const SavedCrowd bytes = save_crowd(crowd, context);
  WmCrowd *loaded = load_crowd(context, bytes, meshes, 1);
  CHECK(go_on_the_same(crowd, loaded, 3, 0.03f));
  WmSavedCrowdInfo info;
  CHECK_EQUAL_INT(wm_saved_crowd_info(context, bytes.bytes, bytes.byte_count, &info), WM_OK);
  CHECK(info.agent_count == 0 && info.mesh_count == 1 && info.filter_count == 0 && info.steps == 0);
  wm_crowd_destroy(loaded);
  wm_crowd_destroy(crowd);
  free(bytes.bytes);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- A mesh that has changed --------------------------------------------------------------------------- */

/* Agents on a tile that is missing or has other polygons are put down on the nearest ground, and all go on to their targets. */
static void agents_on_changed_tiles_find_other_ground(void) {
  WmContext *context = wm_context_create(NULL);
  TracedCrowd traced;
  open_traced(&traced, context, make_field(context, 3), NULL, 9);
  traced_add(&traced, 40, 0);
  for (size_t i = 0; i < traced.count; i++)
    send_to(traced.crowd, traced.agents[i], 1 + 0.9f * (float)(i % 8), 1 + 0.9f * (float)(i / 8));
  for (int i = 0; i < 20; i++) CHECK_EQUAL_INT(wm_crowd_step(traced.crowd, 0.03f, NULL), WM_OK);
  const SavedCrowd bytes = save_crowd(traced.crowd, context);
  wm_crowd_destroy(traced.crowd);
  const GridTile other = {.x = 1, .z = 0, .seed = 7, .hole = 3, .flat = true, .tree = true};
  const WmTileData data = make_grid_tile(context, &other);
  CHECK_EQUAL_INT(wm_mesh_replace_tile(traced.mesh, data.bytes, data.byte_count, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(traced.mesh, wm_mesh_find_tile(traced.mesh, 1, 2, 0)->ref), WM_OK);
  const WmMesh *meshes[1] = {traced.mesh};
  traced.crowd = load_crowd(context, bytes, meshes, 1);
  CHECK(wm_crowd_validate(traced.crowd));
  for (int i = 0; i < 900; i++) CHECK_EQUAL_INT(wm_crowd_step(traced.crowd, 0.03f, NULL), WM_OK);
  WmCrowdView view;
  wm_crowd_view(traced.crowd, &view);
  size_t off_mesh = 0;
  for (size_t i = 0; i < view.count; i++) {
    off_mesh += view.states[i] == WM_AGENT_OFF_MESH; /* in the middle of the tile that is gone */
    CHECK(view.states[i] == WM_AGENT_ARRIVED || view.states[i] == WM_AGENT_CROWDED ||
          view.states[i] == WM_AGENT_OFF_MESH);
  }
  CHECK(off_mesh < 5);
  free(bytes.bytes);
  wm_tile_data_free(context, (WmTileData *)&data);
  close_traced(&traced);
  wm_context_destroy(context);
}

/* A door that was closed between saving and loading: agents look for other paths at once. */
static void a_changed_flag_is_noticed(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_doorway(context);
  const WmMesh *meshes[1] = {mesh};
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgent agent = add_agent(crowd, 5, 15, NULL);
  send_to(crowd, agent, 45, 15);
  run_crowd(crowd, 10, 0.03f);
  CHECK_EQUAL_INT(info_of(crowd, agent).reason, WM_AGENT_REASON_NONE);
  const SavedCrowd bytes = save_crowd(crowd, context);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, wm_mesh_tile(mesh, 0)->ref + 1, 0), WM_OK);
  WmCrowd *loaded = load_crowd(context, bytes, meshes, 1);
  run_crowd(loaded, 5, 0.03f);
  CHECK_EQUAL_INT(info_of(loaded, agent).reason, WM_AGENT_REASON_TARGET_NOT_CONNECTED);
  wm_crowd_destroy(loaded);
  wm_crowd_destroy(crowd);
  free(bytes.bytes);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- An old file --------------------------------------------------------------------------------------- */

static SavedCrowd read_golden(const char *path) {
  FILE *input = fopen(path, "rb");
  SavedCrowd file = {malloc(1 << 17), 0};
  file.byte_count = input ? fread(file.bytes, 1, 1 << 17, input) : 0;
  if (input) fclose(input);
  CHECK(file.byte_count > 100);
  return file;
}

/* The two lanes in December 2026: agents before passages, in them and on detours, obstacles, filters.
 * Later versions must read the same crowd, which goes on the same. */
static void a_crowd_saved_long_ago_is_read_the_same(void) {
  WmContext *context = wm_context_create(NULL);
  const SavedCrowd level = read_golden("tests/golden/crowd/mesh-2026-12.walkmesh");
  const SavedCrowd old = read_golden("tests/golden/crowd/saved-2026-12.bin");
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_read(context, level.bytes, level.byte_count, &mesh), WM_OK);
  const WmMesh *meshes[1] = {mesh};
  WmCrowd *crowd = load_crowd(context, old, meshes, 1);
  const SavedCrowd again = save_crowd(crowd, context);
  CHECK(are_equal_bytes(old, again));
  static const uint64_t EXPECTED[3] = {UINT64_C(6646695513127771100), UINT64_C(12593985351769105584),
                                       UINT64_C(2328816491616546953)};
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL_INT(wm_crowd_hash(crowd), EXPECTED[i]);
    for (int k = 0; k < 100; k++) CHECK_EQUAL_INT(wm_crowd_step(crowd, 1.0f / 60, NULL), WM_OK);
  }
  free(level.bytes);
  free(old.bytes);
  free(again.bytes);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Tables ------------------------------------------------------------------------------------------- */

/* True if the members of a struct from `from` to `to` are those of its table, in order: between two of them are at most 7
 * bytes, as alignment leaves them. `skipped` bytes at the beginning are saved elsewhere. */
static bool has_all_members(WmSavedTable table, size_t skipped, size_t most_gaps) {
  const WmSavedFields *fields = &WM_SAVED_TABLES[table];
  size_t end = skipped, gaps = 0;
  for (size_t i = 0; i < fields->count; i++) {
    const WmSavedField *field = &fields->fields[i];
    if (field->offset < end) return false;
    const size_t align = field->byte_count % 8 == 0 && field->offset % 8 == 0 ? 8 : 4;
    gaps += field->offset != end && field->offset - end >= align;
    end = field->offset + field->byte_count;
  }
  return gaps <= most_gaps && fields->record_bytes - end < 8;
}

/* The bytes of a struct that its table leaves out: those of padding and of members that are saved elsewhere. */
static size_t count_left_out(WmSavedTable table, size_t skipped) {
  const WmSavedFields *fields = &WM_SAVED_TABLES[table];
  size_t bytes = fields->record_bytes - skipped;
  for (size_t i = 0; i < fields->count; i++) bytes -= fields->fields[i].byte_count;
  return bytes;
}

/* A switch that isn't saved leaves a gap no larger than padding. */
static void tables_leave_out_nothing_but_padding(void) {
  CHECK_EQUAL_INT(count_left_out(WM_TABLE_OPTIONS, 0), 0);
  CHECK_EQUAL_INT(count_left_out(WM_TABLE_PARAMETERS, 0), 0);
  /* Five numbers of its corridor; of the rest it is padding. */
  CHECK_EQUAL_INT(count_left_out(WM_TABLE_RECORD, sizeof(WmAgentParameters)), 5 * sizeof(uint32_t) + 18);
  CHECK_EQUAL_INT(count_left_out(WM_TABLE_REQUEST, 0), 4);
  CHECK_EQUAL_INT(count_left_out(WM_TABLE_SEARCH, 0), 14);
}

static void tables_have_all_members_of_their_structs(void) {
  CHECK(has_all_members(WM_TABLE_OPTIONS, 0, 0));
  CHECK(has_all_members(WM_TABLE_PARAMETERS, 0, 0));
  /* The blocks of its corridor are saved apart: two gaps around `changes`. */
  CHECK(has_all_members(WM_TABLE_RECORD, sizeof(WmAgentParameters), 1));
  CHECK(has_all_members(WM_TABLE_REQUEST, 0, 0));
  CHECK(has_all_members(WM_TABLE_SEARCH, 0, 0));
}

int main(void) {
  RUN(crowds_of_all_scenes_go_on_as_they_were);
  RUN(crowds_of_random_scenes_go_on_as_they_were);
  RUN(crowds_go_on_the_same_on_a_mesh_from_a_file);
  RUN(agents_on_links_and_before_them_go_on);
  RUN(filters_meshes_obstacles_and_focus_go_on);
  RUN(handles_are_those_of_the_saved_crowd);
  RUN(a_crowd_can_be_saved_right_after_removals);
  RUN(an_empty_crowd_can_be_saved);
  RUN(agents_on_changed_tiles_find_other_ground);
  RUN(a_changed_flag_is_noticed);
  RUN(tables_have_all_members_of_their_structs);
  RUN(tables_leave_out_nothing_but_padding);
  RUN(a_crowd_saved_long_ago_is_read_the_same);
  return check_finish();
}
