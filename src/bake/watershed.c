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
 * floods test nothing about them.
 *
 * The distances must be those of this field's links and areas (wm_build_distance_field): that a span at
 * distance 3 or more has eight neighbours is not tested again. */
#include "bake/watershed_internal.h"

#include "base/simd.h"
#include "base/sort.h"

enum { ROUNDS_PER_LEVEL = 8, SLOTS = 8 };

/* ---- Flooding ------------------------------------------------------------------------------------------ */

static inline uint32_t is_foreign(uint32_t state, uint32_t number) {
  const uint32_t region = region_of(state);
  return (uint32_t)(region != 0) & (uint32_t)(region != number);
}

/* Whether the span touches another region: directly, or across a corner reached over a neighbour of its area
 * that is no border. A border region counts at the corner only. */
static bool is_blocked(const WmWatershed *w, uint32_t span, uint32_t number) {
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
static inline bool may_be_blocked(const WmWatershed *w, uint32_t span, uint32_t number) {
  const uint32_t *link = w->neighbour + 4 * (size_t)span;
  uint32_t foreign = 0;
  for (int d = 0; d < 4; d++) {
    const uint32_t corner = w->neighbour[4 * (size_t)link[d] + (size_t)((d + 1) & 3)];
    foreign |= is_foreign(w->state[link[d]], number) | is_foreign(w->state[corner], number);
  }
  return foreign != 0;
}

static bool reserve_stack(WmWatershed *w, uint32_t count) {
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
static WmStatus flood(WmWatershed *w, uint32_t seed, uint32_t number, uint32_t floor_distance,
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
static WmStatus seed_level(WmWatershed *w, uint32_t level, uint32_t *next_number) {
  const uint32_t floor_distance = level > 2 ? level - 2 : 0;
  for (uint32_t i = 0; i < w->open_count; i++) {
    const uint32_t span = w->open[i].span;
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
    if (w->state[w->open[i].span] == STATE_FREE) w->open[count++] = w->open[i];
  }
  w->open_count = count;
  return WM_OK;
}

/* ---- Levels -------------------------------------------------------------------------------------------- */

/* Makes room for a level of so many spans and those still open. */
static WmStatus reserve_lists(WmWatershed *w, uint32_t count) {
  const uint32_t needed = count + w->open_count;
  if (needed <= w->capacity && w->open) return WM_OK;
  const uint32_t capacity = needed + needed / 2;
  WmLevelSpan *open = wm_scratch_grow(w->context, w->open, w->capacity, capacity, sizeof *open);
  if (!open) return WM_ERROR_OUT_OF_MEMORY;
  w->open = open;
  w->spare = wm_scratch_array(w->context, capacity, sizeof *w->spare);
  w->frontier = wm_scratch_array(w->context, capacity, sizeof *w->frontier);
  w->gaining = wm_scratch_array(w->context, capacity, sizeof *w->gaining);
  if (!w->spare || !w->frontier || !w->gaining) return WM_ERROR_OUT_OF_MEMORY;
  w->capacity = capacity;
  return WM_OK;
}

/* Orders the spans left from levels above by number. They are few: only blocked spans stay open. */
static WmStatus sort_open(WmWatershed *w) {
  const uint32_t count = w->open_count;
  if (count < 2) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(w->context);
  WmSortItem *items = wm_scratch_array(w->context, count, sizeof *items);
  WmSortItem *scratch = wm_scratch_array(w->context, count, sizeof *scratch);
  if (items && scratch) {
    for (uint32_t i = 0; i < count; i++) items[i] = (WmSortItem){w->open[i].span, i};
    wm_sort_stable(items, scratch, count);
    for (uint32_t i = 0; i < count; i++) w->spare[i] = w->open[items[i].value];
    WmLevelSpan *swap = w->open;
    w->open = w->spare;
    w->spare = swap;
  }
  wm_scratch_rewind(w->context, mark);
  return items && scratch ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

static WmStatus sink_levels(WmWatershed *w, uint32_t *next_number) {
  for (uint32_t sunk = 0; sunk < w->level_count; sunk++) {
    const uint32_t k = w->level_count - 1 - sunk, level = 2 * k;
    const uint32_t count = w->level_first[k + 1] - w->level_first[k];
    /* Every eighth level, the original collects its list afresh: then it is in the order of spans. */
    const bool by_number = sunk % SLOTS == 0;
    WmStatus status = reserve_lists(w, count);
    if (!status && by_number) status = sort_open(w);
    if (status) return status;
    wm_watershed_grow(w, w->sorted + w->level_first[k], count, level,
                      level > 0 ? ROUNDS_PER_LEVEL : UINT32_MAX, by_number);
    status = seed_level(w, level, next_number);
    if (status) return status;
  }
  if (w->open_count > 0) wm_watershed_grow(w, w->sorted, 0, 0, UINT32_MAX, false);
  return WM_OK;
}

/* ---- Set-up -------------------------------------------------------------------------------------------- */

/* Sets the states at the start, and counts free spans of levels two places up in level_first. */
static void count_levels(WmWatershed *w, const uint16_t *span_region) {
  const uint32_t span_count = w->compact->span_count, top_level = w->level_count - 1;
  const uint16_t *const distance = w->distance;
  const uint8_t *const area = w->area;
  uint32_t *const states = w->state, *const counts = w->level_first + 2;
  for (uint32_t span = 0; span < span_count; span++) {
    const uint32_t region = span_region[span], level = distance[span] / 2u;
    states[span] = STATE_NULL;
    if (area[span] == WM_AREA_NULL) continue;
    states[span] = region != 0 ? STATE_BORDER | region : STATE_FREE;
    if (region == 0) counts[level < top_level ? level : top_level]++;
  }
  for (uint32_t level = 1; level < w->level_count; level++) counts[level] += counts[level - 1];
}

/* Places the free spans where their levels are in `sorted`; level_first, one place up until now, comes into
 * its own. */
static void place_spans(WmWatershed *w) {
  const uint32_t span_count = w->compact->span_count, top_level = w->level_count - 1;
  const uint32_t *const neighbour = w->neighbour, *const states = w->state;
  const uint16_t *const distance = w->distance;
  const uint8_t *const area = w->area;
  WmLevelSpan *const sorted = w->sorted;
  uint32_t *const next = w->level_first + 1;
  WmInt4 far = wm_splat_int4(0), reach = far;
  for (uint32_t span = 0; span < span_count; span++) {
    if (states[span] != STATE_FREE) continue;
    const uint32_t level = distance[span] / 2u;
    WmLevelSpan *place = &sorted[next[level < top_level ? level : top_level]++];
    place->span = span;
    WmInt4 step = (WmInt4)wm_load_uint4(neighbour + 4 * (size_t)span) - wm_splat_int4((int32_t)span);
    if (distance[span] < 3) { /* otherwise all links exist, to the same area */
      for (int d = 0; d < 4; d++) {
        const uint32_t other = neighbour[4 * (size_t)span + (size_t)d];
        if (other == WM_NO_SPAN || area[other] != area[span]) step[d] = 0;
      }
    }
    for (int d = 0; d < 4; d++) place->step[d] = (int16_t)step[d];
    far |= (step + 0x8000) & ~0xffff;
    reach = wm_select_int4(step > reach, step, reach);
  }
  w->has_far_links = (far[0] | far[1] | far[2] | far[3]) != 0;
  const int32_t farthest = reach[1] > reach[2] ? reach[1] : reach[2];
  w->reach = w->compact->links_are_symmetric && !w->has_far_links ? (uint32_t)farthest : UINT32_MAX;
}

/* Counting sort of the free spans by level. Spans above the highest level belong to the first round. */
static WmStatus sort_spans(WmWatershed *w, const uint16_t *span_region) {
  w->state = wm_scratch_array(w->context, w->compact->span_count, sizeof *w->state);
  w->level_first = wm_scratch_zeroed(w->context, (size_t)w->level_count + 2, sizeof *w->level_first);
  if (!w->state || !w->level_first) return WM_ERROR_OUT_OF_MEMORY;
  count_levels(w, span_region);
  w->sorted = wm_scratch_array(w->context, w->level_first[w->level_count + 1], sizeof *w->sorted);
  if (!w->sorted) return WM_ERROR_OUT_OF_MEMORY;
  place_spans(w);
  return WM_OK;
}

/* Lists, for every span, the spans that link to it. */
static WmStatus reverse_links(WmWatershed *w) {
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

static WmStatus create_watershed(WmWatershed *w, const uint16_t *span_region) {
  w->stack_capacity = 1024;
  WmStatus status = sort_spans(w, span_region);
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
  WmWatershed w = {.context = context,
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
