/* Growing the regions of a watershed over the spans of a level.
 *
 * In a round every span without a region takes the one of its nearest neighbour, all at once. Most spans gain
 * theirs in the first round, so that round reads memory in order as far as it can: the links come sorted with
 * the spans, and what a span gains becomes visible soon after, while its state is in the cache, but not
 * before all spans that link to it have been looked at. Later rounds look only at spans next to those that
 * changed in the round before, or at those that are left, whichever are fewer. */
#include "bake/watershed_internal.h"

enum { LARGEST_SEED_DISTANCE = 0xfffe, BATCH = 64 };

/* The state a free span gets from a neighbour's. Saturated: a seed distance beyond it would take a corridor
 * of 32767 cells. */
static inline uint32_t step_state(uint32_t state) {
  return state + ((uint32_t)(state >> 16 < LARGEST_SEED_DISTANCE - 1) << 17);
}

/* The state with the smaller seed distance, the first one on ties. Without a branch: it would be guessed
 * wrongly every other time. */
static inline uint32_t nearer_state(uint32_t first, uint32_t second) {
  const int32_t difference = (int32_t)(second >> 16) - (int32_t)(first >> 16);
  return first ^ ((first ^ second) & (uint32_t)(difference >> 31));
}

/* The state a free span gets: the nearest seed's, the first direction on ties. Without a region (has_region)
 * where no neighbour of its area has one. */
static uint32_t pull_state(const WmWatershed *w, uint32_t span) {
  const uint32_t *link = w->neighbour + 4 * (size_t)span;
  uint32_t best = STATE_FREE;
  for (int d = 0; d < 4; d++) {
    if (link[d] == WM_NO_SPAN || w->area[link[d]] != w->area[span]) continue;
    best = nearer_state(best, w->state[link[d]]);
  }
  return step_state(best);
}

static inline uint32_t has_region(uint32_t state) { return state < STATE_FREE; }

/* As pull_state, from states read at steps from the span's own. */
static inline uint32_t pull_steps(const uint32_t *state, const int16_t step[4]) {
  const uint32_t a = nearer_state(state[step[0]], state[step[1]]);
  const uint32_t b = nearer_state(state[step[2]], state[step[3]]);
  return step_state(nearer_state(a, b));
}

/* Looks at `count` spans; those that gain nothing go to `rest` (which may be `spans`), and their number is
 * returned. */
static inline uint32_t pull_spans(WmWatershed *w, const WmLevelSpan *spans, uint32_t count,
                                  WmLevelSpan *rest) {
  uint32_t rest_count = 0, gaining_count = w->gaining_count;
  WmGain *const gaining = w->gaining;
  const uint32_t *const states = w->state;
  const bool has_far_links = w->has_far_links;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t span = spans[i].span;
    if (states[span] != STATE_FREE) continue;
    const uint32_t state = has_far_links ? pull_state(w, span) : pull_steps(states + span, spans[i].step);
    rest[rest_count] = spans[i];
    gaining[gaining_count] = (WmGain){span, state};
    rest_count += 1 - has_region(state);
    gaining_count += has_region(state);
  }
  w->gaining_count = gaining_count;
  return rest_count;
}

/* Makes gains visible, from the `first` on, whose spans are so far before `next` that nobody will look any
 * more. */
static uint32_t apply_passed(WmWatershed *w, uint32_t first, uint32_t next) {
  const WmGain *const gaining = w->gaining;
  uint32_t *const states = w->state;
  const uint32_t count = w->gaining_count, reach = w->reach;
  while (first < count && next - gaining[first].span > reach) {
    states[gaining[first].span] = gaining[first].state;
    first++;
  }
  return first;
}

/* Looks at every free span of a level, in ascending order; writes those that gain nothing to `spare` and
 * returns their number. Gains of open spans, already gathered, become visible at the end of the round. */
static uint32_t pull_level(WmWatershed *w, const WmLevelSpan *spans, uint32_t count) {
  const uint32_t open_gains = w->gaining_count;
  uint32_t rest_count = 0, applied = open_gains;
  for (uint32_t i = 0; i < count; i += BATCH) {
    applied = apply_passed(w, applied, spans[i].span);
    rest_count += pull_spans(w, spans + i, count - i < BATCH ? count - i : BATCH, w->spare + rest_count);
  }
  for (uint32_t i = 0; i < open_gains; i++) w->state[w->gaining[i].span] = w->gaining[i].state;
  for (uint32_t i = applied; i < w->gaining_count; i++) w->state[w->gaining[i].span] = w->gaining[i].state;
  return rest_count;
}

/* Ends a round: what was gained is the frontier of the next. */
static void finish_round(WmWatershed *w) {
  WmGain *swap = w->frontier;
  w->frontier = w->gaining;
  w->frontier_count = w->gaining_count;
  w->gaining = swap;
  w->gaining_count = 0;
}

static void apply_round(WmWatershed *w) {
  for (uint32_t i = 0; i < w->gaining_count; i++) w->state[w->gaining[i].span] = w->gaining[i].state;
  finish_round(w);
}

static inline void queue_span(WmWatershed *w, uint32_t span, uint32_t area, uint32_t level) {
  if (w->state[span] != STATE_FREE || w->distance[span] < level || w->area[span] != area) return;
  w->state[span] = STATE_QUEUED;
  w->gaining[w->gaining_count++].span = span;
}

/* Looks only at free spans that link to the frontier. They and no others gain a region: a span with an older
 * region next to it would have gained one in an earlier round. */
static void push_frontier(WmWatershed *w, uint32_t level) {
  for (uint32_t i = 0; i < w->frontier_count; i++) {
    const uint32_t span = w->frontier[i].span, area = w->area[span];
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
  for (uint32_t i = 0; i < w->gaining_count; i++) w->gaining[i].state = pull_state(w, w->gaining[i].span);
}

/* The rounds after the first. Leaves spans with a region in `open`. */
static void grow_further(WmWatershed *w, uint32_t level, uint32_t rounds) {
  uint32_t left = w->open_count;
  for (uint32_t round = 1; round < rounds && left > 0 && w->frontier_count > 0; round++) {
    if (w->open_count <= 2 * w->frontier_count) {
      w->open_count = left = pull_spans(w, w->open, w->open_count, w->open);
    } else {
      push_frontier(w, level);
      left -= w->gaining_count;
    }
    apply_round(w);
  }
}

/* Joins the `spare_count` spans in `spare` and the open ones: those first, or merged by number if both
 * ascend. */
static void join_open(WmWatershed *w, uint32_t spare_count, bool by_number) {
  WmLevelSpan *const joined = w->spare;
  uint32_t spare_left = spare_count, open_left = w->open_count;
  while (open_left > 0) { /* from the back, so that it works in place */
    const bool take_spare =
        by_number && spare_left > 0 && joined[spare_left - 1].span > w->open[open_left - 1].span;
    const WmLevelSpan span = take_spare ? joined[--spare_left] : w->open[--open_left];
    joined[spare_left + open_left] = span;
  }
  w->spare = w->open;
  w->open = joined;
  w->open_count += spare_count;
}

void wm_watershed_grow(WmWatershed *w, const WmLevelSpan *spans, uint32_t count, uint32_t level,
                       uint32_t rounds, bool by_number) {
  w->open_count = pull_spans(w, w->open, w->open_count, w->open);
  const uint32_t rest_count = pull_level(w, spans, count);
  finish_round(w);
  join_open(w, rest_count, by_number);
  grow_further(w, level, rounds);
}
