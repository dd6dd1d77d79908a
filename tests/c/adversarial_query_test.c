/* Every query on meshes that no bake makes: tiles that pass all checks of their bytes, with polygons that
 * aren't convex, are turned over, have no area, have corners or neighbours elsewhere, have no detail mesh, or
 * are very large or very small. Queries end, and results have the invariants of all meshes
 * (query_questions.h). */
#include "base/number.h"
#include "query_questions.h"

/* ---- Tiles --------------------------------------------------------------------------------------------- */

/* The changes to a tile's bytes. */
enum {
  MOVE_VERTICES = 1,
  TURN_OVER = 2,
  SAME_CORNERS = 4,
  OTHER_CORNERS = 8,
  OTHER_NEIGHBOURS = 16,
  NO_DETAIL = 32,
  OTHER_DETAIL = 64,
  OTHER_TREE = 128,
  OTHER_SIDES = 256,
  FLAT = 512,
  ALL_KINDS = 1023
};

typedef struct Spoiler {
  uint32_t seed;
  int kinds;
  float scale, shift; /* of all coordinates on x and z, after the other changes */
  float reach;        /* distance by which vertices are moved, world units */
} Spoiler;

static bool by_chance(Spoiler *spoiler, uint32_t one_in) { return grid_random(&spoiler->seed) % one_in == 0; }

static float spoiler_between(Spoiler *spoiler, float low, float high) {
  return low + (high - low) * ((float)(grid_random(&spoiler->seed) & 0xffff) / 65535.0f);
}

static void spoil_polygon(Spoiler *spoiler, const WmTileHeader *header, WmTilePolygon *polygon,
                          uint32_t number) {
  const uint32_t size = polygon->vertex_count % 7, k = grid_random(&spoiler->seed) % size;
  const uint32_t ground = (uint32_t)header->first_off_mesh;
  if (spoiler->kinds & OTHER_CORNERS && by_chance(spoiler, 6)) {
    polygon->vertices[k] = (uint16_t)(grid_random(&spoiler->seed) % (uint32_t)header->vertex_count);
  }
  if (spoiler->kinds & OTHER_NEIGHBOURS && by_chance(spoiler, 3)) {
    const uint32_t other = grid_random(&spoiler->seed) % (ground + 1);
    polygon->neighbours[k] = (uint16_t)(other == number + 1 ? 0 : other);
  }
  if (spoiler->kinds & OTHER_SIDES && by_chance(spoiler, 5)) {
    polygon->neighbours[k] = (uint16_t)(WM_TILE_PORTAL | 2 * (grid_random(&spoiler->seed) % 4));
  }
  if (spoiler->kinds & TURN_OVER && by_chance(spoiler, 5)) {
    uint16_t turned[WM_TILE_VERTICES_PER_POLYGON] = {0};
    for (uint32_t i = 0; i < size; i++) turned[i] = polygon->vertices[size - 1 - i];
    memcpy(polygon->vertices, turned, size * sizeof *turned);
  }
  if (by_chance(spoiler, 6)) polygon->flags = (uint16_t)(1u << grid_random(&spoiler->seed) % 3);
  polygon->area_and_type =
      (uint8_t)(polygon->area_and_type & 0xc0) | (uint8_t)(grid_random(&spoiler->seed) % 64);
}

static void spoil_floats(Spoiler *spoiler, float *point) {
  for (int axis = 0; axis < 3; axis++) {
    if (spoiler->kinds & MOVE_VERTICES && by_chance(spoiler, 6)) {
      point[axis] += spoiler_between(spoiler, -spoiler->reach, spoiler->reach);
    }
    if (axis == 1) {
      if (spoiler->kinds & FLAT) point[1] = 0;
      continue;
    }
    point[axis] = point[axis] * spoiler->scale + spoiler->shift;
  }
}

static void spoil_points(Spoiler *spoiler, uint8_t *bytes, uint64_t section, int32_t count) {
  float last[3] = {0};
  for (int32_t i = 0; i < count; i++) {
    float point[3] = {0};
    wm_tile_get(bytes, section, (size_t)i, sizeof point, point);
    spoil_floats(spoiler, point);
    /* Vertices at one point: edges without length, polygons without area. */
    if (spoiler->kinds & SAME_CORNERS && i > 0 && by_chance(spoiler, 4)) memcpy(point, last, sizeof point);
    memcpy(last, point, sizeof last);
    wm_tile_put(bytes, section, (size_t)i, sizeof point, point);
  }
}

static void spoil_detail(Spoiler *spoiler, const WmTileHeader *header, WmTileDetail *detail) {
  if (spoiler->kinds & NO_DETAIL && by_chance(spoiler, 3)) detail->triangle_count = 0;
  if (spoiler->kinds & OTHER_DETAIL && by_chance(spoiler, 3)) {
    const uint32_t triangles = (uint32_t)header->detail_triangle_count;
    detail->first_triangle = grid_random(&spoiler->seed) % triangles;
    detail->triangle_count =
        (uint8_t)(grid_random(&spoiler->seed) % (triangles - detail->first_triangle + 1) % 256);
  }
}

static void spoil_tree(Spoiler *spoiler, WmTileNode *node) {
  for (int axis = 0; axis < 3 && spoiler->kinds & OTHER_TREE && by_chance(spoiler, 3); axis++) {
    const uint16_t a = (uint16_t)grid_random(&spoiler->seed), b = (uint16_t)grid_random(&spoiler->seed);
    node->low[axis] = a < b ? a : b;
    node->high[axis] = a < b ? b : a;
  }
}

/* Bounds of the remaining polygons, unless the bounds are altered too. */
static void spoil_header(Spoiler *spoiler, WmTileHeader *header) {
  for (int axis = 0; axis < 3; axis++) {
    float *low = header->bounds_min + axis, *high = header->bounds_max + axis;
    if (axis != 1) {
      *low = *low * spoiler->scale + spoiler->shift;
      *high = *high * spoiler->scale + spoiler->shift;
    }
    if (spoiler->kinds & OTHER_TREE && by_chance(spoiler, 6)) *high = *low;
  }
  header->cells_per_unit /= spoiler->scale;
}

static void spoil(Spoiler *spoiler, WmTileData *tile) {
  uint8_t *bytes = tile->bytes;
  WmTileHeader header;
  memcpy(&header, bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  for (int32_t i = 0; i < header.first_off_mesh; i++) {
    WmTilePolygon polygon = {0};
    wm_tile_get(bytes, at.polygons, (size_t)i, sizeof polygon, &polygon);
    spoil_polygon(spoiler, &header, &polygon, (uint32_t)i);
    wm_tile_put(bytes, at.polygons, (size_t)i, sizeof polygon, &polygon);
    WmTileDetail detail = {0};
    wm_tile_get(bytes, at.details, (size_t)i, sizeof detail, &detail);
    spoil_detail(spoiler, &header, &detail);
    wm_tile_put(bytes, at.details, (size_t)i, sizeof detail, &detail);
  }
  for (int32_t i = 0; i + 1 < header.node_count; i++) {
    WmTileNode node = {0};
    wm_tile_get(bytes, at.nodes, (size_t)i, sizeof node, &node);
    spoil_tree(spoiler, &node);
    wm_tile_put(bytes, at.nodes, (size_t)i, sizeof node, &node);
  }
  spoil_points(spoiler, bytes, at.vertices, header.vertex_count);
  spoil_points(spoiler, bytes, at.detail_vertices, header.detail_vertex_count);
  spoil_header(spoiler, &header);
  memcpy(bytes, &header, sizeof header);
}

/* Two by two tiles, without tiles whose bytes are refused. Returns their number. */
static int add_spoiled_tiles(Spoiler *spoiler, WmMesh *mesh) {
  WmContext *context = wm_mesh_context(mesh);
  int added = 0;
  for (int32_t i = 0; i < 4; i++) {
    const GridTile grid = {.x = i % 2,
                           .z = i / 2,
                           .seed = by_chance(spoiler, 4) ? 0 : grid_random(&spoiler->seed),
                           .hole = 2,
                           .tree = !by_chance(spoiler, 4)};
    WmTileData tile = make_grid_tile(context, &grid);
    spoil(spoiler, &tile);
    added += wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL) == WM_OK;
    wm_tile_data_free(context, &tile);
  }
  for (int i = 0; i < 3; i++) {
    WmConnection jump = wm_connection_default(mesh);
    WmRef connection;
    for (int axis = 0; axis < 3; axis += 2) {
      jump.start[axis] = spoiler_between(spoiler, 0, 16) * spoiler->scale + spoiler->shift;
      jump.end[axis] = spoiler_between(spoiler, 0, 16) * spoiler->scale + spoiler->shift;
    }
    jump.radius *= spoiler->scale;
    jump.climb = 5;
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &jump, &connection), WM_OK);
  }
  return added;
}

/* ---- Questions ----------------------------------------------------------------------------------------- */

/* in         far: distance of positions beyond the mesh; 0: none */
static void ask_all(Spoiler spoiler, int questions, float far, int *answered) {
  WmContext *context = wm_context_create(NULL);
  const float size = GRID_TILE_SIZE * spoiler.scale;
  const WmMeshParameters parameters = {.origin = {spoiler.shift, 0, spoiler.shift},
                                       .tile_width = size,
                                       .tile_depth = size,
                                       .agent_height = 2,
                                       .agent_radius = 0.5f,
                                       .agent_max_climb = 0.5f};
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
  if (add_spoiled_tiles(&spoiler, mesh) > 0) {
    static Asker asker;
    CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
    asker.seed = spoiler.seed;
    asker.overflows = far > 0;
    for (int axis = 0; axis < 3; axis++) {
      asker.low[axis] = axis == 1 ? -2 : spoiler.shift - 2 * spoiler.scale;
      asker.high[axis] = axis == 1 ? 6 : spoiler.shift + 18 * spoiler.scale;
      if (far > 0) asker.high[axis] = far, asker.low[axis] = -far;
    }
    for (int i = 0; i < questions; i++) {
      for (int q = 0; q < QUESTION_COUNT; q++) {
        const int failures = check_failures;
        const WmStatus status = QUESTIONS[q].ask(&asker);
        CHECK(status == WM_OK || (far > 0 && status == WM_ERROR_INVALID_ARGUMENT));
        if (check_failures != failures) {
          printf("  %s, kinds %x, scale %g, shift %g: %s\n", QUESTIONS[q].name, (unsigned)spoiler.kinds,
                 (double)spoiler.scale, (double)spoiler.shift,
                 status ? wm_context_error(context)->message : "");
        }
      }
    }
    *answered += asker.answered;
    close_asker(&asker);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void each_kind_of_spoiled_tile_is_survived(void) {
  for (int kind = 1; kind <= ALL_KINDS; kind *= 2) {
    int answered = 0;
    for (uint32_t i = 0; i < 12; i++) {
      ask_all((Spoiler){.seed = 1000 * (uint32_t)kind + i, .kinds = kind, .scale = 1, .reach = 6}, 10, 0,
              &answered);
    }
    CHECK(answered > 1000);
  }
}

static void all_kinds_together_are_survived(void) {
  int answered = 0;
  for (uint32_t i = 0; i < 120; i++) {
    uint32_t seed = i + 7;
    const int kinds = (int)(grid_random(&seed) & ALL_KINDS);
    ask_all((Spoiler){.seed = seed, .kinds = kinds, .scale = 1, .reach = i % 2 ? 1 : 30}, 6, 0, &answered);
  }
  CHECK(answered > 5000);
}

/* Far from the origin floats are coarse: a tile of 8 units at 1e6 has 128 coordinates on a side. */
static void scales_and_places_are_survived(void) {
  static const float SCALES[] = {1e-3f, 1, 1e4f, 1, 1, 1e-3f}, SHIFTS[] = {0, 1e6f, 0, -1e6f, 1e7f, 1};
  for (int s = 0; s < 6; s++) {
    int answered = 0;
    for (uint32_t i = 0; i < 16; i++) {
      const int kinds = i % 4 ? 0 : ALL_KINDS;
      ask_all((Spoiler){.seed = 50 + i, .kinds = kinds, .scale = SCALES[s], .shift = SHIFTS[s], .reach = 2},
              8, 0, &answered);
    }
    CHECK(answered > 300);
  }
}

/* The largest possible tiles: all numbers are finite. */
static void huge_vertices_are_survived(void) {
  static const float REACHES[] = {1e5f, WM_FARTHEST * 0.999f};
  int answered = 0;
  for (int r = 0; r < 2; r++) {
    for (uint32_t i = 0; i < 24; i++) {
      const int kinds = MOVE_VERTICES | (i % 3 ? 0 : ALL_KINDS);
      ask_all((Spoiler){.seed = 900 + i, .kinds = kinds, .scale = 1, .reach = REACHES[r]}, 6, 0, &answered);
    }
  }
  CHECK(answered > 1000);
}

/* Positions far from all meshes: squares of such numbers are infinite, and so are their differences. */
static void huge_positions_are_survived(void) {
  static const float SIZES[] = {1e10f, 1e15f, 1e20f, 1e30f, 1.6e38f};
  int answered = 0;
  for (int s = 0; s < 5; s++) {
    for (uint32_t i = 0; i < 12; i++) {
      const int kinds = i % 3 ? 0 : ALL_KINDS;
      ask_all((Spoiler){.seed = 900 + i, .kinds = kinds, .scale = 1, .reach = 3}, 6, SIZES[s], &answered);
    }
  }
  CHECK(answered > 1000);
}

/* ---- Fixed bugs ------------------------------------------------------------------------------------ */

/* Points on inner edges, up to rounding, are in exactly one of the two polygons: a move that ends there ends
 * in that polygon. */
static void no_point_lies_between_two_polygons(void) {
  WmContext *context = wm_context_create(NULL);
  const WmMeshParameters parameters = {.tile_width = GRID_TILE_SIZE, .tile_depth = GRID_TILE_SIZE};
  WmMesh *mesh = NULL;
  CHECK_EQUAL_INT(wm_mesh_create(context, &parameters, &mesh), WM_OK);
  WmTileData tile = make_grid_tile(context, &(GridTile){.seed = 5, .hole = UINT32_MAX});
  WmTileHeader header;
  memcpy(&header, tile.bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  uint32_t seed = 3;
  for (int32_t i = 0; i < header.vertex_count; i++) { /* inner vertices a little aside: edges run askew */
    float point[3] = {0};
    wm_tile_get(tile.bytes, at.vertices, (size_t)i, sizeof point, point);
    for (int axis = 0; axis < 3; axis += 2) {
      if (point[axis] > 0 && point[axis] < 8) point[axis] += (float)(grid_random(&seed) % 100) * 0.002f;
    }
    wm_tile_put(tile.bytes, at.vertices, (size_t)i, sizeof point, point);
  }
  CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
  wm_tile_data_free(context, &tile);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmMeshTile *made = wm_mesh_tile(mesh, 0);
  int tried = 0;
  for (uint32_t p = 0; p < made->ground_count; p++) {
    for (uint32_t k = 0; k < made->polygon_size[p]; k++) {
      const uint32_t code = made->polygon_neighbours[6 * p + k];
      if (code == 0 || code & WM_TILE_PORTAL) continue;
      for (int i = 1; i < 200; i++) {
        float point[3] = {0};
        wm_interpolate(wm_tile_vertex(made, p, k), wm_tile_vertex(made, p, k + 1), (float)i / 200, point);
        CHECK(wm_tile_contains(made, p, point) != wm_tile_contains(made, code - 1, point));
        const float from[3] = {point[0] + 0.05f, point[1], point[2] + 0.03f};
        WmMove move;
        CHECK_EQUAL_INT(wm_query_move_along_surface(query, made->ref + p, from, point, NULL, true, &move),
                        WM_OK);
        CHECK(hypotf(move.point[0] - point[0], move.point[2] - point[2]) < 1e-5f);
        tried++;
      }
    }
  }
  CHECK(tried > 1000);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(each_kind_of_spoiled_tile_is_survived);
  RUN(all_kinds_together_are_survived);
  RUN(scales_and_places_are_survived);
  RUN(huge_vertices_are_survived);
  RUN(huge_positions_are_survived);
  RUN(no_point_lies_between_two_polygons);
  return check_finish();
}
