/* The mesh: slots with generations, tiles by place, adding and removing. See mesh.h.
 *
 * Places are hashed into buckets of slots, the newest tile first, so that layers of a place are visited as
 * Detour visits them. Free slots wait in a queue: each is used again as late as possible, and never once its
 * generations are used up. Adding plans every link before it changes anything, and makes sure of all memory
 * in between, so that a failure leaves the mesh as it was. */
#include "mesh/mesh.h"

#include <math.h>

#include "mesh/locate.h"
#include "mesh/mesh_internal.h"

enum { GENERATION_LIMIT = (1 << WM_REF_GENERATION_BITS) - 1, LAYER_LIMIT = 1024 };

static WmSlot *slots_of(const WmMesh *mesh) { return mesh->slots.items; }

/* ---- Creating ----------------------------------------------------------------------------------------- */

WmStatus wm_mesh_create(WmContext *context, const WmMeshParameters *parameters, WmMesh **out) {
  *out = NULL;
  for (int i = 0; i < 5; i++) {
    float number; /* of the origin, then the tile's width and depth */
    memcpy(&number, (const uint8_t *)parameters + sizeof number * (size_t)i, sizeof number);
    if (isfinite(number) && (i < 3 || number > 0)) continue;
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, i < 3 ? "origin" : "tileSize", "a number is ",
                          number, ": must be finite, sizes above 0");
  }
  WmMesh *mesh = *out = wm_block_allocate(context, sizeof *mesh);
  if (!mesh) return WM_ERROR_OUT_OF_MEMORY;
  memset(mesh, 0, sizeof *mesh);
  mesh->context = context;
  mesh->parameters = *parameters;
  mesh->free_first = WM_NO_SLOT;
  mesh->least_cost = 1;
  return WM_OK;
}

void wm_mesh_destroy(WmMesh *mesh) {
  if (!mesh) return;
  WmContext *context = mesh->context;
  for (WmTileRecord *record = mesh->oldest, *newer; record; record = newer) {
    newer = record->newer;
    wm_tile_free(context, record);
  }
  wm_block_free(context, mesh->slots.items);
  wm_block_free(context, mesh->areas.items);
  wm_block_free(context, mesh->configuration);
  wm_block_free(context, mesh);
}

WmContext *wm_mesh_context(const WmMesh *mesh) { return mesh->context; }
const WmMeshParameters *wm_mesh_parameters(const WmMesh *mesh) { return &mesh->parameters; }
uint64_t wm_mesh_version(const WmMesh *mesh) { return mesh->version; }
uint64_t wm_mesh_shape_version(const WmMesh *mesh) { return mesh->shape_version; }
float wm_mesh_least_cost(const WmMesh *mesh) { return mesh->least_cost; }
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

static uint32_t *bucket_of(const WmMesh *mesh, int32_t x, int32_t z) {
  const uint32_t hash = (uint32_t)x * 0x8da6b343u ^ (uint32_t)z * 0xd8163841u;
  return &slots_of(mesh)[(hash ^ hash >> 15) & (mesh->slots.capacity - 1)].bucket;
}

static void put_in_bucket(WmMesh *mesh, const WmMeshTile *tile) {
  uint32_t *bucket = bucket_of(mesh, tile->x, tile->z);
  slots_of(mesh)[tile->slot].next = *bucket;
  *bucket = tile->slot;
}

static void take_from_bucket(WmMesh *mesh, const WmMeshTile *tile) {
  uint32_t *at = bucket_of(mesh, tile->x, tile->z);
  while (*at != tile->slot) at = &slots_of(mesh)[*at].next;
  *at = slots_of(mesh)[*at].next;
}

const WmMeshTile *wm_mesh_next_layer(const WmMesh *mesh, int32_t x, int32_t z, const WmMeshTile *previous) {
  if (mesh->slots.capacity == 0) return NULL;
  uint32_t slot = previous ? slots_of(mesh)[previous->slot].next : *bucket_of(mesh, x, z);
  while (slot != WM_NO_SLOT) {
    const WmMeshTile *tile = &slots_of(mesh)[slot].record->tile;
    if (tile->x == x && tile->z == z) return tile;
    slot = slots_of(mesh)[slot].next;
  }
  return NULL;
}

const WmMeshTile *wm_mesh_find_tile(const WmMesh *mesh, int32_t x, int32_t z, int32_t layer) {
  const WmMeshTile *tile = NULL;
  while ((tile = wm_mesh_next_layer(mesh, x, z, tile)) != NULL && tile->layer != layer) {
  }
  return tile;
}

const WmMeshTile *wm_mesh_tile(const WmMesh *mesh, size_t slot) {
  return slot < mesh->slot_count && slots_of(mesh)[slot].record ? &slots_of(mesh)[slot].record->tile : NULL;
}

/* A place and those around it; STEP_SIDE is the side of the tile in the middle that is crossed. Detour's
 * order. */
enum { STEP_COUNT = 9 };
static const int8_t STEP_X[STEP_COUNT] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t STEP_Z[STEP_COUNT] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
static const uint8_t STEP_SIDE[STEP_COUNT] = {WM_TILE_SIDE_INSIDE, 0, 1, 2, 3, 4, 5, 6, 7};

/* The tiles around one: pass NULL and step 0, then the last answer, until NULL comes back. */
static WmTileRecord *next_around(const WmMesh *mesh, const WmMeshTile *tile, WmTileRecord *previous,
                                 int *step) {
  const WmMeshTile *next = previous ? &previous->tile : NULL;
  for (; *step < STEP_COUNT; ++*step) {
    next = wm_mesh_next_layer(mesh, tile->x + STEP_X[*step], tile->z + STEP_Z[*step], next);
    if (next) return slots_of(mesh)[next->slot].record;
  }
  return NULL;
}

/* ---- Slots -------------------------------------------------------------------------------------------- */

static void set_area(WmMesh *mesh, const WmTileRecord *record) {
  wm_mesh_set_area(mesh, record->tile.slot, record->tile.area_before[record->tile.ground_count]);
}

static void queue_slot(WmMesh *mesh, uint32_t slot) {
  slots_of(mesh)[slot].next = WM_NO_SLOT;
  *(mesh->free_first == WM_NO_SLOT ? &mesh->free_first : &slots_of(mesh)[mesh->free_last].next) = slot;
  mesh->free_last = slot;
}

/* Twice the slots. Tiles are put in buckets anew by age: the newest come first. Sums of areas are made anew.
 */
static WmStatus grow_slots(WmMesh *mesh) {
  const size_t count = mesh->slots.capacity ? 2 * mesh->slots.capacity : 16;
  WmStatus status = wm_buffer_reserve(mesh->context, &mesh->areas, 2 * count, sizeof(double));
  if (!status) status = wm_buffer_reserve(mesh->context, &mesh->slots, count, sizeof(WmSlot));
  if (status) return status;
  memset(mesh->areas.items, 0, 2 * count * sizeof(double));
  for (size_t i = 0; i < count; i++) slots_of(mesh)[i].bucket = WM_NO_SLOT;
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    put_in_bucket(mesh, &record->tile);
    set_area(mesh, record);
  }
  return WM_OK;
}

/* Gives a tile a slot and a reference: the first of the queue, or a new one. */
static WmStatus choose_slot(WmMesh *mesh, WmMeshTile *tile) {
  uint32_t slot = mesh->free_first;
  if (slot == WM_NO_SLOT) {
    slot = mesh->slot_count;
    if (slot == WM_SLOT_LIMIT) {
      return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "tiles", slot + 1.0, 0, WM_SLOT_LIMIT, NULL);
    }
    const WmStatus status = slot == mesh->slots.capacity ? grow_slots(mesh) : WM_OK;
    if (status) return status;
    slots_of(mesh)[slot].generation = 1;
  }
  tile->slot = slot;
  tile->ref = wm_ref_make(slots_of(mesh)[slot].generation, slot, 0);
  return WM_OK;
}

/* ---- References --------------------------------------------------------------------------------------- */

static WmTileRecord *record_of(const WmMesh *mesh, WmRef ref) {
  const uint32_t slot = wm_ref_slot(ref);
  if (slot >= mesh->slot_count || wm_ref_generation(ref) != slots_of(mesh)[slot].generation) return NULL;
  WmTileRecord *record = slots_of(mesh)[slot].record;
  return record && wm_ref_polygon(ref) < record->tile.polygon_count ? record : NULL;
}

const WmMeshTile *wm_mesh_tile_of(const WmMesh *mesh, WmRef polygon) {
  const WmTileRecord *record = record_of(mesh, polygon);
  return record ? &record->tile : NULL;
}

WmStatus wm_mesh_check_ref(WmContext *context, const WmMesh *mesh, WmRef polygon, const char *field) {
  if (record_of(mesh, polygon)) return WM_OK;
  const uint32_t slot = wm_ref_slot(polygon), generation = wm_ref_generation(polygon);
  const bool stale =
      slot < mesh->slot_count && generation > 0 && generation < slots_of(mesh)[slot].generation;
  return wm_fail_number(context, stale ? WM_ERROR_STALE_REFERENCE : WM_ERROR_INVALID_ARGUMENT, field,
                        "reference ", (double)polygon,
                        stale     ? " is stale: its tile has been removed"
                        : polygon ? " is none of this mesh"
                                  : " is none: there is no polygon");
}

/* ---- Adding ------------------------------------------------------------------------------------------- */

/* Everything between two tiles: portals if they share a side, and connections from one to the other. */
static void plan_pair(WmLinkPlan *plan, WmTileRecord *record, WmTileRecord *other, uint32_t side) {
  const uint32_t back = side == WM_TILE_SIDE_INSIDE ? side : (side + 4) & 7;
  /* No edge is on a side that is a corner. */
  wm_plan_portals(plan, record, other, side);
  wm_plan_portals(plan, other, record, back);
  wm_plan_connections(plan, other, record, 1, back);
  wm_plan_connections(plan, record, other, 1, side);
}

/* In Detour's order: within the tile, other layers of the place, then the neighbours side by side. */
static void plan_links(const WmMesh *mesh, WmTileRecord *record, WmLinkPlan *plan) {
  for (uint32_t end = 0; end < 2; end++) wm_plan_connections(plan, record, record, end, WM_TILE_SIDE_INSIDE);
  int step = 0;
  for (WmTileRecord *other = NULL; (other = next_around(mesh, &record->tile, other, &step)) != NULL;) {
    plan_pair(plan, record, other, STEP_SIDE[step]);
  }
}

/* Makes the links planned for a tile, or forgets them; none of this can fail. */
static void settle(const WmMesh *mesh, WmTileRecord *record, bool make) {
  const WmMeshTile *tile = &record->tile;
  const uint32_t end = record->dynamic_count + (make ? record->pending : 0);
  record->pending = 0;
  for (; record->dynamic_count < end; record->dynamic_count++) {
    const WmDynamicLink *link = (const WmDynamicLink *)record->dynamic.items + record->dynamic_count;
    if (link->polygon < tile->ground_count) continue;
    float *ends = (float *)tile->connection_ends + 6 * (size_t)(link->polygon - tile->ground_count);
    memcpy(ends + 3 * link->edge, link->point, sizeof link->point);
  }
  if (!mesh->loading) wm_tile_lay_links(record);
}

/* Puts a tile where it belongs: in its slot, in its bucket, behind all others by age. */
static void put_tile(WmMesh *mesh, WmTileRecord *record) {
  WmSlot *slot = &slots_of(mesh)[record->tile.slot];
  if (record->tile.slot == mesh->slot_count) {
    mesh->slot_count++;
  } else {
    mesh->free_first = slot->next;
  }
  slot->record = record;
  put_in_bucket(mesh, &record->tile);
  set_area(mesh, record);
  record->older = mesh->newest;
  *(mesh->newest ? &mesh->newest->newer : &mesh->oldest) = record;
  mesh->newest = record;
  mesh->tile_count++;
  mesh->version++;
  mesh->shape_version++;
}

/* Whether a tile may go where it says. Each layer of a place is matched with all others: hence a limit. */
static WmStatus check_place(const WmMesh *mesh, const WmMeshTile *tile) {
  int layers = 1;
  const WmMeshTile *other = NULL;
  for (; (other = wm_mesh_next_layer(mesh, tile->x, tile->z, other)) != NULL; layers++) {
    if (tile->layer != other->layer) continue;
    return wm_fail(mesh->context, WM_ERROR_STATE, "tile", "the place has a tile: remove it first");
  }
  if (layers <= LAYER_LIMIT) return WM_OK;
  return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "layers", layers, 0, LAYER_LIMIT, NULL);
}

static WmStatus link_and_put(WmMesh *mesh, WmTileRecord *record) {
  WmStatus status = check_place(mesh, &record->tile);
  if (!status) status = choose_slot(mesh, &record->tile);
  if (status) return status;
  WmLinkPlan plan = {.context = mesh->context};
  plan.candidates = wm_scratch_array(mesh->context, 2 * WM_CANDIDATE_LIMIT, sizeof *plan.candidates);
  if (!plan.candidates) return WM_ERROR_OUT_OF_MEMORY;
  plan.status = wm_tile_reserve_links(mesh->context, record);
  plan_links(mesh, record, &plan);
  if (!plan.status) put_tile(mesh, record);
  int step = 0;
  for (WmTileRecord *other = NULL; (other = next_around(mesh, &record->tile, other, &step)) != NULL;) {
    if (other->pending || other == record) settle(mesh, other, !plan.status);
  }
  return plan.status;
}

WmStatus wm_mesh_add_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, WmRef *out) {
  if (out) *out = 0;
  WmTileRecord *record;
  WmStatus status = wm_tile_make(mesh->context, bytes, byte_count, &record);
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(mesh->context);
  status = link_and_put(mesh, record);
  wm_scratch_rewind(mesh->context, mark);
  if (status) {
    wm_tile_free(mesh->context, record);
  } else if (out) {
    *out = record->tile.ref;
  }
  return status;
}

void wm_mesh_finish_loading(WmMesh *mesh) {
  mesh->loading = false;
  for (WmTileRecord *record = mesh->oldest; record; record = record->newer) wm_tile_lay_links(record);
}

/* ---- Removing ----------------------------------------------------------------------------------------- */

WmStatus wm_mesh_remove_tile(WmMesh *mesh, WmRef ref) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, ref, "tile");
  if (status) return status;
  WmTileRecord *record = record_of(mesh, ref);
  const uint32_t slot = record->tile.slot;
  take_from_bucket(mesh, &record->tile);
  int step = 0;
  for (WmTileRecord *other = NULL; (other = next_around(mesh, &record->tile, other, &step)) != NULL;) {
    if (wm_tile_drop_links(other, slot)) wm_tile_lay_links(other);
  }
  *(record->older ? &record->older->newer : &mesh->oldest) = record->newer;
  *(record->newer ? &record->newer->older : &mesh->newest) = record->older;
  slots_of(mesh)[slot].record = NULL;
  wm_mesh_set_area(mesh, slot, 0);
  if (++slots_of(mesh)[slot].generation <= GENERATION_LIMIT) queue_slot(mesh, slot);
  wm_tile_free(mesh->context, record);
  mesh->tile_count--;
  mesh->version++;
  mesh->shape_version++;
  return WM_OK;
}

/* ---- State and sums ----------------------------------------------------------------------------------- */

/* A polygon's record in the tile's bytes is changed too, so that a save has it. */
WmStatus wm_mesh_set_polygon_flags(WmMesh *mesh, WmRef polygon, uint16_t flags) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, polygon, "polygon");
  if (status) return status;
  WmTileRecord *record = record_of(mesh, polygon);
  const uint32_t number = wm_ref_polygon(polygon);
  ((uint16_t *)record->tile.polygon_flags)[number] = flags;
  record->polygons[number].flags = flags;
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
  uint8_t *saved = &record->polygons[wm_ref_polygon(polygon)].area_and_type;
  ((uint8_t *)record->tile.polygon_area)[wm_ref_polygon(polygon)] = area;
  *saved = (uint8_t)((*saved & 0xc0) | area);
  mesh->version++;
  return WM_OK;
}

void wm_mesh_totals(const WmMesh *mesh, WmMeshTotals *totals) {
  memset(totals, 0, sizeof *totals);
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
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
    const uint8_t *corners = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
    const uint32_t count = detail->triangle_count ? detail->triangle_count : tile->polygon_size[i] - 2u;
    for (uint32_t k = 0; k < count; k++, corners += 4) {
      for (uint32_t c = 0; c < 3; c++, positions += 3) {
        const uint32_t fan = c == 0 ? 0 : k + c;
        const float *corner = wm_tile_corner(tile, i, detail->triangle_count ? corners[c] : fan);
        memcpy(positions, corner, 3 * sizeof(float));
      }
      if (polygons) *polygons++ = i;
    }
  }
}
