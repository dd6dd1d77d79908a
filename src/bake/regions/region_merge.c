/* Cleans up raw regions: drops small islands, merges small regions into neighbours, and renumbers the rest.
 *
 * A region merges into its smallest neighbour of the same area that touches it once and shares no column with
 * it. Visits go by ascending number, pass by pass, until a pass merges nothing. Neighbour lists are cyclic,
 * and their beginning breaks ties, so it is preserved exactly.
 *
 * The original replaces a merged number in every list of every region, and reads whole lists for each count
 * and each choice. Here, with n log n steps in all:
 *   - only neighbours that a region may ever merge with are stored, as contacts. Neighbours between two
 *     contacts never disappear, so one bit stands for them;
 *   - the contacts of a region are in a ring and, from its beginning on, in a splay tree that knows the least
 *     key of each branch (D. D. Sleator, R. E. Tarjan, "Self-Adjusting Binary Search Trees", 1985). A key is
 *     at most the neighbour's cells. It is made exact when it is the least, and NEVER if the neighbour can't
 *     be merged with; that can only change when contacts between the two become fewer;
 *   - pairs of regions count their contacts, in a hash table. When two groups merge, the one with fewer
 *     contacts gets the other's label everywhere, and only there can contacts have become equal
 *     neighbours, of which one is removed. */
#include "bake/regions/regions_internal.h"
#include "base/debug/assert.h"

#define NEVER UINT32_MAX

/* One stretch of `owner`'s outline that borders `value`; both are labels of groups. */
typedef struct Contact {
  uint32_t next, before;     /* in the owner's ring */
  uint32_t next_naming;      /* in the chain of contacts that name the value, 0 at its end */
  uint32_t parent, child[2]; /* in the owner's tree, 0 none */
  uint32_t key, least;       /* `least`: the least key of the branch */
  uint16_t owner, value;
  bool is_apart; /* another neighbour lies between it and the next contact */
  bool is_gone;  /* removed from ring and tree; removed from the chain when that is next walked */
} Contact;

/* By label. */
typedef struct Group {
  uint32_t root;   /* of the tree of contacts, 0 if there are none */
  uint32_t naming; /* the chain of contacts that name it */
  uint32_t weight; /* contacts of its own and contacts that name it, removed ones too */
  uint16_t record; /* the leader of the group */
  bool has_wall;   /* a part of its outline has no region beyond it */
} Group;

/* The number of contacts from one group to another. */
typedef struct Pair {
  uint32_t key; /* owner << 16 | value; 0: free */
  uint32_t count;
  uint32_t contacts; /* the exclusive or of their numbers: the contact itself if there is one */
} Pair;

typedef struct Merger {
  const WmOutlines *outlines;
  WmOutlineRecord *records; /* [record_count], the outlines' */
  uint32_t record_count;
  WmStacks *stacks;
  uint32_t merge_region_cells;
  Group *groups;     /* [record_count] */
  uint16_t *label;   /* [record_count] of leaders: their group */
  Contact *contacts; /* 1..contact_count; 0 stands for an empty branch */
  uint32_t contact_count;
  Pair *pairs; /* [pair_mask + 1], linear probing */
  uint32_t pair_mask;
} Merger;

static bool is_region(const Merger *m, uint32_t value) { return wm_is_region(value, m->record_count); }

/* ---- Islands ----------------------------------------------------------------------------------------- */

/* Chains all regions that a record reaches over neighbour lists, and drops them if they are small. */
static void visit_island(Merger *m, uint32_t start, int32_t min_region_cells) {
  WmOutlineRecord *const records = m->records;
  const WmListEntry *const entries = m->outlines->lists.entries;
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
    m->stacks->groups[at].is_dropped = true;
    if (at == last) break;
  }
}

/* ---- Pairs ------------------------------------------------------------------------------------------- */

static uint32_t home_of(const Merger *m, uint32_t key) {
  const uint32_t hash = key * UINT32_C(0x9e3779b1);
  return (hash ^ hash >> 15) & m->pair_mask;
}

/* The pair, or the free slot in which to store it. */
static Pair *find_pair(const Merger *m, uint32_t owner, uint32_t value) {
  const uint32_t key = owner << 16 | value;
  uint32_t slot = home_of(m, key);
  while (m->pairs[slot].key != key && m->pairs[slot].key != 0) slot = (slot + 1) & m->pair_mask;
  return &m->pairs[slot];
}

static void add_to_pair(const Merger *m, uint32_t number) {
  const Contact *const contact = &m->contacts[number];
  Pair *const pair = find_pair(m, contact->owner, contact->value);
  pair->key = (uint32_t)contact->owner << 16 | contact->value;
  pair->count++;
  pair->contacts ^= number;
}

static void drop_from_pair(const Merger *m, uint32_t number) {
  Pair *const pair = find_pair(m, m->contacts[number].owner, m->contacts[number].value);
  pair->contacts ^= number;
  if (--pair->count > 0) return;
  /* Entries that were pushed past the slot move back. */
  uint32_t slot = (uint32_t)(pair - m->pairs);
  for (uint32_t next = slot;;) {
    next = (next + 1) & m->pair_mask;
    if (m->pairs[next].key == 0) break;
    const uint32_t pushed = (next - home_of(m, m->pairs[next].key)) & m->pair_mask;
    if (pushed < ((next - slot) & m->pair_mask)) continue;
    m->pairs[slot] = m->pairs[next];
    slot = next;
  }
  m->pairs[slot] = (Pair){0};
}

/* ---- Trees ------------------------------------------------------------------------------------------- */

static void renew_least(Contact *contacts, uint32_t number) {
  Contact *const contact = &contacts[number];
  const uint32_t left = contacts[contact->child[0]].least, right = contacts[contact->child[1]].least;
  const uint32_t least = left < right ? left : right;
  contact->least = contact->key < least ? contact->key : least;
}

static void hang_branch(Contact *contacts, uint32_t parent, uint32_t side, uint32_t child) {
  contacts[parent].child[side] = child;
  contacts[child].parent = parent;
}

static uint32_t side_of(const Contact *contacts, uint32_t number) {
  return contacts[contacts[number].parent].child[1] == number;
}

static void rotate_up(Contact *contacts, uint32_t number) {
  const uint32_t parent = contacts[number].parent, above = contacts[parent].parent;
  const uint32_t side = side_of(contacts, number), side_above = side_of(contacts, parent);
  hang_branch(contacts, parent, side, contacts[number].child[side ^ 1]);
  hang_branch(contacts, number, side ^ 1, parent);
  contacts[number].parent = above;
  if (above != 0) contacts[above].child[side_above] = number;
  renew_least(contacts, parent);
}

/* Makes the contact the root of its tree. */
static void splay(Contact *contacts, uint32_t number) {
  for (uint32_t parent; (parent = contacts[number].parent) != 0;) {
    if (contacts[parent].parent != 0) {
      rotate_up(contacts, side_of(contacts, parent) == side_of(contacts, number) ? parent : number);
    }
    rotate_up(contacts, number);
  }
  renew_least(contacts, number);
}

/* Appends one tree after another; returns the root. */
static uint32_t join_trees(Contact *contacts, uint32_t tree, uint32_t behind) {
  if (tree == 0 || behind == 0) return tree | behind;
  while (contacts[tree].child[1] != 0) tree = contacts[tree].child[1];
  splay(contacts, tree);
  hang_branch(contacts, tree, 1, behind);
  renew_least(contacts, tree);
  return tree;
}

/* Removes a contact from its tree; the contacts before it come first, or, rotated, those after it. Returns
 * the root. */
static uint32_t cut_tree(Contact *contacts, uint32_t number, bool is_rotated) {
  splay(contacts, number);
  const uint32_t first = contacts[number].child[is_rotated], second = contacts[number].child[!is_rotated];
  contacts[first].parent = contacts[second].parent = 0;
  return join_trees(contacts, first, second);
}

static void set_key(Merger *m, uint32_t number, uint32_t key) {
  splay(m->contacts, number);
  m->contacts[number].key = key;
  renew_least(m->contacts, number);
  m->groups[m->contacts[number].owner].root = number;
}

/* The first contact in the tree with the least key. */
static uint32_t find_least(const Contact *contacts, uint32_t number) {
  const uint32_t least = contacts[number].least;
  for (;;) {
    const uint32_t left = contacts[number].child[0];
    if (contacts[left].least == least) {
      number = left;
    } else if (contacts[number].key == least) {
      return number;
    } else {
      number = contacts[number].child[1];
    }
  }
}

/* ---- Contacts ---------------------------------------------------------------------------------------- */

static void link_contacts(Contact *contacts, uint32_t before, uint32_t next) {
  contacts[before].next = next;
  contacts[next].before = before;
}

static void leave_ring(Contact *contacts, uint32_t number) {
  Contact *const contact = &contacts[number];
  contacts[contact->before].is_apart |= contact->is_apart;
  link_contacts(contacts, contact->before, contact->next);
  contact->is_gone = true;
}

/* If a group has a single contact with another, the contact's key becomes 0, so that it is tried again. */
static void wake_contact(Merger *m, uint32_t owner, uint32_t value) {
  const Pair *const pair = find_pair(m, owner, value);
  if (pair->count == 1) set_key(m, pair->contacts, 0);
}

/* Removes a contact if the next one has the same value. */
static void remove_if_repeated(Merger *m, uint32_t number) {
  const Contact *const contact = &m->contacts[number];
  const uint32_t owner = contact->owner, value = contact->value;
  if (contact->is_gone || contact->is_apart || contact->next == number) return;
  if (m->contacts[contact->next].value != value) return;
  drop_from_pair(m, number);
  leave_ring(m->contacts, number);
  m->groups[owner].root = cut_tree(m->contacts, number, false);
  wake_contact(m, owner, value);
  wake_contact(m, value, owner);
}

/* True if the regions of two records may ever merge. */
static bool are_mergeable(const Merger *m, uint32_t region, uint32_t value) {
  const WmOutlineRecord *const own = &m->records[region], *const other = &m->records[value];
  return is_region(m, value) && other->cells > 0 && other->area == own->area &&
         other->square == own->square && !m->stacks->groups[value].is_overlapping;
}

/* Makes contacts of a region's neighbour list. */
static void gather_contacts(Merger *m, uint32_t region) {
  Group *const group = &m->groups[region];
  const WmListEntry *const entries = m->outlines->lists.entries;
  uint32_t first = 0, last = 0;
  bool is_apart = false, starts_apart = false;
  for (uint32_t entry = m->records[region].ring; entry != 0;) {
    entry = entries[entry].next;
    const uint32_t value = entries[entry].value;
    group->has_wall |= value == 0;
    if (!are_mergeable(m, region, value)) {
      is_apart = true;
    } else {
      const uint32_t number = ++m->contact_count;
      Contact *const contact = &m->contacts[number];
      *contact = (Contact){.next_naming = m->groups[value].naming,
                           .key = m->records[value].cells,
                           .owner = (uint16_t)region,
                           .value = (uint16_t)value};
      hang_branch(m->contacts, number, 0, last);
      renew_least(m->contacts, number);
      add_to_pair(m, number);
      m->groups[value].naming = number;
      m->groups[value].weight++;
      group->weight++;
      if (last == 0) {
        first = number;
        starts_apart = is_apart;
      } else {
        m->contacts[last].is_apart = is_apart;
        link_contacts(m->contacts, last, number);
      }
      last = number;
      is_apart = false;
    }
    if (entry == m->records[region].ring) break;
  }
  if (last == 0) return;
  m->contacts[last].is_apart = is_apart | starts_apart;
  link_contacts(m->contacts, last, first);
  group->root = last;
  remove_if_repeated(m, last);
}

static bool gather_all_contacts(WmContext *context, Merger *m) {
  const uint32_t room = m->outlines->lists.count + 1;
  for (m->pair_mask = 1; m->pair_mask < 2 * room; m->pair_mask = 2 * m->pair_mask + 1) {
  }
  m->groups = wm_scratch_zeroed(context, m->record_count, sizeof *m->groups);
  m->label = wm_scratch_array(context, m->record_count, sizeof *m->label);
  m->contacts = wm_scratch_array(context, room, sizeof *m->contacts);
  m->pairs = wm_scratch_zeroed(context, (size_t)m->pair_mask + 1, sizeof *m->pairs);
  if (!m->groups || !m->label || !m->contacts || !m->pairs) return false;
  m->contacts[0] = (Contact){.least = NEVER};
  for (uint32_t record = 1; record < m->record_count; record++) {
    m->label[record] = m->groups[record].record = (uint16_t)record;
    if (are_mergeable(m, record, record)) gather_contacts(m, record);
  }
  return true;
}

/* ---- Merging ----------------------------------------------------------------------------------------- */

/* Replaces a group's label by another one: in its ring, from the contact after `first` to the one before,
 * and in the chain. Returns the end of the chain, which holds the next contact's number. */
static uint32_t *relabel(Merger *m, uint32_t label, uint32_t to, uint32_t first) {
  Contact *const contacts = m->contacts;
  for (uint32_t number = contacts[first].next; number != first; number = contacts[number].next) {
    drop_from_pair(m, number);
    contacts[number].owner = (uint16_t)to;
    add_to_pair(m, number);
  }
  uint32_t *link = &m->groups[label].naming;
  while (*link != 0) {
    Contact *const contact = &contacts[*link];
    if (contact->is_gone) {
      *link = contact->next_naming;
      continue;
    }
    drop_from_pair(m, *link);
    contact->value = (uint16_t)to;
    add_to_pair(m, *link);
    link = &contact->next_naming;
  }
  return link;
}

/* Merges the owner of `contact` into the owner of `back`; each must be the only contact between the two. */
static void merge_groups(Merger *m, uint32_t contact, uint32_t back) {
  Contact *const contacts = m->contacts;
  Group *const own = &m->groups[contacts[contact].owner], *const other = &m->groups[contacts[back].owner];
  const uint32_t record = own->record, into = other->record;
  m->records[into].cells += m->records[record].cells;
  m->records[record].cells = 0;
  wm_stacks_unite(m->stacks, into, record);

  Group *const less = own->weight < other->weight ? own : other, *const more = less == own ? other : own;
  const uint32_t label = (uint32_t)(more - m->groups);
  drop_from_pair(m, contact);
  drop_from_pair(m, back);
  contacts[contact].is_gone = contacts[back].is_gone = true;
  uint32_t *const end = relabel(m, (uint32_t)(less - m->groups), label, less == own ? contact : back);
  more->weight += less->weight;
  more->has_wall |= less->has_wall;
  more->record = (uint16_t)into;
  m->label[into] = (uint16_t)label;
  /* The contacts after `back` around its ring, then those after `contact`. */
  const uint32_t tree = cut_tree(contacts, back, true);
  more->root = join_trees(contacts, tree, cut_tree(contacts, contact, true));
  const uint32_t before = contacts[contact].before, before_back = contacts[back].before;
  link_contacts(contacts, before_back, contact);
  link_contacts(contacts, before, back);
  leave_ring(contacts, contact);
  leave_ring(contacts, back);

  remove_if_repeated(m, before);
  remove_if_repeated(m, before_back);
  for (uint32_t number = less->naming; number != 0; number = contacts[number].next_naming) {
    if (contacts[number].is_gone) continue;
    remove_if_repeated(m, contacts[number].before);
    remove_if_repeated(m, number);
  }
  *end = more->naming;
  more->naming = less->naming;
}

/* Merges the region if it is small or touches no wall. Returns true if it did. */
static bool visit_region(Merger *m, uint32_t region) {
  if (m->records[region].cells == 0 || m->stacks->groups[region].is_overlapping) return false;
  const uint32_t label = m->label[region];
  const Group *const group = &m->groups[label];
  if (group->has_wall && m->records[region].cells > m->merge_region_cells) return false;
  while (m->contacts[group->root].least != NEVER) {
    const uint32_t number = find_least(m->contacts, group->root);
    const uint32_t value = m->contacts[number].value, into = m->groups[value].record;
    const uint32_t cells = m->records[into].cells;
    const Pair *const pair = find_pair(m, label, value), *const back = find_pair(m, value, label);
    if (pair->count > 1 || back->count > 1) {
      set_key(m, number, NEVER);
    } else if (m->contacts[number].key < cells) {
      set_key(m, number, cells);
    } else if (wm_stacks_meet(m->stacks, region, into, false)) {
      set_key(m, number, NEVER);
    } else if (back->count == 0) {
      return false; /* after further merges another neighbour may be the smallest */
    } else {
      merge_groups(m, number, back->contacts);
      return true;
    }
  }
  return false;
}

/* True if the table counts the contacts that are left, and no others: for builds with WM_ASSERTS. */
static bool are_pairs_exact(const Merger *m) {
  uint32_t left = 0, counted = 0;
  for (uint32_t number = 1; number <= m->contact_count; number++) left += !m->contacts[number].is_gone;
  for (uint32_t slot = 0; slot <= m->pair_mask; slot++) counted += m->pairs[slot].count;
  return left == counted;
}

WmStatus wm_merge_outlines(WmContext *context, const WmRegionSettings *settings, const WmOutlines *outlines,
                           WmStacks *stacks) {
  const WmScratchMark mark = wm_scratch_mark(context);
  const int32_t merge_cells = settings->merge_region_cells;
  Merger m = {.outlines = outlines,
              .records = outlines->records,
              .record_count = outlines->record_count,
              .stacks = stacks,
              .merge_region_cells = merge_cells > 0 ? (uint32_t)merge_cells : 0};
  for (uint32_t record = 1; record < m.record_count; record++) {
    if (m.records[record].cells > 0 && m.records[record].next_of_island == 0)
      visit_island(&m, record, settings->min_region_cells);
  }
  bool has_merged = gather_all_contacts(context, &m);
  const WmStatus status = has_merged ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  while (has_merged) {
    has_merged = false;
    for (uint32_t record = 1; record < m.record_count; record++) has_merged |= visit_region(&m, record);
  }
  if (!status) WM_VALIDATE(are_pairs_exact(&m));
  wm_scratch_rewind(context, mark);
  return status;
}

WmStatus wm_merge_regions(WmContext *context, const WmCompactHeightfield *compact,
                          const WmRegionSettings *settings, int32_t square_cells, uint32_t next_number,
                          uint16_t *span_region, uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(context);
  WmOutlines outlines;
  WmStacks stacks;
  WmStatus status =
      wm_outlines_gather(context, compact, span_region, next_number + 1, square_cells, &outlines);
  if (!status) status = wm_stacks_gather(context, compact, span_region, next_number + 1, &stacks);
  if (!status) status = wm_merge_outlines(context, settings, &outlines, &stacks);
  if (!status) status = wm_stacks_renumber(context, &stacks, compact, span_region, region_count);
  wm_scratch_rewind(context, mark);
  return status;
}
