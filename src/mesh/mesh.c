/* The mesh: slots with generations, tiles by place, adding and removing. See mesh.h.
 *
 * Places are hashed into buckets of slots, the newest tile first, so that layers of a place are visited as
 * Detour visits them. Free slots wait in a queue: each is used again as late as possible, and never once its
 * generations are used up. Adding plans every link before it changes anything, and makes sure of all memory
 * in between, so that a failure leaves the mesh as it was. */
#include "mesh/mesh.h"

#include <math.h>

#include "base/sort.h"
#include "mesh/mesh_internal.h"

enum { GENERATION_LIMIT = (1 << WM_REF_GENERATION_BITS) - 1, LAYER_LIMIT = 1024 };

/* ---- Creating ----------------------------------------------------------------------------------------- */

WmStatus wm_mesh_create(WmContext *context, const WmMeshParameters *parameters, WmMesh **out) {
  *out = NULL;
  for (int axis = 0; axis < 3; axis++) {
    if (!isfinite(parameters->origin[axis])) {
      return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "origin", "the mesh's origin is not finite");
    }
  }
  if (!isfinite(parameters->tile_width) || !isfinite(parameters->tile_depth) ||
      !(parameters->tile_width > 0) || !(parameters->tile_depth > 0)) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "tileSize",
                   "the size of a tile must be finite and above 0");
  }
  WmMesh *mesh = wm_block_allocate(context, sizeof *mesh);
  if (!mesh) return WM_ERROR_OUT_OF_MEMORY;
  *mesh = (WmMesh){
      .context = context, .parameters = *parameters, .free_first = WM_NO_SLOT, .free_last = WM_NO_SLOT};
  *out = mesh;
  return WM_OK;
}

void wm_mesh_destroy(WmMesh *mesh) {
  if (!mesh) return;
  WmContext *context = mesh->context;
  for (uint32_t i = 0; i < mesh->slot_count; i++) wm_tile_free(context, mesh->slots[i].record);
  wm_block_free(context, mesh->slots);
  wm_block_free(context, mesh->buckets);
  wm_block_free(context, mesh->configuration);
  wm_block_free(context, mesh);
}

WmContext *wm_mesh_context(const WmMesh *mesh) { return mesh->context; }
const WmMeshParameters *wm_mesh_parameters(const WmMesh *mesh) { return &mesh->parameters; }
uint64_t wm_mesh_version(const WmMesh *mesh) { return mesh->version; }
size_t wm_mesh_tile_count(const WmMesh *mesh) { return mesh->tile_count; }
size_t wm_mesh_slot_count(const WmMesh *mesh) { return mesh->slot_count; }

const char *wm_mesh_configuration(const WmMesh *mesh, size_t *length) {
  *length = mesh->configuration_length;
  return mesh->configuration;
}

WmStatus wm_mesh_set_configuration(WmMesh *mesh, const char *text, size_t length) {
  char *copy = NULL;
  if (length > 0) {
    copy = wm_block_allocate(mesh->context, length);
    if (!copy) return WM_ERROR_OUT_OF_MEMORY;
    memcpy(copy, text, length);
  }
  wm_block_free(mesh->context, mesh->configuration);
  mesh->configuration = copy;
  mesh->configuration_length = length;
  return WM_OK;
}

/* ---- Places ------------------------------------------------------------------------------------------- */

static uint32_t bucket_of(const WmMesh *mesh, int32_t x, int32_t z) {
  const uint32_t hash = (uint32_t)x * 0x8da6b343u ^ (uint32_t)z * 0xd8163841u;
  return (hash ^ hash >> 15) & (mesh->bucket_count - 1);
}

uint32_t wm_mesh_bucket(const WmMesh *mesh, int32_t x, int32_t z) {
  return mesh->bucket_count ? mesh->buckets[bucket_of(mesh, x, z)] : WM_NO_SLOT;
}

static void put_in_bucket(WmMesh *mesh, uint32_t slot) {
  const WmMeshTile *tile = &mesh->slots[slot].record->tile;
  uint32_t *bucket = &mesh->buckets[bucket_of(mesh, tile->x, tile->z)];
  mesh->slots[slot].next = *bucket;
  *bucket = slot;
}

static void take_from_bucket(WmMesh *mesh, uint32_t slot) {
  const WmMeshTile *tile = &mesh->slots[slot].record->tile;
  uint32_t *at = &mesh->buckets[bucket_of(mesh, tile->x, tile->z)];
  while (*at != slot) at = &mesh->slots[*at].next;
  *at = mesh->slots[slot].next;
}

/* Room for one more tile in the buckets. The order within a place is kept: each old chain is turned round,
 * then pushed tile by tile. */
static WmStatus reserve_buckets(WmMesh *mesh) {
  if (mesh->tile_count < mesh->bucket_count) return WM_OK;
  const uint32_t old_count = mesh->bucket_count, count = old_count ? 2 * old_count : 16;
  uint32_t *old = mesh->buckets;
  uint32_t *buckets = wm_block_allocate(mesh->context, count * sizeof *buckets);
  if (!buckets) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count; i++) buckets[i] = WM_NO_SLOT;
  mesh->buckets = buckets;
  mesh->bucket_count = count;
  for (uint32_t i = 0; i < old_count; i++) {
    uint32_t reversed = WM_NO_SLOT;
    for (uint32_t slot = old[i], next; slot != WM_NO_SLOT; slot = next) {
      next = mesh->slots[slot].next;
      mesh->slots[slot].next = reversed;
      reversed = slot;
    }
    for (uint32_t slot = reversed, next; slot != WM_NO_SLOT; slot = next) {
      next = mesh->slots[slot].next;
      put_in_bucket(mesh, slot);
    }
  }
  wm_block_free(mesh->context, old);
  return WM_OK;
}

/* The next tile of the place from `slot` on, itself included. */
static uint32_t skip_to_place(const WmMesh *mesh, uint32_t slot, int32_t x, int32_t z) {
  while (slot != WM_NO_SLOT) {
    const WmMeshTile *tile = &mesh->slots[slot].record->tile;
    if (tile->x == x && tile->z == z) break;
    slot = mesh->slots[slot].next;
  }
  return slot;
}

static uint32_t first_at(const WmMesh *mesh, int32_t x, int32_t z) {
  return skip_to_place(mesh, wm_mesh_bucket(mesh, x, z), x, z);
}

static uint32_t next_at(const WmMesh *mesh, uint32_t slot, int32_t x, int32_t z) {
  return skip_to_place(mesh, mesh->slots[slot].next, x, z);
}

const WmMeshTile *wm_mesh_find_tile(const WmMesh *mesh, int32_t x, int32_t z, int32_t layer) {
  for (uint32_t slot = first_at(mesh, x, z); slot != WM_NO_SLOT; slot = next_at(mesh, slot, x, z)) {
    if (mesh->slots[slot].record->tile.layer == layer) return &mesh->slots[slot].record->tile;
  }
  return NULL;
}

const WmMeshTile *wm_mesh_next_layer(const WmMesh *mesh, int32_t x, int32_t z, const WmMeshTile *previous) {
  const uint32_t slot = previous ? next_at(mesh, previous->slot, x, z) : first_at(mesh, x, z);
  return slot == WM_NO_SLOT ? NULL : &mesh->slots[slot].record->tile;
}

const WmMeshTile *wm_mesh_tile(const WmMesh *mesh, size_t slot) {
  if (slot >= mesh->slot_count || !mesh->slots[slot].record) return NULL;
  return &mesh->slots[slot].record->tile;
}

/* ---- Slots -------------------------------------------------------------------------------------------- */

/* Makes sure that there is a free slot, at the head of the queue. */
static WmStatus reserve_slot(WmMesh *mesh) {
  if (mesh->free_first != WM_NO_SLOT) return WM_OK;
  if (mesh->slot_count == WM_SLOT_LIMIT) {
    return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "tiles", (double)mesh->slot_count + 1, NAN,
                         WM_SLOT_LIMIT, "references cannot number more");
  }
  if (mesh->slot_count == mesh->slot_capacity) {
    uint32_t capacity = mesh->slot_capacity ? 2 * mesh->slot_capacity : 4;
    if (capacity > WM_SLOT_LIMIT) capacity = WM_SLOT_LIMIT;
    WmSlot *slots = wm_block_allocate(mesh->context, capacity * sizeof *slots);
    if (!slots) return WM_ERROR_OUT_OF_MEMORY;
    if (mesh->slot_count) memcpy(slots, mesh->slots, mesh->slot_count * sizeof *slots);
    wm_block_free(mesh->context, mesh->slots);
    mesh->slots = slots;
    mesh->slot_capacity = capacity;
  }
  const uint32_t slot = mesh->slot_count++;
  mesh->slots[slot] = (WmSlot){.generation = 1, .next = WM_NO_SLOT};
  mesh->free_first = mesh->free_last = slot;
  return WM_OK;
}

static void take_slot(WmMesh *mesh) {
  mesh->free_first = mesh->slots[mesh->free_first].next;
  if (mesh->free_first == WM_NO_SLOT) mesh->free_last = WM_NO_SLOT;
}

static void give_slot_back(WmMesh *mesh, uint32_t slot) {
  mesh->slots[slot].record = NULL;
  mesh->slots[slot].generation++;
  mesh->slots[slot].next = WM_NO_SLOT;
  if (mesh->slots[slot].generation > GENERATION_LIMIT) return;
  if (mesh->free_last == WM_NO_SLOT) {
    mesh->free_first = slot;
  } else {
    mesh->slots[mesh->free_last].next = slot;
  }
  mesh->free_last = slot;
}

/* ---- References --------------------------------------------------------------------------------------- */

static WmTileRecord *record_of(const WmMesh *mesh, WmRef ref) {
  const uint32_t slot = wm_ref_slot(ref);
  if (slot >= mesh->slot_count || wm_ref_generation(ref) != mesh->slots[slot].generation) return NULL;
  WmTileRecord *record = mesh->slots[slot].record;
  return record && wm_ref_polygon(ref) < record->tile.polygon_count ? record : NULL;
}

const WmMeshTile *wm_mesh_tile_of(const WmMesh *mesh, WmRef polygon) {
  const WmTileRecord *record = record_of(mesh, polygon);
  return record ? &record->tile : NULL;
}

WmStatus wm_mesh_check_ref(WmContext *context, const WmMesh *mesh, WmRef polygon, const char *field) {
  if (record_of(mesh, polygon)) return WM_OK;
  const uint32_t slot = wm_ref_slot(polygon), generation = wm_ref_generation(polygon);
  if (slot < mesh->slot_count && generation > 0 && generation < mesh->slots[slot].generation) {
    return wm_fail_number(context, WM_ERROR_STALE_REFERENCE, field, "reference ", (double)polygon,
                          " is stale: its tile has been removed");
  }
  return wm_fail_number(
      mesh->context, WM_ERROR_INVALID_ARGUMENT, field, "", (double)polygon,
      polygon ? " is not a reference of this mesh" : " is not a reference: there is no polygon");
}

/* ---- Adding ------------------------------------------------------------------------------------------- */

static const int32_t STEP_X[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t STEP_Z[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/* Everything between two tiles: portals if they share a side, and connections from one to the other. */
static void plan_pair(WmLinkPlan *plan, WmTileRecord *record, WmTileRecord *other, uint32_t side) {
  const uint32_t back = side == WM_TILE_SIDE_INSIDE ? side : (side + 4) & 7;
  if (side == WM_TILE_SIDE_INSIDE || !(side & 1)) {
    wm_plan_portals(plan, record, other, side);
    wm_plan_portals(plan, other, record, back);
  }
  wm_plan_landings(plan, other, record, back);
  wm_plan_landings(plan, record, other, side);
}

/* In Detour's order: within the tile, other layers of the place, then the neighbours side by side. */
static void plan_links(const WmMesh *mesh, WmTileRecord *record, WmLinkPlan *plan) {
  const WmMeshTile *tile = &record->tile;
  wm_plan_starts(plan, record);
  wm_plan_landings(plan, record, record, WM_TILE_SIDE_INSIDE);
  for (uint32_t s = first_at(mesh, tile->x, tile->z); s != WM_NO_SLOT;
       s = next_at(mesh, s, tile->x, tile->z)) {
    plan_pair(plan, record, mesh->slots[s].record, WM_TILE_SIDE_INSIDE);
  }
  for (uint32_t side = 0; side < 8; side++) {
    const int32_t x = tile->x + STEP_X[side], z = tile->z + STEP_Z[side];
    for (uint32_t s = first_at(mesh, x, z); s != WM_NO_SLOT; s = next_at(mesh, s, x, z)) {
      plan_pair(plan, record, mesh->slots[s].record, side);
    }
  }
}

/* Memory for what was planned. `pending` counts the planned links of a tile. */
static WmStatus reserve_plan(const WmMesh *mesh, WmTileRecord *record, const WmLinkPlan *plan) {
  WmStatus status = plan->status;
  if (!status) status = wm_tile_reserve_dynamic(mesh->context, record, record->pending);
  if (!status && !mesh->loading) status = wm_tile_reserve_laid(mesh->context, record, record->pending);
  for (size_t i = 0; i < plan->link_count && !status; i++) {
    WmTileRecord *owner = plan->links[i].owner;
    status = wm_tile_reserve_dynamic(mesh->context, owner, owner->pending);
    if (!status && !mesh->loading) status = wm_tile_reserve_laid(mesh->context, owner, owner->pending);
  }
  return status;
}

/* No step of this can fail. Tiles whose links changed are laid out once each: `pending` marks them. */
static void commit_plan(const WmMesh *mesh, WmTileRecord *record, const WmLinkPlan *plan) {
  for (size_t i = 0; i < plan->link_count; i++) {
    WmTileRecord *owner = plan->links[i].owner;
    owner->dynamic[owner->dynamic_count++] = plan->links[i].link;
  }
  for (size_t i = 0; i < plan->end_count; i++) {
    const WmPlannedEnd *end = &plan->ends[i];
    memcpy(end->owner->connection_ends + 6 * (size_t)end->connection + 3 * (size_t)end->end, end->position,
           sizeof end->position);
  }
  if (mesh->loading) return;
  record->pending = 0;
  wm_tile_lay_links(record);
  for (size_t i = 0; i < plan->link_count; i++) {
    WmTileRecord *owner = plan->links[i].owner;
    if (owner->pending) wm_tile_lay_links(owner);
    owner->pending = 0;
  }
}

static WmStatus link_and_commit(WmMesh *mesh, WmTileRecord *record) {
  WmStatus status = reserve_slot(mesh);
  if (!status) status = reserve_buckets(mesh);
  if (status) return status;
  const uint32_t slot = mesh->free_first;
  record->tile.slot = slot;
  record->tile.ref = wm_ref_make(mesh->slots[slot].generation, slot, 0);
  WmLinkPlan plan = {.context = mesh->context};
  plan_links(mesh, record, &plan);
  status = reserve_plan(mesh, record, &plan);
  if (!status) {
    take_slot(mesh);
    mesh->slots[slot].record = record;
    put_in_bucket(mesh, slot);
    record->sequence = mesh->additions++;
    mesh->tile_count++;
    mesh->version++;
    commit_plan(mesh, record, &plan);
  }
  for (size_t i = 0; i < plan.link_count; i++) plan.links[i].owner->pending = 0;
  return status;
}

/* Whether a tile may go where it says. Each layer of a place is matched with all others: hence a limit. */
static WmStatus check_place(const WmMesh *mesh, const WmTileHeader *header) {
  int layers = 0;
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, header->x, header->z, tile)) != NULL;
       layers++) {
    if (tile->layer != header->layer) continue;
    return wm_fail(mesh->context, WM_ERROR_STATE, "tile",
                   "there is a tile at that place and layer already: remove it first");
  }
  if (layers < LAYER_LIMIT) return WM_OK;
  return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "layers", layers + 1, NAN, LAYER_LIMIT,
                       "no place may have more");
}

WmStatus wm_mesh_add_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, WmRef *out) {
  if (out) *out = 0;
  WmTileView view;
  WmStatus status = wm_tile_open(mesh->context, bytes, byte_count, &view);
  if (status) return status;
  status = check_place(mesh, &view.header);
  if (status) return status;
  WmTileRecord *record = wm_tile_make(mesh->context, &view);
  if (!record) return WM_ERROR_OUT_OF_MEMORY;
  const WmScratchMark mark = wm_scratch_mark(mesh->context);
  status = link_and_commit(mesh, record);
  wm_scratch_rewind(mesh->context, mark);
  if (status) {
    wm_tile_free(mesh->context, record);
  } else if (out) {
    *out = record->tile.ref;
  }
  return status;
}

void wm_mesh_begin_loading(WmMesh *mesh) { mesh->loading = true; }

WmStatus wm_mesh_finish_loading(WmMesh *mesh) {
  mesh->loading = false;
  for (uint32_t i = 0; i < mesh->slot_count; i++) {
    WmTileRecord *record = mesh->slots[i].record;
    if (!record) continue;
    const WmStatus status = wm_tile_reserve_laid(mesh->context, record, 0);
    if (status) return status;
    wm_tile_lay_links(record);
  }
  return WM_OK;
}

/* ---- Removing ----------------------------------------------------------------------------------------- */

WmStatus wm_mesh_remove_tile(WmMesh *mesh, WmRef ref) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, ref, "tile");
  if (status) return status;
  WmTileRecord *record = record_of(mesh, ref);
  const uint32_t slot = record->tile.slot;
  const int32_t x = record->tile.x, z = record->tile.z;
  take_from_bucket(mesh, slot);
  for (int32_t place = 0; place < 9; place++) {
    const int32_t at_x = x + place % 3 - 1, at_z = z + place / 3 - 1;
    for (uint32_t s = first_at(mesh, at_x, at_z); s != WM_NO_SLOT; s = next_at(mesh, s, at_x, at_z)) {
      WmTileRecord *other = mesh->slots[s].record;
      const uint32_t before = other->dynamic_count;
      wm_tile_drop_links(other, slot);
      if (other->dynamic_count != before) wm_tile_lay_links(other);
    }
  }
  give_slot_back(mesh, slot);
  wm_tile_free(mesh->context, record);
  mesh->tile_count--;
  mesh->version++;
  return WM_OK;
}

/* ---- State and sums ----------------------------------------------------------------------------------- */

/* A polygon's record in the tile's bytes is changed too, so that a save has it. */
static void change_record(WmTileRecord *record, uint32_t polygon) {
  WmTilePolygon saved;
  wm_tile_get(record->bytes, record->polygons_at, polygon, sizeof saved, &saved);
  saved.flags = record->flags[polygon];
  saved.area_and_type = (uint8_t)((saved.area_and_type & 0xc0) | record->areas[polygon]);
  wm_tile_put(record->bytes, record->polygons_at, polygon, sizeof saved, &saved);
}

WmStatus wm_mesh_set_polygon_flags(WmMesh *mesh, WmRef polygon, uint16_t flags) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, polygon, "polygon");
  if (status) return status;
  WmTileRecord *record = record_of(mesh, polygon);
  record->flags[wm_ref_polygon(polygon)] = flags;
  change_record(record, wm_ref_polygon(polygon));
  mesh->version++;
  return WM_OK;
}

WmStatus wm_mesh_set_polygon_area(WmMesh *mesh, WmRef polygon, uint8_t area) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, polygon, "polygon");
  if (status) return status;
  if (area > 63) {
    return wm_fail_range(mesh->context, WM_ERROR_INVALID_ARGUMENT, "area", area, 0, 63, NULL);
  }
  WmTileRecord *record = record_of(mesh, polygon);
  record->areas[wm_ref_polygon(polygon)] = area;
  change_record(record, wm_ref_polygon(polygon));
  mesh->version++;
  return WM_OK;
}

const WmTileRecord **wm_mesh_tiles_by_age(const WmMesh *mesh) {
  const WmTileRecord **tiles = wm_scratch_array(mesh->context, mesh->tile_count, sizeof *tiles);
  const WmScratchMark mark = wm_scratch_mark(mesh->context);
  WmSortItem *items = tiles ? wm_scratch_array(mesh->context, 2 * mesh->tile_count, sizeof *items) : NULL;
  if (!items) return NULL;
  /* Two passes of a stable sort: low halves of the numbers, then high ones. */
  size_t count = 0;
  for (uint32_t i = 0; i < mesh->slot_count; i++) {
    if (mesh->slots[i].record) items[count++] = (WmSortItem){(uint32_t)mesh->slots[i].record->sequence, i};
  }
  wm_sort_stable(items, items + count, count);
  for (size_t i = 0; i < count; i++)
    items[i].key = (uint32_t)(mesh->slots[items[i].value].record->sequence >> 32);
  wm_sort_stable(items, items + count, count);
  for (size_t i = 0; i < count; i++) tiles[i] = mesh->slots[items[i].value].record;
  wm_scratch_rewind(mesh->context, mark);
  return tiles;
}

void wm_mesh_totals(const WmMesh *mesh, WmMeshTotals *totals) {
  memset(totals, 0, sizeof *totals);
  for (uint32_t i = 0; i < mesh->slot_count; i++) {
    const WmTileRecord *record = mesh->slots[i].record;
    if (!record) continue;
    const WmMeshTile *tile = &record->tile;
    for (int axis = 0; axis < 3; axis++) {
      const float low = tile->bounds_min[axis], high = tile->bounds_max[axis];
      if (!totals->tiles || low < totals->bounds_min[axis]) totals->bounds_min[axis] = low;
      if (!totals->tiles || high > totals->bounds_max[axis]) totals->bounds_max[axis] = high;
    }
    totals->tiles++;
    totals->polygons += tile->ground_count;
    totals->connections += tile->connection_count;
    totals->vertices += tile->vertex_count;
    totals->triangles += tile->triangle_count;
    totals->links += tile->link_first[tile->polygon_count];
    totals->byte_count += tile->byte_count;
  }
}

void wm_mesh_tile_triangles(const WmMeshTile *tile, float *positions, uint32_t *polygons) {
  for (uint32_t i = 0; i < tile->ground_count; i++) {
    const WmTileDetail *detail = &tile->details[i];
    const uint32_t size = tile->polygon_size[i];
    const uint32_t count = detail->triangle_count ? detail->triangle_count : size - 2;
    for (uint32_t k = 0; k < count; k++) {
      const uint8_t fan[4] = {0, (uint8_t)(k + 1), (uint8_t)(k + 2), 0};
      const uint8_t *corners =
          detail->triangle_count ? tile->detail_triangles + 4 * ((size_t)detail->first_triangle + k) : fan;
      for (int c = 0; c < 3; c++, positions += 3) {
        const float *corner =
            corners[c] < size
                ? tile->vertices +
                      3 * (size_t)
                              tile->polygon_vertices[WM_TILE_VERTICES_PER_POLYGON * (size_t)i + corners[c]]
                : tile->detail_vertices + 3 * ((size_t)detail->first_vertex + (corners[c] - size));
        memcpy(positions, corner, 3 * sizeof(float));
      }
      if (polygons) *polygons++ = i;
    }
  }
}
