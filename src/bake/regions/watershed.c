/* Raw regions by watershed: basins of the distance field, flooded from the top down.
 *
 * Water levels sink by two. On each level, existing regions first grow, in at most eight synchronous rounds,
 * over spans at least as far from area borders as the level. Then every span left starts a region and floods
 * it, unless it touches another region. Spans that could not be flooded wait for the next level.
 *
 * How this differs from the usual code, with equal results: spans are processed by blocks of eight (links.h),
 * straight ones as in an image, without their links. A block stores the highest level of its free spans, and
 * eight blocks store the highest of theirs: so the blocks of a level are found without going through all. A
 * span on level 1 or above, two cells from any area border, has all links, to spans of its area; on level 0,
 * links and areas are read in blocks that may have others.
 *
 * memory     2 bytes a span, unless it overwrites those of the distance field; 3 a block for levels; 4 to 12
 *            a block on the level that has most
 * source     L. Vincent, P. Soille, "Watersheds in Digital Spaces" (1991); D. Haumont, O. Debeir, F.
 *            Sillion, "Volumetric Cell-and-Portal Generation" (2003) */
#include <string.h>

#include "bake/compact/link_steps.h"
#include "bake/regions/regions_internal.h"
#include "base/sort.h"

enum {
  BLOCK = WM_LINK_BLOCK,
  ROUNDS_PER_LEVEL = 8,
  LEVELS_PER_SORT = 8,
  GROUP = 8 /* blocks whose levels are tested together */
};

/* The state of a span. With a region: the distance to its seed in cells, from SEED on, negative. Without
 * one: the level on which it may get one, 0 or more. No field of 2^32 spans has a level of 16384. */
enum { SEED = INT16_MIN, LAST_SEED_DISTANCE = -1, CLOSED = INT16_MAX /* not walkable, no span, border */ };

/* A block with spans that get a region in this round. Until the round ends, new states keep a clear sign
 * bit, so that other spans see them as unassigned. */
typedef struct Gain {
  uint32_t block;
  uint32_t spans; /* bits */
} Gain;

typedef struct Watershed {
  WmContext *context;
  const WmCompactHeightfield *compact;
  WmLinks links;
  uint16_t *region; /* [span_count] */
  int16_t *state;   /* [-1 .. BLOCK * block_count - 1] */
  int16_t
      *block_top; /* [GROUP * group_count] the highest level of a block's free spans, or more; < 0: none */
  int16_t *group_top; /* [group_count] the highest of a group of blocks, or more */
  uint32_t block_count, group_count, level_count;
  bool has_areas; /* true if there is more than one area */

  uint32_t *list; /* [list_count] blocks with free spans on this level or above, ascending */
  uint32_t list_count;
  size_t list_capacity;
  Gain *gains; /* [gain_count], of this round */
  size_t gain_count, gain_capacity;
  uint32_t *stack; /* of floods; as a queue, the frontier of growth over many rounds */
  size_t stack_count, stack_capacity;
  WmSortItem *seeds; /* the spans left on a level, and room to sort them */
  size_t seed_capacity;
} Watershed;

/* The span across a side, or -1, at which the state is CLOSED. */
WM_INLINE int32_t link_of(const Watershed *w, uint32_t span, uint32_t d) {
  return (int32_t)wm_link_inline(&w->links, span, d);
}

WM_INLINE bool is_free(int state, int level) { return state >= level && state < CLOSED; }

/* The largest lane. */
WM_INLINE int16_t find_top(WmShort8 v) {
  v = wm_max_short8(v, (WmShort8)wm_swap_halves_int4((WmInt4)v));
  v = wm_max_short8(v, (WmShort8)wm_swap_pairs_int4((WmInt4)v));
  return wm_max_short8(v, (WmShort8)((WmInt4)v >> 16))[0];
}

/* ---- Growing ----------------------------------------------------------------------------------------- */

/* The state that a span gets from the neighbour of its area with the nearest seed, the first side's on
 * ties; 0 if no neighbour has a region. */
WM_NOINLINE static int look_around(const Watershed *w, uint32_t span, uint32_t *nearest) {
  const uint8_t *const area = w->compact->span_area;
  int best = 0;
  for (uint32_t d = 0; d < 4; d++) {
    const int32_t link = link_of(w, span, d);
    const int state = w->state[link];
    if (state >= best || area[link] != area[span]) continue;
    best = state;
    *nearest = (uint32_t)link;
  }
  return best < LAST_SEED_DISTANCE ? best + 1 : best;
}

/* Stores which spans of a block gain a region, if any; there is room. */
WM_INLINE void add_gain(Watershed *w, uint32_t block, int spans) {
  w->gains[w->gain_count] = (Gain){block, (uint32_t)spans};
  w->gain_count += spans != 0;
}

/* Gives regions to these spans of a block (bits) where they touch one, over these steps, whatever the areas.
 * Where a link is missing, the span meets itself, which is free. A state and its side are compared as one
 * number: the least is the nearest seed, the first side's on ties. */
WM_INLINE bool visit_steps(Watershed *w, uint32_t block, const int16_t *steps, unsigned candidates) {
  int16_t *const own = w->state + BLOCK * (size_t)block;
  uint16_t *const region = w->region + BLOCK * (size_t)block;
  unsigned gained = 0;
  for (unsigned left = candidates; left; left &= left - 1) {
    const int k = __builtin_ctz(left);
    int nearest = 0;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
      const int beside = 4 * own[k + steps[BLOCK * d + k]] + d;
      nearest = beside < nearest ? beside : nearest;
    }
    if (nearest == 0) continue;
    const int state = nearest >> 2;
    region[k] = region[k + steps[BLOCK * (nearest & 3) + k]];
    own[k] = (int16_t)((state < LAST_SEED_DISTANCE ? state + 1 : state) ^ SEED);
    gained |= 1u << k;
  }
  add_gain(w, block, (int)gained);
  return gained != candidates;
}

/* Gives regions to the block's free spans on the level or above that touch one. Returns true if some of
 * them stay free. */
WM_COLD static bool visit_spans(Watershed *w, uint32_t block, int level, WmShort8 candidates) {
  int16_t own[WM_LINK_LIST];
  const int16_t *steps =
      level > 0 || !w->has_areas ? wm_read_steps(&w->links, w->links.blocks + block, own) : NULL;
  if (steps) return visit_steps(w, block, steps, (unsigned)wm_mask_short8(candidates));
  const uint32_t first = BLOCK * block;
  int gained = 0;
  bool stay = false;
  for (uint32_t span = first; span < first + BLOCK; span++) {
    if (!is_free(w->state[span], level)) continue;
    uint32_t nearest = span;
    const int state = look_around(w, span, &nearest);
    if (state == 0) {
      stay = true;
      continue;
    }
    w->region[span] = w->region[nearest];
    w->state[span] = (int16_t)(state ^ SEED);
    gained |= 1 << (span - first);
  }
  add_gain(w, block, gained);
  return stay;
}

/* The same for a straight block, from its own states and those across each side. */
WM_INLINE bool visit_straight(Watershed *w, uint32_t block, WmShort8 candidates, WmShort8 state) {
  const WmLinkBlock *around = w->links.blocks + block;
  int16_t *const own = w->state + BLOCK * (size_t)block;
  uint16_t *const region = w->region + BLOCK * (size_t)block;
  const ptrdiff_t west = around->step[0], south = around->step[1], east = around->step[2],
                  north = around->step[3];
  const WmShort8 states[4] = {wm_load_short8(own + west), wm_load_short8(own + south),
                              wm_load_short8(own + east), wm_load_short8(own + north)};
  const WmUshort8 regions[4] = {wm_load_ushort8(region + west), wm_load_ushort8(region + south),
                                wm_load_ushort8(region + east), wm_load_ushort8(region + north)};
  const WmShort8 first = wm_min_short8(states[0], states[1]), second = wm_min_short8(states[2], states[3]);
  const WmUshort8 first_region =
      wm_select_ushort8((WmUshort8)(states[1] < states[0]), regions[1], regions[0]);
  const WmUshort8 second_region =
      wm_select_ushort8((WmUshort8)(states[3] < states[2]), regions[3], regions[2]);
  const WmUshort8 nearest_region =
      wm_select_ushort8((WmUshort8)(second < first), second_region, first_region);
  const WmShort8 nearest = wm_min_short8(first, second), last = wm_splat_short8(LAST_SEED_DISTANCE);
  const WmShort8 gains = candidates & (nearest >> 15);
  const WmShort8 gained = (wm_min_short8(nearest, last - 1) + 1) ^ SEED;
  wm_store_short8(own, wm_select_short8(gains, gained, state));
  wm_store_ushort8(region, wm_select_ushort8((WmUshort8)gains, nearest_region, wm_load_ushort8(region)));
  const int spans = wm_mask_short8(gains);
  add_gain(w, block, spans);
  return spans != wm_mask_short8(candidates);
}

/* One round over the list, which retains the blocks with spans that stay free. */
static WmStatus grow_round(Watershed *w, uint32_t level) {
  const WmLinkBlock *const blocks = w->links.blocks;
  uint32_t *const list = w->list;
  const uint32_t list_count = w->list_count;
  uint32_t retained = 0;
  w->gain_count = 0;
  w->gains = wm_scratch_reserve(w->context, w->gains, &w->gain_capacity, list_count + 1, sizeof *w->gains);
  if (!w->gains) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < list_count; i++) {
    const uint32_t block = list[i];
    const WmShort8 state = wm_load_short8(w->state + BLOCK * (size_t)block);
    const WmShort8 candidates =
        (WmShort8)(state > (int16_t)(level - 1)) & (WmShort8)(state < (int16_t)CLOSED);
    list[retained] = block;
    w->block_top[block] = find_top(state | (WmShort8)(state > (int16_t)(level - 1)));
    if (WM_SIMD && (blocks[block].allowed & WM_LINK_AROUND) &&
        (level > 0 ||
         (!w->has_areas && !(wm_mask_short8(candidates) & ~(int)wm_inner_spans(blocks + block))))) {
      retained += visit_straight(w, block, candidates, state);
    } else {
      retained += visit_spans(w, block, (int)level, candidates);
    }
  }
  w->list_count = retained;
  return WM_OK;
}

static void apply_gains(Watershed *w) {
  const WmShort8 bits = {1, 2, 4, 8, 16, 32, 64, 128};
  for (size_t i = 0; i < w->gain_count; i++) {
    int16_t *const states = w->state + BLOCK * (size_t)w->gains[i].block;
    const WmShort8 gained = (WmShort8)((wm_splat_short8((int16_t)w->gains[i].spans) & bits) != 0);
    wm_store_short8(states, wm_load_short8(states) | (gained & (int16_t)SEED));
  }
}

/* Makes sure that `count` spans fit on the stack. */
WM_NOINLINE static bool reserve_stack(Watershed *w, size_t count) {
  w->stack = wm_scratch_reserve(w->context, w->stack, &w->stack_capacity, count, sizeof *w->stack);
  return w->stack != NULL;
}

WM_INLINE bool push_span(Watershed *w, uint32_t span) {
  if (w->stack_count == w->stack_capacity && !reserve_stack(w, w->stack_count + 1)) return false;
  w->stack[w->stack_count++] = span;
  return true;
}

/* Continues for this many rounds, breadth first over symmetric links, from the spans that gained a region
 * in the last one: on long corridors few do in a round. The stack is used as a queue. */
WM_COLD static WmStatus grow_breadth_first(Watershed *w, int level, uint32_t rounds) {
  const uint8_t *const area = w->compact->span_area;
  w->stack_count = 0;
  for (size_t i = 0; i < w->gain_count; i++) {
    for (uint32_t spans = w->gains[i].spans; spans; spans &= spans - 1) {
      const uint32_t span = BLOCK * w->gains[i].block + (uint32_t)__builtin_ctz(spans);
      if (!push_span(w, span)) return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  apply_gains(w);
  for (size_t begin = 0, end; begin < w->stack_count && rounds-- > 0; begin = end) {
    end = w->stack_count;
    for (size_t i = begin; i < end; i++) {
      const uint32_t span = w->stack[i];
      for (uint32_t d = 0; d < 4; d++) {
        const int32_t link = link_of(w, span, d);
        if (!is_free(w->state[link], level) || area[link] != area[span]) continue;
        w->state[link] = CLOSED; /* queued */
        if (!push_span(w, (uint32_t)link)) return WM_ERROR_OUT_OF_MEMORY;
      }
    }
    for (size_t i = end; i < w->stack_count; i++) { /* not visible until the round ends: the sign bit is
                                                       clear */
      const uint32_t span = w->stack[i];
      uint32_t nearest = span;
      w->state[span] = (int16_t)(look_around(w, span, &nearest) ^ SEED);
      w->region[span] = w->region[nearest];
    }
    for (size_t i = end; i < w->stack_count; i++) w->state[w->stack[i]] ^= SEED;
  }
  return WM_OK;
}

/* Grows regions over the free spans of the list's blocks; the list retains the blocks that have some left. */
WM_NOINLINE static WmStatus grow_regions(Watershed *w, uint32_t level) {
  uint32_t rounds = level > 0 ? ROUNDS_PER_LEVEL : UINT32_MAX;
  do {
    if (grow_round(w, level)) return WM_ERROR_OUT_OF_MEMORY;
    rounds--;
    if (w->compact->links_are_symmetric && w->gain_count < w->list_count / 4) {
      return grow_breadth_first(w, (int)level, rounds);
    }
    apply_gains(w);
  } while (w->gain_count > 0 && rounds > 0);
  return WM_OK;
}

/* ---- Flooding ---------------------------------------------------------------------------------------- */

/* True if a span of this region blocks the flood of another one. A border region blocks it at corners only. */
WM_INLINE bool is_other(uint32_t region, uint32_t number) { return region != 0 && region != number; }

/* out        links: the spans across the sides, or -1
 * returns    true if the span touches another region: directly, or at a corner reached over a neighbour of its area
 *            that isn't in a border region */
static bool is_blocked(const Watershed *w, uint32_t span, uint32_t number, int32_t links[4]) {
  const uint8_t *const area = w->compact->span_area;
  bool blocked = false;
  for (uint32_t d = 0; d < 4; d++) {
    const int32_t direct = links[d] = link_of(w, span, d);
    if (blocked || direct < 0 || area[direct] != area[span] || (w->region[direct] & WM_REGION_BORDER))
      continue;
    const int32_t corner = link_of(w, (uint32_t)direct, (d + 1) & 3);
    blocked = is_other(w->region[direct], number) ||
              (corner >= 0 && area[corner] == area[span] && is_other(w->region[corner], number));
  }
  return blocked;
}

/* The same where all eight spans around the span exist, have its area, and are in their places. */
WM_INLINE bool is_blocked_around(const Watershed *w, const WmLinkBlock *block, uint32_t span, uint32_t number,
                                 int32_t links[4]) {
  const uint16_t *const region = w->region;
  const int32_t stride = block->stride, own = (int32_t)span;
  const int32_t south = own + block->step[1], north = own + block->step[3];
  const int32_t corners[4] = {south - stride, south + stride, north + stride, north - stride};
  links[0] = own - stride;
  links[1] = south;
  links[2] = own + stride;
  links[3] = north;
  unsigned blocked = 0;
#pragma GCC unroll 4
  for (int d = 0; d < 4; d++) {
    const uint32_t direct = region[links[d]], corner = region[corners[d]];
    blocked |= (direct < WM_REGION_BORDER) & ((unsigned)is_other(direct, number) | is_other(corner, number));
  }
  return blocked;
}

/* Gives `number` to all free spans on `lowest` or above that can be reached from the seed over spans that
 * aren't blocked. A flood can't change which spans are blocked, so the order of the walk doesn't matter. A
 * span is on the stack at most once: it carries the number while it is there.
 * out        *has_grown: true if any span got the number */
WM_NOINLINE static WmStatus flood(Watershed *w, uint32_t seed, uint16_t number, int lowest, bool *has_grown) {
  const uint8_t *const area = w->compact->span_area;
  uint16_t *const region = w->region;
  int16_t *const state = w->state;
  if (!reserve_stack(w, 1)) return WM_ERROR_OUT_OF_MEMORY;
  w->stack[0] = seed;
  region[seed] = number;
  for (size_t count = 1; count > 0;) {
    const uint32_t span = w->stack[--count];
    const WmLinkBlock *block = w->links.blocks + span / BLOCK;
    int32_t links[4];
    /* From level 2 on, all spans around have one area, and those beside have all links. A corner may lack some. */
    const bool is_around = (block->allowed & WM_LINK_AROUND) && state[span] >= 2;
    if (is_around ? is_blocked_around(w, block, span, number, links) : is_blocked(w, span, number, links)) {
      region[span] = WM_REGION_NONE;
      continue;
    }
    *has_grown = true;
    state[span] = SEED;
    if (count + 4 > w->stack_capacity && !reserve_stack(w, count + 4)) return WM_ERROR_OUT_OF_MEMORY;
    /* Without branches: processors don't foresee which neighbours are free. For a missing one stands the span
     * itself, which isn't. */
    uint32_t *const stack = w->stack;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
      const uint32_t next = links[d] < 0 ? span : (uint32_t)links[d];
      const uint32_t old = region[next];
      const bool is_next = (state[next] >= lowest) & (state[next] < CLOSED) & (old == WM_REGION_NONE) &
                           (area[next] == area[span]);
      region[next] = is_next ? number : (uint16_t)old;
      stack[count] = next;
      count += is_next;
    }
  }
  return WM_OK;
}

/* ---- Seeds ------------------------------------------------------------------------------------------- */

/* Usually they are sorted already, since blocks are. */
WM_NOINLINE static void sort_seeds(WmSortItem *seeds, size_t count) {
  size_t sorted = 1;
  while (sorted < count && seeds[sorted - 1].key <= seeds[sorted].key) sorted++;
  if (sorted < count) wm_sort_stable(seeds, seeds + count, count);
}

/* Collects the free spans of the list's blocks: first those of this level, then those of the level before,
 * and so on up to `oldest`, ascending in each. The original collects them all again on every eighth level,
 * `oldest`. */
WM_COLD static WmStatus collect_seeds(Watershed *w, int level, int oldest, size_t *seed_count) {
  size_t count = 0;
  for (uint32_t i = 0; i < w->list_count; i++) {
    w->seeds =
        wm_scratch_reserve(w->context, w->seeds, &w->seed_capacity, 2 * (count + BLOCK), sizeof *w->seeds);
    if (!w->seeds) return WM_ERROR_OUT_OF_MEMORY;
    for (uint32_t span = BLOCK * w->list[i], end = span + BLOCK; span < end; span++) {
      w->seeds[count].key = span;
      count += is_free(w->state[span], level);
    }
  }
  sort_seeds(w->seeds, count);
  for (size_t i = 0; i < count; i++) {
    const uint32_t span = w->seeds[i].key;
    w->seeds[i] = (WmSortItem){(uint32_t)(w->state[span] < oldest ? w->state[span] : oldest), span};
  }
  sort_seeds(w->seeds, count);
  *seed_count = count;
  return WM_OK;
}

/* Starts regions from the spans left on a level. */
WM_COLD static WmStatus seed_regions(Watershed *w, int level, int oldest, uint32_t *next_number) {
  size_t count = 0;
  WmStatus status = collect_seeds(w, level, oldest, &count);
  for (size_t i = 0; i < count && !status; i++) {
    if (w->region[w->seeds[i].value] != WM_REGION_NONE) continue;
    bool has_grown = false;
    status = flood(w, w->seeds[i].value, (uint16_t)*next_number, level > 0 ? level - 1 : 0, &has_grown);
    /* The number may be one too many: the error comes only once a span got it. */
    if (has_grown && ++*next_number > WM_REGION_LIMIT + 1 && !status)
      status = wm_fail_region_limit(w->context);
  }
  return status;
}

/* ---- Levels ------------------------------------------------------------------------------------------ */

/* Lists the blocks that have free spans on the level or above. All of them are then visited, which updates
 * their highest level. */
WM_NOINLINE static bool list_blocks(Watershed *w, int16_t level) {
  uint32_t count = 0;
  for (uint32_t first = 0; first < w->group_count; first += GROUP) {
    int groups = wm_mask_short8((WmShort8)(wm_load_short8(w->group_top + first) >= level));
    if (!groups) continue;
    w->list = wm_scratch_reserve(w->context, w->list, &w->list_capacity, (size_t)count + GROUP * GROUP,
                                 sizeof *w->list);
    if (!w->list) return false;
    for (; groups; groups &= groups - 1) {
      const uint32_t group = first + (uint32_t)__builtin_ctz((unsigned)groups);
      const WmShort8 tops = wm_load_short8(w->block_top + GROUP * (size_t)group);
      const int blocks = wm_mask_short8((WmShort8)(tops >= level));
      w->group_top[group] = blocks ? (int16_t)(level - 1) : find_top(tops);
      for (uint32_t i = 0; i < GROUP; i++) { /* without branches, which processors don't foresee */
        w->list[count] = GROUP * group + i;
        count += (unsigned)blocks >> i & 1;
      }
    }
  }
  w->list_count = count;
  return true;
}

WM_COLD static WmStatus sink_levels(Watershed *w, uint32_t *next_number) {
  uint32_t oldest = 0;
  for (uint32_t level = w->level_count; level-- > 0;) {
    if ((w->level_count - 1 - level) % LEVELS_PER_SORT == 0) oldest = level;
    if (!list_blocks(w, (int16_t)level)) return WM_ERROR_OUT_OF_MEMORY;
    WmStatus status = grow_regions(w, level);
    if (!status) status = seed_regions(w, (int)level, (int)oldest, next_number);
    if (status) return status;
    for (uint32_t i = 0; i < w->list_count; i++) { /* the spans left are for the next level */
      const uint32_t block = w->list[i];
      w->block_top[block] = w->group_top[block / GROUP] = (int16_t)level;
    }
  }
  return grow_regions(w, 0);
}

/* ---- Set-up ------------------------------------------------------------------------------------------ */

/* Sets the states of spans and the levels of blocks at the start. */
WM_NOINLINE static void fill_states(Watershed *w, const uint16_t *span_distance) {
  const uint8_t *const span_area = w->compact->span_area;
  const uint32_t span_count = w->compact->span_count;
  WmShort8 smallest = wm_splat_short8(INT16_MAX), largest = wm_splat_short8(0); /* areas */
  for (uint32_t first = 0; first < span_count; first += BLOCK) {
    const uint32_t count = span_count - first;
    uint16_t distances[BLOCK], regions[BLOCK];
    uint8_t areas[BLOCK] = {0};
    const uint16_t *distance = span_distance + first, *region = w->region + first;
    const uint8_t *area = span_area + first;
    if (count < BLOCK) {
      area = memcpy(areas, area, count);
      distance = memcpy(distances, distance, count * sizeof *distance);
      region = memcpy(regions, region, count * sizeof *region);
    }
    const WmShort8 area8 = wm_load_bytes_as_short8(area), closed = wm_splat_short8(CLOSED);
    const WmShort8 is_closed = (WmShort8)(area8 == 0) | (WmShort8)(wm_load_ushort8(region) != 0);
    const WmShort8 state = wm_select_short8(is_closed, closed, (WmShort8)(wm_load_ushort8(distance) >> 1));
    wm_store_short8(w->state + first, state);
    w->block_top[first / BLOCK] = find_top(state | (WmShort8)(state == closed));
    smallest = wm_min_short8(smallest, area8 + ((WmShort8)(area8 == 0) & closed));
    largest = wm_max_short8(largest, area8);
  }
  int16_t lanes[2][BLOCK];
  wm_store_short8(lanes[0], smallest);
  wm_store_short8(lanes[1], largest);
  for (int i = 0; i < BLOCK * BLOCK; i++) w->has_areas |= lanes[1][i / BLOCK] > lanes[0][i % BLOCK];
}

/* States overwrite the distances if those are spare. */
WM_COLD static WmStatus create_watershed(Watershed *w, WmDistanceField *distance) {
  w->block_count = (w->compact->span_count + BLOCK - 1) / BLOCK;
  w->state = (int16_t *)distance->span_distance;
  if (!distance->is_spare) {
    w->state = wm_scratch_array(w->context, BLOCK * ((size_t)w->block_count + 1), sizeof *w->state);
    if (!w->state) return WM_ERROR_OUT_OF_MEMORY;
    w->state += BLOCK;
  }
  /* Whole vectors of groups; entries beyond the last block have no level. */
  w->group_count = (w->block_count + GROUP * GROUP - 1) / (GROUP * GROUP) * GROUP;
  const size_t tops = (GROUP + 1) * (size_t)w->group_count;
  w->block_top = wm_scratch_array(w->context, tops, sizeof *w->block_top);
  if (!w->block_top) return WM_ERROR_OUT_OF_MEMORY;
  w->group_top = w->block_top + GROUP * (size_t)w->group_count;
  for (size_t i = w->block_count; i < tops; i++)
    w->block_top[i] = i < GROUP * (size_t)w->group_count ? -1 : CLOSED;
  w->state[-1] = CLOSED;
  fill_states(w, distance->span_distance);
  return WM_OK;
}

WmStatus wm_partition_watershed(WmContext *context, const WmCompactHeightfield *compact,
                                WmDistanceField *distance, uint32_t first_number, uint16_t *span_region,
                                uint32_t *next_number) {
  *next_number = first_number;
  Watershed w = {.context = context,
                 .compact = compact,
                 .links = compact->links,
                 .region = span_region,
                 .level_count = (distance->max_distance + 1u) / 2};
  if (w.level_count == 0) return WM_OK; /* no span is two cells from an area border: no region starts */
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = create_watershed(&w, distance);
  if (!status) status = sink_levels(&w, next_number);
  wm_scratch_rewind(context, mark);
  return status;
}
