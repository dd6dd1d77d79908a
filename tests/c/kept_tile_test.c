/* Kept tiles: reading returns the written rows, bit by bit, and all bytes are safe to read. */
#include "bake/rebuild/kept_tile.h"

#include "grid_tiles.h"
#include "kept_tile_file.h"
#include "random_soup.h"

/* All spans of rows, one after the other; malloc'ed. */
static uint32_t *gather_spans(const WmOpenRows *rows) {
  uint32_t *spans = malloc((rows->span_count + (size_t)1) * sizeof *spans);
  size_t count = 0;
  for (const WmOpenChunk *chunk = rows->first_chunk; chunk; chunk = chunk->next) {
    memcpy(spans + count, chunk->spans, chunk->count * sizeof *spans);
    count += chunk->count;
  }
  CHECK_EQUAL_INT(count, rows->span_count);
  return spans;
}

static void check_equal_rows(const WmOpenRows *a, const WmOpenRows *b) {
  CHECK_EQUAL_INT(a->span_count, b->span_count);
  CHECK_EQUAL_INT(a->solid_count, b->solid_count);
  if (a->span_count != b->span_count) return;
  const size_t cells = (size_t)a->grid.width * (size_t)a->grid.depth;
  CHECK(memcmp(a->cell_first, b->cell_first, (cells + 1) * sizeof *a->cell_first) == 0);
  CHECK(memcmp(&a->grid, &b->grid, sizeof a->grid) == 0);
  uint32_t *first = gather_spans(a), *second = gather_spans(b);
  CHECK(memcmp(first, second, a->span_count * sizeof *first) == 0);
  free(first);
  free(second);
}

/* A random level, its open spans, and its kept tile; false if the level is refused. */
static bool keep_soup(WmContext *context, Random *random, Soup *soup, WmOpenRows *rows, uint8_t **bytes,
                      size_t *byte_count) {
  make_soup(random, soup);
  const WmRasterInput input = {.triangles = &soup->triangles, .areas = soup->areas};
  if (wm_rasterize_open(context, &soup->grid, &soup->filters, &input, rows, NULL)) return false;
  CHECK_EQUAL_INT(wm_kept_tile_write(context, rows, bytes, byte_count), WM_OK);
  return true;
}

static void what_is_read_is_what_was_written(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {1};
  size_t spans = 0, bytes_written = 0;
  for (int round = 0; round < 600; round++) {
    Soup soup;
    WmOpenRows rows, again;
    uint8_t *bytes;
    size_t byte_count;
    if (!keep_soup(context, &random, &soup, &rows, &bytes, &byte_count)) continue;
    CHECK_EQUAL_INT(wm_kept_tile_read(context, bytes, byte_count, &soup.grid, &again), WM_OK);
    check_equal_rows(&rows, &again);
    spans += rows.span_count;
    bytes_written += byte_count;
    wm_block_free(context, bytes);
    wm_open_rows_free(context, &rows);
    wm_open_rows_free(context, &again);
  }
  CHECK(spans > 200000);
  CHECK(bytes_written < 2 * spans); /* unpacked 4 bytes each; this is a random soup */
  wm_context_destroy(context);
}

/* Open rows that no rasterization makes: tall columns, uneven counts, all areas, clearances of any size. */
static WmStatus invent_rows(WmContext *context, Random *random, const WmGrid *grid, WmOpenRows *rows) {
  WmStatus status = wm_open_rows_start(context, grid, rows);
  const int32_t cells = grid->width * grid->depth, most = 1 + random_below(random, 40);
  WmOpenChunk *chunk = status ? NULL : wm_open_rows_reserve(context, rows, (uint64_t)cells * 40 + 8);
  if (!chunk) return WM_ERROR_OUT_OF_MEMORY;
  rows->cell_first[0] = 0;
  rows->solid_count = random_bits(random);
  for (int32_t cell = 0; cell < cells; cell++) {
    int32_t floor = 1 + random_below(random, 20000);
    for (int32_t left = random_below(random, 3) ? most : random_below(random, most); left > 0; left--) {
      const int32_t clearance = 1 + random_below(random, 255), area = 1 + random_below(random, 63);
      if (floor > WM_SPAN_HEIGHT_LIMIT) break;
      chunk->spans[chunk->count++] = (uint32_t)floor | (uint32_t)clearance << 16 | (uint32_t)area << 24;
      floor += clearance + 1 + random_below(random, random_below(random, 9) ? 30 : 40000);
    }
    rows->cell_first[cell + 1] = (uint32_t)chunk->count;
  }
  rows->span_count = (uint32_t)chunk->count;
  return status;
}

static void any_spans_can_be_kept(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {2};
  for (int round = 0; round < 200; round++) {
    const WmGrid grid = {.width = 1 + random_below(&random, 30), .depth = 1 + random_below(&random, 20)};
    WmOpenRows rows, again;
    uint8_t *bytes;
    size_t byte_count;
    CHECK_EQUAL_INT(invent_rows(context, &random, &grid, &rows), WM_OK);
    CHECK_EQUAL_INT(wm_kept_tile_write(context, &rows, &bytes, &byte_count), WM_OK);
    CHECK_EQUAL_INT(wm_kept_tile_read(context, bytes, byte_count, &grid, &again), WM_OK);
    check_equal_rows(&rows, &again);
    wm_block_free(context, bytes);
    wm_open_rows_free(context, &rows);
    wm_open_rows_free(context, &again);
  }
  wm_context_destroy(context);
}

/* The invariants of a compact heightfield. */
static void check_rows(const WmOpenRows *rows) {
  uint32_t *spans = gather_spans(rows);
  const size_t cells = (size_t)rows->grid.width * (size_t)rows->grid.depth;
  bool is_good = rows->cell_first[0] == 0 && rows->cell_first[cells] == rows->span_count;
  for (size_t cell = 0; cell < cells && is_good; cell++) {
    uint32_t least = 1;
    for (uint32_t i = rows->cell_first[cell]; i < rows->cell_first[cell + 1]; i++) {
      const uint32_t floor = spans[i] & 0xffff, clearance = spans[i] >> 16 & 255, area = spans[i] >> 24;
      is_good &= floor >= least && floor <= WM_SPAN_HEIGHT_LIMIT && clearance > 0 && area > 0 && area < 64;
      least = floor + clearance + 1;
    }
    is_good &= rows->cell_first[cell] <= rows->cell_first[cell + 1];
  }
  CHECK(is_good);
  free(spans);
}

static void no_bytes_do_harm(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {3};
  int refused = 0, taken = 0;
  for (int round = 0; round < 60; round++) {
    Soup soup;
    WmOpenRows rows, again;
    uint8_t *bytes;
    size_t byte_count;
    if (!keep_soup(context, &random, &soup, &rows, &bytes, &byte_count)) continue;
    wm_open_rows_free(context, &rows);
    for (int change = 0; change < 200; change++) {
      const size_t length = change % 2 ? byte_count : (size_t)random_below(&random, (int32_t)byte_count);
      uint8_t *hurt = malloc(length ? length : 1); /* of exactly that length, for sanitizers */
      memcpy(hurt, bytes, length);
      if (change % 2)
        hurt[random_below(&random, (int32_t)length)] ^= (uint8_t)(1u << random_below(&random, 8));
      const WmStatus status = wm_kept_tile_read(context, hurt, length, &soup.grid, &again);
      CHECK(status == WM_OK || status == WM_ERROR_CORRUPT);
      CHECK(change % 2 || status == WM_ERROR_CORRUPT); /* a truncated tile is corrupt */
      if (status) {
        CHECK(!again.cell_first && !again.first_chunk);
        CHECK(strcmp(wm_context_error(context)->field, "keptTile") == 0);
        refused++;
      } else {
        check_rows(&again);
        taken++;
      }
      wm_open_rows_free(context, &again);
      free(hurt);
    }
    wm_block_free(context, bytes);
  }
  CHECK(refused > 5000 && taken > 10);
  wm_context_destroy(context);
}

/* Spans that no level has, because links would misread them. They can be written, but reading refuses
 * them. */
static void spans_that_no_level_has_are_refused(void) {
  static const uint32_t FLOOR = 5, CLEARANCE = 10u << 16, AREA = 63u << 24;
  const uint32_t columns[4][2] = {{FLOOR | CLEARANCE | AREA, 16 | CLEARANCE | AREA},     /* valid */
                                  {CLEARANCE | AREA, 16 | CLEARANCE | AREA},             /* nothing below */
                                  {FLOOR | CLEARANCE | AREA, 15 | CLEARANCE | AREA},     /* not apart */
                                  {FLOOR | CLEARANCE | AREA, 65534 | CLEARANCE | AREA}}; /* too high */
  WmContext *context = wm_context_create(NULL);
  const WmGrid grid = {.width = 1, .depth = 1};
  for (int i = 0; i < 4; i++) {
    WmOpenRows rows, again;
    uint8_t *bytes;
    size_t byte_count;
    CHECK_EQUAL_INT(wm_open_rows_start(context, &grid, &rows), WM_OK);
    WmOpenChunk *chunk = wm_open_rows_reserve(context, &rows, 10);
    CHECK(chunk != NULL);
    if (!chunk) return;
    memcpy(chunk->spans, columns[i], sizeof columns[i]);
    rows.cell_first[0] = 0;
    rows.cell_first[1] = rows.span_count = 2;
    chunk->count = 2;
    CHECK_EQUAL_INT(wm_kept_tile_write(context, &rows, &bytes, &byte_count), WM_OK);
    CHECK_EQUAL_INT(wm_kept_tile_read(context, bytes, byte_count, &grid, &again),
                    i ? WM_ERROR_CORRUPT : WM_OK);
    wm_block_free(context, bytes);
    wm_open_rows_free(context, &rows);
    wm_open_rows_free(context, &again);
  }
  wm_context_destroy(context);
}

/* Rows by a rule: a slope with steps and a hole, under it a level floor below a level ceiling, other areas,
 * and towers at random in the last rows. The bytes of kept_tile_file.h were made from them. */
static WmStatus draw_rows(WmContext *context, const WmGrid *grid, WmOpenRows *rows) {
  WmStatus status = wm_open_rows_start(context, grid, rows);
  WmOpenChunk *chunk = status ? NULL : wm_open_rows_reserve(context, rows, 3000);
  if (!chunk) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t state = 1;
  rows->cell_first[0] = 0;
  rows->solid_count = 0xfedcba98;
  for (int32_t z = 0; z < grid->depth; z++) {
    for (int32_t x = 0; x < grid->width; x++) {
      uint32_t floor = 300 + (uint32_t)(2 * x + 3 * z + (x > 9 ? 7 : 0) + (z > 7 ? 400 : 0));
      const uint32_t area = x > 15 ? 5 : 63, clearance = z == 3 ? 40 : z == 12 ? 1 : 255;
      if (z > 9) { /* below: as high as there is room; expected clearances are clamped to 1 to 255 */
        chunk->spans[chunk->count++] = (uint32_t)(3 + z / 3) | (uint32_t)(20 + x * x) % 256 << 16 | 2u << 24;
      }
      if (x < 4 || x > 6 || z < 2 || z > 4) {
        chunk->spans[chunk->count++] = floor | clearance << 16 | area << 24;
      }
      for (int more = z > 14 ? (int)(grid_random(&state) % 4) : 0; more > 0; more--) {
        floor += 256 + grid_random(&state) % 500;
        chunk->spans[chunk->count++] =
            floor | (1 + grid_random(&state) % 255) << 16 | (1 + grid_random(&state) % 63) << 24;
      }
      rows->cell_first[z * grid->width + x + 1] = (uint32_t)chunk->count;
    }
  }
  rows->span_count = (uint32_t)chunk->count;
  return status;
}

/* Bytes that an earlier version wrote: the encoding of kept tiles is part of the format of saved dynamic
 * meshes. */
static void tiles_kept_long_ago_are_read_and_written_the_same(void) {
  WmContext *context = wm_context_create(NULL);
  const WmGrid grid = {.width = 20, .depth = 18};
  WmOpenRows rows, again;
  uint8_t *bytes;
  size_t byte_count;
  CHECK_EQUAL_INT(draw_rows(context, &grid, &rows), WM_OK);
  CHECK_EQUAL_INT(wm_kept_tile_read(context, KEPT_TILE_FILE, sizeof KEPT_TILE_FILE, &grid, &again), WM_OK);
  check_equal_rows(&rows, &again);
  CHECK_EQUAL_INT(wm_kept_tile_write(context, &rows, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(byte_count, sizeof KEPT_TILE_FILE);
  CHECK(byte_count == sizeof KEPT_TILE_FILE && memcmp(bytes, KEPT_TILE_FILE, byte_count) == 0);
  wm_block_free(context, bytes);
  wm_open_rows_free(context, &rows);
  wm_open_rows_free(context, &again);
  wm_context_destroy(context);
}

static void every_failed_allocation_is_reported(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  const WmGrid grid = {.width = 20, .depth = 18};
  WmOpenRows rows, again;
  CHECK_EQUAL_INT(draw_rows(context, &grid, &rows), WM_OK);
  int failures[2] = {0, 0};
  for (int reads = 0; reads < 2; reads++) {
    WmStatus status = WM_ERROR_OUT_OF_MEMORY;
    for (long n = 0; status && n < 50; n++) {
      wm_context_trim(context);
      const long in_use = ration.in_use;
      uint8_t *bytes = (uint8_t *)context;
      size_t byte_count = 1;
      ration.until_failure = n;
      status = reads ? wm_kept_tile_read(context, KEPT_TILE_FILE, sizeof KEPT_TILE_FILE, &grid, &again)
                     : wm_kept_tile_write(context, &rows, &bytes, &byte_count);
      ration.until_failure = -1;
      if (status) CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      failures[reads] += status != WM_OK;
      if (reads) {
        CHECK((again.cell_first != NULL) == !status);
        wm_open_rows_free(context, &again);
      } else {
        CHECK((bytes != NULL) == !status);
        CHECK_EQUAL_INT(byte_count, status ? 0 : sizeof KEPT_TILE_FILE);
        wm_block_free(context, bytes);
      }
      wm_context_trim(context);
      CHECK_EQUAL_INT(ration.in_use, in_use);
    }
    CHECK_EQUAL_INT(status, WM_OK);
  }
  CHECK(failures[0] >= 2 && failures[1] >= 2); /* of scratch memory, and of the result */
  wm_open_rows_free(context, &rows);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(tiles_kept_long_ago_are_read_and_written_the_same);
  RUN(every_failed_allocation_is_reported);
  RUN(what_is_read_is_what_was_written);
  RUN(any_spans_can_be_kept);
  RUN(no_bytes_do_harm);
  RUN(spans_that_no_level_has_are_refused);
  return check_finish();
}
