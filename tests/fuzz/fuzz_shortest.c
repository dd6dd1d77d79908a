/* A program of numbers: a world of tiles of triangles and quads, sometimes 100 units from the origin, sometimes with connections and
 * segment links, then pairs of points: on vertices, edges, ends of portals and borders of tiles, or just beside them. Exact shortest paths
 * between them are as long as those of an oracle (line_graph.h), stay on the mesh, and cost their length. Corridors, also of searches in
 * slices, cost the same, and batches have the same paths. */
#include <math.h>

#include "harness.h"
#include "line_graph.h"
#include "mesh/links/segment_links.h"
#include "mesh/locate.h"
#include "query/batch.h"
#include "query/query_internal.h"
#include "query/trace.h"
#include "triangle_tiles.h"

/* Lengths may differ by this, relative to them; those of short paths as if they were 1 long. */
#define SLACK 1e-4

/* Ends of portals at borders of tiles lie up to half a step of an edge beside the polygon behind them. */
#define ROUNDING ((double)GRID_TILE_SIZE / 510)

enum { MOST_PAIRS = 64, FAR_TILE = 12, MOST_CONNECTIONS = 3, MOST_LINKS = 3 };

/* A world, and what was asked in it. */
typedef struct Program {
  FuzzMemory memory;
  FuzzInput input;
  WmMesh *mesh;
  uint32_t tile_count; /* tiles of ground */
  double rounding;     /* how far beside ground lines may lead at borders of tiles */
  bool is_stopped;     /* the search of the last path has reached its limit of cones */
  LineGraph graph;
  WmQuery *query, *traced; /* traced: tells what its searches refuse */
  WmSearch *search;
  /* Pairs and their paths, for the batch. */
  float starts[MOST_PAIRS][3], ends[MOST_PAIRS][3];
  float costs[MOST_PAIRS], lengths[MOST_PAIRS];
  uint8_t states[MOST_PAIRS];
  size_t pair_count;
} Program;

/* ---- Worlds and places -------------------------------------------------------------------------------- */

static TriangleWorld choose_world(FuzzInput *input) {
  return (TriangleWorld){.seed = fuzz_below(input, 65536),
                         .widest = 10 + fuzz_byte(input) % 30,
                         .moved = fuzz_byte(input) % 3,
                         .quads = fuzz_byte(input) % 9,
                         .missing = fuzz_byte(input) % 12,
                         .closed = fuzz_byte(input) % 12};
}

/* Any polygon, open or not. */
static const WmMeshTile *choose_polygon(Program *program, uint32_t *polygon) {
  const WmMeshTile *tile = wm_mesh_tile(program->mesh, fuzz_byte(&program->input) % program->tile_count);
  *polygon = fuzz_below(&program->input, tile->ground_count);
  return tile;
}

/* A point inside a polygon, at a vertex or on an edge of it, or on a portal. */
static void choose_on_polygon(Program *program, float point[3]) {
  FuzzInput *input = &program->input;
  uint32_t p;
  const WmMeshTile *tile = choose_polygon(program, &p);
  const uint32_t kind = fuzz_byte(input) % 6, k = fuzz_byte(input) % tile->polygon_size[p];
  const float *a = wm_tile_vertex(tile, p, k), *b = wm_tile_vertex(tile, p, k + 1),
              *c = wm_tile_vertex(tile, p, k + 2);
  const uint32_t link_count = tile->link_first[p + 1] - tile->link_first[p];
  const float t = kind < 2    ? 0
                  : kind == 2 ? (float)(fuzz_byte(input) % 9) / 8
                              : (float)fuzz_byte(input) / 256;
  if (kind >= 4 && link_count > 0) {
    const float *portal = tile->link_portals + 6 * (size_t)(tile->link_first[p] + k % link_count);
    wm_interpolate(portal, portal + 3, kind == 4 ? roundf(t) : t, point);
    return;
  }
  wm_interpolate(a, b, t, point);
  if (kind == 3) wm_interpolate(point, c, (float)fuzz_byte(input) / 256, point);
}

static void choose_place(Program *program, float point[3]) {
  static const float BESIDE[] = {0, 0, 1e-7f, 1e-6f, 1e-5f, 1e-4f};
  choose_on_polygon(program, point);
  const float beside = BESIDE[fuzz_byte(&program->input) % 6];
  for (int axis = 0; axis < 3 && beside > 0; axis += 2)
    point[axis] += beside * ((float)fuzz_byte(&program->input) - 128) / 128;
}

/* Connections shorter than this aren't made: their ends would be one point of a path. */
#define SHORTEST_CONNECTION 0.1f

static void add_connections(Program *program) {
  const uint32_t count = 1 + fuzz_byte(&program->input) % MOST_CONNECTIONS;
  for (uint32_t i = 0; i < count; i++) {
    WmConnection connection = wm_connection_default(program->mesh);
    choose_place(program, connection.start);
    choose_place(program, connection.end);
    connection.bidirectional = fuzz_byte(&program->input) % 2;
    connection.radius = 0.01f;
    if (wm_distance(connection.start, connection.end) < SHORTEST_CONNECTION) continue;
    WmRef ref;
    FUZZ_REQUIRE(!wm_mesh_add_connection(program->mesh, &connection, &ref));
  }
}

/* A segment from a place: along an edge of a polygon, or in one of eight directions.
 * in         width: of the segment; 0: of the edge */
static void choose_segment(Program *program, float *width, float segment[2][3]) {
  const uint32_t direction = fuzz_byte(&program->input);
  if (direction & 8) {
    choose_place(program, segment[0]);
    const float angle = (float)(direction % 8) * 0.785398163f;
    if (*width == 0) *width = 0.25f + (float)(direction >> 4) / 4;
    const float along[3] = {*width * cosf(angle), 0, *width * sinf(angle)};
    for (int axis = 0; axis < 3; axis++) segment[1][axis] = segment[0][axis] + along[axis];
    return;
  }
  uint32_t p;
  const WmMeshTile *tile = choose_polygon(program, &p);
  const uint32_t k = direction % tile->polygon_size[p];
  const float *a = wm_tile_vertex(tile, p, k), *b = wm_tile_vertex(tile, p, k + 1);
  memcpy(segment[0], direction & 16 ? a : b, sizeof segment[0]);
  memcpy(segment[1], direction & 16 ? b : a, sizeof segment[1]);
  const float length = wm_distance(segment[0], segment[1]);
  if (*width == 0) *width = length;
  wm_interpolate(segment[0], segment[1], *width / length, segment[1]);
}

static void add_links(Program *program) {
  const uint32_t count = 1 + fuzz_byte(&program->input) % MOST_LINKS;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t kind = fuzz_byte(&program->input);
    WmSegmentLink link = {.flags = 1, .enabled = true, .kind = kind % 4, .bidirectional = kind & 4};
    float width = 0;
    choose_segment(program, &width, link.start);
    choose_segment(program, &width, link.end);
    /* Most cost no less than ground. */
    link.cost = wm_segment_link_longest(&link) * (kind & 56 ? 1 + (float)(kind / 64) / 8 : 0.5f);
    WmStatus status = wm_mesh_put_links(program->mesh, 0, 0, WM_NEW_LINK_SET, &link, 1, NULL);
    if (!status) continue;
    /* The other way round: one of the two is accepted. */
    for (int axis = 0; axis < 3; axis++) {
      const float start = link.start[0][axis], end = link.end[0][axis];
      link.start[0][axis] = link.start[1][axis];
      link.end[0][axis] = link.end[1][axis];
      link.start[1][axis] = start;
      link.end[1][axis] = end;
    }
    status = wm_mesh_put_links(program->mesh, 0, 0, WM_NEW_LINK_SET, &link, 1, NULL);
    FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
  }
}

/* ---- One path ----------------------------------------------------------------------------------------- */

typedef enum Fault {
  TOO_LONG = 1,
  TOO_SHORT = 2,
  OFF_MESH = 4,
  COST = 8,
  BOUND = 16,
  STATE = 32,
  CORRIDOR = 64,
  SLICES = 128
} Fault;

static bool are_equal(double a, double b) { return fabs(a - b) <= SLACK * (1 + fmin(a, b)); }

static void note_refused(void *user, const WmTraceEvent *event) {
  if (event->kind == WM_TRACE_LIMITED) *(bool *)user = true;
}

/* Finds if the search of a path reaches its limit of cones: then the path may cost more than the shortest one. */
static bool reaches_limit(const Program *program, const float from[3], const float to[3],
                          const WmPathOptions *options) {
  bool is_refused = false;
  WmPath path;
  wm_query_trace(program->traced, &(WmTraceSink){note_refused, &is_refused});
  FUZZ_REQUIRE(!wm_query_find_path(program->traced, from, to, options, &path));
  wm_query_trace(program->traced, NULL);
  return is_refused;
}

/* True if no path costs less than a bound, and it is near the cost or the search has stopped. */
static bool is_bound(const Program *program, double bound, double cost, double least) {
  return bound <= cost && (program->is_stopped ? bound <= least * (1 + SLACK) : are_equal(bound, cost));
}

/* Walks a path.
 * out        *cost: of the links that it crosses
 * returns    false: it leads beside ground, or over a link that can't be crossed so */
static bool walk_path(Program *program, const WmPath *path, double *cost) {
  /* Points that are nearer than 1/16384 are one. Links lie up to a thousandth of a cell beside ground. */
  const double near = 1e-4 + program->rounding + (program->graph.hop_count > 0 ? 2e-4 : 0);
  float piece[MOST_PAIRS][3];
  size_t count = 0, at = 0, first = 0;
  *cost = 0;
  for (size_t i = 0; i < path->point_count; i++) {
    const float *point = path->points + 3 * i;
    if (count == MOST_PAIRS) return false;
    memcpy(piece[count++], point, sizeof piece[0]);
    const bool is_last = i + 1 == path->point_count, crosses = path->point_flags[i] & WM_POINT_OFF_MESH;
    if (!is_last && !crosses) continue;
    if (count == 1) memcpy(piece[count++], point, sizeof piece[0]);
    while (crosses && at < path->polygon_count && path->polygons[at] != path->point_polygons[i]) at++;
    if (is_last) at = path->polygon_count;
    if (at <= first || (crosses && at + 1 >= path->polygon_count)) return false;
    if (!line_graph_holds(&program->graph, piece[0], count, path->polygons[first], path->polygons[at - 1],
                          near))
      return false;
    if (is_last) return true;
    *cost += line_graph_cross(&program->graph, program->mesh, path->polygons[at - 1], path->polygons[at],
                              path->polygons[at + 1], point, near);
    if (!(*cost < (double)INFINITY)) return false;
    first = ++at;
    count = 0;
  }
  return true;
}

/* Compares a path with the oracle's.
 * out        *least: the cost of the oracle's
 * returns    bits */
static int find_faults(Program *program, const WmPath *path, double *least) {
  *least = line_graph_shortest(&program->graph, path->start.point, path->start.polygon, path->end.point,
                               path->end.polygon);
  if ((path->state == WM_PATH_COMPLETE) != (*least < (double)INFINITY)) return STATE;
  if (path->state != WM_PATH_COMPLETE) return 0;
  const double cost = (double)path->cost, bound = (double)path->bound;
  double links = 0;
  int faults = path->point_count > 1 && !walk_path(program, path, &links) ? OFF_MESH : 0;
  const bool has_segments = wm_mesh_segment_link_count(program->mesh) > 0;
  double length = (double)path->length;
  if (links > 0) length = cost;
  if (length > *least && !program->is_stopped && !are_equal(length, *least)) faults |= TOO_LONG;
  /* Between the oracle's positions of segment links, there can be shorter ways. */
  if (!has_segments && length < *least - SLACK * (1 + *least) - program->rounding * (double)path->point_count)
    faults |= TOO_SHORT;
  /* Where a line leads beside ground, its cost is that of a line on ground. */
  if (!are_equal(cost, length) && !are_equal(cost, *least)) faults |= COST;
  if (!is_bound(program, bound, cost, *least)) faults |= BOUND;
  return faults;
}

/* Compares a corridor with the path between the same points. */
static bool is_like(const Program *program, const WmPath *path, const WmCorridor *corridor, double least) {
  if (corridor->state != path->state) return false;
  if (path->state != WM_PATH_COMPLETE) return true;
  if (wm_query_count_linked(program->mesh, corridor->polygons, corridor->polygon_count) !=
      corridor->polygon_count)
    return false;
  const double cost = (double)corridor->cost, bound = (double)corridor->bound;
  /* A search in slices finds the ordinary corridor first, whose line may lead beside ground. */
  const double slack = program->rounding * (double)corridor->polygon_count;
  const bool is_good = are_equal(cost, (double)path->cost) || (cost < least && cost >= least - slack);
  return (is_good || program->is_stopped || are_equal(cost, least)) && is_bound(program, bound, cost, least);
}

/* Finds the corridor of a path's pair: in one search, or in slices. */
static int find_corridor_faults(Program *program, const WmPath *path, const float from[3], const float to[3],
                                const WmSearchOptions *options, double least) {
  WmCorridor corridor;
  FUZZ_REQUIRE(!wm_search_begin(program->search, path->start.polygon, from, path->end.polygon, to, options));
  const size_t budget = 1 + program->pair_count % 9;
  for (bool done = false; !done;) FUZZ_REQUIRE(!wm_search_advance(program->search, budget, &done, NULL));
  FUZZ_REQUIRE(!wm_search_finish(program->search, &corridor));
  const int faults = is_like(program, path, &corridor, least) ? 0 : SLICES;
  const WmPath copy = *path; /* its arrays are the query's */
  FUZZ_REQUIRE(!wm_query_find_corridor(program->query, path->start.polygon, from, path->end.polygon, to,
                                       options, &corridor));
  return is_like(program, &copy, &corridor, least) ? faults : faults | CORRIDOR;
}

/* Finds the path of a pair of points, and compares it. */
static void compare(Program *program, const float from[3], const float to[3]) {
  WmPathOptions options = wm_path_options_default();
  options.search.shortest = true;
  WmPath path;
  FUZZ_REQUIRE(!wm_query_find_path(program->query, from, to, &options, &path));
  const size_t number = program->pair_count++;
  memcpy(program->starts[number], from, sizeof program->starts[number]);
  memcpy(program->ends[number], to, sizeof program->ends[number]);
  program->costs[number] = path.cost;
  program->lengths[number] = path.length;
  program->states[number] = (uint8_t)path.state;
  if (path.point_count == 0) return;
  double least;
  program->is_stopped =
      !are_equal((double)path.bound, (double)path.cost) && reaches_limit(program, from, to, &options);
  int faults = find_faults(program, &path, &least);
  faults |= find_corridor_faults(program, &path, from, to, &options.search, least);
  if (faults) {
    fprintf(stderr, "faults %d from %.9g %.9g to %.9g %.9g: length %.6f, cost %.6f, bound %.6f, least %.6f\n",
            faults, (double)from[0], (double)from[2], (double)to[0], (double)to[2], (double)path.length,
            (double)path.cost, (double)path.bound, least);
  }
  FUZZ_REQUIRE(faults == 0);
}

/* Finds all paths again in one call. */
static void compare_batch(Program *program) {
  WmPathOptions options = wm_path_options_default();
  options.search.shortest = true;
  uint8_t states[MOST_PAIRS], reasons[MOST_PAIRS], statuses[MOST_PAIRS];
  float costs[MOST_PAIRS], lengths[MOST_PAIRS];
  uint32_t path_starts[MOST_PAIRS + 1];
  const float *points;
  const size_t count = program->pair_count;
  FUZZ_REQUIRE(!wm_query_find_path_batch(program->query, count, program->starts[0], program->ends[0],
                                         &options, states, reasons, costs, lengths, NULL, path_starts,
                                         &points, statuses));
  for (size_t i = 0; i < count; i++)
    FUZZ_REQUIRE(statuses[i] == WM_OK && states[i] == program->states[i] && costs[i] == program->costs[i] &&
                 lengths[i] == program->lengths[i]);
}

/* ---- All ---------------------------------------------------------------------------------------------- */

int fuzz_shortest(const uint8_t *bytes, size_t byte_count) {
  static Program program;
  memset(&program, 0, sizeof program);
  fuzz_begin(&program.memory);
  program.input = (FuzzInput){bytes, byte_count};
  const uint32_t place = fuzz_byte(&program.input);
  const int32_t side = 1 + place % 2, first = place / 2 % 4 == 3 ? FAR_TILE : 0;
  const TriangleWorld world = choose_world(&program.input);
  program.mesh = make_triangle_world_at(program.memory.context, first, side, &world);
  program.tile_count = (uint32_t)(side * side);
  program.rounding = side > 1 ? ROUNDING : 0;
  if (place & 8) add_connections(&program);
  if (place & 16) add_links(&program);
  program.graph = line_graph_make(program.mesh);
  FUZZ_REQUIRE(!wm_query_create(program.memory.context, program.mesh, &program.query));
  FUZZ_REQUIRE(!wm_query_create(program.memory.context, program.mesh, &program.traced));
  FUZZ_REQUIRE(!wm_search_create(program.memory.context, program.mesh, &program.search));
  for (int i = 0; i < MOST_PAIRS && program.input.left > 0; i++) {
    float from[3], to[3];
    choose_place(&program, from);
    choose_place(&program, to);
    compare(&program, from, to);
  }
  compare_batch(&program);
  wm_search_destroy(program.search);
  wm_query_destroy(program.query);
  wm_query_destroy(program.traced);
  line_graph_free(&program.graph);
  wm_mesh_destroy(program.mesh);
  fuzz_end(&program.memory);
  return 0;
}
