/* Links between two tiles -> entrances.
 *
 * A crossing is a pair of polygons, one in each tile, with a portal between them. Crossings that connect the same labelled
 * ground of both tiles, in the same directions, at the same cost of a unit, are a class: for reachability one of several classes that
 * differ in costs only would be enough, but ways along a road need an entrance on it. Portals of a class that
 * touch each other are a run. A run has an entrance for each `spacing` of its length, and at least one, unless the run
 * before it has one nearer than that. Each run of portals onto segment links has one: from another position along a link,
 * agents come to other ground.
 *
 * Links whose polygons don't pass the filter are no crossings, except for two kinds, in no direction. One-way links: so both tiles know
 * that they border each other, and the link is found again when its polygons pass. Links that switches may open:
 * each of these is a run, also if it is open, because they open and close one by one, also while a tile isn't loaded. */
#include "query/tile_graph/tile_graph_internal.h"

typedef struct Crossing {
  uint16_t polygons[2], labels[2];
  float unit_cost;
  uint8_t state;    /* as in WmEntrance */
  uint8_t axis;     /* along the portal: 0 or 2 */
  float low, high;  /* along that axis */
  float ends[2][3]; /* at low and high */
} Crossing;

typedef struct Crossings {
  Crossing *items; /* scratch */
  size_t count, capacity;
  bool are_links; /* one of the tiles is a set of segment links */
} Crossings;

/* ---- Collecting --------------------------------------------------------------------------------------- */

static bool passes(const WmTileGraph *graph, const WmMeshTile *tile, uint32_t polygon) {
  return wm_filter_passes(&graph->filter, tile->polygon_flags[polygon]);
}

static bool has_link(const WmMeshTile *tile, uint32_t polygon, uint32_t slot, uint32_t target) {
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    if (tile->links[i].slot == slot && tile->links[i].polygon == target) return true;
  }
  return false;
}

/* Appends the crossings along the links from one tile to another.
 * in         side: of `from`, 0 or 1; 1: crossings with a link back are left out, side 0 has them */
static WmStatus collect(WmTileGraph *graph, Crossings *crossings, const WmMeshTile *tiles[2],
                        uint16_t *labels[2], uint32_t side) {
  const WmMeshTile *from = tiles[side], *to = tiles[1 - side];
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): both tiles are loaded */
  for (uint32_t p = 0; p < from->polygon_count; p++) {
    for (uint32_t i = from->link_first[p]; i < from->link_first[p + 1]; i++) {
      const WmLink *link = &from->links[i];
      if (link->slot != to->slot) continue; /* NOLINT(clang-analyzer-core.NullDereference) */
      const bool is_closed = labels[side][p] == UINT16_MAX || labels[1 - side][link->polygon] == UINT16_MAX;
      const bool has_back = has_link(to, link->polygon, from->slot, p);
      if (has_back && (side == 1 || is_closed)) continue;
      crossings->items = wm_scratch_reserve(graph->context, crossings->items, &crossings->capacity,
                                            crossings->count + 1, sizeof(Crossing));
      if (!crossings->items) return WM_ERROR_OUT_OF_MEMORY;
      Crossing *crossing = &crossings->items[crossings->count++];
      *crossing = (Crossing){.state = (uint8_t)(is_closed ? 0 : has_back ? 3 : 1 << side)};
      crossing->polygons[side] = (uint16_t)p;
      crossing->polygons[1 - side] = (uint16_t)link->polygon;
      for (int s = 0; s < 2; s++) {
        crossing->labels[s] = labels[s][crossing->polygons[s]];
        if (!passes(graph, tiles[s], crossing->polygons[s]))
          crossing->state |= (uint8_t)(WM_ENTRANCE_CLOSED << s);
        const float cost = wm_filter_unit_cost(&graph->filter, tiles[s], crossing->polygons[s]);
        crossing->unit_cost = fmaxf(crossing->unit_cost, cost);
      }
      const float *portal = from->link_portals + 6 * (size_t)i;
      crossing->axis = fabsf(portal[0] - portal[3]) > fabsf(portal[2] - portal[5]) ? 0 : 2;
      const int first = portal[crossing->axis] <= portal[crossing->axis + 3] ? 0 : 3;
      memcpy(crossing->ends[0], portal + first, sizeof crossing->ends[0]);
      memcpy(crossing->ends[1], portal + 3 - first, sizeof crossing->ends[1]);
      crossing->low = crossing->ends[0][crossing->axis];
      crossing->high = crossing->ends[1][crossing->axis];
    }
  }
  return WM_OK;
}

/* ---- Sorting ------------------------------------------------------------------------------------------ */

/* The sorting keys of crossings, the least important first. */
enum { KEY_COUNT = 9 };
static uint32_t key_of(const void *crossings, uint32_t number, int key) {
  const Crossing *crossing = (const Crossing *)crossings + number;
  const uint32_t keys[KEY_COUNT] = {crossing->polygons[1],
                                    crossing->polygons[0],
                                    wm_graph_key(crossing->ends[0][1]),
                                    wm_graph_key(crossing->ends[0][2 - crossing->axis]),
                                    wm_graph_key(crossing->low),
                                    wm_graph_key(crossing->unit_cost),
                                    crossing->labels[1],
                                    crossing->labels[0],
                                    crossing->state * 4u + crossing->axis};
  return keys[key];
}

static WmStatus sort_crossings(WmTileGraph *graph, const Crossings *crossings, uint32_t **sorted) {
  const size_t count = crossings->count;
  uint32_t *order = *sorted = wm_scratch_array(graph->context, count, sizeof *order);
  if (!order) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
  return wm_graph_sort(graph->context, order, count, key_of, KEY_COUNT, crossings->items);
}

/* ---- Choosing ----------------------------------------------------------------------------------------- */

typedef struct Chosen {
  WmEntrance *items; /* scratch */
  size_t count, capacity;
} Chosen;

/* Chooses a place on a crossing, near a coordinate along it, but not at its ends: other ground may touch it there, and a
 * point would not tell which ground it is on. */
static WmStatus choose(WmTileGraph *graph, Chosen *chosen, const Crossing *crossing, float at) {
  chosen->items = wm_scratch_reserve(graph->context, chosen->items, &chosen->capacity, chosen->count + 1,
                                     sizeof(WmEntrance));
  if (!chosen->items) return WM_ERROR_OUT_OF_MEMORY;
  WmEntrance *entrance = &chosen->items[chosen->count++];
  const float width = crossing->high - crossing->low;
  const float t = width > 0 ? fminf(fmaxf((at - crossing->low) / width, 0.25f), 0.75f) : 0.5f;
  *entrance = (WmEntrance){.state = crossing->state, .unit_cost = crossing->unit_cost};
  memcpy(entrance->polygons, crossing->polygons, sizeof entrance->polygons);
  wm_interpolate(crossing->ends[0], crossing->ends[1], t, entrance->point);
  return WM_OK;
}

static bool is_same_class(const Crossing *a, const Crossing *b) {
  return a->labels[0] == b->labels[0] && a->labels[1] == b->labels[1] && a->state == b->state &&
         a->axis == b->axis && a->unit_cost == b->unit_cost;
}

/* Chooses the entrances of a run: crossings order[0] to order[count - 1].
 * in/out     *last: coordinate of the newest entrance of the class; -INFINITY: it has none */
static WmStatus choose_on_run(WmTileGraph *graph, Chosen *chosen, const Crossing *items,
                              const uint32_t *order, size_t count, float high, float *last) {
  const float low = items[order[0]].low, length = high - low;
  const float wanted = graph->spacing > 0 ? floorf(length / graph->spacing + 0.5f) : 1;
  const uint32_t points = wanted >= 1 && wanted < WM_ENTRANCE_LIMIT ? (uint32_t)wanted : 1;
  size_t at = 0;
  for (uint32_t k = 0; k < points; k++) {
    const float place = low + length * (((float)k + 0.5f) / (float)points);
    if (points == 1 && place - *last < graph->spacing) continue;
    while (at + 1 < count && items[order[at]].high < place) at++;
    const WmStatus status = choose(graph, chosen, &items[order[at]], place);
    if (status) return status;
    *last = place;
  }
  return WM_OK;
}

/* Portals nearer to each other than this touch, world units: they end on cells. */
#define TOUCH 0.01f

static WmStatus choose_all(WmTileGraph *graph, const Crossings *crossings, const uint32_t *order,
                           Chosen *chosen) {
  const Crossing *items = crossings->items;
  float last = -INFINITY;
  for (size_t i = 0, next; i < crossings->count; i = next) {
    const Crossing *first = &items[order[i]];
    if (i == 0 || crossings->are_links || !is_same_class(&items[order[i - 1]], first)) last = -INFINITY;
    float high = first->high;
    for (next = i + 1; next < crossings->count; next++) {
      const Crossing *crossing = &items[order[next]];
      if (!is_same_class(first, crossing) || crossing->low > high + TOUCH) break;
      if (crossing->high > high) high = crossing->high;
    }
    const WmStatus status = choose_on_run(graph, chosen, items, order + i, next - i, high, &last);
    if (status) return status;
  }
  return WM_OK;
}

/* ---- A tile that isn't loaded ------------------------------------------------------------------------- */

/* True if a point is on a polygon, or at an end of an off-mesh connection: an end that no ground is linked to is where it was given, which
 * can be as far from the point as its radius. Links made at run time have tiles of their own, which are others once their links change.
 * in         passing: only if the polygon passes the filter */
static bool is_on(const WmTileGraph *graph, const WmMeshTile *tile, uint32_t polygon, const float point[3],
                  bool passing) {
  if (polygon >= tile->polygon_count || (passing && !passes(graph, tile, polygon))) return false;
  if (tile->ground_count == 0) return true;
  if (polygon < tile->ground_count) {
    float closest[3];
    wm_tile_closest_point(tile, polygon, point, true, closest);
    return wm_squared_distance_on_plane(point, closest) <= TOUCH * TOUCH &&
           fabsf(point[1] - closest[1]) <= tile->agent_max_climb;
  }
  const WmTileConnection *connection = tile->connections + (polygon - tile->ground_count);
  const float reach = connection->radius + TOUCH;
  return wm_squared_distance_on_plane(point, connection->start) <= reach * reach ||
         wm_squared_distance_on_plane(point, connection->end) <= reach * reach;
}

/* Finds the polygon of an entrance whose other tile isn't loaded: the former one, or the one of the ground that is there now; one that passes
 * the filter if there is one.
 * out        *passing: it passes
 * returns    false: there is none */
static bool find_again(const WmTileGraph *graph, const WmMeshTile *tile, const float point[3], bool *passing,
                       uint16_t *polygon) {
  for (int pass = 1; pass >= 0; pass--) {
    *passing = pass;
    for (uint32_t i = 0; i <= tile->ground_count; i++) {
      const uint32_t p = i == 0 ? *polygon : i - 1;
      if (!is_on(graph, tile, p, point, pass)) continue;
      *polygon = (uint16_t)p;
      return true;
    }
  }
  return false;
}

/* Retains the entrances to a tile that isn't loaded where their polygon exists. One that doesn't pass the filter is closed: nothing but its
 * loaded side tells when it opens. */
static void update_half(WmTileGraph *graph, const WmMeshTile *tile, uint32_t loaded, uint32_t other) {
  WmCluster *clusters = wm_graph_clusters(graph);
  const uint32_t *list = wm_graph_list(graph, &clusters[loaded]);
  for (uint32_t i = 0; i < clusters[loaded].count; i++) {
    WmEntrance *entrance = wm_graph_entrances(graph) + (list[i] >> 1);
    const uint32_t side = list[i] & 1;
    if (entrance->clusters[1 - side] != other || entrance->is_dead) continue;
    const uint16_t former = entrance->polygons[side];
    const uint8_t bit = (uint8_t)(WM_ENTRANCE_CLOSED << side), state = entrance->state;
    bool is_open;
    entrance->is_dead = !find_again(graph, tile, entrance->point, &is_open, &entrance->polygons[side]);
    entrance->state = (uint8_t)(is_open ? state & ~bit : state | bit);
    wm_graph_set_directions(graph, entrance);
    if (!entrance->is_dead && former == entrance->polygons[side] && state == entrance->state) continue;
    clusters[loaded].flags |= WM_CLUSTER_LIST_STALE;
    clusters[other].flags |= WM_CLUSTER_LIST_STALE;
  }
}

/* ---- Comparing ---------------------------------------------------------------------------------------- */

static bool is_equal(const WmEntrance *former, const WmEntrance *chosen) {
  return wm_is_same_point(former->point, chosen->point) &&
         memcmp(former->polygons, chosen->polygons, sizeof former->polygons) == 0 &&
         (former->state & WM_ENTRANCE_SAVED) == chosen->state && former->unit_cost == chosen->unit_cost;
}

/* Retains former entrances that were chosen again, in which case `level` of the chosen one becomes 1, and marks the others as
 * dead.
 * returns    true if all were chosen again, and no others */
static bool compare(WmTileGraph *graph, uint32_t a, uint32_t b, Chosen *chosen) {
  const WmCluster *cluster = wm_graph_clusters(graph) + a;
  const uint32_t *list = wm_graph_list(graph, cluster);
  size_t retained = 0;
  bool is_same = true;
  for (uint32_t i = 0; i < cluster->count; i++) {
    WmEntrance *former = wm_graph_entrances(graph) + (list[i] >> 1);
    if (former->clusters[1] != b || former->is_dead) continue;
    size_t k = 0;
    while (k < chosen->count && (chosen->items[k].level || !is_equal(former, &chosen->items[k]))) k++;
    former->is_dead = k == chosen->count;
    is_same = is_same && !former->is_dead;
    if (former->is_dead) continue;
    chosen->items[k].level = 1;
    retained++;
  }
  return is_same && retained == chosen->count;
}

/* ---- Updating ----------------------------------------------------------------------------------------- */

static WmStatus add_entries(WmTileGraph *graph, uint32_t a, uint32_t b, const Chosen *chosen,
                            WmNewEntries *added) {
  for (size_t k = 0; k < chosen->count; k++) {
    if (chosen->items[k].level) continue;
    uint32_t number;
    WmStatus status = wm_buffer_reserve(graph->context, &added->entries, added->count + 1, sizeof(uint32_t));
    if (!status) status = wm_graph_new_entrance(graph, &number);
    if (status) return status;
    WmEntrance *entrance = wm_graph_entrances(graph) + number;
    *entrance = chosen->items[k];
    entrance->clusters[0] = a;
    entrance->clusters[1] = b;
    entrance->state |= wm_graph_end_state(graph, entrance);
    entrance->directions = wm_graph_directions(graph, entrance);
    ((uint32_t *)added->entries.items)[added->count++] = number;
  }
  return WM_OK;
}

static WmStatus update_border(WmTileGraph *graph, WmGraphLabels *labels, uint32_t a, uint32_t b,
                              WmNewEntries *added) {
  WmCluster *clusters = wm_graph_clusters(graph);
  const WmMeshTile *tiles[2] = {wm_graph_tile(graph, &clusters[a]), wm_graph_tile(graph, &clusters[b])};
  uint16_t *both[2] = {labels->of[a], labels->of[b]};
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): both tiles are loaded */
  Crossings crossings = {.are_links = tiles[0]->segments || tiles[1]->segments};
  Chosen chosen = {0};
  uint32_t *order;
  WmStatus status = collect(graph, &crossings, tiles, both, 0);
  if (!status) status = collect(graph, &crossings, tiles, both, 1);
  if (!status) status = sort_crossings(graph, &crossings, &order);
  if (!status) status = choose_all(graph, &crossings, order, &chosen);
  if (status || compare(graph, a, b, &chosen)) return status;
  clusters[a].flags |= WM_CLUSTER_LIST_STALE;
  clusters[b].flags |= WM_CLUSTER_LIST_STALE;
  return add_entries(graph, a, b, &chosen, added);
}

WmStatus wm_graph_update_border(WmTileGraph *graph, WmGraphLabels *labels, uint32_t a, uint32_t b,
                                WmNewEntries *added) {
  WmCluster *clusters = wm_graph_clusters(graph);
  if (!clusters[b].tile) {
    update_half(graph, wm_graph_tile(graph, &clusters[a]), a, b);
    return WM_OK;
  }
  for (int s = 0; s < 2; s++) {
    const uint32_t number = s ? b : a;
    if (labels->of[number]) continue;
    labels->of[number] = wm_graph_label_tile(graph, wm_graph_tile(graph, &clusters[number]));
    if (!labels->of[number]) return WM_ERROR_OUT_OF_MEMORY;
  }
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  const bool swaps = !wm_graph_comes_before(&clusters[a], &clusters[b]);
  const WmStatus status = update_border(graph, labels, swaps ? b : a, swaps ? a : b, added);
  wm_scratch_rewind(graph->context, mark);
  return status;
}
