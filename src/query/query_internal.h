/* Shared by the files of this folder: the memory of a query, and helpers. All files, by folder:
 *
 *   query.c          creating queries, their arrays, checks of arguments (check.h)
 *   filter.c         filters, cost factors of single polygons
 *   batch.c          many queries in one call
 *   trace.c          what searches decide, for a sink
 *
 *   search/          from point to point
 *     nodes.c            the nodes of a search and its open list
 *     search.c           A*: corridors (search.h, search_internal.h)
 *     any_angle.c        a second search with shortcuts along rays
 *     sliced_search.c    searches in slices
 *     funnel.c           string pulling: a corridor -> points, or its cost (straighten.h, funnel.h)
 *     path.c             nearest points, search and string pulling in one call
 *     smooth_path.c      paths with points at equal steps on the surface
 *     search_validate.c  invariants of corridors and paths, for tests
 *     flood.c            all polygons within a cost or radius, cheapest first
 *     flow_field.c       the cheapest corridors from everywhere to one point
 *                        (both are made again for saved crowds: replay.h)
 *     islands.c          connected components
 *     island_nearest.c   the point of an island nearest to a position
 *
 *   alternatives/    other ways between two points (alternatives_internal.h)
 *     alternatives.c     ways that differ, the cheapest first
 *     vias.c             the polygons that they lead over
 *     ways.c             the way over a polygon, and where two ways differ
 *
 *   shortest/        the exact shortest corridor
 *     shortest.c         the search in cones (shortest_internal.h)
 *     link_cones.c       cones over segment links
 *     cone_corners.c     the corners that strings turn at
 *     cone_crossings.c   crossings of segment links
 *     cone_string.c      the corridor and the corners of its result
 *     dead_ends.c        polygons that the search need not enter
 *     patches.c          polygons that it enters as one
 *     unreachable.c      ground that searches have left no way out of
 *
 *   cheapest/        where ground costs differ
 *     cheapest_line.c    where the cheapest line crosses from cost to cost
 *     cheapest_pull.c    the cheapest line through a corridor
 *     cheapest_search.c  a corridor with a cheap one
 *
 *   local/           around a point
 *     nearest.c          nearest points on the mesh, heights
 *     outline.c          the edges of a polygon: portals and walls
 *     breadth_first.c    visiting polygons breadth first
 *     move.c             moving along the surface
 *     raycast.c          straight lines over polygons (raycast.h, ray_walk.h)
 *     walls.c            the nearest wall; walls and portals of a polygon
 *     neighbourhood.c    polygons around a point that don't overlap
 *     convex.c           convex outlines from outside
 *     overlap.c          polygons in a box, a cylinder, a prism
 *     random.c           random points
 *
 *   room/            strings that keep a distance from walls (room/room.h, room_internal.h)
 *     room.c, room_walls.c, room_discs.c, room_string.c, room_path.c, room_cost.c
 *
 *   corridor/        the corridor of one agent (corridor_internal.h)
 *     corridor.c, corridor_polygons.c, corridor_shortcut.c, corridor_connection.c, corridor_validate.c
 *
 *   tile_graph/      long ways over tiles (tile_graph_internal.h)
 *
 *   switches/        doors
 *     switch_cover.c     the polygons and tiles that a switch's volume covers
 *     switches.c         polygon flags while switches are on
 *
 * Arrays grow and never shrink, so that a query that has run once allocates nothing. */
#ifndef WALKMESH_QUERY_QUERY_INTERNAL_H
#define WALKMESH_QUERY_QUERY_INTERNAL_H

#include "base/vector.h"
#include "mesh/links/link_crossing.h"
#include "query/check.h"
#include "query/search/flow_field.h"
#include "query/search/nodes.h"
#include "query/search/path.h"
#include "query/shortest/cone_crossings.h"
#include "query/shortest/unreachable.h"
#include "query/trace.h"

/* The arrays of a query's results, which the next query overwrites. Arrays that grow together are next to
 * each other. */
typedef enum WmQueryArray {
  /* Of the corridor that a search wrote last: the link from each polygon to the next; from WM_FIRST_FOLD on, how it crosses
   * the segment link that is the next one, and behind that, of WM_FOLD_AT_POINT: where, as the bits of a float; WM_NO_LINK where the
   * search doesn't know it. */
  WM_QUERY_LINKS, /* uint32_t */
  /* Polygons in an order: corridors, floods, neighbourhoods. */
  WM_QUERY_POLYGONS, /* WmRef */
  WM_QUERY_PARENTS,  /* uint32_t: index of the polygon that each was reached from */
  WM_QUERY_COSTS,    /* float */
  /* Input of string pulling. */
  WM_QUERY_PORTALS, /* float [6]: the portal from each polygon to the next */
  WM_QUERY_KINDS,   /* uint8_t: area of each polygon, and WM_KIND_... */
  /* Of corridors over segment links. */
  WM_QUERY_FOLDS,    /* WmFold: the crossings, in order */
  WM_QUERY_UNFOLDED, /* float [6]: the portals, with the far side of each link laid against its near side */
  WM_QUERY_FOLDED,   /* float [6]: the same portals in true coordinates, their ends in the same order */
  /* Points of a path. */
  WM_QUERY_POINTS,         /* float [3] */
  WM_QUERY_POINT_FLAGS,    /* uint8_t */
  WM_QUERY_POINT_POLYGONS, /* WmRef */
  /* Segments of an outline. */
  WM_QUERY_SEGMENTS,         /* float [6] */
  WM_QUERY_SEGMENT_POLYGONS, /* WmRef */
  /* The corridor of the first of two searches (any_angle, shortest). */
  WM_QUERY_FORMER, /* WmRef */
  /* Points of many paths. */
  WM_QUERY_BATCH_POINTS, /* float [3] */
  /* Not a result: queues of node numbers, sort keys. */
  WM_QUERY_NUMBERS, /* uint32_t */
  /* Of an exact shortest corridor: the number of its string's corners, or WM_UNKNOWN_TURNS, and for each corner the portal that it is an
   * end of, times two, plus 1 if that is the right end. With the bit WM_LATE_TURNS, the string is pulled, and they are looked at only if it
   * is too long then: portals are those that the search has limited, or some are those of connections and segment links. */
  WM_QUERY_TURNS, /* uint32_t */
  /* Not a result: shortest.c. */
  WM_QUERY_CONES,          /* WmCone */
  WM_QUERY_CONE_KEYS,      /* uint64_t: the open list */
  WM_QUERY_CORNERS,        /* WmConeCorner */
  WM_QUERY_CORNER_TILES,   /* WmCornerTile, by slot */
  WM_QUERY_FAN_POINTS,     /* WmFanPoint */
  WM_QUERY_CONE_CROSSINGS, /* WmConeCrossing */
  WM_QUERY_REACH_TILES,    /* WmReachTile, by slot */
  WM_QUERY_REACHES,        /* uint8_t: the reach of each polygon */
  /* Not a result: cheapest/. */
  WM_QUERY_CHEAPEST_ROWS, /* WmCheapestRow */
  WM_QUERY_SPOTS,         /* WmSpot */
  WM_QUERY_SPOT_KEYS,     /* uint64_t: the open list */
  WM_QUERY_GATES,         /* WmGate */
  WM_QUERY_GATE_TABLE,    /* uint32_t: where each gate is, plus 1, by hash */
  WM_QUERY_NEXT_GATES,    /* uint32_t: the gates behind each gate */
  /* Not a result: how near walls are to nodes, of searches with wall_cost. */
  WM_QUERY_NEARNESS, /* float */
  /* Not a result: room/. */
  WM_QUERY_ROOM_SAMPLES, /* WmRoomSample */
  WM_QUERY_ROOM_ORDER,   /* WmSortItem: samples by key */
  WM_QUERY_ROOM_DISCS,   /* uint32_t: samples that the line touches */
  /* The line: points with the polygon entered at each, and the polygons that it crosses. */
  WM_QUERY_ROOM_POINTS,   /* float [3] */
  WM_QUERY_ROOM_AT,       /* uint32_t: index in WM_QUERY_ROOM_POLYGONS */
  WM_QUERY_ROOM_POLYGONS, /* WmRef */
  /* A path of several lines. */
  WM_QUERY_WIDE_POINTS,         /* float [3] */
  WM_QUERY_WIDE_POINT_FLAGS,    /* uint8_t */
  WM_QUERY_WIDE_POINT_POLYGONS, /* WmRef */
  WM_QUERY_WIDE_POLYGONS,       /* WmRef: the corridor */
  WM_QUERY_WIDE_ENTRIES, /* uint32_t: of the plain path, the index in its corridor of each point's polygon */
  /* Alternative paths, and their arrays. */
  WM_QUERY_ALTERNATIVES,      /* WmPath */
  WM_QUERY_ALTERNATIVE_BYTES, /* uint8_t */
  WM_QUERY_ARRAY_COUNT
} WmQueryArray;

struct WmQuery {
  WmContext *context;
  const WmMesh *mesh;
  WmFilter default_filter;
  WmNodes nodes;
  WmBuffer arrays[WM_QUERY_ARRAY_COUNT];
  WmCorners corners;
  WmReaches reaches;
  WmTraceSink trace;
  /* Of an exact shortest corridor that the last search found: the length of its string on x and z, without the gaps of segment links; 0:
   * unknown. */
  float string_length;
  bool
      is_cheapest; /* the last search with shortest or any_angle that reached its end sought the cheapest line, as costs differ */
  /* The number of portals of the corridor whose crossings are in WM_QUERY_CHEAPEST_ROWS, the last one whose line was found. 0: that line is a
   * string, or none was found. */
  size_t crossing_count;
  WmFlowField *flow; /* of alternative paths; NULL until the first ones */
};

enum { WM_KIND_OFF_MESH = 0x80, WM_KIND_SEGMENT_LINK = 0x40 };

/* The sizes of a WmCone, which shortest.c defines, of a WmRoomSample, and of what cheapest/ defines. */
enum {
  WM_CONE_BYTES = 64,
  WM_ROOM_SAMPLE_BYTES = 64,
  WM_CHEAPEST_ROW_BYTES = 112,
  WM_SPOT_BYTES = 28,
  WM_GATE_BYTES = 64
};

/* How a string crosses a segment link: at a point, or straight. */
typedef enum WmFoldWay {
  WM_FOLD_UNKNOWN,
  WM_FOLD_AT_POINT, /* from 0, the left end of where the link can be crossed, as seen by an agent that crosses, to 1 */
  WM_FOLD_STRAIGHT = 8,
  /* Bits of a straight one: it comes from the front of the entry; it goes on behind the exit. */
  WM_FOLD_COMES_TURNED = 1,
  WM_FOLD_LEAVES_TURNED = 2
} WmFoldWay;

/* A segment link that a corridor crosses. */
typedef struct WmFold {
  size_t index; /* of its polygon in the corridor, which is neither the first nor the last */
  uint32_t way; /* WmFoldWay */
  float t;      /* of WM_FOLD_AT_POINT */
  WmLinkCrossing crossing;
  WmPlaneMotion motion; /* from the plane behind it to the unfolded one, that of the start */
} WmFold;

#define WM_NO_LINK UINT32_MAX
#define WM_UNKNOWN_TURNS UINT32_MAX
#define WM_LATE_TURNS (1U << 31)

/* In WM_QUERY_LINKS in place of a link onto a segment link: which segment it is entered over, and how. */
#define WM_FIRST_FOLD (WM_NO_LINK - 32)
static inline uint32_t wm_fold_link(uint32_t entry, uint32_t way) { return WM_FIRST_FOLD + 2 * way + entry; }

/* wm_query_create and wm_query_destroy for a query inside another object: that object's memory holds it. */
void wm_query_init(WmQuery *query, WmContext *context, const WmMesh *mesh);
void wm_query_free(WmQuery *query);

/* Reserves `needed` items in the arrays `first` to `last`. Their items stay.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY (some arrays may have grown) */
WmStatus wm_query_reserve(WmQuery *query, WmQueryArray first, WmQueryArray last, size_t needed);

/* The two parts of wm_query_find_nearest_point: the check of the options (not NULL), and the query itself. */
WmStatus wm_query_check_nearest(WmContext *context, const WmNearestOptions *options);
WmStatus wm_query_nearest_checked(WmQuery *query, const float centre[3], const WmNearestOptions *options,
                                  WmNearest *nearest);

struct WmCrossedLine;

/* Pulls a string through a corridor, as far as its polygons are linked.
 * in         crossed: for wm_cheapest_pull, else NULL; polygons [polygon_count >= 1]: the first is a reference of the mesh; links [polygon_count]: as
 *            WM_QUERY_LINKS, NULL: none is known; inset: distance from the ends of segment links that the string
 *            keeps where they are wide enough
 * in/out     path: bound: above 0 the corridor is an exact shortest one; where its cost is below 0, it is minus that of a
 *            world unit, and replaced by that of the string; points, length, cut and polygons are set; state and reason only where the corridor is
 *            broken; remaining only where state isn't WM_PATH_COMPLETE
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_query_pull(WmQuery *query, const float start[3], const float end[3], const WmRef *polygons,
                       const uint32_t *links, size_t polygon_count, WmCrossings crossings, size_t max_points,
                       float inset, struct WmCrossedLine *crossed, WmPath *path);

/* Checks the arguments of wm_query_straighten. */
WmStatus wm_query_check_corridor(const WmQuery *query, const float start[3], const float end[3],
                                 const WmRef *corridor, size_t polygon_count);

/* wm_query_pull with the crossings and the limit of points of path options; the line keeps the distance from walls of
 * the search's options, whose filter is not NULL. */
WmStatus wm_query_pull_line(WmQuery *query, const WmSearchOptions *search, const WmPathOptions *options,
                            const float start[3], const float end[3], const WmRef *polygons,
                            const uint32_t *links, size_t polygon_count, WmPath *path);

/* The line isn't that of an exact shortest corridor. */
#define WM_NOT_SHORTEST (-1.0f)

/* wm_query_measure of a corridor some of whose links are known, as in wm_query_pull.
 * in         least: the length on x and z that an exact shortest search has found, without the gaps of segment links; 0: another search has
 *            found the corridor, but it is measured like an exact shortest one; WM_NOT_SHORTEST: it isn't */
WmStatus wm_query_measure_linked(WmQuery *query, const float start[3], const float end[3],
                                 const WmRef *polygons, const uint32_t *links, size_t polygon_count,
                                 const WmFilter *filter, float least, float *cost);

/* True if a path leaves the ground at a point of this flag and polygon, over a segment link: the gap up to the next point has no
 * part in its length. */
static inline bool wm_query_is_gap(const WmMesh *mesh, uint8_t flags, WmRef polygon) {
  const WmMeshTile *tile = flags & WM_POINT_OFF_MESH ? wm_mesh_tile_of(mesh, polygon) : NULL;
  return tile && tile->segments;
}

/* ---- Invariants, for tests and debug builds (search_validate.c) --------------------------------------- */

/* A corridor that a search has found: state and reason fit, the cost is at least 0 (infinite where lengths
 * overflow), the polygons exist and are linked each to the next. */
bool wm_search_validate(const WmMesh *mesh, const WmCorridor *corridor);

/* The invariants of a path, smooth or not, that hold on any mesh: state and reason fit; the polygons are linked (up to
 * the break of a broken corridor); the polygons of the points come in the order of the corridor; only the last point is
 * the end, unless the path is cut; the length is that of the line, unless it overflows. */
bool wm_path_validate_links(const WmMesh *mesh, const WmPath *path);

/* wm_path_validate_links, and each point lies on its polygon, or on the portal to it, on x and z. Hostile bytes can
 * make a mesh where a point can't: its polygons needn't be convex, and a detail mesh needn't cover its polygon. */
bool wm_path_validate(const WmMesh *mesh, const WmPath *path);

/* True if a point lies on a polygon of the mesh up to rounding, on x and z or in space. */
bool wm_query_is_on_polygon(const WmMesh *mesh, WmRef polygon, const float point[3], bool checks_height);

/* Number of polygons from the first on that exist and are linked each to the next. */
size_t wm_query_count_linked(const WmMesh *mesh, const WmRef *polygons, size_t count);

/* ---- Traces ------------------------------------------------------------------------------------------- */

/* Sends an event to the query's sink, which is set.
 * in         tile, polygon: expanded, or the one that the link leaves; link: its number in the tile, 0 if none is refused */
void wm_query_tell(const WmQuery *query, WmTraceKind kind, const WmMeshTile *tile, uint32_t polygon,
                   uint32_t link);

/* wm_query_tell where there is a sink. */
WM_INLINE void wm_query_note(const WmQuery *query, WmTraceKind kind, const WmMeshTile *tile, uint32_t polygon,
                             uint32_t link) {
  if (__builtin_expect(query->trace.receive != NULL, 0)) wm_query_tell(query, kind, tile, polygon, link);
}

/* ---- Helpers ------------------------------------------------------------------------------------------ */

/* The filter of the options, or the default filter where that is NULL. */
static inline const WmFilter *wm_query_filter(const WmQuery *query, const WmFilter *filter) {
  return filter ? filter : &query->default_filter;
}

#endif
