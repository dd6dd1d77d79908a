/* Creates a baker: checks indices and vertices, marks slopes, and sorts the items of the input into the bins
 * of tiles, in portions, so that a caller can share its thread. See bake.h.
 *
 *   PREPARE_INDICES -> PREPARE_VERTICES -> bounds, voxels, bins of the small lists -> PREPARE_SLOPES
 *   -> warnings -> PREPARE_BINS -> PREPARED */
#include "bake/baker_internal.h"

#include <string.h>

#include "bake/input/input_check.h"

/* The number of items that the present step goes through. */
static size_t count_items(const WmBaker *baker) {
  const WmTriangles *triangles = &baker->input.triangles;
  const bool is_empty = triangles->triangle_count == 0; /* the vertices are not read then */
  if (baker->prepare_step == PREPARE_VERTICES) return is_empty ? 0 : triangles->vertex_count;
  if (baker->prepare_step == PREPARE_BINS && !baker->config.tile_size) return 0;
  return triangles->triangle_count;
}

static WmStatus prepare_items(WmBaker *baker, size_t first, size_t end) {
  const WmTriangles *triangles = &baker->input.triangles;
  WmTileBins *bins = &baker->bins[WM_BIN_TRIANGLES];
  switch (baker->prepare_step) {
    case PREPARE_INDICES: return wm_check_indices(baker->context, triangles, first, end);
    case PREPARE_VERTICES:
      return wm_check_vertices(baker->context, triangles, first, end, baker->bounds_min, baker->bounds_max);
    case PREPARE_SLOPES:
      wm_mark_slopes(triangles, baker->config.agent_max_slope, first, end, baker->triangle_areas,
                     &baker->facing);
      if (bins->first) wm_tile_bins_count(bins, first, end);
      return WM_OK;
    default: wm_tile_bins_fill(bins, first, end); return WM_OK;
  }
}

static WmStatus begin_bins(WmBaker *baker, WmBinKind kind) {
  return wm_tile_bins_begin(baker->context, &baker->input, kind, baker->bounds_min, &baker->config,
                            &baker->voxels, &baker->bins[kind]);
}

/* Builds the bins of solids, volumes or connections in one go: there are few of them. */
static WmStatus build_bins(WmBaker *baker, WmBinKind kind, size_t count) {
  WmTileBins *bins = &baker->bins[kind];
  if (count == 0) return WM_OK;
  WmStatus status = begin_bins(baker, kind);
  if (status) return status;
  wm_tile_bins_count(bins, 0, count);
  status = wm_tile_bins_allocate(baker->context, bins);
  if (status) return status;
  wm_tile_bins_fill(bins, 0, count);
  wm_tile_bins_finish(baker->context, bins);
  return WM_OK;
}

/* Derives bounds and voxels and allocates areas and bins, once indices and vertices are checked. */
static WmStatus prepare_grid(WmBaker *baker) {
  WmContext *context = baker->context;
  float *low = baker->bounds_min, *high = baker->bounds_max;
  wm_resolve_bounds(&baker->config, &baker->input, low, high);
  WmStatus status = wm_config_to_voxels(context, &baker->config, low, high, &baker->voxels);
  if (status) return status;
  baker->triangle_areas = wm_block_allocate(context, baker->input.triangles.triangle_count);
  if (!baker->triangle_areas) return WM_ERROR_OUT_OF_MEMORY;
  if (!baker->config.tile_size) return WM_OK;
  status = begin_bins(baker, WM_BIN_TRIANGLES);
  if (!status) status = build_bins(baker, WM_BIN_SOLIDS, baker->input.solid_count);
  if (!status) status = build_bins(baker, WM_BIN_VOLUMES, baker->input.volume_count);
  if (!status) status = build_bins(baker, WM_BIN_CONNECTIONS, baker->input.connection_count);
  return status;
}

/* Finishes the present step after its last item, and starts the next one. */
static WmStatus finish_step(WmBaker *baker) {
  WmContext *context = baker->context;
  WmTileBins *bins = &baker->bins[WM_BIN_TRIANGLES];
  WmStatus status = WM_OK;
  if (baker->prepare_step == PREPARE_VERTICES) status = prepare_grid(baker);
  if (baker->prepare_step == PREPARE_SLOPES) {
    status = wm_diagnose_input(context, &baker->config, &baker->input, baker->bounds_min, baker->bounds_max,
                               &baker->facing, &baker->warnings);
    if (!status && bins->first) status = wm_tile_bins_allocate(context, bins);
  }
  if (baker->prepare_step == PREPARE_BINS) wm_tile_bins_finish(context, bins);
  baker->prepare_step++;
  baker->next_item = 0;
  return status;
}

WmStatus wm_baker_prepare(WmBaker *baker, size_t most, bool *is_ready) {
  *is_ready = false;
  const size_t count = count_items(baker), first = baker->next_item;
  baker->next_item = most < count - first ? first + most : count;
  WmStatus status = prepare_items(baker, first, baker->next_item);
  if (!status && baker->next_item == count) status = finish_step(baker);
  *is_ready = !status && baker->prepare_step == PREPARED;
  return status;
}

WmStatus wm_baker_begin(WmContext *context, const WmConfig *config, const WmBakeInput *input, WmBaker **out) {
  *out = NULL;
  WmStatus status = wm_config_check(context, config);
  if (!status) status = wm_check_lists(context, config, input);
  if (status) return status;
  WmBaker *baker = wm_block_allocate(context, sizeof *baker);
  if (!baker) return WM_ERROR_OUT_OF_MEMORY;
  memset(baker, 0, sizeof *baker);
  baker->context = context;
  baker->config = *config;
  baker->input = *input;
  if (input->from_kept_tiles) {
    baker->input.triangles = (WmTriangles){0};
    baker->input.solid_count = 0;
  }
  baker->next_stage = WM_STAGE_DONE;
  *out = baker;
  return WM_OK;
}

WmStatus wm_baker_create(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                         WmBaker **out) {
  bool is_ready = false;
  WmStatus status = wm_baker_begin(context, config, input, out);
  while (!status && !is_ready) status = wm_baker_prepare(*out, SIZE_MAX, &is_ready);
  if (status) {
    wm_baker_destroy(*out);
    *out = NULL;
  }
  return status;
}
