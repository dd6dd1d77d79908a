/* Flags and areas of polygons: single ones and those of a whole tile; sums and surfaces. See mesh.h.
 *
 * Both are set twice: in the array that searches read, and in the polygon's record in the tile's bytes, so
 * that they are saved. The array of a disabled connection has flags 0; its record has the real ones. Those of a segment
 * link are saved in the link. */
#include <math.h>

#include "mesh/locate.h"
#include "mesh/links/segment_sets.h"
#include "mesh/mesh_internal.h"

/* ---- Flags and areas ---------------------------------------------------------------------------------- */

static void set_flags(WmTileRecord *record, uint32_t polygon, uint16_t flags) {
  record->is_altered = true;
  bool is_disabled = record->is_disabled;
  if (record->tile.segments) {
    WmSegmentLink *link = &((WmLinkSet *)record)->links[polygon];
    link->flags = flags;
    is_disabled = !link->enabled;
  } else {
    record->polygons[polygon].flags = flags;
  }
  record->arrays.polygon_flags[polygon] = is_disabled ? 0 : flags;
}

static uint16_t get_flags(const WmTileRecord *record, uint32_t polygon) {
  return record->tile.segments ? record->tile.segments[polygon].flags : record->polygons[polygon].flags;
}

static void set_area(WmTileRecord *record, uint32_t polygon, uint8_t area) {
  record->is_altered = true;
  record->arrays.polygon_area[polygon] = area;
  if (record->tile.segments) {
    ((WmLinkSet *)record)->links[polygon].area = area;
    return;
  }
  uint8_t *saved = &record->polygons[polygon].area_and_type;
  *saved = (uint8_t)((*saved & 0xc0) | area);
}

WmStatus wm_mesh_set_polygon_flags(WmMesh *mesh, WmRef polygon, uint16_t flags) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, polygon, "polygon");
  if (status) return status;
  set_flags(wm_mesh_record(mesh, polygon), wm_ref_polygon(polygon), flags);
  wm_mesh_note_change(mesh, wm_ref_slot(polygon));
  mesh->version++;
  return WM_OK;
}

WmStatus wm_mesh_set_polygon_area(WmMesh *mesh, WmRef polygon, uint8_t area) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, polygon, "polygon");
  if (status) return status;
  if (area > 63) {
    return wm_fail_range(mesh->context, WM_ERROR_INVALID_ARGUMENT, "area", area, 0, 63, NULL);
  }
  set_area(wm_mesh_record(mesh, polygon), wm_ref_polygon(polygon), area);
  wm_mesh_note_change(mesh, wm_ref_slot(polygon));
  mesh->version++;
  return WM_OK;
}

/* ---- State of a tile ---------------------------------------------------------------------------------- */

/* A saved state: StateHead, then a StateItem for each polygon, not aligned. */
enum { STATE_MAGIC = 0x444E4D53, STATE_VERSION = 1 };

typedef struct StateHead {
  int32_t magic, version;
  WmRef tile;
} StateHead;

typedef struct StateItem {
  uint16_t flags;
  uint8_t area, padding;
} StateItem;

static size_t state_bytes(const WmMeshTile *tile) {
  return sizeof(StateHead) + tile->polygon_count * sizeof(StateItem);
}

size_t wm_mesh_tile_state_bytes(const WmMesh *mesh, WmRef ref) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
  return tile ? state_bytes(tile) : 0;
}

WmStatus wm_mesh_save_tile_state(WmMesh *mesh, WmRef ref, uint8_t *state, size_t byte_count) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, ref, "tile");
  if (status) return status;
  const WmTileRecord *record = wm_mesh_record(mesh, ref);
  const size_t needed = state_bytes(&record->tile);
  if (byte_count < needed) {
    return wm_fail_range(mesh->context, WM_ERROR_INVALID_ARGUMENT, "byteCount", (double)byte_count,
                         (double)needed, NAN, NULL);
  }
  const StateHead head = {STATE_MAGIC, STATE_VERSION, record->tile.ref};
  memcpy(state, &head, sizeof head);
  state += sizeof head;
  for (uint32_t i = 0; i < record->tile.polygon_count; i++, state += sizeof(StateItem)) {
    const StateItem item = {get_flags(record, i), record->tile.polygon_area[i], 0};
    memcpy(state, &item, sizeof item);
  }
  return WM_OK;
}

/* Two passes over the polygons: the first one only checks. */
WmStatus wm_mesh_restore_tile_state(WmMesh *mesh, const uint8_t *state, size_t byte_count) {
  StateHead head = {0};
  if (byte_count >= sizeof head) memcpy(&head, state, sizeof head);
  if (head.magic != STATE_MAGIC || head.version != STATE_VERSION) {
    return wm_fail(mesh->context, WM_ERROR_CORRUPT, "state", "a tile's state begins with DNMS and version 1");
  }
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, head.tile, "state");
  if (status) return status;
  WmTileRecord *record = wm_mesh_record(mesh, head.tile);
  if (byte_count != state_bytes(&record->tile) || head.tile != record->tile.ref) {
    return wm_fail_number(mesh->context, WM_ERROR_CORRUPT, "state", "the state has ", (double)byte_count,
                          " bytes: not those of its tile");
  }
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < record->tile.polygon_count; i++) {
      StateItem item;
      memcpy(&item, state + sizeof head + i * sizeof item, sizeof item);
      if (item.area > 63) {
        return wm_fail_number(mesh->context, WM_ERROR_CORRUPT, "state", "polygon ", i, " has a wrong area");
      }
      if (pass == 0) continue;
      set_flags(record, i, item.flags);
      set_area(record, i, item.area);
    }
  }
  wm_mesh_note_change(mesh, record->tile.slot);
  mesh->version++;
  return WM_OK;
}

/* ---- Sums and surfaces -------------------------------------------------------------------------------- */

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
  for (const WmTileRecord *record = mesh->oldest_connection; record; record = record->newer) {
    totals->connections++;
    totals->links += record->tile.link_first[1];
  }
  for (size_t i = 0; i < mesh->link_set_count; i++) {
    const WmMeshTile *tile = &wm_mesh_link_sets(mesh)[i]->record.tile;
    totals->links += tile->link_first[tile->polygon_count];
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
