/* Exports of many queries in one call. All arrays lie in memory that JavaScript lays out
 * (js/query/batches.js); references in them are f64 for JavaScript, converted in place here. */
#include "query/batch.h"

#include "query/alternatives/alternatives.h"
#include "session.h"
#include "query/local/random.h"

/* Converts numbers to references in place; a number that can't be a reference becomes 0. */
static WmRef *refs_of(double *numbers, size_t count) {
  WmRef *refs = (WmRef *)(void *)numbers;
  for (size_t i = 0; i < count; i++) {
    double number;
    memcpy(&number, refs + i, sizeof number);
    refs[i] = number > 0 && number < 0x1p53 && (double)(WmRef)number == number ? (WmRef)number : 0;
  }
  return refs;
}

/* Converts references to numbers in place. */
static void return_refs(WmRef *refs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double number = (double)refs[i];
    memcpy(refs + i, &number, sizeof number);
  }
}

/* The array in which a query writes references, which return_refs converts then. */
static WmRef *refs_in(double *numbers) { return (WmRef *)(void *)numbers; }

/* Inputs: WmNearestOptions. */
EXPORT(query_nearest_points)
WmStatus export_query_nearest_points(Mesh *mesh, size_t count, const float *centres, double *polygons,
                                     float *points, uint8_t *over, uint8_t *statuses) {
  const WmStatus status =
      wm_query_find_nearest_batch(mesh->query, count, centres, INPUT(WmNearestOptions, mesh->session, 0),
                                  refs_in(polygons), points, over, statuses);
  if (!status) return_refs(refs_in(polygons), count);
  return status;
}

EXPORT(query_raycasts)
WmStatus export_query_raycasts(Mesh *mesh, size_t count, double *starts, const float *from, const float *to,
                               const WmFilter *filter, int on_surface, float *t, float *points,
                               float *normals, double *polygons, uint8_t *statuses) {
  const WmStatus status =
      wm_query_raycast_batch(mesh->query, count, refs_of(starts, count), from, to, filter, on_surface != 0, t,
                             points, normals, refs_in(polygons), statuses);
  if (!status) return_refs(refs_in(polygons), count);
  return status;
}

EXPORT(query_moves)
WmStatus export_query_moves(Mesh *mesh, size_t count, double *polygons, float *positions, const float *to,
                            const WmFilter *filter, int on_surface, uint8_t *statuses) {
  WmRef *refs = refs_of(polygons, count);
  const WmStatus status =
      wm_query_move_batch(mesh->query, count, refs, positions, to, filter, on_surface != 0, statuses);
  return_refs(refs, count);
  return status;
}

EXPORT(query_heights)
WmStatus export_query_heights(Mesh *mesh, size_t count, double *polygons, const float *positions,
                              float *heights, uint8_t *found, uint8_t *statuses) {
  return wm_query_height_batch(mesh->query, count, refs_of(polygons, count), positions, heights, found,
                               statuses);
}

EXPORT(query_wall_distances)
WmStatus export_query_wall_distances(Mesh *mesh, size_t count, double *polygons, const float *centres,
                                     float max_distance, const WmFilter *filter, float *distances,
                                     float *points, float *normals, uint8_t *statuses) {
  return wm_query_distance_to_wall_batch(mesh->query, count, refs_of(polygons, count), centres, max_distance,
                                         filter, distances, points, normals, statuses);
}

/* Inputs: WmRandom, which is advanced; WmRandomOptions. */
EXPORT(query_random_points)
WmStatus export_query_random_points(Mesh *mesh, size_t count, double *polygons, float *points) {
  Session *session = mesh->session;
  const WmStatus status =
      wm_query_random_point_batch(mesh->query, count, INPUT(WmRandom, session, 0),
                                  INPUT(WmRandomOptions, session, 2), refs_in(polygons), points);
  if (!status) return_refs(refs_in(polygons), count);
  return status;
}

/* Inputs: WmPathOptions from word 6 on. Answer: the address of all points. */
EXPORT(query_find_paths)
WmStatus export_query_find_paths(Mesh *mesh, size_t count, const float *starts, const float *ends,
                                 uint8_t *states, uint8_t *reasons, float *costs, float *lengths,
                                 float *remaining, uint32_t *path_starts, uint8_t *statuses) {
  Session *session = mesh->session;
  return wm_query_find_path_batch(mesh->query, count, starts, ends, INPUT(WmPathOptions, session, 6), states,
                                  reasons, costs, lengths, remaining, path_starts,
                                  ANSWER(const float *, session), statuses);
}

/* Inputs: start[3], end[3], WmAlternativeOptions. Answer: a WmAlternatives. */
EXPORT(query_find_alternatives) WmStatus export_query_find_alternatives(Mesh *mesh) {
  Session *session = mesh->session;
  return wm_query_find_alternatives(mesh->query, session->inputs, session->inputs + 3,
                                    INPUT(WmAlternativeOptions, session, 6), ANSWER(WmAlternatives, session));
}
