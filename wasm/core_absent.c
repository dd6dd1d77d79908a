/* Replacements, in walkmesh-core.wasm, of functions that its bakes and queries call but that it doesn't have:
 * solids (solid_shapes.c, rasterize_solids.c), the median filter (median.c), heights of the level's surface
 * (surface.c, surface_heights.c), spheres and capsules as volumes
 * (round_volume.c), shortcuts of searches (any_angle.c), exact shortest paths (shortest.c), cheapest lines
 * (query/cheapest/), paths
 * that keep a distance from walls (query/room/), segment links (segment_links.c, segment_ties.c, link_crossing.c), islands (islands.c, island_nearest.c), and the SIMD paths of region sweeps (uniform_spans.c). */
#include "bake/rasterize/rasterize_internal.h"
#include "bake/regions/regions_internal.h"
#include "bake/areas/round_volume.h"
#include "bake/detail/surface_heights.h"
#include "bake/input/solid_shapes.h"
#include "mesh/links/link_crossing.h"
#include "mesh/links/segment_sets.h"
#include "query/cheapest/cheapest_line.h"
#include "query/room/room.h"
#include "query/search/search_internal.h"
#include "query/search/islands.h"

WmStatus wm_check_solids(WmContext *context, const WmSolid *solids, size_t count) {
  (void)solids;
  return count ? wm_fail(context, WM_ERROR_UNSUPPORTED, "solids", "solids are not in the core module")
               : WM_OK;
}

WmStatus wm_filter_median(WmContext *context, WmCompactHeightfield *compact) {
  (void)compact;
  return wm_fail(context, WM_ERROR_UNSUPPORTED, "medianFilter", "medianFilter is not in the core module");
}

WmStatus wm_surface_collect(WmContext *context, const WmGrid *grid, const WmRasterInput *input,
                            WmSurface *surface) {
  (void)grid, (void)input, (void)surface;
  return wm_fail(context, WM_ERROR_UNSUPPORTED, "heights", "heights: 'surface' is not in the core module");
}

WmStatus wm_search_start_shortcuts(WmSearchState *state) {
  return wm_fail(state->query->context, WM_ERROR_UNSUPPORTED, "anyAngle",
                 "anyAngle is not in the core module");
}

WmStatus wm_cheapest_pull(WmQuery *query, const WmPulling *pulling, const WmFilter *filter, WmPath *path) {
  (void)query, (void)pulling, (void)filter, (void)path;
  return WM_ERROR_UNSUPPORTED;
}

WmStatus wm_cheapest_narrow(const WmCrossedLine *line, size_t last, bool is_folded, const float start[3],
                            const float end[3]) {
  (void)line, (void)last, (void)is_folded, (void)start, (void)end;
  return WM_ERROR_UNSUPPORTED;
}

WmStatus wm_search_shortest(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor) {
  (void)task, (void)corridor;
  return wm_fail(query->context, WM_ERROR_UNSUPPORTED, "shortest", "shortest is not in the core module");
}

WmStatus wm_room_check(const WmQuery *query, const WmSearchOptions *options) {
  const bool is_default = options->wall_distance == 0 && options->wall_cost == 0;
  return is_default ? WM_OK
                    : wm_fail(query->context, WM_ERROR_UNSUPPORTED, "wallDistance",
                              "wallDistance and wallCost are not in the core module");
}

WmStatus wm_room_widen_path(WmQuery *query, const WmSearchOptions *options, bool is_cheapest,
                            WmCrossings crossings, size_t max_points, WmPath *path) {
  (void)query, (void)options, (void)is_cheapest, (void)crossings, (void)max_points, (void)path;
  return WM_ERROR_UNSUPPORTED;
}

WmStatus wm_room_shorten_path(WmQuery *query, const WmRoomOther *task, WmPath *path) {
  (void)query, (void)task, (void)path;
  return WM_OK;
}

float wm_room_nearness(const WmMesh *mesh, const WmFilter *filter, const WmMeshTile *tile, uint32_t polygon,
                       const float point[3], float distance) {
  (void)mesh, (void)filter, (void)tile, (void)polygon, (void)point, (void)distance;
  return 0;
}

WmStatus wm_search_start_cones(WmSearchState *state) {
  (void)state;
  return WM_ERROR_UNSUPPORTED;
}

WmStatus wm_search_run_cones(WmSearchState *state, size_t budget) {
  (void)state, (void)budget;
  return WM_ERROR_UNSUPPORTED;
}

WmStatus wm_check_round_volume(WmContext *context) {
  return wm_fail(context, WM_ERROR_UNSUPPORTED, "kind", "spheres and capsules are not in the core module");
}

/* Regions are swept one span at a time. */
uint32_t wm_sweep_ahead(WmSweep *sweep, uint32_t span, uint32_t end, uint32_t above) {
  (void)sweep, (void)span, (void)end, (void)above;
  return 0;
}

uint32_t wm_find_contacts(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t span) {
  (void)compact, (void)span_region, (void)span;
  return UINT32_MAX;
}

/* No mesh has segment links. */
float wm_segment_link_width(const WmSegmentLink *link) {
  (void)link;
  return 0;
}

bool wm_mesh_find_crossing_from(const WmMesh *mesh, uint32_t entry, WmRef before, WmRef link, WmRef after,
                                WmLinkCrossing *crossing) {
  (void)mesh, (void)entry, (void)before, (void)link, (void)after, (void)crossing;
  return false;
}

bool wm_mesh_find_crossing(const WmMesh *mesh, WmRef before, WmRef link, WmRef after,
                           WmLinkCrossing *crossing) {
  (void)mesh, (void)before, (void)link, (void)after, (void)crossing;
  return false;
}

/* ---- Never called: solids and round volumes fail the check, and no search has shortcuts or islands ----- */

void wm_find_solid_bounds(const WmSolid *solid, float low[3], float high[3]) {
  (void)solid, (void)low, (void)high;
}

bool wm_round_volume_heights(const WmAreaVolume *volume, float x, float z, float heights[2]) {
  (void)volume, (void)x, (void)z, (void)heights;
  return false;
}

WmStatus wm_surface_append(WmContext *context, const WmSurface *surface, uint8_t **bytes,
                           size_t *byte_count) {
  (void)context, (void)surface, (void)bytes, (void)byte_count;
  return WM_ERROR_UNSUPPORTED;
}

WmStatus wm_surface_read(WmContext *context, const uint8_t *bytes, size_t *byte_count, WmSurface *surface) {
  (void)context, (void)bytes, (void)byte_count, (void)surface;
  return WM_ERROR_UNSUPPORTED;
}

void wm_surface_free(WmContext *context, WmSurface *surface) { (void)context, (void)surface; }

WmStatus wm_surface_heights_start(WmContext *context, const WmGrid *grid, const WmSurface *surface,
                                  float climb, WmSurfaceHeights *heights) {
  (void)context, (void)grid, (void)surface, (void)climb, (void)heights;
  return WM_ERROR_UNSUPPORTED;
}

bool wm_surface_heights_find(const WmSurfaceHeights *heights, double x, double z, double top,
                             double *height) {
  (void)heights, (void)x, (void)z, (void)top, (void)height;
  return false;
}

void wm_raster_gather_solid(WmFootprint *footprint, const WmSolid *solid) { (void)footprint, (void)solid; }

void wm_search_shorten(const WmSearchState *state, uint32_t from, const WmNode *node, float *cost,
                       uint32_t *parent) {
  (void)state, (void)from, (void)node, (void)cost, (void)parent;
}

WmStatus wm_search_write_shortcuts(const WmSearchState *state, uint32_t node, WmCorridor *corridor) {
  (void)state, (void)node, (void)corridor;
  return WM_ERROR_UNSUPPORTED;
}

WmStatus wm_search_choose(const WmSearchState *state, WmCorridor *corridor) {
  (void)state, (void)corridor;
  return WM_ERROR_UNSUPPORTED;
}

WmStatus wm_islands_update(WmIslands *islands, const WmFilter *filter) {
  (void)islands, (void)filter;
  return WM_ERROR_UNSUPPORTED;
}

uint32_t wm_islands_of(const WmIslands *islands, WmRef polygon) {
  (void)islands, (void)polygon;
  return 0;
}

WmNearest wm_islands_nearest(const WmIslands *islands, const WmMesh *mesh, uint32_t island,
                             const float position[3]) {
  (void)islands, (void)mesh, (void)island, (void)position;
  return (WmNearest){0};
}

void wm_link_set_free(WmContext *context, WmLinkSet *set) { (void)context, (void)set; }

void wm_plan_link_set(WmLinkPlan *plan, WmLinkSet *set, const int32_t *changed, WmTileRecord *coming) {
  (void)changed;
  (void)plan, (void)set, (void)coming;
}

void wm_plan_link_set_removal(WmLinkPlan *plan, WmLinkSet *set) { (void)plan, (void)set; }

void wm_link_set_find_boxes(const WmMesh *mesh, WmLinkSet *set) { (void)mesh, (void)set; }

void wm_link_set_apply_ties(WmMesh *mesh, WmLinkSet *set) { (void)mesh, (void)set; }

bool wm_link_set_is_around(const WmLinkSet *set, int32_t x, int32_t z) {
  (void)set, (void)x, (void)z;
  return false;
}

void wm_link_crossing_point(const WmLinkCrossing *crossing, uint32_t side, float across, float point[3]) {
  (void)crossing, (void)side, (void)across, (void)point;
}

void wm_link_crossing_portal(const WmLinkCrossing *crossing, uint32_t side, float portal[6]) {
  (void)crossing, (void)side, (void)portal;
}

float wm_link_crossing_nearest(const WmLinkCrossing *crossing, uint32_t side, const float point[3]) {
  (void)crossing, (void)side, (void)point;
  return 0;
}

float wm_link_crossing_land(const WmLinkCrossing *crossing, const float from[3], float landing[3]) {
  (void)crossing, (void)from, (void)landing;
  return 0;
}

float wm_link_crossing_find_side(const WmLinkCrossing *crossing, uint32_t side, const float point[3]) {
  (void)crossing, (void)side, (void)point;
  return 0;
}

WmPlaneMotion wm_link_crossing_unfold(const WmLinkCrossing *crossing, WmPlaneMotion motion, bool mirrors) {
  (void)crossing, (void)mirrors;
  return motion;
}

void wm_plane_motion_apply(const WmPlaneMotion *motion, const float point[3], float moved[3]) {
  (void)motion, (void)point, (void)moved;
}
