/* Writes and reads crowds. See saved_crowd.h; the layout is in saved_crowd_internal.h.
 *
 * Left out is all that a step computes before it reads it: bodies and their cells, claims of passages, scratch arrays; and
 * caches that are computed again with the same results: crossings of passages, the turn of headings.
 *
 * At the end of reading, wm_crowd_validate checks how the parts fit together. */
#include "crowd/state/saved_crowd.h"

#include "crowd/state/saved_crowd_internal.h"
#include "mesh/formats/formats.h"
#include "query/check.h"

/* ---- Settings ----------------------------------------------------------------------------------------- */

static void code_options(WmSavedCodec *codec) {
  WmCrowd *crowd = codec->crowd;
  wm_saved_code(codec, &crowd->options, WM_TABLE_OPTIONS);
  if (codec->reads && !codec->status)
    wm_saved_note(codec, wm_crowd_check_options(codec->context, &crowd->options),
                  "an option is out of range");
}

/* The mesh to which the costs of a filter belong: the first one if it is none of the crowd's. */
static uint32_t find_type(const WmCrowd *crowd, const WmCosts *costs) {
  for (uint32_t type = 0; costs && type < crowd->mesh_count; type++) {
    if (wm_crowd_mesh(crowd, type)->mesh == wm_costs_mesh(costs)) return type;
  }
  return 0;
}

static void code_filter(WmSavedCodec *codec, uint32_t *number) {
  WmCrowd *crowd = codec->crowd;
  wm_saved_code_items(codec, number, 1, WM_SAVED_WORD);
  if (*number >= WM_CROWD_FILTERS || (codec->reads && crowd->filters[*number]))
    wm_saved_fail(codec, "a filter is out of range");
  if (codec->status) return;
  if (codec->reads) {
    crowd->filters[*number] = wm_block_allocate(crowd->context, sizeof(WmCrowdFilter));
    if (!crowd->filters[*number]) codec->status = WM_ERROR_OUT_OF_MEMORY;
    if (codec->status) return;
    *crowd->filters[*number] = (WmCrowdFilter){.own_costs = NULL};
  }
  WmCrowdFilter *set = crowd->filters[*number];
  WmCosts *costs = (WmCosts *)set->filter.costs;
  uint32_t type = find_type(crowd, costs);
  wm_saved_code(codec, &set->filter, WM_TABLE_FILTER);
  wm_saved_code_items(codec, &type, 1, WM_SAVED_WORD);
  if (type >= codec->mesh_count) wm_saved_fail(codec, "a filter has no mesh");
  if (codec->status) return;
  codec->on = &codec->meshes[type];
  wm_saved_code_costs(codec, &costs);
  if (!codec->reads) return;
  set->filter.costs = set->own_costs = costs;
  if (!codec->status)
    wm_saved_note(codec, wm_query_check_filter(codec->context, &set->filter), "a filter is out of range");
}

static void code_filters(WmSavedCodec *codec, uint32_t count) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < count && !codec->status; i++, number++) {
    while (!codec->reads && !codec->crowd->filters[number]) number++;
    code_filter(codec, &number);
  }
}

static void code_surroundings(WmSavedCodec *codec, const WmSavedCrowdHead *head) {
  WmCrowd *crowd = codec->crowd;
  wm_saved_expect(codec, head->obstacle_count, 8 * sizeof(float));
  wm_saved_expect(codec, head->focus_count, 3 * sizeof(float));
  if (codec->reads && !codec->status) {
    WmStatus status =
        wm_buffer_reserve(crowd->context, &crowd->obstacles, head->obstacle_count, sizeof(WmMovingObstacle));
    if (!status)
      status = wm_buffer_reserve(crowd->context, &crowd->focus, head->focus_count, 3 * sizeof(float));
    codec->status = status;
  }
  if (codec->status) return;
  WmMovingObstacle *obstacles = crowd->obstacles.items;
  for (uint32_t i = 0; i < head->obstacle_count; i++) {
    wm_saved_code(codec, &obstacles[i], WM_TABLE_OBSTACLE);
    if (!(obstacles[i].radius > 0 && obstacles[i].height > 0))
      wm_saved_fail(codec, "an obstacle is out of range");
  }
  wm_saved_code_items(codec, crowd->focus.items, 3 * (size_t)head->focus_count, WM_SAVED_PLACE);
  crowd->obstacle_count = head->obstacle_count;
  crowd->focus_count = head->focus_count;
}

/* ---- Handles ------------------------------------------------------------------------------------------ */

static void read_free_numbers(WmSavedCodec *codec, uint32_t free_count) {
  WmCrowd *crowd = codec->crowd;
  WmAgentNumber *numbers = crowd->numbers.items;
  uint32_t *before = &crowd->free_number;
  for (uint32_t i = 0; i < free_count && !codec->status; i++) {
    uint32_t number = 0;
    wm_saved_code_items(codec, &number, 1, WM_SAVED_WORD);
    if (number >= crowd->number_count || numbers[number].is_used)
      wm_saved_fail(codec, "a number of an agent is out of range");
    if (codec->status) break;
    *before = number;
    before = &numbers[number].index;
  }
  *before = WM_NONE;
}

static void write_free_numbers(WmSavedCodec *codec) {
  const WmCrowd *crowd = codec->crowd;
  const WmAgentNumber *numbers = crowd->numbers.items;
  for (uint32_t number = crowd->free_number; number != WM_NONE; number = numbers[number].index)
    wm_saved_code_items(codec, &number, 1, WM_SAVED_WORD);
}

static void code_numbers(WmSavedCodec *codec, const WmSavedCrowdHead *head) {
  WmCrowd *crowd = codec->crowd;
  wm_saved_expect(codec, head->number_count, sizeof(uint32_t) + 1);
  if (codec->reads && !codec->status) {
    codec->status =
        wm_buffer_reserve(crowd->context, &crowd->numbers, head->number_count, sizeof(WmAgentNumber));
    if (!codec->status) crowd->number_count = head->number_count;
  }
  if (codec->status) return;
  WmAgentNumber *numbers = crowd->numbers.items;
  for (uint32_t i = 0; i < head->number_count && !codec->status; i++) {
    wm_saved_code_items(codec, &numbers[i].generation, 1, WM_SAVED_WORD);
    wm_saved_code_items(codec, &numbers[i].is_used, 1, WM_SAVED_BOOL);
    if (numbers[i].generation == 0 || numbers[i].generation > 1u << WM_AGENT_GENERATION_BITS)
      wm_saved_fail(codec, "a number of an agent is out of range");
    if (codec->reads) numbers[i].index = WM_NONE;
  }
  if (codec->reads) {
    read_free_numbers(codec, head->free_count);
  } else {
    write_free_numbers(codec);
  }
}

/* Gives an agent its handle. */
static void read_handle(WmSavedCodec *codec, size_t index, uint32_t number) {
  WmCrowd *crowd = codec->crowd;
  WmAgentNumber *numbers = crowd->numbers.items;
  if (number >= crowd->number_count || !numbers[number].is_used || numbers[number].index != WM_NONE ||
      numbers[number].generation >> WM_AGENT_GENERATION_BITS) {
    wm_saved_fail(codec, "a number of an agent is out of range");
    return;
  }
  numbers[number].index = (uint32_t)index;
  crowd->agents[index] = (WmAgent)numbers[number].generation << WM_AGENT_NUMBER_BITS | number;
}

/* ---- Agents ------------------------------------------------------------------------------------------- */

/* A polygon of a corridor, with the bit that says if it is a connection, and the portal to the next one. */
static void read_corridor(WmSavedCodec *codec, WmAgentCorridor *corridor, uint32_t count) {
  const WmMesh *mesh = codec->on->mesh;
  wm_saved_expect(codec, count, sizeof(uint64_t) + 4 * sizeof(float));
  for (uint32_t i = 0; i < count && !codec->status; i++) {
    uint64_t code;
    float portal[4];
    wm_saved_code_items(codec, &code, 1, WM_SAVED_LONG);
    wm_saved_code_items(codec, portal, 4, WM_SAVED_PLACE);
    const uint64_t bit = UINT64_C(1) << WM_SAVED_CONNECTION_BIT;
    const WmRef polygon = wm_saved_find_polygon(codec, code & ~bit);
    if (!polygon) wm_saved_fail(codec, "a polygon is out of range");
    if (codec->status) return;
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
    const bool is_connection = tile ? wm_ref_polygon(polygon) >= tile->ground_count : (code & bit) != 0;
    codec->status = wm_agent_corridor_append(codec->crowd, corridor, polygon, is_connection, portal);
  }
}

static void write_corridor(WmSavedCodec *codec, const WmAgentCorridor *corridor) {
  const WmCrowd *crowd = codec->crowd;
  WmCorridorCursor cursor = wm_agent_corridor_begin(corridor);
  for (uint32_t i = 0; i < corridor->count; i++) {
    if (i > 0) cursor = wm_agent_corridor_next(crowd, cursor);
    uint64_t code = wm_saved_name_polygon(codec, wm_agent_corridor_polygon(crowd, cursor));
    code |= (uint64_t)wm_agent_corridor_is_connection(crowd, cursor) << WM_SAVED_CONNECTION_BIT;
    /* The portal after the last one is unused. */
    float none[4] = {0};
    void *portal = i + 1 < corridor->count ? (void *)wm_agent_corridor_portal(crowd, cursor) : none;
    wm_saved_code_items(codec, &code, 1, WM_SAVED_LONG);
    wm_saved_code_items(codec, portal, 4, WM_SAVED_PLACE);
  }
}

/* Its parameters come first: they say on which mesh its polygons are. */
static void code_record(WmSavedCodec *codec, WmAgentRecord *record) {
  uint32_t count = codec->reads ? 0 : record->corridor.count;
  if (codec->reads) *record = (WmAgentRecord){.corridor = {.first = WM_NONE, .last = WM_NONE}};
  wm_saved_code(codec, &record->parameters, WM_TABLE_PARAMETERS);
  if (codec->reads && !codec->status)
    wm_saved_note(codec, wm_crowd_check_parameters(codec->crowd, &record->parameters),
                  "a parameter of an agent is out of range");
  if (codec->status) return;
  codec->on = &codec->meshes[record->parameters.type];
  wm_saved_code(codec, record, WM_TABLE_RECORD);
  if (record->link_lane >= WM_CROWD_LINK_LANES) wm_saved_fail(codec, "a lane of a link is out of range");
  wm_saved_code_items(codec, &count, 1, WM_SAVED_WORD);
  if (codec->reads) {
    read_corridor(codec, &record->corridor, count);
  } else {
    write_corridor(codec, &record->corridor);
  }
}

static void code_agent(WmSavedCodec *codec, size_t i) {
  WmCrowd *crowd = codec->crowd;
  uint32_t number = codec->reads ? 0 : wm_agent_number(crowd->agents[i]);
  wm_saved_code_items(codec, &number, 1, WM_SAVED_WORD);
  if (codec->reads && !codec->status) read_handle(codec, i, number);
  wm_saved_code_items(codec, crowd->positions + 3 * i, 3, WM_SAVED_PLACE);
  wm_saved_code_items(codec, crowd->previous + 3 * i, 3, WM_SAVED_PLACE);
  wm_saved_code_items(codec, crowd->velocities + 3 * i, 3, WM_SAVED_FINITE);
  wm_saved_code_items(codec, crowd->headings + 2 * i, 2, WM_SAVED_FINITE);
  wm_saved_code_items(codec, &crowd->states[i], 1, WM_SAVED_BYTE);
  wm_saved_code_items(codec, &crowd->reasons[i], 1, WM_SAVED_BYTE);
  wm_saved_code_items(codec, &crowd->found_counts[i], 1, WM_SAVED_BYTE);
  if (crowd->found_counts[i] > WM_CROWD_NEIGHBOURS) wm_saved_fail(codec, "neighbours are out of range");
  if (codec->status) return;
  const uint32_t *found = crowd->found + WM_CROWD_NEIGHBOURS * i;
  wm_saved_code_items(codec, (void *)found, crowd->found_counts[i], WM_SAVED_WORD);
  for (uint32_t k = 0; k < crowd->found_counts[i]; k++) {
    if (found[k] == i && !crowd->neighbours_are_stale) wm_saved_fail(codec, "an agent is its own neighbour");
  }
  if (codec->reads) crowd->neighbour_counts[i] = 0;
  code_record(codec, &crowd->records[i]);
}

static void code_agents(WmSavedCodec *codec, const WmSavedCrowdHead *head) {
  WmCrowd *crowd = codec->crowd;
  wm_saved_expect(codec, head->agent_count, sizeof(float) * 11);
  if (codec->reads && !codec->status) codec->status = wm_crowd_reserve_agents(crowd, head->agent_count);
  for (size_t i = 0; i < head->agent_count && !codec->status; i++) {
    code_agent(codec, i);
    if (codec->reads) crowd->count = i + 1;
  }
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static void code_all(WmSavedCodec *codec, WmSavedCrowdHead *head) {
  wm_saved_code_tiles(codec);
  code_options(codec);
  wm_saved_code(codec, codec->crowd, WM_TABLE_CROWD);
  code_filters(codec, head->filter_count);
  code_surroundings(codec, head);
  code_numbers(codec, head);
  code_agents(codec, head);
  if (!codec->status) wm_saved_code_requests(codec, head);
  if (!codec->status) wm_saved_code_planning(codec);
}

static WmSavedCrowdHead make_head(const WmCrowd *crowd) {
  WmSavedCrowdHead head = {.magic = WM_SAVED_CROWD_MAGIC,
                           .version = WM_SAVED_CROWD_VERSION,
                           .mesh_count = crowd->mesh_count,
                           .steps = crowd->steps,
                           .agent_count = (uint32_t)crowd->count,
                           .number_count = crowd->number_count,
                           .obstacle_count = (uint32_t)crowd->obstacle_count,
                           .focus_count = (uint32_t)crowd->focus_count,
                           .request_count = (uint32_t)crowd->queue_count};
  const WmAgentNumber *numbers = crowd->numbers.items;
  for (uint32_t n = crowd->free_number; n != WM_NONE; n = numbers[n].index) head.free_count++;
  for (uint32_t i = 0; i < WM_CROWD_FILTERS; i++) head.filter_count += crowd->filters[i] != NULL;
  uint64_t key, number;
  for (size_t slot = 0; wm_crowd_next_demand(crowd, &slot, &key, &number);) head.demand_count++;
  return head;
}

/* The bytes of all tiles that were named while counting: they are coded before the polygons that name them. */
static size_t tile_bytes(const WmSavedCodec *codec) {
  size_t bytes = 0;
  for (uint32_t type = 0; type < codec->mesh_count; type++)
    bytes += codec->meshes[type].tile_count * sizeof(WmSavedTile);
  return bytes;
}

/* Counts the bytes, and then writes them. */
static WmStatus write_crowd(WmSavedCodec *codec, uint8_t **bytes, size_t *byte_count) {
  WmSavedCrowdHead head = make_head(codec->crowd);
  WmStatus status = wm_saved_open_meshes(codec);
  if (status) return status;
  codec->at = sizeof head;
  code_all(codec, &head);
  if (codec->status) return codec->status;
  const size_t end = codec->at + tile_bytes(codec), padded = (end + 7) & ~(size_t)7;
  head.byte_count = padded + sizeof(uint64_t);
  codec->bytes = wm_block_allocate(codec->context, (size_t)head.byte_count);
  if (!codec->bytes) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(codec->bytes, &head, sizeof head);
  codec->at = sizeof head;
  code_all(codec, &head);
  if (codec->status) {
    wm_block_free(codec->context, codec->bytes);
    return codec->status;
  }
  memset(codec->bytes + end, 0, padded - end);
  const uint64_t sum = wm_file_checksum(codec->bytes, padded);
  memcpy(codec->bytes + padded, &sum, sizeof sum);
  *bytes = codec->bytes;
  *byte_count = (size_t)head.byte_count;
  return WM_OK;
}

WmStatus wm_crowd_write(const WmCrowd *crowd, uint8_t **bytes, size_t *byte_count) {
  WmContext *context = crowd->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  *bytes = NULL;
  *byte_count = 0;
  /* The codec changes nothing while it writes. */
  WmSavedCodec codec = {.context = context, .crowd = (WmCrowd *)crowd, .mesh_count = crowd->mesh_count};
  codec.meshes = wm_scratch_zeroed(context, crowd->mesh_count, sizeof *codec.meshes);
  const WmStatus status = codec.meshes ? write_crowd(&codec, bytes, byte_count) : WM_ERROR_OUT_OF_MEMORY;
  wm_scratch_rewind(context, mark);
  return status;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static WmStatus read_head(WmContext *context, const uint8_t *bytes, size_t byte_count,
                          WmSavedCrowdHead *head) {
  uint64_t sum;
  *head = (WmSavedCrowdHead){0};
  if (byte_count >= sizeof head->magic) memcpy(head, bytes, sizeof head->magic);
  if (head->magic != WM_SAVED_CROWD_MAGIC)
    return wm_fail(context, WM_ERROR_CORRUPT, "file", "the file is no crowd");
  if (byte_count < sizeof *head + sizeof sum || byte_count % 8)
    return wm_fail(context, WM_ERROR_CORRUPT, "file", "the file is cut");
  memcpy(head, bytes, sizeof *head);
  if (head->version != WM_SAVED_CROWD_VERSION) {
    return wm_fail_number(context, WM_ERROR_CORRUPT, "file", "the file has version ", head->version,
                          ": only 1 can be read");
  }
  memcpy(&sum, bytes + byte_count - sizeof sum, sizeof sum);
  if (head->byte_count != byte_count || sum != wm_file_checksum(bytes, byte_count - sizeof sum)) {
    return wm_fail(context, WM_ERROR_CORRUPT, "file",
                   "the length or the checksum is wrong: the file was cut or altered");
  }
  return WM_OK;
}

WmStatus wm_saved_crowd_info(WmContext *context, const uint8_t *bytes, size_t byte_count,
                             WmSavedCrowdInfo *info) {
  WmSavedCrowdHead head;
  const WmStatus status = read_head(context, bytes, byte_count, &head);
  *info = (WmSavedCrowdInfo){0};
  if (status) return status;
  *info = (WmSavedCrowdInfo){.agent_count = head.agent_count,
                             .mesh_count = head.mesh_count,
                             .obstacle_count = head.obstacle_count,
                             .filter_count = head.filter_count,
                             .steps = head.steps};
  return WM_OK;
}

/* Makes a crowd without agents on the meshes. */
static WmStatus create_crowd(WmContext *context, const WmMesh *const *meshes, size_t mesh_count,
                             WmCrowd **crowd) {
  WmStatus status = wm_crowd_create(context, meshes[0], NULL, crowd);
  for (size_t type = 1; type < mesh_count && !status; type++)
    status = wm_crowd_add_mesh(*crowd, meshes[type], NULL);
  return status;
}

static WmStatus read_crowd(WmSavedCodec *codec, WmSavedCrowdHead *head) {
  codec->meshes = wm_scratch_zeroed(codec->context, codec->mesh_count, sizeof *codec->meshes);
  const WmStatus status = codec->meshes ? wm_saved_open_meshes(codec) : WM_ERROR_OUT_OF_MEMORY;
  if (status) return status;
  codec->crowd->steps = head->steps;
  code_all(codec, head);
  if (!codec->status && codec->end - codec->at >= 8) wm_saved_fail(codec, "the file has bytes after its end");
  if (!codec->status && !wm_crowd_validate(codec->crowd))
    wm_saved_fail(codec, "the parts of the crowd don't fit together");
  return codec->status;
}

WmStatus wm_crowd_read(WmContext *context, const uint8_t *bytes, size_t byte_count,
                       const WmMesh *const *meshes, size_t mesh_count, WmCrowd **crowd) {
  WmSavedCrowdHead head;
  *crowd = NULL;
  WmStatus status = read_head(context, bytes, byte_count, &head);
  if (status) return status;
  if (head.mesh_count == 0 || head.mesh_count > WM_CROWD_TYPES)
    return wm_fail(context, WM_ERROR_CORRUPT, "file", "the number of meshes is out of range");
  if (mesh_count != head.mesh_count) {
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "meshes",
                          "the number of the crowd's meshes is ", head.mesh_count,
                          ": pass all of them, in the order of their types");
  }
  status = create_crowd(context, meshes, mesh_count, crowd);
  const WmScratchMark mark = wm_scratch_mark(context);
  if (!status) {
    WmSavedCodec codec = {.context = context,
                          .crowd = *crowd,
                          .reads = true,
                          .source = bytes,
                          .at = sizeof head,
                          .end = byte_count - sizeof(uint64_t),
                          .mesh_count = (uint32_t)mesh_count};
    status = read_crowd(&codec, &head);
  }
  wm_scratch_rewind(context, mark);
  if (!status) return WM_OK;
  wm_crowd_destroy(*crowd);
  *crowd = NULL;
  return status;
}
