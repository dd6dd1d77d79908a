/* The mesh: slots with generations, and tiles by place. See mesh.h.
 *
 * Places are hashed into buckets of slots, the newest tile first: Detour's order of the layers of a place.
 * Free slots are in a queue, so that each is reused as late as possible; a slot whose generations are used up
 * is not reused. Connections made at run time and sets of segment links have slots like tiles, but no place. */
#include "mesh/mesh.h"

#include <math.h>

#include "mesh/locate.h"
#include "mesh/links/segment_sets.h"
#include "mesh/mesh_internal.h"

enum { GENERATION_LIMIT = (1 << WM_REF_GENERATION_BITS) - 1 };

/* ---- Creating ----------------------------------------------------------------------------------------- */

WmStatus wm_mesh_create(WmContext *context, const WmMeshParameters *parameters, WmMesh **out) {
  *out = NULL;
  const float *origin = parameters->origin;
  const float numbers[] = {origin[0], origin[1], origin[2], parameters->tile_width, parameters->tile_depth};
  for (int i = 0; i < 5; i++) {
    const bool is_size = i >= 3;
    if (isfinite(numbers[i]) && (!is_size || numbers[i] > 0)) continue;
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, is_size ? "tileSize" : "origin", "a number is ",
                          numbers[i], ": must be finite, sizes above 0");
  }
  WmMesh *mesh = *out = wm_block_allocate(context, sizeof *mesh);
  if (!mesh) return WM_ERROR_OUT_OF_MEMORY;
  memset(mesh, 0, sizeof *mesh);
  mesh->context = context;
  mesh->number = wm_context_next_number(context);
  mesh->parameters = *parameters;
  mesh->free_first = WM_NO_SLOT;
  mesh->least_cost = 1;
  return WM_OK;
}

void wm_mesh_destroy(WmMesh *mesh) {
  if (!mesh) return;
  WmContext *context = mesh->context;
  for (int i = 0; i < 2; i++) {
    for (WmTileRecord *record = i ? mesh->oldest_connection : mesh->oldest, *newer; record; record = newer) {
      newer = record->newer;
      wm_tile_free(context, record);
    }
  }
  for (size_t i = 0; i < mesh->link_set_count; i++) wm_link_set_free(context, wm_mesh_link_sets(mesh)[i]);
  wm_block_free(context, mesh->link_sets.items);
  wm_block_free(context, mesh->links_off.items);
  wm_block_free(context, mesh->off_squares.items);
  wm_block_free(context, mesh->slots.items);
  wm_block_free(context, mesh->areas.items);
  wm_block_free(context, mesh->connection_reaches.items);
  wm_block_free(context, mesh->configuration);
  wm_block_free(context, mesh);
}

WmContext *wm_mesh_context(const WmMesh *mesh) { return mesh->context; }
const WmMeshParameters *wm_mesh_parameters(const WmMesh *mesh) { return &mesh->parameters; }
uint64_t wm_mesh_number(const WmMesh *mesh) { return mesh->number; }
uint64_t wm_mesh_version(const WmMesh *mesh) { return mesh->version; }
uint64_t wm_mesh_shape_version(const WmMesh *mesh) { return mesh->shape_version; }
uint64_t wm_mesh_change_count(const WmMesh *mesh) { return mesh->change_count; }

const struct WmSwitches *wm_mesh_switches(const WmMesh *mesh) { return mesh->switches; }
void wm_mesh_note_switches(WmMesh *mesh, const struct WmSwitches *switches, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  mesh->switches = switches;
  mesh->change_count++;
  if (tile) wm_mesh_note_change(mesh, tile->slot);
}
uint64_t wm_mesh_slot_change(const WmMesh *mesh, size_t slot) {
  return slot < mesh->slot_count ? wm_mesh_slots(mesh)[slot].changed : 0;
}
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
  return &wm_mesh_slots(mesh)[(hash ^ hash >> 15) & (mesh->slots.capacity - 1)].bucket;
}

static void put_in_bucket(WmMesh *mesh, const WmMeshTile *tile) {
  uint32_t *bucket = bucket_of(mesh, tile->x, tile->z);
  wm_mesh_slots(mesh)[tile->slot].next = *bucket;
  *bucket = tile->slot;
}

static void take_from_bucket(WmMesh *mesh, const WmMeshTile *tile) {
  uint32_t *at = bucket_of(mesh, tile->x, tile->z);
  while (*at != tile->slot) at = &wm_mesh_slots(mesh)[*at].next;
  *at = wm_mesh_slots(mesh)[*at].next;
}

const WmMeshTile *wm_mesh_next_layer(const WmMesh *mesh, int32_t x, int32_t z, const WmMeshTile *previous) {
  if (mesh->slots.capacity == 0) return NULL;
  uint32_t slot = previous ? wm_mesh_slots(mesh)[previous->slot].next : *bucket_of(mesh, x, z);
  while (slot != WM_NO_SLOT) {
    const WmMeshTile *tile = &wm_mesh_slots(mesh)[slot].record->tile;
    if (tile->x == x && tile->z == z) return tile;
    slot = wm_mesh_slots(mesh)[slot].next;
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
  return slot < mesh->slot_count && wm_mesh_slots(mesh)[slot].record ? &wm_mesh_slots(mesh)[slot].record->tile
                                                                     : NULL;
}

/* ---- Slots -------------------------------------------------------------------------------------------- */

static void set_area(WmMesh *mesh, const WmTileRecord *record) {
  wm_mesh_set_area(mesh, record->tile.slot, record->tile.area_before[record->tile.ground_count]);
}

static void queue_slot(WmMesh *mesh, uint32_t slot) {
  wm_mesh_slots(mesh)[slot].next = WM_NO_SLOT;
  *(mesh->free_first == WM_NO_SLOT ? &mesh->free_first : &wm_mesh_slots(mesh)[mesh->free_last].next) = slot;
  mesh->free_last = slot;
}

/* Doubles the number of slots. Puts tiles into their new buckets, the oldest first, and sums areas again. */
static WmStatus grow_slots(WmMesh *mesh) {
  const size_t count = mesh->slots.capacity ? 2 * mesh->slots.capacity : 16;
  WmStatus status = wm_buffer_reserve(mesh->context, &mesh->areas, 2 * count, sizeof(double));
  if (!status) status = wm_buffer_reserve(mesh->context, &mesh->slots, count, sizeof(WmSlot));
  if (status) return status;
  memset(mesh->areas.items, 0, 2 * count * sizeof(double));
  for (size_t i = 0; i < count; i++) wm_mesh_slots(mesh)[i].bucket = WM_NO_SLOT;
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    put_in_bucket(mesh, &record->tile);
    set_area(mesh, record);
  }
  return WM_OK;
}

static uint32_t hash_words(uint32_t hash, const uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    hash = (hash ^ words[i]) * 0x9e3779b1u;
    hash ^= hash >> 15;
  }
  return hash;
}

/* The first generation of a new slot: a hash of its first tile's header, so that references of other meshes
 * are seldom valid here. */
static uint16_t first_generation(const WmMeshTile *tile) {
  const uint32_t integers[] = {
      (uint32_t)tile->x,         (uint32_t)tile->z,           (uint32_t)tile->layer, tile->user_id,
      tile->polygon_count,       tile->vertex_count,          tile->link_room,       tile->detail_count,
      tile->detail_vertex_count, tile->detail_triangle_count, tile->node_count,      tile->connection_count,
      tile->ground_count};
  const float *low = tile->bounds_min, *high = tile->bounds_max;
  const float floats[] = {tile->agent_height,
                          tile->agent_radius,
                          tile->agent_max_climb,
                          low[0],
                          low[1],
                          low[2],
                          high[0],
                          high[1],
                          high[2],
                          tile->cells_per_unit};
  uint32_t bits[sizeof floats / sizeof *floats];
  memcpy(bits, floats, sizeof bits);
  const uint32_t hash = hash_words(0, integers, sizeof integers / sizeof *integers);
  return (uint16_t)(1 + hash_words(hash, bits, sizeof bits / sizeof *bits) % GENERATION_LIMIT);
}

/* Chooses the first slot of the queue, or a new one. */
WmStatus wm_mesh_choose_slot(WmMesh *mesh, WmMeshTile *tile) {
  uint32_t slot = mesh->free_first;
  if (slot == WM_NO_SLOT) {
    slot = mesh->slot_count;
    if (slot == WM_SLOT_LIMIT) {
      return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "tiles", slot + 1.0, 0, WM_SLOT_LIMIT, NULL);
    }
    const WmStatus status = slot == mesh->slots.capacity ? grow_slots(mesh) : WM_OK;
    if (status) return status;
    wm_mesh_slots(mesh)[slot].generation = first_generation(tile);
  }
  tile->slot = slot;
  tile->ref = wm_ref_make(wm_mesh_slots(mesh)[slot].generation, slot, 0);
  return WM_OK;
}

/* ---- References --------------------------------------------------------------------------------------- */

WmTileRecord *wm_mesh_record(const WmMesh *mesh, WmRef ref) {
  const uint32_t slot = wm_ref_slot(ref);
  if (slot >= mesh->slot_count || wm_ref_generation(ref) != wm_mesh_slots(mesh)[slot].generation) return NULL;
  WmTileRecord *record = wm_mesh_slots(mesh)[slot].record;
  return record && wm_ref_polygon(ref) < record->tile.polygon_count ? record : NULL;
}

const WmMeshTile *wm_mesh_tile_of(const WmMesh *mesh, WmRef polygon) {
  const WmTileRecord *record = wm_mesh_record(mesh, polygon);
  return record ? &record->tile : NULL;
}

WmStatus wm_mesh_check_ref(WmContext *context, const WmMesh *mesh, WmRef polygon, const char *field) {
  if (wm_mesh_record(mesh, polygon)) return WM_OK;
  const uint32_t slot = wm_ref_slot(polygon), generation = wm_ref_generation(polygon);
  bool stale = false;
  if (slot < mesh->slot_count && generation > 0 && generation <= GENERATION_LIMIT) {
    const WmSlot *place = &wm_mesh_slots(mesh)[slot];
    stale = (place->generation + GENERATION_LIMIT - 1 - generation) % GENERATION_LIMIT < place->former;
  }
  return wm_fail_number(context, stale ? WM_ERROR_STALE_REFERENCE : WM_ERROR_INVALID_ARGUMENT, field,
                        "reference ", (double)polygon,
                        stale     ? " is stale: its tile has been removed"
                        : polygon ? " is none of this mesh"
                                  : " is none: there is no polygon");
}

/* ---- Inserting and removing --------------------------------------------------------------------------- */

/* Links a record into the order of addition as the newest. Sets of segment links are in another order. */
static void append_record(WmMesh *mesh, WmTileRecord *record) {
  if (record->tile.segments) return;
  const bool ground = record->tile.ground_count > 0;
  WmTileRecord **newest = ground ? &mesh->newest : &mesh->newest_connection;
  WmTileRecord **oldest = ground ? &mesh->oldest : &mesh->oldest_connection;
  if (ground) put_in_bucket(mesh, &record->tile);
  record->older = *newest;
  *(*newest ? &(*newest)->newer : oldest) = record;
  *newest = record;
  ++*(ground ? &mesh->tile_count : &mesh->connection_count);
}

static void unlink_record(WmMesh *mesh, const WmTileRecord *record) {
  if (record->tile.segments) return;
  const bool ground = record->tile.ground_count > 0;
  if (ground) take_from_bucket(mesh, &record->tile);
  *(record->older ? &record->older->newer
    : ground      ? &mesh->oldest
                  : &mesh->oldest_connection) = record->newer;
  *(record->newer ? &record->newer->older
    : ground      ? &mesh->newest
                  : &mesh->newest_connection) = record->older;
  --*(ground ? &mesh->tile_count : &mesh->connection_count);
}

void wm_mesh_insert_record(WmMesh *mesh, WmTileRecord *record) {
  WmSlot *slot = &wm_mesh_slots(mesh)[record->tile.slot];
  if (record->tile.slot == mesh->slot_count) {
    mesh->slot_count++;
  } else {
    mesh->free_first = slot->next;
  }
  slot->record = record;
  append_record(mesh, record);
  set_area(mesh, record);
  mesh->link_source_count += wm_tile_link_source_count(record);
  wm_mesh_note_change(mesh, record->tile.slot);
  mesh->version++;
  mesh->shape_version++;
}

void wm_mesh_detach_record(WmMesh *mesh, WmTileRecord *record) {
  const uint32_t slot = record->tile.slot;
  unlink_record(mesh, record);
  wm_mesh_slots(mesh)[slot].record = NULL;
  wm_mesh_set_area(mesh, slot, 0);
  wm_mesh_slots(mesh)[slot].generation = wm_mesh_slots(mesh)[slot].generation % GENERATION_LIMIT + 1;
  if (++wm_mesh_slots(mesh)[slot].former < GENERATION_LIMIT) queue_slot(mesh, slot);
  mesh->link_source_count -= wm_tile_link_source_count(record);
  mesh->link_count -= record->dynamic_count;
  wm_mesh_note_change(mesh, slot);
  mesh->version++;
  mesh->shape_version++;
  wm_tile_free(mesh->context, record);
}
