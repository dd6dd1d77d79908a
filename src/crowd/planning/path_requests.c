/* The queue of path requests: a ring, the oldest first; those of one step by the distance to their targets. An
 * agent has one entry at most: a repeated request stays at its entry, and is for the newest target. */
#include "base/sort.h"
#include "crowd/crowd_internal.h"

static WmPathRequest *get_entry(const WmCrowd *crowd, size_t k) {
  return (WmPathRequest *)crowd->queue.items + (crowd->queue_first + k) % crowd->queue.capacity;
}

WmStatus wm_crowd_reserve_requests(WmCrowd *crowd, size_t more) {
  const size_t capacity = crowd->queue.capacity;
  if (crowd->queue_count + more <= capacity) return WM_OK;
  const WmStatus status =
      wm_buffer_reserve(crowd->context, &crowd->queue, crowd->queue_count + more, sizeof(WmPathRequest));
  if (status) return status;
  /* Entries before the wrap-around move to the end of the larger ring. */
  WmPathRequest *items = crowd->queue.items;
  if (crowd->queue_first + crowd->queue_count > capacity) {
    const size_t tail = capacity - crowd->queue_first;
    memmove(items + crowd->queue.capacity - tail, items + crowd->queue_first, tail * sizeof *items);
    crowd->queue_first = crowd->queue.capacity - tail;
  }
  return WM_OK;
}

/* A square's number along an axis, as the bits of a float: far away an integer would depend on the
 * platform. */
static uint32_t square_of(float coordinate) {
  const float square = floorf(coordinate / WM_CROWD_TARGET_SQUARE) + 0.0f; /* -0 becomes 0 */
  uint32_t bits;
  memcpy(&bits, &square, sizeof bits);
  return bits;
}

uint64_t wm_crowd_target_key(const WmCrowd *crowd, const WmAgentRecord *record) {
  const uint64_t is_alone = wm_agent_plans_alone(record);
  const uint64_t kind = is_alone << 16 | (uint64_t)record->parameters.type << 8 | record->parameters.filter;
  const uint32_t x = square_of(record->target[0]), z = square_of(record->target[2]);
  const uint64_t polygon = wm_crowd_polygon_key(wm_agent_mesh(crowd, record)->mesh, record->target_polygon);
  uint64_t key = (polygon ^ kind << 47) * 0x9e3779b97f4a7c15u;
  key = (key ^ key >> 29 ^ ((uint64_t)x << 32 | z)) * 0xbf58476d1ce4e5b9u;
  return (key ^ key >> 31) | 1;
}

/* The queue's entry of an agent; NULL if it can't be found (ids have wrapped around). */
static WmPathRequest *find_entry(const WmCrowd *crowd, size_t index) {
  if (crowd->queue_count == 0) return NULL;
  const WmAgentRecord *record = &crowd->records[index];
  const uint32_t k = record->queued - get_entry(crowd, 0)->request;
  if (k >= crowd->queue_count) return NULL;
  WmPathRequest *entry = get_entry(crowd, k);
  return entry->request == record->queued && entry->agent == crowd->agents[index] ? entry : NULL;
}

WmStatus wm_crowd_request(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  if (record->order != WM_ORDER_TARGET) return WM_OK;
  record->needs_plan = true;
  record->search_is_outdated = false;
  if (record->queued) { /* it stays at its entry, however often its target changes */
    record->request = record->queued;
    WmPathRequest *entry = find_entry(crowd, index);
    if (entry) entry->key = wm_crowd_target_key(crowd, record);
    return WM_OK;
  }
  const WmStatus status = wm_crowd_reserve_requests(crowd, 1);
  if (status) { /* requested again by wm_crowd_check_mesh */
    record->request = 0;
    return status;
  }
  if (++crowd->request == 0) crowd->request = 1;
  record->request = record->queued = crowd->request;
  *get_entry(crowd, crowd->queue_count++) =
      (WmPathRequest){crowd->agents[index], wm_crowd_target_key(crowd, record), record->request};
  return WM_OK;
}

WmStatus wm_crowd_request_target(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const bool is_searched = on->is_searching && on->searcher == crowd->agents[index] &&
                           on->request == record->request && record->needs_plan;
  if (!is_searched) return wm_crowd_request(crowd, index);
  record->search_is_outdated = true;
  return WM_OK;
}

/* ---- The order of the requests of a step ------------------------------------------------------------- */

/* The distance of an agent from its target, as bits that sort like it; 0 if many agents share it, as a flow field
 * answers them all at once, near ones first; those that plan alone use none. */
static uint32_t distance_of(const WmCrowd *crowd, const WmPathRequest *request) {
  size_t index;
  float distance = INFINITY;
  bool has_demand = crowd->options.max_fields > 0;
  if (request->agent && wm_crowd_peek(crowd, request->agent, &index)) {
    const WmAgentRecord *record = &crowd->records[index];
    distance = wm_squared_distance_on_plane(crowd->positions + 3 * index, record->target);
    has_demand = has_demand && !wm_agent_plans_alone(record);
  }
  if (has_demand && wm_crowd_demand(crowd, request->key) >= WM_CROWD_FIELD_SHARED_BY) distance = 0;
  uint32_t bits;
  memcpy(&bits, &distance, sizeof bits);
  return bits;
}

/* Puts the request of another entry into an entry, which keeps its id: ids in the queue are consecutive. */
static void put_request(WmCrowd *crowd, WmPathRequest *entry, const WmPathRequest *other) {
  size_t index;
  entry->agent = other->agent;
  entry->key = other->key;
  if (!other->agent || !wm_crowd_peek(crowd, other->agent, &index)) return;
  WmAgentRecord *record = &crowd->records[index];
  if (record->request == other->request) record->request = entry->request;
  if (record->queued == other->request) record->queued = entry->request;
}

/* Sorts the newest `count` requests. */
static WmStatus sort_newest(WmCrowd *crowd, size_t count) {
  WmSortItem *items = wm_scratch_array(crowd->context, 2 * count, sizeof *items);
  WmPathRequest *requests = wm_scratch_array(crowd->context, count, sizeof *requests);
  if (!items || !requests) return WM_ERROR_OUT_OF_MEMORY;
  const size_t first = crowd->queue_count - count;
  for (size_t k = 0; k < count; k++) {
    requests[k] = *get_entry(crowd, first + k);
    items[k] = (WmSortItem){.key = distance_of(crowd, &requests[k]), .value = (uint32_t)k};
  }
  wm_sort_stable(items, items + count, count);
  /* Each record is changed once: the ids that are compared are those of before. */
  for (size_t k = 0; k < count; k++)
    put_request(crowd, get_entry(crowd, first + k), &requests[items[k].value]);
  return WM_OK;
}

WmStatus wm_crowd_sort_requests(WmCrowd *crowd) {
  const uint32_t fresh = crowd->request - crowd->sorted_request;
  const size_t count = fresh < crowd->queue_count ? fresh : crowd->queue_count;
  if (count >= 2) {
    const WmScratchMark mark = wm_scratch_mark(crowd->context);
    const WmStatus status = sort_newest(crowd, count);
    wm_scratch_rewind(crowd->context, mark);
    if (status) return status;
  }
  crowd->sorted_request = crowd->request;
  return WM_OK;
}

/* ---- Taking requests --------------------------------------------------------------------------------- */

bool wm_crowd_is_wanted(const WmCrowd *crowd, WmAgent agent, uint32_t request, size_t *index) {
  if (!agent || !wm_crowd_peek(crowd, agent, index)) return false;
  const WmAgentRecord *record = &crowd->records[*index];
  return record->needs_plan && record->request == request && record->order == WM_ORDER_TARGET;
}

bool wm_crowd_next_request(WmCrowd *crowd, size_t *index) {
  while (crowd->queue_count > 0) {
    const WmPathRequest entry = *get_entry(crowd, 0);
    crowd->queue_first = (crowd->queue_first + 1) % crowd->queue.capacity;
    crowd->queue_count--;
    if (!entry.agent) {
      crowd->removed_requests--;
      continue;
    }
    if (wm_crowd_peek(crowd, entry.agent, index)) crowd->records[*index].queued = 0;
    if (wm_crowd_is_wanted(crowd, entry.agent, entry.request, index)) return true;
  }
  return false;
}

bool wm_crowd_find_request(const WmCrowd *crowd, uint64_t key, size_t *slot, size_t *index) {
  for (; *slot < crowd->queue_count; ++*slot) {
    const WmPathRequest *entry = get_entry(crowd, *slot);
    if (entry->key == key && wm_crowd_is_wanted(crowd, entry->agent, entry->request, index)) return true;
  }
  return false;
}

void wm_crowd_remove_request(WmCrowd *crowd, size_t slot) {
  WmPathRequest *entry = get_entry(crowd, slot);
  size_t index;
  if (wm_crowd_peek(crowd, entry->agent, &index)) crowd->records[index].queued = 0;
  entry->agent = 0;
  crowd->removed_requests++;
}

/* ---- Requests by target ----------------------------------------------------------------------------- */

/* Requests by key, in a hash table that is filled once a step. */
typedef struct Demand {
  uint64_t key; /* 0: empty */
  uint64_t count;
} Demand;

static Demand *find_demand(const WmCrowd *crowd, uint64_t key) {
  Demand *table = crowd->demand.items;
  size_t at = (size_t)(key >> 7) & (crowd->demand_size - 1);
  while (table[at].key && table[at].key != key) at = (at + 1) & (crowd->demand_size - 1);
  return &table[at];
}

WmStatus wm_crowd_reserve_demand(WmCrowd *crowd, size_t count) {
  size_t size = 16;
  while (size < 2 * count) size *= 2;
  crowd->demand_size = 0;
  const WmStatus status = wm_buffer_reserve(crowd->context, &crowd->demand, size, sizeof(Demand));
  if (status) return status;
  crowd->demand_size = size;
  memset(crowd->demand.items, 0, size * sizeof(Demand));
  return WM_OK;
}

void wm_crowd_add_demand(WmCrowd *crowd, uint64_t key, uint64_t number) {
  Demand *demand = find_demand(crowd, key);
  demand->key = key;
  demand->count += number;
}

bool wm_crowd_next_demand(const WmCrowd *crowd, size_t *slot, uint64_t *key, uint64_t *number) {
  for (; *slot < crowd->demand_size; ++*slot) {
    const Demand *demand = (const Demand *)crowd->demand.items + *slot;
    if (!demand->key) continue;
    *key = demand->key;
    *number = demand->count;
    ++*slot;
    return true;
  }
  return false;
}

WmStatus wm_crowd_count_demand(WmCrowd *crowd) {
  const WmStatus status = wm_crowd_reserve_demand(crowd, crowd->queue_count);
  if (status) return status;
  for (size_t k = 0; k < crowd->queue_count; k++) {
    const WmPathRequest *entry = get_entry(crowd, k);
    if (entry->agent) wm_crowd_add_demand(crowd, entry->key, 1);
  }
  return WM_OK;
}

size_t wm_crowd_demand(const WmCrowd *crowd, uint64_t key) {
  return crowd->demand_size ? (size_t)find_demand(crowd, key)->count : 0;
}
