/* Raw regions by watershed: basins of the distance field, flooded from the top down.
 *
 * Levels sink by two. On each level existing regions first grow, in at most eight synchronous rounds, over
 * spans at least as far from borders as the level; then every span left starts a region and floods it, unless
 * it touches another region. What could not be flooded waits for the next level.
 *
 * Sources: L. Vincent, P. Soille, "Watersheds in Digital Spaces" (1991); D. Haumont, O. Debeir, F. Sillion,
 * "Volumetric Cell-and-Portal Generation" (2003). How this differs from the usual code, with equal results:
 * spans are sorted by level once; a span's region and seed distance are one word; rounds after the first look
 * only at spans next to those that changed in the round before, or at the few that are left, whichever are
 * fewer; where the distance is 3 or more, all eight neighbours exist and have the span's area, so that
 * nothing about them is tested.
 *
 * State of a span: seed distance << 16 | region. Spans without a region have seed distance 0xffff, so that
 * "the neighbour with the smallest seed distance" needs no other test. */
#include "bake/regions_internal.h"

#include <string.h>

#include "base/sort.h"

enum { ROUNDS_PER_LEVEL = 8, SLOTS = 8, LARGEST_SEED_DISTANCE = 0xfffe };

#define STATE_FREE UINT32_C(0xffff0000)   /* walkable, no region yet */
#define STATE_QUEUED UINT32_C(0xffff7ffe) /* free, and already among the candidates of this round */
#define STATE_NULL UINT32_C(0xffff7fff)   /* not walkable */
#define STATE_BORDER UINT32_C(0xffff8000) /* | number: border region */

typedef struct Watershed {
  WmContext *context;
  const WmCompactHeightfield *compact;
  const uint32_t *neighbour;
  const uint8_t *area;
  const uint16_t *distance;
  uint32_t *state; /* [span_count] */

  /* Spans that link to a span, where that is not the same as those it links to; otherwise NULL. */
  const uint32_t *reverse_first; /* [span_count + 1] */
  const uint32_t *reverse;

  uint32_t *sorted;      /* walkable spans without border, by level from 0 up, each level ascending */
  uint32_t *level_first; /* [level_count + 1] */
  uint32_t level_count;

  uint32_t *open; /* [capacity] spans of the level without a region, in the order of seeding */
  uint32_t open_count;
  uint32_t *spare;    /* [capacity] takes the next `open` */
  uint32_t *frontier; /* [capacity] spans that got a region in the last round */
  uint32_t frontier_count;
  uint32_t *gaining; /* [capacity] spans that get one in this round */
  uint32_t *gained;  /* [capacity] and their new states */
  uint32_t gaining_count;
  uint32_t capacity;

  uint32_t *stack; /* [stack_capacity] of floods */
  uint32_t stack_capacity;
} Watershed;

static inline uint32_t region_of(uint32_t state) { return state & 0xffff; }

/* ---- Growing
 * ----------------------------------------------------------------------------------------------- */

/* The state a free span gets from its neighbours: the nearest seed's, the first direction on ties; STATE_FREE
 * where none has a region. */
static inline uint32_t pull_state(const Watershed *w, uint32_t span) {
  const uint32_t *link = w->neighbour + 4 * (size_t)span;
  uint32_t best = STATE_FREE;
  if (w->distance[span] >= 3) {
    for (int d = 0; d < 4; d++) {
      const uint32_t state = w->state[link[d]];
      if (state >> 16 < best >> 16) best = state;
    }
  } else {
    for (int d = 0; d < 4; d++) {
      if (link[d] == WM_NO_SPAN || w->area[link[d]] != w->area[span]) continue;
      const uint32_t state = w->state[link[d]];
      if (state >> 16 < best >> 16) best = state;
    }
  }
  if (best == STATE_FREE) return STATE_FREE;
  /* Saturated: a seed distance beyond it would take a corridor of 32767 cells. */
  const uint32_t seed_distance = (best >> 16) + 2;
  return (seed_distance < LARGEST_SEED_DISTANCE ? seed_distance : LARGEST_SEED_DISTANCE) << 16 |
         region_of(best);
}

/* Looks at every free span of the list; writes those that gain nothing to `rest` (which may be the list). */
static uint32_t pull_list(Watershed *w, const uint32_t *list, uint32_t count, uint32_t *rest) {
  uint32_t rest_count = 0, gaining_count = w->gaining_count;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t span = list[i];
    if (w->state[span] != STATE_FREE) continue;
    const uint32_t state = pull_state(w, span);
    if (state == STATE_FREE) {
      rest[rest_count++] = span;
    } else {
      w->gaining[gaining_count] = span;
      w->gained[gaining_count++] = state;
    }
  }
  w->gaining_count = gaining_count;
  return rest_count;
}

static inline void queue_span(Watershed *w, uint32_t span, uint32_t area, uint32_t level) {
  if (w->state[span] != STATE_FREE || w->distance[span] < level || w->area[span] != area) return;
  w->state[span] = STATE_QUEUED;
  w->gaining[w->gaining_count++] = span;
}

/* Looks only at free spans that link to the frontier. They and no others gain a region: a span with an older
 * region next to it would have gained one in an earlier round. */
static void push_frontier(Watershed *w, uint32_t level) {
  for (uint32_t i = 0; i < w->frontier_count; i++) {
    const uint32_t span = w->frontier[i], area = w->area[span];
    if (w->reverse) {
      for (uint32_t k = w->reverse_first[span]; k < w->reverse_first[span + 1]; k++) {
        queue_span(w, w->reverse[k], area, level);
      }
    } else {
      const uint32_t *link = w->neighbour + 4 * (size_t)span;
      for (int d = 0; d < 4; d++) {
        if (link[d] != WM_NO_SPAN) queue_span(w, link[d], area, level);
      }
    }
  }
  for (uint32_t i = 0; i < w->gaining_count; i++) w->gained[i] = pull_state(w, w->gaining[i]);
}

/* Ends a round: what was gained becomes visible, and the frontier of the next round. */
static void apply_round(Watershed *w) {
  for (uint32_t i = 0; i < w->gaining_count; i++) w->state[w->gaining[i]] = w->gained[i];
  uint32_t *swap = w->frontier;
  w->frontier = w->gaining;
  w->frontier_count = w->gaining_count;
  w->gaining = swap;
  w->gaining_count = 0;
}

/* The rounds after the first. Leaves spans with a region in `open`. */
static void grow_further(Watershed *w, uint32_t level, uint32_t rounds) {
  uint32_t left = w->open_count;
  for (uint32_t round = 1; round < rounds && left > 0 && w->frontier_count > 0; round++) {
    if (w->open_count <= 2 * w->frontier_count) {
      w->open_count = left = pull_list(w, w->open, w->open_count, w->open);
    } else {
      push_frontier(w, level);
      left -= w->gaining_count;
    }
    apply_round(w);
  }
}

/* Merges the ascending runs [0, split) and [split, open_count) of `open`. */
static void merge_open(Watershed *w, uint32_t split) {
  uint32_t a = 0, b = split, *merged = w->gaining;
  for (uint32_t i = 0; i < w->open_count; i++) {
    const bool take_first = b == w->open_count || (a < split && w->open[a] < w->open[b]);
    merged[i] = take_first ? w->open[a++] : w->open[b++];
  }
  w->gaining = w->open;
  w->open = merged;
}

/* Grows regions over the given spans and those left from levels above; `open` holds the rest in this order,
 * or by span number if both lists are. */
static void grow_regions(Watershed *w, const uint32_t *spans, uint32_t count, uint32_t level, uint32_t rounds,
                         bool by_number) {
  const uint32_t split = pull_list(w, spans, count, w->spare);
  const uint32_t rest_count = split + pull_list(w, w->open, w->open_count, w->spare + split);
  uint32_t *swap = w->open;
  w->open = w->spare;
  w->spare = swap;
  w->open_count = rest_count;
  apply_round(w);
  if (by_number && split < rest_count) merge_open(w, split);
  grow_further(w, level, rounds);
}

/* ---- Flooding
 * ------------------------------------------------------------------------------------------------ */

static inline uint32_t is_foreign(uint32_t state, uint32_t number) {
  const uint32_t region = region_of(state);
  return (uint32_t)(region != 0) & (uint32_t)(region != number);
}

/* Whether the span touches another region: directly, or across a corner reached over a neighbour of its area
 * that is no border. A border region counts at the corner only. */
static bool is_blocked(const Watershed *w, uint32_t span, uint32_t number) {
  const uint32_t *link = w->neighbour + 4 * (size_t)span;
  for (int d = 0; d < 4; d++) {
    const uint32_t direct = link[d];
    if (direct == WM_NO_SPAN || w->area[direct] != w->area[span]) continue;
    if (w->state[direct] & WM_REGION_BORDER) continue;
    if (is_foreign(w->state[direct], number)) return true;
    const uint32_t corner = w->neighbour[4 * (size_t)direct + (size_t)((d + 1) & 3)];
    if (corner == WM_NO_SPAN || w->area[corner] != w->area[span]) continue;
    if (is_foreign(w->state[corner], number)) return true;
  }
  return false;
}

/* A quick "no" to is_blocked for spans whose eight neighbours all exist. */
static inline bool may_be_blocked(const Watershed *w, uint32_t span, uint32_t number) {
  const uint32_t *link = w->neighbour + 4 * (size_t)span;
  uint32_t foreign = 0;
  for (int d = 0; d < 4; d++) {
    const uint32_t corner = w->neighbour[4 * (size_t)link[d] + (size_t)((d + 1) & 3)];
    foreign |= is_foreign(w->state[link[d]], number) | is_foreign(w->state[corner], number);
  }
  return foreign != 0;
}

static bool reserve_stack(Watershed *w, uint32_t count) {
  if (count <= w->stack_capacity) return true;
  const uint32_t capacity = 2 * w->stack_capacity;
  uint32_t *stack = wm_scratch_grow(w->context, w->stack, w->stack_capacity, capacity, sizeof *stack);
  if (!stack) return false;
  w->stack = stack;
  w->stack_capacity = capacity;
  return true;
}

/* Gives `number` to all free spans at `floor_distance` or more that can be reached from the seed over spans
 * not blocked. Blockedness cannot change meanwhile, so the order of the walk does not matter. A span is on
 * the stack at most once: it carries the number while it is there. */
static WmStatus flood(Watershed *w, uint32_t seed, uint32_t number, uint32_t floor_distance,
                      bool *has_grown) {
  uint32_t count = 0;
  *has_grown = false;
  w->stack[count++] = seed;
  w->state[seed] = number;
  while (count > 0) {
    const uint32_t span = w->stack[--count];
    const bool is_inside = w->distance[span] >= 3;
    if ((!is_inside || may_be_blocked(w, span, number)) && is_blocked(w, span, number)) {
      w->state[span] = STATE_FREE;
      continue;
    }
    *has_grown = true;
    if (!reserve_stack(w, count + 4)) return WM_ERROR_OUT_OF_MEMORY;
    const uint32_t *link = w->neighbour + 4 * (size_t)span;
    for (int d = 0; d < 4; d++) {
      const uint32_t next = link[d];
      if (!is_inside && (next == WM_NO_SPAN || w->area[next] != w->area[span])) continue;
      if (w->state[next] != STATE_FREE || w->distance[next] < floor_distance) continue;
      w->state[next] = number;
      w->stack[count++] = next;
    }
  }
  return WM_OK;
}

/* Floods from the open spans in order; those still without a region stay open. */
static WmStatus seed_level(Watershed *w, uint32_t level, uint32_t *next_number) {
  const uint32_t floor_distance = level > 2 ? level - 2 : 0;
  for (uint32_t i = 0; i < w->open_count; i++) {
    const uint32_t span = w->open[i];
    if (w->state[span] != STATE_FREE) continue;
    bool has_grown = false;
    /* The number may be one too many: it is refused when a span takes it. */
    if (flood(w, span, *next_number, floor_distance, &has_grown)) return WM_ERROR_OUT_OF_MEMORY;
    if (!has_grown) continue;
    if (*next_number > WM_REGION_LIMIT) return wm_fail_region_limit(w->context);
    ++*next_number;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->open_count; i++) {
    if (w->state[w->open[i]] == STATE_FREE) w->open[count++] = w->open[i];
  }
  w->open_count = count;
  return WM_OK;
}

/* ---- Levels
 * ------------------------------------------------------------------------------------------------- */

/* Makes room for a level of so many spans and those still open. */
static WmStatus reserve_lists(Watershed *w, uint32_t count) {
  const uint32_t needed = count + w->open_count;
  if (needed <= w->capacity && w->open) return WM_OK;
  const uint32_t capacity = needed + needed / 2;
  uint32_t *open = wm_scratch_grow(w->context, w->open, w->capacity, capacity, sizeof *open);
  if (!open) return WM_ERROR_OUT_OF_MEMORY;
  w->open = open;
  w->spare = wm_scratch_array(w->context, capacity, sizeof *w->spare);
  w->frontier = wm_scratch_array(w->context, capacity, sizeof *w->frontier);
  w->gaining = wm_scratch_array(w->context, capacity, sizeof *w->gaining);
  w->gained = wm_scratch_array(w->context, capacity, sizeof *w->gained);
  if (!w->spare || !w->frontier || !w->gaining || !w->gained) return WM_ERROR_OUT_OF_MEMORY;
  w->capacity = capacity;
  return WM_OK;
}

/* Orders the spans left from levels above by number. They are few: only blocked spans stay open. */
static WmStatus sort_open(Watershed *w) {
  if (w->open_count < 2) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(w->context);
  WmSortItem *items = wm_scratch_array(w->context, w->open_count, sizeof *items);
  WmSortItem *scratch = wm_scratch_array(w->context, w->open_count, sizeof *scratch);
  if (items && scratch) {
    for (uint32_t i = 0; i < w->open_count; i++) items[i] = (WmSortItem){w->open[i], 0};
    wm_sort_stable(items, scratch, w->open_count);
    for (uint32_t i = 0; i < w->open_count; i++) w->open[i] = items[i].key;
  }
  wm_scratch_rewind(w->context, mark);
  return items && scratch ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

static WmStatus sink_levels(Watershed *w, uint32_t *next_number) {
  for (uint32_t sunk = 0; sunk < w->level_count; sunk++) {
    const uint32_t k = w->level_count - 1 - sunk, level = 2 * k;
    const uint32_t count = w->level_first[k + 1] - w->level_first[k];
    /* Every eighth level, the original collects its list afresh: then it is in the order of spans. */
    const bool by_number = sunk % SLOTS == 0;
    WmStatus status = reserve_lists(w, count);
    if (!status && by_number) status = sort_open(w);
    if (status) return status;
    grow_regions(w, w->sorted + w->level_first[k], count, level, level > 0 ? ROUNDS_PER_LEVEL : UINT32_MAX,
                 by_number);
    status = seed_level(w, level, next_number);
    if (status) return status;
  }
  if (w->open_count > 0) grow_regions(w, w->sorted, 0, 0, UINT32_MAX, false);
  return WM_OK;
}

/* ---- Set-up
 * ----------------------------------------------------------------------------------------------------- */

static uint32_t sorting_level(const Watershed *w, uint32_t span) {
  const uint32_t level = w->distance[span] / 2u;
  return level < w->level_count ? level : w->level_count - 1;
}

/* Counting sort of the free spans by level. Spans above the highest level belong to the first round. */
static WmStatus sort_spans(Watershed *w) {
  const uint32_t span_count = w->compact->span_count;
  w->sorted = wm_scratch_array(w->context, span_count, sizeof *w->sorted);
  w->level_first = wm_scratch_zeroed(w->context, (size_t)w->level_count + 2, sizeof *w->level_first);
  if (!w->sorted || !w->level_first) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t *const counts = w->level_first + 2, *const next = w->level_first + 1;
  for (uint32_t span = 0; span < span_count; span++) {
    if (w->state[span] == STATE_FREE) counts[sorting_level(w, span)]++;
  }
  for (uint32_t level = 0; level < w->level_count; level++) counts[level] += next[level];
  for (uint32_t span = 0; span < span_count; span++) {
    if (w->state[span] == STATE_FREE) w->sorted[next[sorting_level(w, span)]++] = span;
  }
  return WM_OK;
}

/* Lists, for every span, the spans that link to it. */
static WmStatus reverse_links(Watershed *w) {
  const size_t span_count = w->compact->span_count, link_count = 4 * span_count;
  uint32_t *first = wm_scratch_zeroed(w->context, span_count + 2, sizeof *first);
  uint32_t *reverse = wm_scratch_array(w->context, link_count, sizeof *reverse);
  if (!first || !reverse) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < link_count; i++) {
    if (w->neighbour[i] != WM_NO_SPAN) first[(size_t)w->neighbour[i] + 2]++;
  }
  for (size_t span = 0; span < span_count; span++) first[span + 2] += first[span + 1];
  for (size_t i = 0; i < link_count; i++) {
    if (w->neighbour[i] != WM_NO_SPAN) reverse[first[(size_t)w->neighbour[i] + 1]++] = (uint32_t)(i / 4);
  }
  w->reverse_first = first;
  w->reverse = reverse;
  return WM_OK;
}

static WmStatus create_watershed(Watershed *w, const uint16_t *span_region) {
  const uint32_t span_count = w->compact->span_count;
  w->state = wm_scratch_array(w->context, span_count, sizeof *w->state);
  w->stack_capacity = 1024;
  if (!w->state) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t span = 0; span < span_count; span++) {
    const uint32_t region = span_region[span];
    const uint32_t walkable = region ? STATE_BORDER | region : STATE_FREE;
    w->state[span] = w->area[span] == WM_AREA_NULL ? STATE_NULL : walkable;
  }
  WmStatus status = sort_spans(w);
  if (!status && !w->compact->links_are_symmetric) status = reverse_links(w);
  if (status) return status;
  uint32_t largest = 0;
  for (uint32_t level = 0; level < w->level_count; level++) {
    const uint32_t count = w->level_first[level + 1] - w->level_first[level];
    if (count > largest) largest = count;
  }
  w->capacity = 0;
  status = reserve_lists(w, largest);
  w->stack = wm_scratch_array(w->context, w->stack_capacity, sizeof *w->stack);
  return status || !w->stack ? WM_ERROR_OUT_OF_MEMORY : WM_OK;
}

WmStatus wm_partition_watershed(WmContext *context, const WmCompactHeightfield *compact,
                                const WmDistanceField *distance, uint32_t first_number, uint16_t *span_region,
                                uint32_t *next_number) {
  *next_number = first_number;
  Watershed w = {.context = context,
                 .compact = compact,
                 .neighbour = compact->span_neighbour,
                 .area = compact->span_area,
                 .distance = distance->span_distance,
                 .level_count = (distance->max_distance + 1u) / 2};
  if (w.level_count == 0) return WM_OK; /* nowhere two cells from a border: no region starts */
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = create_watershed(&w, span_region);
  if (!status) status = sink_levels(&w, next_number);
  for (uint32_t span = 0; !status && span < compact->span_count; span++) {
    const uint32_t state = w.state[span];
    span_region[span] = state == STATE_FREE || state == STATE_NULL ? 0 : (uint16_t)region_of(state);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
