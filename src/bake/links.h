/* Links of the compact heightfield: which span lies across each side of a span. */
#ifndef WALKMESH_BAKE_LINKS_H
#define WALKMESH_BAKE_LINKS_H

#include "bake/fields.h"
#include "base/inline.h"

/* The span across direction d, 0..3, or WM_NO_SPAN. */
WM_INLINE uint32_t wm_link(const WmLinks *links, uint32_t span, size_t d) {
  return links->spans[4 * (size_t)span + d];
}

#endif
