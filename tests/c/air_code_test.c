/* Air: what is read are the gaps between solid spans that an agent fits in, and all bytes are safe to read. */
#include "bake/compact/air_code.h"

#include "bake/compact/open_rows.h"
#include "check.h"
#include "random_soup.h"

/* The air of a random level; false if the level is refused. */
static bool make_air(WmContext *context, Random *random, Soup *soup, WmTileAir *air) {
  make_soup(random, soup);
  soup->grid.border_size = random_below(random, 3);
  if (soup->grid.width <= 2 * soup->grid.border_size || soup->grid.depth <= 2 * soup->grid.border_size) soup->grid.border_size = 0;
  const WmRasterInput input = {.triangles = &soup->triangles, .areas = soup->areas};
  WmOpenRows rows;
  if (wm_rasterize_open(context, &soup->grid, &soup->filters, &input, &rows, air)) return false;
  wm_open_rows_free(context, &rows);
  return true;
}

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

/* Compares the gaps of a cell with those between its solid spans, one after the other. */
static bool is_cell_right(const WmHeightfield *field, size_t cell, int32_t height, const WmAirGap *gaps, uint32_t count) {
  const uint32_t first = field->cell_first[cell], end = field->cell_first[cell + 1];
  uint32_t k = 0;
  if (first == end) return count == 0;
  const int32_t base = field->span_min[first];
  if (base > height) {
    if (k == count || gaps[k].ceiling != base || gaps[k].floor != (base > 256 ? base - 255 : 1)) return false;
    k++;
  }
  for (uint32_t span = first; span < end; span++) {
    const int32_t floor = field->span_max[span], ceiling = span + 1 < end ? field->span_min[span + 1] : WM_OPEN_CEILING;
    if (span + 1 < end && ceiling - floor < height) continue;
    if (k == count || gaps[k].floor != floor) return false;
    if (gaps[k].ceiling != (span + 1 < end ? smaller(ceiling, floor + 255) : WM_OPEN_CEILING)) return false;
    k++;
  }
  return k == count;
}

static void air_is_what_lies_between_spans(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {5};
  size_t gaps_read = 0, bytes_written = 0;
  for (int round = 0; round < 400; round++) {
    Soup soup;
    WmTileAir air;
    WmHeightfield field;
    if (!make_air(context, &random, &soup, &air)) continue;
    CHECK_EQUAL_INT(wm_rasterize(context, &soup.grid, soup.filters.walkable_climb, &soup.triangles, soup.areas, NULL, 0, NULL, 0, &field),
                    WM_OK);
    const int32_t border = soup.grid.border_size, width = soup.grid.width - 2 * border, depth = soup.grid.depth - 2 * border;
    uint32_t *cell_first = malloc(((size_t)width * (size_t)depth + 1) * sizeof *cell_first);
    WmAirGap *gaps;
    const WmScratchMark mark = wm_scratch_mark(context);
    CHECK_EQUAL_INT(wm_air_read(context, air.bytes, air.byte_count, width, depth, cell_first, &gaps), WM_OK);
    bool all = true;
    for (int32_t z = 0; z < depth; z++) {
      for (int32_t x = 0; x < width; x++) {
        const uint32_t *first = cell_first + (size_t)z * (size_t)width + x;
        const size_t cell = (size_t)(z + border) * (size_t)soup.grid.width + (size_t)(x + border);
        all &= is_cell_right(&field, cell, soup.filters.walkable_height, gaps + first[0], first[1] - first[0]);
      }
    }
    CHECK(all);
    gaps_read += cell_first[(size_t)width * (size_t)depth];
    bytes_written += air.byte_count;
    wm_scratch_rewind(context, mark);
    free(cell_first);
    wm_heightfield_free(context, &field);
    wm_block_free(context, air.bytes);
  }
  CHECK(gaps_read > 100000);
  CHECK(bytes_written < 2 * gaps_read); /* this is a random soup */
  wm_context_destroy(context);
}

/* Gaps that are read ascend, and only the last one is open. */
static bool are_valid(const uint32_t *cell_first, size_t cells, const WmAirGap *gaps) {
  bool valid = cell_first[0] == 0;
  for (size_t cell = 0; cell < cells && valid; cell++) {
    int32_t ceiling = 0;
    valid = cell_first[cell] <= cell_first[cell + 1];
    for (uint32_t k = cell_first[cell]; valid && k < cell_first[cell + 1]; k++) {
      valid = gaps[k].floor > ceiling && gaps[k].ceiling > gaps[k].floor;
      ceiling = gaps[k].ceiling;
    }
    valid &= cell_first[cell] == cell_first[cell + 1] || ceiling == WM_OPEN_CEILING;
  }
  return valid;
}

static void damaged_air_is_refused_or_valid(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {6};
  int refused = 0, rounds = 0;
  while (rounds < 2000) {
    Soup soup;
    WmTileAir air;
    if (!make_air(context, &random, &soup, &air)) continue;
    const int32_t width = soup.grid.width - 2 * soup.grid.border_size, depth = soup.grid.depth - 2 * soup.grid.border_size;
    uint32_t *cell_first = malloc(((size_t)width * (size_t)depth + 1) * sizeof *cell_first);
    for (int i = 0; i < 40; i++, rounds++) {
      WmAirGap *gaps;
      const size_t kept = (size_t)random_below(&random, (int32_t)air.byte_count + 1);
      uint8_t *bytes = malloc(air.byte_count + 1);
      memcpy(bytes, air.bytes, air.byte_count);
      for (int k = random_below(&random, 4); k >= 0; k--) {
        bytes[(size_t)random_below(&random, (int32_t)air.byte_count)] = (uint8_t)random_below(&random, 256);
      }
      const WmScratchMark mark = wm_scratch_mark(context);
      const WmStatus status = wm_air_read(context, bytes, i % 2 ? kept : air.byte_count, width, depth, cell_first, &gaps);
      CHECK(status == WM_OK || status == WM_ERROR_CORRUPT);
      if (status == WM_OK) CHECK(are_valid(cell_first, (size_t)width * (size_t)depth, gaps));
      refused += status != WM_OK;
      wm_scratch_rewind(context, mark);
      free(bytes);
    }
    free(cell_first);
    wm_block_free(context, air.bytes);
  }
  CHECK(refused > 1000);
  wm_context_destroy(context);
}

int main(void) {
  RUN(air_is_what_lies_between_spans);
  RUN(damaged_air_is_refused_or_valid);
  return check_finish();
}
