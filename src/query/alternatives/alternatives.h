/* Alternative paths: other ways between two points that a player would call different. */
#ifndef WALKMESH_QUERY_ALTERNATIVES_H
#define WALKMESH_QUERY_ALTERNATIVES_H

#include "base/public.h"
#include "query/search/path.h"

WM_PUBLIC_BEGIN

/* The largest number of paths. */
enum { WM_MOST_ALTERNATIVES = 16 };

typedef struct WmAlternativeOptions {
  WmPathOptions path;
  uint32_t count; /* paths, the first included: 1 to WM_MOST_ALTERNATIVES; default 3 */
  float
      difference; /* the share of its length by which a path differs from each one before it: 0 to 1; default 0.3 */
  float max_length; /* no path is longer than this many times the first: at least 1; default 2 */
} WmAlternativeOptions;

WmAlternativeOptions wm_alternative_options_default(void);

typedef struct WmAlternatives {
  size_t count;
  const WmPath *paths; /* [count] */
} WmAlternatives;

/* The path of wm_query_find_path, and other ways, shortest first.
 *
 * Two paths differ where they are far apart, or a wall is between them: a point of a path differs from another path
 * if the nearest point of that one is farther than a twentieth of the first path's length, or if the straight line to it
 * leaves the mesh. Points nearer than the agent's radius never differ. So a way around another side of a
 * house counts, and another lane of the same street doesn't.
 *
 * Each further path
 *  - differs from each one before it on at least `difference` of its length
 *  - meets no polygon twice
 *  - is the shortest one (by `shortest` of WmSearchOptions) between any two of its places near its middle, and where it
 *    leaves the first path, it is at most `max_length` times as long as the shortest path to where it returns
 * Where costs differ, costs replace lengths. A further path is at least as long as the second; without `shortest`, and on hills, the first one
 * can be longer than it. If the first path isn't complete, it is the only one.
 *
 * With `wall_distance`, the lines of all of them keep it; their order and `max_length` are those of the lines without it. With `shortest` or
 * `any_angle`, where costs differ, they are cheapest lines through their corridors, in the order of their costs: the first may be another
 * one than that of wm_query_find_path.
 *
 * The search isn't exhaustive: it tries the shortest ways over single polygons, at most 24 and 8 for each path wanted.
 *
 * out        alternatives: paths and their arrays are valid until the query's next call. Of further paths, `cost` is that of
 *            the string, or of the cheapest line, and `searched` is 0
 * returns    as wm_query_find_path; WM_ERROR_INVALID_ARGUMENT for options out of range
 * cost       a flood and a flow field of the polygons within `max_length`, and some ten searches for each way tried
 * source     I. Abraham, D. Delling, A. V. Goldberg, R. F. Werneck, "Alternative Routes in Road Networks", 2013: paths over
 *            single vertices, plateaus, limited sharing, local optimality. Ours measures sharing by distance and sight */
WmStatus wm_query_find_alternatives(WmQuery *query, const float start[3], const float end[3],
                                    const WmAlternativeOptions *options, WmAlternatives *alternatives);

WM_PUBLIC_END

#endif
