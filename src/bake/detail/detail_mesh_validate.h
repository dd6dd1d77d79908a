/* Checks detail meshes, for tests and debug builds (base/debug/assert.h). Shares no code with the stage. */
#ifndef WALKMESH_BAKE_DETAIL_MESH_VALIDATE_H
#define WALKMESH_BAKE_DETAIL_MESH_VALIDATE_H

#include "bake/fields.h"

/* True if each polygon has a submesh, and those follow each other without gaps; a submesh begins with the
 * polygon's vertices, at their positions, and has at most 127 finite ones; its triangles have three different
 * vertices of it; and the edges flagged as outline form one ring through all of the polygon's vertices, so
 * that triangles cover the outline from inside. The last is not checked if a submesh has 255 triangles,
 * the limit.
 * in         mesh: from which `detail` was built; a mesh without vertices has no submeshes
 * cost       O(vertices + triangles) */
bool wm_detail_mesh_validate(const WmDetailMesh *detail, const WmPolygonMesh *mesh);

#endif
