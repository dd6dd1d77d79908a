/* Shortcuts: replaces the beginning of a corridor if there is a better one, since an agent that is pushed
 * aside drags its former corridor along. Each agent that was moved off its corridor gets some turns: it casts
 * a ray to a farther corner, and searches its surroundings. Other agents stay on their corridors.
 *
 * Both corridors are measured from the agent to the same point, line against line, with the costs of
 * areas: a shortcut never costs more. In their turns, agents that others have moved off their cheapest lines also find their next
 * crossings again (crossings.c). They take turns in the order of their numbers; the polygons they visit are taken from the rest of the
 * step's budget. */
#include "crowd/crowd_internal.h"
#include "query/cheapest/cheapest.h"
#include "query/local/ray_walk.h"
#include "query/search/straighten.h"

/* The beginning of a corridor, and its possible replacement. */
typedef struct Shortcut {
  WmCrowd *crowd;
  size_t index;
  WmRef corridor[WM_CROWD_SHORTCUT_REPLACED];
  uint32_t count; /* of `corridor` */
  float end[3];   /* in the last of them: both corridors are measured to here */
  WmRef other[WM_CROWD_SHORTCUT_REPLACEMENT + WM_CROWD_SHORTCUT_REPLACED];
  uint32_t work; /* polygons visited, in units of the budget */
} Shortcut;

/* Reads the first polygons of the corridor, up to an off-mesh connection. */
static void read_corridor(Shortcut *shortcut) {
  const WmCrowd *crowd = shortcut->crowd;
  const WmAgentRecord *record = &crowd->records[shortcut->index];
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  const float *portal = NULL;
  shortcut->count = 0;
  for (;;) {
    if (wm_agent_corridor_is_connection(crowd, cursor)) break;
    shortcut->corridor[shortcut->count++] = wm_agent_corridor_polygon(crowd, cursor);
    portal = cursor.index + 1 < record->corridor.count ? wm_agent_corridor_portal(crowd, cursor) : NULL;
    if (!portal || shortcut->count == WM_CROWD_SHORTCUT_REPLACED) break;
    cursor = wm_agent_corridor_next(crowd, cursor);
  }
  memcpy(shortcut->end, record->destination, sizeof shortcut->end);
  if (!portal) return;
  /* The height is the agent's: it cancels out, since both corridors end at the same point. */
  shortcut->end[0] = 0.5f * (portal[0] + portal[2]);
  shortcut->end[1] = crowd->positions[3 * shortcut->index + 1];
  shortcut->end[2] = 0.5f * (portal[1] + portal[3]);
}

/* Replaces the first `dropped` polygons of the corridor. */
static WmStatus replace(Shortcut *shortcut, uint32_t dropped, const WmRef *polygons, uint32_t count) {
  WmCrowd *crowd = shortcut->crowd;
  WmAgentRecord *record = &crowd->records[shortcut->index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  record->corners_are_valid = false;
  WmRef next = shortcut->corridor[dropped];
  wm_agent_corridor_drop(crowd, &record->corridor, dropped);
  for (uint32_t k = count; k-- > 0; next = polygons[k]) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygons[k]);
    const float *portal = wm_query_find_portal(tile, wm_ref_polygon(polygons[k]), next);
    const WmStatus status =
        portal ? wm_agent_corridor_prepend(crowd, &record->corridor, mesh, polygons[k], portal)
               : WM_ERROR_OUT_OF_MEMORY;
    if (!status) continue;
    wm_agent_corridor_clear(crowd, &record->corridor); /* it is requested again */
    const WmStatus requested = wm_crowd_request(crowd, shortcut->index);
    return portal ? status : requested;
  }
  return WM_OK;
}

/* The cost of the agent's line from where it is to the shortcut's end, through polygons. */
static WmStatus measure(const Shortcut *shortcut, const WmRef *polygons, size_t count, float *cost) {
  const WmCrowd *crowd = shortcut->crowd;
  const WmAgentRecord *record = &crowd->records[shortcut->index];
  WmQuery *query = wm_agent_mesh(crowd, record)->query;
  const float *position = crowd->positions + 3 * shortcut->index;
  const WmFilter *filter = wm_crowd_path_filter(crowd, record);
  if (wm_agent_seeks_cheapest(record))
    return wm_cheapest_measure_line(query, position, shortcut->end, polygons, count, filter, cost);
  return wm_query_measure(query, position, shortcut->end, polygons, count, filter, cost);
}

/* Uses other polygons, which begin where the agent is, up to the last polygon they share with the corridor,
 * if that costs less. */
static WmStatus try_other(Shortcut *shortcut, const WmRef *polygons, size_t polygon_count) {
  const WmAgentRecord *record = &shortcut->crowd->records[shortcut->index];
  uint32_t corridor_index = 0, in_other = 0;
  const uint32_t count =
      polygon_count < WM_CROWD_SHORTCUT_REPLACEMENT ? (uint32_t)polygon_count : WM_CROWD_SHORTCUT_REPLACEMENT;
  for (uint32_t i = 1; i < shortcut->count; i++) {
    for (uint32_t j = 1; j < count; j++) {
      if (polygons[j] != shortcut->corridor[i]) continue;
      corridor_index = i;
      in_other = j;
      break;
    }
  }
  if (corridor_index == 0) return WM_OK;
  if (corridor_index == in_other &&
      memcmp(polygons, shortcut->corridor, corridor_index * sizeof *polygons) == 0)
    return WM_OK;
  WmRef *other = shortcut->other;
  const uint32_t rest = shortcut->count - corridor_index;
  memmove(other, polygons, in_other * sizeof *other);
  memcpy(other + in_other, shortcut->corridor + corridor_index, rest * sizeof *other);
  float cost, other_cost;
  shortcut->work += (corridor_index + in_other) / WM_CROWD_SHORTCUT_VISITS_PER_UNIT;
  WmStatus status = measure(shortcut, shortcut->corridor, shortcut->count, &cost);
  if (!status) status = measure(shortcut, other, in_other + rest, &other_cost);
  if (status || !(other_cost < cost * (1 - WM_CROWD_SHORTCUT_GAIN))) return status;
  status = replace(shortcut, corridor_index, other, in_other);
  if (status || !wm_agent_seeks_cheapest(record)) return status;
  return wm_crowd_find_crossings(shortcut->crowd, shortcut->index);
}

/* Casts a ray to a farther corner. */
static WmStatus look_ahead(Shortcut *shortcut, uint32_t corner) {
  WmCrowd *crowd = shortcut->crowd;
  const WmAgentRecord *record = &crowd->records[shortcut->index];
  const float *position = crowd->positions + 3 * shortcut->index, *at = record->corners[corner].point;
  const float x = at[0] - position[0], z = at[2] - position[2], length = sqrtf(x * x + z * z);
  if (!(length > WM_CROWD_SHORTCUT_OVERSHOOT) || length > WM_CROWD_SHORTCUT_RANGE) return WM_OK;
  const float part = (length + WM_CROWD_SHORTCUT_OVERSHOOT) / length;
  const float to[3] = {position[0] + x * part, position[1], position[2] + z * part};
  WmRayWalk ray = {.context = crowd->context,
                   .mesh = wm_agent_mesh(crowd, record)->mesh,
                   .filter = wm_agent_filter(crowd, record),
                   .polygons = &crowd->ray_polygons,
                   .max_polygons = WM_CROWD_SHORTCUT_REPLACEMENT};
  const WmStatus status = wm_ray_walk(&ray, record->polygon, position, to);
  shortcut->work += (uint32_t)ray.polygon_count / WM_CROWD_SHORTCUT_VISITS_PER_UNIT + 1;
  /* Corners lie on walls: the ray may be blocked just behind one. */
  if (status || ray.outside || (ray.hit && ray.t * part < WM_CROWD_SHORTCUT_FREE)) return status;
  return try_other(shortcut, ray.polygons->items, ray.polygon_count);
}

/* Searches the surroundings. */
static WmStatus search(Shortcut *shortcut, WmCrowdStep *step) {
  WmCrowd *crowd = shortcut->crowd;
  WmAgentRecord *record = &crowd->records[shortcut->index];
  WmSearchOptions options = wm_search_options_default();
  options.filter = wm_crowd_path_filter(crowd, record);
  options.max_nodes = WM_CROWD_SHORTCUT_NODES;
  WmCorridor corridor;
  record->detours = 0;
  const WmStatus status = wm_query_find_corridor(
      wm_agent_mesh(crowd, record)->query, record->polygon, crowd->positions + 3 * shortcut->index,
      shortcut->corridor[shortcut->count - 1], shortcut->end, &options, &corridor);
  if (status) return status;
  shortcut->work += (uint32_t)corridor.searched;
  step->searched += (uint32_t)corridor.searched;
  return try_other(shortcut, corridor.polygons, corridor.polygon_count);
}

/* True if an agent walks along a corridor that was checked, whose corners it knows. */
static bool follows_corridor(const Shortcut *shortcut) {
  const WmCrowd *crowd = shortcut->crowd;
  const WmAgentRecord *record = &crowd->records[shortcut->index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const uint8_t state = crowd->states[shortcut->index];
  if (!wm_agent_walks(state, crowd->reasons[shortcut->index]) || record->order != WM_ORDER_TARGET)
    return false;
  if (record->needs_plan || record->is_paused) return false;
  return record->checked_version == wm_mesh_version(mesh) && record->corners_are_valid;
}

/* One turn of an agent: a shortcut. */
static WmStatus take_turn(Shortcut *shortcut, WmCrowdStep *step) {
  WmAgentRecord *record = &shortcut->crowd->records[shortcut->index];
  if (record->shortcut_turns == 0 || record->parameters.wall_cost > 0) return WM_OK;
  if (record->corridor.count < 3 || !follows_corridor(shortcut)) return WM_OK;
  const uint32_t turn = --record->shortcut_turns;
  const bool searches = record->detours > 0 && turn % WM_CROWD_SHORTCUT_SEARCH_TURNS == 0;
  if (!searches && record->corner_count < 2) return WM_OK;
  read_corridor(shortcut);
  if (shortcut->count < 3) return WM_OK;
  if (searches) return search(shortcut, step);
  return look_ahead(shortcut, turn / WM_CROWD_SHORTCUT_SEARCH_TURNS % 2 == 0 ? record->corner_count - 1u : 1);
}

/* True if others have moved an agent off its cheapest line. */
static bool is_moved_off_line(const WmAgentRecord *record) {
  if (!wm_agent_seeks_cheapest(record)) return false;
  return record->slowdown > WM_CROWD_HINDERED || record->shortcut_turns > 0;
}

/* One turn of an agent: its next crossings. */
static WmStatus cross_again(Shortcut *shortcut) {
  const WmAgentRecord *record = &shortcut->crowd->records[shortcut->index];
  if (record->corridor.count < 2 || record->corner_count < 1 || !follows_corridor(shortcut)) return WM_OK;
  uint32_t visited;
  const WmStatus status = wm_crowd_find_crossings_again(shortcut->crowd, shortcut->index, &visited);
  shortcut->work += visited / WM_CROWD_SHORTCUT_VISITS_PER_UNIT;
  return status;
}

WmStatus wm_crowd_find_shortcuts(WmCrowd *crowd, uint32_t budget, WmCrowdStep *step) {
  Shortcut shortcut = {.crowd = crowd};
  const WmAgentNumber *numbers = crowd->numbers.items;
  const uint32_t all = crowd->number_count;
  if (crowd->shortcut_next >= all) crowd->shortcut_next = 0;
  /* If the budget is short, turns come later. */
  for (uint32_t left = (all + WM_CROWD_SHORTCUT_PERIOD - 1) / WM_CROWD_SHORTCUT_PERIOD;
       left > 0 && shortcut.work < budget; left--) {
    const uint32_t number = crowd->shortcut_next;
    crowd->shortcut_next = number + 1 < all ? number + 1 : 0;
    if (!numbers[number].is_used) continue;
    shortcut.index = numbers[number].index;
    const bool crosses = is_moved_off_line(&crowd->records[shortcut.index]);
    WmStatus status = take_turn(&shortcut, step);
    if (!status && crosses) status = cross_again(&shortcut);
    if (status) return status;
  }
  return WM_OK;
}
