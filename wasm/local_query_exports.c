/* Exports of queries around one point: rays, moves, walls, neighbours. As query_exports.c. */
#include "query/local/raycast.h"
#include "query/local/move.h"
#include "query/local/walls.h"
#include "query/local/overlap.h"
#include "query/local/neighbourhood.h"
#include "session.h"

/* Inputs: from[3], to[3]. Answer: a WmRay. */
EXPORT(query_raycast)
WmStatus export_query_raycast(Mesh *mesh, double polygon, const WmFilter *filter, int on_surface,
                              size_t max_polygons) {
  Session *session = mesh->session;
  return wm_query_raycast(mesh->query, (WmRef)polygon, session->inputs, session->inputs + 3, filter,
                          on_surface != 0, max_polygons, ANSWER(WmRay, session));
}

/* Inputs: from[3], to[3]. Answer: a WmMove. */
EXPORT(query_move_along_surface)
WmStatus export_query_move_along_surface(Mesh *mesh, double polygon, const WmFilter *filter, int on_surface) {
  Session *session = mesh->session;
  return wm_query_move_along_surface(mesh->query, (WmRef)polygon, session->inputs, session->inputs + 3,
                                     filter, on_surface != 0, ANSWER(WmMove, session));
}

/* Inputs: centre[3]. Answer: a WmWall. */
EXPORT(query_distance_to_wall)
WmStatus export_query_distance_to_wall(Mesh *mesh, double polygon, float max_distance,
                                       const WmFilter *filter) {
  Session *session = mesh->session;
  return wm_query_distance_to_wall(mesh->query, (WmRef)polygon, session->inputs, max_distance, filter,
                                   ANSWER(WmWall, session));
}

/* Answer: a WmSegments. */
EXPORT(query_wall_segments)
WmStatus export_query_wall_segments(Mesh *mesh, double polygon, const WmFilter *filter, int with_portals) {
  return wm_query_wall_segments(mesh->query, (WmRef)polygon, filter, with_portals != 0,
                                ANSWER(WmSegments, mesh->session));
}

/* Inputs: centre[3]. Answer: a WmPolygons. */
EXPORT(query_local_neighbourhood)
WmStatus export_query_local_neighbourhood(Mesh *mesh, double polygon, float radius, const WmFilter *filter,
                                          size_t max_polygons) {
  Session *session = mesh->session;
  return wm_query_local_neighbourhood(mesh->query, (WmRef)polygon, session->inputs, radius, filter,
                                      max_polygons, ANSWER(WmPolygons, session));
}

/* Inputs: centre[3], half extents[3]. Answer: a WmPolygons. */
EXPORT(query_polygons_in_box)
WmStatus export_query_polygons_in_box(Mesh *mesh, const WmFilter *filter, size_t max_polygons) {
  Session *session = mesh->session;
  return wm_query_polygons_in_box(mesh->query, session->inputs, session->inputs + 3, filter, max_polygons,
                                  ANSWER(WmPolygons, session));
}

/* Inputs: centre[3], radius, half of the height. Answer: a WmPolygons. */
EXPORT(query_polygons_in_circle)
WmStatus export_query_polygons_in_circle(Mesh *mesh, const WmFilter *filter, size_t max_polygons) {
  Session *session = mesh->session;
  return wm_query_polygons_in_circle(mesh->query, session->inputs, session->inputs[3], session->inputs[4],
                                     filter, max_polygons, ANSWER(WmPolygons, session));
}

/* Inputs: heights, low and high. Answer: a WmPolygons. */
EXPORT(query_polygons_in_convex)
WmStatus export_query_polygons_in_convex(Mesh *mesh, const float *vertices, size_t vertex_count,
                                         const WmFilter *filter, size_t max_polygons) {
  Session *session = mesh->session;
  return wm_query_polygons_in_convex(mesh->query, vertices, vertex_count, session->inputs[0],
                                     session->inputs[1], filter, max_polygons, ANSWER(WmPolygons, session));
}
