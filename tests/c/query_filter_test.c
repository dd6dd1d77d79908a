/* Filters and factors of single polygons. Corridors are the cheapest for any costs: compared with Dijkstra
 * over all portals of the mesh. */
#include "golden_queries.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"

enum { SIDE = 2, OPENING_LIMIT = 2048 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmCosts *costs;
} World;

static World open_world(uint32_t seed, const WmAllocator *allocator) {
  World world = {.context = wm_context_create(allocator)};
  world.mesh = make_grid_world(world.context, SIDE, seed);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  CHECK_EQUAL_INT(wm_costs_create(world.context, world.mesh, &world.costs), WM_OK);
  return world;
}

static void close_world(World *world) {
  wm_costs_destroy(world->costs);
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmNearest random_place(const World *world, uint32_t *seed) {
  return random_place_within(world->query, 8 * SIDE, seed);
}

/* ---- Filters ------------------------------------------------------------------------------------------ */

static void flags_are_needed_and_forbidden(void) {
  WmFilter filter = wm_filter_default();
  CHECK(wm_filter_passes(&filter, 1) && wm_filter_passes(&filter, 0x8000));
  CHECK(!wm_filter_passes(&filter, 0));
  filter.exclude_flags = 4;
  CHECK(!wm_filter_passes(&filter, 5) && wm_filter_passes(&filter, 3));
  filter.include_flags = 2;
  CHECK(!wm_filter_passes(&filter, 1) && wm_filter_passes(&filter, 2) && !wm_filter_passes(&filter, 6));
  filter.include_flags = 0;
  CHECK(!wm_filter_passes(&filter, 0xffff));
  for (int i = 0; i < 64; i++) CHECK(filter.area_costs[i] == 1);
}

static const WmMeshTile *tile_at(const World *world, size_t slot) { return wm_mesh_tile(world->mesh, slot); }

static void factors_are_set_all_or_none(void) {
  World world = open_world(3, NULL);
  const WmMeshTile *first = tile_at(&world, 0), *last = tile_at(&world, SIDE * SIDE - 1);
  CHECK(wm_costs_of(world.costs, first) == NULL && wm_costs_least(world.costs) == 1);
  const WmRef polygons[3] = {first->ref + 1, last->ref + 2, first->ref + 1};
  const float factors[3] = {2, 0.5f, 3};
  CHECK_EQUAL_INT(wm_costs_set(world.costs, polygons, factors, 3), WM_OK);
  CHECK(wm_costs_of(world.costs, first)[1] == 3 && wm_costs_of(world.costs, first)[0] == 1);
  CHECK(wm_costs_of(world.costs, last)[2] == 0.5f && wm_costs_least(world.costs) == 0.5f);
  CHECK(wm_costs_of(world.costs, tile_at(&world, 1)) == NULL);
  CHECK_EQUAL_INT(wm_costs_set(world.costs, NULL, NULL, 0), WM_OK);
  /* The last element is wrong each time: nothing changes. */
  static const float BAD[4] = {-1, NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 4; i++) {
    const float refused[3] = {9, 9, BAD[i]};
    CHECK_EQUAL_INT(wm_costs_set(world.costs, polygons, refused, 3), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(world.context)->field, "factors") == 0);
  }
  const WmRef wrong[2] = {first->ref, first->ref + first->polygon_count}, none[2] = {first->ref, 0};
  const float nine[2] = {9, 9};
  CHECK_EQUAL_INT(wm_costs_set(world.costs, wrong, nine, 2), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_costs_set(world.costs, none, nine, 2), WM_ERROR_INVALID_ARGUMENT);
  CHECK(wm_costs_of(world.costs, first)[0] == 1 && wm_costs_of(world.costs, first)[1] == 3);
  wm_costs_clear(world.costs);
  CHECK(wm_costs_of(world.costs, first) == NULL && wm_costs_least(world.costs) == 1);
  CHECK_EQUAL_INT(wm_costs_set(world.costs, polygons + 1, factors + 1, 1), WM_OK);
  CHECK(wm_costs_of(world.costs, last)[2] == 0.5f && wm_costs_of(world.costs, last)[1] == 1);
  close_world(&world);
}

static void factors_of_a_tile_go_with_it(void) {
  World world = open_world(3, NULL);
  const WmRef old = tile_at(&world, 0)->ref;
  const float two = 2;
  CHECK_EQUAL_INT(wm_costs_set(world.costs, &old, &two, 1), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, old), WM_OK);
  CHECK_EQUAL_INT(wm_costs_set(world.costs, &old, &two, 1), WM_ERROR_STALE_REFERENCE);
  /* Slots are used in turn: fills them until the first one is used again. */
  for (int i = 0; i < 64 && !wm_mesh_tile(world.mesh, wm_ref_slot(old)); i++) {
    const GridTile grid = {.x = 10 + i, .seed = 8, .hole = UINT32_MAX};
    add_grid_tile(world.mesh, &grid);
  }
  const WmMeshTile *tile = wm_mesh_tile(world.mesh, wm_ref_slot(old));
  CHECK(tile && tile->ref != old);
  if (tile) {
    CHECK(wm_costs_of(world.costs, tile) == NULL);
    const WmRef polygon = tile->ref + tile->polygon_count - 1;
    CHECK_EQUAL_INT(wm_costs_set(world.costs, &polygon, &two, 1), WM_OK);
    CHECK(wm_costs_of(world.costs, tile)[0] == 1);
    CHECK(wm_costs_of(world.costs, tile)[tile->polygon_count - 1] == 2);
  }
  close_world(&world);
}

static void factors_survive_every_failed_allocation(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  World world = open_world(5, &allocator);
  WmRef polygons[SIDE * SIDE];
  float factors[SIDE * SIDE];
  for (size_t i = 0; i < SIDE * SIDE; i++) {
    polygons[i] = tile_at(&world, i)->ref + 1;
    factors[i] = 0.5f + (float)i;
  }
  int failures = 0;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  for (long n = 0; status; n++) {
    wm_costs_destroy(world.costs);
    CHECK_EQUAL_INT(wm_costs_create(world.context, world.mesh, &world.costs), WM_OK);
    ration.until_failure = n;
    status = wm_costs_set(world.costs, polygons, factors, SIDE * SIDE);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    if (!status) break;
    failures++;
    CHECK(wm_costs_least(world.costs) == 1);
    for (size_t i = 0; i < SIDE * SIDE; i++) { /* tiles with factors in memory have only 1s */
      const float *of = wm_costs_of(world.costs, tile_at(&world, i));
      CHECK(!of || of[1] == 1);
    }
    CHECK_EQUAL_INT(wm_costs_set(world.costs, polygons, factors, SIDE * SIDE), WM_OK);
    CHECK(wm_costs_of(world.costs, tile_at(&world, 2))[1] == 2.5f);
  }
  CHECK(failures >= SIDE * SIDE);
  ration.until_failure = 0;
  WmCosts *none = world.costs;
  CHECK_EQUAL_INT(wm_costs_create(world.context, world.mesh, &none), WM_ERROR_OUT_OF_MEMORY);
  CHECK(none == NULL);
  CHECK_EQUAL_INT(end_ration(&ration), WM_ERROR_OUT_OF_MEMORY);
  close_world(&world);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* ---- The cheapest path -------------------------------------------------------------------------------- */

/* A link from one polygon to another. */
typedef struct Opening {
  WmRef from, to;
  float middle[3];
  bool passes;
} Opening;

typedef struct Openings {
  Opening items[OPENING_LIMIT];
  size_t count;
} Openings;

static void find_openings(const WmMesh *mesh, const WmFilter *filter, Openings *openings) {
  openings->count = 0;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
      for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
        const WmLink *link = &tile->links[i];
        const WmMeshTile *to = wm_mesh_tile(mesh, link->slot);
        CHECK(openings->count < OPENING_LIMIT);
        if (openings->count == OPENING_LIMIT) return;
        Opening *opening = &openings->items[openings->count++];
        *opening = (Opening){.from = tile->ref + p, .to = to->ref + link->polygon};
        opening->passes = wm_filter_passes(filter, to->polygon_flags[link->polygon]);
        const float *portal = tile->link_portals + 6 * (size_t)i;
        for (int axis = 0; axis < 3; axis++) opening->middle[axis] = (portal[axis] + portal[axis + 3]) / 2;
      }
    }
  }
}

static float unit_cost(const WmMesh *mesh, const WmFilter *filter, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  const uint32_t p = wm_ref_polygon(polygon);
  const float cost = filter->area_costs[tile->polygon_area[p]] * tile->cost_factor;
  const float *factors = filter->costs ? wm_costs_of(filter->costs, tile) : NULL;
  return factors ? cost * factors[p] : cost;
}

/* Each portal is a node of its own, at its midpoint: hardly ever more expensive than a search with one
 * position per polygon. */
static float cheapest(const WmMesh *mesh, const WmFilter *filter, const Openings *openings,
                      const WmNearest *start, const WmNearest *end) {
  static float costs[OPENING_LIMIT];
  static bool closed[OPENING_LIMIT];
  if (start->polygon == end->polygon) {
    return distance(start->point, end->point) * unit_cost(mesh, filter, start->polygon);
  }
  float least = INFINITY;
  for (size_t i = 0; i < openings->count; i++) {
    const Opening *opening = &openings->items[i];
    closed[i] = false;
    costs[i] = opening->passes && opening->from == start->polygon
                   ? distance(start->point, opening->middle) * unit_cost(mesh, filter, start->polygon)
                   : INFINITY;
  }
  for (;;) {
    size_t best = openings->count;
    for (size_t i = 0; i < openings->count; i++) {
      if (!closed[i] && costs[i] < INFINITY && (best == openings->count || costs[i] < costs[best])) best = i;
    }
    if (best == openings->count) return least;
    closed[best] = true;
    const Opening *at = &openings->items[best];
    const float unit = unit_cost(mesh, filter, at->to);
    if (at->to == end->polygon) least = fminf(least, costs[best] + distance(at->middle, end->point) * unit);
    for (size_t i = 0; i < openings->count; i++) {
      const Opening *next = &openings->items[i];
      if (!next->passes || next->from != at->to) continue;
      costs[i] = fminf(costs[i], costs[best] + distance(at->middle, next->middle) * unit);
    }
  }
}

/* Areas and factors below and above 1, connections with costs near 0. */
static void price_world(World *world, uint32_t *seed, WmFilter *filter) {
  *filter = wm_filter_default();
  for (int i = 0; i < 4; i++) filter->area_costs[i] = random_between(seed, 0.1f, 4);
  filter->costs = world->costs;
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = tile_at(world, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      const WmRef ref = tile->ref + p;
      wm_mesh_set_polygon_area(world->mesh, ref, (uint8_t)(grid_random(seed) % 4));
      if (grid_random(seed) % 6 == 0) wm_mesh_set_polygon_flags(world->mesh, ref, 0);
      const float factor = random_between(seed, 0.3f, 2);
      if (grid_random(seed) % 3 == 0) CHECK_EQUAL_INT(wm_costs_set(world->costs, &ref, &factor, 1), WM_OK);
    }
  }
  for (int i = 0; i < 4; i++) {
    WmConnection connection = wm_connection_default(world->mesh);
    const WmNearest from = random_place(world, seed), to = random_place(world, seed);
    memcpy(connection.start, from.point, sizeof connection.start);
    memcpy(connection.end, to.point, sizeof connection.end);
    connection.radius = 0.5f;
    connection.bidirectional = i % 2;
    connection.cost_factor = i < 2 ? 0.01f : 0.8f;
    WmRef ref;
    CHECK_EQUAL_INT(wm_mesh_add_connection(world->mesh, &connection, &ref), WM_OK);
  }
}

static void corridors_are_the_cheapest_whatever_the_costs(void) {
  static Openings openings;
  double ratios = 0, worst = 0;
  int count = 0, exact = 0, unreachable = 0, over_connections = 0;
  for (uint32_t w = 1; w <= 10; w++) {
    World world = open_world(w, NULL);
    uint32_t seed = w;
    WmFilter filter;
    price_world(&world, &seed, &filter);
    find_openings(world.mesh, &filter, &openings);
    for (int i = 0; i < 25; i++) {
      const WmNearest start = random_place(&world, &seed), end = random_place(&world, &seed);
      if (!wm_filter_passes(&filter, 1) || !start.polygon || !end.polygon) continue;
      WmSearchOptions options = {.filter = &filter};
      WmCorridor corridor;
      CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point,
                                             &options, &corridor),
                      WM_OK);
      const float least = cheapest(world.mesh, &filter, &openings, &start, &end);
      CHECK_EQUAL_INT(corridor.state, least < INFINITY ? WM_PATH_COMPLETE : WM_PATH_UNREACHABLE);
      if (corridor.state != WM_PATH_COMPLETE) {
        unreachable++;
        continue;
      }
      /* A polygon entered again by another edge keeps its first position, which may be nearer. */
      CHECK(corridor.cost >= 0.75f * least - 1e-4f);
      for (size_t k = 0; k < corridor.polygon_count; k++) {
        over_connections += wm_mesh_tile_of(world.mesh, corridor.polygons[k])->ground_count == 0;
      }
      if (least < 0.5f) continue;
      const double ratio = corridor.cost / least;
      count++;
      exact += ratio < 1.0001;
      ratios += ratio;
      if (ratio > worst) worst = ratio;
    }
    close_world(&world);
  }
  printf(
      "%d corridors, %d unreachable, %d over connections: cost to the cheapest %.4f on average, %.3f at "
      "worst, %d the cheapest\n",
      count, unreachable, over_connections, ratios / count, worst, exact);
  CHECK(count > 120 && over_connections > 10);
  CHECK(ratios / count < 1.05 && worst < 1.6);
}

/* Unit estimates alone: a path through a teleporter that leads away from the end is found. */
static void a_teleporter_that_costs_nothing_is_taken(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t x = 0; x < 12; x++) {
    const GridTile grid = {.x = x, .seed = 4 + (uint32_t)x, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  WmConnection connection = wm_connection_default(mesh);
  memcpy(connection.start, (const float[3]){2.2f, 0.1f, 4.3f}, sizeof connection.start);
  memcpy(connection.end, (const float[3]){92.2f, 0.1f, 4.3f}, sizeof connection.end);
  connection.radius = 0.5f;
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  const float start[3] = {20, 0, 4}, end[3] = {82, 0, 4}; /* 62 on foot, 18 + 10 and the jump */
  for (int i = 0; i < 5; i++) {
    const float factor = (float)i * 0.25f;
    CHECK_EQUAL_INT(wm_mesh_set_connection_cost(mesh, ref, factor), WM_OK);
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(query, start, end, NULL, &path), WM_OK);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    bool jumps = false;
    for (size_t k = 0; k < path.polygon_count; k++) jumps |= path.polygons[k] == ref;
    CHECK_EQUAL_INT(jumps, 28 + 90 * factor < 62);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(flags_are_needed_and_forbidden);
  RUN(factors_are_set_all_or_none);
  RUN(factors_of_a_tile_go_with_it);
  RUN(factors_survive_every_failed_allocation);
  RUN(corridors_are_the_cheapest_whatever_the_costs);
  RUN(a_teleporter_that_costs_nothing_is_taken);
  return check_finish();
}
