/* The passage ahead of an agent, from its corridor. */
#include "crowd/passages/passages.h"

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static WmStatus append(WmCrowd *crowd, WmPassageAhead *ahead, WmClaim claim, const float at[2]) {
  const WmStatus status =
      wm_buffer_reserve(crowd->context, &crowd->claims, crowd->claim_count + 1, sizeof(WmClaim));
  if (status) return status;
  if (ahead->count == 0) memcpy(ahead->entry, at, sizeof ahead->entry);
  ((WmClaim *)crowd->claims.items)[crowd->claim_count++] = claim;
  ahead->count++;
  return WM_OK;
}

/* Claims the throat of a polygon, or its narrow exit.
 * in         type: of mesh, as meshes of the same tiles have the same keys; before (NULL: none), portal: left x, z, right x, z */
static WmStatus claim_place(WmCrowd *crowd, uint32_t type, WmPassageAhead *ahead, const WmCrossing *crossing,
                            const float *before, const float portal[4]) {
  const WmMesh *mesh = wm_crowd_mesh(crowd, type)->mesh;
  const uint64_t own = wm_crowd_polygon_key(mesh, crossing->polygon);
  if (crossing->has_throat) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the first polygon has no throat */
    const float way[2] = {portal[0] + portal[2] - before[0] - before[2],
                          portal[1] + portal[3] - before[1] - before[3]};
    const bool direction = way[0] * crossing->axis[0] + way[1] * crossing->axis[1] > 0;
    const WmClaim claim = {mix(type, own), crossing->polygon, direction};
    return append(crowd, ahead, claim, crossing->throat);
  }
  const uint64_t other = wm_crowd_polygon_key(mesh, crossing->to);
  const bool direction = own < other;
  const uint64_t low = direction ? own : other, high = direction ? other : own;
  const float middle[2] = {0.5f * (portal[0] + portal[2]), 0.5f * (portal[1] + portal[3])};
  const WmClaim claim = {mix(mix(type, low), high), crossing->polygon, direction};
  return append(crowd, ahead, claim, middle);
}

/* True if a portal lies farther from a point than `sight`. */
static bool is_far(const float portal[4], const float from[3], float sight) {
  const float x = 0.5f * (portal[0] + portal[2]) - from[0], z = 0.5f * (portal[1] + portal[3]) - from[2];
  return x * x + z * z > sight * sight;
}

WmStatus wm_crowd_find_passage(WmCrowd *crowd, size_t index, float sight, WmPassageAhead *ahead) {
  const WmAgentRecord *record = &crowd->records[index];
  WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const float *position = crowd->positions + 3 * index, *before = NULL;
  float whole[2][4]; /* of portals in turns */
  WmRef from = 0;
  *ahead = (WmPassageAhead){.first = crowd->claim_count};
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  while (cursor.index + 1 < record->corridor.count && cursor.index < WM_CROWD_PASSAGE_POLYGONS) {
    const WmCorridorCursor next = wm_agent_corridor_next(crowd, cursor);
    if (wm_agent_corridor_is_connection(crowd, cursor) || wm_agent_corridor_is_connection(crowd, next)) break;
    const WmRef polygon = wm_agent_corridor_polygon(crowd, cursor);
    const float *portal = wm_agent_corridor_whole_portal(crowd, on->mesh, cursor, whole[cursor.index % 2]);
    if (cursor.index > 0 && ahead->count == 0 && is_far(before, position, sight)) break;
    const WmCrossing *crossing;
    WmStatus status = wm_passages_find(crowd->context, &on->passages, on->mesh, from, before, polygon, portal,
                                       wm_agent_corridor_polygon(crowd, next), &crossing);
    if (status) return status;
    if (ahead->count > 0 && crossing->has_room) break;
    if (crossing->has_throat || crossing->exit_is_narrow) {
      if (ahead->count == 0) ahead->begins_here = cursor.index == 0;
      status = claim_place(crowd, record->parameters.type, ahead, crossing, before, portal);
      if (status) return status;
    }
    before = portal;
    from = polygon;
    cursor = next;
  }
  return WM_OK;
}
