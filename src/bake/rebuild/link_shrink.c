/* Shrinks the lists of a field's links to their size, for fields that are stored. See links.h. */
#include "bake/compact/links.h"

size_t wm_links_shrink(WmContext *context, uint32_t span_count, WmLinks *links) {
  const size_t block_count = wm_link_block_count(span_count),
               list_bytes = WM_LINK_LIST * sizeof **links->lists;
  size_t last = 0;
  for (size_t i = 0; i < block_count; i++) {
    const WmLinkBlock *block = &links->blocks[i];
    if (block->list && block->list + (size_t)block->is_wide > last) last = block->list + block->is_wide;
  }
  size_t bytes =
      block_count * sizeof *links->blocks + (2 * block_count / WM_LINK_LISTS + 2) * sizeof *links->lists;
  const size_t chunk = last / WM_LINK_LISTS, used = (last % WM_LINK_LISTS + 1) * list_bytes;
  bytes += chunk * WM_LINK_LISTS * list_bytes;
  if (!last) return bytes;
  int16_t *lists = wm_block_allocate(context, used);
  if (!lists) return bytes + WM_LINK_LISTS * list_bytes;
  memcpy(lists, links->lists[chunk], used);
  wm_block_free(context, links->lists[chunk]);
  links->lists[chunk] = lists;
  return bytes + used;
}
