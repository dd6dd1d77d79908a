/* What the two files of the compact heightfield share. */
#ifndef WALKMESH_BAKE_COMPACT_INTERNAL_H
#define WALKMESH_BAKE_COMPACT_INTERNAL_H

#include "bake/filter/layer_planes.h"
#include "bake/compact/links.h"
#include "bake/stages.h"

/* Links the spans of row z, whose planes and those of the rows around it are in the window. Spans, and
 * cell_first, must be there up to the end of the row after it. */
void wm_compact_link_row(const WmCompactHeightfield *compact, const WmPlaneWindow *window, int32_t z,
                         WmLinkBuilder *builder);

bool wm_compact_are_links_symmetric(const WmCompactHeightfield *compact);

#endif
