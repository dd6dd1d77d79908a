/* Checks detail meshes. See detail_mesh_validate.h. Written for reading, not for speed. */
#include "bake/detail/detail_mesh_validate.h"

#include <math.h>
#include <string.h>

#include "bake/polygons/polygon_mesh_validate.h"

enum { VERTEX_LIMIT = 127, TRIANGLE_LIMIT = 255, OUTLINE_FLAGS = 1 | 4 | 16, NO_VERTEX = 0xff };

/* True if the position is exactly that of the mesh's vertex; heights are one cell height above the floor,
 * unless they are those of the level. */
static bool is_mesh_vertex(const WmPolygonMesh *mesh, uint16_t number, const float *position,
                           bool is_on_surface) {
  const WmGrid *grid = &mesh->grid;
  const uint16_t *vertex = mesh->vertices + 3 * (size_t)number;
  return position[0] == (float)vertex[0] * grid->cell_size + grid->bounds_min[0] &&
         (is_on_surface ||
          position[1] == (float)vertex[1] * grid->cell_height + (grid->bounds_min[1] + grid->cell_height)) &&
         position[2] == (float)vertex[2] * grid->cell_size + grid->bounds_min[2];
}

static bool are_vertices_valid(const WmDetailMesh *detail, const WmPolygonMesh *mesh, uint32_t polygon) {
  const uint32_t *submesh = detail->submeshes + 4 * (size_t)polygon;
  const uint16_t *own = wm_validate_polygon_at(mesh, polygon);
  const uint32_t size = wm_validate_polygon_size(mesh, own);
  const float *positions = detail->vertices + 3 * (size_t)submesh[0];
  if (submesh[1] < size || submesh[1] > VERTEX_LIMIT) return false;
  for (uint32_t k = 0; k < size; k++) {
    if (!is_mesh_vertex(mesh, own[k], positions + 3 * (size_t)k, detail->is_on_surface)) return false;
  }
  for (size_t i = 0; i < 3 * (size_t)submesh[1]; i++) {
    if (!isfinite(positions[i])) return false;
  }
  return true;
}

static bool are_triangles_valid(const WmDetailMesh *detail, const uint32_t *submesh) {
  const uint8_t *triangle = detail->triangles + 4 * (size_t)submesh[2];
  if (submesh[3] > TRIANGLE_LIMIT) return false;
  for (uint32_t i = 0; i < submesh[3]; i++, triangle += 4) {
    for (int k = 0; k < 3; k++) {
      if (triangle[k] >= submesh[1] || triangle[k] == triangle[(k + 1) % 3]) return false;
    }
    if (triangle[3] & ~OUTLINE_FLAGS) return false;
  }
  return true;
}

/* True if the flagged edges, each from corner k to the next, form one ring that has the vertices 0 to size
 * - 1 among others. */
static bool is_outline_closed(const WmDetailMesh *detail, const uint32_t *submesh, uint32_t size) {
  const uint8_t *triangle = detail->triangles + 4 * (size_t)submesh[2];
  uint8_t next[VERTEX_LIMIT];
  uint32_t edge_count = 0, found = 0, own = 0;
  memset(next, NO_VERTEX, sizeof next);
  for (uint32_t i = 0; i < submesh[3]; i++, triangle += 4) {
    for (int k = 0; k < 3; k++) {
      if (!(triangle[3] >> 2 * k & 1)) continue;
      if (next[triangle[k]] != NO_VERTEX) return false;
      next[triangle[k]] = triangle[(k + 1) % 3];
      edge_count++;
    }
  }
  uint8_t vertex = 0;
  do {
    own += vertex < size;
    vertex = next[vertex];
    found++;
  } while (vertex != 0 && vertex != NO_VERTEX && found < edge_count);
  return vertex == 0 && found == edge_count && own == size;
}

bool wm_detail_mesh_validate(const WmDetailMesh *detail, const WmPolygonMesh *mesh) {
  if (detail->submesh_count != (mesh->vertex_count ? mesh->polygon_count : 0)) return false;
  uint32_t vertex_count = 0, triangle_count = 0;
  for (uint32_t i = 0; i < detail->submesh_count; i++) {
    const uint32_t *submesh = detail->submeshes + 4 * (size_t)i,
                   size = wm_validate_polygon_size(mesh, wm_validate_polygon_at(mesh, i));
    if (submesh[0] != vertex_count || submesh[2] != triangle_count) return false;
    if (submesh[1] > detail->vertex_count - vertex_count) return false;
    if (submesh[3] > detail->triangle_count - triangle_count) return false;
    vertex_count += submesh[1];
    triangle_count += submesh[3];
    if (!are_vertices_valid(detail, mesh, i) || !are_triangles_valid(detail, submesh)) return false;
    if (size >= 3 && submesh[3] < TRIANGLE_LIMIT && !is_outline_closed(detail, submesh, size)) return false;
  }
  return vertex_count == detail->vertex_count && triangle_count == detail->triangle_count;
}
