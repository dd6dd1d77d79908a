/* Which regions touch which: neighbours in the order in which a raster scan over spans discovers them.
 *
 * The order is part of the result: layers grow along these lists, and what joins first keeps others out. */
#include "bake/regions_internal.h"

static WmStatus create_links(WmContext *context, uint32_t record_count, WmRegionLinks *links) {
  *links = (WmRegionLinks){
      .first = wm_scratch_array(context, record_count, sizeof *links->first),
      .last = wm_scratch_array(context, record_count, sizeof *links->last),
      .touches_border = wm_scratch_zeroed(context, record_count, sizeof *links->touches_border)};
  if (!links->first || !links->last || !links->touches_border) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t record = 0; record < record_count; record++) {
    links->first[record] = links->last[record] = WM_NO_LINK;
  }
  return wm_pair_set_create(context, &links->pairs);
}

static WmStatus link_regions(WmContext *context, WmRegionLinks *links, uint32_t region, uint32_t neighbour) {
  const uint32_t last = links->last[region];
  if (last != WM_NO_LINK && links->links[last].region == neighbour) return WM_OK; /* mostly */
  bool added = false;
  if (wm_pair_set_add(context, &links->pairs, region, neighbour, &added)) return WM_ERROR_OUT_OF_MEMORY;
  if (!added) return WM_OK;
  if (links->count == links->capacity) {
    const uint32_t capacity = links->capacity * 2 + 64;
    struct WmRegionLink *grown =
        wm_scratch_grow(context, links->links, links->capacity, capacity, sizeof *grown);
    if (!grown) return WM_ERROR_OUT_OF_MEMORY;
    links->links = grown;
    links->capacity = capacity;
  }
  const uint32_t link = links->count++;
  links->links[link] = (struct WmRegionLink){WM_NO_LINK, (uint16_t)neighbour};
  if (last == WM_NO_LINK) {
    links->first[region] = link;
  } else {
    links->links[last].next = link;
  }
  links->last[region] = link;
  return WM_OK;
}

WmStatus wm_region_links_gather(WmContext *context, const WmCompactHeightfield *compact,
                                const uint16_t *span_region, uint32_t record_count, WmRegionLinks *links) {
  if (create_links(context, record_count, links)) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t span = 0; span < compact->span_count; span++) {
    const uint32_t region = span_region[span];
    if (region == 0 || region >= record_count) continue;
    const uint32_t *link = compact->span_neighbour + 4 * (size_t)span;
    for (int d = 0; d < 4; d++) {
      const uint32_t other = link[d] == WM_NO_SPAN ? 0 : span_region[link[d]];
      if (other == region || other == 0) continue;
      if (other & WM_REGION_BORDER) {
        links->touches_border[region] = 1;
      } else if (link_regions(context, links, region, other)) {
        return WM_ERROR_OUT_OF_MEMORY;
      }
    }
  }
  return WM_OK;
}
