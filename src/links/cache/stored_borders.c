/* The borders of a tile: found again by what they are and what is around them, or followed, and stored. See cache_internal.h. */
#include "links/cache/cache_internal.h"

#include <math.h>
#include <string.h>

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
      .distance = distance, .margin = reach->aside + WM_REGION_SLACK, .landing = reach->landing};
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
    if (wm_region_reads(region, &list->stamps[i].cells)) sum += list->stamps[i].hash;
  }
  return sum;
}

/* The heights of the surface in the middle of what a region reads of a tile. */
static uint64_t sample_surface(const WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                               const WmCellRectangle *read) {
  const WmCellRectangle tile = wm_tile_cells(generator, x, z);
  float point[2];
  for (int axis = 0; axis < 2; axis++) {
    const int32_t low = read->low[axis] > tile.low[axis] ? read->low[axis] : tile.low[axis],
                  high = read->high[axis] < tile.high[axis] ? read->high[axis] : tile.high[axis];
    point[axis] = generator->bake.bounds_min[2 * axis] +
                  (0.5f * (float)(high - low) + (float)low) * generator->bake.cell_size;
  }
  const WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, x, z)];
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
      const WmBorderPlace *place = &cache->places[wm_number_place(generator, x, z)];
      const WmCellRectangle tile = wm_tile_cells(generator, x, z);
      if (!wm_region_reads(region, &tile)) continue;
      hash = wm_mix_hash(hash, place->air);
      if (place->air == 0) continue;
      if (!place->volumes.is_complete || place->is_changed || place->polygons.count > COMPARED_STAMPS) {
        hash = wm_mix_hash(hash, ++cache->unknown_count);
        continue;
      }
      hash =
          wm_mix_hash(hash, add_stamps(&place->volumes, region) + 3 * add_stamps(&place->polygons, region));
      hash = wm_mix_hash(hash, sample_surface(generator, mesh, x, z, cells));
    }
  }
  return hash;
}

/* No cells: others are joined to them. Far from where sums overflow. */
static const WmCellRectangle NO_CELLS = {{1 << 30, 1 << 30}, {-(1 << 30), -(1 << 30)}};

static bool is_same_key(const WmContentHash *a, const WmContentHash *b) {
  return a->lanes[0] == b->lanes[0] && a->lanes[1] == b->lanes[1];
}

/* The next entry of a border in its chain, from index + 1 `at` on; 0: there is none. */
static uint32_t next_of_key(const WmTileBorders *tile, uint32_t at, const WmContentHash *key) {
  while (at > 0 && !is_same_key(&tile->borders[at - 1].key, key)) at = tile->next[at - 1];
  return at;
}

void wm_cache_set_valid(WmCachedBorder *border, const WmFound *found) {
  border->is_valid = border->is_partial = true;
  border->changed = NO_CELLS;
  for (uint32_t i = 0; i < border->position_count; i++) found->reaches[i].is_changed = false;
  for (uint32_t i = 0; i < border->candidate_count; i++) found->candidates[i].is_changed = false;
}

/* Finds an entry of a border of which only some positions have changed.
 * returns    its index; UINT32_MAX: there is none */
static uint32_t find_partial(const WmTileBorders *tile, const WmContentHash *key) {
  if (!tile) return UINT32_MAX;
  uint32_t at = next_of_key(tile, tile->heads[key->lanes[0] & tile->mask], key);
  while (at > 0 && !tile->borders[at - 1].is_partial) at = next_of_key(tile, tile->next[at - 1], key);
  return at - 1;
}

/* Finds the entry of a border that is valid, or is valid again.
 * in         found: of each entry
 * out        contents: of entries of the border, if none is valid: what their regions have now
 * returns    its index; UINT32_MAX: there is none */
static uint32_t find_border(const WmAirWindow *window, const WmTileBorders *tile, const WmFound *found,
                            uint64_t *contents, const WmContentHash *key) {
  if (!tile) return UINT32_MAX;
  const uint32_t first = next_of_key(tile, tile->heads[key->lanes[0] & tile->mask], key);
  for (uint32_t at = first; at > 0; at = next_of_key(tile, tile->next[at - 1], key)) {
    if (tile->borders[at - 1].is_valid) return at - 1;
  }
  for (uint32_t at = first; at > 0; at = next_of_key(tile, tile->next[at - 1], key)) {
    WmCachedBorder *border = &tile->borders[at - 1];
    contents[at - 1] = hash_contents(window->generator, window->mesh, &border->read);
    if (contents[at - 1] != border->contents) continue;
    wm_cache_set_valid(border, &found[at - 1]);
    return at - 1;
  }
  return UINT32_MAX;
}

/* Entries and what was found at them, while they are collected. */
typedef struct Entries {
  WmCachedBorder *borders; /* [count], with capacity for all */
  WmFound *found;          /* of each */
  size_t count, link_count, candidate_count, position_count;
} Entries;

static void append_entry(Entries *entries, const WmCachedBorder *border, const WmFound *found) {
  entries->borders[entries->count] = *border;
  entries->found[entries->count++] = *found;
  entries->link_count += border->link_count;
  entries->candidate_count += border->candidate_count;
  entries->position_count += border->position_count;
}

/* Allocates the block of a tile's borders; NULL: none. */
static WmTileBorders *allocate_borders(WmContext *context, size_t limit, const Entries *entries) {
  uint32_t slots = 1;
  while (slots < entries->count) slots *= 2;
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(WmTileBorders));
  const size_t borders_at = wm_layout_add(&layout, entries->count, sizeof(WmCachedBorder));
  const size_t links_at = wm_layout_add(&layout, entries->link_count, sizeof(WmSegmentLink));
  const size_t candidates_at = wm_layout_add(&layout, entries->candidate_count, sizeof(WmStoredCandidate));
  const size_t reaches_at = wm_layout_add(&layout, entries->position_count, sizeof(WmPositionReach));
  const size_t heads_at = wm_layout_add(&layout, slots, sizeof(uint32_t));
  const size_t next_at = wm_layout_add(&layout, entries->count, sizeof(uint32_t));
  uint8_t *block = layout.bytes <= limit ? wm_layout_allocate(context, &layout) : NULL;
  if (!block) return NULL;
  WmTileBorders *tile = (WmTileBorders *)(void *)block;
  *tile = (WmTileBorders){.borders = (WmCachedBorder *)(void *)(block + borders_at),
                          .found = {.links = (WmSegmentLink *)(void *)(block + links_at),
                                    .candidates = (WmStoredCandidate *)(void *)(block + candidates_at),
                                    .reaches = (WmPositionReach *)(void *)(block + reaches_at)},
                          .heads = (uint32_t *)(void *)(block + heads_at),
                          .next = (uint32_t *)(void *)(block + next_at),
                          .count = (uint32_t)entries->count,
                          .mask = slots - 1,
                          .read = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}},
                          .is_in_order = true,
                          .bytes = layout.bytes};
  memset(tile->heads, 0, slots * sizeof *tile->heads);
  return tile;
}

/* Copies what was found at a border. */
static void copy_found(const WmCachedBorder *border, const WmFound *from, WmFound *to) {
  if (border->link_count) memcpy(to->links, from->links, border->link_count * sizeof *to->links);
  if (border->candidate_count)
    memcpy(to->candidates, from->candidates, border->candidate_count * sizeof *to->candidates);
  if (border->position_count)
    memcpy(to->reaches, from->reaches, border->position_count * sizeof *to->reaches);
}

/* Replaces the borders of a place, if limit and memory allow. */
static void store_borders(WmLinkGenerator *generator, uint32_t number, const Entries *entries) {
  WmBorderCache *cache = generator->border_cache;
  WmBorderPlace *place = &cache->places[number];
  WmTileBorders *tile = allocate_borders(generator->context, cache->limit, entries);
  WmFound next = tile ? tile->found : (WmFound){0};
  for (uint32_t i = 0; tile && i < tile->count; i++) {
    const WmCachedBorder *border = &entries->borders[i];
    uint32_t *head = &tile->heads[border->key.lanes[0] & tile->mask];
    tile->borders[i] = *border;
    wm_cells_join(&tile->read, &border->read.cells);
    tile->next[i] = *head;
    *head = i + 1;
    copy_found(border, &entries->found[i], &next);
    next = wm_skip_border(next, border);
  }
  if (!tile) {
    wm_cache_drop_borders(generator, number);
    return;
  }
  if (place->borders) {
    wm_cache_unlist(cache, place);
    wm_cache_free_borders(generator, place->former);
    place->former = place->borders;
  }
  place->borders = tile;
  wm_cache_list(cache, number);
  cache->bytes += tile->bytes;
  wm_cache_shrink(generator, cache->limit);
}

/* The ends of the arrays of a list. */
static WmFound find_ends(const WmLinkList *list) {
  WmFound ends = {list->links.items, list->stored.items, list->reaches.items};
  if (list->count) ends.links += list->count;
  if (list->stored_count) ends.candidates += list->stored_count;
  if (list->reach_count) ends.reaches += list->reach_count;
  return ends;
}

/* Appends what the cache has of a border. */
static WmStatus append_found(WmContext *context, WmLinkList *list, const WmCachedBorder *border,
                             const WmFound *found) {
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
  WmFound ends = find_ends(list);
  copy_found(border, found, &ends);
  list->count += border->link_count;
  list->stored_count += border->candidate_count;
  list->reach_count += border->position_count;
  return WM_OK;
}

/* The links, candidates and reaches of each border of a tile, in scratch memory that the caller's mark releases. */
static WmFound *find_found(WmContext *context, const WmTileBorders *tile) {
  const uint32_t count = tile ? tile->count : 0;
  WmFound *found = wm_scratch_array(context, count, sizeof *found);
  for (uint32_t i = 0; found && i < count; i++)
    found[i] = i > 0 ? wm_skip_border(found[i - 1], &tile->borders[i - 1]) : tile->found;
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

/* The borders of a tile, as the cache knows them. In scratch memory. */
typedef struct KnownBorders {
  const WmTileBorders *tile; /* NULL: none are stored */
  WmFound *found;            /* [tile->count] of each entry */
  uint64_t *contents;        /* [tile->count] what its region has now, where find_border has looked */
  WmContentHash *keys;       /* [border_count] of the present borders */
  uint32_t *entries;         /* [border_count] of each the entry that is valid; UINT32_MAX: none */
  bool are_all;              /* each has one */
} KnownBorders;

/* The links of a border: from the cache, or generated.
 * in/out     list: gets what was found
 * out        entry: of the border */
static WmStatus find_links(WmAirWindow *window, const WmBorder *border, const KnownBorders *known,
                           size_t number, WmWalk *walk, WmLinkList *list, WmCachedBorder *entry) {
  WmLinkGenerator *generator = window->generator;
  const WmTileBorders *tile = known->tile;
  const uint32_t valid = known->entries[number];
  if (tile && valid != UINT32_MAX) {
    *entry = tile->borders[valid];
    entry->is_of_run = true;
    return append_found(generator->context, list, entry, &known->found[valid]);
  }
  const size_t before = list->count, stored_before = list->stored_count, reaches_before = list->reach_count;
  const uint32_t partial = find_partial(tile, &known->keys[number]);
  WmFormerPositions former;
  WmBorderReach reach;
  if (tile && partial != UINT32_MAX) {
    former = (WmFormerPositions){known->found[partial].candidates, tile->borders[partial].candidate_count,
                                 known->found[partial].reaches, tile->borders[partial].changed};
  }
  const WmStatus status =
      wm_border_links(window, border, walk, false, partial == UINT32_MAX ? NULL : &former, list, &reach);
  if (status) return status;
  *entry = (WmCachedBorder){.key = known->keys[number],
                            .read = find_read_region(generator, border, &reach),
                            .changed = NO_CELLS,
                            .link_count = (uint32_t)(list->count - before),
                            .candidate_count = (uint32_t)(list->stored_count - stored_before),
                            .position_count = (uint32_t)(list->reach_count - reaches_before),
                            .is_valid = true,
                            .is_partial = true,
                            .is_of_run = true};
  const bool is_same_region = tile && partial != UINT32_MAX &&
                              memcmp(&entry->read, &tile->borders[partial].read, sizeof entry->read) == 0;
  entry->contents =
      is_same_region ? known->contents[partial] : hash_contents(generator, window->mesh, &entry->read);
  return WM_OK;
}

/* Appends entries that this run didn't use, at most as many as it used. */
static void append_former(const WmTileBorders *tile, const WmFound *found, const bool *is_used, size_t count,
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

/* Finds the entries of a tile's borders.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
static WmStatus find_known(const WmAirWindow *window, uint32_t number, const WmBorder *borders,
                           size_t border_count, KnownBorders *known) {
  WmContext *context = window->generator->context;
  const WmBorderPlace *place = &window->generator->border_cache->places[number];
  const WmTileBorders *tile = place->borders;
  *known =
      (KnownBorders){.tile = tile,
                     .found = find_found(context, tile),
                     .contents = wm_scratch_array(context, tile ? tile->count : 0, sizeof *known->contents),
                     .keys = wm_scratch_array(context, border_count, sizeof *known->keys),
                     .entries = wm_scratch_array(context, border_count, sizeof *known->entries),
                     .are_all = tile != NULL};
  if (!known->found || !known->contents || !known->keys || !known->entries) return WM_ERROR_OUT_OF_MEMORY;
  const WmMeshTile *layer = NULL;
  uint32_t first = 0;
  for (size_t i = 0; i < border_count; i++) {
    const uint64_t shape = find_shape(window->mesh, &place->polygons, &borders[i], &layer, &first);
    known->keys[i] = hash_border(&borders[i], shape);
    known->entries[i] = find_border(window, tile, known->found, known->contents, &known->keys[i]);
    known->are_all &= known->entries[i] != UINT32_MAX;
  }
  return WM_OK;
}

/* True if the borders are those of the tile's last run, in their order. */
static bool are_those_of_run(const KnownBorders *known, size_t border_count) {
  const WmTileBorders *tile = known->tile;
  if (!known->are_all || !tile->is_in_order) return false;
  size_t next = 0;
  for (uint32_t i = 0; i < tile->count; i++) {
    if (!tile->borders[i].is_of_run) continue;
    if (next == border_count || known->entries[next] != i) return false;
    next++;
  }
  return next == border_count;
}

/* Notes that a run used these entries of a tile and needed no others. */
static void set_run(WmLinkGenerator *generator, WmTileBorders *tile, const KnownBorders *known,
                    size_t border_count) {
  /* If this run fails later, the result of the one before must not come back with these borders. */
  wm_cache_free_result(generator, tile);
  tile->is_in_order = true;
  for (uint32_t i = 0; i < tile->count; i++) tile->borders[i].is_of_run = false;
  for (size_t i = 0; i < border_count; i++) {
    tile->borders[known->entries[i]].is_of_run = true;
    tile->is_in_order &= i == 0 || known->entries[i] > known->entries[i - 1];
  }
}

/* Stores the borders of a run, and of entries that it didn't use. Uses scratch memory of the caller's mark. */
static WmStatus store_run(WmLinkGenerator *generator, uint32_t number, const KnownBorders *known,
                          const WmCachedBorder *current, size_t border_count, const WmLinkList *list) {
  WmContext *context = generator->context;
  const size_t former = known->tile ? known->tile->count : 0;
  bool *is_used = wm_scratch_zeroed(context, former, sizeof *is_used);
  Entries entries = {.borders = wm_scratch_array(context, border_count + former, sizeof *entries.borders),
                     .found = wm_scratch_array(context, border_count + former, sizeof *entries.found)};
  if (!is_used || !entries.borders || !entries.found) return WM_ERROR_OUT_OF_MEMORY;
  WmFound next = {list->links.items, list->stored.items, list->reaches.items};
  for (size_t i = 0; i < border_count; i++) {
    append_entry(&entries, &current[i], &next);
    next = wm_skip_border(next, &current[i]);
    if (known->entries[i] != UINT32_MAX) is_used[known->entries[i]] = true;
  }
  append_former(known->tile, known->found, is_used, border_count, &entries);
  store_borders(generator, number, &entries);
  return WM_OK;
}

/* Reserves what most tiles have at most. */
static WmStatus reserve_usual(WmContext *context, WmLinkList *list) {
  WmStatus status = wm_buffer_reserve(context, &list->links, 8, sizeof(WmSegmentLink));
  if (!status) status = wm_buffer_reserve(context, &list->stored, 16, sizeof(WmStoredCandidate));
  return status ? status : wm_buffer_reserve(context, &list->reaches, 128, sizeof(WmPositionReach));
}

/* As wm_border_cache_links. Uses scratch memory of the caller's mark. */
static WmStatus find_all_links(WmAirWindow *window, uint32_t number, const WmBorder *borders,
                               size_t border_count, WmWalk *walk, WmLinkList *list, bool *is_same) {
  WmLinkGenerator *generator = window->generator;
  WmTileBorders *tile = generator->border_cache->places[number].borders;
  KnownBorders known;
  WmStatus status = find_known(window, number, borders, border_count, &known);
  *is_same = !status && are_those_of_run(&known, border_count) && tile->result;
  if (status || *is_same) return status;
  WmCachedBorder *current = wm_scratch_array(generator->context, border_count, sizeof *current);
  if (!current) return WM_ERROR_OUT_OF_MEMORY;
  list->stores = true;
  status = reserve_usual(generator->context, list);
  for (size_t i = 0; !status && i < border_count; i++)
    status = find_links(window, &borders[i], &known, i, walk, list, &current[i]);
  if (!status && !known.are_all) status = store_run(generator, number, &known, current, border_count, list);
  if (!status && known.are_all) set_run(generator, tile, &known, border_count);
  return status;
}

WmStatus wm_border_cache_links(WmAirWindow *window, int32_t x, int32_t z, const WmBorder *borders,
                               size_t border_count, WmWalk *walk, WmLinkList *list, bool *is_same) {
  WmLinkGenerator *generator = window->generator;
  *is_same = false;
  if (!generator->border_cache) return generate_all(window, borders, border_count, walk, list);
  wm_cache_update_polygons(generator, window->mesh, x, z);
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  const uint32_t number = wm_number_place(generator, x, z);
  const WmStatus status = find_all_links(window, number, borders, border_count, walk, list, is_same);
  WmBorderPlace *place = &generator->border_cache->places[number];
  place->is_current = !status && place->borders != NULL && generator->config.min_saving <= 0;
  place->portals_key = wm_cache_hash_portals(window->mesh, x, z);
  wm_scratch_rewind(generator->context, mark);
  return status;
}
