/* The cache of borders (links/border_cache.h), file by file:
 *
 *   places.c          the tile places: made, dropped; changes of their air and polygons are noted, and found
 *   changes.c         what a change in a place invalidates: borders, positions and candidates around it
 *   stored_borders.c  the borders of a tile: found again, or followed, and stored
 *   results.c         the links of whole tiles, as they were in their last two surroundings */
#ifndef WALKMESH_LINKS_CACHE_CACHE_INTERNAL_H
#define WALKMESH_LINKS_CACHE_CACHE_INTERNAL_H

#include "links/border_cache.h"

/* The end of the list of places. */
#define WM_NO_PLACE UINT32_MAX

/* The links, candidates and reaches of one border, or of several borders in a row. */
typedef struct WmFound {
  WmSegmentLink *links;          /* [link_count] */
  WmStoredCandidate *candidates; /* [candidate_count] */
  WmPositionReach *reaches;      /* [position_count] */
} WmFound;

/* The borders of a tile, in one block with their links. */
typedef struct WmTileBorders {
  WmCachedBorder *borders; /* [count] in the order of the run */
  WmFound found;           /* of the first border, then of the next */
  WmCellRectangle read;    /* has all cells that the borders read */
  uint32_t *heads, *next;  /* borders by the hash of their keys: [mask + 1], [count]: index + 1 */
  uint32_t count, mask;
  bool is_in_order; /* the borders of the last run were found in the order of `borders` */
  size_t bytes;
  uint64_t surroundings; /* in which they were found */
  WmSegmentLink *result; /* [result_count] the tile's links then, in a block of their own; NULL: not stored */
  size_t result_count;
} WmTileBorders;

/* Cells whose air changed that a place notes. */
enum { WM_NOTED_CELLS = 2 };

/* A tile place. */
typedef struct WmBorderPlace {
  uint64_t air; /* a hash of its bytes; 0: the tile is missing */
  WmStampList volumes, polygons;
  uint64_t volumes_key, surface_key; /* of these volumes and polygons; 0: not known */
  bool is_changed;     /* its tile may have other polygons now, or cells are noted; set_changed sets it */
  uint8_t noted_count; /* cells whose air changed, for borders that weren't invalidated yet */
  WmCellRectangle noted[WM_NOTED_CELLS];
  bool is_current;        /* a run would find the links that the last one found, if no tile is changed */
  uint64_t portals_key;   /* of its portals then, if it is current */
  WmTileBorders *borders; /* NULL: none are stored */
  WmTileBorders *former;  /* of other surroundings, which may come again; NULL: none are stored */
  uint32_t newer, older;  /* places with borders by their last run */
} WmBorderPlace;

struct WmBorderCache {
  size_t limit, bytes;
  uint32_t newest, oldest;
  uint64_t unknown_count; /* contents that are unlike any others */
  size_t changed_count;   /* places that are changed */
  uint64_t surroundings;  /* of the tile that is run; 0: not known. wm_border_cache_recall sets them */
  WmBorderPlace *places;  /* by z, then x */
};

/* Steps past the links, candidates and reaches of a border, to those of the next one. */
WM_INLINE WmFound wm_skip_border(WmFound found, const WmCachedBorder *border) {
  if (border->link_count) found.links += border->link_count;
  if (border->candidate_count) found.candidates += border->candidate_count;
  if (border->position_count) found.reaches += border->position_count;
  return found;
}

/* Cells by which regions are wider than what is read: more than coordinates are rounded by. */
#define WM_REGION_SLACK 1.0f

/* The cells of a tile. */
WM_INLINE WmCellRectangle wm_tile_cells(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  const int32_t width = generator->tile_width, depth = generator->tile_depth;
  return (WmCellRectangle){{x * width, z * depth}, {(x + 1) * width, (z + 1) * depth}};
}

/* The index of the place of a tile. */
WM_INLINE uint32_t wm_number_place(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  return (uint32_t)x + (uint32_t)z * (uint32_t)generator->voxels.tile_count_x;
}

/* Mixes a word into a hash. */
WM_INLINE uint64_t wm_mix_hash(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

/* ---- Places (places.c) --------------------------------------------------------------------------------- */

/* Takes a place out of the list of those with borders. */
void wm_cache_unlist(WmBorderCache *cache, const WmBorderPlace *place);

/* Puts a place with borders in front of that list: it was run last. */
void wm_cache_list(WmBorderCache *cache, uint32_t number);

/* Frees the links that are stored of a tile. */
void wm_cache_free_result(WmLinkGenerator *generator, WmTileBorders *tile);

/* Frees the borders of a tile; NULL: nothing. */
void wm_cache_free_borders(WmLinkGenerator *generator, WmTileBorders *tile);

/* Drops all borders of a place. */
void wm_cache_drop_borders(WmLinkGenerator *generator, uint32_t number);

/* Drops borders, the least recently run first. */
void wm_cache_shrink(WmLinkGenerator *generator, size_t limit);

/* A hash of the portals of a tile's edges: where other tiles continue it. Their order doesn't matter. */
uint64_t wm_cache_hash_portals(const WmMesh *mesh, int32_t x, int32_t z);

/* Compares the polygons of places around a tile with those that they had, where they may have changed. */
void wm_cache_update_polygons(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z);

/* ---- Changes (changes.c) ------------------------------------------------------------------------------- */

/* Where a tile differs from what it was. */
typedef struct WmPlaceChange {
  const WmMesh *mesh; /* NULL: tiles beside polygons that changed may have other borders */
  const WmCellRectangle *air, *ground, *polygons; /* [air_count] gaps; [ground_count] which gaps have ground;
                                                     [polygon_count] polygons that came or went */
  size_t air_count, ground_count, polygon_count;
} WmPlaceChange;

/* True if the strip of a read region and a rectangle whose boxes overlap don't lie apart across or along the strip. */
bool wm_strip_reads(const WmReadRegion *region, const WmCellRectangle *cells);

/* True if the strip of a read region and a rectangle don't lie apart on an axis of either. */
WM_INLINE bool wm_region_reads(const WmReadRegion *region, const WmCellRectangle *cells) {
  return wm_cells_overlap(&region->cells, cells) && (region->margin < 0 || wm_strip_reads(region, cells));
}

/* Invalidates the borders around tile (x, z) that read what has changed. Polygons that changed also decide where the tile itself has
 * borders, and, by their portals, where tiles beside them do. */
void wm_cache_invalidate(WmLinkGenerator *generator, int32_t x, int32_t z, const WmPlaceChange *change);

/* Invalidates the borders around a tile that read any of it, or lie beside it. */
void wm_cache_invalidate_tile(WmLinkGenerator *generator, int32_t x, int32_t z);

/* Finds the cells in which two lists of a place differ. Uses scratch memory of the caller's mark.
 * returns    false if they can't be compared */
bool wm_cache_find_difference(WmLinkGenerator *generator, const WmStampList *before, const WmStampList *after,
                              WmCellRectangle **cells, size_t *count);

/* ---- Borders (stored_borders.c) ------------------------------------------------------------------------ */

/* All that was found at a border is valid. */
void wm_cache_set_valid(WmCachedBorder *border, const WmFound *found);

#endif
