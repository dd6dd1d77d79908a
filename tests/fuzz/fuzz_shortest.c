/* A program of numbers: a world of tiles of triangles and quads, sometimes 100 units from the origin, then pairs of points: on vertices,
 * edges, ends of portals and borders of tiles, or just beside them. Exact shortest paths between them are as long as those of an oracle
 * (line_graph.h), stay on the mesh, and cost their length. */
#include <math.h>

#include "harness.h"
#include "line_graph.h"
#include "mesh/locate.h"
#include "query/query_internal.h"
#include "triangle_tiles.h"

/* Lengths may differ by this, relative to them; those of short paths as if they were 1 long. */
#define SLACK 1e-4

/* Ends of portals at borders of tiles lie up to half a step of an edge beside the polygon behind them. */
#define ROUNDING ((double)GRID_TILE_SIZE / 510)

enum { MOST_PAIRS = 64, FAR_TILE = 12 };

static TriangleWorld choose_world(FuzzInput *input) {
  return (TriangleWorld){.seed = fuzz_below(input, 65536),
                         .widest = 10 + fuzz_byte(input) % 30,
                         .moved = fuzz_byte(input) % 3,
                         .quads = fuzz_byte(input) % 9,
                         .missing = fuzz_byte(input) % 12,
                         .closed = fuzz_byte(input) % 12};
}

/* Any polygon, open or not. */
static const WmMeshTile *choose_polygon(FuzzInput *input, const WmMesh *mesh, uint32_t *polygon) {
  const WmMeshTile *tile = wm_mesh_tile(mesh, fuzz_byte(input) % wm_mesh_slot_count(mesh));
  *polygon = fuzz_below(input, tile->ground_count);
  return tile;
}

/* A point inside a polygon, at a vertex or on an edge of it, or on a portal. */
static void choose_on_polygon(FuzzInput *input, const WmMesh *mesh, float point[3]) {
  uint32_t p;
  const WmMeshTile *tile = choose_polygon(input, mesh, &p);
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

static void choose_place(FuzzInput *input, const WmMesh *mesh, float point[3]) {
  static const float BESIDE[] = {0, 0, 1e-7f, 1e-6f, 1e-5f, 1e-4f};
  choose_on_polygon(input, mesh, point);
  const float beside = BESIDE[fuzz_byte(input) % 6];
  for (int axis = 0; axis < 3 && beside > 0; axis += 2)
    point[axis] += beside * ((float)fuzz_byte(input) - 128) / 128;
}

typedef enum Fault { TOO_LONG = 1, TOO_SHORT = 2, OFF_MESH = 4, COST = 8, BOUND = 16, STATE = 32 } Fault;

static bool are_equal(double a, double b) { return fabs(a - b) <= SLACK * (1 + fmin(a, b)); }

/* Compares a path with the oracle's.
 * in         rounding: how far beside ground lines may lead at borders of tiles
 * returns    bits */
static int find_faults(LineGraph *graph, const WmPath *path, double rounding, double *least) {
  *least =
      line_graph_shortest(graph, path->start.point, path->start.polygon, path->end.point, path->end.polygon);
  if ((path->state == WM_PATH_COMPLETE) != (*least < (double)INFINITY)) return STATE;
  if (path->state != WM_PATH_COMPLETE) return 0;
  const double length = (double)path->length, cost = (double)path->cost, bound = (double)path->bound;
  int faults = are_equal(length, *least) ? 0 : length > *least ? TOO_LONG : 0;
  if (length < *least - SLACK * (1 + *least) - rounding * (double)path->point_count) faults |= TOO_SHORT;
  /* Points that are nearer than 1/16384 are one. */
  if (path->point_count > 1 && !line_graph_holds(graph, path->points, path->point_count, path->start.polygon,
                                                 path->end.polygon, 1e-4 + rounding))
    faults |= OFF_MESH;
  /* Where a line leads beside ground, its cost is that of a line on ground. */
  if (!are_equal(cost, length) && !are_equal(cost, *least)) faults |= COST;
  if (!(bound <= cost) || !are_equal(bound, cost)) faults |= BOUND;
  return faults;
}

/* Finds the path of a pair of points, and compares it. */
static void compare(const WmMesh *mesh, WmQuery *query, LineGraph *graph, const float from[3],
                    const float to[3]) {
  WmPathOptions options = wm_path_options_default();
  options.search.shortest = true;
  WmPath path;
  FUZZ_REQUIRE(!wm_query_find_path(query, from, to, &options, &path));
  if (path.point_count == 0) return;
  double least;
  const int faults = find_faults(graph, &path, wm_mesh_slot_count(mesh) > 1 ? ROUNDING : 0, &least);
  if (faults) {
    fprintf(stderr, "faults %d from %.9g %.9g to %.9g %.9g: length %.6f, cost %.6f, bound %.6f, least %.6f\n",
            faults, (double)from[0], (double)from[2], (double)to[0], (double)to[2], (double)path.length,
            (double)path.cost, (double)path.bound, least);
  }
  FUZZ_REQUIRE(faults == 0);
}

int fuzz_shortest(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  FuzzInput input = {bytes, byte_count};
  const uint32_t place = fuzz_byte(&input);
  const int32_t side = 1 + place % 2, first = place / 2 % 4 == 3 ? FAR_TILE : 0;
  const TriangleWorld world = choose_world(&input);
  WmMesh *mesh = make_triangle_world_at(memory.context, first, side, &world);
  LineGraph graph = line_graph_make(mesh);
  WmQuery *query = NULL;
  FUZZ_REQUIRE(!wm_query_create(memory.context, mesh, &query));
  for (int i = 0; i < MOST_PAIRS && input.left > 0; i++) {
    float from[3], to[3];
    choose_place(&input, mesh, from);
    choose_place(&input, mesh, to);
    compare(mesh, query, &graph, from, to);
  }
  wm_query_destroy(query);
  line_graph_free(&graph);
  wm_mesh_destroy(mesh);
  fuzz_end(&memory);
  return 0;
}
