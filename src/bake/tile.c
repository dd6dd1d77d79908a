/* The tile: polygon mesh, detail mesh and off-mesh connections -> one block of bytes in Detour's format.
 *
 * Nothing is decided here but what the format asks for (base/tile_format.h): vertices in world units,
 * neighbour codes, the detail mesh without the vertices it shares with the polygons, the tree, and those
 * connections that start in this tile. All bytes that are not written are zero. What the format cannot hold
 * is an error and never wraps; extra detail vertices are counted in the format's full 32 bits.
 *
 * Source: M. Mononen, Detour (2009-), whose bytes this reproduces. */
#include <math.h>

#include "bake/tile_internal.h"

/* What is counted before anything is written. */
typedef struct Plan {
  const WmPolygonMesh *mesh;
  const WmDetailMesh *detail; /* NULL: polygons are their own detail */
  const WmTileSettings *settings;
  uint8_t *start_side, *end_side; /* [connection_count] WM_SIDE_... or WM_TILE_SIDE_INSIDE */
  uint32_t stored;                /* connections that start in this tile */
  WmTileHeader header;
  WmTileSections at;
} Plan;

/* ---- Counting ----------------------------------------------------------------------------------------- */

static WmStatus fail_limit(WmContext *context, const char *what, double value, double limit) {
  return wm_fail_range(context, WM_ERROR_LIMIT, what, value, NAN, limit,
                       "a tile cannot hold more: use tiles (tileSize), or smaller ones");
}

/* Side of a point against the tile's rectangle. */
static uint8_t side_of(const float point[3], const WmGrid *grid) {
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
      /* Both sides of an axis at once: only in a tile without extent. */
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

/* Range of heights of the surface, widened by the climb. */
static void measure_heights(const Plan *plan, float *low, float *high) {
  const WmPolygonMesh *mesh = plan->mesh;
  *low = INFINITY;
  *high = -INFINITY;
  const size_t count = plan->detail ? plan->detail->vertex_count : mesh->vertex_count;
  for (size_t i = 0; i < count; i++) {
    const float y =
        plan->detail ? plan->detail->vertices[3 * i + 1]
                     : mesh->grid.bounds_min[1] + (float)mesh->vertices[3 * i + 1] * mesh->grid.cell_height;
    *low = y < *low ? y : *low;
    *high = y > *high ? y : *high;
  }
  *low -= plan->settings->agent_max_climb;
  *high += plan->settings->agent_max_climb;
}

/* Finds out on which side of the tile each end lies; a start above or below the surface is not ours.
 * out        *inside: ends that lie in this tile, whether or not their connection is stored */
static WmStatus classify_connections(WmContext *context, Plan *plan, uint64_t *inside) {
  const WmTileSettings *settings = plan->settings;
  *inside = 0;
  if (settings->connection_count == 0) return WM_OK;
  plan->start_side = wm_scratch_array(context, settings->connection_count, 1);
  plan->end_side = wm_scratch_array(context, settings->connection_count, 1);
  if (!plan->start_side || !plan->end_side) return WM_ERROR_OUT_OF_MEMORY;
  float low = 0, high = 0;
  measure_heights(plan, &low, &high);
  uint64_t stored = 0;
  for (size_t i = 0; i < settings->connection_count; i++) {
    const WmOffMeshConnection *connection = &settings->connections[i];
    uint8_t start = side_of(connection->start, &plan->mesh->grid);
    if (start == WM_TILE_SIDE_INSIDE && (connection->start[1] < low || connection->start[1] > high))
      start = 0;
    const uint8_t end = side_of(connection->end, &plan->mesh->grid);
    plan->start_side[i] = start;
    plan->end_side[i] = end;
    stored += start == WM_TILE_SIDE_INSIDE;
    *inside += (uint64_t)(start == WM_TILE_SIDE_INSIDE) + (end == WM_TILE_SIDE_INSIDE);
  }
  const uint64_t room_vertices = (uint64_t)(WM_TILE_VERTEX_LIMIT - plan->mesh->vertex_count) / 2;
  const uint64_t room_polygons = (uint64_t)(WM_TILE_POLYGON_LIMIT - plan->mesh->polygon_count);
  const uint64_t room = room_vertices < room_polygons ? room_vertices : room_polygons;
  if (stored > room) return fail_limit(context, "connections", (double)stored, (double)room);
  plan->stored = (uint32_t)stored;
  return WM_OK;
}

/* Whether the mesh can be a tile at all. */
static WmStatus check_mesh(WmContext *context, const WmPolygonMesh *mesh) {
  if (mesh->max_vertices_per_polygon < 3 || mesh->max_vertices_per_polygon > WM_TILE_VERTICES_PER_POLYGON) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "maxVerticesPerPolygon",
                         mesh->max_vertices_per_polygon, 3, WM_TILE_VERTICES_PER_POLYGON,
                         "the tile's polygons have six places");
  }
  if (!(mesh->grid.cell_size > 0.0f) || !(mesh->grid.cell_height > 0.0f)) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "cellSize", "cells of the polygon mesh have no size");
  }
  if (mesh->vertex_count >= WM_TILE_VERTEX_LIMIT) {
    return fail_limit(context, "vertices", mesh->vertex_count, WM_TILE_VERTEX_LIMIT - 1);
  }
  if (mesh->polygon_count > WM_TILE_GROUND_LIMIT) {
    return fail_limit(context, "polygons", mesh->polygon_count, WM_TILE_GROUND_LIMIT);
  }
  return WM_OK;
}

static WmStatus check_detail(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail) {
  if (detail->submesh_count != mesh->polygon_count) {
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "detail", "the detail mesh has ",
                          detail->submesh_count, " submeshes, not one for each polygon");
  }
  for (size_t i = 0; i < mesh->polygon_count; i++) {
    const uint32_t *submesh = detail->submeshes + 4 * i;
    const uint32_t own = (uint32_t)wm_mesh_polygon_size(mesh, i);
    if (submesh[1] < own || (uint64_t)submesh[0] + submesh[1] > detail->vertex_count ||
        (uint64_t)submesh[2] + submesh[3] > detail->triangle_count) {
      return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "detail", "submesh ", (double)i,
                            " of the detail mesh lies outside it, or lacks the polygon's vertices");
    }
    if (submesh[1] - own > WM_TILE_DETAIL_LIMIT) {
      return fail_limit(context, "detailVertices", submesh[1] - own, WM_TILE_DETAIL_LIMIT);
    }
    if (submesh[3] > WM_TILE_DETAIL_LIMIT) {
      return fail_limit(context, "detailTriangles", submesh[3], WM_TILE_DETAIL_LIMIT);
    }
  }
  return WM_OK;
}

/* Counts what each section holds and fills in the header. Counts stay below 2^31: 32767 polygons of at most
 * six edges and 255 + 255 details, 65535 connections. */
static void fill_header(Plan *plan, uint64_t inside) {
  const WmPolygonMesh *mesh = plan->mesh;
  const size_t most = (size_t)mesh->max_vertices_per_polygon;
  uint64_t edges = 0, portals = 0, extra = 0, triangles = 0;
  for (size_t i = 0; i < mesh->polygon_count; i++) {
    const size_t size = (size_t)wm_mesh_polygon_size(mesh, i);
    const uint16_t *neighbours = mesh->polygons + i * 2 * most + most;
    for (size_t k = 0; k < size; k++) {
      portals += (neighbours[k] & WM_POLYGON_PORTAL) != 0 && (neighbours[k] & 15) != 15;
    }
    edges += size;
    if (plan->detail) extra += plan->detail->submeshes[4 * i + 1] - size;
    triangles += size - 2;
  }
  if (plan->detail) triangles = plan->detail->triangle_count;
  const WmTileSettings *settings = plan->settings;
  const int32_t ground = (int32_t)mesh->polygon_count, stored = (int32_t)plan->stored;
  WmTileHeader *header = &plan->header;
  *header = (WmTileHeader){
      .magic = WM_TILE_MAGIC,
      .version = WM_TILE_VERSION,
      .x = settings->x,
      .z = settings->z,
      .layer = settings->layer,
      .user_id = settings->user_id,
      .polygon_count = ground + stored,
      .vertex_count = (int32_t)mesh->vertex_count + 2 * stored,
      .link_count = (int32_t)(edges + 2 * portals + 2 * inside),
      .detail_count = ground,
      .detail_vertex_count = (int32_t)extra,
      .detail_triangle_count = (int32_t)triangles,
      .node_count = settings->build_tree ? 2 * ground : 0,
      .connection_count = stored,
      .first_off_mesh = ground,
      .agent_height = settings->agent_height,
      .agent_radius = settings->agent_radius,
      .agent_max_climb = settings->agent_max_climb,
      .cells_per_unit = 1.0f / mesh->grid.cell_size,
  };
  memcpy(header->bounds_min, mesh->grid.bounds_min, sizeof header->bounds_min);
  memcpy(header->bounds_max, mesh->grid.bounds_max, sizeof header->bounds_max);
  plan->at = wm_tile_sections(header, WM_TILE_LINK_BYTES);
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static void write_vertices(const Plan *plan, uint8_t *bytes) {
  const WmPolygonMesh *mesh = plan->mesh;
  const WmGrid *grid = &mesh->grid;
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    const uint16_t *vertex = mesh->vertices + 3 * i;
    const float position[3] = {grid->bounds_min[0] + (float)vertex[0] * grid->cell_size,
                               grid->bounds_min[1] + (float)vertex[1] * grid->cell_height,
                               grid->bounds_min[2] + (float)vertex[2] * grid->cell_size};
    wm_tile_put(bytes, plan->at.vertices, i, sizeof position, position);
  }
}

/* The tile's code for what lies across an edge. */
static uint16_t neighbour_code(uint16_t neighbour) {
  static const uint16_t SIDE_OF_DIRECTION[4] = {WM_SIDE_X_MINUS, WM_SIDE_Z_PLUS, WM_SIDE_X_PLUS,
                                                WM_SIDE_Z_MINUS};
  if (!(neighbour & WM_POLYGON_PORTAL)) return (uint16_t)(neighbour + 1);
  const uint16_t direction = neighbour & 15;
  return direction < 4 ? (uint16_t)(WM_TILE_PORTAL | SIDE_OF_DIRECTION[direction]) : 0;
}

static void write_polygons(const Plan *plan, uint8_t *bytes) {
  const WmPolygonMesh *mesh = plan->mesh;
  const size_t most = (size_t)mesh->max_vertices_per_polygon;
  for (size_t i = 0; i < mesh->polygon_count; i++) {
    const uint16_t *source = mesh->polygons + i * 2 * most;
    const uint8_t marked = mesh->polygon_area[i] & 63;
    const uint8_t area = marked == WM_AREA_WALKABLE ? 0 : marked;
    WmTilePolygon polygon = {.flags = plan->settings->area_flags[area], .area_and_type = area};
    polygon.vertex_count = (uint8_t)wm_mesh_polygon_size(mesh, i);
    for (size_t k = 0; k < polygon.vertex_count; k++) {
      polygon.vertices[k] = source[k];
      polygon.neighbours[k] = neighbour_code(source[most + k]);
    }
    wm_tile_put(bytes, plan->at.polygons, i, sizeof polygon, &polygon);
  }
}

/* The detail mesh, without the vertices that repeat the polygons'. */
static void write_detail(const Plan *plan, uint8_t *bytes) {
  const WmDetailMesh *detail = plan->detail;
  uint32_t extra = 0;
  for (size_t i = 0; i < plan->mesh->polygon_count; i++) {
    const uint32_t *submesh = detail->submeshes + 4 * i;
    const uint32_t own = (uint32_t)wm_mesh_polygon_size(plan->mesh, i);
    const WmTileDetail record = {.first_vertex = extra,
                                 .first_triangle = submesh[2],
                                 .vertex_count = (uint8_t)(submesh[1] - own),
                                 .triangle_count = (uint8_t)submesh[3]};
    wm_tile_put(bytes, plan->at.details, i, sizeof record, &record);
    if (record.vertex_count > 0) {
      memcpy(bytes + plan->at.detail_vertices + (size_t)extra * WM_TILE_VERTEX_BYTES,
             detail->vertices + 3 * (size_t)(submesh[0] + own), record.vertex_count * WM_TILE_VERTEX_BYTES);
    }
    extra += record.vertex_count;
  }
  if (detail->triangle_count > 0) {
    memcpy(bytes + plan->at.detail_triangles, detail->triangles,
           (size_t)detail->triangle_count * WM_TILE_TRIANGLE_BYTES);
  }
}

/* Without a detail mesh each polygon is a fan from its first vertex; outer edges are flagged. */
static void write_fans(const Plan *plan, uint8_t *bytes) {
  uint32_t next = 0;
  for (size_t i = 0; i < plan->mesh->polygon_count; i++) {
    const int32_t size = wm_mesh_polygon_size(plan->mesh, i);
    const WmTileDetail record = {.first_triangle = next, .triangle_count = (uint8_t)(size - 2)};
    wm_tile_put(bytes, plan->at.details, i, sizeof record, &record);
    for (int32_t j = 2; j < size; j++) {
      const uint8_t triangle[4] = {0, (uint8_t)(j - 1), (uint8_t)j,
                                   (uint8_t)(4 | (j == 2) | (j == size - 1) << 4)};
      wm_tile_put(bytes, plan->at.detail_triangles, next++, sizeof triangle, triangle);
    }
  }
}

/* Each stored connection is two vertices, a polygon of two, and a record. */
static void write_connections(const Plan *plan, uint8_t *bytes) {
  const uint32_t vertices = plan->mesh->vertex_count, ground = plan->mesh->polygon_count;
  uint32_t k = 0;
  for (size_t i = 0; i < plan->settings->connection_count; i++) {
    if (plan->start_side[i] != WM_TILE_SIDE_INSIDE) continue;
    const WmOffMeshConnection *source = &plan->settings->connections[i];
    const uint32_t first = vertices + 2 * k;
    wm_tile_put(bytes, plan->at.vertices, first, WM_TILE_VERTEX_BYTES, source->start);
    wm_tile_put(bytes, plan->at.vertices, first + 1, WM_TILE_VERTEX_BYTES, source->end);
    const WmTilePolygon polygon = {
        .vertices = {(uint16_t)first, (uint16_t)(first + 1)},
        .flags = source->flags,
        .vertex_count = 2,
        .area_and_type = (uint8_t)((source->area & 63) | WM_TILE_OFF_MESH << 6),
    };
    wm_tile_put(bytes, plan->at.polygons, ground + k, sizeof polygon, &polygon);
    WmTileConnection record = {.radius = source->radius,
                               .polygon = (uint16_t)(ground + k),
                               .flags = source->bidirectional ? WM_TILE_OFF_MESH_BIDIRECTIONAL : 0,
                               .side = plan->end_side[i],
                               .user_id = source->user_id};
    memcpy(record.start, source->start, sizeof record.start);
    memcpy(record.end, source->end, sizeof record.end);
    wm_tile_put(bytes, plan->at.connections, k, sizeof record, &record);
    k++;
  }
}

static WmStatus write_tile(WmContext *context, const Plan *plan, uint8_t *bytes) {
  memset(bytes, 0, (size_t)plan->at.byte_count);
  memcpy(bytes, &plan->header, sizeof plan->header);
  write_vertices(plan, bytes);
  write_polygons(plan, bytes);
  if (plan->detail) {
    write_detail(plan, bytes);
  } else {
    write_fans(plan, bytes);
  }
  write_connections(plan, bytes);
  if (!plan->settings->build_tree) return WM_OK;
  return wm_build_tile_tree(context, plan->mesh, plan->detail, bytes, plan->at.nodes);
}

static WmStatus build(WmContext *context, Plan *plan, WmTileData *tile) {
  uint64_t inside = 0;
  WmStatus status = check_mesh(context, plan->mesh);
  if (!status && plan->detail) status = check_detail(context, plan->mesh, plan->detail);
  if (!status) status = classify_connections(context, plan, &inside);
  if (status) return status;
  fill_header(plan, inside);
  if (plan->at.byte_count > SIZE_MAX) return wm_fail_memory(context, SIZE_MAX);
  uint8_t *bytes = wm_block_allocate(context, (size_t)plan->at.byte_count);
  if (!bytes) return WM_ERROR_OUT_OF_MEMORY;
  status = write_tile(context, plan, bytes);
  if (status) {
    wm_block_free(context, bytes);
    return status;
  }
  *tile = (WmTileData){bytes, (size_t)plan->at.byte_count};
  return WM_OK;
}

WmStatus wm_build_tile(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                       const WmTileSettings *settings, WmTileData *tile) {
  *tile = (WmTileData){0};
  if (mesh->polygon_count == 0 || mesh->vertex_count == 0) return WM_OK;
  Plan plan = {.mesh = mesh, .detail = detail && detail->submesh_count ? detail : NULL, .settings = settings};
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = build(context, &plan, tile);
  wm_scratch_rewind(context, mark);
  return status;
}
