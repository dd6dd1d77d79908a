/* Stage arrays as packed little-endian bytes, for inspection, hashing and comparison.
 *
 * The layouts are those of tests/golden/README.md. Each function writes a block of the context
 * (wm_block_free) and its size. Cost: O(bytes). */
#ifndef WALKMESH_BAKE_DUMP_H
#define WALKMESH_BAKE_DUMP_H

#include "bake/fields.h"

typedef struct WmBytes {
  uint8_t *bytes;
  size_t byte_count;
} WmBytes;

WmStatus wm_dump_heightfield(WmContext *context, const WmHeightfield *field, WmBytes *out);

/* `field` is the heightfield that the compact one was built from: the layout shows which cells had no solid
 * span. It may be NULL: then a cell without spans shows as (first, 0). */
WmStatus wm_dump_compact(WmContext *context, const WmCompactHeightfield *compact,
                         const WmHeightfield *field, WmBytes *out);
WmStatus wm_dump_distance(WmContext *context, const WmDistanceField *distance, WmBytes *out);
WmStatus wm_dump_areas(WmContext *context, const WmCompactHeightfield *compact, WmBytes *out);
WmStatus wm_dump_regions(WmContext *context, const WmRegions *regions, WmBytes *out);
WmStatus wm_dump_contours(WmContext *context, const WmContourSet *contours, WmBytes *out);
WmStatus wm_dump_polygon_mesh(WmContext *context, const WmPolygonMesh *mesh, WmBytes *out);
WmStatus wm_dump_detail_mesh(WmContext *context, const WmDetailMesh *detail, WmBytes *out);

/* FNV-1a, 64 bits, with the offset basis of the golden figures; start with WM_HASH_START to hash several
 * pieces as one. */
#define WM_HASH_START UINT64_C(1469598103934665603)
uint64_t wm_hash_bytes(uint64_t hash, const void *bytes, size_t byte_count);

#endif
