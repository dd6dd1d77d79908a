/* See border_cache.h. */
#include "links/border_cache.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "bake/tile/tile_hash.h"
#include "mesh/locate.h"

#define NO_PLACE UINT32_MAX

/* A polygon that a place of the mesh had. */
typedef struct PolygonStamp {
  uint64_t hash;
  WmCellRectangle cells;
} PolygonStamp;

/* The borders of a tile, in one block with their links. */
typedef struct TileBorders {
  WmCachedBorder *borders; /* [count] in the order of the run */
  WmSegmentLink *links;    /* of the first border, then of the next */
  uint32_t *heads, *next;  /* borders by the hash of their keys: [mask + 1], [count]: index + 1 */
  uint32_t count, mask;
  size_t bytes;
} TileBorders;

typedef struct BorderPlace {
  PolygonStamp *stamps; /* [stamp_count] a block */
  uint32_t stamp_count;
  bool is_stamped, is_changed; /* is_changed: its tile may have other polygons now */
  TileBorders *borders;        /* NULL: none are stored */
  uint32_t newer, older;       /* places with borders by their last run */
} BorderPlace;

struct WmBorderCache {
  size_t limit, bytes;
  uint32_t newest, oldest;
  BorderPlace *places; /* by z, then x */
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

static void drop_stamps(WmLinkGenerator *generator, BorderPlace *place) {
  generator->border_cache->bytes -= place->stamp_count * sizeof *place->stamps;
  wm_block_free(generator->context, place->stamps);
  place->stamps = NULL;
  place->stamp_count = 0;
  place->is_stamped = false;
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
  for (size_t i = 0; i < count; i++) wm_block_free(generator->context, cache->places[i].stamps);
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
  }
  generator->border_cache->limit = limit;
  shrink(generator, limit);
  return WM_OK;
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

static WmContentHash hash_volume(const WmAreaVolume *volume) {
  WmContentHash hash = wm_content_hash_start();
  wm_hash_area_volume(&hash, volume);
  wm_content_hash_finish(&hash);
  return hash;
}

static bool is_volume_among(const WmAreaVolume *volume, const WmAreaVolume *volumes, size_t count) {
  const WmContentHash own = hash_volume(volume);
  for (size_t i = 0; i < count; i++) {
    const WmContentHash other = hash_volume(&volumes[i]);
    if (own.lanes[0] == other.lanes[0] && own.lanes[1] == other.lanes[1]) return true;
  }
  return false;
}

/* Invalidates what reads the cells of volumes that are in the first list only. */
static void invalidate_volumes(WmLinkGenerator *generator, int32_t x, int32_t z, const WmAreaVolume *volumes,
                               size_t count, const WmAreaVolume *others, size_t other_count) {
  for (size_t i = 0; i < count; i++) {
    float low[3], high[3];
    if (is_volume_among(&volumes[i], others, other_count)) continue;
    wm_find_volume_bounds(generator->context, &volumes[i], low, high);
    const WmCellRectangle cells =
        find_cells(generator, (const float[2]){low[0], low[2]}, (const float[2]){high[0], high[2]}, 1);
    invalidate(generator, x, z, &cells, 1);
  }
}

void wm_border_cache_note_air(WmLinkGenerator *generator, int32_t x, int32_t z, const uint8_t *bytes,
                              size_t byte_count, const WmAreaVolume *blocking, size_t blocking_count) {
  if (!generator->border_cache) return;
  const WmAirTile *tile = wm_air_tile(generator, x, z);
  const bool is_same = tile && tile->bytes && bytes && tile->byte_count == byte_count &&
                       memcmp(tile->bytes, bytes, byte_count) == 0;
  if (is_same) {
    invalidate_volumes(generator, x, z, blocking, blocking_count, tile->blocking, tile->blocking_count);
    invalidate_volumes(generator, x, z, tile->blocking, tile->blocking_count, blocking, blocking_count);
    return;
  }
  invalidate_tile(generator, x, z);
  if (bytes) return;
  drop_borders(generator, number_place(generator, x, z));
  drop_stamps(generator, &generator->border_cache->places[number_place(generator, x, z)]);
}

void wm_border_cache_note_tile(WmLinkGenerator *generator, int32_t x, int32_t z) {
  if (generator->border_cache)
    generator->border_cache->places[number_place(generator, x, z)].is_changed = true;
}

/* ---- Polygons ----------------------------------------------------------------------------------------- */

static void hash_polygon(WmContentHash *hash, const WmMeshTile *tile, uint32_t polygon) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint32_t head[2] = {tile->polygon_size[polygon], detail->triangle_count};
  wm_content_hash_words(hash, head, 2);
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++)
    wm_content_hash_words(hash, wm_tile_vertex(tile, polygon, k), 3);
  wm_content_hash_words(hash, tile->detail_vertices + 3 * (size_t)detail->first_vertex,
                        3 * (size_t)detail->vertex_count);
  wm_content_hash_words(hash, tile->detail_triangles + 4 * (size_t)detail->first_triangle,
                        detail->triangle_count);
}

uint64_t wm_polygon_hash(const WmMeshTile *tile, uint32_t polygon) {
  WmContentHash hash = wm_content_hash_start();
  hash_polygon(&hash, tile, polygon);
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

/* The stamps of a place's present polygons.
 * returns    a block [*count]; NULL if it has none, or there is no memory for them, which *is_complete tells apart */
static PolygonStamp *make_stamps(const WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                                 uint32_t *count, bool *is_complete) {
  WmLayout layout = {0};
  *count = 0;
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile));)
    *count += tile->ground_count;
  *is_complete = true;
  if (*count == 0) return NULL;
  wm_layout_add(&layout, *count, sizeof(PolygonStamp));
  PolygonStamp *stamps = wm_layout_allocate(generator->context, &layout), *stamp = stamps;
  *is_complete = stamps != NULL;
  if (!stamps) {
    *count = 0;
    return NULL;
  }
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile));) {
    for (uint32_t i = 0; i < tile->ground_count; i++) {
      *stamp++ = (PolygonStamp){wm_polygon_hash(tile, i), polygon_cells(generator, tile, i)};
    }
  }
  return stamps;
}

/* Sorts stamps by the lower half of their hashes. */
static void sort_stamps(const PolygonStamp *stamps, uint32_t count, WmSortItem *items) {
  for (uint32_t i = 0; i < count; i++) items[i] = (WmSortItem){(uint32_t)stamps[i].hash, i};
  wm_sort_stable(items, items + count, count);
}

static bool is_among(uint64_t hash, const PolygonStamp *stamps, const WmSortItem *items, uint32_t count) {
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (items[middle].key < (uint32_t)hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < count && items[low].key == (uint32_t)hash; low++) {
    if (stamps[items[low].value].hash == hash) return true;
  }
  return false;
}

/* Invalidates what reads polygons that only one of the lists has. Without memory: all that reads the tile. */
static void invalidate_polygons(WmLinkGenerator *generator, int32_t x, int32_t z, const PolygonStamp *before,
                                uint32_t before_count, const PolygonStamp *after, uint32_t after_count) {
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  const PolygonStamp *lists[2] = {before, after};
  const uint32_t counts[2] = {before_count, after_count};
  WmSortItem *items[2];
  for (int i = 0; i < 2; i++)
    items[i] = wm_scratch_array(generator->context, 2 * (size_t)counts[i], sizeof **items);
  WmCellRectangle *cells =
      wm_scratch_array(generator->context, (size_t)before_count + after_count, sizeof *cells);
  if (items[0] && items[1] && cells) {
    size_t count = 0;
    for (int i = 0; i < 2; i++) sort_stamps(lists[i], counts[i], items[i]);
    for (int i = 0; i < 2; i++) {
      for (uint32_t k = 0; k < counts[i]; k++) {
        if (!is_among(lists[i][k].hash, lists[1 - i], items[1 - i], counts[1 - i]))
          cells[count++] = lists[i][k].cells;
      }
    }
    invalidate(generator, x, z, cells, count);
  } else {
    invalidate_tile(generator, x, z);
  }
  wm_scratch_rewind(generator->context, mark);
}

/* Compares the polygons of a place with those that it had, if they may have changed. */
static void update_stamps(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  WmBorderCache *cache = generator->border_cache;
  BorderPlace *place = &cache->places[number_place(generator, x, z)];
  if (place->is_stamped && !place->is_changed) return;
  uint32_t count;
  bool is_complete;
  PolygonStamp *stamps = make_stamps(generator, mesh, x, z, &count, &is_complete);
  if (place->is_stamped && is_complete) {
    invalidate_polygons(generator, x, z, place->stamps, place->stamp_count, stamps, count);
  } else {
    invalidate_tile(generator, x, z);
  }
  drop_stamps(generator, place);
  place->stamps = stamps;
  place->stamp_count = count;
  place->is_stamped = is_complete;
  place->is_changed = false;
  cache->bytes += count * sizeof *stamps;
}

static void update_stamps_around(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  int32_t first[2], last[2];
  wm_link_generator_affected(generator, x, z, first, last);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) update_stamps(generator, mesh, at_x, at_z);
  }
}

/* ---- Borders ------------------------------------------------------------------------------------------ */

static WmContentHash hash_border(const WmBorder *border) {
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, border->first, 3);
  wm_content_hash_words(&hash, border->second, 3);
  wm_content_hash_words(&hash, border->outward, 2);
  wm_content_hash_words(&hash, &border->length, 1);
  hash_polygon(&hash, border->tile, border->polygon);
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

/* Finds a valid entry.
 * out        *first: its first link */
static const WmCachedBorder *find_border(const TileBorders *tile, const uint32_t *firsts,
                                         const WmContentHash *key, const WmSegmentLink **first) {
  if (!tile) return NULL;
  for (uint32_t at = tile->heads[key->lanes[0] & tile->mask]; at > 0; at = tile->next[at - 1]) {
    const WmCachedBorder *border = &tile->borders[at - 1];
    if (border->key.lanes[0] != key->lanes[0] || border->key.lanes[1] != key->lanes[1] || !border->is_valid)
      continue;
    *first = tile->links + firsts[at - 1];
    return border;
  }
  return NULL;
}

/* Stores the borders of a place and their links, if limit and memory allow. */
static void store_borders(WmLinkGenerator *generator, uint32_t number, const WmCachedBorder *borders,
                          size_t count, const WmSegmentLink *links, size_t link_count) {
  WmBorderCache *cache = generator->border_cache;
  BorderPlace *place = &cache->places[number];
  drop_borders(generator, number);
  uint32_t slots = 1;
  while (slots < count) slots *= 2;
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(TileBorders));
  const size_t borders_at = wm_layout_add(&layout, count, sizeof *borders);
  const size_t links_at = wm_layout_add(&layout, link_count, sizeof *links);
  const size_t heads_at = wm_layout_add(&layout, slots, sizeof(uint32_t));
  const size_t next_at = wm_layout_add(&layout, count, sizeof(uint32_t));
  if (layout.bytes > cache->limit) return;
  uint8_t *block = wm_layout_allocate(generator->context, &layout);
  if (!block) return;
  TileBorders *tile = (TileBorders *)(void *)block;
  *tile = (TileBorders){.borders = (WmCachedBorder *)(void *)(block + borders_at),
                        .links = (WmSegmentLink *)(void *)(block + links_at),
                        .heads = (uint32_t *)(void *)(block + heads_at),
                        .next = (uint32_t *)(void *)(block + next_at),
                        .count = (uint32_t)count,
                        .mask = slots - 1,
                        .bytes = layout.bytes};
  if (count) memcpy(tile->borders, borders, count * sizeof *borders);
  if (link_count) memcpy(tile->links, links, link_count * sizeof *links);
  memset(tile->heads, 0, slots * sizeof *tile->heads);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *head = &tile->heads[borders[i].key.lanes[0] & tile->mask];
    tile->next[i] = *head;
    *head = i + 1;
  }
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

WmStatus wm_border_cache_links(WmAirWindow *window, int32_t x, int32_t z, const WmBorder *borders,
                               size_t border_count, WmWalk *walk, WmLinkList *list) {
  WmLinkGenerator *generator = window->generator;
  WmContext *context = generator->context;
  if (!generator->border_cache) return generate_all(window, borders, border_count, walk, list);
  update_stamps_around(generator, window->mesh, x, z);
  const WmScratchMark mark = wm_scratch_mark(context);
  const uint32_t number = number_place(generator, x, z);
  const TileBorders *tile = generator->border_cache->places[number].borders;
  const uint32_t *firsts = find_firsts(context, tile);
  WmCachedBorder *entries = wm_scratch_array(context, border_count, sizeof *entries);
  bool is_same = tile && tile->count == border_count;
  WmStatus status = firsts && entries ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; !status && i < border_count; i++) {
    const WmContentHash key = hash_border(&borders[i]);
    const WmSegmentLink *links;
    const WmCachedBorder *known = find_border(tile, firsts, &key, &links);
    if (known) {
      entries[i] = *known;
      is_same &= known == &tile->borders[i];
      status = append_links(context, list, links, known->link_count);
      continue;
    }
    const size_t before = list->count;
    is_same = false;
    float farthest = 0;
    status = wm_border_links(window, &borders[i], walk, false, list, &farthest);
    entries[i] = (WmCachedBorder){.key = key,
                                  .read = find_read_cells(generator, &borders[i], farthest),
                                  .link_count = (uint32_t)(list->count - before),
                                  .is_valid = true};
  }
  if (!status && !window->status && !is_same) {
    store_borders(generator, number, entries, border_count, list->links.items, list->count);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
