/* Many questions in one call: flat arrays in, flat arrays out, one answer a row, to the bit that of the
 * single question, whose header says what its numbers are. A question that fails (a position that is not
 * finite, a stale reference, no memory) has a zeroed answer and its status in `statuses`; the others are
 * answered. The call itself fails only for arguments that all share, and then writes nothing.
 *
 * in / out   arrays [count]; positions [count][3] f32; references u64; statuses (may be NULL) u8, WmStatus.
 *            Inputs are not written to but where a function says so; nothing is written behind row count - 1
 * returns    WM_OK, also where rows fail; WM_ERROR_INVALID_ARGUMENT naming an option or a cost that is out of
 *            range; WM_ERROR_OUT_OF_MEMORY where a function says so
 * memory     that of one question
 * cost       that of the single questions, one after the other */
#ifndef WALKMESH_QUERY_BATCH_H
#define WALKMESH_QUERY_BATCH_H

#include "query/local/raycast.h"
#include "query/local/random.h"
#include "query/search/path.h"

/* out: polygons (0: none), points, over (may be NULL) u8 */
WmStatus wm_query_find_nearest_batch(WmQuery *query, size_t count, const float *centres,
                                     const WmNearestOptions *options, WmRef *polygons, float *points,
                                     uint8_t *over, uint8_t *statuses);

/* in: starts, polygons that the rays begin in; on_surface as of wm_query_raycast
 * out: t (1: free to its end), points, normals, polygons the rays end in; each may be NULL */
WmStatus wm_query_raycast_batch(WmQuery *query, size_t count, const WmRef *starts, const float *from,
                                const float *to, const WmFilter *filter, bool on_surface, float *t,
                                float *points, float *normals, WmRef *polygons, uint8_t *statuses);

/* in / out: polygons and positions, moved */
WmStatus wm_query_move_batch(WmQuery *query, size_t count, WmRef *polygons, float *positions, const float *to,
                             const WmFilter *filter, bool on_surface, uint8_t *statuses);

/* out: heights; found u8 */
WmStatus wm_query_height_batch(WmQuery *query, size_t count, const WmRef *polygons, const float *positions,
                               float *heights, uint8_t *found, uint8_t *statuses);

/* out: distances, points and normals (may be NULL) */
WmStatus wm_query_distance_to_wall_batch(WmQuery *query, size_t count, const WmRef *polygons,
                                         const float *centres, float max_distance, const WmFilter *filter,
                                         float *distances, float *points, float *normals, uint8_t *statuses);

/* in / out: random, which goes on by `count` points
 * out: polygons (0: none passes), points
 * returns: as wm_query_random_point, WM_ERROR_STATE too; no row has a status of its own: where memory runs
 * out those before have been answered */
WmStatus wm_query_random_point_batch(WmQuery *query, size_t count, WmRandom *random,
                                     const WmRandomOptions *options, WmRef *polygons, float *points);

/* Paths from point to point, without their corridors.
 * in         options NULL: the defaults
 * out        states, reasons u8; costs, lengths, remaining (each may be NULL); path_starts [count + 1] places
 *            in *points where each path's points begin; *points [path_starts[count]][3] belongs to the query
 *            until its next question */
WmStatus wm_query_find_path_batch(WmQuery *query, size_t count, const float *starts, const float *ends,
                                  const WmPathOptions *options, uint8_t *states, uint8_t *reasons,
                                  float *costs, float *lengths, float *remaining, uint32_t *path_starts,
                                  const float **points, uint8_t *statuses);

#endif
