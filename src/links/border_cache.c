/* See border_cache.h. */
#include "links/border_cache.h"

#include <math.h>
#include <string.h>

#define NO_PLACE UINT32_MAX

/* What was found at a border, or at one border after the other. */
typedef struct Found {
  WmSegmentLink *links;          /* [link_count] */
  WmStoredCandidate *candidates; /* [candidate_count] */
  WmPositionReach *reaches;      /* [position_count] */
} Found;

/* The borders of a tile, in one block with their links. */
typedef struct TileBorders {
  WmCachedBorder *borders; /* [count] in the order of the run */
  Found found;             /* of the first border, then of the next */
  WmCellRectangle read;    /* has all cells that the borders read */
  uint32_t *heads, *next;  /* borders by the hash of their keys: [mask + 1], [count]: index + 1 */
  uint32_t count, mask;
  size_t bytes;
  uint64_t surroundings; /* in which they were found */
  WmSegmentLink *result; /* [result_count] the tile's links then, in a block of their own; NULL: not stored */
  size_t result_count;
} TileBorders;

typedef struct BorderPlace {
  uint64_t air; /* a hash of its bytes; 0: the tile is missing */
  WmStampList volumes, polygons;
  uint64_t volumes_key, surface_key; /* of these volumes and polygons; 0: not known */
  bool is_changed;                   /* its tile may have other polygons now; set_changed sets it */
  bool is_current;       /* a run would find the links that the last one found, if no tile is changed */
  TileBorders *borders;  /* NULL: none are stored */
  TileBorders *former;   /* of other surroundings, which may come again; NULL: none are stored */
  uint32_t newer, older; /* places with borders by their last run */
} BorderPlace;

struct WmBorderCache {
  size_t limit, bytes;
  uint32_t newest, oldest;
  uint64_t unknown_count; /* contents that are unlike any others */
  size_t changed_count;   /* places that are changed */
  BorderPlace *places;    /* by z, then x */
};

/* What follows after that of a border. */
static Found skip_border(Found found, const WmCachedBorder *border) {
  if (border->link_count) found.links += border->link_count;
  if (border->candidate_count) found.candidates += border->candidate_count;
  if (border->position_count) found.reaches += border->position_count;
  return found;
}

/* ---- Creation and destruction ------------------------------------------------------------------------- */

static size_t count_places(const WmLinkGenerator *generator) {
  return (size_t)generator->voxels.tile_count_x * (size_t)generator->voxels.tile_count_z;
}

static void unlist_borders(WmBorderCache *cache, const BorderPlace *place) {
  *(place->newer == NO_PLACE ? &cache->newest : &cache->places[place->newer].older) = place->older;
  *(place->older == NO_PLACE ? &cache->oldest : &cache->places[place->older].newer) = place->newer;
}

static void list_borders(WmBorderCache *cache, uint32_t number) {
  BorderPlace *place = &cache->places[number];
  place->newer = NO_PLACE;
  place->older = cache->newest;
  *(cache->newest == NO_PLACE ? &cache->oldest : &cache->places[cache->newest].newer) = number;
  cache->newest = number;
}

static void free_result(WmLinkGenerator *generator, TileBorders *tile) {
  generator->border_cache->bytes -= tile->result_count * sizeof *tile->result;
  wm_block_free(generator->context, tile->result);
  tile->result = NULL;
  tile->result_count = 0;
}

static void free_borders(WmLinkGenerator *generator, TileBorders *tile) {
  if (!tile) return;
  free_result(generator, tile);
  generator->border_cache->bytes -= tile->bytes;
  wm_block_free(generator->context, tile);
}

static void drop_borders(WmLinkGenerator *generator, uint32_t number) {
  WmBorderCache *cache = generator->border_cache;
  BorderPlace *place = &cache->places[number];
  if (!place->borders) return;
  unlist_borders(cache, place);
  free_borders(generator, place->borders);
  free_borders(generator, place->former);
  place->borders = place->former = NULL;
  place->is_current = false;
}

/* Replaces a list. */
static void set_stamps(WmLinkGenerator *generator, WmStampList *list, const WmStampList *made) {
  WmBorderCache *cache = generator->border_cache;
  cache->bytes -= list->bytes;
  wm_block_free(generator->context, list->stamps);
  *list = *made;
  cache->bytes += list->bytes;
}

/* Drops borders, the least recently run first. */
static void shrink(WmLinkGenerator *generator, size_t limit) {
  WmBorderCache *cache = generator->border_cache;
  while (cache->bytes > limit && cache->oldest != NO_PLACE) drop_borders(generator, cache->oldest);
}

void wm_border_cache_destroy(WmLinkGenerator *generator) {
  WmBorderCache *cache = generator->border_cache;
  if (!cache) return;
  shrink(generator, 0);
  const size_t count = count_places(generator);
  for (size_t i = 0; i < count; i++) {
    wm_block_free(generator->context, cache->places[i].volumes.stamps);
    wm_block_free(generator->context, cache->places[i].polygons.stamps);
  }
  wm_block_free(generator->context, cache->places);
  wm_block_free(generator->context, cache);
  generator->border_cache = NULL;
}

bool wm_border_cache_drop_all(WmLinkGenerator *generator) {
  if (!generator->border_cache || generator->border_cache->oldest == NO_PLACE) return false;
  while (generator->border_cache->oldest != NO_PLACE)
    drop_borders(generator, generator->border_cache->oldest);
  return true;
}

size_t wm_border_cache_bytes(const WmLinkGenerator *generator) {
  return generator->border_cache
             ? generator->border_cache->bytes + count_places(generator) * sizeof(BorderPlace)
             : 0;
}

static void set_changed(WmLinkGenerator *generator, BorderPlace *place, bool is_changed) {
  if (place->is_changed == is_changed) return;
  place->is_changed = is_changed;
  generator->border_cache->changed_count += is_changed ? 1 : SIZE_MAX;
}

/* ---- Cells -------------------------------------------------------------------------------------------- */

static WmCellRectangle tile_cells(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  const int32_t width = generator->tile_width, depth = generator->tile_depth;
  return (WmCellRectangle){{x * width, z * depth}, {(x + 1) * width, (z + 1) * depth}};
}

/* ---- Changes ------------------------------------------------------------------------------------------ */

static uint32_t number_place(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  return (uint32_t)x + (uint32_t)z * (uint32_t)generator->voxels.tile_count_x;
}

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

static bool overlaps_any(const WmCellRectangle *one, const WmCellRectangle *cells, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (wm_cells_overlap(one, &cells[i])) return true;
  }
  return false;
}

/* True if the strip of a read region and a rectangle don't lie apart on an axis of either. */
static bool reads_cells(const WmReadRegion *region, const WmCellRectangle *cells) {
  if (!wm_cells_overlap(&region->cells, cells)) return false;
  if (region->margin < 0) return true;
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

/* Cells by which regions are wider than what is read: more than coordinates are rounded by. */
#define REGION_SLACK 1.0f

/* Where a tile differs from what it was. */
typedef struct Change {
  const WmCellRectangle *air, *ground, *polygons; /* [air_count] gaps; [ground_count] which gaps have ground;
                                                     [polygon_count] polygons that came or went */
  size_t air_count, ground_count, polygon_count;
} Change;

/* The box around all cells of a change. */
static WmCellRectangle find_bounds(const Change *change) {
  const WmCellRectangle *lists[3] = {change->air, change->ground, change->polygons};
  const size_t counts[3] = {change->air_count, change->ground_count, change->polygon_count};
  WmCellRectangle bounds = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (int list = 0; list < 3; list++) {
    for (size_t i = 0; i < counts[list]; i++) wm_cells_join(&bounds, &lists[list][i]);
  }
  return bounds;
}

/* What of the cells along a position's line a change concerns. */
typedef enum ChangeKind { CHANGE_OF_AIR, CHANGE_OF_GROUND, CHANGE_OF_POLYGONS } ChangeKind;

/* The part of a position's line that reads such a change: cells of the line, and cells around it. */
typedef struct ReadPart {
  float from, to, margin;
} ReadPart;

WM_INLINE ReadPart find_read_part(const WmLinkLimits *limits, const WmPositionReach *reach, ChangeKind kind) {
  ReadPart part = {.to = 0.5f * (float)reach->farthest,
                   .margin = REGION_SLACK + (reach->has_candidates ? WM_WIDENED_CELLS : 0)};
  if (kind == CHANGE_OF_AIR && reach->is_swept) part.margin += wm_flight_radius(limits);
  if (kind == CHANGE_OF_GROUND) part.from = limits->nearest;
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
  const float spacing = find_spacing(border), margin = REGION_SLACK + wm_flight_radius(limits);
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
static bool mark_change(const WmLinkLimits *limits, const WmCachedBorder *border, const Found *found,
                        const Change *change) {
  const WmReadRegion *region = &border->read;
  const WmCellRectangle *lists[] = {change->air, change->ground, change->polygons};
  const size_t counts[] = {change->air_count, change->ground_count,
                           region->landing <= region->distance ? change->polygon_count : 0};
  bool is_changed = false;
  for (int kind = CHANGE_OF_AIR; kind <= CHANGE_OF_POLYGONS; kind++) {
    for (size_t i = 0; i < counts[kind]; i++) {
      if (!reads_cells(region, &lists[kind][i])) continue;
      const SeenCells seen = see_cells(region, &lists[kind][i]);
      is_changed |= mark_positions(limits, border, found->reaches, (ChangeKind)kind, &seen);
      if (kind == CHANGE_OF_AIR) mark_candidates(limits, border, found->candidates, &seen);
    }
  }
  return is_changed;
}

/* Invalidates the borders around tile (x, z) that read what has changed. Polygons that changed also decide where the tiles that
 * they lie in, or beside, have borders. */
static void invalidate(WmLinkGenerator *generator, int32_t x, int32_t z, const Change *change) {
  int32_t first[2], last[2];
  if (change->air_count + change->ground_count + change->polygon_count == 0) return;
  wm_link_generator_affected(generator, x, z, first, last);
  const WmCellRectangle bounds = find_bounds(change);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) {
      BorderPlace *place = &generator->border_cache->places[number_place(generator, at_x, at_z)];
      const TileBorders *tile = place->borders;
      const WmCellRectangle own = tile_cells(generator, at_x, at_z);
      if (overlaps_any(&own, change->polygons, change->polygon_count)) place->is_current = false;
      if (!tile || !wm_cells_overlap(&tile->read, &bounds)) continue;
      Found found, next = tile->found;
      for (uint32_t i = 0; i < tile->count; i++) {
        WmCachedBorder *border = &tile->borders[i];
        found = next;
        next = skip_border(found, border);
        if (!border->is_valid && !border->is_partial) continue;
        if (!reads_cells(&border->read, &bounds) || !mark_change(&generator->limits, border, &found, change))
          continue;
        border->is_valid = false;
        place->is_current = false;
      }
    }
  }
}

/* Invalidates the borders around a tile that read any of it, or lie beside it. */
static void invalidate_tile(WmLinkGenerator *generator, int32_t x, int32_t z) {
  WmCellRectangle cells = tile_cells(generator, x, z);
  for (int axis = 0; axis < 2; axis++) {
    cells.low[axis]--;
    cells.high[axis]++;
  }
  const Change change = {.air = &cells, .polygons = &cells, .air_count = 1, .polygon_count = 1};
  invalidate(generator, x, z, &change);
}

/* Finds the cells in which two lists of a place differ. Uses scratch memory of the caller's mark.
 * returns    false if they can't be compared */
static bool find_difference(WmLinkGenerator *generator, const WmStampList *before, const WmStampList *after,
                            WmCellRectangle **cells, size_t *count) {
  *cells = wm_scratch_array(generator->context, (size_t)before->count + after->count, sizeof **cells);
  return *cells && before->is_complete && after->is_complete &&
         wm_stamps_differ(generator->context, before, after, *cells, count) == WM_OK;
}

/* ---- Air ---------------------------------------------------------------------------------------------- */

/* Mixes a word into a hash. */
static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

/* A hash of bytes, never 0. */
static uint64_t hash_bytes(const uint8_t *bytes, size_t byte_count) {
  WmContentHash hash = wm_content_hash_start();
  const uint32_t count = (uint32_t)byte_count;
  uint32_t rest = 0;
  wm_content_hash_words(&hash, bytes, byte_count / 4);
  memcpy(&rest, bytes + byte_count / 4 * 4, byte_count % 4);
  wm_content_hash_words(&hash, &rest, 1);
  wm_content_hash_words(&hash, &count, 1);
  wm_content_hash_finish(&hash);
  return hash.lanes[0] | 1;
}

/* Sets the volumes of a place, and invalidates the borders that read where they differ. */
static void set_volumes(WmLinkGenerator *generator, int32_t x, int32_t z, const WmAreaVolume *blocking,
                        size_t blocking_count, bool invalidates) {
  BorderPlace *place = &generator->border_cache->places[number_place(generator, x, z)];
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  const WmStampList volumes = wm_stamp_volumes(generator, blocking, blocking_count);
  WmCellRectangle *cells;
  size_t count;
  if (invalidates && find_difference(generator, &place->volumes, &volumes, &cells, &count)) {
    invalidate(generator, x, z, &(Change){.air = cells, .air_count = count});
  } else if (invalidates) {
    invalidate_tile(generator, x, z);
  }
  wm_scratch_rewind(generator->context, mark);
  set_stamps(generator, &place->volumes, &volumes);
  place->volumes_key = volumes.is_complete;
  for (uint32_t i = 0; i < volumes.count; i++)
    place->volumes_key = mix(place->volumes_key, volumes.stamps[i].hash) | 1;
}

void wm_border_cache_note_air(WmLinkGenerator *generator, int32_t x, int32_t z, const uint8_t *bytes,
                              size_t byte_count, const WmAreaVolume *blocking, size_t blocking_count) {
  if (!generator->border_cache) return;
  BorderPlace *place = &generator->border_cache->places[number_place(generator, x, z)];
  const uint64_t air = bytes ? hash_bytes(bytes, byte_count) : 0;
  const bool is_same = air == place->air;
  if (!is_same) invalidate_tile(generator, x, z);
  set_volumes(generator, x, z, blocking, blocking_count, is_same);
  place->air = air;
  if (bytes) return;
  drop_borders(generator, number_place(generator, x, z));
  set_stamps(generator, &place->polygons, &(WmStampList){0});
  set_changed(generator, place, true);
}

void wm_border_cache_note_volumes(WmLinkGenerator *generator, int32_t x, int32_t z,
                                  const WmAreaVolume *blocking, size_t blocking_count) {
  if (generator->border_cache) set_volumes(generator, x, z, blocking, blocking_count, true);
}

/* Notes the air that was stored before there was a cache. */
static void note_present_air(WmLinkGenerator *generator) {
  for (int32_t z = 0; z < generator->voxels.tile_count_z; z++) {
    for (int32_t x = 0; x < generator->voxels.tile_count_x; x++) {
      const WmAirTile *tile = wm_air_tile(generator, x, z);
      if (!tile || !tile->bytes) continue;
      wm_border_cache_note_air(generator, x, z, tile->bytes, tile->byte_count, tile->blocking,
                               tile->blocking_count);
    }
  }
}

WmStatus wm_border_cache_limit(WmLinkGenerator *generator, size_t limit) {
  WmContext *context = generator->context;
  if (limit == 0) {
    wm_border_cache_destroy(generator);
    return WM_OK;
  }
  if (!generator->border_cache) {
    const size_t count = count_places(generator);
    WmLayout layout = {0};
    wm_layout_add(&layout, count, sizeof(BorderPlace));
    WmBorderCache *cache = wm_block_allocate(context, sizeof *cache);
    BorderPlace *places = cache ? wm_layout_allocate(context, &layout) : NULL;
    if (!places) {
      wm_block_free(context, cache);
      return WM_ERROR_OUT_OF_MEMORY;
    }
    memset(places, 0, count * sizeof *places);
    for (size_t i = 0; i < count; i++) places[i].is_changed = true;
    *cache =
        (WmBorderCache){.newest = NO_PLACE, .oldest = NO_PLACE, .changed_count = count, .places = places};
    generator->border_cache = cache;
    note_present_air(generator);
  }
  generator->border_cache->limit = limit;
  shrink(generator, limit);
  return WM_OK;
}

void wm_border_cache_note_tile(WmLinkGenerator *generator, int32_t x, int32_t z) {
  if (generator->border_cache)
    set_changed(generator, &generator->border_cache->places[number_place(generator, x, z)], true);
}

/* ---- Polygons ----------------------------------------------------------------------------------------- */

/* Compares the polygons of a place with those that it had, and invalidates the borders that read where they differ. */
static void update_place(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  BorderPlace *place = &generator->border_cache->places[number_place(generator, x, z)];
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  WmSurfaceHashes hashes;
  WmStampList polygons = {0};
  WmCellRectangle *cells, ground;
  Change change = {0};
  const bool is_hashed = wm_hash_surface(generator->context, mesh, x, z, &hashes) == WM_OK;
  if (is_hashed) polygons = wm_stamp_surface(generator, mesh, x, z, &hashes);
  if (find_difference(generator, &place->polygons, &polygons, &cells, &change.polygon_count)) {
    change.polygons = change.ground = cells;
    change.ground_count = change.polygon_count;
    if (wm_air_tile_refresh(generator, mesh, x, z, place->surface_key, &hashes, &ground)) {
      change.ground = &ground;
      change.ground_count = ground.low[0] < ground.high[0];
    }
    invalidate(generator, x, z, &change);
  } else {
    invalidate_tile(generator, x, z);
  }
  wm_scratch_rewind(generator->context, mark);
  set_stamps(generator, &place->polygons, &polygons);
  place->surface_key = polygons.is_complete ? hashes.key : 0;
  set_changed(generator, place, !polygons.is_complete);
}

/* Compares the polygons of places around a tile with those that they had, where they may have changed. */
static void update_polygons(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  int32_t first[2], last[2];
  if (generator->border_cache->changed_count == 0) return;
  wm_link_generator_affected(generator, x, z, first, last);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) {
      const BorderPlace *place = &generator->border_cache->places[number_place(generator, at_x, at_z)];
      if (place->is_changed) update_place(generator, mesh, at_x, at_z);
    }
  }
}

/* ---- Borders ------------------------------------------------------------------------------------------ */

/* The hash of a border's polygon, on whose heights its lines start; 0: it is flat.
 * in         list: of the present polygons of the place
 * in/out     *layer, *first: of the border before, NULL and 0 at first; index of the layer's first polygon */
static uint64_t find_shape(const WmMesh *mesh, const WmStampList *list, const WmBorder *border,
                           const WmMeshTile **layer, uint32_t *first) {
  const WmMeshTile *tile = border->tile;
  if (!list->is_complete) return wm_polygon_hash(tile, border->polygon);
  while (*layer != tile) {
    if (*layer) *first += (*layer)->ground_count;
    *layer = wm_mesh_next_layer(mesh, tile->x, tile->z, *layer);
  }
  const size_t number = (size_t)*first + border->polygon; /* beyond the list if nobody told of a change */
  return number < list->shape_count ? list->shapes[number] : wm_polygon_hash(tile, border->polygon);
}

static WmContentHash hash_border(const WmBorder *border, uint64_t shape) {
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, &shape, 2);
  wm_content_hash_words(&hash, border->first, 3);
  wm_content_hash_words(&hash, border->second, 3);
  wm_content_hash_words(&hash, border->outward, 2);
  wm_content_hash_words(&hash, &border->length, 1);
  wm_content_hash_finish(&hash);
  return hash;
}

/* Coordinates beyond have errors that margins don't cover, cells; they get more. */
#define PRECISE_CELLS 1e6f
#define IMPRECISE_SLACK 8.0f

/* The cells that walks and flights from a border read. */
static WmReadRegion find_read_region(const WmLinkGenerator *generator, const WmBorder *border,
                                     const WmBorderReach *reach) {
  const float cell = generator->bake.cell_size, distance = reach->farthest;
  WmReadRegion region = {
      .distance = distance, .margin = reach->aside + REGION_SLACK, .landing = reach->landing};
  float low[2], high[2], end[2];
  bool is_precise = true;
  for (int axis = 0; axis < 2; axis++) {
    const float a = border->first[2 * axis], b = border->second[2 * axis];
    const float move = border->outward[axis] * distance * cell, origin = generator->bake.bounds_min[2 * axis];
    low[axis] = fminf(a, b) + fminf(move, 0);
    high[axis] = fmaxf(a, b) + fmaxf(move, 0);
    region.outward[axis] = border->outward[axis];
    region.start[axis] = (a - origin) / cell;
    end[axis] = (b - origin) / cell - region.start[axis];
    is_precise &= fabsf(region.start[axis]) < PRECISE_CELLS;
  }
  region.aside = end[1] * region.outward[0] - end[0] * region.outward[1];
  region.cells = wm_find_cells(generator, low, high, region.margin + (is_precise ? 0 : IMPRECISE_SLACK));
  if (!is_precise) region.margin = -1;
  return region;
}

/* Adds up the hashes of stamps over a region: their order may differ. */
static uint64_t add_stamps(const WmStampList *list, const WmReadRegion *region) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    if (reads_cells(region, &list->stamps[i].cells)) sum += list->stamps[i].hash;
  }
  return sum;
}

/* The heights of the surface in the middle of what a region reads of a tile. */
static uint64_t sample_surface(const WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                               const WmCellRectangle *read) {
  const WmCellRectangle tile = tile_cells(generator, x, z);
  float point[2];
  for (int axis = 0; axis < 2; axis++) {
    const int32_t low = read->low[axis] > tile.low[axis] ? read->low[axis] : tile.low[axis],
                  high = read->high[axis] < tile.high[axis] ? read->high[axis] : tile.high[axis];
    point[axis] = generator->bake.bounds_min[2 * axis] +
                  (0.5f * (float)(high - low) + (float)low) * generator->bake.cell_size;
  }
  const BorderPlace *place = &generator->border_cache->places[number_place(generator, x, z)];
  return wm_stamp_sample(mesh, x, z, &place->polygons, point);
}

/* Stamps of a tile that are looked at for each of its borders; contents of tiles with more are unlike any others. */
enum { COMPARED_STAMPS = 4096 };

/* A hash of the air, volumes and polygons that decide what is in a region. */
static uint64_t hash_contents(const WmLinkGenerator *generator, const WmMesh *mesh,
                              const WmReadRegion *region) {
  const int32_t size[2] = {generator->tile_width, generator->tile_depth};
  const int32_t count[2] = {generator->voxels.tile_count_x, generator->voxels.tile_count_z};
  const WmCellRectangle *cells = &region->cells;
  WmBorderCache *cache = generator->border_cache;
  int32_t first[2], last[2];
  uint64_t hash = 1;
  for (int axis = 0; axis < 2; axis++) {
    first[axis] = cells->low[axis] > 0 ? cells->low[axis] / size[axis] : 0;
    last[axis] = cells->high[axis] > 0 ? (cells->high[axis] - 1) / size[axis] : -1;
    if (last[axis] >= count[axis]) last[axis] = count[axis] - 1;
  }
  for (int32_t z = first[1]; z <= last[1]; z++) {
    for (int32_t x = first[0]; x <= last[0]; x++) {
      const BorderPlace *place = &cache->places[number_place(generator, x, z)];
      const WmCellRectangle tile = tile_cells(generator, x, z);
      if (!reads_cells(region, &tile)) continue;
      hash = mix(hash, place->air);
      if (place->air == 0) continue;
      if (!place->volumes.is_complete || place->is_changed || place->polygons.count > COMPARED_STAMPS) {
        hash = mix(hash, ++cache->unknown_count);
        continue;
      }
      hash = mix(hash, add_stamps(&place->volumes, region) + 3 * add_stamps(&place->polygons, region));
      hash = mix(hash, sample_surface(generator, mesh, x, z, cells));
    }
  }
  return hash;
}

static bool is_same_key(const WmContentHash *a, const WmContentHash *b) {
  return a->lanes[0] == b->lanes[0] && a->lanes[1] == b->lanes[1];
}

/* The next entry of a border in its chain, from index + 1 `at` on; 0: there is none. */
static uint32_t next_of_key(const TileBorders *tile, uint32_t at, const WmContentHash *key) {
  while (at > 0 && !is_same_key(&tile->borders[at - 1].key, key)) at = tile->next[at - 1];
  return at;
}

static void set_valid(WmCachedBorder *border, const Found *found) {
  border->is_valid = border->is_partial = true;
  for (uint32_t i = 0; i < border->position_count; i++) found->reaches[i].is_changed = false;
  for (uint32_t i = 0; i < border->candidate_count; i++) found->candidates[i].is_changed = false;
}

/* Finds an entry of a border of which only some positions have changed.
 * returns    its index; UINT32_MAX: there is none */
static uint32_t find_partial(const TileBorders *tile, const WmContentHash *key) {
  if (!tile) return UINT32_MAX;
  uint32_t at = next_of_key(tile, tile->heads[key->lanes[0] & tile->mask], key);
  while (at > 0 && !tile->borders[at - 1].is_partial) at = next_of_key(tile, tile->next[at - 1], key);
  return at - 1;
}

/* Finds the entry of a border that is valid, or is valid again.
 * in         found: of each entry
 * returns    its index; UINT32_MAX: there is none */
static uint32_t find_border(const WmAirWindow *window, const TileBorders *tile, const Found *found,
                            const WmContentHash *key) {
  if (!tile) return UINT32_MAX;
  const uint32_t first = next_of_key(tile, tile->heads[key->lanes[0] & tile->mask], key);
  for (uint32_t at = first; at > 0; at = next_of_key(tile, tile->next[at - 1], key)) {
    if (tile->borders[at - 1].is_valid) return at - 1;
  }
  for (uint32_t at = first; at > 0; at = next_of_key(tile, tile->next[at - 1], key)) {
    WmCachedBorder *border = &tile->borders[at - 1];
    if (hash_contents(window->generator, window->mesh, &border->read) != border->contents) continue;
    set_valid(border, &found[at - 1]);
    return at - 1;
  }
  return UINT32_MAX;
}

/* Entries and what was found at them, while they are collected. */
typedef struct Entries {
  WmCachedBorder *borders; /* [count], with capacity for all */
  Found *found;            /* of each */
  size_t count, link_count, candidate_count, position_count;
} Entries;

static void append_entry(Entries *entries, const WmCachedBorder *border, const Found *found) {
  entries->borders[entries->count] = *border;
  entries->found[entries->count++] = *found;
  entries->link_count += border->link_count;
  entries->candidate_count += border->candidate_count;
  entries->position_count += border->position_count;
}

/* Allocates the block of a tile's borders; NULL: none. */
static TileBorders *allocate_borders(WmContext *context, size_t limit, const Entries *entries) {
  uint32_t slots = 1;
  while (slots < entries->count) slots *= 2;
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(TileBorders));
  const size_t borders_at = wm_layout_add(&layout, entries->count, sizeof(WmCachedBorder));
  const size_t links_at = wm_layout_add(&layout, entries->link_count, sizeof(WmSegmentLink));
  const size_t candidates_at = wm_layout_add(&layout, entries->candidate_count, sizeof(WmStoredCandidate));
  const size_t reaches_at = wm_layout_add(&layout, entries->position_count, sizeof(WmPositionReach));
  const size_t heads_at = wm_layout_add(&layout, slots, sizeof(uint32_t));
  const size_t next_at = wm_layout_add(&layout, entries->count, sizeof(uint32_t));
  uint8_t *block = layout.bytes <= limit ? wm_layout_allocate(context, &layout) : NULL;
  if (!block) return NULL;
  TileBorders *tile = (TileBorders *)(void *)block;
  *tile = (TileBorders){.borders = (WmCachedBorder *)(void *)(block + borders_at),
                        .found = {.links = (WmSegmentLink *)(void *)(block + links_at),
                                  .candidates = (WmStoredCandidate *)(void *)(block + candidates_at),
                                  .reaches = (WmPositionReach *)(void *)(block + reaches_at)},
                        .heads = (uint32_t *)(void *)(block + heads_at),
                        .next = (uint32_t *)(void *)(block + next_at),
                        .count = (uint32_t)entries->count,
                        .mask = slots - 1,
                        .read = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}},
                        .bytes = layout.bytes};
  memset(tile->heads, 0, slots * sizeof *tile->heads);
  return tile;
}

/* Copies what was found at a border. */
static void copy_found(const WmCachedBorder *border, const Found *from, Found *to) {
  if (border->link_count) memcpy(to->links, from->links, border->link_count * sizeof *to->links);
  if (border->candidate_count)
    memcpy(to->candidates, from->candidates, border->candidate_count * sizeof *to->candidates);
  if (border->position_count)
    memcpy(to->reaches, from->reaches, border->position_count * sizeof *to->reaches);
}

/* Replaces the borders of a place, if limit and memory allow. */
static void store_borders(WmLinkGenerator *generator, uint32_t number, const Entries *entries) {
  WmBorderCache *cache = generator->border_cache;
  BorderPlace *place = &cache->places[number];
  TileBorders *tile = allocate_borders(generator->context, cache->limit, entries);
  Found next = tile ? tile->found : (Found){0};
  for (uint32_t i = 0; tile && i < tile->count; i++) {
    const WmCachedBorder *border = &entries->borders[i];
    uint32_t *head = &tile->heads[border->key.lanes[0] & tile->mask];
    tile->borders[i] = *border;
    wm_cells_join(&tile->read, &border->read.cells);
    tile->next[i] = *head;
    *head = i + 1;
    copy_found(border, &entries->found[i], &next);
    next = skip_border(next, border);
  }
  if (!tile) {
    drop_borders(generator, number);
    return;
  }
  if (place->borders) {
    unlist_borders(cache, place);
    free_borders(generator, place->former);
    place->former = place->borders;
  }
  place->borders = tile;
  list_borders(cache, number);
  cache->bytes += tile->bytes;
  shrink(generator, cache->limit);
}

/* The ends of the arrays of a list. */
static Found find_ends(const WmLinkList *list) {
  Found ends = {list->links.items, list->stored.items, list->reaches.items};
  if (list->count) ends.links += list->count;
  if (list->stored_count) ends.candidates += list->stored_count;
  if (list->reach_count) ends.reaches += list->reach_count;
  return ends;
}

/* Appends what the cache has of a border. */
static WmStatus append_found(WmContext *context, WmLinkList *list, const WmCachedBorder *border,
                             const Found *found) {
  WmStatus status =
      wm_buffer_reserve(context, &list->links, list->count + border->link_count, sizeof *found->links);
  if (!status) {
    status = wm_buffer_reserve(context, &list->stored, list->stored_count + border->candidate_count,
                               sizeof *found->candidates);
  }
  if (!status) {
    status = wm_buffer_reserve(context, &list->reaches, list->reach_count + border->position_count,
                               sizeof *found->reaches);
  }
  if (status) return status;
  Found ends = find_ends(list);
  copy_found(border, found, &ends);
  list->count += border->link_count;
  list->stored_count += border->candidate_count;
  list->reach_count += border->position_count;
  return WM_OK;
}

/* What was found at each border, in scratch memory of the caller's mark. */
static Found *find_found(WmContext *context, const TileBorders *tile) {
  const uint32_t count = tile ? tile->count : 0;
  Found *found = wm_scratch_array(context, count, sizeof *found);
  for (uint32_t i = 0; found && i < count; i++)
    found[i] = i > 0 ? skip_border(found[i - 1], &tile->borders[i - 1]) : tile->found;
  return found;
}

static WmStatus generate_all(WmAirWindow *window, const WmBorder *borders, size_t border_count, WmWalk *walk,
                             WmLinkList *list) {
  WmStatus status = WM_OK;
  for (size_t i = 0; !status && i < border_count; i++) {
    WmBorderReach reach;
    status = wm_border_links(window, &borders[i], walk, false, NULL, list, &reach);
  }
  return status;
}

/* The links of a border: from the cache, or generated.
 * in         found: of each entry
 * in/out     list: gets what was found; is_used [tile->count]; any_new
 * out        entry: of the border */
static WmStatus find_links(WmAirWindow *window, const WmBorder *border, uint64_t shape,
                           const TileBorders *tile, const Found *found, WmWalk *walk, WmLinkList *list,
                           WmCachedBorder *entry, bool *is_used, bool *any_new) {
  WmLinkGenerator *generator = window->generator;
  const WmContentHash key = hash_border(border, shape);
  const uint32_t known = find_border(window, tile, found, &key);
  if (tile && known != UINT32_MAX) {
    *entry = tile->borders[known];
    entry->is_of_run = true;
    is_used[known] = true;
    return append_found(generator->context, list, entry, &found[known]);
  }
  const size_t before = list->count, stored_before = list->stored_count, reaches_before = list->reach_count;
  const uint32_t partial = find_partial(tile, &key);
  WmFormerPositions former;
  WmBorderReach reach;
  if (tile && partial != UINT32_MAX) {
    former = (WmFormerPositions){found[partial].candidates, tile->borders[partial].candidate_count,
                                 found[partial].reaches};
  }
  const WmStatus status =
      wm_border_links(window, border, walk, false, partial == UINT32_MAX ? NULL : &former, list, &reach);
  if (status) return status;
  *any_new = true;
  *entry = (WmCachedBorder){.key = key,
                            .read = find_read_region(generator, border, &reach),
                            .link_count = (uint32_t)(list->count - before),
                            .candidate_count = (uint32_t)(list->stored_count - stored_before),
                            .position_count = (uint32_t)(list->reach_count - reaches_before),
                            .is_valid = true,
                            .is_partial = true,
                            .is_of_run = true};
  entry->contents = hash_contents(generator, window->mesh, &entry->read);
  return WM_OK;
}

/* Appends entries that this run didn't use, at most as many as it used. */
static void append_former(const TileBorders *tile, const Found *found, const bool *is_used, size_t count,
                          Entries *entries) {
  const size_t limit = 2 * count + 8;
  for (uint32_t i = 0; tile && i < tile->count && entries->count < limit; i++) {
    if (is_used[i]) continue;
    append_entry(entries, &tile->borders[i], &found[i]);
    /* Later changes may lie elsewhere, and another entry has the present positions. */
    WmCachedBorder *entry = &entries->borders[entries->count - 1];
    if (!entry->is_valid) entry->is_partial = false;
    entry->is_of_run = false;
  }
}

WmStatus wm_border_cache_links(WmAirWindow *window, int32_t x, int32_t z, const WmBorder *borders,
                               size_t border_count, WmWalk *walk, WmLinkList *list) {
  WmLinkGenerator *generator = window->generator;
  WmContext *context = generator->context;
  if (!generator->border_cache) return generate_all(window, borders, border_count, walk, list);
  update_polygons(generator, window->mesh, x, z);
  const WmScratchMark mark = wm_scratch_mark(context);
  const uint32_t number = number_place(generator, x, z);
  TileBorders *tile = generator->border_cache->places[number].borders;
  const size_t former = tile ? tile->count : 0;
  const Found *found = find_found(context, tile);
  bool *is_used = wm_scratch_zeroed(context, former, sizeof *is_used), any_new = !tile;
  WmCachedBorder *current = wm_scratch_array(context, border_count, sizeof *current);
  Entries entries = {.borders = wm_scratch_array(context, border_count + former, sizeof *entries.borders),
                     .found = wm_scratch_array(context, border_count + former, sizeof *entries.found)};
  const bool has_memory = found && is_used && current && entries.borders && entries.found;
  const WmStampList *polygons = &generator->border_cache->places[number].polygons;
  const WmMeshTile *layer = NULL;
  uint32_t first = 0;
  list->stores = true;
  WmStatus status = has_memory ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; !status && i < border_count; i++) {
    const uint64_t shape = find_shape(window->mesh, polygons, &borders[i], &layer, &first);
    status = find_links(window, &borders[i], shape, tile, found, walk, list, &current[i], is_used, &any_new);
  }
  if (!status && any_new) {
    Found next = {list->links.items, list->stored.items, list->reaches.items};
    for (size_t i = 0; i < border_count; i++) {
      append_entry(&entries, &current[i], &next);
      next = skip_border(next, &current[i]);
    }
    append_former(tile, found, is_used, border_count, &entries);
    store_borders(generator, number, &entries);
  }
  if (!status && !any_new) {
    /* If this run fails later, the result of the one before must not come back with these borders. */
    free_result(generator, tile);
    for (uint32_t i = 0; i < tile->count; i++) tile->borders[i].is_of_run = is_used[i];
  }
  BorderPlace *place = &generator->border_cache->places[number];
  place->is_current = !status && place->borders != NULL && generator->config.min_saving <= 0;
  wm_scratch_rewind(context, mark);
  return status;
}

/* ---- The links of a tile ------------------------------------------------------------------------------- */

/* A hash of all that the links of a tile can depend on; 0: not known. */
static uint64_t hash_surroundings(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  int32_t first[2], last[2];
  uint64_t hash = 1;
  wm_link_generator_affected(generator, x, z, first, last);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) {
      const BorderPlace *place = &generator->border_cache->places[number_place(generator, at_x, at_z)];
      const bool is_known = !place->is_changed && place->surface_key != 0;
      if (!is_known || (place->air != 0 && place->volumes_key == 0)) return 0;
      hash = mix(mix(mix(hash, place->air), place->air ? place->volumes_key : 0), place->surface_key);
    }
  }
  return hash | 1;
}

void wm_border_cache_store_result(WmLinkGenerator *generator, int32_t x, int32_t z, const WmLinkList *list) {
  if (!generator->border_cache) return;
  const BorderPlace *place = &generator->border_cache->places[number_place(generator, x, z)];
  TileBorders *tile = place->borders;
  if (!tile) return;
  const size_t bytes = list->count * sizeof *tile->result;
  free_result(generator, tile);
  tile->surroundings = place->is_current ? hash_surroundings(generator, x, z) : 0;
  if (tile->surroundings == 0 || bytes > generator->border_cache->limit) return;
  tile->result = wm_block_allocate(generator->context, bytes);
  if (!tile->result) return;
  if (bytes) memcpy(tile->result, list->links.items, bytes);
  tile->result_count = list->count;
  generator->border_cache->bytes += bytes;
  shrink(generator, generator->border_cache->limit);
}

/* The borders that were found in the same surroundings are valid again. */
static void restore_borders(const TileBorders *tile) {
  Found found = tile->found;
  for (uint32_t i = 0; i < tile->count; i++) {
    WmCachedBorder *border = &tile->borders[i];
    if (border->is_of_run) {
      set_valid(border, &found);
    } else {
      border->is_valid = border->is_partial = false;
    }
    found = skip_border(found, border);
  }
}

static bool has_result(const TileBorders *tile, uint64_t surroundings) {
  return tile && tile->result && tile->surroundings == surroundings;
}

bool wm_border_cache_recall(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                            WmLinkResult *result) {
  WmBorderCache *cache = generator->border_cache;
  if (!cache || generator->config.min_saving > 0) return false;
  update_polygons(generator, mesh, x, z);
  const uint32_t number = number_place(generator, x, z);
  BorderPlace *place = &cache->places[number];
  const uint64_t surroundings = hash_surroundings(generator, x, z);
  if (surroundings == 0) return false;
  if (!has_result(place->borders, surroundings)) {
    TileBorders *former = place->former;
    if (!has_result(former, surroundings)) return false;
    place->former = place->borders;
    place->borders = former;
  }
  const TileBorders *tile = place->borders;
  restore_borders(tile);
  place->is_current = true;
  unlist_borders(cache, place);
  list_borders(cache, number);
  return wm_link_result_make(generator->context, tile->result, tile->result_count, result) == WM_OK;
}

bool wm_border_cache_is_current(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  if (!generator->border_cache) return false;
  const BorderPlace *place = &generator->border_cache->places[number_place(generator, x, z)];
  if (place->is_current) update_polygons(generator, mesh, x, z);
  return place->is_current;
}

void wm_border_cache_forget(WmLinkGenerator *generator, int32_t x, int32_t z) {
  if (generator->border_cache) drop_borders(generator, number_place(generator, x, z));
}
