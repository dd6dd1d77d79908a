/* Writes and reads air. See air_writer.h, air_code.h. */
#include "bake/compact/air_writer.h"

#include <string.h>

#include "base/inline.h"
#include "base/vector.h"

enum {
  GAP_LIMIT = 255,
  GAP_BITS = 80, /* at most as many for both numbers of a gap */
  CELL_BITS = 80 /* and for a cell's other numbers */
};

/* ---- Predictions, for writing and reading --------------------------------------------------------------- */

/* The cells around a cell: to the west, to the north, and between these two. Their counts are UINT32_MAX if they don't exist. */
typedef struct Around {
  const WmAirGap *west, *north, *corner;
  uint32_t west_count, north_count, corner_count;
} Around;

static Around start_row(void) {
  return (Around){.west_count = UINT32_MAX, .corner_count = UINT32_MAX, .north_count = UINT32_MAX};
}

/* Moves on to cell x, whose north cell is one of the row before; NULL: there is no row before. */
WM_INLINE void visit(Around *around, const WmAirRow *before, int32_t x) {
  around->corner = around->north;
  around->corner_count = around->north_count;
  if (!before) return;
  around->north = before->gaps + before->first[x];
  around->north_count = before->first[x + 1] - before->first[x];
}

WM_INLINE uint32_t predict_count(const Around *around) {
  if (around->north_count != UINT32_MAX) return around->north_count;
  return around->west_count != UINT32_MAX ? around->west_count : 0;
}

WM_INLINE int32_t predict_number(int32_t west, int32_t north, int32_t corner) {
  const int32_t low = west < north ? west : north, high = west < north ? north : west;
  return wm_clamp_int(west + north - corner, low, high);
}

/* Predicts gap k of a cell with `count` gaps; false if no cell around has as many. */
WM_INLINE bool predict_gap(const Around *around, uint32_t count, uint32_t k, WmAirGap *gap) {
  const bool has_north = around->north_count == count, has_west = around->west_count == count;
  if (has_north && has_west && around->corner_count == count) {
    const WmAirGap *west = &around->west[k], *north = &around->north[k], *corner = &around->corner[k];
    gap->floor = (uint16_t)predict_number(west->floor, north->floor, corner->floor);
    gap->ceiling = (uint16_t)predict_number(west->ceiling, north->ceiling, corner->ceiling);
    return true;
  }
  if (!has_north && !has_west) return false;
  *gap = has_north ? around->north[k] : around->west[k];
  return true;
}

/* ---- Gaps of a row --------------------------------------------------------------------------------------- */

/* Stores the gaps of a cell; returns their end. Gaps that are too low are written, too, and overwritten. */
static inline WmAirGap *store_cell(const WmPlaneView *view, ptrdiff_t stride, uint32_t depth, int32_t x,
                                   int32_t height, WmAirGap *gap) {
  const int16_t *at = view->floor + x;
  if (depth == 0 || *at == WM_PLANE_ABSENT) return gap;
  const int32_t head = view->base[x] + WM_PLANE_BIAS, base = head + height;
  *gap = (WmAirGap){(uint16_t)(base > GAP_LIMIT + 1 ? base - GAP_LIMIT : 1), (uint16_t)base};
  gap += head >= 1;
  for (uint32_t layer = 1; layer < depth && at[3 * stride] != WM_PLANE_ABSENT; layer++, at += 3 * stride) {
    const int32_t floor = *at + WM_PLANE_BIAS, clearance = at[2 * stride] & GAP_LIMIT;
    *gap = (WmAirGap){(uint16_t)floor, (uint16_t)(floor + clearance)};
    gap += clearance >= height;
  }
  *gap = (WmAirGap){(uint16_t)(*at + WM_PLANE_BIAS), WM_OPEN_CEILING};
  return gap + 1;
}

/* Stores the gaps of eight cells that all have one solid span, with no gap below it, as nearly everywhere. Returns false if they
 * haven't. */
static inline bool store_evenly(const WmPlaneView *view, int32_t x, uint32_t next, uint32_t *first,
                                WmAirGap *gap) {
  const WmShort8 floor = wm_load_short8(view->floor + x), base = wm_load_short8(view->base + x);
  const WmShort8 is_other =
      (WmShort8)(floor == wm_splat_short8(WM_PLANE_ABSENT)) | (WmShort8)(base > wm_splat_short8(INT16_MIN));
  if (wm_mask_short8(is_other)) return false;
  for (uint32_t i = 0; i < WM_PLANE_BLOCK; i++) {
    first[i] = next + i;
    gap[i] = (WmAirGap){(uint16_t)(view->floor[x + (int32_t)i] + WM_PLANE_BIAS), WM_OPEN_CEILING};
  }
  return true;
}

/* Stores the gaps of row z in the writer's current row. */
static WmStatus store_row(WmContext *context, const WmAirWriter *writer, const WmPlaneWindow *planes,
                          const WmPlaneView *view, WmAirRow *row) {
  size_t capacity = WM_PLANE_BLOCK;
  for (int32_t x = 0; x < planes->width; x += WM_PLANE_BLOCK) {
    capacity += WM_PLANE_BLOCK * ((size_t)view->depth[x / WM_PLANE_BLOCK] + 1);
  }
  row->gaps = wm_scratch_reserve(context, row->gaps, &row->capacity, capacity, sizeof *row->gaps);
  if (!row->gaps) return WM_ERROR_OUT_OF_MEMORY;
  WmAirGap *gap = row->gaps;
  const int32_t end = writer->border + writer->width;
  for (int32_t x = writer->border; x < end; x++) {
    const uint32_t depth = view->depth[x / WM_PLANE_BLOCK], next = (uint32_t)(gap - row->gaps);
    uint32_t *first = row->first + (x - writer->border);
    if (depth == 1 && x % WM_PLANE_BLOCK == 0 && x + WM_PLANE_BLOCK <= end &&
        store_evenly(view, x, next, first, gap)) {
      gap += WM_PLANE_BLOCK;
      x += WM_PLANE_BLOCK - 1;
      continue;
    }
    *first = next;
    gap = store_cell(view, planes->stride, depth, x, planes->walkable_height, gap);
  }
  row->first[writer->width] = (uint32_t)(gap - row->gaps);
  return WM_OK;
}

/* ---- Writing ----------------------------------------------------------------------------------------------- */

/* Appends the low `count` bits (at most 32) of a value, for which there is capacity. */
WM_INLINE void put_bits(WmAirWriter *writer, uint64_t value, uint32_t count) {
  writer->bits = writer->bits << count | value;
  writer->bit_count += count;
  while (writer->bit_count >= 8) {
    writer->bit_count -= 8;
    writer->bytes[writer->byte_count++] = (uint8_t)(writer->bits >> writer->bit_count);
  }
}

/* Appends a number from 1 on: as many zeros as it has binary digits after the first, then the digits. */
WM_INLINE void put_number(WmAirWriter *writer, uint32_t number) {
  const uint32_t digits = 31u - (uint32_t)__builtin_clz(number);
  put_bits(writer, 0, digits);
  put_bits(writer, number, digits + 1);
}

/* Appends a difference: small ones of either sign are small numbers. */
WM_INLINE void put_difference(WmAirWriter *writer, int32_t difference) {
  put_number(writer, (uint32_t)(difference < 0 ? -2 * difference : 2 * difference + 1));
}

WM_INLINE bool is_as_predicted(const Around *around, const WmAirGap *gaps, uint32_t count) {
  if (count != predict_count(around)) return false;
  for (uint32_t k = 0; k < count; k++) {
    WmAirGap gap;
    if (!predict_gap(around, count, k, &gap) || gap.floor != gaps[k].floor || gap.ceiling != gaps[k].ceiling)
      return false;
  }
  return true;
}

static void put_cell(WmAirWriter *writer, const Around *around, const WmAirGap *gaps, uint32_t count) {
  const bool is_same = count == predict_count(around);
  put_bits(writer, is_same, 1);
  if (!is_same) put_number(writer, count + 1);
  WmAirGap predicted = {0, 0};
  for (uint32_t k = 0; k < count; k++) {
    const bool is_known = predict_gap(around, count, k, &predicted);
    put_difference(writer, (int32_t)gaps[k].floor - predicted.floor);
    if (!is_known) predicted.ceiling = gaps[k].floor;
    put_difference(writer, (int32_t)gaps[k].ceiling - predicted.ceiling);
    if (!is_known) predicted.floor = gaps[k].ceiling;
  }
}

static void put_row(WmAirWriter *writer, const WmAirRow *before, const WmAirRow *row) {
  Around around = start_row();
  uint32_t run = 1;
  for (int32_t x = 0; x < writer->width; x++) {
    const WmAirGap *gaps = row->gaps + row->first[x];
    const uint32_t count = row->first[x + 1] - row->first[x];
    visit(&around, before, x);
    if (is_as_predicted(&around, gaps, count)) {
      run++;
    } else {
      put_number(writer, run);
      put_cell(writer, &around, gaps, count);
      run = 1;
    }
    around.west = gaps;
    around.west_count = count;
  }
  if (run > 1) put_number(writer, run);
}

static bool are_equal(const WmAirRow *a, const WmAirRow *b, int32_t width) {
  return memcmp(a->first, b->first, ((size_t)width + 1) * sizeof *a->first) == 0 &&
         memcmp(a->gaps, b->gaps, a->first[width] * sizeof *a->gaps) == 0;
}

WM_COLD WmStatus wm_air_writer_start(WmContext *context, const WmGrid *grid, WmAirWriter *writer) {
  *writer = (WmAirWriter){.width = grid->width - 2 * grid->border_size,
                          .depth = grid->depth - 2 * grid->border_size,
                          .border = grid->border_size};
  for (int i = 0; i < 2; i++) {
    writer->rows[i].first =
        wm_scratch_array(context, (size_t)writer->width + 1, sizeof *writer->rows[i].first);
    if (!writer->rows[i].first) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

WmStatus wm_air_writer_append(WmContext *context, WmAirWriter *writer, const WmPlaneWindow *planes,
                              const WmPlaneView *view, int32_t z) {
  const int32_t number = z - writer->border;
  if (number < 0 || number >= writer->depth) return WM_OK;
  WmAirRow *row = &writer->rows[number & 1];
  const WmAirRow *before = number > 0 ? &writer->rows[~number & 1] : NULL;
  const WmStatus status = store_row(context, writer, planes, view, row);
  if (status) return status;
  const size_t bits = 16 + (size_t)writer->width * CELL_BITS + (size_t)row->first[writer->width] * GAP_BITS;
  writer->bytes =
      wm_scratch_reserve(context, writer->bytes, &writer->capacity, writer->byte_count + bits / 8 + 2, 1);
  if (!writer->bytes) return WM_ERROR_OUT_OF_MEMORY;
  const bool is_same = before && are_equal(before, row, writer->width);
  put_bits(writer, is_same, 1);
  if (!is_same) put_row(writer, before, row);
  return WM_OK;
}

WM_COLD WmStatus wm_air_writer_finish(WmContext *context, WmAirWriter *writer, uint8_t **bytes,
                                      size_t *byte_count) {
  if (writer->bit_count > 0) put_bits(writer, 0, 8 - writer->bit_count);
  *bytes = wm_block_allocate(context, writer->byte_count);
  if (!*bytes) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(*bytes, writer->bytes, writer->byte_count);
  *byte_count = writer->byte_count;
  return WM_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* Reads zeros after the last byte. */
typedef struct Reader {
  const uint8_t *bytes;
  size_t byte_count, position; /* the position may exceed byte_count */
  uint64_t bits;               /* the highest bit_count are the next ones, the others 0 */
  uint32_t bit_count;
  bool is_corrupt;
} Reader;

WM_INLINE void fill(Reader *reader) {
  while (reader->bit_count <= 56) {
    const uint64_t byte = reader->position < reader->byte_count ? reader->bytes[reader->position] : 0;
    reader->position++;
    reader->bits |= byte << (56 - reader->bit_count);
    reader->bit_count += 8;
  }
}

/* Takes 1 to 32 bits. */
WM_INLINE uint32_t take_bits(Reader *reader, uint32_t count) {
  if (reader->bit_count < count) fill(reader);
  const uint32_t value = (uint32_t)(reader->bits >> (64 - count));
  reader->bits <<= count;
  reader->bit_count -= count;
  return value;
}

/* Takes a number below 2^20: larger ones are corrupt, and read as 1. */
WM_INLINE uint32_t take_number(Reader *reader) {
  enum { DIGITS = 20 };
  if (reader->bit_count < 2 * DIGITS) fill(reader);
  const uint32_t zeros = reader->bits ? (uint32_t)__builtin_clzll(reader->bits) : 64;
  if (zeros >= DIGITS) {
    reader->is_corrupt = true;
    return 1;
  }
  return take_bits(reader, 2 * zeros + 1);
}

WM_INLINE int32_t take_difference(Reader *reader) {
  const uint32_t number = take_number(reader);
  return number & 1 ? (int32_t)(number / 2) : -(int32_t)(number / 2);
}

/* Air that is being read. The rows before stay in `gaps`, which may move. */
typedef struct AirReader {
  WmContext *context;
  Reader reader;
  int32_t width;
  uint32_t *cell_first;
  WmAirGap *gaps;
  size_t count, capacity;
} AirReader;

/* Reserves capacity for more gaps. */
WM_INLINE WmStatus reserve(AirReader *air, size_t more) {
  if (air->count + more <= air->capacity) return WM_OK;
  if (air->count + more > WM_NO_SPAN - 1u) return wm_fail_span_count(air->context);
  air->gaps =
      wm_scratch_reserve(air->context, air->gaps, &air->capacity, air->count + more, sizeof *air->gaps);
  return air->gaps ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* The gaps of cell x of a row; the count is UINT32_MAX where there is no such cell. */
WM_INLINE const WmAirGap *find_cell(const AirReader *air, int32_t row, int32_t x, uint32_t *count) {
  if (row < 0 || x < 0) {
    *count = UINT32_MAX;
    return NULL;
  }
  const uint32_t *first = air->cell_first + (size_t)row * (size_t)air->width + (size_t)x;
  *count = first[1] - first[0];
  return air->gaps + first[0];
}

WM_INLINE Around look_around(const AirReader *air, int32_t row, int32_t x) {
  Around around;
  around.west = find_cell(air, row, x - 1, &around.west_count);
  around.north = find_cell(air, row - 1, x, &around.north_count);
  around.corner = find_cell(air, row - 1, x - 1, &around.corner_count);
  return around;
}

/* True if the gaps of a cell ascend, and only the last one is open. */
static bool are_gaps_valid(const WmAirGap *gaps, uint32_t count) {
  int32_t ceiling = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (gaps[k].floor < 1 || gaps[k].floor <= ceiling || gaps[k].floor >= gaps[k].ceiling) return false;
    ceiling = gaps[k].ceiling;
  }
  return count == 0 || ceiling == WM_OPEN_CEILING;
}

/* Ends cell x of a row, whose gaps were appended. */
WM_INLINE void end_cell(AirReader *air, int32_t row, int32_t x, uint32_t count) {
  if (!are_gaps_valid(air->gaps + air->count, count)) air->reader.is_corrupt = true;
  air->count += count;
  air->cell_first[(size_t)row * (size_t)air->width + (size_t)x + 1] = (uint32_t)air->count;
}

static WmStatus take_predicted(AirReader *air, int32_t row, int32_t x) {
  Around around = look_around(air, row, x);
  const uint32_t count = predict_count(&around);
  if (air->count + count > air->capacity) {
    const WmStatus status = reserve(air, count);
    if (status) return status;
    around = look_around(air, row, x);
  }
  WmAirGap *gaps = air->gaps + air->count;
  for (uint32_t k = 0; k < count; k++) predict_gap(&around, count, k, &gaps[k]);
  end_cell(air, row, x, count);
  return WM_OK;
}

static WmStatus take_cell(AirReader *air, int32_t row, int32_t x) {
  Around around = look_around(air, row, x);
  const uint32_t count = take_bits(&air->reader, 1) ? predict_count(&around) : take_number(&air->reader) - 1;
  const WmStatus status = reserve(air, count);
  if (status) return status;
  around = look_around(air, row, x);
  WmAirGap *gaps = air->gaps + air->count, predicted = {0, 0};
  for (uint32_t k = 0; k < count; k++) {
    const bool is_known = predict_gap(&around, count, k, &predicted);
    gaps[k].floor = (uint16_t)(predicted.floor + take_difference(&air->reader));
    if (!is_known) predicted.ceiling = gaps[k].floor;
    gaps[k].ceiling = (uint16_t)(predicted.ceiling + take_difference(&air->reader));
    if (!is_known) predicted.floor = gaps[k].ceiling;
  }
  end_cell(air, row, x, count);
  return WM_OK;
}

static WmStatus take_row(AirReader *air, int32_t row) {
  WmStatus status = WM_OK;
  for (int32_t x = 0; !status && !air->reader.is_corrupt && x < air->width; x++) {
    const uint32_t run = take_number(&air->reader) - 1, left = (uint32_t)(air->width - x);
    if (run > left) air->reader.is_corrupt = true;
    const int32_t end = run < left ? x + (int32_t)run : air->width;
    for (; !status && !air->reader.is_corrupt && x < end; x++) status = take_predicted(air, row, x);
    if (!status && !air->reader.is_corrupt && x < air->width) status = take_cell(air, row, x);
  }
  return status;
}

/* Copies the row before. */
static WmStatus repeat_row(AirReader *air, int32_t row) {
  const uint32_t *before = air->cell_first + (size_t)(row - 1) * (size_t)air->width;
  uint32_t *first = air->cell_first + (size_t)row * (size_t)air->width;
  const uint32_t count = before[air->width] - before[0];
  const WmStatus status = reserve(air, count);
  if (status) return status;
  if (count) memcpy(air->gaps + air->count, air->gaps + before[0], count * sizeof *air->gaps);
  air->count += count;
  for (int32_t x = 0; x <= air->width; x++) first[x] = before[x] + count;
  return WM_OK;
}

WmStatus wm_air_read(WmContext *context, const uint8_t *bytes, size_t byte_count, int32_t width,
                     int32_t depth, uint32_t *cell_first, WmAirGap **gaps) {
  AirReader air = {.context = context,
                   .reader = {.bytes = bytes, .byte_count = byte_count},
                   .width = width,
                   .cell_first = cell_first};
  cell_first[0] = 0;
  WmStatus status = reserve(&air, (size_t)width * (size_t)depth);
  for (int32_t row = 0; !status && !air.reader.is_corrupt && row < depth; row++) {
    const bool is_same = take_bits(&air.reader, 1);
    status = is_same && row > 0 ? repeat_row(&air, row) : take_row(&air, row);
  }
  *gaps = air.gaps;
  if (status) return status;
  /* The last byte has at most seven bits that weren't taken. */
  const size_t taken = air.reader.position - air.reader.bit_count / 8;
  if (air.reader.is_corrupt || taken != byte_count) {
    return wm_fail(context, WM_ERROR_CORRUPT, "air",
                   "the air of the tile is damaged, or that of another grid");
  }
  return WM_OK;
}
