/* The search for a cheap corridor where ground costs differ: A* over spots, points on portals.
 *
 * A gate is a portal in the direction in which it is crossed, or a way over a segment link; it enters a polygon. Its spots are both
 * ends of the portal, and points between them, more on longer ones. From a spot straight lines lead to the spots of all other gates of
 * the polygon, at its unit cost. So a way may turn on any portal, where the string of a corridor turns at ends of portals only. Where
 * the polygon before or behind a portal is cheaper, a way may also go along the portal there, to where the rest costs least. The
 * cheapest way tells the corridor; the line through it is then found exactly (cheapest_line.c).
 *
 * The search goes on from the corridor that others have found: ways that must cost as much are not followed, and none if it is proven
 * that no way costs less, as where the shortest line crosses the cheapest ground only.
 *
 * Sources: J. S. B. Mitchell, C. H. Papadimitriou, "The Weighted Region Problem: Finding Shortest Paths Through a Weighted Planar
 * Subdivision", 1991; L. Aleksandrov, A. Maheshwari, J.-R. Sack, "Determining Approximate Shortest Paths on Weighted Polyhedral
 * Surfaces", 2005. */
#include "mesh/locate.h"
#include "query/cheapest/cheapest_line.h"
#include "query/search/search_internal.h"

#define NO_SPOT UINT32_MAX

enum {
  SPOTS = 9,          /* of a gate, at most */
  FIRST_TABLE = 1024, /* places for gates in the table */
  FIRST_GATES = 256,  /* gates, and spots, for which there is memory from the start */
  FIRST_SPOTS = 1024,
  SPOTS_PER_POLYGON = 64, /* that the ordinary search has met: more are not expanded */
  LEAST_SPOTS = 1024
};

/* Radii of the agent between two spots. */
#define SPACING 8.0f

/* Of the lower bound of a way's rest, for rounding. */
#define SLACK 0.9999f

/* The rest of a way counts this many times its lower bound: where costs differ much, the bound alone would let the search expand
 * most of the mesh. */
#define WEIGHT 1.1f

/* A way must cost less than the best one by this, relative to it. */
#define GAIN 1e-5f

/* A way over spots that costs less than this times a string costs less than the line through the string's corridor. */
#define SURELY_LESS 0.8f

/* A point at which a way enters the polygon of its gate. */
typedef struct WmSpot {
  float position[3];
  float cost;  /* from the start; INFINITY: no way leads here yet */
  float total; /* of its newest key; below 0: expanded */
  uint32_t parent, gate;
} WmSpot;

/* A portal between two costs. A way through the dearer ground goes to it, or comes from it, at the angle whose sine is the ratio of
 * both, where it goes on along the portal on the cheaper side, or comes from there. */
typedef struct Border {
  float along[3], length; /* from the first spot on; length 0: there is none */
  float cost;             /* of a world unit on the cheaper side */
  float slope_squared;    /* of that way: along the portal, for each world unit of distance from it */
  bool is_cheaper_before; /* the cheaper side is that of the polygon which the gate leaves */
} Border;

typedef struct WmGate {
  uint32_t slot, link; /* the link that enters the polygon, of the tile in that slot; of the start: NO_SPOT */
  uint32_t entry;      /* of a way over a segment link: the link onto it; else WM_NO_LINK */
  uint32_t entry_slot; /* and the tile of that */
  uint32_t first, count; /* spots */
  Border border;
  /* Counts where a way enters dearer ground: of ways that cost the same, those past the corners of dear ground lose. */
  float toll;
  /* The gates that ways through this one lead to, in WM_QUERY_NEXT_GATES; NO_LIST: not listed, as no spot was expanded yet, or some of
   * them are segment links. */
  uint32_t next_first, next_count;
} WmGate;

#define NO_LIST UINT32_MAX

/* Distance in dearer ground that counts as a toll, in spacings of spots. */
#define TOLL 1e-3f

/* Portals have borders where ground on one side costs less than this times that on the other. */
#define BORDER_RATIO 0.4f

_Static_assert(sizeof(WmSpot) == WM_SPOT_BYTES && sizeof(WmGate) == WM_GATE_BYTES, "query.c knows them");

static void *items_of(const WmSearchState *state, WmQueryArray array) {
  return state->query->arrays[array].items;
}
static WmSpot *spots_of(const WmSearchState *state) { return items_of(state, WM_QUERY_SPOTS); }
static WmGate *gates_of(const WmSearchState *state) { return items_of(state, WM_QUERY_GATES); }
static uint32_t *next_gates_of(const WmSearchState *state) { return items_of(state, WM_QUERY_NEXT_GATES); }

/* ---- Gates -------------------------------------------------------------------------------------------- */

static uint32_t hash_of(const WmGate *gate) {
  uint32_t hash =
      gate->slot * 0x9e3779b1u ^ gate->link * 0x85ebca77u ^ gate->entry * 0xc2b2ae3du ^ gate->entry_slot;
  hash ^= hash >> 15;
  return hash * 0x2c1b3c6du >> 7;
}

static bool is_same_gate(const WmGate *a, const WmGate *b) {
  return a->slot == b->slot && a->link == b->link && a->entry == b->entry && a->entry_slot == b->entry_slot;
}

/* The place of a gate in the table, or the free one for it. */
static uint32_t *find_place(const WmSearchState *state, const WmGate *gate) {
  uint32_t *table = items_of(state, WM_QUERY_GATE_TABLE);
  const uint32_t mask = state->spots.table_size - 1;
  uint32_t at = hash_of(gate) & mask;
  while (table[at] && !is_same_gate(gates_of(state) + table[at] - 1, gate)) at = (at + 1) & mask;
  return table + at;
}

/* Makes a table of `size` places, and puts all gates into it. */
static WmStatus make_table(WmSearchState *state, uint32_t size) {
  const WmStatus status = wm_query_reserve(state->query, WM_QUERY_GATE_TABLE, WM_QUERY_GATE_TABLE, size);
  if (status) return status;
  memset(items_of(state, WM_QUERY_GATE_TABLE), 0, size * sizeof(uint32_t));
  state->spots.table_size = size;
  for (uint32_t i = 0; i < state->spots.gate_count; i++) *find_place(state, gates_of(state) + i) = i + 1;
  return WM_OK;
}

/* The portal of a gate: of a way over a segment link, on both of its sides. */
typedef struct Portal {
  float entry[6], exit[6];
  float cost; /* of the link */
} Portal;

static void find_spot(const float portal[6], uint32_t k, uint32_t count, float point[3]) {
  wm_interpolate(portal, portal + 3, count > 1 ? (float)k / (float)(count - 1) : 0.5f, point);
}

/* in         before, after: costs of a world unit on both sides, which differ */
static Border make_border(const float portal[6], float before, float after) {
  const float cost = fminf(before, after), ratio = cost / fmaxf(before, after);
  Border border = {.length = wm_distance(portal, portal + 3),
                   .cost = cost,
                   .slope_squared = ratio * ratio / (1 - ratio * ratio),
                   .is_cheaper_before = before < after};
  for (int k = 0; k < 3; k++) border.along[k] = (portal[3 + k] - portal[k]) / border.length;
  return border;
}

/* Finds the gate, or adds it with its spots.
 * in         before, after: costs of a world unit of the polygons that it leaves and enters
 * returns    NO_SPOT: out of memory */
static uint32_t add_gate(WmSearchState *state, const WmGate *key, const Portal *portal, float before,
                         float after, float spacing) {
  WmSpotSearch *search = &state->spots;
  uint32_t *place = find_place(state, key);
  if (*place) return *place - 1;
  const float width = sqrtf(wm_squared_distance_on_plane(portal->exit, portal->exit + 3));
  const float between = fminf(width / spacing, SPOTS - 3);
  const uint32_t count = width > 0 ? 3 + (uint32_t)(between > 0 ? between : 0) : 1;
  if (wm_query_reserve(state->query, WM_QUERY_GATES, WM_QUERY_GATES, (size_t)search->gate_count + 1))
    return NO_SPOT;
  if (wm_query_reserve(state->query, WM_QUERY_SPOTS, WM_QUERY_SPOTS, (size_t)search->spot_count + count))
    return NO_SPOT;
  WmGate *gate = gates_of(state) + search->gate_count;
  *gate = *key;
  gate->first = search->spot_count;
  gate->count = count;
  gate->border = count > 1 && fminf(before, after) < BORDER_RATIO * fmaxf(before, after)
                     ? make_border(portal->exit, before, after)
                     : (Border){0};
  gate->toll = fmaxf(after - before, 0) * spacing * TOLL;
  gate->next_count = NO_LIST;
  for (uint32_t k = 0; k < count; k++) {
    WmSpot *spot = spots_of(state) + search->spot_count++;
    *spot = (WmSpot){.cost = INFINITY, .parent = NO_SPOT, .gate = search->gate_count};
    find_spot(portal->exit, k, count, spot->position);
  }
  *place = ++search->gate_count;
  if (search->gate_count * 2 > search->table_size && make_table(state, search->table_size * 2))
    return NO_SPOT;
  return search->gate_count - 1;
}

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* The spot that is expanded, and the polygon that it enters. */
typedef struct From {
  uint32_t number, polygon;
  const WmMeshTile *tile;
  float position[3], cost, unit_cost;
  uint32_t gate;    /* its own */
  bool is_bordered; /* behind that gate's border ground is cheaper */
  float place;      /* along that border */
  /* The polygon that the way comes from, unless it may turn back there: where that is dearer. NULL: there is none. */
  const WmMeshTile *former_tile;
  uint32_t former;
} From;

static bool passes(const WmSearchState *state, const WmMeshTile *tile, uint32_t polygon) {
  return wm_filter_passes(state->filter, tile->polygon_flags[polygon]);
}

static WmStatus push(WmSearchState *state, uint32_t number, float total) {
  WmSpotSearch *search = &state->spots;
  const size_t needed = search->heap_count + 1 + WM_HEAP_MARGIN;
  if (needed > state->query->arrays[WM_QUERY_SPOT_KEYS].capacity) {
    const WmStatus status = wm_query_reserve(state->query, WM_QUERY_SPOT_KEYS, WM_QUERY_SPOT_KEYS, needed);
    if (status) return status;
  }
  uint64_t *keys = items_of(state, WM_QUERY_SPOT_KEYS);
  if (search->heap_count == 0) wm_heap_clear(keys);
  spots_of(state)[number].total = total;
  const uint64_t key = wm_heap_key(total, number);
  if (search->is_top_removed) {
    wm_heap_replace(keys, search->heap_count, key);
  } else {
    wm_heap_push(keys, &search->heap_count, key);
  }
  search->is_top_removed = false;
  return WM_OK;
}

/* A point in the dearer ground beside a border. */
typedef struct Beside {
  float at, squared; /* along the border; its distance from that */
} Beside;

static Beside find_beside(const WmSearchState *state, const WmGate *gate, const float point[3]) {
  const float *origin = spots_of(state)[gate->first].position;
  Beside beside = {0};
  for (int k = 0; k < 3; k++) {
    const float to = point[k] - origin[k];
    beside.at += to * gate->border.along[k];
    beside.squared += to * to;
  }
  beside.squared = fmaxf(beside.squared - beside.at * beside.at, 0);
  return beside;
}

/* The cost between a point in the dearer ground and a place along the border: straight, or in part along it.
 * in         dear: cost of a world unit */
static float cost_beside(const Border *border, float dear, const Beside *beside, float place) {
  const float across = place - beside->at, reach_squared = border->slope_squared * beside->squared;
  if (!(across * across > reach_squared)) return dear * sqrtf(beside->squared + across * across);
  const float reach = sqrtf(reach_squared);
  const float turn = fminf(fmaxf(across < 0 ? -reach : reach, -beside->at), border->length - beside->at);
  return dear * sqrtf(beside->squared + turn * turn) + border->cost * fabsf(across - turn);
}

/* Where a spot of a gate lies along its border. */
static float place_of(const WmGate *gate, uint32_t k) {
  return gate->border.length * (float)k / (float)(gate->count - 1);
}

/* The cost from the spot to a point of its polygon. */
static float cost_to(const WmSearchState *state, const From *from, const float point[3]) {
  if (!from->is_bordered) return wm_distance(from->position, point) * from->unit_cost;
  const WmGate *gate = gates_of(state) + from->gate;
  const Beside beside = find_beside(state, gate, point);
  return cost_beside(&gate->border, from->unit_cost, &beside, from->place);
}

/* Leads a way to all spots of a gate.
 * in         portal: of a way over a segment link; else NULL */
static WmStatus lead_to(WmSearchState *state, const From *from, uint32_t number, const Portal *portal) {
  const WmGate *gate = gates_of(state) + number;
  const float to_gate = from->cost + gate->toll + (portal ? portal->cost : 0);
  const bool is_cheaper_behind = gate->border.length > 0 && !gate->border.is_cheaper_before;
  const Beside beside = is_cheaper_behind ? find_beside(state, gate, from->position) : (Beside){0};
  for (uint32_t k = 0; k < gate->count; k++) {
    WmSpot *spot = spots_of(state) + gate->first + k;
    if (!(to_gate < spot->cost)) continue;
    float cost = to_gate;
    if (is_cheaper_behind) {
      cost += cost_beside(&gate->border, from->unit_cost, &beside, place_of(gate, k));
    } else {
      float point[3];
      memcpy(point, spot->position, sizeof point);
      if (portal) find_spot(portal->entry, k, gate->count, point);
      cost += cost_to(state, from, point);
    }
    if (!(cost < spot->cost)) continue;
    const float rest = wm_distance(spot->position, state->end) * state->spots.least;
    if (!(cost + rest < state->spots.most)) continue;
    spot->cost = cost;
    spot->parent = from->number;
    const WmStatus status = push(state, gate->first + k, cost + rest * WEIGHT);
    if (status) return status;
  }
  return WM_OK;
}

/* Leads ways over a segment link.
 * in         number: of the link onto it */
static WmStatus cross(WmSearchState *state, const From *from, uint32_t number) {
  const WmMesh *mesh = state->query->mesh;
  const WmLink *onto = from->tile->links + number;
  const WmMeshTile *set = wm_mesh_tile(mesh, onto->slot);
  const WmLinkTie *entry = wm_link_entry_tie(set, onto);
  WmStatus status = WM_OK;
  for (uint32_t i = set->link_first[onto->polygon]; i < set->link_first[onto->polygon + 1] && !status; i++) {
    const WmLink *exit = set->links + i;
    WmLinkCrossing crossing;
    if (!passes(state, wm_mesh_tile(mesh, exit->slot), exit->polygon)) continue;
    if (!wm_link_crossing_between(set, onto->polygon, entry, wm_link_exit_tie(set, onto->polygon, exit),
                                  &crossing))
      continue;
    Portal portal = {.cost = crossing.link->cost * wm_filter_unit_cost(state->filter, set, onto->polygon)};
    wm_link_crossing_portal(&crossing, 0, portal.entry);
    wm_link_crossing_portal(&crossing, 1, portal.exit);
    const WmGate key = {.slot = set->slot, .link = i, .entry = number, .entry_slot = from->tile->slot};
    const uint32_t gate = add_gate(state, &key, &portal, 1, 1, SPACING * from->tile->agent_radius);
    status = gate == NO_SPOT ? WM_ERROR_OUT_OF_MEMORY : lead_to(state, from, gate, &portal);
  }
  return status;
}

/* The polygon that a spot enters. */
static const WmMeshTile *enter(const WmSearchState *state, const WmSpot *spot, uint32_t *polygon) {
  const WmMesh *mesh = state->query->mesh;
  const WmGate *gate = gates_of(state) + spot->gate;
  if (gate->link == NO_SPOT) {
    *polygon = wm_ref_polygon(state->task->start);
    return wm_mesh_tile(mesh, gate->slot);
  }
  const WmLink *link = wm_mesh_tile(mesh, gate->slot)->links + gate->link;
  *polygon = link->polygon;
  return wm_mesh_tile(mesh, link->slot);
}

/* Leads a way to all gates of its polygon, and lists them unless some are segment links. */
static WmStatus list_next(WmSearchState *state, const From *from, uint32_t number) {
  const WmMesh *mesh = state->query->mesh;
  const uint32_t first = from->tile->link_first[from->polygon],
                 end = from->tile->link_first[from->polygon + 1];
  const uint32_t next_first = state->spots.next_count;
  bool is_listed = true;
  WmStatus status = wm_query_reserve(state->query, WM_QUERY_NEXT_GATES, WM_QUERY_NEXT_GATES,
                                     (size_t)next_first + end - first);
  for (uint32_t i = first; i < end && !status; i++) {
    const WmLink *link = from->tile->links + i;
    const WmMeshTile *target = wm_mesh_tile(mesh, link->slot);
    if (target == from->former_tile && link->polygon == from->former) continue;
    if (!passes(state, target, link->polygon)) continue;
    if (target->segments) {
      is_listed = false;
      status = cross(state, from, i);
      continue;
    }
    const WmGate key = {.slot = from->tile->slot, .link = i, .entry = WM_NO_LINK};
    Portal portal = {.cost = 0};
    memcpy(portal.exit, from->tile->link_portals + 6 * (size_t)i, sizeof portal.exit);
    const float after = wm_filter_unit_cost(state->filter, target, link->polygon);
    const uint32_t gate =
        add_gate(state, &key, &portal, from->unit_cost, after, SPACING * from->tile->agent_radius);
    if (gate == NO_SPOT) return WM_ERROR_OUT_OF_MEMORY;
    next_gates_of(state)[state->spots.next_count++] = gate;
    status = lead_to(state, from, gate, NULL);
  }
  WmGate *gate = gates_of(state) + number;
  gate->next_first = next_first;
  if (is_listed) {
    gate->next_count = state->spots.next_count - next_first;
  } else {
    state->spots.next_count = next_first;
  }
  return status;
}

static WmStatus expand(WmSearchState *state, uint32_t number) {
  WmSpot *spot = spots_of(state) + number;
  spot->total = -1;
  From from = {.number = number, .gate = spot->gate, .cost = spot->cost};
  memcpy(from.position, spot->position, sizeof from.position);
  from.tile = enter(state, spot, &from.polygon);
  from.unit_cost = wm_filter_unit_cost(state->filter, from.tile, from.polygon);
  const WmGate gate = gates_of(state)[spot->gate];
  from.is_bordered = gate.border.length > 0 && gate.border.is_cheaper_before;
  if (from.is_bordered) from.place = place_of(&gate, number - gate.first);
  if (spot->parent != NO_SPOT && gate.entry == WM_NO_LINK) {
    from.former_tile = enter(state, spots_of(state) + spot->parent, &from.former);
    if (from.unit_cost < wm_filter_unit_cost(state->filter, from.former_tile, from.former))
      from.former_tile = NULL;
  }
  wm_query_note(state->query, WM_TRACE_EXPANDED, from.tile, from.polygon, 0);
  if (from.polygon == state->end_polygon && from.tile->slot == state->end_slot) {
    const float cost = from.cost + cost_to(state, &from, state->end);
    if (cost < state->spots.most) {
      state->spots.most = cost;
      state->spots.last = number;
    }
  }
  if (gate.next_count == NO_LIST) return list_next(state, &from, spot->gate);
  WmStatus status = WM_OK;
  for (uint32_t i = 0; i < gate.next_count && !status; i++)
    status = lead_to(state, &from, next_gates_of(state)[gate.next_first + i], NULL);
  return status;
}

/* ---- The result --------------------------------------------------------------------------------------- */

/* Writes the corridor to a spot, and on to the end.
 * out        WM_QUERY_POLYGONS; WM_QUERY_PARENTS: links; *count */
static WmStatus write(const WmSearchState *state, uint32_t last, size_t *count) {
  WmQuery *query = state->query;
  const WmSpot *spots = spots_of(state);
  size_t needed = 0;
  for (uint32_t i = last; i != NO_SPOT; i = spots[i].parent)
    needed += gates_of(state)[spots[i].gate].entry == WM_NO_LINK ? 1 : 2;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_LINKS, WM_QUERY_PARENTS, needed);
  if (status) return status;
  WmRef *polygons = items_of(state, WM_QUERY_POLYGONS);
  uint32_t *links = items_of(state, WM_QUERY_PARENTS), next_link = WM_NO_LINK;
  size_t at = *count = needed;
  for (uint32_t i = last; i != NO_SPOT; i = spots[i].parent) {
    const WmGate *gate = gates_of(state) + spots[i].gate;
    uint32_t polygon;
    const WmMeshTile *tile = enter(state, spots + i, &polygon);
    polygons[--at] = tile->ref + polygon;
    links[at] = next_link;
    next_link = gate->link;
    if (gate->entry == WM_NO_LINK) continue;
    const WmMeshTile *ground = wm_mesh_tile(query->mesh, gate->entry_slot);
    polygons[--at] = wm_mesh_tile(query->mesh, gate->slot)->ref + ground->links[gate->entry].polygon;
    links[at] = next_link = WM_NO_LINK;
  }
  return WM_OK;
}

/* Finds the cost of the cheapest line through a corridor. */
static WmStatus measure(const WmSearchState *state, const WmRef *polygons, WmQueryArray links, size_t count,
                        float *cost) {
  const WmSearchTask *task = state->task;
  const WmPulling pulling = {.start = task->start_position,
                             .end = task->end_position,
                             .polygons = polygons,
                             .links = items_of(state, links),
                             .polygon_count = count};
  return wm_cheapest_measure(state->query, &pulling, state->filter,
                             task->options.shortest ? 0 : WM_NOT_SHORTEST, cost);
}

/* Takes the corridor to the best spot over, if its line costs less than that so far. */
static WmStatus take_over(WmSearchState *state) {
  WmQuery *query = state->query;
  WmCorridor *former = &state->former;
  size_t count;
  float cost;
  WmStatus status = write(state, state->spots.last, &count);
  if (!status) status = measure(state, items_of(state, WM_QUERY_POLYGONS), WM_QUERY_PARENTS, count, &cost);
  if (!status) status = wm_query_reserve(query, WM_QUERY_FORMER, WM_QUERY_FORMER, count);
  if (status) return status;
  former->polygons = items_of(state, WM_QUERY_FORMER);
  former->bound = fminf(former->bound, cost);
  if (!(cost < former->cost)) {
    query->crossing_count = 0;
    return WM_OK;
  }
  memcpy(items_of(state, WM_QUERY_FORMER), items_of(state, WM_QUERY_POLYGONS), count * sizeof(WmRef));
  memcpy(items_of(state, WM_QUERY_LINKS), items_of(state, WM_QUERY_PARENTS), count * sizeof(uint32_t));
  former->polygon_count = count;
  former->cost = cost;
  return WM_OK;
}

/* Chooses between the corridor of the best spot and the one before, whose line is found only if its string costs little more. */
static WmStatus finish(WmSearchState *state) {
  WmQuery *query = state->query;
  const WmSpotSearch *search = &state->spots;
  WmCorridor *former = &state->former;
  WmStatus status = WM_OK;
  state->done = true;
  query->string_length = 0;
  if (search->last == NO_SPOT || search->most > SURELY_LESS * former->cost)
    status = measure(state, former->polygons, WM_QUERY_LINKS, former->polygon_count, &former->cost);
  if (!status && search->last != NO_SPOT) status = take_over(state);
  former->bound = fminf(former->bound, former->cost);
  return status;
}

/* ---- The search --------------------------------------------------------------------------------------- */

WmStatus wm_search_start_spots(WmSearchState *state) {
  const WmSearchTask *task = state->task;
  WmSpotSearch *search = &state->spots;
  const uint64_t limit = LEAST_SPOTS + SPOTS_PER_POLYGON * (uint64_t)state->touched;
  *search = (WmSpotSearch){
      .begun = true,
      .least =
          state->cones.is_free ? 0 : (float)(state->cones.scale * (double)state->cones.ground_cost) * SLACK,
      .most = state->former.cost * (1 - GAIN),
      .last = NO_SPOT,
      .left = limit < state->max_nodes ? (size_t)limit : state->max_nodes};
  state->done = state->former.bound >= search->most;
  if (state->done) return WM_OK;
  WmStatus status = make_table(state, FIRST_TABLE);
  if (!status) status = wm_query_reserve(state->query, WM_QUERY_GATES, WM_QUERY_GATES, FIRST_GATES);
  if (!status) status = wm_query_reserve(state->query, WM_QUERY_SPOTS, WM_QUERY_SPOT_KEYS, FIRST_SPOTS);
  if (status) return status;
  const WmGate key = {.slot = wm_ref_slot(task->start), .link = NO_SPOT, .entry = WM_NO_LINK};
  Portal portal = {.cost = 0};
  memcpy(portal.exit, task->start_position, 3 * sizeof(float));
  memcpy(portal.exit + 3, task->start_position, 3 * sizeof(float));
  if (add_gate(state, &key, &portal, 1, 1, 1) == NO_SPOT) return WM_ERROR_OUT_OF_MEMORY;
  spots_of(state)->cost = 0;
  return push(state, 0, 0);
}

WmStatus wm_search_run_spots(WmSearchState *state, size_t budget) {
  WmSpotSearch *search = &state->spots;
  WmStatus status = WM_OK;
  while (budget > 0 && !state->done && !status) {
    uint64_t *keys = items_of(state, WM_QUERY_SPOT_KEYS);
    if (search->is_top_removed) wm_heap_remove(keys, &search->heap_count);
    search->is_top_removed = false;
    if (search->heap_count == 0 || search->left == 0) return finish(state);
    const uint64_t key = keys[0];
    search->is_top_removed = true;
    const uint32_t number = (uint32_t)key;
    const WmSpot *spot = spots_of(state) + number;
    if (wm_heap_key(spot->total, number) != key) continue;
    if (!(spot->total < search->most)) return finish(state);
    budget--;
    search->left--;
    state->expanded++;
    status = expand(state, number);
  }
  return status;
}
