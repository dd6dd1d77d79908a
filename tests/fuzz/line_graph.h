/* The shortest lines on flat ground, found by walking straight lines between all corners: an oracle for exact shortest paths,
 * which shares no code with the searches.
 *
 * A line is walked polygon by polygon, without cones and without turning at portals: for each polygon it is known how far along the line
 * it can be entered first. From there the line enters each neighbour whose portal touches it at that place or farther on. So lines along
 * edges, along borders of tiles and through vertices need no special cases, and a pinched vertex is passed only if its polygons are
 * linked there.
 *
 * A state is a corner and one of the polygons that contain it. Between states the shortest way is found by Dijkstra's method. Hops lead
 * from state to state, too: over off-mesh connections, and over segment links at some positions. So where a link is best crossed between
 * two of these, the shortest way is a little shorter than the one found. */
#ifndef WALKMESH_TESTS_FUZZ_LINE_GRAPH_H
#define WALKMESH_TESTS_FUZZ_LINE_GRAPH_H

#include "query/filter.h"

typedef struct LinePoint {
  double x, z;
} LinePoint;

/* A link to another polygon, and the part of its portal that lies on both. */
typedef struct LineLink {
  uint32_t to;
  LinePoint portal[2];
} LineLink;

typedef struct LinePolygon {
  WmRef ref;
  LinePoint vertices[WM_TILE_VERTICES_PER_POLYGON];
  uint32_t size, first_link, end_link;
  double entry; /* of the line that is walked: how far along it the polygon is entered; INFINITY: not yet */
} LinePolygon;

/* A way over an off-mesh connection, or over a position of a segment link. */
typedef struct LineHop {
  WmRef over;
  uint32_t polygons[2]; /* it leads from, to */
  LinePoint ends[2];
  uint32_t states[2];
  double cost;
} LineHop;

/* A corner in one of its polygons. */
typedef struct LineState {
  uint32_t corner, polygon;
  double cost;
  bool is_closed;
  uint32_t *seen; /* states, once it has been expanded */
  uint32_t seen_count;
} LineState;

typedef struct LineGraph {
  double touch; /* points nearer to each other touch, world units */
  LinePolygon *polygons;
  LineLink *links;
  LinePoint *corners;    /* where lines can turn */
  LineState *states;     /* by corner */
  uint32_t *first_state; /* of each corner, and behind the last */
  uint32_t *reached;     /* polygons that the line has entered */
  LineHop *hops;
  bool has_cheap_hops; /* some cost less than the distance between their ends */
  uint32_t polygon_count, link_count, corner_count, state_count, reached_count, hop_count;
} LineGraph;

/* Reads the ground, the connections and the segment links that pass the default filter. */
LineGraph line_graph_make(const WmMesh *mesh);
void line_graph_free(LineGraph *graph);

/* The number of a polygon; UINT32_MAX: it doesn't pass the filter. */
uint32_t line_graph_polygon(const LineGraph *graph, WmRef ref);

/* The length of the shortest line between points of two polygons; INFINITY if there is none. */
double line_graph_shortest(LineGraph *graph, const float start[3], WmRef start_polygon, const float end[3],
                           WmRef end_polygon);

/* The cost of crossing a connection or segment link from a point of a polygon to a point of another one; INFINITY: it can't be crossed so.
 * in         near: how far beside its ends the points may lie */
double line_graph_cross(const LineGraph *graph, const WmMesh *mesh, WmRef from, WmRef over, WmRef to,
                        const float points[6], double near);

/* True if a line of points leads over ground from one polygon to another one.
 * in         near: how far beside ground it may lie */
bool line_graph_holds(LineGraph *graph, const float *points, size_t count, WmRef start_polygon,
                      WmRef end_polygon, double near);

#endif
