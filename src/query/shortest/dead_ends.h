/* Dead ends of a tile: polygons that lead out through one other polygon only, and those that do so once these are left
 * out. A string enters them only to its own end, and leaves them only from its own start.
 *
 * Polygons at the border of a tile, those of connections, and those whose links aren't mutual count as ways out. */
#ifndef WALKMESH_QUERY_DEAD_ENDS_H
#define WALKMESH_QUERY_DEAD_ENDS_H

#include "query/filter.h"

typedef struct WmDeadEnd {
  uint32_t next;  /* the polygon that leads out; WM_NO_DEAD_END: this is none */
  uint32_t stamp; /* of the search that may enter it. In wm_dead_ends_find: its ways out */
} WmDeadEnd;

#define WM_NO_DEAD_END UINT32_MAX

/* Finds the dead ends among the polygons that pass the filter.
 * out        dead_ends [ground_count] */
void wm_dead_ends_find(const WmMeshTile *tile, const WmFilter *filter, WmDeadEnd *dead_ends);

/* Lets a search enter the dead ends between a ground polygon and the rest of its tile.
 * in/out     dead_ends [ground_count] */
void wm_dead_ends_open(const WmMeshTile *tile, const WmFilter *filter, uint32_t polygon, uint32_t stamp,
                       WmDeadEnd *dead_ends);

#endif
