/* Links of the compact heightfield: which span lies across each side of a span.
 *
 * Spans are taken in blocks of eight consecutive numbers, whatever cells and rows they are in. Nearly always
 * the links of a block's spans, those there are, lead the same number of spans on in each direction: that
 * step, and a bit a link for whether it is there, are all that is kept, 2 bytes a span. Blocks in which they
 * do not have lists of their links: 64 bytes more, or 128 where steps are too large for 16 bits.
 *
 * A block is straight when the links of its inner spans (which have all four) lead `stride` spans back and on
 * (as many as there are layers, 1 or 2), and fixed numbers of spans to the row before and the row after: then
 * no links need to be read, and eight spans are taken at once, as in an image. What a block allows says
 * whether corners, too, lie where they should: by way of inner spans. Nearly all blocks are straight, on
 * stacked levels, too.
 *
 * All this is found once, in order, as the links of rows get known (link_blocks.c). */
#ifndef WALKMESH_BAKE_LINKS_H
#define WALKMESH_BAKE_LINKS_H

#include "bake/fields.h"
#include "base/inline.h"

#include <string.h>

enum {
  WM_LINK_BLOCK = 8,
  WM_LINK_MAX_STRIDE = 2,
  WM_LINK_LIST = 4 * WM_LINK_BLOCK, /* numbers in a list: [direction][span] */
  WM_LINK_LISTS = 256               /* that are allocated at a time */
};

/* What a straight block allows: to look at the row before or after it, with corners, or all around. */
enum { WM_LINK_FORWARD = 1, WM_LINK_BACKWARD = 2, WM_LINK_AROUND = 4 };

struct WmLinkBlock {
  int16_t step[4]; /* by direction; any where there are no links. Where there is a list: of inner spans, 0 if
                      they differ */
  uint8_t present[4];   /* by direction, bit i: span i has that link */
  uint32_t allowed : 3; /* js/bake/stage-memory.js knows the layout from here on */
  uint32_t stride : 2;  /* 0: not straight to the west and east */
  uint32_t is_wide : 1; /* the list, two long, holds spans; otherwise steps */
  uint32_t list : 26;   /* 0: there is none */
};

/* Blocks of a field; the last one is not full. */
static inline size_t wm_link_block_count(size_t span_count) { return span_count / WM_LINK_BLOCK + 1; }

/* Bit i: span i has all four links. */
WM_INLINE unsigned wm_inner_spans(const WmLinkBlock *block) {
  uint32_t present;
  memcpy(&present, block->present, sizeof present);
  present &= present >> 16;
  return present & present >> 8 & 255;
}

/* The span across direction d, 0..3, or WM_NO_SPAN. */
uint32_t wm_link(const WmLinks *links, uint32_t span, size_t d);

/* A link that is there, of a block with a wide list. */
uint32_t wm_find_wide_link(const WmLinks *links, uint32_t list, size_t index);

/* A link that is known to be there. */
WM_INLINE uint32_t wm_present_link(const WmLinks *links, uint32_t span, size_t d) {
  const WmLinkBlock *block = links->blocks + span / WM_LINK_BLOCK;
  if (!block->list) return span + (uint32_t)block->step[d];
  const size_t index = WM_LINK_BLOCK * d + span % WM_LINK_BLOCK;
  if (block->is_wide) return wm_find_wide_link(links, block->list, index);
  const int16_t *lists = links->lists[block->list / WM_LINK_LISTS];
  return span + (uint32_t)lists[WM_LINK_LIST * (block->list % WM_LINK_LISTS) + index];
}

/* wm_link, for hot loops. */
WM_INLINE uint32_t wm_link_inline(const WmLinks *links, uint32_t span, size_t d) {
  const WmLinkBlock *block = links->blocks + span / WM_LINK_BLOCK;
  return block->present[d] >> span % WM_LINK_BLOCK & 1 ? wm_present_link(links, span, d) : WM_NO_SPAN;
}

/* ---- Making them (link_blocks.c) ----------------------------------------------------------------------- */

/* Blocks are made in order as links get known, and settled (what they allow) when those of two rows on are
 * made. */
typedef struct WmLinkBuilder {
  WmContext *context;
  WmLinks links;
  uint32_t (*pending)[4]; /* [capacity][direction] spans across, of those from `made` on */
  size_t capacity;
  uint32_t appended, checked; /* spans so far, whole blocks of them */
  uint32_t list_count;
  uint32_t steps[4]; /* of what was made last */
  /* Links of spans after `made` are by `steps`: they are not written down in `pending`. */
  bool is_even;
  uint64_t queue;   /* where that is so: which links they have, as WmLinkRow.present */
  WmLinkBlock like; /* and a block of them, all present */
  WmStatus status;
} WmLinkBuilder;

/* Allocates the blocks of so many spans. Takes scratch memory, too. On failure there are none. */
WmStatus wm_links_start(WmContext *context, uint32_t span_count, WmLinkBuilder *builder);

/* Makes room for that many spans in a call of wm_links_add, and eight more that may be overwritten. */
void wm_links_reserve(WmLinkBuilder *builder, uint32_t span_count);

/* Where to write links of spans from `next` on, by direction. */
uint32_t (*wm_links_pending(WmLinkBuilder *builder, uint32_t next))[4];

/* Makes blocks of what has been written, up to before `end`. */
void wm_links_add(WmLinkBuilder *builder, uint32_t end);

/* Up to eight spans whose links, those there are, lead `stride` spans to the west and east, and these numbers
 * of spans to the north and south, each at most INT16_MAX. */
typedef struct WmLinkRow {
  uint32_t first, count;
  uint32_t stride, north, south;
  uint64_t present; /* by direction 16 bits, of which bit i: span i has that link */
} WmLinkRow;

#define WM_LINKS_ALL UINT64_C(0x00ff00ff00ff00ff)

/* Adds a row that follows what has been added. */
void wm_links_add_row(WmLinkBuilder *builder, const WmLinkRow *row);

/* Adds so many rows more like the last one, which had eight spans with all links. */
void wm_links_repeat_row(WmLinkBuilder *builder, uint32_t row_count);

/* Settles blocks whose spans are all below `end`, made before. Those in whose next row blocks are missing are
 * taken for irregular. */
void wm_links_find_allowed(WmLinkBuilder *builder, uint32_t end);

/* Makes the last block, of less than eight spans, and settles the rest.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: then links are freed */
WmStatus wm_links_finish(WmLinkBuilder *builder, uint32_t span_count, WmLinks *links);

void wm_links_free(WmContext *context, WmLinks *links);

/* Gives back the room that the newest lists do not need, for links that stay; returns the bytes of all. Where
 * there is no memory for that, they stay as they are. */
size_t wm_links_shrink(WmContext *context, uint32_t span_count, WmLinks *links);

#endif
