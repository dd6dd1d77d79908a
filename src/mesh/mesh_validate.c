/* Invariants of the mesh: slots, generations, tiles by place, the queue of free slots, orders, counts, areas,
 * connections made at run time. Tiles and links are in tile_record_validate.c and links_validate.c. */
#include <math.h>

#include "mesh/links/segment_sets.h"
#include "mesh/mesh_internal.h"

enum { GENERATION_LIMIT = (1 << WM_REF_GENERATION_BITS) - 1 };

/* True if each slot and its record know each other, and a tile is found by its place and layer. */
static bool are_slots_valid(const WmMesh *mesh) {
  const size_t capacity = mesh->slots.capacity;
  if (mesh->slot_count > capacity || (capacity & (capacity - 1)) != 0) return false;
  size_t tiles = 0, connections = 0, sets = 0, sources = 0, links = 0, ties = 0;
  for (uint32_t i = 0; i < mesh->slot_count; i++) {
    const WmSlot *slot = &wm_mesh_slots(mesh)[i];
    if (slot->generation < 1 || slot->generation > GENERATION_LIMIT || slot->former > GENERATION_LIMIT)
      return false;
    if (!slot->record) continue;
    const WmMeshTile *tile = &slot->record->tile;
    if (tile->slot != i || tile->ref != wm_ref_make(slot->generation, i, 0)) return false;
    *(tile->ground_count ? &tiles : tile->segments ? &sets : &connections) += 1;
    sources += wm_tile_link_source_count(slot->record);
    links += slot->record->dynamic_count;
    if (tile->segments) ties += tile->tie_first[tile->polygon_count];
    if (tile->ground_count && wm_mesh_find_tile(mesh, tile->x, tile->z, tile->layer) != tile) return false;
  }
  return tiles == mesh->tile_count && connections == mesh->connection_count && sets == mesh->link_set_count &&
         sources == mesh->link_source_count && links == mesh->link_count && ties == mesh->tie_count;
}

/* True if buckets have each tile once. */
static bool are_buckets_valid(const WmMesh *mesh) {
  size_t count = 0;
  for (size_t i = 0; i < mesh->slots.capacity; i++) {
    for (uint32_t k = wm_mesh_slots(mesh)[i].bucket; k != WM_NO_SLOT; k = wm_mesh_slots(mesh)[k].next) {
      if (k >= mesh->slot_count || !wm_mesh_slots(mesh)[k].record || ++count > mesh->tile_count) return false;
    }
  }
  return count == mesh->tile_count;
}

/* True if the queue of free slots has each empty slot that can be used again, once. */
static bool is_queue_valid(const WmMesh *mesh) {
  size_t empty = 0, queued = 0;
  for (uint32_t i = 0; i < mesh->slot_count; i++) {
    empty += !wm_mesh_slots(mesh)[i].record && wm_mesh_slots(mesh)[i].former < GENERATION_LIMIT;
  }
  for (uint32_t i = mesh->free_first; i != WM_NO_SLOT; i = wm_mesh_slots(mesh)[i].next) {
    if (i >= mesh->slot_count || wm_mesh_slots(mesh)[i].record || ++queued > empty) return false;
    if (wm_mesh_slots(mesh)[i].next == WM_NO_SLOT && i != mesh->free_last) return false;
  }
  return queued == empty;
}

/* True if a list by age has `count` records, linked in both directions. */
static bool is_order_valid(const WmTileRecord *oldest, const WmTileRecord *newest, size_t count) {
  const WmTileRecord *older = NULL;
  size_t found = 0;
  for (const WmTileRecord *record = oldest; record; older = record, record = record->newer) {
    if (record->older != older || ++found > count) return false;
  }
  return older == newest && found == count;
}

/* True if each node of the tree of areas is the sum of the two below it, and each leaf the area of its
 * tile. */
static bool are_areas_valid(const WmMesh *mesh) {
  const double *sums = mesh->areas.items;
  const size_t capacity = mesh->slots.capacity;
  for (size_t i = 1; i < capacity; i++) {
    if (sums[i] != sums[2 * i] + sums[2 * i + 1]) return false;
  }
  for (size_t i = 0; i < capacity; i++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, i);
    if (sums[capacity + i] != (tile ? tile->area_before[tile->ground_count] : 0)) return false;
  }
  return true;
}

/* True if sets are in order, and valid.
 * in/out     *least_cost: lowered to that of the sets */
static bool are_link_sets_valid(const WmMesh *mesh, float *least_cost) {
  for (size_t i = 0; i < mesh->link_set_count; i++) {
    const WmLinkSet *set = wm_mesh_link_sets(mesh)[i],
                    *before = i > 0 ? wm_mesh_link_sets(mesh)[i - 1] : NULL;
    if (wm_mesh_tile(mesh, set->record.tile.slot) != &set->record.tile) return false;
    if (before && (before->z > set->z || (before->z == set->z && before->x > set->x))) return false;
    if (before && before->z == set->z && before->x == set->x && before->number >= set->number) return false;
    if (!mesh->loading && !wm_link_set_validate(mesh, set)) return false;
    *least_cost = fminf(*least_cost, set->least_cost);
  }
  return true;
}

/* True if connections made at run time know their reaches, and are tied to tiles of the mesh. */
static bool are_connections_valid(const WmMesh *mesh) {
  const WmConnectionReach *reaches = mesh->connection_reaches.items;
  float least_cost = 1;
  if (!are_link_sets_valid(mesh, &least_cost)) return false;
  for (size_t i = 0; i < mesh->connection_count; i++) {
    const WmConnectionRecord *connection = reaches[i].connection;
    const WmTileRecord *record = &connection->record;
    if (connection->number != i || wm_mesh_tile(mesh, record->tile.slot) != &record->tile) return false;
    if (!record->is_disabled) least_cost = fminf(least_cost, record->tile.cost_factor);
    for (int end = 0; end < 2; end++) {
      const WmTileRecord *tied = connection->ties[end].record;
      if (tied && (wm_mesh_tile(mesh, tied->tile.slot) != &tied->tile ||
                   connection->ties[end].polygon >= tied->tile.ground_count)) {
        return false;
      }
    }
  }
  return least_cost == mesh->least_cost;
}

bool wm_mesh_validate(const WmMesh *mesh) {
  if (!are_slots_valid(mesh) || !are_buckets_valid(mesh) || !is_queue_valid(mesh)) return false;
  if (!is_order_valid(mesh->oldest, mesh->newest, mesh->tile_count) ||
      !is_order_valid(mesh->oldest_connection, mesh->newest_connection, mesh->connection_count)) {
    return false;
  }
  if (!are_areas_valid(mesh) || !are_connections_valid(mesh)) return false;
  for (uint32_t i = 0; i < mesh->slot_count; i++) {
    const WmTileRecord *record = wm_mesh_slots(mesh)[i].record;
    if (record &&
        !(wm_tile_record_validate(record) && (mesh->loading || wm_tile_links_validate(mesh, record))))
      return false;
  }
  return true;
}
