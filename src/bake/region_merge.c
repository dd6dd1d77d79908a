/* Clean-up of raw regions: small islands are dropped, small regions merged into neighbours, and what remains
 * is renumbered.
 *
 * A region merges into its smallest neighbour of the same area that touches it once, and that lies nowhere
 * over or under it; visits go by ascending number, pass by pass, until a pass merges nothing. Neighbour lists
 * are cyclic, and their beginning breaks ties, so it is kept exactly.
 *
 * The original replaces a merged number in every list of every region. Here a number in a list is looked up
 * through the merges (disjoint sets), and neighbours that have become equal are made one when the list is
 * looked at. */
#include "bake/regions_internal.h"

typedef struct Merger {
  WmOutlines outlines;
  WmOutlineRecord *records; /* [record_count], the outlines' */
  uint32_t record_count;
  WmStacks stacks;
  uint32_t merge_region_cells;
} Merger;

static bool is_region(const Merger *m, uint32_t value) { return wm_is_region(value, m->record_count); }

/* ---- Islands ------------------------------------------------------------------------------------------- */

/* Chains what can be reached from a record over neighbour lists, and drops it if it is small. */
static void visit_island(Merger *m, uint32_t start, int32_t min_region_cells) {
  WmOutlineRecord *const records = m->records;
  const WmListEntry *const entries = m->outlines.lists.entries;
  uint32_t at = start, last = start;
  int64_t cells = 0;
  bool touches_border = false;
  records[start].next_of_island = (uint16_t)start;
  for (;; at = records[at].next_of_island) {
    cells += records[at].cells;
    for (uint32_t entry = records[at].ring; entry != 0;) {
      entry = entries[entry].next;
      const uint32_t value = entries[entry].value;
      if (value & WM_REGION_BORDER) touches_border = true;
      if (is_region(m, value) && records[value].next_of_island == 0) {
        records[last].next_of_island = records[value].next_of_island = (uint16_t)value;
        last = value;
      }
      if (entry == records[at].ring) break;
    }
    if (at == last) break;
  }
  if (touches_border || cells >= min_region_cells) return;
  for (at = start;; at = records[at].next_of_island) {
    records[at].cells = 0;
    m->stacks.groups[at].is_dropped = true;
    if (at == last) break;
  }
}

/* ---- Rings --------------------------------------------------------------------------------------------- */

/* What an entry of a ring says now: a region, 0 or a border. */
static uint32_t find_value(const Merger *m, uint32_t entry) {
  const uint32_t value = m->outlines.lists.entries[entry].value;
  return is_region(m, value) ? wm_stacks_leader(&m->stacks, value) : value;
}

/* Takes out of a ring what says the same as the entry before it, and at the end what says the same as the
 * first. Returns how often the rest says `value`. */
static uint32_t count_in_ring(Merger *m, uint32_t owner, uint32_t value) {
  uint32_t *const ring = &m->records[owner].ring;
  if (*ring == 0) return 0;
  WmListEntry *const entries = m->outlines.lists.entries;
  const uint32_t first = entries[*ring].next, first_value = find_value(m, first);
  uint32_t count = first_value == value, at = first, at_value = first_value, before = first;
  while (at != *ring) {
    const uint32_t next = entries[at].next, next_value = find_value(m, next);
    if (next_value == at_value) {
      entries[at].next = entries[next].next;
      if (next == *ring) *ring = at;
      continue;
    }
    count += next_value == value;
    before = at;
    at = next;
    at_value = next_value;
  }
  if (at != first && at_value == first_value) {
    count -= at_value == value;
    entries[before].next = first;
    *ring = before;
  }
  return count;
}

/* Makes what is behind the entry that says `value` the beginning of a ring, and takes out the entry. */
static void cut_ring(Merger *m, uint32_t owner, uint32_t value) {
  uint32_t *const ring = &m->records[owner].ring;
  WmListEntry *const entries = m->outlines.lists.entries;
  while (find_value(m, entries[*ring].next) != value) *ring = entries[*ring].next;
  const uint32_t cut = entries[*ring].next;
  entries[*ring].next = entries[cut].next;
  if (cut == *ring) *ring = 0;
}

/* ---- Merging ------------------------------------------------------------------------------------------- */

/* The neighbour to merge into, 0 if none; *is_mutual: whether it lists the region, as it must for a merge. */
static uint32_t find_partner(Merger *m, uint32_t region, bool *is_mutual) {
  const WmOutlineRecord *const own = &m->records[region];
  uint32_t best = 0, best_cells = 0xfffffff;
  wm_stacks_mark(&m->stacks, region, region);
  for (uint32_t entry = own->ring; entry != 0;) {
    entry = m->outlines.lists.entries[entry].next;
    const uint32_t value = find_value(m, entry);
    if (is_region(m, value)) {
      const WmOutlineRecord *const other = &m->records[value];
      const WmRegionGroup *const group = &m->stacks.groups[value];
      if (other->cells < best_cells && other->area == own->area && other->square == own->square &&
          !group->is_dropped && !group->is_overlapping && group->rival != region &&
          count_in_ring(m, region, value) == 1) {
        const uint32_t count = count_in_ring(m, value, region);
        if (count <= 1) {
          best = value;
          best_cells = other->cells;
          *is_mutual = count == 1;
        }
      }
    }
    if (entry == own->ring) break;
  }
  return best;
}

/* Merges the region if it is small or touches no wall. Returns whether it did. */
static bool visit_region(Merger *m, uint32_t region) {
  WmOutlineRecord *const own = &m->records[region];
  if (m->stacks.groups[region].is_overlapping || own->cells == 0) return false;
  if (count_in_ring(m, region, 0) > 0 && own->cells > m->merge_region_cells) return false;
  bool is_mutual = false;
  const uint32_t into = find_partner(m, region, &is_mutual);
  if (!is_mutual) return false; /* another partner may become the smallest */
  cut_ring(m, into, region);
  cut_ring(m, region, into);
  wm_list_join(&m->outlines.lists, &m->records[into].ring, own->ring);
  m->records[into].cells += own->cells;
  own->cells = 0;
  wm_stacks_join(&m->stacks, into, region);
  return true;
}

WmStatus wm_merge_regions(WmContext *context, const WmCompactHeightfield *compact,
                          const WmRegionSettings *settings, int32_t square_cells, uint32_t next_number,
                          uint16_t *span_region, uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(context);
  const int32_t merge_cells = settings->merge_region_cells;
  Merger m = {.record_count = next_number + 1,
              .merge_region_cells = merge_cells > 0 ? (uint32_t)merge_cells : 0};
  WmStatus status =
      wm_outlines_gather(context, compact, span_region, m.record_count, square_cells, &m.outlines);
  m.records = m.outlines.records;
  if (!status) status = wm_stacks_gather(context, compact, span_region, m.record_count, &m.stacks);
  if (!status) {
    for (uint32_t record = 1; record < m.record_count; record++) {
      if (m.records[record].cells > 0 && m.records[record].next_of_island == 0)
        visit_island(&m, record, settings->min_region_cells);
    }
    bool has_merged = true;
    while (has_merged) {
      has_merged = false;
      for (uint32_t record = 1; record < m.record_count; record++) has_merged |= visit_region(&m, record);
    }
    status = wm_stacks_renumber(context, &m.stacks, compact, span_region, region_count);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
