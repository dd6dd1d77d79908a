/* Shared by the files of this folder: what a query keeps between questions.
 *
 *   query.c     creating, filters, checks of arguments, find_path
 *   nearest.c   points on the mesh
 *   search.c    corridors
 *   funnel.c    string pulling
 *
 * All arrays grow and never shrink, so that a warmed-up query allocates nothing; new items are zero, since
 * stamps must not be those of a search to come. Nodes of a search are told apart from those of earlier ones
 * by a stamp; no array is ever cleared. */
#ifndef WALKMESH_QUERY_QUERY_INTERNAL_H
#define WALKMESH_QUERY_QUERY_INTERNAL_H

#include <math.h>

#include "base/buffer.h"
#include "base/heap.h"
#include "base/inline.h"
#include "query/query.h"

/* One state of a polygon in a search: 44 bytes, so that a visit touches one cache line, rarely two. */
typedef struct WmNode {
  float position[3]; /* the middle of the edge it was first reached by; never changes */
  float cost;        /* from the start */
  float total;       /* cost and what is left at least */
  float left;        /* what is left at least; depends on the position only */
  uint32_t stamp;    /* of the search it belongs to */
  uint32_t sequence; /* of its newest heap entry; older ones are passed over. 0 once taken out */
  uint32_t parent;   /* node; of the start: itself */
  uint32_t slot;     /* of its tile */
  uint32_t polygon;
} WmNode;

/* A tile that a search has touched: where its nodes are. */
typedef struct WmSearchTile {
  const WmMeshTile *tile;
  uint32_t stamp;
  uint32_t first_node;
} WmSearchTile;

/* The arrays of a query. Those of an answer stand together: they grow together. */
typedef enum WmQueryArray {
  /* The search. */
  WM_QUERY_NODES,    /* WmNode */
  WM_QUERY_TILES,    /* WmSearchTile, by slot */
  WM_QUERY_HEAP,     /* WmHeapEntry */
  WM_QUERY_POLYGONS, /* WmRef: the corridor it found */
  /* What a corridor is pulled through. */
  WM_QUERY_PORTALS, /* float [6]: way from each polygon to the next */
  WM_QUERY_KINDS,   /* uint8_t: area of each polygon, and WM_KIND_OFF_MESH */
  /* The points. */
  WM_QUERY_POINTS,         /* float [3] */
  WM_QUERY_POINT_FLAGS,    /* uint8_t */
  WM_QUERY_POINT_POLYGONS, /* WmRef */
  WM_QUERY_ARRAY_COUNT
} WmQueryArray;

struct WmQuery {
  WmContext *context;
  const WmMesh *mesh;
  WmFilter default_filter;
  uint32_t stamp, sequence;
  size_t node_count; /* places given to tiles, used or not */
  WmBuffer arrays[WM_QUERY_ARRAY_COUNT];
};

enum { WM_KIND_OFF_MESH = 0x80 };

/* Room for `needed` items in arrays `first` to `last`; those there are kept.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY (what has not grown is as it was) */
WmStatus wm_query_reserve(WmQuery *query, WmQueryArray first, WmQueryArray last, size_t needed);

/* WM_OK, or WM_ERROR_INVALID_ARGUMENT naming the field, where a number is not finite or below `minimum` (0 or
 * -INFINITY). */
WmStatus wm_query_check_numbers(WmQuery *query, const float *numbers, size_t count, float minimum,
                                const char *field);
WmStatus wm_query_check_position(WmQuery *query, const float position[3], const char *field);

/* String pulling through a corridor, as far as its polygons are linked; fills in points, length, cut,
 * polygons, and for a broken corridor state and reason. in         polygons [polygon_count], at least one;
 * the first is a reference of the mesh */
WmStatus wm_query_pull(WmQuery *query, const float start[3], const float end[3], const WmRef *polygons,
                       size_t polygon_count, WmCrossings crossings, size_t max_points, WmPath *path);

/* The search, arguments checked. */
WmStatus wm_query_search(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmFilter *filter, size_t max_nodes,
                         WmCorridor *corridor);

static inline float wm_distance(const float a[3], const float b[3]) {
  const float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return sqrtf(x * x + y * y + z * z);
}

static inline bool wm_filter_passes(const WmFilter *filter, uint16_t flags) {
  return (flags & filter->include_flags) != 0 && (flags & filter->exclude_flags) == 0;
}

#endif
