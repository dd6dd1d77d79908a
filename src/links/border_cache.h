/* The links that each border of a tile had in the last run, so that a change costs only the borders, and of these only the positions, that read what changed.
 *
 * Links of a border (wm_border_links), before they are joined and thinned, follow from the border, and from the columns and the surface in
 * a region of cells: those that its walks and flights read, and its own polygon. An entry is valid until a cell of this
 * region changes: a volume that blocks its air comes or goes, the surface in it changes (surface_stamps.h), its tile comes or goes. It is
 * valid again when the region has its former contents, as after a crate was moved away: each tile stores former entries, too.
 *
 * Each position of a border has a reach of its own: after a change, positions that read it are followed again, and of the others, and
 * of flights that lead past the change, the results are reused. Each tile also stores its links of two runs, with what surrounded it
 * then, so that a door that opens again gives them back without a run.
 *
 * Changes of air are noted as they come. Changes of the mesh are found at the next run: the polygons of a tile that was reported as
 * changed are compared with those that it had. Lines along which nothing lands read only whether there is ground. Results never depend on
 * the cache: what there is no memory for is generated again. */
#ifndef WALKMESH_LINKS_BORDER_CACHE_H
#define WALKMESH_LINKS_BORDER_CACHE_H

#include "base/content_hash.h"
#include "links/surface_stamps.h"

/* The cells on which the links of a border depend: those along a strip away from it, and around the strip. */
typedef struct WmReadRegion {
  WmCellRectangle cells;      /* has all of them */
  float start[2], outward[2]; /* the border's first end, cells of the grid; a unit vector */
  float aside,
      distance; /* cells: of the border's second end across `outward`, with a sign; of the strip's end along it */
  float margin;  /* cells around the strip; below 0: only `cells` counts */
  float landing; /* polygons are read from there on along the strip; INFINITY: none are */
} WmReadRegion;

/* A border of a tile, and its links while the cells that they depend on had certain contents. What a change looks at comes first. */
typedef struct WmCachedBorder {
  uint32_t link_count, candidate_count, position_count;
  bool is_valid;   /* the cells have these contents; else they may have them again */
  bool is_partial; /* positions that aren't changed are as when it was valid */
  bool is_of_run;  /* the last run of its tile found it, not a run before */
  WmReadRegion read;
  WmCellRectangle changed; /* has the cells whose air changed since it was valid */
  WmContentHash key;       /* of the border and its polygon */
  uint64_t contents;       /* a hash of the air and the polygons of these cells */
} WmCachedBorder;

void wm_border_cache_destroy(WmLinkGenerator *generator);

/* Limits the bytes of borders and links; 0: destroys the cache.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: nothing changed */
WmStatus wm_border_cache_limit(WmLinkGenerator *generator, size_t limit);

/* Drops all borders.
 * returns    true if there were any */
bool wm_border_cache_drop_all(WmLinkGenerator *generator);

/* Bytes in use. */
size_t wm_border_cache_bytes(const WmLinkGenerator *generator);

/* Notes that the air of a tile is about to be replaced; bytes NULL: removed. */
void wm_border_cache_note_air(WmLinkGenerator *generator, int32_t x, int32_t z, const uint8_t *bytes,
                              size_t byte_count, const WmAreaVolume *blocking, size_t blocking_count);

/* Notes that the air of a tile stays, but other volumes are about to be cut out of it. */
void wm_border_cache_note_volumes(WmLinkGenerator *generator, int32_t x, int32_t z,
                                  const WmAreaVolume *blocking, size_t blocking_count);

/* Notes that a tile of the mesh was replaced, added or removed. */
void wm_border_cache_note_tile(WmLinkGenerator *generator, int32_t x, int32_t z);

/* The links of all borders of a tile, in their order, from the cache where they are valid.
 * in/out     list: empty
 * out        *is_same: true if all are as in the last run: the list stays empty, wm_border_cache_repeat has the result */
WmStatus wm_border_cache_links(WmAirWindow *window, int32_t x, int32_t z, const WmBorder *borders,
                               size_t border_count, WmWalk *walk, WmLinkList *list, bool *is_same);

/* The links of a tile in its last run, joined and thinned, after wm_border_cache_links. */
WmStatus wm_border_cache_repeat(WmLinkGenerator *generator, int32_t x, int32_t z, WmLinkResult *result);

/* Stores the links of a tile, joined and thinned, after wm_border_cache_links. */
void wm_border_cache_store_result(WmLinkGenerator *generator, int32_t x, int32_t z, const WmLinkList *list);

/* Finds the links of a tile without a run, if its surroundings are what they were when one of its last two runs found other links: a
 * door that opens again.
 * out        *result: if it returns true
 * returns    false: the tile must be run */
bool wm_border_cache_recall(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                            WmLinkResult *result);

/* True if a run of a tile would find the links that its last run found. False without a cache, and if walks count (min_saving). */
bool wm_border_cache_is_current(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z);

/* Drops the borders of a tile. */
void wm_border_cache_forget(WmLinkGenerator *generator, int32_t x, int32_t z);

#endif
