/* The tile: polygon mesh, detail mesh and off-mesh connections -> one block of bytes in Detour's format.
 *
 * This file only converts to the format (base/tile_format.h): vertices in world units, neighbour codes,
 * the detail mesh without the vertices it shares with the polygons, the tree, and the connections that
 * start in this tile. All bytes that are not written are zero. If the format cannot hold something, the
 * result is an error, never a wrapped number; extra detail vertices are counted in the format's full 32
 * bits.
 *
 * Source: M. Mononen, Detour (2009-), whose bytes this reproduces. */
#include <math.h>

#include "bake/tile/tile_internal.h"
#include "bake/detail/detail_mesh_validate.h"
#include "bake/polygons/polygon_mesh_validate.h"
#include "bake/tile/tile_validate.h"
#include "base/debug/assert.h"

/* Counts and offsets, computed before anything is written. */
typedef struct Plan {
  const WmPolygonMesh *mesh;
  const WmDetailMesh *detail; /* NULL: polygons are their own detail */
  const WmTileSettings *settings;
  float low, high; /* connections start between these heights */
  WmTileHeader header;
  WmTileSections at;
} Plan;

/* ---- Counting ------------------------------------------------------------------------------------------ */

static WmStatus check_limit(WmContext *context, const char *what, uint32_t value, uint32_t limit) {
  if (value <= limit) return WM_OK;
  return wm_fail_range(context, WM_ERROR_LIMIT, what, value, 0, limit,
                       "a tile can't hold more: use tiles (tileSize), or smaller ones");
}

uint8_t wm_tile_side_of(const float point[3], const WmGrid *grid) {
  static const uint8_t SIDES[16] = {
      [0] = WM_TILE_SIDE_INSIDE,
      [1] = WM_SIDE_X_PLUS,
      [1 | 2] = WM_SIDE_X_PLUS_Z_PLUS,
      [2] = WM_SIDE_Z_PLUS,
      [4 | 2] = WM_SIDE_X_MINUS_Z_PLUS,
      [4] = WM_SIDE_X_MINUS,
      [4 | 8] = WM_SIDE_X_MINUS_Z_MINUS,
      [8] = WM_SIDE_Z_MINUS,
      [1 | 8] = WM_SIDE_X_PLUS_Z_MINUS,
      /* Both sides of an axis: only in a tile of size 0. */
      [1 | 4] = WM_TILE_SIDE_INSIDE,
      [2 | 8] = WM_TILE_SIDE_INSIDE,
      [1 | 2 | 4] = WM_TILE_SIDE_INSIDE,
      [1 | 2 | 8] = WM_TILE_SIDE_INSIDE,
      [1 | 4 | 8] = WM_TILE_SIDE_INSIDE,
      [2 | 4 | 8] = WM_TILE_SIDE_INSIDE,
      [1 | 2 | 4 | 8] = WM_TILE_SIDE_INSIDE,
  };
  int outside = 0;
  if (point[0] >= grid->bounds_max[0]) outside |= 1;
  if (point[2] >= grid->bounds_max[2]) outside |= 2;
  if (point[0] < grid->bounds_min[0]) outside |= 4;
  if (point[2] < grid->bounds_min[2]) outside |= 8;
  return SIDES[outside];
}

/* Finds the range of heights of the surface, extended by the climb. */
static void measure_heights(Plan *plan) {
  const WmPolygonMesh *mesh = plan->mesh;
  const WmDetailMesh *detail = plan->detail;
  const float climb = plan->settings->agent_max_climb;
  float low = INFINITY, high = -INFINITY;
  const size_t count = detail ? detail->vertex_count : mesh->vertex_count;
  for (size_t i = 1; i < 3 * count; i += 3) {
    const float y = detail ? detail->vertices[i]
                           : mesh->grid.bounds_min[1] + (float)mesh->vertices[i] * mesh->grid.cell_height;
    low = y < low ? y : low;
    high = y > high ? y : high;
  }
  plan->low = low - climb;
  plan->high = high + climb;
}

/* True if this tile stores the connection: it starts inside, and not above or below the surface. */
static bool starts_here(const Plan *plan, const WmOffMeshConnection *connection) {
  const float y = connection->start[1];
  return wm_tile_side_of(connection->start, &plan->mesh->grid) == WM_TILE_SIDE_INSIDE &&
         !(y < plan->low || y > plan->high);
}

/* Counts the connections to store, and the links at ends that lie in this tile, of all connections. */
static WmStatus count_connections(WmContext *context, Plan *plan) {
  const WmTileSettings *settings = plan->settings;
  WmTileHeader *header = &plan->header;
  if (settings->connection_count == 0) return WM_OK;
  measure_heights(plan);
  uint32_t stored = 0;
  for (size_t i = 0; i < settings->connection_count; i++) {
    const WmOffMeshConnection *connection = &settings->connections[i];
    const bool here = starts_here(plan, connection);
    stored += here;
    header->link_count +=
        2 * (here + (wm_tile_side_of(connection->end, &plan->mesh->grid) == WM_TILE_SIDE_INSIDE));
  }
  header->connection_count = (int32_t)stored;
  header->polygon_count += (int32_t)stored;
  header->vertex_count += (int32_t)(2 * stored);
  const uint32_t free_vertices = (WM_TILE_VERTEX_LIMIT - plan->mesh->vertex_count) / 2;
  const uint32_t free_polygons = WM_TILE_POLYGON_LIMIT - plan->mesh->polygon_count;
  return check_limit(context, "connections", stored,
                     free_vertices < free_polygons ? free_vertices : free_polygons);
}

/* Checks that the mesh fits into a tile. */
static WmStatus check_mesh(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail) {
  if (mesh->max_vertices_per_polygon < 3 || mesh->max_vertices_per_polygon > WM_TILE_VERTICES_PER_POLYGON) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "maxVerticesPerPolygon",
                         mesh->max_vertices_per_polygon, 3, WM_TILE_VERTICES_PER_POLYGON,
                         "a tile's polygons have at most 6 vertices");
  }
  if (!(mesh->grid.cell_size > 0.0f) || !(mesh->grid.cell_height > 0.0f)) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "cellSize",
                   "the polygon mesh's cell size and height must be more than 0");
  }
  WmStatus status = check_limit(context, "vertices", mesh->vertex_count, WM_TILE_VERTEX_LIMIT - 1);
  if (!status) status = check_limit(context, "polygons", mesh->polygon_count, WM_TILE_GROUND_LIMIT);
  if (!status && detail && detail->submesh_count != mesh->polygon_count) {
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "detail", "the detail mesh has ",
                          detail->submesh_count, " submeshes, not one for each polygon");
  }
  return status;
}

/* Counts polygons and their details, and checks that the format can hold them. Counts stay below 2^31:
 * 32767 polygons of at most six edges and 255 + 255 details, 65535 connections. */
static WmStatus count_polygons(WmContext *context, Plan *plan) {
  const WmPolygonMesh *mesh = plan->mesh;
  const WmDetailMesh *detail = plan->detail;
  const uint32_t max_vertices = (uint32_t)mesh->max_vertices_per_polygon, ground = mesh->polygon_count;
  uint32_t triangles = 0, links = 0, extra_sum = 0;
  const uint16_t *polygon = mesh->polygons;
  for (uint32_t i = 0; i < ground; i++, polygon += 2 * (size_t)max_vertices) {
    const uint32_t size = wm_polygon_size(polygon, max_vertices);
    for (const uint16_t *neighbour = polygon + max_vertices; neighbour < polygon + max_vertices + size;
         neighbour++) {
      links += (*neighbour & WM_POLYGON_PORTAL) && (*neighbour & 15) != 15 ? 3 : 1;
    }
    triangles += size - 2;
    if (!detail) continue;
    const uint32_t *submesh = detail->submeshes + 4 * (size_t)i;
    const uint32_t extra = submesh[1] - size;
    if (submesh[1] < size || (uint64_t)submesh[0] + submesh[1] > detail->vertex_count ||
        (uint64_t)submesh[2] + submesh[3] > detail->triangle_count) {
      return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "detail", "submesh ", i,
                            " of the detail mesh is out of range, or has fewer vertices than its polygon");
    }
    WmStatus status = check_limit(context, "detailVertices", extra, WM_TILE_DETAIL_LIMIT);
    if (!status) status = check_limit(context, "detailTriangles", submesh[3], WM_TILE_DETAIL_LIMIT);
    if (status) return status;
    extra_sum += extra;
  }
  WmTileHeader *header = &plan->header;
  header->vertex_count = (int32_t)mesh->vertex_count;
  header->polygon_count = header->detail_count = header->first_off_mesh = (int32_t)ground;
  header->link_count = (int32_t)links;
  header->detail_vertex_count = (int32_t)extra_sum;
  header->detail_triangle_count = (int32_t)(detail ? detail->triangle_count : triangles);
  return WM_OK;
}

/* Sets the header's fields that are not counts. */
static void fill_header(Plan *plan) {
  const WmTileSettings *settings = plan->settings;
  const WmGrid *grid = &plan->mesh->grid;
  WmTileHeader *header = &plan->header;
  header->magic = WM_TILE_MAGIC;
  header->version = WM_TILE_VERSION;
  if (settings->build_tree) header->node_count = 2 * header->detail_count;
  header->cells_per_unit = 1.0f / grid->cell_size;
  header->x = settings->x;
  header->z = settings->z;
  header->layer = settings->layer;
  header->user_id = settings->user_id;
  header->agent_height = settings->agent_height;
  header->agent_radius = settings->agent_radius;
  header->agent_max_climb = settings->agent_max_climb;
  memcpy(header->bounds_min, grid->bounds_min, sizeof header->bounds_min);
  memcpy(header->bounds_max, grid->bounds_max, sizeof header->bounds_max);
  plan->at = wm_tile_sections(header, WM_TILE_LINK_BYTES);
}

/* ---- Writing: our own block is aligned, so records are written in place ----------------------------- */

/* Copies the heights of vertices from the submeshes, which begin with them. */
static void copy_heights(const Plan *plan, float *position) {
  const uint32_t max_vertices = (uint32_t)plan->mesh->max_vertices_per_polygon;
  const uint16_t *polygon = plan->mesh->polygons;
  for (size_t i = 0; i < plan->mesh->polygon_count; i++, polygon += 2 * (size_t)max_vertices) {
    const float *own = plan->detail->vertices + 3 * (size_t)plan->detail->submeshes[4 * i];
    const uint32_t size = wm_polygon_size(polygon, max_vertices);
    for (uint32_t k = 0; k < size; k++) position[3 * (size_t)polygon[k] + 1] = own[3 * (size_t)k + 1];
  }
}

static void write_vertices(const Plan *plan, float *position) {
  const WmPolygonMesh *mesh = plan->mesh;
  const WmGrid *grid = &mesh->grid;
  for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i += 3) {
    const uint16_t *vertex = mesh->vertices + i;
    for (size_t axis = 0; axis < 3; axis++) {
      const float size = axis == 1 ? grid->cell_height : grid->cell_size;
      position[i + axis] = grid->bounds_min[axis] + (float)vertex[axis] * size;
    }
  }
  if (plan->detail && plan->detail->is_on_surface) copy_heights(plan, position);
}

/* The tile's code for the neighbour across an edge. */
static uint16_t neighbour_code(uint16_t neighbour) {
  static const uint16_t SIDE_OF_DIRECTION[4] = {WM_SIDE_X_MINUS, WM_SIDE_Z_PLUS, WM_SIDE_X_PLUS,
                                                WM_SIDE_Z_MINUS};
  if (!(neighbour & WM_POLYGON_PORTAL)) return (uint16_t)(neighbour + 1);
  const uint16_t direction = neighbour & 15;
  return direction < 4 ? (uint16_t)(WM_TILE_PORTAL | SIDE_OF_DIRECTION[direction]) : 0;
}

static void write_polygons(const Plan *plan, WmTilePolygon *polygon) {
  const WmPolygonMesh *mesh = plan->mesh;
  const uint32_t max_vertices = (uint32_t)mesh->max_vertices_per_polygon;
  const uint16_t *source = mesh->polygons;
  for (size_t i = 0; i < mesh->polygon_count; i++, polygon++, source += 2 * (size_t)max_vertices) {
    const uint8_t marked = mesh->polygon_area[i] & 63;
    const uint8_t area = marked == WM_AREA_WALKABLE ? 0 : marked;
    polygon->flags = plan->settings->area_flags[area];
    polygon->area_and_type = area;
    polygon->vertex_count = (uint8_t)wm_polygon_size(source, max_vertices);
    for (size_t k = 0; k < polygon->vertex_count; k++) {
      polygon->vertices[k] = source[k];
      polygon->neighbours[k] = neighbour_code(source[max_vertices + k]);
    }
  }
}

/* Writes the detail mesh, without the vertices that repeat the polygons'. Without a detail mesh each
 * polygon is a fan from its first vertex; outer edges are flagged. */
static void write_details(const Plan *plan, uint8_t *bytes) {
  const WmDetailMesh *detail = plan->detail;
  const WmTilePolygon *polygon = (const WmTilePolygon *)(void *)(bytes + plan->at.polygons);
  WmTileDetail *record = (WmTileDetail *)(void *)(bytes + plan->at.details);
  uint8_t *vertices = bytes + plan->at.detail_vertices, *triangle = bytes + plan->at.detail_triangles;
  uint32_t first_vertex = 0, first_triangle = 0;
  for (size_t i = 0; i < plan->mesh->polygon_count; i++, record++) {
    const uint32_t own = polygon[i].vertex_count;
    record->first_vertex = first_vertex;
    record->first_triangle = first_triangle;
    record->triangle_count = (uint8_t)(own - 2);
    first_triangle += own - 2;
    if (detail) {
      const uint32_t *submesh = detail->submeshes + 4 * i;
      const uint32_t extra = submesh[1] - own;
      record->first_triangle = submesh[2];
      record->vertex_count = (uint8_t)extra;
      record->triangle_count = (uint8_t)submesh[3];
      if (extra > 0) {
        memcpy(vertices + (size_t)first_vertex * WM_TILE_VERTEX_BYTES,
               detail->vertices + 3 * (size_t)(submesh[0] + own), extra * (size_t)WM_TILE_VERTEX_BYTES);
      }
      first_vertex += extra;
      continue;
    }
    for (uint32_t j = 2; j < own; j++, triangle += WM_TILE_TRIANGLE_BYTES) {
      triangle[1] = (uint8_t)(j - 1);
      triangle[2] = (uint8_t)j;
      triangle[3] = (uint8_t)(4 | (j == 2) | (j == own - 1) << 4);
    }
  }
  if (detail && detail->triangle_count > 0) {
    memcpy(triangle, detail->triangles, (size_t)detail->triangle_count * WM_TILE_TRIANGLE_BYTES);
  }
}

/* Writes two vertices, a polygon of two, and a record for each stored connection. */
static void write_connections(const Plan *plan, uint8_t *bytes) {
  uint32_t vertex = plan->mesh->vertex_count, number = plan->mesh->polygon_count;
  float *position = (float *)(void *)(bytes + plan->at.vertices) + 3 * (size_t)vertex;
  WmTilePolygon *polygon = (WmTilePolygon *)(void *)(bytes + plan->at.polygons) + number;
  WmTileConnection *record = (WmTileConnection *)(void *)(bytes + plan->at.connections);
  for (size_t i = 0; i < plan->settings->connection_count; i++) {
    const WmOffMeshConnection *source = &plan->settings->connections[i];
    if (!starts_here(plan, source)) continue;
    memcpy(record->start, source->start, sizeof record->start);
    memcpy(record->end, source->end, sizeof record->end);
    record->radius = source->radius;
    memcpy(position, source->start, sizeof source->start);
    memcpy(position + 3, source->end, sizeof source->end);
    record->polygon = (uint16_t)number++;
    record->flags = source->bidirectional ? WM_TILE_OFF_MESH_BIDIRECTIONAL : 0;
    record->side = wm_tile_side_of(source->end, &plan->mesh->grid);
    record->user_id = source->user_id;
    polygon->vertices[0] = (uint16_t)vertex++;
    polygon->vertices[1] = (uint16_t)vertex++;
    polygon->flags = source->flags;
    polygon->vertex_count = 2;
    polygon->area_and_type = (uint8_t)((source->area & 63) | WM_TILE_OFF_MESH << 6);
    position += 6;
    polygon++;
    record++;
  }
}

static WmStatus write_tile(WmContext *context, const Plan *plan, uint8_t *bytes) {
  memset(bytes, 0, (size_t)plan->at.byte_count);
  memcpy(bytes, &plan->header, sizeof plan->header);
  write_vertices(plan, (float *)(void *)(bytes + plan->at.vertices));
  write_polygons(plan, (WmTilePolygon *)(void *)(bytes + plan->at.polygons));
  write_details(plan, bytes);
  write_connections(plan, bytes);
  if (!plan->settings->build_tree) return WM_OK;
  return wm_build_tile_tree(context, plan->mesh, plan->detail,
                            (WmTileNode *)(void *)(bytes + plan->at.nodes));
}

static WmStatus build(WmContext *context, Plan *plan, WmTileData *tile) {
  WmStatus status = check_mesh(context, plan->mesh, plan->detail);
  if (!status) status = count_polygons(context, plan);
  if (!status) status = count_connections(context, plan);
  if (status) return status;
  fill_header(plan);
  if (plan->at.byte_count > SIZE_MAX) return wm_fail_memory(context, SIZE_MAX);
  tile->byte_count = (size_t)plan->at.byte_count;
  tile->bytes = wm_block_allocate(context, tile->byte_count);
  return tile->bytes ? write_tile(context, plan, tile->bytes) : WM_ERROR_OUT_OF_MEMORY;
}

/* False for meshes that no stage makes, as tests and fuzzing do: their tiles may be invalid. */
WM_COLD static bool is_input_valid(const Plan *plan) {
  if (!wm_polygon_mesh_validate(plan->mesh)) return false;
  return !plan->detail || wm_detail_mesh_validate(plan->detail, plan->mesh);
}

WmStatus wm_build_tile(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                       const WmTileSettings *settings, WmTileData *tile) {
  *tile = (WmTileData){0};
  if (mesh->polygon_count == 0 || mesh->vertex_count == 0) return WM_OK;
  Plan plan = {.mesh = mesh, .detail = detail && detail->submesh_count ? detail : NULL, .settings = settings};
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = build(context, &plan, tile);
  wm_scratch_rewind(context, mark);
  if (status) wm_tile_data_free(context, tile);
  if (!status) WM_VALIDATE(wm_tile_validate(tile) || !is_input_valid(&plan));
  return status;
}
