/* Air of tiles: stored as bytes, unpacked when a run needs it. Air that a baker gives is packed when its memory, or its bytes, are needed.
 * See links_internal.h. */
#include <string.h>

#include "bake/areas/volume_cells.h"
#include "bake/tile/tile_hash.h"
#include "base/simd.h"
#include "base/sort.h"
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
  grid->bounds_max[1] = wm_config_top(bake, bake->bounds_min, bake->bounds_max);
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

/* The heights of a cell that a volume fills, both included. */
typedef struct Cut {
  int32_t x, z, first, last;
} Cut;

/* The gaps of a box of cells while volumes are cut out of them: each volume may split a gap of the cells that it covers. */
typedef struct Carving {
  WmContext *context;
  Cut *cuts; /* [cut_count] in scratch memory, by volume */
  size_t cut_count, cut_capacity;
  WmStatus status;     /* WM_ERROR_OUT_OF_MEMORY: cuts are missing */
  WmCellRectangle box; /* has all cuts */
  int32_t height;      /* of the agent: lower gaps are dropped */
  uint32_t *counts;    /* [cells of the box] gaps of each cell; 0: no solid span */
  WmAirGap *gaps;      /* [gap_count] of the cells of the box, row by row */
  size_t gap_count;
} Carving;

/* Removes the heights of a cut from a column.
 * in/out     gaps [*count], with capacity for one more, or for two more if there is none */
static void cut_column(WmAirGap *gaps, uint32_t *count, const Cut *cut, int32_t height) {
  const int32_t first = cut->first, last = cut->last;
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
      if (left) memmove(gaps + kept + 1, gaps + k + 1, left * sizeof *gaps);
      gaps[kept] = above;
      *count = kept + 1 + left;
      return;
    }
    has_above = false;
  }
  *count = kept;
}

/* Appends a cut, and widens the box by its cell. */
static void append_cut(void *target, int32_t x, int32_t z, int32_t first, int32_t last) {
  Carving *carving = target;
  const int32_t cell[2] = {x, z};
  if (carving->status) return;
  if (carving->cut_count == carving->cut_capacity) {
    carving->cuts = wm_scratch_reserve(carving->context, carving->cuts, &carving->cut_capacity,
                                       carving->cut_count + 1, sizeof *carving->cuts);
  }
  if (!carving->cuts) {
    carving->status = WM_ERROR_OUT_OF_MEMORY;
    return;
  }
  carving->cuts[carving->cut_count++] = (Cut){x, z, first, last};
  for (int axis = 0; axis < 2; axis++) {
    if (cell[axis] < carving->box.low[axis]) carving->box.low[axis] = cell[axis];
    if (cell[axis] >= carving->box.high[axis]) carving->box.high[axis] = cell[axis] + 1;
  }
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

/* Adds room for ground to air, which it then owns; NULL without memory.
 * in         base: of the tile, which may be the same; it owns that */
static WmUnpackedAir *add_ground(WmContext *context, WmAir *air, const WmAir *base) {
  const size_t squares = (size_t)wm_count_squares(air->width) * (size_t)wm_count_squares(air->depth);
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(WmUnpackedAir));
  const size_t ground_at = wm_layout_add(&layout, (size_t)air->gap_count + WM_AIR_PADDING, sizeof(uint32_t));
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
                              .bytes = layout.bytes + (air == base ? 0 : air->bytes)};
  return unpacked;
}

/* Lists the cuts of a tile's volumes. */
static WmStatus find_cuts(const WmAirTile *tile, const WmGrid *grid, Carving *carving) {
  WmStatus status = WM_OK;
  for (size_t i = 0; !status && i < tile->blocking_count; i++) {
    status =
        wm_find_volume_cells(carving->context, grid, &tile->blocking[i], (WmVolumeSink){append_cut, carving});
    if (!status) status = carving->status;
  }
  return status;
}

/* The gaps of a stretch of cells of the air. */
static size_t count_gaps(const WmAir *air, size_t cell, size_t cells) {
  return air->cell_first[cell + cells] - air->cell_first[cell];
}

/* Lists the cuts by the cells of the box, and of each cell by volume. Allocates in scratch memory of the caller's mark.
 * out        *order [carving->cut_count]: keys are cells of the box, values are cuts */
static WmStatus sort_cuts(const Carving *carving, WmSortItem **order) {
  const WmCellRectangle *box = &carving->box;
  const uint32_t width = (uint32_t)(box->high[0] - box->low[0]);
  WmSortItem *items = *order = wm_scratch_array(carving->context, 2 * carving->cut_count, sizeof *items);
  bool is_sorted = true; /* one volume lists its cells row by row */
  if (!items) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < carving->cut_count; i++) {
    const Cut *cut = &carving->cuts[i];
    const uint32_t cell = (uint32_t)(cut->x - box->low[0]) + (uint32_t)(cut->z - box->low[1]) * width;
    is_sorted &= i == 0 || items[i - 1].key <= cell;
    items[i] = (WmSortItem){cell, (uint32_t)i};
  }
  if (!is_sorted) wm_sort_stable(items, items + carving->cut_count, carving->cut_count);
  return WM_OK;
}

/* Copies the gaps of the box, and cuts. Allocates in scratch memory of the caller's mark. */
static WmStatus carve_box(const WmAir *air, Carving *carving) {
  const WmCellRectangle *box = &carving->box;
  const size_t width = (size_t)(box->high[0] - box->low[0]), depth = (size_t)(box->high[1] - box->low[1]);
  const uint32_t *first = air->cell_first + (size_t)box->low[1] * (size_t)air->width + (size_t)box->low[0];
  WmSortItem *order;
  const WmStatus status = sort_cuts(carving, &order);
  if (status) return status;
  /* One more gap for each cut of a cell; two for the first: a cell without solid spans becomes a gap, then two. */
  size_t capacity = 2 * carving->cut_count;
  for (size_t z = 0; z < depth; z++)
    capacity += first[z * (size_t)air->width + width] - first[z * (size_t)air->width];
  carving->counts = wm_scratch_array(carving->context, width * depth, sizeof *carving->counts);
  carving->gaps = wm_scratch_array(carving->context, capacity, sizeof *carving->gaps);
  if (!carving->counts || !carving->gaps) return WM_ERROR_OUT_OF_MEMORY;
  WmAirGap *gaps = carving->gaps;
  const WmSortItem *cut = order, *last = order + carving->cut_count;
  for (size_t z = 0, cell = 0; z < depth; z++, first += air->width) {
    for (size_t x = 0; x < width; x++, cell++) {
      uint32_t count = first[x + 1] - first[x];
      for (uint32_t k = 0; k < count; k++) gaps[k] = air->gaps[first[x] + k];
      for (; cut < last && cut->key == cell; cut++)
        cut_column(gaps, &count, &carving->cuts[cut->value], carving->height);
      carving->counts[cell] = count;
      gaps += count;
    }
  }
  carving->gap_count = (size_t)(gaps - carving->gaps);
  return WM_OK;
}

/* Copies cells of the base to the carved air.
 * in/out     *next: the end of the gaps */
static void copy_cells(const WmAir *base, size_t cell, size_t cells, WmAir *carved, uint32_t *next) {
  const uint32_t *first = base->cell_first + cell;
  const uint32_t moved = *next - first[0];
  uint32_t *to = carved->cell_first + cell;
  size_t i = 0;
  for (; i + 4 <= cells; i += 4) wm_store_uint4(to + i, wm_load_uint4(first + i) + moved);
  for (; i < cells; i++) to[i] = first[i] + moved;
  memcpy(carved->gaps + *next, base->gaps + first[0], count_gaps(base, cell, cells) * sizeof *base->gaps);
  *next += (uint32_t)count_gaps(base, cell, cells);
}

/* Fills the carved air: the box from the carving, all else from the base. */
static void join_air(const Carving *carving, const WmAir *base, WmAir *carved) {
  const WmCellRectangle *box = &carving->box;
  const size_t width = (size_t)base->width, left = (size_t)box->low[0], right = (size_t)box->high[0];
  const size_t begin = (size_t)box->low[1] * width, end = (size_t)box->high[1] * width;
  const WmAirGap *gaps = carving->gaps;
  uint32_t next = 0;
  copy_cells(base, 0, begin, carved, &next);
  for (size_t row = begin, cell = 0; row < end; row += width) {
    copy_cells(base, row, left, carved, &next);
    const uint32_t first = next;
    for (size_t x = left; x < right; x++, cell++) {
      carved->cell_first[row + x] = next;
      next += carving->counts[cell];
    }
    memcpy(carved->gaps + first, gaps, (next - first) * sizeof *gaps);
    gaps += next - first;
    copy_cells(base, row + right, width - right, carved, &next);
  }
  copy_cells(base, end, width * (size_t)base->depth - end, carved, &next);
  carved->cell_first[width * (size_t)base->depth] = next;
}

/* Cuts a tile's volumes out of its air. Uses scratch memory of the caller's mark.
 * out        *carved: a block of the context; the base itself if no volume meets a cell of the tile; *cut: the rows of such cells */
static WmStatus carve_volumes(WmLinkGenerator *generator, const WmAirTile *tile, const WmGrid *grid,
                              WmAir *base, WmAir **carved, WmLane *cut) {
  WmContext *context = generator->context;
  Carving carving = {.context = context,
                     .box = {{INT32_MAX, INT32_MAX}, {0, 0}},
                     .height = generator->voxels.walkable_height};
  const WmCellRectangle *box = &carving.box;
  *carved = base;
  *cut = (WmLane){0, 0};
  WmStatus status = find_cuts(tile, grid, &carving);
  if (status || box->high[0] == 0) return status;
  status = carve_box(base, &carving);
  if (status) return status;
  size_t total = base->gap_count + carving.gap_count;
  for (int32_t z = box->low[1]; z < box->high[1]; z++) {
    total -= count_gaps(base, (size_t)z * (size_t)grid->width + (size_t)box->low[0],
                        (size_t)(box->high[0] - box->low[0]));
  }
  if (total > UINT32_MAX) {
    return wm_fail(context, WM_ERROR_LIMIT, "volumes", "the air of a tile has too many gaps between volumes");
  }
  *carved = wm_air_create(context, grid->width, grid->depth, total);
  if (!*carved) return WM_ERROR_OUT_OF_MEMORY;
  join_air(&carving, base, *carved);
  *cut = (WmLane){box->low[1], box->high[1]};
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

/* Cuts a tile's volumes out of its base.
 * out        *unpacked; NULL on failure */
static WmStatus make_unpacked(WmLinkGenerator *generator, const WmAirTile *tile, int32_t x, int32_t z,
                              WmUnpackedAir **unpacked) {
  WmContext *context = generator->context;
  WmAir *air = tile->base;
  WmGrid grid;
  wm_link_tile_grid(generator, x, z, &grid);
  WmLane cut;
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = carve_volumes(generator, tile, &grid, tile->base, &air, &cut);
  wm_scratch_rewind(context, mark);
  *unpacked = status ? NULL : add_ground(context, air, tile->base);
  if (*unpacked) {
    (*unpacked)->volumes_key = tile->volumes_key;
    (*unpacked)->cut_rows = cut;
    return WM_OK;
  }
  if (air != tile->base) wm_block_free(context, air);
  return status ? status : WM_ERROR_OUT_OF_MEMORY;
}

/* Frees a state of unpacked air. */
static void free_state(WmContext *context, const WmAirTile *tile, WmUnpackedAir *state) {
  if (state && state->air != tile->base) wm_block_free(context, state->air);
  wm_block_free(context, state);
}

static void free_former(WmLinkGenerator *generator, WmAirTile *tile) {
  if (!tile->former) return;
  generator->unpacked_bytes -= tile->former->bytes;
  generator->former_count--;
  free_state(generator->context, tile, tile->former);
  tile->former = NULL;
}

/* Unpacks air into a tile that no order of use has. With a cache of borders, the air without volumes stays: obstacles come and
 * go. It also stays if nothing was cut out of it. */
static WmStatus unpack(WmLinkGenerator *generator, WmAirTile *tile, int32_t x, int32_t z) {
  WmContext *context = generator->context;
  WmGrid grid;
  wm_link_tile_grid(generator, x, z, &grid);
  const WmAirBounds bounds = bound_air(generator, &grid);
  WmStatus status = wm_air_read(context, tile->bytes, tile->byte_count, &bounds, &tile->base);
  if (status) return status;
  tile->air_bytes = tile->base->bytes;
  status = make_unpacked(generator, tile, x, z, &tile->unpacked);
  if (!status && (generator->border_cache || tile->unpacked->air == tile->base)) return WM_OK;
  wm_block_free(context, tile->base);
  tile->base = NULL;
  return status;
}

static size_t count_unpacked_bytes(const WmAirTile *tile) {
  return (tile->base ? tile->base->bytes : 0) + (tile->unpacked ? tile->unpacked->bytes : 0) +
         (tile->former ? tile->former->bytes : 0);
}

/* Counts and uses air that was unpacked. */
static void hold_unpacked(WmLinkGenerator *generator, WmAirTile *tile) {
  generator->unpacked_bytes += count_unpacked_bytes(tile);
  link_use(generator, tile);
}

static void free_unpacked(WmLinkGenerator *generator, WmAirTile *tile) {
  if (!tile->unpacked) return;
  free_former(generator, tile);
  unlink_use(generator, tile);
  generator->unpacked_bytes -= count_unpacked_bytes(tile);
  free_state(generator->context, tile, tile->unpacked);
  wm_block_free(generator->context, tile->base);
  tile->base = NULL;
  tile->unpacked = NULL;
}

/* Cuts the present volumes out, or finds the state that has them. The state that was unpacked becomes the former one.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: nothing changed */
static WmStatus change_state(WmLinkGenerator *generator, WmAirTile *tile, int32_t x, int32_t z) {
  WmUnpackedAir *next = tile->former;
  if (!next || next->volumes_key != tile->volumes_key) {
    const WmStatus status = make_unpacked(generator, tile, x, z, &next);
    if (status) return status;
    free_former(generator, tile);
    generator->unpacked_bytes += next->bytes;
    generator->former_count++;
  }
  tile->former = tile->unpacked;
  tile->unpacked = next;
  return WM_OK;
}

WmStatus wm_air_tile_unpack(WmLinkGenerator *generator, WmAirTile *tile, int32_t x, int32_t z) {
  if (tile->unpacked) {
    use(generator, tile);
    return tile->unpacked->volumes_key == tile->volumes_key ? WM_OK : change_state(generator, tile, x, z);
  }
  const WmStatus status = unpack(generator, tile, x, z);
  if (!status) hold_unpacked(generator, tile);
  return status;
}

/* ---- Changes ------------------------------------------------------------------------------------------- */

/* A state of unpacked air: the gaps, and which of them have ground. */
typedef struct AirState {
  const uint32_t *cell_first;
  const WmAirGap *gaps;
  const uint32_t *ground;
  WmLane cut_rows;
} AirState;

static AirState find_state(const WmUnpackedAir *air) {
  return (AirState){air->cell_first, air->gaps, air->ground, air->cut_rows};
}

/* Returns 0 if four gaps of two states are the same, and ground lies in the same ones. */
static WmUint4 compare_gaps(const WmAirGap *gaps, const WmAirGap *other_gaps, const uint32_t *ground,
                            const uint32_t *other_ground) {
  WmUint4 a, b;
  memcpy(&a, gaps, sizeof a);
  memcpy(&b, other_gaps, sizeof b);
  return (a ^ b) | (WmUint4)((wm_load_uint4(ground) == 0) ^ (wm_load_uint4(other_ground) == 0));
}

/* As compare_gaps, for one gap. */
static bool is_same_gap(const WmAirGap *gap, const WmAirGap *other, uint32_t ground, uint32_t other_ground) {
  return gap->floor == other->floor && gap->ceiling == other->ceiling && (ground == 0) == (other_ground == 0);
}

/* True if cells of two states have the same gaps, and ground in the same ones. */
static bool are_same_cells(const AirState *a, const AirState *b, size_t cell, size_t count) {
  const uint32_t *first = a->cell_first + cell, *other = b->cell_first + cell;
  const uint32_t gap_count = first[count] - first[0], moved = other[0] - first[0];
  const WmAirGap *gaps = a->gaps + first[0], *other_gaps = b->gaps + other[0];
  const uint32_t *ground = a->ground + first[0], *other_ground = b->ground + other[0];
  WmUint4 differences = {0};
  size_t i = 0, k = 0;
  if (other[count] - other[0] != gap_count) return false;
  for (; i + 4 <= count; i += 4) differences |= (wm_load_uint4(first + i) + moved) ^ wm_load_uint4(other + i);
  for (; k + 4 <= gap_count; k += 4)
    differences |= compare_gaps(gaps + k, other_gaps + k, ground + k, other_ground + k);
  if (differences[0] | differences[1] | differences[2] | differences[3]) return false;
  for (; i < count; i++) {
    if (first[i] + moved != other[i]) return false;
  }
  for (; k < gap_count; k++) {
    if (!is_same_gap(&gaps[k], &other_gaps[k], ground[k], other_ground[k])) return false;
  }
  return true;
}

/* As are_same_cells, for one cell. */
static bool is_same_cell(const AirState *a, const AirState *b, size_t cell) {
  const uint32_t first = a->cell_first[cell], other = b->cell_first[cell],
                 count = a->cell_first[cell + 1] - first;
  if (b->cell_first[cell + 1] - other != count) return false;
  for (uint32_t k = 0; k < count; k++) {
    if (!is_same_gap(&a->gaps[first + k], &b->gaps[other + k], a->ground[first + k], b->ground[other + k]))
      return false;
  }
  return true;
}

/* True if cells with the same gaps in two states have ground in the same ones. */
static bool have_same_ground(const AirState *a, const AirState *b, size_t cell, size_t count) {
  const uint32_t *ground = a->ground + a->cell_first[cell], *other = b->ground + b->cell_first[cell];
  const uint32_t gap_count = a->cell_first[cell + count] - a->cell_first[cell];
  WmUint4 differences = {0};
  uint32_t k = 0;
  for (; k + 4 <= gap_count; k += 4)
    differences |= (WmUint4)((wm_load_uint4(ground + k) == 0) ^ (wm_load_uint4(other + k) == 0));
  if (differences[0] | differences[1] | differences[2] | differences[3]) return false;
  for (; k < gap_count; k++) {
    if ((ground[k] == 0) != (other[k] == 0)) return false;
  }
  return true;
}

/* Finds the box of the cells in which two states of a tile differ; empty if none do. */
static WmCellRectangle compare_states(const AirState *a, const AirState *b, int32_t width, int32_t depth) {
  WmCellRectangle box = {{width, depth}, {0, 0}};
  for (int32_t z = 0; z < depth; z++) {
    const size_t row = (size_t)z * (size_t)width;
    const bool is_cut =
        (z >= a->cut_rows.low && z < a->cut_rows.high) || (z >= b->cut_rows.low && z < b->cut_rows.high);
    if (is_cut ? are_same_cells(a, b, row, (size_t)width) : have_same_ground(a, b, row, (size_t)width))
      continue;
    if (z < box.low[1]) box.low[1] = z;
    box.high[1] = z + 1;
    const size_t left = (size_t)box.low[0], right = (size_t)box.high[0];
    if (!are_same_cells(a, b, row, left)) {
      box.low[0] = 0;
      while (is_same_cell(a, b, row + (size_t)box.low[0])) box.low[0]++;
    }
    if (!are_same_cells(a, b, row + right, (size_t)width - right)) {
      box.high[0] = width;
      while (is_same_cell(a, b, row + (size_t)box.high[0] - 1)) box.high[0]--;
    }
  }
  return box;
}

/* Keys of a state, besides the air without volumes. */
static WmAirStateKey find_key(const WmUnpackedAir *air) {
  return (WmAirStateKey){air->surface_key, air->volumes_key};
}

static bool are_same_keys(WmAirStateKey a, WmAirStateKey b) {
  return a.surface == b.surface && a.volumes == b.volumes;
}

/* As wm_air_tile_refresh, for cells of the tile. Uses scratch memory of the caller's mark. */
static bool refresh(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z, uint64_t former,
                    const WmSurfaceHashes *hashes, WmCellRectangle *changed) {
  WmAirTile *tile = wm_air_tile(generator, x, z);
  if (!tile || !tile->unpacked || tile->unpacked->surface_key != former) return false;
  const WmUnpackedAir *air = tile->unpacked;
  AirState before = find_state(air);
  const WmAirStateKey key = find_key(air);
  if (key.volumes == tile->volumes_key && key.surface != hashes->key) {
    /* Its ground will be overwritten. */
    uint32_t *ground = wm_scratch_array(generator->context, air->gap_count, sizeof *ground);
    if (!ground) return false;
    if (air->gap_count) memcpy(ground, air->ground, air->gap_count * sizeof *ground);
    before.ground = ground;
  }
  if (wm_air_tile_unpack(generator, tile, x, z)) return false;
  air = tile->unpacked;
  if (wm_air_mark_ground(generator, mesh, tile, x, z, hashes)) return false;
  tile->unpacked->ground_key = wm_hash_layers(mesh, x, z);
  WmAirDifference *known = &tile->difference;
  const WmAirStateKey now = find_key(air);
  const bool is_known = (are_same_keys(known->keys[0], key) && are_same_keys(known->keys[1], now)) ||
                        (are_same_keys(known->keys[1], key) && are_same_keys(known->keys[0], now));
  if (!is_known) {
    const AirState after = find_state(air);
    *known = (WmAirDifference){{key, now}, compare_states(&before, &after, air->air->width, air->air->depth)};
  }
  *changed = known->cells;
  return true;
}

bool wm_air_tile_refresh(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                         uint64_t former, const WmSurfaceHashes *hashes, WmCellRectangle *changed) {
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  const bool is_known = refresh(generator, mesh, x, z, former, hashes, changed);
  wm_scratch_rewind(generator->context, mark);
  if (!is_known) return false;
  const int32_t origin[2] = {x * generator->tile_width, z * generator->tile_depth};
  for (int axis = 0; axis < 2; axis++) {
    changed->low[axis] += origin[axis];
    changed->high[axis] += origin[axis];
  }
  return true;
}

/* ---- Storing ------------------------------------------------------------------------------------------- */

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

/* 0: there are none. */
static uint64_t hash_volumes(const WmAreaVolume *volumes, size_t count) {
  if (count == 0) return 0;
  WmContentHash hash = wm_content_hash_start();
  for (size_t i = 0; i < count; i++) wm_hash_area_volume(&hash, &volumes[i]);
  wm_content_hash_finish(&hash);
  return hash.lanes[0];
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

static WmStatus check_volumes(WmLinkGenerator *generator, int32_t x, int32_t z, const WmAreaVolume *blocking,
                              size_t blocking_count) {
  WmGrid grid;
  WmStatus status = WM_OK;
  wm_link_tile_grid(generator, x, z, &grid);
  for (size_t i = 0; !status && i < blocking_count; i++) {
    bool touches;
    status = wm_check_area_volume(generator->context, &grid, &blocking[i], &touches);
  }
  return status;
}

/* Copies bytes and volumes. */
static WmStatus make_air(WmLinkGenerator *generator, const uint8_t *bytes, size_t byte_count,
                         const WmAreaVolume *blocking, size_t blocking_count, WmAirTile *tile) {
  WmContext *context = generator->context;
  *tile = (WmAirTile){.bytes = wm_block_allocate(context, byte_count), .byte_count = byte_count};
  if (!tile->bytes) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(tile->bytes, bytes, byte_count);
  const WmStatus status = copy_volumes(context, blocking, blocking_count, &tile->blocking);
  if (status) {
    wm_block_free(context, tile->bytes);
  } else {
    tile->blocking_count = blocking_count;
    tile->volumes_key = hash_volumes(blocking, blocking_count);
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

/* Replaces the volumes of a tile whose air stays. Unpacked air is cut again by the next run. */
static WmStatus replace_volumes(WmLinkGenerator *generator, int32_t x, int32_t z,
                                const WmAreaVolume *blocking, size_t blocking_count) {
  WmAirTile *tile = wm_air_tile(generator, x, z);
  WmAreaVolume *copy;
  const WmStatus status = copy_volumes(generator->context, blocking, blocking_count, &copy);
  if (status) return status;
  wm_border_cache_note_volumes(generator, x, z, blocking, blocking_count);
  generator->packed_bytes -= count_packed_bytes(tile);
  wm_block_free(generator->context, tile->blocking);
  tile->blocking = copy;
  tile->blocking_count = blocking_count;
  tile->volumes_key = hash_volumes(blocking, blocking_count);
  generator->packed_bytes += count_packed_bytes(tile);
  if (!tile->base) free_unpacked(generator, tile);
  return WM_OK;
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
  status = check_volumes(generator, x, z, blocking, blocking_count);
  if (!status) status = reserve_row(generator, z);
  if (status) return status;
  if (has_bytes(wm_air_tile(generator, x, z), bytes, byte_count))
    return replace_volumes(generator, x, z, blocking, blocking_count);
  /* Unpacked before it replaces the former air, so that a failure changes nothing. */
  WmAirTile made = {0};
  status = make_air(generator, bytes, byte_count, blocking, blocking_count, &made);
  if (status) return status;
  status = unpack(generator, &made, x, z);
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
  hold_unpacked(generator, tile);
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

WmStatus wm_link_generator_set_volumes(WmLinkGenerator *generator, int32_t x, int32_t z,
                                       const WmAreaVolume *blocking, size_t blocking_count) {
  WmStatus status = wm_link_check_place(generator, x, z);
  if (status) return status;
  WmAirTile *tile = wm_air_tile(generator, x, z);
  if (!wm_air_tile_exists(tile))
    return wm_fail(generator->context, WM_ERROR_INVALID_ARGUMENT, "air", "the tile has no air");
  status = pack(generator, tile);
  if (!status) status = check_volumes(generator, x, z, blocking, blocking_count);
  return status ? status : replace_volumes(generator, x, z, blocking, blocking_count);
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
    unpacked = add_ground(context, air, air);
    if (!unpacked) status = WM_ERROR_OUT_OF_MEMORY;
  }
  if (!unpacked) {
    wm_block_free(context, air);
    return status;
  }
  WmAirTile *tile = wm_air_tile(generator, x, z);
  free_packed(generator, tile);
  tile->air_bytes = air->bytes;
  tile->base = air;
  tile->unpacked = unpacked;
  hold_unpacked(generator, tile);
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
  wm_border_cache_note_air(generator, x, z, NULL, 0, NULL, 0);
  free_packed(generator, to);
  free_former(other, from);
  if (from->unpacked) {
    unlink_use(other, from);
    other->unpacked_bytes -= count_unpacked_bytes(from);
    from->unpacked->ground_key = from->unpacked->surface_key = 0;
  }
  *to = *from;
  other->packed_bytes -= count_packed_bytes(from);
  generator->packed_bytes += count_packed_bytes(to);
  *from = (WmAirTile){0};
  if (to->unpacked) hold_unpacked(generator, to);
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

/* Former states that stay beyond the limit: doors open and close. */
enum { FORMER_LIMIT = 8 };

/* Frees former states but those of the tiles that were used last. */
static void trim_formers(WmLinkGenerator *generator) {
  size_t left = generator->former_count, kept = 0;
  for (WmAirTile *tile = generator->newest; left > 0; tile = tile->older) {
    if (!tile->former) continue;
    left--;
    if (kept++ >= FORMER_LIMIT) free_former(generator, tile);
  }
}

void wm_air_tiles_trim(WmLinkGenerator *generator) {
  if (generator->unpacked_bytes > generator->unpacked_limit) trim_formers(generator);
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
