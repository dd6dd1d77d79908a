/* Links of the compact heightfield: the span across each side of a span.
 *
 * Links are stored for blocks of eight consecutive span numbers, in whatever cells and rows the spans are.
 * Nearly always, all links on one side of a block lead the same number of spans on. The block stores that
 * step, and a bit for each link that exists: 2 bytes a span. Other blocks have lists of their links: 64 bytes
 * more, or 128 if a step doesn't fit into 16 bits.
 * A step in a list is 0 if the link is missing, so that it can be followed all the same (link_steps.h).
 *
 * A block is straight if the links of its inner spans (those with all four) lead `stride` spans back and on
 * (the number of span layers, 1 to 4), and fixed numbers of spans to the row before and the row after. Then
 * no links need to be read, and eight spans are processed at once, as in an image. `allowed` tells whether
 * corners are where they should be, too: across inner spans. Nearly all blocks are straight, also on stacked
 * levels.
 *
 * link_blocks.c finds all this once, in order, as the links of rows are found. */
#ifndef WALKMESH_BAKE_LINKS_H
#define WALKMESH_BAKE_LINKS_H

#include "bake/fields.h"
#include "base/inline.h"

#include <string.h>

enum {
  WM_LINK_BLOCK = 8,
  WM_LINK_MAX_STRIDE = 4,
  WM_LINK_LIST = 4 * WM_LINK_BLOCK, /* numbers in a list: [side][span] */
  WM_LINK_LISTS = 256               /* lists allocated at a time */
};

/* The rows that a straight block allows to be read: the row before or after it, with corners, or both rows. */
enum { WM_LINK_FORWARD = 1, WM_LINK_BACKWARD = 2, WM_LINK_AROUND = 4 };

struct WmLinkBlock {
  int16_t step[4];      /* by side; arbitrary if there are no links. If there is a list: the step of inner
                      spans, 0 if they differ */
  uint8_t present[4];   /* by side, bit i: span i has that link */
  uint32_t allowed : 3; /* js/bake/stage-memory.js reads the fields from here on */
  uint32_t stride : 3;  /* 0: not straight to the west and east */
  uint32_t is_wide : 1; /* the list has double length and holds spans; otherwise steps */
  uint32_t list : 25;   /* 0: no list */
};

/* The number of blocks; the last one is never full. */
static inline size_t wm_link_block_count(size_t span_count) { return span_count / WM_LINK_BLOCK + 1; }

/* Bit i: span i has all four links. */
WM_INLINE unsigned wm_inner_spans(const WmLinkBlock *block) {
  uint32_t present;
  memcpy(&present, block->present, sizeof present);
  present &= present >> 16;
  return present & present >> 8 & 255;
}

/* The span across side d, 0..3, or WM_NO_SPAN. */
uint32_t wm_link(const WmLinks *links, uint32_t span, size_t d);

/* The list of a block that has one: of steps, unless it is wide. */
WM_INLINE const int16_t *wm_find_list(const WmLinks *links, const WmLinkBlock *block) {
  return links->lists[block->list / WM_LINK_LISTS] + WM_LINK_LIST * (block->list % WM_LINK_LISTS);
}

/* A link that exists, of a block with a wide list. Rare, but a call would cost: around calls, engines move the
 * variables of a loop to memory and back. */
WM_INLINE uint32_t wm_find_wide_link(const WmLinks *links, const WmLinkBlock *block, size_t index) {
  uint32_t link;
  memcpy(&link, wm_find_list(links, block) + 2 * index, sizeof link);
  return link;
}

/* A link that is known to exist. */
WM_INLINE uint32_t wm_present_link(const WmLinks *links, uint32_t span, size_t d) {
  const WmLinkBlock *block = links->blocks + span / WM_LINK_BLOCK;
  if (!block->list) return span + (uint32_t)block->step[d];
  const size_t index = WM_LINK_BLOCK * d + span % WM_LINK_BLOCK;
  if (block->is_wide) return wm_find_wide_link(links, block, index);
  return span + (uint32_t)wm_find_list(links, block)[index];
}

/* wm_link, for hot loops. */
WM_INLINE uint32_t wm_link_inline(const WmLinks *links, uint32_t span, size_t d) {
  const WmLinkBlock *block = links->blocks + span / WM_LINK_BLOCK;
  return block->present[d] >> span % WM_LINK_BLOCK & 1 ? wm_present_link(links, span, d) : WM_NO_SPAN;
}

/* ---- Building them (link_blocks.c) --------------------------------------------------------------------- */

/* Builds blocks in order, as links are found. `allowed` is computed once the next two rows are built. */
typedef struct WmLinkBuilder {
  WmContext *context;
  WmLinks links;
  uint32_t (*pending)[4]; /* [capacity][side] links of the spans from `appended` on */
  size_t capacity;
  uint32_t appended, checked; /* spans in finished blocks; spans whose block has its `allowed` */
  uint32_t list_count;
  uint32_t steps[4]; /* of the last block */
  /* The links of the spans from `appended` on have these `steps`, and aren't stored in `pending`. */
  bool is_even;
  uint64_t queue;   /* if is_even: which links these spans have, as in WmLinkRow.present */
  WmLinkBlock like; /* a block with these steps and all links */
  WmStatus status;
} WmLinkBuilder;

/* Allocates blocks for `span_count` spans, and scratch memory of the caller's mark.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: then nothing is allocated */
WmStatus wm_links_start(WmContext *context, uint32_t span_count, WmLinkBuilder *builder);

/* Reserves `pending` for the spans of one wm_links_add, and eight more that may be overwritten. */
void wm_links_reserve(WmLinkBuilder *builder, uint32_t span_count);

/* The entries of `pending` for spans from `next` on, by side. */
uint32_t (*wm_links_pending(WmLinkBuilder *builder, uint32_t next))[4];

/* Builds blocks of the written links, up to before span `end`. */
void wm_links_add(WmLinkBuilder *builder, uint32_t end);

/* Up to eight spans whose existing links lead `stride` spans to the west and east, and these numbers of
 * spans to the north and south, each at most INT16_MAX. */
typedef struct WmLinkRow {
  uint32_t first, count;
  uint32_t stride, north, south;
  uint64_t present; /* 16 bits a side, of which bit i: span i has that link */
} WmLinkRow;

#define WM_LINKS_ALL UINT64_C(0x00ff00ff00ff00ff)

/* Adds a row that follows the spans added so far. */
void wm_links_add_row(WmLinkBuilder *builder, const WmLinkRow *row);

/* Adds `row_count` more rows like the last one, which had eight spans with all links. */
void wm_links_repeat_row(WmLinkBuilder *builder, uint32_t row_count);

/* Computes `allowed` of the built blocks whose spans are all below `end`. Blocks whose next row isn't
 * built yet count as not straight. */
void wm_links_find_allowed(WmLinkBuilder *builder, uint32_t end);

/* Builds the last block, of fewer than eight spans, and computes the remaining `allowed`.
 * out        links; zeroed on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_links_finish(WmLinkBuilder *builder, uint32_t span_count, WmLinks *links);

void wm_links_free(WmContext *context, WmLinks *links);

/* Shrinks the memory of the newest lists to what they use, for links that are kept long. Without memory
 * for that they stay as they are. Returns the bytes of all links. */
size_t wm_links_shrink(WmContext *context, uint32_t span_count, WmLinks *links);

#endif
