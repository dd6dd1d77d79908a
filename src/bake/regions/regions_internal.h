/* The region stage, in the order of its data:
 *
 *   distance.c          the distance field; a stage of its own
 *   maximum.[ch]        the maximum of an array
 *   regions.c           the whole (wm_build_regions); paints the border of a tile
 *   watershed.c         raw regions from the distance field, numbered from `first_number`
 *   sweep_partition.c   raw regions from rows: monotone, layers, chunky, heightfield layers
 *   uniform_spans.c     eight equal spans at a time, for the sweep and the outlines
 *   region_outline.c    cells, area and neighbours of each raw region
 *   region_merge.c      drops islands, merges small regions
 *   region_layers.c     instead of region_merge.c for layers: joins regions that don't overlap
 *   region_sets.c       lists and groups of regions; renumbers
 *   region_split.c      cuts regions that overlap themselves
 *
 * Records are numbered as raw regions are. As in the original, a field has records 0..M where M is the
 * first number not used: unused records consume numbers when regions are renumbered. */
#ifndef WALKMESH_BAKE_REGIONS_INTERNAL_H
#define WALKMESH_BAKE_REGIONS_INTERNAL_H

#include "bake/stages.h"
#include "base/simd.h"

/* Reports WM_ERROR_LIMIT, with the advice to use tiles. */
WmStatus wm_fail_region_limit(WmContext *context);

/* Sets the regions of the walkable spans in the border, if there is one. Returns the first number for
 * other regions. */
uint32_t wm_paint_borders(const WmCompactHeightfield *compact, uint16_t *span_region);

/* ---- Partitions into raw regions --------------------------------------------------------------------- */

/* Grows regions from the spans farthest from any area border (watershed.c).
 * in/out     distance: overwritten if it is spare; span_region [span_count]: border regions on entry, raw
 *            regions too on success
 * out        *next_number: the first number not used
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY, WM_ERROR_LIMIT */
WmStatus wm_partition_watershed(WmContext *context, const WmCompactHeightfield *compact,
                                WmDistanceField *distance, uint32_t first_number, uint16_t *span_region,
                                uint32_t *next_number);

/* Sweeps rows of the tile proper, and joins strips to the regions above them (sweep_partition.c).
 * in         span_area [span_count]: spans of different values never join, 0 is skipped; square_cells: strips
 *            don't leave squares with sides of this many cells, 0 = no squares
 * in/out     span_region, as wm_partition_watershed
 * out        *next_number, as wm_partition_watershed
 * returns    as wm_partition_watershed */
WmStatus wm_partition_rows(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                           int32_t square_cells, uint32_t first_number, uint16_t *span_region,
                           uint32_t *next_number);

/* ---- Uniform spans (uniform_spans.c, not in the core module) ------------------------------------------- */

/* A strip of the row that is being swept. */
typedef struct WmStrip {
  uint16_t above;    /* the first region found above; 0 = none */
  bool is_ambiguous; /* it has other regions above, too */
  uint32_t samples;  /* spans that have `above` above them, until the strip became ambiguous */
} WmStrip;

/* A sweep over rows, see sweep_partition.c. */
typedef struct WmSweep {
  const WmCompactHeightfield *compact;
  const uint8_t *span_area;
  int32_t square_cells;
  uint16_t *span_region;
  WmStrip *strips;       /* [capacity]; 1.. used */
  uint16_t *final;       /* [capacity] the region of each strip; 0 for strip 0 */
  uint32_t *below_count; /* [capacity] for each region: spans of the row below it; 0 between rows */
  uint32_t strip_count;
  uint32_t next_number;
} WmSweep;

/* Starts a sweep; takes scratch memory of the caller's mark. The first region gets the number
 * `next_number`. Regions of rows before the swept ones are in span_region. Otherwise as wm_partition_rows. */
WmStatus wm_sweep_start(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                        int32_t square_cells, uint32_t next_number, uint16_t *span_region, WmSweep *sweep);

/* Sweeps a row of the tile proper in which no span has a region yet. It depends only on that row and the
 * regions of the row before it. */
WmStatus wm_sweep_row(WmContext *context, WmSweep *sweep, int32_t z);

/* Gives this span's strip number to spans before `end` in its row that continue the strip and have the
 * same region above them as `above`, or none if that is 0. It may stop early. Returns their count. With
 * squares, `end` is the span itself. Spans in between, of other span layers, are swept later. */
uint32_t wm_sweep_ahead(WmSweep *sweep, uint32_t span, uint32_t end, uint32_t above);

/* Finds the links of eight spans behind which another region, or none, is: four bits for each span, of
 * which bit d is set for link d if it exists. Arbitrary bits for spans without a region. All bits if the
 * spans' links aren't stored as a block, or lead beyond the spans; else no other bits.
 * in         span: the first, a multiple of 8 */
uint32_t wm_find_contacts(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t span);

static inline bool wm_is_region(uint32_t value, uint32_t record_count) {
  return value != 0 && value < record_count && value < WM_REGION_BORDER;
}

/* True if the eight spans from `span` on have one region; false if there are fewer than eight. */
WM_INLINE bool wm_are_uniform(const uint16_t *span_region, uint32_t span, uint32_t span_count) {
  if (!WM_SIMD || span_count - span < 8) return false;
  const WmUshort8 eight = wm_load_ushort8(span_region + span);
  return wm_mask_short8((WmShort8)(eight != wm_splat_ushort8(span_region[span]))) == 0;
}

/* ---- Lists and stacks (region_sets.c) ---------------------------------------------------------------- */

/* Lists that are joined in one step: rings of entries, each known by its last entry, 0 if it is empty. */
typedef struct WmLists {
  struct WmListEntry {
    uint32_t next; /* of the last entry: the first entry */
    uint32_t value;
  } * entries; /* [capacity], 1..count used; in scratch memory of the caller */
  uint32_t count;
  size_t capacity;
  uint32_t recent[1024]; /* pairs added recently, by their hash */
} WmLists;
typedef struct WmListEntry WmListEntry;

WmStatus wm_list_append(WmContext *context, WmLists *lists, uint32_t *last, uint32_t value);

/* Appends `value` to the list of `owner`, from 1 on, unless it was appended recently: few values are in a
 * list twice. Both are 16-bit numbers. */
WmStatus wm_list_add(WmContext *context, WmLists *lists, uint32_t *last, uint32_t owner, uint32_t value);

/* Appends the whole list of `other`. */
void wm_list_join(WmLists *lists, uint32_t *last, uint32_t other);

/* The regions of a column, and of other columns that hold the same. */
typedef struct WmStack {
  uint32_t first, count; /* the column's spans */
  uint16_t rival;        /* the group that last marked it */
} WmStack;

/* A group of regions, with the columns it is in. */
typedef struct WmRegionGroup {
  uint32_t stacks;      /* of a leader: list of the stacks that contain the group */
  uint32_t stack_count; /* of a leader: length of that list */
  uint64_t mates;       /* of a leader: the number of spans in all those stacks */
  uint16_t leader;      /* toward the leader of the group */
  uint16_t number;      /* the final number of the region */
  bool is_overlapping;  /* the raw region shares a column with itself */
  bool is_dropped;      /* of a leader: not renumbered; set by callers */
} WmRegionGroup;

typedef struct WmStacks {
  WmRegionGroup *groups; /* [group_count] by record */
  uint32_t group_count;
  bool has_overlap; /* true if any region overlaps itself */
  WmStack *stacks;  /* [stack_count] */
  uint32_t stack_count;
  size_t stack_capacity;
  const uint16_t *span_region; /* as gathered; unchanged until groups are numbered */
  WmLists lists;               /* `recent`: stacks by the hash of their regions */
} WmStacks;

/* Starts without stacks; every record is a group of one. */
WmStatus wm_stacks_start(WmContext *context, const uint16_t *span_region, uint32_t record_count,
                         WmStacks *stacks);

/* Adds a column as a stack, unless one with the same regions was added recently. */
WmStatus wm_stacks_add(WmContext *context, WmStacks *stacks, uint32_t first, uint32_t count);

/* Adds the columns of the cells from `cell` to before `end`. */
WmStatus wm_stacks_add_cells(WmContext *context, const WmCompactHeightfield *compact, size_t cell, size_t end,
                             WmStacks *stacks);

/* Adds the columns of all cells. */
WmStatus wm_stacks_gather(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, uint32_t record_count, WmStacks *stacks);

/* The leader of a record's group. */
uint32_t wm_stacks_leader(const WmStacks *stacks, uint32_t record);

/* Marks the stacks of the group of `from`, a leader, as those of `leader`. */
void wm_stacks_mark(const WmStacks *stacks, uint32_t leader, uint32_t from);

/* True if the groups of two leaders share a column. Goes through the stacks of one of them and their
 * regions, whichever is less; if the first group marked its stacks, only through the stacks of the other. */
bool wm_stacks_meet(const WmStacks *stacks, uint32_t leader, uint32_t other, bool is_marked);

/* Joins the group of `other` to the group of `leader`, both leaders; marks stay as they are. */
void wm_stacks_unite(WmStacks *stacks, uint32_t leader, uint32_t other);

/* Numbers groups 1, 2, ... by first appearance. Returns the count. */
uint32_t wm_stacks_number(const WmStacks *stacks);

/* Numbers groups, writes the numbers into span_region, and splits regions that overlap themselves. */
WmStatus wm_stacks_renumber(WmContext *context, const WmStacks *stacks, const WmCompactHeightfield *compact,
                            uint16_t *span_region, uint32_t *region_count);

/* ---- Outlines (region_outline.c) --------------------------------------------------------------------- */

typedef struct WmOutlineRecord {
  uint32_t cells;
  uint32_t first_span;     /* in raster order */
  uint32_t square;         /* number of the square, if there are squares */
  uint32_t ring;           /* list of the regions met along one outline, from its start on, with 0 and border
                          regions, as numbered before merging; a region may follow itself */
  uint16_t next_of_island; /* the next region of an island, or this one if last; 0 = not visited */
  uint8_t area;
} WmOutlineRecord;

typedef struct WmOutlines {
  WmOutlineRecord *records; /* [record_count] */
  uint32_t record_count;    /* M + 1 */
  WmLists lists;
} WmOutlines;

/* Counts cells, and walks once around each region from its first span.
 * in         square_cells: as in wm_partition_rows */
WmStatus wm_outlines_gather(WmContext *context, const WmCompactHeightfield *compact,
                            const uint16_t *span_region, uint32_t record_count, int32_t square_cells,
                            WmOutlines *outlines);

/* Lists the regions met on the walk around a region, from its record's first span on; consecutive equal
 * ones once. */
WmStatus wm_outlines_walk(WmContext *context, const WmCompactHeightfield *compact,
                          const uint16_t *span_region, WmOutlines *outlines, uint32_t region);

/* ---- Layers (region_layers.c) ------------------------------------------------------------------------ */

/* A region, or the layer that it leads. */
typedef struct WmLayerRecord {
  uint32_t cells;    /* 0 if it belongs to another layer */
  int32_t low, high; /* floors */
  uint32_t links;    /* list of neighbours, in the order in which a raster scan discovers them */
  uint8_t area;
  bool touches_border;
} WmLayerRecord;

typedef struct WmLayers {
  WmLayerRecord *records; /* [record_count] */
  uint32_t record_count;
  WmLists lists;
  WmStacks stacks;
} WmLayers;

/* The tallest layer, in cell heights: heights are bytes, and 255 means empty. */
enum { WM_TALLEST_LAYER = 254 };

/* Gathers the regions with their neighbours and stacks.
 * in         span_floor: NULL if height doesn't matter */
WmStatus wm_layers_gather(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *span_area,
                          const uint16_t *span_floor, const uint16_t *span_region, uint32_t record_count,
                          WmLayers *layers);

/* Records a neighbour of a region: another region, a border region, or 0. */
WmStatus wm_layers_link(WmContext *context, WmLayers *layers, uint32_t region, uint32_t other);

/* Joins another layer to the one whose stacks are marked, if the two share no column and aren't too tall
 * together. Returns true if it did. */
bool wm_layers_join(WmLayers *layers, uint32_t record, uint32_t other);

/* Joins to each region, breadth first, the regions of its area that can be reached from it. */
void wm_layers_grow(WmLayers *layers);

/* Joins regions to layers, and marks small islands as dropped. */
void wm_layers_merge(WmLayers *layers, int32_t min_region_cells);

/* ---- Clean-up ---------------------------------------------------------------------------------------- */

/* Drops small islands and merges small regions (region_merge.c).
 * in/out     outlines, stacks: of all raw regions; cells and groups change */
WmStatus wm_merge_outlines(WmContext *context, const WmRegionSettings *settings, const WmOutlines *outlines,
                           WmStacks *stacks);

/* Drops small islands, merges small regions, renumbers and splits.
 * in         next_number: the first raw number not used; square_cells: regions of different squares stay
 *            apart
 * in/out     span_region [span_count]
 * out        *region_count: the largest number given */
WmStatus wm_merge_regions(WmContext *context, const WmCompactHeightfield *compact,
                          const WmRegionSettings *settings, int32_t square_cells, uint32_t next_number,
                          uint16_t *span_region, uint32_t *region_count);

/* Joins raw regions to layers that don't overlap themselves, drops small islands, renumbers and splits
 * (region_layers.c). */
WmStatus wm_merge_region_layers(WmContext *context, const WmCompactHeightfield *compact,
                                int32_t min_region_cells, uint32_t next_number, uint16_t *span_region,
                                uint32_t *region_count);

/* Cuts regions with two spans in one column into pieces without (region_split.c). Other regions are
 * unchanged; new pieces are numbered after *region_count, which grows. */
WmStatus wm_split_overlaps(WmContext *context, const WmCompactHeightfield *compact, uint16_t *span_region,
                           uint32_t *region_count);

#endif
