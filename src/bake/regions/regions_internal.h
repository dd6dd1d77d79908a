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
#include "base/simd.h"

/* WM_ERROR_LIMIT with the advice to use tiles. */
WmStatus wm_fail_region_limit(WmContext *context);

/* Paints the walkable spans of the border, if there is one. Returns the first number for other regions. */
uint32_t wm_paint_borders(const WmCompactHeightfield *compact, uint16_t *span_region);

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

/* ---- What is alike (uniform_spans.c, not in the core module) -----------------------------------------------
 */

/* A row of the sweep. */
typedef struct WmStrip {
  uint16_t above;    /* the first region found above; 0 = none */
  bool is_ambiguous; /* others were found too */
  uint32_t samples;  /* spans that have `above` above them, before the strip became ambiguous */
} WmStrip;

/* A sweep over rows, see sweep_partition.c. */
typedef struct WmSweep {
  const WmCompactHeightfield *compact;
  const uint8_t *span_area;
  int32_t square_cells;
  uint16_t *span_region;
  WmStrip *strips;       /* [capacity]; 1.. used */
  uint16_t *final;       /* [capacity] the region of each strip; 0: 0 */
  uint32_t *below_count; /* [capacity] of a region: spans of the row below it; 0 between rows */
  uint32_t strip_count;
  uint32_t next_number;
} WmSweep;

/* Starts a sweep whose first region gets this number; takes scratch memory of the caller's mark. Regions of
 * rows before those that will be swept are in span_region. Otherwise as wm_partition_rows. */
WmStatus wm_sweep_start(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                        int32_t square_cells, uint32_t next_number, uint16_t *span_region, WmSweep *sweep);

/* Sweeps a row of the tile proper, in which no span has a region yet: nothing but that, and the regions of
 * the row before it, comes into it. */
WmStatus wm_sweep_row(WmContext *context, WmSweep *sweep, int32_t z);

/* Gives spans that continue the strip of this one, before `end` in its row, its number, as far as the same
 * lies above them: that region, or nothing. It may stop early. Returns how many. With squares `end` is the
 * span itself. Spans in between, of other layers, are still to come. */
uint32_t wm_sweep_ahead(WmSweep *sweep, uint32_t span, uint32_t end, uint32_t above);

/* Across which links of eight spans other regions, or none, may lie: four bits for each, bit d across link d
 * if it is there; of what is no region any. in         span: the first, a multiple of 8 */
uint32_t wm_find_contacts(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t span);

static inline bool wm_is_region(uint32_t value, uint32_t record_count) {
  return value != 0 && value < record_count && value < WM_REGION_BORDER;
}

/* Whether the eight spans from `span` on have one region; false where there are fewer. */
WM_INLINE bool wm_are_uniform(const uint16_t *span_region, uint32_t span, uint32_t span_count) {
  if (!WM_SIMD || span_count - span < 8) return false;
  const WmUshort8 eight = wm_load_ushort8(span_region + span);
  return wm_mask_short8((WmShort8)(eight != wm_splat_ushort8(span_region[span]))) == 0;
}

/* ---- Lists and stacks (region_sets.c) ------------------------------------------------------------------ */

/* Lists that are joined in one step: rings of entries, each known by its last entry, 0 where it is empty. */
typedef struct WmLists {
  struct WmListEntry {
    uint32_t next; /* the last one's is the first */
    uint32_t value;
  } * entries; /* [capacity], 1..count used; in scratch memory of the caller */
  uint32_t count;
  size_t capacity;
  uint32_t recent[1024]; /* pairs added not long ago, by their hash */
} WmLists;
typedef struct WmListEntry WmListEntry;

WmStatus wm_list_append(WmContext *context, WmLists *lists, uint32_t *last, uint32_t value);

/* Appends to the list of `owner`, from 1 on, unless that was done lately: few values are in a list twice.
 * Both are numbers of 16 bits. */
WmStatus wm_list_add(WmContext *context, WmLists *lists, uint32_t *last, uint32_t owner, uint32_t value);

/* Appends the whole list of `other`. */
void wm_list_join(WmLists *lists, uint32_t *last, uint32_t other);

/* The regions of a column, and of others that hold the same. */
typedef struct WmStack {
  uint32_t first, count; /* the column's spans */
  uint16_t rival;        /* the group that marked it last */
} WmStack;

/* Groups of regions, and which share a column with which. */
typedef struct WmRegionGroup {
  uint32_t stacks;      /* of a leader: list of the stacks that its group is in */
  uint32_t stack_count; /* of a leader: length of that list */
  uint64_t mates;       /* of a leader: spans of all those stacks */
  uint16_t leader;      /* toward the record that stands for the group */
  uint16_t number;      /* in the end */
  bool is_overlapping;  /* the raw region shares a column with itself */
  bool is_dropped;      /* of a leader: not renumbered; set by users */
} WmRegionGroup;

typedef struct WmStacks {
  WmRegionGroup *groups; /* [group_count] by record */
  uint32_t group_count;
  bool has_overlap; /* some region is overlapping */
  WmStack *stacks;  /* [stack_count] */
  uint32_t stack_count;
  size_t stack_capacity;
  const uint16_t *span_region; /* as gathered; stays as it is until groups are numbered */
  WmLists lists;               /* `recent`: stacks by the hash of their regions */
} WmStacks;

/* Starts without stacks; every record is a group of its own. */
WmStatus wm_stacks_start(WmContext *context, const uint16_t *span_region, uint32_t record_count,
                         WmStacks *stacks);

/* Enters a column as a stack, unless one that holds the same was entered not long ago. */
WmStatus wm_stacks_add(WmContext *context, WmStacks *stacks, uint32_t first, uint32_t count);

/* Enters the columns of these cells. */
WmStatus wm_stacks_add_cells(WmContext *context, const WmCompactHeightfield *compact, size_t cell, size_t end,
                             WmStacks *stacks);

/* Gathers the stacks of all columns. */
WmStatus wm_stacks_gather(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, uint32_t record_count, WmStacks *stacks);

/* The record that stands for a record's group. */
uint32_t wm_stacks_leader(const WmStacks *stacks, uint32_t record);

/* Marks the stacks of the group of `from`, a leader, as those of `leader`. */
void wm_stacks_mark(const WmStacks *stacks, uint32_t leader, uint32_t from);

/* Whether the groups of two leaders share a column. Goes through the stacks of one of them, and what those
 * hold, whichever is less; or only through the stacks where the first group marked its own. */
bool wm_stacks_meet(const WmStacks *stacks, uint32_t leader, uint32_t other, bool is_marked);

/* Makes the group of `other` part of that of `leader`, both leaders; marks stay as they are. */
void wm_stacks_unite(WmStacks *stacks, uint32_t leader, uint32_t other);

/* Numbers groups 1, 2, ... by first appearance. Returns how many there are. */
uint32_t wm_stacks_number(const WmStacks *stacks);

/* Numbers groups, writes the numbers into spans, and splits what overlaps. */
WmStatus wm_stacks_renumber(WmContext *context, const WmStacks *stacks, const WmCompactHeightfield *compact,
                            uint16_t *span_region, uint32_t *region_count);

/* ---- Outlines (region_outline.c) ----------------------------------------------------------------------- */

typedef struct WmOutlineRecord {
  uint32_t cells;
  uint32_t first_span; /* in raster order */
  uint32_t square;     /* number of the square, where there are squares */
  uint32_t ring;       /* list of the regions met along one outline, from its start on, 0 and borders among
                        * them, as numbered before merging; some may follow themselves */
  uint16_t next_of_island; /* the next region of an island, or this one; 0 = not visited */
  uint8_t area;
} WmOutlineRecord;

typedef struct WmOutlines {
  WmOutlineRecord *records; /* [record_count] */
  uint32_t record_count;    /* M + 1 */
  WmLists lists;
} WmOutlines;

/* Counts cells and walks once around each region from its first span.
 * in         square_cells as in wm_partition_rows */
WmStatus wm_outlines_gather(WmContext *context, const WmCompactHeightfield *compact,
                            const uint16_t *span_region, uint32_t record_count, int32_t square_cells,
                            WmOutlines *outlines);

/* Lists the regions met on the way round a region, from its record's first span on, each run once. */
WmStatus wm_outlines_walk(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, WmOutlines *outlines, uint32_t region);

/* ---- Layers (region_layers.c) -------------------------------------------------------------------------- */

/* A region, or the layer for which it stands. */
typedef struct WmLayerRecord {
  uint32_t cells;    /* 0 where another stands for its layer */
  int32_t low, high; /* floors */
  uint32_t links;    /* list of neighbours in the order in which a raster scan discovers them */
  uint8_t area;
  bool touches_border;
} WmLayerRecord;

typedef struct WmLayers {
  WmLayerRecord *records; /* [record_count] */
  uint32_t record_count;
  WmLists lists;
  WmStacks stacks;
} WmLayers;

/* The tallest layer, in cell heights: heights are bytes, and 255 says that there is nothing. */
enum { WM_TALLEST_LAYER = 254 };

/* Gathers the regions. Takes floors and areas of spans; floors may be NULL where height does not matter. */
WmStatus wm_layers_gather(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                          const uint16_t *span_floor, const uint16_t *span_region, uint32_t record_count,
                          WmLayers *layers);

/* Enters what lies beside a region: another one, the border, or nothing. */
WmStatus wm_layers_link(WmContext *context, WmLayers *layers, uint32_t region, uint32_t other);

/* Makes another layer part of the one whose rivals are marked, if the two share no column and together are
 * not too tall. */
bool wm_layers_join(WmLayers *layers, uint32_t record, uint32_t other);

/* Joins to each region, breadth first, what can be reached from it over regions of its area. */
void wm_layers_grow(WmLayers *layers);

/* Joins regions to layers, and says which are dropped: small islands. */
void wm_layers_merge(WmLayers *layers, int32_t min_region_cells);

/* ---- Clean-up ------------------------------------------------------------------------------------------ */

/* Drops small islands and merges small regions (region_merge.c).
 * in / out   outlines, stacks: of all raw regions; cells and groups change */
WmStatus wm_merge_outlines(WmContext *context, const WmRegionSettings *settings, const WmOutlines *outlines,
                           WmStacks *stacks);

/* Drops small islands, merges small regions, renumbers and splits.
 * in         next_number: the first raw number not used; square_cells: regions of different squares stay
 *            apart
 * in / out   span_region [span_count]
 * out        *region_count: the largest number given */
WmStatus wm_merge_regions(WmContext *context, const WmCompactHeightfield *compact,
                          const WmRegionSettings *settings, int32_t square_cells, uint32_t next_number,
                          uint16_t *span_region, uint32_t *region_count);

/* Joins raw regions to layers that do not overlap, drops small islands, renumbers and splits
 * (region_layers.c). */
WmStatus wm_merge_region_layers(WmContext *context, const WmCompactHeightfield *compact,
                                int32_t min_region_cells, uint32_t next_number, uint16_t *span_region,
                                uint32_t *region_count);

/* Cuts regions that have two spans in one column into pieces that have not (region_split.c). Other regions
 * are left alone; new pieces are numbered after *region_count, which grows. */
WmStatus wm_split_overlaps(WmContext *context, const WmCompactHeightfield *compact, uint16_t *span_region,
                           uint32_t *region_count);

#endif
