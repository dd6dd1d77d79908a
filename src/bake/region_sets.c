/* Sets of pairs of regions, and which regions lie over which.
 *
 * The original keeps a list per region and replaces numbers in every list after each merge. Here a region
 * only points to the handle of its group (disjoint sets: R. E. Tarjan, "Efficiency of a Good But Not Linear
 * Set Union Algorithm", 1975), and pairs of handles are kept in one hash table. Invariant: for two groups
 * with spans in one column, the pair of their handles is in the table. */
#include "bake/regions_internal.h"

#include <string.h>

enum { FIRST_CAPACITY = 256 };

typedef struct WmStackEntry {
  uint32_t next;
  uint16_t other; /* a record of the partner's group */
} WmStackEntry;

/* ---- Pairs --------------------------------------------------------------------------------------------- */

WmStatus wm_pair_set_create(WmContext *context, WmPairSet *set) {
  *set = (WmPairSet){wm_scratch_zeroed(context, FIRST_CAPACITY, sizeof(uint32_t)), FIRST_CAPACITY, 0};
  return set->keys ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* The slot that holds the key, or the free one where it belongs. */
static uint32_t find_slot(const WmPairSet *set, uint32_t key) {
  uint32_t hash = key * UINT32_C(0x9e3779b1);
  hash ^= hash >> 15;
  uint32_t slot = hash & (set->capacity - 1);
  while (set->keys[slot] != 0 && set->keys[slot] != key) slot = (slot + 1) & (set->capacity - 1);
  return slot;
}

static WmStatus grow_pair_set(WmContext *context, WmPairSet *set) {
  WmPairSet larger = {NULL, set->capacity * 2, set->count};
  larger.keys = wm_scratch_zeroed(context, larger.capacity, sizeof(uint32_t));
  if (!larger.keys) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < set->capacity; i++) {
    if (set->keys[i] != 0) larger.keys[find_slot(&larger, set->keys[i])] = set->keys[i];
  }
  *set = larger;
  return WM_OK;
}

WmStatus wm_pair_set_add(WmContext *context, WmPairSet *set, uint32_t first, uint32_t second, bool *added) {
  const uint32_t key = first << 16 | second;
  uint32_t slot = find_slot(set, key);
  *added = set->keys[slot] == 0;
  if (!*added) return WM_OK;
  if (set->count >= set->capacity / 2) {
    if (grow_pair_set(context, set)) return WM_ERROR_OUT_OF_MEMORY;
    slot = find_slot(set, key);
  }
  set->keys[slot] = key;
  set->count++;
  return WM_OK;
}

bool wm_pair_set_has(const WmPairSet *set, uint32_t first, uint32_t second) {
  return set->keys[find_slot(set, first << 16 | second)] != 0;
}

/* ---- Stacks -------------------------------------------------------------------------------------------- */

static uint32_t find_handle(WmStacks *stacks, uint32_t record) {
  uint16_t *handle = stacks->handle;
  while (handle[record] != record) {
    handle[record] = handle[handle[record]];
    record = handle[record];
  }
  return record;
}

static void append_entry(WmStacks *stacks, uint32_t handle, uint32_t other) {
  const uint32_t entry = stacks->entries_used++;
  stacks->entries[entry] = (WmStackEntry){UINT32_MAX, (uint16_t)other};
  if (stacks->entry_count[handle]++ == 0) {
    stacks->first_entry[handle] = entry;
  } else {
    stacks->entries[stacks->last_entry[handle]].next = entry;
  }
  stacks->last_entry[handle] = entry;
}

static WmStatus add_stack(WmContext *context, WmStacks *stacks, uint32_t a, uint32_t b) {
  bool added = false;
  if (wm_pair_set_add(context, &stacks->pairs, a < b ? a : b, a < b ? b : a, &added)) {
    return WM_ERROR_OUT_OF_MEMORY;
  }
  if (!added) return WM_OK;
  if (stacks->entries_used + 2 > stacks->entries_capacity) {
    const uint32_t capacity = stacks->entries_capacity * 2 + 64;
    WmStackEntry *entries = wm_scratch_grow(context, stacks->entries, stacks->entries_capacity, capacity,
                                            sizeof *stacks->entries);
    if (!entries) return WM_ERROR_OUT_OF_MEMORY;
    stacks->entries = entries;
    stacks->entries_capacity = capacity;
  }
  append_entry(stacks, a, b);
  append_entry(stacks, b, a);
  return WM_OK;
}

static WmStatus gather_column(WmContext *context, WmStacks *stacks, const uint16_t *regions, uint32_t count,
                              uint32_t record_count) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t lower = regions[i];
    if (lower == 0 || lower >= record_count) continue;
    for (uint32_t k = i + 1; k < count; k++) {
      const uint32_t upper = regions[k];
      if (upper == 0 || upper >= record_count) continue;
      if (upper == lower) {
        stacks->is_overlapping[lower] = 1;
        stacks->has_overlap = true;
      } else if (add_stack(context, stacks, lower, upper)) {
        return WM_ERROR_OUT_OF_MEMORY;
      }
    }
  }
  return WM_OK;
}

WmStatus wm_stacks_gather(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, uint32_t record_count, WmStacks *stacks) {
  memset(stacks, 0, sizeof *stacks);
  stacks->handle = wm_scratch_array(context, record_count, sizeof *stacks->handle);
  stacks->is_overlapping = wm_scratch_zeroed(context, record_count, sizeof *stacks->is_overlapping);
  stacks->first_entry = wm_scratch_array(context, record_count, sizeof *stacks->first_entry);
  stacks->last_entry = wm_scratch_array(context, record_count, sizeof *stacks->last_entry);
  stacks->entry_count = wm_scratch_zeroed(context, record_count, sizeof *stacks->entry_count);
  if (!stacks->handle || !stacks->is_overlapping || !stacks->first_entry || !stacks->last_entry ||
      !stacks->entry_count || wm_pair_set_create(context, &stacks->pairs)) {
    return WM_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < record_count; i++) stacks->handle[i] = (uint16_t)i;

  /* Neighbouring columns mostly hold the same regions: those say nothing new. */
  const size_t cells = (size_t)compact->grid.width * (size_t)compact->grid.depth;
  const uint16_t *previous = span_region;
  uint32_t previous_count = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t count = compact->cell_first[cell + 1] - compact->cell_first[cell];
    if (count < 2) continue;
    const uint16_t *regions = span_region + compact->cell_first[cell];
    if (count == previous_count && wm_are_regions_equal(regions, previous, count)) continue;
    if (gather_column(context, stacks, regions, count, record_count)) return WM_ERROR_OUT_OF_MEMORY;
    previous = regions;
    previous_count = count;
  }
  return WM_OK;
}

bool wm_stacks_conflict(WmStacks *stacks, uint32_t record, uint32_t other) {
  const uint32_t a = find_handle(stacks, record), b = find_handle(stacks, other);
  if (stacks->entry_count[a] == 0 || stacks->entry_count[b] == 0) return false;
  return wm_pair_set_has(&stacks->pairs, a < b ? a : b, a < b ? b : a);
}

WmStatus wm_stacks_join(WmContext *context, WmStacks *stacks, uint32_t record, uint32_t other) {
  uint32_t into = find_handle(stacks, record), from = find_handle(stacks, other);
  if (into == from) return WM_OK;
  if (stacks->entry_count[into] < stacks->entry_count[from]) {
    const uint32_t swap = into;
    into = from;
    from = swap;
  }
  stacks->handle[from] = (uint16_t)into;
  if (stacks->entry_count[from] == 0) return WM_OK;
  for (uint32_t entry = stacks->first_entry[from]; entry != UINT32_MAX; entry = stacks->entries[entry].next) {
    const uint32_t partner = find_handle(stacks, stacks->entries[entry].other);
    bool added = false;
    if (wm_pair_set_add(context, &stacks->pairs, into < partner ? into : partner,
                        into < partner ? partner : into, &added)) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  stacks->entries[stacks->last_entry[into]].next = stacks->first_entry[from];
  stacks->last_entry[into] = stacks->last_entry[from];
  stacks->entry_count[into] += stacks->entry_count[from];
  return WM_OK;
}
