/* Searches: slices of any budgets give the result of the whole search; changes of the mesh between slices. */
#include "golden_queries.h"

enum { SIDE = 3 };

/* Tiles with cuts of their own, some polygons closed by flags 0, some of area 7. */
static WmMesh *make_world(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_world(context, SIDE, seed);
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 4 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0);
      if (grid_random(&seed) % 3 == 0) wm_mesh_set_polygon_area(mesh, tile->ref + p, 7);
    }
  }
  return mesh;
}

/* A mesh with a query and a search. */
typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmSearch *search;
} World;

static World open_world(uint32_t seed) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_world(world.context, seed);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  CHECK_EQUAL_INT(wm_search_create(world.context, world.mesh, &world.search), WM_OK);
  return world;
}

static void close_world(World *world) {
  wm_search_destroy(world->search);
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmNearest random_place(const World *world, uint32_t *seed) {
  return random_place_within(world->query, 8 * SIDE, seed);
}

static bool are_equal(const WmCorridor *a, const WmCorridor *b) {
  return a->state == b->state && a->reason == b->reason && a->polygon_count == b->polygon_count &&
         a->searched == b->searched && memcmp(&a->cost, &b->cost, sizeof a->cost) == 0 &&
         memcmp(a->polygons, b->polygons, a->polygon_count * sizeof *a->polygons) == 0;
}

/* Advances to the end by random budgets; returns the number of polygons that were expanded. */
static size_t advance_to_end(WmSearch *search, uint32_t *seed) {
  size_t sum = 0;
  for (bool done = false; !done;) {
    const size_t budget = grid_random(seed) % 7;
    size_t used;
    CHECK_EQUAL_INT(wm_search_advance(search, budget, &done, &used), WM_OK);
    CHECK(used <= budget && (done || used == budget));
    sum += used;
  }
  return sum;
}

/* ---- Slices ------------------------------------------------------------------------------------------- */

static void slices_of_any_size_give_the_whole_search(void) {
  int complete = 0, unreachable = 0, limited = 0;
  for (uint32_t world_seed = 1; world_seed <= 6; world_seed++) {
    World world = open_world(world_seed);
    uint32_t seed = 100 + world_seed;
    WmFilter filter = wm_filter_default();
    for (int i = 0; i < 60; i++) {
      const WmNearest start = random_place(&world, &seed), end = random_place(&world, &seed);
      filter.area_costs[7] = random_between(&seed, 0.25f, 5);
      const WmSearchOptions options = {.filter = i % 2 ? &filter : NULL,
                                       .max_nodes = i % 5 ? 0 : grid_random(&seed) % 40};
      WmCorridor whole, sliced;
      CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point,
                                             &options, &whole),
                      WM_OK);
      CHECK_EQUAL_INT(
          wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, &options), WM_OK);
      const size_t used = advance_to_end(world.search, &seed);
      CHECK_EQUAL_INT(used, whole.searched);
      for (int again = 0; again < 2; again++) {
        CHECK_EQUAL_INT(wm_search_finish(world.search, &sliced), WM_OK);
        CHECK(are_equal(&whole, &sliced));
      }
      complete += whole.state == WM_PATH_COMPLETE;
      unreachable += whole.state == WM_PATH_UNREACHABLE;
      limited += whole.reason == WM_PATH_REASON_NODE_LIMIT;
    }
    close_world(&world);
  }
  CHECK(complete > 50 && unreachable > 20 && limited > 10);
}

static void an_unfinished_search_leads_to_the_nearest_place_so_far(void) {
  World world = open_world(3);
  uint32_t seed = 7;
  for (int i = 0; i < 40; i++) {
    const WmNearest start = random_place(&world, &seed), end = random_place(&world, &seed);
    WmCorridor whole, part;
    CHECK_EQUAL_INT(
        wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point, NULL, &whole),
        WM_OK);
    CHECK_EQUAL_INT(wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, NULL),
                    WM_OK);
    bool done = false;
    for (size_t taken = 0; !done; taken++) {
      CHECK_EQUAL_INT(wm_search_finish(world.search, &part), WM_OK);
      CHECK_EQUAL_INT(part.reason, WM_PATH_REASON_UNFINISHED);
      CHECK(part.polygons[0] == start.polygon && part.searched == taken);
      const bool at_end = part.polygons[part.polygon_count - 1] == end.polygon;
      CHECK_EQUAL_INT(part.state, at_end ? WM_PATH_COMPLETE : WM_PATH_PARTIAL);
      CHECK_EQUAL_INT(wm_search_advance(world.search, 1, &done, NULL), WM_OK);
    }
    CHECK_EQUAL_INT(wm_search_finish(world.search, &part), WM_OK);
    CHECK(are_equal(&whole, &part));
  }
  close_world(&world);
}

static void a_search_finishes_along_a_corridor(void) {
  World world = open_world(4);
  uint32_t seed = 8;
  int along = 0;
  for (int i = 0; i < 60; i++) {
    const WmNearest start = random_place(&world, &seed), end = random_place(&world, &seed);
    const WmNearest other = random_place(&world, &seed);
    WmCorridor former, found;
    CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, other.polygon,
                                           other.point, NULL, &former),
                    WM_OK);
    CHECK_EQUAL_INT(wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, NULL),
                    WM_OK);
    bool done;
    CHECK_EQUAL_INT(wm_search_advance(world.search, 12, &done, NULL), WM_OK);
    CHECK_EQUAL_INT(wm_search_finish_along(world.search, former.polygons, former.polygon_count, &found),
                    WM_OK);
    CHECK(found.polygons[0] == start.polygon);
    /* The start is on the former tile, so that there always is a result. */
    const WmRef last = found.polygons[found.polygon_count - 1];
    size_t at = former.polygon_count;
    for (size_t k = 0; k < former.polygon_count; k++) at = former.polygons[k] == last ? k : at;
    CHECK(at < former.polygon_count);
    along += at > 0;
    CHECK_EQUAL_INT(found.state == WM_PATH_COMPLETE, last == end.polygon);
    /* The search met no polygon of the tile: the path ends at the nearest point. */
    const WmRef none[2] = {0, (WmRef)1 << 52};
    CHECK_EQUAL_INT(wm_search_finish_along(world.search, none, 2, &found), WM_OK);
    WmCorridor nearest = found;
    WmRef copy[64];
    memcpy(copy, found.polygons, (found.polygon_count < 64 ? found.polygon_count : 64) * sizeof *copy);
    nearest.polygons = copy;
    CHECK_EQUAL_INT(wm_search_finish(world.search, &found), WM_OK);
    CHECK(are_equal(&nearest, &found));
  }
  CHECK(along > 30);
  close_world(&world);
}

/* ---- Between slices ----------------------------------------------------------------------------------- */

static void other_questions_and_flags_may_come_between_slices(void) {
  World world = open_world(5);
  uint32_t seed = 9;
  for (int i = 0; i < 30; i++) {
    const WmNearest start = random_place(&world, &seed), end = random_place(&world, &seed);
    CHECK_EQUAL_INT(wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, NULL),
                    WM_OK);
    for (bool done = false; !done;) {
      CHECK_EQUAL_INT(wm_search_advance(world.search, 3, &done, NULL), WM_OK);
      const WmNearest place = random_place(&world, &seed);
      WmCorridor other;
      CHECK_EQUAL_INT(wm_query_find_corridor(world.query, place.polygon, place.point, start.polygon,
                                             start.point, NULL, &other),
                      WM_OK);
      CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, place.polygon, grid_random(&seed) % 3 != 0),
                      WM_OK);
      CHECK_EQUAL_INT(wm_mesh_set_polygon_area(world.mesh, place.polygon, grid_random(&seed) % 64), WM_OK);
    }
    WmCorridor corridor;
    CHECK_EQUAL_INT(wm_search_finish(world.search, &corridor), WM_OK);
    CHECK(corridor.polygons[0] == start.polygon);
  }
  close_world(&world);
}

/* A tile that is replaced between slices, and that the search has met or not: its result is that of a whole search on
 * the changed mesh. */
static void a_search_fits_the_mesh_as_it_has_changed(void) {
  int restarts = 0, stale = 0;
  for (uint32_t world_seed = 1; world_seed <= 12; world_seed++) {
    World world = open_world(world_seed);
    uint32_t seed = 50 + world_seed;
    const WmNearest start = random_place(&world, &seed), end = random_place(&world, &seed);
    CHECK_EQUAL_INT(wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, NULL),
                    WM_OK);
    bool done;
    CHECK_EQUAL_INT(wm_search_advance(world.search, 8, &done, NULL), WM_OK);
    const int32_t at = (int32_t)(grid_random(&seed) % (SIDE * SIDE));
    const WmMeshTile *old = wm_mesh_find_tile(world.mesh, at % SIDE, at / SIDE, 0);
    CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, old->ref), WM_OK);
    const GridTile grid = {.x = at % SIDE, .z = at / SIDE, .seed = 999, .hole = 1, .tree = true};
    if (world_seed % 2) add_grid_tile(world.mesh, &grid);
    WmCorridor whole, sliced;
    const WmStatus expected =
        wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point, NULL, &whole);
    if (expected) {
      CHECK_EQUAL_INT(expected, WM_ERROR_STALE_REFERENCE);
      CHECK_EQUAL_INT(wm_search_advance(world.search, 1, &done, NULL), WM_ERROR_STALE_REFERENCE);
      CHECK(!done);
      CHECK_EQUAL_INT(wm_search_finish(world.search, &sliced), WM_ERROR_STALE_REFERENCE);
      CHECK(sliced.polygons == NULL);
      stale++;
    } else {
      /* Begun again, but not advanced: the result is the start only. */
      CHECK_EQUAL_INT(wm_search_finish(world.search, &sliced), WM_OK);
      CHECK(sliced.searched == (whole.searched < 8 ? whole.searched : 8) ||
            (sliced.searched == 0 && sliced.polygon_count == 1));
      restarts += sliced.searched == 0;
      advance_to_end(world.search, &seed);
      CHECK_EQUAL_INT(wm_search_finish(world.search, &sliced), WM_OK);
      CHECK(are_equal(&whole, &sliced));
    }
    close_world(&world);
  }
  CHECK(restarts > 3 && stale > 1);
}

enum { WIDE = 12 };

/* Removes a tile and adds another one, or the same again, in its place, unless it is that of an end. */
static void replace_tile(WmMesh *mesh, uint32_t *seed, WmRef start, WmRef end) {
  const int32_t x = (int32_t)(grid_random(seed) % WIDE), z = (int32_t)(grid_random(seed) % WIDE);
  const WmMeshTile *old = wm_mesh_find_tile(mesh, x, z, 0);
  if (old && (old == wm_mesh_tile_of(mesh, start) || old == wm_mesh_tile_of(mesh, end))) return;
  if (old) CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, old->ref), WM_OK);
  if (old && grid_random(seed) % 3 == 0) return;
  const GridTile grid = {.x = x, .z = z, .seed = grid_random(seed) % 50, .hole = UINT32_MAX, .tree = true};
  const WmRef tile = add_grid_tile(mesh, &grid);
  if (grid_random(seed) % 2) wm_mesh_set_polygon_area(mesh, tile + 1, 7);
}

/* Many tiles are replaced between slices. Where a search hasn't met them, it goes on from where it was; so all of them expand fewer
 * polygons than if each had begun again. */
static void a_search_goes_on_where_other_tiles_change(void) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_grid_world(world.context, WIDE, 1);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  CHECK_EQUAL_INT(wm_search_create(world.context, world.mesh, &world.search), WM_OK);
  WmFilter filter = wm_filter_default();
  uint32_t seed = 23;
  int went_on[4] = {0}, began_again = 0;
  for (int i = 0; i < CHECK_ROUNDS(1600); i++) {
    const WmNearest start = random_place_within(world.query, 8 * WIDE, &seed),
                    end = random_place_within(world.query, 8 * WIDE, &seed);
    if (!start.polygon || !end.polygon) continue;
    filter.area_costs[7] = i % 3 ? 1 : 4;
    WmSearchOptions options = {.filter = &filter, .shortest = i % 4 == 1, .any_angle = i % 4 == 2};
    if (i % 4 == 1) options.max_nodes = 30 + grid_random(&seed) % 250; /* a limit of cones, too */
    CHECK_EQUAL_INT(
        wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, &options), WM_OK);
    size_t sum = 0, used;
    bool done = false, is_early = false;
    for (int slices = 0, changes = 0; !done || changes < 3; slices++) {
      if (slices > 0 && changes < 3 && (done || grid_random(&seed) % 3 == 0)) {
        replace_tile(world.mesh, &seed, start.polygon, end.polygon);
        is_early |= !done;
        changes++;
      }
      CHECK_EQUAL_INT(wm_search_advance(world.search, 1 + grid_random(&seed) % 30, &done, &used), WM_OK);
      sum += used;
    }
    WmCorridor whole, sliced;
    CHECK_EQUAL_INT(wm_search_finish(world.search, &sliced), WM_OK);
    CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point,
                                           &options, &whole),
                    WM_OK);
    if (options.shortest) whole.searched = sliced.searched; /* the whole one may begin in cones */
    CHECK(are_equal(&whole, &sliced));
    if (options.shortest) CHECK(sliced.bound == whole.bound);
    went_on[i % 4] += is_early && sum == sliced.searched;
    began_again += sum > sliced.searched;
  }
  for (int kind = 0; kind < 4; kind++) CHECK(went_on[kind] >= CHECK_ROUNDS(60));
  CHECK(began_again >= CHECK_ROUNDS(60));
  close_world(&world);
}

static void a_search_refuses_what_is_wrong(void) {
  World world = open_world(6);
  uint32_t seed = 10;
  const WmNearest start = random_place(&world, &seed), end = random_place(&world, &seed);
  bool done = true;
  WmCorridor corridor;
  CHECK_EQUAL_INT(wm_search_advance(world.search, 5, &done, NULL), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_search_finish(world.search, &corridor), WM_ERROR_STATE);
  const float bad[3] = {0, NAN, 0};
  CHECK_EQUAL_INT(wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, NULL),
                  WM_OK);
  /* A second search replaces the first; after a refused one there is none. */
  CHECK_EQUAL_INT(wm_search_begin(world.search, end.polygon, end.point, start.polygon, start.point, NULL),
                  WM_OK);
  advance_to_end(world.search, &seed);
  CHECK_EQUAL_INT(wm_search_finish(world.search, &corridor), WM_OK);
  CHECK(corridor.polygons[0] == end.polygon);
  CHECK_EQUAL_INT(wm_search_advance(world.search, 0, &done, NULL), WM_OK);
  CHECK(done);
  CHECK_EQUAL_INT(wm_search_begin(world.search, start.polygon, bad, end.polygon, end.point, NULL),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_search_advance(world.search, 5, &done, NULL), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_search_begin(world.search, 0, start.point, end.polygon, end.point, NULL),
                  WM_ERROR_INVALID_ARGUMENT);
  const WmSearchOptions options = {.ray_limit = NAN};
  CHECK_EQUAL_INT(wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, &options),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(world.context)->field, "rayLimit") == 0);
  close_world(&world);
}

/* ---- Memory ------------------------------------------------------------------------------------------- */

static void survive_failed_allocations(const WmSearchOptions *options, long rounds) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  World world = {.context = wm_context_create(&allocator)};
  world.mesh = make_grid_world(world.context, SIDE, 31);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  const float a[3] = {1, 0, 1}, b[3] = {23, 0, 23}, half_extents[3] = {2, 4, 2};
  WmNearest start, end;
  CHECK_EQUAL_INT(wm_query_find_nearest(world.query, a, half_extents, NULL, &start), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_nearest(world.query, b, half_extents, NULL, &end), WM_OK);
  WmCorridor whole, sliced;
  CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point,
                                         options, &whole),
                  WM_OK);
  int failures = 0;
  for (long n = 0; n < rounds; n++) {
    ration.until_failure = n;
    ration.once = true;
    const WmStatus created = wm_search_create(world.context, world.mesh, &world.search);
    if (created) {
      CHECK_EQUAL_INT(created, WM_ERROR_OUT_OF_MEMORY);
      CHECK(world.search == NULL);
      continue;
    }
    WmStatus status =
        wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, options);
    if (status)
      status = wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, options);
    CHECK_EQUAL_INT(status, WM_OK);
    bool done = false;
    while (!done) {
      status = wm_search_advance(world.search, 5, &done, NULL);
      failures += status != WM_OK;
      if (status) CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
    }
    status = wm_search_finish(world.search, &sliced);
    if (status) status = wm_search_finish(world.search, &sliced);
    CHECK_EQUAL_INT(status, WM_OK);
    if (options->shortest) whole.searched = sliced.searched; /* slices start with the ordinary search */
    CHECK(are_equal(&whole, &sliced));
    /* Warm: nothing is allocated. */
    ration.until_failure = 0;
    ration.once = false;
    uint32_t seed = 1;
    CHECK_EQUAL_INT(
        wm_search_begin(world.search, start.polygon, start.point, end.polygon, end.point, options), WM_OK);
    advance_to_end(world.search, &seed);
    CHECK_EQUAL_INT(wm_search_finish(world.search, &sliced), WM_OK);
    CHECK(are_equal(&whole, &sliced));
    wm_search_destroy(world.search);
  }
  CHECK(failures > 3);
  world.search = NULL;
  close_world(&world);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

static void a_search_survives_every_failed_allocation(void) {
  survive_failed_allocations(&(WmSearchOptions){0}, 40);
  survive_failed_allocations(&(WmSearchOptions){.any_angle = true}, 80);
  survive_failed_allocations(&(WmSearchOptions){.shortest = true}, 80);
}

int main(void) {
  RUN(slices_of_any_size_give_the_whole_search);
  RUN(an_unfinished_search_leads_to_the_nearest_place_so_far);
  RUN(a_search_finishes_along_a_corridor);
  RUN(other_questions_and_flags_may_come_between_slices);
  RUN(a_search_fits_the_mesh_as_it_has_changed);
  RUN(a_search_goes_on_where_other_tiles_change);
  RUN(a_search_refuses_what_is_wrong);
  RUN(a_search_survives_every_failed_allocation);
  return check_finish();
}
