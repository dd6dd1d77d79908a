/* Off-mesh connections made at run time: ladders, jumps, teleporters between any two points of the mesh.
 *
 * A connection is a polygon with two ends, like those baked into tiles, and is searched, filtered and
 * referenced like them. It is a tile of its own, without ground polygons and without a place in the grid. So
 * it is added and removed without changing a tile's bytes, and its ends may be any number of tiles apart.
 *
 * Each end is tied to the nearest polygon within its radius (on x and z) and climb (on y), regardless of the
 * polygon's flags. Ties are updated when tiles are added or removed: an end is tied whenever there is such a
 * polygon. Ties depend on the tiles in the mesh, not on the order in which tiles and connections were added:
 * of several tiles with equally near polygons, the first by z, x and layer wins. (Polygons straight above or
 * below within the tile's climb are equally near.) Agents can enter a connection at each end that is tied, at
 * its end only if it is bidirectional.
 *
 * Cost: O(links of the tiles at its ends) to add and remove a connection; each tile that is added or removed
 * visits every connection of the mesh once. */
#ifndef WALKMESH_MESH_CONNECTIONS_H
#define WALKMESH_MESH_CONNECTIONS_H

#include "base/public.h"
#include "mesh/mesh.h"

WM_PUBLIC_BEGIN

typedef struct WmConnection {
  float start[3], end[3];
  float radius;       /* largest distance of the mesh from an end on x and z, world units, finite, >= 0;
                         default the agent radius of the mesh's parameters */
  float climb;        /* the same on y; default the agent's climb */
  bool bidirectional; /* default true */
  bool enabled;       /* default true; searches don't pass a disabled connection */
  uint8_t area;       /* 0..63, default 0 */
  uint16_t flags;     /* default 1 */
  uint32_t user_id;   /* default 0 */
  float cost_factor;  /* finite, >= 0, default 1: times the area's cost and the distance between the ends */
} WmConnection;

WmConnection wm_connection_default(const WmMesh *mesh);

/* Adds a connection.
 * out        *connection: the reference of its polygon
 * returns    WM_OK, also if no polygon is near an end; WM_ERROR_INVALID_ARGUMENT naming the field;
 *            WM_ERROR_LIMIT (2^20 tiles and connections); WM_ERROR_OUT_OF_MEMORY. The mesh is unchanged on
 *            failure */
WmStatus wm_mesh_add_connection(WmMesh *mesh, const WmConnection *settings, WmRef *connection);

/* Removes a connection made by wm_mesh_add_connection, and the links to it.
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE; WM_ERROR_INVALID_ARGUMENT (not such a connection) */
WmStatus wm_mesh_remove_connection(WmMesh *mesh, WmRef connection);

/* Enables or disables a connection made by wm_mesh_add_connection, without new links; sets its cost factor.
 * returns    as wm_mesh_remove_connection */
WmStatus wm_mesh_set_connection_enabled(WmMesh *mesh, WmRef connection, bool enabled);
WmStatus wm_mesh_set_connection_cost(WmMesh *mesh, WmRef connection, float cost_factor);

/* Reads an off-mesh connection, made at run time or baked into a tile (then its cost factor is 1).
 * out        *settings; ends [2][3] (may be NULL): start and end, moved onto the mesh where tied; *tied (may
 *            be NULL): bit 0 the start is tied, bit 1 the end
 * returns    as wm_mesh_remove_connection; WM_ERROR_INVALID_ARGUMENT for a ground polygon */
WmStatus wm_mesh_connection(const WmMesh *mesh, WmRef connection, WmConnection *settings, float ends[2][3],
                            int *tied);

/* The points where an agent that comes from polygon `previous` enters and leaves a connection; of a segment link, in the
 * middle of where it can come onto it.
 * in         previous: 0: the agent enters at the start
 * out        entry, exit [3]: the start and the end; swapped if only the end is tied to `previous`
 * returns    as wm_mesh_connection; the same for `previous`, if it is not 0 */
WmStatus wm_mesh_connection_ends(const WmMesh *mesh, WmRef previous, WmRef connection, float entry[3],
                                 float exit[3]);

/* The next connection made at run time, in the order they were made: pass 0, then the last result, until it
 * returns 0. For a reference of no such connection it returns 0, too. */
WmRef wm_mesh_next_connection(const WmMesh *mesh, WmRef previous);
size_t wm_mesh_connection_count(const WmMesh *mesh);

WM_PUBLIC_END

#endif
