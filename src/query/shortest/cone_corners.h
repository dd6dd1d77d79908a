/* The corners that exact shortest paths (shortest.c) can turn at, and the cost of the shortest known way to each.
 *
 * A corner is a point, and the open polygons around it that are linked there (a fan): at a pinched vertex several fans
 * meet, and each is a corner of its own. Vertices without a wall, and those of less than half a turn between their
 * walls, are none.
 *
 * When a search first asks for a vertex of a tile, one pass over the tile's edges finds the kind (WmCornerKind) of all its
 * vertices. It can't decide vertices on the tile's border, or where more than two walls meet, nor ends of portals
 * inside an edge. There the fan is walked, once for each polygon and point. The results stay until the mesh or the
 * filter's flags change, or until they take so much memory that it is better to find again those that are needed. */
#ifndef WALKMESH_QUERY_CONE_CORNERS_H
#define WALKMESH_QUERY_CONE_CORNERS_H

#include "base/pieces.h"
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

/* The arrays that are stored for a tile that searches have met. */
typedef struct WmCornerTile {
  const WmMeshTile *tile;
  uint32_t generation;     /* of WmCorners: another one: nothing is stored */
  uint32_t stamp;          /* of the last search that has met the tile */
  uint32_t first;          /* corner: that of the tile's first vertex */
  uint32_t bytes;          /* of the arrays */
  uint32_t most_exits;     /* links that lead out of a patch, or out of a polygon, at most */
  WmDeadEnd *dead_ends;    /* [ground_count] */
  WmPatchPolygon *patches; /* [ground_count] */
  WmConeLink *links;       /* [link_first[ground_count]] */
  WmPatchExit *exits;      /* the same number: those that lead out of patches, by patch */
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
  WmPieces pieces;  /* the arrays of tiles */
  uint32_t generation, stamp, count, crossing_count;
  /* Bytes that the search has met, and that the one among the last ones that met most has. */
  size_t met, most_met;
  uint32_t fan_count, fan_capacity;
  uint32_t
      root_count; /* those between the ends of segment links: those of one start are of no use to another */
  uint16_t include_flags, exclude_flags;
  bool has_start; /* wm_corners_of_start added corners that the next search doesn't want */
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
 * out        *entry: until the next search begins
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_corners_of_tile(struct WmQuery *query, const WmFilter *filter, const WmMeshTile *tile,
                            const WmCornerTile **entry);

/* Makes corners of all vertices of a closed polygon that the search starts in: strings come from it, too, so that they can turn where
 * open polygons alone make less than half a turn. Of an open polygon: nothing.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_corners_of_start(struct WmQuery *query, const WmFilter *filter, const WmMeshTile *tile,
                             uint32_t polygon);

/* The corner at a point of a polygon's outline.
 * out        *corner: WM_NO_CORNER if no wall touches the point */
WmStatus wm_corners_at_point(struct WmQuery *query, const WmFilter *filter, WmRef polygon,
                             const float point[2], uint32_t *corner);

/* A corner for the end of a connection in a polygon, or for a rounded end of a portal to it: always one, of its own. */
WmStatus wm_corners_at_landing(struct WmQuery *query, WmRef polygon, const float point[2], uint32_t *corner);

#endif
