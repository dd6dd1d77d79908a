/* Raw regions by watershed: basins of the distance field, flooded from the top down.
 *
 * Levels sink by two. On each level existing regions first grow, in at most eight synchronous rounds, over
 * spans at least as far from borders as the level; then every span left starts a region and floods it, unless
 * it touches another region. What could not be flooded waits for the next level.
 *
 * Sources: L. Vincent, P. Soille, "Watersheds in Digital Spaces" (1991); D. Haumont, O. Debeir, F. Sillion,
 * "Volumetric Cell-and-Portal Generation" (2003). How this differs from the usual code, with equal results:
 * spans are sorted by level once, the lowest first, so that what a level leaves stands right behind the
 * spans of the next; all that is known of a span is one word; rounds after the first look only at spans next
 * to those that changed in the round before, or at those that are left, whichever are fewer.
 *
 * Reads links as signed: "no span" is then -1, and the word before the first span's says that there is
 * nothing. Links between areas are cut in a copy where the field has several areas. */
#include <string.h>

#include "bake/regions_internal.h"
#include "base/simd.h"
#include "base/sort.h"

enum { ROUNDS_PER_LEVEL = 8, LEVELS_PER_SORT = 8 };

/* The word of a span. With a region: seed distance / 2 << 15 | region. All others are larger, so that "the
 * neighbour with the smallest seed distance" needs no other test. */
#define SEED_STEP UINT32_C(0x8000)
#define LAST_SEED_DISTANCE UINT32_C(0x3fff8000) /* saturated: beyond it, a corridor of 32767 cells */
#define STATE_PENDING UINT32_C(0x40000000)      /* + state: gained in this round, and not visible yet */
#define STATE_NULL UINT32_C(0x80000000)         /* not walkable, or no span */
#define STATE_BORDER UINT32_C(0x80000001)
#define STATE_FREE UINT32_C(0xc0000000)   /* + distance: no region yet */
#define STATE_QUEUED UINT32_C(0xe0000000) /* free, and already among the candidates of this round */

typedef struct Watershed {
  const WmCompactHeightfield *compact;
  const uint16_t *distance;
  const int32_t *links;  /* [span_count][4] within areas; -1 = none */
  uint32_t *state;       /* [-1 .. span_count - 1] */
  uint32_t *order;       /* [free_count] free spans by level from 0 up, each level ascending */
  uint32_t *level_first; /* [level_count + 1] */
  uint32_t level_count;
  bool has_areas; /* several */

  int32_t *ordered; /* [free_count][4] links of ordered spans: read from here on the span's level, not
                       here and there in memory */

  uint32_t *frontier; /* [free_count] spans that got a region in the last round; the stack of floods */
  uint32_t frontier_count;
  uint32_t *gained; /* [free_count] spans that get one in this round */
  uint32_t gained_count;
} Watershed;

/* ---- Growing ------------------------------------------------------------------------------------------- */

WM_INLINE bool has_region(uint32_t state) { return state < STATE_PENDING; }

/* The state with the smaller seed distance, the first one on ties. */
WM_INLINE uint32_t nearer_state(uint32_t first, uint32_t second) {
  return second < (first & ~(SEED_STEP - 1)) ? second : first;
}

/* The state of the neighbour with the nearest seed, the first direction's on ties. */
WM_INLINE uint32_t nearest_state(const uint32_t *state, const int32_t *link) {
  return nearer_state(nearer_state(state[link[0]], state[link[1]]),
                      nearer_state(state[link[2]], state[link[3]]));
}

/* What a free span gets from such a neighbour. */
WM_INLINE uint32_t pending_state(uint32_t state) {
  return STATE_PENDING + state + (state < LAST_SEED_DISTANCE ? SEED_STEP : 0);
}

/* Looks at all spans of a list, the first `fresh` of which are where they were ordered: those that gain a
 * region get its pending state. Keeps those that gain nothing and are free; returns their number. */
WM_NOINLINE static uint32_t scan_list(Watershed *w, uint32_t *list, uint32_t count, uint32_t fresh) {
  uint32_t *const gained = w->gained;
  uint32_t *const states = w->state;
  const int32_t *ordered = w->ordered + (fresh > 0 ? 4 * (list - w->order) : 0);
  uint32_t kept = 0, gains = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t span = list[i];
    if (states[span] < STATE_FREE) continue;
    const uint32_t state =
        nearest_state(states, i < fresh ? ordered + 4 * (size_t)i : w->links + 4 * (size_t)span);
    if (has_region(state)) {
      states[span] = pending_state(state);
      gained[gains++] = span;
    } else {
      list[kept++] = span;
    }
  }
  w->gained_count = gains;
  return kept;
}

/* Collects, as if gained, the free spans that link to the frontier, given symmetric links. They and no others
 * gain a region: a span with an older region next to it would have gained one in an earlier round. Returns
 * their number. */
static uint32_t queue_neighbours(Watershed *w, uint32_t level) {
  const uint32_t lowest = STATE_FREE + level;
  uint32_t *const states = w->state;
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->frontier_count; i++) {
    const int32_t *link = w->links + 4 * (size_t)w->frontier[i];
    for (uint32_t d = 0; d < 4; d++) {
      if (states[link[d]] - lowest >= STATE_QUEUED - lowest) continue;
      states[link[d]] = STATE_QUEUED;
      w->gained[count++] = (uint32_t)link[d];
    }
  }
  return count;
}

/* Grows regions, in at most so many rounds, over the spans of the list, which are all the free ones at
 * `level` or above. Returns how many of them are listed in the end; some may have got a region. */
static uint32_t grow_regions(Watershed *w, uint32_t *list, uint32_t count, uint32_t fresh, uint32_t level,
                             uint32_t rounds) {
  w->frontier_count = count; /* a scan, first */
  for (uint32_t round = 0; round < rounds && w->frontier_count > 0; round++) {
    if (count <= 2 * w->frontier_count || !w->compact->links_are_symmetric) {
      count = scan_list(w, list, count, fresh);
      fresh = 0; /* the list is another now */
    } else {
      scan_list(w, w->gained, queue_neighbours(w, level), 0);
    }
    uint32_t *const gained = w->gained;
    w->gained = w->frontier;
    w->frontier = gained;
    w->frontier_count = w->gained_count;
    for (uint32_t i = 0; i < w->frontier_count; i++) w->state[gained[i]] -= STATE_PENDING;
  }
  return count;
}

/* ---- Flooding ------------------------------------------------------------------------------------------ */

/* Whether the span touches another region: directly, or across a corner reached over a neighbour that is no
 * border. A border region counts at the corner only. */
static bool is_blocked(const Watershed *w, uint32_t span, uint32_t number) {
  const int32_t *link = w->links + 4 * (size_t)span;
  for (uint32_t d = 0; d < 4; d++) {
    const uint32_t direct = w->state[link[d]];
    if (has_region(direct)) {
      if ((direct & (SEED_STEP - 1)) != number) return true;
    } else if (direct < STATE_FREE) {
      continue;
    }
    const uint32_t corner = w->state[w->links[4 * (size_t)link[d] + ((d + 1) & 3)]];
    if (has_region(corner) ? (corner & (SEED_STEP - 1)) != number : corner == STATE_BORDER) return true;
  }
  return false;
}

/* Gives `number` to all free spans at `lowest` or above that can be reached from the seed over spans not
 * blocked; returns whether there is any. Blockedness cannot change meanwhile, so the order of the walk does
 * not matter. A span is on the stack at most once: it carries the number while it is there. */
static bool flood(Watershed *w, uint32_t seed, uint32_t number, uint32_t lowest) {
  uint32_t *const stack = w->frontier, *const states = w->state;
  uint32_t count = 1;
  bool has_grown = false;
  stack[0] = seed;
  states[seed] = number;
  while (count > 0) {
    const uint32_t span = stack[--count];
    if (is_blocked(w, span, number)) {
      states[span] = STATE_FREE + w->distance[span];
      continue;
    }
    has_grown = true;
    const int32_t *link = w->links + 4 * (size_t)span;
    for (uint32_t d = 0; d < 4; d++) {
      if (states[link[d]] < lowest) continue;
      states[link[d]] = number;
      stack[count++] = (uint32_t)link[d];
    }
  }
  return has_grown;
}

/* Floods from the spans of the list in order, and keeps those that are still free. */
static WmStatus seed_regions(WmContext *context, Watershed *w, uint32_t *list, uint32_t *count,
                             uint32_t level, uint32_t *next_number) {
  const uint32_t lowest = STATE_FREE + (level > 2 ? level - 2 : 0);
  for (uint32_t i = 0; i < *count; i++) {
    if (w->state[list[i]] < STATE_FREE || !flood(w, list[i], *next_number, lowest)) continue;
    /* The number may be one too many: it is refused when a span has taken it. */
    if (*next_number > WM_REGION_LIMIT) return wm_fail_region_limit(context);
    ++*next_number;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++) {
    list[kept] = list[i];
    kept += w->state[list[i]] >= STATE_FREE;
  }
  *count = kept;
  return WM_OK;
}

/* ---- Levels -------------------------------------------------------------------------------------------- */

WM_COLD static WmStatus sort_list(WmContext *context, uint32_t *list, uint32_t count) {
  const WmScratchMark mark = wm_scratch_mark(context);
  WmSortItem *items = wm_scratch_array(context, 2 * (size_t)count, sizeof *items);
  if (items) {
    for (uint32_t i = 0; i < count; i++) items[i].key = list[i];
    wm_sort_stable(items, items + count, count);
    for (uint32_t i = 0; i < count; i++) list[i] = items[i].key;
  }
  wm_scratch_rewind(context, mark);
  return items ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

static WmStatus sink_levels(WmContext *context, Watershed *w, uint32_t *next_number) {
  uint32_t left = 0;
  for (uint32_t sunk = 0; sunk < w->level_count; sunk++) {
    const uint32_t k = w->level_count - 1 - sunk, level = 2 * k;
    uint32_t *list = w->order + w->level_first[k];
    const bool is_mixed = left > 0;
    const uint32_t fresh = w->level_first[k + 1] - w->level_first[k];
    left = grow_regions(w, list, left + fresh, fresh, level, level > 0 ? ROUNDS_PER_LEVEL : UINT32_MAX);
    /* Every eighth level, the original collects its list afresh: then it is in the order of spans. */
    WmStatus status = is_mixed && sunk % LEVELS_PER_SORT == 0 ? sort_list(context, list, left) : WM_OK;
    if (!status) status = seed_regions(context, w, list, &left, level, next_number);
    if (status) return status;
  }
  grow_regions(w, w->order, left, 0, 0, UINT32_MAX);
  return WM_OK;
}

/* ---- Set-up -------------------------------------------------------------------------------------------- */

/* Sets the states at the start, and counts free spans of levels two places up in level_first. */
static void count_levels(Watershed *w, const uint16_t *span_region) {
  const uint32_t span_count = w->compact->span_count, top_level = w->level_count - 1;
  const uint16_t *const distance = w->distance;
  const uint8_t *const area = w->compact->span_area;
  uint32_t *const states = w->state, *const counts = w->level_first + 2;
  uint32_t any_area = 0;
  states[-1] = STATE_NULL;
  for (uint32_t span = 0; span < span_count; span++) {
    states[span] = STATE_NULL;
    if (area[span] == WM_AREA_NULL) continue;
    if (any_area == 0) any_area = area[span];
    w->has_areas |= area[span] != any_area;
    states[span] = STATE_BORDER;
    if (span_region[span] != 0) continue;
    const uint32_t level = distance[span] / 2u;
    states[span] = STATE_FREE + distance[span];
    counts[level < top_level ? level : top_level]++;
  }
  for (uint32_t level = 1; level < w->level_count; level++) counts[level] += counts[level - 1];
}

/* Places the free spans where their levels are in `order`; level_first, one place up until now, comes into
 * its own. */
static void place_spans(Watershed *w) {
  const uint32_t span_count = w->compact->span_count, top_level = w->level_count - 1;
  const uint32_t *const states = w->state;
  uint32_t *const order = w->order, *const next = w->level_first + 1;
  for (uint32_t span = 0; span < span_count; span++) {
    if (states[span] < STATE_FREE) continue;
    const uint32_t level = (states[span] - STATE_FREE) / 2;
    const uint32_t place = next[level < top_level ? level : top_level]++;
    order[place] = span;
    memcpy(w->ordered + 4 * (size_t)place, w->links + 4 * (size_t)span, 4 * sizeof *w->links);
  }
}

WM_COLD static bool cut_links(WmContext *context, Watershed *w) {
  const size_t link_count = 4 * (size_t)w->compact->span_count;
  const uint8_t *const area = w->compact->span_area;
  int32_t *const links = wm_scratch_array(context, link_count, sizeof *links);
  if (!links) return false;
  for (size_t i = 0; i < link_count; i++) {
    const int32_t link = w->links[i];
    links[i] = link >= 0 && area[link] == area[i / 4] ? link : -1;
  }
  w->links = links;
  return true;
}

WM_COLD static WmStatus create_watershed(WmContext *context, Watershed *w, const uint16_t *span_region) {
  w->state = wm_scratch_array(context, (size_t)w->compact->span_count + 1, sizeof *w->state);
  w->level_first = wm_scratch_zeroed(context, (size_t)w->level_count + 2, sizeof *w->level_first);
  if (!w->state || !w->level_first) return WM_ERROR_OUT_OF_MEMORY;
  w->state++;
  count_levels(w, span_region);
  const uint32_t free_count = w->level_first[w->level_count + 1];
  w->order = wm_scratch_array(context, free_count, 7 * sizeof *w->order);
  if (!w->order || (w->has_areas && !cut_links(context, w))) return WM_ERROR_OUT_OF_MEMORY;
  w->frontier = w->order + free_count;
  w->gained = w->frontier + free_count;
  w->ordered = (int32_t *)(w->gained + free_count);
  place_spans(w);
  return WM_OK;
}

WmStatus wm_partition_watershed(WmContext *context, const WmCompactHeightfield *compact,
                                const WmDistanceField *distance, uint32_t first_number, uint16_t *span_region,
                                uint32_t *next_number) {
  *next_number = first_number;
  Watershed w = {.compact = compact,
                 .links = (const int32_t *)compact->span_neighbour,
                 .distance = distance->span_distance,
                 .level_count = (distance->max_distance + 1u) / 2};
  if (w.level_count == 0) return WM_OK; /* nowhere two cells from a border: no region starts */
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = create_watershed(context, &w, span_region);
  if (!status) status = sink_levels(context, &w, next_number);
  for (uint32_t span = 0; !status && span < compact->span_count; span++) {
    if (has_region(w.state[span])) span_region[span] = w.state[span] & (SEED_STEP - 1);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
