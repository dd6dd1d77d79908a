/* Air of tiles: stored as bytes, unpacked when a run needs it. Air that a baker gives is packed when its memory, or its bytes, are needed.
 * See links_internal.h. */
#include <string.h>

#include "bake/areas/volume_cells.h"
#include "links/border_cache.h"
#include "links/links_internal.h"

void wm_link_tile_grid(const WmLinkGenerator *generator, int32_t x, int32_t z, WmGrid *grid) {
  const WmConfig *bake = &generator->bake;
  *grid = (WmGrid){.cell_size = bake->cell_size,
                   .cell_height = bake->cell_height,
                   .width = generator->tile_width,
                   .depth = generator->tile_depth};
  memcpy(grid->bounds_min, bake->bounds_min, sizeof grid->bounds_min);
  memcpy(grid->bounds_max, bake->bounds_max, sizeof grid->bounds_max);
  if (!bake->tile_size) return;
  const int32_t tile[3] = {x, 0, z};
  for (int axis = 0; axis < 3; axis += 2) {
    grid->bounds_min[axis] = bake->bounds_min[axis] + (float)tile[axis] * generator->voxels.tile_world_size;
    grid->bounds_max[axis] =
        bake->bounds_min[axis] + (float)(tile[axis] + 1) * generator->voxels.tile_world_size;
  }
}

WmAirTile *wm_air_tile(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  return generator->rows[z] ? &generator->rows[z][x] : NULL;
}

/* ---- Cutting volumes ----------------------------------------------------------------------------------- */

/* Gaps of a tile while volumes are cut out of it: each volume may split a gap of the cells that it covers. */
typedef struct Carving {
  int32_t width;
  int32_t height;   /* of the agent: lower gaps are dropped */
  uint32_t *counts; /* [cells] gaps of each cell; 0: no solid span */
  size_t *first;    /* [cells + 1] where the capacity of each cell begins */
  WmAirGap *gaps;   /* [first[cells]] */
} Carving;

/* Removes heights `first` to `last`, both included, from a column.
 * in/out     gaps [*count], with capacity for one more */
static void cut_column(WmAirGap *gaps, uint32_t *count, int32_t first, int32_t last, int32_t height) {
  if (*count == 0) {
    gaps[0] = (WmAirGap){0, WM_OPEN_CEILING};
    *count = 1;
  }
  const int32_t end = last < WM_OPEN_CEILING ? last + 1 : WM_OPEN_CEILING;
  uint32_t kept = 0;
  WmAirGap above = {0, 0};
  bool has_above = false;
  for (uint32_t k = 0; k < *count; k++) {
    const WmAirGap gap = gaps[k];
    if (gap.ceiling <= first || gap.floor >= end) {
      gaps[kept++] = gap;
      continue;
    }
    if (gap.ceiling > end || gap.ceiling == WM_OPEN_CEILING) {
      above = (WmAirGap){(uint16_t)end, gap.ceiling};
      has_above = true;
    }
    if (first - gap.floor >= height) gaps[kept++] = (WmAirGap){gap.floor, (uint16_t)first};
    if (!has_above) continue;
    /* The gaps after this one lie above the volume. */
    if (above.ceiling == WM_OPEN_CEILING || above.ceiling - above.floor >= height) {
      const uint32_t left = *count - k - 1;
      memmove(gaps + kept + 1, gaps + k + 1, left * sizeof *gaps);
      gaps[kept] = above;
      *count = kept + 1 + left;
      return;
    }
    has_above = false;
  }
  *count = kept;
}

/* Counts capacity for one more gap of a cell; of its first cut two: a cell without solid spans becomes a gap, then two. */
static void count_cell(void *target, int32_t x, int32_t z, int32_t first, int32_t last) {
  Carving *carving = target;
  const size_t cell = (size_t)x + (size_t)z * (size_t)carving->width;
  (void)first;
  (void)last;
  carving->first[cell] += carving->first[cell] ? 1 : 2;
}

static void carve_cell(void *target, int32_t x, int32_t z, int32_t first, int32_t last) {
  Carving *carving = target;
  const size_t cell = (size_t)x + (size_t)z * (size_t)carving->width;
  cut_column(carving->gaps + carving->first[cell], &carving->counts[cell], first, last, carving->height);
}

/* ---- The order of use -------------------------------------------------------------------------------- */

/* Takes a tile out of the order of use. */
static void unlink_use(WmLinkGenerator *generator, WmAirTile *tile) {
  *(tile->older ? &tile->older->newer : &generator->oldest) = tile->newer;
  *(tile->newer ? &tile->newer->older : &generator->newest) = tile->older;
  tile->older = tile->newer = NULL;
}

static void link_use(WmLinkGenerator *generator, WmAirTile *tile) {
  tile->older = generator->newest;
  *(tile->older ? &tile->older->newer : &generator->oldest) = tile;
  generator->newest = tile;
  tile->last_use = generator->run_count;
}

static void use(WmLinkGenerator *generator, WmAirTile *tile) {
  unlink_use(generator, tile);
  link_use(generator, tile);
}

/* ---- Unpacking ----------------------------------------------------------------------------------------- */

/* Adds room for ground to air, which it then owns; NULL without memory. */
static WmUnpackedAir *add_ground(WmContext *context, WmAir *air) {
  const size_t squares = (size_t)wm_count_squares(air->width) * (size_t)wm_count_squares(air->depth);
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(WmUnpackedAir));
  const size_t ground_at = wm_layout_add(&layout, air->gap_count, sizeof(uint32_t));
  const size_t square_at = wm_layout_add(&layout, squares, sizeof(WmGroundSquare));
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return NULL;
  WmUnpackedAir *unpacked = (WmUnpackedAir *)(void *)block;
  *unpacked = (WmUnpackedAir){.air = air,
                              .cell_first = air->cell_first,
                              .gaps = air->gaps,
                              .ground = (uint32_t *)(void *)(block + ground_at),
                              .squares = (WmGroundSquare *)(void *)(block + square_at),
                              .gap_count = air->gap_count,
                              .square_count = (uint32_t)squares,
                              .bytes = layout.bytes + air->bytes};
  return unpacked;
}

static WmStatus visit_volumes(WmContext *context, const WmAirTile *tile, const WmGrid *grid,
                              WmVolumeSink sink) {
  WmStatus status = WM_OK;
  for (size_t i = 0; !status && i < tile->blocking_count; i++) {
    status = wm_find_volume_cells(context, grid, &tile->blocking[i], sink);
  }
  return status;
}

/* Copies gaps, with capacity for those that cuts add. Allocates in scratch memory of the caller's mark. */
static WmStatus start_carving(WmContext *context, const WmAirTile *tile, const WmGrid *grid, const WmAir *air,
                              Carving *carving) {
  const size_t cells = (size_t)grid->width * (size_t)grid->depth;
  size_t total = 0;
  carving->counts = wm_scratch_array(context, cells, sizeof *carving->counts);
  carving->first = wm_scratch_zeroed(context, cells + 1, sizeof *carving->first);
  if (!carving->counts || !carving->first) return WM_ERROR_OUT_OF_MEMORY;
  const WmStatus status = visit_volumes(context, tile, grid, (WmVolumeSink){count_cell, carving});
  if (status) return status;
  for (size_t cell = 0; cell < cells; cell++) {
    const size_t cuts = carving->first[cell];
    carving->first[cell] = total;
    carving->counts[cell] = air->cell_first[cell + 1] - air->cell_first[cell];
    total += carving->counts[cell] + cuts;
  }
  carving->first[cells] = total;
  carving->gaps = wm_scratch_array(context, total, sizeof *carving->gaps);
  if (!carving->gaps) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t cell = 0; cell < cells; cell++) {
    const WmAirGap *gaps = air->gaps + air->cell_first[cell];
    memcpy(carving->gaps + carving->first[cell], gaps, carving->counts[cell] * sizeof *gaps);
  }
  return WM_OK;
}

/* Cuts a tile's volumes out of its air: replaces *air. Uses scratch memory of the caller's mark. */
static WmStatus carve_volumes(WmLinkGenerator *generator, const WmAirTile *tile, const WmGrid *grid,
                              WmAir **air) {
  WmContext *context = generator->context;
  const size_t cells = (size_t)grid->width * (size_t)grid->depth;
  Carving carving = {.width = grid->width, .height = generator->voxels.walkable_height};
  WmStatus status = start_carving(context, tile, grid, *air, &carving);
  if (!status) status = visit_volumes(context, tile, grid, (WmVolumeSink){carve_cell, &carving});
  if (status) return status;
  size_t total = 0;
  for (size_t cell = 0; cell < cells; cell++) total += carving.counts[cell];
  WmAir *carved = wm_air_create(context, grid->width, grid->depth, total);
  if (!carved) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t next = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    carved->cell_first[cell] = next;
    memcpy(carved->gaps + next, carving.gaps + carving.first[cell],
           carving.counts[cell] * sizeof *carving.gaps);
    next += carving.counts[cell];
  }
  carved->cell_first[cells] = next;
  wm_block_free(context, *air);
  *air = carved;
  return WM_OK;
}

/* The gaps that the bake of a tile can have made: floors lie at most two heights above the bounds. */
static WmAirBounds bound_air(const WmLinkGenerator *generator, const WmGrid *grid) {
  const double heights = ((double)grid->bounds_max[1] - grid->bounds_min[1]) / grid->cell_height + 2;
  return (WmAirBounds){.width = grid->width,
                       .depth = grid->depth,
                       .least_height = generator->voxels.walkable_height,
                       .top = heights < WM_OPEN_CEILING - 1 ? (int32_t)heights : WM_OPEN_CEILING - 1};
}

/* Reads air, with the tile's volumes cut out. Uses scratch memory of the caller's mark. */
static WmStatus read_air(WmLinkGenerator *generator, WmAirTile *tile, const WmGrid *grid, WmAir **air) {
  const WmAirBounds bounds = bound_air(generator, grid);
  const WmStatus status = wm_air_read(generator->context, tile->bytes, tile->byte_count, &bounds, air);
  if (status) return status;
  tile->air_bytes = (*air)->bytes;
  return tile->blocking_count == 0 ? WM_OK : carve_volumes(generator, tile, grid, air);
}

static WmStatus unpack(WmLinkGenerator *generator, WmAirTile *tile, int32_t x, int32_t z,
                       WmUnpackedAir **unpacked) {
  WmContext *context = generator->context;
  WmGrid grid;
  WmAir *air = NULL;
  *unpacked = NULL;
  wm_link_tile_grid(generator, x, z, &grid);
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = read_air(generator, tile, &grid, &air);
  wm_scratch_rewind(context, mark);
  if (!status) *unpacked = add_ground(context, air);
  if (*unpacked) return WM_OK;
  wm_block_free(context, air);
  return status ? status : WM_ERROR_OUT_OF_MEMORY;
}

static void hold_unpacked(WmLinkGenerator *generator, WmAirTile *tile, WmUnpackedAir *air) {
  tile->unpacked = air;
  generator->unpacked_bytes += air->bytes;
  link_use(generator, tile);
}

WmStatus wm_air_tile_unpack(WmLinkGenerator *generator, WmAirTile *tile, int32_t x, int32_t z) {
  if (tile->unpacked) {
    use(generator, tile);
    return WM_OK;
  }
  WmUnpackedAir *air = NULL;
  const WmStatus status = unpack(generator, tile, x, z, &air);
  if (!status) hold_unpacked(generator, tile, air);
  return status;
}

/* ---- Storing ------------------------------------------------------------------------------------------- */

static void free_unpacked(WmLinkGenerator *generator, WmAirTile *tile) {
  if (!tile->unpacked) return;
  unlink_use(generator, tile);
  generator->unpacked_bytes -= tile->unpacked->bytes;
  wm_block_free(generator->context, tile->unpacked->air);
  wm_block_free(generator->context, tile->unpacked);
  tile->unpacked = NULL;
}

static size_t count_packed_bytes(const WmAirTile *tile) {
  size_t bytes = tile->byte_count + tile->blocking_count * sizeof *tile->blocking;
  for (size_t i = 0; i < tile->blocking_count; i++)
    bytes += 3 * sizeof(float) * tile->blocking[i].vertex_count;
  return bytes;
}

static void free_packed(WmLinkGenerator *generator, WmAirTile *tile) {
  generator->packed_bytes -= count_packed_bytes(tile);
  wm_block_free(generator->context, tile->bytes);
  wm_block_free(generator->context, tile->blocking);
  free_unpacked(generator, tile);
  *tile = (WmAirTile){0};
}

/* Copies volumes with their outlines into one block. */
static WmStatus copy_volumes(WmContext *context, const WmAreaVolume *volumes, size_t count,
                             WmAreaVolume **copy) {
  *copy = NULL;
  if (count == 0) return WM_OK;
  WmLayout layout = {0};
  wm_layout_add(&layout, count, sizeof **copy);
  for (size_t i = 0; i < count; i++) {
    if (volumes[i].kind == WM_AREA_VOLUME_PRISM)
      wm_layout_add(&layout, 3 * volumes[i].vertex_count, sizeof(float));
  }
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  WmLayout again = {0};
  wm_layout_add(&again, count, sizeof **copy);
  *copy = (WmAreaVolume *)(void *)block;
  for (size_t i = 0; i < count; i++) {
    WmAreaVolume *volume = &(*copy)[i];
    *volume = volumes[i];
    if (volume->kind != WM_AREA_VOLUME_PRISM) {
      volume->vertices = NULL;
      volume->vertex_count = 0;
      continue;
    }
    float *vertices =
        (float *)(void *)(block + wm_layout_add(&again, 3 * volume->vertex_count, sizeof(float)));
    memcpy(vertices, volumes[i].vertices, 3 * volume->vertex_count * sizeof *vertices);
    volume->vertices = vertices;
  }
  return WM_OK;
}

/* Copies bytes and volumes. */
static WmStatus make_air(WmLinkGenerator *generator, int32_t x, int32_t z, const uint8_t *bytes,
                         size_t byte_count, const WmAreaVolume *blocking, size_t blocking_count,
                         WmAirTile *tile) {
  WmContext *context = generator->context;
  WmGrid grid;
  wm_link_tile_grid(generator, x, z, &grid);
  for (size_t i = 0; i < blocking_count; i++) {
    bool touches;
    const WmStatus status = wm_check_area_volume(context, &grid, &blocking[i], &touches);
    if (status) return status;
  }
  *tile = (WmAirTile){.bytes = wm_block_allocate(context, byte_count), .byte_count = byte_count};
  if (!tile->bytes) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(tile->bytes, bytes, byte_count);
  const WmStatus status = copy_volumes(context, blocking, blocking_count, &tile->blocking);
  if (status) {
    wm_block_free(context, tile->bytes);
  } else {
    tile->blocking_count = blocking_count;
  }
  return status;
}

static WmStatus reserve_row(WmLinkGenerator *generator, int32_t z) {
  if (generator->rows[z]) return WM_OK;
  const size_t count = (size_t)generator->voxels.tile_count_x;
  WmLayout layout = {0};
  wm_layout_add(&layout, count, sizeof(WmAirTile));
  WmAirTile *row = wm_layout_allocate(generator->context, &layout);
  if (!row) return WM_ERROR_OUT_OF_MEMORY;
  memset(row, 0, count * sizeof *row);
  generator->rows[z] = row;
  return WM_OK;
}

static bool has_bytes(const WmAirTile *tile, const uint8_t *bytes, size_t byte_count) {
  return tile->bytes && tile->byte_count == byte_count && memcmp(tile->bytes, bytes, byte_count) == 0;
}

WmStatus wm_link_generator_set_air(WmLinkGenerator *generator, int32_t x, int32_t z, const uint8_t *bytes,
                                   size_t byte_count, const WmAreaVolume *blocking, size_t blocking_count) {
  WmStatus status = wm_link_check_place(generator, x, z);
  if (status) return status;
  if (!bytes) {
    wm_border_cache_note_air(generator, x, z, NULL, 0, NULL, 0);
    if (generator->rows[z]) free_packed(generator, wm_air_tile(generator, x, z));
    return WM_OK;
  }
  /* Unpacked before it replaces the former air, so that a failure changes nothing; the same air with other volumes waits for a run. */
  WmAirTile made = {0};
  WmUnpackedAir *unpacked = NULL;
  status = reserve_row(generator, z);
  if (!status) status = make_air(generator, x, z, bytes, byte_count, blocking, blocking_count, &made);
  if (status) return status;
  made.air_bytes = wm_air_tile(generator, x, z)->air_bytes;
  if (!has_bytes(wm_air_tile(generator, x, z), bytes, byte_count))
    status = unpack(generator, &made, x, z, &unpacked);
  if (status) {
    wm_block_free(generator->context, made.bytes);
    wm_block_free(generator->context, made.blocking);
    return status;
  }
  wm_border_cache_note_air(generator, x, z, bytes, byte_count, blocking, blocking_count);
  WmAirTile *tile = wm_air_tile(generator, x, z);
  free_packed(generator, tile);
  *tile = made;
  generator->packed_bytes += count_packed_bytes(tile);
  if (!unpacked) return WM_OK;
  hold_unpacked(generator, tile, unpacked);
  /* Not older ones: the first tile to be run is often the first one set. */
  if (generator->unpacked_bytes > generator->unpacked_limit) free_unpacked(generator, tile);
  return WM_OK;
}

/* Packs the air of a tile that a baker gave, unless it is packed. */
static WmStatus pack(WmLinkGenerator *generator, WmAirTile *tile) {
  if (tile->bytes || !tile->unpacked) return WM_OK;
  const WmStatus status =
      wm_air_write(generator->context, tile->unpacked->air, &tile->bytes, &tile->byte_count);
  if (!status) generator->packed_bytes += tile->byte_count;
  return status;
}

WmStatus wm_air_tiles_pack(WmLinkGenerator *generator) {
  WmStatus status = WM_OK;
  for (WmAirTile *tile = generator->oldest; !status && tile; tile = tile->newer)
    status = pack(generator, tile);
  return status;
}

WmStatus wm_link_generator_give_air(WmLinkGenerator *generator, int32_t x, int32_t z, WmAir *air,
                                    const WmAreaVolume *blocking, size_t blocking_count) {
  WmContext *context = generator->context;
  WmStatus status = wm_link_check_place(generator, x, z);
  if (!status && (air->width != generator->tile_width || air->depth != generator->tile_depth)) {
    status = wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "air", "the air is that of another grid");
  }
  if (!status) status = reserve_row(generator, z);
  WmUnpackedAir *unpacked = NULL;
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  /* The cache of borders compares bytes, and volumes are cut out of a copy. */
  const bool needs_bytes = generator->border_cache || blocking_count > 0 ||
                           generator->unpacked_bytes + air->bytes > generator->unpacked_limit;
  if (!status && needs_bytes) {
    status = wm_air_write(context, air, &bytes, &byte_count);
    if (!status)
      status = wm_link_generator_set_air(generator, x, z, bytes, byte_count, blocking, blocking_count);
    wm_block_free(context, bytes);
  } else if (!status) {
    unpacked = add_ground(context, air);
    if (!unpacked) status = WM_ERROR_OUT_OF_MEMORY;
  }
  if (!unpacked) {
    wm_block_free(context, air);
    return status;
  }
  WmAirTile *tile = wm_air_tile(generator, x, z);
  free_packed(generator, tile);
  tile->air_bytes = air->bytes;
  hold_unpacked(generator, tile, unpacked);
  return WM_OK;
}

WmStatus wm_link_generator_copy_air(WmLinkGenerator *generator, int32_t x, int32_t z, uint8_t **bytes,
                                    size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  WmStatus status = wm_link_check_place(generator, x, z);
  if (status) return status;
  WmAirTile *tile = wm_air_tile(generator, x, z);
  if (!wm_air_tile_exists(tile)) return WM_OK;
  status = pack(generator, tile);
  if (status) return status;
  *bytes = wm_block_allocate(generator->context, tile->byte_count);
  if (!*bytes) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(*bytes, tile->bytes, tile->byte_count);
  *byte_count = tile->byte_count;
  return WM_OK;
}

/* Moves the air of a tile of another generator. */
static void move_tile(WmLinkGenerator *generator, WmLinkGenerator *other, int32_t x, int32_t z) {
  WmAirTile *from = wm_air_tile(other, x, z), *to = wm_air_tile(generator, x, z);
  if (!wm_air_tile_exists(from)) return;
  WmUnpackedAir *unpacked = from->unpacked;
  wm_border_cache_note_air(generator, x, z, NULL, 0, NULL, 0);
  free_packed(generator, to);
  if (unpacked) {
    unlink_use(other, from);
    other->unpacked_bytes -= unpacked->bytes;
    unpacked->ground_key = 0;
    from->unpacked = NULL;
  }
  *to = *from;
  other->packed_bytes -= count_packed_bytes(from);
  generator->packed_bytes += count_packed_bytes(to);
  *from = (WmAirTile){0};
  if (unpacked) hold_unpacked(generator, to, unpacked);
  /* With a cache of borders, all air is compressed. */
  wm_border_cache_note_air(generator, x, z, to->bytes, to->byte_count, to->blocking, to->blocking_count);
}

WmStatus wm_link_generator_take_air(WmLinkGenerator *generator, WmLinkGenerator *other) {
  const WmVoxelConfig *ours = &generator->voxels, *theirs = &other->voxels;
  if (other == generator) return WM_OK;
  if (ours->tile_count_x != theirs->tile_count_x || ours->tile_count_z != theirs->tile_count_z ||
      generator->tile_width != other->tile_width || generator->tile_depth != other->tile_depth ||
      ours->walkable_height != theirs->walkable_height) {
    return wm_fail(generator->context, WM_ERROR_INVALID_ARGUMENT, "other", "the generator has another grid");
  }
  WmStatus status = other->border_cache || generator->border_cache ? wm_air_tiles_pack(other) : WM_OK;
  for (int32_t z = 0; !status && z < theirs->tile_count_z; z++) {
    if (other->rows[z]) status = reserve_row(generator, z);
  }
  if (status) return status;
  for (int32_t z = 0; z < theirs->tile_count_z; z++) {
    for (int32_t x = 0; other->rows[z] && x < theirs->tile_count_x; x++) move_tile(generator, other, x, z);
  }
  wm_border_cache_destroy(other);
  generator->run_count++; /* no run needs what was moved */
  wm_air_tiles_trim(generator);
  return WM_OK;
}

size_t wm_link_generator_air_bytes(const WmLinkGenerator *generator) {
  size_t bytes = 0;
  for (int32_t z = 0; z < generator->voxels.tile_count_z; z++) {
    for (int32_t x = 0; generator->rows[z] && x < generator->voxels.tile_count_x; x++) {
      bytes += generator->rows[z][x].air_bytes;
    }
  }
  return bytes;
}

bool wm_air_tiles_drop_unpacked(WmLinkGenerator *generator) {
  bool has_freed = false;
  for (WmAirTile *tile = generator->oldest, *next; tile; tile = next) {
    next = tile->newer;
    if (pack(generator, tile)) continue;
    free_unpacked(generator, tile);
    has_freed = true;
  }
  return has_freed;
}

void wm_air_tiles_trim(WmLinkGenerator *generator) {
  while (generator->unpacked_bytes > generator->unpacked_limit &&
         generator->oldest->last_use != generator->run_count) {
    if (pack(generator, generator->oldest)) return;
    free_unpacked(generator, generator->oldest);
  }
}

void wm_air_tiles_free(WmLinkGenerator *generator) {
  for (int32_t z = 0; generator->rows && z < generator->voxels.tile_count_z; z++) {
    for (int32_t x = 0; generator->rows[z] && x < generator->voxels.tile_count_x; x++) {
      free_packed(generator, &generator->rows[z][x]);
    }
    wm_block_free(generator->context, generator->rows[z]);
  }
  wm_block_free(generator->context, generator->rows);
}
