/* Objects that live from call to call, on a mesh that changes in between: corridors of agents, searches in
 * slices, flow fields, switches. The input is a mesh (hostile.h), then a program of calls with any arguments,
 * with changes of flags, connections and tiles among them. Polygons in results exist, or the status reports
 * that they were removed; switches leave all flags as they were. */
#include <math.h>

#include "hostile.h"
#include "query/corridor/corridor.h"
#include "query/search/flow_field.h"
#include "query/switches/switches.h"

enum { MOST_STEPS = 48, SWITCHES = 4, OUTLINE = 4 };

typedef struct Walk {
  Hostile hostile;
  WmQuery *query;
  WmPathCorridor *corridor;
  WmSearch *search;
  WmFlowField *flow;
  WmSwitches *switches;
  WmSwitch numbers[SWITCHES];
  size_t switch_count;
  WmFilter room;
} Walk;

static uint8_t draw(Walk *walk) { return fuzz_byte(&walk->hostile.input); }

static const WmFilter *draw_filter(Walk *walk) { return fuzz_filter(&walk->hostile, &walk->room); }

static void require_corridor(const Walk *walk, WmStatus status, const WmCorridor *corridor) {
  fuzz_require_status(&walk->hostile, status);
  FUZZ_REQUIRE(!status || corridor->polygon_count == 0);
  for (size_t i = 0; i < corridor->polygon_count; i++) {
    fuzz_require_live(&walk->hostile, corridor->polygons[i]);
  }
}

/* ---- The corridor of an agent ------------------------------------------------------------------------- */

static void require_state(Walk *walk, WmStatus status) {
  fuzz_require_status(&walk->hostile, status);
  WmCorridorState state;
  wm_corridor_state(walk->corridor, &state);
  FUZZ_REQUIRE(fuzz_are_finite(state.position, 3) && fuzz_are_finite(state.target, 3));
  FUZZ_REQUIRE(state.polygon_count < 100000);
}

static void reset_corridor(Walk *walk) {
  float at[3];
  const WmRef ref = fuzz_ref(&walk->hostile, at);
  require_state(walk, wm_corridor_reset(walk->corridor, ref, at));
}

/* A corridor found from its position, or arbitrary polygons. */
static void set_corridor(Walk *walk) {
  Hostile *hostile = &walk->hostile;
  float to[3], at[3];
  WmRef polygons[3];
  const WmRef end = fuzz_ref(hostile, to);
  WmCorridorState state;
  wm_corridor_state(walk->corridor, &state);
  WmCorridor found = {0};
  if (state.polygon_count && draw(walk) < 200) {
    const WmStatus status =
        wm_query_find_corridor(walk->query, state.polygons[0], state.position, end, to, NULL, &found);
    require_corridor(walk, status, &found);
  }
  for (int i = 0; i < 3; i++)
    polygons[i] = i == 0 && state.polygon_count ? state.polygons[0] : fuzz_ref(hostile, at);
  require_state(walk, wm_corridor_set(walk->corridor, to, found.polygon_count ? found.polygons : polygons,
                                      found.polygon_count ? found.polygon_count : draw(walk) % 4));
}

static void move_corridor(Walk *walk) {
  float at[3];
  fuzz_place(&walk->hostile, at);
  const WmFilter *filter = draw_filter(walk);
  if (draw(walk) & 1)
    require_state(walk, wm_corridor_move(walk->corridor, at, filter));
  else
    require_state(walk, wm_corridor_move_target(walk->corridor, at, filter));
}

static void mend_corridor(Walk *walk) {
  Hostile *hostile = &walk->hostile;
  float at[3], ends[2][3];
  const WmRef ref = fuzz_ref(hostile, at);
  const uint8_t what = draw(walk);
  if (what % 3 == 0) {
    require_state(walk, wm_corridor_fix_start(walk->corridor, ref, at));
  } else if (what % 3 == 1) {
    require_state(walk, wm_corridor_trim(walk->corridor, ref, at, draw_filter(walk)));
  } else {
    bool moved = true;
    WmCorridorState state;
    wm_corridor_state(walk->corridor, &state);
    const WmRef chosen = state.polygon_count && what & 64 ? state.polygons[what % state.polygon_count] : ref;
    const WmStatus status =
        wm_corridor_move_over_connection(walk->corridor, chosen, ends[0], ends[1], &moved);
    require_state(walk, status);
    FUZZ_REQUIRE(!status || !moved);
    FUZZ_REQUIRE(fuzz_are_finite(ends[0], 6));
  }
}

static void use_corridor(Walk *walk) {
  float at[3];
  WmPath path;
  bool changed;
  fuzz_place(&walk->hostile, at);
  memset(&path, 0x55, sizeof path);
  WmStatus status = wm_corridor_find_corners(walk->corridor, draw(walk) % 6, &path);
  require_state(walk, status);
  FUZZ_REQUIRE(!status || path.point_count == 0);
  FUZZ_REQUIRE(fuzz_are_finite(path.points, 3 * path.point_count));
  const float range = fuzz_length(&walk->hostile);
  status = wm_corridor_optimize_visibility(walk->corridor, at, range, draw_filter(walk), &changed);
  require_state(walk, status);
  status = wm_corridor_optimize_topology(walk->corridor, draw(walk) % 40, draw_filter(walk), &changed);
  require_state(walk, status);
  (void)wm_corridor_is_valid(walk->corridor, draw(walk) % 5, draw_filter(walk));
}

/* ---- Searches and fields ------------------------------------------------------------------------------ */

static void begin_search(Walk *walk) {
  Hostile *hostile = &walk->hostile;
  float from[3], to[3];
  const WmRef start = fuzz_ref(hostile, from), end = fuzz_ref(hostile, to);
  WmSearchOptions options = wm_search_options_default();
  options.filter = draw_filter(walk);
  const uint8_t kind = draw(walk);
  options.any_angle = kind & 1;
  options.shortest = kind & 2;
  options.wall_distance = kind & 4 ? 0.7f : 0;
  options.wall_cost = (kind & 15) == 12 ? 2 : 0;
  if (draw(walk) & 1) options.max_nodes = draw(walk);
  fuzz_require_status(hostile, wm_search_begin(walk->search, start, from, end, to, &options));
}

static void go_on_searching(Walk *walk) {
  Hostile *hostile = &walk->hostile;
  bool done = false;
  size_t used = 0;
  float at[3];
  const size_t budget = draw(walk) % 12;
  WmStatus status = wm_search_advance(walk->search, budget, &done, &used);
  fuzz_require_status(hostile, status);
  FUZZ_REQUIRE(status || used <= budget);
  WmCorridor corridor;
  memset(&corridor, 0x55, sizeof corridor);
  if (draw(walk) & 1) {
    status = wm_search_finish(walk->search, &corridor);
  } else {
    const WmRef along[2] = {fuzz_ref(hostile, at), fuzz_ref(hostile, at)};
    status = wm_search_finish_along(walk->search, along, draw(walk) % 3, &corridor);
  }
  require_corridor(walk, status, &corridor);
}

static void begin_flow(Walk *walk) {
  float at[3];
  const WmRef goal = fuzz_ref(&walk->hostile, at);
  const WmStatus status = wm_flow_field_begin(walk->flow, goal, at, draw_filter(walk));
  fuzz_require_status(&walk->hostile, status);
  FUZZ_REQUIRE(wm_flow_field_is_current(walk->flow) == !status);
}

static void go_on_flowing(Walk *walk) {
  Hostile *hostile = &walk->hostile;
  float at[3];
  const WmRef start = fuzz_ref(hostile, at);
  bool done = false;
  size_t used = 0;
  const size_t budget = draw(walk) % 20;
  WmStatus status = wm_flow_field_advance(walk->flow, start, at, budget, &done, &used);
  fuzz_require_status(hostile, status);
  FUZZ_REQUIRE(status || used <= budget);
  const bool covers = wm_flow_field_covers(walk->flow, start, at);
  FUZZ_REQUIRE(status || covers == done);
  WmCorridor corridor;
  memset(&corridor, 0x55, sizeof corridor);
  status = wm_flow_field_find(walk->flow, start, at, &corridor);
  require_corridor(walk, status, &corridor);
  FUZZ_REQUIRE(!covers == !!status);
}

/* ---- Switches ----------------------------------------------------------------------------------------- */

static WmSwitchVolume invent_volume(Walk *walk, float outline[OUTLINE][3]) {
  Hostile *hostile = &walk->hostile;
  static const float AROUND[OUTLINE][2] = {{0, 0}, {3, 0}, {3, 4}, {0, 4}};
  const uint8_t what = draw(walk);
  WmSwitchVolume volume = {.kind = what % 4,
                           .area = what & 16 ? draw(walk) % 66 - 1 : -1,
                           .by_middle = what & 32,
                           .yaw = (float)draw(walk) * 0.1f,
                           .radius = fuzz_length(hostile),
                           .height = fuzz_length(hostile),
                           .vertices = outline[0],
                           .vertex_count = OUTLINE};
  fuzz_place(hostile, volume.centre);
  fuzz_place(hostile, volume.minimum);
  for (int axis = 0; axis < 3; axis++) {
    volume.half_extents[axis] = fuzz_length(hostile);
    volume.maximum[axis] = volume.minimum[axis] + fuzz_length(hostile);
  }
  for (int i = 0; i < OUTLINE; i++) {
    if (what > 240) {
      fuzz_place(hostile, outline[i]);
      continue;
    }
    outline[i][0] = volume.centre[0] + AROUND[i][0];
    outline[i][1] = 0;
    outline[i][2] = volume.centre[2] + AROUND[i][1];
  }
  return volume;
}

static void change_switch(Walk *walk) {
  Hostile *hostile = &walk->hostile;
  float outline[OUTLINE][3];
  const uint8_t what = draw(walk);
  const size_t count = walk->switch_count, one = count ? what / 4 % count : 0;
  if (what % 4 == 0 && count < SWITCHES) {
    const WmSwitchVolume volume = invent_volume(walk, outline);
    WmSwitch added = 0;
    const WmStatus status =
        wm_switch_add(walk->switches, &volume, draw(walk) & 15, draw(walk) & 15, draw(walk) & 1, &added);
    fuzz_require_status(hostile, status);
    if (!status) walk->numbers[walk->switch_count++] = added;
  } else if (what % 4 == 1 && count) {
    FUZZ_REQUIRE(!wm_switch_remove(walk->switches, walk->numbers[one]));
    FUZZ_REQUIRE(wm_switch_remove(walk->switches, walk->numbers[one]) == WM_ERROR_STALE_REFERENCE);
    walk->numbers[one] = walk->numbers[--walk->switch_count];
  } else if (count) {
    const bool is_on = what & 4;
    const WmRef *polygons;
    size_t polygon_count;
    FUZZ_REQUIRE(!wm_switch_set(walk->switches, walk->numbers[one], is_on));
    FUZZ_REQUIRE(wm_switch_is_on(walk->switches, walk->numbers[one]) == is_on);
    FUZZ_REQUIRE(!wm_switch_polygons(walk->switches, walk->numbers[one], &polygons, &polygon_count));
  }
  fuzz_require_status(hostile, wm_switch_set(walk->switches, (WmSwitch)what << (what % 50), true));
  FUZZ_REQUIRE(wm_switch_count(walk->switches) == walk->switch_count);
}

static void set_under(Walk *walk) {
  float outline[OUTLINE][3];
  const WmSwitchVolume volume = invent_volume(walk, outline);
  size_t count = 0;
  fuzz_require_status(&walk->hostile, wm_set_flags_under(walk->query, walk->hostile.mesh, &volume,
                                                         draw(walk) & 8, draw(walk) & 8, &count));
}

/* ---- The mesh ----------------------------------------------------------------------------------------- */

static void change_mesh(Walk *walk) {
  Hostile *hostile = &walk->hostile;
  float at[3];
  size_t changed, place = 0;
  const WmRef ref = fuzz_ref(hostile, at);
  const uint8_t what = draw(walk), slot = draw(walk);
  if (what % 8 < 4) {
    const WmMeshTile *tile = wm_mesh_tile(hostile->mesh, slot % (wm_mesh_slot_count(hostile->mesh) + 1));
    const WmStatus status = tile && what & 64 ? wm_mesh_remove_tile(hostile->mesh, tile->ref) : WM_OK;
    FUZZ_REQUIRE(!status || tile->ground_count == 0); /* that of the connections made here */
  } else if (what % 8 < 6) {
    WmConnection connection = wm_connection_default(hostile->mesh);
    WmRef added;
    fuzz_place(hostile, connection.start);
    fuzz_place(hostile, connection.end);
    fuzz_require_status(hostile, wm_mesh_add_connection(hostile->mesh, &connection, &added));
  } else if (what % 8 == 6) {
    fuzz_require_status(hostile, wm_mesh_remove_connection(hostile->mesh, ref));
  } else {
    fuzz_require_status(hostile, wm_mesh_set_polygon_area(hostile->mesh, ref, what));
  }
  FUZZ_REQUIRE(!wm_switches_update(walk->switches, &changed));
  WmSwitchedFlags flags;
  while (wm_switches_next_flags(walk->switches, &place, &flags)) FUZZ_REQUIRE(flags.owned != 0);
  if (what & 128) set_under(walk);
}

static void (*const STEPS[])(Walk *) = {reset_corridor, set_corridor,    move_corridor,   mend_corridor,
                                        use_corridor,   begin_search,    go_on_searching, begin_flow,
                                        go_on_flowing,  go_on_searching, go_on_flowing,   change_switch,
                                        change_mesh};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

int fuzz_walks(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  Walk walk;
  memset(&walk, 0, sizeof walk);
  fuzz_hostile_begin(&walk.hostile, &memory, bytes, byte_count);
  WmMesh *mesh = walk.hostile.mesh;
  FUZZ_REQUIRE(!wm_query_create(memory.context, mesh, &walk.query));
  FUZZ_REQUIRE(!wm_corridor_create(memory.context, walk.query, &walk.corridor));
  FUZZ_REQUIRE(!wm_search_create(memory.context, mesh, &walk.search));
  FUZZ_REQUIRE(!wm_flow_field_create(memory.context, mesh, &walk.flow));
  FUZZ_REQUIRE(!wm_switches_create(memory.context, mesh, &walk.switches));
  for (int i = 0; i < MOST_STEPS && walk.hostile.input.left > 0; i++) STEPS[draw(&walk) % STEP_COUNT](&walk);
  wm_switches_destroy(walk.switches);
  wm_flow_field_destroy(walk.flow);
  wm_search_destroy(walk.search);
  wm_corridor_destroy(walk.corridor);
  wm_query_destroy(walk.query);
  fuzz_hostile_end(&walk.hostile);
  fuzz_end(&memory);
  return 0;
}
