/* Links of compact heightfields as a plain array [span_count * 4], WM_NO_SPAN for missing links. */
#ifndef WALKMESH_TESTS_PLAIN_LINKS_H
#define WALKMESH_TESTS_PLAIN_LINKS_H

#include <stdlib.h>

#include "bake/compact/links.h"
#include "check.h"

/* Replaces the links of a field, whose span_count is set, by those of the array. */
static inline void pack_links(WmContext *context, const uint32_t *plain, WmCompactHeightfield *compact) {
  const WmScratchMark mark = wm_scratch_mark(context);
  WmLinkBuilder builder;
  wm_links_free(context, &compact->links);
  CHECK_EQUAL_INT(wm_links_start(context, compact->span_count, &builder), WM_OK);
  for (uint32_t span = 0; span < compact->span_count; span++) {
    memcpy(wm_links_pending(&builder, span), plain + 4 * (size_t)span, 16);
    wm_links_add(&builder, span + 1);
  }
  CHECK_EQUAL_INT(wm_links_finish(&builder, compact->span_count, &compact->links), WM_OK);
  wm_scratch_rewind(context, mark);
}

/* The same; also sets links_are_symmetric. */
static inline void pack_links_of_field(WmContext *context, const uint32_t *plain,
                                       WmCompactHeightfield *compact) {
  pack_links(context, plain, compact);
  compact->links_are_symmetric = true;
  for (size_t i = 0; i < 4 * (size_t)compact->span_count; i++) {
    const uint32_t other = plain[i];
    if (other != WM_NO_SPAN && plain[4 * (size_t)other + ((i + 2) & 3)] != i / 4) {
      compact->links_are_symmetric = false;
    }
  }
}

/* The caller frees the array. */
static inline uint32_t *unpack_links(const WmCompactHeightfield *compact) {
  uint32_t *plain = malloc(16 * (size_t)compact->span_count + 16);
  for (uint32_t span = 0; span < compact->span_count; span++) {
    for (size_t d = 0; d < 4; d++) plain[4 * (size_t)span + d] = wm_link(&compact->links, span, d);
  }
  return plain;
}

#endif
