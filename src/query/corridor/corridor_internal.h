/* Shared by the files of corridors: the corridor, and its polygons in a list with head room, so that dropping
 * and adding at either end moves nothing else.
 *
 *   corridor.c             what it holds, corners, moving, a mesh that changes
 *   corridor_shortcut.c    better ways, by sight and by search
 *   corridor_connection.c  going over off-mesh connections
 *   corridor_merge.c       the list
 *
 * Between calls the position lies on the surface of the first polygon and the target on that of the last; the
 * polygons are linked each to the next, but after wm_corridor_fix_start and where the mesh has changed. */
#ifndef WALKMESH_QUERY_CORRIDOR_INTERNAL_H
#define WALKMESH_QUERY_CORRIDOR_INTERNAL_H

#include "query/corridor/corridor.h"
#include "query/query_internal.h"

/* ---- The list ----------------------------------------------------------------------------------------- */

typedef struct WmRefList {
  WmBuffer room; /* WmRef */
  size_t first, count;
} WmRefList;

static inline WmRef *wm_ref_list_items(const WmRefList *list) {
  WmRef *items = list->room.items;
  return items ? items + list->first : NULL;
}

/* Makes it these, which may be its own. */
WmStatus wm_ref_list_set(WmContext *context, WmRefList *list, const WmRef *refs, size_t count);

/* Where a list meets others: the last place of the list (or the first) that holds one of `refs`, and the
 * first place of that one in `refs`. Returns false where there is none. */
bool wm_ref_list_meet(const WmRefList *list, const WmRef *refs, size_t count, bool last, size_t *in_list,
                      size_t *in_refs);

/* The start has moved over `visited` [count >= 1], which begins in the list: it goes back from the last of
 * them to where the list is met, and on from there.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY (it is as it was) */
WmStatus wm_ref_list_move_start(WmContext *context, WmRefList *list, const WmRef *visited, size_t count);

/* The same for the end: up to where `visited` is met, then over those behind. */
WmStatus wm_ref_list_move_end(WmContext *context, WmRefList *list, const WmRef *visited, size_t count);

/* ---- The corridor ------------------------------------------------------------------------------------- */

struct WmPathCorridor {
  WmContext *context;
  WmQuery *query;
  float position[3], target[3];
  WmRefList polygons;
};

static inline WmRef *wm_corridor_polygons(const WmPathCorridor *corridor) {
  return wm_ref_list_items(&corridor->polygons);
}

/* WM_ERROR_STATE where it has no polygon. */
WmStatus wm_corridor_check(const WmPathCorridor *corridor);

/* Moves a point to the nearest place on the surface of a polygon of the mesh. */
void wm_corridor_put_on(const WmPathCorridor *corridor, WmRef polygon, const float point[3], float on[3]);

static inline float wm_squared_distance_on_plane(const float a[3], const float b[3]) {
  const float x = b[0] - a[0], z = b[2] - a[2];
  return x * x + z * z;
}

#endif
