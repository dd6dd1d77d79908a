/* Random points on the surface, and around a position. */
#ifndef WALKMESH_QUERY_RANDOM_H
#define WALKMESH_QUERY_RANDOM_H

#include "base/public.h"
#include "query/search/islands.h"

WM_PUBLIC_BEGIN

/* A generator: the same seed gives the same points on every platform. */
typedef struct WmRandom {
  uint64_t state;
} WmRandom;

WmRandom wm_random_seeded(uint64_t seed);
float wm_random_next(WmRandom *random); /* [0, 1) */

typedef struct WmRandomOptions {
  const WmFilter *filter;
  const WmIslands *islands; /* of the same mesh, current for the filter; with island > 0: only there */
  uint32_t island;
  int area; /* 0..63: only polygons of this area; -1 (default): any */
} WmRandomOptions;

WmRandomOptions wm_random_options_default(void);

/* A point on the surface, each as likely as every other by area on x and z.
 * out        point: polygon 0: no polygon passes
 * returns    as all queries; WM_ERROR_STATE: the islands are not current for the filter
 * cost       O(log tiles + log polygons of a tile) if most of the mesh passes; O(polygons) if little does */
WmStatus wm_query_random_point(WmQuery *query, WmRandom *random, const WmRandomOptions *options,
                               WmNearest *point);

/* A point in the circle that can be reached from `start` through edges that touch the circle (Detour's may
 * lie outside).
 * in         radius: finite, >= 0
 * out        point: polygon 0: the start doesn't pass, or nothing that can be reached is in the circle
 * cost       that of the flood, and twice as much for clipping its polygons */
WmStatus wm_query_random_point_around(WmQuery *query, WmRandom *random, WmRef start, const float centre[3],
                                      float radius, const WmFilter *filter, WmNearest *point);

WM_PUBLIC_END

#endif
