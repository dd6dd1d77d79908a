/* Lists, and groups of regions with the columns they share.
 *
 * The original keeps a list for each region and replaces numbers in every list after each merge. Here a
 * region only points to the leader of its group (disjoint sets: R. E. Tarjan, "Efficiency of a Good But Not
 * Linear Set Union Algorithm", 1975), and values of lists are looked up through that.
 *
 * A stack is the regions of a column, stored once for columns that hold the same, and a group lists the
 * stacks it is in: so all stacks together take O(spans), whereas the pairs of regions in a column grow
 * with its square. Callers that test one group against many others mark its stacks first. */
#include "bake/regions/regions_internal.h"

#include <string.h>

/* ---- Lists ------------------------------------------------------------------------------------------- */

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

WmStatus wm_list_add(WmContext *context, WmLists *lists, uint32_t *last, uint32_t owner, uint32_t value) {
  const uint32_t key = owner << 16 | value;
  uint32_t *const recent = &lists->recent[key * UINT32_C(0x9e3779b1) >> 22];
  if (*recent == key) return WM_OK;
  *recent = key;
  return wm_list_append(context, lists, last, value);
}

/* ---- Stacks ------------------------------------------------------------------------------------------ */

uint32_t wm_stacks_leader(const WmStacks *stacks, uint32_t record) {
  WmRegionGroup *const groups = stacks->groups;
  while (groups[record].leader != record) {
    groups[record].leader = groups[groups[record].leader].leader;
    record = groups[record].leader;
  }
  return record;
}

/* True if two columns hold the same regions. A loop: most have two or three, and a call takes longer. */
static inline bool are_same(const uint16_t *regions, const uint16_t *others, uint32_t count) {
  uint32_t i = 0;
  while (i < count && regions[i] == others[i]) i++;
  return i == count;
}

/* The next cell from `cell` on with several spans, or a cell slightly before it. */
static size_t skip_single_spans(const uint32_t *cell_first, size_t cell, size_t cells) {
  for (; cell + 4 <= cells; cell += 4) {
    const WmUint4 counts = wm_load_uint4(cell_first + cell + 1) - wm_load_uint4(cell_first + cell);
    if (wm_mask_int4((WmInt4)(counts > 1)) != 0) break;
  }
  return cell;
}

WmStatus wm_stacks_add(WmContext *context, WmStacks *stacks, uint32_t first, uint32_t count) {
  const uint16_t *regions = stacks->span_region + first;
  uint32_t hash = count;
  for (uint32_t i = 0; i < count; i++) hash = (hash ^ regions[i]) * UINT32_C(0x9e3779b1);
  uint32_t *const recent = &stacks->lists.recent[hash >> 22]; /* a stack's number + 1 */
  if (*recent != 0) {
    const WmStack *like = &stacks->stacks[*recent - 1];
    if (like->count == count && are_same(stacks->span_region + like->first, regions, count)) return WM_OK;
  }
  const uint32_t number = stacks->stack_count;
  stacks->stacks = wm_scratch_reserve(context, stacks->stacks, &stacks->stack_capacity, (size_t)number + 1,
                                      sizeof *stacks->stacks);
  if (!stacks->stacks) return WM_ERROR_OUT_OF_MEMORY;
  stacks->stacks[number] = (WmStack){first, count, 0};
  *recent = stacks->stack_count = number + 1;
  for (uint32_t i = 0; i < count; i++) {
    if (!wm_is_region(regions[i], UINT32_MAX)) continue;
    WmRegionGroup *const group = &stacks->groups[regions[i]];
    if (group->stacks != 0 && stacks->lists.entries[group->stacks].value == number) {
      group->is_overlapping = stacks->has_overlap = true;
    } else if (wm_list_append(context, &stacks->lists, &group->stacks, number)) {
      return WM_ERROR_OUT_OF_MEMORY;
    } else {
      group->stack_count++;
      group->mates += count;
    }
  }
  return WM_OK;
}

WmStatus wm_stacks_start(WmContext *context, const uint16_t *span_region, uint32_t record_count,
                         WmStacks *stacks) {
  memset(stacks, 0, sizeof *stacks);
  stacks->group_count = record_count;
  stacks->span_region = span_region;
  stacks->groups = wm_scratch_zeroed(context, record_count, sizeof *stacks->groups);
  if (!stacks->groups) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < record_count; i++) stacks->groups[i].leader = (uint16_t)i;
  return WM_OK;
}

WmStatus wm_stacks_add_cells(WmContext *context, const WmCompactHeightfield *compact, size_t cell, size_t end,
                             WmStacks *stacks) {
  const uint16_t *previous = stacks->span_region;
  uint32_t previous_count = 0;
  for (; (cell = skip_single_spans(compact->cell_first, cell, end)) < end; cell++) {
    const uint32_t count = compact->cell_first[cell + 1] - compact->cell_first[cell];
    if (count < 2) continue;
    /* Neighbouring columns mostly hold the same regions, which adds nothing. */
    const uint16_t *regions = stacks->span_region + compact->cell_first[cell];
    if (count == previous_count && are_same(regions, previous, count)) continue;
    if (wm_stacks_add(context, stacks, compact->cell_first[cell], count)) return WM_ERROR_OUT_OF_MEMORY;
    previous = regions;
    previous_count = count;
  }
  return WM_OK;
}

WmStatus wm_stacks_gather(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, uint32_t record_count, WmStacks *stacks) {
  const size_t cells = (size_t)compact->grid.width * (size_t)compact->grid.depth;
  const WmStatus status = wm_stacks_start(context, span_region, record_count, stacks);
  return status ? status : wm_stacks_add_cells(context, compact, 0, cells, stacks);
}

void wm_stacks_mark(const WmStacks *stacks, uint32_t leader, uint32_t from) {
  const uint32_t last = stacks->groups[from].stacks;
  for (uint32_t entry = last; entry != 0;) {
    entry = stacks->lists.entries[entry].next;
    stacks->stacks[stacks->lists.entries[entry].value].rival = (uint16_t)leader;
    if (entry == last) break;
  }
}

/* True if a stack holds a region of a group. */
static bool holds_group(const WmStacks *stacks, const WmStack *stack, uint32_t leader) {
  for (uint32_t i = 0; i < stack->count; i++) {
    const uint32_t region = stacks->span_region[stack->first + i];
    if (wm_is_region(region, UINT32_MAX) && wm_stacks_leader(stacks, region) == leader) return true;
  }
  return false;
}

bool wm_stacks_meet(const WmStacks *stacks, uint32_t leader, uint32_t other, bool is_marked) {
  const WmRegionGroup *own = &stacks->groups[leader], *theirs = &stacks->groups[other];
  const bool is_own = own->mates < (is_marked ? theirs->stack_count : theirs->mates);
  const uint32_t last = is_own ? own->stacks : theirs->stacks;
  for (uint32_t entry = last; entry != 0;) {
    entry = stacks->lists.entries[entry].next;
    const WmStack *stack = &stacks->stacks[stacks->lists.entries[entry].value];
    if (is_marked && !is_own ? stack->rival == leader : holds_group(stacks, stack, is_own ? other : leader)) {
      return true;
    }
    if (entry == last) break;
  }
  return false;
}

void wm_stacks_unite(WmStacks *stacks, uint32_t leader, uint32_t other) {
  WmRegionGroup *into = &stacks->groups[leader], *from = &stacks->groups[other];
  wm_list_join(&stacks->lists, &into->stacks, from->stacks);
  into->stack_count += from->stack_count;
  into->mates += from->mates;
  from->leader = (uint16_t)leader;
}

uint32_t wm_stacks_number(const WmStacks *stacks) {
  WmRegionGroup *const groups = stacks->groups;
  uint16_t count = 0;
  for (uint32_t record = 1; record < stacks->group_count; record++) {
    WmRegionGroup *const leader = &groups[wm_stacks_leader(stacks, record)];
    if (leader->is_dropped || record >= WM_REGION_BORDER) continue;
    if (leader->number == 0) leader->number = ++count;
    groups[record].number = leader->number;
  }
  return count;
}

WmStatus wm_stacks_renumber(WmContext *context, const WmStacks *stacks, const WmCompactHeightfield *compact,
                            uint16_t *span_region, uint32_t *region_count) {
  const WmRegionGroup *const groups = stacks->groups;
  const uint32_t span_count = compact->span_count;
  *region_count = wm_stacks_number(stacks);
  for (uint32_t span = 0, end; span < span_count; span = end) {
    end = span_count - span < 8 ? span_count : span + 8;
    if (wm_are_uniform(span_region, span, span_count)) {
      const uint16_t region = span_region[span];
      if (region & WM_REGION_BORDER) continue;
      wm_store_ushort8(span_region + span, wm_splat_ushort8(groups[region].number));
      continue;
    }
    for (uint32_t i = span; i < end; i++) {
      /* Without a branch: processors don't foresee which spans are of a border. */
      const uint32_t region = span_region[i], in_border = 0u - (region / WM_REGION_BORDER);
      span_region[i] = (uint16_t)((groups[region & ~in_border].number & ~in_border) | (region & in_border));
    }
  }
  return stacks->has_overlap ? wm_split_overlaps(context, compact, span_region, region_count) : WM_OK;
}
