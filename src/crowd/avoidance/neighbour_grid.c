/* Sorts all bodies into the cells of a uniform grid on x and z, by a counting sort; and finds the nearest
 * ones of an agent.
 *
 * Cells are numbered by row, x + z * columns, modulo the length of a table: cells beside each other in a row
 * are consecutive, and bodies far apart may share a cell. The copies of bodies (WmBody) lie in the order of
 * cells, so that neighbours are near each other in memory as well.
 *
 * Neighbours are the nearest bodies by distance, at equal distances those with the smaller number: the order
 * of agents in the arrays is ignored. */
#include "base/simd.h"
#include "crowd/crowd_internal.h"

/* Bodies that one vector operation compares. */
enum { LANES = 4 };

/* ---- Sorting ---------------------------------------------------------------------------------------- */

/* The corner of the first cell, and the highest coordinates. */
static void find_bounds(WmCrowd *crowd, float low[2], float high[2]) {
  low[0] = low[1] = INFINITY;
  high[0] = high[1] = -INFINITY;
  const WmMovingObstacle *obstacles = crowd->obstacles.items;
  for (size_t i = 0; i < crowd->count + crowd->obstacle_count; i++) {
    const float *at = i < crowd->count ? crowd->positions + 3 * i : obstacles[i - crowd->count].position;
    for (int axis = 0; axis < 2; axis++) {
      low[axis] = at[2 * axis] < low[axis] ? at[2 * axis] : low[axis];
      high[axis] = at[2 * axis] > high[axis] ? at[2 * axis] : high[axis];
    }
  }
}

/* A hash of an agent's destination and mesh; 0 without a target. */
static uint32_t target_id_of(const WmAgentRecord *record) {
  if (record->order != WM_ORDER_TARGET) return 0;
  uint32_t bits[3], hash = record->parameters.type;
  memcpy(bits, record->destination, sizeof bits);
  for (int i = 0; i < 3; i++) hash = (hash ^ bits[i]) * 0x9e3779b1u ^ hash >> 15;
  return hash | 1;
}

static WmBody gather_agent(const WmCrowd *crowd, size_t i) {
  const WmAgentRecord *record = &crowd->records[i];
  const float *position = crowd->positions + 3 * i, *velocity = crowd->velocities + 3 * i;
  const uint8_t state = crowd->states[i];
  const bool walks = wm_agent_walks(state, crowd->reasons[i]);
  return (WmBody){.x = position[0],
                  .z = position[2],
                  .y = position[1],
                  .radius = record->parameters.radius,
                  .velocity_x = velocity[0],
                  .velocity_z = velocity[2],
                  .height = record->parameters.height,
                  .index = (uint32_t)i,
                  .number = wm_agent_number(crowd->agents[i]),
                  .group = record->parameters.group,
                  .avoids = record->parameters.avoids,
                  .target_id = target_id_of(record),
                  .row = record->row,
                  .priority = (uint8_t)record->parameters.priority,
                  .state = state,
                  .walks = walks,
                  .is_still = !walks || record->is_held,
                  .passes = record->passes,
                  .lets_pass = record->lets_pass,
                  .is_held = record->is_held || record->is_queued,
                  .is_paused = record->is_paused,
                  .waits_outside = record->passage == WM_PASSAGE_WAITS && !record->is_in_passage,
                  .comes_out = record->coming_out > 0 || (record->row && record->is_in_passage),
                  .parting_time = record->parting_time,
                  .yields = record->parameters.avoidance != WM_AVOIDANCE_NONE && !record->is_paused};
}

static WmBody gather_obstacle(const WmCrowd *crowd, size_t i) {
  const WmMovingObstacle *obstacle = (const WmMovingObstacle *)crowd->obstacles.items + i;
  return (WmBody){.x = obstacle->position[0],
                  .z = obstacle->position[2],
                  .y = obstacle->position[1],
                  .radius = obstacle->radius,
                  .velocity_x = obstacle->velocity[0],
                  .velocity_z = obstacle->velocity[2],
                  .height = obstacle->height,
                  .index = WM_NONE,
                  .number = (uint32_t)i | WM_OBSTACLE,
                  .group = UINT32_MAX,
                  .is_still = true};
}

/* Reserves the arrays for all bodies, and a table of at least twice as many cells.
 * out        *mask: of the table */
static WmStatus reserve(WmCrowd *crowd, uint32_t *mask) {
  const size_t most = crowd->count + crowd->obstacle_count;
  uint32_t cells = WM_CROWD_SMALLEST_TABLE;
  while (cells < 2 * most && cells < 1u << 30) cells *= 2;
  *mask = cells - 1;
  WmStatus status = wm_buffer_reserve(crowd->context, &crowd->bodies, most, sizeof(WmBody));
  for (int axis = 0; axis < 2 && !status; axis++) {
    status = wm_buffer_reserve(crowd->context, &crowd->body_axes[axis], most + LANES, sizeof(float));
  }
  if (!status)
    status = wm_buffer_reserve(crowd->context, &crowd->contact_bodies, most, sizeof(WmContactBody));
  if (!status) status = wm_buffer_reserve(crowd->context, &crowd->body_indices, most, sizeof(uint32_t));
  if (!status) {
    status = wm_buffer_reserve(crowd->context, &crowd->cell_first, (size_t)cells + 2, sizeof(uint32_t));
  }
  return status;
}

WmStatus wm_crowd_sort(WmCrowd *crowd) {
  float high[2];
  uint32_t mask;
  crowd->body_count = 0;
  const WmStatus status = reserve(crowd, &mask);
  if (status) return status;
  float low[2];
  find_bounds(crowd, low, high);
  if (crowd->count + crowd->obstacle_count == 0) return WM_OK;
  crowd->grid_low[0] = low[0];
  crowd->grid_low[1] = low[1];
  crowd->cell_mask = mask;
  crowd->cell_columns = wm_crowd_cell(high[0], low[0]) + 1;
  crowd->cell_rows = wm_crowd_cell(high[1], low[1]) + 1;
  uint32_t *first = crowd->cell_first.items, *cells = crowd->body_indices.items;
  memset(first, 0, ((size_t)mask + 2) * sizeof *first);
  const size_t all = crowd->count + crowd->obstacle_count;
  const WmMovingObstacle *obstacles = crowd->obstacles.items;
  for (size_t i = 0; i < all; i++) {
    const bool is_agent = i < crowd->count;
    const float *at = is_agent ? crowd->positions + 3 * i : obstacles[i - crowd->count].position;
    cells[i] = WM_NONE;
    if (is_agent && !wm_agent_takes_part(crowd->states[i])) continue;
    const int32_t x = wm_crowd_cell(at[0], low[0]), z = wm_crowd_cell(at[2], low[1]);
    cells[i] = ((uint32_t)x + (uint32_t)z * (uint32_t)crowd->cell_columns) & mask;
    first[cells[i] + 1]++;
    crowd->body_count++;
  }
  for (uint32_t cell = 0; cell <= mask; cell++) first[cell + 1] += first[cell];
  WmBody *bodies = crowd->bodies.items;
  float *xs = crowd->body_axes[0].items, *zs = crowd->body_axes[1].items;
  /* Afterwards first[cell] is the end of the cell, which is the beginning of the next one: moved up by
   * one. */
  for (size_t i = 0; i < all; i++) {
    if (cells[i] == WM_NONE) continue;
    const uint32_t body = first[cells[i]]++;
    bodies[body] = i < crowd->count ? gather_agent(crowd, i) : gather_obstacle(crowd, i - crowd->count);
    xs[body] = bodies[body].x;
    zs[body] = bodies[body].z;
    cells[i] = body;
  }
  memmove(first + 1, first, ((size_t)mask + 1) * sizeof *first);
  first[0] = 0;
  return WM_OK;
}

/* ---- Neighbours ------------------------------------------------------------------------------------- */

typedef struct Nearest {
  float squared[WM_CROWD_NEIGHBOURS];
  uint32_t indices[WM_CROWD_NEIGHBOURS];
  uint32_t count, limit;
  float farthest; /* squared: bodies farther away are ignored */
  uint32_t met;   /* bodies within that */
} Nearest;

/* The arrays stay unset: `count` says how much of them is in use. */
static void begin_nearest(Nearest *nearest, uint32_t limit, float range) {
  nearest->count = nearest->met = 0;
  nearest->limit = limit;
  nearest->farthest = range * range;
}

static void insert(Nearest *nearest, const WmBody *bodies, uint32_t body, float squared) {
  uint32_t at = nearest->count;
  while (at > 0 && (squared < nearest->squared[at - 1] ||
                    (squared == nearest->squared[at - 1] &&
                     bodies[body].number <= bodies[nearest->indices[at - 1]].number))) {
    at--;
    if (nearest->indices[at] == body) return; /* two rows may share a cell */
  }
  if (at == nearest->limit) return;
  if (nearest->count < nearest->limit) nearest->count++;
  for (uint32_t k = nearest->count - 1; k > at; k--) {
    nearest->squared[k] = nearest->squared[k - 1];
    nearest->indices[k] = nearest->indices[k - 1];
  }
  nearest->squared[at] = squared;
  nearest->indices[at] = body;
}

/* Considers a body within the distance. */
WM_INLINE void meet(const WmBody *bodies, const WmBody *own, uint32_t body, float squared, Nearest *nearest) {
  const WmBody *other = &bodies[body];
  if (other == own || !(other->group & own->avoids)) return;
  if (other->y >= own->y + own->height || own->y >= other->y + other->height) return;
  nearest->met++;
  /* Approaching bodies are more urgent than others at the same distance: at 1 unit a
   * second, as if at 0.71 of it. */
  const float x = other->x - own->x, z = other->z - own->z;
  const float closing = (own->velocity_x - other->velocity_x) * x + (own->velocity_z - other->velocity_z) * z;
  const float urgent = closing > 0 ? squared / (1 + closing / sqrtf(squared)) : squared;
  insert(nearest, bodies, body, urgent);
}

static void look_at(const WmCrowd *crowd, const WmBody *own, uint32_t first, uint32_t end, Nearest *nearest) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  const float *xs = crowd->body_axes[0].items, *zs = crowd->body_axes[1].items;
  const WmFloat4 own_x = wm_splat_float4(own->x), own_z = wm_splat_float4(own->z);
  const WmFloat4 farthest = wm_splat_float4(nearest->farthest);
  for (uint32_t k = first; k < end; k += LANES) {
    const WmFloat4 x = wm_load_float4(xs + k) - own_x, z = wm_load_float4(zs + k) - own_z;
    const WmFloat4 squared = x * x + z * z;
    uint32_t within = (uint32_t)wm_mask_int4((WmInt4)(squared <= farthest));
    if (end - k < LANES) within &= (1u << (end - k)) - 1;
    for (; within; within &= within - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(within);
      meet(bodies, own, k + lane, squared[lane], nearest);
    }
  }
}

/* The number of neighbours that an agent avoids. */
static uint32_t neighbour_limit(uint32_t avoidance, bool is_far) {
  if (is_far) return WM_CROWD_FEW_NEIGHBOURS;
  return avoidance == WM_AVOIDANCE_HIGH  ? WM_CROWD_MOST_NEIGHBOURS
         : avoidance == WM_AVOIDANCE_LOW ? WM_CROWD_FEW_NEIGHBOURS
                                         : WM_CROWD_USUAL_NEIGHBOURS;
}

/* Visits the cells within `range`. */
static void search_cells(const WmCrowd *crowd, const WmBody *own, float range, Nearest *nearest) {
  const uint32_t *first = crowd->cell_first.items;
  const uint32_t mask = crowd->cell_mask, columns = (uint32_t)crowd->cell_columns;
  const float low_x = own->x - range, low_z = own->z - range;
  const int32_t x_first = low_x > crowd->grid_low[0] ? wm_crowd_cell(low_x, crowd->grid_low[0]) : 0;
  const int32_t z_first = low_z > crowd->grid_low[1] ? wm_crowd_cell(low_z, crowd->grid_low[1]) : 0;
  int32_t x_last = wm_crowd_cell(own->x + range, crowd->grid_low[0]);
  int32_t z_last = wm_crowd_cell(own->z + range, crowd->grid_low[1]);
  if (x_last >= crowd->cell_columns) x_last = crowd->cell_columns - 1;
  if (z_last >= crowd->cell_rows) z_last = crowd->cell_rows - 1;
  const uint32_t width = (uint32_t)(x_last - x_first) + 1;
  /* More columns or rows than cells of the table. */
  if (width > mask || (uint32_t)(z_last - z_first) >= mask) {
    look_at(crowd, own, 0, (uint32_t)crowd->body_count, nearest);
    return;
  }
  for (int32_t z = z_first; z <= z_last; z++) {
    const uint32_t begin = ((uint32_t)x_first + (uint32_t)z * columns) & mask;
    const uint32_t end = begin + width; /* may wrap around */
    look_at(crowd, own, first[begin], first[end <= mask + 1 ? end : mask + 1], nearest);
    if (end > mask + 1) look_at(crowd, own, 0, first[end - mask - 1], nearest);
  }
}

/* Finds the neighbours again, and adapts the neighbour range. */
static void find_anew(WmCrowd *crowd, const WmBody *own, bool is_far) {
  WmAgentRecord *record = &crowd->records[own->index];
  const WmBody *bodies = wm_crowd_bodies(crowd);
  const float range = record->neighbour_range;
  Nearest nearest;
  begin_nearest(&nearest, neighbour_limit(record->parameters.avoidance, is_far), range);
  search_cells(crowd, own, range, &nearest);
  uint32_t *found = crowd->found + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  for (uint32_t k = 0; k < nearest.count; k++) {
    const WmBody *other = bodies + nearest.indices[k];
    found[k] = other->index != WM_NONE ? other->index : other->number; /* which contains WM_OBSTACLE */
  }
  crowd->found_counts[own->index] = (uint8_t)nearest.count;
  /* In dense crowds the next search covers less, so that it finds a few dozen bodies. */
  const float most = crowd->options.neighbour_range;
  float reach = nearest.met > WM_CROWD_MET_HIGH  ? WM_CROWD_RANGE_SHRINK * range
                : nearest.met < WM_CROWD_MET_LOW ? WM_CROWD_RANGE_GROWTH * range
                                                 : range;
  const float least = WM_CROWD_SHORTEST_RANGE * record->parameters.radius;
  reach = reach < least ? least : reach;
  record->neighbour_range = reach < most ? reach : most;
}

static bool is_far(const WmCrowd *crowd, const WmBody *own) {
  const float *focus = crowd->focus.items;
  for (size_t i = 0; i < crowd->focus_count; i++, focus += 3) {
    const float x = own->x - focus[0], z = own->z - focus[2];
    if (x * x + z * z <= crowd->options.focus_radius * crowd->options.focus_radius) return false;
  }
  return crowd->focus_count > 0;
}

void wm_crowd_find_neighbours(WmCrowd *crowd, size_t body) {
  const WmBody *own = wm_crowd_bodies(crowd) + body;
  const bool far = is_far(crowd, own);
  const uint64_t turn =
      (crowd->steps + own->number) % (far ? WM_CROWD_FAR_PERIOD : WM_CROWD_NEIGHBOUR_PERIOD);
  if (turn == 0 || crowd->neighbours_are_stale || crowd->found_counts[own->index] == 0)
    find_anew(crowd, own, far);
  /* Their present indices; agents on connections have none. */
  const uint32_t *indices = crowd->body_indices.items;
  const uint32_t *found = crowd->found + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  uint32_t *neighbours = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index, count = 0;
  for (uint32_t k = 0; k < crowd->found_counts[own->index]; k++) {
    const size_t obstacle = found[k] & ~WM_OBSTACLE;
    if (found[k] & WM_OBSTACLE && obstacle >= crowd->obstacle_count) continue;
    const size_t at = found[k] & WM_OBSTACLE ? crowd->count + obstacle : found[k];
    if (indices[at] != WM_NONE) neighbours[count++] = indices[at];
  }
  crowd->neighbour_counts[own->index] = (uint8_t)count;
}

bool wm_crowd_is_free(const WmCrowd *crowd, size_t body, float x, float z) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  WmBody there = bodies[body];
  const float range = WM_CROWD_SHORTEST_RANGE * there.radius;
  Nearest nearest;
  begin_nearest(&nearest, WM_CROWD_NEIGHBOURS, range);
  there.x = x;
  there.z = z;
  search_cells(crowd, &there, range, &nearest);
  for (uint32_t k = 0; k < nearest.count; k++) {
    const WmBody *other = bodies + nearest.indices[k];
    const float to_x = other->x - x, to_z = other->z - z, both = there.radius + other->radius;
    if (other != bodies + body && to_x * to_x + to_z * to_z < both * both) return false;
  }
  return true;
}

/* ---- Oncoming agents -------------------------------------------------------------------------------- */

/* Counts oncoming agents in the cell of a point, `ahead` of the agent. Counts, not sums of floats, so that
 * their order is ignored. */
static uint32_t count_in_cell(const WmCrowd *crowd, const WmBody *own, const float point[2], float ahead) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  const WmAgentRecord *record = &crowd->records[own->index];
  const uint32_t *first = crowd->cell_first.items;
  const uint32_t x = (uint32_t)wm_crowd_cell(point[0], crowd->grid_low[0]);
  const uint32_t z = (uint32_t)wm_crowd_cell(point[1], crowd->grid_low[1]);
  const uint32_t cell = (x + z * (uint32_t)crowd->cell_columns) & crowd->cell_mask;
  const float slow = -WM_CROWD_ONCOMING_SPEED * record->parameters.max_speed;
  uint32_t count = 0;
  for (uint32_t k = first[cell]; k < first[cell + 1]; k++) {
    const WmBody *other = bodies + k;
    const float along = other->velocity_x * record->direction[0] + other->velocity_z * record->direction[1];
    if (!(along < slow) || !(other->group & own->avoids)) continue;
    /* Bodies far apart may share a cell. */
    if (fabsf(other->x - point[0]) > WM_CROWD_CELL_SIZE || fabsf(other->z - point[1]) > WM_CROWD_CELL_SIZE)
      continue;
    count += fabsf(other->y - own->y) < own->height + WM_CROWD_ONCOMING_SLOPE * ahead;
  }
  return count;
}

uint32_t wm_crowd_count_oncoming(const WmCrowd *crowd, size_t body, float sight) {
  const WmBody *own = wm_crowd_bodies(crowd) + body;
  const WmAgentRecord *record = &crowd->records[own->index];
  float left = sight;
  if (record->corner_count > 0) {
    const float *corner = record->corners[0].point;
    const float x = corner[0] - own->x, z = corner[2] - own->z, length = sqrtf(x * x + z * z);
    left = length < left ? length : left;
  }
  uint32_t count = 0;
  /* A few whole cells, which are exact. */
  /* NOLINTNEXTLINE(cert-flp30-c,clang-analyzer-security.FloatLoopCounter) */
  for (float ahead = WM_CROWD_CELL_SIZE; ahead < left; ahead += WM_CROWD_CELL_SIZE) {
    const float point[2] = {own->x + record->direction[0] * ahead, own->z + record->direction[1] * ahead};
    if (point[0] < crowd->grid_low[0] || point[1] < crowd->grid_low[1]) break;
    if (wm_crowd_cell(point[0], crowd->grid_low[0]) >= crowd->cell_columns) break;
    if (wm_crowd_cell(point[1], crowd->grid_low[1]) >= crowd->cell_rows) break;
    count += count_in_cell(crowd, own, point, ahead);
  }
  return count;
}
