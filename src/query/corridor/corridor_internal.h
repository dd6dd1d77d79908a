/* Shared by the files of corridors: the corridor, and its polygons in a list with free capacity at both ends,
 * so that dropping and adding there moves nothing else.
 *
 *   corridor.c             creating, corners, moving, a mesh that changes
 *   corridor_polygons.c    the list of polygons
 *   corridor_shortcut.c    shorter corridors, by a ray and by a search
 *   corridor_connection.c  moving over off-mesh connections
 *   corridor_validate.c    the invariants
 *
 * Between calls the position is on the surface of the first polygon and the target on that of the last; each
 * polygon is linked to the next, except after wm_corridor_fix_start and where the mesh has changed. */
#ifndef WALKMESH_QUERY_CORRIDOR_INTERNAL_H
#define WALKMESH_QUERY_CORRIDOR_INTERNAL_H

#include "query/corridor/corridor.h"
#include "query/query_internal.h"

/* ---- The list ----------------------------------------------------------------------------------------- */

typedef struct WmRefList {
  WmBuffer storage; /* WmRef */
  size_t first, count;
} WmRefList;

static inline WmRef *wm_ref_list_items(const WmRefList *list) {
  WmRef *items = list->storage.items;
  return items ? items + list->first : NULL;
}

/* Replaces the contents of a list by `refs`, which may be part of it.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_ref_list_set(WmContext *context, WmRefList *list, const WmRef *refs, size_t count);

/* Finds the last item of the list (or the first) that is one of `refs`.
 * out        *in_list, *in_refs: its index in the list, its first index in `refs`
 * returns    false: there is none */
bool wm_ref_list_meet(const WmRefList *list, const WmRef *refs, size_t count, bool last, size_t *in_list,
                      size_t *in_refs);

/* The start has moved over `visited` [count >= 1], whose first polygon is in the list: the list then leads
 * from the last polygon visited back to the last one that is in the list, and on from there.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY (the list is unchanged) */
WmStatus wm_ref_list_move_start(WmContext *context, WmRefList *list, const WmRef *visited, size_t count);

/* The same for the end: the list leads to the first of its polygons that was visited, then over the polygons
 * visited after it. */
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

/* returns    WM_OK; WM_ERROR_STATE: the corridor has no polygon */
WmStatus wm_corridor_check(const WmPathCorridor *corridor);

/* True if the polygons exist and each is linked to the next. Every change of such a corridor keeps it so, except a move
 * over a link that doesn't lead back.
 * cost       O(polygons) */
bool wm_corridor_validate_links(const WmPathCorridor *corridor);

/* True if each of the polygons that a move visited is linked to the one before it: hostile bytes may link them one way
 * only. */
bool wm_corridor_leads_back(const WmPathCorridor *corridor, const WmRef *visited, size_t count);

/* wm_corridor_validate_links, and both points lie on the surface of their polygons, which hostile bytes can prevent (see
 * wm_path_validate). An empty corridor is valid. */
bool wm_corridor_validate(const WmPathCorridor *corridor);

/* Moves a point to the nearest point of the surface of a polygon of the mesh. */
void wm_corridor_snap(const WmPathCorridor *corridor, WmRef polygon, const float point[3], float on[3]);

#endif
