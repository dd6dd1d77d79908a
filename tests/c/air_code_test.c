/* Air: what is read are the gaps between solid spans that an agent fits in, and all bytes are safe to read. */
#include "bake/compact/air_code.h"

#include "bake/compact/open_rows.h"
#include "check.h"
#include "random_soup.h"

/* The air of a random level; false if the level is refused. */
static bool make_air(WmContext *context, Random *random, Soup *soup, WmAir **air) {
  make_soup(random, soup);
  soup->grid.border_size = random_below(random, 3);
  if (soup->grid.width <= 2 * soup->grid.border_size || soup->grid.depth <= 2 * soup->grid.border_size)
    soup->grid.border_size = 0;
  const WmRasterInput input = {.triangles = &soup->triangles, .areas = soup->areas};
  WmOpenRows rows;
  if (wm_rasterize_open(context, &soup->grid, &soup->filters, &input, &rows, air)) return false;
  wm_open_rows_free(context, &rows);
  return true;
}

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

/* Compares the gaps of a cell with those between its solid spans, one after the other. */
static bool is_cell_right(const WmHeightfield *field, size_t cell, int32_t height, const WmAirGap *gaps,
                          uint32_t count) {
  const uint32_t first = field->cell_first[cell], end = field->cell_first[cell + 1];
  uint32_t k = 0;
  if (first == end) return count == 0;
  const int32_t base = field->span_min[first];
  if (base > height) {
    if (k == count || gaps[k].ceiling != base || gaps[k].floor != (base > 256 ? base - 255 : 1)) return false;
    k++;
  }
  for (uint32_t span = first; span < end; span++) {
    const int32_t floor = field->span_max[span],
                  ceiling = span + 1 < end ? field->span_min[span + 1] : WM_OPEN_CEILING;
    if (span + 1 < end && ceiling - floor < height) continue;
    if (k == count || gaps[k].floor != floor) return false;
    if (gaps[k].ceiling != (span + 1 < end ? smaller(ceiling, floor + 255) : WM_OPEN_CEILING)) return false;
    k++;
  }
  return k == count;
}

/* The bounds of the air of a level: floors lie at most two heights above the level's bounds. */
static WmAirBounds bound_air(const Soup *soup) {
  const WmGrid *grid = &soup->grid;
  return (WmAirBounds){.width = grid->width - 2 * grid->border_size,
                       .depth = grid->depth - 2 * grid->border_size,
                       .least_height = soup->filters.walkable_height,
                       .top = (int32_t)((grid->bounds_max[1] - grid->bounds_min[1]) / grid->cell_height) + 2};
}

static bool are_equal(const WmAir *a, const WmAir *b) {
  const size_t cells = (size_t)a->width * (size_t)a->depth;
  return a->width == b->width && a->depth == b->depth && a->gap_count == b->gap_count &&
         memcmp(a->cell_first, b->cell_first, (cells + 1) * sizeof *a->cell_first) == 0 &&
         memcmp(a->gaps, b->gaps, a->gap_count * sizeof *a->gaps) == 0;
}

static void air_is_what_lies_between_spans(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {5};
  size_t gaps_read = 0;
  for (int round = 0; round < 400; round++) {
    Soup soup;
    WmAir *air;
    WmHeightfield field;
    if (!make_air(context, &random, &soup, &air)) continue;
    CHECK_EQUAL_INT(wm_rasterize(context, &soup.grid, soup.filters.walkable_climb, &soup.triangles,
                                 soup.areas, NULL, 0, NULL, 0, 45, &field),
                    WM_OK);
    const int32_t border = soup.grid.border_size;
    bool all = true;
    for (int32_t z = 0; z < air->depth; z++) {
      for (int32_t x = 0; x < air->width; x++) {
        const uint32_t *first = air->cell_first + (size_t)z * (size_t)air->width + x;
        const size_t cell = (size_t)(z + border) * (size_t)soup.grid.width + (size_t)(x + border);
        all &= is_cell_right(&field, cell, soup.filters.walkable_height, air->gaps + first[0],
                             first[1] - first[0]);
      }
    }
    CHECK(all);
    gaps_read += air->gap_count;
    wm_heightfield_free(context, &field);
    wm_block_free(context, air);
  }
  CHECK(gaps_read > 100000);
  wm_context_destroy(context);
}

static void bytes_hold_the_same_air(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {5};
  size_t gaps_read = 0, bytes_written = 0;
  for (int round = 0; round < 400; round++) {
    Soup soup;
    WmAir *air, *read;
    uint8_t *bytes;
    size_t byte_count;
    if (!make_air(context, &random, &soup, &air)) continue;
    const WmAirBounds bounds = bound_air(&soup);
    CHECK_EQUAL_INT(wm_air_write(context, air, &bytes, &byte_count), WM_OK);
    CHECK_EQUAL_INT(wm_air_read(context, bytes, byte_count, &bounds, &read), WM_OK);
    CHECK(are_equal(air, read));
    gaps_read += air->gap_count;
    bytes_written += byte_count;
    wm_block_free(context, bytes);
    wm_block_free(context, air);
    wm_block_free(context, read);
  }
  CHECK(gaps_read > 100000);
  CHECK(bytes_written < 2 * gaps_read); /* this is a random soup */
  wm_context_destroy(context);
}

/* Gaps that are read ascend within the bounds, and only the last one is open. */
static bool is_valid(const WmAir *air, const WmAirBounds *bounds) {
  const size_t cells = (size_t)air->width * (size_t)air->depth;
  bool valid = air->cell_first[0] == 0 && air->cell_first[cells] == air->gap_count;
  for (size_t cell = 0; cell < cells && valid; cell++) {
    int32_t ceiling = 0;
    valid = air->cell_first[cell] <= air->cell_first[cell + 1];
    for (uint32_t k = air->cell_first[cell]; valid && k < air->cell_first[cell + 1]; k++) {
      const WmAirGap gap = air->gaps[k];
      valid = gap.floor > ceiling && gap.floor <= bounds->top &&
              (gap.ceiling == WM_OPEN_CEILING || gap.ceiling - gap.floor >= bounds->least_height);
      ceiling = gap.ceiling;
    }
    valid &= air->cell_first[cell] == air->cell_first[cell + 1] || ceiling == WM_OPEN_CEILING;
  }
  return valid;
}

static void damaged_air_is_refused_or_valid(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {6};
  int refused = 0, rounds = 0;
  while (rounds < 2000) {
    Soup soup;
    WmAir *air;
    uint8_t *written;
    size_t byte_count;
    if (!make_air(context, &random, &soup, &air)) continue;
    const WmAirBounds bounds = bound_air(&soup);
    CHECK_EQUAL_INT(wm_air_write(context, air, &written, &byte_count), WM_OK);
    for (int i = 0; i < 40; i++, rounds++) {
      WmAir *read;
      const size_t kept = (size_t)random_below(&random, (int32_t)byte_count + 1);
      uint8_t *bytes = malloc(byte_count + 1);
      memcpy(bytes, written, byte_count);
      for (int k = random_below(&random, 4); k >= 0; k--) {
        bytes[(size_t)random_below(&random, (int32_t)byte_count)] = (uint8_t)random_below(&random, 256);
      }
      const WmStatus status = wm_air_read(context, bytes, i % 2 ? kept : byte_count, &bounds, &read);
      CHECK(status == WM_OK || status == WM_ERROR_CORRUPT);
      if (status == WM_OK) CHECK(is_valid(read, &bounds));
      CHECK((status == WM_OK) == (read != NULL));
      refused += status != WM_OK;
      wm_block_free(context, read);
      free(bytes);
    }
    wm_block_free(context, written);
    wm_block_free(context, air);
  }
  CHECK(refused > 1000);
  wm_context_destroy(context);
}

/* Air of 64 x 64 cells with `count` gaps each, as high as given, one height apart: written as a bake would. */
static WmAir *stack_gaps(WmContext *context, uint32_t count, int32_t height) {
  enum { SIDE = 64 };
  WmAir *air = wm_air_create(context, SIDE, SIDE, (size_t)SIDE * SIDE * count);
  for (uint32_t cell = 0, next = 0; cell <= SIDE * SIDE; cell++) {
    air->cell_first[cell] = next;
    for (uint32_t k = 0; cell < SIDE * SIDE && k < count; k++, next++) {
      const int32_t floor = 1 + (int32_t)k * (height + 1);
      air->gaps[next] =
          (WmAirGap){(uint16_t)floor, (uint16_t)(k + 1 < count ? floor + height : WM_OPEN_CEILING)};
    }
  }
  return air;
}

/* An allocator that counts bytes. */
typedef struct Counter {
  size_t bytes, peak;
} Counter;

static void *count_and_allocate(void *user, size_t bytes) {
  Counter *counter = user;
  size_t *block = malloc(16 + bytes);
  block[0] = bytes;
  counter->bytes += bytes;
  if (counter->bytes > counter->peak) counter->peak = counter->bytes;
  return (uint8_t *)block + 16;
}

static void count_and_release(void *user, void *block) {
  Counter *counter = user;
  size_t *first = (size_t *)(void *)((uint8_t *)block - 16);
  counter->bytes -= first[0];
  free(first);
}

/* Reads stacked gaps with the bounds of a tile of 64 cells, 50 m high, and agents of 2 m. */
static WmStatus read_stack(uint32_t count, int32_t height, size_t *byte_count, size_t *peak) {
  const WmAirBounds bounds = {.width = 64, .depth = 64, .least_height = 10, .top = 252};
  Counter counter = {0};
  const WmAllocator allocator = {count_and_allocate, count_and_release, &counter};
  WmContext *context = wm_context_create(NULL), *reader = wm_context_create(&allocator);
  WmAir *air = stack_gaps(context, count, height), *read;
  uint8_t *bytes;
  CHECK_EQUAL_INT(wm_air_write(context, air, &bytes, byte_count), WM_OK);
  const WmStatus status = wm_air_read(reader, bytes, *byte_count, &bounds, &read);
  if (!status) CHECK(are_equal(air, read));
  *peak = counter.peak;
  wm_block_free(context, bytes);
  wm_block_free(reader, read);
  wm_block_free(context, air);
  wm_context_destroy(reader);
  wm_context_destroy(context);
  return status;
}

/* Few bytes, since all cells are as predicted, would unpack to 1 GB. */
static void air_that_no_bake_makes_is_refused(void) {
  size_t byte_count, peak;
  CHECK_EQUAL_INT(read_stack(23, 10, &byte_count, &peak), WM_OK);
  CHECK(peak < 4 << 20);
  CHECK_EQUAL_INT(read_stack(24, 10, &byte_count, &peak), WM_ERROR_CORRUPT); /* above the bounds */
  CHECK_EQUAL_INT(read_stack(23, 9, &byte_count, &peak), WM_ERROR_CORRUPT);  /* too low for the agent */
  CHECK_EQUAL_INT(read_stack(5000, 1, &byte_count, &peak), WM_ERROR_CORRUPT);
  CHECK(byte_count < 30000);
  CHECK(peak < 4 << 20);
}

int main(void) {
  RUN(air_is_what_lies_between_spans);
  RUN(bytes_hold_the_same_air);
  RUN(damaged_air_is_refused_or_valid);
  RUN(air_that_no_bake_makes_is_refused);
  return check_finish();
}
