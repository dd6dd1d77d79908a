/* Adds, replaces and removes tiles. See mesh.h.
 *
 * A change is planned link by link before anything changes (links/links.c), and applied or discarded as a
 * whole. The plan ignores a tile that will be replaced; it is removed after its successor was inserted.
 *
 * Off-mesh connections that end in the place of their tile or next to it are linked when either tile is
 * added, as in Detour. A connection that ends farther away (Detour never links these) is far: tiles with far
 * connections are in a list, which is compared with every tile that is added or removed. */
#include "mesh/links/segment_sets.h"
#include "mesh/mesh_internal.h"

enum { LAYER_LIMIT = 1024 };

/* ---- Around a tile ------------------------------------------------------------------------------------ */

/* A place and the eight around it in Detour's order; STEP_SIDE is the side of the tile in the centre that a
 * step crosses. */
enum { STEP_COUNT = 9 };
static const int8_t STEP_X[STEP_COUNT] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t STEP_Z[STEP_COUNT] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
static const uint8_t STEP_SIDE[STEP_COUNT] = {WM_TILE_SIDE_INSIDE, 0, 1, 2, 3, 4, 5, 6, 7};

/* The next layer of a place that isn't leaving. */
static WmTileRecord *next_staying(const WmMesh *mesh, int32_t x, int32_t z, const WmTileRecord *previous) {
  const WmMeshTile *tile = previous ? &previous->tile : NULL;
  while ((tile = wm_mesh_next_layer(mesh, x, z, tile)) != NULL) {
    WmTileRecord *record = wm_mesh_slots(mesh)[tile->slot].record;
    if (!record->is_leaving) return record;
  }
  return NULL;
}

/* The next tile around another: pass NULL and step 0, then the last result, until it returns NULL. */
static WmTileRecord *next_around(const WmMesh *mesh, const WmMeshTile *tile, WmTileRecord *previous,
                                 int *step) {
  for (; *step < STEP_COUNT; ++*step, previous = NULL) {
    previous = next_staying(mesh, tile->x + STEP_X[*step], tile->z + STEP_Z[*step], previous);
    if (previous) return previous;
  }
  return NULL;
}

/* ---- Far connections ---------------------------------------------------------------------------------- */

/* True if a connection ends beyond the places around its tile.
 * out        place: of its end */
static bool is_far(const WmMesh *mesh, const WmMeshTile *tile, uint32_t connection, int32_t place[2]) {
  const WmTileConnection *ends = &tile->connections[connection];
  for (int i = 0; i < 2; i++) place[i] = wm_mesh_place(mesh, 2 * i, ends->end[2 * i]);
  const int32_t x = place[0] - tile->x, z = place[1] - tile->z;
  return ends->side != WM_TILE_SIDE_INSIDE && (x < -1 || x > 1 || z < -1 || z > 1);
}

/* Adds a tile to the list if it has far connections. */
static void list_far(WmMesh *mesh, WmTileRecord *record) {
  int32_t place[2];
  record->far_count = 0;
  for (uint32_t i = 0; i < record->tile.connection_count; i++) {
    record->far_count += is_far(mesh, &record->tile, i, place);
  }
  if (record->far_count == 0) return;
  record->next_far = mesh->first_far;
  mesh->first_far = record;
}

static void unlist_far(WmMesh *mesh, const WmTileRecord *record) {
  if (record->far_count == 0) return;
  WmTileRecord **at = &mesh->first_far;
  while (*at != record) at = &(*at)->next_far;
  *at = record->next_far;
}

/* Called with the tile of a far connection and a tile at its end. */
typedef void FarStep(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, WmTileRecord *to);

static void link_far(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, WmTileRecord *to) {
  wm_plan_connection(plan, from, connection, 1, to);
}

static void unlink_far(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, WmTileRecord *to) {
  (void)connection;
  wm_plan_untie(plan, from->is_leaving ? to : from, from->is_leaving ? from : to);
}

/* Calls `step` for the tile's own far connections, then for those of other tiles that end at its place. */
static void visit_far(WmLinkPlan *plan, WmTileRecord *record, FarStep *step) {
  int32_t place[2];
  for (uint32_t i = 0; i < record->tile.connection_count; i++) {
    if (!is_far(plan->mesh, &record->tile, i, place)) continue;
    for (WmTileRecord *to = NULL; (to = next_staying(plan->mesh, place[0], place[1], to)) != NULL;) {
      step(plan, record, i, to);
    }
  }
  for (WmTileRecord *from = plan->mesh->first_far; from; from = from->next_far) {
    if (from == record || from->is_leaving) continue;
    for (uint32_t i = 0; i < from->tile.connection_count; i++) {
      const bool ends_here = is_far(plan->mesh, &from->tile, i, place) && place[0] == record->tile.x &&
                             place[1] == record->tile.z;
      if (ends_here) step(plan, from, i, record);
    }
  }
}

/* ---- Plans -------------------------------------------------------------------------------------------- */

/* Plans the links of one end of the connections of `from` to polygons of `to`: of all starts (end 0), or of
 * the ends on its `side` (end 1). */
static void plan_connections(WmLinkPlan *plan, WmTileRecord *from, WmTileRecord *to, uint32_t end,
                             uint32_t side) {
  for (uint32_t i = 0; i < from->tile.connection_count; i++) {
    if (end == 0 || from->tile.connections[i].side == side) wm_plan_connection(plan, from, i, end, to);
  }
}

/* Plans all links between two tiles: across portals if they share a side, and of connections between them. */
static void plan_pair(WmLinkPlan *plan, WmTileRecord *record, WmTileRecord *other, uint32_t side) {
  const uint32_t back = side == WM_TILE_SIDE_INSIDE ? side : (side + 4) & 7;
  /* Diagonal sides have no portal edges. */
  wm_plan_portals(plan, record, other, side);
  wm_plan_portals(plan, other, record, back);
  plan_connections(plan, other, record, 1, back);
  plan_connections(plan, record, other, 1, side);
}

void wm_plan_limit(WmLinkPlan *plan, const WmTileRecord *coming) {
  const size_t sources =
      plan->mesh->link_source_count + wm_tile_link_source_count(coming) + WM_MIN_LINK_SOURCES;
  plan->link_limit = sources * WM_LINKS_PER_SOURCE;
  plan->work_left = sources * WM_PAIRS_PER_SOURCE;
}

WmStatus wm_plan_begin(WmLinkPlan *plan, WmTileRecord *coming) {
  WmContext *context = plan->mesh->context;
  plan->candidates = wm_scratch_array(context, 2 * WM_CANDIDATE_LIMIT, sizeof *plan->candidates);
  plan->status = plan->candidates ? wm_tile_reserve_links(context, coming) : WM_ERROR_OUT_OF_MEMORY;
  if (plan->status) return plan->status;
  wm_plan_limit(plan, coming);
  wm_plan_touch(plan, coming);
  return WM_OK;
}

/* Plans the links of a new tile, in Detour's order: within the tile, other layers of the place, neighbours by
 * side. */
static void plan_coming(WmLinkPlan *plan, WmTileRecord *record) {
  if (wm_plan_begin(plan, record)) return;
  for (uint32_t end = 0; end < 2; end++) plan_connections(plan, record, record, end, WM_TILE_SIDE_INSIDE);
  int step = 0;
  for (WmTileRecord *other = NULL; (other = next_around(plan->mesh, &record->tile, other, &step)) != NULL;) {
    plan_pair(plan, record, other, STEP_SIDE[step]);
  }
  visit_far(plan, record, link_far);
}

static void plan_leaving(WmLinkPlan *plan, WmTileRecord *record) {
  record->is_leaving = true;
  int step = 0;
  for (WmTileRecord *other = NULL; (other = next_around(plan->mesh, &record->tile, other, &step)) != NULL;) {
    wm_plan_untie(plan, other, record);
  }
  visit_far(plan, record, unlink_far);
}

WmStatus wm_mesh_change(WmMesh *mesh, WmTileRecord *coming, WmTileRecord *leaving) {
  WmLinkPlan plan = {.mesh = mesh};
  const WmScratchMark mark = wm_scratch_mark(mesh->context);
  if (leaving) plan_leaving(&plan, leaving);
  if (coming) plan_coming(&plan, coming);
  const WmMeshTile *place = coming ? &coming->tile : &leaving->tile;
  wm_plan_ties(&plan, place->x, place->z, coming);
  if (coming && !plan.status) {
    wm_mesh_insert_record(mesh, coming);
    list_far(mesh, coming);
  }
  wm_plan_finish(&plan);
  wm_scratch_rewind(mesh->context, mark);
  if (leaving) leaving->is_leaving = false;
  if (!leaving || plan.status) return plan.status;
  unlist_far(mesh, leaving);
  wm_mesh_detach_record(mesh, leaving);
  return WM_OK;
}

/* ---- Adding and replacing ----------------------------------------------------------------------------- */

WmStatus wm_mesh_check_place(const WmMesh *mesh, const WmMeshTile *tile, WmTileRecord **former) {
  int layers = 1;
  const WmMeshTile *other = NULL;
  *former = NULL;
  for (; (other = wm_mesh_next_layer(mesh, tile->x, tile->z, other)) != NULL; layers++) {
    if (tile->layer != other->layer) continue;
    *former = wm_mesh_slots(mesh)[other->slot].record;
    layers--;
  }
  if (layers <= LAYER_LIMIT) return WM_OK;
  return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "layers", layers, 0, LAYER_LIMIT, NULL);
}

static bool are_equal(const WmMeshTile *a, const WmMeshTile *b) {
  return a->byte_count == b->byte_count && memcmp(a->bytes, b->bytes, a->byte_count) == 0;
}

static WmStatus add(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, bool may_replace, WmRef *out) {
  if (out) *out = 0;
  WmTileRecord *record, *former;
  WmStatus status = wm_tile_make(mesh->context, bytes, byte_count, &record);
  if (status) return status;
  status = wm_mesh_check_place(mesh, &record->tile, &former);
  if (!status && former && !may_replace) {
    status = wm_fail(mesh->context, WM_ERROR_STATE, "tile", "the place has a tile: remove it first");
  }
  const bool same = !status && former && are_equal(&record->tile, &former->tile);
  if (!status && !same) status = wm_mesh_choose_slot(mesh, &record->tile);
  if (!status && !same) status = wm_mesh_change(mesh, record, former);
  if (out && !status) *out = same ? former->tile.ref : record->tile.ref;
  if (status || same) wm_tile_free(mesh->context, record);
  return status;
}

WmStatus wm_mesh_add_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, WmRef *tile) {
  return add(mesh, bytes, byte_count, false, tile);
}

WmStatus wm_mesh_replace_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, WmRef *tile) {
  return add(mesh, bytes, byte_count, true, tile);
}

/* The size of tiles may be known only now, so all far connections are found again. */
void wm_mesh_finish_loading(WmMesh *mesh) {
  mesh->loading = false;
  mesh->first_far = NULL;
  for (WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    list_far(mesh, record);
    wm_tile_lay_links(mesh, record);
  }
  for (WmTileRecord *record = mesh->oldest_connection; record; record = record->newer) {
    wm_tile_lay_links(mesh, record);
  }
  for (size_t i = 0; i < mesh->link_set_count; i++)
    wm_tile_lay_links(mesh, &wm_mesh_link_sets(mesh)[i]->record);
}

/* ---- Removing ----------------------------------------------------------------------------------------- */

WmStatus wm_mesh_remove_tile(WmMesh *mesh, WmRef ref) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, ref, "tile");
  if (status) return status;
  WmTileRecord *record = wm_mesh_record(mesh, ref);
  if (record->tile.ground_count > 0) return wm_mesh_change(mesh, NULL, record);
  return wm_fail(mesh->context, WM_ERROR_INVALID_ARGUMENT, "tile",
                 record->tile.segments
                     ? "the reference is that of a segment link, not of a tile"
                     : "the reference is that of a connection made at run time, not of a tile");
}

/* ---- Order -------------------------------------------------------------------------------------------- */

static bool lies_behind(const WmMeshTile *tile, const WmMeshTile *other) {
  if (tile->z != other->z) return tile->z > other->z;
  return tile->x != other->x ? tile->x > other->x : tile->layer > other->layer;
}

WmStatus wm_mesh_order_tile(WmMesh *mesh, WmRef ref) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, ref, "tile");
  if (status) return status;
  WmTileRecord *record = wm_mesh_record(mesh, ref);
  if (record->tile.ground_count == 0) return WM_OK; /* a connection, or links */
  WmTileRecord *next = NULL;                        /* the first one that it passes */
  for (WmTileRecord *other = record->older; other && lies_behind(&other->tile, &record->tile);
       other = other->older)
    next = other;
  if (!next) return WM_OK;
  WmTileRecord *before = next->older, *after = record->newer;
  record->older->newer = after;
  *(after ? &after->older : &mesh->newest) = record->older;
  *(before ? &before->newer : &mesh->oldest) = record;
  record->older = before;
  record->newer = next;
  next->older = record;
  return WM_OK;
}
