/* The detail mesh against golden dumps, against a slow oracle on seeded random surfaces, and its properties.
 */
#include <math.h>

#include "bake/detail/detail_internal.h"
#include "plain_links.h"
#include "bake/stages.h"
#include "check.h"
#include "detail_mesh_oracle.h"
#include "dump_read.h"

/* Random surfaces compared with the oracle. 3000 passed once. */
enum { SEEDS = 60 };

/* ---- Golden dumps ----------------------------------------------------------------------------------- */

/* The stage's input. */
typedef struct Case {
  WmCompactHeightfield compact;
  WmRegions regions;
  WmPolygonMesh mesh;
  float sample_distance, max_error;
} Case;

static void free_case(WmContext *context, Case *given) {
  wm_compact_heightfield_free(context, &given->compact);
  wm_regions_free(context, &given->regions);
  wm_polygon_mesh_free(context, &given->mesh);
}

static float read_number(const char *json, const char *name, int index) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\": ", name);
  const char *at = strstr(json, key);
  if (!at) return NAN;
  at += strlen(key);
  if (*at == '[') at++;
  for (; index > 0; index--) at = strchr(at, ',') + 1;
  return strtof(at, NULL);
}

static WmBytes read_dump(const char *name, const char *array) {
  char path[256];
  snprintf(path, sizeof path, "../shared/golden/dumps/%s/%s", name, array);
  return read_file(path);
}

static bool read_case(WmContext *context, const char *name, Case *given) {
  WmBytes summary = read_dump(name, "summary.json");
  if (!summary.byte_count) return false;
  char *json = (char *)realloc(summary.bytes, summary.byte_count + 1);
  json[summary.byte_count] = 0;
  WmGrid grid = {.cell_size = read_number(json, "cs", 0), .cell_height = read_number(json, "ch", 0)};
  grid.width = (int32_t)read_number(json, "width", 0);
  grid.depth = (int32_t)read_number(json, "height", 0);
  for (int k = 0; k < 3; k++) {
    grid.bounds_min[k] = read_number(json, "bmin", k);
    grid.bounds_max[k] = read_number(json, "bmax", k);
  }
  given->sample_distance = read_number(json, "detailSampleDist", 0);
  given->max_error = read_number(json, "detailSampleMaxError", 0);
  WmBytes compact = read_dump(name, "compact.bin"), areas = read_dump(name, "areas_eroded.bin");
  WmBytes regions = read_dump(name, "regions.bin"), mesh = read_dump(name, "polymesh.bin");
  given->compact = read_compact(context, compact, &grid, (int32_t)read_number(json, "walkableHeight", 0),
                                (int32_t)read_number(json, "walkableClimb", 0));
  memcpy(given->compact.span_area, areas.bytes, areas.byte_count);
  given->mesh = read_polygon_mesh(context, mesh, &grid, read_number(json, "maxSimplificationError", 0));
  given->regions.span_count = given->compact.span_count;
  given->regions.block = wm_block_allocate(context, regions.byte_count);
  memcpy(given->regions.block, regions.bytes, regions.byte_count);
  given->regions.span_region = given->regions.block;
  free(json);
  free(compact.bytes);
  free(areas.bytes);
  free(regions.bytes);
  free(mesh.bytes);
  return true;
}

static bool submeshes_equal(const WmDetailMesh *a, const WmDetailMesh *b, size_t i) {
  const uint32_t *x = a->submeshes + 4 * i, *y = b->submeshes + 4 * i;
  return x[1] == y[1] && x[3] == y[3] &&
         memcmp(a->vertices + 3 * (size_t)x[0], b->vertices + 3 * (size_t)y[0], 12 * (size_t)x[1]) == 0 &&
         memcmp(a->triangles + 4 * (size_t)x[2], b->triangles + 4 * (size_t)y[2], 4 * (size_t)x[3]) == 0;
}

static size_t count_differing(const WmDetailMesh *a, const WmDetailMesh *b) {
  size_t differing = 0;
  for (size_t i = 0; i < a->submesh_count; i++) differing += !submeshes_equal(a, b, i);
  return differing;
}

/* Checks that the submesh's triangles are the polygon's surface without holes: each directed edge occurs
 * once, with its reverse unless it is flagged as outline; areas add up. */
static void check_covers(const WmDetailMesh *detail, size_t polygon, double expected_area) {
  static uint8_t seen[128][128];
  memset(seen, 0, sizeof seen);
  const uint32_t *submesh = detail->submeshes + 4 * polygon;
  const float *v = detail->vertices + 3 * (size_t)submesh[0];
  double area = 0;
  for (uint32_t i = 0; i < submesh[3]; i++) {
    const uint8_t *t = detail->triangles + 4 * ((size_t)submesh[2] + i);
    for (int k = 0; k < 3; k++) seen[t[k]][t[(k + 1) % 3]]++;
    const float *a = v + 3 * t[0], *b = v + 3 * t[1], *c = v + 3 * t[2];
    const double twice =
        (double)(b[2] - a[2]) * (double)(c[0] - a[0]) - (double)(b[0] - a[0]) * (double)(c[2] - a[2]);
    CHECK(twice > -1e-3 * (1 + expected_area));
    area += twice / 2;
  }
  CHECK(fabs(area - expected_area) <= 1e-4 * (1 + expected_area));
  for (uint32_t i = 0; i < submesh[3]; i++) {
    const uint8_t *t = detail->triangles + 4 * ((size_t)submesh[2] + i);
    for (int k = 0; k < 3; k++) {
      const int a = t[k], b = t[(k + 1) % 3];
      CHECK_EQUAL_INT(seen[a][b], 1);
      CHECK_EQUAL_INT(seen[b][a], t[3] >> (2 * k) & 1 ? 0 : 1);
    }
  }
}

/* Submeshes may differ only if the reference left holes. */
static void check_differing(const Case *given, const WmDetailMesh *actual, const WmDetailMesh *expected) {
  for (size_t i = 0; i < actual->submesh_count; i++) {
    if (submeshes_equal(actual, expected, i)) continue;
    const uint16_t *indices = given->mesh.polygons + i * 2 * (size_t)given->mesh.max_vertices_per_polygon;
    const float *v = actual->vertices + 3 * (size_t)actual->submeshes[4 * i];
    double twice = 0;
    for (int k = 2; k < given->mesh.max_vertices_per_polygon && indices[k] != WM_POLYGON_NONE; k++) {
      const float *b = v + 3 * k - 3, *c = v + 3 * k;
      twice += (double)(b[2] - v[2]) * (double)(c[0] - v[0]) - (double)(b[0] - v[0]) * (double)(c[2] - v[2]);
    }
    check_covers(actual, i, twice / 2);
  }
}

static void check_golden(const char *name, size_t may_differ) {
  WmContext *context = wm_context_create(NULL);
  Case given = {0};
  if (!read_case(context, name, &given)) {
    SKIP("no ../shared/golden/dumps");
    wm_context_destroy(context);
    return;
  }
  WmBytes bytes = read_dump(name, "detail.bin");
  WmDetailMesh expected = read_detail_mesh(context, bytes), actual;
  free(bytes.bytes);
  CHECK_EQUAL_INT(wm_build_detail_mesh(context, &given.mesh, &given.compact, &given.regions,
                                       &(WmDetailSettings){.sample_distance = given.sample_distance,
                                                           .max_error = given.max_error},
                                       &actual),
                  WM_OK);
  CHECK_EQUAL_INT(actual.submesh_count, expected.submesh_count);
  if (actual.submesh_count == expected.submesh_count) {
    const size_t differing = count_differing(&actual, &expected);
    CHECK(differing <= may_differ);
    check_differing(&given, &actual, &expected);
    printf("%s: %zu of %u submeshes differ\n", name, differing, actual.submesh_count);
  }
  wm_detail_mesh_free(context, &actual);
  wm_detail_mesh_free(context, &expected);
  free_case(context, &given);
  wm_context_destroy(context);
}

static void golden_holes_layers(void) { check_golden("holes-layers", 0); }
static void golden_maze_default(void) { check_golden("maze-default", 0); }
static void golden_plaza_default(void) { check_golden("plaza-default", 0); }
static void golden_terrain_default(void) { check_golden("terrain-default", 1); }
static void golden_tower_monotone(void) { check_golden("tower-monotone", 0); }

/* ---- Random surfaces ---------------------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static float random_float(uint32_t *state, float low, float high) {
  return low + (high - low) * (float)(next_random(state) & 0xffff) / 65535.0f;
}

/* The kind of world that belongs to a seed. */
typedef struct Terrain {
  float amplitude[3], frequency_x[3], frequency_z[3]; /* cell heights; radians a cell */
  float roughness;                                    /* cell heights */
  uint32_t missing, layered;                          /* chances out of 1000 */
} Terrain;

static Terrain random_terrain(uint32_t *state) {
  Terrain terrain = {.roughness = random_float(state, 0, 3)};
  for (int k = 0; k < 3; k++) {
    terrain.amplitude[k] = random_float(state, 0, 25);
    terrain.frequency_x[k] = random_float(state, 0.01f, 0.4f);
    terrain.frequency_z[k] = random_float(state, 0.01f, 0.4f);
  }
  terrain.missing = next_random(state) % 3 == 0 ? next_random(state) % 400 : 0;
  if (next_random(state) % 12 == 0) terrain.missing = 990; /* hardly any span */
  terrain.layered = next_random(state) % 3 == 0 ? next_random(state) % 1000 : 0;
  return terrain;
}

static uint16_t terrain_height(const Terrain *terrain, int32_t x, int32_t z, uint32_t *state) {
  float height = 200 + random_float(state, 0, terrain->roughness);
  for (int k = 0; k < 3; k++) {
    height += terrain->amplitude[k] * sinf(terrain->frequency_x[k] * (float)x) *
              cosf(terrain->frequency_z[k] * (float)z);
  }
  return (uint16_t)height;
}

/* Spans of one or two layers, linked if they are within the climb; each span links to the first. */
static WmCompactHeightfield random_compact(WmContext *context, const WmGrid *grid, uint32_t *state) {
  const Terrain terrain = random_terrain(state);
  const size_t cells = (size_t)(grid->width * grid->depth);
  WmLayout layout = {0};
  const size_t floor = wm_layout_add(&layout, 2 * cells, 2);
  const size_t area = wm_layout_add(&layout, 2 * cells, 1);
  const size_t clearance = wm_layout_add(&layout, 2 * cells, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmCompactHeightfield compact = {.grid = *grid, .walkable_climb = 6, .walkable_height = 20, .block = block};
  compact.cell_first = wm_block_allocate(context, 4 * (cells + 1));
  compact.span_floor = (uint16_t *)(void *)(block + floor);
  compact.span_area = block + area;
  compact.span_clearance = block + clearance;
  uint32_t *links = malloc(32 * cells);
  for (size_t cell = 0; cell < cells; cell++) {
    const int32_t x = (int32_t)cell % grid->width, z = (int32_t)cell / grid->width;
    compact.cell_first[cell] = compact.span_count;
    if (next_random(state) % 1000 < terrain.missing) continue;
    const uint16_t height = terrain_height(&terrain, x, z, state);
    compact.span_floor[compact.span_count++] = height;
    if (next_random(state) % 1000 < terrain.layered) {
      compact.span_floor[compact.span_count++] = (uint16_t)(height + 5 + next_random(state) % 40);
    }
  }
  compact.cell_first[cells] = compact.span_count;
  memset(compact.span_area, WM_AREA_WALKABLE, compact.span_count);
  memset(compact.span_clearance, 255, compact.span_count);
  for (size_t cell = 0; cell < cells; cell++) {
    const int32_t x = (int32_t)cell % grid->width, z = (int32_t)cell / grid->width;
    for (uint32_t span = compact.cell_first[cell]; span < compact.cell_first[cell + 1]; span++) {
      for (int d = 0; d < 4; d++) {
        uint32_t *link = &links[4 * (size_t)span + (size_t)d];
        const int32_t to_x = x + ORACLE_X[d], to_z = z + ORACLE_Z[d];
        *link = WM_NO_SPAN;
        if (to_x < 0 || to_z < 0 || to_x >= grid->width || to_z >= grid->depth) continue;
        const uint32_t *to = compact.cell_first + to_x + to_z * grid->width;
        for (uint32_t other = to[0]; other < to[1] && *link == WM_NO_SPAN; other++) {
          if (abs(compact.span_floor[other] - compact.span_floor[span]) <= 6) *link = other;
        }
      }
    }
  }
  pack_links(context, links, &compact);
  free(links);
  return compact;
}

/* Each span belongs to the nearest of a few centres, or to none. */
static WmRegions random_regions(WmContext *context, const WmCompactHeightfield *compact, uint32_t *state) {
  enum { CENTRES = 5 };
  WmRegions regions = {.span_count = compact->span_count, .region_count = CENTRES};
  regions.block = wm_block_allocate(context, 2 * (size_t)compact->span_count);
  regions.span_region = regions.block;
  const WmGrid *grid = &compact->grid;
  int32_t centres[CENTRES][2];
  for (int k = 0; k < CENTRES; k++) {
    centres[k][0] = (int32_t)(next_random(state) % (uint32_t)grid->width);
    centres[k][1] = (int32_t)(next_random(state) % (uint32_t)grid->depth);
  }
  for (int32_t cell = 0; cell < grid->width * grid->depth; cell++) {
    const int32_t x = cell % grid->width, z = cell / grid->width;
    int32_t nearest = INT32_MAX;
    uint16_t region = 0;
    for (int k = 0; k < CENTRES; k++) {
      const int32_t dx = centres[k][0] - x, dz = centres[k][1] - z;
      if (dx * dx + dz * dz >= nearest) continue;
      nearest = dx * dx + dz * dz;
      region = (uint16_t)(k + 1);
    }
    for (uint32_t span = compact->cell_first[cell]; span < compact->cell_first[cell + 1]; span++) {
      regions.span_region[span] = next_random(state) % 40 == 0 ? 0 : region;
    }
  }
  return regions;
}

/* Convex polygons around random ellipses, mostly with the winding of the mesh's, of random regions. */
static WmPolygonMesh random_mesh(WmContext *context, const WmCompactHeightfield *compact,
                                 const WmRegions *regions, uint32_t *state) {
  enum { POLYGONS = 12, MOST = 6 };
  WmLayout layout = {0};
  const size_t at = wm_layout_add(&layout, POLYGONS * MOST, 6);
  const size_t polygons = wm_layout_add(&layout, POLYGONS, 4 * MOST);
  const size_t region = wm_layout_add(&layout, POLYGONS, 2), area = wm_layout_add(&layout, POLYGONS, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  const int32_t border = compact->grid.border_size, cells = compact->grid.width * compact->grid.depth;
  WmPolygonMesh mesh = {.grid = compact->grid, .max_vertices_per_polygon = MOST, .block = block};
  mesh.grid.width -= 2 * border;
  mesh.grid.depth -= 2 * border;
  mesh.max_error = next_random(state) % 4 == 0 ? 4.5f : 1.3f;
  mesh.vertices = (uint16_t *)(void *)(block + at);
  mesh.polygons = (uint16_t *)(void *)(block + polygons);
  mesh.polygon_region = (uint16_t *)(void *)(block + region);
  mesh.polygon_area = block + area;
  memset(mesh.polygons, 0xff, 4 * MOST * POLYGONS);
  memset(mesh.polygon_area, WM_AREA_NULL, POLYGONS); /* no sound mesh: some polygons are reversed, or flat */
  for (int p = 0; p < POLYGONS; p++) {
    const float w = (float)mesh.grid.width, d = (float)mesh.grid.depth;
    const float cx = random_float(state, 0, w), cz = random_float(state, 0, d);
    const float rx = random_float(state, 2, w * 0.6f), rz = random_float(state, 2, d * 0.6f);
    const int corners = 3 + (int)(next_random(state) % 4);
    const bool is_reversed = next_random(state) % 30 == 0;
    const uint32_t near = next_random(state) % (uint32_t)(mesh.grid.width * mesh.grid.depth);
    const uint32_t span = compact->cell_first[near];
    const float height = span < compact->span_count ? (float)compact->span_floor[span] : 0;
    for (int k = 0; k < corners; k++) {
      const float angle = 6.2831853f * ((float)k + random_float(state, 0, 0.7f)) / (float)corners;
      const float x = cx + rx * cosf(angle), z = cz + rz * (is_reversed ? -sinf(angle) : sinf(angle));
      uint16_t *vertex = mesh.vertices + 3 * (size_t)mesh.vertex_count;
      vertex[0] = (uint16_t)(x < 0 ? 0 : x > w ? w : x);
      vertex[1] = (uint16_t)random_float(state, height * 0.9f, height * 1.1f);
      vertex[2] = (uint16_t)(z < 0 ? 0 : z > d ? d : z);
      mesh.polygons[p * 2 * MOST + corners - 1 - k] = (uint16_t)mesh.vertex_count++;
    }
    const uint32_t middle = (uint32_t)((int32_t)cx + border + ((int32_t)cz + border) * compact->grid.width);
    const uint32_t inside = compact->cell_first[middle < (uint32_t)cells ? middle : 0];
    mesh.polygon_region[p] = next_random(state) % 4 == 0 || inside >= compact->span_count
                                 ? (uint16_t)(next_random(state) % 7) /* region 6 is empty */
                                 : regions->span_region[inside];
    mesh.polygon_count++;
  }
  return mesh;
}

static Case random_case(WmContext *context, uint32_t seed) {
  uint32_t state = seed * 2654435761u + 1;
  WmGrid grid = {.cell_size = random_float(&state, 0.1f, 0.5f),
                 .cell_height = random_float(&state, 0.05f, 0.3f)};
  const uint32_t most = seed > SEEDS ? 400 : seed % 5 == 1 ? 200 : 70;
  grid.width = 20 + (int32_t)(next_random(&state) % most);
  grid.depth = 20 + (int32_t)(next_random(&state) % most);
  grid.border_size = seed % 4 == 0 ? 5 : 0;
  for (int k = 0; k < 3; k++) grid.bounds_min[k] = random_float(&state, -50, 50);
  Case given = {.compact = random_compact(context, &grid, &state)};
  given.regions = random_regions(context, &given.compact, &state);
  given.mesh = random_mesh(context, &given.compact, &given.regions, &state);
  /* Far samples are jittered little in proportion, so that many lie on a circle except for rounding. */
  const float cells = seed > SEEDS    ? 40
                      : seed % 5 == 0 ? random_float(&state, 0.9f, 2)
                      : seed % 5 == 1 ? random_float(&state, 8, 30)
                                      : random_float(&state, 2, 8);
  given.sample_distance = grid.cell_size * cells;
  given.max_error = grid.cell_height * random_float(&state, 0.1f, 3);
  return given;
}

/* ---- Against the oracle ---------------------------------------------------------------------------- */

/* Flags of a triangle by looking for its edges along the oracle's hull. */
static uint8_t oracle_flags(const Oracle *o, const int *corners) {
  uint8_t flags = 0;
  for (int k = 0; k < 3; k++) {
    for (int i = 0, j = o->hull_count - 1; i < o->hull_count; j = i++) {
      if (o->hull[j] == corners[k] && o->hull[i] == corners[(k + 1) % 3]) flags |= (uint8_t)(1 << (2 * k));
    }
  }
  return flags;
}

static bool equals_oracle(const Oracle *o, const WmDetailMesh *detail, size_t polygon, const WmGrid *grid) {
  const uint32_t *submesh = detail->submeshes + 4 * polygon;
  const int triangles = o->triangle_count < 255 ? o->triangle_count : 255;
  if (submesh[1] != (uint32_t)o->vertex_count || submesh[3] != (uint32_t)triangles) return false;
  for (int i = 0; i < o->vertex_count; i++) {
    const Point p = o->vertices[i];
    const float at[3] = {p.x + grid->bounds_min[0], p.y + (grid->bounds_min[1] + grid->cell_height),
                         p.z + grid->bounds_min[2]};
    if (memcmp(at, detail->vertices + 3 * ((size_t)submesh[0] + (size_t)i), 12) != 0) return false;
  }
  for (int i = 0; i < triangles; i++) {
    const uint8_t *triangle = detail->triangles + 4 * ((size_t)submesh[2] + (size_t)i);
    for (int k = 0; k < 3; k++) {
      if (triangle[k] != o->triangles[i][k]) return false;
    }
    if (triangle[3] != oracle_flags(o, o->triangles[i])) return false;
  }
  return true;
}

static double polygon_area(const Oracle *o) {
  double twice = 0;
  for (int i = 0, j = o->hull_count - 1; i < o->hull_count; j = i++) {
    const Point p = o->vertices[o->hull[j]], q = o->vertices[o->hull[i]];
    twice += (double)q.x * (double)p.z - (double)p.x * (double)q.z;
  }
  return twice / 2;
}

static bool is_convex(const Oracle *o) {
  for (int i = 0; i < o->n; i++) {
    if (oracle_cross(o, i, (i + 1) % o->n, (i + 2) % o->n) > 0) return false;
  }
  return true;
}

typedef struct Tally {
  int polygons, inserted, dangling, seeded, unreachable;
} Tally;

static void check_polygon(const Case *given, const WmDetailMesh *detail, size_t polygon, uint32_t seed,
                          Tally *tally) {
  const WmGrid *grid = &given->mesh.grid;
  const uint16_t *indices = given->mesh.polygons + polygon * 2 * (size_t)given->mesh.max_vertices_per_polygon;
  uint16_t corners[6][3];
  Oracle o = {.compact = &given->compact,
              .span_region = given->regions.span_region,
              .cell_size = grid->cell_size,
              .cell_height = grid->cell_height,
              .sample_distance = given->sample_distance,
              .max_error = given->max_error,
              .search_radius = (int)ceilf(given->mesh.max_error),
              .border = grid->border_size,
              .corners = (const uint16_t(*)[3])corners,
              .region = given->mesh.polygon_region[polygon]};
  for (; o.n < 6 && indices[o.n] != WM_POLYGON_NONE; o.n++) {
    memcpy(corners[o.n], given->mesh.vertices + 3 * (size_t)indices[o.n], 6);
  }
  oracle_polygon(&o);
  tally->polygons++;
  tally->inserted += o.insertions;
  tally->dangling += o.is_dangling;
  tally->seeded += o.is_seeded;
  tally->unreachable += o.is_unreachable;
  if (o.is_unreachable) {
    CHECK_EQUAL_INT(detail->submeshes[4 * polygon + 1], o.n);
    CHECK_EQUAL_INT(detail->submeshes[4 * polygon + 3], o.n - 2);
  } else if (!o.is_dangling) {
    const bool is_equal = equals_oracle(&o, detail, polygon, grid);
    if (!is_equal) printf("seed %u polygon %zu\n", seed, polygon);
    CHECK(is_equal);
  } else if (is_convex(&o)) {
    check_covers(detail, polygon, polygon_area(&o));
  }
  free(o.triangles);
}

static void check_seed(uint32_t seed, Tally *tally) {
  WmContext *context = wm_context_create(NULL);
  Case given = random_case(context, seed);
  WmDetailMesh detail;
  CHECK_EQUAL_INT(wm_build_detail_mesh(context, &given.mesh, &given.compact, &given.regions,
                                       &(WmDetailSettings){.sample_distance = given.sample_distance,
                                                           .max_error = given.max_error},
                                       &detail),
                  WM_OK);
  for (size_t polygon = 0; polygon < detail.submesh_count; polygon++) {
    check_polygon(&given, &detail, polygon, seed, tally);
  }
  wm_detail_mesh_free(context, &detail);
  free_case(context, &given);
  wm_context_destroy(context);
}

/* Samples 40 cells apart, of which some lie between two vertices of their own row, beyond them by less than jitter:
 * these seeds have such samples. */
static void samples_far_apart_are_measured_up_to_their_last_row(void) {
  static const uint32_t DISTANT[] = {287, 512, 532};
  Tally tally = {0};
  for (size_t i = 0; i < sizeof DISTANT / sizeof *DISTANT; i++) check_seed(DISTANT[i], &tally);
  CHECK(tally.inserted > 0);
}

static void equals_the_oracle_on_random_surfaces(void) {
  Tally tally = {0};
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(SEEDS); seed++) check_seed(seed, &tally);
  printf("%d polygons, %d insertions, %d dangling, %d seeded, %d unreachable\n", tally.polygons,
         tally.inserted, tally.dangling, tally.seeded, tally.unreachable);
  /* The surfaces cover every branch; the rarest ones need all surfaces together. */
  CHECK(tally.inserted > CHECK_ROUNDS(1000) && tally.seeded > CHECK_ROUNDS(10) && tally.unreachable > 0);
  CHECK(tally.dangling > 0 || check_rounds_divisor > 1);
}

/* ---- Special inputs -------------------------------------------------------------------------------- */

/* Twice the area of a triangle that turns as a mesh's polygons do. */
static double turn_at(const WmDetailShape *shape, int a, int b, int c) {
  return ((double)shape->z[b] - (double)shape->z[a]) * ((double)shape->x[c] - (double)shape->x[a]) -
         ((double)shape->x[b] - (double)shape->x[a]) * ((double)shape->z[c] - (double)shape->z[a]);
}

/* The in-circle determinant of d and the circle through a, b, c: below 0 outside. */
static double depth_in_circle(const WmDetailShape *shape, int a, int b, int c, int d) {
  const int corners[3] = {a, b, c};
  double x[3], z[3], square[3];
  for (int i = 0; i < 3; i++) {
    x[i] = (double)shape->x[corners[i]] - (double)shape->x[d];
    z[i] = (double)shape->z[corners[i]] - (double)shape->z[d];
    square[i] = x[i] * x[i] + z[i] * z[i];
  }
  return square[0] * (z[1] * x[2] - x[1] * z[2]) + square[1] * (z[2] * x[0] - x[2] * z[0]) +
         square[2] * (z[0] * x[1] - x[0] * z[1]);
}

/* Counts edges between two triangles that another diagonal would improve: 0, because all of them were
 * flipped. */
static int count_poor_edges(const WmDetailShape *shape) {
  int poor = 0;
  for (uint32_t i = 0; i < 3 * shape->triangle_count; i++) {
    const uint8_t *first = shape->corners + i / 3 * 4;
    const int a = first[i % 3], b = first[(i + 1) % 3], c = first[(i + 2) % 3];
    for (uint32_t k = 0; k < 3 * shape->triangle_count; k++) {
      const uint8_t *second = shape->corners + k / 3 * 4;
      if (second[k % 3] != b || second[(k + 1) % 3] != a) continue;
      const int d = second[(k + 2) % 3];
      const bool is_convex = turn_at(shape, a, d, c) > 1e-3 && turn_at(shape, d, b, c) > 1e-3;
      poor += is_convex && depth_in_circle(shape, a, b, c, d) > 1e-3;
    }
  }
  return poor;
}

/* The mesh built by flips, vertex by vertex, on grid points, where all circles are ties. */
static void flips_keep_the_hull_covered(void) {
  WmDetailWorkspace *work = calloc(1, sizeof *work);
  WmDetailShape *shape = &work->shape;
  for (uint32_t seed = 0; seed < 200; seed++) {
    uint32_t state = seed;
    const int32_t side = 4 + (int32_t)(next_random(&state) % 20);
    memset(work, 0, sizeof *work);
    /* A square, its edges split at whole numbers, turning as a mesh's polygons do. */
    for (int32_t i = 0; i < 4 * side; i++) {
      const int32_t edge = i / side, k = i % side;
      const float at[4][2] = {
          {(float)k, 0}, {(float)side, (float)k}, {(float)(side - k), (float)side}, {0, (float)(side - k)}};
      shape->x[shape->vertex_count] = at[edge][1];
      shape->z[shape->vertex_count] = at[edge][0];
      shape->hull[shape->hull_count++] = (uint8_t)shape->vertex_count++;
    }
    shape->polygon_vertex_count = shape->vertex_count;
    wm_detail_triangulate_hull(shape);
    wm_detail_inserter_start(&work->inserter, shape);
    while (shape->vertex_count < WM_DETAIL_VERTEX_LIMIT) {
      const int32_t p = shape->vertex_count++;
      const bool is_whole = next_random(&state) % 4 != 0;
      shape->x[p] = random_float(&state, 0.1f, (float)side - 0.1f);
      shape->z[p] = random_float(&state, 0.1f, (float)side - 0.1f);
      if (is_whole) {
        shape->x[p] = (float)(1 + (int32_t)(next_random(&state) % (uint32_t)(side - 1)));
        shape->z[p] = (float)(1 + (int32_t)(next_random(&state) % (uint32_t)(side - 1)));
      }
      bool is_new = true;
      for (int32_t i = 0; i < p; i++) is_new &= shape->x[i] != shape->x[p] || shape->z[i] != shape->z[p];
      if (!is_new) {
        shape->vertex_count--;
        if (next_random(&state) % 20 == 0) break;
        continue;
      }
      CHECK(wm_detail_insert_vertex(&work->inserter, shape));
    }
    CHECK_EQUAL_INT(shape->triangle_count, 2 * shape->vertex_count - 2 - shape->hull_count);
    double area = 0;
    for (uint32_t i = 0; i < shape->triangle_count; i++) {
      const int a = shape->corners[4 * i], b = shape->corners[4 * i + 1], c = shape->corners[4 * i + 2];
      const double twice = (double)(shape->z[b] - shape->z[a]) * (double)(shape->x[c] - shape->x[a]) -
                           (double)(shape->x[b] - shape->x[a]) * (double)(shape->z[c] - shape->z[a]);
      CHECK(twice >= 0);
      area += twice / 2;
    }
    CHECK(fabs(area - side * side) < 1e-3);
    if (seed % 4 == 0) CHECK_EQUAL_INT(count_poor_edges(shape), 0);
  }
  free(work);
}

/* A square whose hull turns as a mesh's polygons do, in two triangles, and a vertex to insert. */
static void make_square(WmDetailWorkspace *work, float x, float z) {
  static const float CORNERS[4][2] = {{0, 0}, {0, 8}, {8, 8}, {8, 0}};
  WmDetailShape *shape = &work->shape;
  memset(work, 0, sizeof *work);
  for (int i = 0; i < 4; i++) {
    shape->x[i] = CORNERS[i][0];
    shape->z[i] = CORNERS[i][1];
    shape->hull[i] = (uint8_t)i;
  }
  shape->polygon_vertex_count = shape->hull_count = shape->vertex_count = 4;
  wm_detail_triangulate_hull(shape);
  wm_detail_inserter_start(&work->inserter, shape);
  shape->x[4] = x;
  shape->z[4] = z;
  shape->vertex_count = 5;
}

/* Inserts a vertex into the square, which has `triangle_count` triangles, some of them empty. Returns the
 * number of triangles it adds; 0: it was refused. */
static uint32_t insert_into_square(float x, float z, uint32_t triangle_count) {
  WmDetailWorkspace *work = calloc(2, sizeof *work);
  WmDetailShape *shape = &work->shape;
  make_square(work, x, z);
  CHECK_EQUAL_INT(shape->triangle_count, 2);
  shape->triangle_count = triangle_count;
  work[1] = *work;
  const bool is_inserted = wm_detail_insert_vertex(&work->inserter, shape);
  if (!is_inserted) CHECK(memcmp(work, work + 1, sizeof *work) == 0);
  const uint32_t added = shape->triangle_count - triangle_count;
  CHECK_EQUAL_INT(is_inserted, added > 0);
  free(work);
  return added;
}

static void vertices_on_the_hull_or_beyond_are_refused(void) {
  CHECK_EQUAL_INT(insert_into_square(3, 4, 2), 2); /* in a triangle */
  CHECK_EQUAL_INT(insert_into_square(4, 4, 2), 2); /* on both diagonals, of which one is an edge */
  CHECK_EQUAL_INT(insert_into_square(4, 0, 2), 0);
  CHECK_EQUAL_INT(insert_into_square(8, 3, 2), 0);
  CHECK_EQUAL_INT(insert_into_square(5, 8, 2), 0);
  CHECK_EQUAL_INT(insert_into_square(0, 1, 2), 0);
  CHECK_EQUAL_INT(insert_into_square(4, -0.01f, 2), 0);
  CHECK_EQUAL_INT(insert_into_square(8.01f, 4, 2), 0);
  CHECK_EQUAL_INT(insert_into_square(3, 4, WM_DETAIL_TRIANGLE_LIMIT - 2), 2);
  CHECK_EQUAL_INT(insert_into_square(3, 4, WM_DETAIL_TRIANGLE_LIMIT - 1), 0);
}

static void sample_distance_zero_keeps_the_outline(void) {
  WmContext *context = wm_context_create(NULL);
  Case given = random_case(context, 3);
  const float distances[] = {0, -1, NAN};
  for (int k = 0; k < 3; k++) {
    WmDetailMesh detail;
    CHECK_EQUAL_INT(wm_build_detail_mesh(
                        context, &given.mesh, &given.compact, &given.regions,
                        &(WmDetailSettings){.sample_distance = distances[k], .max_error = 0.1f}, &detail),
                    WM_OK);
    CHECK_EQUAL_INT(detail.vertex_count, given.mesh.vertex_count);
    CHECK_EQUAL_INT(detail.triangle_count, given.mesh.vertex_count - 2 * given.mesh.polygon_count);
    for (uint32_t p = 0; p < detail.submesh_count; p++) {
      for (uint32_t i = 0; i < detail.submeshes[4 * p + 1]; i++) {
        const uint16_t vertex =
            given.mesh.polygons[p * 2 * (uint32_t)given.mesh.max_vertices_per_polygon + i];
        const float y = (float)given.mesh.vertices[3 * vertex + 1] * given.mesh.grid.cell_height;
        const float lift = given.mesh.grid.bounds_min[1] + given.mesh.grid.cell_height;
        CHECK(detail.vertices[3 * (detail.submeshes[4 * p] + i) + 1] == y + lift);
      }
    }
    wm_detail_mesh_free(context, &detail);
  }
  free_case(context, &given);
  wm_context_destroy(context);
}

/* Six edges of 31 samples each would make 186 vertices. */
static void the_outline_stops_at_the_limit_of_vertices(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t most = 0;
  for (uint32_t seed = 1; seed <= 20; seed++) {
    Case given = random_case(context, seed);
    WmDetailMesh detail;
    CHECK_EQUAL_INT(
        wm_build_detail_mesh(context, &given.mesh, &given.compact, &given.regions,
                             &(WmDetailSettings){.sample_distance = 0.2f, .max_error = 0}, &detail),
        WM_OK);
    for (uint32_t k = 0; k < detail.submesh_count; k++) {
      CHECK(detail.submeshes[4 * k + 1] <= WM_DETAIL_VERTEX_LIMIT);
      if (detail.submeshes[4 * k + 1] > most) most = detail.submeshes[4 * k + 1];
    }
    wm_detail_mesh_free(context, &detail);
    free_case(context, &given);
  }
  CHECK_EQUAL_INT(most, WM_DETAIL_VERTEX_LIMIT);
  wm_context_destroy(context);
}

static void odd_settings_end_well(void) {
  WmContext *context = wm_context_create(NULL);
  Case given = random_case(context, 12);
  const struct {
    float distance, error;
    WmStatus status;
  } settings[] = {{1e-30f, 1, WM_ERROR_LIMIT},
                  {1e-6f, 1, WM_ERROR_LIMIT},
                  {INFINITY, 1, WM_OK},
                  {1e30f, 1, WM_OK},
                  {1, NAN, WM_OK},
                  {1, -5, WM_OK},
                  {1, INFINITY, WM_OK},
                  {0.5f, 0, WM_OK}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    WmDetailMesh detail;
    const WmStatus status = wm_build_detail_mesh(
        context, &given.mesh, &given.compact, &given.regions,
        &(WmDetailSettings){.sample_distance = settings[i].distance, .max_error = settings[i].error},
        &detail);
    CHECK_EQUAL_INT(status, settings[i].status);
    CHECK((detail.block == NULL) == (status != WM_OK));
    for (uint32_t k = 0; k < detail.submesh_count; k++) {
      CHECK(detail.submeshes[4 * k + 1] <= 127 && detail.submeshes[4 * k + 3] <= 255);
    }
    wm_detail_mesh_free(context, &detail);
  }
  WmPolygonMesh none = given.mesh;
  none.polygon_count = 0;
  WmDetailMesh detail;
  CHECK_EQUAL_INT(wm_build_detail_mesh(context, &none, &given.compact, &given.regions,
                                       &(WmDetailSettings){.sample_distance = 1, .max_error = 1}, &detail),
                  WM_OK);
  CHECK_EQUAL_INT(detail.submesh_count, 0);
  wm_detail_mesh_free(context, &detail);
  free_case(context, &given);
  wm_context_destroy(context);
}

/* ---- Running out of memory ------------------------------------------------------------------------- */

typedef struct Ration {
  long until_failure, in_use;
} Ration;

static void *allocate_rationed(void *user, size_t bytes) {
  Ration *ration = user;
  if (ration->until_failure-- == 0) return NULL;
  ration->in_use++;
  return malloc(bytes);
}

static void release_rationed(void *user, void *block) {
  Ration *ration = user;
  ration->in_use--;
  free(block);
}

static void every_failed_allocation_is_reported(void) {
  WmContext *plenty = wm_context_create(NULL);
  Case given = random_case(plenty, 6);
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  long failures = 0;
  for (long n = 1; status; n++) {
    Ration ration = {.until_failure = -1};
    const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
    WmContext *context = wm_context_create(&allocator);
    ration.until_failure = n - 1;
    WmDetailMesh detail;
    status = wm_build_detail_mesh(
        context, &given.mesh, &given.compact, &given.regions,
        &(WmDetailSettings){.sample_distance = given.sample_distance, .max_error = given.max_error}, &detail);
    failures += status != WM_OK;
    CHECK(status == WM_OK || (status == WM_ERROR_OUT_OF_MEMORY && !detail.block));
    /* A refused larger chunk may be survived: the last round is the one with no refusal. */
    if (status == WM_OK && ration.until_failure < 0) status = WM_ERROR_OUT_OF_MEMORY;
    wm_detail_mesh_free(context, &detail);
    wm_context_destroy(context);
    CHECK_EQUAL_INT(ration.in_use, 0);
  }
  CHECK(failures >= 2);
  free_case(plenty, &given);
  wm_context_destroy(plenty);
}

int main(void) {
  RUN(flips_keep_the_hull_covered);
  RUN(vertices_on_the_hull_or_beyond_are_refused);
  RUN(sample_distance_zero_keeps_the_outline);
  RUN(the_outline_stops_at_the_limit_of_vertices);
  RUN(odd_settings_end_well);
  RUN(every_failed_allocation_is_reported);
  RUN(samples_far_apart_are_measured_up_to_their_last_row);
  RUN(equals_the_oracle_on_random_surfaces);
  RUN(golden_holes_layers);
  RUN(golden_maze_default);
  RUN(golden_plaza_default);
  RUN(golden_terrain_default);
  RUN(golden_tower_monotone);
  return check_finish();
}
