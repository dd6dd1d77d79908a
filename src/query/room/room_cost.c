/* How near walls are, for searches that prefer open ground, and the check of options. See room.h. */
#include "query/local/outline.h"
#include "mesh/locate.h"
#include "query/room/room.h"
#include "query/check.h"
#include "query/query_internal.h"

/* Polygons visited around a point; walls behind others don't count. */
enum { POLYGONS = 48 };

typedef struct Near {
  const WmMesh *mesh;
  const WmFilter *filter;
  const float *point;
  float squared; /* of the distance to the nearest wall */
  uint32_t count;
  WmRef polygons[POLYGONS];
} Near;

static void add_polygon(Near *near, WmRef polygon) {
  for (uint32_t i = 0; i < near->count; i++) {
    if (near->polygons[i] == polygon) return;
  }
  if (near->count < POLYGONS) near->polygons[near->count++] = polygon;
}

static void visit(Near *near, WmRef ref) {
  const WmMeshTile *tile = wm_mesh_tile_of(near->mesh, ref);
  const uint32_t polygon = wm_ref_polygon(ref);
  if (!tile || polygon >= tile->ground_count) return;
  WmOutline outline = wm_outline_of(near->mesh, near->filter, tile, polygon);
  for (WmEdgeSegment piece; wm_outline_next(&outline, &piece);) {
    float t;
    const float squared = wm_distance_to_segment(near->point, piece.first, piece.second, &t);
    if (!(squared < near->squared)) continue;
    if (piece.polygon == UINT32_MAX) {
      near->squared = squared;
    } else {
      add_polygon(near, wm_mesh_tile(near->mesh, piece.slot)->ref + piece.polygon);
    }
  }
}

float wm_room_nearness(const WmMesh *mesh, const WmFilter *filter, const WmMeshTile *tile, uint32_t polygon,
                       const float point[3], float distance) {
  if (polygon >= tile->ground_count) return 0;
  Near near = {.mesh = mesh, .filter = filter, .point = point, .squared = distance * distance};
  add_polygon(&near, tile->ref + polygon);
  for (uint32_t i = 0; i < near.count; i++) visit(&near, near.polygons[i]);
  const float nearness = 1 - sqrtf(near.squared) / distance;
  return nearness > 0 ? nearness : 0; /* a distance whose square overflows too */
}

WmStatus wm_room_check(const WmQuery *query, const WmSearchOptions *options) {
  WmContext *context = query->context;
  WmStatus status = wm_query_check_numbers(context, &options->wall_distance, 1, 0, "wallDistance");
  if (!status) status = wm_query_check_numbers(context, &options->wall_cost, 1, 0, "wallCost");
  if (status || options->wall_cost == 0) return status;
  if (options->wall_distance == 0) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "wallCost", "wallCost needs a wallDistance above 0");
  }
  if (!options->any_angle && !options->shortest) return WM_OK;
  return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "wallCost",
                 "wallCost works with the ordinary search only: leave out anyAngle and shortest");
}
