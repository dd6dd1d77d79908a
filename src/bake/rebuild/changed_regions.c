/* Regions of a tile that obstacles change. See baseline.h.
 *
 * The rows of the tile, from z = 0 (the number of a raw region is the order in which it begins):
 *
 *   row                       raw regions                           function
 *   before first_row          the baseline's                        copied
 *   first_row .. last change  areas differ: swept again             sweep_again
 *   .. last_row               swept again, until a row equals the   is_row_equal
 *                             baseline's except for numbers
 *   after last_row            the baseline's, renumbered:           renumber_rest
 *                               continues from last_row: image[old]
 *                               begins later: old + added
 *
 * `old` is the number that the first region beginning in first_row gets. A region now, and the baseline
 * region with exactly the same spans, its partner (0: none; such regions get their records from the
 * spans):
 *
 *   region now                begins                                partner
 *   >= begun                  after last_row                        region - added
 *   < old, not in swept rows  before first_row, ends before it      region, if the baseline's is not there
 *   meets one baseline region before first_row                      source, if it is the same number
 *   in the swept rows, which                                        (the rows before are equal)
 *   meets only it             in the swept rows                     source, if it begins there, too
 *   meets several, or none    anywhere                              0
 *
 * Regions with a partner copy its cells, first span and walk. Merging, islands and numbering then run on
 * records of all regions. */
#include <string.h>

#include "bake/rebuild/erode_window.h"
#include "bake/rebuild/baseline.h"
#include "bake/validate.h"
#include "base/debug/assert.h"

enum { SPOILED = 0xffff }; /* in Swept: meets several regions */

static const uint32_t *row_of(const WmChangedTile *c, int32_t z) {
  return c->compact->cell_first + (size_t)z * (size_t)c->compact->grid.width;
}

static uint32_t row_start(const WmChangedTile *c, int32_t z) { return row_of(c, z)[0]; }

/* ---- Changed spans ---------------------------------------------------------------------------------- */

/* Records a span whose area differs from the baseline: its region if it is in the border, otherwise its
 * row. */
static void record_change(WmChangedTile *c, uint32_t span, int32_t z) {
  const WmGrid *grid = &c->compact->grid;
  const int32_t border = grid->border_size;
  const uint32_t *row = row_of(c, z);
  const bool is_west = span < row[border], is_east = span >= row[grid->width - border];
  const bool is_north = z < border, is_south = z >= grid->depth - border;
  if (!is_west && !is_east && !is_north && !is_south) {
    if (c->first_row < 0) c->first_row = z;
    c->last_row = z;
  } else {
    const uint16_t side = is_south ? 4 : is_north ? 3 : is_east ? 2 : 1;
    c->span_region[span] = c->compact->span_area[span] == WM_AREA_NULL ? 0 : WM_REGION_BORDER | side;
  }
}

/* Finds the first and the last row inside the border with changes; first_row is -1 if there are none. */
static void find_changes(WmChangedTile *c) {
  const uint32_t count = c->compact->span_count;
  c->first_row = c->last_row = -1;
  int32_t z = 0;
  for (uint32_t span = 0; span < count; span += 16) {
    uint32_t changed = wm_compare_areas(c->compact->span_area + span, c->baseline_area + span, count - span);
    for (; changed; changed &= changed - 1) {
      const uint32_t at = span + (uint32_t)__builtin_ctz(changed);
      while (row_start(c, z + 1) <= at) z++;
      record_change(c, at, z);
    }
  }
}

/* ---- Sweeping ------------------------------------------------------------------------------------------ */

/* True if a row equals the baseline's except for region numbers. Then `image` maps the baseline's numbers
 * to those now, `source` back. */
static bool is_row_equal(WmChangedTile *c, int32_t z, uint16_t *source) {
  const int32_t border = c->compact->grid.border_size;
  const uint16_t *own = c->span_region, *baseline = c->baseline->raw_region;
  const uint32_t first = row_of(c, z)[border], end = row_of(c, z)[c->compact->grid.width - border];
  for (uint32_t span = first; span < end; span++) c->image[baseline[span]] = source[own[span]] = 0;
  for (uint32_t span = first; span < end; span++) {
    const uint16_t is = own[span], was = baseline[span];
    if ((is == 0) != (was == 0)) return false;
    if (is == 0 || (c->image[was] == is && source[is] == was)) continue;
    if (c->image[was] != 0 || source[is] != 0) return false;
    c->image[was] = is;
    source[is] = was;
  }
  return true;
}

static uint16_t replace(const uint16_t *table, uint16_t region) {
  return region & WM_REGION_BORDER ? region : table[region];
}

/* Replaces the regions of eight spans through a table, one distinct region at a time, since they are few. */
WM_INLINE void replace_eight(const uint16_t *table, uint16_t *region) {
  const WmUshort8 eight = wm_load_ushort8(region);
  WmUshort8 lanes = (WmUshort8)(eight == wm_splat_ushort8(*region));
  WmUshort8 replaced = wm_splat_ushort8(replace(table, *region));
  for (uint32_t left = ~(uint32_t)wm_mask_short8((WmShort8)lanes) & 255; left;) {
    const uint16_t was = region[__builtin_ctz(left)];
    lanes = (WmUshort8)(eight == wm_splat_ushort8(was));
    replaced = wm_select_ushort8(lanes, wm_splat_ushort8(replace(table, was)), replaced);
    left &= ~(uint32_t)wm_mask_short8((WmShort8)lanes);
  }
  wm_store_ushort8(region, replaced);
}

static void replace_regions(const uint16_t *table, uint16_t *region, uint32_t count) {
  for (; count >= 8; count -= 8, region += 8) replace_eight(table, region);
  for (; count > 0; count--, region++) *region = replace(table, *region);
}

/* Renumbers the regions of rows that are not swept again: those that continue from the last row swept, and
 * those that begin later. */
static void renumber_rest(WmChangedTile *c) {
  const uint32_t first = row_start(c, c->last_row + 1);
  const uint32_t end = row_start(c, c->compact->grid.depth - c->compact->grid.border_size);
  for (uint32_t i = c->baseline->row_number[c->last_row + 1]; i < c->baseline->record_count; i++) {
    c->image[i] = (uint16_t)((int32_t)i + c->added);
  }
  c->image[0] = 0;
  if (first < end) replace_regions(c->image, c->span_region + first, end - first);
}

/* Sweeps from the first changed row on, until a row after the last change equals the baseline's. */
static WmStatus sweep_again(WmContext *context, WmChangedTile *c) {
  const WmGrid *grid = &c->compact->grid;
  const WmBaseline *baseline = c->baseline;
  const int32_t border = grid->border_size, end = grid->depth - border, last_change = c->last_row;
  WmSweep sweep;
  c->image = wm_scratch_array(context, baseline->record_count, sizeof *c->image);
  uint16_t *source = wm_scratch_array(context, (size_t)WM_REGION_LIMIT + 1, sizeof *source);
  if (!c->image || !source) return WM_ERROR_OUT_OF_MEMORY;
  WmStatus status = wm_sweep_start(context, c->compact, c->compact->span_area, 0,
                                   baseline->row_number[c->first_row], c->span_region, &sweep);
  if (!status) memset(sweep.below_count, 0, sweep.next_number * sizeof *sweep.below_count);
  bool is_equal = false;
  for (int32_t z = c->first_row; !status && !is_equal && z < end; z++) {
    const uint32_t *row = row_of(c, z);
    memset(c->span_region + row[border], 0,
           (row[grid->width - border] - row[border]) * sizeof *c->span_region);
    status = wm_sweep_row(context, &sweep, z);
    c->last_row = z;
    is_equal = !status && z > last_change && is_row_equal(c, z, source);
  }
  if (status) return status;
  c->added = (int32_t)sweep.next_number - baseline->row_number[c->last_row + 1];
  c->next_number = (uint32_t)((int32_t)baseline->row_number[end] + c->added);
  if (c->next_number > WM_REGION_LIMIT + 1) return wm_fail_region_limit(context);
  renumber_rest(c);
  return WM_OK;
}

/* The index of the first side that is not before a span. */
static uint32_t find_side(const WmBaseline *baseline, uint32_t span) {
  uint32_t low = 0, high = baseline->side_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (baseline->sides[middle].side < 4 * span) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Copies the sides of the baseline; finds those of the rows swept again, and of the row before them. */
static bool gather_sides(WmContext *context, WmChangedTile *c) {
  const WmBaseline *baseline = c->baseline;
  c->sides = baseline->sides;
  c->side_count = baseline->side_count;
  if (c->first_row < 0) return true;
  const uint32_t first = row_start(c, c->first_row > 0 ? c->first_row - 1 : 0);
  const uint32_t end = row_start(c, c->last_row + 1);
  const uint32_t before = find_side(baseline, first), after = find_side(baseline, end);
  const uint32_t left = baseline->side_count - after;
  size_t capacity = baseline->side_count + (size_t)(end - first);
  WmRegionSide *sides = wm_scratch_array(context, capacity, sizeof *sides);
  if (!sides) return false;
  memcpy(sides, baseline->sides, before * sizeof *sides);
  c->side_count = before;
  wm_contour_find_edges(c->compact, c->span_region, first, end, c->edges);
  if (!wm_region_sides_add(context, c->compact, c->edges, first, end, &sides, &c->side_count, &capacity)) {
    return false;
  }
  c->sides = sides =
      wm_scratch_reserve(context, sides, &capacity, (size_t)c->side_count + left, sizeof *sides);
  if (!sides) return false;
  memcpy(sides + c->side_count, baseline->sides + after, left * sizeof *sides);
  c->side_count += left;
  return true;
}

/* ---- Partners and records --------------------------------------------------------------------------- */

/* Regions in the rows swept again. */
typedef struct Swept {
  uint16_t *image;      /* [baseline->record_count] the region met by a baseline region, or SPOILED */
  uint16_t *source;     /* [next_number + 1] the baseline region met, or SPOILED */
  uint32_t *first_span; /* [next_number + 1] the first of these spans */
} Swept;

/* Finds the regions now and of the baseline that share spans in the rows swept again. */
static void compare_rows(const WmChangedTile *c, Swept *swept) {
  const int32_t border = c->compact->grid.border_size;
  for (int32_t z = c->first_row; z <= c->last_row; z++) {
    const uint32_t *row = row_of(c, z);
    const uint32_t end = row[c->compact->grid.width - border];
    for (uint32_t span = row[border], uniform; span < end; span += uniform) {
      const uint16_t is = c->span_region[span], was = c->baseline->raw_region[span];
      uint16_t *image = &swept->image[was], *source = &swept->source[is];
      uniform =
          wm_are_uniform(c->span_region, span, end) && wm_are_uniform(c->baseline->raw_region, span, end) ? 8
                                                                                                          : 1;
      if (*image == is && *source == was) continue;
      if (*source == 0) swept->first_span[is] = span;
      *image = *image == 0 && is != 0 ? is : SPOILED;
      *source = *source == 0 && was != 0 ? was : SPOILED;
    }
  }
}

/* Finds partners: see the table above. Parts after the swept rows are equal if those in them are. */
static WmStatus find_partners(WmContext *context, WmChangedTile *c, Swept *swept) {
  const size_t count = (size_t)c->next_number + 1;
  c->partner = wm_scratch_zeroed(context, count, sizeof *c->partner);
  *swept = (Swept){wm_scratch_zeroed(context, c->baseline->record_count, sizeof *swept->image),
                   wm_scratch_zeroed(context, count, sizeof *swept->source),
                   wm_scratch_array(context, count, sizeof *swept->first_span)};
  if (!c->partner || !swept->image || !swept->source || !swept->first_span) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t old = c->next_number, begun = c->next_number;
  if (c->first_row >= 0) {
    compare_rows(c, swept);
    old = c->baseline->row_number[c->first_row];
    begun = (uint32_t)(c->baseline->row_number[c->last_row + 1] + c->added);
  }
  for (uint32_t region = 1; region < c->next_number; region++) {
    const uint16_t source = swept->source[region];
    uint32_t partner = 0;
    if (region >= begun) {
      partner = (uint32_t)((int32_t)region - c->added);
    } else if (source == 0) {
      partner = region < old && swept->image[region] == 0 ? region : 0;
    } else if (source != SPOILED && swept->image[source] == region) {
      partner = source == region || (source >= old && region >= old) ? source : 0;
    }
    c->partner[region] = (uint16_t)partner;
  }
  return WM_OK;
}

static uint32_t count_cells(const uint16_t *span_region, uint32_t span, uint32_t end, uint16_t region) {
  uint32_t count = 0;
  while (end - span >= 8) {
    /* Counts in 16-bit lanes, as many spans as those can hold. */
    const uint32_t part = end - span < 8 * INT16_MAX ? span + (end - span) / 8 * 8 : span + 8 * INT16_MAX;
    WmShort8 lanes = wm_splat_short8(0);
    for (; span < part; span += 8) {
      lanes -= (WmShort8)(wm_load_ushort8(span_region + span) == wm_splat_ushort8(region));
    }
    for (int lane = 0; lane < 8; lane++) count += (uint32_t)lanes[lane];
  }
  for (; span < end; span++) count += span_region[span] == region;
  return count;
}

/* Finds the cells and the first span of each region. */
static WmStatus find_records(WmContext *context, WmChangedTile *c, WmBaselineRegion **records) {
  Swept swept;
  WmStatus status = find_partners(context, c, &swept);
  *records = wm_scratch_zeroed(context, (size_t)c->next_number + 1, sizeof **records);
  if (!status && !*records) status = WM_ERROR_OUT_OF_MEMORY;
  if (status) return status;
  const uint32_t old = c->first_row < 0 ? c->next_number : c->baseline->row_number[c->first_row];
  for (uint32_t region = 1; region < c->next_number; region++) {
    WmBaselineRegion *record = *records + region;
    if (c->partner[region]) {
      *record = c->baseline->records[c->partner[region]];
      continue;
    }
    if (region < old && c->baseline->records[region].cells == 0) continue; /* an unused number */
    record->first_span = region < old ? c->baseline->records[region].first_span : swept.first_span[region];
    record->cells = count_cells(c->span_region, record->first_span, c->compact->span_count, (uint16_t)region);
  }
  return WM_OK;
}

/* ---- Merging ------------------------------------------------------------------------------------------- */

/* Columns of rows that are not swept again hold the same regions, renumbered. */
static WmStatus gather_stacks(WmContext *context, const WmChangedTile *c, WmStacks *stacks) {
  const size_t width = (size_t)c->compact->grid.width;
  WmStatus status = wm_stacks_start(context, c->span_region, c->next_number + 1, stacks);
  if (status) return status;
  uint32_t from = UINT32_MAX, to = UINT32_MAX;
  if (c->first_row >= 0) {
    from = row_start(c, c->first_row);
    to = row_start(c, c->last_row + 1);
    status = wm_stacks_add_cells(context, c->compact, (size_t)c->first_row * width,
                                 (size_t)(c->last_row + 1) * width, stacks);
  }
  for (uint32_t i = 0; !status && i < c->baseline->column_count; i++) {
    const WmBaselineColumn *column = &c->baseline->columns[i];
    if (column->first >= from && column->first < to) continue;
    status = wm_stacks_add(context, stacks, column->first, column->count);
  }
  return status;
}

/* wm_outlines_walk around a region with a partner, from its recorded walk. */
static bool replay_walk(WmContext *context, const WmChangedTile *c, const WmBaselineRegion *record,
                        WmOutlines *outlines, uint32_t *ring) {
  const uint32_t *steps = c->baseline->steps + record->first_step;
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < record->step_count; i++) {
    const uint32_t other = steps[i] == WM_NO_SPAN ? 0 : c->span_region[steps[i]];
    if (other == last) continue;
    last = other;
    if (wm_list_append(context, &outlines->lists, ring, other)) return false;
  }
  return true;
}

static WmStatus merge_monotone(WmContext *context, const WmRegionSettings *settings, WmChangedTile *c,
                               const WmBaselineRegion *records, WmStacks *stacks) {
  const uint32_t count = c->next_number + 1;
  WmOutlines outlines = {.records = wm_scratch_zeroed(context, count, sizeof *outlines.records),
                         .record_count = count};
  if (!outlines.records) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 1; i < count; i++) {
    WmOutlineRecord *record = &outlines.records[i];
    if (records[i].cells == 0) continue;
    record->cells = records[i].cells;
    record->first_span = records[i].first_span;
    record->area = c->compact->span_area[record->first_span];
    const bool is_known = c->partner[i] != 0;
    if (is_known ? !replay_walk(context, c, &records[i], &outlines, &record->ring)
                 : wm_outlines_walk(context, c->compact, c->span_region, &outlines, i) != WM_OK) {
      return WM_ERROR_OUT_OF_MEMORY;
    }
  }
  const WmStatus status = gather_stacks(context, c, stacks);
  return status ? status : wm_merge_outlines(context, settings, &outlines, stacks);
}

static WmStatus merge_layers(WmContext *context, const WmRegionSettings *settings, const WmChangedTile *c,
                             const WmBaselineRegion *records, WmLayers *layers) {
  const uint32_t count = c->next_number + 1;
  *layers = (WmLayers){.records = wm_scratch_zeroed(context, count, sizeof *layers->records),
                       .record_count = count};
  if (!layers->records) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 1; i < count; i++) {
    layers->records[i].cells = records[i].cells;
    layers->records[i].area = c->compact->span_area[records[i].first_span];
  }
  for (uint32_t i = 0; i < c->side_count; i++) {
    const WmRegionSide *side = &c->sides[i];
    const uint32_t own = c->span_region[side->side / 4];
    const uint32_t other = side->across == WM_NO_SPAN ? 0 : c->span_region[side->across];
    if (wm_layers_link(context, layers, own, other)) return WM_ERROR_OUT_OF_MEMORY;
  }
  const WmStatus status = gather_stacks(context, c, &layers->stacks);
  if (!status) wm_layers_merge(layers, settings->min_region_cells);
  return status;
}

/* ---- Numbering ----------------------------------------------------------------------------------------- */

static WmStatus write_regions(WmContext *context, WmChangedTile *c, const WmStacks *stacks) {
  c->number = wm_scratch_array(context, stacks->group_count, sizeof *c->number);
  if (!c->number) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < stacks->group_count; i++) c->number[i] = stacks->groups[i].number;
  replace_regions(c->number, c->span_region, c->compact->span_count);
  return WM_OK;
}

/* ---- All steps -------------------------------------------------------------------------------------- */

static WmStatus build(WmContext *context, const WmRegionSettings *settings, WmChangedTile *c,
                      WmRegions *regions) {
  const size_t count = c->compact->span_count;
  const WmBaseline *baseline = c->baseline;
  WmBaselineRegion *records;
  WmLayers layers;
  WmStacks stacks;
  c->edges = wm_scratch_array(context, count, 1);
  if (!c->edges) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(c->span_region, baseline->raw_region, count * sizeof *c->span_region);
  c->added = 0;
  c->next_number = baseline->record_count;
  find_changes(c);
  WmStatus status = c->first_row < 0 ? WM_OK : sweep_again(context, c);
  if (!status && !gather_sides(context, c)) status = WM_ERROR_OUT_OF_MEMORY;
  if (!status) status = find_records(context, c, &records);
  if (status) return status;
  if (settings->partition == WM_PARTITION_LAYERS) {
    status = merge_layers(context, settings, c, records, &layers);
    stacks = layers.stacks;
  } else {
    status = merge_monotone(context, settings, c, records, &stacks);
  }
  if (status) return status;
  regions->region_count = c->region_count = wm_stacks_number(&stacks);
  return write_regions(context, c, &stacks);
}

WmStatus wm_build_changed_regions(WmContext *context, const WmRegionSettings *settings,
                                  WmChangedTile *changed, WmRegions *regions) {
  WmLayout layout = {0};
  wm_layout_add(&layout, changed->compact->span_count, sizeof *regions->span_region);
  *regions = (WmRegions){.span_count = changed->compact->span_count};
  regions->block = wm_layout_allocate(context, &layout);
  if (!regions->block) return WM_ERROR_OUT_OF_MEMORY;
  regions->span_region = changed->span_region = regions->block;
  const WmStatus status = build(context, settings, changed, regions);
  if (status) {
    wm_regions_free(context, regions);
  } else {
    WM_VALIDATE(wm_regions_validate(NULL, changed->compact, regions));
  }
  return status;
}
