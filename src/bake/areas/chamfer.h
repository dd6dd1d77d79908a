/* Chamfer distances over links, shared by erosion and the distance field.
 *
 * Distances count 2 a step and 3 a diagonal, in two sweeps in raster order, from the spans at an area border
 * (those that miss a link or touch another area), which are at 0. So a span that misses a link is at 0, which
 * no sweep can lower; a span above 0 has all four links: an inner span. Two things follow:
 *
 * - a corner (the neighbour's neighbour) may be read at a wrong address if the neighbour it is reached by
 *   isn't an inner span, whether the corner exists or not: that neighbour is at 0, which gives 2, and a
 *   corner gives 3 or more;
 * - in straight blocks (links.h) no links need to be read: eight spans are swept at once, as in an image. A
 *   sweep needs corners in one of the two rows only. Other blocks are swept span by span over their links.
 *
 * source     G. Borgefors, Distance transformations in digital images (1986); M. Mononen, Recast
 *            Navigation, for its use in navigation meshes */
#ifndef WALKMESH_BAKE_CHAMFER_H
#define WALKMESH_BAKE_CHAMFER_H

#include "bake/fields.h"

/* Distances before and after the field that vectors may read and write; their values don't matter. */
enum { WM_CHAMFER_PAD = 32 };

/* Distances, and the steps that found them, which are in scratch memory. */
typedef struct WmChamfer {
  uint16_t *distance;        /* [span_count], padded by WM_CHAMFER_PAD on both sides */
  const int8_t *west, *east; /* [span_count] as wm_find_steps_aside finds them; NULL: some are too long */
} WmChamfer;

/* How many numbers the distances take, with what pads them. */
static inline size_t wm_chamfer_room(uint32_t span_count) { return (size_t)span_count + 2 * WM_CHAMFER_PAD; }

/* Measures the distance of every span to the nearest area border. Areas above `highest_area` count as
 * `highest_area`. The caller rewinds the scratch memory.
 * in         room: [wm_chamfer_room], for the distances
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * memory     2 bytes a span, besides `room`
 * cost       O(spans) */
WmStatus wm_chamfer_measure(WmContext *context, const WmCompactHeightfield *compact, uint8_t highest_area,
                            uint16_t *room, WmChamfer *chamfer);

#endif
