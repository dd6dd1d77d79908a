/* Walks lines over ground. See line_graph.h. */
#include "line_graph.h"

#include <math.h>

#include "base/vector.h"
#include "harness.h"
#include "mesh/links/link_crossing.h"
#include "mesh/mesh_internal.h"

/* Points nearer to each other than this touch, relative to the largest coordinate, which counts as at least 10. */
#define TOUCH 2e-7

/* How far beside ground segment links begin and end at most: a thousandth of a cell. */
#define BESIDE_GROUND 1e-4

/* ---- Points ------------------------------------------------------------------------------------------- */

static LinePoint subtract(LinePoint a, LinePoint b) { return (LinePoint){a.x - b.x, a.z - b.z}; }
static double cross(LinePoint a, LinePoint b) { return a.x * b.z - b.x * a.z; }
static double dot(LinePoint a, LinePoint b) { return a.x * b.x + a.z * b.z; }
static double length_of(LinePoint a) { return sqrt(a.x * a.x + a.z * a.z); }
static LinePoint point_of(const float at[3]) { return (LinePoint){(double)at[0], (double)at[2]}; }

static LinePoint mix(LinePoint a, LinePoint b, double t) {
  return (LinePoint){a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t};
}

static double distance_to_segment(LinePoint point, LinePoint a, LinePoint b) {
  const LinePoint along = subtract(b, a), to = subtract(point, a);
  const double squared = dot(along, along), t = squared > 0 ? dot(to, along) / squared : 0;
  return length_of(subtract(point, mix(a, b, fmin(fmax(t, 0), 1))));
}

/* How far a point lies outside the line of an edge. Vertices go round clockwise, seen from above. */
static double distance_outside(LinePoint point, LinePoint a, LinePoint b) {
  const LinePoint along = subtract(b, a);
  return -cross(subtract(point, a), along) / length_of(along);
}

static bool contains(const LinePolygon *polygon, LinePoint point, double near) {
  bool is_inside = true;
  for (uint32_t k = 0; k < polygon->size; k++) {
    const LinePoint a = polygon->vertices[k], b = polygon->vertices[(k + 1) % polygon->size];
    if (distance_to_segment(point, a, b) <= near) return true;
    is_inside &= distance_outside(point, a, b) <= 0;
  }
  return is_inside;
}

/* ---- Ground ------------------------------------------------------------------------------------------- */

static void *allocate(size_t count, size_t bytes) {
  void *items = calloc(count + 1, bytes);
  FUZZ_REQUIRE(items);
  return items;
}

static bool is_ground(const WmMeshTile *tile, uint32_t polygon) {
  return polygon < tile->ground_count && tile->polygon_flags[polygon] != 0;
}

uint32_t line_graph_polygon(const LineGraph *graph, WmRef ref) {
  for (uint32_t i = 0; i < graph->polygon_count; i++) {
    if (graph->polygons[i].ref == ref) return i;
  }
  return UINT32_MAX;
}

static void add_polygons(const WmMesh *mesh, LineGraph *graph) {
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      if (!is_ground(tile, p)) continue;
      LinePolygon *polygon = graph->polygons + graph->polygon_count++;
      polygon->ref = tile->ref + p;
      polygon->size = tile->polygon_size[p];
      for (uint32_t k = 0; k < polygon->size; k++)
        polygon->vertices[k] = point_of(tile->vertices + 3 * (size_t)tile->polygon_vertices[6 * p + k]);
    }
  }
}

/* Limits a portal to the polygon behind it: at borders of tiles its ends are rounded to steps of an edge.
 * returns    false: nothing is left */
static bool clip(const LinePolygon *to, double near, LinePoint portal[2]) {
  double low = 0, high = 1;
  for (uint32_t k = 0; k < to->size; k++) {
    const LinePoint a = to->vertices[k], b = to->vertices[(k + 1) % to->size];
    const double first = distance_outside(portal[0], a, b) - near,
                 last = distance_outside(portal[1], a, b) - near;
    if (first > 0 && last > 0) return false;
    if (first > 0) low = fmax(low, first / (first - last));
    if (last > 0) high = fmin(high, first / (first - last));
  }
  if (low > high) return false;
  const LinePoint from = portal[0], until = portal[1];
  portal[0] = mix(from, until, low);
  portal[1] = mix(from, until, high);
  return true;
}

static void add_links(const WmMesh *mesh, LineGraph *graph) {
  for (uint32_t i = 0; i < graph->polygon_count; i++) {
    LinePolygon *polygon = graph->polygons + i;
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon->ref);
    const uint32_t p = wm_ref_polygon(polygon->ref);
    polygon->first_link = graph->link_count;
    for (uint32_t k = tile->link_first[p]; k < tile->link_first[p + 1]; k++) {
      const WmMeshTile *target = wm_mesh_tile(mesh, tile->links[k].slot);
      if (!is_ground(target, tile->links[k].polygon)) continue;
      const float *portal = tile->link_portals + 6 * (size_t)k;
      LineLink link = {line_graph_polygon(graph, target->ref + tile->links[k].polygon),
                       {point_of(portal), point_of(portal + 3)}};
      if (target == tile || clip(graph->polygons + link.to, graph->touch / 4, link.portal))
        graph->links[graph->link_count++] = link;
    }
    polygon->end_link = graph->link_count;
  }
}

/* ---- Hops --------------------------------------------------------------------------------------------- */

enum { HOP_LIMIT = 4096, SAMPLES = 16 /* steps along a segment link */ };

static void add_hop(LineGraph *graph, LineHop hop) {
  FUZZ_REQUIRE(graph->hop_count < HOP_LIMIT);
  if (hop.polygons[0] == UINT32_MAX || hop.polygons[1] == UINT32_MAX) return;
  graph->has_cheap_hops |= hop.cost < length_of(subtract(hop.ends[1], hop.ends[0])) * (1 - 1e-6);
  graph->hops[graph->hop_count++] = hop;
}

/* Adds the ways over a connection from the end that a link of a polygon leads to. */
static void add_connection(const WmMesh *mesh, LineGraph *graph, uint32_t from, const WmMeshTile *tile,
                           uint32_t link) {
  const WmMeshTile *own = wm_mesh_tile(mesh, tile->links[link].slot);
  const uint32_t p = tile->links[link].polygon;
  if (own->polygon_flags[p] == 0) return;
  const LinePoint start = point_of(tile->link_portals + 6 * (size_t)link);
  for (uint32_t k = own->link_first[p]; k < own->link_first[p + 1]; k++) {
    const WmMeshTile *target = wm_mesh_tile(mesh, own->links[k].slot);
    const LinePoint end = point_of(own->link_portals + 6 * (size_t)k);
    const double length = length_of(subtract(end, start));
    if (length == 0) continue; /* where it was entered */
    const uint32_t to = line_graph_polygon(graph, target->ref + own->links[k].polygon);
    add_hop(graph, (LineHop){own->ref + p, {from, to}, {start, end}, {0}, length});
  }
}

static LinePoint point_of_crossing(const WmLinkCrossing *crossing, uint32_t side, double across) {
  float point[3];
  wm_link_crossing_point(crossing, side, (float)across, point);
  return point_of(point);
}

/* Adds the ways from one tie of a segment link to another one. */
static void add_crossing(const WmMesh *mesh, LineGraph *graph, const WmMeshTile *set, uint32_t number,
                         const WmLinkTie *const ties[2]) {
  WmLinkCrossing crossing;
  if (!wm_link_crossing_between(set, number, ties[0], ties[1], &crossing)) return;
  LineHop hop = {.over = set->ref + number, .cost = (double)crossing.link->cost};
  for (int i = 0; i < 2; i++)
    hop.polygons[i] = line_graph_polygon(graph, wm_mesh_tile(mesh, ties[i]->slot)->ref + ties[i]->polygon);
  const double low = (double)crossing.low, high = (double)crossing.high;
  for (int k = -1; k <= SAMPLES + 1; k++) {
    const double across = k < 0 ? low : k > SAMPLES ? high : (double)k / SAMPLES;
    if (across < low || across > high) continue;
    for (uint32_t side = 0; side < 2; side++) hop.ends[side] = point_of_crossing(&crossing, side, across);
    add_hop(graph, hop);
  }
}

static void add_segment_link(const WmMesh *mesh, LineGraph *graph, const WmMeshTile *set, uint32_t number) {
  if (set->polygon_flags[number] == 0 || set->tie_first[number] == set->tie_first[number + 1]) return;
  const WmLinkTie *first = set->ties + set->tie_first[number], *end = set->ties + set->tie_first[number + 1];
  for (const WmLinkTie *from = first; from < end; from++) {
    for (const WmLinkTie *to = first; to < end; to++) {
      if (from->is_entry && to->is_exit)
        add_crossing(mesh, graph, set, number, (const WmLinkTie *[2]){from, to});
    }
  }
}

static void add_hops(const WmMesh *mesh, LineGraph *graph) {
  for (uint32_t i = 0; i < graph->polygon_count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, graph->polygons[i].ref);
    const uint32_t p = wm_ref_polygon(graph->polygons[i].ref);
    for (uint32_t k = tile->link_first[p]; k < tile->link_first[p + 1]; k++) {
      const WmMeshTile *target = wm_mesh_tile(mesh, tile->links[k].slot);
      if (!target->segments && tile->links[k].polygon >= target->ground_count)
        add_connection(mesh, graph, i, tile, k);
    }
  }
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *set = wm_mesh_tile(mesh, slot);
    for (uint32_t p = 0; set && set->segments && p < set->polygon_count; p++)
      add_segment_link(mesh, graph, set, p);
  }
}

/* True if a hop begins or ends at a point of a polygon. */
static bool has_hop(const LineGraph *graph, LinePoint point, uint32_t polygon) {
  for (uint32_t i = 0; i < graph->hop_count; i++) {
    const LineHop *hop = graph->hops + i;
    for (int end = 0; end < 2; end++) {
      if (hop->polygons[end] == polygon && hop->ends[end].x == point.x && hop->ends[end].z == point.z)
        return true;
    }
  }
  return false;
}

/* Finds the states of all hops. */
static void find_hop_states(LineGraph *graph) {
  for (uint32_t i = 0; i < 2 * graph->hop_count; i++) {
    LineHop *hop = graph->hops + i / 2;
    const LinePoint at = hop->ends[i % 2];
    uint32_t s = 0;
    for (; s < graph->state_count; s++) {
      const LinePoint corner = graph->corners[graph->states[s].corner];
      if (graph->states[s].polygon == hop->polygons[i % 2] && corner.x == at.x && corner.z == at.z) break;
    }
    FUZZ_REQUIRE(s < graph->state_count);
    hop->states[i % 2] = s;
  }
}

/* The cost of crossing a segment link over one of its segments. */
static double cross_segment(const WmMesh *mesh, uint32_t entry, WmRef from, WmRef over, WmRef to,
                            const float points[6], double near) {
  WmLinkCrossing crossing;
  if (!wm_mesh_find_crossing_from(mesh, entry, from, over, to, &crossing)) return (double)INFINITY;
  const double across = (double)wm_link_crossing_nearest(&crossing, 0, points);
  for (uint32_t side = 0; side < 2; side++) {
    const LinePoint at = point_of_crossing(&crossing, side, across);
    if (length_of(subtract(at, point_of(points + 3 * (size_t)side))) > near) return (double)INFINITY;
  }
  return (double)crossing.link->cost;
}

double line_graph_cross(const LineGraph *graph, const WmMesh *mesh, WmRef from, WmRef over, WmRef to,
                        const float points[6], double near) {
  if (wm_mesh_tile_of(mesh, over)->segments)
    return fmin(cross_segment(mesh, 0, from, over, to, points, near),
                cross_segment(mesh, 1, from, over, to, points, near));
  const uint32_t first = line_graph_polygon(graph, from), last = line_graph_polygon(graph, to);
  for (uint32_t i = 0; i < graph->hop_count; i++) {
    const LineHop *hop = graph->hops + i;
    if (hop->over == over && hop->polygons[0] == first && hop->polygons[1] == last &&
        length_of(subtract(hop->ends[0], point_of(points))) <= near &&
        length_of(subtract(hop->ends[1], point_of(points + 3))) <= near)
      return hop->cost;
  }
  return (double)INFINITY;
}

/* ---- Corners ------------------------------------------------------------------------------------------ */

/* The angle of a polygon at a point: of its corner, half a turn on an edge. */
static double angle_at(const LinePolygon *polygon, LinePoint point, double near) {
  for (uint32_t k = 0; k < polygon->size; k++) {
    const LinePoint at = polygon->vertices[k];
    if (length_of(subtract(at, point)) > near) continue;
    const LinePoint a = subtract(polygon->vertices[(k + 1) % polygon->size], at),
                    b = subtract(polygon->vertices[(k + polygon->size - 1) % polygon->size], at);
    return atan2(fabs(cross(a, b)), dot(a, b));
  }
  return 3.141592653589793;
}

static bool is_known(const LineGraph *graph, LinePoint point) {
  for (uint32_t i = 0; i < graph->corner_count; i++) {
    if (graph->corners[i].x == point.x && graph->corners[i].z == point.z) return true;
  }
  return false;
}

/* Adds a point as a corner, unless the polygons around it leave no line a reason to turn there.
 * in         is_certain: it is a corner in any case */
static void add_corner(LineGraph *graph, LinePoint point, bool is_certain) {
  if (is_known(graph, point)) return;
  double angle = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->polygon_count; i++) {
    if (!contains(graph->polygons + i, point, graph->touch) && !has_hop(graph, point, i)) continue;
    angle += angle_at(graph->polygons + i, point, graph->touch);
    graph->states[graph->state_count + count++] = (LineState){.corner = graph->corner_count, .polygon = i};
  }
  if (!is_certain && (angle < 3.1415 || angle > 6.283)) return;
  graph->state_count += count;
  graph->corners[graph->corner_count++] = point;
  graph->first_state[graph->corner_count] = graph->state_count;
}

/* Adds ends of hops, vertices, and ends of portals that are no vertices of their polygon. */
static void add_corners(LineGraph *graph) {
  for (uint32_t i = 0; i < 2 * graph->hop_count; i++) add_corner(graph, graph->hops[i / 2].ends[i % 2], true);
  for (uint32_t i = 0; i < graph->polygon_count; i++) {
    const LinePolygon *polygon = graph->polygons + i;
    for (uint32_t k = polygon->first_link; k < polygon->end_link; k++) {
      const bool is_border = (graph->polygons[graph->links[k].to].ref ^ polygon->ref) >> WM_REF_POLYGON_BITS;
      for (int end = 0; end < 2 && is_border; end++) add_corner(graph, graph->links[k].portal[end], true);
    }
  }
  for (uint32_t i = 0; i < graph->polygon_count; i++) {
    for (uint32_t k = 0; k < graph->polygons[i].size; k++)
      add_corner(graph, graph->polygons[i].vertices[k], false);
  }
}

LineGraph line_graph_make(const WmMesh *mesh) {
  size_t polygons = 0, links = 0;
  double most = 10;
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    if (!tile) continue;
    polygons += tile->ground_count;
    links += tile->link_first[tile->ground_count];
    for (int axis = 0; axis < 3; axis += 2)
      most = fmax(most, fmax(fabs((double)tile->bounds_min[axis]), fabs((double)tile->bounds_max[axis])));
  }
  const size_t corners = WM_TILE_VERTICES_PER_POLYGON * polygons + 2 * links + 2 * (size_t)HOP_LIMIT;
  LineGraph graph = {.touch = TOUCH * most,
                     .hops = allocate(HOP_LIMIT, sizeof(LineHop)),
                     .polygons = allocate(polygons, sizeof(LinePolygon)),
                     .links = allocate(links, sizeof(LineLink)),
                     .corners = allocate(corners, sizeof(LinePoint)),
                     .states = allocate(8 * corners, sizeof(LineState)),
                     .first_state = allocate(corners + 1, sizeof(uint32_t)),
                     .reached = allocate(polygons, sizeof(uint32_t))};
  add_polygons(mesh, &graph);
  add_links(mesh, &graph);
  for (uint32_t i = 0; i < graph.polygon_count; i++) graph.polygons[i].entry = INFINITY;
  add_hops(mesh, &graph);
  add_corners(&graph);
  find_hop_states(&graph);
  return graph;
}

void line_graph_free(LineGraph *graph) {
  for (uint32_t i = 0; i < graph->state_count; i++) free(graph->states[i].seen);
  free(graph->polygons);
  free(graph->links);
  free(graph->corners);
  free(graph->states);
  free(graph->first_state);
  free(graph->reached);
  free(graph->hops);
}

/* ---- One line ----------------------------------------------------------------------------------------- */

typedef struct WalkedLine {
  LinePoint from, along; /* along: of length 1 */
  double length, near;
} WalkedLine;

static WalkedLine line_between(LinePoint from, LinePoint to, double near) {
  const LinePoint way = subtract(to, from);
  const double length = length_of(way);
  const LinePoint along = length > 0 ? (LinePoint){way.x / length, way.z / length} : (LinePoint){1, 0};
  return (WalkedLine){from, along, length, near};
}

/* Where along a line a portal touches it.
 * out        *low, *high
 * returns    false: nowhere */
static bool find_touch(const WalkedLine *line, const LinePoint portal[2], double *low, double *high) {
  const LinePoint a = subtract(portal[0], line->from), b = subtract(portal[1], line->from);
  const double beside = cross(line->along, a), change = cross(line->along, b) - beside;
  double first = 0, last = 1;
  if (change != 0) {
    const double t = (-line->near - beside) / change, u = (line->near - beside) / change;
    first = fmax(0, fmin(t, u));
    last = fmin(1, fmax(t, u));
  }
  if (first > last || (change == 0 && fabs(beside) > line->near)) return false;
  const double begin = dot(line->along, a), end = dot(line->along, b);
  const double t = begin + (end - begin) * first, u = begin + (end - begin) * last;
  *low = fmin(t, u) - line->near;
  *high = fmax(t, u) + line->near;
  return *high >= 0 && *low <= line->length;
}

/* Enters a polygon at a place of the line. */
static void enter(LineGraph *graph, uint32_t polygon, double at) {
  double *entry = &graph->polygons[polygon].entry;
  if (*entry == (double)INFINITY) graph->reached[graph->reached_count++] = polygon;
  *entry = fmin(*entry, at);
}

/* Forgets the polygons of the last line. */
static void leave(LineGraph *graph) {
  for (uint32_t i = 0; i < graph->reached_count; i++)
    graph->polygons[graph->reached[i]].entry = (double)INFINITY;
  graph->reached_count = 0;
}

/* Walks a line from the polygons that were entered at its start. */
static void walk(LineGraph *graph, const WalkedLine *line) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < graph->reached_count; i++) {
      const LinePolygon *polygon = graph->polygons + graph->reached[i];
      for (uint32_t k = polygon->first_link; k < polygon->end_link; k++) {
        const LineLink *link = graph->links + k;
        const double before = graph->polygons[link->to].entry;
        double low, high;
        if (before <= polygon->entry || !find_touch(line, link->portal, &low, &high) || high < polygon->entry)
          continue;
        const double at = fmax(polygon->entry, low);
        if (at >= before) continue;
        enter(graph, link->to, at);
        changed = true;
      }
    }
  }
}

static bool is_reached(const LineGraph *graph, uint32_t polygon) {
  return graph->polygons[polygon].entry < (double)INFINITY;
}

bool line_graph_holds(LineGraph *graph, const float *points, size_t count, WmRef start_polygon,
                      WmRef end_polygon, double near) {
  enum { MOST = 256 };
  uint32_t polygons[MOST] = {line_graph_polygon(graph, start_polygon)};
  size_t polygon_count = 1;
  for (size_t i = 0; i + 1 < count; i++) {
    const LinePoint to = point_of(points + 3 * (i + 1));
    const WalkedLine line = line_between(point_of(points + 3 * i), to, near);
    for (size_t k = 0; k < polygon_count; k++) enter(graph, polygons[k], 0);
    walk(graph, &line);
    polygon_count = 0;
    for (uint32_t k = 0; k < graph->reached_count && polygon_count < MOST; k++) {
      if (contains(graph->polygons + graph->reached[k], to, near))
        polygons[polygon_count++] = graph->reached[k];
    }
    leave(graph);
  }
  const uint32_t end = line_graph_polygon(graph, end_polygon);
  for (size_t k = 0; k < polygon_count; k++) {
    if (polygons[k] == end) return true;
  }
  return false;
}

/* ---- The shortest line -------------------------------------------------------------------------------- */

/* Finds the states that can be seen from a point in a polygon.
 * out        seen [state_count]
 * returns    their number */
static uint32_t look_around(LineGraph *graph, LinePoint from, uint32_t polygon, uint32_t *seen) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->corner_count; i++) {
    const WalkedLine line = line_between(from, graph->corners[i], graph->touch);
    enter(graph, polygon, 0);
    walk(graph, &line);
    for (uint32_t s = graph->first_state[i]; s < graph->first_state[i + 1]; s++) {
      if (is_reached(graph, graph->states[s].polygon)) seen[count++] = s;
    }
    leave(graph);
  }
  return count;
}

static void look_from_state(LineGraph *graph, LineState *state) {
  if (state->seen) return;
  uint32_t *seen = allocate(graph->state_count, sizeof *seen);
  state->seen_count = look_around(graph, graph->corners[state->corner], state->polygon, seen);
  state->seen = realloc(seen, (state->seen_count + 1) * sizeof *seen);
  FUZZ_REQUIRE(state->seen);
}

static bool sees(LineGraph *graph, LinePoint from, uint32_t polygon, LinePoint to, uint32_t end) {
  const WalkedLine line = line_between(from, to, graph->touch);
  enter(graph, polygon, 0);
  walk(graph, &line);
  const bool is_seen = is_reached(graph, end);
  leave(graph);
  return is_seen;
}

static void relax(LineGraph *graph, LinePoint from, double cost, const uint32_t *seen, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    LineState *state = graph->states + seen[i];
    state->cost = fmin(state->cost, cost + length_of(subtract(graph->corners[state->corner], from)));
  }
}

/* The length of a way from a point of a polygon to the next one and back to the point, which may lie beside that one.
 * returns    INFINITY: it is farther away, or the polygons aren't linked there */
static double step_over(const LineGraph *graph, uint32_t from, uint32_t to, LinePoint point) {
  if (from == to) return 0;
  double least = (double)INFINITY;
  for (uint32_t k = graph->polygons[from].first_link; k < graph->polygons[from].end_link; k++) {
    const LineLink *link = graph->links + k;
    if (link->to == to) least = fmin(least, 2 * distance_to_segment(point, link->portal[0], link->portal[1]));
  }
  return least <= 2 * BESIDE_GROUND ? least : (double)INFINITY;
}

/* Goes over the hops from a state: also from the polygon beside that of the hop, and to those beside its end's. */
static void hop(LineGraph *graph, uint32_t number) {
  const LineState *from = graph->states + number;
  for (uint32_t i = 0; i < graph->hop_count; i++) {
    const LineHop *over = graph->hops + i;
    if (graph->states[over->states[0]].corner != from->corner) continue;
    const double cost =
        from->cost + step_over(graph, from->polygon, over->polygons[0], over->ends[0]) + over->cost;
    const uint32_t corner = graph->states[over->states[1]].corner;
    for (uint32_t s = graph->first_state[corner]; s < graph->first_state[corner + 1]; s++) {
      LineState *to = graph->states + s;
      to->cost = fmin(to->cost, cost + step_over(graph, over->polygons[1], to->polygon, over->ends[1]));
    }
  }
}

double line_graph_shortest(LineGraph *graph, const float start[3], WmRef start_polygon, const float end[3],
                           WmRef end_polygon) {
  const LinePoint from = point_of(start), to = point_of(end);
  const uint32_t first = line_graph_polygon(graph, start_polygon),
                 last = line_graph_polygon(graph, end_polygon);
  FUZZ_REQUIRE(first != UINT32_MAX && last != UINT32_MAX);
  double least = (double)INFINITY;
  if (sees(graph, from, first, to, last)) least = length_of(subtract(to, from));
  if (least < (double)INFINITY && !graph->has_cheap_hops) return least;
  for (uint32_t s = 0; s < graph->state_count; s++) {
    graph->states[s].cost = (double)INFINITY;
    graph->states[s].is_closed = false;
  }
  uint32_t *seen = allocate(graph->state_count, sizeof *seen);
  relax(graph, from, 0, seen, look_around(graph, from, first, seen));
  free(seen);
  for (;;) {
    LineState *best = NULL;
    double total = least;
    for (uint32_t s = 0; s < graph->state_count; s++) {
      LineState *state = graph->states + s;
      if (state->is_closed || state->cost >= total) continue;
      const double rest = graph->has_cheap_hops ? 0 : length_of(subtract(to, graph->corners[state->corner]));
      if (state->cost + rest >= total) continue;
      best = state;
      total = state->cost + rest;
    }
    if (!best) return least;
    best->is_closed = true;
    const LinePoint at = graph->corners[best->corner];
    if (sees(graph, at, best->polygon, to, last)) {
      least = fmin(least, best->cost + length_of(subtract(to, at)));
      if (!graph->has_cheap_hops) continue;
    }
    hop(graph, (uint32_t)(best - graph->states));
    look_from_state(graph, best);
    relax(graph, at, best->cost, best->seen, best->seen_count);
  }
}
