/* What watershed.c (levels, floods, set-up) and watershed_grow.c (growing regions) share. */
#ifndef WALKMESH_BAKE_WATERSHED_INTERNAL_H
#define WALKMESH_BAKE_WATERSHED_INTERNAL_H

#include "bake/regions_internal.h"

/* State of a span: seed distance << 16 | region. Spans without a region have seed distance 0xffff, so that
 * "the neighbour with the smallest seed distance" needs no other test. */
#define STATE_FREE UINT32_C(0xffff0000)   /* walkable, no region yet */
#define STATE_QUEUED UINT32_C(0xffff7ffe) /* free, and already among the candidates of this round */
#define STATE_NULL UINT32_C(0xffff7fff)   /* not walkable */
#define STATE_BORDER UINT32_C(0xffff8000) /* | number: border region */

/* A span in the order of levels, with how far its neighbours' numbers are: links are read once, in order,
 * when spans are sorted, and not again here and there in memory on every level. 0 stands for a neighbour that
 * does not exist or has another area: that is the span itself, which has no region when this is used. */
typedef struct WmLevelSpan {
  uint32_t span;
  int16_t step[4];
} WmLevelSpan;

/* A span that gets a region, and its new state. */
typedef struct WmGain {
  uint32_t span;
  uint32_t state;
} WmGain;

typedef struct WmWatershed {
  WmContext *context;
  const WmCompactHeightfield *compact;
  const uint32_t *neighbour;
  const uint8_t *area;
  const uint16_t *distance;
  uint32_t *state; /* [span_count] */

  /* Spans that link to a span, where that is not the same as those it links to; otherwise NULL. */
  const uint32_t *reverse_first; /* [span_count + 1] */
  const uint32_t *reverse;
  /* How far after a span another that links to it can be; UINT32_MAX where links are not symmetric. */
  uint32_t reach;
  bool has_far_links; /* some do not fit WmLevelSpan: links are read instead */

  WmLevelSpan *sorted;   /* walkable spans without border, by level from 0 up, each level ascending */
  uint32_t *level_first; /* [level_count + 1] */
  uint32_t level_count;

  WmLevelSpan *open; /* [capacity] spans of the level without a region, in the order of seeding */
  uint32_t open_count;
  WmLevelSpan *spare; /* [capacity] takes the next `open` */
  WmGain *frontier;   /* [capacity] spans that got a region in the last round */
  uint32_t frontier_count;
  WmGain *gaining; /* [capacity] spans that get one in this round */
  uint32_t gaining_count;
  uint32_t capacity;

  uint32_t *stack; /* [stack_capacity] of floods */
  uint32_t stack_capacity;
} WmWatershed;

static inline uint32_t region_of(uint32_t state) { return state & 0xffff; }

/* Grows regions, in at most so many synchronous rounds, over the given spans and the open ones; all are at
 * `level` or above. `open` then holds those that are still without a region: given ones first, or by span
 * number if both lists are and `by_number` asks for it. */
void wm_watershed_grow(WmWatershed *w, const WmLevelSpan *spans, uint32_t count, uint32_t level,
                       uint32_t rounds, bool by_number);

#endif
