/* Searches over segment links, compared with a visibility graph of all corners and of points along both segments of each
 * link: no way in it may be shorter than the exact one, and each path must be one that can be walked. */
#include "mesh/links/segment_links.h"
#include "query/alternatives/alternatives.h"
#include "query/batch.h"
#include "query/tile_graph/tile_graph.h"
#include "visibility_graph.h"

enum { LINK_LIMIT = 8, SAMPLE_LIMIT = 65 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  int32_t side;
  uint32_t seed;
  bool is_cheap; /* links cost next to nothing: the limit of cones can stop searches */
  WmSegmentLink links[LINK_LIMIT];
  size_t link_count;
} World;

/* ---- Links -------------------------------------------------------------------------------------------- */

static void swap_ends(WmSegmentLink *link) {
  for (int axis = 0; axis < 3; axis++) {
    const float start = link->start[0][axis], end = link->end[0][axis];
    link->start[0][axis] = link->start[1][axis];
    link->end[0][axis] = link->end[1][axis];
    link->start[1][axis] = start;
    link->end[1][axis] = end;
  }
}

/* A middle and a direction: anywhere, or on an edge of a polygon, as generated links are. */
static void choose_segment(World *world, float middle[3], float *angle) {
  const WmNearest place = random_place(world->query, world->side, &world->seed);
  memcpy(middle, place.point, 3 * sizeof *middle);
  *angle = random_between(&world->seed, 0, 6.28f);
  if (grid_random(&world->seed) % 3 == 0) return;
  const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, place.polygon);
  const uint32_t p = wm_ref_polygon(place.polygon), k = grid_random(&world->seed) % tile->polygon_size[p];
  const float *a = wm_tile_vertex(tile, p, k), *b = wm_tile_vertex(tile, p, k + 1);
  for (int axis = 0; axis < 3; axis++) middle[axis] = (a[axis] + b[axis]) / 2;
  *angle = atan2f(b[2] - a[2], b[0] - a[0]);
}

/* A link between two places; its cost is around `factor` times its length. */
static WmSegmentLink random_link(World *world, float factor) {
  WmSegmentLink link = {.flags = 1, .enabled = true, .kind = (uint8_t)(grid_random(&world->seed) % 4)};
  const float half = random_between(&world->seed, 0.3f, 3);
  float middles[2][3], angles[2];
  for (int end = 0; end < 2; end++) choose_segment(world, middles[end], &angles[end]);
  if (grid_random(&world->seed) % 2) angles[1] = angles[0];
  for (int end = 0; end < 2; end++) {
    for (int k = 0; k < 2; k++) {
      float *at = end ? link.end[k] : link.start[k];
      at[0] = middles[end][0] + (k ? half : -half) * cosf(angles[end]);
      at[2] = middles[end][2] + (k ? half : -half) * sinf(angles[end]);
    }
  }
  link.bidirectional = grid_random(&world->seed) % 2;
  link.cost = factor * wm_segment_link_length(&link) * random_between(&world->seed, 0.7f, 1.3f);
  const float aside = (link.start[1][0] - link.start[0][0]) * (middles[1][2] - middles[0][2]) -
                      (link.start[1][2] - link.start[0][2]) * (middles[1][0] - middles[0][0]);
  if (aside < 0) swap_ends(&link);
  return link;
}

static World open_world(int32_t side, uint32_t number, float factor) {
  World world = {.context = wm_context_create(NULL), .side = side, .seed = number, .is_cheap = factor < 0.2f};
  world.mesh = make_world(world.context, side, 10 * number, false);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  world.link_count = 1 + grid_random(&world.seed) % LINK_LIMIT;
  for (size_t i = 0; i < world.link_count; i++) world.links[i] = random_link(&world, factor);
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 0, 0, 0, world.links, world.link_count, NULL), WM_OK);
  return world;
}

static void close_world(const World *world) {
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* ---- The graph ---------------------------------------------------------------------------------------- */

/* Adds points along both segments of each link as corners. */
static void add_samples(const World *world, Graph *graph, int samples) {
  for (size_t i = 0; i < world->link_count; i++) {
    const WmSegmentLink *link = &world->links[i];
    for (int k = 0; k < samples; k++) {
      const float across = (float)k / (float)(samples - 1);
      float near[3], far[3];
      wm_interpolate(link->start[0], link->start[1], across, near);
      wm_interpolate(link->end[0], link->end[1], across, far);
      add_corners(world->mesh, graph, near);
      add_corners(world->mesh, graph, far);
    }
  }
}

/* The corners at a point. */
static size_t find_corners(const Graph *graph, const float point[3], size_t found[16]) {
  size_t count = 0;
  for (size_t i = 0; i < graph->count && count < 16; i++) {
    if (distance(graph->corners[i].point, point) < 1e-3f) found[count++] = i;
  }
  return count;
}

typedef struct Jump {
  size_t from, to;
  float cost;
} Jump;

typedef struct Jumps {
  Jump items[1 << 15];
  size_t count;
} Jumps;

/* True if a position of a segment lies on the polygon of a corner. */
static bool lies_on(const World *world, const Corner *corner, const float segment[2][3], float across) {
  float point[3], closest[3];
  wm_interpolate(segment[0], segment[1], across, point);
  wm_tile_closest_point(wm_mesh_tile_of(world->mesh, corner->polygon), wm_ref_polygon(corner->polygon), point,
                        false, closest);
  return distance(point, closest) < 1e-4f;
}

/* True if a link is open between two corners, on more than a point. */
static bool is_open(const World *world, const WmSegmentLink *link, const Corner *start, const Corner *end,
                    float across) {
  for (int sign = -1; sign <= 1; sign += 2) {
    const float beside = across + (float)sign * 2e-3f;
    if (beside < 0 || beside > 1) continue;
    if (lies_on(world, start, link->start, beside) && lies_on(world, end, link->end, beside)) return true;
  }
  return false;
}

static void add_jumps(const World *world, const Graph *graph, const WmSegmentLink *link, float across,
                      Jumps *jumps) {
  float near[3], far[3];
  wm_interpolate(link->start[0], link->start[1], across, near);
  wm_interpolate(link->end[0], link->end[1], across, far);
  size_t starts[16], ends[16];
  const size_t start_count = find_corners(graph, near, starts), end_count = find_corners(graph, far, ends);
  for (size_t s = 0; s < start_count; s++) {
    for (size_t e = 0; e < end_count; e++) {
      if (!is_open(world, link, &graph->corners[starts[s]], &graph->corners[ends[e]], across)) continue;
      jumps->items[jumps->count++] = (Jump){starts[s], ends[e], link->cost};
      if (link->bidirectional) jumps->items[jumps->count++] = (Jump){ends[e], starts[s], link->cost};
    }
  }
}

static void find_jumps(const World *world, const Graph *graph, int samples, Jumps *jumps) {
  jumps->count = 0;
  for (size_t i = 0; i < world->link_count; i++) {
    for (int k = 0; k < samples; k++)
      add_jumps(world, graph, &world->links[i], (float)k / (float)(samples - 1), jumps);
  }
  CHECK(jumps->count < (1 << 15));
}

/* The least costs from the last two corners but one of the graph, by rounds of Dijkstra over corners and jumps. */
static float find_least(const World *world, Graph *graph, const Jumps *jumps, const WmNearest *start,
                        const WmNearest *end) {
  static float costs[CORNER_LIMIT + 2];
  static bool closed[CORNER_LIMIT + 2];
  const size_t count = graph->count, all = count + 2;
  const WmNearest *ends[2] = {start, end};
  for (size_t k = 0; k < 2; k++) {
    graph->corners[count + k] =
        (Corner){{ends[k]->point[0], ends[k]->point[1], ends[k]->point[2]}, ends[k]->polygon};
  }
  for (size_t i = 0; i < all; i++) {
    graph->seen[count][i] = sees(world->mesh, world->query, &graph->corners[count], &graph->corners[i]);
    graph->seen[i][count + 1] =
        sees(world->mesh, world->query, &graph->corners[i], &graph->corners[count + 1]);
    costs[i] = INFINITY;
    closed[i] = false;
  }
  costs[count] = 0;
  for (;;) {
    size_t best = all;
    for (size_t i = 0; i < all; i++) {
      if (!closed[i] && costs[i] < INFINITY && (best == all || costs[i] < costs[best])) best = i;
    }
    if (best == all || best == count + 1) return costs[count + 1];
    closed[best] = true;
    for (size_t i = 0; i < all; i++) {
      const float step = distance(graph->corners[best].point, graph->corners[i].point);
      if (graph->seen[best][i] && costs[best] + step < costs[i]) costs[i] = costs[best] + step;
    }
    for (size_t k = 0; k < jumps->count; k++) {
      const Jump *jump = &jumps->items[k];
      if (jump->from == best && costs[best] + jump->cost < costs[jump->to])
        costs[jump->to] = costs[best] + jump->cost;
    }
  }
}

/* ---- Paths -------------------------------------------------------------------------------------------- */

/* True if a point lies on open ground, up to the rounding of portals between tiles. */
static bool is_on_ground(const World *world, const float point[3]) {
  for (size_t s = 0; s < wm_mesh_slot_count(world->mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(world->mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      float closest[3];
      wm_tile_closest_point(tile, p, point, false, closest);
      if (tile->polygon_flags[p] && distance(closest, point) < 0.02f) return true;
    }
  }
  return false;
}

/* Walks a path.
 * out        *crossings: of links
 * returns    its cost; INFINITY: it can't be walked */
static float walk(const World *world, const WmPath *path, int *crossings) {
  float cost = 0;
  for (size_t i = 0; i + 1 < path->point_count; i++) {
    const float *from = path->points + 3 * i, *to = from + 3;
    WmSegmentLink link;
    if (path->point_flags[i] & WM_POINT_OFF_MESH) {
      CHECK_EQUAL_INT(wm_mesh_segment_link(world->mesh, path->point_polygons[i], &link, NULL), WM_OK);
      bool crosses = false;
      for (int back = 0; back < (link.bidirectional ? 2 : 1); back++) {
        float t, other[3];
        if (wm_distance_to_segment(from, back ? link.end[0] : link.start[0],
                                   back ? link.end[1] : link.start[1], &t) > 1e-5f)
          continue;
        wm_interpolate(back ? link.start[0] : link.end[0], back ? link.start[1] : link.end[1], t, other);
        crosses |= distance(other, to) < 3e-3f;
      }
      if (!crosses) return INFINITY;
      cost += link.cost;
      ++*crossings;
      continue;
    }
    for (int k = 0; k <= 40; k++) {
      float at[3];
      wm_interpolate(from, to, (float)k / 40, at);
      if (!is_on_ground(world, at)) return INFINITY;
    }
    cost += distance(from, to);
  }
  return cost;
}

typedef struct Counts {
  int compared, crossing, crossings, shorter, unreachable, limited;
} Counts;

static void compare_pair(World *world, Graph *graph, const Jumps *jumps, uint32_t number, Counts *counts) {
  const WmNearest start = random_place(world->query, world->side, &world->seed),
                  end = random_place(world->query, world->side, &world->seed);
  WmPathOptions options = wm_path_options_default();
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(world->query, start.point, end.point, &options, &path), WM_OK);
  const WmPathState state = path.state;
  int crossings = 0;
  const float plain = walk(world, &path, &crossings);
  CHECK(plain < INFINITY);
  options.search.shortest = true;
  CHECK_EQUAL_INT(wm_query_find_path(world->query, start.point, end.point, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, state);
  counts->unreachable += path.state != WM_PATH_COMPLETE;
  if (path.state != WM_PATH_COMPLETE) return;
  check_corridor(world->mesh, &path);
  crossings = 0;
  const float cost = walk(world, &path, &crossings);
  const float least = find_least(world, graph, jumps, &path.start, &path.end);
  const float slack = 2e-3f + 1e-4f * least; /* corners and samples nearer than 1e-3 are one */
  /* A search that the limit of cones has stopped has a lower bound. */
  const bool is_limited = path.bound < path.cost * 0.999f;
  const bool is_good = (is_limited || cost <= least + slack) && cost <= plain + slack &&
                       fabsf(cost - path.cost) <= 1e-3f * (1 + cost) && path.bound <= path.cost;
  if (!is_good) {
    printf("world %u, side %d, (%g %g) to (%g %g): %.5f, cost %.5f, bound %.5f, graph %.5f, plain %.5f\n",
           number, world->side, (double)start.point[0], (double)start.point[2], (double)end.point[0],
           (double)end.point[2], (double)cost, (double)path.cost, (double)path.bound, (double)least,
           (double)plain);
  }
  counts->limited += is_limited && !world->is_cheap;
  CHECK(is_good);
  counts->compared++;
  counts->crossing += crossings > 0;
  counts->crossings += crossings;
  counts->shorter += cost < plain - 1e-3f;
}

/* Compares paths of a world with its graph. */
static void compare_world(int32_t side, uint32_t number, float factor, int samples, int pairs,
                          Counts *counts) {
  static Graph graph;
  static Jumps jumps;
  World world = open_world(side, number, factor);
  graph.count = 0;
  make_graph(world.mesh, world.query, &graph);
  add_samples(&world, &graph, samples);
  for (size_t i = 0; i < graph.count; i++) {
    for (size_t k = 0; k < graph.count; k++)
      graph.seen[i][k] = sees(world.mesh, world.query, &graph.corners[i], &graph.corners[k]);
  }
  find_jumps(&world, &graph, samples, &jumps);
  for (int i = 0; i < pairs; i++) compare_pair(&world, &graph, &jumps, number, counts);
  close_world(&world);
}

static int rounds_of(const char *name, int standard) {
  const char *text = getenv(name);
  return text ? atoi(text) : standard;
}

static void exact_paths_are_as_short_as_those_of_a_dense_graph(void) {
  const int worlds = rounds_of("WALKMESH_LINK_WORLDS", 8), pairs = rounds_of("WALKMESH_LINK_PAIRS", 12);
  static const float FACTORS[] = {1, 0.5f, 0.1f, 0};
  for (int32_t side = 1; side <= 2; side++) {
    Counts counts = {0};
    for (int world = 1; world <= worlds; world++)
      compare_world(side, (uint32_t)world, FACTORS[world % 4], 33, pairs, &counts);
    printf(
        "%d tiles: %d paths, %d over links (%d crossings), %d shorter than plain, %d limited, %d "
        "unreachable\n",
        side * side, counts.compared, counts.crossing, counts.crossings, counts.shorter, counts.limited,
        counts.unreachable);
    CHECK(counts.limited <= counts.compared / 50);
    CHECK(counts.compared > worlds && counts.crossing > worlds && counts.shorter > worlds / 2);
  }
}

/* ---- Other searches ----------------------------------------------------------------------------------- */

static void slices_and_batches_find_what_one_call_finds(void) {
  int complete = 0, over_links = 0;
  for (uint32_t number = 1; number <= CHECK_ROUNDS(12u); number++) {
    uint32_t slices = number; /* of its own: places don't depend on how much searches do */
    World world = open_world(2, number, 0.4f);
    WmSearch *search = NULL;
    CHECK_EQUAL_INT(wm_search_create(world.context, world.mesh, &search), WM_OK);
    for (int i = 0; i < 10; i++) {
      const WmNearest start = random_place(world.query, 2, &world.seed),
                      end = random_place(world.query, 2, &world.seed);
      WmSearchOptions options = {.shortest = i % 2 == 0, .any_angle = i % 2 == 1};
      CHECK_EQUAL_INT(wm_search_begin(search, start.polygon, start.point, end.polygon, end.point, &options),
                      WM_OK);
      for (bool done = false; !done;)
        CHECK_EQUAL_INT(wm_search_advance(search, 1 + grid_random(&slices) % 9, &done, NULL), WM_OK);
      WmCorridor whole, sliced;
      CHECK_EQUAL_INT(wm_search_finish(search, &sliced), WM_OK);
      CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point,
                                             &options, &whole),
                      WM_OK);
      CHECK(sliced.state == whole.state && sliced.bound == whole.bound);
      CHECK(fabsf(sliced.cost - whole.cost) <= 1e-5f * (1 + whole.cost));
      WmPathOptions path_options = wm_path_options_default();
      path_options.search = options;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, &path_options, &path), WM_OK);
      const float cost = path.cost, length = path.length;
      int crossings = 0;
      CHECK(walk(&world, &path, &crossings) < INFINITY);
      complete += path.state == WM_PATH_COMPLETE;
      over_links += crossings > 0;
      uint8_t state, reason;
      float batch_cost, batch_length;
      uint32_t starts[2];
      const float *points;
      CHECK_EQUAL_INT(
          wm_query_find_path_batch(world.query, 1, start.point, end.point, &path_options, &state, &reason,
                                   &batch_cost, &batch_length, NULL, starts, &points, NULL),
          WM_OK);
      CHECK(batch_cost == cost && batch_length == length);
    }
    wm_search_destroy(search);
    close_world(&world);
  }
  printf("%d complete, %d over links\n", complete, over_links);
  CHECK(complete > CHECK_ROUNDS(60) && over_links > CHECK_ROUNDS(12) / 2);
}

/* Where areas cost differently, the result is never dearer than the ordinary path, or than its bound allows. */
static void costs_of_areas_and_links_are_heeded(void) {
  int over_links = 0, cheaper = 0;
  for (uint32_t number = 1; number <= CHECK_ROUNDS(24u); number++) {
    World world = open_world(2, number, 0.4f);
    const WmRef set = wm_mesh_next_links(world.mesh, 0);
    WmFilter filter = wm_filter_default();
    for (size_t i = 0; i < world.link_count; i++)
      CHECK_EQUAL_INT(wm_mesh_set_polygon_area(world.mesh, set + i, (uint8_t)(1 + i % 3)), WM_OK);
    for (size_t slot = 0; slot < 4; slot++) {
      const WmMeshTile *tile = wm_mesh_tile(world.mesh, slot);
      for (uint32_t p = 0; p < tile->polygon_count; p += 3)
        CHECK_EQUAL_INT(wm_mesh_set_polygon_area(world.mesh, tile->ref + p, 4), WM_OK);
    }
    filter.area_costs[2] = 0.25f;
    filter.area_costs[3] = 4;
    for (int i = 0; i < 10; i++) {
      filter.area_costs[4] = i % 2 ? 1.5f : 1;
      const WmNearest start = random_place(world.query, 2, &world.seed),
                      end = random_place(world.query, 2, &world.seed);
      WmPathOptions options = wm_path_options_default();
      options.search.filter = &filter;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, &options, &path), WM_OK);
      if (path.state != WM_PATH_COMPLETE) continue;
      float plain;
      static WmRef polygons[1000];
      CHECK(path.polygon_count <= 1000);
      memcpy(polygons, path.polygons, path.polygon_count * sizeof *polygons);
      CHECK_EQUAL_INT(wm_query_measure(world.query, path.start.point, path.end.point, polygons,
                                       path.polygon_count, &filter, &plain),
                      WM_OK);
      options.search.shortest = true;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, &options, &path), WM_OK);
      int crossings = 0;
      CHECK(walk(&world, &path, &crossings) < INFINITY);
      CHECK(path.cost <= plain * 1.0001f + 1e-3f && path.bound <= path.cost);
      over_links += crossings > 0;
      cheaper += path.cost < plain * 0.999f;
    }
    close_world(&world);
  }
  CHECK(over_links > CHECK_ROUNDS(24) && cheaper > CHECK_ROUNDS(24));
}

/* The distance of a point on a link's segments from their nearest end, and half the link's width. */
static float find_margin(const WmSegmentLink *link, const float point[3], float *half) {
  float t, other;
  const float near = wm_distance_to_segment(point, link->start[0], link->start[1], &t);
  const float far = wm_distance_to_segment(point, link->end[0], link->end[1], &other);
  if (far < near) t = other;
  *half = wm_segment_link_width(link) / 2;
  return fminf(t, 1 - t) * 2 * *half;
}

/* Paths away from walls also keep away from the ends of links, where the ground lets them; other ways are ways. */
static void wide_paths_and_other_ways_can_be_walked(void) {
  int crossings = 0, wide = 0, ways = 0;
  for (uint32_t number = 1; number <= CHECK_ROUNDS(24u); number++) {
    World world = open_world(2, number, 0.4f);
    for (int i = 0; i < 10; i++) {
      const WmNearest start = random_place(world.query, 2, &world.seed),
                      end = random_place(world.query, 2, &world.seed);
      WmPathOptions options = wm_path_options_default();
      options.search.shortest = i % 2;
      options.search.wall_distance = 0.3f;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, &options, &path), WM_OK);
      CHECK(walk(&world, &path, &crossings) < INFINITY);
      for (size_t k = 0; k < path.point_count; k++) {
        WmSegmentLink link;
        float half;
        if (!(path.point_flags[k] & WM_POINT_OFF_MESH)) continue;
        CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, path.point_polygons[k], &link, NULL), WM_OK);
        const float margin = find_margin(&link, path.points + 3 * k, &half);
        wide += margin >= fminf(0.3f, half) - 1e-3f;
      }
      WmAlternativeOptions more = wm_alternative_options_default();
      more.path.search.shortest = i % 2;
      WmAlternatives found;
      CHECK_EQUAL_INT(wm_query_find_alternatives(world.query, start.point, end.point, &more, &found), WM_OK);
      for (size_t k = 0; k < found.count; k++) {
        int over = 0;
        CHECK(walk(&world, &found.paths[k], &over) < INFINITY);
        ways += k > 0 && over > 0;
      }
    }
    close_world(&world);
  }
  printf("%d crossings, %d away from the ends of links; %d other ways over links\n", crossings, wide, ways);
  CHECK(crossings > CHECK_ROUNDS(24) && wide > crossings / 2 && ways > 0);
}

/* Tile graphs find a way where there is one, and the exact cost lies between their bounds. */
static void tile_graphs_know_where_links_lead(void) {
  int complete = 0, unreachable = 0;
  for (uint32_t number = 1; number <= CHECK_ROUNDS(24u); number++) {
    World world = open_world(2, number, 0.4f);
    WmTileGraph *graph;
    CHECK_EQUAL_INT(wm_tile_graph_create(world.context, world.mesh, NULL, &graph), WM_OK);
    for (int i = 0; i < 12; i++) {
      const WmNearest start = random_place(world.query, 2, &world.seed),
                      end = random_place(world.query, 2, &world.seed);
      WmPathOptions options = wm_path_options_default();
      options.search.shortest = true;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, &options, &path), WM_OK);
      WmLongPath found;
      CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start.point, end.point, NULL, &found), WM_OK);
      const bool is_good = found.state == path.state &&
                           (path.state != WM_PATH_COMPLETE || (found.lower_bound <= path.cost * 1.0001f &&
                                                               found.cost >= path.bound * 0.999f - 1e-3f));
      if (!is_good) {
        printf("world %u: state %d, exact %d; %.4f to %.4f, exact %.4f\n", number, (int)found.state,
               (int)path.state, (double)found.lower_bound, (double)found.cost, (double)path.cost);
      }
      CHECK(is_good);
      complete += path.state == WM_PATH_COMPLETE;
      unreachable += path.state == WM_PATH_UNREACHABLE;
    }
    wm_tile_graph_destroy(graph);
    close_world(&world);
  }
  printf("%d complete, %d unreachable\n", complete, unreachable);
  CHECK(complete > CHECK_ROUNDS(100) / 2);
  CHECK(unreachable > 0 || check_rounds_divisor > 1); /* they are rare */
}

int main(void) {
  RUN(exact_paths_are_as_short_as_those_of_a_dense_graph);
  RUN(slices_and_batches_find_what_one_call_finds);
  RUN(costs_of_areas_and_links_are_heeded);
  RUN(tile_graphs_know_where_links_lead);
  RUN(wide_paths_and_other_ways_can_be_walked);
  return check_finish();
}
