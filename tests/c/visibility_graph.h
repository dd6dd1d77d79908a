/* Flat worlds with closed polygons, and the true shortest paths on them: found in the visibility graph of all corners,
 * which shares no code with the searches; what a corner sees is asked by rays. */
#ifndef WALKMESH_TESTS_VISIBILITY_GRAPH_H
#define WALKMESH_TESTS_VISIBILITY_GRAPH_H

#include "golden_queries.h"
#include "mesh/locate.h"
#include "query/local/raycast.h"

enum { CORNER_LIMIT = 1200 };

/* ---- Worlds ------------------------------------------------------------------------------------------- */

/* Flat tiles with closed polygons; with areas, some have one of three. */
static inline WmMesh *make_world(WmContext *context, int32_t side, uint32_t seed, bool areas) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < side * side; i++) {
    const GridTile grid = {.x = i % side,
                           .z = i / side,
                           .seed = seed + (uint32_t)i,
                           .hole = UINT32_MAX,
                           .tree = true,
                           .flat = true};
    add_grid_tile(mesh, &grid);
  }
  for (size_t s = 0; s < (size_t)(side * side); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 5 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0);
      if (areas) wm_mesh_set_polygon_area(mesh, tile->ref + p, (uint8_t)(grid_random(&seed) % 3));
    }
  }
  return mesh;
}

static inline WmNearest random_place(WmQuery *query, int32_t side, uint32_t *seed) {
  static const float HALF_EXTENTS[3] = {30, 30, 30};
  const float centre[3] = {random_between(seed, 0, 8 * (float)side), 0,
                           random_between(seed, 0, 8 * (float)side)};
  WmNearest place;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, centre, HALF_EXTENTS, NULL, &place), WM_OK);
  return place;
}

/* ---- The true shortest path --------------------------------------------------------------------------- */

/* A corner, with one of the polygons that contain it: the ray to another corner may depend on the polygon. */
typedef struct Corner {
  float point[3];
  WmRef polygon;
} Corner;

typedef struct Graph {
  Corner corners[CORNER_LIMIT + 2]; /* the last two: start and end */
  size_t count;
  bool seen[CORNER_LIMIT + 2][CORNER_LIMIT + 2];
} Graph;

/* The link from one polygon to another, or NULL; *portal: its open part. */
static inline const WmLink *find_link(const WmMesh *mesh, WmRef from, WmRef to, const float **portal) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, from);
  const uint32_t p = wm_ref_polygon(from);
  for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
    *portal = tile->link_portals + 6 * (size_t)i;
    const WmLink *link = &tile->links[i];
    if (link->slot == wm_ref_slot(to) && link->polygon == wm_ref_polygon(to)) return link;
  }
  return NULL;
}

static inline bool sees(const WmMesh *mesh, WmQuery *query, const Corner *from, const Corner *to) {
  if (distance(from->point, to->point) < 1e-3f) { /* the same point: from polygon to polygon around it */
    const float *portal;
    float t;
    return find_link(mesh, from->polygon, to->polygon, &portal) &&
           wm_distance_to_segment(from->point, portal, portal + 3, &t) < 1e-6f; /* squared */
  }
  WmRay ray;
  CHECK_EQUAL_INT(wm_query_raycast(query, from->polygon, from->point, to->point, NULL, true, 0, &ray), WM_OK);
  return !ray.hit && !ray.outside && ray.polygon == to->polygon;
}

/* All open polygons at a point. */
static inline void add_corners(const WmMesh *mesh, Graph *graph, const float point[3]) {
  for (size_t i = 0; i < graph->count; i++) {
    if (distance(graph->corners[i].point, point) < 1e-3f) return;
  }
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      float closest[3];
      wm_tile_closest_point(tile, p, point, false, closest);
      if (tile->polygon_flags[p] == 0 || distance(closest, point) > 1e-3f) continue;
      CHECK(graph->count < CORNER_LIMIT);
      if (graph->count == CORNER_LIMIT) return;
      graph->corners[graph->count++] = (Corner){{point[0], point[1], point[2]}, tile->ref + p};
    }
  }
}

/* Ends of portals at the borders of tiles, which lie on 255 steps of the edge. */
static inline void add_portal_ends(const WmMesh *mesh, Graph *graph, const WmMeshTile *tile) {
  for (uint32_t i = 0; i < tile->link_first[tile->ground_count]; i++) {
    const WmLink *link = tile->links + i;
    if (link->low == 0 && link->high == 255) continue;
    add_corners(mesh, graph, tile->link_portals + 6 * (size_t)i);
    add_corners(mesh, graph, tile->link_portals + 6 * (size_t)i + 3);
  }
}

/* The shortest path turns at corners of closed polygons only, and at ends of portals. */
static inline void make_graph(const WmMesh *mesh, WmQuery *query, Graph *graph) {
  graph->count = 0;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      for (uint32_t k = 0; k < tile->polygon_size[p] && !tile->polygon_flags[p]; k++) {
        add_corners(mesh, graph, wm_tile_vertex(tile, p, k));
      }
    }
    if (tile) add_portal_ends(mesh, graph, tile);
  }
  for (size_t i = 0; i < graph->count; i++) {
    for (size_t k = 0; k < graph->count; k++) {
      graph->seen[i][k] = sees(mesh, query, &graph->corners[i], &graph->corners[k]);
    }
  }
}

/* Adds all polygons at a point as corners, and what they see; the caller may set graph->count back. */
static inline void add_point(const WmMesh *mesh, WmQuery *query, Graph *graph, const float point[3]) {
  const size_t first = graph->count;
  add_corners(mesh, graph, point);
  for (size_t i = first; i < graph->count; i++) {
    for (size_t k = 0; k < graph->count; k++) {
      graph->seen[i][k] = sees(mesh, query, &graph->corners[i], &graph->corners[k]);
      graph->seen[k][i] = sees(mesh, query, &graph->corners[k], &graph->corners[i]);
    }
  }
}

/* Dijkstra; corners at the same point are one. */
static inline float find_shortest(const WmMesh *mesh, WmQuery *query, Graph *graph, const WmNearest *start,
                                  const WmNearest *end) {
  const size_t from = graph->count, to = from + 1, count = to + 1;
  graph->corners[from] = (Corner){{start->point[0], start->point[1], start->point[2]}, start->polygon};
  graph->corners[to] = (Corner){{end->point[0], end->point[1], end->point[2]}, end->polygon};
  for (size_t i = 0; i < count; i++) {
    graph->seen[from][i] = sees(mesh, query, &graph->corners[from], &graph->corners[i]);
    graph->seen[i][to] = sees(mesh, query, &graph->corners[i], &graph->corners[to]);
  }
  static float costs[CORNER_LIMIT + 2];
  static bool closed[CORNER_LIMIT + 2];
  for (size_t i = 0; i < count; i++) costs[i] = INFINITY;
  memset(closed, 0, sizeof closed);
  costs[from] = 0;
  for (;;) {
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
      if (!closed[i] && costs[i] < INFINITY && (best == count || costs[i] < costs[best])) best = i;
    }
    if (best == count || best == to) return costs[to];
    closed[best] = true;
    for (size_t i = 0; i < count; i++) {
      const float step = distance(graph->corners[best].point, graph->corners[i].point);
      if (graph->seen[best][i] && costs[best] + step < costs[i]) costs[i] = costs[best] + step;
    }
  }
}

static inline bool are_linked(const WmMesh *mesh, WmRef from, WmRef to) {
  const float *portal;
  return find_link(mesh, from, to, &portal) != NULL;
}

/* The polygons of a path are linked each to the next and open. */
static inline void check_corridor(const WmMesh *mesh, const WmPath *path) {
  CHECK(path->polygons[0] == path->start.polygon);
  for (size_t i = 0; i + 1 < path->polygon_count; i++) {
    CHECK(are_linked(mesh, path->polygons[i], path->polygons[i + 1]));
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, path->polygons[i + 1]);
    CHECK(tile->polygon_flags[wm_ref_polygon(path->polygons[i + 1])] != 0);
  }
}

/* Finds the ordinary path and the one with `options`, which must end in the same state.
 * out        *length: of the ordinary path; *path: with the options, its corridor checked
 * returns    true: it is complete */
static inline bool find_both(const WmMesh *mesh, WmQuery *query, const WmNearest *start, const WmNearest *end,
                             const WmPathOptions *options, float *length, WmPath *path) {
  const WmPathOptions ordinary = wm_path_options_default();
  WmPath plain;
  CHECK_EQUAL_INT(wm_query_find_path(query, start->point, end->point, &ordinary, &plain), WM_OK);
  *length = plain.length;
  const WmPathState state = plain.state;
  CHECK_EQUAL_INT(wm_query_find_path(query, start->point, end->point, options, path), WM_OK);
  CHECK_EQUAL_INT(path->state, state);
  check_corridor(mesh, path);
  if (path->state != WM_PATH_COMPLETE) return false;
  CHECK(path->polygons[path->polygon_count - 1] == path->end.polygon);
  return true;
}

/* A point of a polygon: any one, or a vertex, or the middle of an edge. */
static inline WmNearest choose_place(WmQuery *query, const WmMesh *mesh, int32_t side, uint32_t *seed) {
  WmNearest place = random_place(query, side, seed);
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, place.polygon);
  const uint32_t p = wm_ref_polygon(place.polygon), k = grid_random(seed) % tile->polygon_size[p];
  const float *a = wm_tile_vertex(tile, p, k), *b = wm_tile_vertex(tile, p, k + 1);
  const uint32_t kind = grid_random(seed) % 4;
  for (int i = 0; i < 3 && kind < 2; i++) place.point[i] = kind ? a[i] : (a[i] + b[i]) / 2;
  return place;
}

#endif
