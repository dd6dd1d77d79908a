/* The corners that exact shortest paths (shortest.c) can turn at, and the cost of the shortest known way to each.
 *
 * A corner is a point, and the open polygons around it that are linked there (a fan): at a pinched vertex several fans
 * meet, and each is a corner of its own. Vertices without a wall, and those of less than half a turn between their
 * walls, are none.
 *
 * When a search first asks for a vertex of a tile, one pass over the tile's edges finds the kind (WmCornerKind) of all its
 * vertices. It can't decide vertices on the tile's border, or where more than two walls meet, nor ends of portals
 * inside an edge. There the fan is walked, once for each polygon and point. The results stay until the mesh or the
 * filter's flags change. */
#ifndef WALKMESH_QUERY_CONE_CORNERS_H
#define WALKMESH_QUERY_CONE_CORNERS_H

#include "query/shortest/dead_ends.h"
#include "query/shortest/patches.h"

struct WmQuery;

typedef enum WmCornerKind {
  WM_CORNER_OPEN, /* no string turns there */
  WM_CORNER_TURNS,
  WM_CORNER_UNCERTAIN, /* of a vertex: its fan must be walked */
  WM_CORNER_ROUNDED    /* an end of a portal that is rounded towards its middle: the string turns there */
} WmCornerKind;

typedef struct WmConeCorner {
  double cost;    /* of the shortest way that the search of `stamp` knows */
  uint32_t stamp; /* 0: no search. During add_tile: the vertices before and after it along walls */
  uint8_t kind;   /* WmCornerKind */
  uint8_t passes; /* ways of the same cost that turn there. During add_tile: walls that end there */
} WmConeCorner;

/* A link of a ground polygon, as the search stores it. */
typedef struct WmConeLink {
  WmPatchExit exit;
  uint32_t from; /* the polygon that it leaves */
  /* Of ends without a certain corner: what wm_corners_at_point said; WM_NOT_FOUND before it was asked; WM_SLIT: the end is rounded
   * towards the portal's middle, so that the string can turn there, and no corner was asked for. Of a link onto a segment link: the
   * first of its crossings in WM_QUERY_CONE_CROSSINGS, and their number. */
  uint32_t found[2];
  /* The last cone through the portal that was expanded, and the stamp of its search. WmCone.corner of it is the one before. */
  uint32_t window, stamp;
} WmConeLink;

/* A tile whose vertices are corners `first` and following; in the arrays by polygon (WM_QUERY_DEAD_ENDS, WM_QUERY_PATCHES) its
 * polygons are `first_polygon` and following, in those by link (WM_QUERY_CONE_LINKS, WM_QUERY_PATCH_EXITS) its links are
 * `first_link` and following. */
typedef struct WmCornerTile {
  uint32_t generation, first, first_polygon, first_link;
} WmCornerTile;

/* A point on the outline of a polygon whose fan was walked. */
typedef struct WmFanPoint {
  WmRef polygon;
  float point[2]; /* x, z */
  uint32_t generation;
  uint32_t corner; /* WM_NO_CORNER: all around is open */
} WmFanPoint;

/* Of a query; its arrays are the query's. */
typedef struct WmCorners {
  uint64_t version; /* of the mesh */
  uint32_t generation, stamp, count, polygon_count, link_count, crossing_count;
  uint32_t fan_count, fan_capacity;
  uint32_t
      root_count; /* those between the ends of segment links: those of one start are of no use to another */
  uint16_t include_flags, exclude_flags;
  uint64_t areas, connection_areas, areas_version; /* wm_corners_areas, and the mesh's version then */
} WmCorners;

#define WM_NO_CORNER UINT32_MAX
#define WM_NOT_FOUND (UINT32_MAX - 1)
#define WM_SLIT (UINT32_MAX - 2)

/* Starts a search: no way is known to any corner.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_corners_begin(struct WmQuery *query, const WmFilter *filter);

/* The areas of the mesh's ground polygons, one bit each.
 * out        *connections: those of its off-mesh connections
 * cost       O(polygons) after a change of the mesh */
uint64_t wm_corners_areas(struct WmQuery *query, uint64_t *connections);

/* The corners at the vertices of a tile, its dead ends and patches, and the corners at its links.
 * out        *entry
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_corners_of_tile(struct WmQuery *query, const WmFilter *filter, const WmMeshTile *tile,
                            WmCornerTile *entry);

/* The corner at a point of a polygon's outline.
 * out        *corner: WM_NO_CORNER if no wall touches the point */
WmStatus wm_corners_at_point(struct WmQuery *query, const WmFilter *filter, WmRef polygon,
                             const float point[2], uint32_t *corner);

/* A corner for the end of a connection in a polygon, or for a rounded end of a portal to it: always one, of its own. */
WmStatus wm_corners_at_landing(struct WmQuery *query, WmRef polygon, const float point[2], uint32_t *corner);

#endif
