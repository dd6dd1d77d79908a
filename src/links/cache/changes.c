/* Finds the borders, positions and candidates that a change of a tile makes invalid. See cache_internal.h. */
#include "links/cache/cache_internal.h"

#include <math.h>

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

static bool overlaps_any(const WmCellRectangle *one, const WmCellRectangle *cells, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (wm_cells_overlap(one, &cells[i])) return true;
  }
  return false;
}

bool wm_strip_reads(const WmReadRegion *region, const WmCellRectangle *cells) {
  float centre[2], half[2];
  for (int axis = 0; axis < 2; axis++) {
    half[axis] = 0.5f * (float)(cells->high[axis] - cells->low[axis]);
    centre[axis] = (float)cells->low[axis] + half[axis] - region->start[axis];
  }
  const float x = region->outward[0], z = region->outward[1], extent_x = fabsf(x), extent_z = fabsf(z);
  const float away = centre[0] * x + centre[1] * z, aside = centre[1] * x - centre[0] * z;
  const float away_half = half[0] * extent_x + half[1] * extent_z + region->margin,
              aside_half = half[0] * extent_z + half[1] * extent_x + region->margin;
  return away >= -away_half && away <= region->distance + away_half &&
         aside >= smaller(region->aside, 0) - aside_half && aside <= larger(region->aside, 0) + aside_half;
}

/* The box around all cells of a change. */
static WmCellRectangle find_bounds(const WmPlaceChange *change) {
  const WmCellRectangle *lists[3] = {change->air, change->ground, change->polygons};
  const size_t counts[3] = {change->air_count, change->ground_count, change->polygon_count};
  WmCellRectangle bounds = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (int list = 0; list < 3; list++) {
    for (size_t i = 0; i < counts[list]; i++) wm_cells_join(&bounds, &lists[list][i]);
  }
  return bounds;
}

/* The kind of data that has changed in the cells along a position's line. */
typedef enum ChangeKind { CHANGE_OF_AIR, CHANGE_OF_GROUND, CHANGE_OF_POLYGONS } ChangeKind;

/* The part of a position's line that reads such a change: cells of the line, and cells around it. */
typedef struct ReadPart {
  float from, to, margin;
} ReadPart;

WM_INLINE ReadPart find_read_part(const WmLinkLimits *limits, const WmPositionReach *reach, ChangeKind kind) {
  ReadPart part = {.to = 0.5f * (float)reach->farthest,
                   .margin = WM_REGION_SLACK + (reach->has_candidates ? WM_WIDENED_CELLS : 0)};
  if (kind == CHANGE_OF_AIR && reach->is_swept) part.margin += wm_flight_radius(limits);
  /* Steps read ground from the border on. */
  if (kind == CHANGE_OF_GROUND && !reach->has_candidates) part.from = limits->nearest;
  if (kind == CHANGE_OF_POLYGONS)
    part.from = reach->landing == WM_NEVER_LANDS ? INFINITY : 0.5f * (float)reach->landing;
  return part;
}

/* A rectangle of cells, seen from the first end of a border: its middle and half its size, on x and z, and along and across the lines. */
typedef struct SeenCells {
  float middle[2], half[2], away, aside, away_half, aside_half;
} SeenCells;

static SeenCells see_cells(const WmReadRegion *region, const WmCellRectangle *cells) {
  const float x = region->outward[0], z = region->outward[1];
  SeenCells seen;
  for (int axis = 0; axis < 2; axis++) {
    seen.half[axis] = 0.5f * (float)(cells->high[axis] - cells->low[axis]);
    seen.middle[axis] = (float)cells->low[axis] + seen.half[axis] - region->start[axis];
  }
  seen.away = seen.middle[0] * x + seen.middle[1] * z;
  seen.aside = seen.middle[1] * x - seen.middle[0] * z;
  seen.away_half = seen.half[0] * fabsf(x) + seen.half[1] * fabsf(z);
  seen.aside_half = seen.half[0] * fabsf(z) + seen.half[1] * fabsf(x);
  return seen;
}

/* True if a part of the line of a position `aside` of the border's first end doesn't lie apart from cells. */
WM_INLINE bool reads_seen(const WmReadRegion *region, float aside, ReadPart part, const SeenCells *seen) {
  if (fabsf(seen->aside - aside) > seen->aside_half + part.margin) return false;
  if (!(part.from <= part.to) || seen->away + seen->away_half + part.margin < part.from ||
      seen->away - seen->away_half - part.margin > part.to)
    return false;
  /* Lines along an axis have no other axes. */
  for (int axis = 0; axis < 2 && region->outward[0] != 0 && region->outward[1] != 0; axis++) {
    const float outward = region->outward[axis],
                foot = aside * (axis ? region->outward[0] : -region->outward[1]) - seen->middle[axis];
    const float a = foot + part.from * outward, b = foot + part.to * outward,
                most = seen->half[axis] + part.margin;
    if (smaller(a, b) > most || larger(a, b) < -most) return false;
  }
  return true;
}

/* Cells from a position of a border to the next one, with a sign. */
static float find_spacing(const WmCachedBorder *border) {
  return border->read.aside / (float)(border->position_count - 1);
}

/* Marks the candidates of a border whose flights a rectangle of air may stop now. */
static void mark_candidates(const WmLinkLimits *limits, const WmCachedBorder *border,
                            WmStoredCandidate *candidates, const SeenCells *seen) {
  const WmReadRegion *region = &border->read;
  const float spacing = find_spacing(border), margin = WM_REGION_SLACK + wm_flight_radius(limits);
  for (uint32_t i = 0; i < border->candidate_count; i++) {
    WmStoredCandidate *stored = &candidates[i];
    if (stored->is_changed) continue;
    const int32_t own = stored->candidate.step, run = stored->run.step;
    const ReadPart part = {0, 0.5f * (float)(own > run ? own : run), margin};
    if (region->margin < 0 || reads_seen(region, spacing * (float)stored->position, part, seen))
      stored->is_changed = true;
  }
}

/* Marks the positions of a border that read a change of a kind in a rectangle.
 * in/out     reaches [border->position_count]
 * returns    true if there are any */
static bool mark_positions(const WmLinkLimits *limits, const WmCachedBorder *border, WmPositionReach *reaches,
                           ChangeKind kind, const SeenCells *seen) {
  const WmReadRegion *region = &border->read;
  const float spacing = find_spacing(border), last = (float)(border->position_count - 1);
  const float most = seen->aside_half + region->margin + WM_WIDENED_CELLS;
  const float a = (seen->aside - most) / spacing, b = (seen->aside + most) / spacing;
  const bool is_precise = region->margin >= 0;
  const uint32_t from = is_precise ? (uint32_t)larger(0, smaller(smaller(a, b), last)) : 0,
                 to = is_precise ? (uint32_t)larger(0, smaller(larger(a, b) + 1, last)) : (uint32_t)last;
  bool is_changed = false;
  for (uint32_t k = from; k <= to; k++) {
    if (reaches[k].is_changed) continue;
    const ReadPart part = find_read_part(limits, &reaches[k], kind);
    if (is_precise && !reads_seen(region, spacing * (float)k, part, seen)) continue;
    reaches[k].is_changed = is_changed = true;
  }
  return is_changed;
}

/* Marks what was found at a border, and depends on a change.
 * returns    true if there is any */
static bool mark_change(const WmLinkLimits *limits, WmCachedBorder *border, const WmFound *found,
                        const WmPlaceChange *change) {
  const WmReadRegion *region = &border->read;
  const WmCellRectangle *lists[] = {change->air, change->ground, change->polygons};
  const size_t counts[] = {change->air_count, change->ground_count,
                           region->landing <= region->distance ? change->polygon_count : 0};
  bool is_changed = false;
  for (int kind = CHANGE_OF_AIR; kind <= CHANGE_OF_POLYGONS; kind++) {
    for (size_t i = 0; i < counts[kind]; i++) {
      if (!wm_region_reads(region, &lists[kind][i])) continue;
      const SeenCells seen = see_cells(region, &lists[kind][i]);
      is_changed |= mark_positions(limits, border, found->reaches, (ChangeKind)kind, &seen);
      if (kind != CHANGE_OF_AIR) continue;
      wm_cells_join(&border->changed, &lists[kind][i]);
      mark_candidates(limits, border, found->candidates, &seen);
    }
  }
  return is_changed;
}

void wm_cache_invalidate(WmLinkGenerator *generator, int32_t x, int32_t z, const WmPlaceChange *change) {
  int32_t first[2], last[2];
  if (change->air_count + change->ground_count + change->polygon_count == 0) return;
  wm_link_generator_affected(generator, x, z, first, last);
  const WmCellRectangle bounds = find_bounds(change);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) {
      WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, at_x, at_z)];
      const WmTileBorders *tile = place->borders;
      const WmCellRectangle own = wm_tile_cells(generator, at_x, at_z);
      if (place->is_current && overlaps_any(&own, change->polygons, change->polygon_count)) {
        const bool is_beside = at_x != x || at_z != z;
        place->is_current = is_beside && change->mesh &&
                            place->portals_key == wm_cache_hash_portals(change->mesh, at_x, at_z);
      }
      if (!tile || !wm_cells_overlap(&tile->read, &bounds)) continue;
      WmFound found, next = tile->found;
      for (uint32_t i = 0; i < tile->count; i++) {
        WmCachedBorder *border = &tile->borders[i];
        found = next;
        next = wm_skip_border(found, border);
        if (!border->is_valid && !border->is_partial) continue;
        if (!wm_region_reads(&border->read, &bounds) ||
            !mark_change(&generator->limits, border, &found, change))
          continue;
        border->is_valid = false;
        place->is_current = false;
      }
    }
  }
}

void wm_cache_invalidate_tile(WmLinkGenerator *generator, int32_t x, int32_t z) {
  WmCellRectangle cells = wm_tile_cells(generator, x, z);
  for (int axis = 0; axis < 2; axis++) {
    cells.low[axis]--;
    cells.high[axis]++;
  }
  const WmPlaceChange change = {.air = &cells, .polygons = &cells, .air_count = 1, .polygon_count = 1};
  wm_cache_invalidate(generator, x, z, &change);
}

bool wm_cache_find_difference(WmLinkGenerator *generator, const WmStampList *before, const WmStampList *after,
                              WmCellRectangle **cells, size_t *count) {
  *cells = wm_scratch_array(generator->context, (size_t)before->count + after->count, sizeof **cells);
  return *cells && before->is_complete && after->is_complete &&
         wm_stamps_differ(generator->context, before, after, *cells, count) == WM_OK;
}
