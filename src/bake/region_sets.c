/* Lists, sets of pairs of regions, and which regions lie over which.
 *
 * The original keeps a list per region and replaces numbers in every list after each merge. Here a region
 * only points to the handle of its group (disjoint sets: R. E. Tarjan, "Efficiency of a Good But Not Linear
 * Set Union Algorithm", 1975), and pairs of handles are kept in one hash table. Invariant: for two groups
 * with spans in one column, the pair of their handles is in the table. */
#include "bake/regions_internal.h"

#include <string.h>

#include "base/simd.h"

enum { FIRST_CAPACITY = 256 };

/* ---- Lists --------------------------------------------------------------------------------------------- */

WmStatus wm_list_append(WmContext *context, WmLists *lists, uint32_t *last, uint32_t value) {
  const uint32_t entry = lists->count + 1; /* 0 is none */
  lists->entries = wm_scratch_reserve(context, lists->entries, &lists->capacity, (size_t)entry + 1,
                                      sizeof *lists->entries);
  if (!lists->entries) return WM_ERROR_OUT_OF_MEMORY;
  lists->count = entry;
  lists->entries[entry] = (WmListEntry){entry, value};
  wm_list_join(lists, last, entry);
  return WM_OK;
}

void wm_list_join(WmLists *lists, uint32_t *last, uint32_t other) {
  WmListEntry *const entries = lists->entries;
  if (other == 0) return;
  if (*last != 0) {
    const uint32_t first = entries[*last].next;
    entries[*last].next = entries[other].next;
    entries[other].next = first;
  }
  *last = other;
}

/* ---- Pairs --------------------------------------------------------------------------------------------- */

/* The slot that holds the key, or the free one where it belongs. */
static uint32_t *find_slot(const WmPairSet *set, uint32_t key) {
  uint32_t hash = key * UINT32_C(0x9e3779b1);
  hash ^= hash >> 15;
  while (true) {
    uint32_t *slot = &set->keys[hash++ & (set->capacity - 1)];
    if (*slot == 0 || *slot == key) return slot;
  }
}

static WmStatus grow_pair_set(WmContext *context, WmPairSet *set) {
  WmPairSet larger = {NULL, set->capacity > 0 ? set->capacity * 2 : FIRST_CAPACITY, set->count};
  larger.keys = wm_scratch_zeroed(context, larger.capacity, sizeof(uint32_t));
  if (!larger.keys) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < set->capacity; i++) {
    if (set->keys[i] != 0) *find_slot(&larger, set->keys[i]) = set->keys[i];
  }
  *set = larger;
  return WM_OK;
}

WmStatus wm_pair_set_add(WmContext *context, WmPairSet *set, uint32_t first, uint32_t second, bool *added) {
  if (set->count >= set->capacity / 2 && grow_pair_set(context, set)) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t key = first << 16 | second;
  uint32_t *slot = find_slot(set, key);
  *added = *slot == 0;
  set->count += *added;
  *slot = key;
  return WM_OK;
}

/* ---- Stacks -------------------------------------------------------------------------------------------- */

static uint32_t find_handle(const WmStacks *stacks, uint32_t record) {
  WmRegionGroup *const groups = stacks->groups;
  while (groups[record].handle != record) {
    groups[record].handle = groups[groups[record].handle].handle;
    record = groups[record].handle;
  }
  return record;
}

uint32_t wm_stacks_leader(const WmStacks *stacks, uint32_t record) {
  return stacks->groups[find_handle(stacks, record)].leader;
}

/* Adds the unordered pair. */
static WmStatus add_pair(WmContext *context, WmStacks *stacks, uint32_t a, uint32_t b, bool *added) {
  return wm_pair_set_add(context, &stacks->pairs, a < b ? a : b, a < b ? b : a, added);
}

static WmStatus add_partner(WmContext *context, WmStacks *stacks, uint32_t handle, uint32_t partner) {
  stacks->groups[handle].partner_count++;
  return wm_list_append(context, &stacks->lists, &stacks->groups[handle].partners, partner);
}

static WmStatus add_stack(WmContext *context, WmStacks *stacks, uint32_t a, uint32_t b) {
  bool added = false;
  if (a == b) {
    stacks->groups[a].is_overlapping = stacks->has_overlap = true;
    return WM_OK;
  }
  if (add_pair(context, stacks, a, b, &added)) return WM_ERROR_OUT_OF_MEMORY;
  if (!added) return WM_OK;
  return add_partner(context, stacks, a, b) || add_partner(context, stacks, b, a) ? WM_ERROR_OUT_OF_MEMORY
                                                                                  : WM_OK;
}

/* The next cell from `cell` on with several spans, or a little before it. */
static size_t skip_single_spans(const uint32_t *cell_first, size_t cell, size_t cells) {
  for (; cell + 4 <= cells; cell += 4) {
    const WmUint4 counts = wm_load_uint4(cell_first + cell + 1) - wm_load_uint4(cell_first + cell);
    if (wm_mask_int4((WmInt4)(counts > 1)) != 0) break;
  }
  return cell;
}

WmStatus wm_stacks_gather(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, uint32_t record_count, WmStacks *stacks) {
  memset(stacks, 0, sizeof *stacks);
  stacks->group_count = record_count;
  stacks->groups = wm_scratch_zeroed(context, record_count, sizeof *stacks->groups);
  if (!stacks->groups) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < record_count; i++)
    stacks->groups[i].handle = stacks->groups[i].leader = (uint16_t)i;

  const size_t cells = (size_t)compact->grid.width * (size_t)compact->grid.depth;
  const uint16_t *previous = span_region;
  uint32_t previous_count = 0;
  size_t cell = 0;
  for (; (cell = skip_single_spans(compact->cell_first, cell, cells)) < cells; cell++) {
    const uint32_t count = compact->cell_first[cell + 1] - compact->cell_first[cell];
    if (count < 2) continue;
    /* Neighbouring columns mostly hold the same regions: those say nothing new. */
    const uint16_t *regions = span_region + compact->cell_first[cell];
    uint32_t equal = 0;
    while (equal < count && regions[equal] == previous[equal]) equal++;
    if (count == previous_count && equal == count) continue;
    for (uint32_t i = 0; i < count; i++) {
      for (uint32_t k = i + 1; k < count; k++) {
        if (!wm_is_region(regions[i], record_count) || !wm_is_region(regions[k], record_count)) continue;
        if (add_stack(context, stacks, regions[i], regions[k])) return WM_ERROR_OUT_OF_MEMORY;
      }
    }
    previous = regions;
    previous_count = count;
  }
  return WM_OK;
}

bool wm_stacks_conflict(const WmStacks *stacks, uint32_t record, uint32_t other) {
  const uint32_t a = find_handle(stacks, record), b = find_handle(stacks, other);
  if (stacks->groups[a].partners == 0 || stacks->groups[b].partners == 0) return false;
  return *find_slot(&stacks->pairs, a < b ? a << 16 | b : b << 16 | a) != 0;
}

WmStatus wm_stacks_join(WmContext *context, WmStacks *stacks, uint32_t record, uint32_t other) {
  WmRegionGroup *const groups = stacks->groups;
  uint32_t into = find_handle(stacks, record), from = find_handle(stacks, other);
  const uint16_t leader = groups[into].leader;
  if (groups[into].partner_count < groups[from].partner_count) {
    const uint32_t swap = into;
    into = from;
    from = swap;
  }
  groups[into].leader = leader;
  groups[from].handle = (uint16_t)into;
  const uint32_t last = groups[from].partners;
  for (uint32_t entry = last; entry != 0;) {
    entry = stacks->lists.entries[entry].next;
    bool added = false;
    const uint32_t partner = find_handle(stacks, stacks->lists.entries[entry].value);
    if (add_pair(context, stacks, into, partner, &added)) return WM_ERROR_OUT_OF_MEMORY;
    if (entry == last) break;
  }
  wm_list_join(&stacks->lists, &groups[into].partners, last);
  groups[into].partner_count += groups[from].partner_count;
  return WM_OK;
}

WmStatus wm_stacks_renumber(WmContext *context, const WmStacks *stacks, uint16_t *span_region,
                            uint32_t span_count, uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(context);
  uint16_t *number_of = wm_scratch_zeroed(context, 2 * (size_t)stacks->group_count, sizeof *number_of);
  if (number_of) {
    uint16_t *const number_of_leader = number_of + stacks->group_count;
    uint32_t count = 0;
    for (uint32_t record = 0; record < stacks->group_count; record++) {
      const uint32_t leader = wm_stacks_leader(stacks, record);
      if (!wm_is_region(leader, stacks->group_count) || stacks->groups[leader].is_dropped) continue;
      if (number_of_leader[leader] == 0) number_of_leader[leader] = (uint16_t)++count;
      number_of[record] = number_of_leader[leader];
    }
    for (uint32_t span = 0; span < span_count; span++) {
      if (!(span_region[span] & WM_REGION_BORDER)) span_region[span] = number_of[span_region[span]];
    }
    *region_count = count;
  }
  wm_scratch_rewind(context, mark);
  return number_of ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}
