/* Checks polygon meshes, for tests and debug builds (base/debug/assert.h). Shares no code with the stage. */
#ifndef WALKMESH_BAKE_POLYGON_MESH_VALIDATE_H
#define WALKMESH_BAKE_POLYGON_MESH_VALIDATE_H

#include "bake/fields.h"

/* True if vertices are in the grid; each polygon has 3 to max_vertices_per_polygon of them, then
 * WM_POLYGON_NONE in both halves; neighbours are mutual, across the same edge in the other direction; and
 * portal edges lie on the side of the tile that they name.
 * cost       O(edges) */
bool wm_polygon_mesh_validate(const WmPolygonMesh *mesh);

/* The number of polygons that are not convex, or have no area. It is 0 if no contour touches or crosses
 * itself: so tests check it, and the stage does not. */
uint32_t wm_polygon_mesh_count_concave(const WmPolygonMesh *mesh);

#endif
