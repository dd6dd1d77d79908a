/* Clean-up of raw regions: small islands are dropped, small regions merged into neighbours, and what remains
 * is renumbered.
 *
 * A region merges into its smallest neighbour of the same area that touches it once, and that lies nowhere
 * over or under it; visits go by ascending number, pass by pass, until a pass merges nothing. Neighbour lists
 * are cyclic, and their beginning breaks ties, so it is kept exactly.
 *
 * The original replaces a merged number in every list of every region. Here lists are linked rings of nodes;
 * a node's number is looked up through the merges (disjoint sets), and all nodes that name one region form a
 * chain
 * ("who lists it"). A merge joins two rings and two chains, and looks for equal neighbours in the rings only
 * at the nodes of the shorter chain. A region is visited again only when the outcome can differ: after it was
 * merged into, or after a node of its list, or one naming it, vanished; or, each pass, when it found a
 * partner that does not list it. All of that leaves the visits that do something, and their order, as they
 * were. */
#include "bake/regions_internal.h"

#include <string.h>

#define NO_NODE UINT32_MAX

typedef struct Node {
  uint32_t next, previous; /* in the ring; next is NO_NODE once deleted */
  uint32_t next_naming;    /* in the chain of nodes that name the same region */
  uint16_t value;          /* the region across, as numbered before merging */
  uint16_t owner;          /* the region whose ring this is, likewise */
} Node;

typedef struct Merger {
  WmContext *context;
  WmRegionRecords records;
  WmStacks stacks;
  uint32_t merge_region_cells;
  uint16_t *parent;    /* [record_count] toward the region a record was merged into */
  uint8_t *is_dropped; /* [record_count] too small an island, or not a region's number */
  uint8_t *has_zero;   /* [record_count] the list has a 0: the region touches a wall */
  uint8_t *is_due;     /* [record_count] to be visited */
  Node *nodes;
  uint32_t *ring_first;   /* [record_count] */
  uint32_t *ring_length;  /* [record_count] */
  uint32_t *chain_first;  /* [record_count] */
  uint32_t *chain_last;   /* [record_count] */
  uint32_t *chain_length; /* [record_count] deleted nodes included */
  uint32_t *listed;       /* [record_count] how often the visited region lists another; 0 between visits */
  uint32_t *listing;      /* [record_count] how often another lists it; likewise */
} Merger;

static bool is_region(uint32_t value) { return value != 0 && !(value & WM_REGION_BORDER); }

/* ---- Islands ------------------------------------------------------------------------------------------- */

/* Collects what can be reached from a record over neighbour lists, in `queue`. */
static uint32_t collect_island(const Merger *m, uint32_t start, uint16_t *queue, uint8_t *is_visited,
                               uint64_t *cells, bool *touches_border) {
  uint32_t count = 1;
  queue[0] = (uint16_t)start;
  is_visited[start] = 1;
  *cells = 0;
  *touches_border = false;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t record = queue[i];
    *cells += m->records.cells[record];
    const uint16_t *list = m->records.list_values + m->records.list_first[record];
    for (uint32_t k = 0; k < m->records.list_length[record]; k++) {
      const uint32_t value = list[k];
      if (value & WM_REGION_BORDER) *touches_border = true;
      if (!is_region(value) || is_visited[value] || m->is_dropped[value]) continue;
      is_visited[value] = 1;
      queue[count++] = (uint16_t)value;
    }
  }
  return count;
}

static WmStatus drop_islands(Merger *m, int32_t min_region_cells) {
  const WmScratchMark mark = wm_scratch_mark(m->context);
  const uint32_t record_count = m->records.record_count;
  uint8_t *is_visited = wm_scratch_zeroed(m->context, record_count, sizeof *is_visited);
  uint16_t *queue = wm_scratch_array(m->context, record_count, sizeof *queue);
  const bool has_memory = is_visited && queue;
  for (uint32_t record = 1; has_memory && record < record_count; record++) {
    if (m->records.cells[record] == 0 || m->is_dropped[record] || is_visited[record]) continue;
    uint64_t cells = 0;
    bool touches_border = false;
    const uint32_t count = collect_island(m, record, queue, is_visited, &cells, &touches_border);
    if (touches_border || (int64_t)cells >= min_region_cells) continue;
    for (uint32_t i = 0; i < count; i++) {
      m->records.cells[queue[i]] = 0;
      m->is_dropped[queue[i]] = 1;
    }
  }
  wm_scratch_rewind(m->context, mark);
  return has_memory ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* ---- Rings and chains ---------------------------------------------------------------------------------- */

/* The region a record belongs to now. */
static uint32_t find_region(Merger *m, uint32_t record) {
  uint16_t *parent = m->parent;
  while (parent[record] != record) {
    parent[record] = parent[parent[record]];
    record = parent[record];
  }
  return record;
}

/* What a node says now: a region, 0 or a border. */
static uint32_t find_value(Merger *m, uint32_t node) {
  const uint32_t value = m->nodes[node].value;
  return is_region(value) ? find_region(m, value) : value;
}

static void append_to_chain(Merger *m, uint32_t value, uint32_t node) {
  if (m->chain_length[value]++ == 0) {
    m->chain_first[value] = node;
  } else {
    m->nodes[m->chain_last[value]].next_naming = node;
  }
  m->chain_last[value] = node;
}

static void build_ring(Merger *m, uint32_t record) {
  const uint32_t first = m->records.list_first[record], length = m->records.list_length[record];
  m->ring_first[record] = first;
  m->ring_length[record] = length;
  for (uint32_t i = 0; i < length; i++) {
    const uint32_t node = first + i;
    const uint16_t value = m->records.list_values[node];
    m->nodes[node] = (Node){i + 1 < length ? node + 1 : first, i > 0 ? node - 1 : first + length - 1, NO_NODE,
                            value, (uint16_t)record};
    if (value == 0) m->has_zero[record] = 1;
    if (is_region(value)) append_to_chain(m, value, node);
  }
}

/* Takes a node out of its ring, whose owner is `owner` now. */
static void delete_node(Merger *m, uint32_t owner, uint32_t node) {
  Node *const nodes = m->nodes;
  nodes[nodes[node].previous].next = nodes[node].next;
  nodes[nodes[node].next].previous = nodes[node].previous;
  if (m->ring_first[owner] == node) m->ring_first[owner] = nodes[node].next;
  m->ring_length[owner]--;
  nodes[node].next = NO_NODE;
}

/* If the node says the same as the next, one of them goes: the later, but never the ring's first. */
static bool collapse_pair(Merger *m, uint32_t owner, uint32_t node) {
  const uint32_t next = m->nodes[node].next, value = find_value(m, node);
  if (next == node || find_value(m, next) != value) return false;
  delete_node(m, owner, next == m->ring_first[owner] ? node : next);
  m->is_due[owner] = 1;
  if (is_region(value)) m->is_due[value] = 1;
  return true;
}

static void collapse_around(Merger *m, uint32_t node) {
  const uint32_t owner = find_region(m, m->nodes[node].owner);
  while (m->nodes[node].next != NO_NODE && collapse_pair(m, owner, node)) continue;
  if (m->nodes[node].next != NO_NODE) collapse_pair(m, owner, m->nodes[node].previous);
}

/* ---- Merging ------------------------------------------------------------------------------------------- */

static bool may_pair(Merger *m, uint32_t region, uint32_t other) {
  const WmRegionRecords *records = &m->records;
  return !m->is_dropped[other] && !m->stacks.is_overlapping[other] &&
         records->area[region] == records->area[other] &&
         (!records->square || records->square[region] == records->square[other]) && m->listed[other] == 1 &&
         m->listing[other] <= 1 && !wm_stacks_conflict(&m->stacks, region, other);
}

/* The neighbour to merge into, 0 if none; *is_mutual: whether it lists the region, as it must for a merge. */
static uint32_t find_partner(Merger *m, uint32_t region, bool *is_mutual) {
  const uint32_t first = m->ring_first[region], length = m->ring_length[region];
  uint32_t node = first;
  for (uint32_t i = 0; i < length; i++, node = m->nodes[node].next) {
    const uint32_t value = find_value(m, node);
    if (is_region(value)) m->listed[value]++;
  }
  node = m->chain_first[region];
  for (uint32_t i = 0; i < m->chain_length[region]; i++, node = m->nodes[node].next_naming) {
    if (m->nodes[node].next != NO_NODE) m->listing[find_region(m, m->nodes[node].owner)]++;
  }
  uint32_t best = 0, best_cells = 0xfffffff;
  node = first;
  for (uint32_t i = 0; i < length; i++, node = m->nodes[node].next) {
    const uint32_t value = find_value(m, node);
    if (!is_region(value) || m->records.cells[value] >= best_cells || !may_pair(m, region, value)) continue;
    best = value;
    best_cells = m->records.cells[value];
  }
  *is_mutual = best != 0 && m->listing[best] == 1;
  node = first;
  for (uint32_t i = 0; i < length; i++, node = m->nodes[node].next) {
    const uint32_t value = find_value(m, node);
    if (is_region(value)) m->listed[value] = 0;
  }
  node = m->chain_first[region];
  for (uint32_t i = 0; i < m->chain_length[region]; i++, node = m->nodes[node].next_naming) {
    m->listing[find_region(m, m->nodes[node].owner)] = 0;
  }
  return best;
}

/* The node of `owner` that names `region`, through the chain. */
static uint32_t find_node_of(Merger *m, uint32_t region, uint32_t owner) {
  uint32_t node = m->chain_first[region];
  while (m->nodes[node].next == NO_NODE || find_region(m, m->nodes[node].owner) != owner) {
    node = m->nodes[node].next_naming;
  }
  return node;
}

/* The new list of `into`: its own from behind the node that names `region`, then the other from behind the
 * node that names `into`. */
static void join_rings(Merger *m, uint32_t region, uint32_t into) {
  Node *const nodes = m->nodes;
  const uint32_t at_region = find_node_of(m, region, into), at_into = find_node_of(m, into, region);
  const uint32_t first = nodes[at_region].next, other_first = nodes[at_into].next;
  delete_node(m, into, at_region);
  delete_node(m, region, at_into);
  const uint32_t length = m->ring_length[into], other_length = m->ring_length[region];
  m->ring_first[into] = length > 0 ? first : other_first;
  m->ring_length[into] = length + other_length;
  m->ring_length[region] = 0;
  if (length == 0 || other_length == 0) return;
  const uint32_t last = nodes[first].previous, other_last = nodes[other_first].previous;
  nodes[last].next = other_first;
  nodes[other_first].previous = last;
  nodes[other_last].next = first;
  nodes[first].previous = other_last;
}

/* Makes the nodes that name `region` name `into`; returns the shorter chain, at the nodes of which lists may
 * now have equal neighbours. */
static uint32_t join_chains(Merger *m, uint32_t region, uint32_t into, uint32_t *shorter_length) {
  const bool is_shorter = m->chain_length[region] < m->chain_length[into];
  const uint32_t shorter = m->chain_first[is_shorter ? region : into];
  *shorter_length = m->chain_length[is_shorter ? region : into];
  m->nodes[m->chain_last[into]].next_naming = m->chain_first[region];
  m->chain_last[into] = m->chain_last[region];
  m->chain_length[into] += m->chain_length[region];
  return shorter;
}

/* Both list each other once. */
static WmStatus merge_region(Merger *m, uint32_t region, uint32_t into) {
  const uint32_t last_before = m->nodes[find_node_of(m, region, into)].previous;
  const uint32_t other_last = m->nodes[find_node_of(m, into, region)].previous;
  join_rings(m, region, into);
  m->parent[region] = (uint16_t)into;
  if (m->nodes[last_before].next != NO_NODE) collapse_around(m, last_before);
  if (m->nodes[other_last].next != NO_NODE) collapse_around(m, other_last);
  uint32_t length = 0, node = join_chains(m, region, into, &length);
  for (uint32_t i = 0; i < length; i++, node = m->nodes[node].next_naming) {
    if (m->nodes[node].next != NO_NODE) collapse_around(m, node);
  }
  m->records.cells[into] += m->records.cells[region];
  m->records.cells[region] = 0;
  m->has_zero[into] |= m->has_zero[region];
  m->is_due[into] = 1;
  return wm_stacks_join(m->context, &m->stacks, into, region);
}

static WmStatus visit_region(Merger *m, uint32_t region, bool *has_merged) {
  m->is_due[region] = 0;
  *has_merged = false;
  if (m->is_dropped[region] || m->stacks.is_overlapping[region] || m->records.cells[region] == 0)
    return WM_OK;
  if (m->records.cells[region] > m->merge_region_cells && m->has_zero[region]) return WM_OK;
  bool is_mutual = false;
  const uint32_t partner = find_partner(m, region, &is_mutual);
  if (partner == 0) return WM_OK;
  if (!is_mutual) {
    m->is_due[region] = 1; /* another partner may become the smallest */
    return WM_OK;
  }
  *has_merged = true;
  return merge_region(m, region, partner);
}

static WmStatus merge_small_regions(Merger *m) {
  bool has_merged_any = true;
  while (has_merged_any) {
    has_merged_any = false;
    for (uint32_t record = 1; record < m->records.record_count; record++) {
      if (!m->is_due[record]) continue;
      bool has_merged = false;
      if (visit_region(m, record, &has_merged)) return WM_ERROR_OUT_OF_MEMORY;
      has_merged_any |= has_merged;
    }
  }
  return WM_OK;
}

/* ---- Renumbering --------------------------------------------------------------------------------------- */

WmStatus wm_renumber_regions(WmContext *context, uint16_t *class_of, uint32_t record_count,
                             uint16_t *span_region, uint32_t span_count, uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(context);
  uint16_t *number_of = wm_scratch_zeroed(context, record_count, sizeof *number_of);
  if (number_of) {
    uint32_t count = 0;
    for (uint32_t record = 0; record < record_count; record++) {
      const uint32_t class = class_of[record];
      if (!is_region(class)) continue;
      if (number_of[class] == 0) number_of[class] = (uint16_t)++count;
      class_of[record] = number_of[class];
    }
    for (uint32_t span = 0; span < span_count; span++) {
      if (!(span_region[span] & WM_REGION_BORDER)) span_region[span] = class_of[span_region[span]];
    }
    *region_count = count;
  }
  wm_scratch_rewind(context, mark);
  return number_of ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

static WmStatus create_merger(Merger *m) {
  const uint32_t count = m->records.record_count;
  m->parent = wm_scratch_array(m->context, count, sizeof *m->parent);
  m->is_dropped = wm_scratch_zeroed(m->context, count, sizeof *m->is_dropped);
  m->has_zero = wm_scratch_zeroed(m->context, count, sizeof *m->has_zero);
  m->is_due = wm_scratch_array(m->context, count, sizeof *m->is_due);
  m->nodes = wm_scratch_array(m->context, m->records.value_count, sizeof *m->nodes);
  m->ring_first = wm_scratch_array(m->context, count, sizeof *m->ring_first);
  m->ring_length = wm_scratch_array(m->context, count, sizeof *m->ring_length);
  m->chain_first = wm_scratch_zeroed(m->context, count, sizeof *m->chain_first);
  m->chain_last = wm_scratch_array(m->context, count, sizeof *m->chain_last);
  m->chain_length = wm_scratch_zeroed(m->context, count, sizeof *m->chain_length);
  m->listed = wm_scratch_zeroed(m->context, count, sizeof *m->listed);
  m->listing = wm_scratch_zeroed(m->context, count, sizeof *m->listing);
  if (!m->parent || !m->is_dropped || !m->has_zero || !m->is_due || !m->nodes || !m->ring_first ||
      !m->ring_length || !m->chain_first || !m->chain_last || !m->chain_length || !m->listed || !m->listing) {
    return WM_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t record = 0; record < count; record++) {
    m->parent[record] = (uint16_t)record;
    m->is_due[record] = m->records.cells[record] > 0;
    build_ring(m, record);
  }
  return WM_OK;
}

/* Writes each record's region into `parent`, 0 for dropped ones, and renumbers. */
static WmStatus finish_merger(Merger *m, uint16_t *span_region, uint32_t span_count, uint32_t *region_count) {
  for (uint32_t record = 0; record < m->records.record_count; record++) {
    m->parent[record] = (uint16_t)find_region(m, record);
  }
  for (uint32_t record = 0; record < m->records.record_count; record++) {
    if (m->is_dropped[record]) m->parent[record] = 0;
  }
  return wm_renumber_regions(m->context, m->parent, m->records.record_count, span_region, span_count,
                             region_count);
}

WmStatus wm_merge_regions(WmContext *context, const WmCompactHeightfield *compact,
                          const WmRegionSettings *settings, int32_t square_cells, uint32_t next_number,
                          uint16_t *span_region, uint32_t *region_count, bool *has_overlap) {
  const WmScratchMark mark = wm_scratch_mark(context);
  const int32_t merge_cells = settings->merge_region_cells;
  Merger m = {.context = context, .merge_region_cells = merge_cells > 0 ? (uint32_t)merge_cells : 0};
  WmStatus status =
      wm_region_records_gather(context, compact, span_region, next_number + 1, square_cells, &m.records);
  if (!status) status = wm_stacks_gather(context, compact, span_region, next_number + 1, &m.stacks);
  if (!status) status = create_merger(&m);
  if (!status) status = drop_islands(&m, settings->min_region_cells);
  if (!status) status = merge_small_regions(&m);
  if (!status) status = finish_merger(&m, span_region, compact->span_count, region_count);
  *has_overlap = m.stacks.has_overlap;
  wm_scratch_rewind(context, mark);
  return status;
}
