/* Fields of saved crowds: one table for each struct, and the codec that writes and reads them. A test compares the tables
 * with the structs: a field that is missing leaves a gap. */
#include "base/number.h"
#include "crowd/planning/flow_fields.h"
#include "crowd/state/saved_crowd_internal.h"
#include "query/search/replay.h"

/* ---- Tables ------------------------------------------------------------------------------------------- */

#define FIELD(type, member, kind) \
  { offsetof(type, member), sizeof(((type *)0)->member), WM_SAVED_##kind }

static const WmSavedField OPTIONS[] = {
    FIELD(WmCrowdOptions, search_budget, WORD),     FIELD(WmCrowdOptions, max_search_nodes, WORD),
    FIELD(WmCrowdOptions, max_step, FINITE),        FIELD(WmCrowdOptions, max_substeps, WORD),
    FIELD(WmCrowdOptions, place_extents, FINITE),   FIELD(WmCrowdOptions, focus_radius, FINITE),
    FIELD(WmCrowdOptions, neighbour_range, FINITE), FIELD(WmCrowdOptions, max_fields, WORD),
    FIELD(WmCrowdOptions, patience, FINITE),        FIELD(WmCrowdOptions, gravity, FINITE),
};

static const WmSavedField PARAMETERS[] = {
    FIELD(WmAgentParameters, radius, FINITE),
    FIELD(WmAgentParameters, height, FINITE),
    FIELD(WmAgentParameters, max_speed, FINITE),
    FIELD(WmAgentParameters, max_acceleration, FINITE),
    FIELD(WmAgentParameters, turning_speed, FINITE),
    FIELD(WmAgentParameters, stopping_distance, FINITE),
    FIELD(WmAgentParameters, separation, FINITE),
    FIELD(WmAgentParameters, horizon, FINITE),
    FIELD(WmAgentParameters, avoidance, WORD),
    FIELD(WmAgentParameters, priority, WORD),
    FIELD(WmAgentParameters, group, WORD),
    FIELD(WmAgentParameters, avoids, WORD),
    FIELD(WmAgentParameters, filter, WORD),
    FIELD(WmAgentParameters, type, WORD),
    FIELD(WmAgentParameters, wall_distance, FINITE),
    FIELD(WmAgentParameters, wall_cost, FINITE),
    FIELD(WmAgentParameters, climb_speed, FINITE),
    FIELD(WmAgentParameters, auto_braking, BOOL),
    FIELD(WmAgentParameters, auto_connections, BOOL),
    FIELD(WmAgentParameters, anticipate_turns, BOOL),
    FIELD(WmAgentParameters, shortest, BOOL),
    FIELD(WmAgentParameters, user_data, LONG),
};

static const WmSavedField RECORD[] = {
    FIELD(WmAgentRecord, polygon, GROUND_POLYGON),
    FIELD(WmAgentRecord, order, BYTE),
    FIELD(WmAgentRecord, is_paused, BOOL),
    FIELD(WmAgentRecord, is_partial, BOOL),
    FIELD(WmAgentRecord, partial_reason, BYTE),
    FIELD(WmAgentRecord, needs_plan, BOOL),
    FIELD(WmAgentRecord, search_is_outdated, BOOL),
    FIELD(WmAgentRecord, corner_count, BYTE),
    FIELD(WmAgentRecord, ends_at_last, BOOL),
    FIELD(WmAgentRecord, ends_at_connection, BOOL),
    FIELD(WmAgentRecord, ends_at_link, BOOL),
    FIELD(WmAgentRecord, corners_are_valid, BOOL),
    FIELD(WmAgentRecord, corridor_is_new, BOOL),
    FIELD(WmAgentRecord, anticipates, BOOL),
    FIELD(WmAgentRecord, wall_count, BYTE),
    FIELD(WmAgentRecord, walls_are_valid, BOOL),
    FIELD(WmAgentRecord, shortcut_turns, BYTE),
    FIELD(WmAgentRecord, oncoming, BYTE),
    FIELD(WmAgentRecord, passage, BYTE),
    FIELD(WmAgentRecord, is_in_passage, BOOL),
    FIELD(WmAgentRecord, is_held, BOOL),
    FIELD(WmAgentRecord, passes, BOOL),
    FIELD(WmAgentRecord, lets_pass, BOOL),
    FIELD(WmAgentRecord, turns, BYTE),
    FIELD(WmAgentRecord, pushed_off, BYTE),
    FIELD(WmAgentRecord, is_queued, BOOL),
    FIELD(WmAgentRecord, seeks_detour, BOOL),
    FIELD(WmAgentRecord, is_on_detour, BOOL),
    FIELD(WmAgentRecord, has_new_goal, BOOL),
    FIELD(WmAgentRecord, corners_from, PLACE),
    FIELD(WmAgentRecord, corners, PLACE),
    FIELD(WmAgentRecord, direction, FINITE),
    FIELD(WmAgentRecord, previous_direction, FINITE),
    FIELD(WmAgentRecord, preferred, FINITE),
    FIELD(WmAgentRecord, chosen, FINITE),
    FIELD(WmAgentRecord, ordered, FINITE),
    FIELD(WmAgentRecord, braking_distance, NUMBER),
    FIELD(WmAgentRecord, last_leg, NUMBER),
    FIELD(WmAgentRecord, progress_speed, FINITE),
    FIELD(WmAgentRecord, blocked_time, FINITE),
    FIELD(WmAgentRecord, from, PLACE),
    FIELD(WmAgentRecord, reach, FINITE),
    FIELD(WmAgentRecord, parting_time, FINITE),
    FIELD(WmAgentRecord, neighbour_range, FINITE),
    FIELD(WmAgentRecord, gained, FINITE),
    FIELD(WmAgentRecord, stalled_time, FINITE),
    FIELD(WmAgentRecord, passage_wait, FINITE),
    FIELD(WmAgentRecord, wait_time, FINITE),
    FIELD(WmAgentRecord, walk_time, FINITE),
    FIELD(WmAgentRecord, free_time, NUMBER),
    FIELD(WmAgentRecord, leeway, FINITE),
    FIELD(WmAgentRecord, passage_entry, PLACE),
    FIELD(WmAgentRecord, merge_speed, NUMBER),
    FIELD(WmAgentRecord, row, WORD),
    FIELD(WmAgentRecord, coming_out, FINITE),
    FIELD(WmAgentRecord, room, FINITE),
    FIELD(WmAgentRecord, certain_length, NUMBER),
    FIELD(WmAgentRecord, passage_key, LONG),
    FIELD(WmAgentRecord, passage_end, LONG),
    FIELD(WmAgentRecord, detour_key, LONG),
    FIELD(WmAgentRecord, passage_holder, WORD),
    FIELD(WmAgentRecord, slowdown, FINITE),
    FIELD(WmAgentRecord, destination, PLACE),
    FIELD(WmAgentRecord, corridor.changes, WORD),
    FIELD(WmAgentRecord, corridor.checked, WORD),
    FIELD(WmAgentRecord, walls_from, PLACE),
    FIELD(WmAgentRecord, rest_from, NUMBER),
    FIELD(WmAgentRecord, clear_from, PLACE),
    FIELD(WmAgentRecord, clear_sight, FINITE),
    FIELD(WmAgentRecord, clear_changes, WORD),
    FIELD(WmAgentRecord, clear_drops, WORD),
    FIELD(WmAgentRecord, clear_polygon, POLYGON),
    FIELD(WmAgentRecord, link_entry, FINITE),
    FIELD(WmAgentRecord, link_natural, FINITE),
    FIELD(WmAgentRecord, link_after, FINITE),
    FIELD(WmAgentRecord, link_aim, FINITE),
    FIELD(WmAgentRecord, link_side, BYTE),
    FIELD(WmAgentRecord, link_lane, BYTE),
    FIELD(WmAgentRecord, is_off_line, BOOL),
    FIELD(WmAgentRecord, takes_off, BOOL),
    FIELD(WmAgentRecord, is_apart, BOOL),
    FIELD(WmAgentRecord, is_on_last_leg, BOOL),
    FIELD(WmAgentRecord, next_connection, POLYGON),
    FIELD(WmAgentRecord, connection, POLYGON),
    FIELD(WmAgentRecord, checked_version, MESH_VERSION),
    FIELD(WmAgentRecord, checking_version, MESH_VERSION),
    FIELD(WmAgentRecord, detours, WORD),
    FIELD(WmAgentRecord, request, WORD),
    FIELD(WmAgentRecord, queued, WORD),
    FIELD(WmAgentRecord, target_polygon, POLYGON),
    FIELD(WmAgentRecord, target, PLACE),
    FIELD(WmAgentRecord, failures, WORD),
    FIELD(WmAgentRecord, retry, FINITE),
    FIELD(WmAgentRecord, connection_start, PLACE),
    FIELD(WmAgentRecord, connection_end, PLACE),
    FIELD(WmAgentRecord, connection_aside, FINITE),
    FIELD(WmAgentRecord, progress, FINITE),
    FIELD(WmAgentRecord, flight.is_on_link, BOOL),
    FIELD(WmAgentRecord, flight.is_reversed, BOOL),
    FIELD(WmAgentRecord, flight.kind, BYTE),
    FIELD(WmAgentRecord, flight.part, BYTE),
    FIELD(WmAgentRecord, flight.part_progress, FINITE),
    FIELD(WmAgentRecord, flight.across, FINITE),
    FIELD(WmAgentRecord, flight.peak, FINITE),
    FIELD(WmAgentRecord, flight.from, PLACE),
    FIELD(WmAgentRecord, flight.landing, GROUND_POLYGON),
    FIELD(WmAgentRecord, walls, FINITE),
};

static const WmSavedField OBSTACLE[] = {
    FIELD(WmMovingObstacle, position, PLACE),
    FIELD(WmMovingObstacle, radius, PLACE),
    FIELD(WmMovingObstacle, height, PLACE),
    FIELD(WmMovingObstacle, velocity, PLACE),
};

static const WmSavedField FILTER_FIELDS[] = {
    FIELD(WmFilter, include_flags, HALF),
    FIELD(WmFilter, exclude_flags, HALF),
    FIELD(WmFilter, area_costs, FINITE),
};

static const WmSavedField MESH[] = {
    FIELD(WmCrowdMesh, seen_version, MESH_VERSION),
    FIELD(WmCrowdMesh, is_searching, BOOL),
    FIELD(WmCrowdMesh, searcher, LONG),
    FIELD(WmCrowdMesh, request, WORD),
    FIELD(WmCrowdMesh, destination.version, MESH_VERSION),
    FIELD(WmCrowdMesh, destination.polygon, POLYGON),
    FIELD(WmCrowdMesh, destination.point, PLACE),
    FIELD(WmCrowdMesh, destination.is_redirected, BOOL),
    FIELD(WmCrowdMesh, destination.is_last, BOOL),
    FIELD(WmCrowdMesh, destination.partial_reason, BYTE),
    FIELD(WmCrowdMesh, key, LONG),
    FIELD(WmCrowdMesh, passages.version, MESH_VERSION),
    FIELD(WmCrowdMesh, passages.width, FINITE),
    FIELD(WmCrowdMesh, passages.drops, WORD),
    FIELD(WmCrowdMesh, largest_radius, FINITE),
    FIELD(WmCrowdMesh, search_cost, WORD),
    FIELD(WmCrowdMesh, field_cost, WORD),
};

static const WmSavedField FLOW_FIELD[] = {
    FIELD(WmCrowdFlowField, filter, WORD),    FIELD(WmCrowdFlowField, polygon, POLYGON),
    FIELD(WmCrowdFlowField, position, PLACE), FIELD(WmCrowdFlowField, cost, WORD),
    FIELD(WmCrowdFlowField, used, LONG),
};

static const WmSavedField ISLANDS[] = {
    FIELD(WmCrowdIslands, type, WORD),          FIELD(WmCrowdIslands, include_flags, HALF),
    FIELD(WmCrowdIslands, exclude_flags, HALF), FIELD(WmCrowdIslands, used, LONG),
    FIELD(WmCrowdIslands, next_step, LONG),
};

static const WmSavedField REQUEST[] = {
    FIELD(WmPathRequest, agent, LONG),
    FIELD(WmPathRequest, key, LONG),
    FIELD(WmPathRequest, request, WORD),
};

static const WmSavedField SEARCH[] = {
    FIELD(WmSearchReplay, start, POLYGON),        FIELD(WmSearchReplay, end, POLYGON),
    FIELD(WmSearchReplay, start_position, PLACE), FIELD(WmSearchReplay, end_position, PLACE),
    FIELD(WmSearchReplay, max_nodes, LONG),       FIELD(WmSearchReplay, wall_distance, FINITE),
    FIELD(WmSearchReplay, wall_cost, FINITE),     FIELD(WmSearchReplay, shortest, BOOL),
    FIELD(WmSearchReplay, expanded, LONG),        FIELD(WmSearchReplay, is_mixed, BOOL),
};

static const WmSavedField CROWD[] = {
    FIELD(WmCrowd, request, WORD),
    FIELD(WmCrowd, sorted_request, WORD),
    FIELD(WmCrowd, field_clock, LONG),
    FIELD(WmCrowd, shortcut_next, WORD),
    FIELD(WmCrowd, neighbours_are_stale, BOOL),
};

#define TABLE(fields, type) \
  { fields, sizeof fields / sizeof *fields, sizeof(type) }

const WmSavedFields WM_SAVED_TABLES[WM_TABLE_COUNT] = {
    [WM_TABLE_OPTIONS] = TABLE(OPTIONS, WmCrowdOptions),
    [WM_TABLE_PARAMETERS] = TABLE(PARAMETERS, WmAgentParameters),
    [WM_TABLE_RECORD] = TABLE(RECORD, WmAgentRecord),
    [WM_TABLE_OBSTACLE] = TABLE(OBSTACLE, WmMovingObstacle),
    [WM_TABLE_FILTER] = TABLE(FILTER_FIELDS, WmFilter),
    [WM_TABLE_MESH] = TABLE(MESH, WmCrowdMesh),
    [WM_TABLE_FIELD] = TABLE(FLOW_FIELD, WmCrowdFlowField),
    [WM_TABLE_ISLANDS] = TABLE(ISLANDS, WmCrowdIslands),
    [WM_TABLE_REQUEST] = TABLE(REQUEST, WmPathRequest),
    [WM_TABLE_SEARCH] = TABLE(SEARCH, WmSearchReplay),
    [WM_TABLE_CROWD] = TABLE(CROWD, WmCrowd),
};

/* ---- The codec ---------------------------------------------------------------------------------------- */

/* The farthest that rounding moves a coordinate of a mesh; and a limit of other numbers, whose squares are finite. */
#define FARTHEST_ROUNDED (WM_FARTHEST * 1.0001f)
#define MOST_FINITE 1e18f

static const uint8_t ITEM_BYTES[] = {
    [WM_SAVED_BYTE] = 1,    [WM_SAVED_BOOL] = 1,           [WM_SAVED_HALF] = 2,         [WM_SAVED_WORD] = 4,
    [WM_SAVED_LONG] = 8,    [WM_SAVED_PLACE] = 4,          [WM_SAVED_FINITE] = 4,       [WM_SAVED_NUMBER] = 4,
    [WM_SAVED_POLYGON] = 8, [WM_SAVED_GROUND_POLYGON] = 8, [WM_SAVED_MESH_VERSION] = 8,
};

void wm_saved_note(WmSavedCodec *codec, WmStatus status, const char *what) {
  if (!status || codec->status) return;
  const bool is_of_file = status != WM_ERROR_OUT_OF_MEMORY && status != WM_ERROR_CORRUPT;
  codec->status = is_of_file ? wm_fail(codec->context, WM_ERROR_CORRUPT, "file", what) : status;
}

void wm_saved_fail(WmSavedCodec *codec, const char *what) {
  if (codec->reads && !codec->status) codec->status = wm_fail(codec->context, WM_ERROR_CORRUPT, "file", what);
}

void wm_saved_expect(WmSavedCodec *codec, uint64_t count, size_t item_bytes) {
  if (codec->reads && count > (codec->end - codec->at) / item_bytes) wm_saved_fail(codec, "the file is cut");
}

static void write_item(WmSavedCodec *codec, const uint8_t *item, WmSavedKind kind) {
  uint64_t value;
  const void *from = item;
  if (ITEM_BYTES[kind] == sizeof value) memcpy(&value, item, sizeof value);
  if (kind == WM_SAVED_POLYGON || kind == WM_SAVED_GROUND_POLYGON) {
    value = wm_saved_name_polygon(codec, value);
    from = &value;
  } else if (kind == WM_SAVED_MESH_VERSION) {
    value = wm_mesh_version(codec->on->mesh) - value;
    from = &value;
  }
  if (codec->bytes) memcpy(codec->bytes + codec->at, from, ITEM_BYTES[kind]);
}

static void read_float(WmSavedCodec *codec, const uint8_t *from, WmSavedKind kind) {
  float value;
  memcpy(&value, from, sizeof value);
  const bool is_good = kind == WM_SAVED_PLACE    ? fabsf(value) <= FARTHEST_ROUNDED
                       : kind == WM_SAVED_FINITE ? fabsf(value) <= MOST_FINITE
                                                 : !isnan(value);
  if (!is_good) wm_saved_fail(codec, "a number is out of range");
}

/* Versions of another mesh are past. */
static uint64_t read_version(const WmSavedCodec *codec, uint64_t age) {
  return wm_mesh_version(codec->on->mesh) - age - !codec->on->is_same;
}

static WmRef read_ground(WmSavedCodec *codec, uint64_t code) {
  const WmRef polygon = wm_saved_find_polygon(codec, code);
  const WmMeshTile *tile = wm_mesh_tile_of(codec->on->mesh, polygon);
  if (tile && wm_ref_polygon(polygon) >= tile->ground_count) wm_saved_fail(codec, "a polygon is no ground");
  return polygon;
}

static void read_item(WmSavedCodec *codec, uint8_t *item, WmSavedKind kind) {
  const uint8_t *from = codec->source + codec->at;
  uint64_t value = 0;
  memcpy(&value, from, ITEM_BYTES[kind]);
  switch (kind) {
    case WM_SAVED_BOOL:
      if (value > 1) wm_saved_fail(codec, "a switch is out of range");
      break;
    case WM_SAVED_PLACE:
    case WM_SAVED_FINITE:
    case WM_SAVED_NUMBER: read_float(codec, from, kind); break;
    case WM_SAVED_POLYGON: value = wm_saved_find_polygon(codec, value); break;
    case WM_SAVED_GROUND_POLYGON: value = read_ground(codec, value); break;
    case WM_SAVED_MESH_VERSION: value = read_version(codec, value); break;
    default: break;
  }
  if (!codec->status) memcpy(item, &value, ITEM_BYTES[kind]);
}

void wm_saved_code_items(WmSavedCodec *codec, void *items, size_t count, WmSavedKind kind) {
  const size_t bytes = ITEM_BYTES[kind];
  uint8_t *item = items;
  wm_saved_expect(codec, count, bytes);
  for (size_t i = 0; i < count; i++, item += bytes) {
    if (codec->status) {
      memset(item, 0, bytes);
      continue;
    }
    if (codec->reads) {
      read_item(codec, item, kind);
      if (codec->status) memset(item, 0, bytes);
    } else {
      write_item(codec, item, kind);
    }
    codec->at += bytes;
  }
}

void wm_saved_code(WmSavedCodec *codec, void *record, WmSavedTable table) {
  const WmSavedFields *fields = &WM_SAVED_TABLES[table];
  for (size_t i = 0; i < fields->count; i++) {
    const WmSavedField *field = &fields->fields[i];
    wm_saved_code_items(codec, (uint8_t *)record + field->offset, field->byte_count / ITEM_BYTES[field->kind],
                        (WmSavedKind)field->kind);
  }
}
