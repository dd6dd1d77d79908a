/* Tiles that are nearly valid. The input is a program that alters a valid tile record by record. Counts,
 * sizes and numbers that follow from others are corrected, so that tiles that pass the checks are as odd
 * as possible. Several such tiles make a mesh, side by side and above each other, which is queried and
 * written. */
#include <stddef.h>

#include "../c/grid_tiles.h"
#include "hostile.h"

enum {
  VERTICES = 96,
  GROUND = 32,
  CONNECTIONS = 8,
  DETAIL_VERTICES = 64,
  TRIANGLES = 160,
  RAW = 4,
  TILES = 10
};

/* A tile in pieces. Off-mesh polygons follow from the connections. */
typedef struct Draft {
  WmTileHeader header;
  float vertices[VERTICES][3];
  WmTilePolygon ground[GROUND], off_mesh[CONNECTIONS];
  WmTileDetail details[GROUND];
  float detail_vertices[DETAIL_VERTICES][3];
  uint8_t triangles[TRIANGLES][4];
  WmTileNode nodes[2 * GROUND];
  WmTileConnection connections[CONNECTIONS];
  struct {
    uint16_t at;
    uint8_t value;
  } raw[RAW]; /* bytes altered last */
  uint32_t raw_count;
} Draft;

/* ---- Splitting and joining ------------------------------------------------------------------------- */

static void take_apart(Draft *draft, const uint8_t *bytes) {
  WmTileHeader *header = &draft->header;
  memset(draft, 0, sizeof *draft);
  memcpy(header, bytes, sizeof *header);
  const WmTileSections at = wm_tile_sections(header, WM_TILE_LINK_BYTES);
  const uint8_t *polygons = bytes + at.polygons;
  const size_t ground = (size_t)header->first_off_mesh, off_mesh = (size_t)header->connection_count;
  memcpy(draft->vertices, bytes + at.vertices, 12 * (size_t)header->vertex_count);
  memcpy(draft->ground, polygons, WM_TILE_POLYGON_BYTES * ground);
  memcpy(draft->off_mesh, polygons + WM_TILE_POLYGON_BYTES * ground, WM_TILE_POLYGON_BYTES * off_mesh);
  memcpy(draft->details, bytes + at.details, WM_TILE_DETAIL_BYTES * ground);
  memcpy(draft->detail_vertices, bytes + at.detail_vertices, 12 * (size_t)header->detail_vertex_count);
  memcpy(draft->triangles, bytes + at.detail_triangles, 4 * (size_t)header->detail_triangle_count);
  memcpy(draft->nodes, bytes + at.nodes, WM_TILE_NODE_BYTES * (size_t)header->node_count);
  memcpy(draft->connections, bytes + at.connections, WM_TILE_CONNECTION_BYTES * off_mesh);
}

static uint8_t *put(uint8_t *at, const void *source, size_t byte_count) {
  memcpy(at, source, byte_count);
  return at + byte_count;
}

/* A malloc'ed block of exactly the tile's size. */
static uint8_t *put_together(const Draft *draft, size_t *byte_count) {
  WmTileHeader header = draft->header;
  const size_t ground = (size_t)header.first_off_mesh, off_mesh = (size_t)header.connection_count;
  header.polygon_count = (int32_t)(ground + off_mesh);
  header.detail_count = header.first_off_mesh;
  header.link_count = 2;
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  uint8_t *bytes = malloc((size_t)at.byte_count), *end = bytes;
  FUZZ_REQUIRE(bytes);
  end = put(end, &header, sizeof header);
  end = put(end, draft->vertices, 12 * (size_t)header.vertex_count);
  end = put(end, draft->ground, WM_TILE_POLYGON_BYTES * ground);
  for (uint32_t i = 0; i < off_mesh; i++) end = put(end, &draft->off_mesh[i], WM_TILE_POLYGON_BYTES);
  memset(end, 0xee, 2 * WM_TILE_LINK_BYTES);
  end = put(end + 2 * WM_TILE_LINK_BYTES, draft->details, WM_TILE_DETAIL_BYTES * ground);
  end = put(end, draft->detail_vertices, 12 * (size_t)header.detail_vertex_count);
  end = put(end, draft->triangles, 4 * (size_t)header.detail_triangle_count);
  end = put(end, draft->nodes, WM_TILE_NODE_BYTES * (size_t)header.node_count);
  for (uint32_t i = 0; i < off_mesh; i++) {
    WmTileConnection connection = draft->connections[i];
    connection.polygon = (uint16_t)(ground + i);
    end = put(end, &connection, sizeof connection);
  }
  FUZZ_REQUIRE(end == bytes + at.byte_count);
  for (uint32_t i = 0; i < draft->raw_count; i++)
    bytes[draft->raw[i].at % at.byte_count] = draft->raw[i].value;
  *byte_count = (size_t)at.byte_count;
  return bytes;
}

/* ---- Altering ------------------------------------------------------------------------------------------ */

static WmTilePolygon *choose_ground(Draft *draft, FuzzInput *input) {
  return &draft->ground[fuzz_below(input, (uint32_t)draft->header.first_off_mesh)];
}

static void alter_vertex(Draft *draft, FuzzInput *input) {
  draft->vertices[fuzz_below(input, (uint32_t)draft->header.vertex_count)][fuzz_byte(input) % 3] =
      fuzz_number(input);
}

static void alter_corner(Draft *draft, FuzzInput *input) {
  WmTilePolygon *polygon = choose_ground(draft, input);
  const uint32_t k = fuzz_byte(input) % 6;
  polygon->vertices[k] = (uint16_t)fuzz_below(input, (uint32_t)draft->header.vertex_count);
}

static void alter_neighbour(Draft *draft, FuzzInput *input) {
  WmTilePolygon *polygon = choose_ground(draft, input);
  const uint32_t k = fuzz_byte(input) % 6, kind = fuzz_byte(input) % 4;
  const uint32_t number = fuzz_below(input, (uint32_t)draft->header.first_off_mesh);
  polygon->neighbours[k] = (uint16_t)(kind == 0   ? 0
                                      : kind == 1 ? WM_TILE_PORTAL | (2 * (number % 4))
                                                  : number + 1);
}

static void alter_polygon(Draft *draft, FuzzInput *input) {
  WmTilePolygon *polygon = choose_ground(draft, input);
  polygon->vertex_count = (uint8_t)(3 + fuzz_byte(input) % 4);
  polygon->flags = (uint16_t)(fuzz_byte(input) % 4);
  polygon->area_and_type = fuzz_byte(input) & 3;
}

/* A tree of one root and all leaves, which touch everything. */
static void plant_tree(Draft *draft) {
  const int32_t ground = draft->header.first_off_mesh;
  draft->header.node_count = ground + 1;
  for (int32_t i = 0; i <= ground; i++) {
    draft->nodes[i] = (WmTileNode){.high = {65535, 65535, 65535}, .index = i == 0 ? -(ground + 1) : i - 1};
  }
}

static void add_polygon(Draft *draft, FuzzInput *input) {
  const int32_t ground = draft->header.first_off_mesh, triangle = draft->header.detail_triangle_count;
  if (ground == GROUND || triangle == TRIANGLES) return;
  draft->ground[ground] = *choose_ground(draft, input);
  draft->details[ground] = (WmTileDetail){.first_triangle = (uint32_t)triangle, .triangle_count = 1};
  memcpy(draft->triangles[triangle], (uint8_t[4]){0, 1, 2, 0x15}, 4);
  draft->header.detail_triangle_count++;
  draft->header.first_off_mesh++;
  plant_tree(draft);
}

static void add_vertex(Draft *draft, FuzzInput *input) {
  if (draft->header.vertex_count == VERTICES) return;
  float *vertex = draft->vertices[draft->header.vertex_count++];
  for (int i = 0; i < 3; i++) vertex[i] = fuzz_number(input);
}

static void alter_detail(Draft *draft, FuzzInput *input) {
  WmTileDetail *detail = &draft->details[fuzz_below(input, (uint32_t)draft->header.first_off_mesh)];
  const uint32_t vertices = (uint32_t)draft->header.detail_vertex_count;
  const uint32_t triangles = (uint32_t)draft->header.detail_triangle_count;
  detail->first_vertex = fuzz_below(input, vertices + 1);
  detail->vertex_count = (uint8_t)(fuzz_byte(input) % (vertices - detail->first_vertex + 1));
  detail->first_triangle = fuzz_below(input, triangles + 1);
  detail->triangle_count = (uint8_t)(fuzz_byte(input) % (triangles - detail->first_triangle + 1));
}

static void alter_triangle(Draft *draft, FuzzInput *input) {
  if (draft->header.detail_triangle_count == 0) return;
  uint8_t *triangle = draft->triangles[fuzz_below(input, (uint32_t)draft->header.detail_triangle_count)];
  triangle[fuzz_byte(input) % 4] = fuzz_byte(input) % 8;
}

static void add_detail_vertex(Draft *draft, FuzzInput *input) {
  if (draft->header.detail_vertex_count == DETAIL_VERTICES) return;
  float *vertex = draft->detail_vertices[draft->header.detail_vertex_count++];
  for (int i = 0; i < 3; i++) vertex[i] = fuzz_number(input);
}

static void alter_tree(Draft *draft, FuzzInput *input) {
  const uint32_t kind = fuzz_byte(input) % 4, count = (uint32_t)draft->header.node_count;
  if (kind == 0) {
    draft->header.node_count = 0;
  } else if (kind == 1 || count == 0) {
    plant_tree(draft);
  } else {
    WmTileNode *node = &draft->nodes[fuzz_below(input, count)];
    const uint32_t axis = fuzz_byte(input) % 3;
    node->low[axis] = (uint16_t)fuzz_below(input, 65536);
    node->high[axis] = (uint16_t)(node->low[axis] + fuzz_byte(input));
    if (kind == 3) node->index = (int8_t)fuzz_byte(input);
  }
}

static void add_connection(Draft *draft, FuzzInput *input) {
  WmTileHeader *header = &draft->header;
  if (header->connection_count == CONNECTIONS || header->vertex_count + 2 > VERTICES) return;
  const uint16_t vertex = (uint16_t)header->vertex_count;
  const uint32_t number = (uint32_t)header->connection_count++;
  header->vertex_count += 2;
  draft->off_mesh[number] = (WmTilePolygon){.vertices = {vertex, (uint16_t)(vertex + 1)},
                                            .flags = 1,
                                            .vertex_count = 2,
                                            .area_and_type = WM_TILE_OFF_MESH << 6 | (fuzz_byte(input) & 3)};
  WmTileConnection *connection = &draft->connections[number];
  *connection = (WmTileConnection){.radius = 0.5f, .flags = fuzz_byte(input) & 1};
  const uint8_t side = fuzz_byte(input) % 9;
  connection->side = side == 8 ? WM_TILE_SIDE_INSIDE : side;
  for (int i = 0; i < 3; i++) connection->start[i] = fuzz_number(input);
  for (int i = 0; i < 3; i++) connection->end[i] = fuzz_number(input);
}

static void alter_connection(Draft *draft, FuzzInput *input) {
  if (draft->header.connection_count == 0) return;
  WmTileConnection *connection =
      &draft->connections[fuzz_below(input, (uint32_t)draft->header.connection_count)];
  const uint32_t field = fuzz_byte(input) % 7;
  const float number = fuzz_number(input);
  memcpy((uint8_t *)connection + 4 * field, &number, 4);
  if (fuzz_byte(input) % 4 == 0) connection->side = fuzz_byte(input) % 10;
}

/* Sizes of the agent, bounds, scale. */
static void alter_numbers(Draft *draft, FuzzInput *input) {
  const float number = fuzz_number(input);
  memcpy((uint8_t *)&draft->header + offsetof(WmTileHeader, agent_height) + 4 * (fuzz_byte(input) % 10),
         &number, 4);
}

static void alter_place(Draft *draft, FuzzInput *input) {
  draft->header.x = fuzz_byte(input) % 3 - 1;
  draft->header.z = fuzz_byte(input) % 3 - 1;
  draft->header.layer = fuzz_byte(input) % 4;
}

/* Moves the whole tile, so that its sides touch others. */
static void shift(Draft *draft, FuzzInput *input) {
  const float x = (float)(fuzz_byte(input) % 5 - 2) * GRID_TILE_SIZE;
  for (int32_t i = 0; i < draft->header.vertex_count; i++) draft->vertices[i][0] += x;
  draft->header.bounds_min[0] += x;
  draft->header.bounds_max[0] += x;
}

static void alter_byte(Draft *draft, FuzzInput *input) {
  if (draft->raw_count == RAW) return;
  draft->raw[draft->raw_count].at = (uint16_t)fuzz_below(input, 65536);
  draft->raw[draft->raw_count++].value = fuzz_byte(input);
}

static void (*const STEPS[])(Draft *, FuzzInput *) = {
    alter_vertex, alter_corner,   alter_neighbour, alter_polygon,     add_polygon,      add_vertex,
    alter_detail, alter_triangle, alter_tree,      add_detail_vertex, alter_connection, alter_numbers,
    alter_place,  add_connection, shift,           alter_byte};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

/* ---- All ------------------------------------------------------------------------------------------- */

/* The valid tile that drafts begin with, made once. */
static const Draft *first_draft(void) {
  static Draft draft;
  static bool made;
  if (!made) {
    WmContext *context = wm_context_create(NULL);
    const WmOffMeshConnection connection = {
        .start = {3, 0.5f, 3}, .end = {12, 0.5f, 5}, .radius = 0.75f, .flags = 1, .bidirectional = true};
    const GridTile grid = {
        .hole = UINT32_MAX, .tree = true, .connections = &connection, .connection_count = 1};
    WmTileData tile = make_grid_tile(context, &grid);
    take_apart(&draft, tile.bytes);
    wm_tile_data_free(context, &tile);
    wm_context_destroy(context);
    made = true;
  }
  return &draft;
}

static void add_draft(WmMesh *mesh, const Draft *draft) {
  size_t byte_count;
  uint8_t *bytes = put_together(draft, &byte_count);
  const size_t before = wm_mesh_tile_count(mesh);
  WmRef ref;
  const WmStatus status = wm_mesh_add_tile(mesh, bytes, byte_count, &ref);
  FUZZ_REQUIRE(!status || status == WM_ERROR_CORRUPT || status == WM_ERROR_STATE || status == WM_ERROR_LIMIT);
  FUZZ_REQUIRE((ref != 0) == !status && wm_mesh_tile_count(mesh) == before + !status);
  free(bytes);
}

void fuzz_add_tiles(WmMesh *mesh, FuzzInput *input) {
  Draft draft = *first_draft();
  while (input->left > 0 && wm_mesh_tile_count(mesh) < TILES) {
    const uint32_t step = fuzz_byte(input) % (STEP_COUNT + 2);
    if (step < STEP_COUNT) {
      STEPS[step](&draft, input);
      continue;
    }
    add_draft(mesh, &draft);
    draft.raw_count = 0;
    draft.header.x++;
    if (step == STEP_COUNT + 1) draft = *first_draft();
  }
  add_draft(mesh, &draft);
}

int fuzz_tile(const uint8_t *bytes, size_t byte_count) {
  FuzzInput input = {bytes, byte_count};
  FuzzMemory memory;
  fuzz_begin(&memory);
  WmMesh *mesh = make_grid_mesh(memory.context);
  fuzz_add_tiles(mesh, &input);
  fuzz_ask(mesh, (uint32_t)byte_count);
  fuzz_round_trip(mesh);
  wm_mesh_destroy(mesh);
  fuzz_end(&memory);
  return 0;
}
