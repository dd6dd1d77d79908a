/* Gaps of columns, four at a time. */
#ifndef WALKMESH_LINKS_GAP_LANES_H
#define WALKMESH_LINKS_GAP_LANES_H

#include <string.h>

#include "bake/compact/air_code.h"
#include "base/simd.h"

/* Loads four gaps. Those behind the last one of the air are undefined. */
WM_INLINE WmInt4 wm_load_gaps(const WmAirGap *gaps) {
  WmInt4 words;
  memcpy(&words, gaps, sizeof words);
  return words;
}

WM_INLINE WmInt4 wm_floors_of(WmInt4 gaps) { return gaps & 0xffff; }

WM_INLINE WmInt4 wm_ceilings_of(WmInt4 gaps) { return (WmInt4)((WmUint4)gaps >> 16); }

#endif
