/* Crossings of segment links, for cones. See cone_crossings.h. */
#include "query/shortest/cone_crossings.h"

#include "mesh/locate.h"
#include "query/query_internal.h"

/* Distance of ground from a segment that ends there, cells; and relative to coordinates: more than ties allow. */
#define BESIDE_CELLS 2e-3
#define BESIDE_SCALE 2e-6

/* The frame of the segment at the entry (side 0) or exit (1) of a link. */
static WmConeFrame frame_of(const WmSegmentLink *link, uint32_t entry, uint32_t side) {
  const WmLinkCrossing whole = {link, entry, 0, 1};
  float portal[6];
  wm_link_crossing_portal(&whole, side, portal);
  const double x = (double)portal[3] - (double)portal[0], z = (double)portal[5] - (double)portal[2];
  const double length = sqrt(x * x + z * z);
  const WmConeVector unit = {x / length, z / length};
  return (WmConeFrame){.middle = {0.5 * ((double)portal[0] + (double)portal[3]),
                                  0.5 * ((double)portal[2] + (double)portal[5])},
                       .right = unit,
                       .forward = {-unit.z, unit.x}};
}

/* Finds if the polygon lies in front of the far segment and behind it. */
static void find_sides(const WmMeshTile *tile, WmConeCrossing *crossing) {
  const WmConeFrame *far = &crossing->frames[1];
  crossing->slack = BESIDE_CELLS / (double)tile->cells_per_unit +
                    BESIDE_SCALE * (fabs(far->middle.x) + fabs(far->middle.z));
  double most = 0, least = 0;
  for (uint32_t k = 0; k < tile->polygon_size[crossing->polygon]; k++) {
    const float *at = wm_tile_vertex(tile, crossing->polygon, k);
    const double forward =
        ((double)at[0] - far->middle.x) * far->forward.x + ((double)at[2] - far->middle.z) * far->forward.z;
    most = fmax(most, forward);
    least = fmin(least, forward);
  }
  crossing->sides[1] = -least > crossing->slack;
  crossing->sides[0] = most > crossing->slack || !crossing->sides[1];
}

void wm_cone_landing(const WmQuery *query, uint32_t slot, uint32_t polygon, const float at[3],
                     float on_ground[3]) {
  wm_tile_closest_point(wm_mesh_tile(query->mesh, slot), polygon, at, false, on_ground);
}

/* Finds the corners at the ends of the far side. */
static WmStatus find_corners(WmQuery *query, WmRef polygon, WmConeCrossing *crossing) {
  WmStatus status = WM_OK;
  for (int end = 0; end < 2 && !status; end++) {
    float at[3];
    wm_cone_landing(query, crossing->slot, crossing->polygon, crossing->far + 3 * (ptrdiff_t)end, at);
    status = wm_corners_at_landing(query, polygon, (const float[2]){at[0], at[2]}, &crossing->corners[end]);
  }
  return status;
}

/* Adds the crossing over a link off the segment link, if it can be passed.
 * in         slot, polygon: that the string comes from */
static WmStatus add_crossing(WmQuery *query, const WmFilter *filter, uint32_t slot, uint32_t polygon,
                             const WmMeshTile *set, const WmLink *onto, uint32_t number) {
  const WmLink *off = set->links + number;
  const WmMeshTile *tile = wm_mesh_tile(query->mesh, off->slot);
  WmConeCrossing *crossing =
      (WmConeCrossing *)query->arrays[WM_QUERY_CONE_CROSSINGS].items + query->corners.crossing_count;
  *crossing = (WmConeCrossing){.link = number, .slot = off->slot, .polygon = off->polygon};
  crossing->is_closed = !wm_filter_passes(filter, tile->polygon_flags[off->polygon]);
  WmLinkCrossing way;
  if (!crossing->is_closed) {
    if (!wm_link_crossing_between(set, onto->polygon, wm_link_entry_tie(set, onto),
                                  wm_link_exit_tie(set, onto->polygon, off), &way))
      return WM_OK;
    crossing->segment = (uint8_t)way.entry;
    wm_link_crossing_portal(&way, 0, crossing->near);
    wm_link_crossing_portal(&way, 1, crossing->far);
    for (uint32_t side = 0; side < 2; side++) crossing->frames[side] = frame_of(way.link, way.entry, side);
    for (int k = 0; k < 6; k += 3)
      wm_cone_landing(query, slot, polygon, crossing->near + k, crossing->before + k);
    for (int k = 0; k < 6; k += 3)
      crossing->sum =
          fmax(crossing->sum, fabs((double)crossing->far[k]) + fabs((double)crossing->far[k + 2]));
    find_sides(tile, crossing);
    const WmStatus status = find_corners(query, tile->ref + off->polygon, crossing);
    if (status) return status;
  }
  query->corners.crossing_count++;
  return WM_OK;
}

WmStatus wm_cone_crossings_find(WmQuery *query, const WmFilter *filter, const WmMeshTile *ground,
                                WmConeLink *stored) {
  if (stored->found[0] != WM_NOT_FOUND) return WM_OK;
  const WmLink *onto = ground->links + stored->exit.number;
  const WmMeshTile *set = wm_mesh_tile(query->mesh, onto->slot);
  const uint32_t first = set->link_first[onto->polygon], end = set->link_first[onto->polygon + 1];
  const uint32_t before = query->corners.crossing_count;
  WmStatus status = wm_query_reserve(query, WM_QUERY_CONE_CROSSINGS, WM_QUERY_CONE_CROSSINGS,
                                     (size_t)before + (end - first));
  for (uint32_t i = first; i < end && !status; i++)
    status = add_crossing(query, filter, ground->slot, stored->from, set, onto, i);
  if (status) return status;
  stored->found[0] = before;
  stored->found[1] = query->corners.crossing_count - before;
  return WM_OK;
}
