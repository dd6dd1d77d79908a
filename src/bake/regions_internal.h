/* What the files of the region stage share. wm_build_regions (regions.c) reads:
 *
 *   paint borders -> watershed.c or sweep_partition.c: raw regions, numbered from `first_number`
 *   -> region_outline.c: cells, area and neighbours of each raw region
 *   -> region_merge.c (or region_layers.c): drop islands, merge, renumber
 *   -> region_split.c: cut regions that lie over themselves
 *
 * Records are numbered as raw regions are. As in the original, a field has records 0..M where M is the first
 * number not used: unused records consume numbers when regions are renumbered. */
#ifndef WALKMESH_BAKE_REGIONS_INTERNAL_H
#define WALKMESH_BAKE_REGIONS_INTERNAL_H

#include "bake/stages.h"

/* WM_ERROR_LIMIT with the advice to use tiles. */
WmStatus wm_fail_region_limit(WmContext *context);

/* The cell of a span, by binary search (region_outline.c). */
uint32_t wm_find_cell(const WmCompactHeightfield *compact, uint32_t span);

/* ---- Partitions into raw regions ----------------------------------------------------------------------- */

/* Grows regions from the spans farthest from any border (watershed.c).
 * in / out   span_region [span_count]: border regions on entry, raw regions too on success
 * out        *next_number: the first number not used
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY, WM_ERROR_LIMIT */
WmStatus wm_partition_watershed(WmContext *context, const WmCompactHeightfield *compact,
                                const WmDistanceField *distance, uint32_t first_number, uint16_t *span_region,
                                uint32_t *next_number);

/* Sweeps rows of the tile proper and joins strips that lie above one another (sweep_partition.c).
 * in         span_area [span_count]: spans of different values never join; 0 is left out
 *            square_cells: strips do not leave squares of so many cells; 0 = no squares
 * otherwise as wm_partition_watershed */
WmStatus wm_partition_rows(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                           int32_t square_cells, uint32_t first_number, uint16_t *span_region,
                           uint32_t *next_number);

/* ---- Sets of pairs (region_sets.c) --------------------------------------------------------------------- */

/* A hash set of pairs of 16-bit numbers, in scratch memory of the caller. (0, 0) cannot be a member. */
typedef struct WmPairSet {
  uint32_t *keys; /* [capacity], a power of two; 0 = free */
  uint32_t capacity;
  uint32_t count;
} WmPairSet;

WmStatus wm_pair_set_create(WmContext *context, WmPairSet *set);

/* Adds the ordered pair; *added tells whether it is new. */
WmStatus wm_pair_set_add(WmContext *context, WmPairSet *set, uint32_t first, uint32_t second, bool *added);

bool wm_pair_set_has(const WmPairSet *set, uint32_t first, uint32_t second);

/* Which regions share a column with which. Groups of regions count as one after wm_stacks_join: the smaller
 * group's partners are entered for the larger one, so that all joins together cost O(n log n). */
typedef struct WmStacks {
  WmPairSet pairs;         /* of group handles, smaller first */
  uint16_t *handle;        /* [record_count] toward the handle of a record's group */
  uint8_t *is_overlapping; /* [record_count] the raw region shares a column with itself */
  bool has_overlap;        /* some does */
  uint32_t *first_entry;   /* [record_count] of a handle: its partners, as a linked list */
  uint32_t *last_entry;
  uint32_t *entry_count;
  struct WmStackEntry *entries;
  uint32_t entries_used, entries_capacity;
} WmStacks;

/* Whether two columns of `count` spans hold the same regions, as neighbouring columns mostly do. */
static inline bool wm_are_regions_equal(const uint16_t *a, const uint16_t *b, uint32_t count) {
  uint32_t i = 0;
  while (i < count && a[i] == b[i]) i++;
  return i == count;
}

/* Gathers the stacks of all columns; numbers 0 and from `record_count` on are left out. */
WmStatus wm_stacks_gather(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, uint32_t record_count, WmStacks *stacks);

/* Whether a span of one record's group and one of the other's lie in one column. Different groups only. */
bool wm_stacks_conflict(WmStacks *stacks, uint32_t record, uint32_t other);

WmStatus wm_stacks_join(WmContext *context, WmStacks *stacks, uint32_t record, uint32_t other);

/* ---- Who touches whom (region_links.c) ----------------------------------------------------------------- */

#define WM_NO_LINK UINT32_MAX

/* The neighbours of each record, each once, in the order in which a raster scan discovers them. */
typedef struct WmRegionLinks {
  uint32_t *first;         /* [record_count] WM_NO_LINK = none */
  uint32_t *last;          /* [record_count] */
  uint8_t *touches_border; /* [record_count] */
  struct WmRegionLink {
    uint32_t next;
    uint16_t region;
  } * links;
  uint32_t count, capacity;
  WmPairSet pairs; /* (record, neighbour) pairs already linked */
} WmRegionLinks;

/* In scratch memory of the caller; numbers 0 and from `record_count` on have no links. */
WmStatus wm_region_links_gather(WmContext *context, const WmCompactHeightfield *compact,
                                const uint16_t *span_region, uint32_t record_count, WmRegionLinks *links);

/* ---- Statistics (region_outline.c) --------------------------------------------------------------------- */

typedef struct WmRegionRecords {
  uint32_t record_count; /* M + 1 */
  uint32_t *cells;       /* [record_count] */
  uint32_t *first_span;  /* [record_count] in raster order; undefined where cells is 0 */
  uint8_t *area;         /* [record_count] */
  uint32_t *square;      /* [record_count] number of the square; NULL without squares */
  uint32_t *list_first;  /* [record_count] of the neighbours: the regions met along one outline, from its */
  uint32_t *list_length; /*   start on; 0 = none, border regions included */
  uint16_t *list_values; /* [value_count] */
  uint32_t value_count;
} WmRegionRecords;

/* Counts cells and walks once around each region from its first span.
 * in         square_cells as in wm_partition_rows */
WmStatus wm_region_records_gather(WmContext *context, const WmCompactHeightfield *compact,
                                  const uint16_t *span_region, uint32_t record_count, int32_t square_cells,
                                  WmRegionRecords *records);

/* ---- Clean-up ------------------------------------------------------------------------------------------ */

/* Drops small islands, merges small regions and renumbers (region_merge.c).
 * in         next_number: the first raw number not used; square_cells: regions of different squares stay
 * apart in / out   span_region [span_count] out        *region_count: the largest number given */
WmStatus wm_merge_regions(WmContext *context, const WmCompactHeightfield *compact,
                          const WmRegionSettings *settings, int32_t square_cells, uint32_t next_number,
                          uint16_t *span_region, uint32_t *region_count, bool *has_overlap);

/* Joins raw regions to layers that do not overlap, drops small islands and renumbers (region_layers.c). */
WmStatus wm_merge_region_layers(WmContext *context, const WmCompactHeightfield *compact,
                                int32_t min_region_cells, uint32_t next_number, uint16_t *span_region,
                                uint32_t *region_count, bool *has_overlap);

/* Numbers classes of records 1, 2, ... by first appearance and writes them into spans.
 * in / out   class_of [record_count]: the class of each record, below record_count; 0 = dropped. Overwritten
 * out        *region_count */
WmStatus wm_renumber_regions(WmContext *context, uint16_t *class_of, uint32_t record_count,
                             uint16_t *span_region, uint32_t span_count, uint32_t *region_count);

/* Cuts regions that have two spans in one column into pieces that have not (region_split.c). Other regions
 * are left alone; new pieces are numbered after *region_count, which grows. */
WmStatus wm_split_overlaps(WmContext *context, const WmCompactHeightfield *compact, uint16_t *span_region,
                           uint32_t *region_count);

#endif
