/* See tile_hash.h. Hashed, in this order, the elements of each list one by one, then their number:
 *
 * - WM_BAKE_VERSION, the tile's column and row, its grid (with it the level's lowest and highest point,
 *   from which heights count and at which they end, and the cell sizes), and the configuration: voxel
 *   values where stages read those, so that a change that rounding to cells removes has no effect. The
 *   rest of the level's bounds is not hashed, nor is the slope limit, but with each solid (triangles have
 *   their areas);
 * - flags by area;
 * - the corners and areas of the triangles whose boxes overlap the grid's, in order: exactly those that
 *   rasterization does not drop (rasterize.c). Their indices, and which vertices are shared, are not
 *   hashed. A triangle counts as a whole, since each crossing with a grid line is rounded from its far
 *   ends;
 * - solids and area volumes whose boxes overlap the grid's, in order;
 * - off-mesh connections that begin in the tile; of those that end in it their number, since they need
 *   links;
 * - if the bounds are open above: whether a triangle or solid rises above them, since other bounds cut it off. */
#include "bake/tile/tile_hash.h"

#include <math.h>

#include "bake/input/solid_shapes.h"
#include "bake/tile/tile_internal.h"
#include "base/simd.h"

static void hash_word(WmContentHash *hash, uint32_t word) { wm_content_hash_words(hash, &word, 1); }

static void hash_configuration(const WmTileContent *content, WmContentHash *hash) {
  const WmConfig *config = content->config;
  const WmVoxelConfig *voxels = content->voxels;
  const WmGrid *grid = &content->grid;
  const int32_t numbers[] = {WM_BAKE_VERSION,
                             content->x,
                             content->z,
                             grid->width,
                             grid->depth,
                             grid->border_size,
                             voxels->walkable_height,
                             voxels->walkable_climb,
                             voxels->walkable_radius,
                             voxels->max_edge_cells,
                             voxels->min_region_cells,
                             voxels->merge_region_cells,
                             config->partition,
                             config->partition == WM_PARTITION_CHUNKY ? config->chunk_size : 0,
                             config->max_vertices_per_polygon,
                             config->filter_low_hanging_obstacles | config->filter_ledges << 1 |
                                 config->filter_low_height << 2 | config->median_filter << 3 |
                                 (config->heights == WM_HEIGHTS_SURFACE) << 4};
  const float reals[] = {grid->bounds_min[0],
                         grid->bounds_min[1],
                         grid->bounds_min[2],
                         grid->bounds_max[0],
                         content->top,
                         grid->bounds_max[2],
                         grid->cell_size,
                         grid->cell_height,
                         config->agent_height,
                         config->agent_radius,
                         config->agent_max_climb,
                         config->max_edge_error,
                         voxels->detail_sample_distance_world,
                         voxels->detail_max_error_world};
  wm_content_hash_words(hash, numbers, sizeof numbers / sizeof *numbers);
  wm_content_hash_words(hash, reals, sizeof reals / sizeof *reals);
  for (int area = 0; area < WM_AREA_COUNT; area++) {
    hash_word(hash, content->input->area_flags ? content->input->area_flags[area] : 1);
  }
}

/* in/out     *rises: a triangle is higher than the bounds */
static void hash_triangles(const WmTileContent *content, WmContentHash *hash, bool *rises) {
  const WmTriangles *triangles = &content->input->triangles;
  const WmGrid *grid = &content->grid;
  const size_t count = content->subset ? content->subset_count : triangles->triangle_count;
  const WmFloat4 origin = {grid->bounds_min[0], grid->bounds_min[1], grid->bounds_min[2], 0};
  const WmFloat4 end = {grid->bounds_max[0], grid->bounds_max[1], grid->bounds_max[2], 0};
  uint32_t hashed = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t triangle = content->subset ? content->subset[i] : i;
    uint32_t words[10]; /* three corners and the area */
    WmFloat4 low = end, high = origin;
    float highest = -INFINITY;
    for (size_t k = 0; k < 3; k++) {
      const size_t vertex = triangles->indices[3 * triangle + k];
      const float *p = triangles->positions + triangles->position_stride * vertex;
      const WmFloat4 corner = {p[0], p[1], p[2], 0};
      memcpy(words + 3 * k, p, 3 * sizeof *p);
      low = k ? wm_min_float4(low, corner) : corner;
      high = k ? wm_max_float4(high, corner) : corner;
      highest = fmaxf(highest, p[1]);
    }
    if (wm_mask_int4((WmInt4)(low <= end) & (WmInt4)(high >= origin)) != 15) continue;
    words[9] = content->triangle_areas[triangle];
    wm_content_hash_words(hash, words, 10);
    *rises |= highest > content->top;
    hashed++;
  }
  hash_word(hash, hashed);
}

static bool boxes_overlap(const WmGrid *grid, const float low[3], const float high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    if (!(low[axis] <= grid->bounds_max[axis] && high[axis] >= grid->bounds_min[axis])) return false;
  }
  return true;
}

/* in/out     *rises: a solid is higher than the bounds */
static void hash_solids(const WmTileContent *content, WmContentHash *hash, bool *rises) {
  uint32_t hashed = 0;
  for (size_t i = 0; i < content->solid_count; i++) {
    const WmSolid *solid = &content->solids[i];
    float low[3], high[3];
    wm_find_solid_bounds(solid, low, high);
    if (!boxes_overlap(&content->grid, low, high)) continue;
    *rises |= high[1] > content->top;
    const uint32_t head[3] = {(uint32_t)solid->kind, solid->area, (uint32_t)solid->triangle_count};
    const bool is_hull = solid->kind == WM_SOLID_CONVEX;
    wm_content_hash_words(hash, head, 3);
    wm_content_hash_words(hash, &content->config->agent_max_slope, 1);
    if (!is_hull) {
      float words[16];
      memcpy(words, solid->start, sizeof solid->start);
      memcpy(words + 3, solid->end, sizeof solid->end);
      memcpy(words + 6, solid->half_axes, sizeof solid->half_axes);
      words[15] = solid->radius;
      wm_content_hash_words(hash, words, 16);
    }
    for (size_t k = 0; is_hull && k < 3 * solid->triangle_count; k++) {
      wm_content_hash_words(hash, solid->vertices + 3 * (size_t)solid->indices[k], 3);
    }
    hashed++;
  }
  hash_word(hash, hashed);
}

void wm_hash_area_volume(WmContentHash *hash, const WmAreaVolume *volume) {
  const size_t vertices = volume->kind == WM_AREA_VOLUME_PRISM ? volume->vertex_count : 0;
  const uint32_t head[3] = {(uint32_t)volume->kind | (uint32_t)volume->before_erosion << 8, volume->area,
                            (uint32_t)vertices};
  wm_content_hash_words(hash, head, 3);
  float words[15];
  memcpy(words, volume->minimum, sizeof volume->minimum);
  memcpy(words + 3, volume->maximum, sizeof volume->maximum);
  memcpy(words + 6, volume->centre, sizeof volume->centre);
  memcpy(words + 9, volume->half_extents, sizeof volume->half_extents);
  words[12] = volume->yaw;
  words[13] = volume->radius;
  words[14] = volume->height;
  wm_content_hash_words(hash, words, 15);
  wm_content_hash_words(hash, volume->vertices, 3 * vertices);
}

static WmStatus hash_volumes(WmContext *context, const WmTileContent *content, WmContentHash *hash) {
  uint32_t hashed = 0;
  for (size_t i = 0; i < content->volume_count; i++) {
    const WmAreaVolume *volume = &content->volumes[i];
    bool overlaps;
    const WmStatus status = wm_check_area_volume(context, &content->grid, volume, &overlaps);
    if (status) return status;
    if (!overlaps) continue;
    wm_hash_area_volume(hash, volume);
    hashed++;
  }
  hash_word(hash, hashed);
  return WM_OK;
}

static void hash_connections(const WmTileContent *content, WmContentHash *hash) {
  WmGrid grid = content->grid;
  if (grid.border_size > 0) wm_grid_trim(&grid);
  uint32_t begin = 0, end = 0;
  for (size_t i = 0; i < content->connection_count; i++) {
    const WmOffMeshConnection *connection = &content->connections[i];
    end += wm_tile_side_of(connection->end, &grid) == WM_TILE_SIDE_INSIDE;
    if (wm_tile_side_of(connection->start, &grid) != WM_TILE_SIDE_INSIDE) continue;
    const uint32_t tail[2] = {
        connection->flags | (uint32_t)connection->area << 16 | (uint32_t)connection->bidirectional << 24,
        connection->user_id};
    const float words[7] = {connection->start[0], connection->start[1], connection->start[2],
                            connection->end[0],   connection->end[1],   connection->end[2],
                            connection->radius};
    wm_content_hash_words(hash, words, 7);
    wm_content_hash_words(hash, tail, 2);
    begin++;
  }
  hash_word(hash, begin);
  hash_word(hash, end);
}

WmStatus wm_hash_tile(WmContext *context, const WmTileContent *content, WmContentHash *hash) {
  WmContentHash sum = wm_content_hash_start();
  hash_configuration(content, &sum);
  bool rises = false;
  hash_triangles(content, &sum, &rises);
  hash_solids(content, &sum, &rises);
  const WmStatus status = hash_volumes(context, content, &sum);
  if (status) return status;
  hash_connections(content, &sum);
  if (rises && content->grid.bounds_max[1] > content->top) hash_word(&sum, 1);
  wm_content_hash_finish(&sum);
  *hash = sum;
  return WM_OK;
}
