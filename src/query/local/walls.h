/* The nearest wall, and the outline of a polygon. */
#ifndef WALKMESH_QUERY_WALLS_H
#define WALKMESH_QUERY_WALLS_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

typedef struct WmWall {
  bool found;
  float distance;      /* on x and z; max_distance if none was found */
  float point[3];      /* on the wall */
  float normal[3];     /* from the point to the centre, unit length; 0 at distance 0 or if none was found */
  float segment[2][3]; /* the wall */
  WmRef polygon;       /* that the wall is an edge of */
  uint32_t edge;
} WmWall;

/* The nearest of the walls that can be reached. Edges towards polygons that don't pass the filter are walls;
 * an edge on a tile's side is a wall where nothing behind it is open (Detour looks at its first link alone).
 * A start on an off-mesh connection finds none.
 * in         max_distance >= 0
 * out        wall: of several at equal distance, any: mostly they share the corner that is nearest
 * cost       O(polygons not farther away than the wall) */
WmStatus wm_query_distance_to_wall(WmQuery *query, WmRef start, const float centre[3], float max_distance,
                                   const WmFilter *filter, WmWall *wall);

typedef struct WmSegments {
  size_t count;
  const float (*ends)[2][3]; /* [count] */
  const WmRef *polygons;     /* [count] behind the segment; 0: a wall */
} WmSegments;

/* The outline of a polygon, edge by edge: its walls and, with `with_portals`, its portals. An edge on a
 * tile's side may have several portals, which may overlap (tile layers), and then the walls between them. An
 * off-mesh connection has no outline. */
WmStatus wm_query_wall_segments(WmQuery *query, WmRef polygon, const WmFilter *filter, bool with_portals,
                                WmSegments *segments);

WM_PUBLIC_END

#endif
