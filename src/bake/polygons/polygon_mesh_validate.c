/* Checks polygon meshes. See polygon_mesh_validate.h. Written for reading, not for speed. */
#include "bake/polygons/polygon_mesh_validate.h"

enum { FEWEST_VERTICES = 3, MOST_VERTICES = 6, DIRECTION_MASK = 15 };

static const uint16_t *polygon_at(const WmPolygonMesh *mesh, uint32_t polygon) {
  return mesh->polygons + 2 * (size_t)mesh->max_vertices_per_polygon * polygon;
}

static uint32_t size_of(const WmPolygonMesh *mesh, const uint16_t *polygon) {
  uint32_t size = 0;
  while (size < (uint32_t)mesh->max_vertices_per_polygon && polygon[size] != WM_POLYGON_NONE) size++;
  return size;
}

static bool are_vertices_in_grid(const WmPolygonMesh *mesh) {
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    const uint16_t *vertex = mesh->vertices + 3 * i;
    if (vertex[0] > mesh->grid.width || vertex[2] > mesh->grid.depth) return false;
  }
  return true;
}

/* True if the polygon has valid vertices, and nothing after the last. */
static bool is_polygon_valid(const WmPolygonMesh *mesh, const uint16_t *polygon) {
  const uint32_t max_vertices = (uint32_t)mesh->max_vertices_per_polygon, size = size_of(mesh, polygon);
  if (size < FEWEST_VERTICES) return false;
  for (uint32_t k = 0; k < size; k++) {
    if (polygon[k] >= mesh->vertex_count) return false;
  }
  for (uint32_t k = size; k < max_vertices; k++) {
    if (polygon[k] != WM_POLYGON_NONE || polygon[max_vertices + k] != WM_POLYGON_NONE) return false;
  }
  return true;
}

/* True if both ends of the edge lie on the tile's side in the direction of the portal's code. */
static bool is_portal_valid(const WmPolygonMesh *mesh, uint16_t code, uint16_t from, uint16_t to) {
  const uint32_t direction = code & DIRECTION_MASK;
  if (code != (WM_POLYGON_PORTAL | direction) || direction > 3 || mesh->grid.border_size <= 0) return false;
  const int32_t side = direction == 1 ? mesh->grid.depth : direction == 2 ? mesh->grid.width : 0;
  const uint32_t axis = direction % 2 ? 2 : 0;
  return mesh->vertices[3 * (size_t)from + axis] == side && mesh->vertices[3 * (size_t)to + axis] == side;
}

/* True if `other` has the edge in the other direction, with `own` as its neighbour. */
static bool is_neighbour_mutual(const WmPolygonMesh *mesh, uint32_t own, uint32_t other, uint16_t from,
                                uint16_t to) {
  if (other >= mesh->polygon_count || other == own) return false;
  const uint16_t *polygon = polygon_at(mesh, other);
  const uint32_t size = size_of(mesh, polygon);
  for (uint32_t k = 0; k < size; k++) {
    if (polygon[k] == to && polygon[(k + 1) % size] == from &&
        polygon[(uint32_t)mesh->max_vertices_per_polygon + k] == own) {
      return true;
    }
  }
  return false;
}

static bool are_neighbours_valid(const WmPolygonMesh *mesh, uint32_t own) {
  const uint16_t *polygon = polygon_at(mesh, own);
  const uint32_t size = size_of(mesh, polygon);
  for (uint32_t k = 0; k < size; k++) {
    const uint16_t code = polygon[(uint32_t)mesh->max_vertices_per_polygon + k];
    const uint16_t from = polygon[k], to = polygon[(k + 1) % size];
    if (code == WM_POLYGON_NONE) continue;
    const bool is_valid = code & WM_POLYGON_PORTAL ? is_portal_valid(mesh, code, from, to)
                                                   : is_neighbour_mutual(mesh, own, code, from, to);
    if (!is_valid) return false;
  }
  return true;
}

bool wm_polygon_mesh_validate(const WmPolygonMesh *mesh) {
  if (mesh->max_vertices_per_polygon < FEWEST_VERTICES || mesh->max_vertices_per_polygon > MOST_VERTICES)
    return false;
  if (mesh->vertex_count > WM_POLYGON_NONE || mesh->polygon_count > WM_POLYGON_LIMIT) return false;
  if (!are_vertices_in_grid(mesh)) return false;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    if (!is_polygon_valid(mesh, polygon_at(mesh, i))) return false;
    if (mesh->polygon_region[i] & WM_REGION_BORDER) return false;
    if (mesh->polygon_area[i] == WM_AREA_NULL || mesh->polygon_area[i] >= WM_AREA_COUNT) return false;
  }
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    if (!are_neighbours_valid(mesh, i)) return false;
  }
  return true;
}

/* Twice the signed area of the triangle of three vertices; negative if they turn like a convex polygon. */
static int64_t turn_of(const WmPolygonMesh *mesh, uint16_t a, uint16_t b, uint16_t c) {
  const uint16_t *p = mesh->vertices + 3 * (size_t)a, *q = mesh->vertices + 3 * (size_t)b;
  const uint16_t *r = mesh->vertices + 3 * (size_t)c;
  return (int64_t)(q[0] - p[0]) * (r[2] - p[2]) - (int64_t)(r[0] - p[0]) * (q[2] - p[2]);
}

uint32_t wm_polygon_mesh_count_concave(const WmPolygonMesh *mesh) {
  uint32_t concave = 0;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    const uint16_t *polygon = polygon_at(mesh, i);
    const uint32_t size = size_of(mesh, polygon);
    int64_t area = 0;
    bool is_convex = true;
    for (uint32_t k = 0; k < size; k++) {
      const uint16_t b = polygon[(k + 1) % size], c = polygon[(k + 2) % size];
      is_convex &= turn_of(mesh, polygon[k], b, c) <= 0;
      area += turn_of(mesh, polygon[0], polygon[k], b);
    }
    concave += !is_convex || area >= 0;
  }
  return concave;
}
