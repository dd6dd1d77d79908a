/* Doors and switches against a simple model: after any additions, turns and removals of switches and tiles,
 * every polygon's flags are its own flags, changed by the switches over it. */
#include "query/switches/switches.h"

#include <math.h>

#include "grid_tiles.h"
#include "query/switches/switch_cover.h"
#include "random_field.h"

enum { SIDE = 3, SWITCHES = 12, MOST_POLYGONS = 4096 };

/* A polygon's original flags, and the flags that the user has set since. */
typedef struct Known {
  WmRef polygon;
  uint16_t flags; /* as if there were no switches */
} Known;

typedef struct Live {
  WmSwitch handle;
  WmSwitchVolume volume;
  float outline[4][3];
  uint16_t set, clear;
  bool is_on;
} Live;

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmSwitches *switches;
  Known known[MOST_POLYGONS];
  size_t known_count;
  Live live[SWITCHES];
  int live_count;
} World;

static float between(Random *random, float low, float high) {
  return low + (high - low) * (float)random_below(random, 1001) / 1000;
}

static void open_world(World *world, WmContext *context, uint32_t seed) {
  memset(world, 0, sizeof *world);
  world->context = context;
  world->mesh = make_grid_world(context, SIDE, seed);
  CHECK_EQUAL_INT(wm_query_create(context, world->mesh, &world->query), WM_OK);
  CHECK_EQUAL_INT(wm_switches_create(context, world->mesh, &world->switches), WM_OK);
}

static void close_world(World *world) {
  wm_switches_destroy(world->switches);
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
}

static Known *find_known(World *world, WmRef polygon) {
  for (size_t i = 0; i < world->known_count; i++) {
    if (world->known[i].polygon == polygon) return &world->known[i];
  }
  return NULL;
}

/* Adds new polygons to the model, before a switch changes them. */
static void learn(World *world) {
  for (size_t slot = 0; slot < wm_mesh_slot_count(world->mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(world->mesh, slot);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      if (find_known(world, tile->ref + p)) continue;
      CHECK(world->known_count < MOST_POLYGONS);
      world->known[world->known_count++] = (Known){tile->ref + p, tile->polygon_flags[p]};
    }
  }
}

static WmSwitchVolume random_volume(Random *random, float outline[4][3]) {
  const float side = SIDE * GRID_TILE_SIZE, x = between(random, -2, side), z = between(random, -2, side);
  const float size = between(random, 0.2f, random_below(random, 6) ? 3 : 20);
  for (int i = 0; i < 4; i++) {
    outline[i][0] = x + (i == 1 || i == 2 ? size : 0);
    outline[i][1] = 0;
    outline[i][2] = z + (i >= 2 ? size : 0);
  }
  return (WmSwitchVolume){.kind = random_below(random, 4),
                          .area = random_below(random, 4) ? -1 : 0,
                          .minimum = {x, -1, z},
                          .maximum = {x + size, 3, z + between(random, 0, 3)},
                          .centre = {x, 0, z},
                          .half_extents = {size, 2, between(random, 0.1f, 2)},
                          .yaw = between(random, -4, 4),
                          .radius = size,
                          .height = 2,
                          .vertices = outline[0],
                          .vertex_count = 4,
                          .by_middle = random_below(random, 3) == 0};
}

static bool lies_under(const Live *live, WmSwitches *switches, WmRef polygon) {
  const WmRef *polygons;
  size_t count;
  CHECK_EQUAL_INT(wm_switch_polygons(switches, live->handle, &polygons, &count), WM_OK);
  for (size_t i = 0; i < count; i++) {
    if (polygons[i] == polygon) return true;
  }
  return false;
}

/* For files: wm_switches_next_flags reports the flags that all polygons have without switches. */
static void check_flags_without(World *world) {
  size_t place = 0, named = 0, expected = 0, wrong = 0;
  WmSwitchedFlags flags;
  while (world->switches && wm_switches_next_flags(world->switches, &place, &flags)) {
    const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, flags.x, flags.z, flags.layer);
    CHECK(tile && flags.polygon < tile->polygon_count && flags.owned != 0 && !(flags.before & ~flags.owned));
    if (!tile) continue;
    const Known *known = find_known(world, tile->ref + flags.polygon);
    const uint16_t is = tile->polygon_flags[flags.polygon];
    wrong += !known || known->flags != ((is & ~flags.owned) | flags.before);
    named += known && known->flags != is;
  }
  for (size_t i = 0; i < world->known_count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, world->known[i].polygon);
    if (!tile) continue;
    expected += tile->polygon_flags[wm_ref_polygon(world->known[i].polygon)] != world->known[i].flags;
  }
  CHECK_EQUAL_INT(wrong, 0);
  CHECK_EQUAL_INT(named, expected);
}

/* The flags of all polygons equal the model's. Returns the number of polygons that a switch has changed. */
static size_t check_flags(World *world) {
  size_t changed = 0, wrong = 0;
  for (size_t i = 0; i < world->known_count; i++) {
    const WmRef polygon = world->known[i].polygon;
    const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, polygon);
    if (!tile) continue;
    uint16_t set = 0, clear = 0;
    for (int k = 0; k < world->live_count; k++) {
      const Live *live = &world->live[k];
      if (!live->is_on || !lies_under(live, world->switches, polygon)) continue;
      set |= live->set;
      clear |= live->clear;
    }
    const uint16_t expected = (uint16_t)((world->known[i].flags | set) & ~clear);
    wrong += tile->polygon_flags[wm_ref_polygon(polygon)] != expected;
    changed += expected != world->known[i].flags;
  }
  CHECK_EQUAL_INT(wrong, 0);
  check_flags_without(world);
  return changed;
}

/* Switches cover the polygons that a new set of switches finds. */
static void check_cover(World *world) {
  WmSwitches *fresh;
  CHECK_EQUAL_INT(wm_switches_create(world->context, world->mesh, &fresh), WM_OK);
  for (int k = 0; k < world->live_count; k++) {
    WmSwitch handle;
    const WmRef *a, *b;
    size_t a_count, b_count;
    CHECK_EQUAL_INT(wm_switch_add(fresh, &world->live[k].volume, 0, 0, false, &handle), WM_OK);
    CHECK_EQUAL_INT(wm_switch_polygons(fresh, handle, &a, &a_count), WM_OK);
    CHECK_EQUAL_INT(wm_switch_polygons(world->switches, world->live[k].handle, &b, &b_count), WM_OK);
    CHECK_EQUAL_INT(a_count, b_count);
    CHECK(a_count != b_count || a_count == 0 || memcmp(a, b, a_count * sizeof *a) == 0);
  }
  wm_switches_destroy(fresh);
}

static void add_switch(World *world, Random *random) {
  Live *live = &world->live[world->live_count++];
  live->volume = random_volume(random, live->outline);
  live->set = (uint16_t)(random_below(random, 2) ? 1u << random_below(random, 16) : random_bits(random));
  live->clear = (uint16_t)(random_below(random, 2) ? 0xffff : 1 << random_below(random, 16));
  live->is_on = random_below(random, 2);
  const WmStatus status =
      wm_switch_add(world->switches, &live->volume, live->set, live->clear, live->is_on, &live->handle);
  CHECK_EQUAL_INT(status, WM_OK);
}

static void remove_switch(World *world, int k) {
  const WmSwitch handle = world->live[k].handle;
  CHECK_EQUAL_INT(wm_switch_remove(world->switches, handle), WM_OK);
  CHECK_EQUAL_INT(wm_switch_remove(world->switches, handle), WM_ERROR_STALE_REFERENCE);
  CHECK(!wm_switch_is_on(world->switches, handle));
  world->live[k] = world->live[--world->live_count];
  world->live[k].volume.vertices = world->live[k].outline[0];
}

/* A tile is removed, added, or replaced; switches follow with the update. */
static void change_tile(World *world, Random *random) {
  const int32_t x = random_below(random, SIDE), z = random_below(random, SIDE);
  const WmMeshTile *tile = wm_mesh_find_tile(world->mesh, x, z, 0);
  if (tile) CHECK_EQUAL_INT(wm_mesh_remove_tile(world->mesh, tile->ref), WM_OK);
  const GridTile next = {
      .x = x, .z = z, .seed = random_bits(random), .hole = UINT32_MAX, .tree = random_below(random, 2)};
  if (random_below(random, 3)) add_grid_tile(world->mesh, &next);
  learn(world);
  size_t changed;
  CHECK_EQUAL_INT(wm_switches_update(world->switches, &changed), WM_OK);
  CHECK_EQUAL_INT(wm_switches_update(world->switches, &changed), WM_OK);
  CHECK_EQUAL_INT(changed, 0);
}

/* Flags that no switch over a polygon names belong to the user. */
static void set_flags(World *world, Random *random) {
  Known *known = &world->known[random_below(random, (int32_t)world->known_count)];
  const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, known->polygon);
  if (!tile) return;
  uint16_t named = 0;
  for (int k = 0; k < world->live_count; k++) {
    if (!world->live[k].is_on || !lies_under(&world->live[k], world->switches, known->polygon)) continue;
    named |= world->live[k].set | world->live[k].clear;
  }
  const uint16_t flags = (uint16_t)random_bits(random),
                 is = tile->polygon_flags[wm_ref_polygon(known->polygon)];
  known->flags = (uint16_t)((known->flags & named) | (flags & ~named));
  const uint16_t given = (uint16_t)((is & named) | (flags & ~named));
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world->mesh, known->polygon, given), WM_OK);
}

static void any_sequence_equals_the_model(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {4};
  World *world = malloc(sizeof *world);
  size_t changed = 0;
  for (uint32_t round = 0; round < (uint32_t)CHECK_ROUNDS(60); round++) {
    open_world(world, context, round);
    learn(world);
    for (int action = 0; action < 60; action++) {
      const int what = random_below(&random, 10),
                k = world->live_count ? random_below(&random, world->live_count) : 0;
      if (what < 3 && world->live_count < SWITCHES)
        add_switch(world, &random);
      else if (what < 6 && world->live_count) {
        Live *live = &world->live[k];
        live->is_on = random_below(&random, 2);
        CHECK_EQUAL_INT(wm_switch_set(world->switches, live->handle, live->is_on), WM_OK);
        CHECK(wm_switch_is_on(world->switches, live->handle) == live->is_on);
      } else if (what < 7 && world->live_count) {
        remove_switch(world, k);
      } else if (what < 8) {
        change_tile(world, &random);
      } else {
        set_flags(world, &random);
      }
      changed += check_flags(world);
    }
    CHECK_EQUAL_INT(wm_switch_count(world->switches), world->live_count);
    check_cover(world);
    wm_switches_destroy(world->switches); /* all off: flags are the user's again */
    world->switches = NULL;
    world->live_count = 0;
    check_flags(world);
    close_world(world);
  }
  CHECK(changed > (size_t)CHECK_ROUNDS(20000));
  free(world);
  wm_context_destroy(context);
}

static void check_refused(WmSwitches *switches, WmSwitchVolume volume) {
  WmSwitch added = 1;
  CHECK_EQUAL_INT(wm_switch_add(switches, &volume, 1, 0, true, &added), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(added, 0);
}

/* Numbers of other kinds are not read: here they are NaN, as is the padding. */
static void a_volume_needs_only_the_numbers_of_its_kind(void) {
  static const float CORNERS[3][3] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 0}};
  WmContext *context = wm_context_create(NULL);
  World *world = malloc(sizeof *world);
  open_world(world, context, 1);
  for (int32_t kind = WM_SWITCH_BOX; kind <= WM_SWITCH_PRISM; kind++) {
    WmSwitchVolume volume;
    memset(&volume, 0xff, sizeof volume);
    volume.kind = kind;
    volume.area = 63;
    volume.by_middle = false;
    for (int axis = 0; axis < 3; axis++) {
      if (kind == WM_SWITCH_BOX || (kind == WM_SWITCH_PRISM && axis == 1)) {
        volume.minimum[axis] = 0;
        volume.maximum[axis] = 1;
      }
      if (kind == WM_SWITCH_ROTATED_BOX || kind == WM_SWITCH_CYLINDER) volume.centre[axis] = 1;
      if (kind == WM_SWITCH_ROTATED_BOX) volume.half_extents[axis] = 1;
    }
    if (kind == WM_SWITCH_ROTATED_BOX) volume.yaw = 1;
    if (kind == WM_SWITCH_CYLINDER) volume.radius = volume.height = 0; /* the least that is allowed */
    if (kind == WM_SWITCH_PRISM) {
      volume.vertices = CORNERS[0];
      volume.vertex_count = 3;
    }
    WmSwitch added = 0;
    CHECK_EQUAL_INT(wm_switch_add(world->switches, &volume, 1, 0, true, &added), WM_OK);
    CHECK(added != 0);
  }
  CHECK_EQUAL_INT(wm_switch_count(world->switches), 4);
  close_world(world);
  free(world);
  wm_context_destroy(context);
}

static void bad_volumes_are_refused(void) {
  WmContext *context = wm_context_create(NULL);
  World *world = malloc(sizeof *world);
  open_world(world, context, 1);
  const WmSwitchVolume box = {.area = -1, .maximum = {1, 1, 1}};
  const float dented[5][3] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {3, 0, 1}, {0, 0, 4}};
  struct {
    WmSwitchVolume volume;
    const char *field;
  } cases[] = {
      {{.area = 64}, "area"},
      {{.area = -2}, "area"},
      {{.kind = 4, .area = -1}, "kind"},
      {{.area = -1, .minimum = {2, 0, 0}, .maximum = {1, 1, 1}}, "max"},
      {{.area = -1, .minimum = {0, NAN, 0}}, "min"},
      {{.area = -1, .maximum = {INFINITY, 0, 0}}, "max"},
      {{.kind = 1, .area = -1, .half_extents = {1, -1, 1}}, "halfExtents"},
      {{.kind = 1, .area = -1, .half_extents = {0, 1, 1}}, "halfExtents"},
      {{.kind = 1, .area = -1, .half_extents = {1, 1, 1}, .yaw = NAN}, "yaw"},
      {{.kind = 1, .area = -1, .half_extents = {1, 1, 1}, .centre = {NAN, 0, 0}}, "centre"},
      {{.kind = 2, .area = -1, .radius = -1}, "radius"},
      {{.kind = 2, .area = -1, .height = NAN}, "height"},
      {{.kind = 2, .area = -1, .centre = {0, 0, INFINITY}}, "base"},
      {{.kind = 3, .area = -1, .vertices = dented[0], .vertex_count = 5}, "vertices"},
      {{.kind = 3, .area = -1, .vertices = dented[0], .vertex_count = 2}, "vertices"},
      {{.kind = 3, .area = -1, .minimum = {0, 1, 0}, .vertices = dented[0], .vertex_count = 3}, "max"},
  };
  const uint64_t version = wm_mesh_version(world->mesh);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check_refused(world->switches, cases[i].volume);
    const char *named = wm_context_error(context)->field;
    if (strcmp(named, cases[i].field) != 0) printf("%s was named instead of %s\n", named, cases[i].field);
    CHECK(strcmp(named, cases[i].field) == 0);
  }
  CHECK(wm_mesh_version(world->mesh) == version && wm_switch_count(world->switches) == 0);
  WmSwitch added;
  CHECK_EQUAL_INT(wm_switch_add(world->switches, &box, 0, 0xffff, true, &added), WM_OK);
  CHECK_EQUAL_INT(wm_switch_set(world->switches, 0, true), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_switch_set(world->switches, added + 1, true), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_switch_remove(world->switches, added), WM_OK);
  CHECK_EQUAL_INT(wm_switch_set(world->switches, added, true), WM_ERROR_STALE_REFERENCE);
  const WmRef former = 0, *polygons = &former;
  size_t count = 1;
  CHECK_EQUAL_INT(wm_switch_polygons(world->switches, added, &polygons, &count), WM_ERROR_STALE_REFERENCE);
  CHECK(polygons == NULL && count == 0);
  close_world(world);
  free(world);
  wm_context_destroy(context);
}

static size_t count_covered(World *world, WmSwitchVolume volume) {
  volume.area = -1;
  volume.by_middle = true;
  WmSwitch number;
  const WmRef *polygons;
  size_t count;
  CHECK_EQUAL_INT(wm_switch_add(world->switches, &volume, 0, 1, false, &number), WM_OK);
  CHECK_EQUAL_INT(wm_switch_polygons(world->switches, number, &polygons, &count), WM_OK);
  CHECK_EQUAL_INT(wm_switch_remove(world->switches, number), WM_OK);
  return count;
}

/* Polygons are squares of 4, with middles at 2, 6, 10, ... */
static void volumes_cover_polygons_by_their_middle(void) {
  static const float RING[4][3] = {{1, 0, 1}, {1, 0, 7}, {7, 0, 7}, {7, 0, 1}};
  static const float REVERSED[4][3] = {{1, 0, 1}, {7, 0, 1}, {7, 0, 7}, {1, 0, 7}};
  static const float BESIDE[4][3] = {{2.1f, 0, 1}, {2.1f, 0, 7}, {7, 0, 7}, {7, 0, 1}};
  WmContext *context = wm_context_create(NULL);
  World *world = malloc(sizeof *world);
  open_world(world, context, 0);
  const WmSwitchVolume prism = {
      .kind = WM_SWITCH_PRISM, .minimum = {0, -1, 0}, .maximum = {0, 2, 0}, .vertex_count = 4};
  WmSwitchVolume volume = prism;
  volume.vertices = RING[0];
  CHECK_EQUAL_INT(count_covered(world, volume), 4);
  volume.vertices = REVERSED[0];
  CHECK_EQUAL_INT(count_covered(world, volume), 4);
  volume.vertices = BESIDE[0];
  CHECK_EQUAL_INT(count_covered(world, volume), 2);
  WmSwitchVolume box = {.kind = WM_SWITCH_BOX, .minimum = {2, -1, 2}, .maximum = {6, 2, 6}};
  CHECK_EQUAL_INT(count_covered(world, box), 4); /* on its sides */
  box.minimum[0] = 2.1f;
  CHECK_EQUAL_INT(count_covered(world, box), 2);
  box.maximum[2] = 5.9f;
  CHECK_EQUAL_INT(count_covered(world, box), 1);
  WmSwitchVolume turned = {
      .kind = WM_SWITCH_ROTATED_BOX, .centre = {4, 0, 4}, .half_extents = {3, 2, 1}, .yaw = 0.78539816f};
  CHECK_EQUAL_INT(count_covered(world, turned), 2); /* along a diagonal */
  turned.half_extents[0] = 2.5f;
  CHECK_EQUAL_INT(count_covered(world, turned), 0);
  WmSwitchVolume round = {.kind = WM_SWITCH_CYLINDER, .centre = {2, -1, 2}, .radius = 4, .height = 3};
  CHECK_EQUAL_INT(count_covered(world, round), 3); /* two of them on its rim */
  round.radius = 3.9f;
  CHECK_EQUAL_INT(count_covered(world, round), 1);
  close_world(world);
  free(world);
  wm_context_destroy(context);
}

/* Flags 0 pass no filter, but polygons with flags 0 are still found: a door that closes all flags can
 * open. */
static void doors_that_close_for_all_open_again(void) {
  WmContext *context = wm_context_create(NULL);
  World *world = malloc(sizeof *world);
  open_world(world, context, 0);
  const WmSwitchVolume box = {.area = -1, .minimum = {7, -1, 7}, .maximum = {9, 2, 9}};
  WmSwitch door;
  size_t changed;
  learn(world);
  CHECK_EQUAL_INT(wm_switch_add(world->switches, &box, 0, 0xffff, true, &door), WM_OK);
  const float centre[3] = {8.2f, 0, 8.2f};
  WmNearestOptions near = wm_nearest_options_default();
  near.radius = 0.6f;
  WmNearest nearest;
  CHECK_EQUAL_INT(wm_query_find_nearest_point(world->query, centre, &near, &nearest), WM_OK);
  CHECK_EQUAL_INT(nearest.polygon, 0);
  const GridTile again = {.x = 1, .z = 1, .seed = 5, .hole = UINT32_MAX, .tree = true};
  WmTileData data = make_grid_tile(context, &again);
  CHECK_EQUAL_INT(wm_mesh_replace_tile(world->mesh, data.bytes, data.byte_count, NULL), WM_OK);
  wm_tile_data_free(context, &data);
  CHECK_EQUAL_INT(wm_switches_update(world->switches, &changed), WM_OK);
  CHECK_EQUAL_INT(changed, 1);
  CHECK_EQUAL_INT(wm_query_find_nearest_point(world->query, centre, &near, &nearest), WM_OK);
  CHECK_EQUAL_INT(nearest.polygon, 0);
  CHECK_EQUAL_INT(wm_switch_set(world->switches, door, false), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_nearest_point(world->query, centre, &near, &nearest), WM_OK);
  CHECK(nearest.polygon != 0);
  size_t count;
  CHECK_EQUAL_INT(wm_set_flags_under(world->query, world->mesh, &box, 2, 1, &count), WM_OK);
  CHECK(count >= 4);
  CHECK_EQUAL_INT(wm_set_flags_under(world->query, world->mesh, &box, 2, 1, &count), WM_OK);
  CHECK_EQUAL_INT(count, 0);
  close_world(world);
  free(world);
  wm_context_destroy(context);
}

static void switches_survive_every_failed_allocation(void) {
  int failures = 0;
  for (int n = 0, is_done = 0; !is_done; n++) {
    FailingAllocator failing = {.left = INT32_MAX};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator);
    WmMesh *mesh = make_grid_world(context, SIDE, 3);
    failing.left = n;
    WmSwitches *switches = NULL;
    WmStatus status = wm_switches_create(context, mesh, &switches);
    const WmSwitchVolume volume = {.area = -1, .maximum = {20, 3, 20}};
    float outline[4][3] = {{1, 0, 1}, {9, 0, 1}, {9, 0, 9}, {1, 0, 9}};
    const WmSwitchVolume prism = {
        .kind = 3, .area = -1, .maximum = {0, 3, 0}, .vertices = outline[0], .vertex_count = 4};
    WmSwitch door, other;
    if (!status) status = wm_switch_add(switches, &volume, 2, 1, true, &door);
    if (!status) status = wm_switch_add(switches, &prism, 4, 0, false, &other);
    if (!status) status = wm_switch_set(switches, other, true);
    CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
    failures += status != WM_OK;
    is_done = status == WM_OK;
    wm_switches_destroy(switches);
    for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
      for (uint32_t p = 0; tile && p < tile->polygon_count; p++) CHECK_EQUAL_INT(tile->polygon_flags[p], 1);
    }
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  CHECK(failures > 5);
}

/* Tiles are searched 2 % of their size beyond a volume, on each axis by its own size. If tiles of a volume
 * are removed and added, its list is built again: their references are hashed. */
static void tiles_that_are_not_square_are_searched_by_width_and_depth(void) {
  enum { HOME, EAST, SOUTH, TILES };
  static const int32_t PLACES[TILES][2] = {{0, 0}, {1, 0}, {0, 1}}; /* they meet at x = 8 and z = 40 */
  static const struct {
    float low_x, low_z, high_x, high_z;
    bool sees[TILES];
  } CASES[] = {
      {2, 2, 7.8f, 39.1f, {true, false, false}}, {2, 2, 7.9f, 39.1f, {true, true, false}},
      {2, 2, 7.8f, 39.3f, {true, false, true}},  {2, 2, 7.9f, 39.3f, {true, true, true}},
      {8.2f, 2, 9, 3, {false, true, false}},     {8.1f, 2, 9, 3, {true, true, false}},
      {2, 40.9f, 3, 41, {false, false, true}},   {2, 40.7f, 3, 41, {true, false, true}},
  };
  WmContext *context = wm_context_create(NULL);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const WmMeshParameters parameters = {
        .tile_width = 8, .tile_depth = 40, .cell_size = 0.5f, .cell_height = 0.25f};
    WmMesh *mesh = NULL;
    CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
    for (int32_t x = 5; x < 7; x++) { /* far away: a single tile would count for all */
      const GridTile far = {.x = x, .z = 5, .hole = UINT32_MAX};
      add_grid_tile(mesh, &far);
    }
    const WmSwitchVolume volume = {.kind = WM_SWITCH_BOX,
                                   .minimum = {CASES[i].low_x, -1, CASES[i].low_z},
                                   .maximum = {CASES[i].high_x, 1, CASES[i].high_z}};
    WmContentHash before = wm_switch_tiles(mesh, &volume);
    for (int tile = 0; tile < TILES; tile++) {
      const GridTile grid = {.x = PLACES[tile][0], .z = PLACES[tile][1], .hole = UINT32_MAX};
      add_grid_tile(mesh, &grid);
      const WmContentHash after = wm_switch_tiles(mesh, &volume);
      CHECK((memcmp(&before, &after, sizeof after) != 0) == CASES[i].sees[tile]);
      before = after;
    }
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* A switch is on where a single tile is; then many tiles come under it. */
static void a_switch_that_is_on_covers_all_tiles_that_come(void) {
  enum { WIDE = 6 };
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 0);
  WmSwitches *switches = NULL;
  const float wide = WIDE * GRID_TILE_SIZE;
  const WmSwitchVolume volume = {
      .kind = WM_SWITCH_BOX, .area = -1, .minimum = {-1, -1, -1}, .maximum = {wide, 2, wide}};
  WmSwitch added;
  CHECK_EQUAL_INT(wm_switches_create(context, mesh, &switches), WM_OK);
  CHECK_EQUAL_INT(wm_switch_add(switches, &volume, 2, 1, true, &added), WM_OK);
  for (int32_t i = 1; i < WIDE * WIDE; i++) {
    const GridTile grid = {
        .x = i % WIDE, .z = i / WIDE, .seed = (uint32_t)i, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
  size_t changed, count, polygons = 0;
  const WmRef *covered;
  CHECK_EQUAL_INT(wm_switches_update(switches, &changed), WM_OK);
  CHECK_EQUAL_INT(changed, 1);
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    polygons += tile->polygon_count;
    for (uint32_t p = 0; p < tile->polygon_count; p++) CHECK_EQUAL_INT(tile->polygon_flags[p], 2);
  }
  CHECK_EQUAL_INT(wm_switch_polygons(switches, added, &covered, &count), WM_OK);
  CHECK_EQUAL_INT(count, polygons);
  CHECK(polygons > 300);
  wm_switches_destroy(switches);
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    CHECK_EQUAL_INT(wm_mesh_tile(mesh, s)->polygon_flags[0], 1);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(tiles_that_are_not_square_are_searched_by_width_and_depth);
  RUN(any_sequence_equals_the_model);
  RUN(a_volume_needs_only_the_numbers_of_its_kind);
  RUN(bad_volumes_are_refused);
  RUN(volumes_cover_polygons_by_their_middle);
  RUN(doors_that_close_for_all_open_again);
  RUN(a_switch_that_is_on_covers_all_tiles_that_come);
  RUN(switches_survive_every_failed_allocation);
  return check_finish();
}
