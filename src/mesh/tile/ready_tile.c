/* Ready tiles, and replacing a tile by a ready one. See ready_tile.h.
 *
 * Most changes of a level lie within tiles: on most sides the new tile has the same portal edges as the tile
 * that it replaces. Across such a side the links of both tiles stay, with other slots and numbers of polygons
 * and edges; across other sides they are planned as for any tile (links/portals.c). Links of a tile are in
 * the order of a mesh that was built row by row: first those to the tile at x-, then z-, x+ and z+.
 *
 * A tile that was in the mesh before still has its flat links. If it gets the same links again, only their
 * slots are written. */
#include "mesh/tile/ready_tile.h"

#include "base/debug/assert.h"
#include "mesh/mesh_internal.h"

/* The four sides, in the order of links. */
enum { SIDES = 4 };
static const uint8_t SIDE[SIDES] = {WM_SIDE_X_MINUS, WM_SIDE_Z_MINUS, WM_SIDE_X_PLUS, WM_SIDE_Z_PLUS};
static const int8_t SIDE_X[SIDES] = {-1, 0, 1, 0}, SIDE_Z[SIDES] = {0, -1, 0, 1};

typedef struct Swap {
  WmLinkPlan plan;                /* first: `lay` gets its address */
  WmTileRecord *coming, *leaving; /* the new tile, and the former one; NULL: the place is empty */
  WmTileRecord *beside[SIDES];    /* NULL: none */
  bool is_same[SIDES];            /* the edges on this side are equal, and so are the links */
  uint16_t *number_of;            /* [polygons of `leaving`] their numbers in `coming`; those on one side */
  WmOuterLink *former;            /* [former_count] links of `coming` when it was in the mesh before */
  uint32_t former_count;
  const void *former_laid;
} Swap;

/* ---- Ready tiles -------------------------------------------------------------------------------------- */

WmStatus wm_ready_tile_make(WmContext *context, const uint8_t *bytes, size_t byte_count, bool is_trusted,
                            WmReadyTile **ready) {
  const WmStatus status =
      (is_trusted ? wm_tile_make_trusted : wm_tile_make)(context, bytes, byte_count, ready);
  if (!status) (*ready)->reference_count = 1;
  return status;
}

/* A reference_count of 0 means 1: the reference of the mesh. */
void wm_ready_tile_retain(WmReadyTile *ready) {
  if (ready) ready->reference_count = (ready->reference_count ? ready->reference_count : 1) + 1;
}

void wm_ready_tile_release(WmContext *context, WmReadyTile *ready) { wm_tile_free(context, ready); }

const WmMeshTile *wm_ready_tile_view(const WmReadyTile *ready) { return &ready->tile; }

bool wm_ready_tile_is_altered(const WmReadyTile *ready) { return ready->is_altered; }

WmStatus wm_ready_tile_copy(WmContext *context, const WmReadyTile *ready, WmReadyTile **copy) {
  const WmMeshTile *tile = &ready->tile;
  const WmScratchMark mark = wm_scratch_mark(context);
  uint8_t *bytes = wm_scratch_array(context, tile->byte_count, 1);
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  *copy = NULL;
  if (bytes) {
    memcpy(bytes, tile->bytes, tile->byte_count);
    WmTilePolygon *polygon =
        (WmTilePolygon *)(void *)(bytes + ((const uint8_t *)ready->polygons - tile->bytes));
    for (uint32_t i = 0; i < tile->polygon_count; i++, polygon++) {
      polygon->flags = ready->made_flags[i];
      polygon->area_and_type = (uint8_t)((polygon->area_and_type & 0xc0) | ready->made_areas[i]);
    }
    status = wm_ready_tile_make(context, bytes, tile->byte_count, true, copy);
  }
  wm_scratch_rewind(context, mark);
  return status;
}

size_t wm_ready_tile_memory(const WmReadyTile *ready) {
  const size_t link = sizeof(WmOuterLink) + 6 * sizeof(float) + sizeof(WmLink);
  return ready->block_bytes + ((size_t)ready->edge_count + ready->inner_link_count) * link;
}

WmReadyTile *wm_mesh_ready_tile(const WmMesh *mesh, WmRef ref) { return wm_mesh_record(mesh, ref); }

/* ---- Sides -------------------------------------------------------------------------------------------- */

/* The next portal edge on a side, from index `from` on. */
static uint32_t next_edge(const WmTileRecord *record, uint32_t from, uint32_t side) {
  while (from < record->edge_count && record->edges[from].side != side) from++;
  return from;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static bool are_equal(const WmPortalEdge *a, const WmPortalEdge *b) {
  return bits_of(a->coordinate) == bits_of(b->coordinate) && bits_of(a->low) == bits_of(b->low) &&
         bits_of(a->high) == bits_of(b->high) && bits_of(a->y_low) == bits_of(b->y_low) &&
         bits_of(a->y_high) == bits_of(b->y_high) && a->ascending == b->ascending;
}

/* True if both tiles have the same edges on a side in the same order, and the same groups of them belong to
 * one polygon: then links across the side are the same.
 * out        swap->number_of: of the polygons on this side */
static bool match_side(Swap *swap, uint32_t side) {
  const WmTileRecord *old = swap->leaving, *new = swap->coming;
  uint32_t i = next_edge(old, 0, side), k = next_edge(new, 0, side);
  uint32_t last[2] = {WM_NO_SLOT, WM_NO_SLOT};
  while (i < old->edge_count && k < new->edge_count) {
    const WmPortalEdge *a = &old->edges[i], *b = &new->edges[k];
    if (!are_equal(a, b) || (a->polygon == last[0]) != (b->polygon == last[1])) return false;
    last[0] = a->polygon;
    last[1] = b->polygon;
    swap->number_of[a->polygon] = b->polygon;
    i = next_edge(old, i + 1, side);
    k = next_edge(new, k + 1, side);
  }
  return i == old->edge_count && k == new->edge_count;
}

/* Plans the links of the former tile across a side, from the equal edges of the new one. Links are in the
 * order of edges. */
static void adopt_links(Swap *swap, int number) {
  const WmTileRecord *old = swap->leaving, *new = swap->coming;
  const WmOuterLink *links = old->dynamic.items;
  const uint32_t side = SIDE[number];
  uint32_t i = next_edge(old, 0, side), k = next_edge(new, 0, side);
  for (uint32_t n = 0; n < old->dynamic_count; n++) {
    if (links[n].side != side) continue;
    while (i < old->edge_count &&
           (old->edges[i].polygon != links[n].polygon || old->edges[i].edge != links[n].edge)) {
      i = next_edge(old, i + 1, side);
      k = next_edge(new, k + 1, side);
    }
    WM_ASSERT(i < old->edge_count);
    if (i >= old->edge_count) return;
    WmOuterLink *link = wm_plan_link(&swap->plan, swap->coming, new->edges[k].polygon, swap->beside[number],
                                     links[n].target, new->edges[k].edge, side);
    link->low = links[n].low;
    link->high = links[n].high;
  }
}

/* Writes the new slot and polygon numbers into the links of a tile beside, across a side with equal edges. */
static void rename_links(Swap *swap, int number) {
  WmTileRecord *record = swap->beside[number];
  const uint32_t old = swap->leaving->tile.slot, new = swap->coming->tile.slot;
  WmOuterLink *links = record->dynamic.items;
  bool has_any = false;
  match_side(swap, SIDE[number]);
  for (uint32_t i = 0; i < record->dynamic_count; i++) {
    if (links[i].slot != old) continue;
    links[i].slot = new;
    links[i].target = swap->number_of[links[i].target];
    has_any = true;
  }
  if (!has_any) return;
  WmLink *laid = record->arrays.links;
  const uint32_t count = record->tile.link_first[record->tile.polygon_count];
  for (uint32_t i = 0; i < count; i++) {
    if (laid[i].slot != old) continue;
    laid[i].slot = new;
    laid[i].polygon = swap->number_of[laid[i].polygon];
  }
}

/* ---- Order of links ----------------------------------------------------------------------------------- */

/* The order of links of a record to another tile, as in a mesh built row by row: links are made when the
 * later of the two tiles is added. So links to tiles before the record in the grid come first, the one at x-
 * before those at z-; then those to later tiles in their order. */
static int64_t rank_of(const WmTileRecord *record, const WmMeshTile *other) {
  const int64_t dx = other->x - record->tile.x, dz = other->z - record->tile.z;
  if (other->ground_count == 0) return INT64_MAX; /* a connection made at run time, a segment link */
  if (dz > 0 || (dz == 0 && dx > 0)) return (dz << 32) + dx + WM_TILE_COORDINATE_LIMIT * INT64_C(4);
  return dz == 0 ? 0 : 1;
}

static void reverse(WmOuterLink *links, uint32_t first, uint32_t end) {
  for (; end > first + 1; first++) {
    const WmOuterLink link = links[first];
    links[first] = links[--end];
    links[end] = link;
  }
}

/* Moves the new links of a record, all to the new tile, before those of a higher rank. */
static void sort_links(const Swap *swap, WmTileRecord *record) {
  const WmMesh *mesh = swap->plan.mesh;
  WmOuterLink *links = record->dynamic.items;
  const int64_t rank = rank_of(record, &swap->coming->tile);
  uint32_t first = record->dynamic_count;
  while (first > 0 && links[first - 1].slot == swap->coming->tile.slot) first--;
  uint32_t target = first;
  while (target > 0 && rank_of(record, &wm_mesh_slots(mesh)[links[target - 1].slot].record->tile) > rank)
    target--;
  if (target == first) return;
  /* [a b] => [b a], by reversing both parts and the whole */
  reverse(links, target, first);
  reverse(links, first, record->dynamic_count);
  reverse(links, target, record->dynamic_count);
}

/* ---- Laying out --------------------------------------------------------------------------------------- */

/* True if the new tile has the same links, except for slots, as when it was in the mesh before. */
static bool has_former_links(const Swap *swap) {
  const WmTileRecord *record = swap->coming;
  const WmOuterLink *links = record->dynamic.items;
  bool same = record->is_laid && record->dynamic_count == swap->former_count &&
              record->laid.items == swap->former_laid;
  for (uint32_t i = 0; same && i < swap->former_count; i++) {
    WmOuterLink former = swap->former[i];
    former.slot = links[i].slot;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
    same = memcmp(&former, &links[i], sizeof former) == 0;
  }
  return same;
}

/* WmLinkPlan.lay: sorts the links of tiles beside, and reuses the flat links of the new tile. */
static void lay(WmLinkPlan *plan, WmTileRecord *record) {
  const Swap *swap = (const Swap *)plan;
  if (record != swap->coming) {
    sort_links(swap, record);
    wm_tile_lay_links(plan->mesh, record);
    return;
  }
  if (!has_former_links(swap)) {
    wm_tile_lay_links(plan->mesh, record);
    record->is_laid = true;
    return;
  }
  uint32_t slots[8] = {0};
  for (int i = 0; i < SIDES; i++) {
    if (swap->beside[i]) slots[SIDE[i]] = swap->beside[i]->tile.slot;
  }
  WmLink *links = record->arrays.links;
  const uint32_t count = record->tile.link_first[record->tile.polygon_count];
  for (uint32_t i = 0; i < count; i++) {
    links[i].slot = links[i].side == WM_TILE_SIDE_INSIDE ? record->tile.slot : slots[links[i].side];
  }
}

/* ---- Swapping ----------------------------------------------------------------------------------------- */

/* The tile of a place, or NULL.
 * out        *is_simple: set to false if the place has several layers, or the tile has connections */
static WmTileRecord *find_beside(const WmMesh *mesh, int32_t x, int32_t z, bool *is_simple) {
  const WmMeshTile *tile = wm_mesh_next_layer(mesh, x, z, NULL);
  if (!tile) return NULL;
  if (tile->connection_count > 0 || wm_mesh_next_layer(mesh, x, z, tile)) *is_simple = false;
  return wm_mesh_slots(mesh)[tile->slot].record;
}

/* Finds the tiles beside. Returns true if all links of the tile are across sides, between single layers. */
static bool look_around(Swap *swap) {
  const WmMesh *mesh = swap->plan.mesh;
  const WmMeshTile *tile = &swap->coming->tile;
  bool is_simple = !mesh->loading && !mesh->first_far && swap->coming->tile.connection_count == 0;
  if (find_beside(mesh, tile->x, tile->z, &is_simple) != swap->leaving) is_simple = false; /* another layer */
  for (int i = 0; i < SIDES && is_simple; i++) {
    swap->beside[i] = find_beside(mesh, tile->x + SIDE_X[i], tile->z + SIDE_Z[i], &is_simple);
  }
  for (int i = 0; i < SIDES && is_simple; i++) {
    find_beside(mesh, tile->x + (i & 1 ? 1 : -1), tile->z + (i & 2 ? 1 : -1), &is_simple);
  }
  return is_simple && !wm_mesh_has_ends_around(mesh, tile->x, tile->z);
}

/* Saves the tile's former links, and reserves memory for its new ones. */
static WmStatus prepare(Swap *swap) {
  WmContext *context = swap->plan.mesh->context;
  WmTileRecord *coming = swap->coming;
  const uint32_t polygon_count = swap->leaving ? swap->leaving->tile.polygon_count : 0;
  swap->number_of = wm_scratch_array(context, polygon_count, sizeof *swap->number_of);
  swap->former_count = coming->dynamic_count;
  swap->former = wm_scratch_array(context, swap->former_count, sizeof *swap->former);
  if (!swap->number_of || !swap->former) return WM_ERROR_OUT_OF_MEMORY;
  if (swap->former_count)
    memcpy(swap->former, coming->dynamic.items, swap->former_count * sizeof *swap->former);
  swap->former_laid = coming->laid.items;
  coming->dynamic_count = 0;
  coming->pending = (swap->leaving ? swap->leaving->dynamic_count : 0) + 4;
  const WmStatus status = wm_tile_reserve_links(context, coming);
  coming->pending = 0;
  return status;
}

static void plan_sides(Swap *swap) {
  WmLinkPlan *plan = &swap->plan;
  const WmTileRecord *leaving = swap->leaving;
  const bool same_climb = leaving && swap->coming->tile.agent_max_climb == leaving->tile.agent_max_climb;
  wm_plan_touch(plan, swap->coming);
  for (int i = 0; i < SIDES && !plan->status; i++) {
    WmTileRecord *beside = swap->beside[i];
    if (!beside) continue;
    swap->is_same[i] = same_climb && match_side(swap, SIDE[i]);
    if (swap->is_same[i]) {
      adopt_links(swap, i);
    } else if (plan->candidates || !wm_plan_begin(plan, swap->coming)) {
      wm_plan_touch(plan, beside);
      wm_plan_portals(plan, swap->coming, beside, SIDE[i]);
      wm_plan_portals(plan, beside, swap->coming, (SIDE[i] + 4u) & 7);
    }
  }
}

/* Moves the newest tile before `leaving` in the order of addition, unless the tile after `leaving` belongs
 * before it. */
static void inherit_age(WmMesh *mesh, WmTileRecord *coming, WmTileRecord *leaving) {
  const WmMeshTile *next = &leaving->newer->tile; /* `coming`, if no other follows */
  if (leaving->newer != coming &&
      (next->z < coming->tile.z || (next->z == coming->tile.z && next->x < coming->tile.x))) {
    return;
  }
  mesh->newest = coming->older;
  mesh->newest->newer = NULL;
  coming->older = leaving->older;
  coming->newer = leaving;
  *(leaving->older ? &leaving->older->newer : &mesh->oldest) = coming;
  leaving->older = coming;
}

/* Applies the change or discards it. */
static WmStatus finish(Swap *swap) {
  WmMesh *mesh = swap->plan.mesh;
  WmTileRecord *coming = swap->coming, *leaving = swap->leaving;
  swap->plan.lay = lay;
  if (!swap->plan.status) {
    for (int i = 0; i < SIDES; i++) {
      if (swap->beside[i] && swap->is_same[i]) rename_links(swap, i);
    }
    wm_mesh_insert_record(mesh, coming);
    if (leaving) inherit_age(mesh, coming, leaving);
  }
  wm_plan_finish(&swap->plan);
  if (leaving) leaving->is_leaving = false;
  if (!swap->plan.status) {
    coming->reference_count++;
    if (leaving) wm_mesh_detach_record(mesh, leaving);
    return wm_mesh_order_tile(mesh, coming->tile.ref);
  }
  coming->pending = coming->dynamic_count = 0;
  coming->is_laid = false;
  return swap->plan.status;
}

static WmStatus swap_sides(Swap *swap) {
  const WmScratchMark mark = wm_scratch_mark(swap->plan.mesh->context);
  swap->plan.status = prepare(swap);
  if (swap->leaving) swap->leaving->is_leaving = true;
  if (!swap->plan.status) plan_sides(swap);
  const WmStatus status = finish(swap);
  wm_scratch_rewind(swap->plan.mesh->context, mark);
  return status;
}

/* The general case: as wm_mesh_replace_tile and wm_mesh_order_tile. */
static WmStatus change(WmMesh *mesh, WmTileRecord *coming, WmTileRecord *leaving) {
  coming->dynamic_count = 0;
  coming->is_laid = false;
  const WmStatus status = wm_mesh_change(mesh, coming, leaving);
  if (status) {
    coming->pending = coming->dynamic_count = 0;
    return status;
  }
  coming->reference_count++;
  return wm_mesh_order_tile(mesh, coming->tile.ref);
}

WmStatus wm_mesh_swap_tile(WmMesh *mesh, WmReadyTile *ready, WmRef *ref) {
  *ref = 0;
  WmTileRecord *former;
  WmStatus status = wm_mesh_check_place(mesh, &ready->tile, &former);
  if (!status) status = wm_mesh_choose_slot(mesh, &ready->tile);
  if (status) return status;
  ready->older = ready->newer = NULL;
  memset(ready->connection_started, 0, ready->tile.connection_count);
  if (ready->has_landings) wm_tile_fill_states(ready);
  ready->has_landings = false;
  Swap swap = {.plan = {.mesh = mesh}, .coming = ready, .leaving = former};
  status = look_around(&swap) ? swap_sides(&swap) : change(mesh, ready, former);
  if (!status) *ref = ready->tile.ref;
  return status;
}
