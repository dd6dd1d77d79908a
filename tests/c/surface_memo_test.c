/* Polygons and details with a memo of an earlier build, compared with building them from the start. */
#include "bake/rebuild/surface_memo.h"

#include <string.h>

#include "random_field.h"
#include "scene.h"

/* The same level twice, the second time with obstacles: its heightfields differ in areas only. */
typedef struct Pair {
  WmContext *context;
  Scene scene;
  WmAreaVolume volumes[4];
  WmBaker *bakers[2];
  const WmBakeStages *stages[2];
} Pair;

static void open_pair(Pair *pair, uint32_t seed, int32_t partition) {
  pair->context = wm_context_create(NULL);
  pair->scene = make_random_scene(seed);
  Random random = {seed * 31 + 7};
  WmConfig config = wm_config_default();
  config.cell_size = 0.4f;
  config.cell_height = 0.2f;
  config.tile_size = 40;
  config.partition = partition;
  config.detail_sample_distance = seed % 3 ? 6 : 3;
  WmBakeInput input = scene_input(&pair->scene);
  float low[3], high[3];
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL_INT(wm_baker_create(pair->context, &config, &input, &pair->bakers[i]), WM_OK);
    wm_baker_bounds(pair->bakers[i], low, high);
    for (int k = 0; k < 4; k++) {
      pair->volumes[k] = (WmAreaVolume){.kind = WM_AREA_VOLUME_CYLINDER,
                                        .before_erosion = true,
                                        .centre = {low[0] + (float)random_below(&random, 16), low[1] - 1,
                                                   low[2] + (float)random_below(&random, 16)},
                                        .radius = 0.3f + (float)random_below(&random, 10) * 0.1f,
                                        .height = 30};
    }
    input.volumes = pair->volumes;
    input.volume_count = 1 + seed % 4;
  }
}

static void bake_pair(Pair *pair, int32_t x, int32_t z) {
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL_INT(wm_baker_begin_tile(pair->bakers[i], x, z, true), WM_OK);
    while (wm_baker_next_stage(pair->bakers[i]) != WM_STAGE_DONE) {
      CHECK_EQUAL_INT(wm_baker_step(pair->bakers[i]), WM_OK);
    }
    pair->stages[i] = wm_baker_stages(pair->bakers[i]);
  }
}

static void close_pair(Pair *pair) {
  wm_baker_destroy(pair->bakers[0]);
  wm_baker_destroy(pair->bakers[1]);
  free_scene(&pair->scene);
  wm_context_destroy(pair->context);
}

static bool is_same(const void *a, const void *b, size_t byte_count) {
  return byte_count == 0 || memcmp(a, b, byte_count) == 0;
}

static bool is_same_mesh(const WmPolygonMesh *a, const WmPolygonMesh *b) {
  const size_t numbers = 2 * (size_t)a->max_vertices_per_polygon * a->polygon_count;
  return a->vertex_count == b->vertex_count && a->polygon_count == b->polygon_count &&
         a->max_vertices_per_polygon == b->max_vertices_per_polygon && a->max_error == b->max_error &&
         is_same(&a->grid, &b->grid, sizeof a->grid) &&
         is_same(a->vertices, b->vertices, 6 * (size_t)a->vertex_count) &&
         is_same(a->polygons, b->polygons, 2 * numbers) &&
         is_same(a->polygon_region, b->polygon_region, 2 * (size_t)a->polygon_count) &&
         is_same(a->polygon_area, b->polygon_area, a->polygon_count);
}

static bool is_same_detail(const WmDetailMesh *a, const WmDetailMesh *b) {
  return a->submesh_count == b->submesh_count && a->vertex_count == b->vertex_count &&
         a->triangle_count == b->triangle_count &&
         is_same(a->submeshes, b->submeshes, 16 * (size_t)a->submesh_count) &&
         is_same(a->vertices, b->vertices, 12 * (size_t)a->vertex_count) &&
         is_same(a->triangles, b->triangles, 4 * (size_t)a->triangle_count);
}

/* Builds polygons and detail from contours; the caller frees *mesh and *detail. */
static void build(Pair *pair, const WmBakeStages *stages, const WmSurfaceMemo *memo, WmRingRecord *record,
                  WmPolygonMesh *mesh, WmDetailMesh *detail) {
  const WmConfig *config = wm_baker_config(pair->bakers[0]);
  const WmVoxelConfig *voxels = wm_baker_voxels(pair->bakers[0]);
  const WmDetailSettings settings = {.sample_distance = voxels->detail_sample_distance_world,
                                     .max_error = voxels->detail_max_error_world};
  CHECK_EQUAL_INT(wm_memo_build_polygons(pair->context, &stages->contours, config->max_vertices_per_polygon,
                                         memo, record, mesh),
                  WM_OK);
  CHECK_EQUAL_INT(
      wm_memo_build_details(pair->context, mesh, &stages->compact, &stages->regions, &settings, memo, detail),
      WM_OK);
}

/* True if both equal the results of the bake. */
static bool check_build(Pair *pair, const WmBakeStages *stages, const WmSurfaceMemo *memo) {
  WmPolygonMesh mesh;
  WmDetailMesh detail;
  build(pair, stages, memo, NULL, &mesh, &detail);
  const bool same =
      is_same_mesh(&mesh, &stages->polygon_mesh) && is_same_detail(&detail, &stages->detail_mesh);
  wm_polygon_mesh_free(pair->context, &mesh);
  wm_detail_mesh_free(pair->context, &detail);
  return same;
}

/* A memo owns its contours and regions: it gets copies, since the baker owns its own. */
static WmSurfaceMemo make_memo(Pair *pair, const WmBakeStages *stages) {
  WmContext *context = pair->context;
  WmContourSet contours = stages->contours;
  WmRegions regions = stages->regions;
  const size_t points = contours.vertex_first[contours.contour_count];
  uint32_t *first = contours.block =
      wm_block_allocate(context, 4 * ((size_t)contours.contour_count + 1) + 16 * points);
  memcpy(first, contours.vertex_first, 4 * ((size_t)contours.contour_count + 1));
  contours.vertex_first = first;
  int32_t *vertices = (int32_t *)(void *)(first + contours.contour_count + 1);
  if (points) memcpy(vertices, contours.vertices, 16 * points);
  contours.vertices = vertices;
  regions.span_region = regions.block = wm_block_allocate(context, 2 * (size_t)regions.span_count + 2);
  if (regions.span_count)
    memcpy(regions.span_region, stages->regions.span_region, 2 * (size_t)regions.span_count);
  WmPolygonMesh mesh;
  WmDetailMesh detail;
  WmRingRecord record;
  WmSurfaceMemo memo;
  const WmScratchMark mark = wm_scratch_mark(context);
  build(pair, stages, NULL, &record, &mesh, &detail);
  CHECK(is_same_mesh(&mesh, &stages->polygon_mesh) && is_same_detail(&detail, &stages->detail_mesh));
  CHECK_EQUAL_INT(wm_memo_make(context, &contours, &regions, &mesh, &detail, &record, &memo), WM_OK);
  CHECK(!contours.block && !regions.block && memo.block && memo.byte_count > 0);
  wm_scratch_rewind(context, mark);
  wm_polygon_mesh_free(context, &mesh);
  wm_detail_mesh_free(context, &detail);
  return memo;
}

/* With memos of the tile without obstacles, with other obstacles, and of the same build. Each broken entry of
 * the memo shows in the result: this proves that it is copied. */
static void whatever_is_taken_over_is_what_would_be_built(void) {
  int different = 0, taken_polygons = 0, taken_details = 0, tiles = 0;
  for (uint32_t seed = 1; seed <= 24; seed++) {
    Pair pair;
    open_pair(&pair, seed, (int32_t)(seed % 4));
    const WmVoxelConfig *voxels = wm_baker_voxels(pair.bakers[0]);
    for (int32_t tile = 0; tile < voxels->tile_count_x * voxels->tile_count_z; tile++) {
      bake_pair(&pair, tile % voxels->tile_count_x, tile / voxels->tile_count_x);
      if (!pair.stages[0]->polygon_mesh.polygon_count) continue;
      tiles++;
      different += !is_same_detail(&pair.stages[0]->detail_mesh, &pair.stages[1]->detail_mesh);
      for (int i = 0; i < 2; i++) {
        WmSurfaceMemo memo = make_memo(&pair, pair.stages[i]);
        CHECK(check_build(&pair, pair.stages[0], &memo));
        CHECK(check_build(&pair, pair.stages[1], &memo));
        if (memo.detail.vertex_count) {
          memset(memo.detail.vertices, 0x41, 12 * (size_t)memo.detail.vertex_count);
          taken_details += !check_build(&pair, pair.stages[1 - i], &memo);
        }
        const size_t rings = memo.ring_first[memo.contours.contour_count] * (size_t)memo.max_vertices;
        for (size_t k = 0; k < rings; k++) memo.rings[k] = 0;
        WmPolygonMesh mesh;
        if (wm_memo_build_polygons(pair.context, &pair.stages[1 - i]->contours, (int32_t)memo.max_vertices,
                                   &memo, NULL, &mesh) == WM_OK) {
          taken_polygons += !is_same_mesh(&mesh, &pair.stages[1 - i]->polygon_mesh);
        }
        wm_polygon_mesh_free(pair.context, &mesh);
        wm_memo_free(pair.context, &memo);
        CHECK(!memo.block);
      }
    }
    close_pair(&pair);
  }
  printf("%d tiles, %d differ; polygons taken over in %d, details in %d\n", tiles, different, taken_polygons,
         taken_details);
  CHECK(different > tiles / 8 && taken_polygons > tiles / 4 && taken_details > tiles / 4);
}

/* ---- What a detail depends on ------------------------------------------------------------------------- */

enum { GARBAGE = 0x41 };

/* True if the detail of one polygon is copied from the memo, whose details are garbage. */
static bool is_copied(Pair *pair, const WmBakeStages *stages, uint32_t polygon, const WmSurfaceMemo *memo) {
  const WmVoxelConfig *voxels = wm_baker_voxels(pair->bakers[0]);
  const WmDetailSettings settings = {.sample_distance = voxels->detail_sample_distance_world,
                                     .max_error = voxels->detail_max_error_world};
  WmPolygonMesh one = stages->polygon_mesh;
  one.polygons += 2 * (size_t)one.max_vertices_per_polygon * polygon;
  one.polygon_region += polygon;
  one.polygon_area += polygon;
  one.polygon_count = 1;
  WmDetailMesh detail;
  CHECK_EQUAL_INT(wm_memo_build_details(pair->context, &one, &stages->compact, &stages->regions, &settings,
                                        memo, &detail),
                  WM_OK);
  uint8_t first[4];
  memcpy(first, detail.vertices, sizeof first);
  wm_detail_mesh_free(pair->context, &detail);
  for (int i = 0; i < 4; i++) {
    if (first[i] != GARBAGE) return false;
  }
  return true;
}

/* The cells whose spans matter, border included: those of the polygon's box, one cell more on each side, inside the
 * field. */
static void find_box(const WmBakeStages *stages, uint32_t polygon, int32_t first[2], int32_t last[2]) {
  const WmPolygonMesh *mesh = &stages->polygon_mesh;
  const WmGrid *grid = &stages->compact.grid;
  const uint16_t *numbers = mesh->polygons + 2 * (size_t)mesh->max_vertices_per_polygon * polygon;
  const int32_t cells[2] = {grid->width, grid->depth};
  for (int axis = 0; axis < 2; axis++) {
    first[axis] = INT32_MAX;
    last[axis] = 0;
    for (int32_t k = 0; k < mesh->max_vertices_per_polygon && numbers[k] != WM_POLYGON_NONE; k++) {
      const int32_t at = mesh->vertices[3 * (size_t)numbers[k] + 2 * (size_t)axis] + grid->border_size;
      if (at - 1 < first[axis]) first[axis] = at - 1;
      if (at > last[axis]) last[axis] = at;
    }
    if (first[axis] < grid->border_size) first[axis] = grid->border_size;
    if (last[axis] > cells[axis] - 1) last[axis] = cells[axis] - 1;
  }
}

/* One span after the other around a polygon belonged to another region. */
static int change_spans_around(Pair *pair, const WmBakeStages *stages, uint32_t polygon,
                               WmSurfaceMemo *memo) {
  const WmCompactHeightfield *compact = &stages->compact;
  const uint16_t region = stages->polygon_mesh.polygon_region[polygon];
  int32_t first[2], last[2];
  int changes = 0;
  find_box(stages, polygon, first, last);
  for (int32_t z = first[1] - 2; z <= last[1] + 2; z++) {
    for (int32_t x = first[0] - 2; x <= last[0] + 2; x++) {
      if (x < 0 || z < 0 || x >= compact->grid.width || z >= compact->grid.depth) continue;
      const uint32_t *cell = compact->cell_first + (size_t)z * (size_t)compact->grid.width + x;
      const bool matters = x >= first[0] && x <= last[0] && z >= first[1] && z <= last[1];
      for (uint32_t span = cell[0]; span < cell[1]; span++) {
        uint16_t *former = &memo->regions.span_region[span];
        const uint16_t was = *former;
        *former = was == region ? 0 : region;
        CHECK(is_copied(pair, stages, polygon, memo) != matters);
        *former = was;
        changes++;
      }
    }
  }
  return changes;
}

/* And each coordinate of each vertex, one at a time. */
static void change_vertices(Pair *pair, const WmBakeStages *stages, uint32_t polygon, WmSurfaceMemo *memo) {
  const uint16_t *numbers =
      stages->polygon_mesh.polygons + 2 * (size_t)stages->polygon_mesh.max_vertices_per_polygon * polygon;
  for (uint32_t k = 0; k < memo->max_vertices && numbers[k] != WM_POLYGON_NONE; k++) {
    for (size_t axis = 0; axis < 3; axis++) {
      uint16_t *coordinate = &memo->mesh.vertices[3 * (size_t)numbers[k] + axis];
      *coordinate ^= 1;
      CHECK(!is_copied(pair, stages, polygon, memo));
      *coordinate ^= 1;
    }
  }
}

static void a_detail_is_copied_only_if_its_window_is_as_it_was(void) {
  int changes = 0;
  for (uint32_t seed = 1; seed <= 4; seed++) {
    Pair pair;
    open_pair(&pair, seed, (int32_t)(seed % 4));
    bake_pair(&pair, (int32_t)(seed % 2), 0);
    const WmBakeStages *stages = pair.stages[0];
    WmSurfaceMemo memo = make_memo(&pair, stages);
    memset(memo.detail.vertices, GARBAGE, 12 * (size_t)memo.detail.vertex_count);
    for (uint32_t p = 0; p < stages->polygon_mesh.polygon_count;
         p += 1 + stages->polygon_mesh.polygon_count / 8) {
      if (stages->polygon_mesh.polygon_region[p] == 0) continue;
      CHECK(is_copied(&pair, stages, p, &memo));
      changes += change_spans_around(&pair, stages, p, &memo);
      change_vertices(&pair, stages, p, &memo);
    }
    wm_memo_free(pair.context, &memo);
    close_pair(&pair);
  }
  CHECK(changes > 2000);
}

int main(void) {
  RUN(a_detail_is_copied_only_if_its_window_is_as_it_was);
  RUN(whatever_is_taken_over_is_what_would_be_built);
  return check_finish();
}
