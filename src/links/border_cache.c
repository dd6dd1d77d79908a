/* See border_cache.h. */
#include "links/border_cache.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "bake/tile/tile_hash.h"
#include "mesh/locate.h"

#define NO_PLACE UINT32_MAX

/* A polygon that a place of the mesh has, or a volume that blocks its air. */
typedef struct Stamp {
  uint64_t hash;
  WmCellRectangle cells; /* that it may change */
} Stamp;

typedef struct StampList {
  Stamp *stamps; /* [count] a block */
  uint32_t count;
  bool is_complete; /* false: without memory, or not made yet */
} StampList;

/* The borders of a tile, in one block with their links. */
typedef struct TileBorders {
  WmCachedBorder *borders; /* [count] in the order of the run */
  WmSegmentLink *links;    /* of the first border, then of the next */
  uint32_t *heads, *next;  /* borders by the hash of their keys: [mask + 1], [count]: index + 1 */
  uint32_t count, mask;
  size_t bytes;
} TileBorders;

typedef struct BorderPlace {
  uint64_t air; /* a hash of its bytes; 0: the tile is missing */
  StampList volumes, polygons;
  bool is_changed;       /* its tile may have other polygons now */
  TileBorders *borders;  /* NULL: none are stored */
  uint32_t newer, older; /* places with borders by their last run */
} BorderPlace;

struct WmBorderCache {
  size_t limit, bytes;
  uint32_t newest, oldest;
  uint64_t unknown_count; /* contents that are unlike any others */
  BorderPlace *places;    /* by z, then x */
};

/* ---- Creation and destruction ------------------------------------------------------------------------- */

static size_t count_places(const WmLinkGenerator *generator) {
  return (size_t)generator->voxels.tile_count_x * (size_t)generator->voxels.tile_count_z;
}

static void drop_borders(WmLinkGenerator *generator, uint32_t number) {
  WmBorderCache *cache = generator->border_cache;
  BorderPlace *place = &cache->places[number];
  if (!place->borders) return;
  *(place->newer == NO_PLACE ? &cache->newest : &cache->places[place->newer].older) = place->older;
  *(place->older == NO_PLACE ? &cache->oldest : &cache->places[place->older].newer) = place->newer;
  cache->bytes -= place->borders->bytes;
  wm_block_free(generator->context, place->borders);
  place->borders = NULL;
}

/* Replaces a list. */
static void set_stamps(WmLinkGenerator *generator, StampList *list, const StampList *made) {
  WmBorderCache *cache = generator->border_cache;
  cache->bytes -= list->count * sizeof *list->stamps;
  wm_block_free(generator->context, list->stamps);
  *list = *made;
  cache->bytes += list->count * sizeof *list->stamps;
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

/* ---- Cells -------------------------------------------------------------------------------------------- */

/* The cell of a coordinate; far ones are clamped. */
static int32_t to_cell(const WmLinkGenerator *generator, int axis, float value, float margin) {
  const float cells = (value - generator->bake.bounds_min[2 * axis]) / generator->bake.cell_size + margin;
  return (int32_t)floorf(fmaxf(-1e9f, fminf(cells, 1e9f)));
}

/* The cells around points, widened by a margin of cells. */
static WmCellRectangle find_cells(const WmLinkGenerator *generator, const float low[2], const float high[2],
                                  float margin) {
  WmCellRectangle cells;
  for (int axis = 0; axis < 2; axis++) {
    cells.low[axis] = to_cell(generator, axis, low[axis], -margin);
    cells.high[axis] = to_cell(generator, axis, high[axis], margin) + 1;
  }
  return cells;
}

static WmCellRectangle tile_cells(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  const int32_t width = generator->tile_width, depth = generator->tile_depth;
  return (WmCellRectangle){{x * width, z * depth}, {(x + 1) * width, (z + 1) * depth}};
}

static bool overlap(const WmCellRectangle *a, const WmCellRectangle *b) {
  return a->low[0] < b->high[0] && b->low[0] < a->high[0] && a->low[1] < b->high[1] && b->low[1] < a->high[1];
}

/* ---- Changes ------------------------------------------------------------------------------------------ */

static uint32_t number_place(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  return (uint32_t)x + (uint32_t)z * (uint32_t)generator->voxels.tile_count_x;
}

/* Invalidates the borders around tile (x, z) that read any of these cells.
 * in         cells [count] */
static void invalidate(WmLinkGenerator *generator, int32_t x, int32_t z, const WmCellRectangle *cells,
                       size_t count) {
  int32_t first[2], last[2];
  if (count == 0) return;
  wm_link_generator_affected(generator, x, z, first, last);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) {
      const TileBorders *tile = generator->border_cache->places[number_place(generator, at_x, at_z)].borders;
      for (uint32_t i = 0; tile && i < tile->count; i++) {
        WmCachedBorder *border = &tile->borders[i];
        for (size_t k = 0; border->is_valid && k < count; k++)
          border->is_valid = !overlap(&border->read, &cells[k]);
      }
    }
  }
}

static void invalidate_tile(WmLinkGenerator *generator, int32_t x, int32_t z) {
  const WmCellRectangle cells = tile_cells(generator, x, z);
  invalidate(generator, x, z, &cells, 1);
}

/* ---- Stamps ------------------------------------------------------------------------------------------- */

/* Allocates a list; it is complete if it has none, and incomplete without memory. */
static StampList allocate_stamps(const WmLinkGenerator *generator, size_t count) {
  WmLayout layout = {0};
  if (count == 0) return (StampList){.is_complete = true};
  wm_layout_add(&layout, count, sizeof(Stamp));
  Stamp *stamps = wm_layout_allocate(generator->context, &layout);
  return (StampList){stamps, stamps ? (uint32_t)count : 0, stamps != NULL};
}

/* Sorts stamps by the lower half of their hashes. */
static void sort_stamps(const StampList *list, WmSortItem *items) {
  for (uint32_t i = 0; i < list->count; i++) items[i] = (WmSortItem){(uint32_t)list->stamps[i].hash, i};
  wm_sort_stable(items, items + list->count, list->count);
}

static bool is_among(uint64_t hash, const StampList *list, const WmSortItem *items) {
  uint32_t low = 0, high = list->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (items[middle].key < (uint32_t)hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < list->count && items[low].key == (uint32_t)hash; low++) {
    if (list->stamps[items[low].value].hash == hash) return true;
  }
  return false;
}

/* Invalidates the borders that read what only one of the lists of a place has; all that read the tile, if they can't be compared. */
static void invalidate_difference(WmLinkGenerator *generator, int32_t x, int32_t z, const StampList *before,
                                  const StampList *after) {
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  const StampList *lists[2] = {before, after};
  WmSortItem *items[2];
  for (int i = 0; i < 2; i++)
    items[i] = wm_scratch_array(generator->context, 2 * (size_t)lists[i]->count, sizeof **items);
  WmCellRectangle *cells =
      wm_scratch_array(generator->context, (size_t)before->count + after->count, sizeof *cells);
  if (before->is_complete && after->is_complete && items[0] && items[1] && cells) {
    size_t count = 0;
    for (int i = 0; i < 2; i++) sort_stamps(lists[i], items[i]);
    for (int i = 0; i < 2; i++) {
      for (uint32_t k = 0; k < lists[i]->count; k++) {
        const Stamp *stamp = &lists[i]->stamps[k];
        if (!is_among(stamp->hash, lists[1 - i], items[1 - i])) cells[count++] = stamp->cells;
      }
    }
    invalidate(generator, x, z, cells, count);
  } else {
    invalidate_tile(generator, x, z);
  }
  wm_scratch_rewind(generator->context, mark);
}

/* ---- Air ---------------------------------------------------------------------------------------------- */

static StampList stamp_volumes(const WmLinkGenerator *generator, const WmAreaVolume *volumes, size_t count) {
  const StampList list = allocate_stamps(generator, count);
  for (uint32_t i = 0; i < list.count; i++) {
    WmContentHash hash = wm_content_hash_start();
    float low[3], high[3];
    wm_hash_area_volume(&hash, &volumes[i]);
    wm_content_hash_finish(&hash);
    wm_find_volume_bounds(generator->context, &volumes[i], low, high);
    list.stamps[i] = (Stamp){hash.lanes[0], find_cells(generator, (const float[2]){low[0], low[2]},
                                                       (const float[2]){high[0], high[2]}, 1)};
  }
  return list;
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

void wm_border_cache_note_air(WmLinkGenerator *generator, int32_t x, int32_t z, const uint8_t *bytes,
                              size_t byte_count, const WmAreaVolume *blocking, size_t blocking_count) {
  if (!generator->border_cache) return;
  BorderPlace *place = &generator->border_cache->places[number_place(generator, x, z)];
  const uint64_t air = bytes ? hash_bytes(bytes, byte_count) : 0;
  const StampList volumes = stamp_volumes(generator, blocking, blocking_count);
  if (air == place->air) {
    invalidate_difference(generator, x, z, &place->volumes, &volumes);
  } else {
    invalidate_tile(generator, x, z);
  }
  place->air = air;
  set_stamps(generator, &place->volumes, &volumes);
  if (bytes) return;
  drop_borders(generator, number_place(generator, x, z));
  set_stamps(generator, &place->polygons, &(StampList){0});
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
    *cache = (WmBorderCache){.newest = NO_PLACE, .oldest = NO_PLACE, .places = places};
    generator->border_cache = cache;
    note_present_air(generator);
  }
  generator->border_cache->limit = limit;
  shrink(generator, limit);
  return WM_OK;
}

void wm_border_cache_note_tile(WmLinkGenerator *generator, int32_t x, int32_t z) {
  if (generator->border_cache)
    generator->border_cache->places[number_place(generator, x, z)].is_changed = true;
}

/* ---- Polygons ----------------------------------------------------------------------------------------- */

uint64_t wm_polygon_hash(const WmMeshTile *tile, uint32_t polygon) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint32_t head[2] = {tile->polygon_size[polygon], detail->triangle_count};
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, head, 2);
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    wm_content_hash_words(&hash, wm_tile_vertex(tile, polygon, k), 3);
  }
  wm_content_hash_words(&hash, tile->detail_vertices + 3 * (size_t)detail->first_vertex,
                        3 * (size_t)detail->vertex_count);
  wm_content_hash_words(&hash, tile->detail_triangles + 4 * (size_t)detail->first_triangle,
                        detail->triangle_count);
  wm_content_hash_finish(&hash);
  return hash.lanes[0];
}

/* The cells of a polygon and those beside it. */
static WmCellRectangle polygon_cells(const WmLinkGenerator *generator, const WmMeshTile *tile,
                                     uint32_t polygon) {
  float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    const float *vertex = wm_tile_vertex(tile, polygon, k);
    for (int axis = 0; axis < 2; axis++) {
      low[axis] = fminf(low[axis], vertex[2 * axis]);
      high[axis] = fmaxf(high[axis], vertex[2 * axis]);
    }
  }
  return find_cells(generator, low, high, 1);
}

/* The stamps of a place's present polygons. */
static StampList stamp_polygons(const WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  size_t count = 0;
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile));)
    count += tile->ground_count;
  const StampList list = allocate_stamps(generator, count);
  Stamp *stamp = list.stamps;
  for (const WmMeshTile *tile = NULL; list.count && (tile = wm_mesh_next_layer(mesh, x, z, tile));) {
    for (uint32_t i = 0; i < tile->ground_count; i++) {
      *stamp++ = (Stamp){wm_polygon_hash(tile, i), polygon_cells(generator, tile, i)};
    }
  }
  return list;
}

/* Compares the polygons of places around a tile with those that they had, where they may have changed. */
static void update_polygons(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  int32_t first[2], last[2];
  wm_link_generator_affected(generator, x, z, first, last);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) {
      BorderPlace *place = &generator->border_cache->places[number_place(generator, at_x, at_z)];
      if (place->polygons.is_complete && !place->is_changed) continue;
      const StampList polygons = stamp_polygons(generator, mesh, at_x, at_z);
      invalidate_difference(generator, at_x, at_z, &place->polygons, &polygons);
      set_stamps(generator, &place->polygons, &polygons);
      place->is_changed = false;
    }
  }
}

/* ---- Borders ------------------------------------------------------------------------------------------ */

static WmContentHash hash_border(const WmBorder *border) {
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, border->first, 3);
  wm_content_hash_words(&hash, border->second, 3);
  wm_content_hash_words(&hash, border->outward, 2);
  wm_content_hash_words(&hash, &border->length, 1);
  wm_content_hash_finish(&hash);
  return hash;
}

/* The cells that walks and flights from a border read up to a distance. */
static WmCellRectangle find_read_cells(const WmLinkGenerator *generator, const WmBorder *border,
                                       float distance) {
  float low[2], high[2];
  for (int axis = 0; axis < 2; axis++) {
    const float a = border->first[2 * axis], b = border->second[2 * axis];
    const float move = border->outward[axis] * distance * generator->bake.cell_size;
    low[axis] = fminf(a, b) + fminf(move, 0);
    high[axis] = fmaxf(a, b) + fmaxf(move, 0);
  }
  return find_cells(generator, low, high, fmaxf(generator->limits.radius, 1) + 2);
}

/* Mixes a word into a hash. */
static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

/* Adds up the hashes of stamps over cells: their order may differ. */
static uint64_t add_stamps(const StampList *list, const WmCellRectangle *cells) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    if (overlap(&list->stamps[i].cells, cells)) sum += list->stamps[i].hash;
  }
  return sum;
}

/* A hash of the air, volumes and polygons that decide what is in cells. */
static uint64_t hash_contents(const WmLinkGenerator *generator, const WmCellRectangle *cells) {
  const int32_t size[2] = {generator->tile_width, generator->tile_depth};
  const int32_t count[2] = {generator->voxels.tile_count_x, generator->voxels.tile_count_z};
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
      hash = mix(hash, place->air);
      if (place->air == 0) continue;
      hash = mix(hash, add_stamps(&place->volumes, cells) + 3 * add_stamps(&place->polygons, cells));
      if (!place->volumes.is_complete || !place->polygons.is_complete)
        hash = mix(hash, ++cache->unknown_count);
    }
  }
  return hash;
}

/* The next entry of a border in its chain, from index + 1 `at` on; 0: there is none. */
static uint32_t next_of_key(const TileBorders *tile, uint32_t at, const WmContentHash *key) {
  while (at > 0 && memcmp(&tile->borders[at - 1].key, key, sizeof *key) != 0) at = tile->next[at - 1];
  return at;
}

/* Finds the entry of a border that is valid, or is valid again.
 * returns    its index; UINT32_MAX: there is none */
static uint32_t find_border(const WmLinkGenerator *generator, const TileBorders *tile,
                            const WmContentHash *key) {
  if (!tile) return UINT32_MAX;
  const uint32_t first = next_of_key(tile, tile->heads[key->lanes[0] & tile->mask], key);
  for (uint32_t at = first; at > 0; at = next_of_key(tile, tile->next[at - 1], key)) {
    if (tile->borders[at - 1].is_valid) return at - 1;
  }
  for (uint32_t at = first; at > 0; at = next_of_key(tile, tile->next[at - 1], key)) {
    WmCachedBorder *border = &tile->borders[at - 1];
    border->is_valid = hash_contents(generator, &border->read) == border->contents;
    if (border->is_valid) return at - 1;
  }
  return UINT32_MAX;
}

/* Entries and their links, while they are collected. */
typedef struct Entries {
  WmCachedBorder *borders;     /* [count], with capacity for all */
  const WmSegmentLink **links; /* of each */
  size_t count, link_count;
} Entries;

static void append_entry(Entries *entries, const WmCachedBorder *border, const WmSegmentLink *links) {
  entries->borders[entries->count] = *border;
  entries->links[entries->count++] = links;
  entries->link_count += border->link_count;
}

/* Allocates the block of a tile's borders; NULL: none. */
static TileBorders *allocate_borders(WmContext *context, size_t limit, const Entries *entries) {
  uint32_t slots = 1;
  while (slots < entries->count) slots *= 2;
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(TileBorders));
  const size_t borders_at = wm_layout_add(&layout, entries->count, sizeof(WmCachedBorder));
  const size_t links_at = wm_layout_add(&layout, entries->link_count, sizeof(WmSegmentLink));
  const size_t heads_at = wm_layout_add(&layout, slots, sizeof(uint32_t));
  const size_t next_at = wm_layout_add(&layout, entries->count, sizeof(uint32_t));
  uint8_t *block = layout.bytes <= limit ? wm_layout_allocate(context, &layout) : NULL;
  if (!block) return NULL;
  TileBorders *tile = (TileBorders *)(void *)block;
  *tile = (TileBorders){.borders = (WmCachedBorder *)(void *)(block + borders_at),
                        .links = (WmSegmentLink *)(void *)(block + links_at),
                        .heads = (uint32_t *)(void *)(block + heads_at),
                        .next = (uint32_t *)(void *)(block + next_at),
                        .count = (uint32_t)entries->count,
                        .mask = slots - 1,
                        .bytes = layout.bytes};
  memset(tile->heads, 0, slots * sizeof *tile->heads);
  return tile;
}

/* Replaces the borders of a place, if limit and memory allow. */
static void store_borders(WmLinkGenerator *generator, uint32_t number, const Entries *entries) {
  WmBorderCache *cache = generator->border_cache;
  BorderPlace *place = &cache->places[number];
  TileBorders *tile = allocate_borders(generator->context, cache->limit, entries);
  WmSegmentLink *links = tile ? tile->links : NULL;
  for (uint32_t i = 0; tile && i < tile->count; i++) {
    const WmCachedBorder *border = &entries->borders[i];
    uint32_t *head = &tile->heads[border->key.lanes[0] & tile->mask];
    tile->borders[i] = *border;
    tile->next[i] = *head;
    *head = i + 1;
    if (border->link_count) memcpy(links, entries->links[i], border->link_count * sizeof *links);
    links += border->link_count;
  }
  drop_borders(generator, number);
  if (!tile) return;
  place->borders = tile;
  place->newer = NO_PLACE;
  place->older = cache->newest;
  *(cache->newest == NO_PLACE ? &cache->oldest : &cache->places[cache->newest].newer) = number;
  cache->newest = number;
  cache->bytes += tile->bytes;
  shrink(generator, cache->limit);
}

/* Appends links of the cache. */
static WmStatus append_links(WmContext *context, WmLinkList *list, const WmSegmentLink *links,
                             uint32_t count) {
  const WmStatus status = wm_buffer_reserve(context, &list->links, list->count + count, sizeof *links);
  if (status) return status;
  if (count) memcpy((WmSegmentLink *)list->links.items + list->count, links, count * sizeof *links);
  list->count += count;
  return WM_OK;
}

/* Index of the first link of each border, in scratch memory of the caller's mark. */
static uint32_t *find_firsts(WmContext *context, const TileBorders *tile) {
  const uint32_t count = tile ? tile->count : 0;
  uint32_t *firsts = wm_scratch_array(context, count, sizeof *firsts), next = 0;
  for (uint32_t i = 0; firsts && i < count; i++) {
    firsts[i] = next;
    next += tile->borders[i].link_count;
  }
  return firsts;
}

static WmStatus generate_all(WmAirWindow *window, const WmBorder *borders, size_t border_count, WmWalk *walk,
                             WmLinkList *list) {
  WmStatus status = WM_OK;
  for (size_t i = 0; !status && i < border_count; i++) {
    float farthest;
    status = wm_border_links(window, &borders[i], walk, false, list, &farthest);
  }
  return status;
}

/* The links of a border: from the cache, or generated.
 * in/out     entries: gets the border with the index of its first link in `list`; is_used [tile->count]; any_new */
static WmStatus find_links(WmAirWindow *window, const WmBorder *border, const TileBorders *tile,
                           const uint32_t *firsts, WmWalk *walk, WmLinkList *list, WmCachedBorder *entry,
                           bool *is_used, bool *any_new) {
  WmLinkGenerator *generator = window->generator;
  const WmContentHash key = hash_border(border);
  const uint32_t known = find_border(generator, tile, &key);
  if (known != UINT32_MAX) {
    *entry = tile->borders[known];
    is_used[known] = true;
    return append_links(generator->context, list, tile->links + firsts[known], entry->link_count);
  }
  const size_t before = list->count;
  float farthest = 0;
  const WmStatus status = wm_border_links(window, border, walk, false, list, &farthest);
  if (status) return status;
  *any_new = true;
  *entry = (WmCachedBorder){.key = key,
                            .read = find_read_cells(generator, border, farthest),
                            .link_count = (uint32_t)(list->count - before),
                            .is_valid = true};
  entry->contents = hash_contents(generator, &entry->read);
  return WM_OK;
}

/* Appends entries that this run didn't use, at most as many as it used. */
static void append_former(const TileBorders *tile, const uint32_t *firsts, const bool *is_used, size_t count,
                          Entries *entries) {
  const size_t limit = 2 * count + 8;
  for (uint32_t i = 0; tile && i < tile->count && entries->count < limit; i++) {
    if (!is_used[i]) append_entry(entries, &tile->borders[i], tile->links + firsts[i]);
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
  const TileBorders *tile = generator->border_cache->places[number].borders;
  const size_t former = tile ? tile->count : 0;
  const uint32_t *firsts = find_firsts(context, tile);
  bool *is_used = wm_scratch_zeroed(context, former, sizeof *is_used), any_new = !tile;
  WmCachedBorder *current = wm_scratch_array(context, border_count, sizeof *current);
  Entries entries = {.borders = wm_scratch_array(context, border_count + former, sizeof *entries.borders),
                     .links = wm_scratch_array(context, border_count + former, sizeof *entries.links)};
  const bool has_memory = firsts && is_used && current && entries.borders && entries.links;
  WmStatus status = has_memory ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; !status && i < border_count; i++) {
    status = find_links(window, &borders[i], tile, firsts, walk, list, &current[i], is_used, &any_new);
  }
  if (!status && any_new) {
    const WmSegmentLink *links = list->links.items;
    for (size_t i = 0; i < border_count; i++) {
      append_entry(&entries, &current[i], links);
      if (current[i].link_count) links += current[i].link_count;
    }
    append_former(tile, firsts, is_used, border_count, &entries);
    store_borders(generator, number, &entries);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
