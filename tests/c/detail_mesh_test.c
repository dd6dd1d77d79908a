/* The detail mesh against golden dumps, against a slow oracle on seeded random surfaces, and its properties.
 */
#include <math.h>
#include <time.h>

#include "bake/stages.h"
#include "check.h"
#include "dump_read.h"

/* ---- Golden dumps ----------------------------------------------------------------------------------- */

/* What goes into the stage. */
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

static double now_milliseconds(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void check_golden(const char *name, size_t may_differ) {
  WmContext *context = wm_context_create(NULL);
  Case given = {0};
  if (!read_case(context, name, &given)) {
    SKIP("no golden dumps");
    wm_context_destroy(context);
    return;
  }
  WmBytes bytes = read_dump(name, "detail.bin");
  WmDetailMesh expected = read_detail_mesh(context, bytes), actual;
  free(bytes.bytes);
  CHECK_EQUAL_INT(wm_build_detail_mesh(context, &given.mesh, &given.compact, &given.regions,
                                       given.sample_distance, given.max_error, &actual),
                  WM_OK);
  CHECK_EQUAL_INT(actual.submesh_count, expected.submesh_count);
  if (actual.submesh_count == expected.submesh_count) {
    const size_t differing = count_differing(&actual, &expected);
    CHECK(differing <= may_differ);
    printf("%s: %zu of %u submeshes differ\n", name, differing, actual.submesh_count);
  }
  wm_detail_mesh_free(context, &actual);
  if (getenv("DETAIL_BENCH")) {
    double best = 1e9;
    for (int run = 0; run < 30; run++) {
      const double start = now_milliseconds();
      wm_build_detail_mesh(context, &given.mesh, &given.compact, &given.regions, given.sample_distance,
                           given.max_error, &actual);
      const double time = now_milliseconds() - start;
      if (time < best) best = time;
      wm_detail_mesh_free(context, &actual);
    }
    printf("%s: %.3f ms\n", name, best);
  }
  wm_detail_mesh_free(context, &expected);
  free_case(context, &given);
  wm_context_destroy(context);
}

static void golden_holes_layers(void) { check_golden("holes-layers", 0); }
static void golden_maze_default(void) { check_golden("maze-default", 0); }
static void golden_plaza_default(void) { check_golden("plaza-default", 0); }
static void golden_terrain_default(void) { check_golden("terrain-default", 1); }
static void golden_tower_monotone(void) { check_golden("tower-monotone", 0); }

int main(void) {
  RUN(golden_holes_layers);
  RUN(golden_maze_default);
  RUN(golden_plaza_default);
  RUN(golden_terrain_default);
  RUN(golden_tower_monotone);
  return check_finish();
}
