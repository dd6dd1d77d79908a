/* The steps of a block's links as one table, for loops over the spans of a block that isn't straight: each
 * neighbour takes one load and an addition, whatever the block's form. */
#ifndef WALKMESH_BAKE_LINK_STEPS_H
#define WALKMESH_BAKE_LINK_STEPS_H

#include "bake/compact/links.h"

/* The steps of a block's links, [side][span], 0 where a link is missing: those of its list, or `own`, which is
 * filled. NULL if the list is wide. */
const int16_t *wm_read_steps(const WmLinks *links, const WmLinkBlock *block, int16_t own[WM_LINK_LIST]);

/* Finds the steps to the west and the east of all spans, for steps from a span of another row. 0 where a span
 * has no link; spans that aren't inner may have any number, which leads at most 8 spans out of the field.
 * out        west, east [span_count], up to seven more are written
 * returns    false if a step exceeds 127, or a list is wide: then both are undefined */
bool wm_find_steps_aside(const WmLinks *links, uint32_t span_count, int8_t *west, int8_t *east);

/* The link of a span on a side where it has one; `steps` are those of the block that begins with span `first`. */
WM_INLINE uint32_t wm_follow(const WmLinks *links, const int16_t *steps, uint32_t first, uint32_t span,
                             size_t side) {
  const uint32_t k = span - first;
  if (k >= WM_LINK_BLOCK) return wm_present_link(links, span, side);
  return span + (uint32_t)steps[WM_LINK_BLOCK * side + k];
}

/* wm_present_link without a branch that is hard to predict: any number if the link is missing. */
WM_INLINE uint32_t wm_lead(const WmLinks *links, uint32_t span, size_t side) {
  const WmLinkBlock *block = links->blocks + span / WM_LINK_BLOCK;
  const size_t in_list = WM_LINK_BLOCK * side + span % WM_LINK_BLOCK;
  if (block->is_wide) return wm_present_link(links, span, side);
  const uint32_t list = block->list;
  const int16_t *const lists = links->lists[list / WM_LINK_LISTS];
  const size_t index = list ? WM_LINK_LIST * (list % WM_LINK_LISTS) + in_list : side;
  return span + (uint32_t)(list ? lists : block->step)[index];
}

#endif
