/* Chamfer distances over links: what erosion and the distance field have in common.
 *
 * Distances count 2 a step and 3 a diagonal, in two sweeps in raster order, from the spans that miss a link
 * or touch another area, which are at 0. That a span misses a link thus means it is at 0, which no sweep can
 * lower; a span above 0 has all four links: an "inner" span. Two things follow:
 *
 *  - a corner (the neighbour's neighbour) may be looked up at a wrong place where the way to it leads through
 *    a span that is not inner, whether it exists or not: that span is at 0, which gives 2, and a corner gives
 *    3 or more;
 *  - in straight blocks (links.h) no links need to be read: eight spans are swept at once, as in an image. A
 *    sweep needs corners in one of the two rows only. Other blocks are swept span by span over their links.
 *
 * Sources: G. Borgefors, Distance transformations in digital images (1986); the use of it for navigation
 * meshes is Recast's (M. Mononen). */
#ifndef WALKMESH_BAKE_CHAMFER_H
#define WALKMESH_BAKE_CHAMFER_H

#include "bake/fields.h"

/* Distances around the field that vectors may touch: never used, but there. */
enum { WM_CHAMFER_PAD = 32 };

/* Measures the distance of every span to the nearest that misses a link or touches another area, where areas
 * above `highest_area` count as that one. Scratch memory is left to the caller to rewind.
 * out        *distance [span_count], padded by WM_CHAMFER_PAD on both sides
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * memory     2 bytes a span
 * cost       O(spans) */
WmStatus wm_chamfer_measure(WmContext *context, const WmCompactHeightfield *compact, uint8_t highest_area,
                            uint16_t **distance);

#endif
