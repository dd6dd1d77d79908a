/* The compact heightfield, in the order of its data:
 *
 *   open_rows.[ch]     open spans, stored row by row while rows are filtered
 *   air_rows.[ch]      the gaps between solid spans, walkable or not, stored row by row: for links
 *   air_code.[ch]      these gaps as bytes
 *   compact.c          the whole: open rows to arrays
 *   compact_links.c    finds the links of a row
 *   links.h            links of spans, in blocks of eight
 *   link_steps.h       the steps of a block's links as a table
 *   link_blocks.c      makes the blocks */
#ifndef WALKMESH_BAKE_COMPACT_INTERNAL_H
#define WALKMESH_BAKE_COMPACT_INTERNAL_H

#include "bake/filter/layer_planes.h"
#include "bake/compact/links.h"
#include "bake/stages.h"

/* Links the spans of row z. Its planes and those of the rows around it are in the window; spans, and
 * cell_first, are complete up to the end of the row after it. */
void wm_compact_link_row(const WmCompactHeightfield *compact, const WmPlaneWindow *window, int32_t z,
                         WmLinkBuilder *builder);

bool wm_compact_are_links_symmetric(const WmCompactHeightfield *compact);

#endif
