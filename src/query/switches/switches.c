/* Doors and switches. See switches.h.
 *
 * A polygon that switches cover which are on has an entry of a hash table, by its reference: how many
 * switches set and clear each flag, and the flags from before. Its flags follow from the entry, whatever the
 * order in which switches came on. */
#include "query/switches/switches.h"

#include <string.h>

#include "base/buffer.h"
#include "mesh/locate.h"
#include "query/switches/switch_cover.h"

enum { FLAGS = 16, MIN_ENTRIES = 64 };

typedef struct Entry {
  WmRef polygon;   /* 0: the slot is free */
  uint16_t before; /* the owned flags before a switch changed them */
  uint16_t owned;  /* flags that a switch sets or clears */
  uint32_t set_by[FLAGS], cleared_by[FLAGS];
} Entry;

typedef struct Record {
  WmSwitchVolume volume; /* owns its vertices, a block */
  WmBuffer polygons;     /* WmRef [polygon_count] that it covers */
  size_t polygon_count;
  WmContentHash tiles; /* wm_switch_tiles when the polygons were found */
  uint16_t set_flags, clear_flags;
  bool is_on, is_used;
  uint32_t generation; /* 1 and above */
  uint32_t next_free;
} Record;

struct WmSwitches {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmBuffer records; /* Record [record_count] */
  uint32_t record_count, free_record, live_count;
  Entry *entries; /* [capacity], a power of two; NULL: none */
  size_t capacity, entry_count;
  uint64_t shape_version; /* of the mesh, at the last update */
};

static Record *records_of(const WmSwitches *switches) { return switches->records.items; }

/* ---- Entries ------------------------------------------------------------------------------------------ */

static size_t home_of(const WmSwitches *switches, WmRef polygon) {
  const uint64_t mixed = polygon * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(mixed >> 32) & (switches->capacity - 1);
}

/* The entry of a polygon, or the free slot for it. There always is a free slot. */
static Entry *find_entry(const WmSwitches *switches, WmRef polygon) {
  size_t at = home_of(switches, polygon);
  while (switches->entries[at].polygon != 0 && switches->entries[at].polygon != polygon) {
    at = (at + 1) & (switches->capacity - 1);
  }
  return &switches->entries[at];
}

/* Reserves `more` entries.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
static WmStatus reserve_entries(WmSwitches *switches, size_t more) {
  size_t capacity = switches->capacity ? switches->capacity : MIN_ENTRIES;
  while (capacity / 2 < switches->entry_count + more) capacity *= 2;
  if (capacity == switches->capacity) return WM_OK;
  WmLayout layout = {0};
  wm_layout_add(&layout, capacity, sizeof(Entry));
  Entry *entries = wm_layout_allocate(switches->context, &layout);
  if (!entries) return WM_ERROR_OUT_OF_MEMORY;
  memset(entries, 0, capacity * sizeof *entries);
  Entry *old = switches->entries;
  const size_t old_capacity = switches->capacity;
  switches->entries = entries;
  switches->capacity = capacity;
  for (size_t i = 0; i < old_capacity; i++) {
    if (old[i].polygon) *find_entry(switches, old[i].polygon) = old[i];
  }
  wm_block_free(switches->context, old);
  return WM_OK;
}

/* Frees a slot, and moves up the entries that lie behind it because it was occupied. */
static void remove_entry(WmSwitches *switches, Entry *entry) {
  const size_t mask = switches->capacity - 1;
  size_t hole = (size_t)(entry - switches->entries);
  for (size_t at = (hole + 1) & mask; switches->entries[at].polygon != 0; at = (at + 1) & mask) {
    const size_t home = home_of(switches, switches->entries[at].polygon);
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    switches->entries[hole] = switches->entries[at];
    hole = at;
  }
  switches->entries[hole].polygon = 0;
  switches->entry_count--;
}

/* ---- Flags -------------------------------------------------------------------------------------------- */

/* Sets a polygon's flags by its entry. For a removed polygon only the entry changes. */
static void apply_flags(const WmSwitches *switches, Entry *entry) {
  const WmMeshTile *tile = wm_mesh_tile_of(switches->mesh, entry->polygon);
  uint16_t set = 0, cleared = 0;
  for (int bit = 0; bit < FLAGS; bit++) {
    set |= (uint16_t)((entry->set_by[bit] > 0) << bit);
    cleared |= (uint16_t)((entry->cleared_by[bit] > 0) << bit);
  }
  const uint16_t owned = set | cleared, is = tile ? tile->polygon_flags[wm_ref_polygon(entry->polygon)] : 0;
  const uint16_t unswitched = (uint16_t)((entry->before & entry->owned) | (is & ~entry->owned));
  entry->before = unswitched & owned;
  entry->owned = owned;
  const uint16_t flags = (uint16_t)((unswitched & ~owned) | (set & ~cleared));
  if (tile && flags != is) wm_mesh_set_polygon_flags(switches->mesh, entry->polygon, flags);
}

/* Counts a switch in (1) or out (-1) at one polygon. A new entry is reserved. */
static void count_switch(WmSwitches *switches, const Record *record, WmRef polygon, int change) {
  Entry *entry = find_entry(switches, polygon);
  if (entry->polygon == 0) {
    *entry = (Entry){.polygon = polygon};
    switches->entry_count++;
  }
  for (int bit = 0; bit < FLAGS; bit++) {
    if (record->set_flags >> bit & 1) entry->set_by[bit] += (uint32_t)change;
    if (record->clear_flags >> bit & 1) entry->cleared_by[bit] += (uint32_t)change;
  }
  apply_flags(switches, entry);
  if (entry->owned == 0) remove_entry(switches, entry);
}

/* Tells the mesh that a switch has changed, or is about to, and over which tiles.
 * in         set: the switches; NULL: they are destroyed */
static void note_change(const WmSwitches *switches, const Record *record, const WmSwitches *set) {
  const WmRef *polygons = record->polygons.items;
  wm_mesh_note_switches(switches->mesh, set, 0);
  for (size_t i = 0; i < record->polygon_count; i++) wm_mesh_note_switches(switches->mesh, set, polygons[i]);
}

static void count_all(WmSwitches *switches, const Record *record, int change) {
  const WmRef *polygons = record->polygons.items;
  for (size_t i = 0; i < record->polygon_count; i++) count_switch(switches, record, polygons[i], change);
}

/* ---- Records ------------------------------------------------------------------------------------------ */

static WmStatus find_record(const WmSwitches *switches, WmSwitch number, Record **record) {
  const uint64_t index = number & UINT32_MAX, generation = number >> WM_SWITCH_NUMBER_BITS;
  WmStatus status = WM_ERROR_INVALID_ARGUMENT;
  *record = NULL;
  if (index < switches->record_count && generation > 0) {
    Record *found = records_of(switches) + index;
    if (generation <= found->generation) status = WM_ERROR_STALE_REFERENCE;
    if (generation == found->generation && found->is_used) {
      *record = found;
      return WM_OK;
    }
  }
  return wm_fail_number(switches->context, status, "switch", "switch ", (double)number,
                        status == WM_ERROR_STALE_REFERENCE ? " was removed" : " never was a switch");
}

/* Finds the polygons that a switch covers, and replaces the former ones. Everything that can fail comes
 * first. */
static WmStatus update_cover(WmSwitches *switches, Record *record, bool *is_changed) {
  WmRef *polygons;
  size_t count;
  WmStatus status = wm_switch_cover(switches->query, &record->volume, &polygons, &count);
  const size_t bytes = count * sizeof *polygons;
  *is_changed = !status && (count != record->polygon_count ||
                            (count > 0 && memcmp(polygons, record->polygons.items, bytes) != 0));
  if (!status && *is_changed) {
    status = wm_buffer_reserve(switches->context, &record->polygons, count, sizeof *polygons);
  }
  if (!status && record->is_on) status = reserve_entries(switches, count);
  if (status) return status;
  record->tiles = wm_switch_tiles(switches->mesh, &record->volume);
  if (!*is_changed) return WM_OK;
  if (record->is_on) count_all(switches, record, -1);
  note_change(switches, record, switches);
  if (count) memcpy(record->polygons.items, polygons, bytes);
  record->polygon_count = count;
  note_change(switches, record, switches);
  if (record->is_on) count_all(switches, record, 1);
  return WM_OK;
}

static WmStatus copy_vertices(WmSwitches *switches, WmSwitchVolume *volume) {
  const float *vertices = volume->vertices;
  const size_t count = volume->kind == WM_SWITCH_PRISM ? volume->vertex_count : 0;
  volume->vertices = NULL;
  volume->vertex_count = count;
  if (count == 0) return WM_OK;
  float *copy = wm_block_allocate(switches->context, count * 3 * sizeof *copy); /* 255 at most */
  if (!copy) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(copy, vertices, count * 3 * sizeof *copy);
  volume->vertices = copy;
  return WM_OK;
}

static WmStatus reserve_record(WmSwitches *switches) {
  if (switches->free_record != UINT32_MAX) return WM_OK;
  if (switches->record_count >= UINT32_MAX - 1) {
    return wm_fail_range(switches->context, WM_ERROR_LIMIT, "switch", switches->record_count, 0,
                         UINT32_MAX - 1, "switches");
  }
  return wm_buffer_reserve(switches->context, &switches->records, (size_t)switches->record_count + 1,
                           sizeof(Record));
}

static void free_record(WmSwitches *switches, Record *record) {
  wm_block_free(switches->context, (void *)(uintptr_t)record->volume.vertices);
  wm_block_free(switches->context, record->polygons.items);
  record->volume.vertices = NULL;
  record->polygons = (WmBuffer){0};
}

/* ---- Switches ----------------------------------------------------------------------------------------- */

WmStatus wm_switches_create(WmContext *context, WmMesh *mesh, WmSwitches **out) {
  *out = NULL;
  WmSwitches *switches = wm_block_allocate(context, sizeof *switches);
  if (!switches) return WM_ERROR_OUT_OF_MEMORY;
  *switches = (WmSwitches){.context = context,
                           .mesh = mesh,
                           .free_record = UINT32_MAX,
                           .shape_version = wm_mesh_shape_version(mesh)};
  const WmStatus status = wm_query_create(context, mesh, &switches->query);
  if (status) {
    wm_block_free(context, switches);
    return status;
  }
  *out = switches;
  return WM_OK;
}

void wm_switches_destroy(WmSwitches *switches) {
  if (!switches) return;
  for (uint32_t i = 0; i < switches->record_count; i++) {
    Record *record = records_of(switches) + i;
    if (record->is_used && record->is_on) count_all(switches, record, -1);
    note_change(switches, record, NULL);
    free_record(switches, record);
  }
  WmContext *context = switches->context;
  wm_query_destroy(switches->query);
  wm_block_free(context, switches->records.items);
  wm_block_free(context, switches->entries);
  wm_block_free(context, switches);
}

/* Completes a record that isn't in use yet, as off, with the polygons that it covers. */
static WmStatus prepare_record(WmSwitches *switches, Record *record) {
  bool is_changed;
  WmStatus status = copy_vertices(switches, &record->volume);
  if (!status) status = update_cover(switches, record, &is_changed);
  if (!status) status = reserve_entries(switches, record->polygon_count);
  if (status) free_record(switches, record);
  return status;
}

WmStatus wm_switch_add(WmSwitches *switches, const WmSwitchVolume *volume, uint16_t set_flags,
                       uint16_t clear_flags, bool is_on, WmSwitch *added) {
  *added = 0;
  Record record = {.volume = *volume, .set_flags = set_flags, .clear_flags = clear_flags};
  WmStatus status = wm_switch_check(switches->context, volume);
  if (!status) status = reserve_record(switches);
  if (!status) status = prepare_record(switches, &record);
  if (status) return status;
  uint32_t number = switches->free_record;
  if (number == UINT32_MAX) {
    number = switches->record_count++;
    record.generation = 1;
  } else {
    switches->free_record = records_of(switches)[number].next_free;
    record.generation = records_of(switches)[number].generation;
  }
  record.is_used = true;
  record.is_on = is_on;
  records_of(switches)[number] = record;
  switches->live_count++;
  note_change(switches, &record, switches);
  if (is_on) count_all(switches, &record, 1);
  *added = (WmSwitch)record.generation << WM_SWITCH_NUMBER_BITS | number;
  return WM_OK;
}

WmStatus wm_switch_set(WmSwitches *switches, WmSwitch number, bool is_on) {
  Record *record;
  WmStatus status = find_record(switches, number, &record);
  if (status || record->is_on == is_on) return status;
  if (is_on) status = reserve_entries(switches, record->polygon_count);
  if (status) return status;
  record->is_on = is_on;
  note_change(switches, record, switches);
  count_all(switches, record, is_on ? 1 : -1);
  return WM_OK;
}

WmStatus wm_switch_remove(WmSwitches *switches, WmSwitch number) {
  Record *record;
  const WmStatus status = find_record(switches, number, &record);
  if (status) return status;
  if (record->is_on) count_all(switches, record, -1);
  note_change(switches, record, switches);
  free_record(switches, record);
  const uint32_t generation = record->generation + 1;
  *record = (Record){.generation = generation};
  switches->live_count--;
  if (generation >> WM_SWITCH_GENERATION_BITS) return WM_OK; /* used up: never again */
  record->next_free = switches->free_record;
  switches->free_record = (uint32_t)(number & UINT32_MAX);
  return WM_OK;
}

bool wm_switch_is_on(const WmSwitches *switches, WmSwitch number) {
  const uint64_t index = number & UINT32_MAX;
  if (index >= switches->record_count) return false;
  const Record *record = records_of(switches) + index;
  return record->is_used && record->generation == number >> WM_SWITCH_NUMBER_BITS && record->is_on;
}

WmStatus wm_switch_polygons(const WmSwitches *switches, WmSwitch number, const WmRef **polygons,
                            size_t *count) {
  Record *record;
  *polygons = NULL;
  *count = 0;
  const WmStatus status = find_record(switches, number, &record);
  if (status) return status;
  *polygons = record->polygons.items;
  *count = record->polygon_count;
  return WM_OK;
}

size_t wm_switch_count(const WmSwitches *switches) { return switches->live_count; }

bool wm_switches_next_flags(const WmSwitches *switches, size_t *cursor, WmSwitchedFlags *flags) {
  for (; *cursor < switches->capacity; ++*cursor) {
    const Entry *entry = &switches->entries[*cursor];
    const WmMeshTile *tile = entry->polygon ? wm_mesh_tile_of(switches->mesh, entry->polygon) : NULL;
    if (!tile) continue;
    *flags = (WmSwitchedFlags){.x = tile->x,
                               .z = tile->z,
                               .layer = tile->layer,
                               .polygon = wm_ref_polygon(entry->polygon),
                               .before = entry->before,
                               .owned = entry->owned};
    ++*cursor;
    return true;
  }
  return false;
}

bool wm_switches_next_place(const WmSwitches *switches, uint32_t *cursor, WmSwitchPlace *place) {
  while (switches && *cursor < switches->record_count) {
    const Record *record = records_of(switches) + (*cursor)++;
    if (!record->is_used) continue;
    *place = (WmSwitchPlace){.polygons = record->polygons.items, .polygon_count = record->polygon_count};
    wm_switch_box(switches->mesh, &record->volume, place->low, place->high);
    place->is_on = record->is_on;
    place->does[0] = (uint32_t)record->volume.area * 2 + record->volume.by_middle;
    place->does[1] = record->set_flags | (uint32_t)record->clear_flags << 16;
    return true;
  }
  return false;
}

WmStatus wm_switches_update(WmSwitches *switches, size_t *changed) {
  const uint64_t version = wm_mesh_shape_version(switches->mesh);
  *changed = 0;
  if (version == switches->shape_version) return WM_OK;
  for (uint32_t i = 0; i < switches->record_count; i++) {
    Record *record = records_of(switches) + i;
    if (!record->is_used) continue;
    const WmContentHash tiles = wm_switch_tiles(switches->mesh, &record->volume);
    if (memcmp(&tiles, &record->tiles, sizeof tiles) == 0) continue;
    bool is_changed;
    const WmStatus status = update_cover(switches, record, &is_changed);
    if (status) return status;
    *changed += is_changed;
  }
  switches->shape_version = version;
  return WM_OK;
}

WmStatus wm_set_flags_under(WmQuery *query, WmMesh *mesh, const WmSwitchVolume *volume, uint16_t set_flags,
                            uint16_t clear_flags, size_t *count) {
  WmRef *polygons;
  size_t found;
  *count = 0;
  WmStatus status = wm_switch_check(wm_mesh_context(mesh), volume);
  if (!status) status = wm_switch_cover(query, volume, &polygons, &found);
  for (size_t i = 0; !status && i < found; i++) {
    const uint16_t is = wm_mesh_tile_of(mesh, polygons[i])->polygon_flags[wm_ref_polygon(polygons[i])];
    const uint16_t flags = (uint16_t)((is | set_flags) & ~clear_flags);
    if (flags == is) continue;
    status = wm_mesh_set_polygon_flags(mesh, polygons[i], flags);
    ++*count;
  }
  return status;
}
