/* Ground that a search has left no way out of: what it reached, when its end couldn't be reached. The ordinary search finds that out, and
 * has met all of that ground. So later exact searches from there to other ground need not look in cones first.
 *
 * Each such search numbers the polygons that it has met: its reach. From any of them, no other polygon can be reached. Reaches that
 * overlap, which one-way connections and links make, are forgotten, as those of another version of the mesh or of other flags are. */
#ifndef WALKMESH_QUERY_UNREACHABLE_H
#define WALKMESH_QUERY_UNREACHABLE_H

#include "query/filter.h"

struct WmQuery;

/* The first polygon of a tile in WM_QUERY_REACHES. */
typedef struct WmReachTile {
  uint32_t stamp, first; /* another stamp than that of WmReaches: no search has met the tile */
} WmReachTile;

/* Of a query; its arrays are the query's. */
typedef struct WmReaches {
  uint64_t version; /* of the mesh */
  uint16_t include_flags, exclude_flags;
  uint32_t stamp, polygon_count;
  uint8_t count; /* reaches, numbered from 1 */
} WmReaches;

/* True if a search that failed has met the start, but not the end. */
bool wm_is_unreachable(const struct WmQuery *query, const WmFilter *filter, WmRef start, WmRef end);

/* Numbers the polygons that the query's search has met, which has failed without a limit.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_note_unreachable(struct WmQuery *query, const WmFilter *filter);

#endif
