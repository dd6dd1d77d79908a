/* wm_tile_validate: every entry of a tile is changed, one at a time, and the check accepts exactly the values that
 * the format allows there (base/tile_format.h). Tiles made by hand reach the limits of the header's counts. */
#include "bake/tile/tile_validate.h"

#include <math.h>
#include <stddef.h>

#include "base/tile_format.h"
#include "check.h"
#include "scene.h"

/* A tile with details, a tree, neighbours, portals and two connections. */
typedef struct Level {
  WmContext *context;
  WmTileData tile;
  WmTileHeader header;
  WmTileSections at;
} Level;

static Level bake_level(void) {
  Level level = {.context = wm_context_create(NULL)};
  Scene scene = read_obj("tests/scenes/terrain.obj");
  WmConfig config = wm_config_default();
  config.tile_size = 64;
  config.detail_max_error = 0.1f;
  WmBakeInput input = scene_input(&scene);
  WmBaker *baker;
  float low[3], high[3];
  CHECK_EQUAL_INT(wm_baker_create(level.context, &config, &input, &baker), WM_OK);
  wm_baker_bounds(baker, low, high);
  wm_baker_destroy(baker);
  WmOffMeshConnection connections[2];
  for (int i = 0; i < 2; i++) {
    connections[i] = (WmOffMeshConnection){.radius = 1, .area = 3, .flags = 1, .bidirectional = i == 1};
    for (int axis = 0; axis < 3; axis++) {
      connections[i].start[axis] = low[axis] + 2 + (float)i;
      connections[i].end[axis] = low[axis] + 4;
    }
  }
  input.connections = connections;
  input.connection_count = 2;
  CHECK_EQUAL_INT(wm_baker_create(level.context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  level.tile = wm_baker_take_tile(baker);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_tile_get(level.tile.bytes, 0, 0, sizeof level.header, &level.header);
  level.at = wm_tile_sections(&level.header, WM_TILE_LINK_BYTES);
  CHECK(wm_tile_validate(&level.tile));
  return level;
}

static void free_level(Level *level) {
  CHECK(wm_tile_validate(&level->tile));
  wm_tile_data_free(level->context, &level->tile);
  wm_context_destroy(level->context);
}

/* True if the tile is valid while these bytes replace those at `at`. */
static bool is_valid_with(const Level *level, uint64_t at, const void *bytes, size_t count) {
  uint8_t before[64];
  CHECK(count <= sizeof before && at + count <= level->tile.byte_count);
  memcpy(before, level->tile.bytes + at, count);
  memcpy(level->tile.bytes + at, bytes, count);
  const bool is_valid = wm_tile_validate(&level->tile);
  memcpy(level->tile.bytes + at, before, count);
  return is_valid;
}

/* ---- Vertices ---------------------------------------------------------------------------------------- */

static void each_coordinate_must_be_finite(void) {
  Level level = bake_level();
  const size_t ground = 3 * (size_t)(level.header.vertex_count - 2 * level.header.connection_count);
  const size_t counts[2] = {ground, 3 * (size_t)level.header.detail_vertex_count};
  const uint64_t sections[2] = {level.at.vertices, level.at.detail_vertices};
  const float infinite[3] = {NAN, INFINITY, -INFINITY}, largest = 3e38f;
  CHECK(counts[0] > 9 && counts[1] > 9);
  for (int i = 0; i < 2; i++) {
    for (size_t k = 0; k < counts[i]; k++) {
      CHECK(!is_valid_with(&level, sections[i] + 4 * k, &infinite[k % 3], 4));
      CHECK(is_valid_with(&level, sections[i] + 4 * k, &largest, 4));
    }
  }
  free_level(&level);
}

/* ---- Polygons ---------------------------------------------------------------------------------------- */

static WmTilePolygon polygon_at(const Level *level, int32_t number) {
  WmTilePolygon polygon;
  wm_tile_get(level->tile.bytes, level->at.polygons, (size_t)number, sizeof polygon, &polygon);
  return polygon;
}

static bool is_valid_with_polygon(const Level *level, int32_t number, const WmTilePolygon *polygon) {
  return is_valid_with(level, level->at.polygons + (uint64_t)number * sizeof *polygon, polygon,
                       sizeof *polygon);
}

/* Neighbours must be mutual, so an inner edge has one valid code, and other edges may only become walls or
 * portals of the four sides. */
static void check_neighbour_codes(const Level *level, int32_t number, uint32_t edge) {
  const WmTilePolygon good = polygon_at(level, number);
  const uint16_t code = good.neighbours[edge];
  const bool is_used = edge < good.vertex_count, is_inner = code != 0 && !(code & WM_TILE_PORTAL);
  WmTilePolygon polygon = good;
  for (int32_t other = 0; other <= level->header.polygon_count + 1; other++) {
    polygon.neighbours[edge] = (uint16_t)other;
    CHECK_EQUAL_INT(is_valid_with_polygon(level, number, &polygon),
                    other == code || (other == 0 && !is_inner));
  }
  for (uint16_t side = 0; side < 12; side++) {
    polygon.neighbours[edge] = WM_TILE_PORTAL | side;
    CHECK_EQUAL_INT(is_valid_with_polygon(level, number, &polygon),
                    is_used && !is_inner && side <= 6 && side % 2 == 0);
  }
}

static void each_entry_of_a_ground_polygon_is_checked(void) {
  Level level = bake_level();
  static const uint8_t WRONG_COUNTS[5] = {0, 1, 2, 7, 255};
  CHECK(level.header.first_off_mesh > 5);
  for (int32_t p = 0; p < level.header.first_off_mesh; p++) {
    const WmTilePolygon good = polygon_at(&level, p);
    WmTilePolygon polygon = good;
    for (uint32_t k = 0; k < WM_TILE_VERTICES_PER_POLYGON; k++) {
      polygon.vertices[k] = k < good.vertex_count ? (uint16_t)level.header.vertex_count : 1;
      CHECK(!is_valid_with_polygon(&level, p, &polygon));
      polygon = good;
      check_neighbour_codes(&level, p, k);
    }
    for (int i = 0; i < 5; i++) {
      polygon.vertex_count = WRONG_COUNTS[i];
      CHECK(!is_valid_with_polygon(&level, p, &polygon));
    }
    polygon = good;
    for (int type = 0; type < 4; type++) {
      polygon.area_and_type = (uint8_t)(type << 6 | 63);
      CHECK_EQUAL_INT(is_valid_with_polygon(&level, p, &polygon), type == WM_TILE_GROUND);
    }
    polygon = good;
    polygon.flags = 0xffff;
    polygon.first_link = 5;
    CHECK(is_valid_with_polygon(&level, p, &polygon));
  }
  free_level(&level);
}

/* ---- Details ----------------------------------------------------------------------------------------- */

/* Records must follow each other without gaps, so that any other number is wrong. */
static void each_detail_record_is_checked(void) {
  Level level = bake_level();
  for (int32_t i = 0; i < level.header.detail_count; i++) {
    WmTileDetail good, record;
    const uint64_t where = level.at.details + (uint64_t)i * sizeof good;
    wm_tile_get(level.tile.bytes, where, 0, sizeof good, &good);
    for (int change = -1; change <= 1; change += 2) {
      record = good;
      record.first_vertex += (uint32_t)change;
      CHECK(!is_valid_with(&level, where, &record, sizeof record));
      record = good;
      record.first_triangle += (uint32_t)change;
      CHECK(!is_valid_with(&level, where, &record, sizeof record));
      record = good;
      record.vertex_count = (uint8_t)(record.vertex_count + change);
      CHECK(!is_valid_with(&level, where, &record, sizeof record));
      record = good;
      record.triangle_count = (uint8_t)(record.triangle_count + change);
      CHECK(!is_valid_with(&level, where, &record, sizeof record));
    }
    record = good;
    record.padding[0] = record.padding[1] = 9;
    CHECK(is_valid_with(&level, where, &record, sizeof record));
  }
  free_level(&level);
}

static void each_detail_triangle_is_checked(void) {
  Level level = bake_level();
  for (int32_t i = 0; i < level.header.detail_count; i++) {
    WmTileDetail record;
    wm_tile_get(level.tile.bytes, level.at.details, (size_t)i, sizeof record, &record);
    const uint8_t limit = (uint8_t)(polygon_at(&level, i).vertex_count + record.vertex_count),
                  last = limit - 1;
    for (uint32_t t = 0; t < record.triangle_count; t++) {
      const uint64_t where = level.at.detail_triangles + 4 * (uint64_t)(record.first_triangle + t);
      for (uint64_t corner = 0; corner < 3; corner++) {
        CHECK(!is_valid_with(&level, where + corner, &limit, 1));
        CHECK(is_valid_with(&level, where + corner, &last, 1));
      }
      for (int bit = 0; bit < 8; bit++) {
        const uint8_t flags = (uint8_t)(1 << bit);
        CHECK_EQUAL_INT(is_valid_with(&level, where + 3, &flags, 1), bit == 0 || bit == 2 || bit == 4);
      }
    }
  }
  free_level(&level);
}

/* ---- Tree -------------------------------------------------------------------------------------------- */

static WmTileNode node_at(const Level *level, int32_t number) {
  WmTileNode node;
  wm_tile_get(level->tile.bytes, level->at.nodes, (size_t)number, sizeof node, &node);
  return node;
}

static bool is_valid_with_node(const Level *level, int32_t number, const WmTileNode *node) {
  return is_valid_with(level, level->at.nodes + (uint64_t)number * sizeof *node, node, sizeof *node);
}

/* Compares the bounds with those of the smallest subtree around the node, and its end with that subtree's. */
static void check_inside_parent(const Level *level, int32_t number) {
  const WmTileNode good = node_at(level, number);
  int32_t parent = number - 1;
  while (node_at(level, parent).index >= 0 || parent - node_at(level, parent).index <= number) parent--;
  const WmTileNode around = node_at(level, parent);
  for (int axis = 0; axis < 3; axis++) {
    WmTileNode node = good;
    node.low[axis] = around.low[axis];
    node.high[axis] = around.high[axis];
    CHECK(is_valid_with_node(level, number, &node));
    if (around.low[axis] > 0) {
      node.low[axis]--;
      CHECK(!is_valid_with_node(level, number, &node));
      node.low[axis] = around.low[axis];
    }
    node.high[axis]++;
    CHECK(around.high[axis] == UINT16_MAX || !is_valid_with_node(level, number, &node));
  }
  if (good.index >= 0) return;
  WmTileNode node = around; /* with nodes behind it, which are inside the parent */
  node.index += number - parent;
  CHECK(is_valid_with_node(level, number, &node));
  node.index--;
  CHECK(!is_valid_with_node(level, number, &node));
}

static void each_node_is_checked(void) {
  Level level = bake_level();
  const int32_t ground = level.header.first_off_mesh, count = 2 * ground - 1;
  CHECK_EQUAL_INT(level.header.node_count, count + 1);
  for (int32_t i = 0; i < count; i++) {
    const WmTileNode good = node_at(&level, i);
    WmTileNode node = good;
    if (i > 0) check_inside_parent(&level, i);
    if (good.index < 0) continue;
    for (int32_t other = -1; other <= ground; other++) { /* else a polygon has two leaves, or none */
      node.index = other;
      CHECK_EQUAL_INT(is_valid_with_node(&level, i, &node), other == good.index);
    }
  }
  WmTileNode root = node_at(&level, 0);
  CHECK_EQUAL_INT(root.index, -count);
  for (int change = -1; change <= 1; change += 2) {
    root.index = -count + change;
    CHECK(!is_valid_with_node(&level, 0, &root));
  }
  const WmTileNode unused = {{9, 9, 9}, {8, 8, 8}, 70000};
  CHECK(is_valid_with_node(&level, count, &unused));
  free_level(&level);
}

/* ---- Connections ------------------------------------------------------------------------------------- */

static void check_connection_polygon(const Level *level, int32_t number) {
  const int32_t p = level->header.first_off_mesh + number;
  const WmTilePolygon good = polygon_at(level, p);
  WmTilePolygon polygon = good;
  for (uint8_t count = 0; count < 8; count++) {
    polygon.vertex_count = count;
    CHECK_EQUAL_INT(is_valid_with_polygon(level, p, &polygon), count == 2);
  }
  polygon = good;
  for (int type = 0; type < 4; type++) {
    polygon.area_and_type = (uint8_t)(type << 6 | 5);
    CHECK_EQUAL_INT(is_valid_with_polygon(level, p, &polygon), type == WM_TILE_OFF_MESH);
  }
  for (int k = 0; k < 2; k++) {
    polygon = good;
    polygon.vertices[k]++;
    CHECK(!is_valid_with_polygon(level, p, &polygon));
    polygon.vertices[k] -= 2;
    CHECK(!is_valid_with_polygon(level, p, &polygon));
  }
}

static void each_entry_of_a_connection_is_checked(void) {
  Level level = bake_level();
  CHECK_EQUAL_INT(level.header.connection_count, 2);
  for (int32_t i = 0; i < level.header.connection_count; i++) {
    check_connection_polygon(&level, i);
    WmTileConnection good, record;
    const uint64_t where = level.at.connections + (uint64_t)i * sizeof good;
    wm_tile_get(level.tile.bytes, where, 0, sizeof good, &good);
    for (int axis = 0; axis < 3; axis++) {
      record = good;
      record.start[axis] += 0.25f;
      CHECK(!is_valid_with(&level, where, &record, sizeof record));
      record = good;
      record.end[axis] += 0.25f;
      CHECK(!is_valid_with(&level, where, &record, sizeof record));
    }
    record = good;
    for (int32_t polygon = 0; polygon <= level.header.polygon_count; polygon++) {
      record.polygon = (uint16_t)polygon;
      CHECK_EQUAL_INT(is_valid_with(&level, where, &record, sizeof record), polygon == good.polygon);
    }
    for (int value = 0; value < 256; value++) {
      record = good;
      record.side = (uint8_t)value;
      CHECK_EQUAL_INT(is_valid_with(&level, where, &record, sizeof record), value < 8 || value == 255);
      record = good;
      record.flags = (uint8_t)value;
      CHECK_EQUAL_INT(is_valid_with(&level, where, &record, sizeof record), value < 2);
    }
  }
  free_level(&level);
}

/* ---- Tiles made by hand ------------------------------------------------------------------------------ */

/* Validates a tile of these counts: `first_off_mesh` equal triangles with empty details, no tree, and connections
 * from the origin to the origin. Detail counts follow from the others. */
static bool is_made_tile_valid(WmTileHeader header) {
  WmContext *context = wm_context_create(NULL);
  const int32_t ground = header.first_off_mesh;
  header.magic = WM_TILE_MAGIC;
  header.version = WM_TILE_VERSION;
  header.detail_count = header.detail_count ? header.detail_count : ground;
  header.polygon_count = header.polygon_count ? header.polygon_count : ground + header.connection_count;
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  WmTileData tile = {.bytes = wm_block_allocate(context, at.byte_count), .byte_count = at.byte_count};
  memset(tile.bytes, 0, tile.byte_count);
  wm_tile_put(tile.bytes, 0, 0, sizeof header, &header);
  for (int32_t i = 0; i < header.polygon_count; i++) {
    const uint16_t vertex = (uint16_t)(header.vertex_count - 2 * header.connection_count + 2 * (i - ground));
    const WmTilePolygon triangle = {.vertices = {0, 1, 2}, .vertex_count = 3};
    const WmTilePolygon line = {
        .vertices = {vertex, vertex + 1}, .vertex_count = 2, .area_and_type = WM_TILE_OFF_MESH << 6};
    wm_tile_put(tile.bytes, at.polygons, (size_t)i, sizeof triangle, i < ground ? &triangle : &line);
  }
  for (int32_t i = 0; i < header.connection_count; i++) {
    const WmTileConnection connection = {.polygon = (uint16_t)(ground + i)};
    wm_tile_put(tile.bytes, at.connections, (size_t)i, sizeof connection, &connection);
  }
  const bool is_valid = wm_tile_validate(&tile);
  wm_block_free(context, tile.bytes);
  wm_context_destroy(context);
  return is_valid;
}

static void counts_up_to_their_limits_are_valid(void) {
  const float scale = 4;
  CHECK(is_made_tile_valid((WmTileHeader){.cells_per_unit = scale}));
  CHECK(is_made_tile_valid((WmTileHeader){.cells_per_unit = 1e-30f}));
  CHECK(!is_made_tile_valid((WmTileHeader){.cells_per_unit = 0}));
  CHECK(!is_made_tile_valid((WmTileHeader){.cells_per_unit = -1}));
  CHECK(!is_made_tile_valid((WmTileHeader){.cells_per_unit = NAN}));
  CHECK(is_made_tile_valid((WmTileHeader){.vertex_count = 65535, .cells_per_unit = scale}));
  CHECK(!is_made_tile_valid((WmTileHeader){.vertex_count = 65536, .cells_per_unit = scale}));
  CHECK(is_made_tile_valid((WmTileHeader){.link_count = 7, .cells_per_unit = scale}));
  WmTileHeader header = {.vertex_count = 3, .first_off_mesh = 32767, .cells_per_unit = scale};
  CHECK(is_made_tile_valid(header));
  header.first_off_mesh++;
  CHECK(!is_made_tile_valid(header));
  header = (WmTileHeader){.vertex_count = 65534, .connection_count = 32767, .cells_per_unit = scale};
  CHECK(is_made_tile_valid(header));
  header.vertex_count--;
  CHECK(!is_made_tile_valid(header));
}

static void counts_that_contradict_each_other_are_found(void) {
  WmTileHeader header = {.vertex_count = 3, .first_off_mesh = 2, .cells_per_unit = 1}, good = header;
  CHECK(is_made_tile_valid(header));
  header.detail_count = 3;
  CHECK(!is_made_tile_valid(header));
  header = good;
  header.polygon_count = 3;
  CHECK(!is_made_tile_valid(header));
  for (header = good; header.node_count < 4; header.node_count++) { /* 4, without leaves, is invalid too */
    CHECK_EQUAL_INT(is_made_tile_valid(header), header.node_count == 0);
  }
  header = good;
  header.detail_vertex_count = 1;
  CHECK(!is_made_tile_valid(header));
  header = good;
  header.detail_triangle_count = 1;
  CHECK(!is_made_tile_valid(header));
}

/* Sizes of sections that cancel each other: the tile would be as long as its header. */
static void negative_counts_are_found(void) {
  CHECK(!is_made_tile_valid((WmTileHeader){.vertex_count = 1, .link_count = -1, .cells_per_unit = 1}));
}

/* A tree in which each subtree is a leaf and the next subtree, `depth` of them inside each other. */
static bool is_chain_valid(int32_t depth) {
  WmContext *context = wm_context_create(NULL);
  const int32_t ground = depth + 1;
  const WmTileHeader header = {.magic = WM_TILE_MAGIC,
                               .version = WM_TILE_VERSION,
                               .polygon_count = ground,
                               .first_off_mesh = ground,
                               .detail_count = ground,
                               .vertex_count = 3,
                               .node_count = 2 * ground,
                               .cells_per_unit = 1};
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  WmTileData tile = {.bytes = wm_block_allocate(context, at.byte_count), .byte_count = at.byte_count};
  memset(tile.bytes, 0, tile.byte_count);
  wm_tile_put(tile.bytes, 0, 0, sizeof header, &header);
  const WmTilePolygon triangle = {.vertices = {0, 1, 2}, .vertex_count = 3};
  for (int32_t i = 0; i < ground; i++) {
    const WmTileNode subtree = {.index = -(2 * (ground - i) - 1)}, leaf = {.index = i};
    wm_tile_put(tile.bytes, at.polygons, (size_t)i, sizeof triangle, &triangle);
    if (i < depth) wm_tile_put(tile.bytes, at.nodes, 2 * (size_t)i, sizeof subtree, &subtree);
    wm_tile_put(tile.bytes, at.nodes, 2 * (size_t)i + (i < depth), sizeof leaf, &leaf);
  }
  const bool is_valid = wm_tile_validate(&tile);
  wm_block_free(context, tile.bytes);
  wm_context_destroy(context);
  return is_valid;
}

/* Trees that halve their polygons have 16 levels at most. */
static void trees_may_have_64_levels(void) {
  CHECK(is_chain_valid(1));
  CHECK(is_chain_valid(64));
  CHECK(!is_chain_valid(65));
}

static void no_bytes_are_a_valid_tile(void) {
  uint8_t byte = 0;
  CHECK(wm_tile_validate(&(WmTileData){0}));
  CHECK(!wm_tile_validate(&(WmTileData){.bytes = &byte}));
  CHECK(!wm_tile_validate(&(WmTileData){.bytes = &byte, .byte_count = 1}));
}

int main(void) {
  RUN(each_coordinate_must_be_finite);
  RUN(each_entry_of_a_ground_polygon_is_checked);
  RUN(each_detail_record_is_checked);
  RUN(each_detail_triangle_is_checked);
  RUN(each_node_is_checked);
  RUN(each_entry_of_a_connection_is_checked);
  RUN(counts_up_to_their_limits_are_valid);
  RUN(counts_that_contradict_each_other_are_found);
  RUN(negative_counts_are_found);
  RUN(trees_may_have_64_levels);
  RUN(no_bytes_are_a_valid_tile);
  return check_finish();
}
