/* Many queries in one call: flat arrays in, flat arrays out, one result a row, each the same bits as the
 * result of the single query, whose header explains its numbers. A row that fails (a position that isn't
 * finite, a stale reference, no memory) has a zeroed result and its status in `statuses`; the other rows have
 * theirs. The call itself fails only for arguments that all rows share, and then writes nothing.
 *
 * in/out     arrays [count]; positions [count][3] f32; references u64; statuses (may be NULL) u8, WmStatus.
 *            Inputs are not written unless a function says so; nothing is written behind row count - 1
 * returns    WM_OK, also if rows fail; WM_ERROR_INVALID_ARGUMENT naming an option or a cost that is out of
 *            range; WM_ERROR_OUT_OF_MEMORY where a function says so
 * memory     that of one query
 * cost       that of the single queries, one after the other */
#ifndef WALKMESH_QUERY_BATCH_H
#define WALKMESH_QUERY_BATCH_H

#include "base/public.h"
#include "query/local/raycast.h"
#include "query/local/random.h"
#include "query/search/path.h"

WM_PUBLIC_BEGIN

/* wm_query_find_nearest_point.
 * out        polygons (0: none), points, over (may be NULL) u8 */
WmStatus wm_query_find_nearest_batch(WmQuery *query, size_t count, const float *centres,
                                     const WmNearestOptions *options, WmRef *polygons, float *points,
                                     uint8_t *over, uint8_t *statuses);

/* wm_query_raycast.
 * in         starts: polygons that the rays begin in
 * out        t (1: free to its end), points, normals, polygons that the rays end in; each may be NULL */
WmStatus wm_query_raycast_batch(WmQuery *query, size_t count, const WmRef *starts, const float *from,
                                const float *to, const WmFilter *filter, bool on_surface, float *t,
                                float *points, float *normals, WmRef *polygons, uint8_t *statuses);

/* wm_query_move_along_surface.
 * in/out     polygons and positions, moved */
WmStatus wm_query_move_batch(WmQuery *query, size_t count, WmRef *polygons, float *positions, const float *to,
                             const WmFilter *filter, bool on_surface, uint8_t *statuses);

/* wm_query_height.
 * out        heights; found u8 */
WmStatus wm_query_height_batch(WmQuery *query, size_t count, const WmRef *polygons, const float *positions,
                               float *heights, uint8_t *found, uint8_t *statuses);

/* wm_query_distance_to_wall.
 * out        distances, points and normals (may be NULL) */
WmStatus wm_query_distance_to_wall_batch(WmQuery *query, size_t count, const WmRef *polygons,
                                         const float *centres, float max_distance, const WmFilter *filter,
                                         float *distances, float *points, float *normals, uint8_t *statuses);

/* wm_query_random_point.
 * in/out     random: advances by `count` points
 * out        polygons (0: none passes), points
 * returns    as wm_query_random_point, WM_ERROR_STATE too; rows have no status: if memory runs out, the rows
 *            before have their results */
WmStatus wm_query_random_point_batch(WmQuery *query, size_t count, WmRandom *random,
                                     const WmRandomOptions *options, WmRef *polygons, float *points);

/* wm_query_find_path, without the corridors.
 * in         options NULL: the defaults
 * out        states, reasons u8; costs, lengths, remaining (each may be NULL); path_starts [count + 1]: index
 *            in *points of each path's first point; *points [path_starts[count]][3]: of the query, until its
 *            next call */
WmStatus wm_query_find_path_batch(WmQuery *query, size_t count, const float *starts, const float *ends,
                                  const WmPathOptions *options, uint8_t *states, uint8_t *reasons,
                                  float *costs, float *lengths, float *remaining, uint32_t *path_starts,
                                  const float **points, uint8_t *statuses);

WM_PUBLIC_END

#endif
