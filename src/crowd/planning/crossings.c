/* Crossings: the points at which the line of an agent with `shortest` crosses from cost to cost (query/cheapest/). Each takes the
 * place of its portal in the agent's corridor, so that the string through the corridor is the line that costs least. Polygons that are
 * put into the corridor later have whole portals.
 *
 * An agent that others push off its line would go back to where that crosses: in its turns it finds its next crossings again. */
#include "crowd/crowd_internal.h"
#include "mesh/locate.h"
#include "query/cheapest/cheapest.h"

/* A portal this near to a corner leads through it. */
#define ON_SQUARED (0.001f * 0.001f)

/* The part of a corridor from the agent on in which crossings are found. */
typedef struct Part {
  WmRef *polygons;
  uint32_t count;
  float end[3];
  bool has_costs; /* some of its ground differs in cost */
} Part;

/* Reads the next polygons of the corridor.
 * returns    their number: less than `limit` if the corridor ends or a polygon was removed */
static uint32_t read_polygons(const WmCrowd *crowd, const WmAgentRecord *record, uint32_t limit, Part *part) {
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmFilter *filter = wm_agent_filter(crowd, record);
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  float first = -1;
  for (;; cursor = wm_agent_corridor_next(crowd, cursor)) {
    const WmRef polygon = wm_agent_corridor_polygon(crowd, cursor);
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
    if (!tile) return cursor.index;
    part->polygons[cursor.index] = polygon;
    if (!wm_agent_corridor_is_connection(crowd, cursor)) {
      const float cost = wm_filter_unit_cost(filter, tile, wm_ref_polygon(polygon));
      if (first < 0) first = cost;
      part->has_costs |= cost != first;
    }
    if (cursor.index + 1 == limit) return limit;
  }
}

/* Ends a part at the last corner that the agent knows. */
static void end_at_corner(const WmCrowd *crowd, const WmAgentRecord *record, uint32_t count, Part *part) {
  const uint32_t last = record->corner_count - 1u;
  uint32_t corner = 0;
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  while (cursor.index < count && corner <= last) {
    const bool is_end = cursor.index + 1 == record->corridor.count;
    const WmCorridorCursor next = is_end ? cursor : wm_agent_corridor_next(crowd, cursor);
    const bool ends = is_end || wm_agent_corridor_is_connection(crowd, next);
    const float *ends_at = wm_agent_corridor_portal(crowd, cursor);
    const float left[3] = {ends_at[0], 0, ends_at[1]}, right[3] = {ends_at[2], 0, ends_at[3]};
    const float at[3] = {record->corners[corner].point[0], 0, record->corners[corner].point[2]};
    float t;
    if (ends) corner = last;
    if (ends || wm_distance_to_segment(at, left, right, &t) < ON_SQUARED) {
      part->count = cursor.index + 1;
      memcpy(part->end, record->corners[corner++].point, sizeof part->end);
      continue;
    }
    cursor = next;
  }
}

/* Puts crossings in the place of their portals, and whole portals in the place of former crossings.
 * in         portals: of wm_cheapest_find_portals */
static void write_crossings(WmCrowd *crowd, const WmAgentRecord *record, const Part *part,
                            const float *portals) {
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  for (uint32_t i = 0; i + 1 < part->count; i++) {
    const WmCorridorCursor next = wm_agent_corridor_next(crowd, cursor);
    float *portal = wm_agent_corridor_block(crowd, cursor.block)->portals[cursor.offset], whole[4];
    const float *found = portals ? portals + 6 * (size_t)i : NULL;
    if (found && found[0] == found[3] && found[2] == found[5]) {
      portal[0] = portal[2] = found[0];
      portal[1] = portal[3] = found[2];
    } else {
      memmove(portal, wm_agent_corridor_whole_portal(crowd, mesh, cursor, whole), sizeof whole);
    }
    cursor = next;
  }
}

/* Finds the crossings of a part. */
static WmStatus find(WmCrowd *crowd, size_t index, const Part *part) {
  WmAgentRecord *record = &crowd->records[index];
  const float *portals;
  const WmStatus status =
      wm_cheapest_find_portals(wm_agent_mesh(crowd, record)->query, crowd->positions + 3 * index, part->end,
                               part->polygons, part->count, wm_agent_filter(crowd, record), &portals);
  if (status) return status;
  write_crossings(crowd, record, part, portals);
  record->corners_are_valid = false;
  return WM_OK;
}

WmStatus wm_crowd_find_crossings(WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const uint32_t count = record->corridor.count;
  if (count < 2) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(crowd->context);
  Part part = {.polygons = wm_scratch_array(crowd->context, count, sizeof *part.polygons), .count = count};
  if (!part.polygons) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(part.end, record->destination, sizeof part.end);
  const bool is_whole = read_polygons(crowd, record, count, &part) == count;
  const WmStatus status = is_whole && part.has_costs ? find(crowd, index, &part) : WM_OK;
  wm_scratch_rewind(crowd->context, mark);
  return status;
}

WmStatus wm_crowd_find_crossings_again(WmCrowd *crowd, size_t index, uint32_t *visited) {
  const WmAgentRecord *record = &crowd->records[index];
  WmRef polygons[WM_CROWD_CROSSINGS_AGAIN];
  const uint32_t count = record->corridor.count, limit = WM_CROWD_CROSSINGS_AGAIN;
  Part part = {.polygons = polygons};
  *visited = read_polygons(crowd, record, count < limit ? count : limit, &part);
  if (!part.has_costs) return WM_OK;
  end_at_corner(crowd, record, *visited, &part);
  return part.count > 1 ? find(crowd, index, &part) : WM_OK;
}
