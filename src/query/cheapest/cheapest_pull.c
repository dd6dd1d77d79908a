/* The cheapest line through a corridor: its string, or where that costs less, a line that is pulled through the points at which it
 * crosses from cost to cost. See cheapest_line.h. */
#include "mesh/locate.h"
#include "query/cheapest/cheapest.h"
#include "query/cheapest/cheapest_line.h"
#include "query/room/room.h"

/* A line through crossings replaces a string that costs more by this, relative to it. */
#define GAIN 1e-6f

static void *items_of(const WmQuery *query, WmQueryArray array) { return query->arrays[array].items; }

/* Of a line that was measured. */
static WmCheapestLine costs_of(const WmQuery *query, size_t portal_count) {
  return (WmCheapestLine){.portal_count = portal_count,
                          .unit_costs = items_of(query, WM_QUERY_COSTS),
                          .kinds = items_of(query, WM_QUERY_KINDS)};
}

/* Moves the ends of a portal away from walls, or both to one point where it is too narrow for that.
 * in         behind: the polygon that it leads from
 * in/out     planes: the portal in the true plane, and in the unfolded one, which may be the same */
static void move_off_walls(const WmCrossedLine *line, WmRef behind, float *const planes[2]) {
  const WmMesh *mesh = line->query->mesh;
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, behind);
  const float inset = line->pulling->inset, width = wm_distance(planes[0], planes[0] + 3);
  float parts[2];
  for (int k = 0; k < 2; k++)
    parts[k] = inset / width *
               wm_room_nearness(mesh, line->filter, tile, wm_ref_polygon(behind), planes[0] + 3 * k, inset);
  const float sum = fmaxf(parts[0] + parts[1], 1);
  if (!(width > 0)) return;
  for (int k = 0; k < 1 + (planes[0] != planes[1]); k++) {
    float left[3];
    wm_interpolate(planes[k], planes[k] + 3, parts[0] / sum, left);
    wm_interpolate(planes[k] + 3, planes[k], parts[1] / sum, planes[k] + 3);
    memcpy(planes[k], left, sizeof left);
  }
}

WmStatus wm_cheapest_narrow(const WmCrossedLine *line, size_t last, bool is_folded, const float start[3],
                            const float end[3]) {
  WmQuery *query = line->query;
  float *planes[2] = {items_of(query, is_folded ? WM_QUERY_UNFOLDED : WM_QUERY_PORTALS),
                      items_of(query, is_folded ? WM_QUERY_FOLDED : WM_QUERY_PORTALS)};
  WmCheapestLine cheapest = costs_of(query, last);
  cheapest.portals = planes[0];
  cheapest.start = start;
  cheapest.end = end;
  cheapest.cost = line->cost;
  for (size_t i = 0; i < last && line->pulling->inset > 0; i++) {
    float *const portal[2] = {planes[1] + 6 * i, planes[0] + 6 * i};
    if (wm_cheapest_is_between(&cheapest, i)) move_off_walls(line, line->pulling->polygons[i], portal);
  }
  const WmStatus status = line->is_known ? WM_OK : wm_cheapest_find_crossings(query, &cheapest);
  if (!status) query->crossing_count = last;
  const WmCheapestRow *rows = items_of(query, WM_QUERY_CHEAPEST_ROWS);
  for (size_t i = 0; i < last && !status; i++) {
    if (!wm_cheapest_is_between(&cheapest, i)) continue;
    for (int k = 0; k < 2; k++) { /* both may be the same: then the second time changes nothing */
      float *portal = planes[k] + 6 * i, at = (float)rows[i + 1].at;
      if (at < 1) wm_interpolate(portal, portal + 3, at, portal + 3);
      memcpy(portal, portal + 3, 3 * sizeof *portal);
    }
  }
  return status;
}

static WmStatus pull(WmQuery *query, const WmPulling *pulling, size_t max_points, WmCrossedLine *crossed,
                     WmPath *path) {
  return wm_query_pull(query, pulling->start, pulling->end, pulling->polygons, pulling->links,
                       pulling->polygon_count, pulling->crossings, max_points, pulling->inset, crossed, path);
}

/* Finds the line: without a limit of points, as one that is cut has no cost.
 * in         least: as wm_query_measure_linked
 * in/out     path: as wm_query_pull; overwritten if the line has crossings
 * out        line: its cost, that of the string if it has no crossings; *string_cost */
static WmStatus find_line(WmQuery *query, const WmPulling *pulling, const WmFilter *filter, float least,
                          WmCrossedLine *line, float *string_cost, WmPath *path) {
  const size_t last = pulling->polygon_count - 1;
  WmStatus status =
      wm_query_measure_linked(query, pulling->start, pulling->end, pulling->polygons, pulling->links,
                              pulling->polygon_count, filter, least, string_cost);
  const bool is_known = pulling->links && query->crossing_count == last && !(pulling->inset > 0);
  *line = (WmCrossedLine){query, pulling, filter, *string_cost, is_known};
  if (!line->is_known) query->crossing_count = 0;
  if (status) return status;
  const WmCheapestLine costs = costs_of(query, last);
  for (size_t i = 0; i < last; i++)
    if (wm_cheapest_is_between(&costs, i)) return pull(query, pulling, 0, line, path);
  return WM_OK;
}

WmStatus wm_cheapest_measure(WmQuery *query, const WmPulling *pulling, const WmFilter *filter, float least,
                             float *cost) {
  WmCrossedLine line;
  WmPath path = {.state = WM_PATH_COMPLETE, .bound = least < 0 ? 0 : 1};
  query->crossing_count = 0;
  const WmStatus status = find_line(query, pulling, filter, least, &line, cost, &path);
  if (line.cost < *cost * (1 - GAIN)) *cost = line.cost;
  return status;
}

WmStatus wm_cheapest_pull(WmQuery *query, const WmPulling *pulling, const WmFilter *filter, WmPath *path) {
  WmCrossedLine line;
  float string_cost;
  WmPath crossed = *path;
  const WmStatus status =
      find_line(query, pulling, filter, path->bound > 0 ? 0 : WM_NOT_SHORTEST, &line, &string_cost, &crossed);
  if (status) return status;
  if (!(line.cost < string_cost * (1 - GAIN))) return pull(query, pulling, pulling->max_points, NULL, path);
  line.cost = string_cost;
  line.is_known = true;
  if (pulling->max_points) return pull(query, pulling, pulling->max_points, &line, path);
  *path = crossed;
  return WM_OK;
}

WmStatus wm_cheapest_find_portals(WmQuery *query, const float start[3], const float end[3],
                                  const WmRef *polygons, size_t polygon_count, const WmFilter *filter,
                                  const float **portals) {
  const WmPulling pulling = {
      .start = start, .end = end, .polygons = polygons, .polygon_count = polygon_count};
  WmCrossedLine line;
  float string_cost;
  WmPath path = {.state = WM_PATH_COMPLETE};
  const WmStatus status = find_line(query, &pulling, filter, WM_NOT_SHORTEST, &line, &string_cost, &path);
  *portals = NULL;
  if (status || path.state != WM_PATH_COMPLETE || !(line.cost < string_cost * (1 - GAIN))) return status;
  const uint8_t *kinds = items_of(query, WM_QUERY_KINDS);
  *portals = items_of(query, WM_QUERY_PORTALS);
  for (size_t i = 0; i < polygon_count; i++)
    if (kinds[i] & WM_KIND_SEGMENT_LINK) *portals = items_of(query, WM_QUERY_FOLDED);
  return WM_OK;
}

WmStatus wm_cheapest_measure_line(WmQuery *query, const float start[3], const float end[3],
                                  const WmRef *polygons, size_t polygon_count, const WmFilter *filter,
                                  float *cost) {
  const WmPulling pulling = {
      .start = start, .end = end, .polygons = polygons, .polygon_count = polygon_count};
  return wm_cheapest_measure(query, &pulling, filter, WM_NOT_SHORTEST, cost);
}
