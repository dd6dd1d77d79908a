/* Clean-up of raw regions: small islands are dropped, small regions merged into neighbours, and what remains
 * is renumbered.
 *
 * A region merges into its smallest neighbour of the same area that touches it once, and that lies nowhere
 * over or under it; visits go by ascending number, pass by pass, until a pass merges nothing. Neighbour lists
 * are cyclic, and their beginning breaks ties, so it is kept exactly.
 *
 * The original replaces a merged number in every list of every region. Here lists are linked rings of nodes;
 * a node's number is looked up through the merges (disjoint sets), and all nodes that name one region form a
 * list ("naming"). A merge joins two rings and two lists, and looks for equal neighbours in the rings only at
 * the nodes of the shorter list. A region is visited again only when the outcome can differ: after it was
 * merged into, or after a node of its ring, or one naming it, vanished; or, each pass, when it found a
 * partner that does not list it. All of that leaves the visits that do something, and their order, as they
 * were. */
#include "bake/regions_internal.h"

typedef struct Merger {
  WmContext *context;
  WmOutlines outlines;
  WmOutlineRecord *records; /* [record_count], the outlines' */
  uint32_t record_count;
  WmStacks stacks;
  uint32_t merge_region_cells;
} Merger;

static bool is_region(const Merger *m, uint32_t value) { return wm_is_region(value, m->record_count); }

/* ---- Islands ------------------------------------------------------------------------------------------- */

/* Collects what can be reached from a record over neighbour lists, in `queue`, and drops it if it is small.
 */
static void visit_island(Merger *m, uint32_t start, uint16_t *queue, int32_t min_region_cells) {
  uint32_t count = 1;
  uint64_t cells = 0;
  bool touches_border = false;
  queue[0] = (uint16_t)start;
  m->records[start].is_visited = true;
  for (uint32_t i = 0; i < count; i++) {
    const WmOutlineRecord *record = &m->records[queue[i]];
    cells += record->cells;
    uint32_t node = record->ring_first;
    for (uint32_t k = 0; k < record->ring_length; k++, node = m->outlines.nodes[node].next) {
      const uint32_t value = m->outlines.nodes[node].value;
      if (value & WM_REGION_BORDER) touches_border = true;
      if (!is_region(m, value) || m->records[value].is_visited) continue;
      m->records[value].is_visited = true;
      queue[count++] = (uint16_t)value;
    }
  }
  if (touches_border || (int64_t)cells >= min_region_cells) return;
  for (uint32_t i = 0; i < count; i++) {
    m->records[queue[i]].cells = 0;
    m->stacks.groups[queue[i]].is_dropped = true;
  }
}

static WmStatus drop_islands(Merger *m, int32_t min_region_cells) {
  uint16_t *queue = wm_scratch_array(m->context, m->record_count, sizeof *queue);
  if (!queue) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t record = 1; record < m->record_count; record++) {
    if (m->records[record].cells == 0 || m->records[record].is_visited) continue;
    visit_island(m, record, queue, min_region_cells);
  }
  return WM_OK;
}

/* ---- Rings --------------------------------------------------------------------------------------------- */

/* What a node says now: a region, 0 or a border. */
static uint32_t find_value(const Merger *m, uint32_t node) {
  const uint32_t value = m->outlines.nodes[node].value;
  return is_region(m, value) ? wm_stacks_leader(&m->stacks, value) : value;
}

/* The record in whose ring a node is now; 0 where it is deleted. */
static uint32_t find_owner(const Merger *m, uint32_t node) {
  const WmOutlineNode *at = &m->outlines.nodes[node];
  return at->next == 0 ? 0 : wm_stacks_leader(&m->stacks, at->owner);
}

/* Takes a node out of its owner's ring. */
static void delete_node(Merger *m, uint32_t owner, uint32_t node) {
  WmOutlineNode *const nodes = m->outlines.nodes, *const at = &nodes[node];
  WmOutlineRecord *const record = &m->records[owner];
  nodes[at->previous].next = at->next;
  nodes[at->next].previous = at->previous;
  if (record->ring_first == node) record->ring_first = at->next;
  record->ring_length--;
  at->next = 0;
}

/* If the node says the same as the next, one of them goes: the later, but never the ring's first. */
static bool collapse_pair(Merger *m, uint32_t owner, uint32_t node) {
  const uint32_t next = m->outlines.nodes[node].next, value = find_value(m, node);
  if (next == 0 || next == node || find_value(m, next) != value) return false;
  delete_node(m, owner, next == m->records[owner].ring_first ? node : next);
  m->records[owner].is_due = true;
  if (is_region(m, value)) m->records[value].is_due = true;
  return true;
}

static void collapse_around(Merger *m, uint32_t node) {
  const uint32_t owner = find_owner(m, node);
  if (owner == 0) return;
  while (collapse_pair(m, owner, node)) continue;
  if (find_owner(m, node) != 0) collapse_pair(m, owner, m->outlines.nodes[node].previous);
}

/* The node of `owner` that names `region`; there is one. */
static uint32_t find_node_of(const Merger *m, uint32_t region, uint32_t owner) {
  const WmListEntry *const entries = m->outlines.lists.entries;
  uint32_t entry = m->records[region].naming;
  do entry = entries[entry].next;
  while (find_owner(m, entries[entry].value) != owner);
  return entries[entry].value;
}

/* ---- Merging ------------------------------------------------------------------------------------------- */

/* Adds to the counts of how often the region lists others, and others list it. */
static void tally(Merger *m, uint32_t region, uint32_t change) {
  const WmOutlineRecord *record = &m->records[region];
  uint32_t node = record->ring_first;
  for (uint32_t i = 0; i < record->ring_length; i++, node = m->outlines.nodes[node].next) {
    const uint32_t value = find_value(m, node);
    if (is_region(m, value)) m->records[value].listed += change;
  }
  uint32_t entry = record->naming;
  for (uint32_t i = 0; i < record->naming_count; i++, entry = m->outlines.lists.entries[entry].next) {
    m->records[find_owner(m, m->outlines.lists.entries[entry].value)].listing += change;
  }
}

static bool may_pair(const Merger *m, uint32_t region, uint32_t other) {
  const WmOutlineRecord *a = &m->records[region], *b = &m->records[other];
  const WmRegionGroup *group = &m->stacks.groups[other];
  return !group->is_dropped && !group->is_overlapping && a->area == b->area && a->square == b->square &&
         b->listed == 1 && b->listing <= 1 && !wm_stacks_conflict(&m->stacks, region, other);
}

/* The neighbour to merge into, 0 if none; *is_mutual: whether it lists the region, as it must for a merge. */
static uint32_t find_partner(Merger *m, uint32_t region, bool *is_mutual) {
  uint32_t best = 0, best_cells = 0xfffffff;
  tally(m, region, 1);
  uint32_t node = m->records[region].ring_first;
  for (uint32_t i = 0; i < m->records[region].ring_length; i++, node = m->outlines.nodes[node].next) {
    const uint32_t value = find_value(m, node);
    if (!is_region(m, value) || m->records[value].cells >= best_cells || !may_pair(m, region, value))
      continue;
    best = value;
    best_cells = m->records[value].cells;
  }
  *is_mutual = m->records[best].listing == 1;
  tally(m, region, UINT32_MAX);
  return best;
}

/* The new ring of `into`: its own from behind the node that names `region`, then the other from behind the
 * node that names `into`. Both list each other once. */
static WmStatus merge_region(Merger *m, uint32_t region, uint32_t into) {
  WmOutlineNode *const nodes = m->outlines.nodes;
  WmOutlineRecord *const a = &m->records[into], *const b = &m->records[region];
  const uint32_t cut_a = find_node_of(m, region, into), cut_b = find_node_of(m, into, region);
  const uint32_t first_a = nodes[cut_a].next, last_a = nodes[cut_a].previous;
  const uint32_t first_b = nodes[cut_b].next, last_b = nodes[cut_b].previous;
  delete_node(m, into, cut_a);
  delete_node(m, region, cut_b);
  a->ring_first = a->ring_length > 0 ? first_a : first_b;
  if (a->ring_length > 0 && b->ring_length > 0) {
    nodes[last_a].next = first_b;
    nodes[first_b].previous = last_a;
    nodes[last_b].next = first_a;
    nodes[first_a].previous = last_b;
  }
  a->ring_length += b->ring_length;
  b->ring_length = 0;
  a->cells += b->cells;
  b->cells = 0;
  a->has_zero |= b->has_zero;
  a->is_due = true;
  if (wm_stacks_join(m->context, &m->stacks, into, region)) return WM_ERROR_OUT_OF_MEMORY;

  collapse_around(m, last_a);
  collapse_around(m, last_b);
  const WmOutlineRecord *shorter = b->naming_count < a->naming_count ? b : a;
  uint32_t entry = shorter->naming;
  for (uint32_t i = 0; i < shorter->naming_count; i++) {
    entry = m->outlines.lists.entries[entry].next;
    collapse_around(m, m->outlines.lists.entries[entry].value);
  }
  wm_list_join(&m->outlines.lists, &a->naming, b->naming);
  a->naming_count += b->naming_count;
  return WM_OK;
}

static WmStatus visit_region(Merger *m, uint32_t region, bool *has_merged) {
  WmOutlineRecord *record = &m->records[region];
  record->is_due = false;
  if (m->stacks.groups[region].is_overlapping || record->cells == 0) return WM_OK;
  if (record->cells > m->merge_region_cells && record->has_zero) return WM_OK;
  bool is_mutual = false;
  const uint32_t partner = find_partner(m, region, &is_mutual);
  if (partner == 0) return WM_OK;
  if (!is_mutual) {
    record->is_due = true; /* another partner may become the smallest */
    return WM_OK;
  }
  *has_merged = true;
  return merge_region(m, region, partner);
}

static WmStatus merge_small_regions(Merger *m) {
  bool has_merged = true;
  while (has_merged) {
    has_merged = false;
    for (uint32_t record = 1; record < m->record_count; record++) {
      if (m->records[record].is_due && visit_region(m, record, &has_merged)) return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  return WM_OK;
}

WmStatus wm_merge_regions(WmContext *context, const WmCompactHeightfield *compact,
                          const WmRegionSettings *settings, int32_t square_cells, uint32_t next_number,
                          uint16_t *span_region, uint32_t *region_count, bool *has_overlap) {
  const WmScratchMark mark = wm_scratch_mark(context);
  const int32_t merge_cells = settings->merge_region_cells;
  Merger m = {.context = context,
              .record_count = next_number + 1,
              .merge_region_cells = merge_cells > 0 ? (uint32_t)merge_cells : 0};
  WmStatus status =
      wm_outlines_gather(context, compact, span_region, m.record_count, square_cells, &m.outlines);
  m.records = m.outlines.records;
  if (!status) status = wm_stacks_gather(context, compact, span_region, m.record_count, &m.stacks);
  if (!status) status = drop_islands(&m, settings->min_region_cells);
  if (!status) status = merge_small_regions(&m);
  if (!status) {
    status = wm_stacks_renumber(context, &m.stacks, span_region, compact->span_count, region_count);
  }
  *has_overlap = m.stacks.has_overlap;
  wm_scratch_rewind(context, mark);
  return status;
}
