/* See invent.h. */
#include "invent.h"

#include <math.h>

float fuzz_between(FuzzInput *input, float low, float high) {
  return low + (high - low) * ((float)fuzz_below(input, 65536) / 65535.0f);
}

/* ---- Volumes ------------------------------------------------------------------------------------------ */

WmAreaVolume fuzz_volume(FuzzInput *input, const float low[3], const float high[3],
                         float outline[FUZZ_OUTLINE][3]) {
  const uint8_t what = fuzz_byte(input);
  WmAreaVolume volume = {.kind = what % 6,
                         .area = what & 64 ? 0 : fuzz_byte(input) % WM_AREA_COUNT,
                         .before_erosion = what >> 7,
                         .vertices = outline[0],
                         .vertex_count = 3 + fuzz_byte(input) % (FUZZ_OUTLINE - 2)};
  float widest = 0;
  for (int axis = 0; axis < 3; axis++) {
    const float size = high[axis] - low[axis];
    volume.centre[axis] = fuzz_between(input, low[axis] - size * 0.25f, high[axis] + size * 0.25f);
    volume.half_extents[axis] = fuzz_between(input, 0, size);
    volume.minimum[axis] = volume.centre[axis] - volume.half_extents[axis];
    volume.maximum[axis] = volume.centre[axis] + volume.half_extents[axis];
    for (int i = 0; i < FUZZ_OUTLINE; i++) outline[i][axis] = fuzz_between(input, low[axis], high[axis]);
    widest = size > widest ? size : widest;
  }
  volume.yaw = fuzz_between(input, -10, 10);
  volume.radius = fuzz_between(input, 0, widest);
  volume.height = fuzz_between(input, 0, widest);
  if (fuzz_byte(input) < 8) {
    float *const numbers[] = {&volume.centre[0], &volume.minimum[1], &volume.yaw,
                              &volume.radius,    &volume.height,     &outline[1][2]};
    static const float HOSTILE[] = {NAN, INFINITY, -INFINITY, -1, 1e9f, -1e30f, 1e-40f};
    *numbers[fuzz_byte(input) % 6] = HOSTILE[fuzz_byte(input) % 7];
    if (fuzz_byte(input) < 32) volume.kind = fuzz_byte(input) - 100;
    if (fuzz_byte(input) < 32) volume.vertex_count = 2;
    if (fuzz_byte(input) < 32) volume.area = 64;
  }
  return volume;
}

/* ---- Levels ------------------------------------------------------------------------------------------- */

static void invent_vertices(FuzzInput *input, FuzzLevel *level, uint32_t count) {
  const uint8_t style = fuzz_byte(input);
  const float scale = (style & 15) == 1 ? 1e-3f : 1, offset = (style & 15) == 2 ? 1e6f : 0;
  for (uint32_t i = 0; i < count; i++) {
    float *at = level->positions[i];
    const uint8_t kind = fuzz_byte(input);
    const float *former = i ? level->positions[fuzz_byte(input) % i] : at;
    for (int axis = 0; axis < 3; axis++) {
      const uint8_t value = fuzz_byte(input);
      if (kind < 160 || i == 0) {
        at[axis] = (float)(value % (axis == 1 ? 9 : 17)) * (axis == 1 ? 0.5f : 1.0f) * scale + offset;
      } else if (kind < 200) { /* near another one, or equal */
        at[axis] = former[axis] + (float)(int8_t)value * (value & 1 ? 1e-3f : 0) * scale;
      } else if (kind < 240) { /* straight above or beside another one */
        at[axis] = value & 1 ? former[axis] : fuzz_between(input, 0, 16) * scale + offset;
      } else {
        const float number = fuzz_number(input);
        at[axis] = fabsf(number) > 1e6f ? 0 : number * scale + offset;
      }
    }
  }
}

/* Random triangles of any winding. In half of the levels the first two are ground below all others. */
static void invent_triangles(FuzzInput *input, FuzzLevel *level) {
  const uint8_t style = fuzz_byte(input);
  const uint32_t vertices = 4 + fuzz_byte(input) % (FUZZ_VERTICES - 3);
  uint32_t count = 1 + fuzz_byte(input) % FUZZ_TRIANGLES;
  invent_vertices(input, level, vertices);
  for (uint32_t t = 0; t < count; t++) {
    for (int k = 0; k < 3; k++) level->indices[t][k] = fuzz_byte(input) % vertices;
    level->areas[t] = fuzz_byte(input) % WM_AREA_COUNT;
    if (t > 0 && (style & 2) && level->areas[t] % 4 == 0) { /* the previous one again, or turned over */
      memcpy(level->indices[t], level->indices[t - 1], sizeof level->indices[t]);
      if (level->areas[t] % 8 == 0) level->indices[t][0] = level->indices[t - 1][1];
      if (level->areas[t] % 8 == 0) level->indices[t][1] = level->indices[t - 1][0];
    }
  }
  if (style & 1) {
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = high[axis] = level->positions[0][axis];
      for (uint32_t i = 1; i < vertices; i++) {
        low[axis] = fminf(low[axis], level->positions[i][axis]);
        high[axis] = fmaxf(high[axis], level->positions[i][axis]);
      }
    }
    for (uint32_t i = 0; i < 4; i++) {
      level->positions[i][0] = i & 2 ? high[0] : low[0];
      level->positions[i][1] = low[1];
      level->positions[i][2] = i & 1 ? high[2] : low[2];
    }
    static const uint32_t GROUND[2][3] = {{0, 1, 3}, {0, 3, 2}};
    memcpy(level->indices, GROUND, sizeof GROUND);
    level->areas[0] = level->areas[1] = 63;
    if (count < 2) count = 2;
  }
  level->input.triangles = (WmTriangles){.positions = level->positions[0],
                                         .position_stride = 3,
                                         .vertex_count = vertices,
                                         .indices = level->indices[0],
                                         .triangle_count = count,
                                         .areas = style & 4 ? level->areas : NULL};
}

static void invent_solid(FuzzInput *input, const float low[3], const float high[3], WmSolid *solid,
                         float hull[8][3]) {
  static const uint32_t TETRAHEDRA[2][12] = {{0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0},
                                             {4, 6, 5, 4, 5, 7, 5, 6, 7, 6, 4, 7}};
  *solid = (WmSolid){.kind = fuzz_byte(input) % 5,
                     .area = fuzz_byte(input) % WM_AREA_COUNT,
                     .vertices = hull[0],
                     .vertex_count = 8,
                     .indices = TETRAHEDRA[fuzz_byte(input) & 1],
                     .triangle_count = 4};
  for (int axis = 0; axis < 3; axis++) {
    const float size = high[axis] - low[axis];
    solid->start[axis] = fuzz_between(input, low[axis], high[axis]);
    solid->end[axis] = fuzz_between(input, low[axis], high[axis]);
    for (int i = 0; i < 3; i++) solid->half_axes[i][axis] = fuzz_between(input, -size * 0.3f, size * 0.3f);
    for (int i = 0; i < 8; i++) hull[i][axis] = fuzz_between(input, low[axis], high[axis]);
  }
  solid->radius = fuzz_between(input, 0, 0.3f * (high[0] - low[0]));
}

/* A field's value: mostly its first, otherwise one of its range, small ones more often than large ones. */
static void invent_field(FuzzInput *input, WmConfig *config, const WmConfigField *field) {
  const uint8_t kind = fuzz_byte(input);
  if (kind < 128) return;
  const float share = (float)fuzz_byte(input) / 255.0f;
  double value = field->minimum + ((double)field->maximum - field->minimum) * share;
  if (kind < 240 && field->maximum > 100) {
    value = field->minimum + 4 * (double)field->initial * share * share;
  }
  if (kind == 255 && field->or_zero) value = 0;
  wm_config_set(config, field, field->kind == WM_FIELD_REAL ? value : floor(value));
}

/* Limits the numbers that decide how long a bake takes, so that it takes milliseconds. */
static void tame_config(FuzzInput *input, WmConfig *config, const float low[3], const float high[3]) {
  const float width = fmaxf(high[0] - low[0], high[2] - low[2]), tallest = high[1] - low[1];
  const float cells = 8 + (float)(fuzz_byte(input) % 33);
  if (!(config->cell_size >= width / cells)) config->cell_size = width > 0 ? width / cells : 0.3f;
  if (!(config->cell_height >= tallest / 400)) config->cell_height = tallest / 400;
  if (config->agent_height > 255 * config->cell_height) config->agent_height = 200 * config->cell_height;
  if (config->agent_max_climb > config->agent_height) config->agent_max_climb = 0.5f * config->agent_height;
  const float widest = (float)(1 + fuzz_byte(input) % 8) * config->cell_size;
  if (config->agent_radius > widest) config->agent_radius = widest;
}

/* The other fields come from single bits, so that stored inputs still stand for the levels that they were found with. */
enum { FIRST_FIELDS = 20 };

static void invent_config(FuzzInput *input, FuzzLevel *level, const float low[3], const float high[3]) {
  WmConfig *config = &level->config;
  *config = wm_config_default();
  for (int i = 0; i < FIRST_FIELDS; i++) invent_field(input, config, &WM_CONFIG_FIELDS[i]);
  const uint8_t what = fuzz_byte(input);
  if (what & 1) config->tile_size = 8 + fuzz_byte(input) % 24;
  if (what & 8) config->heights = WM_HEIGHTS_SURFACE;
  tame_config(input, config, low, high);
  if (what & 2) { /* bounds that cut the level, in y too */
    config->has_bounds = true;
    for (int axis = 0; axis < 3; axis++) {
      const float size = high[axis] - low[axis];
      config->bounds_min[axis] = low[axis] + size * 0.5f * (float)(fuzz_byte(input) % 16) / 16;
      config->bounds_max[axis] = high[axis] - size * 0.4f * (float)(fuzz_byte(input) % 16) / 16;
    }
  }
  if (what >> 4 == 15) {
    const WmConfigField *field = &WM_CONFIG_FIELDS[fuzz_byte(input) % FIRST_FIELDS];
    static const float HOSTILE[] = {-1, 1e30f, 1e-30f, 0, NAN, INFINITY, -INFINITY};
    if (field->kind == WM_FIELD_REAL) {
      wm_config_set(config, field, (double)HOSTILE[fuzz_byte(input) % 7]);
    } else if (field->kind == WM_FIELD_INTEGER) {
      wm_config_set(config, field, fuzz_byte(input) - 100);
    }
    if (config->cell_size < (high[0] - low[0]) / 200) config->cell_size = -config->cell_size;
  }
}

void fuzz_level(FuzzInput *input, FuzzLevel *level) {
  memset(level, 0, sizeof *level);
  invent_triangles(input, level);
  float low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = high[axis] = level->positions[0][axis];
    for (size_t i = 1; i < level->input.triangles.vertex_count; i++) {
      low[axis] = fminf(low[axis], level->positions[i][axis]);
      high[axis] = fmaxf(high[axis], level->positions[i][axis]);
    }
  }
  invent_config(input, level, low, high);
  const uint8_t what = fuzz_byte(input);
  level->input.solids = level->solids;
  level->input.volumes = level->volumes;
  level->input.connections = level->connections;
  level->input.solid_count = what & 3;
  level->input.volume_count = what >> 2 & 3;
  level->input.connection_count = what >> 4 & 3;
  for (size_t i = 0; i < level->input.solid_count; i++) {
    invent_solid(input, low, high, &level->solids[i], level->hulls[i]);
  }
  for (size_t i = 0; i < level->input.volume_count; i++) {
    level->volumes[i] = fuzz_volume(input, low, high, level->outlines[i]);
  }
  for (size_t i = 0; i < level->input.connection_count; i++) {
    WmOffMeshConnection *connection = &level->connections[i];
    *connection = (WmOffMeshConnection){.flags = fuzz_byte(input),
                                        .area = fuzz_byte(input) % WM_AREA_COUNT,
                                        .bidirectional = fuzz_byte(input) & 1,
                                        .user_id = fuzz_byte(input),
                                        .radius = fuzz_between(input, 0.01f, 2)};
    for (int axis = 0; axis < 3; axis++) {
      connection->start[axis] = fuzz_between(input, low[axis], high[axis]);
      connection->end[axis] = fuzz_between(input, low[axis], high[axis]);
    }
  }
  if (what & 64) level->input.area_flags = level->area_flags;
  for (int i = 0; (what & 64) && i < WM_AREA_COUNT; i++) level->area_flags[i] = (uint16_t)(i * 37 + what);
}

/* ---- Fields ------------------------------------------------------------------------------------------- */

void fuzz_heightfield(WmContext *context, FuzzInput *input, WmHeightfield *field) {
  const int32_t width = 1 + fuzz_byte(input) % 24, depth = 1 + fuzz_byte(input) % 24;
  const size_t cells = (size_t)width * (size_t)depth;
  WmLayout layout = {0};
  const size_t first = wm_layout_add(&layout, cells + 1, 4),
               low = wm_layout_add(&layout, FUZZ_COLUMN * cells, 2);
  const size_t high = wm_layout_add(&layout, FUZZ_COLUMN * cells, 2);
  const size_t area = wm_layout_add(&layout, FUZZ_COLUMN * cells, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  FUZZ_REQUIRE(block);
  *field = (WmHeightfield){.block = block,
                           .cell_first = (uint32_t *)(void *)(block + first),
                           .span_min = (uint16_t *)(void *)(block + low),
                           .span_max = (uint16_t *)(void *)(block + high),
                           .span_area = block + area};
  field->grid = (WmGrid){.bounds_min = {-3.25f, 1.5f, 7},
                         .cell_size = 0.5f,
                         .cell_height = 0.25f,
                         .width = width,
                         .depth = depth,
                         .border_size = fuzz_byte(input) % 8 < 2 ? fuzz_byte(input) % 5 : 0};
  if (2 * field->grid.border_size >= (width < depth ? width : depth)) field->grid.border_size = 0;
  field->grid.bounds_max[0] = -3.25f + 0.5f * (float)width;
  field->grid.bounds_max[1] = 1.5f + 0.25f * WM_SPAN_HEIGHT_LIMIT;
  field->grid.bounds_max[2] = 7 + 0.5f * (float)depth;
  const uint8_t even = fuzz_byte(input); /* the number of cells that equal the previous ones */
  struct {
    uint32_t low, high;
    uint8_t area;
  } column[FUZZ_COLUMN] = {{0, 4, 63}};
  uint32_t count = 1, span = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    if (fuzz_byte(input) > even) {
      const uint8_t what = fuzz_byte(input);
      count = what % 8 == 7 ? 0 : what % 8 < 4 ? 1 : what % FUZZ_COLUMN + 1;
      uint32_t bottom = what & 128 ? 0 : fuzz_byte(input) == 9 ? fuzz_below(input, 65000) : what >> 3;
      for (uint32_t k = 0; k < count; k++) {
        const uint32_t top = bottom + 1 + fuzz_byte(input) % (what & 64 ? 30 : 3);
        if (top > WM_SPAN_HEIGHT_LIMIT) {
          count = k;
          break;
        }
        column[k].low = bottom;
        column[k].high = top;
        column[k].area = what & 32 ? 63 : fuzz_byte(input) % WM_AREA_COUNT;
        bottom = top + 1 + fuzz_byte(input) % 24;
      }
    }
    field->cell_first[cell] = span;
    for (uint32_t k = 0; k < count; k++, span++) {
      field->span_min[span] = (uint16_t)column[k].low;
      field->span_max[span] = (uint16_t)column[k].high;
      field->span_area[span] = column[k].area;
    }
  }
  field->cell_first[cells] = field->span_count = span;
}

/* ---- Invariants ------------------------------------------------------------------------------------ */

static int64_t turn(const uint16_t *a, const uint16_t *b, const uint16_t *c) {
  return ((int64_t)c[0] - a[0]) * ((int64_t)b[2] - a[2]) - ((int64_t)b[0] - a[0]) * ((int64_t)c[2] - a[2]);
}

static bool knows(const uint16_t *neighbours, uint32_t most, uint32_t polygon) {
  for (uint32_t k = 0; k < most; k++) {
    if (neighbours[k] == polygon) return true;
  }
  return false;
}

/* The limit of edges of a region's outlines that are checked. */
enum { MOST_EDGES = 512 };

/* Twice the area of a triangle: positive with the winding of polygons. */
static int64_t turn_outline(const int32_t *a, const int32_t *b, const int32_t *c) {
  return ((int64_t)c[0] - a[0]) * ((int64_t)b[2] - a[2]) - ((int64_t)b[0] - a[0]) * ((int64_t)c[2] - a[2]);
}

static bool are_apart(const int32_t *a, const int32_t *b, const int32_t *c, const int32_t *d) {
  const int64_t first = turn_outline(a, b, c), second = turn_outline(a, b, d);
  return (first < 0 && second > 0) || (first > 0 && second < 0);
}

/* True if a point lies on an edge, between its ends. */
static bool is_on_edge(const int32_t *a, const int32_t *b, const int32_t *point) {
  const int64_t along = ((int64_t)point[0] - a[0]) * ((int64_t)b[0] - point[0]) +
                        ((int64_t)point[2] - a[2]) * ((int64_t)b[2] - point[2]);
  return along > 0 && turn_outline(a, b, point) == 0;
}

/* True if edges of a region's outlines cross or touch, in one outline or in two, or one of them is turned
 * over; also if max_error is above 3, where no result is guaranteed. */
static bool are_outlines_tangled(const WmContourSet *contours, uint32_t region) {
  if (contours->max_error > 3) return true;
  const int32_t *edges[2 * MOST_EDGES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < contours->contour_count; i++) {
    const uint32_t first = contours->vertex_first[i], end = contours->vertex_first[i + 1];
    if (contours->contour_region[i] != region) continue;
    int64_t area = 0;
    for (uint32_t k = first; k < end; k++, count++) {
      if (count == MOST_EDGES) return true; /* not checked */
      edges[2 * count] = contours->vertices + 4 * (size_t)k;
      edges[2 * count + 1] = contours->vertices + 4 * (size_t)(k + 1 < end ? k + 1 : first);
      area += turn_outline(contours->vertices + 4 * (size_t)first, edges[2 * count], edges[2 * count + 1]);
    }
    if (area < 0) return true;
  }
  for (uint32_t i = 0; i < count; i++) {
    const int32_t *a = edges[2 * i], *b = edges[2 * i + 1];
    for (uint32_t k = 0; k < i; k++) {
      const int32_t *c = edges[2 * k], *d = edges[2 * k + 1];
      if (are_apart(a, b, c, d) && are_apart(c, d, a, b)) return true;
      if (is_on_edge(a, b, c) || is_on_edge(c, d, a)) return true;
    }
  }
  return false;
}

void fuzz_check_polygons(const WmPolygonMesh *mesh, const WmContourSet *contours) {
  const uint32_t most = (uint32_t)mesh->max_vertices_per_polygon;
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    const uint16_t *corners = mesh->polygons + 2 * (size_t)most * p, *neighbours = corners + most;
    uint32_t count = 0;
    for (; count < most && corners[count] != WM_POLYGON_NONE; count++) {
      FUZZ_REQUIRE(corners[count] < mesh->vertex_count);
      /* Corners of an outline that lie above each other become one vertex; Recast's triangles between them
       * remain, without an area. */
      uint32_t times = 0;
      for (uint32_t k = 0; k < count; k++) times += corners[k] == corners[count];
      FUZZ_REQUIRE(times <= 1);
    }
    FUZZ_REQUIRE(count >= 3);
    for (uint32_t k = 0; k < count; k++) {
      const uint16_t *at = mesh->vertices + 3 * (size_t)corners[k];
      const uint16_t *next = mesh->vertices + 3 * (size_t)corners[(k + 1) % count];
      const uint16_t *after = mesh->vertices + 3 * (size_t)corners[(k + 2) % count];
      FUZZ_REQUIRE(turn(at, next, after) >= 0 || are_outlines_tangled(contours, mesh->polygon_region[p]));
      if (neighbours[k] & WM_POLYGON_PORTAL) continue;
      FUZZ_REQUIRE(neighbours[k] < mesh->polygon_count);
      FUZZ_REQUIRE(knows(mesh->polygons + 2 * (size_t)most * neighbours[k] + most, most, p));
    }
  }
}

void fuzz_check_details(const WmPolygonMesh *mesh, const WmDetailMesh *detail, bool is_sound) {
  uint32_t vertex = 0, triangle = 0;
  FUZZ_REQUIRE(detail->submesh_count == mesh->polygon_count);
  for (uint32_t i = 0; i < detail->submesh_count; i++) {
    const uint32_t *submesh = detail->submeshes + 4 * (size_t)i;
    FUZZ_REQUIRE(submesh[0] == vertex && submesh[2] == triangle);
    FUZZ_REQUIRE(submesh[3] > 0 || !is_sound);
    for (uint32_t t = triangle; t < triangle + submesh[3]; t++) {
      for (int k = 0; k < 3; k++) FUZZ_REQUIRE(detail->triangles[4 * (size_t)t + k] < submesh[1]);
    }
    vertex += submesh[1];
    triangle += submesh[3];
  }
  FUZZ_REQUIRE(vertex == detail->vertex_count && triangle == detail->triangle_count);
  for (size_t i = 0; i < 3 * (size_t)vertex; i++) FUZZ_REQUIRE(isfinite(detail->vertices[i]));
}

void fuzz_use_tile(WmContext *context, const WmTileData *tile, uint32_t seed) {
  if (tile->byte_count == 0) return;
  FUZZ_REQUIRE(!wm_tile_check(context, tile->bytes, tile->byte_count));
  WmTileHeader header;
  memcpy(&header, tile->bytes, sizeof header);
  WmMeshParameters parameters = {.agent_height = header.agent_height,
                                 .agent_radius = header.agent_radius,
                                 .agent_max_climb = header.agent_max_climb};
  memcpy(parameters.origin, header.bounds_min, sizeof parameters.origin);
  parameters.tile_width = fmaxf(header.bounds_max[0] - header.bounds_min[0], 1e-6f);
  parameters.tile_depth = fmaxf(header.bounds_max[2] - header.bounds_min[2], 1e-6f);
  parameters.origin[0] -= parameters.tile_width * (float)header.x;
  parameters.origin[2] -= parameters.tile_depth * (float)header.z;
  WmMesh *mesh = NULL;
  WmRef ref;
  FUZZ_REQUIRE(!wm_mesh_create(context, &parameters, &mesh));
  FUZZ_REQUIRE(!wm_mesh_add_tile(mesh, tile->bytes, tile->byte_count, &ref));
  fuzz_ask_with_new_query(mesh, seed, 1);
  wm_mesh_destroy(mesh);
}
