/* Off-mesh connections made at run time: ladders, jumps, teleporters between any two points of the mesh.
 *
 * A connection is a polygon with two ends, like those baked into tiles, and is searched, filtered and named
 * by a reference like them. It is a tile of its own, without ground and without a place in the grid: hence
 * it can be made and removed without touching a tile's bytes, and its ends may be any number of tiles apart.
 * Each end is tied to the polygon nearest to it within its radius (on x and z) and the climb (on y), whatever
 * its flags, whenever there is one: tiles that come and go tie and untie it. What it is tied to depends on
 * the tiles that are there, not on the order in which they and the connections came; of tiles with ground
 * equally near (straight above or below, within the climb of the tile, all is equally near), the first by z,
 * x and layer counts. A connection can be entered at each end that is tied; at its end only if it leads both
 * ways.
 *
 * Cost: making and removing O(links of the tiles at its ends); each tile that comes or goes looks at every
 * connection of the mesh once. */
#ifndef WALKMESH_MESH_CONNECTIONS_H
#define WALKMESH_MESH_CONNECTIONS_H

#include "mesh/mesh.h"

typedef struct WmConnection {
  float start[3], end[3];
  float radius;       /* world units, finite, >= 0: how far on x and z the mesh may be from an end; default
                         the agent's radius of the mesh's parameters */
  float climb;        /* the same on y; default the agent's climb */
  bool bidirectional; /* default true */
  bool enabled;       /* default true; no search passes a connection that is not */
  uint8_t area;       /* 0..63, default 0 */
  uint16_t flags;     /* default 1 */
  uint32_t user_id;   /* default 0 */
  float cost_factor;  /* finite, >= 0, default 1: times the area's cost and the distance between the ends */
} WmConnection;

WmConnection wm_connection_default(const WmMesh *mesh);

/* Makes a connection.
 * out        *connection: the reference of its polygon
 * returns    WM_OK, also where an end meets no polygon (yet); WM_ERROR_INVALID_ARGUMENT naming the field;
 *            WM_ERROR_LIMIT (2^20 tiles and connections); WM_ERROR_OUT_OF_MEMORY. The mesh is unchanged on
 *            failure */
WmStatus wm_mesh_add_connection(WmMesh *mesh, const WmConnection *settings, WmRef *connection);

/* Removes one made by wm_mesh_add_connection, and the links to it.
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE; WM_ERROR_INVALID_ARGUMENT (not such a connection) */
WmStatus wm_mesh_remove_connection(WmMesh *mesh, WmRef connection);

/* Turns one on or off, at once and without new links; gives it another cost factor, area or flags. The same
 * returns. */
WmStatus wm_mesh_set_connection_enabled(WmMesh *mesh, WmRef connection, bool enabled);
WmStatus wm_mesh_set_connection_cost(WmMesh *mesh, WmRef connection, float cost_factor);

/* What is known of an off-mesh connection, made at run time or baked into a tile (whose cost factor is 1).
 * out        *settings; ends [2][3] (may be NULL): where they were moved onto the mesh; *tied (may be NULL):
 *            bit 0 the start meets a polygon, bit 1 the end
 * returns    the same; WM_ERROR_INVALID_ARGUMENT also for a ground polygon */
WmStatus wm_mesh_connection(const WmMesh *mesh, WmRef connection, WmConnection *settings, float ends[2][3],
                            int *tied);

/* Where one enters a connection that comes from polygon `previous`, and where one leaves it.
 * out        entry, exit [3]: the start and the end, the other way round where `previous` is tied to the end
 *            only (and for previous 0: the start)
 * returns    as wm_mesh_connection; the same for `previous`, if it is not 0 */
WmStatus wm_mesh_connection_ends(const WmMesh *mesh, WmRef previous, WmRef connection, float entry[3],
                                 float exit[3]);

/* Connections made at run time, in the order they were made: pass 0, then the last answer, until 0 comes
 * back (also where that is the reference of none). */
WmRef wm_mesh_next_connection(const WmMesh *mesh, WmRef previous);
size_t wm_mesh_connection_count(const WmMesh *mesh);

#endif
