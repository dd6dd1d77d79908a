/* Layers of a tile cache -> kept tiles. See detour_cache.h.
 *
 * Counts the cells of the layers of a place and of those around it, writes them as spans of each cell, and
 * sorts these: the result is what open spans are after the filters. */
#include <math.h>
#include <string.h>

#include "bake/rebuild/kept_tile.h"
#include "base/vector.h"
#include "dynamic/detour_cache/detour_cache_internal.h"

enum { LARGEST_CLEARANCE = 255, BORDER = 3 }; /* cells around a tile of a bake that erodes nothing */

/* The cells of a layer that lie in the grid of a tile. */
typedef struct Patch {
  const uint8_t *heights, *areas; /* [tile_size][tile_size] */
  uint32_t first_floor;
  int32_t first_x, first_z, end_x, end_z; /* of the layer's cells */
  int32_t shift_x, shift_z;               /* from a cell of the layer to one of the grid */
} Patch;

typedef struct Builder {
  const WmDetourCache *cache;
  WmContext *context;
  const WmGrid *grid;
  int32_t headroom, climb; /* cell heights: least clearance; highest step */
  Patch *patches;          /* [patch_count] in scratch memory */
  size_t patch_count;
  uint32_t own_count; /* walkable cells of the tile proper */
} Builder;

/* Decodes a layer that lies (dx, dz) tiles from the current tile. */
static WmStatus add_patch(Builder *builder, const WmCacheLayer *layer, int32_t dx, int32_t dz) {
  const int32_t size = builder->cache->summary.tile_size, border = builder->grid->border_size;
  const size_t cells = (size_t)size * (size_t)size;
  uint8_t *planes = wm_scratch_array(builder->context, cells, WM_LAYER_PLANES);
  if (!planes) return WM_ERROR_OUT_OF_MEMORY;
  if (!wm_cache_layer_decode(builder->cache, layer, planes)) return WM_ERROR_INTERNAL; /* it was checked */
  builder->patches[builder->patch_count++] = (Patch){
      .heights = planes,
      .areas = planes + cells,
      .first_floor = layer->first_floor,
      .first_x = wm_clamp_int(-border - dx * size, 0, size),
      .first_z = wm_clamp_int(-border - dz * size, 0, size),
      .end_x = wm_clamp_int(size + border - dx * size, 0, size),
      .end_z = wm_clamp_int(size + border - dz * size, 0, size),
      .shift_x = border + dx * size,
      .shift_z = border + dz * size,
  };
  return WM_OK;
}

static WmStatus gather_patches(Builder *builder, int32_t x, int32_t z) {
  const WmDetourCacheSummary *summary = &builder->cache->summary;
  const WmCacheLayer *first;
  const int32_t border = builder->grid->border_size;
  const int32_t reach =
      (border + summary->tile_size - 1) / summary->tile_size; /* tiles that the border covers */
  size_t count = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t dz = -reach; dz <= reach; dz++) {
      for (int32_t dx = -reach; dx <= reach; dx++) {
        const size_t here = wm_cache_layers_at(builder->cache, x + dx, z + dz, &first);
        if (pass == 0) count += here;
        for (size_t i = 0; pass == 1 && i < here; i++) {
          const WmStatus status = add_patch(builder, first + i, dx, dz);
          if (status) return status;
        }
      }
    }
    if (pass == 0) builder->patches = wm_scratch_array(builder->context, count, sizeof(Patch));
    if (!builder->patches) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

/* A cell of a patch: its number in the grid, floor and area. */
typedef struct Cell {
  size_t number;
  uint32_t floor, area; /* area 0: nothing */
} Cell;

static Cell cell_of(const Builder *builder, const Patch *patch, int32_t x, int32_t z) {
  const size_t at = (size_t)z * (size_t)builder->cache->summary.tile_size + (size_t)x;
  const size_t row = (size_t)(z + patch->shift_z);
  return (Cell){.number = row * (size_t)builder->grid->width + (size_t)(x + patch->shift_x),
                .floor = patch->first_floor + patch->heights[at],
                .area = patch->areas[at]};
}

/* Counts the spans of cell i in cell_first[i + 1]. */
static void count_spans(Builder *builder, uint32_t *cell_first) {
  for (size_t i = 0; i < builder->patch_count; i++) {
    const Patch *patch = &builder->patches[i];
    const bool is_own = patch->shift_x == builder->grid->border_size && patch->shift_z == patch->shift_x;
    for (int32_t z = patch->first_z; z < patch->end_z; z++) {
      for (int32_t x = patch->first_x; x < patch->end_x; x++) {
        const Cell cell = cell_of(builder, patch, x, z);
        cell_first[cell.number + 1] += cell.area != WM_AREA_NULL;
        builder->own_count += is_own && cell.area != WM_AREA_NULL;
      }
    }
  }
}

/* Writes floors and areas of all cells, in the order of patches within each. */
static void fill_spans(const Builder *builder, const uint32_t *cell_first, uint32_t *next, uint32_t *spans) {
  const size_t cells = (size_t)builder->grid->width * (size_t)builder->grid->depth;
  memcpy(next, cell_first, cells * sizeof *next);
  for (size_t i = 0; i < builder->patch_count; i++) {
    const Patch *patch = &builder->patches[i];
    for (int32_t z = patch->first_z; z < patch->end_z; z++) {
      for (int32_t x = patch->first_x; x < patch->end_x; x++) {
        const Cell cell = cell_of(builder, patch, x, z);
        if (cell.area != WM_AREA_NULL) spans[next[cell.number]++] = cell.floor | cell.area << 24;
      }
    }
  }
}

/* Insertion sort by floor: a cell has few spans, nearly always in order. */
static void sort_cell(uint32_t *spans, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t span = spans[i];
    uint32_t at = i;
    for (; at > 0 && (spans[at - 1] & 0xffff) > (span & 0xffff); at--) spans[at] = spans[at - 1];
    spans[at] = span;
  }
}

/* Sorts the spans of a cell and computes their clearance; returns the number of remaining spans. Portal cells
 * have the height of the floor across, up to a step too high: below another floor they are lowered until
 * there is headroom, by at most a step. Spans without headroom are dropped. */
static uint32_t finish_cell(const Builder *builder, uint32_t *spans, uint32_t count) {
  sort_cell(spans, count);
  uint32_t left = 0;
  int32_t ceiling = -1; /* the floor above; -1: none */
  for (uint32_t i = count; i-- > 0;) {
    int32_t floor = (int32_t)(spans[i] & 0xffff);
    int32_t clearance = LARGEST_CLEARANCE;
    if (ceiling >= 0) {
      const int32_t highest = ceiling - 1 - builder->headroom;
      if (highest < 1 || floor - highest > builder->climb) continue;
      if (floor > highest) floor = highest;
      clearance = wm_clamp_int(ceiling - 1 - floor, 1, LARGEST_CLEARANCE);
    }
    ceiling = floor;
    spans[count - ++left] = (uint32_t)floor | (uint32_t)clearance << 16 | (spans[i] & 0xff000000u);
  }
  memmove(spans, spans + (count - left), left * sizeof *spans);
  return left;
}

/* Finishes all cells and moves their spans together. */
static uint32_t compact_spans(const Builder *builder, uint32_t *cell_first, uint32_t *spans) {
  const size_t cells = (size_t)builder->grid->width * (size_t)builder->grid->depth;
  uint32_t done = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t first = cell_first[cell], count = cell_first[cell + 1] - first;
    const uint32_t left = finish_cell(builder, spans + first, count);
    memmove(spans + done, spans + first, left * sizeof *spans);
    cell_first[cell] = done;
    done += left;
  }
  cell_first[cells] = done;
  return done;
}

static WmStatus build_rows(Builder *builder, WmOpenRows *rows) {
  WmStatus status = wm_open_rows_start(builder->context, builder->grid, rows);
  if (status) return status;
  const size_t cells = (size_t)builder->grid->width * (size_t)builder->grid->depth;
  memset(rows->cell_first, 0, (cells + 1) * sizeof *rows->cell_first);
  count_spans(builder, rows->cell_first);
  for (size_t cell = 0; cell < cells; cell++) rows->cell_first[cell + 1] += rows->cell_first[cell];
  WmOpenChunk *chunk = wm_open_rows_reserve(builder->context, rows, rows->cell_first[cells]);
  uint32_t *next = wm_scratch_array(builder->context, cells, sizeof *next);
  if (!chunk || !next) return WM_ERROR_OUT_OF_MEMORY;
  fill_spans(builder, rows->cell_first, next, chunk->spans);
  rows->span_count = compact_spans(builder, rows->cell_first, chunk->spans);
  rows->solid_count = rows->span_count;
  chunk->count = rows->span_count;
  return WM_OK;
}

static WmStatus check_place(const WmDetourCache *cache, int32_t x, int32_t z) {
  const WmDetourCacheSummary *summary = &cache->summary;
  const bool is_inside = (uint32_t)x < (uint32_t)summary->tile_count_x;
  if (is_inside && (uint32_t)z < (uint32_t)summary->tile_count_z) return WM_OK;
  return wm_fail_range(cache->context, WM_ERROR_INVALID_ARGUMENT, is_inside ? "z" : "x", is_inside ? z : x, 0,
                       (is_inside ? summary->tile_count_z : summary->tile_count_x) - 1, "no such tile");
}

WmStatus wm_detour_cache_keep_tile(const WmDetourCache *cache, int32_t x, int32_t z, uint8_t **bytes,
                                   size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  WmStatus status = check_place(cache, x, z);
  const WmCacheLayer *first;
  if (status || wm_cache_layers_at(cache, x, z, &first) == 0) return status;
  const float height = ceilf(cache->summary.agent_height / cache->summary.cell_height);
  const float climb = cache->summary.agent_max_climb / cache->summary.cell_height;
  const int32_t width = cache->summary.tile_size + 2 * BORDER;
  const WmGrid grid = {.width = width, .depth = width, .border_size = BORDER};
  Builder builder = {.cache = cache,
                     .context = cache->context,
                     .grid = &grid,
                     .headroom = height < LARGEST_CLEARANCE ? (int32_t)height : LARGEST_CLEARANCE,
                     .climb = climb < LARGEST_CLEARANCE ? (int32_t)climb : LARGEST_CLEARANCE};
  WmOpenRows rows = {0};
  const WmScratchMark mark = wm_scratch_mark(cache->context);
  status = gather_patches(&builder, x, z);
  if (!status) status = build_rows(&builder, &rows);
  if (!status && builder.own_count) status = wm_kept_tile_write(cache->context, &rows, bytes, byte_count);
  wm_open_rows_free(cache->context, &rows);
  wm_scratch_rewind(cache->context, mark);
  return status;
}
