/* Unpacks kept tiles and rebuilds them with obstacles. See unpacked_tile.h. */
#include "bake/rebuild/unpacked_tile.h"

#include <string.h>

#include "bake/baker_internal.h"
#include "bake/rebuild/erode_window.h"
#include "bake/compact/links.h"
#include "bake/rebuild/baseline.h"
#include "bake/rebuild/surface_memo.h"
#include "base/simd.h"

enum {
  PAD = 16,        /* readable areas after the last, for SIMD */
  WINDOW_LIMIT = 4 /* erosion by windows pays if they are at most 1 / WINDOW_LIMIT of the cells */
};

struct WmUnpackedTile {
  int32_t x, z;
  WmCompactHeightfield compact; /* areas are those before erosion */
  /* [span_count] areas after erosion, and after all volumes of the input. */
  uint8_t *eroded, *baseline_area;
  WmBaseline baseline;
  WmSurfaceMemo memo; /* of its last build */
  WmSurface surface;  /* if heights are corrected */
  size_t byte_count;
};

/* ---- Marking ---------------------------------------------------------------------------------------- */

static WmStatus mark_list(WmContext *context, WmCompactHeightfield *compact, const WmAreaVolume *volumes,
                          size_t count, bool before_erosion) {
  WmStatus status = WM_OK;
  for (size_t i = 0; !status && i < count; i++) {
    if (volumes[i].before_erosion == before_erosion) status = wm_mark_area(context, compact, &volumes[i]);
  }
  return status;
}

/* Marks the volumes of the input before or after erosion. */
static WmStatus mark_input(const WmBaker *baker, const WmUnpackedTile *tile, bool before_erosion,
                           WmCompactHeightfield *compact) {
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  const WmAreaVolume *volumes;
  size_t count;
  WmStatus status = wm_baker_collect_volumes(baker, tile->x, tile->z, &volumes, &count);
  if (!status) status = mark_list(baker->context, compact, volumes, count, before_erosion);
  wm_scratch_rewind(baker->context, mark);
  return status;
}

/* Applies everything that changes areas after erosion; obstacles are last. */
static WmStatus finish_areas(const WmBaker *baker, const WmUnpackedTile *tile, const WmAreaVolume *obstacles,
                             size_t count, WmCompactHeightfield *compact) {
  WmStatus status = WM_OK;
  if (baker->config.median_filter) status = wm_filter_median(baker->context, compact);
  if (!status) status = mark_input(baker, tile, false, compact);
  return status ? status : mark_list(baker->context, compact, obstacles, count, false);
}

/* ---- Unpacking -------------------------------------------------------------------------------------- */

void wm_unpacked_tile_free(WmContext *context, WmUnpackedTile *tile) {
  if (!tile) return;
  wm_compact_heightfield_free(context, &tile->compact);
  wm_block_free(context, tile->eroded);
  wm_baseline_free(context, &tile->baseline);
  wm_memo_free(context, &tile->memo);
  wm_surface_free(context, &tile->surface);
  wm_block_free(context, tile);
}

size_t wm_unpacked_tile_bytes(const WmUnpackedTile *tile) { return tile->byte_count + tile->memo.byte_count; }

size_t wm_baker_estimate_unpacked_bytes(const WmBaker *baker) {
  WmGrid grid;
  wm_baker_tile_grid(baker, 0, 0, &grid);
  return (size_t)grid.width * (size_t)grid.depth * 12;
}

/* Decodes the kept tile and takes its compact heightfield from the baker; marks volumes before erosion. */
static WmStatus take_compact(WmBaker *baker, const uint8_t *bytes, size_t byte_count, WmUnpackedTile *tile) {
  WmCompactHeightfield *compact = &tile->compact;
  WmStatus status = wm_baker_begin_kept_tile(baker, tile->x, tile->z, bytes, byte_count, NULL, 0);
  if (!status) status = wm_baker_step(baker);
  if (status) return status;
  *compact = baker->stages.compact;
  baker->stages.compact = (WmCompactHeightfield){0};
  tile->surface = baker->surface;
  baker->surface = (WmSurface){0};
  baker->next_stage = WM_STAGE_DONE;
  const size_t cells = (size_t)compact->grid.width * (size_t)compact->grid.depth;
  tile->byte_count = sizeof *tile + (cells + 1) * sizeof *compact->cell_first +
                     (size_t)compact->span_count * (sizeof *compact->span_floor + 3) +
                     wm_links_shrink(baker->context, compact->span_count, &compact->links) +
                     tile->surface.byte_count;
  return mark_input(baker, tile, true, compact);
}

static WmContourSettings contour_settings(const WmBaker *baker) {
  return (WmContourSettings){baker->config.max_edge_error, baker->voxels.max_edge_cells,
                             WM_CONTOUR_SPLIT_WALL_EDGES};
}

/* Computes areas after erosion, and the baseline. */
static WmStatus build_baseline(WmBaker *baker, WmUnpackedTile *tile) {
  WmCompactHeightfield compact = tile->compact;
  const size_t count = compact.span_count;
  WmLayout layout = {0};
  wm_layout_add(&layout, count + PAD, 1);
  const size_t baseline_area = wm_layout_add(&layout, count + PAD, 1);
  tile->eroded = wm_layout_allocate(baker->context, &layout);
  if (!tile->eroded) return WM_ERROR_OUT_OF_MEMORY;
  tile->baseline_area = tile->eroded + baseline_area;
  memcpy(tile->eroded, compact.span_area, count);
  compact.span_area = tile->eroded;
  WmStatus status = wm_erode(baker->context, &compact, baker->voxels.walkable_radius);
  if (status) return status;
  memcpy(tile->baseline_area, tile->eroded, count);
  compact.span_area = tile->baseline_area;
  status = finish_areas(baker, tile, NULL, 0, &compact);
  if (status) return status;
  const WmRegionSettings regions = wm_baker_region_settings(baker);
  const WmContourSettings contours = contour_settings(baker);
  size_t byte_count;
  status = wm_baseline_build(baker->context, &compact, &regions, &contours, &tile->baseline, &byte_count);
  tile->byte_count += byte_count;
  return status;
}

WmStatus wm_baker_unpack_tile(WmBaker *baker, int32_t x, int32_t z, const uint8_t *bytes, size_t byte_count,
                              WmUnpackedTile **out) {
  *out = NULL;
  WmUnpackedTile *tile = wm_block_allocate(baker->context, sizeof *tile);
  if (!tile) return WM_ERROR_OUT_OF_MEMORY;
  *tile = (WmUnpackedTile){.x = x, .z = z};
  WmStatus status = take_compact(baker, bytes, byte_count, tile);
  if (!status) status = build_baseline(baker, tile);
  if (status) {
    wm_unpacked_tile_free(baker->context, tile);
  } else {
    *out = tile;
  }
  return status;
}

/* ---- Rebuilding ------------------------------------------------------------------------------------- */

/* Clears areas that erosion clears without obstacles. */
static void clear_eroded(const WmUnpackedTile *tile, uint8_t *area) {
  const uint32_t count = tile->compact.span_count;
  const WmByte16 null = wm_splat_byte16(WM_AREA_NULL);
  uint32_t span = 0;
  for (; span + 16 <= count; span += 16) {
    const WmByte16 stays = (WmByte16)(wm_load_byte16(tile->eroded + span) != null);
    wm_store_byte16(area + span, wm_load_byte16(area + span) & stays);
  }
  for (; span < count; span++) {
    if (tile->eroded[span] == WM_AREA_NULL) area[span] = WM_AREA_NULL;
  }
}

/* Marks obstacles before erosion.
 * in         work: [span_count] working memory
 * out        windows [count]: of obstacles that made spans unwalkable, *window_count of them; *is_little:
 *            eroding only these pays */
static WmStatus mark_obstacles(WmBaker *baker, const WmAreaVolume *obstacles, size_t count,
                               WmCompactHeightfield *compact, uint8_t *work, WmWindow *windows,
                               size_t *window_count, bool *is_little) {
  const int32_t wider = 2 * baker->voxels.walkable_radius + 3;
  const size_t cells = (size_t)compact->grid.width * (size_t)compact->grid.depth;
  size_t looked_at = 0;
  *window_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (!obstacles[i].before_erosion) continue;
    const bool blocks = obstacles[i].area == WM_AREA_NULL;
    if (blocks) memcpy(work, compact->span_area, compact->span_count);
    const WmStatus status = wm_mark_area(baker->context, compact, &obstacles[i]);
    if (status) return status;
    if (!blocks) continue;
    const WmWindow window = wm_find_changes(compact, work, compact->span_area);
    if (window.last[0] < 0) continue;
    windows[(*window_count)++] = window;
    looked_at += (size_t)(window.last[0] - window.first[0] + wider) *
                 (size_t)(window.last[1] - window.first[1] + wider);
  }
  *is_little = looked_at <= cells / WINDOW_LIMIT;
  return WM_OK;
}

/* Marks obstacles and erodes. Distances are measured on areas that erosion has not changed yet. */
static WmStatus erode(WmBaker *baker, const WmUnpackedTile *tile, const WmAreaVolume *obstacles, size_t count,
                      WmCompactHeightfield *compact) {
  WmContext *context = baker->context;
  const int32_t radius = baker->voxels.walkable_radius;
  uint8_t *work = wm_scratch_array(context, 2 * (size_t)compact->span_count + PAD, 1);
  WmWindow *windows = wm_scratch_array(context, count, sizeof *windows);
  if (!work || !windows) return WM_ERROR_OUT_OF_MEMORY;
  size_t window_count;
  bool is_little;
  const WmStatus status =
      mark_obstacles(baker, obstacles, count, compact, work, windows, &window_count, &is_little);
  if (status || !is_little) return status ? status : wm_erode(context, compact, radius);
  uint8_t *distance = work + compact->span_count;
  memcpy(work, compact->span_area, compact->span_count);
  clear_eroded(tile, compact->span_area);
  for (size_t i = 0; radius > 0 && i < window_count; i++) {
    wm_erode_window(compact, tile->compact.span_area, work, &windows[i], radius, distance,
                    compact->span_area);
  }
  return WM_OK;
}

/* True if areas equal those without obstacles wherever they matter. Distances of the watershed depend on
 * the whole tile. With other partitions only the innermost cells of the border matter: regions ignore it,
 * contours test whether there is a span across an edge or a corner, and heights do not depend on areas. */
static bool equals_baseline(const WmBaker *baker, const WmUnpackedTile *tile, const uint8_t *area) {
  const WmCompactHeightfield *compact = &tile->compact;
  const WmGrid *grid = &compact->grid;
  const bool all_count = baker->config.partition == WM_PARTITION_WATERSHED || grid->border_size < 1;
  const int32_t around = all_count ? 0 : grid->border_size - 1;
  int32_t z = 0;
  for (uint32_t span = 0; span < compact->span_count; span += 16) {
    uint32_t differ = wm_compare_areas(area + span, tile->baseline_area + span, compact->span_count - span);
    for (; differ; differ &= differ - 1) {
      const uint32_t at = span + (uint32_t)__builtin_ctz(differ);
      const uint32_t *row = compact->cell_first + (size_t)z * (size_t)grid->width;
      for (; row[grid->width] <= at; row += grid->width) z++;
      if (z >= around && z < grid->depth - around && at >= row[around] && at < row[grid->width - around]) {
        return false;
      }
    }
  }
  return true;
}

static WmStatus set_areas(WmBaker *baker, const WmUnpackedTile *tile, const WmAreaVolume *obstacles,
                          size_t count) {
  WmCompactHeightfield *compact = &baker->stages.compact;
  memcpy(compact->span_area, tile->compact.span_area, compact->span_count);
  const WmScratchMark mark = wm_scratch_mark(baker->context);
  WmStatus status = erode(baker, tile, obstacles, count, compact);
  wm_scratch_rewind(baker->context, mark);
  return status ? status : finish_areas(baker, tile, obstacles, count, compact);
}

WmStatus wm_baker_begin_rebuild(WmBaker *baker, const WmUnpackedTile *tile, const WmAreaVolume *obstacles,
                                size_t obstacle_count, bool *is_baseline) {
  *is_baseline = false;
  WmStatus status = wm_baker_begin_tile(baker, tile->x, tile->z, false);
  if (status) return status;
  baker->next_stage = WM_STAGE_DONE;
  WmCompactHeightfield *compact = &baker->stages.compact;
  uint8_t *area = wm_block_allocate(baker->context, (size_t)tile->compact.span_count + PAD);
  if (!area) return WM_ERROR_OUT_OF_MEMORY;
  *compact = tile->compact;
  compact->borrows_arrays = true;
  compact->block = compact->span_area = area;
  status = set_areas(baker, tile, obstacles, obstacle_count);
  if (status) {
    wm_compact_heightfield_free(baker->context, compact);
    return status;
  }
  baker->surface = tile->surface;
  baker->surface.block = NULL;
  baker->is_kept = true;
  *is_baseline = equals_baseline(baker, tile, area);
  baker->next_stage = WM_STAGE_DISTANCE;
  return WM_OK;
}

WmStatus wm_baker_rebuild_regions(WmBaker *baker, const WmUnpackedTile *tile) {
  WmContext *context = baker->context;
  WmBakeStages *stages = &baker->stages;
  if (!tile->baseline.block) return WM_OK;
  WmChangedTile changed = {
      .baseline = &tile->baseline, .baseline_area = tile->baseline_area, .compact = &stages->compact};
  const WmRegionSettings settings = wm_baker_region_settings(baker);
  const WmContourSettings contours = contour_settings(baker);
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = wm_build_changed_regions(context, &settings, &changed, &stages->regions);
  if (!status) {
    status = wm_build_changed_contours(context, &contours, &changed, &stages->regions, &stages->contours);
  }
  wm_scratch_rewind(context, mark);
  baker->next_stage = status ? WM_STAGE_DONE : WM_STAGE_POLYGON_MESH;
  return status;
}

/* ---- Polygons --------------------------------------------------------------------------------------- */

/* Makes a memo of the current contours and their results. Without memory there is none. */
static void remember_polygons(WmBaker *baker, WmUnpackedTile *tile, const WmRingRecord *record,
                              bool is_baseline) {
  WmBakeStages *stages = &baker->stages;
  WmSurfaceMemo memo;
  if (wm_memo_make(baker->context, &stages->contours, &stages->regions, &stages->polygon_mesh,
                   &stages->detail_mesh, record, &memo)) {
    return;
  }
  wm_memo_free(baker->context, &tile->memo);
  tile->memo = memo;
  tile->memo.is_baseline = is_baseline;
}

static WmStatus rebuild_polygons(WmBaker *baker, WmUnpackedTile *tile, bool is_baseline, bool may_remember) {
  WmContext *context = baker->context;
  WmBakeStages *stages = &baker->stages;
  const WmSurfaceMemo *memo = tile->memo.block ? &tile->memo : NULL;
  const bool remembers = may_remember && (!memo || (is_baseline && !memo->is_baseline));
  WmRingRecord record;
  WmStatus status = wm_memo_build_polygons(context, &stages->contours, baker->config.max_vertices_per_polygon,
                                           memo, remembers ? &record : NULL, &stages->polygon_mesh);
  if (!status) {
    const WmDetailSettings settings = wm_baker_detail_settings(baker);
    status = wm_memo_build_details(context, &stages->polygon_mesh, &stages->compact, &stages->regions,
                                   &settings, memo, &stages->detail_mesh);
  }
  if (!status && remembers) remember_polygons(baker, tile, &record, is_baseline);
  return status;
}

WmStatus wm_baker_rebuild_polygons(WmBaker *baker, WmUnpackedTile *tile, bool is_baseline,
                                   bool may_remember) {
  WmContext *context = baker->context;
  WmBakeStages *stages = &baker->stages;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = rebuild_polygons(baker, tile, is_baseline, may_remember);
  wm_scratch_rewind(context, mark);
  wm_surface_free(context, &baker->surface);
  wm_contour_set_free(context, &stages->contours);
  wm_regions_free(context, &stages->regions);
  wm_compact_heightfield_free(context, &stages->compact);
  if (status) {
    wm_polygon_mesh_free(context, &stages->polygon_mesh);
    wm_detail_mesh_free(context, &stages->detail_mesh);
  }
  baker->next_stage = status ? WM_STAGE_DONE : WM_STAGE_TILE;
  return status;
}
