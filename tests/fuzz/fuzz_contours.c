/* Polygons from arbitrary contours, and details from arbitrary polygons. The input is rings of vertices that
 * cross, touch and repeat themselves, have either winding or lie over one another, or polygons of any
 * vertices, over an arbitrary surface of arbitrary regions. Each stage ends; its indices are in range, and a
 * mesh accepts the resulting tile or refuses it with a message. */
#include "bake/polygons/polygon_mesh_validate.h"
#include "bake/polygons/triangulate.h"
#include "invent.h"

enum { CONTOURS = 6, MOST_VERTICES = 120, POLYGONS = 8, CORNERS = 24 };

typedef struct Work {
  WmContext *context;
  FuzzInput input;
  WmCompactHeightfield compact;
  WmRegions regions;
  int32_t side; /* the limit of coordinates */
} Work;

/* An arbitrary surface for the details, of one region or several. */
static void invent_surface(Work *work) {
  WmHeightfield field;
  fuzz_heightfield(work->context, &work->input, &field);
  FUZZ_REQUIRE(!wm_build_compact_heightfield(work->context, &field, 2, 1, &work->compact));
  wm_heightfield_free(work->context, &field);
  const uint32_t count = work->compact.span_count;
  uint16_t *numbers = wm_block_allocate(work->context, count * sizeof *numbers + 16);
  FUZZ_REQUIRE(numbers);
  const uint8_t period = fuzz_byte(&work->input), most = 1 + fuzz_byte(&work->input) % 4;
  for (uint32_t span = 0; span < count; span++) numbers[span] = (uint16_t)(1 + span / (period + 1u) % most);
  work->regions =
      (WmRegions){.span_count = count, .span_region = numbers, .region_count = most, .block = numbers};
  const uint8_t far = fuzz_byte(&work->input);
  work->side = far < 200 ? 8 + far % 24 : far < 235 ? 120 : 65534;
}

/* ---- Contours ----------------------------------------------------------------------------------------- */

/* A ring: a square with bites, a walk along the grid, or any points. Returns the number of vertices. */
static uint32_t invent_ring(Work *work, int32_t (*vertices)[4], uint32_t most) {
  FuzzInput *input = &work->input;
  const uint8_t kind = fuzz_byte(input);
  uint32_t count = 3 + fuzz_byte(input) % 30;
  if (count > most) count = most;
  int32_t x = (int32_t)fuzz_below(input, (uint32_t)work->side + 1);
  int32_t z = (int32_t)fuzz_below(input, (uint32_t)work->side + 1);
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t step = fuzz_byte(input);
    if (kind % 4 == 0) { /* along the grid, a few cells at a time */
      if (i & 1) {
        x += step % 13 - 6;
      } else {
        z += step % 13 - 6;
      }
    } else if (kind % 4 == 1) { /* around a centre */
      static const int32_t AROUND[8][2] = {{4, 0},  {3, 3},   {0, 4},  {-3, 3},
                                           {-4, 0}, {-3, -3}, {0, -4}, {3, -3}};
      const int32_t *way = AROUND[(kind & 128 ? i : count - i) * 8 / count % 8];
      x = work->side / 2 + way[0] * (1 + step % 8) * work->side / 64;
      z = work->side / 2 + way[1] * (1 + step % 8) * work->side / 64;
    } else if (kind % 4 == 2 && i > 2 && step & 1) { /* back to its former position */
      x = vertices[step % i][0];
      z = vertices[step % i][2];
    } else {
      x = (int32_t)fuzz_below(input, (uint32_t)work->side + 1);
      z = (int32_t)fuzz_below(input, (uint32_t)work->side + 1);
    }
    x = x < 0 ? 0 : x > work->side ? work->side : x;
    z = z < 0 ? 0 : z > work->side ? work->side : z;
    vertices[i][0] = x;
    vertices[i][1] = kind & 64 ? step % 20 : 4;
    vertices[i][2] = z;
    vertices[i][3] = step & 1   ? (int32_t)(step % 5)
                     : step & 2 ? WM_CONTOUR_BORDER_VERTEX
                                : WM_CONTOUR_AREA_BORDER;
  }
  return count;
}

/* Every triangle has an area and corners of the ring; there are at most as many as a simple ring has. */
static void triangulate(Work *work, int32_t (*vertices)[4], uint32_t count) {
  WmPlanarPoint points[MOST_VERTICES];
  uint32_t triangles[2][3 * MOST_VERTICES], triangle_counts[2];
  bool failed;
  for (uint32_t i = 0; i < count; i++) points[i] = (WmPlanarPoint){vertices[i][0], vertices[i][2]};
  FUZZ_REQUIRE(
      !wm_triangulate_ring(work->context, points, count, triangles[0], &triangle_counts[0], &failed));
  FUZZ_REQUIRE(!wm_triangulate_any_ring(work->context, points, count, triangles[1], &triangle_counts[1]));
  for (int way = 0; way < 2; way++) {
    FUZZ_REQUIRE(triangle_counts[way] + 2 <= (count < 3 ? 2 : count));
    for (uint32_t i = 0; i < 3 * triangle_counts[way]; i++) FUZZ_REQUIRE(triangles[way][i] < count);
    for (uint32_t t = 0; way == 1 && t < triangle_counts[1]; t++) {
      const uint32_t *at = triangles[1] + 3 * (size_t)t;
      FUZZ_REQUIRE(wm_planar_side(&points[at[0]], &points[at[1]], &points[at[2]]) != 0);
    }
  }
}

static void invent_contours(Work *work, WmContourSet *set, int32_t (*vertices)[4], uint32_t *first,
                            uint16_t *region, uint8_t *area) {
  const uint32_t count = 1 + fuzz_byte(&work->input) % CONTOURS;
  first[0] = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t room = MOST_VERTICES - first[i];
    const uint32_t size =
        room < 3 || fuzz_byte(&work->input) < 16 ? 0 : invent_ring(work, vertices + first[i], room);
    if (size) triangulate(work, vertices + first[i], size);
    first[i + 1] = first[i] + size;
    region[i] = 1 + fuzz_byte(&work->input) % 4;
    area[i] = fuzz_byte(&work->input) % WM_AREA_COUNT;
  }
  WmGrid grid = work->compact.grid;
  wm_grid_trim(&grid);
  *set = (WmContourSet){.grid = grid,
                        .max_error = (float)(fuzz_byte(&work->input) % 16) * 0.25f,
                        .contour_count = count,
                        .contour_region = region,
                        .contour_area = area,
                        .vertex_first = first,
                        .vertices = vertices[0]};
}

/* ---- Polygons ----------------------------------------------------------------------------------------- */

/* Any polygons of any vertices of the surface, neighbours too. */
static void invent_polygons(Work *work, WmPolygonMesh *mesh, uint16_t (*vertices)[3], uint16_t *polygons,
                            uint16_t *region, uint8_t *area) {
  FuzzInput *input = &work->input;
  const uint32_t most = 3 + fuzz_byte(input) % 4, count = 1 + fuzz_byte(input) % POLYGONS;
  WmGrid grid = work->compact.grid;
  wm_grid_trim(&grid);
  for (int i = 0; i < CORNERS; i++) {
    vertices[i][0] = (uint16_t)(fuzz_byte(input) % (grid.width + 1));
    vertices[i][1] = fuzz_byte(input) % 16;
    vertices[i][2] = (uint16_t)(fuzz_byte(input) % (grid.depth + 1));
  }
  for (uint32_t p = 0; p < count; p++) {
    const uint32_t size = 3 + fuzz_byte(input) % (most - 2);
    for (uint32_t k = 0; k < most; k++) {
      const uint8_t neighbour = fuzz_byte(input);
      polygons[2 * most * p + k] = k < size ? fuzz_byte(input) % CORNERS : WM_POLYGON_NONE;
      polygons[2 * most * p + most + k] = neighbour < 128   ? WM_POLYGON_NONE
                                          : neighbour < 160 ? (uint16_t)(WM_POLYGON_PORTAL | neighbour % 4)
                                                            : (uint16_t)(neighbour % count);
    }
    region[p] = fuzz_byte(input) % 5;
    area[p] = fuzz_byte(input) % WM_AREA_COUNT;
  }
  *mesh = (WmPolygonMesh){.grid = grid,
                          .max_error = (float)(fuzz_byte(input) % 16) * 0.25f,
                          .max_vertices_per_polygon = (int32_t)most,
                          .vertex_count = CORNERS,
                          .polygon_count = count,
                          .vertices = vertices[0],
                          .polygons = polygons,
                          .polygon_region = region,
                          .polygon_area = area};
}

/* Corners are valid vertices, neighbours valid polygons. Rings that cross themselves allow no further
 * checks. */
static void check_numbers(const WmPolygonMesh *mesh) {
  const uint32_t most = (uint32_t)mesh->max_vertices_per_polygon;
  for (uint32_t i = 0; i < 2 * most * mesh->polygon_count; i++) {
    const uint16_t number = mesh->polygons[i];
    const bool is_corner = i % (2 * most) < most;
    if (number == WM_POLYGON_NONE || (!is_corner && number & WM_POLYGON_PORTAL)) continue;
    FUZZ_REQUIRE(number < (is_corner ? mesh->vertex_count : mesh->polygon_count));
  }
}

/* Details of the mesh, and a tile of both. */
static void finish(Work *work, const WmPolygonMesh *mesh) {
  FuzzInput *input = &work->input;
  const float wanted = (float)(fuzz_byte(input) % 16) * 0.4f, error = (float)(fuzz_byte(input) % 16) * 0.1f;
  const float distance = work->side > 200 ? 0 : wanted; /* samples in polygons that large take long */
  WmDetailMesh detail = {0};
  WmStatus status =
      wm_build_detail_mesh(work->context, mesh, &work->compact, &work->regions,
                           &(WmDetailSettings){.sample_distance = distance, .max_error = error}, &detail);
  FUZZ_REQUIRE(!status);
  fuzz_check_details(mesh, &detail, false);
  WmTileSettings settings = {.agent_height = 2, .agent_radius = 0.5f, .agent_max_climb = 0.5f};
  settings.build_tree = fuzz_byte(input) & 1;
  settings.area_flags[0] = 1;
  WmTileData tile;
  FUZZ_REQUIRE(!wm_build_tile(work->context, mesh, &detail, &settings, &tile));
  const WmStatus checked =
      tile.byte_count ? wm_tile_check(work->context, tile.bytes, tile.byte_count) : WM_OK;
  FUZZ_REQUIRE(!checked || checked == WM_ERROR_CORRUPT);
  if (!checked) fuzz_use_tile(work->context, &tile, mesh->polygon_count);
  wm_tile_data_free(work->context, &tile);
  wm_detail_mesh_free(work->context, &detail);
}

int fuzz_contours(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  Work work = {.context = memory.context, .input = {bytes, byte_count}};
  const uint8_t what = fuzz_byte(&work.input);
  invent_surface(&work);
  WmPolygonMesh mesh = {0};
  if (what & 1) {
    WmContourSet contours;
    int32_t vertices[MOST_VERTICES][4];
    uint32_t first[CONTOURS + 1];
    uint16_t region[CONTOURS];
    uint8_t area[CONTOURS];
    invent_contours(&work, &contours, vertices, first, region, area);
    FUZZ_REQUIRE(!wm_build_polygon_mesh(work.context, &contours, 3 + (what >> 1) % 4, &mesh));
    check_numbers(&mesh);
    FUZZ_REQUIRE(wm_polygon_mesh_count_concave(&mesh) <= mesh.polygon_count);
    finish(&work, &mesh);
    wm_polygon_mesh_free(work.context, &mesh);
  } else {
    uint16_t vertices[CORNERS][3], polygons[2 * 6 * POLYGONS], region[POLYGONS];
    uint8_t area[POLYGONS];
    invent_polygons(&work, &mesh, vertices, polygons, region, area);
    finish(&work, &mesh);
  }
  wm_regions_free(work.context, &work.regions);
  wm_compact_heightfield_free(work.context, &work.compact);
  fuzz_end(&memory);
  return 0;
}
